"""Look through a table for words that will surprise its writer: what always asks, and what means two things.

A note is not a fault: a table may have good reasons. Then it says so, in its table ``[lint]``, and the note is quiet.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz.distance import JaroWinkler

from pipeline.rules.tournament import Tournament
from pipeline.rules.words.abbreviations import Abbreviations, Sign, fold, initials_of
from pipeline.rules.words.nearness import Near, lead

SHORT = 3  # letters: what people cut a name to when no table tells them how
CLOSE = 0.80  # names this near to a word are both in the reader's mind: for 'Liv' they are at 0.87 and 0.84
ONE_LETTER = (Sign.ARMY, Sign.FLEET)  # an army's A is never read as a province


@dataclass(frozen=True, slots=True)
class LintNote:
    """One thing to know about a table, and why it is so where the table says why."""

    word: str  # as it would be written
    text: str
    accepted: str = ""  # the table's own reason; empty: somebody should look at it

    def __str__(self) -> str:
        return f"{self.text} (accepted: {self.accepted})" if self.accepted else self.text


def lint(tournament: Tournament) -> tuple[LintNote, ...]:
    """List all notes on a tournament's table, those that nobody has accepted first."""
    table = tournament.abbreviations
    leads = tournament.reading.misspelt_lead.value
    remarks = (*short_names(table, leads), *two_provinces(table), *signs_as_places(table), *taken_initials(table))
    notes = {note.word: note for note in remarks}
    known = {fold(word): why for word, why in table.accepted_lint.items()}
    judged = [LintNote(note.word, note.text, known.get(fold(note.word), "")) for note in notes.values()]
    judged += [
        LintNote(word, f"{word!r} is accepted in [lint], but there is nothing to accept; take it out")
        for word in table.accepted_lint
        if fold(word) not in {fold(each) for each in notes}
    ]
    return tuple(sorted(judged, key=lambda note: (bool(note.accepted), note.text)))


def two_provinces(table: Abbreviations) -> Iterator[LintNote]:
    """Words that rows list for several provinces: they are ambiguous, whoever writes them."""
    for word, places in table.places.items():
        if len(places) > 1 and word not in table.ambiguous:
            yield LintNote(word, f"{word!r} is listed for {' and '.join(places)}: it will be ambiguous")


def taken_initials(table: Abbreviations) -> Iterator[LintNote]:
    """Initials of a name that are listed for another province: the listed meaning wins."""
    for code, row in table.rows.items():
        for name in (row.name, *row.accepted):
            for word in initials_of(name):
                listed = table.words.get(word, (code,))
                if code not in listed:
                    text = f"{word!r} is listed for {' and '.join(listed)}, and the initials of {name}: the list wins"
                    yield LintNote(word, text)


def short_names(table: Abbreviations, least_lead: float) -> Iterator[LintNote]:
    """The beginnings of names that are in no row and could be two provinces."""
    names = {code: fold(row.name) for code, row in table.rows.items()}
    for start in sorted({name[:SHORT] for name in names.values()}):
        near = [Near(code, name, JaroWinkler.similarity(start, name)) for code, name in names.items()]
        found = tuple(sorted((each for each in near if each.nearness >= CLOSE), key=lambda each: -each.nearness))
        if len(found) > 1 and lead(found) < least_lead and not table.listed(start):
            word, both = start.capitalize(), " and ".join(f"{each.code} {each.nearness:.2f}" for each in found[:2])
            yield LintNote(word, f"{word!r} is close to {both}: it will always ask")


def signs_as_places(table: Abbreviations) -> Iterator[LintNote]:
    """Words that are a part of an order and a place at the same time."""
    for sign, words in table.signs.items():
        for word in words:
            places = table.places.get(fold(word), ()) if fold(word) else ()
            if places and sign not in ONE_LETTER:
                yield LintNote(word, f"{word!r} is the sign for {sign} and a word for {' and '.join(places)}")

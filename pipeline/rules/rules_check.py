"""Look a rules file through: every fault with its line, what is worth knowing, and what some boards would pay."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from rapidfuzz.distance import JaroWinkler

from pipeline.board import Power
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.abbreviations import Abbreviations, Near, Sign, fold, initials_of, lead
from pipeline.rules.load import read_tournament
from pipeline.rules.scoring import misfits
from pipeline.rules.table import line_of, lines_of, read_toml_text
from pipeline.rules.tournament import Tournament
from pipeline.scoring.results import Board, Seat, format_decimal
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.system import SoloRule, looks_at_years, score_board
from pipeline.scoring.tiebreaks import Distance, TieLot
from pipeline.words.speech import write_count

YearCounts = tuple[int, ...]
TYPICAL: Mapping[int, YearCounts] = {  # after each Fall; two are eliminated, in 1904 and in 1906
    1901: (5, 5, 5, 5, 5, 4, 4),
    1902: (6, 6, 5, 5, 5, 4, 3),
    1903: (7, 7, 6, 5, 4, 4, 1),
    1904: (8, 8, 6, 5, 4, 3, 0),
    1905: (10, 8, 6, 4, 4, 2, 0),
    1906: (11, 9, 6, 4, 4, 0, 0),
    1907: (12, 9, 6, 4, 3, 0, 0),
}
SHARED: Mapping[int, YearCounts] = {
    1901: (5, 5, 4, 5, 5, 5, 4),
    1902: (7, 8, 5, 5, 5, 4, 0),
    1903: (9, 9, 5, 5, 5, 1, 0),
    1904: (10, 10, 5, 5, 4, 0, 0),
}
SOLO: Mapping[int, YearCounts] = {
    1901: (5, 5, 5, 5, 4, 5, 4),
    1902: (8, 7, 5, 5, 4, 5, 0),
    1903: (13, 7, 6, 5, 3, 0, 0),
    1904: (18, 8, 5, 3, 0, 0, 0),
}


class Fault(Struct, frozen=True):
    """One thing that is wrong with a file, and where."""

    line: int | None
    path: str  # "scoring.parts[1].each"
    text: str

    def __str__(self) -> str:
        place = f"line {self.line}, {self.path}" if self.line else self.path
        return f"{place}: {self.text}"


class CheckedRules(Struct, frozen=True):
    """What a look at a rules file finds."""

    faults: tuple[Fault, ...]  # in the order of the file
    notes: tuple[str, ...]  # what is worth knowing, and hinders nothing
    tournament: Tournament | None  # None: the file cannot be read


def check_rules(text: str, path: Path) -> CheckedRules:
    """Look through the text of a rules file that stands, or would stand, at ``path``."""
    try:
        values = read_toml_text(text)
    except ValueError as error:
        return CheckedRules((Fault(None, path.name, f"not TOML: {error}"),), (), None)
    lines = lines_of(text)
    try:
        tournament = read_tournament(values, path)
    except Stopped as stopped:
        return CheckedRules(_place_faults(stopped.problems, path.name, lines), (), None)
    strange = [Problem(Weight.STOPS, what, f"{path.name} {where}") for where, what in misfits(tournament.scoring)]
    return CheckedRules(
        _place_faults(strange, path.name, lines), tuple(_director_notes(tournament, values)), tournament
    )


def _place_faults(problems: Iterable[Problem], name: str, lines: Mapping[str, int]) -> tuple[Fault, ...]:
    """Give faults their lines, and the order of the file."""
    faults = []
    for problem in problems:
        where = problem.where.removeprefix(name).strip() or name
        line = line_of(lines, where) or line_of(lines, f"tournament.{where}")  # a table of abbreviations says its name
        faults.append(Fault(line, where, problem.text))
    return tuple(sorted(dict.fromkeys(faults), key=lambda fault: (fault.line or 0, fault.path)))


# Keys of [judge] that are settled before a written line gets to the judge.
OF_SPELLING = ("missing_coast", "wrong_unit_coast", "wrong_letter")


def _director_notes(tournament: Tournament, values: Mapping[str, Any]) -> Iterator[str]:
    """What the director has to do, or may have overlooked."""
    rules = tournament.scoring
    if rules.system.solo == SoloRule() and not values.get("scoring", {}).get("solo"):
        yield "no [scoring.solo]: a soloist gets the sum of the blocks like everybody, and the others nothing"
    if any(map(looks_at_years, rules.systems)):
        yield "points depend on who was eliminated when: a board that is entered by hand needs every year's counts"
    chains = (rules.ties.players, rules.ties.qualifying, rules.ties.final, rules.ties.powers)
    steps = [step for chain in chains for step in chain]
    if any(isinstance(step, Distance) for step in steps):
        yield "the tie-break 'distance' needs a column 'distance km' in the roster"
    if any(isinstance(step, TieLot) for step in steps):
        yield "the tie-break 'lot' is drawn by you: enter the order of the names"
    if not rules.ties.players:
        yield "no tie-break for players: equal totals share a place"
    if of_spelling := [key for key in OF_SPELLING if key in values.get("judge", {})]:
        only = "only for orders that another program gives to 'judge'; written lines go by [reading]"
        yield f"[judge] {', '.join(of_spelling)}: {only}"
    asks = len(tournament.open_switches())
    yield f"you are asked on {write_count(asks, 'switch', 'switches')}: ordersheets rules FILE --open"


def payments(rules: ScoringRules) -> tuple[tuple[str, YearCounts, tuple[str, ...]], ...]:
    """What three boards would pay: one with a leader, one with two, and a solo; each with its title and its counts."""
    boards = (("12-9-6-4-3-0-0", TYPICAL), ("two at the top", SHARED), ("a solo", SOLO))
    return tuple(
        (
            title,
            years[max(years)],
            tuple(format_decimal(game.score, rules.decimals) for game in score_board(make_board(years), rules.system)),
        )
        for title, years in boards
    )


def make_board(years: Mapping[int, YearCounts]) -> Board:
    """A board without players that has these counts after each Fall."""
    charted = {year: dict(zip(Power, counts, strict=True)) for year, counts in years.items()}
    seats = {power: Seat(player=None) for power in Power}
    return Board(round=1, name="A", seats=seats, centres=charted[max(charted)], years=charted)


# Look through a table for words that will surprise its writer: what always asks, and what means two things.
#
# A note is not a fault: a table may have good reasons. If its part ``[lint]`` gives one, the note is not shown.

SHORT = 3  # letters: what people cut a name to when no table tells them how
CLOSE = 0.80  # names this near to a word are both in the reader's mind: for 'Liv' they are at 0.87 and 0.84
ONE_LETTER = (Sign.ARMY, Sign.FLEET)  # an army's A is never read as a province


class LintNote(Struct, frozen=True):
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
    remarks = (*_short_names(table, leads), *_two_provinces(table), *_signs_as_places(table), *_taken_initials(table))
    notes = {note.word: note for note in remarks}
    known = {fold(word): why for word, why in table.accepted_lint.items()}
    judged = [LintNote(note.word, note.text, known.get(fold(note.word), "")) for note in notes.values()]
    judged += [
        LintNote(word, f"{word!r} is accepted in [lint], but there is nothing to accept; take it out")
        for word in table.accepted_lint
        if fold(word) not in {fold(each) for each in notes}
    ]
    return tuple(sorted(judged, key=lambda note: (bool(note.accepted), note.text)))


def _two_provinces(table: Abbreviations) -> Iterator[LintNote]:
    """Words that rows list for several provinces: they are ambiguous, whoever writes them."""
    for word, places in table.places.items():
        if len(places) > 1 and word not in table.ambiguous:
            yield LintNote(word, f"{word!r} is listed for {' and '.join(places)}: it will be ambiguous")


def _taken_initials(table: Abbreviations) -> Iterator[LintNote]:
    """Initials of a name that are listed for another province: the listed meaning wins."""
    for code, row in table.rows.items():
        for name in (row.name, *row.accepted):
            for word in initials_of(name):
                listed = table.words.get(word, (code,))
                if code not in listed:
                    text = f"{word!r} is listed for {' and '.join(listed)}, and the initials of {name}: the list wins"
                    yield LintNote(word, text)


def _short_names(table: Abbreviations, least_lead: float) -> Iterator[LintNote]:
    """The beginnings of names that are in no row and could be two provinces."""
    names = {code: fold(row.name) for code, row in table.rows.items()}
    for start in sorted({name[:SHORT] for name in names.values()}):
        near = [Near(code, name, JaroWinkler.similarity(start, name)) for code, name in names.items()]
        close = tuple(sorted((each for each in near if each.nearness >= CLOSE), key=lambda each: -each.nearness))
        if len(close) > 1 and lead(close) < least_lead and not table.places_listed(start):
            word, both = start.capitalize(), " and ".join(f"{each.code} {each.nearness:.2f}" for each in close[:2])
            yield LintNote(word, f"{word!r} is close to {both}: it will always ask")


def _signs_as_places(table: Abbreviations) -> Iterator[LintNote]:
    """Words that are a part of an order and a place at the same time."""
    for sign, words in table.signs.items():
        for word in words:
            places = table.places.get(fold(word), ()) if fold(word) else ()
            if places and sign not in ONE_LETTER:
                yield LintNote(word, f"{word!r} is the sign for {sign} and a word for {' and '.join(places)}")

"""The rows of an event whose text is known: data to learn a hand and to fit thresholds.

Only evidence about the *written* text counts. A ruling may give another order than the written one; so a chosen order
counts only if the reader had read it.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

from pipeline.board import Phase
from pipeline.desk.event.event import Event
from pipeline.desk.event.people import Turn
from pipeline.desk.forms.forms_in import WRITER, AnsweredField, FormIn, forms_in, printed_forms
from pipeline.desk.ruling.desk import Desk, number_rows
from pipeline.desk.ruling.rulings import RowRuling, RulingsOf
from pipeline.desk.sheets.sheets_in import SheetIn
from pipeline.ink import InkLine, Note, Tier
from pipeline.interpret.lexicon import Speller
from pipeline.ledger.events import PageRead, PhasePublished, SpotChecked
from pipeline.ledger.ledger import Fact, standing
from pipeline.ledger.parts import Source
from pipeline.orders import Order
from pipeline.paper.form import FormKind
from pipeline.reading.alphabet import accepts, bare, spell_slot
from pipeline.words.speech import sentences

UNASKED = (Tier.ACCEPTED, Tier.MARKED)
INCOMPLETE_NOTES = (Note.STRUCK_OUT, Note.PARTLY_STRUCK, Note.LEAVES_ROW, Note.MENDED, Note.MORE, Note.HIDDEN)


class KnownBy(StrEnum):
    """How it is known what is written on a row."""

    TYPED = "typed"  # a person said what the ink says, letter by letter
    CHECKED = "checked"  # a person compared it with its ink and found it right
    CHOSEN = "chosen"  # a person chose the order; its spelling on paper is not known
    COPIED = "copied"  # of a writing sample: the readers found the text that is printed beside it
    BROUGHT = "brought"  # from an earlier event of the same player: it was known there
    STOOD = "let stand"  # it was accepted unasked and published


class KnownRow(Struct, frozen=True):
    """One row whose text is known."""

    sheet: str  # its id
    sha256: str
    page: int
    row: int  # as printed on the sheet
    text: str
    how: KnownBy
    since: int  # the number of the fact that made it known
    confidence: float = 1.0  # of a reading that was published unasked; 1 of all others


class KnownText(NamedTuple):
    """The text of a row, how it is known, and the number of the fact since which it is."""

    text: str
    how: KnownBy
    since: int


class SettledRows(Struct, frozen=True):
    """What was decided about rows, by turn and line."""

    published: Mapping[tuple[str, Phase], Fact[PhasePublished]]  # by board and phase, the newest
    checked: Mapping[tuple[Turn, int], Fact[SpotChecked]]

    @classmethod
    def of(cls, event: Event) -> "SettledRows":
        return cls(
            {(fact.said.board, fact.said.phase): fact for fact in standing(event.facts, PhasePublished)},
            {(Turn.of(fact.said), fact.said.line): fact for fact in standing(event.facts, SpotChecked)},
        )

    def find_publication(self, turn: Turn, number: int, line: InkLine) -> Fact[PhasePublished] | None:
        """The fact that published a row as it was read, unasked; None otherwise."""
        fact = self.published.get((turn.board, turn.phase))
        if fact is None or line.tier not in UNASKED:
            return None
        rows = [row for row in fact.said.rows.get(turn.power, ()) if row.line == number]
        is_as_read = all(row.source in (Source.READ, Source.MARKED) and row.ink == line.text for row in rows)
        return fact if rows and is_as_read else None


def known_rows(event: Event) -> dict[Turn, tuple[KnownRow, ...]]:
    """All rows whose text is known, by turn, each turn's in the order of its rows."""
    desk, settled = Desk.of(event), SettledRows.of(event)
    speller = Speller(event.board, event.tournament)
    by_turn = {}
    for turn in desk.sheets:
        weighed = desk.counted_sheets(turn)
        rulings = RulingsOf(rows=desk.rulings_on(turn, weighed))
        rows = tuple(_known_rows_of(turn, weighed.counted, rulings, settled, speller))
        if rows:
            by_turn[turn] = rows
    return by_turn


def _known_rows_of(
    turn: Turn, sheets: tuple[SheetIn, ...], rulings: RulingsOf, settled: SettledRows, speller: Speller
) -> Iterator[KnownRow]:
    for number, sheet, line in number_rows(sheets):
        if line.tier is Tier.BLANK or any(note in INCOMPLETE_NOTES for note in line.notes):
            continue
        ruling = rulings.on(number)
        known = _text_by_ruling(ruling, line, speller) if ruling else _text_without_ruling(turn, number, line, settled)
        if known is not None:
            scan = sheet.scans[-1]
            sure = line.readings[0].confidence if known.how is KnownBy.STOOD else 1.0
            yield KnownRow(scan.sheet_id, scan.scan_sha256, scan.page, line.number, *known, sure)


def _text_by_ruling(ruling: RowRuling, line: InkLine, speller: Speller) -> KnownText | None:
    """The text that a ruling confirms: the typed text, or for a chosen order the reading that gave it."""
    decision, number = ruling.decision, ruling.fact.number
    if decision.text is not None:
        return KnownText(decision.text, KnownBy.TYPED, number)
    if decision.orders is None or len(decision.orders) != 1:
        return None
    texts = (reading.text for reading in line.readings if _spells(reading.text, decision.orders[0], speller))
    text = next(texts, None)
    return None if text is None else KnownText(text, KnownBy.CHOSEN, number)


def _text_without_ruling(turn: Turn, number: int, line: InkLine, settled: SettledRows) -> KnownText | None:
    """What is known of a row that nobody ruled on."""
    if line.tier not in UNASKED:
        return None
    check = settled.checked.get((turn, number))
    if check is not None and check.said.ink == line.text:
        return KnownText(line.text, KnownBy.CHECKED, check.number) if check.said.right else None
    published = settled.find_publication(turn, number, line)
    return None if published is None else KnownText(line.text, KnownBy.STOOD, published.number)


def _spells(text: str, order: Order, speller: Speller) -> bool:
    """Whether a text is one of the ways to write an order, letter by letter."""
    letters = bare(text)
    return any(accepts(tuple(map(spell_slot, slots)), letters) for slots in speller.forms(order))


# Writing samples: a player copies letters and ten places once, and the readers learn his hand from these lines.
#
# A line is used if the readers read the text that is printed beside it, or if a person typed what it says. A line that
# is empty, struck out or says something else is not used, and is reported.


def sample_rows(event: Event) -> dict[str, list[KnownRow]]:
    """The lines of all samples that teach, by player, in the order in which they became known."""
    read = {(fact.said.sha256, fact.said.page): fact.number for fact in standing(event.facts, PageRead)}
    by_player: dict[str, list[KnownRow]] = {}
    for form in forms_in(event).values():
        if form.kind is FormKind.SAMPLE and form.is_counted:
            scan = form.scans[-1]
            rows = _rows_of_sample(form, read[scan.scan_sha256, scan.page])
            (writer,) = form.printed.request.lists[WRITER]  # the form is printed with his number
            by_player.setdefault(event.people.name_of(int(writer.name)), []).extend(rows)
    return {player: sorted(rows, key=lambda row: row.since) for player, rows in by_player.items()}


def awaits_samples(event: Event) -> bool:
    """Whether a sample was printed that has not come in."""
    printed = {name for name, form in printed_forms(event).items() if form.request.kind is FormKind.SAMPLE}
    return bool(printed) and not printed <= forms_in(event).keys()


def _rows_of_sample(form: FormIn, read: int) -> Iterator[KnownRow]:
    """The lines of one sample that teach; ``read`` is the number of the fact that says what was read."""
    scan = form.scans[-1]
    for answered in form.answers:
        known = _known_text_of(answered, read)
        if known is not None:
            yield KnownRow(form.id, scan.scan_sha256, scan.page, answered.answer.number, *known)


def _known_text_of(answered: AnsweredField, read: int) -> KnownText | None:
    """The known text of a line; None if the line is not used."""
    value = answered.value
    if not value:
        return None
    if answered.ruling is None:
        return KnownText(value, KnownBy.COPIED, read)
    return KnownText(value, KnownBy.TYPED, answered.ruling.number)


def describe_sample(form: FormIn) -> str:
    """Say how many lines of a sample are used, and why the others are not."""
    silent = [answered for answered in form.answers if _known_text_of(answered, 0) is None]
    taught = len(form.answers) - len(silent)
    reasons = [f"{answered.answer.name} {_why_silent(answered)}" for answered in silent]
    return "; ".join([f"lines that teach the hand: {taught} of {len(form.answers)}", *reasons])


def _why_silent(answered: AnsweredField) -> str:
    if answered.is_empty:
        return "is empty"
    if answered.line.notes:
        return f"is {sentences(answered.line.notes)}"
    return f"reads {answered.line.text}" if answered.line.text else "cannot be read"

"""What the product made of every row, beside what the tournament's rules make of the text that was really written.

The director of the benchmark types what is written on every row that the reader did not dare to read, and rules on
nothing else. What is then adjudicated on a row that nobody was asked about must be what the rules make of its text.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from benchmarks.whole_sheets.found import AS_LABELLED, OTHERS, READER, RULES, SHEET, Found
from benchmarks.whole_sheets.paper import Manner
from benchmarks.whole_sheets.players import STRUCK, WrittenRow
from pipeline.board import Unit
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import games
from pipeline.desk.event.people import Turn
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import PowerRows, Row
from pipeline.desk.ruling.rulings import NOTHING, RowDecision, rule_row
from pipeline.desk.sheets.pads import SheetState
from pipeline.interpret.interpret import interpret
from pipeline.interpret.lexicon import spellings
from pipeline.interpret.verdict import Entry, Line, Status
from pipeline.ledger.parts import Source
from pipeline.orders import Order, write
from pipeline.paper.sheet_layout import PageLayout
from pipeline.pen.scanner import Scan
from pipeline.reading.alphabet import Words, accepts, bare, spell_slot
from pipeline.rules.tournament import Tournament
from training.cases import BESIDE
from training.orders import Seat
from training.wrong import Wrong, Yardstick

TO_RULE = "(the director rules)"
TIERS = {Source.READ: "accepted", Source.MARKED: "marked"}


class Kept(Struct, frozen=True):
    """One power's sheets of one season, with what is written on them."""

    board: str
    seat: Seat
    season: int
    manner: Manner
    design: str
    rows: tuple[WrittenRow, ...]
    layouts: tuple[PageLayout, ...]
    scans: tuple[Scan, ...]
    others: frozenset[int] = frozenset()  # lines with a letter that is seen as another

    @property
    def turn(self) -> Turn:
        """The turn they are for."""
        return Turn(f"1.{self.board}", self.seat.position.phase, self.seat.power)


class Truth:
    """What the rules make of one sheet as it was really written."""

    def __init__(self, kept: Kept, tournament: Tournament) -> None:
        self.kept, self.tournament = kept, tournament
        self.texts = {row.line: row.text for row in kept.rows if row.counts}
        self.marked = frozenset(row.line for row in kept.rows if row.mark)  # what such a line means nobody can say
        self.beside = frozenset(row.line for row in kept.rows if row.kind == BESIDE)
        self.entries = self.entries_of(self.texts)
        self.slots: list[tuple[Words, ...]] | None = None

    def entries_of(self, texts: Mapping[int, str]) -> dict[int, list[Entry]]:
        """Interpret the lines of a sheet; what one supplies to a unit that no line is about is asked apart."""
        lines = [Line(line, text) for line, text in sorted(texts.items())]
        seat = self.kept.seat
        found = interpret(lines, seat.power, seat.position, self.tournament)
        own = [entry for entry in found.entries if not entry.is_supplied]
        return {line: [entry for entry in own if line in (entry.line, *entry.also)] for line in texts}

    def orders(self, line: int) -> str:
        """What will be adjudicated of a line, if its text is known."""
        if line in self.marked:
            return TO_RULE
        return "; ".join(map(meaning, self.entries.get(line, ())))

    def is_clear(self, line: int) -> bool:
        """Whether the rules follow a line as it is written."""
        entries = self.entries.get(line, []) if line not in self.marked else []
        return bool(entries) and all(is_clear(entry) for entry in entries)

    def is_same(self, line: int, read: str) -> bool:
        """Whether what was read is what is written: the same letters, or a spelling of the same order."""
        mine, theirs = bare(self.texts.get(line, "")), bare(read)
        if line in self.marked:
            return False
        if mine == theirs:
            return True
        if self.slots is None:
            found = spellings(self.kept.seat.power, self.kept.seat.position, self.tournament)
            self.slots = [tuple(map(spell_slot, each.slots)) for each in found]
        return any(accepts(slots, mine) and accepts(slots, theirs) for slots in self.slots)

    @cached_property
    def yardstick(self) -> Yardstick:
        """What is wrong with what stands: the one definition."""
        seat = self.kept.seat
        return Yardstick.of(seat.power, seat.position, self.tournament)

    def is_slip(self, line: int, orders: Sequence[Order | None]) -> bool:
        """Whether a line is misspelt, and what stands is the only order that it can be a slip of."""
        is_one = len(orders) == 1 and line not in self.beside
        return is_one and self.yardstick.wrong(self.texts.get(line, ""), orders[0]) is Wrong.SLIP

    def is_spelled(self, line: int, orders: Sequence[Order | None]) -> bool:
        """Whether the letters of a line spell what stands; only its spaces may stand elsewhere."""
        return len(orders) == 1 and self.yardstick.is_spelled(self.texts.get(line, ""), orders[0])

    def would_be(self, line: int, read: str) -> str:
        """What a line would be taken for, if it were read so and all others rightly."""
        return "; ".join(map(meaning, self.entries_of(self.texts | {line: read})[line]))


def meaning(entry: Entry) -> str:
    """What one entry comes to."""
    if entry.status is Status.ASK:
        return TO_RULE
    return write(entry.order) if entry.order is not None else ""


def is_clear(entry: Entry) -> bool:
    """Whether an order stands as somebody wrote it."""
    return entry.status is Status.CLEAR and not entry.is_implied


def compared(event: Event, kept: Sequence[Kept]) -> Iterator[tuple[Kept, tuple[Found, ...]]]:
    """Compare every row: first as it was read, then after a person has read what was asked."""
    first = rows_by_turn(event)
    for each in kept:
        for row in each.rows:
            if any(found.status == "unread" for found in on_line(first, each.turn, row.line)):
                decision = RowDecision(text=row.text) if row.counts else RowDecision(order=NOTHING, why=STRUCK)
                rule_row(event, each.turn, row.line, decision, "benchmark")
    after = rows_by_turn(event)
    for each in kept:
        truth = Truth(each, event.tournament)
        yield each, tuple(found_of(event, truth, row, first.get(each.turn), after.get(each.turn)) for row in each.rows)


def rows_by_turn(event: Event) -> dict[Turn, PowerRows]:
    """Everything on the desk, by turn."""
    desk = Desk.of(event)
    return {
        Turn(game.name, game.position.phase, rows.power): rows
        for game in games(event).values()
        for rows in desk.board(game)
    }


def on_line(rows: Mapping[Turn, PowerRows], turn: Turn, line: int) -> list[Row]:
    """The rows of one line."""
    return [row for row in rows[turn].rows if row.line == line] if turn in rows else []


def found_of(event: Event, truth: Truth, row: WrittenRow, first: PowerRows | None, after: PowerRows | None) -> Found:
    """Weigh one row."""
    kept = truth.kept
    before, then = (
        [found for found in (rows.rows if rows else ()) if found.line == row.line] for rows in (first, after)
    )
    asked = why_asked(row, truth, first, before, then, after)
    readings = before[0].readings if before else ()
    read = readings[0].text if readings else ""
    same = row.counts and truth.is_same(row.line, read)
    wanted = truth.orders(row.line)
    orders = [found.order for found in then]
    stands = "; ".join(write(order) if order else "" for order in orders)
    is_wrong = not asked and stands != wanted
    return Found(
        sheet=str(kept.layouts[0].sheet),
        tournament=event.tournament.id,
        phase=str(kept.seat.position.phase),
        power=str(kept.seat.power),
        line=row.line,
        season=kept.season,
        writer=kept.manner.writer,
        pen=kept.manner.pen,
        scan=kept.manner.scan,
        dpi=kept.manner.dpi,
        design=kept.design,
        kind=row.kind,
        text=row.text,
        truth=wanted,
        clear=truth.is_clear(row.line),
        read=read,
        order=stands,
        asked=asked,
        why=next((each.reason for each in (*before, *then) if each.needs_director), "") if asked else "",
        tier="asked" if asked else TIERS.get(then[0].source, "other") if then else "lost",
        same=same,
        best=same or (row.counts and bool(read) and truth.would_be(row.line, read) == wanted),
        confidence=readings[0].confidence if readings else 0.0,
        slip=is_wrong and truth.is_slip(row.line, orders),
        letters=OTHERS if row.line in kept.others else AS_LABELLED,
        spaced=is_wrong and truth.is_spelled(row.line, orders),
        crop=str(event.folder / before[0].crop) if before and before[0].crop else "",
    )


def why_asked(
    row: WrittenRow,
    truth: Truth,
    first: PowerRows | None,
    before: Sequence[Row],
    then: Sequence[Row],
    after: PowerRows | None,
) -> str:
    """Say why a person is asked about a row before it is adjudicated; nothing where nobody is."""
    if first is None or first.state is SheetState.MISSING:
        return SHEET
    if any(found.status == "unread" for found in before):
        return READER
    if any(found.needs_director for found in (*before, *then)):
        return RULES
    if not then and any(unit_missed(after, entry.unit) for entry in truth.entries.get(row.line, ())):
        return RULES  # the row was not seen, but its unit is then asked about
    return ""


def unit_missed(rows: PowerRows | None, unit: Unit | None) -> bool:
    """Whether the director is asked about a unit because no row orders it."""
    without = [row.reason for row in rows.rows if row.line == 0 and row.needs_director] if rows else []
    return unit is not None and any(reason.startswith(f"{unit} has no order") for reason in without)

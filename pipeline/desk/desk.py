"""The director's desk: every board with its powers and rows, read from the facts."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pipeline.board.map import Power
from pipeline.desk.crops import crop_path
from pipeline.desk.event import Event
from pipeline.desk.expected import expected_units
from pipeline.desk.games import Game, seatings
from pipeline.desk.precedents import rulings_book
from pipeline.desk.row_reader import NOTHING_RULED, RowReader
from pipeline.desk.rows import PowerRows, Row, Written
from pipeline.desk.rulings import RowRuling, RulingsOf, all_rulings
from pipeline.desk.sheet_state import Conduct, SheetState, Weighed
from pipeline.desk.sheets_in import SheetIn, sheets_in, written_on
from pipeline.desk.turn import Turn
from pipeline.ink import InkLine, Tier
from pipeline.tournament.rulings import RulingsBook


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything that came in and was decided, read once for many boards."""

    event: Event
    sheets: dict[Turn, tuple[SheetIn, ...]]
    rulings: dict[Turn, RulingsOf]
    conduct: Conduct
    book: RulingsBook = NOTHING_RULED  # earlier rulings, offered where the rules ask again

    @classmethod
    def of(cls, event: Event) -> "Desk":
        """Read the facts."""
        rulings = all_rulings(event)
        book = rulings_book(event.facts.read())
        return cls(event, sheets_in(event), rulings, conduct_of(event, rulings), book)

    def board(self, game: Game) -> tuple[PowerRows, ...]:
        """All powers that must write in the phase the board is in."""
        if game.ended:
            return ()
        return tuple(self.power(game, power) for power in expected_units(self.event.board, game.position))

    def power(self, game: Game, power: Power) -> PowerRows:
        """One power's sheet and rows."""
        turn = Turn(game.name, game.position.phase, power)
        rulings = self.rulings.get(turn, RulingsOf())
        weighed = self.conduct.weigh(turn, self.sheets.get(turn, ()))
        rows: tuple[Row, ...] = ()
        if weighed.state is not SheetState.MISSING:
            typed = rulings.typed if weighed.state is SheetState.TYPED else None
            lines = ink_lines(weighed.counted) if typed is None else typed_lines(typed.lines)
            mine = on_these_rows(rulings, self.sheets.get(turn, ()), weighed)
            reader = RowReader(self.event, game.position, power, mine, self.book)
            rows = reader.rows(lines, nothing_will_come=weighed.nothing_will_come)
        return PowerRows(power=power, state=weighed.state, problems=weighed.problems, rows=rows)


def conduct_of(event: Event, rulings: dict[Turn, RulingsOf]) -> Conduct:
    """The rules on sheets, with who plays what."""
    seated = seatings(event)
    players = {turn: seated[turn.board].players.get(turn.power, "") for turn in rulings if turn.board in seated}
    return Conduct(event.tournament.conduct, rulings, players)


SECOND = 100  # the rows of a second sheet of the same part are numbered from here: a ruling is on one of the two only


def ink_lines(sheets: tuple[SheetIn, ...]) -> tuple[Written, ...]:
    """The rows of a power's sheets, in the order of their printed numbers; those of a second sheet after them."""
    return tuple(
        Written(
            line=number,
            text=line.text,
            readings=line.readings,
            tier=line.tier,
            notes=line.notes,
            crop=crop_path(sheet.scans[-1].scan_sha256, sheet.scans[-1].page, line.number),
        )
        for number, sheet, line in numbered(sheets)
    )


def numbered(sheets: tuple[SheetIn, ...]) -> Iterator[tuple[int, SheetIn, InkLine]]:
    """Go through the rows of a power's sheets, each with the number that rulings know it by."""
    parts: list[int] = []
    for sheet in sheets:
        part = sheet.printed.request.part
        offset = SECOND * parts.count(part)
        parts.append(part)
        yield from ((line.number + offset, sheet, line) for line in sheet.lines)


def on_these_rows(rulings: RulingsOf, sheets: tuple[SheetIn, ...], weighed: Weighed) -> RulingsOf:
    """Leave out the rulings on rows that were others when they were made: of another sheet, or typed."""
    rows = (ruling for ruling in rulings.rows if is_on(ruling, rulings, sheets, weighed))
    return replace(rulings, rows=tuple(rows))


def is_on(ruling: RowRuling, rulings: RulingsOf, sheets: tuple[SheetIn, ...], weighed: Weighed) -> bool:
    """Whether the rows that count now are those that a ruling was made on; it names its row by number."""
    made, typed, sheet = ruling.fact.number, rulings.typed, rulings.sheet
    if weighed.state is SheetState.TYPED:
        return typed is None or typed.fact.number < made
    is_after = sheet is not None and sheet.fact.number < made
    if typed is not None and typed.fact.number < made and not is_after:
        return False
    if sheet is not None and is_after:  # it was made on what that ruling let count, else on all that is written on
        then = tuple(s for s in weighed.counted if s.came < made and sheet.serial in (None, s.serial))
    else:
        then = written_on(tuple(s for s in sheets if s.came < made))
    if ruling.line == 0:
        return {s.serial for s in written_on(then)} == {s.serial for s in written_on(weighed.counted)}
    return owners(then).get(ruling.line) == owners(weighed.counted).get(ruling.line)


def owners(sheets: tuple[SheetIn, ...]) -> dict[int, int]:
    """The serial of the sheet that each row stands on, by the number that rulings know the row by."""
    return {number: sheet.serial for number, sheet, _ in numbered(sheets)}


def typed_lines(texts: tuple[str, ...]) -> tuple[Written, ...]:
    """Lines that the director typed."""
    return tuple(
        Written(line=number, text=text, readings=(), tier=Tier.ACCEPTED, is_typed=True)
        for number, text in enumerate(texts, start=1)
        if text.strip()
    )

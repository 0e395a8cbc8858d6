"""The director's desk: every board with its powers and rows, read from the facts."""

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.desk.crops import crop_path
from pipeline.desk.event import Event
from pipeline.desk.expected import expected_units
from pipeline.desk.games import Game, seatings
from pipeline.desk.precedents import rulings_book
from pipeline.desk.row_reader import NOTHING_RULED, RowReader
from pipeline.desk.rows import PowerRows, Row, Written
from pipeline.desk.rulings import RulingsOf, all_rulings
from pipeline.desk.sheet_state import Conduct, SheetState
from pipeline.desk.sheets_in import SheetIn, sheets_in
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
            lines = ink_lines(weighed.counted) if rulings.typed is None else typed_lines(rulings.typed)
            reader = RowReader(self.event, game.position, power, rulings, self.book)
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


def typed_lines(texts: tuple[str, ...]) -> tuple[Written, ...]:
    """Lines that the director typed."""
    return tuple(
        Written(line=number, text=text, readings=(), tier=Tier.ACCEPTED, is_typed=True)
        for number, text in enumerate(texts, start=1)
        if text.strip()
    )

"""The director's desk: every board with its powers and rows, read from the facts."""

from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.desk.crops import crop_path
from pipeline.desk.event import Event
from pipeline.desk.expected import expected_units
from pipeline.desk.games import Game
from pipeline.desk.row_reader import RowReader
from pipeline.desk.rows import PowerRows, Written
from pipeline.desk.rulings import RulingsOf, all_rulings
from pipeline.desk.sheet_state import SheetState, weigh
from pipeline.desk.sheets_in import SheetIn, sheets_in
from pipeline.desk.turn import Turn
from pipeline.ink import Tier


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything that came in and was decided, read once for many boards."""

    event: Event
    sheets: dict[Turn, tuple[SheetIn, ...]]
    rulings: dict[Turn, RulingsOf]

    @classmethod
    def of(cls, event: Event) -> "Desk":
        """Read the facts."""
        return cls(event, sheets_in(event), all_rulings(event))

    def board(self, game: Game) -> tuple[PowerRows, ...]:
        """All powers that must write in the phase the board is in."""
        if game.ended:
            return ()
        return tuple(self.power(game, power) for power in expected_units(self.event.board, game.position))

    def power(self, game: Game, power: Power) -> PowerRows:
        """One power's sheet and rows."""
        turn = Turn(game.name, game.position.phase, power)
        rulings = self.rulings.get(turn, RulingsOf())
        state, problems, counted = weigh(self.sheets.get(turn, ()), rulings, str(turn))
        lines = typed_lines(rulings.typed) if rulings.typed is not None else ink_lines(counted)
        reader = RowReader(self.event, game.position, power, rulings)
        if state is SheetState.MISSING:
            return PowerRows(power=power, state=state, problems=problems, rows=())
        nothing_will_come = state in (SheetState.NO_ORDERS, SheetState.REFUSED)
        rows = reader.rows(lines, nothing_will_come=nothing_will_come)
        return PowerRows(power=power, state=state, problems=problems, rows=rows)


def ink_lines(sheets: tuple[SheetIn, ...]) -> tuple[Written, ...]:
    """The rows of a power's sheets, in the order of their printed numbers."""
    return tuple(
        Written(
            line=line.number,
            text=line.text,
            readings=line.readings,
            tier=line.tier,
            notes=line.notes,
            crop=crop_path(sheet.scans[-1].scan_sha256, sheet.scans[-1].page, line.number),
        )
        for sheet in sheets
        for line in sheet.lines
    )


def typed_lines(texts: tuple[str, ...]) -> tuple[Written, ...]:
    """Lines that the director typed."""
    return tuple(
        Written(line=number, text=text, readings=(), tier=Tier.ACCEPTED, is_typed=True)
        for number, text in enumerate(texts, start=1)
        if text.strip()
    )

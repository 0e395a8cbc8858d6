"""Which sheets on paper are void, by a new draw or by seats that were changed: others sit there, or nobody."""

from collections.abc import Iterator

from pipeline.board.map import Power
from pipeline.desk.draw.drawn import Drawn
from pipeline.desk.event.event import Event
from pipeline.desk.event.seating import boards_by_hand
from pipeline.desk.sheets.old_seats import OldSeats
from pipeline.desk.sheets.printed import PrintedSheet, printed_sheets
from pipeline.ledger.events import LedgerEvent, SeatsChanged
from pipeline.ledger.ledger import Fact

MEND = "collect them; one that comes in is asked about, and counts for nobody by itself; print them again"
Seat = tuple[str, Power]  # a board of the round, and a power on it


def void_note(event: Event, drawn: Drawn) -> Iterator[str]:
    """Name the void sheets: boards of which none is good any more, and else each sheet."""
    fixed = boards_by_hand(event, drawn.round)  # which stay as they are
    boards = drawn.boards
    sheets = {each: who for each, who in sheets_by_seat(event, drawn).items() if each[1][0] not in fixed}
    now = {(board, power): name for board, players in boards.items() for power, name in players.items()}
    void = {each for each, player in sheets.items() if player not in (None, now.get(each[1], ""))}
    if not void:
        return
    good = {board for _, (board, _) in sheets.keys() - void}
    whole = dict.fromkeys(board for _, (board, _) in sheets if board not in good)
    told = [f"every sheet of {', '.join(f'{drawn.round}.{board}' for board in whole)}"] if whole else []
    told += [
        f"{sheet} ({power} on {drawn.round}.{board})"
        for sheet, (board, power) in sheets
        if (sheet, (board, power)) in void and board not in whole
    ]
    yield f"void by this draw are sheets that are printed already: {', '.join(told)}; {MEND}"


def paper_of(event: Event, fact: Fact[LedgerEvent]) -> Iterator[str]:
    """What becomes of the sheets that were printed for seats whose players a fact has changed; nothing of other facts.

    A sheet says the board and the power. It is good for whoever has the seat now, unless somebody else has it who plays
    in the round and may have written on it.
    """
    if not isinstance(fact.said, SeatsChanged):
        return
    seats, old = set(fact.said.seats), OldSeats.of(event)
    mine = {
        name: sheet for name, sheet in printed_sheets(event).items() if (sheet.turn.board, sheet.turn.power) in seats
    }
    void = [name for name, sheet in mine.items() if old.is_of_old(sheet)]
    good = [name for name, sheet in mine.items() if name not in void and old.is_old(*seat_of(sheet), sheet.fact)]
    if void:
        names = ", ".join(f"{name} ({mine[name].turn.power} on {mine[name].turn.board})" for name in void)
        yield f"print again and collect what is printed: {names}; one that comes in is asked about; all others are good"
    if good:
        names = ", ".join(f"{name} ({mine[name].turn.power} on {mine[name].turn.board})" for name in good)
        yield f"good as they are, with the earlier name on them: {names}"


def seat_of(sheet: PrintedSheet) -> Seat:
    """The seat that a sheet was printed for."""
    return sheet.turn.board, sheet.turn.power


def sheets_by_seat(event: Event, drawn: Drawn) -> dict[tuple[str, Seat], str | None]:
    """The sheets that are printed for a round, each with its seat and who sat there when it was printed."""
    seats = OldSeats.of(event)
    return {
        (name, (sheet.said.board, sheet.said.power)): seats.sat((sheet.turn.board, sheet.turn.power), sheet.fact)
        for name, sheet in printed_sheets(event).items()
        if sheet.said.round == drawn.round
    }

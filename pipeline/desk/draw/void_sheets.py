"""Which sheets on paper a new draw makes void: those of seats in which somebody else sits then, or nobody."""

from collections.abc import Iterator

from pipeline.board.map import Power
from pipeline.desk.draw.drawn import Drawn
from pipeline.desk.event.event import Event
from pipeline.desk.sheets.old_seats import OldSeats
from pipeline.desk.sheets.printed import printed_sheets

MEND = "collect them; one that comes in is asked about, and counts for nobody by itself; print them again"
Seat = tuple[str, Power]  # a board of the round, and a power on it


def void_note(event: Event, drawn: Drawn) -> Iterator[str]:
    """Name the void sheets: boards of which none is good any more, and else each sheet."""
    sheets, boards = sheets_by_seat(event, drawn), drawn.boards
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


def sheets_by_seat(event: Event, drawn: Drawn) -> dict[tuple[str, Seat], str | None]:
    """The sheets that are printed for a round, each with its seat and who sat there when it was printed."""
    seats = OldSeats.of(event)
    return {
        (name, (sheet.said.board, sheet.said.power)): seats.sat((sheet.turn.board, sheet.turn.power), sheet.fact)
        for name, sheet in printed_sheets(event).items()
        if sheet.said.round == drawn.round
    }

"""Which printed sheets are void since a new draw or a change of seats: their powers have other players, or none."""

from collections.abc import Iterator

from pipeline.board import Power
from pipeline.desk.drawn_round import Drawn
from pipeline.desk.event.event import Event
from pipeline.desk.event.seating import boards_by_hand
from pipeline.desk.sheets.printed import OldSeats, printed_sheets
from pipeline.ledger.events import LateStartEntered, LedgerEvent, PlayerReplaced, ScoreRuled, SeatsChanged
from pipeline.ledger.ledger import Fact, standing
from pipeline.ledger.parts import board_name

MEND = "collect them and print new ones; a void sheet that comes in counts only if you say so"
RoundSeat = tuple[str, Power]  # a board of the round, and a power on it


def void_note(event: Event, drawn: Drawn) -> Iterator[str]:
    """Name the void sheets: the boards all of whose sheets are void, and else each sheet."""
    fixed = boards_by_hand(event, drawn.round)  # which stay as they are
    boards = drawn.boards
    sheets = {each: who for each, who in _sheets_by_seat(event, drawn).items() if each[1][0] not in fixed}
    now = {(board, power): name for board, players in boards.items() for power, name in players.items()}
    void = {each for each, player in sheets.items() if player not in (None, now.get(each[1], ""))}
    if not void:
        return
    good = {board for _, (board, _) in sheets.keys() - void}
    whole = dict.fromkeys(board for _, (board, _) in sheets if board not in good)
    void_sheets = [f"every sheet of {', '.join(board_name(drawn.round, board) for board in whole)}"] if whole else []
    void_sheets += [
        f"{sheet} ({power} on {board_name(drawn.round, board)})"
        for sheet, (board, power) in sheets
        if (sheet, (board, power)) in void and board not in whole
    ]
    yield f"void by this draw are sheets that are printed already: {', '.join(void_sheets)}; {MEND}"


def sheets_after_seat_change(event: Event, fact: Fact[LedgerEvent]) -> Iterator[str]:
    """Say which printed sheets and notes are void after a fact that changed seats; empty for other facts.

    A sheet names the board and the power. It stays good for the seat's new player, unless the old one still plays in
    the round and may have written on it.
    """
    if isinstance(fact.said, PlayerReplaced) and fact.said.player:
        yield from _notes_on_former_player(event, fact.said)
    if not isinstance(fact.said, SeatsChanged):
        return
    seats, old = set(fact.said.seats), OldSeats.of(event)
    mine = {
        name: sheet for name, sheet in printed_sheets(event).items() if (sheet.turn.board, sheet.turn.power) in seats
    }
    void = [name for name, sheet in mine.items() if old.is_of_old(sheet)]
    good = [
        name
        for name, sheet in mine.items()
        if name not in void and old.is_old(sheet.turn.board, sheet.turn.power, sheet.fact)
    ]
    if void:
        names = ", ".join(f"{name} ({mine[name].turn.power} on {mine[name].turn.board})" for name in void)
        yield f"print again and collect what is printed: {names}; if one comes in, you are asked; all others are good"
    if good:
        names = ", ".join(f"{name} ({mine[name].turn.power} on {mine[name].turn.board})" for name in good)
        yield f"good as they are, with the earlier name on them: {names}"


def _notes_on_former_player(event: Event, said: PlayerReplaced) -> Iterator[str]:
    """Name the notes on a seat's score that were about the player who left it, and count for the newcomer no more."""
    notes: list[Fact[ScoreRuled] | Fact[LateStartEntered]] = [*standing(event.facts, ScoreRuled)]
    notes += standing(event.facts, LateStartEntered)
    for note in notes:
        if (note.said.board, note.said.power) == (said.board, said.power) and note.said.player == said.before:
            what = "a score was ruled" if isinstance(note.said, ScoreRuled) else "a late start was entered"
            former = event.people.name_of(said.before)
            yield f"{what} for {former} (number {note.number}); it does not count for the newcomer: enter a new one"


def _sheets_by_seat(event: Event, drawn: Drawn) -> dict[tuple[str, RoundSeat], str | None]:
    """The sheets that are printed for a round, each with its seat and who sat there when it was printed."""
    seats = OldSeats.of(event)
    return {
        (name, (sheet.request.board, sheet.request.power)): seats.player_at(
            (sheet.turn.board, sheet.turn.power), sheet.fact
        )
        for name, sheet in printed_sheets(event).items()
        if sheet.request.round == drawn.round
    }

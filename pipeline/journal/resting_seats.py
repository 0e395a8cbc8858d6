"""What rests on the seats of a round: paper, orders, results, notes, at boards that would be other without them."""

from collections.abc import Iterator, Mapping

from pipeline.desk.event.turn import Turn
from pipeline.journal.codes import Resting
from pipeline.journal.later import by_newest
from pipeline.journal.past import Chronicle
from pipeline.ledger.events import (
    EndUndone,
    FormsPrinted,
    LedgerEvent,
    NoteEntered,
    OnGame,
    OnTurn,
    Seated,
    SeatsChanged,
    SeatsTold,
    SheetsPrinted,
    VoteHeld,
)
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import BoardSeated
from pipeline.words import Told

ON_A_BOARD: tuple[type[LedgerEvent], ...] = (OnGame, VoteHeld, NoteEntered)


def rests_on_seats(fact: Fact[Seated], past: Chronicle) -> Iterator[Told]:
    """A newer draw, paper, and whatever happened since at the boards that the draw has made."""
    number = fact.said.round
    newer = (each for each in past.counting(Seated, after=fact.number) if each.said.round == number)
    yield from by_newest(Resting.LATER, newer, past)
    made = boards_made(fact, past)
    for board, since in printed_since(fact.number, past):
        if board in made:
            yield Told.of(Resting.SEATS_PRINTED, board=board, fact=since)
    for board in sorted(made):
        for kind in ON_A_BOARD:
            there = (each for each in past.counting(kind, after=fact.number) if is_on(board, each.said))
            yield from by_newest(Resting.USED, there, past)
        for decided in list(past.counting(OnTurn, after=fact.number))[::-1]:
            if decided.said.board == board:  # what was decided is not said: whoever plays there may read this
                yield Told.of(Resting.DECIDED, turn=str(Turn.of(decided.said)), fact=decided.number)
                break
    if any(told.said.round == number for told in past.counting(SeatsTold, after=fact.number)):
        yield Told.of(Resting.SEEN)


def is_on(board: str, said: LedgerEvent) -> bool:
    """Whether a fact is about a board, and does not only say that something counts no more."""
    if isinstance(said, SeatsChanged):
        return any(board == changed for changed, _ in said.seats)
    return getattr(said, "board", None) == board and not isinstance(said, EndUndone)


def boards_made(fact: Fact[Seated], past: Chronicle) -> frozenset[str]:
    """The boards that would not be there, or would be seated otherwise, without a draw."""
    before: Mapping[str, tuple[int, BoardSeated]] = {}
    for earlier in past.counting(Seated):
        if earlier.said.round == fact.said.round and earlier.number < fact.number:
            before = placed(earlier.said)
    now = placed(fact.said)
    return frozenset(f"{fact.said.round}.{name}" for name in {*before, *now} if before.get(name) != now.get(name))


def placed(said: Seated) -> dict[str, tuple[int, BoardSeated]]:
    """The boards of a round, each with its place."""
    return {board.board: (place, board) for place, board in enumerate(said.boards)}


def printed_since(number: int, past: Chronicle) -> Iterator[tuple[str, int]]:
    """The boards for which paper was printed since a fact, each once with the first printing."""
    found: dict[str, int] = {}
    for fact in past.counting(SheetsPrinted, FormsPrinted, after=number):
        for board in boards_printed(fact.said):
            found.setdefault(board, fact.number)
    yield from found.items()


def boards_printed(said: LedgerEvent) -> Iterator[str]:
    """The boards that paper was printed for."""
    match said:
        case SheetsPrinted(sheets=sheets):
            yield from (f"{sheet.round}.{sheet.board}" for sheet in sheets)
        case FormsPrinted(forms=forms):
            yield from (form.board for form in forms)


def rests_on_telling(fact: Fact[SeatsTold], past: Chronicle) -> Iterator[Told]:
    """What everybody could see; once a round has results its seats are public with them."""
    games = [game for game in past.games.values() if game.seating.round == fact.said.round]
    if any(game.played or game.entered or game.ended for game in games):
        yield Told.of(Resting.ROUND_BEGUN, round=fact.said.round)
    else:
        yield Told.of(Resting.SEEN)

"""Seat a round: who plays which power at which board, written down as it was published."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import MAPS, Power
from pipeline.desk.event.ending import is_going_on
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, seated_rounds, seatings
from pipeline.desk.event.note_values import Values
from pipeline.desk.event.people import with_numbers
from pipeline.ledger.events import GameEnded, PhasePublished, PlayerExcluded, ResultEntered, Seated
from pipeline.ledger.ledger import Fact, standing
from pipeline.ledger.parts import BoardSeated, DrawRecord, board_name
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.conduct import AbandonedPosition, HowOften
from pipeline.rules.table import did_you_mean
from pipeline.words.speech import write_count

SeatsByBoard = Mapping[str, Mapping[Power, str]]  # board -> power -> player


class Special(Struct, frozen=True, kw_only=True):
    """Special boards of a round."""

    final: str | None = None  # the board that is the final table
    maps: Mapping[str, str] = field(default_factory=dict)  # board -> its map, where it is not the event's
    pools: Mapping[str, str] = field(default_factory=dict)  # board -> the pool that plays there


ORDINARY = Special()


def seat_round(
    event: Event,
    round_number: int,
    boards: SeatsByBoard,
    *,
    by: str,
    notes: Sequence[str] = (),
    special: Special = ORDINARY,
    draw: DrawRecord | None = None,
) -> Fact[Seated]:
    """Write down a round's seats, or stop with everything that is wrong with them.

    A board whose first phase was published keeps its seats: a round that is being played is not drawn again, but a
    board may be added after the others. ``draw`` is how the seats came about. Repeating the same draw writes nothing.
    """
    on = {board: special.maps.get(board, event.details.map_name) for board in boards}
    problems = [Problem(Weight.STOPS, text, where) for where, text in seat_faults(event, boards, on)]
    if not _keeps_playing(event, round_number, boards, on):
        problems.append(
            Problem(Weight.STOPS, "is being played; its seats cannot change any more", f"round {round_number}")
        )
    if problems:
        raise Stopped(problems)
    by_hand = boards_by_hand(event, round_number)
    seated = Seated(
        round=round_number,
        boards=tuple(
            BoardSeated(
                board=board,
                map=on[board],
                players=seats,
                final=board == special.final,
                by_hand=board in by_hand,
                pool=special.pools.get(board, ""),
            )
            for board, seats in boards.items()
        ),
        notes=tuple(notes),
        draw=draw,
    )
    said = with_numbers(seated, event.people, f"round {round_number}")
    stands = [fact for fact in standing(event.facts, Seated) if fact.said.round == round_number]
    if stands and stands[-1].said == said:
        return stands[-1]  # the same draw, repeated
    return event.facts.write(said, by)


def boards_by_hand(event: Event, round_number: int) -> dict[str, BoardSeated]:
    """The boards of a round that a director has set, by name."""
    stands = seated_rounds(event).get(round_number)
    return {board.board: board for board in (stands.said.boards if stands else ()) if board.by_hand}


def with_board(
    event: Event,
    round_number: int,
    board: str,
    players: Mapping[Power, str],
    map_name: str,
    notes: Sequence[str] = (),
) -> Seated:
    """A round with one more board, set by hand; those that stand keep their places and their seats."""
    stands = seated_rounds(event).get(round_number)
    before = stands.said if stands else Seated(round=round_number, boards=(), notes=())
    new = BoardSeated(board=board, map=map_name, players=players, by_hand=True)
    more = replace(before, boards=(*before.boards, new), notes=(*before.notes, *notes))
    return with_numbers(more, event.people, f"round {round_number}")


def added_by_hand(said: Seated, before: Seated | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The boards that were set by hand beside those of ``before``, and what was noted of them."""
    stood, noted = (before.boards, before.notes) if before else ((), ())
    names = {board.board for board in stood}
    added = tuple(board.board for board in said.boards if board.by_hand and board.board not in names)
    return added, said.notes[len(noted) :] if said.notes[: len(noted)] == noted else ()


def _keeps_playing(event: Event, round_number: int, boards: SeatsByBoard, maps: Mapping[str, str]) -> bool:
    """Whether every board of a round that is being played keeps its place, its map and its seats."""
    playing = {fact.said.board for fact in standing(event.facts, PhasePublished, ResultEntered, GameEnded)}
    if not any(name.startswith(f"{round_number}.") for name in playing):
        return True
    stands = seated_rounds(event).get(round_number)
    if stands is None:
        return False
    own = event.details.map_name
    before = [(board.board, board.map or own, board.players) for board in stands.said.boards]
    now = [(board, maps[board], dict(seats)) for board, seats in boards.items()]
    return now[: len(before)] == before


def against_two_boards(event: Event, round_number: int, board: str, name: str) -> str:
    """The question to decide before somebody plays on a second board of a round; empty if the rules allow it."""
    sat: dict[int, list[str]] = {}
    for seating in seatings(event).values():
        if name in seating.players.values() and seating.name != board_name(round_number, board):
            sat.setdefault(seating.round, []).append(seating.name)
    others = sat.pop(round_number, [])
    rule = event.tournament.conduct.two_boards_often
    here = f"{name} plays on {' and '.join(others)} in this round, too"
    draws = {number: fact.said.draw for number, fact in seated_rounds(event).items() if fact.said.draw}
    withdrew = {number for number, draw in draws.items() for each in draw.aside if each.player == name}
    has_withdrawn = bool(withdrew - {round_number, *sat})
    if not others:
        return ""
    if len(others) > 1:
        return f"{here}, which makes {write_count(len(others) + 1, 'board')}"
    if rule.asks:
        return f"{here}; the rules do not say whether anybody may play on two boards"
    if rule.value is HowOften.ONCE and (has_withdrawn or any(len(boards) > 1 for boards in sat.values())):
        return f"{here}, and has played on two boards or withdrawn before: {rule.value.meaning} ({rule.source})"
    return ""


def abandoned_seats(event: Event, game: Game) -> dict[Power, str]:
    """The seats that players left in a game that is still played, each with the question who has it now.

    Empty if the rules say that the units of such a seat hold.
    """
    rule = event.tournament.conduct.abandoned
    if rule.value is AbandonedPosition.HOLDS or not is_going_on(event, game):
        return {}
    excluded = {event.people.name_of(fact.said.player) for fact in standing(event.facts, PlayerExcluded)}
    gone = {player.name for player in event.players if player.left} | excluded
    says = "the rules leave it to the director" if rule.asks else f"{rule.value.meaning} ({rule.source})"
    return {
        power: f"{name} has gone; who has the seat from now on? {says}: 'enter EVENT substitute {game.name} {power} "
        f"NAME {game.position.phase}', or 'nobody' for NAME: civil disorder"
        for power, name in game.seating.players.items()
        if name in gone and (game.position.units.get(power) or game.position.centres.get(power))
    }


def check_two_boards(
    values: Values, read: Mapping[str, Any], room: tuple[int, str], names: Iterable[str]
) -> tuple[str, ...]:
    """Ask about players whom a new board gives a second one in its round; returns what the director allowed."""
    questions = [against_two_boards(values.event, *room, name) for name in names if name]
    return tuple(f"{question}: the director allows it" for question in questions if values.allow(read, question))


def seat_faults(event: Event, boards: SeatsByBoard, maps: Mapping[str, str]) -> list[tuple[str, str]]:
    """Check seats: every player on the roster, every power of the board's map named and no other; "" is nobody."""
    known = tuple(player.name for player in event.players)
    faults = []
    for board, seats in boards.items():
        where = f"board {board}"
        powers = MAPS[maps[board]]().start
        if missing := [str(power) for power in powers if power not in seats]:
            faults.append((where, f"nobody plays {', '.join(missing)}"))
        if absent := [str(power) for power in seats if power not in powers]:
            faults.append((where, f"the map {maps[board]!r} is played without {', '.join(absent)}"))
        for power, name in seats.items():
            if name and name not in known:
                faults.append((f"{where} {power}", f"{name!r} is not on the roster{did_you_mean(name, known)}"))
        names = list(seats.values())
        faults += [
            (where, f"{name!r} sits here twice") for name in sorted({n for n in names if n and names.count(n) > 1})
        ]
    return faults

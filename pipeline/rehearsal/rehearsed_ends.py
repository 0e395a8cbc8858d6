"""The end of a rehearsal: one board for every way in which this tournament's games end, each compared with the truth.

A small event of its own, without paper: positions are taken over where each way begins, the last orders are typed.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from pipeline.board.map import Power
from pipeline.board.position import FIRST_PHASE, Phase, Position, Season, Step, Unit, starting_position
from pipeline.desk.event.dice import commit, die_of, reveal
from pipeline.desk.event.ending import against, end_game, undo_end
from pipeline.desk.event.event import Details, Event, new_event, open_event
from pipeline.desk.event.games import Game, find_game
from pipeline.desk.event.seating import seat
from pipeline.desk.event.turn import Turn
from pipeline.desk.forms.votes import Asking, Count, Says, hold_counted
from pipeline.desk.publish.publish import publish
from pipeline.desk.results.notes import enter
from pipeline.desk.results.results import event_results
from pipeline.desk.ruling.rulings import type_lines
from pipeline.draw.players.roster import Player
from pipeline.ledger.clock import now
from pipeline.ledger.events import PositionSet
from pipeline.ledger.files.claims import Claims
from pipeline.orders.positions import write_position
from pipeline.problems import Stopped
from pipeline.rules.end_conditions import Moment
from pipeline.rules.event_rules import VoteTime
from pipeline.scoring.results.results import Ending

ORACLE = "the oracle"
WHY = "the rehearsal tries it"
MIDDLE = 1905  # a year in which every tournament holds votes
TOWN, ELSEWHERE = "ROM", "MOS"  # the centre that makes a solo, and one that another power keeps
WORD = "pineapple"


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which games end, played to the moment at which it does."""

    how: Ending
    play: Callable[[Event, str], None]
    centres: Mapping[Power, int]  # that must be the result
    wants_why: bool = False  # whether the rules leave it to the director, who says why


def ways_of(event: Event) -> Iterator[Way]:
    """Every way that the rules of this tournament know, and those that a director may choose over them."""
    ending, start = event.tournament.ending, counted(starting_position(event.board))
    solo = dict.fromkeys(event.board.start, 0) | {Power.ITALY: majority(event), Power.AUSTRIA: 1}
    yield Way(Ending.SOLO, play_solo, solo)
    yield Way(Ending.VOTE, play_vote, start)
    last = ending.last_year.value
    if last is not None:
        yield Way(
            Ending.LAST_YEAR, lambda event, board: hold(event, board, Phase(last, Season.FALL, Step.MOVEMENT)), start
        )
    if ending.stagnation_years.value is not None:
        yield Way(Ending.STAGNATION, play_stagnation, start)
    if ending.dice.added.value:
        yield Way(Ending.DICE, roll, start)
    later = Phase((last or MIDDLE) + 1, Season.SPRING, Step.MOVEMENT)
    yield Way(Ending.TIME, lambda event, board: take_over(event, board, start_at(event, later)), start)
    for how in (Ending.CONCEDED, Ending.ABANDONED):
        yield Way(how, lambda event, board: take_over(event, board, start_at(event, later)), start, wants_why=True)


def rehearse_ends(tournament: str, folder: Path, map_name: str = "standard") -> list[dict[str, str]]:
    """End a game in every way, and say what is otherwise than it must be; nothing: all is well."""
    names = [f"Player {number}" for number in range(1, 9)]
    details = Details(name="Ends", code="ENDS", tournament=tournament, map_name=map_name)
    new_event(folder, details, [Player(name=n) for n in names], now)
    wrong: list[dict[str, str]] = []
    with open_event(folder, now) as event:
        for number, way in enumerate(ways_of(event), start=1):
            boards = {str(board): dict(zip(event.board.start, names, strict=False)) for board in range(1, number + 1)}
            seat(event, 1, boards, by=ORACLE)
            wrong += [{"end": str(way.how), "found": each} for each in end_so(event, f"1.{number}", way)]
        wrong += [{"end": "a newcomer", "found": each} for each in replaced(event, names[7])]
    return wrong


def end_so(event: Event, board: str, way: Way) -> Iterator[str]:
    """Play one board to its end; it must be refused at the start of the game, and count what the truth counts."""
    if not against(event, find_game(event, board), way.how):
        yield "it was not refused in Spring 1901"
    way.play(event, board)
    if not find_game(event, board).ended:
        if way.wants_why and not is_refused(event, board, way.how):
            yield "it wanted no reason"
        end_game(event, find_game(event, board), way.how, by=ORACLE, why=WHY if way.wants_why else "")
    if way.how not in (Ending.SOLO, Ending.VOTE):  # these follow from the board and from the ballots
        undo_end(event, find_game(event, board), by=ORACLE, why=WHY)
        end_game(event, find_game(event, board), way.how, by=ORACLE, why=WHY if way.wants_why else "")
    (found,) = [each for each in event_results(event).boards if f"{each.round}.{each.name}" == board]
    if found.ended is not way.how:
        yield f"it ended by {found.ended}"
    if dict(found.centres) != dict(way.centres):
        yield f"{found.centres} is counted, and {way.centres} is true"


def is_refused(event: Event, board: str, how: Ending) -> bool:
    """Whether a game does not end so without a reason."""
    try:
        end_game(event, find_game(event, board), how, by=ORACLE)
    except Stopped:
        return True
    return False


def replaced(event: Event, newcomer: str) -> Iterator[str]:
    """Somebody takes the seat of the first player over; the result says who came when, and whose seat it was."""
    game = find_game(event, "1.1")
    before = game.seating.players[Power.AUSTRIA]
    typed = {"board": game.name, "power": "AUSTRIA", "player": newcomer, "phase": "F1903"}
    enter(event, "substitute", typed, by=ORACLE, why=WHY)
    found = event_results(event).boards[0].seats[Power.AUSTRIA]
    if (found.player, found.instead_of, found.arrived) != (newcomer, before, 6):
        yield f"{found.player} came for {found.instead_of} in season {found.arrived}"


# ---- positions ------------------------------------------------------------------------------------------------------


def counted(position: Position) -> dict[Power, int]:
    """How many centres everybody owns."""
    return {power: len(position.centres.get(power, ())) for power in position.units}


def majority(event: Event) -> int:
    """How many centres are more than half of them."""
    return len(event.board.centres) // 2 + 1


def start_at(event: Event, phase: Phase) -> Position:
    """The units of the start, later in the game."""
    return replace(starting_position(event.board), phase=phase)


def take_over(event: Event, board: str, position: Position) -> None:
    """Go on from a position."""
    event.facts.write(PositionSet(board=board, position=write_position(position)), ORACLE)


def hold(event: Event, board: str, phase: Phase) -> None:
    """Take over at a phase and let every unit hold."""
    take_over(event, board, start_at(event, phase))
    type_and_publish(event, find_game(event, board), {})


def type_and_publish(event: Event, game: Game, orders: Mapping[Unit, str]) -> None:
    """Type an order for every unit, a hold where there is no other, and publish."""
    for power, units in game.position.units.items():
        if units:
            lines = [orders.get(unit, f"{unit} H") for unit in units]
            type_lines(event, Turn(game.name, game.position.phase, power), lines, by=ORACLE)
    publish(event, game.name, ORACLE)


def play_solo(event: Event, board: str) -> None:
    """Italy takes the centre that makes more than half of them: the eighteenth, or of six players the sixteenth."""
    start = start_at(event, Phase(MIDDLE, Season.FALL, Step.MOVEMENT))
    others = [town for town in event.board.centres if town not in (TOWN, ELSEWHERE)]
    towns = others[: majority(event) - 1]
    army = Unit(start.units[Power.ITALY][0].kind, "APU")
    units = dict.fromkeys(start.units, ()) | {Power.ITALY: (army,), Power.AUSTRIA: (replace(army, place=ELSEWHERE),)}
    owned = dict.fromkeys(start.units, ()) | {Power.ITALY: tuple(towns), Power.AUSTRIA: (ELSEWHERE,)}
    take_over(event, board, replace(start, units=units, centres=owned))
    type_and_publish(event, find_game(event, board), {army: f"A APU - {TOWN}"})


def play_vote(event: Event, board: str) -> None:
    """Everybody votes for the draw, at a moment at which this tournament votes."""
    take_over(event, board, start_at(event, Phase(MIDDLE, Season.SPRING, Step.MOVEMENT)))
    after = event.tournament.ending.vote.time.value is VoteTime.AFTER_PHASE
    moment = Moment.BETWEEN if after else Moment.NEGOTIATION
    asking = Asking(power=Power.FRANCE, moment=moment, all_agree=True, stalemate=True)
    game = find_game(event, board)
    hold_counted(event, game, asking, Count(yes=len(game.seating.players), no=0), Says(ruled=True, why=WHY), by=ORACLE)


def play_stagnation(event: Event, board: str) -> None:
    """So many years as the rules name pass, and no centre changes hands."""
    ending = event.tournament.ending
    first = (ending.stagnation_after.value or FIRST_PHASE.year - 1) + 1
    take_over(event, board, start_at(event, Phase(first, Season.SPRING, Step.MOVEMENT)))
    for _ in range(2 * (ending.stagnation_years.value or 0)):
        type_and_publish(event, find_game(event, board), {})


def roll(event: Event, board: str) -> None:
    """A year is played and the die falls so that no other follows: the seed is one that throws a six."""
    hold(event, board, Phase(MIDDLE, Season.FALL, Step.MOVEMENT))
    seed = next(f"rehearsal {number}" for number in count() if die_of(f"rehearsal {number}", WORD) == 6)
    claims = Claims(event.folder / "claims.db")
    try:
        commit(event, claims, 1, seed, ORACLE)
        reveal(event, claims, 1, WORD, ORACLE)
    finally:
        claims.close()

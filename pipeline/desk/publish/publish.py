"""Publish a board's phase: adjudicate what stands on the desk, write it down, and make the card and the map.

Nothing is adjudicated while anything is open. What was published is a fact; card and map can be made again at any time.
"""

from dataclasses import dataclass
from pathlib import Path

from pipeline.desk.event.ending import end_of, over, solo_winner, to_end
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, find_game, follow
from pipeline.desk.event.played import JudgedPhase, Played
from pipeline.desk.publish.published import as_published, as_row
from pipeline.desk.publish.read_out import write_both
from pipeline.desk.ruling.desk import Desk, seats_left
from pipeline.desk.ruling.rows import PowerRows
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.unfiled_pages import holding, waiting_pages
from pipeline.judge.adjudicate import adjudicate
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.scoring.results.results import Ending


@dataclass(frozen=True, slots=True)
class Published:
    """What publishing a phase gave."""

    played: Played
    card: Path  # to be read aloud
    map: Path  # to be hung up


def open_matters(event: Event, game: Game, powers: tuple[PowerRows, ...]) -> tuple[Problem, ...]:
    """List everything that waits for the director before the phase a board is in can be judged."""
    where = f"{game.name} {game.position.phase}"
    found = list(holding(event, game, waiting_pages(event), printed_sheets(event)))
    found += seats_left(event, game, powers)
    for power in powers:
        found += [p for p in power.problems if p.weight is Weight.ASKS]
        for row in power.rows:
            if row.needs_director:
                text = f"{row.ink!r}: {row.reason}" if row.ink else row.reason
                found.append(Problem(Weight.ASKS, text, f"{where} {power.power} line {row.line}"))
    return tuple(found)


def publish(event: Event, board: str, by: str) -> Published:
    """Adjudicate the phase a board is in, or stop with everything that is still open (exit code 3).

    It stops, too, where something came in meanwhile that changes what is on the desk: nobody has seen that.
    """
    read_to = event.facts.last_number()
    game = find_game(event, board)
    if game.ended:
        raise stop(f"the game is over: {game.ended}", game.name)
    if why := over(event, game):
        raise stop(to_end(why), game.name)
    powers = Desk.of(event).board(game)
    if waiting := open_matters(event, game, powers):
        raise Stopped(waiting, ExitCode.RULE_FIRST)
    orders = {power.power: power.orders for power in powers}
    resolution = adjudicate(game.map, game.position, orders, event.tournament.rulebook)
    rows = {power.power: tuple(map(as_row, power.rows)) for power in powers}
    with event.facts.transaction():
        if event.facts.last_number() != read_to and has_changed(event, game, powers):
            text = "something came in while this was adjudicated; nothing was published, look at it and publish again"
            raise Stopped((Problem(Weight.ASKS, text, f"{game.name} {game.position.phase}"),), ExitCode.RULE_FIRST)
        fact = event.facts.write(as_published(game.name, orders, resolution, rows), by)
        call_solo(event, follow(game, fact, event))
    judged = JudgedPhase(lambda: resolution)
    played = Played(fact=fact, before=game.position, orders=orders, after=resolution.after, judged=judged)
    return Published(played, *write_both(event, game, played))


def has_changed(event: Event, game: Game, powers: tuple[PowerRows, ...]) -> bool:
    """Whether a board is another than it was, or something waits now."""
    now = find_game(event, game.name)
    if (now.position, now.ended) != (game.position, game.ended):
        return True
    seen = Desk.of(event).board(now)
    return seen != powers or bool(open_matters(event, now, seen))


def call_solo(event: Event, game: Game) -> None:
    """A game that a power has won alone is over, whoever is at the desk.

    It is called with the phase that was won, in one transaction: the one is not known without the other.
    """
    winner = solo_winner(event, game)
    if winner is not None and not game.ended:
        ended = end_of(event, game, Ending.SOLO, why=f"{winner} owns {len(game.position.centres[winner])} centres")
        event.facts.write(ended, "the rules")

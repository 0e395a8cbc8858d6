"""How games end: the director says so, or a power wins alone."""

from pipeline.board.map import Power
from pipeline.desk.event import Event
from pipeline.desk.games import Game
from pipeline.desk.results import ends_a_fall
from pipeline.problems import stop
from pipeline.scoring.results import Ending
from pipeline.store.facts import Fact


def end_game(event: Event, game: Game, how: Ending, *, by: str, why: str = "") -> Fact:
    """Write down that a game is over; the counts are those of the last completed Fall."""
    if game.ended:
        raise stop(f"the game is over already: {game.ended}", game.name)
    return event.facts.append("game ended", {"board": game.name, "how": str(how), "why": why}, by)


def solo_winner(event: Event, game: Game) -> Power | None:
    """The power that wins alone, if one does: enough centres at the end of a Fall (RULES 2)."""
    if not game.played or not ends_a_fall(game.played[-1]):
        return None
    wanted = event.tournament.ending.solo_centres.value or len(game.map.centres) // 2 + 1
    return next((power for power, centres in game.position.centres.items() if len(centres) >= wanted), None)

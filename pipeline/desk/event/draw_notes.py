"""Who is in the draw that ended a game, where the vote left survivors out of it."""

from collections.abc import Mapping
from typing import Any

from pipeline.board.map import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.event.note_values import Values
from pipeline.ledger.events import DrawEntered
from pipeline.ledger.ledger import Fact
from pipeline.ledger.undone import standing
from pipeline.problems import stop
from pipeline.rules.reading_rules import YesNo
from pipeline.scoring.games.draws import looks_at_draw
from pipeline.scoring.results.results import Ending


def draw(values: Values, read: Mapping[str, Any]) -> tuple[DrawEntered, ...]:
    """A draw may leave survivors out, where it was voted or agreed and the scores look at it (Dixiecon)."""
    game: Game | None = read["board"]
    system = values.event.tournament.scoring.system
    if not looks_at_draw(system):
        values.fault("powers", f"these rules ({system.name}) pay nothing by who is in a draw; every survivor is")
    if game is None or not read["powers"]:
        return ()
    if not is_drawn(game):
        how = f"it ended by {game.ended}" if game.ended else "it goes on; end it by vote first"
        values.fault("board", f"game {game.name} was not ended by a vote or an agreement: {how}")
    for power in read["powers"]:
        if not game.centres.get(power):
            values.fault("powers", f"{power} has no centre on board {game.name}; only survivors are in a draw")
    rule = values.event.tournament.ending.vote.includes_all_survivors
    out = [str(power) for power, count in game.centres.items() if count and power not in read["powers"]]
    if out and rule.value is YesNo.YES:
        values.fault("powers", f"a draw includes all survivors ({rule.source}), and {', '.join(out)} would be left out")
    if game.end is None:
        return ()
    return (DrawEntered(board=game.name, phase=game.end.phase, powers=tuple(read["powers"])),)


def is_drawn(game: Game) -> bool:
    """Whether a game ended by a vote or an agreement."""
    return game.ended is not None and Ending(game.ended) is Ending.VOTE


def draws_of(event: Event) -> dict[str, Fact[DrawEntered]]:
    """By board: who is in its draw, as it was written down last."""
    return {fact.said.board: fact for fact in standing(event.facts, DrawEntered)}


def check_no_draw(event: Event, board: str) -> None:
    """Stop where it is noted who is in the draw of a result that would change."""
    if drawn := draws_of(event).get(board):
        raise stop(f"who is in its draw is noted; take fact {drawn.number} back first", board)


def left_out(game: Game, drawn: Fact[DrawEntered] | None) -> frozenset[Power]:
    """The survivors of a game whom its draw left out; a game that went on and ended anew has another draw."""
    if drawn is None or game.end is None or not is_drawn(game) or drawn.said.phase != game.end.phase:
        return frozenset()
    return frozenset(power for power, count in game.centres.items() if count and power not in drawn.said.powers)

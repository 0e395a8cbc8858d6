"""Who does not play changes nothing in a draw, whatever stands beside his name: it is as if he were not on the list."""

from pathlib import Path
from typing import Any

import pytest
from draw.draw_room import event_of, names
from msgspec.structs import replace

from pipeline.desk.draw_request import Request
from pipeline.desk.drawing import draw_round
from pipeline.desk.event.event import Event
from pipeline.desk.players import Called, enter_roll_call, mark_left
from pipeline.draw.field import RoundDecisions
from pipeline.draw.roster import Player
from pipeline.ledger.events import PlayerExcluded
from pipeline.problems import Stopped

ALL = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")
HERE = tuple(
    replace(Player(name=name), team="Reds" if place < 2 else "", stays_at="1" if not place else "", recorder=place == 3)
    for place, name in enumerate(names(16))
)
GONE = Player(name="Zoe", keep_apart=("P01", "P02"), team="Reds", stays_at="1", recorder=True, distance_km=9)


def keep_out(event: Event, way: str) -> RoundDecisions:
    """Say of somebody in this way that he does not play."""
    match way:
        case "has left":
            mark_left(event, ["Zoe"], left=True, by="Tess")
        case "is excluded":
            event.facts.write(PlayerExcluded(player=event.people.number_of("Zoe", ""), why="rude"), "Tess")
        case "is not called":
            here = [player.name for player in event.players if player.name != "Zoe"]
            enter_roll_call(event, 1, {Called.HERE: here, Called.LATER: ["Zoe"]}, by="Tess")
        case "is absent":
            return RoundDecisions(absent=("Zoe",))
    return RoundDecisions()


def outcome(event: Event, number: int, decisions: RoundDecisions) -> Any:
    """What comes of a draw: seats and notes, or all that is asked."""
    try:
        drawn = draw_round(event, Request(round=number, seed=3, decisions=decisions))
    except Stopped as stopped:
        return [str(problem) for problem in stopped.problems], stopped.code
    return drawn.as_json() | {"bodies": drawn.turnout.bodies, "points": dict(drawn.points)}


@pytest.mark.parametrize("way", ["has left", "is excluded", "is not called", "is absent"])
@pytest.mark.parametrize("tournament", ALL)
@pytest.mark.parametrize("count", [14, 16])
def test_who_does_not_play_is_as_if_he_were_not_on_the_list(
    tmp_path: Path, tournament: str, count: int, way: str
) -> None:
    with event_of(tmp_path / "with", tournament, (*HERE[:count], GONE)) as event:
        found = outcome(event, 1, keep_out(event, way))
    with event_of(tmp_path / "without", tournament, HERE[:count]) as event:
        assert found == outcome(event, 1, RoundDecisions())

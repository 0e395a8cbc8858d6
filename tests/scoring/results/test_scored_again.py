"""An event in which little has changed is scored as if it were scored for the first time."""

import pytest
from msgspec.structs import replace
from workbook.events import invent
from workbook.tournaments import TOURNAMENTS, rules_of, wishes_for

from pipeline.scoring.results import EventResults
from pipeline.scoring.score import Scored, score, score_again


def changed(event: EventResults) -> list[EventResults]:
    """The event without each board, with another count, without a bonus, and with somebody excluded."""
    boards = event.boards
    first, second, *_ = boards[0].powers
    counts = {**boards[0].centres, first: boards[0].centres[second], second: boards[0].centres[first]}
    name, player = next(iter(event.players.items()))
    return [
        *(replace(event, boards=(*boards[:at], *boards[at + 1 :])) for at in range(len(boards))),
        replace(event, boards=(replace(boards[0], centres=counts), *boards[1:])),
        replace(event, bonuses=event.bonuses[1:], penalties=event.penalties[1:]),
        replace(event, players={**event.players, name: replace(player, is_excluded=True)}),
    ]


def outcome(scored: Scored) -> object:
    """What is compared: everything but doubts and second readings, which are left out the second time."""
    return replace(scored, doubts=(), readings=())


@pytest.mark.parametrize("name", TOURNAMENTS)
@pytest.mark.parametrize("bonuses", [True, False])
def test_scored_again_is_as_scored_anew(name: str, bonuses: bool) -> None:
    rules, wishes = rules_of(name), wishes_for(name, 1)
    event = invent(1, wishes if bonuses else replace(wishes, bonuses={}))
    before = score(event, rules)
    for way in changed(event):
        assert outcome(score_again(way, before)) == outcome(score(way, rules))

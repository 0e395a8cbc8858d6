"""An event in which little has changed is scored as if it were scored for the first time."""

import pytest
from msgspec.structs import replace
from workbook.events import invent
from workbook.tournaments import TOURNAMENTS, rules_of, wishes_for

from pipeline.board import Power
from pipeline.rules.scoring import read_scoring
from pipeline.scoring.results import EventResults
from pipeline.scoring.score import Scored, score, score_again
from scoring.played import board, event


def changed(whole: EventResults) -> list[EventResults]:
    """The event without each board, with another count, without a bonus, and with somebody excluded."""
    boards = whole.boards
    first, second, *_ = boards[0].powers
    counts = {**boards[0].centres, first: boards[0].centres[second], second: boards[0].centres[first]}
    name, player = next(iter(whole.players.items()))
    return [
        *(replace(whole, boards=(*boards[:at], *boards[at + 1 :])) for at in range(len(boards))),
        replace(whole, boards=(replace(boards[0], centres=counts), *boards[1:])),
        replace(whole, bonuses=whole.bonuses[1:], penalties=whole.penalties[1:]),
        replace(whole, players={**whole.players, name: replace(player, is_excluded=True)}),
    ]


def outcome(scored: Scored) -> object:
    """What is compared: everything but doubts and second readings, which are left out the second time."""
    return replace(scored, doubts=(), readings=())


@pytest.mark.parametrize("more", [{}, {"compared": {"by": "difference"}}])
@pytest.mark.parametrize("weights", [{}, {"round_weights": ["2/3", 1, 1]}])
def test_another_count_changes_every_score_that_depends_on_it(
    more: dict[str, object], weights: dict[str, object]
) -> None:
    """Each player has one game only; where scores are compared, those of the other board change, too."""
    scoring = {"parts": [{"give": "centres"}], "solo": {"winner": 100}, **more}
    rules = read_scoring({"scoring": scoring, "totals": {"rounds": 3, **weights}}, "again")
    first, second = (
        board((12, 9, 6, 4, 3, 0, 0), players="abcdefg"),
        board((5,) * 6 + (4,), name="B", players="hijklmn"),
    )
    other = event(replace(first, centres=dict(zip(Power, (9, 12, 6, 4, 3, 0, 0), strict=True))), second)
    again = score_again(other, score(event(first, second), rules))
    assert outcome(again) == outcome(score(other, rules))


@pytest.mark.parametrize("name", TOURNAMENTS)
@pytest.mark.parametrize("bonuses", [True, False])
def test_scored_again_is_as_scored_anew(name: str, bonuses: bool) -> None:
    rules, wishes = rules_of(name), wishes_for(name, 1)
    whole = invent(1, wishes if bonuses else replace(wishes, bonuses={}))
    before = score(whole, rules)
    for way in changed(whole):
        assert outcome(score_again(way, before)) == outcome(score(way, rules))

"""What is true of every event, whatever was played."""

import json
import random
import re
import tomllib
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pipeline.rules.noted_results import ResultsFields
from pipeline.rules.scoring import read_scoring
from pipeline.scoring.awards import Group
from pipeline.scoring.ranking import Placed
from pipeline.scoring.results import Board, EventResults
from pipeline.scoring.score import score
from scoring.played import TOURNAMENTS, board, distributions, event, rules

FIELD = "abcdefghijklmnopqrstu"
BOARDS = tuple(distributions(most=20))[::37]  # few, so that ties abound
DOCS = Path(__file__).parents[3] / "docs/scoring.md"


def invented(tournament: str, seed: int) -> EventResults:
    """An event of 21 players in which every round is full, the last one with a final table where there is one."""
    chance = random.Random(seed)
    settings = rules(tournament)
    boards: list[Board] = []
    for number in range(1, settings.totals.rounds + 1):
        names = list(FIELD)
        chance.shuffle(names)
        for start in range(0, len(names), 7):
            counts = list(chance.choice(BOARDS))
            chance.shuffle(counts)
            years = {1905: [max(owned, chance.randint(0, 1)) for owned in counts], 1907: counts}
            one = board(counts, number=number, name=f"t{start}", players="".join(names[start : start + 7]), years=years)
            is_final = bool(settings.final) and number == settings.totals.rounds and start == 0
            boards.append(replace(one, is_final=is_final, chose=tuple(names[:7]) if is_final else ()))
    return event(*boards)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("tournament", TOURNAMENTS)
def test_an_account_adds_up_and_the_list_is_in_its_order(tournament: str, seed: int) -> None:
    one = score(invented(tournament, seed), rules(tournament))
    rows = one.standings.rows
    assert {row.player for row in rows} == set(FIELD)
    for row in rows:
        whole = sum((game.points for game in row.tally.games), Fraction())
        whole += sum((extra.points for extra in row.tally.extras), Fraction())
        assert row.tally.exact == whole
        assert row.total == rules(tournament).totals.rounding(whole)
    others = [row for row in rows if not row.is_champion]
    for ahead, behind in pairwise(others):
        assert ahead.total >= behind.total
        assert ahead.place < behind.place or (ahead.is_tied and behind.is_tied)
        if ahead.total == behind.total and ahead.place != behind.place:
            assert ahead.decision
            assert behind.decision
    if rules(tournament).final:
        final = next(one_board for one_board in one.event.boards if one_board.is_final)
        assert one.standings.champions == (rows[0].player,)
        assert rows[0].player in {seat.player for seat in final.seats.values()}


def placed(ranking: Sequence[Placed]) -> list[tuple[int, str, Fraction]]:
    return [(one.place, one.contender.name, one.contender.total) for one in ranking]


@pytest.mark.parametrize("rounds", [[1, 2], [2, 3], [3]])
def test_an_account_of_some_rounds_is_that_of_an_event_without_the_others(rounds: list[int]) -> None:
    counted = {"weights": [1, "1/2"], "ties": ["highest game", "distance"]}
    tables: dict[str, Any] = {"scoring": {"parts": [{"give": "centres"}]}, "awards": {"titles": [counted]}}
    final = {"round": 4, "qualifying_rounds": rounds, "qualifying_weights": counted["weights"]}
    tables |= {"ties": {"qualifying": counted["ties"]}, "totals": {"rounds": 4, "final": final}}
    played = invented("edc1996", 1)
    part = replace(played, boards=tuple(one for one in played.boards if one.round in rounds))
    [alone] = score(part, read_scoring(with_title(tables), "x")).titles
    titled = read_scoring(with_title(tables, rounds=rounds), "x")
    for last in range(4):  # at any time of an event, a title is listed as soon as a game counts for it
        so_far = score(replace(played, boards=tuple(one for one in played.boards if one.round <= last)), titled)
        assert all(each.winners for each in so_far.awards)
        assert any(each.group is Group.TITLES for each in so_far.awards) == (min(rounds) <= last)
    one = score(played, titled)
    assert one.qualification
    assert placed(one.titles[0].ranking) == placed(one.qualification.ranking) == placed(alone.ranking)


def with_title(tables: dict[str, Any], **more: object) -> dict[str, Any]:
    [title] = tables["awards"]["titles"]
    return {**tables, "awards": {"titles": [{"title": "best", **title, **more}]}}


def test_the_page_of_documentation_shows_settings_and_fields_that_exist() -> None:
    text = DOCS.read_text("utf-8")
    whole = re.search(r"This is a whole file.*?```toml\n(.*?)```", text, re.DOTALL)
    assert whole
    assert read_scoring(tomllib.loads(whole[1]), "docs").totals.weights.rows[0][2] == Fraction(1, 2)
    fields = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert fields
    assert json.loads(fields[1]).keys() <= set(ResultsFields.__struct_encode_fields__)

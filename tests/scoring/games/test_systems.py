"""The scoring systems that come with the program: their worked examples, and an independent program beside them."""

import json
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from benchmarks.scoring_models import MODELS, charts
from benchmarks.scoring_models import board_of as models_board
from pipeline.board import Power
from pipeline.cli.score import score_document
from pipeline.problems import Stopped
from pipeline.rules.load import load_systems, load_tournament
from pipeline.rules.systems import _evaluate_sum, read_system_file
from pipeline.scoring.results import Board, Seat, _half_up
from pipeline.scoring.system import score_board
from scoring.played import TOURNAMENTS, counted, distributions, rules

SYSTEMS = load_systems()
SAME_AS = {  # what Tournament Visualiser calls them
    "Bangkok": "bangkok-2020",
    "Olympic": "olympic",
    "Bangkok Pike": "bangkok-pike",
    "Base 3": "base-3",
    "Carnage with dead equal": "carnage-dead-equal",
    "Carnage with elimination order": "carnage",
    "Center-count Carnage": "carnage-centre-count",
    "Carnage 2023": "carnage-2023",
    "CDiplo 100": "c-diplo-100",
    "CDiplo 80": "c-diplo-80",
    "C-Diplo Namur": "c-diplo-namur",
    "Detour09": "detour09",
    "Draw size": "draw-size",
    "Duct Tape V2": "duct-tape",
    "Duct Tape V2 with elimination order": "duct-tape-by-year",
    "Haight v1.0": "haight",
    "ManorCon": "manorcon",
    "Original ManorCon": "manorcon-original",
    "ManorCon v2": "manorcon-v2",
    "Maxonian": "maxonian",
    "7Eleven": "seven-eleven",
    "Mischief": "mischief",
    "OMG": "omg",
    "Ranked Classic": "ranked-classic",
    "Ranked Classic v2": "ranked-classic-v2",
    "Solo or bust": "solo-or-bust",
    "Sum of Squares": "sum-of-squares",
    "Southern Sun": "southern-sun",
    "Sydney League": "sydney-league",
    "Tribute": "tribute",
    "OpenTribute": "open-tribute",
    "Vulcan": "vulcan",
    "Whipping": "whipping",
    "World Classic": "world-classic",
    "Summer Classic": "summer-classic",
    "Your Draw Size (short games)": "your-draw-size-short",
    "Your Draw Size (unlimited games)": "your-draw-size-unlimited",
}
MICRO = 10**6  # their numbers have six decimals


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_worked_example_of_a_system_comes_out(name: str) -> None:
    system = SYSTEMS[name]
    assert system.examples
    for example in system.examples:
        found = [game.score for game in score_board(example.board, system.system)]
        rounding = system.system.rounding
        wanted = [each if each is None else rounding(each) for each in example.scores]
        told = [own if own is None else score for own, score in zip(wanted, found, strict=True)]
        assert told == wanted, example.worked


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_says_what_it_is_and_where_that_is_told(name: str) -> None:
    system = SYSTEMS[name]
    assert min(map(len, (system.name, system.summary, system.rewards, system.source))) > 2
    assert any(each is not None for each in system.examples[0].scores)
    assert system.summary.endswith(".")


@pytest.mark.parametrize("theirs", SAME_AS)
def test_forty_real_boards_pay_what_tournament_visualiser_pays(theirs: str, shared: Path) -> None:
    charts: list[dict[str, Any]] = json.loads((shared / "data/scoring_systems.json").read_text("utf-8"))
    assert set(charts[0]["scores"]) == set(SAME_AS)
    system = SYSTEMS[SAME_AS[theirs]].system
    differing = [
        (number, game.power, str(game.score), chart["scores"][theirs][game.power])
        for number, chart in enumerate(charts)
        for game in score_board(board_of(chart["years"]), system)
        if abs(_half_up(game.score, 6) - Fraction(str(chart["scores"][theirs][game.power]))) > Fraction(1, MICRO)
    ]
    assert differing == []


def board_of(years: dict[str, dict[str, int]]) -> Board:
    """The board of a centre chart."""
    charted = {int(year): {power: counts[power] for power in Power} for year, counts in years.items()}
    seats = {power: Seat(player=None) for power in Power}
    return Board(round=1, name="A", seats=seats, centres=charted[max(charted)], years=charted)


def test_the_seeds_own_systems_are_among_them_and_pay_the_same() -> None:
    """Where the file of a tournament writes its blocks itself, the system of that name is made of the same."""
    same = {
        "nzdc1999": "detour98f",
        "weaselmoot": "sum-of-squares",
        "edc2023": "french-2022",
        "edc1996": "c-diplo-73",
        "wdc2008": "squares-wdc2008",
    }
    assert set(same) == set(TOURNAMENTS)
    for tournament, name in same.items():
        own = rules(tournament).system
        for counts in (*list(distributions())[::40], (18, 16, 0, 0, 0, 0, 0), (20, 5, 4, 3, 2, 0, 0)):
            assert counted(SYSTEMS[name].system, counts) == counted(own, counts)


def one_game(scoring: object, centres: tuple[int, ...] = (12, 9, 6, 4, 3, 0, 0)) -> dict[str, Any]:
    board = {"board": "A", "result": {"centers": dict(zip(Power, centres, strict=True))}}
    tables = {"scoring": scoring, "totals": {"rounds": 1}}
    return {"tournament": tables, "rounds": [{"number": 1, "boards": [board]}]}


def test_no_two_systems_have_a_name_in_common() -> None:
    names = [{word.casefold() for word in (each.id, each.name, *each.also)} for each in SYSTEMS.values()]
    assert sum(map(len, names)) == len(set().union(*names))


def test_a_name_beside_blocks_is_only_a_name() -> None:
    own = {"system": "tribute", "parts": [{"give": "centres"}]}
    assert score_document(one_game(own))["boards"][0]["scores"]["AUSTRIA"] == "12"


def test_a_whole_rules_file_may_take_a_system(tmp_path: Path) -> None:
    text = Path("templates/rules/weaselmoot.toml").read_text("utf-8")
    start, end = text.index("[scoring]"), text.index("[totals]")
    file = tmp_path / "mine.toml"
    file.write_text(text[:start] + '[scoring]\nsystem = { value = "omg", rule = "MINE 1" }\n\n' + text[end:], "utf-8")
    found = load_tournament(file)
    assert found.scoring.system == SYSTEMS["omg"].system
    file.write_text(file.read_text("utf-8").replace('"omg"', '"omgg"').replace('"higher"', '"highest"'), "utf-8")
    with pytest.raises(Stopped) as stopped:
        load_tournament(file)
    assert {problem.where for problem in stopped.value.problems} == {
        "mine.toml scoring.system",
        "mine.toml totals.two_boards",
    }


def test_a_system_file_with_faults_tells_all_of_them() -> None:
    values = {
        "system": {"name": "Odd", "summry": "x"},
        "scoring": {"parts": [{"give": "centre"}]},
        "examples": [{"centres": [1, 2], "scores": ["1 +", "2"]}],
    }
    with pytest.raises(Stopped) as stopped:
        read_system_file(values, "odd")
    places = [problem.where for problem in stopped.value.problems]
    assert {"odd.toml examples[0].centres", "odd.toml examples[0].scores", "odd.toml scoring.parts[0].give"} <= set(
        places
    )


@pytest.mark.parametrize("text", ["__import__('os')", "2**9", "a + 1", "True", "-1", "1 if 2 else 3"])
def test_an_example_is_a_sum_and_nothing_else(text: str) -> None:
    with pytest.raises(ValueError, match="is no sum"):
        _evaluate_sum(text)


def test_every_system_pays_what_a_small_model_of_its_description_pays() -> None:
    """Every fiftieth way to share 34 centres; ``benchmarks/scoring_models.py`` takes them all."""
    assert set(MODELS) == set(SAME_AS.values())
    for one in islice(charts(seed=7), 0, None, 50):
        board = models_board(one)
        for name, model in MODELS.items():
            assert [game.score for game in score_board(board, SYSTEMS[name].system)] == model(one), (name, one.years)

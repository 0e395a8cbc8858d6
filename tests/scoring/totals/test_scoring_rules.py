"""A rules file makes a scoring system; the five that come with the program say where each setting comes from."""

import tomllib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import pytest

from benchmarks.random_rules import try_file
from pipeline.problems import Stopped
from pipeline.rules.scoring import TABLES, read_scoring
from pipeline.scoring.results import Bonus, Entrant, EventResults
from pipeline.scoring.score import score
from pipeline.small_files import data_folder
from scoring.played import TOURNAMENTS, rules


def without_a_rule(value: Any, path: str, *, has_rule: bool) -> Iterator[str]:
    """Every setting without a rule beside it, or above it for its whole table; silent ones need none."""
    if isinstance(value, Mapping):
        for key, inside in value.items():
            yield from without_a_rule(inside, f"{path}.{key}", has_rule=has_rule or "rule" in value)
    elif isinstance(value, list) and any(isinstance(inside, Mapping) for inside in value):
        for number, inside in enumerate(value):
            yield from without_a_rule(inside, f"{path}[{number}]", has_rule=has_rule)
    elif not has_rule and value not in ("ask", []):
        yield path


@pytest.mark.parametrize("tournament", TOURNAMENTS)
def test_every_setting_says_which_rule_it_comes_from(tournament: str) -> None:
    document = tomllib.loads((data_folder("templates/rules") / f"{tournament}.toml").read_text("utf-8"))
    for table in TABLES:
        assert list(without_a_rule(document.get(table, {}), table, has_rule=False)) == []


@pytest.mark.parametrize("tournament", TOURNAMENTS)
def test_every_reading_of_ours_is_a_setting_with_its_reason(tournament: str) -> None:
    readings = {path: source.why for path, source in rules(tournament).sources.items() if source.why}
    assert READINGS[tournament] <= readings.keys()


READINGS = {
    "nzdc1999": {"scoring.parts[1].unreached", "teams.count", "awards.board_games.ties", "ties"},
    "weaselmoot": {"scoring.rounding", "scoring.shown_decimals", "ties.dropped_games_break_ties", "ties.powers"},
    "edc2023": {
        "scoring.solo",
        "scoring.parts[4]",
        "totals.rounding",
        "totals.weights",
        "totals.bonuses.withdrawal",
        "totals.bonuses.final_share",
        "totals.final.seats",
        "totals.penalties[0]",
        "ties.players",
        "ties.qualifying",
        "ties.powers",
    },
    "edc1996": {"scoring.parts[0]", "ties.players", "ties.qualifying", "ties.teams"},
    "wdc2008": {"scoring.eliminated", "scoring.rounding", "ties.teams", "ties.qualifying", "ties.final_years"},
}


def test_all_faults_of_a_file_are_found_at_once() -> None:
    document = tomllib.loads(
        """
        [scoring]
        puol = 100
        eliminated = "0.1 a year"
        solo = { centers = 18 }
        [[scoring.parts]]
        give = "center"
        [[scoring.parts]]
        give = "places"
        shared = "avg"
        [totals]
        weights = "some"
        two_boards = "hihger"
        [totals.final]
        round = "four"
        [ties]
        players = ["most win", "power order"]
        power_order = ["AUSTRIA"]
        [teams]
        sise = 3
        """
    )
    with pytest.raises(Stopped) as stopped:
        read_scoring(document, "my.toml")
    assert [f"{problem.where}: {problem.text}" for problem in stopped.value.problems] == [
        "my.toml scoring.eliminated: expected 'formula', 'nothing', '0.1 per year', '1 per year begun', "
        "'1/4 per year, at most 2'; found '0.1 a year'",
        "my.toml scoring.parts[0].give: 'center' is not one of centres, polynomial, flat, survivors, survival, "
        "survival until, beaten centres, neutral centres, lead, places, table, years, pot, draw, beaten powers, "
        "margins, top, near top, distance, largest; did you mean 'centres'?",
        "my.toml scoring.parts[1].bonuses: missing; write the points of 1st, 2nd, 3rd, such as [38, 14, 7]",
        "my.toml scoring.parts[1].shared: 'avg' is not one of average, lower; did you mean 'average'?",
        "my.toml scoring.puol: unknown field; did you mean 'pool'?",
        "my.toml scoring.solo.centers: unknown field; did you mean 'centres'?",
        "my.toml teams.rounds: missing; write the rounds that count for teams, such as [1, 2, 3]",
        "my.toml teams.sise: unknown field; did you mean 'size'?",
        "my.toml teams.size: missing; expected a whole number",
        "my.toml ties.players[0]: 'most win' is no tie-break; did you mean 'most wins'?",
        "my.toml ties.power_order: expected the seven powers, each once; found AUSTRIA",
        "my.toml totals.final.qualifying_rounds: missing; write the rounds before it that one qualifies in, "
        "such as [1, 2, 3]",
        "my.toml totals.final.round: expected a whole number, found 'four'",
        "my.toml totals.rounds: missing; expected a whole number",
        "my.toml totals.two_boards: 'hihger' is not one of ask, both, higher, chosen; did you mean 'higher'?",
        "my.toml totals.weights: expected 'all', a list of weights, or lists for 1, 2, 3 ... games; found 'some'",
    ]


PLAIN = """[scoring]
pool = 100
{scoring}
[[scoring.parts]]
give = "centres"
{part}
[totals]
rounds = 3
{totals}
"""


@pytest.mark.parametrize(
    ("where", "setting", "told"),
    [
        ("scoring", "solo = { centres = 0 }", "scoring.solo.centres: expected 10 to 34, or 'more than half', found 0"),
        ("scoring", "solo = { winner = -1 }",
         "scoring.solo.winner: expected more than 0, up to 1000000, or 'formula', found -1"),
        ("scoring", "late_seasons = -1", "scoring.late_seasons: expected 1 to 99, found -1"),
        ("part", "each = 1000000000", "scoring.parts[0].each: expected -1000000 to 1000000, found 1000000000"),
        ("part", "above = 35", "scoring.parts[0].above: expected 0 to 34, found 35"),
        ("totals", "weights = [-1]", "totals.weights: expected 0 to 100, found -1"),
        ("totals", "weights = [0, 0]", "totals.weights: no game counts with the weights [0, 0]"),
        ("totals", "[totals.bonuses]\nwithdrawal = 10", "totals.bonuses.withdrawal: expected more than 0, up to 1"),
        ("totals", "[totals.final]\nround = 3", "totals.final.qualifying_rounds: missing; write the rounds before it"),
        ("totals", "[[totals.penalties]]\nkind = 'late'\npoints = -3", "totals.penalties[0].points: expected 0 to"),
        ("totals", "[[totals.penalties]]\nkind = 'late'", "totals.penalties[0].points: missing; write what is taken"),
        ("totals", "[teams]\nsize = 3", "teams.rounds: missing; write the rounds that count for teams"),
        ("totals", "[teams]\nsize = 2\nleast = 3\nrounds = [1]", "teams.least: a team of 2 never has 3 members"),
        ("totals", "[awards]\npower = 'best {country}'", "awards.power: only {power} may stand in braces"),
        ("totals", "[awards.votes]\npoints = { A = 1 }", "awards.votes.titles: missing; write the title of each skill"),
        ("totals", "[awards.board_games]\nweights = { Go = 1 }",
         "awards.board_games.points: missing; write the points"),
    ],
)  # fmt: skip
def test_every_number_has_a_range_and_every_table_is_whole(where: str, setting: str, told: str) -> None:
    settings = {"scoring": "", "part": "", "totals": ""} | {where: setting}
    with pytest.raises(Stopped) as stopped:
        read_scoring(tomllib.loads(PLAIN.format(**settings)), "")
    assert any(f"{problem.where}: {problem.text}".startswith(told) for problem in stopped.value.problems)


@pytest.mark.parametrize("seed", range(16))
def test_a_rules_file_made_at_random_is_refused_with_its_line_or_runs_through(seed: int) -> None:
    """``benchmarks/random_rules.py`` makes ten thousand."""
    assert try_file(seed) in ("refused", "told", "runs", "no workbook")


def test_a_tie_break_of_games_has_something_to_say_of_who_played_none() -> None:
    tables = {"scoring": {"parts": [{"give": "centres"}]}, "totals": {"rounds": 1}}
    odd = read_scoring({**tables, "ties": {"players": ["opponents", "centre margin"]}}, "")
    results = EventResults(
        boards=(),
        players={name: Entrant(name=name) for name in "ab"},
        bonuses=tuple(Bonus(player=name, kind="hat", points=Fraction(1)) for name in "ab"),
    )
    assert [row.place for row in score(results, odd).standings.rows] in ([1, 1], [])

"""What few tournaments have, each computed by the spreadsheet as by the engine."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from pipeline.rules.load import load_systems, load_tournament
from pipeline.rules.scoring import read_scoring
from pipeline.rules.systems import with_system
from pipeline.scoring.results import EventResults
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.score import score
from pipeline.workbook.extra_columns import FAR
from pipeline.workbook.write import write_workbook
from workbook.events import Wishes, invent
from workbook.office import LOCALES, differences, in_gnumeric, recalculate

SQUARES = {"parts": [{"give": "polynomial", "coefficients": [0, 0, 1]}], "solo": {"winner": 100}}
POOL = {**SQUARES, "pool": 100}
ROUNDS = {"rounds": 3}
FINAL = {"round": 3, "qualifying_rounds": [1, 2], "champion": "table"}
RARE: dict[str, dict[str, Any]] = {
    "coefficients": {
        "scoring": POOL,
        "totals": {**ROUNDS, "round_weights": ["2/3", "7/9", 1], "size_weights": {"6": "6/7", "5": "5/7"}},
    },
    "centres of earlier years": {
        "scoring": {
            "parts": [{"give": "centres", "year": 1905}, {"give": "centres", "year": 1907, "each": 2, "above": 1}],
            "solo": {"winner": 100},
        },
        "totals": ROUNDS,
    },
    "standing down": {"scoring": POOL, "totals": {**ROUNDS, "bonuses": {"withdrawal": {"points": 10}}}},
    "opponents": {
        "scoring": POOL,
        "totals": {**ROUNDS, "final": FINAL},
        "ties": {"players": ["opponents"], "qualifying": ["opponents"]},
    },
    "two titles": {
        "scoring": POOL,
        "totals": {**ROUNDS, "weights": [1, 1, 1], "final": {**FINAL, "total": "qualifying plus final"}},
        "awards": {
            "titles": [
                {"title": "alpha", "weights": [1, 1], "ties": ["highest game", "opponents", "lot"]},
                {"title": "first day", "rounds": [1, 2], "ties": ["all games"]},
            ]
        },
    },
    "a growing pool": {"scoring": {**POOL, "pool_each_year": 10, "pool_after": 1904}, "totals": ROUNDS},
    "a league": {"scoring": POOL, "totals": {"rounds": "any", "weights": [1, 1]}},
    "board winners": {
        "scoring": POOL,
        "totals": {**ROUNDS, "final": {**FINAL, "winners_first": True}},
        "ties": {"qualifying": ["highest game", "distance"]},
    },
    "beside others by difference": {"scoring": {**POOL, "compared": {"by": "difference"}}, "totals": ROUNDS},
    "beside others by quotient": {
        "scoring": {**POOL, "compared": {"by": "quotient", "in": "event", "mean": 50}, "replaced": "nobody"},
        "totals": {**ROUNDS, "round_weights": [1, "1/2", 2]},
    },
    "beside others by places": {
        "scoring": {
            **SQUARES,
            "compared": {"by": "places", "bonuses": [10, 6, 3, 1]},
            "abandoned": "zero",
            "rounding": {"how": "half-up", "decimals": 1},
        },
        "totals": ROUNDS,
    },
    "meetings after another step": {
        "scoring": {"parts": [{"give": "centres"}]},  # many totals are level, and games that are best
        "totals": ROUNDS,
        "ties": {"players": ["highest game", "best meeting", "sum of meetings"]},
    },
    "groups of rounds": {
        "scoring": POOL,
        "totals": {
            "rounds": 4,
            "two_boards": "higher",
            "groups": [
                {"rounds": [1, 2], "weights": [[1], [1, "1/2"]]},
                {"rounds": [3]},
                {"rounds": [4], "counted": False},
            ],
            "penalties": [{"kind": "late", "points": 3, "loses": "bonuses"}],
        },
        "awards": {"titles": [{"title": "first day", "rounds": [1, 2]}]},
    },
    "more for the best": {
        "scoring": {"parts": [{"give": "centres"}], "solo": {"winner": 34}},  # many are level
        "totals": {
            **ROUNDS,
            "weights": [1, "1/2"],
            "final": {**FINAL, "total": "qualifying plus final"},
            "penalties": [{"kind": "own word", "points": 3}],
            "for_the_best": [
                {"players": 5, "after": [1], "round": 2, "times": "3/2"},
                {
                    "players": 4,
                    "after": [1, 2],
                    "weights": [1],
                    "round": 3,
                    "times": 2,
                    "ties": ["highest game", "lot"],
                },
                {"players": 2, "after": [2], "round": 3, "times": "1/2", "ties": ["distance"]},
            ],
        },
        "ties": {"players": ["highest game", "all games"]},
        "awards": {"titles": [{"title": "first day", "rounds": [1, 2]}]},
    },
    "wins first": {"scoring": SQUARES, "totals": {**ROUNDS, "wins_first": True}, "ties": {"players": ["highest game"]}},
    "systems of their own": {
        "scoring": {"parts": [{"give": "centres"}], "solo": {"winner": 100}},
        "totals": {
            **ROUNDS,
            "final": {**FINAL, "scoring": "carnage"},
            "pools": [
                {"name": "Second board", "round": 3, "seats": 7, "after": [1, 2], "scoring": "tribute"},
                {"name": "Third board", "round": 3, "seats": 7, "after": [1, 2], "scoring": "manorcon"},
            ],
        },
    },
    "powers by centres": {
        "scoring": POOL,
        "totals": {**ROUNDS, "final": {**FINAL, "qualifying_rounds": [1]}},  # the second is a round as any other
        "awards": {"power_by": "centres", "power_final": False},
        "ties": {"powers": ["centre margin", "opponents"]},
    },
}


SAMPLES = sorted((Path(__file__).parents[2] / "samples/tournaments").glob("*.toml"))


def rare_rules(name: str, **otherwise: Any) -> ScoringRules:
    return read_scoring(with_system(RARE[name] | otherwise, load_systems, name), name)


def invent_for(rules: ScoringRules, seed: int, players: int = 14) -> EventResults:
    """An event under rare rules, with whatever a director may note beside it."""
    pools = rules.totals.pools
    wishes = Wishes(
        players=21 if pools else players, rounds=rules.totals.rounds or 3, final=rules.final is not None,
        replaced=0.05, abandoned=0.1, directors=1,
        pools={pool.round: [other.name for other in pools if other.round == pool.round] for pool in pools},
        penalties={"own word": 0.1}, bonuses={"withdrawal": 0.2 * (rules.bonuses.withdrawal is not None), "hat": 0.1},
    )  # fmt: skip
    return invent(seed, wishes)


def workbook(name: str, rules: ScoringRules, seed: int) -> bytes:
    return write_workbook(score(invent_for(rules, seed), rules), title=name, sealed=False).data


@pytest.mark.slow
def test_what_few_tournaments_have_and_each_written_tournament_is_computed_as_by_the_engine(tmp_path: Path) -> None:
    """All of them in one run of the program, for its start takes as long as five workbooks."""
    books = {name: workbook(name, rare_rules(name), seed) for seed, name in enumerate(RARE)} | {
        path.stem: workbook(path.stem, load_tournament(path).scoring, n) for n, path in enumerate(SAMPLES)
    }
    computed = recalculate(books, tmp_path, LOCALES[1])
    found = {name: differences(data, computed[name])[:5] for name, data in books.items()}
    assert found == {name: [] for name in (*RARE, *(path.stem for path in SAMPLES))}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bearcon2009", "wdc2012"])  # lists of one number; two titles and a final table
def test_written_tournaments_are_computed_alike_by_a_second_program(name: str, tmp_path: Path) -> None:
    path = next(path for path in SAMPLES if path.stem == name)
    data = workbook(name, load_tournament(path).scoring, SAMPLES.index(path))
    assert differences(data, in_gnumeric(data, tmp_path))[:5] == []


def test_each_of_two_blocks_that_take_the_largest_has_its_own_numbers() -> None:
    largest = [{"give": "largest", "of": [{"give": "centres", "each": n}, {"give": "flat", "each": n}]} for n in (2, 5)]
    scoring = {"system": "two", "parts": largest, "solo": {"winner": 100, "others": largest[:1]}}
    rules = read_scoring({"scoring": scoring, "totals": {"rounds": 3}}, "two")
    rows = load_workbook(BytesIO(workbook("two", rules, 1)))["Config"].iter_rows(min_row=5, values_only=True)
    numbers = [(name, value) for _, name, _, value, *_ in rows if "largest" in str(name)]
    assert numbers == [
        ("Score_largest_centres", 2),
        ("Score_largest_flat", 2),
        ("Score_largest_2_centres", 5),
        ("Score_largest_2_flat", 5),
        ("Score_solo_largest_centres", 2),
        ("Score_solo_largest_flat", 2),
    ]


def test_each_sheet_of_a_workbook_says_on_top_what_it_is() -> None:
    book = load_workbook(BytesIO(workbook("Our Cup", rare_rules("two titles"), 4)))
    tops = {sheet.title: (sheet.cell(1, 1).value, bool(sheet.cell(2, 1).value)) for sheet in book}
    assert {"Final workings", "Title workings 1", "Title workings 2"} <= tops.keys()
    names = {"Standings": "Our Cup", "Config": "Config: Our Cup"}
    assert tops == {title: (names.get(title, title), True) for title in tops}


def test_what_counts_for_a_title_is_not_headed_as_what_counts_before_the_final() -> None:
    book = load_workbook(BytesIO(workbook("Our Cup", rare_rules("two titles"), 4)))
    heads = [[cell.value for cell in book[title][4][FAR - 1 :] if cell.value] for title in ("Bonuses", "Penalties")]
    assert heads == [
        ["Before final", "Counts before final", "Counts for title 1", "For title 2", "Counts for title 2"],
        ["Before final", "For title 2"],
    ]


def test_a_champion_who_forfeits_everything_has_no_bonus_that_the_total_before_the_title_lacks() -> None:
    """EDC23 D4: misconduct takes the bonus for winning the final table too, so nothing is to be taken off."""
    wishes = Wishes(players=14, rounds=3, final=True, penalties={"conduct": 1.0})
    scored = score(invent(3, wishes), load_tournament("edc2023").scoring)
    data = write_workbook(scored, title="Our Cup", sealed=False).data
    heads, *rows = load_workbook(BytesIO(data), data_only=True)["Workings"].iter_rows(min_row=4, values_only=True)
    before, total = heads.index("Before title"), heads.index("Total")
    assert [row[before] for row in rows] == [row[total] for row in rows]

"""The Diplomacy Adjudicator Test Cases 3.2 come out as published: positions, dislodged units, each order's result."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from judge.pages import cases
from pipeline.board import Phase, Position, Power, Step, standard_map
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.outcome import Resolution
from pipeline.judge.rulebook import Rulebook, rulebook
from pipeline.orders import Move, Order, Retreat, read_order, read_unit, write

Published = dict[str, Any]

# The published data name two things by one word: for these two cases "c+fallback" walks although the convoy was ordered
# and disrupted, while by the contract it walks only where none was ordered.
FULL_FALLBACK = {("6.G.11", "c+fallback"), ("6.G.20", "c+fallback")}
# The published position puts the fleet from Gascony on the south coast of Spain, which it does not border. The choice
# itself says "ignore the coast, use the possible one", and that is the north coast.
WRONG_COAST = {("6.B.3", "4.B.3", "a"): {"FRANCE": ["F SPA/NC"]}}


@pytest.fixture(scope="module")
def published(shared: Path) -> list[Published]:
    found: list[Published] = json.loads((shared / "data" / "datc.json").read_text("utf-8"))
    return found


def play(case: Published, rules: Rulebook) -> Iterator[tuple[Resolution, Published, list[Published]]]:
    """Judge a case, and its retreats if it has any; each with what is published of it."""
    position = Position(
        phase=Phase.read(case["phase"]),
        units={Power(power): tuple(read_unit(text) for text in units) for power, units in case["units"].items()},
        centres={Power(power): tuple(owned) for power, owned in case.get("supply_centers", {}).items()},
    )
    first = adjudicate(standard_map(), position, orders(case["orders"]), rules)
    yield first, case["expected"], case["results"]
    if "retreat_orders" in case:
        retreats = replace(first.after, phase=Phase.read("S1901R"))  # also where nobody has anywhere to go
        second = adjudicate(standard_map(), retreats, orders(case["retreat_orders"]), rules)
        yield second, case["expected_after_retreat"], case["retreat_results"]


def orders(texts: Mapping[str, list[str]]) -> dict[Power, list[Order]]:
    return {Power(power): [read_order(text) for text in given] for power, given in texts.items()}


def check_position(resolution: Resolution, expected: Published) -> None:
    """Compare the units on the board, and those dislodged."""
    after = resolution.after
    assert sorted_units(after.units) == {p: sorted(units) for p, units in expected["units"].items() if units}
    if resolution.phase.step is Step.MOVEMENT:
        dislodged: dict[str, list[str]] = {}
        for each in after.dislodged:
            dislodged.setdefault(each.power, []).append(str(each.unit))
        assert {p: sorted(units) for p, units in dislodged.items()} == {
            p: sorted(units) for p, units in expected["dislodged"].items()
        }


def sorted_units(units: Mapping[Power, Any]) -> dict[str, list[str]]:
    return {str(power): sorted(str(unit) for unit in owned) for power, owned in units.items() if owned}


def canonical(order: Order, step: Step) -> str:
    """Write an order as the answers do; the published retreats are written as moves."""
    return write(Retreat(order.unit, order.to) if step is Step.RETREATS and isinstance(order, Move) else order)


def test_all_the_cases_are_there(published: list[Published]) -> None:
    assert len(published) == 186
    assert sum(len(case.get("alternatives", [])) for case in published) == 37
    assert {case["id"] for case in published} <= {case.number for case in cases()}


def test_every_case_ends_as_published(published: list[Published]) -> None:
    for case in published:
        rules = rulebook({"base": "datc", **({"4.D.8": "a"} if case.get("rule") == "4.D.8=a" else {})})
        for resolution, expected, results in play(case, rules):
            check_position(resolution, expected)
            step = resolution.phase.step
            judged = sorted(
                (each.power, canonical(each.order, step), each.outcome.result)
                for each in resolution.results
                if each.written
            )
            wanted = sorted((r["power"], canonical(read_order(r["order"]), step), r["result"]) for r in results)
            assert judged == wanted or "rule" in case, case["id"]  # of the older cases only the positions are published


def test_every_flag_is_a_unit_driven_out(published: list[Published]) -> None:
    flags = 0
    for case in published:
        if case["phase"].endswith("M"):
            [(resolution, _, results), *_] = play(case, rulebook("datc"))
            hopeless = {each.unit.province for each in resolution.after.dislodged if not each.retreats}
            flagged = {(r["power"], write(read_order(r["order"]))): r.get("flag") for r in results}
            for each in resolution.results:
                flag = flagged.get((each.power, write(each.order)))
                assert (flag is not None) == (each.dislodged_by is not None), case["id"]
                if flag == "destroyed" and each.dislodged_by is not None:
                    flags += 1
                    assert read_order(write(each.order)).unit.province in hopeless, case["id"]  # type: ignore[union-attr]
    assert flags == 6


def test_every_alternative_ends_as_published(published: list[Published]) -> None:
    judged = 0
    for case in published:
        for alternative in case.get("alternatives", []):
            for choice in alternative["choices"]:
                judged += 1
                word = "c+full-fallback" if (case["id"], choice) in FULL_FALLBACK else choice
                expected = {**case, **alternative}
                coast = WRONG_COAST.get((case["id"], alternative["issue"], choice))
                if coast:
                    expected["expected"] = {"units": coast, "dislodged": {}}
                if "expected_after_retreat" not in alternative:
                    expected.pop("retreat_orders", None)
                rules = rulebook({"base": "datc", alternative["issue"]: word})
                for resolution, position, _ in play(expected, rules):
                    check_position(resolution, position)
    assert judged == 42


def test_the_pages_have_the_published_orders(published: list[Published]) -> None:
    pages = {case.number: case for case in cases()}
    for case in published:
        block = pages[case["id"]].blocks[0]
        written = sorted((line.power, line.order) for line in block.lines if line.result != "automatic")
        assert written == sorted(
            (p, write(read_order(text))) for p, given in case["orders"].items() for text in given
        ), case["id"]

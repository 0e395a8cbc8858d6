"""Lines that are about several units, or about none: what they reach, and what they leave alone."""

from typing import Any

import pytest

from interpret.test_whole_lines import ask, entries
from pipeline.rules.load import tournament_ids

ARMIES, FLEETS = ("A Vie - Gal", "A Bud - Rum"), ("F Tri - Alb",)
WINTER: dict[str, Any] = {"phase": "W1902A", "units": {"AUSTRIA": ["A SER", "F GRE"]}}
TWO_DUE = {"centers": {"AUSTRIA": ["VIE", "BUD", "TRI", "SER"]}, **WINTER}
THREE_DUE = {"centers": {"AUSTRIA": ["VIE", "BUD", "TRI", "SER", "GRE"]}, **WINTER}
RETREAT: dict[str, Any] = {
    "phase": "F1902R",
    "units": {"AUSTRIA": ["A VIE"], "ITALY": ["A TRI"]},
    "dislodged": [{"power": "AUSTRIA", "unit": "A SER", "from": "BUD", "retreats": ["ALB", "GRE"]}],
}


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("All fleets hold instead", FLEETS),
        ("fleets: hold", FLEETS),
        ("cancel all fleet orders", FLEETS),
        ("fleet moves are void", FLEETS),
        ("no army moves", ARMIES),
        ("armies: no orders", ARMIES),
        ("all armies stay", ARMIES),
        ("les flottes ne bougent pas", FLEETS),
        ("alle Armeen halten", ARMIES),
    ],
)
def test_what_one_kind_is_told_leaves_the_other_alone(tournament: str, line: str, told: tuple[str, ...]) -> None:
    said = entries(tournament, *ARMIES, *FLEETS, line)
    asked = [row for row, (status, _) in zip((*ARMIES, *FLEETS), said, strict=False) if status == "ask"]
    assert asked == [*told]
    assert said[-1] == ("void", None)


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("line", ["not fleets", "fleets only", "all but the fleets hold", "armies stay if fleets fail"])
def test_what_may_be_said_of_both_kinds_is_asked_of_both(tournament: str, line: str) -> None:
    assert [status for status, _ in entries(tournament, *ARMIES, *FLEETS, line)[:3]] == ["ask"] * 3


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("line", ["gli altri fermi", "anything not listed: hold", "All others: hold", "resto quietos"])
def test_the_rest_holds_in_several_languages(tournament: str, line: str) -> None:
    assert entries(tournament, "A Vie - Gal", line)[0] == ("clear", "A VIE - GAL")


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "line", ["second waived", "one waived", "rest waived", "2. waive", "2nd build: waive", "the other is waived"]
)
def test_a_build_that_is_left_is_declined_by_its_number(tournament: str, line: str) -> None:
    assert entries(tournament, "A Bud B", line, **TWO_DUE) == [("clear", "A BUD B"), ("clear", "WAIVE")]


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "lines",
    [
        ["A Bud B", "first waived"],
        ["A Bud B", "1. waive"],
        ["A Bud B", "build waived"],
        ["A Bud B", "A Vie B", "second waived"],
        ["A Bud B", "A Vie B", "2. waive"],
        ["A Bud B", "A Vie B", "last waived"],
    ],
)
def test_a_number_that_may_be_that_of_a_build_above_is_asked(tournament: str, lines: list[str]) -> None:
    assert {status for status, _ in entries(tournament, *lines, **THREE_DUE)} == {"ask"}


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("A Ser retires to Greece", "A SER R GRE"),
        ("A Ser recule vers Alb", "A SER R ALB"),
        ("A Ser bat en retraite sur Alb", "A SER R ALB"),
        ("A Ser weicht nach Alb", "A SER R ALB"),
        ("A Ser sciolta", "A SER D"),
        ("A Ser se disperse", "A SER D"),
    ],
)
def test_words_of_other_languages_retreat_and_disband(tournament: str, line: str, order: str) -> None:
    assert ask(tournament, line, **RETREAT)["orders"] == [order]
    assert ask(tournament, line, "no other retreats", **RETREAT)["orders"] == [order]

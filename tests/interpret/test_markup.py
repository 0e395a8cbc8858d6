"""What programs put around an order: marks that strike it out, signs spelt for a web page, the time of day."""

import pytest

from pipeline.rules.load import tournament_ids
from tests.interpret.test_whole_lines import entries

BESIDE = ("clear", "F TRI - ALB")
MOVE = ("clear", "A VIE - GAL")


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "line",
    [
        "A Vie &ndash; Gal",
        "<p>A Vie -&gt; Gal</p>",
        "<tr><td>A Vie&nbsp;&#8594; Gal</td></tr>",
        "Ⓐ Vie - Gal",
        "Ⓐ Ⓥⓘⓔ - Gal",
        "A Vi\u200fe - Gal",
        "A Vie \u200e- Gal",
        "army vienna dash galicia",
        "army vienna arrow galicia full stop",
        "army vienna hyphen galicia period",
        '"A";"Vie";"-";"Gal"',
        "A,Vie,-,Gal",
    ],
)
def test_signs_of_programs_and_of_dictation_are_read(tournament: str, line: str) -> None:
    assert entries(tournament, line, "F Tri - Alb") == [MOVE, BESIDE]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_name_of_two_words_stands_in_a_cell(tournament: str) -> None:
    said = entries(tournament, "F,North Sea,-,Norwegian Sea", "A,Yor,-,Lon", "A Lon - Wal", "F Eng H", power="ENGLAND")
    assert said[0] == ("clear", "F NTH - NWG")


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "line",
    [
        "~~A Vie - Gal~~",
        "<del>A Vie - Gal</del>",
        "[strike]A Vie - Gal[/strike]",
        "--A Vie - Gal--",
        "~~A Vie - Boh~~ A Vie - Gal",
        "<s>A Vie - Boh</s> A Vie - Gal",
    ],
)
def test_a_struck_order_is_asked_and_leaves_the_others_alone(tournament: str, line: str) -> None:
    assert entries(tournament, line, "F Tri - Alb") == [("ask", None), BESIDE]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_of_two_orders_with_the_time_of_day_nobody_knows_which_stands(tournament: str) -> None:
    said = entries(tournament, "14:05 A Vie - Gal", "[14.12] A Vie - Boh", "F Tri - Alb")
    assert said == [("ask", None), ("ask", None), BESIDE]

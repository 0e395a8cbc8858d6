"""A unit has one order, however often it is written and whatever is wrong with one of its lines."""

from typing import Any

import pytest

from pipeline.cli.judge import interpret_sheet
from pipeline.rules.load import tournament_ids

ASKED: dict[str, Any] = {"power": "AUSTRIA", "phase": "F1902M", "units": {"AUSTRIA": ["A VIE", "A BUD", "F TRI"]}}
LINES = ("vienne galicie", "A VIE - GAL", "A VIE GAL", "VIE -> GAL?", "A VIE H", "A VIE", "F VIE - GAL", "A VIE - LON")


@pytest.mark.parametrize("tournament", tournament_ids())
def test_of_two_lines_for_one_unit_at_most_one_order_stands(tournament: str) -> None:
    for first in LINES:
        for second in LINES:
            reply = interpret_sheet({**ASKED, "tournament": tournament, "lines": [first, second]})
            mine = [order for order in reply["orders"] if order.startswith("A VIE")]
            assert len(set(mine)) < 2, (first, second, reply["orders"])


def test_a_line_that_is_held_and_the_same_order_written_well_are_two_different_orders() -> None:
    reply = interpret_sheet({**ASKED, "tournament": "edc1996", "lines": ["A Vie - Gal or Boh", "A VIE - GAL"]})
    assert {doubt["code"] for doubt in reply["entries"][1]["doubts"]} == {"TWICE_DIFF"}

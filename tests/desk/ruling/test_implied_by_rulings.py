"""What an order implies for another unit (EDC23 R11) stands as long as that order does, however it was given."""

from pathlib import Path

import pytest

from desk.cup import clock, hand_in, inked, printed, spring
from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.ruling.desk import Desk, rule_by_number
from pipeline.desk.ruling.rows import PowerRows
from pipeline.desk.ruling.rulings import RowDecision
from pipeline.ink import Tier
from pipeline.orders import write

AUSTRIA = spring(Power.AUSTRIA)
SUPPORT = {"text": RowDecision(text="A Vie S A Bud - Gal"), "order": RowDecision(order="A VIE S A BUD - GAL")}


def austria(folder: Path, *rulings: tuple[int, RowDecision], row: int = 1) -> PowerRows:
    """Austria's rows after rulings on an unread row."""
    with open_event(printed(folder, "edc2023"), clock) as event:
        hand_in(event, AUSTRIA, [inked(row, "???", Tier.ASKED)] if row else [], sha256="e" * 64)
        for line, decision in rulings:
            rule_by_number(event, AUSTRIA, line, decision, "Tess")
        return Desk.of(event).power(find_game(event, "1"), Power.AUSTRIA)


@pytest.mark.parametrize("how", SUPPORT)
def test_a_support_that_is_ruled_moves_the_unit_without_an_order_as_written_text_does(tmp_path: Path, how: str) -> None:
    found = austria(tmp_path / "cup", (1, SUPPORT[how]))
    assert {"A VIE S A BUD - GAL", "A BUD - GAL"} <= set(map(write, found.orders))


def test_so_does_a_support_that_is_ruled_without_a_row(tmp_path: Path) -> None:
    found = austria(tmp_path / "cup", (1, RowDecision(order="F TRI - ALB")), (0, SUPPORT["order"]))
    assert {"A VIE S A BUD - GAL", "A BUD - GAL"} <= set(map(write, found.orders))


@pytest.mark.parametrize("how", SUPPORT)
def test_what_a_support_implied_goes_with_it(tmp_path: Path, how: str) -> None:
    found = austria(tmp_path / "cup", (1, SUPPORT[how]), (1, RowDecision(order="A VIE H")))
    assert list(map(write, found.orders)) == ["A VIE H"]
    assert [row.unit for row in found.rows if row.needs_director] == ["BUD", "TRI"], "they have no order, and are asked"

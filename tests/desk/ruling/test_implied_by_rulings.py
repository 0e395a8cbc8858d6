"""What an order implies for another unit (EDC23 R11) stands as long as that order does, however it was given."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import load_workbook

from desk.cup import clock, hand_in, inked, printed, spring
from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.review.queue import ReviewItem, queue, settle_doubt
from pipeline.desk.review.review_sheet import take_sheet_back, write_review_sheet
from pipeline.desk.ruling.desk import Desk, rule_by_number
from pipeline.desk.ruling.rows import PowerRows
from pipeline.desk.ruling.rulings import NOTHING, RowDecision
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


def by_page(event: Event, doubt: ReviewItem) -> None:
    settle_doubt(event, doubt, RowDecision(order=NOTHING), "Tess")


def by_typed_order(event: Event, doubt: ReviewItem) -> None:
    settle_doubt(event, doubt, RowDecision(order="A VIE S A BUD - GAL"), "Tess")


def by_command(event: Event, doubt: ReviewItem) -> None:
    rule_by_number(event, AUSTRIA, 1, RowDecision(order="A VIE S A BUD - GAL"), "Tess")


def by_sheet(event: Event, doubt: ReviewItem) -> None:
    book = load_workbook(BytesIO(write_review_sheet(event, None, "take it back")[0]))
    sheet = book["Review"]
    head = {str(cell.value): cell.column for cell in sheet[5] if cell.value}
    row = next(n for n in range(6, sheet.max_row + 1) if str(sheet.cell(n, head["Line"]).value) == "1")
    sheet.cell(row, head["Decision"]).value = "only a vie s a bud - gal"
    saved = BytesIO()
    book.save(saved)
    assert take_sheet_back(event, saved.getvalue(), "r.xlsx", "Tess").refused == ()


@pytest.mark.parametrize("door", [by_page, by_typed_order, by_command, by_sheet])
def test_what_is_implied_and_asked_is_settled_by_saying_that_only_the_rest_stands(
    tmp_path: Path, door: Callable[[Event, ReviewItem], None]
) -> None:
    """Budapest's own row was ruled to give no order, so what another row implies for it is asked."""
    with open_event(printed(tmp_path / "cup", "edc2023"), clock) as event:
        rows = [inked(1, "A VIE S A BUD - GAL"), inked(2, "A BUD - SPA"), inked(3, "F TRI - ALB")]
        hand_in(event, AUSTRIA, rows, sha256="e" * 64)
        rule_by_number(event, AUSTRIA, 2, RowDecision(order=NOTHING), "Tess")
        (doubt,) = (each for each in queue(event) if each.turn == AUSTRIA)
        assert doubt.row is not None
        assert (doubt.row.line, doubt.row.unit, doubt.row.is_supplied) == (1, "BUD", True)
        door(event, doubt)
        found = Desk.of(event).power(find_game(event, "1"), Power.AUSTRIA)
        assert [row for row in found.rows if row.needs_director] == []
        assert list(map(write, found.orders)) == ["A VIE S A BUD - GAL", "F TRI - ALB"]

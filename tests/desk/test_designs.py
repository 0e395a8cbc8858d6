"""A sheet is read by the design it was printed in, whatever is printed later."""

from pathlib import Path

import pytest

from pipeline.board.position import Phase
from pipeline.desk.event import Event
from pipeline.desk.printing import as_body, from_body, print_round, printed_sheets
from pipeline.desk.reader import best_recogniser
from pipeline.desk.rehearse import Plan, rehearse
from pipeline.desk.simulation import Listener
from pipeline.tournament.field_rows import Design


def test_each_sheet_keeps_the_design_it_was_printed_in(event: Event) -> None:
    printed = print_round(event, 1, None, Phase.read("F1901M"), 0, Design.FIELDS)
    print_round(event, 1, None, Phase.read("F1901M"), 0)

    designs = [sheet.request.design for sheet in printed_sheets(event).values()]

    assert designs == [Design.LINE] * 7 + [Design.FIELDS] * 7 + [Design.LINE] * 7
    for page in printed.layout.pages:
        assert printed_sheets(event)[page.sheet].page.form == page.form
        assert page.form.cells


def test_a_sheet_printed_before_there_were_designs_has_free_lines(event: Event) -> None:
    sheet = next(iter(printed_sheets(event).values()))
    body = as_body(sheet.request)
    del body["design"]
    assert from_body(event.details.code, body) == sheet.request


@pytest.mark.slow
def test_a_rehearsal_on_rows_of_boxes_has_nothing_wrong_unasked(tmp_path: Path) -> None:
    plan = Plan(boards=1, seasons=2, seed=5, design=Design.FIELDS)
    found = rehearse(plan, tmp_path, best_recogniser(), Listener())

    assert found["rows"] > 30
    assert found["read_alone"] > 15, "the reader reads"
    assert (found["wrong_unasked"], found["differs_after_ruling"]) == (0, 0), found["differences"]
    assert found["design"] == "fields"

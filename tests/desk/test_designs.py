"""A sheet is read by the design it was printed in, whatever is printed later."""

from pipeline.board.position import Phase
from pipeline.desk.event import Event
from pipeline.desk.printing import as_body, from_body, print_round, printed_sheets
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

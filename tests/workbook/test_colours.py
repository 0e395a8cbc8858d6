"""Which cells are coloured, by the formulas of their conditional formats, computed for each cell."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace
from openpyxl.formula.translate import Translator
from openpyxl.worksheet.cell_range import CellRange

from pipeline.board import Power
from pipeline.scoring.score import score
from pipeline.workbook import page as xl
from pipeline.workbook.board_games_sheet import OrderLine
from pipeline.workbook.write import WrittenWorkbook, write_workbook
from workbook.calculator import Calculator, number
from workbook.test_contents import event_of, scored_of
from workbook.tournaments import rules_of

Colours = Mapping[tuple[int, int], str]  # row and column -> the ground, or the letters where the ground stays


def colours_of(book: WrittenWorkbook, title: str) -> Colours:
    """The colour of each cell for which a rule holds; of several the first."""
    [page] = [page for page in book.pages if page.title == title]
    calculator, found = Calculator(book.pages, book.names), dict[tuple[int, int], str]()
    for cells, rule in page.marks:
        first = CellRange(cells).top
        origin = xl.at(*first[0])
        look: Any = rule.dxf
        colour = look.fill.bgColor.rgb if look.fill else look.font.color.rgb
        for line in CellRange(cells).rows:
            for row, column in line:
                formula = Translator(f"={rule.formula[0]}", origin).translate_formula(xl.at(row, column))
                if (row, column) not in found and number(calculator.compute(formula[1:], title)):
                    found[row, column] = str(colour)[-6:]
    return found


def rows_in(colours: Colours, colour: str) -> set[int]:
    return {row for (row, _), own in colours.items() if own == colour}


@pytest.fixture(scope="module", params=["weaselmoot", "wdc2008"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def book(name: str) -> WrittenWorkbook:
    return write_workbook(scored_of(name), title="Cup", sealed=False)


def shown(book: WrittenWorkbook, title: str, row: int, column: int) -> object:
    [page] = [page for page in book.pages if page.title == title]
    content = page.cells.get(row, {}).get(column, (None, xl.PLAIN))[0]
    return content.value if isinstance(content, xl.LiveFormula) else content


def test_the_first_places_and_what_does_not_count_are_told_apart(name: str, book: WrittenWorkbook) -> None:
    one, colours = scored_of(name), colours_of(book, "Standings")
    places = {row: place for row in range(6, 40) if isinstance(place := shown(book, "Standings", row, 1), int)}
    assert len(places) == len(one.standings.rows)
    assert rows_in(colours, xl.GOLD) == {row for row, place in places.items() if place == 1}
    assert rows_in(colours, xl.AMBER) == {row for row, place in places.items() if place in (2, 3)}
    grey = {cell for cell, colour in colours.items() if colour == "A6A6A6"}
    coloured = {row for row, place in places.items() if place <= 3}
    out = {
        (row, column - 1)
        for row in range(6, 40)
        for column in range(4, 40)
        if shown(book, "Standings", row, column) == "out" and row not in coloured
    }
    assert grey == out
    verdicts = [colour for (row, _), colour in colours.items() if row == 3]
    assert verdicts == [xl.RED]  # there is something in doubt


def test_who_leads_a_board_and_who_is_out_are_told_apart(name: str, book: WrittenWorkbook) -> None:
    colours, first = colours_of(book, "Boards"), 6
    for board in sorted(scored_of(name).event.boards, key=lambda board: board.round):
        rows = dict(zip(board.powers, range(first, first + len(board.powers)), strict=True))
        most = max(board.centres.values())
        gold = {rows[power] for power in board.powers if board.centres[power] == most}
        assert rows_in(colours, xl.GOLD) & set(rows.values()) == gold
        out = {rows[power] for power in board.powers if board.centres[power] == 0 != most}
        assert rows_in(colours, "999999") & set(rows.values()) == out
        first += len(board.powers) + 3


def test_counts_that_cannot_be_are_red_and_half_a_board_is_yellow(name: str) -> None:
    event, rules = event_of(name), rules_of(name)
    right, *others = (replace(board, unowned=board.total - sum(board.centres.values())) for board in event.boards)
    power = next(power for power in right.powers if right.centres[power])
    for change, colour in ((1, xl.RED), (-1, xl.RED), (0, "")):
        wrong = replace(right, centres={**right.centres, power: right.centres[power] + change})
        book = write_workbook(
            score(replace(event, boards=(wrong, *others)), rules), title="Cup", sealed=False, meetings=9
        )
        colours = colours_of(book, "Results")
        assert {row: c for (row, _), c in colours.items()} == dict.fromkeys(range(5, 12) if colour else (), colour)
        if not colour:
            [page] = [page for page in book.pages if page.title == "Results"]
            content, look = page.cells[8][5]
            page.cells[8][5] = (None, look)  # as if the director had taken one out
            assert content is not None
            assert colours_of(book, "Results") == {(row, 5): xl.AMBER for row in range(5, 12)}


def test_checks_and_doubts_are_coloured_by_what_they_say(name: str, book: WrittenWorkbook) -> None:
    told = {"OK": xl.GREEN, "LOOK": xl.RED, "NOTE": xl.AMBER}
    for (row, _), colour in colours_of(book, "Checks").items():
        assert colour == told[str(shown(book, "Checks", row, 3))]
    assert {row for row, _ in colours_of(book, "Checks")} == {
        row for row in range(5, 40) if shown(book, "Checks", row, 3) in told
    }
    doubts = {row: str(shown(book, "Doubts", row, 1)) for row in range(5, 300) if shown(book, "Doubts", row, 1)}
    wanted = {row: {"a title": xl.RED, "a place": xl.AMBER}.get(word) for row, word in doubts.items()}
    assert {row: colour for (row, _), colour in colours_of(book, "Doubts").items()} == {
        row: colour for row, colour in wanted.items() if colour
    }


def test_seats_of_the_final_the_best_team_and_the_champion_are_golden(name: str, book: WrittenWorkbook) -> None:
    titles = {page.title for page in book.pages}
    if "Teams" in titles:
        golden = {row for row in range(5, 20) if shown(book, "Teams", row, 1) == 1}
        assert rows_in(colours_of(book, "Teams"), xl.GOLD) == golden != set()
    if "Final table" in titles:
        seats = {
            row: str(shown(book, "Final table", row, column))
            for row in range(6, 40)
            for column in range(4, 30)
            if shown(book, "Final table", row, column) in ("plays the final", "level for a seat")
        }
        colours = colours_of(book, "Final table")
        assert rows_in(colours, xl.AMBER) == {row for row, word in seats.items() if word == "level for a seat"}
        assert rows_in(colours, xl.GOLD) >= {row for row, word in seats.items() if word == "plays the final"}
    assert set(colours_of(book, "Charts").values()) <= {"FFFFFF"}, "what is not there is not seen"


def test_orders_that_are_illegal_and_those_that_fail_are_told_apart() -> None:
    lines = [
        OrderLine(round=1, board="A", phase="S1901M", power=Power.AUSTRIA, order="A VIE H", result=result, reason="")
        for result in ("succeeds", "fails", "cut", "disrupted", "illegal", "invalid")
    ]
    book = write_workbook(scored_of("weaselmoot"), title="Cup", sealed=False, orders=lines)
    colours = colours_of(book, "Orders")
    assert {row: colour for (row, _), colour in colours.items()} == {
        6: xl.AMBER, 7: xl.AMBER, 8: xl.AMBER, 9: xl.RED, 10: xl.RED
    }  # fmt: skip

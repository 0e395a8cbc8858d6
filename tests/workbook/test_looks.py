"""How each sheet is set up: what stays in sight and is printed, how numbers look, what may be typed where."""

import re
from fractions import Fraction
from itertools import combinations, groupby, pairwise

import pytest
from msgspec.structs import replace
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.worksheet.cell_range import CellRange

from pipeline.scoring.score import score
from pipeline.words.speech import languages, speech_of
from pipeline.workbook import page as xl
from pipeline.workbook.league_book import write_league
from pipeline.workbook.package import _widen_columns
from pipeline.workbook.write import write_workbook
from workbook.events import invent
from workbook.leagues import invent_league
from workbook.test_contents import Shown, scored_of, shown
from workbook.tournaments import TOURNAMENTS, rules_of, wishes_for

# sheet -> the first cell that scrolls, rows and columns printed on every page, whether it lies across, colour of tab
SHOWN, TYPED, WORKING = "1F3864", "FFC000", "A6A6A6"
SET_UP = {
    "Standings": ("D6", "5:5", "", True, SHOWN),
    "Final table": ("D6", "5:5", "", True, SHOWN),
    "Rounds": ("B6", "4:5", "", True, SHOWN),
    "Boards": ("C4", "1:2", "", False, SHOWN),
    "Charts": ("", "", "", True, SHOWN),
    "Teams": ("D5", "4:4", "", True, SHOWN),
    "Best powers": ("", "", "", True, SHOWN),
    "Awards": ("", "4:4", "", True, SHOWN),
    "Doubts": ("A5", "4:4", "", True, SHOWN),
    "Results": ("E5", "4:4", "", True, TYPED),
    "Players": ("C5", "4:4", "", False, TYPED),
    "Penalties": ("A5", "4:4", "", True, TYPED),
    "Bonuses": ("A5", "4:4", "", True, TYPED),
    "Votes 1": ("B5", "4:4", "", True, TYPED),
    "Votes 2": ("B5", "4:4", "", True, TYPED),
    "Board games": ("A5", "4:4", "", True, TYPED),
    "Config": ("A5", "4:4", "", True, TYPED),
    "Checks": ("A5", "4:4", "", True, WORKING),
    "Workings": ("C5", "4:4", "A:B", True, WORKING),
    "Games": ("E5", "4:4", "A:D", True, WORKING),
    "Final workings": ("C5", "4:4", "A:B", True, WORKING),
    "Team workings": ("B5", "", "A:A", True, WORKING),
    "Power workings": ("F5", "", "A:E", True, WORKING),
    "Orders": ("A5", "4:4", "", True, WORKING),
    "Rulings": ("A5", "4:4", "", True, WORKING),
}
WHOLE_LISTS = ("Standings", "Final table", "Rounds", "Boards", "Teams", "Best powers", "Doubts")
# how scores look: with the decimals of the rules, one below the other
SCORES = re.compile(
    r"R\d+( board \d)?|(Score|Kept score)( M\d)?( R\d+.*)?|Counts R\d+.*|Total|Qualifying|All games|On board"
    r"|Program's total|Points \d|Members' totals|All their games"
)
OTHERWISE = (
    "Charts",
    "Board games",
    "Penalties",
    "Bonuses",
)  # the race is not rounded; what is noted is as it is written
# what is added and taken away is shown to its end
AMOUNTS = {
    "Boards": "0.00####",
    "±": "+0.00####;-0.00####;",
    **dict.fromkeys(("Taken", "Worth"), "0.00####;-0.00####;"),
}


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_each_sheet_is_set_up_for_the_screen_and_for_paper(name: str) -> None:
    for title, page in shown(name).pages.items():
        assert (page.freeze, page.repeat, page.beside, page.landscape, page.tab) == SET_UP[title], title
        assert page.is_wide == title.removesuffix("workings").endswith((" ", "Workings", "Games")), title
        assert page.hidden == (title in ("Orders", "Rulings")), title
        assert page.merged == list(dict.fromkeys(page.merged)), title


@pytest.mark.parametrize("language", languages())
def test_each_check_is_whole_in_its_column(language: str) -> None:
    """Of 98 letters LibreOffice's PDF cut the last one at a width of 75."""
    written = write_workbook(scored_of("edc2023"), title="Cup", sealed=False, speech=speech_of(language))
    page = next(page for page in written.pages if page.title == "Checks")
    texts = [(len(str(line[column][0])), column) for row, line in page.cells.items() if row > 4 for column in (1, 4)]
    assert len(texts) > 30
    assert [each for each in texts if each[0] * 0.85 > page.widths[each[1]]] == []


def test_a_number_shown_to_its_end_has_room_in_its_column_and_a_head_in_its_row() -> None:
    """A spreadsheet shows ### where a number does not fit, and half a line of a head that is too high."""
    page = xl.Page("Sums", xl.Losses())
    grid = xl.Grid(page, head_row=1, length=1)
    for look in (xl.AMOUNT, xl.SIGNED_AMOUNT, xl.TIE_KEY, xl.points(2)):
        grid.add("Sum", [xl.LiveFormula("1234+1/3", Fraction(3703, 3))], look)
    assert page.heights[1] == xl.HEAD_POINTS
    grid.add("Kept score R1 board 2", [1])
    assert page.heights[1] == 3 * xl.LINE_POINTS
    _widen_columns(page)
    assert [page.widths[column] > len("-1234.333333") for column in range(1, 6)] == [True, True, True, False, False]


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_what_is_hung_up_is_printed_from_the_first_cell_to_the_last(name: str) -> None:
    """The last column is the one before the gap, behind which stand numbers that formulas look players up by."""
    for title in WHOLE_LISTS:
        if title not in shown(name).pages:
            continue
        page = shown(name).pages[title]
        filled = {column for line in page.cells.values() for column in line}
        last = next(column for column in range(1, max(filled) + 2) if column + 1 not in filled)
        rows = [
            row for row, line in page.cells.items() if any(c <= last and line[c][0] not in (None, "") for c in line)
        ]
        reach = coordinate_to_tuple(page.area.partition(":")[2])
        assert page.area.startswith("A1:"), title
        assert reach[1] == last, title
        assert reach[0] >= max(row for row in rows if shows_something(page, row, last)), title
        assert reach[0] <= max(page.cells) + (title == "Boards"), title
        assert set(range(1, last + 1)) <= page.widths.keys(), title


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_between_the_parts_of_a_sheet_one_row_is_empty(name: str) -> None:
    for title, page in shown(name).pages.items():
        rows = sorted(row for row, line in page.cells.items() if any(c not in (None, "") for c, _ in line.values()))
        assert title == "Charts" or max(below - row for row, below in pairwise(rows)) <= 2, title


def shows_something(page: xl.Page, row: int, last: int) -> bool:
    contents = [content for column, (content, _) in page.cells[row].items() if column <= last]
    return any((c.value if isinstance(c, xl.LiveFormula) else c) not in (None, "") for c in contents)


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_scores_have_the_decimals_of_the_rules_and_stand_below_one_another(name: str) -> None:
    wanted, seen = xl.points(rules_of(name).decimals), set()
    for title, page in shown(name).pages.items():
        head_row = int(page.repeat.partition(":")[2] or 4)
        for column, (head, _) in page.cells[head_row].items():
            below = page.cells.get(head_row + 1, {}).get(column)
            if below and SCORES.fullmatch(str(head)) and title not in OTHERWISE:
                assert (below[1].form, below[1].align) == (wanted.form, "right"), (title, head)
                seen.add(title)
            if below and str(head) in AMOUNTS:
                assert (below[1].form, below[1].align) == (AMOUNTS[str(head)], "right"), (title, head)
    assert {"Standings", "Workings", "Games", "Results", "Checks"} <= seen


@pytest.mark.parametrize("name", [*TOURNAMENTS, "league"])
def test_a_column_looks_the_same_from_its_first_row_to_its_last(name: str) -> None:
    """Of a list the look of a row differs only where a board begins, where the rows have strong lines."""
    pages = {p.title: p for p in write_league(invent_league(3)).pages} if name == "league" else shown(name).pages
    for title, page in pages.items():
        if title in ("Boards", "Config", "Checks", "Awards", "Best powers", "Charts", "Final table", "Teams"):
            continue  # several blocks, or a line below the list
        for column in page.cells[int(page.repeat.partition(":")[2] or 4)]:
            looks = [line[column][1] for row, line in sorted(page.cells.items()) if row > 5 and column in line]
            kinds = {(look.form, look.align, look.fill, look.size) for look in looks if look.line or look.may_change}
            assert len(kinds) <= 1 or title == "Standings", (title, column)


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_every_cell_that_takes_a_choice_or_a_count_says_so_and_no_other(name: str) -> None:
    """Free words and numbers are what is not listed: names of players and teams, reasons, points, rounds."""
    for title, page in shown(name).pages.items():
        limited = [
            (row, column)
            for rule in page.validations
            for cells in str(rule.sqref).split()
            for line in CellRange(cells).rows
            for row, column in line
        ]
        assert len(limited) == len(set(limited)), (title, "one rule for a cell")
        for row, column in limited:
            assert page.cells[row][column][1].may_change, (title, xl.at(row, column))
    results = shown(name).pages["Results"]
    free = {"Instead of", "Ruling", "Why"}
    heads = {column: str(head) for column, (head, _) in results.cells[4].items()}
    limited_cells = [CellRange(cells) for rule in results.validations for cells in str(rule.sqref).split()]
    for column, head in heads.items():
        first = results.cells[5][column][1]
        covered = any(cells.min_col <= column <= cells.max_col for cells in limited_cells)
        assert covered == (first.may_change and head not in free), head


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_each_name_of_a_number_is_a_cell_beside_which_it_stands(name: str) -> None:
    """A number is found by its name on Config; names of lists on other sheets are those of players and rankings."""
    book = shown(name)
    from_config = {
        str(book.cell("Config", row, 2)): row
        for row in book.pages["Config"].cells
        if row > 4 and book.cell("Config", row, 2)
    }
    names = write_workbook(scored_of(name), title="Cup", sealed=False).names
    assert set(names) - set(from_config) <= {"Player_names", *(f"Best_{n}" for n in range(1, 4))}
    assert set(from_config) <= set(names)
    for word, row in from_config.items():
        sheet, _, cells = names[word].partition("!")
        assert (sheet, CellRange(cells).min_row, CellRange(cells).min_col) == ("Config", row, 4), word
        assert book.cell("Config", row, 1), word


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_a_printed_page_of_boards_and_of_results_ends_where_a_round_ends(name: str) -> None:
    book, boards = shown(name), sorted(scored_of(name).event.boards, key=lambda board: board.round)
    ends, row = [], 4
    for _, round_boards in groupby(boards, key=lambda board: board.round):
        row += sum(len(board.powers) for board in round_boards)
        ends.append(row)
    assert book.pages["Results"].breaks == ends[:-1]
    assert [book.cell("Boards", row + 1, 1)[:8] for row in book.pages["Boards"].breaks] == [
        f"Round {number}, "[:8] for number in sorted({board.round for board in boards})[1:]
    ]


def test_a_round_of_many_boards_goes_on_on_the_next_page_after_each_fifth() -> None:
    event = invent(0, replace(wishes_for("weaselmoot", 0), players=77, rounds=1, absent=0.0))
    book = write_workbook(score(event, rules_of("weaselmoot")), title="Cup", sealed=False)
    [page] = [page for page in book.pages if page.title == "Boards"]
    begins = [row for row, line in page.cells.items() if str(Shown(book).cell("Boards", row, 1)).startswith("Round 1")]
    assert page.breaks == [begins[5] - 1, begins[10] - 1]


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_the_charts_of_a_board_have_each_year_that_is_listed_and_no_more(name: str) -> None:
    page = shown(name).pages["Charts"]
    for chart, _ in page.charts[1:]:
        for series in chart.series:
            cells, heads = (
                CellRange(ref.numRef.f.rpartition("!")[2].replace("$", "")) for ref in (series.val, series.cat)
            )
            assert cells.size == heads.size
            down, right = (1, 0) if heads.min_col == heads.max_col else (0, 1)
            ends = [page.cells.get(heads.max_row + n * down, {}).get(heads.max_col + n * right) for n in (0, 1)]
            assert [bool(cell and cell[0]) for cell in ends] == [True, False]


def test_a_cell_has_its_lines_on_the_sides_that_its_look_names() -> None:
    for named in [
        set(sides) for count in range(5) for sides in combinations(("top", "bottom", "left", "right"), count)
    ]:
        border = xl._border("".join(side[0] for side in named))
        assert {side for side in ("top", "bottom", "left", "right") if getattr(border, side).style} == named

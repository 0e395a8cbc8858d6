"""What stands on the sheets, as a program that does not calculate sees it."""

import re
import tomllib
from functools import cache
from io import BytesIO
from itertools import pairwise
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from msgspec.structs import replace
from openpyxl import load_workbook
from openpyxl.workbook.workbook import Workbook
from scoring.played import board as one_board

from pipeline.board import Power
from pipeline.rules.league_file import load_league
from pipeline.rules.scoring import HIGHEST, SIMPLE, read_scoring
from pipeline.scoring.results import EventResults
from pipeline.scoring.score import Scored, score
from pipeline.small_files import data_folder
from pipeline.workbook import checks_sheet
from pipeline.workbook.board_games_sheet import OrderLine, RulingLine
from pipeline.workbook.league_book import write_league
from pipeline.workbook.page import points
from pipeline.workbook.seats import SeatRow
from pipeline.workbook.write import write_workbook
from workbook.events import invent
from workbook.office import MAIN
from workbook.played import played
from workbook.tournaments import TOURNAMENTS, rules_of, wishes_for

TOO_NEW = re.compile(
    r"_xlfn|_xlws|XLOOKUP|XMATCH|FILTER\(|SORT\(|SORTBY|UNIQUE|SEQUENCE|LET\(|LAMBDA|TEXTJOIN|CONCAT\(|IFS\(|SWITCH"
    r"|AGGREGATE|INDIRECT|OFFSET|TODAY|NOW\(|RAND"
)
ALLOWED = re.compile(r"COUNTIFS\(|SUMIFS\(")  # these two are older than the others in -IFS


@cache
def scored_event(name: str, seed: int = 1) -> Scored:
    return score(invent(seed, wishes_for(name, seed)), rules_of(name))


def opened(scored: Scored) -> Workbook:
    data = write_workbook(scored, title="Our Cup", sealed=False).data
    return load_workbook(BytesIO(data), data_only=True, read_only=True)


@cache
def written(name: str) -> bytes:
    """The workbook of an event."""
    return write_workbook(scored_event(name), title="Our Cup", sealed=False).data


@cache
def book_of(name: str) -> Workbook:
    """The same, opened with its formulas; nobody changes it."""
    return load_workbook(BytesIO(written(name)))


def book_of_league() -> Workbook:
    data = write_league(load_league(data_folder("samples") / "leagues" / "egp2025.toml")).data
    return load_workbook(BytesIO(data))


@pytest.mark.parametrize(("name", "boards"), [("wdc2008", 1), ("weaselmoot", 2)])
def test_the_workings_have_room_for_a_second_board_a_round_where_the_rules_speak_of_two(name: str, boards: int) -> None:
    scored = score(invent(1, replace(wishes_for(name, 1), two_boards=0.0)), rules_of(name))
    (heads,) = opened(scored)["Workings"].iter_rows(min_row=4, max_row=4, values_only=True)
    assert sum(str(head).startswith("Row R1") for head in heads) == boards


def test_the_deciding_tie_break_is_said_in_words() -> None:
    every = (scored_event("nzdc1999", seed) for seed in range(20))
    scored = next(one for one in every if any(row.decision for row in one.standings.rows))
    told = {row.player: str(row.decision) for row in scored.standings.rows if row.decision}
    sheet = opened(scored)["Standings"]
    heads = [cell.value for cell in sheet[5]]
    lines = {
        row[heads.index("Player")]: row[heads.index("Decided by")]
        for row in sheet.iter_rows(min_row=6, values_only=True)
    }
    assert {player: lines[player] for player in told} == told


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_sheet_titles_are_short_and_plain(name: str) -> None:
    for title in book_of(name).sheetnames:
        assert len(title) <= 31
        assert title.isascii()


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_the_workings_are_printed_across_with_their_heads_and_the_names_on_every_page(name: str) -> None:
    sheet = book_of(name)["Workings"]
    assert (sheet.page_setup.orientation, sheet.freeze_panes) == ("landscape", "C5")
    assert (sheet.print_title_rows, sheet.print_title_cols) == ("$4:$4", "$A:$B")


@pytest.mark.parametrize("name", [*TOURNAMENTS, "league"])
def test_each_sheet_has_its_title_and_what_it_is_above_its_heads(name: str) -> None:
    book = book_of_league() if name == "league" else book_of(name)
    for sheet in book.worksheets:
        assert sheet["A1"].value, sheet.title
        assert sheet["A2"].value, sheet.title
        heads = int(re.sub(r"\D", "", sheet.freeze_panes or "B5")) - 1
        assert any(isinstance(cell.value, str) for cell in sheet[heads]) or sheet.title == "Boards", sheet.title
        assert (sheet.print_title_rows or f"${heads}").endswith(f"${heads}") or sheet.title == "Boards", sheet.title


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_no_formula_needs_a_new_program_or_makes_a_text_that_depends_on_the_language(name: str) -> None:
    formulas = set(cells_with_formulas(written(name)))
    assert len(formulas) > 1000
    assert [formula for formula in formulas if TOO_NEW.search(ALLOWED.sub("", formula))] == []
    assert [formula for formula in formulas if "TEXT(" in formula or "VALUE(" in formula] == []
    assert max(map(len, formulas)) < 8192


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_a_number_with_decimals_is_shown_with_them(name: str) -> None:
    whole = "0" if rules_of(name).decimals == 0 else "General"
    for sheet in load_workbook(BytesIO(written(name)), data_only=True):
        for row in sheet.iter_rows():
            for cell in row:
                if isinstance(cell.value, float) and cell.value % 1 and cell.number_format != whole:
                    assert re.search(r"0\.0|%|General", cell.number_format), (sheet.title, cell.coordinate)
        for column in sheet.iter_cols(max_row=6):
            for head, below in pairwise(column):
                if str(head.value).startswith("Score R"):
                    assert below.number_format == points(rules_of(name).decimals).form, below.coordinate


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_what_a_cell_is_coloured_for_excludes_each_other(name: str) -> None:
    for sheet in book_of(name):
        for marked in sheet.conditional_formatting:
            formulas = [rule.formula[0] for rule in marked.rules]
            for formula in formulas:
                if "<>" in formula and formula.startswith("LEFT("):
                    assert formula.replace("<>", "=") in formulas, (sheet.title, formula)


def cells_with_formulas(data: bytes) -> list[str]:
    """Every formula as it stands in the file."""
    with ZipFile(BytesIO(data)) as parts:
        sheets = [parts.read(name) for name in parts.namelist() if name.startswith("xl/worksheets/sheet")]
    return [formula.text or "" for sheet in sheets for formula in ElementTree.fromstring(sheet).iter(f"{MAIN}f")]


def test_no_text_in_a_formula_is_longer_than_excel_takes() -> None:
    """The title of an award stands in formulas, and a program that finds more than 255 characters there gives up."""
    long = 'Champion of "everything" ' * 20
    rules = rules_of("weaselmoot")
    awards = replace(rules.awards, places=(long, "second"), power=long + "{power}")
    scored = score(played(rules, 14, 3), replace(rules, awards=awards))
    book = load_workbook(BytesIO(write_workbook(scored, title="Our Cup", sealed=False).data))
    cells = [cell for row in book["Standings"].iter_rows() for cell in row if cell.data_type == "f"]
    formulas = [str(getattr(cell.value, "text", cell.value)) for cell in cells]
    texts = [text for formula in formulas for text in re.findall('"((?:[^"]|"")*)"', formula)]
    assert max(len(text.replace('""', '"')) for text in texts) == 255


def verdict(scored: Scored) -> object:
    sheet = opened(scored)["Standings"]
    return next(cell.value for cell in sheet[3] if "heck" in str(cell.value) or "doubt" in str(cell.value))


def changed(event: EventResults, **changes: object) -> Scored:
    first, *others = event.boards
    boards = (replace(first, **changes), *others)  # fields of a board
    return score(replace(event, boards=boards), rules_of("edc1996"))


def test_the_front_says_what_to_look_at() -> None:
    event = played(rules_of("edc1996"), 28, 5)
    first = event.boards[0]
    names = {power: seat.player for power, seat in first.seats.items()}
    assert verdict(changed(event)) == "All checks pass"
    twice = {**first.seats, Power.ENGLAND: replace(first.seats[Power.ENGLAND], player=names[Power.AUSTRIA])}
    assert "to look at: see Checks" in str(verdict(changed(event, seats=twice)))
    solos = {power: 18 if power in (Power.AUSTRIA, Power.ENGLAND) else 0 for power in first.centres}
    assert "to look at: see Checks" in str(verdict(changed(event, centres=solos)))


@pytest.mark.parametrize(
    ("years", "end", "is_impossible"),
    [
        ({}, 0, False),
        ({1901: 6}, 6, False),  # from three centres
        ({1901: 7}, 7, True),
        ({1902: 12, 1903: 17}, 17, False),
        ({1902: 13}, 13, True),
        ({1904: 17, 1905: 18}, 18, False),
        ({1904: 18, 1905: 18}, 18, True),  # the game was over a year before
        ({1904: 18}, 17, True),
        ({1904: 18, 1905: 17}, 17, True),
        ({1901: 0}, 0, False),
        ({1901: 0, 1902: 0}, 0, False),
        ({1901: 0}, 1, True),
        ({1901: 3, 1902: 0, 1903: 1}, 0, True),
    ],
)
def test_counts_that_no_game_can_have_are_seen(years: dict[int, int], end: int, is_impossible: bool) -> None:
    counts = {year: (0, owned, 0, 0, 0, 0, 0) for year, owned in years.items()}
    board = one_board((0, end, 0, 0, 0, 0, 0), years=counts)
    seat = SeatRow(6, 5, 11, board, Power.ENGLAND, board.seats[Power.ENGLAND], None)
    assert checks_sheet._is_impossible(seat, 18) == is_impossible


def test_orders_and_rulings_are_listed() -> None:
    order = OrderLine(
        round=1, board="A", phase="S1901M", power="AUSTRIA", order="A VIE - GAL", result="fails", reason="bounced"
    )
    ruling = RulingLine(
        when="10:14", round=1, board="A", phase="S1901M", power="RUSSIA", written="=War-Gol", ruling="A WAR - GAL",
        rule="WM VI.2.e", by="TD", why="one reading",
    )  # fmt: skip
    written = write_workbook(scored_event("weaselmoot"), title="Our Cup", orders=[order], rulings=[ruling])
    book = load_workbook(BytesIO(written.data))
    assert [cell.value for cell in book["Orders"][5]][:7] == [
        1, "A", "S1901M", "Austria", "A VIE - GAL", "fails", "bounced"
    ]  # fmt: skip
    assert [cell.value for cell in book["Rulings"][5]][5:9] == ["=War-Gol", "A WAR - GAL", "WM VI.2.e", "TD"]
    assert book["Rulings"]["F5"].data_type == "s"


@pytest.mark.parametrize("title", ["Standings", "Rounds", "Boards", "Results", "Teams", "Best powers", "Awards"])
def test_what_is_hung_up_fits_the_width_of_a4_with_heads_on_every_page(title: str) -> None:
    sheet = book_of("nzdc1999")[title]
    assert (sheet.page_setup.paperSize, sheet.page_setup.fitToWidth) == (9, 1)
    assert sheet.print_area
    assert sheet.print_title_rows or title == "Best powers"


def test_only_inputs_can_be_typed_into() -> None:
    book = book_of("edc2023")
    for sheet in book.worksheets:
        assert sheet.protection.sheet
        for row in sheet.iter_rows():
            assert all(cell.protection.locked for cell in row if cell.data_type == "f")
    results = book["Results"]
    assert [results.cell(5, column).protection.locked for column in (1, 2, 3, 4, 5, 6)] == [
        True, True, True, False, False, True
    ]  # fmt: skip
    assert len(results.data_validations.dataValidation) > 5


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_inputs_take_the_numbers_that_there_can_be(name: str) -> None:
    rules = [each for sheet in book_of(name).worksheets for each in sheet.data_validations.dataValidation]
    assert rules
    assert all(each.type in ("whole", "list") and each.formula1 for each in rules)
    assert sum(not each.showErrorMessage for each in rules) == 1  # why a penalty is given may be one's own word
    assert all(each.allow_blank and each.error and len(each.errorTitle) <= 32 for each in rules)
    found = {
        (each.errorTitle, each.formula1, each.formula2)
        for sheet in book_of(name).worksheets
        for each in sheet.data_validations.dataValidation
        if each.type == "whole" and each.errorTitle in ("Centres", "Kilometres", "Lot")
    }
    assert found == {("Centres", "0", "34"), ("Kilometres", "0", "99999"), ("Lot", "1", "99999")}


def test_an_event_before_its_first_result_can_be_written() -> None:
    scored = score(EventResults(boards=()), rules_of("wdc2008"))
    assert write_workbook(scored, title="Our Cup").problems == ()


@pytest.mark.parametrize("unranked", ["is_director", "is_excluded"])
def test_a_final_table_on_which_nobody_is_ranked_can_be_written(unranked: str) -> None:
    event = played(rules_of("wdc2008"), 14, 4)
    players = {name: replace(player, **{unranked: True}) for name, player in event.players.items()}
    scored = score(replace(event, players=players), rules_of("wdc2008"))
    assert "Final table" in opened(scored).sheetnames


@pytest.mark.parametrize("name", [name for name in (*SIMPLE, *HIGHEST) if "game" in name])
def test_each_tie_break_by_single_games_may_stand_in_the_chain_of_the_final_table_alone(name: str) -> None:
    text = (data_folder("templates/rules") / "wdc2008.toml").read_text("utf-8")
    tables = tomllib.loads(text)
    tables["ties"] |= {"players": [], "final": [name]}
    rules = read_scoring(tables, "mine")
    found = score(played(rules, 14, rules.totals.rounds or 3), rules)
    assert write_workbook(found, title="Our Cup", sealed=False).data

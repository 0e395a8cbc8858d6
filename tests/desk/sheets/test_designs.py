"""A sheet is read by the design it was printed in, whatever is printed later."""

from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner
from facts_as_kept import read_facts
from msgspec.structs import replace

from desk.cup import clock
from desk.moot import drawn
from pipeline.board import FIRST_PHASE, Kind, Phase, Position, Power, Unit, standard_map
from pipeline.cli import group
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.settings import change_setting
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.publish.dutchmen import set_position
from pipeline.desk.sheets.printed import _targets_of, blocks, printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_round, printed_again
from pipeline.ledger.events import SheetsPrinted
from pipeline.orders import read_position, read_unit
from pipeline.paper.load_sheet import read_template
from pipeline.paper.sheet import SheetTemplate
from pipeline.paper.sheet_rows import Choices, Design
from pipeline.problems import Stopped
from pipeline.rehearsal.rehearse import Plan, rehearse
from pipeline.rehearsal.simulation import Listener
from pipeline.rules.abbreviations import fold
from pipeline.rules.load import load_tournament, tournament_ids
from pipeline.rules.reading_rules import CoastNeeded


def test_each_sheet_keeps_the_design_it_was_printed_in(event: Event) -> None:
    printed = print_round(event, 1)
    print_round(event, 1, wish=PrintWish(phase=Phase.read("F1901M")))

    designs = [sheet.request.design for sheet in printed_sheets(event).values()]

    assert designs == [Design.LINE] * 7 + [Design.TARGETS] * 7 + [Design.LINE] * 7
    for page in printed.layout.pages:
        assert printed_sheets(event)[page.sheet].page.form == page.form
        assert page.form.cells


def test_rows_of_targets_name_the_units_of_the_phase_and_where_they_can_go(event: Event) -> None:
    printed = print_round(event, 1, wish=PrintWish(design=Design.TARGETS))

    form = next(page.form for page in printed.layout.pages if page.power == "FRANCE")

    assert {form.unit_of(row): [cell.name for cell in form.cells_of(row)] for row in (1, 2, 3)} == {
        "A MAR": ["S", "H", "of BRE", "of MUN", "of PAR", "of VEN", "of", "BUR", "GAS", "PIE", "SPA", "via", "to"],
        "A PAR": ["S", "H", "of BRE", "of MAR", "of MUN", "of", "BRE", "BUR", "GAS", "PIC", "via", "to"],
        "F BRE": ["S", "H", "of LON", "of MAR", "of PAR", "of", "ENG", "GAS", "MAO", "PIC", "to"],
    }
    for page in printed.layout.pages:
        assert printed_sheets(event)[page.sheet].page == replace(page, page=1)


def test_where_three_letters_may_mean_another_place_more_are_printed() -> None:
    mapped = {name: load_tournament(name).abbreviations for name in tournament_ids()}
    for name, words in mapped.items():
        for code in words.rows:
            assert words.words.get(fold(words.plain_word(code)), (code,)) == (code,), (name, code)
    assert mapped["edc2023"].plain_word("MAR") == "MARS"
    assert mapped["edc2023"].plain_word("TYR") == "TYROL"
    assert mapped["weaselmoot"].plain_word("SPA/NC") == "SPA/NC"
    here = (Unit(Kind.ARMY, "SPA"), Unit(Kind.ARMY, "MAR"))
    choices = _targets_of(
        standard_map(), Position(phase=FIRST_PHASE, units={Power.FRANCE: here}, centres={}), here, mapped["edc2023"]
    )[0]
    assert [(one.place, one.word) for one in choices.goes] == [("GAS", "GAS"), ("MAR", "MARS"), ("POR", "POR")]
    assert [(one.place, one.word) for one in choices.helps] == [("MAR", "A MARS")]


def test_the_units_that_can_be_helped_are_the_nearest_ones_own_first() -> None:
    board = standard_map()
    words = load_tournament("weaselmoot").abbreviations
    mine = tuple(map(read_unit, ("A BUD", "F TRI", "A WAL")))
    theirs = tuple(map(read_unit, ("A VEN", "A SER", "F STP/NC", "A RUM")))
    position = Position(phase=FIRST_PHASE, units={Power.AUSTRIA: mine, Power.ITALY: theirs}, centres={})
    choices = _targets_of(board, position, mine, words)
    assert [one.word for one in choices[0].helps] == ["F TRI", "A RUM", "A SER", "A VEN"]
    assert [one.word for one in choices[2].helps] == []
    dislodged = replace(position, phase=Phase.read("S1901R"))
    assert not any(one.helps for one in _targets_of(board, dislodged, mine, words))


@pytest.mark.parametrize(
    ("tournament", "fleet", "coasts"),
    [
        ("weaselmoot", "F BLA", []),
        ("edc2023", "F BLA", []),
        ("nzdc1999", "F BLA", ["BUL/EC"]),
        ("weaselmoot", "F CON", ["BUL/EC", "BUL/SC"]),
        ("wdc2008", "F CON", ["BUL/EC", "BUL/SC"]),
    ],
)
def test_an_army_has_boxes_for_coasts_where_its_support_of_a_fleet_may_need_one(
    tournament: str, fleet: str, coasts: list[str]
) -> None:
    mine, rules = tuple(map(read_unit, ("A RUM", fleet))), load_tournament(tournament)
    here = Position(phase=FIRST_PHASE, units={Power.TURKEY: mine}, centres={})
    coast = rules.reading.coast_needed_in_support.value
    (_, army), _ = blocks(standard_map(), here, Power.TURKEY, rules.abbreviations, coast)
    assert [one.place for one in army.goes] == ["BUD", "BUL", "GAL", "SER", "SEV", "UKR", *coasts]


@pytest.mark.parametrize(
    ("units", "coasts"),
    [
        ("F RUM, F GRE", ["BUL/SC"]),
        ("F GRE, F BLA", ["BUL/EC"]),
        ("F MAR, F MAO", ["SPA/NC"]),  # it reaches both
        ("F NWY, F BOT", ["STP/SC"]),
        ("F RUM, A SER", []),
        ("F CON, F GRE", []),
    ],
)
def test_a_fleet_has_a_box_for_the_coast_that_it_cannot_reach_and_supports_another_onto(
    units: str, coasts: list[str]
) -> None:
    """Else the one box for that province named the wrong coast: the support failed, and nobody was asked."""
    mine, words = tuple(map(read_unit, units.split(", "))), load_tournament("weaselmoot").abbreviations
    here = Position(phase=FIRST_PHASE, units={Power.TURKEY: mine}, centres={})
    (_, fleet), _ = blocks(standard_map(), here, Power.TURKEY, words, CoastNeeded.NEVER)
    own = sorted(standard_map().reach(mine[0].kind, mine[0].place))
    assert [one.place for one in fleet.goes] == [*own, *coasts]
    assert fleet.only_help == len(coasts)


def test_where_there_is_no_room_for_the_targets_nothing_is_printed_or_written_down(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def narrow(text: str, where: str) -> SheetTemplate:
        template = read_template(text, where)
        return replace(template, targets=replace(template.target_measures, goes=1))

    monkeypatch.setattr("pipeline.desk.sheets.printing.read_template", narrow)
    before = len(list(read_facts(event.facts, "sheets printed")))
    with pytest.raises(
        Stopped, match="A BUD needs 6 boxes for where it goes, and its block has 2; print --design line"
    ):
        print_round(event, 1, wish=PrintWish(design=Design.TARGETS))
    assert len(list(read_facts(event.facts, "sheets printed"))) == before


def test_where_nothing_is_said_the_open_phase_gets_targets_and_what_has_no_units_yet_free_lines(event: Event) -> None:
    wishes = {
        Design.TARGETS: (PrintWish(), PrintWish(phase=FIRST_PHASE), PrintWish(spare=1)),
        Design.LINE: (PrintWish(pads=1), PrintWish(phase=Phase.read("F1901M")), PrintWish(for_beginners=True)),
    }
    for design, which in wishes.items():
        for wish in which:
            pages = print_round(event, 1, wish=wish).layout.pages
            assert {printed_sheets(event)[page.sheet].request.design for page in pages} == {design}, wish


def test_in_winter_the_homes_that_may_build_and_the_units_that_may_go_have_rows() -> None:
    board, words = standard_map(), load_tournament("edc2023").abbreviations
    winter = Position(
        phase=Phase.read("W1901A"),
        units={Power.RUSSIA: (read_unit("F SEV"),), Power.FRANCE: tuple(map(read_unit, ("A MAR", "F MAO")))},
        centres={Power.RUSSIA: ("MOS", "SEV", "STP"), Power.FRANCE: ("PAR",)},
    )
    builds = blocks(board, winter, Power.RUSSIA, words)
    assert [(unit, [one.place for one in choices.goes]) for unit, choices in builds] == [
        ("MOS", ["A MOS"]),
        ("STP", ["A STP", "F STP/NC", "F STP/SC"]),
        ("", []),  # a build that is waived
        ("", []),
    ]
    assert blocks(board, winter, Power.FRANCE, words) == (("A MARS", Choices(())), ("F MAO", Choices(())))


def test_blocks_of_a_named_phase_show_its_units(event: Event) -> None:
    named = print_round(event, 1, wish=PrintWish(design=Design.TARGETS, phase=Phase.read("S1901M")))
    assert [page.form.units for page in named.layout.pages if page.power == "ITALY"] == [("A ROM", "A VEN", "F NAP")]


@pytest.mark.slow
def test_a_rehearsal_on_blocks_has_nothing_wrong_unasked(tmp_path: Path) -> None:
    plan = Plan(boards=1, seasons=1, seed=5, design=Design.TARGETS)
    found = rehearse(plan, tmp_path, best_recogniser(), Listener())

    assert found["rows"] > 20
    assert found["read_alone"] > 8, "the reader reads"
    assert (found["wrong_unasked"], found["differs_after_ruling"]) == (0, 0), found["differences"]
    assert found["design"] == "targets"


WINTER = Phase.read("W1901A")
MM = 25.4 / 72
SIZES = {"A4": (297, 210), "LETTER": (279, 216)}  # in mm, as they lie before slips are cut apart


def sizes_of(pdf: bytes) -> list[tuple[int, int]]:
    """The papers of a PDF, in mm; half an A4 sheet is a half millimetre less than half of it."""
    with pypdfium2.PdfDocument(pdf) as document:
        found = [tuple(round(side * MM) for side in page.get_size()) for page in document]
    return [(297, 210) if size == (296, 210) else (size[0], size[1]) for size in found]


def on_paper(event: Event, paper: str) -> Event:
    change_setting(event, "paper", paper, "Tess")
    return event


@pytest.mark.parametrize("paper", SIZES)
def test_two_slips_of_a_winter_are_printed_on_a_paper_and_once_more_so(event: Event, paper: str) -> None:
    printed = print_round(on_paper(event, paper), 1, wish=PrintWish(phase=WINTER, slips=True))
    again = printed_again(event, max(sheet.fact for sheet in printed_sheets(event).values()))

    assert again == printed.pdf
    assert printed.slips == 7
    assert sizes_of(again) == [SIZES[paper]] * 4, "seven slips, two on a paper"


def test_an_a5_page_has_no_half(event: Event) -> None:
    printed = print_round(on_paper(event, "A5"), 1, wish=PrintWish(phase=WINTER, slips=None))
    assert (printed.slips, sizes_of(printed.pdf)) == (0, [(148, 210)] * 7)
    with pytest.raises(Stopped, match=r"slips are halves of A4, LETTER; the event's paper is A5"):
        print_round(event, 1, wish=PrintWish(phase=WINTER, slips=True))


PEOPLE = [f"{first}. {last}" for first in "ABC" for last in "KLMNOPQ"]
MANY = ["BRE", "GAS", "MAR", "PAR", "PIC", "BUR", "SPA", "POR", "BEL", "HOL", "RUH", "KIE", "MUN", "BER", "DEN", "TYR"]
WINTERS = {
    "1.2": {"units": {"ITALY": ["F NAP"]}, "centers": {"ITALY": ["NAP", "ROM"]}},
    "1.3": {"units": {"FRANCE": [f"A {place}" for place in MANY]}, "centers": {"FRANCE": ["PAR"]}},
}


@pytest.mark.parametrize("paper", SIZES)
def test_each_board_is_on_slips_where_all_its_sheets_fit(tmp_path: Path, paper: str) -> None:
    """One board is in Spring, one in a winter of one build; on one a power disbands more than half a page has rows."""
    with open_event(drawn(tmp_path / "moot", PEOPLE), clock) as event:
        for board, winter in WINTERS.items():
            game = find_game(event, board)
            set_position(event, game, read_position({"phase": "W1901A", **winter}, game.map), "Tess", "a test")
        printed = print_round(on_paper(event, paper), 1, wish=PrintWish(slips=None))

        whole = (SIZES[paper][1], SIZES[paper][0])
        assert sizes_of(printed.pdf) == [*[whole] * 8, SIZES[paper]]
        assert printed.slips == 1
        assert printed_again(event, *(fact.number for fact in event.facts.select(SheetsPrinted))) == printed.pdf


def test_the_command_prints_slips_unless_a_program_asks_where_everything_is(tmp_path: Path) -> None:
    cup = drawn(tmp_path / "moot", PEOPLE[:14])
    with open_event(cup, clock) as event:
        game = find_game(event, "1.2")
        set_position(event, game, read_position({"phase": "W1901A", **WINTERS["1.2"]}, game.map), "Tess", "a test")
    of_all = ["sheets", str(cup), "--round", "1", "-o", str(tmp_path / "sheets.pdf")]
    of_one = ["sheets", str(cup), "--board", "1.2", "-o", str(tmp_path / "sheets.pdf")]
    whole = {"of_layout": [*of_one, "--layout", str(tmp_path / "layout.json")], "asked": [*of_one, "--no-slips"]}
    said = {name: CliRunner().invoke(group, arguments).output for name, arguments in whole.items()}
    assert all(" 1 sheet\n" in each for each in said.values()), said
    assert " 8 sheets, 1 on half a page: cut them apart" in CliRunner().invoke(group, of_all).output

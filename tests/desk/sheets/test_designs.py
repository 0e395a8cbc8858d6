"""A sheet is read by the design it was printed in, whatever is printed later."""

from pathlib import Path

import pypdfium2
import pytest
from msgspec.structs import replace

from pipeline.board import FIRST_PHASE, Kind, Phase, Position, Power, Unit, standard_map
from pipeline.desk.event.event import Event
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.sheets.printed import _targets_of, blocks, printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_round, print_wish, printed_again
from pipeline.orders import read_unit
from pipeline.paper.load_sheet import read_template
from pipeline.paper.sheet import SheetTemplate
from pipeline.paper.sheet_rows import Choices, Design
from pipeline.problems import Stopped
from pipeline.rehearsal.rehearse import Plan, rehearse
from pipeline.rehearsal.simulation import Listener
from pipeline.rules.abbreviations import fold
from pipeline.rules.load import load_tournament, tournament_ids


def test_each_sheet_keeps_the_design_it_was_printed_in(event: Event) -> None:
    printed = print_round(event, 1, None, None, 0)
    print_round(event, 1, None, Phase.read("F1901M"), 0)

    designs = [sheet.request.design for sheet in printed_sheets(event).values()]

    assert designs == [Design.LINE] * 7 + [Design.TARGETS] * 7 + [Design.LINE] * 7
    for page in printed.layout.pages:
        assert printed_sheets(event)[page.sheet].page.form == page.form
        assert page.form.cells


def test_rows_of_targets_name_the_units_of_the_phase_and_where_they_can_go(event: Event) -> None:
    printed = print_wish(event, 1, None, PrintWish(design=Design.TARGETS))

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


def test_where_there_is_no_room_for_the_targets_nothing_is_printed_or_written_down(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def narrow(text: str, where: str) -> SheetTemplate:
        template = read_template(text, where)
        return replace(template, targets=replace(template.target_measures, goes=1))

    monkeypatch.setattr("pipeline.desk.sheets.printing.read_template", narrow)
    before = len(list(event.facts.read("sheets printed")))
    with pytest.raises(
        Stopped, match="A BUD needs 6 boxes for where it goes, and its block has 2; print --design line"
    ):
        print_wish(event, 1, None, PrintWish(design=Design.TARGETS))
    assert len(list(event.facts.read("sheets printed"))) == before


def test_where_nothing_is_said_the_open_phase_gets_targets_and_what_has_no_units_yet_free_lines(event: Event) -> None:
    wishes = {
        Design.TARGETS: (PrintWish(), PrintWish(phase=FIRST_PHASE), PrintWish(spare=1)),
        Design.LINE: (PrintWish(pads=1), PrintWish(phase=Phase.read("F1901M")), PrintWish(for_beginners=True)),
    }
    for design, which in wishes.items():
        for wish in which:
            pages = print_wish(event, 1, None, wish).layout.pages
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


def test_blocks_of_a_phase_to_come_are_refused(event: Event) -> None:
    with pytest.raises(Stopped) as stopped:
        print_wish(event, 1, None, PrintWish(design=Design.TARGETS, phase=Phase.read("F1901M")))
    assert [problem.text for problem in stopped.value.problems] == [
        "targets show the units of the open phase only; print another design"
    ]
    named = print_wish(event, 1, None, PrintWish(design=Design.TARGETS, phase=Phase.read("S1901M")))
    assert [page.form.units for page in named.layout.pages if page.power == "ITALY"] == [("A ROM", "A VEN", "F NAP")]


@pytest.mark.slow
def test_a_rehearsal_on_blocks_has_nothing_wrong_unasked(tmp_path: Path) -> None:
    plan = Plan(boards=1, seasons=1, seed=5, design=Design.TARGETS)
    found = rehearse(plan, tmp_path, best_recogniser(), Listener())

    assert found["rows"] > 20
    assert found["read_alone"] > 8, "the reader reads"
    assert (found["wrong_unasked"], found["differs_after_ruling"]) == (0, 0), found["differences"]
    assert found["design"] == "targets"


def test_two_slips_of_a_winter_are_printed_on_a_paper_and_once_more_so(event: Event) -> None:
    when = Phase.read("W1901A")
    printed = print_wish(event, 1, None, PrintWish(phase=when, slips=True))
    again = printed_again(event, max(sheet.fact for sheet in printed_sheets(event).values()))

    assert again == printed.pdf
    assert (printed.layout.pages[0].form.width, printed.layout.pages[0].form.height) == (148.0, 210.0)
    with pypdfium2.PdfDocument(again) as document:
        sizes = [tuple(round(side / 72 * 25.4) for side in page.get_size()) for page in document]
    assert sizes == [(296, 210)] * 4, "seven slips, two on a paper"


def test_a_movement_is_not_printed_on_slips(event: Event) -> None:
    with pytest.raises(Stopped, match="slips have room for retreats and winters only"):
        print_wish(event, 1, None, PrintWish(slips=True))

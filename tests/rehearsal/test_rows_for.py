"""Where a script's lines are written on sheets of targets, and what their rows say of them."""

from paper.rows_of import form_of, targets

from pipeline.rehearsal.simulated_scans import by_sea, rows_for
from pipeline.rules.load import load_tournament

LINES = ("F MAO - ENG", "A PAR - LON", "F NTH - NWY", "A BRE H")


def test_a_line_is_written_in_its_units_row_and_one_without_a_row_in_a_free_one() -> None:
    form = form_of(targets())  # A PAR, F STP/NC, F NTH, F MAO
    words = load_tournament("weaselmoot").abbreviations
    assert rows_for(LINES, [form], words) == {4: 1, 1: 2, 3: 3, 5: 4}


def test_a_move_to_a_place_without_a_box_is_ticked_as_one_by_sea() -> None:
    form = form_of(targets())
    taken = rows_for(LINES, [form], load_tournament("weaselmoot").abbreviations)
    assert by_sea(LINES, [form], taken) == {2}

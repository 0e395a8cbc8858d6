"""Each limit by which ink and letters are judged has a case: a quarter of it fails one, and so does four times it."""

from collections.abc import Callable, Iterator
from dis import get_instructions
from itertools import product
from types import FunctionType
from typing import Any

import pytest

from pipeline.reading import band, boxes, dewarp, free, loose, marks, outside, register, strokes
from reading.ink import test_hooks as hooks
from reading.ink import test_limits_of_ink as ink
from reading.net import test_limits_of_letters as letters
from reading.registration import test_geometry as geometry


def runs(test: FunctionType) -> Iterator[dict[str, Any]]:
    """The arguments of each case of a test."""
    axes = []
    for mark in (mark for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"):
        names = [each.strip() for each in mark.args[0].split(",")] if isinstance(mark.args[0], str) else mark.args[0]
        axes.append([dict(zip(names, case if len(names) > 1 else [case], strict=True)) for case in mark.args[1]])
    for cases in product(*axes):
        yield {name: value for case in cases for name, value in case.items()}


def notices(test: FunctionType) -> bool:
    for arguments in runs(test):
        try:
            test(**arguments)
        except Exception:  # whatever the wrong number leads to
            return True
    return False


HELD: list[tuple[list[Any], list[Callable[..., Any]]]] = [
    (
        [
            letters.test_a_mark_above_the_letters_is_large_and_clear_of_them,
            letters.test_over_a_letter_with_a_dot_or_a_bar_a_mark_is_larger,
        ],
        [loose._is_above],
    ),
    ([letters.test_a_mark_beside_the_signs_is_long_and_away_from_them], [loose._is_beside]),
    ([letters.test_a_dash_is_long_flat_and_in_the_middle], [free._is_dash]),
    ([letters.test_a_gap_tears_a_word_where_it_is_wider_than_at_its_ends_and_stands_out], [free.is_torn]),
    ([letters.test_a_letter_away_from_the_word_before_it_and_at_the_next_belongs_to_that], [free.run_together]),
    ([ink.test_what_is_long_enough_or_large_enough_is_ink], [strokes.has_ink]),
    ([ink.test_a_row_is_struck_by_a_straight_line_or_a_long_scribble], [strokes.is_struck]),
    ([ink.test_a_line_is_straight_if_it_climbs_by_no_more_than_four_degrees], [strokes._straightest]),
    ([ink.test_ink_of_the_rows_above_and_below_is_told_from_a_rows_own], [strokes.own_parts]),
    (
        [ink.test_a_tick_is_told_from_a_slip_of_the_pen_and_from_what_is_taken_back],
        [strokes.mark_in, strokes._is_taken_back, strokes._is_blacked_out, strokes._is_shaded],
    ),
    ([ink.test_who_fills_nearly_all_boxes_ticks_so], [strokes.are_shaded]),
    (
        [ink.test_what_leaves_a_row_further_than_letters_do_is_noted],
        [band.paper_notes, band.lies_beyond, band.letters_of_field, band.drawn_by_pen],
    ),
    ([ink.test_a_row_is_hidden_where_its_dots_are_gone_for_twenty_four_millimetres], [band._has_gap]),
    (
        [
            ink.test_a_pens_stroke_on_free_paper_is_told_from_dirt_and_stains,
            ink.test_near_strokes_are_taken_together_and_specks_are_none,
        ],
        [outside._find_strokes, outside._join_near_strokes],
    ),
    (
        [ink.test_a_broad_stroke_is_wider_than_a_pens_and_narrower_than_a_highlighters_and_no_blot],
        [strokes.find_broad_marks],
    ),
    (
        [
            hooks.test_the_corner_of_a_hook_may_be_a_little_below_its_box,
            hooks.test_both_arms_of_a_hook_rise_by_a_millimetre,
            hooks.test_a_tick_belongs_to_its_box_however_high_it_rises,
        ],
        [boxes._has_corner, boxes._find_hooks],
    ),
    ([geometry.test_paper_whose_one_end_is_three_times_as_near_cannot_be_read], [marks.is_possible]),
    (
        [geometry.test_a_mark_far_from_its_neighbours_is_forgotten_and_what_is_lost_lies_between_them],
        [dewarp._drop_leaps, dewarp._drop_strays],
    ),
    ([geometry.test_what_is_amiss_with_a_picture_is_told_and_no_more], [register.warnings]),
]


@pytest.mark.parametrize(("tests", "judges"), HELD, ids=[judges[0].__name__ for _, judges in HELD])
def test_a_quarter_of_each_limit_and_four_times_as_much_fail_a_case(
    monkeypatch: pytest.MonkeyPatch, tests: list[Any], judges: list[Any]
) -> None:
    unheld = []
    for judge in judges:
        for name in {each.argval for each in get_instructions(judge) if each.opname == "LOAD_GLOBAL"}:
            limit = judge.__globals__.get(name)
            if name == "PIXELS_PER_MM" or type(limit) not in (int, float):
                continue
            for other in (limit * 4, type(limit)(limit / 4)):
                monkeypatch.setitem(judge.__globals__, name, other)
                if not any(map(notices, tests)):
                    unheld.append(f"{name} {limit} -> {other}")
                monkeypatch.setitem(judge.__globals__, name, limit)
    assert unheld == []

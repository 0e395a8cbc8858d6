"""What the measures of a template must be to one another: the limit is allowed, and what is just beyond it is told."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from paper.rows_of import template

from pipeline.board import Step
from pipeline.paper import load_sheet
from pipeline.paper.form import INSET, Block, ChoiceColumn, CopiedColumn, WrittenColumn
from pipeline.paper.sheet import LEAST_PITCH_MM, SheetTemplate
from pipeline.words.speech import speech_of

SHEET = template()
BALLOT = SHEET.target_measures
LITTLE = 0.01  # mm
MEMBERS = WrittenColumn(name="name", left=20, width=60, heading="Name")
TEAM = Block(
    top=60, pitch=LEAST_PITCH_MM, heading_y=60 + INSET, label_left=20, label_width=9, label_pt=8, columns=(MEMBERS,)
)
CHOICE = ChoiceColumn(name="who", left=20, step=9, choices=("A", "B"))


def ballot_for_one_unit(step: Step, less: float) -> Any:
    """Blocks with just the height for one unit and a free row, or a little less."""
    line = BALLOT.least if step is Step.MOVEMENT else BALLOT.least_alone
    needed = BALLOT.free_height + BALLOT.above + line * BALLOT.lines_on(step)
    return replace(BALLOT, bottom=BALLOT.top + needed - less)


def limits() -> Iterator[tuple[str, Any, Any]]:
    """What is wrong beyond a limit, a value at it, and one just beyond."""
    yield "roomy_tick", replace(BALLOT, roomy_tick=BALLOT.tick), replace(BALLOT, roomy_tick=BALLOT.tick - LITTLE)
    yield "most", replace(BALLOT, most=BALLOT.least_alone), replace(BALLOT, most=BALLOT.least_alone - LITTLE)
    columns = BALLOT.unit + BALLOT.does + BALLOT.whom * BALLOT.whom_width + BALLOT.goes * BALLOT.goes_width
    at, beyond = (replace(BALLOT, right=BALLOT.left + columns - less) for less in (0, LITTLE))
    yield "goes_width", at, beyond
    for step in Step:
        rows = {step.name.lower(): SHEET.rows.spare + 1}
        yield step.name.lower(), replace(SHEET.rows, **rows), replace(SHEET.rows, **{step.name.lower(): 2})
    yield "pitch", TEAM, replace(TEAM, pitch=LEAST_PITCH_MM - LITTLE)
    yield "heading_y", TEAM, replace(TEAM, heading_y=TEAM.heading_y + LITTLE)
    yield "labels", replace(CHOICE, labels=("a", "b")), replace(CHOICE, labels=("a",))
    yield "choices", CHOICE, replace(CHOICE, per="seats")
    yield "choices", replace(CHOICE, choices=(), per="seats"), replace(CHOICE, choices=())
    yield "name", MEMBERS, replace(MEMBERS, name="")


@pytest.mark.parametrize(("key", "at", "beyond"), list(limits()))
def test_a_limit_is_allowed_and_what_is_just_beyond_it_is_told(key: str, at: Any, beyond: Any) -> None:
    assert list(at.faults()) == []
    assert [found for found, _ in beyond.faults()] == [key]


@pytest.mark.parametrize("step", Step)
def test_a_sheet_has_room_for_one_unit_at_least(step: Step) -> None:
    """Where there is none for a unit of this step there may be one for a unit of another."""
    text = f"there is no room for one unit on a sheet of {step.name.lower()}"
    assert ("top", text) not in ballot_for_one_unit(step, 0).faults()
    assert ("top", text) in ballot_for_one_unit(step, LITTLE).faults()


def test_what_nobody_writes_on_needs_no_heading_above_it_and_no_name() -> None:
    low = replace(TEAM, heading_y=90)
    assert [key for key, _ in low.faults()] == ["heading_y"]
    assert list(replace(low, columns=(replace(MEMBERS, heading=""),)).faults()) == []
    assert list(replace(low, pitch=1, columns=(CHOICE,)).faults()) == []
    assert list(CopiedColumn(left=20, width=60).faults()) == []


FLOOR = SHEET.height - SHEET.markers.margin - max(SHEET.markers.size, SHEET.codes.bottom)
SIDE = SHEET.markers.margin + SHEET.bars.width
WHOLE: list[tuple[str, Callable[[float], SheetTemplate]]] = [
    ("rows.movement", lambda more: moved(rows=replace(SHEET.rows, top=FLOOR - 17 * SHEET.rows.pitch + more))),
    ("rows.right", lambda more: moved(rows=replace(SHEET.rows, right=SHEET.width - SIDE - LITTLE / 2 + more))),
    ("rows.right", lambda more: moved(rows=replace(SHEET.rows, left=SIDE + LITTLE / 2 - more))),
    ("ballot.right", lambda more: moved(targets=replace(BALLOT, left=SIDE + LITTLE / 2 - more))),
    ("ballot.bottom", lambda more: moved(targets=replace(BALLOT, bottom=FLOOR + more, left=19))),
    ("beginners.retreats_rows", lambda more: beginners(retreats=3 - bool(more))),
]


def moved(**parts: Any) -> SheetTemplate:
    return replace(SHEET, **parts)


def beginners(**rows: int) -> SheetTemplate:
    assert SHEET.beginners is not None
    return replace(SHEET, beginners=replace(SHEET.beginners, **rows))


@pytest.mark.parametrize(("key", "changed"), WHOLE)
def test_so_is_what_comes_too_near_to_the_bars_and_the_markers(
    key: str, changed: Callable[[float], SheetTemplate]
) -> None:
    assert key not in dict(load_sheet._faults_in(changed(0)))
    assert key in dict(load_sheet._faults_in(changed(LITTLE)))


def test_blocks_may_reach_down_beside_the_codes() -> None:
    """At the left the codes stand; who begins to the right of them has the height of the markers."""
    beside = SHEET.header.left + SHEET.codes.bottom
    for left, keys in ((beside, set()), (beside - LITTLE, {"ballot.bottom"})):
        low = replace(BALLOT, bottom=FLOOR + 1, left=left)
        assert dict(load_sheet._faults_in(moved(targets=low))).keys() == keys


def test_a_file_that_is_no_toml_is_translated_as_it_is() -> None:
    assert load_sheet.translate_template("[paper", speech_of("de")) == "[paper"

"""The templates of forms: all faults at once with how to mend them, and everything where it can be written and read."""

import re
from math import inf, nextafter

import pytest
from msgspec.structs import replace

from pipeline.paper.form import FormKind, FormRequest, FormTemplate, Item, NumberColumn, impose, place_form
from pipeline.paper.load_form import _faults_in, read_form
from pipeline.paper.sheet import PAPER_SIZES
from pipeline.paper.sheet_layout import ChoiceAnswer, NumberAnswer, SignatureAnswer, TextAnswer, answer_boxes
from pipeline.problems import Stopped
from pipeline.small_files import data_folder


def text_of(kind: FormKind) -> str:
    return (data_folder("templates/sheets/forms") / f"{kind}.toml").read_text("utf-8")


def template(kind: FormKind) -> FormTemplate:
    return read_form(text_of(kind), f"{kind}.toml")


def full(kind: FormKind) -> FormRequest:
    lists = {
        name: tuple(Item(f"{name}{n}", f"{name} {n}") for n in range(most))
        for name, most in template(kind).lists.items()
    }
    return FormRequest(event="WM26", serial=7, kind=kind, title="Cup", about="Round 1", lists=lists)


def faults(text: str) -> list[str]:
    with pytest.raises(Stopped) as stopped:
        read_form(text, "x.toml")
    return [f"{problem.where}: {problem.text}" for problem in stopped.value.problems]


@pytest.mark.parametrize("kind", FormKind)
def test_every_answer_of_a_form_has_a_name_and_a_number_of_its_own(kind: FormKind) -> None:
    answers = place_form(full(kind), template(kind)).answers
    assert [answer.number for answer in answers] == list(range(1, len(answers) + 1))
    assert len({answer.name for answer in answers}) == len(answers)


def test_the_markers_tell_the_kinds_apart_and_no_sheet_has_them() -> None:
    slots = [kind.slot for kind in FormKind if kind is not FormKind.SAMPLE]
    assert slots == [245, 246, 247, 248, 249]  # sheets have 0 to 244: 35 boards of seven powers


def test_a_writing_sample_has_the_markers_of_a_team_entry_in_the_same_places() -> None:
    sample, team = (place_form(full(kind), template(kind)) for kind in (FormKind.SAMPLE, FormKind.TEAM))
    assert sample.slot == team.slot
    assert sample.form.markers == team.form.markers
    assert sample.form.codes == team.form.codes
    assert sample.form.printed_id == team.form.printed_id


@pytest.mark.parametrize("kind", FormKind)
def test_the_layout_lists_every_place_to_write_in(kind: FormKind) -> None:
    page = place_form(full(kind), template(kind))
    wanted = sum(
        len(a.boxes) if isinstance(a, NumberAnswer | ChoiceAnswer) else isinstance(a, TextAnswer | SignatureAnswer)
        for a in page.answers
    )
    fields = page.as_json()["fields"]
    assert len(fields) == wanted == len({(field["name"], field["row"]) for field in fields})


def test_slips_are_four_on_a_page_and_ballots_two_on_both_papers() -> None:
    found = {
        (kind, paper): len(impose(template(kind), paper).places) for kind in FormKind for paper in ("A4", "LETTER")
    }
    for paper in ("A4", "LETTER"):
        assert [found[kind, paper] for kind in FormKind] == [1, 4, 2, 2, 1, 2]
    for kind, paper in found:
        form, page = template(kind), impose(template(kind), paper)
        odd = impose(replace(form, width=form.width - 0.00037, height=form.height - 0.00037), paper).places
        assert odd == tuple((round(left, 3), round(top, 3)) for left, top in odd), "to the micrometre"
        assert sorted((page.width, page.height)) == sorted(PAPER_SIZES[paper])
        left, top = (min(place[side] for place in page.places) for side in (0, 1))
        right, low = (max(place[side] for place in page.places) for side in (0, 1))
        assert (left, top) == pytest.approx((page.width - right - form.width, page.height - low - form.height))


@pytest.mark.parametrize(("digits", "least", "most", "wrong"), [
    (1, 0, 9, False), (1, 0, 10, True), (2, 0, 99, False), (2, 0, 100, True), (2, 5, 5, False), (2, 5, 4, True),
])  # fmt: skip
def test_a_number_fits_into_its_boxes(digits: int, least: int, most: int, wrong: bool) -> None:
    column = NumberColumn(name="x", left=1, digits=digits, least=least, most=most)
    assert [key for key, _ in column.faults()] == ["most"] * wrong
    assert [key for key, _ in replace(column, per="x").faults()] == ["most"] * wrong + ["step"]
    assert [key for key, _ in replace(column, per="x", step=1.0).faults()] == ["most"] * wrong


def test_a_form_that_is_larger_than_the_paper_is_refused() -> None:
    with pytest.raises(Stopped, match=r"form of 204 by 270 mm does not fit on A5; print it on A4 or LETTER"):
        impose(template(FormKind.BOARD), "A5")


def test_all_faults_of_a_template_are_told_at_once() -> None:
    text = text_of(FormKind.BOARD).replace('kind = "board"', 'kind = "bord"').replace("digits = 2", "digits = 9")
    text = text.replace("digit_gap = 1.4", "digit_gap = 0.2").replace('per = "owners"', 'per = "owner"')
    text = text.replace("guide_above = 1.6", "guide_abov = 1.6")
    assert faults(text) == [
        "x.toml blocks[0].columns[0].digits: expected 1 to 4, found 9",
        "x.toml blocks[0].columns[0].per: unknown list 'owner'; did you mean 'owners'?",
        "x.toml boxes.digit_gap: expected at least 1.2 mm, found 0.2",
        "x.toml form.guide_abov: unknown field; did you mean 'guide_above'?",
        "x.toml form.guide_above: missing; expected a number",
        "x.toml form.kind: 'bord' is not one of board, vote, ratings, team, game, sample; did you mean 'board'?",
    ]


@pytest.mark.parametrize("kind", [kind for kind in FormKind if 'each = "' in text_of(kind)])
def test_a_list_that_is_not_there_is_refused_with_those_that_are(kind: FormKind) -> None:
    lists = template(kind).lists
    text = re.sub(r'(?m)^(each|per) = "\w+"', r'\1 = "zzzzzz"', text_of(kind))
    told = [fault for fault in faults(text) if "zzzzzz" in fault]
    assert told
    assert all(fault.endswith(f"there are {', '.join(lists)}") for fault in told)


@pytest.mark.parametrize("kind", FormKind)
def test_answers_may_reach_to_the_bars_and_to_the_markers_and_no_further(kind: FormKind) -> None:
    form = template(kind)
    boxes = [box for answer in place_form(full(kind), form).answers for box in answer_boxes(answer)]
    wide = leaving(max(box.right for box in boxes), form.markers.margin + form.bars.width)
    foot = max(form.markers.size, form.codes.bottom)
    high = leaving(leaving(max(box.bottom for box in boxes), foot), form.markers.margin)

    def told(width: float, height: float) -> set[str]:
        found = [text for _, text in _faults_in(replace(form, width=width, height=height))]
        return {part for part in ("between the bars", "ends below") for text in found if part in text}

    assert told(wide, high) == set()
    assert told(wide - 1e-9, high) == {"between the bars"}
    assert told(wide, high - 1e-9) == {"ends below"}


def leaving(room: float, off: float) -> float:
    """What leaves exactly this room when so much is taken off."""
    near = room + off
    return next(each for each in (near, nextafter(near, inf), nextafter(near, 0)) if each - off == room)


def test_what_lies_over_something_else_or_outside_is_told() -> None:
    narrow = faults(re.sub(r"step = 20\.6", "step = 9.0", text_of(FormKind.BOARD)))
    assert "x.toml blocks: 'years 0 owners 0' and 'years 0 owners 1' lie over one another" in narrow
    wide = faults(re.sub(r"step = 20\.6", "step = 30.0", text_of(FormKind.BOARD)))
    assert "x.toml blocks: 'years 0 owners 7' is not between the bars, 12 to 192 mm" in wide
    low = faults(text_of(FormKind.TEAM).replace("pitch = 19.0", "pitch = 30.0"))
    assert "x.toml blocks: 'members 5 number' ends below 185 mm, where the markers begin" in low


def test_all_that_lies_over_something_else_is_told_at_once() -> None:
    narrow = faults(re.sub(r"step = 20\.6", "step = 9.0", text_of(FormKind.BOARD)))
    for n in range(7):
        assert f"x.toml blocks: 'years 0 owners {n}' and 'years 0 owners {n + 1}' lie over one another" in narrow


def test_rows_that_are_too_low_to_write_in_are_told() -> None:
    low = text_of(FormKind.TEAM).replace("pitch = 14.0", "pitch = 1.0")
    assert faults(low) == ["x.toml blocks[0].pitch: expected at least 9 mm to write in, found 1"]


def test_two_answers_of_one_name_are_told() -> None:
    text = text_of(FormKind.TEAM).replace('name = "signature"', 'name = "name"')
    assert "x.toml blocks: 2 answers are called 'members 0 name'; give the columns different names" in faults(text)


def test_a_file_that_is_no_toml_is_told() -> None:
    assert faults("= 3")[0].startswith("x.toml: not TOML")


@pytest.mark.parametrize("kind", list(FormKind))
def test_bars_that_reach_into_the_markers_at_the_foot_are_told(kind: FormKind) -> None:
    text = text_of(kind)
    count = int(re.findall(r"^count = (\d+)", text.partition("[bars]")[2], re.MULTILINE)[0])
    assert any("bars.count" in fault for fault in faults(text.replace(f"count = {count}", f"count = {4 * count}", 1)))

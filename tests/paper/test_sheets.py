"""Printed sheets: the same bytes for the same request, and everything where the layout says."""

from itertools import product

import cv2
import numpy as np
import pytest
import zxingcpp
from msgspec.structs import replace
from paper.drawn import not_printed, picture, words

from pipeline.board import Phase, Power, Step
from pipeline.paper.canvas import _marker_words
from pipeline.paper.load_sheet import read_template
from pipeline.paper.printed_sheet import print_sheets
from pipeline.paper.sheet import Example, SheetId, SheetRequest, SheetTemplate, parts_for, slot_of
from pipeline.paper.sheet_layout import layout, place_fields
from pipeline.paper.sheet_rows import Design
from pipeline.problems import Stopped
from pipeline.small_files import data_folder

A4_TEXT = (data_folder("templates/sheets") / "a4.toml").read_text("utf-8")

LIVE = "https://moot.example"


@pytest.fixture(scope="module")
def a4() -> SheetTemplate:
    return read_template(A4_TEXT, "a4.toml")


def request(phase: str = "S1901M", serial: int = 42, **other: object) -> SheetRequest:
    plain = SheetRequest(
        event="WM26",
        serial=serial,
        title="Weasel Moot 2026",
        round=1,
        board="1",
        slot=slot_of(0, Power.FRANCE),
        power=Power.FRANCE,
        phase=Phase.read(phase),
    )
    return replace(plain, **other)  # one test's fields


@pytest.mark.parametrize(
    ("phase", "season", "lines", "how"),
    [
        ("S1901M", "Spring 1901 orders", 17,
         "One order on each line, on the dotted line: A VIE - BOH F MAO S A GAS - SPA"),
        ("F1901R", "Fall 1901 retreats", 8,
         "One dislodged unit on each line: A VEN R APU to retreat, A VEN D to disband."),
        ("W1901A", "Winter 1901 adjustments", 8, "One unit on each line: F STP/NC B to build, A SYR D to disband"),
    ],
)  # fmt: skip
def test_a_sheet_says_whose_it_is_and_what_is_written_where(
    a4: SheetTemplate, phase: str, season: str, lines: int, how: str
) -> None:
    said = words(print_sheets([request(phase, player="Ann Łé")], a4))
    head = f"FRANCE {season} · Round 1 · Board 1 WM26-0042-V Weasel Moot 2026 Player Ann Łé Signature"
    alphabet = "Please write in CAPITALS: A B C D E F G H I J K L M N O P Q R S T U V W X Y Z"
    assert said.startswith(f"{head} {alphabet} {' '.join(map(str, range(1, lines + 1)))} {how}")
    assert said.endswith("Mistake: strike the whole line out once and write the order on a free line.")


@pytest.mark.parametrize("paper", ["a4", "a5", "letter", "half_letter"])
@pytest.mark.parametrize("is_pad", [False, True])
def test_bars_and_boxes_to_tick_are_printed_where_they_are_read(paper: str, is_pad: bool) -> None:
    wanted = request("S1901M", is_pad=is_pad)
    assert (
        not_printed(picture(print_sheets([wanted], template(paper))), layout([wanted], template(paper)).pages[0]) == []
    )


def test_both_codes_hold_the_id(a4: SheetTemplate) -> None:
    found = zxingcpp.read_barcodes(
        picture(print_sheets([request()], a4)), formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    )
    assert [code.text for code in found] == ["WM26-0042-V"] * 2


def test_the_corner_markers_are_the_slots_four_and_where_the_layout_says(a4: SheetTemplate) -> None:
    page = layout([request(slot=249)], a4).pages[0]
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_1000))
    corners, ids, _ = detector.detectMarkers(picture(print_sheets([request(slot=249)], a4), 200))
    found = {int(number): corner[0] for number, corner in zip(np.ravel(ids), corners, strict=True)}
    assert sorted(found) == [996, 997, 998, 999]
    for number, box in zip(page.marker_ids, page.form.markers, strict=True):
        assert found[number][0] * 25.4 / 200 == pytest.approx((box.left, box.top), abs=0.3)


def test_our_markers_are_opencvs() -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_1000)
    for number, word in enumerate(_marker_words()):
        bits = cv2.aruco.generateImageMarker(dictionary, number, 7)[1:6, 1:6].ravel() > 0
        assert int("".join("01"[int(bit)] for bit in bits), 2) == word


def template(name: str) -> SheetTemplate:
    return read_template((data_folder("templates/sheets") / f"{name}.toml").read_text("utf-8"), name)


@pytest.mark.parametrize("paper", ["a4", "a5", "letter", "half_letter"])
def test_fields_and_bars_lie_on_the_paper_and_never_overlap(paper: str) -> None:
    sheet = template(paper)
    margin = sheet.markers.margin
    for phase, is_pad in product(("S1901M", "F1901R", "W1901A"), (False, True)):
        form = layout([request(phase, is_pad=is_pad)], sheet).pages[0].form
        boxes = [*form.markers, *form.codes, *(f.box for f in (*form.fields, *form.ticks))]
        boxes += [bar for pair in form.bars for bar in pair]
        for n, one in enumerate(boxes):
            assert min(one.left, one.top) >= margin
            assert one.right <= sheet.width - margin
            assert one.bottom <= sheet.height - margin
            assert not any(one.meets(other) for other in boxes[n + 1 :]), one


def test_the_layout_json_is_the_contracts(a4: SheetTemplate) -> None:
    found = layout([request("W1901A")], a4).as_json()
    page = found["pages"][0]
    assert {key: page[key] for key in page if key != "fields"} == {
        "page": 1,
        "sheet": "WM26-0042-V",
        "board": "1",
        "power": "FRANCE",
        "phase": "W1901A",
        "size_mm": [210.0, 297.0],
    }
    assert [(f["name"], f["row"]) for f in page["fields"]] == [
        ("player", None),
        ("signature", None),
        *(("order", row) for row in range(1, 9)),
    ]
    assert page["fields"][2]["box_mm"] == [22.0, 54.8, 166.0, 10.4]


def test_a_second_sheet_goes_on_counting(a4: SheetTemplate) -> None:
    second = layout([request(part=2, parts=2)], a4).pages[0]
    assert [field.row for field in second.form.rows][:2] == [18, 19]


@pytest.mark.parametrize("wrong", ["WM26-0042-W", "WM26-0043-V", "WM26-42-V", "wm26-0042-V", "WM26-0024-V", ""])
def test_an_id_with_a_wrong_character_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"sheet id|check character"):
        SheetId.read(wrong)


def test_a_template_with_faults_is_refused_with_all_of_them_at_once() -> None:
    text = A4_TEXT.replace("size = 10.0", 'size = "10"').replace("pitch = 12.0", "pitch = 8")
    text = text.replace("how_pt", "howpt", 1).replace("movement = 17", "movement = 40")
    with pytest.raises(Stopped) as stopped:
        read_template(text, "mine.toml")
    assert [f"{p.where}: {p.text}" for p in stopped.value.problems] == [
        "mine.toml.foot.how_pt: missing; expected a number",
        "mine.toml.foot.howpt: unknown field; did you mean 'how_pt'?",
        "mine.toml.markers.size: expected a number, found '10'",
        "mine.toml.rows.movement: the last row ends at 414 mm, below 275 where the markers begin",
        "mine.toml.rows.pitch: expected at least 9 mm to write in, found 8",
    ]


def test_a_template_that_is_not_toml_says_where() -> None:
    with pytest.raises(Stopped, match="not TOML"):
        read_template("[paper", "mine.toml")


@pytest.mark.parametrize("paper", ["a4", "a5", "letter"])
def test_a_beginners_sheet_has_fewer_rows(paper: str) -> None:
    sheet = template(paper)
    rows = layout([request(for_beginners=True)], sheet).pages[0].form.rows
    assert 8 <= len(rows) < sheet.rows.movement
    assert parts_for(sheet, Step.MOVEMENT, len(rows) - 2, for_beginners=True) == 1
    assert parts_for(sheet, Step.MOVEMENT, len(rows) - 1, for_beginners=True) == 2


def test_examples_with_faults_are_refused_with_all_of_them_at_once() -> None:
    text = A4_TEXT.replace("movement_rows = 11", "movement_rows = 14").replace("gap = 6.0", "gap = 3")
    text = text.replace('["A BUR D", "disband: it is taken off the board"]', '"A BUR D"')
    with pytest.raises(Stopped) as stopped:
        read_template(text, "mine.toml")
    found = [f"{p.where}: {p.text}" for p in stopped.value.problems]
    assert "mine.toml.beginners.gap: expected at least 5 mm of white below the rows, found 3" in found
    assert any(f.startswith("mine.toml.beginners.movement: the examples end at ") for f in found)
    assert any(f.startswith("mine.toml.beginners.retreats[1]: expected an order and what it says") for f in found)
    assert len(found) == 3
    for wrong in ("A BUR D", [], ["A BUR D"], ["A BUR D", "disband", "x"], 3):
        with pytest.raises(ValueError, match="expected an order and what it says"):
            Example.spell_out(wrong)


def test_a_template_without_examples_is_still_read() -> None:
    """Sheets that were printed before there were any are cut out by the template they were printed with."""
    before, rest = A4_TEXT.split("[beginners]")
    assert read_template(before + "[words]" + rest.split("[words]")[1], "old.toml").beginners is None


@pytest.mark.parametrize("design", list(Design))
def test_a_sheet_of_an_event_with_an_address_says_it_beside_its_code(a4: SheetTemplate, design: Design) -> None:
    for address in ("https://moot.example", ""):
        said = words(print_sheets([request(live=address, design=design)], a4))
        assert ("your seat, maps and results: https://moot.example/live" in said) is bool(address)


@pytest.mark.parametrize("power", list(Power))
def test_a_layout_says_the_heading_that_is_printed(a4: SheetTemplate, power: Power) -> None:
    asked = request(power=power)
    headed = place_fields(asked, a4, 1).headed
    assert headed == str(power)
    assert headed in words(print_sheets([asked], a4)).upper()


@pytest.mark.parametrize(
    ("phase", "sheet", "pad"),
    [
        ("S1901M", "Spring 1901", "movement pad"),
        ("F1902R", "Fall 1902 retreats", "retreats pad"),
        ("W1901A", "Winter 1901 adjustments", "adjustments pad"),
    ],
)
def test_a_sheet_is_for_its_season_and_a_pad_for_what_is_ordered(phase: str, sheet: str, pad: str) -> None:
    assert [request(phase, is_pad=is_pad).occasion for is_pad in (False, True)] == [sheet, pad]

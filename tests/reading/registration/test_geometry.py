"""Where marks lie on a picture, and what is told of it: known places, and limits on both sides."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from pipeline.ink import Box, PictureFault
from pipeline.paper.sheet_layout import Field, Form, Guide
from pipeline.reading import band, curl, dewarp, identify, marks, register
from pipeline.reading.marks import PIXELS_PER_MM, Code, Marks, corners, transform
from pipeline.reading.pages import Grey

BOX = Box(20, 30, 40, 20)
GUIDES = tuple(Guide(12, 78, 28.5 + 9 * n, 0.16, 1.2) for n in range(8))
FORM = Form(
    width=90, height=120,
    markers=(Box(5, 5, 8, 8), Box(77, 5, 8, 8), Box(77, 107, 8, 8), Box(5, 107, 8, 8)),
    codes=(Box(60, 5, 12, 12), Box(16, 103, 12, 12)),
    printed_id=Box(20, 12, 30, 4), bars=(), fields=(), guides=GUIDES,
)  # fmt: skip
TILTED = np.array([[7.8, 0.4, 31.0], [-0.3, 7.9, 42.0], [1e-4, -2e-4, 1.0]])


def test_two_marks_are_enough_and_one_that_lies_elsewhere_is_told_by_how_far() -> None:
    seen = {n: transform(TILTED, corners(box)) for n, box in enumerate(FORM.markers)}
    codes = tuple(Code("x", transform(TILTED, corners(box))) for box in FORM.codes)
    for some in (Marks(codes, {}), Marks(codes[::-1], {2: seen[2]}), Marks((), {0: seen[0], 2: seen[2]})):
        found = marks.fit(some, range(4), FORM)
        assert found is not None
        assert (found.markers, round(found.rms_mm, 2)) == (len(some.markers), 0)
    assert marks.fit(Marks(codes[:1], {}), range(4), FORM) is None
    assert marks.fit_middles(Marks((), seen), range(4), FORM) == pytest.approx(TILTED, abs=0.05)
    assert marks.fit_middles(Marks((), {**seen, 3: seen[3]}), [0, 1, 2, 9], FORM) is None
    a_row_off = TILTED @ np.array([[1, 0, 3], [0, 1, 4], [0, 0, 1]])
    for some in (Marks(codes, {}), Marks(codes[::-1], {}), Marks((), seen)):
        assert marks.disagreement_mm(a_row_off, some, range(4), FORM) == pytest.approx(5)
    four = [corners(box) for box in FORM.markers]
    one_off = [places * 8.0 for places in four[:3]] + [four[3] * 8 + 90]
    robust = marks.solve(four, one_off, 4)
    assert robust is not None
    assert robust.rms_mm < 0.01


@pytest.mark.parametrize("scale", [2.5, 8.0, 30.0])
@pytest.mark.parametrize("number", [1, 4])
def test_how_far_a_mark_may_be_off_is_measured_on_the_sheet_however_fine_its_picture_is(
    scale: float, number: int
) -> None:
    six = [corners(box) for box in (*FORM.markers, *FORM.codes)]
    told = []
    for off_mm in (1.2, 2.0, 3.5):
        seen = [(places + np.array([0, off_mm * (n == number)])) * scale for n, places in enumerate(six)]
        found = marks.solve(six, seen, 4)
        assert found is not None
        told.append(found.rms_mm)
    assert 0.2 < told[0] < 0.4, "all are believed"
    assert told[1:] == pytest.approx([2 / 6**0.5, 0], abs=0.01), "one is not believed, and then not even counted"


def test_between_two_lines_a_line_lies_by_how_near_each_is_and_the_outer_ones_lie_between_none() -> None:
    xs, sure = np.arange(5.0), np.ones(5)
    lines = [
        dewarp.DottedLine(xs, y, np.full((5, 2), offset), sure) for y, offset in ((10.0, 1.0), (13.0, 7.0), (22.0, 5.0))
    ]
    assert [dewarp.between(lines, place) is None for place in range(3)] == [True, False, True]
    assert dewarp.between(lines, 1) == pytest.approx(np.full((5, 2), 2.0))


def test_the_lines_of_a_field_are_those_that_begin_at_its_left_and_lie_within_it() -> None:
    guides = [Guide(left, 78, y, 0.16, 1.2) for left in (12, 14, 40) for y in (30.0, 35.0, 50.0)]
    form = replace(FORM, guides=(*guides, Guide(12, 20.9, 40.0, 0.16, 1.2)))
    for left, seen in ((20, [1, 4]), (13, [1, 4, 9]), (12.9, [1, 9]), (11, [1, 9]), (10.9, [])):
        found = band.guides_of(form, Field("order", 1, Box(left, 30, 60, 20)))
        assert [form.guides.index(guide) for guide in found] == seen


@pytest.mark.parametrize("name", sorted(curl.STEPS))
def test_each_number_of_a_curl_is_found_again_from_near_by(name: str) -> None:
    true = replace(curl.Curl.of(FORM, is_down=False), turn=0.6, bow=2.0, growth=0.2, lean=0.4, twist=0.6)
    dots = np.array([(x, guide.y) for guide in GUIDES for x in guide.dots])
    dark = np.zeros((945, 709), np.float32)
    down, across = np.round((dots + true.displace(dots)) * PIXELS_PER_MM - 0.5).astype(int).T[::-1]
    dark[down, across] = 100
    dark = np.asarray(cv2.GaussianBlur(dark, (0, 0), 2.0), np.float32)
    for way in (-1, 1):
        near = replace(true, **{name: getattr(true, name) + way * 2.5 * curl.STEPS[name]})
        found = curl._climb(dark, dots, near, [name])
        assert getattr(found, name) == pytest.approx(getattr(true, name), abs=curl.STEPS[name] / 2)


@pytest.mark.parametrize(("tilt", "is_possible"), [(0.0105, True), (0.0111, False)])
def test_paper_whose_one_end_is_three_times_as_near_cannot_be_read(tilt: float, is_possible: bool) -> None:
    """At its foot, at 100 mm, a square is (1 + 100 · tilt)³ times as small as at its top: 8.6 or 9.4 times."""
    places = np.array([[0.0, 0.0], [60.0, 100.0]])
    assert marks.is_possible(np.array([[8, 0, 0], [0, 8, 0], [0, tilt, 1.0]]), places) is is_possible
    assert marks.is_possible(np.array([[0, 8, 0], [-8, 0, 0], [tilt, 0, 1.0]]), places[:, ::-1]) is is_possible
    assert not marks.is_possible(np.diag([-8.0, 8.0, 1.0]), places), "nobody looks through paper"


def test_a_page_is_turned_clockwise_by_as_much_as_its_upper_edge() -> None:
    for degrees in (0, 90, 180, 270):
        (x, y), (u, v) = (np.round([np.cos(way), np.sin(way)]) for way in np.radians([degrees, degrees + 90]))
        turned = np.array([[x, u, 99.0], [y, v, 99.0], [0, 0, 1]])
        assert register._rotation_degrees(marks.Warp.flat(turned, 90, 120)) == degrees


def test_marks_lie_on_a_picture_made_smaller_as_the_middles_of_its_pixels_do() -> None:
    seen = Marks((Code("x", corners(BOX)),), {7: corners(BOX) * 3}).scale(0.25)
    assert seen.codes[0].corners + 0.5 == pytest.approx((corners(BOX) + 0.5) / 4)
    assert seen.markers[7] + 0.5 == pytest.approx((corners(BOX) * 3 + 0.5) / 4)


def test_a_mark_far_from_its_neighbours_is_forgotten_and_what_is_lost_lies_between_them() -> None:
    column = np.zeros((9, 2))
    column[4], column[7] = (1.19, 0), (0, -1.21)
    dewarp._drop_leaps(column)
    assert np.isnan(column[:, 0]).tolist() == [n == 7 for n in range(9)]
    slope = np.stack(np.broadcast_arrays(np.arange(6.0)[:, None, None] * [1.0, -2.0], np.zeros((6, 3, 2)))[:1])[0]
    lost = np.broadcast_to(slope, (6, 3, 2)).copy()
    lost[2, 0] = lost[4, 1] = np.nan
    lost[:, 2] = np.nan
    assert dewarp._fill_offsets(lost) == pytest.approx(np.broadcast_to(slope, (6, 3, 2)))
    assert not dewarp._fill_offsets(np.full((3, 2, 2), np.nan)).any()
    strays = np.zeros((5, 6, 2))
    strays[2, 3], strays[4, 0], strays[0, 5] = (0.79, 0), (0, 0.81), np.nan
    dewarp._drop_strays(strays)
    assert {tuple(place) for place in np.argwhere(np.isnan(strays[..., 0])).tolist()} == {(4, 0), (0, 5)}
    alone = np.full((4, 4, 2), np.nan)
    alone[0, 0] = alone[0, 1] = alone[3, 3] = alone[3, 2] = alone[2, 3] = 0
    dewarp._drop_strays(alone)
    assert (~np.isnan(alone[..., 0])).sum() == 3, "of two pieces alone nobody knows which is right"


def flat_sheet(paper: int = 240, black: int = 20, dots: int = 0) -> Grey:
    """A sheet with its markers and the dots of its lines, so dark."""
    flat = np.full((945, 709), paper, np.uint8)
    for box in FORM.markers:
        register.part(flat, box)[:] = black
    for x, y in ((x, guide.y) for guide in GUIDES for x in guide.dots):
        flat[round(y * PIXELS_PER_MM - 0.5), round(x * PIXELS_PER_MM - 0.5)] = dots
    return flat


@pytest.mark.parametrize(
    ("grey", "markers", "bars", "dpi", "wanted"),
    [
        (flat_sheet(), 4, 0.9, 140.0, []),
        (flat_sheet(), 3, 0.9, 140.0, [PictureFault.MARKERS_LOST]),
        (flat_sheet(), 4, 0.89, 140.0, [PictureFault.BARS_LOST]),
        (flat_sheet(), 4, 0.9, 139.9, [PictureFault.COARSE]),
        (flat_sheet(90), 4, 1.0, 200.0, []),
        (flat_sheet(89), 4, 1.0, 200.0, [PictureFault.TOO_DARK]),
        (flat_sheet(254, 0, 0), 4, 1.0, 200.0, []),  # its dots are as black as its markers
        (flat_sheet(254, 0, 150), 4, 1.0, 200.0, [PictureFault.TOO_LIGHT]),
        (flat_sheet(253, 0, 150), 4, 1.0, 200.0, []),  # its paper still has a grain
    ],
)
def test_what_is_amiss_with_a_picture_is_told_and_no_more(
    grey: Grey, markers: int, bars: float, dpi: float, wanted: list[PictureFault]
) -> None:
    seen = Marks((), {n: corners(FORM.markers[n]) for n in range(markers)})
    scanned = np.tile(np.array([[20, 128]], np.uint8), (300, 300))  # it has greys
    told = register.warnings(scanned, grey, FORM, seen, dpi, bars)
    assert [fault.code for fault in told] == wanted


@pytest.mark.parametrize(("right", "down"), [(0.0, 0.0), (0.25, 0.5), (0.5, 0.75)])
def test_a_dot_is_as_dark_wherever_it_lies_on_the_grid_of_pixels(right: float, down: float) -> None:
    fine = np.full((400, 2400), 255, np.uint8)
    guide = Guide(12, 60, 30.0, 0.24, 2.4)
    for x in guide.dots:
        left, top = (round((mm * PIXELS_PER_MM + off) * 4) for mm, off in ((x - 0.12, right), (5.0 - 0.12, down)))
        fine[top : top + 8, left : left + 8] = 55
    flat = cv2.resize(fine, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA).astype(np.uint8)
    seen = register._darkness_of_dots(flat, replace(guide, y=5.0))
    assert len(seen) == len(guide.dots)
    assert seen == pytest.approx(np.full(len(seen), 200 * 4 / (0.24 * PIXELS_PER_MM) ** 2), rel=0.1)


def test_the_middle_row_of_a_strip_is_that_of_its_sorted_rows_and_what_is_mirrored_twice_lies_where_it_was() -> None:
    strips = np.random.default_rng(5).integers(0, 256, (3, 8, 20)).astype(np.uint8)
    for count in (1, 2, 5, 8):
        wanted = np.sort(strips[:, :count], axis=1)[:, count // 2]
        assert (register._middle_row(strips[:, :count]) == wanted).all()
    mirrored = identify._mirror_points(places := np.array([[0.0, 2.0], [19.0, 4.0], [3.5, 0.0]]), strips[0])
    assert mirrored.tolist() == [[19.0, 2.0], [0.0, 4.0], [15.5, 0.0]]
    assert (identify._mirror_points(mirrored, strips[0]) == places).all()

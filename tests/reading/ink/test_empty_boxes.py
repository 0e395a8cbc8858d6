"""A box is ticked, empty or asked: what is darker than the empty boxes of its own page is not empty."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest
from desk.cup import clock

from pipeline.desk.event.event import open_event
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.ink import DOUBTS
from pipeline.paper.sheet_layout import PageLayout
from pipeline.pen.filling import FieldMark, Tick
from pipeline.reading.empty_boxes import Light, SeenBox, find_darker_boxes, measure_depth
from pipeline.reading.identify import Identified, identify
from pipeline.reading.pages import Grey, PageImage, pages
from pipeline.reading.register import RegisteredPage, register
from pipeline.reading.rows import cut_rows
from pipeline.reading.strokes import TickMark
from reading.boxed import line_of, read, written
from reading.sheetbench import Bench
from reading.target_sheet import request

LINES = {  # what is written, and what is ticked; in row 5 two places are
    1: ("A PAR S A MUN - BUR", "S", "of MUN", "BUR"),
    2: ("F STP/NC - NWY", "NWY"),
    4: ("F MAO - POR", "POR"),
    5: ("", "BOH", "SIL"),
    6: ("F GAS S F POR - SPA/NC", "S", "of POR", "SPA/NC"),
    8: ("A UKR H", "H"),
}
WHITE = 250.0


def boxes(depths: list[float], *, mark: TickMark = TickMark.EMPTY, is_stained: bool = False) -> list[SeenBox]:
    return [SeenBox(f"{mark}{at}", mark, depth, mark is TickMark.EMPTY, is_stained) for at, depth in enumerate(depths)]


def test_what_is_darker_than_the_empty_boxes_is_named() -> None:
    empty = boxes([2.0, 2.2, 1.9, 2.1, 2.0, 2.3, 1.8, 2.0])
    (found,) = find_darker_boxes(
        [[*empty, *boxes([9.0], mark=TickMark.UNSURE), SeenBox("X", TickMark.EMPTY, 9.0, False, False)]], WHITE
    )
    assert found == {"X"}


@pytest.mark.parametrize(("spread", "found"), [(0.2, {"X"}), (2.0, set())])
def test_where_the_empty_boxes_vary_much_the_band_is_wider(spread: float, found: set[str]) -> None:
    empty = boxes([10.0 + spread * step for step in (-2, -1.5, -1, -0.5, 0.5, 1, 1.5, 2)])
    assert find_darker_boxes([[*empty, SeenBox("X", TickMark.EMPTY, 16.0, False, False)]], WHITE) == [frozenset(found)]


def test_where_they_vary_much_half_a_tick_is_named() -> None:
    empty = boxes([10.0 + 2.0 * step for step in (-2, -1.5, -1, -0.5, 0.5, 1, 1.5, 2)])
    row = [*empty, *boxes([22.0], mark=TickMark.TICKED), SeenBox("X", TickMark.EMPTY, 16.0, False, False)]
    assert find_darker_boxes([row], WHITE) == [{"X"}]


def test_of_few_empty_boxes_nobody_knows_how_much_they_vary() -> None:
    assert find_darker_boxes([[*boxes([2.0] * 4), SeenBox("X", TickMark.EMPTY, 40.0, False, False)]], WHITE) == [
        frozenset()
    ]


@pytest.mark.parametrize(
    ("paper", "depth", "all_named"), [(255.0, 9.0, True), (255.0, 30.0, False), (250.0, 9.0, False)]
)
def test_where_strokes_are_lost_in_white_no_box_is_known_to_be_empty(
    paper: float, depth: float, all_named: bool
) -> None:
    empty = boxes([0.0] * 12)
    found = find_darker_boxes([empty, boxes([depth] * 3, mark=TickMark.TICKED)], paper)
    assert found == [{box.name for box in empty} if all_named else frozenset(), frozenset()]


@pytest.mark.parametrize(
    ("edge", "depth", "is_lost"),
    [
        (50.0, 110.0, False),
        (50.0, 40.0, True),  # so pale a pen would be lost there
        (5.0, 110.0, True),  # any pen would be
        (120.0, 110.0, False),
    ],
)
def test_where_dashes_are_paler_a_tick_as_pale_as_the_pages_palest_is_seen_or_lost(
    edge: float, depth: float, *, is_lost: bool
) -> None:
    empty = [SeenBox(f"{at}", TickMark.EMPTY, 2.0, True, False, edge=120.0) for at in range(9)]
    tick = SeenBox("T", TickMark.TICKED, depth, False, False, edge=120.0)
    row = [SeenBox("X", TickMark.EMPTY, 0.0, True, False, edge=edge, is_bright=True)]
    light = Light.of([[*empty, tick], row])
    assert light
    assert light.find_lost(row) == ({"X"} if is_lost else set())
    unticked = Light.of([empty, row])
    assert unticked
    assert unticked.find_lost(row) == ({"X"} if edge < 100 else set())


def test_a_thin_cross_is_deep_and_ink_of_another_box_is_not_counted() -> None:
    grey = np.full((32, 32), 250, np.uint8)
    assert measure_depth(grey, np.zeros(grey.shape, bool)) == 0.0
    cv2.line(grey, (4, 4), (28, 28), 200, 2)
    cv2.line(grey, (28, 4), (4, 28), 200, 2)
    assert measure_depth(grey, np.zeros(grey.shape, bool)) > 20.0
    assert measure_depth(grey, grey < 240) < 2.0


def moire(grey: Grey, rng: np.random.Generator) -> Grey:
    """A photograph of a screen: two gratings that nearly fit each other."""
    ys, xs = np.mgrid[: grey.shape[0], : grey.shape[1]].astype(np.float32)
    turn, step = rng.uniform(-0.3, 0.3), rng.uniform(4, 9)
    one = np.sin((xs * np.cos(turn) + ys * np.sin(turn)) * 2 * np.pi / step)
    other = np.sin((ys * np.cos(turn) - xs * np.sin(turn)) * 2 * np.pi / (step * 1.07))
    return _noisy(grey * (1 - 0.18 * (1 + one) / 2 - 0.12 * (1 + other) / 2), 3.0, rng)


def dark(grey: Grey, rng: np.random.Generator) -> Grey:
    """A picture that is taken in a dark room."""
    return _noisy(cv2.GaussianBlur(grey, (0, 0), 1.0) * 0.35, 6.0, rng)


def _noisy(grey: np.ndarray[tuple[int, ...], np.dtype[np.floating]], wide: float, rng: np.random.Generator) -> Grey:
    return np.clip(grey + rng.normal(0, wide, grey.shape), 0, 255).astype(np.uint8)


def bleached(grey: Grey, rng: np.random.Generator) -> Grey:
    """A picture that is taken in too much light: the paper, and what is fainter than print, is white."""
    return _noisy(cv2.GaussianBlur(grey, (0, 0), 1.0) * 1.08 + 12, 0.5, rng)


@pytest.mark.parametrize(("damage", "seed", "strength"), [(moire, 1, 0.25), (dark, 4, 0.25), (bleached, 1, 0.2)])
def test_a_row_on_a_bad_page_is_read_right_or_asked(
    bench: Bench, damage: Callable[[Grey, np.random.Generator], Grey], seed: int, strength: float
) -> None:
    wanted = request(bench)
    marks: dict[tuple[str, int | None], FieldMark] = {
        (name, row): Tick() for row, names in LINES.items() for name in names[1:]
    }
    plain, blank = written(bench, wanted, marks, seed), written(bench, wanted, {})
    faint = np.round(blank - (blank.astype(float) - plain) * strength).astype(np.uint8)
    for row in read(bench, wanted, damage(faint, np.random.default_rng(seed))):
        read_as = "" if row.is_blank else line_of(row.crop)
        assert DOUBTS.intersection(row.notes) or read_as == LINES.get(row.number, ("",))[0], row.number


PAGES = {  # in each the line of a row; empty: it must be asked, as two places are ticked
    ("event-45014", "moire-45014-s06.png"): {2: "A GAL S A VIE - BUD", 5: "A VIE - BUD"},
    ("event-45001", "dark-45001-s08.png"): {5: "", 3: "A TYR - VEN"},
}


@pytest.mark.parametrize(("event", "picture"), PAGES)
def test_the_pages_of_a_directors_report_are_read_right_or_asked(
    shared: Path, tmp_path: Path, event: str, picture: str
) -> None:
    folder = shared / "data/reported_2/damaged-pages"
    if not folder.is_dir():
        pytest.skip("no damaged pages in the reference data")
    shutil.copytree(folder / event, tmp_path / "event")
    opened = open_event(tmp_path / "event", clock)
    layouts = {sheet: printed.page for sheet, printed in printed_sheets(opened).items()}
    found = cut_rows(_registered(folder / picture, layouts, opened.details.code))
    for number, line in PAGES[event, picture].items():
        row = found[number - 1]
        assert DOUBTS.intersection(row.notes) or line_of(row.crop) == line


def _registered(picture: Path, layouts: Mapping[str, PageLayout], code: str) -> RegisteredPage:
    (page,) = pages(picture)
    assert isinstance(page, PageImage)
    shown = identify(page.grey, layouts, code)
    assert isinstance(shown, Identified)
    registered = register(shown.grey, shown.marks, shown.layout.marker_ids, shown.layout.form)
    assert isinstance(registered, RegisteredPage)
    return registered

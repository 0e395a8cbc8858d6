"""On crumpled paper every row is found to half a mm, along the line as well as across it, or the sheet is refused."""

import numpy as np
import pytest
from sampled import slow_after

from benchmarks.damaged.kinds import read_damages
from benchmarks.damaged.scans import scan
from pipeline.reading.dewarp import _spline, best, lay
from pipeline.reading.identify import Identified, identify
from pipeline.reading.marks import transform
from pipeline.reading.pages import Grey
from pipeline.reading.register import NotRegistered, RegisteredPage, register
from reading.registration.test_registration import places
from reading.sheetbench import EVENT, Bench


def laid(bench: Bench, sheet: Grey, damages: str, seed: int) -> tuple[RegisteredPage | NotRegistered, float]:
    """Lay a sheet straight, and say how many mm its rows are off, 95th percentile."""
    layout = bench.layout(bench.request(1))
    scanned = scan(sheet, read_damages(damages), np.random.default_rng(seed), page_dpi=200)
    shown = identify(scanned.image, {layout.sheet: layout}, EVENT)
    assert isinstance(shown, Identified)
    found = register(shown.grey, shown.marks, layout.marker_ids, layout.form)
    if isinstance(found, NotRegistered):
        return found, float("nan")
    boxes = [field.box for field in layout.form.rows]
    points = np.array(
        [(b.left + u * b.width, b.top + v * b.height) for b in boxes for u in np.linspace(0, 1, 9) for v in (0.3, 0.75)]
    )
    back = np.linalg.inv(found.warp.perspective).astype(np.float64)
    there = (transform(back, where) for where in (places(found.warp, points), scanned.path.place(points)))
    return found, float(np.percentile(np.linalg.norm(np.subtract(*there), axis=1), 95))


@pytest.mark.parametrize("top", [(3.3, 4.0), (2.8, 5.4), (4.0, 2.6)])
def test_the_best_place_is_found_to_a_fraction_of_a_cell(top: tuple[float, float]) -> None:
    rows, columns = np.mgrid[:8, :7]
    weights = np.exp(-((columns - top[0]) ** 2 + (rows - top[1]) ** 2))
    assert best(weights.astype(np.float32)) == pytest.approx(top, abs=1e-3)
    on_edge = weights[: round(top[1]) + 1, : round(top[0]) + 1].astype(np.float32)
    assert best(on_edge) == (round(top[0]), round(top[1])), "what lies beyond the last cell is not known"


@pytest.mark.parametrize(
    ("damages", "seed"),
    slow_after(
        1,
        [
            ("crumple:1+noise:0.2", 6),
            ("crumple:0.95+noise:0.2", 37),
            ("crumple:0.9+rotation:0.4+noise:0.3+jpeg:0.4", 33),
            ("crumple:0.7+perspective:0.6+shadow:0.6+blur:0.25+noise:0.5", 5),
        ],
    ),
)
def test_no_dot_is_taken_for_the_next(bench: Bench, sheet: Grey, damages: str, seed: int) -> None:
    found, off_mm = laid(bench, sheet, damages, seed)
    assert isinstance(found, RegisteredPage)
    assert off_mm <= 0.5
    assert found.residual_mm <= 0.5


@pytest.mark.parametrize("seed", slow_after(1, [1, 2, 3]))
def test_paper_crumpled_beyond_reading_is_refused_or_right(bench: Bench, sheet: Grey, seed: int) -> None:
    found, off_mm = laid(bench, sheet, "crumple:1+crumple:1+crumple:1+noise:0.2", seed)
    assert isinstance(found, NotRegistered) or off_mm <= 0.5


def test_lines_that_cannot_be_seen_are_not_sure(bench: Bench, sheet: Grey) -> None:
    form = bench.layout(bench.request(1)).form
    assert lay(sheet, form).doubt < 0.02
    grains = np.random.default_rng(1).integers(120, 250, sheet.shape).astype(np.uint8)
    assert lay(grains, form).doubt > 0.5


def test_a_spline_goes_through_its_points_and_is_level_beyond_them() -> None:
    places_mm = [0.0, 12.0, 24.0, 36.0, 50.0]
    values = np.array([0.0, 1.0, 0.2, -1.0, 0.4])
    assert _spline(np.array(places_mm), places_mm, values) == pytest.approx(values, abs=1e-9)
    assert _spline(np.array([-5.0, 60.0]), places_mm, values) == pytest.approx([0.0, 0.4], abs=1e-9)
    wave = np.sin(np.arange(0, 120, 12.0) / 12)
    between = _spline(np.array([42.0, 54.0]), list(np.arange(0, 120, 12.0)), wave)
    assert between == pytest.approx(np.sin(np.array([42.0, 54.0]) / 12), abs=0.02)

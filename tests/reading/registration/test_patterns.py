"""A pattern that lies over the whole paper is taken out, and what is printed and written stays."""

import numpy as np
import pytest

from pipeline.reading.pages import Grey
from pipeline.reading.patterns import find_waves, without_grain, without_patterns


def lay_waves(sheet: Grey, *waves: tuple[float, float, float]) -> Grey:
    """Darken a sheet by waves: their amplitude in grey levels, and their lengths in pixels across and down."""
    down, across = np.mgrid[: sheet.shape[0], : sheet.shape[1]]
    shade = sum(level * (1 + np.sin(2 * np.pi * (across / x + down / y))) for level, x, y in waves)
    seen: Grey = np.clip(sheet * (1 - shade / 255), 0, 255).astype(np.uint8)
    return seen


@pytest.mark.parametrize("waves", [[(20, 6.3, 41.0)], [(18, 5.1, 60.0), (10, -33.0, 7.2)], [(12, 1e9, 8.0)]])
def test_a_pattern_is_found_and_taken_out(sheet: Grey, waves: list[tuple[float, float, float]]) -> None:
    seen = lay_waves(sheet, *waves)
    found = sorted((abs(wave.across), abs(wave.down), wave.levels) for wave in find_waves(seen))
    for wave, (level, across, down) in zip(found, sorted(waves, key=lambda each: -abs(each[1])), strict=True):
        assert wave[:2] == pytest.approx((abs(1 / across), abs(1 / down)), abs=1e-3)
        assert wave[2] == pytest.approx(level, rel=0.25)
    clean = without_patterns(seen)
    assert find_waves(clean) == ()
    paper = (sheet > 250) & (np.hypot(*np.gradient(sheet.astype(float))) < 1)
    assert clean[paper].std() < 0.35 * seen[paper].std()
    assert clean[sheet < 60].mean() < 80


def test_a_sheet_without_a_pattern_stays_as_it_is(sheet: Grey) -> None:
    grains = np.random.default_rng(3).normal(0, 4, sheet.shape)
    scanned = np.clip(sheet * 0.95 + grains, 0, 255).astype(np.uint8)
    assert find_waves(scanned) == ()
    assert without_patterns(scanned) is scanned
    assert without_grain(scanned) is scanned


def test_a_dark_picture_loses_its_grain_and_keeps_its_print(sheet: Grey) -> None:
    grains = np.random.default_rng(4).normal(0, 7, sheet.shape)
    dark = np.clip(sheet * 0.3 + 10 + grains, 0, 255).astype(np.uint8)
    soft = without_grain(dark)
    paper, print_ = sheet > 250, sheet < 30
    assert soft[paper].std() < 0.6 * dark[paper].std()
    assert soft[paper].mean() - soft[print_].mean() > 0.8 * (dark[paper].mean() - dark[print_].mean())

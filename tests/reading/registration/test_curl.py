"""A sheet that was rolled up is laid straight, to the dot, or refused; never with a row in another's place."""

import numpy as np
import pytest
from sampled import slow_after

from pipeline.paper.sheet_layout import Form
from pipeline.reading import register as register_module
from pipeline.reading.curl import Curl
from pipeline.reading.pages import Grey
from pipeline.reading.register import NotRegistered, RegisteredPage
from reading.registration.test_crumple import laid
from reading.sheetbench import Bench

HALL = "perspective:0.5+shadow:0.5+blur:0.25+noise:0.4+jpeg:0.4"


@pytest.mark.parametrize("seed", slow_after(1, [4, 1, 2, 3]))
@pytest.mark.parametrize("damages", ["curl:1+noise:0.2", "curl-down:1+noise:0.2", f"curl:0.6+{HALL}"])
def test_a_curled_sheet_is_laid_straight(bench: Bench, sheet: Grey, damages: str, seed: int) -> None:
    found, off_mm = laid(bench, sheet, damages, seed)
    assert isinstance(found, RegisteredPage)
    assert off_mm <= 0.4


@pytest.mark.parametrize("seed", slow_after(1, [5, 6]))
def test_a_curl_whose_dots_are_not_seen_is_refused(bench: Bench, sheet: Grey, seed: int) -> None:
    # with bars and markers alone, four mm above its place, a line would be read that is not there
    found, _ = laid(bench, sheet, "curl:0.4+motion:0.6", seed)
    assert isinstance(found, NotRegistered)
    assert found.is_bent
    flat, off_mm = laid(bench, sheet, "motion:0.6", seed)  # the dots are as blurred there
    assert isinstance(flat, RegisteredPage)
    assert off_mm <= 0.4


def test_a_curl_against_which_a_code_speaks_is_refused(
    bench: Bench, sheet: Grey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(register_module, "_codes_off", lambda *_: 1.1)
    found, _ = laid(bench, sheet, "curl:1+noise:0.2", 1)
    assert isinstance(found, NotRegistered)


@pytest.mark.parametrize("is_down", [False, True])
def test_whatever_the_curl_markers_stay_in_their_places(bench: Bench, *, is_down: bool) -> None:
    form: Form = bench.layout(bench.request(1)).form
    curl = Curl.of(form, is_down=is_down)
    middles = np.array([(m.left + m.width / 2, m.top + m.height / 2) for m in form.markers])
    assert curl.displace(middles + 3) == pytest.approx(0)  # it lies flat
    rolled = [
        Curl(middle=curl.middle, half=curl.half, is_down=is_down, turn=turn, bow=9, growth=0.4, lean=1, twist=0.5)
        for turn in (0.0, 0.8)
    ]
    for each in rolled:
        assert each.displace(middles) == pytest.approx(0, abs=1e-9)
        assert np.abs(each.displace(np.array([curl.middle]))).max() == pytest.approx(9)

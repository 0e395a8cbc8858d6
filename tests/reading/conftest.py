"""The bench and the net that the tests of reading share."""

import pytest

from pipeline.paper.load_sheet import read_template
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.pages import Grey
from pipeline.small_files import data_folder
from reading.sheetbench import ORDERS, Bench


@pytest.fixture(scope="session")
def bench() -> Bench:
    """A printer with the A4 template, a pen and a scanner."""
    text = (data_folder("templates/sheets") / "a4.toml").read_text("utf-8")
    return Bench(read_template(text, "a4.toml"))


@pytest.fixture(scope="session")
def sheet(bench: Bench) -> Grey:
    """France's first sheet with five orders in it, signed."""
    return bench.written(bench.request(1), dict(enumerate(ORDERS, start=1)))


@pytest.fixture(scope="session")
def reader() -> NetRecogniser:
    """The net with its own thresholds, as it reads where nothing is known of a hand."""
    return NetRecogniser()

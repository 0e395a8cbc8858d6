"""What all tests share."""

import gc
import os
import sqlite3
import zlib
from collections.abc import Iterator
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import settings
from once import STARTED

# before numpy is loaded: the workers share the cores, and threads that wait for one take its time; commands do so too
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

from pipeline.desk.event.event import Event
from pipeline.desk.hands.reader_name import _load_reader_name
from pipeline.draw.draw_round import AHEAD, STEPS
from pipeline.ledger.fact_file import opened_to_write
from pipeline.picture.formats import as_pdf

import_module("anyio._core._fileio")  # rewritten by pytest in the midst of a test, Python may fall over it
settings.register_profile("untimed", deadline=None, max_examples=40)  # the machine may be busy
settings.load_profile("untimed")


DRAWN = 500  # maps that are kept, of some 20 kB

gc.disable()  # what is collected stays


def pytest_collection_finish() -> None:
    """Python looks for rubbish less often, and not among what was loaded and collected: that stays to the end."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(7_000)  # new objects, ten times as many as else


def pytest_unconfigure() -> None:
    """At the end it looks everywhere: else libraries complain that nobody took leave of them."""
    gc.unfreeze()


@pytest.fixture(scope="session", autouse=True)
def own_place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is kept for this machine's user is not touched by tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_CONFIG_HOME", "APPDATA"):
            patch.setenv(name, str(tmp_path_factory.mktemp("own")))
        yield


@pytest.fixture(scope="session", autouse=True)
def foreseen_tokens() -> Iterator[None]:
    """The tokens and serials of print-outs are the same in every run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.desk.event.event.SECURE_RANDOM", Random(1))
        patch.setattr("pipeline.desk.backups.SECURE_RANDOM", Random(2))
        yield


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """Nothing that this process writes is synced: a test that kills a process leaves the machine running."""

    def opened(path: Path) -> sqlite3.Connection:
        connection = opened_to_write(path)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.ledger.facts.opened_to_write", opened)
        patch.setattr("os.fsync", lambda _: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def readers_are_asked_once() -> Iterator[None]:
    """What the nets of the package are called is asked once in a process: to say it they are all loaded."""
    shipped: list[str] = []

    def named(event: Event) -> str:
        if event.details.gate:
            return _load_reader_name(event)
        shipped[:] = shipped or [_load_reader_name(event)]
        return shipped[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.desk.hands.reader_name._load_reader_name", named)
        yield


@pytest.fixture(scope="session", autouse=True)
def short_searches() -> Iterator[None]:
    """Draws search a twentieth as long: their seats are as true as ever, only not as good."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.draw.draw_round.AHEAD", AHEAD // 20)
        patch.setattr("pipeline.draw.draw_round.STEPS", STEPS // 20)
        yield


@pytest.fixture(scope="session", autouse=True)
def maps_are_drawn_once() -> Iterator[None]:
    """The same map of a phase is drawn once in a process; tests of what is drawn call the printer itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.desk.publish.publish.as_pdf", lru_cache(DRAWN)(as_pdf))
        yield


@pytest.fixture(scope="session", autouse=True)
def lightly_packed_prints() -> Iterator[None]:
    """What is printed is packed in a third of the time, and a tenth larger."""
    lightly = SimpleNamespace(compress=partial(zlib.compress, level=1), decompress=zlib.decompress)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reportlab.pdfbase.pdfdoc.zlib", lightly)
        yield


@pytest.fixture(scope="session", autouse=True)
def coarse_scans() -> Iterator[None]:
    """Events that are rehearsed are scanned at 200 dpi: the tests of registration try finer pictures."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.rehearsal.simulated_scans.SCANNER_DPI", (200,))
        yield


@pytest.fixture(scope="session", autouse=True)
def what_was_started() -> Iterator[None]:
    """What was started once in this process ends with its tests."""
    with STARTED:
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Each worker begins with its share of the long tests, so that what is left over at the end is short."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    long = [item for item in items if item.get_closest_marker("slow")]
    short = [item for item in items if not item.get_closest_marker("slow")]
    items[:] = [
        item
        for worker in range(workers)  # each is given one piece of the list, as long as any other's
        for tests in (long, short)
        for item in tests[len(tests) * worker // workers : len(tests) * (worker + 1) // workers]
    ]


SHARED = Path(__file__).parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data beside the checkout; tests that use it are skipped where it is not."""
    if not SHARED.is_dir():
        pytest.skip("no reference data beside this checkout")
    return SHARED

"""Several processes read, one writes down: the same facts in the same order, whatever becomes of the others."""

import sys
from pathlib import Path
from subprocess import PIPE, Popen

import numpy as np
import pytest
from facts_as_kept import read_facts
from sampled import slow_after

from desk.cup import NAMES, OPENINGS, clock, seated, with_facts
from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.intake import reading_pool
from pipeline.desk.intake.ingest import PageIn, take_in
from pipeline.desk.intake.reading_pool import LARGE_BATCH, PAGES_BEFORE_HELPER, Helpers
from pipeline.desk.sheets.printing import print_round
from pipeline.reading.pages import PageImage
from pipeline.reading.recogniser import NoRecogniser, Recogniser
from pipeline.rehearsal.simulated_scans import Writer, write_and_scan

DIES = "import pickle, sys; pickle.load(sys.stdin.buffer)"  # takes a page and is gone
BABBLES = "import sys; sys.stdin.buffer.read(1); print('no pickle', flush=True)"
HANGS = "import time; time.sleep(600)"


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[Path]]:
    """Two powers' sheets, written and scanned into files of two kinds: the facts, and the files."""
    folder = tmp_path_factory.mktemp("papers")
    with open_event(seated(folder / "cup"), clock) as event:
        printed = print_round(event, 1)
    whose = {page.sheet: Power(page.power) for page in printed.layout.pages}

    def writer(sheet: str) -> Writer | None:
        power = whose[sheet]
        if power not in (Power.ENGLAND, Power.FRANCE):
            return None
        lines = dict(enumerate(OPENINGS[power][:2], start=1))
        return Writer(hand=3, player=NAMES[power], lines=lines, slips={})

    return (folder / "cup" / "event.db").read_bytes(), list(write_and_scan(printed, writer, folder / "scans", seed=5))


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A helper is started with the first page."""
    monkeypatch.setattr(reading_pool, "PAGES_BEFORE_HELPER", 0)


def facts_of(
    folder: Path, papers: tuple[bytes, list[Path]], engine: Recogniser, helpers: Helpers | None
) -> tuple[list[object], list[PageIn]]:
    """Take the scans into a fresh event: every fact that was written down, and what was told."""
    told: list[PageIn] = []
    with open_event(with_facts(folder, papers[0]), clock) as event:
        assert take_in(event, papers[1], engine, told.append, helpers) == ()
        return [(fact.number, fact.by, fact.kind, fact.body) for fact in read_facts(event.facts)], told


@pytest.fixture(scope="module")
def alone(
    tmp_path_factory: pytest.TempPathFactory, papers: tuple[bytes, list[Path]]
) -> tuple[list[object], list[PageIn]]:
    """What one process writes down that reads nothing."""
    return facts_of(tmp_path_factory.mktemp("alone") / "cup", papers, NoRecogniser(), None)


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
def test_two_processes_write_down_what_one_would(tmp_path: Path, papers: tuple[bytes, list[Path]]) -> None:
    engine = best_recogniser()
    one = facts_of(tmp_path / "one", papers, engine, None)
    with Helpers(tmp_path / "two", 1) as helpers:
        two = facts_of(tmp_path / "two", papers, engine, helpers)

        assert len(helpers.processes) == 1
        assert helpers.lost == 0
    assert two == one
    assert [page.tray for page in two[1]] == ["filed"] * 2
    assert not [process for process in helpers.processes if process.returncode is None]


@pytest.mark.parametrize("script", slow_after(1, [DIES, BABBLES, "raise SystemExit(3)"]))
@pytest.mark.usefixtures("at_once")
def test_a_helper_that_dies_loses_nothing(
    script: str,
    tmp_path: Path,
    papers: tuple[bytes, list[Path]],
    alone: tuple[list[object], list[PageIn]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with started(monkeypatch, script, tmp_path / "two") as helpers:
        two = facts_of(tmp_path / "two", papers, NoRecogniser(), helpers)

        assert helpers.lost > 0
    assert two == alone


@pytest.mark.usefixtures("at_once")
def test_a_helper_that_hangs_is_ended(
    tmp_path: Path,
    papers: tuple[bytes, list[Path]],
    alone: tuple[list[object], list[PageIn]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading_pool, "ANSWERS_WITHIN_S", 0.3)
    with started(monkeypatch, HANGS, tmp_path / "two") as helpers:
        two = facts_of(tmp_path / "two", papers, NoRecogniser(), helpers)

        assert helpers.lost > 0
    assert two == alone


@pytest.mark.usefixtures("at_once")
def test_a_helper_that_cannot_be_started_is_done_without(
    tmp_path: Path,
    papers: tuple[bytes, list[Path]],
    alone: tuple[list[object], list[PageIn]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_process(*_: str, **__: str) -> Popen[bytes]:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(reading_pool, "start_process", no_process)
    with Helpers(tmp_path / "two", 1) as helpers:
        two = facts_of(tmp_path / "two", papers, NoRecogniser(), helpers)

        assert helpers.lost > 0
    assert two == alone


def test_a_few_pages_are_read_without_help(
    tmp_path: Path, papers: tuple[bytes, list[Path]], alone: tuple[list[object], list[PageIn]]
) -> None:
    with Helpers(tmp_path / "two", 1) as helpers:
        few = papers[0], papers[1][:1]
        facts_of(tmp_path / "two", few, NoRecogniser(), helpers)

        assert helpers.processes == []
    assert alone[1][0].tray == "filed"


@pytest.mark.parametrize(("pages", "alone"), [(LARGE_BATCH - 1, PAGES_BEFORE_HELPER), (LARGE_BATCH, 1)])
def test_where_many_pages_are_known_to_come_help_is_there_from_the_second_on(
    pages: int, alone: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = PageImage("a.png", 1, np.full((20, 20), 255, np.uint8))
    with started(monkeypatch, HANGS, tmp_path) as helpers:
        helpers.expect(pages)
        asked = [helpers.submit((page, "0" * 64, 0)) is not None for _ in range(alone + 1)]
    assert asked == [False] * alone + [True]


def test_whoever_stops_in_the_middle_does_not_wait_for_the_helpers(
    tmp_path: Path, papers: tuple[bytes, list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ctrl_c(page: PageIn) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(reading_pool, "PAGES_BEFORE_HELPER", 1)
    with (
        pytest.raises(KeyboardInterrupt),
        open_event(with_facts(tmp_path / "two", papers[0]), clock) as event,
        started(monkeypatch, HANGS, tmp_path / "two") as helpers,
    ):
        take_in(event, papers[1], NoRecogniser(), ctrl_c, helpers)

    assert helpers.seen > 0
    assert all(process.returncode is not None for process in helpers.processes)


class Started(Helpers):
    """Helpers that run a script of their own."""

    script = ""

    def start(self) -> Popen[bytes]:
        """Start it."""
        process = Popen([sys.executable, "-c", self.script], stdin=PIPE, stdout=PIPE, stderr=PIPE)
        self.processes.append(process)
        return process


def started(monkeypatch: pytest.MonkeyPatch, script: str, folder: Path) -> Helpers:
    """One helper that runs a script."""
    monkeypatch.setattr(Started, "script", script)
    return Started(folder, 1)

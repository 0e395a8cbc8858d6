"""Two programs take scans in at once: one reads after the other, and every fact is written down once."""

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from facts_as_kept import read_facts

from desk.cup import clock
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.intake.ingest import READING, Follower, take_in
from pipeline.ledger.claims import hold_lock
from pipeline.reading.recogniser import NoRecogniser

BEGINS = """
import sys
from pathlib import Path
from pipeline.ledger.files import now
from pipeline.desk.event.event import open_event
from pipeline.desk.intake.ingest import take_in
from pipeline.reading.recogniser import NoRecogniser
with open_event(Path(sys.argv[1]), now) as event:
    print("ready", flush=True)
    sys.stdin.readline()
    take_in(event, [Path(p) for p in sys.argv[2:]], NoRecogniser(), lambda page: None)
"""
PAGES = 12


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Pages with nothing on them, every one another."""
    found = [tmp_path / f"back{number:02}.png" for number in range(PAGES)]
    for number, path in enumerate(found):
        cv2.imwrite(str(path), np.full((1200, 900), 230 + number, np.uint8))
    return found


def test_two_at_once_write_every_fact_down_once(event: Event, files: list[Path]) -> None:
    command = [sys.executable, "-c", BEGINS, str(event.folder), *map(str, files)]
    both = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(2)]
    for each in both:
        assert each.stdout is not None
        assert each.stdout.readline() == b"ready\n"
    for each in both:
        assert each.stdin is not None
        each.stdin.write(b"\n")
        each.stdin.flush()
    for each in both:
        each.communicate()
    assert [each.returncode for each in both] == [0, 0]
    for kind in ("scan received", "page read", "scan read"):
        scans = [fact.body["sha256"] for fact in read_facts(event.facts, kind)]
        assert len(scans) == len(set(scans)) == PAGES, kind


def test_the_second_says_that_it_waits_and_reads_what_is_left(event: Event, files: list[Path]) -> None:
    command = [sys.executable, "-m", "pipeline", "scan", str(event.folder), *map(str, files[:2]), "--processes", "1"]
    with hold_lock(event.folder / READING, lambda: None):
        second = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert second.stderr is not None
        told = second.stderr.readline()
        with open_event(event.folder, clock) as seen:
            assert len(list(read_facts(seen.facts, "scan received"))) == 2, "what came is kept at once"
            assert not list(read_facts(seen.facts, "page read"))
    out, _ = second.communicate()
    assert told == "another program is reading scans of this event; this one continues when it has finished\n"
    assert second.returncode == 0
    assert [line.split()[0] for line in out.splitlines()] == ["blank", "blank"]


def test_where_nothing_is_to_be_read_nobody_waits_for_another_program(event: Event) -> None:
    def waits() -> None:
        raise AssertionError("it waits")

    with hold_lock(event.folder / READING, lambda: None):
        assert take_in(event, [], NoRecogniser(), lambda _: None, follower=Follower(waits=waits)) == ()

"""What one program at a time does waits for the one that does it, and for nobody who is gone."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pipeline.ledger.claims import hold_lock
from pipeline.problems import Stopped

HOLDS = """
import sys, time
from pathlib import Path
from pipeline.ledger.claims import hold_lock
with hold_lock(Path(sys.argv[1]), lambda: None):
    print("held", flush=True)
    time.sleep(600)
"""


def refused() -> None:
    pytest.fail("nobody has it, so nobody waits")


def test_it_is_taken_again_and_again_without_waiting(tmp_path: Path) -> None:
    for _ in range(2):
        with hold_lock(tmp_path / "a.lock", refused):
            pass


def test_another_waits_says_so_once_and_goes_on(tmp_path: Path) -> None:
    waits, done = threading.Event(), threading.Event()

    def work() -> None:
        with hold_lock(tmp_path / "a.lock", waits.set):
            done.set()

    other = threading.Thread(target=work)
    with hold_lock(tmp_path / "a.lock", refused):
        other.start()
        assert waits.wait(60)
        assert not done.is_set()
    other.join(60)
    assert done.is_set()


def test_a_program_that_was_killed_is_not_waited_for(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDS, str(tmp_path / "a.lock")], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with hold_lock(tmp_path / "a.lock", other.kill):  # it waits, until the other is killed
            pass
    assert other.returncode != 0


def test_a_file_that_cannot_be_opened_says_so(tmp_path: Path) -> None:
    with (
        pytest.raises(Stopped, match=r"a.lock: it cannot be opened: .*; see who may"),
        hold_lock(tmp_path / "b" / "a.lock", refused),
    ):
        pass


def test_a_file_that_cannot_be_locked_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "a.lock").write_bytes(b"something else" * 100)
    with (
        pytest.raises(Stopped, match=r"a.lock: it cannot be locked: file is not a database; delete the file"),
        hold_lock(tmp_path / "a.lock", refused),
    ):
        pass

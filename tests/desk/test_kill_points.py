"""Killed at a chosen write, commit, rename or file, an event is the one before or the one after.

Every test run tries some points of each command, ``benchmarks/kill_points.py`` all of them.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
MEMORY = Path("/dev/shm")
COMMANDS = (
    ("new", "players", "draw", "sheets", "forms", "rule", "end", "vote", "enter", "calibrate"),
    ("adjudicate", "solo", "correct", "correct a solo", "undo"),
    ("scan", "standings"),
    ("publish with a backup", "backup", "restore", "restore over"),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("commands", "most"), list(zip(COMMANDS, (3, 3, 3, 4), strict=True)), ids=("small", "play", "long", "copies")
)
def test_killed_at_any_point_a_command_has_done_all_or_nothing_and_is_done_when_it_is_said_again(
    commands: tuple[str, ...], most: int, tmp_path: Path
) -> None:
    folder = tmp_path
    if os.access(MEMORY, os.W_OK):
        folder = MEMORY / f"kill-points-{os.getpid()}"
        folder.mkdir()
    try:
        told = subprocess.run(
            [sys.executable, "-m", "desk.killing", str(folder), str(most), *commands],
            cwd=TESTS,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    finally:
        shutil.rmtree(folder)
    found = [json.loads(line) for line in told.splitlines()]
    assert [each["command"] for each in found] == list(commands)
    assert [each["wrong"] for each in found] == [[] for _ in commands]
    assert all(each["tried"] >= 3 for each in found), found

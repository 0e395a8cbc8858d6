"""What is printed is printed whatever the pipe is: of Western letters as on Windows, full, or closed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from desk.cup import clock
from sampled import slow_after

from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event
from pipeline.draw.list_as_read import ReadRoster
from pipeline.draw.roster import Player

NAMES = ("Łukasz Żółć", "José Núñez", "Ана 😀")


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """An event whose players are called otherwise than in the West."""
    folder = tmp_path / "cup"
    wanted = Details(name="Puchar Łodzi", code="", tournament="weaselmoot")
    make_event(folder, wanted, ReadRoster(tuple(Player(name=name) for name in NAMES), ()), clock)
    return folder


def said(encoding: str, *words: str, typed: str = "") -> str:
    """What a command prints into a pipe of an encoding, whose letters are all of that encoding."""
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", *words],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        input=typed.encode(),
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode(encoding)


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "utf-8"])
def test_names_are_printed_for_people_and_for_programs(cup: Path, encoding: str) -> None:
    told = json.loads(said(encoding, "players", str(cup), "--json"))
    assert [player["name"] for player in told] == list(NAMES)
    plain = said(encoding, "players", str(cup))
    for name in NAMES:
        assert name.encode(encoding, "backslashreplace").decode(encoding)[:6] in plain


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8"])
def test_a_stream_answers_in_any_encoding(encoding: str) -> None:
    asked = {"id": "Łukasz 😀", "rules": "datc", "phase": "S1901M", "units": {"ITALY": ["A VEN"]}}
    assert json.loads(said(encoding, "judge", typed=json.dumps(asked, ensure_ascii=False)))["id"] == asked["id"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
@pytest.mark.parametrize("words", slow_after(1, [("--help",), ("judge",), ("rules", "--list")], is_value=True))
@pytest.mark.parametrize(
    ("ends", "codes"), [(">/dev/full", (4,)), (">&-", (0, 1)), ("<&-", (0, 1)), ("<&- >&- 2>&-", (0, 1))]
)
def test_pipes_that_are_full_or_closed_are_no_fault_of_the_program(
    words: tuple[str, ...], ends: str, codes: tuple[int, ...]
) -> None:
    command = ["sh", "-c", f'exec "$@" {ends}', "sh", sys.executable, "-m", "pipeline", *words]
    done = subprocess.run(command, capture_output=True, input=b"{}", check=False)
    assert done.returncode in codes, done
    assert b"Traceback" not in done.stderr

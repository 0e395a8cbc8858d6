"""A small event is run to its standings on a machine that plays Windows: `windows/sitecustomize.py` says how."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from desk.cup import NAMES, OPENINGS
from web.driven import Server

from pipeline.board import Power

HERE = Path(__file__).parents[2]
IN_ONE = """
import json, sys
from pipeline.cli import main
if __name__ == "__main__":
    for words in json.loads(sys.argv[1]):
        sys.argv = ["ordersheets", *words]
        try:
            main()
        except SystemExit as ended:
            assert not ended.code, (words, ended.code)
"""


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every process that is started from now on sees Windows in the test's folder."""
    monkeypatch.setenv("PLAYS_WINDOWS", str(tmp_path))
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(Path(__file__).parent / "windows"), str(HERE))))


def run(*commands: Sequence[object], fails: bool = False) -> str:
    """Run commands one after the other in a process of their own; gives what they print, or what the last one lacks."""
    told = json.dumps([[str(word) for word in command] for command in commands])
    done = subprocess.run(
        [sys.executable, "-c", IN_ONE, told], capture_output=True, text=True, encoding="cp1252", check=False
    )
    assert bool(done.returncode) is fails, done.stdout + done.stderr
    assert "Traceback" not in done.stderr.partition("AssertionError")[0] or fails
    return done.stderr if fails else done.stdout


@pytest.mark.usefixtures("elsewhere")
def test_what_is_hidden_is_not_there_for_the_program(tmp_path: Path) -> None:
    for line in ("import fcntl", "import resource", "import os; os.fork", "import signal; signal.SIGKILL"):
        program = tmp_path / "program.py"
        program.write_text(line)
        done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False)
        assert "here" in done.stderr, line


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    ("act", "refused"),
    [
        ("Path('con.txt').write_text('')", "no file of Windows has such a name"),
        ("Path('aux.').mkdir()", "no file of Windows has such a name"),
        ("Path('at 10:30.csv').write_text('')", "no file of Windows has such a name"),
        ("Path('Program.PY').write_text('')", "these two names are one file"),
        ("kept = open('a'); os.replace('program.py', 'a')", "has it open"),
        ("kept = open('a'); os.remove('a')", "has it open"),
        ("kept = sqlite3.connect('a'); kept.execute('create table t (x)'); Path('a').unlink()", "has it open"),
        ("os.fsync(os.open('.', os.O_RDONLY))", "Windows opens no folder"),
        ("Path('a' * 250).write_text('')", "too long"),
        ("print('Łukasz')", "can't encode"),
        ("Path('b').write_text(''); os.replace('b', 'a'); Path('a').unlink()", ""),
    ],
)
def test_what_windows_refuses_is_refused(tmp_path: Path, act: str, refused: str) -> None:
    (tmp_path / "a").touch()
    program = tmp_path / "program.py"
    program.write_text(f"import os, sqlite3\nfrom pathlib import Path\n{act}", "utf-8")
    done = subprocess.run(
        [sys.executable, str(program)], cwd=tmp_path, capture_output=True, encoding="cp1252", check=False
    )
    assert refused in done.stderr and bool(done.stderr) is bool(refused), done.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("elsewhere")
def test_a_small_event_runs_from_new_to_standings_without_what_other_systems_lack(tmp_path: Path) -> None:
    cup, signed = tmp_path / "cup", ("--by", "Łucja")
    names = ["Łukasz Żak", "Con", "Aux.", *NAMES.values()][: len(NAMES)]
    (tmp_path / "players.csv").write_text("name\n" + "\n".join(names), "utf-8")
    run(
        ("new", cup, "--tournament", "weaselmoot", "--roster", tmp_path / "players.csv", "--row", 7, "--code", "TEST"),
        ("draw", cup, "--round", 1, "--seed", 7, *signed),
        ("sheets", cup, "--round", 1, "-o", tmp_path / "sheets.pdf"),
    )
    told = run(("scan", cup, tmp_path / "sheets.pdf", "--processes", 2))  # a PDF has a process that opens it
    assert told.count("board 1.1") == len(Power), told
    assert json.loads(run(("status", cup, "--json")))["backup"]["copy"]
    typed = {power: [part for line in OPENINGS[power] for part in ("--type", line)] for power in Power}
    run(
        *(("rule", cup, "--board", 1, "--power", power, *signed, *lines) for power, lines in typed.items()),
        ("adjudicate", cup, "--board", 1, *signed),
        ("cards", cup),
    )
    server = Server(cup, options=("--lan", "--tls"))
    assert "fingerprint" in server.said
    server.end()
    run(
        ("end", cup, "--board", 1, "--how", "time", "--why", "the hall closes", *signed),
        ("standings", cup, "-o", tmp_path / "standings.xlsx"),
        ("check", cup),
        ("signs", cup, "cards", "--round", 1, "-o", tmp_path / "cards.pdf"),
        ("review", cup, "--xlsx", tmp_path / "review.xlsx"),
        ("export", cup, "-o", tmp_path / "public"),
        ("doctor", cup, "--report", tmp_path / "report.zip"),
        ("restore", tmp_path / "other", "--from", tmp_path / "cup-backups", "--copy", "newest", *signed),
    )
    with (tmp_path / "standings.xlsx").open("rb"):  # as in a spreadsheet program
        told = run(("standings", cup, "-o", tmp_path / "standings.xlsx"), fails=True)
    assert "standings.xlsx" in told and "open" in told, told

"""Nothing asks for what Windows or macOS do not have: it is hidden, and a small event is run to its standings."""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from desk.cup import NAMES, OPENINGS
from house.program import files, nodes
from web.driven import Server

from pipeline.board import Power

HERE = Path(__file__).parents[2]
MODULES = ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "posix", "msvcrt", "winreg")
CALLS = {
    "os": (
        *("fork", "forkpty", "geteuid", "getuid", "getegid", "getgid", "setuid", "getlogin", "killpg", "getpgid"),
        *("setsid", "mkfifo", "mknod", "chown", "fchmod", "fchown", "uname", "statvfs", "sync", "sched_getaffinity"),
        *("sched_setaffinity", "wait3", "wait4", "getloadavg", "nice", "O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK"),
    ),
    "signal": ("SIGKILL", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGQUIT", "alarm", "setitimer", "pthread_kill"),
    "time": ("CLOCK_BOOTTIME",),
    "socket": ("AF_UNIX", "SO_REUSEPORT"),
}
HIDDEN = f"""
import builtins, os, signal, socket, subprocess, sys, time
MODULES, CALLS = {MODULES!r}, {CALLS!r}

class Without:
    \"\"\"A module as the program sees it, without what another system does not have.\"\"\"
    def __init__(self, module):
        self.__dict__["_module"] = module
    def __getattr__(self, name):
        if name in CALLS[self._module.__name__]:
            raise AttributeError(f"module {{self._module.__name__!r}} has no attribute {{name!r}} here")
        return getattr(self._module, name)
    def __setattr__(self, name, value):
        setattr(self._module, name, value)

POORER = {{name: Without(__import__(name)) for name in CALLS}}
real = builtins.__import__

def poorer_import(name, globals=None, locals=None, fromlist=(), level=0):
    if str((globals or {{}}).get("__name__", "")).partition(".")[0] in ("pipeline", "__main__"):
        if name in MODULES:
            raise ImportError(f"no module named {{name!r}} here")
        if name in POORER and not fromlist:
            return POORER[name]
        if name in POORER and set(fromlist) & set(CALLS[name]):
            raise ImportError(f"no {{fromlist}} in {{name}} here")
    return real(name, globals, locals, fromlist, level)

builtins.__import__ = poorer_import
"""

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
    """Every process that is started from now on sees no more than there is on another system."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(HIDDEN)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(tmp_path / "site"), str(HERE))))


def run(*commands: Sequence[object]) -> str:
    """Run commands one after the other in a process of their own; gives what they print."""
    told = json.dumps([[str(word) for word in command] for command in commands])
    done = subprocess.run([sys.executable, "-c", IN_ONE, told], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (commands, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.usefixtures("elsewhere")
def test_what_is_hidden_is_not_there_for_the_program(tmp_path: Path) -> None:
    for line in ("import fcntl", "import resource", "import os; os.fork", "import signal; signal.SIGKILL"):
        program = tmp_path / "program.py"
        program.write_text(line)
        done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False)
        assert "here" in done.stderr, line


@pytest.mark.slow
@pytest.mark.usefixtures("elsewhere")
def test_a_small_event_runs_from_new_to_standings_without_what_other_systems_lack(tmp_path: Path) -> None:
    cup, signed = tmp_path / "cup", ("--by", "Tess")
    (tmp_path / "players.csv").write_text("name\n" + "\n".join(NAMES.values()), "utf-8")
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
        ("restore", tmp_path / "other", "--from", tmp_path / "cup-backups", "--copy", "newest", *signed),
    )
    assert (tmp_path / "standings.xlsx").is_file()


def test_no_module_imports_what_another_system_lacks_but_where_it_can_do_without() -> None:
    found = []
    for path in files():
        guarded = {id(each) for tried in nodes(path) if isinstance(tried, ast.Try) for each in tried.body}
        for each in nodes(path):
            names = [name.name for name in each.names] if isinstance(each, ast.Import) else []
            names += [each.module or ""] if isinstance(each, ast.ImportFrom) else []
            if set(names) & set(MODULES) and id(each) not in guarded:
                found.append(path.name)
    assert found == []

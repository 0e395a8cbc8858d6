"""Let single system calls of a command fail, or kill it there: it says so in words, and the event is whole.

    python benchmarks/system_faults.py [--tries 150] [--seed 1] [--keep FOLDER] [--without-strace]

The faults are made by ``strace``; where that is not installed, or may not trace, by a hook inside of Python, which sees
what Python asks of the system and nothing of what SQLite does. Each command is run once without a fault, and its calls
on files of the event are listed. A try then lets one of them fail, or all of them on one file, or kills the command at
it. A fault is a traceback, a code that no command leaves with, facts that are lost or not as they were written down, a
command that says it is done and is not, and one that cannot be said again. Exit code 1 where there is one; ``--keep``
keeps them.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from click.testing import CliRunner
from msgspec import Struct
from msgspec.structs import asdict
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from desk.cup import clock
from desk.killing import with_a_scan

from pipeline.cli import group
from pipeline.desk.backups import back_up
from pipeline.desk.event.event import open_event
from pipeline.ledger.facts import FactStore
from pipeline.problems import ExitCode, Stopped

COMMANDS = (
    "new {here}/new --tournament weaselmoot --roster {here}/players.csv --code NEWT",
    "players {here}/cup --add Hal --by Tess",
    "draw {here}/cup --round 2 --seed 7 --by Tess",
    "sheets {here}/cup --round 1 -o {here}/s.pdf",
    "forms {here}/cup board -o {here}/f.pdf",
    "scan {here}/cup {here}/page.png --processes 1",
    "rule {here}/cup --board 1 --power FRANCE --line 1 --order A.PAR.H --by Tess",
    "adjudicate {here}/cup --board 1 --by Tess",
    "end {here}/cup --board 1 --how time --why late --by Tess",
    "enter {here}/cup penalty Ada late --points 3 --why so --by Tess",
    "status {here}/cup",
    "check {here}/cup",
    "backup {here}/cup",
    "restore {here}/cup --copy newest --replace --by Tess",
    "restore {here}/again --from {here}/cup-backups --copy newest --by Tess",
    "standings {here}/cup --running -o {here}/p.csv",
    "export {here}/cup -o {here}/x",
    "journal {here}/cup",
)
ERRORS = {
    "openat": ("EIO", "ENOSPC", "EACCES", "EMFILE", "ENOENT"), "read": ("EIO",), "pread64": ("EIO",),
    "write": ("EIO", "ENOSPC", "EDQUOT"), "pwrite64": ("EIO", "ENOSPC"), "fsync": ("EIO",), "fdatasync": ("EIO",),
    "rename": ("EIO", "EACCES", "ENOSPC"), "unlink": ("EIO", "EACCES"), "mkdir": ("ENOSPC", "EACCES", "EIO"),
    "ftruncate": ("EIO",), "fcntl": ("EIO", "ENOLCK"), "flock": ("EIO", "ENOLCK"), "newfstatat": ("EIO", "EACCES"),
    "getdents64": ("EIO",), "mmap": ("ENOMEM",), "copy_file_range": ("EIO", "ENOSPC"), "sendfile": ("EIO", "ENOSPC"),
    "link": ("EIO",), "symlink": ("EIO",), "chmod": ("EPERM",), "utimensat": ("EIO",), "fchmod": ("EPERM",),
    "rmdir": ("EIO",), "lseek": ("EIO",), "fallocate": ("ENOSPC",),
}  # fmt: skip
CALL = re.compile(r"(\d+) +(\w+)\(")
PATH = re.compile(r"[\"<](/[^\">]+)[\">]")
RESTORES = ("restore", "new")
WORDS_OF_FAULTS = ("Traceback", "Exception ignored", "Fatal Python error")


class Fault(Struct, frozen=True):
    """What is made to happen while a command runs."""

    command: str
    call: str
    at: int  # the how manieth call of this kind; 0: each one
    error: str  # of errno's names, or a signal
    path: str = ""  # on this file alone


class Outcome(Struct, frozen=True):
    """How a command ended."""

    code: int
    told: str
    calls: tuple[str, ...] = ()  # as strace wrote them down


def make(base: Path) -> None:
    """Make an event whose orders are in, with a scan and a copy, in a new folder."""
    base.mkdir(parents=True)
    with_a_scan(base)
    with open_event(base / "cup", clock) as event:
        back_up(event)
    (base / "players.csv").write_text("name\n" + "\n".join(f"Player {number}" for number in range(7)), "utf-8")
    Image.new("L", (900, 1200), 250).save(base / "page.png")


def words_of(command: str, here: Path) -> list[str]:
    """The words of a command; a dot stands for a blank in an order."""
    return [word.format(here=here).replace("A.PAR.H", "A PAR H") for word in command.split()]


HOOK = r"""
import errno, json, os, runpy, signal, sys, threading
log, here, fault = open(sys.argv.pop(1), "a", buffering=1), sys.argv.pop(1), json.loads(sys.argv.pop(1))
CALLS = {"open": "openat", "os.rename": "rename", "os.remove": "unlink", "os.mkdir": "mkdir", "os.rmdir": "rmdir",
    "os.link": "link", "os.symlink": "symlink", "os.listdir": "getdents64", "os.scandir": "getdents64",
    "os.chmod": "chmod", "os.utime": "utimensat"}
counts = {}
def look(event, given):
    path = given[-2] if event in ("os.link", "os.symlink") else given[0] if given else None
    if event in CALLS and isinstance(path, str | bytes | os.PathLike):
        asked(CALLS[event], os.path.abspath(os.fsdecode(path)))
def asked(call, path):
    if not path.startswith(here):
        return
    if threading.current_thread() is threading.main_thread():
        counts[call] = counts.get(call, 0) + 1
    is_meant = call == fault.get("call") and fault["path"] in ("", path) and fault["at"] in (0, counts.get(call))
    log.write(f'{threading.get_native_id()} {call}("{path}"){" (INJECTED)" if is_meant else ""}\n')
    if is_meant and fault["error"] == "KILL":
        os.kill(os.getpid(), signal.SIGKILL)
    if is_meant:
        number = getattr(errno, fault["error"])
        raise OSError(number, os.strerror(number), path)
def fsync(file, before=os.fsync):
    asked("fsync", os.readlink(f"/proc/self/fd/{file if isinstance(file, int) else file.fileno()}"))
    before(file)
os.fsync = fsync
sys.addaudithook(look)
runpy.run_module("pipeline", run_name="__main__")
"""


def run(command: str, here: Path, fault: Fault | None = None, *, by_hook: bool = False) -> Outcome:
    """Run a command and write its calls down, one of which may fail."""
    log = here.parent / "strace.log"
    log.write_text("")
    named = os.environ | {"PYTHONHASHSEED": "0", "XDG_CONFIG_HOME": str(here.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    strace = ["strace", "-f", "-y", "-qq", "--seccomp-bpf", "-s", "4096", "-o", str(log), *options_of(fault)]
    begun = [*strace, sys.executable, "-m", "pipeline"]
    if by_hook:
        begun = [sys.executable, "-c", HOOK, str(log), str(here), json.dumps(asdict(fault) if fault else {})]
    done = subprocess.run(
        [*begun, *words_of(command, here)],
        capture_output=True,
        env=named,
        cwd=Path(__file__).parents[1],
        timeout=120,
        check=False,
    )
    told = (done.stdout + done.stderr).decode("utf-8", "replace")
    return Outcome(done.returncode, told, tuple(log.read_text("utf-8", "replace").splitlines()))


def calls_of(found: Outcome, here: Path) -> list[tuple[str, int, str]]:
    """The calls of the command's first thread on files of the event: which, the how manieth of its kind, on what."""
    counts: Counter[str] = Counter()
    calls, first = [], ""
    for line in found.calls:
        if (call := CALL.match(line)) is None:
            continue
        first = first or call[1]
        if call[1] != first:
            continue
        counts[call[2]] += 1
        if paths := [path for path in PATH.findall(line) if path.startswith(str(here))]:
            calls.append((call[2], counts[call[2]], paths[-1]))
    return calls


def faults(calls: dict[str, list[tuple[str, int, str]]], count: int, seed: int) -> Iterator[Fault]:
    """So many faults, the commands in turn, each kind of call as likely as any other."""
    dice = Random(seed)
    for number in range(count):
        command = list(calls)[number % len(calls)]
        kinds = sorted({call for call, _, _ in calls[command]})
        call, at, path = dice.choice(
            [each for each in calls[command] if each[0] == dice.choice(kinds)] or calls[command]
        )
        way = dice.random()
        if way < 0.2:
            yield Fault(command, call, at, "KILL")
        elif way < 0.4 and ".part" not in path:
            yield Fault(command, call, 0, dice.choice(ERRORS[call]), path)
        else:
            yield Fault(command, call, at, dice.choice(ERRORS[call]))


def options_of(fault: Fault | None) -> list[str]:
    """How strace is told of a fault, or to tell of every call that may fail."""
    if fault is None:
        return ["-e", f"trace={','.join(ERRORS)}"]
    what = f"signal={fault.error}" if fault.error == "KILL" else f"error={fault.error}"
    when = f":when={fault.at}" if fault.at else ""
    return [
        *(["-P", fault.path] if fault.path else []),
        "-e",
        f"trace={fault.call}",
        "-e",
        f"inject={fault.call}:{what}{when}",
    ]


def facts_in(cup: Path) -> tuple[str, ...]:
    """The facts of an event, each as text; stop where they are not as they were written down."""
    if not (cup / "event.db").exists():
        return ()
    with FactStore(cup / "event.db", clock) as store:
        if problems := store.verify():
            raise Stopped(problems)
        return tuple(f"{kind} by {by}" for _, _, by, kind, _ in store.rows())


def wrong(fault: Fault, found: Outcome, here: Path, before: tuple[str, ...], after: tuple[str, ...]) -> Iterator[str]:
    """What is not as it should be after a fault."""
    yield from (word for word in WORDS_OF_FAULTS if word in found.told)
    if found.code not in (*ExitCode, -9, 137):
        yield f"left with {found.code}"
    is_new = fault.command.split()[0] in RESTORES
    try:
        now = facts_in(here / "cup")
    except (Stopped, OSError) as error:
        yield f"the facts: {error}"
        return
    if not is_new and now[: len(before)] != before:
        yield f"{len(before)} facts before, {len(now)} now, and others"
    if found.code == 0 and now != after:
        yield f"it says it is done, with {len(now)} facts and not {len(after)}"
    for word in words_of(fault.command, here):
        if found.code == 0 and word.startswith(f"{here}/") and not Path(word).exists():
            yield f"it says it is done, and {Path(word).name} is not there"
    again = CliRunner().invoke(group, words_of(fault.command, here))
    if not isinstance(again.exception, Stopped | SystemExit | None):
        yield f"said again: {again.exception!r}"


def can_trace() -> bool:
    """Whether strace is here, and may do what it does."""
    return (
        shutil.which("strace") is not None
        and not subprocess.run(["strace", "-qq", "true"], capture_output=True, check=False).returncode
    )


def tried(
    room: Path, commands: Sequence[str], count: int, seed: int, keep: Path | None = None, *, by_hook: bool = False
) -> tuple[Counter[str], list[str]]:
    """Try so many faults; how often which commands were tried, and what was wrong."""
    base, here = room / "base", room / "here"
    make(base)

    def fresh() -> Path:
        shutil.rmtree(here, ignore_errors=True)
        shutil.copytree(base, here)
        return here

    calls, after, before = {}, {}, facts_in(fresh() / "cup")
    for command in commands:
        run(command, fresh(), by_hook=by_hook)  # whatever is compiled or kept at the first time is there now
        found = run(command, fresh(), by_hook=by_hook)
        calls[command], after[command] = calls_of(found, here), facts_in(here / "cup")
        if found.code:
            raise SystemExit(f"{command}: without a fault it ends with {found.code}: {found.told}")
    tries: Counter[str] = Counter()
    said = []
    for number, fault in enumerate(faults(calls, count, seed)):
        found = run(fault.command, fresh(), fault, by_hook=by_hook)
        if not any("(INJECTED)" in line or "SIGKILL" in line for line in found.calls):
            continue  # the command took another way, and never came there
        tries[fault.command.split()[0]] += 1
        if problems := list(wrong(fault, found, here, before, after[fault.command])):
            said.append(f"{number} {fault}\n  {'; '.join(problems)}\n  {found.told[-600:]}")
            if keep is not None:
                shutil.copytree(here, keep / str(number), symlinks=True)
    return tries, said


def main() -> int:
    """Try, and print what is found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tries", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--without-strace", action="store_true")
    asked = parser.parse_args()
    by_hook = asked.without_strace or not can_trace()
    with tempfile.TemporaryDirectory() as room:
        tries, said = tried(Path(room), COMMANDS, asked.tries, asked.seed, asked.keep, by_hook=by_hook)
    print("\n".join(said))
    print("| command | tries |\n|---|---|")
    for command, count in tries.items():
        print(f"| {command} | {count} |")
    print(f"{sum(tries.values())} faults by {'a hook' if by_hook else 'strace'}, {len(said)} wrong")
    return 1 if said else 0


if __name__ == "__main__":
    raise SystemExit(main())

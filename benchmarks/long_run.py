"""Keep a server busy and see whether its memory, its handles and SQLite's log stay as they are.

    python benchmarks/long_run.py [--minutes 15] [--desks 4] [--phones 20]

Desks settle rows all the time, telephones look at the pages for players, and commands ask for the status beside them.
Every two seconds it is noted how much memory the server holds, how many files and threads it has open, and how long the
log of the facts is. The worst of the last quarter must not be more than that of the second one and a little; the
first is left out, for what is loaded once is loaded then. Exit code 1 where it is.
"""

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from msgspec import Struct
from msgspec.structs import astuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.large.desks import Desk, start
from benchmarks.large.event import make
from benchmarks.start_up import COMPILED, ROOT
from benchmarks.whole_sheets.count import markdown

EVERY_S = 2.0
PAGES = ("/live", "/live/newest", "/live/board/1.1", "/live/standings")
LOOKS_S = 3.0  # between two looks of a telephone


class Size(Struct, frozen=True):
    """What a server holds at one moment."""

    memory_mb: float
    handles: int
    threads: int
    log_mb: float


ALLOWED = Size(memory_mb=8.0, handles=3, threads=2, log_mb=1.0)  # more in the last quarter than in the second


def size_of(process: int, event: Path) -> Size:
    """Look at a server now."""
    own = Path(f"/proc/{process}")
    status = dict(line.split(":", 1) for line in (own / "status").read_text("utf-8").splitlines() if ":" in line)
    log = event / "event.db-wal"
    log_mb = log.stat().st_size / 1e6 if log.exists() else 0.0
    return Size(
        int(status["VmRSS"].split()[0]) / 1024, len(list((own / "fd").iterdir())), int(status["Threads"]), log_mb
    )


def look(place: str, until: float, failed: list[str]) -> None:
    """Be a telephone: look at one page after the other, each time on a new connection."""
    number = 0
    while time.monotonic() < until:
        number += 1
        try:
            with closing(HTTPConnection(place, timeout=30)) as line:
                line.request("GET", PAGES[number % len(PAGES)])
                line.getresponse().read()
        except (OSError, HTTPException) as error:
            failed.append(repr(error))
        time.sleep(LOOKS_S)


def settle(desk: Desk, until: float) -> None:
    """Be a desk: come in, settle some rows, and come in again."""
    while time.monotonic() < until:
        desk.work(20)


def ask(event: Path, until: float) -> None:
    """Be a director with a terminal beside it."""
    while time.monotonic() < until:
        subprocess.run(
            [sys.executable, "-m", "pipeline", "status", str(event)],
            cwd=ROOT,
            env=COMPILED,
            capture_output=True,
            check=True,
        )
        time.sleep(10)


def watched(event: Path, minutes: float, desks: int, phones: int) -> tuple[list[Size], list[str]]:
    """Keep the server of an event busy; what it held all the while, and what telephones could not see."""
    server = start(event, desks)
    failed: list[str] = []
    until = time.monotonic() + 60 * minutes
    try:
        place = server.desks[0].place
        busy = [threading.Thread(target=settle, args=(desk, until)) for desk in server.desks]
        busy += [threading.Thread(target=look, args=(place, until, failed)) for _ in range(phones)]
        busy.append(threading.Thread(target=ask, args=(event, until)))
        for thread in busy:
            thread.start()
        found = []
        while time.monotonic() < until:
            found.append(size_of(server.process.pid, event))
            time.sleep(EVERY_S)
        for thread in busy:
            thread.join()
    finally:
        server.process.terminate()
        server.process.wait()
    return found, failed


def main() -> int:
    """Run it, and print what the quarters held at most."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--desks", type=int, default=4)
    parser.add_argument("--phones", type=int, default=20)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        event = Path(folder) / "event"
        make(event, boards=6, rounds=1, scans=42)
        found, failed = watched(event, asked.minutes, asked.desks, asked.phones)
    part = max(1, len(found) // 4)
    quarters = [found[at : at + part] for at in range(0, 4 * part, part)]
    worst = [tuple(map(max, zip(*map(astuple, quarter), strict=True))) for quarter in quarters]
    print(
        markdown(
            ("quarter", "memory MB", "handles", "threads", "log MB"),
            [
                (str(number), f"{memory:.1f}", str(handles), str(threads), f"{log:.2f}")
                for number, (memory, handles, threads, log) in enumerate(worst, start=1)
            ],
        )
    )
    print(f"{asked.minutes:g} minutes, {asked.desks} desks, {asked.phones} telephones, {len(failed)} looks failed")
    grown = [now > before + more for now, before, more in zip(worst[3], worst[1], astuple(ALLOWED), strict=True)]
    return int(any(grown) or bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())

"""How long a command takes before it begins: its help, against Python itself and against the import of OpenCV.

    python benchmarks/start_up.py [--times 5]

The figure is the processor's time, the least of so many runs, so that other work on the machine hardly shows; the clock
stands beside it. Modules are compiled before, as an installed program's are. ``status`` and its like are run on a small
event, too. Goal: half a second at most for every command
on an event, for the help of every command, and for the list of them. Exit code 1 where one takes longer.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.whole_sheets.count import markdown
from pipeline.board import Power
from pipeline.cli import COMMANDS
from pipeline.desk.event.event import open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import find_game
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.publish.publish import publish
from pipeline.desk.review.orders_shown import status
from pipeline.desk.ruling.rulings import type_lines
from pipeline.desk.sheets.printing import print_round
from pipeline.draw.roster import Player
from pipeline.ledger.files import now

ROOT = Path(__file__).resolve().parents[1]
GOAL_S = 0.5
COMPILED = os.environ | {
    "PYTHONDONTWRITEBYTECODE": "",
    "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "start_up"),
}
WORKERS = ("demo", "rehearse", "calibrate", "testdeck")  # they read handwriting for minutes; their help may wait


class Taken(Struct, frozen=True):
    """How long something took, in seconds."""

    cpu: float
    clock: float


def least(command: Sequence[str], times: int) -> Taken:
    """Run a command so many times; the least of each time."""
    if sys.platform == "win32":
        raise NotImplementedError("Windows does not tell what a process took")
    found = []
    for _ in range(times):
        begun = time.perf_counter()
        running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, env=COMPILED)
        _, code, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(code)
        if running.returncode:
            raise SystemExit(f"{' '.join(command)}: exit code {running.returncode}")
        found.append((used.ru_utime + used.ru_stime, time.perf_counter() - begun))
    return Taken(min(cpu for cpu, _ in found), min(clock for _, clock in found))


def small_event(folder: Path) -> Path:
    """One board with a published phase."""
    names = [f"Player {number}" for number in range(1, 8)]
    details = Details(name="Start", code="STAR", tournament="weaselmoot")
    make_event_folder(folder, details, [Player(name=name) for name in names], now)
    with open_event(folder, now) as event:
        seat_round(event, 1, {"1": dict(zip(Power, names, strict=True))}, by="benchmark")
        print_round(event, 1)
        first = find_game(event, "1").position
        for power, units in first.units.items():
            type_lines(event, Turn("1.1", first.phase, power), [f"{unit} H" for unit in units], by="benchmark")
        publish(event, "1", "benchmark")
        status(event)
    return folder


def commands(event: Path) -> list[tuple[str, list[str]]]:
    """What is measured: commands on an event, then the help of every command, and the list of them."""
    on_event = [
        "status",
        "orders EVENT --board 1",
        "players",
        "position EVENT 1",
        "check",
        "explain EVENT 1_S1901M_A_VIE",
    ]
    found = []
    for line in on_event:
        name, *rest = line.split()
        given = [str(event) if each == "EVENT" else each.replace("_", " ") for each in rest or ["EVENT"]]
        found.append((f"{name} on an event", [name, *given]))
    return [*found, ("--help", ["--help"]), *((f"{name} --help", [name, "--help"]) for name in COMMANDS)]


def main() -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args().times
    bare = least([sys.executable, "-c", "pass"], times)
    opencv = least([sys.executable, "-c", "import cv2"], times)
    rows = [("python -c pass", bare), ("python -c 'import cv2'", opencv)]
    with tempfile.TemporaryDirectory() as folder:
        event = small_event(Path(folder) / "event")
        for name, words in commands(event):
            rows.append((name, least([sys.executable, "-m", "pipeline", *words], times)))
    head = ("command", "processor s", "clock s", "against python", "against cv2")
    told = [
        (name, f"{each.cpu:.2f}", f"{each.clock:.2f}", f"{each.cpu / bare.cpu:.0f}", f"{each.cpu / opencv.cpu:.1f}")
        for name, each in rows
    ]
    print(markdown(head, told))
    slow = [name for name, each in rows if each.cpu > GOAL_S and name.split()[0] not in WORKERS]
    print(f"longer than {GOAL_S} s: {', '.join(slow) or 'none'}")
    return int(bool(slow))


if __name__ == "__main__":
    sys.exit(main())

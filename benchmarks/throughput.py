"""How fast ``ordersheets scan`` reads: pages a minute, the time of each stage, memory over a long pile.

``python benchmarks/throughput.py --pages 1000``. The pages are A4, twelve rows each, written with the strokes of real
people in positions of real games where one power has twelve units; a pile of distinct pages goes round until there are
so many. Goal: 140 pages a minute on two cores, pages filed as they arrive, memory flat over 1,000 pages. Where the
cores are shared with other work, the processor's time is what counts, not the clock; and as machines differ, it is
told as a share of a plain loop's, which adds five million numbers in the same run.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cv2

from benchmarks.whole_sheets.count import markdown
from benchmarks.whole_sheets.load import ROWS, Pile, files_of, pile_of
from benchmarks.whole_sheets.real_ink import has_real_ink
from benchmarks.whole_sheets.stopwatch import STAGES, Stopwatch, held
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import games
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.intake.ingest import take_in
from pipeline.desk.ruling.desk import Desk
from pipeline.ledger.files import now

ROOT = Path(__file__).resolve().parents[1]
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
LOOKED_AT = (100, 500, 1000)  # pages after which memory is measured
GOAL = "goal: 140 pages a minute on two cores, a page in 0.9 of a plain loop, memory flat over 1,000 pages"
LOOP = """
import time
begun, total = time.process_time(), 0
for number in range(5_000_000):
    total += number
print(time.process_time() - begun)
"""


class Run(Struct, frozen=True):
    """One run of ``ordersheets scan``."""

    processes: int
    pages: int
    filed: int
    seconds: float  # by the clock, from the start of the command to its end
    cpu_seconds: float  # of all its processes
    loop: float  # of a plain loop, just before
    first: float  # seconds until the first page could be reviewed
    memory: dict[int, int]  # after so many pages: megabytes at most so far, of all processes together

    @property
    def cells(self) -> tuple[str, ...]:
        """The run in words."""
        by_cpu = 60 * self.pages * self.processes / self.cpu_seconds
        told = ", ".join(f"{megabytes} after {pages}" for pages, megabytes in self.memory.items())
        return (
            str(self.processes),
            f"{self.filed} of {self.pages}",
            f"{60 * self.pages / self.seconds:.0f}",
            f"{1000 * self.cpu_seconds / self.pages:.0f}",
            f"{self.cpu_seconds / self.pages / self.loop:.2f}",
            f"{by_cpu:.0f}",
            f"{self.first:.1f}",
            told,
        )


def scanned(event: Path, files: Sequence[Path], pages: int, processes: int) -> Run:
    """Run the command, and watch it."""
    if sys.platform == "win32":
        raise NotImplementedError("Windows does not tell what a process took")
    loop = loop_seconds()
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "pipeline", "scan", str(event), *map(str, files), "--processes", str(processes)]
    filed, seen, first, memory = 0, 0, 0.0, {}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        for line in running.stdout:
            seen += 1
            filed += line.startswith("filed")
            first = first or time.perf_counter() - begun
            if seen in (*LOOKED_AT, pages):
                memory[seen] = megabytes(running.pid)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(processes, pages, filed, time.perf_counter() - begun, cpu, loop, first, memory)


def loop_seconds() -> float:
    """How long this machine's processor takes for a plain loop, at the top level of a program."""
    return float(subprocess.run([sys.executable, "-c", LOOP], capture_output=True, text=True, check=True).stdout)


def megabytes(pid: int) -> int:
    """The most memory that a process and its helpers have held, each at its worst."""
    started = [thread / "children" for thread in Path(f"/proc/{pid}/task").iterdir()]  # each by one of its threads
    pids = [pid, *(int(child) for children in started for child in children.read_text().split())]
    peaks = [line for each in pids for line in Path(f"/proc/{each}/status").read_text().splitlines() if "VmHWM" in line]
    return sum(int(line.split()[1]) for line in peaks) // 1024


def stages(event_folder: Path, files: Sequence[Path], pages: int) -> str:
    """Time the stages in one process, and what the rules make of the rows."""
    cv2.setNumThreads(1)
    with open_event(event_folder, now) as event:
        engine = best_recogniser()
        with held(Stopwatch()) as watch:
            take_in(event, files, engine, lambda page: None)
        begun = time.process_time()
        desk = Desk.of(event)
        for game in games(event).values():
            desk.board(game)
        watch.seconds["interpret all rows"] = time.process_time() - begun
    names = [*STAGES, "the rest", "interpret all rows"]
    rows = [(name, f"{1000 * watch.seconds[name] / pages:.1f}") for name in names]
    total = sum(watch.seconds[name] for name in names)
    return markdown(("stage", "processor ms a page"), [*rows, ("all", f"{1000 * total / pages:.1f}")])


def main(arguments: Sequence[str] | None = None) -> None:
    found = options().parse_args(arguments)
    if not has_real_ink():
        return
    with tempfile.TemporaryDirectory() as folder:
        # its modules are compiled before, as where the program is installed
        os.environ.update(ONE_THREAD | {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": f"{folder}/compiled"})
        pile = pile_of(Path(folder), found.distinct, found.seed)
        print(f"{len(pile.scans)} distinct pages of {ROWS} rows; {GOAL}", end="\n\n")
        timed = shutil.copytree(pile.event, Path(folder) / "timed")
        print(stages(timed, files_of(pile, len(pile.scans), Path(folder) / "once"), len(pile.scans)), end="\n\n")
        whole_run(pile, Path(folder) / "first", 1, 1)
        runs = [whole_run(pile, Path(folder), found.pages, processes) for processes in found.processes]
    head = (
        "processes",
        "filed",
        "pages a minute",
        "processor ms a page",
        "of a plain loop",
        "on idle cores",
        "first page s",
        "MB at most",
    )
    print(markdown(head, [run.cells for run in runs]))


def whole_run(pile: Pile, folder: Path, pages: int, processes: int) -> Run:
    """Scan a long pile into a fresh copy of the event."""
    event = shutil.copytree(pile.event, folder / f"event-{processes}")
    return scanned(event, files_of(pile, pages, folder / "pile"), pages, processes)


def options() -> argparse.ArgumentParser:
    """What may be asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--distinct", type=int, default=24)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seed", type=int, default=1)
    return parser


if __name__ == "__main__":
    main()

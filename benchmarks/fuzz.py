"""Try spoilt inputs at every door, and count what becomes of them.

``python benchmarks/fuzz.py [--door NAME]… [--tries N] [--seed N] [--minutes M] [--keep FOLDER]``. A try is a fault
where it raises anything but a message to people, takes more than 10 s, or is accepted and means nothing. Each is
printed with its seed; ``--keep`` writes its bytes down, to be looked at and to go into ``tests/fuzz/corpus``.
"""

import argparse
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType

from msgspec import Struct, field

from benchmarks.fuzzing.desks import DESK
from benchmarks.fuzzing.doors import CHEAP, Logins
from benchmarks.fuzzing.papers import PAPER

LONGEST_S = 10.0  # of the processor; on a machine that others use, too, the clock on the wall says nothing
WAITS = 10  # times as long by the wall: a try that waits for something
TRIES = 1000


class Hangs(BaseException):
    """A try that takes too long."""


class Count(Struct):
    """What became of the tries at one door."""

    tries: int = 0
    accepted: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)

    def row(self, name: str) -> str:
        """One line of the table."""
        refused = self.tries - self.accepted - self.faults.total()
        return (
            f"| {name} | {self.tries:,} | {self.accepted:,} | {refused:,} | {self.faults.total():,} "
            f"| {len(self.faults)} | {self.slowest:.2f} s |"
        )


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End what takes longer, where the system can."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Hangs

    if sys.platform == "win32":
        yield
        return
    clocks = ((signal.ITIMER_PROF, signal.SIGPROF, seconds), (signal.ITIMER_REAL, signal.SIGALRM, WAITS * seconds))
    for clock, alarm, most in clocks:
        signal.signal(alarm, ring)
        signal.setitimer(clock, most)
    try:
        yield
    finally:
        for clock, _, _ in clocks:
            signal.setitimer(clock, 0)


def try_door(door: Logins, tries: int, seed: int, until: float, keep: Path | None) -> Count:
    """Try one door with spoilt inputs until all are tried, or the time is up."""
    count, seeds = Count(), door.seeds()
    for data in seeds:
        assert door.accepts(data), f"{door.name}: the unspoilt input is refused"
    for number in range(tries):
        if time.monotonic() > until:
            break
        rng = Random(f"{door.name} {seed} {number}")
        try_one(door, door.mutation(rng.choice(seeds), rng), count, f"{seed}-{number}", keep)
    return count


def try_one(door: Logins, data: bytes, count: Count, name: str, keep: Path | None) -> None:
    """Try one input."""
    began = time.process_time()
    count.tries += 1
    try:
        with limited(LONGEST_S):
            count.accepted += door.accepts(data)
    except (Exception, Hangs) as error:
        fault = fault_of(error)
        count.faults[fault] += 1
        if count.faults[fault] == 1:
            print(f"{door.name} {name}: {fault}", flush=True)
            if keep is not None:
                (keep / door.name).mkdir(parents=True, exist_ok=True)
                (keep / door.name / name).write_bytes(data)
    took = time.process_time() - began
    count.seconds += took
    count.slowest = max(count.slowest, took)


def fault_of(error: BaseException) -> str:
    """Name a fault by what was raised and where: many inputs find the same one."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "pipeline" in frame.filename]
    where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__} {where} {str(error)[:120]!r}" if not frames else f"{type(error).__name__} {where}"


def main() -> int:
    """Try the doors that are asked for; 1 where there was a fault."""
    doors = {door.name: door for door in all_doors()}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--door", action="append", choices=doors)
    parser.add_argument("--tries", type=int, default=TRIES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10.0, help="for each door")
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    counts: dict[str, Count] = {}
    for name in asked.door or doors:
        until = time.monotonic() + 60 * asked.minutes
        counts[name] = try_door(doors[name], asked.tries, asked.seed, until, asked.keep)
    print(
        "\n| door | tries | accepted | refused | faults | of them different | slowest |\n|---|---|---|---|---|---|---|"
    )
    for name, count in counts.items():
        print(count.row(name))
    return int(any(count.faults for count in counts.values()))


def all_doors() -> tuple[Logins, ...]:
    """Every door."""
    return (*CHEAP, *DESK, *PAPER)


if __name__ == "__main__":
    sys.exit(main())

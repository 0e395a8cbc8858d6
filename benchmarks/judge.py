"""How long one movement phase takes, over recorded games, in one process; and whether a long stream needs more memory.

    python benchmarks/judge.py [real_games.jsonl.gz] [--stream 100000]

The goal is a median of at most 400 µs for a phase with 33 units; a compiled engine in Go needs 744 µs, one in Python
1,460 µs. Only the judging is timed there: positions and orders are read before, and nothing is written.
"""

import argparse
import gzip
import io
import json
import resource
import sys
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from pipeline.board import Phase, Position, Power, Step, standard_map
from pipeline.cli.judge import judge
from pipeline.cli.streams import answer_each
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.rulebook import rulebook
from pipeline.orders import Order, read_order, read_unit

SHARED = Path(__file__).parents[2] / "shared" / "data" / "real_games.jsonl.gz"
RULES = {"base": "datc", "4.A.3": "c+fallback", "4.D.8": "a"}
GOAL_US = 400  # microseconds, the median for 33 units
ROUNDS = 5


def main() -> int:
    """Measure, print, and say by the exit code whether the goal is met."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("games", nargs="?", type=Path, default=SHARED)
    parser.add_argument("--stream", type=int, default=100_000, help="phases to stream through the command")
    options = parser.parse_args()
    if not options.games.is_file():
        print(f"{options.games}: no recorded games there; give the path of a real_games.jsonl.gz", file=sys.stderr)
        return 0
    records = list(read_records(options.games))
    met = report_times([phase_of(record) for record in records if record["phase"].endswith("M")])
    report_stream(records, options.stream)
    return 0 if met else 1


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def phase_of(record: dict[str, Any]) -> tuple[Position, dict[Power, list[Order]]]:
    position = Position(
        phase=Phase.read(record["phase"]),
        units={Power(power): tuple(map(read_unit, units)) for power, units in record["units_before"].items()},
        centres={Power(power): tuple(owned) for power, owned in record["centers"].items()},
    )
    return position, {Power(power): [read_order(text) for text in texts] for power, texts in record["orders"].items()}


def report_times(phases: list[tuple[Position, dict[Power, list[Order]]]]) -> bool:
    """Time every phase, the best of a few rounds each; a busy machine disturbs single rounds."""
    board, rules = standard_map(), rulebook(RULES)
    times: list[tuple[int, float]] = []
    for position, orders in phases:
        best = float("inf")
        for _ in range(ROUNDS):
            began = time.perf_counter()
            adjudicate(board, position, orders, rules)
            best = min(best, time.perf_counter() - began)
        times.append((sum(map(len, position.units.values())), 1e6 * best))
    print(f"{len(times)} movement phases, {sum(map(len_of, times)) / len(times):.1f} units on average")
    full = print_times("all", [us for _, us in times])
    full = print_times("with 33 units or more", [us for units, us in times if units >= 33])
    print(f"goal: a median of {GOAL_US} µs with 33 units: {'met' if full <= GOAL_US else 'missed'}")
    return full <= GOAL_US


def len_of(timed: tuple[int, float]) -> int:
    return timed[0]


def print_times(what: str, times: list[float]) -> float:
    times = sorted(times)
    median, p95 = times[len(times) // 2], times[len(times) * 95 // 100]
    print(f"{what}: {len(times)} phases, median {median:.0f} µs, p95 {p95:.0f} µs, slowest {times[-1]:.0f} µs")
    return median


def report_stream(records: list[dict[str, Any]], count: int) -> None:
    """Stream phases through the command, and compare the memory in use after a tenth and at the end."""
    questions = [
        json.dumps(
            {
                "rules": RULES,
                "phase": record["phase"],
                "units": record["units_before"],
                "centers": record["centers"],
                "orders": record["orders"],
            }
        )
        for record in records
        if Phase.read(record["phase"]).step is not Step.RETREATS
    ]
    began, first = time.process_time(), 0
    out = Counted()
    for part in (count // 10, count - count // 10):
        answer_each(Lines(questions, part), judge, out)
        first = first or peak_kib()
    seconds = time.process_time() - began
    each = 1e6 * seconds / out.lines
    print(f"streamed {out.lines} phases: {each:.0f} µs each of processor time, reading and writing included")
    print(f"peak memory: {first} KiB after a tenth, {peak_kib()} KiB at the end")


def peak_kib() -> int:
    if sys.platform == "win32":
        raise NotImplementedError("Windows does not tell what a process took")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


class Lines(io.StringIO):
    """A stream that goes through the same questions again and again, and keeps none."""

    def __init__(self, questions: list[str], count: int) -> None:
        super().__init__()
        self.left = islice(cycle(questions), count)

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        return next((question + "\n" for question in self.left), "")


class Counted(io.StringIO):
    """An output that counts its lines and keeps none."""

    lines = 0

    def write(self, text: str) -> int:
        """Count, and forget."""
        self.lines += text.count("\n")
        return len(text)


if __name__ == "__main__":
    sys.exit(main())

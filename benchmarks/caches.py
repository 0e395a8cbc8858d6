"""What each cache saves: how often it answered, and how long the same answers would have taken.

    python benchmarks/caches.py [--boards 4]

Every `functools` cache and `cached_property` of the program is counted while one process plays a demo with its scans,
makes a larger event, answers `status`, `check` and `standings`, and judges, interprets and scores some hundred lines.
A cache saves its hits times what a miss took on average, nested ones included: it is what would be lost at most.
"""

import argparse
import functools
import importlib
import json
import pkgutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from click.testing import CliRunner

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pipeline
from benchmarks.large.event import make
from pipeline.cli import group

PAST = ("pipeline.__main__", "pipeline.reading.pdf_opener", "pipeline.desk.intake.reading_helper")
LINES = ("A Bud - Ser", "A Vie - Gal", "F Tri - Alb", "a bud s a vie - gal", "Army Vienna to Tyrolia", "F Tri holds")
MOVES = ("A BUD - SER", "A VIE - GAL", "F TRI - ALB")


class Counted:
    """How often one cache was asked, and how long it took where it did not know."""

    def __init__(self, name: str) -> None:
        self.name, self.asked, self.missed, self.took = name, 0, 0, 0.0

    @property
    def saved(self) -> float:
        """Seconds."""
        return (self.asked - self.missed) * self.took / self.missed if self.missed else 0.0

    def around(self, work: Callable[..., Any]) -> Callable[..., Any]:
        """The same work, counted and timed."""

        def timed(*given: Any, **named: Any) -> Any:
            began = perf_counter()
            try:
                return work(*given, **named)
            finally:
                self.missed += 1
                self.took += perf_counter() - began

        return timed


class CountedProperty:
    """A property that is worked out once, counted."""

    def __init__(self, counted: Counted, work: Callable[[Any], Any], name: str) -> None:
        self.counted, self.work, self.name = counted, counted.around(work), name

    def __get__(self, holder: Any, kind: type | None = None) -> Any:
        if holder is None:
            return self
        self.counted.asked += 1
        if self.name not in holder.__dict__:
            holder.__dict__[self.name] = self.work(holder)
        return holder.__dict__[self.name]

    def __set__(self, holder: Any, value: Any) -> None:
        holder.__dict__[self.name] = value


def count_cache(cache: Any, counted: Counted) -> Callable[..., Any]:
    """The same cache, counted."""
    kept = functools.lru_cache(**cache.cache_parameters())(counted.around(cache.__wrapped__))

    @functools.wraps(cache.__wrapped__)
    def asked(*given: Any, **named: Any) -> Any:
        counted.asked += 1
        return kept(*given, **named)

    asked.cache_clear, asked.cache_info = kept.cache_clear, kept.cache_info  # type: ignore[attr-defined]
    return asked


def count_all() -> list[Counted]:
    """Put a count around every cache of the program."""
    names = [each.name for each in pkgutil.walk_packages(pipeline.__path__, "pipeline.") if each.name not in PAST]
    modules = [importlib.import_module(name) for name in names]
    found: list[Counted] = []
    new: dict[int, Any] = {}
    for holder, path in holders(modules):
        for name, value in list(vars(holder).items()):
            if isinstance(value, functools._lru_cache_wrapper) and value.__module__.startswith("pipeline."):
                if id(value) not in new:
                    found.append(Counted(f"{value.__module__.removeprefix('pipeline.')}.{value.__qualname__}"))
                    new[id(value)] = (value, count_cache(value, found[-1]))
                setattr(holder, name, new[id(value)][1])
            elif isinstance(value, functools.cached_property) and isinstance(holder, type):
                found.append(Counted(f"{path.removeprefix('pipeline.')}.{name}"))
                setattr(holder, name, CountedProperty(found[-1], value.func, name))
    return found


def holders(modules: list[Any]) -> Iterator[tuple[Any, str]]:
    """Every module, and every class that is made in one."""
    for module in modules:
        yield module, module.__name__
        for value in list(vars(module).values()):
            if isinstance(value, type) and value.__module__ == module.__name__:
                yield value, f"{module.__name__}.{value.__qualname__}"


def run(*words: object, given: str = "") -> None:
    """Run a command in this process."""
    done = CliRunner().invoke(group, [str(word) for word in words], input=given)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception


def work(folder: Path, boards: int) -> None:
    """What a tournament asks of the program."""
    run("demo", "--out", folder / "demo")
    make(folder / "large", boards=boards, rounds=3, scans=14 * boards)
    for event in (folder / "demo" / "event", folder / "large"):
        for command in (("status",), ("status", "--json"), ("check",), ("orders", "--board", "1"), ("journal",)):
            run(command[0], event, *command[1:])
        run("standings", event, "-o", folder / "standings.xlsx")
        run("review", event, "--xlsx", folder / "waits.xlsx")
    phase = {"phase": "S1901M", "units": {"AUSTRIA": ["A BUD", "A VIE", "F TRI"]}}
    judge = phase | {"rules": "datc", "orders": {"AUSTRIA": list(MOVES)}}
    run("judge", given="".join(json.dumps(judge | {"id": n}) + "\n" for n in range(100)))
    line = phase | {"tournament": "weaselmoot", "power": "AUSTRIA", "lines": list(LINES)}
    run("interpret", given="".join(json.dumps(line | {"id": n}) + "\n" for n in range(100)))


def main() -> None:
    """Say what each saves, the greatest first."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--boards", type=int, default=4)
    boards = parser.parse_args().boards
    found = count_all()
    with tempfile.TemporaryDirectory() as folder:
        began = perf_counter()
        work(Path(folder), boards)
        whole = perf_counter() - began
    print(f"{len(found)} caches; {whole:.0f} s of work\n\n| cache | answered | worked out | saves |\n|---|---|---|---|")
    for each in sorted(found, key=lambda each: -each.saved):
        print(f"| `{each.name}` | {each.asked - each.missed:,} | {each.missed:,} | {1000 * each.saved:,.1f} ms |")


if __name__ == "__main__":
    main()

"""Where the time of a page goes: each stage's own processor time, without that of the stages inside it."""

import functools
import importlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")

STAGES: dict[str, tuple[str, ...]] = {  # stage -> what belongs to it, as module:name
    "decode": (
        "pipeline.desk.intake.ingest:pages",
    ),  # of a PDF only what is done here, not by the process that opens it
    "find marks": ("pipeline.reading.identify:find_codes", "pipeline.reading.identify:find_markers"),
    "identify": ("pipeline.reading.identify:identify",),
    "register": ("pipeline.reading.transcribe:register",),
    "cut rows": (
        "pipeline.reading.transcribe:cut_rows",
        "pipeline.reading.transcribe:field_has_ink",
    ),
    "pictures for the eye": (
        "pipeline.reading.transcribe:cut_row_picture",
        "pipeline.reading.transcribe:jpeg",
    ),
    "nets": ("pipeline.reading.network:lay", "pipeline.reading.network:Network.features"),
    "spell the vocabulary": ("pipeline.desk.intake.ingest:vocabulary_of",),
    "draw the lattice": (
        "pipeline.reading.engine:Expected",
        "pipeline.reading.hand_reader:Expected",
    ),
    "evidence": ("pipeline.reading.engine:weigh", "pipeline.reading.free:free_text"),
    "evidence of both": ("pipeline.reading.engine:weigh_jointly",),
    "other reading": ("pipeline.reading.recogniser:read_safely",),
    "store": ("pipeline.ledger.ledger:Ledger.write_all", "pipeline.desk.intake.ingest:ScanReader.keep"),
}


class Stopwatch:
    """Times the stages while it is held."""

    def __init__(self, clock: Callable[[], float] = time.process_time) -> None:
        self.clock = clock
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.running: list[str] = ["the rest"]
        self.since = clock()

    def turn_to(self, stage: str) -> None:
        """Give the time since the last turn to the stage that was running."""
        now = self.clock()
        self.seconds[self.running[-1]] += now - self.since
        self.since = now
        self.running.append(stage)

    def turn_back(self) -> None:
        """Go on with the stage outside."""
        now = self.clock()
        self.seconds[self.running.pop()] += now - self.since
        self.since = now

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Time a function; of a generator, each step."""

        @functools.wraps(function, updated=())
        def run(*given: Any, **named: Any) -> Any:
            self.turn_to(stage)
            try:
                found = function(*given, **named)
            finally:
                self.turn_back()
            return self.steps(stage, found) if isinstance(found, Iterator) else found

        return run

    def steps(self, stage: str, found: Iterable[T]) -> Iterator[T]:
        """Time the steps of a generator."""
        going = iter(found)
        while True:
            self.turn_to(stage)
            try:
                each = next(going)
            except StopIteration:
                return
            finally:
                self.turn_back()
            yield each


@contextmanager
def held(watch: Stopwatch) -> Iterator[Stopwatch]:
    """Put the stopwatch on every stage, and take it off again."""
    before: list[tuple[Any, str, Any]] = []
    for stage, names in STAGES.items():
        for name in names:
            module, _, path = name.partition(":")
            *outer, last = path.split(".")
            holder = functools.reduce(getattr, outer, importlib.import_module(module))
            before.append((holder, last, getattr(holder, last)))
            setattr(holder, last, watch.timed(stage, getattr(holder, last)))
    watch.since = watch.clock()
    try:
        yield watch
    finally:
        watch.turn_to("")
        for holder, last, function in before:
            setattr(holder, last, function)

"""The stopwatch of ``benchmarks/throughput.py`` gives every stage its own time and leaves nothing behind."""

import importlib
from collections.abc import Iterator
from types import ModuleType

from benchmarks.whole_sheets.stopwatch import STAGES, Stopwatch, held


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Say what time it is."""
        return self.now

    def passes(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


def test_a_stage_is_not_charged_for_the_stages_inside_it() -> None:
    clock = Clock()
    watch = Stopwatch(clock)
    inner = watch.timed("inner", lambda: clock.passes(5))

    def whole() -> None:
        clock.passes(1)
        inner()
        clock.passes(2)

    watch.timed("outer", whole)()

    assert (watch.seconds["outer"], watch.seconds["inner"], watch.seconds["the rest"]) == (3, 5, 0)


def test_the_steps_of_a_generator_are_timed_and_not_what_happens_between_them() -> None:
    clock = Clock()
    watch = Stopwatch(clock)

    def steps() -> Iterator[int]:
        for number in range(3):
            clock.passes(5)
            yield number

    for _ in watch.timed("steps", steps)():
        clock.passes(1)

    assert (watch.seconds["steps"], watch.seconds["the rest"]) == (15, 3)


def test_every_stage_is_there_and_is_itself_again_afterwards() -> None:
    names = [name.partition(":") for names in STAGES.values() for name in names]
    plain = [(importlib.import_module(module), path.split(".")) for module, _, path in names]
    before = [getattr(module, path[0]) for module, path in plain]
    assert not any(isinstance(each, ModuleType) for each in before), "a stage is a function or a class"

    with held(Stopwatch()):
        assert any(getattr(module, path[0]) is not was for (module, path), was in zip(plain, before, strict=True))

    assert all(getattr(module, path[0]) is was for (module, path), was in zip(plain, before, strict=True))

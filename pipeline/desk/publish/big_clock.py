"""The big clock: the tournament's plan for a season, started and stopped by facts: a restart loses no second."""

from dataclasses import dataclass
from typing import Any

from pipeline.board.position import Phase, Season, Step
from pipeline.desk.event.event import Event
from pipeline.ledger.events import ClockStarted, ClockStopped
from pipeline.ledger.ledger import Fact
from pipeline.ledger.undone import standing
from pipeline.rules.event_rules import ClockRules

WARNINGS_S = (300, 60, 30, 10)  # before the end of a part, said on the screen
Parts = tuple[tuple[str, int], ...]  # "negotiation", seconds


@dataclass(frozen=True, slots=True)
class BigClock:
    """The clock as it stands."""

    label: str  # "Spring 1901"
    parts: Parts
    elapsed_s: float  # when it was last started or stopped
    since: str | None  # ISO 8601; None: it stands still
    number: int  # of the fact that started it

    def as_json(self, gone_s: float) -> dict[str, Any]:
        """What a screen needs to show it and go on by itself; ``gone_s`` are the seconds that are over by now."""
        return {
            "label": self.label,
            "parts": [list(part) for part in self.parts],
            "elapsed": self.elapsed_s,
            "since": self.since,
            "gone": round(gone_s, 1),
            "warnings": list(WARNINGS_S),
        }


def plan(clock: ClockRules, phase: Phase) -> tuple[Parts, str]:
    """What the tournament plans for a phase, and its rule; no parts where it plans no time of its own.

    >>> from pipeline.rules.load import load_tournament
    >>> plan(load_tournament("edc2023").clock, Phase.read("S1901R"))[0]
    (('retreats', 60),)
    """
    match phase.step:
        case Step.RETREATS:
            return alone("retreats", clock.retreats.value), clock.retreats.source
        case Step.ADJUSTMENTS:
            return alone("adjustments", clock.winter.value), clock.winter.source
        case _:
            span = clock.at(phase.year)
            if span is None:
                return (), "the rules are silent"
            part = span.spring if phase.season is Season.SPRING else span.fall
            timed = (("negotiation", part.negotiation), ("writing", part.writing), ("reading", part.reading))
            return tuple((name, seconds) for name, seconds in timed if seconds), span.rule


def alone(name: str, seconds: int | None) -> Parts:
    """A phase of one part."""
    return ((name, seconds),) if seconds else ()


def start_clock(event: Event, label: str, parts: Parts, elapsed_s: float, by: str) -> Fact[ClockStarted]:
    """Start the clock, or let it go on from where it stood."""
    return event.facts.write(ClockStarted(label=label, parts=parts, elapsed=round(elapsed_s, 1)), by)


def stop_clock(event: Event, elapsed_s: float, by: str) -> Fact[ClockStopped]:
    """Stop the clock where it is."""
    return event.facts.write(ClockStopped(elapsed=round(elapsed_s, 1)), by)


def big_clock(event: Event) -> BigClock | None:
    """Read the clock from its facts; None before it was ever started."""
    started = max(standing(event.facts, ClockStarted), key=lambda fact: fact.number, default=None)
    if started is None:
        return None
    stops = [fact for fact in standing(event.facts, ClockStopped) if fact.number > started.number]
    stopped = stops[-1] if stops else None
    return BigClock(
        label=started.said.label,
        parts=started.said.parts,
        elapsed_s=(stopped or started).said.elapsed,
        since=None if stopped else started.at,
        number=started.number,
    )

"""The big clock: the tournament's plan for a season, started and stopped by facts: a restart loses no second."""

from dataclasses import dataclass
from typing import Any

from pipeline.board.position import Phase, Season, Step
from pipeline.desk.event.event import Event
from pipeline.ledger.events import ClockStarted, ClockStopped
from pipeline.ledger.ledger import Fact
from pipeline.ledger.undone import standing
from pipeline.rules.event_rules import ClockRules
from pipeline.rules.reading_rules import YesNo
from pipeline.rules.toml.setting import Setting

WARNINGS_S = (300, 120, 60, 30, 10)  # before the end of a part, said on the screen (NZ99 8 names the last four)
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


@dataclass(frozen=True, slots=True)
class ClockPlan:
    """What the tournament plans for a phase."""

    phase: Phase  # whose time it is: where the clock runs on through retreats or adjustments, the season after them
    parts: Parts  # none where the phase has no time of its own
    rule: str


def plan(clock: ClockRules, phase: Phase) -> ClockPlan:
    """What the tournament plans for a phase, and its rule.

    Retreats and adjustments without a time of their own are part of the time of the season that follows, where the
    clock runs on (NZ99 6; WDC08 11.1).

    >>> from pipeline.rules.load import load_tournament
    >>> plan(load_tournament("edc2023").clock, Phase.read("S1901R")).parts
    (('retreats', 60),)
    >>> found = plan(load_tournament("nzdc1999").clock, Phase.read("F1902R"))
    >>> str(found.phase), found.parts
    ('S1903M', (('negotiation', 900),))
    """
    match phase.step:
        case Step.RETREATS if not runs_into_next(clock, clock.retreats):
            return ClockPlan(phase, alone("retreats", clock.retreats.value), clock.retreats.source)
        case Step.ADJUSTMENTS if not runs_into_next(clock, clock.winter):
            return ClockPlan(phase, alone("adjustments", clock.winter.value), clock.winter.source)
        case Step.MOVEMENT:
            span = clock.at(phase.year)
            if span is None:
                return ClockPlan(phase, (), "the rules are silent")
            part = span.spring if phase.season is Season.SPRING else span.fall
            timed = (("negotiation", part.negotiation), ("writing", part.writing), ("reading", part.reading))
            return ClockPlan(phase, tuple((name, seconds) for name, seconds in timed if seconds), span.rule)
        case _:
            season = phase.following(retreats=False)
            return plan(clock, season if season.step is Step.MOVEMENT else season.following(retreats=False))


def runs_into_next(clock: ClockRules, own: Setting[int | None]) -> bool:
    """Whether a phase without a time of its own is part of the season that follows."""
    return own.value is None and clock.runs_on.value is YesNo.YES


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

"""The roll call of a round: who is here, who comes later, who is away. What is called last counts.

Without a roll call everybody on the roster is drawn. Once it is begun, a draw takes those who are here, and stops
while somebody was not called: nobody is drawn, or left out, because he was forgotten.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pipeline.desk.event.event import Event
from pipeline.desk.event.people import People, with_names, with_numbers
from pipeline.desk.results.noted import noted
from pipeline.draw.players.called import full_name, not_called
from pipeline.ledger.events import RollCalled
from pipeline.ledger.ledger import Fact
from pipeline.ledger.undone import standing
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.toml.table import did_you_mean


class Called(StrEnum):
    """What was said of somebody."""

    HERE = "here"
    LATER = "later"  # is expected, and is not drawn before he is here
    AWAY = "away"
    NOT_YET = "not yet"  # was not called
    GONE = "gone"  # has left the tournament, or is excluded; nobody calls him


SAID = (Called.HERE, Called.LATER, Called.AWAY)


@dataclass(frozen=True, slots=True)
class RollCall:
    """Everybody of the roster, and what was said of each for a round."""

    round: int
    called: Mapping[str, Called]  # by name, in the order of the roster
    is_begun: bool

    def those(self, *which: Called) -> tuple[str, ...]:
        """Everybody of whom this was said."""
        return tuple(name for name, called in self.called.items() if called in which)

    def as_json(self) -> dict[str, Any]:
        """Write it for scripts."""
        return {"round": self.round, "begun": self.is_begun, "players": {n: str(c) for n, c in self.called.items()}}


def roll_call(event: Event, round_number: int) -> RollCall:
    """The roll call of a round as it stands."""
    excluded = noted(event).excluded
    called = {player.name: Called.NOT_YET for player in event.players}
    facts = [fact for fact in standing(event.facts, RollCalled) if fact.said.round == round_number]
    for fact in facts:
        called |= {name: said for name, said in said_in(fact.said, event.people) if name in called}
    gone = {player.name for player in event.players if player.left or player.name in excluded}
    return RollCall(
        round_number,
        {name: Called.GONE if name in gone else said for name, said in called.items()},
        bool(facts),
    )


def said_in(told: RollCalled, people: People) -> Iterator[tuple[str, Called]]:
    """What one call of the roll said, by the names of today."""
    told = with_names(told, people)
    for called, found in ((Called.HERE, told.here), (Called.LATER, told.later), (Called.AWAY, told.away)):
        yield from ((str(name), called) for name in found)


def call_roll(
    event: Event,
    round_number: int,
    said: Mapping[Called, Iterable[str]],
    *,
    by: str,
    others: Called | None = None,
) -> Fact[RollCalled]:
    """Write down who is here, comes later or is away; ``others`` is said of all who were not called yet."""
    if not 1 <= round_number <= event.tournament.rounds:
        raise stop(f"no round {round_number}; there are {event.tournament.rounds}", "--round")
    before = roll_call(event, round_number)
    names = event.people.names
    told = {called: tuple(full_name(text, names) for text in said.get(called, ())) for called in SAID}
    if faults := tuple(faults_in(before, told)):
        raise Stopped(faults)
    if others is not None:
        just_said = {name for each in told.values() for name in each}
        rest = tuple(name for name in before.those(Called.NOT_YET) if name not in just_said)
        told[others] = (*told[others], *rest)
    if not any(told.values()):
        raise stop("say of whom: who is here, who comes later, who is away", f"round {round_number}")
    here, later, away = (tuple(dict.fromkeys(told[called])) for called in SAID)
    roll = RollCalled(round=round_number, here=here, later=later, away=away)
    return event.facts.write(with_numbers(roll, event.people, f"round {round_number}"), by)


def faults_in(before: RollCall, told: Mapping[Called, tuple[str, ...]]) -> Iterable[Problem]:
    """Names that nobody has, people who have gone home, and people of whom two things are said."""
    every = [name for found in told.values() for name in dict.fromkeys(found)]
    for name in dict.fromkeys(every):
        if name not in before.called:
            text = not_called(name, tuple(before.called))
        elif before.called[name] is Called.GONE:
            text = f"{name!r} has left or is excluded; say 'ordersheets players --back' first"
        elif every.count(name) > 1:
            text = f"two things are said of {name!r}; say one of them"
        else:
            continue
        yield Problem(Weight.STOPS, text, f"round {before.round}")


def read_called(text: str, where: str) -> Called:
    """Read a word of the three that may be said of somebody."""
    if text not in SAID:
        raise stop(f"expected {', '.join(SAID)}{did_you_mean(text, SAID)}, found {text!r}", where)
    return Called(text)


def not_drawn(event: Event, round_number: int, told: Iterable[str]) -> tuple[str, ...]:
    """Who is not drawn by the roll call; stops while somebody was not called of whom nothing is ``told`` either."""
    roll = roll_call(event, round_number)
    if not roll.is_begun:
        return ()
    told = set(told)
    if waiting := tuple(name for name in roll.those(Called.NOT_YET) if name not in told):
        text = f"the roll call is not finished: nothing was said of {', '.join(waiting)}; say it, or --others away"
        raise stop(text, f"round {round_number}", ExitCode.RULE_FIRST)
    return roll.those(Called.LATER, Called.AWAY)

"""Where two readings of a rule would seat other people at the final table, for the director to know."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.scoring.games.system import PlayerGame
from pipeline.scoring.places.qualifying import Qualification, qualification
from pipeline.scoring.results.results import EventResults
from pipeline.scoring.totals.rules import ChoosingRule, ScoringRules, SecondReading


@dataclass(frozen=True, slots=True, kw_only=True)
class Differing:
    """A second reading that leads to another final table than the one that is taken."""

    reading: SecondReading
    taken: Qualification
    other: Qualification

    @property
    def only_taken(self) -> tuple[str, ...]:
        """Who is at the final table, or level for it, by the reading that is taken alone."""
        return tuple(name for name in reached(self.taken) if name not in reached(self.other))

    @property
    def only_other(self) -> tuple[str, ...]:
        """Who would be by the other reading alone."""
        return tuple(name for name in reached(self.other) if name not in reached(self.taken))

    def __str__(self) -> str:
        one, source = self.reading, self.reading.source
        return (
            f"two readings of {source.rule} differ here: by {one.value!r}, which the rules file takes ({one.path}), "
            f"{told(self.taken)}; by {one.otherwise!r} {told(self.other)}; {source.why}"
        )


def differing(event: EventResults, games: Sequence[PlayerGame], rules: ScoringRules) -> Iterator[Differing]:
    """The second readings that would change the final table of this event, until it has been played."""
    taken = qualification(event, games, rules)
    if taken is None or not rules.final or event.finals:
        return
    in_order = rules.final.choosing is ChoosingRule.SLOTS  # who is ranked lower chooses earlier (EDC23 B)
    for reading in rules.readings:
        other = qualification(event, games, reading.rules)
        if other is not None and seats(other, in_order=in_order) != seats(taken, in_order=in_order):
            yield Differing(reading=reading, taken=taken, other=other)


def seats(found: Qualification, *, in_order: bool) -> tuple[object, ...]:
    """What of a qualification matters at the table."""
    sure = found.finalists if in_order else frozenset(found.finalists)
    return found.is_held, sure, frozenset(found.undecided)


def reached(found: Qualification) -> tuple[str, ...]:
    """Who is at the final table, or level for its last seats."""
    return (*found.finalists, *found.undecided)


def told(found: Qualification) -> str:
    """Say whom a reading seats."""
    if not found.is_held:
        return f"there is no final table, {found.positive} have a strictly positive result"
    level = f", and {', '.join(found.undecided)} are level for the last seats" if found.undecided else ""
    return f"the final table is {', '.join(found.finalists)}{level}"

"""Putting contenders in order: by total, then down the chain of tie-breaks; what stays tied shares a place."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from pipeline.scoring.rules import Chain
from pipeline.scoring.tiebreaks import Contender, Field, Key, Tiebreak


@dataclass(frozen=True, slots=True)
class Decision:
    """Which tie-break separated somebody from the neighbour with the same total, and with which numbers.

    >>> print(Decision("most wins", "2", "1", "Bob", is_ahead=True))
    most wins: 2 against 1 (Bob)
    """

    by: str
    own: str
    other: str
    against: str  # the neighbour: the one just ahead, or, for the first of the tied, the one just behind
    is_ahead: bool

    def __str__(self) -> str:
        return f"{self.by}: {self.own} against {self.other} ({self.against})"


@dataclass(frozen=True, slots=True)
class Placed:
    """A contender with a place."""

    place: int
    is_tied: bool  # somebody else has the same place
    contender: Contender
    decision: Decision | None  # None: the total alone put it there


@dataclass(frozen=True, slots=True)
class Break:
    """Where a tie-break cut a group of tied contenders in two."""

    tiebreak: Tiebreak
    above: Key
    below: Key


def placed(contenders: Sequence[Contender], chain: Chain, among: Field, first: int = 1) -> tuple[Placed, ...]:
    """Higher totals are ahead; equal ones go down the chain together; the unresolved share the better place."""
    found: list[Placed] = []
    by_total = sorted(contenders, key=lambda one: one.total, reverse=True)
    for _, level in groupby(by_total, key=lambda one: one.total):
        tied = sorted(level, key=lambda one: one.name)
        groups, breaks = separated(tied, chain, among)
        for index, group in enumerate(groups):
            place = first + len(found)
            decisions = [decision(one, index, groups, breaks) for one in group]
            found += [Placed(place, len(group) > 1, one, why) for one, why in zip(group, decisions, strict=True)]
    return tuple(found)


def separated(tied: Sequence[Contender], chain: Chain, among: Field) -> tuple[list[list[Contender]], list[Break]]:
    """Each tie-break sees those whom the ones before it left tied; between two groups stands what cut them apart."""
    if len(tied) < 2 or not chain:
        return [list(tied)], []
    tiebreak, *rest = chain
    keys = tiebreak.keys(tied, among)
    ordered = sorted(zip(keys, range(len(tied)), strict=True), key=lambda pair: (pair[0], -pair[1]), reverse=True)
    groups: list[list[Contender]] = []
    breaks: list[Break] = []
    last: Key | None = None
    for key, members in groupby(ordered, key=lambda pair: pair[0]):
        if last is not None:
            breaks.append(Break(tiebreak, last, key))
        inner_groups, inner_breaks = separated([tied[index] for _, index in members], tuple(rest), among)
        groups += inner_groups
        breaks += inner_breaks
        last = key
    return groups, breaks


def decision(one: Contender, index: int, groups: list[list[Contender]], breaks: list[Break]) -> Decision | None:
    """Say what cut a group from the one ahead of it, or, for the first, from the one behind."""
    if not breaks:
        return None
    if index:
        cut = breaks[index - 1]
        own, other = cut.tiebreak.show(cut.below, cut.above)
        return Decision(cut.tiebreak.name, own, other, groups[index - 1][0].name, is_ahead=False)
    own, other = breaks[0].tiebreak.show(breaks[0].above, breaks[0].below)
    return Decision(breaks[0].tiebreak.name, own, other, groups[1][0].name, is_ahead=True)

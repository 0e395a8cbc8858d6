"""Putting contenders in order: by total, then down the chain of tie-breaks; what stays tied shares a place."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from pipeline.scoring.results.doubts import Want
from pipeline.scoring.totals.rules import Chain
from pipeline.scoring.totals.tiebreaks import Contender, FieldOfPlayers, Key, Tiebreak


@dataclass(frozen=True, slots=True)
class RankDecision:
    """Which tie-break separated somebody from the neighbour with the same total, and with which keys."""

    tiebreak: Tiebreak
    own: Key
    other: Key
    against: str  # the neighbour: the one just ahead, or, for the first of the tied, the one just behind
    is_ahead: bool

    @property
    def by(self) -> str:
        """The tie-break's name."""
        return self.tiebreak.name

    @property
    def numbers(self) -> tuple[str, str]:
        """Both keys as people read them, the own one first."""
        return self.tiebreak.show(self.own, self.other)

    def __str__(self) -> str:
        own, other = self.numbers
        return f"{self.by}: {own} against {other} ({self.against})"


@dataclass(frozen=True, slots=True)
class Placed:
    """A contender with a place."""

    place: int
    is_tied: bool  # somebody else has the same place
    contender: Contender
    decision: RankDecision | None  # None: the total alone put it there
    want: Want | None  # the first tie-break that would have needed a fact that is not noted


@dataclass(frozen=True, slots=True)
class Break:
    """Where a tie-break cut a group of tied contenders in two."""

    tiebreak: Tiebreak
    above: Key
    below: Key


@dataclass(slots=True)
class Separation:
    """How those with one total were told apart."""

    groups: list[list[Contender]] = field(default_factory=list)  # from the first on
    breaks: list[Break] = field(default_factory=list)  # between two groups stands what cut them apart
    wants: dict[str, Want] = field(default_factory=dict)  # by name, the first of each

    def add(self, inner: "Separation") -> None:
        """Put those behind who were told apart by later tie-breaks."""
        self.groups += inner.groups
        self.breaks += inner.breaks
        self.wants |= inner.wants


def placed(contenders: Sequence[Contender], chain: Chain, among: FieldOfPlayers, first: int = 1) -> tuple[Placed, ...]:
    """Higher totals are ahead; equal ones go down the chain together; the unresolved share the better place."""
    found: list[Placed] = []
    by_total = sorted(contenders, key=lambda one: one.total, reverse=True)
    for _, level in groupby(by_total, key=lambda one: one.total):
        told = separated(sorted(level, key=lambda one: one.name), chain, among)
        for index, group in enumerate(told.groups):
            place = first + len(found)
            found += [
                Placed(place, len(group) > 1, one, decision(index, told), told.wants.get(one.name)) for one in group
            ]
    return tuple(found)


def separated(tied: Sequence[Contender], chain: Chain, among: FieldOfPlayers) -> Separation:
    """Each tie-break sees those whom the ones before it left tied."""
    found = Separation()
    if len(tied) < 2 or not chain:
        found.groups.append(list(tied))
        return found
    tiebreak, *rest = chain
    keys = tiebreak.keys(tied, among)
    ordered = sorted(zip(keys, range(len(tied)), strict=True), key=lambda pair: (pair[0], -pair[1]), reverse=True)
    last: Key | None = None
    for key, members in groupby(ordered, key=lambda pair: pair[0]):
        if last is not None:
            found.breaks.append(Break(tiebreak, last, key))
        found.add(separated([tied[index] for _, index in members], tuple(rest), among))
        last = key
    if lack := tiebreak.missing(tied, among):
        want = Want(tiebreak.name, lack[0], tuple(one.name for one in tied), lack[1])
        found.wants |= dict.fromkeys(want.tied, want)
    return found


def decision(index: int, told: Separation) -> RankDecision | None:
    """Say what cut a group from the one ahead of it, or, for the first, from the one behind."""
    if not told.breaks:
        return None
    if index:
        cut = told.breaks[index - 1]
        return RankDecision(cut.tiebreak, cut.below, cut.above, told.groups[index - 1][0].name, is_ahead=False)
    cut = told.breaks[0]
    return RankDecision(cut.tiebreak, cut.above, cut.below, told.groups[1][0].name, is_ahead=True)

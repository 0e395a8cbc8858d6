"""What a draw is asked for, and what it answers: one round of one tournament, as plain values."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations

from pipeline.board.map import Power
from pipeline.rules.event_rules import Aim, Wish

Pair = frozenset[str]  # two names


def chair(number: int) -> str:
    """Name an empty seat: with a line break, which the roster leaves in no name."""
    return f"\n{number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PastBoard:
    """One board of an earlier round."""

    round: int
    players: Mapping[Power, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wished:
    """One wish that holds, and the rule it comes from."""

    aim: Aim
    wish: Wish  # MUST or SHOULD
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """All wishes that hold, most important first; what must be kept stands before what should be."""

    wished: tuple[Wished, ...] = ()
    meetings_most: int | None = None  # how often two players may meet; None: no rule
    meetings_rule: str = ""
    groups: tuple[tuple[Power, ...], ...] = ()  # of each of which everybody gets one power

    def find(self, aim: Aim) -> Wished | None:
        """Find a wish by its aim; None where it is not wished."""
        return next((each for each in self.wished if each.aim is aim), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One round to be drawn. ``bodies`` are names, one a seat: who plays on two boards stands there twice."""

    powers: tuple[Power, ...]  # of one board
    bodies: tuple[str, ...]  # as many as there are seats to be taken
    wishes: Wishes
    empty: tuple[Power, ...] = ()  # seats that nobody takes, each at a board of its own: a variant is played there
    past: tuple[PastBoard, ...] = ()
    mates: frozenset[Pair] = frozenset()  # team mates, in a round in which they play apart
    families: frozenset[Pair] = frozenset()
    together: tuple[tuple[str, ...], ...] = ()  # groups of players wanted at one board
    rounds_after: int = 0  # rounds that will follow; the draw leaves room for them
    mates_after: tuple[frozenset[Pair], ...] = ()  # team mates who play apart in each of them
    points: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # from an earlier draw; see `draw_plane`

    @property
    def size(self) -> int:
        """How many play on one board."""
        return len(self.powers)

    @property
    def boards(self) -> int:
        """How many boards there are, those with an empty seat among them."""
        to_come = self.chairs.keys() - set(self.bodies)  # the draw seats them like everybody
        return (len(self.bodies) + len(to_come)) // self.size

    @property
    def chairs(self) -> Mapping[str, Power]:
        r"""The empty seats under names that no player can have, to be drawn like everybody, each with its power.

        >>> dict(Task(powers=(), bodies=(), wishes=Wishes(), empty=(Power.TURKEY,)).chairs)
        {'\n0': <Power.TURKEY: 'TURKEY'>}
        """
        return {chair(number): power for number, power in enumerate(self.empty)}

    def met(self) -> Counter[Pair]:
        """Count how often any two players have sat at one board."""
        return Counter(frozenset(pair) for board in self.past for pair in combinations(set(board.players.values()), 2))

    def played(self) -> Counter[tuple[str, Power]]:
        """Count how often anybody has played a power."""
        return Counter((name, power) for board in self.past for power, name in board.players.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """One wish that one seating does not meet: whose, and in words."""

    wish: Wish
    rule: str
    aim: str  # the word in the rules file
    who: tuple[str, ...]
    text: str
    is_allowed: bool = False  # against the wish, and within what the rules allow: a second meeting (NZ99 19)

    def __str__(self) -> str:
        word = "must" if self.wish is Wish.MUST else "should"
        return f"{self.text} ({'allowed' if self.is_allowed else f'{word} not be'}: {self.rule})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """Boards and powers, and what could not be met."""

    boards: tuple[Mapping[Power, str], ...]
    breaches: tuple[Breach, ...] = ()
    notes: tuple[str, ...] = ()  # what limits any draw of this round, in words
    points: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # for the rounds that follow

    @property
    def broken(self) -> tuple[Breach, ...]:
        """What must not be, and is."""
        return tuple(each for each in self.breaches if each.wish is Wish.MUST)

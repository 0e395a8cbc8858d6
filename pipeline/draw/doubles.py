"""Who sits on several boards of one round: how often two of them meet there, and what that costs beyond one meeting.

The search prices every two bodies at one board by the earlier rounds. Two people who both have several bodies can meet
again within the round, and so can three; what that adds is kept here, so that a swap is known in a few look-ups.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb

from pipeline.draw.task import Prices


class Doubles:
    """The people with several bodies: the boards of each, and how often any two of them meet in this round."""

    def __init__(self, prices: Prices, seat_of: Sequence[int], size: int) -> None:
        people = sorted({(body, *others) for body, others in prices.twins.items() if body < min(others)})
        self.prices, self.size = prices, size
        self.bodies = people
        self.person = {body: who for who, bodies in enumerate(people) for body in bodies}
        boards = len(seat_of) // size
        self.seats = [[0] * boards for _ in people]  # of each person, at each board
        for body, who in self.person.items():
            self.seats[who][seat_of[body] // size] += 1
        pairs = (pair for who in range(len(people)) for pair in combinations(self._boards_of(who), 2))
        self.at_both = Counter(pairs)  # two boards -> how many people sit at both

    @property
    def can_meet_again(self) -> bool:
        """Whether two people have several bodies each, and meeting again has a price, or three."""
        return (len(self.bodies) > 1 and any(self.prices.meeting)) or self.has_trios

    @property
    def has_trios(self) -> bool:
        """Whether three people may meet again, and that has a price."""
        return len(self.bodies) > 2 and self.prices.trio > 0

    def _boards_of(self, who: int) -> list[int]:
        """The boards where a person sits."""
        return [board for board, seats in enumerate(self.seats[who]) if seats]

    def price(self, a: int, b: int, meetings: int) -> float:
        """What so many meetings of two people in this round cost beyond as many first ones."""
        before = self.prices.met[self.bodies[a][0]][self.bodies[b][0]]
        meeting = self.prices.meeting
        return sum(meeting[before + k] - meeting[before] for k in range(1, meetings))

    def meetings(self, a: int, b: int) -> int:
        """How often two people meet in this round."""
        return sum(x * y for x, y in zip(self.seats[a], self.seats[b], strict=True))

    def cost(self) -> float:
        """What all meetings again within this round cost."""
        trios = self.prices.trio * sum(comb(people, 3) for people in self.at_both.values())
        return trios + sum(self.price(a, b, self.meetings(a, b)) for a, b in combinations(range(len(self.bodies)), 2))

    def change(self, i: int, j: int, here: int, there: int) -> float:
        """What it would add if body ``i``, who is here, and body ``j``, who is there, changed places."""
        mine, yours = self.person.get(i), self.person.get(j)
        if mine == yours:
            return 0.0  # of one person, or neither has several bodies
        added = 0.0
        for other, seats in enumerate(self.seats):
            if other in (mine, yours):
                continue
            more = seats[there] - seats[here]
            if more:
                added += self._add(mine, other, more) + self._add(yours, other, -more)
        if mine is not None and yours is not None:
            of_i, of_j = self.seats[mine], self.seats[yours]
            added += self._add(mine, yours, of_i[here] - of_i[there] + of_j[there] - of_j[here] - 2)
        return added + (self._change_of_trios(mine, yours, here, there) if self.has_trios else 0.0)

    def _change_of_trios(self, mine: int | None, yours: int | None, here: int, there: int) -> float:
        """What it would add through three people who sit at the same two boards."""
        more = self._count_move(mine, here, there)
        more.update(self._count_move(yours, there, here))
        was = self.at_both
        trios = sum(comb(was[pair] + people, 3) - comb(was[pair], 3) for pair, people in more.items())
        return trios * self.prices.trio

    def _count_move(self, who: int | None, old: int, new: int) -> Counter[tuple[int, int]]:
        """How many more people would sit at both of two boards if a person moved from one board to another."""
        if who is None:
            return Counter()
        before = self._boards_of(who)
        after = sorted({new, *(board for board in before if board != old or self.seats[who][old] > 1)})
        more = Counter(combinations(after, 2))
        more.subtract(combinations(before, 2))
        return more

    def _add(self, who: int | None, other: int, more: int) -> float:
        """What so many further meetings of two people add."""
        if who is None or not more:
            return 0.0
        now = self.meetings(who, other)
        return self.price(who, other, now + more) - self.price(who, other, now)

    def move(self, body: int, old: int, new: int) -> None:
        """Count a body at its new board."""
        who = self.person.get(body)
        if who is not None:
            self.at_both.update(self._count_move(who, old, new))
            self.seats[who][old] -= 1
            self.seats[who][new] += 1

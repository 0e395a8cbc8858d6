"""The search for seats: simulated annealing over swaps of two players, this round and the rounds to come at once.

The change of cost that a swap makes is known in a handful of look-ups: for every player to be seated the search keeps
what each board would cost. Randomness comes in as a generator; the same one gives the same seats.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import comb, exp
from random import Random

from msgspec import Struct

from pipeline.draw.prices import Matrix, Prices


class Doubles:
    """The people with several bodies: the boards of each, and how often any two of them meet in this round.

    The search prices every two bodies at one board by the earlier rounds. Two people who both have several bodies can
    meet again within the round, and so can three; what that adds is kept here, so a swap is known in a few look-ups.
    """

    def __init__(self, prices: Prices, seat_of: Sequence[int], size: int) -> None:
        people = sorted({tuple(sorted((body, *others))) for body, others in prices.twins.items()})
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
        return [board for board, seats in enumerate(self.seats[who]) if seats]

    def price(self, a: int, b: int, meetings: int) -> float:
        """What so many meetings of two people in this round cost more than if each of them were the first one."""
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
        if who is None:
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


# temperatures: at first repeats are accepted, at last not even the least wish is broken (benchmarks/draw.py)
START, END = 0.8, 0.12
COOLING = 200  # steps between two temperatures
NEARLY = 1e-6  # sums of prices are floats

# a body is an entrant: a player, once for each seat of that player
SwapCost = Callable[[int, int], float]  # two bodies -> by how much the cost changes if they swap seats
# seat -> body; a seat's board is seat // size, the place of its power seat % size
BodiesInSeats = list[int]


class Planned(Struct):
    """One round as it stands in the search."""

    body_at: BodiesInSeats
    seat_of: list[int]
    pair: Matrix  # what two bodies would cost at one board, given the other rounds
    board: Matrix  # what a body would cost at each board


class Search:
    """The seats of this round and of the rounds planned after it, and what they cost."""

    def __init__(
        self, prices: Prices, size: int, starts: list[BodiesInSeats], past: list[frozenset[int]] | None = None
    ) -> None:
        self.prices = prices
        self.size = size
        self.boards = len(starts[0]) // size
        self.met = [row[:] for row in prices.met]  # earlier rounds and planned ones
        for start in starts:
            for board in self.boards_of(start):
                for a, b in combinations(board, 2):
                    self.met[a][b] += 1
                    self.met[b][a] += 1
        self.rounds = [self.plan_round(number, start) for number, start in enumerate(starts)]
        self.past = past or []  # body -> numbers of the past boards it sat at; empty where trios may meet again
        self.from_past = self.count_past()
        self.twins = prices.twins
        doubles = Doubles(prices, self.rounds[0].seat_of, size)
        self.doubles = doubles if doubles.can_meet_again else None
        self.changes = [self.change_in(number) for number in range(len(starts))]

    def boards_of(self, seats: BodiesInSeats) -> list[BodiesInSeats]:
        """Cut the seats of a round into boards."""
        return [seats[start : start + self.size] for start in range(0, len(seats), self.size)]

    def plan_round(self, number: int, start: BodiesInSeats) -> Planned:
        """Compute the prices of a round: of each pair at one board, and of each body at each board."""
        n, size = len(start), self.size
        seat_of = [0] * n
        for seat, body in enumerate(start):
            seat_of[body] = seat
        meeting, extra = self.prices.meeting, self.prices.pairs[number]
        pair = [[0.0] * n for _ in range(n)]
        board = [[0.0] * self.boards for _ in range(n)]
        for a in range(n):
            for b in range(n):
                if a != b:
                    here = seat_of[a] // size == seat_of[b] // size
                    pair[a][b] = meeting[self.met[a][b] - here] + extra[a][b]
                    board[a][seat_of[b] // size] += pair[a][b]
        return Planned(start[:], seat_of, pair, board)

    def count_past(self) -> list[dict[int, int]]:
        """Count, for each board of this round, how many sit there from each past board."""
        counts: list[dict[int, int]] = [{} for _ in range(self.boards)]
        for body, boards in enumerate(self.past):
            here = counts[self.rounds[0].seat_of[body] // self.size]
            for board in boards:
                here[board] = here.get(board, 0) + 1
        return counts

    def cost(self) -> float:
        """What all rounds cost together."""
        pairs = sum(self.prices.meeting[k] for a, row in enumerate(self.met) for m in row[:a] for k in range(m))
        for number, planned in enumerate(self.rounds):
            extra = self.prices.pairs[number]
            pairs += sum(extra[a][b] for board in self.boards_of(planned.body_at) for a, b in combinations(board, 2))
        seats = self.rounds[0].seat_of
        powers = sum(self.prices.powers[body][seat % self.size] for body, seat in enumerate(seats))
        powers += sum(
            self.prices.again[a][seats[a] % self.size][seats[b] % self.size]
            for a, others in self.twins.items()
            for b in others
            if a < b
        )
        trios = sum(m * (m - 1) * (m - 2) // 6 for here in self.from_past for m in here.values())
        return pairs + powers + trios * self.prices.trio + (self.doubles.cost() if self.doubles else 0.0)

    def change(self, number: int, i: int, j: int) -> float:
        """What swapping two bodies would add to the cost."""
        return self.changes[number](i, j)

    def change_in(self, number: int) -> SwapCost:
        """A function for the cost of a swap in one round, optimised for millions of calls."""
        planned, size = self.rounds[number], self.size
        seat_of, pair, board = planned.seat_of, planned.pair, planned.board
        powers = self.change_of_powers(planned) if number == 0 else None  # these three count in this round only
        trios = self.change_of_trios if self.past else None
        doubles = self.doubles.change if self.doubles else None

        def change(i: int, j: int) -> float:
            here, there = seat_of[i] // size, seat_of[j] // size
            added = 0.0
            if here != there:
                mine, yours = board[i], board[j]
                added = mine[there] - mine[here] + yours[here] - yours[there] - 2 * pair[i][j]
            if powers is not None:
                added += powers(i, j)
                if trios is not None and here != there:
                    added += trios(i, j, here, there)
                if doubles is not None and here != there:
                    added += doubles(i, j, here, there)
            return added

        return change

    def change_of_powers(self, planned: Planned) -> SwapCost:
        """What a swap would add through the powers of the two."""
        seat_of, size, twins = planned.seat_of, self.size, self.twins
        powers, again = self.prices.powers, self.prices.again

        def change(i: int, j: int) -> float:
            mine, yours = seat_of[i] % size, seat_of[j] % size
            if mine == yours:
                return 0.0
            of_i, of_j = powers[i], powers[j]
            added = of_i[yours] - of_i[mine] + of_j[mine] - of_j[yours]
            if twins:
                for body, old, new in ((i, mine, yours), (j, yours, mine)):
                    for twin in twins.get(body, ()):
                        if twin not in (i, j):
                            other = seat_of[twin] % size
                            added += again[body][new][other] - again[body][old][other]
            return added

        return change

    def change_of_trios(self, i: int, j: int, here: int, there: int) -> float:
        """What the swap would add through trios that meet again."""
        mine, yours = self.from_past[here], self.from_past[there]
        of_i, of_j = self.past[i], self.past[j]
        trios = 0
        for board in of_i - of_j:
            trios += _pairs_among(yours.get(board, 0)) - _pairs_among(mine[board] - 1)
        for board in of_j - of_i:
            trios += _pairs_among(mine.get(board, 0)) - _pairs_among(yours[board] - 1)
        return trios * self.prices.trio

    def swap(self, number: int, i: int, j: int) -> None:
        """Swap the seats of two bodies, and update all prices that depend on them."""
        planned, size = self.rounds[number], self.size
        mine, yours = planned.seat_of[i], planned.seat_of[j]
        planned.seat_of[i], planned.seat_of[j] = yours, mine
        planned.body_at[mine], planned.body_at[yours] = j, i
        here, there = mine // size, yours // size
        if here == there:
            return
        for row, of_i, of_j in zip(planned.board, planned.pair[i], planned.pair[j], strict=True):
            if of_i != of_j:
                row[here] += of_j - of_i
                row[there] += of_i - of_j
        if number == 0 and self.past:
            self.move_past(i, here, there)
            self.move_past(j, there, here)
        if number == 0 and self.doubles:
            self.doubles.move(i, here, there)
            self.doubles.move(j, there, here)
        if len(self.rounds) > 1:
            self.meet_anew(number, i, j)

    def move_past(self, body: int, old: int, new: int) -> None:
        """Count a player at his new board."""
        for board in self.past[body]:
            self.from_past[old][board] -= 1
            self.from_past[new][board] = self.from_past[new].get(board, 0) + 1

    def meet_anew(self, number: int, i: int, j: int) -> None:
        """Update the prices of the other rounds after a swap: who now meets whom."""
        planned, size = self.rounds[number], self.size
        for body, other in ((i, j), (j, i)):
            first = planned.seat_of[body] // size * size
            for neighbour in planned.body_at[first : first + size]:
                if neighbour != body:
                    self.meet(number, body, neighbour, 1)
                    self.meet(number, other, neighbour, -1)

    def meet(self, number: int, a: int, b: int, by: int) -> None:
        """Two bodies meet once more, or once less, in a round: the other rounds' prices follow."""
        met = self.met[a][b] + by
        self.met[a][b] = self.met[b][a] = met
        for other, planned in enumerate(self.rounds):
            if other == number:
                continue
            of_a, of_b = planned.seat_of[a] // self.size, planned.seat_of[b] // self.size
            price = self.prices.meeting[met - (of_a == of_b)] + self.prices.pairs[other][a][b]
            more = price - planned.pair[a][b]
            if more:
                planned.pair[a][b] = planned.pair[b][a] = price
                planned.board[a][of_b] += more
                planned.board[b][of_a] += more

    def anneal(self, rng: Random, steps: int, floor: float, start: float = START) -> list[BodiesInSeats]:
        """Search so many steps, or until nothing costs more than ``floor``; return the best seats of all rounds."""
        cost = best = self.cost()
        seats = [planned.body_at[:] for planned in self.rounds]
        n, rounds, changes, random = len(seats[0]), len(self.rounds), self.changes, rng.random
        heat = start * (self.prices.repeat or self.prices.cold)
        cooling = (END * self.prices.cold / heat) ** (COOLING / max(steps, 1))
        for step in range(steps):
            if best <= floor + NEARLY:
                break
            if step % COOLING == 0:
                heat *= cooling
            number = int(random() * rounds)
            i, j = int(random() * n), int(random() * n)
            if i == j:
                continue
            added = changes[number](i, j)
            if added <= 0 or random() < exp(-added / heat):
                self.swap(number, i, j)
                cost += added
                if cost < best - NEARLY:
                    best, seats = cost, [planned.body_at[:] for planned in self.rounds]
        return seats

    def exchange(self, i: int, j: int) -> float:
        """Exchange two players in every round; returns the change of the cost."""
        added = 0.0
        for number in range(len(self.rounds)):
            added += self.change(number, i, j)
            self.swap(number, i, j)
        return added

    def settle(self, wanted: Iterable[int]) -> None:
        """Exchange some players with anybody in all rounds while that lowers the cost.

        Two players who have met the same people can be exchanged in all rounds at no cost, which single swaps never
        find. So players who are wanted at one board (EDC23 E) meet without spoiling the planned rounds.
        """
        pairs = [(i, j) for i in wanted for j in range(len(self.rounds[0].seat_of)) if i != j]
        is_better = True
        while is_better:
            is_better = False
            for i, j in pairs:
                if self.exchange(i, j) < -NEARLY:
                    is_better = True
                else:
                    self.exchange(i, j)


def _pairs_among(count: int) -> int:
    return count * (count - 1) // 2

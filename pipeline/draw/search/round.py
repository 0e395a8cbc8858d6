"""The draw of one round: who sits at which board, as which power, and what could not be met.

Pure: the same task and the same seed give the same draw. How it searches, and why so: docs/draw.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from math import inf
from random import Random

from pipeline.board.map import Power
from pipeline.draw.search.breaches import breaches, least_repeats, limits
from pipeline.draw.search.plane import ORDERS, Points, given_points, lines, new_points
from pipeline.draw.search.powers import board_powers, field_powers
from pipeline.draw.search.prices import Prices, prices
from pipeline.draw.search.search import NEARLY, Search, Seats
from pipeline.draw.search.task import Draw, Task, chair
from pipeline.problems import stop

FEW = 7  # boards up to which the search looks ahead: with more, no round spoils those that follow (benchmarks/draw.py)
AHEAD, STEPS = 12_000, 300_000  # steps looking ahead, for each player, and without: a second at most on a slow core
TRIES = 2
COOL = 0.15  # a start that is nearly right is only mended; hotter, it would melt


@dataclass(frozen=True, slots=True)
class SeatsFound:
    """Seats of this round, and what they cost."""

    cost: float
    seats: Seats
    points: Points


def draw(task: Task, seed: int) -> Draw:
    """Draw a round."""
    everybody = (*task.bodies, *task.chairs)
    if not everybody or len(everybody) % task.size:
        raise stop(f"{len(everybody)} seats are taken; expected a multiple of {task.size}", "draw")
    rng = Random(seed)
    task = replace(task, bodies=tuple(rng.sample(everybody, len(everybody))))
    costs = prices(task)
    places, least = field_powers(costs.powers, task.boards)
    floor = least - costs.rewards + costs.repeat * least_repeats(task)[0]  # no seats cost less
    found = search(task, costs, places, floor, rng)
    boards = [named(task, board) for board in best_powers(found.seats, costs, task.size)]
    rng.shuffle(boards)
    boards.sort(key=lambda board: -len(board))  # those of the variant come last
    broken = breaches(task, boards)
    points = {name: point for name, point in found.points.items() if name not in task.chairs}
    return Draw(boards=tuple(boards), breaches=broken, notes=limits(task, places, broken), points=points)


def search(task: Task, costs: Prices, places: Sequence[int], floor: float, rng: Random) -> SeatsFound:
    """Find the cheapest seats: by geometry where there is one, else, or if that leaves something, by search."""
    if task.boards == 1:
        return SeatsFound(floor, spread(places, 1, rng), {})  # the powers are all there is to choose
    found = by_geometry(task, costs, floor, rng)
    if found and (found.cost <= floor + NEARLY or (task.rounds_after and is_clean(task, found.seats))):
        return found
    ahead = task.rounds_after if task.past and task.boards <= FEW else 0
    for _ in range(1 if ahead else TRIES):
        starts = [spread(places, task.boards, rng), *(shuffled(len(places), rng) for _ in range(ahead))]
        steps, enough = (AHEAD * len(places), -inf) if ahead else (STEPS, floor)
        seats, *later = at_work(task, costs, starts).anneal(rng, steps, enough)
        if ahead and costs.rewards:
            named_anew = flat(best_powers(settled(task, costs, [seats, *later]), costs, task.size))
            seats = min(seats, named_anew, key=lambda found: at_work(task, costs, [found]).cost())
        cost = at_work(task, costs, [seats]).cost()
        if found is None or cost < found.cost - NEARLY:
            found = SeatsFound(cost, seats, {})
        if cost <= floor + NEARLY:
            break
    assert found is not None
    return found


def is_clean(task: Task, seats: Seats) -> bool:
    """Whether seats break nothing but that some are wanted together: such a plan is not given up for that."""
    plain = replace(task, together=())
    costs = prices(plain)
    least = field_powers(costs.powers, task.boards)[1]
    return at_work(plain, costs, [seats]).cost() <= least + NEARLY


def settled(task: Task, costs: Prices, rounds: list[Seats]) -> Seats:
    """Let the best of the last round come together by changing names; powers are left to be given out anew."""
    free = replace(costs, powers=[[0.0] * task.size for _ in task.bodies], same_again=0.0)
    renaming = at_work(task, free, rounds)
    wanted = {name for group in task.together for name in group}
    renaming.settle([body for body, name in enumerate(task.bodies) if name in wanted])
    return renaming.rounds[0].body_at


def by_geometry(task: Task, costs: Prices, floor: float, rng: Random) -> SeatsFound | None:
    """Seat everybody along the lines that cost least, where the number of boards has such lines."""
    points = task.points or first_points(task)
    if not points or task.boards not in ORDERS or task.size > min(ORDERS):
        return None
    order = task.boards
    given = given_points(task.bodies, points, order, rng)
    shift = min(shuffled(task.size, rng), key=lambda shift: cost_of_powers(lines(given, 0, order, shift), costs, task))
    slopes = [lines(given, slope, order, shift) for slope in shuffled(order, rng)]
    slopes.sort(key=lambda seats: at_work(task, costs, [flat(best_powers(seats, costs, task.size))]).cost())
    start = slopes[0]
    if costs.rewards:
        start = settled(task, costs, slopes[: task.rounds_after + 1])
        point_at = {seat: given[body] for seat, body in enumerate(slopes[0])}
        given = [point_at[seat] for seat in map(start.index, range(len(start)))]
    start = flat(best_powers(start, costs, task.size))
    seats = at_work(task, costs, [start]).anneal(rng, STEPS, floor, COOL)[0]
    points = dict(points) | dict(zip(task.bodies, given, strict=True))
    return SeatsFound(at_work(task, costs, [seats]).cost(), seats, points)


def cost_of_powers(seats: Seats, costs: Prices, task: Task) -> float:
    """What the powers of some seats cost, opponents left aside."""
    return sum(costs.powers[body][seat % task.size] for seat, body in enumerate(seats))


def first_points(task: Task) -> Points:
    """After one round, its boards are the first lines."""
    empty = map(chair, count())
    boards = [[board.players.get(power) or next(empty) for power in task.powers] for board in task.past]
    is_first = len({board.round for board in task.past}) == 1 and len(boards) == task.boards
    return new_points(boards) if is_first else {}


def at_work(task: Task, costs: Prices, starts: list[Seats]) -> Search:
    """Set the search up at given seats."""
    past = None
    if costs.trio:
        past = [frozenset(k for k, b in enumerate(task.past) if name in b.players.values()) for name in task.bodies]
    return Search(costs, task.size, starts, past)


def flat(boards: Sequence[Seats]) -> Seats:
    """Write boards one after another."""
    return [body for board in boards for body in board]


def spread(places: Sequence[int], boards: int, rng: Random) -> Seats:
    """Seat bodies whose powers are known at boards, one of each power a board, by lot."""
    by_power: list[list[int]] = [[] for _ in range(len(places) // boards)]
    for body in shuffled(len(places), rng):
        by_power[places[body]].append(body)
    return [group[board] for board in range(boards) for group in by_power]


def shuffled(count: int, rng: Random) -> Seats:
    """Every body once, by lot."""
    return rng.sample(range(count), count)


def best_powers(seats: Seats, costs: Prices, size: int) -> list[Seats]:
    """Give the bodies of each board the powers that cost least; what is best already stays as it is."""
    boards = [seats[start : start + size] for start in range(0, len(seats), size)]
    power_of = {body: place for board in boards for place, body in enumerate(board)}
    for number, board in enumerate(boards):
        table = [[costs.powers[body][power] for power in range(size)] for body in board]
        for row, body in zip(table, board, strict=True):
            for twin in costs.twins.get(body, ()):
                row[power_of[twin]] += costs.same_again
        who, cost = board_powers(table)
        if cost < sum(row[place] for place, row in enumerate(table)) - NEARLY:
            boards[number] = [board[place] for place in who]
            power_of |= {body: place for place, body in enumerate(boards[number])}
    return boards


def named(task: Task, board: Seats) -> Mapping[Power, str]:
    """Write a board as powers and names; a seat that nobody takes is none."""
    names = ((power, task.bodies[body]) for power, body in zip(task.powers, board, strict=True))
    return {power: name for power, name in names if name not in task.chairs}

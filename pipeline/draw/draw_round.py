"""The draw of one round: who sits at which board, as which power, and what could not be met.

Pure: the same task and the same seed give the same draw. How it searches, and why so: docs/explanation/draw.md.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from math import comb, inf
from random import Random

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from pipeline.board import Power
from pipeline.draw import task as tasks
from pipeline.draw.affine_plane import ORDERS, MapPoints, given_points, new_points, points_apart, seat_lines
from pipeline.draw.prices import (
    Matrix,
    Prices,
    group_turns,
    group_turns_of,
    never_price,
    price_breaches,
    wanted_together,
)
from pipeline.draw.search import NEARLY, BodiesInSeats, Search
from pipeline.problems import stop
from pipeline.rules.tournament import Aim, Wish
from pipeline.words.speech import ordinal, write_count

# Powers for players, exactly: the cheapest way to give every seat's power to one body.
#
# Two problems of assignment: over the whole field before boards are searched (which no seating can beat), and over each
# board afterwards. The first is solved by shortest augmenting paths, the second by trying all subsets.


def _field_powers(powers: Matrix, boards: int) -> tuple[list[int], float]:
    """Give every body a power, each power ``boards`` times, at the least cost; the places of the powers, and the cost.

    >>> _field_powers([[0, 1], [0, 5], [9, 9], [1, 9]], 2)
    ([1, 0, 1, 0], 11.0)
    """
    cost = np.repeat(np.array(powers, float), boards, axis=1)
    columns = _assign_powers(cost)
    total = float(cost[np.arange(len(columns)), columns].sum())
    return [int(column) // boards for column in columns], total


def _assign_powers(cost: NDArray[np.float64]) -> NDArray[np.int64]:
    """Solve the assignment problem: for each row its column, at the least sum.

    Shortest augmenting paths with potentials (Jonker and Volgenant 1987), one row after another.
    """
    n = len(cost)
    row_of = np.full(n + 1, -1)  # column -> row; the last column is the root of each search
    of_row, of_column = np.zeros(n), np.zeros(n + 1)
    for start in range(n):
        row_of[n] = start
        column = n
        far = np.full(n, np.inf)
        came_from = np.full(n, n)
        done = np.zeros(n, bool)
        while row_of[column] >= 0:
            if column < n:
                done[column] = True
            row = row_of[column]
            reach = cost[row] - of_row[row] - of_column[:n]
            better = ~done & (reach < far)
            far[better] = reach[better]
            came_from[better] = column
            column = int(np.argmin(np.where(done, np.inf, far)))
            step = far[column]
            of_row[row_of[:n][done]] += step
            of_column[:n][done] -= step
            of_row[start] += step
            far[~done] -= step
        while column != n:
            row_of[column] = row_of[came_from[column]]
            column = int(came_from[column])
    answer = np.empty(n, np.int64)
    answer[row_of[:n]] = np.arange(n)
    return answer


def _board_powers(powers: Sequence[Sequence[float]]) -> tuple[tuple[int, ...], float]:
    """Give the bodies of one board one power each at the least cost; which body has each power, and the cost.

    >>> _board_powers([[0, 1, 9], [0, 5, 9], [1, 1, 1]])
    ((1, 0, 2), 2)
    """
    size = len(powers)
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0, ())}  # bodies seated -> cost of the first powers, who
    for power in range(size):
        after: dict[int, tuple[float, tuple[int, ...]]] = {}
        for seated, (cost, who) in best.items():
            for body in range(size):
                if seated >> body & 1:
                    continue
                key, sum_ = seated | 1 << body, cost + powers[body][power]
                if key not in after or sum_ < after[key][0]:
                    after[key] = (sum_, (*who, body))
        best = after
    cost, who = best[(1 << size) - 1]
    return who, cost


# What a drawn round does not meet: every wish, every player it concerns, and what limits any draw of that round.

SeatsOfBoard = Mapping[Power, str]


def _breaches(task: tasks.Task, boards: Sequence[SeatsOfBoard]) -> tuple[tasks.Breach, ...]:
    """List every unmet wish, most important first."""
    forbidden = [*_too_often(task, boards), *_same_table(task, boards)]
    breaches = forbidden[:]
    checks: dict[Aim, Callable[[tasks.Task, Sequence[SeatsOfBoard]], Iterator[Hit]]] = {
        Aim.SAME_POWER_ONCE: _same_powers,
        Aim.POWER_GROUPS: _groups,
        Aim.TEAMS_APART: partial(_sit_together, pairs=task.mates, why="are of one team"),
        Aim.FAMILIES_APART: partial(_sit_together, pairs=task.families, why="are to be kept apart"),
        Aim.NEW_OPPONENTS: _repeats,
        Aim.TRIOS_APART: _trios,
        Aim.BEST_TOGETHER: _bests,
    }
    for wished in task.wishes.wished:
        breaches += [
            tasks.Breach(wish=wished.wish, rule=wished.rule, aim=str(wished.aim), who=who, text=text)
            for who, text in checks[wished.aim](task, boards)
        ]
    breaches += _crowded_recorders(task, boards)
    too_many = {each.who for each in forbidden}
    return tuple(replace(each, is_allowed=_is_allowed(each, task) and each.who not in too_many) for each in breaches)


Hit = tuple[tuple[str, ...], str]  # who, and in words


def _is_allowed(breach: tasks.Breach, task: tasks.Task) -> bool:
    """Whether the rules that wish for new opponents say how often players may meet all the same (NZ99 19)."""
    is_limited = task.wishes.meetings_most is not None
    return breach.aim == Aim.NEW_OPPONENTS and breach.wish is Wish.SHOULD and is_limited


def _sitting(boards: Sequence[SeatsOfBoard]) -> Iterator[tasks.Pair]:
    for board in boards:
        for pair in combinations(sorted(set(board.values())), 2):
            yield frozenset(pair)


def _count_meetings(task: tasks.Task, boards: Sequence[SeatsOfBoard]) -> dict[tasks.Pair, int]:
    """How often the players who sit together now will have met, this round counted."""
    now, before = Counter(_sitting(boards)), task.met()
    return {pair: before[pair] + count for pair, count in now.items()}


def _too_often(task: tasks.Task, boards: Sequence[SeatsOfBoard]) -> Iterator[tasks.Breach]:
    """Players who meet oftener than the rules allow."""
    most = task.wishes.meetings_most
    if most is None:
        return
    for pair, times in _count_meetings(task, boards).items():
        if times > most:
            text = f"{_both(pair)} meet for the {ordinal(times)} time; at most {most} are allowed"
            who = tuple(sorted(pair))
            yield tasks.Breach(wish=Wish.MUST, rule=task.wishes.meetings_rule, aim="meetings_most", who=who, text=text)


def _same_table(task: tasks.Task, boards: Sequence[SeatsOfBoard]) -> Iterator[tasks.Breach]:
    """Two at one board of whom each stays at a table of his own."""
    for board in boards:
        who = tuple(sorted(set(board.values()) & task.tables.keys()))
        if len(who) > 1:
            at = _say_all([task.tables[name] for name in who])
            text = f"{_say_all(who)} sit together, and stay at boards {at}"
            yield tasks.Breach(wish=Wish.MUST, rule="roster, column 'stays_at'", aim="stays_at", who=who, text=text)


def _crowded_recorders(task: tasks.Task, boards: Sequence[SeatsOfBoard]) -> Iterator[tasks.Breach]:
    """Boards with more recorders than another one needs to have, while another has fewer."""
    counts = [sorted(task.recorders.intersection(board.values())) for board in boards]
    fewest = min(map(len, counts), default=0)
    for who in counts:
        if len(who) > fewest + 1:
            text = f"{_say_all(who)} record and sit together, and another board has {fewest or 'nobody'} who records"
            yield tasks.Breach(
                wish=Wish.SHOULD, rule="roster, column 'recorder'", aim="recorder", who=tuple(who), text=text
            )


def _same_powers(task: tasks.Task, boards: Sequence[SeatsOfBoard]) -> Iterator[Hit]:
    """Players who have the same power twice: as in an earlier round, or on two boards."""
    rounds: dict[tuple[str, Power], list[int]] = {}
    for past in task.past:
        for power, name in past.seats:
            rounds.setdefault((name, power), []).append(past.round)
    seats = Counter((name, power) for board in boards for power, name in board.items())
    for (name, power), times in sorted(seats.items()):
        if earlier := rounds.get((name, power)):
            yield (name,), f"{name} plays {power.title()} again, as in {_in_rounds(earlier)}"
        if times > 1:
            yield (
                (name,),
                f"{name} plays {power.title()} on {'two boards' if times == 2 else write_count(times, 'board')}",
            )


def _groups(task: tasks.Task, boards: Sequence[SeatsOfBoard]) -> Iterator[Hit]:
    """Players who have a power of a group they have had, while another group is still to come."""
    played, seats = task.count_powers(), dict[str, list[Power]]()
    for board in boards:
        for power, name in board.items():
            seats.setdefault(name, []).append(power)
    for name, powers in seats.items():
        for power, turns in group_turns_of(played, name, powers, task):
            if turns:
                group = next(group for group in task.wishes.groups if power in group)
                yield (name,), f"{name} plays {power.title()}, a further power of {_say_all(p.title() for p in group)}"


def _sit_together(
    task: tasks.Task, boards: Sequence[SeatsOfBoard], *, pairs: Container[tasks.Pair], why: str
) -> Iterator[Hit]:
    """Two at one board who are among some pairs."""
    for pair in _sitting(boards):
        if pair in pairs:
            yield tuple(sorted(pair)), f"{_both(pair)} {why} and sit together"


def _repeats(task: tasks.Task, boards: Sequence[SeatsOfBoard]) -> Iterator[Hit]:
    """Players who meet again."""
    now = Counter(_sitting(boards))
    for pair, times in _count_meetings(task, boards).items():
        if times > 1:
            where = ", on two boards of this round" if now[pair] == 2 else ""
            yield tuple(sorted(pair)), f"{_both(pair)} meet for the {ordinal(times)} time{where}"


def _trios(task: tasks.Task, boards: Sequence[SeatsOfBoard]) -> Iterator[Hit]:
    """Three players who meet again."""
    for board in boards:
        for past in task.past:
            again = sorted(past.everybody.intersection(board.values()))
            for trio in combinations(again, 3):
                yield trio, f"{_say_all(trio)} meet again, as in round {past.round}"
    for one, other in combinations(boards, 2):
        for trio in combinations(sorted(set(one.values()) & set(other.values())), 3):
            yield trio, f"{_say_all(trio)} meet on two boards of this round"


def _bests(task: tasks.Task, boards: Sequence[SeatsOfBoard]) -> Iterator[Hit]:
    """The best of the last round who have not met and do not meet now."""
    together = set(_sitting(boards))
    for pair in wanted_together(task, task.met()):
        if pair not in together:
            yield tuple(sorted(pair)), f"{_both(pair)}, among the best of the last round, have not met and sit apart"


def _list_limits(task: tasks.Task, places: Sequence[int], breaches: Sequence[tasks.Breach]) -> tuple[str, ...]:
    """Say how many of the unmet wishes no draw could meet."""
    count = Counter(each.aim for each in breaches)
    notes = []
    if again := count[str(Aim.NEW_OPPONENTS)]:
        pairs = f"{write_count(again, 'pair')} {'meets' if again == 1 else 'meet'} again"
        least, why = _least_repeats(task, is_limit_kept=not count["meetings_most"])
        if again == least:
            notes.append(f"{pairs}; no draw of this round has fewer than {least}{why}")
        else:
            proved = f"; it is proved only that none has fewer than {least}{why}" if least else ""
            notes.append(f"{pairs}; no better draw was found{proved}")
    powers = (Aim.SAME_POWER_ONCE, Aim.POWER_GROUPS)
    wished = [each.aim for each in task.wishes.wished if each.aim in powers]
    if wished and count[str(wished[0])]:
        least, found_again = _least_powers(task, places, wished[0]), count[str(wished[0])]
        what = "power" if wished[0] is Aim.SAME_POWER_ONCE else "group"
        proved = f"no draw of this round has fewer than {least}"
        if found_again > least:
            proved = f"no better draw was found; it is proved only that none has fewer than {least}"
        notes.append(f"{_who_has(found_again)} a {what} again; {proved}")
    elif len(wished) > 1 and count[str(wished[1])]:
        least = _least_powers(task, places, wished[1])
        notes.append(f"{_who_has(count[str(wished[1])])} a group again; the best share of powers leaves {least}")
    return tuple(notes)


def _least_repeats(task: tasks.Task, *, is_limit_kept: bool = True) -> tuple[int, str]:
    """How many pairs at least meet again, and why: the players of each earlier board are spread over so many boards.

    ``is_limit_kept``: only draws are considered in which nobody meets oftener than the rules allow.
    """
    here = set(task.bodies)
    least: dict[int, int] = {}
    for number in sorted({board.round for board in task.past}):
        sizes = [len(here & set(b.players.values())) for b in task.past if b.round == number]
        if pairs := sum(spread_pairs(size, task.boards) for size in sizes):
            least[number] = pairs
    within = _least_within(task)
    if not least:
        return within
    # where players who met twice do not meet again, the repeats of all rounds are added up
    if task.wishes.meetings_most == 2 and is_limit_kept:
        rounds, bound = sorted(least), sum(least.values())
    else:
        rounds, bound = [max(least, key=lambda number: least[number])], max(least.values())
    if within[0] > bound:
        return within
    return bound, f": the players of each board of {_in_rounds(rounds)} sit down at {write_count(task.boards, 'board')}"


def _least_within(task: tasks.Task) -> tuple[int, str]:
    """How many pairs at least meet twice in this round: of those on two boards each, who share the same two."""
    doubled = sum(seats == 2 for seats in Counter(task.bodies).values())
    least = spread_pairs(doubled, comb(task.boards, 2)) if doubled else 0
    return (
        least,
        f": {write_count(doubled, 'player')} sit on two of the {write_count(task.boards, 'board')} each"
        if least
        else "",
    )


def spread_pairs(count: int, boards: int) -> int:
    """The fewest pairs that so many players make when they are spread over so many boards.

    >>> spread_pairs(7, 4), spread_pairs(7, 7)
    (3, 0)
    """
    full, over = divmod(count, boards)
    return over * (full + 1) * full // 2 + (boards - over) * full * (full - 1) // 2


def _least_powers(task: tasks.Task, places: Sequence[int], aim: Aim) -> int:
    """How many breaches the best share of powers over the whole field has, boards and opponents left aside."""
    played = task.count_powers()
    seats = [(name, task.powers[place]) for name, place in zip(task.bodies, places, strict=True)]
    if aim is Aim.SAME_POWER_ONCE:
        return sum(1 for seat in seats if played[seat])
    further = len(task.bodies) - len(set(task.bodies))  # seats of who has several: two may cost one breach less
    return max(0, sum(1 for name, power in seats if group_turns(played, name, power, task)) - further)


def _both(pair: tasks.Pair) -> str:
    """Name two players."""
    return _say_all(sorted(pair))


def _say_all(names: Iterator[str] | Sequence[str]) -> str:
    """Join names as people say them.

    >>> _say_all(["Ann", "Bob", "Cat"])
    'Ann, Bob and Cat'
    """
    *most, last = list(names)
    return f"{', '.join(most)} and {last}" if most else last


def _who_has(players: int) -> str:
    return f"{write_count(players, 'player')} {'has' if players == 1 else 'have'}"


def _in_rounds(numbers: Sequence[int]) -> str:
    return f"round {numbers[0]}" if len(numbers) == 1 else f"rounds {_say_all([str(n) for n in numbers])}"


FEW = 7  # up to so many boards the search plans later rounds, too; with more it is not needed (benchmarks/draw.py)
# steps of a search that plans later rounds, for each player; of one that does not: a second at most on a slow core
AHEAD, STEPS = 12_000, 300_000
TRIES = 2
COOL = 0.15  # starting temperature for a nearly optimal start; a higher one would destroy it


class SeatsFound(Struct, frozen=True):
    """Seats of this round, and what they cost."""

    cost: float
    seats: BodiesInSeats
    points: MapPoints  # of the lines along which they were seated, if they were


def draw_seats(task: tasks.Task, seed: int) -> tasks.Draw:
    """Draw a round: seek the seating in which the fewest players meet again, and the other wishes are met.

    Where the plan for later rounds breaks what must be kept in this one, it is given up if that helps.
    """
    planned = _draw_planned(task, seed)
    if not planned.broken or not task.rounds_after:
        return planned
    unplanned = _draw_planned(replace(task, rounds_after=0, mates_after=()), seed)
    return min(planned, unplanned, key=lambda drawn: len(drawn.broken))


def _draw_planned(task: tasks.Task, seed: int) -> tasks.Draw:
    """Draw a round with room for those that follow."""
    everybody = (*task.bodies, *task.chairs)
    if not everybody or len(everybody) % task.size:
        raise stop(f"{write_count(len(everybody), 'seat')} taken; expected a multiple of {task.size}", "draw")
    rng = Random(seed)
    task = replace(task, bodies=tuple(rng.sample(everybody, len(everybody))))
    costs = price_breaches(task)
    places, least = _field_powers(costs.powers, task.boards)
    spared = sum(min(map(min, matrix)) for matrix in costs.again.values())
    floor = least + min(0.0, spared) - costs.rewards + costs.repeat * _least_repeats(task)[0]  # no seats cost less
    floor += _least_crowding(task)
    seats = _search(task, costs, places, floor, rng)
    boards = [_name_seats(task, board) for board in _cheapest_powers(seats.seats, costs, task.size)]
    rng.shuffle(boards)
    boards.sort(key=lambda board: -len(board))  # those of the variant come last
    broken = _breaches(task, boards)
    points = {name: point for name, point in seats.points.items() if name not in task.chairs}
    return tasks.Draw(boards=tuple(boards), breaches=broken, notes=_list_limits(task, places, broken), points=points)


def _least_crowding(task: tasks.Task) -> float:
    """What recorders cost where there are more of them than boards, spread as well as can be."""
    return never_price(task) * spread_pairs(task.recording, task.boards)


def _search(task: tasks.Task, costs: Prices, places: Sequence[int], floor: float, rng: Random) -> SeatsFound:
    """Find the cheapest seats: by geometry where there is one, else, or if that leaves something, by search."""
    if task.boards == 1:
        return SeatsFound(floor, _spread(places, 1, rng), {})  # the powers are all there is to choose
    best_seats = _by_geometry(task, costs, floor, rng) if task.past else _first_lines(task, costs, rng)
    if best_seats and (best_seats.cost <= floor + NEARLY or (task.rounds_after and _is_clean(task, best_seats.seats))):
        return best_seats
    ahead = task.rounds_after if task.past and task.boards <= FEW else 0
    for _ in range(1 if ahead else TRIES):
        starts = [_spread(places, task.boards, rng), *(_shuffle_seats(len(places), rng) for _ in range(ahead))]
        steps, enough = (AHEAD * len(places), -inf) if ahead else (STEPS, floor)
        seats, *later = _at_work(task, costs, starts).anneal(rng, steps, enough)
        if ahead and costs.rewards:
            named_anew = _flat(_cheapest_powers(_gather_best(task, costs, [seats, *later]), costs, task.size))
            seats = min(seats, named_anew, key=lambda best_seats: _at_work(task, costs, [best_seats]).cost())
        cost = _at_work(task, costs, [seats]).cost()
        if best_seats is None or cost < best_seats.cost - NEARLY:
            best_seats = SeatsFound(cost, seats, {})
        if cost <= floor + NEARLY:
            break
    assert best_seats is not None
    return best_seats


def _first_lines(task: tasks.Task, costs: Prices, rng: Random) -> SeatsFound | None:
    """Seat a first round so that the lines of this round and of those to come keep apart who is to be kept apart.

    Without anybody to keep apart any first round will do, and the search finds one.
    """
    order, columns = task.boards, range(task.size)
    if order not in ORDERS or task.chairs or len(set(task.bodies)) < len(task.bodies):
        return None
    pairs = _apart_by_slope(task, 0)
    if not any(pairs.values()):
        return None
    start = [(column, row) for row in range(order) for column in columns]
    given = points_apart(pairs, start, order, rng, stay=False)
    seats = seat_lines(given, 0, order)
    points = dict(zip(task.bodies, given, strict=True))
    return SeatsFound(_at_work(task, costs, [seats]).cost(), seats, points)


def _apart_by_slope(task: tasks.Task, first: int) -> dict[int, list[tuple[int, int]]]:
    """Who is to be kept apart on the lines of each slope, from the first that is played now."""
    body_of = {name: body for body, name in enumerate(task.bodies)}
    pairs_by_slope = {}
    for slope, mates in enumerate((task.mates, *task.mates_after), start=first):
        named = sorted(sorted(pair) for pair in mates | task.families | task.pairs_never_together())
        pairs_by_slope[slope] = [(body_of[a], body_of[b]) for a, b in named if a in body_of and b in body_of]
    return {slope: pairs for slope, pairs in pairs_by_slope.items() if slope < task.boards}


def _is_clean(task: tasks.Task, seats: BodiesInSeats) -> bool:
    """Whether seats break no wish except "together", for which a plan is not given up."""
    plain = replace(task, together=())
    costs = price_breaches(plain)
    least = _field_powers(costs.powers, task.boards)[1] + _least_crowding(task)
    return _at_work(plain, costs, [seats]).cost() <= least + NEARLY


def _gather_best(task: tasks.Task, costs: Prices, rounds: list[BodiesInSeats]) -> BodiesInSeats:
    """Exchange players so that the best of the last round meet; powers are assigned anew afterwards."""
    free = replace(
        costs,
        powers=[[0.0] * task.size for _ in task.bodies],
        again={body: [[0.0] * task.size for _ in task.powers] for body in costs.again},
    )
    renaming = _at_work(task, free, rounds)
    wanted = {name for group in task.together for name in group}
    renaming.settle([body for body, name in enumerate(task.bodies) if name in wanted])
    return renaming.rounds[0].body_at


def _by_geometry(task: tasks.Task, costs: Prices, floor: float, rng: Random) -> SeatsFound | None:
    """Seat everybody along the lines that cost least, where the number of boards has such lines."""
    points = task.points or _first_points(task)
    if not points or task.boards not in ORDERS:
        return None
    order = task.boards
    given = given_points(task.bodies, points, order, rng)
    if not task.points and (
        apart := _apart_by_slope(task, 1)
    ):  # the first round was not drawn with these lines in mind
        given = points_apart(apart, given, order, rng, stay=True)

    def cost_of_powers(shift: int) -> float:
        seats = seat_lines(given, 0, order, shift)
        return sum(costs.powers[body][seat % task.size] for seat, body in enumerate(seats))

    shift = min(_shuffle_seats(task.size, rng), key=cost_of_powers)
    slopes = [seat_lines(given, slope, order, shift) for slope in _shuffle_seats(order, rng)]
    slopes.sort(key=lambda seats: _at_work(task, costs, [_flat(_cheapest_powers(seats, costs, task.size))]).cost())
    start = slopes[0]
    if costs.rewards:
        start = _gather_best(task, costs, slopes[: task.rounds_after + 1])
        point_at = {seat: given[body] for seat, body in enumerate(slopes[0])}
        given = [point_at[seat] for seat in map(start.index, range(len(start)))]
    start = _flat(_cheapest_powers(start, costs, task.size))
    seats = _at_work(task, costs, [start]).anneal(rng, STEPS, floor, COOL)[0]
    points = dict(points) | dict(zip(task.bodies, given, strict=True))
    return SeatsFound(_at_work(task, costs, [seats]).cost(), seats, points)


def _first_points(task: tasks.Task) -> MapPoints:
    """After one round, its boards are the first lines."""
    empty = map(tasks.chair, itertools.count())
    boards = [[board.players.get(power) or next(empty) for power in task.powers] for board in task.past]
    is_first = len({board.round for board in task.past}) == 1 and len(boards) == task.boards
    return new_points(boards) if is_first else {}


def _at_work(task: tasks.Task, costs: Prices, starts: list[BodiesInSeats]) -> Search:
    past = None
    if costs.trio:
        past = [frozenset(k for k, b in enumerate(task.past) if name in b.everybody) for name in task.bodies]
    return Search(costs, task.size, starts, past)


def _flat(boards: Sequence[BodiesInSeats]) -> BodiesInSeats:
    """Write boards one after another."""
    return [body for board in boards for body in board]


def _spread(places: Sequence[int], boards: int, rng: Random) -> BodiesInSeats:
    """Seat bodies whose powers are known at boards, one of each power a board, by lot."""
    by_power: list[list[int]] = [[] for _ in range(len(places) // boards)]
    for body in _shuffle_seats(len(places), rng):
        by_power[places[body]].append(body)
    return [group[board] for board in range(boards) for group in by_power]


def _shuffle_seats(count: int, rng: Random) -> BodiesInSeats:
    """Every body once, by lot."""
    return rng.sample(range(count), count)


def _cheapest_powers(seats: BodiesInSeats, costs: Prices, size: int) -> list[BodiesInSeats]:
    """Give the bodies of each board the powers that cost least; boards that are best already are not changed."""
    boards = [seats[start : start + size] for start in range(0, len(seats), size)]
    power_of = {body: place for board in boards for place, body in enumerate(board)}
    for number, board in enumerate(boards):
        table = [[costs.powers[body][power] for power in range(size)] for body in board]
        for row, body in zip(table, board, strict=True):
            for twin in costs.twins.get(body, ()):
                for power, added in enumerate(costs.again[body]):
                    row[power] += added[power_of[twin]]
        who, cost = _board_powers(table)
        if cost < sum(row[place] for place, row in enumerate(table)) - NEARLY:
            boards[number] = [board[place] for place in who]
            power_of |= {body: place for place, body in enumerate(boards[number])}
    return boards


def _name_seats(task: tasks.Task, board: BodiesInSeats) -> Mapping[Power, str]:
    """Write a board as powers and names; an empty seat is left out."""
    names = ((power, task.bodies[body]) for power, body in zip(task.powers, board, strict=True))
    return {power: name for power, name in names if name not in task.chairs}

"""Whether a doubt matters: a row has no effect if all its meanings lead to the same position.

It is only said where every doubt of the board is known: no sheet is missing or doubtful, every row has been read, and
the meanings of all open rows together are few enough to adjudicate each combination. It is a word to the director and
puts the row last; the row still waits for him.
"""

from collections.abc import Callable, Iterable
from itertools import product

from pipeline.board.map import Map, Power
from pipeline.board.position import Position
from pipeline.desk.ruling.rows import PowerRows, Row, RowStatus
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.rulebook.rulebook import Rulebook
from pipeline.orders.order import Order
from pipeline.problems import Weight

MOST = 64  # combinations of one board: about a fifth of a second on a slow machine

Doubtful = tuple[Power, int]  # a power and the number of its row among its rows


def without_effect(
    board: Map, position: Position, powers: Iterable[PowerRows], rules: Rulebook, breathe: Callable[[], None]
) -> frozenset[Doubtful]:
    """Find the open rows whose every meaning leads to the same position; ``breathe`` is called between two tries."""
    powers = tuple(powers)
    choices = meanings(powers)
    if choices is None:
        return frozenset()
    after: dict[tuple[Order | None, ...], Position] = {}
    for chosen in product(*choices.values()):
        orders = {power.power: orders_with(power, dict(zip(choices, chosen, strict=True))) for power in powers}
        after[chosen] = adjudicate(board, position, orders, rules).after
        breathe()
    return frozenset(row for place, row in enumerate(choices) if len(choices[row]) > 1 and is_alike(after, place))


def meanings(powers: tuple[PowerRows, ...]) -> dict[Doubtful, tuple[Order | None, ...]] | None:
    """What each open row may mean; None where that is not known, or there is too much of it."""
    if any(problem.weight is Weight.ASKS for power in powers for problem in power.problems):
        return None
    found: dict[Doubtful, tuple[Order | None, ...]] = {}
    count = 1
    for power in powers:
        for number, row in enumerate(power.rows):
            if not row.needs_director:
                continue
            if row.status is RowStatus.UNREAD:
                return None
            found[power.power, number] = tuple(dict.fromkeys((*row.candidates, *by_rule(row))))
            count *= len(found[power.power, number])
    return found if found and count <= MOST else None


def by_rule(row: Row) -> tuple[Order | None, ...]:
    """What the tournament's rule would make of a row; where it is silent, only the readings count."""
    return () if row.status is RowStatus.ASK and row.candidates else (row.order,)


def orders_with(power: PowerRows, chosen: dict[Doubtful, Order | None]) -> tuple[Order, ...]:
    """A power's orders if its open rows mean what was chosen."""
    orders = [chosen.get((power.power, number), row.order) for number, row in enumerate(power.rows)]
    return tuple(dict.fromkeys(order for order in orders if order is not None))


def is_alike(after: dict[tuple[Order | None, ...], Position], place: int) -> bool:
    """Whether one row makes no difference, whatever the others mean."""
    seen: dict[tuple[Order | None, ...], Position] = {}
    return all(seen.setdefault((*key[:place], *key[place + 1 :]), found) == found for key, found in after.items())

"""Judge one phase, whichever it is."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from pipeline.board.map import Map, Power
from pipeline.board.position import Position, Step
from pipeline.judge.adjustments import adjudicate_adjustments
from pipeline.judge.movement.movement import adjudicate_movement
from pipeline.judge.outcome.outcome import Resolution
from pipeline.judge.retreats import adjudicate_retreats
from pipeline.judge.rulebook.rulebook import Rulebook
from pipeline.orders.order import Order


def adjudicate(board: Map, position: Position, orders: Mapping[Power, Sequence[Order]], rules: Rulebook) -> Resolution:
    """Each phase has its own orders; what a player leaves out, the rules fill in.

    >>> from pipeline.board.position import starting_position
    >>> from pipeline.board.standard import standard_map
    >>> from pipeline.judge.rulebook.rulebook import DATC
    >>> from pipeline.orders.notation import read
    >>> start = starting_position(standard_map())
    >>> resolution = adjudicate(standard_map(), start, {Power.AUSTRIA: [read("A VIE - TYR")],
    ...                                                 Power.ITALY: [read("A VEN - TYR")]}, DATC)
    >>> print(resolution.results[0].reason)
    bounces 1:1 with A VEN - TYR
    """
    match position.phase.step:
        case Step.MOVEMENT:
            return adjudicate_movement(board, position, orders, rules)
        case Step.RETREATS:
            return adjudicate_retreats(board, position, orders, rules)
        case Step.ADJUSTMENTS:
            return adjudicate_adjustments(board, position, orders, rules)
        case step:
            assert_never(step)

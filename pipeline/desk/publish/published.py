"""What is written down of a phase that is published: its orders, their results, and what each order rested on."""

from collections.abc import Mapping

from pipeline.board.map import Power
from pipeline.desk.ruling.rows import Row
from pipeline.judge.outcome.outcome import Resolution, Result
from pipeline.ledger.events import PhasePublished
from pipeline.ledger.parts import OutcomePublished, RowPublished
from pipeline.orders.notation import write
from pipeline.orders.order import Order
from pipeline.orders.positions import write_position


def as_published(
    board: str,
    orders: Mapping[Power, tuple[Order, ...]],
    resolution: Resolution,
    rows: Mapping[Power, tuple[RowPublished, ...]],
) -> PhasePublished:
    """Write a judged phase down."""
    return PhasePublished(
        board=board,
        phase=resolution.phase,
        orders={power: tuple(map(write, given)) for power, given in orders.items()},
        results=tuple(map(as_result, resolution.results)),
        rows=rows,
        after=write_position(resolution.after),
    )


def as_result(result: Result) -> OutcomePublished:
    """Write one outcome as the contract has it."""
    return OutcomePublished(
        power=result.power,
        order=write(result.order),
        result=str(result.outcome.result),
        reason=result.reason,
        by=tuple(map(write, result.by)),
    )


def as_row(row: Row) -> RowPublished:
    """Write what a published order rested on."""
    return RowPublished(
        line=row.line,
        ink=row.ink,
        order=write(row.order) if row.order else None,
        source=row.source,
        rule=row.rule,
        crop=row.crop,
    )

"""Bonuses and penalties of the qualifying rounds only: the lists of the whole event, seen through their rounds."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from pipeline.scoring.results.results import Bonus, EventResults, Penalty
from pipeline.scoring.totals.rules import ScoringRules
from pipeline.scoring.totals.tally import Stage, is_within
from pipeline.workbook.inputs.ledger_sheets import FREE, HEAD_ROW, NUMBER_OF, BonusColumns, PenaltyColumns, is_lost
from pipeline.workbook.xlsx.address import BookColumn
from pipeline.workbook.xlsx.grid import Grid
from pipeline.workbook.xlsx.page import Content, LiveFormula, Page

Entry = TypeVar("Entry", Bonus, Penalty)
FAR = 30  # the first column of what is added to these sheets, right of all their tables


def within(event: EventResults, stage: Stage) -> EventResults:
    """Leave out bonuses and penalties of other rounds."""
    bonuses = tuple(one for one in event.bonuses if is_within(one.round, stage))
    return replace(event, bonuses=bonuses, penalties=tuple(p for p in event.penalties if is_within(p.round, stage)))


def stage_penalties(page: Page, whole: PenaltyColumns, event: EventResults, stage: Stage) -> PenaltyColumns:
    """The penalties of a stage."""
    return replace(whole, player=numbers(page, whole.player, whole.round, event.penalties, stage))


def stage_bonuses(
    page: Page,
    whole: BonusColumns,
    lost: PenaltyColumns,
    event: EventResults,
    rules: ScoringRules,
    stage: Stage,
) -> BonusColumns:
    """The bonuses of a stage, and what they count when only its penalties take them away."""
    player = numbers(page, whole.player, whole.round, event.bonuses, stage)
    kept = within(event, stage)
    contents: list[Content] = []
    for row, one in zip(rows_of(whole.player), padded(event.bonuses, whole.player), strict=True):
        losing = lost.loses_kept(player.cell(row), whole.kind.cell(row))
        counts = f"IF({player.cell(row)}=0,0,{whole.worth.cell(row)})"
        worth = worth_of(page, whole.worth, row)
        value = worth if one and is_within(one.round, stage) and not is_lost(one, kept, rules) else Fraction()
        contents.append(LiveFormula(f"IF({losing}>0,0,{counts})" if losing else counts, value))
    grid = Grid(page, HEAD_ROW, len(contents), FAR + 1)
    return replace(whole, player=player, counts=grid.add("Counts before final", contents, FREE, 9))


def worth_of(page: Page, worth: BookColumn, row: int) -> Fraction:
    """The engine's worth of the bonus in a row, as it stands beside its formula."""
    content, _ = page.cells[row][worth.number]
    return content.value if isinstance(content, LiveFormula) and isinstance(content.value, Fraction) else Fraction()


def numbers(page: Page, player: BookColumn, round_: BookColumn, entries: Sequence[Entry], stage: Stage) -> BookColumn:
    """The players' numbers in the rows that belong to a stage, 0 in the others."""
    known = sorted(stage.rounds or ())
    contents: list[Content] = []
    for row, one in zip(rows_of(player), padded(entries, player), strict=True):
        own, number = round_.cell(row), player.cell(row)
        inside = ",".join([f'{own}=""'] + [f"{own}={n}" for n in known])
        content, _ = page.cells[row][player.number]
        value = content.value if isinstance(content, LiveFormula) and one and is_within(one.round, stage) else 0
        contents.append(LiveFormula(f"IF(OR({inside}),{number},0)", value))
    return Grid(page, HEAD_ROW, len(contents), FAR).add("Before final", contents, NUMBER_OF, 8)


def rows_of(column: BookColumn) -> range:
    """The rows of a list."""
    return range(column.first, column.last + 1)


def padded(entries: Sequence[Entry], column: BookColumn) -> list[Entry | None]:
    """The entries, and nothing for each spare row."""
    found: list[Entry | None] = list(entries)
    return found + [None] * (column.last - column.first + 1 - len(entries))

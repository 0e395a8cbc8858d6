"""Systems that look at the years a power lived: what is missing on a board for that."""

from collections.abc import Iterator, Sequence

from pipeline.scoring.games.combined_parts import Largest, Only
from pipeline.scoring.games.counts import StandBy
from pipeline.scoring.games.parts import Part, Places
from pipeline.scoring.games.parts_by_count import BeatenPowers, Years
from pipeline.scoring.games.system import Eliminated, System
from pipeline.scoring.results.doubts import YearsUnrecorded
from pipeline.scoring.results.results import FIRST_YEAR, Board


def year_doubts(boards: Sequence[Board], system: System) -> Iterator[YearsUnrecorded]:
    """The director is asked for the counts of the years where a score depends on them and they are not recorded."""
    asks = asked_of_years(system)
    for board in boards:
        if asks and is_asked(board, system, asks):
            yield from what_is_missing(board)


def looks_at_years(system: System) -> bool:
    """Whether some points depend on more than the counts at the end."""
    return bool(asked_of_years(system))


def asked_of_years(system: System) -> set[object]:
    """What a system wants to know of the years: which orders of powers, and how many years one lived."""
    asks: set[object] = {what for part in every_part(system) for what in part_asks(part)}
    return asks | {Years} if system.eliminated.by is Eliminated.YEARLY else asks


def every_part(system: System) -> Iterator[Part]:
    """All blocks of a system, and those inside others."""
    for part in (*system.parts, *system.solo.others_parts):
        yield from inside(part)


def inside(part: Part) -> Iterator[Part]:
    """A block, or those it is made of."""
    match part:
        case Only():
            yield from inside(part.part)
        case Largest():
            for each in part.parts:
                yield from inside(each)
        case _:
            yield part


def part_asks(part: Part) -> tuple[object, ...]:
    """What a block wants to know of the years: how a power stands by them, or how many it lived."""
    match part:
        case Places() | BeatenPowers():
            return (part.order,) if part.order is not StandBy.CENTRES else ()
        case Years():
            return (Years,)
        case _:
            return ()


def is_asked(board: Board, system: System, asks: set[object]) -> bool:
    """Whether the years matter on this board: somebody was eliminated, somebody won, or the years split a tie."""
    counts = list(board.centres.values())
    level = len(set(counts)) < len(counts)
    won = system.solo.soloist(board) is not None
    return 0 in counts or (won and Years in asks) or (level and StandBy.EARLIER_YEARS in asks)


def what_is_missing(board: Board) -> Iterator[YearsUnrecorded]:
    """The years that are not recorded; nothing where all are, from the first to the one the game ended with."""
    if not board.years:
        yield YearsUnrecorded(spot=board.spot)
        return
    last = max(board.years)
    if gaps := sorted(set(range(FIRST_YEAR, last)) - set(board.years)):
        yield YearsUnrecorded(spot=board.spot, gaps=tuple(gaps))
    elif dict(board.years[last]) != dict(board.centres):
        yield YearsUnrecorded(spot=board.spot, last=last)

"""The counts of the years: what is missing where a system looks at them, and what cannot be true of any game."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from pipeline.board.map import Power
from pipeline.board.standard import standard_map
from pipeline.scoring.games.combined_parts import Largest, Only
from pipeline.scoring.games.counts import StandBy
from pipeline.scoring.games.parts import Part, Places
from pipeline.scoring.games.parts_by_count import BeatenPowers, Years
from pipeline.scoring.games.system import Eliminated, System
from pipeline.scoring.results.doubts import Clash, YearsContradict, YearsUnrecorded
from pipeline.scoring.results.results import FIRST_YEAR, Board, Spot

Counts = Mapping[Power, int]


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


# ---- what cannot be true --------------------------------------------------------------------------------------------


def contradictions(spot: Spot, years: Mapping[int, Counts], end: Counts, needed: int) -> Iterator[YearsContradict]:
    """Counts of years that no game can have, one after the other and before those at the end.

    Enough centres win and end the game; who has no centre after a Fall has no unit left and never owns one again; a
    unit takes one centre a year, and nobody has more units than he had centres; what is owned stays somebody's.
    """
    rows: list[tuple[int | None, Counts]] = [(year, years[year]) for year in sorted(years)]
    if rows and dict(rows[-1][1]) != dict(end):
        rows.append((None, end))  # the game went on after the last recorded year
    for power in end:
        yield from _contradictions_of(spot, power, [(year, counts.get(power, 0)) for year, counts in rows], needed)
    for (year, before), (later, after) in pairwise(rows):
        owned, then = sum(before.values()), sum(after.values())
        if year is not None and then < owned:
            yield YearsContradict(spot=spot, clash=Clash.LOST, year=year, later=later, owned=owned, then=then)


def _contradictions_of(
    spot: Spot, power: Power, counts: Sequence[tuple[int | None, int]], needed: int
) -> Iterator[YearsContradict]:
    """What no power can have: ``counts`` are its years in order, and those at the end without one."""
    start = (FIRST_YEAR - 1, len(standard_map().homes[power]))
    for (year, owned), (later, then) in pairwise([start, *counts] if counts and counts[0][0] == FIRST_YEAR else counts):
        clash = None
        if year is None:
            continue
        if owned >= needed:
            clash = Clash.SOLO
        elif owned == 0 and then:
            clash = Clash.BACK
        elif later is not None and then > owned * 2 ** (later - year):
            clash = Clash.WON
        if clash is not None:
            yield YearsContradict(spot=spot, clash=clash, year=year, later=later, power=power, owned=owned, then=then)

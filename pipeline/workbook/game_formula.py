"""What one seat scores, as a formula: the building blocks, the solo, the eliminated, the rounding."""

from dataclasses import dataclass
from typing import assert_never

from pipeline.scoring.exact import How, Rounding
from pipeline.scoring.parts import (
    BeatenCentres,
    Centres,
    Flat,
    Lead,
    NeutralCentres,
    Part,
    Places,
    Polynomial,
    Shared,
    Survival,
    SurvivalUntil,
    Survivors,
    Unreached,
)
from pipeline.scoring.system import Abandoned, Eliminated, Replacement, System
from pipeline.workbook.config import Config
from pipeline.workbook.formula import added, unwritable

SAME = 12  # decimals: equal scores that come from different boards are then the same binary number
SOLO = "scoring.solo"  # the setting
POWERS_OF_C = ("1", "c", "c²", "c³", "c⁴", "c⁵", "c⁶")


@dataclass(frozen=True, slots=True)
class SeatCells:
    """The cells a seat's score is computed from, as the Games sheet names them."""

    centres: str  # own, at the end
    board: str  # the centres of the whole board
    total: str  # supply centres in play
    above: str  # powers with strictly more
    equal: str  # powers with as many
    years: tuple[tuple[int, str, str], ...]  # each year: the own cell, and the cells of the whole board

    def later(self, year: int) -> tuple[str, str] | None:
        """The own cells and the board's cells of the years after one; they stand side by side."""
        after = [(own, board) for y, own, board in self.years if y > year]
        if not after:
            return None
        first, last = after[0], after[-1]
        return span(first[0], last[0]), span(first[1], last[1])

    @property
    def all_years(self) -> tuple[str, str] | None:
        """The own cells and the board's cells of all years."""
        return self.later(0)


def span(first: str, last: str) -> str:
    """Join two areas into the one that reaches from the first to the last.

    >>> span("Results!$G5:$G11", "Results!$N5:$N11"), span("$G5", "$N5")
    ('Results!$G5:$N11', '$G5:$N5')
    """
    return f"{first.partition(':')[0]}:{last.rpartition(':')[2].rpartition('!')[2]}"


def name_of(part: Part) -> str:
    """The named cell of a building block's number."""
    return f"Score_{part.name.replace(' ', '_').replace('-', '_')}"


def part_formula(part: Part, config: Config, rule: str) -> "PartFormula":
    """Enter a building block's numbers into Config once; gives what writes it for each seat."""
    name, label = name_of(part), f"Points: {part.name}"
    match part:
        case Polynomial():
            labels = [f"{label}, of {POWERS_OF_C[n]}" for n in range(len(part.coefficients))]
            names = tuple(
                config.number(f"{name}_{n}", factor, labels[n], rule) for n, factor in enumerate(part.coefficients)
            )
            return PartFormula(part, names)
        case Places(shared=Shared.AVERAGE):
            return PartFormula(part, (f"{config.running(name, part.bonuses, label, rule)}",))
        case Places():
            return PartFormula(part, (config.numbers(name, part.bonuses, label, rule),))
        case Survival() | SurvivalUntil():
            return PartFormula(part, (config.number(name, part.award, label, rule),))
        case Centres() | Flat() | Survivors() | BeatenCentres() | NeutralCentres() | Lead():
            return PartFormula(part, (config.number(name, part.each, label, rule),))
        case _:
            raise unwritable(f"no formula for the building block {part.name!r}")


@dataclass(frozen=True, slots=True)
class PartFormula:
    """A building block whose numbers stand in named cells."""

    part: Part
    names: tuple[str, ...]

    def write(self, seat: SeatCells) -> str:  # noqa: C901 - one line for each of the ten blocks
        """Write the block's points for one seat."""
        [name, *_] = self.names
        match self.part:
            case Centres():
                return f"{name}*{seat.centres}"
            case Polynomial():
                return added([term(factor, seat.centres, n) for n, factor in enumerate(self.names)])
            case Flat():
                return name
            case Survivors():
                return f'{name}*COUNTIF({seat.board},">0")'
            case Survival():
                return f"IF({seat.centres}>0,{name},0)"
            case SurvivalUntil():
                return f"IF({lived(self.part, seat)},{name},0)"
            case BeatenCentres():
                return f'{name}*SUMIF({seat.board},"<"&{seat.centres})'
            case NeutralCentres():
                return f"{name}*({seat.total}-SUM({seat.board}))"
            case Lead():
                return f"{name}*IF({seat.above}=0,{seat.centres}-LARGE({seat.board},2),0)"
            case Places():
                return place_bonus(self.part, name, seat)
            case _:
                raise unwritable(f"no formula for the building block {self.part.name!r}")


def term(factor: str, centres: str, power: int) -> str:
    """One term of a polynomial."""
    return factor if power == 0 else f"{factor}*{centres}" if power == 1 else f"{factor}*{centres}^{power}"


def place_bonus(part: Places, name: str, seat: SeatCells) -> str:
    """Equal powers average the bonuses of the places they span, or take the lowest of them."""
    match part.shared:
        case Shared.AVERAGE:
            upto = f"INDEX({name},{seat.above}+{seat.equal}+1)"
            return f"({upto}-INDEX({name},{seat.above}+1))/{seat.equal}"
        case Shared.LOWER:
            lowest = f"{seat.above}+{seat.equal}"
            return f"IF({lowest}<={len(part.bonuses)},INDEX({name},{lowest}),0)"
        case _:
            assert_never(part.shared)


def lived(part: SurvivalUntil, seat: SeatCells) -> str:
    """Whether a power owned a centre after a year; where the year is not recorded, what the rules say of that."""
    alive = f"{seat.centres}>0"
    if seat.all_years is None:
        return alive
    unreached = alive if part.unreached is Unreached.SURVIVORS else "FALSE"
    test = f"IF(COUNT({seat.all_years[1]})>0,{unreached},{alive})"
    if later := seat.later(part.year):
        test = f"IF(COUNT({later[1]})>0,OR({alive},SUM({later[0]})>0),{test})"
    for year, own, board in seat.years:
        if year == part.year:
            test = f"IF(COUNT({board})>0,N({own})>0,{test})"
    return test


def rounded(formula: str, rounding: Rounding) -> str:
    """Round as the rules say; ten decimals first, so that a binary fraction a hair below an exact half goes up too."""
    match rounding.how:
        case How.NOT_AT_ALL:
            return f"ROUND({formula},{SAME})"
        case How.HALF_UP:
            return f"ROUND(ROUND({formula},10),{rounding.decimals})"
        case How.TRUNCATE:
            return f"TRUNC(ROUND({formula},9),{rounding.decimals})"
        case _:
            assert_never(rounding.how)


@dataclass(frozen=True, slots=True)
class SystemFormula:
    """A scoring system whose numbers stand in named cells."""

    system: System
    parts: tuple[PartFormula, ...]
    solo_winner: str  # name, or "" where the formula says it
    solo_others: str
    solo_factor: str
    pool: str
    eliminated: str
    late: str

    @classmethod
    def enter(cls, system: System, config: Config) -> "SystemFormula":
        """Enter a system's numbers into Config."""
        config.section(f"Score of a game: {system.name}")
        parts = tuple(part_formula(part, config, f"scoring.parts[{n}]") for n, part in enumerate(system.parts))
        solo = system.solo
        if solo.centres is not None:
            config.number("Solo_centres", solo.centres, "Centres that win outright", SOLO)
        winner = "" if solo.winner is None else config.number("Solo_winner", solo.winner, "Points of a soloist", SOLO)
        factor = "" if winner else config.number("Solo_factor", solo.factor, "A soloist gets the formula times", SOLO)
        others = config.number("Solo_others", solo.others, "Points of the others after a solo", SOLO)
        pool = (
            ""
            if system.pool is None
            else config.number("Pool", system.pool, "Points shared out on a board", "scoring.pool")
        )
        yearly = system.eliminated.by is Eliminated.YEARLY
        each_year = system.eliminated.each_year
        dead = (
            config.number("Eliminated_each_year", each_year, "Eliminated: points for each year lived") if yearly else ""
        )
        late = (
            config.number("Late_seasons", system.late.seasons, "Late-comers: seasons", "scoring.late_seasons")
            if system.late
            else ""
        )
        return cls(system, parts, winner, others, factor, pool, dead, late)

    def needed(self, total: str) -> str:
        """The centres that win outright."""
        return "Solo_centres" if self.system.solo.centres is not None else f"(INT({total}/2)+1)"

    def solo_points(self, raw: str, seat: SeatCells, powers: int) -> str:
        """What a soloist gets: a number, or the formula times a factor, perhaps as if everyone had survived."""
        if self.solo_winner:
            return self.solo_winner
        dead = f'({powers}-COUNTIF({seat.board},">0"))'
        extra = [f"{part.names[0]}*{dead}" for part in self.parts if isinstance(part.part, Survivors)]
        full = added([raw, *extra]) if self.system.solo.everyone_survived else raw
        return f"{self.solo_factor}*({full})"

    def drawn_points(self, raw: str, all_raw: str, seat: SeatCells) -> str:
        """What the others get of a game without a solo."""
        score = raw if not self.pool else f"IF(SUM({all_raw})=0,0,{self.pool}*{raw}/SUM({all_raw}))"
        match self.system.eliminated.by:
            case Eliminated.FORMULA:
                return score
            case Eliminated.NOTHING:
                return f"IF({seat.centres}=0,0,{score})"
            case Eliminated.YEARLY:
                years = f'COUNTIF({seat.all_years[0]},">0")' if seat.all_years else "0"
                return f"IF({seat.centres}=0,{self.eliminated}*{years},{score})"
            case _:
                assert_never(self.system.eliminated.by)

    def counted(self, unrounded: str, *, ruling: str, instead_of: str, arrived: str) -> str:
        """What counts in the end: the director's ruling, nothing for a replaced seat, the late share, the rounding."""
        plain = rounded(unrounded, self.system.rounding)
        if self.late:
            late = rounded(f"{unrounded}*MAX(({self.late}-{arrived})/{self.late},0)", self.system.rounding)
            plain = f"IF(ISNUMBER({arrived}),{late},{plain})"
        if self.system.replacement is Replacement.NOBODY:
            plain = f'IF({instead_of}<>"",0,{plain})'
        ruled = rounded(ruling, self.system.rounding)
        return f"IF(ISNUMBER({ruling}),{ruled},{plain})"

    @property
    def voids(self) -> bool:
        """Whether an abandoned or conceded game is worth nothing."""
        return self.system.abandoned is Abandoned.ZERO

"""What one seat scores, as a formula: the building blocks, the tribute, the solo, the eliminated, the rounding."""

from fractions import Fraction
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from pipeline.scoring.parts import Part
from pipeline.scoring.results import Rounding, RoundingWay
from pipeline.scoring.seat_cells import SeatCells
from pipeline.scoring.system import Abandoned, Eliminated, PoolOf, Replacement, System
from pipeline.scoring.tribute import Due, Kept, Payers, Tribute
from pipeline.workbook import page as xl
from pipeline.workbook.seats import Config


def _enter_part(part: Part, config: Config, rule: str) -> None:
    """Enter the numbers of a building block, and of those inside it, under the names that its formula takes."""
    for key, value, label in part.numbers():
        if isinstance(value, Fraction):
            config.number(part.cell(key), value, label, rule)
        elif key == part.summed_key:
            config.running(part.cell(key), value, label, rule)
        else:
            config.numbers(part.cell(key), value, label, rule)
    for inner in part.inner:
        _enter_part(inner, config, rule)


# The tribute as formulas: what a seat pays to the top, and what its points are after that.

RULE = "scoring.tribute"


class TributeFormula(Struct, frozen=True):
    """A tribute whose numbers stand in named cells."""

    tribute: Tribute
    each: str
    above: str  # "" where it is not due above a number
    most: str  # "" where nothing limits it

    @classmethod
    def enter(cls, tribute: Tribute, config: Config) -> "TributeFormula":
        each = config.number("Tribute_each", tribute.each, f"Tribute: points a centre ({tribute.due})", RULE)
        above = most = ""
        if tribute.due is Due.ABOVE:
            above = config.number("Tribute_above", tribute.above, "Tribute: due above so many centres", RULE)
        if tribute.most is not None:
            most = config.number("Tribute_most", tribute.most, "Tribute: at most this part of one's points", RULE)
        return cls(tribute, each, above, most)

    def paid(self, raw: str, seat: SeatCells) -> str:
        """What one seat pays out of its points."""
        owed = f"{self.each}*{self.centres(seat)}"
        if self.most:
            limit = self.tribute.limit
            owed = f"MIN({owed},{self.most}*{limit.give_formula(seat) if limit else raw})"
        if self.tribute.payers is Payers.SURVIVORS:
            owed = f"IF({seat.in_draw},{owed},0)"
        return f"IF({seat.above}=0,0,{owed})"

    def centres(self, seat: SeatCells) -> str:
        match self.tribute.due:
            case Due.ABOVE:
                return f"MAX({seat.top}-{self.above},0)"
            case Due.LEAD:
                return f"({seat.top}-LARGE({seat.board},2))"
            case Due.BEHIND:
                return f"({seat.top}-{seat.centres})"
            case _:
                assert_never(self.tribute.due)

    def after_tribute(self, raw: str, paid: str, all_paid: str, seat: SeatCells) -> str:
        """The points after the tribute: the top's with its part of it, everybody else's without what was paid."""
        sharers = f"{seat.equal}^2" if self.tribute.shared is Kept.PART else seat.equal
        return f"IF({seat.above}=0,{raw}+SUM({all_paid})/{sharers},{raw}-{paid})"


SAME = 12  # decimals: equal scores that come from different boards are then the same binary number
SOLO = "scoring.solo"  # the setting


def rounding_formula(formula: str, rounding: Rounding) -> str:
    """Round as the rules say; to nine or ten decimals first, as a binary fraction may lie just below an exact half."""
    match rounding.how:
        case RoundingWay.NOT_AT_ALL:
            return f"ROUND({formula},{SAME})"
        case RoundingWay.HALF_UP:
            return f"ROUND(ROUND({formula},10),{rounding.decimals})"
        case RoundingWay.HALF_EVEN:
            units = f"ROUND({formula},10)*{10**rounding.decimals}"
            is_half = f"ABS(ABS({units}-TRUNC({units}))-0.5)<0.000001"
            return f"IF({is_half},2*ROUND({units}/2,0),ROUND({units},0))/{10**rounding.decimals}"
        case RoundingWay.TRUNCATE:
            return f"TRUNC(ROUND({formula},9),{rounding.decimals})"
        case _:
            assert_never(rounding.how)


class SystemFormula(Struct, frozen=True):
    """A scoring system whose numbers stand in named cells."""

    system: System
    tribute: TributeFormula | None
    solo_winner: str  # name, or "" where the formula says it
    solo_others: str  # name, or "" where blocks say it
    solo_factor: str
    pool: str
    eliminated: str
    late: str

    @classmethod
    def enter(cls, system: System, config: Config) -> "SystemFormula":
        config.section(f"Score of a game: {system.name}")
        for number, part in enumerate(system.parts):
            _enter_part(part, config, f"scoring.parts[{number}]")
        tribute = TributeFormula.enter(system.tribute, config) if system.tribute else None
        solo = system.solo
        if solo.centres is not None:
            config.number("Solo_centres", solo.centres, "Centres that win outright", SOLO)
        winner = "" if solo.winner is None else config.number("Solo_winner", solo.winner, "Points of a soloist", SOLO)
        factor = "" if winner else config.number("Solo_factor", solo.factor, "A soloist gets the formula times", SOLO)
        others = ""
        match solo.others:
            case None:
                others = config.number("Solo_others", solo.others_factor, "The others: the formula times", SOLO)
            case tuple() as parts:
                for part in parts:
                    _enter_part(part, config, SOLO)
            case points:
                others = config.number("Solo_others", points, "Points of the others after a solo", SOLO)
        pool = (
            ""
            if system.pool is None
            else config.number("Pool", system.pool, "Points shared out on a board", "scoring.pool")
        )
        if system.pool_each_year:
            config.number("Pool_each_year", system.pool_each_year, "and for each year played", "scoring.pool_each_year")
            config.number("Pool_after", system.pool_after, "after this one", "scoring.pool_after")
        yearly = system.eliminated.by is Eliminated.YEARLY
        each_year = system.eliminated.each_year
        dead = (
            config.number("Eliminated_each_year", each_year, "Eliminated: points for each year lived") if yearly else ""
        )
        if system.eliminated.most is not None:
            config.number("Eliminated_most", system.eliminated.most, "Eliminated: at most", "scoring.eliminated")
        late = (
            config.number("Late_seasons", system.late_seasons, "Late-comers: seasons", "scoring.late_seasons")
            if system.late_seasons
            else ""
        )
        return cls(system, tribute, winner, others, factor, pool, dead, late)

    def centres_needed(self, total: str) -> str:
        """The centres that win outright."""
        return "Solo_centres" if self.system.solo.centres is not None else f"(INT({total}/2)+1)"

    def solo_points(self, raw: str, seat: SeatCells) -> str:
        """What a soloist gets: a number, or the formula times a factor, perhaps as if everyone had survived."""
        if self.solo_winner:
            return self.solo_winner
        full = raw
        if self.system.solo.everyone_survived:
            everyone = replace(seat, everyone_survived=True)
            formulas = ((part.give_formula(seat), part.give_formula(everyone)) for part in self.system.parts)
            full = xl.sum_terms([raw, *(f"({new})-({old})" for old, new in formulas if new != old)])
        return f"{self.solo_factor}*({full})"

    def left_by_solo(self, raw: str, seat: SeatCells) -> str:
        """What the others get of a game that was won outright."""
        match self.system.solo.others:
            case None:
                return f"{self.solo_others}*({raw})"
            case tuple() as parts:
                return xl.sum_terms([part.give_formula(seat) for part in parts])
            case _:
                return self.solo_others

    def drawn_points(self, raw: str, all_raw: str, seat: SeatCells) -> str:
        """What everybody gets of a game without a solo."""
        summed = f"SUM({all_raw})"
        if self.system.pool_of is PoolOf.SURVIVORS:
            summed = f'SUMIF({seat.board},">0",{all_raw})'
        score = raw if not self.pool else f"IF({summed}=0,0,{self.share_pool(seat)}*{raw}/{summed})"
        match self.system.eliminated.by:
            case Eliminated.FORMULA:
                return score
            case Eliminated.NOTHING:
                return f"IF({seat.centres}=0,0,{score})"
            case Eliminated.YEARLY:
                years = f"({seat.years_lived}+1)" if self.system.eliminated.begun else seat.years_lived
                given = f"{self.eliminated}*{years}"
                most = self.system.eliminated.most
                given = given if most is None else f"MIN({given},Eliminated_most)"
                return f"IF({seat.centres}=0,{given},{score})"
            case _:
                assert_never(self.system.eliminated.by)

    def share_pool(self, seat: SeatCells) -> str:
        """The pool, which may grow with the years that were played."""
        if not self.system.pool_each_year:
            return self.pool
        return f"({self.pool}+Pool_each_year*MAX({seat.last_year}-Pool_after,0))"

    def counted_score(self, unrounded: str, *, ruling: str, instead_of: str, arrived: str) -> str:
        """What counts in the end: the director's ruling, nothing for a replaced seat, the late share, the rounding."""
        plain = rounding_formula(unrounded, self.system.rounding)
        if self.late:
            late = rounding_formula(f"{unrounded}*MAX(({self.late}-{arrived})/{self.late},0)", self.system.rounding)
            plain = f"IF(ISNUMBER({arrived}),{late},{plain})"
        if self.system.replacement is Replacement.NOBODY:
            plain = f'IF(AND({instead_of}<>"",{arrived}<>1),0,{plain})'
        ruled = rounding_formula(ruling, self.system.rounding)
        return f"IF(ISNUMBER({ruling}),{ruled},{plain})"

    @property
    def voids(self) -> bool:
        """Whether an abandoned or conceded game is worth nothing."""
        return self.system.abandoned is Abandoned.ZERO

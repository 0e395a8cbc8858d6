"""What one seat scores, as a formula: the building blocks, the tribute, the solo, the eliminated, the rounding."""

from dataclasses import dataclass
from typing import assert_never

from pipeline.scoring.games.parts import Survivors
from pipeline.scoring.games.system import Abandoned, Eliminated, PoolOf, Replacement, System
from pipeline.scoring.results.exact import Rounding, RoundingWay
from pipeline.workbook.games.part_formula import PartFormula, part_formula
from pipeline.workbook.games.seat_cells import SeatCells
from pipeline.workbook.games.tribute_formula import TributeFormula
from pipeline.workbook.inputs.config import Config
from pipeline.workbook.xlsx.formula import added

SAME = 12  # decimals: equal scores that come from different boards are then the same binary number
SOLO = "scoring.solo"  # the setting


def rounded(formula: str, rounding: Rounding) -> str:
    """Round as the rules say; ten decimals first, so that a binary fraction a hair below an exact half goes up too."""
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


@dataclass(frozen=True, slots=True)
class SystemFormula:
    """A scoring system whose numbers stand in named cells."""

    system: System
    parts: tuple[PartFormula, ...]
    tribute: TributeFormula | None
    solo_winner: str  # name, or "" where the formula says it
    solo_others: str
    others_parts: tuple[PartFormula, ...]  # what the others get beside it
    solo_factor: str
    pool: str
    eliminated: str
    late: str

    @classmethod
    def enter(cls, system: System, config: Config) -> "SystemFormula":
        """Enter a system's numbers into Config."""
        config.section(f"Score of a game: {system.name}")
        parts = tuple(part_formula(part, config, f"scoring.parts[{n}]") for n, part in enumerate(system.parts))
        tribute = TributeFormula.enter(system.tribute, parts, config) if system.tribute else None
        solo = system.solo
        if solo.centres is not None:
            config.number("Solo_centres", solo.centres, "Centres that win outright", SOLO)
        winner = "" if solo.winner is None else config.number("Solo_winner", solo.winner, "Points of a soloist", SOLO)
        factor = "" if winner else config.number("Solo_factor", solo.factor, "A soloist gets the formula times", SOLO)
        left = solo.others if solo.others_factor is None else solo.others_factor
        label = "Points of the others after a solo" if solo.others_factor is None else "The others: the formula times"
        others = config.number("Solo_others", left, label, SOLO)
        others_parts = tuple(part_formula(part, config, SOLO) for part in solo.others_parts)
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
        if system.eliminated.most is not None:
            config.number("Eliminated_most", system.eliminated.most, "Eliminated: at most", "scoring.eliminated")
        late = (
            config.number("Late_seasons", system.late.seasons, "Late-comers: seasons", "scoring.late_seasons")
            if system.late
            else ""
        )
        return cls(system, parts, tribute, winner, others, others_parts, factor, pool, dead, late)

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

    def left_by_solo(self, raw: str, seat: SeatCells) -> str:
        """What the others get of a game that was won outright."""
        if self.system.solo.others_factor is not None:
            return f"{self.solo_others}*({raw})"
        return added([self.solo_others, *(part.write(seat) for part in self.others_parts)])

    def drawn_points(self, raw: str, all_raw: str, seat: SeatCells) -> str:
        """What everybody gets of a game without a solo."""
        summed = f"SUM({all_raw})"
        if self.system.pool_of is PoolOf.SURVIVORS:
            summed = f'SUMIF({seat.board},">0",{all_raw})'
        score = raw if not self.pool else f"IF({summed}=0,0,{self.pool}*{raw}/{summed})"
        match self.system.eliminated.by:
            case Eliminated.FORMULA:
                return score
            case Eliminated.NOTHING:
                return f"IF({seat.centres}=0,0,{score})"
            case Eliminated.YEARLY:
                years = f"({seat.lived}+1)" if self.system.eliminated.begun else seat.lived
                given = f"{self.eliminated}*{years}"
                most = self.system.eliminated.most
                given = given if most is None else f"MIN({given},Eliminated_most)"
                return f"IF({seat.centres}=0,{given},{score})"
            case _:
                assert_never(self.system.eliminated.by)

    def counted(self, unrounded: str, *, ruling: str, instead_of: str, arrived: str) -> str:
        """What counts in the end: the director's ruling, nothing for a replaced seat, the late share, the rounding."""
        plain = rounded(unrounded, self.system.rounding)
        if self.late:
            late = rounded(f"{unrounded}*MAX(({self.late}-{arrived})/{self.late},0)", self.system.rounding)
            plain = f"IF(ISNUMBER({arrived}),{late},{plain})"
        if self.system.replacement is Replacement.NOBODY:
            plain = f'IF(AND({instead_of}<>"",{arrived}<>1),0,{plain})'
        ruled = rounded(ruling, self.system.rounding)
        return f"IF(ISNUMBER({ruling}),{ruled},{plain})"

    @property
    def voids(self) -> bool:
        """Whether an abandoned or conceded game is worth nothing."""
        return self.system.abandoned is Abandoned.ZERO

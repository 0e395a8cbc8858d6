"""What one seat scores, as a formula: the building blocks, the tribute, the solo, the eliminated, the rounding."""

from fractions import Fraction
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from pipeline.scoring.parts import Part
from pipeline.scoring.results import Rounding, RoundingWay
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.seat_cells import SeatCells
from pipeline.scoring.system import Abandoned, Eliminated, PoolOf, Replacement, System
from pipeline.scoring.tribute import Due, Kept, Payers, Tribute
from pipeline.words.speech import to_say, wording
from pipeline.workbook import page as xl
from pipeline.workbook.seats import Config


def _enter_part(part: Part, config: Config, rule: str) -> None:
    """Enter the numbers of a building block, and of those inside it, under the names that its formula takes."""
    says = config.page.speech.says
    block = part.name_in(config.page.speech)
    for key, value, what in part.numbers():
        named = says("Points: {block} ({what})", block=block, what=says(what)) if what else ""
        label = named or says("Points: {block}", block=block)
        if isinstance(value, Fraction):
            config.number(part.cell(key), value, label, rule)
        elif key == part.summed_key:
            config.running(part.cell(key), value, label, rule)
        else:
            config.numbers(part.cell(key), value, label, rule)
    for inner in part.inner:
        _enter_part(inner, config, rule)


# The tribute as formulas: what a seat pays to the top, and what its points are after that.


DUE = {
    Due.ABOVE: to_say("above a number"),
    Due.LEAD: to_say("between the top and the second"),
    Due.BEHIND: to_say("behind the top"),
}


class TributeFormula(Struct, frozen=True):
    """A tribute whose numbers stand in named cells."""

    tribute: Tribute
    each: str
    above: str  # "" where it is not due above a number
    most: str  # "" where nothing limits it

    @classmethod
    def enter(cls, tribute: Tribute, config: Config, path: str, mark: str) -> "TributeFormula":
        rule = f"{path}.tribute"
        each = config.number(
            f"Tribute_each{mark}",
            tribute.each,
            wording("Tribute: points a centre ({due})", due=wording(DUE[tribute.due])),
            rule,
        )
        above = most = ""
        if tribute.due is Due.ABOVE:
            above = config.number(
                f"Tribute_above{mark}", tribute.above, to_say("Tribute: due above so many centres"), rule
            )
        if tribute.most is not None:
            most = config.number(
                f"Tribute_most{mark}", tribute.most, to_say("Tribute: at most this part of one's points"), rule
            )
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
    mark: str = ""  # at the end of the names, where a final table or a pool has its own system

    @classmethod
    def enter(cls, system: System, config: Config) -> "SystemFormula":
        """Enter the numbers of the event's system."""
        config.section(config.page.speech.says("Score of a game: {system}", system=system.name))
        return cls._enter(system, config, "scoring", "")

    @classmethod
    def enter_all(cls, rules: ScoringRules, config: Config) -> "tuple[SystemFormula, ...]":
        """Enter the numbers of the event's system, and of those of its final table and its pools."""
        systems = [cls.enter(rules.system, config)]
        if rules.final and rules.final.system:
            says, of_final = config.page.speech.says, rules.final.system
            config.section(says("Score of the final table: {system}", system=of_final.name))
            systems.append(cls._enter(rules.final.system, config, "totals.final.scoring", "_in_final"))
        for number, pool in enumerate(rules.totals.pools):
            if pool.system:
                says, of_pool = config.page.speech.says, pool.system
                config.section(says("Score of a game in {pool}: {system}", pool=pool.name, system=of_pool.name))
                path = f"totals.pools[{number}].scoring"
                systems.append(cls._enter(pool.system, config, path, f"_in_pool_{number + 1}"))
        return tuple(systems)

    @classmethod
    def _enter(cls, system: System, config: Config, path: str, mark: str) -> "SystemFormula":
        """Enter the numbers; ``path`` is where the system stands in the rules file."""
        solo_path = f"{path}.solo"
        for number, part in enumerate(system.parts):
            _enter_part(part, config, f"{path}.parts[{number}]")
        tribute = TributeFormula.enter(system.tribute, config, path, mark) if system.tribute else None
        solo = system.solo
        if solo.centres is not None:
            config.number(f"Solo_centres{mark}", solo.centres, to_say("Centres that win outright"), solo_path)
        winner = factor = others = ""
        if solo.winner is None:
            label = to_say("A soloist gets the formula times")
            factor = config.number(f"Solo_factor{mark}", solo.factor, label, solo_path)
        else:
            winner = config.number(f"Solo_winner{mark}", solo.winner, to_say("Points of a soloist"), solo_path)
        match solo.others:
            case None:
                label = to_say("The others: the formula times")
                others = config.number(f"Solo_others{mark}", solo.others_factor, label, solo_path)
            case tuple() as parts:
                for part in parts:
                    _enter_part(part, config, solo_path)
            case points:
                label = to_say("Points of the others after a solo")
                others = config.number(f"Solo_others{mark}", points, label, solo_path)
        pool = (
            ""
            if system.pool is None
            else config.number(f"Pool{mark}", system.pool, to_say("Points shared out on a board"), f"{path}.pool")
        )
        if system.pool_each_year:
            label = to_say("and for each year played")
            config.number(f"Pool_each_year{mark}", system.pool_each_year, label, f"{path}.pool_each_year")
            config.number(f"Pool_after{mark}", system.pool_after, to_say("after this one"), f"{path}.pool_after")
        yearly = system.eliminated.by is Eliminated.YEARLY
        each_year = system.eliminated.each_year
        dead = (
            config.number(f"Eliminated_each_year{mark}", each_year, to_say("Eliminated: points for each year lived"))
            if yearly
            else ""
        )
        if system.eliminated.most is not None:
            config.number(
                f"Eliminated_most{mark}", system.eliminated.most, to_say("Eliminated: at most"), f"{path}.eliminated"
            )
        late = (
            config.number(
                f"Late_seasons{mark}", system.late_seasons, to_say("Late-comers: seasons"), "scoring.late_seasons"
            )
            if system.late_seasons
            else ""
        )
        return cls(system, tribute, winner, others, factor, pool, dead, late, mark)

    def centres_needed(self, total: str) -> str:
        """The centres that win outright."""
        return f"Solo_centres{self.mark}" if self.system.solo.centres is not None else f"(INT({total}/2)+1)"

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
                given = given if most is None else f"MIN({given},Eliminated_most{self.mark})"
                return f"IF({seat.centres}=0,{given},{score})"
            case _:
                assert_never(self.system.eliminated.by)

    def share_pool(self, seat: SeatCells) -> str:
        """The pool, which may grow with the years that were played."""
        if not self.system.pool_each_year:
            return self.pool
        return f"({self.pool}+Pool_each_year{self.mark}*MAX({seat.last_year}-Pool_after{self.mark},0))"

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

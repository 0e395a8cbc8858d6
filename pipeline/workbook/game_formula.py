"""What one seat scores, as a formula: the building blocks, the tribute, the solo, the eliminated, the rounding."""

from collections.abc import Sequence
from fractions import Fraction
from typing import assert_never

from msgspec import Struct

from pipeline.scoring import parts
from pipeline.scoring.results import Rounding, RoundingWay, StandBy
from pipeline.scoring.system import Abandoned, Eliminated, PoolOf, Replacement, System
from pipeline.workbook.page import sum_terms, unwritable
from pipeline.workbook.seats import Config

# The cells of one seat, and what formulas ask of them: its place in an order, the years it lived, the draw.

IN_DRAW, EACH_YEAR = 1000, 1000  # a key above every count of centres; years are divided by it, to weigh below a centre


class SeatCells(Struct, frozen=True):
    """The cells a seat's score is computed from, as the Games sheet names them."""

    centres: str  # own, at the end
    board: str  # the centres of the whole board
    total: str  # supply centres in play
    above: str  # powers with strictly more
    equal: str  # powers with as many
    years: tuple[tuple[int, str, str], ...]  # each year: the own cell, and the cells of the whole board
    powers: int  # how many the game has
    needed: str  # the centres that win outright
    left_out: tuple[str, str]  # what says that a survivor is not in the draw: the own cell, and those of the board

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

    def after_year(self, year: int) -> str:
        """The own centres after a year; those at the end where that year is not recorded."""
        for each, own, board in self.years:
            if each == year:
                return f"IF(COUNT({board})>0,N({own}),{self.centres})"
        return self.centres

    @property
    def last_year(self) -> str:
        """The last year that is recorded; 0 where none is."""
        if self.all_years is None:
            return "0"
        years = "{" + ",".join(str(year) for year, _, _ in self.years) + "}"
        return f'SUMPRODUCT(MAX(({self.all_years[1]}<>"")*{years}))'

    @property
    def years_lived(self) -> str:
        """Whole years lived: those ended with a centre, but for the game's last."""
        years = f'COUNTIF({self.all_years[0]},">0")' if self.all_years else "0"
        return f"MAX({years}-IF({self.centres}>0,1,0),0)"

    @property
    def in_draw(self) -> str:
        """Whether the power shares the draw."""
        return f'AND(MAX({self.board})<{self.needed},{self.centres}>0,{self.left_out[0]}="")'

    @property
    def sharing(self) -> str:
        """How many share the draw, where somebody does."""
        return f'SUMPRODUCT(({self.board}>0)*({self.left_out[1]}=""))'

    def places(self, order: StandBy) -> tuple[str, str]:
        """The powers that stand above in an order, and those that are level, the own one included."""
        match order:
            case StandBy.CENTRES:
                return self.above, self.equal
            case StandBy.ELIMINATION:
                own, others = self.by_elimination(self.centres), self.by_elimination(self.board)
            case StandBy.DRAW:
                own, others = self.by_draw(self.centres, self.left_out[0]), self.by_draw(self.board, self.left_out[1])
            case StandBy.EARLIER_YEARS:
                own, others = "0", self.compared_by_years
            case _:
                assert_never(order)
        return f"SUMPRODUCT(({others}>{own})*1)", f"SUMPRODUCT(({others}={own})*1)"

    def by_elimination(self, centres: str) -> str:
        """A key that is higher for more centres, and among the eliminated for more years; of one seat or of all."""
        return f"(ROUND({centres}+({centres}=0)*{self.years_with_centre(centres)}/{EACH_YEAR},6))"

    def by_draw(self, centres: str, left_out: str) -> str:
        """The same key, with all who are in the draw level at the top."""
        shares = f'(MAX({self.board})<{self.needed})*({centres}>0)*({left_out}="")'
        return f"(({shares})*{IN_DRAW}+(1-{shares})*{self.by_elimination(centres)})"

    def years_with_centre(self, centres: str) -> str:
        """How many years ended with a centre: a number for one seat, a column of them for the board."""
        if self.all_years is None:
            return "0"
        own, board = self.all_years
        if centres == self.centres:
            return f'COUNTIF({own},">0")'
        return f"MMULT(({board}>0)*1,{_column([1] * len(self.years))})"

    @property
    def compared_by_years(self) -> str:
        """For each power of the board a number above 0 where it stands higher: the last year that differs decides."""
        at_end = f"SIGN({self.board}-{self.centres})"
        if self.all_years is None:
            return at_end
        own, board = self.all_years
        weights = _column([2**n for n in range(len(self.years))])
        return f"({at_end}*{2 ** len(self.years)}+MMULT(SIGN({board}-{own}),{weights}))"


def _column(numbers: list[int]) -> str:
    """Write numbers below one another.

    >>> _column([1, 2, 4])
    '{1;2;4}'
    """
    return "{" + ";".join(map(str, numbers)) + "}"


def span(first: str, last: str) -> str:
    """Join two areas into the one that reaches from the first to the last.

    >>> span("Results!$G5:$G11", "Results!$N5:$N11"), span("$G5", "$N5")
    ('Results!$G5:$N11', '$G5:$N5')
    """
    return f"{first.partition(':')[0]}:{last.rpartition(':')[2].rpartition('!')[2]}"


# What one building block gives a seat, as a formula, with its numbers in named cells of Config.

POWERS_OF_C = ("1", "c", "c²", "c³", "c⁴", "c⁵", "c⁶")


class PartFormula(Struct, frozen=True):
    """A building block whose numbers stand in named cells."""

    part: parts.Part
    names: tuple[str, ...]
    inner: "tuple[PartFormula, ...]" = ()  # the blocks that it is made of

    def write(self, seat: SeatCells) -> str:
        """Write the block's points for one seat."""
        match self.part:
            case parts.Only():
                return f"IF({_is_for(self.part.to, seat)},{self.inner[0].write(seat)},0)"
            case parts.Largest():
                return f"MAX({','.join(part.write(seat) for part in self.inner)})"
            case parts.Places():
                return _place_bonus(self.part, self.names, seat)
            case parts.Top() | parts.NearTop() | parts.FromTop():
                return _of_top(self.part, self.names, seat)
            case (
                parts.CentreTable()
                | parts.Years()
                | parts.Pot()
                | parts.DrawSize()
                | parts.BeatenPowers()
                | parts.Margins()
            ):
                return _of_count(self.part, self.names, seat)
            case _:
                return _of_centres(self.part, self.names, seat)


def _part_formula(part: parts.Part, config: Config, rule: str) -> PartFormula:
    """Enter a building block's numbers into Config; returns what writes its formula for each seat."""
    name, label = f"Score_{part.name.replace(' ', '_').replace('-', '_')}", f"Points: {part.name}"
    match part:
        case parts.Only():
            return PartFormula(part, (), (_part_formula(part.part, config, rule),))
        case parts.Largest():
            return PartFormula(part, (), tuple(_part_formula(each, config, rule) for each in part.parts))
        case parts.Polynomial():
            labels = [f"{label}, of {POWERS_OF_C[n]}" for n in range(len(part.coefficients))]
            names = tuple(
                config.number(f"{name}_{n}", factor, labels[n], rule) for n, factor in enumerate(part.coefficients)
            )
            return PartFormula(part, names)
        case parts.Places():
            return PartFormula(part, _enter_places(part, config, name, label, rule))
        case parts.Survival() | parts.SurvivalUntil():
            return PartFormula(part, (config.number(name, part.award, label, rule),))
        case _:
            return PartFormula(part, _enter_numbers(part, config, (name, label, rule)))


def _enter_numbers(part: parts.Part, config: Config, named: tuple[str, str, str]) -> tuple[str, ...]:
    """Enter the numbers and lists of a block; ``named`` is its name, its label and its rule."""
    name, label, rule = named
    match part:
        case parts.CentreTable():
            listed = config.numbers(name, part.list, f"{label}, of 0, 1, 2, ... centres", rule)
            return listed, config.number(f"{name}_beyond", part.beyond, f"{label}, each centre beyond", rule)
        case parts.Pot():
            return (config.number(name, part.pot, label, rule),)
        case parts.DrawSize():
            return (config.numbers(name, part.sizes, f"{label}, for each of one, two, ...", rule),)
        case parts.Top():
            return (config.numbers(name, part.bonuses, f"{label}, alone, shared by 2, ...", rule),)
        case parts.NearTop():
            shares = config.numbers(f"{name}_shares", part.shares, f"{label}, shares at the top, 1 below, ...", rule)
            return config.number(name, part.pot, f"{label}, shared out", rule), shares
        case parts.FromTop():
            ahead = config.numbers(f"{name}_ahead", part.ahead, f"{label}, 0, 1, 2, ... ahead", rule)
            behind = part.behind or (Fraction(),)
            return ahead, config.numbers(f"{name}_behind", behind, f"{label}, 1, 2, ... behind", rule)
        case (
            parts.Centres()
            | parts.Flat()
            | parts.Survivors()
            | parts.BeatenCentres()
            | parts.NeutralCentres()
            | parts.Lead()
            | parts.Years()
        ) as counted:
            return (config.number(name, counted.each, label, rule),)
        case parts.BeatenPowers() | parts.Margins():
            return (config.number(name, part.each, label, rule),)
        case _:
            raise unwritable(f"no formula for the building block {part.name!r}")


def _enter_places(part: parts.Places, config: Config, name: str, label: str, rule: str) -> tuple[str, ...]:
    """Enter the bonuses of the places, and those for pairs and groups who share one where there are any."""
    if part.shared is parts.Shared.AVERAGE:
        alone = config.running(name, part.bonuses, label, rule)
    else:
        alone = config.numbers(name, part.bonuses, label, rule)
    pairs = config.numbers(f"{name}_pairs", part.pairs, f"{label}, two who share", rule) if part.pairs else ""
    groups = config.numbers(f"{name}_groups", part.groups, f"{label}, more who share", rule) if part.groups else ""
    return alone, pairs, groups


def _is_for(to: parts.To, seat: SeatCells) -> str:
    """Whether a block that is kept for some is for this seat."""
    match to:
        case parts.To.EVERYBODY:
            return "TRUE"
        case parts.To.SURVIVORS:
            return f"{seat.centres}>0"
        case parts.To.ELIMINATED:
            return f"{seat.centres}=0"
        case parts.To.LEADERS:
            return f"{seat.above}=0"
        case parts.To.SOLE_LEADER:
            return f"AND({seat.above}=0,{seat.equal}=1)"
        case _:
            assert_never(to)


def _of_centres(part: parts.Part, names: tuple[str, ...], seat: SeatCells) -> str:
    """The blocks that count centres, own and others', and survival."""
    [name, *_] = names
    match part:
        case parts.Centres():
            owned = seat.after_year(part.year) if part.year is not None else seat.centres
            return f"{name}*{owned}" if not part.above else f"{name}*MAX({owned}-{part.above},0)"
        case parts.Polynomial():
            return sum_terms([_term(factor, seat.centres, n) for n, factor in enumerate(names)])
        case parts.Flat():
            return name
        case parts.Survivors():
            return f'{name}*COUNTIF({seat.board},">0")'
        case parts.Survival():
            return f"IF({seat.centres}>0,{name},0)"
        case parts.SurvivalUntil():
            return f"IF({_lived_until(part, seat)},{name},0)"
        case parts.BeatenCentres():
            return f'{name}*SUMIF({seat.board},"<"&{seat.centres})'
        case parts.NeutralCentres():
            return f"{name}*({seat.total}-SUM({seat.board}))"
        case parts.Lead():
            return f"{name}*IF({seat.above}=0,{seat.centres}-LARGE({seat.board},2),0)"
        case _:
            raise unwritable(f"no formula for the building block {part.name!r}")


def _of_count(
    part: parts.CentreTable | parts.Years | parts.Pot | parts.DrawSize | parts.BeatenPowers | parts.Margins,
    names: tuple[str, ...],
    seat: SeatCells,
) -> str:
    """The blocks that look at the own count, the years, and those left behind."""
    [name, *more] = names
    own = seat.centres
    match part:
        case parts.CentreTable():
            last = len(part.list) - 1
            return f"INDEX({name},1,MIN({own},{last})+1)+{more[0]}*MAX({own}-{last},0)"
        case parts.Years():
            years = f"({seat.years_lived}+{int(part.begun)})"
            return f"{name}*{years}" if part.most is None else f"{name}*MIN({years},{part.most})"
        case parts.Pot():
            return f"IF({seat.in_draw},{name}/{seat.sharing},0)"
        case parts.DrawSize():
            sizes = len(part.sizes)
            points = f"INDEX({name},1,MIN({seat.sharing},{sizes}))"
            return f"IF(AND({seat.in_draw},{seat.sharing}<={sizes}),{points},0)"
        case parts.BeatenPowers():
            above, equal = seat.places(part.order)
            return f"{name}*({seat.powers}-{above}-{equal})"
        case parts.Margins():
            lower = f'"<"&{own}'
            return f"{name}*({own}*COUNTIF({seat.board},{lower})-SUMIF({seat.board},{lower}))"
        case _:
            assert_never(part)


def _of_top(part: parts.Top | parts.NearTop | parts.FromTop, names: tuple[str, ...], seat: SeatCells) -> str:
    """The blocks that look at the highest count on the board."""
    top, own = f"MAX({seat.board})", seat.centres
    match part:
        case parts.Top():
            listed = len(part.bonuses)
            bonus = f"INDEX({names[0]},1,MIN({seat.equal},{listed}))"
            return f"IF(AND({seat.above}=0,{seat.equal}<={listed}),{bonus},0)"
        case parts.NearTop():
            pot, shares = names
            steps = range(1, len(part.shares) + 1)
            all_shares = sum_terms([f"INDEX({shares},1,{n})*COUNTIF({seat.board},{top}-{n - 1})" for n in steps])
            share = f"INDEX({shares},1,MIN({top}-{own},{len(part.shares) - 1})+1)"
            return f"IF({top}-{own}<{len(part.shares)},{pot}*{share}/({all_shares}),0)"
        case parts.FromTop():
            ahead, behind = names
            lead = f"{own}-LARGE({seat.board},2)"
            leads = f"INDEX({ahead},1,MIN({lead},{len(part.ahead) - 1})+1)"
            trails = f"INDEX({behind},1,MIN({top}-{own},{max(len(part.behind), 1)}))"
            return f"IF({seat.above}=0,{leads},IF({top}-{own}<={len(part.behind)},{trails},0))"
        case _:
            assert_never(part)


def _term(factor: str, centres: str, power: int) -> str:
    return factor if power == 0 else f"{factor}*{centres}" if power == 1 else f"{factor}*{centres}^{power}"


def _place_bonus(part: parts.Places, names: tuple[str, ...], seat: SeatCells) -> str:
    """Equal powers average the bonuses of the places they span, or take the lowest of them, or get what is named."""
    name, pairs, groups = names
    above, equal = seat.places(part.order)
    lowest = f"{above}+{equal}"
    match part.shared:
        case parts.Shared.AVERAGE:
            upto = f"INDEX({name},1,{lowest}+1)"
            bonus = f"({upto}-INDEX({name},1,{above}+1))/{equal}"
        case parts.Shared.LOWER:
            bonus = f"IF({lowest}<={len(part.bonuses)},INDEX({name},1,{lowest}),0)"
        case _:
            assert_never(part.shared)
    if pairs:
        bonus = f"IF({equal}=2,{_place_bonus_formula(pairs, lowest, len(part.pairs))},{bonus})"
    if groups:
        bonus = f"IF({equal}>2,{_place_bonus_formula(groups, lowest, len(part.groups))},{bonus})"
    return bonus


def _place_bonus_formula(name: str, place: str, length: int) -> str:
    """The bonus of a place in a list, nothing below it."""
    return f"IF({place}<={length},INDEX({name},1,{place}),0)"


def _lived_until(part: parts.SurvivalUntil, seat: SeatCells) -> str:
    """Whether a power owned a centre after a year; where the year is not recorded, what the rules say of that."""
    alive = f"{seat.centres}>0"
    if seat.all_years is None:
        return alive
    unreached = alive if part.unreached is parts.Unreached.SURVIVORS else "FALSE"
    test = f"IF(COUNT({seat.all_years[1]})>0,{unreached},{alive})"
    if later := seat.later(part.year):
        test = f"IF(COUNT({later[1]})>0,OR({alive},SUM({later[0]})>0),{test})"
    for year, own, board in seat.years:
        if year == part.year:
            test = f"IF(COUNT({board})>0,N({own})>0,{test})"
    return test


# The tribute as formulas: what a seat pays to the top, and what its points are after that.

RULE = "scoring.tribute"


class TributeFormula(Struct, frozen=True):
    """A tribute whose numbers stand in named cells."""

    tribute: parts.Tribute
    each: str
    above: str  # "" where it is not due above a number
    most: str  # "" where nothing limits it
    most_of: PartFormula | None  # the block that is limited by; None: all of one's points

    @classmethod
    def enter(cls, tribute: parts.Tribute, formulas: Sequence[PartFormula], config: Config) -> "TributeFormula":
        each = config.number("Tribute_each", tribute.each, f"Tribute: points a centre ({tribute.due})", RULE)
        above = most = ""
        if tribute.due is parts.Due.ABOVE:
            above = config.number("Tribute_above", tribute.above, "Tribute: due above so many centres", RULE)
        if tribute.most is not None:
            most = config.number("Tribute_most", tribute.most, "Tribute: at most this part of one's points", RULE)
        of = next((each for each in formulas if each.part is tribute.most_of), None)
        return cls(tribute, each, above, most, of)

    def paid(self, raw: str, seat: SeatCells) -> str:
        """What one seat pays out of its points."""
        owed = f"{self.each}*{self.centres(seat)}"
        if self.most:
            owed = f"MIN({owed},{self.most}*{self.most_of.write(seat) if self.most_of else raw})"
        if self.tribute.payers is parts.Payers.SURVIVORS:
            owed = f"IF({seat.in_draw},{owed},0)"
        return f"IF({seat.above}=0,0,{owed})"

    def centres(self, seat: SeatCells) -> str:
        top = f"MAX({seat.board})"
        match self.tribute.due:
            case parts.Due.ABOVE:
                return f"MAX({top}-{self.above},0)"
            case parts.Due.LEAD:
                return f"({top}-LARGE({seat.board},2))"
            case parts.Due.BEHIND:
                return f"({top}-{seat.centres})"
            case _:
                assert_never(self.tribute.due)

    def after_tribute(self, raw: str, paid: str, all_paid: str, seat: SeatCells) -> str:
        """The points after the tribute: the top's with its part of it, everybody else's without what was paid."""
        sharers = f"{seat.equal}^2" if self.tribute.shared is parts.Kept.PART else seat.equal
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
        config.section(f"Score of a game: {system.name}")
        parts = tuple(_part_formula(part, config, f"scoring.parts[{n}]") for n, part in enumerate(system.parts))
        tribute = TributeFormula.enter(system.tribute, parts, config) if system.tribute else None
        solo = system.solo
        if solo.centres is not None:
            config.number("Solo_centres", solo.centres, "Centres that win outright", SOLO)
        winner = "" if solo.winner is None else config.number("Solo_winner", solo.winner, "Points of a soloist", SOLO)
        factor = "" if winner else config.number("Solo_factor", solo.factor, "A soloist gets the formula times", SOLO)
        left = solo.others if solo.others_factor is None else solo.others_factor
        label = "Points of the others after a solo" if solo.others_factor is None else "The others: the formula times"
        others = config.number("Solo_others", left, label, SOLO)
        others_parts = tuple(_part_formula(part, config, SOLO) for part in solo.others_parts)
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
            config.number("Late_seasons", system.late.seasons, "Late-comers: seasons", "scoring.late_seasons")
            if system.late
            else ""
        )
        return cls(system, parts, tribute, winner, others, others_parts, factor, pool, dead, late)

    def centres_needed(self, total: str) -> str:
        """The centres that win outright."""
        return "Solo_centres" if self.system.solo.centres is not None else f"(INT({total}/2)+1)"

    def solo_points(self, raw: str, seat: SeatCells, powers: int) -> str:
        """What a soloist gets: a number, or the formula times a factor, perhaps as if everyone had survived."""
        if self.solo_winner:
            return self.solo_winner
        dead = f'({powers}-COUNTIF({seat.board},">0"))'
        extra = [f"{part.names[0]}*{dead}" for part in self.parts if isinstance(part.part, parts.Survivors)]
        full = sum_terms([raw, *extra]) if self.system.solo.everyone_survived else raw
        return f"{self.solo_factor}*({full})"

    def left_by_solo(self, raw: str, seat: SeatCells) -> str:
        """What the others get of a game that was won outright."""
        if self.system.solo.others_factor is not None:
            return f"{self.solo_others}*({raw})"
        return sum_terms([self.solo_others, *(part.write(seat) for part in self.others_parts)])

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

"""What one building block gives a seat, as a formula, with its numbers in named cells of Config."""

from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from pipeline.scoring.games.combined_parts import Largest, Only, To
from pipeline.scoring.games.parts import (
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
from pipeline.scoring.games.parts_by_count import BeatenPowers, CentreTable, DrawSize, Margins, Pot, Years
from pipeline.scoring.games.parts_of_top import FromTop, NearTop, Top
from pipeline.workbook.games.seat_cells import SeatCells
from pipeline.workbook.inputs.config import Config
from pipeline.workbook.xlsx.formula import added, unwritable

POWERS_OF_C = ("1", "c", "c²", "c³", "c⁴", "c⁵", "c⁶")


def name_of(part: Part) -> str:
    """The named cell of a building block's number."""
    return f"Score_{part.name.replace(' ', '_').replace('-', '_')}"


@dataclass(frozen=True, slots=True)
class PartFormula:
    """A building block whose numbers stand in named cells."""

    part: Part
    names: tuple[str, ...]
    inner: "tuple[PartFormula, ...]" = ()  # the blocks that it is made of

    def write(self, seat: SeatCells) -> str:
        """Write the block's points for one seat."""
        match self.part:
            case Only():
                return f"IF({is_for(self.part.to, seat)},{self.inner[0].write(seat)},0)"
            case Largest():
                return f"MAX({','.join(part.write(seat) for part in self.inner)})"
            case Places():
                return place_bonus(self.part, self.names, seat)
            case Top() | NearTop() | FromTop():
                return of_top(self.part, self.names, seat)
            case CentreTable() | Years() | Pot() | DrawSize() | BeatenPowers() | Margins():
                return of_count(self.part, self.names, seat)
            case _:
                return of_centres(self.part, self.names, seat)


def part_formula(part: Part, config: Config, rule: str) -> PartFormula:
    """Enter a building block's numbers into Config once; gives what writes it for each seat."""
    name, label = name_of(part), f"Points: {part.name}"
    match part:
        case Only():
            return PartFormula(part, (), (part_formula(part.part, config, rule),))
        case Largest():
            return PartFormula(part, (), tuple(part_formula(each, config, rule) for each in part.parts))
        case Polynomial():
            labels = [f"{label}, of {POWERS_OF_C[n]}" for n in range(len(part.coefficients))]
            names = tuple(
                config.number(f"{name}_{n}", factor, labels[n], rule) for n, factor in enumerate(part.coefficients)
            )
            return PartFormula(part, names)
        case Places():
            return PartFormula(part, enter_places(part, config, name, label, rule))
        case Survival() | SurvivalUntil():
            return PartFormula(part, (config.number(name, part.award, label, rule),))
        case _:
            return PartFormula(part, enter_numbers(part, config, (name, label, rule)))


def enter_numbers(part: Part, config: Config, named: tuple[str, str, str]) -> tuple[str, ...]:
    """Enter the numbers and lists of a block; ``named`` is its name, its label and its rule."""
    name, label, rule = named
    match part:
        case CentreTable():
            listed = config.numbers(name, part.list, f"{label}, of 0, 1, 2, ... centres", rule)
            return listed, config.number(f"{name}_beyond", part.beyond, f"{label}, each centre beyond", rule)
        case Pot():
            return (config.number(name, part.pot, label, rule),)
        case DrawSize():
            return (config.numbers(name, part.sizes, f"{label}, for each of one, two, ...", rule),)
        case Top():
            return (config.numbers(name, part.bonuses, f"{label}, alone, shared by 2, ...", rule),)
        case NearTop():
            shares = config.numbers(f"{name}_shares", part.shares, f"{label}, shares at the top, 1 below, ...", rule)
            return config.number(name, part.pot, f"{label}, shared out", rule), shares
        case FromTop():
            ahead = config.numbers(f"{name}_ahead", part.ahead, f"{label}, 0, 1, 2, ... ahead", rule)
            behind = part.behind or (Fraction(),)
            return ahead, config.numbers(f"{name}_behind", behind, f"{label}, 1, 2, ... behind", rule)
        case (Centres() | Flat() | Survivors() | BeatenCentres() | NeutralCentres() | Lead() | Years()) as counted:
            return (config.number(name, counted.each, label, rule),)
        case BeatenPowers() | Margins():
            return (config.number(name, part.each, label, rule),)
        case _:
            raise unwritable(f"no formula for the building block {part.name!r}")


def enter_places(part: Places, config: Config, name: str, label: str, rule: str) -> tuple[str, ...]:
    """Enter the bonuses of the places, and those for pairs and groups who share one where there are any."""
    if part.shared is Shared.AVERAGE:
        alone = config.running(name, part.bonuses, label, rule)
    else:
        alone = config.numbers(name, part.bonuses, label, rule)
    pairs = config.numbers(f"{name}_pairs", part.pairs, f"{label}, two who share", rule) if part.pairs else ""
    groups = config.numbers(f"{name}_groups", part.groups, f"{label}, more who share", rule) if part.groups else ""
    return alone, pairs, groups


def is_for(to: To, seat: SeatCells) -> str:
    """Whether a block that is kept for some is for this seat."""
    match to:
        case To.EVERYBODY:
            return "TRUE"
        case To.SURVIVORS:
            return f"{seat.centres}>0"
        case To.ELIMINATED:
            return f"{seat.centres}=0"
        case To.LEADERS:
            return f"{seat.above}=0"
        case To.SOLE_LEADER:
            return f"AND({seat.above}=0,{seat.equal}=1)"
        case _:
            assert_never(to)


def of_centres(part: Part, names: tuple[str, ...], seat: SeatCells) -> str:
    """The blocks that count centres, own and others', and survival."""
    [name, *_] = names
    match part:
        case Centres():
            return f"{name}*{seat.centres}" if not part.above else f"{name}*MAX({seat.centres}-{part.above},0)"
        case Polynomial():
            return added([term(factor, seat.centres, n) for n, factor in enumerate(names)])
        case Flat():
            return name
        case Survivors():
            return f'{name}*COUNTIF({seat.board},">0")'
        case Survival():
            return f"IF({seat.centres}>0,{name},0)"
        case SurvivalUntil():
            return f"IF({lived_until(part, seat)},{name},0)"
        case BeatenCentres():
            return f'{name}*SUMIF({seat.board},"<"&{seat.centres})'
        case NeutralCentres():
            return f"{name}*({seat.total}-SUM({seat.board}))"
        case Lead():
            return f"{name}*IF({seat.above}=0,{seat.centres}-LARGE({seat.board},2),0)"
        case _:
            raise unwritable(f"no formula for the building block {part.name!r}")


def of_count(
    part: CentreTable | Years | Pot | DrawSize | BeatenPowers | Margins, names: tuple[str, ...], seat: SeatCells
) -> str:
    """The blocks that look at the own count, the years, and those left behind."""
    [name, *more] = names
    own = seat.centres
    match part:
        case CentreTable():
            last = len(part.list) - 1
            return f"INDEX({name},1,MIN({own},{last})+1)+{more[0]}*MAX({own}-{last},0)"
        case Years():
            years = f"({seat.lived}+{int(part.begun)})"
            return f"{name}*{years}" if part.most is None else f"{name}*MIN({years},{part.most})"
        case Pot():
            return f"IF({seat.in_draw},{name}/{seat.sharing},0)"
        case DrawSize():
            sizes = len(part.sizes)
            points = f"INDEX({name},1,MIN({seat.sharing},{sizes}))"
            return f"IF(AND({seat.in_draw},{seat.sharing}<={sizes}),{points},0)"
        case BeatenPowers():
            above, equal = seat.places(part.order)
            return f"{name}*({seat.powers}-{above}-{equal})"
        case Margins():
            lower = f'"<"&{own}'
            return f"{name}*({own}*COUNTIF({seat.board},{lower})-SUMIF({seat.board},{lower}))"
        case _:
            assert_never(part)


def of_top(part: Top | NearTop | FromTop, names: tuple[str, ...], seat: SeatCells) -> str:
    """The blocks that look at the highest count on the board."""
    top, own = f"MAX({seat.board})", seat.centres
    match part:
        case Top():
            listed = len(part.bonuses)
            bonus = f"INDEX({names[0]},1,MIN({seat.equal},{listed}))"
            return f"IF(AND({seat.above}=0,{seat.equal}<={listed}),{bonus},0)"
        case NearTop():
            pot, shares = names
            steps = range(1, len(part.shares) + 1)
            all_shares = added([f"INDEX({shares},1,{n})*COUNTIF({seat.board},{top}-{n - 1})" for n in steps])
            share = f"INDEX({shares},1,MIN({top}-{own},{len(part.shares) - 1})+1)"
            return f"IF({top}-{own}<{len(part.shares)},{pot}*{share}/({all_shares}),0)"
        case FromTop():
            ahead, behind = names
            lead = f"{own}-LARGE({seat.board},2)"
            leads = f"INDEX({ahead},1,MIN({lead},{len(part.ahead) - 1})+1)"
            trails = f"INDEX({behind},1,MIN({top}-{own},{max(len(part.behind), 1)}))"
            return f"IF({seat.above}=0,{leads},IF({top}-{own}<={len(part.behind)},{trails},0))"
        case _:
            assert_never(part)


def term(factor: str, centres: str, power: int) -> str:
    """One term of a polynomial."""
    return factor if power == 0 else f"{factor}*{centres}" if power == 1 else f"{factor}*{centres}^{power}"


def place_bonus(part: Places, names: tuple[str, ...], seat: SeatCells) -> str:
    """Equal powers average the bonuses of the places they span, or take the lowest of them, or get what is named."""
    name, pairs, groups = names
    above, equal = seat.places(part.order)
    lowest = f"{above}+{equal}"
    match part.shared:
        case Shared.AVERAGE:
            upto = f"INDEX({name},{lowest}+1)"
            bonus = f"({upto}-INDEX({name},{above}+1))/{equal}"
        case Shared.LOWER:
            bonus = f"IF({lowest}<={len(part.bonuses)},INDEX({name},{lowest}),0)"
        case _:
            assert_never(part.shared)
    if pairs:
        bonus = f"IF({equal}=2,{listed(pairs, lowest, len(part.pairs))},{bonus})"
    if groups:
        bonus = f"IF({equal}>2,{listed(groups, lowest, len(part.groups))},{bonus})"
    return bonus


def listed(name: str, place: str, length: int) -> str:
    """The bonus of a place in a list, nothing below it."""
    return f"IF({place}<={length},INDEX({name},1,{place}),0)"


def lived_until(part: SurvivalUntil, seat: SeatCells) -> str:
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

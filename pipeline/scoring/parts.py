"""The building blocks of a scoring system: each gives every power of one board some points.

block (in a rules file)   gives
centres                   points for each centre owned, at the end or after a year
table                     points by centre count, from a list
polynomial                a + b·c + d·c² ... of the centres: sum-of-squares systems
flat                      the same to everybody
survivors                 points for each power still alive, to everybody
survival                  points for owning a centre at the end
survival until            points for owning a centre after the Fall of a year
years                     points for each year lived
pot                       points that all who are in the draw share
draw                      points by how many are in the draw
beaten centres            points for each centre of the powers with strictly fewer
beaten powers             points for each power that stands strictly lower
margins                   points for each centre more than each power below has
neutral centres           points for each centre nobody owns
lead                      the sole leader's margin over the second
top                       points by how many share the highest count
near top                  a pot shared by those at the top and a few centres below
distance                  points by the centres ahead of, or behind, the best of the others
places                    bonuses by rank; equal powers average them, or take the lower place
largest                   the largest of what several blocks would give

A block is one class here, and nothing else: its fields are the keys of its table in a rules file, `points` is its exact
score, `formula` the same for Excel. `faults` says what its fields cannot be together; `year_column`, `order` and
`looks_at_draw` what it asks of a board beside the counts at the end. Every block may be kept for some powers (``to``).
"""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, assert_never

from msgspec import Struct, field
from msgspec.structs import fields, replace

from pipeline.board import Power
from pipeline.scoring.numbers import Derived, Needed, NoLess, Points, Range, Some
from pipeline.scoring.results import CentreCount, Counts, StandBy, YearNumber, sum_points
from pipeline.scoring.seat_cells import SeatCells
from pipeline.words.speech import Speech, to_say

ONE = Fraction(1)


class To(StrEnum):
    """Whom a building block is kept for."""

    EVERYBODY = "everybody"
    SURVIVORS = "survivors"  # who owns a centre at the end
    ELIMINATED = "eliminated"  # who does not
    LEADERS = "leaders"  # who has the most centres, alone or not
    SOLE_LEADER = "sole leader"  # who has more centres than everybody else

    def has(self, counts: Counts, power: Power) -> bool:
        owned = counts.centres[power]
        match self:
            case To.EVERYBODY:
                return True
            case To.SURVIVORS:
                return owned > 0
            case To.ELIMINATED:
                return owned == 0
            case To.LEADERS:
                return owned == counts.top
            case To.SOLE_LEADER:
                return owned == counts.top and counts.toppers == 1
            case _:
                assert_never(self)

    def formula(self, seat: SeatCells) -> str:
        """Whether a seat is among them."""
        match self:
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
                assert_never(self)


MAIN = ("each", "points")  # keys of the number that a block is about: its cell has the name of the block


class Part(Struct, frozen=True, kw_only=True, tag_field="give"):
    """One building block (Whipping: 2 points a centre, kept for the sole leader)."""

    to: To = To.EVERYBODY
    name: Annotated[str, Derived()] = ""  # what the workbook and the explanation call it; no other block is called so

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The exact points of a power."""
        raise NotImplementedError

    def formula(self, seat: SeatCells) -> str:
        """The same points of a seat for Excel; `cell` names the cells of the block's own numbers."""
        raise NotImplementedError

    def faults(self) -> Iterator[tuple[str, str]]:
        """What cannot be of its fields together: the key, and what to write."""
        yield from ()

    @property
    def summed_key(self) -> str:
        """The key of a list whose running sums, in the cells ``…_sums``, the formula takes."""
        return ""

    @property
    def inner(self) -> tuple["Part", ...]:
        """The blocks that it is made of."""
        return ()

    @property
    def year_column(self) -> int | None:
        """The year whose counts it needs."""
        return None

    @property
    def order(self) -> StandBy:
        """What it ranks the powers by."""
        return StandBy.CENTRES

    @property
    def counts_years(self) -> bool:
        """Whether it needs to know how many years a power lived."""
        return False

    @property
    def looks_at_draw(self) -> bool:
        return self.order is StandBy.DRAW

    def give(self, counts: Counts, power: Power) -> Fraction:
        """The points of a power: none where the block is kept for others."""
        return self.points(counts, power) if self.to.has(counts, power) else Fraction()

    def give_formula(self, seat: SeatCells) -> str:
        """The same for Excel."""
        formula = self.formula(seat)
        return formula if self.to is To.EVERYBODY else f"IF({self.to.formula(seat)},{formula},0)"

    def cell(self, key: str) -> str:
        """The name of the cells that hold a number or a list of the block."""
        word = self.name if key in MAIN else f"{self.name}_{key}"
        return f"Score_{word.replace(' ', '_').replace('-', '_')}"

    def name_in(self, speech: Speech) -> str:
        """Its name in a language: the kinds of blocks in it are translated."""
        return _A_KIND.sub(lambda kind: speech.says(KINDS[kind[0]]), self.name)

    def numbers(self) -> Iterator[tuple[str, Fraction | tuple[Fraction, ...], str]]:
        """Each number and list of the block: its key in a rules file, its value, and what it is, if that needs saying.

        Without a text of its own it is called by its key.
        """
        for each in fields(self):
            match getattr(self, each.name), each.encode_name:
                case (Fraction() | (Fraction(), *_)) as value, key:
                    notes = getattr(each.type, "__metadata__", ())
                    said = next((note.what for note in notes if isinstance(note, Needed)), "")
                    yield key, value, said or ("" if key in MAIN else key)


KINDS = {  # what the workbook calls each kind of block, in English as rules files do but where that says too little
    "centres": to_say("centres"),
    "polynomial": to_say("polynomial"),
    "flat": to_say("flat"),
    "survivors": to_say("survivors"),
    "survival": to_say("survival"),
    "survival until": to_say("survival until"),
    "beaten centres": to_say("beaten centres"),
    "neutral centres": to_say("neutral centres"),
    "lead": to_say("lead"),
    "places": to_say("places"),
    "table": to_say("table"),
    "years": to_say("years"),
    "pot": to_say("pot"),
    "draw": to_say("draw"),
    "beaten powers": to_say("beaten powers"),
    "margins": to_say("margins"),
    "top": to_say("top"),
    "near top": to_say("near top"),
    "distance": to_say("distance from the top"),
    "largest": to_say("largest"),
    "solo": to_say("solo"),  # before what the others get of a game that was won
}
_A_KIND = re.compile("|".join(rf"\b{kind}\b" for kind in sorted(KINDS, key=len, reverse=True)))


def name_parts(parts: Iterable[Part], before: str = "") -> tuple[Part, ...]:
    """Name blocks by what they give; two of a kind are told apart by a number, those inside others by both names."""
    named: dict[str, Part] = {}
    for part in parts:
        give = f"{before}{part.__struct_config__.tag}"
        name = give if give not in named else next(word for n in range(2, 99) if (word := f"{give} {n}") not in named)
        inner = {"parts": name_parts(part.inner, f"{name} ")} if part.inner else {}
        renamed: Part = replace(part, name=name, **inner)
        named[name] = renamed
    return tuple(named.values())


class Centres(Part, frozen=True, tag="centres"):
    """Each centre owned at the end is worth points (NZ99 B 1.1; EDC96; EDC23 C), or after an earlier year (Milano)."""

    each: Points = ONE
    above: CentreCount = 0  # only centres above this number: with 13, the fourteenth and later ones (Maxonian)
    year: YearNumber | None = None  # those after its Fall; where it is not recorded, those at the end, which is a doubt

    @property
    def year_column(self) -> int | None:
        return self.year

    def points(self, counts: Counts, power: Power) -> Fraction:
        board = counts.board
        owned = board.count_owned(power, self.year) if self.year in board.years and self.year else counts.centres[power]
        return self.each * max(owned - self.above, 0)

    def formula(self, seat: SeatCells) -> str:
        owned = seat.after_year(self.year) if self.year is not None else seat.centres
        return f"{self.cell('each')}*{f'MAX({owned}-{self.above},0)' if self.above else owned}"


class Polynomial(Part, frozen=True, tag="polynomial"):
    """Sum of squares and the like: a polynomial of the centre count, c² or c² + 4c + 16 (Weasel XII; WDC08 14.2)."""

    coefficients: Annotated[
        tuple[Points, ...],
        Needed(to_say("the points of 1, c, c², up to c⁵"), "[16, 4, 1]"),
        Range(1, 6, unit="numbers"),
    ]

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The value of the polynomial at the power's centres."""
        owned = counts.centres[power]
        return sum_points(factor * owned**n for n, factor in enumerate(self.coefficients) if factor)

    def formula(self, seat: SeatCells) -> str:
        powers = ("", f"*{seat.centres}", *(f"*{seat.centres}^{n}" for n in range(2, len(self.coefficients))))
        steps = range(len(self.coefficients))
        return "+".join(f"INDEX({self.cell('coefficients')},1,{n + 1}){powers[n]}" for n in steps)


class Flat(Part, frozen=True, tag="flat"):
    """Everybody gets the same, the eliminated too (EDC96: the 1 in S = R + C + 1)."""

    each: Points = ONE

    def points(self, counts: Counts, power: Power) -> Fraction:
        return self.each

    def formula(self, seat: SeatCells) -> str:
        return self.cell("each")


class Survivors(Part, frozen=True, tag="survivors"):
    """Everybody, eliminated or not, gets points for each power still alive (EDC23 C)."""

    each: Points = ONE

    def points(self, counts: Counts, power: Power) -> Fraction:
        return self.each * counts.survivors

    def formula(self, seat: SeatCells) -> str:
        return f"{self.cell('each')}*{seat.survivors}"


class Survival(Part, frozen=True, tag="survival"):
    """Owning a centre at the end is worth points; units do not matter (NZ99 B 1.3)."""

    award: Points = field(default=ONE, name="points")

    def points(self, counts: Counts, power: Power) -> Fraction:
        return self.award if counts.centres[power] else Fraction()

    def formula(self, seat: SeatCells) -> str:
        return f"IF({seat.centres}>0,{self.cell('points')},0)"


class Unreached(StrEnum):
    """Who counts as having survived a year that the game did not reach, or whose centres were not recorded."""

    SURVIVORS = "survivors"  # those alive at the end: it keeps games comparable
    NOBODY = "nobody"


class SurvivalUntil(Part, frozen=True, tag="survival until"):
    """Owning a centre after the adjustments of a year is worth points, eliminated later or not (NZ99 B 1.2)."""

    year: YearNumber
    award: Points = field(default=ONE, name="points")
    unreached: Unreached = Unreached.SURVIVORS

    @property
    def year_column(self) -> int | None:
        return self.year

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for having been alive then; whoever owns a centre later was not eliminated before."""
        alive_at_end = counts.centres[power] > 0
        if self.year in counts.board.years:
            lived = counts.board.count_owned(power, self.year) > 0
        elif any(year > self.year for year in counts.board.years):
            lived = alive_at_end or any(counts.board.count_owned(power, y) for y in counts.board.years if y > self.year)
        elif counts.board.years:
            lived = alive_at_end and self.unreached is Unreached.SURVIVORS
        else:
            lived = alive_at_end
        return self.award if lived else Fraction()

    def formula(self, seat: SeatCells) -> str:
        return f"IF({self.lived_formula(seat)},{self.cell('points')},0)"

    def lived_formula(self, seat: SeatCells) -> str:
        """Whether a power owned a centre after the year; where it is not recorded, what the rules say of that."""
        alive = f"{seat.centres}>0"
        if seat.all_years is None:
            return alive
        unreached = alive if self.unreached is Unreached.SURVIVORS else "FALSE"
        test = f"IF(COUNT({seat.all_years[1]})>0,{unreached},{alive})"
        if later := seat.later(self.year):
            test = f"IF(COUNT({later[1]})>0,OR({alive},SUM({later[0]})>0),{test})"
        for year, own, board in seat.years:
            if year == self.year:
                test = f"IF(COUNT({board})>0,N({own})>0,{test})"
        return test


class BeatenCentres(Part, frozen=True, tag="beaten centres"):
    """Each centre of the powers with strictly fewer centres is worth points (EDC23 C)."""

    each: Points = ONE

    def points(self, counts: Counts, power: Power) -> Fraction:
        return self.each * counts.beaten(power)

    def formula(self, seat: SeatCells) -> str:
        return f'{self.cell("each")}*SUMIF({seat.board},"<"&{seat.centres})'


class NeutralCentres(Part, frozen=True, tag="neutral centres"):
    """Each centre that stayed neutral is worth points to everybody (EDC23 C)."""

    each: Points = ONE

    def points(self, counts: Counts, power: Power) -> Fraction:
        return self.each * counts.neutral

    def formula(self, seat: SeatCells) -> str:
        return f"{self.cell('each')}*({seat.total}-SUM({seat.board}))"


class Lead(Part, frozen=True, tag="lead"):
    """The outright leader gets the margin over the second; shared, nobody gets it (NZ99 B 1.4)."""

    each: Points = ONE

    def points(self, counts: Counts, power: Power) -> Fraction:
        return self.each * counts.margin(power)

    def formula(self, seat: SeatCells) -> str:
        return f"{self.cell('each')}*IF({seat.above}=0,{seat.centres}-LARGE({seat.board},2),0)"


class TiedShare(StrEnum):
    """What equal (tied) powers get of the bonuses for the places they span."""

    AVERAGE = "average"  # (EDC96; EDC23 C)
    LOWER = "lower"  # the bonus of the lowest of these places (NZ99 B 1.5)


class Places(Part, frozen=True, tag="places"):
    """The first places bring a bonus; tied powers share by the tournament's rule (EDC96; EDC23 C; NZ99 B 1.5).

    ``pairs`` and ``groups`` are bonuses by the lowest place spanned, for two who share and for three or more, where a
    system names them (Ranked Classic); an empty list leaves it to ``shared``.
    """

    bonuses: Annotated[
        tuple[Points, ...], Needed(to_say("the points of 1st, 2nd, 3rd"), "[38, 14, 7]")
    ]  # nothing below
    shared: TiedShare = TiedShare.AVERAGE
    order: StandBy = StandBy.CENTRES
    pairs: tuple[Points, ...] = ()
    groups: tuple[Points, ...] = ()

    @property
    def summed_key(self) -> str:
        return "bonuses" if self.shared is TiedShare.AVERAGE else ""

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The bonus of the place, or the power's share of several."""
        above, equal = counts.above(power, self.order), counts.equal(power, self.order)
        named = self.pairs if equal == 2 else self.groups if equal > 2 else ()
        lowest = above + equal
        if named or equal == 1 or self.shared is TiedShare.LOWER:
            bonuses = named or self.bonuses
            return bonuses[lowest - 1] if lowest <= len(bonuses) else Fraction()  # none below the last that has one
        return sum_points(self.bonuses[above:lowest]) / equal

    def formula(self, seat: SeatCells) -> str:
        """Equal powers average the bonuses of the places they span, or take the lowest of them, or what is named."""
        above, equal = seat.places(self.order)
        lowest = f"{above}+{equal}"
        bonus = self.place_formula("bonuses", lowest)
        if self.shared is TiedShare.AVERAGE:
            sums = self.cell("bonuses_sums")
            bonus = f"(INDEX({sums},1,{lowest}+1)-INDEX({sums},1,{above}+1))/{equal}"
        if self.pairs:
            bonus = f"IF({equal}=2,{self.place_formula('pairs', lowest)},{bonus})"
        if self.groups:
            bonus = f"IF({equal}>2,{self.place_formula('groups', lowest)},{bonus})"
        return bonus

    def place_formula(self, key: str, place: str) -> str:
        """The bonus of a place in a list, nothing below it."""
        return f"IF({place}<={len(getattr(self, key))},INDEX({self.cell(key)},1,{place}),0)"


# Building blocks that look at a power's own centres and years, and at those it has left behind.


class CentreTable(Part, frozen=True, tag="table"):
    """A list says what no centre, one, two, ... are worth; every centre beyond it adds the same (Namur: 5, 9, 12 ...).

    >>> namur = CentreTable(tuple(map(Fraction, (0, 5, 9, 12, 14, 16, 18))), beyond=Fraction(1))
    >>> [str(namur.of(owned)) for owned in (0, 3, 6, 8)]
    ['0', '12', '18', '20']
    """

    list: Annotated[tuple[Points, ...], Needed(to_say("the points of 0, 1, 2, ... centres"), "[0, 5, 9, 12]")] = field(
        name="points"
    )
    beyond: Points = Fraction()  # for each centre more than the list has

    def of(self, owned: int) -> Fraction:
        """What so many centres are worth."""
        last = len(self.list) - 1
        return self.list[min(owned, last)] + self.beyond * max(owned - last, 0)

    def points(self, counts: Counts, power: Power) -> Fraction:
        return self.of(counts.centres[power])

    def formula(self, seat: SeatCells) -> str:
        own, last = seat.centres, len(self.list) - 1
        listed = f"INDEX({self.cell('points')},1,MIN({own},{last})+1)"
        return f"{listed}+{self.cell('beyond')}*MAX({own}-{last},0)"


class Years(Part, frozen=True, tag="years"):
    """Each year lived is worth points: whole years, or the one of the elimination too (ManorCon; Whipping)."""

    each: Points = ONE
    begun: bool = False  # the year of the elimination, or the game's last, counts as well: out in 1905 is five years
    most: Annotated[int, Range(1, 99)] | None = None  # so many years at most (Bangkok 2022: six)

    @property
    def counts_years(self) -> bool:
        return True

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for each year lived, with ``begun`` one more, and at most ``most``."""
        years = counts.years_lived(power) + self.begun
        return self.each * (years if self.most is None else min(years, self.most))

    def formula(self, seat: SeatCells) -> str:
        years = f"({seat.years_lived}+{int(self.begun)})"
        return f"{self.cell('each')}*{years if self.most is None else f'MIN({years},{self.most})'}"


class Pot(Part, frozen=True, tag="pot"):
    """All who are in the draw share a pot equally (Calhamer's draw; Tribute's 66 points)."""

    pot: Annotated[Some, Needed(to_say("what all who are in the draw share"), "100")] = field(name="points")

    @property
    def looks_at_draw(self) -> bool:
        return True

    def points(self, counts: Counts, power: Power) -> Fraction:
        """An equal share, nothing for who is not in the draw."""
        sharing = sum(1 for other in counts.centres if counts.is_in_draw(other))
        return self.pot / sharing if counts.is_in_draw(power) else Fraction()

    def formula(self, seat: SeatCells) -> str:
        return f"IF({seat.in_draw},{self.cell('points')}/{seat.sharing},0)"


class DrawSize(Part, frozen=True, tag="draw"):
    """Who is in the draw gets points by how many are in it (Boardgaming Championships: 22 each for two)."""

    sizes: Annotated[
        tuple[Points, ...], Needed(to_say("the points for each alone, in a draw of two, three"), "[46, 22, 10]")
    ] = field(name="points")  # nothing where more are in it

    @property
    def looks_at_draw(self) -> bool:
        return True

    def points(self, counts: Counts, power: Power) -> Fraction:
        sharing = sum(1 for other in counts.centres if counts.is_in_draw(other))
        counted = counts.is_in_draw(power) and sharing <= len(self.sizes)
        return self.sizes[sharing - 1] if counted else Fraction()

    def formula(self, seat: SeatCells) -> str:
        most = len(self.sizes)
        points = f"INDEX({self.cell('points')},1,MIN({seat.sharing},{most}))"
        return f"IF(AND({seat.in_draw},{seat.sharing}<={most}),{points},0)"


class BeatenPowers(Part, frozen=True, tag="beaten powers"):
    """Each power that stands strictly lower is worth points (Haight)."""

    each: Points = ONE
    order: StandBy = StandBy.CENTRES

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for the powers below."""
        below = len(counts.centres) - counts.above(power, self.order) - counts.equal(power, self.order)
        return self.each * below

    def formula(self, seat: SeatCells) -> str:
        above, equal = seat.places(self.order)
        return f"{self.cell('each')}*({seat.powers}-{above}-{equal})"


class Margins(Part, frozen=True, tag="margins"):
    """Each centre more than a power below has is worth points, power by power (Vulcan)."""

    each: Points = ONE

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for the margins over all powers with fewer centres, the eliminated among them."""
        return self.each * (counts.centres[power] * counts.below(power) - counts.beaten(power))

    def formula(self, seat: SeatCells) -> str:
        lower = f'"<"&{seat.centres}'
        return f"{self.cell('each')}*({seat.centres}*COUNTIF({seat.board},{lower})-SUMIF({seat.board},{lower}))"


# Building blocks that look at the highest count on the board, and at how near to it a power is.


class Top(Part, frozen=True, tag="top"):
    """Who has the most centres gets a bonus that depends on how many share it (Base 3: 9 alone, 3 for two).

    Nothing is divided: the list says what each of them gets.
    """

    bonuses: Annotated[
        tuple[Points, ...], Needed(to_say("the points for the top alone, shared by two, by three"), "[9, 3, 1]")
    ]  # nothing for more than are listed

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The bonus for so many at the top."""
        if counts.centres[power] < counts.top or counts.toppers > len(self.bonuses):
            return Fraction()
        return self.bonuses[counts.toppers - 1]

    def formula(self, seat: SeatCells) -> str:
        most = len(self.bonuses)
        bonus = f"INDEX({self.cell('bonuses')},1,MIN({seat.equal},{most}))"
        return f"IF(AND({seat.above}=0,{seat.equal}<={most}),{bonus},0)"


class NearTop(Part, frozen=True, tag="near top"):
    """A pot is shared out among those at the top, one centre below it, two, ..., by shares (Bangkok 2020: 3, 2, 1).

    With the shares 1, 1 it is shared equally by all within one centre of the top (Bangkok 2022).
    """

    pot: Annotated[Some, Needed(to_say("the pot that is shared out"), "12")] = field(name="points")
    shares: Annotated[
        tuple[NoLess, ...], Needed(to_say("the shares at the top, one centre below it, two"), "[3, 2, 1]")
    ]

    def faults(self) -> Iterator[tuple[str, str]]:
        if self.shares and not self.shares[0]:
            yield "shares[0]", "the top needs a share, or nobody may have one; found 0"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The power's part of the pot."""
        all_shares = sum_points(self.share(counts, other) for other in counts.centres)
        return self.pot * self.share(counts, power) / all_shares if all_shares else Fraction()

    def share(self, counts: Counts, power: Power) -> Fraction:
        """How many shares a power has."""
        behind = counts.top - counts.centres[power]
        return self.shares[behind] if behind < len(self.shares) else Fraction()

    def formula(self, seat: SeatCells) -> str:
        shares, most, behind = self.cell("shares"), len(self.shares), f"{seat.top}-{seat.centres}"
        counted = (f"INDEX({shares},1,{n + 1})*COUNTIF({seat.board},{seat.top}-{n})" for n in range(most))
        share = f"INDEX({shares},1,MIN({behind},{most - 1})+1)"
        return f"IF({behind}<{most},{self.cell('points')}*{share}/({'+'.join(counted)}),0)"


class FromTop(Part, frozen=True, tag="distance"):
    """A bonus by the centres that a power is ahead of the best of the others, or behind the top (Bangkok Pike)."""

    ahead: Annotated[
        tuple[Points, ...], Needed(to_say("the points for sharing the top, being 1 ahead, 2"), "[4, 6, 10, 12]")
    ]  # the last for every larger lead
    behind: tuple[Points, ...] = ()  # 1 centre behind the top, 2, ...; nothing farther back

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The bonus for the distance."""
        distance = counts.distance(power)
        if distance >= 0:
            return self.ahead[min(distance, len(self.ahead) - 1)]
        return self.behind[-distance - 1] if -distance <= len(self.behind) else Fraction()

    def formula(self, seat: SeatCells) -> str:
        lead, back, most = f"{seat.centres}-LARGE({seat.board},2)", f"{seat.top}-{seat.centres}", len(self.behind)
        leads = f"INDEX({self.cell('ahead')},1,MIN({lead},{len(self.ahead) - 1})+1)"
        trails = f"IF({back}<={most},INDEX({self.cell('behind')},1,MIN({back},{most})),0)" if most else "0"
        return f"IF({seat.above}=0,{leads},{trails})"


class Largest(Part, frozen=True, tag="largest"):
    """The largest of what several blocks would give (Haight, after a solo: centres or years, whichever is more)."""

    parts: Annotated[tuple[Part, ...], Needed("two blocks or more", '[{ give = "centres" }, { give = "years" }]')] = (
        field(name="of")
    )

    def faults(self) -> Iterator[tuple[str, str]]:
        if len(self.parts) == 1:
            yield "of", "one block alone is the largest; write two or more, or that one without 'largest'"

    @property
    def inner(self) -> tuple[Part, ...]:
        return self.parts

    def points(self, counts: Counts, power: Power) -> Fraction:
        return max(part.give(counts, power) for part in self.parts)

    def formula(self, seat: SeatCells) -> str:
        return f"MAX({','.join(part.give_formula(seat) for part in self.parts)})"

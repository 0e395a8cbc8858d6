"""Read the building blocks of a scoring system: each ``[[scoring.parts]]`` by its ``give``."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pipeline.rules.scoring.exact_values import (
    NO_LESS,
    POINTS,
    SOME,
    Range,
    list_of_points,
    needed_whole,
    points,
    whole,
    word,
)
from pipeline.rules.toml.table import Table, did_you_mean
from pipeline.scoring.games.combined_parts import Largest, Only, To
from pipeline.scoring.games.counts import StandBy
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
from pipeline.scoring.results.results import FIRST_YEAR, STANDARD_CENTRES

ONE = Fraction(1)
CENTRES = Range(0, STANDARD_CENTRES)
YEARS = Range(FIRST_YEAR, 1999)
YEARS_LIVED = Range(1, 99)
MOST_COEFFICIENTS = 6  # of 1 to c⁵: more than any system has


def read_centres(table: Table) -> Part:
    """``give = "centres"``: each one, or each above a number."""
    return Centres(points(table, "each", ONE), whole(table, "above", 0, CENTRES))


def read_table(table: Table) -> Part:
    """``give = "table"``, with the points of 0, 1, 2, ... centres."""
    listed = needed_list(table, "points", "of 0, 1, 2, ... centres, such as [0, 5, 9, 12]")
    return CentreTable(listed, points(table, "beyond", Fraction()))


def read_polynomial(table: Table) -> Part:
    """``give = "polynomial"``, with the coefficients of 1, c, c², ..."""
    if not table.values.get("coefficients"):
        table.fault("coefficients", "missing; write those of 1, c, c², such as [16, 4, 1]")
    found = list_of_points(table, "coefficients")
    if len(found) > MOST_COEFFICIENTS:
        table.fault("coefficients", f"expected up to {MOST_COEFFICIENTS}, found {len(found)}")
    return Polynomial(found)


def read_flat(table: Table) -> Part:
    """``give = "flat"``."""
    return Flat(points(table, "each", ONE))


def read_survivors(table: Table) -> Part:
    """``give = "survivors"``."""
    return Survivors(points(table, "each", ONE))


def read_survival(table: Table) -> Part:
    """``give = "survival"``."""
    return Survival(points(table, "points", ONE))


def read_survival_until(table: Table) -> Part:
    """``give = "survival until"``, with its year."""
    year = needed_whole(table, "year", YEARS)
    return SurvivalUntil(year, points(table, "points", ONE), word(table, "unreached", Unreached, Unreached.SURVIVORS))


def read_years(table: Table) -> Part:
    """``give = "years"``: whole ones, or the one of the elimination too."""
    most = whole(table, "most", 0, YEARS_LIVED)
    return Years(points(table, "each", ONE), table.get("begun", bool, False), most or None)


def read_pot(table: Table) -> Part:
    """``give = "pot"``, with the points that are shared."""
    if "points" not in table.values:
        table.fault("points", "missing; write what all who are in the draw share, such as 100")
    return Pot(points(table, "points", ONE, SOME))


def read_draw(table: Table) -> Part:
    """``give = "draw"``, with the points for each in a draw of one, two, three ..."""
    return DrawSize(needed_list(table, "points", "for each alone, in a draw of two, three, such as [46, 22, 10]"))


def read_beaten_centres(table: Table) -> Part:
    """``give = "beaten centres"``."""
    return BeatenCentres(points(table, "each", ONE))


def read_beaten_powers(table: Table) -> Part:
    """``give = "beaten powers"``, in an order."""
    return BeatenPowers(points(table, "each", ONE), word(table, "order", StandBy, StandBy.CENTRES))


def read_margins(table: Table) -> Part:
    """``give = "margins"``."""
    return Margins(points(table, "each", ONE))


def read_neutral_centres(table: Table) -> Part:
    """``give = "neutral centres"``."""
    return NeutralCentres(points(table, "each", ONE))


def read_lead(table: Table) -> Part:
    """``give = "lead"``."""
    return Lead(points(table, "each", ONE))


def read_top(table: Table) -> Part:
    """``give = "top"``, with what each gets alone, shared by two, by three ..."""
    return Top(needed_list(table, "bonuses", "for the top alone, shared by two, by three, such as [9, 3, 1]"))


def read_near_top(table: Table) -> Part:
    """``give = "near top"``, with its pot and the shares at the top, one centre below it, ..."""
    shares = needed_list(table, "shares", "at the top, one centre below it, two, such as [3, 2, 1]", NO_LESS)
    if shares[0] <= 0:
        table.fault("shares[0]", f"the top needs a share, or nobody may have one; found {shares[0]}")
    if "points" not in table.values:
        table.fault("points", "missing; write the pot that is shared out, such as 12")
    return NearTop(points(table, "points", ONE, SOME), shares)


def read_distance(table: Table) -> Part:
    """``give = "distance"``, with the bonuses ahead of the others and behind the top."""
    ahead = needed_list(table, "ahead", "for sharing the top, being 1 ahead, 2, ..., such as [4, 6, 10, 12]")
    return FromTop(ahead, list_of_points(table, "behind"))


def read_places(table: Table) -> Part:
    """``give = "places"``, with the bonuses for 1st, 2nd, ... and how equal powers share them."""
    if not table.values.get("bonuses"):
        table.fault("bonuses", "missing; write those of 1st, 2nd, 3rd, such as [38, 14, 7]")
    return Places(
        bonuses=list_of_points(table, "bonuses"),
        shared=word(table, "shared", Shared, Shared.AVERAGE),
        order=word(table, "order", StandBy, StandBy.CENTRES),
        pairs=list_of_points(table, "pairs"),
        groups=list_of_points(table, "groups"),
    )


def read_largest(table: Table) -> Part:
    """``give = "largest"``, with a list of blocks."""
    parts = read_parts(table, "of", "largest ")
    if len(parts) < 2:
        table.fault("of", 'expected two blocks or more, such as [{ give = "centres" }, { give = "years" }]')
    return Largest(parts or (Flat(Fraction()),))


PARTS: dict[str, Callable[[Table], Part]] = {
    "centres": read_centres,
    "table": read_table,
    "polynomial": read_polynomial,
    "flat": read_flat,
    "survivors": read_survivors,
    "survival": read_survival,
    "survival until": read_survival_until,
    "years": read_years,
    "pot": read_pot,
    "draw": read_draw,
    "beaten centres": read_beaten_centres,
    "beaten powers": read_beaten_powers,
    "margins": read_margins,
    "neutral centres": read_neutral_centres,
    "lead": read_lead,
    "top": read_top,
    "near top": read_near_top,
    "distance": read_distance,
    "places": read_places,
    "largest": read_largest,
}


def needed_list(table: Table, key: str, of: str, within: Range = POINTS) -> tuple[Fraction, ...]:
    """Take a list of points that must not be empty."""
    if not table.values.get(key):
        table.fault(key, f"missing; write the points {of}")
    return list_of_points(table, key, within) or (Fraction(),)


def read_parts(table: Table, key: str, before: str = "") -> tuple[Part, ...]:
    """Read a list of blocks; two of a kind are told apart by a number, so that each has its own name."""
    parts = [part for inside in table.tables(key) if (part := read_part(inside))]
    found: Counter[str] = Counter()
    named = []
    for part in parts:
        found[part.name] += 1
        nth = found[part.name]
        named.append(renamed(part, f"{before}{part.name}{f' {nth}' if nth > 1 else ''}"))
    return tuple(named)


def renamed(part: Part, name: str) -> Part:
    """Give a block another name."""
    block: Any = part  # every block is a frozen dataclass with its name, but for one that is kept for some
    return Only(renamed(block.part, name), block.to) if isinstance(part, Only) else replace(block, name=name)


def read_part(table: Table) -> Part | None:
    """Read one building block, and whom it is for."""
    give = table.need("give", str, "")
    to = word(table, "to", To, To.EVERYBODY)
    if give not in PARTS:
        if give:
            known = tuple(PARTS)
            table.fault("give", f"{give!r} is not one of {', '.join(known)}{did_you_mean(give, known)}")
        return None
    part = PARTS[give](table)
    table.finish()
    return part if to is To.EVERYBODY else Only(part, to)

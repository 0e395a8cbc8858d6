"""Read ``[scoring]``: a system made of building blocks, its solo rule, its tribute and its rounding."""

from collections.abc import Sequence
from fractions import Fraction

from pipeline.rules.scoring.blocks import read_parts
from pipeline.rules.scoring.exact_values import (
    FACTOR,
    PART,
    SOME,
    Range,
    decimals,
    maybe_points,
    one_of_points,
    points,
    whole,
    word,
)
from pipeline.rules.toml.table import Table
from pipeline.scoring.games.parts import Part
from pipeline.scoring.games.system import (
    Abandoned,
    BoardKind,
    Eliminated,
    EliminatedRule,
    Guess,
    LateOf,
    LateRule,
    PoolOf,
    Replacement,
    SoloRule,
    System,
)
from pipeline.scoring.games.tribute import Due, Kept, Payers, Tribute
from pipeline.scoring.results.exact import Rounding, RoundingWay
from pipeline.scoring.results.results import STANDARD_CENTRES

ONE = Fraction(1)
MORE_THAN_HALF = "more than half"
FORMULA = "formula"
YEAR, YEAR_BEGUN = "year", "year begun"
SOLO_CENTRES = Range(10, STANDARD_CENTRES)
CENTRES = Range(0, STANDARD_CENTRES)
SEASONS = Range(1, 99)


def read_system(table: Table) -> System:
    """Read a scoring system; its faults are kept in the table."""
    late = whole(table, "late_seasons", 0, SEASONS)
    parts = read_parts(table, "parts")
    if not parts:
        table.fault("parts", f"a system needs at least one [[{table.where}.parts]]")
    system = System(
        name=table.get("system", str, "unnamed"),
        parts=parts,
        pool=maybe_points(table, "pool", SOME),
        pool_of=word(table, "pool_of", PoolOf, PoolOf.EVERYBODY),
        tribute=read_tribute(table.table("tribute"), parts) if "tribute" in table.values else None,
        solo=read_solo(table.table("solo")),
        eliminated=read_eliminated(table),
        abandoned=word(table, "abandoned", Abandoned, Abandoned.ASK),
        late=LateRule(late, word(table, "late_of", LateOf, LateOf.ANYBODY)) if late else None,
        replacement=word(table, "replaced", Replacement, Replacement.ASK),
        rounding=read_rounding(table, "rounding"),
        guesses=tuple(read_guess(inside) for inside in table.tables("guesses")),
        has_sandard=table.get("sandard", bool, False),
    )
    for key in ("shown_decimals", "sealed", "parts", "tribute"):
        table.asked.add(key)
    check_system(table, system)
    table.finish()
    return system


def read_guess(table: Table) -> Guess:
    """``[[scoring.guesses]]``: a kind of board of which the sources say nothing, and what is taken."""
    kind = word(table, "when", BoardKind, BoardKind.SOLO)
    if "when" not in table.values:
        table.fault("when", f"missing; expected one of {', '.join(BoardKind)}")
    guess = Guess(kind, table.need("taken", str, ""))
    table.finish()
    return guess


def check_system(table: Table, system: System) -> None:
    """Note what cannot be combined, why, and what comes nearest."""
    if system.tribute and system.pool is not None:
        text = "shares of a pool cannot be paid on to the leader; leave out 'pool', or take a block 'lead' instead"
        table.fault("tribute", text)
    if system.tribute and system.solo.winner is None:
        text = "a soloist is paid no tribute, so his formula is not what it would be in a draw; give 'winner' in points"
        table.fault("solo.winner", text)
    if system.pool is None and system.pool_of is not PoolOf.EVERYBODY:
        table.fault("pool_of", "there is no pool; give 'pool' its points, or leave this out")
    solo = table.values.get("solo", {})
    for key in ("winner", "others"):
        if system.pool is not None and isinstance(solo, dict) and solo.get(key) == FORMULA:
            text = "after a solo points are no shares of the pool, so the formula has no scale; write points"
            table.fault(f"solo.{key}", text)


def read_tribute(table: Table, parts: Sequence[Part]) -> Tribute:
    """``[scoring.tribute]``: what is paid to the leader."""
    due = word(table, "due", Due, Due.ABOVE)
    if "due" not in table.values:
        table.fault("due", f"missing; expected one of {', '.join(Due)}")
    most, named = maybe_points(table, "most", PART), table.get("most_of", str, "")
    of = next((part for part in parts if part.name == named), None)
    if named and of is None:
        table.fault("most_of", f"no block {named!r}; there are {', '.join(part.name for part in parts)}")
    tribute = Tribute(
        due=due,
        each=points(table, "each", ONE, SOME),
        above=whole(table, "above", 0, CENTRES),
        payers=word(table, "payers", Payers, Payers.SURVIVORS),
        most=most,
        most_of=of,
        shared=word(table, "shared", Kept, Kept.ALL),
    )
    if named and most is None:
        table.fault("most", "missing; write which part of the block's points is paid at most, such as 1")
    if tribute.above and due is not Due.ABOVE:
        table.fault("above", f"it belongs to due = {Due.ABOVE.value!r}; here tribute is due for {due.value!r}")
    table.finish()
    return tribute


def read_solo(table: Table) -> SoloRule:
    """Read what a solo takes and brings: ``{ centres = 18, winner = 100, others = 0 }``."""
    centres = table.values.get("centres", 18)
    table.asked |= {"centres", "winner"}
    if centres != MORE_THAN_HALF and (type(centres) is not int or not SOLO_CENTRES.has(centres)):
        table.fault("centres", f"{SOLO_CENTRES}, or {MORE_THAN_HALF!r}, found {centres!r}")
        centres = 18
    winner = None if table.values.get("winner", FORMULA) == FORMULA else points(table, "winner", ONE, SOME)
    if winner is not None and "factor" in table.values:
        table.fault("factor", f"it multiplies a soloist's formula; write winner = {FORMULA!r}, or leave it out")
    others, parts, others_factor = read_others(table)
    rule = SoloRule(
        centres=None if centres == MORE_THAN_HALF else centres,
        winner=winner,
        factor=points(table, "factor", ONE, FACTOR),
        everyone_survived=table.get("everyone_survived", bool, False),
        others=others,
        others_parts=parts,
        others_factor=others_factor,
    )
    table.finish()
    return rule


def read_others(table: Table) -> tuple[Fraction, tuple[Part, ...], Fraction | None]:
    """``others``: points, or ``"formula"`` with its factor, or a list of blocks (``[[scoring.solo.others]]``)."""
    table.asked |= {"others", "others_factor"}
    given = table.values.get("others", 0)
    if given == FORMULA:
        return Fraction(), (), points(table, "others_factor", ONE, FACTOR)
    if "others_factor" in table.values:
        table.fault("others_factor", f"it multiplies the others' formula; write others = {FORMULA!r}, or leave it out")
    if isinstance(given, list):
        return Fraction(), read_parts(table, "others", "solo "), None
    return points(table, "others", Fraction()), (), None


def read_eliminated(table: Table) -> EliminatedRule:
    """Read what a power without centres gets: ``"formula"``, ``"nothing"``, ``0``, or ``"0.1 per year"``.

    ``"1 per year begun"`` counts the year of the elimination too; ``"1/4 per year, at most 2"`` ends somewhere.
    """
    table.asked.add("eliminated")
    value = table.values.get("eliminated", FORMULA)
    given, _, most = str(value).partition(", at most ")
    amount, _, unit = given.partition(" per ")
    if value == FORMULA:
        return EliminatedRule()
    if value in (Eliminated.NOTHING, "0") or (type(value) is int and value == 0):
        return EliminatedRule(Eliminated.NOTHING)
    if unit in (YEAR, YEAR_BEGUN):
        each = one_of_points(table, "eliminated", amount, Fraction(1, 10))
        limit = one_of_points(table, "eliminated", most, ONE) if most else None
        return EliminatedRule(Eliminated.YEARLY, each, begun=unit == YEAR_BEGUN, most=limit)
    known = f"'formula', 'nothing', '0.1 per {YEAR}' or '1 per {YEAR_BEGUN}'"
    table.fault("eliminated", f"expected {known}, found {value!r}")
    return EliminatedRule()


def read_rounding(table: Table, key: str) -> Rounding:
    """Read a rounding: ``"not at all"``, ``"truncate"``, or ``{ how = "half-up", decimals = 3 }``."""
    if isinstance(table.values.get(key), dict):
        inside = table.table(key)
        rounding = Rounding(word(inside, "how", RoundingWay, RoundingWay.HALF_UP), decimals(inside, "decimals", 0))
        inside.finish()
        return rounding
    return Rounding(word(table, key, RoundingWay, RoundingWay.NOT_AT_ALL))

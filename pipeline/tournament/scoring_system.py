"""Read ``[scoring]``: the building blocks of a scoring system, its solo rule and its rounding."""

from collections.abc import Callable
from fractions import Fraction

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
from pipeline.scoring.system import (
    Abandoned,
    Eliminated,
    EliminatedRule,
    LateRule,
    Replacement,
    SoloRule,
    System,
)
from pipeline.tournament.scoring_values import decimals, list_of_points, maybe_points, points, word
from pipeline.tournament.table import Table, did_you_mean

ONE = Fraction(1)
MORE_THAN_HALF = "more than half"
FORMULA = "formula"


def read_centres(table: Table) -> Part:
    """``give = "centres"``."""
    return Centres(points(table, "each", ONE))


def read_polynomial(table: Table) -> Part:
    """``give = "polynomial"``, with the coefficients of 1, c, c², ..."""
    if not table.values.get("coefficients"):
        table.fault("coefficients", "missing; write those of 1, c, c², such as [16, 4, 1]")
    return Polynomial(list_of_points(table, "coefficients"))


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
    year = table.need("year", int, 1905)
    return SurvivalUntil(year, points(table, "points", ONE), word(table, "unreached", Unreached, Unreached.SURVIVORS))


def read_beaten_centres(table: Table) -> Part:
    """``give = "beaten centres"``."""
    return BeatenCentres(points(table, "each", ONE))


def read_neutral_centres(table: Table) -> Part:
    """``give = "neutral centres"``."""
    return NeutralCentres(points(table, "each", ONE))


def read_lead(table: Table) -> Part:
    """``give = "lead"``."""
    return Lead(points(table, "each", ONE))


def read_places(table: Table) -> Part:
    """``give = "places"``, with the bonuses for 1st, 2nd, ... and how equal powers share them."""
    if not table.values.get("bonuses"):
        table.fault("bonuses", "missing; write those of 1st, 2nd, 3rd, such as [38, 14, 7]")
    return Places(list_of_points(table, "bonuses"), word(table, "shared", Shared, Shared.AVERAGE))


PARTS: dict[str, Callable[[Table], Part]] = {
    "centres": read_centres,
    "polynomial": read_polynomial,
    "flat": read_flat,
    "survivors": read_survivors,
    "survival": read_survival,
    "survival until": read_survival_until,
    "beaten centres": read_beaten_centres,
    "neutral centres": read_neutral_centres,
    "lead": read_lead,
    "places": read_places,
}


def read_system(table: Table) -> System:
    """Read a scoring system; its faults are kept in the table."""
    late = table.get("late_seasons", int, 0)
    if late < 0:
        table.fault("late_seasons", f"expected the seasons of a whole game, found {late}")
    parts = tuple(part for inside in table.tables("parts") if (part := read_part(inside)))
    if not parts:
        table.fault("parts", f"a system needs at least one [[{table.where}.parts]]")
    system = System(
        name=table.get("system", str, "unnamed"),
        parts=parts,
        pool=maybe_points(table, "pool"),
        solo=read_solo(table.table("solo")),
        eliminated=read_eliminated(table),
        abandoned=word(table, "abandoned", Abandoned, Abandoned.ASK),
        late=LateRule(late) if late else None,
        replacement=word(table, "replaced", Replacement, Replacement.ASK),
        rounding=read_rounding(table, "rounding"),
        has_sandard=table.get("sandard", bool, False),
    )
    for key in ("shown_decimals", "sealed", "parts"):
        table.asked.add(key)
    table.finish()
    return system


def read_part(table: Table) -> Part | None:
    """Read one building block."""
    give = table.need("give", str, "")
    if give not in PARTS:
        if give:
            known = tuple(PARTS)
            table.fault("give", f"{give!r} is not one of {', '.join(known)}{did_you_mean(give, known)}")
        return None
    part = PARTS[give](table)
    table.finish()
    return part


def read_solo(table: Table) -> SoloRule:
    """Read what a solo takes and brings: ``{ centres = 18, winner = 100, others = 0 }``."""
    centres = table.values.get("centres", 18)
    table.asked |= {"centres", "winner"}
    if centres != MORE_THAN_HALF and type(centres) is not int:
        table.fault("centres", f"expected a whole number or {MORE_THAN_HALF!r}, found {centres!r}")
        centres = 18
    winner = None if table.values.get("winner", FORMULA) == FORMULA else points(table, "winner", Fraction())
    rule = SoloRule(
        centres=None if centres == MORE_THAN_HALF else centres,
        winner=winner,
        factor=points(table, "factor", ONE),
        everyone_survived=table.get("everyone_survived", bool, False),
        others=points(table, "others", Fraction()),
    )
    table.finish()
    return rule


def read_eliminated(table: Table) -> EliminatedRule:
    """Read what a power without centres gets: ``"formula"``, ``"nothing"``, ``0``, or ``"0.1 per year"``."""
    table.asked.add("eliminated")
    value = table.values.get("eliminated", FORMULA)
    amount, _, unit = str(value).partition(" per ")
    if value == FORMULA:
        return EliminatedRule()
    if value in (Eliminated.NOTHING, "0") or (type(value) is int and value == 0):
        return EliminatedRule(Eliminated.NOTHING)
    if unit == "year":
        inside = Table({"eliminated": amount}, table.where, table.problems)
        return EliminatedRule(Eliminated.YEARLY, points(inside, "eliminated", Fraction(1, 10)))
    table.fault("eliminated", f"expected 'formula', 'nothing' or '0.1 per year', found {value!r}")
    return EliminatedRule()


def read_rounding(table: Table, key: str) -> Rounding:
    """Read a rounding: ``"not at all"``, ``"truncate"``, or ``{ how = "half-up", decimals = 3 }``."""
    if isinstance(table.values.get(key), dict):
        inside = table.table(key)
        rounding = Rounding(word(inside, "how", How, How.HALF_UP), decimals(inside, "decimals", 0))
        inside.finish()
        return rounding
    return Rounding(word(table, key, How, How.NOT_AT_ALL))

"""What a tournament makes of a whole sheet: late, missing, twice, unsigned, for the wrong season.

Each situation is a small class; `decide` answers it from the table ``[conduct]``, with the rule. Nothing here knows
what is on the sheet, and nothing is guessed: a missing sheet waits for a person, and a silent rule asks the director.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, assert_never

from pipeline.rules.conduct_rules import (
    ConductRules,
    ErrorFault,
    ErrorLater,
    ErrorLimit,
    Late,
    MissingSheetRule,
    Scope,
)
from pipeline.rules.conduct_rules import TwoSheetsRule as WhichSheet
from pipeline.rules.toml.setting import Choice, Setting


class Effect(StrEnum):
    """What becomes of the orders on a sheet."""

    ACCEPTED = "accepted"
    NO_ORDERS = "no orders"  # units hold, dislodged units disband, nothing is built, removals are automatic
    FIRST_SHEET = "first sheet"
    LAST_SHEET = "last sheet"
    PER_UNIT = "both, unit by unit"
    WAITS = "waits"  # for a person to look
    ASK = "ask"  # the director rules


@dataclass(frozen=True, slots=True)
class LateSheet:
    """A sheet came after the deadline."""

    earlier_in_game: int  # late sheets of the same player before this one
    earlier_in_tournament: int
    reading_began: bool  # orders of this phase were already being read
    demanded: bool = False  # the referee had demanded it at once


@dataclass(frozen=True, slots=True)
class MissingSheet:
    """A power has no sheet for this phase."""

    confirmed_by: str = ""  # who looked for it and says that there is none


@dataclass(frozen=True, slots=True)
class TwoSheets:
    """A power has two sheets for this phase."""

    resubmitted: bool  # the second came later; otherwise they came together, or nobody knows


@dataclass(frozen=True, slots=True)
class HeaderIncomplete:
    """Something that belongs on the sheet is not written on it."""

    missing: tuple[str, ...]  # "year", "season", "game", "power", "player"


@dataclass(frozen=True, slots=True)
class Unsigned:
    """A sheet without a signature."""


@dataclass(frozen=True, slots=True)
class ForeignSheet:
    """Orders on other paper than the supplied sheet."""


@dataclass(frozen=True, slots=True)
class WrongSeason:
    """Another season or year is written on the sheet than is being played."""

    written: str  # "Fall 1902"


@dataclass(frozen=True, slots=True)
class JointOrders:
    """One sheet with the orders of several powers, signed by each."""


@dataclass(frozen=True, slots=True)
class ProxyOrders:
    """Orders for later seasons, or for another player's units."""


FaultOfForm = HeaderIncomplete | Unsigned | ForeignSheet | WrongSeason | JointOrders | ProxyOrders
Sheet = LateSheet | MissingSheet | TwoSheets | FaultOfForm


@dataclass(frozen=True, slots=True)
class SheetConduct:
    """What becomes of a sheet, what it costs, and the setting that says so."""

    effect: Effect
    reason: str
    setting: Setting[Any]  # what decided it
    points: Fraction | None = Fraction(0)  # added to the player's score; None: the director rules
    warns: bool = False

    @property
    def rule(self) -> str:
        """The rule that says so; empty: the rules are silent."""
        return self.setting.rule


def decide(sheet: Sheet, rules: ConductRules) -> SheetConduct:
    """Say what this tournament makes of a sheet."""
    match sheet:
        case LateSheet():
            return decide_late(sheet, rules)
        case MissingSheet(confirmed_by):
            return decide_missing(confirmed_by, rules)
        case TwoSheets(resubmitted):
            return decide_two(rules.resubmitted if resubmitted else rules.two_sheets, resubmitted=resubmitted)
        case _:
            return decide_fault(sheet, rules)


def decide_late(sheet: LateSheet, rules: ConductRules) -> SheetConduct:
    """A late sheet: which rule applies depends on how often, and whether reading had begun."""
    setting, when = late_setting(sheet, rules)
    points = rules.late_points.value
    if points is None and not rules.late_points.left_open:
        points = Fraction(0)
    cost = f", which costs {_in_points(-points)} ({rules.late_points.source})" if points else ""
    if setting is None:
        counted = "what earlier late sheets count for is not said"
        return SheetConduct(Effect.ASK, f"late{cost}, and {counted}", rules.late_counted, points)
    reason = f"late {when}{cost}: {setting.value.meaning}"
    return SheetConduct(late_effect(setting.value, sheet), reason, setting, points, setting.value is Late.WARNED)


def _in_points(points: Fraction) -> str:
    """Count points.

    >>> _in_points(Fraction(1)), _in_points(Fraction(1, 2))
    ('1 point', '1/2 points')
    """
    return f"{points} point{'' if points == 1 else 's'}"


def late_setting(sheet: LateSheet, rules: ConductRules) -> tuple[Setting[Late] | None, str]:
    """Find the setting for a late sheet, and its occasion in words; none where it depends on what is not said."""
    if sheet.reading_began:
        return rules.late_after_reading_began, "after reading began"
    first, again = (rules.late_first, "for the first time"), (rules.late_again, "again")
    match rules.late_counted.value:
        case Scope.TOURNAMENT:
            return again if sheet.earlier_in_tournament else first
        case Scope.GAME:
            return again if sheet.earlier_in_game else first
        case Scope.ASK if rules.late_first.value is rules.late_again.value or not sheet.earlier_in_tournament:
            return first
        case Scope.ASK:
            return again if sheet.earlier_in_game else (None, "")
        case _:
            assert_never(rules.late_counted.value)


def late_effect(late: Late, sheet: LateSheet) -> Effect:
    """What becomes of the orders on a late sheet."""
    match late:
        case Late.ACCEPTED | Late.WARNED:
            return Effect.ACCEPTED
        case Late.ALL_HOLD | Late.CIVIL_DISORDER:
            return Effect.NO_ORDERS
        case Late.UNTIL_DEMANDED:
            return Effect.NO_ORDERS if sheet.demanded else Effect.ACCEPTED
        case Late.ASK:
            return Effect.ASK
        case _:
            assert_never(late)


def decide_missing(confirmed_by: str, rules: ConductRules) -> SheetConduct:
    """A missing sheet is "no orders" only after a person has looked for it."""
    setting = rules.missing_sheet
    if not confirmed_by:
        return SheetConduct(Effect.WAITS, "look for it, then confirm that there is none", setting)
    reason = f"no sheet, confirmed by {confirmed_by}: {setting.value.meaning}"
    return SheetConduct(Effect.ASK if setting.value is MissingSheetRule.ASK else Effect.NO_ORDERS, reason, setting)


def decide_two(setting: Setting[WhichSheet], *, resubmitted: bool) -> SheetConduct:
    """Of two sheets the rules choose one, or join them."""
    effects = {
        WhichSheet.ASK: Effect.ASK,
        WhichSheet.FIRST: Effect.FIRST_SHEET,
        WhichSheet.LAST: Effect.LAST_SHEET,
        WhichSheet.PER_UNIT: Effect.PER_UNIT,
    }
    came = "a second sheet came later" if resubmitted else "two sheets came together"
    return SheetConduct(effects[setting.value], f"{came}: {setting.value.meaning}", setting)


def decide_fault(fault: FaultOfForm, rules: ConductRules) -> SheetConduct:
    """A fault of form: accepted, refused, or for the director."""
    setting, found = fault_setting(fault, rules)
    effects = {ErrorFault.ASK: Effect.ASK, ErrorFault.ACCEPTED: Effect.ACCEPTED, ErrorFault.REFUSED: Effect.NO_ORDERS}
    return SheetConduct(effects[setting.value], f"{found}: {setting.value.meaning}", setting)


def fault_setting(fault: FaultOfForm, rules: ConductRules) -> tuple[Setting[ErrorFault], str]:
    """Find the setting for a fault of form, and the fault in words."""
    match fault:
        case HeaderIncomplete(missing):
            return rules.header_incomplete, f"not on the sheet: {', '.join(missing)}"
        case Unsigned():
            return rules.unsigned, "the sheet is not signed"
        case ForeignSheet():
            return rules.foreign_sheet, "the orders are not on a supplied sheet"
        case WrongSeason(written):
            return rules.wrong_season, f"the sheet says {written}"
        case JointOrders():
            return rules.joint_orders, "several powers signed one sheet"
        case ProxyOrders():
            return rules.proxy_orders, "orders for later seasons, or for another player's units"
        case _:
            assert_never(fault)


class Correction(StrEnum):
    """What becomes of an adjudication error."""

    CORRECTED = "corrected"
    STANDS = "stands"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class ErrorFound:
    """How far the game had gone when an adjudication error was pointed out."""

    orders_in: bool  # the orders of the next phase were in
    deadline_passed: bool  # the next deadline had passed
    adjudicated: bool  # the next season had been adjudicated


def decide_error(
    found: ErrorFound, rules: ConductRules
) -> tuple[Correction, Setting[ErrorLimit] | Setting[ErrorLater]]:
    """Say whether an adjudication error is still corrected, and by which switch."""
    passed = {
        ErrorLimit.NEXT_ORDERS: found.orders_in or found.deadline_passed or found.adjudicated,
        ErrorLimit.NEXT_DEADLINE: found.deadline_passed or found.adjudicated,
        ErrorLimit.NEXT_ADJUDICATION: found.adjudicated,
    }
    limit = rules.error_limit
    if limit.value is ErrorLimit.ASK:
        return Correction.ASK, limit
    if not passed[limit.value]:
        return Correction.CORRECTED, limit
    later = rules.error_later
    return (Correction.STANDS if later.value is ErrorLater.STANDS else Correction.ASK), later


def meaning(setting: Setting[Choice]) -> str:
    """The value of a switch in words, with its rule.

    >>> from pipeline.rules.conduct_rules import Late
    >>> meaning(Setting(Late.WARNED, "NZ99 9"))
    'they are accepted, with a warning (NZ99 9)'
    """
    return f"{setting.value.meaning} ({setting.source})"

"""What a tournament makes of a whole sheet: late, missing, twice, unsigned, for the wrong season.

Each situation is a small class; `decide_conduct` answers it from the table ``[conduct]``, with the rule. Nothing here
knows what is on the sheet, and nothing is guessed: a missing sheet waits for a person, and where the rules are silent
the director is asked.
"""

from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, assert_never

from msgspec import Struct

from pipeline.rules.reading_rules import YesNo
from pipeline.rules.switches import Asks, Setting
from pipeline.words.speech import Choice

# The switches for sheets and players: table ``[conduct]``.


class Late(Choice):
    """The late policy: what becomes of the orders on a sheet that came late."""

    ASK = "ask", "the director rules"
    ACCEPTED = "accepted", "they are accepted"
    WARNED = "warned", "they are accepted, with a warning"
    ALL_HOLD = "all_hold", "they are refused: all units hold, and may be supported"
    CIVIL_DISORDER = (
        "civil_disorder",
        "they are refused: all units hold, and may be supported; those that are dislodged are disbanded",
    )
    UNTIL_DEMANDED = (
        "until_demanded",
        "they are accepted until the referee has demanded them at once; after that they are refused and all units hold",
    )


class Scope(Choice):
    """How far back a player's late sheets are counted."""

    ASK = "ask", "where it matters, the director rules"
    TOURNAMENT = "tournament", "in the whole tournament"
    GAME = "game", "in the same game"


class MissingSheetRule(Choice):
    """What becomes of a power whose sheet is missing, once a person has said that it is."""

    ASK = "ask", "the director rules"
    ALL_HOLD = "all_hold", "all its units hold, and may be supported"
    CIVIL_DISORDER = (
        "civil_disorder",
        "it is in civil disorder: all its units hold, and may be supported; those that are dislodged are disbanded",
    )


class ErrorFault(Choice):
    """What becomes of the orders on a sheet with a fault of form."""

    ASK = "ask", "the director rules"
    ACCEPTED = "accepted", "they are accepted"
    REFUSED = "refused", "they are refused: all units hold, and may be supported"


class TwoSheetsRule(Choice):
    """Which sheet counts when a power handed in two for one phase."""

    ASK = "ask", "the director rules"
    FIRST = "first", "the first counts"
    LAST = "last", "the last counts"
    PER_UNIT = "per_unit", "both count, unit by unit: a unit ordered differently on them is ordered twice"


class ErrorLater(Choice):
    """What becomes of an adjudication error that is found after the limit."""

    ASK = "ask", "the director rules"
    STANDS = "stands", "it stands"
    NO_DISRUPTION = "no_disruption", "it stands, unless the director rules that correcting it is no major disruption"


class ErrorLimit(Choice):
    """Until when an adjudication error is corrected."""

    ASK = "ask", "the director rules"
    NEXT_ADJUDICATION = "next_adjudication", "until the next season has been adjudicated"
    NEXT_DEADLINE = "next_deadline", "until the next deadline"
    NEXT_ORDERS = "next_orders", "until the orders of the next phase are in"


class Dutchman(Choice):
    """What becomes of a unit to which a player is not entitled."""

    ASK = "ask", "the director rules"
    BUILDS_BACK = (
        "builds_back",
        "surplus builds are taken back from bottom to top and right to left; any other goes by the removal order",
    )
    REMOVAL_ORDER = "removal_order", "units go by the removal order of table [judge]"


class DutchmanLimit(Choice):
    """Until when it is removed."""

    ASK = "ask", "the director rules"
    NEXT_FALL_DEADLINE = "next_fall_deadline", "until the next Fall deadline"


class AbandonedPosition(Choice):
    """What becomes of a position whose player has gone."""

    ASK = "ask", "the director rules"
    HOLDS = "holds", "it is in civil disorder: all units hold"
    REPLACED = "replaced", "a replacement is appointed"


class Leaver(Choice):
    """What becomes of a player who leaves a game before its end."""

    ASK = "ask", "the director rules"
    EXCLUDED = "excluded", "the tournament goes on without this player"


class HowOften(Choice):
    """How often a player may be on two boards."""

    ASK = "ask", "the director rules"
    ONCE = "once", "once in a tournament, as a volunteer, and never after withdrawing from a round"
    ANY = "any", "as often as it happens"


class Reader(Choice):
    """Who reads the orders aloud, and whose are read first."""

    ASK = "ask", "the director rules"
    DESIGNATED = (
        "designated",
        "one power a season, its own orders first: Austria in Spring 1901, then clockwise round the board, absent ones "
        "passed over",
    )
    IN_TURN = (
        "in_turn",
        "each power in turn: Austria, England, France, Germany, Italy, Russia, Turkey; its own orders first",
    )
    BEGINNERS = "beginners_first", "the orders of beginners are read first, up to the year of beginners_until"
    LEFT_NEIGHBOUR = "left_neighbour", "each sheet is read by the neighbour to the player's left"
    ANY = "any_player", "any player reads all sheets"


class ConductRules(Struct, frozen=True, kw_only=True):
    """Table ``[conduct]``: sheets, errors and players."""

    # late and missing sheets
    late_counted: Annotated[Setting[Scope], Asks("1", "in what are a player's earlier late sheets counted?")]
    late_first: Annotated[Setting[Late], Asks("1", "a sheet is late for the first time")]
    late_again: Annotated[Setting[Late], Asks("1", "a sheet is late again")]
    late_after_reading_began: Annotated[Setting[Late], Asks("1", "a sheet comes after the reading of orders has begun")]
    late_points: Annotated[
        Setting[Fraction | None], Asks("1", "points that every late sheet costs, as a negative number")
    ]
    missing_sheet: Annotated[Setting[MissingSheetRule], Asks("1, 2", "there is no sheet of a power")]
    # faults of form
    header_incomplete: Annotated[
        Setting[ErrorFault], Asks("3", "year, season, game, power or player is missing on a sheet")
    ]
    unsigned: Annotated[Setting[ErrorFault], Asks("3", "a sheet is not signed")]
    foreign_sheet: Annotated[
        Setting[ErrorFault], Asks("3", "orders are written on other paper than the supplied sheet")
    ]
    wrong_season: Annotated[Setting[ErrorFault], Asks("4", "another season or year is written on a sheet")]
    two_sheets: Annotated[
        Setting[TwoSheetsRule],
        Asks("5", "a power handed in two sheets for one phase, together (always asked; this is quoted)"),
    ]
    resubmitted: Annotated[
        Setting[TwoSheetsRule], Asks("5", "a sheet is handed in, and later another (always asked; this is quoted)")
    ]
    joint_orders: Annotated[
        Setting[ErrorFault], Asks("5", "one sheet holds the orders of several powers, signed by each")
    ]
    proxy_orders: Annotated[
        Setting[ErrorFault], Asks("5", "orders are given for later seasons, or for another player's units")
    ]
    # errors on the board
    error_limit: Annotated[Setting[ErrorLimit], Asks("27", "until when is an adjudication error corrected?")]
    error_later: Annotated[Setting[ErrorLater], Asks("27", "an adjudication error is found after that")]
    dutchman: Annotated[Setting[Dutchman], Asks("28", "a unit is on the board to which a player is not entitled")]
    dutchman_limit: Annotated[Setting[DutchmanLimit], Asks("28", "until when is it removed?")]
    # players
    abandoned: Annotated[
        Setting[AbandonedPosition], Asks("29", "a player has left a position (who scores for it: scoring.replaced)")
    ]
    leaver: Annotated[Setting[Leaver], Asks("29", "a player leaves a game that is not finished")]
    eliminated_may_replace: Annotated[
        Setting[YesNo], Asks("29", "may a player who was eliminated take another position in the same game?")
    ]
    two_boards_often: Annotated[
        Setting[HowOften], Asks("30", "how often may a player be on two boards? (which game counts: totals.two_boards)")
    ]
    reader: Annotated[Setting[Reader], Asks("32", "who reads the orders?")]
    beginners_until: Annotated[
        Setting[int | None], Asks("32", "the last year in which the orders of beginners are read first")
    ]
    registration: Annotated[Setting[str | None], Asks("draw", "where and until when do players register?")]
    sanctions: Annotated[
        Setting[tuple[str, ...]], Asks("1", "what a player may be given for misconduct that costs no points by itself")
    ]


class Effect(StrEnum):
    """What becomes of the orders on a sheet."""

    ACCEPTED = "accepted"
    NO_ORDERS = "no orders"  # units hold, dislodged units disband, nothing is built, removals are automatic
    FIRST_SHEET = "first sheet"
    LAST_SHEET = "last sheet"
    PER_UNIT = "both, unit by unit"
    WAITS = "waits"  # for a person to look
    ASK = "ask"  # the director rules


class LateSheet(Struct, frozen=True):
    """A sheet came after the deadline."""

    earlier_in_game: int  # late sheets of the same player before this one
    earlier_in_tournament: int
    reading_began: bool  # orders of this phase were already being read
    demanded: bool = False  # the referee had demanded it at once


class MissingSheet(Struct, frozen=True):
    """A power has no sheet for this phase."""


class TwoSheets(Struct, frozen=True):
    """A power has two sheets for this phase."""

    resubmitted: bool  # the second came later; otherwise they came together, or nobody knows


class FaultOfForm(Struct, frozen=True):
    """A sheet that is not as the rules want it: the switch that decides, and what was found."""

    switch: str  # of table [conduct]
    found: str

    @classmethod
    def header_incomplete(cls, missing: Iterable[str]) -> "FaultOfForm":
        """Something that belongs on the sheet is not written on it: "year", "season", "game", "power", "player"."""
        return cls("header_incomplete", f"not on the sheet: {', '.join(missing)}")

    @classmethod
    def wrong_season(cls, written: str) -> "FaultOfForm":
        """Another season or year is written on the sheet than is being played."""
        return cls("wrong_season", f"the sheet says {written}")


UNSIGNED = FaultOfForm("unsigned", "the sheet is not signed")
FOREIGN_SHEET = FaultOfForm("foreign_sheet", "the orders are not on a supplied sheet")
JOINT_ORDERS = FaultOfForm("joint_orders", "several powers signed one sheet")
PROXY_ORDERS = FaultOfForm("proxy_orders", "orders for later seasons, or for another player's units")
SheetCase = LateSheet | MissingSheet | TwoSheets | FaultOfForm


class SheetConduct(Struct, frozen=True):
    """What becomes of a sheet, what it costs, and the setting that says so."""

    effect: Effect
    reason: str
    setting: Setting[Any]  # what decided it
    points: Fraction | None = Fraction(0)  # added to the player's score; None: the director rules

    @property
    def rule(self) -> str:
        """The rule that says so; empty: the rules are silent."""
        return self.setting.rule


def decide_conduct(sheet: SheetCase, rules: ConductRules) -> SheetConduct:
    """Say what this tournament makes of a sheet."""
    match sheet:
        case LateSheet():
            return _decide_late(sheet, rules)
        case MissingSheet():
            return _decide_missing(rules.missing_sheet)
        case TwoSheets(resubmitted):
            return _decide_two(rules.resubmitted if resubmitted else rules.two_sheets, resubmitted=resubmitted)
        case _:
            return _decide_fault(sheet, rules)


def _decide_late(sheet: LateSheet, rules: ConductRules) -> SheetConduct:
    """Which setting decides depends on the player's earlier late sheets, and on whether reading had begun."""
    setting, when = _late_setting(sheet, rules)
    points = rules.late_points.value
    if points is None and not rules.late_points.left_open:
        points = Fraction(0)
    cost = _cost_in_words(-points, sheet.earlier_in_tournament + 1, rules.late_points.source) if points else ""
    if setting is None:
        counted = "what earlier late sheets count for is not said"
        return SheetConduct(Effect.ASK, f"late{cost}, and {counted}", rules.late_counted, points)
    reason = f"late {when}{cost}: {_late_in_words(setting.value, sheet)}"
    return SheetConduct(_late_effect(setting.value, sheet), reason, setting, points)


def _cost_in_words(points: Fraction, times: int, source: str) -> str:
    """What a late sheet costs; every one of the tournament costs as much (EDC23 D4)."""
    so_far = f", and with the earlier ones {_in_points(points * times)}" if times > 1 else ""
    return f", which costs {_in_points(points)}{so_far} ({source})"


def _late_in_words(late: Late, sheet: LateSheet) -> str:
    """What becomes of this late sheet's orders."""
    if late is not Late.UNTIL_DEMANDED:
        return late.meaning
    if sheet.demanded:
        return "they had been demanded at once, and are refused: all units hold, and may be supported"
    return "they are accepted, for the referee had not demanded them at once"


def _in_points(points: Fraction) -> str:
    """Count points.

    >>> _in_points(Fraction(1)), _in_points(Fraction(1, 2))
    ('1 point', '1/2 points')
    """
    return f"{points} point{'' if points == 1 else 's'}"


def _late_setting(sheet: LateSheet, rules: ConductRules) -> tuple[Setting[Late] | None, str]:
    """Find the setting for a late sheet, and its occasion in words; none where the rules do not say what is counted."""
    if sheet.reading_began:
        return rules.late_after_reading_began, "after reading began"
    first, again = (rules.late_first, "for the first time"), (rules.late_again, "again")
    match rules.late_counted.value:
        case Scope.TOURNAMENT:
            return again if sheet.earlier_in_tournament else first
        case Scope.GAME:
            return again if sheet.earlier_in_game else first
        case Scope.ASK if not sheet.earlier_in_tournament:
            return first
        case Scope.ASK if sheet.earlier_in_game:
            return again
        case Scope.ASK:
            is_alike = rules.late_first.value is rules.late_again.value
            return (rules.late_again, "again in the tournament") if is_alike else (None, "")
        case _:
            assert_never(rules.late_counted.value)


def _late_effect(late: Late, sheet: LateSheet) -> Effect:
    """The late policy's effect on the orders of a late sheet."""
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


def _decide_missing(setting: Setting[MissingSheetRule]) -> SheetConduct:
    """A missing sheet is "no orders" only after a person has looked for it and ruled so."""
    silent = "; the rules do not say what becomes of its units: without orders they hold"
    silent = silent if setting.value is MissingSheetRule.ASK else ""
    return SheetConduct(Effect.WAITS, f"look for it, then confirm that there is none{silent}", setting)


def _decide_two(setting: Setting[TwoSheetsRule], *, resubmitted: bool) -> SheetConduct:
    """Of two sheets the rules choose one, or join them."""
    effects = {
        TwoSheetsRule.ASK: Effect.ASK,
        TwoSheetsRule.FIRST: Effect.FIRST_SHEET,
        TwoSheetsRule.LAST: Effect.LAST_SHEET,
        TwoSheetsRule.PER_UNIT: Effect.PER_UNIT,
    }
    came = "a second sheet came later" if resubmitted else "two sheets came together"
    return SheetConduct(effects[setting.value], f"{came}: {setting.value.meaning}", setting)


def _decide_fault(fault: FaultOfForm, rules: ConductRules) -> SheetConduct:
    """A fault of form: accepted, refused, or for the director."""
    setting: Setting[ErrorFault] = getattr(rules, fault.switch)
    effects = {ErrorFault.ASK: Effect.ASK, ErrorFault.ACCEPTED: Effect.ACCEPTED, ErrorFault.REFUSED: Effect.NO_ORDERS}
    return SheetConduct(effects[setting.value], f"{fault.found}: {setting.value.meaning}", setting)


class Correction(StrEnum):
    """What becomes of an adjudication error."""

    CORRECTED = "corrected"
    STANDS = "stands"
    ASK = "ask"


class ErrorFound(Struct, frozen=True):
    """How far the game had gone when an adjudication error was pointed out."""

    orders_in: bool  # the orders of the next phase were in
    deadline_passed: bool  # the next deadline had passed
    adjudicated: bool  # the next season had been adjudicated: a movement phase, not the retreats or winter between


def decide_error(
    error: ErrorFound, rules: ConductRules
) -> tuple[Correction, Setting[ErrorLimit] | Setting[ErrorLater]]:
    """Say whether an adjudication error is still corrected, and by which switch."""
    passed = {
        ErrorLimit.NEXT_ORDERS: error.orders_in or error.deadline_passed or error.adjudicated,
        ErrorLimit.NEXT_DEADLINE: error.deadline_passed or error.adjudicated,
        ErrorLimit.NEXT_ADJUDICATION: error.adjudicated,
    }
    limit = rules.error_limit
    if limit.value is ErrorLimit.ASK:
        return Correction.ASK, limit
    if not passed[limit.value]:
        return Correction.CORRECTED, limit
    later = rules.error_later
    return (Correction.STANDS if later.value is ErrorLater.STANDS else Correction.ASK), later

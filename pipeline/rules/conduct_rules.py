"""What a tournament makes of sheets and players: table ``[conduct]``. The decisions are made in `conduct`."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from pipeline.rules.reading_rules import YesNo
from pipeline.rules.toml.setting import Asks, Choice, Setting


class Late(Choice):
    """What becomes of the orders on a sheet that came late."""

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
    EXCLUDED = "excluded", "the tournament goes on without him"


class HowOften(Choice):
    """How often a player may be on two boards."""

    ASK = "ask", "the director rules"
    ONCE = "once", "once in a tournament, as a volunteer, and never if he withdrew from a round"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ConductRules:
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
    two_sheets: Annotated[Setting[TwoSheetsRule], Asks("5", "a power handed in two sheets for one phase, together")]
    resubmitted: Annotated[
        Setting[TwoSheetsRule], Asks("5", "a sheet is handed in, and later another for the same phase")
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
        Setting[AbandonedPosition], Asks("29", "a player has left his position (who scores for it: scoring.replaced)")
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

"""What a tournament makes of doubtful lines: tables ``[reading]`` and ``[adjustments]``, which ``interpret`` obeys.

Every class of words below answers one kind of question; `ReadingRules` says which question each switch is about.
"""

from typing import Annotated

from msgspec import Struct

from pipeline.rules.switches import Asks, Setting
from pipeline.words.speech import Choice


class UnfollowedOrder(Choice):
    """What becomes of a unit whose order is not followed."""

    ASK = "ask", "the director rules"
    HOLD = "hold", "it holds and may be supported"


class ImpossibleOrder(Choice):
    """What becomes of a unit whose order is understood and cannot be carried out."""

    ASK = "ask", "the director rules"
    HOLD = "hold", "it holds and may be supported"
    HOLD_UNSUPPORTED = "hold_unsupported", "it stands in place and may not be supported to hold"
    TRIED_TO_MOVE = "tried_to_move", "it stands in place; if the order was a move it may not be supported to hold"


class Twice(Choice):
    """What becomes of a unit that is ordered more than once, differently."""

    ASK = "ask", "the director rules"
    HOLD = "hold", "it holds and may be supported"
    FIRST = "first", "the first order counts"
    LAST = "last", "the last order counts"


class OneInvalid(Choice):
    """What becomes of a unit that is ordered more than once, where only one of the orders is possible."""

    ASK = "ask", "the director rules"
    HOLD = "hold", "it holds and may be supported, as if both were possible"
    POSSIBLE = "possible", "the possible order counts"


class Repeated(Choice):
    """What becomes of a unit that is ordered more than once, each time the same."""

    ASK = "ask", "the director rules"
    ONCE = "once", "the repetition counts once"
    HOLD = "hold", "it holds and may be supported"


class Followed(Choice):
    """Whether a line with a small fault is followed as if it had none."""

    ASK = "ask", "the director rules"
    FOLLOWED = "followed", "the line is followed"
    FAILS = "fails", "the line is not followed and the unit holds"


class EvidenceRule(Choice):
    """Whether a kind of evidence may decide between several meanings of a word."""

    ASK = "ask", "where this alone would settle it, the director rules"
    SETTLES = "settles", "it decides where it leaves only one meaning"
    LISTED = "listed_words", "it decides only between provinces for which the table itself lists the word"
    IGNORED = "ignored", "it does not count: the word stays ambiguous"


class Unitless(Choice):
    """What becomes of an order that names no unit ("- Swe", "F to Swe")."""

    ASK = "ask", "the director rules"
    VOID = "void", "it is a null order, for no unit"
    ONE_MEANING = (
        "one_meaning",
        "it is followed if exactly one own unit without an order could carry it out, else it is void",
    )
    OWN_ORDERS = "own_orders", "an own support or convoy that names the unit completes it; otherwise the director rules"


class Implied(Choice):
    """Whether an order may be completed, or supplied, from other orders of the same sheet."""

    ASK = "ask", "the director rules"
    NO = "no", "never: a unit does what its own line says"
    YES = (
        "yes",
        "a missing or incomplete order is supplied by the complete one in an own support or convoy order, and a "
        "missing convoy order by the own army's move if only one convoy makes it possible",
    )


class YesNo(Choice):
    """The answer to a plain question."""

    ASK = "ask", "the director rules"
    YES = "yes", "yes"
    NO = "no", "no"


class CoastNeeded(Choice):
    """When the coast of a destination must be written."""

    ASK = "ask", "where the fleet can reach both coasts, the director rules; where it can reach one, that one is meant"
    BOTH_REACHABLE = "both_reachable", "only where the fleet can reach both coasts; otherwise the one is meant"
    ALWAYS = "always", "always: without it the order is not followed"
    NEVER = "never", "never: without it the order is good for either coast"


class CoastWritten(Choice):
    """What becomes of a coast that is written and cannot be right."""

    ASK = "ask", "the director rules"
    FAILS = "fails", "the order is impossible, and treated as the other impossible orders are"
    IGNORED = "ignored", "the coast is passed over"


class SupportedCoast(Choice):
    """How far a coast that is named in a support binds it."""

    ASK = "ask", "the director rules"
    THAT_COAST = "that_coast", "the support is good for that coast only"
    EITHER_COAST = "either_coast", "the support is good for either coast"


class Route(Choice):
    """What a convoy route named in the army's order means."""

    ASK = "ask", "the director rules"
    BINDS = "binds", "the convoy takes place by that route or not at all"
    IGNORED = "ignored", "it only says that a convoy is wanted"


class ByLand(Choice):
    """How an army goes to a neighbouring coast that it could also reach by convoy."""

    ASK = "ask", "the director rules"
    LAND = "land", "by land, unless the order asks for a convoy"
    OWN_FLEET = "own_fleet", "by convoy if an own fleet is ordered to convoy it or the order asks for it, else by land"
    ANY_FLEET = "any_fleet", "by convoy whenever one is ordered, wanted or not"


class Misspelt(Choice):
    """What becomes of a word that is in no table and begins no word of it."""

    ASK = "ask", "the director rules"
    FOLLOWED = (
        "followed",
        "the nearest word is meant, if it is near enough and leads by enough; in a shorter word, the one province that "
        "is one letter away, if the unit can do nothing else with it",
    )
    FAILS = "fails", "the word is not understood"


class BuildLetter(Choice):
    """When a build must say army or fleet."""

    ASK = "ask", "the director rules"
    COAST = "coast", "on the coast only; inland it can only be an army"
    ALWAYS = "always", "always: without it there is no build"


class Unsaid(Choice):
    """What becomes of a unit that is named in winter with nothing else."""

    ASK = "ask", "the director rules"
    FOLLOWED = "followed", "it is built, or disbanded, as is due"
    VOID = "void", "a name alone is no order"


class Surplus(Choice):
    """Which orders stand when more builds or disbands are written than are due."""

    ASK = "ask", "the director rules"
    FIRST = "first", "the first possible ones stand"
    BOTTOM_UP = "bottom_up", "the surplus is struck from bottom to top and from right to left"
    LAST = "last", "the lowest written stand"
    NONE = "none", "none of them stands"


class LostSheet(Choice):
    """Which surplus builds go when the sheet cannot be looked at again."""

    ASK = "ask", "the director rules"
    FLEETS_FIRST = "fleets_first", "fleets before armies, then alphabetically by province"


class LostRetreat(Choice):
    """What becomes of a dislodged unit without a good retreat order."""

    ASK = "ask", "the director rules"
    DISBANDED = "disbanded", "it is disbanded"


class NoBuild(Choice):
    """What becomes of a build that is missing or cannot be made."""

    ASK = "ask", "the director rules"
    NONE = "none", "nothing is built"


class Removal(Choice):
    """What becomes of a disband that is due and not ordered."""

    ASK = "ask", "the director rules"
    AUTOMATIC = "automatic", "units are removed in the order of table [judge]"
    AUTOMATIC_TOLD = (
        "automatic_told",
        "units are removed in the order of table [judge], and the director is told: it may be cheating",
    )


class Balance(Choice):
    """What counts when a power gains and loses centres in the same year."""

    ASK = "ask", "the director rules"
    BALANCE = "balance", "only the balance: it builds or disbands, never both"


class RetreatsWritten(Choice):
    """When orders of retreat must be written."""

    ASK = "ask", "the director rules"
    ALWAYS = "always", "always"
    COULD_MEET = "could_meet", "only if two retreating units could go to the same place"
    TWO_POWERS = (
        "two_powers",
        "only if more than one power has a retreat; a single one may be placed on the board, and is final",
    )


class ReadingRules(Struct, frozen=True, kw_only=True):
    """Table ``[reading]``: movement and retreat lines, and words in any phase."""

    # a unit and its lines
    not_ordered: Annotated[Setting[UnfollowedOrder], Asks("2, 7", "a unit is not ordered")]
    implied: Annotated[
        Setting[Implied], Asks("7, 8", "another order of the same sheet says what a unit without an order is to do")
    ]
    twice_different: Annotated[Setting[Twice], Asks("6", "a unit is ordered twice, differently")]
    twice_one_invalid: Annotated[
        Setting[OneInvalid], Asks("6", "a unit is ordered twice and only one of the orders is possible")
    ]
    twice_same: Annotated[Setting[Repeated], Asks("6", "a unit is ordered twice, with the same order")]
    bare_unit: Annotated[Setting[UnfollowedOrder], Asks("34", "a line names a unit and no order")]
    unitless: Annotated[Setting[Unitless], Asks("8", "a line is an order without a unit")]
    struck_out: Annotated[Setting[Followed], Asks("9", "a line is crossed out")]
    overwritten: Annotated[Setting[Followed], Asks("9", "a word is written over another")]
    # words that may mean several provinces
    word_reachability: Annotated[
        Setting[EvidenceRule], Asks("11", "only one province that the word may mean can be reached")
    ]
    word_own_orders: Annotated[
        Setting[EvidenceRule], Asks("11", "other orders of the same sheet show which province a word means")
    ]
    word_letter_case: Annotated[
        Setting[EvidenceRule],
        Asks("11", "a sheet keeps seas in capitals and land in lower case, and that shows which province a word means"),
    ]
    word_unsettled: Annotated[
        Setting[UnfollowedOrder], Asks("11", "a word may mean several provinces and nothing settles it")
    ]
    prefix: Annotated[
        Setting[Followed],
        Asks("11", "a word in no table is the beginning, or the initials, of only one province's words"),
    ]
    misspelt: Annotated[
        Setting[Misspelt],
        Asks("10, 11", "a word is in no table and begins no word of it, or only one fits the letters that can be read"),
    ]
    misspelt_nearness: Annotated[
        Setting[float], Asks("11", "how near must the nearest word be? (Jaro-Winkler, 0 to 1)")
    ]
    misspelt_lead: Annotated[Setting[float], Asks("11", "by how much must it lead over the nearest other province?")]
    misspelt_letters: Annotated[
        Setting[int], Asks("11", "how many letters must a misspelt word have for that to be enough?")
    ]
    misspelt_unsettled: Annotated[
        Setting[UnfollowedOrder],
        Asks("10, 11", "a misspelt word may be meant for several provinces, or has too few letters"),
    ]
    # parts that cannot be read
    illegible_reachability: Annotated[
        Setting[EvidenceRule],
        Asks("10", "part cannot be read or lacks, and one reading can be carried out"),
    ]
    illegible_own_orders: Annotated[
        Setting[EvidenceRule], Asks("10", "part cannot be read, and other orders of the same sheet show it")
    ]
    illegible_unsettled: Annotated[
        Setting[UnfollowedOrder], Asks("10", "part cannot be read or belongs to no order, and nothing settles it")
    ]
    # orders that are understood and cannot be followed
    impossible: Annotated[
        Setting[ImpossibleOrder], Asks("12", "an order is understood and impossible (Mun-Mun, Mos-Par without a route)")
    ]
    meaningless: Annotated[
        Setting[UnfollowedOrder],
        Asks("12", "the words after the unit are no order here (dances; a build on a sheet for retreats)"),
    ]
    # unit letters, nationality
    letter_missing: Annotated[Setting[Followed], Asks("13", "the letter A or F is missing")]
    letter_wrong: Annotated[Setting[Followed], Asks("13", "the ordered unit's letter is wrong")]
    other_letter_wrong: Annotated[Setting[Followed], Asks("13", "the letter of a supported or convoyed unit is wrong")]
    nation_missing: Annotated[Setting[Followed], Asks("14", "the nationality of a foreign unit is not written")]
    nation_wrong: Annotated[Setting[Followed], Asks("14", "the nationality that is written is wrong")]
    # coasts
    coast_needed: Annotated[
        Setting[CoastNeeded], Asks("15", "a fleet moves or retreats to a province with two coasts, coast not written")
    ]
    coast_needed_in_support: Annotated[
        Setting[CoastNeeded], Asks("15", "a fleet's move to two coasts is supported, coast not written")
    ]
    coast_missing: Annotated[Setting[UnfollowedOrder], Asks("15", "a coast was needed and is missing")]
    unit_coast_missing: Annotated[Setting[Followed], Asks("15", "the coast on which the unit stands is not written")]
    coast_wrong: Annotated[Setting[CoastWritten], Asks("16", "the coast written cannot be reached")]
    unit_coast_wrong: Annotated[
        Setting[CoastWritten], Asks("16", "the coast on which the unit is said to stand is wrong")
    ]
    coast_needless: Annotated[
        Setting[CoastWritten], Asks("16", "a coast is written for an army, or where there is none")
    ]
    coast_in_support: Annotated[Setting[SupportedCoast], Asks("16", "a support names a coast")]
    # convoys
    by_land: Annotated[Setting[ByLand], Asks("17", "an army could go by land or by convoy")]
    route: Annotated[Setting[Route], Asks("17, 19", "an army's order names its convoy route")]
    # retreats
    retreat_missing: Annotated[Setting[LostRetreat], Asks("22", "a dislodged unit has no retreat order")]
    retreat_invalid: Annotated[Setting[LostRetreat], Asks("22", "a retreat order cannot be followed")]
    retreat_written: Annotated[Setting[RetreatsWritten], Asks("22", "must retreats be written?")]


class AdjustmentRules(Struct, frozen=True, kw_only=True):
    """Table ``[adjustments]``: builds and disbands."""

    build_missing: Annotated[Setting[NoBuild], Asks("23", "a build that is due is not ordered")]
    build_invalid: Annotated[Setting[NoBuild], Asks("23", "a build is ordered that cannot be made")]
    first_year_builds: Annotated[
        Setting[int | None],
        Asks(
            "23",
            "how many missing builds does the referee choose and impose in the first year? (0: none)",
        ),
    ]
    bare_unit: Annotated[
        Setting[Unsaid], Asks("34, 23, 25", "a line names a unit and nothing else, and a build or a disband is due")
    ]
    build_letter: Annotated[Setting[BuildLetter], Asks("13", "a build does not say army or fleet")]
    build_coast_missing: Annotated[Setting[NoBuild], Asks("15", "a fleet is built in St Petersburg, coast not written")]
    too_many_builds: Annotated[Setting[Surplus], Asks("24", "more builds are ordered than are due")]
    too_many_builds_sheet_lost: Annotated[
        Setting[LostSheet], Asks("24, 28", "too many were built and the sheet is lost")
    ]
    too_many_disbands: Annotated[Setting[Surplus], Asks("24, 25", "more disbands are ordered than are due")]
    disband_missing: Annotated[
        Setting[Removal], Asks("25", "a disband that is due is not ordered, or cannot be carried out")
    ]
    gains_and_losses: Annotated[Setting[Balance], Asks("26", "a power gains and loses centres in the same year")]

"""Every doubt a line can raise. First a doubt is found, then the rules judge it."""

from dataclasses import dataclass
from enum import StrEnum

from pipeline.words import Told, sentence


class Doubt(StrEnum):
    """One kind of doubt; `pipeline.words` has a sentence for each, with places for what it is about."""

    # words
    TWO_PLACES = "TWO_PLACES"
    ILLEGIBLE = "ILLEGIBLE"
    INITIALS = "INITIALS"
    BEGINNING = "BEGINNING"
    MISSPELT = "MISSPELT"
    OTHER_NAME = "OTHER_NAME"  # of a province, in another language or of another time
    ELSEWHERE = "ELSEWHERE"  # the real name of what is no province
    UNKNOWN_WORD = "UNKNOWN_WORD"
    EXTRA_WORDS = "EXTRA_WORDS"
    OTHER_PART = "OTHER_PART"  # of text: another order on the same line
    UNIT_INSIDE = "UNIT_INSIDE"
    NO_SIGN = "NO_SIGN"
    SENSELESS = "SENSELESS"
    INCOMPLETE = "INCOMPLETE"
    WRONG_PHASE = "WRONG_PHASE"
    STRUCK_OUT = "STRUCK_OUT"
    OVERWRITTEN = "OVERWRITTEN"
    # the unit
    BLANK_UNIT = "BLANK_UNIT"
    BARE_UNIT = "BARE_UNIT"
    NO_SUCH_UNIT = "NO_SUCH_UNIT"
    NOT_YOUR_UNIT = "NOT_YOUR_UNIT"
    NO_ORDER = "NO_ORDER"  # of a unit that no line names
    NO_LETTER = "NO_LETTER"
    UNIT_LETTER = "UNIT_LETTER"
    OTHER_LETTER = "OTHER_LETTER"
    NATION = "NATION"
    NO_NATION = "NO_NATION"
    TWICE_SAME = "TWICE_SAME"
    TWICE_DIFF = "TWICE_DIFF"
    IMPLIED = "IMPLIED"
    # coasts
    COAST_NEEDED = "COAST_NEEDED"
    COAST_WRONG = "COAST_WRONG"
    TWO_COASTS = "TWO_COASTS"  # of place, reach: the coasts that can be meant
    UNIT_COAST = "UNIT_COAST"
    UNIT_COAST_WRONG = "UNIT_COAST_WRONG"
    OTHER_COAST_WRONG = "OTHER_COAST_WRONG"
    COAST_NEEDLESS = "COAST_NEEDLESS"
    # what cannot be done
    NOT_ADJACENT = "NOT_ADJACENT"
    NO_ROUTE = "NO_ROUTE"
    CANNOT_STAND = "CANNOT_STAND"
    TO_ITSELF = "TO_ITSELF"
    NOTHING_THERE = "NOTHING_THERE"
    NO_CARRIER = "NO_CARRIER"
    # how an army travels
    VIA_CONVOY = "VIA_CONVOY"
    ROUTE_NAMED = "ROUTE_NAMED"
    # retreats and adjustments
    NOT_DISLODGED = "NOT_DISLODGED"
    NO_RETREAT = "NO_RETREAT"
    RETREAT_MISSING = "RETREAT_MISSING"
    CANNOT_BUILD = "CANNOT_BUILD"
    CANNOT_DISBAND = "CANNOT_DISBAND"
    NOT_DUE = "NOT_DUE"
    BARE_CHANGE = "BARE_CHANGE"
    BUILD_LETTER = "BUILD_LETTER"
    BUILD_COAST = "BUILD_COAST"
    OVERBUILD = "OVERBUILD"
    SHORT_BUILD = "SHORT_BUILD"
    OVERDISBAND = "OVERDISBAND"
    SHORT_DISBAND = "SHORT_DISBAND"
    # the rule can be read in another way
    READ_OTHERWISE = "READ_OTHERWISE"
    # a ruling of the same kind was made before
    RULED_BEFORE = "RULED_BEFORE"


class ReadingChange(StrEnum):
    """What is due in an adjustment phase."""

    BUILD = "BUILD"
    DISBAND = "DISBAND"
    NONE = "NONE"


@dataclass(frozen=True, slots=True)
class Found(Told):
    """A doubt about something: ``str(found)`` is the sentence."""

    code: Doubt

    @property
    def doubt(self) -> Doubt:
        """Which doubt it is."""
        return self.code

    def __str__(self) -> str:
        return sentence(self)


IMPOSSIBLE = frozenset(
    {Doubt.NOT_ADJACENT, Doubt.NO_ROUTE, Doubt.CANNOT_STAND, Doubt.TO_ITSELF, Doubt.NOTHING_THERE, Doubt.NO_CARRIER}
)
NOBODYS = frozenset({Doubt.NO_SUCH_UNIT, Doubt.NOT_YOUR_UNIT, Doubt.NOT_DISLODGED})

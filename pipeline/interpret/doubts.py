"""Every doubt a line can raise, each with its sentence. First a doubt is found, then the rules judge it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class Doubt(StrEnum):
    """One kind of doubt. ``sentence`` says it in words, with a place for what it is about."""

    sentence: str

    def __new__(cls, code: str, sentence: str) -> Self:
        """Make a member of its code and its sentence."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.sentence = sentence
        return member

    # words
    TWO_PLACES = "TWO_PLACES", "{} may mean several provinces"
    ILLEGIBLE = "ILLEGIBLE", "part of {} cannot be read"
    INITIALS = "INITIALS", "{} is in no table: the initials of only one province's name"
    BEGINNING = "BEGINNING", "{} is in no table, and begins only one province's words"
    MISSPELT = "MISSPELT", "{} is in no table, and is near to one"
    UNKNOWN_WORD = "UNKNOWN_WORD", "{} is no province that is known"
    EXTRA_WORDS = "EXTRA_WORDS", "{} belongs to no order"
    NO_SIGN = "NO_SIGN", "nothing between {} says what is ordered"
    SENSELESS = "SENSELESS", "{} is no order"
    INCOMPLETE = "INCOMPLETE", "the order breaks off after {}"
    WRONG_PHASE = "WRONG_PHASE", "{} is not an order of this phase"
    STRUCK_OUT = "STRUCK_OUT", "{} is crossed out"
    OVERWRITTEN = "OVERWRITTEN", "a word is written over another in {}"
    # the unit
    BLANK_UNIT = "BLANK_UNIT", "no unit is named{}"
    BARE_UNIT = "BARE_UNIT", "{} has no order"
    NO_SUCH_UNIT = "NO_SUCH_UNIT", "there is no unit in {}"
    NOT_YOUR_UNIT = "NOT_YOUR_UNIT", "the unit in {}"
    NO_LETTER = "NO_LETTER", "army or fleet is not written: {}"
    UNIT_LETTER = "UNIT_LETTER", "the wrong unit letter is written: {}"
    OTHER_LETTER = "OTHER_LETTER", "the wrong unit letter is written: {}"
    NATION = "NATION", "the wrong nationality is written: {}"
    NO_NATION = "NO_NATION", "the nationality of {} is not written"
    TWICE_SAME = "TWICE_SAME", "{} is ordered twice, with the same order"
    TWICE_DIFF = "TWICE_DIFF", "{} is ordered twice, differently"
    IMPLIED = "IMPLIED", "the order is taken from {}"
    # coasts
    COAST_NEEDED = "COAST_NEEDED", "the coast of {} is not written"
    COAST_WRONG = "COAST_WRONG", "the coast is wrong: {}"
    UNIT_COAST = "UNIT_COAST", "the coast on which the unit stands is not written: {}"
    UNIT_COAST_WRONG = "UNIT_COAST_WRONG", "the coast on which the unit stands is wrong: {}"
    OTHER_COAST_WRONG = "OTHER_COAST_WRONG", "the coast on which the other unit stands is wrong: {}"
    COAST_NEEDLESS = "COAST_NEEDLESS", "a coast is written where there is none: {}"
    # what cannot be done
    NOT_ADJACENT = "NOT_ADJACENT", "{}"
    NO_ROUTE = "NO_ROUTE", "{}"
    CANNOT_STAND = "CANNOT_STAND", "{}"
    TO_ITSELF = "TO_ITSELF", "{}"
    NOTHING_THERE = "NOTHING_THERE", "{}"
    NO_CARRIER = "NO_CARRIER", "{}"
    # how an army travels
    VIA_CONVOY = "VIA_CONVOY", "{} could go by land or by convoy, and the order does not say"
    ROUTE_NAMED = "ROUTE_NAMED", "the order names its convoy route: {}"
    # retreats and adjustments
    NOT_DISLODGED = "NOT_DISLODGED", "no unit was dislodged from {}"
    NO_RETREAT = "NO_RETREAT", "{}"
    RETREAT_MISSING = "RETREAT_MISSING", "no retreat is ordered for {}"
    CANNOT_BUILD = "CANNOT_BUILD", "{}"
    CANNOT_DISBAND = "CANNOT_DISBAND", "{}"
    NOT_DUE = "NOT_DUE", "{}"
    BARE_CHANGE = "BARE_CHANGE", "{} is named, and not what becomes of it"
    BUILD_LETTER = "BUILD_LETTER", "army or fleet is not written for the build in {}"
    BUILD_COAST = "BUILD_COAST", "the coast is not written for the fleet in {}"
    OVERBUILD = "OVERBUILD", "{}"
    SHORT_BUILD = "SHORT_BUILD", "{}"
    OVERDISBAND = "OVERDISBAND", "{}"
    SHORT_DISBAND = "SHORT_DISBAND", "{}"
    # the rule can be read in another way
    READ_OTHERWISE = "READ_OTHERWISE", "read in the other way, {}"
    # a ruling of the same kind was made before
    RULED_BEFORE = "RULED_BEFORE", "{}"


@dataclass(frozen=True, slots=True)
class Found:
    """A doubt about something: ``str(found)`` is the sentence."""

    doubt: Doubt
    about: str = ""

    def __str__(self) -> str:
        return self.doubt.sentence.format(self.about)


IMPOSSIBLE = frozenset(
    {Doubt.NOT_ADJACENT, Doubt.NO_ROUTE, Doubt.CANNOT_STAND, Doubt.TO_ITSELF, Doubt.NOTHING_THERE, Doubt.NO_CARRIER}
)
NOBODYS = frozenset({Doubt.NO_SUCH_UNIT, Doubt.NOT_YOUR_UNIT, Doubt.NOT_DISLODGED})

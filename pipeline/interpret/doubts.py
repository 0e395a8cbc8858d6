"""Every doubt a line can raise. First a doubt is found, then the rules judge it."""

from collections.abc import Iterable

from msgspec import Struct

from pipeline.board import Kind, Power, province_of
from pipeline.judge.legality import Battlefield, refusal
from pipeline.orders import Convoy, Move, Order, Support
from pipeline.words.speech import Message, SentenceCode, sentence


class Doubt(SentenceCode):
    """One kind of doubt. The comments name what its sentence mentions."""

    # words
    TWO_PLACES = "TWO_PLACES"
    ILLEGIBLE = "ILLEGIBLE"
    INITIALS = "INITIALS"
    BEGINNING = "BEGINNING"
    MISSPELT = "MISSPELT"
    OTHER_NAME = "OTHER_NAME"  # of a province, in another language or of another time
    ELSEWHERE = "ELSEWHERE"  # the real name of a place outside the map
    UNKNOWN_WORD = "UNKNOWN_WORD"
    EXTRA_WORDS = "EXTRA_WORDS"
    NOT_ALL_READ = "NOT_ALL_READ"
    OTHER_PART = "OTHER_PART"  # of text: another order on the same line
    UNIT_INSIDE = "UNIT_INSIDE"
    NO_SIGN = "NO_SIGN"
    SENSELESS = "SENSELESS"
    INCOMPLETE = "INCOMPLETE"
    WRONG_PHASE = "WRONG_PHASE"
    UNDER_HEADING = "UNDER_HEADING"  # of text: a line that may change those below it, or above it
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
    # the setting that decides could also have another value (`Setting.otherwise`)
    READ_OTHERWISE = "READ_OTHERWISE"
    # a ruling of the same kind was made before
    RULED_BEFORE = "RULED_BEFORE"


class WinterDue(SentenceCode):
    """What a power's centres and units make due in an adjustment phase."""

    BUILD = "BUILD"
    DISBAND = "DISBAND"
    NONE = "NONE"


class LineDoubt(Message):
    """A doubt about a line: ``str(doubt)`` is its sentence."""

    __slots__ = ()
    CODES = Doubt
    code: Doubt

    def __str__(self) -> str:
        return sentence(self)


IMPOSSIBLE = frozenset(
    {Doubt.NOT_ADJACENT, Doubt.NO_ROUTE, Doubt.CANNOT_STAND, Doubt.TO_ITSELF, Doubt.NOTHING_THERE, Doubt.NO_CARRIER}
)
NOBODYS = frozenset({Doubt.NO_SUCH_UNIT, Doubt.NOT_YOUR_UNIT, Doubt.NOT_DISLODGED})


# Why a line is read as it is, and what speaks for each order that it may mean.


class Because(SentenceCode):
    """One kind of reason, beside the doubts. The comments name what its sentence mentions."""

    AS_WRITTEN = "AS_WRITTEN"
    RULE = "RULE"  # of value: a setting's value says what becomes of it
    DIRECTOR_RULES = "DIRECTOR_RULES"  # of why: the reason that the setting gives, or nothing
    RULES_SILENT = "RULES_SILENT"  # of why: likewise, and no rule says anything
    NAME_ALONE = "NAME_ALONE"
    NAMED_AND_DUE = "NAMED_AND_DUE"  # of named, due: more units are named than there is anything to do with
    NO_COMPLETE_ORDER = "NO_COMPLETE_ORDER"  # of unit
    NOTHING_OPEN = "NOTHING_OPEN"  # to a dislodged unit
    NEED_NOT_BE_WRITTEN = "NEED_NOT_BE_WRITTEN"  # of value
    FIRST_YEAR = "FIRST_YEAR"  # of wanted: so many builds the referee imposes
    OFFERED = "OFFERED"  # of ruling: one that was made before
    REFUSED = "REFUSED"  # of why: what the judge says against it
    NO_CONVOY = "NO_CONVOY"  # of place: it is no sea
    NOT_BY_LAND = "NOT_BY_LAND"  # of unit, place: "by land" is written
    # what settled a doubtful word
    NOTHING_ELSE = "NOTHING_ELSE"
    OWN_ORDERS = "OWN_ORDERS"
    REACH = "REACH"
    LETTER_CASE = "LETTER_CASE"
    # what speaks for an order that may be meant
    TAKEN = "TAKEN"  # of words: each `WORD`
    WORD = "WORD"  # of text, province, how, spelling, likeness
    NOT_FOLLOWED = "NOT_FOLLOWED"
    WITH_COAST = "WITH_COAST"
    OTHER_READING = "OTHER_READING"
    IDLE_UNIT = "IDLE_UNIT"
    IDLE_DISLODGED = "IDLE_DISLODGED"
    IMPLIED_BY = "IMPLIED_BY"  # of line
    OPEN_TO_IT = "OPEN_TO_IT"
    IF_MEANT = "IF_MEANT"
    POSSIBLE = "POSSIBLE"


def by_rule(value: object) -> Message:
    """The reason that a setting's value says what becomes of a line."""
    return Message.of(Because.RULE, value=value)


AS_WRITTEN = Message.of(Because.AS_WRITTEN)
DIRECTOR_RULES = Message.of(Because.DIRECTOR_RULES, why=())


# The meanings of a word: provinces, how each was found, and whether the word alone decides.


class WordMatch(SentenceCode):
    """How a word came to mean a province."""

    LISTED = "LISTED"
    OTHER_NAME = "OTHER_NAME"  # in another language, or of another time
    WITHIN = "WITHIN"  # the name of what lies within it
    DISPUTED = "DISPUTED"  # listed as ambiguous in the table
    INITIALS = "INITIALS"
    BEGINS = "BEGINS"
    NEAR = "NEAR"
    FITS = "FITS"  # in all letters that can be read


class Meaning(Struct, frozen=True):
    """One province that a word may mean."""

    code: str
    how: WordMatch
    spelling: str  # the word of the table
    likeness: float  # 0..1, Jaro-Winkler; 1 for a word that is listed, begins one or fits one
    is_slip: bool = False  # one letter left out, put in or changed, or two neighbours swapped

    def of_word(self, text: str) -> Message:
        """The reason that a word was taken for this province, and how it was found."""
        likeness = (f"{self.likeness:.2f}",) if self.how is WordMatch.NEAR else ()
        return Message.of(
            Because.WORD, text=text, province=self.code, how=self.how, spelling=self.spelling, likeness=likeness
        )


class Sense(Struct, frozen=True):
    """The meanings of a word, likeliest first, and whether the word alone decides."""

    meanings: tuple[Meaning, ...]
    is_firm: bool  # one meaning, and near enough to it and far enough from all others
    likely: Meaning | None = None  # for a short word: its meaning if the unit has no other possible order
    is_elsewhere: bool = False  # the real name of a place that is no province
    are_alternatives: bool = False  # more than one place is written, with a stroke or nothing between them, or a denial

    @property
    def codes(self) -> tuple[str, ...]:
        return tuple(meaning.code for meaning in self.meanings)

    @property
    def how(self) -> WordMatch | None:
        """How its likeliest meaning was found."""
        return self.meanings[0].how if self.meanings else None

    @property
    def may_be_a_slip(self) -> bool:
        """Whether it may be misspelt: then its meanings are no closed list, and legality does not decide."""
        return not self.is_firm and (self.how is WordMatch.NEAR or self.likely is not None or self.is_elsewhere)


def sense_of(meanings: Iterable[Meaning]) -> Sense:
    """Make a sense of meanings that are all equally good; each province is in it once, as it was found first."""
    by_code: dict[str, Meaning] = {}
    for meaning in meanings:
        by_code.setdefault(meaning.code, meaning)
    return Sense(tuple(by_code.values()), is_firm=len(by_code) == 1)


# Impossible orders: the judge says why; here each reason only gets its code among the doubts.


def hindrance(field: Battlefield, power: Power, order: Order) -> LineDoubt | None:
    """An order that cannot be carried out, whatever the others order, is impossible (DATC 4.E.1)."""
    why = refusal(field, power, order)
    return None if why is None else LineDoubt.of(_classify_impossible(field, order), why=why)


def _classify_impossible(field: Battlefield, order: Order) -> Doubt:
    """Name the kind of impossibility."""
    match order:
        case Move():
            return _name_of_move(field, order)
        case Support(_, of, _) | Convoy(_, of, _) if of.province not in field.at:
            return Doubt.NOTHING_THERE
        case Support(unit, of, to):
            if province_of(to or of.place) in {unit.province, of.province} and (to or of.province == unit.province):
                return Doubt.TO_ITSELF
            return Doubt.CANNOT_STAND if _is_closed(field, to or of.place) else Doubt.NOT_ADJACENT
        case Convoy(unit, of, to):
            if unit.place not in field.ground.seas or of.kind is not Kind.ARMY:
                return Doubt.NO_CARRIER
            return Doubt.TO_ITSELF if province_of(to) == of.province else Doubt.NO_ROUTE
        case _:
            return Doubt.WRONG_PHASE


def _name_of_move(field: Battlefield, order: Move) -> Doubt:
    ground, to = field.ground, province_of(order.to)
    if to == order.unit.province:
        return Doubt.TO_ITSELF
    if order.unit.kind is Kind.FLEET:
        if order.via:
            return Doubt.NO_CARRIER
        inland = to not in ground.seas and to not in ground.coastal  # a closed province is neither
        return Doubt.CANNOT_STAND if inland else Doubt.NOT_ADJACENT
    if to in ground.seas or _is_closed(field, to):
        return Doubt.CANNOT_STAND
    return Doubt.NO_ROUTE if to in ground.coastal and order.unit.place in ground.coastal else Doubt.NOT_ADJACENT


def _is_closed(field: Battlefield, place: str) -> bool:
    """Say whether a place is drawn on the map and never entered: Switzerland."""
    return province_of(place) not in field.ground.board.provinces

"""The verdict on a doubt: which setting of the rules file decides it, and what becomes of the line."""

from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Unit
from pipeline.interpret.doubts import IMPOSSIBLE, NOBODYS, Because, Doubt, LineDoubt, Sense, by_rule
from pipeline.interpret.order_words import Phrase, Reading, Senseless, Shape, UnitWords
from pipeline.interpret.tokens import Token
from pipeline.orders import Order, write
from pipeline.rules import reading_rules
from pipeline.rules.rulings_book import Situation
from pipeline.rules.switches import Setting, rules_of
from pipeline.rules.tournament import Tournament
from pipeline.words.speech import Message, sentences

# One line of a sheet on its way from ink to order, with everything that decided it.


class Status(StrEnum):
    """What the rules made of a line."""

    CLEAR = "clear"  # it has one meaning, and that is followed
    AMBIGUOUS = "ambiguous"  # understood in two ways or more
    ILLEGAL = "illegal"  # understood, and not possible here
    INVALID = "invalid"  # not understood
    VOID = "void"  # no order, for no unit or of no effect
    ASK = "ask"  # the rules are silent, and the director must rule


NOT_POSSIBLE = frozenset({Status.ILLEGAL, Status.INVALID})


class Line(Struct, frozen=True):
    """One written line as the transcription or a person gives it; then its words, and the orders that they make."""

    number: int  # 1.., as on the sheet
    text: str  # once it is cut into words, with those that ditto marks stand for
    struck_out: bool = False  # the whole line
    overwritten: bool = False  # a word stands over another
    shown: str = ""  # as it is on the paper, ditto marks and all
    tokens: tuple[Token, ...] = ()
    notes: tuple[LineDoubt, ...] = ()  # what was seen on the paper
    also: tuple[int, ...] = ()  # the lines that continue it
    orders: "tuple[Entry, ...]" = ()


class Entry(Struct, frozen=True):
    """One order of a line: how it is written; then all that it may mean; then what the tournament's rules make of it.

    Until the rules have judged it, a person must rule on it.
    """

    shape: Shape
    text: str  # the piece of the line
    rest: str = ""  # words that belong to no order: a remark, an alternative, what nobody understands
    is_spoilt: bool = False  # those words are another order for its unit, a condition, a negation: two meanings
    is_odd: bool = False  # not every word and sign of the piece is accounted for by the order
    other_shapes: tuple[Shape, ...] = ()  # what else the line may order the unit to do
    # what it may mean, once the words are looked up
    line: int = 0  # 0: it belongs to no single line
    readings: tuple[Reading, ...] = ()  # none: ``fault`` says why
    senses: tuple[tuple[Phrase, Sense], ...] = ()
    fault: LineDoubt | None = None  # what keeps the line from being an order at all
    unit: Unit | None = None  # the own unit it is about, as far as it can be told
    notes: tuple[LineDoubt, ...] = ()  # what was seen on the paper
    alternatives: tuple[Reading, ...] = ()  # what else the line may order, or its best reading where it is no order
    fitting: tuple[Reading, ...] = ()  # orders that fit what is written around a gap in the line
    # what the rules make of it
    order: Order | None = None  # what will be adjudicated; None: no unit is ordered by it, or a person must rule
    status: Status = Status.ASK
    settings: tuple[Setting[Any], ...] = ()  # of the rules file: what decided the line; none where no rule was needed
    because: tuple[Message, ...] = ()
    found: LineDoubt | None = None  # the doubt that keeps the line from being followed, where one does
    doubts: tuple[LineDoubt, ...] = ()
    candidates: tuple[Reading, ...] = ()
    read: Order | None = None  # the one meaning that was read, followed or not
    also: tuple[int, ...] = ()  # the lines that continue the first one
    situation: Situation | None = None  # what the director is asked, where he is
    by_itself: "Entry | None" = None  # the entry as it would be without the other part of its line

    def with_notes(self, notes: tuple[LineDoubt, ...]) -> "Entry":
        """Add notes on what was seen on the paper."""
        return replace(self, notes=(*self.notes, *notes)) if notes else self

    @property
    def is_misspelt(self) -> bool:
        """A word of it is in no table, and may be a slip of the pen for several."""
        return any(sense.may_be_a_slip for _, sense in self.senses)

    @property
    def is_plain(self) -> bool:
        """One reading, and every word of it firm."""
        return len(self.readings) == 1 and all(sense.is_firm for _, sense in self.senses)

    @property
    def reason(self) -> str:
        """Why it is taken so, in words."""
        return sentences(self.because)

    @property
    def rule(self) -> str:
        """The rules that decided it, "EDC96 8"; empty where no rule was needed, or the rules are silent."""
        return rules_of(self.settings)

    @property
    def is_implied(self) -> bool:
        """Whether the order is implied: the rules derive it from what another line, or this one, says of the unit."""
        return any(doubt.code is Doubt.IMPLIED for doubt in self.doubts)

    @property
    def is_supplied(self) -> bool:
        """Whether no line is about the unit, and another unit's line implies its order."""
        sources = [doubt for doubt in self.doubts if doubt.code is Doubt.IMPLIED]
        return any((doubt["line"], doubt["text"]) == (self.line, self.text) for doubt in sources)

    def __str__(self) -> str:
        order = write(self.order) if self.order is not None else "no order"
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{self.text}: {self.status} {order}{rule} {self.reason}"


NOTHING_WRITTEN = Senseless(UnitWords(), "")  # of what no line says
NOT_FOLLOWED = (Message.of(Because.NOT_FOLLOWED),)  # why an order is offered that its unit has if none is followed


def with_setting(entry: Entry, setting: Setting[Any]) -> tuple[Setting[Any], ...]:
    """The settings that decided an entry, and one more."""
    return entry.settings if setting in entry.settings else (*entry.settings, setting)


def name_alone(entry: Entry) -> Entry:
    """A unit's name alone orders nothing: names stand printed on some sheets."""
    because = (Message.of(Because.NAME_ALONE),)
    return replace(entry, status=Status.VOID, order=None, settings=(), because=because, candidates=())


class Interpretation(Struct, frozen=True):
    """One sheet: every order on it, and what follows for the units of its power."""

    entries: tuple[Entry, ...]
    orders: tuple[Order, ...]  # each once, in the order of the sheet
    unordered: tuple[Unit, ...]  # own units that no line orders
    remarks: tuple[Entry, ...] = ()  # what no single line is about: too few disbands, a missing retreat


class Fate(StrEnum):
    """What becomes of a line, or of the unit it is about."""

    FOLLOWED = "followed"
    HOLDS = "holds"  # it holds, and may be supported; in retreats and adjustments, it has no order
    AS_WRITTEN = "as written"  # the judge is given the impossible order: his rulebook denies it support
    NOBODY = "nobody"  # it orders no unit
    ASK = "ask"


class Verdict(Struct, frozen=True):
    """What a setting of the rules file makes of one doubt."""

    fate: Fate
    status: Status
    setting: Setting[Any]
    found: LineDoubt
    why: Because | None = None  # what settled it, where something did

    @property
    def because(self) -> tuple[Message, ...]:
        """The doubt, and what the rule makes of it."""
        if self.why is not None and self.fate is Fate.FOLLOWED:
            return self.found, Message.of(self.why)
        if self.fate is Fate.NOBODY:
            return (self.found,)
        if self.fate is Fate.ASK:
            return self.found, director_rules(self.setting)
        return (
            (self.found, by_rule(self.setting.value)) if getattr(self.setting.value, "meaning", "") else (self.found,)
        )


def director_rules(setting: Setting[Any]) -> Message:
    """The reason that the director decides: a rule says so, or there is none."""
    code = Because.DIRECTOR_RULES if setting.rule else Because.RULES_SILENT
    return Message.of(code, why=(setting.why,) if setting.why else ())


FATES: dict[object, Fate] = {
    reading_rules.UnfollowedOrder.ASK: Fate.ASK,
    reading_rules.UnfollowedOrder.HOLD: Fate.HOLDS,
    reading_rules.ImpossibleOrder.HOLD: Fate.HOLDS,
    reading_rules.ImpossibleOrder.HOLD_UNSUPPORTED: Fate.AS_WRITTEN,
    reading_rules.ImpossibleOrder.TRIED_TO_MOVE: Fate.AS_WRITTEN,
    reading_rules.Followed.FOLLOWED: Fate.FOLLOWED,
    reading_rules.Followed.FAILS: Fate.HOLDS,
    reading_rules.CoastWritten.IGNORED: Fate.FOLLOWED,
    reading_rules.CoastWritten.FAILS: Fate.HOLDS,
    reading_rules.Misspelt.FOLLOWED: Fate.FOLLOWED,
    reading_rules.Misspelt.FAILS: Fate.HOLDS,
    reading_rules.LostRetreat.DISBANDED: Fate.HOLDS,
    reading_rules.NoBuild.NONE: Fate.HOLDS,
    reading_rules.Balance.BALANCE: Fate.HOLDS,
    reading_rules.Unsaid.FOLLOWED: Fate.FOLLOWED,
    reading_rules.Unsaid.VOID: Fate.HOLDS,
    reading_rules.Removal.AUTOMATIC: Fate.HOLDS,
    reading_rules.Removal.AUTOMATIC_TOLD: Fate.HOLDS,
}
STATUSES: dict[Doubt, Status] = {
    Doubt.TWO_PLACES: Status.AMBIGUOUS,
    Doubt.ILLEGIBLE: Status.AMBIGUOUS,
    Doubt.COAST_NEEDED: Status.AMBIGUOUS,
    Doubt.TWO_COASTS: Status.AMBIGUOUS,
    Doubt.BUILD_LETTER: Status.AMBIGUOUS,
    Doubt.BUILD_COAST: Status.AMBIGUOUS,
    Doubt.NO_SIGN: Status.AMBIGUOUS,
    Doubt.TWICE_DIFF: Status.AMBIGUOUS,
    Doubt.TWICE_SAME: Status.AMBIGUOUS,
    Doubt.INITIALS: Status.AMBIGUOUS,
    Doubt.BEGINNING: Status.AMBIGUOUS,
    Doubt.EXTRA_WORDS: Status.AMBIGUOUS,
    Doubt.NOT_ALL_READ: Status.AMBIGUOUS,
    Doubt.UNIT_INSIDE: Status.INVALID,
    Doubt.MISSPELT: Status.INVALID,
    Doubt.OTHER_NAME: Status.INVALID,
    Doubt.ELSEWHERE: Status.INVALID,
    Doubt.UNKNOWN_WORD: Status.INVALID,
    Doubt.SENSELESS: Status.INVALID,
    Doubt.INCOMPLETE: Status.AMBIGUOUS,
    Doubt.BARE_UNIT: Status.VOID,
    Doubt.BARE_CHANGE: Status.VOID,
    Doubt.STRUCK_OUT: Status.VOID,
    Doubt.OVERWRITTEN: Status.AMBIGUOUS,
    Doubt.BLANK_UNIT: Status.VOID,
}

SWITCHES: dict[Doubt, str] = {  # the switch of [reading] that each doubt is about
    Doubt.STRUCK_OUT: "struck_out",
    Doubt.OVERWRITTEN: "overwritten",
    Doubt.BARE_UNIT: "bare_unit",
    Doubt.SENSELESS: "meaningless",
    Doubt.INCOMPLETE: "illegible_unsettled",
    Doubt.UNKNOWN_WORD: "meaningless",
    Doubt.WRONG_PHASE: "misspelt_unsettled",
    Doubt.TWO_PLACES: "word_unsettled",
    Doubt.ILLEGIBLE: "illegible_unsettled",
    Doubt.EXTRA_WORDS: "illegible_unsettled",
    Doubt.NO_SIGN: "illegible_unsettled",
    Doubt.NOT_ALL_READ: "misspelt_unsettled",
    Doubt.UNIT_INSIDE: "misspelt_unsettled",
    Doubt.OTHER_PART: "misspelt_unsettled",
    Doubt.UNDER_HEADING: "misspelt_unsettled",
    Doubt.INITIALS: "prefix",
    Doubt.BEGINNING: "prefix",
    Doubt.MISSPELT: "misspelt",
    Doubt.OTHER_NAME: "misspelt",
    Doubt.ELSEWHERE: "misspelt_unsettled",
    Doubt.NO_LETTER: "letter_missing",
    Doubt.UNIT_LETTER: "letter_wrong",
    Doubt.OTHER_LETTER: "other_letter_wrong",
    Doubt.NATION: "nation_wrong",
    Doubt.NO_NATION: "nation_missing",
    Doubt.UNIT_COAST: "unit_coast_missing",
    Doubt.UNIT_COAST_WRONG: "unit_coast_wrong",
    Doubt.OTHER_COAST_WRONG: "unit_coast_wrong",
    Doubt.COAST_NEEDLESS: "coast_needless",
    Doubt.NO_RETREAT: "retreat_invalid",
}
WINTER = frozenset(
    {Doubt.BARE_CHANGE, Doubt.BUILD_LETTER, Doubt.BUILD_COAST, Doubt.CANNOT_BUILD, Doubt.CANNOT_DISBAND, Doubt.NOT_DUE}
)


def fate_of(value: object) -> Fate:
    """Turn a value of a setting into what becomes of the line; 'ask' is 'ask' in every setting."""
    return Fate.ASK if value == "ask" else FATES[value]


def verdict_on(line_doubt: LineDoubt, tournament: Tournament) -> Verdict | None:
    """The verdict of a doubt's setting; None if the doubt is only noted."""
    doubt, rules = line_doubt.code, tournament.reading
    if doubt in WINTER:
        return _winter_verdict(line_doubt, tournament.adjustments)
    if doubt in NOBODYS:
        return Verdict(Fate.NOBODY, Status.ILLEGAL, rules.impossible, line_doubt)
    if doubt in IMPOSSIBLE:
        status = Status.ASK if rules.impossible.value == "ask" else Status.ILLEGAL
        return Verdict(fate_of(rules.impossible.value), status, rules.impossible, line_doubt)
    if doubt is Doubt.OTHER_COAST_WRONG and rules.coast_in_support.value is reading_rules.SupportedCoast.THAT_COAST:
        return Verdict(_fate_of_impossible(rules), Status.ILLEGAL, rules.coast_in_support, line_doubt)
    if doubt is Doubt.COAST_NEEDED:
        return _coast_needed(line_doubt, rules)
    if doubt is Doubt.COAST_WRONG:
        return _coast_wrong(line_doubt, rules)
    if doubt is Doubt.TWO_COASTS:
        return _two_coasts(line_doubt, rules)
    if doubt is Doubt.VIA_CONVOY:
        fate = Fate.ASK if rules.by_land.value == "ask" else Fate.FOLLOWED
        return verdict(fate, rules.by_land, line_doubt)
    if doubt is Doubt.ROUTE_NAMED:
        fate = Fate.ASK if rules.route.value is reading_rules.Route.ASK else Fate.FOLLOWED
        return verdict(fate, rules.route, line_doubt)
    name = SWITCHES.get(doubt)
    setting: Setting[Any] | None = getattr(rules, name) if name is not None else None
    return None if setting is None else verdict(fate_of(setting.value), setting, line_doubt)


def _winter_verdict(doubt: LineDoubt, rules: reading_rules.AdjustmentRules) -> Verdict:
    """What becomes of a build or a disband that is not written as it should be."""
    match doubt.code:
        case Doubt.BARE_CHANGE:
            return verdict(fate_of(rules.bare_unit.value), rules.bare_unit, doubt)
        case Doubt.BUILD_LETTER:
            fate = Fate.ASK if rules.build_letter.value is reading_rules.BuildLetter.ASK else Fate.HOLDS
            return verdict(fate, rules.build_letter, doubt)
        case Doubt.BUILD_COAST:
            return verdict(fate_of(rules.build_coast_missing.value), rules.build_coast_missing, doubt)
        case Doubt.NOT_DUE:
            return verdict(fate_of(rules.gains_and_losses.value), rules.gains_and_losses, doubt)
        case Doubt.CANNOT_BUILD:
            return verdict(fate_of(rules.build_invalid.value), rules.build_invalid, doubt)
        case _:
            return verdict(fate_of(rules.disband_missing.value), rules.disband_missing, doubt)


def verdict(fate: Fate, setting: Setting[Any], doubt: LineDoubt) -> Verdict:
    """Make a verdict; its status follows from its fate and from the doubt."""
    if fate is Fate.ASK:
        return Verdict(fate, Status.ASK, setting, doubt)
    if fate is Fate.FOLLOWED:
        return Verdict(fate, Status.CLEAR, setting, doubt)
    return Verdict(fate, STATUSES.get(doubt.code, Status.ILLEGAL), setting, doubt)


def _coast_needed(doubt: LineDoubt, rules: reading_rules.ReadingRules) -> Verdict:
    """A coast that is needed and missing: the director is asked where the rules do not say whether it is needed."""
    needed = rules.coast_needed_in_support if "supported" in dict(doubt.data) else rules.coast_needed
    if needed.value is reading_rules.CoastNeeded.ASK:
        return verdict(Fate.ASK, needed, doubt)
    return verdict(fate_of(rules.coast_missing.value), rules.coast_missing, doubt)


def _two_coasts(doubt: LineDoubt, rules: reading_rules.ReadingRules) -> Verdict:
    """Two coasts count as none. If one would do, no rule says whether the other spoils the order."""
    reach = doubt["reach"]
    needed = rules.coast_needed_in_support if "supported" in dict(doubt.data) else rules.coast_needed
    if isinstance(reach, tuple) and len(reach) == 1 and needed.value is not reading_rules.CoastNeeded.ALWAYS:
        return verdict(Fate.ASK, rules.coast_wrong, doubt)
    return _coast_needed(doubt, rules)


def _coast_wrong(doubt: LineDoubt, rules: reading_rules.ReadingRules) -> Verdict:
    """A coast out of reach makes an impossible order: whether it may be supported is the rule for impossible orders."""
    fate = fate_of(rules.coast_wrong.value)
    return verdict(_fate_of_impossible(rules) if fate is Fate.HOLDS else fate, rules.coast_wrong, doubt)


def _fate_of_impossible(rules: reading_rules.ReadingRules) -> Fate:
    """The fate of an order that another rule makes impossible: that of impossible orders, where it is not asked."""
    return Fate.AS_WRITTEN if fate_of(rules.impossible.value) is Fate.AS_WRITTEN else Fate.HOLDS

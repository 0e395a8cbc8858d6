"""Readings: one possible order of a line, with the doubts that this reading has."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import product
from math import prod
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Kind, Map, Position, Power, Step, Terrain, Unit, province_of
from pipeline.interpret.doubts import Because, Doubt, LineDoubt, Meaning, WordMatch
from pipeline.interpret.lexicon import Lexicon
from pipeline.interpret.order_words import (
    BareUnit,
    Builds,
    Convoys,
    Disbands,
    Holds,
    Moves,
    Phrase,
    Reading,
    Senseless,
    Shape,
    Supports,
    UnitWords,
)
from pipeline.interpret.verdict import Entry
from pipeline.interpret.written_words import COMPASS, EVERYDAY_WORDS
from pipeline.judge.legality import Battlefield, field_of, ground_of
from pipeline.orders import Convoy, Disband, Hold, Move, Order, Support
from pipeline.rules.abbreviations import fold, initials_of
from pipeline.rules.reading_rules import EvidenceRule
from pipeline.rules.rulings_book import Situation
from pipeline.rules.switches import Setting
from pipeline.rules.tournament import Tournament

# The context in which every line of a sheet is read: whose it is, who stands where, and which rules apply.


class Sheet(Struct, frozen=True):
    """One power's sheet in one phase."""

    power: Power
    position: Position
    tournament: Tournament
    lexicon: Lexicon
    field: Battlefield
    stands: dict[str, tuple[Power, Unit]]  # province -> who stands there; in retreats, who was driven out of it
    own: tuple[Unit, ...]  # the power's own units; in retreats, those that were driven out
    player: str = ""  # who plays the power, where that is known: this name beside the orders is a signature

    @property
    def board(self) -> Map:
        return self.lexicon.board

    def own_at(self, code: str) -> Unit | None:
        standing = self.stands.get(code)
        return standing[1] if standing and standing[0] is self.power else None

    def coast_place(self, code: str, coast: str) -> str | None:
        """The place of a coast; a table may call Bulgaria's east coast north (EDC23 G). Two coasts count as none."""
        if "/" in coast:
            places = {self.coast_place(code, each) for each in coast.split("/")}
            return places.pop() if len(places) == 1 else None
        coasts = self.board.provinces[code].coasts if code in self.board.provinces else ()
        if f"{code}/{coast}" in coasts:
            return f"{code}/{coast}"
        table = self.tournament.abbreviations.coasts
        return next((p for p in coasts for w in table.get(p, ()) if self.lexicon.coasts.get(fold(w)) == coast), None)

    def kind_for(self, code: str, letter: Kind | None) -> Kind:
        """Guess the kind of a unit that is not on the board, to write it down: a fleet at sea, else an army."""
        if letter is not None:
            return letter
        province = self.board.provinces.get(code)
        return Kind.FLEET if province is not None and province.terrain is Terrain.SEA else Kind.ARMY

    def without_order(self, unit: Unit) -> Order | None:
        """What a unit does if its line is not followed: it holds; driven out, it disbands; in winter, nothing."""
        match self.position.phase.step:
            case Step.MOVEMENT:
                return Hold(unit)
            case Step.RETREATS:
                return Disband(unit)
            case Step.ADJUSTMENTS:
                return None

    def situation(self, setting: Setting[Any], doubt: LineDoubt, text: str) -> Situation:
        """Name what the director is asked, so that he finds it again in the rulings book."""
        return Situation(str(doubt.code), setting.path, text)

    def name(self, code: str) -> str:
        province = self.board.provinces.get(province_of(code))
        return province.name if province else self.board.impossible.get(code, code)


def make_sheet(power: Power, position: Position, tournament: Tournament, lexicon: Lexicon, player: str = "") -> Sheet:
    """Put a sheet's background together."""
    field = field_of(ground_of(lexicon.board), position, tournament.rulebook)
    if position.phase.step is Step.RETREATS:
        driven = {each.unit.province: (each.power, each.unit) for each in position.dislodged}
        own = tuple(unit for owner, unit in driven.values() if owner is power)
        return Sheet(power, position, tournament, lexicon, field, driven, own, player)
    stands = {unit.province: (owner, unit) for owner, units in position.units.items() for unit in units}
    return Sheet(power, position, tournament, lexicon, field, stands, position.units.get(power, ()), player)


def _in_capitals(phrase: Phrase) -> bool:
    """Say whether a word is written in capitals throughout."""
    return phrase.text.isupper()


# From grammar to readings: every meaning of every word of an order is taken in turn.

MOST_READINGS = 1000  # a line with more meanings is not interpreted, but asked
TakenMeanings = tuple[tuple[Phrase, Meaning], ...]


class OneReading(Protocol):
    """Makes an order of one combination of word meanings."""

    def reading(self) -> Reading:
        """Make the order."""


def draft_order(
    sheet: Sheet,
    line: int,
    draft: Entry,
    fault: LineDoubt | None,
    kind: Callable[[Sheet, Shape, TakenMeanings], OneReading],
) -> Entry:
    """Every meaning of every word is taken in turn; what each combination orders is one reading."""
    made = _draft_shape(sheet, line, draft, fault, kind)
    others = [_draft_shape(sheet, line, replace(draft, shape=shape), None, kind) for shape in draft.other_shapes]
    if not others:
        return made
    readings = [reading for other in others for reading in other.readings]
    if isinstance(draft.shape, Senseless):  # the likely meaning is offered if it is possible
        readings = [reading for reading in readings if reading.is_possible] or readings[:1]
    return replace(made, alternatives=tuple(each for each in _distinct(readings) if each.unit == made.unit))


def _draft_shape(
    sheet: Sheet,
    line: int,
    draft: Entry,
    fault: LineDoubt | None,
    kind: Callable[[Sheet, Shape, TakenMeanings], OneReading],
) -> Entry:
    phrases = tuple(_phrases_of(draft.shape))
    senses = tuple((phrase, sheet.lexicon.sense(phrase.folded)) for phrase in phrases)
    unit = unit_spoken_of(sheet, draft.shape)
    if fault is None:
        fault = next(
            (
                LineDoubt.of(
                    Doubt.UNKNOWN_WORD if phrase.folded.strip("?") else Doubt.ILLEGIBLE, text=phrase.text, codes=()
                )
                for phrase, sense in senses
                if not sense.meanings
            ),
            None,
        )
    if fault is None and prod(len(sense.meanings) for _, sense in senses) > MOST_READINGS:
        fault = LineDoubt.of(Doubt.ILLEGIBLE, text=draft.text, codes=())
    if fault is not None:
        return replace(draft, line=line, readings=(), senses=senses, fault=fault, unit=unit)
    readings = tuple(
        kind(sheet, draft.shape, tuple(zip(phrases, taken, strict=True))).reading()
        for taken in product(*(sense.meanings for _, sense in senses))
    )
    return replace(draft, line=line, readings=tuple(_distinct(readings)), senses=senses, fault=None, unit=unit)


def _distinct(readings: Iterable[Reading]) -> Iterator[Reading]:
    """Keep one reading for each order."""
    seen: set[Order] = set()
    for reading in readings:
        if reading.order not in seen:
            seen.add(reading.order)
            yield reading


def _phrases_of(shape: Shape) -> Iterator[Phrase]:
    """Name the places of an order in the order in which `MovementReading` takes them."""
    match shape:
        case Holds(unit) | BareUnit(unit) | Senseless(unit) | Disbands(unit) | Builds(unit):
            yield from _unit_place_phrases(unit)
        case Moves(unit, steps, over):
            yield from (*_unit_place_phrases(unit), *over, *steps)
        case Supports(unit, of, steps) | Convoys(unit, of, steps):
            yield from (*_unit_place_phrases(unit), *_unit_place_phrases(of), *steps)
        case _:
            return


def _unit_place_phrases(unit: UnitWords) -> tuple[Phrase, ...]:
    """The unit's place, if it is written."""
    return (unit.place,) if unit.place is not None else ()


def unit_spoken_of(sheet: Sheet, shape: Shape) -> Unit | None:
    """The one own unit that the first words may mean; of several, the one with the written letter."""
    words = getattr(shape, "unit", None)
    if not isinstance(words, UnitWords) or words.place is None:
        return None
    codes = [meaning.code for meaning in sheet.lexicon.sense(words.place.folded).meanings]
    own = [unit for code in codes if (unit := sheet.own_at(code)) is not None]
    lettered = [unit for unit in own if unit.kind is words.letter]
    meant = lettered or own
    return meant[0] if len(meant) == 1 else None


# What may decide between several meanings of a word: letter case, the sheet's other orders, reachability.

LETTERS_WRONG = frozenset({Doubt.UNIT_LETTER, Doubt.OTHER_LETTER})
Sieve = Callable[[Sequence[Reading]], list[Reading]]


class Settled(Struct, frozen=True):
    """What is left when all evidence has been applied."""

    reading: Reading | None  # the one meaning left; None: it is not settled
    setting: Setting[Any] | None  # the setting that settled it, or would if the director chose it
    why: Because | None = None  # how


class EvidenceKind(Struct, frozen=True):
    setting: Setting[Any]
    why: Because
    sieve: Sieve


class Habits(Struct, frozen=True):
    """What the sheet's other lines show about its writer and his plans."""

    orders: tuple[Order, ...]  # of lines that need no evidence
    seas_in_capitals: bool  # he writes seas in capitals and land in lower case (EDC23 G)


def habits_of(sheet: Sheet, drafts: Iterable[Entry]) -> Habits:
    """The habits that the plain lines show."""
    drafts = tuple(drafts)
    orders = tuple(draft.readings[0].order for draft in drafts if draft.is_plain)
    return Habits(orders, _writes_seas_in_capitals(sheet, drafts))


def _writes_seas_in_capitals(sheet: Sheet, drafts: Iterable[Entry]) -> bool:
    """The habit is present if seas are all in capitals, and land is written, never in capitals (EDC23 G).

    Initials in capitals do not show it, since everybody writes MAO so; in small letters they refute it.
    """
    shown: set[bool] = set()
    for draft in drafts:
        for phrase, sense in draft.senses:
            if not sense.is_firm or len(phrase.text) < 3:
                continue
            code = sense.meanings[0].code
            is_sea = _is_at_sea(sheet, code)
            if is_sea is not _in_capitals(phrase):
                return False
            if phrase.folded not in initials_of(sheet.name(code)):
                shown.add(is_sea)
    return shown == {True, False}


def _is_at_sea(sheet: Sheet, code: str) -> bool:
    province = sheet.board.provinces.get(code)
    return province is not None and province.terrain is Terrain.SEA


def settle_meaning(sheet: Sheet, draft: Entry, habits: Habits) -> Settled:
    """Apply each kind of evidence that the tournament admits: it must leave one meaning, and confirm it."""
    left: Sequence[Reading] = draft.readings
    used: EvidenceKind | None = None
    doubtful: list[EvidenceKind] = []
    for kind in _kinds_of(sheet, draft, habits):
        weight = _evidence_rule(kind.setting, draft)
        kept = kind.sieve(left) if weight is not EvidenceRule.IGNORED else []
        if weight is EvidenceRule.ASK:
            doubtful.append(kind)
        elif kept and (len(kept) < len(left) or len(left) == 1):
            left, used = kept, used if len(left) == 1 and used is not None else kind
    if len(left) == 1 and used is not None:
        return Settled(left[0], used.setting, used.why)
    for kind in doubtful:
        if len(kind.sieve(left)) == 1:
            return Settled(None, kind.setting)
    return Settled(None, None)


def _evidence_rule(setting: Setting[Any], draft: Entry) -> EvidenceRule:
    """Evidence for listed words only counts if the table lists every doubtful word for each meaning."""
    weight: EvidenceRule = setting.value
    if weight is not EvidenceRule.LISTED:
        return weight
    doubtful = [sense for _, sense in draft.senses if not sense.is_firm]
    return EvidenceRule.SETTLES if all(sense.how is WordMatch.LISTED for sense in doubtful) else EvidenceRule.IGNORED


def _kinds_of(sheet: Sheet, draft: Entry, habits: Habits) -> list[EvidenceKind]:
    """The kinds of evidence, in the order in which they are applied.

    A misspelt word has no closed list of meanings, so being possible does not decide between them. Nothing decides
    between two places that are both written, for a real place outside the map, or for a point of the compass: "- SE".
    """
    if any(
        sense.is_elsewhere or sense.are_alternatives or (phrase.folded in COMPASS and not sense.is_firm)
        for phrase, sense in draft.senses
    ):
        return []
    rules = sheet.tournament.reading
    is_illegible = any(sense.how is WordMatch.FITS for _, sense in draft.senses if not sense.is_firm)
    own_orders = rules.illegible_own_orders if is_illegible else rules.word_own_orders
    reach = rules.illegible_reachability if is_illegible else rules.word_reachability
    by_own = EvidenceKind(
        own_orders,
        Because.OWN_ORDERS,
        lambda left: [each for each in left if any(_agree(each.order, other) for other in habits.orders)],
    )
    if draft.is_misspelt:
        return [by_own]
    kinds = [by_own, EvidenceKind(reach, Because.REACH, _possible)]
    meanings = [meaning for _, sense in draft.senses if not sense.is_firm for meaning in sense.meanings]
    if habits.seas_in_capitals and not any(meaning.how is WordMatch.INITIALS for meaning in meanings):
        case = EvidenceKind(
            rules.word_letter_case,
            Because.LETTER_CASE,
            lambda left: [r for r in left if _fits_case(sheet, draft, r)],
        )
        kinds.insert(0, case)
    return kinds


def _possible(left: Sequence[Reading]) -> list[Reading]:
    """The readings that can be carried out; of several, those for which the unit letters are right."""
    readings = [reading for reading in left if reading.is_possible]
    lettered = [reading for reading in readings if not any(each.code in LETTERS_WRONG for each in reading.doubts)]
    return lettered or readings


def _fits_case(sheet: Sheet, draft: Entry, reading: Reading) -> bool:
    """Seas in capitals, land in lower case."""
    doubtful = {phrase for phrase, sense in draft.senses if not sense.is_firm}
    return all(
        _is_at_sea(sheet, meaning.code) is _in_capitals(phrase)
        for phrase, meaning in reading.words
        if phrase in doubtful
    )


def _agree(order: Order, other: Order) -> bool:
    """Say whether two orders of one sheet belong together: a support or a convoy, and what it is for."""
    match order, other:
        case Support(_, of, to), Hold() | Move() | Support() | Convoy():
            goes_to = province_of(other.to) if isinstance(other, Move) else None
            return of.province == other.unit.province and goes_to == (province_of(to) if to else None)
        case Convoy(_, of, to), Move():
            return of.province == other.unit.province and province_of(other.to) == province_of(to)
        case Move(unit, to, _, _), Support(_, of, goal) | Convoy(_, of, goal):
            return of.province == unit.province and goal is not None and province_of(goal) == province_of(to)
        case _:
            return False


# Whether an order that another line implies fits an incomplete line (EDC23 R11).


class Fit(IntEnum):
    """How well an implied order fits what can be read of a line."""

    GOOD = 0
    UNLIKE = 1  # the word is unknown and begins like no word for the province: ask a person
    OTHER = 2  # the line says something else


def fit_of(sheet: Sheet, draft: Entry, order: Order) -> Fit:
    """Compare an implied order with a line of which some is open: its kind, and the places that can be read."""
    match draft.shape, order:
        case BareUnit(), _:
            return Fit.GOOD
        case Moves(_, steps), Move(_, to) if len(steps) < 2:
            return max((_word_fit(sheet, phrase, to) for phrase in steps), default=Fit.GOOD)
        case Supports(_, of, steps, is_complete=whole), Support(_, other, goal) if whole or goal is not None:
            of_fit = _word_fit(sheet, of.place, other.place) if of.place is not None else Fit.GOOD
            if goal is None or not steps:
                return Fit.OTHER if steps else of_fit
            return max(of_fit, _word_fit(sheet, steps[-1], goal))
        case Convoys(_, UnitWords(place=Phrase() as goal), ()), Move(Unit(Kind.ARMY), to):
            return _word_fit(sheet, goal, to)  # "A Bre C Por": the sign says how the army travels
        case Convoys(_, of, steps), Convoy(_, army, to):
            army_fit = _word_fit(sheet, of.place, army.place) if of.place is not None else Fit.GOOD
            return max((army_fit, *(_word_fit(sheet, phrase, to) for phrase in steps[-1:])))
        case _:
            return Fit.OTHER


def _word_fit(sheet: Sheet, phrase: Phrase, place: str) -> Fit:
    """A word that may mean the province fits it; one that means nothing fits if it begins like a word for it."""
    code = province_of(place)
    if phrase.coast and "/" in place and sheet.coast_place(code, phrase.coast) != place:
        return Fit.OTHER
    meanings = sheet.lexicon.sense(phrase.folded).meanings
    if meanings:
        return Fit.GOOD if any(meaning.code == code for meaning in meanings) else Fit.OTHER
    if phrase.folded in EVERYDAY_WORDS:
        return Fit.UNLIKE  # "- there"
    first = phrase.folded[:1]
    is_like = first == "?" or any(word.startswith(first) for word in sheet.lexicon.words_for(code))
    return Fit.GOOD if is_like else Fit.UNLIKE


def why_no_order(written: Entry) -> LineDoubt:
    """Why a line orders nothing in this phase: a unit alone, words without sense, or an order of another phase."""
    match written.shape:
        case BareUnit(unit):
            return LineDoubt.of(Doubt.BARE_UNIT, unit=str(unit.place or written.text))
        case Senseless(_, words):
            return LineDoubt.of(Doubt.SENSELESS, text=words or written.text)
        case _:
            return LineDoubt.of(Doubt.WRONG_PHASE, text=written.text)

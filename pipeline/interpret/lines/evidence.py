"""What may decide between several meanings of a word: letter case, the sheet's other orders, reachability (row 11)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.board.map import Terrain, province_of
from pipeline.interpret.doubts.because import Because
from pipeline.interpret.doubts.doubts import Doubt
from pipeline.interpret.doubts.sense import WordMatch
from pipeline.interpret.lines.reading import Draft, Reading
from pipeline.interpret.lines.sheet import Sheet, in_capitals
from pipeline.orders.order import Convoy, Hold, Move, Order, Support
from pipeline.rules.reading_rules import EvidenceRule
from pipeline.rules.toml.setting import Setting

LETTERS_WRONG = frozenset({Doubt.UNIT_LETTER, Doubt.OTHER_LETTER})
Sieve = Callable[[Sequence[Reading]], list[Reading]]


@dataclass(frozen=True, slots=True)
class Settled:
    """What the evidence leaves."""

    reading: Reading | None  # the one meaning left; None: it is not settled
    setting: Setting[Any] | None  # what settled it, or what would settle it if the director said so
    why: Because | None = None  # how


@dataclass(frozen=True, slots=True)
class EvidenceKind:
    """One kind of evidence."""

    setting: Setting[Any]
    why: Because
    sieve: Sieve


@dataclass(frozen=True, slots=True)
class Habits:
    """What the sheet's other lines show about its writer and his plans."""

    orders: tuple[Order, ...]  # of lines that need no evidence
    seas_in_capitals: bool  # he writes seas in capitals and land in lower case (EDC23 G)


def habits_of(sheet: Sheet, drafts: Iterable[Draft]) -> Habits:
    """Look at the lines that are plain."""
    drafts = tuple(drafts)
    orders = tuple(draft.readings[0].order for draft in drafts if draft.is_plain)
    return Habits(orders, writes_seas_in_capitals(sheet, drafts))


def writes_seas_in_capitals(sheet: Sheet, drafts: Iterable[Draft]) -> bool:
    """The habit shows where at least one sea stands in capitals, every sea does, and no land does (EDC23 G)."""
    shown = False
    for draft in drafts:
        for phrase, sense in draft.senses:
            if not sense.is_firm or len(phrase.text) < 3:
                continue
            is_sea = is_at_sea(sheet, sense.meanings[0].code)
            if is_sea is not in_capitals(phrase):
                return False
            shown = shown or is_sea
    return shown


def is_at_sea(sheet: Sheet, code: str) -> bool:
    """Say whether a province is a sea."""
    province = sheet.board.provinces.get(code)
    return province is not None and province.terrain is Terrain.SEA


def settle(sheet: Sheet, draft: Draft, habits: Habits) -> Settled:
    """Each kind of evidence the tournament admits strikes out meanings; one must be left, and be confirmed."""
    left: Sequence[Reading] = draft.readings
    used: EvidenceKind | None = None
    doubtful: list[EvidenceKind] = []
    for kind in kinds_of(sheet, draft, habits):
        weight = weight_of(kind.setting, draft)
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


def weight_of(setting: Setting[Any], draft: Draft) -> EvidenceRule:
    """Evidence that is good for listed words only counts where the table lists every doubtful word for each meaning."""
    weight: EvidenceRule = setting.value
    if weight is not EvidenceRule.LISTED:
        return weight
    doubtful = [sense for _, sense in draft.senses if not sense.is_firm]
    return EvidenceRule.SETTLES if all(sense.how is WordMatch.LISTED for sense in doubtful) else EvidenceRule.IGNORED


def kinds_of(sheet: Sheet, draft: Draft, habits: Habits) -> list[EvidenceKind]:
    """List the kinds of evidence in the order in which they are heard.

    What a misspelt word is near to is no list of what it may mean: what can be carried out chooses from no such list.
    Of two places that are both written, and of a real place that is no province, nothing chooses.
    """
    if any(sense.is_elsewhere or sense.are_alternatives for _, sense in draft.senses):
        return []
    rules = sheet.tournament.reading
    is_illegible = any(sense.how is WordMatch.FITS for _, sense in draft.senses if not sense.is_firm)
    own_orders = rules.illegible_own_orders if is_illegible else rules.word_own_orders
    reach = rules.illegible_reachability if is_illegible else rules.word_reachability
    by_own = EvidenceKind(own_orders, Because.OWN_ORDERS, lambda left: confirmed(left, habits.orders))
    if draft.is_misspelt:
        return [by_own]
    kinds = [by_own, EvidenceKind(reach, Because.REACH, possible)]
    if habits.seas_in_capitals:
        case = EvidenceKind(
            rules.word_letter_case,
            Because.LETTER_CASE,
            lambda left: [r for r in left if fits_case(sheet, draft, r)],
        )
        kinds.insert(0, case)
    return kinds


def possible(left: Sequence[Reading]) -> list[Reading]:
    """The readings that can be carried out; of several, those for which the unit letters are right."""
    found = [reading for reading in left if reading.is_possible]
    lettered = [reading for reading in found if not any(each.doubt in LETTERS_WRONG for each in reading.doubts)]
    return lettered or found


def fits_case(sheet: Sheet, draft: Draft, reading: Reading) -> bool:
    """Seas in capitals, land in lower case."""
    doubtful = {phrase for phrase, sense in draft.senses if not sense.is_firm}
    return all(
        is_at_sea(sheet, meaning.code) is in_capitals(phrase) for phrase, meaning in reading.words if phrase in doubtful
    )


def confirmed(left: Sequence[Reading], orders: tuple[Order, ...]) -> list[Reading]:
    """The readings that another order of the sheet speaks of. That none does proves nothing: players write nonsense."""
    return [reading for reading in left if any(agree(reading.order, other) for other in orders)]


def agree(order: Order, other: Order) -> bool:
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

"""Decide one line: the tournament's rules say which of its doubts stop it, and what is adjudicated instead."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from msgspec.structs import replace

from pipeline.board import Kind, Step, Unit, province_of
from pipeline.interpret import order_words
from pipeline.interpret.doubts import AS_WRITTEN, NOBODYS, Because, Doubt, LineDoubt, WordMatch, hindrance
from pipeline.interpret.line_reader import LineReader
from pipeline.interpret.lines import cut_words, is_lettered, named_codes, read_line, unit_words_of
from pipeline.interpret.order_words import Reading
from pipeline.interpret.other_orders import may_be_another_order
from pipeline.interpret.readings import Habits, Sheet, unit_spoken_of
from pipeline.interpret.tokens import CROSSES, Mark, Token
from pipeline.interpret.unsettled_words import doubt_in_word, take_reading
from pipeline.interpret.verdict import NOT_FOLLOWED, Entry, Fate, Status, Verdict, fate_of, verdict, verdict_on
from pipeline.interpret.written_words import (
    ALIKE,
    BUT,
    DIRECTIONS,
    FILLERS,
    IF,
    OF_SEVERAL,
    OR,
    REPEATS,
    SignSense,
    fold_word,
)
from pipeline.orders import Convoy, Hold, Move, Order, Support
from pipeline.rules.abbreviations import count_slips
from pipeline.rules.reading_rules import EvidenceRule, ImpossibleOrder
from pipeline.words.speech import Message


def decide_line(sheet: Sheet, draft: Entry, habits: Habits) -> Entry:
    """The first doubt that the rules do not let pass decides the line; without one it is followed as written."""
    draft = _without_owner(sheet, draft)
    verdicts = [v for doubt in draft.notes if (v := verdict_on(doubt, sheet.tournament))]
    reading = None
    if draft.fault is not None:
        verdicts.append(_verdict_on_fault(sheet, draft, draft.fault))
    else:
        reading = take_reading(sheet, draft, habits, verdicts)
    if _is_partly_read(draft):
        verdicts = [
            each if each.fate in PASSED or each.found in draft.notes else verdict_on_odd(sheet, draft)
            for each in verdicts
        ]
    if reading is not None:
        verdicts += _line_verdicts(sheet, draft, reading)
        verdicts += _sign_verdicts(sheet, draft)
        verdicts += [v for doubt in reading.doubts if (v := _verdict_on_reading(sheet, draft, reading, doubt))]
        verdicts += [_verdict_on_unknown(sheet, doubt) for doubt in reading.doubts if _may_be_sea(sheet, draft, doubt)]
    stopping = next((v for v in verdicts if v.fate is not Fate.FOLLOWED), None)
    is_open = stopping is None or not (stopping.fate is Fate.ASK or stopping.found in draft.notes)
    if is_open and may_be_another_order(sheet, draft):
        stopping = verdict_on_odd(sheet, draft)
    if stopping is None and reading is not None:
        return _follow_line(draft, reading, verdicts)
    assert stopping is not None
    if stopping.found.code is Doubt.STRUCK_OUT and stopping.fate is Fate.HOLDS:
        stopping = replace(stopping, fate=Fate.NOBODY)  # a struck-out line orders nothing
    return stop_line(sheet, draft, reading, stopping)


def _without_owner(sheet: Sheet, draft: Entry) -> Entry:
    """Leave out the power of an order's unit behind it; or of the one that is helped: "S A War - Gal (Russia)".

    "English" may be a sea, too, and nobody knows whether it is another goal.
    """
    word = fold_word(draft.rest)
    power = sheet.lexicon.nations.get(word)
    orders = [reading.order for reading in draft.readings]
    helped = [sheet.stands.get(each.of.province) for each in orders if isinstance(each, Support | Convoy)]
    owners = {standing[0] if standing else None for standing in helped} if helped else {sheet.power}
    if power is None or owners != {power}:
        return draft
    may_be_place = draft.is_spoilt or draft.other_shapes or sheet.lexicon.is_listed(word)
    return replace(draft, is_spoilt=False) if may_be_place else replace(draft, rest="")


def _may_be_sea(sheet: Sheet, draft: Entry, doubt: LineDoubt) -> bool:
    """Say whether a wrong nationality in brackets may be a sea on the way: "A Pic (ENG) - Bel"."""
    aside = [token.folded for token in cut_words(draft.text, sheet.lexicon) if token.bracketed]
    return doubt.code is Doubt.NATION and any(sheet.lexicon.is_listed(w) and sheet.lexicon.is_at_sea(w) for w in aside)


def _verdict_on_reading(sheet: Sheet, draft: Entry, reading: Reading, doubt: LineDoubt) -> Verdict | None:
    """The verdict on a doubt about an order; a fleet inland or an army at sea, "F Tyr - Lyo", is a misspelt one."""
    unit = getattr(reading.order, "unit", None)
    board = sheet.lexicon.board
    borders = board.fleet_borders if unit and unit.kind is Kind.FLEET else board.army_borders
    route = getattr(reading.order, "route", ())
    if doubt.code in NOBODYS and any(own.province in route for own in sheet.own):
        return _verdict_on_unknown(sheet, doubt)  # "A Lon - Bel C F Eng" may be the fleet's convoy
    if doubt.code is Doubt.NO_SUCH_UNIT and unit is not None and unit.place not in borders:
        return _verdict_on_unknown(sheet, doubt)
    if doubt.code is Doubt.NO_SUCH_UNIT and _may_be_correction(draft):
        return _verdict_on_unknown(sheet, doubt)
    place = unit_words_of(draft).place
    if doubt.code in NOBODYS and place is not None and place.folded == "both" and not is_lettered(sheet, draft):
        return _verdict_on_unknown(sheet, doubt)  # "both hold": two units, and none in the Gulf of Bothnia
    if doubt.code is Doubt.COAST_NEEDED and any(each.code is Doubt.COAST_NEEDLESS for each in reading.doubts):
        return _verdict_on_unknown(sheet, doubt)  # "F MAO (nc) - Spa"
    if doubt.code is Doubt.COAST_NEEDLESS and _may_be_sign_of_support(sheet, draft, doubt):
        return _verdict_on_unknown(sheet, doubt)
    made = verdict_on(doubt, sheet.tournament)
    is_of_unit = doubt.code is Doubt.NATION and unit is not None and dict(doubt.data).get("unit") == str(unit)
    if is_of_unit and made is not None and made.fate is Fate.FOLLOWED:
        return _verdict_on_unknown(sheet, doubt)  # "Italy: A Vie - Gal": WM VI.2.d is about the units of others
    return made


ARROW = re.compile(r"=+>|[→➔➜⇒⟶➡⟹►▶⇨↦]")


def _may_be_correction(draft: Entry) -> bool:
    """Say whether an arrow between two places, where no unit stands in the first, may change a goal: "Gal → Boh"."""
    is_move = isinstance(draft.shape, order_words.Moves) and draft.shape.unit.letter is None
    return is_move and ARROW.search(draft.text) is not None


def _may_be_sign_of_support(sheet: Sheet, draft: Entry, doubt: LineDoubt) -> bool:
    """Say whether the coast of a place that needs none is an S alone, "A Con - Bul S", or "N/S": it may break off."""
    place, _, coast = str(dict(doubt.data)["place"]).rpartition(" ")
    if "/" in coast:
        return True
    name = fold_word(place)
    words = [token.folded for token in cut_words(draft.text, sheet.lexicon) if token.mark is Mark.WORD]
    return any(  # "A St Petersburg S move to Fin by F Bot"
        name.endswith(first) and sheet.lexicon.sign_of(after) is SignSense.SUPPORT for first, after in pairwise(words)
    )


PASSED = frozenset({Fate.FOLLOWED, Fate.ASK})


def _is_partly_read(draft: Entry) -> bool:
    """Say whether words with several meanings, a name alone or half an order are not all that is written."""
    if draft.fault is not None and draft.fault.code not in {Doubt.BARE_UNIT, Doubt.INCOMPLETE}:
        return False
    return draft.is_odd or (bool(draft.rest) and not draft.is_spoilt)


def apply_notes(sheet: Sheet, entry: Entry) -> Entry:
    """Apply the rules on notes, such as that a line is crossed out, to a line that is clear without `decide_line`."""
    verdicts = [v for doubt in entry.notes if (v := verdict_on(doubt, sheet.tournament))]
    by = next((v for v in verdicts if v.fate is not Fate.FOLLOWED), None)
    is_open = entry.status is Status.INVALID and by is not None and by.fate is Fate.ASK  # it may be another's order
    if not verdicts or not (entry.status is Status.CLEAR or is_open):
        return entry
    doubts = tuple(dict.fromkeys((*entry.notes, *entry.doubts)))
    if by is None:
        settings = tuple({each.path: each for each in (*(v.setting for v in verdicts), *entry.settings)}.values())
        because = (*chain.from_iterable(v.because for v in verdicts), *entry.because)
        return replace(entry, doubts=doubts, settings=settings, because=because)
    is_asked = by.fate is Fate.ASK
    return replace(
        entry,
        order=None,
        read=None,
        unit=entry.unit if is_asked else None,
        status=by.status,
        settings=(by.setting,),
        because=by.because,
        found=by.found,
        doubts=doubts,
        situation=sheet.situation(by.setting, by.found, entry.text) if is_asked else None,
    )


def _verdict_on_fault(sheet: Sheet, draft: Entry, fault: LineDoubt) -> Verdict:
    """A line that is no order: meaningless words, a bare unit, a word nobody knows."""
    usual = verdict_on(fault, sheet.tournament)
    assert usual is not None
    if draft.unit is None and (usual.fate is Fate.HOLDS or fault.code is Doubt.BARE_UNIT):
        if isinstance(draft.shape, order_words.Senseless) and draft.shape.is_for_all:
            return Verdict(Fate.NOBODY, Status.VOID, usual.setting, fault)
        return _verdict_on_unknown(sheet, fault)
    if draft.rest:
        return _verdict_on_unknown(sheet, LineDoubt.of(Doubt.EXTRA_WORDS, text=draft.rest))
    # "A VieGal", "A Vie | Gal": two names are an order, not a unit alone
    are_two = any(sense.how is WordMatch.NEAR or sense.are_alternatives for _, sense in draft.senses)
    is_slip = any(sense.how is WordMatch.NEAR for _, sense in draft.senses)  # "Test Sheet" may be no Trieste
    if isinstance(draft.shape, order_words.Senseless) and is_slip and draft.shape.unit.letter is None:
        return _verdict_on_unknown(sheet, fault)
    if fault.code is Doubt.BARE_UNIT and (draft.alternatives or are_two):
        return _verdict_on_unknown(sheet, LineDoubt.of(Doubt.SENSELESS, text=draft.text))
    if draft.fitting and fault.code is Doubt.ILLEGIBLE:
        return verdict(Fate.ASK, sheet.tournament.reading.illegible_own_orders, fault)
    if usual.fate is Fate.HOLDS and (draft.alternatives or draft.fitting or _may_be_order(sheet, draft, fault)):
        return _verdict_on_unknown(sheet, fault)
    return usual


GLUED = 4  # letters before a place: "into"


def _may_be_order(sheet: Sheet, draft: Entry, fault: LineDoubt) -> bool:
    """Say whether something may be meant by words that are no order: not by "dances" and "supports the Cubs".

    A mark may be, a short word, and a word that is a sign, a place or part of one ("toGal"), a slip of one, or a name:
    "A Par Burgundia". In winter all units hold.
    """
    shape, lexicon = draft.shape, sheet.lexicon
    if fault.code not in {Doubt.SENSELESS, Doubt.UNKNOWN_WORD}:
        if isinstance(shape, order_words.Supports | order_words.Convoys):
            return shape.of.nation is not None  # "S the French army"
        return isinstance(shape, order_words.Senseless)
    said = fold_word(getattr(shape, "words", ""))
    if sheet.position.phase.step is Step.RETREATS and fault.code is Doubt.SENSELESS:
        return True  # "A Bur escapes": what is lost does not come back
    is_winter = sheet.position.phase.step is Step.ADJUSTMENTS
    if is_winter and lexicon.signs.get(said) is SignSense.HOLD and said != CROSSES:
        return False
    if fault.code is Doubt.UNKNOWN_WORD:
        if len(getattr(shape, "steps", ())) > 1 or (isinstance(shape, order_words.Moves) and shape.has_sign):
            return True
        if isinstance(shape, order_words.Supports | order_words.Convoys) and (
            shape.of.letter is not None or shape.steps
        ):
            return True
        words = " ".join(phrase.text for phrase, sense in draft.senses if not sense.meanings)
    else:
        words = getattr(shape, "words", "") or draft.text
    tokens = cut_words(words, lexicon)
    reader = LineReader(tokens, words, lexicon, sheet.position.phase.step)
    for at, token in enumerate(tokens):
        reader.at = at
        word = token.folded
        glued = (word[cut:] for cut in range(1, min(GLUED, len(word) - 3) + 1))
        is_known = word not in FILLERS and (
            word in ALIKE | DIRECTIONS | OF_SEVERAL | REPEATS or lexicon.may_be_meant(word)
        )
        is_known = is_known or (fault.code is Doubt.SENSELESS and _may_be_name_of_place(sheet, token))
        if token.mark is not Mark.WORD or is_known or any(map(lexicon.is_listed, glued)) or reader.known_length():
            return True
    return False


ALMOST = 0.9  # the likeness of a place's name in another language: "burgundia", and not "dances"


def _may_be_name_of_place(sheet: Sheet, token: Token) -> bool:
    """Say whether a word behind a unit may be a place that no table has: "Burgundia", or any name: "Paryż"."""
    is_name = len(token.text) > 2 and token.text.istitle()
    return is_name or any(each.likeness >= ALMOST for each in sheet.lexicon.sense(token.folded).meanings)


def _verdict_on_unknown(sheet: Sheet, doubt: LineDoubt) -> Verdict:
    """Unknown words beside an order, or instead of one, are never ignored."""
    setting = sheet.tournament.reading.misspelt_unsettled
    made = verdict(fate_of(setting.value), setting, doubt)
    return made if made.fate is not Fate.HOLDS else replace(made, fate=Fate.NOBODY)


def _sign_verdicts(sheet: Sheet, draft: Entry) -> Iterator[Verdict]:
    """The verdict on a misspelt word for a build or a disband that is followed."""
    if isinstance(draft.shape, order_words.Builds | order_words.Disbands):
        for token in cut_words(draft.text, sheet.lexicon):
            sign = sheet.lexicon.misspelt_sign(token.folded) if token.folded not in sheet.lexicon.signs else None
            if sign is not None:
                doubt = LineDoubt.of(Doubt.MISSPELT, text=token.text, codes=(sign.value,))
                yield verdict(Fate.FOLLOWED, sheet.tournament.reading.misspelt, doubt)


def _line_verdicts(sheet: Sheet, draft: Entry, reading: Reading) -> Iterator[Verdict]:
    """Words that belong to nothing, and an order without its sign, are treated as parts that cannot be read."""
    rules = sheet.tournament.reading
    reach_rule: EvidenceRule = rules.illegible_reachability.value
    if draft.rest:
        doubt = LineDoubt.of(Doubt.EXTRA_WORDS, text=draft.rest)
        if reach_rule is EvidenceRule.ASK:
            yield verdict(Fate.ASK, rules.illegible_reachability, doubt)
        elif draft.is_spoilt and draft.unit is not None and not _orders_another(sheet, draft):
            yield verdict(fate_of(rules.illegible_unsettled.value), rules.illegible_unsettled, doubt)
        else:
            yield verdict(fate_of(rules.misspelt_unsettled.value), rules.misspelt_unsettled, doubt)
    if getattr(draft.shape, "to_unit", False):
        doubt = LineDoubt.of(Doubt.UNIT_INSIDE, text=draft.text)
        yield verdict(fate_of(rules.misspelt_unsettled.value), rules.misspelt_unsettled, doubt)
    if getattr(draft.shape, "has_sign", True) is False:
        yield _verdict_without_sign(sheet, draft, reading)
    others = draft.alternatives
    if draft.is_odd and not draft.rest and (not others or any(each.is_possible for each in others)):
        yield verdict_on_odd(sheet, draft)


def _orders_another(sheet: Sheet, draft: Entry) -> bool:
    """Say whether the words behind an order are one for another own unit: "A Bud - Ser but A Vie H".

    So may be its name alone, "A Mun - Bur (Ruh)", and between two others it may be helped: "F Bla Arm Sev".
    """
    goals = () if getattr(draft.shape, "has_sign", True) else getattr(draft.shape, "steps", ())
    for word in (fold_word(draft.rest), *(goal.folded for goal in goals)):
        if (named := named_codes(sheet, word)) and all(map(sheet.own_at, named)):
            return True
    first, _, others = draft.rest.partition(" ")
    if fold_word(first) in (OR | IF) - BUT:
        return False  # "or A Mos D", "if A Tyr - Boh": two meanings
    rest = others if fold_word(first) in BUT else draft.rest
    for each in read_line(rest, sheet.lexicon, sheet.position.phase.step):
        unit = unit_spoken_of(sheet, each.shape)
        is_whole = not isinstance(each.shape, order_words.BareUnit | order_words.Senseless) and not each.rest
        if is_whole and unit is not None and unit != draft.unit:
            return True
    return False


def verdict_on_odd(sheet: Sheet, draft: Entry) -> Verdict:
    """The verdict on words and signs that the order does not account for: as on unknown words beside it."""
    setting = sheet.tournament.reading.misspelt_unsettled
    return verdict(fate_of(setting.value), setting, LineDoubt.of(Doubt.NOT_ALL_READ, text=draft.text))


HOLD = "hold"


def _verdict_without_sign(sheet: Sheet, draft: Entry, reading: Reading) -> Verdict:
    """The verdict on places side by side; of three, or if an own unit is at the goal, an S may be missing."""
    rules = sheet.tournament.reading
    doubt = LineDoubt.of(Doubt.NO_SIGN, text=draft.text)
    if rules.illegible_reachability.value is EvidenceRule.ASK:
        return verdict(Fate.ASK, rules.illegible_reachability, doubt)
    goal = reading.order.to if isinstance(reading.order, Move) else ""
    may_be_support = len(getattr(draft.shape, "steps", ())) > 1 or sheet.own_at(province_of(goal)) is not None
    may_be_support = may_be_support or draft.unit is None  # "Tus (A Ven)" may be backwards
    may_be_support = may_be_support or any(
        HOLD.startswith(each.folded) or each.folded in sheet.lexicon.coasts
        for each in getattr(draft.shape, "steps", ())
    )  # "S A Bel Hol"; "F Edi north"
    may_be_support = may_be_support or any(  # "A Kie holt" may be held
        sense.how is WordMatch.NEAR and count_slips(phrase.folded, HOLD) < 2 for phrase, sense in draft.senses
    )
    may_be_support = may_be_support or (  # "S A Boh Gale" may end in a remark
        isinstance(draft.shape, order_words.Supports)
        and any(sense.how is WordMatch.NEAR for phrase, sense in draft.senses if phrase in draft.shape.steps)
    )
    if rules.illegible_reachability.value is not EvidenceRule.SETTLES or may_be_support:
        return verdict(fate_of(rules.misspelt_unsettled.value), rules.misspelt_unsettled, doubt)
    if reading.is_possible:
        return verdict(Fate.FOLLOWED, rules.illegible_reachability, doubt)
    return verdict(fate_of(rules.illegible_unsettled.value), rules.illegible_unsettled, doubt)


def _follow_line(draft: Entry, reading: Reading, verdicts: Sequence[Verdict]) -> Entry:
    """The line is followed; the rules that let it pass are quoted."""
    because = tuple(each for one in verdicts for each in one.because)
    return replace(
        draft,
        order=reading.order,
        status=Status.CLEAR,
        settings=tuple({one.setting.path: one.setting for one in verdicts}.values()),
        because=because or (AS_WRITTEN,),
        doubts=_list_line_doubts(draft, reading, verdicts),
        candidates=_candidates_of(draft, reading, None),
        unit=reading.unit,
        read=reading.order,
    )


def stop_line(sheet: Sheet, draft: Entry, reading: Reading | None, by: Verdict) -> Entry:
    """The line is not followed: its unit holds, or the director rules."""
    unit = reading.unit if reading is not None else unit_spoken_of(sheet, draft.shape)
    return replace(
        draft,
        order=_standing_order(sheet, by.fate, unit, reading),
        status=by.status,
        # a line that orders no unit is not asked about
        settings=() if by.fate is Fate.NOBODY and by.setting.asks else (by.setting,),
        because=by.because,
        found=by.found,
        doubts=_list_line_doubts(draft, reading, (by,)),
        candidates=_candidates_of(draft, reading, sheet.without_order(unit) if unit and by.fate is Fate.ASK else None),
        unit=unit,
        read=reading.order if reading is not None else None,
        situation=sheet.situation(by.setting, by.found, draft.text) if by.fate is Fate.ASK else None,
    )


def _standing_order(sheet: Sheet, fate: Fate, unit: Unit | None, reading: Reading | None) -> Order | None:
    """The order that is adjudicated for a stopped line: a hold, the impossible order as it is written, or none.

    An order that the judge would carry out is never passed on as impossible. If the unit may not be supported, it
    is ordered to its own province, which no rulebook allows; else it holds.
    """
    if fate is Fate.AS_WRITTEN and reading is not None:
        if hindrance(sheet.field, sheet.power, reading.order) is not None:
            return reading.order
        every_order = sheet.tournament.reading.impossible.value is ImpossibleOrder.HOLD_UNSUPPORTED
        if unit is not None and (every_order or isinstance(reading.order, Move)):
            return Move(unit, unit.province)
        fate = Fate.HOLDS
    return Hold(unit) if fate is Fate.HOLDS and unit is not None else None


def _list_line_doubts(draft: Entry, reading: Reading | None, verdicts: Sequence[Verdict]) -> tuple[LineDoubt, ...]:
    """All that is doubtful about a line, the words first."""
    doubts = list(draft.notes)
    doubts += [doubt for phrase, sense in draft.senses if (doubt := doubt_in_word(phrase, sense))]
    doubts += [draft.fault] if draft.fault is not None else []
    doubts += [v.found for v in verdicts]
    doubts += reading.doubts if reading is not None else ()
    return tuple(dict.fromkeys(doubts))


def _candidates_of(draft: Entry, reading: Reading | None, otherwise: Order | None) -> tuple[Reading, ...]:
    """Every order that the line may mean, the chosen one first; then what the unit does if none is followed."""
    readings = draft.readings
    if reading is not None and len(readings) == 1 and not (reading.doubts or draft.alternatives or otherwise):
        return (Reading(reading.order, (AS_WRITTEN,)),)
    if reading is not None:
        readings = (reading, *(other for other in readings if other is not reading))
    else:
        readings = tuple(sorted(readings, key=lambda r: not r.is_possible))
    candidates = {r.order: Reading(r.order, r.because or (AS_WRITTEN,)) for r in (*readings, *draft.alternatives)}
    for r in readings:
        for other in r.others:
            candidates.setdefault(other, Reading(other, (Message.of(Because.WITH_COAST),)))
    for fitting in draft.fitting:
        candidates.setdefault(fitting.order, fitting)
    if otherwise is not None:
        candidates.setdefault(otherwise, Reading(otherwise, NOT_FOLLOWED))
    return tuple(candidates.values())

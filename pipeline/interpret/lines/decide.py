"""The doubts of one line stand; now the tournament's rules say which of them stop it, and what stands instead."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pipeline.board.position import Unit
from pipeline.interpret.doubts.because import AS_WRITTEN, Because
from pipeline.interpret.doubts.doubts import Doubt, Found
from pipeline.interpret.doubts.entry import Candidate, Entry, Status
from pipeline.interpret.doubts.possible import hindrance
from pipeline.interpret.doubts.sense import Sense, WordMatch
from pipeline.interpret.doubts.verdict import Fate, Verdict, fate_of, verdict, verdict_on
from pipeline.interpret.language.signs import LETTERS
from pipeline.interpret.language.written import Left, Phrase, Senseless
from pipeline.interpret.lines.evidence import Habits, settle
from pipeline.interpret.lines.lines import words_of
from pipeline.interpret.lines.reading import Draft, Reading
from pipeline.interpret.lines.sheet import Sheet
from pipeline.orders.order import Hold, Order
from pipeline.rules.reading_rules import EvidenceRule, Misspelt
from pipeline.rules.toml.setting import Setting
from pipeline.words import Told

NOT_FOLLOWED = (Told.of(Because.NOT_FOLLOWED),)


def decide(sheet: Sheet, draft: Draft, habits: Habits) -> Entry:
    """The first doubt that is not waved through decides the line; where there is none, it is followed as written."""
    verdicts = [v for found in draft.notes if (v := verdict_on(found, sheet.tournament))]
    reading = None
    if draft.fault is not None:
        verdicts.append(verdict_on_fault(sheet, draft, draft.fault))
    else:
        reading = take_reading(sheet, draft, habits, verdicts)
    if reading is not None:
        verdicts += line_verdicts(sheet, draft, reading)
        verdicts += [v for found in reading.doubts if (v := verdict_on(found, sheet.tournament))]
    stopping = next((v for v in verdicts if v.fate is not Fate.FOLLOWED), None)
    if stopping is None and reading is not None:
        return followed(draft, reading, verdicts)
    assert stopping is not None
    if stopping.found.doubt is Doubt.STRUCK_OUT and stopping.fate is Fate.HOLDS:
        stopping = replace(stopping, fate=Fate.NOBODY)  # as if it had not been written
    return stopped(sheet, draft, reading, stopping)


def verdict_on_fault(sheet: Sheet, draft: Draft, fault: Found) -> Verdict:
    """A line that is no order: meaningless words, a bare unit, a word nobody knows."""
    found = verdict_on(fault, sheet.tournament)
    assert found is not None
    if draft.unit is None and (found.fate is Fate.HOLDS or fault.doubt is Doubt.BARE_UNIT):
        if isinstance(draft.written.shape, Senseless) and draft.written.shape.is_for_all:
            return Verdict(Fate.NOBODY, found.status, found.setting, fault)
        return verdict_on_unknown(sheet, fault)
    if draft.written.rest:
        return verdict_on_unknown(sheet, Found.of(Doubt.EXTRA_WORDS, text=draft.written.rest))
    if draft.alternatives and fault.doubt is Doubt.BARE_UNIT:
        return verdict_on_unknown(sheet, Found.of(Doubt.SENSELESS, text=draft.written.text))
    if found.fate is Fate.HOLDS and (draft.alternatives or may_be_order(sheet, draft)):
        return verdict_on_unknown(sheet, fault)
    return found


def may_be_order(sheet: Sheet, draft: Draft) -> bool:
    """Say whether words behind a unit that are no order name a place or a unit: then something may be meant."""
    words = draft.written.shape.words if isinstance(draft.written.shape, Senseless) else ""
    folded = [token.folded for token in words_of(words, sheet.lexicon)]
    return any(sheet.lexicon.is_listed(word) or word in LETTERS for word in folded)


def verdict_on_unknown(sheet: Sheet, found: Found) -> Verdict:
    """Words beside an order or instead of one, of which nobody knows what they do, are not passed over in silence."""
    setting = sheet.tournament.reading.misspelt_unsettled
    made = verdict(fate_of(setting.value), setting, found)
    return made if made.fate is not Fate.HOLDS else replace(made, fate=Fate.NOBODY)


def take_reading(sheet: Sheet, draft: Draft, habits: Habits, verdicts: list[Verdict]) -> Reading | None:
    """Choose the one meaning of the words, or say why none can be chosen; what was decided is added to the verdicts."""
    rules = sheet.tournament.reading
    for phrase, sense in draft.senses:
        if (found := doubt_in_word(phrase, sense)) is not None:
            if sense.is_firm:
                verdicts.append(firm_verdict(sheet, found, sense))
            elif sense.how is WordMatch.NEAR and rules.misspelt.value is not Misspelt.FOLLOWED:
                verdicts.append(verdict(fate_of(rules.misspelt.value), rules.misspelt, found))
    if all(sense.is_firm for _, sense in draft.senses):
        verdicts += misspelt_in_vain(sheet, draft)
        return draft.readings[0]
    found, unsettled = worst_word(sheet, draft)
    settled = settle(sheet, draft, habits)
    if settled.reading is not None and settled.setting is not None:
        verdicts.append(replace(verdict(Fate.FOLLOWED, settled.setting, found), why=settled.why))
        return settled.reading
    if draft.is_misspelt and (only := nothing_else(draft)) is not None:
        verdicts.append(replace(verdict(Fate.FOLLOWED, rules.misspelt, found), why=Because.NOTHING_ELSE))
        return only
    if settled.setting is not None:
        verdicts.append(verdict(Fate.ASK, settled.setting, found))
    else:
        verdicts.append(holds_or_nobody(draft, unsettled, found))
    return None


def misspelt_in_vain(sheet: Sheet, draft: Draft) -> Iterator[Verdict]:
    """A misspelt word that makes an impossible order may have been meant for another: nothing is held for a slip."""
    near = next(((phrase, sense) for phrase, sense in draft.senses if sense.how is WordMatch.NEAR), None)
    if near is not None and not draft.readings[0].is_possible:
        setting = sheet.tournament.reading.misspelt_unsettled
        found = doubt_in_word(*near)
        assert found is not None
        yield holds_or_nobody(draft, setting, found)


def worst_word(sheet: Sheet, draft: Draft) -> tuple[Found, Setting[Any]]:
    """Name the doubt that no evidence settles, and the setting that decides then: a misspelt word before all others."""
    rules = sheet.tournament.reading
    unsure = [(phrase, sense) for phrase, sense in draft.senses if not sense.is_firm]
    phrase, sense = next((each for each in unsure if each[1].may_be_a_slip), unsure[0])
    found = doubt_in_word(phrase, sense)
    assert found is not None
    if sense.may_be_a_slip:
        return found, rules.misspelt_unsettled
    return found, rules.illegible_unsettled if sense.how is WordMatch.FITS else rules.word_unsettled


def nothing_else(draft: Draft) -> Reading | None:
    """The one thing that the unit can do, if that is what every doubtful word of the line is likeliest to mean."""
    possible = [reading for reading in draft.readings if reading.is_possible]
    if len(possible) != 1:
        return None
    taken = dict(possible[0].words)
    unsure = [(phrase, sense) for phrase, sense in draft.senses if not sense.is_firm]
    return possible[0] if all(sense.likely == taken[phrase] for phrase, sense in unsure) else None


def holds_or_nobody(draft: Draft, setting: Setting[Any], found: Found) -> Verdict:
    """What becomes of the unit, if it is known which."""
    made = verdict(fate_of(setting.value), setting, found)
    if draft.unit is None and made.fate is Fate.HOLDS:
        return Verdict(Fate.NOBODY, made.status, setting, found)
    return made


def doubt_in_word(phrase: Phrase, sense: Sense) -> Found | None:
    """Name the doubt in one word, if there is one."""
    if not sense.meanings or (sense.is_firm and sense.how is WordMatch.LISTED):
        return None
    codes = sense.codes
    if sense.is_elsewhere:
        return Found.of(Doubt.ELSEWHERE, text=phrase.text, codes=codes)
    match sense.how:
        case WordMatch.FITS:
            return Found.of(Doubt.ILLEGIBLE, text=phrase.text, codes=codes)
        case WordMatch.NEAR:
            return Found.of(Doubt.MISSPELT, text=phrase.text, codes=codes)
        case WordMatch.OTHER_NAME if sense.is_firm:
            return Found.of(Doubt.OTHER_NAME, text=phrase.text, codes=codes)
        case WordMatch.INITIALS if sense.is_firm:
            return Found.of(Doubt.INITIALS, text=phrase.text, codes=codes)
        case WordMatch.BEGINS if sense.is_firm:
            return Found.of(Doubt.BEGINNING, text=phrase.text, codes=codes)
        case _ if not sense.is_firm:
            return Found.of(Doubt.TWO_PLACES, text=phrase.text, codes=codes)
        case _:
            return None


def firm_verdict(sheet: Sheet, found: Found, sense: Sense) -> Verdict:
    """A word with one meaning that is not listed: begun, misspelt, foreign, or with letters that cannot be read."""
    rules = sheet.tournament.reading
    if sense.how is WordMatch.FITS:
        heard = {rules.illegible_reachability.value, rules.illegible_own_orders.value}
        if heard == {EvidenceRule.IGNORED}:
            return verdict(fate_of(rules.illegible_unsettled.value), rules.illegible_unsettled, found)
        return verdict(fate_of(rules.misspelt.value), rules.misspelt, found)
    is_in_no_table = sense.how in {WordMatch.NEAR, WordMatch.OTHER_NAME}
    setting: Setting[Any] = rules.misspelt if is_in_no_table else rules.prefix
    return verdict(fate_of(setting.value), setting, found)


def line_verdicts(sheet: Sheet, draft: Draft, reading: Reading) -> Iterator[Verdict]:
    """Words that belong to nothing, and an order without its sign, are treated as parts that cannot be read."""
    rules = sheet.tournament.reading
    heard: EvidenceRule = rules.illegible_reachability.value
    if draft.written.rest:
        found = Found.of(Doubt.EXTRA_WORDS, text=draft.written.rest)
        if heard is EvidenceRule.ASK:
            yield verdict(Fate.ASK, rules.illegible_reachability, found)
        elif draft.written.left is Left.SPOILS:
            yield verdict(fate_of(rules.illegible_unsettled.value), rules.illegible_unsettled, found)
        elif heard is EvidenceRule.SETTLES and draft.written.left is Left.REMARK and reading.is_possible:
            yield verdict(Fate.FOLLOWED, rules.illegible_reachability, found)
        else:
            yield verdict(fate_of(rules.misspelt_unsettled.value), rules.misspelt_unsettled, found)
    if getattr(draft.written.shape, "to_unit", False):
        found = Found.of(Doubt.UNIT_INSIDE, text=draft.written.text)
        yield verdict(fate_of(rules.misspelt_unsettled.value), rules.misspelt_unsettled, found)
    if getattr(draft.written.shape, "has_sign", True) is False:
        found = Found.of(Doubt.NO_SIGN, text=draft.written.text)
        if heard is EvidenceRule.SETTLES and reading.is_possible:
            yield verdict(Fate.FOLLOWED, rules.illegible_reachability, found)
        elif heard is EvidenceRule.ASK:
            yield verdict(Fate.ASK, rules.illegible_reachability, found)
        elif heard is EvidenceRule.SETTLES:
            yield verdict(fate_of(rules.illegible_unsettled.value), rules.illegible_unsettled, found)
        else:
            yield verdict(fate_of(rules.misspelt_unsettled.value), rules.misspelt_unsettled, found)


def ask_whole_lines(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """No part of a line is followed unasked while another part of it is not: the cut between them may be wrong.

    Nor is what such a line supplies to a unit without one (EDC23 R11).
    """
    stopped_parts: dict[int, Entry] = {}
    for entry in entries:
        if entry.status is not Status.CLEAR and not entry.is_supplied:
            stopped_parts.setdefault(entry.line, entry)
    return [
        ask_part(sheet, entry, stopped_parts[entry.line])
        if entry.line in stopped_parts and entry.status is Status.CLEAR
        else entry
        for entry in entries
    ]


def ask_part(sheet: Sheet, entry: Entry, other: Entry) -> Entry:
    """Ask about an order that could be followed if it did not share its line."""
    found = Found.of(Doubt.OTHER_PART, text=other.text)
    by = verdict(Fate.ASK, sheet.tournament.reading.misspelt_unsettled, found)
    instead = sheet.without_order(entry.unit) if entry.unit is not None else None
    offered = {candidate.order: candidate for candidate in entry.candidates}
    if entry.order is not None:
        offered.setdefault(entry.order, Candidate(entry.order, (AS_WRITTEN,)))
    if instead is not None:
        offered.setdefault(instead, Candidate(instead, NOT_FOLLOWED))
    return replace(
        entry,
        order=None,
        status=by.status,
        settings=(by.setting,),
        because=by.because,
        found=found,
        doubts=(*entry.doubts, found),
        candidates=tuple(offered.values()),
        situation=sheet.situation(by.setting, found, entry.text),
        by_itself=entry,
    )


def followed(draft: Draft, reading: Reading, verdicts: Sequence[Verdict]) -> Entry:
    """The line is followed; the rules that let it pass are quoted."""
    because = tuple(each for verdict in verdicts for each in verdict.because)
    return Entry(
        line=draft.line,
        text=draft.written.text,
        order=reading.order,
        status=Status.CLEAR,
        settings=settings_of(verdicts),
        because=because or (AS_WRITTEN,),
        doubts=doubts_of(draft, reading, verdicts),
        candidates=candidates_of(draft, reading, None),
        unit=reading.unit,
        read=reading.order,
    )


def settings_of(verdicts: Sequence[Verdict]) -> tuple[Setting[Any], ...]:
    """The settings of verdicts, each once."""
    return tuple({verdict.setting.path: verdict.setting for verdict in verdicts}.values())


def stopped(sheet: Sheet, draft: Draft, reading: Reading | None, by: Verdict) -> Entry:
    """The line is not followed: its unit holds, or the director rules."""
    unit = reading.unit if reading is not None else draft.unit
    return Entry(
        line=draft.line,
        text=draft.written.text,
        order=standing(sheet, by.fate, unit, reading),
        status=by.status,
        settings=() if by.fate is Fate.NOBODY and by.setting.asks else (by.setting,),  # nobody is asked about nobody
        because=by.because,
        found=by.found,
        doubts=doubts_of(draft, reading, (by,)),
        candidates=candidates_of(draft, reading, sheet.without_order(unit) if unit and by.fate is Fate.ASK else None),
        unit=unit,
        read=reading.order if reading is not None else None,
        situation=sheet.situation(by.setting, by.found, draft.written.text) if by.fate is Fate.ASK else None,
    )


def standing(sheet: Sheet, fate: Fate, unit: Unit | None, reading: Reading | None) -> Order | None:
    """The order that will be adjudicated; the judge is never given as impossible what he would carry out."""
    if fate is Fate.AS_WRITTEN and reading is not None:
        if hindrance(sheet.field, sheet.power, reading.order) is not None:
            return reading.order
        fate = Fate.HOLDS
    return Hold(unit) if fate is Fate.HOLDS and unit is not None else None


def doubts_of(draft: Draft, reading: Reading | None, verdicts: Sequence[Verdict]) -> tuple[Found, ...]:
    """All that is doubtful about a line, the words first."""
    found = list(draft.notes)
    found += [doubt for phrase, sense in draft.senses if (doubt := doubt_in_word(phrase, sense))]
    found += [draft.fault] if draft.fault is not None else []
    found += [v.found for v in verdicts]
    found += reading.doubts if reading is not None else ()
    return tuple(dict.fromkeys(found))


def candidates_of(draft: Draft, reading: Reading | None, otherwise: Order | None) -> tuple[Candidate, ...]:
    """Every order that the line may mean, the chosen one first; then what the unit does if none is followed."""
    readings = draft.readings
    if reading is not None and len(readings) == 1 and not (reading.doubts or draft.alternatives or otherwise):
        return (Candidate(reading.order, (AS_WRITTEN,)),)
    if reading is not None:
        readings = (reading, *(other for other in readings if other is not reading))
    else:
        readings = tuple(sorted(readings, key=lambda r: not r.is_possible))
    found = {r.order: Candidate(r.order, r.because or (AS_WRITTEN,)) for r in (*readings, *draft.alternatives)}
    for r in readings:
        for other in r.others:
            found.setdefault(other, Candidate(other, (Told.of(Because.WITH_COAST),)))
    if otherwise is not None:
        found.setdefault(otherwise, Candidate(otherwise, NOT_FOLLOWED))
    return tuple(found.values())

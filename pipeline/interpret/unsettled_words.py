"""What the rules make of a word that the table does not list, or that has several meanings."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from pipeline.board import Step
from pipeline.interpret import order_words
from pipeline.interpret.doubts import Because, Doubt, LineDoubt, Sense, WordMatch
from pipeline.interpret.lines import unit_words_of
from pipeline.interpret.order_words import Reading
from pipeline.interpret.readings import Habits, Sheet, settle_meaning
from pipeline.interpret.verdict import Entry, Fate, Verdict, fate_of, verdict
from pipeline.rules.reading_rules import EvidenceRule, Misspelt
from pipeline.rules.switches import Setting


def take_reading(sheet: Sheet, draft: Entry, habits: Habits, verdicts: list[Verdict]) -> Reading | None:
    """Choose the one meaning of the words, or say why none can be chosen; what was decided is added to the verdicts."""
    rules = sheet.tournament.reading
    for phrase, sense in draft.senses:
        if (doubt := doubt_in_word(phrase, sense)) is not None:
            if sense.is_firm:
                verdicts.append(_firm_verdict(sheet, doubt, sense))
            elif sense.how is WordMatch.NEAR and rules.misspelt.value is not Misspelt.FOLLOWED:
                verdicts.append(verdict(fate_of(rules.misspelt.value), rules.misspelt, doubt))
    if all(sense.is_firm for _, sense in draft.senses):
        verdicts += _ask_impossible_misspelling(sheet, draft)
        return draft.readings[0]
    doubt, unsettled = _worst_word(sheet, draft)
    settled = settle_meaning(sheet, draft, habits)
    if settled.reading is not None and settled.setting is not None:
        verdicts.append(replace(verdict(Fate.FOLLOWED, settled.setting, doubt), why=settled.why))
        return settled.reading
    if draft.is_misspelt and (only := _only_likely_order(sheet, draft)) is not None:
        verdicts.append(replace(verdict(Fate.FOLLOWED, rules.misspelt, doubt), why=Because.NOTHING_ELSE))
        return only
    if settled.setting is not None:
        verdicts.append(verdict(Fate.ASK, settled.setting, doubt))
    else:
        verdicts.append(_verdict_for_unit(draft, unsettled, doubt))
    return None


def _ask_impossible_misspelling(sheet: Sheet, draft: Entry) -> Iterator[Verdict]:
    """A misspelt word that makes an impossible order may mean another place: it is asked, not held."""
    near = next(((phrase, sense) for phrase, sense in draft.senses if sense.how is WordMatch.NEAR), None)
    if near is not None and not draft.readings[0].is_possible:
        setting = sheet.tournament.reading.misspelt_unsettled
        doubt = doubt_in_word(*near)
        assert doubt is not None
        yield _verdict_for_unit(draft, setting, doubt)


def _worst_word(sheet: Sheet, draft: Entry) -> tuple[LineDoubt, Setting[Any]]:
    """Name the doubt that no evidence settles, and the setting that decides then: a misspelt word before all others.

    In winter "B A Mos/War" may be both, and so may the seas of "via Ion/Aeg"; of "A Mun/Ruh S A Bel" both units may be
    meant, and "Den/Swe Hol/Nth" is two moves: they are asked.
    """
    rules = sheet.tournament.reading
    unsure = [(phrase, sense) for phrase, sense in draft.senses if not sense.is_firm]
    phrase, sense = next((each for each in unsure if each[1].may_be_a_slip), unsure[0])
    doubt = doubt_in_word(phrase, sense)
    assert doubt is not None
    may_be_both = sheet.position.phase.step is Step.ADJUSTMENTS or phrase in getattr(draft.shape, "over", ())
    is_one = isinstance(draft.shape, order_words.Moves) and draft.shape.has_sign  # "A Vie/Bud - Gal"
    may_be_both = may_be_both or (phrase is unit_words_of(draft).place and not is_one)
    if sense.may_be_a_slip or (sense.are_alternatives and (may_be_both or _is_a_slip_among(sheet, phrase))):
        return doubt, rules.misspelt_unsettled
    return doubt, rules.illegible_unsettled if sense.how is WordMatch.FITS else rules.word_unsettled


def _is_a_slip_among(sheet: Sheet, phrase: order_words.Phrase) -> bool:
    """Say whether one of several places with a stroke between them may be misspelt, or no place: "Vie/AUS"."""
    return "\\" in phrase.text or any(
        sheet.lexicon.sense(part).how in {WordMatch.NEAR, None} for part in phrase.folded.split("/")
    )


def _only_likely_order(sheet: Sheet, draft: Entry) -> Reading | None:
    """The only possible order, if the likeliest meaning of every doubtful word is the place it has in that order.

    A short word for the unit itself may mean another own one that begins with the same letter.
    """
    possible = [reading for reading in draft.readings if reading.is_possible]
    if len(possible) != 1:
        return None
    taken = dict(possible[0].words)
    unsure = [(phrase, sense) for phrase, sense in draft.senses if not sense.is_firm]
    place = unit_words_of(draft).place
    if place is not None and place in [phrase for phrase, _ in unsure] and len(place.folded) < sheet.lexicon.letters:
        names = [sheet.lexicon.words_for(unit.province) for unit in sheet.own]
        if sum(any(word[0] == place.folded[0] for word in words) for words in names) > 1:
            return None
    return possible[0] if all(sense.likely == taken[phrase] for phrase, sense in unsure) else None


def _verdict_for_unit(draft: Entry, setting: Setting[Any], doubt: LineDoubt) -> Verdict:
    """The verdict of a setting; a line of an unknown unit orders nothing instead of a hold."""
    made = verdict(fate_of(setting.value), setting, doubt)
    if draft.unit is None and made.fate is Fate.HOLDS:
        return Verdict(Fate.NOBODY, made.status, setting, doubt)
    return made


def doubt_in_word(phrase: order_words.Phrase, sense: Sense) -> LineDoubt | None:
    """The doubt that a word leaves; a listed one with one meaning leaves none."""
    if not sense.meanings or (sense.is_firm and sense.how is WordMatch.LISTED):
        return None
    codes = sense.codes
    if sense.is_elsewhere:
        return LineDoubt.of(Doubt.ELSEWHERE, text=phrase.text, codes=codes)
    match sense.how:
        case WordMatch.FITS:
            return LineDoubt.of(Doubt.ILLEGIBLE, text=phrase.text, codes=codes)
        case WordMatch.NEAR:
            return LineDoubt.of(Doubt.MISSPELT, text=phrase.text, codes=codes)
        case WordMatch.OTHER_NAME if sense.is_firm:
            return LineDoubt.of(Doubt.OTHER_NAME, text=phrase.text, codes=codes)
        case WordMatch.INITIALS if sense.is_firm:
            return LineDoubt.of(Doubt.INITIALS, text=phrase.text, codes=codes)
        case WordMatch.BEGINS if len(codes) == 1:
            return LineDoubt.of(Doubt.BEGINNING, text=phrase.text, codes=codes)
        case _ if not sense.is_firm:
            return LineDoubt.of(Doubt.TWO_PLACES, text=phrase.text, codes=codes)
        case _:
            return None


def _firm_verdict(sheet: Sheet, doubt: LineDoubt, sense: Sense) -> Verdict:
    """The verdict on an unlisted word with one meaning: abbreviated, misspelt, foreign, or partly illegible."""
    rules = sheet.tournament.reading
    if sense.how is WordMatch.FITS:
        evidence = {rules.illegible_reachability.value, rules.illegible_own_orders.value}
        if evidence == {EvidenceRule.IGNORED}:
            return verdict(fate_of(rules.illegible_unsettled.value), rules.illegible_unsettled, doubt)
        return verdict(fate_of(rules.misspelt.value), rules.misspelt, doubt)
    is_in_no_table = sense.how in {WordMatch.NEAR, WordMatch.OTHER_NAME}
    setting: Setting[Any] = rules.misspelt if is_in_no_table else rules.prefix
    return verdict(fate_of(setting.value), setting, doubt)

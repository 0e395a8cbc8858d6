"""Lines that their words make one order, impossible or of several meanings, and that may be another one."""

import re
from collections.abc import Set
from itertools import pairwise

from pipeline.board import Kind, Power, Unit, province_of
from pipeline.interpret import order_words
from pipeline.interpret.lines import unit_words_of, words_in
from pipeline.interpret.readings import Sheet, unit_spoken_of
from pipeline.interpret.tokens import Mark, tokenize
from pipeline.interpret.verdict import Entry
from pipeline.interpret.written_words import DIRECTIONS, ENGLISH, NATIONS, SHORT_COASTS, SignSense, fold_word

ROMAN = re.compile(r"\W*[ivx]+\s*[.):]", re.IGNORECASE)  # "ii. A Ruh S i."
SHORTEST_STROKED = 3  # signs of a name with a stroke in it
LONGEST_INITIALS = 3  # "IS" may be several seas; a longer word behind a name, "Mid-. Ocea", may be the end of that
NUMERALS = frozenset(["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"])


def may_be_another_order(sheet: Sheet, draft: Entry) -> bool:
    """Say whether an order that cannot be followed as it is read may be another one: then it is never held."""
    if _is_own_power(sheet, draft) or _is_both(sheet, draft) or _may_be_other_word(sheet, draft):
        return True
    match draft.shape:
        case order_words.Moves(unit=unit, over=over) if (
            over and unit.letter is Kind.FLEET and _is_coast_short(draft, unit)
        ):
            return True  # "F Bul S move to Gre by Fleet Ion": a fleet is not carried, and S is no coast
        case order_words.Moves(has_sign=False, steps=steps) if steps:
            return steps[-1].folded in DIRECTIONS or _is_row_of_units(sheet, draft, steps)
        case order_words.Moves(steps=steps) if len(steps) > 1:
            return _goes_over_units(sheet, draft, steps)
        case (order_words.Supports() | order_words.Convoys()) as shape if shape.steps and shape.of.place is None:
            return _may_be_one_of_kind(sheet, shape)  # "A Mar S F - Spa", "F Mao C A - Spa"
        case order_words.Supports(of=of) as shape if of.place is not None:
            is_row = of.place.folded in NUMERALS and ROMAN.match(draft.text) is not None
            return is_row or _may_name_power(sheet, draft, shape) or _is_supported_by(sheet, draft)
        case order_words.Convoys(of=of, steps=steps) as shape if steps and of.place is not None:
            fleets = [steps[-1].folded, *([of.place.folded] if of.letter is not Kind.FLEET else [])]
            is_fleet = any(sheet.lexicon.is_at_sea(word) and _own_at(sheet, word) for word in fleets)
            return is_fleet or _may_name_power(sheet, draft, shape)  # "F Iri C Lvp - Mao", "F Mao C E - Spa"
        case _:
            return False


def _is_coast_short(draft: Entry, unit: order_words.UnitWords) -> bool:
    """Say whether the coast of a unit is written as an S alone."""
    return unit.place is not None and unit.place.coast == "SC" and "s" in words_in(draft.text)


def _is_own_power(sheet: Sheet, draft: Entry) -> bool:
    """Say whether the power and not a sea may be ordered: "English moves to Bel", and not "English - Bel"."""
    unit = unit_words_of(draft)
    is_word = unit.place is not None and unit.letter is None and unit.place.folded in ENGLISH
    return is_word and sheet.power is Power.ENGLAND and all(each.mark is not Mark.DASH for each in tokenize(draft.text))


def _is_both(sheet: Sheet, draft: Entry) -> bool:
    """Say whether "both" without a letter may be two own units, and not the Gulf of Bothnia: "both to Lvn"."""
    unit = unit_words_of(draft)
    return unit.place is not None and unit.letter is None and unit.place.folded == "both" and len(sheet.own) > 1


STROKED = re.compile(r"[^\W\d_]*\|[^\W\d_]*")


def _may_be_other_word(sheet: Sheet, draft: Entry) -> bool:
    """Say whether a stroke may be an I or an L, "V|E", or a coast stands before its place, "sSpa"."""
    lexicon = sheet.lexicon
    strokes = [word for word in STROKED.findall(draft.text) if len(word) >= SHORTEST_STROKED]
    if any(lexicon.is_listed(fold_word(word.replace("|", letter))) for word in strokes for letter in "il"):
        return True
    words = [each.folded for each, _ in draft.senses if not each.coast and not lexicon.is_known(each.folded)]
    return any(
        word[:1] in SHORT_COASTS and lexicon.is_listed(word[1:]) and lexicon.has_coasts(word[1:]) for word in words
    )


def _own_at(sheet: Sheet, word: str) -> bool:
    """Say whether a word can only mean a province in which an own unit stands."""
    codes = sheet.lexicon.sense(word).codes
    return bool(codes) and all(sheet.own_at(code) is not None for code in codes)


def _is_row_of_units(sheet: Sheet, draft: Entry, steps: tuple[order_words.Phrase, ...]) -> bool:
    """Say whether a line is no more than the names of own units, as above their goals in a table: "Vie Bud Tri"."""
    words = [*(step.folded for step in steps), *words_in(draft.rest)]
    return len(words) > 1 and all(_own_at(sheet, word) for word in words)


def _may_name_power(sheet: Sheet, draft: Entry, shape: order_words.Supports | order_words.Convoys) -> bool:
    """Say whether a word for the place of a unit that is helped may be a power: "F Tri S I - Adr", "Ruh S Eng F - Bel".

    A letter may, where another unit than those that it names as places is that power's, and can be helped so; a longer
    word only where none of those can.
    """
    of, unit = shape.of, unit_spoken_of(sheet, shape)
    if of.place is None or unit is None:
        return False
    word, named = of.place.folded, sheet.lexicon.sense(of.place.folded).codes
    if of.letter is not None and (word, of.letter.lower()) not in pairwise(words_in(draft.text)):
        return False
    is_letter = len(word) == 1
    powers = [each for each in Power if (each.value[0].lower() == word if is_letter else NATIONS.get(word) is each)]
    units = [each for power in powers for each in sheet.position.units.get(power, ()) if each != unit]
    others = [each for each in units if each.province not in named]
    goals = _goals_of(sheet, shape)
    there = [each for own in sheet.position.units.values() for each in own if each.province in named]
    if any(_may_go(sheet, each, goals) for each in others) and (is_letter or not there):
        return True
    near = {province_of(place) for place in sheet.lexicon.board.reach(unit.kind, unit.place)}
    is_near = any(each.province in near for each in others) and isinstance(shape, order_words.Supports)
    return is_near and not any(_may_go(sheet, each, goals) for each in there) and (is_letter or not there)


def _may_be_one_of_kind(sheet: Sheet, shape: order_words.Supports | order_words.Convoys) -> bool:
    """Say whether a letter alone for the unit that is helped may be that of a unit that can go there.

    It may be an army's or a fleet's, or Austria's or France's.
    """
    helper, letter, goals = unit_spoken_of(sheet, shape), shape.of.letter, _goals_of(sheet, shape)
    return letter is not None and any(
        letter in (each.kind, power.value[0]) and each != helper and _may_go(sheet, each, goals)
        for power, units in sheet.position.units.items()
        for each in units
    )


def _goals_of(sheet: Sheet, shape: order_words.Supports | order_words.Convoys) -> set[str]:
    """The provinces that the last place of a line may mean."""
    return {province_of(code) for step in shape.steps[-1:] for code in sheet.lexicon.sense(step.folded).codes}


def _may_go(sheet: Sheet, unit: Unit, goals: Set[str]) -> bool:
    """Say whether a unit may go to one of some provinces: it reaches it, or a convoy may carry it there."""
    coastal = sheet.field.ground.coastal
    reached = {province_of(place) for place in sheet.lexicon.board.reach(unit.kind, unit.place)}
    if unit.kind is Kind.ARMY and unit.place in coastal:
        reached |= coastal
    return not goals.isdisjoint(reached)


def _is_supported_by(sheet: Sheet, draft: Entry) -> bool:
    """Say whether "by" stands behind the S, "Mar S by Par - Bur": nobody knows who supports whom."""
    return any(
        after == "by" and sheet.lexicon.sign_of(word) is SignSense.SUPPORT
        for word, after in pairwise(words_in(draft.text))
    )


def _goes_over_units(sheet: Sheet, draft: Entry, steps: tuple[order_words.Phrase, ...]) -> bool:
    """Say whether a move in several steps names a place twice, or goes over land by way of an own unit.

    It may be a slip, "A Par - Bur - Bur", one name, "F Bre - Mid-. Ocean", or the orders of two, "Ber - Mun - Tyr".
    """
    words = [step.folded for step in steps]
    senses = [sheet.lexicon.sense(word).codes for word in words]
    unit = unit_spoken_of(sheet, draft.shape)
    codes = [() if unit is None else (unit.province,), *senses]
    is_twice = any(
        len(one) == 1 and (one == two or (len(word) > LONGEST_INITIALS and one[0] in two))
        for (one, two), word in zip(pairwise(codes), words, strict=True)
    )
    return is_twice or any(not sheet.lexicon.is_at_sea(word) and _own_at(sheet, word) for word in words[:-1])

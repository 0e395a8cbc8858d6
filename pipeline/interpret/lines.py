"""The words of one line, the orders that are read from them, and the units and places that they name."""

from collections.abc import Sequence, Set
from functools import lru_cache

from pipeline.board import Step
from pipeline.interpret import order_words
from pipeline.interpret.doubts import WordMatch
from pipeline.interpret.grammar import read_tokens
from pipeline.interpret.lexicon import Lexicon
from pipeline.interpret.readings import Sheet, unit_spoken_of
from pipeline.interpret.token_reader import tells_rest_to_hold
from pipeline.interpret.tokens import KEPT, Token, blank_harmless, join_signs, tokenize, unglue
from pipeline.interpret.verdict import Entry
from pipeline.interpret.written_words import EVERYDAY_WORDS, ROWS


@lru_cache(maxsize=KEPT)
def read_line(text: str, lexicon: Lexicon, step: Step) -> tuple[Entry, ...]:
    """Read the orders of a line; cached, because a sheet is interpreted again and again."""
    return read_tokens(cut_words(text, lexicon), text, lexicon, step)


@lru_cache(maxsize=KEPT)
def cut_words(text: str, lexicon: Lexicon) -> tuple[Token, ...]:
    """Cut a line; part what was written together, and join the signs of several words."""
    parted = unglue(tokenize(text), lexicon.is_known, lexicon.is_listed)
    if any(token.folded in lexicon.long_begin for token in parted):
        return join_signs(parted, lexicon.long_signs)
    return parted


@lru_cache(maxsize=KEPT)
def words_in(text: str) -> tuple[str, ...]:
    return tuple(token.folded for token in tokenize(text) if token.folded)


def named_codes(sheet: Sheet, word: str) -> tuple[str, ...]:
    """The provinces that a word names, in the table or in another language; none of a word that only may be a slip."""
    sense = sheet.lexicon.sense(word)
    is_name = sense.how in {WordMatch.LISTED, WordMatch.DISPUTED, WordMatch.OTHER_NAME}
    return sense.codes if is_name else sheet.lexicon.spoken.get(word, ())


def unit_words_of(written: Entry) -> order_words.UnitWords:
    """The words for the unit of an order; none for a waived build."""
    unit = getattr(written.shape, "unit", None)
    return unit if isinstance(unit, order_words.UnitWords) else order_words.UnitWords()


def is_lettered(sheet: Sheet, written: Entry) -> bool:
    """Say whether a unit's letter stands before what may be a place, and not before another word: "a slip"."""
    unit = unit_words_of(written)
    return unit.letter is not None and (unit.place is None or sheet.lexicon.may_be_meant(unit.place.folded))


def is_without_unit(sheet: Sheet, orders: Sequence[Entry]) -> bool:
    """Say whether no order of a line is for a unit that the table knows."""
    units = [unit_words_of(each).place for each in orders]
    named = (place.folded for place in units if place is not None and place.folded not in ROWS)  # "both cancelled"
    return not any(map(sheet.lexicon.is_listed, named))


def speaks_of_no_unit(sheet: Sheet, written: Entry, goals: Set[str]) -> bool:
    """Say whether words are no order, and name no unit by its letter or by a sure name."""
    if unit_words_of(written).letter is not None or not _orders_nobody(sheet, written, goals):
        return False
    return unit_spoken_of(sheet, written.shape) is None or _is_unit_near(sheet, written)


def _orders_nobody(sheet: Sheet, written: Entry, goals: Set[str]) -> bool:
    """Say whether words are no order, or one for a unit where another one goes: "Boh = Gal" below "A Vie - Boh"."""
    shape, place = written.shape, unit_words_of(written).place
    if isinstance(shape, order_words.Senseless | order_words.BareUnit):
        return not getattr(shape, "is_for_all", False)
    is_unknown = place is not None and not sheet.lexicon.is_listed(place.folded)
    if isinstance(shape, order_words.Holds):
        return is_unknown  # "navy holds"
    if isinstance(shape, order_words.Supports | order_words.Convoys):
        is_open = shape.of.place is not None and not sheet.lexicon.is_listed(shape.of.place.folded)
        return (is_unknown or (is_open and shape.unit.is_empty)) and not shape.steps  # "in case England helps"
    if isinstance(shape, order_words.Builds | order_words.Disbands):
        is_word = place is not None and not sheet.lexicon.may_be_place(place.folded)  # "to be confirmed"
        return place is not None and is_word and place.folded not in EVERYDAY_WORDS
    return isinstance(shape, order_words.Moves) and (
        (place is not None and place.folded in goals) or (is_unknown and not (shape.has_sign and shape.steps))
    )


def _is_unit_near(sheet: Sheet, written: Entry) -> bool:
    """Say whether a unit is found by nearness alone: "test" may be no Trieste."""
    place = unit_words_of(written).place
    return place is not None and sheet.lexicon.sense(place.folded).how is WordMatch.NEAR


def is_whole_order(sheet: Sheet, order: Entry) -> bool:
    """Say whether an order for an own unit lacks nothing, and nothing is left over."""
    shape = order.shape
    is_cut = isinstance(shape, order_words.Moves) and not shape.steps
    is_cut = is_cut or isinstance(shape, order_words.BareUnit | order_words.Senseless)
    is_cut = is_cut or not getattr(shape, "is_complete", True)
    return not (is_cut or order.rest or order.is_odd) and unit_spoken_of(sheet, shape) is not None


def is_for_rest(sheet: Sheet, text: str) -> bool:
    """Say whether words say no more than that the rest of the units hold."""
    words = cut_words(blank_harmless(text), sheet.lexicon)
    return sheet.position.phase.step is Step.MOVEMENT and tells_rest_to_hold(words, sheet.lexicon.sign_of)

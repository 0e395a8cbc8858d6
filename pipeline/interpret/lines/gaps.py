"""What a line leaves open, and whether an order that another line implies has room in it (EDC23 R11)."""

from collections.abc import Iterable
from enum import IntEnum

from pipeline.board.map import province_of
from pipeline.interpret.language.written import BareUnit, Convoys, Moves, Phrase
from pipeline.interpret.lines.reading import Draft
from pipeline.interpret.lines.sheet import Sheet
from pipeline.orders.order import Convoy, Move, Order


class Fit(IntEnum):
    """How well an implied order fits what can be read of a line."""

    GOOD = 0
    UNLIKE = 1  # the word means nothing, and begins like no word for the province: a person should look
    OTHER = 2  # the line says something else


def worst_fit(sheet: Sheet, drafts: Iterable[Draft], order: Order) -> Fit:
    """An order must fit every open line of its unit."""
    return max((fit_of(sheet, draft, order) for draft in drafts), default=Fit.GOOD)


def fit_of(sheet: Sheet, draft: Draft, order: Order) -> Fit:
    """Compare an implied order with a line of which some is open: its kind, and the places that can be read."""
    match draft.written.shape, order:
        case BareUnit(), _:
            return Fit.GOOD
        case Moves(_, steps), Move(_, to) if len(steps) < 2:
            return max((word_fit(sheet, phrase, to) for phrase in steps), default=Fit.GOOD)
        case Convoys(_, of, steps), Convoy(_, army, to):
            army_fit = word_fit(sheet, of.place, army.place) if of.place is not None else Fit.GOOD
            return max((army_fit, *(word_fit(sheet, phrase, to) for phrase in steps[-1:])))
        case _:
            return Fit.OTHER


def word_fit(sheet: Sheet, phrase: Phrase, place: str) -> Fit:
    """A word that may mean the province fits it; one that means nothing fits if it begins like a word for it."""
    code = province_of(place)
    if phrase.coast and "/" in place and sheet.coast_place(code, phrase.coast) != place:
        return Fit.OTHER
    meanings = sheet.lexicon.sense(phrase.folded).meanings
    if meanings:
        return Fit.GOOD if any(meaning.code == code for meaning in meanings) else Fit.OTHER
    first = phrase.folded[:1]
    is_like = first == "?" or any(word.startswith(first) for word in sheet.lexicon.words_for(code))
    return Fit.GOOD if is_like else Fit.UNLIKE

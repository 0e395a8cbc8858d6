"""From grammar to readings: every meaning of every word of an order is taken in turn."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import product
from math import prod
from typing import Protocol

from pipeline.board.position import Unit
from pipeline.interpret.doubts.doubts import Doubt, Found
from pipeline.interpret.doubts.sense import Meaning
from pipeline.interpret.language.written import (
    BareUnit,
    Builds,
    Convoys,
    Disbands,
    Holds,
    Moves,
    Phrase,
    Senseless,
    Shape,
    Supports,
    UnitWords,
    Written,
)
from pipeline.interpret.lines.reading import Draft, Reading
from pipeline.interpret.lines.sheet import Sheet
from pipeline.orders.order import Order

MOST_READINGS = 1000  # a line that may mean more than that is not read, it is guessed
Taken = tuple[tuple[Phrase, Meaning], ...]


class OneReading(Protocol):
    """One combination of meanings on its way to an order."""

    def reading(self) -> Reading:
        """Make the order."""


def draft(
    sheet: Sheet, line: int, written: Written, fault: Found | None, kind: Callable[[Sheet, Shape, Taken], OneReading]
) -> Draft:
    """Every meaning of every word is taken in turn; what each combination orders is one reading."""
    made = draft_shape(sheet, line, written, fault, kind)
    others = [draft_shape(sheet, line, replace(written, shape=shape), None, kind) for shape in written.alternatives]
    if not others:
        return made
    readings = (reading for other in others for reading in other.readings)
    return replace(made, alternatives=tuple(each for each in distinct(readings) if each.unit == made.unit))


def draft_shape(
    sheet: Sheet, line: int, written: Written, fault: Found | None, kind: Callable[[Sheet, Shape, Taken], OneReading]
) -> Draft:
    """Draft one shape of a line."""
    phrases = tuple(phrases_of(written.shape))
    senses = tuple((phrase, sheet.lexicon.sense(phrase.folded)) for phrase in phrases)
    unit = unit_spoken_of(sheet, written.shape)
    if fault is None:
        fault = next((unknown(phrase) for phrase, sense in senses if not sense.meanings), None)
    if fault is None and prod(len(sense.meanings) for _, sense in senses) > MOST_READINGS:
        fault = Found.of(Doubt.ILLEGIBLE, text=written.text, codes=())
    if fault is not None:
        return Draft(line, written, senses=senses, fault=fault, unit=unit)
    readings = tuple(
        kind(sheet, written.shape, tuple(zip(phrases, taken, strict=True))).reading()
        for taken in product(*(sense.meanings for _, sense in senses))
    )
    return Draft(line, written, tuple(distinct(readings)), senses, unit=unit)


def unknown(phrase: Phrase) -> Found:
    """A word that means nothing: it cannot be read at all, or nobody knows it."""
    doubt = Doubt.UNKNOWN_WORD if phrase.folded.strip("?") else Doubt.ILLEGIBLE
    return Found.of(doubt, text=phrase.text, codes=())


def distinct(readings: Iterable[Reading]) -> Iterator[Reading]:
    """Keep one reading for each order."""
    seen: set[Order] = set()
    for reading in readings:
        if reading.order not in seen:
            seen.add(reading.order)
            yield reading


def phrases_of(shape: Shape) -> Iterator[Phrase]:
    """Name the places of an order in the order in which `MovementReading` takes them."""
    match shape:
        case Holds(unit) | BareUnit(unit) | Senseless(unit) | Disbands(unit) | Builds(unit):
            yield from place_of(unit)
        case Moves(unit, steps, over):
            yield from (*place_of(unit), *over, *steps)
        case Supports(unit, of, steps) | Convoys(unit, of, steps):
            yield from (*place_of(unit), *place_of(of), *steps)
        case _:
            return


def place_of(unit: UnitWords) -> tuple[Phrase, ...]:
    """The unit's place, if it is written."""
    return (unit.place,) if unit.place is not None else ()


def unit_spoken_of(sheet: Sheet, shape: Shape) -> Unit | None:
    """The one own unit that the first words may mean; the letter helps to tell, nothing else does."""
    words = getattr(shape, "unit", None)
    if not isinstance(words, UnitWords) or words.place is None:
        return None
    codes = [meaning.code for meaning in sheet.lexicon.sense(words.place.folded).meanings]
    own = [unit for code in codes if (unit := sheet.own_at(code)) is not None]
    lettered = [unit for unit in own if unit.kind is words.letter]
    found = lettered or own
    return found[0] if len(found) == 1 else None

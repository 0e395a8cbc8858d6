"""What a director types behind a unit that stands in front of his line, as the whole line that he means.

Only the form is completed: the unit, and the sign between places that stand side by side. What the words mean is for
the tournament's rules, as if the line had been written on paper; what is typed in quotes is left as it is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.board.position import Position, Unit
from pipeline.interpret.interpret import lexicon_of
from pipeline.interpret.language.written import (
    BareUnit,
    Convoys,
    Disbands,
    Holds,
    Moves,
    Phrase,
    Shape,
    Supports,
    UnitWords,
    Written,
)
from pipeline.interpret.lines.drafts import unit_spoken_of
from pipeline.interpret.lines.lines import read_text
from pipeline.interpret.lines.sheet import Sheet, make_sheet
from pipeline.orders.notation import PLACE, write
from pipeline.orders.order import Order
from pipeline.rules.tournament import Tournament

PLACE_WORD = re.compile(rf"\b(?!VIA\b){PLACE}(?![A-Z/])")
QUOTES = "\"'“”„«»‟″"  # whatever a keyboard makes of them


@dataclass(frozen=True, slots=True)
class LineTyped:
    """A line as it was meant."""

    text: str  # empty where nothing was typed
    of: Unit | None = None  # another own unit, where it is an order of that one


@dataclass(frozen=True, slots=True)
class Shorthand:
    """Completes the lines of one power in one phase."""

    sheet: Sheet

    @classmethod
    def of(cls, power: Power, position: Position, tournament: Tournament) -> "Shorthand":
        """Make ready for one power's turn."""
        return cls(make_sheet(power, position, tournament, lexicon_of(tournament)))

    def line(self, typed: str, unit: Unit | None) -> LineTyped:
        """Complete what was typed on the line of a unit; without one, only the sign between unit and place.

        >>> from pipeline.board.position import starting_position
        >>> from pipeline.board.standard import standard_map
        >>> from pipeline.rules.load import load_tournament
        >>> start = starting_position(standard_map())
        >>> turkey = Shorthand.of(Power.TURKEY, start, load_tournament("edc1996"))
        >>> [turkey.line(f"A SMY {typed}", start.units[Power.TURKEY][1]).text for typed in ("arm", "smy arm", '"arm"')]
        ['A SMY - arm', 'A SMY - arm', 'arm']
        """
        rest = typed.strip() if unit is None else behind(typed.strip(), str(unit))
        if not rest or rest[0] in QUOTES:
            return LineTyped(unquoted(rest))
        orders = read_text(rest, self.sheet.lexicon, self.sheet.position.phase.step)
        if len(orders) != 1 or orders[0].rest:
            is_whole = unit is None or (len(orders) > 0 and self.may_name(orders[0].shape, unit))
            return LineTyped(rest if unit is None or is_whole else f"{self.plain(unit)} {rest}")
        if unit is None:
            return LineTyped(self.with_sign(orders[0], rest, None))
        return self.of_unit(orders[0], rest, unit)

    def of_unit(self, written: Written, rest: str, unit: Unit) -> LineTyped:
        """Read one order as one of this unit; it may name it, name another, or name none."""
        shape = written.shape
        if goes_there(shape, rest):
            return LineTyped(f"{self.plain(unit)} {rest}")
        if self.may_name(shape, unit):
            return LineTyped(self.with_sign(written, self.without_unit(shape, rest), unit))
        if is_place_alone(shape, rest):
            return LineTyped(f"{self.plain(unit)} - {rest}")
        if begins_with_sign(shape):
            return LineTyped(self.with_sign(written, rest, unit))
        spoken = unit_spoken_of(self.sheet, shape)
        if spoken == unit:  # with the wrong letter: what becomes of that is for the rules
            return LineTyped(self.with_sign(written, rest, None))
        if spoken is not None and not isinstance(shape, BareUnit):
            return LineTyped(rest, of=spoken)
        return LineTyped(f"{self.plain(unit)} {rest}")

    def may_name(self, shape: Shape, unit: Unit) -> bool:
        """Whether the first words may mean the unit; a word alone that may mean another place is where it goes."""
        words = getattr(shape, "unit", UnitWords())
        if words.place is None or words.letter not in (None, unit.kind):
            return False
        codes = [meaning.code for meaning in self.sheet.lexicon.sense(words.place.folded).meanings]
        return codes == [unit.province] if isinstance(shape, BareUnit) else unit.province in codes

    def plain(self, unit: Unit) -> str:
        """The unit in words that mean no other place in this tournament."""
        return f"{unit.kind} {self.sheet.tournament.abbreviations.plain_word(unit.place)}"

    def offered(self, order: Order) -> str:
        """An order in words that mean nothing else: 'A TUN - MAR' is Morocco to some (EDC23 G)."""
        plain = self.sheet.tournament.abbreviations.plain_word
        return PLACE_WORD.sub(lambda found: plain(found.group()), write(order))

    def without_unit(self, shape: Shape, rest: str) -> str:
        """What stands behind the unit's own name; nothing where that cannot be parted from it."""
        place = getattr(shape, "unit", UnitWords()).place
        if place is None or place.coast:
            return ""
        return rest[rest.index(place.text) + len(place.text) :].strip() if place.text in rest else ""

    def with_sign(self, written: Written, text: str, unit: Unit | None) -> str:
        """Put the sign between two places that stand side by side; ``unit`` is written in front where none is named."""
        own = self.plain(unit) if unit is not None else named(getattr(written.shape, "unit", UnitWords()))
        match written.shape:
            case Moves(_, (to,), has_sign=False, over=()) as move:
                how = " via" if move.via else " by land" if move.by_land else ""
                return f"{own} - {to}{how}"
            case Supports(_, other, (to,), has_sign=False):
                return f"{own} S {named(other)} - {to}"
            case Convoys(_, other, (to,), has_sign=False):
                return f"{own} C {named(other)} - {to}"
            case _:
                return f"{own} {text}" if unit is not None and text else text or written.text


def behind(typed: str, unit: str) -> str:
    """What was typed behind the unit that stands in front of a line, if it still stands there.

    >>> behind("A SMY arm", "A SMY"), behind("a smyrna - arm", "A SMY"), behind("A SMY", "A SMY")
    ('arm', 'a smyrna - arm', '')
    """
    rest = typed[len(unit) :]
    is_there = typed[: len(unit)].casefold() == unit.casefold() and not rest[:1].isalnum()
    return rest.strip() if is_there else typed


def unquoted(text: str) -> str:
    """What stands in quotes; the second one may be missing.

    >>> unquoted('"A Smy arm"'), unquoted("“A Smy arm"), unquoted("")
    ('A Smy arm', 'A Smy arm', '')
    """
    return text[1:-1].strip() if len(text) > 1 and text[-1] in QUOTES else text[1:].strip()


def is_place_alone(shape: Shape, text: str) -> bool:
    """Whether nothing but a place is named, with how to travel there at most: "bul", "bul via"; not "r bul"."""
    match shape:
        case BareUnit(UnitWords(None, None, Phrase() as place)) | Moves(UnitWords(None, None, Phrase() as place), ()):
            return text.startswith(place.text) or (place.coast != "" and text.upper().startswith(place.coast))
        case _:
            return False


def goes_there(shape: Shape, text: str) -> bool:
    """Whether a sign stands before the only place, which is where to go, however: "- sev via", "to sev by land"."""
    match shape:
        case Moves(UnitWords(None, None, Phrase() as place), ()):
            return not is_place_alone(shape, text) and place.text in text
        case _:
            return False


def begins_with_sign(shape: Shape) -> bool:
    """Whether an order names no unit of its own: "h", "s con", "- bul"."""
    return isinstance(shape, Holds | Moves | Supports | Convoys | Disbands) and shape.unit.is_empty


def named(words: UnitWords) -> str:
    """Write the words for a unit again.

    >>> from pipeline.board.map import Kind
    >>> named(UnitWords(None, Kind.FLEET, Phrase("stp", "stp", "SC"))), named(UnitWords(Power.ITALY, None, None))
    ('F stp sc', 'italy')
    """
    return " ".join(words_for(words))


def words_for(words: UnitWords) -> Iterator[str]:
    """The nationality, the letter and the place, as far as they were written."""
    yield from (part for part in (words.nation and words.nation.lower(), words.letter and str(words.letter)) if part)
    if words.place is not None:
        yield str(words.place)

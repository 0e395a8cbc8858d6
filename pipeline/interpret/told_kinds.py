"""Lines that tell all units of one kind not to move: "all fleets hold", "no army moves", "armies: no orders"."""

from msgspec.structs import replace

from pipeline.board import Kind, Step
from pipeline.interpret import order_words
from pipeline.interpret.doubts import Doubt, LineDoubt
from pipeline.interpret.lines import unit_words_of, words_in
from pipeline.interpret.readings import Sheet, unit_spoken_of
from pipeline.interpret.verdict import Line
from pipeline.interpret.written_words import (
    EVERYONE,
    FILLERS,
    LETTERS,
    NO,
    NOT,
    OF,
    OWN,
    TAKEN_BACK,
    SignSense,
)

MOVES = frozenset({"move", "moves", "movement", "movements", "order", "orders", "befehle", "bougent"})
OF_SEVERAL = frozenset({"armies", "fleets", "armeen", "flotten", "armees", "flottes", "armate"})
STOPS = NO | NOT | TAKEN_BACK
BESIDE = EVERYONE | FILLERS | OWN | OF | {"instead", "are", "is", "do", "does", "ne"}


def told_kind(sheet: Sheet, line: Line) -> Kind | None:
    """The kind of unit that a line in a season of moves tells not to move, where it says no more than that.

    "the fleet holds" may be said of one, and "not fleets" of a letter.
    """
    words = {word for word in words_in(line.text) if word}
    named = {word for word in words if len(word) > 1 and word in LETTERS}
    holds = {word for word in words - named if len(word) > 1 and sheet.lexicon.sign_of(word) is SignSense.HOLD}
    is_said = words <= named | STOPS | MOVES | BESIDE | holds and bool(holds or (words & STOPS and words & MOVES))
    is_of_all = named <= OF_SEVERAL or bool(words & (EVERYONE | MOVES))
    kinds = {LETTERS[word] for word in named}
    is_whole = is_said and is_of_all and len(kinds) == 1 and "?" not in line.text
    return kinds.pop() if is_whole and sheet.position.phase.step is Step.MOVEMENT else None


def with_what_is_told(sheet: Sheet, line: Line, told: Line, kind: Kind) -> Line:
    """Note that an order of another line is not what its unit is told there, or may not be."""
    for each in line.orders:
        unit = unit_spoken_of(sheet, each.shape)
        letter = unit.kind if unit is not None else unit_words_of(each).letter
        if letter in (kind, None) and not isinstance(each.shape, order_words.Holds):
            doubt = LineDoubt.of(Doubt.UNDER_HEADING, text=told.shown)
            return replace(line, notes=(*line.notes, doubt), also=(*line.also, told.number))
    return line

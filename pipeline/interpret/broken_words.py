"""A mark inside a word, which no rule of writing puts there: a stray stroke of the pen, "G|as", "Spai|n"."""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from pipeline.interpret.doubts import Doubt, LineDoubt
from pipeline.interpret.lines import read_line
from pipeline.interpret.order_words import Phrase, Shape
from pipeline.interpret.readings import Sheet
from pipeline.interpret.verdict import Line
from pipeline.interpret.written_words import fold_word

STROKE_INSIDE = re.compile(r"(?<!\w)([^\W\d_]+)[^\w\s()\[\]?<>+]([^\W\d_]+)(?!\w)|(?<!\w)([^\W\d_]+)_([^\W\d_]+)(?!\w)")


def with_stroke_inside(sheet: Sheet, line: Line) -> Line:
    """Note a mark inside a listed name, if the line says something else with it than without."""
    mended = STROKE_INSIDE.sub(lambda match: _without_stroke(sheet, match), line.text)
    if mended == line.text:
        return line
    step = sheet.position.phase.step
    with_it, without_it = (
        [(type(each.shape), [*_places_in(each.shape)], each.rest) for each in read_line(text, sheet.lexicon, step)]
        for text in (line.text, mended)
    )
    if with_it == without_it:
        return line
    return replace(line, notes=(*line.notes, LineDoubt.of(Doubt.NOT_ALL_READ, text=line.shown)))


def _without_stroke(sheet: Sheet, match: re.Match[str]) -> str:
    """The two pieces as one word, where that is a listed name and they are not words by themselves."""
    pieces = [fold_word(piece) for piece in match.groups() if piece]
    are_words = all(len(piece) > 1 and sheet.lexicon.is_known(piece) for piece in pieces)
    is_name = sheet.lexicon.is_listed("".join(pieces))
    return "".join(piece for piece in match.groups() if piece) if is_name and not are_words else match.group()


def _places_in(shape: Shape) -> Iterator[str]:
    """The words for each place of an order, with its coast."""
    phrases = [getattr(getattr(shape, name, None), "place", None) for name in ("unit", "of")]
    for each in (*phrases, *getattr(shape, "steps", ())):
        yield f"{each.folded} {each.coast}" if isinstance(each, Phrase) else ""

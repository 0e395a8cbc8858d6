"""What programs and pens put around an order: marks that strike it out, signs spelt for a web page, the time of day."""

import html
import re
from collections.abc import Sequence

from msgspec.structs import replace

from pipeline.interpret.doubts import Doubt, LineDoubt
from pipeline.interpret.verdict import Line

SPELT_SIGN = re.compile(r"&(?:#\d+|#x[\da-f]+|[a-z]\w+);", re.IGNORECASE)  # "&rarr;", "&#8594;"
STRUCK = re.compile(  # "~~A Vie - Gal~~", "<del>A Vie - Gal</del> A Vie - Boh"
    r"\s*(?:(?P<mark>~~|--(?=[AF]\s))|(?P<open>[<\[])(?P<tag>s|del|strike)[>\]])(?P<order>(?:(?!~~|--|[<\[]/).)*)"
    r"(?:(?P=mark)|(?(open)[<\[]/(?P=tag)[>\]]|(?!)))",
    re.IGNORECASE,
)
TIME = re.compile(  # "14:05", "[14.12]", "2 pm", before an order
    r"\s*[\[(]?\d{1,2}(?:[:.h]\d\d(?:\s*[ap]m)?|\s*[ap]m)[\])]?\s*[:,–-]?\s+(?=[AF][\s.])", re.IGNORECASE
)
FOOTNOTE = re.compile(r"\s*(?P<mark>\*{1,3}|[†‡¹²³⁴]|\(\d\))\s*(?P<said>[=:]?\s*\w.*)")  # "* only if Italy agrees"
ORDERS = re.compile(r"\b(?:[AF]|arm(?:y|ies)|fleets?|all|both|every\w*)\b", re.IGNORECASE)  # what is more than a note


def without_markup(lines: Sequence[Line]) -> list[Line]:
    """The lines without such marks, each with what they say of it; what is left stands where it stood.

    Of two lines with the time of day the one may be another state of the other: they are asked.
    """
    timed = [line for line in lines if TIME.match(line.text)]
    return _with_footnotes([_without_time(line, timed) for line in map(_without_marks, lines)])


def _with_footnotes(lines: list[Line]) -> list[Line]:
    """Put a note at the foot to the lines that end in its mark; it is about no other, and they are asked."""
    for note in lines:
        foot = FOOTNOTE.fullmatch(note.text)
        if foot is None or ORDERS.search(foot["said"]):
            continue
        marked = {line.number for line in lines if line.text.rstrip().endswith(foot["mark"]) and line is not note}
        if not marked or min(marked) > note.number:
            continue
        doubt = LineDoubt.of(Doubt.UNDER_HEADING, text=note.shown)
        lines = [
            replace(
                line,
                text=line.text.rstrip().removesuffix(foot["mark"]),
                notes=(*line.notes, doubt),
                also=(*line.also, note.number),
            )
            if line.number in marked
            else line
            for line in lines
            if line is not note
        ]
    return lines


def _without_marks(line: Line) -> Line:
    """Take the marks off that strike out a whole line, or a line's first order: the other was written over it."""
    text = SPELT_SIGN.sub(lambda sign: html.unescape(sign.group()).ljust(len(sign.group())), line.text)
    struck = STRUCK.match(text)
    if struck is None:
        return replace(line, text=text, shown=line.text.strip())
    if not text[struck.end() :].strip():
        text = " " * struck.start("order") + struck["order"]
        return replace(line, text=text, shown=line.text.strip(), struck_out=True)
    text = " " * struck.end() + text[struck.end() :]
    return replace(line, text=text, shown=line.text.strip(), overwritten=True)


def _without_time(line: Line, timed: Sequence[Line]) -> Line:
    """Take the time of day off a line; another one with the time may change it."""
    time = TIME.match(line.text)
    others = [other for other in timed if other.number != line.number]
    if time is None or not others:
        return line
    doubt = LineDoubt.of(Doubt.UNDER_HEADING, text=others[-1].text.strip())
    return replace(line, text=" " * time.end() + line.text[time.end() :], notes=(*line.notes, doubt))

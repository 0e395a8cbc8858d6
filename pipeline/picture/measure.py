"""How long a text is: both back ends use Helvetica's widths, so that what fits in one fits in the other."""

import unicodedata
from functools import lru_cache

from reportlab.pdfbase.pdfmetrics import stringWidth

PLAIN, BOLD = "Helvetica", "Helvetica-Bold"


def font_name(*, is_bold: bool) -> str:
    """Name the font."""
    return BOLD if is_bold else PLAIN


@lru_cache(maxsize=2048)
def width_of(text: str, size: float, *, is_bold: bool = False) -> float:
    """Give the length of a text in drawing units, its size being in drawing units too."""
    return float(stringWidth(text, font_name(is_bold=is_bold), size))


def wrapped(text: str, size: float, room: float, *, is_bold: bool = False) -> list[str]:
    """Break a text into lines that fit; a word that is too long stays whole.

    >>> wrapped("Germany A MUN may go to TYR", 20, 160)
    ['Germany A MUN', 'may go to TYR']
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, size, is_bold=is_bold) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def printable(text: str) -> str:
    """Spell a text with the letters that the printer's own fonts have: an accent they lack is left out.

    >>> printable("Dvořák's 2ème tournoi, 東京")
    "Dvorák's 2ème tournoi, ??"
    """
    return (
        "".join(one if one.encode("cp1252", "ignore") else unicodedata.normalize("NFKD", one)[0] for one in text)
        .encode("cp1252", "replace")
        .decode("cp1252")
    )

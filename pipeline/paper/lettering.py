"""The letters of everything that is printed, embedded; what our fonts lack, from the fonts of this machine.

Liberation Sans has Latin, Greek, Cyrillic, Hebrew and what Vietnamese needs, and the widths of Helvetica. Letters that
it lacks are looked for in the fonts that are installed; where none has them, a hollow box stands for the letter, and
`unprintable_names` tells before anything is printed.
"""

import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from itertools import groupby
from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import getFont, registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFError, TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.textobject import PDFTextObject

from pipeline.paper.sheet import PAPER_SIZES
from pipeline.problems import Problem, Weight

REGULAR, BOLD, FIXED = "LiberationSans", "LiberationSans-Bold", "LiberationMono-Bold"
FILES = {REGULAR: "LiberationSans-Regular.ttf", BOLD: "LiberationSans-Bold.ttf", FIXED: "LiberationMono-Bold.ttf"}
HOLLOW = "\u25a1"
SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")  # spaces of other widths; fonts may lack them
SELECTORS = re.compile("[\u034f\ufe00-\ufe0f]")  # signs without a form of their own: they choose that of a letter
LEADS_RIGHT_TO_LEFT = ("R", "AL")
FONT_FOLDERS = {
    "win32": (r"C:\Windows\Fonts", r"~\AppData\Local\Microsoft\Windows\Fonts"),
    "darwin": ("/System/Library/Fonts", "/System/Library/Fonts/Supplemental", "/Library/Fonts", "~/Library/Fonts"),
}
LINUX_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
PREFERRED = (  # beginnings of font files' names, the best first: upright, without serifs, many letters
    *(
        "notosans",
        "dejavusans.",
        "arial.",
        "arial unicode",
        "arialuni",
        "droidsansfallback",
        "wqy",
        "msgothic",
        "meiryo",
    ),
    *("yugoth", "malgun", "msyh", "simsun", "simhei", "segoeui.", "tahoma.", "freesans.", "unifont"),
)
MOST_FILES = 400


@cache
def _load_fonts() -> None:
    """Let ReportLab know our fonts."""
    for name, file in FILES.items():
        registerFont(TTFont(name, str(files("pipeline.paper").joinpath("fonts", file)), shapable=False))


def paper_points(paper: str, *, is_landscape: bool = False) -> tuple[float, float]:
    """Width and height of a paper in points.

    >>> [round(side) for side in paper_points("LETTER", is_landscape=True)]
    [792, 612]
    """
    short, long = (side * float(mm) for side in PAPER_SIZES[paper])
    return (long, short) if is_landscape else (short, long)


def new_canvas(file: BytesIO, size: tuple[float, float], title: str, language: str) -> Canvas:
    """Begin a PDF whose pages are ``size`` points large; the same strokes give the same bytes.

    It asks to be printed in its own size, on one side of the paper (PDF 1.7, 12.2): a page that is fitted to the paper
    is a little smaller than what the reader of the scans expects. ``language`` is that of its words.
    """
    _load_fonts()
    canvas = Canvas(file, pagesize=size, initialFontName=REGULAR, invariant=1, pageCompression=1, lang=language)
    canvas.setCreator("ordersheets")
    canvas.setAuthor("")
    canvas.setSubject("")
    canvas.setTitle(title)
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("Duplex", "Simplex")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    return canvas


def _has_letter(font: str, letter: str) -> bool:
    return ord(letter) in getFont(font).face.charToGlyph


@lru_cache(maxsize=1024)
def _font_for(letter: str, font: str) -> str:
    """The font that shows a letter: the wished one, else one of this machine; "" if none does."""
    _load_fonts()
    if _has_letter(font, letter) or unicodedata.category(letter) in ("Cf", "Zs"):
        return font
    return next((name for name in _fonts_here() if _has_letter(name, letter)), "")


@cache
def _fonts_here() -> tuple[str, ...]:
    """The fonts of this machine that can be embedded, those liked best first; looked for when a letter is missing."""
    fonts: list[tuple[int, str, Path]] = []
    for folder in FONT_FOLDERS.get(sys.platform, LINUX_FOLDERS):
        for place, _, names in os.walk(Path(folder).expanduser()):
            for name in names:
                low = name.lower()
                rank = next((number for number, begin in enumerate(PREFERRED) if low.startswith(begin)), None)
                if (
                    rank is not None
                    and low.endswith((".ttf", ".ttc"))
                    and not any(w in low for w in ("bold", "italic"))
                ):
                    fonts.append((rank, low, Path(place, name)))
    names = []
    for _, _, path in sorted(fonts)[:MOST_FILES]:
        name = f"machine-{path.stem}"
        try:
            registerFont(TTFont(name, str(path), shapable=False))
        except (TTFError, OSError, ValueError, KeyError, IndexError):
            continue  # outlines that cannot be embedded, or a damaged file
        names.append(name)
    return tuple(names)


def unprintable_names(names: Iterable[str]) -> tuple[Problem, ...]:
    """Tell which names have letters that no font here can show, and what to do.

    >>> unprintable_names(["Łukasz Żółć", "Nguyễn Thị Phương", "Щербаков", "Παπαδόπουλος"])
    ()
    """
    problems = []
    for name in names:
        letters = dict.fromkeys(SELECTORS.sub("", unicodedata.normalize("NFC", name)))
        if lacking := "".join(each for each in letters if not each.isascii() and not _font_for(each, REGULAR)):
            text = f"no font on this machine shows {lacking}: a box is printed for each; install {_font_with(lacking)}"
            problems.append(Problem(Weight.NOTES, f"{text}, or write the name in other letters", name))
    return tuple(problems)


def _font_with(letters: str) -> str:
    """A font that has letters, to be installed; not one that is there already."""
    is_asian = any(unicodedata.east_asian_width(letter) in "WF" for letter in letters)
    if is_asian:
        return "WenQuanYi, or Noto Sans CJK"
    has_dejavu = any("dejavu" in name.lower() for name in _fonts_here())
    return "the Noto font of their script" if has_dejavu else "DejaVu Sans"


@lru_cache(maxsize=4096)
def _split_by_font(text: str, font: str) -> tuple[tuple[str, str], ...]:
    """A text as it stands on paper, left to right, in stretches of one font: (font, letters).

    >>> _split_by_font("Zoe\u0308 \u05de\u05e9\u05d4", REGULAR)
    (('LiberationSans', 'Zoë השמ'),)
    """
    _load_fonts()
    if text.isascii():
        return ((font, text),)
    letters = [
        (_font_for(letter, font), letter)
        for letter in _in_visual_order(SELECTORS.sub("", SPACES.sub(" ", unicodedata.normalize("NFC", text))))
    ]
    shown = ((name or font, letter if name else HOLLOW) for name, letter in letters if letter.isprintable())
    return tuple(
        (name, "".join(letter for _, letter in pairs)) for name, pairs in groupby(shown, key=lambda each: each[0])
    )


def _in_visual_order(text: str) -> str:
    """Reverse the stretches that are read from right to left, with Arabic letters joined.

    >>> _in_visual_order("1.2 \u05de\u05e9\u05d4 \u05dc\u05d5\u05d9, x")
    '1.2 יול השמ, x'
    """
    if not any(unicodedata.bidirectional(letter) in LEADS_RIGHT_TO_LEFT for letter in text):
        return text
    stretches: list[list[str]] = []  # words; those from right to left that follow one another are one stretch
    for word in _join_arabic(text).split(" "):
        turned = any(unicodedata.bidirectional(letter) in LEADS_RIGHT_TO_LEFT for letter in word)
        if turned and stretches and stretches[-1][0] == "turned":
            stretches[-1].append(word)
        else:
            stretches.append(["turned" if turned else "kept", word])
    return " ".join(_turn_words(words) if way == "turned" else " ".join(words) for way, *words in stretches)


def _turn_words(words: list[str]) -> str:
    """Reverse the letters of a stretch; a comma or a point at its end stays behind it."""
    text = " ".join(words)
    end = len(text.rstrip(",.;:"))
    return "".join(reversed(text[:end])) + text[end:]


def _join_arabic(text: str) -> str:
    """Arabic letters in the forms that join them."""
    if not any("\u0600" <= letter <= "\u06ff" for letter in text):
        return text
    from arabic_reshaper import ArabicReshaper  # noqa: PLC0415 - a tenth of a second, and few names need it

    return str(ArabicReshaper({"delete_harakat": False, "support_ligatures": False}).reshape(text))


def width_in_points(text: str, font: str, size: float) -> float:
    """How wide a text is in points.

    >>> round(width_in_points("Weasel Moot", REGULAR, 10), 1)
    58.4
    """
    return sum(float(stringWidth(part, name, size)) for name, part in _split_by_font(text, font))


def wrap_text(text: str, room: float, width_of: Callable[[str], float]) -> list[str]:
    """Break a text into lines that fit; a word that is too long stays whole.

    >>> wrap_text("bounces 1:1 with A VEN - TYR", 70, lambda line: width_in_points(line, REGULAR, 8.5))
    ['bounces 1:1 with', 'A VEN - TYR']
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def write_text(line: PDFTextObject, text: str, font: str, size: float) -> None:
    """Append a text to a line of the PDF, in the fonts that it needs."""
    for name, part in _split_by_font(text, font):
        line.setFont(name, size)
        line.textOut(part)


def draw_text(canvas: Canvas, x: float, y: float, text: str, font: str, size: float, align: float = 0.0) -> None:
    """Write a text at a place, all in points; ``align`` is which part of its width lies left of ``x``."""
    line = canvas.beginText(x - (align * width_in_points(text, font, size) if align else 0.0), y)
    write_text(line, text, font, size)
    canvas.drawText(line)

"""A sign that no order has is asked about, however plain the letters beside it are: here they are printed."""

from pathlib import Path

import cv2
import numpy as np
import pytest
import reportlab
from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFont

from pipeline.board import Power
from pipeline.ink import InkLine, Note, Tier
from pipeline.orders import read_position
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.pages import Grey
from pipeline.reading.recogniser import Crop, Taken, Vocabulary
from reading.vienna import UNASKED
from training.orders import BOARD, admissible

FONTS = Path(reportlab.__file__).parent / "fonts"
HIGH = 32  # px
POSITION = read_position(
    {
        "phase": "F1901M",
        "units": {
            "FRANCE": ["A PAR", "A MAR", "F BRE", "A GAS"],
            "GERMANY": ["A MUN", "F KIE"],
            "ENGLAND": ["F LON", "A LVP"],
        },
        "centers": {},
    },
    BOARD,
)
FRANCE = admissible(POSITION, Power("FRANCE")).vocabulary
SIGNS = (
    "A PAR -/- BUR",
    "A PAR -/> BUR",
    "A PAR -/ ENG",
    "A MAR S A PAR -/- BUR",
    "A PAR <- BUR",
    "F BRE <-> ENG",
    "A PAR <-> BUR",
    "F BRE - ENG X",
    "F BRE - ENG C",
    "F BRE X - ENG",
    "A PAR - BUR ?",
    "A PAR [-] BUR",
    "A PAR -X BUR",
    "F BRE - ENG (X)",
)


def printed(text: str, font: str) -> Grey:
    letters = ImageFont.truetype(str(FONTS / f"{font}.ttf"), HIGH)
    picture = Image.new("L", (int(letters.getlength(text)) + 60, 90), 250)
    ImageDraw.Draw(picture).text((30, 22), text, font=letters, fill=40)
    return np.asarray(cv2.GaussianBlur(np.array(picture), (0, 0), 0.7), np.uint8)


def marked(mark: str) -> Grey:
    """A printed line with a mark that is no sign in its row."""
    grey = printed("A PAR - BUR", "Vera").copy()
    columns = np.flatnonzero((grey < 150).any(0))
    first, last = int(columns[0]), int(columns[-1])
    dash = first + round((last - first) * 0.565)
    match mark:
        case "slash":
            cv2.line(grey, (dash - 5, 58), (dash + 5, 28), 40, 3, cv2.LINE_AA)
        case "ring":
            cv2.ellipse(grey, (last - 32, 42), (46, 24), 0, 0, 360, 40, 3, cv2.LINE_AA)
        case "strike":
            cv2.line(grey, (last - 70, 44), (last + 6, 40), 40, 3, cv2.LINE_AA)
        case "word above":
            small = printed("not", "Vera")[20:60, 25:90]
            grey[:24, dash - 18 : dash + 21] = cv2.resize(small, (39, 24), interpolation=cv2.INTER_AREA)
        case "head":
            cv2.polylines(grey, [np.array([(dash + 2, 36), (dash - 7, 43), (dash + 2, 50)])], False, 40, 3, cv2.LINE_AA)
    return grey


@pytest.mark.parametrize("mark", ["slash", "ring", "strike", "word above", "head"])
def test_a_mark_on_the_letters_or_above_them_is_asked(reader: NetRecogniser, mark: str) -> None:
    (found,) = reader.read([Crop(marked(mark))], FRANCE)
    assert found.tier is Tier.ASKED


def read(reader: NetRecogniser, text: str, font: str, vocabulary: Vocabulary = FRANCE) -> InkLine:
    return reader.read([Crop(printed(text, font))], vocabulary)[0]


@pytest.mark.parametrize("font", ["Vera", "VeraBd"])
@pytest.mark.parametrize("text", SIGNS)
def test_a_line_with_a_sign_that_no_order_has_is_asked(reader: NetRecogniser, text: str, font: str) -> None:
    assert read(reader, text, font).tier is Tier.ASKED


@pytest.mark.parametrize("font", ["Vera", "VeraBd"])
@pytest.mark.parametrize("text", ["A PAR - BUR", "F BRE - ENG", "A MAR S A PAR - BUR", "A PAR - (BUR)"])
def test_a_line_without_one_stands(reader: NetRecogniser, text: str, font: str) -> None:
    found = read(reader, text, font)
    assert found.tier in UNASKED
    assert found.readings[0].text == text.replace("(", "").replace(")", "")


def test_brackets_are_asked_where_the_rules_ask_about_them(reader: NetRecogniser) -> None:
    """What a part in brackets means, the rules say; all readers' brackets count, whatever the first one sees."""
    text = "A PAR (S A MAR) - BUR"
    strict = replace(FRANCE, taken=lambda written, _: Taken.ASKED if "(S A MAR)" in written else Taken.SAME)
    found = read(reader, text, "Vera", strict)
    assert (found.tier, found.notes) == (Tier.ASKED, (Note.MORE,))
    harmless = replace(FRANCE, taken=lambda *_: Taken.SAME)
    assert read(reader, text, "Vera", harmless).tier in UNASKED

"""One call of Tesseract for many pictures: starting it costs more than reading a line."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import pytesseract

from pipeline.reading.files.picture import Grey
from pipeline.reading.rows.recogniser import EngineFailed

SECONDS = 60  # for one call; a sheet takes two


@dataclass(frozen=True, slots=True)
class SeenByTesseract:
    """What Tesseract made of one picture."""

    text: str
    confidence: float  # 0..1, of its least certain word


@cache
def tesseract_version() -> str | None:
    """Find out which Tesseract is installed; None where there is none."""
    if shutil.which(pytesseract.pytesseract.tesseract_cmd) is None:
        return None
    try:
        return str(pytesseract.get_tesseract_version())
    except (pytesseract.TesseractError, pytesseract.TesseractNotFoundError, OSError, SystemExit):
        return None


def see(pictures: Sequence[Grey], letters: str = "") -> list[SeenByTesseract]:
    """Read pictures of one line each, printed with these letters; with any, where none are named."""
    if not pictures:
        return []
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")  # its threads cost more than they gain on single lines
    with TemporaryDirectory(prefix="ordersheets-") as folder:
        paths = [Path(folder) / f"{number}.png" for number in range(len(pictures))]
        for path, picture in zip(paths, pictures, strict=True):
            cv2.imwrite(str(path), picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        listing = Path(folder) / "pictures.txt"
        listing.write_text("\n".join(map(str, paths)), "utf-8")
        only = f" -c tessedit_char_whitelist='{letters}'" if letters else ""
        config = f"--psm 7 --dpi 300{only} -c load_system_dawg=0 -c load_freq_dawg=0"
        try:
            words = pytesseract.image_to_data(
                str(listing), lang="eng", config=config, timeout=SECONDS, output_type=pytesseract.Output.DICT
            )
        except (pytesseract.TesseractError, pytesseract.TesseractNotFoundError, RuntimeError, OSError) as error:
            raise EngineFailed(str(error)) from error
    return gathered(words, len(pictures))


def gathered(words: dict[str, list[object]], count: int) -> list[SeenByTesseract]:
    """Put the words of each picture together."""
    texts: list[list[str]] = [[] for _ in range(count)]
    least = [1.0] * count
    for page, text, confidence in zip(words["page_num"], words["text"], words["conf"], strict=True):
        number = int(str(page)) - 1
        if str(text).strip() and 0 <= number < count:
            texts[number].append(str(text).strip())
            least[number] = min(least[number], max(0.0, float(str(confidence)) / 100))
    return [SeenByTesseract(" ".join(t), c if t else 0.0) for t, c in zip(texts, least, strict=True)]

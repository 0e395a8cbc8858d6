"""Board sheets in real hands: printed, filled with digits of people the net never saw, scanned, and read.

``python benchmarks/board_sheets.py [--sheets 20] [--handwriting FOLDER]``: numbers read alone, asked, and wrong
unasked, at several thresholds; ink that was taken for an empty box is named, since nobody would look at it again.
"""

import argparse
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
from msgspec import Struct
from msgspec.structs import replace

from benchmarks.damaged.kinds import read_damages
from benchmarks.damaged.scans import scan
from pipeline.ink import Tier
from pipeline.paper.form import FormKind, FormRequest, Item, impose, place_form
from pipeline.paper.load_form import read_form
from pipeline.paper.printed_form import print_forms
from pipeline.paper.sheet_layout import NumberAnswer, PageLayout
from pipeline.pen.filling import FieldMark, fill
from pipeline.pen.hand import Hand
from pipeline.pen.writing import Writing
from pipeline.reading.digits import NumberReader, WhitePage, log_odds, shipped_reader
from pipeline.reading.identify import Identified, identify
from pipeline.reading.pages import Grey
from pipeline.reading.register import RegisteredPage, register
from pipeline.small_files import data_folder

HANDWRITING = Path(__file__).resolve().parents[2] / "shared" / "handwriting"
DPI = 200
TALL_MM = 4.6  # capitals, in boxes of 7.6 mm
MOST = 18
OWNERS, CENTRES = 8, 34  # of a year's row, and what they come to
THRESHOLDS = (3.0, 4.0, 5.0, 6.0, 7.0)

Glyphs = Mapping[str, list[list[list[float]]]]  # digit -> ways one person wrote it


class Found(Struct, frozen=True):
    """One number that was written."""

    writer: str
    written: str
    read: str
    odds: float  # -inf where it is asked whatever the net says
    is_blank: bool


def writers(folder: Path) -> dict[str, Glyphs]:
    """The people of the ``dev`` split who wrote all ten digits."""
    found: dict[str, dict[str, list[list[list[float]]]]] = defaultdict(lambda: defaultdict(list))
    with gzip.open(folder / "unipen_chars.jsonl.gz", "rt") as lines:
        for line in lines:
            one = json.loads(line)
            if one["split"] == "dev" and one["l"].isdigit():
                found[one["w"]][one["l"]].append(one["s"])
    return {name: glyphs for name, glyphs in sorted(found.items()) if len(glyphs) == 10}


def blank_sheet() -> tuple[Grey, PageLayout]:
    """A board sheet, and where everything is on it."""
    text = (data_folder("templates/sheets/forms") / "board.toml").read_text("utf-8")
    template = read_form(text, "board.toml")
    lists = {name: tuple(Item(f"{name}{n}", f"{n}") for n in range(most)) for name, most in template.lists.items()}
    request = FormRequest(event="BENCH", serial=1, kind=FormKind.BOARD, title="", about="", lists=lists)
    page = impose(template, "A4")
    with pypdfium2.PdfDocument(print_forms([request], template, page)) as document:
        picture = document[0].render(scale=DPI / 72, grayscale=True).to_numpy()
    (left, top), scale = page.places[0], DPI / 25.4
    rows = slice(round(top * scale), round((top + template.height) * scale))
    columns = slice(round(left * scale), round((left + template.width) * scale))
    return np.ascontiguousarray(picture.reshape(picture.shape[:2])[rows, columns]), place_form(request, template)


def stroke_of(points: list[float]) -> np.ndarray:
    """One stroke in mm; a dot becomes a short one."""
    found = np.array(points, float).reshape(-1, 2) * TALL_MM / 1000
    return found if len(found) > 1 else np.vstack([found, found + 0.2])


def glyph(glyphs: Glyphs, digit: str, rng: np.random.Generator) -> Writing:
    """One digit as this person wrote it, its foot on the line."""
    strokes = [stroke_of(points) for points in glyphs[digit][int(rng.integers(len(glyphs[digit])))]]
    points = np.vstack(strokes)
    left, foot = points[:, 0].min(), points[:, 1].max()
    height, width = (float(np.ptp(points[:, axis])) for axis in (1, 0))
    return Writing(tuple(stroke - [left, foot] for stroke in strokes), max(height, 1.0), ((0.0, width),))


def straight(page: Grey, layout: PageLayout) -> RegisteredPage:
    """Lay a scan straight."""
    found = identify(page, {layout.sheet: layout}, "BENCH")
    laid = register(found.grey, found.marks, layout.marker_ids, layout.form) if isinstance(found, Identified) else None
    assert isinstance(laid, RegisteredPage), found
    return laid


def sheet(seed: int, writer: str, glyphs: Glyphs, reader: NumberReader, *, alone: bool) -> Iterator[Found]:
    """Fill, scan and read one sheet by one person; every number of every second year."""
    rng = np.random.default_rng(seed)
    page, layout = blank_sheet()
    answers = [a for a in layout.answers if isinstance(a, NumberAnswer)]
    written: dict[str, str] = {}
    for start in range(0, len(answers), 2 * OWNERS):  # every second year
        shares = rng.multinomial(CENTRES, rng.dirichlet([1.2] * OWNERS))
        row = [min(int(share), MOST) for share in shares]
        row[-1] += CENTRES - sum(row)
        written |= {answer.name: str(n) for answer, n in zip(answers[start : start + OWNERS], row, strict=True)}
    marks: dict[tuple[str, int | None], FieldMark] = {
        (name, place): glyph(glyphs, digit, rng)
        for name, text in written.items()
        for place, digit in enumerate(text.rjust(2), start=1)
        if digit != " "
    }
    filled = fill(page, layout.as_json(), marks, Hand.from_seed(seed), rng)
    image = scan(filled, read_damages("office"), rng, page_dpi=DPI).image
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.uint8)
    white = WhitePage.of(straight(grey, layout))
    rows = [answers[start : start + OWNERS] for start in range(0, len(answers), OWNERS)]
    lines = [
        line
        for row in rows
        for line in ([reader.read(white, each) for each in row] if alone else reader.read_row(white, row))
    ]
    for answer, line in zip(answers, lines, strict=True):
        sure = log_odds(line.readings[0].confidence) if line.tier is Tier.ACCEPTED else -np.inf
        yield Found(writer, written.get(answer.name, ""), line.text, sure, line.tier is Tier.BLANK)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=int, default=20)
    parser.add_argument("--alone", action="store_true", help="each number by itself, without the sums")
    parser.add_argument("--handwriting", type=Path, default=HANDWRITING)
    asked = parser.parse_args()
    people = list(writers(asked.handwriting).items())
    everything = replace(shipped_reader(), gate=replace(shipped_reader().gate, accepted=-99.0))
    found = [
        one
        for seed in range(asked.sheets)
        for one in sheet(seed, *people[seed % len(people)], everything, alone=asked.alone)
    ]
    numbers = [one for one in found if one.written]
    print(f"{asked.sheets} sheets by {min(len(people), asked.sheets)} people, {len(numbers)} numbers")
    print(f"ink taken for an empty box: {[one for one in numbers if one.is_blank]}")
    print(f"an empty box taken for ink: {sum(not one.is_blank for one in found if not one.written)}")
    for threshold in THRESHOLDS:
        alone = [one for one in numbers if one.odds >= threshold]
        wrong = [f"{one.writer} {one.written}>{one.read}" for one in alone if one.written != one.read]
        print(f"log odds {threshold:g}: asked {1 - len(alone) / len(numbers):.1%}, wrong unasked {len(wrong)} {wrong}")


if __name__ == "__main__":
    main()

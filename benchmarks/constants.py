"""What a constant of the reader is worth: the same damaged pages with it as it is, and with other values.

    python benchmarks/constants.py [--pages 8] [--only WORST_RMS_MM,SURELY]

For constants that no paper and no ruler gives. A value is good where pages are filed, few are asked about or refused,
none is taken for another, and rows lie where they are; the span in which nothing changes stands beside the constant.
Rows: written rows that are taken for empty, empty ones that are taken for written, and notes on rows that are clean.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cv2
import numpy as np

from benchmarks.damaged.scans import DamagedScan, scan
from benchmarks.registration import PAGE_DPI, Case, Layer, Tally, cases, covered, measure, sheets, torn
from pipeline.ink import Tier
from pipeline.paper.sheet_layout import PageLayout
from pipeline.reading import band, dewarp, register, unmarked
from pipeline.reading.pages import PageImage
from pipeline.reading.recogniser import Filed, NoRecogniser, Vocabulary
from pipeline.reading.transcribe import SheetReader
from pipeline.reading.unmarked import Blanks

TIMES = (0.5, 0.75, 1.0, 1.33, 2.0)
NEARER = (0.9, 0.95, 1.0, 1.02)  # for what cannot be more than 1
PLAIN = ("rotation", "shadow", "stretch", "fold", "crumple", "phone", "office", "fax")


class Constant(Struct, frozen=True):
    """One constant: where it stands, on which pages it shows, and how another value is put there."""

    room: ModuleType
    name: str
    pages: tuple[str, ...]
    times: tuple[float, ...] = TIMES
    users: tuple[ModuleType, ...] = ()  # who imports it by its name
    of: Callable[[Any, float], Any] = lambda value, times: value * times

    @contextmanager
    def as_other(self, times: float) -> Iterator[Any]:
        """Put another value there for a while."""
        before = getattr(self.room, self.name)
        value = self.of(before, times)
        for room in (self.room, *self.users):
            setattr(room, self.name, value)
        try:
            yield value
        finally:
            for room in (self.room, *self.users):
                setattr(room, self.name, before)


def longer(search: dewarp.DotSearch, times: float) -> dewarp.DotSearch:
    """Look for longer or shorter pieces."""
    return replace(search, piece_mm=search.piece_mm * times)


def further(search: dewarp.DotSearch, times: float) -> dewarp.DotSearch:
    """Look further above and below."""
    return replace(search, down_mm=search.down_mm * times)


TORN = ("no mark left: rotation", "no mark left: stain", "no mark left: crumple", "no mark left: phone")
BENT = ("stretch", "fold", "crumple", "phone and crumple")
SHAKEN = ("motion", "phone", "blur")
CONSTANTS = (
    Constant(unmarked, "WORST_RMS_MM", TORN),
    Constant(dewarp, "BAR_SCORE", PLAIN, (0.6, 0.8, 1.0, 1.2, 1.5)),
    Constant(dewarp, "DOWN_MM", BENT),
    Constant(dewarp, "END_LIKE", BENT),
    Constant(dewarp, "FIRST", BENT, users=(register,), of=longer),
    Constant(dewarp, "FIRST", BENT, users=(register,), of=further),
    Constant(dewarp, "THEN", BENT, users=(register,), of=longer),
    Constant(dewarp, "THEN", BENT, users=(register,), of=further),
    Constant(register, "SURELY", SHAKEN, NEARER),
    Constant(band, "LEFT_MM", PLAIN),
    Constant(band, "BESIDE_LINE_MM", ("streaks", *PLAIN)),
    Constant(band, "PIECE_MM", ("covered", "glare", "stain", *PLAIN)),
)


class Rows(Struct):
    """What became of rows."""

    missed: int = 0
    invented: int = 0
    noted: int = 0

    def count(self, page: PageLayout, written: int, found: Filed) -> None:
        """Count the rows of a page, of which the first so many are written on."""
        assert found.transcription is not None
        for line in found.transcription.lines:
            if 1 <= line.number <= len(page.form.rows):
                is_blank = line.tier is Tier.BLANK
                self.missed += is_blank and line.number <= written
                self.invented += not is_blank and line.number > written
                self.noted += bool(line.notes) and line.number <= written


class Paper(Struct, frozen=True):
    """One page: what is on it, its scan, and how many rows are written on."""

    page: PageLayout
    scanned: DamagedScan
    written: int


def papers(names: tuple[str, ...], pages: int) -> list[Paper]:
    """The damaged pages of some rows of the table of `registration`."""
    printed = list(sheets(PAGE_DPI))
    found = []
    for place, case in enumerate(each for each in cases() if each.name in names):
        for number in range(pages):
            rng = np.random.default_rng([place, number])
            which = number % len(printed)
            page, _, written = printed[which]
            found.append(Paper(page, scanned_as(case, written, page, rng), 3 + which % 9))
    return found


def scanned_as(case: Case, written: Any, page: PageLayout, rng: np.random.Generator) -> DamagedScan:
    """Damage a page and scan it."""
    paper = covered(written, page, PAGE_DPI, case.hidden)
    if case.is_torn:
        paper = torn(paper, page, PAGE_DPI, rng)
    return scan(paper, case.damages(float(rng.uniform(0.1, 1.0))), rng, page_dpi=PAGE_DPI, dpi=case.dpi)


def tried(constant: Constant, given: list[Paper], layer: Layer, reader: SheetReader) -> None:
    """Print a line for each value."""
    for times in constant.times:
        tally, rows = Tally(), Rows()
        with constant.as_other(times) as value:
            for paper in given:
                measure(tally, paper.page, paper.scanned, layer)
                image = paper.scanned.image
                grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
                if constant.room is band:
                    found = reader.every_sheet(PageImage("scan", 1, np.asarray(grey, np.uint8)))
                    if isinstance(found, Filed):
                        rows.count(paper.page, paper.written, found)
        off = np.linalg.norm(np.vstack(tally.off_mm), axis=1) if tally.off_mm else np.array([np.nan])
        print(
            f"| {constant.name} | {value} | {tally.filed}/{tally.pages} | {tally.asked} ({tally.proposed}) "
            f"| {tally.refused} | {tally.wrong} | {np.percentile(off, 95):.2f} | {off.max():.2f} "
            f"| {rows.missed} / {rows.invented} / {rows.noted} | {1000 * np.mean(tally.seconds):.0f} |",
            flush=True,
        )


def main() -> None:
    """Try every constant, or those that are asked for."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--pages", type=int, default=8)
    arguments.add_argument("--only", default="")
    asked = arguments.parse_args()
    cv2.setNumThreads(1)
    printed = list(sheets(PAGE_DPI))
    layouts = {page.sheet: page for page, _, _ in printed}
    blanks = Blanks({page.sheet: blank for page, blank, _ in printed}.__getitem__)
    read_with = (layouts, NoRecogniser(), lambda _: Vocabulary(), "BENCH", "0" * 64)
    layer, reader = Layer(*read_with, blanks=blanks), SheetReader(*read_with, blanks=blanks)
    print("| constant | value | filed | asked (proposed) | refused | wrong | off mm 95 % | worst | rows | ms |")
    print(f"|{'---|' * 10}")
    for constant in CONSTANTS:
        if not asked.only or constant.name in asked.only.split(","):
            tried(constant, papers(constant.pages, asked.pages), layer, reader)


if __name__ == "__main__":
    main()

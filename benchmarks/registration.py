"""How well sheets are laid straight and identified: every kind of damage, many random pages of each.

    python benchmarks/registration.py [--pages 50] [--only stretch,crumple] [--first 0]

Figures beside those of the design's own prototype: what became of each page, and how far its rows then are from the
truth, across the lines (which row a word is in) and along them. Pages that the reader refused, or gave to a person to
identify, are counted apart: they cost a second scan or a key, not an order. A wrong identity ends the run with exit
code 1. ``--first`` begins with another random page, so that a run can be repeated on pages that nobody looked at.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import ClassVar

import cv2
import numpy as np
import pypdfium2
from msgspec import Struct, field
from numpy.typing import NDArray

from benchmarks.damaged.kinds import PRESETS, Damage, DamageKind
from benchmarks.damaged.scans import DamagedScan, scan
from pipeline.board import FIRST_PHASE, Power
from pipeline.ink import Transcription
from pipeline.paper.load_sheet import read_template
from pipeline.paper.printed_sheet import print_sheets
from pipeline.paper.sheet import SheetRequest, slot_of
from pipeline.paper.sheet_layout import PageLayout, layout
from pipeline.pen.filling import FieldMark, fill
from pipeline.pen.hand import Hand
from pipeline.reading.marks import FLAT_DPI, NODE_MM, Warp, transform
from pipeline.reading.pages import PageImage
from pipeline.reading.recogniser import Doubtful, Filed, NoRecogniser, Unidentified, Vocabulary
from pipeline.reading.register import FINEST, RegisteredPage
from pipeline.reading.transcribe import SheetReader
from pipeline.reading.unmarked import Blanks
from pipeline.small_files import data_folder

Grey = NDArray[np.uint8]
PAGE_DPI = 200  # the paper; the scanner may see it otherwise
PROTOTYPE = {  # residual in mm of the prototype that was measured before, where it gives one
    DamageKind.ROTATION: 0.05,
    DamageKind.UPSIDE_DOWN: 0.05,
    DamageKind.PERSPECTIVE: 0.05,
    DamageKind.SHADOW: 0.05,
    DamageKind.JPEG: 0.05,
    DamageKind.STAIN: 0.05,
    DamageKind.COVERED: 0.07,
    DamageKind.CUT_CORNER: 0.07,
    DamageKind.FAX: 0.14,
    DamageKind.STRETCH: 0.09,
    DamageKind.CRUMPLE: 1.02,
}
HEADS = (
    *("damage", "filed", "asked which", "refused", "wrong", "off mm across the lines: 95 %", "along: 95 %"),
    *("both: median page", "95 % of pages", "worst", "prototype", "told mm", "ms"),
)
TORN_HEADS = (
    *("no mark left", "proposed", "wrong", "left to a person", "off mm across the lines: 95 %", "along: 95 %"),
    *("both: median page", "95 % of pages", "worst", "told mm", "ms"),
)
ORDERS = ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO", "A PIC H", "F ENG C A LON - BEL", "A GAS - SPA")
SEEN_BY_CHANCE = (Damage(DamageKind.SHIFT, 0.1), Damage(DamageKind.NOISE, 0.15))


class Case(Struct, frozen=True):
    """One row of the table: what happens to the pages, and how finely they are scanned."""

    name: str
    damages: Callable[[float], tuple[Damage, ...]]  # by strength, 0.1..1
    dpi: int = 200
    hidden: int = 0  # markers that are covered as well
    is_torn: bool = False  # all markers and both codes are blotted or torn off
    prototype: float | None = None


def cases() -> Iterator[Case]:
    """All rows: each kind of damage by itself, then what comes together, then what a scanner may be set to."""
    for kind in DamageKind:
        yield Case(str(kind), partial(alone, kind), prototype=PROTOTYPE.get(kind))
    for hidden in (2, 3, 4):
        yield Case(f"{hidden} markers gone", partial(alone, DamageKind.ROTATION), hidden=hidden)
    yield Case("phone", partial(preset, "phone"))
    yield Case("phone and crumple", phone_crumpled, prototype=0.31)
    yield Case("office", partial(preset, "office"))
    for dpi in (150, 300, 400, 600):
        yield Case(f"office {dpi} dpi", partial(preset, "office"), dpi)
    yield Case("crumple 150 dpi", partial(alone, DamageKind.CRUMPLE), 150)
    yield Case("crumple 300 dpi", partial(alone, DamageKind.CRUMPLE), 300)
    for kind in (DamageKind.ROTATION, DamageKind.STAIN, DamageKind.CRUMPLE):
        yield Case(f"no mark left: {kind}", partial(alone, kind), is_torn=True)
    yield Case("no mark left: office", partial(preset, "office"), is_torn=True)
    yield Case("no mark left: phone", partial(preset, "phone"), is_torn=True)


def alone(kind: DamageKind, strength: float) -> tuple[Damage, ...]:
    """One kind of damage with a little of what every scan has."""
    return (Damage(kind, strength), *SEEN_BY_CHANCE)


def preset(name: str, strength: float) -> tuple[Damage, ...]:
    """What comes together, up to once and a half as bad as usual."""
    return tuple(Damage(each.kind, min(1.0, 1.5 * strength * each.strength)) for each in PRESETS[name])


def phone_crumpled(strength: float) -> tuple[Damage, ...]:
    """A picture taken by hand of a sheet that was crumpled."""
    return (
        Damage(DamageKind.CRUMPLE, strength),
        *(each for each in PRESETS["phone"] if each.kind is not DamageKind.CRUMPLE),
    )


class Tally(Struct):
    """What became of the pages of one row."""

    pages: int = 0
    filed: int = 0
    asked: int = 0  # given to a person with the right sheet among those offered
    proposed: int = 0  # of those asked: read as the sheet that it is, a person confirms
    refused: int = 0
    wrong: int = 0
    off_mm: list[NDArray[np.float64]] = field(default_factory=list)  # points by (along, across), of each page
    told_mm: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def row(self, case: Case) -> str:
        """One line of the table, or of the second table."""
        off = np.abs(np.vstack(self.off_mm)) if self.off_mm else np.full((1, 2), np.nan)
        along, across = np.percentile(off, 95, axis=0)
        whole = [float(np.percentile(np.linalg.norm(page, axis=1), 95)) for page in self.off_mm] or [np.nan]
        if case.is_torn:
            left = self.pages - self.filed - self.proposed - self.wrong
            return (
                f"| {case.name} | {self.proposed}/{self.pages} | {self.wrong} | {left} | {across:.2f} | {along:.2f} "
                f"| {np.median(whole):.2f} | {np.percentile(whole, 95):.2f} | {max(whole):.2f} "
                f"| {np.median(self.told_mm or [np.nan]):.2f} | {1000 * np.mean(self.seconds):.0f} |"
            )
        before = "" if case.prototype is None else f"{case.prototype:.2f}"
        return (
            f"| {case.name} | {self.filed}/{self.pages} | {self.asked} | {self.refused} | {self.wrong} "
            f"| {across:.2f} | {along:.2f} | {np.median(whole):.2f} | {np.percentile(whole, 95):.2f} "
            f"| {max(whole):.2f} | {before} | {np.median(self.told_mm or [np.nan]):.2f} "
            f"| {1000 * np.mean(self.seconds):.0f} |"
        )


class Layer(SheetReader, frozen=True):
    """Does all that the reader does with a page, but for its rows."""

    laid: ClassVar[list[RegisteredPage]] = []

    def read_rows(self, page: PageImage, layout: PageLayout, straight: RegisteredPage) -> Filed:
        """Keep how the sheet was laid."""
        self.laid.append(straight)
        found = Transcription(
            sheet_id=layout.sheet,
            scan_sha256=self.sha256,
            page=page.number,
            reader="none",
            lines=(),
            residual_mm=straight.residual_mm,
        )
        return Filed(page=page.number, transcription=found, crops={}, picture=b"")


def sheets(dpi: int, count: int = 14) -> Iterator[tuple[PageLayout, Grey, Grey]]:
    """Print sheets of two boards and write a few orders on each: as it was printed, and as it was written."""
    template = read_template((data_folder("templates/sheets") / "a4.toml").read_text("utf-8"), "a4.toml")
    for number in range(count):
        power = tuple(Power)[number % 7]
        request = SheetRequest(
            event="BENCH",
            serial=number + 1,
            title="Benchmark",
            round=1,
            board=str(1 + number // 7),
            slot=slot_of(number // 7, power),
            power=power,
            phase=FIRST_PHASE,
        )
        page = layout([request], template).pages[0]
        with pypdfium2.PdfDocument(print_sheets([request], template)) as document:
            blank = np.asarray(document[0].render(scale=dpi / 72, grayscale=True).to_numpy(), np.uint8)
        blank = blank.reshape(blank.shape[:2])
        rng = np.random.default_rng(number)
        marks: dict[tuple[str, int | None], FieldMark] = {
            ("order", row): ORDERS[(row + number) % len(ORDERS)] for row in range(1, 4 + number % 9)
        }
        written = fill(blank.copy(), page.as_json(), marks, Hand.from_seed(number), rng)
        yield page, blank, np.asarray(written, np.uint8)


def places(warp: Warp, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the reader believes that points of the sheet are on the picture."""
    columns, rows = ((points[:, axis, None] / NODE_MM + 1).astype(np.float32) for axis in (0, 1))
    bend = [
        cv2.remap(warp.bend[..., axis].astype(np.float32), columns, rows, cv2.INTER_LINEAR)[:, 0] for axis in (0, 1)
    ]
    return transform(warp.perspective, points + np.stack(bend, axis=1))


def lines_of(page: PageLayout) -> NDArray[np.float64]:
    """The points that matter: where people write, along every row."""
    boxes = [row.box for row in page.form.rows]
    return np.array([(b.left + u * b.width, b.top + 0.6 * b.height) for b in boxes for u in (0.02, 0.25, 0.5, 0.75, 1)])


def covered(grey: Grey, page: PageLayout, dpi: int, hidden: int) -> Grey:
    """Hide the first markers of a sheet."""
    hid = grey.copy()
    for box in page.form.markers[:hidden]:
        left, top = (round((side - 1.5) * dpi / 25.4) for side in (box.left, box.top))
        size = round((box.width + 3) * dpi / 25.4)
        hid[max(0, top) : top + size, max(0, left) : left + size] = 240
    return hid


def torn(grey: Grey, page: PageLayout, dpi: int, rng: np.random.Generator) -> Grey:
    """Spill ink on all markers and both codes of a sheet, or tear them off; what is printed beside them may go too."""
    spoilt = grey.copy()
    px = dpi / 25.4
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    for box in (*page.form.markers, *page.form.codes):
        middle = np.array([box.left + box.width / 2, box.top + box.height / 2]) + rng.uniform(-1.5, 1.5, 2)
        reach = rng.uniform(0.72, 1.15) * (1 + 0.18 * rng.standard_normal(len(turns)))
        away = box.width * np.maximum(reach, 0.55)
        edge = middle + away[:, None] * np.stack([np.cos(turns), np.sin(turns)], axis=1)
        shade = int(rng.choice([15, 70, 140, 235, 250]))
        cv2.fillPoly(spoilt, [np.round(edge * px).astype(np.int32)], (shade,), cv2.LINE_AA)
    return spoilt


def measure(tally: Tally, page: PageLayout, scanned: DamagedScan, reader: Layer) -> None:
    """Read one scan and compare it with the truth."""
    image = scanned.image
    grey = np.asarray(image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    tally.pages += 1
    reader.laid.clear()
    began = time.process_time()
    found = reader.every_sheet(PageImage("scan", 1, grey))
    tally.seconds.append(time.process_time() - began)
    match found:
        case Filed() if found.text == page.sheet:
            tally.filed += 1
            compare(tally, page, scanned, reader.laid[-1])
        case Filed():
            tally.wrong += 1
        case Doubtful() if found.filed.text == page.sheet:
            tally.asked += 1
            tally.proposed += 1
            compare(tally, page, scanned, reader.laid[-1])
        case Doubtful():
            tally.wrong += 1
        case Unidentified() if page.sheet in found.offers:
            tally.asked += 1
        case _:
            tally.refused += 1


def compare(tally: Tally, page: PageLayout, scanned: DamagedScan, straight: RegisteredPage) -> None:
    """Say how far the rows are from the truth, in mm on the sheet."""
    tally.told_mm.append(straight.residual_mm)
    points = lines_of(page)
    true = scanned.path.place(points)
    if any(d.kind is DamageKind.MIRRORED for d in scanned.damages):
        true = np.column_stack([scanned.image.shape[1] - 1 - true[:, 0], true[:, 1]])
    if straight.dpi > FLAT_DPI * FINEST:  # the reader makes a fine picture smaller first
        longest = max(scanned.image.shape[:2])
        true = (true + 0.5) * round(longest * FLAT_DPI * 1.25 / straight.dpi) / longest - 0.5
    back = np.linalg.inv(straight.warp.perspective).astype(np.float64)
    tally.off_mm.append(transform(back, places(straight.warp, points)) - transform(back, true))


def main() -> int:
    """Measure every kind of damage and print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pages", type=int, default=50)
    arguments.add_argument("--first", type=int, default=0)
    arguments.add_argument("--only", default="")
    asked = arguments.parse_args()
    cv2.setNumThreads(1)
    printed = list(sheets(PAGE_DPI))
    layouts = {page.sheet: page for page, _, _ in printed}
    blanks = Blanks({page.sheet: blank for page, blank, _ in printed}.__getitem__)
    reader = Layer(layouts, NoRecogniser(), lambda _: Vocabulary(), "BENCH", "0" * 64, blanks=blanks)
    wrong = 0
    heads: tuple[str, ...] = ()
    for place, case in enumerate(cases()):
        if asked.only and case.name not in asked.only.split(","):
            continue
        if heads != (heads := TORN_HEADS if case.is_torn else HEADS):
            print(f"\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
        tally = Tally()
        for number in range(asked.first, asked.first + asked.pages):
            rng = np.random.default_rng([place, number])
            page, _, written = printed[number % len(printed)]
            paper = covered(written, page, PAGE_DPI, case.hidden)
            if case.is_torn:
                paper = torn(paper, page, PAGE_DPI, rng)
            damages = case.damages(float(rng.uniform(0.1, 1.0)))
            measure(tally, page, scan(paper, damages, rng, page_dpi=PAGE_DPI, dpi=case.dpi), reader)
        print(tally.row(case), flush=True)
        wrong += tally.wrong
    print(f"\nwrong identities: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""How well sheets are laid straight and identified: every kind of damage, many random pages of each.

    python benchmarks/registration.py [--pages 50] [--only stretch,crumple] [--dpi 200]

Figures beside those of the design's own prototype (A4, 200 dpi): a sheet identified, a sheet laid straight, and how far
the rows' writing lines then are from the truth. A wrong identity ends the run with exit code 1.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from pipeline.board.map import Power
from pipeline.board.position import FIRST_PHASE
from pipeline.pen.damage import Damage, Kind
from pipeline.pen.filling import Mark, fill
from pipeline.pen.hand import Hand
from pipeline.pen.scanner import Scan, scan
from pipeline.reading.identify import BySlot, Identified, identify
from pipeline.reading.register import RegisteredPage, register
from pipeline.reading.warp import NODE_MM, Warp, transform
from pipeline.sheets.sheet import print_sheets
from pipeline.tournament.folders import data_folder
from pipeline.tournament.sheet import SheetRequest, read_template, slot_of
from pipeline.tournament.sheet_id import SheetId
from pipeline.tournament.sheet_layout import PageLayout, layout

Grey = NDArray[np.uint8]
PROTOTYPE = {  # READING.md 1: residual in mm of the prototype, where it gives one
    Kind.ROTATION: 0.05,
    Kind.UPSIDE_DOWN: 0.05,
    Kind.PERSPECTIVE: 0.05,
    Kind.SHADOW: 0.05,
    Kind.JPEG: 0.05,
    Kind.STAIN: 0.05,
    Kind.COVERED: 0.07,
    Kind.CUT_CORNER: 0.07,
    Kind.FAX: 0.14,
    Kind.STRETCH: 0.09,
    Kind.CRUMPLE: 1.02,
}
HEADS = (
    *("damage", "identified", "by markers", "wrong", "laid straight"),
    *("off mm: median", "90 %", "worst", "prototype", "told mm", "ms"),
)
ORDERS = ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO", "A PIC H", "F ENG C A LON - BEL", "A GAS - SPA")


@dataclass(slots=True)
class Tally:
    """One class of damage."""

    pages: int = 0
    identified: int = 0
    by_markers: int = 0
    wrong: int = 0
    straight: int = 0
    off_mm: list[float] = field(default_factory=list)  # 95th percentile of each page
    told_mm: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def row(self, name: str, prototype: float | None) -> str:
        """One line of the table."""
        off = np.array(self.off_mm or [np.nan])
        before = "" if prototype is None else f"{prototype:.2f}"
        return (
            f"| {name} | {self.identified}/{self.pages} | {self.by_markers} | {self.wrong} "
            f"| {self.straight}/{self.pages} | "
            f"{np.median(off):.2f} | {np.percentile(off, 90):.2f} | {off.max():.2f} | {before} | "
            f"{np.median(self.told_mm or [np.nan]):.2f} | {1000 * np.mean(self.seconds):.0f} |"
        )


def sheets(dpi: int, count: int = 14) -> Iterator[tuple[PageLayout, Grey]]:
    """Print sheets of two boards and write a few orders on each."""
    template = read_template((data_folder("templates/sheets") / "a4.toml").read_text("utf-8"), "a4.toml")
    for number in range(count):
        power = tuple(Power)[number % 7]
        request = SheetRequest(
            id=SheetId("BENCH", number + 1),
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
        rng = np.random.default_rng(number)
        marks: dict[tuple[str, int | None], Mark] = {
            ("order", row): ORDERS[(row + number) % len(ORDERS)] for row in range(1, 4 + number % 9)
        }
        written = fill(blank.reshape(blank.shape[:2]).copy(), page.as_json(), marks, Hand.from_seed(number), rng)
        yield page, np.asarray(written, np.uint8)


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


def measure(tally: Tally, page: PageLayout, scanned: Scan, layouts: dict[str, PageLayout]) -> None:
    """Read one scan and compare it with the truth."""
    image = scanned.image
    grey = np.asarray(image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    tally.pages += 1
    began = time.process_time()
    found = identify(grey, layouts, "BENCH")
    if isinstance(found, BySlot):
        tally.by_markers += 1
        tally.wrong += page.sheet not in {candidate.sheet for candidate in found.candidates}
    if not isinstance(found, Identified):
        tally.seconds.append(time.process_time() - began)
        return
    tally.identified += 1
    tally.wrong += found.layout.sheet != page.sheet
    straight = register(found.grey, found.marks, page.marker_ids, page.form)
    tally.seconds.append(time.process_time() - began)
    if not isinstance(straight, RegisteredPage):
        return
    tally.straight += 1
    tally.told_mm.append(straight.residual_mm)
    points = lines_of(page)
    true = scanned.path.place(points)
    if found.grey is not grey and any(d.kind is Kind.MIRRORED for d in scanned.damages):
        true = np.column_stack([grey.shape[1] - 1 - true[:, 0], true[:, 1]])
    off = np.linalg.norm(places(straight.warp, points) - true, axis=1) / straight.warp.pixels_per_mm
    tally.off_mm.append(float(np.percentile(off, 95)))


def main() -> int:
    """Measure every kind of damage and print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pages", type=int, default=50)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--dpi", type=int, default=200)
    asked = arguments.parse_args()
    cv2.setNumThreads(1)
    printed = list(sheets(asked.dpi))
    layouts = {page.sheet: page for page, _ in printed}
    kinds = [kind for kind in Kind if not asked.only or kind in asked.only.split(",")]
    print("|", " | ".join(HEADS), "|")
    print("|" + "---|" * len(HEADS))
    wrong = 0
    for kind in kinds:
        tally = Tally()
        for number in range(asked.pages):
            rng = np.random.default_rng([list(Kind).index(kind), number])
            page, written = printed[number % len(printed)]
            damages = (Damage(kind, float(rng.uniform(0.1, 1.0))), Damage(Kind.SHIFT, 0.1), Damage(Kind.NOISE, 0.15))
            measure(tally, page, scan(written, damages, rng, page_dpi=asked.dpi), layouts)
        print(tally.row(str(kind), PROTOTYPE.get(kind)), flush=True)
        wrong += tally.wrong
    print(f"\nwrong identities: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

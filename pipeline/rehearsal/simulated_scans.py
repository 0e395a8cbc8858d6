"""Sheets written and scanned without people: the printed pages, the pen and the scanner put together."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2

from pipeline.desk.sheets.printing import Printed
from pipeline.pen.batch import deliver
from pipeline.pen.damage import Damage, DamageKind
from pipeline.pen.filling import Mark, Place, Signature, Tick, fill
from pipeline.pen.hand import Hand
from pipeline.pen.laying import Picture
from pipeline.pen.scanner import Scan, scan
from pipeline.pen.slips import Slip, WrittenWords

PAGE_DPI = 200  # the paper; the scanner may see it otherwise
SCANNER_DPI = (200, 200, 300)


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """What goes onto one sheet."""

    hand: int
    player: str
    lines: Mapping[int, str]  # by the printed number of the row
    slips: Mapping[int, Slip]
    ticks: tuple[str, ...] = ()  # boxes that are ticked, by name
    times: int = 1  # how often the helper feeds it


WriterOf = Callable[[str], Writer | None]  # a sheet's id -> who writes it; None: it never comes in


def write_and_scan(printed: Printed, writer_of: WriterOf, folder: Path, seed: int) -> tuple[Path, ...]:
    """Write every sheet, scan it, and leave files of all kinds in the folder, pages in mixed order."""
    document = pypdfium2.PdfDocument(printed.pdf)
    scans = []
    for number, page in enumerate(printed.layout.pages):
        writer = writer_of(page.sheet)
        if writer is None:
            continue
        rng = np.random.default_rng([seed, number])
        paper = document[number].render(scale=PAGE_DPI / 72, grayscale=True).to_numpy()
        blank = np.ascontiguousarray(paper.reshape(paper.shape[:2]))
        filled = fill(blank, page.as_json(), marks(writer), Hand.from_seed(writer.hand), rng)
        scans += [scanned(filled, rng) for _ in range(writer.times)]
    document.close()
    folder.mkdir(parents=True, exist_ok=True)
    delivered = deliver(scans, folder, np.random.default_rng([seed, 999]))
    return tuple(folder / name for name in dict.fromkeys(each.file for each in delivered))


def marks(writer: Writer) -> dict[Place, Mark]:
    """What the writer puts where."""
    found: dict[Place, Mark] = {("signature", None): Signature(writer.player)}
    for name in writer.ticks:
        found[name, None] = Tick()
    for row, line in writer.lines.items():
        found["order", row] = WrittenWords(line, writer.slips.get(row))
    return found


def scanned(page: Picture, rng: np.random.Generator) -> Scan:
    """Scan a page as a feeder does: a little askew, now and then the wrong way up, in one resolution or another."""
    damages = [Damage(DamageKind.ROTATION, 0.15), Damage(DamageKind.NOISE, 0.3), Damage(DamageKind.JPEG, 0.3)]
    if rng.random() < 0.25:
        damages.append(Damage(DamageKind.UPSIDE_DOWN, 1.0))
    return scan(page, damages, rng, page_dpi=PAGE_DPI, dpi=int(rng.choice(SCANNER_DPI)))

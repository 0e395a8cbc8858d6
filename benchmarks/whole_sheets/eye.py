"""Contact sheets for the eye: the rows that went worst, each with what is written and what was read."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.whole_sheets.found import READER, Found

Grey = NDArray[np.uint8]
WIDTH, ROW, CAPTION = 1400, 130, 26  # pixels
MOST = 24  # rows on one contact sheet


def contact_sheets(rows: Sequence[Found], folder: Path) -> list[Path]:
    """Draw the sheets: wrong unasked, nearest to it, asked without need, asked and misread."""
    shown = [row for row in rows if row.crop and Path(row.crop).exists()]
    wrong = [row for row in shown if row.wrong_unasked or row.misread_unasked]
    taken = [row for row in shown if not row.asked and row not in wrong]
    asked = [row for row in shown if row.asked == READER and row.is_legal]
    sheets = {
        "wrong-unasked": wrong,
        "accepted-least-sure": sorted(taken, key=lambda row: row.confidence),
        "asked-though-right": sorted((row for row in asked if row.best), key=lambda row: -row.confidence),
        "asked-and-misread": sorted((row for row in asked if not row.best), key=lambda row: -row.confidence),
    }
    return [draw(chosen[:MOST], folder / f"{name}.png") for name, chosen in sheets.items() if chosen]


def draw(rows: Sequence[Found], path: Path) -> Path:
    """Draw one contact sheet."""
    cv2.imwrite(str(path), np.vstack([strip(row) for row in rows]))
    return path


def strip(row: Found) -> Grey:
    """One row's picture with its caption above it."""
    found = np.full((ROW + CAPTION, WIDTH), 255, np.uint8)
    picture = cv2.imread(row.crop, cv2.IMREAD_GRAYSCALE)
    if picture is None:
        return found
    scale = min(ROW / picture.shape[0], WIDTH / picture.shape[1])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found[CAPTION : CAPTION + small.shape[0], : small.shape[1]] = small
    told = (
        f"{row.writer} {row.pen} {row.scan} {row.dpi}  {row.kind}  '{row.text}' read '{row.read}' {row.confidence:.3f}"
    )
    plain = told.encode("ascii", "replace").decode()
    cv2.putText(found, plain, (6, CAPTION - 8), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0,), 1, cv2.LINE_AA)
    return found

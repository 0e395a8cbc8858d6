"""What becomes of sheets in real halls, each kind by itself: copies, folds, backs that show through, bad light, fax.

``python benchmarks/reading.py --damage all`` reads ten sheets or so of each kind and prints one table.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from benchmarks.damaged.kinds import PRESETS, Damage, read_damages
from benchmarks.whole_sheets.count import Count, markdown
from benchmarks.whole_sheets.found import SHEET, Found
from benchmarks.whole_sheets.set_tools import by_their_scanner, fill_with_their_ink, on_their_paper
from pipeline.pen.filling import fill
from pipeline.reading.limits import MM_PER_INCH
from pipeline.reading.pages import Grey

Rng = np.random.Generator
Change = Callable[[Grey, Rng, int], Grey]  # a picture at so many dots per inch
THROUGH = (0.10, 0.35)  # of its darkness shines through from the back
TONER = 0.35  # of its darkness print has left
CURL_MM = 6.0
GRID_MM = 8.0


def as_it_is(grey: Grey, rng: Rng, dpi: int) -> Grey:
    """Change nothing."""
    return grey


def pale_print(blank: Grey, rng: Rng, dpi: int) -> Grey:
    """Print with toner that runs out."""
    return np.asarray(255 - (255 - blank.astype(np.float32)) * TONER, np.uint8)


def copied(grey: Grey, rng: Rng, dpi: int, *, times: int) -> Grey:
    """Copy on an office copier: each time softer, harder in contrast, a little larger, and with specks."""
    for _ in range(times):
        soft = cv2.GaussianBlur(grey, (0, 0), 0.09 * dpi / MM_PER_INCH).astype(np.float32)
        harder = (soft - 128) * 1.5 + 140 + rng.normal(0, 6, grey.shape)
        specks = rng.random(grey.shape) < 0.0004
        grey = np.where(specks, 40, np.clip(harder, 0, 255)).astype(np.uint8)
        height, width = grey.shape
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(-0.4, 0.4)), 1.005)
        grey = cv2.warpAffine(grey, turn, (width, height), borderValue=(255,)).astype(np.uint8)
    return grey


def packed(grey: Grey, rng: Rng, dpi: int) -> Grey:
    """Keep it as a JPEG of quality 8."""
    data = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, 8])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_GRAYSCALE), np.uint8)


def curled(grey: Grey, rng: Rng, dpi: int) -> Grey:
    """Lift one side of the paper: what lies there is seen further up."""
    height, width = grey.shape
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    lift = np.clip((xs / width - 0.4) / 0.6, 0, 1) ** 2 * np.float32(CURL_MM * dpi / MM_PER_INCH)
    return np.asarray(cv2.remap(grey, xs, ys + lift, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def darkened(grey: Grey, rng: Rng, dpi: int) -> Grey:
    """Take it in a dark hall."""
    return np.clip(grey.astype(np.float32) * 0.3 + rng.normal(0, 5, grey.shape), 0, 255).astype(np.uint8)


def overexposed(grey: Grey, rng: Rng, dpi: int) -> Grey:
    """Let in too much light: what is not black is white."""
    return np.asarray(np.clip(grey.astype(np.float32) * 1.6 + 60, 0, 255), np.uint8)


def dithered(grey: Grey, rng: Rng, dpi: int) -> Grey:
    """Fax it with dots for greys."""
    return np.asarray(Image.fromarray(grey).convert("1").convert("L"), np.uint8)


def cut_light(grey: Grey, rng: Rng, dpi: int) -> Grey:
    """Make one bit of it with a threshold for pale originals' sake too low."""
    return np.where(grey < 95, 0, 255).astype(np.uint8)


def negative(grey: Grey, rng: Rng, dpi: int) -> Grey:
    """Give black for white."""
    return np.asarray(255 - grey, np.uint8)


def ruled(grey: Grey, rng: Rng, dpi: int) -> Grey:
    """Write on a ruled block: its lines are seen on the sheet."""
    found, pitch = grey.astype(np.float32), GRID_MM * dpi / MM_PER_INCH
    for place in np.arange(rng.uniform(0, pitch), len(grey), pitch):
        found[int(place) : int(place) + max(1, dpi // 100)] *= 0.8
    return found.astype(np.uint8)


class Kind(Struct, frozen=True):
    """One kind of damage: to the print, to the filled sheet, on its way, and to the picture."""

    on_the_way: tuple[Damage, ...] = PRESETS["office"]
    write: Callable[..., Grey] = fill
    print_: Change = as_it_is
    paper: Change = as_it_is
    picture: Change = as_it_is
    shows_back: bool = False


HARD = "crumple:0.3+perspective:0.9+shadow:0.9+blur:0.45+noise:0.7+jpeg:0.7"
KINDS: dict[str, Kind] = {
    "jpeg 8": Kind(picture=packed),
    "copy of a copy": Kind(paper=partial(copied, times=2)),
    "third copy": Kind(paper=partial(copied, times=3)),
    **{
        name.replace("-", " "): Kind(read_damages(f"office+{name}:0.5"))
        for name in ("fold", "pale-fold", "lengthwise", "pale-lengthwise")
    },
    "back page": Kind(shows_back=True),
    "curl": Kind(picture=curled),
    "dark phone": Kind(PRESETS["phone"], picture=darkened),
    "hard phone": Kind(read_damages(HARD)),
    "moiré": Kind(read_damages("office+screen:0.5")),
    "fax dither": Kind(picture=dithered),
    "overexposed": Kind(picture=overexposed),
    "coffee": Kind(read_damages("office+stain:0.7")),
    "motion": Kind(read_damages("office+motion:0.5")),
    "ruled block": Kind(paper=ruled),
    "pale toner": Kind(print_=pale_print),
    "light threshold": Kind(picture=cut_light),
    "streaks": Kind(read_damages("office+streaks:0.5")),
    "negative": Kind(picture=negative),
}
LAID = read_damages("rotation:0.08+shift:0.15")  # how a clean sheet lies
THEIR_SCAN = Kind(LAID, paper=on_their_paper, picture=by_their_scanner)
# no damage: with what a sheet is written and scanned, to tell the people's part from the tools' (`set_tools`)
TOOLS = {
    "our ink and scan": Kind(PRESETS["clean"]),
    "their ink": Kind(PRESETS["clean"], write=fill_with_their_ink),
    "their scan": THEIR_SCAN,
    "their ink and scan": replace(THEIR_SCAN, write=fill_with_their_ink),
}


def with_back(paper: Grey, back: Grey, rng: Rng) -> Grey:
    """Let the other side of the paper shine through."""
    share = float(rng.uniform(*THROUGH))
    height, width = paper.shape
    behind = cv2.resize(cv2.flip(back, 1), (width, height)).astype(np.float32)
    return np.asarray(paper * (1 - share * (1 - behind / 255)), np.uint8)


def table(found: Iterable[tuple[str, str, Sequence[Found]]]) -> str:
    """How each kind fared in each design."""
    head = ("damage", "rows", "sheets", "not identified", "asked, legal", "of", "not seen", "wrong unasked")
    lines = []
    for kind, design, rows in found:
        plain = [row for row in rows if not row.is_accident]
        count, lost = Count.of(plain), [row for row in plain if row.tier == "lost" or (row.asked and not row.read)]
        sheets = {row.sheet for row in plain}
        gone = {row.sheet for row in plain if row.asked == SHEET}
        lines.append(
            (
                *(kind, design, f"{len(sheets)}", f"{len(gone)}"),
                *(f"{count.asked_legal}", f"{count.legal}", f"{sum(row.asked != SHEET for row in lost)}"),
                f"{count.wrong + count.slips}",
            )
        )
    return markdown(head, lines)

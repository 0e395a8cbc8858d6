"""Handwriting fonts as hands: ``python -m training fonts`` fetches them and makes each letter strokes of a pen.

173 people are few. The fonts listed in `fonts.txt` were drawn by other people, or after the hand that a country's
schools teach; they are open (SIL OFL 1.1 or Apache-2.0), come by npm from Fontsource, and are only learnt from: none of
them is in this repository. A letter is thinned to its middle line (Zhang & Suen 1984), and that is cut at its forks:
drawn again with any pen it is a letter like those that were recorded.
"""

import argparse
import subprocess
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from pipeline.reading.alphabet import LETTERS, SIGNS
from training.strokes import Glyph, Stroke, Writer, fonts_kept, glyph, smooth

LISTED = Path(__file__).with_name("fonts.txt")
PIXELS = 96  # height of a capital, drawn
MARGIN = 2.5  # capital heights of room about a letter
STEP = 3  # every so manyth pixel of a middle line is a point
SPUR = 1.1  # half widths of the pen: a twig of the middle line no longer than this is none of the writer's
LETTERS_DRAWN = sorted({*LETTERS, *LETTERS.upper(), *SIGNS, ".", ">", "+", '"'})
LEAST_LETTERS = 40  # of 26 small and 26 capital letters that are wanted
GAPS, SPACES = (0.08, 0.35), (0.45, 1.5)  # least and most, in capital heights

Mask = NDArray[np.bool_]
Place = tuple[int, int]


def listed() -> tuple[str, ...]:
    """The fonts that are learnt from, as Fontsource names them."""
    return tuple(line for line in LISTED.read_text().splitlines() if line and not line.startswith("#"))


def fetched(name: str, folder: Path) -> Path | None:
    """Fetch a font by npm, once; None where it cannot be had."""
    to = folder / f"{name}.woff"
    if to.exists():
        return to
    folder.mkdir(parents=True, exist_ok=True)
    asked = ["npm", "pack", f"@fontsource/{name}", "--silent", "--pack-destination", str(folder)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    if done.returncode:
        return None
    package = folder / done.stdout.split()[-1]
    with tarfile.open(package) as kept:
        woffs = sorted(one for one in kept.getnames() if one.endswith("-latin-400-normal.woff"))
        if woffs and (stream := kept.extractfile(woffs[0])):
            to.write_bytes(stream.read())
    package.unlink()
    return to if to.exists() else None


def drawn(font: ImageFont.FreeTypeFont, letter: str) -> tuple[Mask, NDArray[np.float32]]:
    """Draw a letter; the ink, and where on it the baseline begins."""
    room = int(MARGIN * PIXELS)
    picture = Image.new("L", (2 * room, 2 * room), 0)
    ImageDraw.Draw(picture).text((room // 2, room), letter, fill=255, font=font, anchor="ls")
    return np.asarray(picture) > 127, np.array([room // 2, room], np.float32)


def beside(at: Place) -> Iterator[Place]:
    """The eight pixels about one, those that share a side first."""
    for down, across in ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)):
        yield at[0] + down, at[1] + across


def traced(middle: Mask) -> Iterator[list[Place]]:
    """Follow a middle line from fork or end to fork or end, each pixel between them once; rings come last."""
    left = {(int(y), int(x)) for y, x in np.argwhere(middle)}
    near = {at: [one for one in beside(at) if one in left] for at in left}
    ends = {at for at, others in near.items() if len(others) != 2}
    taken: set[Place] = set()
    yield from ([at] for at in ends if not near[at])
    for start in sorted(ends):
        for second in near[start]:
            path, here = [start], second
            while here not in ends and here not in taken:
                taken.add(here)
                path.append(here)
                here = next((one for one in near[here] if one not in taken and one != path[-2]), start)
            if len(path) > 1 or (here in ends and start < here):
                yield [*path, here]
    for start in sorted(left - ends - taken):
        path, here = [start], start
        while here is not None and here not in taken:
            taken.add(here)
            path.append(here)
            here = next((one for one in near[here] if one not in taken), None)  # type: ignore[assignment]
        if len(path) > 1:
            yield [*path, start]


def strokes(ink: Mask, origin: NDArray[np.float32], capital: float) -> list[Stroke]:
    """Thin a letter and lay points along it, in capital heights from its origin."""
    from skimage.morphology import skeletonize  # noqa: PLC0415 - half a second, and it is seldom asked

    wide = cv2.distanceTransform(ink.astype(np.uint8), cv2.DIST_L2, 5)
    middle = np.asarray(skeletonize(ink), np.bool_)  # type: ignore[no-untyped-call]
    count = cv2.filter2D(middle.astype(np.float32), -1, np.ones((3, 3), np.float32), borderType=cv2.BORDER_CONSTANT)
    found = []
    for path in traced(middle):
        loose = [count[at] <= 2 for at in (path[0], path[-1])]
        if any(loose) and not all(loose) and len(path) < SPUR * float(max(wide[at] for at in path)):
            continue
        kept = [*path[:-1:STEP], path[-1]] if len(path) > 1 else path
        points = (np.array([(x, y) for y, x in kept], np.float32) - origin) / capital
        found.append(smooth(points.astype(np.float32), 1.2))
    return found


def hand(name: str, file: Path, letters: Iterable[str] = LETTERS_DRAWN) -> Writer | None:
    """Make a font a writer; None where too many letters are missing."""
    tall = ImageFont.truetype(str(file), 1000)
    box = tall.getbbox("H", anchor="ls")
    font = ImageFont.truetype(str(file), max(8, round(1000 * PIXELS / max(1.0, -box[1]))))
    capital = max(1.0, -font.getbbox("H", anchor="ls")[1])
    nothing = bytes(font.getmask("\uffff"))
    found: dict[str, tuple[Glyph, ...]] = {}
    bearings = []
    for letter in letters:
        if bytes(font.getmask(letter)) == nothing:
            continue
        ink, origin = drawn(font, letter)
        pieces = strokes(ink, origin, capital) if ink.any() else []
        if pieces:
            found[letter] = (glyph(pieces),)
            low, high = np.flatnonzero(ink.any(0))[[0, -1]]
            bearings.append((font.getlength(letter) - float(high - low)) / capital)
    if sum(letter.isalpha() for letter in found) < LEAST_LETTERS:
        return None
    gap = float(np.clip(np.median(bearings), *GAPS))
    return Writer(f"font-{name}", found, gap, float(np.clip(font.getlength(" ") / capital, *SPACES)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, fetch the fonts, and keep their letters beside the recorded ones."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("build/training"), help="of the caches")
    found = parser.parse_args(arguments)
    hands, missing = [], []
    for name in listed():
        file = fetched(name, found.folder / "fonts")
        made = hand(name, file) if file else None
        if made is None:
            missing.append(name)
        else:
            hands.append(made)
    kept = fonts_kept(found.folder, tuple(hands))
    print(f"{len(kept)} hands; not to be had, or not whole: {' '.join(missing) or 'none'}")

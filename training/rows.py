"""Pictures of rows in the hands of people the net never learnt from, made once by the handwriting set's own composer.

``python -m training rows --half fit --to build/rows/fit.pkl`` and the same for the test half; the composer is that of
the set, not the one the training pictures come from. ``--boxes`` writes rows of boxes, each place in a box of its own.
"""

import argparse
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.board import Step
from pipeline.reading.recogniser import CROP_DPI, Crop, Inked, Sure
from training.beside import bank_with_marks
from training.boxed import Piece, boxed_cases
from training.cases import KINDS, LOOK_ALIKE, Case, cases
from training.dev_labels import leave_out_wrong_labels
from training.orders import seats
from training.strokes import HANDWRITING

COMPOSER_DPI = 300
WORDS_MM = (2.5, 3.5)  # a capital's height in a box
AT_ONCE = 500  # rows, from a seed of their own
ROWS = Path("build/rows/dev.pkl")


class Row(Struct, frozen=True):
    """One written row."""

    case: Case
    writer: str
    pen: str
    grey: NDArray[np.uint8]  # at CROP_DPI, the sheet's own print already gone
    parts: tuple[Sure | Inked, ...] = ()  # of a row of boxes

    @property
    def crop(self) -> Crop:
        """The row as a reader is given it."""
        return Crop(self.grey, self.parts)


def halves(folder: Path = HANDWRITING) -> tuple[frozenset[str], frozenset[str]]:
    """Part the dev writers: those the gate is fitted on, and those nothing is ever fitted on."""
    rows = (folder / "tools" / "splits.tsv").read_text().splitlines()[1:]
    dev = sorted(name for name, split in (row.split("\t") for row in rows) if split == "dev")
    return frozenset(dev[::2]), frozenset(dev[1::2])


def written(
    drawn: Iterable[tuple[Case, list[Piece]]],
    count: int,
    seed: int,
    only: frozenset[str] | None = None,
    people: str = "dev",
) -> list[Row]:
    """Write rows, every writer about as often as every other."""
    bank, missing = bank_of(people)
    rng = np.random.default_rng(seed)
    used = dict.fromkeys(bank.writers, 0)
    found: list[Row] = []
    for case, pieces in drawn:
        able = [name for name in bank.can(case.text) if only is None or name in only]
        if len(found) == count:
            break
        if not able:
            continue
        writer = min(able, key=lambda name: (used[name], rng.random()))
        try:
            found.append(row_of(case, pieces, writer, bank, rng))
        except missing:
            continue
        used[writer] += 1
    return found


def bank_of(people: str, drawing: Callable[[Any], Any] | None = None) -> tuple[Any, type[Exception]]:
    """The letters of a split's people, without those that are labelled wrongly; and what a missing letter raises.

    ``drawing`` makes a bank of another class of it.
    """
    bank_class, missing = bank_with_marks()
    bank_class = drawing(bank_class) if drawing else bank_class
    path = HANDWRITING / "tools" / ("bank_fresh.pkl" if people == "fresh" else "bank.pkl")
    bank = bank_class(path=str(path), split=people, borrow=True)
    leave_out_wrong_labels(bank.B)
    return bank, missing


def drawn_cases(
    share_of_misorders: float,
    seed: int,
    step: Step = Step.MOVEMENT,
    kinds: Sequence[str] = (*KINDS, LOOK_ALIKE),
    *,
    boxes: bool = False,
) -> Iterator[tuple[Case, list[Piece]]]:
    """Draw what is to be written, and in which boxes; none where there are no boxes."""
    some = list(seats(step))
    if boxes:
        return boxed_cases(some, share_of_misorders, seed)
    return ((case, []) for case in cases(some, share_of_misorders, seed, kinds))


def row_of(case: Case, pieces: Sequence[Piece], writer: str, bank: Any, rng: np.random.Generator) -> Row:
    """Write one row: a line, or word by word with one pen and as large as each other."""
    bank.mark = case.mark
    if not pieces:
        grey, pen = in_grey(bank.line(case.text, writer, rng, ruled=bool(rng.random() < 0.1)))
        return Row(case, writer, pen, grey)
    size, pen = float(rng.uniform(*WORDS_MM)), ""
    parts: list[Sure | Inked] = []
    for piece in pieces:
        if not piece.written:
            parts.append(Sure(piece.text))
            continue
        grey, pen = in_grey(bank.line(piece.text, writer, rng, cap_mm=size, pen=pen or None, ruled=False))
        parts.append(Inked(grey))
    return Row(
        case, writer, pen, max((part.grey for part in parts if isinstance(part, Inked)), key=np.size), tuple(parts)
    )


def in_grey(composed: tuple[NDArray[np.uint8], dict[str, Any]]) -> tuple[NDArray[np.uint8], str]:
    """A composed line as a crop is, and the pen that wrote it."""
    colour, about = composed
    grey, scale = cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), CROP_DPI / COMPOSER_DPI
    return cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8), about["pen"]


def load(path: Path = ROWS) -> list[Row]:
    """Load rows that were written before."""
    rows: list[Row] = pickle.loads(path.read_bytes())
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and write rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--misorders", type=float, default=0.3, help="share; weighed down to 5 %% where it is counted")
    parser.add_argument("--half", choices=("fit", "test"), help="only the writers the gate is fitted on, or the others")
    parser.add_argument("--people", choices=("dev", "fresh"), default="dev", help="whose strokes")
    parser.add_argument("--step", type=Step, choices=list(Step), default=Step.MOVEMENT, help="of the phases")
    parser.add_argument("--boxes", action="store_true", help="rows of boxes instead of lines")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=Path, default=ROWS)
    found = parser.parse_args(arguments)
    only = None if found.half is None else halves()[found.half == "test"]
    rows: list[Row] = []
    for at in range(0, found.count, AT_ONCE):
        count = min(AT_ONCE, found.count - at)
        drawn = drawn_cases(found.misorders, found.seed + at, found.step, boxes=found.boxes)
        rows += written(drawn, count, found.seed + at, only, found.people)
    found.to.parent.mkdir(parents=True, exist_ok=True)
    found.to.write_bytes(pickle.dumps(rows, pickle.HIGHEST_PROTOCOL))
    writers = {row.writer for row in rows}
    print(f"{found.to}: {len(rows)} rows by {len(writers)} writers")

"""What became of one written row: the unit that everything is counted in. It is kept as one line of JSON."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct, to_builtins

from benchmarks.whole_sheets.players import ACCIDENTS

READER, RULES, SHEET = "reader unsure", "rules ask", "sheet"  # why a row was asked
AS_LABELLED, OTHERS = "all as they are labelled", "one or more seen as another"  # a row's letters


class Found(Struct, frozen=True, kw_only=True):
    """One row, what was written on it and what the product made of it."""

    sheet: str  # its id, and the event it belongs to
    tournament: str
    phase: str
    power: str
    line: int
    season: int  # 1.., of the same hand
    writer: str
    pen: str
    scan: str
    dpi: int
    design: str
    kind: str  # of row: "legal", a kind of misorder, a kind of accident
    text: str  # as it was really written
    truth: str  # the orders that the rules make of it, canonical, joined by "; "
    clear: bool  # the rules follow it as it is written
    read: str  # the best reading
    order: str  # what will be adjudicated, as `truth`
    asked: str  # why a person is asked first; empty: nobody is
    why: str  # what the director is told about a row that is asked
    tier: str  # of the reading: accepted, marked, asked, none
    same: bool  # the best reading says what is written: the same letters, or another spelling of the same line
    best: bool  # the best reading alone leads to the same order
    confidence: float  # of the best reading
    slip: bool = False  # what is written is misspelt, and the order that stands is the only one it can be a slip of
    spaced: bool = False  # the letters spell the order that stands, and the spaces between them stand elsewhere
    letters: str = AS_LABELLED  # whether people see them as what they are labelled (training/dev_labels.toml)
    crop: str = ""  # the row's picture, where it was kept

    @property
    def wrong_unasked(self) -> bool:
        """Whether the order differs from what was written, and nobody was asked."""
        return not self.asked and self.order != self.truth

    @property
    def another_order(self) -> bool:
        """Whether it is wrong unasked, and no slip that can mean nothing else (training/wrong.py)."""
        return self.wrong_unasked and not self.slip

    @property
    def forgiven_slip(self) -> bool:
        """Whether it is such a slip, of which the rules would have asked, or held the unit."""
        return self.wrong_unasked and self.slip

    @property
    def spaces_elsewhere(self) -> bool:
        """Whether it is another order by its spaces alone: ``A PARI S- PIC`` taken for A PARIS - PIC.

        It counts as one: whether a person sees the gap in the ink nobody has said.
        """
        return self.another_order and self.spaced

    @property
    def misread_unasked(self) -> bool:
        """The stricter count: what was taken as read differs in meaning from what is written."""
        return not self.asked and not self.same

    @property
    def is_accident(self) -> bool:
        """Whether something was struck out or written over: counted apart."""
        return self.kind in ACCIDENTS

    @property
    def is_legal(self) -> bool:
        """Whether it is an order that the rules follow as it is written."""
        return self.kind == "legal" and self.clear


def save(rows: Iterable[Found], path: Path) -> None:
    """Keep rows; the file is whole or not there."""
    partial = path.with_suffix(".part")
    partial.write_text("".join(json.dumps(to_builtins(row), ensure_ascii=False) + "\n" for row in rows), "utf-8")
    partial.replace(path)


def load(paths: Iterable[Path]) -> Iterator[Found]:
    """Read rows back."""
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            yield Found(**json.loads(line))

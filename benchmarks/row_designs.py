"""Both row designs, filled by the same people with the same orders and scanned alike: which one is read better.

``python benchmarks/row_designs.py --people 60 --pen 30``. Positions and orders are those of real games, 5 % of the rows
are misorders. *People*: real strokes of writers nothing was fitted on; the crosses and hooks in their boxes are our
pen's, for nobody's were recorded. *Pen*: hands of our own. The default design (`SheetRequest.design`) follows these
figures; run it again after every training. Rows of targets are nothing without the units printed: `reading.py` compares
them, with boxes and their units printed, on whole sheets.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
from msgspec import Struct, field
from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.whole_sheets.boxes import Boxes, boxes_of, line_of, misspelt
from benchmarks.whole_sheets.count import wilson
from benchmarks.whole_sheets.paper import THICKEST, Manner
from benchmarks.whole_sheets.people import own_letters, writable, write
from benchmarks.whole_sheets.players import Player, orders_of
from pipeline.board.position import Step
from pipeline.ink import DOUBTS, InkLine, Tier
from pipeline.judge.adjudicate import why_illegal
from pipeline.paper.load_sheet import read_template
from pipeline.paper.printed_sheet import print_sheets
from pipeline.paper.sheet import SheetId, SheetRequest, SheetTemplate, slot_of
from pipeline.paper.sheet_layout import PageLayout, layout
from pipeline.paper.sheet_rows import Design
from pipeline.pen.damage import PRESETS
from pipeline.pen.filling import Mark, Place, Tick, fill
from pipeline.pen.hand import Hand, pick_pen
from pipeline.pen.scanner import scan
from pipeline.reading.alphabet import accepts, bare, spelled
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.page_outcome import Filed
from pipeline.reading.pages import PageImage
from pipeline.reading.recogniser import Vocabulary
from pipeline.reading.transcribe import SheetReader
from pipeline.rules.table import data_folder
from training.cases import spoilt
from training.orders import BOARD, TOURNAMENT, Seat, admissible, seats
from training.rows import halves

EVENT = "BENCH"
MISORDERS = 0.05  # share of the rows
KINDS = ("illegal destination", "near miss", "wrong unit", "misspelling")
DESIGNS = (Design.LINE, Design.FIELDS)
LEAST_LETTERS = 0.85  # of the alphabet: a writer with fewer can hardly name a place
MOST_UNITS = 15


class Row(Struct, frozen=True):
    """One order as a player words it, the same words in both designs."""

    boxes: Boxes
    is_legal: bool

    @property
    def line(self) -> str:
        """The words on a free line."""
        return line_of(self.boxes)


class Tally(Struct):
    """How one design did."""

    pages: int = 0
    filed: int = 0
    legal: int = 0
    right: int = 0
    asked: int = 0
    others: int = 0
    others_asked: int = 0
    wrong: list[str] = field(default_factory=list)
    doubts: Counter[str] = field(default_factory=Counter)

    def count(self, row: Row, read: InkLine | None, lines: Vocabulary) -> None:
        """Add a row; one whose page was not filed is asked."""
        asked = read is None or read.tier not in (Tier.ACCEPTED, Tier.MARKED)
        right = read is not None and is_right(read.text, row.line, lines)
        self.legal += row.is_legal
        self.right += row.is_legal and right
        self.asked += row.is_legal and asked
        self.others += not row.is_legal
        self.others_asked += not row.is_legal and asked
        if read is not None:
            self.doubts.update(str(note) for note in read.notes if note in DOUBTS)
            if not asked and not right:
                self.wrong.append(f"{row.line!r} read as {read.text!r}")

    def table(self, name: str) -> str:
        """One line of the table."""
        rows = self.legal + self.others
        low, high = wilson(len(self.wrong), max(rows, 1))
        legal = max(self.legal, 1)
        return (
            f"| {name} | {self.filed}/{self.pages} | {rows} | {self.right / legal:.1%} | {self.asked / legal:.1%} "
            f"| {self.others_asked} of {self.others} | {len(self.wrong)} ({1e4 * low:.0f} to {1e4 * high:.0f}) |"
        )


def is_right(text: str, truth: str, lines: Vocabulary) -> bool:
    """Whether what was read is what was written: the same letters, or another spelling of the same admissible line."""
    if bare(text) == bare(truth):
        return True
    slots = [tuple(map(spelled, line.slots)) for line in lines.lines]
    return any(accepts(one, bare(text)) and accepts(one, bare(truth)) for one in slots)


def rows_of(seat: Seat, player: Player, rng: random.Random) -> list[Row]:
    """Word a sheet: what each unit was really ordered, and now and then what it cannot do or what nobody can mean."""
    found = []
    for order in orders_of(seat, rng)[:MOST_UNITS]:
        kind = rng.choice(KINDS) if rng.random() < MISORDERS else ""
        meant = order if kind in ("", "misspelling") else spoilt(order, seat, kind, rng)
        if meant is None or (meant is not order and why_illegal(BOARD, seat.position, seat.power, meant) is None):
            continue
        boxes = boxes_of(meant, player.name_of, unit_printed=False)
        row = Row(misspelt(boxes, rng) if kind == "misspelling" else boxes, not kind)
        if all(writable(player.writer, text) is not None for text in (*row.boxes.values(), row.line)):
            found.append(row)
    return found


def request(seat: Seat, serial: int, design: Design) -> SheetRequest:
    """Ask for one sheet."""
    return SheetRequest(
        id=SheetId(EVENT, serial),
        title="Benchmark",
        round=1,
        board="1",
        slot=slot_of(0, seat.power),
        power=seat.power,
        phase=seat.position.phase,
        design=design,
    )


def marks(rows: Sequence[Row], page: PageLayout, manner: Manner, *, is_pen: bool) -> Iterator[tuple[Place, Mark]]:
    """What is written where; every place is written with luck of its own, so both designs have the same writers."""
    rng = np.random.default_rng(manner.seed + 1)

    def mark(text: str) -> Mark:
        return text if is_pen else write(str(writable(manner.writer, text)), manner.writer, manner.cap_mm, rng)

    for number, row in enumerate(rows, start=1):
        if not page.form.cells:
            yield ("order", number), mark(row.line)
            continue
        for name, text in row.boxes.items():
            yield (name, number), mark(text) if text else Tick()


def line_for(rows: Sequence[Row], lines: Sequence[InkLine]) -> Iterator[tuple[Row, InkLine]]:
    """Pair what was written with what was read."""
    by_number: Mapping[int, InkLine] = {line.number: line for line in lines}
    yield from ((row, by_number[number]) for number, row in enumerate(rows, start=1))


class Bench:
    """A printer, a room of writers, a scanner and a reader."""

    def __init__(self, engine: NetRecogniser, template: SheetTemplate) -> None:
        self.engine, self.template = engine, template
        self.tallies = {(who, design): Tally() for who in ("people", "pen") for design in DESIGNS}

    def sheet(self, seat: Seat, rows: Sequence[Row], manner: Manner, *, is_pen: bool) -> None:
        """Print, fill, scan and read one sheet in both designs."""
        lines = admissible(seat.position, seat.power).vocabulary
        for serial, design in enumerate(DESIGNS, start=1):
            wanted = request(seat, serial, design)
            page = layout([wanted], self.template).pages[0]
            with pypdfium2.PdfDocument(print_sheets([wanted], self.template)) as document:
                paper = document[0].render(scale=manner.dpi / 72, grayscale=True).to_numpy()
            blank = np.ascontiguousarray(paper.reshape(paper.shape[:2]))
            rng = np.random.default_rng(manner.seed)
            hand = Hand.from_seed(manner.seed)
            if not is_pen:
                pen = pick_pen(rng, manner.pen)
                hand = replace(hand, pen=replace(pen, width_mm=min(pen.width_mm, THICKEST * manner.cap_mm)))
            filled = fill(blank, page.as_json(), dict(marks(rows, page, manner, is_pen=is_pen)), hand, rng)
            size = (page.form.width, page.form.height)
            damage = np.random.default_rng([manner.seed, 2])
            image = scan(filled, PRESETS[manner.scan], damage, page_dpi=manner.dpi, size_mm=size).image
            grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
            reader = SheetReader({page.sheet: page}, self.engine, lambda _: lines, EVENT, "0" * 64)
            found = reader.transcribe(PageImage("scan", 1, np.asarray(grey, np.uint8)))
            tally = self.tallies["pen" if is_pen else "people", design]
            tally.pages += 1
            tally.filed += isinstance(found, Filed)
            if isinstance(found, Filed):
                for row, line in line_for(rows, found.transcription.lines):
                    tally.count(row, line, lines)
            else:
                for row in rows:
                    tally.count(row, None, lines)

    def report(self) -> str:
        """The table, what was wrong, and the default that follows."""
        heads = ("written by, design", "filed", "rows", "right", "asked", "misorders asked", "wrong unasked (a 10,000)")
        lines = [f"reader: {self.engine.name}", f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
        for (who, design), tally in self.tallies.items():
            if tally.pages:
                lines.append(tally.table(f"{who}, {design}"))
        for (who, design), tally in self.tallies.items():
            lines += [f"  {who}, {design}: {wrong}" for wrong in tally.wrong[:10]]
            lines += [f"  {who}, {design}: {count} × {note}" for note, count in tally.doubts.most_common()]
        return "\n".join([*lines, self.verdict()])

    def verdict(self) -> str:
        """Fewer wrong unasked come first, then fewer asked."""
        room = "people" if self.tallies["people", Design.LINE].legal else "pen"
        found = {design: self.tallies[room, design] for design in DESIGNS}
        best = min(found, key=lambda design: (len(found[design].wrong), found[design].asked))
        return f"the default that follows from {room}: {best}"


def writers_of(people: int, pen: int, seed: int) -> Iterator[tuple[str, bool]]:
    """Who writes the sheets: people in turn, then hands of our own; a person stands for what our pen can spell."""
    able = [name for name in sorted(halves()[1]) if own_letters(name) >= LEAST_LETTERS]
    random.Random(seed).shuffle(able)
    yield from ((able[number % len(able)], False) for number in range(people))
    yield from ((able[number % len(able)], True) for number in range(pen))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=60, help="sheets in real strokes")
    parser.add_argument("--pen", type=int, default=30, help="sheets in hands of our own")
    parser.add_argument("--paper", default="a4", choices=("a4", "a5", "letter"))
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--weights", type=Path, help="another net than the one that ships")
    found = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    text = (data_folder("templates/sheets") / f"{found.paper}.toml").read_text("utf-8")
    bench = Bench(NetRecogniser(found.weights), read_template(text, found.paper))
    rng = random.Random(found.seed)
    positions = [seat for seat in seats() if seat.position.phase.step is Step.MOVEMENT]
    for number, (writer, is_pen) in enumerate(writers_of(found.people, found.pen, found.seed)):
        seat = rng.choice(positions)
        rows = rows_of(seat, Player(TOURNAMENT, writer, rng), rng)
        manner = Manner.of(writer, np.random.default_rng([found.seed, number]))
        if rows:
            bench.sheet(seat, rows, manner, is_pen=is_pen)
        if number % 10 == 9:
            print(f"{number + 1} sheets in both designs", file=sys.stderr, flush=True)
    print(bench.report())


if __name__ == "__main__":
    main()

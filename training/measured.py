"""Rows whose truth is known, as the readers see them: what the gates are fitted on, and what judges them."""

import hashlib
import math
import pickle
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import cv2
from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Position, Power
from pipeline.desk.hands.vocabulary import LineRules
from pipeline.ink import Tier
from pipeline.interpret.interpret import sheet_of
from pipeline.orders import Order
from pipeline.reading.engine import NetRecogniser, WeighedRow
from pipeline.reading.evidence import Expected
from pipeline.reading.further import Known
from pipeline.reading.gate import AnyEvidence, Gates, Judged, load_gates
from pipeline.reading.hand_reader import MOST_OWN, is_in_reach, may_lift, may_settle
from training.cases import BESIDE, Case
from training.orders import TOURNAMENT, admissible
from training.rows import Row, load
from training.wrong import Wrong, Yardstick

T = TypeVar("T")

TEACHERS = 12  # rows of a hand from which these are drawn
SURE = 7.0  # odds of the first reader alone from which no other is asked here: no gate will ask it there


class View(Struct, frozen=True):
    """What was found of a row at one stage, and what would be wrong with it if it stood."""

    evidence: AnyEvidence
    wrong: Wrong
    doubted: bool  # there is a gap in a word, or more than letters: asked whatever the evidence
    misspelt: bool = False  # no spelling of what stands, though the rules may follow it
    best: int = -1  # the line that stands, in the vocabulary of its seat


class Measured(Struct, frozen=True):
    """One row: as the first reader sees it, as two do, and as three do."""

    kind: str
    writer: str
    text: str
    views: tuple[View, ...]  # fewer than there are readers: those are so sure that no gate asks another
    own: "Measured | None" = None  # as they see it once rows of the same sheet have taught them, if it is the same line

    @property
    def first(self) -> View:
        """As the first reader sees it."""
        return self.views[0]

    def view(self, readers: int) -> View | None:
        """As so many see it; None where one of them did not look."""
        return self.views[readers - 1] if len(self.views) >= readers else None

    def decided(self, gates: Gates) -> tuple[Tier, View]:
        """What becomes of the row under some gates, and what decides."""
        told, view = Tier.ASKED, self.first
        for view in self.views[: 1 if gates.is_alone else gates.most_readers]:
            if (told := tier(gates, view)) is not Tier.ASKED or (view.doubted and view is not self.first):
                break  # where two see more than letters no third one looks
        if told is not Tier.ASKED or self.own is None or not is_in_reach(view.evidence):
            return told, view
        settled, surer = self.own.decided(gates)
        return (settled, surer) if settled is not Tier.ASKED and may_settle(surer.evidence) else (told, view)

    def is_asked(self, gates: Gates) -> bool:
        """Whether a person is asked under some gates, where no row of its sheet teaches the others."""
        return replace(self, own=None).decided(gates)[0] is Tier.ASKED

    @property
    def best(self) -> int:
        """The line that the last who looked takes it for."""
        return self.views[-1].best


def tier(gates: Gates, view: View) -> Tier:
    """The verdict on one view."""
    return Tier.ASKED if view.doubted else gates.tier(view.evidence)


def judged(view: View, weight: float, *, strict: bool = False) -> Judged:
    """A view as a gate is fitted on it; where slips are held, a slip is as bad as another order."""
    is_slip = view.wrong is Wrong.SLIP and not strict
    return Judged(view.evidence, view.wrong is Wrong.NOT, weight, is_slip)


@lru_cache(maxsize=64)
def expected(position_key: str, power: Power) -> tuple[tuple[Order | None, ...], Expected, Yardstick]:
    """Draw a vocabulary once for the rows of one seat, which stand together."""
    position = POSITIONS[position_key]
    found = admissible(position, power)
    lines = Expected(found.vocabulary)
    rules = LineRules(sheet_of(power, position, TOURNAMENT))
    return found.orders, lines, Yardstick.over(found.vocabulary, found.orders, rules)


POSITIONS: dict[str, Position] = {}


def seat(row: Row) -> str:
    """Name the position that a row is written in, and keep it."""
    position = row.case.position
    key = f"{position.phase} {sorted(position.all_units())}"
    POSITIONS.setdefault(key, position)
    return key


def measured(rows: Sequence[Row], reader: NetRecogniser) -> list[Measured | None]:
    """Read rows of one seat; None where no ink was found."""
    orders, lines, truth = expected(seat(rows[0]), rows[0].case.power)
    crops = [row.crop for row in rows]
    seen = [reader.look(crop) for crop in crops]
    first = found = reader.weigh_rows(seen, lines)
    views: list[list[View]] = [[] for _ in rows]

    def view(row: Row, found: WeighedRow) -> View:
        evidence = found.evidence
        doubts = reader.doubts(found, lines)
        text, stands = row.case.text, orders[evidence.best]
        misspelt = not truth.is_spelled(text, stands)
        return View(evidence, wrong_of(row.case, stands, truth), bool(doubts), misspelt, evidence.best)

    for readers in range(1, reader.gates.most_readers + 1):
        if readers > 1:
            found = reader.weighed_by(readers, first, found, lines, crops)
        for its, row, one in zip(views, rows, found, strict=True):
            if one is not None and one.readers == readers:
                its.append(view(row, one))
    return [
        Measured(row.case.kind, row.writer, row.case.text, tuple(its)) if its else None
        for row, its in zip(rows, views, strict=True)
    ]


def wrong_of(case: Case, stands: Order | None, truth: Yardstick) -> Wrong:
    """What would be wrong if an order stood; ink beside what is read is no slip of the pen, and a mark no text."""
    if case.mark:
        return Wrong.OTHER
    found = truth.wrong(case.text, stands)
    return Wrong.OTHER if found is Wrong.SLIP and case.kind == BESIDE else found


def measure(rows: Sequence[Row], reader: NetRecogniser) -> list[Measured | None]:
    """Read all rows, each as if it stood on its sheet alone."""
    seats = groupby(rows, key=lambda row: (seat(row), row.case.power))
    return [one for _, together in seats for one in measured(list(together), reader)]


def measured_on_sheets(
    rows: Sequence[Row], found: Sequence[Measured | None], reader: NetRecogniser
) -> list[Measured | None]:
    """Read those that would be asked once more, as if legal rows of the same hand stood on their sheet.

    Those that teach are some of which nobody would be asked; the same stroke may stand in both.
    """
    gates, rng = load_gates(), random.Random(MOST_OWN)
    sure: dict[str, list[tuple[Row, Measured]]] = defaultdict(list)
    for row, one in zip(rows, found, strict=True):
        if one is not None and one.kind == "legal" and not one.is_asked(gates):
            sure[row.writer].append((row, one))
    teachers = {
        writer: [lesson for row, one in drawn(some, TEACHERS, rng) for lesson in lesson_of(row, one, reader)]
        for writer, some in sure.items()
    }
    return [
        replace(one, own=on_a_sheet(row, one, teachers.get(row.writer, []), reader, rng))
        if one is not None and one.is_asked(gates) and is_in_reach(one.views[-1].evidence)
        else one
        for row, one in zip(rows, found, strict=True)
    ]


def drawn(some: Sequence[T], most: int, rng: random.Random) -> list[T]:
    """Draw so many, or all there are."""
    return rng.sample(some, min(most, len(some)))


def lesson_of(row: Row, one: Measured, reader: NetRecogniser) -> list[tuple[str, Known]]:
    """What a row teaches that nobody was asked about; beside it what was written."""
    crop = row.crop
    seen = reader.look(crop)
    text = one.views[-1].evidence.text
    return [] if seen is None else [(row.case.text, Known(reader.look_again(seen, crop), text))]


def on_a_sheet(
    row: Row, one: Measured, sure: Sequence[tuple[str, Known]], reader: NetRecogniser, rng: random.Random
) -> Measured | None:
    """A row as it is read where some others of the same hand teach; None where none do, or it is another line then."""
    others = [lesson for text, lesson in sure if text != row.case.text]
    lessons = drawn(others, MOST_OWN, rng)
    may_learn = bool(lessons) and may_lift(lessons, one.views[-1].evidence)
    (again,) = measured([row], reader.taught_by(lessons)) if may_learn else [None]
    return again if again is not None and again.best == one.best else None


def looking_often() -> NetRecogniser:
    """A reader of which all look at all rows but those of which the first is quite sure, whatever the gates are."""
    cv2.setNumThreads(1)
    reader = NetRecogniser()
    gates, never = reader.gates, replace(reader.gates.both, marked=math.inf, accepted=math.inf)
    reader.use(Gates(gates.first, never, SURE, gates.measured, three=never))
    return reader


def cached_alone(rows_file: Path, reader: NetRecogniser) -> list[Measured | None]:
    """Measure a file of rows once for the nets and each way of weighing, each row alone; None where there is no ink."""
    weighing = repr((sorted(reader.gates.first.weights.items()), reader.gates.first.constant, SURE))
    return kept(rows_file, [*reader.digests, digest(weighing)], lambda: measure(load(rows_file), reader))


def cached(rows_file: Path, reader: NetRecogniser) -> list[Measured]:
    """Measure a file of rows once for the nets and each way of weighing, and what a sheet teaches for each gate.

    Those are left out in which no ink was found.
    """
    alone = cached_alone(rows_file, reader)
    weighing = repr((sorted(reader.gates.first.weights.items()), reader.gates.first.constant, SURE))
    gate = digest(repr(replace(load_gates(), measured="")))
    found = kept(
        rows_file,
        [*reader.digests, digest(weighing), gate],
        lambda: measured_on_sheets(load(rows_file), alone, reader),
    )
    return [one for one in found if one is not None]


def digest(text: str) -> str:
    """A short name for what a file rests on."""
    return hashlib.sha256(text.encode()).hexdigest()[:6]


def kept(rows_file: Path, rests_on: Sequence[str], make: Callable[[], list[Measured | None]]) -> list[Measured | None]:
    """What is kept beside a file of rows, under the name of what it rests on; made where it is not there."""
    file = rows_file.with_name(f"{rows_file.stem}_{'-'.join(rests_on)}.pkl")
    if not file.exists():
        part = file.with_suffix(".part")
        part.write_bytes(pickle.dumps(make()))
        part.replace(file)
    found: list[Measured | None] = pickle.loads(file.read_bytes())
    return found

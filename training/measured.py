"""Rows whose truth is known, as both readers see them: what the gates are fitted on, and what judges them."""

import hashlib
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path

import cv2

from pipeline.board.map import Power
from pipeline.board.position import Position
from pipeline.desk.sheets.vocabulary import Rules
from pipeline.ink import Tier
from pipeline.orders.order import Order
from pipeline.reading.handwriting.engine import NetRecogniser, WeighedRow
from pipeline.reading.net.written_boxes import Seen
from pipeline.reading.rows.recogniser import Crop
from pipeline.reading.thresholds.evidence import Expected
from pipeline.reading.thresholds.fitting import Judged
from pipeline.reading.thresholds.gate import AnyEvidence, Gates
from pipeline.reading.thresholds.joint import Joint
from training.orders import TOURNAMENT, admissible
from training.rows import Row, load
from training.wrong import Wrong, Yardstick

SURE = 7.0  # odds of the first reader alone from which the second is not asked here: no gate will ask it there


@dataclass(frozen=True, slots=True)
class View:
    """What was found of a row at one stage, and what would be wrong with it if it stood."""

    evidence: AnyEvidence
    wrong: Wrong
    doubted: bool  # there is a gap in a word, or more than letters: asked whatever the evidence
    misspelt: bool = False  # no spelling of what stands, though the rules may follow it


@dataclass(frozen=True, slots=True)
class Measured:
    """One row: as the first reader sees it, and as both do."""

    kind: str
    writer: str
    text: str
    first: View
    both: View | None  # None: the first is so sure that no gate asks the second

    def decided(self, gates: Gates) -> tuple[Tier, View]:
        """What becomes of the row under some gates, and what decides."""
        if self.both is None or gates.is_alone or (not self.first.doubted and is_taken(gates, self.first)):
            return tier(gates, self.first), self.first
        return tier(gates, self.both), self.both


def tier(gates: Gates, view: View) -> Tier:
    """The verdict on one view."""
    return Tier.ASKED if view.doubted else gates.tier(view.evidence)


def is_taken(gates: Gates, view: View) -> bool:
    """Whether a view is enough for a row not to be asked."""
    return gates.tier(view.evidence) is not Tier.ASKED


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
    rules = Rules(power, position, TOURNAMENT)
    return found.orders, lines, Yardstick(lines.slots, found.orders, tuple(lines.others), rules)


POSITIONS: dict[str, Position] = {}


def seat(row: Row) -> str:
    """Name the position that a row is written in, and keep it."""
    position = row.case.position
    key = f"{position.phase} {sorted(position.all_units())}"
    POSITIONS.setdefault(key, position)
    return key


def measured(rows: Sequence[Row], reader: NetRecogniser) -> list[Measured]:
    """Read the rows of one seat; those are left out in which no ink was found."""
    orders, lines, truth = expected(seat(rows[0]), rows[0].case.power)
    crops = [Crop(row.grey, 0) for row in rows]
    seen = [reader.look(crop) for crop in crops]
    first = reader.weighed(seen, lines)
    again, both = reader.weighed_again(seen, first, lines, crops)

    def view(row: Row, looked: Seen, found: WeighedRow) -> View:
        evidence = found.evidence
        doubts = reader.doubts(looked, evidence.text, found.frames, lines)
        text, stands = row.case.text, orders[evidence.best]
        return View(evidence, truth.wrong(text, stands), bool(doubts), not truth.is_spelled(text, stands))

    return [
        Measured(
            kind=row.case.kind,
            writer=row.writer,
            text=row.case.text,
            first=view(row, look, one),
            both=view(row, looked, two) if isinstance(two.evidence, Joint) else None,
        )
        for row, look, looked, one, two in zip(rows, seen, again, first, both, strict=True)
        if look is not None and looked is not None and one is not None and two is not None
    ]


def measure(rows: Sequence[Row], reader: NetRecogniser) -> list[Measured]:
    """Read all rows."""
    seats = groupby(rows, key=lambda row: (seat(row), row.case.power))
    return [one for _, together in seats for one in measured(list(together), reader)]


def looking_often() -> NetRecogniser:
    """A reader whose second looks at all rows but those of which the first is quite sure, whatever the gates are."""
    cv2.setNumThreads(1)
    reader = NetRecogniser()
    gates = reader.gates
    reader.use(Gates(gates.first, gates.both, SURE, gates.measured))
    return reader


def cached(rows_file: Path, reader: NetRecogniser) -> list[Measured]:
    """Measure a file of rows once for each pair of nets and each way of weighing the first of them."""
    weighing = repr((sorted(reader.gates.first.weights.items()), reader.gates.first.constant, SURE))
    name = f"{'-'.join(reader.digests)}-{hashlib.sha256(weighing.encode()).hexdigest()[:6]}"
    kept = rows_file.with_name(f"{rows_file.stem}_{name}.pkl")
    if not kept.exists():
        part = kept.with_suffix(".part")
        part.write_bytes(pickle.dumps(measure(load(rows_file), reader)))
        part.replace(kept)
    found: list[Measured] = pickle.loads(kept.read_bytes())
    return found

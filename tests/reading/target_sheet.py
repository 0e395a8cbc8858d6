"""A full sheet of blocks for units, and what is drawn into its boxes by hand."""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from msgspec.structs import replace

from pipeline.board import Phase, Position, Power, standard_map
from pipeline.desk.sheets.printed import _targets_of, blocks
from pipeline.ink import Box, Noted
from pipeline.orders import read_unit
from pipeline.paper.sheet import SheetRequest
from pipeline.paper.sheet_rows import Design
from pipeline.pen.filling import FieldMark
from pipeline.reading.pages import Grey
from pipeline.reading.rows import RowInk
from pipeline.rules.abbreviations import Abbreviations
from pipeline.rules.load import load_tournament
from reading.boxed import Marks, box_of, line_of, read, stroke, written
from reading.sheetbench import Bench

ORDERS = {  # a line, and what is made of it; "_" is read
    "A PAR - BUR": "A PAR - BUR",
    "F STP/NC - NWY": "F STP/NC - NWY",
    "F NTH C A LON - NWY": "F NTH C _ - NWY",
    "F MAO - SPA/SC": "F MAO - SPA/SC",
    "A MUN S A RUH": "A MUN S A RUH",
    "F GAS S F MAO - SPA/NC": "F GAS S F MAO - SPA/NC",
    "A WAL - BEL": "A WAL - _ VIA",
    "A UKR H": "A UKR H",
}
UNITS = tuple(" ".join(line.split()[:2]) for line in ORDERS)
OTHERS = ("A RUH", "A MAR", "A KIE", "F POR")  # of another power
FREE = len(UNITS) + 1  # the row that is left


@cache
def words(tournament: str = "weaselmoot") -> Abbreviations:
    """What the targets are called."""
    return load_tournament(tournament).abbreviations


def request(
    bench: Bench,
    phase: str = "S1901M",
    units: tuple[str, ...] = UNITS,
    shown: tuple[str, ...] = (),
    tournament: str = "weaselmoot",
) -> SheetRequest:
    """Ask for a sheet; ``shown`` are the units of its rows where they are not those of the position, each once."""
    mine, theirs = (tuple(map(read_unit, of)) for of in (units, OTHERS))
    position = Position(phase=Phase.read(phase), units={Power.FRANCE: mine, Power.GERMANY: theirs}, centres={})
    rows = tuple(map(read_unit, shown or units))
    targets = _targets_of(standard_map(), position, rows, words(tournament), rows)  # every fleet has a box to convoy
    return replace(bench.request(1, phase=phase), design=Design.TARGETS, units=shown or units, targets=targets)


def winter(bench: Bench, units: tuple[str, ...], centres: tuple[str, ...]) -> SheetRequest:
    """Ask for Russia's adjustments."""
    position = Position(
        phase=Phase.read("W1901A"), units={Power.RUSSIA: tuple(map(read_unit, units))}, centres={Power.RUSSIA: centres}
    )
    rows = blocks(standard_map(), position, Power.RUSSIA, words())
    return replace(
        bench.request(1, Power.RUSSIA, "W1901A"),
        design=Design.TARGETS,
        units=tuple(unit for unit, _ in rows),
        targets=tuple(choices for _, choices in rows),
        due=abs(len(centres) - len(units)),
    )


def blacken(grey: Grey, bench: Bench, wanted: SheetRequest, name: str, row: int) -> None:
    """Fill a box to tick."""
    box = box_of(bench, wanted, name, row)
    for down in np.arange(0.4, 4.8, 0.4):
        stroke(grey, (box.left + 0.4, box.top + down), (box.left + 4.6, box.top + down))


def crossed(grey: Grey, bench: Bench, wanted: SheetRequest, name: str, row: int) -> Box:
    """Cross a box."""
    box = box_of(bench, wanted, name, row)
    stroke(grey, (box.left + 0.4, box.top + 0.4), (box.left + 4.6, box.top + 4.6))
    stroke(grey, (box.left + 4.6, box.top + 0.4), (box.left + 0.4, box.top + 4.6))
    return box


def hooked(grey: Grey, bench: Bench, wanted: SheetRequest, name: str, row: int, tail: tuple[float, float]) -> None:
    """Hook a box, with a tail of so many mm across and up."""
    box = box_of(bench, wanted, name, row)
    low = (box.left + 1.8, box.top + 4.6)
    stroke(grey, (box.left + 0.6, box.top + 2.5), low)
    stroke(grey, low, (low[0] + tail[0], low[1] - tail[1]))


def read_rows(bench: Bench, cases: Sequence[tuple[str, Mapping[str, FieldMark]]]) -> tuple[RowInk, ...]:
    """Read rows that lie on one sheet: the unit of each, and what is marked in its boxes."""
    wanted = request(bench, shown=tuple(unit for unit, _ in cases))
    marks: Marks = {(name, row): mark for row, (_, marked) in enumerate(cases, 1) for name, mark in marked.items()}
    return read(bench, wanted, bench.scanned(written(bench, wanted, marks), "office"))[: len(cases)]


def lines_of(bench: Bench, cases: Sequence[tuple[str, Mapping[str, FieldMark]]]) -> list[tuple[str, tuple[Noted, ...]]]:
    """What such rows come to, and what is noted of them."""
    return [(line_of(row.crop), row.notes) for row in read_rows(bench, cases)]

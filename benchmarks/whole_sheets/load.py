"""A pile of paper for the scanner: distinct A4 pages of twelve rows, in files as a feeder leaves them."""

import random
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from benchmarks.whole_sheets.people import bank, own_letters
from benchmarks.whole_sheets.table import Plan, Table
from pipeline.desk.event.event import open_event
from pipeline.ledger.files import now
from pipeline.paper.sheet_rows import Design
from pipeline.pen.scanner import Scan, write_scans
from pipeline.reading.recogniser import NoRecogniser
from training.orders import seats

ROWS = 12
PAGES_A_FILE = 50  # as one load of a feeder


class Pile(Struct, frozen=True):
    """An event whose sheets were written, and the scans of them."""

    event: Path
    scans: tuple[Scan, ...]


def pile_of(folder: Path, count: int, seed: int) -> Pile:
    """Write and scan so many different pages; nothing is taken in yet."""
    rng = random.Random(seed)
    full = [seat for seat in seats() if len(seat.position.units[seat.power]) == ROWS]
    chosen = rng.sample(full, count)
    writers = [name for name in bank().writers if own_letters(name) == 1.0]
    boards = [[[seat]] for seat in chosen]
    plan = Plan(0, "weaselmoot", boards, writers, seed, Design.LINE)
    table = Table(plan, folder / "event", NoRecogniser())
    names = table.open_round()
    with open_event(folder / "event", now) as event:
        table.sit_down(event, names)
        kept = table.print_and_write(event, 1)
    return Pile(folder / "event", tuple(scan for each in kept for scan in each.scans))


def files_of(pile: Pile, pages: int, folder: Path) -> list[Path]:
    """Leave so many pages in PDFs, the pile over and over, each time in another order: no two files are the same."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for number, start in enumerate(range(0, pages, PAGES_A_FILE)):
        count = min(PAGES_A_FILE, pages - start)
        path = folder / f"scan{number:03}.pdf"
        write_scans(shuffled(pile.scans, count, number), path)
        found.append(path)
    return found


def shuffled(scans: Sequence[Scan], count: int, seed: int) -> list[Scan]:
    """The pile in another order, as often as it takes."""
    rng = random.Random(seed)
    order: list[Scan] = []
    while len(order) < count:
        order += rng.sample(scans, len(scans))
    return order[:count]

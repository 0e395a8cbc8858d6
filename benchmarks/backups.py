"""How long a copy of a large event takes: the first, and those after every publication; with 1,500 scans in it.

``python benchmarks/backups.py [SCANS]``. A publication waits for the first place only.
"""

import hashlib
import json
import random
import sys
import tempfile
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from desk.cup import clock, seated

from pipeline.desk.event.event import Event, open_event
from pipeline.ledger.copies import copies_in, faults_of, make_copy, place_beside
from pipeline.ledger.events import PageRead, ScanRead, ScanReceived
from pipeline.reading.recogniser import Tray

SCAN_BYTES, CROP_BYTES, ROWS = 120_000, 9_000, 8  # of one sheet at 200 dpi in grey
PAGE_BYTES = 14_000  # of the transcription of a full sheet


def fill(event: Event, scans: int, seed: int) -> None:
    """Take in scans as if they had been read; half of what they say cannot be compressed."""
    dice = random.Random(seed)
    (event.out / "crops").mkdir(parents=True, exist_ok=True)
    for number in range(scans):
        scan = dice.randbytes(SCAN_BYTES)
        sha256 = hashlib.sha256(scan).hexdigest()
        (event.scans / f"{sha256}.pdf").write_bytes(scan)
        for row in range(ROWS):
            (event.out / "crops" / f"{sha256[:16]}-p1-r{row}.png").write_bytes(dice.randbytes(CROP_BYTES))
        filler = dice.randbytes(PAGE_BYTES // 2).hex()
        facts = (
            ScanReceived(sha256=sha256, name=f"{number}.pdf", path=f"{sha256}.pdf"),
            PageRead(sha256=sha256, page=1, tray=Tray.BLANK, text=filler),
            ScanRead(sha256=sha256, pages=1),
        )
        event.facts.write_all(facts, "benchmark")


def timed(event: Event, place: Path) -> float:
    """Seconds that a copy takes."""
    began = perf_counter()
    make_copy(event.facts.snapshot(), place, event.label(), clock())
    return perf_counter() - began


def main(scans: int) -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as name:
        here = Path(name)
        with open_event(seated(here / "cup"), clock) as event:
            fill(event, scans, 0)
            (here / "stick").mkdir()
            beside, second = place_beside(event.folder), here / "stick" / "cup-backups"
            found: dict[str, float] = {"first, beside": timed(event, beside), "first, elsewhere": timed(event, second)}
            after = []
            for seed in range(1, 13):
                fill(event, 7, seed)
                after.append(timed(event, beside))
            found |= {"after 7 more sheets, beside": sorted(after)[len(after) // 2], "the slowest of 12": max(after)}
            began = perf_counter()
            newest = max(copies_in(beside), key=lambda copy: copy.number)
            assert faults_of(newest) == ()
            found["looking a copy through"] = perf_counter() - began
            found["MB of facts"] = (event.folder / "event.db").stat().st_size / 1e6
            copies = [each for each in beside.iterdir() if each.is_dir() and each.name.startswith("TEST")]
            found["copies kept of 13"] = len(copies)
        print(json.dumps({what: round(value, 2) for what, value in found.items()}, indent=1))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1500)

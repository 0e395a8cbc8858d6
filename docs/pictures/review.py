"""Take the picture of the review again: ``.venv/bin/python docs/pictures/review.py``.

Germany's sheet of Weasel Moot, written by the project's own pen: where an army goes is short for two provinces.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pypdfium2

from benchmarks.browsed import chromium, served
from benchmarks.damaged.kinds import read_damages
from benchmarks.damaged.scans import scan
from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.intake.ingest import take_in
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.draw.roster import Player
from pipeline.ledger.files import now
from pipeline.paper.sheet_rows import Design
from pipeline.pen.filling import FieldMark, FieldPlace, fill
from pipeline.pen.hand import Hand
from pipeline.pen.scanner import write_scans

HERE = Path(__file__).parent
DPI, NEATNESS, SEED = 200, 0.9, 3  # of the scan; of the hand: 0 scrawl, 1 draughtsman; of hand and scan
LINES = ("F KIE - DEN", "A BER - KIE", "A MUN - BR")


def main() -> None:
    """Write, scan and read a sheet, and look at the page that asks about it."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        names = {power: f"{power.title()} player" for power in Power}
        details = Details(name="The Owl Moot", code="WLS2", tournament="weaselmoot")
        make_event_folder(folder / "event", details, [Player(name=name) for name in names.values()], now)
        with open_event(folder / "event", now) as event:
            seat_round(event, 1, {"1": names}, by="Tess", notes=["for a picture"])
            printed = print_round(event, 1, "1", PrintWish(design=Design.LINE, powers=(Power.GERMANY,)))
            rng, sheet = np.random.default_rng(SEED), printed.layout.pages[0]
            with pypdfium2.PdfDocument(printed.pdf) as document:
                paper = document[0].render(scale=DPI / 72, grayscale=True).to_numpy()
            marks: dict[FieldPlace, FieldMark] = {("signature", None): "G. Player"}
            marks |= {("order", row): line for row, line in enumerate(LINES, start=1)}
            hand = Hand.from_seed(SEED, neatness=NEATNESS)
            filled = fill(np.ascontiguousarray(paper.reshape(paper.shape[:2])), sheet.as_json(), marks, hand, rng)
            write_scans([scan(filled, read_damages("office"), rng, page_dpi=DPI)], folder / "scan.pdf")
            take_in(event, [folder / "scan.pdf"], best_recogniser(), lambda page: None)
        with served(folder / "event") as link, chromium() as browser:
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            page.goto(link)
            page.goto(link.split("/door")[0])
            page.locator("#map svg, #map img").first.wait_for()
            page.wait_for_load_state("networkidle")
            page.screenshot(path=HERE / "review.png")


if __name__ == "__main__":
    main()

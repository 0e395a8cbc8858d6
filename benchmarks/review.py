"""From a key to the next row painted, with twelve boards on the desk: median, 95th percentile, worst.

    python benchmarks/review.py [--boards 12] [--keys 100]

Makes an event of its own, starts the command, and presses keys in headless Chromium (Debian's, through playwright). The
time is the browser's: from the key going down to the frame after the next row with its picture stands on the page.
A 95th percentile above 150 ms ends the run with exit code 1.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import cv2
import numpy as np
from playwright.sync_api import Page, sync_playwright

from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import print_round
from pipeline.desk.sheets.sheets_in import crop_path
from pipeline.draw.roster import Player
from pipeline.ink import Box, InkLine, InkReading, Tier, Transcription
from pipeline.ledger.events import PageRead
from pipeline.ledger.files import now
from pipeline.reading.recogniser import Tray

LIMIT_MS = 150.0  # DESIGN: nobody waits for the page
GUARD_MS = 300  # the page takes no decision so soon after a row was painted
LINES = {
    Power.AUSTRIA: ("A Vie - Gal", "A Bud - Ser", "F Tri - Alb"),
    Power.ENGLAND: ("F Lon - Nth", "F Edi - Nwg", "A Lvp - Yor"),
    Power.FRANCE: ("A Par - Bur", "A Mar S A Par - Bur", "F Bre - Mao"),
    Power.GERMANY: ("F Kie - Den", "A Ber - Kie", "A Mun - Ruh"),
    Power.ITALY: ("A Ven - Tyr", "A Rom - Ven", "F Nap - Ion"),
    Power.RUSSIA: ("A War - Gal", "A Mos - Ukr", "F Sev - Bla", "F StP/sc - Bot"),
    Power.TURKEY: ("A Con - Bul", "A Smy - Con", "F Ank - Bla"),
}
WATCH = """
addEventListener("keydown", () => { window.pressed = performance.now(); }, true);
addEventListener("DOMContentLoaded", () => {
  window.times = [];
  new MutationObserver(() => requestAnimationFrame(() => requestAnimationFrame(() => {
    if (window.pressed) window.times.push(performance.now() - window.pressed);
    window.pressed = 0;
  }))).observe(document.body, { attributes: true, attributeFilter: ["data-token"] });
});
"""


def main() -> int:
    """Make the event, press the keys, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=12)
    parser.add_argument("--keys", type=int, default=100)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        make_event(Path(folder) / "event", asked.boards)
        command = [sys.executable, "-u", "-m", "pipeline", "review", f"{folder}/event", "--port", "0", "--by", "Tess"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            address = re.findall(r"http\S+", server.stdout.readline())[0]
            times = sorted(measure(address, asked.keys))
        finally:
            server.terminate()
            server.wait()
    worst = times[int(0.95 * len(times))]
    print(
        f"{asked.boards} boards, {len(times)} keys: median {median(times):.0f} ms, "
        f"95th percentile {worst:.0f} ms, worst {times[-1]:.0f} ms"
    )
    return int(worst > LIMIT_MS)


def make_event(folder: Path, boards: int) -> None:
    """Seat the boards and hand in a sheet of every power, half of its rows for a person to read."""
    names = [[f"Player {board}.{seat_number}" for seat_number in range(7)] for board in range(boards)]
    players = [Player(name=name) for table in names for name in table]
    make_event_folder(folder, Details(name="Benchmark", code="BENC", tournament="weaselmoot"), players, now)
    with open_event(folder, now) as event:
        seats = {str(n): dict(zip(Power, table, strict=True)) for n, table in enumerate(names, start=1)}
        seat_round(event, 1, seats, by="benchmark")
        print_round(event, 1)
        hand_in(event, np.random.default_rng(1))


def hand_in(event: Event, rng: np.random.Generator) -> None:
    """File every printed sheet as if it had been scanned and read."""
    (event.out / "crops").mkdir(parents=True)
    for number, (sheet_id, sheet) in enumerate(printed_sheets(event).items()):
        sha256 = f"{number:016x}" + "0" * 48
        lines = []
        for row, text in enumerate(LINES[sheet.request.power], start=1):
            tier = Tier.ASKED if row % 2 else Tier.ACCEPTED
            lines.append(InkLine(number=row, box=Box(22, 54, 160, 10), readings=(InkReading(text, 0.5),), tier=tier))
            picture = rng.normal(240, 4, (177, 1402)).clip(0, 255).astype(np.uint8)  # a scan compresses no better
            cv2.putText(picture, text, (60, 110), cv2.FONT_HERSHEY_SIMPLEX, 1.5, 40, 3)
            cv2.imwrite(str(event.folder / crop_path(sha256, 1, row)), picture)
        found = Transcription(
            sheet_id=sheet_id, scan_sha256=sha256, page=1, reader="benchmark", lines=tuple(lines), residual_mm=0.05
        )
        page = PageRead(sha256=sha256, page=1, tray=Tray.FILED, text="", transcription=found)
        event.facts.write(page, "benchmark")


def measure(address: str, keys: int) -> list[float]:
    """Settle one row after the other with the key of its first reading."""
    with sync_playwright() as driver:
        flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=flags.split())
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.add_init_script(WATCH)
        page.goto(address)
        page.wait_for_selector("body[data-token]")
        for _ in range(keys):
            press(page)
        times = [float(each) for each in page.evaluate("window.times")]
        browser.close()
    return times


def press(page: Page) -> None:
    """Press one key and wait for the next row; boards that are complete are put off."""
    page.wait_for_timeout(GUARD_MS)
    shown = page.get_attribute("body", "data-token")
    page.keyboard.press({"row": "1", "check": "Enter"}.get(str(page.get_attribute("body", "data-kind")), "s"))
    page.wait_for_selector(f"body[data-token]:not([data-token='{shown}']):not(.busy)")


if __name__ == "__main__":
    sys.exit(main())

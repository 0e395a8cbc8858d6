"""A telephone as the scanner: a film of sheets held under a camera, played to a real browser at the desk's pages.

``python benchmarks/capture.py --sheets 14 --seconds 30``. Sheets are printed; the film shows one after the
other on a table, in perspective, shaking, some in shadow, the next sliding over the last. Chromium plays it in place of
a camera. Told: sheets taken, missed, taken twice, under a wrong name; bytes sent and the desk's processor a sheet.
"""

import argparse
import json
import random
import resource
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2
from msgspec import Struct
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.sheets.printing import print_round
from pipeline.draw.roster import Player
from pipeline.ledger.events import PageRead, ScanReceived
from pipeline.ledger.files import now
from pipeline.ledger.ledger import standing
from pipeline.web.logins import Guest, Role
from pipeline.web.server import Opened, listen, open_office, server_of

WIDTH, HEIGHT, RATE = 1440, 1920, 10  # of the film: pixels, pictures a second
TABLE = 96  # its grey level
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--use-fake-ui-for-media-stream"]
COUNT_SENT = """window.sent = 0; const plain = window.fetch;
window.fetch = (path, options) => {
  const body = options?.body;
  if (body instanceof Blob) window.sent += body.size;
  if (body instanceof FormData) for (const each of body.values()) window.sent += each.size ?? 0;
  return plain(path, options);
};"""
Picture = NDArray[np.uint8]


class Taken(Struct, frozen=True):
    """What came of a film."""

    shown: tuple[str, ...]
    filed: tuple[str, ...]  # the sheets that the pages which came in were read as
    sent_kb: float  # all that the browser sent
    cpu_s: float  # of this process: it serves, looks and reads


def print_event(folder: Path, boards: int, dpi: int = 150) -> dict[str, Picture]:
    """Make an event and print its sheets; the picture of each by its id."""
    names = [f"Player {number}" for number in range(1, 7 * boards + 1)]
    details = Details(name="Film", code="FLM2", tournament="weaselmoot")
    make_event_folder(folder, details, [Player(name=name) for name in names], now)
    with open_event(folder, now, random.Random(1)) as event:
        tables = {str(n + 1): dict(zip(Power, names[7 * n : 7 * n + 7], strict=True)) for n in range(boards)}
        seat_round(event, 1, tables, by="TD")
        printed = print_round(event, 1)
    document = pypdfium2.PdfDocument(printed.pdf)
    pictures = {}
    for page, shown in zip(document, printed.layout.pages, strict=True):
        picture = page.render(scale=dpi / 72, grayscale=True).to_numpy()
        pictures[shown.sheet] = np.ascontiguousarray(picture.reshape(picture.shape[:2])).copy()
    document.close()
    return pictures


def make_film(pictures: list[Picture], seconds: float, path: Path, seed: int = 1) -> None:
    """Film the sheets one after the other, as MJPEG: each slides in over the last, is held, and stays until covered."""
    chance = np.random.default_rng(seed)
    frames = round(seconds * RATE)
    each = frames // len(pictures)
    sliding = max(2, each // 4)
    with path.open("wb") as film:
        below: Picture = np.full((HEIGHT, WIDTH), TABLE, np.uint8)
        for number, picture in enumerate(pictures):
            turn, lean = chance.normal(0, 2.5), chance.normal(0, 0.03, 2)
            light = 0.55 if number % 5 == 3 else float(chance.uniform(0.8, 1.0))
            for step in range(each):
                away = max(0.0, 1 - step / sliding)
                shake = chance.normal(0, 1.5, 2) * (1 + 4 * away)
                shown = lay_over(
                    below,
                    picture,
                    turn + chance.normal(0, 0.1),
                    lean,
                    shake - np.array([0, away * HEIGHT * 1.1]),
                    light,
                )
                if away > 0:
                    shown = np.asarray(cv2.blur(shown, (1, 1 + round(12 * away))), np.uint8)
                shown = np.clip(shown + chance.normal(0, 3, shown.shape), 0, 255).astype(np.uint8)
                film.write(
                    bytes(
                        cv2.imencode(".jpg", cv2.cvtColor(shown, cv2.COLOR_GRAY2BGR), [cv2.IMWRITE_JPEG_QUALITY, 88])[1]
                    )
                )
            below = lay_over(below, picture, turn, lean, (0, 0), light)


def lay_over(
    below: Picture, picture: Picture, turn: float, lean: NDArray[np.float64], shift: Any, light: float
) -> Picture:
    """Lay one sheet on what is in the picture."""
    height, width = picture.shape
    scale = min(WIDTH * 0.94 / width, HEIGHT * 0.94 / height)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    place = (corners - (width / 2, height / 2)) * scale
    depth = 1 + place[:, 0] / WIDTH * lean[0] + place[:, 1] / HEIGHT * lean[1]
    angle = np.radians(turn)
    place = place @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) / depth[:, None]
    place = (place * 0.97 + (WIDTH / 2, HEIGHT / 2) + np.asarray(shift)).astype(np.float32)
    warp = cv2.getPerspectiveTransform(corners, place)
    sheet = cv2.warpPerspective(picture, warp, (WIDTH, HEIGHT), flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full(picture.shape, 255, np.uint8), warp, (WIDTH, HEIGHT))
    lit = (sheet.astype(np.float32) * light).astype(np.uint8)
    return np.where(mask > 127, lit, below).astype(np.uint8)


def _wait_for_files(opened: Opened, page: Any, number: int, seconds: float) -> None:
    """Let the page go on until so many files came, or some seconds are over."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends and len(list(opened.office.event.facts.select(ScanReceived))) < number:
        page.wait_for_timeout(500)


def play(
    chromium: Any,
    folder: Path,
    film: Path,
    seconds: float,
    shown: list[str],
    picture: Path | None = None,
    patience: float = 0.0,
) -> Taken:
    """Play a film, over and over, to the camera page and wait until all that it took is read.

    ``chromium`` is Playwright's kind of browser; ``patience`` are more seconds while fewer files came than were shown.
    """
    if sys.platform == "win32":
        raise NotImplementedError("Windows does not tell what a process took")
    flags = [*FLAGS, "--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film}"]
    guest = Guest("Tess", Role.DIRECTOR, "111111")
    begun = resource.getrusage(resource.RUSAGE_SELF)
    sent = 0.0
    with open_office(folder, (guest,)) as opened, listen(0, is_lan=False) as listener:
        opened.logins.port = int(listener.getsockname()[1])
        server = server_of(opened.app)
        serving = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        serving.start()
        try:
            browser = chromium.launch(executable_path=shutil.which("chromium"), args=flags)
            page = browser.new_page(viewport={"width": 412, "height": 915})
            page.set_default_timeout(120_000)  # while other tests run, a film takes most of a core
            page.add_init_script(COUNT_SENT)
            page.goto(f"http://127.0.0.1:{opened.logins.port}/door?key={opened.logins.key}")
            page.goto(f"http://127.0.0.1:{opened.logins.port}/capture")
            page.click("#start")
            page.wait_for_timeout(seconds * 1000)
            _wait_for_files(opened, page, len(shown), patience)
            if picture:
                page.screenshot(path=str(picture), full_page=True)
            for _ in range(240):
                if page.inner_text("#queue") == "":
                    break
                page.wait_for_timeout(500)
            sent = float(page.evaluate("window.sent"))
            browser.close()
            for _ in range(600):
                with opened.office.lock:
                    came = {fact.said.sha256 for fact in opened.office.event.facts.select(PageRead)}
                    kept = [fact.said.sha256 for fact in opened.office.event.facts.select(ScanReceived)]
                if set(kept) <= came:
                    break
                time.sleep(0.5)
            with opened.office.lock:
                read = [fact.said for fact in standing(opened.office.event.facts, PageRead)]
        finally:
            server.should_exit = True
            serving.join()
    ended = resource.getrusage(resource.RUSAGE_SELF)
    cpu = ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime
    filed = tuple(page.sheet.sheet_id if page.sheet else f"? {page.text}" for page in read)
    return Taken(shown=tuple(shown), filed=filed, sent_kb=sent / 1000, cpu_s=cpu)


def main() -> None:
    """Make the film, play it, count."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where it is run

    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--sheets", type=int, default=14)
    asked.add_argument("--seconds", type=float, default=30.0)
    asked.add_argument("--picture", type=Path)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as begun:
        folder = Path(begun)
        pictures = print_event(folder / "event", -(-given.sheets // 7))
        chosen = list(pictures)[: given.sheets]
        random.Random(3).shuffle(chosen)
        film = folder / "film.mjpeg"
        make_film([pictures[sheet] for sheet in chosen], given.seconds, film)
        with sync_playwright() as driver:
            taken = play(driver.chromium, folder / "event", film, given.seconds, chosen, given.picture)
    result = {
        "shown": len(taken.shown),
        "taken": len(set(taken.filed) & set(taken.shown)),
        "missed": sorted(set(taken.shown) - set(taken.filed)),
        "twice": sorted({each for each in taken.filed if taken.filed.count(each) > 1}),
        "strange": [each for each in taken.filed if each not in taken.shown],
        "kB sent a sheet": round(taken.sent_kb / max(1, len(taken.filed))),
        "processor s a sheet, reading included": round(taken.cpu_s / max(1, len(taken.filed)), 2),
    }
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()

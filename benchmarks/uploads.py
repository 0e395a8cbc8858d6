"""Hand hostile files in at an open desk from several telephones at once, while a director decides and a hall looks.

    python benchmarks/uploads.py [--files 50] [--phones 10] [--seconds 60]

A real desk is open. Telephones hand in PDFs and pictures that take all time and memory that they are given: nested and
tiled drawings, packed data that is a thousand times as large, and files and parts that are too large. Meanwhile a
director's page asks for what waits, and a telephone for the public pages. Said are how long these wait, the most memory
of the desk with its helpers, and the bytes in the folder for temporary files. In the end an honest sheet is handed in,
a second desk is started on the same event and on the same port, and the desk is ended while it works. Exit code 1 if a
limit is passed, or a second desk starts without a word.
"""

import argparse
import io
import random
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from desk.cup import seated
from reading.pdfs import bomb, nested, pdf_with, stream, tiled

from benchmarks.at_desk import ROOT, Browser, MemoryWatch, RunningDesk, helpers_of, memory_of
from benchmarks.whole_sheets.count import markdown

NEXT_S, MEMORY, ENDS_S = 0.5, 1 << 30, 5.0
TEMPORARY = 768 << 20  # bytes that may lie in the folder for temporary files at once
SECONDS_BETWEEN = 0.2


def packed_objects(size: int = 1 << 30, times: int = 2) -> bytes:
    """A PDF of a few kB whose objects are in a stream that is a gigabyte long when it is unpacked."""
    packer, packed = zlib.compressobj(9), b""
    for _ in range(size >> 20):
        packed += packer.compress(b"1 0 " + b" " * ((1 << 20) - 4))
    packed += packer.flush()
    for _ in range(times - 1):
        packed = zlib.compress(packed, 9)
    filters = b"/Filter[%b]" % (b"/FlateDecode" * times)
    body = b"%PDF-1.5\n"
    places = []
    for number, each in ((3, stream(b"/Type/ObjStm/N 2/First 8" + filters, packed)),):
        places.append(len(body))
        body += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    table = b"".join(
        bytes([kind]) + place.to_bytes(4) + bytes([more])
        for kind, place, more in ((0, 0, 255), (2, 3, 0), (2, 3, 1), (1, places[0], 0), (1, len(body), 0))
    )
    start = len(body)
    head = b"/Type/XRef/Size 5/W[1 4 1]/Root 1 0 R"
    body += b"4 0 obj\n%b\nendobj\nstartxref\n%d\n%%%%EOF\n" % (stream(head, table), start)
    return body


def many_pages(count: int = 1_000_000) -> bytes:
    """A PDF that says that its one page is there a million times, in a tree of lists."""
    kids = b" ".join([b"4 0 R"] * 1000)
    return pdf_with([
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%b]/Count %d>>" % (b" ".join([b"3 0 R"] * (count // 1000)), count),
        b"<</Type/Pages/Kids[%b]/Count 1000>>" % kids,
        b"<</Type/Page/Parent 3 0 R/MediaBox[0 0 595 842]>>",
    ])  # fmt: skip


def wide_picture(mode: str, kind: str, side: int = 11_800) -> bytes:
    """A picture of one colour, just small enough to be opened."""
    made = io.BytesIO()
    Image.new(mode, (side, side)).save(made, kind, **({"compression": "tiff_deflate"} if kind == "TIFF" else {}))
    return made.getvalue()


HOSTILE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "nested drawings": ("pdf", nested),
    "packed drawing": ("pdf", bomb),
    "endless pattern": ("pdf", tiled),
    "packed objects": ("pdf", packed_objects),
    "a million pages": ("pdf", many_pages),
    "wide colour": ("png", lambda: wide_picture("RGB", "PNG")),
    "wide with alpha": ("png", lambda: wide_picture("RGBA", "PNG")),
    "wide, 32 bits": ("tif", lambda: wide_picture("I", "TIFF")),
    "rubbish of 63 MB": ("pdf", lambda: b"%PDF-1.4\n" + random.Random(1).randbytes(63 << 20)),
    "one part of 240 MB": ("jpg", lambda: bytes(240 << 20)),
}


class Waits:
    """Asks for something again and again, and remembers how long each answer took."""

    def __init__(self, ask: Callable[[], object]) -> None:
        self.ask = ask
        self.took: list[float] = []
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()

    def _work(self) -> None:
        while not self.is_over.wait(SECONDS_BETWEEN):
            begun = time.monotonic()
            self.ask()
            self.took.append(time.monotonic() - begun)

    def end(self) -> None:
        self.is_over.set()
        self.thread.join()

    def share(self, part: float) -> float:
        """So many seconds are not exceeded by a part of the answers."""
        return sorted(self.took)[min(len(self.took) - 1, int(part * len(self.took)))] if self.took else float("inf")


def hand_in(desk: RunningDesk, files: Sequence[tuple[str, bytes]], phones: int) -> tuple[Counter[int], list[float]]:
    """Hand files in from several telephones at once; the answers, and their seconds."""
    waiting, answers, took = list(files), Counter[int](), list[float]()

    def send(browser: Browser) -> None:
        while waiting:
            name, data = waiting.pop()
            begun = time.monotonic()
            answers[browser.upload(name, data, 300.0)[0]] += 1
            took.append(time.monotonic() - begun)

    browsers = [desk.browser("phone") for _ in range(phones)]
    threads = [threading.Thread(target=send, args=(browser,)) for browser in browsers]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return answers, took


class TemporaryWatch:
    """The most bytes that lay in a folder for temporary files, also in files without a name (Linux)."""

    def __init__(self, process: int, folder: Path) -> None:
        self.process, self.folder, self.most = process, folder, 0
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()

    def _work(self) -> None:
        while not self.is_over.wait(0.2):
            sizes: dict[int, int] = {}
            for each in (*Path(f"/proc/{self.process}/fd").iterdir(), *self.folder.rglob("*")):
                try:
                    if str(each.parent).startswith("/proc") and not str(each.readlink()).startswith(str(self.folder)):
                        continue
                    found = each.stat()
                except OSError:
                    continue
                sizes[found.st_ino] = found.st_size
            self.most = max(self.most, sum(sizes.values()))

    def end(self) -> None:
        self.is_over.set()
        self.thread.join()


def start_second(event: Path, port: int) -> tuple[int | None, str]:
    """Start another desk; its exit code (None: it runs), and what it says."""
    command = [sys.executable, "-m", "pipeline", "review", str(event), "--port", str(port), "--by", "Bo"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
    try:
        said, _ = process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        process.terminate()
        said, _ = process.communicate()
        return None, said
    return process.returncode, said


def end(desk: RunningDesk) -> tuple[float, int, int]:
    """End a desk: how many seconds it took, how many helpers it had, and how many of them are left."""
    helpers = helpers_of(desk.process.pid)
    ended = desk.end()
    time.sleep(0.5)
    return ended, len(helpers), sum(map(_is_alive, helpers))


def _is_alive(process: int) -> bool:
    """Whether a process runs. One that has ended may have a place in the list until the system takes it off."""
    with suppress(OSError):
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        if state not in "ZX":
            print("left:", process, state, Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0"))
            return True
    return False


def main() -> int:
    """Try, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=50)
    parser.add_argument("--phones", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=60.0, help="for which it is watched when all has come")
    asked = parser.parse_args()
    made = [(f"{kind.replace(' ', '-')}.{end}", make()) for kind, (end, make) in HOSTILE.items()]
    files = [
        (f"{number}-{name}", data + b"\n%% %d" % number)
        for number in range(asked.files)
        for name, data in [made[number % len(made)]]
    ]
    rows, faults = [], []

    def say(what: str, found: str, *, is_fault: bool = False) -> None:
        rows.append((what, found + (" (!)" if is_fault else "")))
        faults.extend([what] if is_fault else [])

    with tempfile.TemporaryDirectory() as folder:
        (temporary := Path(folder) / "temporary").mkdir()
        event, other = seated(Path(folder) / "cup"), seated(Path(folder) / "other")
        desk = RunningDesk(event, ["phone:upload"], temporary=temporary)
        director, hall = desk.browser(), desk.browser()
        hall.cookie = ""
        calm = Waits(lambda: director.get("/api/next"))
        time.sleep(5)
        calm.end()
        say("before", f"/api/next p95 {calm.share(0.95):.2f} s, {memory_of(desk.process.pid) >> 20} MB")
        with MemoryWatch(desk.process.pid) as memory:
            nexts, lives = Waits(lambda: director.get("/api/next")), Waits(lambda: hall.ask("GET", "/live"))
            space = TemporaryWatch(desk.process.pid, temporary)
            begun = time.monotonic()
            answers, took = hand_in(desk, files, asked.phones)
            say("all answered after", f"{time.monotonic() - begun:.0f} s")
            time.sleep(asked.seconds)
            for each in (nexts, lives, space):
                each.end()
        say("answers", ", ".join(f"{count} × {status}" for status, count in sorted(answers.items())))
        say("longest upload", f"{max(took):.1f} s")
        say(
            "/api/next",
            f"p95 {nexts.share(0.95):.2f} s, longest {max(nexts.took):.2f} s, {len(nexts.took)} times",
            is_fault=nexts.share(0.95) > NEXT_S,
        )
        say(
            "/live",
            f"p95 {lives.share(0.95):.2f} s, longest {max(lives.took):.2f} s",
            is_fault=lives.share(0.95) > 2 * NEXT_S,
        )
        say("most memory", f"{memory.most >> 20} MB", is_fault=memory.most > MEMORY)
        say("most in temporary files", f"{space.most >> 20} MB", is_fault=space.most > TEMPORARY)
        for what, where, port in (("the same event", event, 0), ("the same port", other, desk.port)):
            code, said = start_second(where, port)
            say(
                f"a second desk on {what}",
                f"{'it runs' if code is None else said.strip()[:160]}",
                is_fault=code is None,
            )
        desk.browser("phone").upload("last.pdf", nested())
        ended, helpers, left = end(desk)
        say("ends after SIGTERM within", f"{ended:.1f} s", is_fault=ended > ENDS_S)
        say("helpers left", f"{left} of {helpers}", is_fault=bool(left))
    print(markdown(("what", "found"), rows))
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())

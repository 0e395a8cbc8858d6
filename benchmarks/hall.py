"""A hall full of telephones beside desks at work, against the real server: how long each waits, and what fails.

    python benchmarks/hall.py [--phones 300] [--desks 10] [--seconds 60] [--files 256] [--tls] [--silent 1100]

Every telephone has four connections, each of which asks for a public page every few seconds; all come from this
machine's own address, as through a tunnel. ``--files`` is the most files that the server may have open, ``--silent`` so
many connections that say nothing and are opened again whenever they are ended. A telephone does as browsers do: a
question on a kept connection that was ended meanwhile is asked once more on a new one; what fails then is an error.

Goals: desks 300 ms at the 95th percentile, telephones 2 s at the 99th, no error, no traceback. Exit code 1 where one
is missed. It takes two cores for the time that is asked for; the desks run in a process of their own.
"""

import argparse
import asyncio
import random
import re
import ssl
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct, field

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.large.desks import THINKS_S, Desk
from benchmarks.large.event import make
from benchmarks.whole_sheets.count import markdown

LINES = 4  # connections of a telephone
EVERY_S = 4.0  # from an answer to the next question on the same connection
WAITS_S = 20.0  # for an answer
PAGES = ("/live", "/static/live.css", "/live/newest", "/live/board/1.1", "/live/map/1.1/now", "/live/standings")
DESK_MS, PHONE_MS = 300.0, 2000.0
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


class Found(Struct):
    """What the telephones saw."""

    ms: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    asked_again: int = 0
    ended: int = 0  # silent connections that were hung up on


class Line(Struct):
    """One connection of a telephone."""

    port: int
    tls: ssl.SSLContext | None
    found: Found
    ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def use(self, until: float) -> None:
        """Ask for pages until the time is over."""
        await asyncio.sleep(random.random() * EVERY_S / 2)
        while time.monotonic() < until:
            begun = time.perf_counter()
            try:
                async with asyncio.timeout(WAITS_S):
                    await self.ask(random.choice(PAGES))
                self.found.ms.append(1000 * (time.perf_counter() - begun))
            except (OSError, ValueError, asyncio.IncompleteReadError) as error:
                self.found.errors[f"{type(error).__name__} {error}"[:80]] += 1
                self.hang_up()
            await asyncio.sleep(random.uniform(0.5, 1.5) * EVERY_S)
        self.hang_up()

    async def ask(self, path: str) -> None:
        """Ask once; on a new connection where the old one was ended meanwhile."""
        if self.ends is not None:
            try:
                await self.ask_here(path)
                return
            except (ConnectionError, asyncio.IncompleteReadError):
                self.found.asked_again += 1
                self.hang_up()
        self.ends = await asyncio.open_connection("127.0.0.1", self.port, ssl=self.tls)
        await self.ask_here(path)

    async def ask_here(self, path: str) -> None:
        """Ask on the connection that there is."""
        assert self.ends is not None
        reader, writer = self.ends
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        length = LENGTH.search(head)
        await reader.readexactly(int(length[1]) if length else 0)
        if head.split(b" ", 2)[1] not in (b"200", b"404"):
            raise ValueError(head[:40].decode())
        if b"connection: close" in head.lower():
            self.hang_up()

    def hang_up(self) -> None:
        """End the connection."""
        if self.ends is not None:
            self.ends[1].close()
        self.ends = None


async def say_nothing(port: int, found: Found, until: float) -> None:
    """Hold a connection on which nothing is said, and open another when it is ended."""
    while time.monotonic() < until:
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(max(0.1, until - time.monotonic())):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                await reader.read(1)
                writer.close()
                found.ended += 1
        await asyncio.sleep(0.2)


async def fill_hall(port: int, phones: int, silent: int, seconds: float, tls: ssl.SSLContext | None) -> Found:
    """Let all telephones ask until the time is over."""
    found, until = Found(), time.monotonic() + seconds
    async with asyncio.TaskGroup() as switcher:
        for _ in range(silent):
            switcher.create_task(say_nothing(port, found, until))
        for _ in range(LINES * phones):
            switcher.create_task(Line(port, tls, found).use(until))
    return found


def work_at_desks(place: str, pins: dict[str, str], keys: int) -> list[float]:
    """Settle rows at all desks at once; how long each key took."""
    working = [Desk(place, name, pin) for name, pin in pins.items()]
    with ThreadPoolExecutor(len(working)) as pages_at:
        list(pages_at.map(lambda desk: desk.work(keys), working))
    return [each for desk in working for each in desk.ms]


@contextmanager
def served(event: Path, desks: int, files: int, tls: bool) -> Iterator[tuple[int, dict[str, str], Path]]:
    """The command as a director starts it: its port, the desks' PINs, and what it said of faults."""
    names = [name for number in range(desks) for name in ("--desk", f"Desk {number}")]
    options = ["--lan", "--tls"] if tls else []
    command = [sys.executable, "-u", "-m", "pipeline", "review", str(event), "--port", "0", "--by", "Tess", *names]
    if files:
        command = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *command]
    told = event.with_name("faults.txt")
    with told.open("w") as faults:
        server = subprocess.Popen(
            [*command, *options],
            stdout=subprocess.PIPE,
            stderr=faults,
            text=True,
        )
        assert server.stdout is not None
        said = ""
        while "Ctrl-C" not in said and (line := server.stdout.readline()):
            said += line
        try:
            port = int(re.findall(r":(\d+)/door", said)[0])
            yield port, dict(re.findall(r"(Desk \d+) \(.*PIN (\S+)", said)), told
        finally:
            server.terminate()
            server.wait(30)


def at(part: float, values: list[float]) -> float:
    """The value below which so large a part of all lies."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))] if values else float("inf")


def main() -> int:
    """Fill the hall, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, many in (("phones", 300), ("desks", 10), ("seconds", 60), ("files", 0), ("silent", 0)):
        parser.add_argument(f"--{name}", type=int, default=many)
    parser.add_argument("--tls", action="store_true", help="desks are left out: they speak HTTP")
    parser.add_argument("--event", type=Path, help="an event that benchmarks/large has made; rows of it are settled")
    asked = parser.parse_args()
    tls = ssl._create_unverified_context() if asked.tls else None
    with tempfile.TemporaryDirectory() as folder:
        event = asked.event or Path(folder) / "event"
        if not event.exists():
            make(event, boards=6, rounds=2, scans=90)
        with served(event, asked.desks, asked.files, asked.tls) as (port, pins, told):
            keys = int(asked.seconds / (THINKS_S + 0.3))
            with ProcessPoolExecutor(1) as apart:
                desks = None if tls else apart.submit(work_at_desks, f"127.0.0.1:{port}", pins, keys)
                found = asyncio.run(fill_hall(port, asked.phones, asked.silent, asked.seconds, tls))
                desk_ms = desks.result() if desks else []
        tracebacks = told.read_text().count("Traceback")
    desk, phone = at(0.95, desk_ms), at(0.99, found.ms)
    rows = [
        ("desks", str(len(desk_ms)), *(f"{at(part, desk_ms):.0f}" for part in (0.5, 0.95, 0.99)), "0"),
        ("telephones", str(len(found.ms)), *(f"{at(part, found.ms):.0f}" for part in (0.5, 0.95, 0.99)),
         str(found.errors.total())),
    ]  # fmt: skip
    print(markdown(("who", "answers", "median ms", "95 %", "99 %", "errors"), rows))
    print(f"asked again {found.asked_again}, silent ended {found.ended}, tracebacks {tracebacks}")
    print(*(f"{many} × {error}" for error, many in found.errors.most_common(5)), sep="\n")
    missed = (desk_ms and desk > DESK_MS) or phone > PHONE_MS or found.errors or tracebacks
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())

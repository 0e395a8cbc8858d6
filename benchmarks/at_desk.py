"""A desk as a director starts it, for harnesses: who logs in, what he asks, its memory, and how it ends."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[1]
STARTS_S = 60.0


class RunningDesk:
    """The command ``review`` of an event, and what it says."""

    def __init__(
        self,
        event: Path,
        desks: Sequence[str] = (),
        options: Sequence[str] = (),
        temporary: Path | None = None,
        root: Path = ROOT,
    ) -> None:
        self.event = event
        self.faults = event.with_name(f"{event.name}-faults.txt")
        named = [word for name in desks for word in ("--desk", name)]
        command = [sys.executable, "-u", "-m", "pipeline", "review", str(event), "--by", "Tess", *named]
        command += [*options] if "--port" in options else ["--port", "0", *options]
        settings = os.environ | {"XDG_CONFIG_HOME": str(event.parent / "settings"), "PYTHONPATH": str(root)}
        settings |= {"TMPDIR": str(temporary)} if temporary else {}
        with self.faults.open("w") as faults:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=faults, text=True, env=settings, cwd=root
            )
        assert self.process.stdout is not None
        self.said = ""
        watch = threading.Timer(STARTS_S, self.process.kill)
        watch.start()
        while "Ctrl-C" not in self.said and (line := self.process.stdout.readline()):
            self.said += line
        watch.cancel()
        ports = re.findall(r":(\d+)/", self.said)
        self.port = int(ports[0]) if ports else 0  # 0: it did not start

    def pin(self, name: str) -> str:
        """The PIN that the terminal shows."""
        return str(re.findall(rf"{re.escape(name)} .*PIN (\d+)", self.said)[0])

    def browser(self, name: str = "Tess") -> "Browser":
        """Somebody's browser, logged in."""
        return Browser(self.port, name, self.pin(name))

    def told_faults(self) -> str:
        """What it wrote to its standard error."""
        return self.faults.read_text("utf-8", "replace")

    def end(self, *, within_s: float = 30.0) -> float:
        """End it as a system does that shuts down; how many seconds it took, infinity where it had to be killed."""
        begun = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(within_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return float("inf")
        finally:
            assert self.process.stdout is not None
            self.process.stdout.close()
        return time.monotonic() - begun


@contextmanager
def running_desk(event: Path, desks: Sequence[str] = (), options: Sequence[str] = ()) -> Iterator[RunningDesk]:
    """Start a desk, and end it."""
    desk = RunningDesk(event, desks, options)
    try:
        yield desk
    finally:
        desk.end()


class Browser:
    """A browser without a screen: it keeps its cookie, and brings what its page showed with every POST."""

    def __init__(self, port: int, name: str, pin: str) -> None:
        self.port = port
        self.cookie = ""
        self.shown: dict[str, str] = {}
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        self.ask("POST", "/door", urlencode({"name": name, "pin": pin}).encode(), form)
        found = re.search(rb'name="token" content="([^"]+)"', self.ask("GET", "/upload")[1])
        self.token = found[1].decode() if found else ""

    def ask(
        self, method: str, path: str, body: bytes = b"", head: Mapping[str, str] | None = None, timeout_s: float = 60.0
    ) -> tuple[int, bytes]:
        """Ask once, on a connection of its own; status 0 where no answer came."""
        line = HTTPConnection("127.0.0.1", self.port, timeout=timeout_s)
        try:
            line.request(method, path, body or None, {"Cookie": self.cookie, **(head or {})})
            answer = line.getresponse()
            if brought := answer.getheader("Set-Cookie"):
                self.cookie = brought.partition(";")[0]
            return answer.status, answer.read()
        except OSError:
            return 0, b""
        finally:
            line.close()

    def get(self, path: str) -> tuple[int, dict[str, Any]]:
        """Look at a page's data."""
        status, raw = self.ask("GET", path)
        found = _object_in(raw)
        self.shown |= found.get("shown", {})
        return status, found

    def post(self, path: str, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """Decide something, with what was shown last."""
        head = {"X-Token": self.token, "Content-Type": "application/json"}
        status, raw = self.ask("POST", path, json.dumps({"shown": self.shown, **body}).encode(), head)
        return status, _object_in(raw)

    def upload(self, name: str, data: bytes, timeout_s: float = 120.0) -> tuple[int, dict[str, Any]]:
        """Hand a file in."""
        edge = "----ordersheets"
        head = f'--{edge}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'
        body = head.encode() + data + f"\r\n--{edge}--\r\n".encode()
        kind = {"X-Token": self.token, "Content-Type": f"multipart/form-data; boundary={edge}"}
        status, raw = self.ask("POST", "/api/upload", body, kind, timeout_s)
        return status, _object_in(raw)


def _object_in(raw: bytes) -> dict[str, Any]:
    with suppress(ValueError):
        found = json.loads(raw)
        return found if isinstance(found, dict) else {}
    return {}


# The memory of a program and its helpers (Linux).


def helpers_of(process: int) -> list[int]:
    """The processes that a process started, and those that these started."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError, IndexError, ValueError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                parents.setdefault(parent, []).append(int(entry.name))
    found: list[int] = []
    waiting = [process]
    while waiting:
        mine = parents.get(waiting.pop(), [])
        found += mine
        waiting += mine
    return found


def memory_of(process: int) -> int:
    """Bytes that a process and its helpers hold for themselves; what they share is counted in parts."""
    total = 0
    for each in (process, *helpers_of(process)):
        with suppress(OSError, StopIteration, ValueError):
            lines = Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()
            total += int(next(line for line in lines if line.startswith("Pss:")).split()[1]) * 1024
    return total


class MemoryWatch:
    """Looks at the memory of a desk with its helpers several times a second; keeps the most. Use it with ``with``."""

    def __init__(self, process: int, every_s: float = 0.1) -> None:
        self.process = process
        self.every_s = every_s
        self.most = 0
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._look, daemon=True)

    def _look(self) -> None:
        while not self.is_over.wait(self.every_s):
            self.most = max(self.most, memory_of(self.process))

    def __enter__(self) -> "MemoryWatch":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_over.set()
        self.thread.join()

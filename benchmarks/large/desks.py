"""Many desks that settle rows at once, over HTTP, against the real server."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct, field

THINKS_S = 0.5  # between two keys; a director takes three to five seconds


class Desk(Struct):
    """One desk: a browser without a screen, which takes hardly any time of the processor that the server needs."""

    place: str  # host and port
    name: str
    pin: str
    ms: list[float] = field(default_factory=list)  # from a key to the next row, with its picture
    cookie: str = ""

    def work(self, keys: int) -> None:
        """Come in, and settle so many rows with the key of their first reading."""
        with closing(HTTPConnection(self.place, timeout=60)) as line:
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            self.asked(line, "POST", "/door", urlencode({"name": self.name, "pin": self.pin}), form)
            found = re.search(r'name="token" content="([^"]+)"', self.asked(line, "GET", "/")[1].decode())
            assert found is not None
            shown = json.loads(self.asked(line, "GET", "/api/next")[1])
            for _ in range(keys):
                time.sleep(THINKS_S)
                begun = time.perf_counter()
                shown = self.press(line, found[1], shown)
                if picture := (shown["item"] or {}).get("picture"):
                    self.asked(line, "GET", picture)
                self.ms.append(1000 * (time.perf_counter() - begun))

    def press(self, line: HTTPConnection, token: str, shown: dict[str, Any]) -> dict[str, Any]:
        """Decide about what is shown; what was settled elsewhere meanwhile is looked at anew, as the page does."""
        item = shown["item"] or {}
        choices = item.get("choices") or []
        do, value = ("order", choices[0]["order"]) if item.get("kind") == "row" and choices else ("later", "")
        body = {"token": item.get("token", ""), "board": item.get("board", ""), "number": shown["number"]}
        status, answer = self.asked(
            line, "POST", "/api/act", json.dumps(body | {"do": do, "value": value}), {"X-Token": token}
        )
        if status == HTTPStatus.CONFLICT:
            _, answer = self.asked(line, "GET", "/api/next")
        found: dict[str, Any] = json.loads(answer)
        return found

    def asked(
        self,
        line: HTTPConnection,
        method: str,
        path: str,
        body: str = "",
        head: Mapping[str, str] = MappingProxyType({}),
    ) -> tuple[int, bytes]:
        """Ask the server; its status and its answer."""
        line.request(method, path, body.encode() or None, {"Cookie": self.cookie, **head})
        answer = line.getresponse()
        if brought := answer.getheader("Set-Cookie"):
            self.cookie = brought.partition(";")[0]
        assert answer.status < HTTPStatus.BAD_REQUEST or answer.status == HTTPStatus.CONFLICT, (path, answer.status)
        return answer.status, answer.read()


class Answers(Struct, frozen=True):
    """How so many desks were answered."""

    ms: list[float]  # from each key to the next row with its picture, the quickest first
    server_s: float  # the processor's time of the server for all of it, its start included
    desks_s: float  # the same of all desks together, on the same machine


class Server(Struct, frozen=True):
    """A server that is up, and the desks that may come in."""

    process: "subprocess.Popen[str]"
    desks: list[Desk]


def start(event: Path, desks: int) -> Server:
    """Start the server of an event, for so many desks."""
    names = [name for number in range(desks) for name in ("--desk", f"Desk {number}")]
    command = [sys.executable, "-u", "-m", "pipeline", "review", str(event), "--port", "0", "--by", "Tess", *names]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address, pins = "", {}
    for line in process.stdout:
        if found := re.search(r"http://([^/]+)/", line):
            address = address or found[1]
        if found := re.search(r"(Desk \d+) \(.*PIN (\S+)", line):
            pins[found[1]] = found[2]
        if line.startswith("Ctrl-C"):
            break
    return Server(process, [Desk(address, name, pin) for name, pin in pins.items()])


def answers_to_keys(event: Path, desks: int, keys: int) -> Answers:
    """Let so many desks press so many keys each, all at once."""
    if sys.platform == "win32":
        raise NotImplementedError("Windows does not tell what a process took")
    found = start(event, desks)
    server, working = found.process, found.desks
    try:
        begun = time.process_time()
        with ThreadPoolExecutor(len(working)) as room:
            list(room.map(lambda desk: desk.work(keys), working))
        desks_s = time.process_time() - begun
    finally:
        server.terminate()
        _, status, used = os.wait4(server.pid, 0)
        server.returncode = os.waitstatus_to_exitcode(status)
    ms = sorted(each for desk in working for each in desk.ms)
    return Answers(ms, used.ru_utime + used.ru_stime, desks_s)

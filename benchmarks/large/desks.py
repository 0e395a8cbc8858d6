"""Many desks that settle rows at once, over HTTP, against the real server."""

import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

THINKS_S = 0.5  # between two keys; a director takes three to five seconds


@dataclass(slots=True)
class Desk:
    """One desk: a browser without a screen."""

    address: str
    name: str
    pin: str
    ms: list[float] = field(default_factory=list)  # from a key to the next row, with its picture

    def work(self, keys: int) -> None:
        """Come in, and settle so many rows with the key of their first reading."""
        with httpx.Client(base_url=self.address, timeout=60, follow_redirects=True) as browser:
            browser.post("/door", data={"name": self.name, "pin": self.pin}).raise_for_status()
            found = re.search(r'name="token" content="([^"]+)"', browser.get("/").text)
            assert found is not None
            shown = browser.get("/api/next").json()
            for _ in range(keys):
                time.sleep(THINKS_S)
                begun = time.perf_counter()
                shown = self.press(browser, found[1], shown)
                if picture := (shown["item"] or {}).get("picture"):
                    browser.get(picture).raise_for_status()
                self.ms.append(1000 * (time.perf_counter() - begun))

    def press(self, browser: httpx.Client, token: str, shown: dict[str, Any]) -> dict[str, Any]:
        """Decide about what is shown; what was settled elsewhere meanwhile is looked at anew, as the page does."""
        item = shown["item"] or {}
        choices = item.get("choices") or []
        do, value = ("order", choices[0]["order"]) if item.get("kind") == "row" and choices else ("later", "")
        body = {"token": item.get("token", ""), "board": item.get("board", ""), "number": shown["number"]}
        answer = browser.post("/api/act", json=body | {"do": do, "value": value}, headers={"X-Token": token})
        if answer.status_code == httpx.codes.CONFLICT:
            answer = browser.get("/api/next")
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()
        return found


def answers_to_keys(event: Path, desks: int, keys: int) -> list[float]:
    """Milliseconds from each key to the next row, of so many desks that press so many keys each."""
    names = [name for number in range(desks) for name in ("--desk", f"Desk {number}")]
    command = [sys.executable, "-u", "-m", "pipeline", "review", str(event), "--port", "0", "--by", "Tess", *names]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        address, pins = "", {}
        for line in server.stdout:
            if found := re.search(r"(http://[^/]+)/", line):
                address = address or found[1]
            if found := re.search(r"(Desk \d+) \(.*PIN (\S+)", line):
                pins[found[1]] = found[2]
            if line.startswith("Ctrl-C"):
                break
        working = [Desk(address, name, pin) for name, pin in pins.items()]
        with ThreadPoolExecutor(len(working)) as room:
            list(room.map(lambda desk: desk.work(keys), working))
    finally:
        server.terminate()
        server.wait()
    return sorted(each for desk in working for each in desk.ms)

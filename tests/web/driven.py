"""A real browser at the pages of a command that was started as a director starts it."""

import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from pipeline.web.connections import ConnectionLimits
from pipeline.web.logins import Guest, Role
from pipeline.web.server import _run_server, listen, open_office, server_of

# the one that draws no window takes a third of the processor time
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
IN_CHROMIUM = (
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine"),
    pytest.mark.flaky(reruns=1),  # on a machine that is busy with other things; the last line of the run counts them
)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AT_THE_DESK = (Guest("Tess", Role.DIRECTOR, "111111"), Guest("Anna", Role.DIRECTOR, "222222"))
PAINTED = """async () => {
  await Promise.all([...document.images].filter((each) => each.getAttribute("src")).map((each) => each.decode()));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
GUARD_MS = 300  # the page takes no decision so soon after a row was painted


class Server:
    """The command, as a director starts it."""

    def __init__(self, folder: Path, port: int = 0, options: Sequence[str] = ()) -> None:
        command = [sys.executable, "-u", "-m", "pipeline", "review", str(folder), "--by", "Tess"]
        self.process = subprocess.Popen(
            [*command, "--desk", "Anna:director", "--port", str(port), *options], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.said = ""
        for line in self.process.stdout:
            self.said += line
            if "Ctrl-C" in line:
                break
        self.page = re.findall(r"http\S+", self.said)[0]
        self.port = int(re.findall(r":(\d+)/", self.said)[0])

    def pin(self, name: str) -> str:
        """The PIN that the terminal shows."""
        return str(re.findall(rf"{name} .*PIN (\d+)", self.said)[0])

    def end(self, *, kill: bool = False) -> None:
        """Stop it, or pull its plug."""
        if kill:
            self.process.kill()
        else:
            self.process.terminate()
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()


class Served(Struct, frozen=True):
    """The pages of an event, served by this process: for what is asked of a page, however it was started."""

    folder: Path
    page: str  # opens the director's, once
    port: int

    def pin(self, name: str) -> str:
        """The PIN of somebody."""
        return next(seat.pin for seat in AT_THE_DESK if seat.name == name)


@contextmanager
def served(folder: Path) -> Iterator[Served]:
    """Serve the pages of an event."""
    with open_office(folder, AT_THE_DESK) as opened, listen(0, is_lan=False) as listener:
        opened.logins.port = int(listener.getsockname()[1])
        server = server_of(ConnectionLimits(opened.app, opened.logins, listener))
        serving = threading.Thread(target=_run_server, args=(server, listener))
        serving.start()
        try:
            yield Served(
                folder, f"http://127.0.0.1:{opened.logins.port}/door?key={opened.logins.key}", opened.logins.port
            )
        finally:
            server.should_exit = True
            serving.join()


@contextmanager
def started(folder: Path, *words: str) -> Iterator[str]:
    """The program as it is started with some words, or none, in a folder; gives the link that it shows.

    What it keeps for its user is kept in the folder, too, and it finds no screen to open a browser on.
    """
    here = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    own = here | {"XDG_CONFIG_HOME": str(folder / "own"), "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-u", "-m", "pipeline", *words]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, cwd=folder, env=own
    )
    assert process.stdout is not None
    said = ""
    try:
        for line in process.stdout:
            said += line
            if "Ctrl-C" in line:
                break
        yield re.findall(r"http\S+", said)[0]
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


class Desk:
    """A page and its keys."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def shown(self) -> str:
        """The fingerprint of what is on the screen, once it is painted."""
        self.page.wait_for_selector("body[data-token]:not(.busy)")
        self.page.wait_for_timeout(GUARD_MS)
        assert not re.search(r"^(null|undefined)$", self.page.inner_text("body"), re.MULTILINE), "nothing is no word"
        return str(self.page.get_attribute("body", "data-token"))

    def kind(self) -> str:
        """What is on the screen."""
        return str(self.page.get_attribute("body", "data-kind"))

    def press(self, key: str, *, changes: bool = True) -> str:
        """Press a key; wait until something else is on the screen."""
        before = self.shown()
        self.page.keyboard.press(key)
        if changes:
            self.page.wait_for_selector(f"body:not([data-token='{before}']):not(.busy)")
        return self.shown()


def until(page: Any, true: str) -> None:
    """Wait until something is true on the page, whose policy lets no driver wait there."""
    for _ in range(100):
        if page.evaluate(true):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"never: {true}; the page says: {page.inner_text('body')}")


@contextmanager
def stopped_clock(page: Any) -> Iterator[None]:
    """The clock that a page's guards read stands still, however busy the machine is."""
    page.evaluate("() => { const stopped = performance.now(); performance.now = () => stopped; }")
    yield
    page.evaluate("() => { delete performance.now; }")


@contextlib.contextmanager
def desk(chromium: Any, address: str) -> Iterator[Desk]:
    """A browser with its own cookies at an address; any script error fails the test."""
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    try:
        page.goto(address)
        yield Desk(page)
    finally:
        context.close()
    assert errors == [], errors


def slide_of(page: Any, number: int) -> None:
    """Show a slide of the public screen, with all of its pictures, as it is when it has just been opened."""
    address = "/".join(page.url.split("/", 3)[:3])
    page.goto(f"{address}/screen#{number}")
    page.reload()  # a page of the same address but for its slide is not opened anew
    page.wait_for_selector(".slide")
    page.evaluate(PAINTED)


def go_to(page: Any, name: str) -> None:
    """Go to a page that stands under More."""
    page.locator("header.nav summary").click()
    page.locator("header.nav .menu").get_by_role("link", name=name, exact=True).click()


def correct_vienna(page: Any, base: str) -> None:
    """Correct Vienna's order of Spring 1901 in the browser, with what follows from it and a reason."""
    page.goto(f"{base}/desk")
    page.get_by_role("link", name="Correct", exact=True).click()
    page.locator("#work").wait_for()
    assert page.get_by_label("Board", exact=True).input_value() == "1.1", "the only one is chosen"
    page.get_by_label("Phase", exact=True).select_option("S1901M")
    page.locator("details[data-power=AUSTRIA] summary").click()
    page.locator("[data-power=AUSTRIA] li[data-line='1']").get_by_role("button", name="Why?").click()
    page.locator("[data-power=AUSTRIA] dl").wait_for()
    page.get_by_role("button", name="change line 1 of Austria").click()
    page.get_by_label("the order that line 1 of Austria gives").select_option("A VIE H")
    page.get_by_role("button", name="take this").click()
    page.get_by_text("sheets of Fall 1901 of Russia: collect them").wait_for()
    page.get_by_label("Before the next deadline").check()
    page.set_viewport_size({"width": 1280, "height": 657})
    page.evaluate("scrollTo(0, 0)")
    act = page.get_by_role("button", name="Correct it").bounding_box()
    assert act and act["y"] + act["height"] <= 657, "the act is reached without scrolling"
    page.get_by_label("Reason, kept in the journal").fill("misread")
    page.get_by_role("button", name="Correct it").click()
    page.get_by_role("link", name="take it back").wait_for()


def facts(folder: Path, kind: str) -> list[str]:
    with contextlib.closing(sqlite3.connect(folder / "event.db")) as connection:
        return [body for (body,) in connection.execute("SELECT body FROM facts WHERE kind = ? ORDER BY id", (kind,))]


def section(page: Any, name: str) -> Any:
    """A section of the overview, open."""
    page.wait_for_selector("#steps li")
    found = page.locator(f"#{name}")
    if not found.locator(":scope > details").evaluate("(node) => node.open"):
        found.locator(":scope > details > summary").click()
    return found

"""The page in a real browser, driven by keys alone: the queue, undo, two desks, a reload, a killed server."""

import contextlib
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.desk.clock import now
from pipeline.desk.event import open_event
from web.conftest import make_event

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine"),
]
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
GUARD_MS = 300  # the page takes no decision so soon after a row was painted


class Server:
    """The command, as a director starts it."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        command = [sys.executable, "-u", "-m", "pipeline", "review", str(folder), "--by", "Tess"]
        self.process = subprocess.Popen(
            [*command, "--desk", "Anna:director", "--port", str(port)], stdout=subprocess.PIPE, text=True
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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An event with sheets in."""
    make_event(tmp_path / "cup")
    return tmp_path / "cup"


@pytest.fixture
def server(folder: Path) -> Iterator[Server]:
    """The command at work."""
    running = Server(folder)
    yield running
    running.end()


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Debian's browser, with a profile of its own."""
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextlib.contextmanager
def desk(chromium: Any, address: str) -> Iterator[Desk]:
    """A browser with its own cookies at an address; any script error fails the test."""
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    yield Desk(page)
    context.close()
    assert errors == []


def facts(folder: Path, kind: str) -> list[str]:
    with contextlib.closing(sqlite3.connect(folder / "event.db")) as connection:
        return [body for (body,) in connection.execute("SELECT body FROM facts WHERE kind = ? ORDER BY id", (kind,))]


def test_the_whole_queue_by_keyboard_to_the_published_board(chromium: Any, server: Server, folder: Path) -> None:
    with desk(chromium, server.page) as tess:
        for _ in range(30):
            tess.shown()
            match tess.kind():
                case "sheet":
                    tess.press("n")
                case "check":
                    tess.press("Enter")
                case "row":
                    tess.press("0")
                case "ready":
                    break
        assert "publishes this board" in tess.page.inner_text("#wide")
        assert facts(folder, "published") == []
        tess.page.wait_for_timeout(600)
        tess.press("g")
        assert len(facts(folder, "published")) == 1
        assert "is published" in tess.page.inner_text("#published")
        assert tess.kind() == "nothing"


def test_a_page_in_nobodys_tray_is_put_aside(chromium: Any, server: Server, folder: Path) -> None:
    page = {"sha256": "e" * 64, "page": 1, "tray": "unidentified", "text": "no codes", "offers": []}
    with open_event(folder, now) as event:
        event.facts.append("page read", page, "test")
    with desk(chromium, server.page) as tess:
        tess.shown()
        assert (tess.kind(), tess.page.inner_text("#choices h2")) == ("page", "A page in nobody's tray")
        tess.press("x")
        assert tess.kind() != "page"
    assert len(facts(folder, "page set aside")) == 1


def test_typing_completes_from_the_legal_orders_and_says_what_the_ink_would_mean(
    chromium: Any, server: Server, folder: Path
) -> None:
    with desk(chromium, server.page) as tess:
        tess.shown()
        assert "A Vie - Ga?" in tess.page.inner_text("#choices")
        tess.page.keyboard.press("t")
        tess.page.wait_for_selector("#typing input")
        tess.page.keyboard.type("A Vie - Gal")
        tess.page.wait_for_selector(".meaning b:text('A VIE - GAL')")
        tess.page.keyboard.press("Escape")
        tess.shown()
        tess.page.keyboard.press("e")
        tess.page.wait_for_selector("#typing input")
        tess.page.keyboard.type("vie tri")
        tess.page.wait_for_selector(".complete li.at:has-text('A VIE - TRI')")
        tess.page.keyboard.press("Enter")
        tess.page.wait_for_selector("#typing", state="hidden")
        tess.shown()
        assert [('"order": "A VIE - TRI"' in body) for body in facts(folder, "ruling")] == [True]


def test_two_quick_presses_decide_one_row(chromium: Any, server: Server, folder: Path) -> None:
    with desk(chromium, server.page) as tess:
        tess.shown()
        tess.page.keyboard.press("0")
        tess.page.keyboard.press("0")
        tess.page.wait_for_timeout(150)
        tess.page.keyboard.press("0")
        tess.shown()
        assert len(facts(folder, "ruling")) == 1


def test_undo_redo_and_a_reload_in_the_middle(chromium: Any, server: Server, folder: Path) -> None:
    with desk(chromium, server.page) as tess:
        first = tess.shown()
        second = tess.press("0")
        assert tess.press("u") == first
        assert tess.press("y") == second
        tess.page.reload()
        assert tess.shown() == second
        assert tess.press("u") == first
        assert len(facts(folder, "ruling undone")) == 2


def test_two_browsers_never_show_the_same_row(chromium: Any, server: Server) -> None:
    with desk(chromium, server.page) as tess, desk(chromium, server.page.split("?")[0]) as anna:
        anna.page.select_option("select", "Anna")
        anna.page.fill("input[name=pin]", server.pin("Anna"))
        anna.page.keyboard.press("Enter")
        first = tess.shown()
        second = anna.shown()
        assert first != second
        tess.page.goto("about:blank")  # she goes away: her row is free at once
        anna.page.wait_for_timeout(300)
        assert anna.press("s") == first


def test_a_killed_server_loses_nothing_and_the_browser_goes_on(chromium: Any, server: Server, folder: Path) -> None:
    with desk(chromium, server.page) as tess:
        tess.press("0")
        second = tess.shown()
        server.end(kill=True)
        tess.page.keyboard.press("0")
        tess.page.wait_for_selector("#said:not([hidden])")
        assert "nothing was decided" in tess.page.inner_text("#said")
        assert len(facts(folder, "ruling")) == 1
        again = Server(folder, server.port)
        tess.page.wait_for_selector("#said", state="hidden", timeout=15_000)
        assert tess.shown() == second
        tess.press("0")
        assert len(facts(folder, "ruling")) == 2
        again.end()


def test_the_page_quotes_a_rule_where_one_decides_and_none_where_the_reader_is_in_doubt(
    chromium: Any, server: Server
) -> None:
    """The first row could not be read for sure; the fleet of the third one cannot reach Finland (WM VI.2.b)."""
    quoted = {}
    with desk(chromium, server.page) as tess:
        for _ in range(2):
            tess.shown()
            head = tess.page.inner_text("#choices h2")
            quoted[head] = tess.page.locator("#choices blockquote").all_inner_texts()
            tess.press("S")

    (rule,) = quoted["Read: “F Tri - Fin”"]
    assert rule.startswith("§ WM VI.2.b an order is understood and impossible")
    assert quoted["Read: “A Vie - Ga?”"] == []


def test_at_twice_the_size_the_row_and_its_choices_are_still_in_sight(chromium: Any, server: Server) -> None:
    with desk(chromium, server.page) as tess:
        tess.page.set_viewport_size({"width": 683, "height": 384})
        tess.page.reload()
        tess.shown()
        for seen in ("#title", "#picture", "#choices h2"):
            box = tess.page.locator(seen).first.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 384 - 20, seen
        assert tess.page.evaluate("document.documentElement.scrollWidth") <= 683

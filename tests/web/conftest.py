"""An office over the small event of `desk.cup`, with a clock that the test moves, and a browser for each desk."""

import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from desk.beginnings import copied
from desk.conftest import codes_of_one_mask  # noqa: F401
from desk.cup import clock, hand_in, hand_in_all, inked, printed, spring
from msgspec import Struct
from once import STARTED

from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.hands.reader import best_recogniser
from pipeline.ink import Tier
from pipeline.web.logins import SESSION_S, Guest, Role
from pipeline.web.server import Opened, open_office
from web.acts import ON_A_SHEET, page_of
from web.driven import CHROMIUM, FLAGS

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # newer Starlettes ask for a successor of httpx that older ones do not know
    from starlette.testclient import TestClient

PICTURE = bytes(cv2.imencode(".png", np.full((177, 1402), 250, np.uint8))[1])
HERE = "http://127.0.0.1:8040"
SEATS = (
    Guest("Tess", Role.DIRECTOR, "111111"),
    Guest("Anna", Role.ASSISTANT, "222222"),
    Guest("Bo", Role.ASSISTANT, "333333"),  # he plays England
    Guest("phone", Role.UPLOAD, "444444"),
    Guest("beamer", Role.SCREEN, "555555"),
)


class Time(Struct):
    """A clock that stands until the test moves it."""

    now: float = 1_000_000.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now


def stranger(opened: Opened, address: str = "127.0.0.1") -> TestClient:
    """A browser that nobody has let in."""
    return guest(opened.app, address)


class PageClient(TestClient):
    """A browser that brings with every act what its page shows; it looks at the page anew where a test did not."""

    def post(self, url: Any, **asked: Any) -> Any:
        """Ask, as a page does."""
        body = asked.get("json")
        if isinstance(body, dict) and "shown" not in body and (page := page_of(str(url), body)):
            answer = self.get(page)
            shown = answer.json().get("shown", {}) if answer.status_code == 200 else {}
            asked["json"] = {**body, "shown": shown}
        return super().post(url, **asked)


def guest(app: Any, address: str = "127.0.0.1") -> TestClient:
    """The same, at any pages."""
    client = PageClient(app, base_url=HERE, follow_redirects=False, client=(address, 50000))
    client.portal = one_loop()
    return client


@cache
def one_loop() -> BlockingPortal:
    """What answers, one loop as in a server; else each request had one of its own, and threads of its own."""
    return STARTED.enter_context(start_blocking_portal())


class Browser:
    """One desk's browser: it brings its session's token with every POST, as the page does."""

    def __init__(self, opened: Opened, name: str) -> None:
        self.client = stranger(opened)
        self.opened = opened
        self.shown: dict[str, Any] = {}
        pin = next(seat.pin for seat in opened.logins.guests if seat.name == name)
        answer = self.client.post("/door", data={"name": name, "pin": pin})
        assert answer.status_code == 303

    @property
    def token(self) -> str:
        """The token that the page would carry."""
        cookie = self.client.cookies["ordersheets"]
        login = self.opened.logins.claims.login(cookie, now=self.opened.logins.clock(), seconds=SESSION_S)
        assert login is not None
        return login.csrf

    def post(self, path: str, status: int = 200, /, **body: Any) -> dict[str, Any]:
        """Decide something as a page does; what is answered."""
        answer = self.client.post(path, json=body, headers={"X-Token": self.token})
        assert answer.status_code == status, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def look(self, first: str = "") -> dict[str, Any]:
        """See what waits."""
        self.shown = self.client.get("/api/next", params={"first": first}).json()
        return self.shown

    def press(self, do: str, *, status: int = 200, token: str | None = None, **values: Any) -> dict[str, Any]:
        """Decide about what was shown last."""
        item = self.shown.get("item") or {}
        body = {
            "token": item.get("token", "") if token is None else token,
            "what": item.get("name", "") if token is None else "",
            "board": "1.1",
            "do": do,
            **({"shown": self.shown["shown"]} if "shown" in self.shown and do not in ON_A_SHEET else {}),
            **values,
        }
        found = self.post("/api/act", status, **body)
        if status == 200:
            self.shown = found
        return found

    @property
    def item(self) -> dict[str, Any]:
        """What is on the screen."""
        item: dict[str, Any] = self.shown["item"]
        return item


def make_event(folder: Path) -> None:
    """One board; Austria's rows are doubtful, all others are clear."""
    copied(fill_anew, folder)


def fill_anew(folder: Path) -> None:
    """Make the event, and hand the sheets in."""
    with open_event(printed(folder), clock) as event:
        fill(event)


def fill(event: Event) -> None:
    """Hand the sheets in."""
    hand_in_all(event, but=Power.AUSTRIA)
    doubtful = [inked(1, "A Vie - Ga?", Tier.ASKED), inked(2, "F Bud - Ser"), inked(3, "F Tri - Fin")]
    hand_in(event, spring(Power.AUSTRIA), doubtful, sha256="f" * 64)
    crops = event.out / "crops"
    crops.mkdir(parents=True, exist_ok=True)
    (crops / "ffffffffffffffff-p1-r1.png").write_bytes(PICTURE)


@pytest.fixture(scope="session", autouse=True)
def one_reader() -> Iterator[None]:
    """Offices that read with the nets share them: each loads them when it opens, and hardly any has a page to read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(open_office.__wrapped__.__kwdefaults__, "engine", cache(best_recogniser))  # type: ignore[attr-defined] # a context manager's
        yield


@pytest.fixture
def time() -> Time:
    """The office's clock."""
    return Time()


@pytest.fixture
def opened(tmp_path: Path, time: Time) -> Iterator[Opened]:
    """An office with its doors open to the room."""
    make_event(tmp_path / "cup")
    with open_office(tmp_path / "cup", SEATS, is_lan=True, clock=time) as office:
        yield office


@pytest.fixture
def tess(opened: Opened) -> Browser:
    """The director's browser."""
    return Browser(opened, "Tess")


@pytest.fixture
def anna(opened: Opened) -> Browser:
    """An assistant's browser."""
    return Browser(opened, "Anna")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Debian's browser, started once; its contexts have profiles of their own."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()

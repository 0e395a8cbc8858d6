"""A hall full of telephones: calls are counted before they are heard, and desks keep their part."""

import asyncio
import os
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.responses import Response
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from pipeline.web import background, connections
from pipeline.web.background import Background
from pipeline.web.certificate import Certificate, certificate_for
from pipeline.web.connections import Call, ConnectionLimits, ListeningSocket
from pipeline.web.logins import COOKIE
from pipeline.web.server import Opened, _run_server, listen, server_of
from web.conftest import Browser, stranger


@contextmanager
def served(opened: Opened, most: int, certificate: Certificate | None = None) -> Iterator[ListeningSocket]:
    """The pages of an office, with so many places."""
    with listen(0, is_lan=False) as listener:
        listener.most = most
        server = server_of(ConnectionLimits(opened.app, opened.logins, listener), certificate)
        serving = threading.Thread(target=_run_server, args=(server, listener))
        serving.start()
        try:
            yield listener
        finally:
            server.should_exit = True
            serving.join()


def asked(port: int, path: str = "/live", cookie: str = "") -> int:
    """Ask once; the status."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as line:
        line.request("GET", path, headers={"Cookie": cookie} if cookie else {})
        return line.getresponse().status


def silent(stack: ExitStack, port: int, many: int) -> list[socket.socket]:
    """So many connections that say nothing."""
    return [stack.enter_context(socket.create_connection(("127.0.0.1", port), 20)) for _ in range(many)]


def test_under_tls_silent_connections_shut_nobody_out_and_are_ended_in_seconds(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(connections, "FIRST_S", 2.0)
    monkeypatch.setattr(connections, "GRACE_S", 0.2)
    certificate = certificate_for(tmp_path, "Cup", ("127.0.0.1",), datetime.now(UTC))
    text = certificate.path.read_text("ascii")
    trusting = ssl.create_default_context(cadata=text[text.index("-----BEGIN CERTIFICATE") :])
    with ExitStack() as stack, served(opened, 30, certificate) as listener:
        port = listener.getsockname()[1]
        lines = silent(stack, port, 120)
        plain = socket.create_connection(("127.0.0.1", port), 20)
        with trusting.wrap_socket(plain, server_hostname="127.0.0.1") as whole:
            whole.sendall(b"GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            assert whole.recv(100).startswith(b"HTTP/1.1 200")
        begun = time.monotonic()
        for line in lines:
            assert line.recv(1) == b""
        assert time.monotonic() - begun < 15
    assert "Traceback" not in "".join(capfd.readouterr())


def test_a_desk_keeps_its_connection_whatever_the_hall_does(
    opened: Opened, tess: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "GRACE_S", 0.05)
    with (
        ExitStack() as stack,
        served(opened, 10) as listener,
        closing(HTTPConnection("127.0.0.1", 0, timeout=20)) as desk,
    ):
        desk.port = listener.getsockname()[1]
        cookie = f"{opened.logins.cookie}={tess.client.cookies[COOKIE]}"
        desk.request("GET", "/desk", headers={"Cookie": cookie})
        assert desk.getresponse().read()
        mine = desk.sock
        for _ in range(5):
            silent(stack, desk.port, 12)
            time.sleep(0.1)
        desk.request("GET", "/api/boards", headers={"Cookie": cookie})
        answer = desk.getresponse()
        assert (answer.status, bool(answer.read())) == (200, True)
        assert desk.sock is mine
        assert asked(desk.port) == 200
        assert len(listener.calls) <= 10


@pytest.mark.parametrize(
    ("states", "seconds", "gives_way"),
    [
        (set(), connections.FIRST_S, True),
        ({"has_asked"}, connections.IDLE_S, True),
        ({"has_asked", "is_asking"}, connections.ANSWER_S, False),
        ({"has_asked", "is_desk"}, connections.DESK_S, False),
        ({"has_asked", "is_desk", "is_asking"}, float("inf"), False),
    ],
)
def test_how_long_a_connection_may_be_silent_depends_on_whose_it_is_and_only_idle_ones_give_way(
    states: set[str], seconds: float, gives_way: bool
) -> None:
    with ExitStack() as stack:
        listener = stack.enter_context(closing(ListeningSocket(8)))
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        silent(stack, listener.getsockname()[1], 1)
        call = stack.enter_context(closing(listener.accept()[0]))
        assert isinstance(call, Call)
        for state in states:
            setattr(call, state, True)
        assert not call.is_too_long(call.since + min(seconds, 1e6))
        assert call.is_too_long(call.since + seconds + 1) == (seconds < float("inf"))
        assert not call.may_go(call.since)
        assert call.may_go(call.since + connections.GRACE_S) == gives_way


def test_one_address_of_the_room_has_three_quarters_of_the_places_at_most(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "is_here", lambda host: host == "127.0.0.1")
    monkeypatch.setattr(connections, "GRACE_S", 60.0)
    with ExitStack() as stack, served(opened, 20) as listener:
        port = listener.getsockname()[1]
        for _ in range(40):
            line = stack.enter_context(socket.socket())
            line.bind(("127.0.0.2", 0))
            line.connect(("127.0.0.1", port))
        assert asked(port) == 200
        assert listener.hosts["127.0.0.2"] == 16


def test_where_no_file_is_left_nobody_is_told_by_a_thousand_tracebacks(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with listen(0, is_lan=False) as listener, closing(socket.create_connection(listener.getsockname(), 20)) as line:
        take = socket.socket.accept
        full = [True]

        def accept(self: socket.socket) -> tuple[socket.socket, Any]:
            if full.pop() if full else False:
                raise OSError(24, "Too many open files")
            return take(self)

        monkeypatch.setattr(socket.socket, "accept", accept)
        with pytest.raises(BlockingIOError):
            listener.accept()
        assert line.recv(1) == b""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
@pytest.mark.parametrize("at_first", [256, connections.FILES + 1])
def test_the_limit_of_files_is_raised_as_far_as_the_system_lets_anybody(at_first: int) -> None:
    script = (
        "import resource; from pipeline.web import connections as c; print(c._files_allowed(), *resource.getrlimit(7))"
    )
    told = subprocess.run(
        ["sh", "-c", f'ulimit -S -n {at_first}; exec "{sys.executable}" -c "{script}"'],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    allowed, soft, hard = map(int, told.stdout.split())
    assert allowed == soft == max(at_first, min(hard, connections.FILES)), "never lowered"


def test_of_those_who_are_not_logged_in_few_are_answered_at_once_and_a_desk_waits_for_none() -> None:
    class Knows:
        cookie = COOKIE

        def knows(self, cookie: str | None) -> bool:
            return cookie is not None

    class Calls:
        calls: dict[Any, Any] = {}  # noqa: RUF012 - a stand-in
        is_crowded = False

    async def try_it() -> tuple[int, bool]:
        at_work, may_end = [0], asyncio.Event()

        async def pages(scope: Any, receive: Any, send: Any) -> None:
            at_work[0] += 1
            if not scope["headers"]:
                await may_end.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            return {"type": "http.request"}

        sent: list[Any] = []
        reception = ConnectionLimits(pages, Knows(), Calls())  # type: ignore[arg-type]
        switcher = [asyncio.create_task(reception({"type": "http", "headers": []}, receive, send)) for _ in range(50)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        busy = at_work[0]
        headers = [(b"cookie", f"{COOKIE}=x".encode())]
        await asyncio.wait_for(reception({"type": "http", "headers": headers}, receive, send), 5)
        was_answered = bool(sent)
        may_end.set()
        await asyncio.gather(*switcher)
        return busy, was_answered and at_work[0] == 51

    found: list[tuple[int, bool]] = []
    apart = threading.Thread(target=lambda: found.append(asyncio.run(try_it())))  # a browser may run in this thread
    apart.start()
    apart.join()
    assert found == [(connections.HALL_TURNS, True)]


def test_work_that_hangs_does_not_show_as_living(
    opened: Opened, tess: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "PATIENCE_S", 0.05)
    goes_on = threading.Event()
    work = opened.office.begin("hanging", goes_on.wait, 0.0)  # type: ignore[arg-type]
    try:
        time.sleep(0.2)
        told = tess.post("/api/alive")
        assert told["living"]["hanging"] is False
        assert "hanging: no sign of life" in told["trouble"]
    finally:
        work.is_over.set()
        goes_on.set()
        work.thread.join()


def test_work_that_gives_signs_of_life_lives() -> None:
    work = Background("work", lambda: None, 10.0, lambda: None)
    work.start()
    work.sign -= 10_000
    assert not work.lives()
    work.beat()
    assert work.lives()
    work.is_over.set()
    work.thread.join()


# --------------------
# Who is let in, and who is not any more.


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        *({"Origin": strange} for strange in ("http://[", "//[", "http://]", "http://[::1", "")),
        {"Origin": "http://127.0.0.1:8040", "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_wrong_pins_that_another_page_posts_are_not_counted(opened: Opened, headers: dict[str, str]) -> None:
    for _ in range(30):
        answer = stranger(opened, "192.168.1.7").post("/door", data={"name": "Tess", "pin": "0"}, headers=headers)
        assert answer.status_code == 403
    good = {"name": "Tess", "pin": "111111"}
    assert stranger(opened, "192.168.1.7").post("/door", data=good).status_code == 303
    own = {"Origin": "http://127.0.0.1:8040", "Sec-Fetch-Site": "same-origin"}
    assert stranger(opened).post("/door", data=good, headers=own).status_code == 303
    assert stranger(opened).post("/door", data=good, headers=headers).status_code == 403


def test_wrong_pins_of_the_room_do_not_shut_this_machine_out(opened: Opened) -> None:
    for number in range(25):
        stranger(opened, f"192.168.1.{number}").post("/door", data={"name": "Tess", "pin": "000000"})
    good = {"name": "Tess", "pin": "111111"}
    assert stranger(opened, "192.168.1.99").post("/door", data=good).status_code == 403
    assert stranger(opened).post("/door", data=good).status_code == 303


def test_who_is_sent_away_is_out_at_once_and_his_pin_is_another(opened: Opened, tess: Browser, anna: Browser) -> None:
    own = {"X-Token": tess.token}
    seats = tess.client.get("/api/room").json()["seats"]
    assert ("Anna", "assistant", 1) in [(seat["name"], seat["role"], seat["browsers"]) for seat in seats]
    assert anna.client.post("/api/room/away", json={"name": "Tess", "role": "director"}).status_code == 403
    done = tess.client.post("/api/room/away", json={"name": "Anna", "role": "assistant"}, headers=own)
    assert done.status_code == 200
    assert anna.client.get("/api/next").status_code == 401
    old, new = ({"name": "Anna", "pin": pin} for pin in ("222222", done.json()["pin"]))
    assert stranger(opened).post("/door", data=old).status_code == 403
    assert stranger(opened).post("/door", data=new).status_code == 303
    assert tess.client.get("/api/next").status_code == 200
    other = tess.client.post("/api/room/away", json={"name": ["Anna"], "role": {}}, headers=own)
    assert other.status_code == 422


def test_who_sends_his_own_browsers_away_stays_in_himself(opened: Opened, tess: Browser) -> None:
    other = Browser(opened, "Tess")
    tess.post("/api/room/away", name="Tess", role="director")
    assert other.client.get("/api/next").status_code == 401
    assert tess.client.get("/api/next").status_code == 200


# --------------------
# By which name a page is asked for, and what a browser keeps of it.


@pytest.mark.parametrize(
    "host", ["moot.example.org/live?", "moot.example.org/live#", "moot.example.org:80/live/..", "a@moot.example.org"]
)
def test_a_host_with_a_path_in_it_opens_no_private_page(opened: Opened, host: str) -> None:
    opened.logins.live_host = "moot.example.org"
    for path in ("/door", "/", "/api/room", "/static/common.js"):
        assert stranger(opened).get(path, headers={"Host": host}).status_code in (400, 421)
        assert stranger(opened).get(path, headers={"Host": "moot.example.org"}).status_code == 421
    assert stranger(opened).get("/live", headers={"Host": "moot.example.org"}).status_code == 200
    assert stranger(opened).get("/live", headers={"Host": host}).status_code in (400, 421)
    assert stranger(opened).get("/", headers={"Host": "127.0.0.1/live"}).status_code in (400, 421)


def test_a_screen_sees_no_map_of_a_draw_that_was_not_told(opened: Opened, tess: Browser) -> None:
    beamer = Browser(opened, "beamer")
    assert tess.client.get("/map/board/1.1").status_code == 200
    assert beamer.client.get("/map/board/1.1").status_code == 422
    tess.post("/api/tables/tell", round=1)
    assert beamer.client.get("/map/board/1.1").status_code == 200


@pytest.mark.parametrize("path", ["/", "/desk", "/room", "/api/room", "/home", "/nowhere", "/picture/x.png", "/door"])
def test_what_is_private_is_kept_by_no_browser(tess: Browser, path: str) -> None:
    assert tess.client.get(path).headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/door", "/api/act", "/api/upload", "/leave", "/nowhere"])
def test_two_lengths_of_a_body_are_no_fault_of_the_program(
    opened: Opened, capfd: pytest.CaptureFixture[str], path: str
) -> None:
    with served(opened, 20) as listener:
        for heads in (
            "Transfer-Encoding: chunked\r\nContent-Length: 5",
            "Content-Length: 5\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: gzip, chunked",
            "Content-Length: 5\r\nContent-Length: 6",
            f"Content-Length: {'9' * 5000}",
        ):
            tess = Browser(opened, "Tess")
            own = f"Cookie: {opened.logins.cookie}={tess.client.cookies[COOKIE]}\r\nX-Token: {tess.token}\r\n"
            kind = "Content-Type: application/x-www-form-urlencoded\r\n"
            head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{own}{kind}Connection: close\r\n{heads}\r\n\r\n"
            with closing(socket.create_connection(listener.getsockname(), 20)) as line:
                line.sendall(head.encode() + b"5\r\nname=\r\n0\r\n\r\n")
                status = line.recv(1000).split(b" ")[1]
            assert status == b"400" if "chunked" in heads else status[:1] in b"234", heads[:40]
    assert "Traceback" not in "".join(capfd.readouterr())


def test_no_header_says_from_where_somebody_comes_and_none_which_program_answers() -> None:
    found: list[object] = []

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        found.append(scope["client"])
        await Response()(scope, receive, send)

    config = server_of(answer).config
    config.load()
    asked = TestClient(config.loaded_app, client=("127.0.0.1", 1234))
    asked.get("/", headers={"X-Forwarded-For": "192.168.1.9", "X-Forwarded-Proto": "https"})
    assert found == [("127.0.0.1", 1234)]
    assert [name for name, _ in config.encoded_headers if name.lower() == b"server"] == []


def test_of_idle_calls_one_in_so_many_places_gives_way_at_once_and_first_of_the_address_with_most() -> None:
    for most, closed in ((31, 1), (32, 2), (63, 2), (64, 3)):
        with closing(ListeningSocket(most)) as listener:
            listener.hosts.update({"a": 1, "b": 3})
            ended: list[str] = []
            calls = [
                SimpleNamespace(host=host, since=n, may_go=lambda _: True, hang_up=partial(ended.append, host))
                for n, host in enumerate("abbb")
            ]
            assert listener.make_room(calls)  # type: ignore[arg-type] # what it asks of a call
            assert ended == ["b"] * closed
            assert not listener.make_room([])

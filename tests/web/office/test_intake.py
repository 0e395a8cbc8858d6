"""What comes is measured before anything of it is read; from those who are not logged in nothing is kept."""

import asyncio
import socket
import tempfile
import threading
import time as real_time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from facts_as_kept import read_facts
from starlette.requests import Request

from pipeline.problems import ExitCode, Stopped
from pipeline.web import app, coming_files, connections
from pipeline.web.app import limit_request
from pipeline.web.server import Opened, listen, serve
from web.conftest import PICTURE, Browser, stranger

TOO_MUCH, TOO_SLOW = 413, 408  # as HTTP has them


def all_files(folder: Path) -> dict[str, int]:
    """Every file under a folder, with its size; SQLite's own notes beside its files do not count."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(("-wal", "-shm")))
    return {str(path.relative_to(folder)): path.stat().st_size for path in files}


@pytest.fixture
def spools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go."""
    folder = tmp_path / "spools"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.parametrize("path", ["/api/upload", "/api/act", "/door", "/api/notes/enter", "/leave", "/nowhere"])
def test_of_somebody_who_is_not_logged_in_nothing_is_stored(opened: Opened, spools: Path, path: str) -> None:
    folder = opened.office.event.folder
    before, facts = all_files(folder), opened.office.event.facts.last_number()
    opened_files: list[str] = []
    sends = [
        {"files": {"files": ("a.jpg", PICTURE * 2000, "image/jpeg")}},
        {"content": b"x" * 3_000_000},
        {"data": {"name": "n" * 5000, "pin": "p" * 5000}},
        {"content": iter([b"y" * 100_000] * 30)},
    ]
    for send in sends:
        answer = stranger(opened).post(path, **send)  # type: ignore[arg-type]
        assert answer.status_code in (204, 401, 403, 404, 413), (path, answer.status_code)
        opened_files += [file.name for file in spools.iterdir()]
    assert (all_files(folder), opened.office.event.facts.last_number(), opened_files) == (before, facts, [])


def test_too_much_is_refused_before_it_is_read(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coming_files, "LARGEST_STACK", 10_000)
    phone = Browser(opened, "phone")
    files = {"files": ("a.jpg", b"\xff" * 20_000, "image/jpeg")}
    answer = phone.client.post("/api/upload", files=files, headers={"X-Token": phone.token})
    assert answer.status_code == TOO_MUCH
    chunks = iter([b"z" * 4000] * 5)  # whose length nobody says before
    headers = {"X-Token": phone.token, "Content-Type": "multipart/form-data; boundary=b"}
    assert phone.client.post("/api/upload", content=chunks, headers=headers).status_code == TOO_MUCH
    assert not list(read_facts(opened.office.event.facts, "scan received"))


def test_what_comes_too_slowly_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "QUIET_S", 0.05)

    async def never() -> Any:
        await asyncio.sleep(60)

    async def ask() -> None:
        request = Request({"type": "http", "path": "/door", "headers": [], "method": "POST"}, never)
        await limit_request(request, 100, 30).body()

    with ThreadPoolExecutor(1) as other, pytest.raises(Stopped) as stopped:  # a browser may run in this thread
        other.submit(asyncio.run, ask()).result()
    assert stopped.value.code is ExitCode.TOO_SLOW


NO_NUMBERS = (b'{"a": NaN}', b'{"a": [-Infinity]}')  # JSON has none of these
ODD = (b"[1]", b"{", b"\xff", *NO_NUMBERS, b"[" * 100_000, b'{"number": ' + b"9" * 5000 + b"}", b"")
PATHS = ("/api/act", "/api/notes/enter", "/api/tables/vote", "/api/clock/set", "/api/forms/rule")


@pytest.mark.parametrize("path", PATHS)
def test_no_body_is_a_fault_of_the_program(tess: Browser, path: str) -> None:
    for body in ODD:
        answer = tess.client.post(path, content=body, headers={"X-Token": tess.token})
        assert answer.status_code < 500, body[:20]
        assert body not in NO_NUMBERS or "expected JSON" in answer.text


@pytest.fixture
def port(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server that hangs up soon."""
    monkeypatch.setattr(connections, "FIRST_S", 1.0)
    monkeypatch.setattr(connections, "GRACE_S", 0.1)
    with listen(0, is_lan=False) as listener:
        listener.most = 8
        number = int(listener.getsockname()[1])
        threading.Thread(target=serve, args=(opened.app, opened.logins, listener), daemon=True).start()
        yield number


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET /door HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "])
def test_a_connection_that_is_half_open_is_ended(port: int, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as half:
        half.sendall(sent)
        assert half.recv(100) in (b"", half.recv(0))


def test_who_opens_many_is_hung_up_on_and_others_are_answered(port: int) -> None:
    halves = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(30)]
    try:
        for _ in range(100):
            real_time.sleep(0.05)
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=20) as whole:
                whole.sendall(b"GET /door HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                if whole.recv(100).startswith(b"HTTP/1.1 200"):
                    break
        else:
            raise AssertionError("nobody was answered")
    finally:
        for half in halves:
            half.close()

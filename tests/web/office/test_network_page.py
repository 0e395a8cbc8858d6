"""The room's network is switched on and off on the page; no word is typed into a terminal."""

import http.client
import json
import re
import socket
import ssl
from pathlib import Path
from typing import Any

import pytest

from pipeline.web.network import network_addresses
from web.conftest import make_event
from web.driven import IN_CHROMIUM, desk, started

pytestmark = [*IN_CHROMIUM, pytest.mark.skipif(not network_addresses(), reason="this machine is in no network")]


def reaches(address: str, port: int) -> bool:
    """Whether anybody listens there."""
    try:
        socket.create_connection((address, port), timeout=5).close()
    except OSError:
        return False
    return True


def asked_over(address: str, port: int, path: str) -> str:
    """The head of what is answered over TLS, whoever vouches for it."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection((address, port), timeout=5) as plain, trusting.wrap_socket(plain) as listener:
        listener.sendall(f"GET {path} HTTP/1.1\r\nHost: {address}:{port}\r\nConnection: close\r\n\r\n".encode())
        return b"".join(iter(lambda: listener.recv(65536), b"")).decode()


def test_the_network_is_switched_on_and_off_on_the_page(tmp_path: Path, chromium: Any) -> None:
    make_event(tmp_path / "cup")
    address = network_addresses()[0]
    with (
        started(tmp_path, "desk", "cup", "--no-browser", "--port", "0", "--by", "Tess") as link,
        desk(chromium, link) as own,
    ):
        page = own.page
        base = re.match(r"http://127\.0\.0\.1:(\d+)", link)
        assert base is not None
        port = int(base[1])
        assert not reaches(address, port)
        page.goto(f"{base[0]}/room")
        page.get_by_role("button", name="switch it on").click()
        page.wait_for_selector(f"#addresses >> text=https://{address}:{port}/")
        page.wait_for_selector("#code:not([hidden])")
        page.wait_for_selector("#live:not([hidden])")
        assert f"https://{address}:{port}" in page.inner_text("#where")
        assert re.search(r"upload|hands in", page.inner_text("#helpers"))
        assert "200 OK" in asked_over(address, port, "/live")
        assert "303" in asked_over(address, port, "/desk").split("\r\n")[0], "by a PIN only"
        told = json.loads(asked_over(address, port, "/live/where").split("\r\n\r\n")[1])
        assert told["address"] == f"https://{address}:{port}/live"
        page.get_by_role("button", name="switch it off").click()
        page.wait_for_selector("#network >> text=only this machine")
        assert not reaches(address, port)
        page.goto(f"{base[0]}/desk")
        page.wait_for_selector("#steps li")


def answers(address: str, port: int) -> bool:
    """Whether somebody who comes over the network gets a page."""
    connection = http.client.HTTPConnection(address, port, timeout=5)
    try:
        connection.request("GET", "/live")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def test_a_desk_that_was_started_for_the_network_is_shut_and_opened_again(tmp_path: Path, chromium: Any) -> None:
    make_event(tmp_path / "cup")
    address = network_addresses()[0]
    with (
        started(tmp_path, "desk", "cup", "--lan", "--no-browser", "--port", "0", "--by", "Tess") as link,
        desk(chromium, link) as own,
    ):
        page = own.page
        base = link.split("/door")[0]
        port = int(base.rsplit(":", 1)[1])
        assert answers(address, port)
        page.goto(f"{base}/room")
        page.get_by_role("button", name="switch it off").click()
        page.wait_for_selector("#network >> text=only this machine")
        assert not answers(address, port)
        page.get_by_role("button", name="switch it on").click()
        page.wait_for_selector(f"#addresses >> text=http://{address}:{port}/")
        assert answers(address, port)

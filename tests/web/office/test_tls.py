"""``--lan --tls``: a certificate made on the spot, tried with a real TLS client and a real browser."""

import base64
import hashlib
import http.client
import json
import os
import re
import socket
import ssl
import stat
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
import zxingcpp
from click.testing import CliRunner
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from desk.cup import seated

from pipeline.cli import group
from pipeline.ledger.restoring import CERTIFICATE
from pipeline.problems import Stopped
from pipeline.web.certificate import LASTS, Certificate, certificate_for
from pipeline.web.network import PageAddresses, _is_of_a_network, network_addresses
from pipeline.web.server import NetworkSharing, Opened, listen
from web.conftest import make_event
from web.driven import CHROMIUM, FLAGS, IN_CHROMIUM, Server

NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)
HERE = ("127.0.0.1", "192.168.1.20")
PART = re.compile(r"-----BEGIN .*?-----END [A-Z ]+-----\n", re.DOTALL)


def made(folder: Path, *addresses: str, now: datetime = NOW) -> Certificate:
    """The certificate for some addresses."""
    return certificate_for(folder, "Test Cup", addresses or HERE, now)


def test_a_desk_that_was_started_with_lan_goes_back_to_its_own_addresses(opened: Opened) -> None:
    with listen(0, is_lan=False) as listener:
        began = PageAddresses(("192.168.1.5",))
        network, hung_up = NetworkSharing(opened.app, opened.logins, listener, began), list[str]()
        for host in HERE:
            call: Any = SimpleNamespace(host=host, hang_up=partial(hung_up.append, host))
            listener.calls[host] = call
        for _ in range(2):
            hung_up.clear()
            network.switch_off()
            assert hung_up == [HERE[1]], "the other machine"
            assert (listener.is_for_all, opened.logins.is_lan, opened.logins.pages_at) == (
                False,
                False,
                PageAddresses(),
            )
            network.switch_on(opened.office.event, "", is_tls=False)
            assert (listener.is_for_all, opened.logins.is_lan, opened.logins.pages_at) == (True, True, began)
        with pytest.raises(Stopped, match="without --tls"):
            network.switch_on(opened.office.event, "", is_tls=True)
        assert opened.logins.pages_at == began


def test_a_certificate_stays_the_same_from_one_start_to_the_next(tmp_path: Path) -> None:
    first = made(tmp_path)
    assert made(tmp_path, now=NOW + timedelta(days=2)) == first
    assert made(tmp_path, "127.0.0.1") == first, "an address less"
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(certificate_in(first.path))).hexdigest()
    assert first.fingerprint.replace(":", "").lower() == digest


def certificate_in(path: Path) -> str:
    """The certificate alone, without its key."""
    text = path.read_text("ascii")
    return text[text.index("-----BEGIN CERTIFICATE") :]


@pytest.mark.parametrize(
    ("addresses", "now"),
    [
        ((*HERE, "10.0.0.7"), NOW),
        (HERE, NOW + LASTS),
        (HERE, NOW + LASTS - timedelta(days=1)),
        (HERE, NOW - timedelta(days=30)),
    ],
    ids=["another address", "expired", "expires during the event", "the clock was set back"],
)
def test_a_certificate_is_made_anew_where_it_is_not_good_any_more(
    tmp_path: Path, addresses: tuple[str, ...], now: datetime
) -> None:
    first = made(tmp_path)
    again = made(tmp_path, *addresses, now=now)
    assert again.fingerprint != first.fingerprint
    found = x509.load_pem_x509_certificate(again.path.read_bytes())
    assert found.not_valid_before_utc <= now <= found.not_valid_after_utc


def test_a_certificate_without_its_own_key_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    first, other = made(tmp_path), made(tmp_path / "other")
    (key, own), (of_other, its_own) = (PART.findall(each.path.read_text()) for each in (first, other))
    for spoilt in ("nothing", "", key, own, key + its_own, of_other + own, own + its_own):
        first.path.write_text(spoilt)
        assert made(tmp_path).fingerprint not in (first.fingerprint, other.fingerprint), spoilt
    first.path.write_text(own + key)
    assert made(tmp_path) == first


@pytest.mark.skipif(os.name == "nt", reason="modes of files are POSIX")
def test_only_its_owner_may_read_the_key_and_one_that_others_could_read_is_made_anew(tmp_path: Path) -> None:
    first = made(tmp_path)
    assert stat.S_IMODE(first.path.stat().st_mode) == 0o600
    first.path.chmod(0o644)
    again = made(tmp_path)
    assert again.fingerprint != first.fingerprint
    assert stat.S_IMODE(again.path.stat().st_mode) == 0o600


def test_no_address_that_only_this_machine_knows_is_ever_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.web.network._of_name", lambda: ["127.0.1.1", "169.254.3.4", "192.168.1.20"])
    monkeypatch.setattr("pipeline.web.network._towards", lambda _: ["127.0.0.1", "10.0.0.7"])
    assert network_addresses() == ("10.0.0.7", "192.168.1.20", "169.254.3.4")
    assert network_addresses("192.168.1.20") == ("192.168.1.20", "10.0.0.7", "169.254.3.4")
    monkeypatch.setattr("pipeline.web.network._of_name", lambda: ["127.0.1.1"])
    monkeypatch.setattr("pipeline.web.network._towards", lambda _: [])
    assert network_addresses() == ()


def test_the_addresses_of_this_very_machine_are_those_of_a_network() -> None:
    assert all(_is_of_a_network(each) for each in network_addresses())


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.1.1", "0.0.0.0", "::1", "my-laptop", "192.168.1.300"])
def test_an_address_that_no_telephone_reaches_is_refused(address: str) -> None:
    with pytest.raises(Stopped):
        network_addresses(address)


def test_the_code_holds_the_address_and_the_fingerprint() -> None:
    plain, safe = PageAddresses(("10.0.0.7",)), PageAddresses(("10.0.0.7",), "AB:CD")
    assert (plain.url("10.0.0.7", 80), safe.url("10.0.0.7", 80)) == ("http://10.0.0.7:80/", "https://10.0.0.7:80/")
    code = safe.code(8040)
    assert code is not None
    rows = np.array([[0 if dark else 255 for dark in row] for row in code.matrix_iter(scale=6, border=4)], np.uint8)
    (read,) = zxingcpp.read_barcodes(cv2.merge([rows, rows, rows]))
    assert read.text == "https://10.0.0.7:8040/door#sha256=ABCD"
    assert PageAddresses().code(8040) is None


@pytest.mark.parametrize("option", [["--tls"], ["--address", "10.0.0.7"]])
def test_what_is_for_the_room_wants_lan(tmp_path: Path, option: list[str]) -> None:
    found = CliRunner().invoke(group, ["review", str(seated(tmp_path / "cup")), *option]).exception
    assert isinstance(found, Stopped)
    assert found.problems[0].where == option[0]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """The command, as a director starts it."""
    folder = tmp_path_factory.mktemp("tls") / "cup"
    make_event(folder)
    server = Server(folder, options=("--lan", "--tls", "--address", "192.0.2.7"))
    yield server, folder
    server.end()


@pytest.fixture
def connection(served: tuple[Server, Path]) -> Iterator[http.client.HTTPSConnection]:
    """A client that trusts this certificate and no other, and checks its address."""
    server, folder = served
    trusting = ssl.create_default_context(cadata=certificate_in(folder / CERTIFICATE))
    with closing(http.client.HTTPSConnection("127.0.0.1", server.port, context=trusting, timeout=60)) as client:
        yield client


def asked(
    connection: http.client.HTTPSConnection, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, http.client.HTTPMessage, bytes]:
    """Ask once."""
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


@pytest.mark.slow
def test_the_key_link_redirects_and_cookies_work_over_tls_and_the_cookie_is_secure(
    served: tuple[Server, Path], connection: http.client.HTTPSConnection
) -> None:
    server, _ = served
    assert server.page.startswith(f"https://127.0.0.1:{server.port}/door?key=")
    status, headers, _ = asked(connection, "GET", server.page.partition(str(server.port))[2])
    cookie = str(headers["set-cookie"])
    assert (status, headers["location"]) == (303, "/home")
    assert "secure" in cookie.lower()
    brought = cookie.partition(";")[0]
    status, headers, _ = asked(connection, "GET", "/home", Cookie=brought)
    assert (status, headers["location"]) == (303, "/")
    assert asked(connection, "GET", "/", Cookie=brought)[0] == 200
    told = json.loads(asked(connection, "GET", "/api/room", Cookie=brought)[2])
    assert told["addresses"][0] == f"https://192.0.2.7:{server.port}/"
    assert told["fingerprint"] in server.said
    assert told["code"].startswith("data:image/svg+xml")


@pytest.mark.slow
def test_a_pin_and_an_upload_work_over_tls(
    served: tuple[Server, Path], connection: http.client.HTTPSConnection
) -> None:
    server, folder = served
    form = f"name=upload&pin={server.pin('upload')}".encode()
    kind = "application/x-www-form-urlencoded"
    status, headers, _ = asked(connection, "POST", "/door", form, Content_Type=kind)
    assert status == 303
    brought = str(headers["set-cookie"]).partition(";")[0]
    page = asked(connection, "GET", "/upload", Cookie=brought)[2].decode()
    token = re.findall(r'name="token" content="([^"]+)"', page)[0]
    content = os.urandom(300_000)
    head = b'--X\r\nContent-Disposition: form-data; name="files"; filename="a.jpg"\r\n\r\n'
    status, _, said = asked(
        connection,
        "POST",
        "/api/upload",
        head + content + b"\r\n--X--\r\n",
        Cookie=brought,
        X_Token=token,
        Origin=f"https://127.0.0.1:{server.port}",
        Content_Type="multipart/form-data; boundary=X",
    )
    assert status == 200, said
    kept = json.loads(said)["kept"][0]["sha256"]
    assert kept == hashlib.sha256(content).hexdigest()
    assert next((folder / "scans").glob(f"{kept}*")).read_bytes() == content


@pytest.mark.slow
def test_plain_http_gets_no_byte_of_a_page_and_a_client_without_the_certificate_refuses(
    served: tuple[Server, Path], connection: http.client.HTTPSConnection
) -> None:
    server, _ = served
    with socket.create_connection(("127.0.0.1", server.port), 30) as plain:
        plain.sendall(b"GET /door HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        try:
            said = plain.recv(1000)
        except ConnectionError:
            said = b""
    assert b"HTTP" not in said
    unknown = ssl.create_default_context()
    stranger = http.client.HTTPSConnection("127.0.0.1", server.port, context=unknown, timeout=30)
    with pytest.raises(ssl.SSLCertVerificationError), closing(stranger):
        stranger.request("GET", "/door")
    assert asked(connection, "GET", "/door")[0] == 200


@pytest.mark.slow
def test_the_terminal_says_what_plain_http_is_and_shows_no_address_of_this_machine_alone(tmp_path: Path) -> None:
    make_event(tmp_path / "cup")
    server = Server(tmp_path / "cup", options=("--lan",))
    server.end()
    others = [line for line in server.said.splitlines() if "http" in line and "your page" not in line]
    assert not [line for line in others if "127." in line]
    assert "plain HTTP" in server.said
    assert not (tmp_path / "cup" / CERTIFICATE).exists()


@pytest.mark.slow
@IN_CHROMIUM[1]
def test_a_browser_that_trusts_the_certificate_reviews_over_tls(
    chromium: Any, served: tuple[Server, Path], tmp_path: Path
) -> None:
    server, folder = served
    key = x509.load_pem_x509_certificate((folder / CERTIFICATE).read_bytes()).public_key()
    info = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    pinned = base64.b64encode(hashlib.sha256(info).digest()).decode()
    context = chromium.browser_type.launch_persistent_context(
        str(tmp_path / "profile"),
        executable_path=CHROMIUM,
        args=[*FLAGS, f"--ignore-certificate-errors-spki-list={pinned}"],
    )
    page = context.new_page()
    page.goto(f"https://127.0.0.1:{server.port}/door")
    page.select_option("select", "Anna")
    page.fill("input[name=pin]", server.pin("Anna"))
    page.click("button")
    page.wait_for_selector("#title:not(:empty)")
    assert all(cookie["secure"] for cookie in context.cookies())
    page.goto(f"https://127.0.0.1:{server.port}/room")
    page.wait_for_selector("#code:not([hidden])")
    text = page.inner_text("main")
    if pictures := os.environ.get("ORDERSHEETS_PICTURES"):
        page.screenshot(path=f"{pictures}/room.png")
    context.close()
    assert f"https://192.0.2.7:{server.port}/" in text
    shown = re.sub(r"[^0-9A-F:]", "", text.partition("must be")[2].partition("Then")[0])
    assert len(shown.replace(":", "")) == 64
    assert shown.replace(":", "") in server.said.replace(":", "")

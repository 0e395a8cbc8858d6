"""The room's network is switched on and off while the pages are served, and how telephones are told the way."""

import http.client
import ssl
from contextlib import closing
from ipaddress import IPv4Address, IPv4Network
from types import SimpleNamespace
from typing import Any

import pytest
import segno

from pipeline.problems import Stopped
from pipeline.web import network
from pipeline.web.logins import COOKIE
from pipeline.web.network import PageAddresses, in_terminal
from pipeline.web.phones_page import _fixed_way
from pipeline.web.server import NetworkSharing, Opened, listen
from web.conftest import Browser

THERE = ("127.0.0.2", "127.0.0.3")  # of this machine, as those of a network are


@pytest.fixture
def sharing(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The pages of an office that one director may see, at this machine only."""
    monkeypatch.setattr("pipeline.web.server.network_addresses", lambda named=None: (named or THERE[0], "192.0.2.9"))
    with listen(0, is_lan=False) as listener:
        opened.logins.guests = opened.logins.guests[:1]
        opened.logins.is_lan = False
        yield (sharing := NetworkSharing(opened.app, opened.logins, listener, PageAddresses()))
        sharing.switch_off()


def asked_of(address: str, port: int, way: ssl.SSLContext | None) -> int:
    """What is answered there; 0: nobody listens."""
    one: Any = http.client.HTTPSConnection if way else http.client.HTTPConnection
    with closing(one(address, port, timeout=20, **({"context": way} if way else {}))) as line:
        try:
            line.request("GET", "/live")
        except ConnectionRefusedError:
            return 0
        return int(line.getresponse().status)


@pytest.mark.parametrize("is_tls", [False, True])
def test_the_network_is_open_while_it_is_switched_on_at_one_address_alone(
    opened: Opened, tess: Browser, sharing: NetworkSharing, is_tls: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An act of the page does both; it is encrypted unless that is declined."""
    logins, folder = opened.logins, opened.office.event.folder
    logins.network, logins.port = sharing, sharing.listener.getsockname()[1]
    tess.client.cookies.set(logins.cookie, tess.client.cookies[COOKIE])  # a cookie is of one port
    monkeypatch.setattr("pipeline.web.phones_page.network_addresses", lambda: ("192.0.2.9",))
    for address in ("", THERE[1]):  # the best, and one that is named
        at = address or THERE[0]
        tess.post("/api/room/network", on=True, address=address, **({} if is_tls else {"encrypted": False}))
        way = ssl.create_default_context(cafile=str(next(folder.glob("*.pem")))) if is_tls else None
        assert [asked_of(each, logins.port, way) for each in THERE] == [200 * (each == at) for each in THERE]
        assert (logins.is_lan, logins.pages_at.addresses, logins.pages_at.is_tls) == (True, (at,), is_tls)
        assert [guest.role for guest in logins.guests] == ["director", "upload", "screen"], "each once"
        room = tess.client.get("/api/room").json()
        assert (room["addresses"], room["networks"]) == ([logins.pages_at.url(at, logins.port)], [])
        assert (bool(room["code"]), bool(room["fingerprint"]), room["fixed"]) == (True, is_tls, "")
    serving = sharing.serving
    tess.post("/api/room/network", on=False)
    room = tess.client.get("/api/room").json()
    assert (room["addresses"], room["networks"], room["code"]) == ([], ["192.0.2.9"], "")
    assert serving is not None
    assert not serving.is_alive()
    assert [asked_of(each, logins.port, None) for each in THERE] == [0, 0]
    assert (logins.is_lan, logins.pages_at) == (False, PageAddresses())


def test_where_there_is_no_network_it_stays_off(
    opened: Opened, sharing: NetworkSharing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.web.server.network_addresses", lambda _: ())
    with pytest.raises(Stopped, match="this machine is in no network"):
        sharing.switch_on(opened.office.event, "", is_tls=False)
    assert (opened.logins.is_lan, sharing.serving) == (False, None)


@pytest.mark.parametrize("fingerprint", ["", "AB:CD"])
def test_a_desk_that_was_started_for_the_network_is_shut_and_opened_as_it_was(
    opened: Opened, sharing: NetworkSharing, fingerprint: str
) -> None:
    calls = [SimpleNamespace(host=host, ended=[]) for host in ("127.0.0.1", "10.0.0.7", "10.0.0.8")]
    for call in calls:
        call.hang_up = lambda call=call: call.ended.append(call.host)
    sharing.listener.calls |= {call.host: call for call in calls}  # stand-ins
    sharing.began = began = PageAddresses(("10.0.0.1",), fingerprint)
    assert _fixed_way(sharing) == ("encrypted" if fingerprint else "plain")
    sharing.switch_off()
    assert (sharing.listener.is_for_all, opened.logins.is_lan, opened.logins.pages_at.addresses) == (False, False, ())
    assert [bool(call.ended) for call in calls] == [False, True, True], "others are hung up on, and nobody here"
    with pytest.raises(Stopped, match=f"started {'with' if fingerprint else 'without'} --tls"):
        sharing.switch_on(opened.office.event, "", is_tls=not fingerprint)
    assert not opened.logins.is_lan
    sharing.switch_on(opened.office.event, "", is_tls=bool(fingerprint))
    assert (sharing.listener.is_for_all, opened.logins.is_lan, opened.logins.pages_at) == (True, True, began)
    assert sharing.serving is None, "one listener is for all"
    sharing.listener.calls.clear()


def test_a_terminal_draws_every_square_of_a_code_and_two_of_white_around_it() -> None:
    code = PageAddresses(("192.168.1.20",), "AB:CD").code(8040)
    assert code is not None
    assert code.matrix == segno.make("https://192.168.1.20:8040/door#sha256=ABCD", error="m").matrix
    halves = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    drawn = [line for line in in_terminal(code).replace("\x1b[0m", "").splitlines() if line]
    rows = [[halves[sign][half] for sign in line] for line in drawn for half in (0, 1)]
    wide = [[0] * (len(code.matrix) + 4)] * 2
    assert rows[: len(code.matrix) + 4] == [*wide, *([0, 0, *row, 0, 0] for row in code.matrix), *wide]


def test_an_address_to_which_there_is_no_way_is_passed_over() -> None:
    assert network._towards(("255.255.255.255", "127.0.0.1")) == ["127.0.0.1"]


def test_a_way_is_looked_for_into_each_kind_of_private_network_and_beyond() -> None:
    private = [IPv4Network(each) for each in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")]
    targets = [IPv4Address(each) for each in network.FAR]
    assert [sum(each in net for each in targets) for net in private] == [1, 1, 1]
    assert sum(all(each not in net for net in private) for each in targets) == 1

"""Where telephones reach this machine: its addresses in the room, and what is shown of them."""

import io
import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass

import segno

from pipeline.problems import stop

LOCAL = "127.0.0.1"
FAR = ("192.168.255.254", "10.255.255.254", "172.31.255.254", "192.0.2.1")  # towards them: nothing is sent


@dataclass(frozen=True, slots=True)
class Room:
    """How browsers come in: the addresses of the pages, the one for telephones first."""

    addresses: tuple[str, ...] = ()  # in the room; none: only this machine
    fingerprint: str = ""  # of the certificate; nothing: plain HTTP

    @property
    def is_tls(self) -> bool:
        """Whether the pages are asked for by TLS only: so is the cookie then."""
        return bool(self.fingerprint)

    def url(self, address: str, port: int) -> str:
        """The page at an address."""
        return f"{'https' if self.is_tls else 'http'}://{address}:{port}/"

    def code(self, port: int) -> segno.QRCode | None:
        """The code that a telephone reads: its address, and behind it the fingerprint for who compares."""
        if not self.addresses:
            return None
        behind = f"door#sha256={self.fingerprint.replace(':', '')}" if self.fingerprint else ""
        return segno.make(self.url(self.addresses[0], port) + behind, error="m")


def in_terminal(code: segno.QRCode) -> str:
    """A code in signs of a terminal."""
    drawn = io.StringIO()
    code.terminal(drawn, border=2, compact=True)
    return drawn.getvalue()


def room_addresses(named: str | None = None) -> tuple[str, ...]:
    """The addresses of this machine that others in the room may reach, the best first; the one that is named before.

    Never one that only this machine knows.
    """
    if named is not None:
        found = [named, *candidates()]
        if not is_of_a_network(named):
            raise stop("expected an address that others reach, such as 192.168.1.20", f"--address {named}")
        return tuple(dict.fromkeys(found))
    return tuple(candidates())


def candidates() -> list[str]:
    """What this machine's networks and its name say, without repeats; those that were given by nobody last."""
    found = dict.fromkeys(each for each in (*towards(FAR), *of_name()) if is_of_a_network(each))
    return sorted(found, key=lambda each: ipaddress.ip_address(each).is_link_local)


def towards(targets: Iterable[str]) -> list[str]:
    """The addresses from which this machine would send somewhere; it sends nothing."""
    found = []
    for target in targets:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
            try:
                way.connect((target, 9))
            except OSError:  # there is no way
                continue
            found.append(str(way.getsockname()[0]))
    return found


def of_name() -> list[str]:
    """The addresses behind this machine's own name; none where nobody knows it."""
    try:
        known = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_STREAM)
    except OSError:
        return []
    return sorted({str(each[4][0]) for each in known})


def is_of_a_network(address: str) -> bool:
    """Whether another machine can reach an address."""
    try:
        known = ipaddress.IPv4Address(address)
    except ValueError:
        return False
    return not (known.is_loopback or known.is_unspecified or known.is_multicast)

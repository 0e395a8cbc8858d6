"""Where telephones reach this machine: its addresses in the room, and what is shown of them."""

import io
import ipaddress
import socket
from collections.abc import Iterable

import segno
from msgspec import Struct

from pipeline.problems import stop

LOCAL = "127.0.0.1"
# addresses to find our own network address; nothing is sent
FAR = ("192.168.255.254", "10.255.255.254", "172.31.255.254", "192.0.2.1")


class PageAddresses(Struct, frozen=True):
    """How browsers come in: the addresses of the pages, the one for telephones first."""

    addresses: tuple[str, ...] = ()  # in the room; none: only this machine
    fingerprint: str = ""  # of the certificate; nothing: plain HTTP

    @property
    def is_tls(self) -> bool:
        """Whether others in the room open the pages over TLS."""
        return bool(self.fingerprint)

    def url(self, address: str, port: int) -> str:
        return f"{'https' if self.is_tls else 'http'}://{address}:{port}/"

    def code(self, port: int) -> segno.QRCode | None:
        """The QR code for phones: the address, followed by the certificate's fingerprint."""
        if not self.addresses:
            return None
        behind = f"door#sha256={self.fingerprint.replace(':', '')}" if self.fingerprint else ""
        return segno.make(self.url(self.addresses[0], port) + behind, error="m")


def in_terminal(code: segno.QRCode) -> str:
    """A QR code drawn with the characters of a terminal."""
    drawn = io.StringIO()
    code.terminal(drawn, border=2, compact=True)
    return drawn.getvalue()


def network_addresses(named: str | None = None) -> tuple[str, ...]:
    """The addresses at which others in the room may reach this machine: the ``named`` one, then the others, best first.

    Loopback addresses are never among them.
    """
    if named is not None:
        addresses = [named, *_candidates()]
        if not _is_of_a_network(named):
            raise stop("expected an address that others reach, such as 192.168.1.20", f"--address {named}")
        return tuple(dict.fromkeys(addresses))
    return tuple(_candidates())


def _candidates() -> list[str]:
    """The addresses of this machine by its networks and its name, each once; self-assigned ones last."""
    addresses = dict.fromkeys(each for each in (*_towards(FAR), *_of_name()) if _is_of_a_network(each))
    return sorted(addresses, key=lambda each: ipaddress.ip_address(each).is_link_local)


def _towards(targets: Iterable[str]) -> list[str]:
    """The addresses from which this machine would send somewhere; it sends nothing."""
    addresses = []
    for target in targets:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
            try:
                way.connect((target, 9))
            except OSError:  # there is no way
                continue
            addresses.append(str(way.getsockname()[0]))
    return addresses


def _of_name() -> list[str]:
    """The addresses that this machine's own name resolves to; none if it does not resolve."""
    try:
        known = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_STREAM)
    except OSError:
        return []
    return sorted({str(each[4][0]) for each in known})


def _is_of_a_network(address: str) -> bool:
    """Whether another machine can reach an address."""
    try:
        known = ipaddress.IPv4Address(address)
    except ValueError:
        return False
    return not (known.is_loopback or known.is_unspecified or known.is_multicast)

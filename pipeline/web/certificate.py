"""The self-signed TLS certificate for pages in the room's network, verified by its fingerprint.

No authority signed it, so a browser warns once; compare its fingerprint with the one on the director's screen. It is
kept in the event's folder, for its owner's eyes only, so that it stays the same from one start to the next, until the
addresses change or its days are over.
"""

import ipaddress
import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from msgspec import Struct

from pipeline.ledger.files import write_refused, write_whole
from pipeline.ledger.restoring import CERTIFICATE
from pipeline.small_files import read_small

BEFORE = timedelta(days=2)  # a certificate is valid from so long before now on: clocks of telephones may be slow
LASTS = timedelta(days=90)  # some telephones refuse more than 825 days
LEAST_LEFT = timedelta(days=3)  # as long as a tournament; with fewer days left it is made anew
OTHERS = stat.S_IRWXG | stat.S_IRWXO


class Certificate(Struct, frozen=True):
    """A certificate with its key, in one file."""

    path: Path
    fingerprint: str  # SHA-256 as browsers show it: AB:CD:…


def certificate_for(folder: Path, event: str, addresses: Sequence[str], now: datetime) -> Certificate:
    """The certificate of an event, made anew where it is not good for these addresses now."""
    path = folder / CERTIFICATE
    kept = _read_certificate(path)
    if kept is None or not _is_good(kept, addresses, now):
        try:
            write_whole(path, _make_pem(event, addresses, now), is_private=True)
        except OSError as error:
            raise write_refused(
                error, str(path), "the certificate cannot be kept", "see who may write there"
            ) from error
        kept = _read_certificate(path)
        assert kept is not None
    digest = kept.fingerprint(hashes.SHA256()).hex().upper()
    return Certificate(path, ":".join(digest[at : at + 2] for at in range(0, len(digest), 2)))


def _read_certificate(path: Path) -> x509.Certificate | None:
    """Read the stored certificate; None if it is missing, invalid, or readable by others."""
    with suppress(OSError, ValueError, TypeError):
        if os.name != "nt" and path.stat().st_mode & OTHERS:
            return None
        data = read_small(path)
        certificate, key = x509.load_pem_x509_certificate(data), serialization.load_pem_private_key(data, None)
        return certificate if certificate.public_key() == key.public_key() else None
    return None


def _is_good(kept: x509.Certificate, addresses: Sequence[str], now: datetime) -> bool:
    """Whether a certificate names all these addresses, and is valid now and for some more days."""
    names = kept.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    known = {str(address) for address in names.get_values_for_type(x509.IPAddress)}
    return known >= set(addresses) and kept.not_valid_before_utc <= now <= kept.not_valid_after_utc - LEAST_LEFT


def _make_pem(event: str, addresses: Sequence[str], now: datetime) -> bytes:
    """Make a key and its certificate, as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"ordersheets {event}"[:64])])
    ours = [x509.DNSName("localhost"), *(x509.IPAddress(ipaddress.ip_address(each)) for each in addresses)]
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now.astimezone(UTC) - BEFORE)
        .not_valid_after(now.astimezone(UTC) + LASTS)
        .add_extension(x509.SubjectAlternativeName(ours), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    return private + built.public_bytes(serialization.Encoding.PEM)

"""Scans are kept by their SHA-256, byte for byte, before anything else happens to them."""

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from pipeline.ledger.files.disk import LEFT_S, refused, remove_left
from pipeline.problems import stop

CHUNK = 1 << 20  # bytes read at a time, so that a 2 GB file needs no 2 GB of memory
PARTS = ".*.part"
SUFFIX = re.compile(r"\.[a-z0-9]{1,8}")


@dataclass(frozen=True, slots=True)
class KeptScan:
    """A file as it came, under its hash."""

    sha256: str
    path: Path
    is_new: bool  # False: the same bytes were kept before


def keep_scan(source: Path, folder: Path) -> KeptScan:
    """Copy a file into the folder under its hash; it is whole there or not there at all.

    A full disk leaves nothing half-written and is `Stopped` with what to do, as is a file that cannot be read; the
    source is never touched. Copies that a killed program left are removed first: of each the source is whole.
    """
    kept = None
    for last in (False, False, True):
        kept = kept or keep_whole(source, folder, is_last=last)
    assert kept is not None
    return kept


def keep_whole(source: Path, folder: Path, *, is_last: bool) -> KeptScan | None:
    """Try it once; None where another program took this one's part for a killed one's, its clock set forward."""
    partial = folder / f".{uuid4().hex}.part"  # not the source's name, which may be as long as a name can be
    digest = hashlib.sha256()
    try:
        coming = source.open("rb")
    except OSError as error:
        text = f"the file cannot be read: {error.strerror or error}; see who may read it, or save it anew"
        raise stop(text, str(source)) from error
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with coming, partial.open("wb") as going:
            remove_left(folder, partial.stat().st_mtime - LEFT_S, PARTS)
            while chunk := coming.read(CHUNK):
                digest.update(chunk)
                going.write(chunk)
            going.flush()
            os.fsync(going.fileno())
        path = folder / f"{digest.hexdigest()}{suffix_of(source)}"
        before = next(folder.glob(f"{digest.hexdigest()}*"), None)
        if before is None:
            partial.replace(path)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not is_last and folder.is_dir() and not partial.exists():
            return None
        mend = "see who may write there, and scan it again"
        raise refused(error, str(source), "the scan cannot be kept", mend) from error
    finally:
        partial.unlink(missing_ok=True)
    return KeptScan(digest.hexdigest(), before or path, before is None)


def suffix_of(source: Path) -> str:
    """How the name of a kept scan ends: as the file's own, where that is one; what is in it says what it is."""
    suffix = source.suffix.lower()
    return suffix if SUFFIX.fullmatch(suffix) else ""


def shown(name: str) -> str:
    r"""Write a file's name so that it can be kept and printed on one line, whatever bytes a stick has put into it.

    >>> print(shown("page\n1.jpg"), shown("M\udcfcller 1.jpg"), shown("Łódź.pdf"))
    page\n1.jpg M\xfcller 1.jpg Łódź.pdf
    """
    safe = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in safe)

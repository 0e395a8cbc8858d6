"""Scans are kept by their SHA-256, byte for byte, before anything else happens to them."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from pipeline.problems import stop

CHUNK = 1 << 20  # bytes read at a time, so that a 2 GB file needs no 2 GB of memory


@dataclass(frozen=True, slots=True)
class KeptScan:
    """A file as it came, under its hash."""

    sha256: str
    path: Path
    is_new: bool  # False: the same bytes were kept before


def keep_scan(source: Path, folder: Path) -> KeptScan:
    """Copy a file into the folder under its hash; it is whole there or not there at all.

    A full disk leaves nothing half-written and is `Stopped` with what to do; the source is never touched.
    """
    partial = folder / f".{os.getpid()}-{source.name}.part"
    digest = hashlib.sha256()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with source.open("rb") as coming, partial.open("wb") as going:
            while chunk := coming.read(CHUNK):
                digest.update(chunk)
                going.write(chunk)
            going.flush()
            os.fsync(going.fileno())
        path = folder / f"{digest.hexdigest()}{source.suffix.lower()}"
        is_new = not any(folder.glob(f"{digest.hexdigest()}.*")) and not path.exists()
        if is_new:
            partial.replace(path)
        else:
            path = next(folder.glob(f"{digest.hexdigest()}*"))
    except OSError as error:
        raise stop(
            f"could not keep the scan: {error.strerror or error}; free some disk and scan it again", str(source), 4
        ) from error
    finally:
        partial.unlink(missing_ok=True)
    return KeptScan(digest.hexdigest(), path, is_new)

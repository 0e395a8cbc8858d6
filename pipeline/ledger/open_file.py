"""Whether a path still names the file that this program has open.

Sync programs, ``mv`` and pulled sticks replace a file while it is open. SQLite does not notice: it goes on writing to a
file without a name, which is gone when it is closed.
"""

import errno
from pathlib import Path
from typing import NamedTuple

from pipeline.ledger.files import write_refused

LOG, SHARED = "-wal", "-shm"  # SQLite's files beside an open one: what was written last, and who reads and writes
GONE = (errno.ENOENT, errno.ENOTDIR, errno.ESTALE, errno.ENODEV, errno.ENXIO)


class Stamp(NamedTuple):
    """What the system tells of a file without opening it. To open and close it would drop SQLite's locks on it."""

    device: int
    inode: int
    size: int  # bytes
    changed_ns: int
    written_ns: int

    def is_of_same_file(self, other: "Stamp") -> bool:
        return (self.device, self.inode) == (other.device, other.inode)


def stamp_of(path: Path) -> Stamp | None:
    """The stamp of a file; None if it is not there. `Stopped` if the system cannot tell."""
    try:
        seen = path.stat()
    except OSError as error:
        if error.errno in GONE:
            return None
        raise write_refused(error, str(path), "it cannot be looked at", "see whether its disk is there") from error
    return Stamp(seen.st_dev, seen.st_ino, seen.st_size, seen.st_ctime_ns, seen.st_mtime_ns)


class OpenFile:
    """An SQLite file that a connection of this program has open, with the files beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.parts = {suffix: path.with_name(path.name + suffix) for suffix in ("", LOG, SHARED)}
        self.first = {suffix: stamp_of(part) for suffix, part in self.parts.items()}
        self.newest = self.first[""]  # the stamp that it had, at the latest, before its contents were compared

    def find_replacement(self, before: Stamp | None = None) -> str:
        """What became of the files, if a path does not name what it named when it was opened; else an empty text.

        ``before`` is the stamp of the file before it was opened, if it is to be compared with that.
        """
        for suffix, first in (self.first | ({"": before} if before else {})).items():
            if first is None:
                continue
            part = self.parts[suffix]
            now = stamp_of(part)
            if now is None and stamp_of(self.path.parent) is None:
                return "its folder is not here any more: it was moved or deleted, or its stick was pulled"
            if now is None:
                return f"{part.name} is not here any more: another program moved or deleted it"
            if not now.is_of_same_file(first):
                return f"another program replaced {part.name}"
            if not suffix and self.newest is not None and now.size < self.newest.size:
                return f"another program cut {part.name}"
        return ""

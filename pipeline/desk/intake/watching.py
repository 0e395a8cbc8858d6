"""A watched folder: a file is taken when it is complete, and again when it was rewritten.

Some scanners write a file over seconds, some open it again to add a page, some use the same name for the next sheet.
"""

import os
from collections.abc import Callable
from pathlib import Path

from pipeline.ledger.files import steady

SUFFIXES = frozenset(
    {".pdf", ".tif", ".tiff", ".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".heic", ".heif"}
    | {".webp", ".bmp", ".gif", ".avif", ".jp2", ".j2k", ".jpx"}
)
EVERY_S = 1.0  # how often a watched folder is looked at
SETTLED_S = 2.0  # a file must not have changed for so long
GIVEN_UP_S = 30.0  # seconds after its last change, an incomplete file is taken as it is, so that it is reported
END_BYTES = 2048  # some programs write a little after the end
ENDS = {".pdf": b"%%EOF", ".png": b"IEND", ".jpg": b"\xff\xd9", ".jpeg": b"\xff\xd9"}  # a TIFF's end says nothing

FileStamp = tuple[int, int]  # when it was last changed, in ns, and how long it is


class WatchedFolder:
    """The files of a watched folder, and those that were taken already."""

    def __init__(self, folder: Path, clock: Callable[[], float] = steady, *, only_new: bool = False) -> None:
        self.folder = folder
        self.clock = clock
        self.taken: dict[Path, FileStamp] = self.present() if only_new else {}
        self.seen: dict[Path, tuple[FileStamp, float]] = {}  # each file's newest stamp, and since when it has it
        self.fault = ""  # why the folder cannot be read just now: a share that dropped out, a stick pulled out

    def present(self) -> dict[Path, FileStamp]:
        """Every file of a known kind that is in the folder, as it now is."""
        return {path: stamp for path in sorted(self.folder.iterdir()) if (stamp := _stamp_of(path)) is not None}

    def folders(self) -> int:
        """How many folders are in the folder: nothing in them is taken."""
        try:
            return sum(path.is_dir() and not path.name.startswith(".") for path in self.folder.iterdir())
        except OSError:
            return 0

    def take_complete_files(self) -> list[Path]:
        """List the whole files (`_is_whole`) that are new or have changed since they were taken; mark them as taken."""
        paths: list[Path] = []
        try:
            inside = sorted(self.folder.iterdir())
        except OSError as error:
            self.fault = error.strerror or str(error)
            return paths
        self.fault = ""
        for path in inside:
            stamp = _stamp_of(path)
            if stamp is not None and self.taken.get(path) != stamp and _is_whole(path, stamp, self.age_s(path, stamp)):
                self.taken[path] = stamp
                paths.append(path)
        return paths

    def age_s(self, path: Path, stamp: FileStamp) -> float:
        """How long a file is unchanged, by our own clock, since the scanner's may be wrong."""
        now = self.clock()
        if self.seen.get(path, (None, now))[0] != stamp:
            self.seen[path] = stamp, now
        return now - self.seen[path][1]


def _stamp_of(path: Path) -> FileStamp | None:
    """When a file was last changed, and its length; None where it is not of a known kind, or gone again.

    A name that begins with a dot is no scan: macOS lays ``._x.pdf`` beside every ``x.pdf`` on a stick.
    """
    if path.suffix.lower() not in SUFFIXES or path.name.startswith("."):
        return None
    try:
        seen = path.stat()
    except OSError:
        return None
    return (seen.st_mtime_ns, seen.st_size) if path.is_file() else None


def _is_whole(path: Path, stamp: FileStamp, age_s: float) -> bool:
    """Whether a file has not changed for a while and ends as its format does, or for so long that no more will come."""
    return age_s >= SETTLED_S and (age_s >= GIVEN_UP_S or (stamp[1] > 0 and _has_end(path)))


def _has_end(path: Path) -> bool:
    end = ENDS.get(path.suffix.lower(), b"")
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - END_BYTES))
            return end in file.read()
    except OSError:  # a scanner on Windows keeps it locked while it writes
        return False


# How many processes may read at once.

MOST_HELPERS = 3  # each holds the net and a page or two: 200 MB


def cores() -> int:
    """How many processes can run at once here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

"""Files that are whole or not there, and what is said where the disk refuses: full, or not to be written."""

import errno
import os
import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from pipeline.problems import ExitCode, Stopped, stop
from pipeline.rules.toml.plain_text import fault_in_file_name

FULL = frozenset(getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name))
CLOSED = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
PRIMARY = 0xFF  # the low byte of SQLite's codes is the kind of error, the rest tells it more exactly
UNSURE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR)  # what a full disk and a closed folder may be told as
ROOM = 64 << 10  # bytes: SQLite tells a full disk as another error where its index finds no room (32 kB)
LEFT_S = 600.0  # so long nothing was written to a part: its program is gone; a slow stick gives some bytes in less
AGAIN = "do it again; nothing is lost"
MEND = "see who may write there, or name another place"
PARTS = ".ordersheets-*.part"


def refused(error: OSError | sqlite3.Error, where: str, what: str, mend: str, again: str = AGAIN) -> Stopped:
    """Say that something could not be written: a full disk and a closed one are called so, all else as it is told.

    ``what`` could not be done; ``again`` is what to do where there is room again, ``mend`` where it is neither.
    """
    if is_full(error, where):
        return stop(f"{what}: the disk is full; free some, then {again}", where, ExitCode.MACHINE_LACKS)
    if is_closed(error, where):
        text = "nothing can be written in this folder; copy the event to a disk of your own and use it there"
        return stop(f"{what}: {text}", where, ExitCode.MACHINE_LACKS)
    told = error.strerror if isinstance(error, OSError) and error.strerror else error
    return stop(f"{what}: {told}; {mend}", where, ExitCode.MACHINE_LACKS)


def is_full(error: OSError | sqlite3.Error, where: str) -> bool:
    """Whether an error comes of a full disk."""
    if isinstance(error, OSError):
        return error.errno in FULL
    kind = code_of(error)
    if kind in UNSURE:
        with suppress(OSError):
            return shutil.disk_usage(Path(where).parent).free < ROOM
    return kind == sqlite3.SQLITE_FULL


def is_closed(error: OSError | sqlite3.Error, where: str) -> bool:
    """Whether an error comes of a disk or a folder in which nothing may be written."""
    if isinstance(error, OSError):
        return error.errno in CLOSED
    kind = code_of(error)
    if kind in UNSURE:
        folder = Path(where).parent
        return folder.is_dir() and not os.access(folder, os.W_OK)
    return kind in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM)


def code_of(error: sqlite3.Error) -> int:
    """SQLite's kind of an error; 0 where it is none of SQLite's own."""
    return int(getattr(error, "sqlite_errorcode", 0)) & PRIMARY


def place_inside(folder: Path, name: str) -> Path:
    """The place of a file that is named in a manifest: inside the folder, also where links are in it, or stop."""
    path = folder / name
    fault = fault_in_file_name(name)
    if not fault and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        fault = "leads out of its folder, by a link"
    if fault:
        raise stop(f"{name[:80]!r} {fault}; nothing is written there", str(folder))
    return path


def keep_file(path: Path, data: bytes, mend: str = MEND, again: str = AGAIN) -> None:
    """Write a file beside and rename it: whoever looks finds the one before or this one, never half of it.

    What is no ordinary file, such as a terminal, is written as it is.
    """
    try:
        write_whole(path, data)
    except OSError as error:
        raise refused(error, str(path), "it cannot be written", mend, again) from error


def make_again(path: Path, data: bytes, again: str = AGAIN) -> None:
    """Write a file that can be made again at any time, in a folder that may be gone with all that was in it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused(error, str(path), "its folder cannot be made", MEND, again) from error
    keep_file(path, data, MEND, again)


def write_whole(path: Path, data: bytes, *, is_private: bool = False) -> None:
    """The same, with the system's own errors; nothing of it is left where it fails.

    What is private only its owner may read, from the first byte on.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    target = Path(os.path.realpath(path))  # what a link leads to is replaced, the link stays
    is_there = False
    for last in (False, False, True):
        is_there = is_there or put_whole(target, data, is_private=is_private, is_last=last)


def put_whole(target: Path, data: bytes, *, is_private: bool, is_last: bool) -> bool:
    """Try it once; False where another program took this one's part for a killed one's, its clock set forward."""
    part = target.with_name(f".ordersheets-{uuid4().hex}.part")
    try:
        with open(part, "xb", opener=opened_private if is_private else None) as going:
            going.write(data)
            going.flush()
            os.fsync(going.fileno())
        if target.exists() and not is_private:
            shutil.copymode(target, part)
        remove_left(target.parent, part.stat().st_mtime - LEFT_S, PARTS)
        part.replace(target)
    except FileNotFoundError:
        if is_last or part.exists() or not target.parent.is_dir():
            raise
        return False
    else:
        return True
    finally:
        part.unlink(missing_ok=True)


def opened_private(name: str, flags: int) -> int:
    """Make a file that only its owner may read."""
    return os.open(name, flags, 0o600)


def remove_left(folder: Path, before: float, pattern: str) -> None:
    """Remove the half files to which nothing was written since ``before``, in seconds of the folder's own clock."""
    for left in folder.glob(pattern):
        with suppress(OSError):  # it may be gone already, or held open; it is in nobody's way
            if left.stat().st_mtime < before:
                left.unlink()

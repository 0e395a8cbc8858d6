"""Files that are whole or not there, and what is said where the disk refuses: full, or not to be written."""

import errno
import hashlib
import json
import os
import re
import shutil
import sqlite3
import sys
import time
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from msgspec import Struct

from pipeline.problems import ExitCode, Stopped, stop
from pipeline.rules.table import fault_in_file_name, read_small

FULL = frozenset(getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name))
CLOSED = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
PRIMARY = 0xFF  # the low byte of SQLite's codes is the kind of error, the rest tells it more exactly
UNSURE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR)  # what a full disk and a closed folder may be told as
ROOM = 64 << 10  # bytes: SQLite tells a full disk as another error where its index finds no room (32 kB)
LEFT_S = 600.0  # so long nothing was written to a part: its program is gone; a slow stick gives some bytes in less
AGAIN = "do it again; nothing is lost"
MEND = "see who may write there, or name another place"
PARTS = ".ordersheets-*.part"
WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # for somebody at a pipe's other end


def write_refused(error: OSError | sqlite3.Error, where: str, what: str, mend: str, again: str = AGAIN) -> Stopped:
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


def name_anywhere(name: str) -> str:
    """What is one name for two files on some systems: where big letters are small ones, or accents stand apart.

    >>> name_anywhere("rules/Größe.toml") == name_anywhere("rules/gro\u0308sse.toml")
    True
    """
    return unicodedata.normalize("NFC", name).casefold()


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
        raise write_refused(error, str(path), "it cannot be written", mend, again) from error


def make_again(path: Path, data: bytes, again: str = AGAIN) -> None:
    """Write a file that can be made again at any time, in a folder that may be gone with all that was in it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_refused(error, str(path), "its folder cannot be made", MEND, again) from error
    keep_file(path, data, MEND, again)


def write_whole(path: Path, data: bytes, *, is_private: bool = False) -> None:
    """The same, with the system's own errors; nothing of it is left where it fails.

    What is private only its owner may read, from the first byte on.
    """
    if path.exists() and not path.is_file():
        number = os.open(path, os.O_WRONLY | WITHOUT_WAITING)  # a pipe that nobody reads is an error at once
        with os.fdopen(number, "wb") as there:
            if os.name == "posix":
                os.set_blocking(number, True)
            there.write(data)
        return
    target = Path(os.path.realpath(path))  # what a link leads to is replaced, the link stays
    is_there = False
    for last in (False, False, True):
        is_there = is_there or _put_whole(target, data, is_private=is_private, is_last=last)


def _put_whole(target: Path, data: bytes, *, is_private: bool, is_last: bool) -> bool:
    """Try it once; False where another program took this one's part for a killed one's, its clock set forward."""
    part = target.with_name(f".ordersheets-{uuid4().hex}.part")
    try:
        with open(part, "xb", opener=_opened_private if is_private else None) as going:
            going.write(data)
            going.flush()
            os.fsync(going.fileno())
        if target.exists() and not is_private:
            shutil.copymode(target, part)
        _remove_left(target.parent, part.stat().st_mtime - LEFT_S, PARTS)
        part.replace(target)
    except FileNotFoundError:
        if is_last or part.exists() or not target.parent.is_dir():
            raise
        return False
    else:
        return True
    finally:
        part.unlink(missing_ok=True)


def _opened_private(name: str, flags: int) -> int:
    """Make a file that only its owner may read."""
    return os.open(name, flags, 0o600)


def _remove_left(folder: Path, before: float, pattern: str) -> None:
    """Remove the half files to which nothing was written since ``before``, in seconds of the folder's own clock."""
    for left in folder.glob(pattern):
        with suppress(OSError):  # it may be gone already, or held open; it is in nobody's way
            if left.stat().st_mtime < before:
                left.unlink()


# --------------------
# Scans are kept by their SHA-256, byte for byte, before anything else happens to them.

CHUNK = 1 << 20  # bytes read at a time, so that a 2 GB file needs no 2 GB of memory
PART_SUFFIX = ".*.part"
SUFFIX = re.compile(r"\.[a-z0-9]{1,8}")


class KeptScan(Struct, frozen=True):
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
        kept = kept or _keep_whole(source, folder, is_last=last)
    assert kept is not None
    return kept


def _keep_whole(source: Path, folder: Path, *, is_last: bool) -> KeptScan | None:
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
            _remove_left(folder, partial.stat().st_mtime - LEFT_S, PART_SUFFIX)
            while chunk := coming.read(CHUNK):
                digest.update(chunk)
                going.write(chunk)
            going.flush()
            os.fsync(going.fileno())
        path = folder / f"{digest.hexdigest()}{_suffix_of(source)}"
        before = next(folder.glob(f"{digest.hexdigest()}*"), None)
        if before is None:
            partial.replace(path)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not is_last and folder.is_dir() and not partial.exists():
            return None
        mend = "see who may write there, and scan it again"
        raise write_refused(error, str(source), "the scan cannot be kept", mend) from error
    finally:
        partial.unlink(missing_ok=True)
    return KeptScan(digest.hexdigest(), before or path, before is None)


def _suffix_of(source: Path) -> str:
    """How the name of a kept scan ends: as the file's own, where that is one; what is in it says what it is."""
    suffix = source.suffix.lower()
    return suffix if SUFFIX.fullmatch(suffix) else ""


def printable_name(name: str) -> str:
    r"""Write a file's name so that it can be kept and printed on one line, whatever bytes a stick has put into it.

    >>> print(printable_name("page\n1.jpg"), printable_name("M\udcfcller 1.jpg"), printable_name("Łódź.pdf"))
    page\n1.jpg M\xfcller 1.jpg Łódź.pdf
    """
    safe = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in safe)


# --------------------
# What is kept for whoever uses this machine, beside all events: the director's name, and the events opened last.
#
# None of it is a fact; where it cannot be written, it is asked again. The folder is the one that the system has for it.

FILE = "ordersheets/this-machine.json"
MOST = 12  # events that are remembered


def place() -> Path:
    """Where it is kept: %APPDATA% on Windows, else $XDG_CONFIG_HOME or ~/.config."""
    named = os.environ.get("APPDATA" if sys.platform == "win32" else "XDG_CONFIG_HOME", "")
    return (Path(named) if named else Path.home() / ".config") / FILE


def _read_machine_settings() -> dict[str, Any]:
    """Everything that is kept; nothing where the file is gone or spoilt."""
    with suppress(OSError, ValueError, RuntimeError):  # the last: nobody's home is known
        found = json.loads(read_small(place()))
        return found if isinstance(found, dict) else {}
    return {}


def keep(**values: Any) -> None:
    """Keep some of it anew."""
    with suppress(OSError, RuntimeError):
        path = place()
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(_read_machine_settings() | values, ensure_ascii=False, indent=1).encode())


def kept_name() -> str:
    """The director's name; nothing where nobody has said it."""
    name = _read_machine_settings().get("name", "")
    return name if isinstance(name, str) else ""


def keep_name(name: str) -> None:
    """Keep the director's name."""
    keep(name=name)


def recent_events() -> tuple[Path, ...]:
    """The events that were made or opened last, the newest first, as far as they are still there."""
    found = _read_machine_settings().get("events", [])
    paths = [Path(each) for each in found if isinstance(each, str)] if isinstance(found, list) else []
    return tuple(path for path in paths if (path / "event.toml").is_file())


def keep_event(folder: Path) -> None:
    """Remember an event as the newest."""
    paths: Sequence[Path] = [folder.resolve(), *recent_events()]
    keep(events=[str(path) for path in dict.fromkeys(paths)][:MOST])


# --------------------
# What was worked out before and can be worked out again: kept in a file that anybody may delete at any time.
#
# It is believed only where everything that it rests on is as it was; a file that is damaged is as good as none.


def cached_answer(path: Path, rests_on: str, work_out: Callable[[], str]) -> str:
    """What was kept in a file, where it rests on the same; else it is worked out, and kept where that is possible."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        kept = json.loads(read_small(path))
        found = str(kept["found"])
        if kept["sum"] == _sum_of(rests_on, found):
            return found
    found = work_out()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps({"found": found, "sum": _sum_of(rests_on, found)}).encode())
    return found


def _sum_of(rests_on: str, found: str) -> str:
    """What ties a finding to all that it rests on."""
    return hashlib.sha256(json.dumps([rests_on, found]).encode("utf-8", "surrogatepass")).hexdigest()


def as_they_are(files: Iterable[Path]) -> str:
    """Files as they are now: their names, sizes and times; of one that is not there, that it is not."""
    told = []
    for file in files:
        try:
            now = file.stat()
            told.append([str(file), now.st_size, now.st_mtime_ns])
        except OSError:
            told.append([str(file)])
    return json.dumps(told)


# --------------------
# The one place that asks what time it is, so that everything else can be told.
#
# The wall clock says when something was written down, for people. It may be set back or forward at any time, so nothing
# is decided by it: what lasts is counted by `steady`, which only goes forward.


def now() -> str:
    """The time now, ISO 8601 to the second, in UTC.

    >>> now()[10], now()[-6:]
    ('T', '+00:00')
    """
    return datetime.now(UTC).isoformat(timespec="seconds")


def local_time(at: str) -> str:
    """A moment as this machine's clock on the wall has it, the one way in which people are told of one.

    >>> len(local_time("2026-05-01T18:30:32+00:00"))
    16
    """
    return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")


def steady() -> float:
    """Seconds since some moment, counted on while the machine sleeps, whatever is done to the clock on the wall.

    >>> steady() <= steady()
    True
    """
    if hasattr(time, "CLOCK_BOOTTIME"):  # Linux: its monotonic clock stands still while the machine sleeps
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":  # likewise; this one goes on
        return time.clock_gettime(time.CLOCK_MONOTONIC)
    return time.monotonic()


def is_moment(text: str) -> bool:
    """Whether a text is a time as `now` gives it, on some day and in some zone.

    >>> is_moment("2026-01-02T09:00:00+00:00"), is_moment("2026-01-02T09:00:00"), is_moment("yesterday")
    (True, False, False)
    """
    try:
        return datetime.fromisoformat(text).utcoffset() is not None
    except ValueError:
        return False


def seconds_between(earlier: str, later: str) -> float | None:
    """How long one moment was before another, by the clock on the wall; None where it was set back between them.

    >>> seconds_between("2026-01-02T09:00:00+00:00", "2026-01-02T09:05:00+00:00")
    300.0
    >>> seconds_between("2026-01-02T09:00:00+00:00", "2026-01-02T08:59:59+00:00")
    """
    gone = (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
    return gone if gone >= 0 else None

"""Atomic file writes, scans stored by their SHA-256, and the messages for a full or read-only disk."""

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
from pipeline.small_files import fault_in_file_name, read_small

FULL = frozenset(getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name))
CLOSED = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
IN_USE = (5, 32, 33)  # numbers of Windows: another program has the file open, or nobody may write it
PRIMARY = 0xFF  # the low byte of SQLite's codes is the kind of error, the rest tells it more exactly
# codes that SQLite may also give for a full disk or a read-only folder
UNSURE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR)
ROOM = 64 << 10  # bytes: with less, SQLite may report a full disk as another error (its index needs 32 kB)
LEFT_S = 600.0  # after this time without a write, the program that wrote a temporary file is gone
AGAIN = "do it again; nothing is lost"
MEND = "see who may write there, or name another place"
PARTS = ".ordersheets-*.part"
TRIED = 4 << 20  # bytes: as much as the sheets of a large round take
CHUNK = 1 << 20  # bytes read at a time, so that a 2 GB file needs no 2 GB of memory
# do not wait until somebody opens the other end of a pipe
WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def write_refused(error: OSError | sqlite3.Error, where: str, what: str, mend: str, again: str = AGAIN) -> Stopped:
    """The error for a failed write: a full or read-only disk is named, any other error quoted.

    ``again`` is what to do when there is room again, ``mend`` for other errors.
    """
    if is_full(error, where):
        return stop(f"{what}: the disk is full; free some, then {again}", where, ExitCode.MACHINE_LACKS)
    if is_closed(error, where):
        text = "nothing can be written in this folder; copy the event to a disk of your own and use it there"
        return stop(f"{what}: {text}", where, ExitCode.MACHINE_LACKS)
    reason = error.strerror if isinstance(error, OSError) and error.strerror else error
    return stop(f"{what}: {reason}; {mend}", where, ExitCode.MACHINE_LACKS)


def explain_system_error(error: OSError) -> Stopped:
    """The error for what the system refuses where nothing else explains it."""
    where = str(error.filename or "writing")
    if isinstance(error, PermissionError):
        return stop(f"{error.strerror}; see who may read and write it", where, ExitCode.MACHINE_LACKS)
    if is_full(error, where) or is_closed(error, where):
        return write_refused(error, where, "it cannot be written", MEND)
    return stop(f"{error.strerror or error}; see what is at this place", where, ExitCode.MACHINE_LACKS)


def is_full(error: OSError | sqlite3.Error, where: str) -> bool:
    """Whether an error is due to a full disk."""
    if isinstance(error, OSError):
        return error.errno in FULL
    kind = code_of(error)
    if kind in UNSURE:
        with suppress(OSError):
            return shutil.disk_usage(Path(where).parent).free < ROOM
    return kind == sqlite3.SQLITE_FULL


def is_closed(error: OSError | sqlite3.Error, where: str) -> bool:
    """Whether an error is due to a read-only disk or folder."""
    if isinstance(error, OSError):
        return error.errno in CLOSED and getattr(error, "winerror", 0) not in IN_USE
    kind = code_of(error)
    if kind in UNSURE:
        folder = Path(where).parent
        return folder.is_dir() and not os.access(folder, os.W_OK)
    return kind in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM)


def code_of(error: sqlite3.Error) -> int:
    """SQLite's kind of an error; 0 where it is none of SQLite's own, such as a text that cannot be decoded.

    >>> code_of(sqlite3.OperationalError("Could not decode to UTF-8"))
    0
    """
    return int(getattr(error, "sqlite_errorcode", 0)) & PRIMARY


def name_anywhere(name: str) -> str:
    """A key that is equal for names that some systems take for one: they differ in case, or in how accents are encoded.

    >>> name_anywhere("rules/Größe.toml") == name_anywhere("rules/gro\u0308sse.toml")
    True
    """
    return unicodedata.normalize("NFC", name).casefold()


def place_inside(folder: Path, name: str) -> Path:
    """The path of a file named in a manifest; stop if it leads out of the folder, through links too."""
    path = folder / name
    fault = fault_in_file_name(name)
    if not fault and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        fault = "leads out of its folder, by a link"
    if fault:
        raise stop(f"{name[:80]!r} {fault}; nothing is written there", str(folder))
    return path


def make_folder(folder: Path) -> None:
    """Make a folder, with those above it; one that is there stays."""
    folder.mkdir(parents=True, exist_ok=True)


def copy_file(source: Path, target: Path) -> None:
    """Copy one file, and sync it to the disk."""
    with source.open("rb") as coming, target.open("wb") as going:
        shutil.copyfileobj(coming, going, CHUNK)
        going.flush()
        os.fsync(going.fileno())


def write_synced(target: Path, data: bytes) -> None:
    """Write one file, and sync it to the disk."""
    with target.open("wb") as going:
        going.write(data)
        going.flush()
        os.fsync(going.fileno())


def link_or_copy(source: Path, target: Path) -> None:
    """Hard-link a file that can be made again or is kept elsewhere, or copy it if the disk has no hard links."""
    try:
        os.link(source, target)
    except (OSError, NotImplementedError):
        copy_file(source, target)


def bring(source: Path, target: Path, copy: Callable[[Path, Path], None] = link_or_copy) -> None:
    """Copy one file under a temporary name, and rename it. A scan is copied in full: a link is damaged with it."""
    part = target.with_name(f".ordersheets-{uuid4().hex}.part")
    try:
        copy(source, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def files_in(folder: Path) -> "dict[str, os.DirEntry[str]]":
    """The files of a folder by their names; not what is half-written."""
    with os.scandir(folder) as entries:
        return {each.name: each for each in entries if not each.name.startswith(".") and each.is_file()}


def are_alike(source: Path, target: Path) -> bool:
    """Whether two files hold the same; one file with two names is not read."""
    try:
        return source.samefile(target) or hash_file(source) == hash_file(target)
    except OSError:  # a bad spot on a stick
        return False


def hash_file(path: Path) -> str:
    """The hash of a file; empty if it is missing."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_hashes: dict[Path, tuple[tuple[int, ...], str]] = {}  # of files that were read, with what tells that one has changed


def hash_once(path: Path) -> str:
    """The hash of a file; empty if it is missing. It is read again only if it has changed."""
    if not path.is_file():
        return ""
    state = path.stat()
    stamp = (state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)
    known = _hashes.get(path)
    if known is None or known[0] != stamp:
        known = _hashes[path] = (stamp, hash_file(path))
    return known[1]


def keep_file(path: Path, data: bytes, mend: str = MEND, again: str = AGAIN) -> None:
    """Write a file atomically: under a temporary name, then renamed.

    Anything but an ordinary file, such as a terminal, is written directly.
    """
    try:
        write_whole(path, data)
    except OSError as error:
        raise write_refused(error, str(path), "it cannot be written", mend, again) from error


def check_place(path: Path, mend: str = MEND, again: str = AGAIN) -> None:
    """Stop where `keep_file` could not write a file; to be asked before anything is noted about what will be in it."""
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if path.exists() and not path.is_file():
            if path.is_char_device():  # a pipe is opened once, and not by us
                _try_device(path)
            return
        target = Path(os.path.realpath(path))
        with suppress(FileNotFoundError):
            target.lstat()  # a name that is too long has no file either
        if sys.platform == "win32" and target.exists():
            target.open("r+b").close()  # there a file that a program has open, or that nobody may change, stays
        part = _part_of(target)
        try:
            with part.open("xb") as tried:  # an empty file has room on a full disk
                tried.write(bytes(TRIED))
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise write_refused(error, str(path), "it cannot be written", mend, again) from error


def _try_device(path: Path) -> None:
    """Raise the system's error for a device that takes nothing, such as /dev/full; a terminal shows nothing of it."""
    number = os.open(path, os.O_WRONLY | WITHOUT_WAITING | getattr(os, "O_NOCTTY", 0))
    try:
        os.write(number, b"")
    finally:
        os.close(number)


def make_again(path: Path, data: bytes, again: str = AGAIN) -> None:
    """Write a file that can be made again at any time, creating its folder if needed; a link there is not followed."""
    try:
        make_folder(path.parent)
        remove_link(path)
    except OSError as error:
        raise write_refused(error, str(path), "its folder cannot be made", MEND, again) from error
    keep_file(path, data, MEND, again)


def write_whole(path: Path, data: bytes, *, is_private: bool = False) -> None:
    """Write a file atomically, raising the system's own errors.

    Nothing is left if it fails. A private file is readable by its owner only, from the first byte on.
    """
    if path.exists() and not path.is_file():
        number = os.open(path, os.O_WRONLY | WITHOUT_WAITING)  # a pipe that nobody reads is an error at once
        with os.fdopen(number, "wb") as there:
            if sys.platform != "win32":
                os.set_blocking(number, True)
            there.write(data)
        return
    target = Path(os.path.realpath(path))  # a link stays, its target is replaced
    is_there = False
    for last in (False, False, True):
        is_there = is_there or _put_whole(target, data, is_private=is_private, is_last=last)


def remove_link(path: Path) -> None:
    """Remove a symbolic link that stands where only we write, so that its target is not overwritten."""
    if path.is_symlink():
        path.unlink()


def _put_whole(target: Path, data: bytes, *, is_private: bool, is_last: bool) -> bool:
    """Write the file once.

    False if another program deleted our temporary file as a leftover, because its clock was set forward.
    """
    part = _part_of(target)
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


def _part_of(target: Path) -> Path:
    """A new name beside a file, under which it is written first."""
    return target.with_name(f".ordersheets-{uuid4().hex}.part")


def _opened_private(name: str, flags: int) -> int:
    """Make a file that only its owner may read."""
    return os.open(name, flags, 0o600)


def _remove_left(folder: Path, before: float, pattern: str) -> None:
    """Delete temporary files not written to since ``before``, in seconds of the folder's own clock."""
    for left in folder.glob(pattern):
        with suppress(OSError):  # it may be deleted already, or still open: harmless
            if left.stat().st_mtime < before:
                left.unlink()


# Scans are kept by their SHA-256, byte for byte, before anything else happens to them.

PART_SUFFIX = ".*.part"
SUFFIX = re.compile(r"\.[a-z0-9]{1,8}")


class KeptScan(Struct, frozen=True):
    """A stored scan: the file as it came, named by its hash."""

    sha256: str
    path: Path
    is_new: bool  # False: the same bytes were kept before


def keep_scan(source: Path, folder: Path) -> KeptScan:
    """Store a scan under its SHA-256, which is its cache key from then on, atomically.

    `Stopped` on a full disk or an unreadable file. The source is never touched. Leftovers of a killed program are
    deleted first.
    """
    kept = None
    for last in (False, False, True):
        kept = kept or _keep_whole(source, folder, is_last=last)
    assert kept is not None
    return kept


def _keep_whole(source: Path, folder: Path, *, is_last: bool) -> KeptScan | None:
    """Store a scan; None if another program deleted our temporary file, because its clock was set forward."""
    partial = folder / f".{uuid4().hex}.part"  # not the source's name, which may be as long as a name can be
    digest = hashlib.sha256()
    try:
        coming = source.open("rb")
    except OSError as error:
        text = f"the file cannot be read: {error.strerror or error}; see who may read it, or save it anew"
        raise stop(text, str(source)) from error
    try:
        folder.mkdir(exist_ok=True)  # never the event's own folder: if that is gone, it was moved or its stick pulled
        with coming, partial.open("wb") as going:
            _remove_left(folder, partial.stat().st_mtime - LEFT_S, PART_SUFFIX)
            while chunk := coming.read(CHUNK):
                digest.update(chunk)
                going.write(chunk)
            going.flush()
            os.fsync(going.fileno())
        suffix = source.suffix.lower()
        path = folder / f"{digest.hexdigest()}{suffix if SUFFIX.fullmatch(suffix) else ''}"
        before = next(folder.glob(f"{digest.hexdigest()}*"), None)
        if before is None:
            partial.replace(path)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not is_last and folder.is_dir() and not partial.exists():
            return None
        mend = "see who may write there, and scan it again"
        raise write_refused(error, str(source), "the scan cannot be kept", mend) from error
    finally:
        coming.close()
        with suppress(OSError):  # on a disk that cannot be written, the error above is told
            partial.unlink(missing_ok=True)
    return KeptScan(digest.hexdigest(), before or path, before is None)


def printable_name(name: str) -> str:
    r"""Write a file's name so that it can be kept and printed on one line, whatever bytes a stick has put into it.

    >>> print(printable_name("page\n1.jpg"), printable_name("M\udcfcller 1.jpg"), printable_name("Łódź.pdf"))
    page\n1.jpg M\xfcller 1.jpg Łódź.pdf
    """
    safe = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in safe)


# Settings of this machine's user, outside all events: the director's name, and the events opened last.
# They are no facts; if they cannot be written, the name is asked again. They are in the system's folder for settings.

FILE = "ordersheets/this-machine.json"
APART = "apart.txt"  # beside it: who is kept apart at every event; a person writes it
MOST = 12  # events that are remembered


def _settings_path() -> Path:
    """The file of these settings, in %APPDATA% on Windows, else in $XDG_CONFIG_HOME or ~/.config."""
    named = os.environ.get("APPDATA" if sys.platform == "win32" else "XDG_CONFIG_HOME", "")
    return (Path(named) if named else Path.home() / ".config") / FILE


def _read_machine_settings() -> dict[str, Any]:
    """All settings; empty if the file is missing or damaged."""
    with suppress(OSError, ValueError, RuntimeError):  # RuntimeError: the home folder is unknown
        settings = json.loads(read_small(_settings_path()))
        return settings if isinstance(settings, dict) else {}
    return {}


def _keep_settings(**values: Any) -> None:
    """Change some settings of this machine."""
    with suppress(OSError, RuntimeError):
        path = _settings_path()
        make_folder(path.parent)
        write_whole(path, json.dumps(_read_machine_settings() | values, ensure_ascii=False, indent=1).encode())


def kept_name() -> str:
    """The director's name; empty if it was never entered."""
    name = _read_machine_settings().get("name", "")
    return name if isinstance(name, str) else ""


def keep_name(name: str) -> None:
    """Keep the director's name."""
    _keep_settings(name=name)


def recent_events() -> tuple[Path, ...]:
    """The events that were made or opened last, the newest first, as far as they are still there."""
    events = _read_machine_settings().get("events", [])
    paths = [Path(each) for each in events if isinstance(each, str)] if isinstance(events, list) else []
    return tuple(path for path in paths if (path / "event.toml").is_file())


def keep_event(folder: Path) -> None:
    """Remember an event as the newest."""
    paths: Sequence[Path] = [folder.resolve(), *recent_events()]
    _keep_settings(events=[str(path) for path in dict.fromkeys(paths)][:MOST])


def pairs_apart_file() -> Path | None:
    """The file of people who are kept apart at every event; None if there is none."""
    with suppress(OSError, RuntimeError):
        path = _settings_path().with_name(APART)
        return path if path.is_file() else None
    return None


def keep_watched(event: Path, folder: Path | None) -> None:
    """Remember the folder that an event's desk watches; None: none any more."""
    folders = _read_machine_settings().get("watched", {})
    watched = {name: path for name, path in folders.items() if name != str(event)} if isinstance(folders, dict) else {}
    if folder is not None:
        watched[str(event)] = str(folder)
    _keep_settings(watched=dict(list(watched.items())[-MOST:]))


def kept_watched(event: Path) -> str:
    """The folder that was watched for an event when its desk ended; empty: none."""
    watched = _read_machine_settings().get("watched", {})
    path = watched.get(str(event), "") if isinstance(watched, dict) else ""
    return path if isinstance(path, str) else ""


# Cached answers, in files that may be deleted at any time.
# An answer is valid only while the cache key, everything it depends on, is unchanged; a damaged file is ignored.


def cached_answer(path: Path, rests_on: str, work_out: Callable[[], str]) -> str:
    """Return the cached answer if its cache key matches; else compute it, and cache it if possible."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        kept = json.loads(read_small(path))
        answer = str(kept["found"])
        if kept["sum"] == _sum_of(rests_on, answer):
            return answer
    answer = work_out()
    with suppress(OSError):
        make_folder(path.parent)
        write_whole(path, json.dumps({"found": answer, "sum": _sum_of(rests_on, answer)}).encode())
    return answer


def _sum_of(rests_on: str, answer: str) -> str:
    """A checksum over an answer and its cache key."""
    return hashlib.sha256(json.dumps([rests_on, answer]).encode("utf-8", "surrogatepass")).hexdigest()


def cache_key_of(files: Iterable[Path]) -> str:
    """The cache key of files: their names, sizes and times, or that one is missing."""
    stamps = []
    for file in files:
        try:
            state = file.stat()
            stamps.append([str(file), state.st_size, state.st_mtime_ns])
        except OSError:
            stamps.append([str(file)])
    return json.dumps(stamps)


# Times that are written down are read from the clock here; most code gets the time as an argument.
# The wall clock may be set at any time: durations over a restart are `seconds_between`, others take a monotonic clock.


def now() -> str:
    """The time now, ISO 8601 to the second, in UTC.

    >>> now()[10], now()[-6:]
    ('T', '+00:00')
    """
    return datetime.now(UTC).isoformat(timespec="seconds")


def local_time(at: str) -> str:
    """A time in the local time zone, in the one format that people see.

    >>> len(local_time("2026-05-01T18:30:32+00:00"))
    16
    """
    return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")


def steady() -> float:
    """A monotonic clock in seconds; it goes on while the machine sleeps.

    >>> steady() <= steady()
    True
    """
    if sys.platform == "linux":  # its monotonic clock stands still while the machine sleeps
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
    """Seconds between two times of the wall clock; None if it was set back between them.

    >>> seconds_between("2026-01-02T09:00:00+00:00", "2026-01-02T09:05:00+00:00")
    300.0
    >>> seconds_between("2026-01-02T09:00:00+00:00", "2026-01-02T08:59:59+00:00")
    """
    gone = (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
    return gone if gone >= 0 else None

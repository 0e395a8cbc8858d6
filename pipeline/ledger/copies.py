"""Copies of an event in a place of their own: its facts as of one moment, its files, and every scan once.

A place is a folder. In it stands a folder for each copy, with ``copy.json`` that says what it holds; it is written
under another name and renamed, so that a copy is whole or not there. Scans and pictures of rows lie beside them, once.
One program at a time writes in a place; the next one removes what a killed one left.
"""

import glob
import hashlib
import json
import os
import re
import shutil
import sqlite3
import threading
import tomllib
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from pipeline.ledger import files
from pipeline.ledger.claims import hold_lock
from pipeline.ledger.events import EventRestored, FormsPrinted, SheetsPrinted
from pipeline.ledger.facts import (
    FACTS,
    Clock,
    LastWritten,
    Snapshot,
    Tip,
    opened_to_read,
    sum_of,
    tip_beside,
    verify,
)
from pipeline.ledger.ledger import Ledger, body_of
from pipeline.logs import LOG_FILE
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.table import LARGEST, fault_in_file_name, read_small, unprintable

MANIFEST = "copy.json"
PLACE_ENDS = "-backups"  # how a place beside an event is called, behind the event's name
MOMENT_S = 0.5  # how long a command waits for an answer from a second place
_asked: dict[tuple[Path, str], threading.Thread] = {}  # the last look of each sort at each second place
LOCK = "copying.lock"
SCANS, PICTURES = "scans", "out/crops"  # in the event, and in a place: what is copied once
RECEIVED = "scan received"
KEEP_NEWEST, KEEP_EVERY, KEEP_LONGER = (
    10,
    10,
    100,
)  # kept: the ten newest, of the hundred newest every tenth, then every hundredth
LOOK_BYTES = 16 << 20  # of the scans and pictures in a place are verified with each copy, in turn
EVENT_FILE = "event.toml"
OWN_GATES = "gate-*.toml"  # own thresholds, each file named for what 'calibrate' wrote into it
RULES = "rules"  # the folder of the event's own rules
SCAN_NAME = re.compile(r"([0-9a-f]{64})(\..*)?")  # a scan is named by its hash
COPY_NAME = re.compile(r".+-([0-9a-f]{6})-(\d{4,15})")  # code, beginning of the identity, number
PNG, PNG_ENDS = b"\x89PNG\r\n\x1a\n", b"IEND"
CHUNK = 1 << 20
MOST = 1 << 53  # a number of a fact or of a copy that large is nonsense
ANOTHER = "see who may write there, or name another place"
REPLACED = "the files of this copy are not what was copied; a new copy was made"
OTHERS = "'ordersheets restore' lists the others"


class NotWhole(ValueError):
    """A copy that cannot be restored, and why."""


SPOILT = (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
UNREADABLE = (*SPOILT, sqlite3.Error, Stopped)
T = TypeVar("T")


class Mended(Problem, frozen=True):
    """Damage in a place that was mended: it is reported, and nothing failed."""


class Label(Struct, frozen=True):
    """The label of a copy: its event, for people, and the files that are in it beside its facts."""

    name: str
    code: str
    files: Mapping[str, bytes]  # by their names in the event's folder


class Copy(Struct, frozen=True, kw_only=True):
    folder: Path
    name: str  # of the event
    code: str
    number: int  # 1.., in the order in which the copies of an event were made in this place
    tip: Tip
    at: str  # ISO 8601
    files: Mapping[str, str]  # by name, their SHA-256
    looked: str = ""  # the last scan or picture of the place that was verified with it; the next copy goes on behind it

    @property
    def place(self) -> Path:
        """Where it lies, with its scans."""
        return self.folder.parent

    def has_files_of(self, label: Label) -> bool:
        """Whether the labelled files are the same here."""
        return all(self.files.get(name) == hashlib.sha256(data).hexdigest() for name, data in label.files.items())


class Spoilt(Struct, frozen=True, kw_only=True):
    """A copy that cannot be read."""

    folder: Path
    fault: str
    event: str  # the beginning of its event's identity, as its folder's name has it; nothing: it does not say
    number: int
    tip: Tip | None  # its newest fact; None: its description cannot be read

    def is_of(self, identity: str) -> bool:
        """Whether it is a copy of an event."""
        return bool(self.event) and identity.startswith(self.event)


class Made(Struct, frozen=True):
    """The newest copy, and what was found while it was made."""

    copy: Copy
    notes: tuple[Problem, ...]


def _tip_in(connection: sqlite3.Connection) -> Tip:
    """The newest fact of a file."""
    rows = connection.execute(
        "SELECT id, at, by, kind, body FROM facts WHERE id IN "
        "((SELECT MIN(id) FROM facts), (SELECT MAX(id) FROM facts)) ORDER BY id"
    )
    return Tip.of(rows.fetchall())


def contains_tip(connection: sqlite3.Connection, tip: Tip) -> bool:
    """As `Snapshot.has`, of a file."""
    row = connection.execute("SELECT id, at, by, kind, body FROM facts WHERE id = ?", (tip.facts,)).fetchone()
    return row is not None and sum_of(*row) == tip.sum and _tip_in(connection).identity == tip.identity


def facts_to_read(path: Path) -> sqlite3.Connection:
    """Open facts to copy them, even if nothing can be written beside them."""
    connection = opened_to_read(path)
    if connection is None:
        raise stop("event.db cannot be opened; see who may read it", str(path))
    return connection


def make_copy(facts: Snapshot, place: Path, label: Label, at: str, *, verifies_all: bool = False) -> Made:
    """Copy an event into a place and delete surplus copies there; returns the newest copy if nothing is new.

    Its facts are those that are open, whatever their path names now. With each new copy some scans and pictures in the
    place are verified, in turn, or with ``verifies_all`` all; damaged ones are mended.
    The place's folder is created, its parent is not: if that is missing, a stick was removed.
    """
    try:
        place.mkdir(exist_ok=True)
        for inside in (SCANS, PICTURES):
            files.place_inside(place, inside)
        files.remove_link(place / LOCK)
        with hold_lock(place / LOCK, lambda: None):
            _remove_parts(place)
            tip = facts.tip()
            newest = max(_of_event(copies_in(place), tip.identity), key=lambda copy: copy.number, default=None)
            is_sound = newest is None or is_whole(newest)
            notes = () if is_sound else (Mended(Weight.NOTES, REPLACED, str(newest and newest.folder)),)
            if newest is not None and is_sound and newest.tip == tip and newest.has_files_of(label):
                made = Made(
                    newest, _keep_files(facts.path.parent, place, "", verifies_all=True)[1] if verifies_all else ()
                )
            else:
                made = _new_copy(facts, place, label, at, newest.looked if newest else "", verifies_all=verifies_all)
            mine = [each for each in _of_event(copies_in(place), tip.identity) if facts.has(each.tip)]
            # never a copy with facts that this event lacks: they may exist nowhere else
            for old in _surplus_copies(mine):
                remove(old.folder)
            return Made(made.copy, (*notes, *made.notes))
    except (OSError, sqlite3.Error) as error:
        raise files.write_refused(
            error, str(place), "no copy of the event can be made", ANOTHER, "do it again"
        ) from error


def _new_copy(facts: Snapshot, place: Path, label: Label, at: str, looked: str, *, verifies_all: bool) -> Made:
    part = place / f".ordersheets-{uuid4().hex}.part"
    part.mkdir()
    try:
        written = facts.write_to(part / FACTS)
        for name, data in label.files.items():
            path = files.place_inside(part, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_synced(path, data)
        with closing(facts_to_read(part / FACTS)) as connection:
            tip = _tip_in(connection)
            if faults := _damage_in(connection, facts.path, written):  # read back: a disk may have lost some of it
                raise Stopped(faults)
        # after the facts: each scan of which they know is there
        looked, notes = _keep_files(facts.path.parent, place, looked, verifies_all=verifies_all)
        before = [copy.number for copy in _of_event(copies_in(place), tip.identity)]
        number = 1 + max(before, default=0)
        while (folder := place / f"{label.code}-{tip.identity[:6]}-{number:04d}").exists():  # taken by a damaged copy
            number += 1
        hashes = {name: hash_file(part / name) for name in (FACTS, *label.files)}
        description = {
            "name": label.name,
            "code": label.code,
            "number": number,
            "tip": to_builtins(tip),
            "at": at,
            "files": hashes,
            "looked": looked,
        }
        description["checksum"] = _checksum_of(description)
        _write_synced(part / MANIFEST, json.dumps(description, ensure_ascii=False, indent=1).encode())
        part.replace(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    copy = Copy(
        folder=folder, name=label.name, code=label.code, number=number, tip=tip, at=at, files=hashes, looked=looked
    )
    return Made(copy, notes)


def _copy_facts(source: Path, target: Path) -> None:
    """Copy a consistent snapshot of the facts into a single file, even while others write."""
    with closing(facts_to_read(source)) as going, closing(sqlite3.connect(target, isolation_level=None)) as coming:
        coming.execute("PRAGMA synchronous = OFF")  # it is synced as a whole below, before it is renamed
        going.backup(coming)
        coming.execute("PRAGMA journal_mode = DELETE")
    with target.open("rb+") as written:
        os.fsync(written.fileno())


def _copy_file(source: Path, target: Path) -> None:
    """Copy one file, and sync it to the disk."""
    with source.open("rb") as coming, target.open("wb") as going:
        shutil.copyfileobj(coming, going, CHUNK)
        going.flush()
        os.fsync(going.fileno())


def _write_synced(target: Path, data: bytes) -> None:
    """Write one file, and sync it to the disk."""
    with target.open("wb") as going:
        going.write(data)
        going.flush()
        os.fsync(going.fileno())


def _keep_files(event: Path, place: Path, looked: str, *, verifies_all: bool) -> tuple[str, tuple[Problem, ...]]:
    """Bring new scans and pictures to a place, and verify the next ones that are there, or all; damage is mended.

    Returns the last one that was verified, and what was found.
    """
    folders, sizes, found = dict[str, str](), dict[str, int](), list[Problem | None]()  # by name, of files in both
    for inside in (SCANS, PICTURES):
        if not (event / inside).is_dir():
            continue
        (place / inside).mkdir(parents=True, exist_ok=True)
        there = _files_in(place / inside)
        for name, file in _files_in(event / inside).items():
            if _is_same_file(file, there.get(name)):
                folders[name], sizes[name] = inside, file.stat().st_size
            elif inside == SCANS:
                found.append(_keep_scan(event / inside / name, place / inside / name, is_there=name in there))
            else:
                found.append(_keep_picture(event / inside / name, place / inside / name))
    turn = sorted(sizes) if verifies_all else _next_in_turn(sizes, looked)
    for name in turn:
        source, target = (folder / folders[name] / name for folder in (event, place))
        if folders[name] == SCANS and not _is_scan(target):
            found.append(_keep_scan(source, target, is_there=True))
        elif folders[name] == PICTURES and not _are_alike(source, target):
            found.append(_keep_picture(source, target))
    return turn[-1] if turn else looked, tuple(each for each in found if each is not None)


def _are_alike(source: Path, target: Path) -> bool:
    """Whether two files hold the same; one file with two names is not read."""
    try:
        return source.samefile(target) or hash_file(source) == hash_file(target)
    except OSError:  # a bad spot on a stick
        return False


def _next_in_turn(sizes: Mapping[str, int], looked: str) -> list[str]:
    """The files behind the one that was looked at last, one at least and `LOOK_BYTES` at most; then from the first on.

    >>> _next_in_turn({"a": 9, "b": 9 << 20, "c": 9 << 20, "d": 9 << 20}, "b")
    ['c']
    >>> _next_in_turn({"a": 9, "b": 9 << 20, "c": 9 << 20, "d": 9}, "c")
    ['d', 'a', 'b']
    """
    names = sorted(sizes)
    begin = bisect_right(names, looked)
    found: list[str] = []
    room = LOOK_BYTES
    for name in (*names[begin:], *names[:begin]):
        room -= sizes[name]
        if found and room < 0:
            break
        found.append(name)
    return found


def _is_scan(path: Path) -> bool:
    """Whether a scan is what came in, as its name says; a file that is not named by its hash is not judged."""
    named = SCAN_NAME.fullmatch(path.name)
    try:
        return named is None or hash_file(path) == named[1]
    except OSError:  # a bad spot on a stick
        return False


def _keep_scan(source: Path, target: Path, *, is_there: bool) -> Problem | None:
    """Copy a scan that is missing in a place or damaged there, if the event's own is good; returns what was found."""
    if not _is_scan(source):
        mend = f"copy it back from {target}" if _is_scan(target) else "copy it back from another place, or scan again"
        return Problem(Weight.NOTES, f"this scan is not what came in, and is not copied; {mend}", str(source))
    _bring(source, target, _copy_file)
    if not is_there:
        return None
    return Mended(Weight.NOTES, "this scan was damaged beside the copies, and was copied anew", str(target))


def keep_scan_beside(scan: Path, event: Path) -> None:
    """Keep a new scan beside the event's copies at once, so that it outlives the event's folder."""
    place_beside(event).mkdir(exist_ok=True)
    folder = files.place_inside(place_beside(event), SCANS)
    folder.mkdir(exist_ok=True)
    if not (folder / scan.name).exists():
        _bring(scan, folder / scan.name, _copy_file)


def bring_scan_back(scan: Path, event: Path) -> None:
    """Bring a scan that is gone back from beside the event's copies, if it is there as it came in."""
    beside = place_beside(event) / SCANS / scan.name
    if beside.is_file() and _is_scan(beside):
        with suppress(OSError):
            scan.parent.mkdir(exist_ok=True)
            _bring(beside, scan, _copy_file)


def _keep_picture(source: Path, target: Path) -> Problem | None:
    """Copy a picture of a row that is missing in a place or differs there; never a damaged one over a good one."""
    are_whole = _is_picture_whole(source), _is_picture_whole(target)
    if target.is_file() and are_whole == (False, True):
        text = f"this picture of a row is damaged, and is not copied; copy it back from {target}"
        return Problem(Weight.NOTES, text, str(source))
    is_new = not target.is_file() or (all(are_whole) and source.stat().st_size != target.stat().st_size)
    _bring(source, target)
    if is_new:  # or made again, since a page was read again
        return None
    text = "this picture of a row was not the event's own, and was copied anew"
    return Mended(Weight.NOTES, text, str(target))


def _is_picture_whole(path: Path) -> bool:
    """Whether the CRC-32 of each chunk of a PNG holds; other formats have none, and are not judged."""
    if path.suffix != ".png":
        return True
    try:
        data = path.read_bytes()
    except OSError:  # a bad spot on a stick
        return False
    if not data.startswith(PNG):
        return False
    end, kind = len(PNG), b""
    while kind != PNG_ENDS:
        at, end = end, end + 12 + int.from_bytes(data[end : end + 4])
        kind = data[at + 4 : at + 8]
        if end > len(data) or zlib.crc32(data[at + 4 : end - 4]) != int.from_bytes(data[end - 4 : end]):
            return False
    return True


def _link_or_copy(source: Path, target: Path) -> None:
    """Hard-link a file that can be made again or is kept elsewhere, or copy it if the disk has no hard links."""
    try:
        os.link(source, target)
    except (OSError, NotImplementedError):
        _copy_file(source, target)


def _bring(source: Path, target: Path, copy: Callable[[Path, Path], None] = _link_or_copy) -> None:
    """Copy one file under a temporary name, and rename it. A scan is copied in full: a link is damaged with it."""
    part = target.with_name(f".ordersheets-{uuid4().hex}.part")
    try:
        copy(source, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _is_same_file(file: "os.DirEntry[str]", there: "os.DirEntry[str] | None") -> bool:
    """Whether the same file is there already: hard-linked, or of the same size."""
    return there is not None and (file.inode() == there.inode() or file.stat().st_size == there.stat().st_size)


def _files_in(folder: Path) -> "dict[str, os.DirEntry[str]]":
    """The files of a folder by their names; not what is half-written."""
    with os.scandir(folder) as entries:
        return {each.name: each for each in entries if not each.name.startswith(".") and each.is_file()}


def copies_in(place: Path) -> list[Copy]:
    """The copies in a place that are whole, of whatever events; half-written ones are not among them."""
    return [found for found in _read_place(place) if isinstance(found, Copy)]


def spoilt_in(place: Path) -> list[Problem]:
    """What is wrong with the copies in a place that cannot be restored."""
    return [
        Problem(Weight.NOTES, f"no copy to go on from: {found.fault}", str(found.folder / MANIFEST))
        for found in _read_place(place)
        if isinstance(found, Spoilt)
    ]


def _read_place(place: Path) -> Iterator[Copy | Spoilt]:
    """The copies in a place, and those that cannot be read."""
    with suppress(OSError):
        for folder in sorted(place.iterdir()):
            named = COPY_NAME.fullmatch(folder.name)
            if not folder.name.startswith(".") and folder.is_dir() and (named or (folder / MANIFEST).exists()):
                copy, fault = _read_copy(folder)
                if copy is not None and not fault:
                    yield copy
                elif folder.exists():  # else it was deleted as surplus meanwhile
                    event, number = (named[1], int(named[2])) if named else ("", 0)
                    yield Spoilt(folder=folder, fault=fault, event=event, number=number, tip=copy.tip if copy else None)


def _read_copy(folder: Path) -> tuple[Copy | None, str]:
    """The copy in a folder, if its description can be read, and what is wrong with it."""
    copy = None
    try:
        copy = _read_manifest(folder / MANIFEST)
        _check_files(copy)
    except FileNotFoundError:
        return copy, f"{MANIFEST} is not in it"
    except SPOILT as error:
        return copy, str(error) if isinstance(error, NotWhole) else "it cannot be read"
    return copy, ""


def _read_manifest(manifest: Path) -> Copy:
    """Read a copy's description; raises one of `SPOILT` if that fails."""
    description = json.loads(read_small(manifest))
    hashes = {str(name): str(sha256) for name, sha256 in description["files"].items()}
    for name in hashes:
        if fault := fault_in_file_name(name):
            raise NotWhole(f"{name[:80]!r} {fault}")
    if len({files.name_anywhere(name) for name in hashes}) < len(hashes):
        raise NotWhole("two of its files have one name on some systems")
    tip = Tip(str(description["tip"]["identity"]), int(description["tip"]["facts"]), str(description["tip"]["sum"]))
    name, code, at, number = (
        str(description["name"]),
        str(description["code"]),
        str(description["at"]),
        int(description["number"]),
    )
    if FACTS not in hashes or not files.is_moment(at) or not (0 < tip.facts < MOST and 0 < number < MOST):
        raise NotWhole("it does not say when it was made, and of what")
    if any(map(unprintable, (name, code, str(manifest)))):
        raise NotWhole("its name cannot be printed")
    if description.get("checksum") != _checksum_of(description):
        raise NotWhole("its description (copy.json) was changed or damaged")
    looked = str(description.get("looked", ""))
    return Copy(
        folder=manifest.parent, name=name, code=code, number=number, tip=tip, at=at, files=hashes, looked=looked
    )


def _check_files(copy: Copy) -> None:
    """Raise `NotWhole` if a file of a copy is missing, or too large, or is no part of an event."""
    others = [name for name in copy.files if not (is_part(name) or name.startswith(f"{RULES}/"))]
    if others and others != _gate_named_in(copy.folder / EVENT_FILE):
        raise NotWhole(f"{others[0]} is no part of an event")
    for name in copy.files:
        path = copy.folder / name
        if not path.is_file():
            raise NotWhole(f"{name} is not in it")
        if name != FACTS and path.stat().st_size > LARGEST:
            raise NotWhole(f"{name} is larger than {LARGEST >> 20} MB")


def is_part(name: str) -> bool:
    """Whether a file of this name is a part of every event; thresholds may have any name (`_gate_named_in`)."""
    first, *others = name.split("/")
    is_rule = first == RULES and name.endswith(".toml") and not any(part.startswith(".") for part in others)
    return name in EVENT_FILES or fnmatchcase(name, OWN_GATES) or is_rule


def _parts_of(copy: Copy) -> list[str]:
    """The files of a copy that are restored. What else lay beside rules, such as an editor's, is left in the copy."""
    return [name for name in copy.files if is_part(name) or not name.startswith(f"{RULES}/")]


def _gate_named_in(event_file: Path) -> list[str]:
    """The file of thresholds that an event names; none where that is a file of the desk or of another program."""
    try:
        name = str(tomllib.loads(read_small(event_file).decode("utf-8-sig"))["event"]["gate"])
    except SPOILT:
        return []
    is_hidden = any(part.startswith(".") for part in Path(name).parts)
    return [name] if name.endswith(".toml") and not is_hidden else []


def _checksum_of(description: Mapping[str, Any]) -> str:
    """The checksum of a copy's description."""
    rest = {name: value for name, value in description.items() if name != "checksum"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def _of_event(copies: Iterable[Copy], identity: str) -> list[Copy]:
    """The copies of one event, oldest first."""
    return sorted((copy for copy in copies if copy.tip.identity == identity), key=lambda copy: copy.number)


def _surplus_copies(copies: list[Copy]) -> Iterator[Copy]:
    """The copies to delete; their age is known by their numbers, not by a clock."""
    newest = copies[-1].number if copies else 0
    for copy in copies:
        behind = newest - copy.number
        if behind >= KEEP_NEWEST and copy.number % (KEEP_EVERY if behind < KEEP_LONGER else KEEP_LONGER):
            yield copy


def remove(folder: Path) -> None:
    """Delete a copy: its description first, so that a half-deleted copy is not taken for one."""
    part = folder.with_name(f".ordersheets-{uuid4().hex}.part")
    folder.replace(part)
    shutil.rmtree(part, ignore_errors=True)


def _remove_parts(place: Path) -> None:
    """Delete what killed programs left; the caller holds the place's lock."""
    for inside in (place, place / SCANS, place / PICTURES):
        for part in inside.glob(files.PARTS):
            if part.is_dir():
                shutil.rmtree(part, ignore_errors=True)
            else:
                part.unlink(missing_ok=True)


def faults_of(copy: Copy, event: Path | None = None) -> tuple[Problem, ...]:
    """All damage in a copy: files, facts, scans; scans that are one file with those of an event are not read."""
    return _faults_in_files(copy) or tuple(
        _describe_missing(copy, scan)
        for scan in _scans_in(copy)
        if not (event and _is_linked(event / SCANS / scan.name, copy.place / SCANS / scan.name))
        and not scan.is_in(copy.place)
    )


def _is_linked(file: Path, other: Path) -> bool:
    """Whether two names are of one file."""
    return file.is_file() and other.is_file() and file.samefile(other)


def _faults_in_files(copy: Copy) -> tuple[Problem, ...]:
    """All damage in a copy's own files and facts."""
    problems = [
        Problem(Weight.STOPS, f"this file of the copy is not what was copied; {OTHERS}", str(copy.folder / name))
        for name, sha256 in copy.files.items()
        if hash_file(copy.folder / name) != sha256
    ]
    if problems:
        return tuple(problems)
    with closing(facts_to_read(copy.folder / FACTS)) as connection:
        return _damage_in(connection, copy.folder / FACTS)


def is_whole(copy: Copy) -> bool:
    """Whether the files of a copy are what was copied; a process reads again only what has changed."""
    try:
        return all(_hash_once(copy.folder / name) == sha256 for name, sha256 in copy.files.items())
    except OSError:
        return False


def newest_whole(copies: Iterable[Copy]) -> tuple[Copy | None, tuple[Copy, ...]]:
    """The newest copy whose files are what was copied, and the newer ones whose files are not."""
    damaged: list[Copy] = []
    for copy in sorted(copies, key=lambda copy: copy.number, reverse=True):
        if is_whole(copy):
            return copy, tuple(damaged)
        damaged.append(copy)
    return None, tuple(damaged)


def _damage_in(connection: sqlite3.Connection, path: Path, tip: LastWritten | None = None) -> tuple[Problem, ...]:
    return verify(connection, path, "see 'ordersheets restore' for a copy that is whole", tip)


class KnownScan(Struct, frozen=True):
    """A scan of which a copy knows."""

    sha256: str
    name: str  # in ``scans/``
    came_as: str  # the name of the file that came in

    def is_in(self, folder: Path) -> bool:
        """Whether it is in a place or an event, as it came in."""
        try:
            return hash_file(folder / SCANS / self.name) == self.sha256
        except OSError:
            return False


def _describe_missing(copy: Copy, scan: KnownScan) -> Problem:
    """Say that a scan cannot be restored."""
    text = (
        f"this scan ({scan.came_as}) is missing beside the copy, or is not what came in; "
        "to restore the event without it: --without-damaged"
    )
    return Problem(Weight.STOPS, text, str(copy.place / SCANS / scan.name))


def _scans_in(copy: Copy) -> list[KnownScan]:
    with closing(facts_to_read(copy.folder / FACTS)) as connection:
        rows = connection.execute("SELECT body FROM facts NOT INDEXED WHERE kind = ? ORDER BY id", (RECEIVED,))
        bodies = [json.loads(text) for (text,) in rows]
    return [
        KnownScan(
            str(body["sha256"]),
            files.place_inside(copy.place / SCANS, str(body["path"])).name,
            files.printable_name(str(body.get("name", body["path"]))),
        )
        for body in bodies
    ]


def hash_file(path: Path) -> str:
    """The hash of a file; empty if it is missing."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_hashes: dict[Path, tuple[tuple[int, ...], str]] = {}  # of files that were read, with what tells that one has changed


def _hash_once(path: Path) -> str:
    """The hash of a file; empty if it is missing. It is read again only if it has changed."""
    if not path.is_file():
        return ""
    now = path.stat()
    stamp = (now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)
    known = _hashes.get(path)
    if known is None or known[0] != stamp:
        known = _hashes[path] = (stamp, hash_file(path))
    return known[1]


# Restore an event from a copy: into a new folder, or in place of the old one, which is kept.

EVENT_FILES = (EVENT_FILE, FACTS)  # a folder with one of them holds an event, or what is left of one
CERTIFICATE = "office.pem"  # of the pages, with its key; it is this machine's and goes nowhere else
NOT_COPIED = ("claims.db", "reading.lock", "desk.lock", LOG_FILE, CERTIFICATE)  # no part of an event
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class Restoration(Struct, frozen=True):
    """A restoration: which copy, where to, and the fact that records it."""

    copy: Copy
    target: Path
    said: EventRestored
    by: str
    clock: Clock
    without_damaged: bool = False  # without the scans that are damaged or missing


class Restored(Struct, frozen=True):
    """The result of a restoration."""

    kept: Path | None  # where what was replaced is kept
    unknown: tuple[str, ...]  # scans that are in the folder, and of which the copy does not know
    is_new: bool = True  # False: it was done before
    missing: tuple[KnownScan, ...] = ()  # scans that are in neither place as they came in


def restore(wish: Restoration, *, replaces: bool) -> Restored:
    """Restore an event from a copy; if it is killed, the folder holds either the old event or the restored one.

    An existing event is replaced only if wanted, and kept beside; a scan of its own that is good is used. Repeating
    the command changes nothing.
    """
    if faults := _faults_in_files(wish.copy):
        raise Stopped(faults)
    target = wish.target
    places = (target, wish.copy.place)
    scans = {scan: next((place for place in places if scan.is_in(place)), None) for scan in _scans_in(wish.copy)}
    missing = tuple(scan for scan, source in scans.items() if source is None)
    if missing and not wish.without_damaged:
        raise Stopped([_describe_missing(wish.copy, scan) for scan in missing])
    try:
        if not any((target / name).exists() for name in EVENT_FILES):
            done = _restore_anew(wish, scans)
        elif _is_restored(wish):
            done = Restored(None, (), is_new=False)
        elif replaces:
            done = _restore_over(wish, scans)
        else:
            text = "an event is in this folder; choose another one, or with --replace it is kept beside and replaced"
            raise stop(text, str(target))
        return replace(done, missing=missing)
    except OSError as error:
        raise files.write_refused(
            error, str(target), "the event cannot be restored", "see who may write there"
        ) from error


def _restore_anew(wish: Restoration, scans: Mapping[KnownScan, Path | None]) -> Restored:
    """Restore into a new folder, which appears only when it is complete."""
    if wish.target.is_dir() and any(wish.target.iterdir()):
        raise stop("this folder holds files and no event; choose another one", str(wish.target))
    part = fresh(wish.target.with_name(f".ordersheets-{wish.target.name}.part"))
    part.mkdir(parents=True)
    try:
        for name in _parts_of(wish.copy):
            path = files.place_inside(part, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            _copy_file(wish.copy.folder / name, path)
        _bring_scans(wish.copy, part, scans)
        _record_restoration(part / FACTS, wish)
        if wish.target.is_dir():
            wish.target.rmdir()
        part.replace(wish.target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return Restored(None, ())


def _restore_over(wish: Restoration, scans: Mapping[KnownScan, Path | None]) -> Restored:
    """Restore over an event: the facts are replaced in one step, and the old event is kept."""
    target = wish.target
    tip = tip_in_file(wish.target / FACTS)
    if tip is not None and tip.facts and tip.identity != wish.copy.tip.identity:
        text = f"another event is in this folder than the copy's, {wish.copy.name}; choose another folder"
        raise stop(text, str(wish.target))
    for name in (*_parts_of(wish.copy), SCANS, PICTURES):
        files.place_inside(target, name)
    kept = _kept_aside(target)
    _bring_scans(wish.copy, target, scans)
    part = fresh(target / ".ordersheets-restored.part")
    try:
        _copy_file(wish.copy.folder / FACTS, part)
        _record_restoration(part, wish)
        for name in _parts_of(wish.copy):
            data = (wish.copy.folder / name).read_bytes() if name != FACTS else b""
            path = files.place_inside(target, name)
            if name != FACTS and not (path.is_file() and path.read_bytes() == data):
                path.parent.mkdir(parents=True, exist_ok=True)
                files.write_whole(path, data)
        _close_log(target / FACTS)
        tip_beside(target / FACTS).unlink(missing_ok=True)  # it counts more facts than there will be
        part.replace(target / FACTS)
        tip_beside(part).replace(tip_beside(target / FACTS))
    finally:
        part.unlink(missing_ok=True)
        tip_beside(part).unlink(missing_ok=True)
    known = {scan.name for scan in scans}
    unknown = sorted(each.name for each in (target / SCANS).iterdir() if not each.name.startswith("."))
    return Restored(kept, tuple(name for name in unknown if name not in known))


def fresh(part: Path) -> Path:
    """An unused file name, without SQLite's logs beside it; leftovers of a killed program are deleted."""
    for left in part.parent.glob(f"{glob.escape(part.name)}*"):
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink()
    return part


def tip_in_file(path: Path) -> Tip | None:
    """The newest fact in a file; None where the facts cannot be read."""
    if not path.is_file() or not path.stat().st_size:
        return None
    try:
        with closing(facts_to_read(path)) as connection:
            return _tip_in(connection)
    except (sqlite3.Error, Stopped, ValueError, TypeError):
        return None


def _bring_scans(copy: Copy, target: Path, scans: Mapping[KnownScan, Path | None]) -> None:
    """Copy the scans that are missing or damaged in the target, and the pictures of their rows."""
    beginnings = {scan.sha256[:16] for scan in scans}
    for inside in (SCANS, PICTURES):
        (target / inside).mkdir(parents=True, exist_ok=True)
    for scan, source in scans.items():
        if source is not None and source != target:
            _bring(source / SCANS / scan.name, target / SCANS / scan.name, _copy_file)
    pictures = copy.place / PICTURES
    for name in _files_in(pictures) if pictures.is_dir() else ():
        here = target / PICTURES / name
        if name.split("-")[0] in beginnings and not (here.is_file() and _are_alike(pictures / name, here)):
            _bring(pictures / name, here)


def _record_restoration(path: Path, wish: Restoration) -> None:
    """Record in the restored facts that they come from a copy."""
    with Ledger(path, wish.clock) as facts:
        facts.write(wish.said, wish.by)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")


def _is_restored(wish: Restoration) -> bool:
    """Whether this restoration was done already, with no fact since."""
    path = wish.target / FACTS
    tip = tip_in_file(path)
    if tip is None or (tip.identity, tip.facts) != (wish.copy.tip.identity, wish.copy.tip.facts + 1):
        return False
    with closing(facts_to_read(path)) as connection:
        kind, body = connection.execute("SELECT kind, body FROM facts WHERE id = ?", (tip.facts,)).fetchone()
    if kind != EventRestored.KIND:
        return False
    done = json.loads(body)
    return bool(done | {"first_serial": 0} == body_of(wish.said) | {"first_serial": 0})


def _kept_aside(target: Path) -> Path:
    """Keep an event's folder under another name beside it, unless that was done already and nothing changed."""
    found = target.parent.glob(f"{glob.escape(target.name)}-replaced-*")
    former = sorted(found, key=lambda path: (len(path.name), path.name))
    tip = tip_in_file(target / FACTS)
    if former and tip is not None and tip_in_file(former[-1] / FACTS) == tip:
        return former[-1]
    numbers = [int(end) for path in former if (end := path.name.rpartition("-")[2]).isdecimal()]
    kept = target.with_name(f"{target.name}-replaced-{1 + max(numbers, default=0)}")
    part = fresh(target.with_name(f".ordersheets-{target.name}-replaced.part"))
    try:
        shutil.copytree(target, part, ignore=_names_not_copied, copy_function=_link_or_copy_named)
        try:
            _copy_facts(target / FACTS, part / FACTS)
        except (sqlite3.Error, Stopped, OSError):  # damaged or missing: keep what there is
            for each in target.glob(f"{FACTS}*"):
                _copy_file(each, part / each.name)
        part.replace(kept)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return kept


def _names_not_copied(folder: str, names: list[str]) -> set[str]:
    """Names that are not copied: temporary files and caches; facts are copied separately."""
    return {name for name in names if name.startswith((".ordersheets-", FACTS, *NOT_COPIED))}


def _link_or_copy_named(source: str, target: str) -> None:
    """`_link_or_copy` for `shutil`; files that people edit are copied, since some programs write in place."""
    inside = Path(source).parent.name in (SCANS, Path(PICTURES).name)
    (_link_or_copy if inside else _copy_file)(Path(source), Path(target))


def _close_log(path: Path) -> None:
    """Checkpoint SQLite's write-ahead log, and check that no other program has the facts open.

    The log of damaged or missing facts is deleted: SQLite would apply it to whatever file is put there. It is kept
    beside with the old event.
    """
    try:
        if not path.exists():
            raise sqlite3.DatabaseError("it is missing")
        with closing(sqlite3.connect(path, timeout=1, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if files.code_of(error) in BUSY:
            text = "another program has this event open: end it ('review', 'scan --watch'), and do it again"
            raise stop(text, str(path), ExitCode.MACHINE_LACKS) from error
        for log in path.parent.glob(f"{FACTS}-*"):
            with suppress(FileNotFoundError):
                log.unlink()


# Whether a copy has facts that the event lacks: then this folder is outdated, or the event was continued in two places.


def place_beside(folder: Path) -> Path:
    """Where an event's copies lie: beside its folder, so that they stay when it is deleted."""
    whole = folder.resolve()
    return whole.with_name(f"{whole.name}{PLACE_ENDS}")


class InPlace(Struct, frozen=True):
    copies: tuple[Copy, ...]
    spoilt: tuple[Spoilt, ...]


class Unread(Struct, frozen=True):
    """A copy that cannot be read, and may have facts that the event lacks."""

    folder: Path
    fault: str
    after: int  # so many facts were in the event's last copy before it


class Newer(Struct, frozen=True):
    """The copies with facts that the event lacks."""

    copy: Copy | None = None  # that with most facts
    unread: tuple[Unread, ...] = ()

    @property
    def common(self) -> int:
        """How many facts the event had before the copies that cannot be read."""
        return max((each.after for each in self.unread), default=0)


class _CopiesOfPlace(Struct, frozen=True):
    """The copies of an event in one place, compared with its facts."""

    held: tuple[Copy, ...]  # earlier states of it
    others: tuple[Copy, ...]  # oldest first
    spoilt: tuple[Spoilt, ...]  # that are not known to be earlier states of it
    restored: Tip | None  # its last restoration


def newer_copies(facts: Ledger, folder: Path, second: Path | None) -> Newer:
    """The copies in sight with facts that the event lacks, or that cannot be read and may have such facts.

    In sight are the copies beside the event's folder and those in its second place, if that answers within a moment.
    """
    found = [_newer_among(_compare(facts, each)) for each in _copies_by_place(folder.resolve().parent)]
    if second is not None:
        there = second.absolute()
        compared = [
            _compare(facts, each) for each in within_a_moment(there, "list", lambda: _copies_by_place(there)) or ()
        ]
        if any(each.others or each.spoilt for each in compared):
            answer = within_a_moment(there, "read", lambda: [_newer_among(each) for each in compared])
            found += answer or [_newer_among(each, reads=False) for each in compared]
    copies = [each.copy for each in found if each.copy is not None]
    newest = max(copies, key=lambda copy: copy.tip.facts, default=None)
    return Newer(newest, tuple(unread for each in found for unread in each.unread))


def look_in(place: Path) -> InPlace:
    """The copies in a place, and those that cannot be read."""
    found = [*_read_place(place)]
    return InPlace(
        tuple(each for each in found if isinstance(each, Copy)),
        tuple(each for each in found if isinstance(each, Spoilt)),
    )


def _copies_by_place(folder: Path) -> list[InPlace]:
    return [look_in(place) for place in sorted(folder.glob(f"*{PLACE_ENDS}"))]


def within_a_moment(folder: Path, sort: str, look: Callable[[], T]) -> T | None:
    """What a look at a second place finds; None if it does not answer within a moment, or has not answered one yet.

    Looks of another sort are not kept waiting: copies may be listed where reading them takes long.
    """
    answers: list[T] = []

    def work() -> None:
        with suppress(*UNREADABLE):
            answers.append(look())

    before = _asked.get((folder, sort))
    if before is not None and before.is_alive():
        return None
    asking = _asked[folder, sort] = threading.Thread(target=work, daemon=True)
    asking.start()
    asking.join(MOMENT_S)
    return answers[0] if answers else None


def _compare(facts: Ledger, found: InPlace) -> _CopiesOfPlace:
    """Compare the copies in a place with an event's facts; only these are read."""
    here, restored = facts.snapshot(), facts.newest(EventRestored)
    identity = here.tip().identity
    mine = _of_event(found.copies, identity)
    held = tuple(copy for copy in mine if here.has(copy.tip))
    spoilt = tuple(each for each in found.spoilt if each.is_of(identity) and not (each.tip and here.has(each.tip)))
    tip = here.tip(restored) if restored else None
    return _CopiesOfPlace(held, tuple(copy for copy in mine if copy not in held), spoilt, tip)


def _newer_among(compared: _CopiesOfPlace, *, reads: bool = True) -> Newer:
    """The newest copy in one place with facts that the event lacks, and those that may have such facts.

    Copies from before the last restoration (`EventRestored`) are left out: their numbers are smaller than that of the
    first copy since, and that restoration is not in them. Without ``reads`` no file of a copy is opened (a slow place).
    """
    restored = compared.restored
    since: int | None = 0
    if restored is not None:
        since = min((copy.number for copy in compared.held if copy.tip.facts >= restored.facts), default=None)
    newest, unread = None, []
    for copy in reversed(compared.others):
        is_newer = since is not None and copy.number > since
        if not is_newer and not (
            reads and restored is not None and _goes_on_from(copy, restored, unsure=since is None)
        ):
            continue
        if reads and not is_whole(copy):
            unread.append(_unread(compared, copy.folder, copy.number, "its files are not what was copied"))
        elif newest is None:
            newest = copy
    unread += [
        _unread(compared, each.folder, each.number, each.fault)
        for each in compared.spoilt
        if since is None or each.number > since
    ]
    return Newer(newest, tuple(unread))


def _goes_on_from(copy: Copy, tip: Tip, *, unsure: bool) -> bool:
    """Whether a copy contains a fact of the event; ``unsure`` is the answer if it cannot be read."""
    if copy.tip.facts < tip.facts:
        return False
    try:
        with closing(facts_to_read(copy.folder / FACTS)) as connection:
            return contains_tip(connection, tip)
    except UNREADABLE:
        return unsure


def _unread(compared: _CopiesOfPlace, folder: Path, number: int, fault: str) -> Unread:
    """A copy that cannot be read, with how many facts the event had when the copy before it was made."""
    before = [copy.tip.facts for copy in compared.held if copy.number < number]
    beginning = compared.restored.facts if compared.restored else 0
    return Unread(folder, fault, max(before, default=beginning))


def last_serial(copy: Copy) -> int | None:
    """The last serial that was printed when a copy was made, 0 where nothing was; None if the copy cannot be read."""
    query = "SELECT body FROM facts WHERE kind IN (?, ?)"
    try:
        with closing(facts_to_read(copy.folder / FACTS)) as connection:
            rows = connection.execute(query, (SheetsPrinted.KIND, FormsPrinted.KIND)).fetchall()
        bodies = [json.loads(text) for (text,) in rows]
        papers = (each for body in bodies for each in (*body.get("sheets", ()), *body.get("forms", ())))
        return max((int(each["serial"]) for each in papers), default=0)
    except UNREADABLE:
        return None

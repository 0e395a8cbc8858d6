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
import tomllib
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from uuid import uuid4

from msgspec import Struct, convert, to_builtins
from msgspec.structs import asdict

from pipeline.ledger import files
from pipeline.ledger.claims import hold_lock
from pipeline.ledger.events import EventRestored, FormsPrinted, SheetsPrinted
from pipeline.ledger.fact_file import opened_to_read
from pipeline.ledger.facts import FACTS
from pipeline.ledger.verification import LastWritten, Snapshot, Tip, sum_of, verify
from pipeline.printable import unprintable
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.small_files import LARGEST, fault_in_file_name, read_small

MANIFEST = "copy.json"
PLACE_ENDS = "-backups"  # how a place beside an event is called, behind the event's name
LOCK = "copying.lock"
SCANS, PICTURES = "scans", "out/crops"  # in the event, and in a place: what is copied once
RECEIVED = "scan received"
KEEP_NEWEST, KEEP_EVERY, KEEP_LONGER = (
    10,
    10,
    100,
)  # kept: the ten newest, of the hundred newest every tenth, then every hundredth
EVENT_FILE = "event.toml"
EVENT_FILES = (EVENT_FILE, FACTS)  # a folder with one of them holds an event, or what is left of one
OWN_GATES = "gate-*.toml"  # own thresholds, each file named for what 'calibrate' wrote into it
RULES = "rules"  # the folder of the event's own rules
SCAN_NAME = re.compile(r"([0-9a-f]{64})(\..*)?")  # a scan is named by its hash
COPY_NAME = re.compile(r".+-([0-9a-f]{6})-(\d{4,15})")  # code, beginning of the identity, number
PNG, PNG_ENDS = b"\x89PNG\r\n\x1a\n", b"IEND"
MOST = 1 << 53  # a number of a fact or of a copy that large is nonsense
ANOTHER = "see who may write there, or name another place"
REPLACED = "the files of this copy are not what was copied; a new copy was made"
OTHERS = "'ordersheets restore' lists the others"
DAMAGED_PICTURE = "this picture of a row is damaged"


class NotWhole(ValueError):
    """A copy that cannot be restored, and why."""


SPOILT = (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
UNREADABLE = (*SPOILT, sqlite3.Error, Stopped)


class Mended(Problem, frozen=True):
    """Damage in a place that was mended: it is reported, and nothing failed."""


class Label(Struct, frozen=True):
    """The label of a copy: its event, for people, and the files that are in it beside its facts."""

    name: str
    code: str
    files: Mapping[str, bytes]  # by their names in the event's folder


class Manifest(Struct, frozen=True, kw_only=True):
    """What ``copy.json`` says of a copy."""

    name: str  # of the event
    code: str
    number: int  # 1.., in the order in which the copies of an event were made in this place
    tip: Tip
    at: str  # ISO 8601
    files: Mapping[str, str]  # by name, their SHA-256


class Copy(Manifest, frozen=True, kw_only=True):
    folder: Path

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


def holds_or_left(connection: sqlite3.Connection, copy: Copy) -> bool:
    """Whether a file holds what a copy holds, or left it on purpose: it was restored since, from an earlier copy."""
    if contains_tip(connection, copy.tip):
        return True
    (restored,) = connection.execute("SELECT MAX(at) FROM facts WHERE kind = ?", (EventRestored.KIND,)).fetchone()
    return _tip_in(connection).identity == copy.tip.identity and restored is not None and copy.at < restored


def facts_to_read(path: Path) -> sqlite3.Connection:
    """Open facts to copy them, even if nothing can be written beside them."""
    connection = opened_to_read(path)
    if connection is None:
        raise stop("event.db cannot be opened; see who may read it", str(path))
    return connection


def make_copy(facts: Snapshot, place: Path, label: Label, at: str, *, verifies_all: bool = False) -> Made:
    """Copy an event into a place and delete surplus copies there; returns the newest copy if nothing is new.

    Its facts are those that are open, whatever their path names now. With ``verifies_all`` all scans and pictures in
    the place are verified, linked ones too; damaged ones are mended.
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
            newest = max(of_event(copies_in(place), tip.identity), key=lambda copy: copy.number, default=None)
            is_sound = newest is None or is_whole(newest)
            notes = () if is_sound else (Mended(Weight.NOTES, REPLACED, str(newest and newest.folder)),)
            if newest is not None and is_sound and newest.tip == tip and newest.has_files_of(label):
                made = Made(newest, _keep_files(facts.path.parent, place, verifies_all=True) if verifies_all else ())
            else:
                made = _new_copy(facts, place, label, at, verifies_all=verifies_all)
            mine = [each for each in of_event(copies_in(place), tip.identity) if facts.has(each.tip)]
            # never a copy with facts that this event lacks: they may exist nowhere else
            for old in _surplus_copies(mine):
                _remove(old.folder)
            return Made(made.copy, (*notes, *made.notes))
    except (OSError, sqlite3.Error) as error:
        raise files.write_refused(
            error, str(place), "no copy of the event can be made", ANOTHER, "do it again"
        ) from error


def _new_copy(facts: Snapshot, place: Path, label: Label, at: str, *, verifies_all: bool) -> Made:
    part = place / f".ordersheets-{uuid4().hex}.part"
    part.mkdir()
    try:
        written = facts.write_to(part / FACTS)
        for name, data in label.files.items():
            path = files.place_inside(part, name)
            files.make_folder(path.parent)
            files.write_synced(path, data)
        with closing(facts_to_read(part / FACTS)) as connection:
            tip = _tip_in(connection)
            if faults := _damage_in(connection, facts.path, written):  # read back: a disk may have lost some of it
                raise Stopped(faults)
        # after the facts: each scan of which they know is there
        notes = _keep_files(facts.path.parent, place, verifies_all=verifies_all)
        before = [copy.number for copy in of_event(copies_in(place), tip.identity)]
        number = 1 + max(before, default=0)
        while (folder := place / f"{label.code}-{tip.identity[:6]}-{number:04d}").exists():  # taken by a damaged copy
            number += 1
        hashes = {name: files.hash_file(part / name) for name in (FACTS, *label.files)}
        said = Manifest(name=label.name, code=label.code, number=number, tip=tip, at=at, files=hashes)
        description = to_builtins(said)
        description["checksum"] = _checksum_of(description)
        files.write_synced(part / MANIFEST, json.dumps(description, ensure_ascii=False, indent=1).encode())
        part.replace(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return Made(Copy(folder=folder, **asdict(said)), notes)


def _keep_files(event: Path, place: Path, *, verifies_all: bool) -> tuple[Problem, ...]:
    """Bring new scans and pictures to a place, and mend those there that are damaged; returns what was found.

    Without ``verifies_all`` a file there that has the size of the event's own is taken for the same.
    """
    problems: list[Problem | None] = []
    for inside in (SCANS, PICTURES):
        if not (event / inside).is_dir():
            continue
        files.make_folder(place / inside)
        there = files.files_in(place / inside)
        for name, file in files.files_in(event / inside).items():
            source, target = event / inside / name, place / inside / name
            is_alike = _is_same_file(file, there.get(name))
            if inside == SCANS and not (is_alike and (not verifies_all or is_scan_whole(target))):
                problems.append(_keep_scan(source, target, is_there=name in there))
            elif inside == PICTURES and not (is_alike and (not verifies_all or _is_picture_kept(source, target))):
                problems.append(_keep_picture(source, target))
    return tuple(each for each in problems if each is not None)


def is_scan_whole(path: Path) -> bool:
    """Whether a scan is what came in, as its name says; a file that is not named by its hash is not judged."""
    named = SCAN_NAME.fullmatch(path.name)
    try:
        return named is None or files.hash_file(path) == named[1]
    except OSError:  # a bad spot on a stick
        return False


def _keep_scan(source: Path, target: Path, *, is_there: bool) -> Problem | None:
    """Copy a scan that is missing in a place or damaged there, if the event's own is good; returns what was found."""
    if not is_scan_whole(source):
        mend = (
            f"copy it back from {target}" if is_scan_whole(target) else "copy it back from another place, or scan again"
        )
        return Problem(Weight.NOTES, f"this scan is not what came in, and is not copied; {mend}", str(source))
    files.bring(source, target, files.copy_file)
    if not is_there:
        return None
    return Mended(Weight.NOTES, "this scan was damaged beside the copies, and was copied anew", str(target))


def keep_scan_beside(scan: Path, event: Path) -> None:
    """Keep a new scan beside the event's copies at once, so that it outlives the event's folder."""
    place_beside(event).mkdir(exist_ok=True)
    folder = files.place_inside(place_beside(event), SCANS)
    folder.mkdir(exist_ok=True)
    if not (folder / scan.name).exists():
        files.bring(scan, folder / scan.name, files.copy_file)


def bring_scan_back(scan: Path, event: Path) -> None:
    """Bring a scan that is gone back from beside the event's copies, if it is there as it came in."""
    beside = place_beside(event) / SCANS / scan.name
    if beside.is_file() and is_scan_whole(beside):
        with suppress(OSError):
            scan.parent.mkdir(exist_ok=True)
            files.bring(beside, scan, files.copy_file)


def _keep_picture(source: Path, target: Path) -> Problem | None:
    """Copy a picture of a row that is missing in a place or differs there; never a damaged one."""
    if not is_picture_whole(source):
        return describe_damaged_picture(source, (target,))
    is_new = not target.is_file() or (is_picture_whole(target) and source.stat().st_size != target.stat().st_size)
    files.bring(source, target)
    if is_new:  # or made again, since a page was read again
        return None
    text = "this picture of a row was not the event's own, and was copied anew"
    return Mended(Weight.NOTES, text, str(target))


def _is_picture_kept(source: Path, target: Path) -> bool:
    """Whether a place has the picture, and it is whole; two names of one file are damaged together."""
    return files.are_alike(source, target) and is_picture_whole(source)


def describe_damaged_picture(picture: Path, others: Iterable[Path]) -> Problem:
    """Say that a picture of a row is damaged, and where a good one is, or the scan from which it was cut."""
    good = next((other for other in others if other.is_file() and is_picture_whole(other)), None)
    scans = picture.parents[len(Path(PICTURES).parts)] / SCANS
    scan = next(scans.glob(f"{glob.escape(picture.name.split('-')[0])}*"), None)
    if good is not None:
        mend = f"copy it back from {good}"
    elif scan is not None:
        mend = f"there is no good one, but the scan itself is kept: {scan}"
    else:
        mend = "there is no good one, and its scan is not there; look at the paper"
    return Problem(Weight.NOTES, f"{DAMAGED_PICTURE}; {mend}", str(picture))


def is_picture_whole(path: Path) -> bool:
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


def _is_same_file(file: "os.DirEntry[str]", there: "os.DirEntry[str] | None") -> bool:
    """Whether the same file is there already: hard-linked, or of the same size."""
    return there is not None and (file.inode() == there.inode() or file.stat().st_size == there.stat().st_size)


def copies_in(place: Path) -> list[Copy]:
    """The copies in a place that are whole, of whatever events; half-written ones are not among them."""
    return [copy for copy in _read_place(place) if isinstance(copy, Copy)]


def spoilt_in(place: Path) -> list[Problem]:
    """What is wrong with the copies in a place that cannot be restored."""
    return [
        Problem(Weight.NOTES, f"no copy to go on from: {spoilt.fault}", str(spoilt.folder / MANIFEST))
        for spoilt in _read_place(place)
        if isinstance(spoilt, Spoilt)
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
    said = convert(description, Manifest)
    for name in said.files:
        if fault := fault_in_file_name(name):
            raise NotWhole(f"{name[:80]!r} {fault}")
    if len({files.name_anywhere(name) for name in said.files}) < len(said.files):
        raise NotWhole("two of its files have one name on some systems")
    if (
        FACTS not in said.files
        or not files.is_moment(said.at)
        or not (0 < said.tip.facts < MOST and 0 < said.number < MOST)
    ):
        raise NotWhole("it does not say when it was made, and of what")
    if any(map(unprintable, (said.name, said.code, str(manifest)))):
        raise NotWhole("its name cannot be printed")
    if description.get("checksum") != _checksum_of(description):
        raise NotWhole("its description (copy.json) was changed or damaged")
    return Copy(folder=manifest.parent, **asdict(said))


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


def parts_of(copy: Copy) -> list[str]:
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


def of_event(copies: Iterable[Copy], identity: str) -> list[Copy]:
    """The copies of one event, oldest first."""
    return sorted((copy for copy in copies if copy.tip.identity == identity), key=lambda copy: copy.number)


def _surplus_copies(copies: list[Copy]) -> Iterator[Copy]:
    """The copies to delete; their age is known by their numbers, not by a clock."""
    newest = copies[-1].number if copies else 0
    for copy in copies:
        behind = newest - copy.number
        if behind >= KEEP_NEWEST and copy.number % (KEEP_EVERY if behind < KEEP_LONGER else KEEP_LONGER):
            yield copy


def _remove(folder: Path) -> None:
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
    """All damage in a copy: files, facts, scans, pictures of rows; what is one file with an event's is left to that."""
    if faults := faults_in_files(copy):
        return faults
    scans = scans_in(copy)
    missing = [
        describe_missing(copy, scan)
        for scan in scans
        if not (event and _is_linked(event / SCANS / scan.name, copy.place / SCANS / scan.name))
        and not scan.is_in(copy.place)
    ]
    damaged = [
        Problem(Weight.NOTES, DAMAGED_PICTURE, str(path))
        for path in pictures_of(copy, scans)
        if not (event and _is_linked(event / PICTURES / path.name, path)) and not is_picture_whole(path)
    ]
    return (*missing, *damaged)


def _is_linked(file: Path, other: Path) -> bool:
    """Whether two names are of one file."""
    return file.is_file() and other.is_file() and file.samefile(other)


def faults_in_files(copy: Copy) -> tuple[Problem, ...]:
    """All damage in a copy's own files and facts."""
    faults = [
        Problem(Weight.STOPS, f"this file of the copy is not what was copied; {OTHERS}", str(copy.folder / name))
        for name, sha256 in copy.files.items()
        if files.hash_file(copy.folder / name) != sha256
    ]
    if faults:
        return tuple(faults)
    with closing(facts_to_read(copy.folder / FACTS)) as connection:
        return _damage_in(connection, copy.folder / FACTS)


def is_whole(copy: Copy) -> bool:
    """Whether the files of a copy are what was copied; a process reads again only what has changed."""
    try:
        return all(files.hash_once(copy.folder / name) == sha256 for name, sha256 in copy.files.items())
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


def _damage_in(connection: sqlite3.Connection, path: Path, last: LastWritten | None = None) -> tuple[Problem, ...]:
    return verify(connection, path, "see 'ordersheets restore' for a copy that is whole", last)


class KnownScan(Struct, frozen=True):
    """A scan of which a copy knows."""

    sha256: str
    name: str  # in ``scans/``
    came_as: str  # the name of the file that came in

    def is_in(self, folder: Path) -> bool:
        """Whether it is in a place or an event, as it came in."""
        try:
            return files.hash_file(folder / SCANS / self.name) == self.sha256
        except OSError:
            return False


def describe_missing(copy: Copy, scan: KnownScan) -> Problem:
    """Say that a scan cannot be restored."""
    text = (
        f"this scan ({scan.came_as}) is missing beside the copy, or is not what came in; "
        "to restore the event without it: --without-damaged"
    )
    return Problem(Weight.STOPS, text, str(copy.place / SCANS / scan.name))


def scans_in(copy: Copy) -> list[KnownScan]:
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


def pictures_of(copy: Copy, scans: Iterable[KnownScan]) -> Iterator[Path]:
    """The pictures of rows of these scans, beside a copy: each is named by the beginning of its scan's hash."""
    pictures, beginnings = copy.place / PICTURES, {scan.sha256[:16] for scan in scans}
    for name in sorted(files.files_in(pictures)) if pictures.is_dir() else ():
        if name.split("-")[0] in beginnings:
            yield pictures / name


def tip_in_file(path: Path) -> Tip | None:
    """The newest fact in a file; None where the facts cannot be read."""
    if not path.is_file() or not path.stat().st_size:
        return None
    try:
        with closing(facts_to_read(path)) as connection:
            return _tip_in(connection)
    except (sqlite3.Error, Stopped, ValueError, TypeError):
        return None


def place_beside(folder: Path) -> Path:
    """Where an event's copies lie: beside its folder, so that they stay when it is deleted."""
    whole = folder.resolve()
    return whole.with_name(f"{whole.name}{PLACE_ENDS}")


class InPlace(Struct, frozen=True):
    copies: tuple[Copy, ...]
    spoilt: tuple[Spoilt, ...]


def look_in(place: Path) -> InPlace:
    """The copies in a place, and those that cannot be read."""
    every_copy = [*_read_place(place)]
    return InPlace(
        tuple(each for each in every_copy if isinstance(each, Copy)),
        tuple(each for each in every_copy if isinstance(each, Spoilt)),
    )


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

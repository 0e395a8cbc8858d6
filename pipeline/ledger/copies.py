"""Copies of an event in a place of their own: its facts as of one moment, its files, and every scan once.

A place is a folder. In it stands a folder for each copy, with ``copy.json`` that says what it holds; it is written
under another name and renamed, so that a copy is whole or not there. Scans and pictures of rows lie beside them, once.
One program at a time writes in a place; the next one removes what a killed one left.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from msgspec import Struct, to_builtins

from pipeline.ledger.claims import hold_lock
from pipeline.ledger.events import EventRestored, FormsPrinted, SheetsPrinted
from pipeline.ledger.facts import FACTS, Clock, LastWritten, opened_to_read, read_tip, sum_of, tip_beside, verify
from pipeline.ledger.files import (
    PARTS,
    code_of,
    is_moment,
    name_anywhere,
    place_inside,
    remove_link,
    write_refused,
    write_whole,
)
from pipeline.ledger.ledger import Ledger, body_of
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.table import LARGEST, fault_in_file_name, read_small, unprintable

MANIFEST = "copy.json"
PLACE_ENDS = "-backups"  # how a place beside an event is called, behind the event's name
MOMENT_S = 0.5  # how long a command waits for an answer from a second place
_asked: dict[Path, threading.Thread] = {}  # the last look at each second place
LOCK = "copying.lock"
SCANS, PICTURES = "scans", "out/crops"  # in the event, and in a place: what is copied once
RECEIVED = "scan received"
KEEP_NEWEST, KEEP_EVERY, KEEP_LONGER = (
    10,
    10,
    100,
)  # kept: the ten newest, of the hundred newest every tenth, then every hundredth
CHUNK = 1 << 20
MOST = 1 << 53  # facts, and copies
ANOTHER = "see who may write there, or name another place"


class NotWhole(ValueError):
    """A copy that cannot be restored, and why."""


SPOILT = (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)


class Label(Struct, frozen=True):
    """The label of a copy: its event, for people, and which files are in it beside its facts."""

    name: str
    code: str
    files: tuple[str, ...]  # relative to the event's folder


class Tip(Struct, frozen=True):
    """The newest fact of a file, with its checksum: two files with the same tip hold the same facts."""

    identity: str  # the sum of the first fact: of which event they are
    facts: int  # the number of the newest one
    sum: str  # its checksum


class Copy(Struct, frozen=True, kw_only=True):
    """One copy that is whole."""

    folder: Path
    name: str  # of the event
    code: str
    number: int  # 1.., in the order in which the copies of an event were made in this place
    tip: Tip
    at: str  # ISO 8601
    files: Mapping[str, str]  # by name, their SHA-256

    @property
    def place(self) -> Path:
        """Where it lies, with its scans."""
        return self.folder.parent


def _tip_of(connection: sqlite3.Connection) -> Tip:
    """How far the facts in a file go; number 0 where there are none."""
    rows = connection.execute(
        "SELECT id, at, by, kind, body FROM facts WHERE id IN "
        "((SELECT MIN(id) FROM facts), (SELECT MAX(id) FROM facts)) ORDER BY id"
    ).fetchall()
    if not rows:
        return Tip("", 0, "")
    return Tip(sum_of(*rows[0]), int(rows[-1][0]), sum_of(*rows[-1]))


def has_tip(connection: sqlite3.Connection, tip: Tip) -> bool:
    """Whether facts contain a tip, so that a copy with that tip is an earlier state of them."""
    row = connection.execute("SELECT id, at, by, kind, body FROM facts WHERE id = ?", (tip.facts,)).fetchone()
    return row is not None and sum_of(*row) == tip.sum and _tip_of(connection).identity == tip.identity


def facts_to_read(path: Path) -> sqlite3.Connection:
    """Open facts to copy them; nothing is written beside them."""
    connection = opened_to_read(path)
    if connection is None:
        raise stop("event.db cannot be opened; see who may read it", str(path))
    return connection


def make_copy(event: Path, place: Path, label: Label, at: str) -> Copy:
    """Copy an event into a place and delete surplus copies there; returns the newest copy if nothing is new.

    The place's folder is created, its parent is not: if that is missing, a stick was removed.
    """
    try:
        place.mkdir(exist_ok=True)
        remove_link(place / LOCK)
        with hold_lock(place / LOCK, lambda: None):
            _remove_parts(place)
            copy = _latest(event, place, label) or _new_copy(event, place, label, at)
            with closing(facts_to_read(event / FACTS)) as connection:
                mine = [
                    each for each in _of_event(copies_in(place), copy.tip.identity) if has_tip(connection, each.tip)
                ]
            # never a copy with facts that this event lacks: they may exist nowhere else
            for old in _surplus_copies(mine):
                remove(old.folder)
            return copy
    except (OSError, sqlite3.Error) as error:
        raise write_refused(error, str(place), "no copy of the event can be made", ANOTHER, "do it again") from error


def _latest(event: Path, place: Path, label: Label) -> Copy | None:
    """The newest copy in a place, where it is of the event as it is now."""
    with closing(facts_to_read(event / FACTS)) as connection:
        tip = _tip_of(connection)
    newest = max(_of_event(copies_in(place), tip.identity), key=lambda copy: copy.number, default=None)
    if newest is None or newest.tip != tip:
        return None
    now = {name: _hash_file(event / name) for name in label.files}
    return newest if all(newest.files.get(name) == sha256 for name, sha256 in now.items()) else None


def _new_copy(event: Path, place: Path, label: Label, at: str) -> Copy:
    """Make the next copy."""
    part = place / f".ordersheets-{uuid4().hex}.part"
    part.mkdir()
    try:
        written = read_tip(event / FACTS)  # before the facts, because more may be written while they are copied
        _copy_facts(event / FACTS, part / FACTS)
        for name in label.files:
            path = place_inside(part, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            _copy_file(event / name, path)
        with closing(facts_to_read(part / FACTS)) as connection:
            tip = _tip_of(connection)
            # damaged facts are never copied over good ones
            if faults := _damage_in(connection, event / FACTS, written):
                raise Stopped(faults)
        for inside in (SCANS, PICTURES):
            _keep_once(event / inside, place / inside)
        before = [copy.number for copy in _of_event(copies_in(place), tip.identity)]
        number = 1 + max(before, default=0)
        while (folder := place / f"{label.code}-{tip.identity[:6]}-{number:04d}").exists():  # taken by a damaged copy
            number += 1
        files = {name: _hash_file(part / name) for name in (FACTS, *label.files)}
        told = {
            "name": label.name,
            "code": label.code,
            "number": number,
            "tip": to_builtins(tip),
            "at": at,
            "files": files,
        }
        told["checksum"] = _checksum_of(told)
        _write_synced(part / MANIFEST, json.dumps(told, ensure_ascii=False, indent=1).encode())
        part.replace(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return Copy(folder=folder, name=label.name, code=label.code, number=number, tip=tip, at=at, files=files)


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


def _keep_once(source: Path, target: Path, wanted: Callable[[str], bool] = lambda _: True) -> None:
    """Bring the files of a folder that are not in another yet: linked where both are on one disk, else copied."""
    if not source.is_dir():
        return
    target.mkdir(parents=True, exist_ok=True)
    there = _files_in(target)
    for name, file in _files_in(source).items():
        if wanted(name) and not _is_same_file(file, there.get(name)):
            part = target / f".ordersheets-{uuid4().hex}.part"
            try:
                _link_or_copy(source / name, part)
                part.replace(target / name)
            finally:
                part.unlink(missing_ok=True)


def _is_same_file(file: "os.DirEntry[str]", there: "os.DirEntry[str] | None") -> bool:
    """Whether the same file is there already: hard-linked, or of the same size."""
    return there is not None and (file.inode() == there.inode() or file.stat().st_size == there.stat().st_size)


def _link_or_copy(source: Path, target: Path) -> None:
    """Hard-link a file that is never changed, or copy it if the disk has no hard links."""
    try:
        os.link(source, target)
    except (OSError, NotImplementedError):
        _copy_file(source, target)


def _files_in(folder: Path) -> "dict[str, os.DirEntry[str]]":
    """The files of a folder by their names; not what is half-written."""
    with os.scandir(folder) as entries:
        return {each.name: each for each in entries if not each.name.startswith(".") and each.is_file()}


def copies_in(place: Path) -> list[Copy]:
    """The copies in a place that are whole, of whatever events; half-written ones are not among them."""
    return [found for found in _read_place(place) if isinstance(found, Copy)]


def spoilt_in(place: Path) -> list[Problem]:
    """What is wrong with the copies in a place that cannot be restored."""
    return [found for found in _read_place(place) if isinstance(found, Problem)]


def _read_place(place: Path) -> Iterator[Copy | Problem]:
    """The copies in a place, or what is wrong with each damaged one."""
    with suppress(OSError):
        for manifest in sorted(place.glob(f"*/{MANIFEST}")):
            if manifest.parent.name.startswith("."):
                continue
            try:
                yield _read_manifest(manifest)
            except SPOILT as error:
                fault = str(error) if isinstance(error, NotWhole) else "it cannot be read"
                yield Problem(Weight.NOTES, f"no copy to go on from: {fault}", str(manifest))


def _read_manifest(manifest: Path) -> Copy:
    """Read a copy's description; raises one of `SPOILT` if that fails or a file is missing."""
    told = json.loads(read_small(manifest))
    files = {str(name): str(sha256) for name, sha256 in told["files"].items()}
    for name in files:
        if fault := fault_in_file_name(name):
            raise NotWhole(f"{name[:80]!r} {fault}")
        if not (manifest.parent / name).is_file():
            raise NotWhole(f"{name} is not in it")
        if name != FACTS and (manifest.parent / name).stat().st_size > LARGEST:
            raise NotWhole(f"{name} is larger than {LARGEST >> 20} MB")
    if len({name_anywhere(name) for name in files}) < len(files):
        raise NotWhole("two of its files have one name on some systems")
    tip = Tip(str(told["tip"]["identity"]), int(told["tip"]["facts"]), str(told["tip"]["sum"]))
    name, code, at, number = str(told["name"]), str(told["code"]), str(told["at"]), int(told["number"])
    if FACTS not in files or not is_moment(at) or not (0 < tip.facts < MOST and 0 < number < MOST):
        raise NotWhole("it does not say when it was made, and of what")
    if any(map(unprintable, (name, code, str(manifest)))):
        raise NotWhole("its name cannot be printed")
    if told.get("checksum") != _checksum_of(told):
        raise NotWhole("its description (copy.json) was changed or damaged")
    return Copy(folder=manifest.parent, name=name, code=code, number=number, tip=tip, at=at, files=files)


def _checksum_of(told: Mapping[str, Any]) -> str:
    """The checksum of a copy's description."""
    rest = {name: value for name, value in told.items() if name != "checksum"}
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
        for part in inside.glob(PARTS):
            if part.is_dir():
                shutil.rmtree(part, ignore_errors=True)
            else:
                part.unlink(missing_ok=True)


def faults_of(copy: Copy) -> tuple[Problem, ...]:
    """All damage in a copy: files, facts, scans."""
    found = [
        Problem(Weight.STOPS, "this file of the copy is not what was copied", str(copy.folder / name))
        for name, sha256 in copy.files.items()
        if _hash_file(copy.folder / name) != sha256
    ]
    if found:
        return tuple(found)
    with closing(facts_to_read(copy.folder / FACTS)) as connection:
        found += _damage_in(connection, copy.folder / FACTS)
    for sha256, name in _scans_in(copy):
        path = copy.place / SCANS / name
        if not path.is_file() or _hash_file(path) != sha256:
            text = "this scan is missing beside the copy, or is not what came in"
            found.append(Problem(Weight.STOPS, text, str(path)))
    return tuple(found)


def _damage_in(connection: sqlite3.Connection, path: Path, tip: LastWritten | None = None) -> tuple[Problem, ...]:
    """All damage in facts."""
    return verify(connection, path, "see 'ordersheets restore' for a copy that is whole", tip)


def _scans_in(copy: Copy) -> list[tuple[str, str]]:
    """The scans of which a copy knows: their hashes, and their names in ``scans/``."""
    with closing(facts_to_read(copy.folder / FACTS)) as connection:
        rows = connection.execute("SELECT body FROM facts NOT INDEXED WHERE kind = ? ORDER BY id", (RECEIVED,))
        bodies = [json.loads(text) for (text,) in rows]
    return [(str(body["sha256"]), place_inside(copy.place / SCANS, str(body["path"])).name) for body in bodies]


def _hash_file(path: Path) -> str:
    """The hash of a file; empty if it is missing."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# Restore an event from a copy: into a new folder, or in place of the old one, which is kept.

LIVING = ("event.toml", FACTS)  # a folder with one of them holds an event, or what is left of one
CERTIFICATE = "office.pem"  # of the pages, with its key; it is this machine's and goes nowhere else
LOST = ("claims.db", "reading.lock", CERTIFICATE)  # no part of an event
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class Restoration(Struct, frozen=True):
    """A restoration: which copy, where to, and the fact that records it."""

    copy: Copy
    target: Path
    said: EventRestored
    by: str
    clock: Clock


class Restored(Struct, frozen=True):
    """The result of a restoration."""

    kept: Path | None  # where what was replaced is kept
    unknown: tuple[str, ...]  # scans that are in the folder, and of which the copy does not know
    is_new: bool = True  # False: it was done before


def restore(wish: Restoration, *, replaces: bool) -> Restored:
    """Restore an event from a copy; if it is killed, the folder holds either the old event or the restored one.

    An existing event is replaced only if wanted, and kept beside. Repeating the command changes nothing.
    """
    if faults := faults_of(wish.copy):
        raise Stopped(faults)
    target = wish.target
    try:
        if not any((target / name).exists() for name in LIVING):
            return _restore_anew(wish)
        if _is_restored(wish):
            return Restored(None, (), is_new=False)
        if not replaces:
            text = "an event is in this folder; choose another one, or with --replace it is kept beside and replaced"
            raise stop(text, str(target))
        return _restore_over(wish)
    except OSError as error:
        raise write_refused(error, str(target), "the event cannot be restored", "see who may write there") from error


def _restore_anew(wish: Restoration) -> Restored:
    """Restore into a new folder, which appears only when it is complete."""
    if wish.target.is_dir() and any(wish.target.iterdir()):
        raise stop("this folder holds files and no event; choose another one", str(wish.target))
    part = fresh(wish.target.with_name(f".ordersheets-{wish.target.name}.part"))
    part.mkdir(parents=True)
    try:
        for name in wish.copy.files:
            path = place_inside(part, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            _copy_file(wish.copy.folder / name, path)
        _bring_scans(wish.copy, part)
        _record_restoration(part / FACTS, wish)
        if wish.target.is_dir():
            wish.target.rmdir()
        part.replace(wish.target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return Restored(None, ())


def _restore_over(wish: Restoration) -> Restored:
    """Restore over an event: the facts are replaced in one step, and the old event is kept."""
    target = wish.target
    _check_same_event(wish)
    for name in wish.copy.files:
        place_inside(target, name)
    kept = _kept_aside(target)
    _bring_scans(wish.copy, target)
    part = fresh(target / ".ordersheets-restored.part")
    try:
        _copy_file(wish.copy.folder / FACTS, part)
        _record_restoration(part, wish)
        for name in wish.copy.files:
            data = (wish.copy.folder / name).read_bytes() if name != FACTS else b""
            path = place_inside(target, name)
            if name != FACTS and not (path.is_file() and path.read_bytes() == data):
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, data)
        _close_log(target / FACTS)
        tip_beside(target / FACTS).unlink(missing_ok=True)  # it counts more facts than there will be
        part.replace(target / FACTS)
        tip_beside(part).replace(tip_beside(target / FACTS))
    finally:
        part.unlink(missing_ok=True)
        tip_beside(part).unlink(missing_ok=True)
    known = {name for _, name in _scans_in(wish.copy)}
    unknown = sorted(each.name for each in (target / SCANS).iterdir() if not each.name.startswith("."))
    return Restored(kept, tuple(name for name in unknown if name not in known))


def fresh(part: Path) -> Path:
    """An unused file name, without SQLite's logs beside it; leftovers of a killed program are deleted."""
    for left in part.parent.glob(f"{part.name}*"):
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink()
    return part


def _check_same_event(wish: Restoration) -> None:
    """Stop unless the copy is of this event; damaged facts cannot be compared."""
    tip = _tip_in(wish.target / FACTS)
    if tip is not None and tip.facts and tip.identity != wish.copy.tip.identity:
        text = f"another event is in this folder than the copy's, {wish.copy.name}; choose another folder"
        raise stop(text, str(wish.target))


def _tip_in(path: Path) -> Tip | None:
    """How far the facts in a file go; None where they cannot be read."""
    if not path.is_file() or not path.stat().st_size:
        return None
    try:
        with closing(facts_to_read(path)) as connection:
            return _tip_of(connection)
    except (sqlite3.Error, Stopped, ValueError, TypeError):
        return None


def _bring_scans(copy: Copy, target: Path) -> None:
    """Bring the scans of which a copy knows, and the pictures of their rows."""
    names = {name for _, name in _scans_in(copy)}
    beginnings = {sha256[:16] for sha256, _ in _scans_in(copy)}
    for inside in (SCANS, PICTURES):
        (target / inside).mkdir(parents=True, exist_ok=True)
    _keep_once(copy.place / SCANS, target / SCANS, names.__contains__)
    _keep_once(copy.place / PICTURES, target / PICTURES, lambda name: name.split("-")[0] in beginnings)


def _record_restoration(path: Path, wish: Restoration) -> None:
    """Record in the restored facts that they come from a copy."""
    with Ledger(path, wish.clock) as facts:
        facts.write(wish.said, wish.by)
        facts.connection.execute("PRAGMA journal_mode = DELETE")


def _is_restored(wish: Restoration) -> bool:
    """Whether this restoration was done already, with no fact since."""
    path = wish.target / FACTS
    tip = _tip_in(path)
    if tip is None or (tip.identity, tip.facts) != (wish.copy.tip.identity, wish.copy.tip.facts + 1):
        return False
    with closing(facts_to_read(path)) as connection:
        kind, body = connection.execute("SELECT kind, body FROM facts WHERE id = ?", (tip.facts,)).fetchone()
    return bool(kind == EventRestored.KIND and json.loads(body) == body_of(wish.said))


def _kept_aside(target: Path) -> Path:
    """Keep an event's folder under another name beside it, unless that was done already and nothing changed."""
    former = sorted(target.parent.glob(f"{target.name}-replaced-*"), key=lambda path: (len(path.name), path.name))
    tip = _tip_in(target / FACTS)
    if former and tip is not None and _tip_in(former[-1] / FACTS) == tip:
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
    return {name for name in names if name.startswith((".ordersheets-", FACTS, *LOST))}


def _link_or_copy_named(source: str, target: str) -> None:
    """`_link_or_copy` for `shutil`; files that people edit are copied, since some programs write in place."""
    inside = Path(source).parent.name in (SCANS, Path(PICTURES).name)
    (_link_or_copy if inside else _copy_file)(Path(source), Path(target))


def _close_log(path: Path) -> None:
    """Checkpoint SQLite's write-ahead log, and check that no other program has the facts open.

    The log of damaged facts is deleted with them; they are kept beside.
    """
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(path, timeout=1, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if code_of(error) in BUSY:
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


def newer_copy(facts: Ledger, folder: Path, second: Path | None) -> Copy | None:
    """The copy with most facts among those with facts that the event lacks; None if there is none in sight.

    In sight are the copies beside the event's folder and those in its second place, if that answers within a moment.
    """
    places = [*_copies_by_place(folder.resolve().parent)]
    if second is not None:
        places += _answer_of(second.absolute())
    found = [copy for copies in places if (copy := _newer_among(facts, copies)) is not None]
    return max(found, key=lambda copy: copy.tip.facts, default=None)


def _copies_by_place(folder: Path) -> list[list[Copy]]:
    """The copies in every copy place inside a folder."""
    return [copies_in(place) for place in sorted(folder.glob(f"*{PLACE_ENDS}"))]


def _answer_of(folder: Path) -> list[list[Copy]]:
    """The copies in a second place, empty if it does not answer within a moment."""
    answers: list[list[Copy]] = []

    def look() -> None:
        with suppress(OSError):
            answers.extend(_copies_by_place(folder))

    before = _asked.get(folder)
    if before is not None and before.is_alive():
        return []
    asking = _asked[folder] = threading.Thread(target=look, daemon=True)
    asking.start()
    asking.join(MOMENT_S)
    return [] if asking.is_alive() else answers


def _newer_among(facts: Ledger, copies: list[Copy]) -> Copy | None:
    """The newest copy in one place with facts that the event lacks.

    Copies from before the last restoration (`EventRestored`) are left out: their numbers are smaller than that of the
    first copy since.
    """
    with facts.lock:
        mine = _of_event(copies, _tip_of(facts.connection).identity)
        held = [copy for copy in mine if has_tip(facts.connection, copy.tip)]
    restored = facts.newest(EventRestored)
    since = min((copy.number for copy in held if copy.tip.facts >= restored), default=None) if restored else 0
    if since is None:
        return None
    others = [copy for copy in mine if copy not in held and copy.number > since]
    return others[-1] if others else None


def last_serial(copy: Copy) -> int:
    """The last serial that was printed when a copy was made; 0 where nothing was."""
    query = "SELECT body FROM facts WHERE kind IN (?, ?)"
    with closing(facts_to_read(copy.folder / FACTS)) as connection:
        bodies = [json.loads(text) for (text,) in connection.execute(query, (SheetsPrinted.KIND, FormsPrinted.KIND))]
    papers = (each for body in bodies for each in (*body.get("sheets", ()), *body.get("forms", ())))
    return max((int(each["serial"]) for each in papers), default=0)

"""Copies of an event in a place of their own: its facts as of one moment, its files, and every scan once.

A place is a folder. In it stands a folder for each copy, with ``copy.json`` that says what it holds; it is written
under another name and renamed, so that a copy is whole or not there. Scans and pictures of rows lie beside them, once.
One program at a time writes in a place; what a killed one left is removed by the next.
"""

import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import uuid4

from pipeline.ledger.clock import is_moment
from pipeline.ledger.facts import FACTS, tables_in
from pipeline.ledger.files.checksums import sum_of, verify
from pipeline.ledger.files.disk import PARTS, place_inside, refused
from pipeline.ledger.files.lock import alone
from pipeline.ledger.files.to_read import opened_to_read
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules.toml.plain_text import fault_in_file_name, unprintable

MANIFEST = "copy.json"
LOCK = "copying.lock"
SCANS, PICTURES = "scans", "out/crops"  # in the event, and in a place: what is copied once
RECEIVED = "scan received"
NEWEST, EVERY, LONGER = 10, 10, 100  # kept: the ten newest, of the hundred newest every tenth, then every hundredth
CHUNK = 1 << 20
MOST = 1 << 53  # facts, and copies
ANOTHER = "see who may write there, or name another place"


class NotWhole(ValueError):
    """A copy that nobody can go on from, and why."""


SPOILT = (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)


@dataclass(frozen=True, slots=True)
class Label:
    """Whose copy it is, for people; and which of the event's files are in it beside its facts."""

    name: str
    code: str
    files: tuple[str, ...]  # relative to the event's folder


@dataclass(frozen=True, slots=True)
class Tip:
    """How far facts go: two files with the same tip are copies of one another."""

    identity: str  # the sum of the first fact: of which event they are
    facts: int  # the number of the newest one
    sum: str  # its checksum


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
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


def tip_of(connection: sqlite3.Connection) -> Tip:
    """How far the facts in a file go; number 0 where there are none."""
    rows = connection.execute(
        "SELECT id, at, by, kind, body FROM facts WHERE id IN "
        "((SELECT MIN(id) FROM facts), (SELECT MAX(id) FROM facts)) ORDER BY id"
    ).fetchall()
    if not rows:
        return Tip("", 0, "")
    return Tip(sum_of(*rows[0]), int(rows[-1][0]), sum_of(*rows[-1]))


def holds(connection: sqlite3.Connection, tip: Tip) -> bool:
    """Whether facts went through a tip: what was copied then is the beginning of what they are now."""
    row = connection.execute("SELECT id, at, by, kind, body FROM facts WHERE id = ?", (tip.facts,)).fetchone()
    return row is not None and sum_of(*row) == tip.sum and tip_of(connection).identity == tip.identity


def facts_to_read(path: Path) -> sqlite3.Connection:
    """Open facts to copy them; nothing is written beside them."""
    connection = opened_to_read(path)
    if connection is None:
        raise stop("the facts cannot be opened; see who may read them", str(path))
    return connection


def make_copy(event: Path, place: Path, label: Label, at: str) -> Copy:
    """Copy an event into a place, and thin the copies that lie there; the newest one where nothing is new since.

    The folder of the place is made, the one around it is not: where that is gone, a stick is out.
    """
    try:
        place.mkdir(exist_ok=True)
        with alone(place / LOCK, lambda: None):
            remove_parts(place)
            copy = latest(event, place, label) or new_copy(event, place, label, at)
            with closing(facts_to_read(event / FACTS)) as connection:
                mine = [each for each in of_event(copies_in(place), copy.tip.identity) if holds(connection, each.tip)]
            for old in thinned(mine):  # what this event does not have may be nowhere else
                remove(old.folder)
            return copy
    except (OSError, sqlite3.Error) as error:
        raise refused(error, str(place), "no copy of the event can be made", ANOTHER, "do it again") from error


def latest(event: Path, place: Path, label: Label) -> Copy | None:
    """The newest copy in a place, where it is of the event as it is now."""
    with closing(facts_to_read(event / FACTS)) as connection:
        tip = tip_of(connection)
    newest = max(of_event(copies_in(place), tip.identity), key=lambda copy: copy.number, default=None)
    if newest is None or newest.tip != tip:
        return None
    now = {name: sha256_of(event / name) for name in label.files}
    return newest if all(newest.files.get(name) == sha256 for name, sha256 in now.items()) else None


def new_copy(event: Path, place: Path, label: Label, at: str) -> Copy:
    """Make the next copy."""
    part = place / f".ordersheets-{uuid4().hex}.part"
    part.mkdir()
    try:
        copy_facts(event / FACTS, part / FACTS)
        for name in label.files:
            path = place_inside(part, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            copy_file(event / name, path)
        with closing(facts_to_read(part / FACTS)) as connection:
            tip = tip_of(connection)
            if faults := damage_in(connection, event / FACTS):  # never copied over what is good
                raise Stopped(faults)
        for inside in (SCANS, PICTURES):
            keep_once(event / inside, place / inside)
        before = [copy.number for copy in of_event(copies_in(place), tip.identity)]
        number = 1 + max(before, default=0)
        while (folder := place / f"{label.code}-{tip.identity[:6]}-{number:04d}").exists():  # of a copy that is spoilt
            number += 1
        files = {name: sha256_of(part / name) for name in (FACTS, *label.files)}
        told = {"name": label.name, "code": label.code, "number": number, "tip": asdict(tip), "at": at, "files": files}
        write_synced(part / MANIFEST, json.dumps(told, ensure_ascii=False, indent=1).encode())
        part.replace(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return Copy(folder=folder, name=label.name, code=label.code, number=number, tip=tip, at=at, files=files)


def copy_facts(source: Path, target: Path) -> None:
    """Copy facts as of one moment, whoever writes meanwhile, into a file that needs no other beside it."""
    with closing(facts_to_read(source)) as going, closing(sqlite3.connect(target, isolation_level=None)) as coming:
        coming.execute("PRAGMA synchronous = OFF")  # it is synced below, whole, before anybody knows of it
        going.backup(coming)
        coming.execute("PRAGMA journal_mode = DELETE")
    with target.open("rb+") as written:
        os.fsync(written.fileno())


def copy_file(source: Path, target: Path) -> None:
    """Copy one file, onto the disk."""
    with source.open("rb") as coming, target.open("wb") as going:
        shutil.copyfileobj(coming, going, CHUNK)
        going.flush()
        os.fsync(going.fileno())


def write_synced(target: Path, data: bytes) -> None:
    """Write one file, onto the disk."""
    with target.open("wb") as going:
        going.write(data)
        going.flush()
        os.fsync(going.fileno())


def keep_once(source: Path, target: Path, wanted: Callable[[str], bool] = lambda _: True) -> None:
    """Bring the files of a folder that are not in another yet: linked where both are on one disk, else copied."""
    if not source.is_dir():
        return
    target.mkdir(parents=True, exist_ok=True)
    there = files_in(target)
    for name, file in files_in(source).items():
        if wanted(name) and not is_same(file, there.get(name)):
            part = target / f".ordersheets-{uuid4().hex}.part"
            try:
                link_or_copy(source / name, part)
                part.replace(target / name)
            finally:
                part.unlink(missing_ok=True)


def is_same(file: "os.DirEntry[str]", there: "os.DirEntry[str] | None") -> bool:
    """Whether a file is there: it has two names, or as many bytes; the first is known without asking the disk."""
    return there is not None and (file.inode() == there.inode() or file.stat().st_size == there.stat().st_size)


def link_or_copy(source: Path, target: Path) -> None:
    """Give a file that is never written to a second name, or copy it where the disk knows no such thing."""
    try:
        os.link(source, target)
    except (OSError, NotImplementedError):
        copy_file(source, target)


def files_in(folder: Path) -> "dict[str, os.DirEntry[str]]":
    """The files of a folder by their names; not what is half-written."""
    with os.scandir(folder) as entries:
        return {each.name: each for each in entries if not each.name.startswith(".") and each.is_file()}


def copies_in(place: Path) -> list[Copy]:
    """The copies in a place that are whole, of whatever events; half-written ones are not among them."""
    return [found for found in read_place(place) if isinstance(found, Copy)]


def spoilt_in(place: Path) -> list[Problem]:
    """What is wrong with the copies in a place that are not offered."""
    return [found for found in read_place(place) if isinstance(found, Problem)]


def read_place(place: Path) -> Iterator[Copy | Problem]:
    """The copies in a place; of one that is spoilt, what is wrong with it."""
    with suppress(OSError):
        for manifest in sorted(place.glob(f"*/{MANIFEST}")):
            if manifest.parent.name.startswith("."):
                continue
            try:
                yield read_copy(manifest)
            except SPOILT as error:
                fault = str(error) if isinstance(error, NotWhole) else "it cannot be read"
                yield Problem(Weight.NOTES, f"no copy to go on from: {fault}", str(manifest))


def read_copy(manifest: Path) -> Copy:
    """Read what a copy says of itself; one of `SPOILT` where that cannot be, or a file of it is missing."""
    told = json.loads(manifest.read_text("utf-8"))
    files = {str(name): str(sha256) for name, sha256 in told["files"].items()}
    for name in files:
        if fault := fault_in_file_name(name):
            raise NotWhole(f"{name[:80]!r} {fault}")
        if not (manifest.parent / name).is_file():
            raise NotWhole(f"{name} is not in it")
    tip = Tip(str(told["tip"]["identity"]), int(told["tip"]["facts"]), str(told["tip"]["sum"]))
    name, code, at, number = str(told["name"]), str(told["code"]), str(told["at"]), int(told["number"])
    if FACTS not in files or not is_moment(at) or not (0 < tip.facts < MOST and 0 < number < MOST):
        raise NotWhole("it does not say when it was made, and of what")
    if any(map(unprintable, (name, code, str(manifest)))):
        raise NotWhole("its name cannot be printed")
    return Copy(folder=manifest.parent, name=name, code=code, number=number, tip=tip, at=at, files=files)


def of_event(copies: Iterable[Copy], identity: str) -> list[Copy]:
    """Those of one event, oldest first."""
    return sorted((copy for copy in copies if copy.tip.identity == identity), key=lambda copy: copy.number)


def thinned(copies: list[Copy]) -> Iterator[Copy]:
    """Those of an event's copies that are not kept; how old they are is told by their numbers and by no clock."""
    newest = copies[-1].number if copies else 0
    for copy in copies:
        behind = newest - copy.number
        if behind >= NEWEST and copy.number % (EVERY if behind < LONGER else LONGER):
            yield copy


def remove(folder: Path) -> None:
    """Remove a copy: first it is none any more, then it is gone."""
    part = folder.with_name(f".ordersheets-{uuid4().hex}.part")
    folder.replace(part)
    shutil.rmtree(part, ignore_errors=True)


def remove_parts(place: Path) -> None:
    """Remove what killed programs left: whoever holds the place's lock is the only one at work in it."""
    for inside in (place, place / SCANS, place / PICTURES):
        for part in inside.glob(PARTS):
            if part.is_dir():
                shutil.rmtree(part, ignore_errors=True)
            else:
                part.unlink(missing_ok=True)


def faults_of(copy: Copy) -> tuple[Problem, ...]:
    """Everything of a copy that is not as it was copied: files, facts, scans."""
    found = [
        Problem(Weight.STOPS, "this file of the copy is not what was copied", str(copy.folder / name))
        for name, sha256 in copy.files.items()
        if sha256_of(copy.folder / name) != sha256
    ]
    if found:
        return tuple(found)
    with closing(facts_to_read(copy.folder / FACTS)) as connection:
        found += damage_in(connection, copy.folder / FACTS)
    for sha256, name in scans_in(copy):
        path = copy.place / SCANS / name
        if not path.is_file() or sha256_of(path) != sha256:
            text = "this scan is missing beside the copy, or is not what came in"
            found.append(Problem(Weight.STOPS, text, str(path)))
    return tuple(found)


def damage_in(connection: sqlite3.Connection, path: Path) -> tuple[Problem, ...]:
    """Everything that tells that facts are not as they were written down."""
    whole = "see 'ordersheets restore' for a copy that is whole"
    try:
        has_sums = "checksums" in tables_in(connection)
    except sqlite3.Error as error:
        return (Problem(Weight.STOPS, f"the file is damaged: {error}; {whole}", str(path)),)
    return verify(connection, path, whole, has_sums=has_sums)


def scans_in(copy: Copy) -> list[tuple[str, str]]:
    """The scans of which a copy knows: their hashes, and their names in ``scans/``."""
    with closing(facts_to_read(copy.folder / FACTS)) as connection:
        rows = connection.execute("SELECT body FROM facts NOT INDEXED WHERE kind = ? ORDER BY id", (RECEIVED,))
        bodies = [json.loads(text) for (text,) in rows]
    return [(str(body["sha256"]), place_inside(copy.place / SCANS, str(body["path"])).name) for body in bodies]


def sha256_of(path: Path) -> str:
    """The hash of a file; of one that is not there, nothing."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

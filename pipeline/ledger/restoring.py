"""Restore an event from a copy: into a new folder, or in place of the old one, which is kept."""

import glob
import json
import os
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pipeline.ledger import files
from pipeline.ledger.copies import (
    EVENT_FILES,
    PICTURES,
    SCANS,
    Copy,
    KnownScan,
    describe_missing,
    facts_to_read,
    faults_in_files,
    is_picture_whole,
    parts_of,
    pictures_of,
    scans_in,
    tip_in_file,
)
from pipeline.ledger.events import EventRestored
from pipeline.ledger.facts import FACTS, Clock
from pipeline.ledger.ledger import Ledger, body_of
from pipeline.ledger.verification import file_beside
from pipeline.logs import LOG_FILE
from pipeline.problems import ExitCode, Stopped, stop

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
    if faults := faults_in_files(wish.copy):
        raise Stopped(faults)
    target = wish.target
    places = (target, wish.copy.place)
    scans = {scan: next((place for place in places if scan.is_in(place)), None) for scan in scans_in(wish.copy)}
    missing = tuple(scan for scan, source in scans.items() if source is None)
    if missing and not wish.without_damaged:
        raise Stopped([describe_missing(wish.copy, scan) for scan in missing])
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
    part = _fresh(wish.target.with_name(f".ordersheets-{wish.target.name}.part"))
    part.mkdir(parents=True)
    try:
        for name in parts_of(wish.copy):
            path = files.place_inside(part, name)
            files.make_folder(path.parent)
            files.copy_file(wish.copy.folder / name, path)
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
    for name in (*parts_of(wish.copy), SCANS, PICTURES):
        files.place_inside(target, name)
    kept = _kept_aside(target)
    _bring_scans(wish.copy, target, scans)
    part = _fresh(target / ".ordersheets-restored.part")
    try:
        files.copy_file(wish.copy.folder / FACTS, part)
        _record_restoration(part, wish)
        for name in parts_of(wish.copy):
            if name != FACTS:
                path = files.place_inside(target, name)
                files.make_folder(path.parent)
                files.write_whole(path, (wish.copy.folder / name).read_bytes())
        _close_log(target / FACTS)
        file_beside(target / FACTS).unlink(missing_ok=True)  # it counts more facts than there will be
        part.replace(target / FACTS)
        file_beside(part).replace(file_beside(target / FACTS))
    finally:
        part.unlink(missing_ok=True)
        file_beside(part).unlink(missing_ok=True)
    known = {scan.name for scan in scans}
    unknown = sorted(each.name for each in (target / SCANS).iterdir() if not each.name.startswith("."))
    return Restored(kept, tuple(name for name in unknown if name not in known))


def _fresh(part: Path) -> Path:
    """An unused file name, without SQLite's logs beside it; leftovers of a killed program are deleted."""
    for left in part.parent.glob(f"{glob.escape(part.name)}*"):
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink()
    return part


def _bring_scans(copy: Copy, target: Path, scans: Mapping[KnownScan, Path | None]) -> None:
    """Copy the scans that are missing or damaged in the target, and the pictures of their rows.

    A damaged picture never replaces a good one.
    """
    for inside in (SCANS, PICTURES):
        files.make_folder(target / inside)
    for scan, source in scans.items():
        if source is not None and source != target:
            files.bring(source / SCANS / scan.name, target / SCANS / scan.name, files.copy_file)
    for picture in pictures_of(copy, scans):
        here = target / PICTURES / picture.name
        is_better = is_picture_whole(here) and not is_picture_whole(picture)
        if not is_better and not (here.is_file() and files.are_alike(picture, here)):
            files.bring(picture, here)


def _record_restoration(path: Path, wish: Restoration) -> None:
    """Record in the restored facts that they come from a copy."""
    with Ledger(path, wish.clock) as facts:
        facts.write(wish.said, wish.by)
    with closing(sqlite3.connect(path)) as connection:
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
    kept_folders = target.parent.glob(f"{glob.escape(target.name)}-replaced-*")
    former = {int(end): path for path in kept_folders if (end := path.name.rpartition("-")[2]).isdecimal()}
    newest, tip = max(former, default=0), tip_in_file(target / FACTS)
    if tip is not None and newest in former and tip_in_file(former[newest] / FACTS) == tip:
        return former[newest]
    kept = target.with_name(f"{target.name}-replaced-{newest + 1}")
    part = _fresh(target.with_name(f".ordersheets-{target.name}-replaced.part"))
    try:
        shutil.copytree(target, part, ignore=_names_not_copied, copy_function=_link_or_copy_named)
        try:
            _copy_facts(target / FACTS, part / FACTS)
        except (sqlite3.Error, Stopped, OSError):  # damaged or missing: keep what there is
            for each in target.glob(f"{FACTS}*"):
                files.copy_file(each, part / each.name)
        part.replace(kept)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return kept


def _names_not_copied(folder: str, names: list[str]) -> set[str]:
    """Names that are not copied: temporary files and caches; facts are copied separately."""
    return {name for name in names if name.startswith((".ordersheets-", FACTS, *NOT_COPIED))}


def _link_or_copy_named(source: str, target: str) -> None:
    """`files.link_or_copy` for `shutil`; files that people edit are copied, since some programs write in place."""
    inside = Path(source).parent.name in (SCANS, Path(PICTURES).name)
    (files.link_or_copy if inside else files.copy_file)(Path(source), Path(target))


def _close_log(path: Path) -> None:
    """Checkpoint SQLite's write-ahead log, and check that no other program has the facts open.

    The log of damaged or missing facts is deleted: SQLite would apply it to whatever file is put there. It is kept
    beside with the old event.
    """
    try:
        if not path.exists():
            raise sqlite3.DatabaseError("it is missing")
        with closing(sqlite3.connect(path, timeout=1)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if files.code_of(error) in BUSY:
            text = "another program has this event open: end it ('review', 'scan --watch'), and do it again"
            raise stop(text, str(path), ExitCode.MACHINE_LACKS) from error
        for log in path.parent.glob(f"{FACTS}-*"):
            with suppress(FileNotFoundError):
                log.unlink()


def _copy_facts(source: Path, target: Path) -> None:
    """Copy a consistent snapshot of the facts into a single file, even while others write."""
    with closing(facts_to_read(source)) as going, closing(sqlite3.connect(target)) as coming:
        coming.execute("PRAGMA synchronous = OFF")  # it is synced as a whole below, before it is renamed
        going.backup(coming)
        coming.execute("PRAGMA journal_mode = DELETE")
    with target.open("rb+") as written:
        os.fsync(written.fileno())

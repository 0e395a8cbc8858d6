"""An event made again from one of its copies: in a new folder, or in the place of what is there, which is kept."""

import json
import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from pipeline.ledger.copies.copies import (
    PICTURES,
    SCANS,
    Copy,
    Tip,
    copy_facts,
    copy_file,
    facts_to_read,
    faults_of,
    keep_once,
    link_or_copy,
    scans_in,
    tip_of,
)
from pipeline.ledger.events import EventRestored
from pipeline.ledger.facts import FACTS, Clock
from pipeline.ledger.files.checksums import tip_beside
from pipeline.ledger.files.disk import code_of, place_inside, refused, write_whole
from pipeline.ledger.ledger import Ledger, body_of
from pipeline.problems import ExitCode, Stopped, stop

LIVING = ("event.toml", FACTS)  # where one of them is there is an event, or what is left of one
CERTIFICATE = "office.pem"  # of the pages, with its key; it is this machine's and goes nowhere else
LOST = ("claims.db", "reading.lock", CERTIFICATE)  # no part of an event
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@dataclass(frozen=True, slots=True)
class Restoration:
    """What is done: which copy, where to, and the fact with which the event goes on."""

    copy: Copy
    target: Path
    said: EventRestored
    by: str
    clock: Clock


@dataclass(frozen=True, slots=True)
class Restored:
    """What it gave."""

    kept: Path | None  # where what was replaced is kept
    unknown: tuple[str, ...]  # scans that are in the folder, and of which the copy does not know
    is_new: bool = True  # False: it was done before


def is_living(folder: Path) -> bool:
    """Whether an event is in a folder, or what is left of one."""
    return any((folder / name).exists() for name in LIVING)


def restore(wish: Restoration, *, replaces: bool) -> Restored:
    """Make an event of a copy that is whole; killed at any moment, there is the event of before or that of after.

    What is there is replaced only where that is wanted, and kept beside. Said again, it is done already.
    """
    if faults := faults_of(wish.copy):
        raise Stopped(faults)
    target = wish.target
    try:
        if not is_living(target):
            return restore_anew(wish)
        if is_done(wish):
            return Restored(None, (), is_new=False)
        if not replaces:
            text = "an event is in this folder; choose another one, or with --replace it is kept beside and replaced"
            raise stop(text, str(target))
        return restore_over(wish)
    except OSError as error:
        raise refused(error, str(target), "the event cannot be restored", "see who may write there") from error


def restore_anew(wish: Restoration) -> Restored:
    """Make the folder of the event; it is there with its last file, or not at all."""
    if wish.target.is_dir() and any(wish.target.iterdir()):
        raise stop("files are in this folder, and no event; choose another one", str(wish.target))
    part = fresh(wish.target.with_name(f".ordersheets-{wish.target.name}.part"))
    part.mkdir(parents=True)
    try:
        for name in wish.copy.files:
            path = place_inside(part, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            copy_file(wish.copy.folder / name, path)
        bring_scans(wish.copy, part)
        go_on(part / FACTS, wish)
        if wish.target.is_dir():
            wish.target.rmdir()
        part.replace(wish.target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return Restored(None, ())


def restore_over(wish: Restoration) -> Restored:
    """Put a copy in the place of its event: the facts change in one step, and what was there is kept whole."""
    target = wish.target
    check_same_event(wish)
    for name in wish.copy.files:
        place_inside(target, name)
    kept = kept_aside(target)
    bring_scans(wish.copy, target)
    part = fresh(target / ".ordersheets-restored.part")
    try:
        copy_file(wish.copy.folder / FACTS, part)
        go_on(part, wish)
        for name in wish.copy.files:
            data = (wish.copy.folder / name).read_bytes() if name != FACTS else b""
            path = place_inside(target, name)
            if name != FACTS and not (path.is_file() and path.read_bytes() == data):
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, data)
        close_log(target / FACTS)
        tip_beside(target / FACTS).unlink(missing_ok=True)  # it tells of more facts than there will be
        part.replace(target / FACTS)
        tip_beside(part).replace(tip_beside(target / FACTS))
    finally:
        part.unlink(missing_ok=True)
        tip_beside(part).unlink(missing_ok=True)
    known = {name for _, name in scans_in(wish.copy)}
    unknown = sorted(each.name for each in (target / SCANS).iterdir() if not each.name.startswith("."))
    return Restored(kept, tuple(name for name in unknown if name not in known))


def fresh(part: Path) -> Path:
    """A name under which nothing is, nor a log of SQLite's beside it: what a killed program left there is removed."""
    for left in part.parent.glob(f"{part.name}*"):
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink()
    return part


def check_same_event(wish: Restoration) -> None:
    """A copy replaces its own event and no other; of damaged facts nobody knows whose they are."""
    tip = tip_in(wish.target / FACTS)
    if tip is not None and tip.facts and tip.identity != wish.copy.tip.identity:
        text = f"another event is in this folder than the copy's, {wish.copy.name}; choose another folder"
        raise stop(text, str(wish.target))


def tip_in(path: Path) -> Tip | None:
    """How far the facts in a file go; None where they cannot be read."""
    if not path.is_file() or not path.stat().st_size:
        return None
    try:
        with closing(facts_to_read(path)) as connection:
            return tip_of(connection)
    except (sqlite3.Error, Stopped, ValueError, TypeError):
        return None


def bring_scans(copy: Copy, target: Path) -> None:
    """Bring the scans of which a copy knows, and the pictures of their rows."""
    names = {name for _, name in scans_in(copy)}
    beginnings = {sha256[:16] for sha256, _ in scans_in(copy)}
    for inside in (SCANS, PICTURES):
        (target / inside).mkdir(parents=True, exist_ok=True)
    keep_once(copy.place / SCANS, target / SCANS, names.__contains__)
    keep_once(copy.place / PICTURES, target / PICTURES, lambda name: name.split("-")[0] in beginnings)


def go_on(path: Path, wish: Restoration) -> None:
    """Write down, in the copied facts, that they go on from a copy."""
    with Ledger(path, wish.clock) as facts:
        facts.write(wish.said, wish.by)
        facts.connection.execute("PRAGMA journal_mode = DELETE")


def is_done(wish: Restoration) -> bool:
    """Whether an event is what this restoration makes of it, and nothing has happened since."""
    path = wish.target / FACTS
    tip = tip_in(path)
    if tip is None or (tip.identity, tip.facts) != (wish.copy.tip.identity, wish.copy.tip.facts + 1):
        return False
    with closing(facts_to_read(path)) as connection:
        kind, body = connection.execute("SELECT kind, body FROM facts WHERE id = ?", (tip.facts,)).fetchone()
    return bool(kind == EventRestored.KIND and json.loads(body) == body_of(wish.said))


def kept_aside(target: Path) -> Path:
    """Keep all that is in an event's folder in another beside it; where that was done and nothing changed, it is."""
    former = sorted(target.parent.glob(f"{target.name}-replaced-*"), key=lambda path: (len(path.name), path.name))
    tip = tip_in(target / FACTS)
    if former and tip is not None and tip_in(former[-1] / FACTS) == tip:
        return former[-1]
    numbers = [int(end) for path in former if (end := path.name.rpartition("-")[2]).isdecimal()]
    kept = target.with_name(f"{target.name}-replaced-{1 + max(numbers, default=0)}")
    part = fresh(target.with_name(f".ordersheets-{target.name}-replaced.part"))
    try:
        shutil.copytree(target, part, ignore=ignored, copy_function=link_or_copy_named)
        try:
            copy_facts(target / FACTS, part / FACTS)
        except (sqlite3.Error, Stopped, OSError):  # damaged or gone: what there is of it
            for each in target.glob(f"{FACTS}*"):
                copy_file(each, part / each.name)
        part.replace(kept)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return kept


def ignored(folder: str, names: list[str]) -> set[str]:
    """What is not kept with an event: what is half-written, and what no event needs; facts are copied by themselves."""
    return {name for name in names if name.startswith((".ordersheets-", FACTS, *LOST))}


def link_or_copy_named(source: str, target: str) -> None:
    """The same for `shutil`; what people edit is copied, for some programs write into the file that is there."""
    inside = Path(source).parent.name in (SCANS, Path(PICTURES).name)
    (link_or_copy if inside else copy_file)(Path(source), Path(target))


def close_log(path: Path) -> None:
    """Carry over what is in SQLite's log, and see that no other program has the facts open.

    Of damaged facts the log goes with them; they are kept beside by then.
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

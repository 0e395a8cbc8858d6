"""Automatic copies: after a publication, a print-out, a draw and the end of a game, and every few minutes of rulings.

One is beside the event's folder, another in the place that ``event.toml`` names, such as a stick. A copy
that fails is reported and never stops the event.
"""

import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from shlex import quote
from typing import Any

from msgspec import json

from pipeline.desk.event.event import SECURE_RANDOM, Event, open_event
from pipeline.desk.event.event_file import read_event_file
from pipeline.desk.event.games import games
from pipeline.desk.event.own_files import list_own_files
from pipeline.desk.sheets.printed import draw_range, next_serial
from pipeline.ledger import copies, restoring
from pipeline.ledger.events import EventRestored, FormsPrinted, GameEnded, PhasePublished, Seated, SheetsPrinted
from pipeline.ledger.facts import FACTS, Clock
from pipeline.ledger.files import files_in, local_time, seconds_between
from pipeline.ledger.newer import newer_copies, within_a_moment
from pipeline.ledger.second_place import CopyRequest, CopyResult, read_last_result
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.processes import start_process
from pipeline.words.speech import write_count

COPIED_AT_ONCE = frozenset(
    kind.KIND for kind in (PhasePublished, GameEnded, SheetsPrinted, FormsPrinted, Seated, EventRestored)
)  # these need a copy at once: they are on paper or announced
SECOND_PLACE_WAIT_S = 2.0  # how long a command waits for the second place, to report a failure at once
HELPER = "pipeline.ledger.second_place"
# processes that copy to a slow place; they outlive the command that started them
RUNNING: list["subprocess.Popen[bytes]"] = []


def _second_place(event: Event) -> Path | None:
    """The second place for copies, if ``event.toml`` names one: a subfolder there."""
    folder = event.second_folder
    return None if folder is None else folder / copies.place_beside(event.folder).name


def _newest_of(event: Event, place: Path) -> copies.Copy | None:
    """The newest whole copy in a place that is an earlier state of this event."""
    return copies.newest_whole(_held_in(event, copies.look_in(place)))[0]


def _held_in(event: Event, held: copies.InPlace) -> list[copies.Copy]:
    """The copies in a place that are earlier states of this event."""
    here = event.facts.snapshot()
    return [copy for copy in held.copies if here.has(copy.tip)]


def _name_damaged(
    event: Event, in_place: copies.InPlace, newest: copies.Copy | None, damaged: tuple[copies.Copy, ...]
) -> list[str]:
    """The damaged copies of this event in a place that are newer than its newest whole one."""
    here = event.facts.snapshot()
    spoilt = [each for each in in_place.spoilt if each.tip and here.has(each.tip)]
    names = [copy.folder.name for copy in damaged]
    return sorted([*names, *(each.folder.name for each in spoilt if newest is None or each.number > newest.number)])


NO_FILE_BESIDE = (
    "event.db-tip is not here, or is damaged, so the newest decisions may be missing: was event.db copied "
    "without it? See 'ordersheets journal' for the last decisions; if some are missing, 'ordersheets restore'. The "
    "next decision makes the file anew"
)


UNREAD = (
    "it may have entries that this event lacks: 'ordersheets journal' shows the last ones here. If none is missing, "
    "delete the folder of that copy. Serials of new sheets jump, so that none is used twice"
)


def warn_of_newer_copies(event: Event) -> tuple[Problem, ...]:
    """Warn if a copy is newer than this folder, or may be, and say what to do."""
    unsure: tuple[Problem, ...] = (
        () if event.facts.has_file_beside() else (Problem(Weight.NOTES, NO_FILE_BESIDE, str(event.folder)),)
    )
    try:
        newer = newer_copies(event.facts, event.folder, event.second_folder)
    except (Stopped, sqlite3.Error):  # damaged facts are reported when they are read
        return ()
    unsure += tuple(
        Problem(
            Weight.NOTES,
            f"a copy here cannot be read: {each.folder.name} ({each.fault}); {UNREAD}",
            str(each.folder.parent),
        )
        for each in newer.unread
    )
    copy = newer.copy
    if copy is None:
        return unsure
    name, here = copy.folder.name, event.facts.last_number()
    source = "" if copy.place in places_of(event.folder, None) else f" --from {quote(str(copy.place))}"
    text = (
        f"its copy {name} has entries that this event lacks ({copy.tip.facts} there, {here} here): this is an older "
        f"folder, or the event was continued in both. To go on from that copy: 'ordersheets restore "
        f"EVENT{source} --copy {name} "
        "--replace'; to go on from what is here: 'ordersheets backup EVENT', then 'restore' the copy that it makes"
    )
    return (*unsure, Problem(Weight.NOTES, text, str(event.folder)))


def is_due(event: Event) -> bool:
    """Whether a copy is to be made: there is none; or what is new is on paper or announced, or the copy is minutes old.

    After the clock was set back, the age is unknown: then it is due.
    """
    newest = _newest_of(event, copies.place_beside(event.folder))
    if newest is None:
        return True
    kinds = event.facts.kinds_after(newest.tip.facts)
    if not kinds or kinds & COPIED_AT_ONCE:
        return bool(kinds)
    gone = seconds_between(newest.at, event.facts.clock())
    return gone is None or gone >= 60 * event.details.backup_minutes


def back_up(event: Event, wait_s: float = SECOND_PLACE_WAIT_S, *, verifies_all: bool = False) -> tuple[Problem, ...]:
    """Make a copy in both places now; returns what failed, and damage that was mended (`Mended`).

    The second place may be slow: another process copies there, and this one waits for it at most ``wait_s``. With
    ``verifies_all`` all scans in both are verified.
    """
    problems = [
        Problem(Weight.NOTES, f"it is not copied: {fault}", str(event.folder / name))
        for name, fault in list_own_files(event.folder, event.details.gate).items()
        if fault
    ]
    here, at, label = copies.place_beside(event.folder), event.facts.clock(), event.label()
    try:
        problems += copies.make_copy(event.facts.snapshot(), here, label, at, verifies_all=verifies_all).notes
    except Stopped as stopped:
        problems += [Problem(Weight.NOTES, f"no backup: {each.text}", each.where) for each in stopped.problems]
    if (there := _second_place(event)) is not None:
        with _place_for_result(here) as reports:
            process = _begin_second(event, there, reports, label, at, verifies_all=verifies_all)
            problems += _second_problems(there, reports, process, wait_s)
    return tuple(problems)


@contextmanager
def _place_for_result(here: Path) -> Iterator[Path]:
    """Where copying to the second place writes down how it went: the first place, or another if that is of no use."""
    try:
        here.mkdir(exist_ok=True)
    except OSError:  # which is told by the copy there
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as other:
            yield Path(other)
    else:
        yield here


def back_up_if_due(event: Event) -> tuple[Problem, ...]:
    try:
        return back_up(event) if is_due(event) else ()
    except Stopped as stopped:  # damaged facts are reported when they are read, and never copied over good ones
        return tuple(Problem(Weight.NOTES, f"no backup: {each.text}", each.where) for each in stopped.problems)


def _begin_second(
    event: Event, there: Path, reports: Path, label: copies.Label, at: str, *, verifies_all: bool
) -> "subprocess.Popen[bytes] | None":
    """Start the process that copies to the second place; None if it cannot be started."""
    RUNNING[:] = [process for process in RUNNING if process.poll() is None]
    try:
        process = start_process(HELPER, str(event.folder.resolve()), str(there), str(reports), outlives=True)
    except OSError:
        return None
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError):
        process.stdin.write(json.encode(CopyRequest(label, at, verifies_all)))
        process.stdin.close()
    process.stdout.close()
    RUNNING.append(process)
    return process


def _second_problems(
    place: Path, reports: Path, process: "subprocess.Popen[bytes] | None", wait_s: float
) -> list[Problem]:
    """Why copying to the second place fails, as far as it is known after some seconds."""
    there = str(place)
    if process is None:
        return [Problem(Weight.NOTES, "no backup: this machine cannot start another program", there)]
    try:
        process.wait(wait_s)
    except subprocess.TimeoutExpired:
        return [Problem(Weight.NOTES, "the backup is still being copied; 'status' says when it is there", there)]
    result = read_last_result(reports)
    if process.returncode or result is None or result.place != there:
        return [Problem(Weight.NOTES, "no backup, for an unknown reason; check both places", there)]
    if result.trouble:
        return [Problem(Weight.NOTES, f"no backup: {result.trouble}", there)]
    lacks = [Problem(Weight.NOTES, f"it is not in the copy: {result.lacks}", there)] if result.lacks else []
    return [*lacks, copies.Mended(Weight.NOTES, result.mended, there)] if result.mended else lacks


def backup_status(event: Event) -> dict[str, Any]:
    """How old the newest copies are, as ``status --json`` has it."""
    here, there = copies.place_beside(event.folder), _second_place(event)
    now, in_place = event.facts.clock(), copies.look_in(here)
    newest, damaged = copies.newest_whole(_held_in(event, in_place))
    result = read_last_result(here) if there is not None else None
    if result is not None and result.place != str(there):
        result = None
    return {
        "place": str(here),
        "copy": newest.folder.name if newest else None,
        "at": newest.at if newest else None,
        "minutes": _whole_minutes(seconds_between(newest.at, now)) if newest else None,
        "facts_since": event.facts.last_number() - (newest.tip.facts if newest else 0),
        "damaged": _name_damaged(event, in_place, newest, damaged),
        "older_state": [problem.text for problem in warn_of_newer_copies(event)],
        "second": None if there is None else _second_json(event, there, result, now),
    }


def _second_json(event: Event, there: Path, result: CopyResult | None, now: str) -> dict[str, Any]:
    """The age of the newest copy in the second place, from its last report: no waiting for a slow share.

    Whether that copy is damaged is reported if the place answers within a moment; else it is reported as not verified.
    """
    report: dict[str, Any] = {"place": str(there), "at": None, "minutes": None, "facts_since": None}
    report |= {"trouble": "", "same_disk": None, "damaged": [], "verified": None, "lacks": ""}
    if result is None:
        return report
    report |= {"trouble": result.trouble, "same_disk": result.is_same_disk, "lacks": result.lacks}
    if not result.trouble:
        report |= {"at": result.at, "minutes": _whole_minutes(seconds_between(result.at, now))}
        report |= {"facts_since": event.facts.last_number() - result.facts}
        damaged = _find_damaged(event, there)
        report |= {"damaged": damaged or [], "verified": damaged is not None}
    return report


def _find_damaged(event: Event, there: Path) -> list[str] | None:
    """The damaged copies in the second place that are newer than the newest whole one; None: it is slow to read."""
    in_place = within_a_moment(there, "list", lambda: copies.look_in(there))
    if in_place is None:
        return None
    held = _held_in(event, in_place)
    looked = within_a_moment(there, "read", lambda: copies.newest_whole(held))
    return None if looked is None else _name_damaged(event, in_place, *looked)


MAKES_NEW = "'ordersheets backup' makes a new one"
MENDS = "'ordersheets backup' copies it anew"


def check_copies(event: Event) -> tuple[Problem, ...]:
    """What `_check_copies` finds; nothing if the event's own facts are damaged, which is reported before."""
    try:
        return tuple(_check_copies(event))
    except (Stopped, sqlite3.Error):
        return ()


def _check_copies(event: Event) -> Iterator[Problem]:
    """Damage in the newest copy in both places, and in the scans beside it; a second place that is gone is left out.

    What is linked to the event's own is one file with it, and is read once: scans with the event's own scans, pictures
    of rows first of all.
    """
    places = [copies.place_beside(event.folder)]
    there = _second_place(event)
    if there is not None and within_a_moment(there, "list", there.is_dir):
        places.append(there)
    own, kept = event.folder / copies.PICTURES, [place / copies.PICTURES for place in places]
    for name in sorted(files_in(own)) if own.is_dir() else ():
        if not copies.is_picture_whole(own / name):
            yield copies.describe_damaged_picture(own / name, [pictures / name for pictures in kept])
    for place in places:
        in_place = copies.look_in(place)
        held = _held_in(event, in_place)
        newest, damaged = copies.newest_whole(held)
        for name in _name_damaged(event, in_place, newest, damaged):
            yield Problem(Weight.NOTES, f"this copy is damaged; {MAKES_NEW}", str(place / name))
        faults = copies.faults_of(newest, event.folder) if newest is not None else ()
        yield from filter(None, (_explain_fault(event, place, fault, kept) for fault in faults))


def _explain_fault(event: Event, place: Path, fault: Problem, kept: Sequence[Path]) -> Problem | None:
    """How a damaged file of a copy is mended; None for a lost scan, which is reported with the event's own.

    ``kept``: the folders in which pictures of rows are kept, in all places.
    """
    path = Path(fault.where)
    if path.parent == place / copies.SCANS and not copies.is_scan_whole(event.scans / path.name):
        return None
    own = event.folder / copies.PICTURES / path.name
    if path.parent == place / copies.PICTURES and not (own.is_file() and copies.is_picture_whole(own)):
        return copies.describe_damaged_picture(path, [pictures / path.name for pictures in kept])
    return Problem(Weight.NOTES, f"{fault.text}; {MENDS}", fault.where)


def _whole_minutes(seconds: float | None) -> int | None:
    return None if seconds is None else int(seconds // 60)


# Restore an event from a copy: on another machine, in another folder, or in place of the old.

NEWEST = "newest"


def places_of(folder: Path, named: Path | None) -> tuple[Path, ...]:
    """Where to look for an event's copies: the given place, or beside it and in the place that ``event.toml`` names.

    The place itself may be given, the folder that ``event.toml`` names, or the stick on which that folder is.
    """
    if named is not None:
        inside = (path for pattern in ("*-backups", "*/*-backups") for path in sorted(named.glob(pattern)))
        return (named, *filter(Path.is_dir, inside))
    beside = copies.place_beside(folder)
    try:
        backup = read_event_file(folder / "event.toml")[0].backup
    except (Stopped, OSError):
        return (beside,)
    return (beside, (folder / backup).absolute() / beside.name) if backup else (beside,)


def list_restorable_copies(folder: Path, named: Path | None) -> list[copies.Copy]:
    """The copies that may be restored, the newest of each event in each place first."""
    offered = [copy for place in dict.fromkeys(places_of(folder, named)) for copy in copies.copies_in(place)]
    return sorted(offered, key=lambda copy: (str(copy.place), copy.tip.identity, -copy.number))


def unrestorable_copies(folder: Path, named: Path | None) -> tuple[Problem, ...]:
    """Why some copies cannot be restored."""
    return tuple(problem for place in dict.fromkeys(places_of(folder, named)) for problem in copies.spoilt_in(place))


def choose_copy(folder: Path, named: Path | None, wanted: str) -> copies.Copy:
    """The chosen copy; ``newest`` is the intact one with most facts, if all copies are of one event."""
    offered, spoilt = list_restorable_copies(folder, named), unrestorable_copies(folder, named)
    if mine := [each for each in spoilt if Path(each.where).parent.name == wanted or not offered]:
        raise Stopped(mine)
    if not offered:
        places = " or ".join(str(place) for place in places_of(folder, named))
        raise stop("no copy is here; name another place with --from", places)
    if wanted != NEWEST:
        if named_copy := next((copy for copy in offered if copy.folder.name == wanted), None):
            return named_copy
        raise stop(f"no copy has this name; there are {', '.join(copy.folder.name for copy in offered)}", wanted)
    newest: dict[Path, copies.Copy] = {}
    for copy in offered:
        newest.setdefault(copy.place, copy)
    best = max(newest.values(), key=lambda copy: copy.tip.facts)
    try:
        with closing(copies.facts_to_read(best.folder / FACTS)) as connection:
            others = [copy for copy in offered if not copies.holds_or_left(connection, copy)]
    except copies.UNREADABLE as error:
        raise stop("this copy is damaged; say which other one with --copy NAME", str(best.folder)) from error
    if others:
        last = {(copy.place, copy.tip.identity): copy for copy in reversed(others)}  # the newest stands first
        text = "these are copies of several events, or of one that went on in two ways; choose with --copy NAME"
        raise stop(f"{text}: {'; '.join(map(_copy_in_words, (best, *last.values())))}", str(best.place))
    return best


def _copy_in_words(copy: copies.Copy) -> str:
    entries = write_count(copy.tip.facts, "entry", "entries")
    return f"{copy.folder.name} ({copy.name}, {local_time(copy.at)}, {entries})"


def restore_copy(
    copy: copies.Copy, folder: Path, by: str, clock: Clock, *, replaces: bool, without_damaged: bool = False
) -> tuple[restoring.Restored, int, tuple[Problem, ...]]:
    """Restore a copy into a folder; cards and maps are made again.

    Returns what was restored, the first serial of what is printed from now on (what was printed after the copy has
    lower ones), and the problems: cards and maps that could not be made again, and copies that failed.
    """
    drawn = draw_range(SECURE_RANDOM, copies.last_serial(copy) or 0)
    said = EventRestored(copy=copy.folder.name, facts=copy.tip.facts, at=copy.at, first_serial=drawn)
    from pipeline.desk.publish.publish import write_cards  # noqa: PLC0415 - who lists the copies prints nothing

    wish = restoring.Restoration(copy, folder.resolve(), said, by, clock, without_damaged)
    done = restoring.restore(wish, replaces=replaces)
    problems: list[Problem] = []
    with open_event(folder, clock) as event:
        for game in games(event).values():
            try:
                write_cards(event, game)
            except Stopped as stopped:
                problems += stopped.problems
        problems += back_up(event, verifies_all=True)  # before `next_serial`, which ignores copies with smaller numbers
        first = next_serial(event)
    return done, first, tuple(problems)

"""An event that goes on from a copy: on another machine, in another folder, or in the place of what is there."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pipeline.desk.event.event import open_event, read_event_file
from pipeline.desk.event.games import games
from pipeline.desk.sheets.printed import next_serial
from pipeline.ledger.copies.apart import place_beside
from pipeline.ledger.copies.copies import Copy, copies_in, facts_to_read, holds, spoilt_in
from pipeline.ledger.copies.restoring import Restoration, Restored, restore
from pipeline.ledger.events import EventRestored
from pipeline.ledger.facts import FACTS, Clock
from pipeline.problems import Problem, Stopped, stop

NEWEST = "newest"


@dataclass(frozen=True, slots=True)
class TakenOver:
    """An event that goes on from a copy, and what its director must know."""

    done: Restored
    copy: Copy
    first_serial: int  # of what is printed from now on; what the other machine printed since has one before it
    problems: tuple[Problem, ...]  # cards and maps that could not be made again


def places_of(folder: Path, named: Path | None) -> tuple[Path, ...]:
    """Where the copies of an event may lie: where one says, or beside it and where its ``event.toml`` says.

    A place may be named itself, or the folder that it lies in.
    """
    if named is not None:
        return (named, *sorted(path for path in named.glob("*-backups") if path.is_dir()))
    beside = place_beside(folder)
    try:
        backup = read_event_file(folder / "event.toml")[0].backup
    except (Stopped, OSError):
        return (beside,)
    return (beside, (folder / backup).absolute() / beside.name) if backup else (beside,)


def offered(folder: Path, named: Path | None) -> list[Copy]:
    """The copies that may be restored, the newest of each event in each place first."""
    found = [copy for place in dict.fromkeys(places_of(folder, named)) for copy in copies_in(place)]
    return sorted(found, key=lambda copy: (str(copy.place), copy.name, copy.tip.identity, -copy.number))


def not_offered(folder: Path, named: Path | None) -> tuple[Problem, ...]:
    """What is wrong with the copies there that nobody can go on from."""
    return tuple(problem for place in dict.fromkeys(places_of(folder, named)) for problem in spoilt_in(place))


def chosen(folder: Path, named: Path | None, wanted: str) -> Copy:
    """The copy that is meant; ``newest`` is the one with most facts that is whole, where all are of one event."""
    copies, spoilt = offered(folder, named), not_offered(folder, named)
    if mine := [each for each in spoilt if Path(each.where).parent.name == wanted or not copies]:
        raise Stopped(mine)
    if not copies:
        places = " or ".join(str(place) for place in places_of(folder, named))
        raise stop("no copy is here; name another place with --from", places)
    if wanted != NEWEST:
        if found := next((copy for copy in copies if copy.folder.name == wanted), None):
            return found
        raise stop(f"no copy has this name; there are {', '.join(copy.folder.name for copy in copies)}", wanted)
    newest: dict[Path, Copy] = {}
    for copy in copies:
        newest.setdefault(copy.place, copy)
    best = max(newest.values(), key=lambda copy: copy.tip.facts)
    others = [copy for copy in copies if copy.tip.identity != best.tip.identity]
    with closing(facts_to_read(best.folder / FACTS)) as connection:
        try:
            others += [copy for copy in newest.values() if not holds(connection, copy.tip)]
        except sqlite3.Error as error:
            raise stop(
                f"this copy is damaged: {error}; say which other one with --copy NAME", str(best.folder)
            ) from error
    if others:
        text = "copies of several events, or of one that was restored, are here; say which one with --copy NAME"
        raise stop(text, str(best.place))
    return best


def take_over(copy: Copy, folder: Path, by: str, clock: Clock, *, replaces: bool) -> TakenOver:
    """Let an event go on from a copy in a folder; its cards and maps are made again."""
    said = EventRestored(copy=copy.folder.name, facts=copy.tip.facts, at=copy.at)
    from pipeline.desk.publish.read_out import write_cards  # noqa: PLC0415 - who lists the copies prints nothing

    done = restore(Restoration(copy, folder.resolve(), said, by, clock), replaces=replaces)
    problems: list[Problem] = []
    with open_event(folder, clock) as event:
        for game in games(event).values():
            try:
                write_cards(event, game)
            except Stopped as stopped:
                problems += stopped.problems
        first = next_serial(event)
    return TakenOver(done, copy, first, tuple(problems))

"""An event is a folder: ``event.toml`` (people may edit it), ``event.db`` (facts), ``scans/`` and ``out/``.

In ``kept/`` are cached answers; it may be deleted at any time.

The folder is all there is: copy it to a stick and the event goes on elsewhere.
"""

from contextlib import suppress
from pathlib import Path
from random import Random, SystemRandom
from types import TracebackType
from typing import Self

from msgspec.structs import replace

from pipeline.board import MAPS, Map
from pipeline.desk.event.event_file import OF_EVENT, Details, as_toml, read_event_file
from pipeline.desk.event.own_files import keep_lost_facts, read_own_files
from pipeline.desk.event.people import People, people_of
from pipeline.draw.roster import Player
from pipeline.ledger.copies import Label, bring_scan_back
from pipeline.ledger.events import FormsPrinted, PlayersNumbered, SettingsChanged, SheetsPrinted
from pipeline.ledger.facts import FACTS, Clock
from pipeline.ledger.ledger import Ledger, UpToNow
from pipeline.problems import Stopped, stop
from pipeline.rules.load import files_of, load_tournament
from pipeline.rules.tournament import Tournament
from pipeline.words.speech import Speech

MAKER = "new"  # who writes the first fact
SECURE_RANDOM: Random = SystemRandom()
FILE_BACK = (
    "the decisions of an event are here, without its event.toml; copy event.toml back from the newest of its copies, "
    "in the folder beside it whose name ends in -backups"
)
COPY_BACK = (
    "see 'ordersheets restore' for its copies, or copy event.db back from another copy of this folder, event.db-wal "
    "with it where there is one; print and scan nothing before that"
)
UNREADABLE = (LookupError, ValueError, TypeError, AttributeError)  # errors that damaged facts raise
PEOPLE: UpToNow[People] = UpToNow()


class Event:
    """An open event: what its files say, and the store of its facts. Use it with ``with``."""

    def __init__(self, folder: Path, clock: Clock, random: Random) -> None:
        self.folder = folder
        self.random = random  # draws the tokens of print-outs
        self.details, self.roster = read_event_file(folder / "event.toml")
        self.board: Map = MAPS[self.details.map_name]()  # of every board that has no map of its own
        self.go_by(self.details)
        self.facts = Ledger(folder / FACTS, clock)
        self.own_files: dict[str, bytes] = {}  # as they were when they were read last, once somebody watches them
        self.facts.keep_lost = self._keep_lost_facts

    @property
    def is_practice(self) -> bool:
        """Whether this event was made for practice; one that was made for players never becomes that."""
        made = next(self.facts.select(PlayersNumbered), None)
        return self.details.practice and made is not None and made.said.settings.get(f"{OF_EVENT}practice") == "true"

    def go_by(self, details: Details) -> None:
        """Take the rules that these details name, in their language, for those of this event.

        What was worked out by other rules before stays in caches: an event that had others is opened anew.
        """
        self.goes_by = details
        named = details.tournament
        rules_file = self.folder / named if named.endswith(".toml") else named
        rules, self.rules_files = load_tournament(rules_file), files_of(rules_file)
        rules, drawn_on = rules.in_language(details.language or rules.language), details.map_name
        self.tournament: Tournament = rules if rules.map == drawn_on else replace(rules, map=drawn_on)
        self.rules_by_map: dict[str, Tournament] = {details.map_name: self.tournament}

    def label(self) -> Label:
        """The label of a copy, with the event's own files as they are now; of one that is gone, what it was last."""
        here = read_own_files(self.folder, self.details.gate) if self.folder.is_dir() else {}
        return Label(self.details.name, self.details.code, self.own_files | here)

    def _keep_lost_facts(self) -> str:
        return keep_lost_facts(self.facts, self.folder, self.label(), self.second_folder)

    def read_file(self) -> None:
        """Read ``event.toml`` again: details and roster; rules and map are read once."""
        self.details, self.roster = read_event_file(self.folder / "event.toml")
        self.facts.voided += 1
        _check_code(self)

    @property
    def people(self) -> People:
        """The roster with all changes from the facts, including people whom the roster does not know any more."""
        return PEOPLE.of(self.facts, lambda: people_of(self.roster, self.facts))

    @property
    def players(self) -> tuple[Player, ...]:
        """The roster as it is now, or stop with the problems of the roster (`People.check_known`)."""
        return self.people.check_known().players

    def rules_on(self, map_name: str) -> Tournament:
        """The rules on a board of some map; always the same object for one map, so that it can be a cache key."""
        return self.rules_by_map.setdefault(map_name, replace(self.tournament, map=map_name))

    @property
    def speech(self) -> Speech:
        return self.tournament.speech

    @property
    def second_folder(self) -> Path | None:
        """The folder in which copies of the event lie as well, if ``event.toml`` names one: a stick, a share."""
        return (self.folder / self.details.backup).absolute() if self.details.backup else None

    @property
    def scans(self) -> Path:
        """Where scans are kept, by their hash."""
        return self.folder / "scans"

    def find_scan(self, name: str) -> Path:
        """The path of a kept scan; one that is gone is brought back from beside the event's copies, if it is there."""
        path = self.scans / name
        if not path.is_file():
            bring_scan_back(path, self.folder)
        return path

    @property
    def out(self) -> Path:
        """The folder of all files that can be made again: crops, cards, maps, workbooks."""
        return self.folder / "out"

    @property
    def cache_folder(self) -> Path:
        """The folder of the caches; it may be deleted at any time."""
        return self.folder / "kept"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if isinstance(value, UNREADABLE) and (problems := self.facts.verify()):
                raise Stopped(problems) from value  # unreadable facts count as damaged
        finally:
            self.facts.__exit__(kind, value, trace)


def holds_decisions(folder: Path, clock: Clock) -> bool:
    """Whether a folder holds facts beyond the first, which is written while an event is made."""
    path = folder / FACTS
    if not path.is_file() or not path.stat().st_size:
        return False
    with Ledger(path, clock) as facts:
        begun = [fact.number for fact in facts.select(PlayersNumbered) if fact.by == MAKER]
        return len(begun) < facts.last_number()


def open_event(folder: Path, clock: Clock, random: Random | None = None) -> Event:
    """Open an event, or stop with what is wrong with its folder; ``random``: None for a secure generator."""
    if not (folder / "event.toml").is_file():
        is_lost = holds_decisions(folder, clock)
        raise stop(FILE_BACK if is_lost else "no event here; make one with 'ordersheets new'", str(folder))
    if not (folder / FACTS).is_file() or not (folder / FACTS).stat().st_size:
        raise stop(f"event.db, which holds all decisions, is missing; {COPY_BACK}", str(folder / FACTS))
    event = Event(folder, clock, random or SECURE_RANDOM)
    if not event.facts.last_number():
        event.facts.connection.close()
        raise stop(f"this file holds no decisions: it is not the one of this event; {COPY_BACK}", str(folder / FACTS))
    try:
        _check_code(event)
    except Stopped:
        event.facts.connection.close()
        raise
    return event


def open_same(event: Event) -> Event:
    """Open an open event a second time, for long work that holds up nobody; `Stopped` if its file was replaced."""
    if event.facts.refusal is None:
        with event.facts.transaction():  # which looks after all of its files
            pass
    event.facts.check_file()
    other = open_event(event.folder, event.facts.clock, event.random)
    if not other.facts.is_same_file(event.facts):
        other.facts.connection.close()
        event.facts.check_file()
        raise stop("the event was replaced at this very moment; do it again", str(event.folder))
    return other


def _check_code(event: Event) -> None:
    """Stop if sheets were printed with another event code than the file has now: they would not be recognised."""
    was, now = code_on_paper(event.facts), as_toml(event.details.code)
    if was not in (None, now):
        text = f"the code was {was} when paper was printed, and is {now} now; write {was} back"
        raise stop(text, "event.toml event.code")


def code_on_paper(facts: Ledger) -> str | None:
    """The event code when sheets were first printed, as TOML; None if unknown or nothing was printed.

    Damaged facts are reported by their next reader.
    """
    with suppress(Stopped, *UNREADABLE):
        printed = next(facts.select(SheetsPrinted, FormsPrinted), None)
        made = next(facts.select(PlayersNumbered), None)
        if printed is None or made is None:
            return None
        code = made.said.settings.get(f"{OF_EVENT}code")
        for fact in facts.select(SettingsChanged):
            if fact.number < printed.number:
                now = [change.now for change in fact.said.changes if change.setting == f"{OF_EVENT}code"]
                code = next(iter(now), code)
        return code
    return None

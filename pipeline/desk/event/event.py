"""An event is a folder: ``event.toml`` (people may edit it), ``event.db`` (facts), ``scans/`` and ``out/``.

In ``kept/`` are cached answers; it may be deleted at any time.

The folder is all there is: copy it to a stick and the event goes on elsewhere.
"""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random, SystemRandom
from types import TracebackType
from typing import Any, Self

import tomlkit
from msgspec import Struct
from msgspec.structs import asdict, fields, replace

from pipeline.board import MAPS, Map
from pipeline.desk.event.own_files import keep_lost_facts, read_own_files
from pipeline.desk.event.people import People, people_of
from pipeline.draw.roster import COLUMNS, Player, assign_numbers, read_roster_rows
from pipeline.ledger.copies import OWN_GATES, Label, bring_scan_back
from pipeline.ledger.events import FormsPrinted, PlayersNumbered, SettingsChanged, SheetsPrinted
from pipeline.ledger.facts import FACTS, Clock
from pipeline.ledger.files import write_refused, write_whole
from pipeline.ledger.ledger import Ledger, UpToNow
from pipeline.paper.sheet import PAPER_SIZES, address_fault
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules.load import files_of, load_tournament
from pipeline.rules.table import (
    Table,
    describe_fault,
    fault_in_file_name,
    read_small,
    read_small_text,
    read_toml_text,
    unprintable,
)
from pipeline.rules.tournament import Tournament
from pipeline.words.speech import Speech, languages

# The settings of an event's file, a value each, so that two of its states can be compared.

OF_EVENT = "event."  # the settings
OF_PLAYER = "player "  # and the number, or the name of one who was written in without a number
UNCOMPARED = ("number", "more")  # who a player is; and columns that nothing makes use of, such as telephone numbers
Settings = Mapping[str, str]  # "event.name", "player 3 club" -> the value as TOML has it


def settings_in(text: str) -> dict[str, str]:
    r"""The settings in a file, by name; comments and the order of lines do not matter.

    >>> settings_in('[event]\nname = "Cup"\n[[players]]\nname = "Ana"\nnumber = 1\nclub = "X"\n')
    {'event.name': '"Cup"', 'player 1 name': '"Ana"', 'player 1 club': '"X"'}
    """
    values = read_toml_text(text)
    event, players = values.get("event"), values.get("players")
    settings = {f"{OF_EVENT}{key}": as_toml(value) for key, value in event.items()} if isinstance(event, dict) else {}
    for player in players if isinstance(players, list) else []:
        if isinstance(player, dict):
            who = player.get("number", player.get("name", ""))  # by name: who was written in without a number
            settings |= {
                f"{OF_PLAYER}{who} {key}": as_toml(value) for key, value in player.items() if key not in UNCOMPARED
            }
    return settings


def settings_of(folder: Path) -> dict[str, str]:
    """The settings in the event's file, and the fingerprints (SHA-256) of the event's own rules files."""
    values = settings_in(read_small_text(folder / "event.toml"))
    return values | _fingerprints(folder, json.loads(values.get(f"{OF_EVENT}tournament", '""')))


def _fingerprints(folder: Path, tournament: object) -> dict[str, str]:
    """The hash of the event's own rules file and of the abbreviation tables beside it, by their names in the folder."""
    own = folder / str(tournament)
    if own.suffix != ".toml" or not own.is_file():
        return {}
    tables = sorted(path for path in (own.parent / "abbreviations").rglob("*") if path.is_file())
    hashes = {}
    for path in (own, *tables):
        digest = ""
        with suppress(OSError):  # nothing of a file that cannot be read
            digest = hashlib.sha256(read_small(path)).hexdigest()
        hashes[Path(os.path.relpath(path, folder)).as_posix()] = as_toml(digest)
    return hashes


def as_toml(value: object) -> str:
    """A value in TOML's notation, for texts, numbers, booleans and lists of them; a date as a text."""
    return json.dumps(value, ensure_ascii=False, default=str)


CODE = re.compile(r"[A-HJ-NP-Z2-9]{4}")  # no I, O, 0, 1: people read it aloud
MORE = "more"  # in event.toml: what stood in columns of the roster that the program makes no use of
BACKUP_MINUTES = 5  # some sixty rulings
GATE_KEY = "gate"  # in event.toml: the file with this event's own thresholds
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
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_WANTED = f"expected four of {CODE_LETTERS}; I, O, 0 and 1 look alike"


class Details(Struct, frozen=True, kw_only=True):
    """What ``event.toml`` says beside the roster."""

    name: str
    code: str  # four letters and digits, printed on every sheet: another event's sheet is known by it
    tournament: str  # a name in templates/rules, or the path of a rules file
    paper: str = "A4"
    map_name: str = "standard"
    gate: str = ""  # the file with this event's own thresholds, written by 'calibrate'; nothing: the reader's
    live_address: str = ""  # of the public pages, for a code on every sheet: "http://192.168.1.20:8040"; nothing: none
    learns_hands: bool = True  # whether a player's sheets are read with what is known of that hand
    language: str = ""  # of what players see; nothing: the rules'
    backup: str = ""  # a second place for copies: a folder on a stick or a share; nothing: only beside the event
    backup_minutes: int = BACKUP_MINUTES  # the longest time that decisions may be in no copy
    notice: str = ""  # a text of the director's own on the public screen, such as "Lunch at 12:30"
    schedule: str = ""  # when the rounds of this event begin and end; on the public pages
    practice: bool = False  # made to try everything with: invented players can fill in its sheets, see `is_practice`


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
        """Read the rules that these details name, in their language; the caller drops what other rules gave."""
        self.goes_by = details
        named = details.tournament
        rules_file = self.folder / named if named.endswith(".toml") else named
        rules, self.rules_files = load_tournament(rules_file), files_of(rules_file)
        rules, drawn_on = rules.in_language(details.language or rules.language), details.map_name
        self.tournament: Tournament = rules if rules.map == drawn_on else replace(rules, map=drawn_on)
        self.rules_by_map: dict[str, Tournament] = {details.map_name: self.tournament}

    def label(self) -> Label:
        """The label of a copy, with the event's own files as they are now; one that is gone is as it was."""
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


def new_event(folder: Path, details: Details, players: Iterable[Player], clock: Clock) -> None:
    """Make the folder of an event; one that is already there is never touched.

    A rules file of the director's own is copied into the folder with the tables beside it, so that the folder is all
    there is. ``event.toml`` is written last: a folder without it and without decisions was left by a killed program,
    and is made anew.
    """
    if (folder / "event.toml").exists():
        raise stop("an event is already here; choose another folder", str(folder))
    if fault := unprintable(details.name):
        raise stop(f"the event's name holds {fault}", "--name")
    if not CODE.fullmatch(details.code):
        raise stop(f"{CODE_WANTED}; found {details.code!r}", "--code")
    for given, known in (
        (details.paper, tuple(PAPER_SIZES)),
        (details.map_name, tuple(MAPS)),
        (details.language, ("", *languages())),
    ):
        if given not in known:
            raise stop(f"expected one of {', '.join(filter(None, known))}, found {given!r}", "a new event")
    if fault := fault_in_file_name(Path(details.tournament).name):
        raise stop(f"the file's name {fault}; give it another", details.tournament)
    load_tournament(details.tournament)  # to report its faults now, not in the middle of the first round
    try:
        for inside in (folder, folder / "scans", folder / "out"):
            inside.mkdir(parents=True, exist_ok=True)
        _remove_begun(folder, clock)
        if details.tournament.endswith(".toml"):
            details = replace(details, tournament=_keep_rules(Path(details.tournament), folder))
        everybody = assign_numbers(tuple(players), {})
        file = write_event_file(details, everybody)
        with Ledger(folder / FACTS, clock) as facts:
            names = {str(player.number): player.name for player in everybody}
            settings = settings_in(file) | _fingerprints(folder, details.tournament)
            facts.write(PlayersNumbered(names=names, settings=settings), MAKER)
        write_whole(folder / "event.toml", file.encode())
    except OSError as error:
        mend = "see who may write there, or choose another folder"
        raise write_refused(error, str(folder), "cannot make the event folder", mend) from error


def _remove_begun(folder: Path, clock: Clock) -> None:
    """Delete the facts of an unfinished event; stop if the event was complete."""
    if _holds_decisions(folder, clock):
        raise stop(f"{FILE_BACK}, or choose another folder", str(folder))
    for left in folder.glob(f"{FACTS}*"):
        left.unlink()


def _holds_decisions(folder: Path, clock: Clock) -> bool:
    """Whether a folder holds facts beyond the first, which is written while an event is made."""
    path = folder / FACTS
    if not path.is_file() or not path.stat().st_size:
        return False
    with Ledger(path, clock) as facts:
        begun = [fact.number for fact in facts.select(PlayersNumbered) if fact.by == MAKER]
        return len(begun) < facts.last_number()


def _keep_rules(rules: Path, folder: Path) -> str:
    """Copy a rules file and the abbreviation tables beside it, and name the copy relative to the event's folder."""
    kept = folder / "rules"
    kept.mkdir(exist_ok=True)
    if rules.resolve().parent == kept.resolve():
        return f"rules/{rules.name}"  # they are there already
    shutil.copyfile(rules, kept / rules.name)
    tables = rules.parent / "abbreviations"
    if tables.is_dir():
        shutil.copytree(tables, kept / "abbreviations", dirs_exist_ok=True)
    return f"rules/{rules.name}"


def open_event(folder: Path, clock: Clock, random: Random | None = None) -> Event:
    """Open an event, or stop with what is wrong with its folder; ``random``: None for a secure generator."""
    if not (folder / "event.toml").is_file():
        is_lost = _holds_decisions(folder, clock)
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


def write_event_file(details: Details, players: Iterable[Player]) -> str:
    """Write ``event.toml``, with a comment for people who open it; unset columns are left out."""
    event = tomlkit.table()
    event.add("name", details.name)
    event.add("code", tomlkit.item(details.code).comment("printed on every sheet"))
    event.update({"tournament": details.tournament, "paper": details.paper, "map": details.map_name})
    written = {
        GATE_KEY: details.gate,
        "live_address": details.live_address,
        "language": details.language,
        "learns_hands": details.learns_hands,
        "backup": details.backup,
        "backup_minutes": details.backup_minutes,
        "notice": details.notice,
        "schedule": details.schedule,
        "practice": details.practice,
    }
    usual = {"practice": False, "learns_hands": True, "backup_minutes": BACKUP_MINUTES}  # what holds without a line
    event.update({key: value for key, value in written.items() if value != usual.get(key, "")})
    file = tomlkit.document()
    file.add(tomlkit.comment("This event. You may edit this file between two commands; what happened is in event.db."))
    file.add(
        tomlkit.comment(
            "A player may be given another name here; the number stays the same. Do not delete a player who has played."
        )
    )
    file.add("event", event)
    people = tomlkit.aot()
    for player in players:
        player_table = tomlkit.table()
        # a distance of 0 km is a distance
        set_columns = {
            key: value for key, value in asdict(player).items() if value or (value == 0 and value is not False)
        }
        player_table.update({key: value for key, value in set_columns.items() if key != MORE})
        if player.more:
            player_table.add(MORE, tomlkit.item(dict(player.more)))
        people.append(player_table)
    if people:
        file.add("players", people)
    return file.as_string()


def read_event_file(path: Path) -> tuple[Details, tuple[Player, ...]]:
    """Read ``event.toml``, or stop with all its faults."""
    values = _values_in(path)
    if isinstance(event := values.get("event"), Mapping) and isinstance(paper := event.get("paper"), str):
        values = {**values, "event": {**event, "paper": paper.strip().upper()}}  # people write "letter"
    top = Table(values, path.name)
    table = top.table("event")
    details = Details(
        name=table.need("name", str, ""),
        code=table.need("code", str, "AAAA"),
        tournament=table.need("tournament", str, "weaselmoot"),
        paper=table.choice("paper", tuple(PAPER_SIZES)),
        map_name=table.choice("map", tuple(MAPS)),
        gate=table.get(GATE_KEY, str, ""),
        learns_hands=table.get("learns_hands", bool, True),
        live_address=table.get("live_address", str, "").rstrip("/"),
        language=table.choice("language", languages()) if "language" in table.values else "",
        backup=table.get("backup", str, ""),
        backup_minutes=table.get("backup_minutes", int, BACKUP_MINUTES),
        notice=table.get("notice", str, "").strip(),
        schedule=table.get("schedule", str, "").strip(),
        practice=table.get("practice", bool, False),
    )
    for key, named in (("tournament", details.tournament), (GATE_KEY, details.gate)):
        if named and (fault := fault_in_file_name(named)):
            table.fault(key, f"{named[:80]!r} {fault}")
    if details.live_address and (fault := address_fault(details.live_address)):
        table.fault("live_address", fault)
    if details.backup_minutes < 1:
        table.fault("backup_minutes", f"expected minutes, 1 or more, found {details.backup_minutes}")
    for key in ("backup", "notice", "schedule", "name"):
        text = getattr(details, key)
        if fault := unprintable(text):
            table.fault(key, f"{text[:80]!r} holds {fault}")
    if not CODE.fullmatch(details.code):
        table.fault("code", f"{CODE_WANTED}; found {details.code!r}")
    problems = list(table.finish())
    listed = [each.values for each in top.tables("players")]
    others = tuple(dict.fromkeys(key for player in listed for key in _more_of(player)))
    rows = [[*COLUMNS, *others], *(_as_row(player, others) for player in listed)]
    players, faults = read_roster_rows(rows, f"{path.name} players") if len(rows) > 1 else ((), ())
    unknown = {key for player in listed for key in player} - {f.name for f in fields(Player)}
    faults += tuple(Problem(Weight.STOPS, f"unknown field {key!r}", f"{path.name} players") for key in sorted(unknown))
    problems += [*top.finish(), *faults]
    if stops := [p for p in dict.fromkeys(problems) if p.weight is Weight.STOPS]:
        raise Stopped(stops)
    return details, players


def gate_name(data: bytes) -> str:
    """The name of a file with thresholds; it contains a hash, so that an edited file is noticed.

    >>> gate_name(b"")
    'gate-e3b0c442.toml'
    """
    return OWN_GATES.replace("*", hashlib.sha256(data).hexdigest()[:8])


def _values_in(path: Path) -> dict[str, Any]:
    """What a TOML file says."""
    try:
        return read_toml_text(read_small_text(path))
    except OSError as error:
        raise stop(f"cannot be read: {error.strerror or error}", str(path)) from error
    except ValueError as error:
        raise stop(describe_fault(error), str(path)) from error


def _more_of(player: Mapping[str, object]) -> dict[str, object]:
    """What a player's table keeps of other columns."""
    more = player.get(MORE, {})
    # not a table, but a roster column with that name
    return dict(more) if isinstance(more, Mapping) else {MORE: more}


def _as_row(player: Mapping[str, object], others: Iterable[str]) -> list[str]:
    """Turn a player's table into the row of a roster, so that one reader checks both."""

    def cell(value: object) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, list):
            return "/".join(map(str, value))
        return str(value)

    more = _more_of(player)
    return [*(cell(player.get(column, "")) for column in COLUMNS), *(cell(more.get(key, "")) for key in others)]

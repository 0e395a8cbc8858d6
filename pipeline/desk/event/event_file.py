"""``event.toml``, the file of an event: how it is read and written, and its settings as values to compare."""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import tomlkit
from msgspec import Struct, field
from msgspec.structs import asdict, fields, replace

from pipeline.board import MAPS
from pipeline.draw.roster import COLUMNS, Player, read_roster_rows
from pipeline.ledger.copies import OWN_GATES
from pipeline.paper.sheet import PAPER_SIZES, address_fault
from pipeline.printable import unprintable
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules.convert import read_struct
from pipeline.rules.table import Table, describe_fault, read_toml_text
from pipeline.small_files import fault_in_file_name, read_small, read_small_text
from pipeline.words.speech import languages

OF_EVENT = "event."  # the settings
OF_PLAYER = "player "  # and the number, or the name of one who was written in without a number
UNCOMPARED = ("number", "more")  # no settings: a player's number, and columns without use, such as telephone numbers
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
    return values | rules_fingerprints(folder, json.loads(values.get(f"{OF_EVENT}tournament", '""')))


def rules_fingerprints(folder: Path, tournament: object) -> dict[str, str]:
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
ALWAYS_WRITTEN = ("name", "code", "tournament", "paper", "map_name")  # of the settings, also where they are the usual
GATE_KEY = "gate"  # in event.toml: the file with this event's own thresholds
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_WANTED = f"expected four of {CODE_LETTERS}; I, O, 0 and 1 look alike"


class Details(Struct, frozen=True, kw_only=True):
    """What ``event.toml`` says beside the roster: a field is a key, and its default holds where there is no line."""

    name: str
    code: str  # four letters and digits, printed on every sheet: another event's sheet is known by it
    tournament: str  # a name in templates/rules, or the path of a rules file
    paper: str = "A4"
    map_name: str = field(name="map", default="standard")
    gate: str = ""  # the file with this event's own thresholds, written by 'calibrate'; nothing: the reader's
    live_address: str = ""  # of the public pages, for a code on every sheet: "http://192.168.1.20:8040"; nothing: none
    language: str = ""  # of what players see; nothing: the rules'
    learns_hands: bool = True  # whether a player's sheets are read with what is known of that hand
    backup: str = ""  # a second place for copies: a folder on a stick or a share; nothing: only beside the event
    backup_minutes: int = BACKUP_MINUTES  # the longest time that decisions may be in no copy
    notice: str = ""  # a text of the director's own on the public screen, such as "Lunch at 12:30"
    schedule: str = ""  # when the rounds of this event begin and end; on the public pages
    practice: bool = False  # made to try everything with: invented players can fill in its sheets, see `is_practice`


def write_event_file(details: Details, players: Iterable[Player]) -> str:
    """Write ``event.toml``, with a comment for people who open it; unset columns are left out."""
    event = tomlkit.table()
    for each in fields(Details):
        value = getattr(details, each.name)
        if each.name in ALWAYS_WRITTEN or value != each.default:
            item = tomlkit.item(value)
            event.add(each.encode_name, item.comment("printed on every sheet") if each.name == "code" else item)
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
    words = {"paper": table.choice("paper", tuple(PAPER_SIZES)), "map_name": table.choice("map", tuple(MAPS))}
    if "language" in table.values:
        words["language"] = table.choice("language", languages())
    read = read_struct(Details, table, words)
    address, notice, schedule = read.live_address.rstrip("/"), read.notice.strip(), read.schedule.strip()
    details = replace(read, live_address=address, notice=notice, schedule=schedule)
    for key, fault in _faults_of(details):
        table.fault_if_first(key, fault)
    listed = [each.values for each in top.tables("players")]
    others = tuple(dict.fromkeys(key for player in listed for key in _more_of(player)))
    rows = [[*COLUMNS, *others], *(_as_row(player, others) for player in listed)]
    players, faults = read_roster_rows(rows, f"{path.name} players") if len(rows) > 1 else ((), ())
    unknown = {key for player in listed for key in player} - {f.name for f in fields(Player)}
    faults += tuple(Problem(Weight.STOPS, f"unknown field {key!r}", f"{path.name} players") for key in sorted(unknown))
    problems = dict.fromkeys([*top.finish(), *faults])
    if stops := [p for p in problems if p.weight is Weight.STOPS]:
        raise Stopped(stops)
    return details, players


def _faults_of(details: Details) -> Iterator[tuple[str, str]]:
    """What cannot stand in the settings of an event, each with its key."""
    for key, named in (("tournament", details.tournament), (GATE_KEY, details.gate)):
        if named and (fault := fault_in_file_name(named)):
            yield key, f"{named[:80]!r} {fault}"
    if details.live_address and (fault := address_fault(details.live_address)):
        yield "live_address", fault
    if details.backup_minutes < 1:
        yield "backup_minutes", f"expected minutes, 1 or more, found {details.backup_minutes}"
    for key in ("backup", "notice", "schedule", "name"):
        text = getattr(details, key)
        if fault := unprintable(text):
            yield key, f"{text[:80]!r} holds {fault}"
    if not CODE.fullmatch(details.code):
        yield "code", f"{CODE_WANTED}; found {details.code!r}"


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

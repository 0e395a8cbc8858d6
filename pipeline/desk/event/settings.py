"""Notice edits of ``event.toml``: whoever changes a setting, a fact records it.

People may edit the file. The first fact holds it as it was; when a command or the desk opens the event, every
difference from that and the later recorded changes is recorded.
"""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import tomlkit
from msgspec.structs import asdict, replace
from tomlkit import items

from pipeline.desk.event.event import Event, code_on_paper
from pipeline.desk.event.event_file import (
    CODE,
    CODE_WANTED,
    OF_EVENT,
    OF_PLAYER,
    Settings,
    as_toml,
    read_event_file,
    settings_of,
)
from pipeline.desk.event.own_files import read_own_files
from pipeline.ledger.events import PhasePublished, PlayersNumbered, SettingsChanged
from pipeline.ledger.files import keep_file
from pipeline.ledger.ledger import Fact, Ledger, standing
from pipeline.ledger.open_file import stamp_of
from pipeline.ledger.parts import SettingChange
from pipeline.printable import unprintable
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules.load import content_of
from pipeline.small_files import read_small

FILE = "event.toml"
RULES = f"{OF_EVENT}tournament"
EDITOR = "an editor"  # who changed the file, where no command and no page did
# settings that only one command writes: a change is that command's even if it was killed before recording it
WRITERS = {f"{OF_EVENT}gate": "calibrate"}
# that page changes them
ON_OVERVIEW = ("name", "paper", "schedule", "notice", "live_address", "backup", "backup_minutes", "learns_hands")


def known_settings(facts: Ledger) -> Settings:
    """The settings by the facts: those at the event's making, with every change that counts."""
    made = next(facts.select(PlayersNumbered), None)
    values = dict(made.said.settings) if made else {}
    for fact in standing(facts, SettingsChanged):
        for change in fact.said.changes:
            if change.now is None:
                values.pop(change.setting, None)
            else:
                values[change.setting] = change.now
    return values


def is_in_event_toml(setting: str) -> bool:
    """Say whether a setting is one of ``event.toml``; all others are fingerprints of the event's rules files."""
    return setting.startswith((OF_EVENT, OF_PLAYER))


def note_changes(event: Event, by: str = "") -> Fact[SettingsChanged] | None:
    """Record every difference between files and facts; an edit of the event's own rules files is a fact of its own."""
    saved = _saved_at(event.folder / FILE)
    before, now = known_settings(event.facts), settings_of(event.folder)
    every = tuple(
        SettingChange(setting=setting, was=before.get(setting), now=now.get(setting))
        for setting in dict.fromkeys([*now, *before])  # in the order of the file
        if before.get(setting) != now.get(setting)
    )
    if rules := tuple(change for change in every if not is_in_event_toml(change.setting)):
        edited = [path for change in rules if (path := event.folder / change.setting).is_file()]
        when = max(map(_saved_at, edited), default=saved)
        event.facts.write(SettingsChanged(changes=rules, saved=when), EDITOR)
    changes = tuple(change for change in every if is_in_event_toml(change.setting))
    who = by or (WRITERS.get(changes[0].setting, EDITOR) if len(changes) == 1 else EDITOR)
    return event.facts.write(SettingsChanged(changes=changes, saved=saved), who) if changes else None


def _saved_at(path: Path) -> str:
    """When a file was saved last, on this machine's clock."""
    return datetime.fromtimestamp(path.stat().st_mtime).astimezone().strftime("%Y-%m-%d %H:%M")


def warn_of_changed_rules(event: Event) -> Iterator[Problem]:
    """Warn if the rules were changed after a publication: all phases are now judged and scored by the new ones."""
    published = next(iter(standing(event.facts, PhasePublished)), None)
    if published is None:
        return
    then = f"{published.said.phase.in_words} of board {published.said.board}"
    before: dict[str, str | None] = {}  # what held when it was published, of each setting that was changed since
    last: dict[str, tuple[int, str | None]] = {}  # the newest change of each
    for fact in standing(event.facts, SettingsChanged):
        for change in fact.said.changes if fact.number > published.number else ():
            before.setdefault(change.setting, change.was)
            last[change.setting] = fact.number, change.now
    for setting, (number, now) in last.items():
        if now == before[setting]:
            continue  # it was changed back
        if setting == RULES:
            text = f"{before[setting]} when {then} was published, {now} since number {number} of the journal"
            yield Problem(Weight.NOTES, f"{text}; everything is judged and scored by it now", f"{FILE} {RULES}")
        elif not is_in_event_toml(setting):
            text = f"it was edited after {then} was published, as number {number} of the journal says"
            yield Problem(Weight.NOTES, f"{text}; everything is judged and scored by it now", setting)


def note_if_changed(event: Event) -> None:
    """Note an edit when the event is opened; where nothing can be written now, it is noted the next time."""
    with suppress(Stopped):
        if known_settings(event.facts) != settings_of(event.folder):  # who only reads takes no lock, and makes no copy
            with event.facts.transaction():
                note_changes(event)


# Its files under an event that stays open, as in a desk: edited, replaced, moved away.

FIXED = ("code", "tournament", "map_name", "language")  # what an open event is made of


class FilesWatch:
    """Looks before anything is written whether the event's own files, and those of its rules, are as they were."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.file = event.folder / FILE
        event.own_files = read_own_files(event.folder, event.details.gate)
        self.stamps = {path: stamp_of(path) for path in (self.file, *event.rules_files)}
        event.facts.before_writing = self.check

    def check(self) -> None:
        """Take over an edit of ``event.toml``; `Stopped` where that cannot be, or where rules are other than they were.

        Called inside a transaction, so that an edit is in the journal before what is decided by it.
        """
        for path, before in self.stamps.items():
            now = stamp_of(path)
            if now == before:
                continue
            if path == self.file:
                self._take_over()
            elif content_of(path) != self.event.rules_files[path]:
                text = "it was changed or moved while this event is open here, which still goes by what it was"
                raise stop(f"{text}: put it back, or close and open the event to go by the new one", str(path))
            self.stamps[path] = now

    def _take_over(self) -> None:
        try:
            details, _ = read_event_file(self.file)
        except Stopped as stopped:
            text = "it was changed or moved while this event is open here, and cannot be used now; put it back"
            raise Stopped((Problem(Weight.STOPS, text, str(self.file)), *stopped.problems), stopped.code) from stopped
        now, before = asdict(details), asdict(self.event.goes_by)
        if other := [name.removesuffix("_name") for name in FIXED if now[name] != before[name]]:
            text = f"{', '.join(other)} was changed while this event is open here"
            raise stop(f"{text}: put it back, or close and open the event to go by it", str(self.file))
        note_changes(self.event)
        self.event.read_file()
        self.event.own_files = read_own_files(self.event.folder, details.gate)


def change_setting(event: Event, name: str, value: str | bool | int, by: str) -> Fact[SettingsChanged] | None:
    """Change one setting in the file and leave the rest as people wrote it; an empty text removes the line."""
    if name not in ON_OVERVIEW:
        raise stop(f"expected one of {', '.join(ON_OVERVIEW)}", "setting")
    if isinstance(value, str) and (fault := unprintable(value)):
        raise stop(f"it holds {fault}", name)
    with event.facts.transaction():
        note_changes(event)  # first, so that earlier edits are not recorded under this person's name
        rewrite(event, {f"{OF_EVENT}{name}": as_toml(value) if value != "" else None})
        return note_changes(event, by)


def changes_rules(said: SettingsChanged) -> bool:
    """Whether an open event does not go by what a change says before it is opened anew."""
    return any(
        change.setting in {f"{OF_EVENT}{name.removesuffix('_name')}" for name in FIXED} for change in said.changes
    )


def is_to_be_opened_anew(event: Event) -> bool:
    """Whether the file of an open event names other rules than those by which it goes."""
    try:
        now = read_event_file(event.folder / FILE)[0]
    except (Stopped, OSError):
        return False
    return any(getattr(now, name) != getattr(event.goes_by, name) for name in FIXED)


RULES_SETTINGS = ("tournament", "language", "code")  # an event is opened anew to go by another of these


def change_rules(event: Event, wanted: Mapping[str, str], by: str) -> Fact[SettingsChanged] | None:
    """Write another tournament, language or code into ``event.toml``; who has the event open must open it anew.

    ``wanted``: the values by their keys; an empty text removes the line.
    """
    if unknown := [name for name in wanted if name not in RULES_SETTINGS]:
        raise stop(f"expected one of {', '.join(RULES_SETTINGS)}, found {', '.join(unknown)}", "setting")
    check_new_code(event, wanted.get("code", event.details.code))
    event.go_by(replace(event.details, **wanted))  # first, so that faults of the rules stop it
    with event.facts.transaction():
        note_changes(event)
        rewrite(event, {f"{OF_EVENT}{name}": as_toml(value) if value else None for name, value in wanted.items()})
        return note_changes(event, by)


def check_new_code(event: Event, code: str) -> None:
    """Stop where an event cannot have another code: it is no code, or paper with the one that it has is printed."""
    if code == event.details.code:
        return
    if not CODE.fullmatch(code):
        raise stop(f"{CODE_WANTED}; found {code!r}", "code")
    if code_on_paper(event.facts):
        text = f"{event.details.code} is printed on paper already, which would not be known by another code"
        raise stop(f"{text}; it stays", "code")


def try_second_place(event: Event, named: str) -> None:
    """Stop unless a second place for copies is a folder in which what was written can be read again."""
    folder = (event.folder / named).absolute()
    where = str(folder)
    if folder.resolve().is_relative_to(event.folder.resolve()):
        raise stop("this is the event's own folder: name one on a stick or a share", where)
    if not folder.is_dir():
        raise stop("no such folder; is the stick in, or the share connected? Make the folder there first", where)
    tried = folder / f".ordersheets-{secrets.token_hex(8)}.part"
    data = secrets.token_bytes(64 << 10)
    try:
        try:
            keep_file(tried, data)
            is_kept = tried.read_bytes() == data
        finally:
            tried.unlink(missing_ok=True)
    except (OSError, Stopped) as error:
        said = "; ".join(each.text for each in error.problems) if isinstance(error, Stopped) else str(error)
        raise stop(f"nothing can be kept in this folder ({said}); name another one", where) from error
    if not is_kept:
        raise stop("what was written there is not what can be read from it; name another folder", where)


def rewrite(event: Event, settings: Mapping[str, str | None], comment: str = "") -> None:
    """Write settings into the event's file, all or none; None removes one. A file with faults is put back as it was.

    ``comment`` is put behind a setting that the file did not have.
    """
    path = event.folder / FILE
    text = read_small(path).decode("utf-8-sig")  # bytes: line ends stay as they are, too
    keep_file(path, _change_settings_text(text, settings, comment).encode())
    try:
        read_event_file(path)
    except Stopped:
        keep_file(path, text.encode())
        raise
    event.read_file()


def _change_settings_text(text: str, settings: Mapping[str, str | None], comment: str = "") -> str:
    r"""The text of the file with other settings of the event; a new one stands below the others, with a comment.

    >>> text = '[event]\nname = "Cup" # ours\n\n# the players\n[[players]]\nname = "Ana"\n'
    >>> print(_change_settings_text(text, {"event.name": '"Owl"', "event.backup": '"/media"'}, "the stick"), end="")
    [event]
    name = "Owl" # ours
    backup = "/media" # the stick
    <BLANKLINE>
    # the players
    [[players]]
    name = "Ana"
    """
    file = tomlkit.parse(text if text.endswith("\n") else text + "\n")
    table: Any = file["event"]
    for setting, value in settings.items():
        key = setting.removeprefix(OF_EVENT)
        if value is None:
            table.pop(key, None)
        elif key in table or not isinstance(table, items.Table):
            table[key] = tomlkit.value(value)  # the comment behind the old one stays
        else:
            item = tomlkit.value(value)
            _put_below(table, key, item.comment(comment) if comment else item)
    return file.as_string()


def _put_below(table: items.Table, key: str, value: Any) -> None:
    """Put a new key below the last one; `append` would put it below the comments on what comes next."""
    keys = table.value.body
    last, before = max((place, item) for place, (name, item) in enumerate(keys) if name is not None)
    value.trivia.indent, value.trivia.trail = before.trivia.indent, before.trivia.trail
    keys.insert(last + 1, (items.SingleKey(key), value))

"""Commands on an event and its copies, and what they say."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from msgspec.structs import replace

from pipeline.cli import group
from pipeline.desk.event.event import Event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.intake import ingest
from pipeline.draw.roster import Player
from pipeline.ledger.copies import Copy
from pipeline.problems import Stopped

SCAN = b"%PDF-1.4 a scan %%EOF"


def run(*words: object) -> tuple[int, str]:
    """Run a command; gives its exit code and all that it says."""
    result = CliRunner().invoke(group, [str(word) for word in words])
    if isinstance(result.exception, Stopped):
        return result.exception.code, result.output + str(result.exception)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result.exit_code, result.output


def status_of(cup: Path) -> dict[str, Any]:
    """What ``status --json`` says of copies; notes may stand before it, on standard error."""
    said = run("status", cup, "--json")[1]
    found: dict[str, Any] = json.loads(said[said.index("{\n") :])["backup"]
    return found


def kinds_in(copy: Copy) -> list[str]:
    """The facts of a copy."""
    with closing(sqlite3.connect(f"file:{copy.folder}/event.db?mode=ro", uri=True)) as facts:
        return [kind for (kind,) in facts.execute("SELECT kind FROM facts ORDER BY id")]


def with_second(cup: Path, place: Path) -> Path:
    """Name a second place; the event is given back."""
    file = cup / "event.toml"
    file.write_text(file.read_text("utf-8").replace("[event]", f'[event]\nbackup = "{place.as_posix()}"'), "utf-8")
    return cup


def receive(event: Event, content: bytes = SCAN) -> str:
    """Keep a scan as if it had come in; gives its name."""
    coming = event.folder.parent / "coming.pdf"
    coming.write_bytes(content)
    return ingest.receive(event, coming).path.name


def a_copy(copy: Copy, number: int) -> Copy:
    """The same with another number."""
    return replace(copy, number=number)


def another(folder: Path) -> Path:
    """Another event; the folder is given back."""
    details = Details(name="Other Cup", code="CCCC", tournament="weaselmoot")
    make_event_folder(folder, details, [Player(name="Hal")], lambda: "2026-02-02T09:00:00+00:00")
    return folder

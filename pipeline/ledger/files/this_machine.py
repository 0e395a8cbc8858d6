"""What is kept for whoever uses this machine, beside all events: the director's name, and the events opened last.

None of it is a fact; where it cannot be written, it is asked again. The folder is the one that the system has for it.
"""

import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipeline.ledger.files.disk import write_whole

FILE = "ordersheets/this-machine.json"
MOST = 12  # events that are remembered


def place() -> Path:
    """Where it is kept: %APPDATA% on Windows, else $XDG_CONFIG_HOME or ~/.config."""
    named = os.environ.get("APPDATA" if sys.platform == "win32" else "XDG_CONFIG_HOME", "")
    return (Path(named) if named else Path.home() / ".config") / FILE


def kept() -> dict[str, Any]:
    """Everything that is kept; nothing where the file is gone or spoilt."""
    with suppress(OSError, ValueError, RuntimeError):  # the last: nobody's home is known
        found = json.loads(place().read_text("utf-8"))
        return found if isinstance(found, dict) else {}
    return {}


def keep(**values: Any) -> None:
    """Keep some of it anew."""
    with suppress(OSError, RuntimeError):
        path = place()
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(kept() | values, ensure_ascii=False, indent=1).encode())


def kept_name() -> str:
    """The director's name; nothing where nobody has said it."""
    name = kept().get("name", "")
    return name if isinstance(name, str) else ""


def keep_name(name: str) -> None:
    """Keep the director's name."""
    keep(name=name)


def recent_events() -> tuple[Path, ...]:
    """The events that were made or opened last, the newest first, as far as they are still there."""
    found = kept().get("events", [])
    paths = [Path(each) for each in found if isinstance(each, str)] if isinstance(found, list) else []
    return tuple(path for path in paths if (path / "event.toml").is_file())


def keep_event(folder: Path) -> None:
    """Remember an event as the newest."""
    paths: Sequence[Path] = [folder.resolve(), *recent_events()]
    keep(events=[str(path) for path in dict.fromkeys(paths)][:MOST])

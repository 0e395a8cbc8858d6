"""Who is in, what is missing, what waits for the director: as the JSON that ``status`` prints, and in words."""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pipeline.desk.backups import backup_status
from pipeline.desk.event.event import Event
from pipeline.desk.hands.reader_name import reader_name
from pipeline.desk.review.orders_shown import status_anew
from pipeline.ledger.files import write_whole
from pipeline.rules.table import read_small

TROUBLE = "trouble.json"


def status(event: Event) -> dict[str, Any]:
    """The state of every board, of whatever waits, and of the copies."""
    found = status_anew(event)
    found["problems"] += _troubles_left(event)
    return found | {"reader": reader_name(event), "backup": backup_status(event)}


def leave_trouble(event: Event, troubles: Mapping[str, str]) -> None:
    """Store failures of background work (copies, reading) for the next command to report, by the work's name."""
    with suppress(OSError):
        if troubles:
            event.cache_folder.mkdir(exist_ok=True)
            write_whole(event.cache_folder / TROUBLE, json.dumps({"at": event.facts.clock(), "in": troubles}).encode())
        else:
            (event.cache_folder / TROUBLE).unlink(missing_ok=True)


def _troubles_left(event: Event) -> list[dict[str, str]]:
    """The stored failures of background work, also of a killed process."""
    with suppress(OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        kept = json.loads(read_small(event.cache_folder / TROUBLE))
        at = f"as of {kept['at']}; an open desk tries again; if it does not, close and open it"
        return [{"where": f"{name} beside the pages", "text": f"{text} ({at})"} for name, text in kept["in"].items()]
    return []

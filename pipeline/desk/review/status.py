"""Who is in, what is missing, what waits for the director: as the contract's JSON, and in words.

What follows from the facts is kept for the next command, and believed as long as all that it rests on is as it was,
byte by byte. Nothing that the clock or another folder decides is in it.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pipeline.desk.backups import backup_status
from pipeline.desk.event.event import Event
from pipeline.desk.event.settings import all_of
from pipeline.desk.hands.reader_name import reader_name
from pipeline.ledger.files import cached_answer, write_whole

KEPT = "status.json"
TROUBLE = "trouble.json"


def status(event: Event) -> dict[str, Any]:
    """The state of every board, of whatever waits, and of the copies."""
    found: dict[str, Any] = json.loads(_as_kept(event))
    found["problems"] += _troubles_left(event)
    return found | {"reader": reader_name(event), "backup": backup_status(event)}


def leave_status(event: Event) -> None:
    """Keep it for the next command: who wrote facts down has them in memory, and the next one would read them all.

    Whatever stands against it, a fault of the program too, stops nothing here: whoever asks for the status is told.
    """
    with suppress(Exception):
        _as_kept(event)


def leave_trouble(event: Event, troubles: Mapping[str, str]) -> None:
    """Keep for the next command what stands against the work beside the pages of an open office, by its name."""
    with suppress(OSError):
        if troubles:
            event.kept.mkdir(exist_ok=True)
            write_whole(event.kept / TROUBLE, json.dumps({"at": event.facts.clock(), "in": troubles}).encode())
        else:
            (event.kept / TROUBLE).unlink(missing_ok=True)


def _troubles_left(event: Event) -> list[dict[str, str]]:
    """What an open office, or one that was killed, has left to tell."""
    with suppress(OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        kept = json.loads((event.kept / TROUBLE).read_text("utf-8"))
        at = f"as of {kept['at']}; the office that is open tries again, or open it anew"
        return [{"where": f"{name} beside the pages", "text": f"{text} ({at})"} for name, text in kept["in"].items()]
    return []


def _as_kept(event: Event) -> str:
    """What follows from the facts, as JSON: from its file, or worked out anew and kept there."""
    newest = event.facts.last_number()
    return cached_answer(
        event.kept / KEPT, all_of(event), lambda: _worked_out(event), lambda: event.facts.last_number() == newest
    )


def _worked_out(event: Event) -> str:
    """What follows from the facts, as JSON."""
    from pipeline.desk.review.orders_shown import status_anew  # noqa: PLC0415 - where it is kept, half of the start

    return json.dumps(status_anew(event), ensure_ascii=False)

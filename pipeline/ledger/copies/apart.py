"""Whether a copy beside an event knows what the event does not: an older folder is here, or two were gone on from."""

import json
from contextlib import closing
from pathlib import Path

from pipeline.ledger.copies.copies import Copy, copies_in, facts_to_read, holds, of_event, tip_of
from pipeline.ledger.events import EventRestored, FormsPrinted, SheetsPrinted
from pipeline.ledger.facts import FACTS
from pipeline.ledger.ledger import Ledger


def place_beside(folder: Path) -> Path:
    """Where an event's copies lie: beside its folder, so that they stay when it is deleted."""
    whole = folder.resolve()
    return whole.with_name(f"{whole.name}-backups")


def newer_copy(facts: Ledger, place: Path) -> Copy | None:
    """The newest copy of an event that holds facts which the event does not have; None where there is none.

    Copies that were made before the event knowingly went on from one (`EventRestored`) are left out: their numbers are
    smaller than that of the first copy since.
    """
    with facts.lock:
        mine = of_event(copies_in(place), tip_of(facts.connection).identity)
        held = [copy for copy in mine if holds(facts.connection, copy.tip)]
    restored = facts.newest(EventRestored)
    since = min((copy.number for copy in held if copy.tip.facts >= restored), default=None) if restored else 0
    if since is None:
        return None
    others = [copy for copy in mine if copy not in held and copy.number > since]
    return others[-1] if others else None


def last_serial(copy: Copy) -> int:
    """The last serial that was printed when a copy was made; 0 where nothing was."""
    query = "SELECT body FROM facts WHERE kind IN (?, ?)"
    with closing(facts_to_read(copy.folder / FACTS)) as connection:
        bodies = [json.loads(text) for (text,) in connection.execute(query, (SheetsPrinted.KIND, FormsPrinted.KIND))]
    papers = (each for body in bodies for each in (*body.get("sheets", ()), *body.get("forms", ())))
    return max((int(each["serial"]) for each in papers), default=0)

"""Copies of an event on pages: which there are and whether they are whole, copying now, and restoring one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.routing import Route

from pipeline.desk import backups
from pipeline.desk.event.event import open_same
from pipeline.ledger import copies
from pipeline.ledger.claims import Login
from pipeline.ledger.newer import within_a_moment
from pipeline.web.app import Pages
from pipeline.web.logins import Right
from pipeline.web.office import Office
from pipeline.web.on_pages import say_on_page


def routes(pages: Pages) -> list[Route]:
    return [
        pages.get("/api/copies", _show_copies, Right.PUBLISH),
        pages.act("/api/copies/now", _copy_now, Right.PUBLISH, lambda *_: {}, is_long=True),  # it replaces nothing
    ]


def list_copies(folder: Path, named: Path | None) -> list[dict[str, Any]]:
    """The copies from which an event may be restored, newest first, each with its place and verdict.

    A place that does not answer within a moment is said to be slow.
    """
    return [row for place in dict.fromkeys(backups.places_of(folder, named)) for row in _copies_in(place)]


def _copies_in(place: Path) -> Iterator[dict[str, Any]]:
    looked = within_a_moment(place, "list", lambda: copies.look_in(place))
    if looked is None:
        if place.is_dir():
            yield _row(place, place, "", 0, "this place is slow; look again in a moment")
        return
    for copy in sorted(looked.copies, key=lambda copy: -copy.number):
        verdict = "" if copies.is_whole(copy) else "damaged: take another one"
        yield _row(place, copy.folder, copy.at, copy.tip.facts, verdict) | {"event": copy.name}
    for spoilt in looked.spoilt:
        yield _row(place, spoilt.folder, "", 0, say_on_page(spoilt.fault))


def _row(place: Path, folder: Path, at: str, facts: int, fault: str) -> dict[str, Any]:
    name = folder.name if folder != place else ""
    return {"copy": name, "place": str(place), "at": at, "facts": facts, "fault": fault, "event": ""}


def _show_copies(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    folder = office.event.folder
    return {"folder": str(folder.absolute()), "copies": list_copies(folder, None), "trouble": office.no_backup}


def _copy_now(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Copy to both places, and verify every scan there; other pages are answered meanwhile."""
    with open_same(office.event) as event:
        problems = backups.back_up(event, verifies_all=True)
    return {"notes": [f"{each.where}: {say_on_page(each.text)}" for each in problems]}

"""The gallery of scoring systems: a director looks at the pictures and takes the lines for his next rules file."""

from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from pipeline.ledger.claims import Login
from pipeline.problems import stop
from pipeline.rules.load import load_systems
from pipeline.rules.systems import SystemFile, picture_file
from pipeline.web.app import Pages
from pipeline.web.logins import Right
from pipeline.web.office import Office


def system_routes(pages: Pages) -> list[Route]:
    """The page and its pictures."""
    return [
        pages.page("/systems", "systems.html", Right.PUBLISH, _list_systems),
        pages.get("/systems/{name}.svg", _show_system_picture, Right.PUBLISH),
    ]


def _list_systems(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """The systems in whose words something is found; all of them, if nothing is looked for."""
    find, known = str(asked.get("find", "")).strip(), tuple(load_systems().values())
    systems = [system for system in known if find.casefold() in _words_of(system).casefold()]
    return {"systems": systems, "all": len(known), "find": find, "told": _told_of}


def _words_of(system: SystemFile) -> str:
    return " ".join((system.id, system.name, system.summary, system.rewards, _told_of(system)))


def _told_of(system: SystemFile) -> str:
    """Who made it, when, and where it is played."""
    return ", ".join(each for each in (system.author, str(system.year or ""), system.played) if each)


def _show_system_picture(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    if asked["name"] not in load_systems():
        raise stop("no such system", asked["name"])
    picture = picture_file(asked["name"]).read_text("utf-8")
    return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"})

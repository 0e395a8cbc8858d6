"""The gallery of scoring systems: a director looks at the pictures and takes the lines for his next rules file."""

from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from pipeline.desk.results.gallery import Hung, gallery
from pipeline.ledger.files.claims import Login
from pipeline.problems import stop
from pipeline.web.office.app import Pages
from pipeline.web.office.auth import Right
from pipeline.web.office.office import Office


def routes(pages: Pages) -> list[Route]:
    """The page, what it shows, and the pictures."""
    return [
        pages.page("/systems", "systems.html", Right.PUBLISH),
        pages.get("/api/systems", list_systems, Right.PUBLISH),
        pages.get("/systems/{name}.svg", show_picture, Right.PUBLISH),
    ]


def list_systems(office: Office, login: Login, asked: dict[str, Any]) -> Any:
    """Every system as the page shows it."""
    return {"systems": [as_object(hung) for hung in gallery()]}


def as_object(hung: Hung) -> dict[str, Any]:
    """One system."""
    system = hung.system
    return {
        "id": hung.id,
        "name": hung.name,
        "summary": hung.summary,
        "rewards": system.rewards,
        "told": ", ".join(each for each in (system.author, str(system.year or ""), system.played) if each),
        "source": system.source,
        "why": system.why,
        "picture": f"/systems/{hung.id}.svg",
    }


def show_picture(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    """The picture of one system."""
    for hung in gallery():
        if hung.id == asked["name"]:
            return Response(
                hung.picture, media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"}
            )
    raise stop("no such system", asked["name"])

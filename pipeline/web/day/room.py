"""The page that brings telephones in: the address as a code, and the fingerprint to compare."""

from typing import Any

from starlette.routing import Route

from pipeline.ledger.files.claims import Login
from pipeline.web.office.app import Pages
from pipeline.web.office.auth import Right
from pipeline.web.office.office import Office


def routes(pages: Pages) -> list[Route]:
    """The page, and what stands on it."""

    def tell(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
        door = pages.door
        code = door.room.code(door.port)
        return {
            "addresses": [door.room.url(each, door.port) for each in door.room.addresses],
            "fingerprint": door.room.fingerprint,
            "code": code.svg_data_uri(scale=8, border=3) if code else "",
        }

    return [pages.page("/room", "room.html", Right.PUBLISH), pages.get("/api/room", tell, Right.PUBLISH)]

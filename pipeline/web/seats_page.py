"""The seats of a round for phones and the screen: a name is found at once."""

from typing import Any

from starlette.routing import Route

from pipeline.desk.print.seat_lists import of_games
from pipeline.ledger.claims import Login
from pipeline.web.app import Pages
from pipeline.web.auth import Right
from pipeline.web.day import round_of
from pipeline.web.office import Office


def routes(pages: Pages) -> list[Route]:
    """The page and its list."""
    return [pages.page("/seats", "seats.html", Right.WATCH), pages.get("/api/seats", show, Right.WATCH)]


def show(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """The seats of a round: of the one that is asked for, or the one that is being played."""
    with office.inside() as live:
        seated = max((game.seating.round for game in live.games.values()), default=1)
        number = round_of(office, asked["round"]) if asked.get("round") else seated
        return of_games(live.games.values(), number).as_json()

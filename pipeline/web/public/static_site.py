"""The public pages of an event as files: they need no server and no script, and may be put on any web space."""

from pathlib import Path

from pipeline.desk.publish.public_record import PublicRecord
from pipeline.web.public.public_pages import HERE, NOW, Pages, map_of

FOLDER = "site"


class FiledLinks:
    """Where the pages are as files: side by side, so that they find one another wherever their folder is."""

    live = False

    def style(self) -> str:
        """The sheet of style."""
        return "live.css"

    def home(self) -> str:
        """The first page."""
        return "index.html"

    def standings(self) -> str:
        """The standings."""
        return "standings.html"

    def board(self, board: str) -> str:
        """A board."""
        return f"board-{board}.html"

    def phase(self, board: str, phase: str) -> str:
        """A phase of a board."""
        return f"board-{board}-{phase}.html"

    def map(self, board: str, phase: str) -> str:
        """A map."""
        return f"map-{board}-{phase}.svg"


def site(record: PublicRecord) -> dict[str, bytes]:
    """Every page, by its file's name."""
    links = FiledLinks()
    pages = Pages(record, links)
    found = {links.home(): pages.home(), links.style(): (Path(HERE) / "static" / links.style()).read_text("utf-8")}
    if record.places is not None:
        found[links.standings()] = pages.standings()
    for name, game in record.games.items():
        found[links.board(name)] = pages.board(game)
        found[links.map(name, NOW)] = map_of(game, None, record.speech)
        for played in game.played:
            found[links.phase(name, str(played.phase))] = pages.phase(game, played)
            found[links.map(name, str(played.phase))] = map_of(game, played, record.speech)
    return {f"{FOLDER}/{name}": text.encode() for name, text in found.items()}

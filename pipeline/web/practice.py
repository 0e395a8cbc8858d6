"""Practice in an event that was made for it: its sheets are filled in by a pen of the program, and scanned."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from starlette.routing import Route

from pipeline.desk.event.event import Event, open_same
from pipeline.desk.intake.ingest import keep_file, note_received
from pipeline.ledger.claims import Login
from pipeline.problems import stop
from pipeline.web import versions
from pipeline.web.app import Pages, text_of
from pipeline.web.logins import Right
from pipeline.web.office import Office
from pipeline.web.shown import Things
from pipeline.web.upload import UploadReader

FOLDER = "practice"  # in the event's folder: what was written, and not scanned yet

# Fills in the sheets of a board (its name, such as "1.2") that are missing, and leaves the scans in a folder.
FillSheets = Callable[[Event, str, Path], Sequence[Path]]


def routes(pages: Pages, reading: UploadReader, pen: FillSheets) -> list[Route]:
    """What the page of the round asks for, in a practice event only."""

    def fill(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
        """Let the players of a board write; the facts are opened separately, so that other pages answer meanwhile."""
        board = text_of(body, "board")
        with office.inside():
            folder = _folder_of(office, login, board)
        shutil.rmtree(folder, ignore_errors=True)
        with open_same(office.event) as event:
            return {"files": len(pen(event, board, folder))}

    def scan(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
        """Hand in what was written, as a scanner does."""
        with office.inside():
            folder = _folder_of(office, login, text_of(body, "board"))
        files = _written(folder)
        if not files:
            raise stop("nothing was filled in; press 'Fill in' first", text_of(body, "board"))
        for file in files:
            kept = keep_file(office.event, file)
            with office.lock:
                reading.take_turn(kept.sha256, login.digest)
                note_received(office.event, kept, file.name, login.role)
        shutil.rmtree(folder, ignore_errors=True)
        reading.wake.put(True)
        return {"files": len(files)}

    return [
        pages.act("/api/practice/fill", fill, Right.PUBLISH, _see_board),
        pages.act("/api/practice/scan", scan, Right.PUBLISH, _see_board),
    ]


def _folder_of(office: Office, login: Login, board: str) -> Path:
    """Where the sheets of a board lie that are filled in and not scanned."""
    game = office.game(login, board)
    return office.event.folder / FOLDER / f"{game.name}-{game.position.phase}"


def _written(folder: Path) -> list[Path]:
    return sorted(each for each in folder.rglob("*") if each.is_file())


def count_written(office: Office, login: Login) -> dict[str, int]:
    """How many files of each board are filled in and not scanned."""
    with office.inside() as live:
        folders = {name: _folder_of(office, login, name) for name in live.games if not office.plays_on(login, name)}
    return {name: len(_written(folder)) for name, folder in folders.items()}


def _see_board(office: Office, login: Login, body: dict[str, Any]) -> Things:
    game = office.live.games.get(text_of(body, "board"))
    return dict(versions.of_board(office.event, game)) if game else {}

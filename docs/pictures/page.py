"""Draw the pictures of docs/explanation/how-a-page-is-read.md again: ``.venv/bin/python docs/pictures/page.py``.

They are those of ``scan --debug-pictures`` for one sheet of the sample event, made smaller.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from pipeline.board import Power
from pipeline.desk.event.event import Details, new_event, open_event
from pipeline.desk.event.games import games
from pipeline.desk.event.seating import seat_round
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.intake.albums import Albums
from pipeline.desk.intake.ingest import take_in
from pipeline.desk.roster_file import read_roster_file
from pipeline.ledger.files import now
from pipeline.paper.sheet_rows import Design
from pipeline.rehearsal.rehearse import DIRECTOR, ROUND, read_sample
from pipeline.rehearsal.simulation import Listener, Simulation

HERE = Path(__file__).parent
BOARD, POWER, ROW = "1", Power.ENGLAND, 2  # one row is asked for what it means, one was looked at by both readers
QUALITY = 68  # of a JPEG: the colours stay, and the paper's grain takes no room
PICTURES: Mapping[str, tuple[str, float, int]] = {  # how much of each is shown, from the top, and how wide, in pixels
    "page-marks": ("01-marks.png", 1.0, 400),
    "page-registered": ("02-registered.png", 0.5, 600),
    "page-rows": ("03-rows.png", 0.42, 600),
    "page-ink": ("04-ink.png", 0.42, 600),
    "page-readers": ("05-readers.png", 1.0, 900),
    "page-row-crop": (f"row-{ROW:02}-crop.png", 1.0, 800),
    "page-row-ink": (f"row-{ROW:02}-ink.png", 1.0, 800),
}


def main() -> None:
    """Play the sample's first season as far as its scans, read them, and keep the pictures of one sheet."""
    with TemporaryDirectory() as made:
        page = album_page(Path(made))
        for name, (source, share, wide) in PICTURES.items():
            with Image.open(page / source) as picture:
                small(picture, share, wide).save(HERE / f"{name}.jpg", quality=QUALITY, subsampling=0, optimize=True)
        leaf = json.loads((page / "leaf.json").read_text("utf-8"))
        print(json.dumps({"told": leaf["told"], "row": next(r for r in leaf["rows"] if r["number"] == ROW)}, indent=1))


def album_page(folder: Path) -> Path:
    """Make the album of the sample's first season; the folder of the sheet that is shown."""
    sample = read_sample()
    players = read_roster_file(sample.roster).players
    new_event(folder / "event", Details(name=sample.name, code=sample.code, tournament=sample.tournament), players, now)
    with open_event(folder / "event", now) as event:
        seat_round(event, ROUND, sample.boards, by=DIRECTOR)
        engine, albums = best_recogniser(), Albums.create(folder / "album")
        simulation = Simulation(event, sample, folder, engine, Listener(), Design.LINE)
        game = next(game for game in games(event).values() if game.seating.board == BOARD)
        files = list(simulation.written(game, simulation.sheets(game)))
        take_in(event, files, engine, lambda page: None, albums=albums)
    leaves = sorted(albums.folder.glob("*/*/leaf.json"))
    return next(leaf.parent for leaf in leaves if str(POWER) in json.loads(leaf.read_text("utf-8"))["told"]["text"])


def small(picture: Image.Image, share: float, wide: int) -> Image.Image:
    """Cut the upper part of a picture out, and make it no wider than this."""
    part = picture.convert("RGB").crop((0, 0, picture.width, round(picture.height * share)))
    if part.width > wide:
        part = part.resize((wide, round(part.height * wide / part.width)), Image.Resampling.LANCZOS)
    return part


if __name__ == "__main__":
    main()

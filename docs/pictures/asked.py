"""Draw the picture of docs/explanation/what-is-asked.md again: ``.venv/bin/python docs/pictures/asked.py``.

Legal orders written by the project's own pen, each board's sheets with a mark of real halls, and of the rows that are
asked one for each reason: the picture that the director sees, and what he is told.
"""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import pypdfium2
from PIL import Image, ImageDraw, ImageFont

from benchmarks.damaged.kinds import read_damages
from benchmarks.damaged.scans import scan
from pipeline.board import Power, standard_map
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import Game, games
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.intake.ingest import take_in
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.draw.roster import Player
from pipeline.judge.adjudicate import legal_orders
from pipeline.ledger.files import now
from pipeline.orders import write
from pipeline.paper import canvas
from pipeline.paper.sheet_rows import Design
from pipeline.pen.filling import FieldMark, FieldPlace, fill
from pipeline.pen.hand import Hand
from pipeline.pen.scanner import write_scans

HERE = Path(__file__).parent
DPI, WIDE, TALL, LINE, PT = 200, 560, 64, 24, 17  # the picture's own lengths in pixels
MARKS = ("office", "office+blur:0.9", "office+streaks:0.8", "office+stain:0.7")  # of each board's sheets
NEATNESS = 0.0  # of the hands: 0 scrawl, 1 draughtsman


def main() -> None:
    """Write, scan and read the sheets, and put one row for each reason beneath one another."""
    with TemporaryDirectory() as made:
        folder, boards = Path(made), [str(number) for number in range(1, 1 + len(MARKS))]
        names = {(board, power): f"{power.title()} {board}" for board in boards for power in Power}
        players = [Player(name=name) for name in names.values()]
        details = Details(name="Pictures", code="PCTR", tournament="weaselmoot")
        make_event_folder(folder / "event", details, players, now)
        with open_event(folder / "event", now) as event:
            seats = {board: {power: names[board, power] for power in Power} for board in boards}
            seat_round(event, 1, seats, by="Tess", notes=["for a picture"])
            files = [
                write_and_scan(event, game, folder, mark)
                for game, mark in zip(games(event).values(), MARKS, strict=True)
            ]
            take_in(event, files, best_recogniser(), lambda page: None)
            strips = [strip(event.folder / crop, why) for why, crop in sorted(asked_rows(event).items())]
    whole = Image.new("L", (WIDE, sum(each.height for each in strips)), 255)
    for number, each in enumerate(strips):
        whole.paste(each, (0, number * (TALL + LINE)))
    whole.quantize(16).save(HERE / "asked.png", optimize=True)


def write_and_scan(event: Event, game: Game, folder: Path, mark: str) -> Path:
    """Write a legal order for every unit of a board, and scan the sheets."""
    rng, draw, scans = np.random.default_rng(len(mark)), Random(mark), []
    printed = print_round(event, 1, game.seating.board, PrintWish(design=Design.LINE))
    requests = printed_sheets(event)
    with pypdfium2.PdfDocument(printed.pdf) as document:
        for number, page in enumerate(printed.layout.pages):
            paper = document[number].render(scale=DPI / 72, grayscale=True).to_numpy()
            by_unit: dict[str, list[str]] = {}
            for order in legal_orders(standard_map(), game.position, requests[page.sheet].request.power):
                text = write(order)
                by_unit.setdefault(text[:5], []).append(text)  # "A VIE"
            marks: dict[FieldPlace, FieldMark] = {("signature", None): game.name}
            marks |= {("order", row): draw.choice(texts) for row, texts in enumerate(by_unit.values(), start=1)}
            hand = Hand.from_seed(int(rng.integers(2**31)), neatness=NEATNESS)
            blank = np.ascontiguousarray(paper.reshape(paper.shape[:2]))
            filled = fill(blank, page.as_json(), marks, hand, rng)
            scans.append(scan(filled, read_damages(mark), rng, page_dpi=DPI))
    file = folder / f"{game.name}.pdf"
    write_scans(scans, file)
    return file


def asked_rows(event: Event) -> dict[str, str]:
    """One picture for each reason."""
    rows = (row for game in games(event).values() for power in Power for row in Desk.of(event).power(game, power).rows)
    return {row.reason: row.crop for row in rows if row.needs_director and row.crop and row.ink}


def strip(crop: Path, why: str) -> Image.Image:
    """One row's picture beneath what the director is told of it."""
    found = Image.new("L", (WIDE, TALL + LINE), 255)
    with Image.open(crop) as picture:
        scale = min(WIDE / picture.width, (TALL - 4) / picture.height)
        size = round(picture.width * scale), round(picture.height * scale)
        found.paste(picture.convert("L").resize(size, Image.Resampling.LANCZOS), (0, LINE))
    font = ImageFont.truetype(str(Path(canvas.__file__).parent / "fonts" / "LiberationSans-Regular.ttf"), PT)
    ImageDraw.Draw(found).text((0, 2), why, 0, font)
    return found


if __name__ == "__main__":
    main()

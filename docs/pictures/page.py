"""Draw how one page is read, a picture for each stage: ``.venv/bin/python docs/pictures/page.py EVENT FILE FOLDER``.

FILE is a scan of one of the event's printed sheets; ``--page 3`` takes its third page. Nothing is written into the
event. Without arguments the pictures of docs/explanation/how-a-page-is-read.md are drawn again, of a sheet of the
sample event.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import games
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.hands.reader import best_recogniser, with_event_gate
from pipeline.desk.intake.ingest import ScanReader, take_in
from pipeline.desk.roster_file import read_roster_file
from pipeline.ink import Box, InkLine, Tier
from pipeline.ledger.events import PageRead, ScanReceived
from pipeline.ledger.files import now
from pipeline.paper.sheet_layout import Field, Form, answer_boxes
from pipeline.paper.sheet_rows import Design
from pipeline.reading.band import field_edges
from pipeline.reading.boxes import band_of, edge_dots, is_shaken, measure_least_ink
from pipeline.reading.dewarp import find_bars
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.free import free_text
from pipeline.reading.hand_reader import HandReader
from pipeline.reading.identify import Identified, identify
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.pages import Grey, PageImage, pages
from pipeline.reading.recogniser import NoRecogniser
from pipeline.reading.register import NotRegistered, RegisteredPage, register
from pipeline.reading.rows import cut_row_picture, field_ink
from pipeline.reading.strokes import ink_parts, on_white
from pipeline.rehearsal.rehearse import DIRECTOR, ROUND, read_sample
from pipeline.rehearsal.simulation import Listener, Simulation
from pipeline.words.speech import sentence

HERE = Path(__file__).parent
BOARD, POWER, ROW = "1", Power.ENGLAND, 2  # of the sample: one row is asked for what it means
QUALITY = 68  # of a JPEG: the colours stay, and the paper's grain takes no room
PICTURES: Mapping[str, tuple[float, int]] = {  # how much of each is shown, from the top, and how wide, in pixels
    "page-marks": (1.0, 400),
    "page-registered": (0.5, 600),
    "page-rows": (0.42, 600),
    "page-ink": (0.42, 600),
    "page-readers": (1.0, 600),
    "page-row-crop": (1.0, 800),
    "page-row-ink": (1.0, 800),
}
# Blue, grey, vermilion and orange, which colour-blind people can tell apart
FOUND, EMPTY, DOUBT, PRINT, BLACK = (0, 114, 178), (150, 150, 150), (213, 94, 0), (230, 159, 0), (30, 30, 30)
COLOURS = {Tier.BLANK: EMPTY, Tier.ASKED: DOUBT, Tier.MARKED: FOUND, Tier.ACCEPTED: FOUND}
LINE, LETTER, STRIP, WIDE = 4, 18, 56, 700  # px: of an outline, of words, of what a net sees, of the readers' picture
PALE = 0.55  # how much of the sheet's own grey is left under what is drawn

Colour = tuple[int, int, int]
Mask = NDArray[np.bool_]


def main() -> None:
    """Draw the stages of the page that is named, or of the sample's."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path, metavar="EVENT FILE FOLDER")
    parser.add_argument("--page", type=int, default=1)
    given = parser.parse_args()
    if not given.paths:
        draw_sample()
        return
    event, file, folder = given.paths
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in draw_page(event, file, given.page):
        picture.save(folder / f"{name}.png")


def draw_sample() -> None:
    """Play the sample's first season as far as its scans, and keep the pictures of one sheet."""
    with TemporaryDirectory() as made:
        file = scan_sample(Path(made))
        drawn = dict(draw_page(Path(made) / "event", file, 1))
        for name, (share, wide) in PICTURES.items():
            picture = drawn[name if name in drawn else name.replace("-row-", f"-row-{ROW:02}-")].convert("RGB")
            picture = picture.crop((0, 0, picture.width, round(picture.height * share)))
            picture.thumbnail((wide, picture.height), Image.Resampling.LANCZOS)
            picture.save(HERE / f"{name}.jpg", quality=QUALITY, subsampling=0, optimize=True)


def scan_sample(folder: Path) -> Path:
    """Make the sample event, and scan its first season; the file of the sheet that is shown."""
    sample = read_sample()
    players = read_roster_file(sample.roster).players
    details = Details(name=sample.name, code=sample.code, tournament=sample.tournament)
    make_event_folder(folder / "event", details, players, now)
    with open_event(folder / "event", now) as event:
        seat_round(event, ROUND, sample.boards, by=DIRECTOR)
        simulation = Simulation(event, sample, folder, best_recogniser(), Listener(), Design.LINE)
        game = next(game for game in games(event).values() if game.seating.board == BOARD)
        files = list(simulation.written(game, simulation.sheets(game)))
        take_in(event, files, best_recogniser(), lambda page: None)
        shown = next(page for page in event.facts.select(PageRead) if str(POWER) in page.said.text)
        scan = next(scan for scan in event.facts.select(ScanReceived) if scan.said.sha256 == shown.said.sha256)
        return next(file for file in files if file.name == scan.said.name)


def draw_page(folder: Path, file: Path, number: int) -> Iterator[tuple[str, Image.Image]]:
    """Each stage of one page, with the name of its picture."""
    page = next(page for page in pages(file) if isinstance(page, PageImage) and page.number == number)
    with open_event(folder, now) as event:
        reader = ScanReader.of(event, NoRecogniser()).sheet_reader("")
        engine = HandReader(with_event_gate(event, NetRecogniser()))
        reader = replace(reader, engine=engine, engine_of=None)
        found = identify(page.grey, reader.layouts, reader.event)
        if not isinstance(found, Identified):
            raise SystemExit(f"not identified: {type(found).__name__}; only a sheet whose codes are read is drawn")
        yield "page-marks", draw_marks(found)
        straight = register(found.grey, found.marks, found.layout.marker_ids, found.layout.form)
        if isinstance(straight, NotRegistered):
            raise SystemExit(f"not laid straight: {straight.why}")
        yield "page-registered", draw_registered(straight)
        filed = reader.read_rows(page, found.layout, straight)
        lines = filed.transcription.lines
        if found.layout.answers:
            boxes = [(box, line) for answer, line in zip(found.layout.answers, lines, strict=True)
                     for box in answer_boxes(answer)]  # fmt: skip
            yield "page-rows", draw_boxes(straight.flat, [(box, COLOURS[line.tier]) for box, line in boxes])
            return
        yield "page-rows", draw_boxes(straight.flat, [(line.box, COLOURS[line.tier]) for line in lines])
        yield "page-ink", draw_ink(straight, straight.form.rows)
        yield "page-readers", draw_readers(engine, lines)
        for field, line in zip(straight.form.rows, lines, strict=True):
            if line.tier is not Tier.BLANK:
                crop = cut_row_picture(straight.flat, line.box)
                yield f"page-row-{line.number:02}-crop", Image.open(BytesIO(crop))
                left, top, right, bottom = field_edges(field, straight.form, straight.flat.shape)
                yield f"page-row-{line.number:02}-ink", draw_ink(straight, [field]).crop((left, top, right, bottom))


def draw_marks(found: Identified) -> Image.Image:
    """The page as it came, with outlines round its codes and corner markers."""
    picture = Image.fromarray(found.grey).convert("RGB")
    draw = ImageDraw.Draw(picture)
    for corners in (*(code.corners for code in found.marks.codes), *found.marks.markers.values()):
        draw.polygon([(float(x), float(y)) for x, y in corners], outline=FOUND, width=3 * LINE)
    return picture


def draw_registered(straight: RegisteredPage) -> Image.Image:
    """The sheet laid straight, with outlines where its marks and bars were printed; bars that were not found differ."""
    found = find_bars(straight.flat, straight.form).offsets
    bars = [
        (_widen(bar), FOUND if bool(np.isfinite(offset).all()) else DOUBT)
        for pair, offsets in zip(straight.form.bars, found, strict=True)
        for bar, offset in zip(pair, offsets, strict=True)
    ]
    marks = [(box, FOUND) for box in (*straight.form.markers, *straight.form.codes)]
    return draw_boxes(straight.flat, [*marks, *bars], share=1.0)


def _widen(box: Box) -> Box:
    """A box 0.8 mm larger all round."""
    return Box(box.left - 0.8, box.top - 0.8, box.width + 1.6, box.height + 1.6)


def draw_boxes(flat: Grey, boxes: Sequence[tuple[Box, Colour]], share: float = PALE) -> Image.Image:
    """A sheet, made paler, with coloured boxes on it."""
    picture = Image.fromarray((255 - (255 - flat) * share).astype(np.uint8)).convert("RGB")
    draw = ImageDraw.Draw(picture)
    for box, colour in boxes:
        edges = (box.left, box.top, box.right, box.bottom)
        draw.rectangle([edge * PIXELS_PER_MM for edge in edges], outline=colour, width=LINE)
    return picture


def draw_ink(straight: RegisteredPage, fields: Sequence[Field]) -> Image.Image:
    """The writing of fields in blue; what was printed there, or hangs in from a neighbour, in orange."""
    picture = np.asarray(draw_boxes(straight.flat, [])).copy()
    for field in fields:
        left, top, right, bottom = field_edges(field, straight.form, straight.flat.shape)
        own, here = _find_writing(straight.flat, straight.form, field), picture[top:bottom, left:right]
        here[ink_parts(on_white(straight.flat[top:bottom, left:right])).mask & ~own] = PRINT
        here[own] = FOUND
    return Image.fromarray(picture)


def _find_writing(flat: Grey, form: Form, field: Field) -> Mask:
    """Where a person's ink is in a field."""
    if form.cells:
        shaken, least = is_shaken(flat, form), measure_least_ink(flat, form)
        return band_of(flat, form, field, edge_dots(form), shaken=shaken, least=least).own.mask
    return field_ink(flat, form, field).own.mask


def draw_readers(engine: HandReader, lines: Sequence[InkLine]) -> Image.Image:
    """What each net was shown of each row, the letters that it sees there, and the line that counts."""
    strips: list[tuple[str, Colour, Grey | None]] = []
    for line, row in zip((line for line in lines if line.tier is not Tier.BLANK), engine.seen, strict=True):
        for number, (view, head) in enumerate(zip(row.views if row else (), engine.plain.heads, strict=False), start=1):
            seen = free_text(view.frames(head), view.ink)
            ink = (255 - 255 * np.clip(view.ink, 0, 1)).astype(np.uint8)
            strips.append((f"row {line.number}: net {number} is shown this, and sees the letters {seen}", BLACK, ink))
        best = f"{line.readings[0].text} ({line.readings[0].confidence:.1%})" if line.readings else "nothing legible"
        notes = "".join(f"; {sentence(note)}" for note in line.notes)
        strips.append((f"together: {best}; {line.tier}{notes}", COLOURS[line.tier], None))
    tops = np.cumsum([0, *(LETTER + 14 + (STRIP if shown is not None else 0) for _, _, shown in strips)])
    picture = Image.new("RGB", (WIDE, int(tops[-1]) + 12), (255, 255, 255))
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(LETTER)
    for top, (text, colour, shown) in zip(tops.tolist(), strips, strict=False):
        draw.text((12, top + 8), text, font=font, fill=colour)
        if shown is not None:
            net = Image.fromarray(shown)
            picture.paste(net.resize((net.width * STRIP // net.height, STRIP)), (12, top + LETTER + 12))
    return picture


if __name__ == "__main__":
    main()

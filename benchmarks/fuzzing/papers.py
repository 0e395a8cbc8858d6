"""The door of paper: spoilt pictures and PDFs go through ``scan`` to the end, each into an event of its own facts."""

import io
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pypdfium2
from PIL import Image

from benchmarks.fuzzing.doors import Logins, Nonsense, workshop
from benchmarks.fuzzing.mutate import any_bytes
from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.intake.ingest import PageIn, take_in, waiting_scans
from pipeline.desk.sheets.printing import Printed, print_round
from pipeline.draw.roster import Player
from pipeline.ledger.files import now
from pipeline.reading.engine import NetRecogniser

TRAYS = {"filed", "doubtful", "unidentified", "foreign", "blank", "unreadable"}
DPI = 150


@cache
def table() -> tuple[Event, Printed]:
    """An event with a round that is printed."""
    names = dict(zip(Power, ["Ana", "Bo", "Cem", "Dag", "Eva", "Fox", "Gil"], strict=True))
    folder = workshop() / "cup"
    details = Details(name="Cup", code="FUZZ", tournament="weaselmoot")
    make_event_folder(folder, details, [Player(name=name) for name in names.values()], now)
    event = open_event(folder, now)
    seat_round(event, 1, {"1": names}, by="fuzz")
    return event, print_round(event, 1)


@cache
def sheets() -> Sequence[bytes]:
    """One printed sheet in every kind of file that is taken."""
    document, alone, whole = pypdfium2.PdfDocument(table()[1].pdf), pypdfium2.PdfDocument.new(), io.BytesIO()
    alone.import_pages(document, [0])
    alone.save(whole)
    grey = document[0].render(scale=DPI / 72, grayscale=True).to_numpy()
    picture = Image.fromarray(np.ascontiguousarray(grey.reshape(grey.shape[:2])))
    document.close()
    found = [whole.getvalue()]
    for kind, more in (("JPEG", {"quality": 60}), ("JPEG", {"progressive": True}), ("PNG", {}), ("TIFF", {}),
                       ("TIFF", {"compression": "tiff_lzw"}), ("PDF", {})):  # fmt: skip
        out = io.BytesIO()
        picture.save(out, kind, **more)
        found.append(out.getvalue())
    out = io.BytesIO()
    picture.save(out, "TIFF", save_all=True, append_images=[picture.rotate(180)])
    return [*found, out.getvalue()]


def spoilt_paper(data: bytes, rng: Random) -> bytes:
    """Spoil the bytes of a file, mostly near its heads; or what is on the picture."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE) if rng.random() < 0.25 else None
    if picture is not None:
        return spoilt_picture(picture, rng)
    if rng.random() < 0.5:
        head = rng.randrange(20, 2000)
        return any_bytes(data[:head], rng) + data[head:]
    return any_bytes(data, rng)


def spoilt_picture(picture: Any, rng: Random) -> bytes:
    """Cut, squeeze, double, tear or dirty a picture."""
    dice = np.random.default_rng(rng.randrange(2**32))
    height, width = picture.shape[:2]
    match rng.randrange(6):
        case 0:
            top, left = rng.randrange(height - 1), rng.randrange(width - 1)
            picture = picture[top:, left:]
        case 1:
            picture = cv2.resize(picture, (rng.choice((1, 2, 9, 300, 3000)), rng.choice((1, 2, 9, 400, 3000))))
        case 2:
            picture = np.hstack([picture, picture[::-1]])
        case 3:
            picture = np.roll(picture, rng.randrange(width), axis=1)
        case 4:
            picture = np.where(dice.random(picture.shape) < rng.random() / 2, 255 - picture, picture)
        case _:
            picture = picture * 0 + rng.randrange(256)
    return bytes(cv2.imencode(rng.choice((".png", ".jpg")), picture.astype(np.uint8))[1])


@cache
def engine() -> NetRecogniser:
    """The reader, loaded once."""
    cv2.setNumThreads(1)
    return NetRecogniser()


def scan_is_taken(data: bytes) -> bool:
    """Take a file in, read it to its end, and see that every page of it is in one tray, and on no sheet but its own."""
    event = table()[0]
    path: Path = workshop() / f"IMG{'.pdf' if b'%PDF' in data[:1024] else '.jpg'}"
    path.write_bytes(data)
    told: list[PageIn] = []
    take_in(event, (path,), engine(), told.append)
    if waiting_scans(event):
        raise Nonsense("the file is never read to its end")
    if strange := {page.tray for page in told} - TRAYS:
        raise Nonsense(f"trays {strange}")
    return any(page.tray == "filed" for page in told)


PAPER = (Logins("scan", sheets, spoilt_paper, scan_is_taken),)

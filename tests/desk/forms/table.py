"""A table with forms on it: printed by the desk, filled by our pen, scanned, and taken in again."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
from msgspec import Struct
from msgspec.structs import replace

from benchmarks.damaged.kinds import read_damages
from benchmarks.damaged.scans import scan
from desk.beginnings import copied
from desk.cup import clock
from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.forms.form_printing import PrintedForms, Wanted, print_wanted
from pipeline.desk.intake.ingest import PageIn, take_in
from pipeline.draw.roster import Player
from pipeline.paper.form import FormKind
from pipeline.pen.filling import FieldMark, Signature, Tick, fill
from pipeline.pen.hand import Hand
from pipeline.pen.scanner import Scan, write_scans
from pipeline.reading.pages import Grey
from pipeline.reading.recogniser import NoRecogniser, Recogniser

DPI = 200
NAMES = ("Ada Lund", "Bo Ek", "Cem Kaya", "Dag Moe", "Eva Roth", "Fox Hill", "Gil Blas")
HAND = 4  # a hand that nobody could misread: what is tested is the way of a form, not the net

Places = Mapping[tuple[str, int | None], FieldMark]


@contextmanager
def event_of(folder: Path, tournament: str, names: Sequence[str] = NAMES) -> Iterator[Event]:
    """An event with one board of seven."""
    with open_event(copied(seat_one_board, folder / "cup", tournament, tuple(names)), clock) as opened:
        yield opened


def seat_one_board(folder: Path, tournament: str, names: Sequence[str]) -> None:
    """Make the event in a new folder, its first round seated."""
    details = Details(name="Test Cup", code="TEST", tournament=tournament)
    make_event_folder(folder, details, [Player(name=name) for name in names], clock)
    with open_event(folder, clock) as event:
        seat_round(event, 1, {"1": dict(zip(Power, names, strict=False))}, by="Tess")


class Table(Struct, frozen=True):
    """Where forms are filled."""

    event: Event
    folder: Path

    def printed(self, kind: FormKind, *, board: str = "", copies: int = 1) -> PrintedForms:
        """Print forms."""
        return print_wanted(self.event, Wanted(kind=kind, board=board, copies=copies))

    def blank(self, printed: PrintedForms, number: int) -> Grey:
        """One form of a print-out, cut out of its page."""
        places = printed.imposed.places
        with pypdfium2.PdfDocument(printed.pdf) as document:
            page = document[number // len(places)].render(scale=DPI / 72, grayscale=True).to_numpy()
        grey = np.asarray(page.reshape(page.shape[:2]), np.uint8)
        form, (left, top) = printed.pages[number].form, places[number % len(places)]
        rows = slice(px(top), px(top + form.height))
        return np.ascontiguousarray(grey[rows, px(left) : px(left + form.width)])

    def filled(self, printed: PrintedForms, number: int, marks: Places, seed: int = HAND) -> Grey:
        """Write on a form."""
        page = printed.pages[number].as_json()
        return fill(self.blank(printed, number), page, marks, hand(seed), np.random.default_rng(seed))

    def scanned(self, pages: Sequence[Grey], engine: Recogniser | None = None, damage: str = "office") -> list[PageIn]:
        """Scan forms into one file and take it in."""
        file = self.folder / f"scan{len(list(self.folder.glob('scan*.pdf')))}.pdf"
        write_scans([self.one_scan(page, damage, seed) for seed, page in enumerate(pages)], file)
        told: list[PageIn] = []
        assert take_in(self.event, [file], engine or NoRecogniser(), told.append) == ()
        return told

    def one_scan(self, page: Grey, damage: str = "office", seed: int = 0) -> Scan:
        """Scan one form as a grey scanner does."""
        one = scan(page, read_damages(damage), np.random.default_rng(seed), page_dpi=DPI)
        grey = one.image if one.image.ndim == 2 else cv2.cvtColor(one.image, cv2.COLOR_BGR2GRAY).astype(np.uint8)
        return replace(one, image=grey)


def px(mm: float) -> int:
    """Millimetres in pixels of a picture."""
    return round(mm * DPI / 25.4)


def hand(seed: int) -> Hand:
    """A neat hand."""
    return Hand.from_seed(seed, neatness=0.9)


def digits(name: str, number: int, boxes: int) -> dict[tuple[str, int | None], FieldMark]:
    """Write a number into its boxes, to the right."""
    text = str(number).rjust(boxes)
    return {(name, place): digit for place, digit in enumerate(text, start=1) if digit != " "}


def ticked(*names: str) -> dict[tuple[str, int | None], FieldMark]:
    """Tick boxes: "vote: yes"."""
    return {(name, None): Tick() for name in names}


def signed(*names: str) -> dict[tuple[str, int | None], FieldMark]:
    """Sign on lines."""
    return {(name, None): Signature("Ann Lee") for name in names}

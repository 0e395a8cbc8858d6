"""Albums of scans: a folder of labelled pictures that shows, page by page, how a scan becomes orders.

The pictures of the stages are drawn where a page is read (`reading.album`), which may be another process. Here the
pages are made that lead through them, once what was read is written down: only then is it known what the rules make
of it. Nobody's orders rest on what lies here, and the folder can be deleted.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile

from pipeline.desk.event.event import Event
from pipeline.desk.intake.album_page import PageTold, front_page, page_of_album
from pipeline.desk.intake.page_meaning import PageMeaning, meaning_of
from pipeline.ink import page_in_words
from pipeline.ledger.events import PageRead, ScanReceived
from pipeline.problems import Problem, Weight, stop
from pipeline.reading.album.album import LEAF, Album, folder_of_page, read_leaf

INDEX = "index.html"
TOLD = "told"  # in a leaf: what became of the page
ODD = re.compile(r"[^A-Za-z0-9._-]+")
MOST_LETTERS = 40  # of a file's name, in the name of its folder


@dataclass(slots=True)
class Albums:
    """The folder with the albums of all scans that are read."""

    folder: Path
    faults: dict[str, str] = field(default_factory=dict)  # by what could not be written: why

    @classmethod
    def ready(cls, folder: Path) -> "Albums":
        """Make the folder and see that something can be written there, before anything is read."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=folder) as file:
                file.write(b"can it be written?")
        except FileExistsError as error:
            raise stop("this is a file; name a folder for the pictures", str(folder)) from error
        except OSError as error:
            text = f"no pictures can be written there: {error.strerror or error}; name another folder"
            raise stop(text, str(folder)) from error
        return cls(folder)

    @property
    def index(self) -> Path:
        """The page that leads to all others."""
        return self.folder / INDEX

    def of(self, event: Event, sha256: str) -> Album:
        """The album of one scan."""
        return Album(self.folder / folder_name(name_of(event, sha256), sha256))

    def write(
        self, event: Event, sha256: str, page: int, sheets: Sequence[PageRead], *, is_again: bool = False
    ) -> None:
        """Lead through what was drawn of one page, or of the sheets on it: of each what was written down."""
        album = self.of(event, sha256)
        try:
            if all(read.page != page for read in sheets):
                self.write_page(event, album, page, several(event, sha256, page, sheets, is_again=is_again), None)
            for read in sheets:
                file, number = name_of(event, sha256), page_in_words(read.page)
                told = PageTold(file, number, read.tray, read.text, is_again)
                self.write_page(event, album, read.page, told, read)
            leaves = sorted(self.folder.glob(f"*/*/{LEAF}"), key=lambda leaf: in_order(leaf.parent))
            self.index.write_text(front_page([(leaf.parent, read_leaf(leaf.parent)) for leaf in leaves]), "utf-8")
        except OSError as error:
            self.faults[str(album.folder)] = error.strerror or str(error)

    def write_page(self, event: Event, album: Album, number: int, told: PageTold, read: PageRead | None) -> None:
        """Write the page of one page of a scan; ``read`` is None where several sheets are on it."""
        folder = folder_of_page(album.folder, number)
        folder.mkdir(parents=True, exist_ok=True)
        leaf = read_leaf(folder) | {TOLD: told.as_json()}
        (folder / LEAF).write_text(json.dumps(leaf, indent=1), "utf-8")
        meaning = PageMeaning() if read is None else meaning_of(event, read)
        (folder / INDEX).write_text(page_of_album(leaf, told, meaning), "utf-8")

    def problems(self) -> tuple[Problem, ...]:
        """What could not be written; the scans were read all the same."""
        told = "pictures of the stages could not be written"
        found = tuple(Problem(Weight.NOTES, f"{told}: {why}", where) for where, why in self.faults.items())
        self.faults.clear()
        return found


def several(event: Event, sha256: str, page: int, sheets: Sequence[PageRead], *, is_again: bool) -> PageTold:
    """What is told of a picture with several sheets: each is a page of its own."""
    parts = ", ".join(page_in_words(read.page) for read in sheets)
    text = f"several sheets on one picture: {parts}"
    return PageTold(name_of(event, sha256), page_in_words(page), "several", text, is_again)


def name_of(event: Event, sha256: str) -> str:
    """The name under which a scan came."""
    return next(f.said.name for f in event.facts.told(ScanReceived) if f.said.sha256 == sha256)


def folder_name(name: str, sha256: str) -> str:
    """Name the folder of a scan: as its file, and the beginning of its hash, for names come twice.

    >>> folder_name("Müller: page 1.jpg", "ab" * 32)
    'M-ller-page-1.jpg-abababab'
    """
    return f"{ODD.sub('-', name)[:MOST_LETTERS].strip('-.') or 'scan'}-{sha256[:8]}"


def in_order(folder: Path) -> tuple[str, list[int]]:
    """Sort the pages of a scan by their numbers: page 2 before page 10."""
    return folder.parent.name, [int(number) for number in re.findall(r"\d+", folder.name)]

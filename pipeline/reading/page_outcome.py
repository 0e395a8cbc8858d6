"""What becomes of a page: filed, doubtful, unidentified, foreign, blank or unreadable."""

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar

from msgspec import Struct, field

from pipeline.ink import PictureMessage, Transcription
from pipeline.reading.recogniser import KeptRow


class Tray(StrEnum):
    """The tray of a page: a person must look into all but the first and the blank one."""

    FILED = "filed"
    DOUBTFUL = "doubtful"
    UNIDENTIFIED = "unidentified"
    FOREIGN = "foreign"
    BLANK = "blank"
    UNREADABLE = "unreadable"


class Filed(Struct, frozen=True, kw_only=True):
    """A sheet of ours, read."""

    tray: ClassVar[Tray] = Tray.FILED
    page: int  # 1.., in the file
    transcription: Transcription
    crops: Mapping[int, bytes]  # row -> its picture with half of its neighbours, PNG; inked rows only
    picture: bytes  # the whole sheet laid straight, JPEG
    warnings: tuple[PictureMessage, ...] = ()
    free: Mapping[int, bytes] = field(default_factory=dict)  # the same of rows without ink
    seen: Mapping[int, KeptRow] = field(default_factory=dict)  # row -> the engine's features, if it gives them

    @property
    def text(self) -> str:
        """The sheet, in words."""
        return self.transcription.sheet_id


class Doubtful(Struct, frozen=True, kw_only=True):
    """A sheet of ours, read, whose identity a person must confirm: its codes are gone."""

    tray: ClassVar[Tray] = Tray.DOUBTFUL
    page: int
    text: str
    filed: Filed  # what it is if the person says yes
    offers: tuple[str, ...]  # the other sheets that it might be


class Unidentified(Struct, frozen=True, kw_only=True):
    """Something that a person must look at; ``offers`` are the sheets it may be."""

    tray: ClassVar[Tray] = Tray.UNIDENTIFIED
    page: int
    text: str
    offers: tuple[str, ...] = ()
    picture: bytes = b""  # the page as it came, smaller, JPEG


class Foreign(Struct, frozen=True, kw_only=True):
    """A sheet of another event, or somebody else's page."""

    tray: ClassVar[Tray] = Tray.FOREIGN
    page: int
    text: str
    picture: bytes = b""  # the page as it came, smaller, JPEG


class Blank(Struct, frozen=True, kw_only=True):
    """Empty paper."""

    tray: ClassVar[Tray] = Tray.BLANK
    page: int
    text: str = "an empty page"


class NotOpened(Struct, frozen=True, kw_only=True):
    """A page, or a whole file (page 0), that is no picture or is damaged."""

    tray: ClassVar[Tray] = Tray.UNREADABLE
    page: int
    text: str


Outcome = Filed | Doubtful | Unidentified | Foreign | Blank | NotOpened


Corners = tuple[tuple[float, float], ...]


class PicturePart(Struct, frozen=True):
    """One of several sheets on one picture."""

    outcome: Outcome
    corners: Corners  # of the sheet, clockwise, in parts of the picture's width and height


class SeveralSheets(Struct, frozen=True):
    """A picture of several sheets: each of them ends in a tray of its own."""

    page: int
    parts: tuple[PicturePart, ...]


PageOutcome = Outcome | SeveralSheets

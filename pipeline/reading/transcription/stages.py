"""What a page goes through while it is read, stage by stage, for whoever watches: nothing here changes what is read.

The reader tells every stage to one function (`Watch`); nobody watches unless somebody asked to.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pipeline.ink import Transcription
from pipeline.paper.layout.sheet_layout import PageLayout
from pipeline.reading.files.pages import PageImage
from pipeline.reading.identity.identify import BySlot, Identified, Identity, Layouts
from pipeline.reading.registration.marks import Points
from pipeline.reading.registration.register import NotRegistered, RegisteredPage
from pipeline.reading.rows.recogniser import Recogniser, Vocabulary
from pipeline.reading.rows.rows import RowInk


@dataclass(frozen=True, slots=True, eq=False)
class MarksSought:
    """Codes and corner markers were looked for: what they say of the page."""

    page: PageImage
    layouts: Layouts
    found: Identity

    @property
    def number(self) -> int:
        """Which page of its file; see `ink.page_in_words`."""
        return self.page.number


@dataclass(frozen=True, slots=True, eq=False)
class SheetsParted:
    """Several sheets were found on one picture; each goes through the other stages by itself."""

    page: PageImage
    quads: tuple[Points, ...]  # the corners of each, clockwise, in parts of the picture's width and height

    @property
    def number(self) -> int:
        """Which page of its file."""
        return self.page.number


@dataclass(frozen=True, slots=True, eq=False)
class NotLaid:
    """A sheet could not be laid straight."""

    number: int
    found: Identified | BySlot
    layout: PageLayout  # of the sheet it was tried as
    straight: NotRegistered


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A sheet was laid straight."""

    number: int
    layout: PageLayout
    straight: RegisteredPage


@dataclass(frozen=True, slots=True, eq=False)
class RowsCut:
    """The rows of a sheet were cut out, and their ink was told from the print."""

    number: int
    straight: RegisteredPage
    rows: tuple[RowInk, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RowsRead:
    """The inked rows of a sheet were read; the engine still remembers them."""

    number: int
    straight: RegisteredPage
    rows: tuple[RowInk, ...]
    transcription: Transcription
    engine: Recogniser
    vocabulary: Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class AnswersRead:
    """What a form asks for was read."""

    number: int
    layout: PageLayout
    straight: RegisteredPage
    transcription: Transcription


Stage = MarksSought | SheetsParted | NotLaid | Laid | RowsCut | RowsRead | AnswersRead
Watch = Callable[[Stage], None]


def unwatched(stage: Stage) -> None:
    """Let a stage pass: nobody asked to see it."""

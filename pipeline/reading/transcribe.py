"""Read a scanned page into a transcription, or a reason why not. One page's failure never stops the next."""

import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import assert_never

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from pipeline.ink import PARTS, InkLine, Note, PictureFault, PictureMessage, Transcription, part_number
from pipeline.logs import log_failure
from pipeline.paper.sheet_layout import PageLayout
from pipeline.problems import Stopped
from pipeline.reading import identify, recogniser, unmarked
from pipeline.reading.answers import cut_pictures, read_answers
from pipeline.reading.band import warn_of_hidden_rows
from pipeline.reading.marks import find_codes, read_code_closely, shrink_picture
from pipeline.reading.pages import BadPage, Grey, PageImage, pages
from pipeline.reading.register import NotRegistered, RegisteredPage, part, read_shaken_code, register
from pipeline.reading.rows import cut_row_picture, cut_rows, field_has_ink, ink_lines
from pipeline.reading.strokes import ticked_boxes
from pipeline.reading.typed import read_typed

VocabularyOf = Callable[[str], recogniser.Vocabulary]  # for a sheet's id
EngineOf = Callable[[str], recogniser.Recogniser]  # for a sheet's id: who reads it

LONGEST_FAULT = 120  # letters of what an exception says
SMALL_SIDE = 1400
JPEG_QUALITY = 80
QUIET_MM = 2.5  # of white around a code
COVERED = "only a part of this sheet can be seen, another lies on it; scan it alone"


def transcribe_pages(
    path: Path, reader: "SheetReader", only: frozenset[int] | None = None
) -> Iterator[recogniser.ReadOutcome]:
    """Read all pages of one file with a reader, or only some, each as soon as it is decoded."""
    for page in pages(path):
        if only is not None and page.number not in only:
            continue
        if isinstance(page, BadPage):
            yield recogniser.NotOpened(page=page.number or 0, text=page.problem.text)
            continue
        sheets = reader.every_sheet(page)
        yield from (one.outcome for one in sheets.parts) if isinstance(sheets, recogniser.SeveralSheets) else (sheets,)


def transcribe_as(
    path: Path, number: int, reader: "SheetReader", sheet: str, corners: recogniser.Corners | None = None
) -> recogniser.ReadOutcome:
    """Read one page of a file, or the part of it with these corners, as the sheet that a person says it is."""
    for page in pages(path):
        if isinstance(page, PageImage) and page.number == number % PARTS:
            grey = page.grey if corners is None else identify.cut_out(page.grey, np.array(corners, np.float64))
            return reader.transcribe_as(PageImage(page.file, number, grey), sheet)
        if isinstance(page, BadPage) and page.number in (number % PARTS, None):
            return recogniser.NotOpened(page=number, text=page.problem.text)
    return recogniser.NotOpened(page=number, text=f"the file has no page {number % PARTS}")


class SheetReader(Struct, frozen=True):
    """Reads the pages of one scanned file."""

    layouts: identify.Layouts
    engine: recogniser.Recogniser
    vocabulary_of: VocabularyOf
    event: str  # its code, with which its sheets' ids begin
    sha256: str  # of the file
    engine_of: EngineOf | None = None  # where a sheet has a reader of its own: one that knows its writer's hand
    blanks: unmarked.Blanks | None = None  # sheets as printed; without them a sheet needs a mark, only rows are read

    def every_sheet(self, page: PageImage) -> recogniser.PageOutcome:
        """Read one page, and where there are several sheets on it, each of them."""
        try:
            identity = self.identity(page)
            places = self.sheets_on(page.grey) if identify.may_be_several(identity, page.grey) else ()
            return self.several(page, places) if len(places) > 1 else self.in_tray(page, identity)
        except Stopped:  # a full disk stops the whole work
            raise
        except Exception as error:  # the page goes to a person, the rest of the batch goes on
            log_failure(error, "a page was being read")
            return self.leave_unidentified(page, failure_in_words(error))

    def sheets_on(self, grey: Grey) -> tuple[identify.PlacedSheet, ...]:
        """Find the sheets on a picture, those with marks first."""
        marked = identify.sheets_on(grey, self.layouts)
        if self.blanks is None:
            return marked
        beside = unmarked.sheets_beside(grey, [place.quad for place in marked], self.layouts, self.blanks)
        return marked + tuple(map(identify.PlacedSheet, beside))

    def several(self, page: PageImage, places: tuple[identify.PlacedSheet, ...]) -> recogniser.SeveralSheets:
        """Read the sheets on one picture, each as a page of its own.

        If only a corner of a sheet shows under another, it is no page of its own; the upper sheet reports it.
        """
        under = [place.quad for place in places if place.is_corner]
        parts: list[recogniser.PicturePart] = []
        for place in places:
            if place.is_corner:
                continue
            alone = PageImage(
                page.file, part_number(page.number, len(parts) + 1), identify.cut_out(page.grey, place.quad)
            )
            corners = tuple((round(float(x), 4), round(float(y), 4)) for x, y in place.quad)
            if place.is_under:
                outcome: recogniser.ReadOutcome = self.leave_unidentified(alone, COVERED, place.offers)
            else:
                outcome = self.transcribe(alone)
            if isinstance(outcome, recogniser.Filed) and any(
                identify.overlap(other, place.quad) > 0 for other in under
            ):
                outcome = replace(outcome, warnings=(*outcome.warnings, PictureMessage.of(PictureFault.SHEET_UNDER)))
            parts.append(recogniser.PicturePart(outcome, corners))
        return recogniser.SeveralSheets(page.number, tuple(parts))

    def transcribe(self, page: PageImage) -> recogniser.ReadOutcome:
        """Read one page as one sheet, whatever it is."""
        try:
            return self.outcome(page)
        except Stopped:  # a full disk stops the whole work
            raise
        except Exception as error:  # the page goes to a person, the rest of the batch goes on
            log_failure(error, "a page was being read")
            return self.leave_unidentified(page, failure_in_words(error))

    def transcribe_as(self, page: PageImage, sheet: str) -> recogniser.ReadOutcome:
        """Read one page as the sheet that a person says it is, without a doubt of that; its rows must be found."""
        layout = self.layouts[sheet]
        try:
            shown = identify.seen_as(page.grey, find_codes(page.grey), layout)
            if isinstance(shown, identify.Identified):
                outcome = self.read_identified(page, shown)
                return outcome.filed if isinstance(outcome, recogniser.Doubtful) else outcome
        except Stopped:
            raise
        except Exception as error:
            log_failure(error, "a page was being read as a sheet")
            return self.leave_unidentified(page, failure_in_words(error), (sheet,))
        return self.leave_unidentified(page, f"nothing of {sheet} can be seen on the page", (sheet,))

    def outcome(self, page: PageImage) -> recogniser.ReadOutcome:
        """Put one page into its tray."""
        return self.in_tray(page, self.identity(page))

    def identity(self, page: PageImage) -> identify.Identity:
        return identify.identify(page.grey, self.layouts, self.event)

    def in_tray(self, page: PageImage, identity: identify.Identity) -> recogniser.ReadOutcome:
        match identity:
            case identify.Identified():
                return self.read_identified(page, identity)
            case identify.BySlot():
                return self.by_slot(page, identity)
            case identify.NotOurs():
                return recogniser.Foreign(page=page.number, text=identity.text, picture=_small_picture(page))
            case identify.NothingThere():
                return recogniser.Blank(page=page.number)
            case identify.Unclear() if identity.is_unmarked and self.blanks is not None:
                return self.read_unmarked(page, identity, self.blanks)
            case identify.Unclear():
                return self.leave_unidentified(page, identity.text, identity.offers)
            case _:
                assert_never(identity)

    def read_identified(self, page: PageImage, identity: identify.Identified) -> recogniser.ReadOutcome:
        layout = identity.layout
        straight = register(identity.grey, identity.marks, layout.marker_ids, layout.form)
        if isinstance(straight, NotRegistered) and not straight.is_bent and self.blanks is not None:
            seen = unmarked.features(identity.grey)
            straight = unmarked.register_by_print(identity.grey, seen, identity.marks, layout, self.blanks) or straight
        if isinstance(straight, NotRegistered):
            text = f"{layout.sheet} cannot be laid straight: {straight.why}"
            return self.leave_unidentified(page, text, (layout.sheet,))
        if not identity.marks.markers:
            text = f"{layout.sheet} by its codes, and none of its four corner markers can be seen: is it that sheet?"
            return recogniser.Doubtful(
                page=page.number, text=text, filed=self.read_rows(page, layout, straight), offers=()
            )
        return self.filed_as_printed(page, layout, straight)

    def by_slot(self, page: PageImage, identity: identify.BySlot) -> recogniser.ReadOutcome:
        """Read a sheet whose codes cannot be seen at first: closely, or by its printed id, which a person confirms."""
        offers = tuple(layout.sheet for layout in identity.candidates)
        for form in dict.fromkeys(layout.form for layout in identity.candidates):
            straight = register(identity.grey, identity.marks, identity.candidates[0].marker_ids, form)
            if isinstance(straight, NotRegistered):
                continue
            mine = {layout.sheet: layout for layout in identity.candidates if layout.form == form}
            coded = {read_code_closely(part(straight.flat, box, QUIET_MM)) for box in form.codes} - {None}
            coded = coded or {*read_shaken_code(straight.flat, form, identity.candidates[0].marker_ids, QUIET_MM)}
            if len(coded) == 1 and coded <= mine.keys():
                return self.filed_as_printed(page, mine[coded.pop() or ""], straight)
            printed = unmarked.read_printed_id(part(straight.flat, form.printed_id))
            if not coded and printed in mine:
                others = tuple(sheet for sheet in offers if sheet != printed)
                text = f"both codes are unreadable; the printed id reads {printed}: is it that sheet?"
                return recogniser.Doubtful(
                    page=page.number, text=text, filed=self.read_rows(page, mine[printed], straight), offers=others
                )
        return self.leave_unidentified(page, "both codes are unreadable; the corner markers offer these sheets", offers)

    def read_unmarked(
        self, page: PageImage, identity: identify.Unclear, blanks: unmarked.Blanks
    ) -> recogniser.ReadOutcome:
        """Read a sheet without a mark as the one that id and heading name; a person must confirm it, or name it."""
        seen = unmarked.identify_by_print(page.grey, self.layouts, blanks)
        match seen:
            case (layout, straight):
                text = f"no mark can be seen; the printed id and the heading read {layout.sheet}: is it that sheet?"
                return recogniser.Doubtful(
                    page=page.number, text=text, filed=self.read_rows(page, layout, straight), offers=()
                )
            case unmarked.Nameless():
                return self.leave_unidentified(page, seen.text, seen.offers)
            case None:
                return self.leave_unidentified(page, identity.text)
            case _:
                assert_never(seen)

    def filed_as_printed(
        self, page: PageImage, layout: PageLayout, straight: RegisteredPage
    ) -> recogniser.Filed | recogniser.Doubtful:
        """Read a sheet whose codes say which it is; a person is asked where its heading was written over."""
        filed = self.read_rows(page, layout, straight)
        if self.blanks is None or not self.blanks.find_ink_across_heading(layout, straight):
            return filed
        text = f"something is written in the printed heading of {layout.sheet}: which sheet does it count as?"
        return recogniser.Doubtful(page=page.number, text=text, filed=filed, offers=_alike(layout, self.layouts))

    def read_rows(self, page: PageImage, layout: PageLayout, straight: RegisteredPage) -> recogniser.Filed:
        """Read the rows of a sheet laid straight, or what a form asks for."""
        if layout.answers:
            return self.filed_form(page, layout, straight)
        outcome = cut_rows(straight)
        inked = [row for row in outcome if not row.is_blank]
        engine = self.engine if self.engine_of is None else self.engine_of(layout.sheet)
        crops, vocabulary = [row.crop for row in inked], self.vocabulary_of(layout.sheet)
        answers = read_typed(crops, recogniser.read_safely(engine, crops, vocabulary), vocabulary)
        readings = dict(zip((row.number for row in inked), answers, strict=True))
        lines = ink_lines(outcome, readings)
        cuts = {row.number: cut_row_picture(straight.flat, row.box) for row in outcome}
        free = {row.number for row in outcome if row.is_blank and not row.notes}
        transcription = replace(
            self.transcription(page, layout, straight, engine, lines),
            signed=field_has_ink(straight, "signature"),
            outside=() if self.blanks is None else self.blanks.find_ink_outside(layout, straight),
        )
        return recogniser.Filed(
            page=page.number,
            transcription=transcription,
            crops={number: cut for number, cut in cuts.items() if number not in free},
            free={number: cut for number, cut in cuts.items() if number in free},
            picture=jpeg(straight.flat),
            warnings=(
                *straight.warnings,
                *warn_of_hidden_rows([row.number for row in outcome if Note.HIDDEN in row.notes]),
            ),
            seen=_seen_by(engine, [row.number for row in inked]),
        )

    def filed_form(self, page: PageImage, layout: PageLayout, straight: RegisteredPage) -> recogniser.Filed:
        """Read what a form asks for: a line for each answer, by its number."""
        lines, seen = read_answers(straight, layout.answers, self.engine, self.vocabulary_of(layout.sheet))
        transcription = self.transcription(page, layout, straight, self.engine, lines)
        return recogniser.Filed(
            page=page.number,
            transcription=transcription,
            crops=cut_pictures(straight, layout.answers, lines),
            picture=jpeg(straight.flat),
            warnings=straight.warnings,
            seen=seen,
        )

    def transcription(
        self,
        page: PageImage,
        layout: PageLayout,
        straight: RegisteredPage,
        engine: recogniser.Recogniser,
        lines: tuple[InkLine, ...],
    ) -> Transcription:
        """The transcription of a registered page: its lines, and the name that the reader has after reading them."""
        return Transcription(
            sheet_id=layout.sheet,
            scan_sha256=self.sha256,
            page=page.number,
            reader=engine.name,
            lines=lines,
            residual_mm=round(straight.residual_mm, 3),
            ticks=ticked_boxes(straight),
        )

    def leave_unidentified(self, page: PageImage, text: str, offers: tuple[str, ...] = ()) -> recogniser.Unidentified:
        """Give a page to a person."""
        return recogniser.Unidentified(page=page.number, text=text, offers=offers, picture=_small_picture(page))


def failure_in_words(error: Exception) -> str:
    """Say why a page could not be read: memory is the machine's, everything else is a fault of the program.

    What is foreseen of pictures and paper has words of its own and never comes here.
    """
    if isinstance(error, MemoryError):
        return "too little memory to read this page; close other programs, and scan it again at 200 to 300 dpi"
    text = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_FAULT].rstrip(": ")
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "pipeline" in Path(frame.filename).parts] or frames
    where = f", {Path(ours[-1].filename).name} line {ours[-1].lineno}" if ours else ""
    return f"a fault of the program, not of the paper ({text}{where}); the page is kept: key it in, and report this"


def _alike(layout: PageLayout, layouts: identify.Layouts) -> tuple[str, ...]:
    """The sheets for the same phase that differ in the board or in the power alone; of pads, the last one of each."""
    alike = [
        each
        for each in layouts.values()
        if not (layout.answers or each.answers)
        and each.phase == layout.phase
        and (each.board == layout.board) != (each.power == layout.power)
    ]
    if layout.phase:
        return tuple(each.sheet for each in alike)
    return tuple({(each.board, each.power): each.sheet for each in alike}.values())


def _seen_by(engine: recogniser.Recogniser, numbers: Sequence[int]) -> dict[int, recogniser.KeptRow]:
    """What an engine saw in the rows that it has just read, by their numbers; nothing where it does not say."""
    if not isinstance(engine, recogniser.Remembers) or len(engine.saw) != len(numbers):
        return {}
    return {number: saw for number, saw in zip(numbers, engine.saw, strict=True) if saw is not None}


def _small_picture(page: PageImage) -> bytes:
    """The page as it came, small enough for the screen."""
    return jpeg(shrink_picture(page.grey, SMALL_SIDE)[0])


def jpeg(grey: Grey) -> bytes:
    """Pack a picture for the screen."""
    _, packed = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return packed.tobytes()

"""The day before: does this printer, does this scanner serve? The test deck is printed, scanned, and read back.

It needs no event. Every fault is one line: what was measured, and how to mend it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.board.position import starting_position
from pipeline.board.standard import standard_map
from pipeline.desk.machine.deck_findings import (
    DeckFinding,
    angles,
    codes_and_markers,
    contrast,
    dirt,
    edges,
    focus,
    grey_or_not,
    print_scale,
    resolution,
)
from pipeline.desk.sheets.vocabulary import others_of, words_of
from pipeline.ink import InkLine, Tier
from pipeline.paper.layout.deck_layout import (
    CODE,
    PAPERS,
    TICKED,
    TO_COPY,
    WRITER,
    MeasurePage,
    measure_page,
    written_page,
)
from pipeline.paper.layout.sheet_layout import PageLayout
from pipeline.paper.pdf.printed_deck import print_deck
from pipeline.paper.sheet.load_sheet import read_template
from pipeline.paper.sheet.sheet import SheetTemplate
from pipeline.reading.files.pages import BadPage, PageImage, pages
from pipeline.reading.files.stated import stated_mm
from pipeline.reading.identity.identify import BySlot, Identified, NothingThere, identify
from pipeline.reading.registration.defects import lie_of, streaks
from pipeline.reading.registration.fit import fit
from pipeline.reading.registration.register import COARSE_DPI
from pipeline.reading.rows.recogniser import Recogniser, Vocabulary
from pipeline.reading.transcription.outcome import Filed
from pipeline.reading.transcription.transcribe import SheetReader
from pipeline.rules.load import load_tournament
from pipeline.rules.toml.folders import data_folder

RULES = "weaselmoot"  # whose spellings the lines are read with; any would do


@dataclass(frozen=True, slots=True)
class CheckedPage:
    """One page of a scan, and everything that was found on it."""

    name: str  # the file
    page: int
    findings: tuple[DeckFinding, ...]

    @property
    def is_well(self) -> bool:
        """Whether nothing has to be mended."""
        return all(finding.is_well for finding in self.findings)


def deck_template(paper: str) -> SheetTemplate:
    """The template of one of `PAPERS`."""
    name = f"{paper}.toml"
    return read_template((data_folder("templates/sheets") / name).read_text("utf-8"), name)


def write_deck(paper: str) -> bytes:
    """Print the deck for one of `PAPERS`, as PDF."""
    return print_deck(deck_template(paper))


def check_deck(files: Iterable[Path], engine: Recogniser) -> Iterator[CheckedPage]:
    """Read scans of the deck back, page by page; a bad file is a finding, and the others go on."""
    checker = Checker.of(engine)
    for file in files:
        for page in pages(file):
            if isinstance(page, BadPage):
                yield CheckedPage(file.name, page.number or 0, (DeckFinding("file", False, page.problem.text),))
            else:
                yield CheckedPage(file.name, page.number, tuple(checker.look(file, page)))


@dataclass(frozen=True, slots=True)
class Checker:
    """Looks at pages of the deck."""

    measured: dict[str, MeasurePage]  # by id
    written: dict[str, PageLayout]
    vocabulary: Vocabulary
    engine: Recogniser

    @classmethod
    def of(cls, engine: Recogniser) -> "Checker":
        """Make one that knows the decks of all papers."""
        templates = [deck_template(paper) for paper in PAPERS]
        measured = {deck.page.sheet: deck for deck in map(measure_page, templates)}
        written = {page.sheet: page for page in map(written_page, templates)}
        tournament = load_tournament(RULES)
        vocabulary, _ = words_of(WRITER, starting_position(standard_map()), tournament, others_of(tournament))
        return cls(measured, written, vocabulary, engine)

    @property
    def layouts(self) -> dict[str, PageLayout]:
        """Every page of every deck."""
        return {sheet: deck.page for sheet, deck in self.measured.items()} | self.written

    def look(self, file: Path, page: PageImage) -> Iterator[DeckFinding]:
        """Find out which page it is, and look at everything on it."""
        found = identify(page.grey, self.layouts, CODE)
        match found:
            case Identified():
                yield from self.page_of_deck(file, page, found)
            case BySlot():
                yield DeckFinding("codes", False, "neither code can be read; scan at 200 or 300 dpi, flat and in focus")
            case NothingThere():
                yield DeckFinding("page", False, "nothing is on it; is it the other side?")
            case _:
                yield DeckFinding("page", False, f"no page of the test deck: {found.text}")

    def page_of_deck(self, file: Path, page: PageImage, found: Identified) -> Iterator[DeckFinding]:
        """Look at a page whose codes were read."""
        layout = found.layout
        fitted = fit(found.marks, layout.marker_ids, layout.form)
        yield from codes_and_markers(found)
        if fitted is None:
            yield DeckFinding("page", False, "it cannot be laid straight; scan it flat, with all four corners")
            return
        size = stated_mm(file, page, found.grey.shape)
        lie = lie_of(fitted.perspective, layout.form, found.grey.shape, size)
        yield from print_scale(lie, stated=size is not None)
        yield from resolution(lie)
        yield from grey_or_not(page)
        yield from dirt(streaks(page.grey, lie.dpi, has_bands=layout.sheet in self.measured))
        yield from angles(lie)
        if lie.dpi >= COARSE_DPI:
            yield focus(found, fitted.perspective)
        if layout.sheet in self.measured:
            yield from contrast(found, fitted.perspective, self.measured[layout.sheet])
            yield from edges(found, fitted.perspective, self.measured[layout.sheet])
        else:
            yield from self.lines(page)

    def lines(self, page: PageImage) -> Iterator[DeckFinding]:
        """Read the page that somebody filled, as a sheet is read, and show what was read."""
        reader = SheetReader(self.written, self.engine, lambda _: self.vocabulary, CODE, "")
        found = reader.transcribe(page)
        if not isinstance(found, Filed):
            yield DeckFinding("lines", False, found.text)
            return
        read = found.transcription
        if all(line.tier is Tier.BLANK for line in read.lines):
            yield DeckFinding("lines", True, "nothing is written on the lines; write on them to see what is read")
            return
        for line in read.lines:
            yield from told(line)
        yield ticks(read.ticks)
        yield from signature(signed=read.signed)


def told(line: InkLine) -> Iterator[DeckFinding]:
    """What was to be written on a line, and what was read there."""
    asked = TO_COPY[line.number - 1] if line.number <= len(TO_COPY) else ""
    where = f"line {line.number}"
    if line.tier is Tier.BLANK:
        if asked:
            yield DeckFinding(where, True, f"{asked}: nothing is written")
        return
    if not asked:
        mend = "if nothing is written there, the print is too dark or the paper dirty"
        yield DeckFinding(where, False, f"should be empty, and has ink: {mend}")
        return
    is_right = fold(line.text) == fold(asked)
    if line.tier is Tier.ASKED:
        read = f"read {line.text!r}, and a person would be asked" if line.text else "not read: a person would be asked"
        yield DeckFinding(where, True, f"{asked}: {read}")
    elif is_right:
        yield DeckFinding(where, True, f"{asked}: read")
    else:
        mend = "was that written? if not, keep this scan and report it"
        yield DeckFinding(where, False, f"{asked}: read {line.text!r}, and nobody would be asked: {mend}")


def ticks(found: frozenset[str]) -> DeckFinding:
    """Say whether the boxes are seen that were to be ticked, and no others."""
    seen, wanted = (" and ".join(sorted(map(str.capitalize, each), reverse=True)) or "none" for each in (found, TICKED))
    if found == TICKED or not found:
        return DeckFinding("ticks", True, f"seen: {seen}" if found else "no box is ticked")
    mend = "tick with a dark pen, inside the box; is the glass clean?"
    return DeckFinding("ticks", False, f"{wanted} were to be ticked, seen: {seen}: {mend}")


def signature(*, signed: bool | None) -> Iterator[DeckFinding]:
    """Say whether the signature is seen."""
    yield DeckFinding("signature", True, "seen" if signed else "none is seen")


def fold(text: str) -> str:
    """Compare texts without spaces and case."""
    return "".join(text.split()).casefold()

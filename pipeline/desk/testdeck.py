"""The test deck: printed, scanned and read back to test printer and scanner the day before.

It needs no event. Every fault is one line: what was measured, and how to mend it.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from pipeline.board import standard_map, starting_position
from pipeline.desk.hands.vocabulary import others_of, words_of
from pipeline.desk.sheets.sheets_in import fold_text
from pipeline.ink import Box, InkLine, Tier
from pipeline.paper import deck_layout
from pipeline.paper.load_sheet import read_template
from pipeline.paper.printed_deck import print_deck
from pipeline.paper.sheet import SheetTemplate
from pipeline.paper.sheet_layout import PageLayout
from pipeline.reading import register
from pipeline.reading.identify import SHARP, BySlot, Identified, NothingThere, identify, sharpness_of
from pipeline.reading.marks import Warp, fit
from pipeline.reading.pages import BadPage, PageImage, pages, stated_mm
from pipeline.reading.recogniser import Filed, Recogniser, Vocabulary
from pipeline.reading.transcribe import SheetReader
from pipeline.rules.load import load_tournament
from pipeline.small_files import data_folder

# What a page of the test deck tells about printer and scanner: each finding is one line, with how to mend it.

SCALE_OK = 0.01  # of the size: paper and good scanners differ by 0.3 %
FEED_OK = 0.007  # by which across and down may differ
TAPER_OK = 0.01  # of a side: more means a camera that was not straight above
ASKEW_OK, SHEARED_OK = 1.5, 0.5  # degrees
CONTRAST_OK = 120  # grey levels from paper to black: under it a ball pen has fewer than 70
PENCIL_OK = 15  # grey levels; a scanner's grain has 4 to 8
SEEN = 60  # grey levels below the paper: a block at the edge is there
EDGE_SPARE_MM = 2  # of white that must be left of the margin the markers stand in
CORNERS = ("top left", "top right", "bottom right", "bottom left")


class DeckFinding(Struct, frozen=True):
    """One thing that was looked at."""

    what: str
    is_well: bool
    text: str  # what was measured; where it is not well, how to mend it


def _codes_and_markers(identified: Identified) -> Iterator[DeckFinding]:
    """Say whether both codes and all four markers are seen."""
    codes = sum(code.text == identified.layout.sheet for code in identified.marks.codes)
    mend = "look at the print there; scan at 200 or 300 dpi"
    yield DeckFinding("codes", codes > 1, "both are read" if codes > 1 else f"one of the two cannot be read; {mend}")
    here = zip(CORNERS, identified.layout.marker_ids, strict=True)
    lost = [corner for corner, number in here if number not in identified.marks.markers]
    mend = "is the corner cut off, covered or smeared? scan the whole sheet, and print it darker"
    yield DeckFinding("markers", not lost, f"not seen: {', '.join(lost)}; {mend}" if lost else "all four are seen")


def _print_scale(lie: register.PagePlacement, *, stated: bool) -> Iterator[DeckFinding]:
    """Say whether the print is as large as it should be."""
    if not stated:
        text = "the file does not state its resolution, so nobody can tell; lay a ruler on the two lines of page 1"
        yield DeckFinding("print scale", True, text)
        return
    if lie.taper > TAPER_OK:
        text = "a photograph, so nobody can tell; lay a ruler on the two lines of page 1"
        yield DeckFinding("print scale", True, text)
        return
    across, down = lie.across, lie.down
    sizes = f"{across:.1%} across, {down:.1%} down"
    if abs(across - down) > FEED_OK:
        mend = "the scanner's rollers slip or the printer stretches; clean the rollers, or use the glass"
        yield DeckFinding("print scale", False, f"{sizes}: {mend}")
    elif abs(across - 1) > SCALE_OK:
        did = "shrank" if across < 1 else "enlarged"
        mend = "print at 100 % (actual size), not 'fit to page'"
        yield DeckFinding("print scale", False, f"{sizes}: your printer {did} it to {across:.0%}: {mend}")
    else:
        yield DeckFinding("print scale", True, sizes)


def _resolution(lie: register.PagePlacement) -> Iterator[DeckFinding]:
    """Say whether the scan is fine enough."""
    is_fine = lie.dpi >= register.COARSE_DPI
    dpi = f"about {lie.dpi:.0f} dpi"
    yield DeckFinding("resolution", is_fine, dpi if is_fine else f"{dpi}: set the scanner to 200 or 300 dpi")


def _dirt(streaks: tuple[register.Streak, ...]) -> Iterator[DeckFinding]:
    if not streaks:
        yield DeckFinding("glass", True, "no lines down the page")
    for streak in streaks:
        kind = "white" if streak.is_white else "dark"
        where = f"{streak.left_mm:.0f} mm from the left edge of the scan"
        mend = "clean the glass there, the narrow strip beside the large glass too"
        yield DeckFinding(
            "glass", False, f"a {kind} line down the page, {where}, {streak.width_mm:.1f} mm wide: {mend}"
        )


def _angles(lie: register.PagePlacement) -> Iterator[DeckFinding]:
    if lie.taper > TAPER_OK:
        yield DeckFinding("askew", True, f"a photograph, {abs(lie.askew):.1f}° askew")
    elif abs(lie.askew) > ASKEW_OK:
        mend = "push the feeder's guides against the paper"
        yield DeckFinding("askew", False, f"the page lies {abs(lie.askew):.1f}° askew: {mend}")
    elif abs(lie.sheared) > SHEARED_OK:
        mend = "the paper turns while it is fed; feed fewer sheets, clean the rollers"
        yield DeckFinding("askew", False, f"its sides are {abs(lie.sheared):.1f}° off the right angle: {mend}")
    else:
        yield DeckFinding("askew", True, f"{abs(lie.askew):.1f}°")


def _look_at_focus(identified: Identified, perspective: register.Perspective) -> DeckFinding:
    form = identified.layout.form
    warp = Warp.flat(perspective, form.width, form.height)
    straight = register.RegisteredPage(warp.picture(identified.grey), form, warp, 0.0, 0, warp.pixels_per_mm * 25.4)
    sharp = sharpness_of(straight)
    mend = "blurred: press the paper flat on the glass, clean the glass; with a telephone hold still, and come nearer"
    return DeckFinding("focus", sharp >= SHARP, "sharp" if sharp >= SHARP else mend)


def _look_at_contrast(
    identified: Identified, perspective: register.Perspective, deck: deck_layout.MeasurePage
) -> Iterator[DeckFinding]:
    """Say whether black is black, paper white, and a grey as pale as pencil neither."""
    levels = [register.mean_grey(identified.grey, perspective, patch) for patch in deck.patches]
    known = [each for each in levels if each is not None]
    if len(known) < len(deck_layout.GREYS) or register.is_one_bit(identified.grey):
        return  # said already: a corner is missing, or all grey is
    black, pencil, paper = known[0], known[deck_layout.PENCIL], known[-1]
    if paper - black < CONTRAST_OK:
        mend = "raise the scanner's contrast, or its brightness; print with fresh toner"
        yield DeckFinding("contrast", False, f"only {paper - black:.0f} of 255 levels from paper to black: {mend}")
    else:
        yield DeckFinding("contrast", True, f"{paper - black:.0f} levels from paper to black")
    if paper - pencil < PENCIL_OK:
        mend = "switch off 'remove background' and 'text', or scan darker"
        pale = f"a grey of {1 - deck_layout.GREYS[deck_layout.PENCIL]:.0%} comes out as white"
        yield DeckFinding("pencil", False, f"{pale}, and pencil with it: {mend}")
    else:
        yield DeckFinding(
            "pencil",
            True,
            f"a grey of {1 - deck_layout.GREYS[deck_layout.PENCIL]:.0%} is {paper - pencil:.0f} levels below paper",
        )


def _look_at_edges(
    identified: Identified, perspective: register.Perspective, deck: deck_layout.MeasurePage
) -> Iterator[DeckFinding]:
    """Say how much of the sheet's edges printer and scanner cut off."""
    paper = register.mean_grey(identified.grey, perspective, deck.patches[-1]) or 255.0
    cut = {edge: _cut_mm(identified, perspective, blocks, paper) for edge, blocks in deck.steps.items()}
    limit = max(next(iter(deck.steps.values()))) + 1 - EDGE_SPARE_MM
    for edge, away in cut.items():
        if away > limit:
            mend = "the markers stand close behind; centre the print, and scan the whole sheet"
            yield DeckFinding("edges", False, f"{away} mm of the {edge} edge are not printed or not scanned: {mend}")
    if max(cut.values()) <= limit:
        yield DeckFinding("edges", True, f"printed and scanned up to {max(cut.values())} mm from every edge")


def _cut_mm(identified: Identified, perspective: register.Perspective, blocks: Mapping[int, Box], paper: float) -> int:
    """From how many mm on the blocks at one edge are seen."""
    cut = max(blocks) + 1
    for away in sorted(blocks, reverse=True):
        seen = register.mean_grey(identified.grey, perspective, blocks[away])
        if seen is None or paper - seen < SEEN:
            break
        cut = away
    return cut


RULES = "weaselmoot"  # whose spellings the lines are read with; any would do


class CheckedPage(Struct, frozen=True):
    """One page of a scan, and everything that was found on it."""

    name: str  # the file
    page: int
    findings: tuple[DeckFinding, ...]

    @property
    def is_well(self) -> bool:
        return all(finding.is_well for finding in self.findings)


def _deck_template(paper: str) -> SheetTemplate:
    name = f"{paper}.toml"
    return read_template((data_folder("templates/sheets") / name).read_text("utf-8"), name)


def write_deck(paper: str) -> bytes:
    """Print the deck for one of `PAPERS`, as PDF."""
    return print_deck(_deck_template(paper))


def check_deck(files: Iterable[Path], engine: Recogniser) -> Iterator[CheckedPage]:
    """Read scans of the deck back, page by page; a bad file is a finding, and the others go on."""
    checker = Checker.of(engine)
    for file in files:
        for page in pages(file):
            if isinstance(page, BadPage):
                yield CheckedPage(file.name, page.number or 0, (DeckFinding("file", False, page.problem.text),))
            else:
                yield CheckedPage(file.name, page.number, tuple(checker.look(file, page)))


class Checker(Struct, frozen=True):
    """Looks at pages of the deck."""

    measured: dict[str, deck_layout.MeasurePage]  # by id
    written: dict[str, PageLayout]
    vocabulary: Vocabulary
    engine: Recogniser

    @classmethod
    def of(cls, engine: Recogniser) -> "Checker":
        templates = [_deck_template(paper) for paper in deck_layout.PAPERS]
        measured = {deck.page.sheet: deck for deck in map(deck_layout.measure_page, templates)}
        written = {page.sheet: page for page in map(deck_layout.written_page, templates)}
        tournament = load_tournament(RULES)
        vocabulary, _ = words_of(
            deck_layout.WRITER, starting_position(standard_map()), tournament, others_of(tournament)
        )
        return cls(measured, written, vocabulary, engine)

    @property
    def layouts(self) -> dict[str, PageLayout]:
        return {sheet: deck.page for sheet, deck in self.measured.items()} | self.written

    def look(self, file: Path, page: PageImage) -> Iterator[DeckFinding]:
        identified = identify(page.grey, self.layouts, deck_layout.CODE)
        match identified:
            case Identified():
                yield from self.page_of_deck(file, page, identified)
            case BySlot():
                yield DeckFinding("codes", False, "neither code can be read; scan at 200 or 300 dpi, flat and in focus")
            case NothingThere():
                yield DeckFinding("page", False, "nothing is on it; is it the other side?")
            case _:
                yield DeckFinding("page", False, f"no page of the test deck: {identified.text}")

    def page_of_deck(self, file: Path, page: PageImage, identified: Identified) -> Iterator[DeckFinding]:
        """Look at a page whose codes were read."""
        layout = identified.layout
        fitted = fit(identified.marks, layout.marker_ids, layout.form)
        yield from _codes_and_markers(identified)
        if fitted is None:
            yield DeckFinding("page", False, "it cannot be laid straight; scan it flat, with all four corners")
            return
        size = stated_mm(file, page, identified.grey.shape)
        lie = register.lie_of(fitted.perspective, layout.form, identified.grey.shape, size)
        yield from _print_scale(lie, stated=size is not None)
        yield from _resolution(lie)
        lost = register.is_one_bit(page.grey)
        mend = "black and white only: set the scanner to grey (8 bit), or pencil is lost"
        yield DeckFinding("grey", not lost, mend if lost else "shades of grey are kept")
        yield from _dirt(register.find_streaks(page.grey, lie.dpi, has_bands=layout.sheet in self.measured))
        yield from _angles(lie)
        if lie.dpi >= register.COARSE_DPI:
            yield _look_at_focus(identified, fitted.perspective)
        if layout.sheet in self.measured:
            yield from _look_at_contrast(identified, fitted.perspective, self.measured[layout.sheet])
            yield from _look_at_edges(identified, fitted.perspective, self.measured[layout.sheet])
        else:
            yield from self.lines(page)

    def lines(self, page: PageImage) -> Iterator[DeckFinding]:
        """Read the page that somebody filled, as a sheet is read, and show what was read."""
        reader = SheetReader(self.written, self.engine, lambda _: self.vocabulary, deck_layout.CODE, "")
        transcribed = reader.transcribe(page)
        if not isinstance(transcribed, Filed):
            yield DeckFinding("lines", False, transcribed.text)
            return
        read = transcribed.transcription
        if all(line.tier is Tier.BLANK for line in read.lines):
            yield DeckFinding("lines", True, "nothing is written on the lines; write on them to see what is read")
            return
        for line in read.lines:
            yield from _compare_deck_line(line)
        yield _look_at_ticks(read.ticks)
        yield DeckFinding("signature", True, "seen" if read.signed else "none is seen")


def _compare_deck_line(line: InkLine) -> Iterator[DeckFinding]:
    asked = deck_layout.TO_COPY[line.number - 1] if line.number <= len(deck_layout.TO_COPY) else ""
    where = f"line {line.number}"
    if line.tier is Tier.BLANK:
        if asked:
            yield DeckFinding(where, True, f"{asked}: nothing is written")
        return
    if not asked:
        mend = "if nothing is written there, the print is too dark or the paper dirty"
        yield DeckFinding(where, False, f"should be empty, and has ink: {mend}")
        return
    is_right = fold_text(line.text) == fold_text(asked)
    if line.tier is Tier.ASKED:
        read = f"read {line.text!r}, and a person would be asked" if line.text else "not read: a person would be asked"
        yield DeckFinding(where, True, f"{asked}: {read}")
    elif is_right:
        yield DeckFinding(where, True, f"{asked}: read")
    else:
        mend = "was that written? if not, keep this scan and report it"
        yield DeckFinding(where, False, f"{asked}: read {line.text!r}, and nobody would be asked: {mend}")


def _look_at_ticks(ticks: frozenset[str]) -> DeckFinding:
    """Say whether the boxes are seen that were to be ticked, and no others."""
    seen, wanted = (
        " and ".join(sorted(map(str.capitalize, each), reverse=True)) or "none" for each in (ticks, deck_layout.TICKED)
    )
    if ticks == deck_layout.TICKED or not ticks:
        return DeckFinding("ticks", True, f"seen: {seen}" if ticks else "no box is ticked")
    mend = "tick with a dark pen, inside the box; is the glass clean?"
    return DeckFinding("ticks", False, f"{wanted} were to be ticked, seen: {seen}: {mend}")

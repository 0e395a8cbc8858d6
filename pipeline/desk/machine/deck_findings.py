"""What a page of the test deck tells about printer and scanner: each finding is one line, with how to mend it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pipeline.ink import Box
from pipeline.paper.layout.deck_layout import GREYS, PENCIL, MeasurePage
from pipeline.reading.files.pages import PageImage
from pipeline.reading.identity.glance import SHARP, sharpness_of
from pipeline.reading.identity.identify import Identified
from pipeline.reading.registration.defects import Lie, Perspective, Streak, level
from pipeline.reading.registration.register import COARSE_DPI, RegisteredPage, is_one_bit
from pipeline.reading.registration.warp import Warp

SCALE_OK = 0.01  # of the size: paper and good scanners differ by 0.3 %
FEED_OK = 0.007  # by which across and down may differ
TAPER_OK = 0.01  # of a side: more is seen only where a camera was not straight above
ASKEW_OK, SHEARED_OK = 1.5, 0.5  # degrees
CONTRAST_OK = 120  # grey levels from paper to black: under it a ball pen has fewer than 70
PENCIL_OK = 15  # grey levels; a scanner's grain has 4 to 8
SEEN = 60  # grey levels below the paper: a block at the edge is there
EDGE_SPARE_MM = 2  # of white that must be left of the margin the markers stand in
CORNERS = ("top left", "top right", "bottom right", "bottom left")


@dataclass(frozen=True, slots=True)
class DeckFinding:
    """One thing that was looked at."""

    what: str
    is_well: bool
    text: str  # what was measured; where it is not well, how to mend it


def codes_and_markers(found: Identified) -> Iterator[DeckFinding]:
    """Say whether both codes and all four markers are seen."""
    codes = sum(code.text == found.layout.sheet for code in found.marks.codes)
    mend = "look at the print there; scan at 200 or 300 dpi"
    yield DeckFinding("codes", codes > 1, "both are read" if codes > 1 else f"one of the two cannot be read; {mend}")
    here = zip(CORNERS, found.layout.marker_ids, strict=True)
    lost = [corner for corner, number in here if number not in found.marks.markers]
    mend = "is the corner cut off, covered or smeared? scan the whole sheet, and print it darker"
    yield DeckFinding("markers", not lost, f"not seen: {', '.join(lost)}; {mend}" if lost else "all four are seen")


def print_scale(lie: Lie, *, stated: bool) -> Iterator[DeckFinding]:
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


def resolution(lie: Lie) -> Iterator[DeckFinding]:
    """Say whether the scan is fine enough."""
    is_fine = lie.dpi >= COARSE_DPI
    told = f"about {lie.dpi:.0f} dpi"
    yield DeckFinding("resolution", is_fine, told if is_fine else f"{told}: set the scanner to 200 or 300 dpi")


def grey_or_not(page: PageImage) -> Iterator[DeckFinding]:
    """Say whether the scanner keeps the grey."""
    lost = is_one_bit(page.grey)
    mend = "black and white only: set the scanner to grey (8 bit), or pencil is lost"
    yield DeckFinding("grey", not lost, mend if lost else "shades of grey are kept")


def dirt(found: tuple[Streak, ...]) -> Iterator[DeckFinding]:
    """Say whether the glass is clean, and where it is not."""
    if not found:
        yield DeckFinding("glass", True, "no lines down the page")
    for streak in found:
        kind = "white" if streak.is_white else "dark"
        where = f"{streak.left_mm:.0f} mm from the left edge of the scan"
        mend = "clean the glass there, the narrow strip beside the large glass too"
        yield DeckFinding(
            "glass", False, f"a {kind} line down the page, {where}, {streak.width_mm:.1f} mm wide: {mend}"
        )


def angles(lie: Lie) -> Iterator[DeckFinding]:
    """Say whether the paper goes in straight."""
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


def focus(found: Identified, perspective: Perspective) -> DeckFinding:
    """Say whether it is sharp."""
    form = found.layout.form
    warp = Warp.flat(perspective, form.width, form.height)
    straight = RegisteredPage(warp.picture(found.grey), form, warp, 0.0, 0, warp.pixels_per_mm * 25.4)
    sharp = sharpness_of(straight)
    mend = "blurred: press the paper flat on the glass, clean the glass; with a telephone hold still, and come nearer"
    return DeckFinding("focus", sharp >= SHARP, "sharp" if sharp >= SHARP else mend)


def contrast(found: Identified, perspective: Perspective, deck: MeasurePage) -> Iterator[DeckFinding]:
    """Say whether black is black, paper white, and a grey as pale as pencil neither."""
    levels = [level(found.grey, perspective, patch) for patch in deck.patches]
    known = [each for each in levels if each is not None]
    if len(known) < len(GREYS) or is_one_bit(found.grey):
        return  # said already: a corner is missing, or all grey is
    black, pencil, paper = known[0], known[PENCIL], known[-1]
    if paper - black < CONTRAST_OK:
        mend = "raise the scanner's contrast, or its brightness; print with fresh toner"
        yield DeckFinding("contrast", False, f"only {paper - black:.0f} of 255 levels from paper to black: {mend}")
    else:
        yield DeckFinding("contrast", True, f"{paper - black:.0f} levels from paper to black")
    if paper - pencil < PENCIL_OK:
        mend = "switch off 'remove background' and 'text', or scan darker"
        pale = f"a grey of {1 - GREYS[PENCIL]:.0%} comes out as white"
        yield DeckFinding("pencil", False, f"{pale}, and pencil with it: {mend}")
    else:
        yield DeckFinding(
            "pencil", True, f"a grey of {1 - GREYS[PENCIL]:.0%} is {paper - pencil:.0f} levels below paper"
        )


def edges(found: Identified, perspective: Perspective, deck: MeasurePage) -> Iterator[DeckFinding]:
    """Say how much of the sheet's edges printer and scanner cut off."""
    paper = level(found.grey, perspective, deck.patches[-1]) or 255.0
    cut = {edge: cut_mm(found, perspective, blocks, paper) for edge, blocks in deck.steps.items()}
    limit = max(next(iter(deck.steps.values()))) + 1 - EDGE_SPARE_MM
    for edge, away in cut.items():
        if away > limit:
            mend = "the markers stand close behind; centre the print, and scan the whole sheet"
            yield DeckFinding("edges", False, f"{away} mm of the {edge} edge are not printed or not scanned: {mend}")
    if max(cut.values()) <= limit:
        yield DeckFinding("edges", True, f"printed and scanned up to {max(cut.values())} mm from every edge")


def cut_mm(found: Identified, perspective: Perspective, blocks: Mapping[int, Box], paper: float) -> int:
    """From how many mm on the blocks at one edge are seen."""
    cut = max(blocks) + 1
    for away in sorted(blocks, reverse=True):
        seen = level(found.grey, perspective, blocks[away])
        if seen is None or paper - seen < SEEN:
            break
        cut = away
    return cut

"""The ink of a row of boxes: which box each piece belongs to, which boxes are ticked, and what stands beside them."""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import product
from statistics import median

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from pipeline.ink import Box, Note, Noted
from pipeline.paper.sheet_layout import Field, Form
from pipeline.paper.sheet_rows import (
    BuildBox,
    Cell,
    HelpedBox,
    NamedBox,
    PlaceBox,
    PrintedWord,
    TargetBox,
    TickBox,
    ink_of,
)
from pipeline.reading import band as bands
from pipeline.reading import strokes
from pipeline.reading.box_edges import find_darkest, measure_edges
from pipeline.reading.dewarp import row_guides
from pipeline.reading.empty_boxes import WHITEST, Light, SeenBox, find_darker_boxes, measure_depth
from pipeline.reading.ink_on_print import OnPrint, find_hidden_ink, measure_line
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.pages import Grey
from pipeline.reading.recogniser import Inked
from pipeline.reading.register import RegisteredPage
from pipeline.reading.struck_ticks import find_longer_ticks
from pipeline.reading.tails import Tail, find_tails, find_tails_from_above

# The band of paper of a row of boxes, cleaned of what was printed there; what lies on the print is measured.

EDGE_OFF_MM = 0.7  # how far from its place a dot of an edge may be; nothing as small is written that near to it
RUN_MM = 3.4  # a blurred picture, or a packed one, draws a few dots together; between them it is fainter than any pen
BESIDE_DOT_MM = 0.32  # farther from a dot's place there is no ink of the dot, only blur that joins it to the next
TOGETHER_MM, THICK_MM = 2.0, 1.0  # two joined dots of a dotted line, at a shadow's edge, were up to 1.8 by 0.9
INNER_MM = 0.8  # ink this far inside a box is not there by mistake
SEEN_MM2 = 0.6  # ink well inside one box and no other is a tick, even if its tail lies over print
TAIL = 0.3  # share in another box, of the ink inside its own, from which the tick is ambiguous
PRINT_OFF_MM = 0.6  # how far from its place a printed label or box may be
DASH_OFF_MM = 0.13  # a pixel: of dashes that are still seen, what is beside them tells nothing
INSIDE_MM = 0.5  # so far inside a box nothing is printed
RIM_MM, RIM = 1.0, 0.08  # beside the rim of a stain the paper is darker by this share of a row's usual brightness
PRINTED_NEAR_MM = 6.0  # what is printed further above or below a row does not reach into it
BESIDE_DOT_PX = 3.5  # a dot's own ink does not reach so far, a shake of half a mm does
RINGS_MM = 0.7  # beside a dot, where a packed picture draws rings round it
RINGS, MOST_RINGS = 2.0, 95  # ink is so many times as dark as this percentile of them
JOIN = 1.3  # times as dark as ink is at least: two joined dots
STREAK_TURNS = 8  # directions, half a turn in all
EVERY = 4  # one dot in so many is looked at
# Grey levels between the darkest of these directions and the brightest: of 18 pictures shaken by 0.5 to 0.8 mm at least
# 21, of 8 that were blurred, packed, folded, stained or taken by telephone at most 3
SHAKEN = 10.0
STREAK_PX = 7  # a shake of 1.6 mm reaches so far each way
STREAK_SAMPLES = 2000  # pixels of a row that are looked at
STREAK_ROUNDS = 2  # the first finds where ink is, the second leaves that out
STREAK_RIDGE = 2.0  # weight of the ridge penalty
INK_OFF_STREAK = 12.0  # grey levels darker than the streaks: there is ink, too


class Band(Struct, frozen=True, dict=True):
    """One row, cleaned of what was printed."""

    row: Field
    cells: tuple[Cell, ...]
    grey: Grey
    paper: Grey  # how bright it is beside the ink; 0 where there is ink, or print
    own: strokes.Parts
    left: int  # px, on the sheet
    top: int
    upper: int  # px, in the band
    lower: int
    on_print: tuple[OnPrint, ...]
    edges: tuple[float, ...]  # of each cell: how dark the dashes of its printed edge are, in grey levels

    def span(self, box: Box, more_mm: float = 0.0) -> tuple[slice, slice]:
        """The pixels of a box, larger all round."""
        return _inside(box, self.left, self.top, more_mm)

    def find_rims(self) -> NDArray[np.bool_]:
        """Which pieces are the rim of a stain: fainter than any pen, where the paper grows dark within a millimetre."""
        is_rim = np.zeros(len(self.own.keep), bool)
        beside = round(RIM_MM * PIXELS_PER_MM)
        for piece in np.flatnonzero(self.own.keep).tolist():
            left, top, width, height = self.own.sizes[piece, : cv2.CC_STAT_AREA].tolist()
            grey = self.grey[top : top + height, left : left + width]
            around = (
                slice(max(0, top - beside), top + height + beside),
                slice(max(0, left - beside), left + width + beside),
            )
            is_faint = strokes.WHITE - float(np.median(grey[self.own.cut(piece)])) < strokes.HALF_FAINTEST
            is_rim[piece] = is_faint and self.is_stained(around)
        return is_rim

    def is_stained(self, around: tuple[slice, slice]) -> bool:
        """Whether the paper grows dark within some pixels, as at the rim of a stain."""
        levels = self.paper[around]
        levels = levels[levels > 0]
        darker = float(np.ptp(np.percentile(levels, (5, 95)))) if levels.size else 0.0
        return darker >= RIM * self.brightness

    @cached_property
    def brightness(self) -> float:
        """The usual grey level of the row's paper."""
        return float(np.median(self.paper))

    @property
    def places(self) -> frozenset[str]:
        """The boxes to write in."""
        return frozenset(cell.name for cell in self.cells if isinstance(cell.column, PlaceBox))

    def level(self, line: Box) -> slice:
        """The lines of pixels of one line of boxes: the first and the last of a row reach as far as the band."""
        down = self.span(line)[0]
        is_first, is_last = down.start <= self.upper, down.stop >= self.lower
        return slice(0 if is_first else down.start, len(self.grey) if is_last else down.stop)


@lru_cache(maxsize=64)
def edge_dots(form: Form) -> NDArray[np.float64]:
    """The positions of all dots of the boxes' dotted edges, in mm."""
    return np.array([dot for edge in form.edges for dot in edge.dots])


@lru_cache(maxsize=64)
def _guide_dots(form: Form) -> NDArray[np.float64]:
    """Where all dots of the lines of its rows are, in mm."""
    return np.array([(across, guide.y) for guide in row_guides(form) for across in guide.dots])


def is_shaken(flat: Grey, form: Form) -> bool:
    """Say whether the picture was shaken: beside the dots it is darker in one direction than in the others."""
    height, width = flat.shape
    dots = edge_dots(form)[::EVERY] * PIXELS_PER_MM - 0.5
    levels = []
    for turn in np.arange(STREAK_TURNS) * np.pi / STREAK_TURNS:
        aside = BESIDE_DOT_PX * np.array([np.cos(turn), np.sin(turn)])
        across, down = np.round(np.vstack([dots - aside, dots + aside])).astype(int).T
        levels.append(float(np.median(flat[down.clip(0, height - 1), across.clip(0, width - 1)])))
    return max(levels) - min(levels) >= SHAKEN


def measure_least_ink(flat: Grey, form: Form) -> float:
    """By how many grey levels ink is darker than paper on a page: more than what a packed picture draws beside dots."""
    white = strokes.on_white(flat)
    height, width = white.shape
    dots = edge_dots(form)[::EVERY] * PIXELS_PER_MM - 0.5
    aside = np.array([side for side in product((-1, 0, 1), repeat=2) if any(side)]) * RINGS_MM * PIXELS_PER_MM
    places = (dots[:, None] + aside).reshape(-1, 2)
    across, down = np.round(places).astype(int).T
    soft = cv2.GaussianBlur(white, (0, 0), strokes.SOFT_PX)
    dark = strokes.WHITE - soft[down.clip(0, height - 1), across.clip(0, width - 1)].astype(np.float64)
    return max(strokes.LEAST_CONTRAST, RINGS * float(np.percentile(dark, MOST_RINGS)))


def _without_streaks(grey: Grey, dots: NDArray[np.float64], printed: NDArray[np.bool_]) -> Grey:
    """Take out what a shake makes of the dots, whose places are in pixels here: most of them show how one is drawn.

    That is the picture of one dot which, drawn at all of them, comes nearest to what is seen around them (least
    squares, without what is much darker, which is ink); ``printed`` are pixels where there is other print.
    """
    side = 2 * STREAK_PX + 1
    drawn = _draw_dots(dots, grey.shape)
    near = (cv2.dilate(drawn, strokes.square(side)) > 0) & ~printed
    dark = strokes.WHITE - grey.astype(np.float64)
    down, across = np.nonzero(near & (dark < bands.FAINT))
    some = slice(None, None, max(1, len(down) // STREAK_SAMPLES))
    down, across = down[some], across[some]
    around = np.lib.stride_tricks.sliding_window_view(np.pad(drawn, STREAK_PX), (side, side))
    seen = around[down, across].reshape(len(down), side**2).astype(np.float64)
    wanted, fits, streak = dark[down, across], np.ones(len(down), bool), np.zeros(side**2)
    for _ in range(STREAK_ROUNDS):
        there = seen[fits]
        streak = np.asarray(
            np.linalg.solve(there.T @ there + STREAK_RIDGE * np.eye(side**2), there.T @ wanted[fits]), np.float64
        )
        fits = wanted - seen @ streak < INK_OFF_STREAK
    shape = np.round(streak.clip(0), 2).reshape(side, side).astype(np.float32)  # sums by several processors differ
    streaks = cv2.filter2D(drawn.astype(np.float32), -1, shape, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(np.clip(grey + streaks, 0, 255), np.uint8)


def band_of(
    flat: Grey,
    form: Form,
    row: Field,
    dots: NDArray[np.float64],
    above: "WordInk | None" = None,
    *,
    shaken: bool,
    least: float,
) -> Band:
    """Cut out one row and clean it of what was printed, and of tails of words in the row above.

    ``least``: by how many grey levels ink is darker than paper on this page, see `measure_least_ink`.
    """
    left, top, right, bottom = bands.field_edges(row, form, flat.shape)
    grey = strokes.on_white(flat[top:bottom, left:right])
    paper = cv2.divide(flat[top:bottom, left:right], grey, scale=strokes.WHITE).astype(np.uint8, copy=False)
    paper[grey < strokes.WHITE / 2] = 0
    if shaken:
        printed = np.zeros(grey.shape, bool)
        for box in form.box_layout.printed:
            printed[_inside(box, left, top, PRINT_OFF_MM)] = True
        grey = _without_streaks(grey, np.vstack([dots, _guide_dots(form)]) * PIXELS_PER_MM - 0.5 - (left, top), printed)
    cells = form.cells_of(row.row or 0)
    edges = measure_edges(find_darkest(grey, DASH_OFF_MM), cells, (left, top))
    parts = strokes.ink_parts(grey, least)
    for guide in row_guides(form):
        if top < guide.y * PIXELS_PER_MM < bottom:  # the last of the row above may be near
            parts = strokes.without_dots(grey, parts, guide, left, top)
    dash = max(edge.dash for cell in cells for edge in cell.edges)
    parts = _without_edges(grey, parts, dots * PIXELS_PER_MM - 0.5 - (left, top), dash)
    all_dots = np.vstack([dots, _guide_dots(form)]) * PIXELS_PER_MM - 0.5 - (left, top)
    parts = _without_joined(grey, parts, all_dots, max(strokes.HALF_FAINTEST, JOIN * least))
    parts, on_print = _without_print(grey, parts, form, row, dict(zip(cells, edges, strict=True)), (left, top))
    upper = round(row.box.top * PIXELS_PER_MM) - top
    lower = round((row.box.top + row.box.height) * PIXELS_PER_MM) - top
    claimed = None if above is None else above.claims(parts, cells, left, top)
    own = strokes.own_parts(grey, parts, upper, lower, bands.reach_of_row_above(form, row, top), claimed)
    own = _without_tails(flat, form, row, grey, own, (left, top))
    own = _without_runs(grey, own, form, cells, (left, top))
    return Band(row, cells, grey, paper, own, left, top, upper, lower, on_print, edges)


def _without_tails(
    flat: Grey, form: Form, row: Field, grey: Grey, own: strokes.Parts, corner: tuple[int, int]
) -> strokes.Parts:
    """Remove ticks of the next row that reach in from below: most of their ink is in a box there."""
    height, width = grey.shape
    touching = own.keep & (own.sizes[:, cv2.CC_STAT_TOP] + own.sizes[:, cv2.CC_STAT_HEIGHT] >= height - 1)
    after = next((each for each in form.rows if each.box.top > row.box.top), None)
    if after is None or not touching.any():
        return own
    left, top = corner
    cells = form.cells_of(after.row or 0)
    first = [cell.box for cell in cells if isinstance(cell.column, TickBox) and cell.line == cells[0].line]
    low = max(box.top + box.height for box in first) + INNER_MM
    seen = strokes.ink_parts(strokes.on_white(flat[top : round(low * PIXELS_PER_MM), left : left + width]))
    theirs, mine = np.zeros(seen.labels.shape, bool), np.zeros(grey.shape, bool)
    for box in first:
        theirs[_inside(box, left, top, -INNER_MM)] = True
    for cell in form.cells_of(row.row or 0):
        mine[_inside(cell.box, left, top, -INNER_MM)] = True
    gone = np.zeros(len(own.keep), bool)
    for piece in np.flatnonzero(touching).tolist():
        whole = np.bincount(seen.labels[:height][own.labels == piece], minlength=2)[1:].argmax() + 1
        there = int((theirs & (seen.labels == whole)).sum())
        here = int((mine & (own.labels == piece)).sum())
        gone[piece] = there >= SEEN_MM2 * PIXELS_PER_MM**2 and here < TAIL * there
    kept = own.without(gone)
    strokes.paint_out(grey, own.pixels(gone), kept)
    return kept


def _without_edges(grey: Grey, parts: strokes.Parts, dots: NDArray[np.float64], dash: float) -> strokes.Parts:
    """Remove the dots of the boxes' edges; a dot under a stroke stays part of the stroke.

    Dots are in pixels here; ``dash`` is how long they are at most, in mm.
    """
    longest = strokes.DOT_MM + max(0.0, dash - strokes.GUIDE_DOT_MM)
    places = _draw_dots(dots, grey.shape)
    near = cv2.dilate(places, strokes.square(2 * round(EDGE_OFF_MM * PIXELS_PER_MM) + 1)) > 0
    across, down = np.round(parts.middles).astype(int).T
    gone = parts.keep & (parts.longest <= longest * PIXELS_PER_MM) & near[down, across]
    kept = parts.without(gone)
    strokes.paint_out(grey, parts.pixels(gone) | (places > 0), kept)  # also where a dot is too faint to be seen as ink
    return kept


def _without_joined(grey: Grey, parts: strokes.Parts, dots: NDArray[np.float64], faintest: float) -> strokes.Parts:
    """Paint out dots, in pixels here, that a picture has drawn together: between them it is fainter than any pen.

    ``faintest``: in grey levels, for joins that reach farther from the dots.
    """
    places = _draw_dots(dots, grey.shape)
    near = cv2.dilate(places, strokes.square(2 * round(EDGE_OFF_MM * PIXELS_PER_MM) + 1)) > 0
    on_dot = cv2.dilate(places, strokes.square(2 * int(BESIDE_DOT_MM * PIXELS_PER_MM) + 1)) > 0
    across, down = np.round(parts.middles).astype(int).T
    gone = np.zeros(len(parts.keep), bool)
    for piece in np.flatnonzero(parts.keep & (parts.longest <= RUN_MM * PIXELS_PER_MM) & near[down, across]).tolist():
        left, top, width, height = parts.sizes[piece, : cv2.CC_STAT_AREA].tolist()
        here = slice(top, top + height), slice(left, left + width)
        ink = parts.cut(piece)
        between = strokes.WHITE - grey[here][ink & ~on_dot[here]].astype(int)
        darkest = float(np.percentile(between, 90)) if between.size else 0.0
        gone[piece] = darkest < (bands.FAINT if near[here][ink].all() else faintest)
    kept = parts.without(gone)
    strokes.paint_out(grey, parts.pixels(gone), kept)
    return kept


def _draw_dots(dots: NDArray[np.float64], shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """Draw where dots are, in pixels, as far as they are in a band."""
    across, down = np.round(dots).astype(int).T
    shown = (across >= 0) & (across < shape[1]) & (down >= 0) & (down < shape[0])
    places = np.zeros(shape, np.uint8)
    places[down[shown], across[shown]] = 1
    return places


def _without_runs(
    grey: Grey, own: strokes.Parts, form: Form, cells: tuple[Cell, ...], corner: tuple[int, int]
) -> strokes.Parts:
    """Remove dots of the rules between rows and columns that merged in a shadow.

    Only what lies on such a line and in no box, and is smaller than any tick. Where there are no rules between columns
    the lines are there to be written on, and nothing is left out.
    """
    if not form.box_layout.rules:
        return own
    left, top = corner
    across, down = own.middles[:, 0], own.middles[:, 1]
    off = np.full(len(own.keep), np.inf)
    for guide in row_guides(form):
        off = np.minimum(off, np.abs(down - (guide.y * PIXELS_PER_MM - 0.5 - top)))
    for x in {rule.left for rule in form.box_layout.rules if rule.is_upright}:
        off = np.minimum(off, np.abs(across - (x * PIXELS_PER_MM - 0.5 - left)))
    shorter = np.minimum(own.sizes[:, cv2.CC_STAT_WIDTH], own.sizes[:, cv2.CC_STAT_HEIGHT])
    gone = own.keep & (off <= EDGE_OFF_MM * PIXELS_PER_MM)
    gone &= (own.longest <= TOGETHER_MM * PIXELS_PER_MM) & (shorter <= THICK_MM * PIXELS_PER_MM)
    for cell in cells:
        rows, columns = _inside(cell.box, left, top, PRINT_OFF_MM)
        gone &= (down < rows.start) | (down >= rows.stop) | (across < columns.start) | (across >= columns.stop)
    kept = own.without(gone)
    strokes.paint_out(grey, own.pixels(gone), kept)
    return kept


def _without_print(
    grey: Grey, parts: strokes.Parts, form: Form, row: Field, edges: Mapping[Cell, float], corner: tuple[int, int]
) -> tuple[strokes.Parts, tuple[OnPrint, ...]]:
    """Remove the printed labels of the boxes, and measure the removed ink: it should be the same in every row.

    ``edges`` says how dark the edge of each cell is.
    """
    gone = np.zeros(len(parts.keep), bool)
    labels = {cell.label: cell for cell in edges if isinstance(cell.column, TickBox)}
    words = {word.box: word for word in form.box_layout.words}
    measured: list[OnPrint] = []
    first, above, wide, tall = (parts.sizes[:, column] for column in range(4))
    for box in form.box_layout.printed:
        if not row.box.top - PRINTED_NEAR_MM <= box.top <= row.box.top + row.box.height + PRINTED_NEAR_MM:
            continue
        down, across = _inside(box, *corner, PRINT_OFF_MM)
        within = parts.keep & ~gone & (first >= across.start) & (first + wide <= across.stop)
        within &= (above >= down.start) & (above + tall <= down.stop)
        gone |= within
        if row.box.top <= box.top + box.height / 2 <= row.box.top + row.box.height:
            cell = labels.get(box)
            dark = strokes.WHITE - np.minimum(grey[parts.pixels(within)], strokes.WHITE)
            names = [(name.text, _inside(name.box, *corner, PRINT_OFF_MM)) for name in (cell.words if cell else ())]
            line = max((_darkest_line(grey, parts, *name) for name in names), default=0.0)
            edge = edges[cell] if cell else 0.0
            measured.append(replace(_on_print(cell, words.get(box), dark), line=line, edge=edge))
    kept = parts.without(gone)
    strokes.paint_out(grey, parts.pixels(gone), kept)
    return kept, tuple(measured)


def _darkest_line(grey: Grey, parts: strokes.Parts, text: str, here: tuple[slice, slice]) -> float:
    """How dark a line over a printed name is, whatever ink it is joined to, see `measure_line`."""
    dark = strokes.WHITE - np.minimum(grey[here], strokes.WHITE)
    return measure_line(np.where(parts.keep[parts.labels[here]], dark, 0).astype(np.uint8), text, PRINT_OFF_MM)


def _on_print(cell: Cell | None, word: PrintedWord | None, dark: Grey) -> OnPrint:
    """Say which printed labels are compared with one another; a name may occur on one row only.

    ``dark``: how much darker than paper each pixel of the ink is.
    """
    alike: Hashable = None
    usual = 1.0
    match cell:
        case Cell(column=NamedBox() as box) if not isinstance(box, BuildBox):
            alike, usual = NamedBox, ink_of(cell)
        case Cell(column=TickBox(label=label)):
            alike = label
        case None if word is not None:
            alike, usual = ("word", word.text), word.ink
        case _:
            pass
    depth, deepest = (float(level) for level in np.percentile(dark, (50, 90))) if dark.size else (0.0, 0.0)
    return OnPrint(alike, usual, dark.size / PIXELS_PER_MM**2, depth, deepest)


def _inside(box: Box, left: int, top: int, more_mm: float) -> tuple[slice, slice]:
    """The pixels of a box, larger all round, seen from a corner of the sheet that lies at ``left`` and ``top``."""
    edges = (box.top - more_mm, box.top + box.height + more_mm, box.left - more_mm, box.left + box.width + more_mm)
    first, last, start, end = (round(edge * PIXELS_PER_MM) for edge in edges)
    return slice(max(0, first - top), max(0, last - top)), slice(max(0, start - left), max(0, end - left))


# Which box each piece of ink in a row belongs to, and which pieces may belong to either of two.

REACH_MM = 2.0  # a box reaches half way to the next, and so far at most
TICK_REACH_MM = 1.2  # above and below a tick box
WITHIN = 0.5  # share of a tick that must lie well inside its box; below, it may be meant for the next one
RUNS_ON = 0.5  # share of its own box's ink that another box has: crosses 0.07, flat hooks 0.92
ALONE = 0.9  # share, of the ink that is well inside any box, from which a tick is in one box alone
ARM_MM = 1.0  # so far at least the shorter arm of a hook rises, beside its corner
BELOW_MM = 1.6  # how far the corner may be below its box: boxes of two lines are 3.2 or more apart
TIP_MM2 = 0.8  # ink of the arms inside another box; with more, that box has its own tick
TAIL_UP_MM = 9.0  # a hook as high has a tail, which may meet the words above
HOLE_MM2 = 0.4  # in a pencil's stroke, or between two that touch: up to 0.34 in seven hooks of one person
PART_MM = 3.5  # above the foot of a hook, where its arms part: up to 2.4 in narrow ones; two ticks in one part higher
TALLEST_MM = 13.0  # of a hook: that person's were up to 11.7, two joined in boxes one above the other 15.5
# A hook with arms in another box counts if so many hooks of the sheet with arms in none have this share of its height:
# that person's hooks on one sheet had 0.8 and more of the highest
AS_HIGH, LEAST_AS_HIGH = 0.8, 2
RAGGED = 3  # rows of pixels above and below one, most of which say how many arms there are
NEARER = 0.6  # if another box has less than this share of the hook's ink in its own box, the arms only point there


class Shares(Struct, frozen=True):
    """How much of each piece of ink lies in which box of a row."""

    band: Band
    near: NDArray[np.int64]  # pixels by piece and box, within each box's reach; the first column counts those in none
    inner: NDArray[np.int64]  # pixels by piece and box, well inside the box; the first column counts those in none
    owner: NDArray[np.int64]  # by piece: the box with most of it, 1..; 0 if most is in none
    hooks: NDArray[np.bool_]  # by piece: whether it is a tick mark with its corner in its box
    plain: NDArray[np.int64]  # by piece: the box in which such a mark has its corner, if nothing is joined to it; or 0

    @classmethod
    def of(cls, band: Band) -> "Shares":
        """Count the pixels of each piece in each box."""
        near = np.zeros(band.grey.shape, np.int64)
        well_inside, places = near.copy(), band.places
        for number, (cell, reach) in enumerate(zip(band.cells, _reaches(band.cells), strict=True), start=1):
            start, end = (max(0, round(edge * PIXELS_PER_MM) - band.left) for edge in reach)
            down, across = band.span(cell.box, -INNER_MM)
            if cell.name in places:  # letters may be tall, and have tails
                level = band.level(cell.line)
                near[level, start:end] = well_inside[level, across] = number
            else:
                near[band.span(cell.box, TICK_REACH_MM)[0], start:end] = number
                well_inside[down, across] = number
        counted, inner = (count(band.own.labels, region, len(band.cells) + 1) for region in (near, well_inside))
        owner = np.where(counted[:, 1:].sum(1) >= counted[:, 0], 1 + counted[:, 1:].argmax(1), 0)
        seen, most = inner[:, 1:].max(1), inner[:, 1:].argmax(1)
        is_tick = np.array([cell.name not in places for cell in band.cells])[most]
        with_tail = is_tick & (seen >= SEEN_MM2 * PIXELS_PER_MM**2) & (seen >= ALONE * inner[:, 1:].sum(1))
        owner = np.where((owner == 0) & with_tail, 1 + most, owner)
        return cls(band, counted, inner, owner, _find_hooks(band, owner), _find_plain_hooks(band))

    @property
    def is_clear(self) -> NDArray[np.bool_]:
        """Which pieces are plain hooks whose arms reach into no other box."""
        others = np.where(np.arange(1, self.inner.shape[1]) == self.plain[:, None], 0, self.inner[:, 1:])
        return np.asarray((self.plain > 0) & (others.max(axis=1) < TIP_MM2 * PIXELS_PER_MM**2), np.bool_)

    @property
    def heights(self) -> NDArray[np.int64]:
        """How high the pieces are, px."""
        return np.asarray(self.band.own.sizes[:, cv2.CC_STAT_HEIGHT], np.int64)

    def with_hooks(self, clear: Sequence[int]) -> "Shares":
        """Give plain hooks to the boxes that their corners are in, if arms are in no other box or usual on this sheet.

        ``clear`` are the heights of the sheet's hooks of which no arm reaches into another box.
        """
        if not self.plain.any():
            return self
        as_high = np.asarray(clear)[None] >= AS_HIGH * self.heights[:, None]
        plain = np.where(self.is_clear | (as_high.sum(axis=1) >= LEAST_AS_HIGH), self.plain, 0)
        owner = np.where(plain > 0, plain, self.owner)
        return replace(self, owner=owner, hooks=_find_hooks(self.band, owner), plain=plain)

    def parts_of(self, number: int) -> strokes.Parts:
        """The pieces that belong to one box, or (0) to none."""
        return self.band.own.without(self.owner != number)

    def run_across(self) -> bool:
        """Say whether a piece reaches so far into a second box that it is ambiguous.

        The tail of a hook may reach into the line above its corner, though not as far as a tick does; a letter's may
        reach into a line where nothing else is written.
        """
        own, lines, places = self.band.own, [cell.line for cell in self.band.cells], self.band.places
        is_stroke = own.keep & (own.longest >= strokes.STROKE_LENGTH_MM * PIXELS_PER_MM)
        enough, tip, a_tick = (area * PIXELS_PER_MM**2 for area in (strokes.INK_AREA_MM2, TIP_MM2, strokes.TICK_MM2))
        for piece in np.flatnonzero(is_stroke & (self.owner > 0)).tolist():
            number = int(self.owner[piece])
            is_word = self.band.cells[number - 1].name in places
            is_level = np.array([line == lines[number - 1] for line in lines])
            most = max(a_tick, NEARER * float(self.near[piece, number]))
            is_tail = self.hooks[piece] & (self.inner[piece, 1:] < tip) & (self.near[piece, 1:] < most)
            is_tail |= self.plain[piece] > 0
            free = ~is_level & (~self.holds_ink(number) if is_word else is_tail)
            free[number - 1] = True
            mine, near = float(self.inner[piece, number]), float(self.near[piece, number])
            others, beside = (counted[piece, 1:][~free] for counted in (self.inner, self.near))
            if (others >= max(enough if is_word else TAIL * mine, 1)).any():
                return True
            if not is_word and mine < WITHIN * near and (beside >= TAIL * near).any():
                return True
            if not is_word and not self.hooks[piece] and (beside >= RUNS_ON * near).any():
                return True
        return False

    def holds_ink(self, number: int) -> NDArray[np.bool_]:
        """Say of each box whether it holds ink other than tails from the box with this number."""
        word = self.owner == number
        tails = self.inner[word & self.band.own.keep].sum(axis=0)
        others = np.bincount(self.owner[self.band.own.keep], minlength=len(self.band.cells) + 1)
        holds: NDArray[np.bool_] = ((others > 0) | (tails >= TAIL * tails[number]))[1:]
        return holds


def _find_plain_hooks(band: Band) -> NDArray[np.int64]:
    """Find for each piece that is a hook and no more the box that its corner is in; 0 for all others."""
    box_of, places = np.zeros(len(band.own.keep), np.int64), band.places
    ticked = [(number, cell.box) for number, cell in enumerate(band.cells, 1) if cell.name not in places]
    is_stroke = band.own.keep & (band.own.longest >= strokes.STROKE_LENGTH_MM * PIXELS_PER_MM)
    for piece in np.flatnonzero(is_stroke).tolist():
        left, top, _, height = band.own.sizes[piece, : cv2.CC_STAT_AREA].tolist()
        drawn = band.own.cut(piece)
        corner = _has_corner(drawn)
        if corner is None or not _has_two_arms(drawn):
            continue
        for number, box in ticked:
            _down, across = band.span(box, TICK_REACH_MM)
            is_level = band.span(box)[0].start <= top + height - 1 < band.span(box, BELOW_MM)[0].stop
            if across.start <= left + corner < across.stop and is_level:
                box_of[piece] = number
    return box_of


def _has_two_arms(piece: NDArray[np.bool_]) -> bool:
    """Whether two arms rise from the foot of a piece and nothing else is joined to them, neither above nor between."""
    ink = cv2.morphologyEx(np.pad(piece, 2).astype(np.uint8), cv2.MORPH_CLOSE, strokes.square(3))
    _, places, sizes, _ = cv2.connectedComponentsWithStats(1 - ink)
    holes = np.flatnonzero(sizes[:, cv2.CC_STAT_AREA] <= HOLE_MM2 * PIXELS_PER_MM**2)
    arms, whole = _count_arms(piece), _count_arms(((places == 0) | np.isin(places, holes))[2:-2])
    is_one = whole[0] == 1 and whole.max() == 2 and np.count_nonzero(np.diff(whole) > 0) == 1
    part = int((arms > 1).argmax()) / PIXELS_PER_MM
    return bool(is_one and part <= PART_MM and len(piece) <= TALLEST_MM * PIXELS_PER_MM)


def _count_arms(piece: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many strokes there are side by side at each height of a piece, from below; single rows do not count."""
    counts = (np.diff(np.pad(piece, ((0, 0), (1, 0))).astype(np.int8), axis=1) > 0).sum(axis=1)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(counts, RAGGED, "edge"), 2 * RAGGED + 1)
    return np.asarray(np.median(windows, axis=1)[::-1], np.int64)


def _find_hooks(band: Band, owner: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Find the tick marks (hooks) with their corner in a box: they belong to it, however long the tail."""
    own, places, is_hook = band.own, band.places, np.zeros(len(owner), bool)
    for piece in np.flatnonzero(own.keep & (owner > 0)).tolist():
        cell = band.cells[int(owner[piece]) - 1]
        if cell.name not in places:
            left, top, width, height = own.sizes[piece, : cv2.CC_STAT_AREA].tolist()
            corner = _has_corner(own.labels[top : top + height, left : left + width] == piece)
            down, across = band.span(cell.box, TICK_REACH_MM)
            lowest = band.span(cell.box, BELOW_MM)[0].stop
            is_hook[piece] = (
                corner is not None
                and across.start <= left + corner < across.stop
                and down.start <= top + height - 1 < lowest
            )
    return is_hook


class WordInk(Struct, frozen=True, eq=False):
    """What was written in the boxes of one row, and the tails of it that hang into the next row."""

    band: Band
    ink: strokes.Parts
    tails: tuple[Tail, ...]  # that leave the row at its bottom, if nothing else does

    @classmethod
    def of(cls, shares: Shares, flat: Grey) -> "WordInk":
        """Find them among the ink of a row, whose ticks with a corner in their box may leave it."""
        band = shares.band
        is_place = np.array([False, *(cell.name in band.places for cell in band.cells)])
        ink = band.own.without(~is_place[shares.owner])
        others = bands.drawn_by_pen(band.own.without(ink.keep | shares.hooks))
        leaves = bands.goes_beyond(others.mask, band.upper, band.lower, bands.TAIL_MM) or bands.lies_beyond(
            others, band.upper, band.lower
        )
        is_alone = strokes.has_ink(ink) and not leaves
        return cls(band, ink, find_tails(flat, ink, (band.left, band.top), band.upper, band.lower) if is_alone else ())

    def claims(self, parts: strokes.Parts, cells: Sequence[Cell], left: int, top: int) -> strokes.FromAbove:
        """The pieces of the next row, seen from this corner, that are tails: none that may be a tick in a box there."""
        band = self.band
        corner = left - band.left, top - band.top
        hanging = find_tails_from_above(parts, corner, self.ink, (band.upper, band.lower), self.tails)
        in_box = np.zeros(len(parts.keep), bool)
        for cell in cells:
            if isinstance(cell.column, TickBox):
                in_box[parts.labels[_inside(cell.box, left, top, -INNER_MM)]] = True
        return strokes.FromAbove(hanging.reported & ~in_box, hanging.tails & ~in_box)

    def tails_in(self, parts: strokes.Parts) -> tuple[Tail, ...]:
        """Those tails that hang from the words in one box."""
        rows = [min(int(tail.ink[0].min()), len(parts.mask) - 1) for tail in self.tails]
        there = zip(self.tails, rows, strict=True)
        return tuple(tail for tail, row in there if parts.mask[row, tail.first : tail.last + 1].any())


def _has_corner(piece: NDArray[np.bool_]) -> int | None:
    """Find the corner of a hook: its lowest ink, with two arms that rise from it; pixels from its left."""
    arm = round(ARM_MM * PIXELS_PER_MM)
    low = np.flatnonzero(piece[-max(1, arm // 2) :].any(axis=0))
    corner = int(low.mean())
    sides = (piece[:, : max(0, corner - arm // 2)], piece[:, corner + arm // 2 :])
    rises = [len(piece) - int(side.any(axis=1).argmax()) if side.any() else 0 for side in sides]
    starts = np.diff(np.pad(piece[-3 * arm : -arm], ((0, 0), (1, 0))).astype(np.int8), axis=1) > 0
    has_arms = min(rises) >= arm or (starts.sum(axis=1) > 1).any()  # on both sides, or one straight up
    return corner if has_arms and np.ptp(low) <= 2 * arm else None


def _reaches(cells: Sequence[Cell]) -> Iterator[tuple[float, float]]:
    """How far each box reaches left and right, in mm: half way to the next on its line."""
    for cell in cells:
        left, right = cell.box.left, cell.box.left + cell.box.width
        level = [each.box for each in cells if each.line == cell.line and each is not cell]
        before = max((box.left + box.width for box in level if box.left < left), default=left - 2 * REACH_MM)
        after = min((box.left for box in level if box.left > left), default=right + 2 * REACH_MM)
        yield left - min(REACH_MM, (left - before) / 2), right + min(REACH_MM, (after - right) / 2)


def count(labels: strokes.Labels, region: NDArray[np.int64], regions: int) -> NDArray[np.int64]:
    """Count the pixels of each piece in each region."""
    pieces, inked = int(labels.max()) + 1, labels > 0
    both = labels[inked].astype(np.int64) * regions + region[inked]
    return np.bincount(both, minlength=pieces * regions).reshape(pieces, regions)


GOOD_DEPTH = 150.0  # grey levels: print has 170 or more in its darkest tenth, but in a picture without contrast


WITH_PLACE = frozenset({"S", "C", "via"})  # signs beside which a place is ticked
TICKS = (strokes.TickMark.TICKED, strokes.TickMark.SHADED)


class BoxedInk(Struct, frozen=True):
    """What was found in one row of boxes."""

    grey: Grey  # the whole row, as far as it has ink
    is_blank: bool
    marks: Mapping[str, strokes.TickMark]  # by box
    written: Mapping[str, Inked]  # by box; only those that have ink
    notes: tuple[Noted, ...]

    def lacks_place(self, cells: Sequence[Cell]) -> bool:
        """Whether a row with these boxes is a unit's that can move, and neither a place nor a sign to stay is given."""
        given = [cell for cell in cells if self.marks.get(cell.name) in TICKS and cell.name not in WITH_PLACE]
        can_move = any(isinstance(cell.column, TargetBox) for cell in cells)
        return can_move and "to" not in self.written and all(isinstance(cell.column, HelpedBox) for cell in given)

    def with_unsure(self, names: Collection[str]) -> "BoxedInk":
        """Say that nobody knows whether some boxes are empty."""
        if not names:
            return self
        return replace(self, is_blank=False, marks={**self.marks, **dict.fromkeys(names, strokes.TickMark.UNSURE)})


def boxed_rows(page: RegisteredPage) -> Iterator[BoxedInk]:
    """Read the boxes of all rows of a sheet."""
    dots, shaken = edge_dots(page.form), is_shaken(page.flat, page.form)
    least = measure_least_ink(page.flat, page.form)
    seen: list[tuple[Shares, WordInk]] = []
    for row in page.form.rows:
        above = seen[-1][1] if seen else None
        shares = Shares.of(band_of(page.flat, page.form, row, dots, above, shaken=shaken, least=least))
        seen.append((shares, WordInk.of(shares, page.flat)))
    hidden = find_hidden_ink([shares.band.on_print for shares, _ in seen])
    clear = [height for shares, _ in seen for height in shares.heights[shares.is_clear].tolist()]
    contrast = _measure_contrast([shares.band for shares, _ in seen])
    inks = [
        _boxed_ink(shares.with_hooks(clear), words, page.lines, hidden=more, contrast=contrast)
        for (shares, words), more in zip(seen, hidden, strict=True)
    ]
    boxes = [_see_boxes(shares, ink) for (shares, _), ink in zip(seen, inks, strict=True)]
    darker = find_darker_boxes(boxes, paper=float(np.median(page.flat)))
    is_manner = strokes.are_shaded(ink.marks.values() for ink in inks)
    longer = [frozenset[str]()] * len(inks) if is_manner else find_longer_ticks(boxes)
    inks = [ink.with_unsure(dark | long) for ink, dark, long in zip(inks, darker, longer, strict=True)]
    light = None if page.is_one_bit else Light.of(boxes)  # a fax keeps some dashes and drops others
    for (shares, _), ink, in_row in zip(seen, inks, boxes, strict=True):
        lost = light.find_lost(in_row) if light and ink.lacks_place(shares.band.cells) else frozenset[str]()
        marks = {name: mark.as_seen(is_manner) for name, mark in ink.marks.items()}
        yield replace(ink, marks=marks).with_unsure(lost)


def _see_boxes(shares: Shares, ink: BoxedInk) -> list[SeenBox]:
    """Measure how dark each box to tick of a row is, without the ink that belongs to none or to another."""
    band, places, boxes = shares.band, shares.band.places, []
    plain = (shares.plain > 0) | (shares.hooks & (shares.heights >= TAIL_UP_MM * PIXELS_PER_MM))
    inked = band.own.mask
    for number, cell in enumerate(band.cells, 1):
        if cell.name not in places:
            inside = band.span(cell.box, -INSIDE_MM)
            foreign = inked[inside] & (shares.owner[band.own.labels[inside]] != number)
            boxes.append(
                SeenBox(
                    cell.name,
                    ink.marks.get(cell.name, strokes.TickMark.EMPTY),
                    measure_depth(band.grey[inside], foreign),
                    is_clear=not inked[inside].any(),
                    is_stained=band.is_stained(band.span(cell.box, RIM_MM)),
                    edge=band.edges[number - 1],
                    is_bright=float(np.median(band.paper[inside])) >= WHITEST,
                    drawn=_length_drawn(shares, number) if ink.marks.get(cell.name) in TICKS else 0.0,
                    is_plain=_are_hooks(shares.parts_of(number), plain),
                )
            )
    return boxes


def _length_drawn(shares: Shares, number: int) -> float:
    """How far a pen went in one box, in mm, without the letters beside it that a tail may meet."""
    cell, ink = shares.band.cells[number - 1], shares.parts_of(number).mask
    if cell.label:
        ink[shares.band.span(cell.label, PRINT_OFF_MM)] = False
    return strokes.length_drawn(ink)


def _measure_contrast(rows: Sequence[Band]) -> float:
    """How dark a page's print and its pen are, whichever is darker, as a share of those on any good picture."""
    names = [each.deepest for band in rows for each in band.on_print if each.alike == NamedBox]
    inked = [float(np.percentile(band.grey[band.own.mask], 10)) for band in rows if strokes.has_ink(band.own)]
    pens = [strokes.WHITE - level for level in inked]
    return min(1.0, max(median(names), median(pens)) / GOOD_DEPTH) if names and pens else 1.0


def _boxed_ink(shares: Shares, words: WordInk, lines: Grey | None, *, hidden: bool, contrast: float) -> BoxedInk:
    """Say which ink is in each box of a row, and which in none. ``hidden``: there is ink on the printed letters."""
    band, hooks, places = shares.band, shares.hooks, shares.band.places
    blank = BoxedInk(band.grey, True, {}, {}, ())
    if not strokes.has_ink(band.own) and not hidden:
        return blank
    drawn = band.own.without(band.find_rims() & (shares.owner == 0))  # a rim in a box may be a tick, and is asked
    if not strokes.has_ink(drawn) and not hidden:
        return blank
    own = [shares.parts_of(number) for number in range(1, len(band.cells) + 1)]
    cells = list(zip(band.cells, own, strict=True))
    struck = strokes.has_ink(drawn) and strokes.is_struck(drawn)
    free = drawn.without(hooks)
    doubts = (
        bands.paper_notes(band.grey, drawn, free, band.upper, band.lower, struck=struck)
        if strokes.has_ink(drawn)
        else ()
    )
    crossed = (Note.LINE_THROUGH,) if bands.touches_scanner_line(band.own, lines, band.left, band.top) else ()
    beside = (Note.BESIDE,) if hidden or strokes.has_ink(drawn.without(shares.owner != 0)) else ()
    across = (Note.ACROSS,) if shares.run_across() else ()
    return BoxedInk(
        grey=bands.trim_paper(band.grey, band.own) if len(band.own.strokes) else band.grey,
        is_blank=False,
        marks={
            cell.name: strokes.mark_in(
                band.grey,
                band.span(cell.box, PRINT_OFF_MM),
                band.span(cell.box),
                parts,
                letters=band.span(cell.label, PRINT_OFF_MM) if cell.label and _are_hooks(parts, hooks) else None,
                is_plain=_are_hooks(parts, shares.plain > 0),
                contrast=contrast,
            )
            for cell, parts in cells
            if cell.name not in places
        },
        written={
            cell.name: _cut_out_box(words, parts, cell.line)
            for cell, parts in cells
            if cell.name in places and strokes.has_ink(parts)
        },
        notes=(*doubts, *crossed, *beside, *across),
    )


def _are_hooks(parts: strokes.Parts, hooks: NDArray[np.bool_]) -> bool:
    """Say whether there are hooks and nothing else among the pieces of a box: a ring round a hook is no letter's."""
    long_hooks = hooks[parts.keep & (parts.longest >= strokes.STROKE_LENGTH_MM * PIXELS_PER_MM)]
    return len(long_hooks) > 0 and bool(long_hooks.all())


def _cut_out_box(words: WordInk, parts: strokes.Parts, line: Box) -> Inked:
    """Cut out what stands in one box, without the strokes of its neighbours, as if it stood on the row's last line."""
    band, (first, last) = words.band, bands.inked_stretch(parts)
    grey = band.grey[:, first:last].copy()
    beside = replace(parts, keep=band.own.keep & ~parts.keep).mask[:, first:last]
    strokes.paint_out(grey, beside, replace(parts, labels=parts.labels[:, first:last]))
    row = band.row.box
    lower = round((row.top + row.height - line.top - line.height) * PIXELS_PER_MM)
    tails = tuple((tail.first - first, tail.last - first) for tail in words.tails_in(parts))
    return Inked(np.pad(grey[: len(grey) - lower], ((lower, 0), (0, 0)), constant_values=strokes.WHITE), tails)

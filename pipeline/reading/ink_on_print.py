"""Ink on the letters that are printed in rows of boxes: there is more than the same letters have elsewhere on the page.

A line drawn through a name adds little, for most of it lies on letters. It is seen between them.

A shadow, a blur or a drum without toner makes print darker here and paler there, and what is paler covers less. So how
much ink a word is expected to have also follows from how dark its print is. In too much light letters stay black and
grow thin; there the dashes of the box beside a name tell.
"""

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache
from statistics import median

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.paper.sheet_rows import NamedBox
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.pages import Grey
from pipeline.reading.strokes import LEAST_CONTRAST

MORE_MM2 = 1.3  # of ink on a printed letter, beyond that of the same letter in the other rows: a shadow's edge adds 1.1
MORE = 0.08  # of the ink of a long word, where that is more than MORE_MM2: a telephone's pictures add 0.06
USUAL: dict[Hashable, float] = {NamedBox: 1.2}  # where a sheet has too few to compare: as on clean scans
NEAREST = 9  # names of a page that are about as dark
LEAST_EDGES = 6  # equal letters beside dashes that are about as dark
PALER = 0.9  # of the usual ink, and only print as pale tells how much to expect
PALE = 2 * LEAST_CONTRAST  # grey levels: print as pale falls to pieces, and of two equal words one may hardly be seen
FAINT = 60.0  # grey levels: no pen is paler than that in its darkest tenth, as in the rest of the row
LINE_MM = 6.0  # of a line through a name: three letters, with two gaps between them
LONG_WORD, LONGEST_MM = 0.55, 6.6  # of a long word, whose letters may touch
SHORT_MM = 0.5  # by so much it may be shorter than a short word
LINE_HIGH_PX = 2  # it wavers so far
CLIMBS = (-0.18, -0.12, -0.06, 0.0, 0.06, 0.12, 0.18)  # of such a line, as a share of its length
MIDDLE_MM = 0.55  # from the middle of the letters
AT_ENDS_MM, AT_ENDS = 0.9, 0.5  # farther from it the ends of T, E and Z meet their neighbours: a line there is darker
BARRED, AT_BAR = re.compile(r"\wT\w"), 0.35  # the bar of a T meets both: STP and NTH have a line there
LEAST_LINE = 30.0  # grey levels: of photographs without a line 24, rarely 33
NOT_STRUCK = 90  # percent of a page's words
DARKER = 3.0  # times as dark as what a blurred picture leaves between most letters


class OnPrint(Struct, frozen=True):
    """Small ink where letters are printed: these letters, and whatever else is as small."""

    alike: Hashable  # letters with an equal ``alike`` are compared
    usual: float  # the ink that the form prints here; 1 where all that is compared is the same label
    area: float  # mm²
    depth: float  # grey levels darker than paper, the median of this ink; 0 where there is none
    deepest: float  # the same of its darkest tenth
    line: float = 0.0  # how dark the darkest straight line over the letters is where it is palest
    edge: float = 0.0  # how dark the dashes of its box are; 0 where it has none

    @property
    def share(self) -> float:
        """Its ink as a share of what the form prints."""
        return self.area / self.usual


def measure_line(dark: Grey, text: str, more_mm: float) -> float:
    """How dark the darkest straight line through a line of letters is where it is palest, in grey levels.

    ``dark``: by how many grey levels each pixel is darker than paper, 0 where there is no ink; ``text`` are the
    letters, and ``more_mm`` of paper is around them.
    """
    width = dark.shape[1]
    letters = width / PIXELS_PER_MM - 2 * more_mm
    long = min(max(LINE_MM, LONG_WORD * letters), LONGEST_MM, letters - SHORT_MM)
    paper = np.flatnonzero(~dark.any(axis=0))
    if long <= 0 or np.diff(paper, prepend=-1, append=width).max() <= long * PIXELS_PER_MM:
        return 0.0
    room = round(width * max(CLIMBS) / 2) + 1
    wide = np.pad(dark, ((room, room), (0, 0)))
    off = np.abs(np.arange(len(wide)) - (len(wide) - 1) / 2) / PIXELS_PER_MM
    at_ends = AT_BAR if BARRED.search(text) else AT_ENDS
    weights = np.select([off <= MIDDLE_MM, off <= AT_ENDS_MM], [1.0, at_ends], 0.0)
    window = np.ones((1, round(long * PIXELS_PER_MM)), np.uint8)
    darkest = 0.0
    for slope in CLIMBS:
        level = np.array([[1, 0, 0], [slope, 1, -slope * width / 2]], np.float32)
        turned = cv2.dilate(cv2.warpAffine(wide, level, wide.shape[::-1]), np.ones((LINE_HIGH_PX, 1), np.uint8))
        palest = cv2.erode(turned, window, borderType=cv2.BORDER_CONSTANT, borderValue=0).max(axis=1)
        darkest = max(darkest, float((palest * weights).max()))
    return darkest


def find_hidden_ink(rows: Sequence[Sequence[OnPrint]]) -> Iterator[bool]:
    """Say of each row whether there is more ink on its printed letters than on the same letters of the other rows.

    Over the boxes for targets no letters are the same; there it is more than such letters have on the whole sheet.
    """
    alike: dict[Hashable, list[OnPrint]] = {}
    for each in (each for row in rows for each in row):
        alike.setdefault(each.alike, []).append(each)
    usual = {
        kind: median(each.share for each in those) if len(those) > 2 else USUAL.get(kind, np.inf)
        for kind, those in alike.items()
    }
    by_depth = _shares_by_depth(alike.get(NamedBox, []))
    by_edge = _EdgeShares.of(alike.get(NamedBox, []))
    lines = [each.line for row in rows for each in row]
    line = max(LEAST_LINE, DARKER * float(np.percentile(lines, NOT_STRUCK, method="lower"))) if lines else np.inf
    names = usual.get(NamedBox, 0.0)  # none where a page is laid so far off, or so lined, that none is seen
    for row in rows:
        darker = max(1.0, _share_of_names(row) / names) if names else 1.0
        yield any(each.line > line for each in row) or any(
            _has_more(
                each,
                max(
                    _share_as_dark(
                        each, others := [other for other in alike[each.alike] if other is not each], by_depth
                    ),
                    0.0 if _is_paler(each, names, by_depth) else usual[each.alike] * darker,
                    0.0 if _is_paler(each, names, by_depth) else _share_beside(each, row),
                ),
            )
            and _has_more(each, _share_as_edged(each, others, by_edge))
            for each in row
            if np.isfinite(usual[each.alike])  # else there is nothing to compare with
        )


def _has_more(one: OnPrint, share: float) -> bool:
    """Whether letters have more ink than expected, as a share of what the form prints, and than may be chance."""
    expected = share * one.usual
    return one.area > expected + max(MORE_MM2, MORE * expected)


def _share_of_names(row: Sequence[OnPrint]) -> float:
    """The median ratio of ink to expected ink of the places printed on a row: a shadow makes all of them darker."""
    shares = [each.share for each in row if each.alike == NamedBox]
    return median(shares) if len(shares) > 2 else 0.0


def _share_beside(one: OnPrint, row: Sequence[OnPrint]) -> float:
    """The median ratio for the other letters of this kind on the same row: pictures are darker here and there."""
    shares = [each.share for each in row if each.alike == one.alike and each is not one]
    return median(shares) if len(shares) > 1 else 0.0


def _shares_by_depth(names: Sequence[OnPrint]) -> Callable[[float], float] | None:
    """How much ink a page's printed names have where they are so dark: the median of those nearest; None of too few."""
    if len(names) <= NEAREST:
        return None
    depths, shares = (np.array([getattr(each, field) for each in names]) for field in ("depth", "share"))
    return cache(lambda depth: float(np.median(shares[_nearest(depths, depth)])))  # asked for each of the others


def _nearest(depths: NDArray[np.float64], depth: float) -> NDArray[np.int64]:
    return np.asarray(np.argsort(np.abs(depths - depth), kind="stable")[:NEAREST], np.int64)


def _is_paler(one: OnPrint, names: float, by_depth: Callable[[float], float] | None) -> bool:
    """Whether letters are so pale that on this page such print covers clearly less than the usual ``names`` do."""
    return by_depth is not None and one.area > 0 and by_depth(one.depth) < PALER * names


def _share_as_dark(one: OnPrint, others: Sequence[OnPrint], by_depth: Callable[[float], float] | None) -> float:
    """The ratio for the other letters of this kind, were they as dark; of those that are hardly seen, the most.

    What is written is darker than print that is hardly seen.
    """
    if by_depth is None or len(others) < 2:
        return 0.0
    if one.alike != NamedBox and one.depth < PALE and one.deepest < FAINT:
        return max(each.share for each in others)
    here = by_depth(one.depth)
    shares = [each.share * here / usual for each in others if (usual := by_depth(each.depth))]
    return median(shares) if len(shares) > 1 else 0.0


class _EdgeShares(Struct, frozen=True):
    """How much ink printed letters of one kind have on a page, by how dark the dashes beside them are."""

    edges: NDArray[np.float64]
    shares: NDArray[np.float64]

    @classmethod
    def of(cls, letters: Sequence[OnPrint]) -> "_EdgeShares":
        seen = [each for each in letters if each.edge]
        return cls(np.array([each.edge for each in seen]), np.array([each.share for each in seen]))

    def expect(self, edge: float) -> float:
        """The share on the line through those whose dashes are nearest to these in darkness; 0 of too few."""
        if not edge or len(self.edges) < LEAST_EDGES:
            return 0.0
        count = max(LEAST_EDGES, len(self.edges) // 3)
        near = np.argsort(np.abs(self.edges - edge), kind="stable")[:count]
        edges, shares = self.edges[near], self.shares[near]
        off = edges - edges.mean()
        slope = max(0.0, float(off @ shares / (off @ off))) if off.any() else 0.0
        return float(shares.mean() + slope * (min(max(edge, edges.min()), edges.max()) - edges.mean()))


def _share_as_edged(one: OnPrint, others: Sequence[OnPrint], names: _EdgeShares) -> float:
    """The ratio for letters beside dashes as dark: of the others, or, of a box's label, as that of names changes."""
    if one.alike == NamedBox:
        return _EdgeShares.of(others).expect(one.edge)
    here = names.expect(one.edge)
    shares = [each.share * here / there for each in others if (there := names.expect(each.edge)) > 0]
    return median(shares) if len(shares) > 1 else 0.0

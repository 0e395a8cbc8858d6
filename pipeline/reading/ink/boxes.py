"""The ink of a row of boxes: which box each piece belongs to, which boxes are ticked, and what stands beside them."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Box, Note, Noted
from pipeline.paper.sheet.field_rows import PlaceBox
from pipeline.paper.sheet.target_rows import NamedBox
from pipeline.reading.files.picture import Grey
from pipeline.reading.ink.background import WHITE
from pipeline.reading.ink.band import is_crossed, notes, stretch, trimmed
from pipeline.reading.ink.box_shares import Shares
from pipeline.reading.ink.boxed_band import PRINT_OFF_MM, Band, OnPrint, band_of, edge_dots
from pipeline.reading.ink.strokes import STROKE_LENGTH_MM, Parts, has_ink, is_struck, paint_out
from pipeline.reading.ink.tick_marks import TickMark, are_shaded, mark_in
from pipeline.reading.registration.register import RegisteredPage
from pipeline.reading.registration.warp import PIXELS_PER_MM

MORE_MM2 = 1.3  # of ink on a printed letter, against the same letter of the other rows: a shadow's edge adds 1.1 ...
MORE = 0.08  # ... and on a long word so much of its ink: on a telephone's pictures 0.06
USUAL: dict[Hashable, float] = {NamedBox: 1.2}  # where a sheet has too few to compare: as on clean scans


@dataclass(frozen=True, slots=True)
class BoxedInk:
    """What was found in one row of boxes."""

    grey: Grey  # the whole row, as far as it has ink
    baseline: int
    is_blank: bool
    is_struck: bool
    marks: Mapping[str, TickMark]  # by box
    written: Mapping[str, Grey]  # by box; only those that have ink
    notes: tuple[Noted, ...]


def boxed_rows(page: RegisteredPage) -> Iterator[BoxedInk]:
    """Look at all rows of a sheet whose rows are boxes."""
    dots = edge_dots(page.form)
    bands = [band_of(page.flat, page.form, row, dots) for row in page.form.rows]
    found = [boxed_ink(band, page.lines, hidden=hidden) for band, hidden in zip(bands, hidden_ink(bands), strict=True)]
    is_manner = are_shaded(ink.marks.values() for ink in found)
    yield from (replace(ink, marks={name: mark.seen(is_manner) for name, mark in ink.marks.items()}) for ink in found)


def hidden_ink(bands: Sequence[Band]) -> Iterator[bool]:
    """Say of each row whether there is more ink on its printed letters than on the same letters of the other rows.

    Over the boxes for targets no letters are the same; there it is more than such letters have on the whole sheet.
    """
    shares: dict[Hashable, list[float]] = {}
    for each in (each for band in bands for each in band.on_print):
        shares.setdefault(each.alike, []).append(each.area / each.usual)
    usual = {alike: median(found) if len(found) > 2 else USUAL.get(alike, np.inf) for alike, found in shares.items()}
    for band in bands:
        darker = max(1.0, share_of_names(band.on_print) / usual.get(NamedBox, np.inf))
        wanted = [
            max(usual[each.alike] * darker, share_beside(each, band.on_print)) * each.usual for each in band.on_print
        ]
        yield any(each.area > ink + max(MORE_MM2, MORE * ink) for each, ink in zip(band.on_print, wanted, strict=True))


def share_of_names(row: Sequence[OnPrint]) -> float:
    """What names of places have on a row: a shadow makes all that is printed there darker."""
    shares = [each.area / each.usual for each in row if each.alike == NamedBox]
    return median(shares) if len(shares) > 2 else 0.0


def share_beside(one: OnPrint, row: Sequence[OnPrint]) -> float:
    """What letters that are alike have on the same row, this one aside: pictures are darker here and there."""
    shares = [each.area / each.usual for each in row if each.alike == one.alike and each is not one]
    return median(shares) if len(shares) > 1 else 0.0


def boxed_ink(band: Band, lines: Grey | None, *, hidden: bool) -> BoxedInk:
    """Say what is in each box of a row, and what is in none. ``hidden``: there is ink on the printed letters."""
    if not has_ink(band.own) and not hidden:
        return BoxedInk(band.grey, band.baseline, True, False, {}, {}, ())
    places = {cell.name for cell in band.cells if isinstance(cell.column, PlaceBox)}
    shares = Shares.of(band, places)
    own = [shares.parts_of(number) for number in range(1, len(band.cells) + 1)]
    cells = list(zip(band.cells, own, strict=True))
    struck = has_ink(band.own) and is_struck(band.own)
    hooks = shares.hooks(places)
    seen = band.own.without(hooks)
    found = notes(band.grey, band.own, seen, band.upper, band.lower, struck=struck) if has_ink(band.own) else ()
    crossed = (Note.LINE_THROUGH,) if is_crossed(band.own, lines, band.left, band.top) else ()
    beside = (Note.BESIDE,) if hidden or has_ink(shares.parts_of(0)) else ()
    across = (Note.ACROSS,) if shares.run_across(places, hooks) else ()
    return BoxedInk(
        grey=trimmed(band.grey, band.own) if len(band.own.strokes) else band.grey,
        baseline=band.baseline,
        is_blank=False,
        is_struck=struck,
        marks={
            cell.name: mark_in(
                band.grey,
                band.span(cell.box, PRINT_OFF_MM),
                band.span(cell.box),
                parts,
                letters=band.span(cell.label, PRINT_OFF_MM) if cell.label and are_hooks(parts, hooks) else None,
            )
            for cell, parts in cells
            if cell.name not in places
        },
        written={c.name: alone(band, parts, c.line) for c, parts in cells if c.name in places and has_ink(parts)},
        notes=(*found, *crossed, *beside, *across),
    )


def are_hooks(parts: Parts, hooks: NDArray[np.bool_]) -> bool:
    """Say whether there are hooks and nothing else among the pieces of a box: a ring round a hook is no letter's."""
    strokes = hooks[parts.keep & (parts.longest >= STROKE_LENGTH_MM * PIXELS_PER_MM)]
    return len(strokes) > 0 and bool(strokes.all())


def alone(band: Band, parts: Parts, line: Box) -> Grey:
    """Cut out what stands in one box, without the strokes of its neighbours, as if it stood on the row's last line."""
    first, last = stretch(parts)
    grey = band.grey[:, first:last].copy()
    here = replace(parts, labels=parts.labels[:, first:last])
    paint_out(grey, replace(here, keep=band.own.keep & ~parts.keep).mask, here)
    row = band.row.box
    lower = round((row.top + row.height - line.top - line.height) * PIXELS_PER_MM)
    return np.pad(grey[: len(grey) - lower], ((lower, 0), (0, 0)), constant_values=WHITE)

"""Read the lines of a sheet: cut them, join those that are one order, and note what one may say of another."""

import re
from collections.abc import Sequence, Set
from itertools import chain, pairwise

from msgspec.structs import replace

from pipeline.board import Step, Unit
from pipeline.interpret import order_words
from pipeline.interpret.broken_words import with_stroke_inside
from pipeline.interpret.dittos import cut_lines
from pipeline.interpret.doubts import Doubt, LineDoubt
from pipeline.interpret.headings import with_headings
from pipeline.interpret.joined_lines import (
    as_one_order,
    both_in_doubt,
    is_tied,
    join_lines,
    may_be_goal_behind_a,
    may_go_on_below,
    with_sign_above,
)
from pipeline.interpret.line_reader import is_read
from pipeline.interpret.lines import read_line
from pipeline.interpret.readings import Sheet, unit_spoken_of
from pipeline.interpret.remarks import (
    may_be_about,
    with_note,
    with_remarks_on_all,
    with_remarks_on_rows,
    with_what_others_say,
)
from pipeline.interpret.silent_lines import find_silent_lines, nothing_on
from pipeline.interpret.told_kinds import told_kind, with_what_is_told
from pipeline.interpret.verdict import Entry, Line
from pipeline.interpret.who_and_when import is_for_another, may_be_name
from pipeline.interpret.winter_counts import due_of
from pipeline.interpret.written_words import PUTTING_ON, TAKING_OFF, fold_word


def read_lines(sheet: Sheet, lines: Sequence[Line]) -> tuple[Line, ...]:
    """Read all lines of a sheet in order, without blank ones."""
    lines = [_without_count_of_due(sheet, line) for line in _without_last_colon(sheet, lines)]
    told = {line.number: kind for line in lines if (kind := told_kind(sheet, line)) is not None}
    silent = [*find_silent_lines(sheet, lines), *(line for line in lines if line.number in told)]
    pieces = cut_lines(sheet, [line for line in lines if line not in silent])
    step = sheet.position.phase.step
    if step is Step.ADJUSTMENTS:
        pieces = list(with_sign_above(sheet.lexicon, pieces, due_of(sheet)))
    orders = [read_line(each.text, sheet.lexicon, step) for each in pieces]
    ordered = {
        unit_spoken_of(sheet, each.shape)
        for each in chain.from_iterable(orders)
        if not isinstance(each.shape, order_words.BareUnit)
    }
    joined, other_orders = join_lines(sheet, list(with_headings(sheet, pieces, orders)), ordered)
    written = _with_doubts_about_neighbours(sheet, joined, ordered)
    written = with_remarks_on_all(sheet, pieces, written)
    written = with_remarks_on_rows(sheet, pieces, other_orders, written)
    written = [with_stroke_inside(sheet, with_what_others_say(sheet, line, written)) for line in written]
    for line in (line for line in lines if line.number in told):
        written = [with_what_is_told(sheet, each, line, told[line.number]) for each in written]
    written += [replace(line, orders=(nothing_on(line.shown),)) for line in silent]
    return tuple(sorted(written, key=lambda each: each.number) if silent else written)


COUNT_OF_DUE = re.compile(  # "Builds (2)", "two builds due", "+2"
    r"\s*(?:(?P<word>[^\W\d]+)\s*\(?\s*(?P<behind>\d)\s*\)?|(?P<before>\d|one|two|three)\s+(?P<noun>[^\W\d]+)\s+due"
    r"|(?P<sign>[+-]\s*\d))\s*:?\s*"
)
NUMBERS = {"one": 1, "two": 2, "three": 3}


def _without_count_of_due(sheet: Sheet, line: Line) -> Line:
    """Leave out how many builds or disbands are due where a heading says it rightly."""
    count = COUNT_OF_DUE.fullmatch(line.text)
    if count is None or sheet.position.phase.step is not Step.ADJUSTMENTS:
        return line
    due = due_of(sheet)
    words, signed = (PUTTING_ON, "builds") if due > 0 else (TAKING_OFF, "removals")
    said, word = count["behind"] or count["before"] or "", count["word"] or count["noun"] or ""
    is_right = fold_word(word) in words and NUMBERS.get(said.lower(), said) in {abs(due), str(abs(due))}
    if count["sign"]:
        is_right, word = int(count["sign"].replace(" ", "")) == due, signed
    return replace(line, text=word) if is_right else line


def _without_last_colon(sheet: Sheet, lines: Sequence[Line]) -> Sequence[Line]:
    """Leave out a colon behind the last order of a sheet, "A Vie - Gal:": there is nothing below that it may head."""
    at = max((at for at, line in enumerate(lines) if line.text.strip()), default=0)
    text = lines[at].text.rstrip() if lines else ""
    if not text.endswith(":") or not text[:-1].strip():
        return lines
    orders = read_line(text[:-1], sheet.lexicon, sheet.position.phase.step)
    named = [isinstance(each.shape, order_words.Builds) or unit_spoken_of(sheet, each.shape) for each in orders]
    if not all(is_read(each.shape, sheet.lexicon) for each in orders) or not all(named):
        return lines
    return [*lines[:at], replace(lines[at], text=text[:-1]), *lines[at + 1 :]]


def _with_doubts_about_neighbours(sheet: Sheet, joined: Sequence[Line], ordered: Set[Unit | None]) -> list[Line]:
    """Read the orders of each line; note where two lines may be one order, or the lower one speaks of the upper."""
    is_winter = sheet.position.phase.step is Step.ADJUSTMENTS
    written = [replace(piece, orders=_orders_of(sheet, piece)) for piece in joined]
    for at, (above, below) in enumerate(pairwise(joined)):
        whole = as_one_order(sheet, above, below, ordered)
        if whole is not None and written[at + 1].orders:
            written[at : at + 2] = both_in_doubt(written[at], written[at + 1], whole)
        elif may_go_on_below(sheet, written[at], written[at + 1], ordered) or (
            not is_winter and may_be_goal_behind_a(sheet, written[at], written[at + 1])
        ):
            written[at : at + 2] = both_in_doubt(written[at], written[at + 1], None)
        elif may_be_about(sheet, written[at], written[at + 1], is_last=at + 2 == len(joined)):
            doubt = LineDoubt.of(Doubt.UNDER_HEADING, text=below.shown)
            first = at if may_be_name(below) and not is_for_another(sheet, below) else 0
            written[first : at + 1] = [with_note(each, doubt) for each in written[first : at + 1]]
    if is_winter:
        return written
    for at, other in [*enumerate(joined[1:]), *enumerate(joined[:-1], start=1)]:  # the line below, and the one above
        if is_tied(sheet, written[at], other):
            written[at] = with_note(written[at], LineDoubt.of(Doubt.OTHER_PART, text=other.shown))
    return written


def _orders_of(sheet: Sheet, piece: Line) -> tuple[Entry, ...]:
    """Read the orders of a line; a single one is shown as it is on the paper, dittos and all.

    Whether the words of another line spoil an order is not known: they are left open, and asked.
    """
    orders = read_line(piece.text, sheet.lexicon, sheet.position.phase.step)
    if piece.also:
        orders = tuple(replace(each, is_spoilt=False) for each in orders)
    if len(orders) != 1 or orders[0].text == piece.shown:
        return orders
    return (replace(orders[0], text=piece.shown),)

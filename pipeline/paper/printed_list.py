"""What hangs on a wall or lies on a table: lists of seats, tables of results, place cards, badges, and a text.

Letters are as large as the paper allows, so that several people read at once; no name is cut. The same content gives
the same bytes.
"""

import re
from collections.abc import Callable, Sequence
from io import BytesIO
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from pipeline.paper.lettering import (
    BOLD,
    REGULAR,
    draw_text,
    new_canvas,
    paper_points,
    width_in_points,
    wrap_text,
)
from pipeline.paper.wall_page import WallChart, WallColumn, WallPage, WallRow
from pipeline.words.speech import Speech

MARGIN = 14 * float(mm)
GREY, PALE, HAIR = 0.35, 0.9, 0.75  # of words, of the ground of a first place, of the line below a row


def _fit(text: str, font: str, size: float, wide: float) -> float:
    """The size at which a text fits into a width, at most ``size``."""
    width = width_in_points(text, font, size)
    return size if width <= wide else size * wide / width


# The seats of a round to hang up: by board, and by player, in two columns or one.

LARGEST, SMALLEST = 26.0, 9.0  # points of a line
SEAT_GAP = 1.2  # between the two parts of a line and between columns, in sizes of its letters
LEADING = 1.5


class SeatBlock(Struct, frozen=True):
    """Lines that stay together, such as a board; each line has a left part and a right part."""

    heading: str
    lines: tuple[tuple[str, str], ...]


class SeatPart(Struct, frozen=True):
    """What begins on a page of its own: the seats by board, the seats by player."""

    title: str
    blocks: tuple[SeatBlock, ...]


class _Columns(Struct, frozen=True):
    """How the lines of a part are set."""

    count: int
    size: float  # points
    wide: float  # of a column
    for_left: float  # of the left parts


def print_seats(parts: Sequence[SeatPart], paper: str, title: str, language: str) -> bytes:
    """Print all parts. ``title`` is the file's."""
    file = BytesIO()
    canvas = new_canvas(file, paper_points(paper), title, language)
    for part in parts:
        _fill_columns(canvas, part, *paper_points(paper))
    canvas.save()
    return file.getvalue()


def _fill_columns(canvas: Canvas, part: SeatPart, width: float, height: float) -> None:
    """Fill columns from the top, page after page."""
    set_as = _set_columns(part, width, height)
    leading = set_as.size * LEADING
    top = _write_title(canvas, part.title, width, height)
    column, y = 0, top
    for block in part.blocks:
        tall = leading * (len(block.lines) + 1.5 * bool(block.heading))
        if y - tall < MARGIN and y < top:
            column, y = column + 1, top
            if column == set_as.count:
                canvas.showPage()
                column, y = 0, _write_title(canvas, part.title, width, height)
        left = MARGIN + column * (set_as.wide + SEAT_GAP * set_as.size)
        if block.heading:
            y -= leading
            draw_text(canvas, left, y, block.heading, BOLD, _fit(block.heading, BOLD, set_as.size, set_as.wide))
        for name, where in block.lines:
            y -= leading
            _write_seat_line(canvas, (left, y), (name, where), set_as)
        y -= leading / 2 if block.heading else 0
    canvas.showPage()


def _set_columns(part: SeatPart, width: float, height: float) -> _Columns:
    """The largest letters at which all stands on one page; where they are too small, more pages."""
    lines = [each for block in part.blocks for each in block.lines]
    first, second = (
        max((width_in_points(texts[side], font, 1.0) for texts in lines), default=0.0)
        for side, font in enumerate((REGULAR, BOLD))
    )
    room = height - 2 * MARGIN - 3 * LARGEST
    tall = [LEADING * (len(block.lines) + 1.5 * bool(block.heading)) for block in part.blocks]
    best = _Columns(1, 0.0, 0.0, 0.0)
    for count in (1, 2):
        widest = (width - 2 * MARGIN) / (count * (first + second + SEAT_GAP) + (count - 1) * SEAT_GAP)
        size = min(LARGEST, widest)
        while size > SMALLEST and _columns_needed(tall, room / size) > count:
            size -= 0.5
        wide = (width - 2 * MARGIN - (count - 1) * SEAT_GAP * size) / count
        if size > best.size:
            best = _Columns(count, size, wide, first * size)
    return best


def _columns_needed(tall: Sequence[float], room: float) -> int:
    """How many columns blocks fill, each block in one column."""
    count, used = 1, 0.0
    for each in tall:
        if used and used + each > room:
            count, used = count + 1, 0.0
        used += each
    return count


def _write_title(canvas: Canvas, title: str, width: float, height: float, subtitle: str = "") -> float:
    """Write the head of a page; returns where the first line may begin."""
    wide = width - 2 * MARGIN
    draw_text(canvas, MARGIN, height - MARGIN - LARGEST, title, BOLD, _fit(title, BOLD, LARGEST, wide))
    if subtitle:
        size = _fit(subtitle, REGULAR, 13.0, wide)
        canvas.setFillGray(GREY)
        draw_text(canvas, MARGIN, height - MARGIN - LARGEST - 18, subtitle, REGULAR, size)
        canvas.setFillGray(0)
    return height - MARGIN - 1.6 * LARGEST - (16 if subtitle else 0)


def _write_seat_line(canvas: Canvas, at: tuple[float, float], words: tuple[str, str], set_as: _Columns) -> None:
    """Write one line of a list of seats; all right parts begin where the longest left part ends."""
    (left, y), size = at, set_as.size
    canvas.setStrokeGray(HAIR)
    canvas.line(left, y - 0.35 * size, left + set_as.wide, y - 0.35 * size)
    draw_text(canvas, left, y, words[0], REGULAR, size)
    draw_text(canvas, left + set_as.for_left + SEAT_GAP * size, y, words[1], BOLD, size)


# Tables of results.

TABLE_LARGEST, TABLE_SMALLEST, WORTH_A_PAGE = 22.0, 8.0, 0.7  # points; how much smaller letters may be to save a page
CELL_GAP = 0.9  # between two columns, in sizes of the letters
ROW, NEXT_LINE = 1.55, 1.2  # from row to row, and from line to line in a row, in sizes of the letters
LEAST_LONG, MOST_LONG = 14.0, 34.0  # width of a column that is broken into lines, in sizes of the letters
NOTE_PT = 9.0
FOOT_PT = 8.0


class _SetTable(Struct, frozen=True):
    """How a table is set on its pages."""

    size: float  # of its letters, in points
    widths: tuple[float, ...]  # of its columns, in points, without the gap behind each
    paper: tuple[float, float]  # width and height


def print_wall(pages: Sequence[WallPage], paper: str, title: str, speech: Speech) -> bytes:
    """Print tables to hang up, each on pages of its own; ``title`` is the event's, and the file's."""
    file = BytesIO()
    canvas = new_canvas(file, paper_points(paper), title, speech.code)

    def end_page(width: float) -> None:
        number = speech.says("page {number}", number=canvas.getPageNumber())
        canvas.setFillGray(GREY)
        draw_text(canvas, MARGIN, MARGIN / 2, title, REGULAR, FOOT_PT)
        draw_text(canvas, width - MARGIN, MARGIN / 2, number, REGULAR, FOOT_PT, 1.0)
        canvas.showPage()

    for page in pages:
        for part, table in _set_parts(page, paper):
            _print_table(canvas, part, table, end_page)
        if page.chart and page.chart.lines:
            _print_chart(canvas, page, page.chart, paper_points(paper, is_landscape=True))
            end_page(paper_points(paper, is_landscape=True)[0])
    canvas.save()
    return file.getvalue()


def _set_parts(page: WallPage, paper: str) -> list[tuple[WallPage, _SetTable]]:
    """Set a table upright or across, whichever has larger letters; if it is too wide for both, in several parts."""
    ways = [_set_table(page, paper_points(paper, is_landscape=is_landscape)) for is_landscape in (False, True)]
    best = max(ways, key=lambda table: table.size)
    others = [n for n, column in enumerate(page.columns) if not column.is_key]
    if best.size >= TABLE_SMALLEST or len(others) == 1:
        return [(page, best)]
    half = (len(others) + 1) // 2
    parts = (_with_columns(page, others[:half]), _with_columns(page, others[half:]))
    return [each for part in parts for each in _set_parts(part, paper)]


def _with_columns(page: WallPage, places: Sequence[int]) -> WallPage:
    """A page with its key columns and some of the others."""
    kept = [n for n, column in enumerate(page.columns) if column.is_key or n in places]
    rows = tuple(row if row.is_heading else replace(row, cells=tuple(row.cells[n] for n in kept)) for row in page.rows)
    return replace(page, columns=tuple(page.columns[n] for n in kept), rows=rows)


def _font_of(column: WallColumn) -> str:
    return BOLD if column.is_key else REGULAR


def _set_table(page: WallPage, paper: tuple[float, float]) -> _SetTable:
    """Set a table on a paper: as large as its widths allow, a little smaller where that saves a page."""
    room = paper[0] - 2 * MARGIN
    rows = [row for row in page.rows if not row.is_heading]
    natural = [
        max(
            width_in_points(column.head, BOLD, 1.0),
            *(width_in_points(line, _font_of(column), 1.0) for row in rows for line in row.cells[n].split("\n")),
            1.0,
        )
        for n, column in enumerate(page.columns)
    ]
    most = [min(wide, MOST_LONG) if c.is_long else wide for wide, c in zip(natural, page.columns, strict=True)]
    least = [min(wide, LEAST_LONG) if c.is_long else wide for wide, c in zip(natural, page.columns, strict=True)]
    gaps = CELL_GAP * (len(most) - 1)
    size = min(TABLE_LARGEST, room / (sum(least) + gaps))

    def widths_at(size: float) -> tuple[float, ...]:
        spare = room / size - gaps - sum(least)
        wanted = sum(most) - sum(least)
        share = min(1.0, spare / wanted) if wanted else 0.0
        rest = max(0.0, spare - wanted) / len(most)  # the lines below the rows go across the page
        return tuple(size * (low + share * (high - low) + rest) for low, high in zip(least, most, strict=True))

    def pages_at(size: float) -> int:
        return _pages_needed(page, _SetTable(size, widths_at(size), paper))

    needed = pages_at(size)
    for smaller in (size * step / 20 for step in range(20, round(20 * WORTH_A_PAGE) - 1, -1)):
        if smaller >= TABLE_SMALLEST and pages_at(smaller) < needed:
            size, needed = smaller, pages_at(smaller)
    return _SetTable(size, widths_at(size), paper)


def _lines_of(page: WallPage, row: WallRow, table: _SetTable) -> list[list[str]]:
    """The cells of a row in lines."""
    if row.is_heading:
        return [[row.cells[0]]]
    return [
        [
            line
            for part in text.split("\n")
            for line in (wrap_text(part, width + 0.1, lambda line: width_in_points(line, REGULAR, table.size)))
        ]
        if column.is_long
        else [text]
        for text, column, width in zip(row.cells, page.columns, table.widths, strict=True)
    ]


def _height_of(page: WallPage, row: WallRow, table: _SetTable) -> float:
    lines = max(len(each) for each in _lines_of(page, row, table))
    return table.size * (ROW + NEXT_LINE * (lines - 1))


def _room_for_rows(table: _SetTable) -> float:
    return table.paper[1] - 2 * MARGIN - 1.6 * LARGEST - 16 - table.size * (ROW + 0.5)


def _pages_needed(page: WallPage, table: _SetTable) -> int:
    count, used, room = 1, 0.0, _room_for_rows(table)
    for tall in (*(_height_of(page, row, table) for row in page.rows), NOTE_PT * NEXT_LINE * len(page.notes)):
        if used and used + tall > room:
            count, used = count + 1, 0.0
        used += tall
    return count


def _print_table(canvas: Canvas, page: WallPage, table: _SetTable, end_page: Callable[[float], None]) -> None:
    """Print a table, its head on every page, and its notes below."""
    width, height = table.paper
    y = _write_table_head(canvas, page, table)
    for row in page.rows:
        tall = _height_of(page, row, table)
        if y - tall < MARGIN:
            end_page(width)
            y = _write_table_head(canvas, page, table)
        if row.is_first:
            canvas.setFillGray(PALE)
            canvas.rect(MARGIN, y - tall, width - 2 * MARGIN, tall, stroke=0, fill=1)
        y -= table.size * 1.1
        _write_row(canvas, page, _lines_of(page, row, table), table, y, is_bold=row.is_heading)
        y -= tall - table.size * 1.1
        canvas.setStrokeGray(HAIR)
        canvas.line(MARGIN, y, width - MARGIN, y)
    canvas.setFillGray(GREY)
    lines = [
        line
        for note in page.notes
        for line in wrap_text(note, width - 2 * MARGIN, lambda line: width_in_points(line, REGULAR, NOTE_PT))
    ]
    for line in lines:
        if y - NOTE_PT * NEXT_LINE < MARGIN * 0.75:
            end_page(width)
            y = height - MARGIN
            canvas.setFillGray(GREY)
        y -= NOTE_PT * NEXT_LINE
        draw_text(canvas, MARGIN, y, line, REGULAR, NOTE_PT)
    end_page(width)


def _write_table_head(canvas: Canvas, page: WallPage, table: _SetTable) -> float:
    canvas.setPageSize(table.paper)
    y = _write_title(canvas, page.title, *table.paper, page.subtitle) - 1.3 * table.size
    _write_row(canvas, page, [[column.head] for column in page.columns], table, y, is_bold=True)
    canvas.line(MARGIN, y - 0.4 * table.size, table.paper[0] - MARGIN, y - 0.4 * table.size)
    return y - 0.4 * table.size


def _write_row(
    canvas: Canvas, page: WallPage, cells: Sequence[Sequence[str]], table: _SetTable, y: float, *, is_bold: bool
) -> None:
    """Write the cells of a row, the first line of each at ``y``."""
    canvas.setFillGray(0)
    left = MARGIN
    for column, lines, width in zip(page.columns, cells, table.widths, strict=False):
        font = BOLD if is_bold else _font_of(column)
        for number, line in enumerate(lines):
            base = y - number * NEXT_LINE * table.size
            x = left + width if column.is_number else left
            draw_text(canvas, x, base, line, font, table.size, 1.0 if column.is_number else 0.0)
        left += width + CELL_GAP * table.size


# A chart of lines, with the names at their ends.

LINE_COLOURS = ("1F77B4", "D62728", "2CA02C", "FF7F0E", "9467BD", "8C564B", "17BECF", "7F7F7F")  # as in the workbook
CHART_PT, LINE_WIDTH, DOT = 13.0, 2.5, 3.5


def _print_chart(canvas: Canvas, page: WallPage, chart: WallChart, paper: tuple[float, float]) -> None:
    """Print lines from the left to the right; names that would stand on each other are moved apart."""
    canvas.setPageSize(paper)
    width, height = paper
    top = _write_title(canvas, page.title, width, height, page.subtitle) - CHART_PT
    low, left = MARGIN + 3 * CHART_PT, MARGIN + 4 * CHART_PT
    names = max(width_in_points(line.name, BOLD, CHART_PT) for line in chart.lines)
    right = width - MARGIN - names - 2 * CHART_PT
    most = max((value for line in chart.lines for value in line.values), default=1.0) or 1.0
    step = (right - left) / max(len(chart.steps) - 1, 1)

    def place(nth: int, value: float) -> tuple[float, float]:
        return left + nth * step, low + (top - low) * max(value, 0.0) / most

    canvas.setStrokeGray(HAIR)
    for part in range(5):
        y = low + (top - low) * part / 4
        canvas.line(left, y, right, y)
        draw_text(canvas, left - CHART_PT, y - 4, f"{most * part / 4:.0f}", REGULAR, CHART_PT - 2, 1.0)
    for nth, word in enumerate(chart.steps):
        draw_text(canvas, left + nth * step, low - 1.5 * CHART_PT, word, REGULAR, CHART_PT, 0.5)
    ends = sorted(
        ((place(len(line.values) - 1, line.values[-1]), n) for n, line in enumerate(chart.lines) if line.values),
        key=lambda end: -end[0][1],
    )
    above, apart = top + 2 * CHART_PT, 1.25 * CHART_PT
    for below, ((x, y), n) in zip(range(len(ends) - 1, -1, -1), ends, strict=True):
        line = chart.lines[n]
        canvas.setStrokeColor(f"#{LINE_COLOURS[n % len(LINE_COLOURS)]}")
        canvas.setFillColor(f"#{LINE_COLOURS[n % len(LINE_COLOURS)]}")
        canvas.setLineWidth(LINE_WIDTH)
        spots = [place(nth, value) for nth, value in enumerate(line.values)]
        for before, after in pairwise(spots):
            canvas.line(*before, *after)
        for spot in spots:
            canvas.circle(*spot, DOT, stroke=0, fill=1)
        above = max(min(y, above - apart), low + below * apart)  # the names below it have room on the page
        draw_text(canvas, max(x, right) + CHART_PT, above - 4, line.name, BOLD, CHART_PT)


# Cards and badges, to be cut, and a text to hang up.

BADGE_MM = (90.0, 54.0)  # as badge holders take them
CUT_MM = 4.0
NOTICE_LARGEST = 120.0  # points


class SignCard(Struct, frozen=True):
    """What stands on a place card or a badge: a name, and a line above and below it."""

    name: str
    above: str = ""
    below: str = ""


def print_place_cards(cards: Sequence[SignCard], paper: str, title: str, language: str) -> bytes:
    """Print cards that stand on a table: two on a page, each folded in its middle, so that both sides show the name."""
    file, (width, height) = BytesIO(), paper_points(paper)
    canvas = new_canvas(file, (width, height), title, language)
    for number, card in enumerate(cards):
        low = height / 2 * (1 - number % 2)
        _write_card(canvas, card, (0.0, low, width, height / 4))
        canvas.saveState()
        canvas.translate(width, low + height / 2)
        canvas.rotate(180)
        _write_card(canvas, card, (0.0, 0.0, width, height / 4))
        canvas.restoreState()
        for y in (low + height / 4, low + height / 2):  # where it is folded, and where the page is cut
            _mark_edges(canvas, y, width)
        if number % 2:
            canvas.showPage()
    canvas.save()
    return file.getvalue()


def _mark_edges(canvas: Canvas, y: float, width: float) -> None:
    canvas.setStrokeGray(GREY)
    for x in (0.0, width - CUT_MM * float(mm)):
        canvas.line(x, y, x + CUT_MM * float(mm), y)


def print_badges(cards: Sequence[SignCard], paper: str, title: str, language: str) -> bytes:
    """Print badges side by side, with thin lines to cut along."""
    file, (width, height) = BytesIO(), paper_points(paper)
    canvas = new_canvas(file, (width, height), title, language)
    wide, tall = (side * float(mm) for side in BADGE_MM)
    columns, rows = max(1, int(width // wide)), max(1, int(height // tall))
    left, top = (width - columns * wide) / 2, height - (height - rows * tall) / 2
    for number, card in enumerate(cards):
        place = number % (columns * rows)
        if number and not place:
            canvas.showPage()
        x, y = left + place % columns * wide, top - (place // columns + 1) * tall
        canvas.setStrokeGray(HAIR)
        canvas.rect(x, y, wide, tall)
        _write_card(canvas, card, (x, y, wide, tall))
    canvas.save()
    return file.getvalue()


def _write_card(canvas: Canvas, card: SignCard, box: tuple[float, float, float, float]) -> None:
    """Write a card into a box (left, low, width, height), the name as large as it fits on one line or two."""
    left, low, width, height = box
    room = width * 0.88
    small = min(height * 0.11, 22.0)
    sizes = [
        (min(height * 0.5 / len(lines), *(_fit(line, BOLD, 100.0, room) for line in lines)) * worth, worth, lines)
        for lines, worth in (([card.name], 1.0), (_in_two(card.name, " "), 1.0), (_in_two(card.name, HYPHEN), UNLIKED))
    ]
    size, worth, lines = max(sizes)
    size /= worth
    middle = left + width / 2
    y = low + height / 2 + size * (0.5 * len(lines) - 0.85)
    for line in lines:
        draw_text(canvas, middle, y, line, BOLD, size, 0.5)
        y -= size
    canvas.setFillGray(GREY)
    draw_text(
        canvas, middle, low + height - 1.6 * small, card.above, REGULAR, _fit(card.above, REGULAR, small, room), 0.5
    )
    draw_text(canvas, middle, low + small, card.below, REGULAR, _fit(card.below, REGULAR, small, room), 0.5)
    canvas.setFillGray(0)


HYPHEN = r" |(?<=\w-)(?=\w)"
UNLIKED = 0.75  # of the size: a name is parted behind a hyphen where it gets a third larger by that


def _in_two(name: str, between: str) -> list[str]:
    """A name on two lines, as equal as the places allow where it may be parted.

    >>> _in_two("Maximilian-Alexander Bartholomew Ek", " "), _in_two("Bo", " ")
    (['Maximilian-Alexander', 'Bartholomew Ek'], ['Bo'])
    >>> _in_two("Jo Wisniewska-Brzeczyszczykiewicz", HYPHEN)
    ['Jo Wisniewska-', 'Brzeczyszczykiewicz']
    """
    cuts = [[name[: gap.start()], name[gap.end() :]] for gap in re.finditer(between, name)]
    return min(cuts, key=lambda lines: max(map(len, lines)), default=[name])


def print_notice(text: str, paper: str, title: str, language: str) -> bytes:
    """Print a text as large as a page across holds it."""
    file, (width, height) = BytesIO(), paper_points(paper, is_landscape=True)
    canvas = new_canvas(file, (width, height), title, language)
    size = NOTICE_LARGEST
    while True:
        lines = wrap_text(text, width - 2 * MARGIN, lambda line: width_in_points(line, BOLD, size))  # noqa: B023
        widest = max(width_in_points(line, BOLD, size) for line in lines)
        if (widest <= width - 2 * MARGIN and len(lines) * size * NEXT_LINE <= height - 2 * MARGIN) or size <= FOOT_PT:
            break
        size *= 0.95
    y = height / 2 + size * (NEXT_LINE * len(lines) / 2 - 0.95)
    for line in lines:
        draw_text(canvas, width / 2, y, line, BOLD, size, 0.5)
        y -= size * NEXT_LINE
    canvas.save()
    return file.getvalue()

"""The Review sheet: one line for everything that waits for the director, with its picture and yellow cells to fill."""

from collections import Counter
from collections.abc import Sequence
from io import BytesIO
from math import ceil

from msgspec import Struct
from openpyxl import Workbook
from openpyxl.drawing.image import Image
from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, OneCellAnchor
from openpyxl.drawing.xdr import XDRPositiveSize2D

from pipeline.problems import Problem, stop
from pipeline.words.speech import write_count
from pipeline.workbook import page as xl
from pipeline.workbook.package import SheetList, frame, open_book, save, with_rows

SHEET = "Review"
COLUMNS = (  # heading, width in characters
    ("Board", 6),
    ("Phase", 8),
    ("Power", 9),
    ("Line", 6),
    ("Picture", 76),
    ("Read", 20),
    ("Doubt", 13),
    ("Reason", 26),
    ("Rule", 9),
    ("By the rule", 12),
    ("It may be", 30),
    ("Decision", 15),
    ("Text", 17),
    ("Order", 15),
    ("Why", 15),
    ("Mark", 12),
)
AT = {head: column for column, (head, _) in enumerate(COLUMNS, start=1)}
FIRST_CHOICE = len(COLUMNS) + 1  # the words of the drop-down stand beside their line, in hidden columns
HEAD_ROW = 5
FIRST_ROW = HEAD_ROW + 1
ZOOM = 70  # per cent: a whole line, from its picture to its yellow cells, on a screen of 1366 pixels
LINE_POINTS = 15  # one line of text
PIXELS_A_CHARACTER, PIXELS_A_CELL = 7, 5  # Calibri 11: a column is so wide for each character, and for its edges
HIGHEST = 409  # points, the format's limit for a row
EMU_A_PIXEL = 9525  # the format's own unit
POINTS_A_PIXEL = 0.75  # 96 pixels an inch, 72 points an inch
TALLEST = 180  # pixels: a picture of something else than a row does not push the next line off the screen

WORDS = xl.TEXT.but(wrap=True)
MIDDLE = WORDS.but(align="center")
INK = WORDS.but(size=12)
FREE = xl.ENTRY.but(form="@", wrap=True)  # as text: what is typed is neither a formula nor a date
LOCKED = xl.QUIET.but(line="tblr", fill=xl.PALE)
LOOKS = (*([MIDDLE] * 4), xl.QUIET, INK, WORDS, WORDS, WORDS, INK, WORDS)  # of the columns before Decision
HELP = (
    "Fill one yellow cell in a line: Decision (a list), or Text (what the ink says; the rules judge it),"
    " or Order (what stands, such as F EDI - NWG; several separated by ;). Why may stay empty.",
    "A line that is left empty stays open. An order that is not possible there is taken only with a Why."
    " What is published is corrected on the page Correct, or with 'ordersheets correct'.",
)


class ReviewLine(Struct, frozen=True, kw_only=True):
    """One line of the sheet: a doubt in words, and what may be answered."""

    mark: str  # names what was shown; a decision on anything else is refused
    board: str
    phase: str
    power: str
    line: str
    picture: bytes | None  # PNG
    read: str
    doubt: str
    reason: str
    rule: str
    by_rule: str
    may_be: str
    choices: tuple[str, ...]  # the drop-down
    takes_text: bool
    takes_order: bool

    @property
    def texts(self) -> tuple[str, ...]:
        """What stands in the columns before Decision."""
        picture = "" if self.picture else "no picture"
        where = (self.board, self.phase, self.power, self.line)
        return (*where, picture, self.read, self.doubt, self.reason, self.rule, self.by_rule, self.may_be)


def write_review(asked: Sequence[ReviewLine], *, title: str, how: str, paper: str) -> tuple[bytes, tuple[Problem, ...]]:
    """Make the workbook; returns its bytes, and what no cell can hold. ``how`` says how to read it in again."""
    losses = xl.Losses()
    page = xl.Page(SHEET, losses, landscape=True, freeze=xl.at(FIRST_ROW, 1), repeat=f"{HEAD_ROW}:{HEAD_ROW}")
    page.widths = {AT[head]: width for head, width in COLUMNS}
    page.put(1, 1, f"Review: {title}", xl.TITLE)
    for row, text in enumerate((*HELP, how), start=2):
        page.put(row, 1, text, xl.SUBTITLE)
    for head, column in AT.items():
        page.put(HEAD_ROW, column, head, xl.HEAD_LEFT if head in ("Read", "Reason") else xl.HEAD)
    pictures = [_fill_line(page, row, one) for row, one in enumerate(asked, start=FIRST_ROW)]
    last = HEAD_ROW + max(1, len(asked))
    page.area = f"A1:{xl.at(last, AT['Why'])}"
    first, end = xl.letter(AT["Decision"]), xl.letter(AT["Order"])
    filled = f"COUNTA(${first}{FIRST_ROW}:${end}{FIRST_ROW})"
    page.mark(f"A{FIRST_ROW}:{xl.at(last, AT['Line'])}", f"{filled}=1", fill=xl.GREEN)
    page.mark(f"{first}{FIRST_ROW}:{end}{last}", f"{filled}>1", fill=xl.RED)
    return _save(page, [picture for picture in pictures if picture], title, asked, paper), tuple(losses.found)


def _fill_line(page: xl.Page, row: int, asked: ReviewLine) -> Image | None:
    """Fill one line; returns its picture, ready to be laid on the sheet."""
    for column, (text, look) in enumerate(zip(asked.texts, LOOKS, strict=True), start=1):
        page.put(row, column, text, look)
    page.put(row, AT["Decision"], None, FREE)
    page.put(row, AT["Text"], None, FREE if asked.takes_text else LOCKED)
    page.put(row, AT["Order"], None, FREE if asked.takes_order else LOCKED)
    page.put(row, AT["Why"], None, FREE)
    page.put(row, AT["Mark"], asked.mark, xl.QUIET)
    page.row(row, FIRST_CHOICE, asked.choices, xl.QUIET)
    source = f"{xl.fixed_cell(row, FIRST_CHOICE)}:{xl.fixed_cell(row, FIRST_CHOICE + len(asked.choices) - 1)}"
    message = "take one from the list; an order that is not in it goes into Order, what is written into Text"
    page.allow_list([xl.at(row, AT["Decision"])], source, "Not in the list", message)
    picture = _fit_picture(asked.picture, row) if asked.picture else None
    tall = picture.height * POINTS_A_PIXEL + 6 if picture else 0
    page.heights[row] = min(HIGHEST, max(tall, LINE_POINTS * _longest(asked) + 8))
    return picture


def _longest(asked: ReviewLine) -> int:
    """How many lines of text the fullest cell needs."""

    def lines(text: str, width: float) -> int:
        return sum(max(1, ceil(len(part) * 1.15 / width)) for part in text.split("\n"))

    return max(lines(text, width) for text, (_, width) in zip(asked.texts, COLUMNS, strict=False))


def _fit_picture(png: bytes, row: int) -> Image:
    """A picture at the top left of its cell, as wide as the column, or narrower where it would be too tall."""
    picture = Image(BytesIO(png))
    wide = COLUMNS[AT["Picture"] - 1][1] * PIXELS_A_CHARACTER + PIXELS_A_CELL - 6
    shrink = min(wide / picture.width, TALLEST / picture.height)
    picture.width, picture.height = round(picture.width * shrink), round(picture.height * shrink)
    edge = 3 * EMU_A_PIXEL
    corner = AnchorMarker(col=AT["Picture"] - 1, colOff=edge, row=row - 1, rowOff=edge)
    size = XDRPositiveSize2D(picture.width * EMU_A_PIXEL, picture.height * EMU_A_PIXEL)
    picture.anchor = OneCellAnchor(_from=corner, ext=size)
    return picture


def _save(page: xl.Page, pictures: Sequence[Image], title: str, asked: Sequence[ReviewLine], paper: str) -> bytes:
    """Frame the sheet, lay the pictures on it, and hide the columns that only the program reads."""
    book = Workbook()
    book.remove(book.worksheets[0])
    book.properties.creator = "ordersheets"
    styles: dict[xl.Look, int] = {}
    frame(book, page, title, styles, paper)
    sheet = book[page.title]
    for picture in pictures:
        sheet.add_image(picture)
    sheet.sheet_view.zoomScale = ZOOM
    for column in range(AT["Mark"], FIRST_CHOICE + max((len(one.choices) for one in asked), default=0)):
        sheet.column_dimensions[xl.letter(column)].hidden = True
    return with_rows(save(book), [page], styles)


# What a director filled in on a Review sheet: every line with something in it, all faults at once.

INPUTS = ("decision", "text", "order")
HEADS = (*INPUTS, "why", "mark")


class Filled(Struct, frozen=True, kw_only=True):
    """One line that was filled in: exactly one of decision, text and order is not empty."""

    row: int
    where: str  # the cell of the input, "Review!L7"
    mark: str
    decision: str = ""
    text: str = ""
    order: str = ""
    why: str = ""


def read_review(data: bytes, where: str) -> tuple[tuple[Filled, ...], list[Problem]]:
    """Read the lines that are filled in, and the faults of those that are refused.

    Formulas, two inputs in one line and lost marks are refused, line by line.
    """
    book = open_book(data, where)
    sheet_list = SheetList.find(book[SHEET], HEADS) if SHEET in book.sheetnames else None
    if sheet_list is None:
        raise stop(f"no sheet {SHEET!r} with the columns Decision, Text, Order; write one with 'review --xlsx'", where)
    lines = [line for row in sheet_list.rows(*INPUTS, "why") if (line := _read_line(sheet_list, row)) is not None]
    often = Counter(line.mark for line in lines)
    once = tuple(line for line in lines if often[line.mark] == 1)
    for line in lines:
        if often[line.mark] > 1:
            sheet_list.fault(
                line.row, "mark", f"this line stands {write_count(often[line.mark], 'time')}; leave one of them"
            )
    return once, sheet_list.problems


def _read_line(sheet_list: SheetList, row: int) -> Filled | None:
    """Read one line; nothing where it is empty or has faults."""
    before = len(sheet_list.problems)
    given = {head: " ".join(sheet_list.text(row, head).split()) for head in HEADS}
    inputs = {head: given[head] for head in INPUTS if given[head]}
    if len(sheet_list.problems) > before:
        return None
    if not inputs:
        if given["why"]:
            sheet_list.fault(row, "why", "a why without a decision; fill Decision, Text or Order, or empty it")
        return None
    head = next(iter(inputs))
    if len(inputs) > 1:
        wanted = " and ".join(f"{each.capitalize()} {text!r}" for each, text in inputs.items())
        sheet_list.fault(row, head, f"{wanted} in one line; leave one of them")
    elif not given["mark"]:
        sheet_list.fault(row, head, "the hidden mark of this line is lost; write a new sheet and decide there")
    else:
        return Filled(row=row, where=sheet_list.where(row, head), mark=given["mark"], why=given["why"], **inputs)
    return None

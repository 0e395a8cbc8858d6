"""One sheet while it is being made: where a cell is, what stands in it with which look, and everything around it."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from string import Formatter
from textwrap import wrap

from msgspec import Struct, field
from msgspec.structs import replace
from openpyxl.cell import Cell
from openpyxl.chart import BarChart, LineChart
from openpyxl.formatting.rule import Rule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from pipeline.board import Power
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.words.speech import IN_ENGLISH, Speech, Worded, to_say, wording, write_count

letter = get_column_letter  # of a column; 1 is A


def at(row: int, column: int) -> str:
    """Name a cell that moves when its formula is copied: ``C5``."""
    return f"{letter(column)}{row}"


def fixed_cell(row: int, column: int) -> str:
    """Name a cell that does not move: ``$C$5``."""
    return f"${letter(column)}${row}"


def across(row: int, first: int, last: int) -> str:
    """Name the cells of one row: ``C5:G5``."""
    return f"{at(row, first)}:{at(row, last)}"


@lru_cache(maxsize=4096)
def column_range(column: int, first: int, last: int) -> str:
    """Name the cells of one column, fixed: ``$C$5:$C$11``."""
    return f"{fixed_cell(first, column)}:{fixed_cell(last, column)}"


@lru_cache(maxsize=4096)
def _column_elsewhere(sheet: str, column: int, first: int, last: int) -> str:
    """Name the cells of one column as other sheets do: ``Results!$C$5:$C$11``."""
    return f"{quote_sheet(sheet)}!{column_range(column, first, last)}"


class BookColumn(Struct, frozen=True):
    """One column of a list on a sheet: its whole range, and its cell in one row."""

    sheet: str  # the fixed ASCII title, which never needs quotes
    number: int  # 1 is A
    first: int  # row
    last: int  # row

    @property
    def here(self) -> str:
        """The range as formulas on the same sheet name it."""
        return column_range(self.number, self.first, self.last)

    @property
    def there(self) -> str:
        """The range as formulas on other sheets name it.

        >>> BookColumn("Results", 3, 5, 11).there
        'Results!$C$5:$C$11'
        """
        return _column_elsewhere(self.sheet, self.number, self.first, self.last)

    def cell(self, row: int) -> str:
        """The cell in one row, on the same sheet; the column is fixed."""
        return f"${letter(self.number)}{row}"

    def far(self, row: int) -> str:
        """The cell in one row, as formulas on other sheets name it."""
        return f"{quote_sheet(self.sheet)}!{self.cell(row)}"

    def rows(self, first: int, last: int) -> str:
        """Some rows of the column, on the same sheet."""
        return column_range(self.number, first, last)


@cache
def quote_sheet(sheet: str) -> str:
    """Quote a sheet title where a formula needs it.

    >>> quote_sheet("Results"), quote_sheet("Best powers")
    ('Results', "'Best powers'")
    """
    return sheet if sheet.isalnum() else f"'{sheet}'"


# Pieces of formulas that spreadsheet programs of the last twenty years compute: no dynamic arrays, no XLOOKUP.
#
# Numbers that decide a place are compared when they are rounded to nine decimals: binary fractions of equal scores may
# differ in the fifteenth digit, and a tie decided by that would be a scandal.

KEY_DECIMALS = 9


def literal(number: int | Fraction) -> str:
    """Write a number into a formula.

    >>> literal(Fraction(1, 2)), literal(Fraction(1, 3)), literal(4)
    ('0.5', '(1/3)', '4')
    """
    number = Fraction(number)
    if number.denominator == 1:
        return str(number.numerator)
    short = repr(float(number))
    return short if Fraction(short) == number else f"({number.numerator}/{number.denominator})"


def key(formula: str) -> str:
    """Round what is compared."""
    return f"ROUND({formula},{KEY_DECIMALS})"


def sum_terms(terms: Sequence[str]) -> str:
    """Add terms up; nothing is 0."""
    return "+".join(terms) or "0"


LONGEST_QUOTE = 255  # characters between quotes in a formula, Excel's own limit


def quote_text(text: str) -> str:
    """Write text into a formula; a long one in pieces.

    >>> print(quote_text('the "top" board'))
    "the ""top"" board"
    >>> quote_text("a" * 256).count("&")
    1
    """
    pieces = [text[start : start + LONGEST_QUOTE] for start in range(0, len(text), LONGEST_QUOTE)] or [""]
    quoted = "&".join('"' + piece.replace('"', '""') + '"' for piece in pieces)
    return quoted if len(pieces) == 1 else f"({quoted})"


def write_sentence(speech: Speech, pattern: str, /, **formulas: str) -> str:
    """Write a sentence of one language as a formula: its words in quotes, and in its places what formulas give.

    >>> write_sentence(IN_ENGLISH, "{place} of {count}", place="A1", count="B1")
    'A1&" of "&B1'
    """
    pieces = []
    for words, name, _, _ in Formatter().parse(speech.says(pattern)):
        pieces += [quote_text(words)] if words else []
        pieces += [formulas[name]] if name else []
    return "&".join(pieces)


SHOWN = 3  # names of those who share an award
AND_MORE = to_say(" and {count} more")


def join_names(names: Sequence[str], speech: Speech) -> str:
    """Join the first names, and say how many more there are.

    >>> join_names(["Ana", "Bo", "Cy", "Di"], IN_ENGLISH)
    'Ana, Bo, Cy and 1 more'
    """
    more = speech.says(AND_MORE, count=len(names) - SHOWN) if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def as_shown(number: str, decimals: int) -> str:
    """Write a number as text with its decimals, and with the decimal sign of the reader's computer.

    TEXT would read its format by the computer's language: "0.000" is a whole number where the dot separates thousands.

    >>> as_shown("A1", 2)
    'FIXED(ROUND(A1,2),2,TRUE)'
    """
    return f"FIXED(ROUND({number},{decimals}),{decimals},TRUE)"


def unless_zero(cell: str, formula: str) -> str:
    """Compute a formula unless a cell is 0, which stays 0.

    MATCH is there for LibreOffice 7.4: it computes long columns of equal formulas in threads, and then now and then
    reports circular references (Err:522) where there are none; formulas with MATCH it leaves out of that.

    >>> unless_zero("$A5", "$A5+1")
    'IF(ISNUMBER(MATCH(0,$A5,0)),0,$A5+1)'
    """
    return f"IF(ISNUMBER(MATCH(0,{cell},0)),0,{formula})"


def exact_match(names: BookColumn, numbers: BookColumn, name: str) -> str:
    """Look a name up letter by letter. MATCH would read "*" and "?" in a name as wildcards."""
    return f"SUMPRODUCT(EXACT({names.there},{name})*{numbers.there})"


def all_of(conditions: Sequence[str]) -> str:
    """Join conditions; one stands alone.

    >>> all_of(["A1>0"]), all_of(["A1>0", "B1=2"])
    ('A1>0', 'AND(A1>0,B1=2)')
    """
    return conditions[0] if len(conditions) == 1 else f"AND({','.join(conditions)})"


def unwritable(text: str) -> Stopped:
    """A rule that no formula can express; the director gets this message instead of a wrong workbook."""
    return stop(f"{text}; the scores are right, only the workbook cannot compute them: choose another one", "workbook")


# Text that is safe in a cell: no character XML forbids, nothing that a spreadsheet program takes for a formula.

FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, production 2
LONGEST = 32767  # characters in a cell, Excel's own limit
BEGINS_A_FORMULA = frozenset(
    "=+-@'\t\r\n"
)  # as a spreadsheet program takes typed text: such a cell gets a quote prefix


def _is_clean(text: str) -> bool:
    """Say whether a cell holds the text as it is; nothing that can be printed is forbidden by XML."""
    return text.isprintable() and len(text) <= LONGEST


class Losses(Struct):
    """What could not be written as it was given: collected while the sheets are made, shown at the end."""

    found: list[Problem] = field(default_factory=list)

    def clean(self, text: str, where: str) -> str:
        r"""Leave out what a cell cannot hold, and say so; for a text that is not clean.

        >>> losses = Losses()
        >>> losses.clean("Bob\x07", "Players!B4")
        'Bob'
        >>> print(*losses.found)
        notes  Players!B4: 'Bob\x07' holds 1 character that no workbook can; it is left out (U+0007)
        """
        text = text.replace("\r\n", "\n").replace("\r", "\n")  # XML 1.0, 2.11: readers do so, too
        bad = FORBIDDEN.findall(text)
        if bad:
            named = ", ".join(f"U+{ord(c):04X}" for c in sorted(set(bad)))
            many = (
                "1 character that no workbook can; it is"
                if len(bad) == 1
                else f"{write_count(len(bad), 'character')} that no workbook can; they are"
            )
            self.note(f"{text[:40]!r} holds {many} left out ({named})", where)
            text = FORBIDDEN.sub("", text)
        if len(text) > LONGEST:
            self.note(f"{write_count(len(text), 'character')}, a cell holds {LONGEST}; the rest is left out", where)
            text = text[:LONGEST]
        return text

    def note(self, text: str, where: str) -> None:
        self.found.append(Problem(Weight.NOTES, text, where))


# How a cell looks: few colours, one meaning each. What a director may change is yellow and unlocked.

NAVY, WHITE, GREY, PALE, INPUT = "1F3864", "FFFFFF", "7F7F7F", "EEF2F8", "FFF9DB"
GREEN, RED, AMBER, GOLD = "C6EFCE", "FFC7CE", "FFEB9C", "FFE699"
DARK_GREEN, DARK_RED = "006100", "9C0006"
LINE = "BFC7D5"
FONT = "Calibri"


class Look(Struct, frozen=True):
    """One way for a cell to look."""

    bold: bool = False
    italic: bool = False
    size: int = 11  # points
    colour: str = "000000"
    fill: str = ""  # empty: none
    form: str = "General"  # number format
    align: str = "general"
    upright: str = "center"
    wrap: bool = False
    line: str = ""  # of "tblr", the sides with a thin line; "h" is a hair line below, "T" a strong one on top
    indent: int = 0
    may_change: bool = False  # an input: unlocked
    quoted: bool = False  # text that would be taken for a formula when it is edited

    @property
    def is_heading(self) -> bool:
        """Whether a text that looks so is a title or a heading: these are in the language of the page."""
        return self.bold and NAVY in (self.fill, self.colour)

    def but(self, **changes: object) -> "Look":
        """Make a look that differs in a few things."""
        return replace(self, **changes)  # a field that there is not is a TypeError


PLAIN = Look()
TITLE = Look(bold=True, size=18, colour=NAVY)
SUBTITLE = Look(colour=GREY, italic=True)
HEAD = Look(bold=True, colour=WHITE, fill=NAVY, align="center", wrap=True, line="b")
HEAD_LEFT = HEAD.but(align="left")
SECTION = Look(bold=True, size=12, colour=NAVY, line="b")
TEXT = Look(line="h")
CENTRED = TEXT.but(align="center")
WHOLE = TEXT.but(align="center", form="0")
SMALL = WHOLE.but(size=9)
QUIET = TEXT.but(colour=GREY)
NOTE = Look(colour=GREY, wrap=True, upright="top")
WRAPPED = TEXT.but(wrap=True, upright="top")
ENTRY = Look(fill=INPUT, line="tblr", may_change=True)
ENTRY_NUMBER = ENTRY.but(align="center", form="0")
HIDES_ZERO = "0;-0;"  # number formats that leave an empty row empty
VERDICT = Look(bold=True, size=12, align="center", line="tblr")


@cache
def points(decimals: int) -> Look:
    """A number of points with fixed decimals, so that the digits of a column are aligned.

    >>> points(3).form, points(0).form
    ('0.000', '0')
    """
    return TEXT.but(form="0." + "0" * decimals if decimals else "0", align="right")


# what is added to a score, or taken away, is shown to its end: rounded, it would contradict the total
AMOUNT = TEXT.but(form="0.00####", align="right")
SIGNED_AMOUNT = AMOUNT.but(form="+0.00####;-0.00####;")  # empty if it is nothing
# what a tie is broken by: as it is, or a dash for what was not reached
TIE_KEY = WHOLE.but(form='[<-99999]"–";General', size=9)
TO_THE_END = {AMOUNT.form: 6, SIGNED_AMOUNT.form: 6, TIE_KEY.form: 13}  # the decimals that a format shows, if there are


def register(look: Look, sheet: Worksheet) -> int:
    """Enter a look into the workbook's style table and give its number there."""
    cell = Cell(sheet, row=1, column=1)
    cell.font = Font(name=FONT, size=look.size, bold=look.bold, italic=look.italic, color=look.colour)
    if look.fill:
        cell.fill = PatternFill("solid", fgColor=look.fill)
    cell.number_format = look.form
    cell.alignment = Alignment(horizontal=look.align, vertical=look.upright, wrap_text=look.wrap, indent=look.indent)
    cell.border = _border(look.line)
    cell.protection = Protection(locked=not look.may_change)
    if look.quoted:
        cell.quotePrefix = 1
    return int(cell.style_id)


def _border(sides: str) -> Border:
    """Draw lines on the named sides, as `Look.line` says."""
    thin, hair, none = Side("thin", color=LINE), Side("hair", color=LINE), Side()
    return Border(
        left=thin if "l" in sides else none,
        right=thin if "r" in sides else none,
        top=Side("medium", color=NAVY) if "T" in sides else thin if "t" in sides else none,
        bottom=hair if "h" in sides else thin if "b" in sides else none,
    )


Value = str | int | float | Fraction | bool | None


class LiveFormula(Struct, frozen=True):
    """A formula, and what our own engine says it comes to: programs that do not calculate show that."""

    formula: str  # without the leading "="
    value: Value


Content = Value | LiveFormula


def _no_number(cells: str) -> str:
    return f'SUMPRODUCT(({cells}<>"")*(1-ISNUMBER({cells})))'


class Page(Struct):
    """One sheet. Titles are fixed ASCII of at most 31 characters; formulas name sheets by them.

    What is written on it is in its language: headings, and texts that know their pattern (`Worded`). Texts without one
    are names and what people wrote.
    """

    title: str
    losses: Losses
    speech: Speech = IN_ENGLISH  # the language of its titles and headings
    cells: dict[int, dict[int, tuple[Content, Look]]] = field(default_factory=dict)  # by row, then column
    widths: dict[int, float] = field(default_factory=dict)  # column -> characters
    heights: dict[int, float] = field(default_factory=dict)  # row -> points
    merged: list[str] = field(default_factory=list)
    freeze: str = ""  # the first cell that scrolls (freeze panes)
    repeat: str = ""  # the rows printed on every page: "4:4"
    beside: str = ""  # the columns printed on every page: "A:B"
    area: str = ""  # what is printed; empty: everything
    landscape: bool = False
    is_wide: bool = False  # printed on several sheets side by side, so that one can read it
    hidden: bool = False
    tab: str = ""  # colour of the tab
    filtered: str = ""  # the range with filter buttons
    breaks: list[int] = field(default_factory=list)  # a new printed page begins after these rows
    validations: list[DataValidation] = field(default_factory=list)
    marks: list[tuple[str, Rule]] = field(default_factory=list)
    charts: list[tuple[BarChart | LineChart, str]] = field(default_factory=list)
    unread: list[LiveFormula] = field(default_factory=list)  # each counts what was typed and means nothing there

    @property
    def name(self) -> str:
        """What stands on its tab: the title in its language, a number behind it as it is."""
        words, space, number = self.title.rpartition(" ")
        return f"{self.speech.says(words)} {number}" if space and number.isdigit() else self.speech.says(self.title)

    def word(self, text: str) -> str:
        """Write a word into a formula, in the language of the cells that are compared with it."""
        return quote_text(self.speech.says(text))

    def list_powers(self, powers: Iterable[Power]) -> str:
        """The names of powers in a formula, as its sheets name them, with commas between."""
        return ",".join(quote_text(self.speech.power(power)) for power in powers)

    def put(self, row: int, column: int, content: Content, look: Look = PLAIN) -> None:
        """Fill one cell. Text is cleaned, and no formula even if it begins with "=" (no formula injection)."""
        if isinstance(content, LiveFormula) and isinstance(content.value, Worded):
            content = LiveFormula(content.formula, self.speech.says(content.value))
        if isinstance(content, str):
            if look.is_heading or isinstance(content, Worded):
                content = self.speech.says(content)
            if not _is_clean(content):
                content = self.losses.clean(content, f"{self.title}!{at(row, column)}")
            if content[:1] in BEGINS_A_FORMULA:
                look = look.but(quoted=True)
        line = self.cells.get(row)
        if line is None:
            self.cells[row] = line = {}
        line[column] = (content, look)

    def row(self, row: int, column: int, contents: Iterable[Content], look: Look = PLAIN) -> None:
        """Fill cells side by side, all in one look."""
        for offset, content in enumerate(contents):
            self.put(row, column + offset, content, look)

    def merge(self, row: int, first: int, last: int, content: Content, look: Look = PLAIN) -> None:
        """Fill cells of one row that are joined into one."""
        self.put(row, first, content, look)
        for column in range(first + 1, last + 1):
            self.put(row, column, None, look)
        if last > first:
            self.merged.append(f"{at(row, first)}:{at(row, last)}")

    def mark(self, cells: str, when: str, *, fill: str = "", colour: str = "") -> None:
        """Conditional formatting: colour cells while a formula is true; it is written for the first of them."""
        paint = PatternFill(bgColor=fill, fill_type="solid") if fill else None
        font = Font(color=colour) if colour else None
        look = DifferentialStyle(font=font, fill=paint)
        self.marks.append((cells, Rule(type="expression", dxf=look, formula=[when])))

    def allow_whole(self, cells: Sequence[str], least: int, most: int, title: str) -> None:
        """Let input cells take whole numbers in a range, or nothing."""
        rule = DataValidation(
            type="whole", operator="between", formula1=str(least), formula2=str(most), allow_blank=True
        )
        self.refuse(
            rule, title, wording("a whole number from {least} to {most}, or nothing", least=least, most=most), cells
        )

    def allow_list(self, cells: Sequence[str], source: str, title: str, message: str) -> None:
        """Let input cells take one of a list: a range, or quoted words with commas between."""
        self.refuse(DataValidation(type="list", formula1=source, allow_blank=True), title, message, cells)

    def count_unread(self, formula: str, faults: int = 0) -> None:
        """Let the Checks sheet count what is typed here and means nothing; ``faults``: in the program's own data."""
        self.unread.append(LiveFormula(formula, faults))

    def count_no_numbers(self, *columns: BookColumn) -> None:
        """Count what is typed where a number belongs and is none, such as 50.5 where the decimal sign is a comma."""
        for column in columns:
            self.count_unread(_no_number(column.there))

    def count_no_wholes(self, most: int, *blocks: str, least: int = 0) -> None:
        """Count what is typed where a whole number belongs and is none; an empty cell is 0."""
        for cells in blocks:
            wrong = f"SUMPRODUCT((({cells}<{least})+({cells}>{most})+(INT({cells})<>{cells})>0)*1)"
            self.count_unread(f"IF({_no_number(cells)}>0,{_no_number(cells)},{wrong})")

    def count_no_words(self, words: Iterable[str], *columns: BookColumn) -> None:
        """Count what is typed where one of some words belongs and is none."""
        known = [self.word(word) for word in words]
        for column in columns:
            others = "".join(f"*({column.there}<>{word})" for word in known)
            self.count_unread(f'SUMPRODUCT(({column.there}<>""){others})')

    def refuse(self, rule: DataValidation, title: str, message: str, cells: Sequence[str]) -> None:
        """Show what is wanted where an entry breaks a rule."""
        rule.showErrorMessage, rule.errorTitle, rule.error = True, self.speech.says(title), self.speech.says(message)
        rule.sqref = " ".join(cells)  # added singly, each would be looked for among all others
        self.validations.append(rule)


# A list on a sheet, made column by column: one head, then one cell a row.

LINE_POINTS, HEAD_POINTS = 15.5, 31.0  # the height of a line of a head; a head has room for two or more
BESIDE_A_WORD, WIDE_LETTER = 1.5, 1.1  # characters: a head's longest word is not broken


class Grid(Struct):
    """A list while it is being made."""

    page: Page
    head_row: int
    length: int  # rows below the head; a list without rows keeps one, so that its ranges exist
    column: int = 1  # the next one to fill

    @property
    def first(self) -> int:
        """The first row below the head."""
        return self.head_row + 1

    @property
    def last(self) -> int:
        return self.head_row + max(self.length, 1)

    @property
    def rows(self) -> range:
        """The rows that hold something."""
        return range(self.first, self.first + self.length)

    def next_column(self, offset: int = 0) -> BookColumn:
        """The column that comes next (or a few later), for formulas that look at the whole of it."""
        return BookColumn(self.page.title, self.column + offset, self.first, self.last)

    def add(self, head: str, contents: Sequence[Content], look: Look = WHOLE, width: float = 9) -> BookColumn:
        """Fill the next column."""
        made = self.next_column()
        self.page.put(self.head_row, self.column, head, HEAD)
        for row, content in zip(self.rows, contents, strict=True):
            self.page.put(row, self.column, content, look)
        text = self.page.speech.says(head)
        wide = max(width, BESIDE_A_WORD + WIDE_LETTER * max(map(len, text.split()), default=0))
        high = LINE_POINTS * len(wrap(text, int(wide / WIDE_LETTER)))
        self.page.widths[self.column] = wide
        self.page.heights[self.head_row] = max(self.page.heights.get(self.head_row, HEAD_POINTS), high)
        self.column += 1
        return made

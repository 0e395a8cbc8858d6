"""A list of players as other programs write it, brought to the columns of a roster.

What each column means, in which row the headings stand, who is entered twice: what is guessed comes back for the
director to confirm.
"""

import html
import re
import unicodedata
from collections.abc import Collection, Sequence

from pipeline.draw.behind_names import has_more_behind, names_and_more, names_below_heading
from pipeline.draw.list_as_read import (
    ListColumn,
    ReadRoster,
    RosterChoices,
    RosterTable,
    list_lines,
    list_some,
    row_text,
)
from pipeline.draw.list_headings import (
    WORDS,
    are_headings_with_blanks,
    find_headings,
    guess_columns,
    is_list_of_names,
    join_blocks,
    may_be_headings,
    name_meant,
)
from pipeline.draw.list_numbers import drop_counts, find_number_cells
from pipeline.draw.list_words import LONGEST_TEXT
from pipeline.draw.listed_players import read_table
from pipeline.draw.one_name import LAST_AND
from pipeline.draw.roster import ListPlace, read_roster_rows
from pipeline.draw.unheaded_list import (
    NumberedRows,
    ProposedNames,
    names_behind_teams,
    one_name_a_row,
    propose_names,
    records,
)
from pipeline.printable import BLANKS, LETTER_WITHOUT_CASE, LINES, UNSEEN
from pipeline.problems import Problem, Weight
from pipeline.words.names import fold_name
from pipeline.words.speech import write_count

MOST_ROWS, MOST_COLUMNS = 5_000, 200  # of a list; the largest tournaments have some hundred players
TOTALS = frozenset({"total", "totals", "sum", "subtotal", "summe", "gesamt", "insgesamt", "somme", "totale", "suma"})


def read_roster_list(
    rows: Sequence[Sequence[str]],
    where: str,
    choices: RosterChoices | None = None,
    *,
    lines: Sequence[ListPlace] | None = None,
    struck: Collection[ListPlace] = (),
) -> ReadRoster:
    """Read a roster from rows of text as some program wrote them; ``lines`` are their numbers, from 1 if left out.

    ``struck`` are the lines that are struck through.

    >>> read = read_roster_list([["Owl Cup"], ["Vorname", "Name", "Verein"], ["Ada", "Lund", "Owls"]], "list.ods")
    >>> read.players[0].name, read.players[0].family_name, read.players[0].club
    ('Ada Lund', 'Lund', 'Owls')
    """
    choices = choices or RosterChoices()
    lines = lines or range(1, len(rows) + 1)
    filled = [any(cell.strip() for cell in row) for row in rows]
    below_gap = {line for line, before in zip(lines[1:], filled, strict=False) if not before}
    numbered = [(line, row) for line, row, is_filled in zip(lines, rows, filled, strict=True) if is_filled]
    widest = max((len(row) for _, row in numbered), default=0)
    if len(numbered) > MOST_ROWS or widest > MOST_COLUMNS:
        text = (
            f"{write_count(len(numbered), 'row')} and {write_count(widest, 'column')}; no roster has more than "
            f"{MOST_ROWS} and {MOST_COLUMNS}"
        )
        return ReadRoster((), (Problem(Weight.STOPS, f"{text}: choose the list of the players", where),))
    if not numbered:
        return ReadRoster(*read_roster_rows([], where))
    numbered, notes = _clean_rows(numbered, where)
    table = RosterTable(where, choices, below_gap, frozenset(struck), notes)
    numbered = _without_bare_numbers(table, _without_drawn_lines(table, numbered))
    numbered = _part_records(table, _part_at_dashes(numbered))
    has_headings = find_headings([row for _, row in numbered], choices) is not None
    if not has_headings and (proposal := names_behind_teams(numbered, tuple(WORDS))):
        return _read_proposal(table, proposal)
    numbered = _without_number_cells(
        table, numbered if has_headings else _part_single_line(table, _join_brackets(numbered))
    )
    if are_headings_with_blanks(numbered):
        text = "the columns have only blanks between them; put a comma, a semicolon or a tab between their cells"
        return ReadRoster((), (*table.notes, Problem(Weight.STOPS, text, f"{where} row {numbered[0][0]}")))
    if is_list_of_names([row for _, row in numbered]):
        columns = names_and_more(table, numbered) if has_more_behind([row for _, row in numbered]) else None
        return read_table(table, *(columns or (["name"], numbered)))
    head = find_headings([row for _, row in numbered], choices)
    if head is None:
        return _read_without_headings(table, numbered)
    if head:
        above = "; ".join(row_text(row)[:40] for _, row in numbered[:head])
        table.note(f"above the headings, and left out: {above}")
    if columns := names_below_heading(table, numbered[head:]):
        return read_table(table, *columns, numbered[head][0])
    line, last = numbered[-1]
    if len(numbered) > head + 2 and fold_name(next(filter(str.strip, last))) in TOTALS:
        table.note("a row of totals, and left out", line)
        numbered = numbered[:-1]
    headings, below = join_blocks(numbered[head:], table)
    return read_table(table, headings, below, numbered[head][0])


def _part_records(table: RosterTable, numbered: NumberedRows) -> NumberedRows:
    """A row a player, where each stands in several lines or several in a row; other lists unchanged."""
    words = ("name", *(word for word, meaning in WORDS.items() if meaning == "name"))
    if rows := records(numbered, words) if numbered else []:
        table.note("a word and an answer in each line: taken as a table")
    elif rows := one_name_a_row(numbered, words) if numbered else []:
        table.note("several columns of names: taken as one row a name")
    return rows or numbered


DASH = re.compile(r"(?<!\s)\s+[-–—|·•/]+\s+")


def _part_at_dashes(numbered: NumberedRows) -> NumberedRows:
    """Lines of one text with as many dashes each, two or more, as cells; other lists unchanged."""
    texts = [[cell.strip() for cell in row if cell.strip()] for _, row in numbered]
    if any(len(cells) != 1 or len(cells[0]) > LONGEST_TEXT for cells in texts):
        return numbered
    parts = [DASH.split(cells[0]) for cells in texts]
    if len(parts) < 2 or len({*map(len, parts)}) > 1 or len(parts[0]) < 3:
        return numbered
    return [(line, cells) for (line, _), cells in zip(numbered, parts, strict=True)]


def _join_brackets(numbered: NumberedRows) -> NumberedRows:
    """Rows in which what a comma parts inside brackets is one cell: "Ada Lund (Oslo, Norway)"."""
    joined: NumberedRows = []
    for line, row in numbered:
        cells: list[str] = []
        for cell in row:
            if cells and cells[-1].count("(") > cells[-1].count(")") and cell.strip().endswith(")"):
                cells[-1] = f"{cells[-1].strip()}, {cell.strip()}"
            else:
                cells.append(cell)
        joined.append((line, cells))
    return joined


def _part_single_line(table: RosterTable, numbered: NumberedRows) -> NumberedRows:
    """The only line of a list as a row for each of its texts; other lists unchanged."""
    texts = [cell for _, row in numbered for cell in row if cell.strip()]
    if len(numbered) != 1 or len(texts) < 3:
        return numbered
    line = numbered[0][0]
    table.note("the names stand on one line")
    last = LAST_AND.split(texts[-1])
    if min(len(name.split()) for name in last) >= min(len(text.split()) for text in texts[:-1]):
        texts = [*texts[:-1], *last]  # "José Ortega y Gasset" is one name
    return [(f"{line}.{n}", [text]) for n, text in enumerate(texts, start=1)]


def _read_without_headings(table: RosterTable, numbered: NumberedRows) -> ReadRoster:
    """Read a list whose columns nobody named: what can be read as names is proposed, or it is said what is missing."""
    if named := names_and_more(table, numbered):
        return read_table(table, *named)
    line, row = numbered[0]
    are_entries = any(sign.isdecimal() or sign == "@" for cell in row for sign in cell)  # and no headings
    hints = ((cell, "" if are_entries else name_meant(cell)) for cell in row)
    near = next((f"; found {cell[:60]!r}{hint}" for cell, hint in hints if hint), "")
    if not near and not may_be_headings(row) and (proposal := propose_names(numbered)):
        return _read_proposal(table, proposal)
    text = f"no column 'name'; the first row must name the columns{near}"
    guesses = zip(row, guess_columns(row, table.choices), strict=True)
    columns = tuple(ListColumn(cell.strip(BLANKS), meaning, "") for cell, meaning in guesses if cell.strip())
    return ReadRoster((), (*table.notes, Problem(Weight.STOPS, text, f"{table.where} row {line}")), columns)


def _read_proposal(table: RosterTable, proposal: ProposedNames) -> ReadRoster:
    """Read the names that a list without headings seems to have; those that are not certain are asked about."""
    table.note(proposal.told)
    table.asked |= proposal.asked
    return read_table(table, proposal.headings, proposal.rows)


DRAWN_LINE = re.compile(r"[-=_*~#.+|:`–—]{2,}")


def _without_drawn_lines(table: RosterTable, rows: NumberedRows) -> NumberedRows:
    """Rows without those that only draw a line below the headings or between players."""
    lines = [line for line, row in rows if all(DRAWN_LINE.fullmatch(cell.strip()) for cell in row if cell.strip())]
    if lines:
        table.note(f"lines of signs without a letter, left out: row {list_lines(lines)}")
    return [(line, row) for line, row in rows if line not in lines]


BARE_NUMBER = re.compile(r"[(#\[]?\d{1,4}[.):\]]*")


def _without_bare_numbers(table: RosterTable, rows: NumberedRows) -> NumberedRows:
    """Rows of a numbered list without those that have a number and no name behind it yet."""
    texts = [[cell.strip() for cell in row if cell.strip()] for _, row in rows]
    bare = [line for (line, _), cells in zip(rows, texts, strict=True) if BARE_NUMBER.fullmatch(" ".join(cells))]
    others = [cells[0] for (line, _), cells in zip(rows, texts, strict=True) if line not in bare]
    if not bare or not drop_counts(others)[1]:
        return rows
    table.note(f"numbers without a name, left out: row {list_lines(bare)}")
    return [(line, row) for line, row in rows if line not in bare]


def _without_number_cells(table: RosterTable, rows: NumberedRows) -> NumberedRows:
    """Rows without cells in front that only number them, and without rows of which nothing else is filled."""
    if not find_number_cells([row for _, row in rows]):
        return rows
    table.note("the numbers in front of the names are left out")
    behind = [(line, [cell for cell in row if cell.strip()][1:]) for line, row in rows]
    if alone := [line for line, cells in behind if not cells]:
        table.note(f"numbers without a name, left out: row {list_lines(alone)}")
    return [(line, cells) for line, cells in behind if cells]


def _clean_rows(rows: NumberedRows, where: str) -> tuple[NumberedRows, list[Problem]]:
    """Cells without signs that nobody sees, and with letters that were saved twice put right; and the notes on both."""
    unseen: list[ListPlace] = []
    mended: list[str] = []
    gaps: list[str] = []
    cleaned: NumberedRows = []
    for line, row in rows:
        cells = list(row)
        for n, cell in enumerate(cells):
            if cell.isascii() and cell.isprintable() and "&" not in cell:
                continue
            text = _plain_letters(_mend_letters(cell))
            mended += [f"{cell.strip()[:40]!r} is {text.strip()[:40]!r}"] if text != cell else []
            cells[n] = _without_unseen(parted := _part_at_unseen(text))
            gaps += [f"{cells[n].strip()[:40]!r} in row {line}"] if parted != text else []
            unseen += [line] if cells[n] != parted and line not in unseen else []
        cleaned.append((line, cells))
    notes = []
    if mended:
        text = "letters put right that were saved twice, for a page of the web, or in another shape: " + ", ".join(
            mended[:5]
        )
        notes.append(f"{text} and {write_count(len(mended) - 5, 'more cell')}" if len(mended) > 5 else text)
    if gaps:
        notes.append(f"signs that nobody sees between two words, taken for blanks: {list_some(gaps)}")
    if unseen:
        notes.append(f"signs that nobody sees, left out: row {list_lines(unseen)}")
    return cleaned, [Problem(Weight.NOTES, text, where) for text in notes]


ENTITY = re.compile(r"&(#\d+|#x[0-9a-fA-F]+|[A-Za-z]+\d*);")


def _mend_letters(text: str) -> str:
    """Letters that one program wrote and another took for others, or that were written for a page of the web.

    >>> _mend_letters("ZoÃ« M&uuml;ller"), _mend_letters("João Lłó")
    ('Zoë Müller', 'João Lłó')
    """
    if ENTITY.search(text):
        text = html.unescape(text)
    if text.isascii():
        return text
    import ftfy  # noqa: PLC0415 - it takes long to load, and most lists do not need it

    return ftfy.fix_encoding(text)


SHAPES = ("<wide>", "<narrow>", "<font>", "<circle>", "<square>")  # Unicode's names for other shapes of a letter


def _plain_letters(text: str) -> str:
    """A text with the usual shape of each letter; but letters in circles and squares become the letters alone.

    >>> _plain_letters("Ｂｏ 𝓔𝓴"), _plain_letters("ﾀﾞﾝ"), _plain_letters("① Ada")
    ('Bo Ek', 'ダン', '1 Ada')
    """
    if not any(unicodedata.decomposition(sign).startswith(SHAPES) for sign in text):
        return text
    plain = (
        unicodedata.normalize("NFKC", each) if unicodedata.decomposition(each).startswith(SHAPES) else each
        for each in text
    )
    return unicodedata.normalize("NFC", "".join(plain))


WITHIN_WORDS = "\u00ad\u200c\u200d\u2060"  # unseen, and no gap: soft hyphens and what joins or parts letters


def _part_at_unseen(text: str) -> str:
    r"""A text with a blank where a sign that nobody sees stands between a letter and a capital.

    >>> _part_at_unseen("Ada\u200bLund M\u200bül\u200bler")
    'Ada Lund M\u200bül\u200bler'
    """
    signs = [
        " " if unicodedata.category(sign) in ("Cc", "Cf") and sign not in f"{LINES}\x0b\x0c\x85{WITHIN_WORDS}" else sign
        for sign in text
    ]
    return "".join(
        new if before.isalpha() and after.isupper() else old
        for before, old, new, after in zip(f" {text}", text, signs, f"{text[1:]} ", strict=False)
    )


def _without_unseen(text: str) -> str:
    r"""A text without signs that nobody sees; those that end a line become line breaks.

    >>> _without_unseen("Mül\u00adler \u200b\x1bAda\u2028Lund")
    'Müller Ada\nLund'
    """
    text = re.sub("[\x0b\x0c\x85\u2028\u2029]", "\n", text)
    besides = LINES + (UNSEEN if any(unicodedata.category(sign) == LETTER_WITHOUT_CASE for sign in text) else "")
    seen = "".join(sign for sign in text if sign in besides or unicodedata.category(sign) not in ("Cc", "Cf"))
    return seen.strip(UNSEEN) if seen.strip(UNSEEN + BLANKS) != seen.strip(BLANKS) else seen

"""The name in each row of a list, without the numbers in front of it and without what is no part of it."""

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from pipeline.draw.countries import PlaceBehind, is_country
from pipeline.draw.letter_lines import is_head_word
from pipeline.draw.list_as_read import AskedLine, RosterTable, list_lines, list_some
from pipeline.draw.list_headings import FIRST, NAMES
from pipeline.draw.list_numbers import TICKED, UNTICKED, drop_counts, is_counted, is_dashed_name
from pipeline.draw.list_words import LONGEST_TEXT, TO_COME, says_nothing
from pipeline.draw.roster import ListPlace
from pipeline.draw.unheaded_list import NumberedRows
from pipeline.printable import BLANKS, LINES
from pipeline.problems import Weight
from pipeline.words.names import fold_name

SUFFIX = re.compile(
    r"(?i)(jr|sr|junior|senior|[ivx]+|ph\.? ?d|m\.? ?d|csc|esq|obe|mbe|mba|[mb]\. ?(a|sc)|dipl\.? ?-?ing|ret)\.?"
)  # behind a comma, and nobody's first name

RowNotes = list[tuple[Weight, str]]


def tell_counts(table: RosterTable, counts: str) -> None:
    if counts:
        table.note(f"the {counts} in front of the names are left out")


def mark_dashes(table: RosterTable, counts: str, named: Iterable[tuple[ListPlace, str]]) -> None:
    """Ask about lines of a numbered list that have a dash or a dot instead of the number, a title and empty boxes."""
    named = list(named)
    for line, text in named if counts == "numbers" else ():
        if is_dashed_name(text):
            table.asked[line] = AskedLine("a dash where the other lines have a number", is_likely=True)
        if (line, text) == named[0] and not is_counted(text):
            table.asked[line] = AskedLine("above the numbers, as a title stands", is_likely=False)
    for line, text in named if any(TICKED.match(text) for _, text in named) else ():
        if UNTICKED.match(text):
            table.asked[line] = AskedLine("a box that is not ticked, where others are", is_likely=False)


class NamedRow(Struct):
    """A row below the headings, and the name in it."""

    line: ListPlace
    cells: list[str]
    written: str
    whole: str
    family: str
    remarks: RowNotes
    place: PlaceBehind | None = None  # the country or the club behind the name, where the director takes it for one


def name_rows(table: RosterTable, meanings: Sequence[str], rows: NumberedRows) -> list[NamedRow]:
    """The name in each row, without the numbers of a numbered list and without what is no part of it."""
    all_cells = []
    joined: list[ListPlace] = []
    tabs: list[ListPlace] = []
    for line, row in rows:
        cells = [cell.strip(BLANKS) for cell in row] + [""] * (len(meanings) - len(row))
        for n, meaning in enumerate(meanings):
            if meaning in NAMES and "   " not in cells[n]:
                cells[n] = " ".join(filter(None, cells[n].split(" ")))
            if meaning and any(sign in LINES for sign in cells[n]):
                told = joined if any(sign in "\r\n" for sign in cells[n]) else tabs
                cells[n] = _on_one_line(cells[n], meaning)
                told += [line] if line not in told else []
        all_cells.append((line, cells))
    if joined:
        table.note(f"line breaks inside a cell, put right: row {list_lines(joined)}")
    if tabs:
        table.note(f"tabs inside a cell, taken as blanks: row {list_lines(tabs)}")
    _drop_empty_places(table, meanings, [cells for _, cells in all_cells])
    place = next((n for n, meaning in enumerate(meanings) if meaning in (FIRST, "name")), None)
    if place is not None:
        names = _trim_names(table, [(line, cells[place]) for line, cells in all_cells])
        for (_, cells), name in zip(all_cells, names, strict=True):
            cells[place] = name
    named = []
    for line, cells in all_cells:
        parts = {meaning: cells[n] for n, meaning in enumerate(meanings) if meaning in NAMES}
        whole, family, remarks = _join_name(parts)
        named.append(NamedRow(line, cells, parts.get("name") or whole, whole, family, remarks))
    return named


def _drop_empty_places(table: RosterTable, meanings: Sequence[str], rows: Iterable[list[str]]) -> None:
    """Empty the cells of clubs, countries and teams that say that there is none."""
    emptied = []
    for cells in rows:
        for n, meaning in enumerate(meanings):
            is_land = meaning == "country" and is_country(cells[n])  # NA is Namibia
            is_none = says_nothing(cells[n]) or fold_name(cells[n]) in TO_COME
            if meaning in ("club", "country", "team") and is_none and not is_land:
                emptied.append(cells[n])
                cells[n] = ""
    if emptied:
        table.note(f"no club, country or team: {list_some(emptied)}")


def _trim_names(table: RosterTable, named: Sequence[tuple[ListPlace, str]]) -> list[str]:
    """The names without numbers in front of them, quotes around them, and addresses and dashes behind them; told."""
    names, counts = drop_counts([_without_emphasis(name) for _, name in named])
    tell_counts(table, counts)
    mark_dashes(table, counts, named)
    pointed = {name for name in names if name.endswith(".") and not POINTED.fullmatch(name.split()[-1])}
    if 2 * sum(name in pointed for name in names) > len(names):
        names = [name.rstrip(".") if name in pointed else name for name in names]
        table.note("the points behind the names are left out")
    plain = [_without_contact(name) for name in names]
    trimmed = [
        line
        for (line, written), before, after in zip(named, names, plain, strict=True)
        if before != after or _without_emphasis(written) != written
    ]
    if trimmed:
        rows = list_lines(trimmed)
        left = "quotes around names, Mr and the like, addresses, telephone numbers and dashes behind them, left out"
        table.note(f"{left}: row {rows}")
    return plain


POINTED = re.compile(rf"{SUFFIX.pattern}|\w\.")  # what keeps its point, also an initial: "Ada L."
DASH_AT_END = re.compile("(?<! ) +[-–—]+$")
EMPHASIS = re.compile(r"(\*{1,3}|_{1,2})([^*_]+)\1")
QUOTES = {'"': '"', "'": "'", "“": "”", "„": "“", "‘": "’", "«": "»", "»": "«"}
PRONOUNS = re.compile(r"(?i)(?:(?<! ) +)?[(\[] ?(she|he|they|any|er|sie|elle|il|iel)( ?/ ?\w+)* ?[)\]]")
FORM_OF_ADDRESS = re.compile(
    r"(?i)^(?:(?:mr|mrs|ms|mx|herrn?|frau|mme|mlle|dhr|mevr|sra|srta)\.?|(?:hr|sr|sig|sig\.ra)\.|miss|monsieur|"
    r"madame|mademoiselle|señor(?:a|ita)?|signor[ae]?|de heer|mevrouw|fru|pani) +"
    r"(?!(?:and|und|et|y|e|och|og|en)\b)(?=[^\W\d_])"
)
CONTACT = re.compile(
    r"[\s,;:<(\[]+(mailto:)?[\w.+-]+@[\w-]+(\.[\w-]+)+[>)\]]*|"
    r"[\s,;:(]+(?!\d{1,4}[./-]\d{1,2}[./-]\d)(?:tel\.?:? ?)?\+?\d[\d ()/.-]{5,}\d\)?$"
)


def _without_emphasis(name: str) -> str:
    """A name without the signs around it that make it bold or slanted in a text editor.

    >>> _without_emphasis("**Ada Lund**"), _without_emphasis("_Bo_ Ek")
    ('Ada Lund', '_Bo_ Ek')
    """
    marked = EMPHASIS.fullmatch(name) if len(name) <= LONGEST_TEXT else None
    return marked[2] if marked else name


def is_contact(text: str) -> bool:
    """Whether a text is a mail address or a telephone number.

    >>> [is_contact(text) for text in ("ada@lund.example", "tel. 0171 5556677", "Oslo", "1850")]
    [True, True, False, False]
    """
    return len(text) <= LONGEST_TEXT and not CONTACT.sub("", f" {text}").strip()


def _without_contact(name: str) -> str:
    """A name without quotes around it, "Mr" in front, and a mail address, a telephone number or a dash behind it.

    >>> _without_contact('"Ada Lund" <ada@lund.example>'), _without_contact("Mr Bo 'Owl' Ek +47 22 33 44 55")
    ('Ada Lund', "Bo 'Owl' Ek")
    """
    if len(name) > LONGEST_TEXT:
        return name
    plain = DASH_AT_END.sub("", CONTACT.sub("", PRONOUNS.sub("", FORM_OF_ADDRESS.sub("", name))).strip())
    if is_head_word(plain):  # "To: ada@lund.example" is no name
        return name
    end = QUOTES.get(plain[:1], "")
    if end and plain.endswith(end) and len(plain) > 2 and not {plain[0], end} & {*plain[1:-1]}:
        plain = plain[1:-1].strip()
    return plain or name


def _on_one_line(cell: str, meaning: str) -> str:
    r"""The lines of a cell as one; between whole names stays a sign that they are several.

    >>> _on_one_line("Ada\nLund", "name"), _on_one_line("Ada Lund\nBo Ek", "name")
    ('Ada Lund', 'Ada Lund / Bo Ek')
    """
    parts = [part.strip() for part in re.split(f"[{LINES}]+", cell) if part.strip()]
    are_names = meaning == "keep_apart" or (meaning == "name" and all(len(part.split()) > 1 for part in parts))
    return (" / " if are_names else " ").join(parts)


def _join_name(cells: Mapping[str, str]) -> tuple[str, str, RowNotes]:
    """Join a name from its columns; returns the name, the family name if known, and notes.

    >>> _join_name({"first_name": "Ada", "family_name": "Lund"}), _join_name({"name": "Bo Ek"})
    (('Ada Lund', 'Lund', []), ('Bo Ek', '', []))
    """
    first, family, whole = (cells.get(key, "") for key in (FIRST, "family_name", "name"))
    if not whole:
        return " ".join(filter(None, (first, family))), family, []
    turned, known = turn_name(whole)
    remarks: RowNotes = [(Weight.NOTES, f"{whole!r} is taken as {turned!r}")] if turned != whole else []
    return turned, family or known, remarks


def turn_name(name: str) -> tuple[str, str]:
    """A name that is written with the family name first, turned round; and the family name.

    >>> turn_name("Lund, Ada"), turn_name("Lee Ek, Jr."), turn_name("Bo Ek")
    (('Ada Lund', 'Lund'), ('Lee Ek, Jr.', ''), ('Bo Ek', ''))
    """
    family, comma, first = (part.strip(BLANKS) for part in name.partition(","))
    if not (comma and family and first) or "," in first or SUFFIX.fullmatch(first):
        return name, ""
    return f"{first} {family}", family

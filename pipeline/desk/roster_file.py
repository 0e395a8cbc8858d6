"""Open a list of players as programs save it: a workbook of Excel or LibreOffice, or text in whatever encoding."""

import csv
import errno
import re
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from shlex import quote

from msgspec.structs import replace

from pipeline.desk.encodings import FAR, decode_as, decode_in_every_way
from pipeline.desk.roster_workbook import OLD_EXCEL, read_roster_workbook
from pipeline.desk.text_columns import names_of_addresses, part_at_gaps, without_quote_marks
from pipeline.draw import list_as_read, list_headings, roster_list
from pipeline.draw.letter_lines import MAIL_HEADS
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.small_files import read_named
from pipeline.words.speech import write_count

LARGEST = 20_000_000  # bytes; the roster of 200 players has some ten thousand
SEPARATORS = ",;\t|"
MOST_WAYS = 6  # of reading a text that does not say how it was saved
JAPANESE_MAIL = b"\x1b$"  # a sign of ISO-2022-JP, which has bytes of ASCII alone
FIRST_LINES = 2_000  # letters, that say whether a text is a list
QUOTED = re.compile(r'"[^"\n]*"')
BEGINNING = 20_000  # letters of a list that are looked at for the sign between its columns


def read_roster_file(path: Path, choices: list_as_read.RosterChoices | None = None) -> list_as_read.ReadRoster:
    """Read a roster, or stop with all its faults and questions; returns the players and notes."""
    try:
        content = read_named(path, LARGEST)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise stop(f"this is no roster: {error.strerror}", str(path)) from error
        raise stop(f"cannot read the roster: {error.strerror or error}", str(path)) from error
    read = read_roster_bytes(content, path.name, choices)
    advice = tuple(Problem(Weight.STOPS, text, path.name) for text in _advise(read))
    return check_roster(replace(read, problems=(*read.problems, *advice)), path.name)


def _advise(read: list_as_read.ReadRoster) -> Iterator[str]:
    """With which options of the command the questions about a list are answered."""
    if set(read.alike) - set(read.same):
        yield "of names that look alike: --merge NAME joins the entries of one person, --both NAME keeps two people"
    elif read.same:
        yield "of a name that stands twice: --merge NAME joins the entries of one person"
    if read.doubtful:
        first = read.doubtful[0]
        yield (
            f"of rows that may be no players: --row '{first.line}=' leaves one out (4-9= several), "
            f"--row '{first.line}' takes it as it stands, --row '{first.line}=NAME' as NAME"
        )
        if several := next((doubt for doubt in read.doubtful if doubt.names), None):
            options = " ".join(f"--row {quote(f'{several.line}={name}')}" for name in several.names)
            yield f"to make {write_count(len(several.names), 'player')} of row {several.line}: {options}"
        rows = (
            f"{doubt.line}={name}"
            for doubt in read.doubtful
            for name in doubt.names or (doubt.name if doubt.is_likely else "",)
        )
        yield f"as the program would take them: {' '.join(f'--row {quote(row)}' for row in rows)}"
    if len(read.encodings) > 1 and any(problem.weight is Weight.ASKS for problem in read.problems):
        yield f"of how the file was saved: --encoding {read.encodings[0].encoding}, or another one"
    if len(read.sheets) > 1:
        yield f"of sheets: --sheet {read.sheets[0]!r}, and once more for each further one that is to be read"


def check_roster(read: list_as_read.ReadRoster, name: str) -> list_as_read.ReadRoster:
    """Stop with all the faults and questions of a roster, or where it names nobody."""
    if stops := tuple(p for p in read.problems if p.weight is not Weight.NOTES):
        raise Stopped(stops)
    if not read.players:
        raise stop("the roster names nobody; give one player a row", name)
    return read


OTHER_FILES = {
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"{\\rtf": "a document of a word processor",
    b"\x1f\x8b": "a compressed file",
    b"BZh": "a compressed file",
    b"7z\xbc\xaf": "a compressed file",
    b"Rar!": "a compressed file",
    b"PK\x05\x06": "an empty archive",
    b"MZ": "a program",
    b"\x7fELF": "a program",
    b"RIFF": "a picture or a sound",
    b"%!PS": "a page for a printer (PostScript)",
    b"ID;P": "a list in the old format SYLK",
    b"SQLite format": "a database",
}
RAW_MAIL = re.compile(r"(?m)^(Return-Path|Delivered-To|Received|MIME-Version|Content-Type|Message-ID): ")
CHAT = r"\[?\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}:\d\d(:\d\d)?( [AP]M)?\]?( -)? [^:\n]{1,60}:"
OTHER_TEXTS = {
    CHAT: "a chat",
    r"<(!doctype html|html|table|head|body|meta|div)\b": "a page of the web (HTML)",
    r"<[?!\w]": "XML",
    r"BEGIN:VCARD": "a file of visiting cards (vCard)",
    r"BEGIN:VCALENDAR": "a calendar",
    r"\{\s*\"|\[\s*[{\"]|\[\s*\[\s*[\"\[]": "JSON",
    r"\[\[?\w+\]\]?\s*\n|---\s*\n.*:|\w+:\s*\n\s+- ": "a file of settings (TOML, YAML)",
    r"(INSERT INTO|CREATE TABLE|SELECT)\s": "a program for a database (SQL)",
    r"\\(begin|documentclass|section)\b": "LaTeX",
    r"(dn|version): ": "an address book (LDIF)",
}


def read_roster_bytes(
    content: bytes, name: str, choices: list_as_read.RosterChoices | None = None
) -> list_as_read.ReadRoster:
    """Read a file that is here already, whatever its name ends with: its first bytes say whether it is a workbook."""
    for begin, kind in OTHER_FILES.items():
        if content.startswith(begin):
            raise _no_list(kind, name)
    if content.startswith((b"PK\x03\x04", OLD_EXCEL)):
        return read_roster_workbook(content, name, choices)
    if b"\0" in content and not _utf_16(content):
        raise _no_list("no text and no workbook", name)
    return _read_text_file(content, name, choices or list_as_read.RosterChoices())


def _no_list(kind: str, name: str) -> Stopped:
    return stop(list_as_read.say_no_list(kind), name)


def read_roster_text(
    text: str, name: str, choices: list_as_read.RosterChoices | None = None
) -> list_as_read.ReadRoster:
    r"""Read a list that is pasted or typed, or was saved as text: with , ; | or a tab between columns, or names alone.

    >>> read = read_roster_text("sep=;\nName;Team\nAna Silva;Owls\nBo Ek;\n", "players.csv")
    >>> [player.name for player in read.players], read.players[0].team, read.problems
    (['Ana Silva', 'Bo Ek'], 'Owls', ())
    """
    text = text.removeprefix("\ufeff")
    beginning = text[:BEGINNING].lstrip()[:FIRST_LINES]
    if RAW_MAIL.search(beginning) and re.match(rf"({MAIL_HEADS}):", beginning):
        raise _no_list("a mail as it was saved", name)
    for pattern, kind in OTHER_TEXTS.items():
        if re.match(rf"(?i)({pattern})", beginning):
            raise _no_list(kind, name)
    plain = without_quote_marks(text)
    if plain != text:
        note = "the > in front of quoted lines, left out"
        return _with_note(read_roster_text(plain, name, choices), note, name)
    if names := names_of_addresses(text):
        rows: list[Sequence[str]] = [[each] for each in names]
        read = roster_list.read_roster_list(rows, name, choices)
        return _with_note(read, "the names of a list of mail addresses; the row is their number in it", name)
    columns = part_at_gaps(text) if not _has_separators(text) else []
    are_names = list_headings.find_headings(columns) is None and all(" " not in cell for row in columns for cell in row)
    if columns and not are_names:  # where first names are equally long, two blanks in names stand below each other
        read = roster_list.read_roster_list(columns, name, choices)
        return _with_note(read, "columns with blanks between them", name)
    return _read_separated(text, name, choices)


def _with_note(read: list_as_read.ReadRoster, note: str, name: str) -> list_as_read.ReadRoster:
    return replace(read, problems=(Problem(Weight.NOTES, note, name), *read.problems))


def _has_separators(text: str) -> bool:
    """Whether half of the lines or more hold a sign that parts columns."""
    lines = [line for line in text[:BEGINNING].splitlines() if line.strip()]
    return any(2 * sum(sign in line for line in lines) >= len(lines) for sign in SEPARATORS)


def _read_separated(text: str, name: str, choices: list_as_read.RosterChoices | None) -> list_as_read.ReadRoster:
    """Read a list that has a sign between its columns, or names alone."""
    begin, _, rest = text.partition("\n")
    named = re.fullmatch(r"(?i)\"?sep=(.)\"?\r?", begin)
    text, skipped = (rest, 1) if named else (text, 0)
    separator = named[1] if named else _find_separator(text)
    rows: list[Sequence[str]] = []
    lines: list[int] = []
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
    line, filled = 1, 0
    try:
        for row in reader:
            rows.append(row)
            lines.append(line + skipped)
            line = reader.line_num + 1
            is_filled = any(map(str.strip, row))  # a row without a word counts for nothing, however long it is
            filled += is_filled
            if filled > roster_list.MOST_ROWS or (is_filled and len(row) > roster_list.MOST_COLUMNS):  # it is refused
                break
    except csv.Error as error:
        mend = 'close it, or write "" for a quote inside quotes; the rows from here on were not read'
        fault = f"a quote that is not closed, or closed too early ({error}); {mend}"
        read = (
            roster_list.read_roster_list(rows, name, choices, lines=lines)
            if len(rows) > 1
            else list_as_read.ReadRoster((), ())
        )
        broken = Problem(Weight.STOPS, fault, f"{name} row {line + skipped}")
        return replace(read, problems=(*read.problems, broken))
    return roster_list.read_roster_list(rows, name, choices, lines=lines)


def _find_separator(text: str) -> str:
    """The sign between columns: the one that stands in most of the first lines, and there most often."""
    plain = QUOTED.sub("", text[:BEGINNING])
    first = [line for line in plain.splitlines()[: list_headings.HEADING_WITHIN * 2] if line.strip()]
    return max(
        SEPARATORS,
        key=lambda sign: (sum(sign in line for line in first), sum(map(len, (line.split(sign) for line in first)))),
    )


def _utf_16(content: bytes) -> str:
    """Which UTF-16 a text is, Excel's "Unicode text"; "" if it is none."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    for encoding, zeros in (("utf-16-le", content[1:400:2]), ("utf-16-be", content[:400:2])):
        others = content[:400:2] if encoding == "utf-16-le" else content[1:400:2]
        if len(zeros) > 4 and zeros.count(0) * 2 > len(zeros) and all(sign > 8 for sign in others):
            return encoding
    return ""


def _read_text_file(content: bytes, name: str, choices: list_as_read.RosterChoices) -> list_as_read.ReadRoster:
    """Read a text in the encoding that the director says, in UTF-8 or UTF-16, or in the one in which it has names."""
    if choices.encoding:
        return read_roster_text(decode_as(content, choices.encoding, name), name, choices)
    if encoding := _utf_16(content):
        return read_roster_text(content.decode(encoding, errors="replace"), name, choices)
    if JAPANESE_MAIL in content:
        return read_roster_text(decode_as(content, "iso2022_jp", name), name, choices)
    try:
        return read_roster_text(content.decode("utf-8-sig"), name, choices)
    except UnicodeDecodeError:
        ways = decode_in_every_way(content)
    if not ways:
        raise _no_list("in no encoding that is known", name)
    tried = [(way, read_roster_text(way.text, name, choices)) for way in ways[:MOST_WAYS]]
    names = [_names_in(read) for _, read in tried]
    same = set(names[0]).intersection(*names[1:])
    guesses = tuple(
        list_as_read.EncodingGuess(way.encoding, way.title, tuple([each for each in its_names if each not in same][:3]))
        for (way, _), its_names in zip(tried, names, strict=True)
    )
    best, read = tried[0]
    near = [
        guess
        for guess, (way, _), its_names in zip(guesses, tried, names, strict=True)
        if way is best or (way.oddness < best.oddness + FAR and its_names != names[0])
    ]
    if len(near) > 1:
        shown = "; ".join(f"{each.encoding} ({each.title}): {', '.join(each.samples)}" for each in near)
        text = f"not saved as UTF-8, and there are several ways to read it: {shown}"
        problem = Problem(Weight.ASKS, text, name)
    else:
        shown = ", ".join(guesses[0].samples) or "no name in it has accents"
        text = f"not saved as UTF-8: read as {best.title} ({best.encoding}): {shown}"
        problem = Problem(Weight.NOTES, text, name)
    return replace(read, problems=(problem, *read.problems), encodings=guesses)


def _names_in(read: list_as_read.ReadRoster) -> list[str]:
    return [*(player.name for player in read.players), *(doubt.text for doubt in read.doubtful)]

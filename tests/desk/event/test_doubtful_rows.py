"""What looks like no name is asked about before the event exists: a table of names by kinds of mess."""

import itertools
import zipfile
from collections.abc import Callable, Sequence
from io import BytesIO

import pytest
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font

from pipeline.desk.roster_file import read_roster_bytes, read_roster_text
from pipeline.desk.roster_workbook import _Extent, _measure_ods
from pipeline.draw.list_as_read import ReadRoster, RosterChoices
from pipeline.problems import Stopped, Weight

NAMES = {
    "plain": ("Ada Lund", "Bo Ek", "Cy Dee", "Dov Hart"),
    "accents": ("Zoë Müller", "José Núñez", "Łukasz Żak", "Søren Kjær"),
    "particles": ("Vincent van der Berg", "Ana de la Cruz", "Omar bin Said al-Masri", "Conan O’Brien-Hart"),
    "other scripts": ("Иван Петров", "Γιώργος Παππάς", "山田 太郎", "משה לוי"),
    "initials": ("J. R. Voss", "Lee Ek, Jr.", "Dr. Ida Moss", "Sam Hill III"),
    "single words": ("Ada", "Bo", "Cyd", "Dov"),
    "nicknames": ("owl77", "Bo_88", "owl 3", "Dov2"),
    "small letters": ("ada lund", "bo ek", "cy dee", "dov hart"),
}


def lines_of(names: Sequence[str], *more: str, heading: str = "name;club\n") -> str:
    return heading + "".join(f"{name};Owls\n" for name in names) + "".join(f"{line}\n" for line in more)


# Each kind of mess: a list made of four names, with rows in it that are no names or not one.
MESS: dict[str, Callable[[Sequence[str]], str]] = {
    "a foot": lambda names: lines_of(names, "", "Total players;4"),
    "a foot of a date": lambda names: lines_of(names, "", "Last updated 2026-11-01;"),
    "a foot without a gap": lambda names: lines_of(names, "Anzahl Teilnehmer: 4;"),
    "a signature below": lambda names: lines_of(names, "", "Erik Moss;"),
    "a signature below a foot": lambda names: lines_of(names, "Total players: 4;", "Erik Moss;"),
    "a stand-in": lambda names: lines_of(names, "TBA;Owls"),
    "a stand-in with points": lambda names: lines_of(names, "N.N.;"),
    "a question mark": lambda names: lines_of(names, "?;"),
    "a dash": lambda names: lines_of(names, "---;Owls"),
    "a dash before a name": lambda names: lines_of(names, "-Fay Moss;Owls"),
    "an example": lambda names: lines_of(names, "Example: Jane Doe;Your club"),
    "somebody to come": lambda names: lines_of(names, "to be announced;"),
    "two names": lambda names: lines_of(names, "Fay Moss / Gil Voss;Owls"),
    "two names and": lambda names: lines_of(names, "Fay Moss and Gil Voss;Owls"),
    "two names und": lambda names: lines_of(names, "Fay und Gil Voss;Owls"),
    "two names with a comma": lambda names: lines_of(names, "Fay Moss, Gil Voss;Owls"),
    "two names on lines": lambda names: lines_of(names, '"Fay Moss\nGil Voss";Owls'),
    "a remark": lambda names: lines_of(names, "Fay Moss (arrives Sat);Owls"),
    "a remark behind a dash": lambda names: lines_of(names, "Fay Moss - reserve;Owls"),
    "an address": lambda names: lines_of(names, "fay@moss.example;Owls"),
    "a wrong letter": lambda names: lines_of(names, "F\ufffdy Moss;Owls"),
    "a wrong encoding": lambda names: lines_of(names, "£ukasz ¯ak;Owls"),
    "no name": lambda names: lines_of(names, ";Owls"),
    "a waiting list": lambda names: lines_of(names, "Waiting list;", "Fay Moss;Owls"),
    "who has withdrawn": lambda names: lines_of(names, "", "Abgemeldet;", "Fay Moss;Owls"),
    "a state": lambda names: (
        "name;club;status\n" + "".join(f"{n};Owls;ok\n" for n in names) + "Fay Moss;Owls;withdrawn\n"
    ),
    "a state in words": lambda names: "name;remarks\n" + "".join(f"{n};\n" for n in names) + "Fay Moss;hat abgesagt\n",
    "an answer": lambda names: "name;Attending?\n" + "".join(f"{n};yes\n" for n in names) + "Fay Moss;no\n",
    "a title in a list": lambda names: "Owl Cup\n" + "".join(f'"{name}"\n' for name in names),
    "a state that is not known": lambda names: (
        "name;club;status\n" + "".join(f"{n};Owls;paid\n" for n in names) + "Fay Moss;Owls;W/D\n"
    ),
    "a cross under a heading": lambda names: "name;withdrawn\n" + "".join(f"{n};\n" for n in names) + "Fay Moss;x\n",
    "who cannot come": lambda names: "name;remarks\n" + "".join(f"{n};\n" for n in names) + "Fay Moss;can't make it\n",
    "a guest of a player": lambda names: lines_of(names, "Fay Moss with a friend;Owls"),
    "two names with u.": lambda names: lines_of(names, "Fay Moss u. Gil Voss;Owls"),
    "a sum": lambda names: lines_of(names, "Σ;4"),
    "a stand-in with gaps": lambda names: lines_of(names, "N. N.;Owls"),
    "Cyrillic letters saved wrongly": lambda names: lines_of(names, "Èâàí Ïåòðîâ;Owls"),
    "a name struck with signs": lambda names: lines_of(names, "~~Fay Moss~~;Owls"),
    "letters of two alphabets": lambda names: lines_of(names, "Fаy Moss;Owls"),  # the second letter is Cyrillic
}


@pytest.mark.parametrize(
    ("names", "mess"),
    list(itertools.product(NAMES.values(), MESS.values())),
    ids=[f"{names}-{mess}" for names, mess in itertools.product(NAMES, MESS)],
)
def test_of_names_and_mess_the_names_are_taken_and_the_rest_is_asked_about(
    names: Sequence[str], mess: Callable[[Sequence[str]], str]
) -> None:
    read = read_roster_text(mess(names), "list.csv")

    asked = [str(doubt.line) for doubt in read.doubtful]
    assert asked
    assert not [problem for problem in read.problems if problem.weight is Weight.STOPS]
    assert [problem.weight for problem in read.problems].count(Weight.ASKS) == len(asked)
    taken = [player.name for player in read.players]
    assert set(taken) <= set(names)
    decided = {str(doubt.line): doubt.name if doubt.name in names else "" for doubt in read.doubtful}
    answered = read_roster_text(mess(names), "list.csv", RosterChoices(rows=decided))
    assert (sorted(player.name for player in answered.players), answered.doubtful) == (sorted(names), ())


def test_a_word_alone_in_its_row_is_asked_about_where_others_have_two_names() -> None:
    def asked(names: Sequence[str], *more: str) -> list[str]:
        return [doubt.text for doubt in read_roster_text(lines_of(names, *more), "list").doubtful]

    assert asked(NAMES["plain"], "Lunch;", "Zoe;Owls") == ["Lunch"]
    assert asked(NAMES["single words"], "Lunch;") == []


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES.keys())
def test_nothing_is_asked_about_a_list_of_names(names: Sequence[str]) -> None:
    for text in (
        lines_of(names),
        "\n".join(names),
        lines_of(names, heading="Name;Verein\n"),
        "name\n\n" + "\n\n".join(names),
    ):
        read = read_roster_text(text.replace("Lee Ek, Jr.", "Lee Ek Jr"), "list.csv")
        assert [player.name for player in read.players] == [name.replace("Ek, Jr.", "Ek Jr") for name in names]
        assert {problem.weight for problem in read.problems} <= {Weight.NOTES}


# Lists that are brought into order without a question, and told.
ORDERED: dict[str, Callable[[Sequence[str]], str]] = {
    "a numbered list": lambda names: "\n".join(f"{n}. {name}" for n, name in enumerate(names, 1)),
    "numbers in brackets": lambda names: "\n".join(f"({n}) {name}" for n, name in enumerate(names, 1)),
    "numbers and tabs": lambda names: "\n".join(f"{n}.\t{name}" for n, name in enumerate(names, 1)),
    "numbers below a heading": lambda names: (
        "name;club\n" + "".join(f"{n} {name};\n" for n, name in enumerate(names, 1))
    ),
    "Roman numbers": lambda names: "\n".join(
        f"{n} {name}" for n, name in zip(("I.", "II.", "III.", "IV."), names, strict=True)
    ),
    "letters": lambda names: "\n".join(f"{n}) {name}" for n, name in zip("abcd", names, strict=True)),
    "dots": lambda names: "\n".join(f"• {name}" for name in names),
    "dashes": lambda names: "\n".join(f"- {name}" for name in names),
    "unseen signs": lambda names: "name\n" + "\n".join(f"\u200b{name[:2]}\u00ad{name[2:]}\u2060" for name in names),
    "line breaks": lambda names: "name;club\n" + "".join(f'"{name.replace(" ", chr(10), 1)}";Owls\n' for name in names),
    "ordinal numbers": lambda names: "\n".join(f"{n}º {name}" for n, name in enumerate(names, 1)),
    "numbers and dashes": lambda names: "\n".join(f"{n} - {name}" for n, name in enumerate(names, 1)),
    "numbers in circles": lambda names: "\n".join(f"{n} {name}" for n, name in zip("①②③④", names, strict=True)),
    "a part of a longer list": lambda names: "\n".join(f"{n}. {name}" for n, name in enumerate(names, 10)),
    "quotes": lambda names: "\n".join(f"“{name}”" for name in names),
    "mail addresses": lambda names: "\n".join(f"{name} <player{n}@owls.example>" for n, name in enumerate(names)),
    "telephone numbers": lambda names: "\n".join(
        f"{name}, tel. +47 22 33 44 5{n}" for n, name in enumerate(names)
    ).replace(",", ""),
    "one line": ", ".join,
    "a table with lines": lambda names: "|name|club|\n|----|----|\n" + "".join(f"|{name}|Owls|\n" for name in names),
    "headings again": lambda names: lines_of(
        names[:2], "", "Team Bats;", "name;club", *(f"{name};Bats" for name in names[2:])
    ),
    "headings otherwise": lambda names: lines_of(names[:2], "", "club;name", *(f"Bats;{name}" for name in names[2:])),
    "a title": lambda names: "The Owl Cup;\n;\n" + lines_of(names),
    "saved twice": lambda names: "name\n" + "\n".join(name.encode().decode("latin-1") for name in names),
}


@pytest.mark.parametrize(("kind", "names"), list(itertools.product(ORDERED, ("plain", "accents", "initials"))))
def test_what_can_be_put_right_is_put_right_and_told(kind: str, names: str) -> None:
    listed = [name.replace(",", "") for name in NAMES[names]]
    read = read_roster_text(ORDERED[kind](listed), "list.csv")

    assert [player.name for player in read.players] == listed
    assert {problem.weight for problem in read.problems} <= {Weight.NOTES}
    assert read.problems or (kind == "saved twice" and names != "accents") or kind == "a title"


HEADINGS = {
    "Swedish": ("Förnamn;Efternamn;Klubb", "Ada;Lund;X", "Ada Lund"),
    "Norwegian": ("Navn;Klubb", "Ada Lund;X", "Ada Lund"),
    "Dutch": ("Voornaam;Achternaam", "Ada;Lund", "Ada Lund"),
    "Finnish": ("Etunimi;Sukunimi", "Ada;Lund", "Ada Lund"),
    "Czech": ("Jméno;Příjmení;Klub", "Jan;Novák;X", "Jan Novák"),
    "Hungarian": ("Név;Klub", "Kovács Anna;X", "Kovács Anna"),
    "Turkish": ("Adı;Soyadı", "Oğuz;Yıldız", "Oğuz Yıldız"),
    "Russian": ("Фамилия;Имя;Клуб", "Петров;Иван;А", "Иван Петров"),
    "Ukrainian": ("Ім'я;Прізвище", "Іван;Петренко", "Іван Петренко"),
    "Greek": ("Όνομα;Επώνυμο", "Άννα;Νίκου", "Άννα Νίκου"),
    "Japanese": ("氏名;所属", "山田 太郎;東京", "山田 太郎"),
}


@pytest.mark.parametrize("language", HEADINGS)
def test_headings_are_known_in_the_languages_of_the_players(language: str) -> None:
    heading, row, name = HEADINGS[language]
    read = read_roster_text(f"{heading}\n{row}\n", "list.csv")
    assert [player.name for player in read.players] == [name]


@pytest.mark.parametrize(
    "states",
    [
        ("beginner", "expert", "expert", "beginner"),
        ("paid", "paid", "", ""),
        ("confirmed", "Confirmed", "ok", "✓"),
        ("bezahlt", "angemeldet", "da", "Bestätigt"),
    ],
)
def test_a_state_of_players_who_come_is_not_asked_about(states: Sequence[str]) -> None:
    rows = (f"{name};{state}" for name, state in zip(NAMES["plain"], states, strict=True))
    assert read_roster_text("name;status\n" + "\n".join(rows), "list.csv").doubtful == ()


NO_LISTS = {
    "a page": "<html><body>\n<table><tr><td>Ada Lund</td></tr></table>\n</body></html>\n",
    "a page with its kind": "\n<!DOCTYPE html>\n<p>Ada Lund</p>\n",
    "XML": '<?xml version="1.0"?><Workbook><Row><Cell><Data>Ada Lund</Data></Cell></Row></Workbook>',
    "visiting cards": "BEGIN:VCARD\nVERSION:3.0\nFN:Ada Lund\nEND:VCARD\n",
    "JSON": '[{"name": "Ada Lund"}]',
    "a mail as it was saved": "Return-Path: <a@b.example>\nReceived: from owl\n\nAda Lund\nBo Ek\n",
    "a mail of a program": "From: Ada\nSubject: x\nMIME-Version: 1.0\n\nQWRhIEx1bmQ=\n",
    "a chat": "[28/11/2026, 10:02:13] Ada Lund: I come\n[28/11/2026, 10:03:00] Bo Ek: me too\n",
    "settings": '[[player]]\nname = "Ada Lund"\n',
    "YAML": "players:\n  - name: Ada Lund\n  - name: Bo Ek\n",
    "SQL": "INSERT INTO players VALUES (1, 'Ada Lund');\n",
    "LaTeX": "\\begin{tabular}{l}\nAda Lund\n\\end{tabular}\n",
}


@pytest.mark.parametrize("text", NO_LISTS.values(), ids=NO_LISTS.keys())
def test_what_is_no_list_is_refused_in_one_sentence(text: str) -> None:
    for saved in (text.encode(), text.encode("utf-16")):
        with pytest.raises(Stopped, match=r"and no list of players; save the list as \.xlsx or \.csv") as refused:
            read_roster_bytes(saved, "list.xls")
        assert len(refused.value.problems) == 1


@pytest.mark.parametrize(
    "begin",
    [
        b"%PDF-1.7\n",
        b"\x89PNG\r\n",
        b"\xff\xd8\xff\xe0",
        b"{\\rtf1",
        b"name\n\x00\x01\x00\x02Ada",
        b"\x1f\x8b\x08" + bytes(90),
        b"MZ" + bytes(90),
        b"PK\x05\x06" + bytes(18),
        b"RIFF\x10\x00\x00\x00WEBP",
        b"\x03\x7a\x0b\x01" + bytes(60),
        b"\x00\x00\x00\x18ftypheic" + bytes(40),
    ],
)
def test_a_file_of_another_kind_is_called_by_its_name(begin: bytes) -> None:
    with pytest.raises(Stopped, match="and no list of players"):
        read_roster_bytes(begin + b"Ada Lund\n", "list.csv")


def book_of(sheets: dict[str, list[list[object]]], change: Callable[[Workbook], None] = lambda book: None) -> bytes:
    """A workbook of these sheets, as bytes."""
    book, saved = Workbook(), BytesIO()
    del book["Sheet"]
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    change(book)
    book.save(saved)
    return saved.getvalue()


ROWS: list[list[object]] = [["name", "club"], ["Ada Lund", "X"], ["Bo Ek", "Y"], ["Cy Dee", "Y"]]


def strike_row(book: Workbook) -> None:
    for cell in book.worksheets[0][3]:
        cell.font = Font(strike=True)


def strike_letters(book: Workbook) -> None:
    book.worksheets[0]["A3"] = CellRichText(TextBlock(InlineFont(strike=True), "Bo Ek"))


@pytest.mark.parametrize("strike", [strike_row, strike_letters])
def test_a_player_who_is_struck_through_is_asked_about(strike: Callable[[Workbook], None]) -> None:
    read = read_roster_bytes(book_of({"List": ROWS}, strike), "list.xlsx")

    assert [player.name for player in read.players] == ["Ada Lund", "Cy Dee"]
    assert [(doubt.line, doubt.name, doubt.why[:14]) for doubt in read.doubtful] == [(3, "Bo Ek", "struck through")]


@pytest.mark.parametrize(
    ("listed", "odd"),
    [
        ("- Ada Lund\n- Bo Ek\n{}\n- Cy Dee", "Jean-Luc Moss"),
        ("1. Ada Lund\n2. Bo Ek\n{}\n3. Cy Dee", "Jo St. Moss"),
        ("a) Ada Lund\nb) Bo Ek\n{}\nc) Cy Dee", "Jo (Jo) Moss"),
    ],
)
def test_of_a_row_without_the_mark_that_the_others_begin_with_nothing_is_left_out(listed: str, odd: str) -> None:
    read = read_roster_text(listed.format(odd), "list.txt")
    assert odd in [player.name for player in read.players] + [doubt.text for doubt in read.doubtful]


OPEN_DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0">
<office:automatic-styles><style:style style:name="ce1" style:family="table-cell">
<style:text-properties style:text-line-through-style="solid"/></style:style></office:automatic-styles>
<office:body><office:spreadsheet><table:table table:name="List">
ROWS</table:table></office:spreadsheet></office:body></office:document-content>"""


def test_how_large_a_sheet_of_open_document_is_and_what_is_special_in_it() -> None:
    cell = '<table:table-cell office:value-type="string" {}><text:p>x</text:p></table:table-cell>'
    struck = 'table:style-name="ce1"'
    empty, covered = "<table:table-cell {}/>", "<table:covered-table-cell {}/>"
    many = 'table:number-columns-repeated="{}"'.format
    merged = cell.format('table:number-rows-spanned="2" table:number-columns-spanned="3"')
    rows = {  # attributes of each row, and its cells
        "": empty.format(many(3)) + cell.format(many(2)) + empty.format(many(1000)),
        'table:number-rows-repeated="2" table:visibility="collapse"': empty.format("") + cell.format(""),
        'table:style-name="ro1"': cell.format("") + cell.format(struck),
        'table:style-name="ro2"': empty.format("") + merged + covered.format(many(2)),
        'table:style-name="ro3"': empty.format("") + covered.format(many(3)) + cell.format(""),
        'table:number-rows-repeated="1048570"': empty.format(many(1000)),
    }
    written = "".join(f"<table:table-row {kind}>{cells}</table:table-row>" for kind, cells in rows.items())
    saved = BytesIO()
    with zipfile.ZipFile(saved, "w") as archive:
        archive.writestr("content.xml", OPEN_DOCUMENT.replace("ROWS", written))
    with zipfile.ZipFile(saved) as archive:
        found = _measure_ods(archive, "list.ods")

    assert found == {"List": _Extent(rows=6, columns=5, hidden=(2, 3), struck=(4,), merged=((4, 1, 5, 3),))}


def test_a_struck_row_of_open_document_is_asked_about() -> None:
    cell = '<table:table-cell office:value-type="string" {}><text:p>{}</text:p></table:table-cell>'
    struck = 'table:style-name="ce1"'
    listed = (("", "name"), ("", "Ada Lund"), (struck, "Bo Ek"), ("", "Cy Dee"))
    rows = "".join(f"<table:table-row>{cell.format(style, text)}</table:table-row>" for style, text in listed)
    saved, kind = BytesIO(), "application/vnd.oasis.opendocument.spreadsheet"
    with zipfile.ZipFile(saved, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr("content.xml", OPEN_DOCUMENT.replace("ROWS", rows))
        archive.writestr(
            "META-INF/manifest.xml",
            '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
            f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
            '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
            "</manifest:manifest>",
        )

    read = read_roster_bytes(saved.getvalue(), "list.ods")

    assert [player.name for player in read.players] == ["Ada Lund", "Cy Dee"]
    assert [doubt.line for doubt in read.doubtful] == [3]


def test_of_two_sheets_with_players_the_director_says_which() -> None:
    book = book_of(
        {"Owls": ROWS, "Bats": [["Club", "Name"], ["X", "Dov Hart"], ["X", "TBA"]], "Notes": [["parking", "no"]]}
    )

    asked = read_roster_bytes(book, "list.xlsx")
    assert asked.sheets == ("Owls", "Bats")
    assert any(p.weight is Weight.ASKS and "'Owls' and 'Bats'" in p.text for p in asked.problems)
    assert any(p.weight is Weight.NOTES and "not read: the sheets 'Notes'" in p.text for p in asked.problems)

    one = read_roster_bytes(book, "list.xlsx", RosterChoices(sheets=("Bats",)))
    assert ([p.name for p in one.players], [d.line for d in one.doubtful]) == (["Dov Hart"], [3])
    both = read_roster_bytes(book, "list.xlsx", RosterChoices(sheets=("Owls", "Bats")))
    assert [(p.name, p.club) for p in both.players][2:] == [("Cy Dee", "Y"), ("Dov Hart", "X")]
    assert [doubt.line for doubt in both.doubtful] == ["3 of Bats"]
    with pytest.raises(Stopped, match="no sheet with a list is called 'Cats'; there are 'Owls', 'Bats', 'Notes'"):
        read_roster_bytes(book, "list.xlsx", RosterChoices(sheets=("Cats",)))


def test_a_workbook_with_a_password_is_told_so() -> None:
    locked = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600) + "EncryptedPackage".encode("utf-16-le") + bytes(600)
    with pytest.raises(Stopped, match="it has a password; open it, and save it without"):
        read_roster_bytes(locked, "list.xlsx")
    saved = BytesIO()
    with zipfile.ZipFile(saved, "w") as archive:
        archive.writestr("content.xml", b"\x93\x11\x07")
        archive.writestr("META-INF/manifest.xml", "<m><manifest:encryption-data/></m>")
    with pytest.raises(Stopped, match="it has a password; open it, and save it without"):
        read_roster_bytes(saved.getvalue(), "list.ods")


def test_what_the_director_says_of_a_row_is_followed() -> None:
    text = "name;club\nAda Lund;X\nTBA;X\nFay Moss (Sat);Y\nLee Ho / Bo Ek;Z\n"

    def read(**rows: str | None) -> ReadRoster:
        return read_roster_text(text, "list.csv", RosterChoices(rows={key[1:]: name for key, name in rows.items()}))

    assert [(d.line, d.name, d.is_likely) for d in read().doubtful] == [
        (3, "TBA", False),
        (4, "Fay Moss", True),
        (5, "Lee Ho / Bo Ek", False),
    ]
    decided = read(r3="", r4="Fay Moss", r5=None)
    assert [player.name for player in decided.players] == ["Ada Lund", "Fay Moss", "Lee Ho / Bo Ek"]
    assert [p.text for p in decided.problems] == ["left out: TBA · X"]
    assert "no row 9 stands below the headings" in [p.text for p in read(r9="").problems]


def test_a_list_in_which_most_are_alike_is_taken_and_told() -> None:
    read = read_roster_text("name\n" + "\n".join(f"Player {n}" for n in range(1, 9)), "list.csv")

    assert len(read.players) == 8
    assert [p.text for p in read.problems] == ["half of the names or more: 'player' is part of no name; look them over"]


def test_lines_of_name_and_club_without_headings_are_asked_about_whatever_parts_them() -> None:
    text = "Jonas Weber, Otters\nOle Berg, Jr.\nAna Silva; Owls\nSam Tate\tBadgers\njonas weber\n"
    read = read_roster_text(text, "list")
    assert [player.name for player in read.players] == ["Ole Berg, Jr."]
    assert [(doubt.line, doubt.text, doubt.is_likely) for doubt in read.doubtful] == [
        (1, "Jonas Weber · Otters", True),
        (3, "Ana Silva · Owls", True),
        (4, "Sam Tate · Badgers", True),
        (5, "jonas weber", True),
    ]
    assert "'jonas weber' stands in row 5, too" in read.doubtful[0].why
    assert "'Jonas Weber' stands in row 1, too" in read.doubtful[3].why
    rows = {"1": "Jonas Weber", "3": "Ana Silva", "4": "Sam Tate", "5": ""}
    taken = read_roster_text(text, "list", RosterChoices(rows=rows))
    clubs = {player.name: player.club for player in taken.players}
    assert clubs == {"Jonas Weber": "Otters", "Ole Berg, Jr.": "", "Ana Silva": "Owls", "Sam Tate": "Badgers"}
    assert not [problem for problem in taken.problems if problem.weight is not Weight.NOTES]


@pytest.mark.parametrize(
    "text",
    [
        "Ada Lund, Owls\nBo Ek\nCy Dee; Owls\nDov Hart\nEli Moss\n",
        "Ada Lund, Owls\nBo Ek, Sea Bats\nCy Dee, Owls\nDov Hart, Sea Bats\n",
        "Ada Lund\tOwls\nBo Ek\tOwls\n",
        "1. Ada Lund, Owls\n2. Bo Ek, Owls\n",
        "1,Ada Lund,Owls\n2,Bo Ek,Owls\n",
        "Ada Lund (Owls)\nBo Ek [Owls]\nCy Dee\n",
        "Ada Lund - Owls\nBo Ek – Owls\n",
        "1) Ada Lund (Owls)\n2) Bo Ek (Owls)\n",
    ],
)
def test_clubs_behind_whole_names_are_taken_and_told(text: str) -> None:
    read = read_roster_text(text, "list")
    assert read.doubtful == ()
    assert {player.name: player.club for player in read.players}["Ada Lund"] == "Owls"
    told = [problem for problem in read.problems if problem.text.startswith("the club behind a name: Owls")]
    assert [problem.weight for problem in told] == [Weight.NOTES]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("García Márquez, Gabriel\nLópez Ruiz, Ana\nda Silva, Rui\nPérez Gil, Eva\n", [1, 2, 3, 4]),
        ("Ada Lund, withdrawn\nBo Ek, Owls\nCy Dee\nDov Hart\nEli Moss\n", [1, 2]),
        ("Ada Lund\nBo Ek\nCy Dee\nDov Hart\nGarcía López, María\n", [5]),
        ("Ada Lund, Maybe\nBo Ek, 2\nCy Dee\nDov Hart\nEli Moss\n", [1, 2]),
        ("Ada Lund, Bo Ek\nCy Dee\nDov Hart\n", [1]),
        ("van der Berg, Jan\nCy Dee\nDov Hart\n", [1]),
        (
            "Hi Hanna, here they are\nAda Lund (Owls)\nBo Ek (Owls)\nCy Dee (Owls)\nDov Hey (Owls)\nCheers, Ben\n",
            [1, 6],
        ),
        ("1. Ada Lund, Oslo\n2. Bo Ek, Bergen\n", [1, 2]),
    ],
)
def test_what_behind_a_name_may_be_no_club_is_asked(text: str, lines: list[int]) -> None:
    assert [doubt.line for doubt in read_roster_text(text, "list").doubtful] == lines


def test_who_has_withdrawn_is_not_proposed_as_a_player() -> None:
    for text in ("Ada Lund (withdrawn)\nBo Ek\nCy Dee\n", "Ada Lund, withdrawn\nBo Ek, paid\nCy Dee\n"):
        doubts = {doubt.line: doubt.is_likely for doubt in read_roster_text(text, "list").doubtful}
        assert doubts in ({1: False}, {1: False, 2: True})


@pytest.mark.parametrize("text", ["nmae,club\nAda Lund,Owls\n", "nom prenom club\nLund Ada Owls\nEk Bo Bats\n"])
def test_what_may_be_headings_is_not_taken_for_a_player(text: str) -> None:
    read = read_roster_text(text, "list")
    assert not read.players
    assert any(problem.weight is Weight.STOPS for problem in read.problems)


FOUR = ["Ada Lund", "Bo Ek", "Cy Dee", "Dov Hart"]


@pytest.mark.parametrize(
    ("text", "taken", "likely"),
    [
        ("1. O'Brien, Siobhan (Dublin Castle)\n2. Lund, Ada (Oslo)\n", FOUR[:1], ["Siobhan O'Brien"]),
        ("1. Bo Ek (Owls)\n2. O'Brien, Siobhan (Dublin Castle)\n3. Cy Dee\n", ["Cy Dee"], ["Bo Ek", "Siobhan O'Brien"]),
        ("O'Brien, Siobhan (Dublin)\nLund, Ada\nBo Ek (Owls)\n", [], ["Siobhan O'Brien", "Ada Lund", "Bo Ek"]),
        ("1. Ada Lund (Oslo)\n2. Bo Ek (Oslo)\n- Ingrid Dahl (Oslo)\n3. Cy Dee (Oslo)\n", FOUR[:3], ["Ingrid Dahl"]),
        ("1. Ada Lund\n2. Bo Ek\n- Ingrid Dahl\n3. Cy Dee\n", FOUR[:3], ["Ingrid Dahl"]),
        ("Ada Lund,Owls,Norway\nBo Ek,Bats,Paris\nCy Dee,Owls,France\n", FOUR[:3], []),
        ("Ada Lund,Owls,Norway\nBo Ek\n", FOUR[:2], []),
        ("Owls,Ada Lund,1500\nBats,Bo Ek,1400\n", FOUR[:2], []),
        ("Lund, Ada\nEk, Bo\nvan Dyk, Jan\n", [], ["Ada Lund", "Bo Ek", "Jan van Dyk"]),
        ("Ada;Lund;Owls\nBo;Ek;Bats\n", [], FOUR[:2]),
        ("Ada;Lund\nBo;Ek\n", [], FOUR[:2]),
        ("Owls: Ada, Bo\nBats: Cy, Dov\n", [], ["Ada", "Bo", "Cy", "Dov"]),
        ("Owls: Ada Lund and Bo Ek\nBats: Cy Dee / Dov Hart\n", [], FOUR),
        ("Oslo: Lund, Ada; Ek, Bo\nBergen: Dee, Cy; Hart, Dov\n", [], FOUR),
        ("Owls - Ada Lund, Bo Ek\nBats - Cy Dee, Dov Hart\n", [], FOUR),
        ("Owls (Ada Lund, Bo Ek)\nBats (Cy Dee, Dov Hart)\n", [], FOUR),
        ("Owls: Ada Lund, Bo Ek\nWaiting list: Cy Dee, Dov Hart\n", [], FOUR[:2]),
        ("Board 1: Ada Lund, Bo Ek\nBoard 2: Cy Dee, Dov Hart\n", [], FOUR),
        ("Ada Lund\tBo Ek\tEva Mai\nCy Dee\tDov Hart\tFay Moss\n", [], [*FOUR, "Eva Mai", "Fay Moss"]),
        ("Team;Player 1;Player 2\nOwls;Ada Lund;Bo Ek\nBats;Cy Dee;Dov Hart\n", FOUR, []),
        ("name;Verein 1;Verein 2\nAda Lund;Owls;Bats\nBo Ek;Bats;Owls\n", FOUR[:2], []),
        ("Name: Ada Lund\nClub: Owls\n\nName: Bo Ek\nClub: Bats\n", FOUR[:2], []),
        ("Ada Lund: Owls\nBo Ek: Bats\nCy Dee: Owls\nDov Hart: Bats\n", FOUR, []),
        ("Ada Lund = Owls\nBo Ek = Bats\nCy Dee = Owls\nDov Hart = Bats\n", FOUR, []),
        ("Ada Lund, Bo Ek, Cy Dee and Dov Hart\n", FOUR, []),
        ("Ada Lund\nOwls\n\nBo Ek\nBats\n\nCy Dee\nOwls\n", FOUR[:3], ["Bats"]),
        ("Owls\nAda Lund\nBo Ek\n\nBats\nCy Dee\nDov Hart\n", FOUR, []),
        ("Ada Lund (she/her), Owls\nBo Ek (he/him), Owls\n", FOUR[:2], []),
        ("Ada Lund Sat Sun\nBo Ek Sat\nCy Dee\n", ["Cy Dee"], FOUR[:2]),
        ("Ada Lund\nBo Ek\nLi Wei Sun\n", ["Ada Lund", "Bo Ek", "Li Wei Sun"], []),
        ("Ada Lund.\nBo Ek.\nCy Dee.\n", FOUR[:3], []),
        ("Nr. 1: Ada Lund\nNr. 2: Bo Ek\n", FOUR[:2], []),
        ("1/ Ada Lund\n2/ Bo Ek\n", FOUR[:2], []),
        ("Ada Lund 12.3.1980\nBo Ek 1.4.1990\n", FOUR[:2], []),
    ],
)
def test_of_lists_without_headings_what_can_be_read_as_names_is_proposed(
    text: str, taken: list[str], likely: list[str]
) -> None:
    read = read_roster_text(text, "list")
    assert sorted(player.name for player in read.players) == sorted(taken)
    assert sorted(doubt.name for doubt in read.doubtful if doubt.is_likely) == sorted(likely)
    assert not [problem.text for problem in read.problems if problem.weight is Weight.STOPS]


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("Club players\nAda Lund\nBo Ek\nCy Dee\nDov Hart\n", FOUR),
        ("Spieler Verein:\n\nAda Lund\nBo Ek\nCy Dee\nDov Hart\n", FOUR),
        ("Ada Lund, Bo Ek, José Ortega y Gasset\n", ["Ada Lund", "Bo Ek", "José Ortega y Gasset"]),
        ("Ada Lund, Bo Ek, Cy Dee e Silva\n", ["Ada Lund", "Bo Ek", "Cy Dee e Silva"]),
        ("Ada, Bo, Cy and Dov\n", ["Ada", "Bo", "Cy", "Dov"]),
        ("Ada L.\nBo E.\nCy D.\nEli Moss Jr.\n", ["Ada L.", "Bo E.", "Cy D.", "Eli Moss Jr."]),
        ("Ada Lund.\nBo Ek.\nCy D.\n", ["Ada Lund", "Bo Ek", "Cy D."]),
        ("João de Sá\nAna de Sá\nBo Ek\n", ["João de Sá", "Ana de Sá", "Bo Ek"]),
        ("Name: Ada Lund\nClub: Owls\nName: Bo Ek\nClub: Bats\nname: Cy Dee\nclub: Owls\n", FOUR[:3]),
    ],
)
def test_names_are_read_as_they_are_written(text: str, taken: list[str]) -> None:
    read = read_roster_text(text, "list")
    assert [player.name for player in read.players] == taken
    assert not [problem.text for problem in read.problems if problem.weight is Weight.STOPS]


def test_a_remark_behind_a_dash_below_a_numbered_list_is_proposed_as_nobody() -> None:
    read = read_roster_text("1. Ada Lund\n2. Bo Ek\n3. Cy Dee\n- bring clocks\n- lunch at one\n", "list")
    assert [player.name for player in read.players] == FOUR[:3]
    assert [doubt.is_likely for doubt in read.doubtful] == [False, False]


def test_an_answer_that_a_form_has_twice_is_kept_whole() -> None:
    read = read_roster_text("Name: Ada Lund\nEmail: a@x.no\nEmail: b@x.no\nName: Bo Ek\nEmail: c@x.no\n", "list")
    assert [player.more for player in read.players] == [(("Email", "a@x.no; b@x.no"),), (("Email", "c@x.no"),)]


@pytest.mark.parametrize(
    "text",
    [
        "Player 1: Ada Lund\nPlayer 2: Bo Ek\n",
        "Ada Lund (Red Hats / New York)\nBo Ek (Blue Owls / New Zealand)\n",
        "Ada Lund - Red Hats, New York\nBo Ek - Blue Owls, New Zealand\n",
    ],
)
def test_a_number_at_a_table_or_a_club_is_not_proposed_as_a_player(text: str) -> None:
    likely = [doubt.name for doubt in read_roster_text(text, "list").doubtful if doubt.is_likely]
    assert {*likely} <= {"Ada Lund", "Bo Ek"}


def test_a_name_that_is_taken_as_it_was_proposed_keeps_its_family_name() -> None:
    read = read_roster_text("van Dyk, Jan\nEk, Bo\n", "list", RosterChoices(rows={"1": "Jan van Dyk", "2": "Bo Ek"}))
    assert [(player.name, player.family_name) for player in read.players] == [
        ("Jan van Dyk", "van Dyk"),
        ("Bo Ek", "Ek"),
    ]


def test_what_was_taken_for_a_club_and_is_part_of_the_name_is_no_club() -> None:
    text = "1. Müller, Jürgen (Hannover) j@x.de\n2. Kai   Uwe\tKrüger\n3. Zoë Brandt\n4. Bo Ek\tOwls\n5. Cy Dee\n"
    chosen = {"1": "Jürgen Müller", "2": "Kai Uwe Krüger", "4": "Bo Eks"}
    read = read_roster_text(text, "list", RosterChoices(rows=chosen))
    assert [(player.name, player.club) for player in read.players if player.club] == [("Bo Eks", "Owls")]
    assert any("'Krüger' is part of the name" in problem.text for problem in read.problems)


def test_columns_that_nobody_named_can_be_named_on_the_page() -> None:
    text = "Ada Lund,Owls,Norway\nBo Ek,Bats,Paris\n"
    read = read_roster_text(text, "list", RosterChoices(columns={"column 2": "club", "column 3": "country"}))
    assert [(player.club, player.country) for player in read.players] == [("Owls", "Norway"), ("Bats", "Paris")]


def test_a_tab_in_a_table_with_other_signs_parts_the_cells_and_is_asked_about() -> None:
    read = read_roster_text("name,club\nAda Lund,Owls\nSam Tate\tBadgers\n", "list")
    assert [(doubt.line, doubt.text) for doubt in read.doubtful] == [(3, "Sam Tate · Badgers")]
    assert not any("line break" in problem.text for problem in read.problems)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada Lund (Owls (Oslo))\nBo Ek\nCy Dee\n", ["Ada Lund"]),
        ("Ada Lund (Owls (Oslo\nBo Ek\nCy Dee\n", ["Ada Lund"]),
        ("Ada Lund [Owls (Oslo) A]\nBo Ek\nCy Dee\n", ["Ada Lund"]),
        ("1. Ada Lund 2. Bo Ek 3. Cy Dee\n", ["1. Ada Lund 2. Bo Ek 3. Cy Dee"]),
        ("Ada Lund 12 Bo Ek 14\nCy Dee 11 Dov Hart 18\n", ["Ada Lund 12 Bo Ek 14", "Cy Dee 11 Dov Hart 18"]),
        ("Ada Lund - \nBo Ek - \nCy Dee - Owls\n", ["Cy Dee - Owls"]),
        ("Ada Lund –\nBo Ek – Owls\nCy Dee – Owls\n", []),
    ],
)
def test_a_name_is_proposed_without_what_is_left_of_a_bracket_or_a_dash(text: str, names: list[str]) -> None:
    read = read_roster_text(text, "list")
    assert [doubt.name for doubt in read.doubtful] == names
    assert not any(player.name.endswith(("-", "–", ")")) for player in read.players)


def test_numbers_without_a_name_beside_them_are_left_out_and_told() -> None:
    read = read_roster_text("1,Ada Lund,Owls\n2,Bo Ek,Owls\n3,,\n4,,\n", "list")
    assert [(player.name, player.club) for player in read.players] == [("Ada Lund", "Owls"), ("Bo Ek", "Owls")]
    assert not read.doubtful
    assert "numbers without a name, left out: row 3, 4" in [problem.text for problem in read.problems]


@pytest.mark.parametrize("number", ["7", "12.", "(3)", "1999"])
def test_a_number_alone_in_a_list_that_is_not_numbered_is_asked_about(number: str) -> None:
    read = read_roster_text(f"Ada Lund\nBo Ek\n{number}\nCy Dee\n", "list")
    assert [doubt.name for doubt in read.doubtful] == [number]


@pytest.mark.parametrize("empty", ["," * 199, "," * 500, "\n" * 10_001])
def test_players_below_rows_without_a_word_are_read(empty: str) -> None:
    read = read_roster_text(f"name,club\nAda Lund,X\n{empty}\nBo Ek,Y\n", "list")
    assert [player.name for player in read.players] == ["Ada Lund", "Bo Ek"]


@pytest.mark.parametrize(("rows", "columns"), [(2, 200), (2, 201), (5_000, 2), (5_001, 2)])
def test_a_list_is_read_to_its_end_or_refused(rows: int, columns: int) -> None:
    head = ",".join(["name", *(f"c{n}" for n in range(1, columns))])
    read = read_roster_text(f"{head}\n" + f"Ada Lund{',x' * (columns - 1)}\n" * (rows - 1), "list")
    assert len(read.players) + len(read.doubtful) == (rows - 1 if rows <= 5_000 and columns <= 200 else 0)


OFFICES = "TD|CTD|GM|Host|Orga|Staff"
AWAY = """withdrawn|not coming|can't come|wait list|stand-by|sick|abgesagt|krank|Warteliste|annulé|désisté|
liste d'attente|absente|cancelada|retirado|baja|lista de espera|ritirata|rinunciato|assenti|wycofany|nieobecna|afgemeld|
afwezig|avbokad|frafallen|afbud|peruutettu|maybe|pending|vielleicht|peut-être|quizás|forse|može|misschien|TBA|nein"""
HERE = """ok|coming|paid|checked in|dabei|bestätigt|confirmée|payé|inscrita|sí|iscritto|zapisana|tak|betaald|igen|evet|
kyllä|sim|påmeldt|yes"""


def words_of(listed: str) -> list[str]:
    return [word.strip() for word in listed.split("|")]


@pytest.mark.parametrize("said", words_of(f"{OFFICES}|{AWAY}"))
def test_the_office_of_a_player_or_that_one_is_away_is_no_club_and_is_asked_about(said: str) -> None:
    read = read_roster_text(f"Ada Lund (Owls)\nBo Ek ({said})\nCy Dee (Owls)\nDov Hart (Owls)\n", "list")
    assert [doubt.text for doubt in read.doubtful] == [f"Bo Ek · {said}"]


@pytest.mark.parametrize("said", words_of(HERE))
def test_that_a_player_comes_or_has_paid_is_no_club_and_no_doubt(said: str) -> None:
    read = read_roster_text(f"Ada Lund (Owls)\nBo Ek ({said})\nCy Dee (Owls)\nDov Hart (Owls)\n", "list")
    assert not read.doubtful
    assert [(player.name, player.club) for player in read.players[:2]] == [("Ada Lund", "Owls"), ("Bo Ek", "")]


@pytest.mark.parametrize(("countries", "clubs"), list(itertools.product(range(4), range(4))))
def test_what_is_a_country_or_a_refusal_is_a_country_where_most_others_are(countries: int, clubs: int) -> None:
    behind = ["NO", *("DE", "FR", "SE")[:countries], *("Owls", "Sea Bats", "Foxes")[:clubs]]
    listed = zip((*NAMES["plain"], "Eli Moss", "Fay Voss", "Gil Ross"), behind, strict=False)
    read = read_roster_text("".join(f"{name} ({said})\n" for name, said in listed), "list")
    assert any(doubt.line == 1 for doubt in read.doubtful) == (countries + 1 <= clubs)


@pytest.mark.parametrize("row", ["N.N.", "{} Moss / {} Voss"])
def test_however_many_rows_are_in_doubt_for_themselves_the_names_beside_them_are_not(row: str) -> None:
    for count in range(1, 7):
        in_doubt = [row.format(name, name) for name in ("Fay", "Gil", "Hal", "Ivo", "Jan", "Kai")[:count]]
        read = read_roster_text("\n".join([*NAMES["plain"], *in_doubt]), "list")
        assert (len(read.doubtful), [player.name for player in read.players]) == (count, [*NAMES["plain"]])


def test_a_name_that_is_none_without_its_bracket_is_not_likely() -> None:
    read = read_roster_text("Ada Lund (Owls) - Paris\nBo Ek (Owls)\nCy Dee\nDov Hart\nEli Moss\n", "list")
    assert [(doubt.name, doubt.is_likely) for doubt in read.doubtful] == [("Ada Lund - Paris", False), ("Bo Ek", True)]

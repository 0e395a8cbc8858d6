"""A roster is read as people save it, and all its faults are told at once."""

import re
from io import BytesIO
from pathlib import Path
from random import Random
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from pipeline.desk.roster_file import read_roster_bytes, read_roster_text
from pipeline.desk.roster_workbook import _measure_xlsx, _struck_in_excel
from pipeline.draw.list_as_read import RosterChoices
from pipeline.draw.roster import read_roster_rows
from pipeline.problems import Stopped, Weight

PEOPLE = ("Ada", "Bo", "Cy", "Dov", "Eli", "Fay", "Gil", "Hal", "Ida", "Jo", "Kim")


def test_a_roster_is_read_with_semicolons_a_byte_order_mark_and_blank_lines() -> None:
    text = "\ufeffName;Team;Distance km;Preregistered\n\nJosé  Núñez;Owls;1200;yes\nÅsa Öberg;;;no\n"

    read = read_roster_text(text, "players.csv")
    players, problems = read.players, read.problems

    assert problems == ()
    assert [(p.name, p.team, p.distance_km, p.preregistered) for p in players] == [
        ("José Núñez", "Owls", 1200, True),
        ("Åsa Öberg", "", None, False),
    ]


def test_a_column_by_which_somebody_is_asked_about_is_not_said_to_have_no_use() -> None:
    problems = read_roster_text("name,status\nAna Diaz,ok\nBo Ek,cancelled\n", "players.csv").problems
    assert [str(p) for p in problems if "column" in p.text] == [
        "notes  players.csv row 1: the column 'status' is kept; whom it says not to play, you are asked about"
    ]
    assert any("Bo Ek" in p.text for p in problems)


def test_every_fault_of_a_roster_is_told_with_its_row() -> None:
    text = "name,tem,distance_km,keep_apart\nAna,x,far,\n=1+1,,,\nana,,,Bob\n,y,,\n"

    problems = read_roster_text(text, "players.csv").problems

    assert [str(p) for p in problems] == [
        "asks   players.csv row 3: '=1+1' may be no player: no letter in it",
        "asks   players.csv row 5: 'y' may be no player: no name in it",
        "notes  players.csv row 1: the column 'tem' is kept, and the program makes no use of it; did you mean 'team'?",
        "stops  players.csv row 2: distance_km: expected a whole number, found 'far'",
        "stops  players.csv row 4: 'ana' stands twice, also in row 2; add an initial to one of them",
        "stops  players.csv ana: keep_apart: nobody is called 'Bob'; write whole names with ; or / or a comma between",
    ]


@pytest.mark.parametrize("first", "=+-@")
def test_a_name_that_a_spreadsheet_would_compute_is_told_and_kept(first: str) -> None:
    """The signs that OWASP lists under "CSV injection"."""
    (player,), (problem,) = read_roster_rows([["name"], [f"{first}Ana {first} Diaz"]], "players.csv")
    assert (player.name, problem.weight) == (f"{first}Ana {first} Diaz", Weight.NOTES)
    assert "begins like a formula" in problem.text
    assert read_roster_rows([["name"], [f"Ana {first} Diaz"]], "players.csv")[1] == ()


def test_rows_without_a_name_are_told_as_such_and_are_no_name_that_stands_twice() -> None:
    _, problems = read_roster_rows([["name", "club"], ["", "Owls"], ["", "Owls"], ["Ana", ""]], "event.toml players")
    assert [problem.text for problem in problems] == ["a player without a name"] * 2


def test_several_to_be_kept_apart_from_stand_with_any_of_three_signs_between() -> None:
    text = 'name;keep apart\nAna;"Bo; Cy Day"\nBo;Ana/Cy Day\nCy Day;"Ana, Bo, Dee, E."\n"Dee, E.";\n'

    read = read_roster_text(text, "players.csv")

    assert [p.text for p in read.problems] == ["'Dee, E.' is taken as 'E. Dee'"]
    assert [p.keep_apart for p in read.players] == [("Bo", "Cy Day"), ("Ana", "Cy Day"), ("Ana", "Bo", "E. Dee"), ()]


def test_an_empty_roster_and_one_without_names_say_what_is_wanted() -> None:
    assert [p.text for p in read_roster_text("\n\n", "a.csv").problems] == [
        "the roster is empty; give one player a row under a heading 'name'"
    ]
    assert "no column 'name'" in read_roster_text("club,team\nOwls,A\n", "a.csv").problems[-1].text


def test_columns_that_the_program_does_not_know_are_kept_as_they_are_and_named() -> None:
    read = read_roster_text('Name,E-Mail,Club,\nAna,a@b.pt,Owls,"two\nlines"\nBo,,,\n', "players.csv")
    players, problems = read.players, read.problems

    assert [(p.name, p.club, p.more) for p in players] == [
        ("Ana", "Owls", (("E-Mail", "a@b.pt"), ("column 4", "two\nlines"))),
        ("Bo", "", ()),
    ]
    assert [(str(p.weight), p.text.split("'")[1]) for p in problems] == [("notes", "E-Mail"), ("notes", "column 4")]


def test_a_list_of_nothing_but_names_needs_no_heading() -> None:
    read = read_roster_text("Ana Silva\n\nBo Ek\n", "the list")
    players, problems = read.players, read.problems

    assert ([p.name for p in players], problems) == (["Ana Silva", "Bo Ek"], ())


@pytest.mark.parametrize("wide", [1, 2, 3, 4, 5])
def test_of_a_list_of_names_the_rows_that_hold_more_are_asked_about(wide: int) -> None:
    rows = [f"{name} Moss;Owls;Paris" if number < wide else f"{name} Moss" for number, name in enumerate(PEOPLE)]
    read = read_roster_text("\n".join(rows), "list")
    assert [doubt.text for doubt in read.doubtful] == [f"{name} Moss, Owls, Paris" for name in PEOPLE[:wide]]
    assert [player.name for player in read.players] == [f"{name} Moss" for name in PEOPLE[wide:]]


def test_a_heading_that_may_be_a_misspelt_one_is_nobodys_name() -> None:
    assert "did you mean 'name'" in read_roster_text("Nmae\nAna\n", "a.csv").problems[-1].text
    for heading in ("Players", "full name", "Spieler"):
        assert [p.name for p in read_roster_text(f"{heading}\nAna\n", "a.csv").players] == ["Ana"]


def test_a_column_that_stands_twice_and_a_row_with_too_many_cells_are_told_with_all_other_faults() -> None:
    problems = read_roster_text("name,Club,club\nSilva, Ana, Owls, x\n,,\n\nana,y,\n", "players.csv").problems

    assert [(p.where, p.text.split(";")[0]) for p in problems] == [
        ("players.csv row 1", "the column 'club' stands twice"),
        ("players.csv row 2", "4 cells in 3 columns"),
    ]


LISTS = {
    "two columns": ("First Name,Last Name\nAda,Lund\n", ("Ada Lund", "Lund")),
    "family name first": ("Nom;Prénom;Pays\nLund;Ada;Suède\n", ("Ada Lund", "Lund")),
    "Spanish": ("Nombre\tApellidos\nAda\tLund Ek\n", ("Ada Lund Ek", "Lund Ek")),
    "with a comma": ('name\n"Lund, Ada"\n', ("Ada Lund", "Lund")),
    "a suffix is no first name": ('name\n"Ada Lund, Jr."\n', ("Ada Lund, Jr.", "")),
    "decomposed": ("name\nZoe\u0308 Lund\n", ("Zo\u00eb Lund", "")),
    "a separator that is said": ("sep=|\nname|club\nAda Lund|a;b\n", ("Ada Lund", "")),
    "titles and totals": ("The Cup,,\n,,\nName,Club,Land\nAda Lund,Owls,N\nTotal,1,\n", ("Ada Lund", "")),
    "a form's question": ("Timestamp,What is your full name?\n1.2.26,Ada Lund\n", ("Ada Lund", "")),
}


@pytest.mark.parametrize(("text", "wanted"), LISTS.values(), ids=LISTS.keys())
def test_a_list_is_read_as_other_programs_write_it(text: str, wanted: tuple[str, str]) -> None:
    read = read_roster_text(text, "list.csv")

    assert [(p.name, p.family_name) for p in read.players] == [wanted]
    assert [p for p in read.problems if p.weight is Weight.STOPS] == []


def test_what_a_director_says_of_a_column_is_followed() -> None:
    text = "Who,Name of the club,Team\nAda,Owls,1\n"

    assert "no column 'name'" in read_roster_text(text, "a.csv").problems[-1].text

    chosen = {"Who": "name", "Name of the club": "club", "Team": ""}
    [player] = read_roster_text(text, "a.csv", RosterChoices(columns=chosen)).players
    assert (player.name, player.club, player.team, player.more) == ("Ada", "Owls", "", (("Team (as listed)", "1"),))


def test_of_two_columns_of_names_none_is_read_in_silence() -> None:
    text = "Player,Name\ngamer1,Ada Lund\ngamer2,Bo Ek\n"
    [problem] = read_roster_text(text, "list").problems
    assert str(problem).startswith("stops  list: the columns 'Player' and 'Name' all mean 'name'; say which")

    kept = read_roster_text(text, "list", RosterChoices(columns={"Player": ""}))
    assert [(player.name, player.more) for player in kept.players] == [
        ("Ada Lund", (("Player", "gamer1"),)),
        ("Bo Ek", (("Player", "gamer2"),)),
    ]
    same = read_roster_text("Player,Name\nAda Lund,Ada Lund\n", "list")
    assert ([player.name for player in same.players], same.problems) == (["Ada Lund"], ())


def test_two_entries_of_one_person_are_asked_about_and_merged_or_kept() -> None:
    text = "name,club,email\nSean O'Brien,Owls,a@b\nSéan O’Brien,,c@d\n"

    asked = read_roster_text(text, "a.csv")
    merged = read_roster_text(text, "a.csv", RosterChoices(merged=("Sean O'Brien",)))
    kept = read_roster_text(text, "a.csv", RosterChoices(both=("Sean O'Brien",)))

    assert (asked.problems[0].where, asked.alike) == ("a.csv row 3", ("Séan O’Brien",))
    cyrillic = read_roster_text("name\nCapa Ek\n\u0421\u0430\u0440\u0430 Ek\n", "a.csv")
    assert cyrillic.alike == ("\u0421\u0430\u0440\u0430 Ek",)
    assert [(p.name, p.club, p.more) for p in merged.players] == [("Sean O'Brien", "Owls", (("email", "c@d"),))]
    assert [p.name for p in kept.players] == ["Sean O'Brien", "Séan O’Brien"]


def test_each_question_about_a_name_decides_on_its_own_rows() -> None:
    text = "name,club\nCleo Hart,\nCleo Hart,Owls\ncleo hart,Bats\nCléo Hart,Cats\n"

    asked = read_roster_text(text, "a.csv")
    assert (asked.alike, asked.same) == (("Cleo Hart", "cleo hart", "Cléo Hart"), ("Cleo Hart", "cleo hart"))

    first = read_roster_text(text, "a.csv", RosterChoices(merged=("Cleo Hart",)))
    assert (first.alike, first.same) == (("cleo hart", "Cléo Hart"), ("cleo hart",))
    assert [p.name for p in first.players] == ["Cleo Hart", "cleo hart", "Cléo Hart"]

    both = ("Cléo Hart",)
    second = read_roster_text(text, "a.csv", RosterChoices(merged=("Cleo Hart", "cleo hart"), both=both))
    assert (second.alike, [(p.name, p.club) for p in second.players]) == (
        (),
        [("Cleo Hart", "Bats"), ("Cléo Hart", "Cats")],
    )
    assert not [p for p in second.problems if p.weight is Weight.STOPS]


def test_two_people_of_the_same_name_need_an_initial_and_cannot_be_kept_apart_otherwise() -> None:
    text = "name;club\nSmith, John;\nJohn Smith;\n"
    read = read_roster_text(text, "a.csv", RosterChoices(both=("John Smith",)))
    assert (read.alike, read.same) == (("John Smith",), ("John Smith",))
    assert "add an initial" in read.problems[-1].text


def test_a_file_asks_what_a_typed_list_asks() -> None:
    text = "name\nSean O'Brien\nSéan O’Brien\n"
    assert read_roster_bytes(text.encode(), "a.csv").alike == ("Séan O’Brien",)


def test_a_heading_that_is_nearly_one_is_named() -> None:
    text = "Naem,Owl\nAda,1\n"
    assert "found 'Naem'; did you mean 'name'?" in read_roster_text(text, "a.csv").problems[-1].text


def test_utf_16_is_read_with_and_without_its_mark() -> None:
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        read = read_roster_bytes("Name\tClub\r\nZoë Łuk\tOwls\r\n".encode(encoding), "list.txt")
        assert [(p.name, p.club) for p in read.players] == [("Zoë Łuk", "Owls")]


def test_hidden_rows_are_told_and_merged_cells_filled_down() -> None:
    book = Workbook()
    sheet = book.worksheets[0]
    for row in (["Name", "Team"], ["Ada", "Owls"], ["Bo", None], ["Cy", "Bats"]):
        sheet.append(row)
    sheet.merge_cells("B2:B3")
    sheet.row_dimensions[4].hidden = True
    out = BytesIO()
    book.save(out)

    read = read_roster_bytes(out.getvalue(), "list.xlsx")

    assert [(p.name, p.team) for p in read.players] == [("Ada", "Owls"), ("Bo", "Owls"), ("Cy", "Bats")]
    assert [p.text for p in read.problems] == ["hidden in the sheet, and read all the same: row 4"]


def test_what_a_merged_cell_hides_is_not_written_over_and_empty_rows_above_a_list_are_counted() -> None:
    book, out = Workbook(), BytesIO()
    sheet = book.worksheets[0]
    teams = {"Name": "Team", "Ada": "Owls", "Bo": "Bats", "Cy": None, "cy": None}
    for row, line in enumerate(teams.items(), start=3):
        sheet.cell(row, 2, line[0])
        sheet.cell(row, 3, line[1])
    sheet["B1"] = "Players"
    sheet.merged_cells.add("B1:C2")  # a title says nothing of the rows below
    sheet.merged_cells.add("C4:C6")  # unlike ``merge_cells`` this leaves what is below, as some programs do
    book.save(out)

    read = read_roster_bytes(out.getvalue(), "list.xlsx")

    assert [(p.name, p.team) for p in read.players] == [("Ada", "Owls"), ("Bo", "Bats"), ("Cy", "Owls"), ("cy", "")]
    assert [p.where for p in read.problems][-1] == "list.xlsx Sheet row 7"  # twice the same name
    assert "Players" in read.problems[0].text


@pytest.mark.parametrize(("rows", "columns"), [(1_000_000, 1), (2, 16_000)])
def test_a_workbook_that_no_list_fills_is_refused(rows: int, columns: int) -> None:
    cell = '<c r="{}" t="inlineStr"><is><t>x</t></is></c>'
    if columns > 1:
        lines = "<row>" + "".join(cell.format("") for _ in range(columns)) + "</row>"
    else:
        lines = "".join(f'<row r="{n}">{cell.format(f"A{n}")}</row>' for n in range(1, rows + 1, 100))
    book, out = Workbook(), BytesIO()
    book.save(out)
    big = BytesIO()
    with ZipFile(out) as old, ZipFile(big, "w", ZIP_DEFLATED) as new:
        for part in old.namelist():
            data = old.read(part)
            if part == "xl/worksheets/sheet1.xml":
                data = re.sub(rb"<sheetData.*?(/>|</sheetData>)", f"<sheetData>{lines}</sheetData>".encode(), data)
            new.writestr(part, data)

    with pytest.raises(Stopped, match="no roster has more than"):
        read_roster_bytes(big.getvalue(), "list.xlsx")


@pytest.mark.parametrize("seed", range(6))
def test_a_sheet_is_measured_by_its_filled_cells_whatever_their_order(seed: int) -> None:
    dice = Random(seed)
    filled = {(dice.randint(1, 40), dice.randint(1, 30)) for _ in range(dice.randint(1, 12))}
    hidden = set(dice.sample(range(1, 60), 8))
    book, out = Workbook(), BytesIO()
    sheet = book.worksheets[0]
    for row, column in filled:
        sheet.cell(row, column, "x")
    for row in hidden:
        sheet.row_dimensions[row].hidden = True
    book.save(out)
    with ZipFile(out) as archive:
        found = _measure_xlsx(archive, "xl/worksheets/sheet1.xml", _struck_in_excel(archive), "list.xlsx")
    rows, columns = map(max, zip(*filled, strict=True))
    assert (found.rows, found.columns) == (rows, columns)
    assert found.hidden == tuple(sorted(row for row in hidden if row <= rows))
    assert (found.struck, found.uncalculated) == ((), ())


@pytest.mark.parametrize(
    ("first", "repeated"),
    [("name", "\nP"), ("P", "\rP"), ("name", ",c"), ("name\nAna", ",x")],
    ids=["a million rows", "a million names", "a million columns", "a million cells in a row"],
)
def test_a_text_that_is_larger_than_any_roster_is_refused_before_it_is_read_whole(first: str, repeated: str) -> None:
    read = read_roster_text(first + repeated * 1_000_000 + "\n", "players.csv")

    assert read.players == ()
    assert "no roster has more than" in read.problems[-1].text


REPORTED = (
    "apos.csv", "comma-names.csv", "distance.csv", "firstlast.csv", "formula-with-values.xlsx", "formula.ods",
    "merged_team.xlsx", "old-excel.xls", "scripts.csv", "semi_latin1.csv", "title.csv", "utf16tab.txt",
    "vornamename.csv",
)  # fmt: skip


@pytest.mark.parametrize("name", REPORTED)
def test_every_reported_roster_is_read_or_asks(shared: Path, name: str) -> None:
    path = shared / f"data/reported/roster-{name}"
    read = read_roster_bytes(path.read_bytes(), path.name)
    stops = [p.text for p in read.problems if p.weight is Weight.STOPS]

    assert all("may be" in text or "looks like" in text for text in stops)
    assert len(read.players) >= 2
    if path.suffix == ".xls":
        assert any("hidden rows" in problem.text for problem in read.problems)


HEADS = ("name", "team", "distance_km", "club", "E-mail")


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_cells_and_rows_that_are_left_empty_make_no_difference(seed: int) -> None:
    """A spreadsheet program writes all cells of a row or stops at the last that holds something."""
    dice = Random(seed)
    heads = ["name", *dice.sample(HEADS[1:], dice.randint(1, 4))]
    values = {"name": "", "team": "Owls", "distance_km": "12", "club": "Moot", "E-mail": "x@y"}
    rows = [
        [f"Player {number}", values[heads[1]], *(dice.choice(("", values[head])) for head in heads[2:])]
        for number in range(dice.randint(1, 6))
    ]
    whole = [heads, *rows]
    cut = [",".join(row).rstrip(",") for row in whole]
    for _ in range(dice.randint(0, 3)):
        cut.insert(dice.randint(1, len(cut)), dice.choice(("", ",,", " ")))
    found = read_roster_text("\n".join(map(",".join, whole)), "list")
    again = read_roster_text("\n".join(cut), "list")

    assert again.players == found.players
    assert again.columns == found.columns
    assert [column.sample for column in found.columns] == [
        next((row[n] for row in rows if row[n]), "") for n in range(len(heads))
    ]


@pytest.mark.parametrize(("rows", "columns", "refused"), [(2, 200, False), (2, 201, True), (5001, 1, True)])
def test_a_list_of_more_rows_or_columns_than_any_roster_has_is_refused(rows: int, columns: int, refused: bool) -> None:
    heading = ["name", *(f"question {number}" for number in range(2, columns + 1))]
    text = "\n".join([",".join(heading), *(f"Player {number}" for number in range(2, rows + 1))])

    problems = read_roster_text(text, "list").problems

    assert any("no roster has more than 5000 and 200" in problem.text for problem in problems) == refused


def test_signs_of_a_page_of_the_web_are_letters_again() -> None:
    players = read_roster_text("name,club\nAda M&uuml;ller,Moot\nBo Lund,Moot\n", "list").players
    assert [each.name for each in players] == ["Ada Müller", "Bo Lund"]


def test_a_column_without_a_heading_is_not_shown() -> None:
    columns = read_roster_text("name,,club\nAda Lund,x,Moot\n", "list").columns
    assert [column.heading for column in columns] == ["name", "club"]

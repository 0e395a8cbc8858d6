"""What cannot be printed on a line is no name and no note: a list is put right, every other door refuses it."""

from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from click.testing import CliRunner
from facts_as_kept import read_facts
from openpyxl import Workbook

from desk.cup import clock, seated
from pipeline.cli import group
from pipeline.desk.event.event import open_event
from pipeline.desk.event.event_file import read_event_file
from pipeline.desk.roster_file import read_roster_bytes, read_roster_text
from pipeline.problems import Stopped

BAD = {
    "bell": "\x07",
    "escape": "\x1b[31m",
    "null": "\x00",
    "line break": "\n",
    "delete": "\x7f",
    "next line": "\x85",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
    "right to left from here": "\u202e",
    "isolate": "\u2066",
    "no width": "\u200b",
    "no character": "\uffff",
}
bad_signs = pytest.mark.parametrize("sign", BAD.values(), ids=BAD.keys())


@bad_signs
def test_a_list_of_players_is_put_right_or_asks_in_every_column_with_its_line(sign: str) -> None:
    text = f'name,club\n"Ana{sign}Silva",Owls\n\nBo Ek,"Ow{sign}ls"\n'
    read = read_roster_text(text, "players.csv")
    if sign in ("\x1b[31m", "\uffff", "\x85"):  # what is left is no name; the third is the dots of another encoding
        assert [(doubt.line, doubt.text[-4:]) for doubt in read.doubtful] == [(2, "Owls")]
    else:
        ends_line = sign in "\n\u2028\u2029"
        club = "Ow ls" if ends_line else "Owls"
        assert [(each.name, each.club) for each in read.players] == [("Ana Silva", "Owls"), ("Bo Ek", club)]
        told = {"\n": ["row 2, 5"], "\u2028": ["row 2, 4"], "\u2029": ["row 2, 4"]}.get(
            sign, ["taken for blanks: 'Ana Silva' in row 2", "row 4"]
        )
        assert all(any(problem.text.endswith(text) for problem in read.problems) for text in told)


@pytest.mark.parametrize("name", ["Zoë Łuk", "משה\u200f לוי", "می\u200cخواهم", "O'Neil \u00a0Pat", "李小龍"])
def test_a_name_as_people_write_it_is_taken(name: str) -> None:
    read = read_roster_text(f"name\n{name}\n", "players.csv")
    assert [player.name for player in read.players] == [" ".join(name.split())]
    assert read.problems == ()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('name,team\nAna,Owls\n"Bo,Owls\nCy,\n', 3),
        ('name,team\n"Bo" Ek,Owls\nCy,\n', 2),
        ('name,team\nAna,Owls\n"Bo,Owls\n"Cy",Eagles\n', 3),
        ('"name\nAna\n', 1),
    ],
)
def test_a_quote_that_is_not_closed_is_told_with_its_line(text: str, line: int) -> None:
    problems = read_roster_text(text, "players.csv").problems
    assert [problem.where for problem in problems] == [f"players.csv row {line}"]
    assert "quote" in problems[0].text


def test_the_rows_before_a_broken_quote_are_looked_through_too() -> None:
    problems = read_roster_text('name,distance_km\nAna,far\n"Bo,3\n', "players.csv").problems
    assert [problem.where for problem in problems] == ["players.csv row 2", "players.csv row 3"]


@pytest.mark.parametrize("number", ["²", "١", "9" * 5000, "-1", "1.5"])
def test_a_number_of_a_roster_is_one_that_people_count_with(number: str) -> None:
    problems = read_roster_text(f"name,distance_km\nAna,{number}\n", "players.csv").problems
    assert [problem.where for problem in problems] == ["players.csv row 2"]


def test_a_workbook_is_put_right_too() -> None:
    book = Workbook()
    assert book.active is not None
    for row in (["name"], ["Ana SIGN Silva"], ["Bo"]):
        book.active.append(row)
    saved, spoilt = BytesIO(), BytesIO()
    book.save(saved)
    with ZipFile(saved) as old, ZipFile(spoilt, "w", ZIP_DEFLATED) as new:
        for part in old.namelist():
            new.writestr(part, old.read(part).replace(b"SIGN", "\u2028".encode()))
    read = read_roster_bytes(spoilt.getvalue(), "players.xlsx")
    assert [player.name for player in read.players] == ["Ana Silva", "Bo"]
    assert any(problem.text.endswith("row 2") for problem in read.problems)


@bad_signs
def test_the_file_of_an_event_refuses_it(sign: str, tmp_path: Path) -> None:
    file = seated(tmp_path / "cup") / "event.toml"
    written = "".join(f"\\u{ord(each):04x}" for each in sign)
    file.write_text(file.read_text("utf-8").replace('"Ada"', f'"Ad{written}a"'), "utf-8")
    with pytest.raises(Stopped, match=f"U\\+{ord(sign[0]):04X}"):
        read_event_file(file)


@bad_signs
@pytest.mark.parametrize("asked", [["--add", "X{}Y"], ["--rename", "Ada", "X{}Y"], ["--add", "Zed", "--club", "C{}D"],
                                   ["--add", "Zed", "--why", "C{}D"], ["--left", "Ada", "--by", "C{}D"]])  # fmt: skip
def test_a_command_refuses_it_and_writes_nothing_down(asked: list[str], sign: str, tmp_path: Path) -> None:
    if sign == "\n" and asked[-2] in ("--why",):
        pytest.skip("lines may stand in what is kept beside a name")
    folder = seated(tmp_path / "cup")
    ran = CliRunner().invoke(group, ["players", str(folder), *(word.replace("{}", sign) for word in asked)])
    assert isinstance(ran.exception, Stopped)
    with open_event(folder, clock) as event:
        assert [fact.kind for fact in read_facts(event.facts)] == ["players numbered", "seated"]


@bad_signs
@pytest.mark.parametrize("asked", [["award", "Best{}Tactics", "Ada"], ["excluded", "Ada", "--why", "so{}so"],
                                   ["country", "Ada", "New{}Zealand"]])  # fmt: skip
def test_a_note_refuses_it_and_writes_nothing_down(asked: list[str], sign: str, tmp_path: Path) -> None:
    if sign == "\n":
        pytest.skip("what parts the lines of a text is a blank in a note")
    folder = seated(tmp_path / "cup")
    ran = CliRunner().invoke(group, ["enter", str(folder), *(word.replace("{}", sign) for word in asked)])
    assert isinstance(ran.exception, Stopped), ran.output
    assert f"U+{ord(sign[0]):04X}" in str(ran.exception)
    with open_event(folder, clock) as event:
        assert [fact.kind for fact in read_facts(event.facts)] == ["players numbered", "seated"]


@bad_signs
def test_an_event_is_not_called_so(sign: str, tmp_path: Path) -> None:
    (tmp_path / "players.csv").write_text("name\nAna\n", "utf-8")
    asked = ["--tournament", "weaselmoot", "--roster", str(tmp_path / "players.csv"), "--name", f"Cup{sign}2"]
    ran = CliRunner().invoke(group, ["new", str(tmp_path / "cup"), *asked])
    assert isinstance(ran.exception, Stopped)
    assert not (tmp_path / "cup" / "event.toml").exists()


def test_a_line_that_holds_more_than_a_name_is_asked_about_in_a_list_with_a_name_a_line() -> None:
    read = read_roster_text("Ada Lund\nHart, Cleo\nBo Ek\nCem Day\n", "the list")
    assert [player.name for player in read.players] == ["Ada Lund", "Bo Ek", "Cem Day"]
    assert [(doubt.line, doubt.name, doubt.is_likely) for doubt in read.doubtful] == [(2, "Cleo Hart", True)]

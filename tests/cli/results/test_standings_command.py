"""``standings`` writes the workbook, the sheets to pin up, or a list, and says what is in doubt."""

import csv
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import ZipFile

import pypdfium2
import pytest
from commands import run
from openpyxl import load_workbook

from cli.test_day import NAMES
from pipeline.desk.event.event import open_event
from pipeline.desk.event.seating import seat_round
from pipeline.desk.results.results import scored_event
from pipeline.ledger.files import now
from pipeline.problems import ExitCode
from pipeline.scoring.stakes import doubts_in_short, level_so_far_in_short, list_due, weigh_doubts
from pipeline.workbook.package import was_saved_elsewhere


def event(folder: Path, tournament: str = "weaselmoot") -> str:
    """An event whose only game was abandoned at once: all are level."""
    roster = folder / "players.csv"
    roster.write_text("name\n" + "\n".join(NAMES.values()), "utf-8")
    cup = folder / "cup"
    run("new", str(cup), "--tournament", tournament, "--roster", str(roster), "--name", "Cup", "--code", "ABCD")
    with open_event(cup, now) as the_event:
        seat_round(the_event, 1, {"1": NAMES}, by="Tess")
    run("end", str(cup), "--board", "1", "--how", "abandoned", "--why", "the hall closed")
    return str(cup)


def rows_of(path: Path) -> list[list[str]]:
    return list(csv.reader(StringIO(path.read_bytes().decode("utf-8-sig"))))


def test_what_is_in_doubt_is_told_by_the_command_too(tmp_path: Path) -> None:
    cup = event(tmp_path, "edc1996")
    told = run("standings", cup, "-o", str(tmp_path / "s.xlsx")).splitlines()
    doubts = [line for line in told if line.startswith("In doubt, ")]
    sheet = load_workbook(tmp_path / "s.xlsx")["Doubts"]
    listed = [[str(cell.value or "") for cell in row[:4]] for row in sheet.iter_rows(min_row=5) if row[0].value]
    assert any("abandoned" in what and where == "round 1, 1" for _, _, where, what in listed)
    nothing = ("but no title and no place hangs on it now", "but what is still to be played may settle it")
    assert len(doubts) == len(listed)
    for doubt, (stake, titles, where, what) in zip(doubts, listed, strict=True):
        hangs = nothing if stake == "nothing" else (f"decides {titles or stake}",)
        assert doubt in {f"In doubt, {each}: {where}: {what}" for each in hangs}


def test_a_tie_that_the_next_round_may_break_is_no_doubt_in_the_command_nor_in_the_workbook(tmp_path: Path) -> None:
    """All are level for first place: settling that changes places, but the next round may do so first."""
    cup = event(tmp_path)
    told = run("standings", cup, "-o", str(tmp_path / "s.xlsx"))
    with open_event(Path(cup), now) as the_event:
        weighed = weigh_doubts(scored_event(the_event))
    waiting = level_so_far_in_short(weighed)
    assert waiting
    assert waiting in told.splitlines()
    assert not any(": place " in line for line in told.splitlines() if line.startswith("In doubt"))
    book = load_workbook(tmp_path / "s.xlsx")
    front = {str(cell.value) for row in book["Standings"].iter_rows() for cell in row}
    due = doubts_in_short(weighed)
    assert any(f"{due}: see Doubts" in line for line in front) == bool(list_due(weighed))
    assert waiting in str(book["Doubts"]["A2"].value)


def test_a_csv_is_a_csv_with_the_places(tmp_path: Path) -> None:
    out = tmp_path / "s.csv"
    run("standings", event(tmp_path), "-o", str(out))
    heads, *rows = rows_of(out)
    assert heads[:5] == ["Place", "Shared", "Player", "R1", "R1 ×"]
    assert heads[-2:] == ["Total", "Decided by"]
    assert {row[2] for row in rows} == set(NAMES.values())
    by_name = {row[2]: row for row in rows}
    assert float(by_name["Player R"][heads.index("Total")]) > float(by_name["Player A"][heads.index("Total")])


@pytest.mark.parametrize("name", ["s.ods", "s", "s.xls", "s.txt"])
def test_what_it_cannot_write_it_refuses_and_writes_nothing(tmp_path: Path, name: str) -> None:
    told = run("standings", event(tmp_path), "-o", str(tmp_path / name), code=2)
    assert all(ending in told for ending in (".xlsx", ".pdf", ".csv"))
    assert not (tmp_path / name).exists()
    run("standings", str(tmp_path / "cup"), "-o", str(tmp_path / "s.csv"), "--wall", code=2)
    assert not (tmp_path / "s.csv").exists()


def test_a_workbook_into_which_somebody_typed_is_kept_when_it_is_written_again(tmp_path: Path) -> None:
    cup, book = event(tmp_path), tmp_path / "standings.xlsx"
    write = ["standings", cup, "-o", str(book)]
    for _ in range(2):
        assert "is kept as" not in run(*write)
    for number in (1, 2):
        typed = load_workbook(book)
        typed["Players"]["B30"] = "typed"
        typed.save(book)
        assert f"is kept as {tmp_path / 'standings'} (changed {number}).xlsx" in run(*write)
        kept = load_workbook(tmp_path / f"standings (changed {number}).xlsx")
        assert kept["Players"]["B30"].value == "typed"
        assert load_workbook(book)["Players"]["B30"].value is None


class InUse(PermissionError):
    """What Windows says of a file that another program has open."""

    winerror = 32


def test_a_workbook_that_is_open_elsewhere_is_told_and_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Excel on Windows lets nobody rename what it has open."""
    cup, book = event(tmp_path), tmp_path / "standings.xlsx"
    run("standings", cup, "-o", str(book))
    load_workbook(book).save(book)
    before = book.read_bytes()

    def refuse(path: Path, target: Path) -> Path:
        raise InUse(13, "used by another program", str(path), str(target))

    monkeypatch.setattr(Path, "rename", refuse)
    assert "close it in the spreadsheet" in run("standings", cup, "-o", str(book), code=ExitCode.MACHINE_LACKS)
    assert book.read_bytes() == before


def test_a_workbook_of_a_program_that_says_nothing_of_itself_was_saved_elsewhere() -> None:
    bare = BytesIO()
    with ZipFile(bare, "w") as package:
        package.writestr("xl/workbook.xml", "<workbook/>")
    assert was_saved_elsewhere(bare.getvalue())
    assert not was_saved_elsewhere(b"no workbook at all")


def test_the_set_for_the_wall_has_neither_what_is_typed_nor_how_it_comes_about(tmp_path: Path) -> None:
    out = tmp_path / "wall.xlsx"
    run("standings", event(tmp_path), "-o", str(out), "--wall")
    book = load_workbook(out)
    assert book.sheetnames == ["Standings", "Rounds", "Awards"]
    for sheet in book.worksheets:
        assert all(cell.data_type not in ("f", "e") for row in sheet.iter_rows() for cell in row)
        assert sheet.page_setup.fitToWidth == 1


def test_a_pdf_has_the_sheets_to_pin_up_and_no_page_of_it_is_empty(tmp_path: Path) -> None:
    out = tmp_path / "wall.pdf"
    run("standings", event(tmp_path), "-o", str(out))
    pages = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(BytesIO(out.read_bytes()))]
    for sheet, text in zip(("Standings", "Rounds", "Awards"), pages, strict=True):
        assert sheet in text
        assert len(text.split()) > 20


def test_a_list_with_semicolons_has_decimal_commas(tmp_path: Path) -> None:
    cup, commas, semicolons = event(tmp_path), tmp_path / "s.csv", tmp_path / "t.csv"
    run("standings", cup, "-o", str(commas))
    run("standings", cup, "-o", str(semicolons), "--semicolons")
    lines = [
        list(csv.reader(StringIO(file.read_text("utf-8-sig")), delimiter=sign))
        for file, sign in ((commas, ","), (semicolons, ";"))
    ]
    column = lines[0][0].index("Total")
    assert [line[column].replace(".", ",") for line in lines[0][1:]] == [line[column] for line in lines[1][1:]]
    assert any("," in line[column] for line in lines[1][1:])
    assert "--semicolons is for .csv" in run("standings", cup, "-o", str(tmp_path / "s.pdf"), "--semicolons", code=2)


def test_sealed_standings_tell_how_many_doubts_there_are_and_not_which(tmp_path: Path) -> None:
    told = run("standings", event(tmp_path, "edc1996"), "-o", str(tmp_path / "s.csv"), "--sealed")
    assert "the standings are sealed" in told
    assert "In doubt" not in told


def test_sealed_standings_tell_no_places_in_any_form(tmp_path: Path) -> None:
    cup = event(tmp_path, "nzdc1999")
    run("standings", cup, "-o", str(tmp_path / "s.csv"))
    assert rows_of(tmp_path / "s.csv")[0] == ["Player", "Round 1"]
    run("standings", cup, "-o", str(tmp_path / "w.xlsx"), "--wall")
    assert load_workbook(tmp_path / "w.xlsx").sheetnames == ["Standings"]
    run("standings", cup, "-o", str(tmp_path / "s.csv"), "--open")
    assert rows_of(tmp_path / "s.csv")[0][0] == "Place"


def test_the_workbook_knows_how_often_two_may_meet(tmp_path: Path) -> None:
    out = tmp_path / "s.xlsx"
    run("standings", event(tmp_path, "nzdc1999"), "-o", str(out), "--open")
    words = [row[0].value for row in load_workbook(out)["Checks"].iter_rows()]
    assert "Pairs of players that meet more than 2 times, as often as the rules allow" in words

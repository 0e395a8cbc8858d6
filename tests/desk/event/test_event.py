"""An event is a folder that people may copy and edit; what is wrong with it is told all at once."""

import shutil
from pathlib import Path

import pytest

from desk.cup import NAMES, clock
from pipeline.board import Phase, Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details, read_event_file, write_event_file
from pipeline.desk.event.games import find_game, games
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.roster_file import read_roster_file
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.draw.roster import Player
from pipeline.problems import Stopped
from pipeline.small_files import data_folder


def test_the_event_file_keeps_every_player_and_detail(tmp_path: Path) -> None:
    details = Details(name='The "Owl" Cup \\', code="AB23", tournament="edc2023")
    players = (
        Player(name="José Núñez", team="Owls", distance_km=12, preregistered=True, keep_apart=("=Fox()",)),
        Player(name="=Fox()", director=True, distance_km=0, more=(("E-Mail", "f@x.pt"), ("note", 'a "b"\nc'))),
    )
    path = tmp_path / "event.toml"

    path.write_text(write_event_file(details, players), "utf-8")

    assert read_event_file(path) == (details, players)


def test_every_fault_of_an_event_file_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_text(
        '[event]\nname = "X"\ncode = "A0B1"\ntournamnt = "wdc2008"\npaper = "A3"\n'
        '[[players]]\nname = "Ana"\nclubb = "x"\n[[players]]\nname = "ana"\n'
    )

    with pytest.raises(Stopped) as stopped:
        read_event_file(path)

    assert [f"{p.where}: {p.text}" for p in stopped.value.problems] == [
        "event.toml.event.code: expected four of ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
        "; I, O, 0 and 1 look alike; found 'A0B1'",
        "event.toml.event.paper: 'A3' is not one of A4, A5, LETTER",
        "event.toml.event.tournament: missing; expected a text",
        "event.toml.event.tournamnt: unknown field; did you mean 'tournament'?",
        "event.toml players row 3: 'ana' stands twice, also in row 2; add an initial to one of them",
        "event.toml players: unknown field 'clubb'",
    ]


def test_a_folder_that_is_no_event_and_one_that_is_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(Stopped, match="no event here; make one with 'ordersheets new'"):
        open_event(tmp_path, clock)

    make_event_folder(tmp_path, Details(name="X", code="ABCD", tournament="wdc2008"), [Player(name="Ana")], clock)
    with pytest.raises(Stopped, match="an event is already here"):
        make_event_folder(tmp_path, Details(name="Y", code="ABCD", tournament="wdc2008"), [], clock)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "the roster is empty"), (b"name\nAna\nana\n", "stands twice"), (b"PK\x03\x04 not a workbook", "workbook")],
)
def test_a_bad_roster_file_is_refused_with_what_to_do(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / ("players.xlsx" if content.startswith(b"PK") else "players.csv")
    path.write_bytes(content)

    with pytest.raises(Stopped, match=message):
        read_roster_file(path)


def test_a_roster_in_windows_encoding_is_read(tmp_path: Path) -> None:
    path = tmp_path / "players.csv"
    path.write_bytes("name;team\nJosé Núñez;Ä\n".encode("cp1252"))

    read = read_roster_file(path)

    assert [p.name for p in read.players] == ["José Núñez"]
    assert [p.text.partition(":")[0] for p in read.problems] == ["not saved as UTF-8"]


def test_seats_are_checked_before_they_are_written_down(event: Event) -> None:
    wrong = {**NAMES, Power.ITALY: "Ada", Power.FRANCE: "Cen"}
    del wrong[Power.TURKEY]

    with pytest.raises(Stopped) as stopped:
        seat_round(event, 2, {"7": wrong}, by="Tess")

    assert [f"{p.where}: {p.text}" for p in stopped.value.problems] == [
        "board 7: nobody plays TURKEY",
        "board 7 FRANCE: 'Cen' is not on the roster; did you mean 'Cem'?",
        "board 7: 'Ada' sits here twice",
    ]
    assert "2.7" not in games(event)


def test_every_sheet_of_the_event_has_a_serial_of_its_own(event: Event) -> None:
    first = len(printed_sheets(event))
    printed = print_round(event, 1, wish=PrintWish(phase=Phase.read("F1901M"), spare=1))

    sheets = printed_sheets(event)

    assert first == 7
    assert len(printed.layout.pages) == 14
    assert len(sheets) == 21
    assert sorted(s.request.id.serial for s in sheets.values()) == list(range(1, 22))
    assert [page.sheet for page in printed.layout.pages] == list(sheets)[7:]


def test_a_board_that_does_not_exist_is_said_with_those_that_do(event: Event) -> None:
    with pytest.raises(Stopped, match=r"no board '9'; boards are 1.1"):
        find_game(event, "9")


def test_a_directors_own_rules_travel_with_the_event(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "abbreviations").mkdir(parents=True)
    rules = data_folder("templates/rules") / "weaselmoot.toml"
    text = rules.read_text("utf-8").replace('id = "weaselmoot"', 'id = "owls"').replace('"english"', '"owls"', 1)
    (home / "owls.toml").write_text(text, "utf-8")
    table = (data_folder("abbreviations") / "english.toml").read_text("utf-8")
    (home / "abbreviations" / "owls.toml").write_text(table.replace('id = "english"', 'id = "owls"'), "utf-8")

    details = Details(name="X", code="ABCD", tournament=str(home / "owls.toml"))
    make_event_folder(tmp_path / "cup", details, [Player(name="Ana")], clock)
    shutil.rmtree(home)
    shutil.move(tmp_path / "cup", tmp_path / "stick")

    with open_event(tmp_path / "stick", clock) as event:
        assert event.tournament.id == "owls"
        assert event.details.tournament == "rules/owls.toml"

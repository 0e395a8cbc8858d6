"""A director's day through the commands, as the README tells it."""

import json
import re
from pathlib import Path

import pytest
from commands import run

from pipeline.board import Power
from pipeline.cli import COMMANDS
from pipeline.desk.event.event import open_event
from pipeline.desk.event.seating import seat_round
from pipeline.ledger.files import now

NAMES = {power: f"Player {power[0]}" for power in Power}
LINES = {
    Power.AUSTRIA: ("A Vie - Tri", "A Bud - Ser", "F Tri - Alb"),
    Power.ENGLAND: ("F Lon - Nth", "F Edi - Nwg", "A Lvp - Yor"),
    Power.FRANCE: ("A Par - Bur", "A Mar - Spa", "F Bre - Mao"),
    Power.GERMANY: ("F Kie - Den", "A Ber - Kie", "A Mun - Ruh"),
    Power.ITALY: ("A Ven - Tyr", "A Rom - Ven", "F Nap - Ion"),
    Power.RUSSIA: ("A War - Gal", "A Mos - Ukr", "F Sev - Bla", "F StP(sc) - Bot"),
    Power.TURKEY: ("A Con - Bul", "A Smy - Con", "F Ank - Con"),
}


@pytest.fixture
def cup(tmp_path: Path) -> str:
    """A new event with its round seated."""
    roster = tmp_path / "players.csv"
    roster.write_text("name\n" + "\n".join(NAMES.values()), "utf-8")
    folder = tmp_path / "cup"
    run("new", str(folder), "--tournament", "weaselmoot", "--roster", str(roster), "--name", "Cup", "--code", "ABCD")
    with open_event(folder, now) as event:
        seat_round(event, 1, {"1": NAMES}, by="Tess")
    return str(folder)


def test_every_command_has_help_and_loads() -> None:
    for name in COMMANDS:
        assert "Usage:" in run(name, "--help")


def test_what_a_director_reads_in_help_and_status_is_in_his_words(cup: str) -> None:
    run("end", cup, "--board", "1", "--how", "abandoned", "--why", "all have left")
    told = "".join(run(name, "--help") for name in ("scan", "orders", "page", "check")) + run("status", cup)
    assert [
        word for word in ("hash", "fact", "ink", "confidence", "nets", "gates") if re.search(rf"\b{word}", told)
    ] == []
    assert re.search(r"board 1\.1  S1901M  over: abandoned\n", told)


def test_one_of_a_kind_is_no_plural(cup: str, tmp_path: Path) -> None:
    roster, folder = tmp_path / "one.csv", str(tmp_path / "one")
    roster.write_text("name\nAda Lund", "utf-8")
    told = run("new", folder, "--tournament", "weaselmoot", "--roster", str(roster), "--name", "One", "--code", "ABCD")
    told += run("status", folder) + run("journal", cup)
    assert ("1 player under" in told, "1 player)" in told, "seated by hand (1.1)" in told) == (True, True, True)
    assert re.findall(r"\b1 (?!was)[a-z]+s\b|boards 1\.1\b", told) == []


@pytest.mark.parametrize("command", ["desk", "review"])
def test_what_is_ended_with_ctrl_c_ends_with_a_plain_word(
    cup: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pipeline.web.server.serve", interrupted)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.delenv("DISPLAY", raising=False)
    told = run(command, cup, "--port", "0", "--by", "Tess")
    assert told.endswith(
        "Ctrl-C ends it; everything that was decided is kept\n\nended; everything that was decided is kept\n"
    )


def test_a_day_from_sheets_to_standings(cup: str, tmp_path: Path) -> None:
    layout = tmp_path / "layout.json"
    run("sheets", cup, "--round", "1", "-o", str(tmp_path / "s.pdf"), "--layout", str(layout))
    pages = json.loads(layout.read_text())["pages"]
    assert (tmp_path / "s.pdf").read_bytes().startswith(b"%PDF")
    assert [p["power"] for p in pages] == [str(power) for power in Power]
    assert set(pages[0]) == {"page", "sheet", "board", "power", "phase", "size_mm", "fields"}
    assert {"name", "row", "box_mm"} == set(pages[0]["fields"][0])

    state = json.loads(run("status", cup, "--json"))
    assert {p["sheet"] for p in state["boards"][0]["powers"].values()} == {"missing"}
    refused = run("adjudicate", cup, "--board", "1", code=3)
    assert "no sheet is in; look for it, then confirm that there is none" in refused

    for power, lines in LINES.items():
        typed = [part for line in lines for part in ("--type", line)]
        run("rule", cup, "--board", "1", "--power", str(power), *typed, "--by", "Tess")
    told = json.loads(run("adjudicate", cup, "--board", "1", "--by", "Tess", "--json"))
    assert told["next_phase"] == "F1901M"
    assert {r["result"] for r in told["results"]} == {"succeeds", "fails"}

    rows = json.loads(run("orders", cup, "--board", "1", "--phase", "S1901M", "--json"))["powers"]["TURKEY"]
    assert rows["sheet"] == "typed"
    wanted = {"line", "ink", "readings", "order", "status", "flags", "needs_director", "crop", "ruling"}
    assert wanted <= set(rows["rows"][0])
    for phase in ("S1901M", "S1901", "Spring 1901"):
        assert "bounces 1:1 with A SMY - CON" in run("explain", cup, f"1 {phase} F ANK")
        assert "as it was published" in run("correct", cup, "--board", "1", "--phase", phase)
    assert "everything is in order" in run("check", cup)

    assert "there is no count (WM VIII.1, VIII.2)" in run("end", cup, "--board", "1", "--how", "time", code=3)
    run("end", cup, "--board", "1", "--how", "time", "--why", "the fire alarm")
    assert "the game is over" in run("adjudicate", cup, "--board", "1", code=2)
    run("standings", cup, "-o", str(tmp_path / "s.xlsx"))
    assert (tmp_path / "s.xlsx").read_bytes().startswith(b"PK")
    assert "Player A: place" in run("explain", cup, "Player A")


def test_a_game_is_taken_over_in_the_middle(cup: str, tmp_path: Path) -> None:
    value = {
        "phase": "F1904M",
        "units": {"ITALY": ["A VEN"], "TURKEY": ["F AEG"]},
        "centers": {"ITALY": ["VEN"], "TURKEY": ["ANK"]},
    }
    file = tmp_path / "position.json"
    file.write_text(json.dumps(value))

    told = json.loads(run("position", cup, "1", "--set", str(file), "--json"))

    assert (told["phase"], told["units"]) == ("F1904M", {"ITALY": ["A VEN"], "TURKEY": ["F AEG"]})
    assert "iA/VEN" in run("position", cup, "1")
    file.write_text(json.dumps(value | {"units": {"ITALY": ["A ADR", "F MUN"]}}))
    faults = run("position", cup, "1", "--set", str(file), code=2)
    assert faults.count("cannot stand there") == 2


SERVIA = {"unit": "A SER", "power": "AUSTRIA", "from": "BUL"}


@pytest.mark.parametrize(
    ("change", "code", "told"),
    [
        (
            {"dislodged": [SERVIA], "units": {"TURKEY": ["A SER", "A ALB", "A RUM", "F GRE"]}},
            2,
            "dislodged[0]: 'retreats': missing; A SER could go to BUD, TRI: "
            'write ["BUD", "TRI"] without what was contested',
        ),
        (
            {"dislodged": [SERVIA | {"unit": "A ALB"}], "units": {"ITALY": ["A ALB", "A SER", "A TRI", "F GRE"]}},
            2,
            "dislodged[0]: 'retreats': missing; A ALB has nowhere to go: write []",
        ),
        (
            {"dislodged": [SERVIA | {"retreats": []}], "units": {"ITALY": ["A VEN"]}},
            3,
            "1.1: A SER is dislodged, and nobody stands in SER; to set the board so all the same, say why",
        ),
        ({"centers": {}}, 3, "1.1: no power has a centre; to set the board so all the same, say why"),
        ({"units": {}}, 3, "1.1: no power has a unit; to set the board so all the same, say why"),
    ],
)
def test_no_unit_is_lost_and_no_board_is_emptied_by_what_a_position_leaves_out(
    cup: str, tmp_path: Path, change: dict[str, object], code: int, told: str
) -> None:
    units = {"AUSTRIA": ["A VIE"], "TURKEY": ["A SER"]}
    position = {"phase": "F1902R", "units": units, "centers": {"AUSTRIA": ["VIE"]}} | change
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position))
    assert run("position", cup, "1", "--set", str(file), code=code) == told


def test_of_a_unit_that_held_and_was_driven_out_it_is_not_only_said_that_it_stands(cup: str, tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    units = {"AUSTRIA": ["A BUD"], "RUSSIA": ["A GAL", "A SER"]}
    centres = {"AUSTRIA": ["BUD"], "RUSSIA": ["WAR"]}
    file.write_text(json.dumps({"phase": "S1904M", "units": units, "centers": centres}))
    run("position", cup, "1", "--set", str(file))
    run("rule", cup, "--board", "1", "--power", "AUSTRIA", "--type", "A Bud H")
    attack = ["--type", "A Gal - Bud", "--type", "A Ser S A Gal - Bud"]
    run("rule", cup, "--board", "1", "--power", "RUSSIA", *attack)

    told = run("adjudicate", cup, "--board", "1")

    assert re.search(r"AUSTRIA +A BUD H +held, dislodged by A GAL - BUD\n", told)
    assert "AUSTRIA A BUD dislodged by an attack from GAL: may retreat to RUM, TRI, VIE\n" in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rule", "--board", "1", "--power", "ITALY"], "give exactly one of --line, --sheet and --type"),
        (["rule", "--board", "1", "--power", "ITALY", "--line", "1", "--order", "Ven-Tri"],
         "'Ven-Tri' is not an order"),
        (["rule", "--board", "1", "--power", "ITALY", "--sheet", "chosen"],
         "no --serial says which sheet is chosen; sheets that are in: none"),
        (["rule", "--board", "1", "--power", "ITALY", "--sheet", "chosen", "--serial", "7"],
         "sheet 7 is not in; sheets that are in: none"),
        (["sheets", "--round", "3", "-o", "x.pdf"], "no such board in this round"),
        (["sheets", "--round", "1", "-o", "x.pdf", "--phase", "Spring"], "'Spring' is not a phase"),
        (["rule", "--board", "1", "--power", "ITALY", "--sheet", "refused", "--order", "A VEN H"],
         "--order and --text are for a row"),
        (["rule", "--board", "1", "--power", "ITALY", "--type", "A Ven H", "--text", "x"], "--text are for a row"),
        (["rule", "--board", "1", "--power", "ITALY", "--type", "A Ven H", "--why", "x"],
         "no reason is kept with typed"),
        (["page", "abc", "1", "--is", "CUP1-0001-A", "--why", "x"], "no reason is kept with --is"),
        (["vote", "--board", "1", "--undo", "--yes", "3"], "give nothing about another vote"),
        (["vote", "--board", "1", "--asked-by", "ITALY", "--vetoed", "--no", "3"], "nothing is counted"),
        (["page", "abc", "1"], "give either --is or --aside"),
        (["scan", "r1.pdf", "--pass-over", "r2.pdf"], "it reads nothing"),
        (["players", "--club", "Rome"], "of a player who is added with --add"),
        (["players", "--left", "Player A", "--distance", "0"], "of a player who is added with --add"),
        (["sheets", "--reprint", "3", "--layout", "x.json", "-o", "x.pdf"], "give nothing with it but -o"),
        (["forms", "numbers", "-o", "x.pdf"], "in no file"),
        (["forms", "sample", "--board", "1", "-o", "x.pdf"], "about no board"),
        (["forms", "board", "--named", "-o", "x.pdf"], "only vote slips"),
        (["orders", "--board", "7"], "no board '7'"),
        (["roll", "--round", "1", "--here", "Player A", "--by", " "], "give your name"),
    ],
)  # fmt: skip
def test_a_wrong_command_says_what_is_wrong_and_how_to_mend_it(cup: str, arguments: list[str], message: str) -> None:
    name, *rest = arguments

    assert message in run(name, cup, *rest, code=2)


def test_who_comes_after_the_draw_and_a_round_that_is_drawn_too_early_are_told(cup: str) -> None:
    run("players", cup, "--add", "Zoe Ux")
    assert "round 1 is drawn without a seat for: Zoe Ux\n" in run("roll", cup, "--round", 1, "--here", "Zoe Ux")
    assert "without a seat" not in run("roll", cup, "--round", 2, "--here", "Zoe Ux", "--others", "here")
    assert "not drawn yet" not in run("draw", cup, "--round", 2, "--dry-run", "--absent", "Zoe Ux")
    assert "round 2 is not drawn yet\n" in run("draw", cup, "--round", 3, "--dry-run", "--absent", "Zoe Ux")


def test_a_bad_roster_makes_no_event(tmp_path: Path) -> None:
    roster = tmp_path / "players.csv"
    roster.write_text("name\nAna\nana\n")

    told = run("new", str(tmp_path / "cup"), "--tournament", "weaselmoot", "--roster", str(roster), code=2)

    assert "stands twice" in told
    assert not (tmp_path / "cup").exists()


def test_rows_that_may_be_no_players_are_listed_and_each_is_decided_by_its_number(tmp_path: Path) -> None:
    roster = tmp_path / "players.csv"
    roster.write_text("name;club\nAda Lund;X\nFay Moss (Sat);X\nTBA;X\nTBD;X\nLee & Ho;X\n")
    asked = ["new", str(tmp_path / "cup"), "--tournament", "weaselmoot", "--roster", str(roster)]

    told = run(*asked, code=2)

    assert [line.partition(" may be no player")[0] for line in told.splitlines()[:4]] == [
        "players.csv row 3: 'Fay Moss (Sat) · X'",
        "players.csv row 4: 'TBA · X'",
        "players.csv row 5: 'TBD · X'",
        "players.csv row 6: 'Lee & Ho · X'",
    ]
    assert "--row '3=' leaves one out (4-9= several), --row '3' takes it as it stands, --row '3=NAME' as NAME" in told
    assert not (tmp_path / "cup").exists()
    assert "one name for several rows" in run(*asked, "--row", "4-5=Bo", code=2)
    told = run(*asked, "--row", "3=Fay Moss", "--row", "4-5=", "--row", "6")
    assert "players.csv row 4: left out: TBA · X" in told
    assert "3 players under weaselmoot" in told
    listed = run("players", str(tmp_path / "cup"))
    assert [line[6:15].strip() for line in listed.splitlines()] == ["Ada Lund", "Fay Moss", "Lee & Ho"]


def test_how_a_list_was_saved_can_be_said(tmp_path: Path) -> None:
    roster = tmp_path / "players.csv"
    roster.write_bytes("name\nČech\nBo\n".encode("cp1250"))
    asked = ["new", str(tmp_path / "cup"), "--tournament", "weaselmoot", "--roster", str(roster)]

    assert "--encoding cp1252, or another one" in run(*asked, code=2)
    run(*asked, "--encoding", "cp1250")
    assert "Čech" in run("players", str(tmp_path / "cup"))


def test_paper_may_be_named_in_small_letters(tmp_path: Path) -> None:
    roster = tmp_path / "players.csv"
    roster.write_text("name\nAna\n")

    run("new", str(tmp_path / "cup"), "--tournament", "weaselmoot", "--roster", str(roster), "--paper", "a5")

    assert 'paper = "A5"' in (tmp_path / "cup" / "event.toml").read_text("utf-8")


def test_one_difference_is_not_two(cup: str) -> None:
    for power, lines in LINES.items():
        typed = [part for line in lines for part in ("--type", line)]
        run("rule", cup, "--board", "1", "--power", str(power), *typed, "--by", "Tess")
    run("adjudicate", cup, "--board", "1", "--by", "Tess")
    line = ["rule", cup, "--board", "1", "--phase", "S1901M", "--line", "1", "--by", "Tess"]

    run(*line, "--power", "FRANCE", "--order", "A PAR - GAS")
    assert run("check", cup, code=1).splitlines()[-1] == "1 difference"
    run(*line, "--power", "ENGLAND", "--order", "F LON - ENG")
    assert run("check", cup, code=1).splitlines()[-1] == "2 differences"


def test_an_unknown_tournament_is_answered_with_those_that_are_known(tmp_path: Path) -> None:
    roster = tmp_path / "players.csv"
    roster.write_text("name\nAna\n")

    told = run("new", str(tmp_path / "cup"), "--tournament", "weselmoot", "--roster", str(roster), code=2)

    assert "weaselmoot" in told
    assert not (tmp_path / "cup").exists()


def test_the_doctor_names_every_part() -> None:
    found = json.loads(run("doctor", "--json"))

    assert {"python", "tesseract", "opencv-python", "abbreviations", "disk"} <= {each["what"] for each in found}
    assert all(each["text"] for each in found)


def test_a_round_is_drawn_and_printed(cup: str, tmp_path: Path) -> None:
    told = run("draw", cup, "--round", "2", "--seed", "4", "--by", "Tess")
    assert all(name in told for name in NAMES.values())

    run("sheets", cup, "--round", "2", "-o", str(tmp_path / "r2.pdf"))

    boards = [board["board"] for board in json.loads(run("status", cup, "--json"))["boards"]]
    assert boards == ["1.1", "2.1"]


def test_a_file_that_is_no_picture_is_put_aside_as_a_whole(cup: str, tmp_path: Path) -> None:
    (tmp_path / "letter.jpg").write_bytes(b"Dear director, sorry")
    run("scan", cup, str(tmp_path / "letter.jpg"))
    (problem,) = json.loads(run("status", cup, "--json"))["problems"]
    scan = problem["where"].split("(")[1].rstrip(")")

    run("page", cup, scan, "0", "--aside", "--by", "Tess", "--why", "a letter")

    assert json.loads(run("status", cup, "--json"))["problems"] == []


def test_the_desk_goes_over_tls_only_in_the_room_and_with_an_event_that_keeps_the_certificate(tmp_path: Path) -> None:
    assert "--lan" in run("desk", str(tmp_path), "--tls", "--no-browser", code=2)
    assert "--lan" in run("desk", str(tmp_path), "--address", "192.168.1.20", "--no-browser", code=2)
    assert "which event" in run("desk", "--lan", "--tls", "--no-browser", code=2)

"""A command loads what it needs and nothing else: nobody waits for OpenCV to be told how many sheets are in."""

import gc
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import pytest
from desk.cup import clock, hand_in_all, seated
from sampled import slow_after

import pipeline.cli
from pipeline.board import Power
from pipeline.cli import COMMANDS, LONG_LIVED, group
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.publish.publish import publish
from pipeline.desk.review.orders_shown import status
from pipeline.desk.sheets.printing import print_round
from pipeline.scoring.results import Ending

PIXELS = frozenset({"cv2", "numpy", "onnxruntime", "PIL", "pypdfium2", "pytesseract", "zxingcpp"})
PAPER = frozenset({"reportlab", "segno"})
BOOKS = frozenset({"openpyxl"})
SCREENS = frozenset({"starlette", "uvicorn", "jinja2"})
HEAVY = PIXELS | PAPER | BOOKS | SCREENS
PARIS = {"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}}
COUNTS = dict(zip(map(str, Power), (5, 5, 5, 5, 5, 5, 4), strict=True))
SEATS = {power: power.lower() for power in COUNTS}
STREAMS = {
    "judge": PARIS | {"rules": "datc", "orders": {"FRANCE": ["A PAR H"]}},
    "interpret": PARIS | {"tournament": "weaselmoot", "power": "FRANCE", "lines": ["A Par H"]},
    "score": {
        "tournament": "weaselmoot",
        "rounds": [{"number": 1, "boards": [{"board": "1", "result": {"centers": COUNTS}, "players": SEATS}]}],
    },
}
LOADED = """
import io, json, sys
from pipeline.cli import main
found = []
for arguments, given in json.loads(sys.argv[1]):
    sys.argv, sys.stdin = ["ordersheets", *arguments], io.StringIO(given)
    try:
        main()
    except SystemExit as ended:
        assert not ended.code, (arguments, ended.code)
    found.append(sorted({name.partition(".")[0] for name in sys.modules}))
print(json.dumps(found), file=sys.stderr)
"""
ON_AN_EVENT = (
    ("status",),
    ("status", "--json"),
    ("journal",),
    ("orders", "--board", "1"),
    ("players",),
    ("position", "1"),
    ("rulings",),
    ("check",),
    ("explain", "1 S1901M A VIE"),
    ("rule", "--board", "1", "--power", "ITALY", "--sheet", "no orders", "--by", "Tess"),
)


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event with a published phase; who reads it was asked before."""
    folder = seated(tmp_path_factory.mktemp("start") / "cup")
    with open_event(folder, clock) as event:
        print_round(event, 1)
        hand_in_all(event)
        publish(event, "1", "Tess")
        status(event)
    return folder


def loaded(*commands: Sequence[str], given: str = "") -> list[frozenset[str]]:
    """Run commands one after the other in a process of their own; the libraries that are loaded when each is done."""
    told = json.dumps([(command, given) for command in commands])
    done = subprocess.run([sys.executable, "-c", LOADED, told], capture_output=True, text=True, check=True)
    return [frozenset(libraries) for libraries in json.loads(done.stderr.splitlines()[-1])]


def heavy(commands: Sequence[Sequence[str]], given: str = "") -> dict[str, frozenset[str]]:
    """What is loaded of the heavy libraries when each command is done: it is the first that has one, or has it not."""
    found = loaded(*commands, given=given)
    return {" ".join(command): libraries & HEAVY for command, libraries in zip(commands, found, strict=True)}


def test_no_command_on_an_event_loads_pixels_paper_books_or_screens(cup: Path) -> None:
    commands = [(name, str(cup), *rest) for name, *rest in ON_AN_EVENT]
    assert heavy(commands) == {" ".join(command): frozenset() for command in commands}


@pytest.mark.parametrize("command", STREAMS)
def test_a_stream_loads_none_of_it(command: str) -> None:
    assert heavy([[command]], json.dumps(STREAMS[command])) == {command: frozenset()}


def test_a_place_is_explained_without_the_workbook_and_a_cell_with_it(cup: Path) -> None:
    with open_event(cup, clock) as event:
        end_game(event, find_game(event, "1"), Ending.TIME, by="Tess", why="it is late")
    place, cell = loaded(("explain", str(cup), "Ada"), ("explain", str(cup), "Standings!A6"))
    assert place & HEAVY == set()
    assert cell & BOOKS == BOOKS


MADE_OF = (
    (("league", "standings"), BOOKS | PIXELS),
    (("demo", "rehearse", "testdeck", "calibrate", "export"), HEAVY),
    (("sheets", "forms", "signs", "cards", "adjudicate", "correct", "undo"), PAPER | PIXELS),
    (("draw",), PIXELS),
)
LIGHT = tuple(sorted(set(COMMANDS) - {command for commands, _ in MADE_OF for command in commands}))


@pytest.mark.parametrize(("commands", "allowed"), slow_after(2, [(LIGHT, frozenset[str]()), *MADE_OF]))
def test_help_loads_only_what_the_commands_are_made_of(commands: Sequence[str], allowed: frozenset[str]) -> None:
    """Those that may load the same are asked in one process: if it has loaded no more, none of them has."""
    found = heavy([(command, "--help") for command in commands])
    assert {command: libraries - allowed for command, libraries in found.items() if libraries - allowed} == {}


def test_no_catalogue_is_opened_by_light_commands_before_a_sentence_is_said() -> None:
    modules = sorted({COMMANDS[command].module for command in LIGHT})
    opened = "from pipeline.words.speech import _catalogue; print(_catalogue.cache_info().misses)"
    ask = f"import {', '.join(modules)}; {opened}"
    assert subprocess.run([sys.executable, "-c", ask], check=True, capture_output=True, text=True).stdout == "0\n"


def test_what_opens_pdfs_beside_a_command_looks_at_no_pixels() -> None:
    ask = "import json, sys, pipeline.reading.pdf_opener; print(json.dumps(sorted(sys.modules)))"
    found = json.loads(subprocess.run([sys.executable, "-c", ask], check=True, capture_output=True).stdout)
    assert set(found) & PIXELS == {"pypdfium2"}


def test_the_list_of_commands_loads_none_of_them() -> None:
    (found,) = loaded(["--help"])
    assert found & HEAVY == set()
    assert "sqlite3" in found  # what is looked at is what is loaded


def test_the_list_begins_with_the_ten_daily_commands_and_cuts_no_sentence() -> None:
    """In 80 columns every command has one line, which is a whole sentence."""
    text = group.get_help(click.Context(group, info_name="ordersheets", terminal_width=80))
    lines = [line.split(maxsplit=1) for line in text[text.index("Every day:") :].splitlines() if line.startswith("  ")]
    assert [name for name, _ in lines] == list(COMMANDS)
    assert {name for name, said in lines if not said.endswith(".") or said.endswith("..")} == set()
    assert [name for name, _ in lines[:10]] == [
        "desk", "draw", "sheets", "scan", "status", "review", "adjudicate", "end", "standings", "explain"
    ]  # fmt: skip
    assert all(len(line) <= 80 for line in text.splitlines())


@pytest.mark.parametrize("word", sorted(LONG_LIVED))
def test_what_lives_long_is_a_command(word: str) -> None:
    assert word in COMMANDS


@pytest.mark.parametrize(
    ("words", "is_looked"), [((), True), (("desk", "cup"), True), (("scan", "cup"), True), (("status", "cup"), False)]
)
def test_dead_circles_are_looked_for_in_whatever_does_not_end_at_once(
    words: tuple[str, ...], is_looked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []
    before = gc.get_threshold()
    monkeypatch.setattr(sys, "argv", ["ordersheets", *words])
    monkeypatch.setattr(pipeline.cli, "group", lambda **_: seen.append(gc.isenabled()))
    monkeypatch.setattr(gc, "freeze", lambda: seen.append(gc.isenabled()))
    try:
        pipeline.cli.main()
    finally:
        gc.enable()
        gc.set_threshold(*before)
    assert seen == [is_looked, is_looked]

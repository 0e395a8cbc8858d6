"""No page tells its reader to type a command or an option, where the page itself can do it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pipeline
from pipeline.web import on_pages
from pipeline.web.on_pages import say_on_page
from web.conftest import Browser

COMMAND = re.compile(
    r"(?<![\w`/-])--[a-z][a-z-]+|\bEVENT\b|ordersheets [a-z]+|'(?:enter|draw|sheets|scan|status|orders|adjudicate"
    r"|position|vote|end|form|page|players|roll|undo|journal|cards|check)\b[^'…]*'"
)
PACKAGES = ("desk", "draw", "journal", "interpret", "judge", "scoring", "board", "words", "paper")
NOT_ON_PAGES = (
    "desk/doctor.py",
    "desk/testdeck.py",
    "desk/hands",
    "desk/roster_file.py",  # the page "events" itself asks about names that look alike
    "desk/publish/explain.py",  # says both: the command and the address of the page
    "desk/results/standings_workbook.py",
    "desk/review/review_sheet.py",
    "desk/event/event.py",  # of a folder that is no event, or damaged
    "paper/printed_deck.py",  # on paper
)
PARTS = (  # parts of messages, and messages that commands alone give
    "ordersheets players EVENT --rename {} 'CURRENT NAME'",
    "see 'ordersheets orders' for what stands",
    " --from {}",
    "--off UNIT",
    '--off "{}"',
    "--round, --board",
    "ordersheets cards {} --board {} --phase {}",  # no page makes a card again
    "ordersheets correct {} --board {} --phase {}",  # what commands print; pages link to the page that corrects
    "{} ({}); to correct it all the same, say why with --why",
    "this is a folder; name the files in it, such as FOLDER/*, or watch it with --watch",
    "--aside NAME",
    "--twice NAME",
    "--plays NAME",
    "--out NAME",
    "--take {}, or --six {}",
    "--take {}, or {}",
)


def messages(path: Path) -> Iterator[str]:
    """Every text of a module but its docstrings and what stands alone as an option; what is filled in is {}."""
    parsed = tuple(ast.walk(ast.parse(path.read_text())))
    filled = [node for node in parsed if isinstance(node, ast.JoinedStr)]
    inside = {id(part) for node in filled for part in ast.walk(node)} - {id(node) for node in filled}
    passed = inside | {id(node.value) for node in parsed if isinstance(node, ast.Expr)}
    for node in parsed:
        if id(node) in passed:
            continue
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_every_message_that_names_a_command_says_what_to_press_on_a_page() -> None:
    root = Path(pipeline.__file__).parent
    modules = (path for package in PACKAGES for path in sorted((root / package).rglob("*.py")))
    found = {
        text: path.name
        for path in modules
        if not str(path.relative_to(root)).startswith(NOT_ON_PAGES)
        for text in messages(path)
        if " " in text and "dry run" not in text and COMMAND.search(text)
    }
    assert [
        f"{name}: {text}" for text, name in found.items() if text not in PARTS and COMMAND.search(say_on_page(text))
    ] == []
    assert len(found) > 40, "they are found at all"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "'Al' is not on the roster; say who it is now: ordersheets players EVENT --rename 'Al' 'CURRENT NAME'",
            "'Al' is not on the roster; say who it is now, on the page Players",
        ),
        (
            "take it off with 'ordersheets position EVENT 1.1 --off \"F TRI\"'",
            "take it off on the page Votes and ends: set the position by hand",
        ),
        (
            "who? (R 1): 'enter EVENT substitute 1.2 ITALY NAME F1902M', or 'nobody' for NAME: civil disorder",
            "who? (R 1); say it on the page Notes, 'Somebody takes a seat'; 'nobody' there is civil disorder",
        ),
        (
            "goes by the roster's column 'distance_km', and it is missing for Al; fill it in, or name who",
            "goes by the distance from home, which is not known of Al; enter it on the page Notes, or tick who",
        ),
        (
            "put it back, or close and open the event to go by it",
            "put it back, or open the event again on the page All events",
        ),
        ("a reason -- with dashes, 'quoted'", "a reason -- with dashes, 'quoted'"),
    ],
)
def test_a_message_is_said_in_the_words_of_the_pages(text: str, said: str) -> None:
    assert say_on_page(text) == said


def test_a_page_is_called_as_the_menu_calls_it() -> None:
    menu = (Path(on_pages.__file__).parent / "templates" / "nav.html").read_text()
    names = set(re.findall(r'"/\S*", "([^"]+)"', menu))
    told = [words for _, words in on_pages._ON_PAGES if re.search(r"\bpages? [\w\\]", words)]
    assert len(told) > 15, "they are found at all"
    assert [words for words in told if not re.search(rf"\bpage ({'|'.join(sorted(names))})\b", words)] == []


def test_a_page_that_refuses_says_what_to_press(tess: Browser) -> None:
    values = {"board": "1.1", "players": "\n".join(f"{power} nobody" for power in ("AUSTRIA", "ENGLAND", "FRANCE"))}
    answer = tess.client.post(
        "/api/notes/enter", json={"what": "board", "values": values}, headers={"X-Token": tess.token}
    )
    assert answer.status_code == 422
    assert "--" not in answer.json()["said"]
    drawn = tess.client.post("/api/day/draw", json={"round": 1, "seed": "1"}, headers={"X-Token": tess.token})
    assert "press 'Draw again…'" in drawn.json()["said"]

"""The map of the house leads to places that are there."""

import ast
import builtins
import io
import re
import sys
import tokenize
from collections import Counter
from pathlib import Path

import pytest
from house.program import files, nodes

from benchmarks.house import names_on_the_way

HOUSE = Path(__file__).parents[2]
NAMED = re.compile(r"`((?:[a-z_0-9]+/)+[a-z_0-9]+\.(?:py|toml|db))`")
QUOTED = re.compile(r"(?<!`)`([A-Za-z_][\w.]*\w)`(?!`)")
MOST_NAMES = 9  # of one thing on its way
HALL = re.compile(r"`([a-z]+)/`")


def test_every_file_that_a_page_or_a_docstring_names_is_there() -> None:
    gone = [
        f"{page.name}: {name}"
        for page in (*sorted((HOUSE / "docs").rglob("*.md")), HOUSE / "CONTRIBUTING.md", HOUSE / "README.md", *files())
        for name in NAMED.findall(page.read_text("utf-8"))
        if not any((HOUSE / above / name).is_file() for above in ("pipeline", "."))
    ]
    assert gone == []


@pytest.mark.slow
def test_every_name_in_a_comment_or_docstring_is_there() -> None:
    """What stands between backticks is a name of the program, of Python, or a short word in its data."""
    known = set(dir(builtins)) | sys.stdlib_module_names
    quoted: list[tuple[str, str]] = []
    for path in (*files(), *(HOUSE / "benchmarks").rglob("*.py"), *(HOUSE / "training").rglob("*.py")):
        known.update(path.relative_to(HOUSE).with_suffix("").parts)
        for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
            if token.type == tokenize.NAME:
                known.add(token.string)
            elif token.type == tokenize.COMMENT or token.string.startswith('"""'):
                quoted += [(str(path.relative_to(HOUSE)), name) for name in QUOTED.findall(token.string)]
            elif token.type == tokenize.STRING:
                known.update(re.findall(r"\w+", token.string))
    assert len(quoted) > 100
    assert [(file, name) for file, name in quoted if not known.issuperset(name.split("."))] == []


def test_no_page_is_cited_that_does_not_stand_in_this_house() -> None:
    """A document that was read while the program was made cannot be looked up by whoever has the program."""
    elsewhere = re.compile(r"\b(READING|SCORING|RULES|DESIGN|CONTRACT|REDESIGN|STYLE)( (section )?\d|\.md)")
    pages = (
        each
        for room in ("pipeline", "docs", "benchmarks", "training", "templates")
        for each in (HOUSE / room).rglob("*")
    )
    texts = (each for each in pages if each.suffix in (".py", ".md", ".toml", ".txt"))
    assert [str(each.relative_to(HOUSE)) for each in texts if elsewhere.search(each.read_text("utf-8"))] == []


def test_the_page_of_the_program_names_every_package() -> None:
    page = (HOUSE / "docs/house.md").read_text("utf-8")
    packages = {each.parent.name for each in (HOUSE / "pipeline").rglob("__init__.py")} - {"pipeline"}
    assert packages - set(HALL.findall(page)) == set()


def test_every_name_on_the_way_of_an_order_or_a_sheet_is_a_type() -> None:
    journeys = names_on_the_way()
    assert set(journeys) == {"an order", "a sheet", "a player", "a score"}
    types = {node.name for file in files() for node in nodes(file) if isinstance(node, ast.ClassDef)}
    assert {what: names for what, names in journeys.items() if not set(names) <= types or len(names) > MOST_NAMES} == {}


def test_tests_stand_in_rooms_that_there_are() -> None:
    """Beside them stand tests of the house itself, of many doors at once, and of the measurements."""
    tests, rooms = HOUSE / "tests", HOUSE / "pipeline"
    folders = {each.parent.relative_to(tests) for each in tests.rglob("test_*.py")}
    gone = (
        each
        for each in folders
        if not (rooms / each.parts[0]).is_dir() and not (rooms / f"{each.parts[0]}.py").is_file()
    )
    assert sorted(map(str, gone)) == ["fuzz", "house", "measuring"]


def test_no_module_name_is_used_three_times() -> None:
    names = Counter(each.stem for each in (HOUSE / "pipeline").rglob("*.py") if each.stem != "__init__")
    assert sorted(name for name, times in names.items() if times > 2) == []


ARROWS = 40  # between the rooms of the desk


def test_the_rooms_of_the_desk_are_joined_by_few_arrows() -> None:
    """An arrow is that a room imports from another, by however many lines."""
    desk = HOUSE / "pipeline/desk"
    arrows = {
        (file.parent.name, room)
        for file in desk.glob("*/*.py")
        for room in re.findall(r"^\s*from pipeline\.desk\.(\w+)", file.read_text("utf-8"), re.MULTILINE)
        if room != file.parent.name
    }
    assert 0 < len(arrows) <= ARROWS

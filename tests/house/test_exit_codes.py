"""What a command leaves with has one list, and the documentation is that list."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from house.program import files, last_name, nodes

from pipeline.problems import ExitCode

HOUSE = Path(__file__).parents[2]
LEAVING = {"SystemExit", "exit", "Exit", "stop", "Stopped"}


def test_the_documentation_tells_every_exit_code_of_a_command() -> None:
    page = (HOUSE / "docs/reference/commands.md").read_text("utf-8")
    told = re.findall(r"^\| (\d) \| (\S.*) \|$", page, re.MULTILINE)

    assert [int(number) for number, _ in told] == [code for code in ExitCode if code < ExitCode.STALE]


@pytest.mark.slow
def test_no_command_leaves_with_a_bare_number() -> None:
    assert [place for file in files() for place in bare_numbers(file)] == []


def bare_numbers(file: Path) -> Iterator[str]:
    """Where a file gives a number to something that leaves the program or stops the work."""
    for node in nodes(file):
        if not isinstance(node, ast.Call) or last_name(node.func) not in LEAVING:
            continue
        for given in (*node.args, *(keyword.value for keyword in node.keywords)):
            values = (given.body, given.orelse) if isinstance(given, ast.IfExp) else (given,)
            if any(isinstance(value, ast.Constant) and isinstance(value.value, int) for value in values):
                yield f"{file.relative_to(HOUSE)}:{node.lineno}"

"""What a fact says is known in one room: outside `ledger/` nobody looks into a body, or names a kind."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from house.program import PROGRAM, files, last_name, nodes

from pipeline.ledger.events import KINDS

ROOT = Path(__file__).parents[2]
RAW = re.compile(r"\.body\[|\.body\.get\(|\.facts\.(?:add|rows)\(")
ORDINARY = {
    "published",
    "seated",
    "ruling",
    "spot check",
    "taken back",
    "lot drawn",
}  # in messages, cells and JSON, too


def modules() -> Iterator[tuple[str, Path]]:
    """Every module outside the ledger, by its path in the package."""
    for path in files():
        name = path.relative_to(PROGRAM).as_posix()
        if not name.startswith("ledger/"):
            yield name, path


def test_nothing_outside_the_ledger_touches_a_body() -> None:
    found = [
        f"{name}:{number}: {line.strip()}"
        for name, path in modules()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if RAW.search(line)
    ]
    assert found == []


def test_no_kind_of_fact_is_a_text_outside_the_ledger() -> None:
    kinds = set(KINDS) - ORDINARY
    found = [
        f"{name}:{node.lineno}: {node.value!r}"
        for name, path in modules()
        for node in nodes(path)
        if isinstance(node, ast.Constant) and node.value in kinds
    ]
    assert found == []


def test_nothing_outside_the_ledger_compares_a_kind() -> None:
    compared = re.compile(r"(?:fact|page|decision|about)\.kind\b")
    found = [
        f"{name}:{number}: {line.strip()}"
        for name, path in modules()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if compared.search(line)
    ]
    assert found == []


def test_each_kind_of_fact_is_written_where_its_class_says() -> None:
    """Written is where one is made; a lot is made of its class by `_as_lot`."""
    makers: dict[str, set[str]] = {kind.__name__: set() for kind in KINDS.values()}
    for name, path in modules():
        for node in nodes(path):
            if not isinstance(node, ast.Call):
                continue
            called = last_name(node.func)
            named = [last_name(each) for each in node.args] if called == "_as_lot" else []
            for made in [called, *named]:
                if made in makers:
                    makers[made].add(name)
    told = {kind.__name__: set(kind.WRITERS) for kind in KINDS.values()}
    assert makers == told

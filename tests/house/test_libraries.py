"""Libraries are used by their front door, and XML is not read or written as if it were plain text."""

import ast
import re
from collections.abc import Iterator

from house.program import PROGRAM, files, first_name, nodes

DOCUMENTED = {"member._value_", "os._exit"}  # by Python's own pages, in spite of how they are written
TAG = re.compile(r"(?<!\(\?)(?<!\?P)</?[a-z]")  # in a pattern; (?<a> and (?P<a> are names of groups


def found_in_the_program() -> Iterator[tuple[str, ast.AST]]:
    """Every node of the program, with its file and line."""
    for file in files():
        name = str(file.relative_to(PROGRAM))
        for node in nodes(file):
            yield f"{name}:{getattr(node, 'lineno', 0)}", node


def is_private(name: str) -> bool:
    return any(part.startswith("_") and not part.startswith("__") for part in name.split("."))


def test_nothing_private_is_imported() -> None:
    imported = [
        (place, f"{node.module}.{name.name}")
        for place, node in found_in_the_program()
        if isinstance(node, ast.ImportFrom) and node.module
        for name in node.names
    ]

    assert len(imported) > 1000
    assert [each for each in imported if is_private(each[1])] == []


def test_no_private_attribute_of_something_else_is_used() -> None:
    used = [
        (place, ast.unparse(node))
        for place, node in found_in_the_program()
        if isinstance(node, ast.Attribute)
        and is_private(node.attr)
        and not (isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"})
        and ast.unparse(node) not in DOCUMENTED
    ]

    assert used == []


def test_no_pattern_looks_for_an_element_of_xml() -> None:
    assert TAG.search("<dimension ref")
    assert TAG.search("</sheetData>")
    assert not TAG.search("(?P<code>[A-Z])(?<![a-z])")
    patterns = [
        (place, text.value)
        for place, node in found_in_the_program()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and first_name(node.func) == "re"
        for text in ast.walk(node)
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and TAG.search(text.value)
    ]

    assert patterns == []

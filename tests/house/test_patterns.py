"""No regular expression takes time that grows with the square of the blanks in somebody else's file."""

import ast
from collections.abc import Iterator
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined] # the parser of the library itself
from re import _parser as parser  # type: ignore[attr-defined]

from house.program import PROGRAM, files, nodes

SEARCHES = ("search", "sub", "subn", "split", "findall", "finditer")


def searched_in(file: Path) -> Iterator[str]:
    """The patterns of a module that are searched for in a text, not matched at its beginning."""
    named = {
        node.targets[0].id: str(node.value.args[0].value)
        for node in nodes(file)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Call)
        and node.value.args
        and ast.unparse(node.value.func) == "re.compile"
        and isinstance(node.value.args[0], ast.Constant)
    }
    for node in nodes(file):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in SEARCHES:
            continue
        match node.func.value, node.args:
            case ast.Name(id="re"), [ast.Constant(value=str(pattern)), *_]:
                yield pattern
            case ast.Name(id=name), _ if name in named:
                yield named[name]


def begins_with_blanks(pattern: str) -> bool:
    r"""Whether any number of blanks may begin what is found, and something else must follow them.

    >>> begins_with_blanks(r"\s*-"), begins_with_blanks(r"(?<!\s)\s+-"), begins_with_blanks(r"\s+")
    (True, False, False)
    """
    match list(parser.parse(pattern)):
        case [(codes.MAX_REPEAT, (_, codes.MAXREPEAT, repeated)), _, *_]:
            return any(sign in str(repeated) for sign in ("CATEGORY_SPACE", "(LITERAL, 32)"))
    return False


def test_no_pattern_that_is_searched_for_begins_with_any_number_of_blanks() -> None:
    slow = [
        f"{file.relative_to(PROGRAM)}: {pattern}"
        for file in files()
        for pattern in searched_in(file)
        if begins_with_blanks(pattern)
    ]
    assert slow == []

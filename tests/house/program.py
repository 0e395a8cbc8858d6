"""The program as Python reads it: parsed once, and looked at by many."""

import ast
from functools import cache
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "pipeline"


@cache
def files() -> tuple[Path, ...]:
    """Every module of the program."""
    return tuple(sorted(PROGRAM.rglob("*.py")))


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    """Everything in a module, what stands within something after it; nobody changes any of it."""
    return tuple(ast.walk(ast.parse(file.read_text("utf-8"))))


def first_name(node: ast.AST) -> str:
    """What an expression begins with: ``re`` of ``re.compile("a").search``; nothing where that is no name."""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def last_name(node: ast.AST) -> str:
    """What an expression ends with: ``exit`` of ``sys.exit``; nothing where that is no name."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""

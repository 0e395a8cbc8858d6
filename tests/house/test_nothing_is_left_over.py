"""No name stands in the program that nobody uses; what only tests use, stands with the tests.

A room's door says what is public (`house.doors` tells a door that is open for nobody). Behind the doors a name is the
business of its room; here it is enough that a line of the program, of a benchmark or of the training calls it.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence

from house.program import PROGRAM, files, nodes

Module = Sequence[ast.AST]  # as it is parsed, and everything that stands in it
CALLED_BY_LIBRARIES = {
    "_listing",
    "list_commands",
    "get_command",
    "format_commands",
    "dispatch",
    "formatException",
    "handleError",
}


def defined(module: Module) -> Iterator[str]:
    """The names that a module makes: functions, classes, constants, and the methods of its classes."""
    whole = module[0]
    assert isinstance(whole, ast.Module)
    for node in whole.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name, body=body):
                yield name
                yield from (each.name for each in body if isinstance(each, ast.FunctionDef))
            case ast.Assign(targets=targets):
                yield from (each.id for each in targets if isinstance(each, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name


def used(module: Module) -> Iterator[str]:
    """The names that a module reads, imports, or says in a string: a command is called by its name."""
    for node in module:
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()) | ast.alias(name=name):
                yield name
            case ast.ClassDef(name=name, keywords=keywords) if any(word.arg == "tag" for word in keywords):
                yield name  # a file names it by its tag
            case ast.Constant(value=str(text)) if all(word.isidentifier() for word in text.split(".")):
                yield from text.split(".")


def left_over(program: Sequence[Module], others: Iterable[Module] = ()) -> set[str]:
    """The names that the modules of the program make, and that neither they nor the others use."""
    names = {name for module in program for name in defined(module) if not name.startswith("__")}
    return names - {name for module in (*program, *others) for name in used(module)}


def written(source: str) -> Module:
    """A module that is written here."""
    return tuple(ast.walk(ast.parse(source)))


def test_a_name_that_nobody_uses_is_told() -> None:
    row = "LEAST = 3\nMOST = 4\n\nclass Row:\n    def top(self): ...\n    def end(self): ...\n"
    one = written(f"{row}\ndef of(row): return row.top()")
    assert left_over([one]) == {"LEAST", "MOST", "Row", "end", "of"}
    assert left_over([one, written("from one import MOST, Row, of\nof(Row()).end()")]) == {"LEAST"}


def test_every_name_of_the_program_is_used() -> None:
    pages = "".join(page.read_text("utf-8") for page in sorted((PROGRAM / "web").rglob("*.html")))
    makers = [nodes(path) for hall in ("benchmarks", "training") for path in (PROGRAM.parent / hall).rglob("*.py")]
    unused = {name for name in left_over([*map(nodes, files())], makers) if name not in pages}
    assert {name for name in unused if not name.endswith("_command")} - CALLED_BY_LIBRARIES == set()

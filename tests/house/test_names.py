"""A name means one thing: no type is defined twice, and no local hides a name of its module."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest
from house.program import PROGRAM, files, last_name, nodes

from benchmarks.house import does_without_verb, is_participle

TYPE_NAME = re.compile(r"_?[A-Z][a-z]\w*")  # not a single letter: a variable for types


def test_no_two_types_have_one_name() -> None:
    """A class is defined once, and so is a name for a type, such as ``Slot = tuple[str, ...]``."""
    defined: dict[str, list[str]] = defaultdict(list)
    for file in files():
        where = str(file.relative_to(PROGRAM))
        for node in nodes(file):
            if isinstance(node, ast.ClassDef):  # inner ones too
                defined[node.name.lstrip("_")].append(where)
        for name in type_names(file):
            defined[name].append(where)
    assert len(defined) > 500
    assert {name: places for name, places in defined.items() if len(places) > 1} == {}


def type_names(file: Path) -> Iterator[str]:
    """The names that a module gives to types."""
    module = nodes(file)[0]
    assert isinstance(module, ast.Module)
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) if TYPE_NAME.fullmatch(name):
                yield name.lstrip("_")


def test_no_local_hides_a_name_of_its_module() -> None:
    hiding = [
        f"{file.relative_to(PROGRAM)}: {node.name} hides {name}"
        for file in files()
        for node in nodes(file)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for name in sorted(bound_in(node) & names_of_module(file))
        if name != "_"
    ]
    assert hiding == []


def test_no_variable_is_called_found_which_says_nothing_of_what_was() -> None:
    called_so = [
        f"{file.relative_to(PROGRAM)}: {node.name}"
        for file in files()
        for node in nodes(file)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and "found" in bound_in(node)
    ]
    assert called_so == []


def names_of_module(file: Path) -> set[str]:
    """What a module imports and defines at its top level, but for the variables of comprehensions."""
    module = nodes(file)[0]
    assert isinstance(module, ast.Module)
    names = set()
    for node in module.body:
        match node:
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names |= {(alias.asname or alias.name).split(".")[0] for alias in aliases}
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
    return names


def bound_in(function: ast.AST) -> set[str]:
    """What a function's own parameters and variables are called, those of functions within it too."""
    names = set()
    for node in ast.walk(function):
        match node:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.ExceptHandler(name=str(name)):
                names.add(name)
    return names


def test_a_private_name_is_used_in_its_own_module_only() -> None:
    taken = [
        f"{file.relative_to(PROGRAM)}: {alias.name} of {node.module}"
        for file in files()
        for node in nodes(file)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pipeline")
        for alias in node.names
        if alias.name.startswith("_")
    ]
    assert taken == []


@pytest.mark.slow
def test_everything_that_scripts_beside_the_program_import_is_there() -> None:
    """Of training, which needs packages of its own, no more than this is tested."""
    wanted = [
        (file, node.module, alias.name)
        for file in others()
        for node in nodes(file)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("pipeline.")
        for alias in node.names
    ]
    missing = [
        f"{file.name}: {name} of {module}"
        for file, module, name in wanted
        if not (hasattr(found := import_module(module), name) or _is_module(found, name))
    ]
    assert len(wanted) > 500
    assert missing == []


def _is_module(package: ModuleType, name: str) -> bool:
    return hasattr(package, "__path__") and find_spec(f"{package.__name__}.{name}") is not None


def test_a_function_that_only_its_own_module_uses_says_so() -> None:
    """Used elsewhere is what another module imports, or reads of a module that it imports; tests do not count."""
    used = {each for file in (*files(), *others()) for each in taken_from_others(file)}
    silent = [
        f"{file.relative_to(PROGRAM)}: {node.name}"
        for file in files()
        if file.name != "__init__.py" and file.parent.name not in ALMOST_THERE
        for node in top_level(file)
        if not node.name.startswith("_")
        and not node.name.endswith("_command")  # called by its name (`pipeline.cli.COMMANDS`)
        and node.name != "main"
        and (module_name(file), node.name) not in used
    ]
    assert silent == []


ALMOST_THERE = ("interpret", "reading")  # packages with some thirty such functions


def taken_from_others(file: Path) -> Iterator[tuple[str, str]]:
    """Each name of a module of the program that a file imports, or reads behind the module's name."""
    modules = {}
    for node in nodes(file):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pipeline"):
            for alias in node.names:
                yield node.module or "", alias.name
                modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    for node in nodes(file):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in modules:
                yield modules[name], attribute


def module_name(file: Path) -> str:
    """As it is imported: ``pipeline.desk.event.event``."""
    return ".".join(file.relative_to(PROGRAM.parent).with_suffix("").parts)


def test_nothing_is_known_by_its_place_in_memory() -> None:
    """``id()`` of a value that is gone may be that of another."""
    assert [
        str(file)
        for file in files()
        for node in nodes(file)
        if isinstance(node, ast.Call) and last_name(node.func) == "id"
    ] == []


def test_functions_are_called_by_a_verb_and_its_object() -> None:
    """A bare past participle (``told``, ``kept``) says nothing where it is called."""
    bare = [
        f"{file.relative_to(PROGRAM)}: {node.name}"
        for file in files()
        for node in nodes(file)
        if isinstance(node, ast.FunctionDef) and is_participle(node.name.lstrip("_"))
    ]
    assert bare == []


def test_a_function_that_does_something_begins_with_a_verb() -> None:
    """What returns nothing is called for what it does; `DOING` is the list of such verbs, to be added to with care."""
    assert [
        f"{file.relative_to(PROGRAM)}: {node.name}"
        for file in files()
        for node in top_level(file)
        if does_without_verb(node)
    ] == []
    one = ast.parse("def holes(page) -> None: ...\ndef punch_holes(page) -> None: ...\ndef holes_of(page) -> int: ...")
    assert [does_without_verb(each) for each in one.body if isinstance(each, ast.FunctionDef)] == [True, False, False]


def others() -> tuple[Path, ...]:
    """The modules of benchmarks and training, which use the program as well."""
    return tuple(
        path
        for hall in ("benchmarks", "training", "docs", "languages")
        for path in sorted((PROGRAM.parent / hall).rglob("*.py"))
    )


def top_level(file: Path) -> Iterator[ast.FunctionDef]:
    """The functions at the top level of a module."""
    module = nodes(file)[0]
    assert isinstance(module, ast.Module)
    return (node for node in module.body if isinstance(node, ast.FunctionDef))

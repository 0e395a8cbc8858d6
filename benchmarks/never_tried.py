"""List what tests never try: nobody can notice a change of it, so that none need be sampled.

    python benchmarks/never_tried.py [--only web] [tests/web …]

Every module of the packages is watched while the tests run, which takes hardly longer than without. Told are

* functions that are never called, and branches that are never come to;
* conditions, parts of an ``and`` or ``or``, and filters that are always true, or always false;
* comparisons whose sides are never equal, so that ``<`` might be ``<=``;
* loops that never come to a second turn.

Tests marked slow are left out, and what helper processes do is not watched, nor what is only said or checked
(f-strings, ``raise``, ``assert``). ``mutations.py`` samples changes of the rest.
"""

import argparse
import ast
import builtins
import importlib.abc
import importlib.machinery
import operator
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, cast

import pytest
from msgspec import Struct

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("judge", "interpret", "scoring", "rules", "draw", "ledger", "journal", "desk", "workbook", "web", "paper")
COMPARED: dict[type[ast.cmpop], str] = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
NAME = "_watch_{}"  # of what a watched module calls
NEVER_COME = ("never called", "never come to")


class Place(Struct, frozen=True):
    """What a test may try, and what is said where none does."""

    path: str
    line: int
    inside: str  # the function, as ``Class.method``
    text: str
    never: str
    within: int  # the number of the function or branch that it stands in; -1: of none


class Watch(importlib.abc.MetaPathFinder):
    """What there is to try, and what was tried; it finds the modules that it watches."""

    def __init__(self, packages: Sequence[str]) -> None:
        self.packages = packages
        self.places: list[Place] = []
        self.tried: set[int] = set()
        for each in (self.come, self.decide, self.compare, self.turn):
            setattr(builtins, NAME.format(each.__name__), each)

    def come(self, number: int) -> None:
        self.tried.add(number)

    def decide(self, number: int, value: Any) -> Any:
        """Give a condition back; where it is false it is not always true, and the other way round."""
        try:
            self.tried.add(number + bool(value))
        except ValueError:  # an array: nobody asks whether it is true
            self.tried.update((number, number + 1))
        return value

    def compare(self, number: int, name: str, left: Any, right: Any) -> Any:
        if (left == right) is not False:
            self.tried.add(number)
        return getattr(operator, name)(left, right)

    def turn(self, number: int, values: Iterable[Any]) -> Iterator[Any]:
        for count, value in enumerate(values):
            if count == 1:
                self.tried.add(number)
            yield value

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Find a module of a package that is watched."""
        if not any(f"{fullname}.".startswith(f"pipeline.{package}.") for package in self.packages):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is not None and spec.origin is not None:
            spec.loader = WatchedLoader(fullname, spec.origin, self)
        return spec

    def never_tried(self) -> list[Place]:
        """Of what no test comes to, that alone and nothing within."""
        left = set(range(len(self.places))) - self.tried
        gone = {n for n in left if self.places[n].never in NEVER_COME}
        for number, place in enumerate(self.places):  # what stands outside comes first
            if place.within in gone:
                gone.add(number)
        return [self.places[n] for n in sorted(left) if self.places[n].within not in gone]


class WatchedLoader(importlib.machinery.SourceFileLoader):
    """Loads a module with the calls of a watch in it."""

    def __init__(self, fullname: str, path: str, watch: Watch) -> None:
        super().__init__(fullname, path)
        self.watch = watch

    def get_code(self, fullname: str) -> CodeType:
        path = Path(self.get_filename(fullname))
        tree = Watcher(self.watch, str(path.relative_to(ROOT))).visit(ast.parse(path.read_bytes()))
        return compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True)


class Watcher(ast.NodeTransformer):
    """Writes the calls of a watch into a module."""

    def __init__(self, watch: Watch, path: str) -> None:
        self.watch, self.path = watch, path
        self.inside: list[str] = []
        self.within = -1

    def add(self, node: ast.stmt | ast.expr, never: str) -> int:
        """Add a place; gives its number."""
        text = ast.unparse(node).partition("\n")[0][:150]
        self.watch.places.append(Place(self.path, node.lineno, ".".join(self.inside), text, never, self.within))
        return len(self.watch.places) - 1

    def visit_body(self, body: list[ast.stmt], never: str) -> list[ast.stmt]:
        """Have a function or a branch tell that it is come to; its docstring stays the first."""
        is_said = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        outside, self.within = self.within, self.add(body[is_said and len(body) > 1], never)
        told = [*body[:is_said], ast.Expr(_call(self.watch.come, self.within)), *map(self.visit, body[is_said:])]
        self.within = outside
        return told

    def visit_condition(self, value: ast.expr) -> ast.expr:
        """Have a condition tell whether it is true."""
        if isinstance(value, ast.Constant):
            return value
        number = self.add(value, "always true")
        self.add(value, "always false")
        return _call(self.watch.decide, number, cast("ast.expr", self.visit(value)))

    def visit(self, node: ast.AST) -> Any:
        """Write the calls into a part of a module, and into what it is made of."""
        match node:
            case ast.JoinedStr() | ast.Raise() | ast.Assert() | ast.arguments():
                return node
            case ast.AnnAssign():
                node.value = self.visit(node.value) if node.value else None
                return node
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                self.inside.append(node.name)
                if isinstance(node, ast.ClassDef):
                    node.body = [*map(self.visit, node.body)]
                else:
                    node.body = self.visit_body(node.body, NEVER_COME[0])
                self.inside.pop()
                return node
            case ast.If() | ast.While():
                node.test = self.visit_condition(node.test)
                node.body = self.visit_body(node.body, NEVER_COME[1])
                is_elif = len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
                node.orelse = (
                    [*map(self.visit, node.orelse)] if is_elif or not node.orelse
                    else self.visit_body(node.orelse, NEVER_COME[1])
                )  # fmt: skip
                return node
            case ast.ExceptHandler() | ast.match_case():
                if isinstance(node, ast.match_case) and node.guard:
                    node.guard = self.visit_condition(node.guard)
                node.body = self.visit_body(node.body, NEVER_COME[1])
                return node
        return self.visit_expression(node)

    def visit_expression(self, node: ast.AST) -> Any:
        match node:
            case ast.For():
                number = self.add(node.iter, "never a second turn")
                self.generic_visit(node)
                node.iter = _call(self.watch.turn, number, node.iter)
            case ast.IfExp():
                node.test = self.visit_condition(node.test)
                node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
            case ast.BoolOp():
                node.values = [self.visit_condition(value) for value in node.values]
            case ast.comprehension():
                node.iter, node.ifs = self.visit(node.iter), [self.visit_condition(each) for each in node.ifs]
            case ast.Compare(ops=[op]) if type(op) in COMPARED:
                number = self.add(node, "never equal")
                left, right = self.visit(node.left), self.visit(node.comparators[0])
                return _call(self.watch.compare, number, ast.Constant(COMPARED[type(op)]), left, right)
            case _:
                self.generic_visit(node)
        return node


def _call(watch: Callable[..., Any], number: int, *values: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(NAME.format(watch.__name__), ast.Load()), [ast.Constant(number), *values], [])


def main() -> int:
    """Run the tests, and print what none of them tries and how many there are of each kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=PACKAGES, action="append")
    parser.add_argument("tests", nargs="*", default=["tests", "pipeline"])
    asked = parser.parse_args()
    watch = Watch(asked.only or PACKAGES)
    sys.meta_path.insert(0, watch)
    code = pytest.main([*asked.tests, "-m", "not slow", "-p", "no:xdist"])
    found = watch.never_tried()
    for place in sorted(found, key=lambda each: (each.path, each.line)):
        print(f"{place.path}:{place.line} {place.inside}: {place.never}: {place.text}")
    for never, count in Counter(place.never for place in found).most_common():
        print(count, never)
    return int(code)


if __name__ == "__main__":
    sys.exit(main())

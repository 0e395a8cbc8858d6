"""Change the program in small ways, one at a time, and see whether the nearest tests notice: a sampled mutation run.

    python benchmarks/mutations.py [--count 60] [--seed 1] [--only judge] [--most-seconds 120]

A mutant is one change that ``ast`` can make: a comparison turned or moved by one, ``and`` for ``or``, a condition
negated or one of its parts left out, a number one more, ``min`` for ``max``, a set or list update left out. It is made
in a copy of the tree, and the tests of its area run there until one fails, those that import the module first. A
*survivor* is a mutant that no test of its area notices; it is printed as a line to be looked at: some change nothing
that can be seen. Whoever runs out of time says nothing and is counted apart. Goal: at most 5 % survive.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("pipeline", "tests", "benchmarks", "training", "languages")
LINKED = ("templates", "abbreviations", "drawing", "samples", "docs", "pyproject.toml", "README.md", "Makefile")

AREAS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # area -> what is changed, and the nearest tests
    "rows": (("desk/ruling/row_reader.py", "desk/ruling/sheet_state.py"), ("desk/ruling", "desk/sheets")),
    "judge": (("judge/*.py",), ("judge",)),
    "scoring": (("scoring/*.py",), ("scoring",)),
    "interpret": (("interpret/*.py",), ("interpret",)),
    "draw": (("draw/task.py", "draw/search.py", "draw/draw_round.py", "draw/offers.py"), ("draw",)),
    "ledger": (("ledger/ledger.py", "ledger/facts.py", "ledger/copies.py"), ("ledger", "journal", "desk/backup")),
    "ties": (("workbook/ranking_columns.py", "workbook/workings_sheet.py"), ("workbook",)),
}
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPPOSITE = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Mutant(Struct, frozen=True):
    """One change: the text between two places of a file becomes another."""

    area: str
    path: str
    line: int
    start: int  # bytes from the beginning of the file
    end: int
    text: str

    def write(self, tree: Path) -> bytes:
        """Make the change in a copy of the tree; gives back what stood in the file."""
        file = tree / self.path
        data = file.read_bytes()
        file.write_bytes(data[: self.start] + self.text.encode() + data[self.end :])
        return data


def find_mutants(area: str, path: Path) -> Iterator[Mutant]:
    """All mutants of one file."""
    source = path.read_text("utf-8")
    lines = source.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    for node in _nodes_of(ast.parse(source)):
        for change in _changes_of(node):
            start = starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]  # an expression, or +=
            end = starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
            yield Mutant(area, str(path.relative_to(ROOT)), node.lineno, start, end, change)  # type: ignore[attr-defined]


def _nodes_of(node: ast.AST) -> Iterator[ast.AST]:
    """Every node but those in an f-string, whose places ``ast`` does not know before Python 3.12."""
    yield node
    if not isinstance(node, ast.JoinedStr):
        for child in ast.iter_child_nodes(node):
            yield from _nodes_of(child)


def _changes_of(node: ast.AST) -> Iterator[str]:
    """What a node may become, as text."""
    match node:
        case ast.Compare(left, [op], [right]) if type(op) in TURNED:
            yield f"({ast.unparse(ast.Compare(left, [TURNED[type(op)]()], [right]))})"
        case ast.BoolOp(op, values):
            other: ast.boolop = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield f"({ast.unparse(ast.BoolOp(other, values))})"
            for left_out in range(len(values)):
                rest = [value for place, value in enumerate(values) if place != left_out]
                yield f"({ast.unparse(ast.BoolOp(op, rest) if len(rest) > 1 else rest[0])})"
        case ast.UnaryOp(ast.Not(), operand):
            yield f"({ast.unparse(operand)})"
        case ast.Constant(bool() as value):
            yield str(not value)
        case ast.Constant(int() as value):
            yield f"({value + 1})"
        case ast.Call(ast.Name(name), args, keywords) if name in OPPOSITE:
            yield ast.unparse(ast.Call(ast.Name(OPPOSITE[name]), args, keywords))
        case ast.BinOp(left, ast.Add() | ast.Sub() as op, right) if not isinstance(left, ast.JoinedStr | ast.Constant):
            yield f"({ast.unparse(ast.BinOp(left, ast.Sub() if isinstance(op, ast.Add) else ast.Add(), right))})"
        case ast.AugAssign():
            yield "pass"
        case _:
            return


def sample(areas: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """Draw mutants, as many of each area."""
    dice, found = random.Random(seed), []
    for place, area in enumerate(areas):
        files = [path for pattern in AREAS[area][0] for path in sorted((ROOT / "pipeline").glob(pattern))]
        all_of_it = [mutant for path in files for mutant in find_mutants(area, path)]
        wanted = count // len(areas) + (place < count % len(areas))
        found += dice.sample(all_of_it, min(wanted, len(all_of_it)))
    return found


def copy_tree(folder: Path) -> Path:
    """Copy what is changed and run; link what is only read."""
    tree = folder / "tree"
    tree.mkdir()
    for name in COPIED:
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in LINKED:
        (tree / name).symlink_to(ROOT / name)
    if (ROOT.parent / "shared").is_dir():
        (folder / "shared").symlink_to(ROOT.parent / "shared")
    return tree


def nearest_tests(tree: Path, mutant: Mutant) -> list[str]:
    """The test files of an area, those that import the changed module first."""
    module = mutant.path.removesuffix(".py").replace("/", ".")
    files = [path for name in AREAS[mutant.area][1] for path in sorted((tree / "tests" / name).rglob("test_*.py"))]
    return [
        str(path) for path in sorted(files, key=lambda path: f"from {module} import" not in path.read_text("utf-8"))
    ]


def try_mutant(tree: Path, mutant: Mutant, most_seconds: float) -> str:
    """Run the area's tests on a mutant: ``noticed``, ``SURVIVES``, or ``no time`` where they do not end."""
    tests = nearest_tests(tree, mutant)
    before = mutant.write(tree)
    try:
        return {True: "noticed", False: "SURVIVES", None: "no time"}[fails(tree, tests, most_seconds)]
    finally:
        (tree / mutant.path).write_bytes(before)


def fails(tree: Path, tests: Sequence[str], most_seconds: float) -> bool | None:
    """Whether some tests fail in a copy of the tree; None where they do not end in time."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        *tests,
        "-q",
        "-x",
        "-p",
        "no:xdist",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow",
    ]
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, check=False, cwd=tree, env=environment, capture_output=True, timeout=most_seconds
        )
    except subprocess.TimeoutExpired:
        return None
    return done.returncode != 0


def main() -> int:
    """Draw, try, and print every survivor and how many of each area there are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=AREAS, action="append")
    parser.add_argument("--most-seconds", type=float, default=120, help="of one mutant's tests")
    asked = parser.parse_args()
    areas = asked.only or list(AREAS)
    survivors: dict[str, int] = dict.fromkeys(areas, 0)
    tried: dict[str, int] = dict.fromkeys(areas, 0)
    with tempfile.TemporaryDirectory() as folder:
        tree = copy_tree(Path(folder))
        for area in areas:
            if fails(tree, [str(tree / "tests" / name) for name in AREAS[area][1]], asked.most_seconds):
                print(f"{area}: its tests fail without any change; nothing can be told")
                return 2
        for mutant in sample(areas, asked.count, asked.seed):
            begun = time.monotonic()
            found = try_mutant(tree, mutant, asked.most_seconds)
            tried[mutant.area] += found != "no time"
            survivors[mutant.area] += found == "SURVIVES"
            was = (tree / mutant.path).read_bytes()[mutant.start : mutant.end].decode()
            took = f"{time.monotonic() - begun:.0f} s"
            print(found, took, f"{mutant.path}:{mutant.line}", was, "->", mutant.text)
            sys.stdout.flush()
    for area in areas:
        print(f"{area}: {survivors[area]} of {tried[area]} survive")
    lost, all_tried = sum(survivors.values()), sum(tried.values())
    print(f"in all {lost} of {all_tried} survive: {lost / max(1, all_tried):.0%}")
    return int(lost > all_tried * 0.05)


if __name__ == "__main__":
    sys.exit(main())

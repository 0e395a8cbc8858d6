"""Change the program in small ways, one at a time, and see whether a test notices: a sampled mutation run.

    python benchmarks/mutations.py --watch
    python benchmarks/mutations.py [--each 12] [--seed 1] [--only judge] [--most-seconds 60]

A mutant is one change that ``ast`` can make: a comparison turned or moved by one, ``and`` for ``or``, a condition
negated or one of its parts left out, a number one more, a default turned, ``min`` for ``max``, one side of a choice,
an element of a list, a keyword or the filter of a comprehension left out, a guard, an update, a call, an attribute
that is set or a whole ``if`` left out, a loop that ends after its first turn. In the workbook's formulas a comparison,
a number or a function becomes another. Nothing else is changed in what is only said (f-strings, ``raise``), only
checked (``assert``, annotations) or only looked at (the width of a column).

``--watch`` runs what ``make test`` runs, once, and keeps which test comes to which line (coverage.py). A mutant is made
in a copy of the tree, and the tests that come to its line run there, the nearest first, until one fails or they have
taken ``--most-seconds`` of processor. What helper processes do is not watched; slow tests are left out. A module that
changed since must be watched again.

A *survivor* is a mutant that none of these tests notices; *endless* is one that ends in no time, which is noticed too.
``equivalent_mutants.toml`` lists those of which nothing can be seen, each with the reason; they are counted apart.
At the end every test that noticed something runs without a change, where it must pass. Goal: at most 5 % of the
mutants that are not equivalent survive.
"""

import argparse
import ast
import json
import os
import random
import re
import resource
import shutil
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, convert

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("pipeline", "tests", "benchmarks", "training", "languages")
LOADED = ("click", "cv2", "numpy", "openpyxl", "PIL.Image", "scipy", "sqlite3", "unittest.mock")  # once, for all
LINKED = ("templates", "abbreviations", "drawing", "samples", "docs", "pyproject.toml", "README.md", "Makefile")


AREAS = {  # what is changed
    **{name: (f"{name}/*.py",) for name in ("judge", "scoring", "interpret", "draw", "ledger", "rules", "paper")},
    **{name: (f"{name}/*.py",) for name in ("journal", "web", "reading")},
    "desk": ("desk/*.py", "desk/*/*.py"),
    "workbook": ("workbook/*.py", "scoring/parts.py", "scoring/seat_cells.py"),
}
WATCHED = ROOT / "build" / "watched"
COVERED, LASTING = WATCHED / "coverage", WATCHED / "lasting.json"
SOON, MOST = 40, 6000  # tests that run first, and of all
TURNED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.GtE), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
OPPOSITE = {"min": "max", "max": "min", "any": "all", "all": "any"}
SAID_OR_CHECKED = (ast.JoinedStr, ast.Raise, ast.Assert)
TIME_IS_UP = 77  # what pytest then ends with: no code of its own
NO_MEANING = {
    "strict",
    "frozen",
    "kw_only",
    "maxsize",
    "bound",
    "covariant",
}  # keywords that only check, or only save time


class Equivalent(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of which nothing can be seen: where, what stood there, what it becomes, and why."""

    path: str
    inside: str  # the function, as ``Class.method``
    was: str
    becomes: str
    why: str


class Mutant(Struct, frozen=True):
    """One change: the text between two places of a file becomes another."""

    area: str
    path: str
    inside: str
    line: int
    start: int  # bytes from the beginning of the file
    end: int
    was: str
    becomes: str

    def is_equivalent(self, known: Sequence[Equivalent]) -> bool:
        """Tell whether the list of those of which nothing can be seen has this change."""
        mine = (self.path, self.inside, _squeezed(self.was), _squeezed(self.becomes))
        return any(mine == (each.path, each.inside, _squeezed(each.was), _squeezed(each.becomes)) for each in known)


def find_mutants(area: str, path: Path) -> Iterator[Mutant]:
    """All mutants of one file."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for inside, node in _changeable(ast.parse(source), ""):
        if isinstance(node, ast.JoinedStr) != (area == "workbook") and path.parent.name != "workbook":
            continue  # of the modules outside of the workbook it is the formulas that are tried with its tests
        for change in _changes_of(node, source.decode()):
            start = starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]  # it is no module
            end = starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
            was = source[start:end].decode()
            named = str(path.relative_to(ROOT))
            yield Mutant(area, named, inside, node.lineno, start, end, was, change)  # type: ignore[attr-defined]


def _changeable(node: ast.AST, inside: str) -> Iterator[tuple[str, ast.AST]]:
    """Every node that decides something, with the function that it stands in."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        inside = f"{inside}.{node.name}".lstrip(".")
    if (looks := _looks_only(node)) is node:
        return
    yield inside, node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list") or (
            field == "keywords" and isinstance(node, ast.ClassDef)
        ):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.JoinedStr):
                yield inside, child
            if isinstance(child, SAID_OR_CHECKED) or not isinstance(child, ast.AST) or child is looks:
                continue
            if not (isinstance(child, ast.keyword) and child.arg in NO_MEANING):
                yield from _changeable(child, inside)


def _looks_only(node: ast.AST) -> ast.AST | None:
    """The width of a column of the workbook, or the height of a row, which nothing is computed from.

    A width is the fourth that ``grid.add`` is given, or stands in ``page.widths``.
    """
    match node:
        case ast.Call(ast.Attribute(attr="add"), [_, _, _, ast.Constant() as width]):
            return width
        case ast.AugAssign(ast.Attribute(attr="widths" | "heights")):
            return node
        case ast.Assign([ast.Subscript(ast.Attribute(attr="widths" | "heights"))]):
            return node
        case _:
            return None


def _changes_of(node: ast.AST, source: str) -> Iterator[str]:
    """What an expression may become, as text; a statement see below."""
    match node:
        case ast.JoinedStr():
            yield from _changes_of_formula(ast.get_source_segment(source, node) or "")
        case ast.Compare(left, [op], [right]) if type(op) in TURNED:
            for other in TURNED[type(op)]:
                yield f"({ast.unparse(ast.Compare(left, [other()], [right]))})"
        case ast.BoolOp(op, values):
            opposite: ast.boolop = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield f"({ast.unparse(ast.BoolOp(opposite, values))})"
            for left_out in range(len(values)):
                rest = [value for place, value in enumerate(values) if place != left_out]
                yield f"({ast.unparse(ast.BoolOp(op, rest) if len(rest) > 1 else rest[0])})"
        case ast.UnaryOp(ast.Not(), operand):
            yield f"({ast.unparse(operand)})"
        case ast.IfExp(_, body, orelse):
            yield from (f"({ast.unparse(one)})" for one in (body, orelse))
        case ast.Constant():
            yield from _changes_of_constant(node.value)
        case ast.BinOp(left, ast.Add() | ast.Sub() as op, right) if not _is_text(left) and not _is_text(right):
            yield f"({ast.unparse(ast.BinOp(left, ast.Sub() if isinstance(op, ast.Add) else ast.Add(), right))})"
        case _:
            yield from _parts_left_out(node)
            yield from _left_out(node)


def _changes_of_constant(value: object) -> Iterator[str]:
    match value:
        case bool():
            yield str(not value)
        case int():
            yield f"({value + 1})"
        case float():
            yield f"({2 * value + 1})"


def _parts_left_out(node: ast.AST) -> Iterator[str]:
    """What an expression may become that is made of several: one of them is left out."""
    match node:
        case ast.Call(func, args, keywords):
            if isinstance(func, ast.Name) and func.id in OPPOSITE:
                yield ast.unparse(ast.Call(ast.Name(OPPOSITE[func.id]), args, keywords))
            for word in keywords:
                if word.arg not in {None, *NO_MEANING}:
                    yield ast.unparse(ast.Call(func, args, [each for each in keywords if each is not word]))
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp() if node.generators[0].ifs:
            first, *others = node.generators
            whole = ast.comprehension(first.target, first.iter, first.ifs[1:], first.is_async)
            yield ast.unparse(type(node)(**{**_fields_of(node), "generators": [whole, *others]}))
        case ast.Tuple(elts, ast.Load()) | ast.List(elts, ast.Load()) | ast.Set(elts) if _are_plain(elts):
            for left_out in range(len(elts)):
                yield ast.unparse(type(node)(**{**_fields_of(node), "elts": elts[:left_out] + elts[left_out + 1 :]}))


def _fields_of(node: ast.AST) -> dict[str, Any]:
    return dict(ast.iter_fields(node))


def _are_plain(elements: Sequence[ast.expr]) -> bool:
    """Whether a list only names things: then each may be left out; a row of two is a pair."""
    return len(elements) > 2 and all(isinstance(each, ast.Constant | ast.Attribute) for each in elements)


FORMULA = re.compile(r"[A-Z]{2,}\(|[})](?:<=|>=|<>|[<>=])|(?:<=|>=|<>|[<>=])[{(\d]")
IN_FORMULA = re.compile(r"<=|>=|<>|[<>=]|\b(?:AND|OR|MAX|MIN|LARGE|SMALL)(?=\()|(?<![A-Za-z_{.\d])\d+(?![\d.}])")
FORMULA_TURNED = {
    "<=": ("<",), "<": ("<=",), ">=": (">",), ">": (">=",), "=": ("<>",), "<>": ("=",),
    "AND": ("OR",), "OR": ("AND",), "MAX": ("MIN",), "MIN": ("MAX",), "LARGE": ("SMALL",), "SMALL": ("LARGE",),
}  # fmt: skip


def _changes_of_formula(text: str) -> Iterator[str]:
    """What an f-string may become that is a formula: outside its braces one sign, number or function is another."""
    bare = _without_braces(text)
    if not FORMULA.search(text) or "</" in text:
        return
    for found in IN_FORMULA.finditer(bare):
        for other in FORMULA_TURNED.get(found[0]) or (str(int(found[0]) + 1),):
            yield text[: found.start()] + other + text[found.end() :]


def _without_braces(text: str) -> str:
    """Blank out what stands in braces; the rest keeps its place.

    >>> _without_braces('f"IF({a < b}>0,{{1;2}},{c})"')
    'f"IF(_______>0,_______,___)"'
    """
    depth, bare = 0, []
    for letter in text:
        depth += letter == "{"
        bare.append("_" if depth else letter)
        depth -= letter == "}"
    return "".join(bare)


def _left_out(node: ast.AST) -> Iterator[str]:
    """What a statement may become, as text."""
    match node:
        case ast.Expr(ast.Call(ast.Name("assert_never"))):
            return  # mypy has checked that it is never reached
        case ast.AugAssign() | ast.Expr(ast.Call()):
            yield "pass"
        case ast.If(orelse=[]):
            yield "pass"  # a guard, or what is done in one case only
        case ast.Assign([ast.Attribute() | ast.Subscript()]):
            yield "pass"
        case ast.For(body=body) | ast.While(body=body) if not isinstance(body[-1], ast.Return | ast.Break):
            indent = "\n" + " " * body[-1].col_offset
            yield ast.unparse(node).partition("\n")[0] + "".join(
                indent + ast.unparse(part).replace("\n", indent) for part in (*body, ast.Break())
            )
        case ast.Continue():
            yield "break"
        case _:
            return


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def sample(areas: Sequence[str], each: int, seed: int) -> list[Mutant]:
    """Draw as many mutants of each area; those of one area do not depend on which others are asked for."""
    drawn: list[Mutant] = []
    for area in areas:
        files = [path for pattern in AREAS[area] for path in sorted((ROOT / "pipeline").glob(pattern))]
        of_area = [mutant for path in files for mutant in find_mutants(area, path)]
        drawn += random.Random(f"{seed} {area}").sample(of_area, min(each, len(of_area)))
    return drawn


def no_longer_there(known: Sequence[Equivalent]) -> list[Equivalent]:
    """List those of which nothing can be seen that no part of the program is open to any more."""
    paths = {each.path for each in known}
    possible = {path: [one for area in ("", "workbook") for one in find_mutants(area, ROOT / path)] for path in paths}
    return [each for each in known if not any(mutant.is_equivalent([each]) for mutant in possible[each.path])]


def copy_tree(folder: Path) -> Path:
    """Copy what is changed and run; link what is only read."""
    folder.chmod(0o755)  # a test becomes a user who may only read
    tree = folder / "tree"
    tree.mkdir()
    for name in COPIED:
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in LINKED:
        (tree / name).symlink_to(ROOT / name)
    if (ROOT.parent / "shared").is_dir():
        (folder / "shared").symlink_to(ROOT.parent / "shared")
    return tree


class Watch(Struct, eq=False):  # pytest puts its plugins into sets
    """A plugin of pytest that keeps how many seconds each test takes, with its fixtures."""

    seconds: dict[str, float]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up the parts of a test."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration


def watch_tests() -> None:
    """Run the tests once, and keep which of them come to each line, how long they take, and what the program was."""
    shutil.rmtree(WATCHED, ignore_errors=True)
    WATCHED.mkdir(parents=True)
    os.environ["COVERAGE_FILE"] = str(COVERED)
    sys.path[0] = str(ROOT)  # and not the folder of this script, where other modules have the names of tests
    watch = Watch({})
    told = ("--cov=pipeline", "--cov-context=test", "--cov-report=", "-n", str(os.cpu_count()), "--dist=worksteal")
    ended = pytest.main(["-m", "not slow", "-W", "ignore::coverage.exceptions.CoverageWarning", *told], plugins=[watch])
    if ended != pytest.ExitCode.OK:
        raise SystemExit("mend the tests first: what fails notices everything")
    LASTING.write_text(json.dumps({"tests": watch.seconds, "modules": hash_modules()}), "utf-8")


def hash_modules() -> dict[str, str]:
    """Hash every module of the program."""
    files = sorted((ROOT / "pipeline").rglob("*.py"))
    return {str(path.relative_to(ROOT)): sha256(path.read_bytes()).hexdigest() for path in files}


class Watched:
    """Which tests come to a line, and how long they take; ends the program where nothing was watched."""

    def __init__(self) -> None:
        if not LASTING.is_file():
            raise SystemExit("no tests were watched: --watch")
        kept = json.loads(LASTING.read_text("utf-8"))
        self.seconds: dict[str, float] = kept["tests"]
        self.modules: dict[str, str] = kept["modules"]
        self.covered = import_module("coverage").CoverageData(str(COVERED))
        self.covered.read()
        self.now = hash_modules()

    def tests_at(self, path: str, lines: Iterable[int]) -> set[str]:
        """The tests that come to one of these lines of a module; a file of tests, where what it shares comes to one."""
        if self.now[path] != self.modules.get(path):
            raise SystemExit(f"{path} changed since the tests were watched: --watch")
        by_line = self.covered.contexts_by_lineno(str(ROOT / path))
        contexts = {each for line in lines for each in by_line.get(line, ())}
        parted = [context.rpartition("|") for context in contexts]  # each is named with a phase of it
        files = {test.partition("::")[0] for test, _, phase in parted if phase == "setup"}
        return {test for test, *_ in parted} - {""} | files

    def nearest_tests(self, mutant: Mutant) -> list[str]:
        """The tests that come to a change: first the module's own, then those of its package; each time short first."""
        same, package = f"/test_{Path(mutant.path).name}", mutant.path.split("/")[1]

        def by_nearness(test: str) -> tuple[int, float]:
            file = test.partition("::")[0]
            is_near = (
                file == mutant.path,
                file.endswith(same),
                file.startswith(f"tests/{package}/"),
                "::" in test,
                True,
            )
            return is_near.index(True), self.seconds.get(test, 0)

        found = {test for path, lines in lines_of(mutant) for test in self.tests_at(path, lines)}
        return sorted(found, key=by_nearness)[:MOST]


def lines_of(mutant: Mutant) -> Iterator[tuple[str, Iterable[int]]]:
    """The lines that run a change: its statement; of what stands outside of functions, the functions that name it.

    Where no function does, as with a field of a class, those of its module.
    """
    source = (ROOT / mutant.path).read_bytes()
    last = source[: mutant.end].count(b"\n") + 1
    around = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.stmt) and node.lineno <= mutant.line and (node.end_lineno or 0) >= last
    ]
    if any(isinstance(node, ast.FunctionDef) for node in around):
        statement = max(around, key=lambda node: node.lineno)
        inside = getattr(statement, "body", None)
        yield mutant.path, range(statement.lineno, max(last, inside[0].lineno - 1 if inside else last) + 1)
        return
    names = {
        node.id
        for part in around
        for node in ast.walk(part)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    module = mutant.path.removesuffix(".py").replace("/", ".")
    using = [
        (str(path.relative_to(ROOT)), range(node.lineno, (node.end_lineno or 0) + 1))
        for path in (ROOT / "pipeline").rglob("*.py")
        if path == ROOT / mutant.path or module in path.read_text("utf-8")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.FunctionDef)
        and any(getattr(each, "id", getattr(each, "attr", None)) in names for each in ast.walk(node))
    ]
    yield from using or [(mutant.path, range(1, source.count(b"\n") + 2))]


class Budget(Struct, eq=False):  # pytest puts its plugins into sets
    """A plugin of pytest that ends a run whose tests have taken long enough, and all have passed."""

    seconds: float
    has_failed: bool = False

    def pytest_sessionstart(self) -> None:
        """Have hypothesis look for no shorter example: that a test fails is enough."""
        hypothesis = import_module("hypothesis")  # not before pytest has marked it
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        hypothesis.settings.register_profile("unshrunk", phases=phases)
        hypothesis.settings.load_profile("unshrunk")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember that a test failed: that is the answer, however long it took."""
        self.has_failed |= report.failed

    def pytest_runtest_logfinish(self) -> None:
        """Look at the clock after each test."""
        if not self.has_failed and sum(os.times()[:4]) > self.seconds:
            pytest.exit("the time is up", TIME_IS_UP)


def run_tests(tree: Path, tests: Sequence[object], most_seconds: float, *options: str) -> tuple[int, float]:
    """Run tests in a child until one fails, which pytest then keeps in its cache, or the time is up.

    The child has the libraries already and nothing of the program; gives its signal or code, and its seconds.
    """
    if sys.platform == "win32":
        raise NotImplementedError("Windows has no fork")
    shutil.rmtree(tree / ".pytest_cache", ignore_errors=True)
    child = os.fork()
    if not child:
        limit = int(most_seconds) + 30
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        os.chdir(tree)
        os.environ |= {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": ""}
        sys.dont_write_bytecode = False
        sys.path[0] = str(tree)
        with (tree / "log").open("wb") as log:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
        code = pytest.main([*map(str, tests), "-q", "-p", "no:xdist", *options], plugins=[Budget(most_seconds)])
        sys.stdout.flush()
        os._exit(int(code))
    _, status, used = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime


def failed_tests(tree: Path) -> list[str]:
    """List the tests that failed in the last run."""
    kept = tree / ".pytest_cache" / "v" / "cache" / "lastfailed"
    return list(json.loads(kept.read_text("utf-8"))) if kept.exists() else []


def try_mutant(tree: Path, mutant: Mutant, tests: Sequence[str], most_seconds: float) -> tuple[str, list[str]]:
    """Run tests on a mutant: ``noticed``, ``endless`` or ``SURVIVES``, and which test noticed it."""
    file = tree / mutant.path
    before = file.read_bytes()
    file.write_bytes(before[: mutant.start] + mutant.becomes.encode() + before[mutant.end :])
    left = most_seconds
    try:
        for some in filter(None, (tests[:SOON], tests[SOON:])):
            ended, seconds = run_tests(tree, some, left, "-x", "-m", "not slow")
            left -= seconds
            if ended == pytest.ExitCode.INTERNAL_ERROR:
                raise SystemExit((tree / "log").read_text("utf-8"))  # no test has noticed anything
            if ended not in (pytest.ExitCode.OK, TIME_IS_UP, pytest.ExitCode.NO_TESTS_COLLECTED):
                return ("endless" if ended < 0 else "noticed"), failed_tests(tree)
            if left < 0:
                break
    finally:
        file.write_bytes(before)
    return "SURVIVES", []


def main() -> int:
    """Draw, try, and print every survivor and how many of each area there are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=12, help="mutants of each area")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=AREAS, action="append")
    parser.add_argument("--most-seconds", type=float, default=60, help="of one mutant's tests")
    parser.add_argument("--watch", action="store_true", help="see first which tests come to which lines")
    asked = parser.parse_args()
    if asked.watch:
        watch_tests()
        return 0
    watched = Watched()
    areas = asked.only or list(AREAS)
    for library in LOADED:
        import_module(library)
    listed = tomllib.loads((Path(__file__).parent / "equivalent_mutants.toml").read_text("utf-8"))
    equivalent = convert(listed.get("mutant", []), list[Equivalent])
    outdated = no_longer_there(equivalent)
    counts: dict[str, Counter[str]] = {area: Counter() for area in areas}
    noticing: dict[str, None] = {}
    with tempfile.TemporaryDirectory() as folder:
        tree = copy_tree(Path(folder))
        for mutant in sample(areas, asked.each, asked.seed):
            begun = time.monotonic()
            outcome, by = "equivalent", list[str]()
            tests = watched.nearest_tests(mutant)
            if not mutant.is_equivalent(equivalent):
                outcome, by = try_mutant(tree, mutant, tests, asked.most_seconds)
            counts[mutant.area][outcome] += 1
            noticing |= dict.fromkeys(test for test in by if "::" in test)
            took = f"{time.monotonic() - begun:.0f} s, {len(tests)} tests"
            print(outcome, took, f"{mutant.path}:{mutant.line} {mutant.inside}:")
            print("   ", _squeezed(mutant.was), "\n    ->", _squeezed(mutant.becomes), "\n   ", *by)
            sys.stdout.flush()
        shutil.rmtree(tree / ".pytest_cache", ignore_errors=True)
        if noticing:
            run_tests(tree, list(noticing), 3600)
        unsound = failed_tests(tree)
    print("| area | mutants | noticed | endless | equivalent | survive |\n|---|---|---|---|---|---|")
    for area, count in (*counts.items(), ("all", sum(counts.values(), Counter()))):
        row = [count.total(), *(count[name] for name in ("noticed", "endless", "equivalent", "SURVIVES"))]
        print("|", area, "|", " | ".join(map(str, row)), "|")
    in_all = sum(counts.values(), Counter())
    counted = in_all.total() - in_all["equivalent"]
    print(f"{in_all['SURVIVES']} of {counted} survive: {in_all['SURVIVES'] / max(1, counted):.1%}")
    for test in unsound:
        print("fails without a change, so that it noticed nothing:", test)
    for gone in outdated:
        print("listed as equivalent, but no such change can be made any more:", gone.path, gone.inside, gone.was)
    return int(in_all["SURVIVES"] > counted * 0.05 or bool(unsound) or bool(outdated))


if __name__ == "__main__":
    sys.exit(main())

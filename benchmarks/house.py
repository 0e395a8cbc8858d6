"""The size and shape of the program, measured on its syntax trees: ``python benchmarks/house.py [--trace]``.

Each line is one figure with what it was on 2026-11-26 before the modules were joined (commit 5c949870) and what is
wanted. ``--trace`` also prints sheets, answers two questions, publishes and writes a workbook of one board, and
counts the functions that each of these five acts enters, and in how many files.
"""

import argparse
import ast
import re
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).parents[1]
PROGRAM = ROOT / "pipeline"
SHORT = 6  # lines of a function, its docstring among them
CACHES = {"cache", "lru_cache", "cached_property"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
VERBS = {"accept", "seed", "need", "round", "around"}  # that end as participles do
DOING_WORDS = """
add answer apply bring call change check clear close colour copy cover crumple curl cut darken doodle draw drop
end enter explain fill find finish fold forget frame hold keep key leave limit link load log make mark match
mend move note paint photograph place play print publish punch put read record refuse remove return rewrite rule
run serve set settle show stain staple stretch take tell translate try turn type undo update watch widen write
"""  # the first words of functions that do something
DOING = frozenset(DOING_WORDS.split())
BY_CONVENTION = {"main", "group"}  # the names that Python and click ask for
PARTICIPLE_ENDINGS = ("ed", "wn", "ught", "ept", "und", "told", "said", "made", "kept", "left", "seen", "given", "gone")
BESIDE = ("tests", "benchmarks", "languages", "training", "docs")  # folders whose scripts import the program
MOST_SHOWN = 25  # functions that are called most, shown for publishing
INNER = {"<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>", "<lambda>"}  # parts of a function
UNITS = {  # each holds; on two rows the director is asked
    "austria": ("A VIE", "A BUD", "F TRI"),
    "england": ("F LON", "F EDI", "A LVP"),
    "france": ("A PAR", "A MAR", "F BRE"),
    "germany": ("A BER", "A MUN", "F KIE"),
    "italy": ("A VEN ?", "A ROM ?", "F NAP"),
    "russia": ("A WAR", "A MOS", "F SEV", "F STP/SC"),
    "turkey": ("A CON", "A SMY", "F ANK"),
}
BEFORE = {
    "lines": "83,705",
    "ceremony": "37 %",
    "files": "715",
    "median": "98",
    "imports": "10.4",
    "classes": "1,070",
    "once built": "422",
    "once used": "620",
    "shared names": "363",
    "participles": "512",
    "not marked private": "2,188",
    "caches": "57 + 31",
    "docs": "119,000",
    "arrows": "170",
    "entered": "202",
    "deepest": "34",
    "names of an order": "16",
    "publishing": "566 in 51",
    "workbook": "962 in 55",
    "seven sheets": "419 in 30",
    "one key": "70 in 18",
}
WANTED = {
    "lines": "80,000",
    "ceremony": "30 %",
    "files": "260",
    "median": "220",
    "classes": "850",
    "once built": "250",
    "shared names": "120",
    "participles": "0",
    "not marked private": "0",
    "docs": "45,000",
    "arrows": "170",
    "entered": "80",
    "deepest": "24",
    "names of an order": "9",
    "publishing": "283 in 51",
    "workbook": "481 in 55",
    "seven sheets": "210 in 30",
    "one key": "35 in 18",
}


def main() -> None:
    """Print a line for each figure: now, before, wanted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trace", action="store_true", help="also count what five acts enter")
    trees = {path: ast.parse(path.read_text("utf-8")) for path in each_file("pipeline")}
    figures = {**measure_text(trees), **measure_names(trees), **measure_docs(), "arrows": count_arrows(trees)}
    figures |= {f"names of {what}": len(names) for what, names in names_on_the_way().items()}
    if parser.parse_args().trace:
        figures |= trace_acts()
    print(f"{'figure':<20}{'now':>18}{'before':>12}{'wanted':>12}")
    for name, value in figures.items():
        shown = value if isinstance(value, str) else f"{value:,}"
        print(f"{name:<20}{shown:>18}{BEFORE.get(name, ''):>12}{WANTED.get(name, ''):>12}")


def measure_text(trees: dict[Path, ast.Module]) -> dict[str, int | str]:
    """Lines, the share of imports, docstrings and blanks among them, files, and their median length."""
    lengths, ceremony, imports = [], 0, 0
    for path, tree in trees.items():
        lines = path.read_text("utf-8").splitlines()
        lengths.append(len(lines))
        imported = set(lines_of_imports(tree))
        imports += len(imported)
        ceremony += len(imported | set(lines_of_docstrings(tree)) | {n for n, line in enumerate(lines, 1) if not line})
    total = sum(lengths)
    return {
        "lines": total,
        "ceremony": f"{ceremony / total:.0%}".replace("%", " %"),
        "files": len(lengths),
        "median": int(statistics.median(lengths)),
        "imports": f"{imports / len(lengths):.1f}",
    }


def lines_of_imports(tree: ast.Module) -> Iterator[int]:
    """The numbers of the lines on which something is imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def lines_of_docstrings(tree: ast.Module) -> Iterator[int]:
    """The numbers of the lines of all docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (
            ast.get_docstring(node, clean=False) is not None
        ):
            yield from range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)


def measure_names(trees: dict[Path, ast.Module]) -> dict[str, int | str]:
    """Classes, functions and caches by how they are named and how often they are used."""
    read = Counter(name for tree in trees.values() for name in names_read(tree))
    called = Counter(
        name
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for name in called_by(node)
    )
    classes = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    top = [(path, node) for path, tree in trees.items() for node in tree.body if isinstance(node, FUNCTIONS)]
    where = Counter(
        name for tree in trees.values() for name in {each.name for each in tree.body if isinstance(each, FUNCTIONS)}
    )
    others = [ast.parse(path.read_text("utf-8")) for folder in BESIDE for path in each_file(folder)]
    elsewhere = {name for tree in (*trees.values(), *others) for name in names_from_elsewhere(tree)}
    open_names = [
        node.name for _, node in top if not (node.name.startswith("_") or node.name in elsewhere or is_command(node))
    ]
    return {
        "classes": len(classes),
        "once built": sum(is_record(each) and called[each.name] == 1 for each in classes),
        "functions": len(top),
        "once used": sum(read[node.name] == 1 and length(node) <= SHORT for _, node in top),
        "shared names": sum(times > 1 for times in where.values()),
        "participles": sum(is_participle(node.name) for _, node in top),
        "do without a verb": sum(does_without_verb(node) for _, node in top),
        "not marked private": len(open_names),
        "caches": sum(
            is_cached(node) for tree in trees.values() for node in ast.walk(tree) if isinstance(node, FUNCTIONS)
        ),
    }


def names_read(tree: ast.Module) -> Iterator[str]:
    """Every name that a module reads, alone or behind a dot; imports are not counted."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def each_file(folder: str) -> list[Path]:
    """The Python files below a folder of the project."""
    return sorted((ROOT / folder).rglob("*.py"))


def names_from_elsewhere(tree: ast.Module) -> Iterator[str]:
    """Every name that a module imports, or reads behind a dot."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute):
            yield node.attr


def is_command(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is a command, which is loaded by its name."""
    return any(".command" in (text := ast.unparse(each)) or ".group" in text for each in node.decorator_list)


def called_by(node: ast.Call) -> Iterator[str]:
    """The name of what is called."""
    if isinstance(node.func, ast.Name):
        yield node.func.id
    elif isinstance(node.func, ast.Attribute):
        yield node.func.attr


def is_record(node: ast.ClassDef) -> bool:
    """Whether a class is a dataclass or a struct."""
    return any("dataclass" in ast.unparse(each) for each in node.decorator_list) or any(
        "Struct" in ast.unparse(each) for each in node.bases
    )


def is_cached(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function keeps its answers."""
    return any(CACHES & set(ast.unparse(each).replace("(", ".").split(".")) for each in node.decorator_list)


def is_participle(name: str) -> bool:
    """Whether a function's name is one bare past participle."""
    return "_" not in name and name not in VERBS and name.endswith(PARTICIPLE_ENDINGS)


def does_without_verb(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function does something, for it returns nothing, and its name does not begin with a verb.

    A command is called as its word is, ``_command`` behind it.
    """
    does = node.returns is not None and ast.unparse(node.returns) in {"None", "Never", "NoReturn"}
    is_named_by_others = node.name in BY_CONVENTION or node.name.endswith("_command")
    return does and not is_named_by_others and node.name.strip("_").split("_")[0] not in DOING


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def measure_docs() -> dict[str, int | str]:
    """The words of README, change log and documentation; the judge's case pages are tests and are not counted."""
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
    return {
        "docs": sum(
            len(page.read_text("utf-8").split()) for page in pages if "cases" not in page.parts and page.exists()
        )
    }


def names_on_the_way() -> dict[str, list[str]]:
    """The names that an order, a sheet, a player and a score have on their way, by the tables of docs/house.md."""
    page = (ROOT / "docs" / "house.md").read_text("utf-8")
    tables = re.findall(r"What (one order|a \w+) is called on (?:its|his) way:\n\n((?:\|.*\n)+)", page)
    return {
        what.replace("one", "an"): re.findall(r"`(\w+)`", " ".join(row.split("|")[2] for row in table.splitlines()))
        for what, table in tables
    }


def count_arrows(trees: dict[Path, ast.Module]) -> int:
    """Imports between packages of the first level, each pair counted once."""
    arrows = set()
    for path, tree in trees.items():
        here = path.relative_to(PROGRAM).with_suffix("").parts[0]
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("pipeline."):
                there = node.module.split(".")[1]
                if here != there:
                    arrows.add((here, there))
    return len(arrows)


def trace_acts() -> dict[str, int | str]:
    """What five acts at an open event enter: functions and files, and in brackets the calls; of publishing also more.

    One key, and an order that is typed, each answer a question on a row that is on the page of whoever answers.
    """
    from pipeline.board import Power  # noqa: PLC0415 - likewise, and so are the next ones
    from pipeline.cli import main as run  # noqa: PLC0415 - only here is the program run
    from pipeline.desk.event.event import open_event  # noqa: PLC0415
    from pipeline.desk.event.games import games  # noqa: PLC0415
    from pipeline.desk.event.people import Turn  # noqa: PLC0415
    from pipeline.desk.publish.publish import publish  # noqa: PLC0415
    from pipeline.desk.results.standings_workbook import write_standings  # noqa: PLC0415
    from pipeline.desk.review.live import LiveDesk  # noqa: PLC0415
    from pipeline.desk.review.queue import ReviewItem, item_fingerprint  # noqa: PLC0415
    from pipeline.desk.ruling.rulings import type_lines  # noqa: PLC0415
    from pipeline.desk.sheets.printing import print_round  # noqa: PLC0415
    from pipeline.ledger.claims import Claims, Login  # noqa: PLC0415
    from pipeline.ledger.files import now  # noqa: PLC0415
    from pipeline.web.acts import Do, PressedKey, act  # noqa: PLC0415
    from pipeline.web.logins import Role  # noqa: PLC0415
    from pipeline.web.office import Office  # noqa: PLC0415

    names = "name\n" + "".join(f"Player {letter}\n" for letter in "ABCDEFG")
    with tempfile.TemporaryDirectory() as folder:
        roster, cup = Path(folder, "roster.csv"), Path(folder, "cup")
        roster.write_text(names, "utf-8")
        for words in (
            ["new", str(cup), "--tournament", "weaselmoot", "--roster", str(roster), "--name", "Cup"],
            ["draw", str(cup), "--round", "1", "--seed", "1", "--by", "Tess"],
        ):
            sys.argv = ["ordersheets", *words]
            with redirect_stdout(StringIO()), suppress(SystemExit):
                run()
        with open_event(cup, now) as event:
            (game,) = games(event).values()
            for power, units in UNITS.items():
                turn = Turn(game.name, game.position.phase, Power(power.upper()))
                type_lines(event, turn, [f"{unit} H" for unit in units], by="Tess")
            printing = Watch(lambda: print_round(event, 1))
            with closing(Claims(cup / "claims.db")) as claims:
                office = Office(event, LiveDesk(event), claims, lambda: 0.0)
                tess = Login(digest="", csrf="", name="Tess", role=Role.DIRECTOR, until=1.0)

                def press(do: Do, value: str = "") -> Watch:
                    office.live.refresh()
                    doubt = next(item for _, item in office.items(tess) if isinstance(item, ReviewItem))  # on her page
                    pressed = PressedKey(item_fingerprint(office.live, doubt), do, value)
                    return Watch(lambda: act(office, tess, pressed))

                key, order = press(Do.NOTHING), press(Do.ORDER, "A ROM H")
            publishing = Watch(lambda: publish(event, game.name, "Tess"))
            workbook = Watch(lambda: write_standings(event, running=True).data)
    for (path, line, function), times in publishing.calls.most_common(MOST_SHOWN):
        print(f"{times:>7} {Path(path).relative_to(PROGRAM)}:{line} {function}", file=sys.stderr)
    return {
        "seven sheets": printing.words,
        "one key": key.words,
        "a typed order": order.words,
        "publishing": publishing.words,
        "workbook": workbook.words,
        "entered": len(publishing.files),
        "deepest": publishing.deepest,
    }


class Watch:
    """Counts the calls of the program's own functions in an act."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.calls: Counter[tuple[str, int, str]] = Counter()  # by file, line and name
        self.depth = self.deepest = 0
        sys.setprofile(self.see)
        try:
            act()
        finally:
            sys.setprofile(None)

    @property
    def files(self) -> set[str]:
        return {path for path, _, _ in self.calls}

    @property
    def words(self) -> str:
        return f"{len(self.calls)} in {len(self.files)} ({self.calls.total():,})"

    def see(self, frame: FrameType, event: str, _: object) -> None:
        """Take what Python reports to a profiler."""
        code = frame.f_code
        if not code.co_filename.startswith(str(PROGRAM)) or code.co_name == "<module>":
            return
        if event == "call":
            if code.co_name not in INNER:
                self.calls[code.co_filename, code.co_firstlineno, code.co_name] += 1
            self.depth += 1
            self.deepest = max(self.deepest, self.depth)
        elif event == "return":
            self.depth = max(0, self.depth - 1)


if __name__ == "__main__":
    main()

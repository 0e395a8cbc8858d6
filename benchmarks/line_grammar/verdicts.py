"""Lines made by the grammar, and what became of them against what their decorations allow."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from benchmarks.line_grammar.decorations import DECORATIONS, Context, Decoration, Property
from benchmarks.line_grammar.places import LANGUAGES, TOURNAMENTS
from benchmarks.line_grammar.situations import Order, Situation, make_situation
from benchmarks.line_grammar.written import Written, write_order
from pipeline.board import Kind
from pipeline.cli.judge import interpret_sheet

FAULTS = (
    "followed wrongly",
    "doubtful, settled in silence",
    "clear, lost in silence",
    "asked though clear",
    "asked, left open",
)
_LINES_OF_A_POSITION = 12
_LANGUAGE_SHARES = {"english": 80, "french": 8, "german": 6, "italian": 3, "spanish": 3}


@dataclass(frozen=True, eq=False)
class Line:
    """A plain order with its decorations, written by one power in one position. It is remade from `seed`, so that it can be made simpler."""

    situation: Situation
    order: Order
    tournament: str
    language: str
    decorations: tuple[Decoration, ...]
    seed: int

    @cached_property
    def made(self) -> tuple[Written, Property, frozenset[str], tuple[str, ...]] | None:
        """What is written, what may come of it, orders that may come as well, and that must; None where it cannot be written so."""
        written = write_order(self.order, self.tournament, self.language, Random(self.seed))
        printed = self.tournament in LANGUAGES[self.language]["printed_in"]
        prop, also, must = (Property.SAME if printed else Property.OPEN), frozenset[str](), ()
        for decoration in self.decorations:
            context = written and Context(
                written, self.situation, self.order, self.tournament, Random(f"{self.seed} {decoration.name}")
            )
            step = decoration.change(written, context) if written and context else None
            if step is None:
                return None
            written, prop, also, must = step.written, max(prop, step.property), also | step.also, must + step.must
        return (written, prop, also, must) if written else None

    @property
    def names(self) -> list[str]:
        """The names of its decorations; of a plain line its language."""
        return sorted(one.name for one in self.decorations) or [f"plain, {self.language}"]

    @property
    def kind(self) -> str:
        return " + ".join(self.names)

    @property
    def texts(self) -> list[str]:
        return self.made[0].lines if self.made else []

    @cached_property
    def same(self) -> frozenset[str]:
        """The ways to write the plain order in the notation of orders."""
        order = self.order
        return frozenset(
            [str(order), *([f"{order} VIA", f"{order.unit} - {order.sea} - {order.to}"] if order.sea else [])]
        )

    def simplify(self) -> Iterator["Line"]:
        """The same line with fewer decorations, the plainest first."""
        for kept in [(), *((one,) for one in self.decorations)][: len(self.decorations) + 1]:
            if len(kept) < len(self.decorations):
                yield Line(self.situation, self.order, self.tournament, self.language, kept, self.seed)


@dataclass(frozen=True)
class Fault:
    """What is wrong with the answer to a line; `answer` is what came."""

    fault: str
    line: Line
    answer: str


def make_lines(count: int, seed: int, tournaments: tuple[str, ...] = TOURNAMENTS) -> Iterator[Line]:
    """Make lines that all differ, position by position."""
    rng = Random(seed)
    seen: set[tuple[object, ...]] = set()
    while len(seen) < count:
        situation = make_situation(rng)
        for _ in range(_LINES_OF_A_POSITION):
            line = _make_line(situation, rng.choice(tournaments), rng)
            key = (line.tournament, situation, tuple(line.texts))
            if line.made and key not in seen and len(seen) < count:
                seen.add(key)
                yield line


def _make_line(situation: Situation, tournament: str, rng: Random) -> Line:
    order = rng.choice(situation.orders[rng.choice(sorted(situation.orders))])
    language = rng.choices(list(_LANGUAGE_SHARES), list(_LANGUAGE_SHARES.values()))[0]
    fitting = [one for one in DECORATIONS if order.kind in one.kinds]
    chosen: list[Decoration] = []
    for one in rng.sample(fitting, rng.choices((0, 1, 2), (1, 9, 10))[0]):
        if not any(one.slots & other.slots for other in chosen):
            chosen.append(one)
    line = Line(situation, order, tournament, language, tuple(chosen), rng.randrange(10**9))
    if len(chosen) == 2 and not _may_join(line):
        line = Line(situation, order, tournament, language, tuple(chosen[:1]), line.seed)
    return line


def _may_join(line: Line) -> bool:
    """Two refusals may make an order again, and what repeats a line repeats it without its other decoration."""
    props = [one.made[1] for one in line.simplify() if one.decorations and one.made]
    repeats = any("below" in one.slots for one in line.decorations)
    return props.count(Property.TURNING) < 2 and not (repeats and max(props, default=0) >= Property.ANNOUNCED)


def judge_line(line: Line) -> tuple[str | None, str]:
    """Say which fault the answer has, if any, and what came."""
    made = line.made
    if made is None:
        return None, ""
    written, prop, also, must = made
    entries = interpret_sheet(line.situation.as_sheet(line.tournament, written.lines))["entries"]
    shown = "; ".join(f"{one['order']} {one['status']}" for one in entries) or "no entry"
    return _find_fault(line, prop, also | set(must) | _implied(line), must, entries), shown


def _find_fault(
    line: Line, prop: Property, also: frozenset[str], must: tuple[str, ...], entries: list[dict[str, Any]]
) -> str | None:
    wrong, silent, lost, asked, left_open = FAULTS
    clear = {one["order"] for one in entries if one["status"] == "clear"}
    followed = bool(clear & line.same)
    if _find_others(line, clear, also) or (prop is Property.TURNING and followed):
        return wrong
    is_asked = any(one["status"] == "ask" for one in entries)
    if prop >= Property.ANNOUNCED:
        is_told = prop is Property.ANNOUNCED and len(clear) < len(entries)
        return silent if (clear - set(must) and not is_told) or not entries else None
    if prop is Property.FREE:
        return None if entries else lost
    if followed and clear >= set(must):
        return None
    if not is_asked:
        return None if line.order.kind in {"hold", "disband"} and entries else lost  # they come in any case
    if len({(one["line"], one["status"] == "clear") for one in entries}) > len({one["line"] for one in entries}):
        return silent  # "a piece of a line is never clear while another piece of it is not"
    return asked if prop is Property.SAME else left_open


def _find_others(line: Line, clear: set[str], also: frozenset[str]) -> set[str]:
    """Clear orders that nobody wrote; EDC23 R11 itself adds the convoy that a move needs."""
    right = line.same | also
    added = {one for one in clear if line.tournament == "edc2023" and one.partition(" C ")[2] in right}
    return clear - right - added


def _implied(line: Line) -> frozenset[str]:
    """EDC23 R11 completes the order that a support or convoy names, or the convoy that a move needs."""
    order, own = line.order, line.situation.own
    if line.tournament != "edc2023":
        return frozenset()
    if order.sea:
        return frozenset(f"{Kind.FLEET} {order.sea} C {order}" for unit in own if unit[2:] == order.sea)
    moves = {f"{order.of} - {order.to}", f"{order.of} - {order.unit[2:]} - {order.to}"}
    return frozenset(moves) if order.of in own and order.to else frozenset()


def find_simplest(line: Line, fault: str) -> Line:
    """The line with the fewest decorations that has the same fault."""
    return next((one for one in line.simplify() if one.made and judge_line(one)[0] == fault), line)


def judge_lines(
    count: int, seed: int, tournaments: tuple[str, ...] = TOURNAMENTS
) -> Iterator[tuple[Line, Fault | None]]:
    """Judge as many lines; a fault is shown at the simplest line that has it."""
    for line in make_lines(count, seed, tournaments):
        fault, _ = judge_line(line)
        if fault is None:
            yield line, None
        else:
            simplest = find_simplest(line, fault)
            yield line, Fault(fault, simplest, judge_line(simplest)[1])

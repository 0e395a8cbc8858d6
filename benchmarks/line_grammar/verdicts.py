"""Lines made by the grammar, and what became of them against what their decorations allow."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

from benchmarks.line_grammar.contexts import Context
from benchmarks.line_grammar.decorations import DECORATIONS, Decoration, Made, Property
from benchmarks.line_grammar.places import LANGUAGES, TOURNAMENTS
from benchmarks.line_grammar.situations import Order, Situation, make_situation
from benchmarks.line_grammar.written import write_order
from pipeline.cli.judge import interpret_sheet

WRONG, SILENT, LOST, ASKED, LEFT_OPEN = FAULTS = (
    "followed wrongly",
    "settled in silence",
    "lost in silence",
    "asked though clear",
    "asked, left open",
)
_LINES_OF_A_POSITION = 20
_ORDERS_TRIED = 40
_LANGUAGE_SHARES = {"english": 80, "french": 8, "german": 6, "italian": 3, "spanish": 3}


@dataclass(frozen=True, eq=False)
class Line:
    """A plain order with its decorations, as one power writes it. `seed` makes it again with fewer of them."""

    situation: Situation
    order: Order
    tournament: str
    language: str
    decorations: tuple[Decoration, ...]
    seed: int

    @cached_property
    def made(self) -> Made | None:
        """What is written, and what may come of it; None where it cannot be written so."""
        written = write_order(self.order, self.tournament, self.language, Random(self.seed))
        if written is None:
            return None
        printed = self.tournament in LANGUAGES[self.language]["printed_in"]
        made = Made(written, Property.SAME if printed else Property.OPEN)
        for decoration in sorted(self.decorations, key=lambda one: "whole" in one.slots):
            rng = Random(f"{self.seed} {decoration.name}")
            step = decoration.change(Context(made.written, self.situation, self.order, self.tournament, rng))
            if step is None:
                return None
            strongest = max(made.property, step.property)
            made = Made(step.written, strongest, made.also | step.also, made.must | step.must)
        return made

    @property
    def names(self) -> list[str]:
        """The names of its decorations; of a plain line its language."""
        return sorted(one.name for one in self.decorations) or [f"plain, {self.language}"]

    @property
    def lines(self) -> list[Any]:
        return self.made.written.lines if self.made else []

    @property
    def same(self) -> frozenset[str]:
        """The ways to write the plain order in the notation of orders."""
        order, sea = self.order, self.order.sea
        return frozenset({str(order)} | ({f"{order} VIA", f"{order.unit} - {sea} - {order.to}"} if sea else set()))

    @property
    def implied(self) -> set[str]:
        """The move that a support or a convoy names, which EDC23 R11 completes."""
        order = self.order
        if self.tournament != "edc2023" or order.of not in self.situation.own:
            return set()
        return {f"{order.of} - {order.to}", f"{order.of} - {order.unit[2:]} - {order.to}"}

    def simplify(self) -> Iterator["Line"]:
        """The same line with fewer decorations, the plainest first."""
        for kept in ((), *((one,) for one in self.decorations)):
            if len(kept) < len(self.decorations):
                yield replace(self, decorations=kept)


def make_lines(count: int, seed: int) -> Iterator[Line]:
    """Make lines that all differ, position by position."""
    rng = Random(seed)
    seen: set[tuple[object, ...]] = set()
    while len(seen) < count:
        situation = make_situation(rng)
        for _ in range(_LINES_OF_A_POSITION):
            line = _make_line(situation, rng)
            key = (line.tournament, situation, *map(str, line.lines)) if line else ()
            if line and key not in seen and len(seen) < count:
                seen.add(key)
                yield line


def _make_line(situation: Situation, rng: Random) -> Line | None:
    """Decorate the first order that can be written so; a rare decoration comes as often as a common one."""
    tournament = rng.choice(TOURNAMENTS)
    language = rng.choices(list(_LANGUAGE_SHARES), list(_LANGUAGE_SHARES.values()))[0]
    first, count = rng.choice(DECORATIONS), rng.choices((0, 1, 2), (1, 9, 10))[0]
    orders = [order for kind in sorted(first.kinds) for order in situation.plain.get(kind, ())]
    for order in rng.sample(orders, min(len(orders), _ORDERS_TRIED)):
        line = Line(situation, order, tournament, language, (first,) if count else (), rng.randrange(10**9))
        if line.made:
            others = [one for one in DECORATIONS if order.kind in one.kinds and not one.slots & first.slots]
            two = replace(line, decorations=(first, rng.choice(others)))
            return two if count == 2 and two.made and _fit_together(two) else line
    return None


def _fit_together(line: Line) -> bool:
    """Two refusals may make an order again; what repeats a line repeats it without its other decoration."""
    props = [one.made.property for one in line.simplify() if one.decorations and one.made]
    repeats = any("below" in one.slots for one in line.decorations)
    return props.count(Property.TURNING) < 2 and not (repeats and max(props, default=0) >= Property.ANNOUNCED)


def judge_line(line: Line) -> tuple[str | None, str]:
    """Say which fault the answer has, if any, and what came."""
    if line.made is None:
        return None, ""
    entries = interpret_sheet(line.situation.as_sheet(line.tournament, line.lines))["entries"]
    return _find_fault(line, line.made, entries), "; ".join(f"{one['order']} {one['status']}" for one in entries)


def _find_fault(line: Line, made: Made, entries: list[dict[str, Any]]) -> str | None:
    if not entries:
        return SILENT  # CONTRACT: "every other line with ink has an entry"
    clear = {one["order"] for one in entries if one["status"] == "clear"}
    right = line.same | made.also | made.must | line.implied
    # EDC23 R11 completes the convoy that a move needs, too.
    completed = {one for one in clear if line.tournament == "edc2023" and one.partition(" C ")[2] in right}
    if clear - right - completed or (made.property is Property.TURNING and clear & line.same):
        return WRONG
    if made.property >= Property.DOUBTFUL:
        return SILENT if clear - made.must - made.also else None
    if made.property is Property.ANNOUNCED:
        return SILENT if len(clear) == len(entries) else None
    if made.property is Property.FREE or (clear & line.same and clear >= made.must):
        return None
    if line.tournament == "nzdc1999" and "/" in line.order.to and not made.written.coast:
        return None  # NZ99 16: the coast must be given
    if not any(one["status"] == "ask" for one in entries):
        return (
            None if line.order.kind in {"hold", "disband"} else LOST
        )  # a hold, a disbanding is what comes in any case
    if len({(one["line"], one["status"] == "clear") for one in entries}) > len({one["line"] for one in entries}):
        return SILENT  # CONTRACT: "a piece of a line is never clear while another piece of it is not"
    return ASKED if made.property is Property.SAME else LEFT_OPEN


def judge_lines(count: int, seed: int) -> Iterator[tuple[Line, str | None, Line, str]]:
    """Judge as many lines: each with its fault, the simplest line that has it, and what came of that."""
    for line in make_lines(count, seed):
        fault, answer = judge_line(line)
        simplest = line
        if fault is not None:
            simplest = next((one for one in line.simplify() if judge_line(one)[0] == fault), line)
            answer = judge_line(simplest)[1]
        yield line, fault, simplest, answer

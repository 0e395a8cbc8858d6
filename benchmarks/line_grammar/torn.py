"""Sheets of clear orders, some of them torn into parts that stand anywhere on the sheet, and what came of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from benchmarks.line_grammar.places import TOURNAMENTS
from benchmarks.line_grammar.situations import Order, Situation, make_situation
from benchmarks.line_grammar.written import write_order
from pipeline.cli.judge import interpret_sheet

WRONG, SILENT, ASKED = FAULTS = ("followed wrongly", "settled in silence", "asked though clear")
_ENDS = ("", "", "", "", "-", " -", " ...", "…", " ->", " →", "_")
_BEGINS = ("", "", "", "", "   ", "\t", "- ", "... ", "→ ", "-> ")
_BESIDE = ("\t", " | ", "     ", "|", "\t\t", " |")
_WAYS = ("below", "below", "further", "further", "anywhere", "beside", "before")
_TRIES = 30


@dataclass(frozen=True, eq=False)
class TornSheet:
    """One power's orders in their rows, and the same sheet with some of them torn."""

    situation: Situation
    tournament: str
    orders: tuple[Order, ...]
    rows: tuple[str, ...]
    torn: frozenset[int]  # the rows that are torn
    lines: tuple[str, ...]
    parts: tuple[str, ...]

    @property
    def allowed(self) -> set[str]:
        """The orders that are written; EDC23 R11 completes what a support or a convoy names."""
        found = {text for order in self.orders for text in _spellings(order)}
        if self.tournament == "edc2023":
            for order in self.orders:
                if order.of in self.situation.own and order.kind in {"attack", "convoy"}:
                    found |= {f"{order.of} - {order.to}", f"{order.of} - {order.unit[2:]} - {order.to}"}
                if order.kind == "convoyed":
                    found |= {f"F {order.sea} C {order.unit} - {order.to}"}
        return found


def _spellings(order: Order) -> set[str]:
    return {str(order)} | ({f"{order} VIA", f"{order.unit} - {order.sea} - {order.to}"} if order.sea else set())


def make_torn_sheets(count: int, seed: int) -> Iterator[TornSheet]:
    """Make as many sheets whose orders all are clear as they are written whole."""
    rng = Random(seed)
    made = 0
    while made < count:
        situation, tournament = make_situation(rng), rng.choice(TOURNAMENTS)
        orders, rows = _write_rows(situation, tournament, rng)
        if not rows:
            continue
        for _ in range(4):
            made += 1
            torn = frozenset(rng.sample(range(len(rows)), min(len(rows), rng.choice((1, 1, 2, 2, 3)))))
            lines, parts = _lay(rows, torn, rng)
            yield TornSheet(situation, tournament, orders, rows, torn, lines, parts)


def _write_rows(situation: Situation, tournament: str, rng: Random) -> tuple[tuple[Order, ...], tuple[str, ...]]:
    """Write an order for most units, each of which is clear by itself."""
    by_unit: dict[str, list[Order]] = {}
    for order in (one for some in situation.plain.values() for one in some):
        by_unit.setdefault(order.unit, []).append(order)
    found: list[tuple[Order, str]] = []
    for options in by_unit.values():
        kinds = sorted({one.kind for one in options})
        kind = rng.choice(kinds)
        order = rng.choice([one for one in options if one.kind == kind])
        written = write_order(order, tournament, "english", rng)
        if written is None or (found and situation.phase.endswith("A")):
            continue  # one change is due
        reply = interpret_sheet(situation.as_sheet(tournament, [written.line]))
        if [one["status"] for one in reply["entries"] if one["line"] == 1] == ["clear"] and _spellings(order) & set(
            reply["orders"]
        ):
            found.append((order, written.line))
    rng.shuffle(found)
    return tuple(order for order, _ in found), tuple(row for _, row in found)


def _tear(row: str, rng: Random) -> list[str]:
    """Tear a row into two or three parts, between words or in the middle of one."""
    between = [at for at in range(1, len(row)) if row[at] == " "] or [len(row) // 2]
    inside = range(1, len(row))
    cuts = sorted({rng.choice(between if rng.random() < 0.8 else inside) for _ in range(rng.choice((1, 1, 2)))})
    return [part for part in (row[a:b].strip() for a, b in zip([0, *cuts], [*cuts, len(row)], strict=True)) if part]


def _lay(rows: tuple[str, ...], torn: frozenset[int], rng: Random) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Lay the rows one below the other, and the parts of those that are torn anywhere."""
    lines: list[str] = list(rows)
    parts = {at: _tear(rows[at], rng) for at in sorted(torn)}
    for at, (first, *_) in parts.items():
        lines[at] = first + (rng.choice(_ENDS) if len(parts[at]) > 1 else "")
    pending = [(lines[at], part) for at in sorted(torn) for part in parts[at][1:]]
    last: dict[str, int] = {}
    for head, part in pending:
        way = rng.choice(_WAYS)
        here = next((n for n, line in enumerate(lines) if line == head or line.startswith(head)), 0)
        here = max(here, last.get(head, here))
        if way in {"beside", "before"} and len(lines) > 1:
            other = rng.choice([n for n in range(len(lines)) if n != here])
            pair = (lines[other], part) if way == "beside" else (part, lines[other])
            lines[other] = rng.choice(_BESIDE).join(pair)
            continue
        steps = {"below": 1, "further": rng.randint(2, 3)}.get(way, rng.randint(0, len(lines)))
        place = min(len(lines), here + steps) if way != "anywhere" else steps
        lines.insert(place, rng.choice(_BEGINS) + part)
        last[head] = place
    return tuple(lines), tuple(part for some in parts.values() for part in some)


def judge_whole(sheet: TornSheet) -> tuple[str | None, str]:
    """The same sheet with nothing torn: nobody is asked."""
    reply = interpret_sheet(sheet.situation.as_sheet(sheet.tournament, [*sheet.rows]))
    asked = [one for one in reply["entries"] if one["status"] == "ask" and one["line"]]
    return (ASKED if asked else None), _show(reply)


def judge_torn(sheet: TornSheet) -> tuple[str | None, str, int]:
    """Say which fault the torn sheet's answer has, what came, and how many of the rows that are whole are asked."""
    reply = interpret_sheet(sheet.situation.as_sheet(sheet.tournament, [*sheet.lines]))
    entries = reply["entries"]
    settled = {one["order"] for one in entries if one["order"] and one["status"] != "ask"} | set(reply["orders"])
    beside = sum(
        one["status"] == "ask" and sheet.lines[one["line"] - 1] in sheet.rows and not one.get("also")
        for one in entries
        if one["line"]
    )
    other = settled - sheet.allowed
    if other:
        is_held = all(one.endswith(" D" if sheet.situation.phase.endswith("R") else " H") for one in other)
        return (SILENT if is_held else WRONG), _show(reply), beside
    lost = [sheet.orders[at] for at in sheet.torn if not _spellings(sheet.orders[at]) & set(reply["orders"])]
    if lost and not any(one["status"] == "ask" for one in entries):
        return SILENT, _show(reply), beside
    return None, _show(reply), beside


def _show(reply: dict[str, Any]) -> str:
    return "; ".join(f"{one['line']}:{one['order']} {one['status']}" for one in reply["entries"])

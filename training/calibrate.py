"""Fit the gates: ``python -m training calibrate`` measures rows of unseen writers, half to fit on and half to test on.

The halves share no writer. What the gates must keep out is in both of them: misorders of every kind. It is the whole
that is fitted and tested: the first reader alone where it is quite sure, two where it is not, three where they are not.
The thresholds, with the measurement that set them, go into the package.
"""

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from pipeline.desk.hands.calibrating import RowShare
from pipeline.ink import Tier
from pipeline.reading.engine import in_a_row
from pipeline.reading.evidence import Joint
from pipeline.reading.gate import Gate, Gates, Judged, load_gates, readers_of, write_gates
from pipeline.reading.lattice import Floats
from pipeline.reading.recogniser import AFTER_FIRST, Taken
from training.cases import KINDS, LOOK_ALIKE
from training.cases import SLIPS as MISSPELT
from training.fit_gate import (
    FIRST_ALONE_LEAST,
    FIRST_STRICTER,
    LEAST,
    LEAST_OF_BOTH,
    LEAST_OF_THREE,
    NEAR_TO_BOTH,
    Budget,
    fit_gate,
    fit_weights,
    with_budget,
)
from training.measured import Measured, View, cached, cached_alone, judged, looking_often
from training.rows import ROWS, halves
from training.wrong import Wrong

T = TypeVar("T")

MISORDERS = 0.05  # share of rows at a table that are no legal order
SLIPS = 0.4  # share of those that are misspelt ...
OF_SLIPS = {
    "misspelling": 0.75,
    LOOK_ALIKE: 0.25,
}  # ... and how: look-alikes are written more often than anybody slips so
PARTS = {"legal": 1 - MISORDERS, "misspelt": MISORDERS * SLIPS, "other": MISORDERS * (1 - SLIPS)}
ROOM = 0.5  # log odds above what the budget asks for: other writers come nearer
SHOWN = 12  # rows that are wrong unasked, of each kind


class Decided(Struct, frozen=True):
    """A row, and what became of it."""

    row: Measured
    tier: Tier
    view: View
    weight: float  # share of all rows at a table that it stands for
    is_open: bool  # asked, if no row of its sheet teaches the others

    @property
    def asked(self) -> bool:
        """Whether a person is asked."""
        return self.tier is Tier.ASKED

    def is_silent(self, wrong: Wrong) -> bool:
        """Whether it is wrong in this way, and nobody is asked."""
        return not self.asked and self.view.wrong is wrong


def parted(rows: Sequence[Measured]) -> tuple[list[Measured], list[Measured]]:
    """Part the rows by writer."""
    to_fit, to_test = halves()
    return [row for row in rows if row.writer in to_fit], [row for row in rows if row.writer in to_test]


def shares(kinds: Sequence[str]) -> Floats:
    """Weigh rows so that misorders are as rare as at a table, of the misspelt ones a quarter look-alikes."""
    of_kind, parts = Counter(kinds), [part_of(kind) for kind in kinds]
    each = [OF_SLIPS[kind] / of_kind[kind] if kind in OF_SLIPS else 1.0 for kind in kinds]
    of_part = {part: sum(one for one, its in zip(each, parts, strict=True) if its == part) for part in set(parts)}
    return np.array([PARTS[part] * one / of_part[part] for one, part in zip(each, parts, strict=True)])


def weighed_interval(weights: Sequence[float], most: float) -> tuple[float, float, float]:
    """A weighed count of rare rows with its 95 % bounds (Dobson et al. 1991; Poisson bounds by Byar).

    ``most`` is the greatest weight that one more such row could have.
    """
    count, total, variance = len(weights), sum(weights), sum(weight**2 for weight in weights)
    if count == 0:
        return 0.0, 0.0, 3.0 * most
    low = count * (1 - 1 / (9 * count) - 1.96 / (3 * math.sqrt(count))) ** 3
    more = count + 1
    high = more * (1 - 1 / (9 * more) + 1.96 / (3 * math.sqrt(more))) ** 3
    scale = math.sqrt(variance / count)
    return total, max(0.0, total + scale * (low - count)), total + scale * (high - count)


def decided(rows: Sequence[Measured], gates: Gates) -> list[Decided]:
    """Let the gates decide."""
    weights = shares([row.kind for row in rows]).tolist()
    return [
        Decided(row, *row.decided(gates), weight, row.is_asked(gates))
        for row, weight in zip(rows, weights, strict=True)
    ]


def decided_where_asked(rows: Sequence[Measured], gates: Gates) -> list[Decided]:
    """Let the gates decide as under rules that ask about a misspelt word."""
    return decided(list(map(where_asked, rows)), gates.for_misspelt(Taken.ASKED))


def decided_where_held(rows: Sequence[Measured], gates: Gates) -> list[Decided]:
    """Let the gates decide as under rules that do not understand a misspelt word."""
    return decided(list(map(where_held, rows)), gates.for_misspelt(Taken.OTHER))


def where_asked(row: Measured) -> Measured:
    """The row as it is where the rules follow no misspelt word: one that they do follow here is a slip there."""
    return replace(row, views=tuple(map(unfollowed, row.views)), own=row.own and where_asked(row.own))


def unfollowed(view: View) -> View:
    """A view where no misspelt word is followed."""
    wrong = Wrong.SLIP if view.misspelt and view.wrong is Wrong.NOT else view.wrong
    if isinstance(evidence := view.evidence, Joint):
        evidence = replace(evidence, to_asked=evidence.to_slips)
    return replace(view, evidence=evidence, wrong=wrong)


def where_held(row: Measured) -> Measured:
    """The row as it is where a misspelt word is held: no slip is forgiven, each does harm, and is another order."""
    row = where_asked(row)
    return replace(row, views=tuple(map(unforgiven, row.views)), own=row.own and where_held(row.own))


def unforgiven(view: View) -> View:
    """A view where every slip is another order."""
    if isinstance(evidence := view.evidence, Joint):
        evidence = replace(evidence, to_harm=evidence.to_slips)
    return replace(view, evidence=evidence, wrong=Wrong.OTHER if view.wrong is Wrong.SLIP else view.wrong)


def report(rows: Sequence[Decided], title: str) -> str:
    """Say what the gates do with rows."""
    legal = [one for one in rows if one.row.kind == "legal"]
    lines = [
        f"{title}: {len(rows)} rows of {len({one.row.writer for one in rows})} writers, {len(legal)} of them legal",
        *(f"{told} of legal rows, {of_all} of all" for told, of_all in looked_at(rows, legal)),
        f"best line right {share(one.view.wrong is Wrong.NOT for one in legal)} of legal rows",
        f"asked {share(one.asked for one in legal)} of legal rows, "
        f"marked {share(one.tier is Tier.MARKED for one in legal)}",
        f"asked {share(one.is_open for one in legal)} of legal rows, where no row of a sheet teaches the others",
    ]
    for wrong in (Wrong.OTHER, Wrong.SLIP):
        lines += told_of(rows, wrong)
    return "\n".join([*lines, by_writer(legal)])


def report_alone(rows: Sequence[Measured], gates: Gates, title: str) -> Iterator[str]:
    """Say what the gates do with rows that no other rows teach, as three kinds of rules have it."""
    rows = [replace(row, own=None) for row in rows]
    yield report(decided(rows, gates), f"{title}, every row alone")
    yield report(decided_where_asked(rows, gates), f"{title}, every row alone, misspelt words asked")
    yield report(decided_where_held(rows, gates), f"{title}, every row alone, misspelt words held")


def looked_at(rows: Sequence[Decided], legal: Sequence[Decided]) -> Iterator[tuple[str, str]]:
    """At how many rows each reader after the first looks."""
    for count, name in enumerate(AFTER_FIRST, start=2):
        of_legal, of_all = (share(readers_of(one.view.evidence) >= count for one in some) for some in (legal, rows))
        yield f"the {name} reader looks at {of_legal}", of_all


def told_of(rows: Sequence[Decided], wrong: Wrong) -> Iterator[str]:
    """Say how many rows are wrong in one way and unasked, in all and of each kind; and which."""
    silent = [one for one in rows if one.is_silent(wrong)]
    total, low, high = weighed_interval([one.weight for one in silent], max(one.weight for one in rows))
    yield (
        f"{wrong}: {len(silent)} rows unasked, {1e4 * total:.1f} per 10,000 at a table "
        f"(95 %: {1e4 * low:.1f} to {1e4 * high:.1f})"
    )
    for kind in ("legal", *KINDS, LOOK_ALIKE):
        bad = [one for one in silent if one.row.kind == kind]
        count = sum(one.row.kind == kind for one in rows)
        if count:
            yield f"  {kind}: {len(bad)} of {count} rows"
        yield from (f"    {one.row.writer} {one.row.text!r} read as {one.view.evidence.text!r}" for one in bad[:SHOWN])
        if len(bad) > SHOWN:
            yield f"    and {len(bad) - SHOWN} more"
    yield from bounds(rows, wrong)


def bounds(rows: Sequence[Decided], wrong: Wrong) -> Iterator[str]:
    """Bound what each part of the rows adds at a table: legal rows are most of them there, and the fewest here."""
    for part, of_all in PARTS.items():
        those = [one for one in rows if part_of(one.row.kind) == part]
        seen = RowShare(sum(one.is_silent(wrong) for one in those), len(those))
        if those:
            most = 1e4 * seen.interval[1] * of_all
            yield f"  {part} rows alone: {seen.in_words} of them, so at most {most:.1f} at a table"


def part_of(kind: str) -> str:
    """Say which part of the rows at a table a kind belongs to."""
    return kind if kind == "legal" else "misspelt" if kind in MISSPELT else "other"


def by_writer(legal: Sequence[Decided]) -> str:
    """The share that is asked, by tenth of the writers."""
    asked: dict[str, list[bool]] = {}
    for one in legal:
        asked.setdefault(one.row.writer, []).append(one.asked)
    if not asked:
        return "no legal rows"
    ordered = np.sort([sum(rows) / len(rows) for rows in asked.values()])
    parts = np.array_split(ordered, min(10, len(ordered)))
    return "asked by tenth of writers: " + " ".join(f"{100 * float(part.mean()):.0f}" for part in parts) + " %"


def share(truths: Iterable[bool]) -> str:
    """Write a share."""
    found = list(truths)
    return f"{sum(found) / max(1, len(found)):.1%}"


def fit(rows: Sequence[Measured], first: Gate, front: Budget, whole: Budget) -> Gates:
    """Fit what is enough for the first reader, never less than alone; then the gates of two and of three for the rest.

    What a sheet teaches is left out: it is for the rows that a gate asks about, and there is none yet.
    """
    rows = [replace(row, own=None) for row in rows]
    weights = shares([row.kind for row in rows]).tolist()
    alone = replace(first, least={**first.least, **FIRST_ALONE_LEAST})
    by_first = [judged(row.first, weight) for row, weight in zip(rows, weights, strict=True) if not row.first.doubted]
    enough = with_budget(alone, by_first, front, ALL).marked
    gates = Gates(first, NO_GATE, max(enough, first.accepted), "", alone_least=FIRST_ALONE_LEAST)
    gates = replace(gates, both=fit_joint(*left_over(rows, weights, gates, whole, 2), LEAST_OF_BOTH))
    three = fit_joint(*left_over(rows, weights, gates, whole, 3), LEAST_OF_THREE)
    return replace(gates, three=three, stricter=FIRST_STRICTER)


def left_over(
    rows: Sequence[Measured], weights: Sequence[float], gates: Gates, whole: Budget, readers: int
) -> tuple[list[Judged], Budget]:
    """The rows at which so many readers look under some gates, as they see them; what is left of a budget for them."""
    left: list[Judged] = []
    spent: dict[Wrong, float] = dict.fromkeys(Wrong, 0.0)
    for row, weight in zip(rows, weights, strict=True):
        tier, decisive = row.decided(gates)
        view = row.view(readers)
        if tier is not Tier.ASKED:
            spent[decisive.wrong] += weight
        elif view is not None and not view.doubted:
            left.append(judged(view, weight))
    return left, Budget(whole.silent - spent[Wrong.OTHER], whole.slips - spent[Wrong.SLIP])


def fit_joint(left: Sequence[Judged], rest: Budget, least: Mapping[str, float]) -> Gate:
    """Fit the gate of some readers on the rows that are left for them; it asks for a little more than was needed."""
    gate = with_budget(replace(fit_weights(left, NEAR_TO_BOTH), least=least), left, rest, ALL)
    return replace(gate, marked=gate.marked + ROOM, accepted=gate.accepted + ROOM)


def fit_alone(rows: Sequence[Measured], budget: float) -> Gate:
    """Fit the first reader's gate, as it is where there is no second one: there no slip is forgiven."""
    weights = shares([row.kind for row in rows]).tolist()
    strict = [
        judged(row.first, weight, strict=True)
        for row, weight in zip(rows, weights, strict=True)
        if not row.first.doubted
    ]
    return fit_gate(strict, Budget(budget), LEAST)


ALL = 1.0  # the weight of all rows at a table: they are weighed by their shares
NO_GATE = Gate(0.0, dict.fromkeys(Joint.SPAN, 0.0), {}, math.inf, math.inf)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, fit, test, write."""
    found = options().parse_args(arguments)
    reader = looking_often()
    if len(reader.further) < len(AFTER_FIRST):
        raise SystemExit("a reader is missing, and it is the whole that is fitted: training export")
    on_sheets = [row for file in found.rows for row in told(file, cached(file, reader))]
    alone = [row for file in found.more for row in told(file, cached_alone(file, reader)) if row is not None]
    fitted, tested = parted(on_sheets)
    more_fitted, more_tested = parted(alone)
    front, whole = Budget(found.front / 1e4, found.front / 1e4), Budget(found.silent / 1e4, found.slips / 1e4)
    first = reader.gates.first if found.alone is None else fit_alone(fitted, found.alone / 1e4)
    gates = load_gates() if found.as_is else fit(fitted, first, front, whole)
    text = "\n\n".join(
        [
            *(report_alone([*tested, *more_tested], gates, "test half") if more_tested else ()),
            report(decided(tested, gates), "test half"),
            report(decided_where_asked(tested, gates), "test half, where a misspelt word is asked"),
            report(decided_where_held(tested, gates), "test half, where a misspelt word is held"),
            report(decided(tested, gates.without_third()), "test half, without the third reader"),
            report(
                decided(list(map(where_held, tested)), replace(gates, is_alone=True)),
                "test half, the first reader alone",
            ),
        ]
    )
    of_fitted = [*report_alone([*fitted, *more_fitted], gates, "fitted half")] if more_fitted else []
    of_fitted += (report(decided(fitted, gates), "fitted half"),) if fitted else ()
    print(*of_fitted, text, write_gates(gates), sep="\n\n")
    if found.to:
        used = " ".join(
            f"--{key} {getattr(found, key)}"
            for key in ("alone", "front", "silent", "slips")
            if getattr(found, key) is not None
        )
        more = f" --more {' '.join(map(str, found.more))}" if found.more else ""
        command = f"python -m training calibrate --rows {' '.join(map(str, found.rows))}{more} {used}"
        nets = f"row nets {in_a_row(reader.digests)}"
        found.to.write_text(write_gates(replace(gates, measured=f"{command}\n{nets}\n{text}\n")), encoding="utf-8")


def told(file: Path, rows: list[T]) -> list[T]:
    """Say that a file of rows is measured: that takes minutes."""
    print(f"{file}: {len(rows)} rows", file=sys.stderr, flush=True)
    return rows


def options() -> argparse.ArgumentParser:
    """What may be asked for; rows are counted in 10,000 at a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, nargs="+", default=[ROWS], help="files of rows; parted by their writers")
    parser.add_argument("--more", type=Path, nargs="+", default=[], help="files of rows that only judge, each alone")
    parser.add_argument(
        "--alone", type=float, help="wrong unasked where there is no second reader; not given, the gate stays as it is"
    )
    parser.add_argument("--as-is", action="store_true", help="fit nothing: judge the gates that ship")
    parser.add_argument("--front", type=float, default=0.0, help="wrong unasked without the second reader's look")
    parser.add_argument("--silent", type=float, default=0.0, help="taken for another order, in all")
    parser.add_argument("--slips", type=float, default=0.0, help="slips that can mean nothing else, in all")
    parser.add_argument("--to", type=Path, help="write the gates here, such as pipeline/reading/gate.toml")
    return parser

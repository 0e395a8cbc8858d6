"""Counting rows: shares with their intervals, and the tables that are printed."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct

from benchmarks.whole_sheets.found import READER, Found
from pipeline.desk.ruling.rows import RowReason
from pipeline.words.speech import sentence

RESAMPLED = 2000  # times
Z95 = 1.959964  # standard deviations on each side of 95 %
GOALS = (
    "goals: another order than the rules make of the text at most 1 per 10,000, forgiven slips at most 5 per 10,000; "
    "asked at most 5 % of legal rows (2 % after five seasons)"
)
UNSURE = sentence(RowReason.NOT_SURE)  # nothing else was seen
HEAD = (
    *("rows", "legal", "order right", "asked, legal", "asked, all"),
    *("another order", "by spaces alone", "per 10,000 (95 %)", "forgiven slips", "per 10,000 (95 %)", "misread"),
)


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927).

    >>> [round(1e4 * end, 1) for end in wilson(0, 10_000)], [round(end, 3) for end in wilson(5, 10)]
    ([0.0, 3.8], [0.237, 0.763])
    """
    if of == 0:
        return 0.0, 1.0
    share, spread = hits / of, Z95**2 / of
    middle = (share + spread / 2) / (1 + spread)
    half = Z95 * math.sqrt(share * (1 - share) / of + spread / (4 * of)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


class Count(Struct, frozen=True):
    """How some rows fared."""

    rows: int
    legal: int
    right: int  # of the legal ones: the best reading leads to the order that was written
    asked_legal: int
    asked: int
    wrong: int  # unasked: another order
    spaced: int  # of these: what stands is spelled by the letters, not by the spaces between them
    slips: int  # unasked, forgiven
    misread: int  # unasked, the stricter count

    @classmethod
    def of(cls, rows: Sequence[Found]) -> "Count":
        """Count rows."""
        legal = [row for row in rows if row.is_legal]
        return cls(
            rows=len(rows),
            legal=len(legal),
            right=sum(row.best for row in legal),
            asked_legal=sum(bool(row.asked) for row in legal),
            asked=sum(bool(row.asked) for row in rows),
            wrong=sum(row.another_order for row in rows),
            spaced=sum(row.spaces_elsewhere for row in rows),
            slips=sum(row.forgiven_slip for row in rows),
            misread=sum(row.misread_unasked for row in rows),
        )

    @property
    def cells(self) -> tuple[str, ...]:
        """The count in words, under `HEAD`."""
        return (
            f"{self.rows}",
            f"{self.legal}",
            share(self.right, self.legal, 2),
            share(self.asked_legal, self.legal),
            share(self.asked, self.rows),
            f"{self.wrong}",
            f"{self.spaced}",
            per_10_000(self.wrong, self.rows),
            f"{self.slips}",
            per_10_000(self.slips, self.rows),
            f"{self.misread}",
        )


def per_10_000(hits: int, of: int) -> str:
    """A rare share with its interval.

    >>> per_10_000(1, 2452), per_10_000(0, 0)
    ('4.1 (0.7 to 23.1)', '–')
    """
    low, high = wilson(hits, of)
    return f"{1e4 * hits / of:.1f} ({1e4 * low:.1f} to {1e4 * high:.1f})" if of else "–"


def share(hits: int, of: int, places: int = 1) -> str:
    """A share in per cent.

    >>> share(1, 8), share(0, 0)
    ('12.5 %', '–')
    """
    return f"{100 * hits / of:.{places}f} %" if of else "–"


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def parted(rows: Sequence[Found], by: Callable[[Found], str]) -> dict[str, list[Found]]:
    """Part rows by what is the same for some of them, in order."""
    parts: dict[str, list[Found]] = {}
    for row in rows:
        parts.setdefault(by(row), []).append(row)
    return dict(sorted(parts.items()))


def breakdown(title: str, parts: Mapping[str, Sequence[Found]]) -> str:
    """A table with one line for each part."""
    return markdown((title, *HEAD), [(name, *Count.of(rows).cells) for name, rows in parts.items()])


def by_decile(rows: Sequence[Found]) -> dict[str, list[Found]]:
    """Part rows by their writers: those who are asked least first, a tenth of the writers at a time."""
    writers = parted(rows, lambda row: row.writer)
    counts = {writer: Count.of(of) for writer, of in writers.items()}
    ranked = sorted(writers, key=lambda name: (counts[name].asked_legal / max(1, counts[name].legal), name))
    parts = min(10, len(ranked))
    cuts = [round(n * len(ranked) / parts) for n in range(parts + 1)]
    return {
        f"{number}. tenth, {end - start} writers": [row for name in ranked[start:end] for row in writers[name]]
        for number, (start, end) in enumerate(pairwise(cuts), start=1)
    }


def by_tier(rows: Sequence[Found]) -> str:
    """How many rows each tier has, and how many of those nobody was asked about are wrong."""
    table = []
    for tier, of in parted(rows, lambda row: row.tier).items():
        count = Count.of(of)
        told = ("–", "–") if tier == "asked" else (per_10_000(count.wrong, count.rows), f"{count.slips}")
        table.append((tier, f"{count.rows}", share(count.rows, len(rows)), *told, f"{count.misread}"))
    head = ("tier", "rows", "of all rows", "another order, per 10,000", "forgiven slips", "misread")
    return markdown(head, table)


def by_reason(rows: Sequence[Found]) -> str:
    """Why rows were asked: those that the rules follow as they are written, and the others."""
    legal = [row for row in rows if row.is_legal]
    others = [row for row in rows if not row.is_legal]
    reasons = sorted({reason_of(row) for row in rows if row.asked})
    table = [
        (why, *(f"{n} ({share(n, len(of))})" for of in (legal, others) for n in [sum(reason_of(r) == why for r in of)]))
        for why in reasons
    ]
    return markdown(("asked because", f"of {len(legal)} legal rows", f"of {len(others)} other rows"), table)


def reason_of(row: Found) -> str:
    """Why a row was asked, as it is counted: what was seen on the paper stands apart."""
    return f"{row.asked}: {row.why}" if row.asked == READER and row.why != UNSURE else row.asked


def over_people(rows: Sequence[Found]) -> str:
    """What is asked and wrong, with 95 % intervals by drawing people anew, not rows: people differ more than rows."""
    counts = [Count.of(of) for of in parted(rows, lambda row: row.writer).values()]
    asked, legal, wrong, slips, all_ = (
        np.array([getattr(count, name) for count in counts])
        for name in ("asked_legal", "legal", "wrong", "slips", "rows")
    )
    drawn = np.random.default_rng(1).integers(len(counts), size=(RESAMPLED, len(counts)))
    table = []
    for name, hits, of, per, unit in (
        ("asked, of legal rows", asked, legal, 100, " %"),
        ("another order, per 10,000", wrong, all_, 1e4, ""),
        ("forgiven slips, per 10,000", slips, all_, 1e4, ""),
    ):
        shares = hits[drawn].sum(1) / np.maximum(of[drawn].sum(1), 1)
        low, high = np.percentile(shares, [2.5, 97.5])
        table.append((name, f"{per * hits.sum() / max(1, of.sum()):.1f}{unit}", f"{per * low:.1f} to {per * high:.1f}"))
    return markdown((f"of {len(counts)} people", "", "95 %, people drawn anew"), table)


def report(rows: Sequence[Found], name: str) -> str:
    """Everything that is said of a run; accidents stand apart."""
    plain = [row for row in rows if not row.is_accident]
    sheets, writers = len({row.sheet for row in rows}), len({row.writer for row in rows})
    parts = [
        f"## {name}: {len(plain)} rows (and {len(rows) - len(plain)} accidents), {sheets} sheets, {writers} writers",
        GOALS,
        breakdown("", {"all rows": plain}),
        over_people(plain),
        by_tier(plain),
        by_reason(plain),
        breakdown("kind of row", parted(plain, kind_of)),
        breakdown("letters of the row", parted(plain, lambda row: row.letters)),
        breakdown("accidents, counted apart", parted([row for row in rows if row.is_accident], lambda r: r.kind)),
        breakdown("writers, least asked first", by_decile(plain)),
        *(
            breakdown(title, parted(plain, by))
            for title, by in (
                ("pen", lambda row: row.pen),
                ("scan", lambda row: row.scan),
                ("dpi", lambda row: f"{row.dpi} ({'phone' if row.scan == 'phone' else 'scanner'})"),
                ("row design", lambda row: row.design),
                ("tournament", lambda row: row.tournament),
            )
        ),
    ]
    if len({row.season for row in rows}) > 1:
        parts.insert(3, breakdown("season of the same hands", parted(plain, lambda row: f"{row.season:02}")))
    return "\n\n".join([*parts, worst(plain)])


def kind_of(row: Found) -> str:
    """The kind of a row: orders that the rules follow as they are written stand by themselves."""
    return row.kind if row.kind != "legal" or row.clear else "legal order, in words the rules ask about"


def worst(rows: Sequence[Found], most: int = 25) -> str:
    """Every row that was wrong or misread unasked, in words."""
    wrong = [row for row in rows if row.wrong_unasked or row.misread_unasked]
    told = [
        (
            row.sheet,
            str(row.line),
            row.writer,
            f"{row.kind}{', a forgiven slip' if row.slip else ', its spaces elsewhere' if row.spaced else ''}",
            row.tier,
            f"`{row.text}`",
            f"`{row.read}`",
            row.truth,
            row.order,
        )
        for row in wrong[:most]
    ]
    head = ("sheet", "line", "writer", "kind", "tier", "written", "read", "the rules make of it", "adjudicated")
    left = f"\n\n{len(wrong) - most} more" if len(wrong) > most else ""
    return (
        f"### Wrong or misread unasked: {len(wrong)}\n\n" + markdown(head, told) + left if wrong else "### None wrong"
    )

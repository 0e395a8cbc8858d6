"""What it brings to know a hand: ten seasons of the same people, read by desks that learn and by one that does not.

``python benchmarks/reading_hands.py``. The whole way of paper, as in ``benchmarks/reading.py``: positions of
real games, sheets in the hands of people nothing was trained on, 5 % misorders, ``scan``, and a director who types what
is written on each row that the reader did not dare to read. Nobody tells of silent errors. All desks read the same
paper. Where every season is published rows that were read alone teach, too, with their errors, as at a table.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.reading import played, some_seasons, writers_of
from benchmarks.whole_sheets.count import Count, markdown, per_10_000, share
from benchmarks.whole_sheets.found import Found
from benchmarks.whole_sheets.real_ink import has_real_ink, on_one_core
from benchmarks.whole_sheets.table import Plan, Table
from pipeline.paper.sheet_rows import Design
from pipeline.reading.engine import NetRecogniser

SEASONS = 10
PARTS = (*((season, season) for season in range(1, SEASONS + 1)), (1, 2), (3, 5), (6, 10))
WAYS: dict[str, Callable[[Plan], Plan]] = {
    "knowing nobody": lambda plan: replace(plan, learns=False),
    "learning each hand, nothing published": lambda plan: plan,
    "learning each hand, every season published": lambda plan: replace(plan, publishes=True),
    "a writing sample, and every season published": lambda plan: replace(plan, samples=True, publishes=True),
}
HEAD = (
    *("seasons", "rows", "legal", "asked, legal", "best right"),
    *("another order", "per 10,000 (95 %)", "forgiven slips"),
)


def plans(found: argparse.Namespace) -> Iterator[Plan]:
    """Draw one board an event, all with other people as far as there are any."""
    rng = random.Random(found.seed)
    writers = writers_of(found.half)
    rng.shuffle(writers)
    for number in range(found.boards):
        board = some_seasons(played(), SEASONS, rng)
        turned = (*writers[7 * number % len(writers) :], *writers[: 7 * number % len(writers)])
        yield Plan(number, found.tournament, [board], turned, rng.randrange(2**31), Design(found.design))


def rows_of(plan: Plan, engine: NetRecogniser) -> list[Found]:
    """Play one event; accidents with the pen are left out, as they are asked by anybody."""
    with tempfile.TemporaryDirectory() as folder:
        found = [row for _, rows in Table(plan, Path(folder) / "event", engine).play() for row in rows]
    return [row for row in found if not row.is_accident]


def table(rows: Sequence[Found]) -> str:
    """How the rows of each part of the ten seasons fared."""
    lines = []
    for first, last in PARTS:
        count = Count.of([row for row in rows if first <= row.season <= last])
        lines.append(
            (
                f"{first}" if first == last else f"{first} to {last}",
                f"{count.rows}",
                f"{count.legal}",
                share(count.asked_legal, count.legal),
                share(count.right, count.legal, 2),
                f"{count.wrong}",
                per_10_000(count.wrong, count.rows),
                f"{count.slips}",
            )
        )
    return markdown(HEAD, lines)


def told(row: Found) -> str:
    """What a person should look at: what is wrong unasked, and what is still asked when a hand is known."""
    if not row.wrong_unasked and not (row.is_legal and row.asked and row.season > SEASONS // 2):
        return ""
    why = ": ".join(filter(None, (row.asked, row.why)))
    return f"season {row.season}, {row.writer}: {row.text!r}, read as {row.read!r}: {why or row.order}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--boards", type=int, default=6, help="about 230 rows each, and in all four ways two and a half minutes"
    )
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--half", choices=("all", "fit", "test"), default="test", help="of the dev writers")
    parser.add_argument("--tournament", default="weaselmoot")
    parser.add_argument("--design", choices=[str(design) for design in Design], default=str(Design.LINE))
    found = parser.parse_args(arguments)
    if not has_real_ink():
        return
    with on_one_core():
        engine = NetRecogniser()
        all_rows: dict[str, list[Found]] = {way: [] for way in WAYS}
        for plan in plans(found):
            for way, rows in all_rows.items():
                rows.extend(rows_of(WAYS[way](plan), engine))
        for way, rows in all_rows.items():
            print(f"{engine.name}, {way}: {len({row.writer for row in rows})} people")
            print(table(rows), end="\n\n")
            print(*filter(None, map(told, rows)), sep="\n", end="\n\n")


if __name__ == "__main__":
    main()

"""Sheets of real games, written out as people write them, through ``ordersheets interpret`` in one process.

``python benchmarks/interpret.py --sheets 3000``. Goal: 1,000 sheets a second. Each sheet is one power's orders of a
movement phase; every order is spelled at random from the tournament's table, one line in twenty with a letter wrong.
Reading the JSON of the position and writing the JSON of the answer is part of the time. Without the reference games
beside the checkout, the opening position stands in for them. What each tournament makes of the lines is printed, too:
of those written as the table has them, and of those with a slip; "another" is a clear order that was not meant.
"""

import argparse
import gzip
import io
import json
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipeline.board import standard_map, starting_position
from pipeline.cli.judge import interpret_sheet, load_once
from pipeline.cli.streams import answer_each
from pipeline.judge.adjudicate import legal_orders
from pipeline.orders import write, write_position
from pipeline.rules.load import tournament_ids

GAMES = Path(__file__).resolve().parents[2] / "shared" / "data" / "real_games.jsonl.gz"
SLIPS = 0.05
GOAL = 1000  # sheets a second


def phases(random_: random.Random) -> Iterator[dict[str, Any]]:
    """Movement phases with their orders."""
    if GAMES.is_file():
        with gzip.open(GAMES, "rt", encoding="utf-8") as lines:
            for line in lines:
                game = json.loads(line)
                if game["phase"].endswith("M"):
                    yield {**game, "units": game["units_before"]}
        return
    board = standard_map()
    start = starting_position(board)
    while True:
        orders = {power: legal_orders(board, start, power) for power in start.units}
        picked = {power: [write(random_.choice(found)) for _ in range(3)] for power, found in orders.items()}
        yield {**write_position(start), "orders": picked}


def spelled(text: str, tournament: str, random_: random.Random) -> tuple[str, bool]:
    """Write an order with words of the table, and say whether a slip of the pen is in it."""
    rows = load_once(tournament).abbreviations.rows
    words = re.sub(r"\b[A-Z]{3}\b", lambda code: word_for(rows, code.group(), random_), text)
    if random_.random() >= SLIPS:
        return words, False
    at = random_.randrange(len(words))
    return words[:at] + random_.choice("aeiounrst") + words[at + 1 :], True


def word_for(rows: Any, code: str, random_: random.Random) -> str:
    """Take one of a province's words; the usual short one more often than not."""
    row = rows.get(code)
    if row is None or random_.random() < 0.6:
        return code.title()
    return str(random_.choice((*row.accepted, row.name)))


def sheets(count: int) -> list[tuple[dict[str, Any], list[str], list[bool]]]:
    """Make the input, each sheet with the orders that are meant, and which of its lines have a slip."""
    random_ = random.Random(20261120)
    found: list[tuple[dict[str, Any], list[str], list[bool]]] = []
    for phase in phases(random_):
        for power, orders in phase["orders"].items():
            tournament = random_.choice(tournament_ids())
            lines = [spelled(order, tournament, random_) for order in orders]
            about = {key: phase[key] for key in ("phase", "units", "centers")}
            sheet = {"tournament": tournament, "power": power, **about, "lines": [line for line, _ in lines]}
            found.append((sheet, orders, [slipped for _, slipped in lines]))
            if len(found) == count:
                return found
    return found


def fate_of(entries: list[dict[str, Any]], meant: str) -> str:
    """Say in a word what became of a line; a clear order that was not meant is another."""
    if [entry["status"] for entry in entries] != ["clear"]:
        return str(entries[0]["status"]) if entries else "nothing"
    bare = entries[0]["order"].replace(" VIA", "")
    return "clear" if re.sub(r"/[NSE]C", "", bare) == re.sub(r"/[NSE]C| VIA", "", meant) else "another"


def shares(made: list[tuple[dict[str, Any], list[str], list[bool]]], answers: list[dict[str, Any]]) -> None:
    """Print what each tournament makes of the lines."""
    counts: dict[tuple[str, bool], Counter[str]] = {}
    for (sheet, orders, slips), found in zip(made, answers, strict=True):
        for number, (order, slipped) in enumerate(zip(orders, slips, strict=True), start=1):
            entries = [entry for entry in found["entries"] if entry["line"] == number]
            counts.setdefault((sheet["tournament"], slipped), Counter())[fate_of(entries, order)] += 1
    for (tournament, slipped), fates in sorted(counts.items()):
        told = ", ".join(f"{fate} {count / fates.total():.1%}" for fate, count in fates.most_common())
        print(f"  {tournament:<12} {'with a slip' if slipped else 'as written':<12} {fates.total():>6} lines: {told}")


def main() -> None:
    """Measure, and say whether the goal is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=int, default=3000)
    made = sheets(parser.parse_args().sheets)
    source = io.StringIO("".join(json.dumps(sheet) + "\n" for sheet, _, _ in made))
    for tournament in tournament_ids():
        interpret_sheet({**made[0][0], "tournament": tournament})  # tables are made ready once, before the clock runs
    out = io.StringIO()
    wall, cpu = time.perf_counter(), time.process_time()
    answer_each(source, interpret_sheet, out)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    print(f"{len(made)} sheets, {sum(len(each['entries']) for each in answers)} orders")
    shares(made, answers)
    print(
        f"{len(made) / cpu:,.0f} sheets a second of processor time, {len(made) / wall:,.0f} by the clock; goal {GOAL:,}"
    )


if __name__ == "__main__":
    main()

"""Ask two judges the same random questions, and check what must be true of every answer.

    python benchmarks/second_judge.py [--positions 200000] [--seed 0] [--cores 2] [real_games.jsonl.gz]

``--positions`` movement phases under random rules, each with the retreats that follow and every tenth with an
adjustment phase. Each is asked again with other names and in another order. Prints counts and every difference with its
seed; exit code 1 if there is one. Recorded games, if a file is given, are judged by both judges under the preferences
of the DATC.
"""

import argparse
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from judge.comparing import Answer, ask, differences
from judge.invariants import asked_otherwise, broken
from judge.random_questions import (
    Question,
    random_movement,
    random_retreats,
    random_rules,
    random_winter,
)

from pipeline.board import standard_map

BOARD = standard_map()
PORTION = 500  # positions a task
SHOWN = 20  # differences that are printed


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("games", nargs="?", type=Path)
    asked.add_argument("--positions", type=int, default=200_000)
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--cores", type=int, default=2)
    options = asked.parse_args()
    counted, faults = Counter[str](), []
    with ProcessPoolExecutor(options.cores) as cores:
        starts = range(options.seed, options.seed + options.positions, PORTION)
        for portion, told in cores.map(_try_portion, starts):
            counted += portion
            faults += told
    if options.games:
        for question in _recorded(options.games):
            counted["recorded phases"] += 1
            faults += [f"recorded {question['phase']}: {fault}" for fault in differences(question, ask(question))]
    for what, number in sorted(counted.items()):
        print(f"{number:>9,}  {what}")
    print(f"{len(faults):>9,}  differences or broken invariants")
    for fault in faults[:SHOWN]:
        print(fault)
    return 1 if faults else 0


def _try_portion(start: int) -> tuple[Counter[str], list[str]]:
    counted, faults = Counter[str](), []
    for seed in range(start, start + PORTION):
        for question, answer in _questions(seed):
            counted[
                {"M": "movement phases", "R": "retreat phases", "A": "adjustment phases"}[question["phase"][-1]]
            ] += 1
            if question["phase"][-1] == "M":
                counted += _sights(answer["results"], bool(answer["dislodged"]))
            told = differences(question, answer) + broken(BOARD, question, answer)
            if question["phase"][-1] != "A":
                told += asked_otherwise(question, answer, Random(seed))
            faults += [f"seed {seed} {question['phase']} {json.dumps(question)}: {fault}" for fault in told]
    return counted, faults


def _questions(seed: int) -> Iterator[tuple[Question, Answer]]:
    """Give a movement phase, the retreats after it if there are any, and now and then a winter."""
    random = Random(seed)
    rules = {"rules": random_rules(random)}
    movement = rules | random_movement(random, BOARD)
    answer = ask(movement)
    yield movement, answer
    if answer["next_phase"].endswith("R"):
        retreats = rules | random_retreats(random, BOARD, answer, answer["next_phase"])
        yield retreats, ask(retreats)
    if seed % 10 == 0:
        winter = rules | random_winter(random, BOARD)
        yield winter, ask(winter)


def _sights(results: list[dict[str, str]], dislodged: bool) -> Counter[str]:
    """What there was to see in a movement phase."""
    sights = {
        "of them with a unit dislodged": dislodged,
        "of them with a convoy paradox": any("paradox" in each["reason"] for each in results),
        "of them with an army carried": any(each["reason"] == "carries the army" for each in results),
        "of them with a head-to-head battle": any("head-to-head" in each["reason"] for each in results),
        "of them with an illegal or invalid order": any(each["result"] in ("illegal", "invalid") for each in results),
    }
    return Counter(sight for sight, seen in sights.items() if seen)


def _recorded(path: Path) -> Iterator[Question]:
    """Give the phases of recorded games; retreats start from what the judge made of the movement before."""
    dislodged: list[dict[str, object]] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            question = {
                "rules": "datc",
                "phase": record["phase"],
                "units": record["units_before"],
                "centers": record["centers"],
                "orders": record["orders"],
            }
            if record["phase"].endswith("R"):
                question["dislodged"] = dislodged
            yield question
            dislodged = ask(question)["dislodged"]


if __name__ == "__main__":
    sys.exit(main())

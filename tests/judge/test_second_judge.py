"""The judge answers as a second judge does, and what must be true of every answer is true."""

import gzip
import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.comparing import ask, differences
from judge.invariants import asked_otherwise, broken
from judge.random_questions import Question, random_movement, random_retreats, random_rules, random_winter
from pipeline.board import standard_map

BOARD = standard_map()
SEEDS = st.integers(0, 2**40)


def random_question(seed: int, step: str) -> Question:
    """A question of one step, under rules of its own; retreats are those after a random battle."""
    random = Random(seed)
    rules: Question = {"rules": random_rules(random, step)}
    if step == "A":
        return rules | random_winter(random, BOARD)
    while True:
        movement = rules | random_movement(random, BOARD)
        if step == "M":
            return movement
        answer = ask(movement)
        if answer["dislodged"]:
            return rules | random_retreats(random, BOARD, answer, movement["phase"][:-1] + "R")


@pytest.mark.parametrize("step", ["M", "R", "A"])
@settings(max_examples=250)
@given(seed=SEEDS)
def test_a_second_judge_gives_the_same_answer_and_what_must_be_true_of_it_is_true(step: str, seed: int) -> None:
    question = random_question(seed, step)
    answer = ask(question)

    assert differences(question, answer) == []
    assert broken(BOARD, question, answer) == []


@settings(max_examples=120)
@given(seed=SEEDS)
def test_names_and_sequence_and_units_that_do_not_exist_change_nothing(seed: int) -> None:
    question = random_question(seed, "M")

    assert asked_otherwise(question, ask(question), Random(seed)) == []


def test_both_judges_agree_about_games_that_people_played(shared: Path) -> None:
    """Every ninth movement phase and adjustment; ``benchmarks/second_judge.py`` compares all 2,950 phases."""
    with gzip.open(shared / "data" / "real_games.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for number, line in enumerate(lines) if number % 9 == 0]
    for record in records:
        if not record["phase"].endswith("R"):
            question = {key: record[key] for key in ("phase", "centers", "orders")}
            question |= {"rules": "datc", "units": record["units_before"]}
            assert differences(question, ask(question)) == [], record["game"]

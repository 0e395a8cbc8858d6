"""Ask the program's judge and the second judge the same question."""

import json
from collections.abc import Mapping
from typing import Any

from msgspec.structs import asdict

from judge.random_questions import Question
from judge.second_judge import judge as second_judge
from pipeline.board import MAPS
from pipeline.cli.judge import _rulebook_of
from pipeline.cli.judge import judge as first_judge

Answer = dict[str, Any]


def ask(question: Question) -> Answer:
    """The program's answer, as it goes out; ``question`` has its ``rules``."""
    answer: Answer = json.loads(json.dumps(first_judge(json.loads(json.dumps(question)))))
    return answer


def ask_second(question: Question, rules: Mapping[str, Any] | None = None) -> Answer:
    """The second judge's answer; ``rules`` if the question does not name them."""
    board = MAPS[question.get("map", "standard")]()
    return second_judge(board, choices_of(question) if rules is None else rules, question)


def choices_of(question: Question) -> dict[str, Any]:
    """Every choice of the question's rules by its name."""
    return asdict(_rulebook_of(question))


def in_common(answer: Answer) -> Answer:
    """What both judges answer, in one form and order."""
    units = answer["units"]
    if isinstance(units, Mapping):
        units = [(power, text[0], text[2:]) for power, texts in units.items() for text in texts]
        results = [(each["power"], each["order"], each["result"]) for each in answer["results"]]
    else:
        results = answer["results"]
    fled = [(d["power"], d["unit"], d["from"], tuple(d["retreats"])) for d in answer["dislodged"]]
    common = {"results": sorted(results), "units": sorted(units), "dislodged": sorted(fled)}
    if "centers" in answer:
        centres = answer["centers"]
        if isinstance(centres, Mapping):
            centres = [(power, centre) for power, owned in centres.items() for centre in owned]
        common["centers"] = sorted(centres)
    return common


def differences(question: Question, answer: Answer) -> list[str]:
    """What the second judge says otherwise than ``answer``, the program's, in lines to print."""
    one, other = in_common(answer), in_common(ask_second(question))
    return [
        f"{part}: the program has {[x for x in one[part] if x not in other[part]]}, "
        f"the second judge {[x for x in other[part] if x not in one[part]]}"
        for part in one
        if one[part] != other[part]
    ]

"""A rulebook is made of an edition and single choices, and every fault is told at once."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields, replace

from pipeline.board import Kind, Phase, Position, Power, Unit, standard_map
from pipeline.judge import rulebook as c
from pipeline.judge.adjudicate import why_illegal
from pipeline.judge.outcome import Illegal
from pipeline.judge.rulebook import DATC, EDITIONS, LETTERS, Rulebook, rulebook
from pipeline.orders import read_order, read_unit
from pipeline.problems import Stopped

RULES_1982 = {"4.A.2": "b", "4.A.3": "b", "4.D.8": "a", "4.E.1": "impossible-is-move", "disorder_retreats": False}
BY_LETTERS: dict[str, dict[str, Any]] = {  # what each edition chooses otherwise than the test cases prefer
    "datc": {}, "1982": RULES_1982, "1992": RULES_1982,
    "1971": {**RULES_1982, "4.A.1": "a", "4.A.2": "a", "4.A.3": "a", "4.A.5": "a"},
    "2000": {"4.A.2": "c", "4.E.1": "impossible-is-move", "4.D.8": "b", "disorder_retreats": False},
    "2023": {"4.A.2": "c", "4.E.1": "hold"},
}  # fmt: skip


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_is_a_bundle_of_choices(edition: str) -> None:
    assert rulebook(edition) == rulebook({"base": "datc", **BY_LETTERS[edition]})


def test_choices_are_named_by_letter_or_by_field() -> None:
    assert rulebook({"base": "1982", "4.A.2": "f"}).paradox is c.Paradox.SZYKMAN
    assert rulebook({"edition": "1982", "paradox": "szykman"}).paradox is c.Paradox.SZYKMAN
    assert rulebook({"removal_list": ["ADR", "AEG"], "imposed_builds": 2}).removal_list == ("ADR", "AEG")


def test_every_fault_is_told_at_once_with_what_was_meant() -> None:
    settings = {"edition": "1981", "4.A.2": "z", "paradoks": "x", "waiving": "yes", "4.A.9": "a", "removal_list": "ADR"}
    with pytest.raises(Stopped) as stopped:
        rulebook(settings, "x.toml judge")

    assert {problem.where: problem.text for problem in stopped.value.problems} == {
        "x.toml judge.edition": "'1981' is not one of datc, 1971, 1982, 1992, 2000, 2023; did you mean '1982'?",
        "x.toml judge.4.A.2": "'z' is not one of a, b, c, d, e, f, pandin",
        "x.toml judge.paradoks": "unknown choice; did you mean 'paradox'?",
        "x.toml judge.waiving": "wanted bool, found 'yes'",
        "x.toml judge.4.A.9": "unknown choice; did you mean '4.D.9'?",
        "x.toml judge.removal_list": 'wanted a list of provinces such as ["ADR", "AEG"], found \'ADR\'',
    }


def test_a_backup_must_have_an_answer_to_everything() -> None:
    with pytest.raises(Stopped, match="paradox_backup: wanted one of all-hold, szykman, pandin"):
        rulebook({"paradox_backup": "1971"})


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_field_can_be_set_to_each_of_its_words(edition: str) -> None:
    for each in fields(Rulebook):
        standard = getattr(DATC, each.name)
        words: list[Any] = [True, False] if isinstance(standard, bool) else []
        if isinstance(standard, StrEnum) and each.name != "paradox_backup":
            words = [str(word) for word in type(standard)]
        for word in words:
            assert getattr(rulebook({"base": edition, each.name: word}), each.name) == word


def test_every_published_choice_and_option_is_known(shared: Path) -> None:
    issues = json.loads((shared / "data" / "datc_choices.json").read_text("utf-8"))["issues"]

    assert len(issues) == 35
    assert {issue["id"] for issue in issues} == set(LETTERS)
    for issue in issues:
        assert set(issue["options"]) <= set(LETTERS[issue["id"]]), issue["id"]


def test_the_preferences_of_the_test_cases_are_the_defaults(shared: Path) -> None:
    issues = json.loads((shared / "data" / "datc_choices.json").read_text("utf-8"))["issues"]

    for issue in issues:
        assert rulebook({issue["id"]: issue["pref"]}) == DATC


@pytest.mark.parametrize("letter", [(issue, option) for issue, options in LETTERS.items() for option in options])
def test_every_letter_makes_a_rulebook(letter: tuple[str, str]) -> None:
    issue, option = letter
    changed = rulebook({"base": "datc", issue: option})

    for name, value in LETTERS[issue][option].items():
        assert getattr(changed, name) == value


@pytest.mark.parametrize(("letter", "told"), [("a", "there is no PIC/NC (DATC 4.B.6)"), ("b", "")])
def test_a_coast_that_is_not_there_makes_a_support_illegal_only_under_4_b_6_a(letter: str, told: str) -> None:
    fleets = tuple(map(read_unit, ("F BRE", "F ENG")))
    position = Position(phase=Phase.read("S1901M"), units={Power.FRANCE: fleets}, centres={})
    support = read_order("F ENG S F BRE - PIC/NC")
    refused = why_illegal(standard_map(), position, Power.FRANCE, support, rulebook({"4.B.6": letter}))
    assert (f"{refused.why} ({refused.rule})" if isinstance(refused, Illegal) else "") == told


@pytest.mark.parametrize(
    ("letters", "named", "told"),
    [
        ({"4.B.5": "a", "4.B.6": "b"}, "F STP/SC", "the unit is F STP/NC (DATC 4.B.5)"),
        ({"4.B.5": "a", "4.B.6": "b"}, "F STP/EC", ""),  # no such coast: 4.B.6 is about it
        ({"4.B.5": "b", "4.B.6": "a"}, "F STP/SC", ""),
        ({"4.B.5": "b", "4.B.6": "a"}, "F STP/EC", "the unit is F STP/NC (DATC 4.B.6)"),
    ],
)
def test_a_wrong_coast_and_a_coast_that_is_not_there_are_two_questions(
    letters: dict[str, str], named: str, told: str
) -> None:
    position = Position(phase=Phase.read("S1901M"), units={Power.RUSSIA: (read_unit("F STP/NC"),)}, centres={})
    order = replace(read_order("F STP/NC - BAR"), unit=Unit(Kind.FLEET, named.split()[1]))
    refused = why_illegal(standard_map(), position, Power.RUSSIA, order, rulebook(letters))
    assert (f"{refused.why} ({refused.rule})" if isinstance(refused, Illegal) else "") == told

"""Every page is true: each order does what the page says, for the reason it gives, and all ends where it says."""

import pytest
from _pytest.mark import ParameterSet
from msgspec.structs import asdict

from judge.comparing import ask_second
from judge.pages import Block, Case, Line, cases, read_page
from judge.playing import lines_of, owned_by_power, play, rules_of, told_of
from pipeline.judge.outcome import Word
from pipeline.orders import write_position

ALL = list(cases())


def by_power(lines: list[Line]) -> dict[str, list[Line]]:
    """Sort lines by power; the order within a power stays."""
    found: dict[str, list[Line]] = {}
    for line in lines:
        found.setdefault(line.power, []).append(line)
    return found


def every_block() -> list[ParameterSet]:
    return [pytest.param(case, id=case.number) for case in ALL]


@pytest.mark.parametrize("case", every_block())
def test_a_case_plays_as_its_page_says(case: Case) -> None:
    for block, rules, _, resolution in play(case):
        where = f"{case.where} {block.kind} {rules}"
        told = told_of(resolution)

        assert by_power(lines_of(resolution)) == by_power(block.lines), where
        assert {key: told[key] for key in block.told} == block.told, where


def test_the_second_judge_plays_every_page_too() -> None:
    """The judge that random positions are compared with knows what the pages teach."""
    faults = []
    for case in ALL:
        for block, rules, position, _ in play(case):
            orders = {
                power: [w.order for w in lines if w.result != "automatic"]
                for power, lines in by_power(block.lines).items()
            }
            question = {**write_position(position), "map": case.blocks[0].board, "orders": orders}
            answer = ask_second(question, asdict(rules_of(rules)))
            ends: dict[str, list[str]] = {}
            for power, kind, place in answer["units"]:
                ends.setdefault(power, []).append(f"{kind} {place}")
            expected = sorted((line.power, line.order, line.result) for line in block.lines)
            if answer["results"] != expected or owned_by_power(ends) != block.told["ends"]:
                faults.append(
                    (case.number, rules, [r for r in answer["results"] if r not in expected], owned_by_power(ends))
                )

    assert faults == []


def test_a_page_says_where_everything_ends() -> None:
    assert [case.where for case in ALL for block in case.blocks if "ends" not in block.told] == []


def test_no_case_is_told_twice() -> None:
    numbers = [case.number for case in ALL]

    assert sorted(set(numbers)) == sorted(numbers)


def test_every_word_for_a_result_occurs_on_the_pages() -> None:
    found = {line.result for case in ALL for block in case.blocks for line in block.lines}

    assert found == {str(word) for word in Word}


def test_a_line_that_is_not_understood_is_told_with_its_place() -> None:
    with pytest.raises(ValueError, match=r"page line 3: not understood: '   A VIE'"):
        list(read_page("6.A.1  Name\nLesson.\n   A VIE\n", "page"))


def test_a_page_keeps_units_without_orders() -> None:
    [case] = read_page("6.J.1  Name\nLesson.\n\n  FRANCE   has A PAR, A PIC\n           owns PAR\n", "page")

    assert case.blocks == [
        Block("first", phase="S1901M", powers=["FRANCE"], has={"FRANCE": ["A PAR", "A PIC"]}, owns={"FRANCE": ["PAR"]})
    ]

"""What the pages cannot show: rulings, reasons, candidates, and the shape of the answer."""

import json

import pytest
from click.testing import CliRunner

from interpret.drawing import BOARD, read, tournament
from pipeline.board import Kind, Phase, Position, Power, Step, Unit, starting_position
from pipeline.cli.judge import interpret_command, interpret_sheet
from pipeline.interpret.doubts import Doubt, LineDoubt
from pipeline.interpret.interpret import _lexicon_of, interpret
from pipeline.interpret.lines import read_line
from pipeline.interpret.verdict import Line, Status
from pipeline.orders import write
from pipeline.problems import Stopped
from pipeline.rules.rulings_book import Ruling, RulingsBook, Situation

START = starting_position(BOARD)
FIN = Position(
    phase=Phase.read("S1902M"),
    units={Power.RUSSIA: (Unit(Kind.ARMY, "FIN"),)},
    centres={Power.RUSSIA: BOARD.homes[Power.RUSSIA]},
)


def test_an_answer_quotes_the_word_its_meanings_and_the_rule() -> None:
    entry = read("edc1996", FIN, "A Fin-Nor", power=Power.RUSSIA).entries[0]

    assert entry.rule == "EDC96 8"
    assert entry.reason == "'Nor' (NAF, NAO, NTH, NWG, NWY) may mean several provinces; it holds and may be supported"


def test_an_order_that_the_rules_have_not_judged_yet_is_asked() -> None:
    (order,) = read_line("A Vie - Boh", _lexicon_of(tournament("weaselmoot")), Step.MOVEMENT)
    assert (order.status, order.order) == (Status.ASK, None)


def test_a_unit_whose_line_is_asked_is_not_also_without_an_order_and_one_that_is_only_named_is() -> None:
    for name in ("edc2023", "nzdc1999"):  # the one asks about the first line, the other about the second
        found = read(name, START, "F BRE - MUN", "A PAR", "A MAR H")
        assert [str(unit) for unit in found.unordered] == ["A PAR"], name


def test_every_candidate_is_kept_with_its_reason_and_the_possible_ones_come_first() -> None:
    entry = read("nzdc1999", FIN, "A Fin-Nor", power=Power.RUSSIA).entries[0]

    orders = [write(candidate.order) for candidate in entry.candidates]
    assert orders == ["A FIN - NWY", "A FIN - NAF", "A FIN - NAO", "A FIN - NTH", "A FIN - NWG", "A FIN H"]
    assert "NTH is a sea" in entry.candidates[3].reason


def test_an_earlier_ruling_is_offered_and_still_waits_for_a_person() -> None:
    asked = read("nzdc1999", FIN, "A Fin-Nor", power=Power.RUSSIA).entries[0]
    assert asked.situation == Situation("TWO_PLACES", "reading.word_reachability", "a fin - nor")
    ruling = Ruling(
        situation=asked.situation, decision="A FIN - NWY", by="G. T.", why="clear enough", when="1999-08-28"
    )

    found = interpret([Line(1, "A FIN – nor")], Power.RUSSIA, FIN, tournament("nzdc1999"), RulingsBook((ruling,)))

    entry = found.entries[0]
    assert (entry.status, entry.order, found.orders, found.remarks) == (Status.ASK, None, (), ())
    assert Doubt.RULED_BEFORE in {each.code for each in entry.doubts}
    assert "G. T. ruled 'A FIN - NWY' on 1999-08-28, because clear enough" in entry.reason


def test_a_ruling_on_a_whole_kind_is_offered_for_every_case_of_it() -> None:
    whole = Situation("UNIT_LETTER", "reading.letter_wrong")
    book = RulingsBook((Ruling(situation=whole, decision="followed", by="B. B.", when="1996-06-28"),))

    found = interpret([Line(1, "F Mun - Ruh")], Power.GERMANY, START, tournament("edc1996"), book)

    assert "B. B. ruled 'followed' on 1996-06-28" in found.entries[0].reason


def test_what_is_asked_names_a_switch_of_the_rules_file() -> None:
    lines = ["F Mun - Ruh", "A Ber", "A Kie S F Ber"]
    paths = {switch.path for switch in tournament("edc1996").switches()}

    asked = [entry for entry in read("edc1996", START, *lines, power=Power.GERMANY).entries if entry.situation]

    assert asked
    assert all(entry.situation is not None and entry.situation.switch in paths for entry in asked)


def test_lines_keep_their_numbers_and_their_own_text() -> None:
    lines = [Line(3, "A Mun S A Ber"), Line(7, 'A Kie  "'), Line(9, "  "), Line(11, "A Ber H, F Kie H")]

    found = interpret(lines, Power.GERMANY, START, tournament("weaselmoot"))

    assert [(entry.line, entry.text) for entry in found.entries] == [
        (3, "A Mun S A Ber"), (7, 'A Kie  "'), (11, "A Ber H"), (11, "F Kie H"),
    ]  # fmt: skip


def test_an_entry_names_the_lines_that_continue_it() -> None:
    found = read("weaselmoot", START, "A Mun", "- Ruh", "F Kie - Den", power=Power.GERMANY)

    assert [(entry.line, entry.also, entry.text) for entry in found.entries] == [
        (1, (2,), "A Mun - Ruh"),
        (3, (), "F Kie - Den"),
    ]


@pytest.mark.parametrize("lines", [[","], [",", "S"], ["S", ","], ["/", "-", '"'], ['"'], ["+", ";"]])
def test_marks_without_words_are_nothing(lines: list[str]) -> None:
    for name in ("edc1996", "edc2023", "nzdc1999"):
        assert read(name, START, *lines, power=Power.GERMANY).orders == ()


def test_units_without_a_line_are_listed() -> None:
    found = read("wdc2008", START, "A Mun - Ruh", "F Kie", power=Power.GERMANY)

    assert [str(unit) for unit in found.unordered] == ["A BER", "F KIE"]


def test_the_command_answers_every_object_and_names_what_is_wrong() -> None:
    units = {"RUSSIA": ["A FIN"]}
    good = {
        "id": 1,
        "tournament": "weaselmoot",
        "power": "RUSSIA",
        "phase": "S1902M",
        "units": units,
        "lines": ["A Fin-Nor"],
    }
    bad = {
        "id": 2,
        "tournament": "wdc2009",
        "power": "SWEDEN",
        "phase": "X",
        "units": {"RUSSIA": ["A NTH"]},
        "lines": "x",
    }
    source = "\n".join([json.dumps(good), json.dumps(bad), "not json", json.dumps(good)])

    result = CliRunner().invoke(interpret_command, ["-"], input=source)

    first, second, third, fourth = (json.loads(line) for line in result.output.splitlines())
    assert result.exit_code == 1
    assert first == fourth
    assert first["orders"] == ["A FIN - NWY"]
    assert first["entries"][0]["rule"] == "WM VI.2.f"
    assert set(first["entries"][0]) >= {"line", "text", "order", "status", "rule", "reason", "candidates"}
    assert second["id"] == 2
    assert "did you mean 'wdc2008'" in second["error"]
    assert [more["where"] for more in second["more"]] == ["power", "lines", "phase", "units RUSSIA"]
    assert third["error"].startswith("not JSON")


def test_what_is_missing_or_unknown_is_told() -> None:
    value = {"tournament": "weaselmoot", "power": "RUSSIA", "phase": "S1902M", "unts": {"RUSSIA": ["A FIN"]}}
    lines = [{"line": 4, "text": "A Fin - Swe", "struckout": True, "overwritten": "yes"}]

    result = CliRunner().invoke(interpret_command, ["-"], input=json.dumps(value | {"lines": lines}))

    told = json.loads(result.output)
    assert (result.exit_code, told["error"], told["where"]) == (
        1,
        "unknown field; did you mean 'units'?",
        "object 1 unts",
    )
    assert [(more["where"], more["error"].partition(";")[0]) for more in told["more"]] == [
        ("lines[0] struckout", "unknown field"),
        ("lines[0] overwritten", "expected true or false, found 'yes'"),
        ("units", "missing: an object of powers, each with a list of units"),
    ]


def test_a_line_may_bring_its_own_number() -> None:
    value = {
        "tournament": "weaselmoot", "power": "RUSSIA", "phase": "S1902M", "units": {"RUSSIA": ["A FIN"]},
        "lines": [{"line": 4, "text": "A Fin - Swe"}],
    }  # fmt: skip

    result = CliRunner().invoke(interpret_command, ["-"], input=json.dumps(value))

    assert json.loads(result.output)["entries"][0]["line"] == 4


def test_where_a_rule_can_be_read_in_two_ways_that_differ_the_director_is_told() -> None:
    """EDC23 G lets a disputed abbreviation fail; R15 applies an unambiguous order."""
    (told,) = read("edc2023", FIN, "A Fin - Nor", power=Power.RUSSIA).entries
    (both_fail,) = read("edc2023", START, "F Edi - Nor", power=Power.ENGLAND).entries

    assert told.order is not None
    assert (told.status, write(told.order), told.rule) == (Status.AMBIGUOUS, "A FIN H", "EDC23 G, R3")
    assert told.doubts[-1] == LineDoubt.of(Doubt.READ_OTHERWISE, rule="EDC23 G, R15", order=("A FIN - NWY",))
    assert write(told.candidates[0].order) == "A FIN - NWY"
    assert told.reason.endswith("EDC23 G, R15 can also be read another way, which gives A FIN - NWY")
    assert Doubt.READ_OTHERWISE not in {found.code for found in both_fail.doubts}


def test_an_order_that_is_implied_is_not_mistaken_for_the_line_that_implies_it() -> None:
    units = (Unit(Kind.ARMY, "BRE"), Unit(Kind.FLEET, "MAO"))
    position = Position(phase=Phase.read("S1902M"), units={Power.FRANCE: units}, centres={})

    found = read("edc2023", position, "F Mid C A Bre - Por")

    assert [write(order) for order in found.orders] == ["F MAO C A BRE - POR", "A BRE - POR"]
    assert all(Doubt.READ_OTHERWISE not in {each.code for each in entry.doubts} for entry in found.entries)


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["A Ven - TYR", "F ION H", "A Rom H"], "ask"),  # a sea, by his habit, and no army goes there
        (["F ION - Tyr", "A Ven H", "A Rom H"], "ask"),  # land, and no fleet goes there
        (["A Ven - TYR", "F ION H", "A ROM H"], "clear"),  # land in capitals, too: no habit
        (["A Ven - TYR", "F Ion H", "A Rom H"], "clear"),  # a sea in lower case: no habit
        (["A Ven - TYR", "A Rom H"], "clear"),  # no other sea shows it
    ],
)
def test_seas_in_capitals_and_land_in_lower_case_are_a_habit_only_where_every_line_keeps_it(
    lines: list[str], status: str
) -> None:
    """EDC23 G."""
    units = {"ITALY": ["A VEN", "A ROM", "F ION"]}
    asked = {"tournament": "edc2023", "power": "ITALY", "phase": "S1902M", "units": units, "lines": lines}
    assert interpret_sheet(asked)["entries"][0]["status"].value == status


@pytest.mark.parametrize("flag", ["struck_out", "overwritten"])
def test_a_mark_of_a_line_that_is_neither_true_nor_false_is_refused_and_not_left_out(flag: str) -> None:
    line = {"line": 1, "text": "A Ven H", flag: 1}
    asked = {"tournament": "edc2023", "power": "ITALY", "phase": "S1901M", "units": {"ITALY": ["A VEN"]}}
    with pytest.raises(Stopped, match="expected true or false, found 1"):
        interpret_sheet({**asked, "lines": [line]})

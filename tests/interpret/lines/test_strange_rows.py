"""A row that is neither an order nor a harmless remark leaves none of the orders beside it unasked."""

from string import ascii_lowercase
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.cli.judge import interpret_sheet
from pipeline.rules.load import tournament_ids

ORDERS = ["A Mos - Ukr", "A War - Gal", "F Sev - Bla"]
UNITS = {"RUSSIA": ["A MOS", "A WAR", "F SEV", "A STP"]}
SIGNS = [
    "0",
    "?",
    "(?)",
    "| D",
    "/////",
    "\\\\\\",
    "xxx",
    "✗",
    "❌",
    "≠",
    "}",
    "{",
    "]",
    "!",
    "/*",
    "*/",
    "><",
    "<->",
    "->",
]
WORDS = [
    "rather",
    "(army)",
    "-> F",
    "F!",
    "2nd: F",
    "Waive",
    "D",
    "Disband",
    "OTB",
    "oops",
    "N/A",
    "hm",
    "void",
    "dance",
]
PLACES = ["-> Rum instead", "(Rum!)", "= Rum", "Rumania", "-> A StP instead", "(A StP!)"]
tournaments = st.sampled_from(sorted(tournament_ids()))
quick = settings(max_examples=60, deadline=None)


def clear_rows(tournament: str, lines: list[str], phase: str = "S1902M", **more: Any) -> set[int]:
    """The rows of which an order is clear."""
    sheet = {"tournament": tournament, "phase": phase, "power": "RUSSIA", "units": UNITS, "lines": lines, **more}
    found = interpret_sheet(sheet)["entries"]
    return {row for e in found if e["status"] == "clear" and e["order"] for row in (e["line"], *e.get("also", ()))}


@quick
@given(tournaments, st.sampled_from([*SIGNS, *WORDS, *PLACES]), st.integers(0, len(ORDERS)))
def test_neither_neighbour_of_a_strange_row_is_clear(tournament: str, row: str, at: int) -> None:
    assert {at, at + 2}.isdisjoint(clear_rows(tournament, [*ORDERS[:at], row, *ORDERS[at:]]))


@quick
@given(tournaments, st.lists(st.integers(0, len(ORDERS)), max_size=4))
def test_blank_rows_change_nothing(tournament: str, blanks: list[int]) -> None:
    """Above a signature or a time, too, where a blank row once made the program fail."""
    lines = [*ORDERS, "signed Anna", "14:32"]
    for at in sorted(blanks, reverse=True):
        lines.insert(at, "")
    written = {at for at, line in enumerate(lines, 1) if line in ORDERS}
    assert clear_rows(tournament, lines) == written


@quick
@given(tournaments, st.sampled_from("schdxyn"), st.sampled_from(["({})", "[{}]", "{})", "{}."]), st.booleans())
def test_a_letter_that_may_be_a_sign_leaves_it_open(tournament: str, sign: str, form: str, is_capital: bool) -> None:
    letter = form.format(sign.upper() if is_capital else sign)
    assert clear_rows(tournament, [f"{letter} A Mos - Ukr", "F Sev - Bla"]) == {2}


@pytest.mark.parametrize("begin", ["a", "b", "g", "r"])
def test_letters_in_a_row_are_those_of_a_list(begin: str) -> None:
    letters = ascii_lowercase[ascii_lowercase.index(begin) :]
    lines = [f"{letter}) {order}" for letter, order in zip(letters, ORDERS, strict=False)]
    assert clear_rows("weaselmoot", lines) == {1, 2, 3}


@pytest.mark.parametrize(("moves", "supports"), [("MOVES", "SUPPORTS"), ("Moves:", "Supports:"), ("Attack", "Support")])
def test_a_heading_above_orders_of_its_kind_is_a_heading(moves: str, supports: str) -> None:
    lines = [moves, "A Mos - Ukr", supports, "A War S A Mos - Ukr"]
    assert clear_rows("weaselmoot", lines) == {2, 4}


def test_a_unit_alone_holds_and_corrects_nothing() -> None:
    assert clear_rows("weaselmoot", ["F Sev - Bla", "A Mos - Ukr", "A War"]) >= {1, 2}


@pytest.mark.parametrize("row", ["War", "A War rather"])
def test_a_name_below_an_order_that_its_unit_could_have_leaves_it_open(row: str) -> None:
    assert clear_rows("weaselmoot", ["F Sev - Bla", "A Mos - Ukr", row]) == {1}


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("heading", ["D", "Remove", "Disband:"])
def test_a_sign_above_a_retreat_disbands_nobody(tournament: str, heading: str) -> None:
    driven_out = [
        {"power": "RUSSIA", "unit": "A BUD", "from": "SER", "retreats": ["VIE"]},
        {"power": "RUSSIA", "unit": "F GRE", "from": "ION", "retreats": ["AEG"]},
    ]
    lines = [heading, "A Bud R Vie"]
    assert clear_rows(tournament, lines, "S1902R", dislodged=driven_out) == set()


@pytest.mark.parametrize("below", ["A War rather", "(army)", "-> F", "0", "F!", "Waive", "(A War!)"])
def test_a_row_below_the_one_build_that_is_due_leaves_it_open(below: str) -> None:
    lines = ["Build A Mos", below]
    more = {"units": {"RUSSIA": ["F SEV"]}, "centers": {"RUSSIA": ["MOS", "WAR"]}}
    assert clear_rows("weaselmoot", lines, "W1902A", **more) == set()


@pytest.mark.parametrize("word", ["als", "supposing", "as soon as"])
def test_a_word_that_may_join_two_rows_leaves_both_open(word: str) -> None:
    assert clear_rows("weaselmoot", ["F Sev - Bla", f"A Mos - Ukr {word}", "A War - Gal"]) == {1}
    assert not {2, 3} & clear_rows("weaselmoot", ["F Sev - Bla", "A Mos - Ukr", f"{word} A War - Gal"])


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("said", ["If {}", "in case {}:", "should {}", "{}:", "{} =>", "{} (if so)", "{} then"])
@pytest.mark.parametrize("order", ["A Mun - Sil", "Mun - Tyr", "A Bud S A Vie - Gal", "A Rum - Gal"])
def test_what_is_said_of_a_unit_of_others_may_be_a_condition_of_both_rows_beside_it(
    order: str, said: str, tournament: str
) -> None:
    others: dict[str, Any] = {"units": {**UNITS, "GERMANY": ["A MUN"], "AUSTRIA": ["A BUD", "A VIE"]}}
    condition = said.format(order)
    assert clear_rows(tournament, [condition, "A War - Gal", "F Sev - Bla"], **others) <= {3}
    assert not clear_rows(tournament, ["A War - Gal", condition, "F Sev - Bla"], **others)


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("marks", ["()", "[]", "{}", "<>", "~~", '""', "“”", "/* */", "{{ }}"])
def test_what_stands_between_rows_that_a_mark_opens_and_closes_is_asked(marks: str, tournament: str) -> None:
    opens, closes = marks.split() if " " in marks else list(marks)
    lines = [f"{opens}A Mos - Ukr", "A War - Gal", "A StP - Mos", f"F Sev - Bla{closes}"]
    assert not clear_rows(tournament, lines)
    if opens not in {'"', "“"}:  # which repeat what stands above
        assert not clear_rows(tournament, [opens, *ORDERS, "A StP - Mos", closes])


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("below", ["F Rum", "A Rum", "Sev/Rum", "Sev\\Rum"])
def test_a_place_that_is_no_own_unit_may_be_the_goal_of_the_row_above(below: str, tournament: str) -> None:
    assert clear_rows(tournament, ["A War - Gal", "F Sev - Bla", below]) == {1}


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("said", ["If {}", "{}:", "when {}"])
@pytest.mark.parametrize("order", ["A Mun - Boh", "A Vie R Boh"])
def test_so_it_may_be_in_retreats(order: str, said: str, tournament: str) -> None:
    driven_out = [{"power": "RUSSIA", "unit": "A GAL", "from": "VIE", "retreats": ["UKR", "WAR", "RUM"]}]
    others: dict[str, Any] = {
        "units": {"RUSSIA": ["A MOS"], "GERMANY": ["A MUN"], "AUSTRIA": ["A VIE"]},
        "dislodged": driven_out,
    }
    assert clear_rows(tournament, ["A Gal - Rum"], "S1902R", **others) == {1}
    assert not clear_rows(tournament, [said.format(order), "A Gal - Rum"], "S1902R", **others)


@pytest.mark.parametrize("below", ["(A War)", "A War:", "A War?"])
def test_an_order_that_another_row_implies_is_open_where_that_row_is(below: str) -> None:
    assert clear_rows("edc2023", ["A Mos S A War - Ukr", "A War"]) == {1, 2}, "EDC23 R11"
    assert 2 not in clear_rows("edc2023", ["A Mos S A War - Ukr", below])


def test_so_many_new_goals_are_for_so_many_orders_above() -> None:
    assert clear_rows("weaselmoot", ["F Sev - Bla", "A Mos - Ukr", "A War - Gal", "lvn + sil"]) == {1}


def test_a_row_asked_for_its_own_mark_is_not_said_to_stand_on_another_line() -> None:
    sheet = {"tournament": "weaselmoot", "power": "RUSSIA", "phase": "S1902M", "units": UNITS}
    entry = interpret_sheet({**sheet, "lines": ["A War - Gal", "(S) A Mos - Ukr"]})["entries"][1]
    assert entry["reason"].startswith("'(S)' belongs to no order")

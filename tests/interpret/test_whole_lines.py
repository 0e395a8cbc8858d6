"""A line is parsed whole before it is cut: nothing of it goes to another unit, is cut off or ends in silence."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from benchmarks.written_lines import CASES, judge_case, read_cases
from pipeline.cli.judge import interpret_sheet
from pipeline.rules.load import tournament_ids

UNITS = {
    "AUSTRIA": ["A VIE", "A BUD", "F TRI"],
    "ENGLAND": ["A YOR", "A LON", "F NTH", "F ENG"],
    "RUSSIA": ["A WAR"],
    "FRANCE": ["F MAO", "A BUR"],
}
DRIVEN_OUT = [{"power": "ITALY", "unit": "A VEN", "from": "TRI", "retreats": ["APU", "ROM", "TUS"]}]
Entries = list[tuple[str, str | None]]


def ask(tournament: str, *lines: Any, power: str = "AUSTRIA", phase: str = "S1902M", **more: Any) -> dict[str, Any]:
    return interpret_sheet(
        {"tournament": tournament, "power": power, "phase": phase, "units": UNITS, "lines": list(lines), **more}
    )


def entries(tournament: str, *lines: Any, **more: Any) -> Entries:
    return [(entry["status"].value, entry["order"]) for entry in ask(tournament, *lines, **more)["entries"]]


@pytest.mark.skipif(not all(path.is_file() for path in CASES), reason="the reference lines are not beside the checkout")
def test_the_reference_lines_are_taken_as_the_rules_take_them() -> None:
    cases = read_cases()
    lines = sum(len(case["expect"]) for case in cases)
    found = Counter(kind for case in cases for kind, _ in judge_case(case))
    assert found["wrong"] == 0
    assert found["silent"] <= 0.005 * lines
    assert found["asked"] <= 0.02 * lines


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "lines",
    [
        ["A Vie - Boh, - Gal"],
        ["A Vie - Boh", "- Gal"],
        ["A Vie - Gal, Boh"],
        ["A Vie - Gal", "Boh"],
        ["A Vie H; to Gal"],
        ["A Vie - Gal, otherwise Boh"],
        ["A Vie - Gal", "or Boh"],
        ["A Vie - Gal and Boh"],
        ["A Vie - Gal sinon Boh"],
        ["A Vie - Gal", "if A Bud - Ser"],
        ["don't move A Vie - Gal"],
        ["do not move A Vie - Gal"],
        ["A Vie - not Gal"],
        ["A Vie - Gal (cancelled)"],
        ["A Vie, Gal"],
        ["A Vie", "Gal"],
        ["A Vie avoids Gal"],
        ["A - Vie - Gal"],
        ["A Vie - A Bud"],
        ["A <- Vie - Gal"],
        ["A Vie attacks H"],
        ["A Vie via H"],
    ],
)
def test_a_tail_an_alternative_a_negation_is_followed_for_nobody(tournament: str, lines: list[str]) -> None:
    found = ask(tournament, *lines)
    assert all(order == "A VIE H" for order in found["orders"])
    assert all(entry["status"] in {"ask", "ambiguous"} for entry in found["entries"])
    assert all(order.startswith("A VIE") for entry in found["entries"] for order in entry["candidates"])


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "lines", [["A Ven - Rom, else Tus"], ["A Ven R Rom", "- Tus"], ["A Ven - Tus - Rom"], ["A Ven, Tus"]]
)
def test_two_goals_of_a_retreat_are_none(tournament: str, lines: list[str]) -> None:
    found = ask(tournament, *lines, power="ITALY", phase="F1902R", dislodged=DRIVEN_OUT)
    assert found["orders"] in ([], ["A VEN D"])
    assert found["entries"][0]["status"] in {"ask", "ambiguous"}
    assert "A VEN R TUS" in found["entries"][0]["candidates"]


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    ("lines", "order"),
    [
        (["A Bud S A Vie", "- Gal"], "A BUD S A VIE - GAL"),
        (["A Bud S own A Vie - Gal"], "A BUD S A VIE - GAL"),
        (["The army at Budapest support move to Galicia from Vienna."], "A BUD S A VIE - GAL"),
        (["The army at Budapest support hold to Vienna."], "A BUD S A VIE"),
        (["The army at Vienna move to Galicia."], "A VIE - GAL"),
        (["The army moves to Galicia from Vienna"], "A VIE - GAL"),
        (["Moves to Gal from Vie"], "A VIE - GAL"),
        (["Army of Vienna to Galicia"], "A VIE - GAL"),
        (["My army in Vienna will go to Galicia"], "A VIE - GAL"),
        (["A-Vie - Gal"], "A VIE - GAL"),
        (["(1) A Vie - Gal"], "A VIE - GAL"),
        (["e) A Vie - Gal"], "A VIE - GAL"),
        (["A Vie = Gal"], "A VIE - GAL"),
        (["Vie A - Gal"], "A VIE - GAL"),
        (["A Vie; - Gal"], "A VIE - GAL"),
        (["Vie à Gal"], "A VIE - GAL"),
        (["A Vie ⟼ Gal"], "A VIE - GAL"),
        (["A Vie - Gal:"], "A VIE - GAL"),
        (["A Vie - Gal (Austria)"], "A VIE - GAL"),
        (["A Vie att Gal"], "A VIE - GAL"),
        (["A Vie - Gal s'il vous plaît"], "A VIE - GAL"),
    ],
)
def test_what_has_one_meaning_is_followed(tournament: str, lines: list[str], order: str) -> None:
    """In EDC23 a support supplies the move that it is for (R11)."""
    assert ask(tournament, *lines)["orders"][:2] in ([order], [order, "A VIE - GAL"])


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("line", ["A Ven attacks D", "A Ven enters D", "A Ven to D"])
def test_a_letter_behind_a_verb_for_moving_loses_no_unit(tournament: str, line: str) -> None:
    found = ask(tournament, line, power="ITALY", phase="F1902R", dislodged=DRIVEN_OUT)
    assert [entry["status"] for entry in found["entries"]] == ["ask"]


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("line", ["A Vie nee - Gal", "A Bud - Ser copy", "A Vie une - Gal"])
def test_a_word_behind_a_place_is_no_slip_for_the_rest_of_its_name(tournament: str, line: str) -> None:
    assert {status for status, _ in entries(tournament, line)} == {"ask"}


@pytest.mark.parametrize("tournament", tournament_ids())
def test_wishes_with_a_colon_are_no_greeting_above_orders(tournament: str) -> None:
    assert [status for status, _ in entries(tournament, "Wishes:", "A Vie - Gal")] == ["ask", "ask"]
    assert [status for status, _ in entries(tournament, "Best wishes", "A Vie - Gal")] == ["void", "clear"]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_power_that_is_a_sea_may_be_whose_unit_is_supported(tournament: str) -> None:
    assert {status for status, _ in entries(tournament, "F NTH S Eng Lon", power="ENGLAND")} == {"ask"}


@pytest.mark.parametrize("tournament", tournament_ids())
def test_an_initial_in_brackets_behind_a_unit_is_its_power(tournament: str) -> None:
    assert entries(tournament, "A Bud S A War (R) - Gal") == [("clear", "A BUD S A WAR - GAL")]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_fleet_inside_a_route_is_no_order(tournament: str) -> None:
    lines = ("A Yor - F NTH - Nwy", "F NTH C A Yor - Nwy")
    orders = [("clear", "A YOR - NTH - NWY"), ("clear", "F NTH C A YOR - NWY")]
    assert entries(tournament, *lines, power="ENGLAND") == orders


@pytest.mark.parametrize("tournament", tournament_ids())
def test_the_sign_that_an_office_program_makes_is_read(tournament: str) -> None:
    assert entries(tournament, "A Lon - Bel ©", "F NTH C A Lon - Bel", power="ENGLAND")[0] == (
        "clear",
        "A LON - BEL VIA",
    )


@pytest.mark.parametrize("tournament", tournament_ids())
def test_two_orders_on_a_line_are_two(tournament: str) -> None:
    assert entries(tournament, "A Vie - Gal and A Bud - Ser") == [("clear", "A VIE - GAL"), ("clear", "A BUD - SER")]


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "line", ["A Vie - Gal, A Bud dances", "A Vie and A Bud - Ser", "A Vie - Gal A Bud", "A War - Gal, A Vie - Boh"]
)
def test_no_part_of_a_line_is_clear_while_another_is_not(tournament: str, line: str) -> None:
    assert "clear" not in [status for status, _ in entries(tournament, line)]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_units_before_one_order_are_each_asked_about_it(tournament: str) -> None:
    found = ask(tournament, "F NTH and F ENG C A Lon - Bel", power="ENGLAND")["entries"]
    assert {entry["status"] for entry in found} == {"ask"}
    assert [entry["candidates"][0] for entry in found][:2] == ["F NTH C A LON - BEL", "F ENG C A LON - BEL"]


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("line", ["hello", "NMR", "A Xyz - Gal", "signed Hans"])
def test_no_line_with_ink_ends_in_nothing_without_a_question(tournament: str, line: str) -> None:
    assert entries(tournament, line) == [("ask", None)]


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("word", ["(bounce)", "overruled", "negative", "ikke", "xyz"])
def test_a_word_that_nobody_knows_may_take_an_order_back(tournament: str, word: str) -> None:
    found = ask(tournament, f"A Vie - Gal {word}")["entries"][0]
    assert (found["status"], found["candidates"][0]) == ("ask", "A VIE - GAL")


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_line_struck_out_and_written_anew_asks(tournament: str) -> None:
    struck = {"line": 1, "text": "A Vie - Gal", "struck_out": True}
    assert entries(tournament, struck, {"line": 2, "text": "A Vie - Boh"}) == [("ask", None), ("clear", "A VIE - BOH")]
    over = {"line": 1, "text": "A Vie - Gal", "overwritten": True}
    assert entries(tournament, over, {"line": 2, "text": "A Vie - Boh"}) == [("ask", None), ("ask", None)]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_support_that_breaks_off_above_a_whole_order_is_asked_with_it(tournament: str) -> None:
    found = ask(tournament, "A Bud S", "A Vie - Gal")["entries"]
    assert [(entry["status"], entry["order"]) for entry in found] == [("ask", None), ("ask", None)]
    assert found[0]["candidates"][0] == "A BUD S A VIE - GAL"


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("Build army Paris and fleet Brest", ["A PAR B", "F BRE B"]),
        ("Build a fleet in Brest", ["F BRE B"]),
        ("New F Bre", ["F BRE B"]),
        ("Build A-Par", ["A PAR B"]),
    ],
)
def test_builds_in_words(tournament: str, line: str, orders: list[str]) -> None:
    centres = {"FRANCE": ["PAR", "MAR", "BRE", "SPA"], "AUSTRIA": [], "ENGLAND": [], "RUSSIA": []}
    assert ask(tournament, line, power="FRANCE", phase="W1902A", centers=centres)["orders"] == orders


@pytest.mark.parametrize("tournament", tournament_ids())
def test_disbands_in_words(tournament: str) -> None:
    more: dict[str, Any] = {"power": "FRANCE", "phase": "W1902A", "centers": {"FRANCE": ["PAR"]}}
    assert ask(tournament, "Remove Burgundy army", **more)["orders"] == ["A BUR D"]
    found = ask(tournament, "Disband the fleet", **more)["entries"][0]
    assert (found["status"], found["candidates"]) == ("ask", ["F MAO D"])


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    ("lines", "best"),
    [
        (["A Bud S - Gal"], "A BUD S A VIE - GAL"),
        (["A Bud S", "F Tri H", "A Vie - Boh"], "A BUD S F TRI"),
        (["A Vie -", "F Tri H", "A Bud S Vie - Gal"], "A VIE - GAL"),
        (["??? - Boh", "A Bud - Ser"], "A VIE - BOH"),
        (["Gal <- A Vie"], "A VIE - GAL"),
        (["Gal from Vie"], "A VIE - GAL"),
        (["A Bud backs A Vie to Gal"], "A BUD S A VIE - GAL"),
        (["A Bud protects A Vie"], "A BUD S A VIE"),
    ],
)
def test_what_breaks_off_or_is_no_order_is_asked_with_its_best_reading(
    tournament: str, lines: list[str], best: str
) -> None:
    """EDC23 R11 completes the second by the own support."""
    entry = ask(tournament, *lines)["entries"][0]
    is_completed = tournament == "edc2023" and lines[0] == "A Vie -"
    assert entry["status"] == ("clear" if is_completed else "ask")
    assert entry["candidates"][0] == best


@pytest.mark.parametrize("line", ["Gal now <- A Vie", "Gal <- A Vie now", "Gal or Boh <- A Vie"])
@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_move_written_backwards_with_more_beside_it_has_no_best_reading(tournament: str, line: str) -> None:
    entry = ask(tournament, line)["entries"][0]
    assert entry["status"] != "clear"
    assert "A VIE - GAL" not in entry["candidates"]


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    ("lines", "best"),
    [
        (["F NTH lifts A Lon to Bel"], "F NTH C A LON - BEL"),
        (["F NTH C - Bel"], "F NTH C A LON - BEL"),
        (["F NTH C", "F ENG H", "A Lon - Bel"], "F NTH C A LON - BEL"),
        (["A Lon C Bel", "F NTH C A Lon - Bel"], "A LON - BEL"),
    ],
)
def test_a_convoy_that_breaks_off_is_asked_with_its_best_reading(tournament: str, lines: list[str], best: str) -> None:
    """EDC23 R11 completes the third, and G lets an army's C stand for its dash."""
    entry = ask(tournament, *lines, power="ENGLAND")["entries"][0]
    if tournament == "edc2023" and entry["status"] == "clear":
        assert entry["order"] in {best, f"{best} VIA"}
    else:
        assert (entry["status"], entry["candidates"][0]) == ("ask", best)


@pytest.mark.parametrize(
    ("tournament", "expected"),
    [
        ("nzdc1999", ("ask", None, "NZ99 16")),
        ("weaselmoot", ("ask", None, "")),
        ("edc2023", ("clear", "A VIE - GAL", "EDC23 R11")),
        ("edc1996", ("ambiguous", "A VIE H", "EDC96 7")),
        ("wdc2008", ("ask", None, "WDC08 12.4")),
    ],
)
def test_a_place_that_cannot_be_read_beside_an_own_support_that_names_it(
    tournament: str, expected: tuple[str, str | None, str]
) -> None:
    entry = ask(tournament, "A Vie - ???", "A Bud S Vie - Gal")["entries"][0]
    assert (entry["status"].value, entry["order"], entry["rule"]) == expected
    assert entry["candidates"][:1] == ([] if tournament == "edc1996" else ["A VIE - GAL"])


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "rest",
    [
        *("rest hold", "others hold", "all other units hold", "the others hold", "rest halten", "all others stand"),
        *("everything else holds", "der Rest hält", "alle anderen bleiben stehen", "les autres tiennent", "Rest - H"),
        *("nobody else moves", "units not listed hold", "my other armies stay where they are"),
    ],
)
def test_what_is_said_of_the_rest_takes_nothing_from_the_order_before_it(tournament: str, rest: str) -> None:
    for lines in ((f"A Vie - Gal, {rest}",), (f"A Vie - Gal ({rest})",), ("A Vie - Gal", rest), (rest, "A Vie - Gal")):
        assert sorted(entries(tournament, *lines)) == [("clear", "A VIE - GAL"), ("void", None)]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_more_than_that_the_rest_hold_is_asked(tournament: str) -> None:
    for remark in (
        "rest hold unless attacked",
        "others hold Gal",
        "not all others hold",
        "else hold",
        "other orders stand",
    ):
        assert entries(tournament, "A Vie - Gal", remark)[0] == ("ask", None)
    assert [entries(tournament, line)[0] for line in ("A Vie to others hold", "A Vie S rest H")] == [("ask", None)] * 2
    implied = entries(tournament, "A Bud S A Vie - Gal", "the others hold")[1:-1]
    assert implied == ([("ask", None)] if tournament == "edc2023" else [])  # R11 would complete it
    assert entries(tournament, "A Vie - Gal, all hold")[0] == ("ask", None)


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "line", ["to Gal go A Vie and A Bud", "F Tri - Alb S A Bud, A Vie", "A Vie -, A Bud - Gal", "A Vie, A Bud, F Tri T"]
)
def test_a_unit_of_which_half_an_order_stands_beside_another_one_is_asked(tournament: str, line: str) -> None:
    assert {status for status, _ in entries(tournament, line)} == {"ask"}


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "lines",
    [
        ("S", "A Vie - Bul"),
        ("S", "A Vie -"),
        ("S", "Tri Bul"),
        ("C", "A Vie - Bul"),
        ("S H Tyr via - A SpaS",),
        ("-", "Tri"),
    ],
)
def test_a_sign_without_a_unit_above_an_order_is_no_order(tournament: str, lines: tuple[str, ...]) -> None:
    assert all(entry["status"] != "clear" for entry in ask(tournament, *lines)["entries"])


WORDS = [
    "A",
    "F",
    "Vie",
    "Bud",
    "Tri",
    "Swe",
    "Den",
    "Bla",
    "SpaS",
    "S",
    "C",
    "-",
    "->",
    "via",
    "by land",
    "on",
    "H",
    "\n",
    "?",
]


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("phase", ["S1902M", "S1902R", "W1902A"])
def test_words_in_any_order_have_an_answer(tournament: str, phase: str) -> None:
    rng = Random(f"{tournament} {phase}")
    centres = {"AUSTRIA": ["VIE", "BUD", "TRI", "SER"]}
    for _ in range(150):
        text = " ".join(rng.choices(WORDS, k=rng.randint(2, 9)))
        answer = ask(tournament, *text.split("\n"), phase=phase, dislodged=DRIVEN_OUT, centers=centres)
        assert "entries" in answer, text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("no builds", ("clear", "WAIVE")),
        ("no more other builds", ("clear", "WAIVE")),
        ("no more", ("clear", "WAIVE")),
        ("no more, please", ("clear", "WAIVE")),
        ("no", ("ask", None)),  # no what?
        ("no more for now", ("ask", None)),
        ("no more A Ber", ("ask", None)),
    ],
)
def test_no_build_is_declined_in_many_words_and_by_no_half_sentence(
    line: str, expected: tuple[str, str | None]
) -> None:
    winter: dict[str, Any] = {"power": "GERMANY", "phase": "W1901A", "units": {"GERMANY": ["A RUH"]}}
    found = ask("edc2023", line, centers={"GERMANY": ["BER", "MUN", "KIE"]}, **winter)["entries"]
    assert [(entry["status"].value, entry["order"]) for entry in found][:1] == [expected]


def test_a_support_does_not_complete_the_order_of_a_unit_that_a_struck_line_names() -> None:
    found = entries("edc2023", "~~A Vie - Boh~~", "A Bud S A Vie - Gal")
    assert found == [("ask", None), ("clear", "A BUD S A VIE - GAL")]
    assert entries("edc2023", "A Vie -", "A Bud S A Vie - Gal")[0] == ("clear", "A VIE - GAL")


WINTER: dict[str, Any] = {"phase": "W1902A", "centers": {"AUSTRIA": ["VIE", "BUD", "TRI", "SER", "GRE"]}}
TWO_OUT = [
    {"power": "ITALY", "unit": "A VEN", "from": "TRI", "retreats": ["APU", "ROM", "TUS"]},
    {"power": "ITALY", "unit": "F ION", "from": "AEG", "retreats": ["TUN", "TYS"]},
]


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    ("lines", "doubtful"),
    [
        (("A Vie - Gal", "F Tri H", "or Vie H"), 1),  # the row of the unit, and not the nearest one alone
        (("A Vie - Gal", "A Bud H", "Vie <-> Bud"), 2),
        (("A Vie - Gal", "A Bud H", "Vie only"), 2),
        (("A Vie - Gal", "A Bud H", "to be decided by Russia"), 2),
    ],
)
def test_a_line_below_moves_reaches_every_row_that_it_may_change(
    tournament: str, lines: tuple[str, ...], doubtful: int
) -> None:
    found = ask(tournament, *lines)["entries"]
    assert [entry["status"].value for entry in found[:doubtful]] == ["ask"] * doubtful


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("below", ["to be confirmed", "or waive", "or A Bud", "not both"])
def test_a_line_below_builds_reaches_each(tournament: str, below: str) -> None:
    units = {"AUSTRIA": ["A SER", "A GAL", "F GRE"]}
    found = ask(tournament, "Build A Vie", "Build F Tri", below, **WINTER | {"units": units})["entries"]
    assert [entry["status"].value for entry in found[:2]] == ["ask", "ask"]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_names_beside_a_unit_that_stays_are_not_disbanded(tournament: str) -> None:
    units = {"AUSTRIA": ["A SER", "A GAL", "F GRE", "A VIE", "A RUM"]}
    sheet: dict[str, Any] = {"phase": "W1902A", "centers": {"AUSTRIA": ["VIE", "SER", "GRE"]}, "units": units}
    assert ("clear", "A SER D") not in entries(tournament, "A Ser", "A Gal", "F Gre stays", **sheet)


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("above", ["both D", "all disband", "S02 retreats"])
def test_a_line_above_retreats_reaches_each(tournament: str, above: str) -> None:
    sheet: dict[str, Any] = {"power": "ITALY", "phase": "F1902R", "dislodged": TWO_OUT}
    found = ask(tournament, above, "A Ven R Rom", "F Ion R Tun", **sheet)["entries"]
    assert [entry["status"].value for entry in found[1:]] == ["ask", "ask"]


@pytest.mark.parametrize("tournament", [name for name in tournament_ids() if name != "weaselmoot"])  # VI.2.a: null
@pytest.mark.parametrize("retreat", ["A Ven R Rom", "A @ Ven R rmo"])
def test_a_line_that_disbands_no_named_unit_is_not_followed_beside_its_retreat(tournament: str, retreat: str) -> None:
    sheet: dict[str, Any] = {"power": "ITALY", "phase": "F1902R", "dislodged": DRIVEN_OUT}
    assert [status for status, _ in entries(tournament, "Scrap", retreat, **sheet)] == ["ask", "ask"]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_heading_of_moves_disbands_nobody(tournament: str) -> None:
    sheet: dict[str, Any] = {"power": "ITALY", "phase": "F1902R", "dislodged": TWO_OUT}
    found = ask(tournament, "moves", "A Ven R Rom", **sheet)["entries"]
    assert (found[0]["status"].value, found[0]["order"]) != ("clear", "F ION D")


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_sign_between_tildes_is_struck_out(tournament: str) -> None:
    assert entries(tournament, "A Bud ~S~ A Vie - Gal")[0][0] == "ask"


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("line", ["A Vie moves - Gal", "1st: A Vie - Gal"])
def test_a_line_with_one_meaning_is_followed(tournament: str, line: str) -> None:
    assert entries(tournament, line) == [("clear", "A VIE - GAL")]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_signs_in_brackets_and_colons_are_signs(tournament: str) -> None:
    out: dict[str, Any] = {"power": "ITALY", "phase": "F1902R", "dislodged": DRIVEN_OUT}
    assert entries(tournament, "A Ven (R) Rom", **out)[0] == ("clear", "A VEN R ROM")
    assert entries(tournament, "A Ven (D)", **out)[0] == ("clear", "A VEN D")
    assert entries(tournament, "A Ven (D) Rom", **out)[0][0] != "clear"
    assert entries(tournament, "A Ven attacks Rom", **out)[0][0] == "ask"
    home = {"units": {"AUSTRIA": ["A SER", "A GAL", "F GRE"]}}
    assert entries(tournament, "A Vie: build", **WINTER | home)[0] == ("clear", "A VIE B")
    assert ("clear", "F NTH C A YOR - NWY") in entries(tournament, "F Nth C: A Yor - Nwy", power="ENGLAND")


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_slip_of_hold_is_no_holland(tournament: str) -> None:
    units = {"GERMANY": ["A KIE"]}
    assert entries(tournament, "A Kiel holt", power="GERMANY", units=units)[0][0] == "ask"


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_coast_is_not_passed_over_for_an_army_that_no_line_names(tournament: str) -> None:
    units = {"RUSSIA": ["A MOS", "F LVN"]}
    assert entries(tournament, "to St Petersburg nc", power="RUSSIA", units=units)[0][0] != "clear"

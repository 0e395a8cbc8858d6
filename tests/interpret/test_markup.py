"""What programs put around an order: marks that strike it out, signs spelt for a web page, the time of day."""

import pytest

from interpret.test_whole_lines import entries
from pipeline.cli.judge import interpret_sheet
from pipeline.rules.load import tournament_ids

BESIDE = ("clear", "F TRI - ALB")
MOVE = ("clear", "A VIE - GAL")


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "line",
    [
        "A Vie &ndash; Gal",
        "<p>A Vie -&gt; Gal</p>",
        "<tr><td>A Vie&nbsp;&#8594; Gal</td></tr>",
        "Ⓐ Vie - Gal",
        "Ⓐ Ⓥⓘⓔ - Gal",
        "A Vi\u200fe - Gal",
        "A Vie \u200e- Gal",
        "army vienna dash galicia",
        "army vienna arrow galicia full stop",
        "army vienna hyphen galicia period",
        '"A";"Vie";"-";"Gal"',
        "A,Vie,-,Gal",
    ],
)
def test_signs_of_programs_and_of_dictation_are_read(tournament: str, line: str) -> None:
    assert entries(tournament, line, "F Tri - Alb") == [MOVE, BESIDE]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_name_of_two_words_stands_in_a_cell(tournament: str) -> None:
    said = entries(tournament, "F,North Sea,-,Norwegian Sea", "A,Yor,-,Lon", "A Lon - Wal", "F Eng H", power="ENGLAND")
    assert said[0] == ("clear", "F NTH - NWG")


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "line",
    [
        "~~A Vie - Gal~~",
        "<del>A Vie - Gal</del>",
        "[strike]A Vie - Gal[/strike]",
        "--A Vie - Gal--",
        "~~A Vie - Boh~~ A Vie - Gal",
        "<s>A Vie - Boh</s> A Vie - Gal",
    ],
)
def test_a_struck_order_is_asked_and_leaves_the_others_alone(tournament: str, line: str) -> None:
    assert entries(tournament, line, "F Tri - Alb") == [("ask", None), BESIDE]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_of_two_orders_with_the_time_of_day_nobody_knows_which_stands(tournament: str) -> None:
    said = entries(tournament, "14:05 A Vie - Gal", "[14.12] A Vie - Boh", "F Tri - Alb")
    assert said == [("ask", None), ("ask", None), BESIDE]


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("date", ["Mar 15", "Sat, 12 Dec", "Sun 30.06.96", "Fri. evening", "Mon 12:30", "March 15th"])
def test_a_date_above_or_below_orders_changes_none(tournament: str, date: str) -> None:
    assert entries(tournament, date, "A Vie - Gal", "F Tri - Alb")[1:] == [MOVE, BESIDE]
    assert entries(tournament, "A Vie - Gal", "F Tri - Alb", date)[:2] == [MOVE, BESIDE]


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("box", ["( )", "(x)", "[ ]", "[x]", "☐", "✗"])
def test_an_order_behind_a_box_to_tick_is_of_no_other_row(tournament: str, box: str) -> None:
    said = entries(tournament, "A Vie - Gal", f"{box} A Bud - Rum", f"{box} A Bud - Ser", "F Tri - Alb")
    assert (said[0], said[3]) == (MOVE, BESIDE)
    assert {said[1][1], said[2][1]} <= {None, "A BUD H"}


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "line", ["A Bud 🛑", "A Bud ≠ Rum", "A Bud ↛ Rum", "A Bud |- Rum", "A Bud <- Rum", "Rum ← A Bud"]
)
def test_a_sign_that_nobody_knows_is_of_its_own_row(tournament: str, line: str) -> None:
    assert entries(tournament, "A Vie - Gal", line, "F Tri - Alb") == [MOVE, ("ask", None), BESIDE]


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "lines",
    [
        ["1. F Tri S A Bud", "2. A Bud S A Vie", "3. A Vie H", "1 -> Tyr"],
        ["1. A Vie H", "2. A Bud S A Vie", "1 -> Gal"],
        ["1. A Vie H", "2. A Bud S A Vie", "3. - Gal"],
        ["A Vie H", "A Bud/F Tri - Ser/Alb"],
        ["ven. Ion - Naples", "F Tri - Adr", "A Bud S F Tri"],
        ["A Bud S A Vie", "M Ser - Tri"],
    ],
)
def test_what_may_be_of_another_row_is_never_settled_in_silence(tournament: str, lines: list[str]) -> None:
    settled = [each for each in entries(tournament, *lines) if each[0] in {"illegal", "invalid", "ambiguous"}]
    assert ("clear", "A BUD S A VIE - GAL") not in entries(tournament, *lines)
    assert settled == []


def test_an_order_that_stops_where_the_repeated_one_goes_on_is_asked() -> None:
    lines = ["F Nth S A Lon - Yor", "F Eng ditto A Lon", "A Yor H"]
    assert entries("weaselmoot", *lines, power="ENGLAND")[1] == ("ask", None)


def test_an_everyday_word_is_no_place_that_a_support_may_name() -> None:
    assert entries("edc2023", "A Vie - there", "A Bud S A Vie - Tyr")[0] == ("ask", None)


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("line", ["let A Vie go to Gal", "Send A Vie to Gal", "Order: A Vie to Gal"])
def test_words_before_an_order_that_ask_for_it_change_nothing(tournament: str, line: str) -> None:
    assert entries(tournament, line, "F Tri stands fast", "A Bud sleeps")[0] == MOVE


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("word", ["nein", "forse", "cancelled"])
def test_a_word_that_denies_an_order_behind_it_is_of_no_other(tournament: str, word: str) -> None:
    assert entries(tournament, f"A Vie - Gal {word}", "F Tri - Alb")[1] == BESIDE


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("lines", [["A Bud", "waive"], ["F Tri, waive"]])
def test_a_unit_and_a_waiver_for_one_build_are_asked(tournament: str, lines: list[str]) -> None:
    due_one = {"phase": "W1902A", "centers": {"AUSTRIA": ["VIE", "BUD", "TRI"]}}
    units = {"AUSTRIA": ["A VIE", "A SER"]}
    found = interpret_sheet({"tournament": tournament, "power": "AUSTRIA", "units": units, "lines": lines, **due_one})
    assert "ask" in {entry["status"].value for entry in found["entries"][:1]}


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    ("mark", "said"),
    [("*", "only if Germany agrees"), ("(1)", "or Tyr"), ("¹", "Boh"), ("†", "cancelled"), ("**", "as agreed")],
)
def test_a_footnote_is_of_the_rows_that_bear_its_mark(tournament: str, mark: str, said: str) -> None:
    lines = [f"A Vie - Gal {mark}", "A Bud - Rum", "F Tri - Alb", f"{mark} {said}"]
    assert entries(tournament, *lines) == [("ask", None), ("clear", "A BUD - RUM"), BESIDE]
    several = entries(tournament, *lines[:3], f"{mark} {said}, all")
    assert "clear" not in {status for status, _ in several[:3]}


OUT = [
    {"power": "AUSTRIA", "unit": "A SER", "from": "BUL", "retreats": ["ALB", "GRE", "BUD"]},
    {"power": "AUSTRIA", "unit": "F ADR", "from": "TRI", "retreats": ["ION", "APU"]},
]


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "lines",
    [
        ["A Ser R Alb, otherwise D"],
        ["A Ser R Alb, if not possible Gre"],
        ["A Ser R Alb unless Italy goes there"],
        ["A Ser R Alb (else Gre)"],
        ["A Ser R Alb", "final: A Ser R Gre"],
    ],
)
def test_no_unit_that_is_told_where_to_go_first_is_destroyed_unasked(tournament: str, lines: list[str]) -> None:
    units = {"AUSTRIA": ["A VIE"], "ITALY": ["A TRI"], "TURKEY": ["A SER"]}
    found = interpret_sheet(
        {
            **{"tournament": tournament, "power": "AUSTRIA", "phase": "F1902R", "units": units, "dislodged": OUT},
            "lines": [*lines, "F Adr R Ion"],
        }
    )
    assert found["orders"] == ["F ADR R ION"]
    assert {entry["status"].value for entry in found["entries"][:-1]} == {"ask"}


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("heading", ["Builds (2)", "+2", "two builds due", "Builds 2:"])
def test_how_many_builds_are_due_is_a_heading(tournament: str, heading: str) -> None:
    asked = {"power": "AUSTRIA", "phase": "W1902A", "units": {"AUSTRIA": ["A SER", "F GRE"]}, "tournament": tournament}
    centers = {"AUSTRIA": ["VIE", "BUD", "TRI", "SER"]}
    said = interpret_sheet({**asked, "centers": centers, "lines": [heading, "A Vie", "F Tri"]})
    assert said["orders"] == ["A VIE B", "F TRI B"]
    wrong = heading.replace("2", "3").replace("two", "three")
    assert (
        interpret_sheet({**asked, "centers": centers, "lines": [wrong, "A Vie", "F Tri"]})["orders"] != said["orders"]
    )


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("line", ["2 armies: Vie, Tri", "armies in Vie and Tri", "A Vie + Tri"])
def test_a_letter_may_be_said_once_for_two_builds(tournament: str, line: str) -> None:
    asked = {"power": "AUSTRIA", "phase": "W1902A", "units": {"AUSTRIA": ["A SER", "F GRE"]}, "tournament": tournament}
    found = interpret_sheet({**asked, "centers": {"AUSTRIA": ["VIE", "BUD", "TRI", "SER"]}, "lines": [line]})
    assert {entry["status"].value for entry in found["entries"]} <= {"ask", "clear"}


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("lines", [["waive", "A Vie B"], ["A Vie B", "waive"]])
def test_a_waiver_that_is_one_too_many_is_asked_above_builds_as_below(tournament: str, lines: list[str]) -> None:
    asked = {"power": "AUSTRIA", "phase": "W1902A", "units": {"AUSTRIA": ["A SER"]}, "tournament": tournament}
    found = interpret_sheet({**asked, "centers": {"AUSTRIA": ["VIE", "SER"]}, "lines": lines})
    assert (found["orders"], {entry["status"].value for entry in found["entries"]}) == ([], {"ask"})

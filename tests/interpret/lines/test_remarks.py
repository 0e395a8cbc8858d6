"""Words beside the orders that belong to none of them, and dress around an order that changes nothing."""

from typing import Any

import pytest

from pipeline.cli.judge import interpret_sheet
from pipeline.interpret.written_words import SIGNED
from pipeline.rules.load import tournament_ids

UNITS = {
    "AUSTRIA": ["A VIE", "A BUD", "F TRI", "A SER"],
    "FRANCE": ["A PAR", "F BRE"],
    "RUSSIA": ["A FIN", "F SEV"],
    "TURKEY": ["A CON", "F BLA"],
}
MOVES = ("A Vie - Gal", "F Tri - Alb")
HOMES = {"AUSTRIA": ["VIE", "BUD", "TRI"]}
pytestmark = pytest.mark.parametrize("tournament", tournament_ids())


def read(tournament: str, *lines: str, power: str = "AUSTRIA", phase: str = "S1902M", **more: Any) -> list[Any]:
    sheet = {"tournament": tournament, "power": power, "phase": phase, "units": UNITS, "lines": list(lines), **more}
    return [(entry["status"].value, entry["order"]) for entry in interpret_sheet(sheet)["entries"]]


@pytest.mark.parametrize(
    "heading",
    [
        *("Default orders", "Conditional orders", "Variante 2", "in case I am late", "Nächstes Jahr"),
        *("Im nächsten Jahr", "Results S1902", "Results S1902M", "Results 1902", "Results 2"),
    ],
)
def test_orders_under_a_heading_that_nobody_understands_are_in_doubt(tournament: str, heading: str) -> None:
    assert [status for status, _ in read(tournament, heading, *MOVES)[1:]] == ["ask", "ask"]
    assert read(tournament, MOVES[0], heading, MOVES[1])[-1][0] == "ask"


def test_builds_above_a_line_that_declines_them_all_are_in_doubt(tournament: str) -> None:
    sheet: dict[str, Any] = {"phase": "W1902A", "centers": HOMES, "units": {"AUSTRIA": ["A SER"]}}
    read_lines = read(tournament, "Build A Vie", "Build F Tri", "no builds after all", **sheet)
    assert [status for status, _ in read_lines[:2]] == ["ask", "ask"]


@pytest.mark.parametrize("heading", ["Scrap:", "My units:", "Board:"])
def test_units_under_a_heading_that_may_scrap_or_list_them_stay(tournament: str, heading: str) -> None:
    sheet: dict[str, Any] = {"phase": "W1902A", "centers": {"AUSTRIA": ["VIE", "BUD"]}}
    assert {order for _, order in read(tournament, heading, "A Ser", "F Tri", **sheet)} == {None}
    assert read(tournament, "F Tri D", "A Ser xxx", **sheet)[1][0] == "ask"


@pytest.mark.parametrize("word", ["stays", "H", "remains", "stays put"])
def test_a_unit_that_stays_is_asked_about_where_one_must_go_and_none_does(tournament: str, word: str) -> None:
    sheet: dict[str, Any] = {"phase": "W1902A", "centers": {"AUSTRIA": ["VIE", "BUD", "TRI"]}}
    assert read(tournament, f"A Ser {word}", **sheet) == [("ask", None)]
    assert read(tournament, f"A Ser {word}", "A Bud D", **sheet)[0][0] != "ask"


def test_words_for_no_unit_before_a_goal_may_be_about_the_order_above(tournament: str) -> None:
    assert read(tournament, "A Vie - Gal", "then - Boh", "F Tri - Alb")[0][0] == "ask"


def test_the_name_of_a_power_is_no_slip_for_a_province(tournament: str) -> None:
    lines = ("A Fin - Swe", "England will do F Lon - Nth")
    assert read(tournament, *lines, power="RUSSIA")[0] != ("ambiguous", "A FIN H")


def test_a_slip_that_is_another_place_without_a_unit_is_asked(tournament: str) -> None:
    assert read(tournament, "A Par - Pic", "F Ber - Eng", power="FRANCE")[1][0] == "ask"


def test_the_same_convoyed_army_with_and_without_its_convoy_is_asked(tournament: str) -> None:
    lines = ("A Con - Sev", "A Con - Sev convoyed by F Bla")
    assert [status for status, _ in read(tournament, *lines, power="TURKEY")] == ["ask", "ask"]


def test_a_support_for_me_is_for_no_sea(tournament: str) -> None:
    assert read(tournament, "A Vie - Gal", "A Bud S me")[1][0] == "ask"


@pytest.mark.parametrize(
    "line",
    [
        *("\u200eA Vie - Gal", "А Viе - Gal", "A Vie ‒ Gal", "A Vie ↦ Gal", "▪ A Vie - Gal", "'A Vie - Gal'"),
        *("<b>A Vie - Gal</b>", "| A Vie - Gal |", "A;Vie;-;Gal", "A | Vie | - | Gal", "A Vie | - | Gal"),
        *("1> A Vie - Gal", "{1} A Vie - Gal", "One: A Vie - Gal", "1, A Vie - Gal"),
    ],
)
def test_dress_around_an_order_changes_nothing(tournament: str, line: str) -> None:
    assert read(tournament, line)[0] == ("clear", "A VIE - GAL")


@pytest.mark.parametrize(
    "remark",
    ["do the opposite", "read right to left", "moves = supports", "halt!", "above = nonsense", "on hold", "Rubbish"],
)
def test_a_remark_that_tells_all_units_otherwise_puts_each_order_in_doubt(tournament: str, remark: str) -> None:
    assert [status for status, _ in read(tournament, *MOVES, remark)[:2]] == ["ask", "ask"]


@pytest.mark.parametrize(
    "behind", ["(Vie stays)", "while Vie holds", "– Vie stays put", "[Vie void]", "instead of Vie", "(not Vie)"]
)
def test_words_behind_an_order_that_name_another_unit_put_its_order_in_doubt(tournament: str, behind: str) -> None:
    assert read(tournament, "A Vie - Gal", f"A Ser - Gre {behind}")[0][0] == "ask"


def test_a_goal_that_is_denied_behind_another_is_no_unit(tournament: str) -> None:
    assert read(tournament, "A Vie - Gal", "A Bud - Ser (not Vie)")[0] == ("clear", "A VIE - GAL")


def test_other_removals_below_may_be_instead_of_each(tournament: str) -> None:
    sheet: dict[str, Any] = {"phase": "W1902A", "centers": {"AUSTRIA": ["VIE", "BUD"]}}
    read_lines = read(tournament, "Remove A Ser", "Remove F Tri", "or A Vie", **sheet)
    assert [status for status, _ in read_lines[:2]] == ["ask", "ask"]


def test_a_goal_that_another_line_orders_is_not_for_the_only_idle_unit(tournament: str) -> None:
    lines = ("- Alb", "F Tri - Alb", "A Vie H", "A Bud H")
    assert read(tournament, *lines)[0][0] in {"ask", "invalid"}


def test_of_two_goals_without_a_space_none_is_chosen(tournament: str) -> None:
    status, _ = read(tournament, "A Vie - GalBoh", "A Bud S A Vie - Gal")[0]
    assert status != "clear" or tournament == "edc2023"  # completed by the own support (R11)


@pytest.mark.parametrize("line", ["F Bal - Swe Den", "F Nth - Lon Den", "A Bud - Ser Vie", "A Bud S F Nth - H olanda"])
def test_a_name_that_is_cut_into_two_names_is_asked_about_and_is_no_second_order(tournament: str, line: str) -> None:
    assert read(tournament, line, units={"AUSTRIA": ["F BAL", "F NTH", "A BUD"]}) == [("ask", None)]


def test_the_s_of_a_support_is_no_coast_of_an_army(tournament: str) -> None:
    sheet: dict[str, Any] = {"power": "RUSSIA", "units": {"RUSSIA": ["A STP", "F BOT"]}}
    assert read(tournament, "A St. Petersburg S move to Finland by F Bot", "F Bot - Fin", **sheet)[0][0] != "clear"


def test_a_ditto_below_the_convoy_of_its_own_army_is_asked(tournament: str) -> None:
    sheet: dict[str, Any] = {"power": "ENGLAND", "units": {"ENGLAND": ["F NTH", "A HOL"]}}
    assert read(tournament, "F Nth C A Hol - Edi", "A Hol ditto", **sheet)[1][0] == "ask"


@pytest.mark.parametrize("remark", ["Grazie mille", "Obrigado", "Table 4", "mfG", "Lena", "Russia is a liar"])
def test_greetings_and_names_are_about_no_order(tournament: str, remark: str) -> None:
    assert read(tournament, *MOVES, remark)[0][0] == "clear"


@pytest.mark.parametrize("word", sorted(SIGNED))
def test_what_stands_behind_a_word_for_a_signature_is_about_no_order(tournament: str, word: str) -> None:
    assert [status for status, _ in read(tournament, *MOVES, f"{word} by lena")][:2] == ["clear", "clear"]


@pytest.mark.parametrize("heading", ["Round 2", "Board 3", "Game 2", "Runde 2", "Manche 2", "Jahr 1902"])
def test_a_heading_is_read_once_and_is_about_no_order(tournament: str, heading: str) -> None:
    found = read(tournament, heading, *MOVES)
    assert [status for status, _ in found] == ["void", *["clear"] * len(MOVES)]


@pytest.mark.parametrize(
    "remark", ["Thanks, Swapped", "Danke, Umgekehrt", "Merci, Inverse", "Best wishes, Scrapped", "Grazie Tutti Fermi"]
)
def test_what_may_be_said_of_orders_behind_a_greeting_is_no_name(tournament: str, remark: str) -> None:
    assert "ask" in {status for status, _ in read(tournament, *MOVES, remark)}


@pytest.mark.parametrize("date", ["30 Nov 2026", "Sat, 30th November 2026", "November 30, 2026"])
def test_a_date_above_the_orders_is_about_none_of_them(tournament: str, date: str) -> None:
    assert [status for status, _ in read(tournament, date, *MOVES)][1:] == ["clear"] * len(MOVES)


@pytest.mark.parametrize(
    "message",
    [
        "Dear Italy, I shall do the opposite",
        "Dear Germany, the army rests",
        "Friend Russia may have my army",
        "Dear Italy, use yesterday's",
        "Waves Italy, fleets freeze",
        "Trust Italy: he decides",
    ],
)
def test_a_message_that_may_be_about_orders_is_asked(tournament: str, message: str) -> None:
    assert "ask" in {status for status, _ in read(tournament, *MOVES, message)}


@pytest.mark.parametrize(
    "message", ["Peace with Russia", "Love Italy, hate Russia", "Italy is my best friend", "Dear Russia, forgive me"]
)
def test_a_message_to_another_power_is_about_no_order(tournament: str, message: str) -> None:
    assert [status for status, _ in read(tournament, message, *MOVES)] == ["void", *["clear"] * len(MOVES)]


@pytest.mark.parametrize("line", ["both hold", "Both - Ser", "both S A Ser"])
def test_both_of_the_own_units_are_asked_about_and_no_unit_in_the_gulf_of_bothnia(tournament: str, line: str) -> None:
    assert read(tournament, line) == [("ask", None)]
    assert read(tournament, "both to Swe", power="RUSSIA", units={"RUSSIA": ["F BOT"]})[0] == ("clear", "F BOT - SWE")
    two = {"RUSSIA": ["F BOT", "A FIN"]}
    assert read(tournament, "both to Swe", power="RUSSIA", units=two)[0] == ("ask", None)
    assert read(tournament, "F both - Swe", power="RUSSIA", units=two)[0] == ("clear", "F BOT - SWE")


def test_both_dislodged_units_are_asked_about(tournament: str) -> None:
    places = (("A VIE", ["BOH", "TYR"]), ("A BUD", ["GAL"]))
    lost = [{"power": "AUSTRIA", "unit": unit, "from": "TRI", "retreats": free} for unit, free in places]
    sheet: dict[str, Any] = {"phase": "S1902R", "dislodged": lost, "units": {"AUSTRIA": ["F GRE"]}}
    for line in ("both to Gal", "both disband", "Both R Gal Boh"):
        assert read(tournament, line, **sheet) == [("ask", None)]
    assert read(tournament, "Vie + Bud disband", **sheet) == [("ask", None), ("ask", None)]


@pytest.mark.parametrize("word", ["dito", "dto."])
def test_a_ditto_in_german_repeats_the_order_above(tournament: str, word: str) -> None:
    assert read(tournament, MOVES[0], f"A Bud {word}")[1] == ("clear", "A BUD - GAL")


@pytest.mark.parametrize("words", ["dasselbe", "siehe oben", "pareil", "igual", "follows", "samma"])
def test_a_unit_that_does_what_another_line_says_is_asked_about(tournament: str, words: str) -> None:
    assert read(tournament, MOVES[0], f"A Bud {words}")[1] == ("ask", None)


def test_a_person_before_a_place_is_no_part_of_its_name(tournament: str) -> None:
    units = {"FRANCE": ["A PIC", "A BUR"]}
    assert read(tournament, "A Pic S Peter's Bur - Bel", power="FRANCE", units=units)[0] == ("ask", None)


@pytest.mark.parametrize("words", ["stays home", "does not move", "does nothing", "bleibt da", "ne bouge pas"])
def test_a_unit_told_not_to_move_in_other_words_holds(tournament: str, words: str) -> None:
    assert read(tournament, f"A Bud {words}") == [("clear", "A BUD H")]
    assert read(tournament, f"A Bud {words} Ser") == [("ask", None)]


@pytest.mark.parametrize(
    "line", ["A Bud - Gal <3", "A Bud - Gal =)", "A Bud - Gal ^^", "★ A Bud - Gal ★", "(1/4) A Bud - Gal"]
)
def test_what_is_drawn_or_counted_around_an_order_changes_nothing(tournament: str, line: str) -> None:
    assert read(tournament, line) == [("clear", "A BUD - GAL")]


def test_a_german_word_for_convoying_is_known(tournament: str) -> None:
    units = {"ENGLAND": ["A YOR", "F NTH"]}
    lines = ("F NTH geleitet A Yor - Bel", "A Yor - Bel")
    orders = [order for _, order in read(tournament, *lines, power="ENGLAND", units=units)]
    assert orders == ["F NTH C A YOR - BEL", "A YOR - BEL"]


def test_an_army_that_goes_along_may_support_and_does_not_hold_unasked(tournament: str) -> None:
    assert read(tournament, "A Vie begleitet A Bud - Gal")[0] == ("ask", None)


@pytest.mark.parametrize("line", ["To Galicia goes Vienna", "helps Vienna: Budapest"])
def test_a_line_that_ends_in_its_unit_is_asked_about(tournament: str, line: str) -> None:
    assert read(tournament, line) == [("ask", None)]


def test_a_word_for_a_direction_without_a_dash_names_no_sea(tournament: str) -> None:
    sheet: dict[str, Any] = {"power": "ENGLAND", "units": {"ENGLAND": ["F EDI"]}}
    assert read(tournament, "F Edi north", **sheet)[0][0] in {"ask", "ambiguous"}


def test_a_fleet_behind_with_leaves_its_own_order_open(tournament: str) -> None:
    sheet: dict[str, Any] = {"power": "ENGLAND", "units": {"ENGLAND": ["F ENG", "A WAL"]}}
    found = read(tournament, "F ENG C A Wal - Bre", "A Wal travels with F ENG to Bre", **sheet)
    assert {status for status, _ in found} == {"ask"}


def test_a_number_of_units_to_build_is_not_dropped(tournament: str) -> None:
    sheet: dict[str, Any] = {"phase": "W1902A", "centers": HOMES, "units": {"AUSTRIA": ["A SER"]}}
    assert read(tournament, "2 A Vie", **sheet) == [("ask", None)]
    assert read(tournament, "1 A Vie", "2 F Tri", **sheet) == read(tournament, "A Vie", "F Tri", **sheet)


def test_what_somebody_wants_is_no_order(tournament: str) -> None:
    assert read(tournament, "A Vie will nach Gal") == [("ask", None)]


def test_a_misspelt_place_behind_unit_words_tells_nothing_to_other_units(tournament: str) -> None:
    sheet: dict[str, Any] = {"power": "FRANCE", "units": {"FRANCE": ["F LYO", "A MAR", "F ENG"]}}
    found = read(tournament, "Fleet Gulf of Lyons supports army Marseilles", "Fleet English Channel holds", **sheet)
    assert found == [("clear", "F LYO S A MAR"), ("clear", "F ENG H")]


def test_a_plus_before_a_coast_is_part_of_it(tournament: str) -> None:
    sheet: dict[str, Any] = {"power": "FRANCE", "units": {"FRANCE": ["F MAO"]}}
    assert read(tournament, "F MAO - Spa + sc", **sheet) == [("clear", "F MAO - SPA/SC")]


@pytest.mark.parametrize(
    "line",
    [
        *("Anna", "Berger", "- Anna", "Anna-Lena Berger, Austria", "AUSTRIA / Table 2 / S02 / A. Berger", "Anna 14:32"),
        *("signed: P. Miller, 14:32", "(sgd) P. Miller", "28/8/1999 10:15", "Spring 02 Austria Board 2 Anna Berger"),
        *("Name: Murat  Power: Austria  Season: S  Year: 1902", "Game C - Austria - Anna - P1902"),
    ],
)
def test_the_name_of_the_player_and_the_time_are_about_no_order(tournament: str, line: str) -> None:
    for lines in ((line, *MOVES), (*MOVES, line)):
        found = read(tournament, *lines, player="Anna-Lena Berger")
        assert sorted(found, key=str) == [("clear", "A VIE - GAL"), ("clear", "F TRI - ALB"), ("void", None)]


@pytest.mark.parametrize("line", ["Bob", "Anna Bob", "Anna, Italy", "Anna 1905", "Anna F02", "Anna holds", "Will"])
def test_a_name_that_is_not_only_the_players_is_asked_about(tournament: str, line: str) -> None:
    found = read(tournament, *MOVES, line, player="Anna Will")
    assert found[-1][0] != "void"


@pytest.mark.parametrize("line", ["Hold A Vie", "Holds: A Vie", "A Vie stays in Vienna", "Army Vienna remains at Vie"])
def test_a_hold_may_stand_before_its_unit_and_name_its_place_again(tournament: str, line: str) -> None:
    assert read(tournament, line) == [("clear", "A VIE H")]
    for other in ("A Vie stays in Gal", "defend A Vie"):
        assert ("clear", "A VIE H") not in read(tournament, other)


@pytest.mark.parametrize(
    "line",
    [
        *("| A Vie | - Gal |", "A Vie | - Gal", "1/3 A Vie - Gal", "A Vie marschiert nach Gal", "A Vie - Gal danke"),
    ],
)
def test_thanks_a_number_of_all_and_a_table_of_two_columns_change_nothing(tournament: str, line: str) -> None:
    assert read(tournament, line) == [("clear", "A VIE - GAL")]


def test_each_minus_on_a_line_takes_a_unit_off(tournament: str) -> None:
    sheet: dict[str, Any] = {"phase": "W1902A", "centers": {"AUSTRIA": ["VIE", "BUD"]}}
    assert read(tournament, "-A Ser -F Tri", **sheet) == [("clear", "A SER D"), ("clear", "F TRI D")]


@pytest.mark.parametrize("name", ["Gulf of Lion", "Gulf of Lions"])
def test_the_gulf_has_its_name_from_lions_too(tournament: str, name: str) -> None:
    sheet: dict[str, Any] = {"power": "ITALY", "units": {"ITALY": ["F TYS"]}}
    assert read(tournament, f"F Tys - {name}", **sheet) == [("clear", "F TYS - LYO")]


@pytest.mark.parametrize("sign", ["♥", "★", "✔", ":-)", "<3"])
def test_a_unit_with_a_sign_of_favour_is_not_taken_off_unasked(tournament: str, sign: str) -> None:
    sheet: dict[str, Any] = {"phase": "W1902A", "centers": {"AUSTRIA": ["VIE", "BUD", "TRI"]}}
    assert {order for _, order in read(tournament, f"A Ser {sign}", **sheet)} == {None}
    assert read(tournament, f"A Ser D {sign}", **sheet) == [("clear", "A SER D")]


@pytest.mark.parametrize("heading", ["Convoys", "Convoy:"])
def test_a_heading_for_convoys_leaves_the_march_above_it_alone(tournament: str, heading: str) -> None:
    assert read(tournament, "A Vie - Gal", heading)[0] == ("clear", "A VIE - GAL")


@pytest.mark.parametrize("mark", ['"', ",,", '-"-', "–„–"])
def test_ditto_marks_are_written_in_many_ways(tournament: str, mark: str) -> None:
    assert read(tournament, "A Vie - Gal", f"A Bud {mark}")[1] == ("clear", "A BUD - GAL")


@pytest.mark.parametrize("point", ["NE", "SE", "se", "NW"])
def test_a_point_of_the_compass_is_no_place_though_one_alone_can_be_reached(tournament: str, point: str) -> None:
    assert read(tournament, f"F Tri - {point}")[0][0] in {"ask", "ambiguous"}


@pytest.mark.parametrize(
    "line", ["F Bre - end", "F Bre end", "A Fin fine", "A Ven tries", "A Ven - even", "A Mun - sit"]
)
def test_an_everyday_word_is_no_slip_for_a_place(tournament: str, line: str) -> None:
    units = {"ITALY": ["F BRE", "A FIN", "A VEN", "A MUN", "F TRI", "A STP"]}
    assert {order for _, order in read(tournament, line, power="ITALY", units=units)} <= {None, "A FIN H"}


def test_a_german_but_is_no_army_in_berlin(tournament: str) -> None:
    units = {"GERMANY": ["A RUH"]}
    sheet: dict[str, Any] = {"phase": "W1902A", "power": "GERMANY", "units": units}
    found = read(tournament, "A Mun aber", centers={"GERMANY": ["MUN", "BER", "KIE"]}, **sheet)
    assert {order for _, order in found} == {None}


def test_a_retreat_without_a_goal_is_asked(tournament: str) -> None:
    dislodged = [{"power": "AUSTRIA", "unit": "A RUM", "from": "SEV", "retreats": ["GAL", "BUL"]}]
    assert read(tournament, "retreat A Rum", phase="F1902R", dislodged=dislodged)[0] == ("ask", None)

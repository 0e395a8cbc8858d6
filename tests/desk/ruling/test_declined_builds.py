"""A sheet that orders and declines builds, or too many of them, is asked about, and the rulings settle it."""

from pathlib import Path

import pytest
from facts_as_kept import append_fact

from desk.cup import clock, seated
from pipeline.board import Phase, Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.ruling.desk import Desk, rule_by_number
from pipeline.desk.ruling.rulings import RowDecision, type_lines, undo_ruling
from pipeline.orders import write, write_position
from pipeline.problems import Stopped


@pytest.mark.parametrize(
    ("rulings", "left"), [(("nothing", "A BUD B"), ["A BUD B"]), (("WAIVE", "nothing"), ["WAIVE"])], ids=str
)
def test_a_build_beside_no_builds_is_asked_and_what_is_ruled_stands(
    tmp_path: Path, rulings: tuple[str, ...], left: list[str]
) -> None:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        now = write_position(find_game(event, "1").position)
        units = now["units"] | {"AUSTRIA": ["A VIE", "F TRI"]}
        position = now | {"phase": "W1901A", "units": units}
        append_fact(event.facts, "position set", {"board": "1.1", "position": position}, "Tess")
        austria = Turn("1.1", Phase.read("W1901A"), Power.AUSTRIA)
        type_lines(event, austria, ["No builds", "A BUD B"], by="Tess")
        assert Desk.of(event).power(find_game(event, "1"), Power.AUSTRIA).is_open
        for line, order in enumerate(rulings, start=1):
            rule_by_number(event, austria, line, RowDecision(order=order, why="asked him"), "Tess")
        assert not Desk.of(event).power(find_game(event, "1"), Power.AUSTRIA).is_open
        assert [write(order) for order in Desk.of(event).power(find_game(event, "1"), Power.AUSTRIA).orders] == left


@pytest.mark.parametrize(
    ("units", "lines", "settled"),
    [
        (["A VIE", "F TRI"], ["A Bud B", "A Vie B"], ["A BUD B"]),
        (["A VIE", "F TRI", "A BUD", "A SER"], ["A Vie D", "A Ser D"], ["A VIE D"]),
    ],
    ids=str,
)
def test_rows_that_are_ruled_one_by_one_to_be_too_many_are_asked_where_the_rules_are_silent(
    tmp_path: Path, units: list[str], lines: list[str], settled: list[str]
) -> None:
    with open_event(seated(tmp_path / "cup", tournament="edc1996"), clock) as event:
        now = write_position(find_game(event, "1").position)
        position = now | {"phase": "W1901A", "units": now["units"] | {"AUSTRIA": units}}
        append_fact(event.facts, "position set", {"board": "1.1", "position": position}, "Tess")
        austria = Turn("1.1", Phase.read("W1901A"), Power.AUSTRIA)
        type_lines(event, austria, lines, by="Tess")
        for line, text in enumerate(lines, start=1):
            rule_by_number(event, austria, line, RowDecision(order=text.upper(), why="I read it so"), "Tess")
        rows = Desk.of(event).power(find_game(event, "1"), Power.AUSTRIA)
        assert [row.needs_director for row in rows.rows] == [True, True]
        assert "2 are ordered, 1 due" in rows.rows[0].reason
        rule_by_number(event, austria, 2, RowDecision(order="nothing", why="asked him"), "Tess")
        rows = Desk.of(event).power(find_game(event, "1"), Power.AUSTRIA)
        assert (rows.is_open, [write(order) for order in rows.orders]) == (False, settled)


@pytest.mark.parametrize(
    ("tournament", "units", "first", "second", "told"),
    [
        ("weaselmoot", ["A VIE", "F TRI", "A BUD", "A SER"], "A VIE D", "A SER D", "2 disbands would be ruled, 1 due"),
        ("edc2023", ["F TRI", "A SER"], "A VIE B", "A BUD B", "2 builds and waivers would be ruled, 1 due"),
        ("edc2023", ["F TRI", "A SER"], "A VIE B", "WAIVE", "2 builds and waivers would be ruled, 1 due"),
    ],
    ids=str,
)
def test_a_second_ruling_without_a_row_that_makes_too_many_is_refused_until_the_first_is_undone(
    tmp_path: Path, tournament: str, units: list[str], first: str, second: str, told: str
) -> None:
    """Otherwise the first one would count, although the director has thought better of it."""
    with open_event(seated(tmp_path / "cup", tournament=tournament), clock) as event:
        now = write_position(find_game(event, "1").position)
        position = now | {"phase": "W1901A", "units": now["units"] | {"AUSTRIA": units}}
        append_fact(event.facts, "position set", {"board": "1.1", "position": position}, "Tess")
        austria = Turn("1.1", Phase.read("W1901A"), Power.AUSTRIA)
        type_lines(event, austria, [], by="Tess")
        ruled = rule_by_number(event, austria, 0, RowDecision(order=first), "Tess")
        assert rule_by_number(event, austria, 0, RowDecision(order=first), "Tess") == ruled, "the same is in force"

        with pytest.raises(Stopped, match=f"{told}; undo number {ruled.number} .{first}. first"):
            rule_by_number(event, austria, 0, RowDecision(order=second), "Tess")
        undo_ruling(event, ruled, "Tess")
        with pytest.raises(Stopped, match=r"would be ruled, 1 due$"):
            rule_by_number(event, austria, 0, RowDecision(order=f"{first}; {second}"), "Tess")
        rule_by_number(event, austria, 0, RowDecision(order=second), "Tess")

        rows = Desk.of(event).power(find_game(event, "1"), Power.AUSTRIA)
        assert (rows.is_open, [write(order) for order in rows.orders]) == (False, [second])


@pytest.mark.parametrize("tournament", ["weaselmoot", "edc1996"])
def test_a_ruling_without_a_row_beside_all_that_the_rows_may_build_is_refused(tmp_path: Path, tournament: str) -> None:
    """The Weasel Moot would strike it from the bottom of the sheet: the director would have ruled in vain."""
    with open_event(seated(tmp_path / "cup", tournament=tournament), clock) as event:
        now = write_position(find_game(event, "1").position)
        position = now | {"phase": "W1901A", "units": now["units"] | {"AUSTRIA": ["F TRI", "A SER"]}}
        append_fact(event.facts, "position set", {"board": "1.1", "position": position}, "Tess")
        austria = Turn("1.1", Phase.read("W1901A"), Power.AUSTRIA)
        type_lines(event, austria, ["A Bud B"], by="Tess")

        with pytest.raises(
            Stopped, match=r"2 builds and waivers would be ruled, 1 due; rule 'nothing' on line 1 .A BUD"
        ):
            rule_by_number(event, austria, 0, RowDecision(order="A VIE B"), "Tess")
        rule_by_number(event, austria, 1, RowDecision(order="nothing"), "Tess")
        with pytest.raises(Stopped, match=r"2 builds and waivers would be ruled, 1 due$"):
            rule_by_number(event, austria, 0, RowDecision(order="WAIVE; WAIVE"), "Tess")
        rule_by_number(event, austria, 0, RowDecision(order="A VIE B"), "Tess")

        rows = Desk.of(event).power(find_game(event, "1"), Power.AUSTRIA)
        assert (rows.is_open, [write(order) for order in rows.orders]) == (False, ["A VIE B"])

"""What no row orders waits until a person says that nothing was ordered, and longer where the rules then ask him."""

import re
from pathlib import Path

import pytest
from facts_as_kept import append_fact

from desk.cup import clock, seated
from pipeline.board import Phase, Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.review.queue import queue, settle_doubt
from pipeline.desk.ruling.desk import Desk, rule_without_order
from pipeline.desk.ruling.rows import Row
from pipeline.desk.ruling.rulings import NOTHING, RowDecision, rule_row, rule_sheet, type_lines
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import write
from pipeline.problems import Stopped
from pipeline.small_files import data_folder

RETREATS: dict[str, object] = {
    "phase": "F1901R",
    "units": {"ITALY": ["A VIE"], "AUSTRIA": ["A BUD"]},
    "centers": {"ITALY": ["ROM"], "AUSTRIA": ["BUD"]},
    "dislodged": [
        {"power": "AUSTRIA", "unit": "A VIE", "from": "TYR", "retreats": ["BOH", "GAL", "TRI"]},
        {"power": "AUSTRIA", "unit": "A GRE", "from": "ION", "retreats": ["ALB", "SER"]},
    ],
}
DISBANDS: dict[str, object] = {
    "phase": "W1902A",
    "units": {"AUSTRIA": ["A BUD", "A GAL", "F ALB"]},
    "centers": {"AUSTRIA": ["BUD"]},
    "dislodged": [],
}
MOVEMENT = RETREATS | {"phase": "S1901M", "dislodged": []}


def austria_at(event: Event, position: dict[str, object]) -> Turn:
    """Take the game over at a position."""
    append_fact(event.facts, "position set", {"board": "1.1", "position": position}, "Tess")
    return Turn("1.1", Phase.read(str(position["phase"])), Power.AUSTRIA)


def not_ordered(event: Event) -> list[Row]:
    """The rows for what no row orders."""
    return [row for row in Desk.of(event).power(find_game(event, "1"), Power.AUSTRIA).rows if row.line == 0]


def assert_said_once(event: Event, turn: Turn) -> None:
    """To repeat a ruling where nothing waits writes nothing; another's, or for another reason, is refused."""
    before = event.facts.last_number()
    (same,) = rule_without_order(event, turn, "he wrote nothing", "Tess")
    assert same.said.line == 0
    for why, by in (("he wrote nothing", "Ann"), ("it is empty", "Tess")):
        with pytest.raises(Stopped, match="no unit without a row waits here"):
            rule_without_order(event, turn, why, by)
    assert event.facts.last_number() == before


def test_a_retreat_that_is_not_written_waits_until_it_is_said_of_this_unit(tmp_path: Path) -> None:
    with open_event(seated(tmp_path / "cup", tournament="edc2023"), clock) as event:
        turn = austria_at(event, RETREATS)
        type_lines(event, turn, ["A VIE - BOH"], by="Tess")
        (row,) = not_ordered(event)
        assert (row.unit, row.rule, row.needs_director) == ("GRE", "EDC23 R4", True)
        assert row.order is not None
        assert write(row.order) == "A GRE D"

        rule_without_order(event, turn, "he wrote nothing", "Tess")
        assert [(row.unit, row.needs_director) for row in not_ordered(event)] == [("GRE", False)]
        assert_said_once(event, turn)

        rule_row(event, turn, 1, RowDecision(order=NOTHING), "Tess")
        assert sorted((row.unit, row.needs_director) for row in not_ordered(event)) == [("GRE", False), ("VIE", True)]


def test_a_ruling_that_one_disband_is_missing_does_not_cover_two(tmp_path: Path) -> None:
    with open_event(seated(tmp_path / "cup", tournament="edc2023"), clock) as event:
        turn = austria_at(event, DISBANDS)
        type_lines(event, turn, ["A BUD D"], by="Tess")
        (one,) = not_ordered(event)
        assert (one.order, one.rule, one.needs_director) == (None, "EDC23 R7", True)
        rule_without_order(event, turn, "he wrote nothing", "Tess")
        assert [row.needs_director for row in not_ordered(event)] == [False]

        rule_row(event, turn, 1, RowDecision(order=NOTHING), "Tess")

        (two,) = not_ordered(event)
        assert two.needs_director
        assert two.lacks != one.lacks


def test_a_row_of_winter_that_gives_no_order_is_one_question_with_the_disband_that_is_missing_then(
    tmp_path: Path,
) -> None:
    with open_event(seated(tmp_path / "cup", tournament="edc2023"), clock) as event:
        type_lines(event, austria_at(event, DISBANDS), ["A BUD", "A GAL D"], by="Tess")
        (asked,) = (doubt for doubt in queue(event) if doubt.turn.power is Power.AUSTRIA)
        settle_doubt(event, asked, RowDecision(order=NOTHING), "Tess")
        assert not [doubt for doubt in queue(event) if doubt.turn.power is Power.AUSTRIA]


@pytest.mark.parametrize(
    ("tournament", "position", "waits"),
    [
        ("edc2023", RETREATS, False),
        ("weaselmoot", RETREATS, True),  # only one power must retreat: WM VI.5.a lets him say where
        ("edc2023", DISBANDS, False),
        ("edc2023", MOVEMENT, False),
        ("asking", MOVEMENT, True),
    ],
)
def test_where_no_orders_come_only_what_the_rules_leave_to_the_director_waits(
    tmp_path: Path, tournament: str, position: dict[str, object], *, waits: bool
) -> None:
    if tournament == "asking":
        edc = (data_folder("templates/rules") / "edc2023.toml").read_text("utf-8")
        tournament = str(tmp_path / "asking.toml")
        Path(tournament).write_text(
            re.sub("^not_ordered = .*", 'not_ordered = "ask"', edc, flags=re.MULTILINE), "utf-8"
        )
    with open_event(seated(tmp_path / "cup", tournament=tournament), clock) as event:
        rule_sheet(event, austria_at(event, position), SheetDecision.NO_ORDERS, by="Tess", why="he went home")
        assert {row.needs_director for row in not_ordered(event)} == {waits}


@pytest.mark.parametrize(
    ("tournament", "written", "orders"),
    [("nzdc1999", ["Vie H"], ["A BUD H"]), ("nzdc1999", None, [None]), ("weaselmoot", ["Vie H"], [None])],
)
def test_a_power_of_which_nothing_written_is_an_order_is_not_in_civil_disorder(
    tmp_path: Path, tournament: str, written: list[str] | None, orders: list[str | None]
) -> None:
    """NZ99 9: its units hold, so that they may retreat; where they may retreat in any case, nothing is ordered."""
    with open_event(seated(tmp_path / "cup", tournament=tournament), clock) as event:
        turn = austria_at(event, MOVEMENT)
        if written is None:
            rule_sheet(event, turn, SheetDecision.NO_ORDERS, by="Tess", why="he went home")
        else:
            type_lines(event, turn, written, by="Tess")
        assert [row.order and write(row.order) for row in not_ordered(event)] == orders


def test_each_waiver_that_was_given_without_a_row_counts(tmp_path: Path) -> None:
    with open_event(seated(tmp_path / "cup", tournament="edc2023"), clock) as event:
        turn = austria_at(event, DISBANDS | {"phase": "W1902A", "units": {}, "centers": {"AUSTRIA": ["BUD", "VIE"]}})
        type_lines(event, turn, [], by="Tess")
        for _ in range(2):
            rule_row(event, turn, 0, RowDecision(order="WAIVE"), "Tess")
        assert [row.order and write(row.order) for row in not_ordered(event)] == ["WAIVE", "WAIVE"]

"""A sheet that was printed for another position than the board's is asked about: a correction came between."""

from typing import Any

import pytest

from desk.cup import hand_in_all, hand_in_sheet, inked, sheets_of
from pipeline.board import Phase, Power, Step, standard_map
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.publish.dutchmen import set_position
from pipeline.desk.publish.publish import publish
from pipeline.desk.review.correcting import WantedCorrection, make_correction
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.review.sheet_changes import RowChange
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import rule_sheet, type_lines
from pipeline.desk.sheets.printed import is_of_other_position, printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.journal.acts import undo_all
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import read_position
from pipeline.paper.sheet_rows import Design
from pipeline.problems import Weight

FALL = Phase.read("F1901M")
OLD = "the position has changed since"
HOLDS = RowChange(power=Power.AUSTRIA, line=1, order="A VIE H")  # then A WAR of Russia takes Galicia
HERE = {"AUSTRIA": ["A VIE", "F TRI"], "ITALY": ["A VEN"]}
OWN = {"AUSTRIA": ["BUD", "TRI", "VIE"], "ITALY": ["VEN"]}
BEATEN = {"power": "AUSTRIA", "unit": "A SER", "from": "BUL"}


def stands(event: Event, phase: str, units: Any = HERE, owned: Any = OWN, retreats: str = "") -> None:
    """Set the board by hand; with places, Austria's A SER must retreat to one of them."""
    said = {"phase": phase, "units": units, "centers": owned}
    said["dislodged"] = [BEATEN | {"retreats": retreats.split()}] if retreats else []
    set_position(event, find_game(event, "1.1"), read_position(said, standard_map()), "Tess", "it was wrong")


def asked(event: Event, power: Power = Power.AUSTRIA) -> list[str]:
    """What is asked about a power's sheets, at the desk and at the one in memory."""
    game = find_game(event, "1.1")
    found = Desk.of(event).power(game, power)
    assert LiveDesk(event).power(game, power) == found
    return [problem.text for problem in found.problems if problem.weight is Weight.ASKS]


def comes(event: Event, power: Power, *orders: str, at: int = -1) -> None:
    """Hand in the newest sheet of a power, or another one, for the phase that is open."""
    sheet = sheets_of(event, Turn("1.1", find_game(event, "1.1").position.phase, power))[at]
    hand_in_sheet(event, sheet, [inked(row, text) for row, text in enumerate(orders, start=1)], "c" * 64, signed=True)


BUL = [{"AUSTRIA": [*HERE["AUSTRIA"], "A GRE"]}, {"AUSTRIA": [*HERE["AUSTRIA"], "A RUM"]}]
THREE = {"AUSTRIA": ["A BUD", "A VIE", "F TRI"]}
TWO_OWN, ONE_OWN = {"AUSTRIA": ["BUD", "TRI"]}, {"AUSTRIA": ["BUD"]}


@pytest.mark.parametrize(
    ("phase", "before", "after", "said"),
    [
        ("S1902M", {}, {"units": HERE | {"AUSTRIA": ["A BOH", "F TRI"]}}, "then A VIE, now A BOH"),
        ("S1902M", {}, {"units": HERE | {"ITALY": ["A ROM"]}}, ""),
        ("F1902R", {"retreats": "ALB GRE"}, {"retreats": "ALB"}, "then A SER (ALB, GRE), now A SER (ALB)"),
        ("F1902R", {"retreats": "ALB GRE"}, {"retreats": "ALB GRE", "units": {"AUSTRIA": ["A TYR"]}}, ""),
        ("W1902A", {}, {"units": {"AUSTRIA": ["A VIE"]}}, "then +1, now +2, TRI"),
        ("W1902A", {"units": {"AUSTRIA": ["A VIE", "F ADR"]}}, {"units": {"AUSTRIA": ["A VIE", "F ALB"]}}, ""),
        ("W1902A", {"units": THREE, "owned": TWO_OWN}, {"units": THREE, "owned": ONE_OWN}, "then -1, now -2"),
        ("W1902A", {"units": BUL[0], "owned": ONE_OWN}, {"units": BUL[1], "owned": ONE_OWN}, "then A GRE, now A RUM"),
    ],
)
@pytest.mark.parametrize("design", [Design.TARGETS, Design.LINE])
def test_it_is_asked_where_what_the_power_must_order_has_changed(
    event: Event, phase: str, before: Any, after: Any, said: str, design: Design
) -> None:
    stands(event, phase, **before)
    print_round(event, 1, wish=PrintWish(design=design))
    stands(event, phase, **after)

    comes(event, Power.AUSTRIA, "A SER - ALB" if phase == "F1902R" else "A VIE - TYR")

    assert [OLD in each and said in each for each in asked(event)] == ([True] if said else [])


@pytest.mark.parametrize("is_in_before", [True, False])
def test_after_a_correction_it_is_asked_until_it_is_ruled_on(event: Event, is_in_before: bool) -> None:
    hand_in_all(event)
    publish(event, "1", "Tess")
    print_round(event, 1)
    live = LiveDesk(event)
    if is_in_before:
        comes(event, Power.RUSSIA, "F SEV H")
    wanted = WantedCorrection(board="1.1", phase="S1901M", changes=(HOLDS,), deadline_passed=False)
    make_correction(event, wanted, by="Tess", why="misread", keep="")
    if not is_in_before:
        comes(event, Power.RUSSIA, "F SEV H")
    comes(event, Power.FRANCE, "A PAR H")
    live.refresh()

    assert [OLD in each and "then A WAR, now A GAL" in each for each in asked(event, Power.RUSSIA)] == [True]
    assert live.power(live.games["1.1"], Power.RUSSIA) == Desk.of(event).power(live.games["1.1"], Power.RUSSIA)
    assert asked(event, Power.FRANCE) == []

    rule_sheet(event, Turn("1.1", FALL, Power.RUSSIA), SheetDecision.ACCEPTED, by="Tess")
    assert asked(event, Power.RUSSIA) == []


def test_what_is_printed_where_a_correction_was_taken_back_is_good_until_it_is_made_again(event: Event) -> None:
    hand_in_all(event)
    publish(event, "1", "Tess")
    print_round(event, 1)
    wanted = WantedCorrection(board="1.1", phase="S1901M", changes=(HOLDS,), deadline_passed=False)
    numbers, _ = make_correction(event, wanted, by="Tess", why="misread", keep="")
    undo_all(event, numbers, by="Tess", why="it was right")
    print_round(event, 1)
    sheets = [sheet for sheet in printed_sheets(event).values() if sheet.turn.phase == FALL]
    assert not any(is_of_other_position(event, find_game(event, "1"), each) for each in sheets)

    make_correction(event, wanted, by="Tess", why="misread", keep="")
    old = [sheet.turn.power for sheet in sheets if is_of_other_position(event, find_game(event, "1"), sheet)]
    assert old == [Power.RUSSIA, Power.RUSSIA]


def test_what_came_or_was_typed_without_being_printed_for_the_position_is_asked_if_it_changed_since(
    event: Event,
) -> None:
    stands(event, "S1902M", HERE | {"FRANCE": ["A PAR"]})
    print_round(event, 1, wish=PrintWish(pads=1, kinds=(Step.MOVEMENT,)))
    pads = {sheet.turn.power: name for name, sheet in printed_sheets(event).items() if sheet.request.is_pad}
    line, ticks = [inked(1, "A VIE H")], "spring 1902"
    hand_in_sheet(event, pads[Power.AUSTRIA], line, "d" * 64, signed=True, ticks=ticks)
    type_lines(event, Turn("1.1", Phase.read("S1902M"), Power.ITALY), ["A VEN H"], by="Tess")
    stands(event, "S1902M", {"AUSTRIA": ["A BOH", "F TRI"], "ITALY": ["A ROM"], "FRANCE": ["A PAR"]})

    assert any("came in: then A VIE, now A BOH" in each for each in asked(event))
    assert any("then A VEN, now A ROM" in each for each in asked(event, Power.ITALY))

    hand_in_sheet(event, pads[Power.FRANCE], [inked(1, "A PAR H")], "e" * 64, signed=True, ticks=ticks)
    type_lines(event, Turn("1.1", Phase.read("S1902M"), Power.ITALY), ["A ROM H"], by="Tess")
    assert asked(event, Power.FRANCE) == []
    assert asked(event, Power.ITALY) == []

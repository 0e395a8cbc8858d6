"""What the judge makes of what the lines were taken for: the same sheet, adjudicated under each tournament."""

import pytest

from interpret.drawing import BOARD, tournament
from pipeline.board import Kind, Phase, Position, Power, Unit
from pipeline.interpret.interpret import interpret
from pipeline.interpret.verdict import Line
from pipeline.judge.adjudicate import adjudicate
from pipeline.orders import read_order as canonical

ALL = ("nzdc1999", "weaselmoot", "edc1996", "wdc2008")
POSITION = Position(
    phase=Phase.read("S1902M"),
    units={
        Power.GERMANY: (Unit(Kind.ARMY, "MUN"), Unit(Kind.ARMY, "RUH")),
        Power.FRANCE: (Unit(Kind.ARMY, "BUR"),),
        Power.AUSTRIA: (Unit(Kind.ARMY, "TYR"),),
    },
    centres={power: BOARD.homes[power] for power in Power},
)
ATTACK = {Power.FRANCE: (canonical("A BUR - MUN"),), Power.AUSTRIA: (canonical("A TYR S A BUR - MUN"),)}


def is_dislodged(name: str, line: str) -> bool:
    """Attack Munich two to one, with Munich supported to hold."""
    rules = tournament(name)
    sheet = interpret([Line(1, line), Line(2, "A Ruh S A Mun")], Power.GERMANY, POSITION, rules)
    resolution = adjudicate(BOARD, POSITION, {Power.GERMANY: sheet.orders, **ATTACK}, rules.rulebook)
    return bool(resolution.after.dislodged)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    "line",
    ["A Mun - Par", "A Munich -> Switzerland", "A Mun - Mun", "A Mun S A Bur - Par", "A Mun S A Ruh - Hol - Kie"],
)
def test_an_impossible_order_denies_support_in_new_zealand_only(name: str, line: str) -> None:
    """(NZ99 16) (WM VI.2.b) (WDC08 12.4)."""
    assert is_dislodged(name, line) is (name == "nzdc1999")


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("line", ["A Mun - B?r", "A Mun", "A Mun dances", "A Mun H"])
def test_what_is_ambiguous_or_no_order_may_be_supported_everywhere(name: str, line: str) -> None:
    """(NZ99 16) (WM VI.2.a) (WDC08 12.4)."""
    assert not is_dislodged(name, line)

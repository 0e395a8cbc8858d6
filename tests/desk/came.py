"""England's sheets come in one after the other, and somebody rules between: what the tests of that share."""

from typing import Any

from desk.cup import OPENINGS, hand_in_sheet, inked, spring
from pipeline.board import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import find_game
from pipeline.desk.publish.publish import publish
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import PowerRows
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.ink import InkLine
from pipeline.orders import write
from pipeline.problems import Weight

ENGLAND = spring(Power.ENGLAND)
ORDERS = OPENINGS[Power.ENGLAND]
HOLDS = ["F LON H", "F EDI H", "A LVP H"]


def written(*orders: str) -> list[InkLine]:
    """Rows that were read surely."""
    return [inked(row, order) for row, order in enumerate(orders, start=1)]


def scanned(event: Event, sheet: str, lines: list[InkLine], scan: str, **more: Any) -> None:
    """Scan a sheet with these rows; signed, if nothing else is said."""
    hand_in_sheet(event, sheet, lines, scan * 64, **{"signed": True, **more})


def serial(event: Event, sheet: str) -> int:
    """The serial of a sheet."""
    return printed_sheets(event)[sheet].request.id.serial


def england(event: Event) -> PowerRows:
    """England as the desk has it, which is how the desk in memory has it too."""
    found = Desk.of(event).power(find_game(event, "1"), Power.ENGLAND)
    live = LiveDesk(event)
    assert live.power(live.games["1.1"], Power.ENGLAND) == found
    return found


def asked(event: Event) -> list[str]:
    """What is asked about England's sheets."""
    return [problem.text for problem in england(event).problems if problem.weight is Weight.ASKS]


def orders(event: Event) -> list[str]:
    """England's orders as they would be adjudicated."""
    return [write(order) for order in england(event).orders]


def published(event: Event) -> list[str]:
    """Publish the board; the orders that were adjudicated for England."""
    return [write(order) for order in publish(event, "1", "Tess").played.orders[Power.ENGLAND]]

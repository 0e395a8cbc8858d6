"""Orders, doubts and rules in words, for people who have three seconds."""

from typing import assert_never

from pipeline.board.map import Kind, Map
from pipeline.board.position import Unit
from pipeline.ledger.parts import Source
from pipeline.orders.order import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from pipeline.reading.transcription.outcome import Tray

COASTS = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}
SIGNS = {  # a sign beside every source, so that colour never stands alone
    Source.READ: "✓",
    Source.MARKED: "◐",
    Source.TYPED: "⌨",
    Source.RULED: "⚖",
    Source.DEFAULT: "∅",
    Source.OPEN: "?",
}


TRAYS = {  # what became of a page
    Tray.FILED: "known and read",
    Tray.DOUBTFUL: "it is not certain which sheet this is",
    Tray.UNIDENTIFIED: "it is not known which sheet this is",
    Tray.FOREIGN: "not a page of this event",
    Tray.BLANK: "an empty page",
    Tray.UNREADABLE: "the file cannot be opened",
}


def place_in_words(place: str, board: Map) -> str:
    """Name a place.

    >>> from pipeline.board.standard import standard_map
    >>> place_in_words("STP/NC", standard_map()), place_in_words("XYZ", standard_map())
    ('St Petersburg (north coast)', 'XYZ')
    """
    province = board.provinces.get(place[:3])
    name = province.name if province else place[:3]
    return f"{name} ({COASTS.get(place[4:], place[4:])})" if len(place) > 3 else name


def in_words(order: Order, board: Map) -> str:  # noqa: C901 - one line for each of the eight orders
    """Say an order.

    >>> from pipeline.board.standard import standard_map
    >>> from pipeline.orders.notation import read
    >>> in_words(read("A MUN S F KIE - BER"), standard_map())
    'army Munich supports fleet Kiel to Berlin'
    """

    def unit(found: Unit) -> str:
        return f"{'army' if found.kind is Kind.ARMY else 'fleet'} {place_in_words(found.place, board)}"

    def to(place: str) -> str:
        return place_in_words(place, board)

    match order:
        case Hold(one):
            return f"{unit(one)} holds"
        case Move(one, goal, via, route):
            over = f" over {', '.join(map(to, route))}" if route else " by convoy" if via else ""
            return f"{unit(one)} to {to(goal)}{over}"
        case Support(one, of, goal):
            return f"{unit(one)} supports {unit(of)}" + (f" to {to(goal)}" if goal else " to hold")
        case Convoy(one, of, goal):
            return f"{unit(one)} convoys {unit(of)} to {to(goal)}"
        case Retreat(one, goal):
            return f"{unit(one)} retreats to {to(goal)}"
        case Disband(one):
            return f"{unit(one)} is disbanded"
        case Build(one):
            return f"build {unit(one)}"
        case Waive():
            return "one build is waived"
        case _:
            assert_never(order)


def flag_in_words(flag: str) -> str:
    """A doubt's code as a word: ``DOUBTFUL_READING`` becomes "doubtful reading"."""
    return flag.replace("_", " ").lower()

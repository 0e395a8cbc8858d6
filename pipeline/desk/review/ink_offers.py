"""Where the reader is not sure of a row, the ink itself is offered, with what this tournament's rules make of it.

A person who takes such an offer says what is written, and no more: the rules decide what becomes of it, as of any ink.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.event.turn import Turn
from pipeline.desk.ruling.rows import Row, RowStatus
from pipeline.desk.sheets.same_paper import fold
from pipeline.interpret.doubts.entry import Entry, Line
from pipeline.interpret.interpret import interpret
from pipeline.orders.notation import write

OFFERS = 3  # readings of a row, at most


@dataclass(frozen=True, slots=True)
class InkOffer:
    """What a row may say, and what becomes of that; no entry: it says nothing that is an order."""

    text: str
    entries: tuple[Entry, ...]

    @property
    def becomes(self) -> str:
        """What the rules make of it, in words."""
        if not self.entries:
            return "nothing in it is an order"
        return "; ".join(map(in_words, self.entries))

    @property
    def reason(self) -> str:
        """Why, in words."""
        return "; ".join(dict.fromkeys(entry.reason for entry in self.entries if entry.reason))


def in_words(entry: Entry) -> str:
    """What becomes of one order that is written so, and by which rule."""
    order = write(entry.order) if entry.order else "no order"
    rule = f" § {entry.rule or 'the rules are silent'}" if entry.settings else ""
    return f"{entry.status}: {order}{rule}"


def ink_offers(event: Event, game: Game, turn: Turn, row: Row) -> tuple[InkOffer, ...]:
    """The readings of an unread row that are none of the orders that it may mean, likeliest first."""
    if row.status is not RowStatus.UNREAD or row.line == 0:
        return ()
    return tuple(offers_of(event, game, turn, row))[:OFFERS]


def offers_of(event: Event, game: Game, turn: Turn, row: Row) -> Iterator[InkOffer]:
    """Each reading once: two of the same letters that come to the same are one."""
    rules = event.rules_on(game.map_name)
    seen: list[tuple[str, Sequence[object]]] = []
    for reading in row.readings:
        entries = interpret([Line(1, reading.text)], turn.power, game.position, rules).entries
        means = (fold(reading.text), [(entry.status, entry.order) for entry in entries])
        if reading.text.strip() and means not in seen and not any(e.order in row.candidates for e in entries):
            seen.append(means)
            yield InkOffer(reading.text, entries)

"""What may be decided about a row: the same cards, in the same order and under the same keys, at every door.

What is written comes first, whatever the rules make of it. Another order that looks like it comes after, and is said
to be another order; "no order" is a card of its own, and the first one of a row that is struck out. Who takes a card
of ink says what is written, and no more: the rules decide what becomes of it, as of any ink.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.event.turn import Turn
from pipeline.desk.review.orders_shown import each_once
from pipeline.desk.ruling.rows import Row, RowStatus
from pipeline.desk.ruling.rulings import NOTHING, RowDecision
from pipeline.desk.sheets.same_paper import fold
from pipeline.ink import InkReading, Note
from pipeline.interpret.doubts.entry import Entry, Line, Status
from pipeline.interpret.interpret import interpret
from pipeline.judge.legality import why_illegal
from pipeline.orders.notation import write
from pipeline.orders.order import Order
from pipeline.words import Told

DIGITS = "123456789"
READINGS = 4  # of a row that nobody could read, that are offered
NO_ORDER, STRUCK, NOT_ORDERED = "or struck out: nothing stands on this row", "struck out", "nobody ordered it"
ANOTHER = "another order: only if the row was misread"
NOT_STRUCK = "only if it is not struck out"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCard:
    """One thing that may be decided about a row."""

    decision: RowDecision
    words: str  # what becomes of it, where it is no order that is chosen
    key: str = ""
    order: Order | None = None  # what is chosen; None: what the ink says, or nothing
    condition: str = ""  # when it is right, where it is not simply what is written
    because: tuple[Told, ...] = ()  # what speaks for the order or against it
    is_impossible: bool = False  # taken by itself, here
    reason: str = ""  # of ink: why the rules make that of it

    @property
    def is_nothing(self) -> bool:
        """Whether it says that no order stands."""
        return self.decision.order == NOTHING

    @property
    def title(self) -> str:
        """The order that is chosen, the ink in quotes, or that there is none."""
        if self.decision.text is not None:
            return f"“{self.decision.text}”"
        return "no order" if self.order is None else write(self.order)

    @property
    def told(self) -> str:
        """What is said of it beside its title, in a terminal."""
        return "; ".join(filter(None, (self.condition, "impossible here" if self.is_impossible else "", self.words)))


def cards_of(event: Event, game: Game, turn: Turn, row: Row) -> tuple[AnswerCard, ...]:
    """What may be decided about a row, what is written first."""
    is_struck = Note.STRUCK_OUT in row.flags
    words = STRUCK if is_struck else NO_ORDER if row.line else NOT_ORDERED
    nothing = AnswerCard(decision=RowDecision(order=NOTHING, without=row.without), words=words)
    is_ink = row.status is RowStatus.UNREAD and row.line > 0
    found = list(of_readings(event, game, turn, row) if is_ink else of_candidates(row))
    found = [weighed(event, game, turn, card) for card in found]
    if is_struck:
        found = [nothing, *(replace(card, condition=NOT_STRUCK) for card in found)]
    keyed = [replace(card, key=key) for key, card in zip(DIGITS, found, strict=False)]
    return tuple(keyed if is_struck else (*keyed, replace(nothing, key="0")))


def of_candidates(row: Row) -> Iterator[AnswerCard]:
    """The orders that a row may mean as it is read, as the rules put them in order."""
    for order, why in zip(row.candidates, (*row.whys, *(() for _ in row.candidates)), strict=False):
        yield AnswerCard(decision=RowDecision(order=write(order)), words="", order=order, because=why)


def of_readings(event: Event, game: Game, turn: Turn, row: Row) -> Iterator[AnswerCard]:
    """What the row was read as, surest first, each meaning once; all but the first are other orders."""
    rules = event.rules_on(game.map_name)
    seen: list[object] = []
    for reading in each_once(row.readings)[:READINGS]:
        entries = interpret([Line(1, reading.text)], turn.power, game.position, rules).entries
        order = order_alone(entries)
        means = order or (fold(reading.text), [(entry.status, entry.order) for entry in entries])
        if any(map(str.isalnum, reading.text)) and means not in seen:
            card = of_order(reading, order) if order is not None else of_ink(reading, entries)
            yield replace(card, condition=ANOTHER) if seen else card
            seen.append(means)


def order_alone(entries: Sequence[Entry]) -> Order | None:
    """The order that the rules follow as it is written, where it is the only one that a text has."""
    if len(entries) != 1 or entries[0].status is not Status.CLEAR or entries[0].is_implied:
        return None
    return entries[0].order


def of_order(reading: InkReading, order: Order) -> AnswerCard:
    """Ink whose meaning the rules follow."""
    return AnswerCard(decision=RowDecision(order=write(order)), words=f"if “{reading.text}” is written", order=order)


def of_ink(reading: InkReading, entries: Sequence[Entry]) -> AnswerCard:
    """Ink of which the rules make something else than it says, or nothing."""
    becomes = "; ".join(map(in_words, entries)) or "nothing in it is an order"
    return AnswerCard(
        decision=RowDecision(text=reading.text),
        words=f"if that is what is written: {becomes}",
        reason="; ".join(dict.fromkeys(entry.reason for entry in entries if entry.reason)),
    )


def in_words(entry: Entry) -> str:
    """What becomes of one order that is written so, and by which rule."""
    order = write(entry.order) if entry.order else "no order"
    rule = f" § {entry.rule or 'the rules are silent'}" if entry.settings else ""
    return f"{entry.status}: {order}{rule}"


def weighed(event: Event, game: Game, turn: Turn, card: AnswerCard) -> AnswerCard:
    """Say of a card whether its order is impossible here."""
    if card.order is None:
        return card
    refusal = why_illegal(game.map, game.position, turn.power, card.order, event.tournament.rulebook)
    return replace(card, is_impossible=refusal is not None)

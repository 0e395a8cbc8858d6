"""One way to take a line: an order, and the doubts that go with taking it so."""

from dataclasses import dataclass, replace

from pipeline.board.position import Unit
from pipeline.interpret.doubts.because import Because
from pipeline.interpret.doubts.doubts import Found
from pipeline.interpret.doubts.sense import Meaning, Sense
from pipeline.interpret.language.written import Phrase, Written
from pipeline.orders.order import Order
from pipeline.words import Told


@dataclass(frozen=True, slots=True)
class Reading:
    """An order that a line may mean."""

    order: Order
    unit: Unit | None  # the own unit that is ordered; None: nobody's, or another power's
    doubts: tuple[Found, ...] = ()
    words: tuple[tuple[Phrase, Meaning], ...] = ()  # each place as written, and what it was taken for
    others: tuple[Order, ...] = ()  # what else it may be where a coast is missing
    is_possible: bool = True

    @property
    def because(self) -> tuple[Told, ...]:
        """What speaks for it and against it."""
        words = tuple(meaning.of_word(phrase.text) for phrase, meaning in self.words)
        return (Told.of(Because.TAKEN, words=words), *self.doubts) if words else self.doubts


@dataclass(frozen=True, slots=True)
class Draft:
    """One written order with all its readings, before the rules have judged it."""

    line: int
    written: Written
    readings: tuple[Reading, ...] = ()  # none: ``fault`` says why
    senses: tuple[tuple[Phrase, Sense], ...] = ()
    fault: Found | None = None  # what keeps the line from being an order at all
    unit: Unit | None = None  # the own unit that the line is about, as far as it can be told
    notes: tuple[Found, ...] = ()
    alternatives: tuple[Reading, ...] = ()  # what else the line may order, or its best reading where it is no order

    def noted(self, notes: tuple[Found, ...]) -> "Draft":
        """Put down what was seen on the paper, if anything was."""
        return replace(self, notes=(*self.notes, *notes)) if notes else self

    @property
    def is_misspelt(self) -> bool:
        """A word of it is in no table, and may be a slip of the pen for several."""
        return any(sense.may_be_a_slip for _, sense in self.senses)

    @property
    def is_plain(self) -> bool:
        """One reading, and every word of it firm."""
        return len(self.readings) == 1 and all(sense.is_firm for _, sense in self.senses)

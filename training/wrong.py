"""What is wrong with an order that stands and that nobody was asked about: one definition, for all that counts it.

*Another order*: what stands is not what the tournament's rules make of the text that was written.
*Forgiven slip*: the text is misspelt, so that the rules would have asked or held; what stands is the only order of
this position that it is one letter away from. Where a tournament holds a misspelt word, such a slip costs a player his
order: there it is *another order*.

One letter away: changed, left out or added, or two neighbours swapped, in a word of three letters or more; a slip in a
unit's letter, a sign or a coast makes another order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pipeline.board.map import Power
from pipeline.board.position import Position
from pipeline.desk.sheets.vocabulary import Rules, others_of, words_of
from pipeline.orders.order import Order
from pipeline.reading.net.alphabet import Words, accepts, bare, spelled
from pipeline.reading.net.slips import SHORTEST, is_near
from pipeline.reading.rows.recogniser import Taken
from pipeline.rules.tournament import Tournament

Slots = Sequence[Words]  # of a line, spelled


class Wrong(StrEnum):
    """What an order that stands unasked is, beside what was written."""

    NOT = "right"
    SLIP = "forgiven slip"
    OTHER = "another order"


@dataclass(frozen=True, slots=True)
class Yardstick:
    """All that one power may write in one position, and what the tournament makes of anything else."""

    lines: Sequence[Slots]
    orders: Sequence[Order | None]  # of each line
    others: Sequence[Slots]  # inadmissible here
    rules: Rules

    @classmethod
    def of(cls, power: Power, position: Position, tournament: Tournament) -> "Yardstick":
        """Make one for the orders of one power."""
        vocabulary, orders = words_of(power, position, tournament, others_of(tournament))
        lines = [tuple(map(spelled, line.slots)) for line in vocabulary.lines]
        others = [tuple(map(spelled, line.slots)) for line in vocabulary.others]
        return cls(lines, orders, others, Rules(power, position, tournament))

    def wrong(self, text: str, stands: Order | None) -> Wrong:
        """Weigh what stands against the text that was written."""
        if self.is_spelled(text, stands):
            return Wrong.NOT
        written, mine = bare(text), self.lines_of(stands)
        match self.rules.take(text, stands):
            case Taken.SAME:
                return Wrong.NOT
            case Taken.ASKED if self.is_only_near(written, stands, mine):
                return Wrong.SLIP
            case _:
                return Wrong.OTHER

    def is_spelled(self, text: str, stands: Order | None) -> bool:
        """Whether a text is a spelling of what stands; another may be right all the same, where the rules follow it."""
        return any(accepts(line, bare(text)) for line in self.lines_of(stands))

    def lines_of(self, stands: Order | None) -> list[Slots]:
        """The lines that mean what stands."""
        return [line for line, order in zip(self.lines, self.orders, strict=True) if order == stands]

    def is_only_near(self, written: str, stands: Order | None, mine: Sequence[Slots]) -> bool:
        """Whether a text is no order, one letter away from this one, and from no other of this position."""
        if not any(is_near(line, written, SHORTEST) for line in mine):
            return False
        rest = [line for line, order in zip(self.lines, self.orders, strict=True) if order != stands]
        if any(accepts(line, written) for line in (*rest, *self.others)):
            return False
        return not any(is_near(line, written) for line in rest)

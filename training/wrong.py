"""What is wrong with an order that stands and that nobody was asked about: one definition, for all that counts it.

*Another order*: what stands is not what the tournament's rules make of the text that was written.
*Forgiven slip*: the text is misspelt, so that the rules would have asked or held; what stands is the only order of
this position that it is one letter away from. Where a tournament holds a misspelt word, such a slip costs a player his
order: there it is *another order*.

One letter away: changed, left out or added, or two neighbours swapped, in a word of three letters or more; a slip in a
unit's letter, a sign or a coast makes another order. So do gaps that part no words, ``A VI ES A TRI - TYR``, where the
rules take the text for something else than the same letters with their gaps between the words.
"""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from pipeline.board import Position, Power
from pipeline.desk.hands.vocabulary import LineRules, others_of, words_of
from pipeline.interpret.interpret import sheet_of
from pipeline.orders import Order
from pipeline.reading.alphabet import Words, accepts, bare, spell_slot
from pipeline.reading.evidence import spelling_in_words
from pipeline.reading.recogniser import Taken, Vocabulary, VocabularyLine
from pipeline.reading.slips import SHORTEST, is_near
from pipeline.rules.tournament import Tournament

Slots = Sequence[Words]  # of a line, spelled


class Wrong(StrEnum):
    """What an order that stands unasked is, beside what was written."""

    NOT = "right"
    SLIP = "forgiven slip"
    OTHER = "another order"


class Yardstick(Struct, frozen=True):
    """All that one power may write in one position, and what the tournament makes of anything else."""

    lines: Sequence[Slots]
    words: Sequence[VocabularyLine]  # of each line, as they are written
    orders: Sequence[Order | None]  # of each line
    others: Sequence[Slots]  # inadmissible here
    rules: LineRules

    @classmethod
    def of(cls, power: Power, position: Position, tournament: Tournament) -> "Yardstick":
        """Make one for the orders of one power."""
        vocabulary, orders = words_of(power, position, tournament, others_of(tournament))
        return cls.over(vocabulary, orders, LineRules(sheet_of(power, position, tournament)))

    @classmethod
    def over(cls, vocabulary: Vocabulary, orders: Sequence[Order | None], rules: LineRules) -> "Yardstick":
        """Make one over the lines that may be written, with the order of each."""
        lines, others = (
            [tuple(map(spell_slot, line.slots)) for line in some] for some in (vocabulary.lines, vocabulary.others)
        )
        return cls(lines, vocabulary.lines, orders, others, rules)

    def wrong(self, text: str, stands: Order | None) -> Wrong:
        """Weigh what stands against the text that was written."""
        taken = self.rules.judge_text(text, stands)
        if taken is Taken.SAME:
            return Wrong.NOT
        if (read := self.with_gaps_of(stands, text)) is not None:
            return Wrong.NOT if self.rules.judge_text(read, stands) is taken else Wrong.OTHER
        is_slip = taken is Taken.ASKED and self.is_only_near(bare(text), stands, self.lines_of(stands))
        return Wrong.SLIP if is_slip else Wrong.OTHER

    def is_spelled(self, text: str, stands: Order | None) -> bool:
        """Whether the letters of a text spell what stands; else it may be right too, where the rules follow it."""
        return any(accepts(line, bare(text)) for line in self.lines_of(stands))

    def with_gaps_of(self, stands: Order | None, text: str) -> str | None:
        """The letters of a text in the words that spell what stands; None where they do not."""
        for line, slots, order in zip(self.words, self.lines, self.orders, strict=True):
            if order == stands and accepts(slots, bare(text)):
                return spelling_in_words(line, bare(text))
        return None

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

"""What may be written on a sheet, as words for the reader: it knows no province, and is told none."""

from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.board.position import Position, Step
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.interpret.doubts.entry import Line as WrittenLine
from pipeline.interpret.doubts.entry import Status
from pipeline.interpret.interpret import interpret
from pipeline.interpret.language.spellings import other_forms, spellings
from pipeline.orders.order import Order
from pipeline.reading.rows.recogniser import Taken, Vocabulary, VocabularyLine
from pipeline.rules.reading_rules import Misspelt
from pipeline.rules.tournament import Tournament

MISSPELT = {Misspelt.FOLLOWED: Taken.SAME, Misspelt.ASK: Taken.ASKED, Misspelt.FAILS: Taken.OTHER}


def vocabulary_of(event: Event, game: Game, power: Power, others: tuple[VocabularyLine, ...]) -> Vocabulary:
    """Every order the power could give, in every accepted spelling; beside them what it might write instead."""
    return words_of(power, game.position, event.rules_on(game.map_name), others)[0]


def words_of(
    power: Power, position: Position, tournament: Tournament, others: tuple[VocabularyLine, ...]
) -> tuple[Vocabulary, tuple[Order | None, ...]]:
    """What a power may write in a position, and the order of each line."""
    found = tuple(spellings(power, position, tournament))
    lines = tuple(VocabularyLine(spelling.slots, spelling.weight) for spelling in found)
    orders = tuple(spelling.order for spelling in found)
    misspelt, unusual = MISSPELT[tournament.reading.misspelt.value], tournament.abbreviations.unusual
    if position.phase.step is not Step.MOVEMENT:  # what else might be written is not told there: nothing is forgiven
        return Vocabulary(lines, misspelt=misspelt, unusual=unusual), orders
    rules = Rules(power, position, tournament)

    def taken(text: str, line: int) -> Taken:
        return rules.take(text, orders[line])

    return Vocabulary(lines, others, taken=taken, misspelt=misspelt, unusual=unusual), orders


@dataclass(frozen=True, slots=True)
class Rules:
    """What a tournament makes of a single line that one power writes."""

    power: Power
    position: Position
    tournament: Tournament

    def take(self, text: str, order: Order | None) -> Taken:
        """Whether a text is followed as this order, or would be asked about, or held, for want of a meaning.

        Where a misspelt word is not understood at all (`Misspelt.FAILS`), it costs a player his order: what would be
        held there is another thing than the order. What a line implies for another unit is no matter of how it is
        spelled: as long as it is this order, it implies the same.
        """
        found = interpret([WrittenLine(1, text)], self.power, self.position, self.tournament).entries
        entries = [entry for entry in found if not entry.is_supplied]
        if len(entries) != 1 or entries[0].is_implied or entries[0].status is Status.ILLEGAL:
            return Taken.OTHER
        entry = entries[0]
        if entry.status is Status.CLEAR:
            return Taken.SAME if entry.order == order else Taken.OTHER
        held = self.tournament.reading.misspelt.value is Misspelt.FAILS
        return Taken.OTHER if held else Taken.ASKED


def others_of(tournament: Tournament) -> tuple[VocabularyLine, ...]:
    """The forms of movement orders, with any place for any place: possible here or not."""
    return tuple(VocabularyLine(spelling.slots, spelling.weight) for spelling in other_forms(tournament))

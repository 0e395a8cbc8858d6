"""The vocabulary of a sheet as texts: the reader knows no provinces."""

from collections.abc import Mapping

from msgspec import Struct

from pipeline.board import Position, Power, Step
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.interpret.interpret import interpret_on, sheet_of
from pipeline.interpret.lexicon import other_forms, spellings
from pipeline.interpret.readings import Sheet
from pipeline.interpret.verdict import Line, Status
from pipeline.orders import Order
from pipeline.reading import recogniser
from pipeline.rules.reading_rules import Misspelt
from pipeline.rules.tournament import Tournament

MISSPELT = {
    Misspelt.FOLLOWED: recogniser.Taken.SAME,
    Misspelt.ASK: recogniser.Taken.ASKED,
    Misspelt.FAILS: recogniser.Taken.OTHER,
}

OtherForms = Mapping[
    Step, tuple[recogniser.VocabularyLine, ...]
]  # lines in the form of a step's orders, possible here or not


def vocabulary_of(event: Event, game: Game, power: Power, others: OtherForms) -> recogniser.Vocabulary:
    """Every legal order of the power in every accepted spelling, and ``others``, which compete with them."""
    return words_of(power, game.position, event.rules_on(game.map_name), others)[0]


def words_of(
    power: Power, position: Position, tournament: Tournament, others: OtherForms
) -> tuple[recogniser.Vocabulary, tuple[Order | None, ...]]:
    """What a power may write in a position, and the order of each line."""
    spelled = tuple(spellings(power, position, tournament))
    lines = tuple(recogniser.VocabularyLine(spelling.slots, spelling.weight) for spelling in spelled)
    orders = tuple(spelling.order for spelling in spelled)
    misspelt, unusual = MISSPELT[tournament.reading.misspelt.value], tournament.abbreviations.unusual
    rules = LineRules(sheet_of(power, position, tournament))

    def take_text(text: str, line: int) -> recogniser.Taken:
        return rules.judge_text(text, orders[line])

    beside = others.get(position.phase.step, ())
    if position.phase.step is not Step.MOVEMENT and misspelt is recogniser.Taken.SAME:
        # stricter: such a line is short, and much of it is an arrow or the word for build or disband
        misspelt = recogniser.Taken.ASKED
    return recogniser.Vocabulary(lines, beside, taken=take_text, misspelt=misspelt, unusual=unusual), orders


class LineRules(Struct, frozen=True):
    """What a tournament makes of a single line that one power writes."""

    sheet: Sheet

    def judge_text(self, text: str, order: Order | None) -> recogniser.Taken:
        """Judge a text that is nearly this order: as the same order, as a question, or as another outcome.

        Where misspelt words fail (`Misspelt.FAILS`) the unit holds, which counts as another outcome. Orders that the
        text implies for other units are left out. A winter's text of several parts is a question if a part is one and
        none is an order.
        """
        interpreted = interpret_on(self.sheet, [Line(1, text)]).entries
        entries = [entry for entry in interpreted if not entry.is_supplied]
        statuses = {entry.status for entry in entries}
        is_winter = self.sheet.position.phase.step is Step.ADJUSTMENTS
        is_asked = is_winter and Status.ASK in statuses and statuses <= {Status.ASK, Status.VOID}
        if not entries or (len(entries) > 1 and not is_asked):
            return recogniser.Taken.OTHER
        if entries[0].is_implied or Status.ILLEGAL in statuses:
            return recogniser.Taken.OTHER
        if entries[0].status is Status.CLEAR:
            return recogniser.Taken.SAME if entries[0].order == order else recogniser.Taken.OTHER
        held = self.sheet.tournament.reading.misspelt.value is Misspelt.FAILS
        return recogniser.Taken.OTHER if held else recogniser.Taken.ASKED


def others_of(tournament: Tournament) -> OtherForms:
    """The forms of the orders of each step, with any place for any place: possible here or not."""
    return {
        step: tuple(
            recogniser.VocabularyLine(spelling.slots, spelling.weight) for spelling in other_forms(tournament, step)
        )
        for step in Step
    }

"""What may be written on a sheet, as words for the reader: it knows no province, and is told none."""

from pipeline.board.map import Power
from pipeline.board.position import Step
from pipeline.desk.event import Event
from pipeline.desk.games import Game
from pipeline.interpret.spellings import other_forms, spellings
from pipeline.reading.recogniser import Line, Vocabulary
from pipeline.tournament.rules import Tournament


def vocabulary_of(event: Event, game: Game, power: Power, others: tuple[Line, ...]) -> Vocabulary:
    """Every order the power could give, in every accepted spelling; beside them what it might write instead."""
    found = spellings(power, game.position, event.rules_on(game.map_name))
    lines = tuple(Line(spelling.slots, spelling.weight) for spelling in found)
    moving = game.position.phase.step is Step.MOVEMENT
    return Vocabulary(lines=lines, others=others if moving else ())


def others_of(tournament: Tournament) -> tuple[Line, ...]:
    """The forms of movement orders, with any place for any place: possible here or not."""
    return tuple(Line(spelling.slots, spelling.weight) for spelling in other_forms(tournament))

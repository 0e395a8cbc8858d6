"""What may be written on a sheet, as words for the reader."""

from pipeline.board.map import Power
from pipeline.desk.event import Event
from pipeline.desk.games import Game
from pipeline.judge.legality import legal_orders
from pipeline.orders.notation import write
from pipeline.reading.recogniser import Line, Vocabulary


def vocabulary_of(event: Event, game: Game, power: Power) -> Vocabulary:
    """Every order the power could give."""
    orders = legal_orders(event.board, game.position, power)
    return Vocabulary(lines=tuple(Line(tuple((word,) for word in write(order).split())) for order in orders))

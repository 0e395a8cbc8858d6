"""In which order the powers' orders are read at the board (RULES 1, row 32)."""

from collections.abc import Sequence

from pipeline.board.map import Power
from pipeline.board.position import Phase
from pipeline.tournament.conduct_rules import Reader
from pipeline.tournament.rules import Tournament


def reading_order(tournament: Tournament, phase: Phase, powers: Sequence[Power]) -> tuple[Power, ...]:
    """Order the powers as this tournament reads them; where any player may read, by name.

    One power a season reads its own orders first and the others after it, Austria in Spring 1901 (NZ99 12; WM VI.4).

    >>> from pipeline.tournament.load import load_tournament
    >>> wm = load_tournament("weaselmoot")
    >>> [str(p) for p in reading_order(wm, Phase.read("F1901M"), tuple(Power))[:3]]
    ['ENGLAND', 'FRANCE', 'GERMANY']
    """
    seated = tuple(power for power in Power if power in powers)
    if not seated or tournament.conduct.reader.value not in (Reader.DESIGNATED, Reader.IN_TURN):
        return seated
    first = (phase.season_number - 1) % len(seated)
    return seated[first:] + seated[:first]

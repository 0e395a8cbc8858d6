"""In which order the powers' orders are read at the board."""

from collections.abc import Collection, Sequence

from pipeline.board.map import Power
from pipeline.board.position import Phase
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.rules.conduct_rules import Reader
from pipeline.rules.tournament import Tournament
from pipeline.words.wording import wording


def reading_order(
    tournament: Tournament,
    phase: Phase,
    powers: Sequence[Power],
    beginners: Collection[Power] = (),
    seats: Sequence[Power] = tuple(Power),
) -> tuple[Power, ...]:
    """Order the powers as this tournament reads them; where any player may read, by name.

    One power a season reads its own orders first and the others after it, Austria in Spring 1901 (NZ99 12; WM VI.4).
    It is counted round all ``seats`` of the game: whoever is not among ``powers`` is passed over. Or the orders of
    beginners are read first, in the first years (EDC23 R1, R12).

    >>> from pipeline.rules.load import load_tournament
    >>> wm = load_tournament("weaselmoot")
    >>> [str(p) for p in reading_order(wm, Phase.read("F1901M"), tuple(Power))[:3]]
    ['ENGLAND', 'FRANCE', 'GERMANY']
    """
    seated = tuple(power for power in Power if power in powers)
    if not seated:
        return seated
    match tournament.conduct.reader.value:
        case Reader.DESIGNATED | Reader.IN_TURN:
            every = tuple(power for power in Power if power in seats)
            first = (phase.season_number - 1) % len(every)
            return tuple(power for power in every[first:] + every[:first] if power in powers)
        case Reader.BEGINNERS if reads_beginners_first(tournament, phase):
            return tuple(sorted(seated, key=lambda power: power not in beginners))
        case _:
            return seated


def reads_beginners_first(tournament: Tournament, phase: Phase) -> bool:
    """Whether the orders of beginners go first in this phase (EDC23 R1, R12)."""
    conduct = tournament.conduct
    last = conduct.beginners_until.value
    return conduct.reader.value is Reader.BEGINNERS and (last is None or phase.year <= last)


def beginners_of(event: Event, game: Game) -> frozenset[Power]:
    """The powers whose players the roster calls beginners."""
    names = {player.name for player in event.players if player.beginner}
    return frozenset(power for power, name in game.seating.players.items() if name in names)


def read_at(event: Event, game: Game, phase: Phase, powers: Sequence[Power]) -> tuple[Power, ...]:
    """The order in which the powers of a game are read in a phase."""
    seats = tuple(game.seating.players)
    return reading_order(event.tournament, phase, powers, beginners_of(event, game), seats)


def words_on(event: Event, game: Game, phase: Phase) -> tuple[str, ...]:
    """Say why somebody is read first, where beginners are on the board."""
    conduct = event.tournament.conduct
    if not beginners_of(event, game) or not reads_beginners_first(event.tournament, phase):
        return ()
    rule, year = conduct.beginners_until.rule or conduct.reader.source, conduct.beginners_until.value
    if year:
        return (wording("beginners are read first to the end of {year} ({rule})", year=year, rule=rule),)
    return (wording("beginners are read first ({rule})", rule=rule),)

"""The board-games competition beside the main event."""

from dataclasses import dataclass
from fractions import Fraction

from pipeline.scoring.results.doubts import ScoringDoubt, SheetNotSigned
from pipeline.scoring.results.results import BoardGame, EventResults
from pipeline.scoring.totals.ranking import placed
from pipeline.scoring.totals.rules import BoardGameRules, BoardGameTies, ScoringRules
from pipeline.scoring.totals.tiebreaks import Contender, FieldOfPlayers


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardGameRow:
    """One line of the board-games standings."""

    place: int
    is_tied: bool
    player: str
    points: Fraction
    games: int


def board_game_standings(
    event: EventResults, rules: ScoringRules
) -> tuple[tuple[BoardGameRow, ...], tuple[ScoringDoubt, ...]]:
    """Points by finishing position, weighted by the length of the game, added up; the highest wins (NZ99 27)."""
    if not rules.board_games:
        return (), ()
    points: dict[str, list[Fraction]] = {}
    doubts: list[ScoringDoubt] = []
    for number, game in enumerate(event.board_games, start=1):
        if not game.is_signed:
            doubts.append(SheetNotSigned(number=number, game=game.game))
            continue
        for player, won in game_points(game, rules.board_games).items():
            points.setdefault(player, []).append(won)
    contenders = [Contender(name=name, total=sum(won, Fraction()), games=()) for name, won in points.items()]
    rows = tuple(
        BoardGameRow(
            place=one.place,
            is_tied=one.is_tied,
            player=one.contender.name,
            points=one.contender.total,
            games=len(points[one.contender.name]),
        )
        for one in placed(contenders, (), FieldOfPlayers())
    )
    return rows, tuple(doubts)


def game_points(game: BoardGame, rules: BoardGameRules) -> dict[str, Fraction]:
    """The points of a place among so many players, times the weight of the game (NZ99 27)."""
    scale = rules.points[sum(len(level) for level in game.places)]
    found: dict[str, Fraction] = {}
    first = 0
    for level in game.places:
        spanned = scale[first : first + len(level)]
        won = spanned[-1] if rules.ties is BoardGameTies.LOWER else sum(spanned, Fraction()) / len(level)
        found |= dict.fromkeys(level, won * rules.weights[game.game])
        first += len(level)
    return found

"""Which of a player's games count toward the total, and with which weight."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pipeline.scoring.games.system import PlayerGame
from pipeline.scoring.results.doubts import BoardNotChosen, ScoringDoubt, TwoBoardsUnpriced
from pipeline.scoring.results.results import Entrant, Spot
from pipeline.scoring.totals.rules import Totals, TwoBoards, Weights


@dataclass(frozen=True, slots=True)
class Counted:
    """One game in a player's account."""

    game: PlayerGame
    weight: Fraction  # 0: it does not count toward the total
    is_dropped: bool = False  # the other of two boards in one round: it counts for nothing at all
    why: str = ""  # what its weight comes from

    @property
    def points(self) -> Fraction:
        """What it brings to the total."""
        return self.weight * self.game.score


def account(
    player: Entrant, games: Sequence[PlayerGame], totals: Totals, weights: Weights
) -> tuple[tuple[Counted, ...], tuple[ScoringDoubt, ...]]:
    """The games of one player in the order of play, the best of them with the first weight."""
    dropped, doubts = second_boards(player, games, totals)
    kept = sorted((game for game in games if game.seat not in dropped), key=lambda game: -game.score)
    row = weights.of(len(kept))
    rank = {game.seat: number for number, game in enumerate(kept)}
    counted = []
    for game in games:
        if game.seat in dropped:
            counted.append(Counted(game, Fraction(), is_dropped=True, why=dropped[game.seat]))
        else:
            number = rank[game.seat]
            counted.append(Counted(game, row[number], why=f"{ordinal(number + 1)} of {len(kept)}"))
    return tuple(counted), doubts


def ordinal(number: int) -> str:
    """Say which one.

    >>> ordinal(1), ordinal(2), ordinal(3), ordinal(4)
    ('best', '2nd best', '3rd best', '4th best')
    """
    if number == 1:
        return "best"
    return f"{number}{ {2: 'nd', 3: 'rd'}.get(number, 'th') } best"


def second_boards(
    player: Entrant, games: Sequence[PlayerGame], totals: Totals
) -> tuple[dict[Spot, str], tuple[ScoringDoubt, ...]]:
    """Of two boards in one round only what the rules say counts (Weasel III.7; EDC23 D)."""
    rounds: dict[int, list[PlayerGame]] = {}
    for game in games:
        rounds.setdefault(game.round, []).append(game)
    dropped: dict[Spot, str] = {}
    doubts: list[ScoringDoubt] = []
    for number, both in rounds.items():
        if len(both) < 2:
            continue
        is_said = player.chosen.get(number) in {game.board.name for game in both}
        match totals.two_boards:
            case TwoBoards.ASK if is_said:
                dropped |= not_chosen(player, both, number)
            case TwoBoards.ASK if number not in player.both:
                doubts.append(TwoBoardsUnpriced(player=player.name, round=number))
            case TwoBoards.HIGHER:
                dropped |= {game.seat: "only the higher of two boards counts" for game in less_than_best(both)}
            case TwoBoards.CHOSEN if len(rounds) == totals.rounds:
                dropped |= not_chosen(player, both, number)
                if not is_said:
                    best = chosen(player, both, number)
                    doubts.append(BoardNotChosen(player=player.name, round=number, board=best.board.name))
    return dropped, tuple(doubts)


def not_chosen(player: Entrant, both: Sequence[PlayerGame], number: int) -> dict[Spot, str]:
    """The boards beside the chosen one, with the reason why they do not count."""
    best = chosen(player, both, number)
    return {game.seat: "only the chosen of two boards counts" for game in both if game is not best}


def less_than_best(games: Sequence[PlayerGame]) -> list[PlayerGame]:
    """All but the highest score; of equal ones the first stays."""
    best = max(games, key=lambda game: game.score)
    return [game for game in games if game is not best]


def chosen(player: Entrant, both: Sequence[PlayerGame], number: int) -> PlayerGame:
    """The board the player chose; the higher one where no choice is noted (EDC23 D)."""
    named = player.chosen.get(number)
    found = next((game for game in both if game.board.name == named), None)
    return found or max(both, key=lambda game: game.score)

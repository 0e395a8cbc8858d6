"""Comparing games: which of two games is the better one (NZ99 B 4), as six steps of a tie-break chain.

A step that speaks of "both" players being eliminated applies when every one of the tied is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pipeline.scoring.games.system import Outcome, PlayerGame
from pipeline.scoring.totals.tiebreaks import (
    UNPLAYED,
    Contender,
    Criterion,
    FieldOfPlayers,
    Key,
    Tiebreak,
    number,
    same,
)


def outcome_key(game: PlayerGame) -> Key:
    """Win beats draw beats elimination beats loss (NZ99 B 4.1)."""
    return (Fraction(game.outcome.standing),)


def points_key(game: PlayerGame) -> Key:
    """More points in the game (NZ99 B 4.2)."""
    return (game.score,)


def position_key(game: PlayerGame) -> Key:
    """The higher place by centres; a sole place beats a shared one, and fewer sharers beat more (NZ99 B 4.3)."""
    return (-Fraction(game.above + 1), -Fraction(game.equal))


def survival_key(game: PlayerGame) -> Key:
    """The longer survival in Falls, then more centres in the last year with any (NZ99 B 4.4)."""
    years = [year for year in game.board.years if game.board.owned(game.power, year)]
    last = max(years, default=0)
    return (Fraction(last), Fraction(game.board.owned(game.power, last)))


def margins_key(game: PlayerGame) -> Key:
    """The own score less that of who finished 1st, then of the 2nd to 7th; the eliminated count as 0 (NZ99 B 4.5-6)."""
    finished = sorted(((game.board.centres[power], game.scores[power]) for power in game.board.powers), reverse=True)
    return tuple(game.score - (score if owned else 0) for owned, score in finished)


def better_first(games: Sequence[PlayerGame]) -> list[PlayerGame]:
    """A player's own games, best first, by the order of NZ99 B 4."""
    return sorted(games, key=whole_key, reverse=True)


def whole_key(game: PlayerGame) -> tuple[Key, ...]:
    """All steps at once, for games of one player."""
    survival = survival_key(game) if game.is_eliminated else ()
    return outcome_key(game), points_key(game), position_key(game), survival, margins_key(game)


def outcome_words(key: Key) -> str:
    """Name an outcome by its key."""
    return list(Outcome)[4 - int(key[0])]


def position_words(key: Key) -> str:
    """Say a place by its key.

    >>> position_words((Fraction(-1), Fraction(-1))), position_words((Fraction(-2), Fraction(-3)))
    ('place 1', 'place 2 shared by 3')
    """
    place, sharers = -key[0], -key[1]
    return f"place {place}" + (f" shared by {sharers}" if sharers > 1 else "")


@dataclass(frozen=True, slots=True)
class GameStep(Criterion):
    """One step of comparing the nth best games of the tied (NZ99 B 3.3-3.5, B 4)."""

    nth: int
    name: str
    key: Callable[[PlayerGame], Key]
    words: Callable[[Key], str] | None = None  # how a key is shown; None: the number that differs
    only_eliminated: bool = False  # the step speaks of games in which both were eliminated

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """The step's key of each nth best game; a game not played is below every other."""
        games = [self.game(one) for one in tied]
        if self.only_eliminated and not all(game and game.is_eliminated and game.board.years for game in games):
            return same(tied)
        return [self.key(game) if game else (UNPLAYED,) for game in games]

    def show(self, own: Key, other: Key) -> tuple[str, str]:
        """Show what differs."""
        if self.words is None:
            return super(GameStep, self).show(own, other)
        return self.in_words(own), self.in_words(other)

    def in_words(self, key: Key) -> str:
        """Show one key."""
        return number(key[0]) if key[0] == UNPLAYED or self.words is None else self.words(key)

    def game(self, one: Contender) -> PlayerGame | None:
        """The nth best game of a contender."""
        games = better_first(one.games)
        return games[self.nth - 1] if len(games) >= self.nth else None


def better_game(nth: int, name: str) -> tuple[Tiebreak, ...]:
    """The better nth best game, step by step, so that the standings can say which step decided (NZ99 B 4)."""
    return (
        GameStep(nth, f"{name}: outcome", outcome_key, outcome_words),
        GameStep(nth, f"{name}: points", points_key),
        GameStep(nth, f"{name}: position", position_key, position_words),
        GameStep(nth, f"{name}: survival", survival_key, only_eliminated=True),
        GameStep(nth, f"{name}: margin over the others", margins_key),
    )

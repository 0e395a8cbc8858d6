"""Tie-breaks: small objects that give each of the tied a key; the higher key is ahead, equal keys stay tied.

name in a rules file      what is compared                                         NZ99   WM    EDC23  EDC96  WDC08
most wins                 games won outright                                       B3.1
most draws                non-solo games survived                                  B3.2
better best game          the best game, by the six steps of NZ99 B 4              B3.3
better second-best game   the second-best, likewise                                B3.4
better third-best game    the third-best, likewise                                 B3.5
better game               the only game there is (best power), likewise            B4
highest game              best score in one game                                          1.b.i  (B*)   R5*    16.2
second-highest game       second-best score                                                      (B*)          16.2
third-highest game        third-best score                                                       (B*)
fourth-highest game       fourth-best score                                                      (B*)
best meeting              best score where the tied met                                   1.b.ii
sum of meetings           sum of the scores where the tied met                            1.b.iii
distance                  farthest from home                                              1.b.iv B
lot                       names drawn by the director                                     1.b.v                16.3
latest round              score of the last qualifying round played                                    R5
final score               score on the final table                                                     R5.2
power order               power played on the final table, in a given order                            R5.2
chose last                who chose the power last on the final table                            B
centres by year           centres on the final table, last year first                                          16.1
best of                   the tournament total                                                                 16.1
all games                 sum of every game, dropped ones too                                                  16.2
centre margin             centres above the best other power of that board                             BC
opponents                 sum of the totals of the opponents in that game, or in all                            16.3
most top grades           ballots with the best grade                                                  BN
best total                the tournament total                                                         BN

B* optional house rule and qualification ties; R5 "Scoring system for the entire tournament", BC "Best country",
BN "Best Negotiator". A key that does not apply to every one of the tied (a final table that one of them was not on)
separates nobody.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Protocol

from msgspec import Struct, field

from pipeline.board import Power
from pipeline.scoring.doubts import NotedFact
from pipeline.scoring.results import Board, Spot, decimal, sum_points
from pipeline.scoring.system import Outcome, PlayerGame
from pipeline.words.speech import to_say, wording

Key = tuple[Fraction, ...]  # compared element by element; higher is better
COARSE, FINE = 3, 9  # decimals that are shown, and those of two numbers that look alike with the first
UNPLAYED = Fraction(-(10**9))  # below every score: a game that was never played


class Contender(Struct, frozen=True, kw_only=True):
    """Somebody who may be tied: a player, a team, or a player's one game for an award."""

    name: str
    total: Fraction
    games: tuple[PlayerGame, ...]  # every game that may count, in the order of play
    ahead: int = 0  # who has more of this is ahead, whatever the total: wins, where they go before points
    counted: tuple[PlayerGame, ...] = ()  # those that the total is made of
    overall: Fraction = Fraction()  # the tournament total (for a team: its members' together)
    everything: Fraction = Fraction()  # the sum of all games (for a team: its members' together)
    final: PlayerGame | None = None
    distance_km: int | None = None
    top_grades: int = 0
    nobodys: int = 0  # games that were given up, and whose points go to nobody

    @property
    def key(self) -> tuple[str, tuple[tuple[Spot, Power], ...]]:
        """What tells it apart from the others of its ranking: a player may be in one with each of his games."""
        return self.name, tuple((game.board.spot, game.power) for game in self.games)

    @property
    def board(self) -> Board | None:
        """The final table, if the contender was on it."""
        return self.final.board if self.final else None


class FieldOfPlayers(Struct, frozen=True, kw_only=True):
    """What a tie-break may look at beyond the tied themselves."""

    totals: Mapping[str, Fraction] = field(default_factory=dict)  # every player's tournament total
    lots: tuple[tuple[str, ...], ...] = ()  # each drawing of names, in the order in which they were drawn


class Tiebreak(Protocol):
    """One criterion."""

    @property
    def name(self) -> str:
        """What the rules file and the standings call it."""

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """Give each of the tied a key."""

    def missing(self, tied: Sequence[Contender], among: FieldOfPlayers) -> tuple[NotedFact, tuple[str, ...]] | None:
        """Say which fact nobody noted, and of whom, where the criterion would ask for one."""

    def show(self, own: Key, other: Key) -> tuple[str, str]:
        """Show two keys that differ, as people read them."""


class Criterion:
    """What tie-breaks share: their keys are numbers, the first that differ are shown, and results alone decide."""

    __slots__ = ()

    def missing(self, tied: Sequence[Contender], among: FieldOfPlayers) -> tuple[NotedFact, tuple[str, ...]] | None:
        """Results are there, or there is nothing to compare."""
        return None

    def show(self, own: Key, other: Key) -> tuple[str, str]:
        """Show the first pair of numbers that differ, with as many decimals as it takes to see it.

        >>> Criterion().show((Fraction(9), Fraction(5)), (Fraction(9), Fraction(4)))
        ('5', '4')
        >>> Criterion().show((Fraction("1.00004"),), (Fraction(1),))
        ('1.00004', '1')
        """
        ours, theirs = next((a, b) for a, b in zip(own, other, strict=False) if a != b)
        if _show_key(ours) == _show_key(theirs):
            return _show_key(ours, FINE), _show_key(theirs, FINE)
        return _show_key(ours), _show_key(theirs)


def _equal_keys(tied: Sequence[Contender]) -> list[Key]:
    """Nobody is ahead: the criterion does not apply to all of the tied."""
    return [()] * len(tied)


class MostWins(Struct, Criterion, frozen=True):
    """The player with the most wins (NZ99 B 3.1)."""

    name: str = to_say("most wins")

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """Games won outright."""
        return [(Fraction(sum(game.outcome.value == "win" for game in one.games)),) for one in tied]


class MostDraws(Struct, Criterion, frozen=True):
    """The player included in the most drawn games: alive at the end of a game without a solo (NZ99 B 3.2, 13)."""

    name: str = to_say("most draws")

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """Draws the contender was part of."""
        return [(Fraction(sum(game.outcome.value == "draw" for game in one.games)),) for one in tied]


class HighestGame(Struct, Criterion, frozen=True):
    """The higher score in one game: the best, the second-best, ... (Weasel XI.1.b.i; WDC08 16.2; EDC96)."""

    nth: int
    name: str
    dropped_too: bool = False  # whether games that do not count toward the total may break a tie

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """The nth highest score."""
        return [(self.nth_score(one.games if self.dropped_too else one.counted, one.nobodys),) for one in tied]

    def nth_score(self, games: Sequence[PlayerGame], nobodys: int) -> Fraction:
        """The nth score from the top; a game not played is below every score.

        A game that was given up was played: where its points go to nobody, it has none (WDC08 12.6).
        """
        scores = sorted((*(game.score for game in games), *(Fraction() for _ in range(nobodys))), reverse=True)
        return scores[self.nth - 1] if len(scores) >= self.nth else UNPLAYED


class BestMeeting(Struct, Criterion, frozen=True):
    """The highest score obtained in any game in which the tied players opposed each other (Weasel XI.1.b.ii).

    With three or more tied, a game in which at least one other of them sat counts (reading).
    """

    name: str = to_say("best meeting")

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """The best of the games together; 0 without one."""
        return [(max((game.score for game in _games_against_tied(one, tied)), default=Fraction()),) for one in tied]


class SumOfMeetings(Struct, Criterion, frozen=True):
    """The highest composite score in games in which the tied players opposed each other (Weasel XI.1.b.iii)."""

    name: str = to_say("sum of meetings")

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """The sum of the games together; 0 without one."""
        return [(sum_points(game.score for game in _games_against_tied(one, tied)),) for one in tied]


def _games_against_tied(one: Contender, tied: Sequence[Contender]) -> list[PlayerGame]:
    """The counted games of one of the tied in which another of them played."""
    others = {other.name for other in tied} - {one.name}
    return [game for game in one.counted if others & {seat.player for seat in game.board.seats.values()}]


class Distance(Struct, Criterion, frozen=True):
    """The player for whom the tournament is farthest from home (Weasel XI.1.b.iv; EDC23 B)."""

    name: str = to_say("distance")

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """Kilometres from home; nobody is ahead while one of them is unknown."""
        known = [one.distance_km for one in tied if one.distance_km is not None]
        return [(Fraction(km),) for km in known] if len(known) == len(tied) else _equal_keys(tied)

    def missing(self, tied: Sequence[Contender], among: FieldOfPlayers) -> tuple[NotedFact, tuple[str, ...]] | None:
        names = tuple(one.name for one in tied if one.distance_km is None)
        return (NotedFact.DISTANCE, names) if names else None


DRAWN = to_say("drawn {place}.")


class TieLot(Struct, Criterion, frozen=True):
    """The names are drawn (Weasel XI.1.b.v; WDC08 16.3); the director enters the order, the program draws nothing."""

    name: str = to_say("lot")

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """Who was drawn first; nobody is ahead while they were not all drawn together."""
        drawing = next((lot for lot in among.lots if all(one.name in lot for one in tied)), None)
        if drawing is None:
            return _equal_keys(tied)
        return [(-Fraction(drawing.index(one.name) + 1),) for one in tied]

    def missing(self, tied: Sequence[Contender], among: FieldOfPlayers) -> tuple[NotedFact, tuple[str, ...]] | None:
        """Whose names are to be drawn: all of the tied, for a lot is drawn among them."""
        return (NotedFact.LOT, tuple(one.name for one in tied)) if self.keys(tied, among) == _equal_keys(tied) else None

    def show(self, own: Key, other: Key) -> tuple[str, str]:
        """Say who was drawn when."""
        return wording(DRAWN, place=str(-own[0])), wording(DRAWN, place=str(-other[0]))


class LatestRound(Struct, Criterion, frozen=True):
    """The score of round 4, or of round 3 for who did not play round 4 (EDC96, ties for the last final seat)."""

    rounds: tuple[int, ...]  # in the order in which they are looked at
    name: str = to_say("latest round")

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """The best score in the first of these rounds that was played."""
        return [(self.score(one),) for one in tied]

    def score(self, one: Contender) -> Fraction:
        """One player's score."""
        for number in self.rounds:
            if scores := [game.score for game in one.games if game.round == number]:
                return max(scores)
        return UNPLAYED


class FinalScore(Struct, Criterion, frozen=True):
    """The better result on the final table is ranked higher (EDC96, "Scoring system for the entire tournament" 2)."""

    name: str = to_say("final score")

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """The score there; only between players who were on it."""
        scores = [one.final.score for one in tied if one.final]
        return [(score,) for score in scores] if len(scores) == len(tied) else _equal_keys(tied)


class PowerOrder(Struct, Criterion, frozen=True):
    """The power played on the final table decides: AUS, GER, ITA, RUS, TUR, ENG, FRA (EDC96, likewise)."""

    order: tuple[Power, ...]
    name: str = to_say("power order")

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """The place in the order, negative so that the first is highest."""
        powers = [one.final.power for one in tied if one.final]
        if len(powers) < len(tied):
            return _equal_keys(tied)
        return [(-Fraction(self.order.index(power)),) for power in powers]

    def show(self, own: Key, other: Key) -> tuple[str, str]:
        """Name the powers."""
        return self.order[-int(own[0])], self.order[-int(other[0])]


class ChoseLast(Struct, Criterion, frozen=True):
    """Among those tied for first on the final table, who chose the power last wins the title (EDC23 B)."""

    name: str = to_say("chose last")

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """The place in the order of choosing; nobody is ahead while it is not recorded."""
        places = [one.board.chose.index(one.name) + 1 for one in tied if one.board and one.name in one.board.chose]
        return [(Fraction(place),) for place in places] if len(places) == len(tied) else _equal_keys(tied)

    def missing(self, tied: Sequence[Contender], among: FieldOfPlayers) -> tuple[NotedFact, tuple[str, ...]] | None:
        """Whose place in the order of choosing is not noted."""
        names = tuple(one.name for one in tied if one.board and one.name not in one.board.chose)
        return (NotedFact.CHOICE, names) if names else None


class CentresInYear(Struct, Criterion, frozen=True):
    """More centres on the final table after a year; the last year first, back to 1902 (WDC08 16.1)."""

    year: int

    @property
    def name(self) -> str:
        return f"centres in {self.year}"

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """Centres in the year; only between players of the final table, and where the year was played."""
        finals = [one.final for one in tied if one.final]
        if len(finals) < len(tied) or not all(self.year in game.board.years for game in finals):
            return _equal_keys(tied)
        return [(Fraction(game.board.count_owned(game.power, self.year)),) for game in finals]

    def missing(self, tied: Sequence[Contender], among: FieldOfPlayers) -> tuple[NotedFact, tuple[str, ...]] | None:
        """Whose counts of the year are not recorded, though those of a later year are, or no counts at all."""
        finals = [(one.name, one.final.board.years) for one in tied if one.final]
        played = [(name, years) for name, years in finals if not years or self.year < max(years)]
        names = tuple(name for name, years in played if self.year not in years)
        return (NotedFact.COUNTS, names) if len(finals) == len(tied) and names else None


class Overall(Struct, Criterion, frozen=True):
    """The higher total of the tournament (WDC08 16.1 "best 3 out of 4"; EDC96 "the best tournament score")."""

    name: str

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """The tournament total."""
        return [(one.overall,) for one in tied]


class AllGames(Struct, Criterion, frozen=True):
    """The higher sum of all games, those that were dropped too (WDC08 16.2 "all 4 out of 4")."""

    name: str = to_say("all games")

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """Everything added up."""
        return [(one.everything,) for one in tied]


class CentreMargin(Struct, Criterion, frozen=True):
    """The largest difference in centres to the second-best power on that board (EDC96, Best country).

    It is the own count less the best other count, so below 0 for who did not top the board (reading).
    """

    name: str = to_say("centre margin")

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """Own centres less the most of any other power."""
        return [(Fraction(self.margin(one.games[0])) if one.games else UNPLAYED,) for one in tied]

    def margin(self, game: PlayerGame) -> int:
        """One game's difference."""
        return game.centres - max(owned for power, owned in game.board.centres.items() if power is not game.power)


class Opponents(Struct, Criterion, frozen=True):
    """The higher cumulative overall score of the opponents in the affected game (WDC08 16.3), or in all one's games."""

    name: str = to_say("opponents")

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """The tournament totals of everybody else on those boards, added up; whom one met twice counts twice."""
        return [(self.strength(one, among),) for one in tied]

    def strength(self, one: Contender, among: FieldOfPlayers) -> Fraction:
        """The opponents of all games."""
        if not one.games:
            return UNPLAYED
        names = [
            seat.player for game in one.games for power, seat in game.board.seats.items() if power is not game.power
        ]
        return sum_points(among.totals.get(name, Fraction()) for name in names if name)


class TopGrades(Struct, Criterion, frozen=True):
    """The player with the most A votes (EDC96, Best Negotiator and Best Tactician)."""

    name: str = to_say("most top grades")

    def keys(self, tied: Sequence[Contender], among: FieldOfPlayers) -> Sequence[Key]:
        """How many ballots gave the best grade."""
        return [(Fraction(one.top_grades),) for one in tied]


def _show_key(value: Fraction, decimals: int = COARSE) -> str:
    return to_say("not played") if value == UNPLAYED else decimal(value, decimals)


# Comparing games: which of two games is the better one (NZ99 B 4), as six steps of a tie-break chain.
#
# A step that speaks of "both" players being eliminated applies when every one of the tied is.


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
    years = [year for year in game.board.years if game.board.count_owned(game.power, year)]
    last = max(years, default=0)
    return (Fraction(last), Fraction(game.board.count_owned(game.power, last)))


def margins_key(game: PlayerGame) -> Key:
    """The own score less that of who finished 1st, then of the 2nd to 7th; the eliminated count as 0 (NZ99 B 4.5-6)."""
    finished = sorted(((game.board.centres[power], game.scores[power]) for power in game.board.powers), reverse=True)
    return tuple(game.score - (score if owned else 0) for owned, score in finished)


def better_first(games: Sequence[PlayerGame]) -> list[PlayerGame]:
    """A player's own games, best first, by the order of NZ99 B 4."""
    return sorted(games, key=_whole_key, reverse=True) if len(games) > 1 else list(games)


def _whole_key(game: PlayerGame) -> tuple[Key, ...]:
    """All steps at once, for games of one player."""
    survival = survival_key(game) if game.is_eliminated else ()
    return outcome_key(game), points_key(game), position_key(game), survival, margins_key(game)


PLACE, PLACE_SHARED = to_say("place {place}"), to_say("place {place} shared by {count}")


def _position_words(key: Key) -> str:
    """Say a place by its key.

    >>> _position_words((Fraction(-1), Fraction(-1))), _position_words((Fraction(-2), Fraction(-3)))
    ('place 1', 'place 2 shared by 3')
    """
    place, sharers = str(-key[0]), str(-key[1])
    if sharers == "1":
        return wording(PLACE, place=place)
    return wording(PLACE_SHARED, place=place, count=sharers)


class GameStep(Struct, Criterion, frozen=True):
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
            return _equal_keys(tied)
        return [self.key(game) if game else (UNPLAYED,) for game in games]

    def show(self, own: Key, other: Key) -> tuple[str, str]:
        """Show what differs."""
        if self.words is None:
            return super().show(own, other)
        return self.in_words(own), self.in_words(other)

    def in_words(self, key: Key) -> str:
        """Show one key."""
        return _show_key(key[0]) if key[0] == UNPLAYED or self.words is None else self.words(key)

    def game(self, one: Contender) -> PlayerGame | None:
        """The nth best game of a contender."""
        games = better_first(one.games)
        return games[self.nth - 1] if len(games) >= self.nth else None


def better_game(nth: int, name: str) -> tuple[Tiebreak, ...]:
    """The better nth best game, step by step, so that the standings can say which step decided (NZ99 B 4)."""

    def name_step(step: str) -> str:
        return f"{name}: {step}"

    return (
        GameStep(nth, name_step(to_say("outcome")), outcome_key, lambda key: list(Outcome)[4 - int(key[0])]),
        GameStep(nth, name_step(to_say("points")), points_key),
        GameStep(nth, name_step(to_say("position")), position_key, _position_words),
        GameStep(nth, name_step(to_say("survival")), survival_key, only_eliminated=True),
        GameStep(nth, name_step(to_say("margin over the others")), margins_key),
    )

"""A league: standings over several events, made like those of one event over several rounds.

An event of a league is a round, and what a player's place there brings is the score of a game of that round: weights,
ties and places are those of `tally` and `ranking`.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, ClassVar

from msgspec import Struct, field

from pipeline.board import Power
from pipeline.scoring import ranking
from pipeline.scoring.numbers import MOST_ROUNDS, Factor, Needed, NoLess, Points, Range, Share, Some
from pipeline.scoring.progress import FinalState, Progress
from pipeline.scoring.results import Board, Entrant, EventResults, Seat, sum_points
from pipeline.scoring.rules import Faults, ScoringRules
from pipeline.scoring.score import Scored
from pipeline.scoring.system import Outcome, PlayerGame
from pipeline.words.names import name_order
from pipeline.words.speech import ENGLISH, Choice, to_say

# What a place at an event brings.


class SharedPlace(Choice):
    """What those get who share a place."""

    SAME = "same", to_say("the points of the place that they share")
    AVERAGE = "average", to_say("the mean of the points of the places that they span")


class EventWorth(Struct, frozen=True):
    """What the first place is worth: points, or so many for each board (NADF 2002: 10 for each, at most 500)."""

    points: Some | None = None
    each_board: Some | None = None
    rounds: Annotated[int, Range(1, MOST_ROUNDS)] | None = None  # boards of the so many largest rounds; None: of all
    most: Some | None = None

    SHORT: ClassVar[tuple[str, ...]] = ("500",)

    @staticmethod
    def spell_out(value: object) -> object:
        """``500`` is short for ``{ points = 500 }``."""
        return value if isinstance(value, Mapping) else {"points": value}

    def faults(self) -> Faults:
        if (self.points is None) == (self.each_board is None):
            yield "points", "expected either 'points', such as 500, or 'each_board', such as 10"
        if self.each_board is None and (self.rounds or self.most):
            yield "each_board", "'rounds' and 'most' are about boards; write the points of each, or leave them out"

    def count_boards(self, boards: Sequence[int]) -> int:
        """Count the boards that make up the worth, of the numbers of boards in each round."""
        largest = sorted(boards, reverse=True)
        return sum(largest[: self.rounds] if self.rounds else largest)

    def of(self, boards: int) -> Fraction:
        """The points of the first place, by the number of boards that count.

        >>> EventWorth(each_board=Fraction(10), most=Fraction(500)).of(34), EventWorth(points=Fraction(500)).of(0)
        (Fraction(340, 1), Fraction(500, 1))
        """
        if self.each_board is None:
            return self.points or Fraction()
        points = self.each_board * boards
        return points if self.most is None else min(points, self.most)


class PointsRule(Struct, frozen=True, kw_only=True, tag_field="by"):
    """What a kind of event brings."""


class PointsByTotal(PointsRule, frozen=True, kw_only=True, tag="total"):
    """The player's own total there."""

    factor: Factor = Fraction(1)


class PointsByPlace(PointsRule, frozen=True, kw_only=True):
    """Points for the place there."""

    shared: SharedPlace = SharedPlace.SAME

    def at(self, place: int, players: int, worth: Fraction) -> Fraction:
        """The points of one place among so many players."""
        raise NotImplementedError

    def points(self, place: int, sharers: int, players: int, worth: Fraction) -> Fraction:
        """The points of a place that so many share."""
        if self.shared is SharedPlace.SAME:
            return self.at(place, players, worth)
        spanned = range(place, place + sharers)
        return sum_points(self.at(each, players, worth) for each in spanned) / sharers


class LinearPoints(PointsByPlace, frozen=True, kw_only=True, tag="linear"):
    """In equal steps down to the last place (European Grand Prix 2025: 100, 90, … 10 for ten players)."""

    worth: EventWorth

    def at(self, place: int, players: int, worth: Fraction) -> Fraction:
        """One step less for each place.

        >>> rule = LinearPoints(worth=EventWorth(points=Fraction(100)))
        >>> [int(rule.at(place, 10, Fraction(100))) for place in (1, 2, 10)]
        [100, 90, 10]
        """
        return worth * (players - place + 1) / players


class FallingPoints(PointsByPlace, frozen=True, kw_only=True, tag="falling"):
    """Each place a part of the one before (NADF 2002: 90 %, down to the middle of the field)."""

    worth: EventWorth
    each: Share
    scoring: Share = Fraction(1)  # the part of the players who get any, rounded up
    least: NoLess = Fraction()  # of those who get any

    def at(self, place: int, players: int, worth: Fraction) -> Fraction:
        """A part of the place before, to those who get any.

        >>> rule = FallingPoints(worth=EventWorth(points=Fraction(100)), each=Fraction(9, 10), scoring=Fraction(1, 2))
        >>> [int(rule.at(place, 5, Fraction(100))) for place in (1, 2, 3, 4)]
        [100, 90, 81, 0]
        """
        last = -(-players * self.scoring.numerator // self.scoring.denominator)
        return max(worth * self.each ** (place - 1), self.least) if place <= last else Fraction()


class ListedPoints(PointsByPlace, frozen=True, kw_only=True, tag="places"):
    """A list of points for places 1, 2, … and what all others get."""

    listed: Annotated[tuple[Points, ...], Needed("the points of places 1, 2, …", "[25, 18, 15]")] = field(name="points")
    others: Points = Fraction()  # of all places behind the list

    def at(self, place: int, players: int, worth: Fraction) -> Fraction:
        """The points in the list."""
        return self.listed[place - 1] if place <= len(self.listed) else self.others


def worth_of(rule: PointsRule) -> EventWorth | None:
    """What the first place is worth, where a rule has that."""
    return rule.worth if isinstance(rule, LinearPoints | FallingPoints) else None


# The events, and who played there.


class LeagueResult(Struct, frozen=True):
    """One line of an event's standings."""

    name: str  # as it stands there
    place: int
    total: Fraction


class LeagueEvent(Struct, frozen=True, kw_only=True):
    """An event of the league that is over."""

    name: str
    kind: str  # of points
    results: tuple[LeagueResult, ...]
    boards: tuple[int, ...] = ()  # in each round; none: nobody said

    def sharers(self, place: int) -> int:
        """How many have a place."""
        return sum(result.place == place for result in self.results)


class League(Struct, frozen=True, kw_only=True):
    """The rules of a league and its results."""

    name: str
    source: str
    rules: ScoringRules  # of a total over events
    points: Mapping[str, PointsRule]  # by kind of event
    events: tuple[LeagueEvent, ...]
    persons: Mapping[str, str]  # another name of somebody -> the name in the league
    least_events: int = 1  # who played fewer has no place
    language: str = ENGLISH  # of its workbook
    lots: tuple[tuple[str, ...], ...] = ()

    def person(self, name: str) -> str:
        """Who is called so."""
        return self.persons.get(name, name)

    def worth(self, event: LeagueEvent) -> Fraction:
        """What the first place of an event is worth."""
        worth = worth_of(self.points[event.kind])
        return worth.of(worth.count_boards(event.boards)) if worth else Fraction()

    def points_of(self, result: LeagueResult, event: LeagueEvent) -> Fraction:
        """What a result brings."""
        rule = self.points[event.kind]
        if isinstance(rule, PointsByTotal):
            return rule.factor * result.total
        if not isinstance(rule, PointsByPlace):
            raise TypeError(f"no points by {rule}")
        return rule.points(result.place, event.sharers(result.place), len(event.results), self.worth(event))


def entrants(league: League, *, with_too_few: bool = False) -> dict[str, Entrant]:
    """Everybody by name; who played too few events has no place, ``with_too_few`` he has."""
    played: dict[str, int] = {}
    for event in league.events:
        for result in event.results:
            name = league.person(result.name)
            played[name] = played.get(name, 0) + 1
    return {
        name: Entrant(name=name, is_excluded=count < league.least_events and not with_too_few)
        for name, count in sorted(played.items(), key=lambda each: name_order(each[0]))
    }


def score_league(league: League) -> Scored:
    """Add up what the events bring, and rank."""
    games = tuple(_league_games(league))
    event = EventResults(boards=(), players=entrants(league), lots=league.lots)
    standings = ranking.rank_players(event, games, league.rules)
    over = frozenset(range(1, len(league.events) + 1))
    return Scored(
        event=event,
        rules=league.rules,
        games=games,
        standings=standings,
        qualification=None,
        titles=(),
        teams=(),
        powers=(),
        grades=(),
        board_games=(),
        awards=(),
        progress=Progress(planned=len(league.events), over=over, going_on=frozenset(), final=FinalState.NONE),
        doubts=standings.doubts,
    )


SEAT = Power.AUSTRIA  # a result has no power; a game needs one


def _league_games(league: League) -> Iterator[PlayerGame]:
    """Each result as the one game of a round: the round is the number of the event, and who was first alone won it."""
    for number, event in enumerate(league.events, start=1):
        for result in event.results:
            name, points = league.person(result.name), league.points_of(result, event)
            board = Board(round=number, name=name, seats={SEAT: Seat(player=name)}, centres={SEAT: 0})
            yield PlayerGame(
                board=board,
                power=SEAT,
                player=name,
                centres=0,
                above=result.place - 1,
                equal=event.sharers(result.place),
                outcome=Outcome.WIN if result.place == 1 and event.sharers(1) == 1 else Outcome.LOSS,
                parts={},
                unrounded=points,
                exact=points,
                on_board=points,
                score=points,
                scores={SEAT: points},
            )

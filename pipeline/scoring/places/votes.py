"""Grades that players give each other: the best negotiator, the best tactician."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pipeline.scoring.places.standings import may_rank
from pipeline.scoring.results.results import EventResults, RatingBallot
from pipeline.scoring.totals.ranking import RankDecision, placed
from pipeline.scoring.totals.rules import RatingRules, ScoringRules
from pipeline.scoring.totals.tally import Tally
from pipeline.scoring.totals.tiebreaks import Contender, FieldOfPlayers


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """One line of a title's ranking."""

    skill: str
    title: str
    place: int
    is_tied: bool
    player: str
    mean: Fraction
    ballots: int
    decision: RankDecision | None


def graded(event: EventResults, accounts: Mapping[str, Tally], rules: ScoringRules) -> tuple[Graded, ...]:
    """The highest mean of the grades received wins, for who played enough games (EDC96, Best Negotiator)."""
    if not rules.votes:
        return ()
    found = []
    for skill, title in rules.votes.titles.items():
        ballots = {one.player: one for one in event.ballots if one.skill == skill and one.votes}
        contenders = [
            contender(accounts[name], ballot, rules.votes)
            for name, ballot in ballots.items()
            if name in accounts and may_win(accounts[name], rules.votes)
        ]
        for one in placed(contenders, rules.ties.votes, FieldOfPlayers(lots=event.lots)):
            found.append(
                Graded(
                    skill=skill,
                    title=title,
                    place=one.place,
                    is_tied=one.is_tied,
                    player=one.contender.name,
                    mean=one.contender.total,
                    ballots=ballots[one.contender.name].votes,
                    decision=one.decision,
                )
            )
    return tuple(found)


def may_win(tally: Tally, rules: RatingRules) -> bool:
    """To win a title one must have played in at least three games (EDC96, Best Negotiator)."""
    return may_rank(tally) and len(tally.games) >= rules.least_games


def mean(ballot: RatingBallot, rules: RatingRules) -> Fraction:
    """The sum of all vote ratings divided by the number of votes received (EDC96, Best Negotiator)."""
    worth = sum((rules.points[grade] * often for grade, often in ballot.grades.items()), Fraction())
    return worth / ballot.votes


def contender(tally: Tally, ballot: RatingBallot, rules: RatingRules) -> Contender:
    """A graded player as tie-breaks see it."""
    return Contender(
        name=tally.player.name,
        total=mean(ballot, rules),
        games=(),
        overall=tally.total,
        top_grades=ballot.grades.get(rules.top, 0),
    )

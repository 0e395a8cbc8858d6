"""The team competition: members' scores added up, and what the rules say about who may be a team."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pipeline.scoring.games.system import PlayerGame
from pipeline.scoring.results.doubts import (
    ScoringDoubt,
    TeamLeaver,
    TeamMet,
    TeamsUnknown,
    TeamTooLarge,
    TeamTooSmall,
    TooManyTeams,
    Want,
)
from pipeline.scoring.results.results import EventResults, Team
from pipeline.scoring.totals.ranking import RankDecision, placed
from pipeline.scoring.totals.rules import ScoringRules, TeamCount, TeamRules
from pipeline.scoring.totals.tally import Tally
from pipeline.scoring.totals.tiebreaks import Contender, FieldOfPlayers


@dataclass(frozen=True, slots=True)
class TeamShare:
    """What one member brings."""

    player: str
    games: tuple[PlayerGame, ...]  # the scores that are added up
    points: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRow:
    """One line of the team standings."""

    place: int
    is_tied: bool
    team: Team
    total: Fraction
    decision: RankDecision | None
    want: Want | None  # a fact that a tie-break misses
    shares: tuple[TeamShare, ...]


def team_standings(
    event: EventResults, accounts: Mapping[str, Tally], rules: ScoringRules
) -> tuple[tuple[TeamRow, ...], tuple[ScoringDoubt, ...]]:
    """A team has the sum of its members' scores in the team rounds (NZ99 26; EDC96; WDC08 15.2)."""
    if not rules.teams:
        return (), (TeamsUnknown(),) if event.teams else ()
    shares = {team.name: members_shares(team, accounts, rules.teams) for team in event.teams}
    contenders = [contender(team, shares[team.name], accounts) for team in event.teams]
    by_name = {team.name: team for team in event.teams}
    rows = tuple(
        TeamRow(
            place=one.place,
            is_tied=one.is_tied,
            team=by_name[one.contender.name],
            total=one.contender.total,
            decision=one.decision,
            want=one.want,
            shares=shares[one.contender.name],
        )
        for one in placed(contenders, rules.ties.teams, FieldOfPlayers(lots=event.lots))
    )
    return rows, (*team_doubts(event, rules.teams), *leavers(event, rows), *country_doubts(event.teams, rules.teams))


def members_shares(team: Team, accounts: Mapping[str, Tally], rules: TeamRules) -> tuple[TeamShare, ...]:
    """Every score of the team rounds counts (NZ99 26; WDC08 15.2), or each member's best one (EDC96)."""
    shares = []
    for name in team.members:
        games = team_games(accounts.get(name), rules)
        if rules.count is TeamCount.BEST and games:
            games = (max(games, key=lambda game: game.score),)
        shares.append(TeamShare(name, games, sum((game.score for game in games), Fraction())))
    return tuple(shares)


def team_games(tally: Tally | None, rules: TeamRules) -> tuple[PlayerGame, ...]:
    """A member's games of the team rounds, a second board that was dropped left out."""
    played = tally.games if tally else ()
    return tuple(one.game for one in played if one.game.round in rules.rounds and not one.is_dropped)


def contender(team: Team, shares: Sequence[TeamShare], accounts: Mapping[str, Tally]) -> Contender:
    """A team as tie-breaks see it: its games are its members' games of the team rounds."""
    members = [accounts[name].contender() for name in team.members if name in accounts]
    games = tuple(game for share in shares for game in share.games)
    return Contender(
        name=team.name,
        total=sum((share.points for share in shares), Fraction()),
        games=games,
        counted=games,
        overall=sum((member.overall for member in members), Fraction()),
        everything=sum((member.everything for member in members), Fraction()),
    )


def team_doubts(event: EventResults, rules: TeamRules) -> Iterator[ScoringDoubt]:
    """Teams have a size, and their members stay apart (NZ99 26; EDC96; WDC08 15.2)."""
    for team in event.teams:
        size = len(team.members)
        if size > rules.size:
            yield TeamTooLarge(team=team.name, found=size, allowed=rules.size)
        if size < rules.least:
            yield TeamTooSmall(team=team.name, found=size, needed=rules.least)
        for board in event.boards:
            together = tuple(seat.player for seat in board.seats.values() if seat.player in team.members)
            if board.round in rules.apart and len(together) > 1:
                names = tuple(name for name in together if name)
                yield TeamMet(team=team.name, spot=(board.round, board.name), players=names)


def leavers(event: EventResults, rows: Sequence[TeamRow]) -> Iterator[ScoringDoubt]:
    """Who left, was excluded or was replaced gives his team points of which the rules say nothing."""
    replaced = {seat.replaced for board in event.boards for seat in board.seats.values() if seat.replaced}
    gone = {name for name, player in event.players.items() if player.has_left or player.is_excluded} | replaced
    for row in sorted(rows, key=lambda row: row.team.name):
        for share in row.shares:
            if share.player in gone and share.points:
                yield TeamLeaver(team=row.team.name, player=share.player, points=share.points)


def country_doubts(teams: Sequence[Team], rules: TeamRules) -> Iterator[ScoringDoubt]:
    """A country has only so many teams (EDC96)."""
    for country, count in Counter(team.country for team in teams if team.country).items():
        if rules.per_country is not None and count > rules.per_country:
            yield TooManyTeams(country=country, found=count, allowed=rules.per_country)

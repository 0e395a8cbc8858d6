"""What is read out at the ceremony: places, best powers, titles, teams, special awards, each when its time has come."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction

from msgspec import Struct

from pipeline.board import Power
from pipeline.scoring import doubts, ranking
from pipeline.scoring import rules as scoring_rules
from pipeline.scoring.progress import FinalState, Progress
from pipeline.scoring.results import BoardGame, EventResults, RatingBallot, Team, sum_points
from pipeline.scoring.system import Outcome, PlayerGame
from pipeline.scoring.tally import Tally
from pipeline.scoring.tiebreaks import Contender, FieldOfPlayers
from pipeline.words.names import name_order
from pipeline.words.speech import wording

# The team competition: members' scores added up, and what the rules say about who may be a team.


class TeamShare(Struct, frozen=True):
    """What one member brings."""

    player: str
    games: tuple[PlayerGame, ...]  # the scores that are added up
    points: Fraction


class TeamRow(Struct, frozen=True, kw_only=True):
    """One line of the team standings."""

    place: int
    is_tied: bool
    team: Team
    total: Fraction
    decision: ranking.RankDecision | None
    want: doubts.Want | None  # a fact that a tie-break misses
    shares: tuple[TeamShare, ...]


def team_standings(
    event: EventResults, accounts: Mapping[str, Tally], rules: scoring_rules.ScoringRules
) -> tuple[tuple[TeamRow, ...], tuple[doubts.ScoringDoubt, ...]]:
    """A team has the sum of its members' scores in the team rounds (NZ99 26; EDC96; WDC08 15.2)."""
    if not rules.teams:
        return (), (doubts.TeamsUnknown(),) if event.teams else ()
    shares = {team.name: _members_shares(team, accounts, rules.teams) for team in event.teams}
    contenders = [team_contender(team, shares[team.name], accounts) for team in event.teams]
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
        for one in ranking.rank_contenders(contenders, rules.ties.teams, FieldOfPlayers(lots=event.lots))
    )
    return rows, (*_team_doubts(event, rules.teams), *_leavers(event, rows), *_country_doubts(event.teams, rules.teams))


def _members_shares(team: Team, accounts: Mapping[str, Tally], rules: scoring_rules.TeamRules) -> tuple[TeamShare, ...]:
    """Every score of the team rounds counts (NZ99 26; WDC08 15.2), or each member's best one (EDC96)."""
    shares = []
    for name in team.members:
        played = tally.games if (tally := accounts.get(name)) else ()
        games = tuple(one.game for one in played if one.game.round in rules.rounds and not one.is_dropped)
        if rules.count is scoring_rules.TeamCount.BEST and games:
            games = (max(games, key=lambda game: game.score),)
        shares.append(TeamShare(name, games, sum_points(game.score for game in games)))
    return tuple(shares)


def team_contender(team: Team, shares: Sequence[TeamShare], accounts: Mapping[str, Tally]) -> Contender:
    """A team as tie-breaks see it: its games are its members' games of the team rounds."""
    members = [accounts[name].contender() for name in team.members if name in accounts]
    games = tuple(game for share in shares for game in share.games)
    return Contender(
        name=team.name,
        total=sum_points(share.points for share in shares),
        games=games,
        counted=games,
        overall=sum_points(member.overall for member in members),
        everything=sum_points(member.everything for member in members),
    )


def _team_doubts(event: EventResults, rules: scoring_rules.TeamRules) -> Iterator[doubts.ScoringDoubt]:
    """Teams have a size, and their members stay apart (NZ99 26; EDC96; WDC08 15.2)."""
    for team in event.teams:
        size = len(team.members)
        if size > rules.size:
            yield doubts.TeamTooLarge(team=team.name, found=size, allowed=rules.size)
        if size < rules.least:
            yield doubts.TeamTooSmall(team=team.name, found=size, needed=rules.least)
        for board in event.boards:
            together = tuple(seat.player for seat in board.seats.values() if seat.player in team.members)
            if board.round in rules.apart and len(together) > 1:
                names = tuple(name for name in together if name)
                yield doubts.TeamMet(team=team.name, spot=(board.round, board.name), players=names)


def _leavers(event: EventResults, rows: Sequence[TeamRow]) -> Iterator[doubts.ScoringDoubt]:
    """Who left, was excluded or was replaced gives his team points of which the rules say nothing."""
    replaced = {name for board in event.boards for seat in board.seats.values() for name in seat.former_players}
    gone = {name for name, player in event.players.items() if player.has_left or player.is_excluded} | replaced
    for row in sorted(rows, key=lambda row: name_order(row.team.name)):
        for share in row.shares:
            if share.player in gone and share.points:
                yield doubts.TeamLeaver(team=row.team.name, player=share.player, points=share.points)


def _country_doubts(teams: Sequence[Team], rules: scoring_rules.TeamRules) -> Iterator[doubts.ScoringDoubt]:
    """A country has only so many teams (EDC96)."""
    for country, count in Counter(team.country for team in teams if team.country).items():
        if rules.per_country is not None and count > rules.per_country:
            yield doubts.TooManyTeams(country=country, found=count, allowed=rules.per_country)


# The best player of each power.


class BestPower(Struct, frozen=True, kw_only=True):
    """Who played a power best: one name, or several who could not be told apart."""

    power: Power
    players: tuple[str, ...]
    games: tuple[PlayerGame, ...]  # the winning games
    score: Fraction
    decision: ranking.RankDecision | None
    want: doubts.Want | None  # a fact that a tie-break misses


def best_powers(
    event: EventResults, accounts: Mapping[str, Tally], rules: scoring_rules.ScoringRules
) -> tuple[BestPower, ...]:
    """The best score or centre count in one game with a power wins its award (NZ99 B 4; Weasel XI.2; WDC08 16.3).

    The director's games and a second board that was dropped do not count (Weasel III.6, III.7), nor does a game that
    brought nothing.
    """
    if not rules.awards.power:
        return ()
    among = FieldOfPlayers(totals={name: tally.total for name, tally in accounts.items()}, lots=event.lots)
    measured: dict[Power, list[tuple[float, Fraction, Tally, PlayerGame]]] = {power: [] for power in Power}
    for tally, game in _eligible_games(accounts.values(), rules.awards):
        measure = power_measure(game, rules.awards)
        measured[game.power].append((float(measure), measure, tally, game))
    best = []
    for power in Power:
        nearly = max((one[0] for one in measured[power]), default=0.0)  # binary numbers are compared faster
        near = [one for one in measured[power] if one[0] == nearly]
        most = max((measure for _, measure, _, _ in near), default=Fraction())
        contenders = [
            Contender(name=tally.player.name, total=measure, games=(game,), counted=(game,), overall=tally.total)
            for _, measure, tally, game in near
            if measure == most
        ]
        leaders = [one for one in ranking.rank_contenders(contenders, rules.ties.powers, among) if one.place == 1]
        if leaders and leaders[0].contender.total > 0:
            best.append(
                BestPower(
                    power=power,
                    players=tuple(dict.fromkeys(one.contender.name for one in leaders)),
                    games=tuple(one.contender.games[0] for one in leaders),
                    score=leaders[0].contender.games[0].score,
                    decision=leaders[0].decision,
                    want=leaders[0].want,
                )
            )
    return tuple(best)


def _eligible_games(accounts: Iterable[Tally], rules: scoring_rules.AwardRules) -> Iterator[tuple[Tally, PlayerGame]]:
    """All games that may win the award of their power."""
    for tally in accounts:
        if ranking.may_rank(tally):
            for one in tally.games:
                counts = not one.is_dropped and one.game.outcome is not Outcome.ABANDONED
                if counts and (rules.power_final or not one.game.board.is_final):
                    yield tally, one.game


def power_measure(game: PlayerGame, rules: scoring_rules.AwardRules) -> Fraction:
    """The number by which a game wins its power's award: its score or its centres."""
    return game.score if rules.power_by is scoring_rules.PowerBy.SCORE else Fraction(game.centres)


# Grades that players give each other: the best negotiator, the best tactician.


class Graded(Struct, frozen=True, kw_only=True):
    """One line of a title's ranking."""

    skill: str
    title: str
    place: int
    is_tied: bool
    player: str
    mean: Fraction
    ballots: int
    decision: ranking.RankDecision | None


def rank_by_grades(
    event: EventResults, accounts: Mapping[str, Tally], rules: scoring_rules.ScoringRules
) -> tuple[Graded, ...]:
    """The highest mean of the grades received wins, for who played enough games (EDC96, Best Negotiator)."""
    if not rules.votes:
        return ()
    graded = []
    for skill, title in rules.votes.titles.items():
        ballots = {one.player: one for one in event.ballots if one.skill == skill and one.votes}
        contenders = [
            ballot_contender(accounts[name], ballot, rules.votes)
            for name, ballot in ballots.items()
            if name in accounts and may_win(accounts[name], rules.votes)
        ]
        for one in ranking.rank_contenders(contenders, rules.ties.votes, FieldOfPlayers(lots=event.lots)):
            graded.append(
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
    return tuple(graded)


def may_win(tally: Tally, rules: scoring_rules.RatingRules) -> bool:
    """To win a title one must have played in enough games (three for EDC96's Best Negotiator)."""
    return ranking.may_rank(tally) and len(tally.games) >= rules.least_games


def mean(ballot: RatingBallot, rules: scoring_rules.RatingRules) -> Fraction:
    """The sum of all vote ratings divided by the number of votes received (EDC96, Best Negotiator)."""
    worth = sum_points(rules.points[grade] * often for grade, often in ballot.grades.items())
    return worth / ballot.votes


def ballot_contender(tally: Tally, ballot: RatingBallot, rules: scoring_rules.RatingRules) -> Contender:
    """A graded player as tie-breaks see it."""
    return Contender(
        name=tally.player.name,
        total=mean(ballot, rules),
        games=(),
        overall=tally.total,
        top_grades=ballot.grades.get(rules.top, 0),
    )


# The board-games competition beside the main event.


class BoardGameRow(Struct, frozen=True, kw_only=True):
    """One line of the board-games standings."""

    place: int
    is_tied: bool
    player: str
    points: Fraction


def board_game_standings(
    event: EventResults, rules: scoring_rules.ScoringRules
) -> tuple[tuple[BoardGameRow, ...], tuple[doubts.ScoringDoubt, ...]]:
    """Points by finishing position, weighted by the length of the game, added up; the highest wins (NZ99 27)."""
    if not rules.board_games:
        return (), ()
    points: dict[str, list[Fraction]] = {}
    unsigned: list[doubts.ScoringDoubt] = []
    for number, game in enumerate(event.board_games, start=1):
        if not game.is_signed:
            unsigned.append(doubts.SheetNotSigned(number=number, game=game.game))
            continue
        for player, won in game_points(game, rules.board_games).items():
            points.setdefault(player, []).append(won)
    contenders = [Contender(name=name, total=sum_points(won), games=()) for name, won in points.items()]
    rows = tuple(
        BoardGameRow(
            place=one.place,
            is_tied=one.is_tied,
            player=one.contender.name,
            points=one.contender.total,
        )
        for one in ranking.rank_contenders(contenders, (), FieldOfPlayers())
    )
    return rows, tuple(unsigned)


def game_points(game: BoardGame, rules: scoring_rules.BoardGameRules) -> dict[str, Fraction]:
    """The points of a place among so many players, times the weight of the game (NZ99 27)."""
    scale = rules.points[sum(len(level) for level in game.places)]
    points: dict[str, Fraction] = {}
    first = 0
    for level in game.places:
        spanned = scale[first : first + len(level)]
        won = spanned[-1] if rules.ties is scoring_rules.BoardGameTies.LOWER else sum_points(spanned) / len(level)
        points |= dict.fromkeys(level, won * rules.weights[game.game])
        first += len(level)
    return points


class Held(Enum):
    """Whether a title is given already."""

    GIVEN = "given"
    LEADS = "leads"  # what the title is given for is not over
    LEVEL = "level"  # it is over, and a tie for it waits for a fact


class Group(Enum):
    """What a title is given for, in the order of the ceremony."""

    PLACES = "places"
    POWERS = "powers"
    TITLES = "titles"
    VOTES = "votes"
    TEAMS = "teams"
    BOARD_GAMES = "board games"
    SPECIAL = "special awards"


class Award(Struct, frozen=True, kw_only=True):
    """One title and who has it; several where a tie is not decided, or shared by the rules."""

    group: Group
    title: str
    winners: tuple[str, ...]
    held: Held
    value: Fraction = Fraction()  # points, or the mean of votes
    decision: ranking.RankDecision | None = None
    row: ranking.StandingsRow | None = None  # for a place: the line of the standings
    games: tuple[PlayerGame, ...] = ()  # for a best power
    votes: int = 0
    why: str = ""  # the director's own words, for a special award


class Achievements(Struct, frozen=True, kw_only=True):
    """Everything that may be honoured."""

    rows: Sequence[ranking.StandingsRow]
    titles: Sequence[ranking.TitleRanking]
    powers: Sequence[BestPower]
    teams: Sequence[TeamRow]
    grades: Sequence[Graded]
    board_games: Sequence[BoardGameRow]


def awards(
    event: EventResults, done: Achievements, rules: scoring_rules.ScoringRules, progress: Progress
) -> tuple[Award, ...]:
    """All titles in the order of the ceremony; one that is not due says who leads."""
    return (
        *_place_awards(done.rows, rules, progress),
        *(_make_power_award(one, rules, progress) for one in done.powers),
        *(_further_title(one, progress) for one in done.titles if one.first),
        *_titles(done.grades, progress),
        *_team_award(done.teams, rules, progress),
        *_board_games_award(done.board_games, rules, progress),
        *(
            Award(group=Group.SPECIAL, title=one.award, winners=(one.player,), held=Held.GIVEN, why=one.why)
            for one in event.honours
        ),
    )


def _title_state(*, is_due: bool, is_level: bool) -> Held:
    """A title is given when what it is given for is over, and no tie for it is open."""
    if not is_due:
        return Held.LEADS
    return Held.LEVEL if is_level else Held.GIVEN


def _place_awards(
    rows: Sequence[ranking.StandingsRow], rules: scoring_rules.ScoringRules, progress: Progress
) -> Iterator[Award]:
    """The first places have titles; some more are only named (Weasel XI.1)."""
    last = max(len(rules.awards.places), rules.awards.named)
    for place in range(1, last + 1):
        level = [row for row in rows if row.place == place]
        titled = place <= len(rules.awards.places)
        if level:
            first = level[0]
            is_due = _champion_is_known(rules, progress) if first.is_champion else progress.is_over
            yield Award(
                group=Group.PLACES,
                title=rules.awards.places[place - 1] if titled else wording("named for place {place}", place=place),
                winners=tuple(row.player for row in level),
                held=_title_state(is_due=is_due, is_level=any(row.want for row in level)),
                value=first.total,
                decision=first.decision,
                row=first,
            )


def _champion_is_known(rules: scoring_rules.ScoringRules, progress: Progress) -> bool:
    """The final table makes the champion; where totals do, the rounds before it count too (EDC23 B; EDC96; WDC08 4)."""
    if progress.final is not FinalState.OVER or rules.final is None:
        return progress.is_over
    return rules.final.champion is scoring_rules.ChampionBy.TABLE or progress.are_over(rules.final.qualifying_rounds)


def _make_power_award(one: BestPower, rules: scoring_rules.ScoringRules, progress: Progress) -> Award:
    return Award(
        group=Group.POWERS,
        title=wording(rules.awards.power, power=one.power.capitalize()),
        winners=one.players,
        held=_title_state(is_due=progress.is_over, is_level=one.want is not None),
        value=one.score,
        decision=one.decision,
        games=one.games,
    )


def _further_title(one: ranking.TitleRanking, progress: Progress) -> Award:
    """The title of another ranking, when the rounds that count for it are over."""
    is_due = progress.are_over(one.rules.rounds) if one.rules.rounds else progress.is_over
    return Award(
        group=Group.TITLES,
        title=one.rules.title,
        winners=tuple(placed.contender.name for placed in one.first),
        held=_title_state(is_due=is_due, is_level=any(placed.want for placed in one.first)),
        value=one.first[0].contender.total,
        decision=one.first[0].decision,
    )


def _titles(grades: Iterable[Graded], progress: Progress) -> Iterator[Award]:
    """The best of each graded skill."""
    first = [one for one in grades if one.place == 1]
    for skill in dict.fromkeys(one.skill for one in first):
        level = [one for one in first if one.skill == skill]
        yield Award(
            group=Group.VOTES,
            title=level[0].title,
            winners=tuple(one.player for one in level),
            held=_title_state(is_due=progress.is_over, is_level=False),
            value=level[0].mean,
            decision=level[0].decision,
            votes=level[0].ballots,
        )


def _team_award(rows: Sequence[TeamRow], rules: scoring_rules.ScoringRules, progress: Progress) -> Iterator[Award]:
    """The team with the highest score, when the team rounds are over."""
    first = [row for row in rows if row.place == 1]
    if first and rules.teams:
        yield Award(
            group=Group.TEAMS,
            title=rules.teams.title,
            winners=tuple(row.team.name for row in first),
            held=_title_state(is_due=progress.are_over(rules.teams.rounds), is_level=any(row.want for row in first)),
            value=first[0].total,
            decision=first[0].decision,
        )


def _board_games_award(
    rows: Sequence[BoardGameRow], rules: scoring_rules.ScoringRules, progress: Progress
) -> Iterator[Award]:
    """The player with the highest aggregate score in the board games, when the last round is over (NZ99 27)."""
    first = [row for row in rows if row.place == 1]
    if first and rules.board_games:
        yield Award(
            group=Group.BOARD_GAMES,
            title=rules.board_games.title,
            winners=tuple(row.player for row in first),
            held=_title_state(is_due=progress.is_over, is_level=False),
            value=first[0].points,
        )

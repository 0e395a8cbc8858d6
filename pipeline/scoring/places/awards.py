"""What is read out at the ceremony: places, best powers, titles, teams, special awards, each when its time has come."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from pipeline.scoring.games.system import PlayerGame
from pipeline.scoring.places.board_games import BoardGameRow
from pipeline.scoring.places.powers import BestPower
from pipeline.scoring.places.standings import StandingsRow
from pipeline.scoring.places.teams import TeamRow
from pipeline.scoring.places.votes import Graded
from pipeline.scoring.results.results import EventResults
from pipeline.scoring.totals.progress import FinalState, Progress
from pipeline.scoring.totals.ranking import RankDecision
from pipeline.scoring.totals.rules import ChampionBy, ScoringRules


class Held(Enum):
    """How somebody has a title."""

    GIVEN = "given"
    LEADS = "leads"  # what the title is given for is not over
    LEVEL = "level"  # it is over, and a tie for it waits for a fact


class Group(Enum):
    """What a title is given for, in the order of the ceremony."""

    PLACES = "places"
    POWERS = "powers"
    VOTES = "votes"
    TEAMS = "teams"
    BOARD_GAMES = "board games"
    SPECIAL = "special awards"


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """One title and who has it; several where a tie is not decided, or shared by the rules."""

    group: Group
    title: str
    winners: tuple[str, ...]
    held: Held
    value: Fraction = Fraction()  # points, or the mean of votes
    decision: RankDecision | None = None
    row: StandingsRow | None = None  # for a place: the line of the standings
    games: tuple[PlayerGame, ...] = ()  # for a best power
    votes: int = 0
    why: str = ""  # the director's own words, for a special award


@dataclass(frozen=True, slots=True, kw_only=True)
class Achievements:
    """Everything that may be honoured."""

    rows: Sequence[StandingsRow]
    powers: Sequence[BestPower]
    teams: Sequence[TeamRow]
    grades: Sequence[Graded]
    board_games: Sequence[BoardGameRow]


def awards(event: EventResults, done: Achievements, rules: ScoringRules, progress: Progress) -> tuple[Award, ...]:
    """All titles in the order of the ceremony; one that is not due says who leads."""
    return (
        *places(done.rows, rules, progress),
        *(best_power(one, rules, progress) for one in done.powers),
        *titles(done.grades, progress),
        *team_award(done.teams, rules, progress),
        *board_games_award(done.board_games, rules, progress),
        *(
            Award(group=Group.SPECIAL, title=one.award, winners=(one.player,), held=Held.GIVEN, why=one.why)
            for one in event.honours
        ),
    )


def held(*, is_due: bool, is_level: bool) -> Held:
    """A title is given when what it is given for is over, and no tie for it is open."""
    if not is_due:
        return Held.LEADS
    return Held.LEVEL if is_level else Held.GIVEN


def places(rows: Sequence[StandingsRow], rules: ScoringRules, progress: Progress) -> Iterator[Award]:
    """The first places have titles; some more are only named (Weasel XI.1)."""
    last = max(len(rules.awards.places), rules.awards.named)
    for place in range(1, last + 1):
        level = [row for row in rows if row.place == place]
        titled = place <= len(rules.awards.places)
        if level:
            first = level[0]
            is_due = champion_is_known(rules, progress) if first.is_champion else progress.is_over
            yield Award(
                group=Group.PLACES,
                title=rules.awards.places[place - 1] if titled else f"named for place {place}",
                winners=tuple(row.player for row in level),
                held=held(is_due=is_due, is_level=any(row.want for row in level)),
                value=first.total,
                decision=first.decision,
                row=first,
            )


def champion_is_known(rules: ScoringRules, progress: Progress) -> bool:
    """The final table makes the champion; where totals do, the rounds before it count too (EDC23 B; EDC96; WDC08 4)."""
    if progress.final is not FinalState.OVER or rules.final is None:
        return progress.is_over
    return rules.final.champion is ChampionBy.TABLE or progress.are_over(rules.final.qualifying_rounds)


def best_power(one: BestPower, rules: ScoringRules, progress: Progress) -> Award:
    """The award for a power."""
    return Award(
        group=Group.POWERS,
        title=rules.awards.power.replace("{power}", one.power.capitalize()),
        winners=one.players,
        held=held(is_due=progress.is_over, is_level=one.want is not None),
        value=one.score,
        decision=one.decision,
        games=one.games,
    )


def titles(grades: Iterable[Graded], progress: Progress) -> Iterator[Award]:
    """The best of each graded skill."""
    first = [one for one in grades if one.place == 1]
    for skill in dict.fromkeys(one.skill for one in first):
        level = [one for one in first if one.skill == skill]
        yield Award(
            group=Group.VOTES,
            title=level[0].title,
            winners=tuple(one.player for one in level),
            held=held(is_due=progress.is_over, is_level=False),
            value=level[0].mean,
            decision=level[0].decision,
            votes=level[0].ballots,
        )


def team_award(rows: Sequence[TeamRow], rules: ScoringRules, progress: Progress) -> Iterator[Award]:
    """The team with the highest score, when the team rounds are over."""
    first = [row for row in rows if row.place == 1]
    if first and rules.teams:
        yield Award(
            group=Group.TEAMS,
            title=rules.teams.title,
            winners=tuple(row.team.name for row in first),
            held=held(is_due=progress.are_over(rules.teams.rounds), is_level=any(row.want for row in first)),
            value=first[0].total,
            decision=first[0].decision,
        )


def board_games_award(rows: Sequence[BoardGameRow], rules: ScoringRules, progress: Progress) -> Iterator[Award]:
    """The player with the highest aggregate score in the board games, when the last round is over (NZ99 27)."""
    first = [row for row in rows if row.place == 1]
    if first and rules.board_games:
        yield Award(
            group=Group.BOARD_GAMES,
            title=rules.board_games.title,
            winners=tuple(row.player for row in first),
            held=held(is_due=progress.is_over, is_level=False),
            value=first[0].points,
        )

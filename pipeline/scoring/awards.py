"""What is read out at the ceremony: places, best powers, titles, teams, special awards."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.scoring.board_games import BoardGameRow
from pipeline.scoring.exact import shown
from pipeline.scoring.powers import BestPower
from pipeline.scoring.results import EventResults
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.standings import Row
from pipeline.scoring.teams import TeamRow
from pipeline.scoring.votes import Graded


@dataclass(frozen=True, slots=True)
class Award:
    """One award and who gets it; several where a tie was not decided."""

    title: str
    winners: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Achievements:
    """Everything that may be honoured."""

    rows: Sequence[Row]
    powers: Sequence[BestPower]
    teams: Sequence[TeamRow]
    grades: Sequence[Graded]
    board_games: Sequence[BoardGameRow]


def awards(event: EventResults, done: Achievements, rules: ScoringRules) -> tuple[Award, ...]:
    """All awards, in the order of the ceremony."""
    return (
        *places(done.rows, rules),
        *(best_power(one, rules) for one in done.powers),
        *titles(done.grades),
        *team_award(done.teams, rules),
        *board_games_award(done.board_games, rules),
        *(Award(honour.award, (honour.player,), honour.why) for honour in event.honours),
    )


def places(rows: Sequence[Row], rules: ScoringRules) -> Iterator[Award]:
    """The first places have titles; some more are only named (Weasel XI.1)."""
    last = max(len(rules.awards.places), rules.awards.named)
    for place in range(1, last + 1):
        level = [row for row in rows if row.place == place]
        titled = place <= len(rules.awards.places)
        if level:
            title = rules.awards.places[place - 1] if titled else f"named for place {place}"
            yield Award(title, tuple(row.player for row in level), reason(level[0], rules))


def reason(row: Row, rules: ScoringRules) -> str:
    """Say what put somebody in a place."""
    points = f"{shown(row.total, rules.decimals)} points"
    won = "winner of the final table, " if row.is_champion else ""
    return f"{won}{points}" + (f"; {row.decision}" if row.decision else "")


def best_power(one: BestPower, rules: ScoringRules) -> Award:
    """The award for a power."""
    title = rules.awards.power.replace("{power}", one.power.capitalize())
    seats = ", ".join(f"round {game.round} {game.board.name}" for game in one.games)
    why = f"{shown(one.score, rules.decimals)} points in {seats}" + (f"; {one.decision}" if one.decision else "")
    return Award(title, one.players, why)


def titles(grades: Iterable[Graded]) -> Iterator[Award]:
    """The best of each graded skill."""
    first = [one for one in grades if one.place == 1]
    for skill in dict.fromkeys(one.skill for one in first):
        level = [one for one in first if one.skill == skill]
        best = level[0]
        why = f"{shown(best.mean, 2)} of {best.ballots} votes" + (f"; {best.decision}" if best.decision else "")
        yield Award(best.title, tuple(one.player for one in level), why)


def team_award(rows: Sequence[TeamRow], rules: ScoringRules) -> Iterator[Award]:
    """The team with the highest score."""
    first = [row for row in rows if row.place == 1]
    if first and rules.teams:
        points = f"{shown(first[0].total, rules.decimals)} points"
        why = points + (f"; {first[0].decision}" if first[0].decision else "")
        yield Award(rules.teams.title, tuple(row.team.name for row in first), why)


def board_games_award(rows: Sequence[BoardGameRow], rules: ScoringRules) -> Iterator[Award]:
    """The player with the highest aggregate score in the board games (NZ99 27)."""
    first = [row for row in rows if row.place == 1]
    if first and rules.board_games:
        why = f"{shown(first[0].points, 2)} points"
        yield Award(rules.board_games.title, tuple(row.player for row in first), why)

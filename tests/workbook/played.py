"""Whole events as a good director runs them: nobody plays too much, finalists qualify, teams have their members."""

import random
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pipeline.board import Power
from pipeline.scoring.results import Board, Ending, Entrant, EventResults, RatingBallot, Seat, Team
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.score import score

NAMES = ("Ana", "Bo", "Carl", "Dee", "Eve", "Finn", "Gus", "Ida", "Jo", "Kim", "Lou", "Max", "Ned", "Ola", "Pia")
FAMILY = ("Andersen", "Borg", "Castelli", "de Vries", "Eriksson", "Fernandez", "Grant", "Hofmann", "Ito", "Jansen")


def played(rules: ScoringRules, players: int, rounds: int, seed: int = 1) -> EventResults:
    """The first rounds of an event; the last one with a final table where the rules have one and enough qualify."""
    dice = random.Random(seed)
    names = [f"{NAMES[n % 15]} {FAMILY[n // 15]}" for n in range(players)]
    event = EventResults(
        boards=(),
        players={name: Entrant(name=name, distance_km=10 * n) for n, name in enumerate(names)},
        teams=tuple(teams(names, rules)),
        ballots=tuple(ballots(dice, names, rules)),
        lots=(tuple(names),),
    )
    for number in range(1, rounds + 1):
        here = present(dice, event, names, number, rules)
        top = finalists(event, rules, number)
        here = [*top, *(name for name in here if name not in top)]
        boards = tuple(one_round(dice, here, number, has_final=bool(top)))
        event = replace(event, boards=(*event.boards, *boards))
    return event


def present(
    dice: random.Random, event: EventResults, names: Sequence[str], number: int, rules: ScoringRules
) -> list[str]:
    """Who plays a round: as many as fill boards, and where there is a limit nobody beyond it."""
    limit = rules.totals.most_games
    sat = [seat.player for board in event.boards for seat in board.seats.values()]
    here = sorted(names)
    if limit and number in limit.rounds:
        resting = 1 + limit.games  # of so many neighbours in the list, who may be a team, one sits out
        many = len(names) >= 7 * resting
        here = [n for k, n in enumerate(here) if not many or k % resting != number % resting]
        here = [name for name in here if sat.count(name) < limit.games]
    else:
        dice.shuffle(here)
    return here[: len(here) // 7 * 7]


def finalists(event: EventResults, rules: ScoringRules, number: int) -> list[str]:
    """Who sits at the final table of a round."""
    if not rules.final or number != rules.final.round:
        return []
    qualified = score(event, rules).qualification
    if not qualified or not qualified.is_held:
        return []
    return [one.contender.name for one in qualified.ranking[:7]]


def one_round(dice: random.Random, here: Sequence[str], number: int, *, has_final: bool) -> Iterator[Board]:
    """The boards of a round; neighbours of the list, who may be of one team, are dealt to different boards."""
    top, rest = (list(here[:7]), sorted(here[7:])) if has_final else ([], sorted(here))
    boards = len(rest) // 7
    dealt = [rest[nth::boards] for nth in range(boards)]
    for nth, group in enumerate([top, *dealt] if top else dealt):
        seated = dice.sample(group, 7)
        is_final = has_final and nth == 0
        years = dict(counts_by_year(dice))
        yield Board(
            round=number,
            name=chr(65 + nth),
            seats={power: Seat(player=name) for power, name in zip(Power, seated, strict=True)},
            centres=years[max(years)],
            years=years,
            ended=Ending.TIME,
            is_final=is_final,
            chose=tuple(seated) if is_final else (),
            unowned=0,
        )


def counts_by_year(dice: random.Random) -> Iterator[tuple[int, dict[Power, int]]]:
    """Centres change hands one or two at a time; nobody wins more in a year than he has units."""
    counts, before = dict.fromkeys(Power, 5) | {Power.AUSTRIA: 4}, dict.fromkeys(Power, 3)
    for year in range(1901, 1908):
        for _ in range(3):
            loser = dice.choice([p for p in Power if counts[p]])
            winner = dice.choice([p for p in Power if 0 < counts[p] < 2 * before[p]])
            counts[loser] -= 1
            counts[winner] += 1
        before = dict(counts)
        yield year, dict(counts)


def teams(names: Sequence[str], rules: ScoringRules) -> Iterator[Team]:
    """Teams of the size that the rules want."""
    size = rules.teams.size if rules.teams else len(names) + 1
    by_name = sorted(names)
    for nth in range(len(names) // size if len(names) >= 7 * size else 0):
        yield Team(name=f"Team {nth + 1}", members=tuple(by_name[nth * size : nth * size + size]))


def ballots(dice: random.Random, names: Sequence[str], rules: ScoringRules) -> Iterator[RatingBallot]:
    """Grades that players gave each other."""
    for skill in rules.votes.titles if rules.votes else ():
        for name in names:
            yield RatingBallot(
                player=name, skill=skill, grades={"A": dice.randrange(9), "B": dice.randrange(9), "C": 1}
            )

"""Events invented by a seed: few different results, so that ties abound, and what a director may note beside them."""

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.scoring.results import (
    Board,
    BoardGame,
    Bonus,
    Ending,
    Entrant,
    EventResults,
    Penalty,
    RatingBallot,
    ScoreRuling,
    Seat,
    Team,
)

POWERS = tuple(Power)
TIED_COUNTS = (
    (18, 16, 0, 0, 0, 0, 0), (18, 10, 6, 0, 0, 0, 0), (18, 8, 4, 1, 1, 1, 1), (17, 17, 0, 0, 0, 0, 0),
    (10, 10, 7, 7, 0, 0, 0), (8, 8, 6, 6, 6, 0, 0), (12, 4, 4, 4, 4, 3, 3), (7, 6, 5, 4, 4, 4, 4),
    (11, 11, 11, 1, 0, 0, 0), (12, 12, 4, 3, 3, 0, 0), (14, 8, 6, 3, 3, 0, 0),
)  # fmt: skip
FIRST_NAMES = ("Ana", "Bo", "Carl", "Dee", "Eve", "Finn", "Gus", "Ida", "Jo", "Kim", "Lou", "Max", "Ned", "Ola", "Pia")
HOSTILE = ("=1+1", "-Bob", "@SUM(A1)", "A*", "A?x", "*", '"q" <&>', "Ærø", "李雷", "~tilde", "TRUE", "12", ">5")


class Wishes(Struct, frozen=True, kw_only=True):
    """What an invented event is to have."""

    players: int
    rounds: int
    hostile: float = 0.3  # the chance of each name that looks like something else
    tied: float = 0.7  # the part of boards with one of a few results
    years: bool = True
    final: bool = False  # the last round holds a final table
    rulings: float = 0.03  # the part of seats with one
    late: float = 0.0  # arrived late
    replaced: float = 0.0
    abandoned: float = 0.0
    pools: Mapping[int, Sequence[str]] = field(default_factory=dict)  # round -> the pools, each with one board
    left_out: float = 0.0  # the part of survivors who are not in the draw
    two_boards: float = 0.0  # players who sit twice in a round
    absent: float = 0.1  # players who sit a round out
    directors: int = 0
    sandard: bool = False
    teams: int = 0  # members of each; 0: no teams
    penalties: Mapping[str, float] = field(default_factory=dict)  # kind -> the part of players
    bonuses: Mapping[str, float] = field(default_factory=dict)
    skills: Sequence[str] = ()  # that players grade each other in
    board_games: Sequence[str] = ()  # that are played beside


def invent(seed: int, wishes: Wishes) -> EventResults:
    """Make an event; the same seed makes the same."""
    dice = random.Random(seed)
    names = invent_names(dice, wishes.players, wishes.hostile)
    players = {
        name: Entrant(
            name=name,
            is_director=number < wishes.directors,
            is_excluded=dice.random() < 0.02,
            distance_km=dice.choice((None, 0, 10, 10, 500)),
            preregistered=frozenset(r for r in range(1, wishes.rounds + 1) if dice.random() < 0.7),
        )
        for number, name in enumerate(names)
    }
    boards = [board for number in range(1, wishes.rounds + 1) for board in invent_round(dice, names, number, wishes)]
    lots = list(names)
    dice.shuffle(lots)
    return EventResults(
        boards=tuple(boards),
        players=players,
        penalties=tuple(penalties(dice, names, wishes)),
        bonuses=tuple(bonuses(dice, names, wishes)),
        teams=tuple(teams(names, wishes.teams)),
        board_games=tuple(board_games(dice, names, wishes.board_games)),
        ballots=tuple(ballots(dice, names, wishes.skills)),
        lots=(tuple(lots[: len(lots) // 4]), tuple(lots[len(lots) // 4 : len(lots) // 2])),
    )


def leave_unfinished(seed: int, event: EventResults, part: float) -> tuple[EventResults, tuple[Board, ...]]:
    """Take boards of the last round as not over: drawn and waiting for counts, or standing as they are for now.

    Gives the event, and the boards that wait; those have the years that are written down so far, the last one alone,
    or none.
    """
    dice = random.Random(-seed)
    last = max(event.rounds)
    spots = {board.spot for board in event.boards if board.round == last and dice.random() < part}
    if dice.random() < 0.5:
        return replace(event, going_on=frozenset(spots)), ()
    waiting = tuple(
        replace(board, ended=Ending.UNSTATED, unowned=None, left_out=frozenset())
        for board in event.boards
        if board.spot in spots
    )
    over = tuple(board for board in event.boards if board.spot not in spots)
    return replace(event, boards=over, going_on=frozenset(spots)), waiting


def invent_names(dice: random.Random, count: int, part: float) -> list[str]:
    """Names that differ, some of them hostile."""
    plain = [f"{FIRST_NAMES[n % 15]} {chr(65 + n // 15)}." for n in range(count)]
    for hostile in HOSTILE:
        if dice.random() < part:
            plain[dice.randrange(count)] = hostile
    return list(dict.fromkeys(plain))


def invent_round(dice: random.Random, names: Sequence[str], number: int, wishes: Wishes) -> list[Board]:
    """One round: whole boards only, a few empty seats to fill the last one."""
    here = [name for name in names if dice.random() >= wishes.absent]
    dice.shuffle(here)
    is_last = number == wishes.rounds
    boards: list[Board] = []
    while here:
        index = len(boards) + 1
        size = 6 if wishes.sandard and dice.random() < 0.15 else 7
        seated: list[str | None] = [here.pop() if here else None for _ in range(size)]
        others = [name for name in names if name not in seated]
        if None in seated and others and dice.random() < wishes.two_boards:
            seated[seated.index(None)] = dice.choice(others)
        boards.append(invent_board(dice, number, f"{chr(64 + index)}", seated, wishes, is_last and index == 1))
    pools = iter(wishes.pools.get(number, ()))
    return [board if board.is_final else replace(board, pool=next(pools, "")) for board in boards]


def invent_board(
    dice: random.Random, number: int, name: str, seated: Sequence[str | None], wishes: Wishes, is_last: bool
) -> Board:
    """One game."""
    powers = [power for power in POWERS if len(seated) == 7 or power is not Power.TURKEY]
    total = 34 if len(powers) == 7 else 31
    counts = invent_counts(dice, len(powers), total, wishes.tied)
    centres = dict(zip(powers, counts, strict=True))
    seats = {power: invent_seat(dice, who, wishes) for power, who in zip(powers, seated, strict=True)}
    chose = [who for who in seated if who]
    dice.shuffle(chose)
    is_final = wishes.final and is_last
    alive = [power for power, owned in centres.items() if owned][1:] if wishes.left_out else []
    return Board(
        round=number,
        name=name,
        seats=seats,
        centres=centres,
        years=invent_years(dice, centres) if wishes.years and dice.random() < 0.9 else {},
        ended=Ending.ABANDONED if dice.random() < wishes.abandoned else Ending.UNSTATED,
        is_final=is_final,
        total=total,
        unowned=total - sum(counts) if dice.random() < 0.9 else None,
        chose=tuple(chose) if is_final and dice.random() < 0.8 else (),
        left_out=frozenset(power for power in alive if dice.random() < wishes.left_out),
    )


def invent_counts(dice: random.Random, powers: int, total: int, tied: float) -> list[int]:
    """Centres at the end, by one of the few results or at random, sometimes with neutral centres left."""
    if powers == 7 and dice.random() < tied:
        counts = list(dice.choice(TIED_COUNTS))
    else:
        owned = total if dice.random() < 0.8 else total - dice.randrange(1, 6)
        cuts = sorted(dice.randrange(owned + 1) for _ in range(powers - 1))
        counts = [b - a for a, b in zip([0, *cuts], [*cuts, owned], strict=True)]
    dice.shuffle(counts)
    return counts


def invent_seat(dice: random.Random, who: str | None, wishes: Wishes) -> Seat:
    """One seat, now and then with something noted beside it."""
    ruling = ScoreRuling(Fraction(dice.randrange(0, 80), 2), "invented") if dice.random() < wishes.rulings else None
    return Seat(
        player=who,
        instead_of="Somebody Else" if who and dice.random() < wishes.replaced else None,
        arrived=dice.randrange(1, 17) if who and dice.random() < wishes.late else None,
        ruling=ruling,
    )


def invent_years(dice: random.Random, centres: Mapping[Power, int]) -> dict[int, dict[Power, int]]:
    """Counts year by year, as board sheets have them: some years left out, all but the last, or the last itself.

    They mostly end with the counts at the end; a game may be longer than any tournament plans.
    """
    last = dice.choice((1901, 1903, 1905, 1907, 1907, 1908, 1912))
    years = {
        year: {power: min(dice.choice((0, 1, 3, 4, 5)) if owned == 0 else max(owned - (last - year), 1), 12)
               for power, owned in centres.items()}
        for year in range(1901, last)
    }  # fmt: skip
    if dice.random() < 0.9 or not years:
        years[last] = dict(centres)
    kept = dice.choice((1.0, 1.0, 0.5, 0.0))  # the part of the years before the last
    return {year: counts for year, counts in years.items() if year == max(years) or dice.random() < kept}


def penalties(dice: random.Random, names: Sequence[str], wishes: Wishes) -> list[Penalty]:
    """Deductions, by kind or in points."""
    return [
        Penalty(player=name, kind=kind, times=dice.choice((1, 1, 2)), points=dice.choice((None, None, Fraction(3))))
        for kind, part in wishes.penalties.items()
        for name in names
        if dice.random() < part
    ]


def bonuses(dice: random.Random, names: Sequence[str], wishes: Wishes) -> list[Bonus]:
    """Bonuses, computed by the rules or stated in points."""
    return [
        Bonus(
            player=name,
            kind=kind,
            points=dice.choice((None, None, Fraction(5, 2))),
            round=dice.randrange(1, wishes.rounds + 1),
        )
        for kind, part in wishes.bonuses.items()
        for name in names
        if dice.random() < part
    ]


def ballots(dice: random.Random, names: Sequence[str], skills: Sequence[str]) -> list[RatingBallot]:
    """Grades for some players, a few of them level."""
    choices = ({"A": 2, "B": 1, "C": 0}, {"A": 1, "B": 4, "C": 0}, {"A": 4, "B": 2, "C": 0}, {"A": 0, "B": 0, "C": 0})
    return [
        RatingBallot(player=name, skill=skill, grades=dice.choice(choices))
        for skill in skills
        for name in names
        if dice.random() < 0.6
    ]


def board_games(dice: random.Random, names: Sequence[str], games: Sequence[str]) -> list[BoardGame]:
    """A few games beside the tournament, some with ties, some not signed."""
    found = []
    for game in games:
        players = dice.sample(list(names), min(dice.randrange(2, 7), len(names)))
        tied = dice.random() < 0.5
        places = [tuple(players[:2]), *((one,) for one in players[2:])] if tied else [(one,) for one in players]
        found.append(BoardGame(game=game, places=tuple(places), is_signed=dice.random() < 0.9))
    return found


def teams(names: Sequence[str], size: int) -> list[Team]:
    """Teams of consecutive players."""
    if not size:
        return []
    groups = [names[start : start + size] for start in range(0, len(names), size)]
    return [Team(name=f"Team {n}", members=tuple(group)) for n, group in enumerate(groups, start=1)]

"""Read ``[ties]``: chains of tie-breaks by their names."""

from collections.abc import Callable

from pipeline.board.map import Power
from pipeline.rules.scoring.exact_values import whole_numbers, words
from pipeline.rules.toml.table import Table, did_you_mean
from pipeline.scoring.totals.comparing import better_game
from pipeline.scoring.totals.rules import Chain, Ties
from pipeline.scoring.totals.tiebreaks import (
    AllGames,
    BestMeeting,
    CentreMargin,
    CentresInYear,
    ChoseLast,
    Distance,
    FinalScore,
    HighestGame,
    LatestRound,
    MostDraws,
    MostWins,
    Opponents,
    Overall,
    PowerOrder,
    SumOfMeetings,
    TieLot,
    TopGrades,
)

SIMPLE: dict[str, Chain] = {
    "most wins": (MostWins(),),
    "most draws": (MostDraws(),),
    "better best game": better_game(1, "best game"),
    "better second-best game": better_game(2, "second-best game"),
    "better third-best game": better_game(3, "third-best game"),
    "better game": better_game(1, "game"),
    "best meeting": (BestMeeting(),),
    "sum of meetings": (SumOfMeetings(),),
    "distance": (Distance(),),
    "lot": (TieLot(),),
    "final score": (FinalScore(),),
    "chose last": (ChoseLast(),),
    "best of": (Overall("best of"),),
    "best total": (Overall("best total"),),
    "all games": (AllGames(),),
    "centre margin": (CentreMargin(),),
    "opponents": (Opponents(),),
    "most top grades": (TopGrades(),),
}
HIGHEST = {name: n for n, name in enumerate(("highest", "second-highest", "third-highest", "fourth-highest"), start=1)}
FIRST_YEAR, LAST_YEAR = 1901, 1999  # years that a tie-break may ask for
CHAINS = ("players", "qualifying", "final", "teams", "powers", "votes")


def read_ties(table: Table) -> Ties:
    """Read all chains; their faults are kept in the table."""
    made = made_to_measure(table)
    chains = {key: read_chain(table, key, made) for key in CHAINS}
    table.finish()
    return Ties(**chains)


def made_to_measure(table: Table) -> dict[str, Callable[[], Chain]]:
    """The tie-breaks that need a setting of their own."""
    dropped_too = table.get("dropped_games_break_ties", bool, False)
    order = read_order(table)
    years = whole_numbers(table, "final_years")
    rounds = whole_numbers(table, "latest_rounds")
    if len(years) not in (0, 2):
        table.fault("final_years", f"expected the last and the first year, such as [1909, 1902]; found {list(years)}")
    elif not all(FIRST_YEAR <= year <= LAST_YEAR for year in years):
        table.fault("final_years", f"expected years from {FIRST_YEAR} to {LAST_YEAR}; found {list(years)}")
        years = ()
    elif years and years[0] < years[1]:
        table.fault("final_years", f"expected the last year first, such as [1909, 1902]; found {list(years)}")
    last, first = (years[0], years[1]) if len(years) == 2 else (0, 0)
    made: dict[str, Callable[[], Chain]] = {
        "power order": lambda: (PowerOrder(order),) if order else (),
        "centres by year": lambda: tuple(CentresInYear(year) for year in range(last, first - 1, -1) if year),
        "latest round": lambda: (LatestRound(rounds),) if rounds else (),
    }
    for name, nth in HIGHEST.items():
        made[f"{name} game"] = highest(nth, f"{name} game", dropped_too)
    return made


def highest(nth: int, name: str, dropped_too: bool) -> Callable[[], Chain]:
    """Make the tie-break on the nth highest score."""
    return lambda: (HighestGame(nth, name, dropped_too),)


def read_order(table: Table) -> tuple[Power, ...]:
    """Read the order of powers that breaks a finalists' tie."""
    names = words(table, "power_order")
    if names and sorted(names) != sorted(Power):
        table.fault("power_order", f"expected the seven powers, each once; found {', '.join(names)}")
        return ()
    return tuple(Power(name) for name in names)


NEEDS = {"power order": "power_order", "centres by year": "final_years", "latest round": "latest_rounds"}


def read_chain(table: Table, key: str, made: dict[str, Callable[[], Chain]]) -> Chain:
    """Read one chain of names."""
    known = (*SIMPLE, *made)
    chain: list[Chain] = []
    for number, name in enumerate(words(table, key)):
        if name in SIMPLE:
            chain.append(SIMPLE[name])
        elif name in made:
            chain.append(made[name]())
            if not chain[-1]:
                table.fault(f"{key}[{number}]", f"{name!r} needs the setting {NEEDS[name]!r} in this table")
        else:
            table.fault(f"{key}[{number}]", f"{name!r} is no tie-break{did_you_mean(name, known)}")
    return tuple(tiebreak for steps in chain for tiebreak in steps)

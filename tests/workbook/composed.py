"""Rules composed at random of every setting that points follow from, and events in which all of them matter."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from pipeline.board import Power
from pipeline.problems import Stopped
from pipeline.rules.load import load_systems
from pipeline.rules.scoring import misfits, read_scoring
from pipeline.scoring.results import Between, Board, EventResults, Honour, Seat
from pipeline.scoring.rules import FinalTotal, ScoringRules, TwoBoards
from workbook.events import invent, leave_unfinished
from workbook.tournaments import wishes_under

SYSTEMS = load_systems()
STEPS = (
    "most wins", "most draws", "better best game", "better second-best game", "best meeting", "sum of meetings",
    "distance", "lot", "final score", "chose last", "best total", "all games", "opponents",
    "power order", "centres by year", "latest round", "highest game", "second-highest game",
)  # fmt: skip
OF_SOME_ROUNDS = tuple(step for step in STEPS if "meeting" not in step)
GAME_STEPS = ("centre margin", "opponents", "all games", "distance", "lot", "highest game", "better game")
TEAM_STEPS = ("most wins", "all games", "distance", "lot", "highest game", "better best game")
WEIGHTS = ("all", [1, 1], [1, "1/2"], [[1], [1, "1/2"]], [1])
Dice = random.Random


def chance(dice: Dice, part: float, **settings: Any) -> dict[str, Any]:
    """Some settings, or none of them."""
    return settings if dice.random() < part else {}


def a_chain(dice: Dice, steps: Sequence[str] = STEPS) -> list[str]:
    return dice.sample(steps, dice.randrange(4))


def compose_rules(dice: Dice, given: Mapping[str, Any]) -> ScoringRules:
    """Read rules of settings drawn one by one beside those that are given, anew until they fit together."""
    while True:
        tables = compose_tables(dice, given.get("totals", {}).get("rounds"))
        tables |= {name: {**tables.get(name, {}), **table} for name, table in given.items()}
        try:
            rules = read_scoring(tables, "composed")
        except Stopped:
            continue
        is_doubtful = rules.final and rules.final.total is FinalTotal.QUALIFYING_PLUS_FINAL  # how many rounds are all
        if not any(misfits(rules)) and not (is_doubtful and rules.totals.two_boards is TwoBoards.CHOSEN):
            return rules


def compose_tables(dice: Dice, planned: int | str | None) -> dict[str, Any]:
    """Draw settings for so many rounds, some of which may contradict each other."""
    scoring = {**SYSTEMS[dice.choice(sorted(SYSTEMS))].scoring}
    scoring |= chance(dice, 0.5, replaced=dice.choice(("ask", "newcomer", "nobody", "nobody")))
    scoring |= chance(dice, 0.4, abandoned=dice.choice(("ask", "zero", "scored")))
    scoring |= chance(dice, 0.2, eliminated=dice.choice(("formula", "1 per year begun, at most 2")))
    scoring |= chance(dice, 0.2, late_seasons=14)
    compared: dict[str, Any] = {
        "by": dice.choice(("difference", "quotient", "places")),
        "in": dice.choice(("round", "event")),
    }
    compared |= {"mean": 50} if compared["by"] == "quotient" else {}
    compared |= {"bonuses": [10, 6]} if compared["by"] == "places" else {}
    scoring |= chance(dice, 0.2, compared=compared)
    rounds = planned if isinstance(planned, int) else dice.choice((2, 3, 3))
    final = {"round": rounds, "qualifying_rounds": dice.choice(([*range(1, rounds)], [1]))}
    final |= chance(dice, 0.5, total="qualifying plus final") | chance(dice, 0.5, champion="total")
    final |= chance(dice, 0.3, winners_first=True) | chance(dice, 0.4, seats=5)
    final |= chance(dice, 0.4, qualifying_weights=dice.choice(WEIGHTS), at_least_positive=dice.choice((1, 7)))
    final |= chance(dice, 0.2, positive="boards", two_boards="before the final")
    penalties = [
        {"kind": "late", "points": 3, "loses": dice.choice(("nothing", "bonuses"))},
        {"kind": "conduct", "loses": dice.choice(("everything", "bonuses")), **chance(dice, 0.5, keeps=["hat"])},
    ]
    bonuses = (
        chance(dice, 0.5, participation={"each_round": 1, "from_rounds": 2}, final_share="1/5", final_victory=5)
        | chance(dice, 0.4, preregistration={"points": 2, "rounds": dice.choice(([1, 2], [2]))})
        | chance(dice, 0.6, withdrawal=dice.choice(("1/3", {"points": 10})))
    )
    best = [{"players": 3, "after": [1], "round": 2, "times": "3/2", "ties": a_chain(dice, OF_SOME_ROUNDS)}]
    totals = {"rounds": rounds, "two_boards": dice.choice(("both", "higher", "ask", "chosen"))}
    totals |= chance(dice, 0.5, weights=dice.choice(WEIGHTS)) | chance(dice, 0.2, wins_first=True)
    totals |= chance(dice, 0.2, round_weights=["2/3", 2]) | chance(dice, 0.2, size_weights={"6": "6/7"})
    totals |= (
        chance(dice, 0.6, final=final) | chance(dice, 0.6, penalties=penalties) | chance(dice, 0.6, bonuses=bonuses)
    )
    totals |= chance(dice, 0.3, for_the_best=best)
    totals |= chance(dice, 0.2, rounding={"how": dice.choice(("half-up", "down")), "decimals": 1})
    titles = [
        {"title": "first day", "rounds": [1], "ties": a_chain(dice, OF_SOME_ROUNDS)},
        {"title": "last day", "rounds": [rounds]},
    ]
    votes = {"points": {"A": 2, "B": 1, "C": 0}, "titles": {"skill": "negotiator"}, "least_games": dice.randrange(3)}
    games = {
        "weights": {"Shark": 2},
        "points": {str(n): [9 - k for k in range(n)] for n in range(2, 7)},
        "ties": dice.choice(("lower", "average")),
    }
    awards = chance(dice, 0.4, titles=titles) | chance(dice, 0.3, votes=votes) | chance(dice, 0.3, board_games=games)
    awards |= chance(dice, 0.2, power="") | chance(dice, 0.3, power_by="centres") | chance(dice, 0.3, power_final=False)
    awards |= chance(dice, 0.2, places=[])
    ties: dict[str, Any] = {"players": a_chain(dice), "powers": a_chain(dice, GAME_STEPS)}
    ties |= {"power_order": list(reversed(Power)), "final_years": [1907, 1905], "latest_rounds": [rounds, 1]}
    ties |= chance(dice, 0.3, dropped_games_break_ties=True)
    ties |= {"qualifying": a_chain(dice), "final": a_chain(dice)} if "final" in totals else {}
    teams = {"size": 3, "rounds": dice.choice(([1], [1, 2], [rounds])), "count": dice.choice(("all", "best"))}
    tables = {"scoring": scoring, "totals": totals, "ties": ties, "awards": awards}
    if dice.random() < 0.4:
        tables["teams"] = teams
        ties["teams"] = a_chain(dice, TEAM_STEPS)
    return tables


def compose_event(dice: Dice, rules: ScoringRules) -> tuple[EventResults, tuple[Board, ...]]:
    """An event under them of one or two boards a round, perhaps in its midst; gives it and the boards that wait."""
    wishes = wishes_under(rules, dice.randrange(2))
    played = wishes.rounds - (dice.random() < 0.25)
    event = invent(
        dice.randrange(10**6),
        replace(
            wishes,
            players=dice.choice((8, 9, 14)),
            rounds=played,
            final=wishes.final and played == wishes.rounds,
            replaced=0.15,
            left_out=0.2,
        ),
    )
    names = sorted(event.players)

    def between(seat: Seat) -> Seat:
        """Of seats that changed hands some did so twice, once with somebody who came back."""
        if not seat.instead_of or dice.random() < 0.3:
            return seat
        first, other = dice.sample(names, 2)
        return replace(seat, instead_of=first, between=(Between(dice.choice((first, other)), 3),), arrived=5)

    boards = tuple(
        replace(board, seats={power: between(seat) for power, seat in board.seats.items()}) for board in event.boards
    )
    noted = replace(
        event,
        boards=boards,
        penalties=tuple(replace(one, round=dice.choice((None, 1, 2))) for one in event.penalties),
        honours=tuple(Honour(award=award, player=names[0]) for award in ("hat", "prize")[: dice.randrange(3)]),
        players={
            name: replace(
                player,
                chosen={n: dice.choice("AB") for n in event.rounds if dice.random() < 0.3},
                both=frozenset({1} if dice.random() < 0.1 else ()),
            )
            for name, player in event.players.items()
        },
    )
    return leave_unfinished(dice.randrange(99), noted, 0.6) if dice.random() < 0.25 else (noted, ())

"""Boards that tell formulas apart: every distance from the top, every shared place, years in which powers died."""

import random
from collections.abc import Iterator, Sequence
from enum import Enum

from msgspec import Struct
from msgspec.structs import asdict, replace

from pipeline.rules.load import load_systems
from pipeline.rules.scoring import read_scoring
from pipeline.scoring.results import Board, Entrant, EventResults
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.score import score
from pipeline.words.speech import IN_ENGLISH, Speech
from pipeline.workbook.write import write_workbook
from workbook.events import POWERS, Wishes, invent_board, invent_years

SYSTEMS = load_systems()
# leads of 0 to 5 and more, gaps of 1 to 6 below the top, two to seven who share each place, neutral centres, solos
TELLING = (
    (9, 8, 6, 5, 3, 2, 1), (8, 8, 5, 5, 4, 4, 0), (10, 6, 6, 6, 3, 3, 0), (7, 6, 5, 4, 4, 4, 4), (11, 7, 5, 5, 5, 1, 0),
    (12, 9, 6, 4, 3, 0, 0), (6, 6, 6, 6, 4, 3, 3), (13, 8, 8, 2, 1, 1, 1), (17, 17, 0, 0, 0, 0, 0),
    (5, 5, 5, 5, 5, 5, 4), (14, 9, 4, 4, 3, 0, 0), (16, 4, 4, 4, 4, 2, 0), (9, 9, 9, 3, 3, 1, 0),
    (3, 3, 3, 3, 3, 3, 3), (18, 9, 4, 3, 0, 0, 0), (17, 6, 5, 3, 3, 0, 0),
)  # fmt: skip


def telling_event(seed: int, boards: Sequence[Sequence[int]] = TELLING) -> EventResults:
    """One round of boards with these counts, in any order of the powers, with years and draws at random."""
    dice = random.Random(seed)
    played = tuple(_telling_board(dice, number, counts) for number, counts in enumerate(boards, start=1))
    names = [seat.player for board in played for seat in board.seats.values() if seat.player]
    return EventResults(boards=played, players={name: Entrant(name=name) for name in names})


def _telling_board(dice: random.Random, number: int, counts: Sequence[int]) -> Board:
    seated = [f"Player {number:03d} {letter}" for letter in "ABCDEFG"]
    wishes = Wishes(players=7, rounds=1, left_out=0.15, rulings=0)
    made = invent_board(dice, 1, str(number), seated, wishes, is_last=False)
    centres = dict(zip(POWERS, dice.sample(list(counts), 7), strict=True))
    years = invent_years(dice, centres) if dice.random() < 0.9 else {}
    out = frozenset(power for power in made.left_out if centres[power])
    return replace(made, centres=centres, years=years, unowned=made.total - sum(counts), left_out=out)


def shared_out(dice: random.Random) -> list[int]:
    """Centres at random: close together as often as far apart, seldom a solo, sometimes neutral ones."""
    centres = 34 - dice.choice((0, 0, 0, 1, 4))
    weights = [dice.random() ** dice.choice((0.2, 0.6, 2)) for _ in range(7)]
    counts = [int(centres * weight / sum(weights)) for weight in weights]
    counts[dice.randrange(7)] += centres - sum(counts)
    return counts


def system_rules(name: str) -> ScoringRules:
    return read_scoring({"scoring": SYSTEMS[name].scoring, "totals": {"rounds": 1}}, name)


def book_of(name: str, event: EventResults, speech: Speech = IN_ENGLISH) -> bytes:
    """The workbook of an event under a system."""
    return write_workbook(score(event, system_rules(name)), title=name, sealed=False, speech=speech).data


def features(value: object, where: str = "") -> Iterator[str]:
    """All that changes how the formulas of a system are written: its blocks, and the words of their settings."""
    if isinstance(value, Struct):
        kind = type(value).__name__
        yield f"{where} {kind}"
        for name, inner in asdict(value).items():
            yield from features(inner, f"{kind}.{name}")
    elif isinstance(value, tuple | list):
        yield f"{where} {'some' if value else 'none'}"
        for inner in value:
            yield from features(inner, where)
    elif isinstance(value, Enum | bool) or value is None:
        yield f"{where} {value}"


def covering() -> list[str]:
    """Few systems that together have every feature of all."""
    has = {name: set(features(system_rules(name).system)) for name in SYSTEMS}
    wanted, chosen = set[str]().union(*has.values()), list[str]()
    while wanted:
        best = max(has, key=lambda name: (len(has[name] & wanted), name))
        chosen.append(best)
        wanted -= has[best]
    return chosen

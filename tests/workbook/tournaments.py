"""The five tournaments, and the events invented for each: what its rules know of, and many ties."""

import tomllib
from functools import cache

from pipeline.rules.scoring import read_scoring
from pipeline.scoring.rules import ScoringRules
from pipeline.small_files import data_folder
from workbook.events import Wishes

TOURNAMENTS = ("weaselmoot", "wdc2008", "edc1996", "edc2023", "nzdc1999")
SIZES = (7, 21, 14, 35, 9, 28, 70, 17, 49, 140)  # players; small ones more often than large ones
LARGE_EVERY = 25  # events: one in so many has 70 players or more, so that hundreds can be compared in an hour


@cache
def rules_of(name: str) -> ScoringRules:
    """Read the scoring rules of a tournament."""
    path = data_folder("templates/rules") / f"{name}.toml"
    return read_scoring(tomllib.loads(path.read_text("utf-8")), path.name)


def wishes_for(name: str, seed: int) -> Wishes:
    """What the seed's event of a tournament is to have."""
    return wishes_under(rules_of(name), seed)


def wishes_under(rules: ScoringRules, seed: int) -> Wishes:
    """What the seed's event under some rules is to have."""
    size = SIZES[seed % len(SIZES)]
    if size >= 49 and seed % LARGE_EVERY > 9:
        size = SIZES[seed % 4]
    return Wishes(
        players=size,
        rounds=(rules.totals.rounds or 3) + (seed % 3 == 0 and not rules.final),
        final=bool(rules.final),
        late=0.1,
        replaced=0.05,
        abandoned=0.1,
        pools={
            pool.round: [other.name for other in rules.totals.pools if other.round == pool.round]
            for pool in rules.totals.pools
        },
        sandard=rules.system.has_sandard,
        two_boards=0.6,
        directors=seed % 2,
        teams=rules.teams.size if rules.teams else 0,
        penalties={rule.kind: 0.07 for rule in rules.penalties} | {"own word": 0.04},
        skills=tuple(rules.votes.titles) if rules.votes else (),
        board_games=tuple(rules.board_games.weights) if rules.board_games else (),
        bonuses={"withdrawal": 0.06, "preregistration": 0.04, "participation": 0.03, "nice hat": 0.03},
    )

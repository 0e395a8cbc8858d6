"""How the numbers that a tie-break compares are said in words, by formula."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from pipeline.board.map import Power
from pipeline.scoring.games.system import Outcome
from pipeline.scoring.totals.tiebreaks import COARSE, FINE

UNPLAYED_BELOW = -99999  # no score and no place is as low; a game that was not played is


class Said(Enum):
    """How one key is said; the value is the code above its column."""

    NUMBER = 0
    OUTCOME = 1  # 4 is a win
    PLACE = 2  # negative; the next key says how many share it, negative
    SHARERS = 3  # negative; the key before says the place
    DRAWN = 4  # negative; the place in the lot
    POWER = 5  # 0 is the first of an order of powers, -1 the second


@dataclass(frozen=True, slots=True)
class Keys:
    """Formulas of a key and of what it takes to say it."""

    own: str
    code: str  # how it is said
    before: str  # the key on its left
    after: str  # the key on its right
    other: str  # the neighbour's


def words(codes: Sequence[Said], keys: Keys, powers: Sequence[Power]) -> str:
    """Say one key by its code."""
    used = set(codes)
    formula = number(keys)
    for said in Said:
        if said in used and said is not Said.NUMBER:
            formula = f"IF({keys.code}={said.value},{one(said, keys, powers)},{formula})"
    return f'IF({keys.own}<{UNPLAYED_BELOW},"not played",{formula})'


def number(keys: Keys) -> str:
    """Say a number, with as many decimals as it takes to tell it from the neighbour's."""
    alike = f"ROUND({keys.own},{COARSE})=ROUND({keys.other},{COARSE})"
    return f'ROUND({keys.own},IF({alike},{FINE},{COARSE}))&""'


def one(said: Said, keys: Keys, powers: Sequence[Power]) -> str:
    """Say one key."""
    match said:
        case Said.NUMBER:
            return number(keys)
        case Said.OUTCOME:
            names = ",".join(f'"{outcome}"' for outcome in reversed(Outcome))
            return f"CHOOSE({keys.own}+1,{names})"
        case Said.PLACE:
            return place(keys.own, keys.after)
        case Said.SHARERS:
            return place(keys.before, keys.own)
        case Said.DRAWN:
            return f'"drawn "&-{keys.own}&"."'
        case Said.POWER:
            names = ",".join(f'"{power}"' for power in powers)
            return f"CHOOSE(1-{keys.own},{names})"
        case _:
            assert_never(said)


def place(key: str, sharers: str) -> str:
    """Say a place and how many share it."""
    return f'"place "&-{key}&IF({sharers}<-1," shared by "&-{sharers},"")'

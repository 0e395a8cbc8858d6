"""How the numbers that a tie-break compares are said in words, by formula."""

from collections.abc import Sequence
from enum import Enum

from pipeline.board.map import Power
from pipeline.scoring.system import Outcome

UNPLAYED_BELOW = -99999  # no score and no place is as low; a game that was not played is


class Said(Enum):
    """How one key is said; the value is the code above its column."""

    NUMBER = 0
    OUTCOME = 1  # 4 is a win
    PLACE = 2  # negative; the next key says how many share it, negative
    SHARERS = 3  # negative; the key before says the place
    DRAWN = 4  # negative; the place in the lot
    POWER = 5  # 0 is the first of an order of powers, -1 the second


def words(codes: Sequence[Said], key: str, code: str, before: str, after: str, powers: Sequence[Power]) -> str:
    """Say one key by its code; ``before`` and ``after`` are the keys beside it."""
    used = set(codes)
    formula = f'ROUND({key},3)&""'
    for said in Said:
        if said in used and said is not Said.NUMBER:
            formula = f"IF({code}={said.value},{one(said, key, before, after, powers)},{formula})"
    return f'IF({key}<{UNPLAYED_BELOW},"not played",{formula})'


def one(said: Said, key: str, before: str, after: str, powers: Sequence[Power]) -> str:
    """Say one key."""
    match said:
        case Said.NUMBER:
            return f'ROUND({key},3)&""'
        case Said.OUTCOME:
            names = ",".join(f'"{outcome}"' for outcome in reversed(Outcome))
            return f"CHOOSE({key}+1,{names})"
        case Said.PLACE:
            return place(key, after)
        case Said.SHARERS:
            return place(before, key)
        case Said.DRAWN:
            return f'"drawn "&-{key}&"."'
        case Said.POWER:
            names = ",".join(f'"{power}"' for power in powers)
            return f"CHOOSE(1-{key},{names})"


def place(key: str, sharers: str) -> str:
    """Say a place and how many share it."""
    return f'"place "&-{key}&IF({sharers}<-1," shared by "&-{sharers},"")'

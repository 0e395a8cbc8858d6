"""The die of the last years, with a seed that everybody can check (WM VIII.4).

Before the roll the desk shows the hash of a secret seed. Then somebody in the room calls a word. The die is made of
both together: the desk could not know the word, nobody could know the seed, and afterwards both are shown.
"""

import hashlib
from dataclasses import dataclass
from itertools import count

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import games
from pipeline.ledger.events import DiceCommitted, DiceRolled
from pipeline.ledger.files.claims import Claims
from pipeline.ledger.ledger import Fact
from pipeline.problems import stop
from pipeline.rules.end_conditions import dice_end_the_game

FAIR = 252  # the largest multiple of six that a byte holds: higher bytes are drawn again


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """One roll for a round: committed, and perhaps rolled."""

    round: int
    number: int  # 1.. in the round
    hash: str
    seed: str | None = None
    word: str = ""
    die: int = 0
    ends: bool = False
    year: int | None = None  # after whose Fall it is rolled; older facts do not say


def hash_of(seed: str) -> str:
    """What is shown before the roll.

    >>> hash_of("moot")[:8]
    'b3253887'
    """
    return hashlib.sha256(seed.encode()).hexdigest()


def die_of(seed: str, word: str) -> int:
    """The die that a seed and a word make; anybody can work it out again.

    >>> [die_of("seed", word) for word in ("apple", "pear", "plum")]
    [6, 2, 1]
    """
    text = f"{seed} {' '.join(word.casefold().split())}"
    for turn in count():
        byte = hashlib.sha256(f"{text} {turn}".encode()).digest()[0]
        if byte < FAIR:
            return byte % 6 + 1
    raise AssertionError("count() does not end")


def rolls(event: Event, round_number: int) -> tuple[Roll, ...]:
    """Every roll of a round, oldest first; at most the last is not rolled yet."""
    found: dict[int, Roll] = {}
    for committed in event.facts.told(DiceCommitted):
        said = committed.said
        if said.round == round_number:
            found[said.number] = Roll(round=round_number, number=said.number, hash=said.hash, year=said.year)
    for rolled in event.facts.told(DiceRolled):
        it = rolled.said
        if it.round == round_number:
            found[it.number] = Roll(
                round=it.round,
                number=it.number,
                hash=it.hash,
                seed=it.seed,
                word=it.word,
                die=it.die,
                ends=it.ends,
                year=it.year,
            )
    return tuple(found[number] for number in sorted(found))


def commit(event: Event, claims: Claims, round_number: int, seed: str, by: str) -> Roll:
    """Choose the seed of the next roll and show its hash; the seed itself stays sealed until the word is called."""
    if not event.tournament.ending.dice.added.value:
        raise stop("this tournament ends no game by dice", f"round {round_number}")
    before = rolls(event, round_number)
    if before and before[-1].seed is None:
        raise stop("a roll is waiting for its word", f"round {round_number}")
    if before and before[-1].ends:
        raise stop("the dice have ended this round", f"round {round_number}")
    number, year = len(before) + 1, year_of_roll(event, round_number)
    if before and before[-1].year == year:
        raise stop(f"there was a roll after Fall {year}; the next is after the next Fall", f"round {round_number}")
    claims.keep_secret(f"dice {round_number}.{number} {hash_of(seed)}", seed)
    event.facts.write(DiceCommitted(round=round_number, number=number, hash=hash_of(seed), year=year), by)
    return rolls(event, round_number)[-1]


def year_of_roll(event: Event, round_number: int) -> int:
    """The year that has just been played: a die is rolled at the end of a Fall, when the first board is through."""
    phases = [
        game.position.phase for game in games(event).values() if game.seating.round == round_number and not game.ended
    ]
    year = max((phase.last_count for phase in phases if phase.last_count is not None), default=None)
    if year is None:
        where = f"round {round_number}"
        raise stop("a die is rolled at the end of a Fall, and no board of this round has played one", where)
    return year


def reveal(event: Event, claims: Claims, round_number: int, word: str, by: str) -> Fact[DiceRolled]:
    """Roll with the word that was called, and show the seed."""
    before = rolls(event, round_number)
    if not before or before[-1].seed is not None:
        raise stop("no roll is waiting; show a hash first", f"round {round_number}")
    if not word.strip():
        raise stop("somebody in the room must call a word first", f"round {round_number}")
    roll = before[-1]
    seed = claims.secret(f"dice {round_number}.{roll.number} {roll.hash}", roll.hash)
    if seed is None:
        raise stop(
            "the sealed seed is lost (claims.db is not what it was); roll a real die, and write it down",
            str(event.folder),
        )
    die = die_of(seed, word)
    said = DiceRolled(
        round=round_number,
        number=roll.number,
        hash=roll.hash,
        seed=seed,
        word=word,
        die=die,
        year=roll.year,
        ends=bool(dice_end_the_game(roll.number, die, event.tournament.ending.dice)),
    )
    return event.facts.write(said, by)

"""What went wrong with somebody's data: a value to collect and show, never an exception."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Weight(StrEnum):
    """How much a problem holds up."""

    STOPS = "stops"  # nothing downstream of this may run
    ASKS = "asks"  # a human rules on it at the desk
    NOTES = "notes"  # shown, and nothing waits


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to show the director: what it is, and where to look.

    >>> print(Problem(Weight.ASKS, "'Bvr' could be bur or ber", "France S1902 line 3"))
    asks   France S1902 line 3: 'Bvr' could be bur or ber
    """

    weight: Weight
    text: str  # what was found, what was wanted, how to mend it; lower case, no full stop
    where: str

    def __str__(self) -> str:
        return f"{self.weight:<6} {self.where}: {self.text}"


class Stopped(Exception):
    """Work that cannot go on: every fault that stops it, at once. The commands print them and exit with ``code``."""

    def __init__(self, problems: Iterable[Problem], code: int = 2) -> None:
        self.problems = tuple(problems)
        self.code = code
        super().__init__("; ".join(f"{p.where}: {p.text}" for p in self.problems))

    def __reduce__(self) -> tuple[type["Stopped"], tuple[tuple[Problem, ...], int]]:
        """It crosses from one process to another whole, its problems and its code with it."""
        return Stopped, (self.problems, self.code)


def stop(text: str, where: str, code: int = 2) -> Stopped:
    """Make the exception for a single fault that stops the work.

    >>> stop("no such file; check the name", "players.csv").problems[0].text
    'no such file; check the name'
    """
    return Stopped((Problem(Weight.STOPS, text, where),), code)

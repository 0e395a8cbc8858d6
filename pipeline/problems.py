"""What went wrong with somebody's data: a value to collect and show, never an exception."""

from collections.abc import Iterable
from enum import IntEnum, StrEnum

from msgspec import Struct


class Weight(StrEnum):
    """How much a problem holds up."""

    STOPS = "stops"  # nothing downstream of this may run
    ASKS = "asks"  # the director must decide it
    NOTES = "notes"  # shown, and nothing waits


class ExitCode(IntEnum):
    """The exit codes of the commands. The numbers are public (docs/reference/commands.md) and stay as they are.

    >>> ExitCode.RULE_FIRST == 3, f"{ExitCode.RULE_FIRST}"
    (True, '3')
    """

    DONE = 0
    WITH_FAULTS = 1  # some objects, files or differences; everything else is done
    WRONG_INPUT = 2  # nothing was done
    RULE_FIRST = 3  # the director must rule first
    MACHINE_LACKS = 4  # something is missing on this machine, or the disk is full
    # used only by the pages: no command exits with these
    STALE = 5  # a decision on something that has changed since it was shown
    TOO_MUCH = 6  # more came than is taken at once
    TOO_SLOW = 7  # it came too slowly


class Problem(Struct, frozen=True):
    """One thing to show the director: what it is, and where to look.

    >>> print(Problem(Weight.ASKS, "'Bvr' could be bur or ber", "France S1902 line 3"))
    asks   France S1902 line 3: 'Bvr' could be bur or ber
    """

    weight: Weight
    text: str  # what was found, what was wanted, how to mend it; lower case, no full stop
    where: str

    def __str__(self) -> str:
        return f"{self.weight:<6} {self.where}: {self.text}"


class UnknownWords(Problem, frozen=True):
    """Unknown words, and what may be meant instead: a page makes a button of each."""

    typed: str
    meant: tuple[str, ...]


class Stopped(Exception):
    """Work that cannot go on: every fault that stops it, at once. The commands print them and exit with ``code``."""

    def __init__(self, problems: Iterable[Problem], code: ExitCode = ExitCode.WRONG_INPUT) -> None:
        self.problems = tuple(problems)
        self.code = code
        super().__init__("; ".join(f"{p.where}: {p.text}" for p in self.problems))

    def __reduce__(self) -> tuple[type["Stopped"], tuple[tuple[Problem, ...], ExitCode]]:
        """Pickle the exception with its problems and exit code, to pass it between processes."""
        return Stopped, (self.problems, self.code)


def stop(text: str, where: str, code: ExitCode = ExitCode.WRONG_INPUT) -> Stopped:
    """Make the exception for a single fault that stops the work.

    >>> stop("no such file; check the name", "players.csv").problems[0].text
    'no such file; check the name'
    """
    return Stopped((Problem(Weight.STOPS, text, where),), code)

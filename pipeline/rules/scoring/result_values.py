"""Reading results that somebody wrote as JSON: every fault at once, each with its path and how to mend it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

from pipeline.board.map import Power
from pipeline.problems import Problem, Weight
from pipeline.rules.toml.table import MOST, did_you_mean, in_short, is_counted
from pipeline.scoring.results.exact import exact

POWERS = tuple(str(power) for power in Power)
NOBODY = frozenset({"", "gm", "td", "cd", "civil disorder", "nobody", "none"})  # positions no player scores with


@dataclass(slots=True)
class Facts:
    """The faults found so far, and the names that are known."""

    problems: list[Problem] = field(default_factory=list)
    names: dict[str, None] = field(default_factory=dict)  # everyone on a board or in the roster, in order

    def fault(self, where: str, text: str) -> None:
        """Note one fault."""
        self.problems.append(Problem(Weight.STOPS, text, where))

    def table(self, value: object, where: str) -> Mapping[str, Any]:
        """Take an object; nothing where there is none."""
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self.fault(where, f"expected an object, found {value!r}")
            return {}
        return value

    def rows(self, value: object, where: str) -> Iterator[tuple[str, Any]]:
        """Walk a list with the path of each element."""
        if value is not None and not isinstance(value, list):
            self.fault(where, f"expected a list, found {value!r}")
            return
        for number, inside in enumerate(value or []):
            yield f"{where}[{number}]", inside

    def misspelt(self, table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
        """Refuse a key that is nearly one we know; others may stand there for somebody else."""
        for key in table:
            near = [] if key in known else get_close_matches(key, known, n=1, cutoff=0.8)
            if near:
                self.fault(f"{where}.{key}".lstrip("."), f"unknown field; did you mean {near[0]!r}?")

    def power(self, word: object, where: str) -> Power | None:
        """Read a power by its name."""
        name = str(word).strip().upper()
        if name in POWERS:
            return Power(name)
        self.fault(where, f"unknown power {word!r}; expected one of {', '.join(POWERS)}{did_you_mean(name, POWERS)}")
        return None

    def count(self, value: object, where: str, least: int = 0) -> int:
        """Read a whole number."""
        if type(value) is not int:
            self.fault(where, f"expected a whole number, found {value!r}")
            return least
        if value < least:
            self.fault(where, f"expected {least} or more, found {in_short(value)}")
            return least
        if not is_counted(value):
            self.fault(where, f"expected a number up to {MOST:,}, found {in_short(value)}")
            return least
        return value

    def points(self, value: object, where: str) -> Fraction:
        """Read exact points."""
        try:
            return exact(value)
        except ValueError as error:
            self.fault(where, str(error))
            return Fraction()

    def truth(self, value: object, where: str) -> bool:
        """Read yes or no; nothing is no."""
        if value not in (None, True, False) or type(value) is int:
            self.fault(where, f"expected true or false, found {value!r}")
        return value is True

    def name(self, value: object, where: str) -> str:
        """Read the name of somebody who must be known."""
        name = self.new_name(value, where)
        if name and name not in self.names:
            known = tuple(self.names)
            self.fault(where, f"{name!r} is on no board and not among the players{did_you_mean(name, known)}")
        return name

    def new_name(self, value: object, where: str) -> str:
        """Read a name."""
        if not isinstance(value, str | int) or isinstance(value, bool) or not str(value).strip():
            self.fault(where, f"expected a name, found {value!r}")
            return ""
        return str(value).strip()


def first_of(table: Mapping[str, Any], *keys: str) -> Any:
    """Take the first of several spellings of a field that is there."""
    return next((table[key] for key in keys if table.get(key) is not None), None)

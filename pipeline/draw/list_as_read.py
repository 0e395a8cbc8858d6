"""A list of players while it is read: what the director decided about it, the notes so far, and what it gave."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from pipeline.draw.name_doubts import RowDoubt
from pipeline.draw.roster import ListPlace, Player
from pipeline.problems import Problem, Weight


class RosterChoices(Struct, frozen=True, kw_only=True):
    """The director's choices about a list."""

    columns: Mapping[str, str] = field(default_factory=dict)  # heading -> a column of `MEANINGS`; "": only kept
    merged: tuple[str, ...] = ()  # names whose entries are one person's
    both: tuple[str, ...] = ()  # names that look alike and are two people's
    # row -> his name, or those of several players; "": nobody's; None: as it stands
    rows: Mapping[str, str | tuple[str, ...] | None] = field(default_factory=dict)
    encoding: str = ""  # how a text file was saved
    sheets: tuple[str, ...] = ()  # the sheets of a workbook that hold the players


class ListColumn(Struct, frozen=True):
    """One column of a list, and what it is taken for."""

    heading: str
    meaning: str  # one of `MEANINGS`; "" is kept and not used
    sample: str  # its first value


class EncodingGuess(Struct, frozen=True):
    """One way to read a text file that does not say how it was saved."""

    encoding: str
    title: str
    samples: tuple[str, ...]  # up to three names that it spells otherwise than the others


class ReadRoster(Struct, frozen=True):
    """What a list gave."""

    players: tuple[Player, ...]
    problems: tuple[Problem, ...]
    columns: tuple[ListColumn, ...] = ()
    alike: tuple[str, ...] = ()  # names that stand twice, or nearly: one person, or two
    same: tuple[str, ...] = ()  # those that are identical apart from capitals: two people of one name need an initial
    doubtful: tuple[RowDoubt, ...] = ()  # rows that may name no player, and are not among the players
    encodings: tuple[EncodingGuess, ...] = ()  # how a text file may have been saved, the likeliest first
    sheets: tuple[str, ...] = ()  # of a workbook: those that hold players; more than one are asked about


class AskedLine(NamedTuple):
    """What is asked about a line of a list."""

    why: str
    is_likely: bool  # whether it is a player, as it seems


class RosterTable(Struct):
    """A list while it is read: what the director decided about it, and the notes so far."""

    where: str
    choices: RosterChoices
    below_gap: Collection[ListPlace]  # rows below an empty one
    struck: Collection[ListPlace]
    notes: list[Problem]
    asked: dict[ListPlace, AskedLine] = field(default_factory=dict)
    clubs: dict[ListPlace, str] = field(default_factory=dict)  # that stand behind a name, and are not asked about

    def note(self, text: str, line: ListPlace | None = None, weight: Weight = Weight.NOTES) -> None:
        where = self.where if line is None else f"{self.where} row {line}"
        self.notes.append(Problem(weight, text, where))


def row_text(row: Sequence[str]) -> str:
    """The cells of a row on one line, to show it."""
    return " · ".join(" ".join(cell.split()) for cell in row if cell.strip())


def say_no_list(kind: str) -> str:
    """Say that a file or a text is no list of players, and how to mend it."""
    return f"this is {kind}, and no list of players; save the list as .xlsx or .csv"


def list_lines(lines: Sequence[ListPlace]) -> str:
    """The numbers of rows, of many the first."""
    return ", ".join(map(str, lines[:20])) + (" …" if len(lines) > 20 else "")


MOST_TOLD = 3  # clubs


def list_some(texts: Iterable[str]) -> str:
    """Different texts, of many the first."""
    different = list(dict.fromkeys(texts))
    more = f" and {len(different) - MOST_TOLD} more" if len(different) > MOST_TOLD else ""
    return f"{', '.join(different[:MOST_TOLD])[:120]}{more}"

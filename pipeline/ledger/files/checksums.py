"""How it is known that facts are as they were written: looked at one after the other, none missing, each with its sum.

A fact's sum is of the fact alone; its link is of the link before and of the sums of all facts since. Facts that were
written down before there were links are covered by the first one. Facts are read from their table, in the order of
their numbers, and never by way of an index: what is looked at is what is read. How many there must be is known from
three places: SQLite's own counter, the newest link, and a file beside the facts, which no damage to them or to
SQLite's log can set back.
"""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.problems import Problem, Weight

FIRST = ""  # what the first link rests on
HEAD = json.JSONEncoder(default=repr).encode  # of a damaged file they may be anything
ALL_GOOD = "ok"  # what SQLite says of a whole file
TIP = "-tip"  # beside the file of the facts: how far they go
Row = tuple[Any, ...]  # of a damaged file they may be anything


def sum_of(number: int, at: str, by: str, kind: str, body: str) -> str:
    """The checksum of a fact (SHA-256, hexadecimal), of everything that is written down of it."""
    head = HEAD([number, at, by, kind])
    return hashlib.sha256(f"{head}\n{body}".encode("utf-8", "surrogatepass")).hexdigest()


def link_of(before: str, sums: Iterable[str]) -> str:
    """The link that follows another, over the sums of the facts since.

    >>> link_of("", ["a", "b"]) == link_of("", ["b", "a"])
    False
    """
    return hashlib.sha256("\n".join((before, *sums)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class LastWritten:
    """How far facts went when somebody last wrote one down."""

    fact: int = 0
    link: str = FIRST

    def as_text(self) -> str:
        """One line, always of the same length, so that it is written over the one before in one go."""
        said = f"{self.fact:>12} {self.link}"
        return f"{said} {hashlib.sha256(said.encode()).hexdigest()[:16]}\n"


def tip_beside(path: Path) -> Path:
    """Where it is kept how far the facts of a file go."""
    return path.with_name(path.name + TIP)


def read_tip(path: Path) -> LastWritten:
    """How far the facts of a file went; nothing where that is not kept, or is itself damaged."""
    with suppress(OSError, ValueError):
        text = tip_beside(path).read_text("ascii")
        number, link, _ = text.split()
        found = LastWritten(int(number), link)
        if found.as_text() == text:
            return found
    return LastWritten()


def keep_tip(path: Path, tip: LastWritten) -> None:
    """Keep how far the facts go, once they are on the disk; where that cannot be, the one before is true still."""
    with suppress(OSError):
        file = os.open(tip_beside(path), os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        try:
            os.write(file, tip.as_text().encode())
        finally:
            os.close(file)


@dataclass(slots=True)
class FactsSeen:
    """The facts that were looked at so far, in the order of their numbers."""

    number: int = 0  # of the newest
    sums: list[str] = field(default_factory=list)  # of fact 1, 2, 3 ..., as long as nothing was wrong
    by_kind: dict[str, list[int]] = field(default_factory=dict)  # their numbers
    is_summed: bool = False  # whether one had its sum beside it: then every later one has

    def at(self, row: Row) -> Iterator[str]:
        """Look at the next fact; what is wrong with it."""
        number, kind, kept = row[0], row[3], row[5]
        if not isinstance(number, int) or number <= self.number:
            yield f"fact {number!r} stands in the wrong place"
            return
        if number > self.number + 1:
            yield missing(self.number + 1, number - 1)
        now = sum_of(*row[:5])
        if now != kept and (kept is not None or self.is_summed):
            yield f"fact {number} ({kind}) is not what was written down"
        self.number, self.is_summed = number, self.is_summed or kept is not None
        self.sums.append(now)
        self.by_kind.setdefault(kind, []).append(number)

    def forget(self, after: int) -> None:
        """The facts after one are none any more."""
        if after < self.number:
            self.number = after
            del self.sums[after:]
            self.by_kind = {kind: [each for each in found if each <= after] for kind, found in self.by_kind.items()}


def missing(first: int, last: int) -> str:
    """Say which facts are gone: they are numbered 1, 2, 3 without a gap."""
    return f"fact {first} is missing" if first == last else f"facts {first} to {last} are missing"


def rows_after(connection: sqlite3.Connection, number: int, *, has_sums: bool) -> Iterator[Row]:
    """The facts after one as they stand in their table, each with its sum and link, or None."""
    sums = ("sum, chain", "LEFT JOIN checksums ON fact = id") if has_sums else ("NULL, NULL", "")
    return connection.execute(
        f"SELECT id, at, by, kind, body, {sums[0]} FROM facts NOT INDEXED {sums[1]} WHERE id > ? ORDER BY id", (number,)
    )


def rows_of(connection: sqlite3.Connection, numbers: Iterable[int]) -> Iterator[Row]:
    """Some facts by their numbers, as they stand in their table."""
    return connection.execute(
        "SELECT facts.id, at, by, kind, body FROM json_each(?) AS wanted "
        "CROSS JOIN facts NOT INDEXED ON facts.id = wanted.value",
        (json.dumps(list(numbers)),),
    )


def newest_told(connection: sqlite3.Connection, *, has_sums: bool) -> int:
    """The number of the newest fact as it is told elsewhere in the file than in the table of facts."""
    counters = ["SELECT CAST(seq AS INTEGER) FROM sqlite_sequence WHERE name = 'facts'"]
    counters += ["SELECT MAX(fact) FROM checksums"] if has_sums else []
    rows = [connection.execute(counter).fetchone() for counter in counters]
    return max(row[0] or 0 if row else 0 for row in rows)


def look_on(connection: sqlite3.Connection, path: Path, look: FactsSeen, *, has_sums: bool) -> Iterator[str]:
    """Look at all facts that were not looked at yet; what is wrong with them, one after the other."""
    tip = read_tip(path)  # before the facts: who writes one meanwhile keeps the tip behind it
    newest = newest_told(connection, has_sums=has_sums)
    beside = f"as {tip_beside(path).name} beside it tells (to go on without it, delete that file)"
    for row in rows_after(connection, look.number, has_sums=has_sums):
        yield from look.at(row)
        if row[0] == tip.fact and row[6] != tip.link:
            yield f"fact {tip.fact} ({row[3]}) is another than was written down, {beside}"
    if newest > look.number:
        yield missing(look.number + 1, newest)
    elif tip.fact > look.number:
        yield f"{missing(look.number + 1, tip.fact)}, {beside}"


@dataclass(frozen=True, slots=True)
class FileLinks:
    """The links of one file."""

    connection: sqlite3.Connection

    def last(self) -> tuple[int, str]:
        """The fact of the newest link, and the link; 0 where there is none."""
        row = self.connection.execute("SELECT fact, chain FROM checksums ORDER BY fact DESC LIMIT 1").fetchone()
        return (int(row[0]), str(row[1])) if row else (0, FIRST)

    def sums_between(self, before: int, number: int) -> Iterator[str]:
        """The sums of the facts after one and before another: those that have no link of their own."""
        rows = self.connection.execute(
            "SELECT id, at, by, kind, body FROM facts NOT INDEXED WHERE id > ? AND id < ? ORDER BY id", (before, number)
        )
        for row in rows:
            yield sum_of(*row)


def verify(connection: sqlite3.Connection, path: Path, mend: str, *, has_sums: bool) -> tuple[Problem, ...]:
    """Everything that tells that the facts are not as they were written down."""
    found: list[str] = []
    try:
        found += look_on(connection, path, FactsSeen(), has_sums=has_sums)
        found += broken(connection) if has_sums else ()
        whole = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
        found += [f"the file is damaged: {text}" for text in whole if text != ALL_GOOD]
    except sqlite3.Error as error:
        found.append(f"the file is damaged: {error}")
    return tuple(Problem(Weight.STOPS, f"{text}; {mend}", str(path)) for text in found)


def broken(connection: sqlite3.Connection) -> Iterator[str]:
    """The links that do not follow from the sums."""
    before, since = FIRST, list[str]()
    for *fact, kept, link in rows_after(connection, 0, has_sums=True):
        since.append(sum_of(*fact) if kept is None else kept)
        if link is None:
            continue
        if link_of(before, since) != link:
            yield f"the chain of checksums breaks at fact {fact[0]}: a fact before it is missing, or is another"
        before, since = link, []

"""Verification: facts are read one after the other, none missing, each with its checksum.

A fact's sum is over the fact alone; its link is over the previous link and that sum. Facts are read from their table,
in the order of their numbers, never through an index, so that exactly what was verified is used. Their number is
known from three places: SQLite's own counter, the newest link, and a file beside the facts, which damage to the facts
or to SQLite's log cannot reset.
"""

import hashlib
import json
import os
import sqlite3
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from operator import itemgetter
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from pipeline.ledger.fact_file import SCHEMA
from pipeline.ledger.files import WITHOUT_WAITING
from pipeline.problems import Problem, Weight
from pipeline.small_files import read_small

FIRST = ""  # the link before the first one
HEAD = json.JSONEncoder(default=repr).encode  # of number, time, author, kind: a damaged file may hold anything
ALL_GOOD = "ok"  # SQLite's answer for an undamaged file
BESIDE = "-tip"  # suffix of the file that holds what was written last
DatabaseRow = tuple[Any, ...]  # in a damaged file they may be anything


def sum_of(number: int, at: str, by: str, kind: str, body: str) -> str:
    """The checksum of a fact (SHA-256, hexadecimal), of everything that is written down of it."""
    head = HEAD([number, at, by, kind])
    return hashlib.sha256(f"{head}\n{body}".encode("utf-8", "surrogatepass")).hexdigest()


def link_of(before: str, own: str) -> str:
    """The link that follows another, over the sum of one more fact.

    >>> link_of(link_of("", "a"), "b") == link_of(link_of("", "b"), "a")
    False
    """
    return hashlib.sha256(f"{before}\n{own}".encode()).hexdigest()


class LastWritten(Struct, frozen=True):
    """Number and link of the newest fact, as of the last write; kept in a file beside the facts."""

    fact: int = 0
    link: str = FIRST

    def as_text(self) -> str:
        """One line of constant length, so that it overwrites the previous one in a single write."""
        said = f"{self.fact:>12} {self.link}"
        return f"{said} {hashlib.sha256(said.encode()).hexdigest()[:16]}\n"


def file_beside(path: Path) -> Path:
    """The path of the file that says what was written last."""
    return path.with_name(path.name + BESIDE)


def read_last_written(path: Path) -> LastWritten:
    """Read what was written last; number 0 if the file beside the facts is missing or damaged."""
    with suppress(OSError, ValueError):
        text = read_small(file_beside(path)).decode("ascii")
        number, link, _ = text.split()
        last = LastWritten(int(number), link)
        if last.as_text() == text:
            return last
    return LastWritten()


def keep_last_written(path: Path, last: LastWritten) -> None:
    """Keep it beside the facts, once these are on the disk; if that fails, the one before is still a lower bound."""
    with suppress(OSError):
        file = os.open(file_beside(path), os.O_WRONLY | os.O_CREAT | WITHOUT_WAITING, 0o666)
        try:
            os.write(file, last.as_text().encode())
        finally:
            os.close(file)


class Tip(Struct, frozen=True):
    """The newest fact of a file, with its checksum: two files with the same tip hold the same facts."""

    identity: str  # the sum of the first fact: of which event they are
    facts: int  # the number of the newest one
    sum: str  # its checksum

    @classmethod
    def of(cls, rows: Sequence[DatabaseRow]) -> "Tip":
        """The tip of some facts, of which the first and the last are looked at; number 0 where there is none."""
        return cls(sum_of(*rows[0]), int(rows[-1][0]), sum_of(*rows[-1])) if rows else cls("", 0, "")


class FactsSeen(Struct):
    """The facts that were verified so far, in the order of their numbers."""

    number: int = 0  # of the newest
    links: list[str] = field(default_factory=list)  # of fact 1, 2, 3 ...
    rows: list[DatabaseRow] = field(default_factory=list)  # each with its number, moment, author, kind and body
    by_kind: dict[str, list[DatabaseRow]] = field(default_factory=dict)  # the same

    def verify_next(self, row: DatabaseRow) -> Iterator[str]:
        """Verify the next fact; returns what is wrong with it."""
        number, kind, kept, link = row[0], row[3], row[5], row[6]
        if not isinstance(number, int) or number <= self.number:
            yield f"number {number!r} of the journal stands in the wrong place"
            return
        if number > self.number + 1:
            yield _missing_facts(self.number + 1, number - 1)
        now = sum_of(*row[:5])
        if now != kept:
            yield f"number {number} of the journal ({kind}) is not what was written down"
        if link != link_of(self.links[-1] if self.links else FIRST, kept or now):
            text = f"the chain of checksums breaks at number {number} of the journal"
            yield f"{text}: what stood before it is missing, or was changed"
        self.number = number
        self.links.append(link or FIRST)
        self.rows.append(row[:5])
        self.by_kind.setdefault(kind, []).append(self.rows[-1])

    def forget(self, after: int) -> None:
        if after < self.number:
            self.number = after
            del self.links[after:], self.rows[place_after(self.rows, after) :]
            self.by_kind = {kind: rows[: place_after(rows, after)] for kind, rows in self.by_kind.items()}


class Snapshot(Struct, frozen=True):
    """Verified facts as of one moment, in memory: they can be copied whatever becomes of the file, and need no lock."""

    path: Path  # of the file that they were read from
    rows: tuple[DatabaseRow, ...]  # as in `FactsSeen`
    links: tuple[str, ...]

    def tip(self, last: int | None = None) -> Tip:
        """The newest fact, or the newest up to number ``last``."""
        return Tip.of(self.rows[:last])

    def has(self, tip: Tip) -> bool:
        """Whether these facts contain a tip, so that a copy with that tip is an earlier state of them."""
        return 0 < tip.facts <= len(self.rows) and self.tip(tip.facts) == tip

    def write_to(self, target: Path) -> LastWritten:
        """Write all facts into a new file, and sync it to the disk; returns the newest."""
        with closing(sqlite3.connect(target)) as coming:
            coming.execute("PRAGMA synchronous = OFF")  # it is synced as a whole below
            coming.executescript(SCHEMA)
            coming.execute("BEGIN")
            coming.executemany("INSERT INTO facts VALUES (?, ?, ?, ?, ?)", self.rows)
            sums = ((row[0], sum_of(*row), link) for row, link in zip(self.rows, self.links, strict=True))
            coming.executemany("INSERT INTO checksums VALUES (?, ?, ?)", sums)
            coming.execute("COMMIT")
        with target.open("rb+") as written:
            os.fsync(written.fileno())
        return LastWritten(len(self.links), self.links[-1] if self.links else FIRST)


def place_after(rows: Sequence[DatabaseRow], number: int) -> int:
    """Where the rows after a fact begin."""
    return bisect_right(rows, number, key=itemgetter(0))


def _missing_facts(first: int, last: int) -> str:
    """Say which facts are gone: they are numbered 1, 2, 3 without a gap."""
    numbers = f"number {first} of the journal is" if first == last else f"numbers {first} to {last} of the journal are"
    return f"{numbers} missing"


def rows_after(connection: sqlite3.Connection, number: int) -> Iterator[DatabaseRow]:
    """The facts after one as they stand in their table, each with its sum and link, or None."""
    return connection.execute(
        "SELECT id, at, by, kind, body, sum, chain FROM facts NOT INDEXED LEFT JOIN checksums ON fact = id "
        "WHERE id > ? ORDER BY id",
        (number,),
    )


def _newest_told(connection: sqlite3.Connection) -> int:
    """The number of the newest fact as two other tables of the file have it: SQLite's counter and the checksums."""
    counters = (
        "SELECT CAST(seq AS INTEGER) FROM sqlite_sequence WHERE name = 'facts'",
        "SELECT MAX(fact) FROM checksums",
    )
    rows = [connection.execute(counter).fetchone() for counter in counters]
    return max(row[0] or 0 if row else 0 for row in rows)


def look_on(
    connection: sqlite3.Connection, path: Path, seen: FactsSeen, last: LastWritten | None = None
) -> Iterator[str]:
    """Verify all facts that were not verified yet; yields what is wrong with them."""
    last = last or read_last_written(
        path
    )  # read before the facts, so that a concurrent write cannot put it ahead of them
    newest = _newest_told(connection)
    beside = f"as {file_beside(path).name} beside it tells (to go on without it, delete that file)"
    for row in rows_after(connection, seen.number):
        yield from seen.verify_next(row)
        if row[0] == last.fact and row[6] != last.link:
            yield f"number {last.fact} of the journal ({row[3]}) is another than was written down, {beside}"
    if newest > seen.number:
        yield _missing_facts(seen.number + 1, newest)
    elif last.fact > seen.number:
        yield f"{_missing_facts(seen.number + 1, last.fact)}, {beside}"


def verify(
    connection: sqlite3.Connection, path: Path, mend: str, last: LastWritten | None = None
) -> tuple[Problem, ...]:
    """All signs of damage to the facts. For copied facts, ``last`` is what had been written before copying."""
    faults: list[str] = []
    try:
        faults += look_on(connection, path, FactsSeen(), last)
        whole = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
        faults += [f"the file is damaged: {text}" for text in whole if text != ALL_GOOD]
    except sqlite3.Error as error:
        faults.append(f"the file is damaged: {error}")
    return tuple(Problem(Weight.STOPS, f"{text}; {mend}", str(path)) for text in faults)

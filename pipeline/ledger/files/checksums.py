"""A chain of checksums over the facts: every link rests on the one before, so that nothing goes or changes unseen.

A fact's sum is of the fact alone; its link is of the link before and of the sums of all facts since. Facts that were
written down before there were links are covered by the first one.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from pipeline.problems import Problem, Weight

FIRST = ""  # what the first link rests on
HEAD = json.JSONEncoder(default=repr).encode  # of a damaged file they may be anything
ALL_GOOD = "ok"  # what SQLite says of a whole file


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
            "SELECT id, at, by, kind, body FROM facts WHERE id > ? AND id < ? ORDER BY id", (before, number)
        )
        for row in rows:
            yield sum_of(*row)


def verify(connection: sqlite3.Connection, where: str, mend: str, *, has_sums: bool) -> tuple[Problem, ...]:
    """Everything that tells that the facts are not as they were written down."""
    found: list[str] = []
    try:
        whole = [str(row[0]) for row in connection.execute("PRAGMA quick_check(5)")]
        found += [f"the file is damaged: {text}" for text in whole if text != ALL_GOOD]
        found += missing(connection)
        found += broken(connection) if has_sums else ()
    except sqlite3.Error as error:
        found.append(f"the file is damaged: {error}")
    return tuple(Problem(Weight.STOPS, f"{text}; {mend}", where) for text in found)


def missing(connection: sqlite3.Connection) -> Iterator[str]:
    """The facts that are gone: they were numbered 1, 2, 3 without a gap, and the last number is kept apart."""
    last = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'facts'").fetchone()
    there = {int(number) for (number,) in connection.execute("SELECT id FROM facts")}
    newest = max([int(last[0]) if last else 0, *there])
    gone = [number for number in range(1, newest + 1) if number not in there]
    for _, run in groupby(enumerate(gone), key=lambda each: each[1] - each[0]):
        numbers = [number for _, number in run]
        many = len(numbers) > 1
        yield f"facts {numbers[0]} to {numbers[-1]} are missing" if many else f"fact {numbers[0]} is missing"


def broken(connection: sqlite3.Connection) -> Iterator[str]:
    """The facts that are not what was written down, and the links that do not follow."""
    rows = connection.execute(
        "SELECT id, at, by, kind, body, sum, chain FROM facts LEFT JOIN checksums ON fact = id ORDER BY id"
    )
    before, since = FIRST, list[str]()
    for *fact, kept, chain in rows:
        now = sum_of(*fact)
        if kept is not None and now != kept:
            yield f"fact {fact[0]} ({fact[3]}) is not what was written down"
        since.append(now if kept is None else kept)
        if chain is None:
            continue
        if link_of(before, since) != chain:
            yield f"the chain of checksums breaks at fact {fact[0]}: a fact before it is missing, or is another"
        before, since = chain, []

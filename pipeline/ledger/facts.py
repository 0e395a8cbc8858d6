"""Facts in one SQLite file: appended, never rewritten, safe when the program is killed at any moment.

The table is its own proof: triggers refuse every update and delete, and checksums tell of every fact that was changed
or lost all the same; whoever reads one has looked at all. WAL lets several desks read while one writes. Where nothing
can be written, on a full disk or a closed folder, the facts are still read.
"""

import hashlib
import json
import sqlite3
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pipeline.ledger.files.checksums import (
    FactsSeen,
    FileLinks,
    LastWritten,
    keep_tip,
    link_of,
    look_on,
    rows_of,
    sum_of,
    verify,
)
from pipeline.ledger.files.disk import UNSURE, code_of, is_closed, is_full, refused
from pipeline.ledger.files.to_read import opened_to_read
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.toml.plain_text import unprintable, unprintable_in

READ = frozenset({"page read"})  # written down by the reader
QUOTED = frozenset({"context", "ink"})  # what a ruling rests on may quote what was read
Clock = Callable[[], str]  # gives the time now, ISO 8601 with its zone

SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  by TEXT NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL CHECK (json_valid(body))
);
CREATE TRIGGER IF NOT EXISTS facts_never_change BEFORE UPDATE ON facts
  BEGIN SELECT RAISE(ABORT, 'facts are never rewritten'); END;
CREATE TRIGGER IF NOT EXISTS facts_never_go BEFORE DELETE ON facts
  BEGIN SELECT RAISE(ABORT, 'facts are never deleted'); END;
CREATE TABLE IF NOT EXISTS checksums (fact INTEGER PRIMARY KEY, sum TEXT NOT NULL, chain TEXT NOT NULL);
"""
TABLES = frozenset({"facts", "checksums"})
FACTS = "event.db"  # in an event's folder
RESTORE = "restore event.db from a copy of the event folder ('ordersheets restore')"


@dataclass(frozen=True, slots=True)
class StoredFact:
    """One thing that happened: what, when, and who says so."""

    number: int  # 1.., in the order in which facts were written down
    at: str  # ISO 8601
    by: str  # a person's name, or the program and its version
    kind: str
    body: Mapping[str, Any]


def check_printable(kind: str, body: Mapping[str, Any], by: str) -> None:
    """What people type and the program keeps can be printed on a line; what was read from paper is as it was read."""
    faults = [] if kind in READ else [each for each in unprintable_in(body, kind) if each[0] not in QUOTED]
    if fault := unprintable(by):
        faults.append(("by", fault))
    if problems := [Problem(Weight.STOPS, f"it holds {fault}", f"{kind} {where}") for where, fault in faults]:
        raise Stopped(problems)


class FactStore:
    """The facts of one event. Open it with ``with``; every `append` is on the disk when it returns."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.path = path
        self.clock = clock
        self.lock = threading.RLock()  # one connection, perhaps several threads: a transaction is one thread's
        self.rolled_back = 0  # so many transactions were, since the file was opened
        self.has_written = False  # whether a fact was written down, since the file was opened
        self.seen = FactsSeen()  # the facts that were looked at, and are as they were written
        self.tip = LastWritten()  # of what was written here last
        self.refusal: Stopped | None = None  # why nothing can be written, where it is so
        try:
            self.connection = opened_to_write(path)
        except sqlite3.Error as error:
            self.refusal = self.said(error, "cannot open the facts")
            self.connection = self.only_read(error)
        self.has_sums = "checksums" in tables_in(self.connection)

    def only_read(self, error: sqlite3.Error) -> sqlite3.Connection:
        """Open the file to read it, where it is whole and only nothing can be written."""
        assert self.refusal is not None
        if not (is_full(error, str(self.path)) or is_closed(error, str(self.path)) or code_of(error) in UNSURE):
            raise self.refusal from error
        connection = opened_to_read(self.path)
        if connection is None or "facts" not in tables_in(connection):
            raise self.refusal from error
        return connection

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.connection.close()

    def append(self, kind: str, body: Mapping[str, Any], by: str) -> StoredFact:
        """Write one fact down and give it back with its number."""
        return self.append_all(((kind, body),), by)[0]

    def append_all(self, facts: tuple[tuple[str, Mapping[str, Any]], ...], by: str) -> tuple[StoredFact, ...]:
        """Write several facts down together: all of them or, if the machine dies, none."""
        with self.transaction():
            return tuple(self.add(kind, body, by) for kind, body in facts)

    def add(self, kind: str, body: Mapping[str, Any], by: str) -> StoredFact:
        """Write one fact down inside a `transaction`: what was looked at in there has not changed until then."""
        check_printable(kind, body, by)
        at = self.clock()
        text = json.dumps(body, ensure_ascii=False, sort_keys=True)
        cursor = self.connection.execute(
            "INSERT INTO facts (at, by, kind, body) VALUES (?, ?, ?, ?)", (at, by, kind, text)
        )
        number = int(cursor.lastrowid or 0)
        links = FileLinks(self.connection)
        own = sum_of(number, at, by, kind, text)
        before, chain = links.last()
        chain = link_of(chain, [*links.sums_between(before, number), own])
        self.connection.execute("INSERT INTO checksums VALUES (?, ?, ?)", (number, own, chain))
        self.tip = LastWritten(number, chain)
        return StoredFact(number, at, by, kind, body)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything inside is written together; inside another transaction it is a part of that one.

        A full disk or a locked file is said plainly.
        """
        if self.refusal is not None:
            raise self.refusal
        with self.lock:
            if self.connection.in_transaction:
                yield
                return
            is_written, before = False, 0
            try:
                self.connection.execute("BEGIN IMMEDIATE")
                before = self.look()  # nothing is written behind what is damaged
                yield
                self.connection.execute("COMMIT")
                is_written = True
                if self.tip.fact > before:
                    self.has_written = True
                    keep_tip(self.path, self.tip)
            except sqlite3.Error as error:
                raise self.said(error, "could not write a fact down") from error
            finally:
                if self.connection.in_transaction:  # SQLite may have rolled it back by itself
                    self.connection.execute("ROLLBACK")
                if not is_written:
                    self.rolled_back += 1
                    self.forget(before)

    def forget(self, after: int) -> None:
        """A transaction was rolled back: the numbers of its facts, after that one, will be those of others."""
        with self.lock:
            self.seen.forget(after)

    def look(self) -> int:
        """Look at every fact that is new, of whatever kind, and give the number of the newest.

        Stop where one is missing, or is not as it was written.
        """
        with self.lock:
            if self.seen.number != self.last_number() or not self.seen.number:
                try:
                    for fault in look_on(self.connection, self.path, self.seen, has_sums=self.has_sums):
                        self.seen = FactsSeen()  # who asks again is told again
                        raise self.damaged(fault)
                except sqlite3.Error as error:
                    raise self.said(error, "the facts cannot be read") from error
            return self.seen.number

    def read(self, kind: str | None = None, after: int = 0) -> Iterator[StoredFact]:
        """Give the facts back in the order in which they were written, each as it was written.

        All are looked at first, whatever is asked for: what is damaged stops also who asks for others.
        """
        newest = self.look()
        numbers = self.seen.by_kind.get(kind, []) if kind else range(1, newest + 1)
        wanted = numbers[bisect_right(numbers, after) :]
        if not wanted:
            return
        found = 0
        try:
            for number, at, by, what, body in rows_of(self.connection, wanted):
                if sum_of(number, at, by, what, body) != self.seen.sums[wanted[found] - 1]:
                    raise self.damaged(f"fact {wanted[found]} is not what was written down")
                found += 1
                yield StoredFact(number, at, by, what, read_body(body, number, self.damaged))
        except sqlite3.Error as error:
            raise self.said(error, "the facts cannot be read") from error
        if found < len(wanted):
            raise self.damaged(f"fact {wanted[found]} is missing")

    def sum_of_all(self) -> str:
        """A checksum of all facts, byte by byte; stop where one is not as it was written."""
        with self.lock:
            self.look()
            return hashlib.sha256("".join(self.seen.sums).encode()).hexdigest()

    def last_number(self) -> int:
        """The number of the newest fact; 0 where there is none. Cheap: the page asks it all the time."""
        try:
            row = self.connection.execute("SELECT COALESCE(MAX(id), 0) FROM facts").fetchone()
        except sqlite3.Error as error:
            raise self.said(error, "the facts cannot be read") from error
        return int(row[0])

    def kinds_after(self, number: int) -> frozenset[str]:
        """The kinds of the facts that are newer than one."""
        with self.lock:
            self.look()
            return frozenset(kind for kind, found in self.seen.by_kind.items() if found and found[-1] > number)

    def verify(self) -> tuple[Problem, ...]:
        """Everything that tells that the file is not as it was written: changed facts, missing facts, damage."""
        return verify(self.connection, self.path, RESTORE, has_sums=self.has_sums)

    def damaged(self, what: str) -> Stopped:
        """The file holds something else than was written down."""
        return stop(f"{what}; the file is damaged: see 'ordersheets check', and {RESTORE}", str(self.path))

    def said(self, error: sqlite3.Error, what: str) -> Stopped:
        """Say what SQLite found: a full disk, a closed folder, another program at work, or else damage."""
        if code_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return stop(
                f"{what}: another program is writing; do it again when it has done",
                str(self.path),
                ExitCode.MACHINE_LACKS,
            )
        if is_full(error, str(self.path)) or is_closed(error, str(self.path)) or code_of(error) in UNSURE:
            return refused(error, str(self.path), what, "see who may read and write in this folder")
        return stop(f"{what}: {error}; {RESTORE}", str(self.path))


def opened_to_write(path: Path) -> sqlite3.Connection:
    """Open the file, and make its tables where they are not there."""
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if not tables_in(connection) >= TABLES:
            connection.executescript(SCHEMA)
    except UnicodeDecodeError as error:  # of what SQLite says of tables that it does not understand
        connection.close()
        raise sqlite3.DatabaseError("its tables are damaged") from error
    except BaseException:
        connection.close()
        raise
    return connection


def tables_in(connection: sqlite3.Connection) -> set[str]:
    """The tables of a file, by name."""
    return {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def read_body(text: str, number: int, damaged: Callable[[str], Stopped]) -> Mapping[str, Any]:
    """Read the body of a fact."""
    try:
        body = json.loads(text)
    except (ValueError, TypeError) as error:
        raise damaged(f"fact {number} cannot be read") from error
    if not isinstance(body, dict):
        raise damaged(f"fact {number} is no fact")
    return body

"""Facts in one SQLite file: appended, never rewritten, safe when the program is killed at any moment.

The table is its own proof: triggers refuse every update and delete. WAL lets several desks read while one writes.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.tournament.plain_text import unprintable, unprintable_in

READ = frozenset({"page read"})  # written down by the reader
QUOTED = frozenset({"context"})  # what a ruling rests on may quote what was read
Clock = Callable[[], str]  # gives the time now, ISO 8601 with its zone

SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  by TEXT NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL CHECK (json_valid(body))
);
CREATE INDEX IF NOT EXISTS facts_by_kind ON facts (kind, id);
CREATE TRIGGER IF NOT EXISTS facts_never_change BEFORE UPDATE ON facts
  BEGIN SELECT RAISE(ABORT, 'facts are never rewritten'); END;
CREATE TRIGGER IF NOT EXISTS facts_never_go BEFORE DELETE ON facts
  BEGIN SELECT RAISE(ABORT, 'facts are never deleted'); END;
"""


@dataclass(frozen=True, slots=True)
class Fact:
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
        try:
            self.connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = FULL")
            self.connection.executescript(SCHEMA)
        except sqlite3.Error as error:
            mend = "restore the file from a copy of the event folder"
            if not os.access(path.parent, os.W_OK):
                mend = "nothing can be written in this folder; copy the event to a disk of your own and use it there"
            raise stop(f"cannot open the facts: {error}; {mend}", str(path)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.connection.close()

    def append(self, kind: str, body: Mapping[str, Any], by: str) -> Fact:
        """Write one fact down and give it back with its number."""
        return self.append_all(((kind, body),), by)[0]

    def append_all(self, facts: tuple[tuple[str, Mapping[str, Any]], ...], by: str) -> tuple[Fact, ...]:
        """Write several facts down together: all of them or, if the machine dies, none."""
        with self.transaction():
            return tuple(self.add(kind, body, by) for kind, body in facts)

    def add(self, kind: str, body: Mapping[str, Any], by: str) -> Fact:
        """Write one fact down inside a `transaction`: what was looked at in there has not changed until then."""
        check_printable(kind, body, by)
        at = self.clock()
        text = json.dumps(body, ensure_ascii=False, sort_keys=True)
        cursor = self.connection.execute(
            "INSERT INTO facts (at, by, kind, body) VALUES (?, ?, ?, ?)", (at, by, kind, text)
        )
        return Fact(int(cursor.lastrowid or 0), at, by, kind, body)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything inside is written together; a full disk or a locked file is said plainly."""
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise stop(
                f"could not write a fact down: {error}; free some disk and repeat",
                str(self.path),
                ExitCode.MACHINE_LACKS,
            ) from error

    def read(self, kind: str | None = None, after: int = 0) -> Iterator[Fact]:
        """Give the facts back in the order in which they were written."""
        where, values = ("kind = ? AND", (kind, after)) if kind else ("", (after,))
        rows = self.connection.execute(
            f"SELECT id, at, by, kind, body FROM facts WHERE {where} id > ? ORDER BY id",
            values,
        )
        for number, at, by, what, body in rows:
            yield Fact(number, at, by, what, json.loads(body))

    def last_number(self) -> int:
        """The number of the newest fact; 0 where there is none. Cheap: the page asks it all the time."""
        row = self.connection.execute("SELECT COALESCE(MAX(id), 0) FROM facts").fetchone()
        return int(row[0])

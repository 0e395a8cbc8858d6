"""The transaction log ``event.db`` (append-only, event sourcing): facts in one SQLite file, safe after a crash.

Triggers refuse every update and delete, and a hash chain of checksums reveals any fact that was changed or lost; every
reader verifies the chain first. The write-ahead log (WAL) lets several desks read while one writes. On a full or read-
only disk the facts can still be read.
"""

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from contextvars import ContextVar
from itertools import zip_longest
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from msgspec import Struct

from pipeline.ledger.fact_file import RESTORE, check_version, opened_to_read, opened_to_write, tables_in
from pipeline.ledger.files import UNSURE, code_of, is_closed, is_full, write_refused
from pipeline.ledger.open_file import OpenFile, stamp_of
from pipeline.ledger.verification import (
    FIRST,
    DatabaseRow,
    FactsSeen,
    LastWritten,
    Snapshot,
    keep_last_written,
    link_of,
    look_on,
    place_after,
    read_last_written,
    rows_after,
    sum_of,
    verify,
)
from pipeline.printable import unprintable, unprintable_in
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop

READ = frozenset({"page read"})  # kinds of facts that hold text read from paper
QUOTED = frozenset({"context", "ink"})  # parts of a ruling that may quote what was read
Clock = Callable[[], str]  # gives the time now, ISO 8601 with its zone
FACTS = "event.db"  # in an event's folder
DAMAGE = (0, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)  # 0: a text that cannot be decoded


def _check_printable(kind: str, body: Mapping[str, Any], by: str) -> None:
    """Refuse typed text that cannot be printed on one line; text read from paper is kept as it is."""
    faults = [] if kind in READ else [each for each in unprintable_in(body, kind) if each[0] not in QUOTED]
    if fault := unprintable(by):
        faults.append(("by", fault))
    if problems := [Problem(Weight.STOPS, f"it holds {fault}", f"{kind} {where}") for where, fault in faults]:
        raise Stopped(problems)


class Expectation(Struct):
    """What must still be so when this thread's work writes its first facts: other programs may have written before."""

    store: "FactStore"
    check: Callable[[], None]
    seen: int  # the newest fact that the check knows
    has_written: bool = False  # this work itself

    def look(self, newest: int) -> None:
        """Check again if there are newer facts, none of which this work has written."""
        if newest > self.seen and not self.has_written:
            self.seen = newest
            self.check()


EXPECTED: ContextVar[Expectation | None] = ContextVar("expected", default=None)


class FactStore:
    """The facts of one event. Open it with ``with``; every `transaction` is on the disk when it ends."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.path = path
        self.clock = clock
        self.lock = threading.RLock()  # one connection, perhaps several threads: a transaction is one thread's
        self.voided = 0  # how often what was worked out came to nothing: by a rollback, or the event's own files
        self.has_written = False  # whether a fact was written down, since the file was opened
        self.seen = FactsSeen()  # the verified facts
        self.last_written = LastWritten()  # after our last write
        self.refusal: Stopped | None = None  # why nothing can be written, if so
        self.is_lost = False  # whether the path does not name the open file any more: then facts come from memory
        self.begun: int | None = None  # in a transaction: the newest fact before it
        self.keep_lost: Callable[[], str] = lambda: ""  # called once if the file is lost; keeps the facts, says where
        self.before_writing: Callable[[], None] = lambda: None  # called in each transaction before anything is written
        before = stamp_of(path)
        try:
            self.connection = opened_to_write(path)
        except sqlite3.Error as error:
            self.refusal = self.explain_error(error, "cannot open the decisions")
            self.connection = self.only_read(error)
        try:
            check_version(self.connection, path)
            self.file = OpenFile(path)
            if before is not None and (what := self.file.find_replacement(before)):
                raise stop(f"{what}, while it was being opened; do it again", str(path), ExitCode.MACHINE_LACKS)
        except sqlite3.Error as error:
            self.connection.close()
            raise self.explain_error(error, "cannot open the decisions") from error
        except Stopped:
            self.connection.close()
            raise

    def only_read(self, error: sqlite3.Error) -> sqlite3.Connection:
        """Open the file read-only, if it is undamaged and only writing fails."""
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
        """Close the file; `Stopped` if it was replaced since the last fact, unless something else stopped the work."""
        try:
            if not self.is_lost:
                self.check_file()
        except Stopped:
            if value is None:
                raise
        finally:
            self.connection.close()

    def add(self, kind: str, body: Mapping[str, Any], by: str) -> tuple[int, str]:
        """Write one fact inside a `transaction`, so that what was read in it cannot have changed.

        Returns its number and its moment.
        """
        _check_printable(kind, body, by)
        at = self.clock()
        text = json.dumps(body, ensure_ascii=False, sort_keys=True)
        cursor = self.connection.execute(
            "INSERT INTO facts (at, by, kind, body) VALUES (?, ?, ?, ?)", (at, by, kind, text)
        )
        number = cursor.lastrowid
        assert number is not None
        own = sum_of(number, at, by, kind, text)
        newest = self.connection.execute("SELECT chain FROM checksums ORDER BY fact DESC LIMIT 1").fetchone()
        chain = link_of(newest[0] if newest else FIRST, own)
        self.connection.execute("INSERT INTO checksums VALUES (?, ?, ?)", (number, own, chain))
        self.last_written = LastWritten(number, chain)
        if (expected := EXPECTED.get()) is not None and expected.store is self:
            expected.has_written = True
        return number, at

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """A transaction: all or nothing, so that a crash or a power cut leaves no half-written fact.

        Nested ones join the outer one. A full disk, a locked file or a file that was replaced is reported as such.
        """
        if self.refusal is not None:
            raise self.refusal
        with self.lock:
            if self.connection.in_transaction:
                yield
                return
            is_written, before = False, self.seen.number
            try:
                self.check_file()
                self.connection.execute("BEGIN IMMEDIATE")
                before = self.begun = self.look()  # nothing is appended to damaged facts
                self.before_writing()
                if (expected := EXPECTED.get()) is not None and expected.store is self:
                    expected.look(before)
                yield
                self.connection.execute("COMMIT")
                self.begun, is_written = None, True
                self.look()
                self.check_file()  # else what was just written may be in a file that no path names
                if self.last_written.fact > before:
                    self.has_written = True
                    keep_last_written(self.path, self.last_written)
            except sqlite3.Error as error:
                raise self.explain_error(error, "could not write a decision down") from error
            finally:
                if self.connection.in_transaction:  # SQLite may have rolled the transaction back already
                    self.connection.execute("ROLLBACK")
                if not is_written:
                    self.voided += 1
                    self.forget(before)
                self.begun = None

    @contextmanager
    def trial(self) -> Iterator[None]:
        """A transaction of which nothing is kept: to look at what would follow from facts that are written in it.

        It cannot begin inside another transaction.
        """
        if self.refusal is not None:
            raise self.refusal
        with self.lock:
            try:
                self.check_file()
                self.connection.execute("BEGIN IMMEDIATE")
            except sqlite3.Error as error:
                raise self.explain_error(error, "could not work out what would follow") from error
            before = self.begun = self.look()
            try:
                yield
            finally:
                if self.connection.in_transaction:  # SQLite may have rolled the transaction back already
                    self.connection.execute("ROLLBACK")
                self.voided += 1
                self.forget(before)
                self.begun = None

    @contextmanager
    def expecting(self, check: Callable[[], None]) -> Iterator[None]:
        """Let work of this thread write only if a check holds, which held when the work began.

        The check raises where it does not. It is repeated inside the transaction, if others have written since.
        """
        before = EXPECTED.set(Expectation(self, check, self.last_number()))
        try:
            yield
        finally:
            EXPECTED.reset(before)

    def check_file(self) -> None:
        """Stop if the path does not name the open file any more, or another program has written into it.

        Everything known is kept elsewhere before that; nothing more can be written.
        """
        if self.is_lost:
            assert self.refusal is not None
            raise self.refusal
        if self.refusal is not None:  # opened to read
            return
        with self.lock:
            if what := self.file.find_replacement() or self._find_foreign_write():
                raise self.give_up(what)

    def is_same_file(self, other: "FactStore") -> bool:
        """Whether two stores have one file open."""
        mine, theirs = self.file.first[""], other.file.first[""]
        return mine is not None and theirs is not None and mine.is_of_same_file(theirs)

    def _find_foreign_write(self) -> str:
        """Say if the file on the disk holds other facts than those that were verified; read only if it was touched."""
        stamp = stamp_of(self.path)
        if stamp == self.file.newest:
            return ""
        try:
            uri = f"{self.path.absolute().as_uri()}?mode=ro"
            with closing(sqlite3.connect(uri, uri=True, timeout=30)) as fresh:
                for known, row in zip_longest(self.seen.rows, rows_after(fresh, 0)):
                    if known is None:  # newer than what was verified; `look` verifies it
                        break
                    if row is None or row[:5] != known or row[6] != self.seen.links[known[0] - 1]:
                        return f"another program has written into {self.path.name}"
        except sqlite3.Error as error:
            if code_of(error) not in DAMAGE:
                raise self.explain_error(error, "the decisions cannot be read") from error
            return f"another program has written into {self.path.name}"
        self.file.newest = stamp
        return ""

    def give_up(self, what: str) -> Stopped:
        """Keep everything known, since the file is lost; from now on facts are read from memory and none is written."""
        text = f"{what}, while it was open here; nothing is written down any more"
        self.is_lost, self.refusal = True, stop(text, str(self.path), ExitCode.MACHINE_LACKS)
        if self.begun is not None:  # what this transaction has written so far was answered to nobody
            self.forget(self.begun)
        self.refusal = stop(f"{text}. {self.keep_lost()}", str(self.path), ExitCode.MACHINE_LACKS)
        return self.refusal

    def snapshot(self) -> "Snapshot":
        """All verified facts, as of now."""
        with self.lock:
            self.look()
            return Snapshot(self.path, (*self.seen.rows,), (*self.seen.links,))

    def forget(self, after: int) -> None:
        """Forget the facts after one, after a rollback: their numbers will be used again."""
        with self.lock:
            self.seen.forget(after)

    def look(self) -> int:
        """Verify every new fact, of whatever kind, and return the number of the newest.

        Stop if one is missing or was changed.
        """
        with self.lock:
            if self.is_lost:
                return self.seen.number
            if (newest := self.last_number()) < self.seen.number:
                raise self.give_up(f"another program has taken facts out of {self.path.name}")
            if newest != self.seen.number or not newest:
                verified = self.seen.number
                try:
                    for fault in look_on(self.connection, self.path, self.seen):
                        self.seen.forget(verified)  # so that the next call reports it again
                        raise self.give_up(fault) if verified else self.explain_damage(fault)
                except sqlite3.Error as error:
                    raise self.explain_error(error, "the decisions cannot be read") from error
            return self.seen.number

    def rows(self, kind: str | None = None, after: int = 0) -> Iterator[DatabaseRow]:
        """The facts of a kind, or all of them, in the order in which they were written, each body as text.

        All facts are verified first, so damage to any fact stops every reader.
        """
        self.look()
        rows = self.seen.by_kind.get(kind, []) if kind else self.seen.rows
        yield from rows[place_after(rows, after) :]

    def last_number(self) -> int:
        """The number of the newest fact; 0 if there is none. Cheap, because pages poll it."""
        if self.is_lost:
            return self.seen.number
        try:
            row = self.connection.execute("SELECT COALESCE(MAX(id), 0) FROM facts").fetchone()
        except sqlite3.Error as error:
            raise self.explain_error(error, "the decisions cannot be read") from error
        return int(row[0])

    def has_file_beside(self) -> bool:
        """Whether the file exists that says what was written last, or there are no facts yet."""
        return bool(read_last_written(self.path).fact) or not self.last_number()

    def kinds_after(self, number: int) -> frozenset[str]:
        with self.lock:
            self.look()
            return frozenset(kind for kind, rows in self.seen.by_kind.items() if rows and rows[-1][0] > number)

    def verify(self) -> tuple[Problem, ...]:
        """Everything that tells that the file is not as it was written: changed facts, missing facts, damage."""
        return verify(self.connection, self.path, RESTORE)

    def explain_damage(self, what: str) -> Stopped:
        return stop(f"{what}; the file is damaged: see 'ordersheets check', and {RESTORE}", str(self.path))

    def explain_error(self, error: sqlite3.Error, what: str) -> Stopped:
        """Translate SQLite's error: a lost file, a full disk, a read-only folder, another program's lock, or damage."""
        if self.is_lost and self.refusal is not None:
            return self.refusal
        if self.refusal is None and self.seen.number and (lost := self.file.find_replacement()):
            return self.give_up(lost)
        if code_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return stop(
                f"{what}: another program is writing; try again when it has finished",
                str(self.path),
                ExitCode.MACHINE_LACKS,
            )
        if is_full(error, str(self.path)) or is_closed(error, str(self.path)) or code_of(error) in UNSURE:
            return write_refused(error, str(self.path), what, "see who may read and write in this folder")
        return stop(f"{what}: {error}; {RESTORE}", str(self.path))

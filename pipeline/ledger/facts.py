"""The transaction log ``event.db`` (append-only, event sourcing): facts in one SQLite file, safe after a crash.

Triggers refuse every update and delete, and a hash chain of checksums reveals any fact that was changed or lost; every
reader verifies the chain first. The write-ahead log (WAL) lets several desks read while one writes. On a full or read-
only disk the facts can still be read.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import threading
import weakref
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from itertools import zip_longest
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from msgspec import Struct, field

from pipeline.ledger.files import UNSURE, WITHOUT_WAITING, code_of, is_closed, is_full, write_refused
from pipeline.ledger.open_file import LOG, OpenFile, stamp_of
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.table import read_small, unprintable, unprintable_in

# Verification: facts are read one after the other, none missing, each with its checksum.
# A fact's sum is over the fact alone; its link is over the previous link and that sum. Facts are read from their table,
# in the order of their numbers, never through an index, so that exactly what was verified is used. Their number is
# known from three places: SQLite's own counter, the newest link, and a file beside the facts, which damage to the facts
# or to SQLite's log cannot reset.

FIRST = ""  # the link before the first one
HEAD = json.JSONEncoder(default=repr).encode  # of number, time, author, kind: a damaged file may hold anything
ALL_GOOD = "ok"  # SQLite's answer for an undamaged file
TIP = "-tip"  # suffix of the file that holds the tip
DatabaseRow = tuple[Any, ...]  # in a damaged file they may be anything


def sum_of(number: int, at: str, by: str, kind: str, body: str) -> str:
    """The checksum of a fact (SHA-256, hexadecimal), of everything that is written down of it."""
    head = HEAD([number, at, by, kind])
    return hashlib.sha256(f"{head}\n{body}".encode("utf-8", "surrogatepass")).hexdigest()


def _link_of(before: str, own: str) -> str:
    """The link that follows another, over the sum of one more fact.

    >>> _link_of(_link_of("", "a"), "b") == _link_of(_link_of("", "b"), "a")
    False
    """
    return hashlib.sha256(f"{before}\n{own}".encode()).hexdigest()


class LastWritten(Struct, frozen=True):
    """The tip: number and link of the newest fact, as of the last write."""

    fact: int = 0
    link: str = FIRST

    def as_text(self) -> str:
        """One line of constant length, so that it overwrites the previous one in a single write."""
        said = f"{self.fact:>12} {self.link}"
        return f"{said} {hashlib.sha256(said.encode()).hexdigest()[:16]}\n"


def tip_beside(path: Path) -> Path:
    """The path of the file that holds the tip."""
    return path.with_name(path.name + TIP)


def _read_tip(path: Path) -> LastWritten:
    """Read the tip; an empty one if the file is missing or damaged."""
    with suppress(OSError, ValueError):
        text = read_small(tip_beside(path)).decode("ascii")
        number, link, _ = text.split()
        last = LastWritten(int(number), link)
        if last.as_text() == text:
            return last
    return LastWritten()


def _keep_tip(path: Path, tip: LastWritten) -> None:
    """Write the tip, once the facts are on the disk; if that fails, the previous one is still a valid lower bound."""
    with suppress(OSError):
        file = os.open(tip_beside(path), os.O_WRONLY | os.O_CREAT | WITHOUT_WAITING, 0o666)
        try:
            os.write(file, tip.as_text().encode())
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
        if link != _link_of(self.links[-1] if self.links else FIRST, kept or now):
            text = f"the chain of checksums breaks at number {number} of the journal"
            yield f"{text}: what stood before it is missing, or was changed"
        self.number = number
        self.links.append(link or FIRST)
        self.rows.append(row[:5])
        self.by_kind.setdefault(kind, []).append(self.rows[-1])

    def forget(self, after: int) -> None:
        if after < self.number:
            self.number = after
            del self.links[after:], self.rows[_place_after(self.rows, after) :]
            self.by_kind = {kind: rows[: _place_after(rows, after)] for kind, rows in self.by_kind.items()}


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
        with closing(sqlite3.connect(target, isolation_level=None)) as coming:
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


def _place_after(rows: Sequence[DatabaseRow], number: int) -> int:
    """Where the rows after a fact begin."""
    return bisect_right(rows, number, key=itemgetter(0))


def _missing_facts(first: int, last: int) -> str:
    """Say which facts are gone: they are numbered 1, 2, 3 without a gap."""
    numbers = f"number {first} of the journal is" if first == last else f"numbers {first} to {last} of the journal are"
    return f"{numbers} missing"


def _rows_after(connection: sqlite3.Connection, number: int) -> Iterator[DatabaseRow]:
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


def _look_on(
    connection: sqlite3.Connection, path: Path, seen: FactsSeen, tip: LastWritten | None = None
) -> Iterator[str]:
    """Verify all facts that were not verified yet; yields what is wrong with them."""
    tip = tip or _read_tip(path)  # read before the facts, so that a concurrent write cannot put it ahead of them
    newest = _newest_told(connection)
    beside = f"as {tip_beside(path).name} beside it tells (to go on without it, delete that file)"
    for row in _rows_after(connection, seen.number):
        yield from seen.verify_next(row)
        if row[0] == tip.fact and row[6] != tip.link:
            yield f"number {tip.fact} of the journal ({row[3]}) is another than was written down, {beside}"
    if newest > seen.number:
        yield _missing_facts(seen.number + 1, newest)
    elif tip.fact > seen.number:
        yield f"{_missing_facts(seen.number + 1, tip.fact)}, {beside}"


def verify(
    connection: sqlite3.Connection, path: Path, mend: str, tip: LastWritten | None = None
) -> tuple[Problem, ...]:
    """All signs of damage to the facts. For copied facts, ``tip`` is the tip before copying."""
    faults: list[str] = []
    try:
        faults += _look_on(connection, path, FactsSeen(), tip)
        whole = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
        faults += [f"the file is damaged: {text}" for text in whole if text != ALL_GOOD]
    except sqlite3.Error as error:
        faults.append(f"the file is damaged: {error}")
    return tuple(Problem(Weight.STOPS, f"{text}; {mend}", str(path)) for text in faults)


# Opening facts where nothing can be written: on a full disk, from a closed folder or stick.

MEMORY = Path("/dev/shm")


class Borrowed(sqlite3.Connection):
    """A connection to a copy of the file; the copy goes with it."""


def opened_to_read(path: Path) -> sqlite3.Connection | None:
    """Open the file to read, even if nothing can be written beside it; None if that is impossible.

    SQLite may need to write beside it: if it cannot, a file without a log is read in place, else a copy with the log.
    """
    log = path.with_name(path.name + LOG)
    has_log = log.is_file() and log.stat().st_size > 0
    with suppress(sqlite3.Error):
        return _looked_into(f"{path.absolute().as_uri()}?mode=ro", sqlite3.Connection)
    if not has_log:
        with suppress(sqlite3.Error):
            return _looked_into(f"{path.absolute().as_uri()}?immutable=1", sqlite3.Connection)
        return None
    for place in (None, MEMORY):
        with suppress(sqlite3.Error, OSError):
            return _open_copy(path, log, place)
    return None


def _open_copy(path: Path, log: Path, place: Path | None) -> sqlite3.Connection:
    """Open a copy of the file with its log; it is removed when the connection is."""
    folder = tempfile.TemporaryDirectory(dir=place)
    try:
        for each in (path, log):
            shutil.copyfile(each, Path(folder.name) / each.name)
        connection = _looked_into((Path(folder.name) / path.name).as_uri(), Borrowed)
    except BaseException:
        folder.cleanup()
        raise
    weakref.finalize(connection, folder.cleanup)
    return connection


def _looked_into(uri: str, factory: type[sqlite3.Connection]) -> sqlite3.Connection:
    """Open a file and run a query, because SQLite opens it only then."""
    connection = sqlite3.connect(
        uri, uri=True, timeout=30, isolation_level=None, check_same_thread=False, factory=factory
    )
    try:
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


READ = frozenset({"page read"})  # kinds of facts that hold text read from paper
QUOTED = frozenset({"context", "ink"})  # parts of a ruling that may quote what was read
Clock = Callable[[], str]  # gives the time now, ISO 8601 with its zone

VERSION = 2  # of the file format and the kinds of facts, stored as SQLite's user_version; raise it with every addition
STEPS: Mapping[int, tuple[str, ...]] = {  # version -> SQL statements that migrate a file to the next one
    1: (),  # of 0.1.0: without tables of players, recorders, pools and published results
}
SCHEMA = f"""
BEGIN IMMEDIATE;
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
PRAGMA user_version = {VERSION};
COMMIT;
"""
TABLES = frozenset({"facts", "checksums"})
FACTS = "event.db"  # in an event's folder
DAMAGE = (0, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)  # 0: a text that cannot be decoded
RESTORE = "restore event.db from a copy of the event folder ('ordersheets restore')"


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
        self.tip = LastWritten()  # after our last write
        self.refusal: Stopped | None = None  # why nothing can be written, if so
        self.is_lost = False  # whether the path does not name the open file any more: then facts come from memory
        self.begun: int | None = None  # in a transaction: the newest fact before it
        self.keep_lost: Callable[[], str] = lambda: ""  # called once if the file is lost; keeps the facts, says where
        self.before_writing: Callable[[], None] = lambda: None  # called in each transaction before anything is written
        before = stamp_of(path)
        try:
            self.connection = _opened_to_write(path)
        except sqlite3.Error as error:
            self.refusal = self.explain_error(error, "cannot open the decisions")
            self.connection = self.only_read(error)
        try:
            _check_version(self.connection, path)
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
        if connection is None or "facts" not in _tables_in(connection):
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
        number = int(cursor.lastrowid or 0)
        own = sum_of(number, at, by, kind, text)
        newest = self.connection.execute("SELECT chain FROM checksums ORDER BY fact DESC LIMIT 1").fetchone()
        chain = _link_of(newest[0] if newest else FIRST, own)
        self.connection.execute("INSERT INTO checksums VALUES (?, ?, ?)", (number, own, chain))
        self.tip = LastWritten(number, chain)
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
                if self.tip.fact > before:
                    self.has_written = True
                    _keep_tip(self.path, self.tip)
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
            with closing(sqlite3.connect(uri, uri=True, timeout=30, isolation_level=None)) as fresh:
                for known, row in zip_longest(self.seen.rows, _rows_after(fresh, 0)):
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
                    for fault in _look_on(self.connection, self.path, self.seen):
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
        yield from rows[_place_after(rows, after) :]

    def last_number(self) -> int:
        """The number of the newest fact; 0 if there is none. Cheap, because pages poll it."""
        if self.is_lost:
            return self.seen.number
        try:
            row = self.connection.execute("SELECT COALESCE(MAX(id), 0) FROM facts").fetchone()
        except sqlite3.Error as error:
            raise self.explain_error(error, "the decisions cannot be read") from error
        return int(row[0])

    def has_tip(self) -> bool:
        """Whether the tip file exists, or there are no facts yet."""
        return bool(_read_tip(self.path).fact) or not self.last_number()

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


def _opened_to_write(path: Path) -> sqlite3.Connection:
    """Open the file; create its tables if it is new, and migrate an older version."""
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if not _tables_in(connection):
            connection.executescript(SCHEMA)
        elif _version_of(connection) in STEPS:
            _bring_up(connection)
    except UnicodeDecodeError as error:  # SQLite's message on damaged tables may be invalid UTF-8
        connection.close()
        raise sqlite3.DatabaseError("its tables are damaged") from error
    except BaseException:
        connection.close()
        raise
    return connection


def _version_of(connection: sqlite3.Connection) -> int:
    """The version of a file of facts; 0 where it is none."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _bring_up(connection: sqlite3.Connection) -> None:
    """Migrate a file of an older version, all or nothing; facts are not changed."""
    connection.execute("BEGIN IMMEDIATE")
    # read again: another program may have migrated it meanwhile
    for version in range(_version_of(connection), VERSION):
        for statement in STEPS[version]:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Stop where a newer program wrote the file, or it is no file of facts at all."""
    version = _version_of(connection)
    if version > VERSION:
        text = (
            f"it was written by version {version} of the file format, and this program knows versions up to {VERSION}"
        )
        raise stop(f"{text}; use the ordersheets that wrote them, or a newer one", str(path))
    if not version or not _tables_in(connection) >= TABLES:
        raise stop(f"this is no event.db, or it is damaged; {RESTORE}", str(path))


def _tables_in(connection: sqlite3.Connection) -> set[str]:
    """The tables of a file, by name."""
    return {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}

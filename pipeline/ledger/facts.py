"""Facts in one SQLite file: appended, never rewritten, safe when the program is killed at any moment.

The table is its own proof: triggers refuse every update and delete, and checksums tell of every fact that was changed
or lost all the same; whoever reads one has looked at all. WAL lets several desks read while one writes. Where nothing
can be written, on a full disk or a closed folder, the facts are still read.
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
from contextlib import contextmanager, suppress
from itertools import chain
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from msgspec import Struct, field

from pipeline.ledger.files import UNSURE, WITHOUT_WAITING, code_of, is_closed, is_full, write_refused
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.table import read_small, unprintable, unprintable_in

# --------------------
# How it is known that facts are as they were written: looked at one after the other, none missing, each with its sum.
#
# A fact's sum is of the fact alone; its link is of the link before and of that sum. Facts are read from their table, in
# the order of their numbers, and never by way of an index: what is looked at is what is read. How many there must be is
# known from three places: SQLite's own counter, the newest link, and a file beside the facts, which no damage to them
# or to SQLite's log can set back.

FIRST = ""  # what the first link rests on
HEAD = json.JSONEncoder(default=repr).encode  # of a damaged file they may be anything
ALL_GOOD = "ok"  # what SQLite says of a whole file
TIP = "-tip"  # beside the file of the facts: how far they go
Row = tuple[Any, ...]  # of a damaged file they may be anything


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
        text = read_small(tip_beside(path)).decode("ascii")
        number, link, _ = text.split()
        found = LastWritten(int(number), link)
        if found.as_text() == text:
            return found
    return LastWritten()


def _keep_tip(path: Path, tip: LastWritten) -> None:
    """Keep how far the facts go, once they are on the disk; where that cannot be, the one before is true still."""
    with suppress(OSError):
        file = os.open(tip_beside(path), os.O_WRONLY | os.O_CREAT | WITHOUT_WAITING, 0o666)
        try:
            os.write(file, tip.as_text().encode())
        finally:
            os.close(file)


class FactsSeen(Struct):
    """The facts that were looked at so far, in the order of their numbers: what is looked at is what is read."""

    number: int = 0  # of the newest
    links: list[str] = field(default_factory=list)  # of fact 1, 2, 3 ...
    by_kind: dict[str, list[Row]] = field(default_factory=dict)  # each with its number, moment, author, kind and body

    def at(self, row: Row) -> Iterator[str]:
        """Look at the next fact; what is wrong with it."""
        number, kind, kept, link = row[0], row[3], row[5], row[6]
        if not isinstance(number, int) or number <= self.number:
            yield f"fact {number!r} stands in the wrong place"
            return
        if number > self.number + 1:
            yield missing(self.number + 1, number - 1)
        now = sum_of(*row[:5])
        if now != kept:
            yield f"fact {number} ({kind}) is not what was written down"
        if link != _link_of(self.links[-1] if self.links else FIRST, kept or now):
            yield f"the chain of checksums breaks at fact {number}: a fact before it is missing, or is another"
        self.number = number
        self.links.append(link or FIRST)
        self.by_kind.setdefault(kind, []).append(row[:5])

    def forget(self, after: int) -> None:
        """The facts after one are none any more."""
        if after < self.number:
            self.number = after
            del self.links[after:]
            self.by_kind = {kind: found[: _place_after(found, after)] for kind, found in self.by_kind.items()}


def _place_after(rows: Sequence[Row], number: int) -> int:
    """Where the rows after a fact begin."""
    return bisect_right(rows, number, key=itemgetter(0))


def missing(first: int, last: int) -> str:
    """Say which facts are gone: they are numbered 1, 2, 3 without a gap."""
    return f"fact {first} is missing" if first == last else f"facts {first} to {last} are missing"


def _rows_after(connection: sqlite3.Connection, number: int) -> Iterator[Row]:
    """The facts after one as they stand in their table, each with its sum and link, or None."""
    return connection.execute(
        "SELECT id, at, by, kind, body, sum, chain FROM facts NOT INDEXED LEFT JOIN checksums ON fact = id "
        "WHERE id > ? ORDER BY id",
        (number,),
    )


def _newest_told(connection: sqlite3.Connection) -> int:
    """The number of the newest fact as it is told elsewhere in the file than in the table of facts."""
    counters = (
        "SELECT CAST(seq AS INTEGER) FROM sqlite_sequence WHERE name = 'facts'",
        "SELECT MAX(fact) FROM checksums",
    )
    rows = [connection.execute(counter).fetchone() for counter in counters]
    return max(row[0] or 0 if row else 0 for row in rows)


def _look_on(
    connection: sqlite3.Connection, path: Path, look: FactsSeen, tip: LastWritten | None = None
) -> Iterator[str]:
    """Look at all facts that were not looked at yet; what is wrong with them, one after the other."""
    tip = tip or read_tip(path)  # before the facts: who writes one meanwhile keeps the tip behind it
    newest = _newest_told(connection)
    beside = f"as {tip_beside(path).name} beside it tells (to go on without it, delete that file)"
    for row in _rows_after(connection, look.number):
        yield from look.at(row)
        if row[0] == tip.fact and row[6] != tip.link:
            yield f"fact {tip.fact} ({row[3]}) is another than was written down, {beside}"
    if newest > look.number:
        yield missing(look.number + 1, newest)
    elif tip.fact > look.number:
        yield f"{missing(look.number + 1, tip.fact)}, {beside}"


def verify(
    connection: sqlite3.Connection, path: Path, mend: str, tip: LastWritten | None = None
) -> tuple[Problem, ...]:
    """Everything that tells that the facts are not as they were written down.

    Of facts that were copied, ``tip`` is how far they went before they were.
    """
    found: list[str] = []
    try:
        found += _look_on(connection, path, FactsSeen(), tip)
        whole = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
        found += [f"the file is damaged: {text}" for text in whole if text != ALL_GOOD]
    except sqlite3.Error as error:
        found.append(f"the file is damaged: {error}")
    return tuple(Problem(Weight.STOPS, f"{text}; {mend}", str(path)) for text in found)


# --------------------
# Opening facts where nothing can be written: on a full disk, from a closed folder or stick.

LOG = "-wal"  # SQLite's log beside the file: what was written and not yet carried over
MEMORY = Path("/dev/shm")


class Borrowed(sqlite3.Connection):
    """A connection to a copy of the file; the copy goes with it."""


def opened_to_read(path: Path) -> sqlite3.Connection | None:
    """Open the file so that nothing is written beside it; None where that cannot be.

    Where its log is empty the file is all there is. What stands in a log is read from a copy elsewhere.
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
    """Open a file and look into it: SQLite opens it only then."""
    connection = sqlite3.connect(
        uri, uri=True, timeout=30, isolation_level=None, check_same_thread=False, factory=factory
    )
    try:
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


READ = frozenset({"page read"})  # written down by the reader
QUOTED = frozenset({"context", "ink"})  # what a ruling rests on may quote what was read
Clock = Callable[[], str]  # gives the time now, ISO 8601 with its zone

VERSION = 1  # of the file and of the kinds of facts in it, kept as SQLite's user_version; raised by whatever is added
STEPS: Mapping[int, tuple[str, ...]] = {}  # version -> the statements that make a file of it one of the next
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
RESTORE = "restore event.db from a copy of the event folder ('ordersheets restore')"


class StoredFact(Struct, frozen=True):
    """One thing that happened: what, when, and who says so."""

    number: int  # 1.., in the order in which facts were written down
    at: str  # ISO 8601
    by: str  # a person's name, or the program and its version
    kind: str
    body: Mapping[str, Any]


def _check_printable(kind: str, body: Mapping[str, Any], by: str) -> None:
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
            self.connection = _opened_to_write(path)
        except sqlite3.Error as error:
            self.refusal = self.said(error, "cannot open the facts")
            self.connection = self.only_read(error)
        try:
            _check_version(self.connection, path)
        except sqlite3.Error as error:
            self.connection.close()
            raise self.said(error, "cannot open the facts") from error
        except Stopped:
            self.connection.close()
            raise

    def only_read(self, error: sqlite3.Error) -> sqlite3.Connection:
        """Open the file to read it, where it is whole and only nothing can be written."""
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
                    _keep_tip(self.path, self.tip)
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
                    for fault in _look_on(self.connection, self.path, self.seen):
                        self.seen = FactsSeen()  # who asks again is told again
                        raise self.damaged(fault)
                except sqlite3.Error as error:
                    raise self.said(error, "the facts cannot be read") from error
            return self.seen.number

    def read(self, kind: str | None = None, after: int = 0) -> Iterator[StoredFact]:
        """Give the facts back in the order in which they were written, each as it was written."""
        for number, at, by, what, text in self.rows(kind, after):
            yield StoredFact(number, at, by, what, _read_body(text, number, self.damaged))

    def rows(self, kind: str | None = None, after: int = 0) -> Iterator[Row]:
        """The same, each body as text.

        All are looked at first, whatever is asked for: what is damaged stops also who asks for others.
        """
        self.look()
        by_kind = self.seen.by_kind
        rows = by_kind.get(kind, []) if kind else sorted(chain.from_iterable(by_kind.values()), key=itemgetter(0))
        yield from rows[_place_after(rows, after) :]

    def last_number(self) -> int:
        """The number of the newest fact; 0 where there is none. Cheap: the page asks it all the time."""
        try:
            row = self.connection.execute("SELECT COALESCE(MAX(id), 0) FROM facts").fetchone()
        except sqlite3.Error as error:
            raise self.said(error, "the facts cannot be read") from error
        return int(row[0])

    def has_tip(self) -> bool:
        """Whether it is known from beside the file how far the facts go, or there are none yet."""
        return bool(read_tip(self.path).fact) or not self.last_number()

    def kinds_after(self, number: int) -> frozenset[str]:
        """The kinds of the facts that are newer than one."""
        with self.lock:
            self.look()
            return frozenset(kind for kind, found in self.seen.by_kind.items() if found and found[-1][0] > number)

    def verify(self) -> tuple[Problem, ...]:
        """Everything that tells that the file is not as it was written: changed facts, missing facts, damage."""
        return verify(self.connection, self.path, RESTORE)

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
            return write_refused(error, str(self.path), what, "see who may read and write in this folder")
        return stop(f"{what}: {error}; {RESTORE}", str(self.path))


def _opened_to_write(path: Path) -> sqlite3.Connection:
    """Open the file; make its tables where it is new, and bring one of an older version up to this one."""
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if not _tables_in(connection):
            connection.executescript(SCHEMA)
        elif _version_of(connection) in STEPS:
            _bring_up(connection)
    except UnicodeDecodeError as error:  # of what SQLite says of tables that it does not understand
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
    """Make a file of an older version one of this version, all of it or nothing; facts stay as they are."""
    connection.execute("BEGIN IMMEDIATE")
    for version in range(_version_of(connection), VERSION):  # another program may have done it meanwhile
        for statement in STEPS[version]:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Stop where a newer program wrote the file, or it is no file of facts at all."""
    version = _version_of(connection)
    if version > VERSION:
        text = f"its facts are of version {version}, and this program knows them to version {VERSION}"
        raise stop(f"{text}; use the ordersheets that wrote them, or a newer one", str(path))
    if not version or not _tables_in(connection) >= TABLES:
        raise stop(f"this is no file of facts, or its tables are damaged; {RESTORE}", str(path))


def _tables_in(connection: sqlite3.Connection) -> set[str]:
    """The tables of a file, by name."""
    return {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _read_body(text: str, number: int, damaged: Callable[[str], Stopped]) -> Mapping[str, Any]:
    """Read the body of a fact."""
    try:
        body = json.loads(text)
    except (ValueError, TypeError) as error:
        raise damaged(f"fact {number} cannot be read") from error
    if not isinstance(body, dict):
        raise damaged(f"fact {number} is no fact")
    return body

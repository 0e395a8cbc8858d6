"""Open the file of facts: to write, with its tables and of this version; to read where nothing can be written."""

import shutil
import sqlite3
import tempfile
import weakref
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from pipeline.ledger.open_file import LOG
from pipeline.problems import stop

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
    connection = sqlite3.connect(uri, uri=True, timeout=30, check_same_thread=False, factory=factory)
    try:
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


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
RESTORE = "restore event.db from a copy of the event folder ('ordersheets restore')"


def opened_to_write(path: Path) -> sqlite3.Connection:
    """Open the file; create its tables if it is new, and migrate an older version."""
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if not tables_in(connection):
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


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Stop where a newer program wrote the file, or it is no file of facts at all."""
    version = _version_of(connection)
    if version > VERSION:
        text = (
            f"it was written by version {version} of the file format, and this program knows versions up to {VERSION}"
        )
        raise stop(f"{text}; use the ordersheets that wrote them, or a newer one", str(path))
    if not version or not tables_in(connection) >= TABLES:
        raise stop(f"this is no event.db, or it is damaged; {RESTORE}", str(path))


def tables_in(connection: sqlite3.Connection) -> set[str]:
    """The tables of a file, by name."""
    return {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}

"""Opening facts where nothing can be written: on a full disk, from a closed folder or stick."""

import shutil
import sqlite3
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path

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
        return looked_into(f"{path.absolute().as_uri()}?mode=ro", sqlite3.Connection)
    if not has_log:
        with suppress(sqlite3.Error):
            return looked_into(f"{path.absolute().as_uri()}?immutable=1", sqlite3.Connection)
        return None
    for place in (None, MEMORY):
        with suppress(sqlite3.Error, OSError):
            return copied(path, log, place)
    return None


def copied(path: Path, log: Path, place: Path | None) -> sqlite3.Connection:
    """Open a copy of the file with its log; it is removed when the connection is."""
    folder = tempfile.TemporaryDirectory(dir=place)
    try:
        for each in (path, log):
            shutil.copyfile(each, Path(folder.name) / each.name)
        connection = looked_into((Path(folder.name) / path.name).as_uri(), Borrowed)
    except BaseException:
        folder.cleanup()
        raise
    weakref.finalize(connection, folder.cleanup)
    return connection


def looked_into(uri: str, factory: type[sqlite3.Connection]) -> sqlite3.Connection:
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

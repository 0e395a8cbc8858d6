"""Work that one program at a time does.

The lock is SQLite's, on a file of its own: it goes with the program that has it, however that ends, on every system.
Nobody has to clear it away.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pipeline.ledger.files.disk import refused

LOOKS_EVERY_S = 0.5  # how often the one that waits looks whether the other has done


@contextmanager
def alone(path: Path, on_wait: Callable[[], None]) -> Iterator[None]:
    """Do what is inside while no other program does; where one does, say so once and wait until it has done."""
    try:
        lock = sqlite3.connect(path, timeout=LOOKS_EVERY_S, isolation_level=None)
    except sqlite3.Error as error:
        raise refused(error, str(path), "it cannot be opened", "see who may write in this folder") from error
    with closing(lock):
        has_told = False
        while not is_taken(lock, path):
            if not has_told:
                on_wait()
            has_told = True
        yield


def is_taken(lock: sqlite3.Connection, path: Path) -> bool:
    """Try to take a lock; it is let go when the connection is closed."""
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            return False
        raise refused(error, str(path), "it cannot be locked", "delete the file, nothing is in it") from error
    return True

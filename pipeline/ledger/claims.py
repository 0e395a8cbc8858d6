"""Sessions, claims (who works on what) and sealed secrets, in a file of their own beside the facts.

Nothing here is a fact: if the file is lost, only logins, claims, and dice and lots not yet drawn are lost with it.
Times are seconds of a monotonic clock and come in as arguments. That clock restarts with the machine: an entry that
would last longer than its maximum is from before, and has expired.
"""

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Container, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from pipeline.ledger.files import code_of, write_refused
from pipeline.ledger.open_file import LOG, SHARED, OpenFile
from pipeline.problems import Stopped, stop

MEND = (
    "rename the file, and try again: everybody logs in anew; lots and dice that were sealed in it (a hash was shown, "
    "and no word called yet) are drawn with paper lots or rolled with a real die"
)
DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
SCHEMA = """
CREATE TABLE IF NOT EXISTS claims (
  what TEXT PRIMARY KEY, session TEXT NOT NULL, name TEXT NOT NULL, until REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS sessions (
  digest TEXT PRIMARY KEY, csrf TEXT NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL, until REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


class Login(Struct, frozen=True, kw_only=True):
    """A browser that was let in. The cookie itself is kept nowhere, only its hash."""

    digest: str
    csrf: str
    name: str
    role: str
    until: float


def digest_of(cookie: str) -> str:
    """Hash a cookie, so that a stolen copy of the file is useless."""
    return hashlib.sha256(cookie.encode()).hexdigest()


class Claims:
    """The file ``claims.db`` of one event; every method is one transaction."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = threading.RLock()  # one connection, many threads of one server; other programs wait in SQLite
        self.connection = self._open()
        self.file = OpenFile(path)

    def _open(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(self.path, timeout=10, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.executescript(SCHEMA)
        except sqlite3.Error as error:
            raise self.explain_failure(error, "cannot be opened") from error
        except UnicodeDecodeError as error:  # SQLite's message on damaged tables may be invalid UTF-8
            raise stop(f"the log-ins cannot be opened: the file is damaged; {MEND}", str(self.path)) from error
        return connection

    def _put_back(self) -> None:
        """Write what is open to its path again, if another file is there or none: nothing here is worth a refusal."""
        part = self.path.with_name(f".ordersheets-{self.path.name}.part")
        part.unlink(missing_ok=True)
        with closing(sqlite3.connect(part)) as coming:
            self.connection.backup(coming)
            coming.execute("PRAGMA journal_mode = DELETE")
        self.connection.close()
        for suffix in (LOG, SHARED):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        part.replace(self.path)
        self.connection = self._open()
        self.file = OpenFile(self.path)

    def explain_failure(self, error: sqlite3.Error, what: str) -> Stopped:
        """Say what is wrong with the file: damage, which only a new file mends, or the disk."""
        if code_of(error) in (0, *DAMAGE):
            return stop(f"the log-ins {what}: {error}; {MEND}", str(self.path))
        return write_refused(error, str(self.path), f"the log-ins {what}", MEND)

    def query(self, question: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self.lock:
            try:
                return self.connection.execute(question, values).fetchall()
            except sqlite3.Error as error:
                raise self.explain_failure(error, "cannot be read") from error

    def close(self) -> None:
        self.connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all or nothing, and one process at a time."""
        with self.lock:
            try:
                if self.file.find_replacement():
                    self._put_back()
                self.connection.execute("BEGIN IMMEDIATE")
                yield self.connection
                self.connection.execute("COMMIT")
            except OSError as error:
                raise write_refused(error, str(self.path), "the log-ins cannot be written", MEND) from error
            except sqlite3.Error as error:
                raise self.explain_failure(error, "cannot be written") from error
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    def claim(self, what: str, login: Login, *, now: float, seconds: float) -> bool:
        """Claim a thing for a session, unless another session holds it."""
        with self.transaction() as connection:
            connection.execute("DELETE FROM claims WHERE until <= ? OR until > ?", (now, now + seconds))
            connection.execute(
                "INSERT INTO claims VALUES (?, ?, ?, ?) "
                "ON CONFLICT (what) DO UPDATE SET until = excluded.until WHERE session = excluded.session",
                (what, login.digest, login.name, now + seconds),
            )
            held = connection.execute("SELECT session FROM claims WHERE what = ?", (what,)).fetchone()
        return bool(held[0] == login.digest)

    def keep_only(self, what: str | None, login: Login) -> None:
        """Release all claims of a session but one."""
        with self.transaction() as connection:
            connection.execute("DELETE FROM claims WHERE session = ? AND what IS NOT ?", (login.digest, what))

    def renew(self, login: Login, *, now: float, seconds: float) -> None:
        """Extend the claims of a session whose browser is still there."""
        with self.transaction() as connection:
            connection.execute(
                "UPDATE claims SET until = ? WHERE session = ? AND until > ?", (now + seconds, login.digest, now)
            )

    def held_by_others(self, login: Login, *, now: float, seconds: float) -> dict[str, str]:
        """The claims of other sessions, with each holder's name; a claim expires after the given seconds."""
        rows = self.query(
            "SELECT what, name FROM claims WHERE session <> ? AND until > ? AND until <= ?",
            (login.digest, now, now + seconds),
        )
        return {str(what): str(name) for what, name in rows}

    def let_in(self, login: Login) -> None:
        with self.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?)",
                (login.digest, login.csrf, login.name, login.role, login.until),
            )

    def login(self, cookie: str, *, now: float, seconds: float) -> Login | None:
        """Find the login of a cookie, if it has not expired; a login lasts at most the given seconds."""
        rows = self.query(
            "SELECT digest, csrf, name, role, until FROM sessions WHERE digest = ? AND until > ? AND until <= ?",
            (digest_of(cookie), now, now + seconds),
        )
        return next((Login(digest=d, csrf=c, name=str(n), role=str(r), until=u) for d, c, n, r, u in rows), None)

    def send_away(self, login: Login) -> None:
        """End a login, and release its claims."""
        with self.transaction() as connection:
            connection.execute("DELETE FROM sessions WHERE digest = ?", (login.digest,))
            connection.execute("DELETE FROM claims WHERE session = ?", (login.digest,))

    def free_what_was_left(self, name: str, inside: Container[str]) -> None:
        """Release the claims of a person's ended sessions: of all but those with these digests."""
        with self.transaction() as connection:
            held = connection.execute("SELECT DISTINCT session FROM claims WHERE name = ?", (name,)).fetchall()
            left = [session for session in held if session[0] not in inside]
            connection.executemany("DELETE FROM claims WHERE session = ?", left)

    def keep_secret(self, name: str, value: str) -> None:
        """Store a secret that nobody may see yet; an existing one of that name is kept."""
        with self.transaction() as connection:
            connection.execute("INSERT OR IGNORE INTO secrets VALUES (?, ?)", (name, value))

    def secret(self, name: str, sha256: str) -> str | None:
        """Look up a secret whose hash was shown; None if it is lost or does not match."""
        rows = self.query("SELECT value FROM secrets WHERE name = ?", (name,))
        secrets_kept = [str(value) for (value,) in rows]
        return next((value for value in secrets_kept if hashlib.sha256(value.encode()).hexdigest() == sha256), None)


# Work that one program at a time does.
#
# The lock is SQLite's, on a file of its own: on every system it is released when the program that holds it ends, even
# if that is killed. Nobody has to clear it away.

LOOKS_EVERY_S = 0.5  # how long one attempt to take the lock lasts


@contextmanager
def hold_lock(path: Path, on_wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock, which any thread may release; if another program has it, say so once and wait."""
    try:
        lock = sqlite3.connect(path, timeout=LOOKS_EVERY_S, check_same_thread=False)
    except sqlite3.Error as error:
        raise write_refused(error, str(path), "it cannot be opened", "see who may write in this folder") from error
    with closing(lock):
        has_told = False
        while not _is_taken(lock, path):
            if not has_told:
                on_wait()
            has_told = True
        yield


def _is_taken(lock: sqlite3.Connection, path: Path) -> bool:
    """Try to take a lock; it is let go when the connection is closed."""
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            return False
        raise write_refused(error, str(path), "it cannot be locked", "delete the file, nothing is in it") from error
    return True

"""The log of an event: failures of the program, with their traces and without names of players or orders.

One file in the event's folder, which is made with the first failure and kept small. Of an exception only its type, a
system's number and the lines of code are written down: its message may name a player or an order.
"""

import logging
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from logging.handlers import RotatingFileHandler
from pathlib import Path

from pipeline.problems import Stopped

LOG = logging.getLogger("pipeline")
LOG.addHandler(logging.NullHandler())  # without an event nothing is written
LOG.propagate = False
LOG_FILE = "ordersheets.log"
OLDER = f"{LOG_FILE}.1"
LARGEST = 1 << 20  # bytes; one older file is kept


class _TraceFormatter(logging.Formatter):
    """Traces without the messages of their exceptions."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, and the trace as it is written here: another handler may have kept its own with the record."""
        own = copy(record)
        own.exc_text = None
        return super().format(own)

    def formatException(self, ei: object) -> str:  # noqa: N802 - logging's own name
        """The trace, with the exceptions that led to it, the first one first."""
        error = ei[1] if isinstance(ei, tuple) else None
        return "\n".join(_describe(each) for each in reversed(list(_causes(error))))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An exception, and those that led to it."""
    seen: list[BaseException] = []
    while error is not None and not any(error is each for each in seen):
        seen.append(error)
        yield error
        error = error.__cause__ or error.__context__


def _describe(error: BaseException) -> str:
    number = f" {error.errno}" if isinstance(error, OSError) else ""
    return "".join(traceback.format_tb(error.__traceback__)) + type(error).__qualname__ + number


class _EventHandler(RotatingFileHandler):
    """Writes into an event's folder; where that is not possible, the failure is told elsewhere, and this is not."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        super().__init__(folder / LOG_FILE, maxBytes=LARGEST, backupCount=1, encoding="utf-8", delay=True)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        """Go on: the disk may be full."""


@contextmanager
def logging_into(folder: Path, foreseen: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """Write failures into an event's folder; once, where this is done already. ``foreseen``: what is no failure."""
    if any(isinstance(each, _EventHandler) and each.folder == folder for each in LOG.handlers):
        yield
        return
    handler = _EventHandler(folder)
    handler.setFormatter(_TraceFormatter("%(asctime)s %(process)d %(module)s: %(message)s"))
    LOG.addHandler(handler)
    try:
        yield
    except Exception as error:
        if not isinstance(error, (Stopped, OSError, *foreseen)):  # these are told in words
            log_failure(error, "something was being done with the event")
        raise
    finally:
        LOG.removeHandler(handler)
        handler.close()


def log_failure(error: BaseException, what: str) -> None:
    """Write down that the program failed; ``what`` is what it was doing, without names."""
    LOG.error(what, exc_info=error)


def watch_threads() -> None:
    """Write down what ends a thread, too."""
    before = threading.excepthook

    def tell(ended: threading.ExceptHookArgs) -> None:
        if ended.exc_value is not None:
            log_failure(ended.exc_value, "a thread ended")
        before(ended)

    threading.excepthook = tell

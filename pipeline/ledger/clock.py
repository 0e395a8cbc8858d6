"""The one place that asks what time it is, so that everything else can be told.

The wall clock says when something was written down, for people. It may be set back or forward at any time, so nothing
is decided by it: what lasts is counted by `steady`, which only goes forward.
"""

import sys
import time
from datetime import UTC, datetime


def now() -> str:
    """The time now, ISO 8601 to the second, in UTC.

    >>> now()[10], now()[-6:]
    ('T', '+00:00')
    """
    return datetime.now(UTC).isoformat(timespec="seconds")


def steady() -> float:
    """Seconds since some moment, counted on while the machine sleeps, whatever is done to the clock on the wall.

    >>> steady() <= steady()
    True
    """
    if hasattr(time, "CLOCK_BOOTTIME"):  # Linux: its monotonic clock stands still while the machine sleeps
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":  # likewise; this one goes on
        return time.clock_gettime(time.CLOCK_MONOTONIC)
    return time.monotonic()


def is_moment(text: str) -> bool:
    """Whether a text is a time as `now` gives it, on some day and in some zone.

    >>> is_moment("2026-01-02T09:00:00+00:00"), is_moment("2026-01-02T09:00:00"), is_moment("yesterday")
    (True, False, False)
    """
    try:
        return datetime.fromisoformat(text).utcoffset() is not None
    except ValueError:
        return False


def seconds_between(earlier: str, later: str) -> float | None:
    """How long one moment was before another, by the clock on the wall; None where it was set back between them.

    >>> seconds_between("2026-01-02T09:00:00+00:00", "2026-01-02T09:05:00+00:00")
    300.0
    >>> seconds_between("2026-01-02T09:00:00+00:00", "2026-01-02T08:59:59+00:00")
    """
    gone = (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
    return gone if gone >= 0 else None

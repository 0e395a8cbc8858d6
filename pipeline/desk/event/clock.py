"""The one place that asks what time it is, so that everything else can be told."""

from datetime import UTC, datetime


def now() -> str:
    """The time now, ISO 8601 to the second, in UTC.

    >>> now()[10], now()[-6:]
    ('T', '+00:00')
    """
    return datetime.now(UTC).isoformat(timespec="seconds")

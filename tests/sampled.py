"""Which cases of a test run in ``make test``; ``make test-all`` runs them all."""

from collections.abc import Iterable
from typing import Any

import pytest


def slow_after(count: int, cases: Iterable[Any]) -> list[Any]:
    """Mark all cases of a test but the first ``count`` as slow; a tuple is a case of several arguments."""
    first, others = [*cases][:count], [*cases][count:]
    return [
        *first,
        *(pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=pytest.mark.slow) for each in others),
    ]

"""Which cases of a test run in ``make test``; ``make test-all`` runs them all."""

from collections.abc import Iterable
from typing import Any

import pytest


def slow_after(count: int, cases: Iterable[Any], *, is_value: bool = False) -> list[Any]:
    """Mark all cases of a test but the first ``count`` as slow.

    A tuple is a case of several arguments, unless ``is_value``: one argument that is a tuple.
    """
    first, others = [*cases][:count], [*cases][count:]
    arguments = [each if isinstance(each, tuple) and not is_value else (each,) for each in others]
    return [*first, *(pytest.param(*each, marks=pytest.mark.slow) for each in arguments)]

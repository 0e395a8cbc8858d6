"""What all tests share."""

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data beside the checkout; tests that use it are skipped where it is not."""
    if not SHARED.is_dir():
        pytest.skip("no reference data beside this checkout")
    return SHARED

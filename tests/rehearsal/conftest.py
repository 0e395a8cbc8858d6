"""The small event of the desk's tests: seated, and printed in free lines."""

from desk.conftest import event

__all__ = ["event"]

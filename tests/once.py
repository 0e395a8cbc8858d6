"""What a process of tests starts once, when it is first asked for, and ends when it has no more tests."""

from contextlib import ExitStack

STARTED = ExitStack()

"""Engines for tests that need none: one says what it was told to, one always fails."""

from collections.abc import Sequence

from msgspec import Struct

from pipeline.ink import Note
from pipeline.reading.recogniser import Crop, EngineFailed, RowReading, Vocabulary, _unread_row


class Recorded(Struct):
    """An engine that says what it was told to, row after row; for tests without an engine."""

    script: list[RowReading]
    name: str = "recorded"

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[RowReading]:
        """Take the next readings of the script; nothing is read where it has ended."""
        told, self.script = self.script[: len(crops)], self.script[len(crops) :]
        return [*told, *(_unread_row(Note.RECORDING_ENDED) for _ in crops[len(told) :])]


class Crashing(Struct, frozen=True):
    """An engine that always fails; for tests that nothing is lost."""

    name: str = "crashing"

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[RowReading]:
        """Fail."""
        raise EngineFailed(f"cannot read {len(crops)} rows")

"""Engines for tests that need none, and one that was taught: each row is looked at first."""

from collections.abc import Sequence

from msgspec import Struct

from pipeline.ink import InkLine, Note
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.further import Known
from pipeline.reading.recogniser import Crop, EngineFailed, Vocabulary, _unread_row


class Recorded(Struct):
    """An engine that says what it was told to, row after row; for tests without an engine."""

    script: list[InkLine]
    name: str = "recorded"

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[InkLine]:
        """Take the next readings of the script; nothing is read where it has ended."""
        told, self.script = self.script[: len(crops)], self.script[len(crops) :]
        return [*told, *(_unread_row(Note.RECORDING_ENDED) for _ in crops[len(told) :])]


class Crashing(Struct, frozen=True):
    """An engine that always fails; for tests that nothing is lost."""

    name: str = "crashing"

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[InkLine]:
        """Fail."""
        raise EngineFailed(f"cannot read {len(crops)} rows")


def teach_hand(reader: NetRecogniser, known: Sequence[tuple[Crop, str]]) -> NetRecogniser:
    """A reader for one hand, of crops whose text is known."""
    seen = [(reader.look(crop), text, crop) for crop, text in known]
    return reader.taught_by([Known(row, text, crop=crop) for row, text, crop in seen if row is not None])

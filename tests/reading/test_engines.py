"""An engine may read, stay silent or break: no row is lost."""

import pytest

from pipeline.ink import InkLine, InkReading, Note, Noted, NoteMessage, Tier
from pipeline.reading.pages import Grey, PageImage
from pipeline.reading.recogniser import Filed, NoRecogniser, Recogniser, Vocabulary, read_safely
from pipeline.reading.transcribe import SheetReader
from reading.sheetbench import EVENT, ORDERS, Bench
from reading.stand_ins import Crashing, Recorded


def filed(bench: Bench, sheet: Grey, engine: Recogniser) -> Filed:
    layout = bench.layout(bench.request(1))
    reader = SheetReader({layout.sheet: layout}, engine, lambda _: Vocabulary(), EVENT, "0" * 64)
    found = reader.transcribe(PageImage("scan.pdf", 1, sheet))
    assert isinstance(found, Filed)
    return found


def test_every_inked_row_gets_its_reading_and_the_others_are_blank(bench: Bench, sheet: Grey) -> None:
    told = [InkLine.without_place((InkReading(text, 0.9),), Tier.ACCEPTED) for text in ORDERS]
    found = filed(bench, sheet, Recorded(told))
    lines = found.transcription.lines
    assert [entry.text for entry in lines] == [*ORDERS, *[""] * 12]
    assert [entry.tier for entry in lines] == [Tier.ACCEPTED] * 5 + [Tier.BLANK] * 12
    assert (found.transcription.reader, found.transcription.page) == ("recorded", 1)
    assert found.crops[3].startswith(b"\x89PNG")
    assert found.picture.startswith(b"\xff\xd8")


@pytest.mark.parametrize(
    ("engine", "note"),
    [
        (Crashing(), NoteMessage.of(Note.ENGINE_FAILED, engine="crashing", why="cannot read 5 rows")),
        (Recorded([]), Note.RECORDING_ENDED),
    ],
)
def test_an_engine_that_breaks_asks_every_inked_row_with_a_note(
    bench: Bench, sheet: Grey, engine: Recogniser, note: Noted
) -> None:
    lines = filed(bench, sheet, engine).transcription.lines
    assert [entry.tier for entry in lines[:6]] == [Tier.ASKED] * 5 + [Tier.BLANK]
    assert {entry.notes for entry in lines[:5]} == {(note,)}


def test_without_an_engine_every_inked_row_is_asked(bench: Bench, sheet: Grey) -> None:
    lines = filed(bench, sheet, NoRecogniser()).transcription.lines
    assert [entry.tier for entry in lines[:6]] == [Tier.ASKED] * 5 + [Tier.BLANK]


def test_an_answer_of_the_wrong_length_is_no_answer() -> None:
    class Short(Recorded):
        def read(self, crops: object, vocabulary: object) -> list[InkLine]:
            return []

    found = read_safely(Short([]), [None, None], Vocabulary())  # type: ignore[list-item]  # the crops are not looked at
    assert [reading.notes for reading in found] == [
        (NoteMessage.of(Note.ENGINE_SHORT, engine="recorded", answered=0, rows=2),)
    ] * 2

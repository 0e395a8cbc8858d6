"""An engine may read, stay silent or break: no row is lost, and only what can be nothing else is accepted."""

import pytest

from pipeline.ink import Reading, Tier
from pipeline.reading.outcome import Filed
from pipeline.reading.page import PageImage
from pipeline.reading.picture import Grey
from pipeline.reading.recogniser import (
    Crashing,
    Line,
    NoRecogniser,
    Recogniser,
    Recorded,
    RowReading,
    Vocabulary,
    read_safely,
)
from pipeline.reading.tesseract import Tesseract, best_recogniser, judged
from pipeline.reading.tesseract_call import Seen, tesseract_version
from pipeline.reading.transcribe import SheetReader
from reading.sheetbench import EVENT, ORDERS, Bench


def filed(bench: Bench, sheet: Grey, engine: Recogniser) -> Filed:
    layout = bench.layout(bench.request(1))
    reader = SheetReader({layout.sheet: layout}, engine, lambda _: VOCABULARY, EVENT, "0" * 64)
    found = reader.transcribe(PageImage("scan.pdf", 1, sheet))
    assert isinstance(found, Filed)
    return found


def line(*words: str) -> Line:
    return Line(tuple(tuple(word.split("|")) for word in words))


VOCABULARY = Vocabulary(
    (
        line("A|Army|", "PAR|Paris", "-|to", "BUR|Burgundy"),
        line("A|Army|", "PAR|Paris", "-|to", "PIC"),
        line("F|", "BRE", "-", "MAO"),
        line("A|", "MUN", "-", "BER"),
        line("A|", "MUN", "-", "BUR"),
    ),
    others=(line("F|", "BRE", "-", "NAO"),),
)


def test_every_inked_row_gets_its_reading_and_the_others_are_blank(bench: Bench, sheet: Grey) -> None:
    told = [RowReading((Reading(text, 0.9),), Tier.ACCEPTED) for text in ORDERS]
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
        (Crashing(), "crashing failed: cannot read 5 rows"),
        (Recorded([]), "the recording has ended"),
    ],
)
def test_an_engine_that_breaks_asks_every_inked_row_with_a_note(
    bench: Bench, sheet: Grey, engine: Recogniser, note: str
) -> None:
    lines = filed(bench, sheet, engine).transcription.lines
    assert [entry.tier for entry in lines[:6]] == [Tier.ASKED] * 5 + [Tier.BLANK]
    assert {entry.notes for entry in lines[:5]} == {(note,)}


def test_without_an_engine_every_inked_row_is_asked(bench: Bench, sheet: Grey) -> None:
    lines = filed(bench, sheet, NoRecogniser()).transcription.lines
    assert [entry.tier for entry in lines[:6]] == [Tier.ASKED] * 5 + [Tier.BLANK]


def test_an_answer_of_the_wrong_length_is_no_answer() -> None:
    class Short(Recorded):
        def read(self, crops: object, vocabulary: object) -> list[RowReading]:
            return []

    found = read_safely(Short([]), [None, None], Vocabulary())  # type: ignore[list-item]  # the crops are not looked at
    assert [reading.notes for reading in found] == [("recorded answered 0 rows of 2",)] * 2


@pytest.mark.parametrize(
    ("first", "second", "confidence", "tier"),
    [
        ("A PAR - BUR", "A Par-Bur", 0.9, Tier.ACCEPTED),
        ("Paris to Burgundy", "PARIS TO BURGUNDY", 0.9, Tier.ACCEPTED),
        ("A PAR - BUR", "A PAR - BUB", 0.9, Tier.ASKED),  # the two pictures do not agree
        ("A PAR - BUR", "A PAR - BUR", 0.3, Tier.ASKED),  # not sure
        ("A PAR - BUB", "A PAR - BUB", 0.9, Tier.ASKED),  # no spelling of anything
        ("A PAR - GAS", "A PAR - GAS", 0.9, Tier.ASKED),  # not admissible here: never turned into what is
        ("A MUN - BER", "A MUN - BER", 0.9, Tier.ASKED),  # one letter from A MUN - BUR
        ("F BRE - MAO", "F BRE - MAO", 0.9, Tier.ASKED),  # one letter from an order that is not admissible
        ("", "", 0.9, Tier.ASKED),
    ],
)
def test_only_what_can_be_nothing_else_is_accepted(first: str, second: str, confidence: float, tier: Tier) -> None:
    found = judged(Seen(first, confidence), Seen(second, confidence), VOCABULARY)
    assert found.tier is tier


def test_nothing_is_accepted_without_a_vocabulary() -> None:
    assert judged(Seen("A PAR H", 0.99), Seen("A PAR H", 0.99), Vocabulary()).tier is Tier.ASKED


@pytest.mark.skipif(tesseract_version() is None, reason="Tesseract is not installed")
def test_tesseract_reads_and_never_accepts_another_order(bench: Bench, sheet: Grey) -> None:
    engine = best_recogniser()
    assert isinstance(engine, Tesseract)
    lines = filed(bench, bench.scanned(sheet, "clean"), engine).transcription.lines[:5]
    assert any(entry.readings for entry in lines)
    for entry, truth in zip(lines, ORDERS, strict=True):
        assert entry.tier is Tier.ASKED or entry.text.replace(" ", "").upper() == truth.replace(" ", "")

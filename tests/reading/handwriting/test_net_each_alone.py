"""What each reader by itself makes of a row can be shown, and says no more than the reader saw."""

import pytest

from pipeline.reading.engine import NetRecogniser
from pipeline.reading.hand_reader import HandReader, each_alone
from pipeline.reading.network import Head
from pipeline.reading.recogniser import Crop, Vocabulary
from reading.stand_ins import teach_hand
from reading.vienna import VIENNA, written

TEXTS = ("A VIE - BOH", "A VIE - GAL", "A VIE X TRO")  # the last is no line


def crops() -> list[Crop]:
    return [Crop(written(text, 5), 0) for text in TEXTS]


def test_each_reader_after_the_first_says_something_where_it_looked_and_only_there(reader: NetRecogniser) -> None:
    sheet = HandReader(reader)
    answers = sheet.read(crops(), VIENNA)

    found = each_alone(sheet, VIENNA)

    assert list(map(len, found)) == [0 if row is None else len(row.views) for row in sheet.seen]
    assert any(len(row) > 1 for row in found), "at the row that is no line"
    assert found[0][0].line is not None
    assert found[0][0].line.text == answers[0].readings[0].text == "A VIE - BOH"
    assert found[0][0].letters.text.replace(" ", "") == "AVIE-BOH"
    assert all(0 <= alone.letters.confidence <= 1 for row in found for alone in row[:1])


def test_where_nothing_may_be_written_there_is_no_best_line(reader: NetRecogniser) -> None:
    sheet = HandReader(reader)
    sheet.read(crops()[:1], Vocabulary())

    ((found,),) = each_alone(sheet, Vocabulary())

    assert found.line is None
    assert found.letters.text.replace(" ", "") == "AVIE-BOH"


def test_where_the_hand_is_known_the_first_reader_is_the_one_that_knows_it(reader: NetRecogniser) -> None:
    taught = teach_hand(reader, [])
    taught.head = Head(reader.head.kernel * 0.4, reader.head.bias)  # one that is less sure of everything
    sheet = HandReader(reader, taught)
    sheet.read(crops()[:1], VIENNA)

    said = []
    for sheet.is_this_hand in (True, False):
        (first, *_), *_ = each_alone(sheet, VIENNA)
        assert first.line is not None
        said.append(first.line.confidence)

    assert said[0] < said[1]


@pytest.mark.parametrize("taught", [False, True])
def test_to_be_shown_changes_nothing_that_is_read(reader: NetRecogniser, taught: bool) -> None:
    sheet = HandReader(reader, teach_hand(reader, [(crops()[0], TEXTS[0])]) if taught else None)
    before = sheet.read(crops(), VIENNA)
    each_alone(sheet, VIENNA)
    assert list(sheet.read(crops(), VIENNA)) == list(before)

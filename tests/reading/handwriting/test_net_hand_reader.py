"""A sheet is read with what is known of its writer's hand only if it shows that hand; otherwise nothing is changed."""

from dataclasses import replace

import numpy as np

from pipeline.ink import Note, Tier
from pipeline.pen.hand import Hand
from pipeline.pen.line import line_image
from pipeline.reading.handwriting.engine import NetRecogniser
from pipeline.reading.handwriting.hand_reader import HandReader, glances
from pipeline.reading.net.network import Head
from pipeline.reading.rows.recogniser import CROP_DPI, Crop
from pipeline.reading.thresholds.evidence import Expected
from reading.vienna import VIENNA

TEXTS = ("A VIE - BOH", "A VIE - GAL", "A VIE - TYR", "A VIE H")


def rows(hand: int, seed: int = 1) -> list[Crop]:
    """The same four lines in a hand, never twice alike."""
    pen = Hand.from_seed(hand, neatness=0.3)
    return [Crop(line_image(t, pen, np.random.default_rng([hand, seed, n]), CROP_DPI), 0) for n, t in enumerate(TEXTS)]


def who_knows(reader: NetRecogniser, hand: int) -> HandReader:
    known = [(crop, text) for seed in (2, 3, 4) for crop, text in zip(rows(hand, seed), TEXTS, strict=True)]
    return HandReader(reader, reader.taught(known))


def test_the_hand_that_is_known_is_read_by_the_reader_that_knows_it(reader: NetRecogniser) -> None:
    known = who_knows(reader, 3)
    found = known.read(rows(3), VIENNA)
    assert known.is_this_hand
    assert known.name == f"{reader.name}, 12 rows of this hand"
    confidence = [answer.readings[0].confidence for answer in found]
    before = [answer.readings[0].confidence for answer in reader.read(rows(3), VIENNA)]
    assert sum(confidence) > sum(before), "it is surer of the hand that it knows"


def test_another_hand_is_read_as_if_nothing_were_known_and_the_name_says_so(reader: NetRecogniser) -> None:
    stranger = reader.taught(list(zip(rows(3), TEXTS, strict=True)))
    stranger.head = Head(reader.head.kernel * 0.4, reader.head.bias)  # it explains every hand worse than the plain one
    known = HandReader(reader, stranger)
    found = known.read(rows(20), VIENNA)
    assert known.is_this_hand is False
    assert known.name.endswith("4 rows of this hand (not this hand)")
    assert list(found) == list(reader.read(rows(20), VIENNA))


def test_without_anything_known_it_is_the_plain_reader_and_keeps_what_it_saw(reader: NetRecogniser) -> None:
    known = HandReader(reader)
    assert list(known.read(rows(3), VIENNA)) == list(reader.read(rows(3), VIENNA))
    assert known.name == reader.name
    assert all(row is not None for row in known.seen)
    assert len(known.seen) == len(TEXTS)


def test_where_the_two_readers_read_different_lines_a_person_is_asked(reader: NetRecogniser) -> None:
    known = who_knows(reader, 3)
    known.read(rows(3), VIENNA)
    row = next(
        seen
        for seen, answer in zip(known.seen, reader.taught([]).read(rows(3), VIENNA), strict=True)
        if seen is not None and answer.tier is not Tier.ASKED
    )
    expected = Expected(VIENNA)
    assert known.taught is not None
    (after,), (same,) = known.taught.weighed([row], expected), glances([row.frames(reader.head)], expected)
    assert after is not None
    assert same is not None
    assert same.best == after.evidence.best
    assert known.surer(row, same, after, expected).tier is not Tier.ASKED
    other = replace(same, best=same.best + 1)
    asked = known.surer(row, other, after, expected)
    assert asked.tier is Tier.ASKED
    assert Note.HANDS_DIFFER in asked.notes


def test_what_was_taught_wrongly_is_still_asked(reader: NetRecogniser) -> None:
    """Every row of the hand is said to be another one: that makes nothing pass as what it is not."""
    turned = dict(zip(TEXTS, (*TEXTS[1:], TEXTS[0]), strict=True))
    known = [(crop, turned[text]) for seed in (2, 3, 4) for crop, text in zip(rows(3, seed), TEXTS, strict=True)]
    found = HandReader(reader, reader.taught(known)).read(rows(3), VIENNA)
    for answer, text in zip(found, TEXTS, strict=True):
        assert answer.tier is Tier.ASKED or answer.readings[0].text == text


def test_bare_paper_is_blank_to_it(reader: NetRecogniser) -> None:
    bare = Crop(np.full((90, 600), 245, np.uint8), 60)
    assert [answer.tier for answer in who_knows(reader, 3).read([bare], VIENNA)] == [Tier.BLANK]

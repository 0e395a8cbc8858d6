"""A row of boxes is judged as one row: what is ticked is certain, and what is written is read as on a free line."""

import cv2
import numpy as np
import pytest
from sampled import slow_after

from pipeline.ink import Tier
from pipeline.reading.alphabet import STRUCK, SYMBOLS
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.evidence import Expected, weigh
from pipeline.reading.further import TO_BE_READ, Known, _lesson_of, _see_parts, _see_written
from pipeline.reading.network import Network, best_letters, load_head, normalise
from pipeline.reading.recogniser import Crop, Inked, Sure, Vocabulary, VocabularyLine
from reading.stand_ins import teach_hand
from reading.vienna import DASH, HOLD, MOVES, OTHERS, PLAIN_HANDS, UNASKED, UNIT, VIE, weighed_by, written

SUPPORT = VocabularyLine((UNIT, VIE, ("S",), UNIT, ("Bud",), DASH, ("Gal", "Galicia")))
VIENNA = Vocabulary((*MOVES, HOLD, SUPPORT), OTHERS)


def row(text: str, hand: int) -> Crop:
    """A row of boxes: what stands in brackets is ticked, the rest is written."""
    parts = tuple(Sure(part[1:-1]) if part.startswith("[") else Inked(written(part, hand)) for part in text.split())
    return Crop(np.full((80, 900), 250, np.uint8), parts)


def test_plain_hands_are_read_and_the_line_says_all_of_it(reader: NetRecogniser) -> None:
    found = reader.read([row("[A] VIE [-] BOH", hand) for hand in PLAIN_HANDS], VIENNA)
    assert sum(answer.readings[0].text == "A VIE - BOH" for answer in found) >= 5
    assert sum(answer.tier in UNASKED for answer in found) >= 2
    for answer in found:
        assert answer.tier is Tier.ASKED or answer.readings[0].text == "A VIE - BOH"
    support = reader.read([row("[A] VIE [S] [A] BUD [-] GAL", 3)], VIENNA)[0]
    assert support.readings[0].text == "A VIE S A BUD - GAL"


@pytest.mark.parametrize(
    "text",
    slow_after(
        3,
        [
            "[F] VIE [-] BOH",  # the wrong kind of unit
            "[A] VIE [C] BOH",
            "[A] VIE [S] BOH",
            "[A] VIE [-] LON",  # no such move
            "[A] VIE [-] BOB",
            "[A] MUN [-] BOH",
            "[A] VIE BOH",
            "[A] VIE [-] BOH [VIA]",
            "[A] A VIE [-] BOH",  # a letter too many
        ],
    ),
)
def test_what_is_not_in_the_vocabulary_is_asked(reader: NetRecogniser, text: str) -> None:
    found = reader.read([row(text, hand) for hand in PLAIN_HANDS], VIENNA)
    assert [answer.tier for answer in found] == [Tier.ASKED] * len(PLAIN_HANDS)


def test_a_row_that_is_all_printed_and_ticked_is_certain(reader: NetRecogniser) -> None:
    held = reader.read([row("[AVIE] [H]", 1)], VIENNA)[0]
    assert (held.readings[0].text, held.tier) == ("A VIE H", Tier.ACCEPTED)
    other = reader.read([row("[FVIE] [H]", 1)], VIENNA)[0]
    assert other.tier is Tier.ASKED


def test_certainty_is_a_likelihood_of_nearly_one_and_a_wrong_sign_one_of_nearly_none() -> None:
    expected = Expected(VIENNA)
    crop = Crop(np.full((80, 900), 250, np.uint8), (Sure("A VIE"), Sure("-"), Sure("GAL")))
    evidence, likelihoods, _ = weigh([_see_parts(crop, Network()).frames(load_head())], expected)[0]
    assert evidence.text == "A VIE - GAL"
    assert evidence.likelihood == pytest.approx(0.0, abs=1e-3)
    assert likelihoods[:5].argmax() == 1
    assert np.delete(likelihoods, 1).max() < -12


def test_a_row_with_a_single_mark_is_asked_and_never_a_crash(reader: NetRecogniser) -> None:
    for length in (10, 25, 60):
        paper = np.full((90, 500), 245, np.uint8)
        cv2.line(paper, (200, 40), (200, 40 + length), 40, 3)
        cv2.line(paper, (330, 40), (330, 40 + length), 40, 3)
        assert reader.read([Crop(paper)], VIENNA)[0].tier in (Tier.ASKED, Tier.BLANK)


@pytest.mark.parametrize("text", ["[]", "[H]", "[A]", "[A] [-]", "[S] [-]", "[VIA]"])
def test_boxes_with_too_little_for_any_line_are_asked(reader: NetRecogniser, text: str) -> None:
    assert reader.read([row(text, 1)], VIENNA)[0].tier is Tier.ASKED


def test_what_is_written_is_seen_as_one_line_and_cut_between_the_boxes(reader: NetRecogniser) -> None:
    words = [Inked(written("VIE", 3)), Inked(written("ser", 3), tails=((2, 9),))]
    height = max(len(word.grey) for word in words)
    line = np.concatenate(
        [np.pad(word.grey, ((0, height - len(word.grey)), (0, 0)), constant_values=255) for word in words], axis=1
    )
    ink = normalise(line)
    assert ink is not None
    together = reader.network.features(ink)
    parts = _see_written(words, reader.network)
    assert len(parts) == 2
    assert np.array_equal(np.concatenate([part.features for part in parts]), together)
    assert [len(part.tails) for part in parts] == [0, 1]
    first, second = (reader.head.frames(part.features) for part in parts)
    assert [letter for letter, _ in best_letters(first)] == list("vie")
    assert [letter for letter, _ in best_letters(second)] == list("ser")


def test_free_readings_have_spaces_between_the_boxes(reader: NetRecogniser) -> None:
    found = reader.read([row("[A] VIE [S] [A] BUD", 3)], Vocabulary())[0]
    assert found.readings[0].text.startswith("A ")
    assert " S A " in found.readings[0].text


def test_ink_in_which_nothing_can_be_seen_is_taken_for_struck_out(reader: NetRecogniser) -> None:
    parts = (Sure("A"), Inked(np.full((80, 90), 250, np.uint8)), Sure("H"))
    found = reader.read([Crop(np.full((80, 90), 250, np.uint8), parts)], VIENNA)[0]
    assert found.tier is Tier.ASKED
    assert STRUCK in "".join(reading.text for reading in found.readings) or found.notes


def test_what_is_written_box_frames_teaches_and_what_is_ticked_does_not(reader: NetRecogniser) -> None:
    seen = reader.look(row("[A] VIE [-] BOH", 3))
    assert seen is not None
    assert seen.box_frames is not None
    lesson = _lesson_of(reader.head, Known(seen, "A Vie - Boh"))
    assert lesson is not None
    features, wanted = lesson
    assert len(features) == np.count_nonzero(seen.box_frames == TO_BE_READ)
    letters = {SYMBOLS[number - 1] for number in np.flatnonzero(wanted.max(0) > 0.9) if number}
    assert letters == set("vieboh"), "neither the unit nor the dash, which nobody wrote"
    assert _lesson_of(reader.head, Known(seen, "A VIE H")) is None
    assert _lesson_of(reader.head, Known(seen, "A VIE - GAL")) is None


def test_a_row_that_was_kept_is_the_row_that_was_seen(reader: NetRecogniser) -> None:
    for crop in (row("[A] VIE [-] BOH", 3), Crop(written("A VIE - BOH", 3))):
        seen = reader.look(crop)
        assert seen is not None
        again = reader.seen_before(seen.as_kept)
        assert again.frames(reader.head) == pytest.approx(seen.frames(reader.head), abs=0.01)
        assert (again.box_frames is None) == (not crop.parts)


def test_rows_of_boxes_make_a_reader_surer_of_their_hand(reader: NetRecogniser) -> None:
    known = [(row("[A] VIE [-] BOH", 29), "A VIE - BOH"), (row("[A] VIE [-] GAL", 29), "A VIE - GAL")] * 4
    taught = teach_hand(reader, known)
    assert taught.rows_known == 8
    before, after = (weighed_by(each, [row("[A] VIE [-] BOH", 29)], VIENNA)[0] for each in (reader, taught))
    assert before is not None
    assert after is not None
    assert after.likelihood > before.likelihood

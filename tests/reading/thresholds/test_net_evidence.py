"""Evidence counts the best line against everything else that can be written, not against its fellows alone."""

import numpy as np
import pytest
from msgspec.structs import replace

from pipeline.reading.alphabet import BLANK, CLASS_OF, CLASSES, spell_slot, spelling
from pipeline.reading.evidence import (
    CLOSE,
    UNUSUAL,
    Evidence,
    Expected,
    _covers_spellings,
    _log_less,
    spelling_in_words,
    weigh,
)
from pipeline.reading.lattice import Frames
from pipeline.reading.recogniser import Vocabulary, VocabularyLine
from reading.vienna import ANY_UNIT, DASH, EVERYWHERE, MOVES, OTHERS, UNIT, VIE, VIENNA


def shown(text: str, sure: float = 0.97, unsure: str = "") -> Frames:
    """Make the frames of a clearly written text; ``unsure`` letters are half another: "b=g"."""
    halves = dict(pair.split("=") for pair in unsure.split())
    rows = []
    for letter in spelling(text):
        for symbol in ("", letter):
            row = np.full(CLASSES, (1 - sure) / (CLASSES - 1))
            row[CLASS_OF[symbol] if symbol else BLANK] = sure
            if symbol in halves:
                row[CLASS_OF[symbol]] = row[CLASS_OF[halves[symbol]]] = (sure + row[0]) / 2
            rows.append(row)
    return np.array(rows)


def weighed(frames: Frames, expected: Expected) -> Evidence:
    """Weigh one row."""
    return weigh([frames], expected)[0][0]


def test_what_is_clearly_written_is_read_in_the_vocabulary_s_own_words() -> None:
    evidence = weighed(shown("A VIENNA to boh"), Expected(VIENNA))
    assert evidence.text == "A VIENNA TO BOH"
    assert evidence.to_free > -0.1
    assert evidence.to_next > 8
    assert evidence.to_others > 5
    assert evidence.to_slips > 0


def test_an_inadmissible_order_leaves_the_best_admissible_one_far_behind() -> None:
    evidence = weighed(shown("A Vie - Lon"), Expected(VIENNA))
    assert evidence.to_others < -3
    assert evidence.to_free < -3


def test_a_misspelling_lies_below_its_slip() -> None:
    evidence = weighed(shown("A Vie - Bih"), Expected(VIENNA))
    assert evidence.text == "A VIE - BOH"
    assert evidence.to_slips < -3


def test_a_large_margin_among_admissible_lines_says_nothing_about_a_wrong_unit() -> None:
    evidence = weighed(shown("F Vie - Boh"), Expected(VIENNA))
    assert evidence.to_next > 8
    assert evidence.to_others < 0


def test_a_letter_that_could_be_another_leaves_two_lines_close() -> None:
    two = Vocabulary((VocabularyLine((UNIT, VIE, DASH, ("Tyr",))), VocabularyLine((UNIT, VIE, DASH, ("Tys",)))))
    evidence = weighed(shown("A Vie - Tyr", unsure="r=s"), Expected(two))
    assert abs(evidence.to_next) < 0.01


@pytest.mark.parametrize(("unsure", "other"), [("r=s", "Tys"), ("", "Tys"), ("", "Bot")])
def test_of_a_word_that_hardly_anybody_writes_the_next_line_must_be_further(unsure: str, other: str) -> None:
    lines = (VocabularyLine((UNIT, VIE, DASH, ("Tyr",))), VocabularyLine((UNIT, VIE, DASH, (other,))))
    frames, others = shown("A Vie - Tyr", unsure=unsure), (VocabularyLine((ANY_UNIT, EVERYWHERE, DASH, EVERYWHERE)),)
    usual, unusual = (
        weighed(frames, Expected(Vocabulary(lines, others, unusual=frozenset(words)))) for words in ((), ("tyr",))
    )
    assert replace(unusual, to_next=usual.to_next) == usual
    if usual.to_next < CLOSE:
        assert unusual.to_next == pytest.approx(usual.to_next - UNUSUAL)
    else:  # the line that is next is looked for further down
        assert CLOSE - UNUSUAL <= unusual.to_next <= CLOSE


def test_a_word_of_two_meanings_is_no_doubt_about_what_is_written() -> None:
    liv = (VocabularyLine((UNIT, VIE, DASH, ("Liv", "Lvp"))), VocabularyLine((UNIT, VIE, DASH, ("Liv", "Lvn"))))
    evidence, likelihoods, _ = weigh([shown("A Vie - Liv")], Expected(Vocabulary(liv, OTHERS)))[0]
    assert evidence.text == "A VIE - LIV"
    assert evidence.to_next > 5
    assert likelihoods[0] == pytest.approx(likelihoods[1], abs=0.05)


def test_without_other_lines_everything_else_stands_against_the_best() -> None:
    evidence = weighed(shown("A Vie - Boh"), Expected(Vocabulary(MOVES)))
    assert evidence.to_others == pytest.approx(evidence.likelihood - np.log(-np.expm1(evidence.likelihood)))


def test_other_lines_may_or_may_not_contain_the_admissible_ones() -> None:
    elsewhere = (VocabularyLine((ANY_UNIT, ("Lon", "Tys", "Bot"), DASH, EVERYWHERE)),)
    with_them = weighed(shown("A Vie - Boh"), Expected(VIENNA))
    without = weighed(shown("A Vie - Boh"), Expected(Vocabulary(MOVES, elsewhere)))
    assert with_them.to_others > 5
    assert without.to_others > 5


def test_weights_order_equals_and_never_overrule_the_ink() -> None:
    boh, gal = VocabularyLine((UNIT, VIE, DASH, ("Boh",)), 0.1), VocabularyLine((UNIT, VIE, DASH, ("Gal",)), 1000.0)
    evidence = weighed(shown("A Vie - Boh"), Expected(Vocabulary((gal, boh), OTHERS)))
    assert evidence.text == "A VIE - BOH"
    same = Vocabulary(
        (VocabularyLine((UNIT, VIE, DASH, ("Boh",)), 0.1), VocabularyLine((UNIT, VIE, DASH, ("boh",)), 5.0)), OTHERS
    )
    assert weighed(shown("A Vie - Boh"), Expected(same)).best == 1


def test_crossed_out_ink_is_seen() -> None:
    assert weighed(shown("A Vie - #Boh"), Expected(VIENNA)).struck


def test_brackets_and_slashes_are_air() -> None:
    spain = (VocabularyLine((UNIT, VIE, DASH, ("Spa",), ("sc",))), VocabularyLine((UNIT, VIE, DASH, ("Spa",), ("nc",))))
    for written in ("A Vie - Spa(sc)", "A Vie - Spa/sc", "A Vie - Spa sc"):
        evidence = weighed(shown(written), Expected(Vocabulary(spain, OTHERS)))
        assert evidence.text == "A VIE - SPA SC"
        assert evidence.to_slips > 0


def test_digits_are_letters_where_no_line_has_digits() -> None:
    frames = shown("A Vie - B0h")
    assert weighed(frames, Expected(VIENNA)).to_others < weighed(shown("A Vie - Boh"), Expected(VIENNA)).to_others
    count = Vocabulary((VocabularyLine((("10",),)), VocabularyLine((("lo",),))))
    assert weighed(shown("10"), Expected(count)).text == "10"


def test_a_line_is_covered_by_one_that_allows_more_in_each_slot_and_may_leave_slots_out() -> None:
    slots = tuple(map(spell_slot, MOVES[0].slots))
    assert _covers_spellings(slots, tuple(map(spell_slot, OTHERS[0].slots)))
    assert _covers_spellings(slots, tuple(map(spell_slot, (*OTHERS[0].slots, ("", "via convoy")))))
    assert not _covers_spellings(slots, tuple(map(spell_slot, (*OTHERS[0].slots, ("via convoy",)))))
    assert not _covers_spellings(slots, tuple(map(spell_slot, (UNIT, VIE, DASH, ("Gal", "Tyr")))))


def test_subtracting_all_of_a_likelihood_leaves_the_floor() -> None:
    assert _log_less(-1.0, -1.0) == _log_less(-2.0, -1.0) < -50


def test_a_spelling_that_a_line_has_not_is_an_error() -> None:
    with pytest.raises(ValueError, match="no spelling"):
        spelling_in_words(MOVES[0], "avie-gal")

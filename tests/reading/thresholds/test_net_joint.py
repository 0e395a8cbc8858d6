"""Two readers are surer than one where they err apart, and no surer where both see the same other letter."""

from collections.abc import Sequence

import numpy as np
import pytest
from msgspec.structs import replace

from pipeline.reading.alphabet import spelling
from pipeline.reading.evidence import DASH_DRAWN, UNUSUAL, Expected, Joint, _is_within, weigh, weigh_jointly
from pipeline.reading.free import FAVOUR
from pipeline.reading.further import NO_INK
from pipeline.reading.lattice import Frames
from pipeline.reading.network import Ink
from pipeline.reading.recogniser import Taken, Vocabulary, VocabularyLine
from reading.net.test_net_capitals import drawn
from reading.thresholds.test_net_evidence import shown
from reading.vienna import ANY_UNIT, DASH, EVERYWHERE, UNIT, VIE, VIENNA


def joint(first: Frames, second: Frames, vocabulary: Vocabulary = VIENNA, ink: Ink = NO_INK) -> Joint:
    """What two readers say of one row."""
    expected = Expected(vocabulary)
    evidence, lines, others = weigh([first], expected)[0]
    return weigh_jointly([[first], [second]], [lines], [others], [evidence.struck], expected, [ink])[0][0]


CLEAR = shown("A Vie - Boh")
BIH, BOK = shown("A Vie - Boh", unsure="o=i"), shown("A Vie - Boh", unsure="h=k")


def test_what_both_read_is_read_surely() -> None:
    found = joint(CLEAR, CLEAR)
    assert found.text == "A VIE - BOH"
    assert min(found.to_next, found.to_slips, found.to_harm, found.to_others) > 5


def test_doubts_about_different_letters_are_no_doubt() -> None:
    alone = weigh([BIH], Expected(VIENNA))[0][0]
    assert alone.to_slips < 1
    assert joint(BIH, BOK).to_slips > 3
    assert joint(BIH, BIH).to_slips < 1


def test_what_both_see_as_another_letter_is_no_order_however_sure_they_are() -> None:
    slip = shown("A Vie - Bih")
    found = joint(slip, slip)
    assert found.text == "A VIE - BOH"
    assert found.to_slips < -5
    assert joint(slip, CLEAR).to_slips > found.to_slips


def test_where_one_letter_stands_alone_another_that_is_no_sign_is_hardly_what_was_written() -> None:
    in_a_name, no_sign, another_sign = (shown("A Vie - Boh", unsure=letters) for letters in ("v=t", "a=t", "a=f"))
    doubt = joint(in_a_name, in_a_name).to_slips
    assert joint(another_sign, another_sign).to_slips == pytest.approx(doubt, abs=0.5)
    assert joint(no_sign, no_sign).to_slips > doubt + 4
    seen = shown("T Vie - Boh")
    assert joint(seen, seen).to_slips < 0, "what all see so stays a doubt"


def test_a_slip_in_a_longer_sign_is_hardly_what_was_written_unless_it_makes_another_word() -> None:
    signs = ("H", "Holds")
    for there, is_doubt in ((signs, False), ((*signs, "Holps"), True)):
        hold, others = VocabularyLine((UNIT, VIE, signs)), VocabularyLine((UNIT, ("Boh",), there))
        row = shown("A Vie Holds", unsure="d=p")
        assert (joint(row, row, Vocabulary((hold,), (others,))).to_slips < 4) is is_doubt


def test_the_line_is_the_one_that_both_together_like_best() -> None:
    two = Vocabulary((VocabularyLine((UNIT, VIE, DASH, ("Tyr",))), VocabularyLine((UNIT, VIE, DASH, ("Tys",)))))
    hardly, surely = shown("A Vie - Tyr", sure=0.6), shown("A Vie - Tys", sure=0.97)
    assert joint(hardly, surely, two).text == "A VIE - TYS"
    assert joint(surely, hardly, two).text == "A VIE - TYS"


TO_ION, TO_LON = (VocabularyLine((UNIT, ("Gre",), DASH, (word,))) for word in ("Ion", "Lon"))
IONIAN, LONDON = Vocabulary((TO_ION,), (TO_LON,)), Vocabulary((TO_LON,), (TO_ION,))


def test_where_names_begin_with_capitals_a_stroke_is_rather_the_i_of_ion() -> None:
    text = "A Gre - Ion"
    row, ink = shown(text, unsure="i=l"), drawn(text)
    assert joint(row, row, IONIAN, ink).to_harm == pytest.approx(joint(row, row, IONIAN).to_harm + FAVOUR, abs=0.2)
    assert joint(row, row, LONDON, ink).to_harm == pytest.approx(joint(row, row, LONDON).to_harm - FAVOUR, abs=0.2)
    later = np.concatenate([np.repeat(row[:1], 20, axis=0), row])  # the picture lies beside the frames of the first
    assert joint(row, later, IONIAN, ink).to_harm == pytest.approx(joint(row, later, IONIAN).to_harm + FAVOUR, abs=0.2)
    low = drawn(text.lower())
    for vocabulary in (IONIAN, LONDON):
        assert joint(row, row, vocabulary, low) == joint(row, row, vocabulary)


def test_of_a_word_that_hardly_anybody_writes_the_next_line_must_be_further() -> None:
    row, strange = shown("A Vie - Boh", sure=0.9), replace(VIENNA, unusual=frozenset({"boh"}))
    usual, unusual = joint(row, row), joint(row, row, strange)
    assert unusual.to_next == pytest.approx(usual.to_next - UNUSUAL, abs=0.1)
    assert replace(unusual, to_next=usual.to_next) == usual


def says(*answers: tuple[str, Taken]) -> Vocabulary:
    """Vienna, where some texts are taken so, and all others for something else."""
    return replace(VIENNA, taken=lambda text, line: dict(answers).get(text, Taken.OTHER) if line >= 0 else Taken.OTHER)


@pytest.mark.parametrize("said", [Taken.SAME, Taken.ASKED])
def test_a_slip_that_can_be_nothing_else_does_no_harm_and_is_still_a_slip(said: Taken) -> None:
    strict, lax = joint(BIH, BIH), joint(BIH, BIH, says(("A VIE - BIH", said)))
    assert lax.to_slips == pytest.approx(strict.to_slips)
    assert lax.second_free == pytest.approx(strict.second_free)
    assert lax.to_harm > strict.to_harm + 3
    assert strict.to_harm == pytest.approx(strict.to_slips)


def test_a_misspelt_line_that_the_rules_follow_is_no_surer_for_it() -> None:
    slip = shown("A Vie - Bih")  # A VI EBIH is written with the same letters: gaps are not seen
    assert joint(slip, slip, says(("A VIE - BIH", Taken.SAME))).to_slips < -5


@pytest.mark.parametrize(("said", "asks"), [(Taken.SAME, False), (Taken.ASKED, True), (Taken.OTHER, True)])
def test_a_slip_is_asked_about_unless_the_rules_follow_it(said: Taken, asks: bool) -> None:
    slip = shown("A Vie - Bih")
    found = joint(slip, slip, says(("A VIE - BIH", said)))
    assert (found.to_asked < -5) is asks
    assert found.to_asked >= found.to_slips
    assert joint(slip, slip).to_asked == joint(slip, slip).to_slips


def test_an_order_is_as_likely_as_all_spellings_that_the_rules_follow_as_it_together() -> None:
    slip = shown("A Vie - Beh")
    strict, lax = (joint(slip, slip, says(("A VIE - BEH", said))) for said in (Taken.ASKED, Taken.SAME))
    assert strict.likelihood < -10
    assert lax.likelihood > -1
    assert min(lax.to_asked, lax.to_harm) > 0
    twice = shown("A Vze - Beh")
    assert joint(twice, twice, says(("A VIE - BEH", Taken.SAME))).to_asked < -3, "what is written is none of them"


def test_a_bare_stroke_in_a_followed_spelling_is_followed_as_either_letter() -> None:
    slip, followed = shown("A Vie - Bih"), ("A VIE - BIH", Taken.SAME)
    assert joint(slip, slip, says(followed)).likelihood < -10
    assert joint(slip, slip, says(followed, ("A VIE - BLH", Taken.SAME))).likelihood > -1


@pytest.mark.parametrize(("apart", "is_followed"), [("B", True), ("BE", False)])
def test_a_followed_spelling_has_no_gap_in_the_word_that_is_misspelt(apart: str, *, is_followed: bool) -> None:
    text = "A Vie - BohE"
    row, ink = shown(text), drawn(text)
    for letter in reversed(apart):
        at = spelling(text).index(letter.lower(), 5)
        row, ink = np.insert(row, [2 * at] * 2, row[0], axis=0), np.insert(ink, [8 * at + 2] * 8, 0.0, axis=1)
    found = joint(row, row, says(("A VIE - BOHE", Taken.SAME)), ink)
    assert (found.likelihood > -1) is is_followed


@pytest.mark.parametrize(("first", "doubts"), [("+", False), ("t", True)])
def test_a_t_where_only_a_plus_may_stand_is_no_doubt(first: str, doubts: bool) -> None:
    build = VocabularyLine((("+",), UNIT, VIE))
    other = VocabularyLine(((first,), ANY_UNIT, EVERYWHERE))
    seen = shown("t A Vie")
    found = joint(seen, seen, Vocabulary((build,), (other,), taken=lambda *_: Taken.ASKED))
    assert found.text == "+ A VIE"
    assert (found.to_asked < 0) is doubts


def test_what_has_no_dash_where_the_ink_shows_one_is_hardly_what_was_written() -> None:
    text = "A Vie - Boh"
    ink, faint = drawn(text), shown("A Vie Boh")
    at = 8 * spelling(text).index("-") + 4
    ink[:, at : at + 8] = 0.0
    row = np.insert(faint, 2 * spelling(text).index("-"), faint[[0, 0]], axis=0)  # the dash's two frames are paper
    empty = joint(row, row, ink=ink)
    ink[19:22, at : at + 7] = 1.0
    found = joint(row, row, ink=ink)
    assert empty.text == found.text == text.upper()
    assert found.to_slips == pytest.approx(empty.to_slips + DASH_DRAWN, abs=3)


def test_a_dash_left_out_does_no_harm_where_the_rules_follow_the_line_without_it() -> None:
    faint = shown("A Vie Boh")
    strict, lax = joint(faint, faint), joint(faint, faint, says(("A VIE BOH", Taken.SAME)))
    assert strict.text == lax.text == "A VIE - BOH"
    assert strict.to_harm == strict.to_asked < -5
    assert min(lax.to_harm, lax.to_asked) > strict.to_harm + 8
    assert lax.to_slips == pytest.approx(strict.to_slips)
    asked = joint(faint, faint, says(("A VIE BOH", Taken.ASKED)))
    assert (asked.to_harm, asked.to_asked) == pytest.approx((strict.to_harm, strict.to_asked))


def test_a_slip_that_may_be_another_line_does_harm_whatever_would_be_asked() -> None:
    near = replace(VIENNA, lines=(*VIENNA.lines, VocabularyLine((UNIT, VIE, DASH, ("Bah",)))))
    asked = replace(near, taken=lambda text, line: Taken.ASKED)
    half = shown("A Vie - Boh", unsure="o=i")
    assert joint(half, half, asked).to_harm == pytest.approx(joint(half, half, near).to_harm, abs=0.2)


def test_a_slip_in_a_short_word_does_harm_where_it_makes_another_line() -> None:
    asked = replace(VIENNA, taken=lambda text, line: Taken.ASKED)
    half = shown("A Vie - Boh", unsure="a=f")
    assert joint(half, half, asked).to_harm < 1


@pytest.mark.parametrize("text", ["R VIE - BOH", "A VIE R BOH"])
def test_a_slip_in_a_short_word_that_makes_no_line_does_no_harm_and_is_asked_about(text: str) -> None:
    seen = shown(text)
    strict, lax = joint(seen, seen), joint(seen, seen, says((text, Taken.ASKED)))
    assert strict.text == "A VIE - BOH"
    assert strict.to_harm < 0
    assert lax.to_harm > strict.to_harm + 2
    assert lax.to_asked == pytest.approx(strict.to_asked)
    assert joint(seen, seen, says((text, Taken.OTHER))).to_harm == pytest.approx(strict.to_harm)


def test_a_doubt_is_about_the_letters_of_the_line_and_about_others_only_where_they_make_another_line() -> None:
    near = replace(VIENNA, lines=(*VIENNA.lines, VocabularyLine((UNIT, VIE, DASH, ("Bih",)))))
    half = shown("A Vie - Boh", unsure="o=i")
    assert joint(half, half).doubted == {"o"}
    assert joint(half, half, near).doubted == {"o", "i"}
    assert joint(CLEAR, CLEAR, near).doubted == set()


def test_a_short_word_that_is_left_out_is_no_slip_in_it() -> None:
    faint = shown("A Vie")
    vocabulary = Vocabulary((VocabularyLine((UNIT, VIE, ("H",))),), VIENNA.others, taken=lambda text, line: Taken.ASKED)
    found = joint(faint, faint, vocabulary)
    assert found.text == "A VIE H"
    assert found.to_harm == pytest.approx(found.to_asked)
    assert found.to_harm < -5


def test_a_sign_with_a_letter_more_does_harm_and_one_with_another_letter_does_not() -> None:
    """``A VIE HX`` may be the beginning of a place, behind a dash that nobody sees: it is not taken for a hold."""
    vocabulary = Vocabulary((VocabularyLine((UNIT, VIE, ("H",))),), VIENNA.others, taken=lambda text, line: Taken.ASKED)
    longer, other = shown("A Vie Hx"), shown("A Vie W")
    for row, does_harm in ((longer, True), (other, False)):
        found = joint(row, row, vocabulary)
        assert found.text == "A VIE H"
        assert found.to_asked < -3
        assert (found.to_harm < found.to_asked + 1) is does_harm


@pytest.mark.parametrize(("longer", "does_harm"), [(Taken.SAME, False), (Taken.ASKED, False), (Taken.OTHER, True)])
def test_a_letter_between_a_sign_and_a_place_may_be_of_either(longer: Taken, does_harm: bool) -> None:
    """``A VIE SC BOH`` is read as a support of Boh only if it is one to the rules with SC, too: that may be a coast."""
    said = {"A VIE S CBOH": Taken.SAME, "A VIE SC BOH": longer}
    vocabulary = Vocabulary(
        (VocabularyLine((UNIT, VIE, ("S",), ("Boh",))),),
        VIENNA.others,
        taken=lambda text, line: said.get(text, Taken.OTHER),
    )
    row = shown("A Vie Scboh")
    found = joint(row, row, vocabulary)
    assert found.text == "A VIE S BOH"
    assert (found.to_harm < -3) is does_harm
    assert (found.to_asked < -3) is (longer is not Taken.SAME)


def test_a_slip_that_may_stand_in_two_words_stands_in_the_long_one() -> None:
    told: list[str] = []

    def taken(text: str, _: int) -> Taken:
        told.append(text)
        return Taken.OTHER

    slip = shown("AX Vie - Boh")  # gaps are not seen
    joint(slip, slip, replace(VIENNA, taken=taken))
    assert "A XVIE - BOH" in told
    assert "AX VIE - BOH" not in told


def test_the_vocabulary_is_asked_in_its_own_words() -> None:
    told: list[str] = []

    def taken(text: str, line: int) -> Taken:
        told.append(text)
        assert VIENNA.lines[line].slots[-1] == ("Boh", "Bohemia")
        return Taken.OTHER

    slip = shown("A Vienna to Bohemja")
    joint(slip, slip, replace(VIENNA, taken=taken))
    assert "A VIENNA TO BOHEMJA" in told


def texts(rows: Sequence[str]) -> list[Frames]:
    return [shown(row) for row in rows]


def test_rows_are_weighed_together_as_they_are_alone() -> None:
    expected = Expected(VIENNA)
    rows = texts(["A Vie - Boh", "A Vie - Galicia", "A Vie H"])
    alone = [joint(row, row) for row in rows]
    found = weigh([*rows], expected)
    together = weigh_jointly(
        [rows, rows],
        [lines for _, lines, _ in found],
        [others for *_, others in found],
        [False] * 3,
        expected,
        [NO_INK] * 3,
    )
    for one, (other, _) in zip(alone, together, strict=True):
        assert one.text == other.text
        for name in Joint.SPAN:
            assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-6), name


def test_a_word_ends_where_the_next_begins() -> None:
    assert _is_within((5, 8), "avie-boh", "avie-bohe")
    assert not _is_within((5, 8), "avie-boh", "avia-boh")
    assert np.isfinite(joint(CLEAR, CLEAR).likelihood)

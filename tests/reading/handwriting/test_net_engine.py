"""The net that ships reads plain hands, and takes nothing for an order that is none."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from sampled import slow_after

from pipeline.ink import InkLine, Note, Tier
from pipeline.reading import engine, free
from pipeline.reading.alphabet import bare
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.evidence import Expected, Joint
from pipeline.reading.free import laid_along
from pipeline.reading.network import OURS, Network, lay
from pipeline.reading.recogniser import Crop, Taken, Vocabulary, VocabularyLine
from reading.stand_ins import teach_hand
from reading.vienna import MOVES, PLAIN_HANDS, UNASKED, VIENNA, written


def row(text: str, hand: int) -> Crop:
    return Crop(written(text, hand))


def read(reader: NetRecogniser, text: str) -> list[InkLine]:
    return list(reader.read([row(text, hand) for hand in PLAIN_HANDS], VIENNA))


def test_a_net_takes_one_thread_whatever_a_process_has_taken_before() -> None:
    """Sums are rounded otherwise by several: one process and its helpers would write down different confidences."""
    cv2.setNumThreads(3)
    Network()
    assert cv2.getNumThreads() == 1


def test_plain_hands_are_read(reader: NetRecogniser) -> None:
    found = [*read(reader, "A VIE - BOH"), *read(reader, "A Vie H")]
    texts = [answer.readings[0].text for answer in found]
    assert sum(text in ("A VIE - BOH", "A VIE H") for text in texts) >= 10
    assert sum(answer.tier in UNASKED for answer in found) >= 4
    for answer, wanted in zip(found, [*["A VIE - BOH"] * 6, *["A VIE H"] * 6], strict=True):
        assert answer.tier is Tier.ASKED or answer.readings[0].text == wanted


@pytest.mark.parametrize(
    "text", slow_after(3, ["A VIE - LON", "F VIE - BOH", "A VIE - BOB", "A MUN - BER", "NO ORDERS", "A VIE - BO"])
)
def test_what_is_not_in_the_vocabulary_is_asked(reader: NetRecogniser, text: str) -> None:
    assert [answer.tier for answer in read(reader, text)] == [Tier.ASKED] * len(PLAIN_HANDS)


@pytest.mark.parametrize("text", ["A VIE - BOH ?", "A VIE - BOH!", '" VIE - BOH', "+ VIE - BOH"])
def test_an_order_with_a_sign_is_asked(reader: NetRecogniser, text: str) -> None:
    assert [answer.tier for answer in read(reader, text)] == [Tier.ASKED] * len(PLAIN_HANDS)


@pytest.mark.parametrize("seen", ["has_sign", "reaches_beyond"])
def test_more_than_letters_is_there_where_both_that_have_looked_see_it(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch, seen: str
) -> None:
    crop, expected = row("A VIE - BOH", 3), Expected(VIENNA)
    alone = reader.look(crop)
    assert alone is not None
    both = reader.look_again(alone, crop, 2)
    found = reader.weigh_rows([alone], expected)[0]
    assert found is not None
    by_first, by_second = (len(frames) for frames in reader.frames_of(both))
    monkeypatch.setattr(reader.unread, "odds", lambda *_: 0.0)

    def more(*who: int) -> list[bool]:
        monkeypatch.setattr(free, "has_sign", lambda text, frames, unwanted: len(frames) in who)
        monkeypatch.setattr(free, "reaches_beyond", lambda frames, *_: len(frames) in who)
        monkeypatch.setattr(free, "has_sign" if seen == "reaches_beyond" else "reaches_beyond", lambda *_: False)
        return [Note.MORE in reader.doubts(replace(found, seen=looked), expected) for looked in (alone, both)]

    assert by_first != by_second
    assert more() == more(by_second) == [False, False]
    assert more(by_first) == [True, False]
    assert more(by_first, by_second) == [True, True]


@pytest.mark.parametrize(("means", "told"), [(Taken.SAME, False), (Taken.ASKED, True), (Taken.OTHER, True)])
def test_a_stroke_between_letters_is_more_where_the_rules_make_another_line_of_it(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch, means: Taken, told: bool
) -> None:
    asked: list[tuple[str, int]] = []

    def taken(text: str, line: int) -> Taken:
        asked.append((text, line))
        return means if "/" in text else Taken.SAME

    looked = reader.look(row("A VIE - BOH", 3))
    expected = Expected(replace(VIENNA, taken=taken))
    assert looked is not None
    found = reader.weigh_rows([looked], expected)[0]
    assert found is not None
    monkeypatch.setattr(reader.unread, "odds", lambda *_: 0.0)
    asked.clear()
    assert reader.doubts(found, expected) == ()
    assert asked == []
    gains = iter((0.0, 9.0))  # of letters and signs; with brackets and strokes
    monkeypatch.setattr(free, "gain_of_further_signs", lambda *_: next(gains))
    monkeypatch.setattr(free, "with_air", lambda text, *_: f"{text}/")
    assert (Note.MORE in reader.doubts(found, expected)) is told
    assert asked[0] == ("A VIE - BOH/", found.evidence.best)


@pytest.mark.parametrize(
    ("text", "told"), [("A VIE - BOH)", True), ("(A VIE - BOH", True), ("A VIE - (BOH)", False), ("A/VIE - BOH", False)]
)
def test_a_bracket_without_another_is_more_whatever_the_rules_make_of_it(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch, text: str, told: bool
) -> None:
    looked, follows = reader.look(row("A VIE - BOH", 3)), replace(VIENNA, taken=lambda *_: Taken.SAME)
    assert looked is not None
    (found,) = reader.weigh_rows([looked], Expected(follows))
    assert found is not None
    gains = iter((0.0, 9.0))
    monkeypatch.setattr(free, "gain_of_further_signs", lambda *_: next(gains))
    monkeypatch.setattr(free, "with_air", lambda *_: text)
    assert reader.has_further_signs(found, Expected(follows)) is told


def test_a_stroke_between_words_is_judged_as_if_it_stood_apart_from_them(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def taken(text: str, _: int) -> Taken:
        return Taken.ASKED if " / " in text else Taken.SAME

    looked, follows = reader.look(row("A VIE - BOH", 3)), replace(VIENNA, taken=taken)
    assert looked is not None
    (found,) = reader.weigh_rows([looked], Expected(follows))
    assert found is not None
    for text, told in (("A/VIE - BOH", True), ("A (VIE) - BOH", False)):
        gains = iter((0.0, 9.0))
        monkeypatch.setattr(free, "gain_of_further_signs", lambda *_, gains=gains: next(gains))
        monkeypatch.setattr(free, "with_air", lambda *_, text=text: text)
        assert reader.has_further_signs(found, Expected(follows)) is told


@pytest.mark.parametrize(("gains", "told"), [((2.4, 2.4), False), ((0.0, 4.9), False), ((2.0, 9.0), True)])
def test_further_letters_are_more_where_the_readers_that_looked_see_them_together(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch, gains: tuple[float, float], told: bool
) -> None:
    crop, expected = row("A VIE - BOH", 3), Expected(VIENNA)
    alone = reader.look(crop)
    assert alone is not None
    both = reader.look_again(alone, crop, 2)
    first = reader.weigh_rows([both], expected)
    gates = reader.gates.without_third()
    second = reader.with_gates(replace(gates, enough=99.0), "two look")
    (joint,) = second.weighed_again(first, expected, [crop])
    assert joint is not None
    monkeypatch.setattr(reader.unread, "odds", lambda *_: 0.0)
    by_frames = {len(frames): gain for frames, gain in zip(second.frames_of(both), gains, strict=True)}
    monkeypatch.setattr(free, "gain_of_further_signs", lambda _, frames: by_frames[len(frames)])
    assert (Note.MORE in second.doubts(joint, expected)) is told


def test_a_dash_that_readers_and_ink_hardly_show_is_asked_where_the_rules_need_it(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    crop = row("A VIE - BOH", 3)
    looked = reader.look(crop)
    assert looked is not None

    def follows_it(text: str, line: int) -> Taken:
        return Taken.SAME if line == 0 and text in {"A VIE - BOH", "A VIE BOH"} else Taken.OTHER

    def needs_it(text: str, line: int) -> Taken:
        return Taken.SAME if line == 0 and text == "A VIE - BOH" else Taken.OTHER

    for gain, taken, told in (
        (-0.5, None, (Note.NO_DASH,)),
        (-0.5, needs_it, (Note.NO_DASH,)),
        (-0.5, follows_it, ()),
        (-9.0, needs_it, ()),
    ):
        expected = Expected(replace(VIENNA, taken=taken))
        (found,) = reader.weigh_rows([looked], expected)
        assert found is not None
        monkeypatch.setattr(free, "gain_as", lambda *_, gain=gain: gain)
        assert reader.doubts(found, expected) == (), "the ink shows it"
        sure = replace(found, evidence=replace(found.evidence, to_others=12.0, to_slips=10.0, to_free=1.0))
        assert reader.gates_for(looked, expected).tier(sure.evidence) is Tier.ACCEPTED
        with monkeypatch.context() as faint:
            faint.setattr(free, "drawn_dashes", lambda *_: [])
            assert reader.doubts(found, expected) == told
            assert reader.is_worth_another_look(sure, expected) is bool(told), "the second may see it"


@pytest.mark.parametrize(("read", "other"), [("A VIE - BOH", "A VIE S BOH"), ("A VIE S BOH", "A VIE - BOH")])
def test_an_s_or_an_arrow_is_asked_where_either_makes_an_order_and_an_arrow_only_where_all_readers_were_needed(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch, read: str, other: str
) -> None:
    looked = reader.look(row("A VIE - BOH", 3))
    assert looked is not None
    supports = VocabularyLine((*MOVES[0].slots[:2], ("S",), *MOVES[0].slots[3:]))
    both = Expected(replace(VIENNA, lines=(*MOVES, supports)))
    (found,) = reader.weigh_rows([looked], both)
    assert found is not None
    best = both.lines.index(MOVES[0] if "-" in read else supports)
    for readers, gain, expected, told in (
        (3, -7.9, both, True),
        (3, -8.1, both, False),
        (2, -7.9, both, "-" in other),
        (3, -7.9, Expected(Vocabulary((both.lines[best],), others=both.lines)), False),
    ):
        by_text = {bare(other): gain, bare(read): 0.0}
        monkeypatch.setattr(free, "gain_as", lambda text, than, _, by_text=by_text: by_text[text] - by_text[than])
        line = expected.lines.index(both.lines[best])
        seen = Joint(line, read, -9.0, 25.0, 12.0, 12.0, 12.0, 20.0, 0.0, 0.0, struck=False, readers=readers)
        assert reader.may_be_other_sign(replace(found, evidence=seen), expected) is told


@pytest.mark.parametrize(
    ("to_asked", "to_harm", "looks"), [(-14.0, -7.0, True), (-16.0, 9.0, False), (9.0, -9.0, False)]
)
def test_the_third_reader_does_not_look_where_two_see_a_slip_too_surely(
    reader: NetRecogniser, to_asked: float, to_harm: float, *, looks: bool
) -> None:
    looked, expected = reader.look(row("A VIE - BOH", 3)), Expected(VIENNA)
    assert looked is not None
    (found,) = reader.weigh_rows([looked], expected)
    assert found is not None
    two = Joint(
        found.evidence.best, "A VIE - BOH", -9.0, 25.0, to_asked, to_asked, to_harm, 9.0, 0.0, 0.0, struck=False
    )
    assert reader.is_worth_another_look(replace(found, evidence=two), expected) is looks


def test_ink_that_belongs_to_no_sign_is_asked_and_a_row_without_its_picture_has_none(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    crop, expected = row("A VIE - BOH", 3), Expected(VIENNA)
    looked = reader.look(crop)
    assert looked is not None
    (found,) = reader.weigh_rows([looked], expected)
    assert found is not None
    monkeypatch.setattr(reader.unread, "odds", lambda *_: 99.0)
    assert reader.doubts(found, expected) == (Note.MORE,)
    kept = reader.seen_before(looked.as_kept)
    assert not reader.has_unread_ink(replace(found, seen=kept), expected)
    monkeypatch.setattr(reader.unread, "odds", lambda *_: -99.0)
    assert reader.doubts(found, expected) == ()
    higher = cv2.copyMakeBorder(crop.grey, 30, 0, 0, 0, cv2.BORDER_REPLICATE)
    for odds, lined, told in ((1.0, True, True), (-1.0, True, None), (-1.1, True, False), (1.0, False, None)):
        monkeypatch.setattr(reader.unread, "odds", lambda *_, odds=odds: odds)
        monkeypatch.setattr(engine, "has_line_through", lambda *_, lined=lined: lined)
        assert reader.has_unread_ink(found, expected) is told
    drawn = cv2.putText(higher, "X", (220, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.6, 40, 2)
    marked = reader.look(Crop(np.asarray(drawn, np.uint8)))
    assert marked is not None
    assert reader.has_unread_ink(replace(found, seen=marked), expected)


@pytest.mark.parametrize(("seen", "counted"), [("A VIE - (BOH)", "A VIE - (BOH)"), ("A VIE - BOH)", "A VIE - BOH")])
def test_a_bracket_that_says_more_accounts_for_no_ink(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch, seen: str, counted: str
) -> None:
    looked, expected = reader.look(row("A VIE - BOH", 3)), Expected(VIENNA)
    assert looked is not None
    (found,) = reader.weigh_rows([looked], expected)
    assert found is not None
    monkeypatch.setattr(free, "with_air", lambda *_: seen)
    monkeypatch.setattr(reader.unread, "odds", lambda _ink, _read, text, _frames: 99.0 if text == counted else -99.0)
    assert reader.has_unread_ink(found, expected)


def test_the_first_reader_whose_brackets_say_nothing_accounts_for_ink(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, expected = reader.look(row("A VIE - BOH", 3)), Expected(VIENNA)
    assert looked is not None
    (found,) = reader.weigh_rows([looked], expected)
    assert found is not None
    monkeypatch.setattr(reader.unread, "odds", lambda _ink, _read, text, _frames: -99.0 if "(" in text else 99.0)
    for texts, is_unread in (
        (["A VIE - BOH)", "A VIE - (BOH)"], False),
        (["A VIE - BOH", "A VIE - (BOH)"], True),
        (["A VIE - BOH)"], True),
    ):
        monkeypatch.setattr(reader, "texts_with_air", lambda *_, texts=texts: texts)
        assert reader.has_unread_ink(found, expected) is is_unread


@pytest.mark.parametrize(("means", "told"), [(Taken.SAME, ()), (Taken.ASKED, (Note.RUN_TOGETHER,))])
def test_words_run_together_where_the_rules_make_something_else_of_them(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch, means: Taken, told: tuple[Note, ...]
) -> None:
    looked = reader.look(row("A VIE - BOH", 3))
    expected = Expected(replace(VIENNA, taken=lambda text, line: means if text.startswith("AVIE") else Taken.SAME))
    assert looked is not None
    found = reader.weigh_rows([looked], expected)[0]
    assert found is not None
    monkeypatch.setattr(free, "run_together", lambda text, apart: text.replace("A ", "A", 1))
    assert reader.doubts(found, expected) == told
    nobody = replace(VIENNA, taken=None)
    assert reader.doubts(found, Expected(nobody)) == ()


def test_scrawl_is_asked(reader: NetRecogniser) -> None:
    rng = np.random.default_rng(1)
    for _ in range(6):
        paper = np.full((90, 600), 245, np.uint8)
        points = np.cumsum(rng.normal(0, 14, (60, 2)), 0) + np.array([300, 45])
        cv2.polylines(paper, [np.clip(points, 5, [595, 85]).astype(np.int32)], False, 40, 3)
        assert reader.read([Crop(paper)], VIENNA)[0].tier is Tier.ASKED


def test_bare_paper_is_blank(reader: NetRecogniser) -> None:
    assert reader.read([Crop(np.full((90, 600), 245, np.uint8))], VIENNA) == [InkLine.without_place((), Tier.BLANK)]


def test_without_a_vocabulary_the_free_reading_is_given_and_asked(reader: NetRecogniser) -> None:
    found = reader.read([row("A VIE - BOH", 3)], Vocabulary())[0]
    assert found.tier is Tier.ASKED
    assert len(found.readings) == 1
    assert "VIE" in found.readings[0].text


def test_what_is_asked_comes_with_proposals_and_the_free_reading(reader: NetRecogniser) -> None:
    found = next(answer for answer in read(reader, "A VIE - BOB") if answer.tier is Tier.ASKED)
    assert len(found.readings) >= 2
    assert all(0 <= reading.confidence <= 1 for reading in found.readings)


def test_a_reader_taught_a_hand_says_so_and_still_asks_about_what_is_no_order(reader: NetRecogniser) -> None:
    taught = teach_hand(reader, [(row(text, 3), text) for text in ("A VIE - BOH", "A VIE - GAL", "A VIE H")] * 4)
    assert taught.name == f"{reader.name}, 12 rows of this hand"
    best = taught.read([row("A VIE - TYR", 3), row("A VIE - LON", 3)], VIENNA)
    assert best[0].readings[0].text == "A VIE - TYR"
    assert best[1].tier is Tier.ASKED
    assert reader.rows_known == 0


@pytest.mark.parametrize(("letter", "is_read"), [("y", True), ("v", False)])
def test_what_hangs_from_a_row_is_a_tail_where_a_letter_with_one_is_read(
    reader: NetRecogniser, letter: str, is_read: bool
) -> None:
    crop, text = row("A VIE - TYR", PLAIN_HANDS[0]), "avie-tyr"
    seen, laid = reader.look(crop), lay(crop.grey, OURS)
    assert seen is not None
    assert laid is not None
    at = dict(laid_along(text, seen.frames(reader.head)))[letter]
    column = round(((at + 0.5) * OURS.columns_per_frame - laid.margin) / laid.scale) + laid.left
    hanging = replace(crop, tails=((column - 2, column + 2),))
    plain, found = reader.read([crop, hanging], VIENNA)
    assert found.readings[0].text == "A VIE - TYR"
    assert (plain.tier in UNASKED, plain.tails_read, found.tails_read) == (True, False, is_read)
    assert found.tier is plain.tier

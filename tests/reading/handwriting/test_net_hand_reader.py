"""A sheet is read with what is known of its writer's hand only if it shows that hand; otherwise nothing is changed."""

import math
from collections.abc import Sequence
from copy import copy
from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace

from pipeline.desk.hands.reader import ROOM_TO_SPARE
from pipeline.ink import InkLine, Note, Tier
from pipeline.pen.hand import Hand
from pipeline.reading import hand_reader
from pipeline.reading.engine import NetRecogniser, WeighedRow
from pipeline.reading.evidence import Evidence, Expected, Joint
from pipeline.reading.further import Known
from pipeline.reading.hand_reader import (
    ANOTHER,
    IN_REACH,
    SETTLED,
    SETTLES,
    Glance,
    HandReader,
    _could_be_settled,
    _glances,
    is_in_reach,
    may_lift,
    may_settle,
)
from pipeline.reading.network import Head
from pipeline.reading.recogniser import CROP_DPI, Crop, EngineFailed
from pipeline.words.speech import write_count
from reading.last_word import last_word
from reading.stand_ins import teach_hand
from reading.vienna import VIENNA, first_of, weighed_by
from training.lines import line_image

TEXTS = ("A VIE - BOH", "A VIE - GAL", "A VIE - TYR", "A VIE H")


@pytest.fixture(autouse=True)
def shows_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four short lines show few letters: what may be taught is tested by itself, below."""
    monkeypatch.setattr(hand_reader, "may_lift", lambda known, evidence: True)


UNTIDY = 17  # a hand of which the readers are not as sure as can be


@cache  # no reader changes what it reads
def rows(hand: int, seed: int = 1, neatness: float = 0.3) -> list[Crop]:
    """The same four lines in a hand, never twice alike."""
    pen = Hand.from_seed(hand, neatness=neatness)
    return [Crop(line_image(t, pen, np.random.default_rng([hand, seed, n]), CROP_DPI)) for n, t in enumerate(TEXTS)]


def who_knows(reader: NetRecogniser, hand: int) -> HandReader:
    known = [(crop, text) for seed in (2, 3, 4) for crop, text in zip(rows(hand, seed), TEXTS, strict=True)]
    return HandReader(reader, teach_hand(reader, known))


def test_the_hand_that_is_known_is_read_by_the_reader_that_knows_it(reader: NetRecogniser) -> None:
    known = who_knows(reader, 3)
    found = known.read(rows(3), VIENNA)
    assert known.is_this_hand
    assert known.name == f"{reader.name}, 12 rows of this hand"
    confidence = [answer.readings[0].confidence for answer in found]
    before = [answer.readings[0].confidence for answer in reader.read(rows(3), VIENNA)]
    assert sum(confidence) > sum(before), "it is surer of the hand that it knows"


def test_another_hand_is_read_as_if_nothing_were_known_and_the_name_says_so(reader: NetRecogniser) -> None:
    stranger = teach_hand(reader, list(zip(rows(3), TEXTS, strict=True)))
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
        for seen, answer in zip(known.seen, teach_hand(reader, []).read(rows(3), VIENNA), strict=True)
        if seen is not None and answer.tier is not Tier.ASKED
    )
    expected = Expected(VIENNA)
    assert known.taught is not None
    (after,), (same,) = known.taught.weigh_rows([row], expected), _glances([row.frames(reader.head)], expected)
    assert after is not None
    assert same is not None
    assert same.best == after.evidence.best
    assert known.surer(same, after, expected).tier is not Tier.ASKED
    other = replace(same, best=same.best + 1)
    asked = known.surer(other, after, expected)
    assert asked.tier is Tier.ASKED
    assert Note.HANDS_DIFFER in asked.notes


def test_a_stranger_is_all_who_know_nobody_and_not_the_first_of_them_alone(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = [answer.readings[0].text for answer in reader.read(rows(3), VIENNA)]
    glancing = hand_reader._glances

    def astray(*of: object) -> list[Glance | None]:
        return [None if one is None else replace(one, best=one.best + 1) for one in glancing(*of)]  # type: ignore[arg-type]

    monkeypatch.setattr(hand_reader, "_glances", astray)
    found = who_knows(reader, 3).read(rows(3), VIENNA)
    assert [answer.readings[0].text for answer in found] == plain
    assert not any(Note.HANDS_DIFFER in answer.notes for answer in found)
    weighed = NetRecogniser.weighed_again

    def all_astray(self: NetRecogniser, *of: object) -> list[WeighedRow | None]:
        again = weighed(self, *of)  # type: ignore[arg-type]
        return turned(again) if self is reader else again

    monkeypatch.setattr(NetRecogniser, "weighed_again", all_astray)
    told = who_knows(reader, 3).read(rows(3), VIENNA)
    assert all(answer.tier is Tier.ASKED for answer in told)
    assert any(Note.HANDS_DIFFER in answer.notes for answer in told)


def in_doubt(reader: NetRecogniser) -> HandReader:
    """Knows the hand, and is sure of nothing."""
    known = who_knows(reader, 3)
    assert known.taught is not None
    known.taught = known.taught.with_gates(last_word(reader.gates, math.inf), "thresholds of a test")
    return known


def test_what_a_stranger_lets_pass_is_not_asked_because_the_hand_is_known(reader: NetRecogniser) -> None:
    plain = reader.read(rows(3), VIENNA)
    sure = [number for number, answer in enumerate(plain) if answer.tier is not Tier.ASKED]
    known = in_doubt(reader)
    found = known.read(rows(3), VIENNA)
    assert known.is_this_hand
    assert sure
    assert [number for number, answer in enumerate(found) if answer.tier is not Tier.ASKED] == sure
    assert all(one.confidence <= SETTLED for number in sure for one in found[number].readings), "it teaches no other"


def test_nor_may_a_slip_be_near_then(reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_reader, "may_settle", lambda evidence: False)
    assert all(answer.tier is Tier.ASKED for answer in in_doubt(reader).read(rows(3), VIENNA))


def test_nor_another_line_to_who_knows_the_hand(reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_reader, "ANOTHER", math.inf)
    assert all(answer.tier is Tier.ASKED for answer in in_doubt(reader).read(rows(3), VIENNA))


def test_what_was_taught_wrongly_is_still_asked(reader: NetRecogniser) -> None:
    """Every row of the hand is said to be another one: that makes nothing pass as what it is not."""
    turned = dict(zip(TEXTS, (*TEXTS[1:], TEXTS[0]), strict=True))
    known = [(crop, turned[text]) for seed in (2, 3, 4) for crop, text in zip(rows(3, seed), TEXTS, strict=True)]
    found = HandReader(reader, teach_hand(reader, known)).read(rows(3), VIENNA)
    for answer, text in zip(found, TEXTS, strict=True):
        assert answer.tier is Tier.ASKED or answer.readings[0].text == text


def test_bare_paper_is_blank_to_it(reader: NetRecogniser) -> None:
    bare = Crop(np.full((90, 600), 245, np.uint8))
    assert [answer.tier for answer in who_knows(reader, 3).read([bare], VIENNA)] == [Tier.BLANK]


A_LITTLE = 0.01  # log odds
UNTIDY_HANDS = (UNTIDY, 68, 102)


def untidy(hand: int = UNTIDY) -> list[Crop]:
    """The four lines as nobody writes who wants to be read."""
    return rows(hand, neatness=0.0)


def doubting(reader: NetRecogniser, sure: int, hand: int = UNTIDY) -> NetRecogniser:
    """The same reader with thresholds under which the surest of the four lines pass, and the next is a little below."""
    return reader.with_gates(last_word(reader.gates, odds_of(reader, hand)[sure] + A_LITTLE), "thresholds of a test")


@cache  # to look takes as long as to read
def odds_of(reader: NetRecogniser, hand: int) -> list[float]:
    """How sure a reader is of each of the four lines, the surest first."""
    looking = reader.with_gates(last_word(reader.gates, math.inf), "all look")
    said = weighed_by(looking, untidy(hand), VIENNA)
    odds = sorted((reader.gates.last.odds(one) for one in said if isinstance(one, Joint)), reverse=True)
    assert len(odds) == len(TEXTS)
    return odds


@pytest.mark.slow
def test_rows_that_nobody_is_asked_about_teach_those_that_would_be_asked(reader: NetRecogniser) -> None:
    sheets_settled = 0
    for hand in UNTIDY_HANDS:
        for sure in (1, 2, 3):
            odds = odds_of(reader, hand)
            if odds[sure - 1] < odds[sure] + 2 * A_LITTLE:
                continue  # as sure of one as of the next
            strict = doubting(reader, sure, hand)
            before, after = HandReader(strict, learns=False), HandReader(strict)
            was, now = before.read(untidy(hand), VIENNA), after.read(untidy(hand), VIENNA)
            assert [answer.tier for answer in was].count(Tier.ASKED) == len(TEXTS) - sure
            settled = [n for n, (a, b) in enumerate(zip(was, now, strict=True)) if a.tier is Tier.ASKED is not b.tier]
            assert before.name == strict.name
            assert after.name == strict.name + (f", {write_count(sure, 'row')} of this sheet" if settled else "")
            assert [answer.readings[0].text for answer in now] == [answer.readings[0].text for answer in was]
            assert all(a == b for n, (a, b) in enumerate(zip(was, now, strict=True)) if n not in settled)
            assert all(one.confidence <= SETTLED < ROOM_TO_SPARE for n in settled for one in now[n].readings)
            sheets_settled += bool(settled)
    assert sheets_settled >= 5


def test_a_row_that_its_sheet_settles_must_be_surer_than_another(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = doubting(reader, 2)
    was, now = untaught(strict), HandReader(strict).read(untidy(), VIENNA)
    assert any(a.tier is not b.tier for a, b in zip(was, now, strict=True))
    monkeypatch.setattr(hand_reader, "SETTLES", math.inf)
    sheet = HandReader(strict)
    assert list(sheet.read(untidy(), VIENNA)) == was
    assert sheet.own_rows == 0


@pytest.mark.parametrize(("to_asked", "settles"), [(SETTLES, True), (SETTLES - 0.1, False)])
def test_what_the_first_alone_is_sure_of_is_settled_and_what_more_say_only_where_no_slip_is_near(
    to_asked: float, settles: bool
) -> None:
    joint = Joint(0, "A VIE H", -0.1, 25.0, 9.0, to_asked, 9.0, 9.0, 0.0, 0.0, struck=False)
    assert may_settle(joint) is may_settle(replace(joint, readers=3)) is settles
    assert may_settle(Evidence(0, "A VIE H", -0.1, 25.0, 25.0, 9.0, 0.0, struck=False))


def taught(*texts: str) -> list[Known]:
    """Rows of a sheet that are known; what was seen of them does not matter here."""
    return [Known(None, text) for text in texts]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("others", "lifts"),
    [
        (["A BRE - PIC", "A GAS - MAR"], False),  # neither
        (["A NAT - LVP", "F BRE TO MAO"], False),  # a T as it stands there, and only the capital F of a fleet
        (["A BRE - PIC", "F NAF - TUN"], False),  # an F as it stands there, and only the capital T of Tunis
        (["A NAT - LVP", "F TUN TO NAF"], True),
    ],
)
def test_a_lesson_lifts_doubt_about_the_letters_that_it_showed_and_no_others(others: list[str], lifts: bool) -> None:
    """`F MAO TO NAF` was taken as NAO: all readers saw NAT, and a lesson without an F let it pass."""
    joint = Joint(0, "F MAO TO NAT", -0.1, 25.0, 9.0, 9.0, 1.0, 9.0, 0.0, 0.0, struck=False)
    doubted = replace(joint, doubted=frozenset("tf"))
    assert may_lift(taught(*others), doubted) is lifts
    assert may_lift(taught(*others), joint), "where nothing comes near no letter is in doubt"


def test_a_row_whose_letters_no_other_showed_is_not_read_once_more(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = doubting(reader, 2)
    was, settled = untaught(strict), HandReader(strict).read(untidy(), VIENNA)
    assert any(a.tier is not b.tier for a, b in zip(was, settled, strict=True))
    monkeypatch.setattr(hand_reader, "may_lift", lambda _lessons, _evidence: False)  # none showed them
    sheet = HandReader(strict)
    assert list(sheet.read(untidy(), VIENNA)) == was
    assert sheet.own_rows == 0


@pytest.mark.parametrize(
    ("to_asked", "to_harm", "is_in"),
    [
        (IN_REACH, ANOTHER, True),
        (IN_REACH - 0.1, ANOTHER, False),
        (IN_REACH, ANOTHER - 0.1, False),
        (9.0, ANOTHER - 0.1, False),
    ],
)
def test_a_row_is_read_once_more_only_where_several_looked_and_neither_a_slip_nor_another_line_is_far_likelier(
    to_asked: float, to_harm: float, is_in: bool
) -> None:
    assert is_in_reach(Joint(0, "A VIE H", -0.1, 25.0, 9.0, to_asked, to_harm, 9.0, 0.0, 0.0, struck=False)) is is_in
    assert not is_in_reach(Evidence(0, "A VIE H", -0.1, 25.0, 25.0, 9.0, 0.0, struck=False))


def test_whether_a_sign_is_an_s_or_an_arrow_no_other_row_settles(reader: NetRecogniser) -> None:
    (row,) = reader.weigh_rows([reader.look(rows(3)[0])], Expected(VIENNA))
    assert row is not None
    asked = InkLine.without_place((), Tier.ASKED)
    assert _could_be_settled(asked, None, row)
    assert not _could_be_settled(replace(asked, notes=(Note.S_OR_ARROW,)), None, row)


def test_where_no_row_is_in_reach_no_reader_looks_at_what_might_teach_it(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = doubting(reader, 2)
    was = untaught(strict)
    taught: list[int] = []

    def taught_by(self: NetRecogniser, known: Sequence[Known]) -> NetRecogniser:
        taught.append(len(known))
        return self

    monkeypatch.setattr(NetRecogniser, "taught_by", taught_by)
    monkeypatch.setattr(hand_reader, "IN_REACH", math.inf)
    sheet = HandReader(strict)
    assert list(sheet.read(untidy(), VIENNA)) == was
    assert taught == []
    monkeypatch.setattr(hand_reader, "IN_REACH", -math.inf)
    sheet.read(untidy(), VIENNA)
    assert taught == [2]


def test_a_row_alone_teaches_itself_nothing_and_one_sheet_teaches_no_other(reader: NetRecogniser) -> None:
    strict = doubting(reader, 2)
    sheet = HandReader(strict)
    sheet.read(untidy(), VIENNA)
    assert sheet.own_rows == 2
    (alone,) = sheet.read(untidy()[3:], VIENNA)
    assert alone == HandReader(strict, learns=False).read(untidy()[3:], VIENNA)[0]
    assert sheet.own_rows == 0


def test_a_row_that_is_another_line_to_who_has_learnt_stays_asked_and_as_it_was(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = doubting(reader, 2)
    was = HandReader(strict, learns=False).read(untidy(), VIENNA)

    def taught_by(self: NetRecogniser, known: Sequence[Known]) -> NetRecogniser:
        pupil = copy(self)
        pupil.use(last_word(self.gates, -math.inf))
        monkeypatch.setattr(pupil, "weigh_rows", lambda seen, expected: turned(self.weigh_rows(seen, expected)))
        pupil.further = ()
        return pupil

    monkeypatch.setattr(NetRecogniser, "taught_by", taught_by)
    sheet = HandReader(strict)
    assert list(sheet.read(untidy(), VIENNA)) == list(was)
    assert sheet.own_rows == 0


def test_a_row_that_is_another_line_to_a_stranger_is_settled_by_no_other_row(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = doubting(reader, 2)
    before, after = untaught(strict), HandReader(strict).read(untidy(), VIENNA)
    settled = [n for n, (a, b) in enumerate(zip(before, after, strict=True)) if a.tier is not b.tier]
    assert settled
    known_elsewhere = HandReader(strict)
    weighed = HandReader.weigh_rows

    def disagreeing(
        self: HandReader, expected: Expected, crops: Sequence[Crop | None]
    ) -> tuple[Sequence[Glance | None], list[WeighedRow | None]]:
        _, found = weighed(self, expected, crops)
        best = [one.evidence.best if one else 0 for one in found]
        return [Glance((one + (number in settled)) % len(TEXTS), 0.0) for number, one in enumerate(best)], found

    monkeypatch.setattr(HandReader, "weigh_rows", disagreeing)
    told = known_elsewhere.read(untidy(), VIENNA)
    assert all(told[number].tier is Tier.ASKED for number in settled)
    assert known_elsewhere.own_rows == 0


def test_where_there_is_no_second_reader_a_sheet_teaches_nobody(reader: NetRecogniser) -> None:
    said = weighed_by(first_of(reader), untidy(), VIENNA)
    odds = sorted((reader.gates.first.odds(one) for one in said if one), reverse=True)
    first = replace(reader.gates.first, least={}, marked=odds[2] + A_LITTLE, accepted=odds[2] + A_LITTLE)
    alone = first_of(reader.with_gates(replace(reader.gates, first=first), "thresholds of a test"))
    sheet = HandReader(alone)
    now = sheet.read(untidy(), VIENNA)
    assert [answer.tier for answer in now].count(Tier.ASKED) == 2
    assert list(now) == untaught(alone)
    assert sheet.name == alone.name


def test_where_the_net_fails_half_way_what_was_read_stands(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = doubting(reader, 2)
    was = untaught(strict)

    def fails(self: NetRecogniser, known: Sequence[Known]) -> NetRecogniser:
        raise EngineFailed("out of memory")

    monkeypatch.setattr(NetRecogniser, "taught_by", fails)
    sheet = HandReader(strict)
    assert list(sheet.read(untidy(), VIENNA)) == was
    assert sheet.own_rows == 0


def untaught(reader: NetRecogniser) -> list[InkLine]:
    """What is read where no row teaches another."""
    return list(HandReader(reader, learns=False).read(untidy(), VIENNA))


def turned(weighed: Sequence[WeighedRow | None]) -> list[WeighedRow | None]:
    """Every row taken for another line, and surely."""
    return [
        None if one is None else replace(one, evidence=replace(one.evidence, best=(one.evidence.best + 1) % len(TEXTS)))
        for one in weighed
    ]

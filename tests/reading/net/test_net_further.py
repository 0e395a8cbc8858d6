"""The readers after the first ship whole, look only where those before are not sure, and are not missed."""

import gc
import hashlib
import math
import tomllib
import weakref
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from pipeline.desk.doctor import _further_reader as told
from pipeline.ink import InkLine, Tier
from pipeline.pen.hand import Hand
from pipeline.reading import engine, further
from pipeline.reading.alphabet import CLASSES
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.further import FurtherReader, Known, further_readers, weights_of
from pipeline.reading.gate import Limits, load_gates
from pipeline.reading.network import best_letters, head_beside, shipped_weights
from pipeline.reading.recogniser import AFTER_FIRST, CROP_DPI, Crop, Inked, Sure, Taken
from reading.stand_ins import teach_hand
from reading.vienna import PLAIN_HANDS, UNASKED, VIENNA, first_of, weighed_by, written
from training.lines import line_image

TEXTS = ("A VIE - BOH", "A Vie H", "A VIE - BOB", "A VIE - LON", "pass the salt")
ROOT = Path(__file__).resolve().parents[3]
SECOND, THIRD = AFTER_FIRST


@cache
def rows() -> Sequence[Crop]:
    return [Crop(written(text, hand)) for text in TEXTS for hand in PLAIN_HANDS]


@pytest.fixture(scope="module")
def read_by_all(reader: NetRecogniser) -> Sequence[InkLine]:
    """What all readers make of the rows, read once."""
    return reader.read(rows(), VIENNA)


@pytest.fixture(scope="module")
def read_by_first(reader: NetRecogniser) -> Sequence[InkLine]:
    """What the first makes of them alone."""
    return first_of(reader).read(rows(), VIENNA)


def without(name: str, monkeypatch: pytest.MonkeyPatch, instead: Path) -> NetRecogniser:
    """The readers of a package in which this file stands for the one of a reader."""
    shipped = weights_of
    monkeypatch.setattr(further, "weights_of", lambda each: instead if each == name else shipped(each))
    return NetRecogniser()


@pytest.mark.parametrize("name", AFTER_FIRST)
def test_it_sees_the_letters_of_plain_hands(name: str) -> None:
    reader = FurtherReader(weights_of(name))
    read = []
    for hand in PLAIN_HANDS:
        seen = reader.look(Crop(written("A VIE - BOH", hand)))
        assert seen is not None
        frames = seen.frames(reader.head)
        assert frames.shape[1] == CLASSES
        assert frames.sum(1) == pytest.approx(np.ones(len(frames)))
        read.append("".join(letter for letter, _ in best_letters(frames)))
    assert sum(text == "avie-boh" for text in read) >= len(PLAIN_HANDS) - 1, read


def test_all_readers_are_named_with_their_digests(reader: NetRecogniser) -> None:
    files = [shipped_weights(), *map(weights_of, AFTER_FIRST)]
    digests = [hashlib.sha256(path.read_bytes()).hexdigest()[:8] for path in files]
    assert list(reader.digests) == digests
    assert f"{digests[0]}, {digests[1]} and {digests[2]}" in reader.name
    assert f"{digests[0]}, {digests[1]} and {digests[2]}" in load_gates().measured, "thresholds of other nets"


@pytest.mark.slow
def test_no_reader_looks_where_those_before_it_are_enough(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: dict[str, list[Crop]] = {name: [] for name in AFTER_FIRST}
    seeing = FurtherReader.look

    def look(self: FurtherReader, crop: Crop, before: object = None) -> object:
        looked[self.weights.stem].append(crop)
        return seeing(self, crop)

    monkeypatch.setattr(FurtherReader, "look", look)
    monkeypatch.setattr(engine, "THIRD_LEAST", {})
    crops = rows()
    by_first, by_two = first_of(reader), without(THIRD, monkeypatch, Path("nowhere.onnx"))
    by_two.gates = by_first.gates = reader.gates
    reader.read(crops, VIENNA)
    saw = {name: [any(crop is one for one in crops_seen) for crop in crops] for name, crops_seen in looked.items()}
    for before, name in ((by_first, SECOND), (by_two, THIRD)):
        evidence = weighed_by(before, crops, VIENNA)
        enough = [one is not None and reader.gates.tier(one) is not Tier.ASKED for one in evidence]
        assert any(enough)
        assert any(saw[name])
        assert not any(sure and seen for sure, seen in zip(enough, saw[name], strict=True))


def test_a_reader_learns_a_hand_when_it_is_to_read_and_looks_at_what_it_has_not_seen(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    seeing = FurtherReader.look

    def look(self: FurtherReader, crop: Crop, before: object = None) -> object:
        looked.append(self.weights.stem)
        return seeing(self, crop)

    monkeypatch.setattr(FurtherReader, "look", look)
    crops = [Crop(written("A VIE - BOH", hand)) for hand in PLAIN_HANDS[:3]]
    rows_of = [row for crop in crops if (row := reader.look(crop)) is not None]
    assert len(rows_of) == 3
    kept = Known(reader.look_again(rows_of[0], crops[0], 2), "A VIE - BOH")  # no picture: nobody else can look
    looked.clear()
    pupil = reader.taught_by([kept, *(Known(row, "A VIE - BOH", crop=crops[1]) for row in rows_of[1:])])
    assert looked == []
    second, third = pupil.further
    assert (second.head.kernel != reader.further[0].head.kernel).any()
    assert second.head is pupil.further[0].head
    assert looked == [SECOND] * 2
    assert third.head.kernel.shape == second.head.kernel.shape
    assert looked == [SECOND] * 2 + [THIRD] * 2


def test_of_rows_without_pictures_all_learn_at_once_and_nobody_keeps_the_rows(reader: NetRecogniser) -> None:
    crop = Crop(written("A VIE - BOH", PLAIN_HANDS[0]))
    seen = reader.look(crop)
    assert seen is not None
    known = Known(reader.look_again(seen, crop), "A VIE - BOH")
    kept = weakref.ref(known.row.features)
    pupil = reader.taught_by([known])
    del known, seen
    gc.collect()
    assert kept() is None
    assert pupil.rows_known == 1


def test_what_is_taught_of_pictures_is_taught_to_all_readers(reader: NetRecogniser) -> None:
    untidy = Hand.from_seed(12, neatness=0.0)
    crops = [Crop(line_image(text, untidy, np.random.default_rng(n), CROP_DPI)) for n, text in enumerate(TEXTS[:2])]
    pupil = teach_hand(reader, list(zip(crops, TEXTS, strict=False)))
    for learnt, before in zip(pupil.heads, reader.heads, strict=True):
        assert (learnt.kernel != before.kernel).any()


def test_the_others_look_at_what_is_written_in_boxes_and_not_where_all_is_ticked(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Crop] = []
    seeing = FurtherReader.look

    def look(self: FurtherReader, crop: Crop, before: object = None) -> object:
        looked.append(crop)
        return seeing(self, crop)

    monkeypatch.setattr(FurtherReader, "look", look)
    paper = np.full((80, 90), 250, np.uint8)
    ticked = [Crop(paper, tuple(map(Sure, parts))) for parts in (("A VIE", "-", "BOH"), ("A VIE", "-", "LON"))]
    words = [line_image("Boh", Hand.from_seed(n, neatness=0.2), np.random.default_rng(n), CROP_DPI) for n in range(12)]
    filled = [Crop(paper, (Sure("A VIE"), Sure("-"), Inked(word))) for word in words]
    strict = reader.with_gates(replace(reader.gates, enough=5.5), "one reader is seldom enough")
    found = strict.read([*ticked, *filled], VIENNA)
    assert [answer.tier for answer in found[:2]] == [Tier.ACCEPTED, Tier.ASKED]
    assert not any(crop is one for crop in ticked for one in looked)
    saw = [any(crop is one for one in looked) for crop in filled]
    by_first = weighed_by(first_of(reader), filled, VIENNA)
    assert saw == [one is not None and strict.gates.tier(one) is Tier.ASKED for one in by_first]
    assert any(saw)
    assert not all(saw)
    judged = [one is not None and strict.gates.tier(one) for one in weighed_by(strict, filled, VIENNA)]
    assert [answer.tier for answer in found[2:]] == judged
    assert all(answer.tier is Tier.ASKED or answer.readings[0].text == "A VIE - BOH" for answer in found[2:])


def test_where_the_rules_follow_no_misspelt_word_the_stricter_limits_judge(
    reader: NetRecogniser, read_by_all: Sequence[InkLine]
) -> None:
    crops = rows()[: 2 * len(PLAIN_HANDS)]
    never = {"to_slips": math.inf}
    limits = {Taken.OTHER: Limits(alone=never), Taken.ASKED: Limits(never, never, never)}
    strict = reader.with_gates(replace(reader.gates, stricter=limits), "nothing passes where a slip is not followed")
    followed, asked, held = (
        [answer.tier for answer in strict.read(crops, replace(VIENNA, misspelt=misspelt))] for misspelt in Taken
    )
    assert followed == [answer.tier for answer in read_by_all[: len(crops)]]
    assert set(asked) == {Tier.ASKED}
    by_more = reader.with_gates(replace(reader.gates, enough=math.inf), "the first is never enough")
    assert held == [answer.tier for answer in by_more.read(crops, VIENNA)]
    assert set(held) != {Tier.ASKED}


def test_what_none_reads_as_an_order_is_asked_and_more_passes_than_by_the_first_alone(
    read_by_all: Sequence[InkLine], read_by_first: Sequence[InkLine]
) -> None:
    legal = 2 * len(PLAIN_HANDS)
    assert all(answer.tier is Tier.ASKED for answer in (*read_by_all[legal:], *read_by_first[legal:]))
    unasked = [sum(answer.tier in UNASKED for answer in some[:legal]) for some in (read_by_all, read_by_first)]
    assert unasked[0] >= unasked[1]


def test_without_the_second_s_file_everything_is_read_as_by_the_first_alone(
    monkeypatch: pytest.MonkeyPatch, reader: NetRecogniser, read_by_first: Sequence[InkLine]
) -> None:
    bare = without(SECOND, monkeypatch, Path("nowhere.onnx"))
    assert bare.further == ()
    assert bare.gates.is_alone
    assert list(bare.read(rows(), VIENNA)) == list(read_by_first)
    assert bare.name.startswith(f"row net {bare.digest}")
    assert bare.name == first_of(reader).name


def test_without_the_third_s_file_two_say_the_last_word_by_their_own_thresholds(
    monkeypatch: pytest.MonkeyPatch, reader: NetRecogniser
) -> None:
    assert reader.gates.three is not None
    bare = without(THIRD, monkeypatch, Path("nowhere.onnx"))
    assert [each.weights.stem for each in bare.further] == [SECOND]
    assert bare.gates == reader.gates.without_third()
    assert bare.digests == reader.digests[:2]
    for answer, one in zip(bare.read(rows(), VIENNA), weighed_by(bare, rows(), VIENNA), strict=True):
        assert one is None or answer.tier is bare.gates.tier(one) or answer.notes


@pytest.mark.parametrize("name", AFTER_FIRST)
def test_the_doctor_says_what_is_missing_and_where(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, reader: NetRecogniser
) -> None:
    assert len(reader.further) == len(AFTER_FIRST)
    assert told(name).is_well
    without(name, monkeypatch, tmp_path / f"{name}.onnx")
    assert not told(name).is_well
    assert str(tmp_path / f"{name}.onnx") in told(name).text


def test_the_doctor_calls_no_reader_well_that_never_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    without(SECOND, monkeypatch, Path("nowhere.onnx"))
    assert not told(THIRD).is_well
    assert "after the second reader" in told(THIRD).text


@pytest.mark.parametrize("name", AFTER_FIRST)
def test_a_file_that_is_no_net_is_told_too(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / f"{name}.onnx"
    broken.write_bytes(b"this is no net")
    without(name, monkeypatch, broken)
    assert len(further_readers()) == AFTER_FIRST.index(name)
    assert not told(name).is_well
    assert broken.name in told(name).text


@pytest.mark.parametrize("name", AFTER_FIRST)
def test_its_licence_and_notice_travel_with_it(name: str) -> None:
    weights = weights_of(name)
    assert head_beside(weights).is_file()
    folder = weights.parent
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for text in ("NOTICE.md", "LICENSE-Apache-2.0.txt"):
        assert (folder / text).is_file()
        assert str((folder / text).relative_to(ROOT)) in project["license-files"]
    assert weights.name in (folder / "NOTICE.md").read_text("utf-8")
    assert "Apache License" in (folder / "LICENSE-Apache-2.0.txt").read_text("utf-8")

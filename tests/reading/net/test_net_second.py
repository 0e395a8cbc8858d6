"""The second reader ships whole, looks only where the first is not sure, and is not missed where it is not there."""

import hashlib
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pipeline.desk.machine.doctor import second_reader as told
from pipeline.ink import Tier
from pipeline.reading.handwriting.engine import NetRecogniser
from pipeline.reading.net import second
from pipeline.reading.net.alphabet import CLASSES
from pipeline.reading.net.network import best_letters, head_beside, shipped_weights
from pipeline.reading.net.second import SecondReader, second_weights
from pipeline.reading.rows.recogniser import Crop
from reading.vienna import PLAIN_HANDS, UNASKED, VIENNA, written

TEXTS = ("A VIE - BOH", "A Vie H", "A VIE - BOB", "A VIE - LON", "pass the salt")
ROOT = Path(__file__).resolve().parents[3]


def rows() -> list[Crop]:
    return [Crop(written(text, hand), 0) for text in TEXTS for hand in PLAIN_HANDS]


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[NetRecogniser]:
    """The readers of a package from which the second one's file is gone."""
    monkeypatch.setattr(second, "second_weights", lambda: tmp_path / second.WEIGHTS)
    yield NetRecogniser()


def test_it_sees_the_letters_of_plain_hands() -> None:
    reader = SecondReader()
    read = []
    for hand in PLAIN_HANDS:
        seen = reader.look(Crop(written("A VIE - BOH", hand), 0))
        assert seen is not None
        frames = seen.frames(reader.head)
        assert frames.shape[1] == CLASSES
        assert frames.sum(1) == pytest.approx(np.ones(len(frames)))
        read.append("".join(letter for letter, _ in best_letters(frames)))
    assert sum(text == "avie-boh" for text in read) >= len(PLAIN_HANDS) - 1, read


def test_both_readers_are_named_with_their_digests(reader: NetRecogniser) -> None:
    digests = [hashlib.sha256(path.read_bytes()).hexdigest()[:8] for path in (shipped_weights(), second_weights())]
    assert list(reader.digests) == digests
    assert all(digest in reader.name for digest in digests)


def test_the_second_does_not_look_where_the_first_is_enough(
    reader: NetRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Crop] = []
    seeing = SecondReader.look

    def look(self: SecondReader, crop: Crop) -> object:
        looked.append(crop)
        return seeing(self, crop)

    monkeypatch.setattr(SecondReader, "look", look)
    crops = rows()
    by_first = reader.alone()
    by_first.use(reader.gates)
    enough = [
        answer is not None and reader.gates.front.tier(answer) is not Tier.ASKED
        for answer in by_first.evidence(crops, VIENNA)
    ]
    reader.read(crops, VIENNA)
    seen = [any(crop is one for one in looked) for crop in crops]
    assert any(enough)
    assert any(seen)
    assert not any(both for both in map(all, zip(enough, seen, strict=True)))


def test_what_neither_reads_as_an_order_is_asked_and_more_passes_than_by_the_first_alone(
    reader: NetRecogniser,
) -> None:
    crops = rows()
    both, one = (each.read(crops, VIENNA) for each in (reader, reader.alone()))
    legal = 2 * len(PLAIN_HANDS)
    assert all(answer.tier is Tier.ASKED for answer in (*both[legal:], *one[legal:]))
    unasked = [sum(answer.tier in UNASKED for answer in found[:legal]) for found in (both, one)]
    assert unasked[0] >= unasked[1]


def test_without_its_file_everything_is_read_as_by_the_first_alone(bare: NetRecogniser, reader: NetRecogniser) -> None:
    crops = rows()
    assert bare.second is None
    assert bare.gates.is_alone
    assert list(bare.read(crops, VIENNA)) == list(reader.alone().read(crops, VIENNA))
    assert bare.name.startswith(f"row net {bare.digest}")
    assert bare.name == reader.alone().name


def test_the_doctor_says_what_is_missing_and_where(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, reader: NetRecogniser
) -> None:
    assert reader.second is not None
    assert told().is_well
    monkeypatch.setattr(second, "second_weights", lambda: tmp_path / second.WEIGHTS)
    assert not told().is_well
    assert str(tmp_path / second.WEIGHTS) in told().text


def test_a_file_that_opencv_cannot_run_is_told_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / second.WEIGHTS
    broken.write_bytes(b"this is no net")
    monkeypatch.setattr(second, "second_weights", lambda: broken)
    assert second.second_reader() is None
    assert not told().is_well
    assert broken.name in told().text


def test_its_licence_and_notice_travel_with_it() -> None:
    weights = second_weights()
    assert head_beside(weights).is_file()
    folder = weights.parent
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for name in ("NOTICE.md", "LICENSE-Apache-2.0.txt"):
        assert (folder / name).is_file()
        assert str((folder / name).relative_to(ROOT)) in project["license-files"]
    assert weights.name in (folder / "NOTICE.md").read_text("utf-8")
    assert "Apache License" in (folder / "LICENSE-Apache-2.0.txt").read_text("utf-8")

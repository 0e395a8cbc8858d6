"""The reader's name is kept, so that nobody loads the reader to be told it; what is kept may be thrown away."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from sampled import slow_after

from desk.cup import clock, seated
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.hands import reader_name as naming
from pipeline.desk.hands.reader import net_for
from pipeline.desk.hands.reader_name import reader_name
from pipeline.desk.review.orders_shown import status
from pipeline.problems import Stopped

KEPT = "kept/reader.json"


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """An event of which it was asked before who reads it."""
    folder = seated(tmp_path / "cup")
    with open_event(folder, clock) as event:
        assert status(event)["reader"] == net_for(event).name
    return folder


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that a reader was loaded for, from now on."""
    found: list[str] = []

    def noted(event: Event) -> str:
        found.append(net_for(event).name)
        return found[-1]

    monkeypatch.setattr(naming, "_load_reader_name", noted)
    return found


def damaged(path: Path) -> None:
    path.write_bytes(b"\xff\x00" + path.read_bytes()[7:-7])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def of_another_name(path: Path) -> None:
    path.write_text(path.read_text("utf-8").replace("row net", "raw net"), "utf-8")


def made_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def test_a_name_that_is_kept_loads_no_reader(cup: Path, asked: list[str]) -> None:
    with open_event(cup, clock) as event:
        assert reader_name(event) == net_for(event).name
    assert asked == []


@pytest.mark.parametrize("spoil", slow_after(1, [Path.unlink, damaged, emptied, of_another_name, made_a_folder]))
def test_the_name_is_the_same_without_what_was_kept(cup: Path, asked: list[str], spoil: Callable[[Path], None]) -> None:
    spoil(cup / KEPT)
    with open_event(cup, clock) as event:
        assert reader_name(event) == net_for(event).name
    assert len(asked) == 1


def test_a_file_of_the_reader_that_changes_has_it_asked_anew(
    cup: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_event(cup, clock) as event:
        files = naming._rests_on(event)
        wanted = {"engine.py", "network.py", "gate.py", "gate.toml", "rows.npz", "second.onnx", "third.onnx"}
        assert wanted <= {f.name for f in files}
        weights = cup / "rows.npz"
        weights.write_bytes(b"other weights")
        monkeypatch.setattr(naming, "_rests_on", lambda event: [*files, weights])
        reader_name(event)
        reader_name(event)
        assert len(asked) == 1
        weights.write_bytes(b"other weights again")
        reader_name(event)
    assert len(asked) == 2


def test_thresholds_that_are_gone_stop_it_although_a_name_is_kept(cup: Path) -> None:
    file = cup / "event.toml"
    file.write_text(file.read_text("utf-8").replace('paper = "A4"', 'paper = "A4"\ngate = "gone.toml"'), "utf-8")
    with open_event(cup, clock) as event, pytest.raises(Stopped):
        reader_name(event)


def test_where_nothing_can_be_kept_the_name_is_told(cup: Path, asked: list[str]) -> None:
    shutil.rmtree(cup / "kept")
    (cup / "kept").write_text("no folder", "utf-8")
    with open_event(cup, clock) as event:
        assert reader_name(event) == reader_name(event) == net_for(event).name
    assert len(asked) == 2

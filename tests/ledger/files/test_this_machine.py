"""What a machine remembers of its user beside all events."""

import random
from pathlib import Path

import pytest

from pipeline.ledger.files import (
    APART,
    _settings_path,
    keep_event,
    keep_name,
    keep_watched,
    kept_name,
    kept_watched,
    pairs_apart_file,
    recent_events,
)

SPOILT = ["{", "[]", '{"name": 3, "events": 4, "watched": [1]}', '{"events": [5], "watched": {"EVENT": 1}}']


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    for name in ("XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "own"))
    folders = [tmp_path.resolve() / f"cup{number}" for number in range(15)]
    for folder in folders:
        folder.mkdir()
        (folder / "event.toml").touch()
    return folders


def test_the_newest_twelve_events_and_folders_are_remembered_and_the_last_name(events: list[Path]) -> None:
    dice, opened, watched, name = random.Random(1), list[Path](), dict[Path, str](), ""
    for _ in range(90):
        one = dice.choice(events)
        match dice.choice(("open", "watch", "watch", "watch", "no more", "name")):
            case "open":
                keep_event(one)
                opened = [one, *(each for each in opened if each != one)][:12]
            case "watch":
                keep_watched(one, one / "in")
                watched.pop(one, None)
                watched = dict([*watched.items(), (one, str(one / "in"))][-12:])
            case "no more":
                keep_watched(one, None)
                watched.pop(one, None)
            case "name":
                keep_name(name := dice.choice(("Tess", "Łukasz")))
        assert (recent_events(), kept_name()) == (tuple(opened), name)
        assert {each: path for each in events if (path := kept_watched(each))} == watched
    (opened[3] / "event.toml").unlink()
    assert recent_events() == (*opened[:3], *opened[4:])


@pytest.mark.parametrize("text", SPOILT)
def test_of_a_file_that_is_spoilt_nothing_is_remembered(events: list[Path], text: str) -> None:
    keep_name("Tess")
    _settings_path().write_text(text.replace("EVENT", str(events[0])), "utf-8")
    assert (kept_name(), recent_events(), kept_watched(events[0])) == ("", (), "")
    keep_watched(events[0], events[1])
    assert kept_watched(events[0]) == str(events[1])


def test_who_is_kept_apart_everywhere_stands_in_a_file_beside_it(events: list[Path]) -> None:
    assert pairs_apart_file() is None
    keep_event(events[0])
    (file := _settings_path().with_name(APART)).touch()
    assert pairs_apart_file() == file

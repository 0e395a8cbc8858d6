"""What a machine remembers of its user beside all events."""

import random
from pathlib import Path

import pytest

from pipeline.ledger import files

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
                files.keep_event(one)
                opened = [one, *(each for each in opened if each != one)][:12]
            case "watch":
                files.keep_watched(one, one / "in")
                watched.pop(one, None)
                watched = dict([*watched.items(), (one, str(one / "in"))][-12:])
            case "no more":
                files.keep_watched(one, None)
                watched.pop(one, None)
            case "name":
                files.keep_name(name := dice.choice(("Tess", "Łukasz")))
        assert (files.recent_events(), files.kept_name()) == (tuple(opened), name)
        assert {each: path for each in events if (path := files.kept_watched(each))} == watched
    (opened[3] / "event.toml").unlink()
    assert files.recent_events() == (*opened[:3], *opened[4:])


@pytest.mark.parametrize("text", SPOILT)
def test_of_a_file_that_is_spoilt_nothing_is_remembered(events: list[Path], text: str) -> None:
    files.keep_name("Tess")
    files._settings_path().write_text(text.replace("EVENT", str(events[0])), "utf-8")
    assert (files.kept_name(), files.recent_events(), files.kept_watched(events[0])) == ("", (), "")
    files.keep_watched(events[0], events[1])
    assert files.kept_watched(events[0]) == str(events[1])


def test_who_is_kept_apart_everywhere_stands_in_a_file_beside_it(events: list[Path]) -> None:
    assert files.pairs_apart_file() is None
    files.keep_event(events[0])
    (file := files._settings_path().with_name(files.APART)).touch()
    assert files.pairs_apart_file() == file

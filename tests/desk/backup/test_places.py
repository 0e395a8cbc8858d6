"""Only parts of an event are restored; a second place is tried before it is taken, and does not need the first."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from web.conftest import SEATS, Browser

from desk.backup.copied import run, with_second
from desk.cup import clock, seated
from pipeline.desk.backups import back_up
from pipeline.desk.event.event import open_event
from pipeline.ledger.copies import Copy, _checksum_of, copies_in, place_beside
from pipeline.web.server import open_office

FOREIGN = (
    "office.pem",
    "claims.db",
    "event.db-wal",
    ".bashrc",
    ".git/hooks/post-merge",
    "event.db-tip",
    "x.toml",
    "a/b",
)


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """An event whose first round is seated."""
    return seated(tmp_path / "cup")


def add_part(cup: Path, name: str) -> Copy:
    """A copy whose description names a file more, as somebody writes it who knows how."""
    with open_event(cup, clock) as event:
        back_up(event)
    (copy,) = copies_in(place_beside(cup))
    path = copy.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("evil")
    manifest = copy.folder / "copy.json"
    told = json.loads(manifest.read_text("utf-8"))
    told["files"][name] = hashlib.sha256(b"evil").hexdigest()
    manifest.write_text(json.dumps(told | {"checksum": _checksum_of(told)}), "utf-8")
    return copy


@pytest.mark.parametrize("name", FOREIGN)
def test_what_is_no_part_of_an_event_is_not_restored(cup: Path, tmp_path: Path, name: str) -> None:
    copy = add_part(cup, name)
    before = {each for each in cup.rglob("*") if each.is_file()}
    for words in ((cup, "--replace"), (tmp_path / "new", "--from", copy.place)):
        code, said = run("restore", *words, "--copy", copy.folder.name)
        assert (code, f"{name} is no part of an event" in said) == (2, True), said
    assert not (tmp_path / "new").exists()
    assert {each for each in cup.rglob("*") if each.is_file()} == before


@pytest.mark.parametrize("name", ["rules/.git/hooks/post-merge", "rules/mine.toml~", "rules/a.py", "rules/.a/b.toml"])
def test_what_lies_beside_rules_is_neither_copied_nor_restored(cup: Path, tmp_path: Path, name: str) -> None:
    (cup / name).parent.mkdir(parents=True)
    (cup / name).write_text("an editor's")
    (cup / "rules/mine.toml").write_text("# mine")
    copy = add_part(cup, "rules/ours.toml")
    assert sorted(copy.files) == ["event.db", "event.toml", "rules/mine.toml"]
    add_part(cup, name)  # as an older program copied it
    shutil.rmtree(cup / "rules")
    for folder, more in ((tmp_path / "new", ()), (cup, ("--replace",))):
        assert run("restore", folder, "--from", copy.place, "--copy", copy.folder.name, *more)[0] == 0
        assert not (folder / name).exists()
        assert (folder / "rules/ours.toml").read_text() == "evil"


def test_the_second_place_is_copied_to_where_the_first_is_of_no_use(cup: Path, tmp_path: Path) -> None:
    place_beside(cup).write_text("a file")
    (tmp_path / "stick").mkdir()
    said = run("backup", with_second(cup, tmp_path / "stick"))[1]
    assert str(place_beside(cup)) in said
    assert len(copies_in(tmp_path / "stick/cup-backups")) == 1


def test_where_both_places_are_of_no_use_both_are_named_with_their_reason(cup: Path, tmp_path: Path) -> None:
    place_beside(cup).write_text("a file")
    said = run("backup", with_second(cup, tmp_path / "gone"))[1]
    assert "is the stick in" in said
    assert str(place_beside(cup)) in said
    assert "another program" not in said


@pytest.mark.parametrize("where", ["gone", "file", "cup", "cup/scans"])
def test_a_second_place_of_no_use_is_refused_at_once(cup: Path, tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "stick").mkdir()
    with open_office(cup, SEATS) as opened:
        tess = Browser(opened, "Tess")

        def choose(place: Path) -> Any:
            body = {"setting": "backup", "value": str(place)}
            return tess.client.post("/api/day/setting", json=body, headers={"X-Token": tess.token})

        answer = choose(cup / where.removeprefix("cup").strip("/") if where.startswith("cup") else tmp_path / where)
        assert answer.status_code == 422, answer.text
        assert opened.office.event.details.backup == ""
        assert choose(tmp_path / "stick").status_code == 200
        assert opened.office.event.details.backup == str(tmp_path / "stick")
        assert not list((tmp_path / "stick").glob(".ordersheets*.part"))

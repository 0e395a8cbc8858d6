"""No copy is written, and nothing is restored, by a name or a link that leads out of its folder."""

import json
import shutil
from pathlib import Path

import pytest

from desk.backup.copied import receive, run, status_of, with_second
from desk.cup import clock
from pipeline.desk.backups import back_up
from pipeline.desk.event.event import open_event
from pipeline.ledger.copies import _checksum_of, copies_in, place_beside
from pipeline.ledger.files import hash_file
from pipeline.problems import ExitCode


def test_a_link_in_the_place_of_a_file_of_the_copies_is_replaced_and_not_followed(cup: Path, tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    with_second(cup, tmp_path / "stick")
    place, outside = place_beside(cup), tmp_path / "outside.txt"
    place.mkdir(exist_ok=True)
    outside.write_text("mine")
    for name, leads_to in (("second.json", outside), ("copying.lock", tmp_path / "nothing")):
        (place / name).unlink(missing_ok=True)
        (place / name).symlink_to(leads_to)
    assert run("adjudicate", cup, "--board", 1, "--by", "Tess")[0] == 0
    assert run("backup", cup)[0] == 0
    assert outside.read_text() == "mine"
    assert not (tmp_path / "nothing").exists()
    assert status_of(cup)["second"]["trouble"] == ""


NO_NAMES = (
    "../../evil.sh",
    "rules/../../evil.sh",
    "{outside}/evil.sh",
    "..\\\\evil.sh",
    "C:evil.sh",
    "C:\\\\evil.sh",
    "\\u0000evil.sh",
    "evil\\u202e.sh",
    "rules//evil.sh",
    "rules/. /evil.sh",
    ".",
    "",
    "NUL",
    "rules/com1.toml",
    "evil.sh.",
    "e" * 300,
    "e/" * 600 + "e",
)


@pytest.mark.parametrize("name", NO_NAMES)
def test_a_copy_that_names_a_file_outside_of_it_is_told_and_writes_nothing(
    cup: Path, tmp_path: Path, name: str
) -> None:
    with open_event(cup, clock) as event:
        back_up(event)
    (copy,) = copies_in(place_beside(cup))
    name = name.replace("{outside}", str(tmp_path / "outside"))
    for folder in (tmp_path / "outside", copy.place.parent, copy.place.parent.parent):
        folder.mkdir(exist_ok=True)
        (folder / "evil.sh").write_text("evil")
    told = json.loads((copy.folder / "copy.json").read_text("utf-8"))
    told["files"][json.loads(f'"{name}"')] = hash_file(tmp_path / "outside/evil.sh")  # behind good ones
    (copy.folder / "copy.json").write_text(json.dumps(told | {"checksum": _checksum_of(told)}), "utf-8")
    assert len(told["files"]) == 3
    before = sorted(tmp_path.rglob("*"))
    for wanted in ("newest", copy.folder.name):
        code, said = run("restore", tmp_path / "new/er/cup", "--from", copy.place, "--copy", wanted)
        assert (code, "no copy to go on from" in said) == (2, True), said
    assert f"{json.loads(chr(34) + name + chr(34))[:80]!r} " in run("restore", cup, "--from", copy.place)[1]
    assert sorted(tmp_path.rglob("*")) == before


def test_a_restored_file_does_not_go_by_a_link_out_of_its_folder(cup: Path, tmp_path: Path) -> None:
    with_rules(cup)
    with open_event(cup, clock) as event:
        back_up(event)
    outside = tmp_path / "outside"
    shutil.move(cup / "rules", outside)
    (outside / "mine.toml").write_text("not the event's")
    (cup / "rules").symlink_to(outside)
    code, said = run("restore", cup, "--copy", "newest", "--replace", "--by", "Tess")
    assert (code, "leads out of its folder, by a link" in said) == (2, True)
    assert (outside / "mine.toml").read_text() == "not the event's"


@pytest.mark.parametrize("inside", ["scans", "out", "out/crops"])
def test_a_restored_scan_or_picture_does_not_go_by_a_link_out_of_its_folder(
    cup: Path, tmp_path: Path, inside: str
) -> None:
    with open_event(cup, clock) as event:
        receive(event)
        (cup / "out/crops").mkdir(parents=True, exist_ok=True)
        back_up(event)
    outside = tmp_path / "outside"
    outside.mkdir()
    shutil.rmtree(cup / inside)
    (cup / inside).symlink_to(outside)
    code, said = run("restore", cup, "--copy", "newest", "--replace", "--by", "Tess")
    assert (code, "leads out of its folder, by a link" in said) == (2, True)
    assert list(outside.iterdir()) == []


def test_a_card_that_is_made_again_does_not_go_by_a_link_out_of_the_event(cup: Path, tmp_path: Path) -> None:
    assert run("adjudicate", cup, "--board", 1, "--by", "Tess")[0] == 0
    card, outside = next((cup / "out").glob("*-card.pdf")), tmp_path / "mine.txt"
    for command in (("restore", cup, "--copy", "newest", "--replace", "--by", "Tess"), ("cards", cup)):
        outside.write_text("mine")
        card.unlink()
        card.symlink_to(outside)
        assert run(*command)[0] == 0
        assert outside.read_text() == "mine"
        assert card.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("inside", ["scans", "out"])
def test_no_scan_and_no_picture_goes_by_a_link_out_of_a_place_of_copies(cup: Path, tmp_path: Path, inside: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    place_beside(cup).mkdir()
    (place_beside(cup) / inside).symlink_to(outside)
    with open_event(cup, clock) as event:
        receive(event)
        (problem,) = back_up(event)
    assert "leads out of its folder, by a link" in problem.text
    assert list(outside.iterdir()) == []


def with_rules(cup: Path) -> None:
    """Give an event a file in its folder of rules."""
    (cup / "rules").mkdir()
    (cup / "rules/mine.toml").write_text("mine")


@pytest.mark.parametrize("key", ["gate", "tournament"])
@pytest.mark.parametrize(
    "name", ["../x.toml", "/etc/x.toml", "rules\\\\x.toml", "C:/x.toml", "con.toml", "x\\u0000.toml"]
)
def test_a_file_that_the_event_names_outside_of_its_folder_stops_every_command(cup: Path, key: str, name: str) -> None:
    (cup.parent / "x.toml").write_text("x")
    file = cup / "event.toml"
    kept = [line for line in file.read_text("utf-8").splitlines() if not line.startswith(f"{key} =")]
    file.write_text("\n".join(kept).replace("[event]", f'[event]\n{key} = "{name}"'), "utf-8")
    for words in (("backup", cup), ("status", cup), ("adjudicate", cup, "--board", 1)):
        code, said = run(*words)
        assert code == 2, said
        assert f"event.toml.event.{key}" in said, said
    assert not list(cup.parent.glob("*-backups/**/x.toml"))


def test_a_file_whose_name_no_other_system_knows_is_left_out_of_the_copy_and_told(cup: Path) -> None:
    with_rules(cup)
    (cup / "rules/a:b.toml").write_text("mine, too")
    code, said = run("backup", cup)
    assert (code, "it is not copied: its name holds ':'" in said) == (ExitCode.MACHINE_LACKS, True)
    (copy,) = copies_in(place_beside(cup))
    assert sorted(copy.files) == ["event.db", "event.toml", "rules/mine.toml"]


def test_of_two_files_that_have_one_name_on_some_systems_the_second_is_told_and_left_out(cup: Path) -> None:
    with_rules(cup)
    for name in ("gr\u00f6sse.toml", "GRO\u0308SSE.toml", "Mine.toml"):
        (cup / "rules" / name).write_text(name, "utf-8")
    code, said = run("backup", cup)
    assert code == ExitCode.MACHINE_LACKS
    assert said.count("it is not copied: its name is that of rules/") == 2, said
    (copy,) = copies_in(place_beside(cup))
    assert len(copy.files) == 4
    manifest = copy.folder / "copy.json"
    told = json.loads(manifest.read_text("utf-8"))
    shutil.copyfile(copy.folder / "event.toml", copy.folder / "Event.toml")
    told["files"]["Event.toml"] = told["files"]["event.toml"]
    manifest.write_text(json.dumps(told | {"checksum": _checksum_of(told)}), "utf-8")
    assert "two of its files have one name on some systems" in run("restore", cup)[1]

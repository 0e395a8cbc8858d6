"""Damage in copies: it is found when a copy is made, mended from what is good, told, and never stops the printing."""

import json
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from sampled import slow_after

from desk.backup.copied import another, receive, run, status_of, with_second
from desk.cup import clock, printed, seated
from pipeline.desk.backups import back_up, warn_of_newer_copies
from pipeline.desk.event.event import open_event
from pipeline.desk.players import add_player
from pipeline.desk.sheets.printed import next_serial, printed_sheets
from pipeline.desk.sheets.printing import print_round
from pipeline.ledger import copies, files, newer
from pipeline.ledger.copies import Copy, copies_in, faults_of, place_beside

UNREAD = "a copy here cannot be read"


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """An event with printed sheets."""
    return printed(tmp_path / "cup")


def turn_bit(path: Path) -> None:
    """Damage a file: as large as before, and another file than any that is linked to it."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.unlink()
    path.write_bytes(data)


def turn_bit_in_place(path: Path) -> None:
    """Damage a file under all its names, as a bad spot on a disk does."""
    with path.open("r+b") as file:
        data = bytearray(file.read())
        data[len(data) // 2] ^= 1
        file.seek(0)
        file.write(data)


def add(folder: Path, name: str) -> None:
    """Write one more decision."""
    with open_event(folder, clock) as event:
        add_player(event, name, {}, by="Tess", why="late")


def newest(folder: Path) -> Copy:
    """The newest copy beside an event."""
    return max(copies_in(place_beside(folder)), key=lambda copy: copy.number)


def serials(folder: Path) -> set[int]:
    """The serials of all sheets of an event."""
    with open_event(folder, clock) as event:
        return {sheet.request.serial for sheet in printed_sheets(event).values()}


# Scans


def test_by_command_all_scans_are_verified_in_both_places_though_nothing_is_new(cup: Path, tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    with_second(cup, tmp_path / "stick")
    with open_event(cup, clock) as event:
        names = [receive(event, f"scan {number}".encode()) for number in range(3)]
    assert run("backup", cup)[0] == 0
    places = (place_beside(cup), tmp_path / "stick/cup-backups")
    for place in places:
        turn_bit(place / "scans" / names[1])
    assert run("check", cup)[1].count("is not what came in") == 2
    code, said = run("backup", cup)
    assert (code, said.count("was damaged beside the copies")) == (0, 2)
    assert status_of(cup)["second"]["lacks"] == "", "it was mended"
    assert run("check", cup)[0] == 0


def picture(shade: int, side: int) -> bytes:
    found, data = cv2.imencode(".png", np.full((side, side), shade, np.uint8), [cv2.IMWRITE_PNG_COMPRESSION, 0])
    assert found
    return data.tobytes()


@pytest.mark.parametrize(
    ("there", "is_told"),
    [
        (None, False),  # it is new
        (picture(9, 12), False),  # it was made again, since a page was read again
        (picture(9, 20), True),  # of the same size, and another
        (picture(7, 20)[:-20], True),  # cut off
        (picture(7, 12)[:-1] + b"x", True),  # damaged, and of another size
        (b"", True),
    ],
)
def test_what_becomes_of_a_picture_beside_the_copies_is_told_unless_it_was_made_again(
    tmp_path: Path, there: bytes | None, is_told: bool
) -> None:
    source, target = tmp_path / "a.png", tmp_path / "b.png"
    source.write_bytes(picture(7, 20))
    if there is not None:
        target.write_bytes(there)
    assert (copies._keep_picture(source, target) is not None) == is_told
    assert target.read_bytes() == source.read_bytes()


@pytest.mark.parametrize("cut", [0, 4], ids=["the same size", "shorter"])
def test_a_damaged_picture_of_the_event_is_never_copied_over_a_good_one(cup: Path, cut: int) -> None:
    mine, beside = cup / "out/crops/ffffffffffffffff-p1-r1.png", place_beside(cup) / "out/crops"
    mine.parent.mkdir(parents=True, exist_ok=True)
    mine.write_bytes(cv2.imencode(".png", np.arange(64, dtype=np.uint8).reshape(8, 8))[1].tobytes())
    run("backup", cup)
    good = mine.read_bytes()
    turn_bit(mine)
    mine.write_bytes(mine.read_bytes()[: len(good) - cut])
    assert f"this picture of a row is damaged; copy it back from {beside / mine.name}" in (run("backup", cup)[1])
    assert (beside / mine.name).read_bytes() == good


def test_a_damaged_picture_that_is_one_file_with_that_beside_the_copies_is_told(cup: Path, tmp_path: Path) -> None:
    """On one disk the picture beside the copies is another name of the event's own file: both are damaged together."""
    with open_event(cup, clock) as event:
        scan = receive(event)
    mine = cup / f"out/crops/{scan[:16]}-p1-r1.png"
    mine.parent.mkdir(parents=True, exist_ok=True)
    mine.write_bytes(cv2.imencode(".png", np.arange(64, dtype=np.uint8).reshape(8, 8))[1].tobytes())
    run("backup", cup)
    good, beside = mine.read_bytes(), place_beside(cup) / "out/crops" / mine.name
    assert beside.samefile(mine)
    turn_bit_in_place(mine)
    assert beside.samefile(mine)
    told = f"{mine}: this picture of a row is damaged; there is no good one, but the scan itself is kept: "
    for command in ("check", "backup"):
        code, said = run(command, cup)
        assert said.count("this picture of a row is damaged") == 1
        assert f"{told}{cup / 'scans' / scan}" in said
        assert code != 0

    # a second place, on another disk, may have a good one
    there = tmp_path / "stick/cup-backups/out/crops"
    there.mkdir(parents=True)
    (there / mine.name).write_bytes(good)
    with_second(cup, tmp_path / "stick")
    back = f"{mine}: this picture of a row is damaged; copy it back from {there / mine.name}"
    assert back in run("check", cup)[1]
    run("backup", cup)
    assert (there / mine.name).read_bytes() == good
    mine.write_bytes(good)
    assert run("check", cup) == (0, "everything is in order\n")


def test_the_list_of_copies_says_which_are_damaged(cup: Path) -> None:
    run("backup", cup)
    add(cup, "Late Guest")
    run("backup", cup)
    turn_bit(newest(cup).folder / "event.db")
    listed = run("restore", cup)[1].splitlines()
    assert [line.split("  ")[0] for line in listed if line.endswith("DAMAGED: take another one")] == [
        newest(cup).folder.name
    ]
    assert {each["copy"]: each["is_whole"] for each in json.loads(run("restore", cup, "--json")[1])} == {
        copy.folder.name: copy != newest(cup) for copy in copies_in(place_beside(cup))
    }


@pytest.mark.parametrize("size", ["the same size", "shorter"])
def test_a_damaged_scan_of_the_event_is_never_copied_over_a_good_one(cup: Path, size: str) -> None:
    with open_event(cup, clock) as event:
        name = receive(event)
        back_up(event)
    mine, beside = cup / "scans" / name, place_beside(cup) / "scans" / name
    good = beside.read_bytes()
    turn_bit(mine)
    if size == "shorter":
        mine.write_bytes(good[:-4])
    code, said = run("backup", cup)
    assert beside.read_bytes() == good
    assert code == (0 if size == "the same size" else 4), said
    assert run("restore", cup, "--copy", "newest", "--replace", "--by", "Tess")[0] == 0
    assert mine.read_bytes() == good, "the copy's good one came back"


def test_a_copy_is_restored_without_its_damaged_scans_where_that_is_said(cup: Path, tmp_path: Path) -> None:
    with open_event(cup, clock) as event:
        lost, good, bad = (receive(event, f"scan {number}".encode()) for number in range(3))
        back_up(event)
    place = place_beside(cup)
    (place / "scans" / lost).unlink()
    turn_bit(place / "scans" / bad)
    words = ("restore", tmp_path / "new", "--from", place, "--copy", "newest", "--by", "Tess")
    code, said = run(*words)
    assert (code, said.count("--without-damaged")) == (2, 2)
    assert not (tmp_path / "new").exists()
    code, said = run(*words, "--without-damaged")
    assert (code, "not what came in: 2 scans" in said) == (0, True)
    assert [name in said for name in (lost, good, bad)] == [True, False, True]
    assert [path.name for path in (tmp_path / "new/scans").iterdir()] == [good]
    code, said = run("check", tmp_path / "new")
    assert code == 1
    assert said.count("the scan is gone") == 2
    assert run("status", tmp_path / "new")[0] == 0


# Copies that are not what was copied


@pytest.mark.parametrize("name", ["event.db", "event.toml"])
@pytest.mark.parametrize("data", [b"", b"rubbish"])
def test_a_damaged_newest_copy_does_not_hold_everything_and_is_made_anew(cup: Path, name: str, data: bytes) -> None:
    run("backup", cup)
    damaged = newest(cup)
    (damaged.folder / name).write_bytes(data)
    found = status_of(cup)
    assert (found["damaged"], found["copy"]) == ([damaged.folder.name], None)
    assert f"damaged: {damaged.folder.name}" in run("status", cup)[1]
    code, said = run("check", cup)
    assert (code, "this copy is damaged" in said) == (1, True)
    code, said = run("backup", cup)
    assert (code, "not what was copied" in said) == (0, True)
    assert newest(cup).number == damaged.number + 1
    assert faults_of(newest(cup)) == ()
    assert status_of(cup)["damaged"] == []
    assert "not what was copied" not in run("backup", cup)[1]


def test_a_file_of_a_copy_is_as_large_as_a_text_may_be_and_its_facts_are_larger(
    cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("backup", cup)
    sizes = [(newest(cup).folder / name).stat().st_size for name in newest(cup).files if name != "event.db"]
    for most, are_whole in ((max(sizes), True), (max(sizes) - 1, False)):
        monkeypatch.setattr(copies, "LARGEST", most)
        assert bool(copies_in(place_beside(cup))) is are_whole


def test_a_newest_copy_without_its_facts_is_told_by_status(cup: Path) -> None:
    run("backup", cup)
    (newest(cup).folder / "event.db").unlink()
    assert len(status_of(cup)["damaged"]) == 1


def test_a_damaged_newest_copy_in_the_second_place_is_told_and_made_anew(cup: Path, tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    with_second(cup, tmp_path / "stick")
    run("backup", cup)
    place = tmp_path / "stick/cup-backups"
    (copy,) = copies_in(place)
    (copy.folder / "event.db").write_bytes(b"")
    assert status_of(cup)["second"]["damaged"] == [copy.folder.name]
    assert run("backup", cup)[0] == 0
    assert (status_of(cup)["second"]["damaged"], status_of(cup)["second"]["verified"]) == ([], True)
    assert faults_of(copies_in(place)[-1]) == ()


def test_a_second_place_that_is_slow_to_read_is_told_as_not_verified(
    cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stick").mkdir()
    with_second(cup, tmp_path / "stick")
    run("backup", cup)
    is_awake, whole = threading.Event(), copies.is_whole
    slow = tmp_path / "stick"
    monkeypatch.setattr(copies, "is_whole", lambda copy: not copy.folder.is_relative_to(slow) or is_awake.wait())
    monkeypatch.setattr(newer, "MOMENT_S", 0.2)
    assert status_of(cup)["second"]["verified"] is False
    assert "slow to read, and not verified now: 'ordersheets check' reads it" in run("status", cup)[1]
    is_awake.set()
    monkeypatch.setattr(copies, "is_whole", whole)


# Older folders


def test_an_older_folder_from_after_a_restoration_is_told_though_no_copy_lies_between(cup: Path) -> None:
    run("backup", cup)
    first = newest(cup).folder.name
    add(cup, "Hal")
    run("backup", cup)
    shutil.copytree(place_beside(cup), cup.with_name("stick"))  # it is out while the event is restored
    run("restore", cup, "--copy", first, "--replace", "--by", "Tess")
    shutil.copytree(cup, cup.with_name("saved"))
    run("sheets", cup, "--round", 1, "-o", cup.with_name("s.pdf"))
    lost = serials(cup)
    shutil.copytree(newest(cup).folder, cup.with_name("stick") / newest(cup).folder.name)
    for folder in (cup, place_beside(cup)):
        shutil.rmtree(folder)
    shutil.copytree(cup.with_name("saved"), cup)
    shutil.copytree(cup.with_name("stick"), place_beside(cup))
    known = serials(cup)
    code, said = run("status", cup)
    assert (code, "has entries that this event" in said) == (0, True)
    run("sheets", cup, "--round", 1, "-o", cup.with_name("s.pdf"))
    assert not (serials(cup) - known) & lost


def write_over(path: Path, *statements: str) -> None:
    """Change facts behind the program's back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as facts:
        for statement in ("DROP TRIGGER facts_never_change", *statements):
            facts.execute(statement)


PRINTED = "WHERE kind = 'sheets printed'"
DAMAGE: dict[str, Callable[[Path], object]] = {
    "no object": lambda copy: write_over(copy / "event.db", f"UPDATE facts SET body = '[1]' {PRINTED}"),
    "no serial": lambda copy: write_over(
        copy / "event.db", f"UPDATE facts SET body = '{{\"sheets\":[{{}}]}}' {PRINTED}"
    ),
    "a serial of letters": lambda copy: write_over(
        copy / "event.db", f'UPDATE facts SET body = replace(body, \'"serial": \', \'"serial": "x", "q": \') {PRINTED}'
    ),
    "no JSON": lambda copy: (copy / "event.db").write_bytes(
        (copy / "event.db").read_bytes().replace(b'"serial"', b'"serial,')
    ),
    "rubbish": lambda copy: (copy / "event.db").write_bytes(b"x" * 5000),
    "empty": lambda copy: (copy / "event.db").write_bytes(b""),
    "no facts": lambda copy: (copy / "event.db").unlink(),
    "no description": lambda copy: (copy / "copy.json").unlink(),
    "a changed description": lambda copy: (copy / "copy.json").write_text(
        (copy / "copy.json").read_text("utf-8").replace("Test Cup", "Tesu Cup"), "utf-8"
    ),
}


@pytest.mark.parametrize("how", slow_after(2, DAMAGE))
def test_an_older_folder_beside_a_damaged_newer_copy_is_told_and_prints_with_serials_of_its_own(
    tmp_path: Path, how: str
) -> None:
    cup = seated(tmp_path / "cup")
    with open_event(cup, clock) as event:
        print_round(event, 1)
        back_up(event)
    shutil.copytree(cup, tmp_path / "older")
    with open_event(cup, clock) as event:
        print_round(event, 1)
        back_up(event)
    lost = serials(cup)
    shutil.rmtree(cup)
    (tmp_path / "older").rename(cup)
    damaged = newest(cup)
    DAMAGE[how](damaged.folder)
    known = serials(cup)
    for words in (("status", cup), ("check", cup)):
        assert f"{UNREAD}: {damaged.folder.name}" in run(*words)[1], words
    code, said = run("sheets", cup, "--round", 1, "-o", tmp_path / "s.pdf")
    assert (code, UNREAD in said) == (0, True)
    now = serials(cup) - known
    assert now
    assert not now & lost
    assert min(now) > max(lost) + 900, "another thousand may have been printed there"
    assert UNREAD in run("status", cup)[1], "a copy of the older state does not hide it"
    with open_event(cup, clock) as event:
        assert next_serial(event) == max(now) + 1, "they jump once"
    shutil.rmtree(damaged.folder)
    assert UNREAD not in run("status", cup)[1]


def test_a_damaged_newer_copy_in_a_place_that_is_too_slow_to_be_read_stops_no_printing(
    cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_second(cup, tmp_path / "stick")
    shutil.copytree(cup, tmp_path / "older/cup")
    with open_event(cup, clock) as event:
        print_round(event, 1)
        back_up(event)
    lost = serials(cup)
    shutil.copytree(place_beside(cup), tmp_path / "stick/cup-backups")
    (copy,) = copies_in(tmp_path / "stick/cup-backups")
    DAMAGE["no serial"](copy.folder)
    is_awake = threading.Event()
    monkeypatch.setattr(newer, "is_whole", lambda _: is_awake.wait())
    monkeypatch.setattr(newer, "MOMENT_S", 0.2)
    with open_event(tmp_path / "older/cup", clock) as event:
        assert [problem.text.startswith("its copy") for problem in warn_of_newer_copies(event)] == [True]
        assert next_serial(event) > max(lost) + 900
    is_awake.set()


def test_a_damaged_copy_of_another_event_is_not_this_ones_matter(cup: Path, tmp_path: Path) -> None:
    other = another(tmp_path / "other")
    run("backup", other)
    (newest(other).folder / "copy.json").unlink()
    with open_event(cup, clock) as event:
        assert warn_of_newer_copies(event) == ()


def test_a_damaged_copy_from_before_a_restoration_is_told_only_once_no_copy_since_is_left(cup: Path) -> None:
    run("backup", cup)
    first = newest(cup).folder.name
    add(cup, "Hal")
    run("backup", cup)
    damaged = newest(cup).folder
    (damaged / "copy.json").write_text("{")
    found = json.loads(run("restore", cup, "--copy", first, "--replace", "--by", "Tess", "--json")[1])
    with open_event(cup, clock) as event:
        assert warn_of_newer_copies(event) == ()
        assert next_serial(event) == found["first_serial"] > 1000
        shutil.rmtree(newest(cup).folder)
        assert damaged.name in str(warn_of_newer_copies(event))


def test_a_scan_that_is_one_file_with_the_events_own_is_read_once(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_event(cup, clock) as event:
        name = receive(event)
        back_up(event)
    beside = place_beside(cup) / "scans" / name
    beside.unlink()
    beside.hardlink_to(cup / "scans" / name)  # as older programs kept it
    read: list[Path] = []
    hash_file = files.hash_file

    def hashes(path: Path) -> str:
        read.append(path)
        return hash_file(path)

    monkeypatch.setattr(files, "hash_file", hashes)
    assert run("check", cup)[0] == 0
    assert [path for path in read if path.parent.name == "scans"] == []


def test_the_doctor_of_an_event_tells_of_an_older_state_and_of_damage(cup: Path) -> None:
    older = cup.with_name("older")
    shutil.copytree(cup, older)
    add(cup, "Ola")
    assert run("backup", cup)[0] == 0
    assert "has entries that this event" in run("doctor", older)[1]
    assert str(cup) not in run("doctor", cup)[1]
    with closing(sqlite3.connect(cup / "event.db")) as facts, facts:
        facts.execute("DROP TRIGGER facts_never_go")
        facts.execute("DELETE FROM facts WHERE id = 2")
    assert "number 2 of the journal" in run("doctor", cup)[1]


def test_of_a_copy_that_cannot_be_read_it_is_told_how_far_the_one_before_it_went(cup: Path) -> None:
    """Copies 2, 3 and 5 are held, with 20, 30 and 50 facts; it was restored from one with 10."""
    run("backup", cup)
    one = newest(cup)
    tip = one.tip
    held = tuple(replace(one, number=number, tip=replace(tip, facts=10 * number)) for number in (2, 3, 5))
    compared = newer._CopiesOfPlace(held=held, others=(), spoilt=(), restored=replace(tip, facts=10))
    known = {number: newer._unread(compared, cup, number, "torn").after for number in (1, 2, 3, 4, 5, 6)}
    assert known == {1: 10, 2: 10, 3: 20, 4: 30, 5: 30, 6: 50}
    assert newer._unread(replace(compared, restored=None), cup, 1, "torn").after == 0

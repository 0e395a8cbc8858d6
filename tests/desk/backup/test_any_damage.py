"""Any damage in an event and in two places of copies at once: what is told, and what a new copy or a restoration mends.

The model knows of each file in the event, beside it and on the stick only whether it is good, damaged or gone.
"""

import shutil
from enum import StrEnum
from itertools import product
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from desk.backup.copied import receive, with_second
from desk.backup.test_damaged_copies import turn_bit
from desk.cup import clock, seated
from pipeline.desk.backups import MAKES_NEW, MENDS, check_copies
from pipeline.desk.event.event import Event, open_event
from pipeline.ledger.copies import DAMAGED_PICTURE, PICTURES, REPLACED, SCANS, copies_in, make_copy, place_beside
from pipeline.ledger.events import EventRestored, StandingsOpened
from pipeline.ledger.restoring import Restoration, restore
from pipeline.problems import Problem


class Is(StrEnum):
    GOOD = "good"
    DAMAGED = "damaged"
    GONE = "gone"


def prepared(cup: Path, stick: Path) -> tuple[list[Path], dict[str, bytes]]:
    """An event of three scans, each with two pictures; its copies know of one, two and three. Its three folders."""
    stick.mkdir()
    with_second(seated(cup), stick)
    folders, files = [cup, place_beside(cup), stick / place_beside(cup).name], dict[str, bytes]()
    (cup / PICTURES).mkdir(parents=True)
    with open_event(cup, clock) as event:
        for number in range(3):
            scan = receive(event, f"%PDF scan {number} %%EOF".encode())
            files[f"{SCANS}/{scan}"] = (cup / SCANS / scan).read_bytes()
            for row in (1, 2):
                shade = np.full((9, 9), 10 * number + row, np.uint8)
                files[f"{PICTURES}/{scan[:16]}-p1-r{row}.png"] = cv2.imencode(".png", shade)[1].tobytes()
            for name, data in files.items():
                (cup / name).write_bytes(data)
            copy_to_both(event, folders)
    return folders, files


def copy_to_both(event: Event, folders: list[Path], *, verifies_all: bool = True) -> list[tuple[Problem, ...]]:
    places, facts = folders[1:], event.facts.snapshot()
    return [make_copy(facts, place, event.label(), clock(), verifies_all=verifies_all).notes for place in places]


def spoil(folders: list[Path], files: dict[str, bytes], dice: Random) -> None:
    for folder, name in product(folders, files):
        match dice.choices([*Is], (4, 2, 1))[0]:
            case Is.DAMAGED:
                turn_bit(folder / name)
            case Is.GONE:
                (folder / name).unlink()


def look(folders: list[Path], files: dict[str, bytes]) -> dict[str, list[Is]]:
    """How each file is in the event and in the two places."""

    def one(path: Path, was: bytes) -> Is:
        if not path.is_file():
            return Is.GONE
        return Is.GOOD if path.read_bytes() == was else Is.DAMAGED

    return {name: [one(folder / name, was) for folder in folders] for name, was in files.items()}


def told(folders: list[Path], found: dict[str, list[Is]], known: list[int]) -> set[tuple[str, str]]:
    """Where a problem is told of, and how it is mended; of copies only what so many scans of theirs concerns."""
    expected = set()
    for place, (name, (own, *beside)) in enumerate(found.items()):
        good = [folder / name for folder, each in zip(folders[1:], beside, strict=True) if each is Is.GOOD]
        scan_of = next(states for scan, states in found.items() if Path(name).name[:16] in scan)
        for folder, each, its_scan, most in zip(folders, (own, *beside), scan_of, (3, *known), strict=True):
            if place >= 3 * most:
                continue
            if name.startswith(SCANS) and folder is not folders[0]:
                if each is not Is.GOOD and own is Is.GOOD:
                    expected.add((str(folder / name), MENDS))
            elif name.startswith(PICTURES) and each is Is.DAMAGED:
                kept = "look at the paper" if its_scan is Is.GONE else "but the scan itself is kept"
                mend = MENDS if own is Is.GOOD else f"copy it back from {good[0]}" if good else kept
                expected.add((str(folder / name), mend))
    return expected


def told_by_copy(
    cup: Path, place: Path, own: dict[str, Is], beside: dict[str, Is], *, verifies: bool
) -> dict[str, str]:
    """What a new copy tells, by path: what was mended in the place, and what of the event is damaged."""
    expected = {}
    for name, each in own.items():
        there, is_scan = beside[name], name.startswith(SCANS)
        if each is Is.GOOD and there is Is.DAMAGED and verifies:
            text = "this scan was damaged beside the copies" if is_scan else "was not the event's own"
            expected[str(place / name)] = text
        if each is Is.DAMAGED and (there is Is.GONE or (verifies and not (is_scan and there is Is.GOOD))):
            mend = f"copy it back from {place / name}" if there is Is.GOOD else ""
            expected[str(cup / name)] = mend or ("from another place, or scan again" if is_scan else DAMAGED_PICTURE)
    return expected


@pytest.mark.parametrize("seed", range(8))
def test_all_damage_is_told_once_and_what_is_good_somewhere_is_copied_and_restored(tmp_path: Path, seed: int) -> None:
    folders, files = prepared(tmp_path / "cup", tmp_path / "stick")
    dice = Random(seed)
    with open_event(folders[0], clock) as event:
        assert check_copies(event) == ()
        spoil(folders, files, dice)
        before = look(folders, files)
        damaged = {place: copies_in(place)[3 - dice.randrange(3) :] for place in folders[1:]}
        expected = told(folders, before, [3 - len(copies) for copies in damaged.values()])
        for copy in (copy for copies in damaged.values() for copy in copies):
            (copy.folder / "event.toml").write_bytes(b"")
            expected.add((str(copy.folder), MAKES_NEW))
        problems = [(each.where, each.text) for each in check_copies(event)]
        assert sorted(where for where, _ in problems) == sorted(where for where, _ in expected)
        assert all(any(where == at and mend in text for at, mend in expected) for where, text in problems)
        verifies = dice.random() < 0.6
        event.facts.write(StandingsOpened(open=True), "Tess")
        notes = copy_to_both(event, folders, verifies_all=verifies)
        after = look(folders, files)
        newest = copies_in(folders[1])[-1]
    own = {name: states[0] for name, states in before.items()}
    for number, place in enumerate(folders[1:], start=1):
        beside = {name: states[number] for name, states in before.items()}
        wanted = told_by_copy(folders[0], place, own, beside, verifies=verifies)
        wanted |= {str(copy.folder): REPLACED for copy in damaged[place][-1:]}
        assert {each.where for each in notes[number - 1]} == {*wanted}
        assert all(wanted[each.where] in each.text for each in notes[number - 1])
        brought = (Is.GONE, Is.DAMAGED) if verifies else (Is.GONE,)
        for name, each in beside.items():
            assert after[name][number] is (Is.GOOD if own[name] is Is.GOOD and each in brought else each), name
    said = EventRestored(copy=newest.folder.name, facts=newest.tip.facts, at=newest.at, first_serial=100)
    wish = Restoration(newest, folders[0], said, "Tess", clock, without_damaged=True)
    done = restore(wish, replaces=True)
    assert done.is_new
    assert done.kept is not None
    scans = {name: Is.GOOD in states[:2] for name, states in after.items() if name.startswith(SCANS)}
    assert {f"{SCANS}/{scan.name}" for scan in done.missing} == {
        name for name, is_there in scans.items() if not is_there
    }
    assert restore(wish, replaces=True) == replace(done, is_new=False, kept=None, unknown=())
    for name, (mine, *others) in look(folders, files).items():
        assert (mine is Is.GOOD) == (Is.GOOD in after[name][:2]), name
        assert others == after[name][1:], name


@pytest.mark.parametrize("missing", [SCANS, PICTURES])
def test_a_folder_that_an_event_lacks_keeps_nothing_else_from_being_copied(tmp_path: Path, missing: str) -> None:
    folders, files = prepared(tmp_path / "cup", tmp_path / "stick")
    shutil.rmtree(folders[0] / missing)
    for place, name in product(folders[1:], files):
        if not name.startswith(missing):
            (place / name).unlink()
    with open_event(folders[0], clock) as event:
        event.facts.write(StandingsOpened(open=True), "Tess")
        assert copy_to_both(event, folders) == [(), ()]
        assert check_copies(event) == ()
    for name, (own, *beside) in look(folders, files).items():
        assert (own is Is.GONE) == name.startswith(missing)
        assert beside == [Is.GOOD] * 2

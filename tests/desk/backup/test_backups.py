"""Copies without asking: whole or not there, beside the event and on a second place."""

import json
import os
import shutil
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from facts_as_kept import append_fact

from desk.backup.copied import a_copy, another, kinds_in, receive, run, status_of, with_second
from desk.cup import clock, spring
from pipeline.board import Power
from pipeline.desk.backups import (
    _newest_of,
    back_up,
    back_up_if_due,
    backup_status,
    choose_copy,
    is_due,
    list_restorable_copies,
)
from pipeline.desk.event.event import open_event
from pipeline.desk.hands.calibrating import write_to
from pipeline.desk.publish.explain import check_event
from pipeline.desk.ruling.rulings import RowDecision, rule_row
from pipeline.desk.sheets.printing import print_round
from pipeline.ledger import copies, newer
from pipeline.ledger.copies import Copy, _surplus_copies, copies_in, faults_of, place_beside
from pipeline.ledger.files import local_time
from pipeline.ledger.verification import LastWritten, Snapshot
from pipeline.problems import ExitCode
from pipeline.reading.gate import load_gates


def test_what_is_published_is_in_a_copy_when_the_command_has_done(cup: Path) -> None:
    assert run("adjudicate", cup, "--board", 1, "--by", "Tess")[0] == 0
    copies = copies_in(place_beside(cup))
    assert "published" in kinds_in(copies[-1])
    assert faults_of(copies[-1]) == ()
    found = status_of(cup)
    assert (found["copy"], found["facts_since"], found["second"]) == (copies[-1].folder.name, 0, None)
    assert "backup" in run("status", cup)[1]


def test_what_is_printed_is_in_a_copy_when_the_command_has_done(cup: Path) -> None:
    assert run("sheets", cup, "--round", 1, "-o", cup.parent / "s.pdf")[0] == 0
    (copy,) = copies_in(place_beside(cup))
    assert kinds_in(copy).count("sheets printed") == 2


def test_rulings_are_copied_when_the_minutes_have_gone_by_and_not_before(cup: Path) -> None:
    minutes = [0]
    with open_event(cup, lambda: f"2026-01-02T09:{minutes[0]:02}:00+00:00") as event:
        assert back_up_if_due(event) == ()
        rule_row(event, spring(Power.FRANCE), 1, RowDecision(order="A PAR - GAS"), "Tess")
        for gone, due in ((0, False), (4, False), (5, True)):
            minutes[0] = gone
            assert is_due(event) is due
        back_up(event)
        assert backup_status(event)["facts_since"] == 0
        minutes[0] = 59
        assert not is_due(event), "nothing is new"


def test_a_command_that_only_reads_makes_no_copy(cup: Path) -> None:
    for command in (("status", cup), ("orders", cup, "--board", 1), ("check", cup), ("players", cup)):
        run(*command)
    assert not place_beside(cup).exists()


def test_the_newest_copy_is_that_of_an_event_renamed_since(cup: Path) -> None:
    run("sheets", cup, "--round", 1, "-o", cup.parent / "s.pdf")
    settings = cup / "event.toml"
    lines = settings.read_text("utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("name ="))
    settings.write_text("\n".join([*lines[:at], 'name = "Zeta"', *lines[at + 1 :], ""]), "utf-8")
    run("sheets", cup, "--round", 1, "-o", cup.parent / "t.pdf")
    newest = max(copies_in(place_beside(cup)), key=lambda copy: copy.tip.facts)

    assert newest.name == "Zeta"
    assert choose_copy(cup, None, "newest").folder == newest.folder


def test_only_what_is_new_is_brought_to_a_place(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", no_link)
    with open_event(cup, clock) as event:
        first = receive(event)
        back_up(event)
        stamp = (place_beside(cup) / "scans" / first).stat().st_mtime_ns
        second = receive(event, b"%PDF another %%EOF")
        print_round(event, 1)
        back_up(event)
    scans = place_beside(cup) / "scans"
    assert {path.name for path in scans.iterdir()} == {first, second}
    assert (scans / first).stat().st_mtime_ns == stamp
    assert (scans / second).read_bytes() == b"%PDF another %%EOF"


def no_link(source: Any, target: Any) -> None:
    """A disk that knows no second names."""
    raise OSError(38, "not supported")


def test_a_copy_on_a_second_place_is_made_where_event_toml_names_one(cup: Path, tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    with_second(cup, tmp_path / "stick")
    assert run("adjudicate", cup, "--board", 1, "--by", "Tess")[0] == 0
    code, said = run("backup", cup)  # waits for the stick
    assert code == 0
    (copy,) = copies_in(tmp_path / "stick" / "cup-backups")
    assert faults_of(copy) == ()
    found = status_of(cup)
    assert f"the newest copy, made at {local_time(found['at'])}: {found['place']}/{found['copy']}\n" in said
    second = found["second"]
    assert f"in the second place, made at {local_time(second['at'])}: {second['place']}\n" in said
    assert (second["facts_since"], second["trouble"], second["same_disk"]) == (0, "", True)


def test_copies_are_found_from_the_stick_from_the_folder_named_for_them_and_from_their_own(
    cup: Path, tmp_path: Path
) -> None:
    named = tmp_path / "stick" / "cup"
    named.mkdir(parents=True)
    assert run("backup", with_second(cup, named))[0] == 0
    place = named / place_beside(cup).name
    for looked_in in (tmp_path / "stick", named, place):
        assert {copy.place for copy in list_restorable_copies(cup, looked_in)} == {place}


@pytest.mark.parametrize("how", ["pulled", "a file", "full"])
def test_a_second_place_that_cannot_be_reached_is_told_and_stops_nothing(cup: Path, tmp_path: Path, how: str) -> None:
    with unreachable(tmp_path, how) as place:
        code, said = run("adjudicate", with_second(cup, place), "--board", 1, "--by", "Tess")
        assert code == 0
        assert "S1901M-card.pdf" in said
        assert run("backup", cup)[0] == ExitCode.MACHINE_LACKS
        found = status_of(cup)
    assert found["facts_since"] == 0, "the first place has its copy"
    assert found["second"]["trouble"]
    assert str(place) in run("status", cup)[1]
    with open_event(cup, clock) as event:
        assert list(check_event(event)) == []


def test_where_no_copy_can_be_made_and_none_is_there_no_name_of_one_is_printed(cup: Path) -> None:
    shutil.rmtree(place_beside(cup), ignore_errors=True)
    place_beside(cup).write_text("in the way")
    code, said = run("backup", cup)
    assert code == ExitCode.MACHINE_LACKS
    assert "no backup" in said
    assert "None" not in said


@contextmanager
def unreachable(folder: Path, how: str) -> Iterator[Path]:
    """A place that is gone, is none, or is full."""
    place = folder / "stick"
    if how == "a file":
        place.write_text("")
    if how != "full":
        yield place
        return
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", str(place)], check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield place
        assert copies_in(place / "cup-backups") == []
    finally:
        subprocess.run(["umount", str(place)], check=True)


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs a mount")
def test_a_place_in_which_nothing_may_be_written_is_told_and_stops_nothing(cup: Path, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(stick)]
    if subprocess.run(mount, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        assert run("backup", with_second(cup, stick))[0] == ExitCode.MACHINE_LACKS
        assert status_of(cup)["second"]["trouble"]
        assert status_of(cup)["facts_since"] == 0
    finally:
        subprocess.run(["umount", str(stick)], check=True)


def test_where_nothing_can_be_written_beside_the_event_it_goes_on_and_says_so(cup: Path) -> None:
    place_beside(cup).write_text("a file where the copies should lie")
    code, said = run("adjudicate", cup, "--board", 1, "--by", "Tess")
    assert code == 0
    assert str(place_beside(cup)) in said
    assert status_of(cup)["copy"] is None


def test_damaged_facts_are_never_copied_over_good_ones(cup: Path) -> None:
    with open_event(cup, clock) as event:
        back_up(event)
        before = copies_in(place_beside(cup))
        append_fact(event.facts, "clock stopped", {"elapsed": 0}, "Tess")
    with closing(sqlite3.connect(cup / "event.db", isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER facts_never_change")
        connection.execute("UPDATE facts SET body = '{}' WHERE id = 2")
    with open_event(cup, clock) as event:
        assert [problem.where for problem in back_up_if_due(event)] == [str(cup / "event.db")]
    assert copies_in(place_beside(cup)) == before


def test_facts_that_cannot_be_read_at_all_are_told_in_words(cup: Path) -> None:
    with open_event(cup, clock) as event:
        back_up(event)
        event.facts.connection.execute("ALTER TABLE facts RENAME TO others")
        assert [problem.text.startswith("no backup") for problem in back_up_if_due(event)] == [True]


def test_old_copies_are_thinned_to_ten_then_every_tenth_then_every_hundredth(cup: Path) -> None:
    with open_event(cup, clock) as event:
        back_up(event)
    (copy,) = copies_in(place_beside(cup))
    kept: list[int] = []
    for number in range(1, 351):
        copies = [a_copy(copy, each) for each in (*kept, number)]
        gone = {each.number for each in _surplus_copies(copies)}
        kept = [each.number for each in copies if each.number not in gone]
    assert kept == [100, 200, *range(260, 350, 10), *range(341, 351)][:11] + list(range(341, 351))


def test_all_that_a_killed_copy_did_not_thin_is_thinned_by_the_next(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_event(cup, clock) as event:
        with monkeypatch.context() as killed:
            killed.setattr(copies, "_surplus_copies", lambda _: ())
            for number in range(14):
                receive(event, f"scan {number}".encode())
                back_up(event)
        receive(event)
        back_up(event)
    assert [copy.number for copy in copies_in(place_beside(cup))] == [*range(6, 16)]


def test_copies_of_another_event_of_the_same_name_are_left_alone(cup: Path) -> None:
    with open_event(cup, clock) as event:
        for number in range(3):
            receive(event, f"scan {number}".encode())
            back_up(event)
    before = copies_in(place_beside(cup))
    shutil.rmtree(cup)
    another(cup)
    with open_event(cup, clock) as event:
        for number in range(14):
            receive(event, f"scan {number}".encode())
            back_up(event)
        assert _newest_of(event, place_beside(cup)) is not None
    now = copies_in(place_beside(cup))
    assert [copy for copy in now if copy in before] == before
    assert len(now) == len(before) + 10
    assert run("restore", cup, "--copy", "newest", "--replace")[0] == 2, "which event is meant must be said"


def test_of_an_event_that_went_on_on_two_machines_both_newest_copies_are_named(cup: Path, tmp_path: Path) -> None:
    """Two laptops share a place: what one has copied is not in what the other goes on with."""
    other = tmp_path / "b" / cup.name

    def go_on(folder: Path, minute: int) -> None:
        with open_event(folder, lambda: f"2026-01-02T09:{minute:02}:00+00:00") as event:
            receive(event, f"scan {minute}".encode())
            back_up(event)

    go_on(cup, 1)
    shutil.copytree(cup, other)
    shutil.copytree(place_beside(cup), place_beside(other))
    go_on(cup, 2)
    go_on(other, 3)
    go_on(other, 4)
    for copy in copies_in(place_beside(cup)):
        shutil.copytree(copy.folder, place_beside(other) / f"{copy.folder.name}-a", dirs_exist_ok=True)
    code, said = run("restore", tmp_path / "new", "--from", place_beside(other), "--copy", "newest", "--by", "Tess")
    assert (code, said.count("entries)")) == (2, 2), said


def test_a_half_written_copy_is_never_offered(cup: Path) -> None:
    with open_event(cup, clock) as event:
        back_up(event)
    (copy,) = copies_in(place_beside(cup))
    half = place_beside(cup) / ".ordersheets-0123.part"
    shutil.copytree(copy.folder, half)
    assert [each.folder for each in copies_in(place_beside(cup))] == [copy.folder]
    (copy.folder / "event.toml").unlink()
    assert copies_in(place_beside(cup)) == []
    assert run("restore", cup)[0] == ExitCode.WITH_FAULTS


def test_a_second_place_that_does_not_answer_holds_nobody_up(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_second(cup, cup.parent / "share")
    asked = threading.Event()

    def look(folder: Path) -> list[list[Copy]]:
        if folder != cup.parent:
            asked.wait()
        return []

    monkeypatch.setattr(newer, "_copies_by_place", look)
    monkeypatch.setattr(newer, "MOMENT_S", 0.01)
    assert "has entries that this event" not in run("status", cup)[1]
    asked.set()


def test_thresholds_that_were_written_while_the_event_is_open_are_in_its_next_copy(cup: Path) -> None:
    with open_event(cup, clock) as desk, open_event(cup, clock) as event:
        path = write_to(event, load_gates())
        assert back_up(desk) == ()
    (copy,) = copies_in(place_beside(cup))
    assert path.name in copy.files


SPOILT = (
    '{"files": []}',
    "[]",
    "{",
    "\x00\xff",
    "[" * 100_000,
    '{"files": {"event.db": "x"}, "tip": {"identity": "", "facts": 1e400, "sum": ""}}',
)


@pytest.mark.parametrize("text", SPOILT)
def test_a_copy_that_says_nonsense_of_itself_is_passed_over_and_told(cup: Path, text: str) -> None:
    assert run("backup", cup)[0] == 0
    (copy,) = copies_in(place_beside(cup))
    whole = json.loads((copy.folder / "copy.json").read_text("utf-8"))
    number = {"identity": copy.tip.identity, "sum": copy.tip.sum}
    others = [
        {"at": "yesterday"},
        {"at": "2026-01-02T09:00:00"},
        {"number": 10**30},
        {"tip": number | {"facts": 10**30}},
        {"number": copy.number + 1},
        {"at": copy.at.replace("2026", "2027")},
        {"name": "The Owm Cup"},
    ]
    for each in (text, *(json.dumps(whole | other) for other in others)):
        (copy.folder / "copy.json").write_text(each, "latin-1")
        assert "no copy to go on from" in run("restore", cup, "--copy", "newest")[1]
        assert status_of(cup)["copy"] is None
    assert run("backup", cup)[0] == 0
    assert copies_in(copy.place)[-1].folder != copy.folder


@pytest.mark.parametrize("text", ["[]", "{", '{"place": "x", "at": "y", "facts": 1, "trouble": "", "is_same_disk": 1}'])
def test_how_a_copy_went_is_asked_anew_where_that_is_nonsense(cup: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "stick").mkdir()
    with_second(cup, tmp_path / "stick")
    assert run("backup", cup)[0] == 0
    (place_beside(cup) / "second.json").write_text(text.replace('"x"', json.dumps(str(tmp_path / "stick/cup-backups"))))
    assert status_of(cup)["second"]["at"] is None


def test_a_copy_is_made_while_somebody_writes(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_to = Snapshot.write_to

    def copy_while_written(facts: Snapshot, target: Path) -> LastWritten:
        with open_event(cup, clock) as other:
            append_fact(other.facts, "clock started", {"number": 1}, "Tess")
        return write_to(facts, target)

    monkeypatch.setattr(Snapshot, "write_to", copy_while_written)
    code, said = run("backup", cup)
    assert (code, "missing" in said) == (0, False), said
    assert len(copies_in(place_beside(cup))) == 1

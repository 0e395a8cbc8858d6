"""Copies without asking: whole or not there, beside the event and on a second place, and an event goes on from them."""

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
from click.testing import CliRunner
from msgspec.structs import replace

from desk.cup import clock, hand_in_all, printed, spring, written_twice
from pipeline.board import Power
from pipeline.cli import group
from pipeline.desk.backups import (
    _newest_of,
    back_up,
    back_up_if_due,
    backup_status,
    choose_copy,
    is_due,
    list_restorable_copies,
)
from pipeline.desk.event.event import Details, Event, new_event, open_event
from pipeline.desk.hands.calibrating import write_to
from pipeline.desk.intake import ingest
from pipeline.desk.publish.explain import check_event
from pipeline.desk.publish.publish import publish
from pipeline.desk.ruling.rulings import RowDecision, rule_row
from pipeline.desk.sheets.printed import next_serial, printed_sheets
from pipeline.desk.sheets.printing import print_round
from pipeline.desk.sheets.sheets_in import sheets_in
from pipeline.draw.roster import Player
from pipeline.ledger import newer
from pipeline.ledger.copies import Copy, _checksum_of, _surplus_copies, copies_in, faults_of, place_beside
from pipeline.ledger.events import LedgerEvent
from pipeline.ledger.facts import LastWritten, Snapshot
from pipeline.ledger.files import hash_file, local_time
from pipeline.ledger.ledger import body_of
from pipeline.problems import ExitCode, Stopped
from pipeline.reading.gate import load_gates

SCAN = b"%PDF-1.4 a scan %%EOF"


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """An event with everybody's orders in."""
    with open_event(printed(tmp_path / "cup"), clock) as event:
        hand_in_all(event)
    return tmp_path / "cup"


def run(*words: object) -> tuple[int, str]:
    """Run a command; gives its exit code and all that it says."""
    result = CliRunner().invoke(group, [str(word) for word in words])
    if isinstance(result.exception, Stopped):
        return result.exception.code, result.output + str(result.exception)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result.exit_code, result.output


def status_of(cup: Path) -> dict[str, Any]:
    """What ``status --json`` says of copies; notes may stand before it, on standard error."""
    said = run("status", cup, "--json")[1]
    found: dict[str, Any] = json.loads(said[said.index("{\n") :])["backup"]
    return found


def kinds_in(copy: Copy) -> list[str]:
    """The facts of a copy."""
    with closing(sqlite3.connect(f"file:{copy.folder}/event.db?mode=ro", uri=True)) as facts:
        return [kind for (kind,) in facts.execute("SELECT kind FROM facts ORDER BY id")]


def with_second(cup: Path, place: Path) -> Path:
    """Name a second place; the event is given back."""
    file = cup / "event.toml"
    file.write_text(file.read_text("utf-8").replace("[event]", f'[event]\nbackup = "{place.as_posix()}"'), "utf-8")
    return cup


def receive(event: Event, content: bytes = SCAN) -> str:
    """Keep a scan as if it had come in; gives its name."""
    coming = event.folder.parent / "coming.pdf"
    coming.write_bytes(content)
    return ingest.receive(event, coming).path.name


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


def test_scans_lie_in_a_place_once_by_their_hash_and_come_back_with_the_event(cup: Path, tmp_path: Path) -> None:
    with open_event(cup, clock) as event:
        name = receive(event)
        back_up(event)
        kept = place_beside(cup) / "scans" / name
        assert kept.read_bytes() == SCAN
        assert not kept.samefile(event.scans / name), "what damages one in place leaves the other"
        print_round(event, 1, None, None, 0)
        back_up(event)
    assert [path.name for path in (place_beside(cup) / "scans").iterdir()] == [name]
    shutil.rmtree(cup)
    assert run("restore", cup, "--copy", "newest", "--by", "Tess")[0] == 0
    assert (cup / "scans" / name).read_bytes() == SCAN


def test_a_copy_of_a_copy_is_the_event(cup: Path, tmp_path: Path) -> None:
    """Restored from a copy, copied and restored again: the same facts and scans, and nothing wrong with them."""
    with open_event(cup, clock) as event:
        receive(event)
        publish(event, "1", "Tess")
        back_up(event)
        written = [(fact.number, fact.at, fact.by, body_of(fact.said)) for fact in event.facts.select(LedgerEvent)]
    scans = {path.name: path.read_bytes() for path in (cup / "scans").iterdir()}
    place = place_beside(cup)
    for name in ("first", "second"):
        code, said = run("restore", tmp_path / name, "--from", place, "--copy", "newest", "--by", "Tess")
        assert code == 0, said
        with open_event(tmp_path / name, clock) as event:
            again = [(fact.number, fact.at, fact.by, body_of(fact.said)) for fact in event.facts.select(LedgerEvent)]
            assert again[: len(written)] == written
            written = again
            back_up(event)
        assert {path.name: path.read_bytes() for path in (tmp_path / name / "scans").iterdir()} == scans
        assert run("check", tmp_path / name)[0] == 0
        place = place_beside(tmp_path / name)


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


def test_only_what_is_new_is_brought_to_a_place(cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", no_link)
    with open_event(cup, clock) as event:
        first = receive(event)
        back_up(event)
        stamp = (place_beside(cup) / "scans" / first).stat().st_mtime_ns
        second = receive(event, b"%PDF another %%EOF")
        print_round(event, 1, None, None, 0)
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
        event.facts.append("clock stopped", {"elapsed": 0}, "Tess")
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


def a_copy(copy: Copy, number: int) -> Copy:
    """The same with another number."""
    return replace(copy, number=number)


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


def another(folder: Path) -> Path:
    """Another event; the folder is given back."""
    details = Details(name="Other Cup", code="CCCC", tournament="weaselmoot")
    new_event(folder, details, [Player(name="Hal")], lambda: "2026-02-02T09:00:00+00:00")
    return folder


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


@pytest.mark.parametrize("what", ["event.db", "scan gone", "scan changed"])
def test_a_copy_that_is_not_what_was_copied_is_not_restored(cup: Path, tmp_path: Path, what: str) -> None:
    with open_event(cup, clock) as event:
        name = receive(event)
        back_up(event)
    (copy,) = copies_in(place_beside(cup))
    kept = place_beside(cup) / "scans" / name
    if what == "event.db":
        with (copy.folder / "event.db").open("rb+") as file:
            file.seek(5000)
            file.write(b"?")
    else:
        kept.unlink()
    if what == "scan changed":
        kept.write_bytes(b"another")
    assert run("restore", tmp_path / "other", "--from", place_beside(cup), "--copy", "newest")[0] == 2
    assert not (tmp_path / "other").exists()


def test_a_living_event_is_not_replaced_without_a_word_more_and_what_is_replaced_is_kept(cup: Path) -> None:
    with open_event(cup, clock) as event:
        back_up(event)
        rule_row(event, spring(Power.FRANCE), 1, RowDecision(order="A PAR - GAS"), "Tess")
        late = receive(event)
        before = [fact.kind for fact in event.facts.read()]
    toml = (cup / "event.toml").read_bytes()
    (cup / "event.toml").write_bytes(toml + b"# edited since\n")
    code, said = run("restore", cup, "--copy", "newest")
    assert (code, "--replace" in said) == (2, True)
    with open_event(cup, clock) as event:
        assert [fact.kind for fact in event.facts.read()] == before
    code, said = run("restore", cup, "--copy", "newest", "--replace", "--by", "Tess", "--json")
    found = json.loads(said)
    assert (code, found["unknown_scans"]) == (0, [late])
    kept = Path(found["kept"])
    with open_event(kept, clock) as old:
        assert [fact.kind for fact in old.facts.read()] == before
        assert list(check_event(old)) == []
    assert (kept / "event.toml").read_bytes().endswith(b"# edited since\n")
    with open_event(cup, clock) as event:
        assert [fact.kind for fact in event.facts.read()][-1:] == ["restored"]
        assert list(check_event(event)) == []
    assert (cup / "event.toml").read_bytes() == toml


def test_an_event_in_a_folder_with_brackets_in_its_name_is_replaced_more_than_once(cup: Path) -> None:
    named = cup.rename(cup.with_name("cup [2026]"))
    with open_event(named, clock) as event:
        back_up(event)
    for number in (1, 2):
        with open_event(named, clock) as event:
            rule_row(event, spring(Power.FRANCE), 1, RowDecision(order=f"A PAR - {('GAS', 'BUR')[number - 1]}"), "Tess")
        code, said = run("restore", named, "--copy", copies_in(place_beside(named))[0].folder.name, "--replace")
        assert (code, f"cup [2026]-replaced-{number}\n" in said) == (0, True)


def test_an_event_that_is_open_in_another_program_is_not_replaced(cup: Path) -> None:
    with open_event(cup, clock) as event:
        back_up(event)
        rule_row(event, spring(Power.FRANCE), 1, RowDecision(order="A PAR - GAS"), "Tess")
        code, _ = run("restore", cup, "--copy", "newest", "--replace")
        assert code == ExitCode.MACHINE_LACKS
        assert "restored" not in [fact.kind for fact in event.facts.read()]


def test_damaged_facts_are_replaced_and_kept_as_they_were(cup: Path) -> None:
    with open_event(cup, clock) as event:
        back_up(event)
    (cup / "event.db").write_bytes(b"no facts at all" * 1000)
    found = json.loads(run("restore", cup, "--copy", "newest", "--replace", "--json")[1])
    assert (Path(found["kept"]) / "event.db").read_bytes() == b"no facts at all" * 1000
    with open_event(cup, clock) as event:
        assert list(check_event(event)) == []


def test_another_event_is_never_replaced(cup: Path, tmp_path: Path) -> None:
    with open_event(cup, clock) as event:
        back_up(event)
    (copy,) = copies_in(place_beside(cup))
    other = another(tmp_path / "other")
    words = ("restore", other, "--from", copy.place, "--copy", copy.folder.name, "--replace")
    code, said = run(*words)
    assert (code, "another event" in said) == (2, True)
    with open_event(other, clock) as event:
        assert event.details.name == "Other Cup"
    assert not list(tmp_path.glob("other-replaced-*"))


def test_files_that_are_no_event_are_not_written_over(cup: Path, tmp_path: Path) -> None:
    with open_event(cup, clock) as event:
        back_up(event)
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "one.jpg").write_text("")
    words = ("restore", tmp_path / "photos", "--from", place_beside(cup), "--copy", "newest", "--replace")
    assert run(*words)[0] == 2
    assert [path.name for path in (tmp_path / "photos").iterdir()] == ["one.jpg"]


def test_what_was_printed_after_the_copy_never_shares_a_serial_with_what_is_printed_now(
    cup: Path, tmp_path: Path
) -> None:
    with open_event(cup, clock) as event:
        back_up(event)
        print_round(event, 1, None, None, 0)  # the first machine prints on, and is lost
        lost = {sheet.request.id.serial for sheet in printed_sheets(event).values()}
    shutil.rmtree(cup)
    run("restore", tmp_path / "second", "--from", place_beside(cup), "--copy", "newest")
    with open_event(tmp_path / "second", clock) as event:
        known = {sheet.request.id.serial for sheet in printed_sheets(event).values()}
        assert next_serial(event) > max(lost)
        print_round(event, 1, None, None, 0)
        now = {sheet.request.id.serial for sheet in printed_sheets(event).values()} - known
    assert not now & lost


def test_an_older_folder_that_was_put_back_is_told_by_every_command_and_serials_jump(cup: Path, tmp_path: Path) -> None:
    with open_event(cup, clock) as event:
        back_up(event)
    shutil.copytree(cup, tmp_path / "stick")
    with open_event(cup, clock) as event:
        print_round(event, 1, None, None, 0)
        back_up(event)
        lost = {sheet.request.id.serial for sheet in printed_sheets(event).values()}
    assert "has entries that this event" not in run("status", cup)[1]
    shutil.rmtree(cup)
    shutil.copytree(tmp_path / "stick", cup)

    for words in (("status", cup), ("orders", cup, "--board", 1, "--json"), ("journal", cup), ("status", cup)):
        assert "has entries that this event" in run(*words)[1], words
    assert "has entries that this event" in status_of_older(cup)
    with open_event(cup, clock) as event:
        known = {sheet.request.id.serial for sheet in printed_sheets(event).values()}
        print_round(event, 1, None, None, 0)
        assert not ({sheet.request.id.serial for sheet in printed_sheets(event).values()} - known) & lost
        back_up(event)
    assert "has entries that this event" in run("status", cup)[1], "a copy of the older state does not hide it"

    newest = max(copies_in(place_beside(cup)), key=lambda copy: copy.number)
    assert run("restore", cup, "--copy", newest.folder.name, "--replace", "--by", "Tess")[0] == 0
    assert "has entries that this event" not in run("status", cup)[1], "it was said which state is gone on from"


@pytest.mark.parametrize("place", ["the second place", "beside another name"])
def test_an_older_state_is_told_from_every_copy_in_sight(cup: Path, tmp_path: Path, place: str) -> None:
    (tmp_path / "stick").mkdir()
    with_second(cup, tmp_path / "stick")
    older = tmp_path / "elsewhere" / "cup" if place == "the second place" else tmp_path / "older cup"
    shutil.copytree(cup, older)
    with open_event(cup, clock) as event:
        print_round(event, 1, None, None, 0)
        lost = {sheet.request.id.serial for sheet in printed_sheets(event).values()}
    assert run("backup", cup)[0] == 0
    shutil.rmtree(cup)
    if place == "the second place":
        shutil.rmtree(place_beside(cup))
    else:
        shutil.rmtree(tmp_path / "stick")

    for words in (("status", older), ("backup", older), ("journal", older)):
        assert "has entries that this event" in run(*words)[1], words
    with open_event(older, clock) as event:
        assert next_serial(event) > max(lost) + 1


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


def status_of_older(cup: Path) -> str:
    """What ``status --json`` says of an older state; on a terminal it stands on standard error."""
    with open_event(cup, clock) as event:
        return "".join(backup_status(event)["older_state"])


@pytest.mark.slow
def test_copies_of_what_an_older_folder_does_not_have_are_never_thinned(cup: Path, tmp_path: Path) -> None:
    shutil.copytree(cup, tmp_path / "stick")
    with open_event(cup, clock) as event:
        print_round(event, 1, None, None, 0)
        back_up(event)
    (lost,) = copies_in(place_beside(cup))
    shutil.rmtree(cup)
    shutil.copytree(tmp_path / "stick", cup)
    with open_event(cup, clock) as event:
        for _ in range(12):
            print_round(event, 1, None, None, 0)
            back_up(event)
    assert lost in copies_in(place_beside(cup))


@pytest.mark.slow
def test_a_second_machine_takes_over_from_a_stick(tmp_path: Path) -> None:
    cup = written_twice(tmp_path, {Power.AUSTRIA: 2}) / "cup"
    (tmp_path / "stick").mkdir()
    assert run("backup", with_second(cup, tmp_path / "stick"))[0] == 0
    orders = run("orders", cup, "--board", 1, "--json")[1]
    shutil.rmtree(cup)
    shutil.rmtree(place_beside(cup))
    there = tmp_path / "another machine" / "our cup"
    there.parent.mkdir()
    listed = json.loads(run("restore", there, "--from", tmp_path / "stick", "--json")[1])
    assert [copy["event"] for copy in listed] == ["Test Cup"]
    assert run("restore", there, "--from", tmp_path / "stick", "--copy", listed[0]["copy"], "--by", "Tess")[0] == 0
    assert run("status", there)[0] == 0
    assert run("orders", there, "--board", 1, "--json")[1] == orders
    rows = json.loads(orders)["powers"]["AUSTRIA"]["rows"]
    assert all((there / row["crop"]).is_file() for row in rows if row["crop"]), "the pictures came with it"
    scans = sorted((tmp_path / "scans2").iterdir())  # on sheets that were printed before the copy
    assert run("scan", there, *scans, "--processes", 1)[0] == 0
    for power in Power:
        words = ("rule", there, "--board", 1, "--power", power, "--by", "Tess")
        if power is Power.AUSTRIA:
            serials = [sheet["serial"] for sheet in sheets_in_of(there)]
            run(*words, "--sheet", "chosen", "--serial", serials[0])
            for line in (1, 2, 3):
                run(*words, "--line", line, "--order", f"{('A VIE', 'A BUD', 'F TRI')[line - 1]} H")
        else:
            run(*words, "--sheet", "no orders")
    code, said = run("adjudicate", there, "--board", 1, "--by", "Tess")
    assert code == 0, said
    assert run("explain", there, "1 S1901M A VIE")[0] == 0
    assert run("check", there)[0] == 0
    assert status_of(there)["facts_since"] == 0


def sheets_in_of(folder: Path) -> list[dict[str, int]]:
    """The sheets that are in for Austria."""
    with open_event(folder, clock) as event:
        return [{"serial": sheet.serial} for sheet in sheets_in(event)[spring(Power.AUSTRIA)]]


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
    text = json.dumps(told).replace(
        '"event.toml":', f'"{name}": "{hash_file(tmp_path / "outside/evil.sh")}", "event.toml":'
    )
    (copy.folder / "copy.json").write_text(text, "utf-8")
    assert len(json.loads(text)["files"]) == 3
    before = sorted(tmp_path.rglob("*"))
    for wanted in ("newest", copy.folder.name):
        code, said = run("restore", tmp_path / "new/er/cup", "--from", copy.place, "--copy", wanted)
        assert (code, "no copy to go on from" in said) == (2, True), said
    assert "no copy to go on from" in run("restore", cup, "--from", copy.place)[1]
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
            other.facts.append("clock started", {"number": 1}, "Tess")
        return write_to(facts, target)

    monkeypatch.setattr(Snapshot, "write_to", copy_while_written)
    code, said = run("backup", cup)
    assert (code, "missing" in said) == (0, False), said
    assert len(copies_in(place_beside(cup))) == 1

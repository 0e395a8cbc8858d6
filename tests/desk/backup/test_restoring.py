"""An event goes on from a copy: which one is offered, what it replaces, and what is never given out twice."""

import json
import shutil
from pathlib import Path

import pytest
from facts_as_kept import read_facts

from desk.backup.copied import SCAN, another, receive, run, status_of, with_second
from desk.cup import clock, seated, spring, written_twice
from pipeline.board import Power
from pipeline.desk.backups import back_up, backup_status
from pipeline.desk.event.event import open_event
from pipeline.desk.publish.explain import check_event
from pipeline.desk.publish.publish import publish
from pipeline.desk.ruling.rulings import RowDecision, rule_row
from pipeline.desk.sheets.printed import next_serial, printed_sheets
from pipeline.desk.sheets.printing import print_round
from pipeline.desk.sheets.sheets_in import sheets_in
from pipeline.ledger.copies import copies_in, place_beside
from pipeline.ledger.events import LedgerEvent, StandingsOpened
from pipeline.ledger.ledger import body_of
from pipeline.ledger.restoring import _fresh, _kept_aside
from pipeline.problems import ExitCode


def test_scans_lie_in_a_place_once_by_their_hash_and_come_back_with_the_event(cup: Path) -> None:
    with open_event(cup, clock) as event:
        name = receive(event)
        back_up(event)
        kept = place_beside(cup) / "scans" / name
        assert kept.read_bytes() == SCAN
        assert not kept.samefile(event.scans / name), "what damages one in place leaves the other"
        print_round(event, 1)
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
        receive(event, SCAN + b"%known")
        back_up(event)
        rule_row(event, spring(Power.FRANCE), 1, RowDecision(order="A PAR - GAS"), "Tess")
        late = receive(event)
        before = [fact.kind for fact in read_facts(event.facts)]
    toml = (cup / "event.toml").read_bytes()
    (cup / "event.toml").write_bytes(toml + b"# edited since\n")
    code, said = run("restore", cup, "--copy", "newest")
    assert (code, "--replace" in said) == (2, True)
    with open_event(cup, clock) as event:
        assert [fact.kind for fact in read_facts(event.facts)] == before
    code, said = run("restore", cup, "--copy", "newest", "--replace", "--by", "Tess", "--json")
    found = json.loads(said)
    assert (code, found["unknown_scans"]) == (0, [late])
    kept = Path(found["kept"])
    with open_event(kept, clock) as old:
        assert [fact.kind for fact in read_facts(old.facts)] == before
        assert list(check_event(old)) == []
    assert (kept / "event.toml").read_bytes().endswith(b"# edited since\n")
    with open_event(cup, clock) as event:
        assert [fact.kind for fact in read_facts(event.facts)][-1:] == ["restored"]
        assert list(check_event(event)) == []
    assert (cup / "event.toml").read_bytes() == toml


def test_an_event_that_is_open_in_another_program_is_not_replaced(cup: Path) -> None:
    with open_event(cup, clock) as event:
        back_up(event)
        rule_row(event, spring(Power.FRANCE), 1, RowDecision(order="A PAR - GAS"), "Tess")
        code, _ = run("restore", cup, "--copy", "newest", "--replace")
        assert code == ExitCode.MACHINE_LACKS
        assert "restored" not in [fact.kind for fact in read_facts(event.facts)]


def test_damaged_facts_are_replaced_and_kept_as_they_were(cup: Path) -> None:
    with open_event(cup, clock) as event:
        back_up(event)
    (cup / "event.db").write_bytes(b"no facts at all" * 1000)
    found = json.loads(run("restore", cup, "--copy", "newest", "--replace", "--json")[1])
    assert (Path(found["kept"]) / "event.db").read_bytes() == b"no facts at all" * 1000
    with open_event(cup, clock) as event:
        assert list(check_event(event)) == []


@pytest.mark.parametrize("left", [b"no facts at all" * 1000, None])
def test_the_log_of_facts_that_are_damaged_or_gone_is_not_applied_to_those_that_come_back(
    cup: Path, left: bytes | None
) -> None:
    facts, log = cup / "event.db", cup / "event.db-wal"
    with open_event(cup, clock) as event:
        back_up(event)
        rule_row(event, spring(Power.FRANCE), 1, RowDecision(order="A PAR - GAS"), "Tess")
        written = log.read_bytes()
    facts.unlink()
    if left:
        facts.write_bytes(left)
    log.write_bytes(written)
    assert run("restore", cup, "--copy", "newest", "--replace")[0] == 0
    with open_event(cup, clock) as event:
        assert list(check_event(event)) == []
        assert [fact.kind for fact in read_facts(event.facts)][-1] == "restored"


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
        print_round(event, 1)  # the first machine prints on, and is lost
        lost = {sheet.request.id.serial for sheet in printed_sheets(event).values()}
    shutil.rmtree(cup)
    run("restore", tmp_path / "second", "--from", place_beside(cup), "--copy", "newest")
    with open_event(tmp_path / "second", clock) as event:
        known = {sheet.request.id.serial for sheet in printed_sheets(event).values()}
        assert next_serial(event) > max(lost)
        print_round(event, 1)
        now = {sheet.request.id.serial for sheet in printed_sheets(event).values()} - known
    assert not now & lost


def test_an_older_folder_that_was_put_back_is_told_by_every_command_and_serials_jump(cup: Path, tmp_path: Path) -> None:
    with open_event(cup, clock) as event:
        back_up(event)
    shutil.copytree(cup, tmp_path / "stick")
    with open_event(cup, clock) as event:
        print_round(event, 1)
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
        print_round(event, 1)
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
        print_round(event, 1)
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


def status_of_older(cup: Path) -> str:
    """What ``status --json`` says of an older state; on a terminal it stands on standard error."""
    with open_event(cup, clock) as event:
        return "".join(backup_status(event)["older_state"])


@pytest.mark.slow
def test_copies_of_what_an_older_folder_does_not_have_are_never_thinned(cup: Path, tmp_path: Path) -> None:
    shutil.copytree(cup, tmp_path / "stick")
    with open_event(cup, clock) as event:
        print_round(event, 1)
        back_up(event)
    (lost,) = copies_in(place_beside(cup))
    shutil.rmtree(cup)
    shutil.copytree(tmp_path / "stick", cup)
    with open_event(cup, clock) as event:
        for _ in range(12):
            print_round(event, 1)
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


def test_what_is_replaced_is_kept_whole_and_once_unless_its_facts_cannot_be_compared(tmp_path: Path) -> None:
    cup = seated(tmp_path / "cup [2026]")
    no_part = (".ordersheets-x.part", "claims.db", "claims.db-wal", "desk.lock", "office.pem", "event.db-tip")
    for name in (*no_part, "notes.txt", "out/card.pdf", "scans/a.pdf", "out/crops/a.png"):
        (cup / name).parent.mkdir(parents=True, exist_ok=True)
        (cup / name).write_bytes(b"x")
    for number in (9, 10):
        with open_event(cup, clock) as event:
            event.facts.write(StandingsOpened(open=True), "Tess")
        shutil.copytree(cup, tmp_path / f"{cup.name}-replaced-{number}")
    (tmp_path / f"{cup.name}-replaced-by-hand").mkdir()
    assert _kept_aside(cup).name == f"{cup.name}-replaced-10"
    with open_event(cup, clock) as event:
        event.facts.write(StandingsOpened(open=False), "Tess")
    kept = _kept_aside(cup)
    assert (kept.name, _kept_aside(cup)) == (f"{cup.name}-replaced-11", kept)
    there = {str(path.relative_to(kept)) for path in kept.rglob("*") if path.is_file()}
    assert {"event.db", "event.toml", "notes.txt", "out/card.pdf", "scans/a.pdf", "out/crops/a.png"} <= there
    assert there.isdisjoint(no_part)
    linked = {name for name in there if (kept / name).samefile(cup / name)}
    assert linked == {"scans/a.pdf", "out/crops/a.png"}, "what people edit is copied"
    for number in (12, 13):
        (cup / "event.db").write_bytes(b"rubbish")
        kept = _kept_aside(cup)
        assert kept.name == f"{cup.name}-replaced-{number}"
        assert (kept / "event.db").read_bytes() == b"rubbish"


def test_what_a_killed_restoring_left_is_cleared_away_and_nothing_else(tmp_path: Path) -> None:
    part = tmp_path / ".ordersheets-[cup].part"
    others = [tmp_path / name for name in (".ordersheets-c.part", "cup", "x.ordersheets-[cup].part")]
    (part / "scans").mkdir(parents=True)
    for left in (part / "scans" / "a", part.with_name(f"{part.name}-wal"), *others):
        left.write_bytes(b"left")

    assert _fresh(part) == part

    assert sorted(tmp_path.iterdir()) == sorted(others)

"""The status that is kept is believed only as long as all that it rests on is as it was; every answer is the same."""

import errno
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from desk.cup import clock, hand_in_all, seated
from desk.test_walks import TOURNAMENTS, steps
from desk.walk import Walk
from pipeline.board.map import Power
from pipeline.cli import group
from pipeline.desk.event import settings
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.publish.publish import publish
from pipeline.desk.review import orders_shown
from pipeline.desk.review.orders_shown import status_anew
from pipeline.desk.review.status import leave_status, status
from pipeline.desk.ruling.rulings import type_lines, undo_ruling
from pipeline.desk.sheets.printing import print_round
from pipeline.ledger import files
from pipeline.ledger.events import SeatsTold
from pipeline.problems import Stopped
from pipeline.rules.load import load_tournament

NOT_KEPT = ("backup", "reader")
KEPT = "kept/status.json"


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """A board with a published phase, of which the status was asked."""
    folder = seated(tmp_path / "cup")
    with open_event(folder, clock) as event:
        print_round(event, 1, None, None, 0)
        hand_in_all(event)
        publish(event, "1", "Tess")
        status(event)
    return folder


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The newest fact of each time that the status is worked out from now on."""
    found: list[int] = []

    def noted(event: Event) -> dict[str, Any]:
        found.append(event.facts.last_number())
        return status_anew(event)

    monkeypatch.setattr(orders_shown, "status_anew", noted)
    return found


def told(event: Event) -> dict[str, Any]:
    """What follows from the facts, of a status."""
    return {key: value for key, value in status(event).items() if key not in NOT_KEPT}


def asked(folder: Path) -> dict[str, Any]:
    """The same of an event that is opened for it, as a command does."""
    with open_event(folder, clock) as event:
        return told(event)


class ToldWalk(Walk):
    """What can happen at a table, its status asked after every step."""

    def compare(self) -> None:
        """What is worked out, what is kept and what is taken from there are one."""
        anew = status_anew(self.event)
        assert [told(self.event), told(self.event)] == [anew, anew]


@pytest.mark.parametrize("seed", range(4))
def test_whatever_happens_the_status_that_is_kept_is_the_one_that_follows(seed: int) -> None:
    random = Random(seed)
    at_table = ToldWalk(random.choice(TOURNAMENTS), has_parts=False)
    try:
        for name, said in steps(random):
            getattr(at_table, name)(**said)
            at_table.compare()
    finally:
        at_table.leave()


def test_what_is_kept_is_worked_out_no_more(cup: Path, worked_out: list[int]) -> None:
    assert asked(cup) == asked(cup)
    assert worked_out == []


def test_a_new_fact_is_seen_and_one_that_is_taken_back_too(cup: Path, worked_out: list[int]) -> None:
    before = asked(cup)
    with open_event(cup, clock) as event:
        turn = Turn("1.1", find_game(event, "1").position.phase, Power.ITALY)
        typed = type_lines(event, turn, ["F NAP H"], by="Tess")
        after = told(event)
        assert after != before
        undo_ruling(event, typed, "Tess")
        assert told(event) == before
    assert len(worked_out) == 2


ON_ITALY = ("rule", "--board", "1", "--power", "ITALY")
WRITING = {
    "a ruling": ((*ON_ITALY, "--sheet", "no orders", "--by", "Tess"),),
    "an undoing": ((*ON_ITALY, "--sheet", "no orders", "--by", "Tess"), ("undo", "LAST", "--by", "Tess")),
    "more sheets": (("sheets", "--round", "1", "--pads", "1", "-o", "PDF"),),
    "an end": (("end", "--board", "1", "--how", "time", "--why", "the hall closes", "--by", "Tess"),),
    "a correction": (
        ("rule", "--board", "1", "--power", "ITALY", "--phase", "S1901M", "--line", "3", "--text", "F NAP H"),
        ("correct", "--board", "1", "--phase", "S1901M", "--apply", "--by", "Tess", "--why", "misread"),
    ),
}


@pytest.mark.parametrize("said", WRITING.values(), ids=WRITING)
def test_a_command_that_wrote_facts_down_leaves_the_status_of_now(
    cup: Path, tmp_path: Path, said: tuple[tuple[str, ...], ...], worked_out: list[int]
) -> None:
    for name, *rest in said:
        with open_event(cup, clock) as event:
            last = event.facts.last_number()
        words = [{"LAST": str(last), "PDF": str(tmp_path / "sheets.pdf")}.get(word, word) for word in rest]
        done = CliRunner().invoke(group, [name, str(cup), *words])
        assert done.exit_code == 0, done.output
    with open_event(cup, clock) as event:
        assert event.facts.last_number() > last
    worked_out.clear()
    found = asked(cup)
    assert worked_out == []
    (cup / KEPT).unlink()
    assert asked(cup) == found


def test_what_was_written_stands_and_copies_are_made_whatever_is_wrong_with_the_status(
    cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(event: Event) -> dict[str, Any]:
        raise RuntimeError("a fault of the program")

    monkeypatch.setattr(orders_shown, "status_anew", wrong)
    done = CliRunner().invoke(group, ["rule", str(cup), *ON_ITALY[1:], "--sheet", "no orders", "--by", "Tess"])
    assert (done.exit_code, done.exception) == (0, None)
    with open_event(cup, clock) as event:
        leave_status(event)
        with pytest.raises(RuntimeError, match="a fault of the program"):
            status(event)


def of_another_name(cup: Path) -> None:
    file = cup / "event.toml"
    file.write_text(file.read_text("utf-8").replace("Test Cup", "Best Cup"), "utf-8")


def of_other_rules(cup: Path) -> None:
    file = cup / "event.toml"
    file.write_text(file.read_text("utf-8").replace('"weaselmoot"', '"edc1996"'), "utf-8")


def of_other_people(cup: Path) -> None:
    with (cup / "event.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[players]]\nname = "Zoe"\nnumber = 8\n')


@pytest.mark.parametrize("change", [of_another_name, of_other_rules, of_other_people])
def test_another_file_is_another_status(cup: Path, worked_out: list[int], change: Callable[[Path], None]) -> None:
    before = asked(cup)
    change(cup)
    assert asked(cup) != before
    assert len(worked_out) == 1


def test_another_program_works_it_out_anew(cup: Path, worked_out: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "_program", lambda: "the next edition")
    asked(cup)
    assert len(worked_out) == 1


def test_the_program_is_its_code_its_data_and_the_library_of_likenesses() -> None:
    names = {"/".join(file.parts[-2:]) for file in settings.files()}
    assert {
        "review/orders_shown.py",
        "interpret/interpret.py",
        "rules/weaselmoot.toml",
        "rapidfuzz/__init__.py",
    } <= names
    assert "cli/status.py" not in names


@pytest.mark.parametrize("tournament", ["nzdc1999", "edc2023"])
def test_rules_are_told_in_one_order(tournament: str) -> None:
    rules = load_tournament(tournament)
    assert settings._in_order(rules) == settings._in_order(load_tournament(tournament))
    assert settings._in_order(frozenset({"b", "a"})) == ["\"'a'\"", "\"'b'\""]
    assert " at 0x" not in str(settings._in_order(rules))


def test_the_status_of_another_event_is_not_believed(cup: Path, tmp_path: Path, worked_out: list[int]) -> None:
    other = seated(tmp_path / "other")
    (other / "kept").mkdir(exist_ok=True)
    (other / KEPT).write_bytes((cup / KEPT).read_bytes())
    assert asked(other)["boards"][0]["phase"] == "S1901M"
    assert len(worked_out) == 1


def test_a_fact_that_is_damaged_stops_though_the_status_is_kept(cup: Path) -> None:
    with closing(sqlite3.connect(cup / "event.db")) as connection:
        connection.execute("DROP TRIGGER facts_never_change")
        connection.execute("UPDATE facts SET at = 'yesterday' WHERE id = 2")
        connection.commit()
    with open_event(cup, clock) as event, pytest.raises(Stopped, match=r"fact 2 \(.*\) is not what was written down"):
        status(event)


def test_what_somebody_writes_meanwhile_is_not_kept_as_what_was_before(
    cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (cup / KEPT).unlink()

    def disturbed(event: Event) -> dict[str, Any]:
        with open_event(cup, clock) as other:
            other.facts.write(SeatsTold(round=1), "Anna")
        return status_anew(event)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(orders_shown, "status_anew", disturbed)
        asked(cup)
    assert not (cup / KEPT).exists()
    asked(cup)
    assert (cup / KEPT).exists()


def test_where_it_cannot_be_kept_it_is_told_all_the_same(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = asked(cup)
    (cup / KEPT).unlink()

    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(files, "write_whole", full)
    assert asked(cup) == before
    assert not (cup / KEPT).exists()


def test_what_the_clock_and_other_folders_say_is_never_kept(cup: Path) -> None:
    text = (cup / KEPT).read_text("utf-8")
    assert not any(f'\\"{key}\\"' in text for key in NOT_KEPT)
    with open_event(cup, clock) as event:
        assert set(NOT_KEPT) <= set(status(event))

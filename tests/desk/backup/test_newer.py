"""Whether a copy goes further than its event, after any history of copies, older folders, restorations and damage."""

import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from desk.cup import clock, seated
from pipeline.desk.event.event import open_event
from pipeline.ledger.copies import Copy, copies_in, make_copy, place_beside
from pipeline.ledger.events import EventRestored, StandingsOpened
from pipeline.ledger.newer import _asked, newer_copies, within_a_moment
from pipeline.ledger.restoring import Restoration, restore

Rows = list[tuple[Any, ...]]


def rows_of(copy: Copy) -> Rows:
    with closing(sqlite3.connect(f"file:{copy.folder}/event.db?mode=ro", uri=True)) as facts:
        return facts.execute("SELECT id, at, by, kind, body FROM facts ORDER BY id").fetchall()


def goes_further(own: Rows, copies: dict[int, Rows]) -> list[int]:
    """The copies, by number, with facts that the event lacks; not those that its last restoration left behind."""
    restored = max((place for place, row in enumerate(own, 1) if row[3] == EventRestored.KIND), default=0)
    held = [number for number, rows in copies.items() if rows == own[: len(rows)]]
    since = min((number for number in held if len(copies[number]) >= restored), default=None)
    others = [number for number in copies if number not in held]
    if not restored:
        return others
    return [
        number
        for number in others
        if (since is not None and number > since) or copies[number][:restored] == own[:restored]
    ]


def go_back(cup: Path, copy: Copy) -> None:
    """An older folder is used: nobody has restored anything."""
    for stale in cup.glob("event.db*"):
        stale.unlink()
    shutil.copy(copy.folder / "event.db", cup / "event.db")


@pytest.mark.parametrize("seed", range(4))
def test_a_copy_with_facts_that_the_event_lacks_is_found(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its copies are beside it, or in its second place, which answers in time."""
    monkeypatch.setattr("pipeline.ledger.newer.MOMENT_S", 60.0)
    dice, cup = Random(seed), seated(tmp_path / "cup")
    (stick := tmp_path / "stick").mkdir()
    place = place_beside(stick / "cup" if seed % 2 else cup)
    known, damaged = dict[int, Rows](), set[int]()
    for step in range(25):
        with open_event(cup, clock) as event:
            if dice.random() < 0.7:
                event.facts.write(StandingsOpened(open=dice.random() < 0.5), f"Tess {step}")
            if dice.random() < 0.5:
                made = make_copy(event.facts.snapshot(), place, event.label(), clock()).copy
                known.setdefault(made.number, rows_of(made))
            own = [*event.facts.snapshot().rows]
            here = {copy.number: copy for copy in copies_in(place)}
            further = goes_further(own, {number: known[number] for number in here})
            whole = [number for number in further if number not in damaged]
            found = newer_copies(event.facts, cup, stick)
            assert found.copy == (here[max(whole)] if whole else None)
            assert {int(each.folder.name[-4:]) for each in found.unread} == {*further} & damaged
            assert all(each.fault == "its files are not what was copied" for each in found.unread)
        good = [copy for number, copy in here.items() if number not in damaged]
        if good and dice.random() < 0.3:
            go_back(cup, dice.choice(good))
        elif good and dice.random() < 0.2:
            copy = dice.choice(good)
            said = EventRestored(copy=copy.folder.name, facts=copy.tip.facts, at=copy.at, first_serial=9)
            restore(Restoration(copy, cup, said, f"Gus {step}", clock), replaces=True)
        elif good and dice.random() < 0.1:
            copy = dice.choice(good)
            (copy.folder / "event.toml").write_text("", "utf-8")
            damaged.add(copy.number)


def test_a_place_that_has_not_answered_is_asked_no_second_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, answers = list[str](), threading.Event()

    def ask(sort: str) -> str | None:
        def look() -> str:
            asked.append(sort)
            assert answers.wait(60)
            return sort

        return within_a_moment(tmp_path, sort, look)

    monkeypatch.setattr("pipeline.ledger.newer.MOMENT_S", 0.0)
    assert [ask(sort) for sort in ("list", "list", "read", "list", "read")] == [None] * 5
    answers.set()
    for sort in ("list", "read"):
        _asked[tmp_path, sort].join()
    assert sorted(asked) == ["list", "read"]
    monkeypatch.setattr("pipeline.ledger.newer.MOMENT_S", 60.0)
    assert ask("list") == "list"

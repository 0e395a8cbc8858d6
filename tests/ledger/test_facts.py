"""Facts are appended, never rewritten, and are there after a kill."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from facts_as_kept import append_fact, append_facts, read_facts

from pipeline.ledger import fact_file
from pipeline.ledger.facts import FactStore
from pipeline.ledger.verification import FactsSeen, LastWritten, Snapshot, link_of, sum_of
from pipeline.problems import Stopped

WRITER = """
import sys
from pathlib import Path
from pipeline.ledger.facts import FactStore
from pipeline.ledger.verification import FactsSeen, link_of, sum_of
with FactStore(Path(sys.argv[1]), lambda: "now") as store:
    n = store.last_number()
    while True:
        n += 2
        with store.transaction():
            store.add("a", {"n": n - 1}, "writer")
            store.add("b", {"n": n}, "writer")
        print(n, flush=True)
"""


def test_facts_come_back_in_the_order_they_were_written(tmp_path: Path) -> None:
    with FactStore(tmp_path / "event.db", lambda: "2026-01-02T09:00:00+00:00") as store:
        append_fact(store, "ruling", {"order": "A VIE - BOH", "why": "sæ"}, "Ana")
        append_fact(store, "late", {"power": "ITALY"}, "Ana")
        append_fact(store, "ruling", {"order": "A VIE H"}, "Ben")

        assert [(f.number, f.kind, f.by) for f in read_facts(store)] == [
            (1, "ruling", "Ana"),
            (2, "late", "Ana"),
            (3, "ruling", "Ben"),
        ]
        assert [f.body["order"] for f in read_facts(store, "ruling", after=1)] == ["A VIE H"]
        assert store.last_number() == 3


def test_a_fact_can_be_neither_changed_nor_deleted(tmp_path: Path) -> None:
    with FactStore(tmp_path / "event.db", lambda: "now") as store:
        append_fact(store, "ruling", {"order": "A VIE H"}, "Ana")
        for attack in ("UPDATE facts SET body = '{}'", "DELETE FROM facts"):
            with pytest.raises(sqlite3.IntegrityError, match="facts are never"):
                store.connection.execute(attack)

        assert [f.body for f in read_facts(store)] == [{"order": "A VIE H"}]


def test_facts_written_together_are_all_there_or_none(tmp_path: Path) -> None:
    with FactStore(tmp_path / "event.db", lambda: "now") as store:
        with pytest.raises(TypeError):
            append_facts(store, (("good", {"n": 1}), ("bad", {"n": object()})), "Ana")

        assert list(read_facts(store)) == []


def test_what_must_still_be_so_is_looked_at_once_where_others_have_written_into_the_same_file(tmp_path: Path) -> None:
    looked: list[int] = []
    with (
        FactStore(tmp_path / "event.db", lambda: "now") as mine,
        FactStore(tmp_path / "event.db", lambda: "now") as others,
        FactStore(tmp_path / "another.db", lambda: "now") as another,
        mine.expecting(lambda: looked.append(mine.last_number())),
    ):
        for number, (store, expected) in enumerate(
            ((another, []), (others, []), (another, []), (mine, [1]), (others, [1]), (mine, [1]))
        ):
            append_fact(store, "ruling", {"n": number}, "Ana")
            assert looked == expected, number


def test_a_file_that_is_not_a_database_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "event.db").write_bytes(b"this is no database, it is a letter to my aunt" * 99)

    with pytest.raises(Stopped, match=r"event.db: cannot open the decisions: file is not a database; restore"):
        FactStore(tmp_path / "event.db", lambda: "now")


def test_a_folder_that_is_write_protected_is_not_taken_for_a_broken_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "event.db").mkdir()  # SQLite says of it what it says of a file in a closed folder
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(Stopped, match="nothing can be written in this folder; copy the event to a disk of your own"):
        FactStore(tmp_path / "event.db", lambda: "now")


def test_after_a_kill_every_confirmed_fact_is_there_and_pairs_are_whole(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    for confirmed_wanted in (3, 7, 12):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        confirmed = [int(writer.stdout.readline()) for _ in range(confirmed_wanted)][-1]
        writer.kill()
        writer.communicate()

        with FactStore(path, lambda: "now") as store:
            numbers = [f.body["n"] for f in read_facts(store)]
        assert numbers == list(range(1, len(numbers) + 1)), "a fact is lost or doubled"
        assert len(numbers) % 2 == 0, "half of a pair was written"
        assert len(numbers) >= confirmed


def version_of(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    connection.close()
    return found


def test_facts_of_a_newer_program_are_refused_in_words_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    with FactStore(path, lambda: "now") as store:
        append_fact(store, "ruling", {"order": "A VIE H"}, "Ana")
        store.connection.execute(f"PRAGMA user_version = {fact_file.VERSION + 1}")
    now = fact_file.VERSION
    said = f"version {now + 1} of the file format, and this program knows versions up to {now}; use"
    with pytest.raises(Stopped, match=said):
        FactStore(path, lambda: "now")
    assert version_of(path) == fact_file.VERSION + 1


@pytest.mark.parametrize("is_room", [True, False], ids=["on the disk", "in memory"])
def test_facts_in_a_log_are_read_from_a_copy_where_nothing_can_be_written_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_room: bool
) -> None:
    path, there = tmp_path / "event.db", tmp_path / "copies"
    there.mkdir()
    looked = fact_file._looked_into

    def refuse(uri: str, kind: type[sqlite3.Connection]) -> sqlite3.Connection:
        if "mode=ro" in uri:
            raise sqlite3.OperationalError("unable to open database file")
        return looked(uri, kind)

    monkeypatch.setattr(fact_file, "_looked_into", refuse)
    monkeypatch.setattr(fact_file, "MEMORY", there)
    monkeypatch.setattr("tempfile.tempdir", str(there if is_room else tmp_path / "nowhere"))
    with FactStore(path, lambda: "now") as store:
        append_fact(store, "ruling", {"order": "A VIE H"}, "Ana")
        files = {each: each.read_bytes() for each in tmp_path.glob("event.db*")}
        connection = fact_file.opened_to_read(path)
        assert connection is not None
        assert connection.execute("SELECT by FROM facts").fetchall() == [("Ana",)]
        assert len([*there.iterdir()]) == 1
        connection.close()
        del connection
        assert [*there.iterdir()] == []
        assert {each: each.read_bytes() for each in files} == files
    connection = fact_file.opened_to_read(path)
    assert connection is not None
    assert [*there.iterdir()] == [], "without a log it is read where it is"
    connection.close()
    path.write_bytes(b"")
    (tmp_path / "event.db-wal").write_bytes(b"x")
    monkeypatch.setattr(fact_file, "_looked_into", lambda *_: looked("file:/nowhere?mode=ro", sqlite3.Connection))
    assert fact_file.opened_to_read(path) is None
    assert [*there.iterdir()] == []


def test_a_file_of_the_first_release_is_brought_up(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    with FactStore(path, lambda: "now") as store:
        append_fact(store, "ruling", {"order": "A VIE H"}, "Ana")
        before = list(store.rows())
        store.connection.execute("PRAGMA user_version = 1")
    with FactStore(path, lambda: "now") as store:
        assert list(store.rows()) == before
    assert version_of(path) == fact_file.VERSION


def test_a_file_without_a_version_is_no_file_of_facts(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    with FactStore(path, lambda: "now") as store:
        store.connection.execute("PRAGMA user_version = 0")
    with pytest.raises(Stopped, match=r"this is no event.db, or it is damaged; restore"):
        FactStore(path, lambda: "now")


def test_a_file_of_an_older_version_is_brought_up_and_its_facts_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pattern for every migration: a step for the older version, all of it or nothing, and no fact is rewritten."""
    path = tmp_path / "event.db"
    with FactStore(path, lambda: "now") as store:
        append_fact(store, "ruling", {"order": "A VIE H"}, "Ana")
        before = list(store.rows())
    old = fact_file.VERSION
    monkeypatch.setattr(fact_file, "VERSION", old + 2)
    broken = {old: ("CREATE TABLE weather (rain INTEGER)",), old + 1: ("CREATE TABLE weather (rain INTEGER)",)}
    monkeypatch.setattr(fact_file, "STEPS", broken)
    with pytest.raises(Stopped, match="cannot open the decisions: table weather already exists"):
        FactStore(path, lambda: "now")
    assert version_of(path) == old
    monkeypatch.setattr(fact_file, "STEPS", broken | {old + 1: ("CREATE TABLE wind (knots INTEGER)",)})
    with FactStore(path, lambda: "now") as store:
        assert list(store.rows()) == before
        append_fact(store, "ruling", {"order": "A VIE - BOH"}, "Ana")
        assert {"weather", "wind"} < fact_file.tables_in(store.connection)
        assert store.verify() == ()
    assert version_of(path) == old + 2
    FactStore(path, lambda: "now").connection.close()


def test_a_copy_of_no_facts_is_a_file_of_facts(tmp_path: Path) -> None:
    assert Snapshot(tmp_path / "event.db", (), ()).write_to(tmp_path / "copy.db") == LastWritten()
    with FactStore(tmp_path / "copy.db", lambda: "now") as store:
        assert store.last_number() == 0
        append_fact(store, "ruling", {}, "Ana")
        assert store.verify() == ()
    assert not (tmp_path / "copy.db-tip").stat().st_mode & 0o111


def test_of_a_chain_of_facts_every_disturbance_is_told_where_it_stands() -> None:
    rows: list[tuple[object, ...]] = []
    for number in range(1, 6):
        own = sum_of(number, "now", "Tess", "kind", "{}")
        rows.append((number, "now", "Tess", "kind", "{}", own, link_of(str(rows[-1][6]) if rows else "", own)))
    disturbed = {
        "written twice": ([*rows[:3], rows[2], *rows[3:]], "number 3 of the journal stands in the wrong place"),
        "turned": ([rows[0], rows[2], rows[1], *rows[3:]], "number 2 of the journal stands in the wrong place"),
        "no number": ([*rows[:2], (None, *rows[2][1:]), *rows[3:]], "number None of the journal stands in the wrong"),
        "one is gone": ([*rows[:2], *rows[3:]], "number 3 of the journal is missing"),
        "two are gone": ([*rows[:1], *rows[3:]], "numbers 2 to 3 of the journal are missing"),
        "another body": (
            [*rows[:3], (*rows[3][:4], '{"a":1}', *rows[3][5:]), rows[4]],
            "number 4 of the journal (kind)",
        ),
        "a body of another kind": (
            [*rows[:3], (*rows[3][:2], b"Tess", *rows[3][3:]), rows[4]],
            "number 4 of the journal (kind) is not what was written down",
        ),
        "no sum": (
            [*rows[:3], (*rows[3][:5], None, None), rows[4]],
            "number 4 of the journal (kind) is not what was written down",
        ),
        "another link": ([*rows[:3], (*rows[3][:6], "x"), rows[4]], "the chain of checksums breaks at number 4"),
    }
    seen = FactsSeen()
    assert [fault for row in rows for fault in seen.verify_next(row)] == []
    assert (seen.number, seen.by_kind["kind"]) == (5, [row[:5] for row in rows])
    for what, (others, said) in disturbed.items():
        seen = FactsSeen()
        found = [fault for row in others for fault in seen.verify_next(row)]
        assert any(fault.startswith(said) for fault in found), (what, found)

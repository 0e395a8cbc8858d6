"""A file that is replaced while it is open: it is noticed, what was decided is kept, and nothing more is written."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from desk.cup import clock, seated
from facts_as_kept import append_fact, read_facts

from pipeline.desk.backups import back_up
from pipeline.desk.event.event import Event, open_event, open_same
from pipeline.desk.event.settings import FilesWatch, change_setting
from pipeline.desk.intake.ingest import receive
from pipeline.ledger.claims import Claims, Login
from pipeline.ledger.copies import copies_in, place_beside
from pipeline.ledger.facts import FactStore
from pipeline.ledger.verification import verify
from pipeline.problems import Stopped

BIG = "x" * 9000  # bytes of a fact, so that the file has pages that SQLite's log does not hold


def move(file: Path, older: Path) -> None:
    file.rename(file.with_name("moved.db"))


def delete(file: Path, older: Path) -> None:
    file.unlink()


def cut(file: Path, older: Path) -> None:
    with file.open("rb+") as opened:
        opened.truncate(4096)


def put_older(file: Path, older: Path) -> None:
    shutil.copyfile(older, file.with_name("part"))
    file.with_name("part").replace(file)


def write_older(file: Path, older: Path) -> None:
    shutil.copyfile(older, file)


def flip(file: Path, older: Path) -> None:
    data = file.read_bytes()
    place = data.rindex(b"xxxx")
    with file.open("rb+") as opened:
        opened.seek(place)
        opened.write(b"y")


def delete_log(file: Path, older: Path) -> None:
    file.with_name("event.db-wal").unlink()


def delete_newest(file: Path, older: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute("DELETE FROM facts WHERE id = (SELECT max(id) FROM facts)")


def delete_newest_in_file(file: Path, older: Path) -> None:
    delete_newest(file, older)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint")


def move_folder(file: Path, older: Path) -> None:
    file.parent.rename(file.parent.with_name("elsewhere"))


WAYS = (move, delete, cut, put_older, write_older, flip, delete_log, delete_newest, delete_newest_in_file, move_folder)


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Event]:
    """An open event whose first facts are in its file, and the later ones in SQLite's log."""
    folder = seated(tmp_path / "cup")
    with open_event(folder, clock) as event:
        for _ in range(30):
            append_fact(event.facts, "page read", {"sha256": BIG}, "test")
    with closing(sqlite3.connect(folder / "event.db")) as connection:
        connection.execute("VACUUM INTO ?", (str(tmp_path / "older.db"),))
    event = open_event(folder, clock)
    yield event
    event.facts.connection.close()


def facts_in(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        assert verify(connection, file.with_name("none"), "") == ()
        return [kind for (kind,) in connection.execute("SELECT kind FROM facts ORDER BY id")]


@pytest.mark.parametrize("way", WAYS)
def test_a_replaced_file_refuses_the_next_decision_and_a_copy_keeps_all_before_it(
    cup: Event, tmp_path: Path, way: Callable[[Path, Path], None]
) -> None:
    append_fact(cup.facts, "clock stopped", {"elapsed": 1}, "Tess")
    way(cup.folder / "event.db", tmp_path / "older.db")
    for _ in range(2):
        with pytest.raises(
            Stopped, match=r"nothing is written down any more\. Nothing is lost: the journal \(33 entries\)"
        ):
            append_fact(cup.facts, "clock stopped", {"elapsed": 2}, "Tess")
    (copy,) = copies_in(place_beside(cup.folder))
    assert facts_in(copy.folder / "event.db")[-1] == "clock stopped"
    assert (copy.tip.facts, (copy.folder / "event.toml").exists()) == (33, way is not move_folder)
    assert len(list(read_facts(cup.facts))) == 33, "it is read from memory"


@pytest.mark.parametrize("way", [move, put_older])
def test_a_decision_that_is_written_while_the_file_goes_is_not_answered(
    cup: Event, tmp_path: Path, way: Callable[[Path, Path], None]
) -> None:
    with pytest.raises(Stopped, match="nothing is written down any more"), cup.facts.transaction():
        cup.facts.add("clock stopped", {"elapsed": 1}, "Tess")
        way(cup.folder / "event.db", tmp_path / "older.db")
    (copy,) = copies_in(place_beside(cup.folder))
    assert copy.tip.facts in (32, 33)


def test_half_of_a_transaction_is_not_kept(cup: Event) -> None:
    with pytest.raises(Stopped, match="is not here any more"), cup.facts.transaction():
        cup.facts.add("clock stopped", {"elapsed": 1}, "Tess")
        cup.facts.look()
        (cup.folder / "event.db").unlink()
        raise cup.facts.explain_error(sqlite3.OperationalError("disk I/O error"), "could not write")
    (copy,) = copies_in(place_beside(cup.folder))
    assert copy.tip.facts == 32


def test_who_closes_a_replaced_file_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(Stopped, match="another program moved or deleted it"),
        open_event(seated(tmp_path / "cup"), clock) as event,
    ):
        append_fact(event.facts, "clock stopped", {"elapsed": 1}, "Tess")
        (event.folder / "event.db").unlink()
    assert copies_in(place_beside(tmp_path / "cup"))[0].tip.facts == 3


def test_other_programs_and_sqlite_itself_may_write(cup: Event) -> None:
    for number in range(3):
        with FactStore(cup.folder / "event.db", clock) as other:
            append_fact(other, "clock stopped", {"elapsed": number}, "Bob")
            other.connection.execute("PRAGMA wal_checkpoint(FULL)")
        append_fact(cup.facts, "clock stopped", {"elapsed": number}, "Tess")
    assert cup.facts.last_number() == 38
    assert cup.facts.verify() == ()


def test_where_nothing_beside_can_be_written_it_is_kept_in_the_second_place(cup: Event, tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    change_setting(cup, "backup", str(tmp_path / "stick"), "Tess")
    place_beside(cup.folder).write_text("no folder")
    (cup.folder / "event.db").unlink()
    with pytest.raises(Stopped, match=f"restore {cup.folder} --from {tmp_path / 'stick'}"):
        cup.facts.check_file()
    assert copies_in(tmp_path / "stick/cup-backups")[0].tip.facts == 33


def test_an_event_is_not_opened_again_where_its_file_is_another(cup: Event, tmp_path: Path) -> None:
    with open_same(cup) as other:
        assert other.facts.last_number() == 32
    put_older(cup.folder / "event.db", tmp_path / "older.db")
    with pytest.raises(Stopped, match=r"another program replaced event\.db"):
        open_same(cup)


# Scans, log-ins, event.toml and rules


def test_a_scan_that_goes_is_brought_back_and_none_is_taken_where_the_folder_is_gone(
    cup: Event, tmp_path: Path
) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF a %%EOF")
    kept = receive(cup, tmp_path / "a.pdf").path
    shutil.rmtree(cup.scans)
    assert cup.find_scan(kept.name).read_bytes() == b"%PDF a %%EOF"
    cup.folder.rename(tmp_path / "elsewhere")
    with pytest.raises(Stopped, match="it was moved or deleted, or its stick was pulled"):
        receive(cup, tmp_path / "a.pdf")
    assert not cup.folder.exists(), "nobody makes it anew"


def test_a_scan_that_is_damaged_in_place_is_whole_beside_the_copies(cup: Event, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF a %%EOF")
    kept = receive(cup, tmp_path / "a.pdf").path
    with (cup.scans / kept.name).open("rb+") as file:
        file.truncate(3)
    beside = place_beside(cup.folder) / "scans" / kept.name
    assert beside.read_bytes() == b"%PDF a %%EOF"
    assert any(str(beside) in str(problem) for problem in back_up(cup)), "it says where it can be copied back from"


@pytest.mark.parametrize("way", [move, delete, put_older])
def test_log_ins_and_sealed_lots_outlive_their_file(tmp_path: Path, way: Callable[[Path, Path], None]) -> None:
    path, older = tmp_path / "claims.db", tmp_path / "older.db"
    with closing(sqlite3.connect(older)):
        pass
    login = Login(digest="d", csrf="c", name="Tess", role="director", until=100.0)
    with closing(Claims(path)) as claims:
        claims.let_in(login)
        claims.keep_secret("lot 1", "seed")
        way(path, older)
        assert claims.claim("1.1 row", login, now=1.0, seconds=9.0)
        with closing(Claims(path)) as other:
            assert other.query("SELECT value FROM secrets", ()) == [("seed",)]
            assert other.query("SELECT what FROM claims", ()) == [("1.1 row",)]


def edit(file: Path, before: str, after: str) -> None:
    text = file.read_text("utf-8")
    assert before in text
    file.write_text(text.replace(before, after), "utf-8")


def test_an_edit_of_the_events_file_counts_from_the_next_decision_on(cup: Event) -> None:
    FilesWatch(cup)
    edit(cup.folder / "event.toml", '"Bo"', '"Bob"')
    edit(cup.folder / "event.toml", "Test Cup", "Owl Cup")
    assert "Bob" not in cup.people.names
    append_fact(cup.facts, "clock stopped", {"elapsed": 1}, "Tess")
    assert "Bob" in cup.people.names
    assert cup.details.name == "Owl Cup"
    assert [fact.kind for fact in read_facts(cup.facts, after=32)] == ["settings changed", "clock stopped"]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('"weaselmoot"', '"edc2023"', "tournament was changed while this event is open here"),
        ('"TEST"', '"WEST"', "code was changed"),
        ("[event]", "[event", "cannot be used now; put it back"),
    ],
)
def test_an_edit_that_an_open_event_cannot_follow_refuses_until_it_is_put_back(
    cup: Event, before: str, after: str, said: str
) -> None:
    FilesWatch(cup)
    good = (cup.folder / "event.toml").read_bytes()
    edit(cup.folder / "event.toml", before, after)
    for _ in range(2):
        with pytest.raises(Stopped, match=said):
            append_fact(cup.facts, "clock stopped", {"elapsed": 1}, "Tess")
    (cup.folder / "event.toml").unlink()
    with pytest.raises(Stopped, match="cannot be used now; put it back"):
        append_fact(cup.facts, "clock stopped", {"elapsed": 1}, "Tess")
    (cup.folder / "event.toml").write_bytes(good)
    assert append_fact(cup.facts, "clock stopped", {"elapsed": 1}, "Tess").number == 33


def test_rules_that_are_edited_under_an_open_event_refuse_until_it_is_opened_again(tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup")
    (folder / "rules").mkdir()
    rules = Path(__file__).parents[3] / "templates/rules/weaselmoot.toml"
    shutil.copyfile(rules, folder / "rules/own.toml")
    edit(folder / "event.toml", '"weaselmoot"', '"rules/own.toml"')
    with open_event(folder, clock) as event:
        FilesWatch(event)
        good = (folder / "rules/own.toml").read_bytes()
        (folder / "rules/own.toml").write_bytes(good + b"# ours\n")
        with pytest.raises(Stopped, match="which still goes by what it was"):
            append_fact(event.facts, "clock stopped", {"elapsed": 1}, "Tess")
        (folder / "rules/own.toml").write_bytes(good)
        append_fact(event.facts, "clock stopped", {"elapsed": 1}, "Tess")

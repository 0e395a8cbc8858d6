"""A fact that was changed or is missing is found; damage inside the file is told, by every command, in words."""

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from desk.cup import clock, seated
from facts_as_kept import append_fact, append_facts, read_facts

from benchmarks import damaged_files, random_manifests, system_faults
from benchmarks.bit_flips import EQUAL, FILES, NOTICED, make, others_tried, tried
from benchmarks.damaged_files import faults
from pipeline.cli import group
from pipeline.desk.event.event import open_event
from pipeline.ledger.facts import FactStore
from pipeline.problems import Stopped

READERS = (
    ("status",),
    ("orders", "--board", "1"),
    ("explain", "1 S1901M A MUN"),
    ("players",),
    ("position", "1"),
    ("rulings",),
    ("check",),
)
WRITERS = (
    ("draw", "--round", "1"),
    ("sheets", "--round", "1", "-o", "s.pdf"),
    ("forms", "board", "-o", "f.pdf"),
    ("rule", "--board", "1", "--power", "ITALY", "--type", "A ROM H"),
    ("adjudicate", "--board", "1"),
    ("end", "--board", "1", "--how", "time", "--why", "late"),
    ("standings", "-o", "s.csv"),
    ("cards",),
)


def run(cup: Path, command: tuple[str, ...]) -> Result:
    """Run a command on an event."""
    name, *rest = command
    return CliRunner().invoke(group, [name, str(cup), *rest])


def without_triggers(cup: Path, *statements: str) -> None:
    """Do to the facts what nobody may."""
    with closing(sqlite3.connect(cup / "event.db")) as connection:
        for trigger in ("facts_never_change", "facts_never_go"):
            connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


@pytest.fixture
def cup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An event of five facts."""
    monkeypatch.chdir(tmp_path)
    with open_event(seated(tmp_path / "cup"), clock) as event:
        for number in range(3):
            append_fact(event.facts, "clock started", {"number": number}, "Tess")
        assert event.facts.verify() == ()
    return tmp_path / "cup"


def told(cup: Path) -> list[str]:
    """What `check` tells."""
    return [line.strip() for line in run(cup, ("check",)).output.splitlines() if "event.db" in line]


def test_a_changed_fact_is_found_by_its_checksum_and_stops_every_command(cup: Path) -> None:
    without_triggers(cup, "UPDATE facts SET body = replace(body, 'board', 'boarb') WHERE kind = 'seated'")
    assert [("number 2 of the journal (seated) is not what was written down" in line) for line in told(cup)] == [True]
    for command in (*READERS[:-1], *WRITERS):
        result = run(cup, command)
        assert isinstance(result.exception, Stopped), (command, result.exception)
        assert "number 2 of the journal (seated) is not what was written down" in str(result.exception), command
        assert result.exception.code == 2


@pytest.mark.parametrize(
    ("statements", "found"),
    [
        (["DELETE FROM facts WHERE id = 3", "DELETE FROM checksums WHERE fact = 3"],
         ["number 3 of the journal is missing", "chain"]),
        (["DELETE FROM facts WHERE id IN (4, 5)", "DELETE FROM checksums WHERE fact > 3"],
         ["numbers 4 to 5 of the journal are missing"]),
        (["DELETE FROM facts WHERE id = 3"], ["number 3 of the journal is missing", "chain"]),
        (["UPDATE facts SET by = 'Gus' WHERE id = 4"], ["number 4 of the journal (clock started) is not"]),
        (["UPDATE facts SET at = '2027' WHERE id = 5"], ["number 5 of the journal (clock started) is not"]),
        (
            ["UPDATE checksums SET chain = 'x' WHERE fact = 5"],
            [
                "the chain of checksums breaks at number 5 of the journal",
                "number 5 of the journal (clock started) is another",
            ],
        ),
        (
            ["UPDATE checksums SET chain = 'x' WHERE fact = 3"],
            [
                "the chain of checksums breaks at number 3 of the journal",
                "the chain of checksums breaks at number 4 of the journal",
            ],
        ),
    ],
)  # fmt: skip
def test_every_fact_that_is_gone_or_another_is_told(cup: Path, statements: list[str], found: list[str]) -> None:
    without_triggers(cup, *statements)
    lines = told(cup)
    assert len(lines) == len(found), lines
    assert all(text in line for text, line in zip(found, lines, strict=True)), lines


def test_a_fact_of_another_day_among_these_is_noticed_by_every_command(cup: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(cup, tmp_path / "other"))
    for each in (cup, other):
        with open_event(each, clock) as event:
            append_fact(event.facts, "clock started", {"number": 6, "of": each.name}, "Tess")
            append_fact(event.facts, "clock started", {"number": 7}, "Tess")
    tables = ("INTO facts SELECT * FROM other.facts WHERE id = 6", "(fact, sum, chain) SELECT 6, sum, '")
    with closing(sqlite3.connect(cup / "event.db")) as connection:
        ((chain,),) = connection.execute("SELECT chain FROM checksums WHERE fact = 6")
    without_triggers(
        cup,
        f"ATTACH '{other / 'event.db'}' AS other",
        f"INSERT OR REPLACE {tables[0]}",
        f"INSERT OR REPLACE INTO checksums {tables[1]}{chain}' FROM other.checksums WHERE fact = 6",
    )
    for command in (*READERS[:-1], *WRITERS):
        assert "the chain of checksums breaks at number 6 of the journal" in str(run(cup, command).exception), command


def test_facts_without_the_table_of_their_sums_are_refused(cup: Path) -> None:
    without_triggers(cup, "DROP TABLE checksums")
    with pytest.raises(Stopped, match="or it is damaged; restore"):
        open_event(cup, clock)


def test_damage_anywhere_in_the_file_gives_a_message_and_no_traceback(cup: Path, tmp_path: Path) -> None:
    whole = (cup / "event.db").read_bytes()
    tried = 0
    for start in range(0, len(whole), 1500):
        for wound in (b"\xff" * 40, b"\0" * 700):
            hurt = tmp_path / "hurt"
            shutil.rmtree(hurt, ignore_errors=True)
            shutil.copytree(cup, hurt)
            (hurt / "event.db").write_bytes(whole[:start] + wound + whole[start + len(wound) :])
            for command in (("status",), ("check",), ("rule", "--board", "1", "--power", "ITALY", "--type", "A ROM H")):
                result = run(hurt, command)
                assert result.exception is None or isinstance(result.exception, Stopped | SystemExit), (
                    start,
                    command,
                    result.exc_info,
                )
                tried += 1
    assert tried > 50


@pytest.mark.parametrize("damage", ["missing", "empty", "half", "no facts"])
def test_an_event_without_its_facts_stops_every_command_with_what_to_do(cup: Path, damage: str) -> None:
    whole = (cup / "event.db").read_bytes()
    (cup / "event.db").unlink()
    match damage:
        case "empty":
            (cup / "event.db").touch()
        case "half":
            (cup / "event.db").write_bytes(whole[: len(whole) // 2])
        case "no facts":
            FactStore(cup / "event.db", clock).connection.close()
    for command in (*READERS, *WRITERS):
        result = run(cup, command)
        problems = getattr(result.exception, "problems", ())
        said = " ".join(problem.text for problem in problems) + result.output
        assert "copy" in said, (command, result.output, result.exception)
        assert not isinstance(result.exception, Stopped) or result.exception.code == 2
    assert not (cup.parent / "s.pdf").exists()


def test_facts_without_their_event_file_are_not_written_over_by_a_new_event(cup: Path, tmp_path: Path) -> None:
    (cup / "event.toml").unlink()
    (tmp_path / "players.csv").write_text("name\nAna\n")
    result = CliRunner().invoke(
        group, ["new", str(cup), "--tournament", "weaselmoot", "--roster", str(tmp_path / "players.csv")]
    )
    for each in (result, CliRunner().invoke(group, ["status", str(cup)])):
        said = "the decisions of an event are here, without its event.toml; copy event.toml back"
        assert said in str(each.exception)
    with FactStore(cup / "event.db", clock) as facts:
        assert facts.last_number() == 5


def test_a_bit_that_is_another_is_noticed_or_nothing_is_another_for_it(tmp_path: Path) -> None:
    found = tried(make(tmp_path / "event"), tmp_path, count=90, seed=11)
    assert found.total() == 90
    assert {became for _, became in found} == {NOTICED, EQUAL}
    assert found[FILES[2], NOTICED] == 30, "each bit of the log is needed"


def test_facts_are_not_read_by_way_of_an_index_which_somebody_made(cup: Path) -> None:
    whole = facts_of(cup)
    without_triggers(cup, "CREATE INDEX facts_by_kind ON facts (kind, id)")
    with closing(sqlite3.connect(cup / "event.db")) as connection:
        page = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'facts_by_kind'").fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    data = bytearray((cup / "event.db").read_bytes())
    at = data.index(b"clock started", (page - 1) * size)
    data[at] ^= 1
    (cup / "event.db").write_bytes(data)
    assert facts_of(cup) == whole
    assert ["the file is damaged" in line for line in told(cup)] == [True] * len(told(cup))


def test_what_sqlite_lost_of_its_log_is_missed_until_the_director_goes_on_without_it(cup: Path) -> None:
    older = (cup / "event.db").read_bytes()
    with open_event(cup, clock) as event:
        append_facts(event.facts, (("clock started", {"number": 4}), ("clock started", {"number": 5})), "Tess")
    (cup / "event.db").write_bytes(older)
    (missing,) = told(cup)
    assert (
        "numbers 6 to 7 of the journal are missing, as event.db-tip beside it tells (to go on without it, delete"
        in missing
    )
    for command in (*READERS[:-1], *WRITERS):
        assert "numbers 6 to 7 of the journal are missing" in str(run(cup, command).exception), command
    (cup / "event.db-tip").unlink()
    assert ["event.db-tip is not here" in line for line in told(cup)] == [True]
    assert run(cup, ("status",)).exit_code == 0


@pytest.mark.parametrize("bit", [1, 100, 640])
def test_what_is_kept_beside_the_facts_only_says_more_and_never_less(cup: Path, bit: int) -> None:
    whole, tip = facts_of(cup), bytearray((cup / "event.db-tip").read_bytes())
    tip[bit // 8] ^= 1 << bit % 8
    for damaged in (bytes(tip), b"", b"\xff" * 40):
        (cup / "event.db-tip").write_bytes(damaged)
        assert facts_of(cup) == whole
    (cup / "event.db-tip").unlink()
    (cup / "event.db-tip").mkdir()
    assert facts_of(cup) == whole
    with open_event(cup, clock) as event:
        append_fact(event.facts, "clock started", {"number": 6}, "Tess")


def test_no_command_meets_a_damaged_file_of_any_kind_with_a_traceback(tmp_path: Path) -> None:
    assert faults(damaged_files.make(tmp_path / "all"), tmp_path, count=12, seed=7) == []


def test_facts_that_were_copied_without_their_tip_are_told_until_the_next_decision(cup: Path) -> None:
    tip = cup / "event.db-tip"
    assert "event.db-tip" not in run(cup, ("status",)).output
    for damaged, name in ((None, "Hal"), (b"x" * 50, "Ivy")):
        tip.unlink() if damaged is None else tip.write_bytes(damaged)
        for command in (("status",), ("players",), ("check",)):
            assert "event.db-tip is not here, or is damaged" in run(cup, command).output
        assert run(cup, ("players", "--add", name, "--by", "Tess")).exit_code == 0
        assert "event.db-tip" not in run(cup, ("status",)).output


def no_end(path: Path) -> None:
    """Put a device there that never ends."""
    path.symlink_to("/dev/zero")


def pipe(path: Path) -> None:
    """Put a pipe there that nobody writes into."""
    if sys.platform == "win32":
        raise NotImplementedError("on Windows no pipe has a name in a folder")
    os.mkfifo(path)


def huge(path: Path) -> None:
    """Put a file there that no memory holds, and that takes no room on the disk."""
    with path.open("wb") as file:
        file.truncate(1 << 40)


@pytest.mark.skipif(os.name != "posix", reason="no pipe and no endless device has a name here")
@pytest.mark.parametrize("way", [pipe, no_end, huge])
@pytest.mark.parametrize(
    "name",
    [
        "event.db",
        "event.db-tip",
        "event.toml",
        "rules/mine.toml",
        "kept/trouble.json",
        "kept/reader.json",
        "../cup-backups/x/copy.json",
    ],
)
def test_what_is_no_file_or_has_no_end_is_told_at_once(cup: Path, name: str, way: Callable[[Path], None]) -> None:
    path = cup / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if name.startswith("rules"):
        toml = (cup / "event.toml").read_text("utf-8")
        (cup / "event.toml").write_text(toml.replace('"weaselmoot"', f'"{name}"'), "utf-8")
    way(path)
    for command in (("status",), ("players", "--add", "Hal", "--by", "Tess"), ("restore",)):
        result = run(cup, command)
        assert isinstance(result.exception, Stopped | SystemExit | None), (command, result.exception)
    if name.endswith("tip"):
        assert "event.db-tip is not here, or is damaged" in run(cup, ("status",)).output


@pytest.mark.slow
def test_bits_turned_over_in_every_other_file_of_an_event_are_noticed_or_change_nothing(tmp_path: Path) -> None:
    found = others_tried(tmp_path, count=6, seed=3)
    assert {became for _, became in found} <= {NOTICED, EQUAL}, found


@pytest.mark.slow
def test_no_manifest_leads_out_of_its_folder_or_ends_a_command_in_a_traceback(tmp_path: Path) -> None:
    assert random_manifests.faults(damaged_files.make(tmp_path / "made"), tmp_path, count=10, seed=5) == []


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="nobody kills and no file system tells its paths as here")
@pytest.mark.parametrize("by_hook", sorted({not system_faults.can_trace(), True}))
def test_a_call_of_the_system_that_fails_is_told_and_loses_nothing(tmp_path: Path, by_hook: bool) -> None:
    tries, said = system_faults.tried(tmp_path, system_faults.COMMANDS[6:9], count=2, seed=2, by_hook=by_hook)
    assert (said, sum(tries.values()) > 0) == ([], True)


def facts_of(cup: Path) -> list[str]:
    """Every fact of an event."""
    with open_event(cup, clock) as event:
        kinds = ("players numbered", "seated", "clock started")
        return [repr(fact) for kind in kinds for fact in read_facts(event.facts, kind)]


def test_the_caches_of_an_event_may_be_deleted_at_any_time(cup: Path) -> None:
    words = ["orders", str(cup), "--board", "1.1", "--json"]
    before = CliRunner().invoke(group, words)
    with open_event(cup, clock) as event:
        event.cache_folder.mkdir(exist_ok=True)
        shutil.rmtree(event.cache_folder)
    assert (before.exit_code, CliRunner().invoke(group, words).output) == (0, before.output)

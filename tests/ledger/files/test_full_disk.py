"""A full disk is called a full disk by every command (exit code 4), and what was written can be read on it."""

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from desk.cup import clock, hand_in_all, seated
from facts_as_kept import append_fact
from sampled import slow_after

from pipeline.cli import group
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.publish.publish import publish
from pipeline.desk.sheets.printing import print_round
from pipeline.ledger.files import AGAIN, is_closed, is_full, keep_file
from pipeline.problems import Stopped

READERS = (
    ("status",),
    ("status", "--json"),
    ("orders", "--board", "1", "--phase", "S1901M"),
    ("explain", "1 S1901M A MUN"),
    ("players",),
    ("position", "1"),
    ("rulings",),
    ("check",),
)
WRITERS = (
    ("draw", "--round", "2", "--seed", "1"),
    ("sheets", "--round", "1", "-o", "{here}/s.pdf"),
    ("forms", "board", "-o", "{here}/f.pdf"),
    ("rule", "--board", "1", "--power", "ITALY", "--type", "A ROM H", "--anyway"),
    ("rule", "--board", "1", "--power", "ITALY", "--sheet", "no orders"),
    ("end", "--board", "1", "--how", "time", "--why", "late"),
    ("enter", "penalty", "Ada", "late", "--points", "3", "--why", "late"),
    ("players", "--add", "Hal"),
    ("position", "1", "--off", "A VIE"),
    ("cards",),
    ("standings", "-o", "{here}/s.csv"),
)
FULL_AND_CLOSED = ("full", "closed")
AS_NOBODY = """
import os, sys
from click.testing import CliRunner
from pipeline.cli import COMMANDS, group, main
for name in COMMANDS:  # he may not read the program itself
    CliRunner().invoke(group, [name, "--help"])
CliRunner().invoke(group, ["status", sys.argv.pop(1)])
os.setgid(65534)
os.setuid(65534)
main()
"""


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """An event with a phase published."""
    with open_event(seated(tmp_path / "cup"), clock) as event:
        print_round(event, 1)
        hand_in_all(event)
        publish(event, "1", "Tess")
    return tmp_path / "cup"


@contextmanager
def small_disk(folder: Path, cup: Path) -> Iterator[Path]:
    """A disk of its own with the event on it, full to its last byte; skipped where none can be mounted."""
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)], check=False)
    if mounted.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        shutil.copytree(cup, folder / "cup")
        with (folder / "rest").open("wb", buffering=0) as rest:
            try:
                while rest.write(b"x" * 4096):
                    pass
            except OSError as error:
                assert error.errno == errno.ENOSPC
        yield folder / "cup"
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def run(cup: Path, command: Sequence[str]) -> tuple[int, str]:
    """Run a command; gives its exit code and all that it says."""
    name, *rest = (word.format(here=cup.parent) for word in command)
    result = CliRunner().invoke(group, [name, str(cup), *rest])
    if isinstance(result.exception, Stopped):
        return result.exception.code, "; ".join(f"{p.where}: {p.text}" for p in result.exception.problems)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result.exit_code, result.output


@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_what_was_written_is_read_on_a_full_disk_as_ever(cup: Path, tmp_path: Path, command: Sequence[str]) -> None:
    as_ever = run(cup, command)
    with small_disk(tmp_path / "disk", cup) as full:
        code, said = run(full, command)
    assert (code, said.replace(str(full), str(cup))) == as_ever
    assert code == 0


def test_every_command_that_writes_says_that_the_disk_is_full_and_the_event_is_as_before(
    cup: Path, tmp_path: Path
) -> None:
    with small_disk(tmp_path / "disk", cup) as full:
        before = (full / "event.db").read_bytes()
        for command in WRITERS:
            code, said = run(full, command)
            assert (code, "the disk is full" in said) == (4, True), (command, said)
        assert (full / "event.db").read_bytes() == before
        (full.parent / "rest").unlink()
        assert run(full, ("check",))[0] == 0
        assert run(full, WRITERS[3])[0] == 0
        assert not list(full.parent.rglob("*.part"))


def test_facts_in_the_log_of_a_killed_program_are_read_on_a_full_disk(cup: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(cup / "event.db", isolation_level=None)) as other, open_event(cup, clock) as event:
        other.execute("SELECT COUNT(*) FROM facts").fetchone()  # so that the log stays
        number = append_fact(event.facts, "clock started", {"n": 1}, "Tess").number
        assert (cup / "event.db-wal").stat().st_size
        with small_disk(tmp_path / "disk", cup) as full, open_event(full, clock) as read:
            assert read.facts.last_number() == number
            with pytest.raises(Stopped, match="the disk is full") as stopped:
                append_fact(read.facts, "clock started", {"n": 2}, "Tess")
    assert stopped.value.code == 4


@pytest.fixture
def closed(cup: Path) -> Iterator[Path]:
    """The event where everybody may look and nobody may write; pytest's own folders let nobody in."""
    if not hasattr(os, "getuid") or os.getuid():
        pytest.skip("only root can be somebody else")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        shutil.copytree(cup, Path(folder) / "cup")
        for path in (Path(folder) / "cup", *(Path(folder) / "cup").rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        yield Path(folder) / "cup"


@pytest.mark.parametrize(
    ("command", "code", "text"),
    slow_after(
        1,
        [
            (("status",), 0, "1.1"),
            (("orders", "--board", "1", "--phase", "S1901M"), 0, "A VIE - GAL"),
            (("explain", "1 S1901M A MUN"), 0, "A MUN - RUH"),
            (
                ("rule", "--board", "1", "--power", "ITALY", "--sheet", "no orders"),
                4,
                "nothing can be written in this folder",
            ),
        ],
    ),
    ids=["status", "orders", "explain", "rule"],
)
def test_an_event_in_a_closed_folder_is_read_by_somebody_who_may_not_write(
    cup: Path, closed: Path, command: Sequence[str], code: int, text: str
) -> None:
    name, *rest = command
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, str(cup), name, str(closed), *rest],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        env={"PYTHONPATH": str(Path(__file__).parents[3]), "PATH": os.environ["PATH"]},
    )
    assert (done.returncode, text in done.stdout + done.stderr) == (code, True), done


def test_a_file_that_cannot_be_written_whole_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_file(tmp_path / "card.pdf", b"before")
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left on device")))
    with pytest.raises(Stopped, match=r"card\.pdf: it cannot be written: the disk is full; free some") as stopped:
        keep_file(tmp_path / "card.pdf", b"after, and longer")
    assert stopped.value.code == 4
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"before"]


def test_a_card_that_cannot_be_written_leaves_the_phase_published_and_is_made_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        print_round(event, 1)
        hand_in_all(event)
        with monkeypatch.context() as full:
            full.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space")))
            with pytest.raises(Stopped, match=r"this phase is published; only its card.*the disk is full") as stopped:
                publish(event, "1", "Tess")
        assert stopped.value.code == 4
        assert len(find_game(event, "1").played) == 1
    assert run(tmp_path / "cup", ("cards",))[0] == 0
    assert sorted(path.name for path in (tmp_path / "cup" / "out").iterdir()) == [
        "1.1-S1901M-card.pdf",
        "1.1-S1901M-map.pdf",
    ]


def test_what_a_link_leads_to_is_replaced_and_what_is_no_file_is_written_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "s.pdf").write_bytes(b"before")
    (tmp_path / "s.pdf").symlink_to(tmp_path / "real" / "s.pdf")
    keep_file(tmp_path / "s.pdf", b"after")
    assert (tmp_path / "s.pdf").is_symlink()
    assert (tmp_path / "real" / "s.pdf").read_bytes() == b"after"
    if sys.platform == "win32":
        return  # no pipe has a name there
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", str(tmp_path / "pipe")], stdout=subprocess.PIPE) as other:
        with (tmp_path / "pipe").open("wb"):  # once the other reads
            keep_file(tmp_path / "pipe", b"through")
        assert other.communicate()[0] == b"through"


@pytest.mark.parametrize("more", [0, 1 << 8, 5 << 8])  # what tells one kind of error more exactly
@pytest.mark.parametrize(
    ("kind", "free", "may_write", "is_"),
    [
        (sqlite3.SQLITE_FULL, 1 << 30, True, "full"),
        (sqlite3.SQLITE_READONLY, 1 << 30, True, "closed"),
        (sqlite3.SQLITE_PERM, 1 << 30, True, "closed"),
        (sqlite3.SQLITE_IOERR, (64 << 10) - 1, True, "full"),
        (sqlite3.SQLITE_IOERR, 64 << 10, True, ""),
        (sqlite3.SQLITE_CANTOPEN, (64 << 10) - 1, True, "full"),
        (sqlite3.SQLITE_CANTOPEN, 64 << 10, False, "closed"),
        (sqlite3.SQLITE_CANTOPEN, 1 << 30, True, ""),
        (sqlite3.SQLITE_CORRUPT, 0, False, ""),
    ],
)
def test_what_the_database_reports_is_told_as_a_full_disk_a_closed_folder_or_neither(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: int, more: int, free: int, may_write: bool, is_: str
) -> None:
    error = sqlite3.OperationalError("as it is")
    error.sqlite_errorcode = kind | more
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    monkeypatch.setattr("os.access", lambda *_: may_write)
    where = str(tmp_path / "x")
    assert (is_full(error, where), is_closed(error, where)) == (is_ == "full", is_ == "closed")


@pytest.mark.parametrize("command", ["sheets --round 1", "forms board --board 1.1"])
@pytest.mark.parametrize("where", ["a full disk", "/dev/full"])
def test_nothing_is_noted_as_printed_where_its_file_has_no_room(
    cup: Path, tmp_path: Path, command: str, where: str
) -> None:
    with open_event(cup, clock) as event:
        before = event.facts.last_number()
    with small_disk(tmp_path / "disk", cup) as full:
        output = full.parent / "s.pdf" if where == "a full disk" else Path(where)
        code, said = run(cup, (*command.split(), "-o", str(output)))
    assert (code, said) == (4, f"{output}: it cannot be written: the disk is full; free some, then {AGAIN}")
    with open_event(cup, clock) as event:
        assert event.facts.last_number() == before

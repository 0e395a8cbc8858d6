"""A file that is written anew keeps who may read it, unless nobody else may; what the system refuses is told."""

import errno
import os
import sqlite3
from pathlib import Path

import pytest

from pipeline.ledger.files import (
    _put_whole,
    check_place,
    explain_system_error,
    files_in,
    hash_file,
    hash_once,
    make_again,
    write_refused,
)
from pipeline.problems import ExitCode, Stopped


@pytest.mark.parametrize(("before", "is_private", "after"), [(0o640, False, 0o640), (0o644, True, 0o600)])
def test_who_may_read_a_file_stays_unless_it_is_private(
    tmp_path: Path, before: int, is_private: bool, after: int
) -> None:
    target = tmp_path / "kept"
    target.write_bytes(b"old")
    target.chmod(before)
    assert _put_whole(target, b"new", is_private=is_private, is_last=True)
    assert (target.read_bytes(), target.stat().st_mode & 0o777) == (b"new", after)


def test_a_file_that_can_be_made_again_has_its_folders_made_and_is_no_link_any_more(tmp_path: Path) -> None:
    made = tmp_path / "far/away/made.txt"
    for data in (b"once", b"again"):
        make_again(made, data)
        assert made.read_bytes() == data
        made.unlink()
        made.symlink_to(tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_the_files_of_a_folder_are_those_that_are_whole_and_no_folders(tmp_path: Path) -> None:
    for name in ("a.pdf", "b", ".a.pdf.part", "A.PDF"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "folder.pdf").mkdir()
    (tmp_path / "gone.pdf").symlink_to(tmp_path / "nowhere")
    assert sorted(files_in(tmp_path)) == ["A.PDF", "a.pdf", "b"]


FULL, SHUT = "the disk is full; free some, then", "nothing can be written in this folder; copy the event to a disk"
REFUSED: list[tuple[OSError | int, str]] = [  # what the system says, or SQLite by its code, and what is told
    (PermissionError(errno.EACCES, "not yours", "/x"), "/x: not yours; see who may read and write it"),
    (OSError(errno.ENOSPC, "no room", "/x"), f"/x: it cannot be written: {FULL}"),
    (OSError(errno.EDQUOT, "no room"), f"writing: it cannot be written: {FULL}"),
    (OSError(errno.EROFS, "read-only", "/x"), f"/x: it cannot be written: {SHUT}"),
    (OSError(errno.EISDIR, "a folder", "/x"), "/x: a folder; see what is at this place"),
    (OSError("odd"), "writing: odd; see what is at this place"),
    (sqlite3.SQLITE_FULL, f"/x: it cannot be kept: {FULL}"),
    (sqlite3.SQLITE_READONLY, f"/x: it cannot be kept: {SHUT}"),
    (sqlite3.SQLITE_PERM, f"/x: it cannot be kept: {SHUT}"),
    (sqlite3.SQLITE_CORRUPT, "/x: it cannot be kept: odd; mend it"),
]


@pytest.mark.parametrize(("error", "told"), REFUSED)
def test_what_is_refused_is_told_with_what_helps(error: OSError | int, told: str) -> None:
    if isinstance(error, OSError):
        stopped = explain_system_error(error)
    else:
        from_sqlite = sqlite3.OperationalError("odd")
        from_sqlite.sqlite_errorcode = error
        stopped = write_refused(from_sqlite, "/x", "it cannot be kept", "mend it")
    [problem] = stopped.problems
    assert f"{problem.where}: {problem.text}".startswith(told)
    assert stopped.code is ExitCode.MACHINE_LACKS


def test_a_file_that_was_changed_and_has_its_old_size_and_time_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "scan.pdf"
    path.write_bytes(b"one")
    first, state = hash_once(path), path.stat()
    path.write_bytes(b"two")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert first != hash_once(path) == hash_file(path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
@pytest.mark.parametrize("device", ["/dev/full", "/dev/null"])
def test_a_device_that_takes_nothing_is_known_before(device: str) -> None:
    if device == "/dev/null":
        check_place(Path(device))
        return
    with pytest.raises(Stopped, match=f"/dev/full: it cannot be written: {FULL}") as stopped:
        check_place(Path(device))
    assert stopped.value.code is ExitCode.MACHINE_LACKS

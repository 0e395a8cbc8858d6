"""A file that is written anew keeps who may read it, unless nobody else may."""

from pathlib import Path

import pytest

from pipeline.ledger.files import _put_whole


@pytest.mark.parametrize(("before", "is_private", "after"), [(0o640, False, 0o640), (0o644, True, 0o600)])
def test_who_may_read_a_file_stays_unless_it_is_private(
    tmp_path: Path, before: int, is_private: bool, after: int
) -> None:
    target = tmp_path / "kept"
    target.write_bytes(b"old")
    target.chmod(before)
    assert _put_whole(target, b"new", is_private=is_private, is_last=True)
    assert (target.read_bytes(), target.stat().st_mode & 0o777) == (b"new", after)

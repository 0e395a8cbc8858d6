"""Every route answers every role by every method as it is declared, and no value that is sent is a fault."""

from pathlib import Path

from benchmarks.routes import try_all
from web.conftest import make_event


def test_no_route_answers_otherwise_than_declared_and_none_with_a_fault(tmp_path: Path) -> None:
    make_event(tmp_path / "cup")
    tries = try_all(tmp_path / "cup", seed=7, values=1)
    assert tries.failed == []
    assert set(tries.many) == {"route × role × method", "private, so not kept", "odd address", "odd body"}

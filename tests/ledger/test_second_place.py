"""The process that copies to a second place: what it is asked, what it does there, and what it leaves as its answer."""

import json
import sys
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from desk.backup.copied import receive
from desk.backup.test_damaged_copies import turn_bit
from desk.cup import clock, seated

from pipeline.desk.event.event import open_event
from pipeline.ledger.copies import SCANS, Label, copies_in
from pipeline.ledger.second_place import TOLD, CopyRequest, CopyResult, main, read_last_result

AT = "2026-03-01T10:00:00+00:00"


def ask(cup: Path, place: Path, here: Path, *, verifies_all: bool = False) -> CopyResult:
    """Ask the process for a copy; gives its answer."""
    asked = CopyRequest(Label("Test Cup", "TEST", {"event.toml": (cup / "event.toml").read_bytes()}), AT, verifies_all)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["second_place", str(cup), str(place), str(here)])
        patch.setattr(sys, "stdin", SimpleNamespace(buffer=BytesIO(msgspec.json.encode(asked))))
        main()
    answer = read_last_result(here)
    assert answer is not None
    return answer


def test_a_copy_to_a_second_place_is_answered_with_what_was_mended_and_what_is_lacking(tmp_path: Path) -> None:
    cup, here, place = seated(tmp_path / "cup"), tmp_path / "here", tmp_path / "stick/cup-backups"
    here.mkdir()
    assert read_last_result(here) is None
    (tmp_path / "mine").write_bytes(b"mine")
    (here / TOLD).symlink_to(tmp_path / "mine")
    gone = ask(cup, place, here)
    assert gone == CopyResult(str(place), AT, 0, "it is not there; is the stick in, or the share connected?")
    assert (tmp_path / "mine").read_bytes() == b"mine"
    place.parent.mkdir()
    with open_event(cup, clock) as event:
        good, bad = (receive(event, f"%PDF {number} %%EOF".encode()) for number in range(2))
        number = event.facts.last_number()
    assert ask(cup, place, here) == CopyResult(str(place), AT, number, "", is_same_disk=True)
    assert [(copy.tip.facts, copy.at, copy.name) for copy in copies_in(place)] == [(number, AT, "Test Cup")]
    turn_bit(place / SCANS / good)
    turn_bit(cup / SCANS / bad)
    assert ask(cup, place, here) == CopyResult(str(place), AT, number, "", is_same_disk=True)
    answer = ask(cup, place, here, verifies_all=True)
    assert answer.mended.startswith(f"{place / SCANS / good}: this scan was damaged beside the copies")
    assert answer.lacks == ""
    (place / SCANS / bad).unlink()
    answer = ask(cup, place, here, verifies_all=True)
    assert (answer.mended, answer.lacks[: len(str(cup))]) == ("", str(cup))
    (cup / "event.db").write_bytes(b"rubbish" * 99)
    answer = ask(cup, place, here)
    assert (answer.facts, "file is not a database" in answer.trouble) == (0, True)


def test_an_answer_that_tells_no_moment_is_none(tmp_path: Path) -> None:
    answer = {"place": "x", "at": AT, "facts": 1, "trouble": ""}
    for change, is_one in (({}, True), ({"at": "today"}, False), ({"facts": "1"}, False)):
        (tmp_path / TOLD).write_text(json.dumps(answer | change), "utf-8")
        last = read_last_result(tmp_path)
        assert (last is not None) is is_one
        assert last is None or not last.is_same_disk

"""A separate process that copies an event to a second place: a stick or a network share may be slow, gone or full.

``python -m pipeline.ledger.second_place EVENT PLACE HERE``; label and time, and whether all scans there are verified,
come on standard input, as JSON.
The result is written to ``second.json`` in the first place, HERE: the command that started it may have ended.
"""

import sys
from pathlib import Path

from msgspec import Struct, json

from pipeline.ledger.copies import SPOILT, Label, Mended, make_copy
from pipeline.ledger.facts import FACTS, FactStore
from pipeline.ledger.files import is_moment, remove_link, write_whole
from pipeline.problems import Stopped
from pipeline.processes import serve_until_end
from pipeline.small_files import read_small

TOLD = "second.json"


class CopyRequest(Struct, frozen=True):
    """What the process is asked to do."""

    label: Label
    at: str  # ISO 8601
    verifies_all: bool


class CopyResult(Struct, frozen=True):
    """How the last copy to the second place went."""

    place: str
    at: str  # ISO 8601
    facts: int  # so many are in the copy; 0: there is none
    trouble: str  # why there is none; nothing: there is one
    is_same_disk: bool = False  # as the event's: it would be lost with it
    mended: str = ""  # damage that was mended there
    lacks: str = ""  # what could not be copied


def _copy_to(event: Path, place: Path, asked: CopyRequest) -> CopyResult:
    """Make the copy; returns the reason if it fails."""
    at = asked.at
    if not place.parent.is_dir():
        return CopyResult(str(place), at, 0, "it is not there; is the stick in, or the share connected?")
    try:
        with FactStore(event / FACTS, lambda: at) as facts:
            made = make_copy(facts.snapshot(), place, asked.label, at, verifies_all=asked.verifies_all)
    except Stopped as stopped:
        return CopyResult(str(place), at, 0, "; ".join(problem.text for problem in stopped.problems))
    return CopyResult(
        str(place),
        at,
        made.copy.tip.facts,
        "",
        event.stat().st_dev == place.stat().st_dev,
        "; ".join(f"{each.where}: {each.text}" for each in made.notes if isinstance(each, Mended)),
        "; ".join(f"{each.where}: {each.text}" for each in made.notes if not isinstance(each, Mended)),
    )


def read_last_result(here: Path) -> CopyResult | None:
    """The result of the last copy to the second place; None if none was made."""
    try:
        last = json.decode(read_small(here / TOLD), type=CopyResult)
    except SPOILT:
        return None
    return last if is_moment(last.at) else None


def main() -> None:
    """Copy, and write the result down."""
    event, place, here = map(Path, sys.argv[1:4])
    result = _copy_to(event, place, json.decode(sys.stdin.buffer.read(), type=CopyRequest))
    remove_link(here / TOLD)
    write_whole(here / TOLD, json.encode(result))


if __name__ == "__main__":
    serve_until_end(main)  # if the first place cannot be written either, that is reported by its own check

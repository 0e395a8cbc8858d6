"""The files that people made for an event: its rules, tables and thresholds; and a last copy of facts that are lost."""

import tempfile
from contextlib import suppress
from pathlib import Path
from shlex import quote

from pipeline.ledger import copies
from pipeline.ledger.facts import FactStore
from pipeline.ledger.files import name_anywhere
from pipeline.problems import Stopped
from pipeline.small_files import LARGEST, fault_in_file_name, read_small
from pipeline.words.speech import write_count

NOTHING_KEPT = (
    "NOTHING COULD BE KEPT, because no place can be written: leave this open, and write down what its pages show"
)


def list_own_files(folder: Path, gate: str) -> dict[str, str]:
    """The files beside facts and scans that people made for this event, by their names in its folder.

    The value says why a file cannot be copied; it is empty for a file that can.
    """
    there = (path for path in (folder / copies.RULES).rglob("*.toml") if path.is_file())
    rules = sorted(path for path in there if copies.is_part(path.relative_to(folder).as_posix()))
    gates = sorted(folder.glob(copies.OWN_GATES))  # some may be newer than when the event was opened
    named = [*(folder / name for name in (copies.EVENT_FILE, gate) if name), *gates]
    inside = [path for path in (*named, *rules) if path.is_file()]
    faults: dict[str, str] = {}
    for name in dict.fromkeys(path.relative_to(folder).as_posix() for path in inside):
        same = next((other for other in faults if name_anywhere(other) == name_anywhere(name)), "")
        fault = fault_in_file_name(name) or (f"is that of {same} on some systems" if same else "")
        faults[name] = f"its name {fault}; rename the file" if fault else ""
        if (folder / name).stat().st_size > LARGEST:
            faults[name] = f"it is larger than {LARGEST >> 20} MB; see what is in it"
    return faults


def read_own_files(folder: Path, gate: str) -> dict[str, bytes]:
    """What stands in these files now, by their names; those that cannot be read or copied are left out."""
    contents = {}
    for name, fault in list_own_files(folder, gate).items():
        with suppress(OSError, ValueError):
            if not fault:
                contents[name] = read_small(folder / name)
    return contents


def keep_lost_facts(facts: FactStore, folder: Path, label: copies.Label, second: Path | None) -> str:
    """Keep the facts of a lost file as a copy, in the first place that can be written; returns where, in words."""
    beside = copies.place_beside(folder)
    others = (second, Path.home(), Path(tempfile.gettempdir()))
    for place in (beside, *(other and other / beside.name for other in others)):
        with suppress(Stopped, OSError, RuntimeError):
            if place is not None:
                copy = copies.make_copy(facts.snapshot(), place, label, facts.clock()).copy
                from_where = "" if place == beside else f" --from {quote(str(place))}"
                return (
                    f"Nothing is lost: the journal ({write_count(copy.tip.facts, 'entry', 'entries')}) is kept in "
                    f"{copy.folder}. End all "
                    "programs that have this event open; then go on from there with "
                    f"'ordersheets restore {quote(str(folder))}{from_where} --copy {copy.folder.name} --replace'"
                )
    return NOTHING_KEPT

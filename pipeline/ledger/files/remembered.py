"""What was worked out before and can be worked out again: kept in a file that anybody may delete at any time.

It is believed only where everything that it rests on is as it was; a file that is damaged is as good as none.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from pipeline.ledger.files.disk import write_whole


def always() -> bool:
    """Nothing changes meanwhile."""
    return True


def remembered(path: Path, rests_on: str, work_out: Callable[[], str], is_so_still: Callable[[], bool] = always) -> str:
    """What was kept in a file, where it rests on the same; else it is worked out, and kept where that is possible.

    What is no more as it was when it is worked out is not kept: somebody may have written meanwhile.
    """
    with suppress(OSError, ValueError, TypeError, KeyError):
        kept = json.loads(path.read_text("utf-8"))
        found = str(kept["found"])
        if kept["sum"] == sum_of(rests_on, found):
            return found
    found = work_out()
    if is_so_still():
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps({"found": found, "sum": sum_of(rests_on, found)}).encode())
    return found


def sum_of(rests_on: str, found: str) -> str:
    """What ties a finding to all that it rests on."""
    return hashlib.sha256(json.dumps([rests_on, found]).encode("utf-8", "surrogatepass")).hexdigest()


def as_they_are(files: Iterable[Path]) -> str:
    """Files as they are now: their names, sizes and times; of one that is not there, that it is not."""
    told = []
    for file in files:
        try:
            now = file.stat()
            told.append([str(file), now.st_size, now.st_mtime_ns])
        except OSError:
            told.append([str(file)])
    return json.dumps(told)


class ConfirmedSums:
    """Conclusions that were worked out once and found to be as they are written down; each by a sum of all it rests on.

    A sum tells nothing by itself: a damaged file confirms nothing that is not so, it is only slower. Several programs
    may add to it at once.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.new: list[str] = []

    @cached_property
    def sums(self) -> set[str]:
        """All of them, with those that the file had when they were first asked for."""
        with suppress(OSError):
            return set(self.path.read_text("ascii", errors="replace").split())
        return set()

    def __contains__(self, rests_on: str) -> bool:
        """Whether a conclusion was confirmed."""
        return one_sum(rests_on) in self.sums

    def add(self, rests_on: str) -> None:
        """Confirm a conclusion; it is written down with the next `keep`."""
        self.sums.add(one_sum(rests_on))
        self.new.append(one_sum(rests_on))

    def keep(self) -> None:
        """Write down what is new, where that is possible; nobody waits for the disk, for it can be found again."""
        if not self.new:
            return
        new, self.new = self.new, []
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="ascii") as file:
                file.write("".join(f"{each}\n" for each in ("", *new)))  # what a killed program left half ends here


def one_sum(text: str) -> str:
    """The checksum of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

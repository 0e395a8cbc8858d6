"""What was worked out before and can be worked out again: kept in a file that anybody may delete at any time.

It is believed only where everything that it rests on is as it was; a file that is damaged is as good as none.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from pipeline.ledger.disk import write_whole


def remembered(path: Path, rests_on: str, work_out: Callable[[], str]) -> str:
    """What was kept in a file, where it rests on the same; else it is worked out, and kept where that is possible."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        kept = json.loads(path.read_text("utf-8"))
        found = str(kept["found"])
        if kept["sum"] == sum_of(rests_on, found):
            return found
    found = work_out()
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

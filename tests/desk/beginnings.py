"""What many tests begin with is made once in a process; every test gets a copy of its own."""

import atexit
import shutil
import tempfile
from collections.abc import Callable, Hashable
from pathlib import Path

MADE: dict[Hashable, Path] = {}
ROOM = Path(tempfile.mkdtemp(prefix="beginnings-"))
atexit.register(shutil.rmtree, ROOM, ignore_errors=True)


def copied(make: Callable[..., object], folder: Path, *told: Hashable) -> Path:
    """Lay the event that ``make(folder, *told)`` makes into a new folder, which is given back; nobody has it open."""
    key = (make, *told)
    if key not in MADE:
        kept = Path(tempfile.mkdtemp(dir=ROOM)) / "cup"
        make(kept, *told)
        MADE[key] = kept
    return Path(shutil.copytree(MADE[key], folder))

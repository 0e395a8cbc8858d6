"""The methods of dataclasses, compiled once: Python writes them as text and compiles the text anew at every start.

That took half of the start of every command. What was compiled is kept beside the modules that Python keeps compiled
(``__pycache__``, or wherever it is told to keep them), each by the very text it was compiled from. The file may be
deleted at any time; of another Python, or damaged, it is as good as none, and where Python is told to keep nothing
(``PYTHONDONTWRITEBYTECODE``) or nothing can be written, nothing is.
"""

import atexit
import dataclasses
import hashlib
import marshal
import os
import sys
from contextlib import suppress
from functools import cached_property
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from types import CodeType
from typing import Any

DIGEST = hashlib.sha256().digest_size
LARGEST = 8_000_000  # bytes; every text that was ever compiled stays, and after many changes it is begun anew


class KeptMethods:
    """Compiled texts in a file; what is new is written down when the program ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.new: dict[str, bytes] = {}

    @cached_property
    def kept(self) -> dict[str, bytes]:
        """All that the file has, by its text; nothing where it is not as it was written by this Python."""
        with suppress(OSError):
            found = self.path.read_bytes()
            head, rest = found[: DIGEST + len(MAGIC_NUMBER)], found[DIGEST + len(MAGIC_NUMBER) :]
            if head == _sum_of(rest) + MAGIC_NUMBER:
                kept: dict[str, bytes] = marshal.loads(rest)
                return kept
        return {}

    def compiled(self, text: str) -> CodeType:
        """A text, compiled."""
        if (known := self.kept.get(text)) is not None:
            code: CodeType = marshal.loads(known)
            return code
        made = compile(text, "<string>", "exec", dont_inherit=True)
        if not self.new:
            atexit.register(self.keep)
        self.new[text] = marshal.dumps(made)
        return made

    def keep(self) -> None:
        """Write down what is new, where that may be."""
        if not self.new or sys.dont_write_bytecode:
            return
        rest = marshal.dumps(self.kept | self.new)
        if len(rest) > LARGEST:
            rest = marshal.dumps(self.new)
        part = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                part.write_bytes(_sum_of(rest) + MAGIC_NUMBER + rest)
                part.replace(self.path)
            finally:
                part.unlink(missing_ok=True)

    def run(self, text: str, names: dict[str, Any], found: dict[str, Any]) -> None:
        """Do what ``exec`` does with a text."""
        exec(self.compiled(text), names, found)


def _sum_of(data: bytes) -> bytes:
    """The checksum of what is kept."""
    return hashlib.sha256(data).digest()


def keep_methods() -> None:
    """See that the methods of every dataclass from now on are taken from what was compiled before."""
    with suppress(NotImplementedError):  # Python runs from where it keeps nothing
        path = Path(cache_from_source(str(Path(__file__).with_name("dataclasses.py")))).with_suffix(".methods")
        vars(dataclasses)["exec"] = KeptMethods(path).run

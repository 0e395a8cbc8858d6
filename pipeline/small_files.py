"""Small files that people name or make, their names, and where the program's own data files are."""

import errno
import os
import re
import stat
from pathlib import Path

from pipeline.printable import unprintable

DEVICE = re.compile(r"(?i)(con|prn|aux|nul|(com|lpt)[0-9¹²³]) *(\..*)?")  # what Windows takes for something else
LONGEST_NAME, LONGEST_PATH = 240, 1000  # 255 on most systems; a half-written file has a longer name
LARGEST = 32 << 20  # bytes: far more than any settings, rules or roster


def fault_in_file_name(name: str) -> str:
    r"""Say why a text is no valid file name inside a folder, on any system; empty if it is valid.

    It prevents path traversal. Every file name in a manifest, in ``event.toml`` or in a rules file is checked here.

    >>> fault_in_file_name("rules/mine.toml"), fault_in_file_name("../../evil.sh"), fault_in_file_name("/etc/passwd")
    ('', 'leads out of its folder', 'leads out of its folder')
    >>> fault_in_file_name("C:\\x"), fault_in_file_name("rules/nul.toml")
    ("holds '\\\\', which parts folders on some systems", 'is no name of a file on Windows')
    """
    if fault := unprintable(name):
        return f"holds {fault}"
    if mark := next((sign for sign in "\\:" if sign in name), ""):
        return f"holds {mark!r}, which parts folders on some systems"
    parts = name.split("/")
    if any(part.strip(". ") == "" for part in parts):
        return "leads out of its folder"
    if any(DEVICE.fullmatch(part) or part.endswith((".", " ")) for part in parts):
        return "is no name of a file on Windows"
    if len(name) > LONGEST_PATH or any(len(part.encode()) > LONGEST_NAME for part in parts):
        return f"is longer than {LONGEST_NAME} bytes"
    return ""


def read_small(path: Path) -> bytes:
    """Read a file of at most LARGEST bytes whole; `OSError` at once where it is larger, or no ordinary file.

    Reading a pipe might wait for ever, and some devices never end.
    """
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(errno.EINVAL, "it is no ordinary file", str(path))
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise OSError(errno.EINVAL, f"it is larger than {LARGEST >> 20} MB", str(path))
    return data


def read_named(path: Path, most: int = LARGEST) -> bytes:
    """Read a file or a pipe that a person names; `OSError` where more than ``most`` bytes come."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // 1_000_000} MB", str(path))
    return data


def read_small_text(path: Path) -> str:
    """Read a small file as text, with any line endings, with or without the mark of a Windows editor in front."""
    return decode_text(read_small(path))


def decode_text(data: bytes) -> str:
    """Bytes as text, whatever ends its lines; the byte order mark that Windows editors put in front is left out."""
    return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


PACKAGE = Path(__file__).parent


def data_folder(name: str) -> Path:
    """Find ``abbreviations``, ``templates/rules``, ``templates/sheets`` or ``samples``.

    >>> data_folder("templates/rules").is_dir()
    True
    """
    packed = PACKAGE / "_data" / name  # only an installed package has it; beside one may stand others' folders
    return packed if packed.is_dir() else PACKAGE.parent / name

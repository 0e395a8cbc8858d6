"""Spoil a workbook: a cell of it, a part of its archive, or its bytes."""

import io
import zipfile
from random import Random
from typing import Any

from openpyxl import load_workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE, Cell

from benchmarks.fuzzing.mutate import ODD_TEXTS, any_bytes, odd_text


def workbook_bytes(data: bytes, rng: Random) -> bytes:
    """Spoil a workbook somewhere."""
    match rng.randrange(4):
        case 0:
            return any_bytes(data, rng)
        case 1:
            return odd_part(data, rng)
        case _:
            return odd_cells(data, rng)


def odd_cells(data: bytes, rng: Random) -> bytes:
    """Write something odd into some cells."""
    book = load_workbook(io.BytesIO(data))
    for _ in range(rng.choice((1, 1, 2, 5))):
        sheet = rng.choice(book.worksheets)
        cell = sheet.cell(rng.randint(1, max(2, sheet.max_row)), rng.randint(1, max(2, sheet.max_column)))
        value: Any = rng.choice((*ODD_TEXTS, 0, -1, 1.5, 10**21, True, "=1/0", "#N/A", None))
        if isinstance(value, str):  # the library writes no control characters; `odd_part` does
            value = ILLEGAL_CHARACTERS_RE.sub("", value.encode("utf-8", "replace").decode())
        if isinstance(cell, Cell):  # not the hidden part of a merged one
            cell.value = value
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def odd_part(data: bytes, rng: Random) -> bytes:
    """Spoil the text of one file in the archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        names = old.namelist()
        spoilt = rng.choice(names)
        for name in names:
            content = old.read(name)
            if name == spoilt:
                if rng.random() < 0.2:
                    continue
                if rng.random() < 0.6:
                    content = odd_text(content.decode("utf-8", "replace"), rng).encode("utf-8", "replace")
                else:
                    content = any_bytes(content, rng)
            new.writestr(name, content)
    return out.getvalue()

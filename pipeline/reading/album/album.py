"""An album: watches how the pages of one file are read, and keeps labelled pictures of every stage in a folder.

Nothing that happens here reaches the reader: what cannot be drawn is noted in the album, and the page is read as ever.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, assert_never

import cv2

from pipeline.ink import PARTS, InkReading
from pipeline.reading.album.cut import picture_of_ink, picture_of_rows, rows_seen
from pipeline.reading.album.form_pictures import answers_seen, pictures_of_form
from pipeline.reading.album.leaf import ReaderSaid, RowSeen, StagePicture
from pipeline.reading.album.looks import looks_of, picture_of_looks, with_readers
from pipeline.reading.album.marks import picture_of_marks, picture_of_sheets
from pipeline.reading.album.straight import picture_of_laid, picture_of_not_laid
from pipeline.reading.transcription.stages import (
    AnswersRead,
    Laid,
    MarksSought,
    NotLaid,
    RowsCut,
    RowsRead,
    SheetsParted,
    Stage,
)

LEAF = "leaf.json"  # in the folder of a page: what its pictures are called and say
# What drawing may run into: a library that does not like a picture, a full disk. The page is read all the same.
NOT_DRAWN = (cv2.error, ValueError, LookupError, ArithmeticError, RuntimeError, OSError, MemoryError)


def folder_of_page(folder: Path, number: int) -> Path:
    """Name the folder of one page of a file.

    >>> folder_of_page(Path("scan"), 2_000_003).as_posix()
    'scan/page-3-part-2'
    """
    part, page = divmod(number, PARTS)
    return folder / (f"page-{page}-part-{part}" if part else f"page-{page}")


@dataclass(frozen=True, slots=True)
class Album:
    """Keeps the pictures of one file's pages."""

    folder: Path

    def __call__(self, stage: Stage) -> None:
        """Draw a stage, and keep it."""
        folder = folder_of_page(self.folder, stage.number)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            leaf = {} if isinstance(stage, MarksSought) else read_leaf(folder)
            (folder / LEAF).write_text(json.dumps(added(leaf, stage, folder), indent=1), "utf-8")
        except NOT_DRAWN as fault:
            note(folder, f"{type(stage).__name__}: {type(fault).__name__}: {fault}")


def added(leaf: Mapping[str, Any], stage: Stage, folder: Path) -> dict[str, Any]:
    """Write a stage's pictures into the folder, and add what they say to the page's leaf."""
    pictures, rows = list(leaf.get("stages", [])), list(leaf.get("rows", []))
    new_pictures, new_rows = drawn(stage)
    for picture in new_pictures:
        name = f"{picture.name}.png"
        (folder / name).write_bytes(picture.png)
        kept = {"picture": name, "title": picture.title, "told": list(picture.told)}
        pictures = [each for each in pictures if each["picture"] != name] + [kept]
    for row in new_rows:
        crop, ink = (f"row-{row.number:02}-{what}.png" for what in ("crop", "ink"))
        (folder / crop).write_bytes(row.crop)
        (folder / ink).write_bytes(row.ink)
        rows.append(
            {"number": row.number, "crop": crop, "ink": ink, "readers": [*map(said, (row.first, *row.further))]}
        )
    return {"stages": pictures, "rows": rows, "faults": list(leaf.get("faults", []))}


def drawn(stage: Stage) -> tuple[list[StagePicture], list[RowSeen]]:
    """Draw a stage; once its rows are read, each of them by itself as well."""
    match stage:
        case MarksSought():
            return [picture_of_marks(stage)], []
        case SheetsParted():
            return [picture_of_sheets(stage)], []
        case NotLaid():
            return [picture_of_not_laid(stage)], []
        case Laid():
            return [picture_of_laid(stage)], []
        case RowsCut():
            return [picture_of_rows(stage)], []
        case RowsRead():
            looks = looks_of(stage)
            pictures = [picture_of_ink(stage), picture_of_looks(stage, looks)]
            return pictures, [with_readers(row, looks.get(row.number)) for row in rows_seen(stage)]
        case AnswersRead():
            return list(pictures_of_form(stage)), list(answers_seen(stage))
        case _:
            assert_never(stage)


def said(reader: ReaderSaid | None) -> dict[str, Any] | None:
    """Write down what a reader said."""
    if reader is None:
        return None
    return {"letters": reading(reader.letters), "line": None if reader.line is None else reading(reader.line)}


def reading(one: InkReading) -> dict[str, Any]:
    """Write down a reading."""
    return {"text": one.text, "confidence": one.confidence}


def read_leaf(folder: Path) -> dict[str, Any]:
    """What was kept of a page so far; nothing where nothing was, or where it is damaged."""
    try:
        leaf = json.loads((folder / LEAF).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return leaf if isinstance(leaf, dict) else {}


def note(folder: Path, fault: str) -> None:
    """Keep it in the leaf that something could not be drawn; where that cannot be written either, nothing is lost."""
    try:
        leaf = read_leaf(folder)
        leaf["faults"] = [*leaf.get("faults", []), fault]
        (folder / LEAF).write_text(json.dumps(leaf, indent=1), "utf-8")
    except (OSError, ValueError):
        return

"""Hands that the director takes from one event to the next: never automatically, and in a folder that he names.

Handwriting is private. Only ``hands --keep`` copies a hand out of the event's folder, and only ``hands --bring``
copies one in. A file holds features and texts of known rows, no pictures. To forget a hand, delete its file.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from itertools import count, takewhile
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.desk.event.event import Event
from pipeline.ledger.events import HandBrought
from pipeline.ledger.files import keep_file
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.reading import recogniser
from pipeline.small_files import read_small

SUFFIX = ".hand"
FOLDER = "hands"  # in the event's own
PAGE = 0  # page number of brought rows; no scan has it
ABOUT = "about"
NEXT_VIEW = "-again"  # suffix of a row's number for the second reader's features; twice for the third's
MOST_BYTES = 20_000_000  # 48 rows have 4 MB
BROKEN = (OSError, ValueError, EOFError, KeyError, TypeError, zipfile.BadZipFile)  # raised by a damaged file


class KeptHand(Struct, frozen=True):
    """What is kept of one player's hand."""

    player: str
    event: str  # where it was written, for people
    nets: str  # the readers that made these features; other readers cannot use them
    texts: tuple[str, ...]
    seen: tuple[recogniser.KeptRow, ...]

    def pack(self) -> bytes:
        about = {"player": self.player, "event": self.event, "nets": self.nets, "texts": self.texts}
        arrays: dict[str, NDArray[Any]] = {ABOUT: np.frombuffer(json.dumps(about).encode(), np.uint8)}
        for number, saw in enumerate(self.seen):
            arrays |= arrays_of(str(number), saw)
        return as_file(arrays)

    @classmethod
    def unpack(cls, data: bytes) -> "KeptHand":
        """Read a file; raises one of the `BROKEN` errors if it is no hand."""
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            about = json.loads(bytes(file[ABOUT]))
            texts = tuple(map(str, about["texts"]))
            seen = tuple(row_in_file(str(row), file) for row in range(len(texts)))
            if any(saw.first.ndim != 2 or saw.first.dtype != np.float16 for saw in seen):
                raise ValueError("no rows that a reader saw")
            return cls(str(about["player"]), str(about["event"]), str(about["nets"]), texts, seen)


def arrays_of(number: str, saw: recogniser.KeptRow) -> dict[str, NDArray[Any]]:
    return {number + NEXT_VIEW * reader: view for reader, view in enumerate((saw.first, *saw.further))}


def as_file(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def row_in_file(number: str, file: Mapping[str, NDArray[Any]]) -> recogniser.KeptRow:
    """Take a row out of a file; a `KeyError` where it is not there."""
    further = takewhile(lambda view: view is not None, (file.get(number + NEXT_VIEW * reader) for reader in count(1)))
    return recogniser.KeptRow(file[number], tuple(view for view in further if view is not None))


def keep_hands(hands: Sequence[KeptHand], folder: Path) -> list[Path]:
    """Write hands into a folder, a file each; a player's earlier file there is replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for hand in hands:
        path = folder / f"{hashlib.sha256(hand.player.encode()).hexdigest()[:16]}{SUFFIX}"
        keep_file(path, hand.pack())
        paths.append(path)
    return paths


def bring_hands(event: Event, folder: Path, by: str) -> list[KeptHand]:
    """Bring the hands of this event's players into it; stop if a file is no hand."""
    if not folder.is_dir():
        raise stop("no such folder; name the one that 'hands --keep' wrote", str(folder))
    problems: list[Problem] = []
    taken: list[tuple[KeptHand, bytes]] = []
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            if path.stat().st_size > MOST_BYTES:
                raise ValueError(path.name)
            data = path.read_bytes()
            taken.append((KeptHand.unpack(data), data))
        except BROKEN:
            problems.append(Problem(Weight.STOPS, "no hand that 'hands --keep' wrote; take it out", str(path)))
    if problems:
        raise Stopped(problems)
    here = {player.name: player for player in event.players}
    brought = [(hand, data) for hand, data in taken if hand.player in here]
    known = {fact.said.sha256 for fact in event.facts.select(HandBrought)}
    for hand, data in brought:
        sha256, number = hashlib.sha256(data).hexdigest(), here[hand.player].number or 0
        path = _path_of(event, sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        keep_file(path, data)
        if sha256 not in known:
            names = event.people.table([number])
            said = HandBrought(player=number, sha256=sha256, rows=len(hand.texts), event=hand.event, names=names)
            event.facts.write(said, by)
    return [hand for hand, _ in brought]


def _path_of(event: Event, sha256: str) -> Path:
    return event.folder / FOLDER / f"{sha256}{SUFFIX}"


def read_brought(event: Event, sha256: str) -> KeptHand | None:
    """Read a brought hand; None if its file is missing, damaged or was replaced."""
    try:
        data = read_small(_path_of(event, sha256))
        return KeptHand.unpack(data) if hashlib.sha256(data).hexdigest() == sha256 else None
    except BROKEN:
        return None

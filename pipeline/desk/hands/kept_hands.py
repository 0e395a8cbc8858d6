"""Hands kept from one event to the next, where the director keeps them: never by itself, and in a folder that he names.

How somebody writes is his own affair. Nothing of a hand leaves its event's folder unless ``hands --keep`` is said, and
nothing of another event comes in unless ``hands --bring`` is. A file holds what the readers saw in rows whose text is
known, and the texts: no pictures. Who deletes a file has forgotten that hand.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, takewhile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.desk.event.event import Event
from pipeline.desk.hands.known_rows import KnownBy, KnownRow
from pipeline.ledger.events import HandBrought
from pipeline.ledger.files.disk import keep_file
from pipeline.problems import Problem, Stopped, Weight
from pipeline.reading.rows.recogniser import KeptRow

SUFFIX = ".hand"
FOLDER = "hands"  # in the event's own
PAGE = 0  # of what was brought: no scan has such a page
ABOUT = "about"
AGAIN = "-again"  # behind the number of a row: what the second reader saw of it; twice: the third
MOST_BYTES = 20_000_000  # 48 rows have 4 MB
BROKEN = (OSError, ValueError, EOFError, KeyError, TypeError, zipfile.BadZipFile)  # what a half-written file does


@dataclass(frozen=True, slots=True)
class KeptHand:
    """What is kept of one player's hand."""

    player: str
    event: str  # where it was written, for people
    nets: str  # the readers that saw it: to others it says nothing
    texts: tuple[str, ...]
    seen: tuple[KeptRow, ...]

    def packed(self) -> bytes:
        """Pack it into one file."""
        about = {"player": self.player, "event": self.event, "nets": self.nets, "texts": self.texts}
        arrays: dict[str, NDArray[Any]] = {ABOUT: np.frombuffer(json.dumps(about).encode(), np.uint8)}
        for number, saw in enumerate(self.seen):
            arrays |= arrays_of(str(number), saw)
        return as_file(arrays)

    @classmethod
    def unpacked(cls, data: bytes) -> "KeptHand":
        """Read a file; one of `BROKEN` where it is none."""
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            about = json.loads(bytes(file[ABOUT]))
            texts = tuple(map(str, about["texts"]))
            seen = tuple(row_of(str(row), file) for row in range(len(texts)))
            if any(saw.first.ndim != 2 or saw.first.dtype != np.float16 for saw in seen):
                raise ValueError("no rows that a reader saw")
            return cls(str(about["player"]), str(about["event"]), str(about["nets"]), texts, seen)


def arrays_of(number: str, saw: KeptRow) -> dict[str, NDArray[Any]]:
    """Name what the readers saw of a row, as it lies in a file."""
    return {number + AGAIN * reader: view for reader, view in enumerate((saw.first, *saw.further))}


def as_file(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Pack arrays into a file under their names."""
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def row_of(number: str, file: Mapping[str, NDArray[Any]]) -> KeptRow:
    """Take a row out of a file; a `KeyError` where it is not there."""
    further = takewhile(lambda view: view is not None, (file.get(number + AGAIN * reader) for reader in count(1)))
    return KeptRow(file[number], tuple(view for view in further if view is not None))


def keep(hands: Sequence[KeptHand], folder: Path) -> list[Path]:
    """Write hands into a folder, a file each; a player's earlier file there is replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for hand in hands:
        path = folder / f"{hashlib.sha256(hand.player.encode()).hexdigest()[:16]}{SUFFIX}"
        keep_file(path, hand.packed())
        found.append(path)
    return found


def bring(event: Event, folder: Path, by: str) -> list[KeptHand]:
    """Bring the hands of those who play here into the event; what is no hand is told, and nothing is brought then."""
    if not folder.is_dir():
        raise Stopped([Problem(Weight.STOPS, "no such folder; name the one that 'hands --keep' wrote", str(folder))])
    problems: list[Problem] = []
    found: list[tuple[KeptHand, bytes]] = []
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            if path.stat().st_size > MOST_BYTES:
                raise ValueError(path.name)
            data = path.read_bytes()
            found.append((KeptHand.unpacked(data), data))
        except BROKEN:
            problems.append(Problem(Weight.STOPS, "no hand that 'hands --keep' wrote; take it out", str(path)))
    if problems:
        raise Stopped(problems)
    here = {player.name: player for player in event.players}
    brought = [(hand, data) for hand, data in found if hand.player in here]
    known = {fact.said.sha256 for fact in event.facts.told(HandBrought)}
    for hand, data in brought:
        sha256, number = hashlib.sha256(data).hexdigest(), here[hand.player].number or 0
        path = path_of(event, sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        keep_file(path, data)
        if sha256 not in known:
            names = event.people.table([number])
            said = HandBrought(player=number, sha256=sha256, rows=len(hand.texts), event=hand.event, names=names)
            event.facts.write(said, by)
    return [hand for hand, _ in brought]


def path_of(event: Event, sha256: str) -> Path:
    """Where a hand lies that was brought."""
    return event.folder / FOLDER / f"{sha256}{SUFFIX}"


def read_brought(event: Event, sha256: str) -> KeptHand | None:
    """A hand that was brought; None where its file is gone or broken, or is another than it was."""
    try:
        data = path_of(event, sha256).read_bytes()
        return KeptHand.unpacked(data) if hashlib.sha256(data).hexdigest() == sha256 else None
    except BROKEN:
        return None


def brought_rows(event: Event) -> Iterator[tuple[str, list[KnownRow]]]:
    """The rows of the hands that were brought, by player."""
    for fact in event.facts.told(HandBrought):
        hand = read_brought(event, fact.said.sha256)
        if hand is not None:
            rows = [
                KnownRow("", fact.said.sha256, PAGE, number, text, KnownBy.BROUGHT, fact.number)
                for number, text in enumerate(hand.texts)
            ]
            yield event.people.name_of(fact.said.player), rows


def seen_before(event: Event, sha256: str, nets: str) -> Mapping[int, KeptRow]:
    """What the readers saw in rows that were brought; nothing where it was other readers."""
    hand = read_brought(event, sha256)
    return dict(enumerate(hand.seen)) if hand is not None and hand.nets == nets else {}

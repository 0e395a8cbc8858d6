"""What it brings to know a hand: ten seasons of people the net never saw, each season taught by those before it.

``python benchmarks/reading_hands.py --writers 12``. A row that was asked comes back with what was really written, as
the director would type it; a row that was not asked comes back as it was read. Nobody tells of silent errors.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pipeline.reading.net.engine import NetRecogniser
from pipeline.reading.recogniser import Crop
from training.answers import Answer, by_net
from training.calibrate import MISORDERS
from training.rows import Row, halves, written

SEASONS, ROWS_A_SEASON = 10, 8


@dataclass(slots=True)
class Season:
    """All rows of all hands in one season."""

    legal: int = 0
    asked: int = 0
    right: int = 0
    wrong_unasked: int = 0
    rows: int = 0

    def count(self, answer: Answer) -> None:
        """Add a row."""
        self.rows += 1
        self.wrong_unasked += not answer.asked and not answer.right
        if answer.row.case.kind == "legal":
            self.legal += 1
            self.asked += answer.asked
            self.right += answer.right


def play(rows: Sequence[Row], reader: NetRecogniser, seasons: Sequence[Season], *, learns: bool) -> None:
    """Read ten seasons of one hand."""
    known: list[tuple[Crop, str]] = []
    for number, season in enumerate(seasons):
        taught = reader.taught(known) if learns else reader
        for answer in by_net(rows[number * ROWS_A_SEASON : (number + 1) * ROWS_A_SEASON], taught):
            season.count(answer)
            known.append((Crop(answer.row.grey, 0), answer.row.case.text if answer.asked else answer.text))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writers", type=int, default=12)
    parser.add_argument("--seed", type=int, default=5)
    found = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    reader = NetRecogniser()
    writers = sorted(halves()[1])[: found.writers]
    count = SEASONS * ROWS_A_SEASON
    books = [written(count, MISORDERS, found.seed + n, frozenset({name})) for n, name in enumerate(writers)]
    books = [rows for rows in books if len(rows) == count]
    for learns in (False, True):
        seasons = [Season() for _ in range(SEASONS)]
        for rows in books:
            play(rows, reader, seasons, learns=learns)
        print(f"{reader.name}, {'learning each hand' if learns else 'knowing nobody'}: {len(books)} hands")
        for number, season in enumerate(seasons, start=1):
            asked, right = season.asked / season.legal, season.right / season.legal
            print(f"  season {number:2}  asked {asked:6.1%}  right {right:6.1%}  of {season.legal} legal;", end=" ")
            print(f"wrong unasked {season.wrong_unasked} of {season.rows}")


if __name__ == "__main__":
    main()

"""Rows of people the net never saw: the net beside tesseract with rapidfuzz, on the same pictures.

``python benchmarks/reading_lines.py --rows 2000 --peer 150``. Half of the dev writers were used to set the gate's
thresholds; only the others write here. Tesseract starts a process a row, so it gets a part of the rows.
"""

import argparse
import random
import sys
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytesseract
from rapidfuzz import fuzz, process

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.whole_sheets.count import wilson
from pipeline.reading.alphabet import spelling
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.recogniser import Vocabulary, VocabularyLine
from training.answers import Answer, by_net, is_right
from training.calibrate import MISORDERS
from training.orders import admissible
from training.rows import Row, halves, written

SIMILAR = 0.75  # the similarity at which people usually accept a fuzzy match


def by_tesseract(row: Row, lines: Vocabulary) -> Answer:
    """Read with the settings that READING found best, and take the nearest spelling of an admissible order."""
    begun = time.process_time()
    large = cv2.resize(row.grey, None, fx=1.5, fy=1.5, interpolation=cv2.INTER_CUBIC)
    read = pytesseract.image_to_string(large, lang="eng", config="--psm 7 --oem 1")
    texts = [text for line in lines.lines for text in spellings(line)]
    found = process.extractOne(spelling(read), texts, scorer=fuzz.ratio)
    text, similar = (found[0], found[1] / 100) if found else ("", 0.0)
    return Answer(row, text, similar < SIMILAR, is_right(text, row, lines), time.process_time() - begun)


def spellings(line: VocabularyLine, most: int = 60) -> list[str]:
    """Spell a line in its commonest ways."""
    slots = [tuple(dict.fromkeys(spelling(word) for word in slot))[:3] for slot in line.slots]
    return ["".join(words) for words in product(*slots)][:most]


def table(answers: Sequence[Answer], name: str) -> str:
    """Say how one reader did."""
    legal = [one for one in answers if one.row.case.kind == "legal"]
    others = [one for one in answers if one.row.case.kind != "legal"]
    wrong = [one for one in answers if not one.asked and not one.right]
    low, high = wilson(len(wrong), len(answers))
    lines = [
        f"## {name}: {len(answers)} rows of {len({one.row.writer for one in answers})} writers",
        f"best reading right, legal rows     {sum(one.right for one in legal) / len(legal):.2%}",
        f"asked, legal rows                  {sum(one.asked for one in legal) / len(legal):.2%}",
        f"asked, misorders                   {sum(one.asked for one in others)} of {len(others)}",
        f"wrong unasked                      {len(wrong)}: {1e4 * len(wrong) / len(answers):.1f} per 10,000 "
        f"(95 %: {1e4 * low:.1f} to {1e4 * high:.1f})",
        f"processor time a row               {1000 * float(np.median([one.seconds for one in answers])):.0f} ms",
    ]
    return "\n".join(
        [*lines, *(f"  {one.row.writer} {one.row.case.text!r} read as {one.text!r}" for one in wrong[:10])]
    )


def by_decile(answers: Sequence[Answer]) -> str:
    """Part the writers by how often they are asked."""
    asked: dict[str, list[bool]] = {}
    for one in answers:
        if one.row.case.kind == "legal":
            asked.setdefault(one.row.writer, []).append(one.asked)
    shares = sorted(sum(rows) / len(rows) for rows in asked.values())
    parts = np.array_split(np.array(shares), min(10, len(shares)))
    return "asked of legal rows, by tenth of writers: " + " ".join(f"{part.mean():.0%}" for part in parts)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--peer", type=int, default=150, help="rows for tesseract")
    parser.add_argument("--seed", type=int, default=77)
    found = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    _, unseen = halves()
    rows = written(found.rows, MISORDERS, found.seed, unseen)
    engine = NetRecogniser()
    net = by_net(rows, engine)
    print(table(net, engine.name), by_decile(net), sep="\n", end="\n\n")
    some = random.Random(found.seed).sample(rows, min(found.peer, len(rows)))
    if some:
        peer = [by_tesseract(row, admissible(row.case.position, row.case.power).vocabulary) for row in some]
        print(table(peer, f"tesseract + rapidfuzz, asked below {SIMILAR}"))


if __name__ == "__main__":
    main()

"""Rows of people the net never saw: the net beside tesseract with rapidfuzz, on the same pictures.

``python benchmarks/reading_lines.py --rows 2000 --peer 150``. Half of the dev writers were used to set the gate's
thresholds; only the others write here. Tesseract starts a process a row, so it gets a part of the rows.

``--beside 2000`` reads as many rows with ink beside what is read (`training/beside.py`) by the fresh people instead,
and as many legal rows by them: what the rules make of a row that stands must be what they make of all that is written.
"""

import argparse
import random
import sys
import time
from collections.abc import Sequence
from itertools import groupby, product
from pathlib import Path

import cv2
import numpy as np
import pytesseract
from rapidfuzz import fuzz, process

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.whole_sheets.count import wilson
from pipeline.ink import Tier
from pipeline.orders import Order
from pipeline.reading.alphabet import spelling
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.recogniser import Taken, Vocabulary, VocabularyLine
from training.answers import Answer, by_net, is_right
from training.calibrate import MISORDERS
from training.cases import BESIDE, Case
from training.measured import expected, seat
from training.orders import admissible
from training.rows import Row, drawn_cases, halves, written
from training.wrong import Wrong, Yardstick

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


def read_beside(rows: Sequence[Row], engine: NetRecogniser) -> list[tuple[Row, bool, bool]]:
    """Read rows of the fresh people: each with whether it is asked, and whether what would stand is wrong."""
    found: list[tuple[Row, bool, bool]] = []
    for (position, power), together in groupby(rows, key=lambda row: (seat(row), row.case.power)):
        sheet = list(together)
        orders, lines, truth = expected(position, power)
        crops = [row.crop for row in sheet]
        looked = [engine.look(crop) for crop in crops]
        weighed = engine.weighed_again(engine.weigh_rows(looked, lines), lines, crops)
        for row, one in zip(sheet, weighed, strict=True):
            if one is None:
                continue
            asked = engine.judge_row(one, lines).tier not in (Tier.ACCEPTED, Tier.MARKED)
            found.append((row, asked, is_wrong(row.case, orders[one.evidence.best], truth)))
    return found


def is_wrong(case: Case, order: Order | None, truth: Yardstick) -> bool:
    """Whether an order is not what the rules make of all that is written; what a mark means no rule says."""
    if case.kind != BESIDE:
        return truth.wrong(case.text, order) is Wrong.OTHER
    return bool(case.mark) or truth.rules is None or truth.rules.judge_text(case.text, order) is not Taken.SAME


def kind_of(case: Case) -> str:
    return case.mark or ("signs in the text" if case.kind == BESIDE else case.kind)


def table_beside(answers: Sequence[tuple[Row, bool, bool]]) -> str:
    """Say of each kind of row how many are asked, and how many stand and are wrong."""
    lines = [f"{'':24}{'rows':>7}{'people':>8}{'asked':>8}{'wrong unasked':>15}   95 %"]
    kinds = {kind_of(row.case) for row, _, _ in answers}
    for kind in (*sorted(kinds - {"legal"}), BESIDE, "legal"):
        some = [one for one in answers if kind in (kind_of(one[0].case), one[0].case.kind)]
        wrong = sum(bad and not asked for _, asked, bad in some)
        low, high = wilson(wrong, len(some))
        people, asked = len({row.writer for row, _, _ in some}), sum(asked for _, asked, _ in some)
        lines.append(f"{kind:24}{len(some):7}{people:8}{asked / len(some):8.1%}{wrong:15}   {low:.2%} to {high:.2%}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--peer", type=int, default=150, help="rows for tesseract")
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--beside", type=int, default=0, help="rows with ink beside what is read, and legal rows")
    found = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    if found.beside:
        rows = written(drawn_cases(0.5, found.seed, kinds=(BESIDE,)), 2 * found.beside, found.seed, people="fresh")
        print(table_beside(read_beside(rows, NetRecogniser())))
        return
    _, unseen = halves()
    rows = written(drawn_cases(MISORDERS, found.seed), found.rows, found.seed, unseen)
    engine = NetRecogniser()
    net = by_net(rows, engine)
    print(table(net, engine.name), by_decile(net), sep="\n", end="\n\n")
    some = random.Random(found.seed).sample(rows, min(found.peer, len(rows)))
    if some:
        peer = [by_tesseract(row, admissible(row.case.position, row.case.power).vocabulary) for row in some]
        print(table(peer, f"tesseract + rapidfuzz, asked below {SIMILAR}"))


if __name__ == "__main__":
    main()

"""The peer: tesseract with its best settings on the same crops, and the nearest spelling of a legal order."""

from collections.abc import Iterator, Sequence
from itertools import product

import cv2
import pytesseract
from msgspec.structs import replace
from rapidfuzz import fuzz, process

from benchmarks.whole_sheets.compare import Kept, Truth
from benchmarks.whole_sheets.found import READER, Found
from pipeline.interpret.lexicon import spellings
from pipeline.reading.alphabet import spelling
from pipeline.reading.identify import Identified, identify
from pipeline.reading.recogniser import Crop
from pipeline.reading.register import RegisteredPage, register
from pipeline.reading.rows import cut_rows
from pipeline.rules.tournament import Tournament

SIMILAR = 0.75  # the similarity at which people usually accept a fuzzy match
MOST_SPELLINGS = 60  # of one order, the commonest
SETTINGS = "--psm 7 --oem 1"


def by_tesseract(kept: Kept, found: Sequence[Found], tournament: Tournament, event: str) -> Iterator[Found]:
    """Read the rows of one power's sheets as the peer does; rows that cannot be cut out are asked."""
    truth, crops = Truth(kept, tournament), crops_of(kept, event)
    texts = [text for each in spellings(kept.seat.power, kept.seat.position, tournament) for text in common(each.slots)]
    for row in found:
        read, similar = nearest(crops.get(row.line), texts)
        order = truth.would_be(row.line, read) if read and row.line in truth.texts else ""
        asked = "" if similar >= SIMILAR else READER
        same = row.line in truth.texts and truth.is_same(row.line, read)
        yield replace(
            row,
            read=read,
            order=order,
            asked=asked,
            why="not similar enough" if asked else "",
            tier="asked" if asked else "accepted",
            same=same,
            best=order == row.truth,
            confidence=similar,
            crop="",
        )


def crops_of(kept: Kept, event: str) -> dict[int, Crop]:
    """Cut the rows out as the product does."""
    found: dict[int, Crop] = {}
    for layout, scan in zip(kept.layouts, kept.scans, strict=True):
        seen = identify(scan.image, {layout.sheet: layout}, event)
        if isinstance(seen, Identified):
            straight = register(seen.grey, seen.marks, layout.marker_ids, layout.form)
            if isinstance(straight, RegisteredPage):
                found |= {row.number: row.crop for row in cut_rows(straight) if not row.is_blank}
    return found


def common(slots: Sequence[Sequence[str]]) -> list[str]:
    """Spell an order in its commonest ways."""
    words = [tuple(dict.fromkeys(spelling(word) for word in slot))[:3] for slot in slots]
    return ["".join(chosen) for chosen in product(*words)][:MOST_SPELLINGS]


def nearest(crop: Crop | None, texts: Sequence[str]) -> tuple[str, float]:
    """Read one crop, and find the spelling most like it."""
    if crop is None:
        return "", 0.0
    large = cv2.resize(crop.grey, None, fx=1.5, fy=1.5, interpolation=cv2.INTER_CUBIC)
    read = spelling(pytesseract.image_to_string(large, lang="eng", config=SETTINGS))
    match = process.extractOne(read, texts, scorer=fuzz.ratio)
    return (match[0], match[1] / 100) if match else ("", 0.0)

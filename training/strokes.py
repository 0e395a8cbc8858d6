"""Real people's pen strokes, by writer: letters to compose with, and whole words as they were joined."""

import gzip
import json
import pickle
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from pipeline.reading.alphabet import spelling

Stroke = NDArray[np.float32]  # points x, y; y down
BANDS = 12  # horizontal bands in which the sides of a letter are measured, to set the next one close
BAND_TOP, BAND_BOTTOM = -1.3, 0.6  # in capital heights; the baseline is 0
HANDWRITING = Path(__file__).resolve().parents[2] / "shared" / "handwriting"


class Glyph(Struct, frozen=True):
    """One letter one person wrote, in capital heights, baseline at 0, left edge at 0."""

    strokes: tuple[Stroke, ...]
    width: float
    left: NDArray[np.float32]  # per band: how far the ink stays from the left edge
    right: NDArray[np.float32]  # per band: how far the ink reaches; -inf where there is none


class Writer(Struct, frozen=True):
    """One person's letters and the gaps between them."""

    name: str
    glyphs: Mapping[str, tuple[Glyph, ...]]
    gap: float  # usual gap between letters, in capital heights
    space: float  # usual gap between words


class Word(Struct, frozen=True):
    """A word or line as one person joined it; height 1 = the height of its ink, top at 0."""

    writer: str
    text: str
    strokes: tuple[Stroke, ...]
    width: float


class Hands(Struct, frozen=True):
    """Everything one split holds."""

    writers: tuple[Writer, ...]
    words: tuple[Word, ...]  # those of one writer stand together
    fonts: tuple[Writer, ...] = ()  # drawn and not recorded; only learnt from


def glyph(strokes: list[Stroke]) -> Glyph:
    """Measure a letter's sides."""
    left_edge = min(float(stroke[:, 0].min()) for stroke in strokes)
    moved = tuple(np.asarray(stroke - [left_edge, 0], np.float32) for stroke in strokes)
    points = np.concatenate([dense(stroke) for stroke in moved])
    band = ((points[:, 1] - BAND_TOP) / (BAND_BOTTOM - BAND_TOP) * BANDS).astype(int).clip(0, BANDS - 1)
    left, right = np.full(BANDS, np.inf, np.float32), np.full(BANDS, -np.inf, np.float32)
    for near in (-1, 0, 1):  # a band's neighbours count, or letters would slide into one another
        beside = np.clip(band + near, 0, BANDS - 1)
        np.minimum.at(left, beside, points[:, 0])
        np.maximum.at(right, beside, points[:, 0])
    return Glyph(moved, float(points[:, 0].max()), left, right)


def dense(stroke: Stroke, step: float = 0.04) -> Stroke:
    """Add points until none is further than ``step`` from the next."""
    if len(stroke) < 2:
        return stroke
    far = np.hypot(*np.diff(stroke, axis=0).T)
    at = np.concatenate([[0], np.cumsum(far)])
    every = np.linspace(0, at[-1], max(2, int(at[-1] / step)))
    return np.stack([np.interp(every, at, stroke[:, axis]) for axis in (0, 1)], 1).astype(np.float32)


def smooth(stroke: Stroke, sigma: float) -> Stroke:
    """Take the digitiser's noise out of a stroke, its ends left where they are."""
    if len(stroke) < 6:
        return stroke
    kernel = cv2.getGaussianKernel(5, sigma).ravel()
    padded = np.pad(stroke, ((2, 2), (0, 0)), mode="edge")
    softened = np.stack([np.convolve(padded[:, axis], kernel, "valid") for axis in (0, 1)], 1)
    softened[0], softened[-1] = stroke[0], stroke[-1]
    return softened.astype(np.float32)


def letters(split: str, folder: Path = HANDWRITING, most: int | None = None) -> tuple[Writer, ...]:
    """Load the letters of the writers of a split: of all, or of the first few."""
    with (folder / "tools" / "bank.pkl").open("rb") as stream:
        bank = pickle.load(stream)
    rows = (folder / "tools" / "splits.tsv").read_text().splitlines()[1:]
    of_split = dict(row.split("\t") for row in rows)
    names = [name for name in sorted(bank) if of_split.get(name) == split]
    return tuple(writer(name, bank[name]) for name in names[:most])


def writer(name: str, kept: Mapping[str, object]) -> Writer:
    """Make one writer of a bank's entry."""
    rich = {
        letter: tuple(glyph([smooth(np.asarray(s, np.float32), 0.8) for s in one["s"]]) for one in many)
        for letter, many in kept["glyphs"].items()  # type: ignore[attr-defined]
        if many
    }
    gaps, spaces = np.array(kept["gap"] or [0.2]), np.array(kept["wgap"] or [0.8])
    gap = float(np.median(gaps)) if len(gaps) >= 40 else 0.2
    return Writer(name, rich, max(0.08, gap), float(np.clip(np.median(spaces), 0.45, 1.5)))


def words(split: str, folder: Path = HANDWRITING) -> Iterator[Word]:
    """Load the joined words and lines of a split whose labels the net can spell."""
    for name in ("unipen_words.jsonl.gz", "unipen_lines.jsonl.gz"):
        with gzip.open(folder / name, "rt", encoding="utf-8") as stream:
            for line in stream:
                row = json.loads(line)
                if row["split"] == split and spellable(row["l"]):
                    yield word(row)


def spellable(label: str) -> bool:
    """Whether a label is made of the net's letters (and spaces and stops, which it leaves out)."""
    return 1 < len(spelling(label)) <= 28 and all(c.isascii() and (c.isalnum() or c in " .,'()-/") for c in label)


def word(row: dict[str, object]) -> Word:
    """Make a word of one row of the set."""
    strokes = [np.asarray(flat, np.float32).reshape(-1, 2) / 1000 for flat in row["s"]]  # type: ignore[attr-defined]
    corner = np.concatenate(strokes).min(0)
    moved = tuple(smooth(stroke - corner, 0.8)[:: 2 if len(stroke) > 60 else 1] for stroke in strokes)
    return Word(str(row["w"]), str(row["l"]), moved, float(max(stroke[:, 0].max() for stroke in moved)))


def as_recorded(split: str, folder: Path = HANDWRITING) -> Hands:
    """Load a split with every label that it has."""
    return Hands(letters(split, folder), tuple(sorted(words(split, folder), key=lambda w: w.writer)))


def mislabelled(split: str, cache: Path) -> Path:
    """Say where `labels` lists what is labelled wrongly."""
    return cache / f"mislabelled_{split}.json"


def without(hands: Hands, listed: Mapping[str, list[Any]]) -> Hands:
    """Leave out the letters and words of a list."""
    letters_out = {tuple(one) for one in listed["letters"]}
    words_out = set(listed["words"])
    writers = []
    for one in hands.writers:
        left = {
            letter: tuple(glyph for number, glyph in enumerate(glyphs) if (one.name, letter, number) not in letters_out)
            for letter, glyphs in one.glyphs.items()
        }
        writers.append(replace(one, glyphs={letter: glyphs for letter, glyphs in left.items() if glyphs}))
    words_left = tuple(word for number, word in enumerate(hands.words) if number not in words_out)
    return replace(hands, writers=tuple(writers), words=words_left)


def fonts_kept(cache: Path, made: tuple[Writer, ...] | None = None) -> tuple[Writer, ...]:
    """Keep the letters of fonts, or say which were kept; none where nobody fetched any."""
    kept = cache / "hands_fonts.pkl"
    if made is not None:
        cache.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(pickle.dumps(made, pickle.HIGHEST_PROTOCOL))
    found: tuple[Writer, ...] = pickle.loads(kept.read_bytes()) if kept.exists() else ()
    return found


def hands(split: str, cache: Path, folder: Path = HANDWRITING) -> Hands:
    """Load a split without what is known to be labelled wrongly, quickly the second time; to learn from, with fonts."""
    listed = mislabelled(split, cache)
    kept = cache / f"hands_{split}.pkl"
    if not kept.exists() or (listed.exists() and listed.stat().st_mtime > kept.stat().st_mtime):
        loaded = as_recorded(split, folder)
        if listed.exists():
            loaded = without(loaded, json.loads(listed.read_text()))
        cache.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(pickle.dumps(loaded, pickle.HIGHEST_PROTOCOL))
    found: Hands = pickle.loads(kept.read_bytes())
    return replace(found, fonts=fonts_kept(cache)) if split == "train" else found

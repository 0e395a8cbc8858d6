"""Train the net that reads digits in boxes, and set how sure it must be: one command, a few minutes of one core.

``python -m training.digits --to pipeline/reading/weights`` writes ``digits.npz`` and prints what it is worth on people
it never saw: half of the ``dev`` writers set the threshold, the other half judge it.
"""

import argparse
import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.pen.hand import Hand
from pipeline.pen.laying import lay_strokes
from pipeline.pen.writing import write_line
from pipeline.reading.digits import DIGITS, FEATURES, OTHER, DigitNet, DigitShape, clean_box, noise_of, shape_of
from pipeline.reading.lattice import Floats
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.pages import Grey
from pipeline.reading.strokes import on_white
from training.strokes import HANDWRITING

LIKE_DIGITS = frozenset(  # in somebody's hand each of these is a digit
    "oOQDlIi|!/\\sSzZbgqBGyYT()[]{}jJ'`,.-~_:;\"^a$?<>uUftrECcheAHnLvV%&@#*+="
)
BOX_MM = (6.0, 8.0)
AROUND_MM = 3.0  # of paper, to see how bright it is
DPI = 200
OWN = 6  # real digits to one of our own pen
OWN_HANDS = 1_000_000  # seeds from here on: tests take smaller ones
HIDDEN = 320
ROUNDS = 24
BATCH = 128
STEP = 1.5e-3
DECAY = 2e-5
ROOM = 1.0  # above the odds of the worst reading that was wrong

Strokes = list[NDArray[np.float64]]


class Sample(Struct, frozen=True):
    """One character one person wrote; 1 is that person's capital height."""

    writer: str
    label: str
    strokes: Strokes


def samples(folder: Path, split: str) -> Iterator[Sample]:
    """Read the characters of a split that are digits, or that nobody takes for one."""
    with gzip.open(folder / "unipen_chars.jsonl.gz", "rt") as lines:
        for line in lines:
            found = json.loads(line)
            if found["split"] == split and found["l"] not in LIKE_DIGITS:
                yield Sample(found["w"], found["l"], [np.array(s, float).reshape(-1, 2) / 1000 for s in found["s"]])


def own(rng: np.random.Generator) -> Sample:
    """A digit by our own pen, in a hand that nobody else has."""
    label = DIGITS[int(rng.integers(len(DIGITS)))]
    hand = Hand.from_seed(int(rng.integers(OWN_HANDS, 10 * OWN_HANDS)))
    written = write_line(label, hand, rng)
    return Sample("our pen", label, [np.asarray(s, float) / written.height_mm for s in written.strokes])


def varied(strokes: Strokes, rng: np.random.Generator) -> Strokes:
    """Write it again a little differently: leaning, wider, tilted, at another size; the result is in mm."""
    tall = rng.uniform(3.4, 6.8)
    turn = rng.normal(0, 0.06)
    lean = np.array([[1, rng.normal(0, 0.10)], [0, 1]])
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    form = spin @ lean @ np.diag([tall * np.exp(rng.normal(0, 0.10)), tall * np.exp(rng.normal(0, 0.06))])
    return [stroke @ form.T + rng.normal(0, 0.02, stroke.shape) for stroke in strokes]


def picture(strokes: Strokes, rng: np.random.Generator) -> Grey:
    """Draw strokes into an empty box, near its middle, and see it as a scanner does; ink that leaves one is asked."""
    size = np.ptp(np.vstack(strokes), axis=0)
    fit = min(1.0, float((0.92 * np.array(BOX_MM) / np.maximum(size, 0.1)).min()))
    strokes = [stroke * fit for stroke in strokes]
    points = np.vstack(strokes)
    middle = (points.min(0) + points.max(0)) / 2
    room = np.maximum(np.array(BOX_MM) - np.ptp(points, axis=0), 0.4)
    shift = np.array(BOX_MM) / 2 - middle + rng.uniform(-0.35, 0.35, 2) * room
    page = np.full([round((side + 2 * AROUND_MM) * PIXELS_PER_MM) for side in BOX_MM[::-1]], 250, np.uint8)
    hand = Hand.from_seed(int(rng.integers(100_000)))
    moved = [stroke + shift + AROUND_MM for stroke in strokes]
    lay_strokes([s if len(s) > 1 else np.vstack([s, s + 0.15]) for s in moved], hand.pen, rng, DPI, hand.heft).on(
        page, hand.pen
    )
    soft = cv2.GaussianBlur(page, (0, 0), rng.uniform(0.3, 1.2)).astype(np.float64)
    grey = np.clip(soft + rng.normal(0, rng.uniform(1, 6), page.shape), 0, 255).astype(np.uint8)
    white, edge = on_white(grey), round(AROUND_MM * PIXELS_PER_MM)
    return clean_box(white[edge:-edge, edge:-edge], noise_of(white))[0]


def spoilt(one: Sample, other: Sample, rng: np.random.Generator) -> Strokes:
    """Make what is no digit any more: struck out, written over by another, two in a box, a scrawl."""
    strokes = varied(one.strokes, rng)
    points = np.vstack(strokes)
    low, high = points.min(0), points.max(0)
    match rng.integers(4) if one.label not in "017" else rng.integers(1, 4):  # a bar through these is a way to write
        case 0:
            lines = [rng.uniform(0.25, 0.75, 2) for _ in range(rng.integers(1, 4))]
            across = [low[0] - rng.uniform(0.4, 1.5), high[0] + rng.uniform(0.4, 1.5)]
            strike = [np.column_stack([across, low[1] + line * (high[1] - low[1])]) for line in lines]
            return [*strokes, *(np.linspace(s[0], s[1], 12) for s in strike)]
        case 1:
            again = varied(other.strokes, rng)
            return [*strokes, *(s - np.vstack(again).mean(0) + points.mean(0) for s in again)]
        case 2:
            again = varied(other.strokes, rng)
            beside = high[0] - np.vstack(again).min(0)[0] + rng.uniform(0.3, 1.0)
            return [*strokes, *(stroke + np.array([beside, 0.0]) for stroke in again)]
        case _:
            return [np.cumsum(rng.normal(0, 0.6, (rng.integers(25, 70), 2)), axis=0)]


def shapes(
    found: Sequence[Sample], times: int, rng: np.random.Generator
) -> tuple[DigitShape, NDArray[np.int64], list[str]]:
    """Draw everything: digits several times, other characters once, and spoilt digits; shapes, classes, writers."""
    digits = [one for one in found if one.label in DIGITS]
    others = [one for one in found if one.label not in DIGITS]
    drawn: list[tuple[DigitShape, int, str]] = []
    digits += [own(rng) for _ in range(len(digits) // OWN)]
    for one in digits * times:
        keep(drawn, varied(one.strokes, rng), DIGITS.index(one.label), one.writer, rng)
    for number in rng.choice(len(others), min(len(others), len(digits)), replace=False):
        keep(drawn, varied(others[number].strokes, rng), OTHER, others[number].writer, rng)
    for _ in range(len(digits) * times // 4):
        one, other = (digits[int(rng.integers(len(digits)))] for _ in range(2))
        if one.label != other.label:
            keep(drawn, spoilt(one, other, rng), OTHER, one.writer, rng)
    return (
        np.stack([shape for shape, _, _ in drawn]),
        np.array([label for _, label, _ in drawn]),
        [writer for _, _, writer in drawn],
    )


def keep(
    drawn: list[tuple[DigitShape, int, str]], strokes: Strokes, label: int, writer: str, rng: np.random.Generator
) -> None:
    """Draw one, unless nothing of it can be seen."""
    shape = shape_of(picture(strokes, rng))
    if shape is not None:
        drawn.append((shape, label, writer))


def train(seen: DigitShape, labels: NDArray[np.int64], rng: np.random.Generator) -> DigitNet:
    """Fit the net by gradient descent (Adam)."""
    middle, spread = seen.mean(0), seen.std(0) + 0.1
    inputs = (seen - middle) / spread
    classes = OTHER + 1
    begun = [
        rng.normal(0, np.sqrt(2 / FEATURES), (FEATURES, HIDDEN)),
        np.zeros(HIDDEN),
        rng.normal(0, np.sqrt(1 / HIDDEN), (HIDDEN, classes)),
        np.zeros(classes),
    ]
    weights: list[DigitShape] = [np.asarray(w, np.float32) for w in begun]
    moments = [(np.zeros_like(w), np.zeros_like(w)) for w in weights]
    count = 0
    for number in range(ROUNDS):
        order = rng.permutation(len(inputs))
        rate = STEP * (0.5 + 0.5 * np.cos(np.pi * number / ROUNDS))
        for start in range(0, len(order) - BATCH + 1, BATCH):
            chosen = order[start : start + BATCH]
            count += 1
            slopes = gradient(inputs[chosen], labels[chosen], weights, rng)
            for place, slope in enumerate(slopes):
                mean, square = moments[place]
                moments[place] = (mean + 0.1 * (slope - mean), square + 0.001 * (slope * slope - square))
                change = moments[place][0] / (1 - 0.9**count)
                change = change / (np.sqrt(moments[place][1] / (1 - 0.999**count)) + 1e-8)
                weights[place] = np.asarray(weights[place] - rate * (change + DECAY * weights[place]), np.float32)
    first, first_bias, second, second_bias = weights
    return DigitNet(middle.astype(np.float32), spread.astype(np.float32), first, first_bias, second, second_bias)


def gradient(
    inputs: DigitShape, labels: NDArray[np.int64], weights: Sequence[DigitShape], rng: np.random.Generator
) -> list[DigitShape]:
    """Slope of the cross entropy, a quarter of the hidden units left out."""
    first, first_bias, second, second_bias = weights
    held = (rng.random((len(inputs), HIDDEN), np.float32) > 0.25) / np.float32(0.75)
    hidden = np.maximum(inputs @ first + first_bias, 0) * held
    scores = hidden @ second + second_bias
    raised = np.exp(scores - scores.max(1, keepdims=True))
    error = raised / raised.sum(1, keepdims=True)
    error[np.arange(len(labels)), labels] -= 1
    error /= len(labels)
    back = (error @ second.T) * (hidden > 0) * held
    return [inputs.T @ back, back.sum(0), hidden.T @ error, error.sum(0)]


def odds(chances: Floats) -> Floats:
    """The log odds of the likeliest digit against everything else there is."""
    best = np.clip(chances[:, :OTHER].max(1), 1e-12, 1 - 1e-12)
    return np.asarray(np.log(best / (1 - best)))


def judged(net: DigitNet, seen: DigitShape, labels: NDArray[np.int64]) -> tuple[Floats, NDArray[np.bool_]]:
    """The odds of each reading, and whether it is wrong."""
    chances = net.chances(list(seen))
    return odds(chances), chances[:, :OTHER].argmax(1) != labels


def main() -> None:
    """Train, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, required=True, help="the folder to write digits.npz into")
    parser.add_argument("--handwriting", type=Path, default=HANDWRITING)
    parser.add_argument("--times", type=int, default=5, help="how often each digit is drawn")
    asked = parser.parse_args()
    rng = np.random.default_rng(1)
    seen, labels, _ = shapes(list(samples(asked.handwriting, "train")), asked.times, rng)
    print(f"{len(seen)} pictures, {int((labels == OTHER).sum())} of them no digit")
    net = train(seen, labels, rng)
    np.savez_compressed(
        asked.to / "digits.npz",
        **{name: getattr(net, name).astype(np.float16) for name in DigitNet.__annotations__},
    )
    test, truth, writers = shapes(list(samples(asked.handwriting, "dev")), 2, rng)
    names = sorted(set(writers))
    sets = np.array([names.index(writer) % 2 == 0 for writer in writers])
    sure, wrong = judged(net, test, truth)
    threshold = float(sure[sets & wrong].max()) + ROOM
    print(f"threshold {threshold:.2f}: above the worst wrong reading of {len(names[::2])} people")
    for told, half in (("set by", sets), ("judged by", ~sets)):
        digits = half & (truth != OTHER)
        passed = half & (sure >= threshold)
        print(
            f"{told}: {digits.sum()} digits, best class right {1 - wrong[digits].mean():.4f}, asked"
            f" {(digits & ~passed).sum() / digits.sum():.4f}, wrong unasked {(passed & wrong).sum()}"
            f" of {half.sum()} ({(passed & wrong & (truth == OTHER)).sum()} of them no digit)"
        )
        for level in (3, 4, 5, 6, 7):
            at = half & (sure >= level)
            print(f"   odds {level}: asked {(digits & ~at).sum() / digits.sum():.4f}, wrong {(at & wrong).sum()}")


if __name__ == "__main__":
    main()

"""Train the net that sees ink which belongs to no sign of a text: ``python -m training unread --minutes 60``.

It learns from rows whose every stroke belongs to a sign (most in the hands of the training split, some by the pen of
the project and some printed), as they are, with a mark drawn on them (`training/unread_marks.py`), or with a text that
lacks some of their letters; and from rows with a mark by the same pen (`training/unread_pen.py`). ``--resume`` goes on
from the checkpoint, or from the weights that ship where there is none; at the end the file that ships is written.
``--new 0.5``: the mean, weight by weight, of the weights that ship and as much of what was learnt.
"""

import argparse
import pickle
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import reportlab
import torch
import torch.multiprocessing as processes
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from torch.nn import functional

from pipeline.pen.hand import Hand, writable
from pipeline.reading.alphabet import AIR, STRUCK, spelling
from pipeline.reading.free import laid_along
from pipeline.reading.network import (
    OURS,
    Features,
    FoundInk,
    Network,
    find_ink,
    lay_ink,
    load_head,
    shipped_weights,
)
from pipeline.reading.recogniser import CROP_DPI
from pipeline.reading.unread import CANVAS, WEIGHTS, set_sign
from training import rows, texts
from training.lines import line_image
from training.paper import degraded
from training.unread_marks import CleanRow, Glyph, Glyphs, Sketch, Span, draw_mark, underline
from training.unread_net import TOLERANCE, Unread, average, export, load_shipped
from training.unread_pen import ABOVE, DRAWN, MARK, WRITTEN, bank_with_pen, with_sign

CLEAN_ROWS, ROWS = 25_000, Path("build/training/unread_rows.pkl")
PENNED_ROWS, PENNED = 35_000, Path("build/training/unread_penned.pkl")
LEAST_MARK = 0.22  # of a capital's height: a smaller one may be dirt
CHECKPOINT, SHIPPED = Path("build/training/unread.pt"), shipped_weights().with_name(WEIGHTS)
UNKNOWN = '?!*=&%@$^<+"'  # signs that the readers have no class for: in no text, and among the marks
KINDS = {"plain": 0.42, "shortened": 0.08, "marked": 0.1, "penned": 0.4}
BATCH, POOL, MOST_WIDE = 32, 12, 1200
BATCHES_FOR_NORMS = 8
PEAK_RATE, SHARE_KEPT = 2e-3, 0.998
FEATURES_LEFT_OUT, MOST_MOVED, PALEST, DARKEST = 0.25, 2, 0.8, 1.1  # rows of the picture; factors of its ink
FONTS = sorted((Path(reportlab.__file__).parent / "fonts").glob("Vera*.ttf"))

Picture = NDArray[np.float32]
Drawn = tuple[str, NDArray[np.uint8], tuple[tuple[str, Span], ...]]  # a text, its picture, and its letters


class FirstReader:
    """What the first reader sees of a row."""

    def __init__(self) -> None:
        self.network, self.head = Network(), load_head()

    def features(self, ink: FoundInk) -> Features:
        return self.network.features(lay_ink(ink, OURS).ink)

    def columns(self, ink: FoundInk, signs: str) -> list[float]:
        """The columns of the crop in which the signs of a text begin; none where it has too few frames for them."""
        read, laid = self.features(ink), lay_ink(ink, OURS)
        at = laid_along(signs, self.head.frames(read))
        if not len(at) == len(signs) <= len(read) - 2:
            return []
        return [laid.column_of_crop((frame + 0.5) * OURS.columns_per_frame) for _, frame in at]


class Drawing(Struct, frozen=True, eq=False):
    """What samples are drawn from."""

    clean: Sequence[CleanRow]
    glyphs: Glyphs
    penned: Sequence[CleanRow]
    reader: FirstReader


class Sample(Struct, frozen=True, eq=False):
    """A row as the net is shown it, and what it should say."""

    ink: Picture
    read: NDArray[np.float16]  # the first reader's features, by frame
    signs: NDArray[np.int64]  # by frame, see `unread.NO_SIGN`
    unread: Picture  # by frame: 1 where there is ink that is none of the signs; NaN beside it
    is_unread: bool


# Clean rows.


def _draw_text(rng: random.Random) -> str:
    """Draw a text of which the readers know every sign."""
    while True:
        (make,) = rng.choices((texts.order, texts.cell, texts.prose, texts.nonsense), (70, 5, 5, 20))
        text = make(rng)
        if make is texts.order and rng.random() < 0.2:
            text = texts.slipped(text, rng)
        if 2 < len(text) < 44 and not set(text) & set(UNKNOWN):
            return text


def _write_by_hand(bank: Any, missing: type[Exception], text: str, rng: np.random.Generator) -> Drawn | None:
    """Write a text in the hand of one of the training split; None where nobody has its letters."""
    able = bank.can(text)
    if not able:
        return None
    try:
        colour, about = bank.line(text, able[rng.integers(len(able))], rng, ruled=bool(rng.random() < 0.05))
    except missing:
        return None
    grey, _ = rows.in_grey((colour, about))
    scale = CROP_DPI / rows.COMPOSER_DPI
    return text, grey, tuple((box[0], _span(np.asarray(box[1:5]) * scale)) for box in about["boxes"])


def _write_by_pen(text: str, rng: random.Random, noise: np.random.Generator) -> Drawn:
    """Write a text with the project's own pen, which does not say where its letters are."""
    known = "".join(filter(writable, text))
    return known, line_image(known, Hand.from_seed(rng.randint(2_000_000, 9_000_000)), noise, CROP_DPI), ()


def _print(text: str, rng: random.Random) -> Drawn:
    size, text = rng.randint(22, 44), rng.choice((text, text.upper()))
    font, left, top = ImageFont.truetype(str(rng.choice(FONTS)), size), 30, int(size * 0.6)
    picture = Image.new("L", (int(font.getlength(text)) + 60, int(size * 2.4)), 250)
    draw = ImageDraw.Draw(picture)
    draw.text((left, top), text, font=font, fill=rng.randint(20, 110))
    places = [(left + font.getlength(text[:at]), letter) for at, letter in enumerate(text) if letter != " "]
    boxes = tuple((letter, _span(draw.textbbox((x, top), letter, font=font))) for x, letter in places)
    return text, np.array(picture), boxes


def _span(box: Sequence[float] | NDArray[np.float64]) -> Span:
    left, top, right, bottom = map(float, box)
    return Span(left, right, top, bottom)


def write_clean_rows(count: int, seed: int) -> tuple[list[CleanRow], Glyphs]:
    """Write rows whose every stroke belongs to a sign; and letters to draw marks with."""
    rng, noise = random.Random(seed), np.random.default_rng(seed)
    bank, missing = rows.bank_of("train")
    reader = FirstReader()
    found: list[CleanRow] = []
    glyphs: dict[str, list[Glyph]] = defaultdict(list)
    while len(found) < count:
        text, way = _draw_text(rng), rng.random()
        if len(found) % 5 == 0:  # signs without a class, for the marks alone
            strange = _write_by_hand(bank, missing, " ".join(rng.choices(UNKNOWN + "#~_[]{}", k=4)), noise)
            _cut_glyphs(_measure(*strange, "", ()) if strange else None, glyphs)
        drawn = _write_by_hand(bank, missing, text, noise) if way < 0.8 else None
        drawn = drawn or (_print(text, rng) if way > 0.9 else _write_by_pen(text, rng, noise))
        text, grey, boxes = drawn
        ink, signs = find_ink(grey), spelling(text)
        if ink is None or len(signs) < 2 or STRUCK in signs:
            continue
        row = _measure(text, grey, boxes, signs, reader.columns(ink, signs))
        if row is not None:
            found.append(row)
            _cut_glyphs(row, glyphs)
    return found, glyphs


def _measure(
    text: str, grey: NDArray[np.uint8], boxes: tuple[tuple[str, Span], ...], signs: str, columns: Sequence[float]
) -> CleanRow | None:
    """Measure the pen and the size of a row's letters, and find each sign."""
    paper = float(np.percentile(grey, 85))
    dark = paper - grey.astype(np.float32)
    peak = float(np.percentile(dark, 99.8))
    inked = (dark > 0.45 * peak).astype(np.uint8)
    if not inked.any() or not text or not columns:
        return None
    inside = cv2.distanceTransform(inked, cv2.DIST_L2, 3)
    ridge = (inside > 0) & (inside >= cv2.dilate(inside, np.ones((3, 3), np.uint8)))
    letters = [span for letter, span in boxes if letter.isalnum()] or [span for _, span in boxes]
    tall = np.flatnonzero(inked.any(1))
    top = float(np.median([span.top for span in letters])) if letters else float(tall[0] + 2)
    base = float(np.median([span.bottom for span in letters])) if letters else float(tall[-1] - 2)
    row = CleanRow(
        grey,
        signs,
        tuple(columns),
        (),
        boxes,
        pen=max(1.2, 2 * float(np.median(inside[ridge])) - 0.6),
        dark=float(np.percentile(dark[dark > 0.4 * peak], 70)),
        paper=paper,
        top=top,
        base=base,
    )
    return replace(row, spans=tuple(_find_span(row, place) for place in range(len(signs))))


def _find_span(row: CleanRow, place: int) -> Span:
    """Where one of the signs is: the letter that the reader saw there, or half-way to the signs beside it."""
    columns, at = row.columns, row.columns[place]
    near = [span for _, span in row.boxes if span.left - 3 <= at <= span.right + 3]
    if near:
        return min(near, key=lambda span: abs((span.left + span.right) / 2 - at))
    left = (columns[place - 1] + at) / 2 if place else at - row.high * 0.5
    right = (at + columns[place + 1]) / 2 if place + 1 < len(columns) else at + row.high * 0.4
    return Span(left, right, row.top, row.base)


def _cut_glyphs(row: CleanRow | None, into: dict[str, list[Glyph]], most: int = 400) -> None:
    """Keep the letters of a row, to write others with."""
    if row is None:
        return
    for letter, span in row.boxes:
        left, top = max(0, round(span.left) - 1), max(0, round(span.top) - 1)
        part = row.grey[top : round(span.bottom) + 2, left : round(span.right) + 2]
        if letter not in ".," and part.size >= 12 and len(into[letter]) < most:
            alpha = np.clip((row.paper - part) / max(20.0, row.dark), 0, 1)
            into[letter].append(Glyph(alpha, (row.base - top) / row.high, row.high))


def write_marked_rows(count: int, seed: int) -> list[CleanRow]:
    """Write rows with a mark by the same pen, in the hands of the training split."""
    rng, noise = random.Random(seed), np.random.default_rng(seed)
    bank, missing = rows.bank_of("train", bank_with_pen)
    reader = FirstReader()
    found: list[CleanRow] = []
    ways = [*DRAWN, None, WRITTEN]
    while len(found) < count:
        text, shown = _draw_text(rng), ""
        extra: tuple[int, ...] = ()
        (way,) = rng.choices(ways, [*DRAWN.values(), ABOVE, WRITTEN])
        type(bank).draws, type(bank).is_above = (way if callable(way) else None), way is None
        if way == WRITTEN:
            shown, extra = with_sign(text, noise)
        drawn = _write_by_hand(bank, missing, shown or text, noise)
        if drawn is None or not spelling(text):
            continue
        _, grey, boxes = drawn
        marks = tuple(span for place, (letter, span) in enumerate(boxes) if letter == MARK or place in extra)
        letters = tuple(one for place, one in enumerate(boxes) if one[0] != MARK and place not in extra)
        ink, signs = find_ink(grey), spelling(text)
        if ink is None or not marks or len(signs) < 2:
            continue
        row = _measure(text, grey, letters, signs, reader.columns(ink, signs))
        largest = max(max(mark.right - mark.left, mark.bottom - mark.top) for mark in marks)
        if row is not None and largest > LEAST_MARK * row.high:
            found.append(replace(row, marks=marks))
    return found


# Samples.


def draw_sample(drawn: Drawing, rng: random.Random, noise: np.random.Generator) -> Sample | None:
    """Show a row as it is, marked, or with a text that lacks letters; None where the mark hardly shows."""
    (kind,) = rng.choices(list(KINDS), list(KINDS.values()))
    row = rng.choice(drawn.penned if kind == "penned" else drawn.clean)
    left_out: range | tuple[()] = ()
    where: list[tuple[float, float]] = []  # columns between which there is ink that is no sign
    if kind == "marked":
        row = row.widened(int(rng.uniform(0, 2) * row.high), int(rng.random() * row.high))
    sketch = Sketch(row, rng, drawn.glyphs)
    if kind == "shortened":
        count = rng.choice((1, 1, 1, 1, 2, 3))
        first = rng.randrange(max(1, len(row.signs) - count))
        if len(row.signs) > 4 and not set(AIR) & set(row.signs[first : first + count]):
            left_out = range(first, first + count)
            where = [(row.spans[place].left, row.spans[place].right) for place in left_out]
    elif kind == "penned":
        where = [(mark.left, mark.right) for mark in row.marks]
    elif kind == "marked":
        draw_mark(sketch)
        clear = np.clip((row.grey - row.paper + row.dark * 0.5) / (row.dark * 0.5), 0, 1)
        if float((sketch.ink * clear).sum()) < 0.3 * row.pen * row.high:
            return None
        columns = np.flatnonzero((sketch.ink > 0.35).any(0))
        runs = np.split(columns, np.flatnonzero(np.diff(columns) > 6) + 1)
        where = [(run[0], run[-1]) for run in runs if len(run)]
    elif rng.random() < 0.08:
        underline(sketch)
    grey = _with_ink(row, sketch.ink, rng, noise)
    if rng.random() < 0.5:
        grey = degraded(grey, row.base, row.high, rng, noise).astype(np.uint8)
    signs = "".join(sign for place, sign in enumerate(row.signs) if place not in left_out)
    return _lay_sample(signs, grey, where, drawn.reader)


def _with_ink(row: CleanRow, ink: Picture, rng: random.Random, noise: np.random.Generator) -> Picture:
    """Lay what was drawn on a row."""
    grey, soft = row.grey.astype(np.float32), cv2.GaussianBlur(ink, (0, 0), rng.uniform(0.3, 0.7))
    grain = 1 + noise.standard_normal(grey.shape, dtype=np.float32) * 0.08
    dark = np.minimum(row.dark * rng.uniform(0.75, 1.1), grey - 5)
    return np.asarray(np.clip(grey - soft * dark * grain, 0, 255), np.float32)


def _lay_sample(
    signs: str, grey: Picture | NDArray[np.uint8], where: Sequence[tuple[float, float]], reader: FirstReader
) -> Sample | None:
    """Lay a row on the net's canvas, its signs where the first reader begins them."""
    ink = find_ink(grey.astype(np.uint8))
    if ink is None:
        return None
    laid, read = lay_ink(ink, CANVAS), reader.features(ink)
    unread = np.zeros(len(read), np.float32)

    def frame_of(column: float) -> int:
        return int(np.clip(round(laid.column(column) / CANVAS.columns_per_frame - 0.5), 0, len(read) - 1))

    for first, last in where:
        begin, end = frame_of(first), frame_of(last)
        beside = unread[max(0, begin - 1) : end + 2]
        beside[beside == 0] = np.nan
        unread[begin : end + 1] = 1
    begun = np.zeros(len(read), np.int64)
    for sign, frame in laid_along(signs, reader.head.frames(read)):
        set_sign(begun, frame, sign)
    return Sample(laid.ink, read.astype(np.float16), begun, unread, bool(where))


def draw_batches(into: Any, seed: int) -> None:
    """Draw batches for ever, those of a pool sorted by width, so that little of a batch is padding."""
    clean, glyphs = pickle.loads(ROWS.read_bytes())
    drawn = Drawing(clean, glyphs, pickle.loads(PENNED.read_bytes()), FirstReader())
    rng, noise = random.Random(seed), np.random.default_rng(seed)
    while True:
        pool: list[Sample] = []
        while len(pool) < BATCH * POOL:
            one = draw_sample(drawn, rng, noise)
            if one is not None and one.ink.shape[1] < MOST_WIDE:
                pool.append(one)
        pool.sort(key=lambda one: one.ink.shape[1])
        batches = [pool[at : at + BATCH] for at in range(0, len(pool), BATCH)]
        rng.shuffle(batches)
        for batch in batches:
            into.put(stack_samples(batch))


def stack_samples(batch: Sequence[Sample]) -> tuple[NDArray[Any], ...]:
    """Put samples together: ink, signs, what is to be said of each frame (NaN: nothing), and of each row."""
    wide = -(-max(one.ink.shape[1] for one in batch) // CANVAS.width_step) * CANVAS.width_step
    frames = wide // CANVAS.columns_per_frame
    ink = np.zeros((len(batch), 1, CANVAS.rows, wide), np.float16)
    read = np.zeros((len(batch), frames, batch[0].read.shape[1]), np.float16)
    signs, unread = np.zeros((len(batch), frames), np.int64), np.full((len(batch), frames), np.nan, np.float16)
    for number, one in enumerate(batch):
        ink[number, 0, :, : one.ink.shape[1]] = one.ink
        signs[number, : len(one.signs)], unread[number, : len(one.unread)] = one.signs, one.unread
        read[number, : len(one.read)] = one.read
    return ink, read, signs, unread, np.array([one.is_unread for one in batch], np.float32)


# Learning.


def train(minutes: float, seed: int, *, resume: bool) -> None:
    """Learn for so many minutes, at a rate that falls to nothing, and keep the average of the weights."""
    torch.set_num_threads(1)
    if not ROWS.exists():
        ROWS.parent.mkdir(parents=True, exist_ok=True)
        ROWS.write_bytes(pickle.dumps(write_clean_rows(CLEAN_ROWS, seed)))
        PENNED.write_bytes(pickle.dumps(write_marked_rows(PENNED_ROWS, seed)))
    samples: Any = processes.Queue(40)
    drawing = processes.Process(target=draw_batches, args=(samples, seed), daemon=True)
    drawing.start()
    net, peak = Unread(), PEAK_RATE
    if resume:
        peak /= 2
        if CHECKPOINT.exists():
            net.load_state_dict(torch.load(CHECKPOINT))
        else:
            shown = [torch.from_numpy(samples.get()[0]).float() for _ in range(BATCHES_FOR_NORMS)]
            net = load_shipped(SHIPPED, shown)
    learning = torch.optim.AdamW(net.parameters(), peak, weight_decay=2e-3)
    began, step, losses = time.monotonic(), 0, [0.0]
    smooth = {name: value.clone() for name, value in net.state_dict().items()}
    while (gone := (time.monotonic() - began) / (60 * minutes)) < 1:
        for group in learning.param_groups:
            group["lr"] = peak * min(1.0, (step + 1) / 200) * max(0.01, 1 - gone)
        losses.append(_learn(net, learning, [torch.from_numpy(part) for part in samples.get()]))
        step += 1
        share = min(SHARE_KEPT, (step + 1) / (step + 20))
        for name, value in net.state_dict().items():
            smooth[name] = smooth[name] * share + value * (1 - share) if value.is_floating_point() else value.clone()
        if step % 200 == 0:
            print(f"{step} steps, {gone:.0%}: loss {np.mean(losses[-200:]):.4f}", flush=True)
            torch.save(smooth, CHECKPOINT)
    torch.save(smooth, CHECKPOINT)
    drawing.terminate()


def _learn(net: Unread, learning: Any, batch: Sequence[torch.Tensor]) -> float:
    """Take one step; the loss counts what is said of frames and of whole rows."""
    ink, read, signs, unread, is_unread = batch
    moved = torch.roll(ink.float(), random.randint(-MOST_MOVED, MOST_MOVED), 2)
    paler = moved * torch.empty(len(ink), 1, 1, 1).uniform_(PALEST, DARKEST)
    shown = paler.to(memory_format=torch.channels_last)  # twice as fast
    with torch.autocast("cpu", torch.bfloat16):
        odds = net(shown, functional.dropout(read.float(), FEATURES_LEFT_OUT), signs)
    odds, told = odds.float(), ~torch.isnan(unread)
    wanted = unread[told].float()
    by_frame = functional.binary_cross_entropy_with_logits(odds[told], wanted, weight=1 + wanted)
    whole = torch.logsumexp(odds.masked_fill(torch.isnan(unread) & (signs == 0), -30), 1)
    loss = 4 * by_frame + functional.binary_cross_entropy_with_logits(whole, is_unread)
    learning.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
    learning.step()
    return float(loss.detach())


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, train and export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--new", type=float, default=1.0, help="share of the weights that are new")
    parser.add_argument("--to", type=Path, default=SHIPPED)
    found = parser.parse_args(arguments)
    train(found.minutes, found.seed, resume=found.resume)
    net = Unread()
    net.load_state_dict(torch.load(CHECKPOINT))
    if found.new < 1:
        net = average(net, load_shipped(SHIPPED), found.new)
    furthest = export(net, found.to)
    print(f"{found.to}: differs by {furthest:.4f} from torch")
    if furthest > TOLERANCE:
        raise SystemExit("too much")

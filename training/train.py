"""Train a handwriting net: ``python -m training.train --minutes 120 --resume``; another with ``--net second``.

Strokes are rendered by a process of their own while the net learns; the checkpoint is written every few minutes, and
``--resume`` goes on from it, on a CPU or on a GPU, for as long again as one likes.
"""

import argparse
import math
import multiprocessing
import os
import queue
import random
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from msgspec import Struct
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from pipeline.reading.alphabet import BLANK, CLASS_OF, SYMBOLS
from pipeline.reading.network import BORROWED, OURS, NormalCanvas
from pipeline.reading.recogniser import AFTER_FIRST
from training.further import Further
from training.model import Net
from training.samples import Sample, samples
from training.strokes import HANDWRITING, hands

POOL = 12  # batches drawn at once and sorted by width, so that little of a batch is padding
KEPT = 40_000  # samples held for reuse
AT_ONCE = 64  # samples handed over together
LEAST = 2_000  # samples before the first step
SAVE_EVERY = 240.0  # seconds
DEV_SAMPLES = 600
NETS = ("first", *AFTER_FIRST)
SURER = 3.0  # times the rate at which a last layer learns that belongs to a net learnt elsewhere


class Plan(Struct, frozen=True):
    """One run."""

    net: str  # one of NETS
    minutes: float
    resume: bool
    peak_rate: float
    threads: int
    renderers: int
    batch: int
    averaged: float  # share that the average keeps of itself; it is about as good as weights whose rate has fallen
    fresh: float  # new samples rendered for each one learnt from
    folder: Path
    handwriting: Path

    @property
    def canvas(self) -> NormalCanvas:
        """How the net wants its rows."""
        return OURS if self.net == "first" else BORROWED

    @property
    def checkpoint(self) -> Path:
        """Where the state is kept."""
        return self.folder / ("checkpoint.pt" if self.net == "first" else f"{self.net}.pt")


def render(into: Any, seed: int, plan: Plan, learnt: Any) -> None:
    """Render samples while the trainer lives, but no more than are wanted."""
    cv2.setNumThreads(1)
    made = 0
    parent = os.getppid()
    stream = samples(hands("train", plan.folder, plan.handwriting), seed, plan.canvas)
    while os.getppid() == parent:
        if made * plan.renderers > plan.fresh * learnt.value + LEAST + 3_000:
            time.sleep(0.2)
            continue
        made += handed(into, list(islice(stream, AT_ONCE)), parent)


def handed(into: Any, some: list[Sample], trainer: int) -> int:
    """Hand samples over as soon as the trainer takes them, be it slow; how many. None where it is gone."""
    while os.getppid() == trainer:
        try:
            into.put(some, timeout=5)
        except queue.Full:
            continue
        return len(some)
    return 0


def pooled(kept: Sequence[Sample], batch: int, rng: random.Random) -> list[list[Sample]]:
    """Draw some batches, each of about equal width."""
    chosen = sorted(rng.choices(kept, k=batch * POOL), key=lambda one: one.picture.shape[1])
    batches = [chosen[at : at + batch] for at in range(0, len(chosen), batch)]
    rng.shuffle(batches)
    return batches


def varied(one: Sample, rng: random.Random, canvas: NormalCanvas) -> np.ndarray[Any, Any]:
    """Stretch a picture a little, so that a second look is not the same."""
    columns = int(one.picture.shape[1] * math.exp(rng.gauss(0, 0.08)))
    if columns / canvas.columns_per_frame < len(one.spelled) * 1.3 + 2:
        columns = one.picture.shape[1]
    return cv2.resize(one.picture, (columns, canvas.rows), interpolation=cv2.INTER_LINEAR)


def stacked(pictures: Sequence[np.ndarray[Any, Any]], gammas: Sequence[float], canvas: NormalCanvas) -> torch.Tensor:
    """Stack pictures of different widths, as the net is shown them."""
    width = -(-max(picture.shape[1] for picture in pictures) // canvas.width_step) * canvas.width_step
    stack = np.full((len(pictures), 1, canvas.rows, width), canvas.paper, np.float32)
    for number, (picture, gamma) in enumerate(zip(pictures, gammas, strict=True)):
        ink = (picture.astype(np.float32) / 255) ** gamma
        stack[number, 0, :, : picture.shape[1]] = canvas.paper + (canvas.ink - canvas.paper) * ink
    return torch.from_numpy(stack).to(memory_format=torch.channels_last)


def counts_short() -> bool:
    """Whether this processor multiplies 16-bit numbers by itself; one that does not takes three times as long."""
    told = Path("/proc/cpuinfo")
    return told.exists() and any(word in told.read_text() for word in ("avx512_bf16", "amx_bf16"))


def fresh(plan: Plan) -> nn.Module:
    """Make the net that is learnt with, as it is before."""
    return Net() if plan.net == "first" else Further(plan.net)


def groups(net: nn.Module, plan: Plan) -> list[dict[str, Any]]:
    """Part what learns by how fast it does: the last layer of a borrowed net knows least."""
    last = [p for name, p in net.named_parameters() if name.startswith("classes.")]
    others = [p for name, p in net.named_parameters() if not name.startswith("classes.")]
    return [{"params": others, "times": 1.0}, {"params": last, "times": 1.0 if plan.net == "first" else SURER}]


class Trainer:
    """The net, its optimiser and the samples in hand."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.short = self.device.type == "cuda" or counts_short()
        self.net = fresh(plan).to(self.device, memory_format=torch.channels_last)
        average = get_ema_multi_avg_fn(plan.averaged)
        self.average = AveragedModel(self.net, multi_avg_fn=average, use_buffers=True)
        self.optimiser = torch.optim.AdamW(groups(self.net, plan), lr=plan.peak_rate, weight_decay=0.01)
        self.rng = random.Random(7)
        self.lines = 0  # learnt from, in all runs
        self.steps = 0  # in this run
        self.kept: list[Sample] = []
        if plan.resume and plan.checkpoint.exists():
            state = torch.load(plan.checkpoint, map_location=self.device)
            self.net.load_state_dict(state["net"])
            if "optimiser" in state:  # an unfolded net has none
                self.optimiser.load_state_dict(state["optimiser"])
            self.lines = state["lines"]
            self.average.module.load_state_dict(state.get("average", state["net"]))
            self.average.n_averaged.fill_(1)  # or the first step would begin the average anew

    def save(self) -> None:
        """Write the checkpoint, whole or not at all."""
        state = {
            "net": self.net.state_dict(),
            "average": self.average.module.state_dict(),  # the one to ship
            "optimiser": self.optimiser.state_dict(),
            "lines": self.lines,
        }
        part = self.plan.checkpoint.with_suffix(".part")
        torch.save(state, part)
        part.replace(self.plan.checkpoint)

    def keep(self, made: list[Sample]) -> None:
        """Take new samples in; when all places are taken, each replaces one at random."""
        for one in made:
            if len(self.kept) < KEPT:
                self.kept.append(one)
            else:
                self.kept[self.rng.randrange(KEPT)] = one

    def step(self, batch: list[Sample], done: float) -> float:
        """Learn from one batch; ``done`` is the share of the run behind us. The loss."""
        warm = min(1.0, self.steps / 200 + 0.02)
        rate = self.plan.peak_rate * warm * (0.5 + 0.5 * math.cos(math.pi * min(1.0, done))) + 1e-5
        for group in self.optimiser.param_groups:
            group["lr"] = rate * group["times"]
        canvas = self.plan.canvas
        pictures = [varied(one, self.rng, canvas) for one in batch]
        gammas = [self.rng.uniform(0.6, 1.6) if self.rng.random() < 0.3 else 1.0 for _ in batch]
        x = stacked(pictures, gammas, canvas).to(self.device)
        with torch.autocast(self.device.type, torch.bfloat16, self.short):
            scores = self.net(x)
        scores = scores.float().permute(2, 0, 1).log_softmax(2)
        frames = torch.tensor([-(-picture.shape[1] // canvas.columns_per_frame) for picture in pictures])
        wanted = torch.tensor([CLASS_OF[letter] for one in batch for letter in one.spelled])
        lengths = torch.tensor([len(one.spelled) for one in batch])
        loss = nn.functional.ctc_loss(scores, wanted.to(self.device), frames, lengths, BLANK, zero_infinity=True)
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.optimiser.step()
        self.average.update_parameters(self.net)
        self.steps += 1
        self.lines += len(batch)
        return float(loss.item())

    def read(self, batch: Sequence[Sample]) -> list[str]:
        """Read pictures greedily, with the average net."""
        self.average.eval()
        with torch.no_grad(), torch.autocast(self.device.type, torch.bfloat16, self.short):
            x = stacked([one.picture for one in batch], [1.0] * len(batch), self.plan.canvas).to(self.device)
            best = self.average(x).argmax(1).cpu().numpy()
        ends = [-(-one.picture.shape[1] // self.plan.canvas.columns_per_frame) for one in batch]
        return [collapsed(row[:end]) for row, end in zip(best, ends, strict=True)]


def collapsed(classes: Sequence[int]) -> str:
    """Turn the best class of every frame into letters (Graves et al. 2006: repeats merge, blanks go)."""
    pairs = zip([BLANK, *classes], classes, strict=False)
    return "".join(SYMBOLS[now - 1] for before, now in pairs if now not in (before, BLANK))


def edits(a: str, b: str) -> int:
    """Count the letters to change, add or drop."""
    row = list(range(len(b) + 1))
    for number, letter in enumerate(a, start=1):
        last, row[0] = row[0], number
        for at, other in enumerate(b, start=1):
            last, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, last + (letter != other))
    return row[-1]


def judged(trainer: Trainer, dev: Sequence[Sample]) -> str:
    """Measure the net on writers it never learns from: letters wrong, lines read exactly."""
    ordered = sorted(dev, key=lambda one: one.picture.shape[1])
    read = [text for at in range(0, len(ordered), 50) for text in trainer.read(ordered[at : at + 50])]
    wrong = sum(edits(text, one.spelled) for text, one in zip(read, ordered, strict=True))
    exact = sum(text == one.spelled for text, one in zip(read, ordered, strict=True))
    letters = sum(len(one.spelled) for one in ordered)
    return f"dev: {wrong / letters:.2%} of letters wrong, {exact / len(ordered):.1%} of lines exact"


def streamed(plan: Plan, trainer: Trainer) -> Iterator[list[Sample]]:
    """Yield batches while renderers fill the stock."""
    learnt = multiprocessing.Value("d", 0.0)
    into: Any = multiprocessing.Queue(30)
    seed = int(time.time()) % 1_000_000
    for number in range(plan.renderers):
        arguments = (into, seed + number, plan, learnt)
        multiprocessing.Process(target=render, args=arguments, daemon=True).start()
    start = trainer.lines
    while True:
        try:
            while True:
                trainer.keep(into.get(block=len(trainer.kept) < LEAST))
        except queue.Empty:
            pass
        learnt.value = trainer.lines - start
        yield from pooled(trainer.kept, plan.batch, trainer.rng)


def train(plan: Plan) -> None:
    """Run one plan to its end."""
    torch.set_num_threads(plan.threads)
    cv2.setNumThreads(1)
    plan.folder.mkdir(parents=True, exist_ok=True)
    hands("train", plan.folder, plan.handwriting)  # cached before the renderers start
    dev = list(islice(samples(hands("dev", plan.folder, plan.handwriting), 1, plan.canvas), DEV_SAMPLES))
    trainer = Trainer(plan)
    batches = streamed(plan, trainer)
    first = next(batches)
    begun = saved = time.monotonic()
    losses = [trainer.step(first, 0.0)]
    while (done := (time.monotonic() - begun) / 60 / plan.minutes) < 1:
        losses.append(trainer.step(next(batches), done))
        if trainer.steps % 200 == 0:
            print(
                f"{done * plan.minutes:.1f} min  {trainer.lines} lines  loss {np.mean(losses[-200:]):.3f}", flush=True
            )
        if time.monotonic() - saved > SAVE_EVERY:
            saved = time.monotonic()
            trainer.save()
            print(judged(trainer, dev), flush=True)
    trainer.save()
    print(f"done after {trainer.lines} lines;", judged(trainer, dev), flush=True)


def plan_of(arguments: Sequence[str] | None = None) -> Plan:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--net", choices=NETS, default="first", help="the one that we made, or one that we borrow")
    parser.add_argument("--minutes", type=float, default=120, help="how long (the rate of learning falls to its end)")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("--rate", type=float, default=1.5e-3, help="the highest rate of learning")
    parser.add_argument("--threads", type=int, default=1, help="of the net; one process more renders")
    parser.add_argument("--renderers", type=int, default=1, help="processes that render")
    parser.add_argument("--batch", type=int, default=32, help="lines learnt from at once; 256 on a GPU")
    parser.add_argument("--averaged", type=float, default=0.999, help="weights of about the last thousand steps")
    parser.add_argument("--fresh", type=float, default=0.35, help="lines rendered for each one learnt from")
    parser.add_argument("--folder", type=Path, default=Path("build/training"), help="checkpoint and caches")
    parser.add_argument("--handwriting", type=Path, default=HANDWRITING, help="the strokes")
    found = parser.parse_args(arguments)
    return Plan(
        net=found.net,
        minutes=found.minutes,
        resume=found.resume,
        peak_rate=found.rate,
        threads=found.threads,
        renderers=found.renderers,
        batch=found.batch,
        averaged=found.averaged,
        fresh=found.fresh,
        folder=found.folder,
        handwriting=found.handwriting,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and train."""
    train(plan_of(arguments))


if __name__ == "__main__":
    main()

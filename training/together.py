"""Go on with several readers at once, for minutes on a GPU: ``python -m training together --seconds 380``.

One pool of processes writes lines, some of them with the handwriting set's own composer, whose paper and scans differ;
each line is laid on both canvases, and every net learns from all of them. A queue that is full drops lines, so that a
slow net holds up nobody. All weights learn. Of each batch the worst hundredth teaches nothing: about one label in a
hundred is wrong.
"""

import argparse
import math
import multiprocessing
import os
import queue
import random
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import torch
from msgspec import Struct
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from pipeline.reading.alphabet import BLANK, CLASS_OF, STRUCK, spelling
from pipeline.reading.further import weights_of
from pipeline.reading.network import BORROWED, OURS, Framing, NormalCanvas, find_ink, head_beside, lay_ink
from training import samples as made
from training import texts
from training.graph import Graph
from training.hand import Composer
from training.paper import scanned
from training.rows import in_grey, load
from training.strokes import HANDWRITING, hands
from training.train import NETS, collapsed, edits

AT_ONCE = 64  # lines handed over together
KEPT = 400_000  # lines held for reuse
LEAST = 3000  # lines before the first step
POOL = 10  # batches drawn at once and sorted by width
MOST_COLUMNS = 128 * 640  # of a batch: what fits into memory beside two other nets
FRAMINGS = 4  # of a line by the set's own composer, which takes ten times as long as ours
RATES = {"first": 8e-4, "second": 4e-4, "third": 5e-4}
LAST_LAYER = {"first": 1.0, "second": 2.0, "third": 2.0}  # times as fast
AVERAGED = 0.999
SAY_EVERY = 45.0  # seconds

Picture = NDArray[np.uint8]
Lines = list[tuple[Picture, str]]


class Plan(Struct, frozen=True):
    """One run."""

    seconds: float
    processes: int  # that write lines
    of_the_set: int  # of them, that write with the set's own composer
    batch: int
    nets: tuple[str, ...]
    folder: Path  # of the caches
    dev: Path  # rows that say how good a net is
    to: Path


def canvas_of(net: str) -> NormalCanvas:
    """How a net wants its rows."""
    return OURS if net == "first" else BORROWED


def our_lines(plan: Plan, rng: random.Random, noise: np.random.Generator) -> Iterator[tuple[Picture, str]]:
    """Write lines with our composer and our pen: grey, and what is spelled."""
    composer = Composer(hands("train", plan.folder), rng)
    while True:
        if rng.random() < made.PENNED:
            yield made.penned(rng, noise)
            continue
        line = made.written(composer, rng)
        if 0 < len(line.spelled) <= made.LONGEST:
            yield scanned(line, rng, noise), line.spelled


def lines_of_the_set(rng: random.Random, noise: np.random.Generator) -> Iterator[tuple[Picture, str]]:
    """Write lines with the set's own composer, in the hands of those who are learnt from."""
    sys.path.insert(0, str(HANDWRITING / "tools"))
    from compose import Bank, Missing  # type: ignore[import-not-found]  # noqa: PLC0415 - the set's own tool

    bank = Bank(split="train", borrow=True)
    while True:
        text = texts.text(rng)
        able = bank.can(text)
        if able and 0 < len(spelling(text)) <= made.LONGEST:
            try:
                grey, _ = in_grey(bank.line(text, rng.choice(able), noise, ruled=rng.random() < 0.1))
            except Missing:
                continue
            for _ in range(FRAMINGS):
                yield grey, spelling(text)


def laid_on(canvases: Sequence[NormalCanvas], grey: Picture, spelled: str, rng: random.Random) -> Any:
    """Lay a line on each canvas, None where it does not fit, and what it spells. None without ink."""
    framing = Framing(stretch=float(np.exp(rng.gauss(0, 0.10))), shift=rng.gauss(0, 0.04))
    found = find_ink(grey)
    if found is None or not 0 < len(spelled) <= made.LONGEST:
        return None
    return [lay_line(found, canvas, framing, spelled) for canvas in canvases], spelled


def lay_line(found: Any, canvas: NormalCanvas, framing: Framing, spelled: str) -> Picture | None:
    """Lay a line on a canvas; None where it is too wide, or too narrow for its letters."""
    ink = lay_ink(found, canvas, framing).ink
    room = ink.shape[1] / canvas.columns_per_frame
    if ink.shape[1] > made.WIDEST * canvas.ink_rows or (room < len(spelled) * 1.3 + 2 and STRUCK not in spelled):
        return None
    return (ink * 255).astype(np.uint8)


def write_lines(queues: Mapping[str, Any], seed: int, plan: Plan, written: Any, *, of_the_set: bool) -> None:
    """Write lines while the run lives; what a net does not take in time is dropped."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    rng, noise = random.Random(seed), np.random.default_rng(seed)
    lines, parent = lines_of_the_set(rng, noise) if of_the_set else our_lines(plan, rng, noise), os.getppid()
    canvases = [OURS, BORROWED]
    while os.getppid() == parent:
        some: list[Any] = []
        while len(some) < AT_ONCE:
            one = laid_on(canvases, *next(lines), rng)
            if one is not None:
                some.append(one)
        with written.get_lock():
            written.value += len(some)
        for net, into in queues.items():
            at = canvases.index(canvas_of(net))
            try:
                into.put([(laid[at], text) for laid, text in some if laid[at] is not None], timeout=0.5)
            except queue.Full:
                continue


def net_as_shipped(net: str, plan: Plan, lines: Lines) -> nn.Module:
    """Load the weights that ship, all of them able to learn."""
    if net == "first":
        from pipeline.reading.network import shipped_weights  # noqa: PLC0415
        from training.unfold import folded, unfolded  # noqa: PLC0415

        some = sorted(lines[:1500], key=lambda one: one[0].shape[1])
        batches = [some[at : at + 50] for at in range(0, len(some), 50)]
        return unfolded(
            folded(shipped_weights()), [scale_to_net(stack_pictures([p for p, _ in b], OURS)[0], OURS) for b in batches]
        )
    return Shipped(net, plan.to)


class Shipped(nn.Module):  # type: ignore[misc,unused-ignore]  # torch is not there where this is checked
    """A reader after the first, made of the file that ships."""

    def __init__(self, net: str, folder: Path) -> None:
        super().__init__()
        path = folder / f"{net}.long.onnx"
        onnx.save(lengthen_weights(onnx.load(str(weights_of(net)))), str(path))
        self.sees = Graph(path)
        for weight in self.sees.parameters():
            weight.requires_grad_(True)
        self.sees.learns_from = 0
        self.drop = nn.Dropout(0.1)
        with np.load(head_beside(weights_of(net))) as head:
            kernel, bias = torch.from_numpy(head["kernel"]).float(), torch.from_numpy(head["bias"]).float()
        self.classes = nn.Conv1d(kernel.shape[1], kernel.shape[0], 1)
        self.classes.weight.data, self.classes.bias.data = kernel[:, :, None].contiguous(), bias

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Score the classes: batch, class, frame (no softmax)."""
        return self.classes(self.drop(self.sees(x)))


def lengthen_weights(model: onnx.ModelProto) -> onnx.ModelProto:
    """Undo `training.borrowed.halved`: weights as 32-bit numbers, without the nodes that make them so."""
    long = onnx.ModelProto()
    long.CopyFrom(model)
    cast = {node.input[0]: node.output[0] for node in model.graph.node if node.op_type == "Cast"}
    del long.graph.node[:], long.graph.initializer[:]
    long.graph.node.extend(node for node in model.graph.node if node.op_type != "Cast")
    for kept in model.graph.initializer:
        numbers = numpy_helper.to_array(kept)
        name = cast.get(kept.name, kept.name)
        is_half = kept.name in cast
        long.graph.initializer.append(numpy_helper.from_array(numbers.astype(np.float32) if is_half else numbers, name))
    return long


def stack_pictures(pictures: Sequence[Picture], canvas: NormalCanvas) -> tuple[torch.Tensor, torch.Tensor]:
    """Stack pictures of different widths, and how many frames each has; few widths, for the memory's sake."""
    width = -(-max(picture.shape[1] for picture in pictures) // 64) * 64
    stack = np.zeros((len(pictures), canvas.rows, width), np.uint8)
    for number, picture in enumerate(pictures):
        stack[number, :, : picture.shape[1]] = picture
    frames = [-(-picture.shape[1] // canvas.columns_per_frame) for picture in pictures]
    return torch.from_numpy(stack), torch.tensor(frames)


def scale_to_net(stack: torch.Tensor, canvas: NormalCanvas, gamma: Any = 1.0) -> torch.Tensor:
    """Turn ink of 0 to 255 into the numbers that a net takes: batch, 1, row, column."""
    return (canvas.paper + (canvas.ink - canvas.paper) * (stack.float() / 255) ** gamma)[:, None]


class Learner:
    """One net that learns from what comes in."""

    def __init__(self, net: str, into: Any, plan: Plan) -> None:
        self.net, self.into, self.plan, self.canvas = net, into, plan, canvas_of(net)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.kept: Lines = []
        self.rng = random.Random(11)
        while len(self.kept) < LEAST:
            self.take_in(wait=True)
        self.model = net_as_shipped(net, plan, self.kept).to(self.device)
        self.average = AveragedModel(self.model, multi_avg_fn=get_ema_multi_avg_fn(AVERAGED), use_buffers=True)
        self.average.n_averaged.fill_(1)
        last = [p for name, p in self.model.named_parameters() if name.startswith("classes.")]
        rest = [p for name, p in self.model.named_parameters() if not name.startswith("classes.")]
        groups = [{"params": rest, "times": 1.0}, {"params": last, "times": LAST_LAYER[net]}]
        self.optimiser = torch.optim.AdamW(groups, lr=RATES[net], weight_decay=0.01)
        self.batches: Any = queue.Queue(8)
        self.dev = dev_lines(plan.dev, self.canvas)
        self.steps = self.lines = 0
        self.to = plan.to / f"{net}.pt"

    def take_in(self, *, wait: bool = False) -> None:
        """Take new lines in; when all places are taken, each replaces one at random."""
        try:
            for _ in range(2 * POOL * self.plan.batch // AT_ONCE):
                for one in self.into.get(timeout=60) if wait else self.into.get_nowait():
                    if len(self.kept) < KEPT:
                        self.kept.append(one)
                    else:
                        self.kept[self.rng.randrange(KEPT)] = one
                wait = False
        except queue.Empty:
            return

    def prepare(self) -> None:
        """Make batches for ever: half of the newest lines, half of all."""
        rng, batch = random.Random(3), self.plan.batch
        while True:
            self.take_in()
            newest = self.kept[-20 * batch :]
            half = batch * POOL // 2
            pool = sorted(rng.choices(newest, k=half) + rng.choices(self.kept, k=half), key=lambda one: one[0].shape[1])
            found: list[Lines] = [[]]
            for one in pool:
                if len(found[-1]) == batch or (len(found[-1]) + 1) * one[0].shape[1] > MOST_COLUMNS:
                    found.append([])
                found[-1].append(one)
            rng.shuffle(found)
            for some in found:
                pictures, texts = [picture for picture, _ in some], [text for _, text in some]
                gamma = [rng.uniform(0.6, 1.6) if rng.random() < 0.3 else 1.0 for _ in some]
                wanted = torch.tensor([CLASS_OF[letter] for text in texts for letter in text])
                lengths = torch.tensor([len(text) for text in texts])
                self.batches.put(
                    (*stack_pictures(pictures, self.canvas), torch.tensor(gamma)[:, None, None], wanted, lengths)
                )

    def scores(self, model: nn.Module, stack: torch.Tensor, gamma: Any) -> torch.Tensor:
        """Score the classes of a batch."""
        gamma = gamma.to(self.device) if isinstance(gamma, torch.Tensor) else gamma
        with torch.autocast(self.device.type, torch.bfloat16, self.device.type == "cuda"):
            return model(scale_to_net(stack.to(self.device, non_blocking=True), self.canvas, gamma)).float()

    def step(self, done: float) -> torch.Tensor:
        """Learn from one batch; ``done`` is the share of the run behind us."""
        stack, frames, gamma, wanted, lengths = self.batches.get()
        rate = RATES[self.net] * min(1.0, self.steps / 200 + 0.02) * (0.5 + 0.5 * math.cos(math.pi * done)) + 4e-6
        for group in self.optimiser.param_groups:
            group["lr"] = rate * group["times"]
        self.model.train()
        scores = self.scores(self.model, stack, gamma).permute(2, 0, 1).log_softmax(2)
        many = (wanted.to(self.device), frames, lengths)
        losses = nn.functional.ctc_loss(scores, *many, BLANK, reduction="none", zero_infinity=True)
        losses = losses / lengths.to(self.device)
        worst = torch.quantile(losses.detach(), 0.99)
        loss = torch.where(losses <= worst, losses, torch.zeros_like(losses)).mean()
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.optimiser.step()
        self.average.update_parameters(self.model)
        self.steps += 1
        self.lines += len(lengths)
        return loss.detach()

    def letters_wrong(self, model: nn.Module) -> float:
        """Measure a net on people it never learns from: the share of letters read wrongly."""
        model.eval()
        wrong = letters = 0
        for at in range(0, len(self.dev), 50):
            some = self.dev[at : at + 50]
            with torch.no_grad():
                stack, frames = stack_pictures([picture for picture, _ in some], self.canvas)
                best = self.scores(model, stack, 1.0).argmax(1).cpu().numpy()
            for (_, text), row, end in zip(some, best, frames.tolist(), strict=True):
                wrong += edits(collapsed(row[:end]), text)
                letters += len(text)
        return wrong / letters

    def report(self, seconds: float, loss: float) -> None:
        """Say how far it is."""
        wrong = self.letters_wrong(self.average.module)
        counts = f"{self.steps} steps, {self.lines} lines learnt, {len(self.kept)} kept"
        print(f"{self.net}: {seconds:.0f} s, {counts}, loss {loss:.3f}, {wrong:.2%} wrong", flush=True)

    def learn(self) -> None:
        """Learn for as long as the plan says, and save what ships best: a mean of the old weights and the new."""
        before = {name: numbers.detach().clone() for name, numbers in self.model.state_dict().items()}
        print(f"{self.net}: {self.letters_wrong(self.model):.2%} of letters wrong as shipped", flush=True)
        threading.Thread(target=self.prepare, daemon=True).start()
        begun = said = time.monotonic()
        recent: list[torch.Tensor] = []
        while (done := (time.monotonic() - begun) / self.plan.seconds) < 1:
            recent = [*recent[-50:], self.step(done)]
            if time.monotonic() - said > SAY_EVERY:
                said = time.monotonic()
                self.report(said - begun, float(torch.stack(recent).mean()))
        after = self.average.module.state_dict()
        found = {}
        for share in (0.0, 0.3, 0.5, 0.7, 0.85, 1.0):
            self.model.load_state_dict(mean_of(before, after, share))
            found[share] = self.letters_wrong(self.model)
        told = ", ".join(f"{share}: {wrong:.2%}" for share, wrong in found.items())
        print(f"{self.net}: {self.steps} steps, {self.lines} lines; share of the new weights: {told}", flush=True)
        best = mean_of(before, after, min(found, key=found.__getitem__))
        torch.save({"average": {name: numbers.cpu() for name, numbers in best.items()}, "lines": self.lines}, self.to)


def mean_of(before: Mapping[str, torch.Tensor], after: Mapping[str, torch.Tensor], share: float) -> Any:
    """The mean of two states, so much of it the second; such a mean reads better than either (Wortsman et al. 2022)."""
    return {
        name: (1 - share) * old.float() + share * after[name].float() if old.is_floating_point() else after[name]
        for name, old in before.items()
    }


def dev_lines(rows: Path, canvas: NormalCanvas) -> Lines:
    """Rows of people that nothing is learnt from, by width."""
    found: Lines = []
    for row in load(rows):
        ink = find_ink(row.grey)
        if ink is not None:
            found.append(((lay_ink(ink, canvas).ink * 255).astype(np.uint8), spelling(row.case.text)))
    return sorted(found, key=lambda one: one[0].shape[1])


def learn(net: str, into: Any, plan: Plan) -> None:
    """Run one net in a process of its own."""
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("high")
    cv2.setNumThreads(1)
    Learner(net, into, plan).learn()


def train_together(plan: Plan) -> None:
    """Run one plan to its end."""
    plan.to.mkdir(parents=True, exist_ok=True)
    hands("train", plan.folder)  # cached before the others start
    context = multiprocessing.get_context("spawn")
    queues = {net: context.Queue(80) for net in plan.nets}
    written = context.Value("q", 0)
    seed = int(time.time()) % 1_000_000
    writers = [
        context.Process(
            target=write_lines,
            args=(queues, seed + number, plan, written),
            kwargs={"of_the_set": number < plan.of_the_set},
            daemon=True,
        )
        for number in range(plan.processes)
    ]
    learners = [context.Process(target=learn, args=(net, queues[net], plan)) for net in plan.nets]
    begun = time.monotonic()
    for process in (*writers, *learners):
        process.start()
    while any(process.is_alive() for process in learners):
        time.sleep(SAY_EVERY)
        print(f"{written.value} lines written, {written.value / (time.monotonic() - begun):.0f} a second", flush=True)
    for process in writers:
        process.terminate()


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=380)
    parser.add_argument("--processes", type=int, default=max(1, (os.cpu_count() or 2) - 1), help="that write lines")
    parser.add_argument("--of-the-set", type=int, default=2, help="of them, that write with the set's own composer")
    parser.add_argument("--batch", type=int, default=128, help="lines learnt from at once")
    parser.add_argument("--nets", nargs="+", choices=NETS, default=list(NETS))
    parser.add_argument("--folder", type=Path, default=Path("build/training"), help="of the caches")
    parser.add_argument("--dev", type=Path, default=Path("build/rows/dev.pkl"), help="rows, made by 'training rows'")
    parser.add_argument("--to", type=Path, default=Path("build/together"), help="where the checkpoints go")
    found = parser.parse_args(arguments)
    nets = tuple(found.nets)
    many = (found.processes, found.of_the_set, found.batch)
    train_together(Plan(found.seconds, *many, nets, found.folder, found.dev, found.to))


if __name__ == "__main__":
    main()

"""The net that sees ink which belongs to no sign of a text: as it learns (`training/unread.py`), and its file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional

from pipeline.reading.alphabet import CLASSES
from pipeline.reading.network import head_beside
from pipeline.reading.unread import CANVAS, UnreadInk
from training.borrowed import halved
from training.unfold import restore_norms

TOLERANCE = 2e-2  # of log odds, between torch and the file that ships


class Sees(nn.Module):  # type: ignore[misc,unused-ignore]  # torch is not there where this is checked
    """56 rows by W columns become W/4 frames of features."""

    def __init__(self, channels: Sequence[int] = (8, 24, 40, 64, 96)) -> None:
        super().__init__()
        inward = (1, *channels)
        sizes: list[Any] = [3, 3, 3, 3, (7, 3)]
        rooms: list[Any] = [1, 1, 1, 1, (0, 1)]
        self.looks = nn.ModuleList(map(nn.Conv2d, inward, channels, sizes, [1] * 5, rooms))
        self.evens = nn.ModuleList(map(nn.BatchNorm2d, channels))
        self.pools: tuple[Any, ...] = (2, 2, (2, 1), 1, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for look, even, pool in zip(self.looks, self.evens, self.pools, strict=True):
            x = functional.relu(even(look(x)))
            x = functional.max_pool2d(x, pool) if pool != 1 else x
        return x


class Unread(nn.Module):  # type: ignore[misc,unused-ignore]
    """0.16 million parameters. The log odds, by frame, that there is ink which is none of the signs beside it."""

    def __init__(self, features: int = 96, names: int = 20, read: int = 192) -> None:
        super().__init__()
        self.sees = Sees()
        self.signs = nn.Embedding(CLASSES + 1, names)
        self.along = nn.ModuleList(
            [
                nn.Conv1d(96 + read + names, features, 5, padding=2),
                nn.Conv1d(features, features, 5, padding=4, dilation=2),
                nn.Conv1d(features, features, 5, padding=4, dilation=2),
                nn.Conv1d(features, 1, 1),
            ]
        )
        nn.init.constant_(self.along[-1].bias, -5.0)

    def forward(self, ink: torch.Tensor, read: torch.Tensor, signs: torch.Tensor) -> torch.Tensor:
        first, *between, last = self.along
        named = torch.cat([read, self.signs(signs)], 2).transpose(1, 2)
        here = functional.relu(first(torch.cat([self.sees(ink)[:, :, 0], named], 1)))
        for layer in between:
            here = here + functional.relu(layer(here))
        return last(here)[:, 0]


def load_shipped(weights: Path, pictures: Sequence[torch.Tensor] = ()) -> Unread:
    """Load the file that ships; its norms are folded into the convolutions, and do nothing here.

    ``pictures``: after whose means and spreads the norms are put back, so that the net can go on learning.
    """
    kept = {
        one.name.removesuffix(".half"): numpy_helper.to_array(one) for one in onnx.load(str(weights)).graph.initializer
    }
    nodes = [node for node in onnx.load(str(weights)).graph.node if node.op_type == "Conv"]
    net: Unread = Unread().eval()
    with torch.no_grad():
        for look, even, node in zip(net.sees.looks, net.sees.evens, nodes, strict=True):
            kernel, bias = (_tensor(kept[name.removesuffix(".half")]) for name in node.input[1:])
            look.weight.copy_(kernel)
            look.bias.zero_()
            even.weight.fill_((1 + even.eps) ** 0.5)
            even.bias.copy_(bias)
        with np.load(head_beside(weights)) as head:
            net.signs.weight.copy_(_tensor(head["signs"]))
            for number, layer in enumerate(net.along):
                layer.weight.copy_(_tensor(head[f"kernel{number}"]).permute(2, 1, 0))
                layer.bias.copy_(_tensor(head[f"bias{number}"]))
    if pictures:
        restore_norms(net.sees, list(zip(net.sees.looks, net.sees.evens, strict=True)), pictures)
    return net


def average(new: Unread, old: Unread, share: float) -> Unread:
    """The mean of two nets, weight by weight, so much of it new."""
    mean: Unread = Unread().eval()
    states = [_fold_norms(net).state_dict() for net in (new, old)]
    mean.load_state_dict({name: share * value + (1 - share) * states[1][name] for name, value in states[0].items()})
    return mean


def _fold_norms(net: Unread) -> Unread:
    """The same net with norms that do nothing."""
    folded: Unread = Unread().eval()
    folded.load_state_dict(net.state_dict())
    with torch.no_grad():
        for look, even in zip(folded.sees.looks, folded.sees.evens, strict=True):
            scale = even.weight / (even.running_var + even.eps).sqrt()
            look.weight.mul_(scale[:, None, None, None])
            even.bias.add_((look.bias - even.running_mean) * scale)
            look.bias.zero_()
            even.running_mean.zero_()
            even.running_var.fill_(1)
            even.weight.fill_((1 + even.eps) ** 0.5)
            even.num_batches_tracked.zero_()
    return folded


def _tensor(kept: Any) -> torch.Tensor:
    return torch.from_numpy(np.asarray(kept, np.float32).copy())


# The file that ships.


def export(net: Unread, to: Path) -> float:
    """Write what sees as ONNX and the rest beside it, as 16-bit numbers; the largest difference of log odds."""
    net.eval()
    wide = {"row": {3: "columns"}, "features": {3: "frames"}}
    names = {"input_names": ["row"], "output_names": ["features"], "dynamic_axes": wide}
    shown = (torch.zeros(1, 1, CANVAS.rows, 320),)
    torch.onnx.export(net.sees, shown, str(to), opset_version=17, dynamo=False, **names)
    onnx.save(halved(onnx.load(str(to))), str(to))
    layers: dict[str, Any] = {
        f"{name}{number}": part.detach().numpy().astype(np.float16)
        for number, layer in enumerate(net.along)
        for name, part in (("kernel", layer.weight.permute(2, 1, 0)), ("bias", layer.bias))
    }
    apart = np.array([layer.dilation[0] for layer in net.along])
    np.savez(head_beside(to), signs=net.signs.weight.detach().numpy().astype(np.float16), apart=apart, **layers)
    shipped, most, noise = UnreadInk(to), 0.0, np.random.default_rng(1)
    for columns in (64, 320, 800):
        row = noise.random((CANVAS.rows, columns), np.float32) ** 4
        signs = noise.integers(0, CLASSES, columns // 4) * (noise.random(columns // 4) < 0.3)
        read = noise.random((columns // 4, net.along[0].in_channels - 96 - 20), np.float32)
        with torch.no_grad():
            wanted = net(*(torch.from_numpy(part)[None] for part in (row[None], read, signs)))[0].numpy()
        told = shipped.weigh_frames(shipped.network.features(row), read.astype(np.float64), signs)
        most = max(most, float(np.abs(told - wanted).max()))
    return most

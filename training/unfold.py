"""A checkpoint made of the file that ships, to go on from: ``python -m training unfold``, then ``train --resume``.

The file holds each convolution with its batch norm folded in. Some lines of training text say again what mean and
spread each channel has, and the norm that undoes exactly these is put back: the net computes what it computed before,
and can learn again. Classes that the file does not know yet are added, unlikely at first.
"""

import argparse
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from pipeline.reading.further import weights_of
from pipeline.reading.network import OURS, head_beside, shipped_weights
from pipeline.reading.recogniser import AFTER_FIRST
from training.further import Further
from training.model import Along, Net
from training.samples import samples
from training.strokes import HANDWRITING, hands
from training.train import NETS, stacked

LINES, AT_ONCE = 1600, 64  # whose means and spreads are taken
UNLIKELY = -6.0  # bias of a class that is new
SPREAD = 0.02  # of a new class's weights

Pair = tuple[nn.Conv2d, nn.BatchNorm2d]


def pairs(net: Net) -> list[Pair]:
    """List the convolutions, each with the norm behind it, from the picture to the last layer."""
    found: list[Pair] = [(part[0], part[1]) for part in net.stem if isinstance(part, nn.Sequential)]
    for step in net.line:
        assert isinstance(step, Along)
        found += [(step.look, step.first), (step.mix, step.second)]
    return found


def folded(weights: Path) -> Net:
    """Load the file as it is: every norm does nothing but add what was folded in."""
    model = onnx.load(str(weights))
    arrays = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in model.graph.initializer}
    nodes = [node for node in model.graph.node if node.op_type == "Conv"]
    net = Net()
    net.eval()
    with torch.no_grad():
        for (convolution, norm), node in zip(pairs(net), nodes, strict=True):
            convolution.weight.copy_(arrays[node.input[1]])
            norm.weight.fill_((1 + norm.eps) ** 0.5)
            norm.bias.copy_(arrays[node.input[2]])
        with np.load(head_beside(weights)) as head:
            kernel, bias = torch.from_numpy(head["kernel"]), torch.from_numpy(head["bias"])
        known = len(bias)
        net.classes.weight.normal_(0, SPREAD)
        net.classes.bias.fill_(UNLIKELY)
        net.classes.weight[:known] = kernel[:, :, None, None]
        net.classes.bias[:known] = bias
    return net


def unfolded(net: Net, pictures: Sequence[torch.Tensor]) -> Net:
    """Put the norms of the first reader back."""
    restore_norms(net, pairs(net), pictures)
    return net


def restore_norms(net: nn.Module, some: Sequence[Pair], pictures: Sequence[torch.Tensor]) -> None:
    """Put the norms back behind convolutions without a bias, after the means and spreads of these pictures.

    Nothing that the net computes is different.
    """
    inputs: dict[int, list[torch.Tensor]] = {}

    def seen(number: int, out: torch.Tensor) -> None:
        flat = out.double().transpose(0, 1).flatten(1)
        count = torch.full((flat.shape[0],), float(flat.shape[1]), dtype=torch.float64)
        inputs.setdefault(number, []).append(torch.stack([count, flat.sum(1), (flat * flat).sum(1)]))

    hooks = [
        convolution.register_forward_hook(lambda _m, _i, out, number=number: seen(number, out))
        for number, (convolution, _) in enumerate(some)
    ]
    with torch.no_grad():
        for picture in pictures:
            net(picture)
        for hook in hooks:
            hook.remove()
        for number, (convolution, norm) in enumerate(some):
            count, total, squares = torch.stack(inputs[number]).sum(0)
            mean = total / count
            variance = (squares / count - mean * mean).clamp_min(1e-10)
            scale = 1 / convolution.weight.flatten(1).norm(dim=1).clamp_min(
                1e-8
            )  # a filter's length is the norm's affair
            convolution.weight.mul_(scale[:, None, None, None])
            norm.running_mean.copy_(mean * scale)
            norm.running_var.copy_(variance * scale * scale)
            norm.weight.copy_((norm.running_var + norm.eps).sqrt() / scale)
            norm.bias.add_(mean)


def as_shipped(net: Further, weights: Path) -> Further:
    """Give a borrowed net the weights of the file that ships."""
    kept = {
        one.name.removesuffix(".half"): numpy_helper.to_array(one) for one in onnx.load(str(weights)).graph.initializer
    }
    with torch.no_grad():
        for name, learnt in net.sees.weights.items():
            learnt.copy_(torch.from_numpy(kept[net.sees.called[name]].astype(np.float32)))
        with np.load(head_beside(weights)) as head:
            net.classes.weight.copy_(torch.from_numpy(head["kernel"])[:, :, None])
            net.classes.bias.copy_(torch.from_numpy(head["bias"]))
    return net


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and write a checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, default=shipped_weights())
    parser.add_argument("--folder", type=Path, default=Path("build/training"), help="of the checkpoint and the caches")
    parser.add_argument("--handwriting", type=Path, default=HANDWRITING, help="the strokes")
    parser.add_argument("--lines", type=int, default=0, help="that the net has seen before, for the record")
    parser.add_argument("--net", choices=NETS, default="first")
    found = parser.parse_args(arguments)
    found.folder.mkdir(parents=True, exist_ok=True)
    if found.net in AFTER_FIRST:
        shipped, to = weights_of(found.net), found.folder / f"{found.net}.pt"
        state = as_shipped(Further(found.net), shipped).state_dict()
        torch.save({"net": state, "average": state, "lines": found.lines}, to)
        print(f"{to}: the weights of {shipped}")
        return
    made = sorted(
        islice(samples(hands("train", found.folder, found.handwriting), 5), LINES), key=lambda one: one.picture.shape[1]
    )
    batches = [made[at : at + AT_ONCE] for at in range(0, LINES, AT_ONCE)]
    pictures = [stacked([one.picture for one in batch], [1.0] * len(batch), OURS) for batch in batches]
    net = folded(found.weights)
    with torch.no_grad():
        before = [net(picture) for picture in pictures[:3]]
        unfolded(net, pictures)
        after = [net(picture) for picture in pictures[:3]]
    furthest = max(float((a - b).abs().max()) for a, b in zip(before, after, strict=True))
    state = net.state_dict()
    torch.save({"net": state, "average": state, "lines": found.lines}, found.folder / "checkpoint.pt")
    print(f"{found.folder / 'checkpoint.pt'}: scores differ from those of {found.weights} by at most {furthest:.1e}")

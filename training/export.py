"""Write a trained net as the file that ships: ``python -m training export``. ONNX Runtime must give what torch gave.

``--net second`` and ``third`` write the readers after it: the mean, weight by weight, of the checkpoints given, which
went on from the same weights. Such a mean reads better than any of them (Wortsman et al. 2022, *Model soups*).
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import nn

from pipeline.reading.further import weights_of
from pipeline.reading.network import BORROWED, OURS, Network, NormalCanvas, head_beside, load_head, shipped_weights
from pipeline.reading.recogniser import AFTER_FIRST
from training.borrowed import halved
from training.further import Further
from training.model import Net, Seeing

TOLERANCE = 1e-3  # of a probability
TOLERANCE_HALVED = 5e-3  # likewise, where weights are kept as 16-bit numbers
CHECKPOINTS = {
    "first": Path("build/training/checkpoint.pt"),
    **{name: Path(f"build/training/{name}.pt") for name in AFTER_FIRST},
}

Weights = Mapping[str, torch.Tensor]


def export(checkpoint: Path, to: Path) -> float:
    """Write the weights as ONNX for any width; the largest difference of a probability between the two programs."""
    net = Net().eval()
    net.load_state_dict(averaged(checkpoint))
    to.parent.mkdir(parents=True, exist_ok=True)
    wide = {"row": {3: "columns"}, "features": {3: "frames"}}
    names = {"input_names": ["row"], "output_names": ["features"], "dynamic_axes": wide}
    seeing = Seeing(net).eval()
    torch.onnx.export(seeing, (torch.zeros(1, 1, OURS.rows, 320),), str(to), opset_version=17, dynamo=False, **names)
    write_head(net.classes.weight.detach()[:, :, 0, 0], net.classes.bias.detach(), to)
    return furthest(net, to, OURS)


def export_further(name: str, checkpoints: Sequence[Path], to: Path) -> float:
    """Write a reader after the first, its large weights as 16-bit numbers; the largest difference of a probability."""
    net = Further(name).eval()
    states = [averaged(checkpoint) for checkpoint in checkpoints]
    net.load_state_dict({name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]})
    onnx.save(halved(net.sees.written()), str(to))
    write_head(net.classes.weight.detach()[:, :, 0], net.classes.bias.detach(), to)
    return furthest(net, to, BORROWED)


def averaged(checkpoint: Path) -> Weights:
    """The weights of a checkpoint that are the ones to ship."""
    found: Weights = torch.load(checkpoint, map_location="cpu")["average"]
    return found


def write_head(kernel: torch.Tensor, bias: torch.Tensor, to: Path) -> None:
    """Write the last layer beside the net."""
    np.savez(head_beside(to), kernel=kernel.numpy().astype(np.float32), bias=bias.numpy().astype(np.float32))


def furthest(net: nn.Module, to: Path, canvas: NormalCanvas) -> float:
    """Show both programs some rows of noise; the largest difference of a probability."""
    shipped, head, most = Network(to, canvas), load_head(to), 0.0
    for seed, columns in enumerate((64, 320, 333, 800)):
        row = np.random.default_rng(seed).random((canvas.rows, columns), np.float32) ** 4
        shown = np.pad(row, ((0, 0), (0, -columns % canvas.width_step)))
        with torch.no_grad():
            seen = net(torch.from_numpy(canvas.paper + (canvas.ink - canvas.paper) * shown)[None, None].float())
        wanted = seen.softmax(1)[0].numpy().T
        found = head.frames(shipped.features(row))
        most = max(most, float(np.abs(found - wanted[: len(found)]).max()))
    return most


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--net", choices=tuple(CHECKPOINTS), default="first")
    parser.add_argument("--checkpoint", type=Path, nargs="+", help="of the second reader there may be several")
    parser.add_argument("--to", type=Path, help="the file; beside it goes the last layer")
    found = parser.parse_args(arguments)
    checkpoints = found.checkpoint or [CHECKPOINTS[found.net]]
    if found.net == "first":
        to, allowed = found.to or shipped_weights(), TOLERANCE
        if len(checkpoints) > 1:
            parser.error("one checkpoint is exported; only of a reader after the first there may be several")
        most = export(checkpoints[0], to)
    else:
        to, allowed = found.to or weights_of(found.net), TOLERANCE_HALVED
        most = export_further(found.net, checkpoints, to)
    print(f"{to}: {to.stat().st_size / 1e6:.1f} MB, furthest from torch {most:.1e}")
    if most > allowed:
        raise SystemExit(f"ONNX Runtime and torch differ by {most:.1e}, wanted at most {allowed:.0e}")


if __name__ == "__main__":
    main()

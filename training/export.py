"""Write the trained net as the file that ships: ``python -m training.export``. OpenCV must give what torch gave."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from pipeline.reading.net.network import Network, head_beside, load_head, shipped_weights
from pipeline.reading.net.normalise import ROWS
from training.model import Net, Seeing

TOLERANCE = 1e-3  # of a probability


def export(checkpoint: Path, to: Path) -> float:
    """Write the weights as ONNX for any width; the largest difference of a probability between the two programs."""
    net = Net().eval()
    net.load_state_dict(torch.load(checkpoint, map_location="cpu")["average"])
    to.parent.mkdir(parents=True, exist_ok=True)
    wide = {"row": {3: "columns"}, "features": {3: "frames"}}
    names = {"input_names": ["row"], "output_names": ["features"], "dynamic_axes": wide}
    seeing = Seeing(net).eval()
    torch.onnx.export(seeing, (torch.zeros(1, 1, ROWS, 320),), str(to), opset_version=17, dynamo=False, **names)
    kernel, bias = net.classes.weight.detach()[:, :, 0, 0].numpy(), net.classes.bias.detach().numpy()
    np.savez(head_beside(to), kernel=kernel.astype(np.float32), bias=bias.astype(np.float32))
    shipped, head, furthest = Network(to), load_head(to), 0.0
    for seed, columns in enumerate((64, 320, 333, 800)):
        row = np.random.default_rng(seed).random((ROWS, columns), np.float32) ** 4
        padded = np.pad(row, ((0, 0), (0, -columns % 16)))
        with torch.no_grad():
            wanted = net(torch.from_numpy(padded)[None, None]).softmax(1)[0].numpy().T
        found = head.frames(shipped.features(row))
        furthest = max(furthest, float(np.abs(found - wanted[: len(found)]).max()))
    return furthest


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", type=Path, default=Path("build/training/checkpoint.pt"))
    parser.add_argument("--to", type=Path, default=shipped_weights())
    found = parser.parse_args(arguments)
    furthest = export(found.checkpoint, found.to)
    print(f"{found.to}: {found.to.stat().st_size / 1e6:.1f} MB, furthest from torch {furthest:.1e}")
    if furthest > TOLERANCE:
        raise SystemExit(f"OpenCV and torch differ by {furthest:.1e}, wanted at most {TOLERANCE:.0e}")


if __name__ == "__main__":
    main()

"""The nets of the readers after the first, to be learnt with: what sees is borrowed, what names the letters is ours."""

import tempfile
from pathlib import Path

import onnx
import torch
from torch import nn

from training.borrowed import PACKAGES, SOURCES, borrowed, first_head, plainly
from training.graph import Graph


class Further(nn.Module):  # type: ignore[misc,unused-ignore]  # torch is not there where this is checked
    """The second has 3.0 million parameters: 90 ms a line to learn on one core, 40 to read; the third 1.9 million."""

    def __init__(self, name: str, packages: Path = PACKAGES) -> None:
        super().__init__()
        source = SOURCES[name]
        model, letters = borrowed(source, packages)
        head = first_head(model, letters)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "borrowed.onnx"
            onnx.save(plainly(model), str(path))
            self.sees = Graph(path, source.still)
        self.drop = nn.Dropout(0.1)
        classes, features = head.kernel.shape
        self.classes = nn.Conv1d(features, classes, 1)
        self.classes.weight.data = torch.from_numpy(head.kernel).float()[:, :, None]
        self.classes.bias.data = torch.from_numpy(head.bias).float()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Score the classes: batch, class, frame (no softmax)."""
        return self.classes(self.drop(self.sees(x)))

"""A net that comes as a file of nodes (ONNX), as one that can be learnt with, and back into its file."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional

LEAST_LEARNT = 16  # numbers: what is smaller is a shape, or a constant of a formula
SMALL = 9  # numbers of a channel's own kernel: larger ones stay, a processor takes half of a step to learn them
Values = dict[str, torch.Tensor]


class Graph(nn.Module):  # type: ignore[misc,unused-ignore]  # torch is not there where this is checked
    """The nodes of a file, run one after the other; their weights learn.

    Those of the first convolutions do not, nor the large kernels that see each channel alone.
    """

    def __init__(self, path: Path, still: int = 0) -> None:
        super().__init__()
        self.model = onnx.load(str(path))
        self.weights = nn.ParameterDict()
        self.called: dict[str, str] = {}  # in the file, by the name that torch allows
        self.constants: dict[str, np.ndarray[Any, Any]] = {}
        for kept in self.model.graph.initializer:
            numbers = numpy_helper.to_array(kept).copy()
            if numbers.dtype == np.float32 and numbers.size >= LEAST_LEARNT:
                self.weights[key(kept.name)] = nn.Parameter(torch.from_numpy(numbers))
                self.called[key(kept.name)] = kept.name
            else:
                self.constants[kept.name] = numbers
        self.steps = [
            (n.op_type, list(n.input), n.output[0], {a.name: onnx.helper.get_attribute_value(a) for a in n.attribute})
            for n in self.model.graph.node
        ]
        convolutions = [number for number, (kind, *_) in enumerate(self.steps) if kind == "Conv"]
        self.learns_from = convolutions[still]  # step
        for _, (_, *kept), _, how in (step for step in self.steps if step[0] == "Conv"):
            if how["group"] > 1 and math.prod(how["kernel_shape"]) > SMALL:
                for name in kept:
                    self.weights[key(name)].requires_grad_(False)
        self.begins, self.ends = self.model.graph.input[0].name, self.model.graph.output[0].name

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Run the nodes."""
        values: Values = {self.begins: x}
        with torch.no_grad():
            self.run(self.steps[: self.learns_from], values)
        self.run(self.steps[self.learns_from :], values)
        return values[self.ends]

    def run(self, steps: list[Any], values: Values) -> None:
        """Run some of the nodes."""
        for kind, wanted, made, how in steps:
            values[made] = STEPS[kind]([self.value(name, values) for name in wanted], how)

    def value(self, name: str, values: Values) -> Any:
        """A result, a weight or a constant; single numbers as numbers."""
        if name in values:
            return values[name]
        if key(name) in self.weights:
            return self.weights[key(name)]
        numbers = self.constants[name]
        return numbers.item() if numbers.size == 1 else numbers

    def written(self) -> onnx.ModelProto:
        """The file with the weights as they are now."""
        model = onnx.ModelProto()
        model.CopyFrom(self.model)
        for kept in model.graph.initializer:
            if key(kept.name) in self.weights:
                learnt = self.weights[key(kept.name)].detach().cpu().numpy()
                kept.CopyFrom(numpy_helper.from_array(learnt, kept.name))
        return model


def key(name: str) -> str:
    """A name that torch allows."""
    return name.replace(".", "_")


def padded(x: torch.Tensor, how: dict[str, Any], value: float) -> tuple[torch.Tensor, tuple[int, int]]:
    """Pad by hand where the file asks for the same size; the padding that is left to the node otherwise."""
    if how.get("auto_pad", b"NOTSET") == b"SAME_UPPER":
        high, wide = how["kernel_shape"]
        return functional.pad(x, (0, wide - 1, 0, high - 1), value=value), (0, 0)
    top, left, _, _ = how.get("pads", [0, 0, 0, 0])
    return x, (top, left)


def convolved(given: list[Any], how: dict[str, Any]) -> torch.Tensor:
    """Convolve."""
    x, padding = padded(given[0], how, 0.0)
    bias = given[2] if len(given) > 2 else None
    return functional.conv2d(x, given[1], bias, how["strides"], padding, how["dilations"], how["group"])


def largest(given: list[Any], how: dict[str, Any]) -> torch.Tensor:
    """Take the largest of each few."""
    x, padding = padded(given[0], how, -1e9)
    return functional.max_pool2d(x, how["kernel_shape"], how["strides"], padding)


def reshaped(given: list[Any], _: dict[str, Any]) -> torch.Tensor:
    """Lay the numbers otherwise; 0 stays what it was."""
    x, wanted = given
    return x.reshape([x.shape[at] if size == 0 else int(size) for at, size in enumerate(wanted)])


STEPS: dict[str, Any] = {
    "Add": lambda given, how: given[0] + given[1],
    "AveragePool": lambda given, how: functional.avg_pool2d(given[0], how["kernel_shape"], how["strides"]),
    "Concat": lambda given, how: torch.cat(given, how["axis"]),
    "Conv": convolved,
    "Gelu": lambda given, how: functional.gelu(given[0]),
    "GlobalAveragePool": lambda given, how: given[0].mean((2, 3), keepdim=True),
    "HardSigmoid": lambda given, how: (how["alpha"] * given[0] + how["beta"]).clamp(0, 1),
    "HardSwish": lambda given, how: functional.hardswish(given[0]),
    "LayerNormalization": lambda given, how: functional.layer_norm(
        given[0], given[1].shape, given[1], given[2], how["epsilon"]
    ),
    "MatMul": lambda given, how: given[0] @ given[1],
    "MaxPool": largest,
    "Mul": lambda given, how: given[0] * given[1],
    "Relu": lambda given, how: functional.relu(given[0]),
    "Reshape": reshaped,
    "Sigmoid": lambda given, how: torch.sigmoid(given[0]),
    "Softmax": lambda given, how: given[0].softmax(how["axis"]),
    "Transpose": lambda given, how: given[0].permute(how["perm"]),
}

"""The net: convolutions only, so that it runs at any width. 40 rows by W columns become W/4 frames.

It sees four to five letters at once: enough to tell a joined ``rn`` from an ``m``, too little to learn words.
"""

import torch
from torch import nn

from pipeline.reading.alphabet import CLASSES


def block(inward: int, outward: int, kernel: int | tuple[int, int], padding: int, stride: int = 1) -> nn.Sequential:
    """Convolve, normalise, rectify."""
    convolution = nn.Conv2d(inward, outward, kernel, stride, padding, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outward), nn.ReLU(inplace=True))


class Along(nn.Module):  # type: ignore[misc,unused-ignore]  # torch is not there where this is checked
    """A residual step along the line: what stands left and right of here."""

    def __init__(self, channels: int, reach: int) -> None:
        super().__init__()
        self.look = nn.Conv2d(channels, channels, (1, 3), padding=(0, reach), dilation=(1, reach), bias=False)
        self.first = nn.BatchNorm2d(channels)
        self.mix = nn.Conv2d(channels, channels, 1, bias=False)
        self.second = nn.BatchNorm2d(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add what was seen to what was known."""
        seen = torch.relu(self.first(self.look(x)))
        return torch.relu(x + self.second(self.mix(seen)))


class Net(nn.Module):  # type: ignore[misc,unused-ignore]
    """0.84 million parameters; 5 ms a line to train and about 4 ms to read, on one core."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            block(1, 24, 5, 2, stride=2),
            block(24, 48, 3, 1, stride=2),
            block(48, 64, 3, 1),
            nn.MaxPool2d((2, 1)),
            block(64, 128, 3, 1),
            block(128, 192, (5, 1), 0),
        )
        self.line = nn.Sequential(*[Along(192, reach) for reach in (1, 2, 1, 2)])
        self.drop = nn.Dropout(0.1)
        self.classes = nn.Conv2d(192, CLASSES, 1)

    def features(self, x: torch.Tensor) -> torch.Tensor:
        """See: batch, feature, 1, frame."""
        return self.line(self.stem(x))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Score the classes: batch, class, frame (no softmax)."""
        return self.classes(self.drop(self.features(x))).squeeze(2)


class Seeing(nn.Module):  # type: ignore[misc,unused-ignore]
    """The net up to its last layer: that one is kept apart, so that it can be fitted to a hand at the table."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """See."""
        return self.net.features(x)

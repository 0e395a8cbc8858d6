"""Which province each dot of the paper belongs to: the raster that the outlines are traced from."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from drawing.atlas import Atlas
from drawing.globe import MAP_SIZE, on_paper

DOTS = 2.0  # a drawing unit
WANDER = 5.0  # drawing units: how far a border strays from the line halfway between two points
WAVE = 9.0  # drawing units: the length of its bends
SMALLEST = 270.0  # square drawing units; smaller islands and lakes are left out
ROUND = 1.1  # drawing units: how far coasts are rounded off

Labels = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Seeds:
    """The points and lines of ``seeds.toml``."""

    land: dict[str, list[list[float]]]
    sea: dict[str, list[list[float]]]
    countries: dict[str, str]
    bridges: dict[str, Any]
    cuts: dict[str, Any]

    @classmethod
    def read(cls, path: Path) -> "Seeds":
        """Read the file."""
        return cls(**tomllib.loads(path.read_text("utf-8")))

    @property
    def names(self) -> tuple[str, ...]:
        """All areas; a label is a place in this list."""
        return (*sorted(self.land), *sorted(self.sea))


def label(atlas: Atlas, seeds: Seeds) -> Labels:
    """Give every dot the number of its area."""
    size = (int(MAP_SIZE[0] * DOTS), int(MAP_SIZE[1] * DOTS))
    number = {name: place for place, name in enumerate(seeds.names)}
    labels = nearest(seeds.sea, size, number)
    lands = np.full_like(labels, -1)
    wander = wandering(size)
    for country, codes in seeds.countries.items():
        painted = atlas.paint(country, size, DOTS) > 0
        if painted.any():
            shares = nearest({code: seeds.land[code] for code in codes.split()}, size, number)
            lands[painted] = wander(shares)[painted]
    land = rounded(lands >= 0)
    lands = filled(lands, land)
    labels[land] = lands[land]
    for table in (seeds.cuts, seeds.bridges):
        for code, lines in table.items():
            for start, end, width in lines:
                ends = np.round(on_paper(np.array([start, end])) * DOTS).astype(int)
                cv2.line(labels, *map(tuple, ends.tolist()), number[code], int(width * DOTS))  # type: ignore[call-overload]
    return cleaned(labels, {number["LAKE"]})


def nearest(points: dict[str, list[list[float]]], size: tuple[int, int], number: dict[str, int]) -> Labels:
    """Give every dot the number of the nearest point."""
    free = np.full((size[1], size[0]), 255, np.uint8)
    owner = {}
    for code, degrees in points.items():
        for x, y in np.round(on_paper(np.array(degrees)) * DOTS).astype(int):
            inside = int(np.clip(y, 0, size[1] - 1)), int(np.clip(x, 0, size[0] - 1))
            free[inside] = 0
            owner[inside] = number[code]
    _, found = cv2.distanceTransformWithLabels(free, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    table = np.zeros(found.max() + 1, np.int32)
    for inside, area in owner.items():
        table[found[inside]] = area
    labels: Labels = table[found]
    return labels


def wandering(size: tuple[int, int]) -> Any:
    """Make a function that bends the borders of a raster as a river bends, the same way every time."""
    rng = np.random.default_rng(1901)
    rows, columns = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    moved = []
    for grid in (columns, rows):
        noise = cv2.GaussianBlur(rng.standard_normal((size[1], size[0])).astype(np.float32), (0, 0), WAVE * DOTS / 2)
        moved.append(grid + noise / noise.std() * WANDER * DOTS / 2)
    return lambda labels: cv2.remap(
        labels.astype(np.float32), moved[0], moved[1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.int32)


def rounded(land: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Round off the coasts and leave out what is too small to print."""
    soft = cv2.GaussianBlur(land.astype(np.float32), (0, 0), ROUND * DOTS) > 0.5
    for wanted in (True, False):
        count, parts, stats, _ = cv2.connectedComponentsWithStats((soft == wanted).astype(np.uint8), connectivity=4)
        small = [n for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] < SMALLEST * DOTS**2]
        soft[np.isin(parts, small)] = not wanted
    return soft


def filled(labels: Labels, wanted: NDArray[np.bool_]) -> Labels:
    """Give dots without a label the one nearest to them."""
    free = np.where(labels >= 0, 0, 255).astype(np.uint8)
    _, found = cv2.distanceTransformWithLabels(free, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    table = np.zeros(found.max() + 1, np.int32)
    known = labels >= 0
    table[found[known]] = labels[known]
    return np.where(wanted, table[found], -1)


def cleaned(labels: Labels, kept: set[int]) -> Labels:
    """Give splinters, parts of an area too small to print, to the areas round them."""
    result = labels.copy()
    for number in np.unique(labels):
        count, parts, stats, _ = cv2.connectedComponentsWithStats((labels == number).astype(np.uint8), connectivity=4)
        small = [n for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] < SMALLEST * DOTS**2]
        if number not in kept:
            result[np.isin(parts, small)] = -1
    return filled(result, np.ones_like(result, bool))

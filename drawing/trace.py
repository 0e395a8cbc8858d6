"""Trace the outlines in a raster of labels: arcs that two areas share, so that what touches is a fact of the file."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from drawing.globe import Points
from drawing.label import DOTS, Labels

EDGE = -1  # beyond the paper
SOFT = 3.0  # dots: how far the raster's stairs are smoothed along a line
NEARLY = 0.45  # drawing units: how far a line may lie from the one traced

Corner = tuple[int, int]  # row and column of a corner between dots


@dataclass(frozen=True, slots=True)
class Arc:
    """A line between two areas, from one corner where three meet to the next, or closed."""

    left: int
    right: int
    points: Points  # drawing units


@dataclass(frozen=True, slots=True)
class Step:
    """One side of a dot, walked with ``left`` on the left."""

    start: Corner
    end: Corner
    left: int
    right: int


def trace(labels: Labels) -> list[Arc]:
    """Find all arcs of a raster, in reading order of their first corners."""
    steps = dict(sides(np.pad(labels, 1, constant_values=EDGE)))
    leaving: dict[Corner, list[Corner]] = {}
    for start, end in steps:
        leaving.setdefault(start, []).append(end)
    nodes = sorted(corner for corner, ends in leaving.items() if len(ends) != 2)
    arcs: list[Arc] = []
    walked: set[tuple[Corner, Corner]] = set()
    for node in [*nodes, *sorted(leaving)]:
        for end in sorted(leaving[node]):
            if (node, end) not in walked:
                corners = walk(node, end, leaving)
                walked.update(pairwise(corners))
                walked.update(pairwise(corners[::-1]))
                first = steps[node, end]
                points = smooth(corners) if EDGE not in (first.left, first.right) else dotted(corners)
                arcs.append(Arc(first.left, first.right, simple(points)))
    return arcs


def sides(labels: Labels) -> Iterator[tuple[tuple[Corner, Corner], Step]]:
    """Every side between two dots of different labels, both ways."""
    for row, column in np.argwhere(labels[:, :-1] != labels[:, 1:]).tolist():
        here, there = int(labels[row, column]), int(labels[row, column + 1])
        yield from both_ways((row, column + 1), (row + 1, column + 1), there, here)
    for row, column in np.argwhere(labels[:-1] != labels[1:]).tolist():
        here, there = int(labels[row, column]), int(labels[row + 1, column])
        yield from both_ways((row + 1, column), (row + 1, column + 1), here, there)


def both_ways(start: Corner, end: Corner, left: int, right: int) -> Iterator[tuple[tuple[Corner, Corner], Step]]:
    """Walk a side there and back."""
    yield (start, end), Step(start, end, left, right)
    yield (end, start), Step(end, start, right, left)


def walk(node: Corner, end: Corner, leaving: dict[Corner, list[Corner]]) -> list[Corner]:
    """Follow a line until the next corner where lines meet, or back to where it began."""
    corners = [node, end]
    while len(leaving[corners[-1]]) == 2 and corners[-1] != node:
        first, second = leaving[corners[-1]]
        corners.append(second if first == corners[-2] else first)
    return corners


def dotted(corners: list[Corner]) -> Points:
    """Turn corners into drawing units; the first row and column are those of the padding."""
    return np.array([(column - 1, row - 1) for row, column in corners], np.float64) / DOTS


def smooth(corners: list[Corner]) -> Points:
    """Take the stairs out of a line; its ends stay where they are."""
    points = dotted(corners)
    reach = min(int(3 * SOFT), len(points) - 2)
    if reach < 2:
        return points
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / SOFT) ** 2)
    if corners[0] == corners[-1]:
        padded = np.concatenate([points[-reach - 1 : -1], points, points[1 : reach + 1]])
    else:
        before, after = points[1 : reach + 1][::-1], points[-reach - 1 : -1][::-1]
        padded = np.concatenate([2 * points[0] - before, points, 2 * points[-1] - after])
    return np.stack([np.convolve(padded[:, axis], weights / weights.sum(), "valid") for axis in (0, 1)], axis=1)


def simple(points: Points) -> Points:
    """Leave out the points that a line does not need; a closed line keeps the point farthest from its beginning."""
    if tuple(points[0]) != tuple(points[-1]):
        return np.round(simplified(points), 1)
    far = int(np.hypot(*(points - points[0]).T).argmax())
    return np.round(np.concatenate([simplified(points[: far + 1])[:-1], simplified(points[far:])]), 1)


def simplified(points: Points) -> Points:
    """Leave out the points that the line does not need (Ramer, Douglas and Peucker)."""
    keep = np.zeros(len(points), bool)
    keep[[0, -1]] = True
    parts = [(0, len(points) - 1)]
    while parts:
        first, last = parts.pop()
        if last - first < 2:
            continue
        away = distances(points[first + 1 : last], points[first], points[last])
        worst = int(away.argmax())
        if away[worst] > NEARLY:
            middle = first + 1 + worst
            keep[middle] = True
            parts += [(first, middle), (middle, last)]
    return points[keep]


def distances(points: Points, start: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far points lie from the line between two others."""
    along = end - start
    length = float(np.hypot(*along))
    away = points - start
    if length == 0:
        return np.hypot(away[:, 0], away[:, 1])
    apart: NDArray[np.float64] = np.abs(along[0] * away[:, 1] - along[1] * away[:, 0]) / length
    return apart


def rings(arcs: list[Arc], area: int) -> list[list[int]]:
    """Join the arcs round one area, numbered from 1, negative where walked backwards; the area lies on the left."""
    open_ends = [
        (tuple(arc.points[0]), tuple(arc.points[-1]), number)
        for number, arc in enumerate(arcs, start=1)
        if arc.left == area
    ] + [
        (tuple(arc.points[-1]), tuple(arc.points[0]), -number)
        for number, arc in enumerate(arcs, start=1)
        if arc.right == area
    ]
    found = []
    while open_ends:
        start, end, number = open_ends.pop(0)
        ring = [number]
        while end != start:
            following = next(place for place, (begin, _, _) in enumerate(open_ends) if begin == end)
            _, end, number = open_ends.pop(following)
            ring.append(number)
        found.append(ring)
    return found

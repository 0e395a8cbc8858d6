"""Where names, units and supply centres stand, so that nothing covers anything when all of the board is full."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from drawing.globe import Points
from drawing.label import DOTS, Labels

UNIT = (42.0, 30.0)  # drawing units, room for an army or a fleet and its rim, see pipeline/picture/shapes.py
NAME = (37.0, 14.0)  # three capitals
MARK = (15.0, 15.0)  # a supply centre and its rim
GAP = 1.5  # drawing units left free round each
SHORE = 19.0  # drawing units from a fleet on one of two coasts to the water, at best
GRID = 3  # drawing units between the spots tried
TRIES = 300  # spots tried for the unit of one province

Spot = tuple[float, float]
Size = tuple[float, float]
Plane = NDArray[np.float32]

WISHES = {
    "unit": (UNIT, 3.0),
    "mark": (MARK, 8.0),
    "name": (NAME, 2.0),
    "driven_out": (UNIT, 1.0),
}  # size; how much each wants to be inside


@dataclass(frozen=True, slots=True)
class Box:
    """Room that something takes up."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def round(cls, spot: Spot, size: Size) -> "Box":
        """The room of something whose middle is at a spot."""
        return cls(spot[0] - size[0] / 2, spot[1] - size[1] / 2, spot[0] + size[0] / 2, spot[1] + size[1] / 2)

    def meets(self, other: "Box") -> bool:
        """Say whether two are nearer than the gap."""
        return (
            self.left < other.right + GAP
            and other.left < self.right + GAP
            and self.top < other.bottom + GAP
            and other.top < self.bottom + GAP
        )


@dataclass(slots=True)
class Anchors:
    """The spots of one province."""

    unit: Spot
    name: Spot
    driven_out: Spot  # a dislodged unit
    mark: Spot | None = None  # a supply centre
    coasts: dict[str, Spot] = field(default_factory=dict)  # place -> spot of a fleet there

    @property
    def boxes(self) -> list[Box]:
        """The room of what may all stand there at once."""
        found = [Box.round(self.unit, UNIT), Box.round(self.name, NAME), Box.round(self.driven_out, UNIT)]
        return found + ([Box.round(self.mark, MARK)] if self.mark else [])

    def still(self, *, own: bool) -> list[Box]:
        """The room that a fleet on a coast must leave free: in its own province, the name and the centre."""
        return self.boxes[1:2] + self.boxes[3:] if own else self.boxes


class Ground:
    """The raster at one dot a drawing unit, with what it costs to stand anywhere."""

    def __init__(self, labels: Labels, areas: Mapping[str, int], seas: frozenset[str]) -> None:
        self.labels = labels[:: int(DOTS), :: int(DOTS)]
        self.areas = areas
        self.seas = seas
        self.water = np.isin(self.labels, [areas[code] for code in seas])

    def depth(self, code: str) -> Plane:
        """How far each dot of an area lies from its border."""
        own = np.pad((self.labels == self.areas[code]).astype(np.uint8), 1)
        return np.asarray(cv2.distanceTransform(own, cv2.DIST_L2, 5)[1:-1, 1:-1])

    def cost(self, code: str, size: Size, wanted: float) -> Plane:
        """What it costs to stand with the middle on each dot: leaving one's own, water being the lesser evil."""
        own = share(self.labels == self.areas[code], size)
        water = share(self.water, size) if code not in self.seas else np.zeros_like(own)
        cost: Plane = (wanted * ((1 - own - water) + 0.45 * water)).astype(np.float32)
        across, down = int(size[0] / 2 + 4), int(size[1] / 2 + 4)
        cost[:down] = cost[-down:] = np.inf
        cost[:, :across] = cost[:, -across:] = np.inf
        return cost

    def blocked(self, boxes: list[Box], size: Size) -> NDArray[np.bool_]:
        """The dots on which something would cover one of these boxes."""
        plane = np.zeros(self.labels.shape, bool)
        for box in boxes:
            left, right = box.left - size[0] / 2 - GAP, box.right + size[0] / 2 + GAP
            top, bottom = box.top - size[1] / 2 - GAP, box.bottom + size[1] / 2 + GAP
            plane[
                max(int(np.floor(top)) + 1, 0) : int(np.ceil(bottom)),
                max(int(np.floor(left)) + 1, 0) : int(np.ceil(right)),
            ] = True
        return plane


def share(mask: NDArray[np.bool_], size: Size) -> Plane:
    """How much of a box round each dot is in a mask, 0 to 1."""
    box = (int(size[0]), int(size[1]))
    return np.asarray(cv2.boxFilter(mask.astype(np.float32), -1, box, borderType=cv2.BORDER_CONSTANT))


def offsets(size: Size) -> NDArray[np.int64]:
    """Where something may stand from the middle of a unit."""
    across, down = int((UNIT[0] + size[0]) / 2 + GAP + 1), int((UNIT[1] + size[1]) / 2 + GAP + 1)
    rows, columns = np.mgrid[-down - 30 : down + 31, -across - 30 : across + 31]
    outside = (abs(rows) >= down) | (abs(columns) >= across)
    return np.stack([columns[outside], rows[outside]], axis=1)


class Placing:
    """Places everything, the narrowest province first, and then again round what the others took."""

    def __init__(self, ground: Ground, centres: frozenset[str]) -> None:
        self.ground = ground
        self.centres = centres
        self.placed: dict[str, Anchors] = {}
        self.around = {size: offsets(size) for size in (UNIT, NAME, MARK)}
        self.effort = {size: reach(found) for size, found in self.around.items()}

    def place_all(self, rounds: int) -> dict[str, Anchors]:
        """Place every province several times over; each finds room among what the others took the time before."""
        codes = sorted(self.ground.areas, key=lambda code: float(self.ground.depth(code).max()))
        for _ in range(rounds):
            for code in codes:
                self.placed.pop(code, None)
                self.placed[code] = self.place(code)
        return dict(sorted(self.placed.items()))

    def place(self, code: str) -> Anchors:
        """Try many spots for the unit; the rest is put round it as well as it can be."""
        taken = [box for anchors in self.placed.values() for box in anchors.boxes]
        planes = {}
        for what, (size, wanted) in WISHES.items():
            plane = self.ground.cost(code, size, wanted)
            plane[self.ground.blocked(taken, size)] = np.inf
            planes[what] = plane
        depth = self.ground.depth(code)
        row, column = np.unravel_index(int(depth.argmax()), depth.shape)
        spots = np.argwhere(depth[::GRID, ::GRID] >= min(7.0, float(depth.max()) / 2)) * GRID
        costs = planes["unit"][spots[:, 0], spots[:, 1]] + 0.004 * np.hypot(*(spots - np.array([row, column])).T)
        best: tuple[float, Anchors] | None = None
        for place in costs.argsort()[:TRIES].tolist():
            cost, spot = float(costs[place]), (int(spots[place, 1]), int(spots[place, 0]))
            if best is None or cost < best[0]:
                more, anchors = self.beside(code, spot, planes)
                if best is None or cost + more < best[0]:
                    best = cost + more, anchors
        if best is None or not np.isfinite(best[0]):
            raise SystemExit(f"no room in {code}")
        return best[1]

    def beside(self, code: str, unit: tuple[int, int], planes: Mapping[str, Plane]) -> tuple[float, Anchors]:
        """Put mark, name and the dislodged unit beside a unit."""
        total, spots, boxes = 0.0, {}, [Box.round(unit, UNIT)]
        for what in ("mark", "name", "driven_out"):
            if what == "mark" and code not in self.centres:
                continue
            size = WISHES[what][0]
            spot = self.around[size] + np.array(unit)
            height, width = self.ground.labels.shape
            inside = (spot[:, 0] >= 0) & (spot[:, 0] < width) & (spot[:, 1] >= 0) & (spot[:, 1] < height)
            cost = np.where(
                inside, planes[what][np.clip(spot[:, 1], 0, height - 1), np.clip(spot[:, 0], 0, width - 1)], np.inf
            )
            cost = cost + self.effort[size]
            for box in boxes[1:]:
                cost[touching(spot, size, box)] = np.inf
            chosen = int(cost.argmin())
            total += float(cost[chosen]) * (0.4 if what == "driven_out" else 1.0)
            spots[what] = (float(spot[chosen, 0]), float(spot[chosen, 1]))
            boxes.append(Box.round(spots[what], size))
        return total, Anchors((float(unit[0]), float(unit[1])), spots["name"], spots["driven_out"], spots.get("mark"))


def reach(offset: NDArray[np.int64]) -> Plane:
    """What it costs to stand away from the unit: least straight above or below, or straight beside."""
    x, y = abs(offset[:, 0]), abs(offset[:, 1])
    return np.asarray(0.012 * (x + 1.4 * y) + 0.01 * np.minimum(x, y))


def touching(spots: NDArray[np.int64], size: Size, box: Box) -> NDArray[np.bool_]:
    """Which spots would cover a box."""
    x, y = spots[:, 0], spots[:, 1]
    across, down = size[0] / 2 + GAP, size[1] / 2 + GAP
    return np.asarray(
        (x > box.left - across) & (x < box.right + across) & (y > box.top - down) & (y < box.bottom + down)
    )


def by_the_shore(depth: Plane, shore: Points, others: Points, goals: Points, boxes: list[Box]) -> Spot:
    """Find where a fleet on one of two coasts stands: by its own water, not the other, and near to where it can go."""
    best: tuple[float, Spot] | None = None
    for row, column in np.argwhere(depth[::GRID, ::GRID] >= 9.0).tolist():
        spot = (float(column * GRID), float(row * GRID))
        away = np.hypot(*(shore - np.array(spot)).T)
        trip = float(np.hypot(*(goals - np.array(spot)).T).mean())
        near, far = float(away.min()), float(np.hypot(*(others - np.array(spot)).T).min())
        cost = abs(near - SHORE) + 0.1 * float(np.median(away)) + 0.2 * trip - 0.05 * far
        free = not any(Box.round(spot, UNIT).meets(box) for box in boxes)
        if free and far > near + 8 and (best is None or cost < best[0]):
            best = cost, spot
    if best is None:
        raise SystemExit("no room for a fleet on a coast")
    return best[1]

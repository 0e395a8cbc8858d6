"""Coastlines and countries of Natural Earth (public domain), from the TopoJSON of the npm package world-atlas (ISC)."""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from drawing.globe import Points, on_paper

NEAR = (-60.0, 90.0, 5.0)  # degrees: west, east, south; what lies beyond cannot reach the paper
STEP = 1.0  # degrees; longer edges are drawn with points between, as they bend on the paper


@dataclass(frozen=True, slots=True)
class Atlas:
    """Countries by name, each with its rings in degrees."""

    countries: dict[str, list[list[Points]]]  # polygons of rings, the first of each the outer one

    @classmethod
    def read(cls, path: Path) -> "Atlas":
        """Read ``countries-50m.json``."""
        topology = json.loads(path.read_text("utf-8"))
        scale, offset = np.array(topology["transform"]["scale"]), np.array(topology["transform"]["translate"])
        arcs = [np.cumsum(np.array(arc), axis=0) * scale + offset for arc in topology["arcs"]]
        countries = {}
        for shape in topology["objects"]["countries"]["geometries"]:
            polygons = {"Polygon": [shape["arcs"]], "MultiPolygon": shape["arcs"]}[shape["type"]]
            countries[shape["properties"]["name"]] = [[joined(ring, arcs) for ring in rings] for rings in polygons]
        return cls(countries)

    def paint(self, name: str, size: tuple[int, int], dots: float) -> NDArray[np.uint8]:
        """Paint one country: 1 on its land, at so many dots a drawing unit."""
        canvas = np.zeros((size[1], size[0]), np.uint8)
        for rings in self.countries[name]:
            for number, ring in enumerate(rings):
                near = (ring[:, 0] > NEAR[0]) & (ring[:, 0] < NEAR[1]) & (ring[:, 1] > NEAR[2])
                if near.sum() > 2:
                    dotted = np.round(on_paper(ring[near]) * dots * 16).astype(np.int32)
                    cv2.fillPoly(canvas, [dotted], 0 if number else 1, shift=4)
        return canvas


def joined(ring: list[int], arcs: list[Points]) -> Points:
    """Join the arcs of one ring; a negative number means an arc read backwards."""
    parts = [arcs[index] if index >= 0 else arcs[~index][::-1] for index in ring]
    return np.concatenate([parts[0], *(part[1:] for part in parts[1:])])

"""From longitude and latitude to the paper: a conic projection whose middle is drawn larger than its rim.

A board needs room where the units crowd, between the Channel and the Balkans, and little in the Norwegian Sea. So the
plane of the conic is drawn together towards its rim, smoothly, by the inverse hyperbolic sine of the distance.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]  # (n, 2)

MERIDIAN = 12.0  # degrees east, upright on the paper
PARALLELS = (40.0, 62.0)  # degrees north, drawn at their true length
MIDDLE = (11.5, 46.6)  # degrees, where everything is drawn largest
GRIP = (0.24, 0.20)  # radians of the globe, across and along: the smaller, the more the rim is drawn together
SCALE = 2550.0  # drawing units a radian in the middle
PLACE = (650.0, 822.0)  # drawing units, where the middle lies on the paper
MAP_SIZE = (1460, 1300)  # drawing units


@dataclass(frozen=True, slots=True)
class Cone:
    """Lambert's conformal conic with two true parallels."""

    n: float
    f: float

    @classmethod
    def standing_on(cls, south: float, north: float) -> "Cone":
        """Make the cone that cuts the globe in two parallels, given in degrees."""
        low, high = np.radians(south), np.radians(north)
        n = np.log(np.cos(low) / np.cos(high)) / np.log(np.tan(np.pi / 4 + high / 2) / np.tan(np.pi / 4 + low / 2))
        return cls(n, np.cos(low) * np.tan(np.pi / 4 + low / 2) ** n / n)

    def lay(self, degrees: Points) -> Points:
        """Lay points of the globe on the cone's plane, in radians, y downwards."""
        latitude = np.radians(np.clip(degrees[:, 1], 5, 84))
        radius = self.f / np.tan(np.pi / 4 + latitude / 2) ** self.n
        angle = self.n * np.radians(degrees[:, 0] - MERIDIAN)
        return np.stack([radius * np.sin(angle), radius * np.cos(angle)], axis=1)


CONE = Cone.standing_on(*PARALLELS)


def on_paper(degrees: Points) -> Points:
    """Draw points of the globe, in drawing units from the map's top-left corner."""
    grip = np.array(GRIP)
    away: Points = (CONE.lay(degrees) - CONE.lay(np.array([MIDDLE]))) / grip
    distance = np.hypot(away[:, 0], away[:, 1])
    nearer = np.arcsinh(distance) / np.maximum(distance, 1e-9)
    drawn: Points = away * grip * nearer[:, None] * SCALE + np.array(PLACE)
    return drawn

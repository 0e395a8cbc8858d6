"""Colours and sizes. Seven powers must be told apart in colour, by colour-blind eyes, in grey print and on a beamer.

So nothing is said by colour alone: units carry their power's letter, and each power's centres have a hatching of their
own. The colours are those of Okabe and Ito (https://jfly.uni-koeln.de/color/), darkened where white letters stand on
them; Germany's is grey.
"""

from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.picture.commands import Hatch, PictureInk

SEA = "#dfecf5"
LAND = "#fbf7ec"
CLOSED = "#8f887b"  # land that is never entered
PAPER = "#ffffff"
BLACK = "#111111"
GREY = "#5b5b5b"
RED = "#b3121d"  # what failed; always dashed or crossed as well
WAKE = "#7fb2d6"  # the way of a convoy

COAST_LINE = PictureInk("#45525c", 1.6)
LAND_LINE = PictureInk("#6f6a60", 1.1)
SEA_LINE = PictureInk("#8fa9bb", 1.1)

UNIT = (38.0, 26.0)  # drawing units: width and height of an army and of a fleet
NAME_SIZE = 17.0  # drawing units; 5.1 points on A5, 7.3 on A4
SEA_NAME = "#33566e"
MARK = 6.2  # radius of a supply centre


@dataclass(frozen=True, slots=True)
class Coat:
    """How one power is shown."""

    letter: str
    body: str  # its units
    ink: str  # letters on them
    fill: str  # its centres
    hatch: Hatch | None  # the lines over its centres


COATS = {
    Power.AUSTRIA: Coat("A", "#b84300", "#ffffff", "#f0b48f", Hatch("#d98a5c", 0, 8, 1.5)),
    Power.ENGLAND: Coat("E", "#00528f", "#ffffff", "#9dc3e3", Hatch("#6296c2", 135, 8, 1.5)),
    Power.FRANCE: Coat("F", "#56b4e9", "#000000", "#cfeafa", Hatch("#8ac6e8", 45, 13, 1.3)),
    Power.GERMANY: Coat("G", "#3d3d3d", "#ffffff", "#adadad", None),
    Power.ITALY: Coat("I", "#00735a", "#ffffff", "#9dd3bf", Hatch("#5fae94", 90, 8, 1.5)),
    Power.RUSSIA: Coat("R", "#d58fb9", "#000000", "#f3dbe9", Hatch("#c787ad", 0, 9, 2.2, (2.2, 6.8))),
    Power.TURKEY: Coat("T", "#f0e442", "#000000", "#fbf6b4", Hatch("#cdbf2e", 90, 11, 1.3, (5, 6))),
}

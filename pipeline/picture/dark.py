"""The same drawing on a dark page: each of its colours has another there, and nothing else is another.

Powers keep their colours and hatchings, darker; letters on units stay as they are. A reader that knows nothing of dark
pages, and every printer, has the drawing as it is.
"""

from collections.abc import Mapping

from pipeline.board.map import Power
from pipeline.picture.look import (
    BLACK,
    CLOSED,
    COAST_LINE,
    COATS,
    GREY,
    LAND,
    LAND_LINE,
    PAPER,
    RED,
    SEA,
    SEA_LINE,
    SEA_NAME,
    WAKE,
)

GHOST = "#6a1b9a"  # as `candidates` draws what somebody may have meant
TINTS = {  # of centres, and the hatching over them
    Power.AUSTRIA: ("#6b3417", "#8f4d27"),
    Power.ENGLAND: ("#1d4467", "#2f6596"),
    Power.FRANCE: ("#28566f", "#3d7d9d"),
    Power.GERMANY: ("#565b60", ""),
    Power.ITALY: ("#15513f", "#22745b"),
    Power.RUSSIA: ("#68405a", "#8d5a78"),
    Power.TURKEY: ("#575213", "#827a21"),
}
DARK: Mapping[str, str] = {
    SEA: "#14202a",
    LAND: "#333a41",
    CLOSED: "#1d2125",
    PAPER: "#1b2127",
    BLACK: "#f2f5f7",
    GREY: "#b4bfc8",
    RED: "#e5484d",
    WAKE: "#3d6b8c",
    COAST_LINE.colour: "#93a1ad",
    LAND_LINE.colour: "#79828a",
    SEA_LINE.colour: "#3a566a",
    SEA_NAME: "#9cc3de",
    GHOST: "#b46ee0",
    **{COATS[power].fill: fill for power, (fill, _) in TINTS.items()},
    **{hatch.colour: TINTS[power][1] for power in TINTS if (hatch := COATS[power].hatch)},
}


def in_either_look(svg: str) -> str:
    """Let a drawing be dark where its reader's page is; white letters stay white, on units and on red."""
    rules = "".join(
        f'{"" if light != PAPER else ":not(text)"}[fill="{light}"]{{fill:{dark}}}[stroke="{light}"]{{stroke:{dark}}}'
        for light, dark in DARK.items()
        if light in svg
    )
    return svg.replace("</title>", f"</title><style>@media (prefers-color-scheme:dark){{{rules}}}</style>", 1)

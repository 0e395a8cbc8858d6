"""Boxes ticked by real people: nobody's ticks were recorded, but everybody wrote an X and a V."""

import numpy as np

from benchmarks.whole_sheets.people import bank, write
from pipeline.pen.filling import Tick
from pipeline.pen.writing import Writing

MANNERS = {"X": 0.5, "V": 0.35, "": 0.15}  # crosses, hooks, and what our own pen has: strokes, boxes filled, the rest
TALL_MM = (3.6, 6.8)  # over and under the box of 5 mm
LONGER = (1.0, 1.9)  # the right arm of a hook, against that of a V
TALLEST_MM = 10.0  # twice the box: taller hooks leave their row, and are asked
OFF_MM = 0.45  # from the middle of the box
LINE_TO_MIDDLE_MM = 1.2  # the line that people write on lies lower than the middle of a box


def tick(writer: str, rng: np.random.Generator) -> Writing | Tick:
    """Tick a box as this person does: always alike, never quite the same."""
    own = np.random.default_rng([*writer.encode()])
    letter = str(own.choice(list(MANNERS), p=list(MANNERS.values())))
    able = [each for each in (letter, letter.lower()) if letter and bank().have(writer, each)]
    if not able:
        return Tick()
    tall, longer = own.uniform(*TALL_MM), own.uniform(*LONGER)
    longer = min(longer, TALLEST_MM / tall)
    written = write(able[0], writer, tall, rng)
    left, top, right, bottom = written.extent
    scale = tall * rng.uniform(0.85, 1.15) / max(bottom - top, 1e-3)
    strokes = []
    for stroke in written.strokes:
        points = (stroke - ((left + right) / 2, bottom)) * scale
        if letter == "V":
            lowest = points[points[:, 1].argmax(), 0]
            points[points[:, 0] > lowest] *= (longer**0.5, longer)
        strokes.append(points + np.array([0, tall / 2 - LINE_TO_MIDDLE_MM]) + rng.normal(0, OFF_MM, 2))
    return Writing(tuple(strokes), 1.0, ((0.0, 5.0),))

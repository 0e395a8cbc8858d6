r"""Draw a position in text, for terminals, tests and bug reports.

>>> from pipeline.board.position import starting_position
>>> from pipeline.board.standard import standard_map
>>> [line for line in draw(starting_position(standard_map())).splitlines() if "MUN" in line][0].split()
['PIC', 'gA/MUN', 'BOH', 'GAL', 'rF/SEV']
"""

import re

from pipeline.board.position import Position
from pipeline.board.standard import standard_drawing


def draw(position: Position) -> str:
    r"""Put each unit in front of its province: ``gA/MUN`` is Germany's army Munich, ``gA\MUN`` was dislodged there."""
    marks = {unit.province: f"{power[0].lower()}{unit.kind}/" for power, unit in position.all_units()}
    beside = [f"{d.power[0].lower()}{d.unit.kind}\\{d.unit.place} from {d.by}" for d in position.dislodged]
    coasts = {u.province: u.place[3:].lower() for _, u in position.all_units() if "/" in u.place}

    def place(found: re.Match[str]) -> str:
        code = found["code"]
        return marks.get(code, "   ") + code + coasts.get(code, "")

    drawn = re.sub(r" {3}(?P<code>[A-Z]{3})", place, standard_drawing())
    head = f"{position.phase.in_words}"
    return "\n".join([head, drawn.rstrip("\n"), *(f"dislodged: {d}" for d in beside)])

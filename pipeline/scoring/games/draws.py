"""Systems that look at who is in a draw: there a vote may leave survivors out."""

from pipeline.scoring.games.counts import StandBy
from pipeline.scoring.games.parts import Part, Places
from pipeline.scoring.games.parts_by_count import BeatenPowers, DrawSize, Pot
from pipeline.scoring.games.system import System
from pipeline.scoring.games.tribute import Payers
from pipeline.scoring.games.year_counts import every_part


def looks_at_draw(system: System) -> bool:
    """Whether some points depend on who is in the draw (Calhamer; Dixiecon; Tribute)."""
    pays = system.tribute is not None and system.tribute.payers is Payers.SURVIVORS
    return pays or any(part_looks(part) for part in every_part(system))


def part_looks(part: Part) -> bool:
    """Whether a block gives its points by who is in the draw."""
    match part:
        case Pot() | DrawSize():
            return True
        case Places() | BeatenPowers():
            return part.order is StandBy.DRAW
        case _:
            return False

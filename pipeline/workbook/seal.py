"""The seal: places and points stay hidden until the awards (NZ99 23), in one cell that the director opens."""

from dataclasses import dataclass

from pipeline.workbook.config import Config
from pipeline.workbook.page import Live

NAME = "Sealed"


@dataclass(frozen=True, slots=True)
class Seal:
    """Whether the workbook is sealed when it is written; the formulas look at the cell."""

    is_sealed: bool

    @classmethod
    def enter(cls, config: Config, *, is_sealed: bool) -> "Seal":
        """Put the cell into Config."""
        config.section("Ceremony")
        label = "Sealed: places and points are hidden until the awards"
        config.word(NAME, "yes" if is_sealed else "no", label, ("yes", "no"), "scoring.sealed")
        return cls(is_sealed)

    def wrap(self, live: Live) -> Live:
        """Show a value only while the seal is open."""
        return Live(f'IF({NAME}="yes","",{live.formula})', "" if self.is_sealed else live.value)

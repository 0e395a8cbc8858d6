"""What a beginner's sheet has more than another: examples of every form of order, in the place of some rows."""

from dataclasses import dataclass

from pipeline.board.position import Step
from pipeline.rules.toml.table import Table

PAIR = 2  # an order, and what it says
LEAST_GAP_MM = 5.0  # the reader looks 3 mm below a row for the tails of letters; above the words' line stand 2 mm


@dataclass(frozen=True, slots=True)
class Example:
    """One order as it is written, and what it says in plain words."""

    order: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples of one kind of phase, under their heading."""

    heading: str
    lines: tuple[Example, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginners:
    """How many rows a beginner's sheet has, and what stands below them. Lengths in mm; ends in ``_pt``: points."""

    movement: int
    retreats: int
    adjustments: int
    gap: float  # below the last row
    left: float
    meaning_left: float
    leading: float
    text_pt: float
    key: str  # what the letters and signs are
    examples: tuple[Examples, Examples, Examples]  # of movement, retreats and adjustments

    def on(self, step: Step) -> int:
        """How many rows a beginner's sheet of this step has."""
        return {Step.MOVEMENT: self.movement, Step.RETREATS: self.retreats, Step.ADJUSTMENTS: self.adjustments}[step]

    def shown(self, step: Step) -> tuple[Examples, ...]:
        """The examples on a sheet: all of them where units move, else only what may be written there."""
        return self.examples if step is Step.MOVEMENT else (self.examples[tuple(Step).index(step)],)

    def height(self, step: Step) -> float:
        """How much paper the examples take, with the key above them, in mm."""
        lines = 1 + sum(1 + len(group.lines) for group in self.shown(step))
        return self.gap + lines * self.leading


def read_beginners(table: Table) -> Beginners:
    """Read the table ``[beginners]``."""
    counts = {step.name.lower(): table.need(f"{step.name.lower()}_rows", int, 1) for step in Step}
    for name, count in counts.items():
        if count < 1:
            table.fault(f"{name}_rows", f"expected at least 1, found {count}")
    lengths = {name: table.need(name, float, 1.0) for name in ("gap", "left", "meaning_left", "leading", "text_pt")}
    for name, length in lengths.items():
        if length <= 0 and name != "gap":
            table.fault(name, f"expected more than 0, found {length:g}")
    movement, retreats, adjustments = (read_examples(table, step.name.lower()) for step in Step)
    if lengths["gap"] < LEAST_GAP_MM:
        table.fault("gap", f"expected at least {LEAST_GAP_MM:g} mm of white below the rows, found {lengths['gap']:g}")
    found = Beginners(
        movement=counts["movement"],
        retreats=counts["retreats"],
        adjustments=counts["adjustments"],
        gap=lengths["gap"],
        left=lengths["left"],
        meaning_left=lengths["meaning_left"],
        leading=lengths["leading"],
        text_pt=lengths["text_pt"],
        key=table.need("key", str, ""),
        examples=(movement, retreats, adjustments),
    )
    table.finish()
    return found


def read_examples(table: Table, name: str) -> Examples:
    """Read the heading and the examples of one step: an array of pairs, an order and what it says."""
    lines = table.need(name, list, [])
    pairs = [line for line in lines if isinstance(line, list) and len(line) == PAIR]
    if len(pairs) < len(lines) or not all(isinstance(part, str) for pair in pairs for part in pair):
        table.fault(name, f'expected an array of pairs such as ["A PAR H", "hold"], found {lines!r}')
        pairs = []
    return Examples(table.need(f"{name}_heading", str, ""), tuple(Example(*map(str, pair)) for pair in pairs))

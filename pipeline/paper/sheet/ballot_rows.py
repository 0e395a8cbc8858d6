"""Rows of targets as they are printed now: a block for each unit, in columns: the unit, what it does, whom, and where.

`target_rows` has what the boxes are; here are the measures and the words of a template's table ``[ballot]``, and how
the height of a page is shared among the units that are there.
"""

from dataclasses import dataclass

from pipeline.board.position import Step

LEAST_LABEL_PT = 10.25  # letters 2.6 mm high
COMFORTABLE_MM = 10.0  # a line of boxes: where all have so much, a second free row has room
MOST_FREE = 2  # rows for what has no box


@dataclass(frozen=True, slots=True, kw_only=True)
class BallotRows:
    """The measures and words of blocks for units. Lengths in mm; ends in ``_pt``: points."""

    top: float  # where the first block begins
    bottom: float  # where the last row ends at most
    left: float  # of the blocks
    right: float
    unit: float  # width of the units' column
    does: float  # of what they do in a movement
    acts: float  # of each box of what they do in retreats and adjustments
    whom: int  # columns of units that can be helped
    whom_width: float
    goes: int  # columns of places in a movement
    goes_width: float
    lines: int  # of boxes, in a unit's block of a movement
    retreat_lines: int
    least: float  # height of a line in a movement
    least_alone: float  # of a line in retreats and adjustments
    most: float  # of a line on a sheet of few units
    above: float  # room above a block's first line: the tails of ticks go up
    ticks: float  # height of a free row's line of boxes to tick
    writing: float  # and of its line of places to write
    tick: float  # side of a box to tick
    roomy_tick: float  # where lines are comfortable
    pad: float  # from where a column begins to its box
    gap: float  # from a box to its words
    dot: float  # how thick the dashes round a box are
    dash: float  # how long
    dots: float  # their pitch, at most
    line_dot: float  # diameter of the dots of a line; thinner ones are lost where a page is rendered and not scanned
    end_dot: float  # and of the line below a block
    rule_dots: float  # pitch of the dots between the columns
    bars: float  # pitch of the timing bars beside the blocks
    unit_pt: float
    label_pt: float
    head_pt: float
    small_pt: float
    how_pt: float
    how_y: float  # the line of instruction
    example_y: float  # the example that is filled in
    example_tick: float  # side of its boxes
    units: str
    homes: str
    does_what: str
    helps: str
    goes_to: str
    retreats_to: str
    hold: str
    support: str
    convoy: str
    via: str
    other: str
    disband: str
    army: str
    fleet: str
    waive: str
    free: str
    movement: str
    retreats: str
    builds: str  # "{due}" stands for how many
    removals: str
    movement_example: tuple[str, ...]  # words, and boxes to tick: "[x] GAL" is ticked
    retreats_example: tuple[str, ...]
    builds_example: tuple[str, ...]
    removals_example: tuple[str, ...]

    @property
    def free_height(self) -> float:
        """How high a free row is."""
        return self.ticks + self.writing

    def lines_on(self, step: Step) -> int:
        """How many lines of boxes a unit's block has."""
        return {Step.MOVEMENT: self.lines, Step.RETREATS: self.retreat_lines, Step.ADJUSTMENTS: 1}[step]

    def least_on(self, step: Step) -> float:
        """How low a unit's block may be."""
        return self.above + self.lines_on(step) * (self.least if step is Step.MOVEMENT else self.least_alone)

    def most_on(self, step: Step) -> int:
        """How many blocks a sheet has room for, beside a free row."""
        return int((self.bottom - self.top - self.free_height + 1e-6) / self.least_on(step))

    def retreat_columns(self) -> int:
        """How many columns of places a retreat has: there is nobody to help."""
        return int((self.right - self.left - self.unit - self.acts) / self.goes_width + 1e-6)


@dataclass(frozen=True, slots=True)
class Share:
    """The units of one sheet of a power's several, and how the page is shared among them."""

    first: int  # the number of the first unit's row, 1..
    units: int
    height: float  # of a block, in mm
    first_free: int  # the number of the first free row
    free: int


def parts_of(ballot: BallotRows, step: Step, units: int) -> int:
    """How many sheets so many units need."""
    return max(1, -(-units // ballot.most_on(step)))


def share_of(ballot: BallotRows, step: Step, units: int, part: int) -> Share:
    """Share units evenly among sheets, and the page among the units of one; free rows are numbered after all units."""
    parts = parts_of(ballot, step, units)
    counts = [units // parts + (number < units % parts) for number in range(parts)]
    free = [free_rows(ballot, step, count) for count in counts]
    mine, more = counts[part - 1], free[part - 1]
    room = ballot.bottom - ballot.top - more * ballot.free_height
    height = min(room / max(1, mine), ballot.above + ballot.lines_on(step) * ballot.most)
    return Share(1 + sum(counts[: part - 1]), mine, round(height, 2), 1 + units + sum(free[: part - 1]), more)


def free_rows(ballot: BallotRows, step: Step, units: int) -> int:
    """How many free rows a sheet of so many units has: a second one where it takes nobody's comfort."""
    needed = units * ballot.lines_on(step) * COMFORTABLE_MM
    room = ballot.bottom - ballot.top - needed
    return max(1, min(MOST_FREE, int(room / ballot.free_height)))

"""Read the table ``[ballot]`` of a template: every fault at once, each with its path."""

from collections.abc import Callable

from pipeline.board.position import Step
from pipeline.paper.sheet.ballot_rows import LEAST_LABEL_PT, BallotRows
from pipeline.paper.sheet.field_rows import LEAST_PLACE_MM, LEAST_TICK_MM
from pipeline.paper.sheet.sheet import SheetTemplate
from pipeline.rules.toml.table import Table

LEAST_LINE_MM = 7.4  # a box of 5 mm, and room for the tail of a hook in the line below
LEAST_ALONE_MM = 9.0  # of a row of one line, as of one to write on


def read_ballot(table: Table) -> BallotRows:
    """Read the table."""
    kinds = BallotRows.__annotations__
    make: Callable[..., BallotRows] = BallotRows
    found = make(
        **{name: length(table, name) for name, kind in kinds.items() if kind is float},
        **{name: count(table, name) for name, kind in kinds.items() if kind is int},
        **{name: table.need(name, str, "") for name, kind in kinds.items() if kind is str},
        **{name: words(table, name) for name in kinds if name.endswith("_example")},
    )
    table.finish()
    return found


def length(table: Table, name: str) -> float:
    """Read a length, which must be more than nothing."""
    value = table.need(name, float, 1.0)
    if value <= 0:
        table.fault(name, f"expected more than 0, found {value:g}")
    return max(value, 0.001)


def count(table: Table, name: str) -> int:
    """Read how many there are of something."""
    value = table.need(name, int, 1)
    if value < 1:
        table.fault(name, f"expected at least 1, found {value}")
    return max(value, 1)


def words(table: Table, name: str) -> tuple[str, ...]:
    """Read the parts of an example."""
    found = table.need(name, list, [])
    if not all(isinstance(word, str) for word in found):
        table.fault(name, f"expected an array of strings, found {found!r}")
        return ()
    return tuple(found)


def check_ballot(template: SheetTemplate, ballot: BallotRows, top: Table) -> None:
    """Refuse blocks that nobody could fill, or that run over one another or into the markers."""
    least = {
        "label_pt": (ballot.label_pt, LEAST_LABEL_PT, "points, letters 2.6 mm high"),
        "tick": (ballot.tick, LEAST_TICK_MM, "mm"),
        "roomy_tick": (ballot.roomy_tick, ballot.tick, "mm, as large as the others"),
        "least": (ballot.least, LEAST_LINE_MM, "mm"),
        "least_alone": (ballot.least_alone, LEAST_ALONE_MM, "mm"),
        "ticks": (ballot.ticks, LEAST_LINE_MM, "mm"),
        "writing": (ballot.writing, LEAST_ALONE_MM, "mm to write in"),
        "most": (ballot.most, ballot.least_alone, "mm, as much as the least"),
        "whom_width": (ballot.whom_width, LEAST_PLACE_MM, "mm to write a place in"),
        "goes_width": (ballot.goes_width, LEAST_PLACE_MM, "mm to write a place in"),
    }
    for name, (value, wanted, of) in least.items():
        if value < wanted:
            top.fault(f"ballot.{name}", f"expected at least {wanted:g} {of}, found {value:g}")
    room = ballot.right - ballot.left
    columns = ballot.unit + ballot.does + ballot.whom * ballot.whom_width + ballot.goes * ballot.goes_width
    if columns > room + 1e-6:
        top.fault("ballot.goes_width", f"the columns take {columns:g} mm, and a row has {room:g}")
    floor = template.height - template.markers.margin - max(template.markers.size, template.codes.bottom)
    if ballot.bottom > floor and ballot.left < template.header.left + template.codes.bottom:
        top.fault("ballot.bottom", f"the rows end at {ballot.bottom:g} mm, below {floor:g} where the codes begin")
    for step in Step:
        if ballot.most_on(step) < 1:
            top.fault("ballot.top", f"there is no room for one unit on a sheet of {step.name.lower()}")

"""Rooms are entered by their doors: what the contract in `house.doors` finds, and what it lets pass."""

from grimp import ImportGraph
from house.doors import faults


def graph(*imports: tuple[str, str]) -> ImportGraph:
    """Modules that import one another."""
    made = ImportGraph()
    for name in sorted({name for pair in imports for name in pair}):
        made.add_module(name)
    for importer, imported in imports:
        made.add_import(importer=importer, imported=imported)
    return made


def test_a_room_is_entered_by_its_door() -> None:
    imports = graph(("hall.cli.scan", "hall.desk.intake.ingest"), ("hall.cli.scan", "hall.desk.intake.pool"))
    assert faults(imports, {"hall.desk": ("intake",), "hall.desk.intake": ("ingest",)}) == [
        "hall.cli.scan imports hall.desk.intake.pool: 'pool' is not in the door of hall.desk.intake"
    ]


def test_every_door_on_the_way_counts() -> None:
    imports = graph(("hall.cli.scan", "hall.desk.intake.ingest"))
    assert faults(imports, {"hall.desk": (), "hall.desk.intake": ("ingest",)}) == [
        "hall.cli.scan imports hall.desk.intake.ingest: 'intake' is not in the door of hall.desk"
    ]


def test_within_a_room_there_are_no_doors_and_the_room_itself_may_be_imported() -> None:
    imports = graph(("hall.desk.intake.ingest", "hall.desk.intake.pool"), ("hall.cli.scan", "hall.desk"))
    assert faults(imports, {"hall.desk": (), "hall.desk.intake": ()}) == []


def test_a_door_that_is_open_for_nobody_is_told() -> None:
    imports = graph(("hall.cli.scan", "hall.desk.queue"))
    assert faults(imports, {"hall.desk": ("queue", "attic")}) == [
        "'attic' stands in the door of hall.desk, and nobody outside imports it"
    ]

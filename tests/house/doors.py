"""The doors of the rooms, as a contract for import-linter: whoever is outside imports only what a room's door names.

A room is a package. Its ``DOOR`` names the modules, and the rooms within it, that others may import; everything else in
it is its own affair. What stands in a door and is imported by nobody outside is told, too.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output

Doors = Mapping[str, tuple[str, ...]]  # by package: what others may import


def doors_of(graph: ImportGraph, root: str) -> dict[str, tuple[str, ...]]:
    """The doors of all packages below ``root``; one without a door is closed."""
    inside = {module for module in graph.modules if module.startswith(f"{root}.")}
    packages = {module for module in inside if graph.find_children(module)}
    return {package: tuple(getattr(import_module(package), "DOOR", ())) for package in sorted(packages)}


def passed(importer: str, imported: str) -> Iterator[tuple[str, str]]:
    """Every door on the way from one module to another, with what is imported through it.

    >>> list(passed("pipeline.desk.review.queue", "pipeline.reading.ink.boxes"))
    [('pipeline.reading', 'ink'), ('pipeline.reading.ink', 'boxes')]
    >>> list(passed("pipeline.reading.rows.rows", "pipeline.reading.ink.boxes"))
    [('pipeline.reading.ink', 'boxes')]
    >>> list(passed("pipeline.reading.ink.outside", "pipeline.reading.ink.boxes"))
    []
    """
    here, there = importer.split("."), imported.split(".")
    shared = next((n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    for n in range(shared + 1, len(there)):
        yield ".".join(there[:n]), there[n]


def faults(graph: ImportGraph, doors: Doors) -> list[str]:
    """Every import past a door, and every door that is open for nobody."""
    found = []
    used = set()
    for importer in sorted(graph.modules):
        for imported in sorted(graph.find_modules_directly_imported_by(importer)):
            for room, name in passed(importer, imported):
                used.add((room, name))
                if room in doors and name not in doors[room]:
                    found.append(f"{importer} imports {imported}: {name!r} is not in the door of {room}")
    shut = sorted({(room, name) for room, names in doors.items() for name in names} - used)
    return found + [f"{name!r} stands in the door of {room}, and nobody outside imports it" for room, name in shut]


class DoorsContract(Contract):
    """Rooms are entered by their doors."""

    type_name = "doors"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Look at every import there is."""
        (root,) = self.session_options["root_packages"]
        found = faults(graph, doors_of(graph, root))
        return ContractCheck(kept=not found, metadata={"faults": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Say each on a line of its own."""
        for fault in check.metadata["faults"]:
            output.print_error(fault)

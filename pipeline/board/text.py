"""Read the map's own text file. Every fault at once, each with its line; a lopsided border is refused."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from pipeline.board.map import Kind, Map, Power, Province, Terrain, province_of
from pipeline.problems import Problem, Stopped, Weight

SECTIONS = ("provinces", "impossible", "armies", "fleets", "start")


def read_map(text: str, where: str = "map") -> Map:
    """Read a map, or stop with everything that is wrong with it (`Stopped`).

    The text has five sections, see ``standard.map``: provinces, impossible, armies, fleets, start.
    """
    sections, problems = split_sections(text, where)
    armies = borders(sections["armies"])
    fleets = borders(sections["fleets"])
    provinces = {}
    for number, line in sections["provinces"]:
        match line.partition("*")[0].split(maxsplit=2):
            case [code, terrain, name] if terrain in tuple(Terrain):
                coasts = tuple(sorted(p for p in fleets if p.startswith(f"{code}/")))
                home = line.partition("*")[2].strip()
                provinces[code] = Province(
                    code, name.strip(), Terrain(terrain), "*" in line, Power(home) if home else None, coasts
                )
            case _:
                problems.append(fault(f"expected 'CODE land|coast|sea Name', found {line!r}", where, number))
    problems += lopsided(armies, "army", where) + lopsided(fleets, "fleet", where)
    problems += misplaced(provinces, armies, fleets, where)
    impossible = {line.split()[0]: line.split(maxsplit=1)[1] for _, line in sections["impossible"]}
    start = {Power(line.split()[0]): tuple(units(line.split(maxsplit=1)[1])) for _, line in sections["start"]}
    for power, placed in start.items():
        for kind, place in placed:
            if not (place in armies if kind is Kind.ARMY else place in fleets):
                problems.append(Problem(Weight.STOPS, f"{kind} {place} cannot stand there", f"{where} start {power}"))
    if problems:
        raise Stopped(problems)
    return Map(
        MappingProxyType(dict(sorted(provinces.items()))),
        MappingProxyType(impossible),
        MappingProxyType(armies),
        MappingProxyType(fleets),
        MappingProxyType(start),
    )


def split_sections(text: str, where: str) -> tuple[dict[str, list[tuple[int, str]]], list[Problem]]:
    """Sort the file's lines by section, each with its number; comments and blank lines are left out."""
    sections: dict[str, list[tuple[int, str]]] = {name: [] for name in SECTIONS}
    problems: list[Problem] = []
    current: str | None = None
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.split("#")[0].rstrip()
        if not line:
            continue
        if not line.startswith(" "):
            current = line if line in sections else None
            if current is None:
                problems.append(fault(f"unknown section {line!r}; known are {', '.join(SECTIONS)}", where, number))
        elif current is not None:
            sections[current].append((number, line.strip()))
    return sections, problems


def borders(lines: Iterable[tuple[int, str]]) -> dict[str, frozenset[str]]:
    """Read lines of ``place neighbour neighbour …``."""
    return {line.split()[0]: frozenset(line.split()[1:]) for _, line in lines}


def units(text: str) -> Iterator[tuple[Kind, str]]:
    """Read ``A VIE, F TRI``."""
    for unit in text.split(","):
        kind, place = unit.split()
        yield Kind(kind), place


def lopsided(table: Mapping[str, frozenset[str]], unit: str, where: str) -> list[Problem]:
    """List the borders that only one side knows."""
    return [
        Problem(
            Weight.STOPS, f"{place} borders {other}, but {other} does not border {place}", f"{where} {unit} borders"
        )
        for place, others in sorted(table.items())
        for other in sorted(others)
        if place not in table.get(other, frozenset())
    ]


def misplaced(
    provinces: Mapping[str, Province],
    armies: Mapping[str, frozenset[str]],
    fleets: Mapping[str, frozenset[str]],
    where: str,
) -> list[Problem]:
    """List places whose borders do not fit their terrain, or that are nowhere."""
    found = []
    for place in sorted({*armies, *fleets}):
        if province_of(place) not in provinces:
            found.append(Problem(Weight.STOPS, f"{place} has borders but is not a province", where))
    for code, province in provinces.items():
        by_army, by_fleet = code in armies, any(province_of(p) == code for p in fleets)
        wanted = (province.terrain is not Terrain.SEA, province.terrain is not Terrain.LAND)
        if (by_army, by_fleet) != wanted:
            found.append(Problem(Weight.STOPS, f"{code} is {province.terrain}, but its borders say otherwise", where))
    return found


def fault(text: str, where: str, line: int) -> Problem:
    """Make one problem with its line."""
    return Problem(Weight.STOPS, text, f"{where} line {line}")

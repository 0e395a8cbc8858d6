"""The map as the judge uses it: tables made once, so that a question is one look into a dictionary."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from pipeline.board.map import Kind, Map, Terrain
from pipeline.board.position import Unit

Route = tuple[str, ...]  # seas, first to last


@dataclass(frozen=True, eq=False, slots=True)
class Ground:
    """Where units can go. Kept per map by `ground_of`."""

    board: Map
    walks: Mapping[str, frozenset[str]]  # army's province -> provinces
    sails: Mapping[str, frozenset[str]]  # fleet's place -> places
    sails_to: Mapping[str, frozenset[str]]  # fleet's place -> provinces, whichever coast
    seas: frozenset[str]
    coastal: frozenset[str]  # where an army can embark and land
    shores: Mapping[str, frozenset[str]]  # province or sea -> seas that touch it
    coasts: Mapping[str, tuple[str, ...]]  # province -> its coasts, only where there are two
    armies: Mapping[str, Unit]  # province -> the army that can stand there
    fleets: Mapping[str, Unit]  # place -> the fleet that can stand there

    def unit(self, kind: Kind, place: str) -> Unit | None:
        """Give the unit that can stand there; each is made once."""
        return self.armies.get(place) if kind is Kind.ARMY else self.fleets.get(place)

    def reaches(self, unit: Unit, province: str) -> bool:
        """Say whether a unit can go to a province by itself."""
        if unit.kind is Kind.ARMY:
            return province in self.walks[unit.place]
        return province in self.sails_to[unit.place]


@cache
def ground_of(board: Map) -> Ground:
    """Make the tables of a map, once."""
    sails = dict(board.fleet_borders)
    seas = frozenset(code for code, p in board.provinces.items() if p.terrain is Terrain.SEA)
    shores = {
        code: frozenset(other for place in board.places(code) for other in sails.get(place, ()) if other in seas)
        for code in board.provinces
    }
    return Ground(
        board=board,
        walks=dict(board.army_borders),
        sails=sails,
        sails_to={place: frozenset(other[:3] for other in others) for place, others in sails.items()},
        seas=seas,
        coastal=frozenset(code for code, p in board.provinces.items() if p.terrain is Terrain.COAST),
        shores=shores,
        coasts={code: p.coasts for code, p in board.provinces.items() if p.coasts},
        armies={place: Unit(Kind.ARMY, place) for place in board.army_borders},
        fleets={place: Unit(Kind.FLEET, place) for place in sails},
    )


@lru_cache(maxsize=4096)
def convoy_routes(ground: Ground, start: str, to: str, afloat: frozenset[str]) -> tuple[Route, ...]:
    """List the routes over seas with a fleet that have no sea to spare (DATC 4.E.1, 6.G.19).

    Every longer way round contains one of these, so a convoy stands if one of them does.
    """
    first, last = ground.shores[start] & afloat, ground.shores[to] & afloat
    if start == to or not first or not last:
        return ()
    found: list[Route] = []
    open_ends: list[Route] = [(sea,) for sea in sorted(first)]
    while open_ends:
        route = open_ends.pop()
        if route[-1] in last:
            found.append(route)
            continue
        for sea in sorted(ground.shores[route[-1]] & afloat - first - set(route)):
            if not any(sea in ground.shores[earlier] for earlier in route[:-1]):
                open_ends.append((*route, sea))
    return tuple(sorted(found))

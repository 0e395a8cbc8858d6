"""The map: provinces, the borders that armies and fleets cross, supply centres and their homes.

A *province* is three capital letters (``STP``). A *place* is where a unit stands: a province, or one coast of a
province that has two (``STP/NC``). Both are plain strings, so that the judge can be quick.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType


class Power(StrEnum):
    """The seven great powers, in the order of the conventional read-out."""

    AUSTRIA = "AUSTRIA"
    ENGLAND = "ENGLAND"
    FRANCE = "FRANCE"
    GERMANY = "GERMANY"
    ITALY = "ITALY"
    RUSSIA = "RUSSIA"
    TURKEY = "TURKEY"


class Terrain(StrEnum):
    """What a province is: it says which units may stand there."""

    LAND = "land"  # armies only
    COAST = "coast"  # both
    SEA = "sea"  # fleets only


class Kind(StrEnum):
    """The two kinds of unit."""

    ARMY = "A"
    FLEET = "F"


@dataclass(frozen=True, slots=True)
class Province:
    """One area of the map."""

    code: str  # "STP"
    name: str  # "St Petersburg"
    terrain: Terrain
    is_centre: bool
    home: Power | None  # whose home supply centre it is
    coasts: tuple[str, ...]  # ("STP/NC", "STP/SC"), empty where there are not two


def province_of(place: str) -> str:
    """Name the province a place is in.

    >>> province_of("STP/NC"), province_of("MUN")
    ('STP', 'MUN')
    """
    return place[:3]


@dataclass(frozen=True, eq=False)
class Map:
    """Provinces and borders. Borders are kept both ways; the loader refuses any other.

    A map is itself and no other, so that tables made from it can be kept under it.
    """

    provinces: Mapping[str, Province]  # by code, alphabetical by code
    impossible: Mapping[str, str]  # code -> name of what is drawn but never entered (SWI)
    army_borders: Mapping[str, frozenset[str]]  # province -> provinces
    fleet_borders: Mapping[str, frozenset[str]]  # place -> places (coasts apart)
    start: Mapping[Power, tuple[tuple[Kind, str], ...]] = field(default_factory=dict)

    @cached_property
    def centres(self) -> tuple[str, ...]:
        """All supply centres, alphabetical by code."""
        return tuple(p.code for p in self.provinces.values() if p.is_centre)

    @cached_property
    def homes(self) -> Mapping[Power, tuple[str, ...]]:
        """Each power's home supply centres, alphabetical by code."""
        return {
            power: tuple(p.code for p in self.provinces.values() if p.home is power and p.is_centre) for power in Power
        }

    @cached_property
    def neighbours(self) -> Mapping[str, frozenset[str]]:
        """Provinces that touch, by any unit and over any coast (the *regions* of a civil-disorder distance)."""
        near: dict[str, set[str]] = {code: set(self.army_borders.get(code, ())) for code in self.provinces}
        for place, others in self.fleet_borders.items():
            near[province_of(place)] |= {province_of(other) for other in others}
        return {code: frozenset(found) for code, found in near.items()}

    def places(self, province: str) -> tuple[str, ...]:
        """List the places a fleet can stand in: the coasts, or the province itself."""
        return self.provinces[province].coasts or (province,)

    def can_stand(self, kind: Kind, place: str) -> bool:
        """Say whether a unit of this kind may be in this place at all."""
        if kind is Kind.ARMY:
            return place in self.army_borders
        return place in self.fleet_borders

    def reach(self, kind: Kind, place: str) -> frozenset[str]:
        """List the places a unit can move to without a convoy; for fleets, coasts are told apart."""
        borders = self.army_borders if kind is Kind.ARMY else self.fleet_borders
        return borders.get(place, frozenset())

    def reaches(self, kind: Kind, place: str, province: str) -> bool:
        """Say whether a unit can move to a province, whichever coast, without a convoy."""
        return any(province_of(other) == province for other in self.reach(kind, place))

    def without(self, power: Power, no_longer_centres: Iterable[str] = ()) -> "Map":
        """Make the map of a game that a power is not in: its homes are neutral, and some centres may be none.

        This is how the Sandard variant is made (EDC23 B): no Turkey, Rumania without a centre.
        """
        gone = frozenset(no_longer_centres)
        provinces = {
            code: Province(
                p.code,
                p.name,
                p.terrain,
                p.is_centre and code not in gone,
                None if p.home is power else p.home,
                p.coasts,
            )
            for code, p in self.provinces.items()
        }
        start = {who: units for who, units in self.start.items() if who is not power}
        return Map(MappingProxyType(provinces), self.impossible, self.army_borders, self.fleet_borders, start)

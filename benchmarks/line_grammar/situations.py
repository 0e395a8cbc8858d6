"""Positions, and plain orders that are legal in them, whose meaning nobody can doubt."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from benchmarks.line_grammar.places import BOARD
from pipeline.board import Kind, Power, Terrain, province_of

Units = dict[Power, list[str]]


@dataclass(frozen=True)
class Order:
    """One legal order. An attack is a support of a move; convoyed is the army, convoy the fleet."""

    kind: str  # hold, move, support, attack, convoy, convoyed, retreat, disband, build, remove
    unit: str  # "A VIE"
    to: str = ""  # a place, for all that go somewhere
    of: str = ""  # the unit that is helped
    sea: str = ""  # the sea of the fleet that carries a convoyed army

    def __str__(self) -> str:
        signs = {
            "hold": " H",
            "support": f" S {self.of}",
            "attack": f" S {self.of} - {self.to}",
            "convoy": f" C {self.of} - {self.to}",
        }
        signs |= {"retreat": f" R {self.to}", "disband": " D", "remove": " D", "build": " B"}
        return self.unit + signs.get(self.kind, f" - {self.to}")


@dataclass(frozen=True, eq=False)
class Situation:
    """A position in which one power writes, without its lines."""

    power: Power
    phase: str
    units: Units
    centers: tuple[str, ...] = ()
    dislodged: tuple[str, str, tuple[str, ...]] | None = None  # unit, where its attacker came from, where it may go
    due: int = 0  # builds, or removals below zero

    def as_sheet(self, tournament: str, lines: list[str]) -> dict[str, Any]:
        """Write the object that `interpret` takes."""
        sheet: dict[str, Any] = {
            "tournament": tournament,
            "power": str(self.power),
            "phase": self.phase,
            "lines": lines,
        }
        sheet["units"] = {str(power): units for power, units in self.units.items()}
        if self.dislodged:
            unit, came_from, retreats = self.dislodged
            sheet["dislodged"] = [
                {"power": str(self.power), "unit": unit, "from": came_from, "retreats": list(retreats)}
            ]
        if self.centers:
            sheet["centers"] = {str(self.power): list(self.centers)}
        return sheet

    @cached_property
    def standing(self) -> dict[str, str]:
        """Every unit on the board by its province."""
        return {province_of(unit[2:]): unit for units in self.units.values() for unit in units}

    @property
    def own(self) -> list[str]:
        return self.units[self.power]

    def owner(self, unit: str) -> Power:
        return next(power for power, units in self.units.items() if unit in units)

    @cached_property
    def orders(self) -> dict[str, list[Order]]:
        """Every plain order of the power, by kind."""
        found: dict[str, list[Order]] = {}
        for order in self._list_orders():
            found.setdefault(order.kind, []).append(order)
        return found

    def _list_orders(self) -> Iterator[Order]:
        if self.dislodged:
            yield Order("disband", self.dislodged[0])
            yield from (Order("retreat", self.dislodged[0], to) for to in self.dislodged[2])
        elif self.due < 0:
            yield from (Order("remove", unit) for unit in self.own)
        elif self.due > 0:
            homes = [
                place
                for home in BOARD.homes[self.power]
                if home in self.centers
                for place in (home, *BOARD.provinces[home].coasts)
            ]
            for kind in Kind:
                yield from (Order("build", f"{kind} {place}") for place in homes if BOARD.can_stand(kind, place))
        else:
            for unit in self.own:
                yield from self._list_moves(unit)

    def _list_moves(self, unit: str) -> Iterator[Order]:
        yield Order("hold", unit)
        for to in find_reach(unit):
            yield Order("move", unit, to)
        near = {province_of(place) for place in find_reach(unit)}
        for province, other in self.standing.items():
            if province in near:
                yield Order("support", unit, of=other)
            if other != unit:
                goals = {province_of(place) for place in find_reach(other)} & near
                yield from (Order("attack", unit, to, other) for to in goals if not BOARD.provinces[to].coasts)
        here = unit[2:]
        if unit[0] == Kind.FLEET and BOARD.provinces[province_of(here)].terrain is Terrain.SEA:
            for army, to in self._list_convoys(here):
                yield Order("convoy", unit, to, army)
                if army in self.own:
                    yield Order("convoyed", army, to, sea=here)

    def _list_convoys(self, sea: str) -> Iterator[tuple[str, str]]:
        """Armies beside a sea, and where it alone could carry them and they could not walk."""
        coasts = sorted({province_of(place) for place in BOARD.reach(Kind.FLEET, sea)})
        for province in coasts:
            unit = self.standing.get(province, "")
            if unit.startswith("A "):
                walks = {province_of(place) for place in find_reach(unit)} | {province}
                yield from (
                    (unit, to) for to in coasts if to not in walks and BOARD.provinces[to].terrain is Terrain.COAST
                )


def find_reach(unit: str) -> list[str]:
    """Places that a unit can walk or sail to."""
    return sorted(BOARD.reach(Kind(unit[0]), unit[2:]))


def make_situation(rng: Random) -> Situation:
    """Make a position of one of the three steps."""
    units = _place_units(rng)
    power = rng.choice(list(Power))
    step = rng.choices("MRBD", (60, 20, 10, 10))[0]
    if step == "R":
        return _dislodge(units, power, rng) or make_situation(rng)
    if step == "B":
        return _owe_builds(units, power, rng) or make_situation(rng)
    if step == "D":
        centers = _list_centres(power)[: len(units[power]) - 1]
        return Situation(power, f"W190{rng.randint(1, 8)}A", units, centers, due=-1)
    return Situation(power, f"{rng.choice('SF')}190{rng.randint(1, 8)}M", units)


def _place_units(rng: Random) -> Units:
    """Give every power three to six units near its home."""
    taken: set[str] = set()
    units: Units = {power: [] for power in Power}
    edges: dict[Power, list[str]] = {power: list(BOARD.homes[power]) for power in Power}
    for _ in range(rng.randint(3, 6)):
        for power in Power:
            free = [province for province in edges[power] if province not in taken]
            if not free:
                continue
            province = rng.choice(free)
            taken.add(province)
            edges[power] += sorted(BOARD.neighbours[province])
            kinds = [kind for kind in Kind if any(BOARD.can_stand(kind, place) for place in BOARD.places(province))]
            kind = rng.choice(kinds)
            place = province if kind is Kind.ARMY else rng.choice(BOARD.places(province))
            units[power].append(f"{kind} {place}")
    return units


def _dislodge(units: Units, power: Power, rng: Random) -> Situation | None:
    """Let a unit of another power stand where one of this power was."""
    taken = {province_of(unit[2:]) for some in units.values() for unit in some}
    unit = rng.choice(units[power])
    province = province_of(unit[2:])
    free = [place for place in sorted(BOARD.army_borders.get(province, ())) if place not in taken]
    if not free:
        return None
    came_from = rng.choice(free)
    retreats = tuple(place for place in find_reach(unit) if province_of(place) not in taken | {came_from})
    if not retreats:
        return None
    attacker = rng.choice([other for other in Power if other is not power])
    changed = {who: [one for one in some if one != unit] for who, some in units.items()}
    changed[attacker].append(f"A {province}")
    return Situation(
        power, f"{rng.choice('SF')}190{rng.randint(1, 8)}R", changed, dislodged=(unit, came_from, retreats)
    )


def _owe_builds(units: Units, power: Power, rng: Random) -> Situation | None:
    """Clear the home centres, and give one centre more than there are units."""
    homes = BOARD.homes[power]
    cleared = {who: [unit for unit in some if province_of(unit[2:]) not in homes] for who, some in units.items()}
    if not cleared[power]:
        return None
    centers = _list_centres(power)[: len(cleared[power]) + 1]
    return Situation(power, f"W190{rng.randint(1, 8)}A", cleared, centers, due=1)


def _list_centres(power: Power) -> tuple[str, ...]:
    """The centres of a power, in the order in which it owns them here."""
    return (*BOARD.homes[power], *(centre for centre in BOARD.centres if BOARD.provinces[centre].home is None))

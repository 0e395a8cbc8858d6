"""Positions, and plain orders that are legal in them, whose meaning nobody can doubt."""

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from pipeline import orders
from pipeline.board import Dislodged, Kind, Phase, Position, Power, Terrain, Unit, province_of, standard_map
from pipeline.judge.adjudicate import legal_orders

BOARD = standard_map()


@dataclass(frozen=True)
class Order:
    """One legal order. An attack is a support of a move; convoyed is the army, convoy the fleet."""

    kind: str  # hold, move, support, attack, convoy, convoyed, retreat, disband, build, remove
    text: str  # in the notation of orders: "A VIE S A BUD - SER"
    unit: str
    to: str = ""  # a place, for all that go somewhere
    of: str = ""  # the unit that is helped
    sea: str = ""  # the sea of the fleet that carries a convoyed army

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False)
class Situation:
    """A position in which one power writes, without its lines."""

    power: Power
    position: Position

    def as_sheet(self, tournament: str, lines: list[Any]) -> dict[str, Any]:
        """Write the object that `interpret` takes."""
        return {
            "tournament": tournament,
            "power": str(self.power),
            "lines": lines,
            **orders.write_position(self.position),
        }

    @property
    def phase(self) -> str:
        return str(self.position.phase)

    @cached_property
    def standing(self) -> dict[str, str]:
        """Every unit on the board by its province."""
        return {unit.province: str(unit) for _, unit in self.position.all_units()}

    @property
    def own(self) -> list[str]:
        return [str(unit) for unit in self.position.units[self.power]]

    def get_owner(self, unit: str) -> Power:
        return next(power for power, other in self.position.all_units() if str(other) == unit)

    @cached_property
    def plain(self) -> dict[str, list[Order]]:
        """Every plain order of the power, by kind."""
        found: dict[str, list[Order]] = {}
        for legal in legal_orders(BOARD, self.position, self.power):
            if order := self._find_plain(legal):
                found.setdefault(order.kind, []).append(order)
        return found

    def _find_plain(self, legal: orders.Order) -> Order | None:
        """Name the parts of an order; None where the coast or the route of another unit is in doubt."""
        text = orders.write(legal)
        match legal:
            case orders.Hold(unit):
                return Order("hold", text, str(unit))
            case orders.Move(unit, to, False) if to in find_reach(str(unit)):
                return Order("move", text, str(unit), to)
            case orders.Move(unit, to, False) if sea := self._find_sea(unit, to):
                return Order("convoyed", text, str(unit), to, sea=sea)
            case orders.Support(unit, of, None):
                return Order("support", text, str(unit), of=str(of))
            case orders.Support(unit, of, str(to)) if not BOARD.provinces[province_of(to)].coasts:
                is_near = province_of(to) in {province_of(place) for place in find_reach(str(of))}
                return Order("attack", text, str(unit), to, str(of)) if is_near else None
            case orders.Convoy(unit, of, to) if self._find_sea(of, to, {unit.place}):
                return Order("convoy", text, str(unit), to, str(of))
            case orders.Retreat(unit, to):
                return Order("retreat", text, str(unit), to)
            case orders.Disband(unit):
                return Order("disband" if self.position.dislodged else "remove", text, str(unit))
            case orders.Build(unit):
                return Order("build", text, str(unit))
        return None

    def _find_sea(self, army: Unit, to: str, seas: set[str] | None = None) -> str:
        """A sea with a fleet beside an army and a coast that it cannot walk to."""
        if to in find_reach(str(army)) or BOARD.provinces[to].terrain is not Terrain.COAST:
            return ""
        beside = [
            {province_of(place) for coast in BOARD.places(here) for place in BOARD.reach(Kind.FLEET, coast)}
            for here in (army.place, to)
        ]
        afloat = {code for code in self.standing if BOARD.provinces[code].terrain is Terrain.SEA}
        return min(set.intersection(*beside, seas or afloat), default="")


def find_reach(unit: str) -> list[str]:
    """Places that a unit can walk or sail to."""
    return sorted(BOARD.reach(Kind(unit[0]), unit[2:]))


def make_situation(rng: Random) -> Situation:
    """Make a position of one of the three steps, in which a power has something to write."""
    units = _place_units(rng)
    power, year = rng.choice(list(Power)), 1900 + rng.randint(1, 8)
    season, step = rng.choice("SF"), rng.choices("MRBD", (60, 20, 10, 10))[0]
    driven_out = _dislodge(units, power, rng) if step == "R" else ()
    homes, due = BOARD.homes[power], {"B": 1, "D": -1}.get(step, 0)
    if step == "B":
        units = {who: [unit for unit in some if unit.province not in homes] for who, some in units.items()}
    centres = (*homes, *sorted(set(BOARD.centres) - set(homes)))[: len(units[power]) + due]
    phase = Phase.read(f"W{year}A" if due else f"{season}{year}{step}")
    standing = {who: tuple(some) for who, some in units.items()}
    situation = Situation(power, Position(phase=phase, units=standing, centres={power: centres}, dislodged=driven_out))
    return situation if situation.plain else make_situation(rng)


def _place_units(rng: Random) -> dict[Power, list[Unit]]:
    """Give every power three to six units near its home."""
    units: dict[Power, list[Unit]] = {power: [] for power in Power}
    edges = {power: list(BOARD.homes[power]) for power in Power}
    for power in list(Power) * rng.randint(3, 6):
        taken = {unit.province for some in units.values() for unit in some}
        province = next((one for one in rng.sample(edges[power], len(edges[power])) if one not in taken), None)
        if province:
            edges[power] += sorted(BOARD.neighbours[province])
            can = [Unit(Kind.ARMY, province), *(Unit(Kind.FLEET, place) for place in BOARD.places(province))]
            units[power].append(rng.choice([unit for unit in can if BOARD.can_stand(unit.kind, unit.place)]))
    return units


def _dislodge(units: dict[Power, list[Unit]], power: Power, rng: Random) -> tuple[Dislodged, ...]:
    """Let a unit of another power stand where one of this power was; nothing if that cannot be."""
    unit = rng.choice(units[power])
    taken = {one.province for some in units.values() for one in some}
    free = [place for place in sorted(BOARD.army_borders.get(unit.province, ())) if place not in taken]
    came_from = rng.choice([*free, ""])
    retreats = [place for place in find_reach(str(unit)) if province_of(place) not in taken | {came_from}]
    if not (came_from and retreats):
        return ()
    units[power].remove(unit)
    units[rng.choice([other for other in Power if other is not power])].append(Unit(Kind.ARMY, unit.province))
    return (Dislodged(power, unit, came_from, tuple(retreats)),)

"""What written orders mean, for the second judge: which are possible, which one of a unit counts, which fit together.

Written from chapter 4 of the DATC; ``rules`` are the choices by their names, as in docs/explanation/judge.md.
"""

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from pipeline.board import Kind, Map, Terrain

PLACE = r"[A-Z]{3}(?:/[NESW]C)?"
ORDER = re.compile(
    rf"(?P<unit>[AF] {PLACE})(?: (?P<verb>[HSCDB]))?(?: (?P<of>[AF] {PLACE}))?(?P<way>(?: [-R] {PLACE})*)(?P<via> VIA)?"
)


class Unit(NamedTuple):
    power: str
    kind: str
    place: str

    def __str__(self) -> str:
        return f"{self.kind} {self.place}"


NOBODY = Unit("", "", "")


class Order:
    """One written order: its unit and verb as written, whom it supports or carries, over which seas, to which place."""

    def __init__(self, power: str, text: str, result: str = "?") -> None:
        self.power, self.text, self.result = power, text, result
        found = ORDER.fullmatch(text)
        self.unit_text, verb, self.of_text, way, via = found.groups("") if found else [""] * 5
        self.verb = verb or way[1:2]  # "-" moves, "R" retreats
        *self.seas, self.goal = re.findall(PLACE, way) or [""]
        self.via = bool(via or self.seas)
        self.unit, self.of = NOBODY, NOBODY  # the own unit, and the one that is supported or carried
        self.to = frozenset[str]()  # the places that ``goal`` may mean; of one province

    @property
    def province(self) -> str:
        return (self.goal or self.of.place)[:3]

    @property
    def meaning(self) -> tuple[object, ...]:
        """What is the same however it is written; of an illegal order all that is written about its unit."""
        if self.result != "?":
            return (self.text.removeprefix(self.unit_text),)
        return self.verb, self.of, self.to or self.province, *self.seas, self.via


class Phase:
    """What all three kinds of phase need: the units, the map, and what a written place means."""

    def __init__(self, board: Map, rules: Mapping[str, Any], orders: list[Order], units: dict[str, Unit]) -> None:
        self.board, self.rules, self.orders, self.units = board, rules, orders, units

    def ignores(self, choice: str) -> bool:
        return str(self.rules[choice]) == "ignored"

    def recognize(self, text: str, units: Mapping[str, Unit]) -> Unit | None:
        """The unit that was written, in spite of a wrong letter or coast if ignored (4.B.5, 4.B.6, 4.C.2)."""
        unit = units.get(text[2:5])
        if not unit or (unit.kind != text[0] and not self.ignores("wrong_letter")):
            return None
        if "/" not in text or text[2:] == unit.place:
            return unit
        known = unit.kind == "F" and text[2:] in self.board.provinces[text[2:5]].coasts
        return unit if self.ignores("wrong_unit_coast" if known else "irrelevant_coast") else None

    def find_unit(self, order: Order, units: Mapping[str, Unit]) -> bool:
        """Find the own unit that an order is for; whether it is named well enough."""
        unit = units.get(order.unit_text[2:5], NOBODY)
        order.unit = unit if unit.power == order.power else NOBODY
        return order.unit is not NOBODY and self.recognize(order.unit_text, units) is not None

    def aim(self, unit: Unit, to: str, near: frozenset[str], supporter: Unit | None = None) -> frozenset[str]:
        """The places of ``near`` that may be meant by ``to`` (4.B.1 to 4.B.6); none: the unit cannot go there."""
        near = frozenset(p for p in near if p[:3] == to[:3])
        coasts = self.board.provinces[to[:3]].coasts if near and unit.kind == "F" else ()
        if "/" in to and to not in coasts and not self.ignores("irrelevant_coast"):
            return frozenset()
        if not coasts:
            return near
        if to in coasts:
            return near & {to} or (near if self.ignores("impossible_coast") else frozenset())
        if len(near) == 1:
            is_clear = self.ignores("only_coast_omitted")
        elif supporter:
            is_clear = {"any": True, "own-only": supporter.power == unit.power}.get(self.rules["support_coast"], False)
        else:
            is_clear = self.rules["missing_coast"] == "default"
            near = frozenset({min(near)})
        return near if is_clear else frozenset()

    def choose(self, unit: Unit) -> Order | None:
        """Pick the one order of a unit that counts (4.D.3); those with another meaning are illegal."""
        orders = [o for o in self.orders if o.unit == unit]
        if self.ignores("impossible_orders"):
            orders = [o for o in orders if o.result == "?"]
        meanings = [o.meaning for o in orders]
        several = self.rules["several_orders"] if len({*meanings}) > 1 else "first"
        place = {"first": 0, "last": len(orders) - 1}.get(several)
        for order, meaning in zip(orders, meanings, strict=True):
            if order.result == "?" and (place is None or meaning != meanings[place]):
                order.result = "illegal"
        return orders[place] if orders and place is not None else None


class WrittenMovement(Phase):
    """The orders of a movement phase. Units, moves and supports are known by the province in which they began."""

    walkers: set[str]  # armies whose convoy is lost and that may walk instead (4.A.3)

    # What is possible, whatever the others order.

    def read_orders(self) -> None:
        """Find which orders are legal, and which one of each unit counts."""
        self.seas = {p.code for p in self.board.provinces.values() if p.terrain is Terrain.SEA}
        self.manned = self.seas & self.units.keys()
        for order in self.orders:
            if not self.is_legal(order):
                order.result = "fails" if self.misses_coast(order) else "illegal"
        self.order: dict[str, Order] = {}  # the legal order that counts, by the unit's province
        self.misordered: dict[str, Order] = {}  # the illegal order that counts where none is ignored
        for province, unit in self.units.items():
            if chosen := self.choose(unit):
                (self.order if chosen.result == "?" else self.misordered)[province] = chosen

    def misses_coast(self, order: Order) -> bool:
        """A fleet ordered from the other coast, from where it could have gone, is no illegal order (6.B.11)."""
        here, named = (self.board.fleet_borders.get(place, ()) for place in (order.unit.place, order.unit_text[2:]))
        is_fleet_move = order.unit.kind == "F" and order.verb == "-" and not order.via
        return is_fleet_move and order.province in {p[:3] for p in named} - {p[:3] for p in here}

    def is_legal(self, order: Order) -> bool:
        if not self.find_unit(order, self.units):
            return False
        unit, to = order.unit, order.goal
        order.of = self.recognize(order.of_text, self.units) or NOBODY
        by_land = self.board.reaches(Kind(unit.kind), unit.place, order.province)
        if order.verb == "-":
            order.to = self.reachable(unit, to, seas=order.seas, via=order.via)
            order.via = order.via and by_land
            order.seas = [] if self.ignores("named_route") else order.seas
        elif order.verb == "S" and order.of not in (NOBODY, unit) and by_land:
            order.to = self.reachable(order.of, to, unit) if to else frozenset({order.of.place})
        elif order.verb == "C" and order.of.kind == "A" and unit.place in self.seas:
            detours = not self.rules["superfluous_convoy_is_illegal"] or self.is_named(unit.place, order)
            routes = self.routes(order.of.place, to[:3], self.manned, detours=detours)
            if any(unit.place in route for route in routes) and ("/" not in to or self.ignores("irrelevant_coast")):
                order.to = frozenset({to[:3]})
        return order.verb == "H" or bool(order.to)

    def reachable(
        self, unit: Unit, to: str, supporter: Unit | None = None, seas: list[str] | None = None, *, via: bool = False
    ) -> frozenset[str]:
        """Where a move may end, by land or by a convoy that others could make possible."""
        near = self.aim(unit, to, self.board.reach(Kind(unit.kind), unit.place), supporter)
        if unit.kind == "F" or unit.place == to[:3] or ("/" in to and not self.ignores("irrelevant_coast")):
            return near
        manned = self.manned - {supporter.place if supporter else ""}
        if seas and not self.ignores("named_route"):
            can_sail = self.is_chain(unit.place, to[:3], seas, manned)
        else:
            is_coastal = self.is_coast(unit.place) and self.is_coast(to[:3])
            elsewhere = is_coastal and not supporter and self.rules["missing_fleet"] == "move"
            can_sail = elsewhere or bool(self.routes(unit.place, to[:3], manned))
        if can_sail:
            return frozenset({to[:3]})
        return frozenset() if via and self.rules["land_fallback"] == "never" else near

    def is_coast(self, province: str) -> bool:
        return province in self.board.provinces and self.board.provinces[province].terrain is Terrain.COAST

    def is_named(self, sea: str, convoy: Order) -> bool:
        """Whether the army's own order names a route over this sea, and such a route binds (4.A.6)."""
        moves = [o for o in self.orders if o.verb == "-" and o.unit_text[2:5] == convoy.of.place]
        return not self.ignores("named_route") and any(sea in o.seas and o.province == convoy.province for o in moves)

    def is_chain(self, start: str, end: str, seas: list[str], allowed: set[str]) -> bool:
        return {*seas} <= allowed and all(b in self.board.neighbours[a] for a, b in pairwise([start, *seas, end]))

    def routes(self, start: str, end: str, seas: set[str], *, detours: bool = False) -> list[list[str]]:
        """Chains of seas from coast to coast; without a detour, unless detours are asked for (4.E.1)."""
        near = self.board.neighbours
        found: list[list[str]] = []
        waiting = [[sea] for sea in near[start] & seas] if start != end and self.is_coast(end) else []
        while waiting:
            route = waiting.pop()
            if end in near[route[-1]]:
                found.append(route)
            if detours or end not in near[route[-1]]:
                passed = {start, *route[:-1]}
                further = near[route[-1]] & seas - {*route}
                waiting += [[*route, sea] for sea in further if detours or not near[sea] & passed]
        return found

    # Which orders fit together.

    def match(self) -> None:
        self.moves = {p: o for p, o in self.order.items() if o.verb == "-"}
        self.convoys = {p: o for p, o in self.order.items() if o.verb == "C"}
        for order in self.convoys.values():
            move = self.moves.get(order.of.place)
            order.result = "?" if move and move.province == order.province else "invalid"
        self.ways = {p: self.ordered_routes(p) for p in self.moves}
        self.sailing = {p for p in self.moves if self.sails(p)}
        if self.rules["unconvoyed_army_holds"]:
            for p in [p for p in self.sailing if not self.ways[p]]:
                self.moves.pop(p).result = "invalid"
        self.helpers: dict[str, list[Order]] = {}  # by the supported unit's province
        for order in self.order.values():
            if order.verb == "S":
                order.result = "?" if self.fits(order, order.of.place[:3]) else "invalid"
                if order.result == "?":
                    self.helpers.setdefault(order.of.place[:3], []).append(order)

    def fits(self, support: Order, helped: str) -> bool:
        """Whether a support is for what its unit does."""
        move, bad = self.moves.get(helped), self.misordered.get(helped)
        if support.goal:
            return move is not None and bool(move.to & support.to)
        if move or not (self.rules["disorder_supported"] or support.of.power in {o.power for o in self.orders}):
            return False
        rule = self.rules["impossible_orders"]
        return not bad or (rule != "unsupported" and not (rule == "move" and bad.verb == "-"))

    def fleets_of(self, p: str) -> list[Order]:
        """The fleets ordered to carry the army that began in ``p``."""
        return [o for o in self.convoys.values() if o.result != "invalid" and o.of.place == p]

    def ordered_routes(self, p: str) -> list[list[str]]:
        move, fleets = self.moves[p], self.fleets_of(p)
        seas = {o.unit.place for o in fleets}
        own = {o.unit.place for o in fleets if o.power == move.power}
        if self.units[p].kind == "F" or (self.rules["named_route"] == "required" and not move.seas):
            return []
        if move.seas:
            return [move.seas] if self.is_chain(p, move.province, move.seas, seas) else []
        routes = self.routes(p, move.province, seas)
        mine = [r for r in routes if own >= {*r}]
        return mine if mine and self.rules["own_fleets_first"] else routes

    def sails(self, p: str) -> bool:
        """Whether a unit goes by sea (4.A.3)."""
        move, unit, to = self.moves[p], self.units[p], self.moves[p].province
        if unit.kind == "F" or p in self.walkers or not self.board.reaches(Kind.ARMY, unit.place, to):
            return unit.kind == "A" and p not in self.walkers
        is_opposed = to in self.moves and self.moves[to].province == p
        own_fleet = any(o.power == unit.power for o in self.fleets_of(p))
        own_opposite = is_opposed and self.units[to].power == unit.power and bool(self.fleets_of(p))
        is_meant = {
            "tagged": False,
            "own-fleet": own_fleet,
            "intent": own_fleet or own_opposite,
            "opposed": is_opposed and bool(self.ways[p]),
            "any": bool(self.ways[p]),
        }[self.rules["adjacent_convoy"]]
        return (move.via or is_meant) and (bool(self.ways[p]) or self.rules["land_fallback"] == "never")

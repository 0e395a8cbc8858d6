"""What written orders mean, for the second judge: which are possible, which one of a unit counts, which fit together.

Written from chapter 4 of the DATC; ``rules`` are the choices by their names, as in docs/explanation/judge.md.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from pipeline.board import Kind, Map, Terrain, province_of

PLACE = r"[A-Z]{3}(?:/[NESW]C)?"
ORDER = re.compile(
    rf"(?P<unit>[AF] {PLACE}) (?:(?P<hold>H)|(?P<way>(?:- {PLACE} ?)+)(?P<via>VIA)?"
    rf"|S (?P<helped>[AF] {PLACE})(?: - (?P<into>{PLACE}))?|C (?P<carried>[AF] {PLACE}) - (?P<ashore>{PLACE})"
    rf"|R (?P<refuge>{PLACE})|(?P<disband>D)|(?P<build>B))"
)

Rules = Mapping[str, Any]


class Unit(NamedTuple):
    power: str
    kind: str
    place: str

    def __str__(self) -> str:
        return f"{self.kind} {self.place}"


NOBODY = Unit("", "", "")


class Order:
    """One written order; ``unit`` is the own unit that it is for, if there is one."""

    def __init__(self, power: str, text: str, result: str = "?") -> None:
        self.power, self.text, self.result = power, text, result
        self.unit = NOBODY
        self.of = NOBODY  # the unit supported or convoyed
        self.to = frozenset[str]()  # the places it may mean; of one province
        self.to_province = ""
        self.named: tuple[str, ...] = ()  # the seas of a named route
        self.via = False
        found = ORDER.fullmatch(text)
        self.parts: dict[str, str | None] = found.groupdict() if found else {}

    @property
    def meaning(self) -> tuple[object, ...]:
        """What is the same however it is written; of an illegal order all that is written about its unit."""
        if self.result != "?":
            return tuple(part for name, part in self.parts.items() if name != "unit")
        return self.verb, self.of, self.to or self.to_province, self.named, self.via

    @property
    def verb(self) -> str:
        verbs = {"way": "move", "helped": "support", "carried": "convoy", "refuge": "retreat"}
        for part in ("hold", "way", "helped", "carried", "refuge", "disband", "build"):
            if self.parts.get(part):
                return verbs.get(part, part)
        return "none"


def read_units(listed: Mapping[str, Sequence[str]]) -> Iterator[Unit]:
    for power, texts in listed.items():
        for text in texts:
            yield Unit(power, text[0], text[2:])


class Phase:
    """What all three kinds of phase need: the units, the map, and what a written place means."""

    def __init__(self, board: Map, rules: Rules, orders: list[Order], units: dict[str, Unit]) -> None:
        self.board, self.rules, self.orders, self.units = board, rules, orders, units

    def ignores(self, choice: str) -> bool:
        return str(self.rules[choice]) == "ignored"

    def recognize(self, text: str, units: Mapping[str, Unit]) -> Unit | None:
        """The unit that was written, in spite of a wrong letter or coast if ignored (4.B.5, 4.B.6, 4.C.2)."""
        unit = units.get(text[2:5])
        if not unit or (unit.kind != text[0] and not self.ignores("wrong_letter")):
            return None
        if "/" in text and text[2:] != unit.place:
            known = unit.kind == "F" and text[2:] in self.board.provinces[text[2:5]].coasts
            return unit if self.ignores("wrong_unit_coast" if known else "irrelevant_coast") else None
        return unit

    def find_unit(self, order: Order, units: Mapping[str, Unit]) -> bool:
        """Find the own unit that an order is for; whether it is named well enough."""
        named = order.parts.get("unit") or ""
        unit = units.get(named[2:5])
        if not unit or unit.power != order.power:
            return False
        order.unit = unit
        return self.recognize(named, units) is not None

    def aim(
        self, unit: Unit, to: str, supporter: Unit | None = None, near: frozenset[str] | None = None
    ) -> frozenset[str]:
        """The places a unit without a convoy may mean by ``to`` (4.B.1 to 4.B.6); none: it cannot go there."""
        if province_of(to) not in self.board.provinces:
            return frozenset()
        if near is None:
            near = self.board.reach(Kind(unit.kind), unit.place)
        near = frozenset(p for p in near if province_of(p) == province_of(to))
        coasts = self.board.provinces[to[:3]].coasts if unit.kind == "F" else ()
        if "/" in to and to not in coasts:
            if not self.ignores("irrelevant_coast"):
                return frozenset()
            to = to[:3]
        if not coasts or not near:
            return near
        if "/" in to:
            return near & {to} or (near if self.ignores("impossible_coast") else frozenset())
        if len(near) == 1:
            return near if self.ignores("only_coast_omitted") else frozenset()
        if supporter:
            own = supporter.power == unit.power
            return (
                near if {"any": True, "own-only": own, "illegal": False}[self.rules["support_coast"]] else frozenset()
            )
        return (
            frozenset(sorted(near)[:1]) if self.rules["missing_coast"] == "default" and not supporter else frozenset()
        )

    def choose(self, orders: list[Order], several: str) -> Order | None:
        """Pick the one that counts of several orders (4.D.3); the others are illegal."""
        meanings = [o.meaning for o in orders]
        last = len(orders) - 1
        place = 0 if len({*meanings}) == 1 else {"first": 0, "last": last, "none": None}[several]
        chosen = None if place is None else orders[place]
        for order, meaning in zip(orders, meanings, strict=True):
            if order.result == "?" and (place is None or meaning != meanings[place]):
                order.result = "illegal"
        return chosen


class WrittenMovement(Phase):
    """The orders of a movement phase. Units, moves and supports are known by the province in which they began."""

    walkers: set[str]  # armies whose convoy is lost and that may walk instead (4.A.3)

    # What is possible, whatever the others order.

    def read_orders(self) -> None:
        """Find which orders are legal, and which one of each unit counts."""
        for order in self.orders:
            if not self.is_legal(order):
                order.result = "fails" if self.misses_coast(order) else "illegal"
        self.take_one_order_each()

    def misses_coast(self, order: Order) -> bool:
        """A fleet ordered from the other coast, from where it could have gone, is no illegal order (6.B.11)."""
        if order.unit.kind != "F" or order.verb != "move" or order.via:
            return False
        here, named = (self.board.fleet_borders.get(place, ()) for place in (order.unit.place, order.text.split()[1]))
        return order.to_province in {p[:3] for p in named} - {p[:3] for p in here}

    def is_legal(self, order: Order) -> bool:
        parts = order.parts
        if not self.find_unit(order, self.units):
            return False
        unit = order.unit
        match order.verb:
            case "hold":
                return True
            case "move":
                *named, to = (parts["way"] or "").replace("-", " ").split()
                order.named, order.via = tuple(named), bool(parts["via"] or named)
                order.to, order.to_province = self.reachable(unit, to, named=order.named, via=order.via), to[:3]
                order.via = order.via and self.board.reaches(Kind(unit.kind), unit.place, to[:3])
                order.named = order.named if self.rules["named_route"] != "ignored" else ()
                return bool(order.to)
            case "support":
                helped = self.recognize(parts["helped"] or "", self.units)
                if not helped or helped == unit:
                    return False
                order.of, to = helped, parts["into"] or helped.place
                order.to_province = to[:3]
                if to[:3] not in self.board.provinces or not self.board.reaches(Kind(unit.kind), unit.place, to[:3]):
                    return False
                order.to = self.reachable(helped, to, supporter=unit) if parts["into"] else frozenset({helped.place})
                return bool(order.to)
            case "convoy":
                army = self.recognize(parts["carried"] or "", self.units)
                to = parts["ashore"] or ""
                if not army or army.kind != "A" or unit.place not in self.all_seas():
                    return False
                if "/" in to and not self.ignores("irrelevant_coast"):
                    return False
                order.of, order.to, order.to_province = army, frozenset({to[:3]}), to[:3]
                start, seas = army.place[:3], self.all_seas() & self.units.keys()
                detours = not self.rules["superfluous_convoy_is_illegal"] or self.is_named(unit.place, army, to[:3])
                return any(unit.place in route for route in self.routes(start, to[:3], seas, detours=detours))
        return False

    def reachable(
        self, unit: Unit, to: str, supporter: Unit | None = None, named: tuple[str, ...] = (), *, via: bool = False
    ) -> frozenset[str]:
        """Where a move may end, by land or by a convoy that others could make possible."""
        near = self.aim(unit, to, supporter)
        if unit.kind == "F" or unit.place[:3] == to[:3] or ("/" in to and not self.ignores("irrelevant_coast")):
            return near
        binding = named and self.rules["named_route"] != "ignored"
        seas = self.all_seas() & self.units.keys() - {supporter.place if supporter else ""}
        routes = self.routes(unit.place[:3], to[:3], seas)
        if binding:
            routes = [named] if self.is_chain(unit.place[:3], to[:3], named, seas) else []
        coastal = all(
            self.board.provinces[p].terrain is Terrain.COAST for p in (unit.place, to[:3]) if p in self.board.provinces
        )
        elsewhere = coastal and not binding and not supporter and self.rules["missing_fleet"] == "move"
        if routes or elsewhere:
            return frozenset({to[:3]})
        return frozenset() if via and self.rules["land_fallback"] == "never" else near

    def all_seas(self) -> set[str]:
        return {p.code for p in self.board.provinces.values() if p.terrain is Terrain.SEA}

    def is_named(self, sea: str, army: Unit, to: str) -> bool:
        """Whether the army's own order names a route over this sea, and such a route binds (4.A.6)."""
        if self.rules["named_route"] == "ignored":
            return False
        ways = [(o.parts["way"] or "").replace("-", " ").split() for o in self.orders if o.verb == "move"]
        froms = [(o.parts["unit"] or "")[2:5] for o in self.orders if o.verb == "move"]
        return any(
            sea in way[:-1] and way[-1][:3] == to and start == army.place
            for way, start in zip(ways, froms, strict=True)
        )

    def is_chain(self, start: str, end: str, seas: tuple[str, ...], allowed: set[str]) -> bool:
        steps = (start, *seas, end)
        return set(seas) <= allowed and all(b in self.board.neighbours[a] for a, b in pairwise(steps))

    def routes(self, start: str, end: str, seas: set[str], *, detours: bool = False) -> list[tuple[str, ...]]:
        """Chains of seas from coast to coast; without a detour, unless detours are asked for (4.E.1)."""
        near = self.board.neighbours
        if start == end or end not in near or self.board.provinces[end].terrain is not Terrain.COAST:
            return []
        found: list[tuple[str, ...]] = []

        def extend(route: tuple[str, ...]) -> None:
            if end in near[route[-1]]:
                found.append(route)
                if not detours:
                    return
            for sea in sorted(near[route[-1]] & seas - {*route}):
                if detours or not near[sea] & {start, *route[:-1]}:
                    extend((*route, sea))

        for sea in sorted(near[start] & seas):
            extend((sea,))
        return found

    # Which order counts, and which orders fit together.

    def take_one_order_each(self) -> None:
        self.order: dict[str, Order] = {}  # the legal order that counts, by the unit's province
        self.misordered: dict[str, Order] = {}  # the illegal order that counts where none is ignored
        self.ordering = {o.power for o in self.orders}
        for province, unit in self.units.items():
            written = [o for o in self.orders if o.unit == unit]
            legal = [o for o in written if o.result == "?"]
            counted = legal if self.rules["impossible_orders"] == "ignored" else written
            if counted:
                chosen = self.choose(counted, self.rules["several_orders"])
                if chosen and chosen in legal:
                    self.order[province] = chosen
                elif chosen:
                    self.misordered[province] = chosen

    def match(self) -> None:
        self.moves = {p: o for p, o in self.order.items() if o.verb == "move"}
        self.convoys = {p: o for p, o in self.order.items() if o.verb == "convoy"}
        for order in self.convoys.values():
            move = self.moves.get(order.of.place[:3])
            order.result = "?" if move and move.to_province == order.to_province else "invalid"
        self.ways = {p: self.ordered_routes(p) for p in self.moves}
        self.mode = {p: self.travel_mode(p) for p in self.moves}
        if self.rules["unconvoyed_army_holds"]:
            for p in [p for p, move in self.moves.items() if self.mode[p] == "sea" and not self.ways[p]]:
                self.moves.pop(p).result = "invalid"
        self.helpers: dict[str, list[Order]] = {}  # by the supported unit's province
        for order in self.order.values():
            if order.verb == "support":
                if self.helps(order, order.of):
                    self.helpers.setdefault(order.of.place[:3], []).append(order)
                else:
                    order.result = "invalid"

    def helps(self, order: Order, helped: Unit) -> bool:
        """Whether a support fits what its unit does."""
        province = helped.place[:3]
        move = self.moves.get(province)
        if order.parts["into"]:
            return move is not None and move.to_province == order.to_province and bool(move.to & order.to)
        if move or (not self.rules["disorder_supported"] and helped.power not in self.ordering):
            return False
        bad = self.misordered.get(province)
        rule = str(self.rules["impossible_orders"])
        return not bad or (rule != "unsupported" and not (rule == "move" and bad.verb == "move"))

    def fleets_of(self, p: str) -> list[Order]:
        """The fleets ordered to carry the army that began in ``p``."""
        return [o for o in self.convoys.values() if o.result != "invalid" and o.of.place[:3] == p]

    def ordered_routes(self, p: str) -> list[tuple[str, ...]]:
        move, fleets = self.moves[p], self.fleets_of(p)
        seas = {o.unit.place for o in fleets}
        own = {o.unit.place for o in fleets if o.power == move.power}
        if self.units[p].kind == "F":
            return []
        if self.rules["named_route"] != "ignored" and move.named:
            return [move.named] if self.is_chain(p, move.to_province, move.named, seas) else []
        if self.rules["named_route"] == "required":
            return []
        routes = self.routes(p, move.to_province, seas)
        mine = [r for r in routes if own >= {*r}]
        return mine if mine and self.rules["own_fleets_first"] else routes

    def travel_mode(self, p: str) -> str:
        """Land or sea (4.A.3)."""
        move = self.moves[p]
        unit, to = self.units[p], move.to_province
        if unit.kind == "F" or p in self.walkers:
            return "land"
        if not self.board.reaches(Kind.ARMY, unit.place, to):
            return "sea"
        other = self.moves.get(to)
        opposite = other is not None and other.to_province == p
        own_fleet = any(o.power == unit.power for o in self.fleets_of(p))
        own_opposite = opposite and self.units[to].power == unit.power and bool(self.fleets_of(p))
        rule = str(self.rules["adjacent_convoy"])
        meant = {
            "tagged": move.via,
            "own-fleet": move.via or own_fleet,
            "intent": move.via or own_fleet or own_opposite,
            "opposed": move.via or (opposite and bool(self.ways[p])),
            "any": move.via or bool(self.ways[p]),
        }[rule]
        return "sea" if meant and (self.ways[p] or self.rules["land_fallback"] == "never") else "land"

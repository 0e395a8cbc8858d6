"""Retreats and adjustments, for the second judge."""

from collections.abc import Mapping, Sequence
from typing import Any

from judge.second_orders import NOBODY, Order, Phase, Unit
from pipeline.board import Power, Terrain

COUNTRIES = {
    "AUSTRIA": "BOH BUD GAL TRI TYR VIE",
    "ENGLAND": "CLY EDI LON LVP WAL YOR",
    "FRANCE": "BRE BUR GAS MAR PAR PIC",
    "GERMANY": "BER KIE MUN PRU RUH SIL",
    "ITALY": "APU NAP PIE ROM TUS VEN",
    "RUSSIA": "FIN LVN MOS SEV STP UKR WAR",
    "TURKEY": "ANK ARM CON SMY SYR",
}


class Retreats(Phase):
    """A retreat phase: whoever flees alone to an open province is saved."""

    def judge(self, dislodged: Sequence[Mapping[str, Any]]) -> None:
        refuges = {d["unit"][2:5]: frozenset(d["retreats"]) for d in dislodged}
        fleeing = {d["unit"][2:5]: Unit(d["power"], d["unit"][0], d["unit"][2:]) for d in dislodged}
        for order in self.orders:
            is_known = self.find_unit(order, fleeing)
            if is_known and order.verb == "R":
                order.to = self.aim(order.unit, order.goal, refuges[order.unit.place[:3]])
            if not is_known or not (order.verb == "D" or order.to):
                order.result = "illegal"
        counted = [o for unit in fleeing.values() if (o := self.choose(unit)) and o.result == "?"]
        results = {}
        for order in counted:
            meets = order.to and [o.province for o in counted].count(order.province) > 1
            results[order.unit] = "fails" if meets else "succeeds"
            if order.to and not meets:
                (place,) = order.to
                self.units[place[:3]] = order.unit._replace(place=place)
        for order in self.orders:
            if order.result == "?":
                order.result = results[order.unit]
        for unit in fleeing.values():
            if all(o.unit != unit for o in self.orders):
                self.orders.append(Order(unit.power, f"{unit} D", "automatic"))


class Winter(Phase):
    """Builds and removals."""

    def judge(self, question: Mapping[str, Any]) -> None:
        self.before = dict(self.units)
        for order in self.orders:
            order.result = "illegal"
        for power in Power:
            owned = question["centers"].get(power, ())
            mine = [u for u in self.before.values() if u.power == power]
            due = len(owned) - len(mine)
            orders = [o for o in self.orders if o.power == power]
            if due > 0:
                self.build(power, due, owned, orders, first_winter=question["phase"] == "W1901A")
            elif due < 0:
                self.remove(power, -due, owned, mine, orders)

    @staticmethod
    def take(orders: list[Order], due: int, rule: str) -> list[Order]:
        """Which of too many count (4.D.4, 4.D.6)."""
        if rule == "none" and len(orders) > due:
            return []
        return orders[-due:] if rule == "last" else orders[:due]

    def build(self, power: str, due: int, owned: Sequence[str], orders: list[Order], *, first_winter: bool) -> None:
        free = {c for c in self.board.homes[Power(power)] if c in owned and c not in self.before}
        for order in orders:
            order.unit = self.new_unit(order, free)
        legal = []
        for order in orders:
            same = [o for o in orders if o.unit.place[:3] == order.unit.place[:3]]
            alike = all(o.unit == order.unit for o in same)
            counting = self.take(same, 1, "first" if alike else self.rules["two_builds_in_one_place"])
            if order.unit is NOBODY:
                is_legal = order.text == "WAIVE" and self.rules["waiving"]
            else:
                is_legal = any(next(o for o in same if o.unit == wanted.unit) is order for wanted in counting)
            legal += [order] * is_legal
        counted = self.take(legal, due, self.rules["too_many_builds"])
        for order in counted:
            order.result = "succeeds"
            if order.unit is not NOBODY:
                self.units[order.unit.place[:3]] = order.unit
        if first_winter:
            begun = {place[:3]: Unit(power, str(kind), place) for kind, place in self.board.start.get(Power(power), ())}
            empty = [c for c in sorted(free, key=self.rank) if c not in self.units]
            for c in empty[: max(0, min(due, self.rules["imposed_builds"]) - len(counted))]:
                self.units[c] = begun[c]
                self.orders.append(Order(power, f"{begun[c]} B", "automatic"))

    def new_unit(self, order: Order, free: set[str]) -> Unit:
        kind, place = order.unit_text[:1], order.unit_text[2:]
        if order.verb != "B" or place[:3] not in free:
            return NOBODY
        province = self.board.provinces[place[:3]]
        if kind == "F" and province.terrain is Terrain.LAND:
            kind = "A" if self.rules["inland_fleet_is_army"] else ""
        coasts = province.coasts if kind == "F" else ()
        if "/" in place and place not in coasts:
            kind, place = kind if self.ignores("irrelevant_coast") else "", place[:3]
        if kind and coasts and "/" not in place:
            order.result = "fails"  # 4.B.7
            return NOBODY
        return Unit(order.power, kind, place) if kind else NOBODY

    def remove(self, power: str, due: int, owned: Sequence[str], mine: list[Unit], orders: list[Order]) -> None:
        legal: dict[Unit, Order] = {}
        for order in orders:
            if order.verb == "D" and self.find_unit(order, self.before):
                legal.setdefault(order.unit, order)
        counted = self.take([*legal.values()], due, self.rules["too_many_removals"])
        rest = sorted({*mine} - {o.unit for o in counted}, key=lambda u: self.removal_key(u, owned))
        for order in counted:
            order.result = "succeeds"
            del self.units[order.unit.place[:3]]
        for unit in rest[: due - len(counted)]:
            self.orders.append(Order(power, f"{unit} D", "automatic"))
            del self.units[unit.place[:3]]

    def rank(self, province: str) -> tuple[Any, ...]:
        listed = list(self.rules["removal_list"])
        return (listed.index(province),) if listed else (self.board.provinces[province].name,)

    def removal_key(self, unit: Unit, owned: Sequence[str]) -> tuple[Any, ...]:
        """The first by this key is removed first (4.D.8)."""
        goals = {
            "owned": set(owned),
            "home": set(self.board.homes[Power(unit.power)]),
            "country": {*COUNTRIES[unit.power].split()},
        }[self.rules["removal_far_from"]]
        on_centre = self.rules["removal_spares_centres"] and self.board.provinces[unit.place[:3]].is_centre
        return -self.distance(unit, goals), on_centre, unit.kind == "A", *self.rank(unit.place[:3])

    def distance(self, unit: Unit, goals: set[str]) -> int:
        by_moves = self.rules["removal_steps"] == "moves" and unit.kind == "F"
        near = self.board.fleet_borders if by_moves else self.board.neighbours
        reached, steps = {unit.place if by_moves else unit.place[:3]}, 0
        while not {p[:3] for p in reached} & goals:
            wider = reached | {n for p in reached for n in near[p]}
            if wider == reached:
                return 99
            reached, steps = wider, steps + 1
        return steps

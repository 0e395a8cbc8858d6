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
        self.open = {d["unit"][2:5]: frozenset(d["retreats"]) for d in dislodged}
        self.fleeing = {d["unit"][2:5]: Unit(d["power"], d["unit"][0], d["unit"][2:]) for d in dislodged}
        for order in self.orders:
            if not self.is_legal(order):
                order.result = "illegal"
        counted = [order for unit in self.fleeing.values() if (order := self.order_of(unit)).unit == unit]
        for order in counted:
            meets = any(o is not order and o.to_province == order.to_province for o in counted if order.to)
            order.result = "fails" if meets else "succeeds"
            if order.to and not meets:
                (place,) = order.to
                self.units[place[:3]] = order.unit._replace(place=place)
        for order in self.orders:
            if order.result == "?":  # the same as one that counts
                order.result = next(o.result for o in counted if o.unit == order.unit)

    def order_of(self, unit: Unit) -> Order:
        """The legal order that counts; one of nobody if there is none."""
        written = [o for o in self.orders if o.unit == unit]
        legal = [o for o in written if o.result == "?"]
        counted = legal if self.rules["impossible_orders"] == "ignored" else written
        chosen = self.choose(counted, self.rules["several_orders"]) if counted else None
        if not written:
            self.orders.append(Order(unit.power, f"{unit} D", "automatic"))
        return chosen if chosen and chosen in legal else Order("", "")

    def is_legal(self, order: Order) -> bool:
        if not self.find_unit(order, self.fleeing):
            return False
        if order.verb == "retreat":
            order.to = self.aim(order.unit, order.parts["refuge"] or "", near=self.open[order.unit.place[:3]])
            order.to_province = (order.parts["refuge"] or "")[:3]
        return order.verb == "disband" or bool(order.to)


class Winter(Phase):
    """Builds and removals."""

    def judge(self, question: Mapping[str, Any]) -> None:
        self.before = dict(self.units)
        for power in Power:
            owned = question["centers"].get(power, ())
            mine = [u for u in self.before.values() if u.power == power]
            due = len(owned) - len(mine)
            orders = [o for o in self.orders if o.power == power]
            for order in orders:
                order.result = "illegal"
            if due > 0:
                self.build(power, due, owned, orders, first_winter=question["phase"] == "W1901A")
            elif due < 0:
                self.remove(power, -due, owned, mine, orders)

    @staticmethod
    def take(orders: list[Order], due: int, rule: str) -> list[Order]:
        """Which of too many count (4.D.4, 4.D.6)."""
        if len(orders) <= due:
            return orders
        return {"first": orders[:due], "bottom-up": orders[:due], "last": orders[-due:], "none": []}[rule]

    def build(self, power: str, due: int, owned: Sequence[str], orders: list[Order], *, first_winter: bool) -> None:
        free = {c for c in self.board.homes[Power(power)] if c in owned and c not in self.before}
        for order in orders:
            order.unit = self.new_unit(order, free)
        legal = []
        for order in orders:
            if order.text == "WAIVE" and self.rules["waiving"]:
                legal.append(order)
            elif order.unit is not NOBODY:
                same = [o for o in orders if o.unit.place[:3] == order.unit.place[:3]]
                alike = all(o.unit == order.unit for o in same)
                rule = "first" if alike else self.rules["two_builds_in_one_place"]
                wanted = {"first": same[0], "last": same[-1], "none": None}[rule]
                if wanted and order is next(o for o in same if o.unit == wanted.unit):
                    legal.append(order)
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
        kind, place = (order.parts["unit"] or "").split() if order.verb == "build" else ("", "")
        if place[:3] not in free:
            return NOBODY
        province = self.board.provinces[place[:3]]
        if kind == "F" and province.terrain is Terrain.LAND:
            if not self.rules["inland_fleet_is_army"]:
                return NOBODY
            kind = "A"
        coasts = province.coasts if kind == "F" else ()
        if "/" in place and place not in coasts:
            if not self.ignores("irrelevant_coast"):
                return NOBODY
            place = place[:3]
        if coasts and "/" not in place:
            order.result = "fails"  # 4.B.7
            return NOBODY
        return Unit(order.power, kind, place)

    def remove(self, power: str, due: int, owned: Sequence[str], mine: list[Unit], orders: list[Order]) -> None:
        legal: list[Order] = []
        for order in orders:
            unit = self.recognize(order.parts["unit"] or "", self.before) if order.verb == "disband" else None
            if unit and unit.power == power and unit not in [o.unit for o in legal]:
                order.unit = unit
                legal.append(order)
        gone = []
        for order in self.take(legal, due, self.rules["too_many_removals"]):
            order.result = "succeeds"
            gone.append(order.unit)
        rest = sorted((u for u in mine if u not in gone), key=lambda u: self.removal_key(u, owned))
        for unit in rest[: due - len(gone)]:
            gone.append(unit)
            self.orders.append(Order(power, f"{unit} D", "automatic"))
        for unit in gone:
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
        reached, steps = {unit.place if by_moves else unit.place[:3]}, 0
        while not {p[:3] for p in reached} & goals:
            near = self.board.fleet_borders if by_moves else self.board.neighbours
            wider = reached | {n for p in reached for n in near[p]}
            if wider == reached:
                return 99
            reached, steps = wider, steps + 1
        return steps

"""A second judge, written from the rules and the DATC alone, to compare the program's judge with.

It is slow and plain. Which moves succeed, and which armies keep a route, are the only unknowns of a movement phase;
everything else follows from them. Answers are consistent when each is what the rules make of the others. All consistent
answers of the smallest set of unknowns that depends on no others are looked for by trying every one (DATC 5).
"""

from collections.abc import Mapping
from itertools import product
from typing import Any

from judge.second_aftermath import Retreats, Winter
from judge.second_orders import Order, Unit, WrittenMovement
from pipeline.board import Kind, Map

BEFOREHAND = ("1971", "1982", "2000", "verheijden")  # paradox rules that say which support is not cut


def judge(board: Map, rules: Mapping[str, Any], question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer what ``ordersheets judge`` answers; ``results`` are (power, order, result), units and centres pairs."""
    phase = question["phase"]
    orders = [Order(power, text) for power, texts in question["orders"].items() for text in texts]
    units = {text[2:5]: Unit(power, text[0], text[2:]) for power, texts in question["units"].items() for text in texts}
    answer: dict[str, Any] = {"dislodged": []}
    if phase.endswith("A"):
        Winter(board, rules, orders, units).judge(question)
    elif phase.endswith("R"):
        Retreats(board, rules, orders, units).judge(question["dislodged"])
    else:
        answer["dislodged"] = Movement(board, rules, orders, units).judge()
    answer["results"] = sorted((o.power, o.text, o.result) for o in orders)
    answer["units"] = sorted(map(tuple, units.values()))
    if "centers" in question:
        owners = {c: power for power, owned in question["centers"].items() for c in owned}
        if phase.startswith("F") and not any(d["retreats"] for d in answer["dislodged"]):
            owners |= {p: u.power for p, u in units.items() if board.provinces[p].is_centre}
        answer["centers"] = sorted((power, c) for c, power in owners.items())
    return answer


class Unknown(Exception):
    """A value that is asked for and not known yet."""


class Movement(WrittenMovement):
    """A movement phase. Units, moves and supports are known by the province in which they began."""

    def judge(self) -> list[dict[str, Any]]:
        self.read_orders()
        self.walkers = set()
        while True:
            self.match()
            self.solve()
            lost = {p for p in self.sailing & self.moves.keys() if not self.is_intact(p)}
            lost = {p for p in lost if self.board.reaches(Kind.ARMY, p, self.moves[p].province)}
            if self.rules["land_fallback"] != "always" or not lost:
                return self.carry_out()
            self.walkers |= lost

    # The rules of a battle, for moves known by the province in which they began.

    def value_of(self, unknown: str) -> bool:
        if unknown not in self.value:
            raise Unknown(unknown)
        return self.value[unknown]

    def goes(self, p: str) -> bool:
        return p in self.moves and self.value_of(p)

    def is_intact(self, p: str) -> bool:
        return bool(self.ways[p]) and self.value_of(f"{p} route")

    def is_dislodged(self, p: str) -> bool:
        return not self.goes(p) and any(self.goes(m) for m in self.movers(p))

    def movers(self, province: str) -> list[str]:
        return [p for p, move in self.moves.items() if move.province == province]

    def keeps_route(self, p: str, without: str = "") -> bool:
        """Whether a route of the army from ``p`` is left (4.A.1), and one that avoids a sea, if one is named."""
        lost = (any(without == sea or self.is_dislodged(sea) for sea in route) for route in self.ways[p])
        return not (any(lost) if self.rules["routes"] == "any-broken" else all(lost))

    def has_path(self, p: str) -> bool:
        return p not in self.sailing or self.is_intact(p)

    def meets(self, p: str) -> str:
        """The unit that comes the other way over land: a head-to-head battle."""
        to = self.moves[p].province
        return to if to in self.moves and self.moves[to].province == p and not {p, to} & self.sailing else ""

    def strength(self, p: str, against: str = "") -> int:
        return 1 + sum(self.is_given(o) for o in self.helpers.get(p, ()) if o.power != against)

    def attack(self, p: str) -> int:
        to = self.moves[p].province
        there = self.units.get(to)
        if not there or (not self.meets(p) and self.goes(to)):
            return self.strength(p)
        if there.power == self.units[p].power or self.is_carried_against(p, there.power):
            return 0
        return self.strength(p, there.power)

    def is_carried_against(self, p: str, power: str) -> bool:
        """Whether only fleets of ``power`` itself bring the army (NZ99 14)."""
        foreign = [r for r in self.ways[p] if all(self.units[sea].power != power for sea in r)]
        is_bound = p in self.sailing and not self.rules["convoy_against_own"]
        return is_bound and all(any(map(self.is_dislodged, route)) for route in foreign)

    def hold(self, province: str) -> int:
        if province in self.moves:
            return int(not self.goes(province))
        return self.strength(province) if province in self.units else 0

    def prevents(self, p: str) -> int:
        if not self.has_path(p):
            return 0
        to = self.moves[p].province
        is_opposed = to in self.moves and self.moves[to].province == p
        is_weakened = is_opposed and (self.meets(p) or not self.rules["dislodged_still_bounces"])
        return 0 if is_weakened and self.goes(to) and not self.goes(p) else self.strength(p)

    def is_given(self, support: Order) -> bool:
        return not any(self.cuts(m, support) for m in self.movers(support.unit.place[:3]))

    def cuts(self, m: str, support: Order) -> bool:
        if self.units[m].power == support.power or not self.has_path(m) or self.may_not_cut(m, support):
            return False
        elsewhere = m != support.province
        if self.rules["attack_from"] == "last-fleet" and m in self.sailing:
            elsewhere = any(r[-1] != support.province and not any(map(self.is_dislodged, r)) for r in self.ways[m])
        return elsewhere or self.goes(m)

    def may_not_cut(self, m: str, support: Order) -> bool:
        """Whether a rule against paradoxes protects the support from the convoyed army (4.A.2 a, b, c, e)."""
        rule, sea = str(self.rules["paradox"]), support.province
        is_carrying = sea in self.convoys and self.convoys[sea].result != "invalid"
        mine = any(sea in route for route in self.ways[m])
        if not is_carrying or rule not in BEFOREHAND or m not in self.sailing:
            return False
        is_attack, by_fleet = bool(support.goal), support.unit.kind == "F"
        return {
            "1971": is_attack and by_fleet and mine,
            "1982": by_fleet,
            "2000": is_attack and mine and not self.keeps_route(m, without=sea),
            "verheijden": mine,
        }[rule]

    def succeeds(self, p: str) -> bool:
        if not self.has_path(p):
            return False
        to, force = self.moves[p].province, self.attack(p)
        if force <= (self.strength(to) if self.meets(p) else self.hold(to)):
            return False
        return all(force > self.prevents(other) for other in self.movers(to) if other != p)

    # All consistent answers.

    def work_out(self, unknown: str) -> bool:
        """What the rules say of a move (``BRE``) or of the route of an army (``BRE route``)."""
        return self.keeps_route(unknown[:3]) if unknown.endswith("route") else self.succeeds(unknown)

    def outcomes(self, unknown: str) -> list[tuple[dict[str, bool], bool]]:
        """Every value that an unknown may have, with the values of the others that it rests on."""
        try:
            return [({}, self.work_out(unknown))]
        except Unknown as asked:
            found = []
            for guess in (True, False):
                self.value[str(asked)] = guess
                found += [({str(asked): guess, **rest}, answer) for rest, answer in self.outcomes(unknown)]
                del self.value[str(asked)]
            return found

    def solve(self) -> None:
        self.value: dict[str, bool] = {}  # whether the move from BRE succeeds, whether BRE route is whole
        self.lost_fleets: set[str] = set()  # fleets that a paradox rule takes out of their convoy
        names = [*self.moves, *(f"{p} route" for p in self.moves if p in self.sailing and self.ways[p])]
        while unknown := [name for name in names if name not in self.value]:
            needs: dict[str, set[str]] = {}
            for name in unknown:
                outcomes = self.outcomes(name)
                if len({answer for _, answer in outcomes}) == 1:
                    self.value[name] = outcomes[0][1]
                needs[name] = {other for given, _ in outcomes for other in given}
            if self.value.keys().isdisjoint(unknown):
                self.solve_together(min((self.closure(name, needs) for name in unknown), key=len))

    @staticmethod
    def closure(name: str, needs: Mapping[str, set[str]]) -> list[str]:
        found = {name}
        while further := {other for name in found for other in needs[name]} - found:
            found |= further
        return sorted(found)

    def solve_together(self, together: list[str]) -> None:
        consistent = []
        for guess in product((True, False), repeat=len(together)):
            values: dict[str, bool] = dict(zip(together, guess, strict=True))
            self.value |= values
            if all(values[name] == self.outcomes(name)[0][1] for name in together):
                consistent.append(values)
            for name in together:
                del self.value[name]
        routes = [name for name in together if name.endswith("route")]
        if consistent and all(c[name] == consistent[0][name] for c in consistent for name in routes):
            chosen, *others = sorted(consistent, key=lambda values: sum(values.values()), reverse=True)
            assert not others or all(chosen[n] for n in together if n in self.moves)  # in a ring all move
            self.value.update(chosen)
        else:
            self.break_paradox(together, [name[:3] for name in routes])

    def break_paradox(self, together: list[str], armies: list[str]) -> None:
        """Carry out the rule for what no other rule answers (4.A.2): the armies do not sail, and perhaps more."""
        assert armies, "a dependence without a convoy always has a consistent answer"
        rule = str(self.rules["paradox"])
        if rule in BEFOREHAND:
            rule = str(self.rules["paradox_backup"])
        attacked = {self.moves[name].province for name in together if name in self.moves}
        fleets = attacked & {sea for p in armies for route in self.ways[p] for sea in route}
        self.lost_fleets |= fleets
        self.value |= {f"{p} route": False for p in armies}
        for name in together:
            if name in self.moves and (
                rule == "all-hold" or (rule == "pandin" and self.moves[name].province in fleets)
            ):
                self.value[name] = False

    # What follows.

    def carry_out(self) -> list[dict[str, Any]]:
        for p, move in self.moves.items():
            stuck = p in self.sailing and not self.ways[p]
            move.result = "succeeds" if self.value[p] else "invalid" if stuck else "fails"
        for p, order in self.order.items():
            if order.result == "?":
                lost = p in self.lost_fleets or self.is_dislodged(p)
                words = {"H": "stands", "C": "disrupted" if lost else "available"}
                order.result = words.get(order.verb) or ("given" if self.is_given(order) else "cut")
        for order in self.orders:
            if order.result == "?":  # the same as one that counts
                order.result = self.order[order.unit.place[:3]].result
        fallen = [p for p in sorted(self.units) if self.is_dislodged(p)]
        after = {p: u for p, u in self.units.items() if p not in fallen and not self.goes(p)}
        for p, move in self.moves.items():
            if self.value[p]:
                (place,) = move.to
                assert place[:3] not in after, "no two units end in one province"
                after[place[:3]] = self.units[p]._replace(place=place)
        dislodged = [self.dislodgement(p, after) for p in fallen]
        self.units.clear()
        self.units.update(after)
        return dislodged

    def dislodgement(self, p: str, after: Mapping[str, Unit]) -> dict[str, Any]:
        unit = self.units[p]
        by = next(m for m in self.movers(p) if self.value[m])
        closed = {*after, *(t for t in self.board.provinces if self.is_contested(t))}
        if not (self.rules["retreat_to_convoyed_attacker"] and by in self.sailing):
            closed.add(by)
        retreats = [place for place in sorted(self.board.reach(Kind(unit.kind), unit.place)) if place[:3] not in closed]
        if not self.rules["disorder_retreats"] and unit.power not in {o.power for o in self.orders}:
            retreats = []
        return {"power": unit.power, "unit": str(unit), "from": by, "retreats": retreats}

    def is_contested(self, province: str) -> bool:
        """Whether a standoff left the province empty (DATC 6.H.5)."""
        return any(not self.value[m] and self.prevents(m) for m in self.movers(province))

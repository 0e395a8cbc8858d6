"""The equations of one movement phase: what each move, support and convoy depends on (DATC chapter 5).

Every question has three answers: yes, no, and not known yet. Asking them again and again settles all but circular
dependencies (circular movement, convoy paradoxes), which `Circles` settles. Units are known by their numbers in a
`Battlefield`.
"""

from pipeline.board import Kind, Power
from pipeline.judge.legality import Battlefield
from pipeline.judge.rulebook import AttackFrom, Paradox, Routes

BattleAnswer = bool | None
# the paradox rules by which a convoyed army does not cut certain supports
SHIELDS = (Paradox.RULE_1971, Paradox.RULE_1982, Paradox.RULE_2000, Paradox.VERHEIJDEN)


class Battle:
    """The orders that stand against each other, and what is known of them."""

    __slots__ = (
        "arrives",
        "at",
        "attackers",
        "backing",
        "convoying",
        "field",
        "given",
        "goal",
        "halted",
        "into",
        "origin_is_sea",
        "paradox_rule",
        "powers",
        "provinces",
        "routes",
        "rules",
        "shield",
        "spares_own",
        "struck",
        "won",
    )

    def __init__(self, field: Battlefield) -> None:
        count = len(field.units)
        self.field = field
        self.rules = field.rules
        self.powers = field.powers
        self.at = field.at
        self.provinces = [unit.province for unit in field.units]
        self.goal: list[str | None] = [None] * count  # the province a unit moves to
        self.attackers: dict[str, list[int]] = {}  # province -> units that move there
        self.into: list[str | None] = [None] * count  # the province a unit supports into
        self.backing: list[list[int]] = [[] for _ in range(count)]  # supporters of a unit's move, or of its staying
        self.routes: dict[int, list[tuple[int, ...]]] = {}  # army that goes by sea -> routes, each a row of fleets
        self.convoying: set[str] = set()  # seas with a fleet that was ordered to convoy, and matched
        self.won: list[BattleAnswer] = [None] * count  # moves
        self.given: list[BattleAnswer] = [None] * count  # supports
        self.arrives: list[BattleAnswer] = [True] * count  # whether a move gets as far as its target
        self.struck: dict[int, tuple[int, ...]] = {}  # fleets that a paradox rule stops convoying -> the armies in it
        self.paradox_rule = self.rules.paradox
        self.halted: dict[int, tuple[int, ...]] = {}  # moves that a paradox rule makes fail -> the armies in it
        self.shield = self.rules.paradox in SHIELDS
        self.spares_own = not self.rules.convoy_against_own
        self.origin_is_sea = self.rules.attack_from is AttackFrom.LAST_FLEET

    def settle(self, moves: list[int], supports: list[int], convoyed: list[int]) -> bool:
        """Ask until nothing changes any more; say whether everything is known."""
        known = -1
        while known:
            known = 0
            for open_questions, ask, answers in (
                (convoyed, self.ask_arrival, self.arrives),
                (supports, self.ask_support, self.given),
                (moves, self.ask_move, self.won),
            ):
                left = []
                for number in open_questions:
                    answer = ask(number)
                    if answer is None:
                        left.append(number)
                    else:
                        answers[number] = answer
                        known += 1
                if len(left) < len(open_questions):
                    open_questions[:] = left
        return not (moves or supports or convoyed)

    def ask_arrival(self, army: int) -> BattleAnswer:
        """A convoyed army arrives if a route is left whose fleets are not dislodged (DATC 4.A.1)."""
        answers = [self.ask_route(route) for route in self.routes[army]]
        if self.rules.routes is Routes.ANY_BROKEN:
            return _all_of(answers)
        if True in answers:
            return True
        return None if None in answers else False

    def ask_route(self, route: tuple[int, ...]) -> BattleAnswer:
        """A route stands while each of its fleets does."""
        return _all_of([False if fleet in self.struck else self.ask_stays(fleet) for fleet in route])

    def ask_stays(self, number: int) -> BattleAnswer:
        """A unit that does not move stays unless an attack on it wins."""
        answer: BattleAnswer = True
        for attacker in self.attackers.get(self.provinces[number], ()):
            won = self.won[attacker]
            if won:
                return False
            if won is None:
                answer = None
        return answer

    def ask_support(self, supporter: int) -> BattleAnswer:
        """A support is cut by any attack but one of its own power or from the province it goes into.

        These are DATC 6.D.15 and 6.D.20. From the province it goes into, only dislodging the supporter cuts it
        (DATC 6.D.17).
        """
        power, into = self.powers[supporter], self.into[supporter]
        answer: BattleAnswer = True
        for attacker in self.attackers.get(self.provinces[supporter], ()):
            if self.powers[attacker] is power:
                continue
            shielded: BattleAnswer = False
            if attacker in self.routes:
                if self.shield:
                    shielded = self.ask_shield(supporter, attacker)
                elsewhere = self.ask_elsewhere(attacker, into)
            else:
                elsewhere = self.provinces[attacker] != into
            cuts = self.won[attacker] if elsewhere is False else self.arrives[attacker]
            if elsewhere is None and cuts and not self.won[attacker]:
                cuts = None
            if cuts and shielded is False:
                return False
            if cuts is not False and not shielded:
                answer = None
        return answer

    def cutters(self, supporter: int) -> list[int]:
        """List the attacks from elsewhere that cut a support, once all is settled."""
        power, into = self.powers[supporter], self.into[supporter]
        return [
            attacker
            for attacker in self.attackers.get(self.provinces[supporter], ())
            if self.powers[attacker] is not power
            and self.arrives[attacker]
            and self.ask_elsewhere(attacker, into)
            and not (self.shield and attacker in self.routes and self.ask_shield(supporter, attacker))
        ]

    def ask_elsewhere(self, army: int, province: str | None) -> BattleAnswer:
        """Whether an army attacks from another province than this one.

        A convoyed army attacks from where it started; by some rules, from the seas that it can land from, of the routes
        that are left (DATC 4.A.4).
        """
        if not self.origin_is_sea or army not in self.routes:
            return self.provinces[army] != province
        answers = [self.ask_route(route) for route in self.routes[army] if self.provinces[route[-1]] != province]
        return True if True in answers else None if None in answers else False

    def ask_move(self, mover: int) -> BattleAnswer:
        """A move wins if it is stronger than what holds its target and than every rival (DATC 5.B)."""
        if mover in self.halted or self.arrives[mover] is False:
            return False
        answer = self.ask_attack(mover)
        return None if answer and self.arrives[mover] is None else answer

    def ask_attack(self, mover: int) -> BattleAnswer:
        """Ask whether a move wins, if it arrives."""
        target = self.goal[mover]
        holder = self.at.get(target) if target else None
        if holder is None:
            return self.prevails(mover, None, (0, 0))
        if self.goal[holder] is None:
            return self.prevails(mover, holder, self.strength(holder))
        if self.head_to_head(mover, holder):
            return self.prevails(mover, holder, self.strength(holder))
        leaves = self.won[holder]
        if leaves:
            return self.prevails(mover, None, (0, 0))
        stays = self.prevails(mover, holder, (1, 1))
        if leaves is False or stays:
            return stays
        return False if self.prevails(mover, None, (0, 0)) is False else None

    def head_to_head(self, mover: int, other: int) -> bool:
        """Two units that cross one border in opposite directions; a convoyed army crosses none (DATC 6.G.1)."""
        return (
            self.goal[other] == self.provinces[mover]
            and self.goal[mover] == self.provinces[other]
            and mover not in self.routes
            and other not in self.routes
        )

    def prevails(self, mover: int, foe: int | None, resistance: tuple[int, int]) -> BattleAnswer:
        """Compare a move with the unit that stays in its way, if any, and with its rivals.

        Two equally strong attackers bounce each other, and the unit that both attack stays: a beleaguered garrison
        (DATC 6.E.4). No power dislodges its own unit, nor helps to (DATC 6.D.10, 6.D.12).
        """
        allowed: BattleAnswer = True
        if foe is None:
            least, most = self.strength(mover)
        elif self.powers[foe] is self.powers[mover]:
            return False
        else:
            least, most = self.strength(mover, self.powers[foe])
            if self.spares_own and mover in self.routes:
                allowed = self.ask_foreign_ride(mover, self.powers[foe])
        low, high = resistance
        if most <= low or allowed is False:
            return False
        answer: BattleAnswer = True if least > high and allowed else None
        rivals = self.attackers[self.goal[mover] or ""]
        if len(rivals) > 1:
            for rival in rivals:
                if rival != mover:
                    low, high = self.prevention(rival)
                    if most <= low:
                        return False
                    if least <= high:
                        answer = None
        return answer

    def ask_foreign_ride(self, army: int, power: Power) -> BattleAnswer:
        """By some rules no fleet helps by a convoy to dislodge a unit of its own power (NZ99 14; not DATC 6.D.16)."""
        foreign = [route for route in self.routes[army] if all(self.powers[fleet] is not power for fleet in route)]
        answers = [self.ask_route(route) for route in foreign]
        if True in answers:
            return True
        return None if None in answers else False

    def strength(self, number: int, without: Power | None = None) -> tuple[int, int]:
        """One, and one more for each support given: the least and the most; some powers' supports may not count."""
        least = most = 1
        for supporter in self.backing[number]:
            if self.powers[supporter] is not without:
                given = self.given[supporter]
                if given:
                    least += 1
                    most += 1
                elif given is None:
                    most += 1
        return least, most

    def prevention(self, rival: int) -> tuple[int, int]:
        """How strongly a move keeps others out: not at all if it never arrives, or lost head-to-head (DATC 5.B.6)."""
        arrives = self.arrives[rival]
        if arrives is False:
            return 0, 0
        least, most = self.strength(rival)
        beaten = self.ask_beaten(rival)
        if beaten:
            return 0, 0
        return (0 if arrives is None or beaten is None else least), most

    def ask_beaten(self, mover: int) -> BattleAnswer:
        """A unit dislodged from its target bounces nobody there; by most rules, only if head-to-head (DATC 4.A.7)."""
        target = self.goal[mover]
        holder = self.at.get(target) if target else None
        if holder is None or self.goal[holder] != self.provinces[mover]:
            return False
        if self.rules.dislodged_still_bounces and not self.head_to_head(mover, holder):
            return False
        won = self.won[holder]
        if won and not self.head_to_head(mover, holder):  # it may also have left before the attack came
            moved = self.won[mover]
            return None if moved is None else not moved
        return won

    def ask_shield(self, supporter: int, army: int) -> BattleAnswer:
        """Some paradox rules say that a convoyed army does not cut certain supports (DATC 4.A.2 a, b, c, e)."""
        sea = self.into[supporter] or ""
        routes = [{self.provinces[fleet] for fleet in route} for route in self.routes[army]]
        supported = [mover for mover in self.attackers.get(sea, ()) if supporter in self.backing[mover]]
        match self.rules.paradox:
            case Paradox.RULE_1971:
                fleets = self.is_fleet(supporter) and any(self.is_fleet(mover) for mover in supported)
                return fleets and any(sea in route for route in routes)
            case Paradox.RULE_1982:
                return self.is_fleet(supporter) and sea in self.convoying
            case Paradox.RULE_2000:
                return bool(supported) and self.ask_need(army, sea)
            case Paradox.VERHEIJDEN:
                return any(sea in route for route in routes)
            case _:
                return False

    def ask_need(self, army: int, sea: str) -> BattleAnswer:
        """A fleet is necessary for a convoy if no other route is left without it (the rules of 2000; DATC 4.A.1)."""
        with_it = [sea in [self.provinces[fleet] for fleet in route] for route in self.routes[army]]
        if not any(with_it) or self.rules.routes is Routes.ANY_BROKEN:
            return any(with_it)
        others = [self.ask_route(route) for route, has_it in zip(self.routes[army], with_it, strict=True) if not has_it]
        if True in others:
            return False
        return None if None in others else True

    def is_fleet(self, number: int) -> bool:
        return self.field.units[number].kind is Kind.FLEET


def _all_of(answers: list[BattleAnswer]) -> BattleAnswer:
    """Yes if all are yes, no if one is no."""
    if False in answers:
        return False
    return None if None in answers else True

"""The equations of one movement phase: what each move, support and convoy depends on (DATC chapter 5).

Every question has three answers: yes, no, and not known yet. Asking them again and again settles all but circular
dependencies (circular movement, convoy paradoxes), which `Circles` settles. Units are known by their numbers in a
`Battlefield`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Kind, Power, province_of
from pipeline.judge.legality import NOT_NOW, Battlefield, Refusal, meant_order, refusal
from pipeline.judge.outcome import Illegal, Invalid
from pipeline.judge.rulebook import AttackFrom, Impossible, Paradox, Routes, Several
from pipeline.orders import Hold, Move, Order, Waive, write
from pipeline.words.speech import wording

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


# What each unit was told to do, once the illegal and the superfluous orders are set aside (DATC 4.D.3, 4.E.1).


class HandedIn(Struct, eq=False):
    """One order that a power wrote."""

    power: Power
    order: Order
    number: int | None  # the unit's number, if it exists and belongs to the writer
    refusal: Refusal | None


class Intents(Struct, eq=False):
    """All that was written, and the one order of each unit that counts."""

    written: list[HandedIn]
    orders: list[Order]  # by number; a hold where nothing counts
    refused: dict[int, Order]  # units whose order counts although it is impossible, and that order
    idle: set[int]  # units without any order
    silent: set[Power]  # powers that ordered nothing at all


def _routes_named(orders: Mapping[Power, Sequence[Order]]) -> frozenset[tuple[str, str, str]]:
    """Every sea of a route that an army's order names, with where the army stands and where it goes."""
    return frozenset(
        (sea, order.unit.place, province_of(order.to))
        for given in orders.values()
        for order in given
        if isinstance(order, Move)
        for sea in order.route
    )


def intents_of(field: Battlefield, orders: Mapping[Power, Sequence[Order]]) -> Intents:
    """Sort the orders by unit."""
    written: list[HandedIn] = []
    chosen: list[HandedIn | None] = [None] * len(field.units)
    again: dict[int, list[HandedIn]] = {}
    illegal_counts = field.rules.impossible_orders is not Impossible.IGNORED
    field = replace(field, named=_routes_named(orders))
    for power, given in orders.items():
        for order in given:
            why_not = refusal(field, power, order)
            number = None if why_not is NOT_NOW or isinstance(order, Waive) else field.at.get(order.unit.province)
            if number is not None and field.powers[number] is not power:
                number = None
            entered = HandedIn(power, order, number, why_not)
            written.append(entered)
            if number is None or isinstance(why_not, Invalid) or (why_not is not None and not illegal_counts):
                continue
            first = chosen[number]
            if first is None:
                chosen[number] = entered
            else:
                again.setdefault(number, [first]).append(entered)
    for number, several in again.items():
        meant = [meant_order(field, number, each.order) for each in several]
        if any(order != meant[0] for order in meant):
            chosen[number] = _settle_several(several, meant, field.rules.several_orders)
    return _gather_intents(field, written, chosen)


def _settle_several(several: list[HandedIn], meant: list[Order], rule: Several) -> HandedIn | None:
    """Of several orders for one unit the first counts, or the last, or none (DATC 4.D.3)."""
    counts = rule.pick(several)
    for each, order in zip(several, meant, strict=True):
        if counts is None:
            each.refusal = each.refusal or Illegal(wording("the unit has several orders: it holds"), "DATC 4.D.3")
        elif order != meant[several.index(counts)]:
            each.refusal = each.refusal or Illegal(
                wording("the unit has another order, {order}", order=write(counts.order)), "DATC 4.D.3"
            )
    return counts


def _gather_intents(field: Battlefield, written: list[HandedIn], chosen: list[HandedIn | None]) -> Intents:
    """Give each unit the order that counts."""
    orders: list[Order] = []
    refused: dict[int, Order] = {}
    for number, counts in enumerate(chosen):
        if counts is None or counts.refusal is not None:
            orders.append(Hold(field.units[number]))
            if counts is not None:
                refused[number] = counts.order
        else:
            orders.append(counts.order)
    ordered = {each.number for each in written}
    idle = {number for number in range(len(chosen)) if number not in ordered}
    return Intents(written, orders, refused, idle, set(field.powers) - {each.power for each in written})


# Circles: where questions depend on one another all the way round (DATC 5.D).
#
# Units that move round in a circle all move. Where a convoy decides over itself there is a paradox, and the paradox
# rule decides. What depends on the circle only from outside waits until it is settled: the rule touches only the core.

MOVE, SUPPORT, ARRIVAL = "move", "support", "arrival"
BattleQuestion = tuple[str, int]  # what is asked, of which unit
Assignment = dict[BattleQuestion, bool]


class Circles(Struct, eq=False):
    """The questions of one battle that asking did not settle."""

    battle: Battle
    moves: list[int]
    supports: list[int]
    convoyed: list[int]

    def settle(self) -> None:
        """Settle one core after the other, and each time ask again what depended on it."""
        while not self.battle.settle(self.moves, self.supports, self.convoyed):
            core = self.core()
            solutions = self.core_solutions(core)
            if any(question[0] == ARRIVAL for question in core) and not _same_arrivals(solutions):
                self.break_paradox(core)
            elif solutions:
                self.take(max(solutions, key=lambda s: sum(s[q] for q in s if q[0] == MOVE)))
            else:
                self.take(dict.fromkeys(core, False))

    def open_questions(self) -> list[BattleQuestion]:
        """List all that is not known."""
        return [
            *((ARRIVAL, n) for n in self.convoyed),
            *((SUPPORT, n) for n in self.supports),
            *((MOVE, n) for n in self.moves),
        ]

    def core(self) -> list[BattleQuestion]:
        """Find the smallest set of open questions that depends on nothing open outside it."""
        questions = set(self.open_questions())
        needs = {question: self.needs(question, questions) for question in questions}
        closures = sorted((_closure(question, needs) for question in sorted(needs)), key=len)
        return sorted(closures[0])

    def needs(self, question: BattleQuestion, questions: set[BattleQuestion]) -> list[BattleQuestion]:
        """List the open questions whose answers can change the answer to one."""
        what, number = question
        asked = {ARRIVAL: self.arrival_needs, SUPPORT: self.support_needs, MOVE: self.move_needs}[what](number)
        wanted = [other for other in dict.fromkeys(asked) if other in questions and other != question]
        if len(wanted) > FEW:
            return wanted
        replies: dict[tuple[bool, ...], BattleAnswer] = {}
        for supposed in product((False, True), repeat=len(wanted)):
            for other, answer in zip(wanted, supposed, strict=True):
                self.answers(other)[other[1]] = answer
            replies[supposed] = self.ask(question)
        for other in wanted:
            self.answers(other)[other[1]] = None
        return [other for place, other in enumerate(wanted) if _matters(place, replies)]

    def arrival_needs(self, army: int) -> Iterator[BattleQuestion]:
        """An arrival depends on the attacks on its fleets."""
        battle = self.battle
        for fleet in {fleet for route in battle.routes[army] for fleet in route}:
            yield from ((MOVE, n) for n in battle.attackers.get(battle.provinces[fleet], ()))

    def support_needs(self, supporter: int) -> Iterator[BattleQuestion]:
        """A support depends on the attacks on its unit: on their arrival, or head-on on their success."""
        battle = self.battle
        for attacker in battle.attackers.get(battle.provinces[supporter], ()):
            yield (ARRIVAL, attacker)
            yield (MOVE, attacker)
            if battle.shield and attacker in battle.routes:
                yield from self.arrival_needs(attacker)

    def move_needs(self, mover: int) -> Iterator[BattleQuestion]:
        """A move depends on its supports, on what stands in its way, and on its rivals."""
        battle = self.battle
        target = battle.goal[mover] or ""
        yield (ARRIVAL, mover)
        if battle.spares_own and mover in battle.routes:
            yield from self.arrival_needs(mover)
        yield from ((SUPPORT, n) for n in battle.backing[mover])
        holder = battle.at.get(target)
        if holder is not None:
            yield (MOVE, holder)
            yield from ((SUPPORT, n) for n in battle.backing[holder])
        for rival in battle.attackers[target]:
            yield (ARRIVAL, rival)
            yield from ((SUPPORT, n) for n in battle.backing[rival])
            yield (MOVE, rival)

    def answer(self, question: BattleQuestion) -> BattleAnswer:
        """Look up what is known."""
        return self.answers(question)[question[1]]

    def answers(self, question: BattleQuestion) -> list[BattleAnswer]:
        """Find the list that a question's answer is kept in."""
        battle = self.battle
        return {ARRIVAL: battle.arrives, SUPPORT: battle.given, MOVE: battle.won}[question[0]]

    def ask(self, question: BattleQuestion) -> BattleAnswer:
        battle = self.battle
        asks: dict[str, Callable[[int], BattleAnswer]] = {
            ARRIVAL: battle.ask_arrival,
            SUPPORT: battle.ask_support,
            MOVE: battle.ask_move,
        }
        return asks[question[0]](question[1])

    def core_solutions(self, core: list[BattleQuestion]) -> list[Assignment]:
        """Find every consistent set of answers of a core; open questions outside make no difference."""
        outside = [question for question in self.open_questions() if question not in core]
        for question in outside:
            self.answers(question)[question[1]] = False
        solutions = list(self.solutions(core))
        for question in outside:
            self.answers(question)[question[1]] = None
        return solutions

    def solutions(self, core: list[BattleQuestion]) -> Iterator[Assignment]:
        """Find every set of answers that agrees with itself: suppose one answer, see what follows, and so on."""
        followed: list[BattleQuestion] = []
        try:
            if self.follow(core, followed):
                question = next((q for q in core if self.answer(q) is None), None)
                if question is None:
                    if all(self.ask(q) == self.answer(q) for q in core):
                        yield {q: bool(self.answer(q)) for q in core}
                    return
                for supposed in (True, False):
                    self.answers(question)[question[1]] = supposed
                    yield from self.solutions(core)
                    self.answers(question)[question[1]] = None
        finally:
            for question in followed:
                self.answers(question)[question[1]] = None

    def follow(self, core: list[BattleQuestion], followed: list[BattleQuestion]) -> bool:
        """Answer what follows from what is supposed; say whether nothing contradicts it."""
        changed = True
        while changed:
            changed = False
            for question in core:
                known, answer = self.answer(question), self.ask(question)
                if known is None and answer is not None:
                    self.answers(question)[question[1]] = answer
                    followed.append(question)
                    changed = True
                elif known is not None and answer is not None and known != answer:
                    return False
        return True

    def take(self, assignment: Assignment) -> None:
        """Write down the answers of a core."""
        for question, answer in assignment.items():
            self.answers(question)[question[1]] = answer
        self.moves[:] = [n for n in self.moves if (MOVE, n) not in assignment]
        self.supports[:] = [n for n in self.supports if (SUPPORT, n) not in assignment]
        self.convoyed[:] = [n for n in self.convoyed if (ARRIVAL, n) not in assignment]

    def break_paradox(self, core: list[BattleQuestion]) -> None:
        """The fleets attacked within the paradox do not convoy; some rules also stop the attacks (DATC 4.A.2 d, f)."""
        battle = self.battle
        rule = battle.rules.paradox if battle.rules.paradox in STRIKING else battle.rules.paradox_backup
        attacked = {battle.goal[n] for what, n in core if what == MOVE}
        armies = tuple(n for what, n in core if what == ARRIVAL)
        fleets = {fleet for army in armies for route in battle.routes[army] for fleet in route}
        struck = [fleet for fleet in fleets if battle.provinces[fleet] in attacked]
        battle.struck.update(dict.fromkeys(struck, armies))
        battle.paradox_rule = rule
        seas = {battle.provinces[fleet] for fleet in struck}
        for what, mover in core:
            against_fleet = what == MOVE and battle.goal[mover] in seas
            if (rule is Paradox.ALL_HOLD and what == MOVE) or (rule is Paradox.PANDIN and against_fleet):
                battle.halted[mover] = armies


FEW = 7  # questions whose answers are all tried out, to see which of them matter; more are all taken to matter
STRIKING = (Paradox.ALL_HOLD, Paradox.SZYKMAN, Paradox.PANDIN)


def _closure(question: BattleQuestion, needs: dict[BattleQuestion, list[BattleQuestion]]) -> set[BattleQuestion]:
    """Gather all that a question depends on, itself included."""
    closure = {question}
    waiting = [question]
    while waiting:
        for other in needs[waiting.pop()]:
            if other not in closure:
                closure.add(other)
                waiting.append(other)
    return closure


def _matters(place: int, replies: dict[tuple[bool, ...], BattleAnswer]) -> bool:
    """Say whether one of several suppositions ever changes the reply."""
    return any(
        reply != replies[(*supposed[:place], True, *supposed[place + 1 :])]
        for supposed, reply in replies.items()
        if not supposed[place]
    )


def _same_arrivals(solutions: list[Assignment]) -> bool:
    """Say whether there are solutions, and all agree on which armies arrive."""
    arrivals = [{q: answer for q, answer in s.items() if q[0] == ARRIVAL} for s in solutions]
    return bool(arrivals) and all(arrival == arrivals[0] for arrival in arrivals)

"""Circular dependencies of a battle: units that move round in a circle, and convoy paradoxes (DATC 5.D).

Units that move round in a circle all move. Where a convoy decides over itself there is a paradox, and the paradox rule
decides. What depends on the circle only from outside waits until it is settled: the rule touches only the core.
"""

from collections.abc import Callable, Iterator
from itertools import product

from msgspec import Struct

from pipeline.judge.battle import Battle, BattleAnswer
from pipeline.judge.rulebook import Paradox

FEW = 7  # questions whose answers are all tried out, to see which of them matter; more are all taken to matter
STRIKING = (Paradox.ALL_HOLD, Paradox.SZYKMAN, Paradox.PANDIN)  # rules by which fleets do not convoy

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

"""Ranking by formulas: the total first, then each tie-break among those whom the ones before left level.

Every number that a tie-break compares has a column of keys, and every key a column with the place it leads to; so one
can read from left to right how a tie was broken. The keys shown beside the formulas are the engine's own.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import assert_never

from msgspec import Struct

from pipeline.board import Power
from pipeline.scoring import tiebreaks
from pipeline.scoring.ranking import DECISION, RankDecision, name_tiebreak, rank_contenders
from pipeline.scoring.system import Outcome
from pipeline.words.speech import Speech, to_say
from pipeline.workbook import page as xl

# How the numbers that a tie-break compares are said in words, by formula.

UNPLAYED_BELOW = -99999  # no score and no place is as low; a game that was not played is


class Said(Enum):
    """How one key is shown; the value is the code above its column."""

    NUMBER = 0
    OUTCOME = 1  # 4 is a win
    PLACE = 2  # negative; the next key says how many share it, negative
    SHARERS = 3  # negative; the key before says the place
    DRAWN = 4  # negative; the place in the lot
    POWER = 5  # 0 is the first of an order of powers, -1 the second


class Keys(Struct, frozen=True):
    """Formulas of a key and of what it takes to say it."""

    own: str
    code: str  # how the key is shown
    before: str  # the key on its left
    after: str  # the key on its right
    other: str  # the neighbour's


def _words(codes: Sequence[Said], keys: Keys, powers: Sequence[Power], page: xl.Page) -> str:
    used = set(codes)
    formula = _number(keys)
    for said in Said:
        if said in used and said is not Said.NUMBER:
            formula = f"IF({keys.code}={said.value},{_pick_formula(said, keys, powers, page)},{formula})"
    return f"IF({keys.own}<{UNPLAYED_BELOW},{page.word('not played')},{formula})"


def _number(keys: Keys) -> str:
    """Say a number, with as many decimals as it takes to tell it from the neighbour's."""
    alike = f"ROUND({keys.own},{tiebreaks.COARSE})=ROUND({keys.other},{tiebreaks.COARSE})"
    return f'ROUND({keys.own},IF({alike},{tiebreaks.FINE},{tiebreaks.COARSE}))&""'


def _pick_formula(said: Said, keys: Keys, powers: Sequence[Power], page: xl.Page) -> str:
    match said:
        case Said.NUMBER:
            return _number(keys)
        case Said.OUTCOME:
            names = ",".join(page.word(outcome) for outcome in reversed(Outcome))
            return f"CHOOSE({keys.own}+1,{names})"
        case Said.PLACE:
            return _place(keys.own, keys.after, page.speech)
        case Said.SHARERS:
            return _place(keys.before, keys.own, page.speech)
        case Said.DRAWN:
            return xl.write_sentence(page.speech, tiebreaks.DRAWN, place=f"-{keys.own}")
        case Said.POWER:
            names = ",".join(xl.quote_text(page.speech.power(power).upper()) for power in powers)
            return f"CHOOSE(1-{keys.own},{names})"
        case _:
            assert_never(said)


def _place(key: str, sharers: str, speech: Speech) -> str:
    alone = xl.write_sentence(speech, tiebreaks.PLACE, place=f"-{key}")
    shared = xl.write_sentence(speech, tiebreaks.PLACE_SHARED, place=f"-{key}", count=f"-{sharers}")
    return f"IF({sharers}<-1,{shared},{alone})"


CODE: xl.Look = xl.QUIET.but(size=7, align="center", line="")  # how the key below is shown
PLACE: xl.Look = xl.WHOLE.but(size=9, colour="595959")
NOT_PLAYED = str(tiebreaks.UNPLAYED.numerator)


class StepFormula(Struct, frozen=True):
    """How one tie-break's keys are computed on a sheet."""

    tiebreak: tiebreaks.Tiebreak
    width: int  # how many numbers it compares, one after the other
    write: Callable[[int, int, xl.BookColumn], str]  # row, which number, the places so far -> formula
    applies: xl.BookColumn | None = (
        None  # 0 where the key does not apply; it separates nobody unless all tied have the same
    )
    says: tuple[Said, ...] = (Said.NUMBER,)  # how each number is shown
    powers: tuple[Power, ...] = ()  # their order, where a number stands for a power
    values: Callable[[Sequence[int]], Sequence[tiebreaks.Key]] | None = (
        None  # rows -> keys, where asking the tie-break is slow
    )
    begin: Callable[[xl.BookColumn, Mapping[int, int]], None] | None = (
        None  # sees the places so far before the first key
    )


class Ranked(Struct, frozen=True):
    place: xl.BookColumn  # 0 for who is not ranked
    decided_by: xl.BookColumn
    first_places: xl.BookColumn  # by the total alone
    places: Mapping[int, int]  # row -> the engine's place
    by_total: Mapping[int, int]  # row -> the engine's place by the total alone
    words: Mapping[int, str]  # row -> what decided, as the engine says it; empty: the total


class Ranking(Struct, dict=True):
    """A ranking while it is being made."""

    grid: xl.Grid
    rows: Sequence[int]
    names: xl.BookColumn
    contenders: Mapping[int, tiebreaks.Contender]  # by row; who is missing is not ranked
    among: tiebreaks.FieldOfPlayers
    steps: Sequence[StepFormula]
    keys: list[xl.BookColumn]
    places: list[xl.BookColumn]
    values: list[dict[int, int]]  # places after each step, by row

    @classmethod
    def of(
        cls,
        grid: xl.Grid,
        names: xl.BookColumn,
        contenders: Mapping[int, tiebreaks.Contender],
        among: tiebreaks.FieldOfPlayers,
        steps: Sequence[StepFormula],
    ) -> "Ranking":
        """Begin one for the rows of a list."""
        return cls(grid, grid.rows, names, contenders, among, steps, [], [], [])

    def fill(
        self, eligible: xl.BookColumn, total: xl.BookColumn, head: str, ahead: xl.BookColumn | None = None
    ) -> Ranked:
        """Add all columns: keys, places, the last of which is the result, and the words.

        Who has more in ``ahead`` is ahead, whatever the total.
        """
        width = sum(step.width for step in self.steps)
        self.places = [self.grid.next_column(width + n) for n in range(width + 1)]
        self.values = [self.by_total()]
        columns: list[tuple[str, list[xl.Content]]] = [(to_say("By total"), self.first_places(eligible, total, ahead))]
        for step in self.steps:
            columns += self.one_step(step)
        for words, contents in columns:
            self.grid.add(words, contents, PLACE, 7)
        places = self.places[-1]
        neighbour = self.grid.add(to_say("Beside"), [self.neighbour(row) for row in self.rows], PLACE, 7)
        deciding, decisions = self.add_step(neighbour), self.decisions()
        sentences = self.deciding_words(neighbour, deciding, decisions)
        decided = self.grid.add(head, sentences, xl.TEXT, 40)
        decided_words = {row: self.in_words(decision) for row, decision in decisions.items()}
        return Ranked(places, decided, self.places[0], self.values[-1], self.values[0], decided_words)

    def decisions(self) -> dict[int, RankDecision | None]:
        """What the engine says decided each place, by row."""
        rows = {contender.key: row for row, contender in self.contenders.items()}
        chain = tuple(step.tiebreak for step in self.steps)
        ranking = rank_contenders(list(self.contenders.values()), chain, self.among)
        return {rows[placed.contender.key]: placed.decision for placed in ranking}

    def by_total(self) -> dict[int, int]:
        """Places by the total alone."""
        totals = sorted(((one.ahead, one.total) for one in self.contenders.values()), reverse=True)
        first = {total: nth for nth, total in reversed(list(enumerate(totals, start=1)))}
        return {row: first[one.ahead, one.total] for row, one in self.contenders.items()}

    def first_places(
        self, eligible: xl.BookColumn, total: xl.BookColumn, ahead: xl.BookColumn | None
    ) -> list[xl.Content]:
        """The formulas of the places by total, 0 for who is not ranked."""

        def higher(row: int) -> str:
            more = f"({xl.key(total.here)}>{xl.key(total.cell(row))})"
            if ahead is None:
                return more
            return f"(({ahead.here}>{ahead.cell(row)})+({ahead.here}={ahead.cell(row)})*{more}>0)"

        return [
            xl.LiveFormula(
                xl.unless_zero(
                    eligible.cell(row),
                    f"1+SUMPRODUCT(({eligible.here}=1)*{higher(row)})",
                ),
                self.values[0].get(row, 0),
            )
            for row in self.rows
        ]

    def one_step(self, step: StepFormula) -> list[tuple[str, list[xl.Content]]]:
        """Add one tie-break's keys; returns the columns of places that follow from them."""
        if step.begin:
            step.begin(self.places[len(self.values) - 1], self.values[-1])
        vectors, speech = self.engine_keys(step), self.grid.page.speech
        made: list[tuple[str, list[xl.Content]]] = []
        for element in range(step.width):
            before = self.places[len(self.values) - 1]
            contents: list[xl.Content] = [
                xl.LiveFormula(
                    self.key_formula(step, row, element, before), vectors[row][element] if row in vectors else 0
                )
                for row in self.rows
            ]
            name = name_tiebreak(step.tiebreak.name, speech)
            self.keys.append(self.grid.add(name, contents, xl.TIE_KEY, 11))
            made.append(
                (
                    speech.says("then {tiebreak}", tiebreak=name),
                    self.refine_places(before, self.keys[-1], vectors, element),
                )
            )
        return made

    def engine_keys(self, step: StepFormula) -> dict[int, tuple[Fraction, ...]]:
        """What the tie-break itself says of each group that is level so far."""
        groups: dict[int, list[int]] = {}
        for row, nth in self.values[-1].items():
            groups.setdefault(nth, []).append(row)
        by_person: dict[int, tuple[Fraction, ...]] = {}
        for rows in groups.values():
            tied = [self.contenders[row] for row in rows]
            keys = step.values(rows) if step.values else step.tiebreak.keys(tied, self.among)
            for row, one in zip(rows, keys, strict=True):
                by_person[row] = (*one, *[Fraction()] * (step.width - len(one)))
        return by_person

    def key_formula(self, step: StepFormula, row: int, element: int, before: xl.BookColumn) -> str:
        """The key where it applies to all of the tied, 0 elsewhere and for who is not ranked."""
        own = before.cell(row)
        written = xl.key(step.write(row, element, before))
        if step.applies:
            mine = step.applies.cell(row)
            others = f"SUMPRODUCT(({before.here}={own})*({step.applies.here}<>{mine}))"
            written = f"IF(({mine}=0)+{others}>0,0,{written})"
        return xl.unless_zero(own, written)

    def refine_places(
        self, before: xl.BookColumn, keys: xl.BookColumn, vectors: Mapping[int, tuple[Fraction, ...]], element: int
    ) -> list[xl.Content]:
        """Among those on one place so far, every higher key pushes one place down."""
        last = self.values[-1]
        levels: dict[int, list[Fraction]] = {}
        for row, nth in last.items():
            levels.setdefault(nth, []).append(vectors[row][element])
        after = {row: p + sum(other > vectors[row][element] for other in levels[p]) for row, p in last.items()}
        self.values.append(after)
        contents: list[xl.Content] = []
        for row in self.rows:
            so_far, own = before.cell(row), keys.cell(row)
            higher = f"SUMPRODUCT(({before.here}={so_far})*({keys.here}>{own}))"
            contents.append(xl.LiveFormula(xl.unless_zero(so_far, f"{so_far}+{higher}"), after.get(row, 0)))
        return contents

    def neighbour(self, row: int) -> xl.LiveFormula:
        """Who stood beside the player with the same total and was told apart: the list row, 0 for nobody."""
        by_total, last = self.places[0], self.places[-1]
        first, own = by_total.cell(row), last.cell(row)
        level = f"({by_total.here}={first})"
        ahead = f"SUMPRODUCT(MAX({level}*({last.here}<{own})*{last.here}))"
        count = f"COUNTIF({last.here},{own})"
        behind = f"IF(COUNTIF({by_total.here},{first})>{count},MATCH({own}+{count},{last.here},0),0)"
        formula = f"IF({own}>{first},MATCH({ahead},{last.here},0),{behind})"
        return xl.LiveFormula(xl.unless_zero(own, formula), self.neighbours.get(row, 0))

    @cached_property
    def neighbours(self) -> dict[int, int]:
        """The same, by the engine's places; who has no neighbour is missing."""
        by_total, last = self.values[0], self.values[-1]
        levels: dict[int, dict[int, int]] = {}  # place by the total -> each place in the end, and its first row
        for row in sorted(last):
            levels.setdefault(by_total[row], {}).setdefault(last[row], row)
        places = {level: sorted(firsts) for level, firsts in levels.items() if len(firsts) > 1}
        rows: dict[int, int] = {}
        for row, level in by_total.items():
            if level in places:
                index = bisect_left(places[level], last[row])
                beside = places[level][index - 1 if index else 1]
                rows[row] = levels[level][beside] - self.grid.first + 1
        return rows

    def add_step(self, neighbour: xl.BookColumn) -> xl.BookColumn | None:
        """Which key told the player and the neighbour apart; without tie-breaks there is none."""
        if not self.keys:
            return None
        contents: list[xl.Content] = []
        for row in self.rows:
            beside = neighbour.cell(row)
            own = xl.across(row, self.places[1].number, self.places[-1].number)
            theirs = f"INDEX({self.places[1].here},{beside}):INDEX({self.places[-1].here},{beside})"
            formula = f"1+SUMPRODUCT(({own}=({theirs}))*1)"
            contents.append(xl.LiveFormula(xl.unless_zero(beside, formula), self.step_value(row)))
        head = self.grid.head_row - 1
        for column, said in zip(self.keys, self.codes, strict=True):
            self.grid.page.put(head, column.number, said.value, CODE)
        return self.grid.add(to_say("Key"), contents, PLACE, 6)

    def step_value(self, row: int) -> int:
        """The same, by the engine's places."""
        beside = self.neighbours.get(row)
        if not beside:
            return 0
        other = beside + self.grid.first - 1
        return 1 + sum(values[row] == values[other] for values in self.values[1:])

    def deciding_words(
        self, neighbour: xl.BookColumn, step: xl.BookColumn | None, decisions: Mapping[int, RankDecision | None]
    ) -> list[xl.Content]:
        """The deciding tie-break of every row in words, with both numbers; the long formula is made once."""
        if step is None:
            return [xl.LiveFormula('""', "") for _ in self.rows]
        first, last, head = self.keys[0].number, self.keys[-1].number, self.grid.head_row
        heads, codes = (f"{xl.fixed_cell(line, first)}:{xl.fixed_cell(line, last)}" for line in (head, head - 1))
        own, beside, which = "[own]", "[beside]", "[which]"  # in place of the cells of a row
        if first == last:
            own = f"{own}:{own}"
        mine, yours = (own, "1"), (_area(self.keys), beside)
        ours, theirs = self.say(mine, yours, which, codes), self.say(yours, mine, which, codes)
        who = f"INDEX({self.names.here},{beside})"
        name = _one_of(heads, "1", which)
        speech = self.grid.page.speech
        sentence = xl.write_sentence(speech, DECISION, tiebreak=name, own=ours, other=theirs, name=who)
        formula = f'IF({beside}=0,"",{sentence})'
        contents: list[xl.Content] = []
        for row in self.rows:
            cells = xl.at(row, first) if first == last else xl.across(row, first, last)
            of_row = formula.replace("[own]", cells).replace(beside, neighbour.cell(row)).replace(which, step.cell(row))
            decision = decisions.get(row)
            contents.append(xl.LiveFormula(of_row, self.in_words(decision)))
        return contents

    def in_words(self, decision: RankDecision | None) -> str:
        return decision.in_words(self.grid.page.speech) if decision else ""

    def say(self, own: tuple[str, str], other: tuple[str, str], which: str, codes: str) -> str:
        """Say one player's deciding key, beside another's. Each is given by cells and a row of them."""
        last, (cells, row) = len(self.keys), own
        key, code = _one_of(cells, row, which), _one_of(codes, "1", which)
        beside = _one_of(*other, which)
        before, after = _one_of(cells, row, f"MAX({which}-1,1)"), _one_of(cells, row, f"MIN({which}+1,{last})")
        powers = next((step.powers for step in self.steps if step.powers), ())
        return _words(self.codes, Keys(key, code, before, after, beside), powers, self.grid.page)

    @property
    def codes(self) -> list[Said]:
        """How each key is shown."""
        return [said for step in self.steps for said in step.says]


def _area(columns: Sequence[xl.BookColumn]) -> str:
    """The cells of columns that stand side by side."""
    return f"{columns[0].here.partition(':')[0]}:{columns[-1].here.rpartition(':')[2]}"


def _one_of(cells: str, row: str, column: str) -> str:
    """Look up one of the cells; a single one is named, for Gnumeric's INDEX finds nothing in it.

    >>> _one_of("A4:C4", "1", "E9"), _one_of("A4:A4", "1", "E9")
    ('INDEX(A4:C4,1,E9)', 'A4')
    """
    first, _, last = cells.partition(":")
    return first if first == last else f"INDEX({cells},{row},{column})"

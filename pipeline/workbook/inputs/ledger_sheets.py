"""The Bonuses and Penalties sheets: one row for each thing a director notes, a few empty rows for the next ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pipeline.scoring.results.results import Bonus, EventResults, Penalty
from pipeline.scoring.totals.extras import WITHDRAWAL, charge, lowest_part
from pipeline.scoring.totals.rules import Loses, PenaltyRule, ScoringRules
from pipeline.workbook.inputs.players_sheet import PLAYER_NAMES, PlayerColumns, plain
from pipeline.workbook.xlsx.address import BookColumn, at
from pipeline.workbook.xlsx.formula import exact_match, literal
from pipeline.workbook.xlsx.grid import Grid
from pipeline.workbook.xlsx.page import Content, LiveFormula, Page
from pipeline.workbook.xlsx.styles import ENTRY, ENTRY_NUMBER, HEAD, HIDES_ZERO, SUBTITLE, TEXT, TITLE, WHOLE, points

BONUSES, PENALTIES = "Bonuses", "Penalties"
HEAD_ROW = 4
SPARE_ROWS = 12  # for what happens after the workbook is written
NUMBER = ">-1E+99"  # a criterion that every number meets and an empty cell does not
FREE = points(2).but(form="0.00;-0.00;")
NUMBER_OF = WHOLE.but(form=HIDES_ZERO)


@dataclass(frozen=True, slots=True)
class PenaltyColumns:
    """Where penalties stand."""

    player: BookColumn  # number
    kind: BookColumn
    charge: BookColumn  # points taken, positive
    round: BookColumn
    rules: tuple[PenaltyRule, ...]

    def loses_bonus(self, number: str, kind: str) -> str:
        """Count a player's penalties that take a bonus of a kind away; empty where none can."""
        taking = [rule for rule in self.rules if rule.loses is Loses.BONUSES and kind not in rule.keeps]
        return "+".join(self.count(number, rule) for rule in taking)

    def loses_all(self, number: str) -> str:
        """Count a player's penalties that take all positive points away; empty where none can."""
        return "+".join(self.count(number, rule) for rule in self.rules if rule.loses is Loses.EVERYTHING)

    def loses_kept(self, number: str, kind_cell: str) -> str:
        """The same as `loses_bonus`, for a kind that stands in a cell."""
        terms = []
        for rule in self.rules:
            if rule.loses is Loses.BONUSES:
                kept = ",".join(f'{kind_cell}="{kind}"' for kind in rule.keeps)
                unless = f"*(1-OR({kept}))" if kept else ""
                terms.append(f"{self.count(number, rule)}{unless}")
        return "+".join(terms)

    def count(self, number: str, rule: PenaltyRule) -> str:
        """Count a player's penalties of one kind."""
        return f'COUNTIFS({self.player.there},{number},{self.kind.there},"{rule.kind}")'


@dataclass(frozen=True, slots=True)
class BonusColumns:
    """Where bonuses stand."""

    player: BookColumn  # number
    kind: BookColumn
    points: BookColumn  # as stated, empty where the rules compute it
    counts: BookColumn  # what is added
    round: BookColumn
    worth: BookColumn  # before penalties take it away

    def stated(self, number: str, kind: str) -> str:
        """Count a player's bonuses of a kind that are stated in points."""
        of_player = f"{self.player.there},{number},{self.kind.there}"
        return f'COUNTIFS({of_player},"{kind}",{self.points.there},"{NUMBER}")'

    def noted(self, number: str, kind: str) -> str:
        """Count a player's bonuses of a kind, stated in points or not."""
        return f'COUNTIFS({self.player.there},{number},{self.kind.there},"{kind}")'


def penalties_sheet(
    page: Page, results: EventResults, rules: ScoringRules, players: PlayerColumns, numbers: Mapping[str, int]
) -> PenaltyColumns:
    """Make the sheet: the log of deductions, and beside it what the rules charge."""
    entries: list[Penalty | None] = [*results.penalties, *[None] * SPARE_ROWS]
    page.put(1, 1, "Penalties", TITLE)
    page.put(2, 1, "Points empty: what the rules charge for the kind. Add new ones in the yellow rows.", SUBTITLE)
    grid = Grid(page, HEAD_ROW, len(entries))
    name = grid.add("Player", [one.player if one else None for one in entries], ENTRY, 26)
    kind = grid.add("Kind", [one.kind if one else None for one in entries], ENTRY, 22)
    stated = grid.add("Points", [one.points if one else None for one in entries], ENTRY_NUMBER.but(form="General"), 8)
    times = grid.add("Times", [one.times if one else None for one in entries], ENTRY_NUMBER, 7)
    round_ = grid.add("Round", [one.round if one else None for one in entries], ENTRY_NUMBER, 7)
    grid.add("Reason", [one.reason if one else None for one in entries], ENTRY, 40)
    number = grid.add(
        "Player no",
        [number_of(name, row, players, one, numbers) for row, one in zip(grid.rows, entries, strict=True)],
        NUMBER_OF,
        8,
    )
    kinds = rule_table(page, rules, grid.column + 2)
    charged = []
    for row, one in zip(grid.rows, entries, strict=True):
        known = f"MATCH({kind.cell(row)},{kinds[0].here},0)"
        by_rule = f"IF(ISNUMBER({known}),INDEX({kinds[1].here},{known}),0)" if rules.penalties else "0"
        each = f"IF(ISNUMBER({stated.cell(row)}),{stated.cell(row)},{by_rule})"
        often = f'IF({times.cell(row)}="",1,{times.cell(row)})'
        value = -charge(one, rules.penalties).points if one else Fraction()
        charged.append(LiveFormula(f"IF({number.cell(row)}=0,0,{each}*{often})", value))
    charge_column = grid.add("Taken", charged, FREE, 9)
    limits(page, name)
    page.allow_list([plain(kind)], kinds[0].here, "Kind", "one of the rules' kinds")
    page.validations[-1].showErrorMessage = False  # the director may write a word of his own
    page.freeze, page.repeat, page.landscape = f"A{HEAD_ROW + 1}", f"{HEAD_ROW}:{HEAD_ROW}", True
    page.area = f"A1:{at(grid.last, kinds[0].number + 2)}"
    return PenaltyColumns(number, kind, charge_column, round_, rules.penalties)


def rule_table(page: Page, rules: ScoringRules, column: int) -> tuple[BookColumn, BookColumn]:
    """What the rules charge, kind by kind."""
    page.row(HEAD_ROW, column, ("Kind in the rules", "Points", "And loses"), HEAD)
    for row, rule in enumerate(rules.penalties, start=HEAD_ROW + 1):
        keeps = f", but not {', '.join(rule.keeps)}" if rule.keeps else ""
        page.put(row, column, rule.kind, TEXT)
        page.put(row, column + 1, rule.points, ENTRY_NUMBER.but(form="General"))
        page.put(row, column + 2, f"{rule.loses}{keeps}", TEXT)
    page.widths |= {column - 1: 3, column: 24, column + 1: 8, column + 2: 30}
    last = HEAD_ROW + max(len(rules.penalties), 1)
    return tuple(BookColumn(page.title, column + n, HEAD_ROW + 1, last) for n in (0, 1))  # type: ignore[return-value]


def bonuses_sheet(
    page: Page,
    results: EventResults,
    rules: ScoringRules,
    players: PlayerColumns,
    numbers: Mapping[str, int],
    lost: PenaltyColumns,
    rounds: Sequence[tuple[int, str, Sequence[Fraction]]],
) -> BonusColumns:
    """Make the sheet. ``rounds`` are the scores of each round: number, cells, and values."""
    entries: list[Bonus | None] = [*results.bonuses, *[None] * SPARE_ROWS]
    page.put(1, 1, "Bonuses", TITLE)
    page.put(
        2,
        1,
        "Points empty: what the rules give for the kind. Participation and the like are computed in Workings.",
        SUBTITLE,
    )
    grid = Grid(page, HEAD_ROW, len(entries))
    name = grid.add("Player", [one.player if one else None for one in entries], ENTRY, 26)
    kind = grid.add("Kind", [one.kind if one else None for one in entries], ENTRY, 20)
    stated = grid.add("Points", [one.points if one else None for one in entries], ENTRY_NUMBER.but(form="General"), 8)
    round_ = grid.add("Round", [one.round if one else None for one in entries], ENTRY_NUMBER, 7)
    grid.add("Reason", [one.reason if one else None for one in entries], ENTRY, 40)
    number = grid.add(
        "Player no",
        [number_of(name, row, players, one, numbers) for row, one in zip(grid.rows, entries, strict=True)],
        NUMBER_OF,
        8,
    )
    worths = withdrawal_table(page, rules, grid.column + 3, rounds)
    worth = Worth(results, rules, number, kind, stated, round_, worths, {n: scores for n, _, scores in rounds})
    contents = [worth.of(row, one) for row, one in zip(grid.rows, entries, strict=True)]
    given = grid.add("Worth", contents, FREE, 9)
    counted: list[Content] = []
    for row, one, content in zip(grid.rows, entries, contents, strict=True):
        losing = lost.loses_kept(number.cell(row), kind.cell(row))
        value = content.value if one and not is_lost(one, results, rules) else 0
        counted.append(LiveFormula(f"IF({losing}>0,0,{given.cell(row)})" if losing else given.cell(row), value))
    counts = grid.add("Counts", counted, FREE, 9)
    limits(page, name)
    page.freeze, page.repeat, page.landscape = f"A{HEAD_ROW + 1}", f"{HEAD_ROW}:{HEAD_ROW}", True
    page.area = f"A1:{at(grid.last, worths[1].number if worths else counts.number)}"
    return BonusColumns(number, kind, stated, counts, round_, given)


@dataclass(frozen=True, slots=True)
class Worth:
    """What a bonus is worth before penalties take it away."""

    results: EventResults
    rules: ScoringRules
    number: BookColumn
    kind: BookColumn
    stated: BookColumn
    round: BookColumn
    worths: tuple[BookColumn, BookColumn] | None  # rounds, and what a withdrawal from each is worth
    scores: Mapping[int, Sequence[Fraction]]

    def of(self, row: int, one: Bonus | None) -> LiveFormula:
        """One bonus."""
        number, kind, stated = self.number.cell(row), self.kind.cell(row), self.stated.cell(row)
        computed = "0"
        if self.worths:
            own = f'COUNTIFS({self.number.here},{number},{self.kind.here},"{WITHDRAWAL}",{self.stated.here},"{NUMBER}")'
            found = f"MATCH({self.round.cell(row)},{self.worths[0].here},0)"
            known = f"IF(ISNUMBER({found}),INDEX({self.worths[1].here},{found}),0)"
            computed = f'IF(AND({kind}="{WITHDRAWAL}",{own}=0),{known},0)'
        return LiveFormula(f"IF({number}=0,0,IF(ISNUMBER({stated}),{stated},{computed}))", self.value(one))

    def value(self, one: Bonus | None) -> Fraction:
        """The same, by the engine."""
        if one is None or one.points is not None:
            return one.points if one and one.points is not None else Fraction()
        rule = self.rules.bonuses.withdrawal
        others = [b for b in self.results.bonuses if b.player == one.player and b.kind == one.kind]
        if one.kind != WITHDRAWAL or not rule or any(other.points is not None for other in others):
            return Fraction()
        return lowest_part(self.scores.get(one.round or 0, ()), rule.part)


def withdrawal_table(
    page: Page, rules: ScoringRules, column: int, rounds: Sequence[tuple[int, str, Sequence[Fraction]]]
) -> tuple[BookColumn, BookColumn] | None:
    """What a withdrawal from each round is worth: the lowest score that a part of the round's scores do not pass."""
    rule = rules.bonuses.withdrawal
    if not rule:
        return None
    page.row(HEAD_ROW, column, ("Round", "Withdrawal"), HEAD)
    page.widths |= {column - 1: 3, column: 8, column + 1: 12}
    for row, (number, cells, scores) in enumerate(rounds, start=HEAD_ROW + 1):
        page.put(row, column, number, WHOLE)
        place = f"MAX(ROUNDUP(ROUND(COUNT({cells})*{literal(rule.part)},9),0),1)"
        worth = f"IF(COUNT({cells})=0,0,SMALL({cells},{place}))"
        page.put(row, column + 1, LiveFormula(worth, lowest_part(scores, rule.part)), FREE)
    last = HEAD_ROW + len(rounds)
    return BookColumn(page.title, column, HEAD_ROW + 1, last), BookColumn(page.title, column + 1, HEAD_ROW + 1, last)


def is_lost(bonus: Bonus, results: EventResults, rules: ScoringRules) -> bool:
    """Whether a penalty of the player takes this bonus away."""
    kinds = {penalty.kind for penalty in results.penalties if penalty.player == bonus.player}
    taking = [rule for rule in rules.penalties if rule.kind in kinds and rule.loses is Loses.BONUSES]
    return any(bonus.kind not in rule.keeps for rule in taking)


def number_of(
    name: BookColumn, row: int, players: PlayerColumns, one: Bonus | Penalty | None, numbers: Mapping[str, int]
) -> LiveFormula:
    """The number of the player named in a row, 0 for none."""
    found = exact_match(players.name, players.number, name.cell(row))
    return LiveFormula(f'IF({name.cell(row)}="",0,{found})', numbers.get(one.player, 0) if one else 0)


def limits(page: Page, name: BookColumn) -> None:
    """Let the director choose a name."""
    page.allow_list([plain(name)], PLAYER_NAMES, "Player", "a name of the Players sheet, or nothing")

"""The second part of Workings: bonuses and penalties beside the boards, and the total they make."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pipeline.scoring import tally
from pipeline.scoring.extras import FINAL_TABLE, FINAL_VICTORY, PARTICIPATION, PREREGISTRATION, charge
from pipeline.scoring.results import Bonus, EventResults, Penalty, sum_points
from pipeline.scoring.rules import ScoringRules
from pipeline.words.speech import to_say, wording
from pipeline.workbook import input_sheets
from pipeline.workbook import page as xl
from pipeline.workbook.accounts import Accounts, Person
from pipeline.workbook.game_formula import rounding_formula
from pipeline.workbook.seats import Config

ALL_POSITIVE = "all positive points"  # the reason the engine gives


class Base(Struct, frozen=True):
    """What bonuses are computed from."""

    rounds: xl.BookColumn  # rounds played
    final: xl.BookColumn | None  # the game on the final table, 0 for none
    weighted: xl.BookColumn  # what the boards bring


class Extras(Struct):
    accounts: Accounts
    rules: ScoringRules
    results: EventResults
    players: input_sheets.PlayerColumns
    bonuses: input_sheets.BonusColumns
    penalties: input_sheets.PenaltyColumns
    base: Base
    names: dict[str, str]  # of the cells in Config
    columns: list[xl.BookColumn]

    def fill(self) -> None:
        """Add what the rules compute, what the director states, and the penalties; the champion's bonus comes later."""
        rule = self.rules.bonuses
        if rule.participation:
            self.add(to_say("Participation"), PARTICIPATION, self.participation)
        if rule.preregistration:
            self.add(to_say("Announced"), PREREGISTRATION, self.preregistration)
        if rule.final_share and self.base.final:
            self.add(to_say("Final table"), FINAL_TABLE, self.final_share)
        stated = [
            xl.LiveFormula(
                f"SUMIF({self.bonuses.player.there},{self.number(p)},{self.bonuses.counts.there})",
                self.bonuses_given(p),
            )
            for p in self.accounts.people
        ]
        self.columns.append(self.accounts.grid.add(to_say("Bonuses"), stated, xl.AMOUNT, 9))

    def add(self, head: str, kind: str, formula: Callable[[Person], str]) -> xl.BookColumn:
        """Add one kind of bonus that the rules compute."""
        contents = [
            xl.LiveFormula(self.unless_stated(person, kind, formula(person)), self.bonus_earned(person, kind))
            for person in self.accounts.people
        ]
        column = self.accounts.grid.add(head, contents, xl.AMOUNT, 9)
        self.columns.append(column)
        return column

    def unless_stated(self, person: Person, kind: str, formula: str) -> str:
        """A bonus that is stated in points, or that a penalty takes away, is not computed."""
        number = self.number(person)
        unless = [f"{self.bonuses.count_stated(number, kind)}>0"]
        if losing := self.penalties.loses_bonus(number, kind):
            unless.append(f"{losing}>0")
        stops = unless[0] if len(unless) == 1 else f"OR({','.join(unless)})"
        return f"IF({stops},0,{formula})"

    def number(self, person: Person) -> str:
        return self.accounts.number_cell(person.row)

    def bonus_earned(self, person: Person, kind: str) -> Fraction:
        """The engine's bonus of a kind, 0 where it is stated and stands among the stated ones."""
        if any(b.player == person.name and b.kind == kind and b.points is not None for b in self.results.bonuses):
            return Fraction()
        if kind == FINAL_VICTORY and person.tally and is_forfeited(person.tally):
            return Fraction()
        return _raw(person, kind)

    def bonuses_given(self, person: Person) -> Fraction:
        """The engine's bonuses that stand in the Bonuses sheet."""
        computed = (PARTICIPATION, PREREGISTRATION, FINAL_TABLE, FINAL_VICTORY)
        rest = sum_points(self.bonus_earned(person, kind) for kind in computed)
        extras = person.tally.extras if person.tally else ()
        return (
            sum_points(extra.points for extra in extras)
            - rest
            + self.penalties_charged(person)
            - self.points_forfeited(person)
        )

    def penalties_charged(self, person: Person) -> Fraction:
        """What the engine's penalties take, positive."""
        own = [penalty for penalty in self.results.penalties if penalty.player == person.name]
        return -sum_points(charge(penalty, self.rules.penalties).points for penalty in own)

    def points_forfeited(self, person: Person) -> Fraction:
        """What the engine takes away because all positive points are lost; 0 or negative."""
        extras = person.tally.extras if person.tally else ()
        taken = next((extra.points for extra in extras if extra.why == ALL_POSITIVE), Fraction())
        return taken + _raw(person, FINAL_VICTORY) if taken else taken

    def participation(self, person: Person) -> str:
        """Points for each round, if the player was in enough rounds."""
        rounds = self.base.rounds.cell(person.row)
        return f"IF({rounds}>={self.names['from']},{self.names['each']}*{rounds},0)"

    def preregistration(self, person: Person) -> str:
        """Points for who announced and played certain rounds."""
        bonus = self.rules.bonuses.preregistration
        wanted = bonus.rounds if bonus else ()
        yes = self.accounts.grid.page.word(input_sheets.YES)
        announced = [f"{column.far(person.row)}={yes}" for number, column in self.players.announced if number in wanted]
        noted = f"{self.bonuses.count_noted(self.number(person), PREREGISTRATION)}>0"
        played = [self.was_in_round(person, number) for number in wanted]
        return f"IF(AND(OR(AND({','.join(announced)}),{noted}),{','.join(played)}),{self.names['announced']},0)"

    def was_in_round(self, person: Person, number: int) -> str:
        slots = self.accounts.of_round(number)[:1]
        return f"{self.accounts.cells('row', person.row, slots).partition(':')[0]}>0" if slots else "FALSE"

    def final_share(self, person: Person) -> str:
        """A part of the weighted sum for who was on the final table."""
        final = self.base.final.cell(person.row) if self.base.final else "0"
        return f"IF({final}>0,{self.names['share']}*{self.base.weighted.cell(person.row)},0)"

    def add_penalties(self) -> tuple[xl.BookColumn, xl.BookColumn | None]:
        """Add what penalties take, and the positive points that the worst of them forfeits."""
        people, grid = self.accounts.people, self.accounts.grid
        lost: xl.BookColumn | None = None
        if self.penalties.loses_all("0"):
            contents = [xl.LiveFormula(self.forfeit(person), self.points_forfeited(person)) for person in people]
            lost = grid.add(to_say("Forfeited"), contents, xl.AMOUNT, 10)
        taken = [
            xl.LiveFormula(
                f"SUMIF({self.penalties.player.there},{self.number(p)},{self.penalties.charge.there})",
                self.penalties_charged(p),
            )
            for p in people
        ]
        return grid.add(to_say("Penalties"), taken, xl.AMOUNT, 10), lost

    def forfeit(self, person: Person) -> str:
        """All positive points, the boards' and the bonuses', taken away."""
        number = self.number(person)
        *computed, _ = self.columns
        bonuses = [f"MAX({column.cell(person.row)},0)" for column in computed]
        listed = self.bonuses
        bonuses.append(f'SUMIFS({listed.counts.there},{listed.player.there},{number},{listed.counts.there},">0")')
        whole = xl.sum_terms([self.base.weighted.cell(person.row), *bonuses])
        return f"IF({self.penalties.loses_all(number)}>0,-({whole}),0)"


def _raw(person: Person, kind: str) -> Fraction:
    """The engine's extra of a kind."""
    extras = person.tally.extras if person.tally else ()
    return next((extra.points for extra in extras if extra.kind == kind), Fraction())


def is_forfeited(account: tally.Tally) -> bool:
    """Whether a penalty takes all positive points; the title's bonus is then not given and not taken."""
    return any(extra.why == ALL_POSITIVE for extra in account.extras)


def total_formula(rules: ScoringRules, row: int, plus: Sequence[xl.BookColumn], minus: Sequence[xl.BookColumn]) -> str:
    """Boards and bonuses less penalties, rounded as the rules say."""
    terms = xl.sum_terms([column.cell(row) for column in plus])
    taken = "".join(f"-{column.cell(row)}" for column in minus)
    return rounding_formula(f"({terms}{taken})", rules.totals.rounding)


def enter_bonuses(config: Config, rules: ScoringRules) -> dict[str, str]:
    rule, names = rules.bonuses, {}
    if rule.participation:
        names["each"] = config.number(
            "Participation_each",
            rule.participation.each_round,
            to_say("Participation: points a round"),
            "totals.bonuses.participation",
        )
        names["from"] = config.number(
            "Participation_from",
            rule.participation.from_rounds,
            to_say("Participation: from so many rounds"),
            "totals.bonuses.participation",
        )
    if rule.preregistration:
        rounds = ", ".join(str(number) for number in rule.preregistration.rounds)
        label = wording("Announced and played rounds {rounds}: points", rounds=rounds)
        names["announced"] = config.number(
            "Announced_points", rule.preregistration.points, label, "totals.bonuses.preregistration"
        )
    if rule.final_share:
        names["share"] = config.number(
            "Final_share",
            rule.final_share,
            to_say("Final table: part of the boards' points"),
            "totals.bonuses.final_share",
        )
    if rule.final_victory:
        names["victory"] = config.number(
            "Final_victory",
            rule.final_victory,
            to_say("Winner of the final table: points"),
            "totals.bonuses.final_victory",
        )
    return names


# Bonuses and penalties of a stage, the qualifying rounds or a title's: the lists of the whole event, by their rounds.

T = TypeVar("T", Bonus, Penalty)
FAR = 30  # the first column of what is added to these sheets, right of all their tables
WIDTH = 2  # columns of one stage


def within(event: EventResults, stage: tally.Stage) -> EventResults:
    """Leave out bonuses and penalties of other rounds."""
    bonuses = tuple(one for one in event.bonuses if tally.is_within(one.round, stage))
    return replace(
        event, bonuses=bonuses, penalties=tuple(p for p in event.penalties if tally.is_within(p.round, stage))
    )


class StageColumns(Struct, frozen=True):
    """A stage that has columns of its own on the sheets of bonuses and penalties."""

    stage: tally.Stage
    place: int  # how many such stages may come before it
    name: str  # in headings: "before final"


def stage_penalties(
    page: xl.Page, whole: input_sheets.PenaltyColumns, event: EventResults, of: StageColumns
) -> input_sheets.PenaltyColumns:
    """The penalties of a stage."""
    return replace(whole, player=_numbers(page, whole.player, whole.round, event.penalties, of))


def stage_bonuses(
    page: xl.Page,
    whole: input_sheets.BonusColumns,
    lost: input_sheets.PenaltyColumns,
    event: EventResults,
    rules: ScoringRules,
    of: StageColumns,
) -> input_sheets.BonusColumns:
    """The bonuses of a stage, and what they count if only the penalties of this stage can take them away."""
    player = _numbers(page, whole.player, whole.round, event.bonuses, of)
    kept = within(event, of.stage)
    contents: list[xl.Content] = []
    for row, one in zip(_rows_of(whole.player), _pad_entries(event.bonuses, whole.player), strict=True):
        losing = lost.loses_kept(player.cell(row), whole.kind.cell(row))
        counts = f"IF({player.cell(row)}=0,0,{whole.worth.cell(row)})"
        worth = _worth_of(page, whole.worth, row)
        value = (
            worth
            if one and tally.is_within(one.round, of.stage) and not input_sheets.is_lost(one, kept, rules)
            else Fraction()
        )
        contents.append(xl.LiveFormula(f"IF({losing}>0,0,{counts})" if losing else counts, value))
    grid = xl.Grid(page, input_sheets.BOOK_HEAD_ROW, len(contents), FAR + WIDTH * of.place + 1)
    head = page.speech.says("Counts {stage}", stage=page.speech.says(of.name))
    return replace(whole, player=player, counts=grid.add(head, contents, input_sheets.FREE, 9))


def _worth_of(page: xl.Page, worth: xl.BookColumn, row: int) -> Fraction:
    """The engine's worth of the bonus in a row, as it stands beside its formula."""
    content, _ = page.cells[row][worth.number]
    return content.value if isinstance(content, xl.LiveFormula) and isinstance(content.value, Fraction) else Fraction()


def _numbers(
    page: xl.Page,
    player: xl.BookColumn,
    round_: xl.BookColumn,
    entries: Sequence[T],
    of: StageColumns,
) -> xl.BookColumn:
    """The players' numbers in the rows that belong to a stage, 0 in the others, in a column."""
    stage = of.stage
    if stage.rounds is None:
        return player
    known = sorted(stage.rounds)
    contents: list[xl.Content] = []
    for row, one in zip(_rows_of(player), _pad_entries(entries, player), strict=True):
        own, number = round_.cell(row), player.cell(row)
        inside = ",".join([f'{own}=""'] + [f"{own}={n}" for n in known])
        content, _ = page.cells[row][player.number]
        value = (
            content.value if isinstance(content, xl.LiveFormula) and one and tally.is_within(one.round, stage) else 0
        )
        contents.append(xl.LiveFormula(f"IF(OR({inside}),{number},0)", value))
    grid = xl.Grid(page, input_sheets.BOOK_HEAD_ROW, len(contents), FAR + WIDTH * of.place)
    name = page.speech.says(of.name)
    return grid.add(f"{name[:1].upper()}{name[1:]}", contents, input_sheets.NUMBER_OF, 8)


def _rows_of(column: xl.BookColumn) -> range:
    return range(column.first, column.last + 1)


def _pad_entries(entries: Sequence[T], column: xl.BookColumn) -> list[T | None]:
    """The entries, and nothing for each spare row."""
    padded: list[T | None] = list(entries)
    return padded + [None] * (column.last - column.first + 1 - len(entries))

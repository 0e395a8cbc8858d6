"""Decisions come back from a Review sheet: each is weighed against what waits now, then written down or refused."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, games
from pipeline.desk.event.turn import Turn
from pipeline.desk.review.meaning import MeansNothing, check_decision, meaning_on_rows
from pipeline.desk.review.queue import ReviewItem, queue
from pipeline.desk.review.review_by_sheet import THE_RULE, Answer, OnSheet, Waiting, sheet_answers, waiting_lines
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.precedents import asked_of, asked_of_sheet
from pipeline.desk.ruling.rulings import NOTHING, RowDecision, rule_row, rule_sheet
from pipeline.interpret.doubts.doubts import Found
from pipeline.ledger.events import Decision, DecisionUndone, RowRuled
from pipeline.ledger.ledger import Fact
from pipeline.ledger.undone import undone_in
from pipeline.problems import ExitCode, Problem, Weight, stop
from pipeline.rules.toml.table import did_you_mean
from pipeline.workbook.review.review_read import Filled, read_review

DASHES = re.compile(r"\s*[-–—−‐‑]+\s*")  # spreadsheet programs make long dashes of short ones
KEEP = "if it stands all the same, say so in Why"
AGAIN = "write a new sheet with --xlsx and decide there"
MARK_PARTS = 4  # event, turn, line, digest


class NotTaken(ValueError):
    """What is wrong with the decision of one line."""


@dataclass(frozen=True, slots=True)
class WeighedLine:
    """One line that can be taken."""

    line: Filled
    doubt: ReviewItem
    answer: Answer


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What became of a sheet."""

    facts: tuple[Fact[Decision], ...]
    taken_before: int  # lines whose decision was taken from this sheet already
    refused: tuple[Problem, ...]
    left: int  # what waits now


def take_back(event: Event, data: bytes, where: str, by: str, *, anyway: bool = False) -> TakenBack:
    """Write every good decision down and list every bad one; nothing is written before all lines are weighed.

    ``anyway``: what is not followed as it is typed is meant so, also where no Why says it.
    """
    number = event.facts.last_number()
    weighing = weigh(event, data, where, anyway=anyway)
    with event.facts.transaction():
        if event.facts.last_number() != number and weighing.to_take:
            raise stop("somebody else decided meanwhile; nothing is taken, read it again", where, ExitCode.WITH_FAULTS)
        facts = tuple(write_down(event, weighed, by) for weighed in weighing.to_take)
    left = sum(1 for _ in queue(event))
    return TakenBack(facts, len(weighing.taken_before), tuple(weighing.refused), left)


def untaken(event: Event, data: bytes, where: str) -> int:
    """How many lines of a sheet are filled in and were never taken back."""
    weighing = weigh(event, data, where)
    return len(weighing.to_take) + len(weighing.refused)


def weigh(event: Event, data: bytes, where: str, *, anyway: bool = False) -> "SheetWeighing":
    """Weigh every line that is filled in, and write nothing."""
    found = read_review(data, where)
    now = {line.mark: line for line in waiting_lines(event)}
    weighing = SheetWeighing(event, Desk.of(event), games(event), Past.of(event), anyway, refused=list(found.problems))
    for line in found.lines:
        if line.mark in now:
            weighing.take(line, now[line.mark])
        else:
            weighing.look_back(line)
    weighing.look_at_texts()
    weighing.refused.sort(key=lambda problem: int(re.sub(r"\D", "", problem.where)))
    return weighing


def write_down(event: Event, weighed: WeighedLine, by: str) -> Fact[Decision]:
    """Make a ruling of one decision, with what was asked, so that it is found again."""
    line, doubt = weighed.line, weighed.doubt
    match weighed.answer:
        case OnSheet(decision, serial):
            about = asked_of_sheet(doubt.problem)
            return rule_sheet(event, doubt.turn, decision, by=by, why=line.why, serial=serial, asked=about)
        case decision:
            assert doubt.row is not None
            asked = replace(asked_of(doubt.row), mark=line.mark, answer=told(line))
            return rule_row(event, doubt.turn, doubt.row.line, decision, by, on=doubt.row.ground, asked=asked)


def told(line: Filled) -> str:
    """What a line says, to be compared when the same file is read again."""
    return f"Decision {line.decision}" if line.decision else f"Text {line.text}" if line.text else f"Order {line.order}"


@dataclass(frozen=True, slots=True)
class Past:
    """What was ruled so far."""

    rulings: tuple[Fact[RowRuled], ...]
    undone: frozenset[int]

    @classmethod
    def of(cls, event: Event) -> "Past":
        """Read the rulings on rows."""
        undone = frozenset(undone_in(event.facts.told(DecisionUndone)))
        return cls(tuple(event.facts.told(RowRuled)), undone)

    def taken(self, mark: str) -> Fact[RowRuled] | None:
        """The ruling that was taken from a line of a sheet."""
        return next((fact for fact in self.rulings if fact.said.asked and fact.said.asked.mark == mark), None)

    def on(self, turn: str, line: str) -> Fact[RowRuled] | None:
        """The newest ruling on a row that counts."""
        for fact in reversed(self.rulings):
            if (str(Turn.of(fact.said)), str(fact.said.line)) == (turn, line) and fact.number not in self.undone:
                return fact
        return None


@dataclass(slots=True)
class SheetWeighing:
    """A sheet that came back, while it is weighed against the event as it is now."""

    event: Event
    desk: Desk
    games: Mapping[str, Game]
    past: Past
    anyway: bool  # whether everything is meant as it is typed
    to_take: list[WeighedLine] = field(default_factory=list)
    taken_before: list[Filled] = field(default_factory=list)
    refused: list[Problem] = field(default_factory=list)

    def refuse(self, line: Filled, text: str) -> None:
        """Note why a line is not taken."""
        self.refused.append(Problem(Weight.STOPS, text, line.where))

    def take(self, line: Filled, waiting: Waiting) -> None:
        """A line that is as it was shown: take its decision, or say what is wrong with it."""
        try:
            self.to_take.append(WeighedLine(line, waiting.doubt, self.answer(line, waiting)))
        except NotTaken as error:
            self.refuse(line, str(error))

    def answer(self, line: Filled, waiting: Waiting) -> Answer:
        """Read the decision of a line, or say what is wrong with it (`NotTaken`)."""
        row = waiting.doubt.row
        if line.decision:
            answer = chosen(line.decision, waiting)
        elif row is None:
            raise NotTaken(f"this is about the whole sheet; Decision takes {', '.join(waiting.answers)}")
        else:
            answer = RowDecision(text=line.text) if line.text else typed(line.order, row.without)
        if isinstance(answer, OnSheet) or row is None:
            return answer
        if faults := answer.faults(row.line):
            raise NotTaken("; ".join(faults))
        if answer.orders and not self.is_meant(line) and answer != waiting.answers.get(THE_RULE):
            self.check(waiting.doubt.turn, row.line, answer)
        return replace(answer, why=line.why or answer.why)

    def is_meant(self, line: Filled) -> bool:
        """Whether somebody says that what is typed is meant so, followed or not."""
        return self.anyway or bool(line.why)

    def check(self, turn: Turn, line: int, decision: RowDecision) -> None:
        """An order that is impossible there is more often a slip than meant: it is taken only with a reason."""
        try:
            check_decision(self.desk, self.games[turn.board], turn, line, decision, KEEP)
        except MeansNothing as stopped:
            raise NotTaken("; ".join(problem.text for problem in stopped.problems)) from stopped

    def look_at_texts(self) -> None:
        """What the ink says is weighed row beside row: two rows may give one unit two orders, and nobody meant that."""
        texts: dict[Turn, dict[int, WeighedLine]] = {}
        for each in self.to_take:
            if each.line.text and each.doubt.row:
                texts.setdefault(each.doubt.turn, {})[each.doubt.row.line] = each
        for turn, rows in texts.items():
            said = {number: each.line.text for number, each in rows.items()}
            meaning = meaning_on_rows(self.desk, self.games[turn.board], turn, said)
            for meant in meaning.doubtful():
                for each in [rows[meant.number]] if meant.number in rows else rows.values():
                    self.question(each, meant.doubt)

    def question(self, weighed: WeighedLine, doubt: str) -> None:
        """Take a line that is not followed as it is typed only with a reason."""
        if weighed in self.to_take and not self.is_meant(weighed.line):
            self.to_take.remove(weighed)
            self.refuse(weighed.line, f"{doubt}; {KEEP}")

    def look_back(self, line: Filled) -> None:
        """A line that is not as it was shown: its decision was taken from this sheet before, or it is stale."""
        code, *about = line.mark.split("|")
        own = self.event.details.code
        if len(about) != MARK_PARTS - 1:
            self.refuse(line, f"the hidden mark {line.mark!r} is damaged; {AGAIN}")
        elif code != own:
            self.refuse(line, f"this line is of the event {code}, and this is {own}; give the folder of {code}")
        elif fact := self.past.taken(line.mark):
            self.look_at(line, fact)
        elif about[1] == "sheet" and self.stands(about[0], line.decision):
            self.taken_before.append(line)
        else:
            ruled = self.past.on(about[0], about[1])
            since = f"was ruled on by {ruled.by}" if ruled else "has changed"
            where = f"{about[0]} {about[1] if about[1] == 'sheet' else f'line {about[1]}'}"
            self.refuse(line, f"{where} {since} since this was written; {AGAIN}")

    def look_at(self, line: Filled, fact: Fact[RowRuled]) -> None:
        """A line that was taken before changes nothing, unless it says something else now, or was undone."""
        if fact.number in self.past.undone:
            self.refuse(line, f"was taken by {fact.by} as fact {fact.number}, and undone since; {AGAIN}")
        elif (before := fact.said.asked and fact.said.asked.answer) != told(line):
            self.refuse(line, f"was taken by {fact.by} as {before!r}, and says {told(line)!r} now; undo that one first")
        else:
            self.taken_before.append(line)

    def stands(self, turn: str, decision: str) -> bool:
        """Whether a decision on a whole sheet is the one that counts."""
        for each, rulings in self.desk.rulings.items():
            if str(each) == turn and rulings.sheet is not None:
                counts = OnSheet(rulings.sheet.decision, rulings.sheet.serial)
                return dict(sheet_answers(self.desk.sheets.get(each, ()))).get(decision) == counts
        return False


def chosen(decision: str, waiting: Waiting) -> Answer:
    """Find a decision in the list of its line."""
    known = {answer.casefold(): answer for answer in waiting.answers}
    if decision.casefold() in known:
        return waiting.answers[known[decision.casefold()]]
    if decision.casefold() == THE_RULE:
        raise NotTaken("the rules leave this line to the director; choose, or fill Text or Order")
    near = did_you_mean(decision.casefold(), tuple(known)) or f"; it has {', '.join(waiting.answers)}"
    raise NotTaken(f"{decision!r} is not in the list of this line{near}")


def typed(text: str, without: tuple[Found, ...]) -> RowDecision:
    """Read an order that was typed, whatever dashes and case the spreadsheet program made of it."""
    if text.casefold() == NOTHING:
        return RowDecision(order=NOTHING, without=without)
    return RowDecision(order=DASHES.sub(" - ", text.upper()))

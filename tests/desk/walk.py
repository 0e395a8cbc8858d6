"""What can happen at a table, step by step, and what is true after every one."""

import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from facts_as_kept import append_fact, append_facts, read_facts
from msgspec.structs import replace

from desk.cup import clock, seated
from desk.papers import STRUCK, Page, Paper, says
from desk.table import WRITERS, Table
from pipeline.board import Power, Step
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.intake.ingest import find_page, identify_page
from pipeline.desk.publish.explain import check_event
from pipeline.desk.publish.publish import publish
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.review.queue import ReviewItem, settle_doubt, take_the_rule
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.row_reader import NOTHING_RULED
from pipeline.desk.ruling.rows import PowerRows, Row, check_row
from pipeline.desk.ruling.rulings import (
    NOTHING,
    RowDecision,
    redo_decision,
    rule_sheet,
    stacks,
    type_lines,
    undo_decision,
)
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.journal.acts import undo_fact
from pipeline.ledger.events import LedgerEvent, OnTurn
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import SheetDecision, Source
from pipeline.orders import write, write_position
from pipeline.paper.load_sheet import read_template
from pipeline.problems import Stopped, Weight
from pipeline.reading.recogniser import NoRecogniser

MANY = ["F LON", "A LVP", "F EDI", "F NTH", "A WAL", "A YOR", "F ENG", "F IRI", "A CLY", "F NWG"]  # two parts
MOST = 60  # questions about one turn, before they seem to have no end
KEPT = cache(read_template)


@cache
def table_of(tournament: str, *, has_parts: bool) -> Path:
    """A table for two, with two sheets and two pads for each; or with so many units that a sheet has two parts."""
    folder = Path(tempfile.mkdtemp()) / "cup"
    with open_event(seated(folder, tournament=tournament), clock) as event:
        position = write_position(find_game(event, "1").position)
        position["units"] = {power: position["units"][power] for power in WRITERS}
        if has_parts:
            position["units"][Power.ENGLAND] = MANY
        append_fact(event.facts, "position set", {"board": "1.1", "position": position}, "Tess")
        print_round(event, 1, wish=PrintWish(spare=1, for_beginners=has_parts))
        print_round(event, 1, wish=PrintWish(pads=2, kinds=(Step.MOVEMENT,)))
    return folder


class Walk:
    """What can happen at a table."""

    def __init__(self, tournament: str, *, has_parts: bool) -> None:
        self.folder = Path(tempfile.mkdtemp())
        shutil.copytree(table_of(tournament, has_parts=has_parts), self.folder / "cup")
        self.event = open_event(self.folder / "cup", clock)
        self.event.facts.connection.execute("PRAGMA synchronous = OFF")
        self.patch = pytest.MonkeyPatch()
        for drawing in ("_print_card", "_print_map"):
            self.patch.setattr(f"pipeline.desk.publish.publish.{drawing}", lambda *_: b"")
        self.patch.setattr("pipeline.desk.sheets.printing.read_template", KEPT)
        self.patch.setattr("pipeline.desk.sheets.printed.read_template", KEPT)
        self.table = Table(self.event)
        self.live = LiveDesk(self.event)
        self.log: list[int] = []  # what happened and was not taken back
        self.known: dict[tuple[int, ...], object] = {}  # the desk after it

    def leave(self) -> None:
        """Leave the table."""
        self.patch.undo()
        self.event.__exit__(None, None, None)
        shutil.rmtree(self.folder)

    # What players and the scanner do

    def hand_in(self, power: Power, which: int, ink: list[int], how: str, slip: str) -> None:
        """A power hands a sheet in: the first, the spare one, a second part, or a pad; or writes more on one."""
        papers = self.table.free(power)
        if not papers:
            return
        paper = papers[which % len(papers)]
        lines = self.table.lines_of(power)
        self.table.write(paper, tuple("" if k < 0 else lines[k % len(lines)] for k in ink), outside=slip == "outside")
        if not paper.pages:
            paper.signed = slip != "unsigned"
            if slip == "ticks" and paper.ticks:
                paper.ticks, paper.is_ticked_rightly = ("spring", "1905"), False
        looks_like = papers[(which + 1) % len(papers)].sheet if slip == "strange" else paper.sheet
        self.scan(paper, how, "doubtful" if slip in ("torn", "strange") else "filed", looks_like)

    def scan_again(self, which: int, how: str, struck: int) -> None:
        """A sheet is scanned again, as it was, or with a row struck out."""
        papers = [paper for paper in self.table.papers if paper.turn.phase == self.table.phase]
        if not papers:
            return
        paper = papers[which % len(papers)]
        if struck >= 0 and says(paper.ink.rows[struck]):
            rows = list(paper.ink.rows)
            rows[struck] = STRUCK + rows[struck]
            paper.ink = replace(paper.ink, rows=tuple(rows))
        self.scan(paper, how, "filed", paper.sheet)

    def scan(self, paper: Paper, how: str, tray: str, looks_like: str) -> None:
        """Scan a sheet."""
        self.table.scan(paper, how, tray, looks_like)
        self.log.append(self.event.facts.last_number())

    def name_a_page(self, which: int, by: str) -> None:
        """Somebody says which sheet a page is whose codes are gone."""
        torn = self.table.torn()
        if not torn:
            return
        self.name(*torn[which % len(torn)], by)

    def name(self, paper: Paper, page: Page, by: str) -> None:
        """Say which sheet a page is; one that looked like another is read again."""
        again = self.table.read_again(paper, page)
        if again is None:
            identify_page(self.event, find_page(self.event, page.sha256, 1), paper.sheet, NoRecogniser(), by)
        else:
            named = {"sha256": page.sha256, "page": 1, "sheet": paper.sheet}
            append_facts(self.event.facts, (("page identified", named), ("page read", again)), by)
        page.counts = True
        self.log.append(self.event.facts.last_number())

    # What the director does

    def rule_on_a_row(self, power: Power, which: int, says_text: bool, by: str) -> None:
        """A row that is asked is ruled on, rightly."""
        doubts = [row for row in self.desk(power).rows if row.needs_director]
        if not doubts:
            return
        self.settle(power, doubts[which % len(doubts)], by, says_text=says_text)

    def settle(self, power: Power, row: Row, by: str, *, says_text: bool) -> None:
        """Rule on a row: what it says, what the rules make of it, or what they leave to the director."""
        turn = self.table.turn(power)
        doubt = ReviewItem(turn, row, None)
        about = self.table.ink_of(turn, row) if row.line else None
        if about is not None and not says(about[-1]):
            decision = RowDecision(order=NOTHING)
        elif about is not None and not self.is_ruled(power, row) and (row.status == "unread" or says_text):
            decision = RowDecision(text=about[-1])
        else:
            first = write(row.candidates[0]) if row.candidates else NOTHING
            decision = take_the_rule(doubt) or RowDecision(order=first, without=row.without)
        self.decide(turn, lambda: settle_doubt(self.event, doubt, decision, by), about)

    def is_ruled(self, power: Power, row: Row) -> bool:
        """Whether anything was ruled on the line of a row: to say again what all of it says would settle nothing."""
        return any(each.line == row.line and each.ruling is not None for each in self.desk(power).rows)

    def rule_on_a_sheet(self, power: Power, decision: SheetDecision, which: int, by: str) -> None:
        """The director decides on a power's sheets, asked or not."""
        turn = self.table.turn(power)
        papers = self.table.in_(turn)
        if not papers and decision is SheetDecision.CHOSEN:
            return
        serial = papers[which % len(papers)].serial if decision is SheetDecision.CHOSEN else None
        self.decide(turn, lambda: rule_sheet(self.event, turn, decision, by=by, serial=serial))

    def type_the_sheet(self, power: Power, ink: list[int], by: str) -> None:
        """The director types a power's lines."""
        lines = self.table.lines_of(power)
        typed = [lines[k % len(lines)] for k in ink if k >= 0]
        turn = self.table.turn(power)
        self.decide(turn, lambda: type_lines(self.event, turn, typed, by=by), "typed")

    def check_a_row(self, power: Power, which: int, by: str) -> None:
        """Somebody compares a row that nobody asked about with its ink."""
        rows = [row for row in self.desk(power).rows if row.source in (Source.READ, Source.MARKED)]
        if not rows:
            return
        turn = self.table.turn(power)
        self.decide(turn, lambda: check_row(self.event, turn, rows[which % len(rows)], right=True, by=by))

    def decide(self, turn: Turn, act: Callable[[], Fact[LedgerEvent]], about: object = None) -> None:
        """Decide, and remember what was known."""
        told = " ".join(p.text for p in self.desk(turn.power).problems if p.weight is Weight.ASKS)
        fact = next(
            read_facts(self.event.facts, after=act().number - 1)
        )  # as it is kept: what is read back is looked at
        self.table.note(fact, turn, fact.number if about == "typed" else about, told)
        self.log.append(fact.number)

    def undo(self, by: str, and_back: bool) -> None:
        """Somebody takes back the last thing that he decided, and may at once make it again."""
        done, _ = stacks(self.event.facts.everything(), by)
        mine = [fact for each in done if (fact := each.of(OnTurn)) and fact.said.phase == self.table.phase]
        if not mine:
            return
        undo_decision(self.event, mine[-1], by)
        self.table.undone.add(mine[-1].number)
        self.log.remove(self.first_of(mine[-1].number))
        if and_back:
            self.compare()
            self.redo(by)

    def take_back_one(self, which: int) -> None:
        """A decision of this phase is taken back in the journal, whatever was decided since."""
        mine = [n for n, each in self.table.decided.items() if each.turn.phase == self.table.phase]
        mine = [number for number in mine if number not in self.table.undone]
        if not mine:
            return
        number = mine[which % len(mine)]
        undo_fact(self.event, number, by="Tess", why="misread")
        self.table.undone.add(number)
        self.log.remove(self.first_of(number))

    def first_of(self, number: int) -> int:
        """A decision that was made again is, to the log, the one that it repeats."""
        again = self.table.decided[number].fact.body.get("again")
        return number if again is None else self.first_of(again)

    def redo(self, by: str) -> None:
        """Somebody makes again what he took back, or is refused."""
        _, undone = stacks(self.event.facts.everything(), by)
        mine = [made for each in undone if (made := each.of(OnTurn)) and made.said.phase == self.table.phase]
        if not mine:
            return
        before = self.event.facts.last_number()
        try:
            redo_decision(self.event, mine[-1], by)
        except Stopped:
            assert self.event.facts.last_number() == before, "what is refused is not written down"
            return
        (fact,) = read_facts(self.event.facts, after=before)
        then = self.table.decided[mine[-1].number]
        self.table.decided[fact.number] = replace(then, fact=fact)
        self.log.append(self.first_of(fact.number))

    def set_the_position(self) -> None:
        """The position is set by hand to what it is."""
        body = {"board": "1.1", "position": write_position(self.table.game.position)}
        self.log.append(append_fact(self.event.facts, "position set", body, "Tess").number)

    def publish(self) -> None:
        """The board is published; while anything is open it is refused."""
        held = any(paper.turn.phase == self.table.phase for paper, _ in self.table.torn())
        if not held and not any(self.desk(power).is_open for power in WRITERS):
            self.play()
            return
        before = self.event.facts.last_number()
        with pytest.raises(Stopped):
            publish(self.event, "1", "Tess")
        assert self.event.facts.last_number() == before

    # What is always true

    def desk(self, power: Power) -> PowerRows:
        """A power on the desk."""
        return Desk.of(self.event).power(self.table.game, power)

    def compare(self) -> None:
        """The desk in memory is the desk; what was taken back leaves no trace; and nothing counts unasked."""
        self.live.refresh()
        board = replace(Desk.of(self.event), book=NOTHING_RULED).board(self.table.game)
        assert self.live.board(self.live.games["1.1"]) == board
        shown = [(p.state, p.problems, [(r.line, r.ink, r.order, r.source, r.status) for r in p.rows]) for p in board]
        assert self.known.setdefault(tuple(self.log), shown) == shown
        for rows in board:
            self.table.look_at(rows)

    def answer_everything(self) -> None:
        """The director answers whatever is asked, until nothing is."""
        for paper, page in self.table.torn():
            self.name(paper, page, "Tess")
        for rows in Desk.of(self.event).board(self.table.game):
            asked = 0
            while (now := self.desk(rows.power)).is_open:
                self.answer(now, asked)
                asked += 1
                assert asked < MOST, f"there is no end of questions: {now}"

    def answer(self, rows: PowerRows, asked: int) -> None:
        """Answer a question about a power: about its sheets, or about one row after the other."""
        turn = self.table.turn(rows.power)
        if asks := [problem.text for problem in rows.problems if problem.weight is Weight.ASKS]:
            papers = self.table.in_(turn)
            said = asks[0].split(";")[0]  # what is outside the rows of others is told behind it
            papers = [paper for paper in papers if paper.sheet in said] or papers
            decision = SheetDecision.CHOSEN if papers else SheetDecision.NO_ORDERS
            serial = papers[-1].serial if papers else None
            self.decide(turn, lambda: rule_sheet(self.event, turn, decision, by="Tess", serial=serial))
        else:
            doubts = [row for row in rows.rows if row.needs_director]
            self.settle(rows.power, doubts[asked % len(doubts)], "Tess", says_text=True)

    def play(self) -> None:
        """What is published is the truth; the phases up to the next movement are played without orders."""
        truth = {power: self.table.clear_orders(power) for power in WRITERS}
        played = publish(self.event, "1", "Tess").played
        for power, orders in truth.items():
            assert orders <= set(played.orders.get(power, ())), power
        assert [str(problem) for problem in check_event(self.event)] == []
        self.log.append(played.fact.number)
        while self.table.phase.step is not Step.MOVEMENT and not self.table.game.ending:
            self.answer_everything()
            self.log.append(publish(self.event, "1", "Tess").played.fact.number)

"""A table at which the truth is known: what is written on every sheet, what was scanned of it, and what was ruled.

The director of this table sees what is asked, looks at the paper, and rules rightly. What he saw is remembered with
every decision, so that the desk can be told from outside what it must still ask.
"""

from typing import Any

from facts_as_kept import KeptFact, append_fact

from desk.papers import ROWS, Page, Paper, Rows, Shown, read, says
from desk.truth import Decided, Stands, has_news, left_by, news, numbered, shows_news
from pipeline.board import Phase, Power, Step, Unit
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.ruling.rows import PowerRows, Row
from pipeline.desk.sheets.pads import KINDS
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.ink import Box, Transcription
from pipeline.interpret.interpret import interpret
from pipeline.interpret.verdict import Interpretation, Line, Status
from pipeline.ledger.ledger import body_of
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import Order, write
from pipeline.problems import Weight
from pipeline.rules.conduct import (
    FOREIGN_SHEET,
    JOINT_ORDERS,
    PROXY_ORDERS,
    UNSIGNED,
    Effect,
    LateSheet,
    decide_conduct,
)

BELOW = Box(22, 230, 60, 8)
WRITERS = (Power.ENGLAND, Power.FRANCE)
FAULTS = {
    SheetDecision.FOREIGN: FOREIGN_SHEET,
    SheetDecision.JOINT: JOINT_ORDERS,
    SheetDecision.PROXY: PROXY_ORDERS,
}
ACCEPTING = (SheetDecision.ACCEPTED, SheetDecision.ALL_UNSIGNED)


class Table:
    """The papers, and everything that was decided about them."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.papers: list[Paper] = []
        self.decided: dict[int, Decided] = {}  # by the number of the fact, in the order of the facts
        self.undone: set[int] = set()
        self.scans = 0

    @property
    def game(self) -> Game:
        """The one game."""
        return find_game(self.event, "1")

    @property
    def phase(self) -> Phase:
        """The phase that is played."""
        return self.game.position.phase

    def turn(self, power: Power) -> Turn:
        """A power's turn now."""
        return Turn(self.game.name, self.game.position.phase, power)

    def free(self, power: Power) -> list[Paper]:
        """The sheets and pads on which a power may still write in this phase: those it began first."""
        game, phase = self.game, self.game.position.phase
        begun = {paper.sheet: paper for paper in self.papers}
        found = []
        for sheet, printed in printed_sheets(self.event).items():
            request = printed.request
            when = phase if request.is_pad and KINDS[phase.step] == request.phase else request.phase
            if request.power is power and when == phase and (sheet not in begun or begun[sheet].turn.phase == phase):
                turn = Turn(game.name, phase, power)
                first, *_, last = (field.row or 1 for field in printed.page.form.rows)
                paper = Paper(sheet, request.id.serial, turn, request.part, request.parts, first, last)
                if request.is_pad:
                    paper.ticks = (phase.season.name.lower(), str(phase.year))
                found.append(begun.get(sheet, paper))
        return found

    def in_(self, turn: Turn) -> list[Paper]:
        """The sheets of a turn of which a scan counts, by serial."""
        found = [paper for paper in self.papers if paper.turn == turn and paper.shown is not None]
        return sorted(found, key=lambda paper: paper.serial)

    def write(self, paper: Paper, lines: Rows, *, outside: bool = False) -> None:
        """Write on a paper; what stood on a row before never comes back to it."""
        if paper not in self.papers:
            self.papers.append(paper)
        rows = list(paper.ink.rows)
        for number, text in enumerate(lines):
            if text and text != rows[number] and (number, text) not in paper.written:
                paper.written.add((number, rows[number]))
                rows[number] = text
        paper.ink = Shown(tuple(rows), outside or paper.ink.outside)

    def scan(self, paper: Paper, unsure: str, tray: str, looks_like: str) -> None:
        """Scan a paper; ``unsure`` says of each row how badly it is read, where nothing new is on it."""
        before = paper.shown or paper.ink
        self.scans += 1
        sha256 = f"{self.scans:064x}"
        lines = tuple(
            read(row, now, then, how)
            for row, now, then, how in zip(
                range(paper.first, paper.first + ROWS), paper.ink.rows, before.rows, unsure, strict=True
            )
        )
        found = Transcription(
            sheet_id=looks_like,
            scan_sha256=sha256,
            page=1,
            reader="test",
            lines=lines,
            residual_mm=0.05,
            ticks=frozenset(paper.ticks),
            signed=paper.signed,
            outside=(BELOW,) if paper.ink.outside else (),
        )
        body: dict[str, Any] = {"sha256": sha256, "page": 1, "tray": tray, "text": ""}
        body |= {"transcription": body_of(found), "offers": [paper.sheet]}
        append_fact(self.event.facts, "page read", body, "test")
        paper.pages.append(Page(sha256, paper.ink, tray == "filed", body))

    def torn(self) -> list[tuple[Paper, Page]]:
        """The pages of which nobody has said which sheet they are."""
        return [(paper, page) for paper in self.papers for page in paper.pages if not page.counts]

    def read_again(self, paper: Paper, page: Page) -> dict[str, Any] | None:
        """A page that looked like another sheet, read as the one that it is; None where it looked like itself."""
        found = page.body["transcription"]
        if found["sheet_id"] == paper.sheet:
            return None
        return page.body | {"tray": "filed", "transcription": found | {"sheet_id": paper.sheet}}

    def note(self, fact: KeptFact, turn: Turn, about: object = None, told: str = "") -> None:
        """Remember a decision with what was known, and what had been asked."""
        seen = {paper.serial: shown for paper in self.in_(turn) if (shown := paper.shown)}
        self.decided[fact.number] = Decided(fact, turn, seen, about, told)

    def newest(self, turn: Turn, kind: str) -> tuple[int, Decided] | None:
        """The newest decision of a kind on a turn that was not taken back."""
        found = [(n, d) for n, d in self.decided.items() if d.turn == turn and d.fact.kind == kind]
        return max(((n, d) for n, d in found if n not in self.undone), default=None, key=lambda each: each[0])

    def stands(self, turn: Turn) -> Stands:
        """What counts for a turn, or why that must be asked."""
        papers, typed, ruled = self.in_(turn), self.newest(turn, "lines typed"), self.newest(turn, "sheet ruling")
        if typed and not (ruled and ruled[0] > typed[0]):
            return Stands(typed=typed[1], asks=" and ".join(news(papers, typed[1], ())))
        if ruled is None:
            return self.unruled(turn, papers)
        decision = SheetDecision(ruled[1].fact.body["decision"])
        if typed and not any(paper.serial in ruled[1].seen for paper in papers):
            is_out = decision in (SheetDecision.NO_ORDERS, SheetDecision.REFUSED) or self.is_void(turn, ruled[0])
            asks = " and ".join(news(papers, ruled[1], ()))
            return Stands(asks=asks) if is_out else Stands(typed=typed[1], asks=asks)
        after = [p for p in papers if typed and (shows_news(p, typed[1]) or p.sheet in ruled[1].told)]
        if choices := self.choices(turn, papers):
            late = self.late(turn)
            counting = [] if late and self.is_void(turn, late) else left_by(choices, papers)
        elif decision is SheetDecision.NO_ORDERS:
            counting = []
        elif decision is SheetDecision.REFUSED or self.is_void(turn, ruled[0]):
            if typed and papers:
                return Stands(typed=typed[1], asks=" and ".join(news(papers, ruled[1], ())))
            counting = []
        else:
            counting = after or papers
        asks = " and ".join(news(papers, ruled[1], counting))
        if decision is SheetDecision.CHOSEN:
            asks = asks or self.asks_of_what_is_left(choices, counting)
        return Stands(papers=tuple(counting), asks=asks)

    def choices(self, turn: Turn, papers: list[Paper]) -> list[Decided]:
        """The sheets that he chose, newest first, since he decided anything but that what was left is accepted."""
        kinds = ("sheet ruling", "lines typed")
        decisions = [(n, d) for n, d in self.decided.items() if d.turn == turn and d.fact.kind in kinds]
        found: list[Decided] = []
        for _, each in sorted((n, d) for n, d in decisions if n not in self.undone):
            decision = each.fact.body.get("decision")
            if decision == SheetDecision.CHOSEN:
                found.insert(0, each)
            elif decision not in ACCEPTING or (found and has_news(papers, found, each)):
                found = []
        return found

    def asks_of_what_is_left(self, choices: list[Decided], left: list[Paper]) -> str:
        """What must be asked of the sheets that are left by choosing, of those that were not chosen."""
        written = [paper for paper in left if paper.shown and not paper.shown.is_blank]
        chosen = {each.fact.body["serial"] for each in choices}
        if len({paper.part for paper in written}) < len(written):
            return "two sheets are left"
        if not all(paper.signed or paper.serial in chosen for paper in written) and self.asks_for_signatures():
            return "not signed"
        return ""

    def late(self, turn: Turn) -> int:
        """The ruling that the sheets are late, which a choice among them does not end; 0 if there is none."""
        late = 0
        for number, each in sorted(self.decided.items()):
            decision = each.fact.body.get("decision")
            if each.turn == turn and number not in self.undone and decision not in (None, SheetDecision.CHOSEN):
                late = number if SheetDecision(decision).is_late else 0
        return late

    def is_void(self, turn: Turn, number: int) -> bool:
        """Whether a sheet that is late, on other paper, or of joint or proxy orders does not count."""
        decision = SheetDecision(self.decided[number].fact.body["decision"])
        if decision in FAULTS:
            return decide_conduct(FAULTS[decision], self.event.tournament.conduct).effect is Effect.NO_ORDERS
        if not decision.is_late:
            return False
        turns = {d.turn for d in self.decided.values() if d.turn.power is turn.power and d.turn != turn}
        others = [ruled for each in turns if (ruled := self.newest(each, "sheet ruling"))]
        earlier = sum(SheetDecision(d.fact.body["decision"]).is_late for n, d in others if n < number)
        late = LateSheet(earlier, earlier, reading_began=False)
        return decide_conduct(late, self.event.tournament.conduct).effect is Effect.NO_ORDERS

    def unruled(self, turn: Turn, papers: list[Paper]) -> Stands:
        """What counts where nobody has decided on the sheets."""
        written = [p for p in papers if p.shown and not p.shown.is_blank] or papers[:1]
        parts = [paper.part for paper in written]
        for asks, is_so in (
            ("no sheet is in", not papers),
            ("two sheets are in", len(set(parts)) < len(parts)),
            ("a part is missing", bool(papers) and len({p.part for p in papers}) < papers[0].parts),
            ("something is written outside", any(p.shown and p.shown.outside for p in papers)),
            ("not signed", not all(p.signed for p in written) and self.asks_for_signatures()),
            ("ticked wrongly", not all(p.is_ticked_rightly for p in written)),
        ):
            if is_so:
                return Stands(papers=tuple(written), asks=asks)
        return Stands(papers=tuple(written))

    def asks_for_signatures(self) -> bool:
        """Whether a sheet that is not signed is asked about: the rules ask, and not all were accepted at once."""
        if decide_conduct(UNSIGNED, self.event.tournament.conduct).effect is Effect.ACCEPTED:
            return False
        counts = [decided.fact.body for n, decided in self.decided.items() if n not in self.undone]
        return not any(body.get("decision") == SheetDecision.ALL_UNSIGNED for body in counts)

    def meant(self, stands: Stands, power: Power) -> Interpretation:
        """What the tournament's rules make of what is written where it counts."""
        lines = [Line(number, says(ink)) for number, _, _, ink in numbered(stands) if says(ink)]
        return interpret(lines, power, self.game.position, self.event.tournament)

    def ink_of(self, turn: Turn, row: Row) -> tuple[int, int, str]:
        """What a row is to a person: its sheet or its typing, its place there, and its ink."""
        if row.ground.typed:
            return (
                row.ground.typed,
                row.ground.row,
                self.decided[row.ground.typed].fact.body["lines"][row.ground.row - 1],
            )
        (paper,) = (paper for paper in self.in_(turn) if paper.serial == row.ground.sheet)
        assert paper.shown, f"{row} stands on no sheet"
        return paper.serial, row.ground.row, paper.shown.rows[row.ground.row - paper.first]

    def look_at(self, rows: PowerRows) -> None:
        """Every row that is not asked is what is written where it counts, and nothing written there is lost."""
        turn = self.turn(rows.power)
        stands = self.stands(turn)
        asks = [problem.text for problem in rows.problems if problem.weight is Weight.ASKS]
        assert asks or not stands.asks, f"{turn}: nobody asks though {stands.asks}"
        if asks:
            return
        here = {(serial, row): (number, ink) for number, serial, row, ink in numbered(stands)}
        meant = self.meant(stands, rows.power).entries
        for row in rows.rows:
            if row.line == 0 or row.needs_director:
                continue
            assert (row.ground.sheet, row.ground.row) in here, f"{row} does not count"
            number, _ = here[row.ground.sheet, row.ground.row]
            if row.ruling is not None:
                then, now = self.decided[row.ruling.fact.number].about, self.ink_of(turn, row)
                is_said = row.order is not None and write(row.order) == now[-1]  # it was written after he had ruled so
                assert then == now or is_said, f"ruled on {then}, and stands for {now}: {row}"
            elif not rows.is_open:
                here_is = [entry for entry in meant if number in (entry.line, *entry.also) and entry.text == row.ink]
                if row.ground.typed:  # a person typed the whole line
                    here_is = [entry.by_itself or entry for entry in here_is]
                orders = {entry.order for entry in here_is} or {None}
                assert row.order in orders, f"{row} is not {orders}"
        there = {(row.ground.sheet, row.ground.row) for row in rows.rows}
        lost = [ink for place, (_, ink) in here.items() if ink and place not in there]
        assert not lost, f"{turn}: {lost} stand nowhere"

    def clear_orders(self, power: Power) -> set[Order]:
        """The orders that are written clearly where they count, for units of which nothing else is written.

        A row for which the director gave an order counts as that: his word stays on the row, whatever counts beside it.
        """
        if self.phase.step is not Step.MOVEMENT or power not in self.game.position.units:
            return set()
        stands = self.stands(self.turn(power))
        entries = self.meant(stands, power).entries
        units = [entry.unit for entry in entries]
        given = [d.about for n, d in self.decided.items() if n not in self.undone and "order" in d.fact.body]
        ruled = {number for number, *about in numbered(stands) if tuple(about) in given}
        alone = [
            entry
            for entry in entries
            if entry.status is Status.CLEAR and units.count(entry.unit) == 1 and entry.line not in ruled
        ]
        return {entry.order for entry in alone if entry.order is not None}

    def lines_of(self, power: Power) -> list[str]:
        """What a power may write: its units, each with an order that is clear, and some that are not."""
        position = self.game.position
        units = position.units.get(power, ())
        first, last = units[0], units[-1]
        three = f"{first} - MUN; hello; {last} - TUN"  # each of them is asked
        odd = [f"{first} - MUN", "A BER H", three, f"{first} H; {last} H", str(last), f"- {self.ways(last)[0]}"]
        return [*(text for unit in units for text in self.clear(unit)), *odd]

    def clear(self, unit: Unit) -> list[str]:
        """Three orders that a unit may be given."""
        return [f"{unit} H", *(f"{unit} - {place}" for place in self.ways(unit)[:2])]

    def ways(self, unit: Unit) -> list[str]:
        """Where a unit can go."""
        return sorted(self.event.board.reach(unit.kind, unit.place))

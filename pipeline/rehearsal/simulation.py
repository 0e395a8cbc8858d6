"""An event without people: a script says what everybody writes; everything else is what a real event runs.

Every order is compared with the script: `ReadingTally` counts what was read alone, what was asked, and what was wrong.
"""

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np

from pipeline.board.map import Power
from pipeline.desk.event.ending import goes_on
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, games
from pipeline.desk.event.turn import Turn
from pipeline.desk.intake.identifying import set_aside
from pipeline.desk.intake.ingest import PageIn, take_in
from pipeline.desk.publish.publish import publish
from pipeline.desk.review.queue import ReviewItem, queue, settle, take_the_rule
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import Row
from pipeline.desk.ruling.rulings import NOTHING, RowDecision
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import Printed, print_round
from pipeline.desk.sheets.unfiled_pages import may_be, waiting_pages
from pipeline.ledger.files.disk import keep_file
from pipeline.ledger.parts import SheetDecision, Source
from pipeline.orders.notation import write
from pipeline.paper.layout.sheet_layout import Form
from pipeline.paper.sheet.field_rows import Design
from pipeline.pen.slips import Slip
from pipeline.problems import Weight
from pipeline.reading.rows.recogniser import Recogniser
from pipeline.rehearsal.pad_stacks import PadStacks
from pipeline.rehearsal.rows_for import by_sea, rows_for
from pipeline.rehearsal.simulated_scans import Writer, write_and_scan
from pipeline.rehearsal.typist import TypingWay, type_sheet

ALONE = (Source.READ, Source.MARKED)
UNASKED = (*ALONE, Source.TYPED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedSheet:
    """What one player writes in one phase, and what must come of it."""

    turn: Turn
    hand: int  # the seed of the hand that writes
    lines: tuple[str, ...]
    truth: Mapping[int, str] = field(default_factory=dict)  # row -> the order that stands, where the line differs
    rulings: Mapping[int, RowDecision] = field(default_factory=dict)  # what the director rules on rows that are asked
    slips: Mapping[int, Slip] = field(default_factory=dict)
    is_missing: bool = False
    comes_twice: bool = False
    typed: tuple[TypingWay, ...] = ()  # for each line, what the director types for it, who takes it down without paper

    @property
    def is_on_paper(self) -> bool:
        """Whether a sheet comes in."""
        return not self.is_missing and not self.typed

    @property
    def orders(self) -> Mapping[int, str]:
        """The order that stands in each row, canonical, several parted by a semicolon; nothing for a row without."""
        return {row: self.truth.get(row, line) for row, line in enumerate(self.lines, start=1)}


class Script(Protocol):
    """Says what everybody writes."""

    @property
    def director(self) -> str:
        """Who rules."""

    @property
    def seed(self) -> int:
        """Where the scanner's accidents come from."""

    def sheet(self, game: Game, power: Power) -> ScriptedSheet | None:
        """What a power writes in the phase its board is in; None ends the game."""


class Listener:
    """Whoever watches; the default says nothing."""

    def step(self, text: str) -> None:
        """A stage begins."""

    def say(self, text: str) -> None:
        """Something worth a line happened."""

    def page(self, page: PageIn) -> None:
        """A page was read."""

    def pages_to_come(self, count: int) -> None:
        """So many pages were written and will be read."""


@dataclass(slots=True)
class ReadingTally:
    """How the reading, and what was typed, compare with the script."""

    rows: int = 0
    alone: int = 0
    typed: int = 0  # rows that somebody typed
    told: int = 0  # sheets of which something was told before it was typed a second time
    asked: Counter[str] = field(default_factory=Counter)  # status -> how often a person was asked
    wrong: list[dict[str, str]] = field(default_factory=list)  # adjudicated unasked, and not what was written
    ruled_wrong: list[dict[str, str]] = field(default_factory=list)  # differs though the director was asked
    trays: Counter[str] = field(default_factory=Counter)
    season_slips: int = 0  # pads that were ticked wrongly
    season_unseen: list[str] = field(default_factory=list)  # of these, the turns that nobody was asked about


@dataclass(frozen=True, slots=True)
class Simulation:
    """A scripted event on its way."""

    event: Event
    script: Script
    out: Path
    engine: Recogniser
    listener: Listener
    design: Design | None = None  # None: as `sheets` prints when nothing is said
    tally: ReadingTally = field(default_factory=ReadingTally)
    rows: dict[Turn, Mapping[int, int]] = field(default_factory=dict)  # by turn, which line is written in which row
    convoyed: dict[Turn, frozenset[int]] = field(default_factory=dict)  # by turn, lines whose rows say: by sea
    stacks: PadStacks | None = None  # where the event runs on pads

    def play_next_phase(self) -> bool:
        """Play the earliest phase that any board is in; False when the script has nothing more."""
        going = [(game, sheets) for game in games(self.event).values() if (sheets := self.sheets(game))]
        if not going:
            return False
        phase = min((game.position.phase for game, _ in going), key=lambda p: p.sort_key)
        self.listener.step(phase.in_words)
        boards = [(game, sheets) for game, sheets in going if game.position.phase == phase]
        files = [file for game, sheets in boards for file in self.written(game, sheets)]
        for problem in take_in(self.event, files, self.engine, self.hear):
            self.listener.say(str(problem))
        for game, sheets in boards:
            self.look_at_ticks(game, sheets)
            self.type(game, sheets)
            self.rule(game, sheets)
            self.compare(game, sheets)
            published = publish(self.event, game.name, self.script.director)
            self.listener.say(f"board {game.name} is published: {published.card.name}")
        return True

    def sheets(self, game: Game) -> dict[Power, ScriptedSheet]:
        """What the script has for the phase a board is in."""
        if not goes_on(self.event, game):
            return {}
        found = {power: self.script.sheet(game, power) for power in game.seating.players}
        return {power: sheet for power, sheet in found.items() if sheet is not None}

    def print(self, game: Game) -> Printed:
        """Print a board's sheets."""
        printed = print_round(self.event, game.seating.round, game.seating.board, None, 0, self.design)
        path = self.out / f"sheets-{game.name}-{game.position.phase}.pdf"
        keep_file(path, printed.pdf)
        self.listener.say(f"{len(printed.layout.pages)} sheets printed: {path.name}")
        return printed

    def written(self, game: Game, sheets: Mapping[Power, ScriptedSheet]) -> Iterator[Path]:
        """Let the players of a board write, on sheets for this phase or on the pads before them."""
        if self.stacks is None:
            yield from self.papers(game, sheets, self.print(game))
            return
        for number, dealt in enumerate(self.stacks.deal(game, sheets)):
            yield from self.papers(game, sheets, dealt.printed, dealt.sheets, f"-{number}")

    def papers(
        self,
        game: Game,
        sheets: Mapping[Power, ScriptedSheet],
        printed: Printed,
        pads: Mapping[str, tuple[str, ...]] | None = None,
        suffix: str = "",
    ) -> tuple[Path, ...]:
        """Let the players write and the scanner scan; of a print-out of pads only those that were dealt now."""
        requests = {sheet_id: sheet.request for sheet_id, sheet in printed_sheets(self.event).items()}
        forms: dict[Power, list[Form]] = {}
        for page in printed.layout.pages:
            if pads is None or page.sheet in pads:
                forms.setdefault(requests[page.sheet].power, []).append(page.form)
        for power, mine in forms.items():
            words = self.event.tournament.abbreviations
            turn, lines = sheets[power].turn, sheets[power].lines
            self.rows[turn] = rows_for(lines, mine, words)
            self.convoyed[turn] = by_sea(lines, mine, self.rows[turn])

        def writer_of(sheet_id: str) -> Writer | None:
            request = requests[sheet_id]
            if pads is not None and sheet_id not in pads:
                return None
            sheet = sheets[request.power]
            if not sheet.is_on_paper:
                return None
            lines = self.rows[sheet.turn]
            here = [row for row in printed_rows(printed, sheet_id) if row in lines]
            return Writer(
                hand=sheet.hand,
                player=game.seating.players[request.power],
                lines={row: sheet.lines[lines[row] - 1] for row in here},
                slips={row: sheet.slips[lines[row]] for row in here if lines[row] in sheet.slips},
                ticks=pads[sheet_id] if pads is not None else (),
                times=2 if sheet.comes_twice else 1,
            )

        folder = self.out / "scans" / f"{game.name}-{game.position.phase}{suffix}"
        seed = int(
            np.random.default_rng([self.script.seed, *f"{game.name}{game.position.phase}".encode()]).integers(2**31)
        )
        writers = (writer_of(page.sheet) for page in printed.layout.pages)
        self.listener.pages_to_come(sum(writer.times for writer in writers if writer is not None))
        return write_and_scan(printed, writer_of, folder, seed)

    def hear(self, page: PageIn) -> None:
        """Count a page and pass it on."""
        self.tally.trays[str(page.tray)] += 1
        self.listener.page(page)

    def look_at_ticks(self, game: Game, sheets: Mapping[Power, ScriptedSheet]) -> None:
        """Count the pads that were ticked wrongly, and those of them that nobody would be asked about."""
        for power, sheet in sheets.items():
            if self.stacks is None or not sheet.is_on_paper or not self.stacks.is_wrong(sheet.turn):
                continue
            self.tally.season_slips += 1
            if not any(problem.weight is Weight.ASKS for problem in Desk.of(self.event).power(game, power).problems):
                self.tally.season_unseen.append(str(sheet.turn))

    def type(self, game: Game, sheets: Mapping[Power, ScriptedSheet]) -> None:
        """Type the sheets that are not on paper, as a director does."""
        for sheet in sheets.values():
            if not sheet.typed:
                continue
            told = type_sheet(self.event, game, sheet.turn, sheet.typed, self.script.director)
            self.tally.typed += len(sheet.typed)
            if told:
                self.tally.told += 1
                self.listener.say(f"told   {sheet.turn}: {told}")

    def rule(self, game: Game, sheets: Mapping[Power, ScriptedSheet]) -> None:
        """Answer every doubt of a board as the script's director does, until nothing waits.

        The players' lines are known to the script, so a page that could not be filed is put aside.
        """
        while doubts := list(queue(self.event, game.name)):
            for doubt in first_of_each_turn(doubts):
                self.tell(doubt)
                sheet = sheets[doubt.turn.power]
                line = self.line_of(sheet, doubt.row.line) if doubt.row else 0
                settle(self.event, doubt, decide(doubt, line, sheet), self.script.director)
        for page in waiting_pages(self.event).values():
            if may_be(self.event, game, page, printed_sheets(self.event)):
                set_aside(self.event, page, self.script.director, "its lines are known without it")

    def line_of(self, sheet: ScriptedSheet, row: int) -> int:
        """The line of the script that stands in a row; 0 where none does. Typed lines are their own rows."""
        if sheet.is_on_paper:
            return self.rows.get(sheet.turn, {}).get(row, 0)
        return row if row <= len(sheet.lines) else 0

    def tell(self, doubt: ReviewItem) -> None:
        """Say what is asked and why; keep the picture of the first row that a rule is quoted for."""
        row = doubt.row
        if row is None:
            self.tally.asked["sheet"] += 1
            self.listener.say(f"asked  {doubt.turn}: {doubt.problem.text if doubt.problem else ''}")
            return
        self.tally.asked[row.status] += 1
        self.listener.say(f"asked  {doubt.turn} line {row.line}: {row.ink!r}  {row.rule}  {row.reason}")
        picture = self.out / "flagged-row.png"
        if row.crop and row.rule and not picture.exists():
            shutil.copyfile(self.event.folder / row.crop, picture)

    def compare(self, game: Game, sheets: Mapping[Power, ScriptedSheet]) -> None:
        """Compare every order with the script, and note whether anybody was asked about it."""
        for rows in Desk.of(self.event).board(game):
            sheet = sheets[rows.power]
            for line, order in sheet.orders.items() if not sheet.is_missing else ():
                self.tally.rows += 1
                here = [row for row in rows.rows if self.line_of(sheet, row.line) == line]
                is_by_sea = line in self.convoyed.get(sheet.turn, ()) and bool(here)
                is_told = is_by_sea and all(row.source in ALONE for row in here)  # a ruling is the line as it was meant
                truth = f"{order} VIA" if " - " in order and is_told and not order.endswith(" VIA") else order
                self.weigh(f"{sheet.turn} line {line}", sheet.lines[line - 1], truth, here)

    def weigh(self, where: str, written: str, truth: str, rows: list[Row]) -> None:
        """Weigh what stands in one row against what was written there; a row that vanished is wrong unasked."""
        orders = [write(row.order) for row in rows if row.order is not None]
        self.tally.alone += bool(rows) and all(row.source in ALONE for row in rows)
        found = {"where": where, "written": written, "truth": truth, "order": "; ".join(orders)}
        if found["order"] == truth and rows:
            return
        found["read"] = rows[0].ink if rows else ""
        unasked = all(row.source in UNASKED for row in rows)
        (self.tally.wrong if unasked else self.tally.ruled_wrong).append(found)


def printed_rows(printed: Printed, sheet_id: str) -> list[int]:
    """The numbers of the rows of a printed sheet."""
    page = next(page for page in printed.layout.pages if page.sheet == sheet_id)
    return [row.row for row in page.form.rows if row.row is not None]


def first_of_each_turn(doubts: list[ReviewItem]) -> Iterator[ReviewItem]:
    """One doubt a turn, since a ruling may settle others of the same sheet."""
    seen: set[Turn] = set()
    for doubt in doubts:
        if doubt.turn not in seen:
            seen.add(doubt.turn)
            yield doubt


def decide(doubt: ReviewItem, line: int, sheet: ScriptedSheet) -> RowDecision | SheetDecision:
    """What the script's director says: the recorded ruling, what the rule prescribes, or what a person reads.

    ``line`` is the line of the script that stands in the doubtful row; 0 where none does.
    """
    if doubt.row is None:
        return SheetDecision.NO_ORDERS if sheet.is_missing else SheetDecision.ACCEPTED
    if line in sheet.rulings:
        return sheet.rulings[line]
    if "IMPLIED" in doubt.row.flags:
        return RowDecision(order=sheet.orders[line] or NOTHING, why="only what was written stands")
    by_rule = take_the_rule(doubt)
    if by_rule is not None and (line == 0 or fold(doubt.row.ink) == fold(sheet.lines[line - 1])):
        return by_rule
    if line == 0:
        return RowDecision(order=NOTHING, why="nobody wrote anything here")
    return RowDecision(text=sheet.lines[line - 1], why="read by a person")


def fold(text: str) -> str:
    """Compare texts without spaces and case."""
    return "".join(text.split()).casefold()

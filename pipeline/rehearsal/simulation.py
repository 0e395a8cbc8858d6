"""An event without people: a script says what everybody writes; everything else is what a real event runs.

Every order is compared with the script: `ReadingTally` counts what was read alone, what was asked, and what was wrong.
"""

import itertools
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import FIRST_PHASE, Phase, Position, Power, Season, Step, Unit, starting_position
from pipeline.desk.event import ending
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import Game, find_game, games
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.forms.votes import Asking, Count, Says, hold_counted
from pipeline.desk.intake.ingest import PageIn, set_page_aside, take_in
from pipeline.desk.publish.publish import publish
from pipeline.desk.results.notes import enter_note
from pipeline.desk.results.results import event_results
from pipeline.desk.review.queue import ReviewItem, queue, settle_doubt, take_the_rule
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import Row
from pipeline.desk.ruling.rulings import NOTHING, RowDecision, type_lines
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import Printed, PrintWish, print_round
from pipeline.desk.sheets.sheets_in import fold_text
from pipeline.desk.sheets.unfiled_pages import may_be, waiting_pages
from pipeline.draw.roster import Player
from pipeline.ledger.claims import Claims
from pipeline.ledger.events import PositionSet
from pipeline.ledger.files import keep_file, now
from pipeline.ledger.parts import SheetDecision, Source, board_name
from pipeline.orders import write, write_position
from pipeline.paper.sheet_layout import Form
from pipeline.paper.sheet_rows import Design
from pipeline.pen.writing import Slip
from pipeline.problems import Stopped, Weight
from pipeline.reading.recogniser import Recogniser
from pipeline.rehearsal import simulated_scans
from pipeline.rules.game_end import Moment
from pipeline.rules.tournament import VoteTime
from pipeline.scoring.results import Ending
from pipeline.words.speech import write_count

ALONE = (Source.READ, Source.MARKED)
UNASKED = (*ALONE, Source.TYPED)


class ScriptedSheet(Struct, frozen=True, kw_only=True):
    """What one player writes in one phase, and what must come of it."""

    turn: Turn
    hand: int  # the seed of the hand that writes
    lines: tuple[str, ...]
    truth: Mapping[int, str] = field(default_factory=dict)  # row -> the order that stands, where the line differs
    rulings: Mapping[int, RowDecision] = field(default_factory=dict)  # what the director rules on rows that are asked
    slips: Mapping[int, Slip] = field(default_factory=dict)
    is_missing: bool = False
    comes_twice: bool = False
    typed: tuple[simulated_scans.TypingWay, ...] = ()  # where there is no paper: what the director types for each line

    @property
    def is_on_paper(self) -> bool:
        """Whether a sheet comes in."""
        return not self.is_missing and not self.typed

    @property
    def orders(self) -> Mapping[int, str]:
        """The order that stands in each row, canonical, several separated by a semicolon; nothing for a row without."""
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
    """Callbacks that follow a simulation; by default they do nothing."""

    def step(self, text: str) -> None:
        """A stage begins."""

    def say(self, text: str) -> None:
        """Something worth a line happened."""

    def page(self, page: PageIn) -> None:
        """A page was read."""

    def pages_to_come(self, count: int) -> None:
        """So many pages were written and will be read."""


class ReadingTally(Struct):
    """How the reading, and what was typed, compare with the script."""

    rows: int = 0
    alone: int = 0  # rows that the program read without asking anybody
    typed: int = 0  # rows that somebody typed
    warned: int = 0  # sheets with a warning before they were typed a second time
    asked: Counter[str] = field(default_factory=Counter)  # status -> how often a person was asked
    wrong: list[dict[str, str]] = field(default_factory=list)  # adjudicated unasked, and not what was written
    ruled_wrong: list[dict[str, str]] = field(default_factory=list)  # differs though the director was asked
    trays: Counter[str] = field(default_factory=Counter)
    season_slips: int = 0  # pads that were ticked wrongly
    season_unseen: list[str] = field(default_factory=list)  # of these, the turns that nobody was asked about


class Simulation(Struct, frozen=True):
    """A scripted event on its way."""

    event: Event
    script: Script
    out: Path
    engine: Recogniser
    listener: Listener
    design: Design | None = None  # None: the default of `sheets`
    tally: ReadingTally = field(default_factory=ReadingTally)
    rows: dict[Turn, Mapping[int, int]] = field(default_factory=dict)  # by turn, which line is written in which row
    convoyed: dict[Turn, frozenset[int]] = field(default_factory=dict)  # by turn, lines with a tick at "by sea"
    stacks: simulated_scans.PadStacks | None = None  # where the event runs on pads

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
        if not ending.is_going_on(self.event, game):
            return {}
        by_power = {power: self.script.sheet(game, power) for power in game.seating.players}
        return {power: sheet for power, sheet in by_power.items() if sheet is not None}

    def print(self, game: Game) -> Printed:
        printed = print_round(self.event, game.seating.round, game.seating.board, PrintWish(design=self.design))
        path = self.out / f"sheets-{game.name}-{game.position.phase}.pdf"
        keep_file(path, printed.pdf)
        self.listener.say(f"{write_count(len(printed.layout.pages), 'sheet')} printed: {path.name}")
        return printed

    def written(self, game: Game, sheets: Mapping[Power, ScriptedSheet]) -> Iterator[Path]:
        """Let the players of a board write, on sheets for this phase or on the pads before them."""
        if self.stacks is None:
            yield from self.papers(game, sheets, self.print(game))
            return
        for number, (printed, pads) in enumerate(self.stacks.deal(game, sheets)):
            yield from self.papers(game, sheets, printed, pads, f"-{number}")

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
            self.rows[turn] = simulated_scans.rows_for(lines, mine, words)
            self.convoyed[turn] = simulated_scans.by_sea(lines, mine, self.rows[turn])

        def writer_of(sheet_id: str) -> simulated_scans.Writer | None:
            request = requests[sheet_id]
            if pads is not None and sheet_id not in pads:
                return None
            sheet = sheets[request.power]
            if not sheet.is_on_paper:
                return None
            lines = self.rows[sheet.turn]
            page = next(page for page in printed.layout.pages if page.sheet == sheet_id)
            here = [each.row for each in page.form.rows if each.row is not None and each.row in lines]
            return simulated_scans.Writer(
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
        return simulated_scans.write_and_scan(printed, writer_of, folder, seed)

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
            refused = simulated_scans.type_sheet(self.event, game, sheet.turn, sheet.typed, self.script.director)
            self.tally.typed += len(sheet.typed)
            if refused:
                self.tally.warned += 1
                self.listener.say(f"told   {sheet.turn}: {refused}")

    def rule(self, game: Game, sheets: Mapping[Power, ScriptedSheet]) -> None:
        """Answer every doubt of a board as the script's director does, until nothing waits.

        The players' lines are known to the script, so a page that could not be filed is put aside.
        """
        while doubts := list(queue(self.event, game.name)):
            for doubt in _first_of_each_turn(doubts):
                self.tell(doubt)
                sheet = sheets[doubt.turn.power]
                line = self.line_of(sheet, doubt.row.line) if doubt.row else 0
                settle_doubt(self.event, doubt, _decide_as_script(doubt, line, sheet), self.script.director)
        for page in waiting_pages(self.event).values():
            if may_be(game, page, printed_sheets(self.event)):
                set_page_aside(self.event, page, self.script.director, "its lines are known without it")

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
                is_ticked = is_by_sea and all(row.source in ALONE for row in here)  # a ruling has no ticks
                truth = f"{order} VIA" if " - " in order and is_ticked and not order.endswith(" VIA") else order
                self.weigh(f"{sheet.turn} line {line}", sheet.lines[line - 1], truth, here)

    def weigh(self, where: str, written: str, truth: str, rows: list[Row]) -> None:
        """Compare the order of one row with what was written there; a row that vanished counts as wrong unasked."""
        orders = [write(row.order) for row in rows if row.order is not None]
        self.tally.alone += bool(rows) and all(row.source in ALONE for row in rows)
        report = {"where": where, "written": written, "truth": truth, "order": "; ".join(orders)}
        if report["order"] == truth and rows:
            return
        report["read"] = rows[0].ink if rows else ""
        unasked = all(row.source in UNASKED for row in rows)
        (self.tally.wrong if unasked else self.tally.ruled_wrong).append(report)


def _first_of_each_turn(doubts: list[ReviewItem]) -> Iterator[ReviewItem]:
    """One doubt a turn, since a ruling may settle others of the same sheet."""
    seen: set[Turn] = set()
    for doubt in doubts:
        if doubt.turn not in seen:
            seen.add(doubt.turn)
            yield doubt


def _decide_as_script(doubt: ReviewItem, line: int, sheet: ScriptedSheet) -> RowDecision | SheetDecision:
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
    if by_rule is not None and (line == 0 or fold_text(doubt.row.ink) == fold_text(sheet.lines[line - 1])):
        return by_rule
    if line == 0:
        return RowDecision(order=NOTHING, why="nobody wrote anything here")
    return RowDecision(text=sheet.lines[line - 1], why="read by a person")


# The end of a rehearsal: one board for every way in which this tournament's games end, each compared with the truth.
#
# A small event of its own, without paper: positions are taken over where each way begins, the last orders are typed.

ORACLE = "the oracle"
WHY = "the rehearsal tries it"
MIDDLE = 1905  # a year in which every tournament holds votes
TOWN, ELSEWHERE = "ROM", "MOS"  # the centre that makes a solo, and one that another power keeps
WORD = "pineapple"


class Way(Struct, frozen=True):
    """One way in which games end, played to the moment at which it does."""

    how: Ending
    play: Callable[[Event, str], None]
    centres: Mapping[Power, int]  # that must be the result
    wants_why: bool = False  # whether the rules leave it to the director, who says why


def _ways_to_end(event: Event) -> Iterator[Way]:
    """Every way that the rules of this tournament know, and those that a director may choose over them."""
    ending_rules, begun = event.tournament.ending, starting_position(event.board)
    start = {power: len(begun.centres.get(power, ())) for power in begun.units}
    solo = dict.fromkeys(event.board.start, 0) | {Power.ITALY: _majority(event), Power.AUSTRIA: 1}
    yield Way(Ending.SOLO, _play_solo, solo)
    yield Way(Ending.VOTE, _play_vote, start)
    last = ending_rules.last_year.value
    if last is not None:
        yield Way(
            Ending.LAST_YEAR,
            lambda event, board: _hold_all(event, board, Phase(last, Season.FALL, Step.MOVEMENT)),
            start,
        )
    if ending_rules.stagnation_years.value is not None:
        yield Way(Ending.STAGNATION, _play_stagnation, start)
    if ending_rules.dice.added.value:
        yield Way(Ending.DICE, _play_dice, start)
    later = Phase((last or MIDDLE) + 1, Season.SPRING, Step.MOVEMENT)
    yield Way(Ending.TIME, lambda event, board: _take_over(event, board, _start_at(event, later)), start)
    for how in (Ending.CONCEDED, Ending.ABANDONED):
        yield Way(how, lambda event, board: _take_over(event, board, _start_at(event, later)), start, wants_why=True)


def rehearse_ends(tournament: str, folder: Path, map_name: str = "standard") -> list[dict[str, str]]:
    """End a game in every way, and say what is otherwise than it must be; nothing: all is well."""
    names = [f"Player {number}" for number in range(1, 9)]
    details = Details(name="Ends", code="ENDS", tournament=tournament, map_name=map_name)
    make_event_folder(folder, details, [Player(name=n) for n in names], now)
    wrong: list[dict[str, str]] = []
    with open_event(folder, now) as event:
        for number, way in enumerate(_ways_to_end(event), start=1):
            boards = {str(board): dict(zip(event.board.start, names, strict=False)) for board in range(1, number + 1)}
            seat_round(event, 1, boards, by=ORACLE)
            wrong += [{"end": str(way.how), "found": each} for each in _end_so(event, f"1.{number}", way)]
        wrong += [{"end": "a newcomer", "found": each} for each in _replace_first_player(event, names[7])]
    return wrong


def _end_so(event: Event, board: str, way: Way) -> Iterator[str]:
    """Play one board to its end; check that this end is refused at the start, and that its counts are true."""
    if not ending.bars_against_end(event, find_game(event, board), way.how):
        yield "it was not refused in Spring 1901"
    way.play(event, board)
    if not find_game(event, board).ending:
        if way.wants_why and not _is_refused(event, board, way.how):
            yield "it wanted no reason"
        ending.end_game(event, find_game(event, board), way.how, by=ORACLE, why=WHY if way.wants_why else "")
    if way.how not in (Ending.SOLO, Ending.VOTE):  # these follow from the board and from the ballots
        ending.undo_end(event, find_game(event, board), by=ORACLE, why=WHY)
        ending.end_game(event, find_game(event, board), way.how, by=ORACLE, why=WHY if way.wants_why else "")
    (board_result,) = [each for each in event_results(event).boards if board_name(each.round, each.name) == board]
    if board_result.ended is not way.how:
        yield f"it ended by {board_result.ended}"
    if dict(board_result.centres) != dict(way.centres):
        yield f"{board_result.centres} is counted, and {way.centres} is true"


def _is_refused(event: Event, board: str, how: Ending) -> bool:
    """Whether a game does not end so without a reason."""
    try:
        ending.end_game(event, find_game(event, board), how, by=ORACLE)
    except Stopped:
        return True
    return False


def _replace_first_player(event: Event, newcomer: str) -> Iterator[str]:
    """Somebody takes the seat of the first player over; the result says who came when, and whose seat it was."""
    game = find_game(event, "1.1")
    before = game.seating.players[Power.AUSTRIA]
    typed = {"board": game.name, "power": "AUSTRIA", "player": newcomer, "phase": "F1903"}
    enter_note(event, "substitute", typed, by=ORACLE, why=WHY)
    seat = event_results(event).boards[0].seats[Power.AUSTRIA]
    if (seat.player, seat.instead_of, seat.arrived) != (newcomer, before, 6):
        yield f"{seat.player} came for {seat.instead_of} in season {seat.arrived}"


# ---- positions ------------------------------------------------------------------------------------------------------


def _majority(event: Event) -> int:
    """How many centres are more than half of them."""
    return len(event.board.centres) // 2 + 1


def _start_at(event: Event, phase: Phase) -> Position:
    """The units of the start, later in the game."""
    return replace(starting_position(event.board), phase=phase)


def _take_over(event: Event, board: str, position: Position) -> None:
    event.facts.write(PositionSet(board=board, position=write_position(position)), ORACLE)


def _hold_all(event: Event, board: str, phase: Phase) -> None:
    """Take over at a phase and let every unit hold."""
    _take_over(event, board, _start_at(event, phase))
    _type_and_publish(event, find_game(event, board), {})


def _type_and_publish(event: Event, game: Game, orders: Mapping[Unit, str]) -> None:
    """Type an order for every unit, a hold where there is no other, and publish."""
    for power, units in game.position.units.items():
        if units:
            lines = [orders.get(unit, f"{unit} H") for unit in units]
            type_lines(event, Turn(game.name, game.position.phase, power), lines, by=ORACLE)
    publish(event, game.name, ORACLE)


def _play_solo(event: Event, board: str) -> None:
    """Italy takes the centre that makes more than half of them: the eighteenth, or of six players the sixteenth."""
    start = _start_at(event, Phase(MIDDLE, Season.FALL, Step.MOVEMENT))
    others = [town for town in event.board.centres if town not in (TOWN, ELSEWHERE)]
    towns = others[: _majority(event) - 1]
    army = Unit(start.units[Power.ITALY][0].kind, "APU")
    units = dict.fromkeys(start.units, ()) | {Power.ITALY: (army,), Power.AUSTRIA: (replace(army, place=ELSEWHERE),)}
    owned = dict.fromkeys(start.units, ()) | {Power.ITALY: tuple(towns), Power.AUSTRIA: (ELSEWHERE,)}
    _take_over(event, board, replace(start, units=units, centres=owned))
    _type_and_publish(event, find_game(event, board), {army: f"A APU - {TOWN}"})


def _play_vote(event: Event, board: str) -> None:
    """Everybody votes for the draw, at a moment at which this tournament votes."""
    _take_over(event, board, _start_at(event, Phase(MIDDLE, Season.SPRING, Step.MOVEMENT)))
    after = event.tournament.ending.vote.time.value is VoteTime.AFTER_PHASE
    moment = Moment.BETWEEN if after else Moment.NEGOTIATION
    asking = Asking(power=Power.FRANCE, moment=moment, all_agree=True, stalemate=True)
    game = find_game(event, board)
    hold_counted(event, game, asking, Count(yes=len(game.seating.players), no=0), Says(ruled=True, why=WHY), by=ORACLE)


def _play_stagnation(event: Event, board: str) -> None:
    """So many years as the rules name pass, and no centre changes hands."""
    ending_rules = event.tournament.ending
    first = (ending_rules.stagnation_after.value or FIRST_PHASE.year - 1) + 1
    _take_over(event, board, _start_at(event, Phase(first, Season.SPRING, Step.MOVEMENT)))
    for _ in range(2 * (ending_rules.stagnation_years.value or 0)):
        _type_and_publish(event, find_game(event, board), {})


def _play_dice(event: Event, board: str) -> None:
    """A year is played and the die falls so that no other follows: the seed is one that throws a six."""
    _hold_all(event, board, Phase(MIDDLE, Season.FALL, Step.MOVEMENT))
    seed = next(
        f"rehearsal {number}" for number in itertools.count() if ending.die_of(f"rehearsal {number}", WORD) == 6
    )
    claims = Claims(event.folder / "claims.db")
    try:
        ending.commit_roll(event, claims, 1, seed, ORACLE)
        ending.reveal_roll(event, claims, 1, WORD, ORACLE)
    finally:
        claims.close()

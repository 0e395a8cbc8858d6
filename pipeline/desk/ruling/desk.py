"""The director's desk: every board with its powers and rows, read from the facts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Power, Step
from pipeline.desk.event.ending import is_going_on
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, at_phase, find_game, games, phase_began, position_before
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import abandoned_seats
from pipeline.desk.ruling.row_reader import NOTHING_RULED, RowReader, left_open, settled_orders
from pipeline.desk.ruling.rows import PowerRows, Row, RowScan, on_these_rows, refuse_implied
from pipeline.desk.ruling.rulings import (
    NOTHING,
    RowDecision,
    RowRuling,
    RulingsOf,
    TypedLines,
    all_rulings,
    gather_rulings,
    nothing_of,
    rule_row,
    rule_sheet,
    ruling_of,
    same_lines,
    same_on_row,
    same_on_sheet,
)
from pipeline.desk.ruling.sheet_state import RULE_AGAIN, Conduct, SheetDoubt, WeighedSheets, doubt_on_sheets
from pipeline.desk.sheets.pads import SheetReason, SheetState
from pipeline.desk.sheets.printed import expected_units, ordered_then, orders_due, what_to_order
from pipeline.desk.sheets.sheets_in import SheetIn, crop_path, filled_sheets, sheets_in
from pipeline.desk.sheets.unfiled_pages import unread_files
from pipeline.ink import InkLine, Note
from pipeline.interpret.doubts import LineDoubt
from pipeline.judge.winter import balances
from pipeline.ledger.events import (
    Decision,
    DecisionUndone,
    LedgerEvent,
    LinesTyped,
    PhasePublished,
    PlayerReplaced,
    RowRuled,
    SheetRuled,
)
from pipeline.ledger.ledger import Fact, standing, still_counting
from pipeline.ledger.parts import Question, RulingBasis, SheetDecision, Source
from pipeline.orders import Build, Disband, Waive, units_of, write
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules.conduct import Effect
from pipeline.rules.rulings_book import INK, Ruling, RulingsBook, Situation
from pipeline.words.speech import PLAIN, Message, sentences

# The rulings book of an event, read from its facts: earlier rulings are offered where the same is asked again.


def situation_of(row: Row) -> Situation:
    """What is doubtful about a row, without board and power; unread rows are alike if their best readings are."""
    if row.situation is not None:
        return row.situation
    doubt = row.flags[0] if row.flags else row.status.upper()
    return Situation(doubt, row.rule or INK, row.ink)


def asked_of(row: Row) -> Question:
    """The question that a ruling on a row answers, kept with the ruling and found where it is asked again."""
    doubts = tuple(_plain_doubt(doubt) for doubt in row.because if isinstance(doubt, LineDoubt))
    return replace(Question.of(situation_of(row)), ink=row.ink, found=doubts, lacks=row.lacks)


def _plain_doubt(doubt: LineDoubt) -> LineDoubt:
    """Make a doubt storable in a fact: data that is not plain, such as the judge's reason, becomes text."""
    data = dict(doubt.data)
    for name, value in doubt.data:
        if not isinstance(value, (*PLAIN, tuple)) or isinstance(value, StrEnum):
            data[name] = str(value)
    return LineDoubt.of(doubt.code, **data)


def asked_of_sheet(problem: Problem | None) -> Question | None:
    """The question that a ruling on a sheet answers; None where no other sheet could raise the same one."""
    situation = problem.situation if isinstance(problem, SheetDoubt) else None
    return None if situation is None else Question.of(situation)


def rulings_book(log: Iterable[Fact[LedgerEvent]], *, with_readings: bool = True) -> RulingsBook:
    """Every ruling that counts, on rows and on sheets.

    Without ``with_readings``, rulings that only say what the ink says are left out.
    """
    rulings = (_as_ruling(fact, with_readings=with_readings) for fact in still_counting(log))
    return RulingsBook(tuple(ruling for ruling in rulings if ruling is not None))


class BookByFacts:
    """The rulings book of a log that grows: each of its rulings is read once."""

    def __init__(self) -> None:
        self.read: dict[int, tuple[Fact[LedgerEvent], Ruling | None]] = {}  # by the number of its fact

    def of(self, log: Iterable[Fact[LedgerEvent]]) -> RulingsBook:
        """As `rulings_book` with readings; each fact is read only once."""
        rulings = (self.ruling(fact) for fact in still_counting(log))
        return RulingsBook(tuple(ruling for ruling in rulings if ruling is not None))

    def ruling(self, fact: Fact[LedgerEvent]) -> Ruling | None:
        """The ruling that a fact is, if it is one; the cached fact of this number may be one that was rolled back."""
        known = self.read.get(fact.number)
        if known is None or known[0] is not fact:
            known = self.read[fact.number] = (fact, _as_ruling(fact, with_readings=True))
        return known[1]


def _as_ruling(fact: Fact[LedgerEvent], *, with_readings: bool) -> Ruling | None:
    """Read a ruling as an entry of the rulings book.

    A ruling that answers no question has the situation UNASKED. None for other facts, and without ``with_readings``
    for rulings that only say what the ink says.
    """
    match fact.said:
        case SheetRuled(asked=Question()) as said:
            decision, where = str(said.decision), "sheet"
        case RowRuled(order=str() as order) as said:
            decision, where = order, f"line {said.line}"
        case RowRuled() as said if with_readings:
            decision, where = f"the ink says {said.text!r}", f"line {said.line}"
        case _:
            return None
    asked = (repr(said.asked.ink) if said.asked.ink else "", sentences(said.asked.found or ())) if said.asked else ()
    return Ruling(
        situation=said.asked.situation if said.asked else Situation("UNASKED", "none"),
        decision=decision,
        by=fact.by,
        asked=": ".join(part for part in asked if part),
        why=said.why,
        when=fact.at,
        case=f"board {said.board}, {said.phase}, {where}",
    )


def powers_to_write(event: Event, game: Game) -> tuple[Power, ...]:
    """All powers that must write in the phase a board is in; none once its last year is over."""
    return tuple(expected_units(game.map, game.position)) if is_going_on(event, game) else ()


class Desk(Struct, frozen=True):
    """Everything that came in and was decided, read once for many boards."""

    event: Event
    sheets: dict[Turn, tuple[SheetIn, ...]]
    rulings: dict[Turn, RulingsOf]
    conduct: Conduct
    book: RulingsBook = NOTHING_RULED  # earlier rulings, offered where the rules ask again
    offers: bool = True  # whether unread rows list what their readings would mean

    @classmethod
    def of(cls, event: Event, *, offers: bool = True) -> "Desk":
        rulings = all_rulings(event)
        book = rulings_book(event.facts.select(Decision, DecisionUndone))
        return cls(event, sheets_in(event), rulings, conduct_of(event, rulings), book, offers)

    def board(self, game: Game) -> tuple[PowerRows, ...]:
        return tuple(self.power(game, power) for power in powers_to_write(self.event, game))

    def has_orders(self, game: Game) -> bool:
        """Whether orders for the phase a board is in have come: on a sheet, typed, or ruled without a row.

        If it is ruled of every power that none will come, the phase is as far on as if they had (EDC23 R13).
        """
        here = (game.name, game.position.phase)
        came = (*self.sheets, *(turn for turn, rulings in self.rulings.items() if rulings.give_orders))
        if any((turn.board, turn.phase) == here for turn in came):
            return True
        turns = [Turn(*here, power) for power in powers_to_write(self.event, game)]
        return bool(turns) and all(self.counted_sheets(turn).nothing_will_come for turn in turns)

    def power(self, game: Game, power: Power) -> PowerRows:
        turn = Turn(game.name, game.position.phase, power)
        weighed = self.counted_sheets(turn)
        rows: tuple[Row, ...] = ()
        if weighed.state is not SheetState.MISSING:
            reader = self.reader(game, turn, weighed)
            rows = reader.rows(weighed.rows, nothing_will_come=weighed.nothing_will_come)
        problems = (
            *weighed.problems,
            *self._ask_what_is_due_now(game, turn, weighed),
            *self._ask_whose_orders(game, turn, weighed),
            *self._ask_of_other_position(game, turn, weighed),
        )
        return PowerRows(power=power, state=weighed.state, problems=problems, rows=rows)

    def _ask_what_is_due_now(self, game: Game, turn: Turn, weighed: WeighedSheets) -> Iterator[Problem]:
        """Ask again whether a power has no orders, if what it must retreat, build or disband changed since."""
        ruling = self.rulings.get(turn, RulingsOf()).sheet
        if weighed.state is not SheetState.NO_ORDERS or ruling is None or turn.phase.step is Step.MOVEMENT:
            return
        then = position_before(self.event, game, ruling.fact.number)
        if then is not None and orders_due(game.map, then, turn.power) != orders_due(
            game.map, game.position, turn.power
        ):
            yield doubt_on_sheets(Weight.ASKS, turn, Message.of(SheetReason.OTHER_DUE, what=ruling.as_told), RULE_AGAIN)

    def _ask_whose_orders(self, game: Game, turn: Turn, weighed: WeighedSheets) -> Iterator[Problem]:
        """Ask whether orders count that came in before somebody else, or nobody, got the seat for this phase.

        That nothing will come was said of who had the seat then, not of a newcomer.
        """
        left = [each for each in game.seating.earlier if each.power is turn.power and each.until == turn.phase]
        rulings, newcomer = self.rulings.get(turn, RulingsOf()), game.seating.players.get(turn.power)
        if not left or (weighed.nothing_will_come and not newcomer):
            return
        replaced = max(
            fact.number
            for fact in standing(self.event.facts, PlayerReplaced)
            if (fact.said.board, fact.said.power, fact.said.phase) == (turn.board, turn.power, turn.phase)
        )
        came = [sheet.came for sheet in filled_sheets(weighed.counted)]
        if weighed.typed and rulings.typed is not None:
            came = [rulings.typed.fact.number]
        if weighed.nothing_will_come and rulings.sheet is not None:
            came = [rulings.sheet.fact.number]
        is_ruled = rulings.sheet is not None and rulings.sheet.fact.number > replaced
        is_read_out = any(
            fact.number < replaced and (fact.said.board, fact.said.phase) == (turn.board, turn.phase)
            for fact in self.event.facts.select(PhasePublished)
        )
        if not is_ruled and not is_read_out and any(number < replaced for number in came):
            because = Message.of(SheetReason.SEAT_CHANGED, before=left[-1].player or "nobody", now=newcomer or "nobody")
            if weighed.nothing_will_come and rulings.sheet is not None:
                yield doubt_on_sheets(Weight.ASKS, turn, rulings.sheet.as_told, because, RULE_AGAIN)
            else:
                yield doubt_on_sheets(Weight.ASKS, turn, because, Message.of(SheetReason.ACCEPTED_OR_REFUSED))

    def _ask_of_other_position(self, game: Game, turn: Turn, weighed: WeighedSheets) -> Iterator[Problem]:
        """Ask whether orders count that are on paper, or typed, of before what their power must order has changed.

        If the phase was published from its present position, the director has seen what they come to.
        """
        began, rulings = phase_began(self.event, game), self.rulings.get(turn, RulingsOf())
        since, now = began.number if began else 0, what_to_order(game.map, game.position, turn.power)
        older = tuple(each for each in _beginnings(weighed, rulings) if min(each.numbers) < since)
        if rulings.sheet is not None:
            older = tuple(each for each in older if rulings.sheet.fact.number < max(since, *each.numbers))
        if not older or any(
            (fact.said.board, fact.said.phase) == (turn.board, turn.phase)
            for fact in self.event.facts.select(PhasePublished, after=since)
        ):
            return
        of_then: dict[frozenset[str], list[Message]] = {}
        for each in older:
            ordered = (ordered_then(self.event, game, turn.power, number) for number in each.numbers)
            then = next((known for known in ordered if known is not None), now)
            of_then.setdefault(then, []).append(each.what)
        for then, what in of_then.items():
            if then != now:
                differ = {"then": tuple(sorted(then - now)), "now": tuple(sorted(now - then))}
                because = Message.of(SheetReason.OTHER_POSITION, what=tuple(what), **differ)
                yield doubt_on_sheets(Weight.ASKS, turn, because, Message.of(SheetReason.ACCEPTED_OR_REFUSED))

    def reader(self, game: Game, turn: Turn, counted: WeighedSheets) -> RowReader:
        """The reader of the lines that count for a turn, with the rulings on them."""
        mine = replace(self.rulings.get(turn, RulingsOf()), rows=self.rulings_on(turn, counted))
        rules = self.event.rules_on(game.map_name)
        player = game.seating.player_at(turn.power, turn.phase)
        return RowReader(rules, game.position, turn.power, mine, counted.ground, self.book, self.offers, player)

    def counted_sheets(self, turn: Turn) -> WeighedSheets:
        weighed = self.conduct.weigh(turn, self.sheets.get(turn, ()))
        typed = self.rulings.get(turn, RulingsOf()).typed
        if weighed.typed and typed is not None:
            return replace(weighed, rows=_typed_rows(typed), ground=RulingBasis(typed=typed.number))
        serials = tuple(sheet.serial for sheet in filled_sheets(weighed.counted))
        return replace(weighed, rows=_inked_rows(weighed.counted), ground=RulingBasis(counted=serials))

    def rulings_on(self, turn: Turn, counted: WeighedSheets) -> tuple[RowRuling, ...]:
        """The rulings on what counts for a turn, by the numbers that its rows have now."""
        rows = [(line.line, line.ground) for line in counted.rows]
        rulings = self.rulings.get(turn, RulingsOf()).rows
        return on_these_rows(rulings, rows, counted.ground, self.sheets.get(turn, ()))


class Beginning(Struct, frozen=True):
    """What was written for a turn, and since when."""

    what: Message
    numbers: tuple[int, ...]  # facts: of its printing, unless the phase is ticked on it, and of its coming in


def _beginnings(weighed: WeighedSheets, rulings: RulingsOf) -> Iterator[Beginning]:
    """What counts for a turn, with the facts of which the first in its phase says for which position it is."""
    if weighed.typed and rulings.typed is not None:
        yield Beginning(rulings.typed.as_told, (rulings.typed.fact.number,))
    for sheet in filled_sheets(weighed.counted):
        request, name = sheet.printed.request, {"sheet": str(sheet.printed.id)}
        if request.is_pad:
            yield Beginning(Message.of(SheetReason.CAME_IN, **name), (sheet.came,))
        else:
            yield Beginning(Message.of(SheetReason.PRINTED, **name), (sheet.printed.fact, sheet.came))


def rule_by_number(event: Event, turn: Turn, line: int, decision: RowDecision, by: str) -> Fact[RowRuled]:
    """Write down a ruling on the row that has this number now, 0 for a unit without a row; stop with all that is wrong.

    In a row with several orders, an order for one unit changes only that one. The question is recorded with it.
    Repeating the command writes nothing; but every waiver without a row counts.
    """
    faults = decision.faults(line)
    desk = Desk.of(event)
    counted = desk.counted_sheets(turn)
    grounds = {row.line: row.ground for row in counted.rows} | {0: counted.ground}
    faults += _surplus_without_row(event, desk, turn, decision) if line == 0 and not faults else []
    if line not in grounds:
        numbers = ", ".join(str(number) for number in grounds if number) or "none: no sheet counts and no line is typed"
        faults = [*faults, f"no row has this number; there are {numbers}"]
    if faults:
        raise Stopped(Problem(Weight.STOPS, text, f"{turn} line {line}") for text in faults)
    rows = [row for row in _turn_rows(event, desk, turn) if row.line == line]
    asked = _asked_about(rows, decision)
    if line and decision.order is not None and NOTHING not in decision.parts:
        decision = _keep_other_units(decision, rows)
    waiting = [row for row in rows if row.needs_director]
    if line and waiting and decision.orders is not None and all(row.is_supplied for row in waiting):
        left = decision.left.settle({row.unit for row in waiting})
        decision = replace(refuse_implied(waiting, decision), left=left)
    elif line and decision.orders == ():
        known = (row.ruling.decision.without for row in rows if row.ruling and not row.ruling.decision.orders)
        now = (lacks for row in waiting for alone in row.leaves for lacks in alone.without)
        decision = replace(decision, without=next(known, tuple(now)))
    if asked is None and (same := same_on_row(desk.rulings_on(turn, counted), line, decision, grounds[line], by)):
        return same
    return rule_row(event, turn, line, decision, by, on=grounds[line], asked=asked)


def rule_without_order(event: Event, turn: Turn, because: str, by: str) -> tuple[Fact[RowRuled], ...]:
    """Write down the ruling "no order" for each unit that no row orders and that waits.

    Repeating it when none waits writes nothing.
    """
    desk = Desk.of(event)
    every = _turn_rows(event, desk, turn)
    rows = [row for row in every if row.line == 0 and row.needs_director]
    if not rows:
        if same := nothing_of(desk.rulings_on(turn, desk.counted_sheets(turn)), because, by):
            return same
        first = ", ".join(dict.fromkeys(str(row.line) for row in every if row.needs_director))
        why = f"settle first what waits: line {first}" if first else "see 'ordersheets orders' for what stands"
        text = f"nothing would be ruled: no unit without a row waits here; {why}"
        raise stop(text, f"{turn} line 0")
    decisions = ((row, RowDecision(order=NOTHING, why=because, without=row.without)) for row in rows)
    rulings = (ruling_of(turn, 0, decision, on=row.ground, asked=asked_of(row)) for row, decision in decisions)
    return event.facts.write_all(rulings, by)


def check_going_on(game: Game, turn: Turn) -> None:
    """Stop if nothing can be ruled on a turn because its game is over."""
    if game.ending:
        raise stop(f"the game is over ({game.ending}); to correct a published phase, name it with --phase", str(turn))


def check_orders_due(game: Game, turn: Turn) -> None:
    """Stop if a power has nothing to order in the phase that a game is in."""
    due = expected_units(game.map, game.position)
    if turn.power not in due:
        others = f"; orders are due from {', '.join(due)}" if due else ""
        raise stop(f"{turn.power} has no orders to write now{others}", str(turn))


def rule_unasked(
    desk: Desk, game: Game, turn: Turn, decision: SheetDecision, *, by: str, why: str, serial: int | None = None
) -> Fact[SheetRuled]:
    """Write down a decision on a sheet, made by a command, unless the same one is in force and nothing is asked."""
    if turn.phase == game.position.phase:
        check_going_on(game, turn)
    if decision.is_late and turn not in desk.sheets:
        check_orders_due(game, turn)
    rows = desk.power(game, turn.power)
    if rows.state is SheetState.MISSING and decision in (SheetDecision.ACCEPTED, SheetDecision.ALL_UNSIGNED):
        helps = f"scan it, type its lines ('rule --type'), or rule {str(SheetDecision.NO_ORDERS)!r}"
        raise stop(f"no sheet is in that could be accepted; {helps}", str(turn))
    problems = rows.problems
    if all(problem.weight is not Weight.ASKS for problem in problems):
        sheets = desk.sheets.get(turn, ())
        if same := same_on_sheet(desk.rulings.get(turn, RulingsOf()), sheets, decision, serial, why, by):
            return same
    first = next((problem for problem in problems if problem.weight is Weight.ASKS), None)
    return rule_sheet(desk.event, turn, decision, by=by, why=why, serial=serial, asked=asked_of_sheet(first))


def lines_that_stand(desk: Desk, turn: Turn, lines: Sequence[str], by: str) -> Fact[LinesTyped] | None:
    """The fact by which the same lines were typed, if it is in force and nothing changed since."""
    if not desk.counted_sheets(turn).typed:
        return None
    return same_lines(desk.rulings.get(turn, RulingsOf()), desk.sheets.get(turn, ()), lines, by)


def _turn_rows(event: Event, desk: Desk, turn: Turn) -> tuple[Row, ...]:
    """The rows of a turn as they are now, be it played or not."""
    return desk.power(_game_at(event, turn), turn.power).rows


def _game_at(event: Event, turn: Turn) -> Game:
    """The game as it was in the phase of a turn."""
    return at_phase(find_game(event, turn.board), str(turn.phase))


def _surplus_without_row(event: Event, desk: Desk, turn: Turn, decision: RowDecision) -> list[str]:
    """Say what must be taken back first if a ruling on no row would give more builds or disbands than are due.

    It counts beside the orders of rows, and beside earlier rulings on no row for other units: it replaces none of them.
    """
    game = _game_at(event, turn)
    due = balances(game.position).get(turn.power, 0) if game.position.phase.step is Step.ADJUSTMENTS else 0
    kinds = (Build, Waive) if due > 0 else (Disband,)
    units = units_of(decision.orders or ())
    beside = [
        (row, row.order)
        for row in desk.power(game, turn.power).rows
        if not row.needs_director and isinstance(row.order, kinds) and units.isdisjoint(units_of([row.order]))
    ]
    given = len(beside) + sum(isinstance(order, kinds) for order in decision.orders or ())
    if not due or given <= abs(due):
        return []
    what = "builds and waivers" if due > 0 else "disbands"
    others = " or ".join(f"{_how_to_take_back(row)} ({write(order)})" for row, order in beside)
    return [f"{given} {what} would be ruled, {abs(due)} due{f'; {others} first' if others else ''}"]


def _how_to_take_back(row: Row) -> str:
    if row.line or row.ruling is None:
        return f"rule '{NOTHING}' on line {row.line}"
    return f"undo number {row.ruling.fact.number}"


def _asked_about(rows: Sequence[Row], decision: RowDecision) -> Question | None:
    """The question that a decision answers: the one about a unit that it orders, else the one about the row.

    An order for a unit that is settled answers no question about another unit.
    """
    waiting = [row for row in rows if row.needs_director]
    units = units_of(decision.orders or ())
    is_of_settled = units and units <= units_of(row.order for row in rows if row.order is not None)
    about = [row for row in waiting if row.unit in units]
    about = about or [row for row in waiting if row.line and not (is_of_settled and row.unit)]
    return asked_of(about[0]) if about else None


def _keep_other_units(decision: RowDecision, rows: Sequence[Row]) -> RowDecision:
    """Extend a decision on some of a row's units: settled orders of the others are kept, open ones stay open.

    A question without a unit is settled with the row, unless the decision is about a unit that waits.
    """
    units = units_of(decision.orders or ())
    if not units <= units_of(row.order for row in rows if row.order is not None) | {row.unit for row in rows}:
        return decision  # it orders units that were not read there: no order of the reading is kept
    left = left_open(rows).settle(units)
    if units.isdisjoint(row.unit for row in rows if row.needs_director):
        left = left.settle({""})
    return replace(decision.beside(settled_orders(rows)), left=left)


def conduct_of(event: Event, rulings: dict[Turn, RulingsOf]) -> Conduct:
    """The rules on sheets, with who plays what."""
    played = games(event)
    players = {turn: played[turn.board].seating.player_at(turn.power, turn.phase) for turn in rulings}
    return Conduct(event.tournament.conduct, rulings, players)


LateEffects = Mapping[Turn, Effect]  # what the rules make of each late sheet of an event


def late_effects(event: Event) -> LateEffects:
    """What the rules make of each late sheet: it depends on how often its player was late before."""
    decisions = conduct_of(event, all_rulings(event)).late_points()
    return {turn: decision.effect for turn, decision in decisions.items()}


def published_otherwise(event: Event, before: LateEffects) -> list[Turn]:
    """The published turns whose late sheets count otherwise since a ruling on another late sheet was made or undone.

    ``before`` is what `late_effects` gave before that.
    """
    changed = [turn for turn, effect in late_effects(event).items() if before.get(turn, effect) is not effect]
    every = games(event) if changed else {}
    played = {(name, each.phase) for name, game in every.items() for each in game.played_since_set}
    return [turn for turn in changed if (turn.board, turn.phase) in played]


SECOND = 100  # added to the row numbers of a second sheet of the same part, so that a ruling is on one of the two only


def _inked_rows(sheets: tuple[SheetIn, ...]) -> tuple[Row, ...]:
    """The rows of a power's sheets, in the order of their printed numbers; those of a second sheet after them."""
    return tuple(
        Row(
            line=number,
            ink=line.text,
            readings=line.readings,
            tier=line.tier,
            notes=line.notes,
            crop=crop_path(sheet.scans[-1].scan_sha256, sheet.scans[-1].page, line.number),
            printed=sheet.printed.page.form.unit_of(line.number),
            scans=tuple(_scans_of_row(sheet, line)) if Note.SCANS_DIFFER in line.notes else (),
            ground=RulingBasis(sheet=sheet.serial, row=line.number, scans=sheet.since),
        )
        for number, sheet, line in number_rows(sheets)
    )


def _scans_of_row(sheet: SheetIn, merged: InkLine) -> Iterator[RowScan]:
    """A row as each scan of its sheet shows it."""
    for scan, at in zip(sheet.scans, sheet.read_at, strict=True):
        for line in scan.lines:
            if line.number == merged.number:
                yield RowScan(line, crop_path(scan.scan_sha256, scan.page, line.number), at)


def number_rows(sheets: tuple[SheetIn, ...]) -> Iterator[tuple[int, SheetIn, InkLine]]:
    """Go through the rows of a power's sheets, each with the number that rulings know it by."""
    parts: list[int] = []
    taken: set[int] = set()
    for sheet in sheets:
        part = sheet.printed.request.part
        offset = SECOND * parts.count(part)
        while any(line.number + offset in taken for line in sheet.lines):  # a pad beside a beginner's second part
            offset += SECOND
        parts.append(part)
        taken |= {line.number + offset for line in sheet.lines}
        yield from ((line.number + offset, sheet, line) for line in sheet.lines)


def _typed_rows(typed: TypedLines) -> tuple[Row, ...]:
    return tuple(
        Row(line=number, ink=text, source=Source.TYPED, ground=RulingBasis(typed=typed.number, row=number))
        for number, text in enumerate(typed.lines, start=1)
        if text.strip()
    )


WITHOUT = (SheetState.NO_ORDERS, SheetState.REFUSED)  # a power's orders, by a ruling
SHOWN = 4  # files, in one message


def ruled_before_read(event: Event, game: Game, powers: tuple[PowerRows, ...]) -> tuple[Problem, ...]:
    """The rulings that a power has no orders which were made while files were not read that may bring them.

    Nothing is adjudicated on such a ruling until the files that came before it are read, or passed over.
    """
    suspects = [power.power for power in powers if power.state in WITHOUT]
    unread = unread_files(event).values() if suspects else ()
    if not unread:
        return ()
    rulings = gather_rulings(tuple(standing(event.facts, SheetRuled)))
    problems = []
    for power in suspects:
        turn = Turn(game.name, game.position.phase, power)
        ruling = rulings[turn].sheet if turn in rulings else None
        names = [file.said.name for file in unread if ruling and file.number < ruling.fact.number]
        if ruling and names:
            more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
            ruled = (
                f"{ruling.fact.by} ruled {str(ruling.decision)!r} of {power} before {', '.join(names[:SHOWN])}{more}"
            )
            text = f"{ruled} was read; wait until it is, or skip it ('scan --pass-over')"
            problems.append(Problem(Weight.ASKS, text, str(turn)))
    return tuple(problems)


def seats_left(event: Event, game: Game, powers: tuple[PowerRows, ...]) -> tuple[Problem, ...]:
    """The seats whose players have left and handed nothing in, each with the question who takes it."""
    questions = abandoned_seats(event, game)
    wanting = [power.power for power in powers if power.state in (SheetState.MISSING, SheetState.NO_ORDERS)]
    where = f"{game.name} {game.position.phase}"
    return tuple(Problem(Weight.ASKS, questions[power], f"{where} {power}") for power in wanting if power in questions)

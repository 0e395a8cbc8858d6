"""The queue of what waits for the director, and the keys that settle it."""

import hashlib
from collections.abc import Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import Phase, Step
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, find_game, games
from pipeline.desk.event.people import Turn
from pipeline.desk.review.live import LiveDesk, WhileUntouched
from pipeline.desk.review.meaning import meaning_on_rows
from pipeline.desk.review.orders_shown import each_once
from pipeline.desk.ruling.desk import (
    Desk,
    asked_of,
    asked_of_sheet,
    powers_to_write,
    ruled_before_read,
    seats_left,
)
from pipeline.desk.ruling.rows import PowerRows, Row, RowStatus, is_chosen, refuse_implied
from pipeline.desk.ruling.rulings import NOTHING, RowDecision, rule_row, rule_sheet, ruling_of
from pipeline.desk.ruling.sheet_state import SheetDoubt
from pipeline.desk.sheets.pads import SheetReason, SheetState
from pipeline.desk.sheets.printed import expected_units
from pipeline.desk.sheets.sheets_in import fold_text
from pipeline.desk.sheets.unfiled_pages import LateArrival
from pipeline.ink import InkReading, Note, Tier
from pipeline.interpret.interpret import interpret
from pipeline.interpret.verdict import Entry, Line, Status
from pipeline.judge.adjudicate import why_illegal
from pipeline.ledger.events import Decision, PageRead, RowRuled, ScanReceived
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import Hold, Order, units_of, write
from pipeline.problems import Problem, Weight, stop
from pipeline.words.speech import Message


class ReviewItem(Struct, frozen=True):
    """One thing that waits: a row, or a whole sheet."""

    turn: Turn
    row: Row | None  # None: it is about the sheet
    problem: Problem | None

    @property
    def settings(self) -> tuple[str, ...]:
        """The paths of the rules' settings that apply; empty for a doubt of the handwriting reader."""
        if self.row is not None:
            return self.row.settings
        return self.problem.settings if isinstance(self.problem, SheetDoubt) else ()

    @property
    def by_rule(self) -> str | None:
        """What Enter takes: the order that this tournament's rule prescribes; None where the rule says nothing."""
        if self.row is None or self.row.status in (RowStatus.UNREAD, RowStatus.ASK):
            return None
        if self.row.order is not None:
            return write(self.row.order)
        return NOTHING


def queue(event: Event, board: str | None = None) -> Iterator[ReviewItem]:
    """Everything that waits, by the board that is nearest to complete; sheets before their rows."""
    desk = Desk.of(event)
    wanted = games(event).values() if board is None else (find_game(event, board),)
    boards = [(game, desk.board(game)) for game in wanted]
    waiting = [(len(list(_doubts_on_board(game, powers))), game.name, game, powers) for game, powers in boards]
    for _, _, game, powers in sorted(waiting, key=lambda entry: entry[:2]):
        yield from _doubts_on_board(game, powers)


def _doubts_on_board(game: Game, powers: tuple[PowerRows, ...]) -> Iterator[ReviewItem]:
    for power in powers:
        turn = Turn(game.name, game.position.phase, power.power)
        for problem in power.problems:
            if problem.weight is Weight.ASKS:
                yield ReviewItem(turn, None, problem)
        for row in power.rows:
            if row.needs_director:
                yield ReviewItem(turn, row, None)


def settle_doubt(
    event: Event, doubt: ReviewItem, decision: RowDecision | SheetDecision, by: str, why: str = ""
) -> Fact[Decision]:
    """Write down the director's decision about a doubt; stop if the question has changed meanwhile."""
    game, power = find_game(event, doubt.turn.board), doubt.turn.power
    rows = (Desk.of(event).power(game, power),) if power in powers_to_write(event, game) else ()
    if doubt not in _doubts_on_board(game, rows):
        raise stop("this has changed since it was shown; nothing was decided", str(doubt.turn))
    match decision:
        case SheetDecision():
            asked = asked_of_sheet(doubt.problem)
            return rule_sheet(event, doubt.turn, decision, by=by, why=why, asked=asked)
        case RowDecision():
            if doubt.row is None:
                raise stop("the sheet is asked about, not a row; nothing was decided", str(doubt.turn))
            row, decided = doubt.row, on_whole_line(doubt.row, decision)
            return rule_row(event, doubt.turn, row.line, decided, by, on=row.ground, asked=asked_of(row))


def on_whole_line(row: Row, decision: RowDecision) -> RowDecision:
    """Extend a ruling to its whole line: other settled orders are kept, other open ones stay open.

    Two orders for one unit are one question. What is implied and not given does not stand.
    """
    if decision.faults(row.line) or decision.orders is None:
        return decision
    left = row.left.settle(units_of(decision.orders) | ({row.unit} - {""}), row.asked_order)
    return replace(refuse_implied([row], decision).beside(row.beside), left=left)


def take_the_rule(doubt: ReviewItem) -> RowDecision | None:
    """The decision of the Enter key, if the rules give one."""
    if doubt.row is None or doubt.by_rule is None:
        return None
    without = doubt.row.without
    return RowDecision(order=doubt.by_rule, why=f"by the rule {doubt.row.rule}".strip(), without=without)


# What waits for people, in the order in which it should be done.


class Check(Struct, frozen=True):
    """A spot check: a row that nobody asked about, to be compared with its ink."""

    turn: Turn
    row: Row


class StrayPage(Struct, frozen=True):
    """A page that is filed with no power's sheets."""

    fact: Fact[PageRead]
    name: str  # the file it came in


class UnwrittenPhase(Struct, frozen=True):
    """Retreats or adjustments of a board for which no sheet came: they are typed, a unit or two at a time."""

    board: str
    phase: Phase
    turns: tuple[Turn, ...]


class Ready(Struct, frozen=True):
    """A board on which nothing waits: it can be published."""

    board: str
    phase: Phase
    powers: tuple[PowerRows, ...]


QueueItem = ReviewItem | Check | StrayPage | LateArrival | UnwrittenPhase | Ready


def _fingerprint_of(item: QueueItem) -> str:
    """Fingerprint of everything shown of an item: a decision is refused if it has changed since."""
    return hashlib.blake2b(repr(item).encode(), digest_size=12).hexdigest()


class OnBoard(Struct, frozen=True):
    name: str
    doubts: int
    items: tuple[tuple[QueueItem, bool], ...]  # each with whether it waits for orders
    claims: tuple[str, ...]  # the name under which a reviewer reserves each
    fingerprints: dict[int, str] = field(default_factory=dict)  # by the place of an item among them

    def fingerprint_of(self, item: QueueItem) -> str:
        """A fingerprint of what an item shows; a decision on an older one is refused. Each is computed once."""
        place = next((place for place, (each, _) in enumerate(self.items) if each is item), None)
        if place is None:
            return _fingerprint_of(item)
        if place not in self.fingerprints:
            self.fingerprints[place] = _fingerprint_of(item)
        return self.fingerprints[place]


AGENDAS: WhileUntouched[OnBoard] = WhileUntouched()


def board_of_item(item: QueueItem) -> str | None:
    """The board an item is about; a stray page is about none."""
    match item:
        case ReviewItem(turn=turn) | Check(turn=turn) | LateArrival(turn=turn):
            return turn.board
        case StrayPage():
            return None
        case _:
            return item.board


def claim_name(item: QueueItem) -> str:
    """The name under which a reviewer reserves an item, so that no other gets it."""
    match item:
        case ReviewItem(turn, row, _):
            if row is None:
                return f"{turn} sheet"
            lack = " ".join((row.lacks.code, *(str(value) for _, value in row.lacks.data))) if row.lacks else ""
            return f"{turn} line {row.line} {lack}"  # without a row: by the unit or build that has no order
        case Check(turn, row):
            return f"{turn} line {row.line} "
        case StrayPage(fact, _):
            return f"page {fact.number}"
        case LateArrival(turn, sheet):
            return f"{turn} late {sheet}"
        case _:
            return f"{item.board} {item.phase}"


def agenda(live: LiveDesk) -> Iterator[QueueItem]:
    """Stray pages first, for they may be missing sheets; then board by board, the nearest to complete first.

    Unexpected sheets come after the boards. Last of all comes what waits for orders, which may still come or are typed.
    """
    return (item for item, _ in agenda_by_name(live))


def agenda_by_name(live: LiveDesk, *, every: bool = False) -> Iterator[tuple[QueueItem, str]]:
    """As `agenda`, each item with the name under which a reviewer reserves it; cached by board.

    Nobody is asked for a sheet while files wait to be read that may bring it. With ``every`` such items are there, too:
    who was asked before the files came may answer.
    """
    yield from ((page, claim_name(page)) for page in _stray_pages(live))
    waiting = [_on_board(live, name) for name in live.games]
    awaited: list[tuple[QueueItem, str]] = []
    for board in sorted(waiting, key=lambda each: (each.doubts, each.name)):
        for (item, is_last), claim in zip(board.items, board.claims, strict=True):
            if isinstance(item, Check) and (item.turn, item.row.line, item.row.ink) in live.spot_checks.rows:
                continue
            if live.unread and not every and _may_be_in_a_file(live, item):
                continue
            if is_last:
                awaited.append((item, claim))
            else:
                yield item, claim
    yield from ((sheet, claim_name(sheet)) for sheet in live.late_sheets() if not sheet.waits)
    yield from awaited


def _on_board(live: LiveDesk, board: str) -> OnBoard:
    """What waits on one board; cached until the board changes."""

    def anew() -> OnBoard:
        game = live.games[board]
        powers = live.board(game)
        items = tuple(_board_agenda(live, game, powers))
        in_order = tuple((each, is_awaited(live, each)) for each in items)
        return OnBoard(board, len(list(_doubts_on_board(game, powers))), in_order, tuple(map(claim_name, items)))

    return AGENDAS.of(live, board, anew)


def item_fingerprint(live: LiveDesk, item: QueueItem) -> str:
    """The fingerprint of an item; cached for items of a board."""
    board = board_of_item(item)
    return _on_board(live, board).fingerprint_of(item) if board in live.games else _fingerprint_of(item)


def _board_agenda(live: LiveDesk, game: Game, powers: tuple[PowerRows, ...]) -> Iterator[QueueItem]:
    """What waits on one board: doubts, spot checks, what is to be keyed in, and the board itself."""
    if not powers:
        return
    absent = [power for power in powers if power.state is SheetState.MISSING]
    keyed = game.position.phase.step is not Step.MOVEMENT
    doubts = list(_doubts_on_board(game, powers))
    for doubt in doubts:
        if not is_awaited(live, doubt) or not (keyed or len(absent) == len(powers)):
            yield doubt
    for power in powers:
        turn = Turn(game.name, game.position.phase, power.power)
        for row in power.rows:
            if is_chosen(live.event.details.code, turn, row):
                yield Check(turn, row)
    if keyed and absent:
        yield UnwrittenPhase(
            game.name,
            game.position.phase,
            tuple(Turn(game.name, game.position.phase, power.power) for power in absent),
        )
    is_held = live.holding(game) or seats_left(live.event, game, powers) or ruled_before_read(live.event, game, powers)
    if not doubts and not is_held and set(expected_units(game.map, game.position)):
        yield Ready(game.name, game.position.phase, powers)


def is_awaited(live: LiveDesk, item: QueueItem) -> bool:
    """Whether an item waits for orders that have not come: they may still come, or are typed."""
    match item:
        case ReviewItem(turn=turn, row=None):
            return live.power(live.games[turn.board], turn.power).state is SheetState.MISSING
    return isinstance(item, UnwrittenPhase)


def _may_be_in_a_file(live: LiveDesk, item: QueueItem) -> bool:
    """Whether a file that is not read yet may bring what an item asks for."""
    match item:
        case ReviewItem(row=None, problem=SheetDoubt() as doubt) if doubt.because[0].code is SheetReason.PART_MISSING:
            return True
        case ReviewItem(turn=turn, row=None):
            game = live.games[turn.board]
            return is_awaited(live, item) and turn.power in live.powers_with_paper(game)
        case UnwrittenPhase(turns=turns):
            return not live.powers_with_paper(live.games[item.board]).isdisjoint(turn.power for turn in turns)
    return False


def _stray_pages(live: LiveDesk) -> Iterator[StrayPage]:
    """Pages that could not be filed and were not dealt with."""
    if live.stray:
        names = {f.said.sha256: f.said.name for f in live.event.facts.select(ScanReceived)}
        for (sha256, _), fact in live.stray.items():
            yield StrayPage(fact, names.get(sha256, sha256[:8]))


# What may be decided about a row: the same cards, in the same order and in browser and spreadsheet.
#
# The likeliest reading comes first, whatever the rules make of it. Other readings follow, marked as another order;
# "no order" is a card of its own, and the first one of a row that is struck out. A card of ink only says what is
# written: the rules decide what it means.

DIGITS = "123456789"
READINGS = 4  # offered for a row whose reading was not accepted
NO_ORDER, STRUCK, NOT_ORDERED = "the row is empty or struck out", "the row is struck out", "the unit has no order"
ANOTHER = "another order, if the row was misread"
EVERY_ROW = "every row of this sheet on which the scans differ"
EMPTY_IN_SCAN, STRUCK_IN_SCAN = "the row is empty", "the row is struck out"
NTH = ("first", "second", "third", "fourth")  # scan of a sheet
NOT_STRUCK = "only if it is not struck out"


class AnswerCard(Struct, frozen=True, kw_only=True):
    """One thing that may be decided about a row."""

    decision: RowDecision
    words: str  # the result, if the card is not an order
    key: str = ""
    order: Order | None = None  # what is chosen; None: what the ink says, or nothing
    condition: str = ""  # when this card is right, if it is not the likeliest reading
    because: tuple[Message, ...] = ()  # what speaks for the order or against it
    scan: int = 0  # 1..: every row is taken as this scan shows it; 0: the decision is on this row
    is_impossible: bool = False  # here, whatever else is ordered
    reason: str = ""  # for a card of ink: why the rules treat it so

    @property
    def is_nothing(self) -> bool:
        return self.decision.order == NOTHING

    @property
    def title(self) -> str:
        """The order that is chosen, the ink in quotes, or that there is none; or the scan that is taken as a whole."""
        if self.scan:
            return f"the whole {name_scan(self.scan)}"
        if self.decision.text is not None:
            return f"“{self.decision.text}”"
        return "no order" if self.order is None else write(self.order)


def cards_of(desk: Desk, game: Game, turn: Turn, row: Row) -> tuple[AnswerCard, ...]:
    """What may be decided about a row, what is written first."""
    is_struck = Note.STRUCK_OUT in row.flags
    words = STRUCK if is_struck else NO_ORDER if row.line else NOT_ORDERED
    words = "; ".join((words, *(left.reason for left in row.leaves)))
    nothing = AnswerCard(decision=RowDecision(order=NOTHING, without=row.without), words=words)
    is_ink = row.status is RowStatus.UNREAD and row.line > 0
    whys = (*row.whys, *(() for _ in row.candidates))  # one for each candidate; there may be fewer
    if is_ink and row.scans:
        cards = list(_of_scans(desk, game, turn, row))
    elif is_ink:
        cards = list(_of_readings(desk, game, turn, row))
    else:
        cards = [
            AnswerCard(decision=RowDecision(order=write(order)), words="", order=order, because=why)
            for order, why in zip(row.candidates, whys, strict=False)
        ]
    cards = [_weigh_card(desk.event, game, turn, card) for card in cards]
    if is_struck and not row.scans:
        cards = [nothing, *(replace(card, condition=NOT_STRUCK) for card in cards)]
    keyed = [replace(card, key=key) for key, card in zip(DIGITS, cards, strict=False)]
    return tuple(keyed if is_struck and not row.scans else (*keyed, replace(nothing, key="0")))


def name_scan(number: int) -> str:
    """Name a scan of a sheet, 1 being the oldest.

    >>> name_scan(1), name_scan(4), name_scan(5)
    ('first scan', 'fourth scan', '5th scan')
    """
    return f"{NTH[number - 1] if number <= len(NTH) else f'{number}th'} scan"


def _of_scans(desk: Desk, game: Game, turn: Turn, row: Row) -> Iterator[AnswerCard]:
    """What each scan of the sheet shows, oldest first: of the whole sheet, then of this row.

    The cards are the same for every row of a sheet, so that one key means one scan on all of them.
    """
    rows = [_of_scan(desk, game, turn, row, number) for number in range(1, len(row.scans) + 1)]
    for number, card in enumerate(rows, start=1):
        yield AnswerCard(decision=card.decision, words=EVERY_ROW, scan=number)
    yield from rows


def _of_scan(desk: Desk, game: Game, turn: Turn, row: Row, number: int) -> AnswerCard:
    """What one scan shows of a row."""
    line = row.scans[number - 1].line
    scan = f"this row by the {name_scan(number)}"
    if line.tier is Tier.BLANK or Note.STRUCK_OUT in line.notes or not line.readings:
        words = EMPTY_IN_SCAN if line.tier is Tier.BLANK else STRUCK_IN_SCAN
        return AnswerCard(decision=RowDecision(order=NOTHING), words=words, condition=scan)
    card = _of_reading(line.readings[0], _meant_by(desk, game, turn, row, line.text))
    unsure = () if line.tier is not Tier.ASKED else ("not read for certain",)
    return replace(card, condition=", ".join((scan, *unsure)))


def take_scan(
    desk: Desk, game: Game, doubt: ReviewItem, number: int, *, by: str, why: str = ""
) -> tuple[Fact[RowRuled], ...]:
    """Rule on every row of a sheet that waits because its scans differ: it is what one scan shows."""
    return desk.event.facts.write_all((said for _, said in rulings_by_scan(desk, game, doubt, number, why)), by)


def rulings_by_scan(desk: Desk, game: Game, doubt: ReviewItem, number: int, why: str) -> list[tuple[Row, RowRuled]]:
    """What `take_scan` writes of each row; stop if the scan settles none.

    A row that this scan does not read for certain, or on which it gives nothing that the rules follow, still waits.
    """
    if doubt.row is None or not 0 < number <= len(doubt.row.scans):
        raise stop("no such scan of this row; nothing was decided", str(doubt.turn))
    every = desk.power(game, doubt.turn.power).rows
    rows = [row for row in every if row.scans and row.needs_director and row.ground.sheet == doubt.row.ground.sheet]
    shown = {row.line: row.scans[number - 1].line for row in rows}
    texts = {number: (line.text,) for number, line in shown.items() if line.tier in (Tier.ACCEPTED, Tier.MARKED)}
    meant = {each.number for each in meaning_on_rows(desk, game, doubt.turn, texts).lines if each.is_followed}
    why = why or f"the {name_scan(number)}"
    ruled = []
    for row in rows:
        if shown[row.line].tier is Tier.BLANK:
            ruled.append((row, RowDecision(order=NOTHING, why=why)))
        elif row.line in meant and row.line in texts:
            ruled.append((row, RowDecision(text=shown[row.line].text, why=why)))
    if not ruled:
        lines = ", ".join(str(row.line) for row in rows)
        text = f"the {name_scan(number)} gives nothing certain on line {lines}; decide row by row"
        raise stop(text, str(doubt.turn))
    return [(row, ruling_of(doubt.turn, row.line, each, on=row.ground, asked=asked_of(row))) for row, each in ruled]


def _of_readings(desk: Desk, game: Game, turn: Turn, row: Row) -> Iterator[AnswerCard]:
    """What the row was read as, surest first, each meaning once; all but the first are other orders."""
    seen: list[object] = []
    for reading in each_once(row.readings)[:READINGS]:
        entries = _meant_by(desk, game, turn, row, reading.text)
        order = _order_alone(entries)
        means = order or (fold_text(reading.text), [(entry.status, entry.order) for entry in entries])
        if any(map(str.isalnum, reading.text)) and means not in seen:
            card = _of_reading(reading, entries)
            yield replace(card, condition=ANOTHER) if seen else card
            seen.append(means)


def _meant_by(desk: Desk, game: Game, turn: Turn, row: Row, text: str) -> tuple[Entry, ...]:
    """What a text on a row means by itself; of the orders that follow from it for other units those that would stand.

    None follows for a unit that another row orders (EDC23 R11).
    """
    rules = desk.event.rules_on(game.map_name)
    entries = interpret([Line(1, text)], turn.power, game.position, rules).entries
    if not any(entry.is_implied for entry in entries):
        return entries
    on_sheet = meaning_on_rows(desk, game, turn, {row.line: (text,)}).lines
    stand = {entry.unit for line in on_sheet for entry in line.entries if entry.is_implied}
    return tuple(entry for entry in entries if not entry.is_implied or entry.unit in stand)


def _of_reading(reading: InkReading, entries: Sequence[Entry]) -> AnswerCard:
    """A card for one reading of a row: the order that it gives, or the ink."""
    order = _order_alone(entries)
    if order is None:
        return _of_ink(reading, entries)
    words = f"if “{reading.text}” is written"
    return AnswerCard(decision=RowDecision(order=write(order)), words=words, order=order)


def _order_alone(entries: Sequence[Entry]) -> Order | None:
    """The order that the rules follow as it is written, where it is the only one that a text has."""
    if len(entries) != 1 or entries[0].status is not Status.CLEAR or entries[0].is_implied:
        return None
    return entries[0].order


def _of_ink(reading: InkReading, entries: Sequence[Entry]) -> AnswerCard:
    """A card for ink that the rules do not follow as it is written."""
    becomes = "; ".join(map(_entry_in_words, entries)) or "nothing in it is an order"
    return AnswerCard(
        decision=RowDecision(text=reading.text),
        words=f"if that is what is written, {becomes}",
        reason="; ".join(dict.fromkeys(_reason_of(entry) for entry in entries if entry.reason)),
    )


def _reason_of(entry: Entry) -> str:
    """Why the rules take an entry so; of a unit that holds, its name stands first: the reason says "it"."""
    if not isinstance(entry.order, Hold) or entry.reason.startswith(str(entry.order.unit)):
        return entry.reason
    return f"{entry.order.unit}: {entry.reason}"


def _entry_in_words(entry: Entry) -> str:
    """The result of one written order, and by which rule."""
    order = write(entry.order) if entry.order else "no order"
    rule = f" § {entry.rule or 'the rules are silent'}" if entry.settings else ""
    return f"you are asked{rule}" if entry.status is Status.ASK else f"{order} ({entry.status}{rule})"


def _weigh_card(event: Event, game: Game, turn: Turn, card: AnswerCard) -> AnswerCard:
    """Say of a card whether its order is impossible here."""
    if card.order is None:
        return card
    refusal = why_illegal(game.map, game.position, turn.power, card.order, event.tournament.rulebook)
    return replace(card, is_impossible=refusal is not None)

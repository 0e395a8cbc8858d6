"""What waits for people at the desk, in the order in which it should be done."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipeline.board.position import Phase, Step
from pipeline.desk.event.games import Game
from pipeline.desk.event.turn import Turn
from pipeline.desk.review.live import LiveDesk, WhileUntouched
from pipeline.desk.review.queue import ReviewItem, doubts_of
from pipeline.desk.ruling.desk import seats_left
from pipeline.desk.ruling.rows import PowerRows, Row
from pipeline.desk.ruling.spot_checks import is_chosen
from pipeline.desk.sheets.expected import expected_units
from pipeline.desk.sheets.late_sheets import LateArrival
from pipeline.desk.sheets.sheet_states import SheetState
from pipeline.ledger.events import PageRead, ScanReceived
from pipeline.ledger.ledger import Fact


@dataclass(frozen=True, slots=True)
class Check:
    """A row that nobody asked about, to be compared with its ink."""

    turn: Turn
    row: Row


@dataclass(frozen=True, slots=True)
class StrayPage:
    """A page that is filed with no power's sheets."""

    fact: Fact[PageRead]
    name: str  # the file it came in


@dataclass(frozen=True, slots=True)
class UnwrittenPhase:
    """Retreats or adjustments of a board that nobody has written yet: keyed in, a unit or two at a time."""

    board: str
    phase: Phase
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """A board on which nothing waits: it can be published."""

    board: str
    phase: Phase
    powers: tuple[PowerRows, ...]


Item = ReviewItem | Check | StrayPage | LateArrival | UnwrittenPhase | Ready


def token(item: Item) -> str:
    """A fingerprint of everything that is shown of an item: a decision on anything else than that is refused."""
    return hashlib.blake2b(repr(item).encode(), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True)
class OnBoard:
    """What waits on one board."""

    name: str
    doubts: int
    items: tuple[tuple[Item, bool], ...]  # each with whether it is that a sheet is not in
    claims: tuple[str, ...]  # what a desk claims while it looks at each
    tokens: dict[int, str] = field(default_factory=dict)  # by the place in memory of an item of this board

    def token(self, item: Item) -> str:
        """The token of an item."""
        if not any(each is item for each, _ in self.items):
            return token(item)
        if id(item) not in self.tokens:
            self.tokens[id(item)] = token(item)
        return self.tokens[id(item)]


AGENDAS: WhileUntouched[OnBoard] = WhileUntouched()


def board_of(item: Item) -> str | None:
    """The board an item is about; a stray page is about none."""
    match item:
        case ReviewItem(turn=turn) | Check(turn=turn) | LateArrival(turn=turn):
            return turn.board
        case StrayPage():
            return None
        case _:
            return item.board


def claim_name(item: Item) -> str:
    """What a desk claims while it looks at an item."""
    match item:
        case ReviewItem(turn, row, _):
            return f"{turn} sheet" if row is None else f"{turn} line {row.line} {name_of_lack(row)}"
        case Check(turn, row):
            return f"{turn} line {row.line} "
        case StrayPage(fact, _):
            return f"page {fact.number}"
        case LateArrival(turn, sheet):
            return f"{turn} late {sheet}"
        case _:
            return f"{item.board} {item.phase}"


def name_of_lack(row: Row) -> str:
    """Tell apart what has no order; nothing for a row of the sheet."""
    return " ".join((row.lacks.code, *(str(value) for _, value in row.lacks.data))) if row.lacks else ""


def agenda(live: LiveDesk) -> Iterator[Item]:
    """Stray pages first, for they may be missing sheets; then board by board, the nearest to complete first.

    Sheets that nobody asks for come after the boards; what is missing last of all, for it may still be on its way.
    """
    return (item for item, _ in agenda_by_name(live))


def agenda_by_name(live: LiveDesk) -> Iterator[tuple[Item, str]]:
    """The same, each item with what a desk claims while it looks at it; of a board that is found once."""
    yield from ((page, claim_name(page)) for page in stray_pages(live))
    seen = live.checked.rows
    waiting = [on_board(live, game) for game in live.games.values()]
    missing: list[tuple[Item, str]] = []
    for board in sorted(waiting, key=lambda each: (each.doubts, each.name)):
        for (item, is_absent), claim in zip(board.items, board.claims, strict=True):
            if isinstance(item, Check) and (item.turn, item.row.line, item.row.ink) in seen:
                continue
            if is_absent:
                missing.append((item, claim))
            else:
                yield item, claim
    yield from ((sheet, claim_name(sheet)) for sheet in live.late_sheets() if not sheet.waits)
    yield from missing


def on_board(live: LiveDesk, game: Game) -> OnBoard:
    """What waits on one board, as long as nothing about it changes."""

    def anew() -> OnBoard:
        powers = live.board(game)
        items = tuple(board_agenda(live, game, powers))
        in_order = tuple((each, isinstance(each, ReviewItem) and is_missing(each, powers)) for each in items)
        return OnBoard(game.name, len(list(doubts_of(game, powers))), in_order, tuple(map(claim_name, items)))

    return AGENDAS.of(live, game.name, anew)


def shown_token(live: LiveDesk, item: Item) -> str:
    """The token of an item; of one that waits on a board it is worked out once."""
    game = live.games.get(board_of(item) or "")
    return token(item) if game is None else on_board(live, game).token(item)


def board_agenda(live: LiveDesk, game: Game, powers: tuple[PowerRows, ...]) -> Iterator[Item]:
    """What waits on one board: doubts, spot checks, what is to be keyed in, and the board itself."""
    if not powers:
        return
    absent = [power for power in powers if power.state is SheetState.MISSING]
    keyed = game.position.phase.step is not Step.MOVEMENT
    doubts = list(doubts_of(game, powers))
    for doubt in doubts:
        if not is_missing(doubt, powers) or not (keyed or len(absent) == len(powers)):
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
    is_held = live.holding(game) or seats_left(live.event, game, powers)
    if not doubts and not is_held and set(expected_units(game.map, game.position)):
        yield Ready(game.name, game.position.phase, powers)


def is_missing(doubt: ReviewItem, powers: tuple[PowerRows, ...]) -> bool:
    """Whether a doubt is that a sheet is not in."""
    return doubt.row is None and any(p.power is doubt.turn.power and p.state is SheetState.MISSING for p in powers)


def stray_pages(live: LiveDesk) -> Iterator[StrayPage]:
    """Pages that could not be filed and were not dealt with."""
    if live.stray:
        names = {f.said.sha256: f.said.name for f in live.event.facts.told(ScanReceived)}
        for (sha256, _), fact in live.stray.items():
            yield StrayPage(fact, names.get(sha256, sha256[:8]))

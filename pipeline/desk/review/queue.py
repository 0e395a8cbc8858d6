"""The queue of what waits for the director, and the keys that settle it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, find_game, games
from pipeline.desk.event.turn import Turn
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.precedents import asked_of, asked_of_sheet
from pipeline.desk.ruling.rows import PowerRows, Row, RowStatus
from pipeline.desk.ruling.rulings import NOTHING, RowDecision, rule_row, rule_sheet
from pipeline.desk.ruling.sheet_state import SheetDoubt
from pipeline.ledger.events import Decision
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import SheetDecision
from pipeline.orders.notation import write
from pipeline.orders.order import units_of
from pipeline.problems import Problem, Weight, stop


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One thing that waits: a row, or a whole sheet."""

    turn: Turn
    row: Row | None  # None: it is about the sheet
    problem: Problem | None

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings of the rules that are about it, by their paths; none for a doubt of the reader."""
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
    waiting = [(len(list(doubts_of(game, powers))), game.name, game, powers) for game, powers in boards]
    for _, _, game, powers in sorted(waiting, key=lambda entry: entry[:2]):
        yield from doubts_of(game, powers)


def doubts_of(game: Game, powers: tuple[PowerRows, ...]) -> Iterator[ReviewItem]:
    """What waits on one board."""
    for power in powers:
        turn = Turn(game.name, game.position.phase, power.power)
        for problem in power.problems:
            if problem.weight is Weight.ASKS:
                yield ReviewItem(turn, None, problem)
        for row in power.rows:
            if row.needs_director:
                yield ReviewItem(turn, row, None)


def settle(
    event: Event, doubt: ReviewItem, decision: RowDecision | SheetDecision, by: str, why: str = ""
) -> Fact[Decision]:
    """Write down what the director decided about a doubt; stop where something else is asked there by now."""
    if doubt not in queue(event, doubt.turn.board):
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
    """A ruling is on the whole line: what else is settled there stands beside it, what else waits there still does.

    What is asked of a unit that two orders are written for is one question.
    """
    if decision.faults(row.line) or decision.orders is None:
        return decision
    units = units_of(decision.orders) | ({row.unit} - {""})
    return replace(decision.beside(row.beside), left=row.left.settled(units, row.asked))


def take_the_rule(doubt: ReviewItem) -> RowDecision | None:
    """The decision that Enter stands for, if the rule says what stands."""
    if doubt.row is None or doubt.by_rule is None:
        return None
    without = doubt.row.without
    return RowDecision(order=doubt.by_rule, why=f"by the rule {doubt.row.rule}".strip(), without=without)

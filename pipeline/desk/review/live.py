"""The desk, cached in memory and updated fact by fact: a ruling invalidates only its own turn."""

from collections.abc import Callable, Iterable
from itertools import product
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from pipeline.board import Map, Position, Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, apply_fact, games
from pipeline.desk.event.people import Turn
from pipeline.desk.ruling.desk import Desk, powers_to_write
from pipeline.desk.ruling.rows import Checked, PowerRows, RowStatus, count_spot_checks
from pipeline.desk.ruling.rulings import RulingsOf, gather_rulings
from pipeline.desk.ruling.sheet_state import Conduct
from pipeline.desk.sheets import unfiled_pages
from pipeline.desk.sheets.sheets_in import Papers, SheetIn
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.rulebook import Rulebook
from pipeline.ledger import events
from pipeline.ledger.ledger import Fact
from pipeline.orders import Order
from pipeline.problems import Problem, Weight

T = TypeVar("T")
NOTHING_CHANGES = (  # facts that no row depends on
    events.ScanReceived,
    events.ScanRead,
    events.ClockStarted,
    events.ClockStopped,
    events.VoteHeld,
    events.VoteUndone,
    events.DiceCommitted,
    events.DiceRolled,
    events.LotSealed,
    events.LotDrawn,
    events.StandingsOpened,
    events.ResultsPublished,
    events.SeatsTold,
    events.FormsPrinted,
    events.OnForm,
    events.TeamEntered,
    events.SpotChecked,
)


class WhileUntouched(Generic[T]):
    """A cache by board; an entry is valid until a fact about its board, or about any page, is written."""

    def __init__(self) -> None:
        self.found: WeakKeyDictionary[LiveDesk, dict[str, tuple[tuple[int, int], T]]] = WeakKeyDictionary()

    def of(self, live: "LiveDesk", board: str, work_out: Callable[[], T]) -> T:
        """Return the cached answer for a board, computing it if it is outdated."""
        boards = self.found.setdefault(live, {})
        as_of = (live.touched.get(board, 0), live.laid_out)
        known = boards.get(board)
        if known is None or known[0] != as_of:
            known = boards[board] = (as_of, work_out())
        return known[1]


BOARDS: WhileUntouched[tuple[PowerRows, ...]] = WhileUntouched()
WITH_PAPER: WhileUntouched[frozenset[Power]] = WhileUntouched()


class LiveDesk:
    """A `Desk` that follows the newest fact. Not thread-safe: its owner holds a lock."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.counted: tuple[tuple[Fact[events.LedgerEvent], ...] | None, Checked] = (None, count_spot_checks(()))
        self.load()

    def load(self) -> None:
        """Read all facts in one transaction, so that none is missed or taken twice."""
        with self.event.facts.transaction():
            self.number = self.event.facts.last_number()
            self.papers = Papers(self.event)
            log = self.event.facts.select(events.OnTurn, events.DecisionUndone)
            facts = [fact for fact in log if self.papers.seats.counts(fact)]
            self.games = games(self.event)
            self.stray: unfiled_pages.PagesRead = unfiled_pages.waiting_pages(self.event)
            self.unread = unfiled_pages.unread_files(self.event)
        self.decisions: dict[int, Fact[events.LedgerEvent]] = {fact.number: fact for fact in facts}
        self.by_turn: dict[Turn, list[Fact[events.LedgerEvent]]] = {}
        for fact in facts:
            self.file(fact)
        self.rulings: dict[Turn, RulingsOf] = gather_rulings(facts)
        self.players = {
            Turn(game.name, phase, power): game.seating.player_at(power, phase)
            for game in self.games.values()
            for phase in {turn.phase for turn in self.rulings}
            for power in game.seating.players
        }
        conduct = Conduct(self.event.tournament.conduct, self.rulings, self.players)
        self.desk = Desk(self.event, self.papers.by_turn(), self.rulings, conduct)
        self.rows: dict[Turn, PowerRows] = {}
        self.touched: dict[str, int] = dict.fromkeys(self.games, self.number)  # by board, the newest fact about it
        self.laid_out = self.number  # the newest fact that changed which pages or files wait
        self.in_order: tuple[Fact[events.LedgerEvent], ...] | None = None  # see `log`; None: to be sorted again
        # None: not looked for since a page came in, a board went on, or a sheet was ruled on
        self.late: tuple[unfiled_pages.LateArrival, ...] | None = None

    def file(self, fact: Fact[events.LedgerEvent]) -> Turn | None:
        """Add a decision to those of its turn; an undoing belongs to the turn of what it undoes."""
        about = self.decisions.get(fact.said.fact) if isinstance(fact.said, events.DecisionUndone) else fact
        if about is None or not isinstance(about.said, events.OnTurn):
            return None
        turn = Turn.of(about.said)
        self.by_turn.setdefault(turn, []).append(fact)
        return turn

    def refresh(self) -> None:
        for fact in list(self.event.facts.everything(after=self.number)):
            if fact.number > self.number:
                self.number = fact.number
                self.take(fact)

    def take(self, fact: Fact[events.LedgerEvent]) -> None:
        """Apply one new fact; an unknown kind invalidates everything."""
        if isinstance(fact.said, events.OnPage | events.OnGame | events.SheetRuled | events.DecisionUndone):
            self.late = None
        self.take_file(fact)
        if isinstance(fact.said, events.DiceRolled):
            self.touched = dict.fromkeys(self.games, self.number)  # a die may end every game of its round
        if isinstance(fact.said, events.OnTurn | events.DecisionUndone):
            self.read_decision(fact)
        elif (read := fact.of(events.OnPage)) and (page := self.papers.seats.now(read, self.papers.printed)):
            unfiled_pages.update_waiting_pages(self.stray, page)
            for turn in self.papers.take(page) if not isinstance(page.said, events.PageSetAside) else ():
                self.desk.sheets[turn] = self.papers.of(turn)
                self.forget(turn)
        elif (played := fact.of(events.OnGame)) and played.said.board in self.games:
            self.play_on(played)
        elif not isinstance(fact.said, NOTHING_CHANGES):
            self.load()

    def take_file(self, fact: Fact[events.LedgerEvent]) -> None:
        """Note a file that came, or was read to its end, and that other pages or files wait."""
        if isinstance(fact.said, events.OnPage | events.ScanReceived | events.ScanRead):
            self.laid_out = fact.number
        if came := fact.of(events.ScanReceived):
            self.unread[came.said.sha256] = came
        elif finished := fact.of(events.ScanRead):
            self.unread.pop(finished.said.sha256, None)

    def play_on(self, fact: Fact[events.OnGame]) -> None:
        board = fact.said.board
        self.papers.opened.follow(fact)
        if isinstance(fact.said, events.PositionSet):
            self.load()  # pads that came in earlier may be for the phase that was set by hand
            return
        self.games[board] = apply_fact(self.games[board], fact, self.event)
        self.rows = {turn: rows for turn, rows in self.rows.items() if turn.board != board}
        self.touched[board] = self.number

    def read_decision(self, fact: Fact[events.LedgerEvent]) -> None:
        """Invalidate a turn with a new decision; a ruling on a sheet may also change other turns."""
        self.decisions[fact.number] = fact
        self.in_order = None
        turn = self.file(fact)
        if turn is None:
            return
        before = self.rulings.get(turn, RulingsOf())
        now = self.rulings[turn] = gather_rulings(self.by_turn[turn]).get(turn, RulingsOf())
        if turn.board in self.games:
            self.players[turn] = self.games[turn.board].seating.player_at(turn.power, turn.phase)
        self.forget(turn)
        concerned = before.sheet != now.sheet and any(r.sheet and r.sheet.asked for r in (before, now))
        if concerned or before.late != now.late or before.unsigned != now.unsigned:
            self.rows.clear()
            self.touched = dict.fromkeys(self.games, self.number)

    def forget(self, turn: Turn) -> None:
        """Drop the cached rows of a turn."""
        self.rows.pop(turn, None)
        self.touched[turn.board] = self.number

    def log(self) -> tuple[Fact[events.LedgerEvent], ...]:
        """Every decision, spot check and undoing, oldest first."""
        if self.in_order is None:
            self.in_order = tuple(self.decisions[number] for number in sorted(self.decisions))
        return self.in_order

    @property
    def spot_checks(self) -> Checked:
        log = self.log()
        if self.counted[0] is not log:
            self.counted = (log, count_spot_checks(log))
        return self.counted[1]

    def power(self, game: Game, power: Power) -> PowerRows:
        """One power's sheet and rows in the phase its board is in."""
        turn = Turn(game.name, game.position.phase, power)
        if turn not in self.rows:
            self.rows[turn] = self.desk.power(game, power)
        return self.rows[turn]

    def board(self, game: Game) -> tuple[PowerRows, ...]:
        """As `Desk.board`, cached."""

        def read() -> tuple[PowerRows, ...]:
            return tuple(self.power(game, power) for power in powers_to_write(self.event, game))

        return BOARDS.of(self, game.name, read) if game is self.games.get(game.name) else read()

    def holding(self, game: Game) -> tuple[Problem, ...]:
        """The waiting pages that may be sheets of the phase a board is in."""
        return unfiled_pages.holding(self.event, game, self.stray, self.papers.printed)

    def powers_with_paper(self, game: Game) -> frozenset[Power]:
        """The powers for which a sheet of the phase that is open, or a pad, is printed: it may come in."""

        def look() -> frozenset[Power]:
            sheets = [sheet for sheet in self.papers.printed.values() if sheet.turn.board == game.name]
            now = [sheet for sheet in sheets if sheet.request.is_pad or sheet.turn.phase == game.position.phase]
            return frozenset(sheet.turn.power for sheet in now)

        return WITH_PAPER.of(self, game.name, look)

    def late_sheets(self) -> tuple[unfiled_pages.LateArrival, ...]:
        """The sheets that are not expected now."""
        if self.late is None:
            self.late = tuple(unfiled_pages.late_sheets(self.event, self.games, self.desk.sheets))
        return self.late

    def sheets(self, turn: Turn) -> tuple[SheetIn, ...]:
        return self.desk.sheets.get(turn, ())


# Whether a doubt matters: a row has no effect if all its meanings lead to the same position.
#
# This is only worked out where every doubt of the board is known: no sheet is missing or doubtful, every row has been
# read, and the meanings of all open rows together are few enough to adjudicate each combination. Such a row is marked
# for the director and shown last; it still waits for him.

MOST = 64  # combinations of one board: about a fifth of a second on a slow machine

DoubtfulRow = tuple[Power, int]  # a power and the number of its row among its rows


def without_effect(
    board: Map, position: Position, powers: Iterable[PowerRows], rules: Rulebook, breathe: Callable[[], None]
) -> frozenset[DoubtfulRow]:
    """Find the open rows whose every meaning leads to the same position.

    ``breathe`` is called between two tries, to let other threads work.
    """
    powers = tuple(powers)
    choices = _meanings(powers)
    if choices is None:
        return frozenset()
    after: dict[tuple[Order | None, ...], Position] = {}
    for chosen in product(*choices.values()):
        orders = {power.power: _orders_with(power, dict(zip(choices, chosen, strict=True))) for power in powers}
        after[chosen] = adjudicate(board, position, orders, rules).after
        breathe()
    return frozenset(row for place, row in enumerate(choices) if len(choices[row]) > 1 and _is_alike(after, place))


def _meanings(powers: tuple[PowerRows, ...]) -> dict[DoubtfulRow, tuple[Order | None, ...]] | None:
    """The possible meanings of each open row; None if they are unknown or too many."""
    if any(problem.weight is Weight.ASKS for power in powers for problem in power.problems):
        return None
    meanings: dict[DoubtfulRow, tuple[Order | None, ...]] = {}
    count = 1
    for power in powers:
        for number, row in enumerate(power.rows):
            if not row.needs_director:
                continue
            if row.status is RowStatus.UNREAD:
                return None
            # what the tournament's rule would make of it; where that is silent, only the readings count
            by_rule = () if row.status is RowStatus.ASK and row.candidates else (row.order,)
            meanings[power.power, number] = tuple(dict.fromkeys((*row.candidates, *by_rule)))
            count *= len(meanings[power.power, number])
    return meanings if meanings and count <= MOST else None


def _orders_with(power: PowerRows, chosen: dict[DoubtfulRow, Order | None]) -> tuple[Order, ...]:
    """A power's orders if its open rows mean what was chosen."""
    orders = [chosen.get((power.power, number), row.order) for number, row in enumerate(power.rows)]
    return tuple(dict.fromkeys(order for order in orders if order is not None))


def _is_alike(after: dict[tuple[Order | None, ...], Position], place: int) -> bool:
    """Whether one row makes no difference, whatever the others mean."""
    seen: dict[tuple[Order | None, ...], Position] = {}
    return all(
        seen.setdefault((*key[:place], *key[place + 1 :]), position) == position for key, position in after.items()
    )

"""The desk kept in memory and carried on fact by fact: a ruling makes only its own turn be read again."""

from collections.abc import Iterator

from pipeline.board.map import Power
from pipeline.desk.event.ending import VOTE, VOTE_UNDONE, goes_on
from pipeline.desk.event.event import Event
from pipeline.desk.event.expected import expected_units
from pipeline.desk.event.games import PLAYS, Game, follow, games
from pipeline.desk.event.turn import Turn
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import PowerRows
from pipeline.desk.ruling.ruling_log import gather
from pipeline.desk.ruling.rulings import KINDS, RulingsOf
from pipeline.desk.ruling.sheet_state import Conduct
from pipeline.desk.ruling.spot_checks import SPOT_CHECK
from pipeline.desk.sheets.late_sheets import LateSheet, late_sheets
from pipeline.desk.sheets.sheets_in import Papers, SheetIn
from pipeline.desk.sheets.unfiled_pages import KINDS as PAGES
from pipeline.desk.sheets.unfiled_pages import Pages, holding, lay_out, waiting_pages
from pipeline.ledger.facts import Fact
from pipeline.problems import Problem

NOTHING_CHANGES = (  # facts that no row depends on
    "scan received",
    "scan read",
    "clock started",
    "clock stopped",
    VOTE,
    VOTE_UNDONE,
    "dice committed",
    "dice rolled",
    "lot sealed",
    "lot drawn",
    "standings opened",
    "forms printed",
    "form ruling",
    "form accepted",
    "form set aside",
    "team entered",
    SPOT_CHECK,
)


class LiveDesk:
    """What `Desk` says, always up to the newest fact. Not safe for two threads at once: its owner holds a lock."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.load()

    def load(self) -> None:
        """Read all facts; nobody writes meanwhile, so that none is missed and none is taken twice."""
        with self.event.facts.transaction():
            self.number = self.event.facts.last_number()
            self.papers = Papers(self.event)
            facts = [
                fact
                for fact in self.event.facts.read()
                if fact.kind in (*KINDS, SPOT_CHECK) and self.papers.seats.counts(fact)
            ]
            self.games = games(self.event)
            self.stray: Pages = waiting_pages(self.event)
        self.decisions: dict[int, Fact] = {fact.number: fact for fact in facts}
        self.by_turn: dict[Turn, list[Fact]] = {}
        for fact in facts:
            self.file(fact)
        self.rulings: dict[Turn, RulingsOf] = gather([fact for fact in facts if fact.kind in KINDS])
        self.players = {
            Turn(game.name, phase, power): game.seating.player_at(power, phase)
            for game in self.games.values()
            for phase in {turn.phase for turn in self.rulings}
            for power in game.seating.players
        }
        conduct = Conduct(self.event.tournament.conduct, self.rulings, self.players)
        self.desk = Desk(self.event, self.papers.by_turn(), self.rulings, conduct)
        self.rows: dict[Turn, PowerRows] = {}
        self.touched: dict[str, int] = dict.fromkeys(self.games, self.number)
        self.late: tuple[LateSheet, ...] | None = None  # None: not looked for since a page came in or a board went on

    def file(self, fact: Fact) -> Turn | None:
        """Put a decision with the others on its turn; one that is taken back belongs to the turn it was about."""
        about = self.decisions.get(fact.body["fact"]) if fact.kind == "ruling undone" else fact
        if about is None:
            return None
        turn = Turn.of_body(about.body)
        self.by_turn.setdefault(turn, []).append(fact)
        return turn

    def refresh(self) -> None:
        """Take all new facts."""
        for fact in list(self.event.facts.read(after=self.number)):
            if fact.number > self.number:
                self.number = fact.number
                self.take(fact)

    def take(self, fact: Fact) -> None:
        """Take one new fact; one of a kind that is not known here makes everything be read again."""
        if fact.kind in (*PAGES, *PLAYS):
            self.late = None
        if fact.kind in KINDS or fact.kind == SPOT_CHECK:
            self.decided(fact)
        elif fact.kind in PAGES and (page := self.papers.seats.now(fact, self.papers.printed)):
            lay_out(self.stray, page)
            for turn in self.papers.take(page) if page.kind != "page set aside" else ():
                self.desk.sheets[turn] = self.papers.of(turn)
                self.forget(turn)
        elif fact.kind in PLAYS and fact.body["board"] in self.games:
            board = fact.body["board"]
            self.papers.opened.follow(fact)
            if fact.kind == "position set":
                self.load()  # pads that came in before may be for the phase that was set
                return
            self.games[board] = follow(self.games[board], fact, self.event)
            self.rows = {turn: rows for turn, rows in self.rows.items() if turn.board != board}
            self.touched[board] = self.number
        elif fact.kind not in NOTHING_CHANGES:
            self.load()

    def decided(self, fact: Fact) -> None:
        """Read a turn again on which something was decided; a ruling on a sheet may change others too."""
        self.decisions[fact.number] = fact
        turn = self.file(fact)
        if turn is None:
            return
        before = self.rulings.get(turn, RulingsOf())
        about = [each for each in self.by_turn[turn] if each.kind in KINDS]
        now = self.rulings[turn] = gather(about).get(turn, RulingsOf())
        if turn.board in self.games:
            self.players[turn] = self.games[turn.board].seating.player_at(turn.power, turn.phase)
        self.forget(turn)
        concerned = before.sheet != now.sheet and any(r.sheet and r.sheet.concerns_others for r in (before, now))
        if concerned or before.unsigned != now.unsigned:
            self.rows.clear()
            self.touched = dict.fromkeys(self.games, self.number)

    def forget(self, turn: Turn) -> None:
        """A turn is to be read again."""
        self.rows.pop(turn, None)
        self.touched[turn.board] = self.number

    def log(self) -> Iterator[Fact]:
        """Every decision, spot check and undoing, oldest first."""
        return (self.decisions[number] for number in sorted(self.decisions))

    def power(self, game: Game, power: Power) -> PowerRows:
        """One power's sheet and rows in the phase its board is in."""
        turn = Turn(game.name, game.position.phase, power)
        if turn not in self.rows:
            self.rows[turn] = self.desk.power(game, power)
        return self.rows[turn]

    def board(self, game: Game) -> tuple[PowerRows, ...]:
        """All powers that must write in the phase a board is in; nobody once its last year is over."""
        if not goes_on(self.event, game):
            return ()
        return tuple(self.power(game, power) for power in expected_units(game.map, game.position))

    def holding(self, game: Game) -> tuple[Problem, ...]:
        """The pages that wait and may be sheets of the phase a board is in."""
        return holding(self.event, game, self.stray, self.papers.printed)

    def late_sheets(self) -> tuple[LateSheet, ...]:
        """The sheets that came in for phases in which nobody asks for them."""
        if self.late is None:
            self.late = tuple(late_sheets(self.event, self.games, self.desk.sheets))
        return self.late

    def sheets(self, turn: Turn) -> tuple[SheetIn, ...]:
        """The sheets of paper that are in for a turn."""
        return self.desk.sheets.get(turn, ())

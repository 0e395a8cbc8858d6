"""The office behind all browsers: one event, kept live, with a lock around it, and what each desk is looking at."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.forms.forms_in import board_of_form_page
from pipeline.desk.publish.big_clock import BigClock, big_clock
from pipeline.desk.review.agenda import Item, Ready, agenda_by_name, board_of, claim_name
from pipeline.desk.review.live import LiveDesk, WhileUntouched
from pipeline.desk.review.queue import ReviewItem
from pipeline.desk.review.status import leave_trouble
from pipeline.desk.ruling.precedents import BookByFacts
from pipeline.ledger.clock import seconds_between
from pipeline.ledger.files.claims import Claims, Login
from pipeline.problems import stop
from pipeline.rules.rulings_book import RulingsBook
from pipeline.web.office.auth import Right, may
from pipeline.web.office.background import Background

MOST_KNOCKS = 19  # that are kept beside the newest
CLAIM_S = 15.0  # a claim lasts so long after the browser's last sign of life; it gives one every 5 s


PLAYING: WhileUntouched[frozenset[str]] = WhileUntouched()


def players_of(game: Game) -> frozenset[str]:
    """The names of those who play at a board, in small letters."""
    return frozenset(name.casefold() for name in game.seating.players.values())


@dataclass(frozen=True, slots=True)
class Focus:
    """What a desk wants to see next, if it may: after an undo the row itself, else the same sheet."""

    turn: str = ""
    claim: str = ""
    told: str = ""  # what a decision has done, where that is not seen by itself


@dataclass(slots=True)
class Office:
    """Everything that the pages share. Whoever uses the event or its live desk is ``inside``."""

    event: Event
    live: LiveDesk
    claims: Claims
    clock: Callable[[], float]
    lock: threading.RLock = field(default_factory=threading.RLock)
    later: dict[str, list[str]] = field(default_factory=dict)  # by login: what was put off, oldest first
    unimportant: dict[str, tuple[int, frozenset[str]]] = field(default_factory=dict)  # board -> as of fact, claim names
    last_seen: float = 0.0  # when a page was last asked for; background work waits for a quiet moment
    book: tuple[object, RulingsBook] = (None, RulingsBook())  # of a log
    rulings: BookByFacts = field(default_factory=BookByFacts)
    shown_on: dict[tuple[str, int], tuple[int, str | None]] = field(default_factory=dict)  # page -> as of, its board
    knocks: list[str] = field(default_factory=list)  # wrong PINs since the office was opened, in words
    knocks_seen: int = 0
    no_backup: str = ""  # why the last copy of the event could not be made, in words; nothing: it was
    on_trouble: Callable[[str], None] = lambda _: None  # tells it where no page is looked at
    background: list[Background] = field(default_factory=list)  # the work beside the pages
    first: int = 0  # the newest fact when the office was opened
    began: dict[int, float] = field(default_factory=dict)  # by its fact, when a clock was started, by the steady clock
    standings: tuple[int, str, list[dict[str, Any]]] = (-1, "", [])  # as of a fact: after which round, and the rows

    def __post_init__(self) -> None:
        """What was written down before is older than this office."""
        self.first = self.event.facts.last_number()
        leave_trouble(self.event, {})

    def begin(self, name: str, work: Callable[[], None], every_s: float) -> Background:
        """Begin some work beside the pages."""
        begun = Background(name, work, every_s, self.tell_trouble)
        self.background.append(begun)
        begun.start()
        return begun

    def tell_trouble(self) -> None:
        """Tell the director's terminal, and the next command, what stands against the work beside the pages."""
        leave_trouble(self.event, self.troubles())
        for name, text in self.troubles().items():
            self.on_trouble(f"{name}: {text}")

    def living(self) -> dict[str, bool]:
        """Which work beside the pages was alive; what was not is begun again."""
        return {each.name: each.lives() for each in self.background}

    def troubles(self) -> dict[str, str]:
        """What stands against the work beside the pages, by its name."""
        return {each.name: each.trouble for each in self.background if each.trouble}

    @property
    def title(self) -> str:
        """The event's name."""
        return self.event.details.name

    def big_clock(self) -> dict[str, Any] | None:
        """The big clock as a screen needs it; None before it was ever started."""
        found = big_clock(self.event)
        if found is None:
            return None
        return found.as_json(self.gone(found))

    def gone(self, found: BigClock) -> float:
        """How many seconds of a clock are over by now; it asks no facts, so nobody need be inside.

        What runs is counted by this office's steady clock from when it was started here. Of one that ran before the
        office was opened, the clock on the wall says once how long.
        """
        if found.since is None:
            return found.elapsed_s
        if found.number not in self.began:
            wall = seconds_between(found.since, self.event.facts.clock()) if found.number <= self.first else 0.0
            self.began[found.number] = self.clock() - (wall or 0.0)
        return found.elapsed_s + self.clock() - self.began[found.number]

    @contextmanager
    def inside(self) -> Iterator[LiveDesk]:
        """Work on the event, alone, with all facts taken."""
        self.last_seen = self.clock()
        with self.lock:
            self.live.refresh()
            yield self.live

    def knocked(self, words: str) -> None:
        """Somebody was not let in: the director is told."""
        self.knocks = [*self.knocks[-MOST_KNOCKS:], f"{self.knocks_seen + 1}: {words}"]
        self.knocks_seen += 1

    def rulings_book(self) -> RulingsBook:
        """The rulings book up to the newest fact."""
        log = self.live.log()
        if self.book[0] is not log:
            self.book = (log, self.rulings.of(log))
        return self.book[1]

    def plays_on(self, login: Login, board: str | None) -> bool:
        """Whether somebody plays on a board: he may not see what others wrote there."""
        game = self.live.games.get(board or "")
        return game is not None and login.name.casefold() in PLAYING.of(self.live, game.name, lambda: players_of(game))

    def board_of_page(self, sha256: str, page: int) -> str | None:
        """The board that a scanned page belongs to, by the beginning of the scan's hash; None for a stray page.

        It is found once for as long as no page is laid elsewhere, so that a picture waits for nobody's key.
        """
        known = self.shown_on.get((sha256, page))
        if known is not None and known[0] == self.live.laid_out:
            return known[1]
        with self.lock:
            sheet = self.live.papers.sheet_of_page(sha256, page)
            board = sheet.turn.board if sheet else board_of_form_page(self.event, sha256, page)
            self.shown_on[sha256, page] = (self.live.laid_out, board)
        return board

    def game(self, login: Login, board: str) -> Game:
        """A board that a login may work on."""
        if board not in self.live.games:
            raise stop("no such board; reload the page", board)
        if self.plays_on(login, board):
            raise stop("you play on this board; another desk must do it", board)
        return self.live.games[board]

    def items(self, login: Login) -> list[tuple[str, Item]]:
        """All that waits for a desk, each with what it claims while it looks at it.

        Rows that make no difference come last on their board, what was put off last of all.
        """
        waiting = [(name, item) for item, name in agenda_by_name(self.live) if self.is_for(login, item)]
        found = [item for _, item in waiting]
        put_off = self.later.get(login.digest, [])
        first: dict[tuple[str | None, bool], int] = {}
        absent = [isinstance(item, ReviewItem) and item.row is None and self.is_absent(item) for item in found]
        for number, item in enumerate(found):
            first.setdefault((board_of(item), absent[number]), number)
        places = [
            (
                put_off.index(waiting[number][0]) + 1 if waiting[number][0] in put_off else 0,
                first[board_of(item), absent[number]],
                self.makes_no_difference(item, waiting[number][0]),
                number,
            )
            for number, item in enumerate(found)
        ]
        return [waiting[place[-1]] for place in sorted(places)]

    def is_for(self, login: Login, item: Item) -> bool:
        """Whether a desk may deal with an item."""
        if isinstance(item, Ready) and not may(login, Right.PUBLISH):
            return False
        return not self.plays_on(login, board_of(item))

    def is_absent(self, doubt: ReviewItem) -> bool:
        """Whether a doubt is about a sheet that is not in."""
        return not self.live.sheets(doubt.turn)

    def makes_no_difference(self, item: Item, name: str) -> bool:
        """Whether it was found that all meanings of a row, claimed by that name, lead to the same position."""
        board = board_of(item)
        if board is None or not isinstance(item, ReviewItem) or item.row is None:
            return False
        as_of, names = self.unimportant.get(board, (-1, frozenset()))
        return name in names and as_of == self.live.touched.get(board)

    def take(self, login: Login, items: Sequence[tuple[str, Item]], focus: Focus) -> Item | None:
        """Claim the first item that no other desk holds, the wished-for one before others."""
        held = self.claims.held_by_others(login, now=self.clock(), seconds=CLAIM_S)
        busy = {" ".join(name.split()[:3]) for name in held}  # sheets that another desk works on come last

        later = self.later.get(login.digest, [])

        def place(each: tuple[str, Item]) -> tuple[bool, bool, bool]:
            name = each[0]
            put_off = name in later
            is_wished = bool(focus.turn) and name.startswith(focus.turn) and not put_off
            return name != focus.claim, not is_wished, bool(busy) and " ".join(name.split()[:3]) in busy

        for name, item in sorted(items, key=place):
            if name not in held and self.claims.claim(name, login, now=self.clock(), seconds=CLAIM_S):
                self.claims.keep_only(name, login)
                return item
        self.claims.keep_only(None, login)
        return None

    def put_off(self, login: Login, item: Item) -> None:
        """Show an item again when everything else is done."""
        names = self.later.setdefault(login.digest, [])
        name = claim_name(item)
        if name in names:
            names.remove(name)
        names.append(name)

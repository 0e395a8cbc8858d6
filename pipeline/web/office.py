"""The state shared by all browsers: one open event with a lock, sessions, and what everybody is looking at."""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from msgspec import Struct, field

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.event.settings import is_to_be_opened_anew
from pipeline.desk.forms.forms_in import board_of_form_page
from pipeline.desk.players import rounds_with_public_seats
from pipeline.desk.publish.explain import correct_address
from pipeline.desk.publish.public_record import BigClock, big_clock
from pipeline.desk.review import queue
from pipeline.desk.review.live import LiveDesk, WhileUntouched
from pipeline.desk.review.orders_shown import leave_trouble, rulings_not_applied
from pipeline.desk.ruling.desk import BookByFacts
from pipeline.draw.same_names import may_be_same, name_key
from pipeline.ledger.claims import Claims, Login
from pipeline.ledger.files import seconds_between
from pipeline.problems import stop
from pipeline.rules.rulings_book import RulingsBook
from pipeline.scoring.score import Scored
from pipeline.web.background import Background
from pipeline.web.logins import Right, Role, may
from pipeline.web.on_pages import say_on_page
from pipeline.words.names import fold_name
from pipeline.words.speech import Speech

OTHER_RULES = (
    "event.toml now says another tournament, code, map or language than this desk goes by: put it back, or open the"
    " event again under More, All events; nothing is written down until then"
)
MOST_KNOCKS = 19  # failed log-ins that are kept beside the newest
CLAIM_S = 15.0  # a claim lasts so long after the browser's last sign of life; it gives one every 5 s


PLAYING: WhileUntouched[dict[tuple[str, str, int], bool]] = WhileUntouched()  # by name, role and who was told apart


class Focus(Struct, frozen=True):
    """What somebody should see next, if possible: after an undo the row itself, else the same sheet."""

    turn: str = ""
    claim: str = ""
    effect: str = ""  # of a decision, if it is not obvious


MOST_OF_DEVICE = 4  # players that one device checks in for a round: a family, or friends of whom one has a telephone


class CheckIn(Struct):
    """That somebody said by telephone that a player is here, or goes."""

    device: str  # from where it came: the telephone's address in the room, else the cookie of its browser
    is_refused: bool = False  # by the director


def _note_of_device(said: dict[str, CheckIn], name: str, device: str) -> None:
    """Note what a device says of a player; stop if it has said so for many others."""
    if sum(each.device == device for other, each in said.items() if other != name) >= MOST_OF_DEVICE:
        raise stop("too many players checked in from one device", "check-in")
    said.setdefault(name, CheckIn(device))


class RoomStandings(Struct, frozen=True):
    """The standings that the room may see, as of a fact."""

    number: int  # of the newest fact
    over: Scored  # of the games that are over
    waiting: tuple[str, ...]  # who has no result yet
    projected: Scored | None  # if time were called now; None where nothing goes on


class Office(Struct):
    """The state that all pages share. Use the event or its live desk only within ``inside``."""

    event: Event
    live: LiveDesk
    claims: Claims
    clock: Callable[[], float]
    lock: threading.RLock = field(default_factory=threading.RLock)
    later: dict[str, list[str]] = field(default_factory=dict)  # by login: names of postponed items, oldest first
    unimportant: dict[str, tuple[int, frozenset[str]]] = field(
        default_factory=dict
    )  # board -> number of the newest fact used, claim names
    last_seen: float = 0.0  # when a page was last asked for; background work waits for a quiet moment
    book: tuple[object, RulingsBook] = (None, RulingsBook())  # the rulings book, with the log that it was made from
    rulings: BookByFacts = field(default_factory=BookByFacts)
    told_apart: set[tuple[str, str]] = field(default_factory=set)  # keys of guests' and players' names
    shown_on: dict[tuple[str, int], tuple[int, str | None]] = field(default_factory=dict)  # page -> as of, its board
    failed_logins: list[str] = field(default_factory=list)  # wrong PINs since the office was opened, in words
    knocks_seen: int = 0
    no_backup: str = ""  # why the last copy of the event could not be made, in words; nothing: it was
    on_trouble: Callable[[str], None] = lambda _: None  # called with a failure, to tell it where no page is open
    background: list[Background] = field(default_factory=list)  # the work beside the pages
    first: int = 0  # the newest fact when the office was opened
    began: dict[int, float] = field(default_factory=dict)  # fact that started a clock -> steady time then
    standings: RoomStandings | None = None  # see `live`
    say_here: dict[int, dict[str, CheckIn]] = field(default_factory=dict)  # round -> player -> check-in by phone
    say_going: dict[str, CheckIn] = field(default_factory=dict)  # player -> that he goes, by phone

    def __post_init__(self) -> None:
        """Note the newest fact, to tell earlier facts from those that are written while this office is open."""
        self.first = self.event.facts.last_number()
        leave_trouble(self.event, {})

    def begin(self, name: str, work: Callable[[], None], every_s: float) -> Background:
        """Begin some work beside the pages."""
        begun = Background(name, work, every_s, self.tell_trouble)
        self.background.append(begun)
        begun.start()
        return begun

    def tell_trouble(self) -> None:
        """Report failures of background work to the director's terminal and to the next command."""
        leave_trouble(self.event, self.troubles())
        for name, text in self.troubles().items():
            self.on_trouble(f"{name}: {text}")

    def living(self) -> dict[str, bool]:
        """Which background work was alive; dead threads are restarted."""
        return {each.name: each.lives() for each in self.background}

    def troubles(self) -> dict[str, str]:
        """The failures of background work, by its name."""
        return {each.name: each.trouble for each in self.background if each.trouble}

    @property
    def title(self) -> str:
        """The event's name."""
        return self.event.details.name

    @property
    def speech(self) -> Speech:
        """The event's language."""
        return self.event.speech

    @property
    def trouble(self) -> str:
        """What stands against going on: an edited ``event.toml``, or a fault of work, a copy or the facts."""
        refusal = self.event.facts.refusal
        if refusal is not None and self.event.facts.is_lost:
            return say_on_page(str(refusal))
        edited = OTHER_RULES if is_to_be_opened_anew(self.event) else ""
        work = (f"{name}: {text}" for name, text in self.troubles().items())
        return "; ".join(filter(None, [edited, *work, self.no_backup]))

    def big_clock(self) -> dict[str, Any] | None:
        """The big clock as a screen needs it; None before it was ever started."""
        clock = big_clock(self.event)
        if clock is None:
            return None
        return clock.as_json(self.seconds_gone(clock))

    def seconds_gone(self, clock: BigClock) -> float:
        """The seconds that have passed on the clock; it reads no facts, so no lock is needed.

        Seconds are counted by the machine's steady clock since the big clock was started. If it was running before this
        office was opened, the seconds until then are taken from the time of day, once.
        """
        if clock.since is None:
            return clock.elapsed_s
        if clock.number not in self.began:
            wall = seconds_between(clock.since, self.event.facts.clock()) if clock.number <= self.first else 0.0
            self.began[clock.number] = self.clock() - (wall or 0.0)
        return clock.elapsed_s + self.clock() - self.began[clock.number]

    @contextmanager
    def inside(self) -> Iterator[LiveDesk]:
        """Hold the lock, with the live desk up to date."""
        self.last_seen = self.clock()
        with self.lock:
            self.live.refresh()
            yield self.live

    def expecting(self, check: Callable[[], None]) -> AbstractContextManager[None]:
        """Let work write facts only if a check still holds (`FactStore.expecting`)."""
        return self.event.facts.expecting(check)

    def report_failed_login(self, words: str) -> None:
        """Tell the director that a log-in was refused."""
        self.failed_logins = [*self.failed_logins[-MOST_KNOCKS:], f"{self.knocks_seen + 1}: {words}"]
        self.knocks_seen += 1

    def round_to_come(self) -> int:
        """The round for which players say that they are here; 0: there is none.

        It is the one behind the last that everybody knows to be drawn: the answer must not tell of another.
        """
        with self.inside() as live:
            last = max(rounds_with_public_seats(self.event, live.games.values()), default=0)
        return last + 1 if last < self.event.tournament.rounds else 0

    def check_in(self, asked: str, device: str) -> tuple[int, str]:
        """Note that a player says by phone that he is here for the next round; returns that round and his name.

        It decides nothing: the director sees it at the roll call. The name is "" if it fits nobody or several players.
        Stop if the device has said so for many others.
        """
        with self.inside():
            number, name = self.round_to_come(), self._player_called(asked)
            if number and name:
                _note_of_device(self.say_here.setdefault(number, {}), name, device)
            return number, name

    def say_goes(self, asked: str, device: str) -> tuple[int, str]:
        """Note that a player says by phone that he goes home; returns what `check_in` does.

        It decides nothing: the director sees it at the roll call, and says whether he has gone.
        """
        with self.inside():
            name = self._player_called(asked)
            if name:
                _note_of_device(self.say_going, name, device)
            return self.round_to_come(), name

    def _player_called(self, asked: str) -> str:
        """The one player who is called so; else nothing."""
        names = [name for name in self.event.people.names if fold_name(name) == fold_name(asked)]
        return names[0] if len(names) == 1 else ""

    def rulings_book(self) -> RulingsBook:
        """The rulings book up to the newest fact."""
        log = self.live.log()
        if self.book[0] is not log:
            self.book = (log, self.rulings.of(log))
        return self.book[1]

    def plays_on(self, login: Login, board: str | None) -> bool:
        """Whether somebody plays on a board, or may: he may not see what others wrote there."""
        if board is None or board not in self.live.games:
            return False
        answers, asked = PLAYING.of(self.live, board, dict), (login.name, login.role, len(self.told_apart))
        if asked not in answers:
            names = self._names_on(self.live.games[board])
            answers[asked] = any(self.is_player(login.name, login.role, name) for name in names)
        return answers[asked]

    def stop_players(self, login: Login, boards: Iterable[str | None]) -> None:
        """Stop somebody who plays on one of some boards."""
        for board in boards:
            if self.plays_on(login, board):
                raise stop("you play on this board; somebody else must do it", str(board))

    def _names_on(self, game: Game) -> tuple[str, ...]:
        """The names of those who play a game, also those that they had before."""
        people, players = self.event.people, frozenset(game.seating.players.values())
        before = (name for name, number in people.number_by_name.items() if people.name_of(number) in players)
        return (*players, *before)

    def is_player(self, guest: str, role: str, player: str) -> bool:
        """Whether a guest is a player, as far as is known: an assistant also if his name is a part of the player's.

        That is so until the director says that he is somebody else.
        """
        if name_key(guest) == name_key(player):
            return True
        is_asked = role == Role.ASSISTANT and (name_key(guest), name_key(player)) not in self.told_apart
        return is_asked and may_be_same(guest, player)

    def players_meant(self, guest: str, role: str) -> tuple[str, ...]:
        """Which players a guest is as far as is known, though his name is another."""
        names = self.event.people.names
        return tuple(each for each in names if each != guest and self.is_player(guest, role, each))

    def tell_apart(self, guest: str, players: Iterable[str]) -> None:
        """Note that a guest is none of these players, while the office is open."""
        self.told_apart.update((name_key(guest), name_key(each)) for each in players)

    def board_of_page(self, sha256: str, page: int) -> str | None:
        """The board that a scanned page belongs to, by the beginning of the scan's hash; None for a stray page.

        Cached until a page is filed elsewhere, so that pictures need not wait for the lock.
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
        if board not in self.live.games:
            raise stop("no such board; choose one on the page Round", board)
        self.stop_players(login, [board])
        return self.live.games[board]

    def items(self, login: Login) -> list[tuple[str, queue.QueueItem]]:
        """All that waits for somebody, each with the name under which it is reserved.

        Rows without effect come last on their board, postponed ones last of all.
        """
        waiting = [(name, item) for item, name in queue.agenda_by_name(self.live) if self.is_for(login, item)]
        items = [item for _, item in waiting]
        put_off = self.later.get(login.digest, [])
        first: dict[tuple[str | None, bool], int] = {}
        awaited = [queue.is_awaited(self.live, item) for item in items]
        for number, item in enumerate(items):
            first.setdefault((queue.board_of_item(item), awaited[number]), number)
        places = [
            (
                put_off.index(waiting[number][0]) + 1 if waiting[number][0] in put_off else 0,
                first[queue.board_of_item(item), awaited[number]],
                self.makes_no_difference(item, waiting[number][0]),
                number,
            )
            for number, item in enumerate(items)
        ]
        return [waiting[place[-1]] for place in sorted(places)]

    def to_settle(self, items: Iterable[tuple[str, queue.QueueItem]]) -> Counter[str | None]:
        """How many things wait for a decision on each board; under None pages whose board is not known.

        Missing sheets, rows to be compared with their ink and boards ready to publish are not counted.
        """
        return Counter(
            queue.board_of_item(item)
            for _, item in items
            if not isinstance(item, queue.Check | queue.Ready) and not queue.is_awaited(self.live, item)
        )

    def to_correct(self, login: Login) -> list[dict[str, str]]:
        """The published sheets that were ruled on since and not corrected, each with the address of its correction."""
        return [
            {
                "about": f"Board {turn.board}, {turn.phase.in_words}, {turn.power.title()}",
                "text": say_on_page(problem.text),
                "correct": correct_address(turn.board, turn.phase, turn.power),
            }
            for turn, problem in rulings_not_applied(self.live.desk, self.live.games)
            if may(login, Right.PUBLISH) and not self.plays_on(login, turn.board)
        ]

    def is_for(self, login: Login, item: queue.QueueItem) -> bool:
        """Whether somebody may deal with an item."""
        if isinstance(item, queue.Ready) and not may(login, Right.PUBLISH):
            return False
        return not self.plays_on(login, queue.board_of_item(item))

    def makes_no_difference(self, item: queue.QueueItem, name: str) -> bool:
        """Whether all meanings of a row lead to the same position, as far as that was computed."""
        board = queue.board_of_item(item)
        if board is None or not isinstance(item, queue.ReviewItem) or item.row is None:
            return False
        as_of, names = self.unimportant.get(board, (-1, frozenset()))
        return name in names and as_of == self.live.touched.get(board)

    def take(self, login: Login, items: Sequence[tuple[str, queue.QueueItem]], focus: Focus) -> queue.QueueItem | None:
        """Claim the first item that nobody else holds, that of ``focus`` before others."""
        held = self.claims.held_by_others(login, now=self.clock(), seconds=CLAIM_S)
        busy = {" ".join(name.split()[:3]) for name in held}  # sheets that somebody else works on come last

        later = self.later.get(login.digest, [])

        def place(each: tuple[str, queue.QueueItem]) -> tuple[bool, bool, bool]:
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

    def put_off(self, login: Login, item: queue.QueueItem) -> None:
        """Show an item again when everything else is done."""
        names = self.later.setdefault(login.digest, [])
        name = queue.claim_name(item)
        if name in names:
            names.remove(name)
        names.append(name)

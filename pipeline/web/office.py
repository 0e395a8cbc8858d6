"""The state shared by all browsers: one open event with a lock, sessions, and what everybody is looking at."""

import hmac
import io
import ipaddress
import re
import secrets
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from enum import StrEnum
from typing import Any, Protocol
from urllib.parse import urlsplit

import segno
from msgspec import Struct, field
from starlette.requests import Request

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.event.settings import is_to_be_opened_anew
from pipeline.desk.forms.forms_in import board_of_form_page
from pipeline.desk.players import rounds_with_public_seats
from pipeline.desk.publish.public_record import BigClock, big_clock
from pipeline.desk.review import queue
from pipeline.desk.review.live import LiveDesk, WhileUntouched
from pipeline.desk.review.orders_shown import leave_trouble
from pipeline.desk.ruling.desk import BookByFacts
from pipeline.draw.roster import fold_name
from pipeline.draw.same_names import may_be_same, name_key
from pipeline.ledger.claims import Claims, Login, digest_of
from pipeline.ledger.files import seconds_between
from pipeline.logs import log_failure
from pipeline.problems import Stopped, stop
from pipeline.rules.rulings_book import RulingsBook
from pipeline.words.speech import Speech, to_say

# Where telephones reach this machine: its addresses in the room, and what is shown of them.

LOCAL = "127.0.0.1"
# addresses to find our own network address; nothing is sent
FAR = ("192.168.255.254", "10.255.255.254", "172.31.255.254", "192.0.2.1")


class PageAddresses(Struct, frozen=True):
    """How browsers come in: the addresses of the pages, the one for telephones first."""

    addresses: tuple[str, ...] = ()  # in the room; none: only this machine
    fingerprint: str = ""  # of the certificate; nothing: plain HTTP

    @property
    def is_tls(self) -> bool:
        """Whether others in the room open the pages over TLS."""
        return bool(self.fingerprint)

    def url(self, address: str, port: int) -> str:
        return f"{'https' if self.is_tls else 'http'}://{address}:{port}/"

    def code(self, port: int) -> segno.QRCode | None:
        """The QR code for phones: the address, followed by the certificate's fingerprint."""
        if not self.addresses:
            return None
        behind = f"door#sha256={self.fingerprint.replace(':', '')}" if self.fingerprint else ""
        return segno.make(self.url(self.addresses[0], port) + behind, error="m")


def in_terminal(code: segno.QRCode) -> str:
    """A QR code drawn with the characters of a terminal."""
    drawn = io.StringIO()
    code.terminal(drawn, border=2, compact=True)
    return drawn.getvalue()


def network_addresses(named: str | None = None) -> tuple[str, ...]:
    """The addresses at which others in the room may reach this machine: the ``named`` one, then the others, best first.

    Loopback addresses are never among them.
    """
    if named is not None:
        addresses = [named, *_candidates()]
        if not _is_of_a_network(named):
            raise stop("expected an address that others reach, such as 192.168.1.20", f"--address {named}")
        return tuple(dict.fromkeys(addresses))
    return tuple(_candidates())


def _candidates() -> list[str]:
    """The addresses of this machine by its networks and its name, each once; self-assigned ones last."""
    addresses = dict.fromkeys(each for each in (*_towards(FAR), *_of_name()) if _is_of_a_network(each))
    return sorted(addresses, key=lambda each: ipaddress.ip_address(each).is_link_local)


def _towards(targets: Iterable[str]) -> list[str]:
    """The addresses from which this machine would send somewhere; it sends nothing."""
    addresses = []
    for target in targets:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
            try:
                way.connect((target, 9))
            except OSError:  # there is no way
                continue
            addresses.append(str(way.getsockname()[0]))
    return addresses


def _of_name() -> list[str]:
    """The addresses that this machine's own name resolves to; none if it does not resolve."""
    try:
        known = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_STREAM)
    except OSError:
        return []
    return sorted({str(each[4][0]) for each in known})


def _is_of_a_network(address: str) -> bool:
    """Whether another machine can reach an address."""
    try:
        known = ipaddress.IPv4Address(address)
    except ValueError:
        return False
    return not (known.is_loopback or known.is_unspecified or known.is_multicast)


# Authentication and authorisation: PINs and their rate limit (lockout), roles, sessions and how long they last, and the
# CSRF token of every POST.

COOKIE = "ordersheets"
SESSION_S = 16 * 3600  # a long day of a tournament
TRIES, TRIES_S = 5, 60  # wrong PINs from one address before it must wait
ALL_TRIES, ALL_S = 20, 600  # for all addresses together: at most 2,880 of a million PINs can be tried in a day
PUBLIC = ("/live", "/static/live.")
OTHER_RULES = (
    "event.toml now says another tournament, code, map or language than this desk goes by: put it back, or open the"
    " event again under More, All events; nothing is written down until then"
)
LONGEST = 40  # letters of what somebody tried that the director is shown


class Role(StrEnum):
    """What somebody at a browser may do."""

    DIRECTOR = "director"  # everything
    ASSISTANT = "assistant"  # settles rows and keys in; publishes nothing
    UPLOAD = "upload"  # hands in scans
    SCREEN = "screen"  # shows what is published


class Right(StrEnum):
    """One thing that needs a right."""

    RULE = "rule"  # see unpublished orders, settle doubts, key in
    PUBLISH = "publish"  # publish, end games, hold votes, roll dice, set the clock, see standings
    UPLOAD = "upload"
    WATCH = "watch"


RIGHTS = {
    Role.DIRECTOR: frozenset(Right),
    Role.ASSISTANT: frozenset({Right.RULE, Right.UPLOAD, Right.WATCH}),
    Role.UPLOAD: frozenset({Right.UPLOAD}),
    Role.SCREEN: frozenset({Right.WATCH}),
}


class Guest(Struct, frozen=True):
    """An expected user, with his role and PIN."""

    name: str
    role: Role
    pin: str


def new_guest(name: str, role: Role) -> Guest:
    """Give somebody a PIN of six digits."""
    return Guest(name, role, f"{secrets.randbelow(10**6):06}")


def read_guest(text: str) -> Guest:
    """Read ``Anna:assistant``; a name alone is an assistant.

    >>> read_guest("Anna").role, read_guest("Phone:upload").role
    (<Role.ASSISTANT: 'assistant'>, <Role.UPLOAD: 'upload'>)
    """
    name, _, role = (part.strip() for part in text.partition(":"))
    if not name or role not in ("", *Role):
        raise stop(f"expected NAME:ROLE with one of {', '.join(Role)}, found {text!r}", "--desk")
    return new_guest(name, Role(role or Role.ASSISTANT))


def with_phone_and_screen(guests: tuple[Guest, ...]) -> tuple[Guest, ...]:
    """Expect a telephone and a screen as well: others in the room may log in."""
    roles = {guest.role for guest in guests}
    return guests + tuple(new_guest(role, role) for role in (Role.UPLOAD, Role.SCREEN) if role not in roles)


def new_token() -> str:
    """Make a CSRF token, which every POST of a session brings with it."""
    return secrets.token_urlsafe(24)


def host_of(address: str) -> str:
    """The host name in the address of the public pages; empty if there is none.

    >>> host_of("https://moot.example.org"), host_of(""), host_of("http://[")
    ('moot.example.org', '', '')
    """
    with suppress(ValueError):
        return urlsplit(address).hostname or ""
    return ""


class NetworkSwitch(Protocol):
    """Lets other machines of the room's network open the pages, or only this one."""

    began: PageAddresses  # the network the desk was started with; if it has addresses, encryption is fixed already

    def switch_on(self, event: Event, address: str, *, is_tls: bool) -> None:
        """Let others in by an address of this machine; by its best where none is named."""

    def switch_off(self) -> None:
        """Let only this machine open the pages."""


class Logins(Struct):
    """Logs browsers in, with a PIN or the key from the terminal, and recognises them by their cookie."""

    claims: Claims
    guests: tuple[Guest, ...]
    key: str  # opens the director's page once, from the link that the terminal shows
    clock: Callable[[], float]
    is_lan: bool = False
    live_host: str = ""  # the host name in the public address that event.toml states; empty: none
    on_wrong: Callable[[str], None] = lambda _: None  # called with a message on a wrong PIN or an outdated key
    tries: list[tuple[float, str]] = field(default_factory=list)  # recent wrong PINs: time and address
    links: list[float] = field(default_factory=list)  # times of failed attempts with a link
    inside: dict[str, Login] = field(default_factory=dict)  # by the digests of their cookies
    is_used: bool = False  # whether the key was used
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    pages_at: PageAddresses = field(default_factory=PageAddresses)  # where the pages are, known when somebody listens
    port: int = 0
    network: NetworkSwitch | None = None  # as long as the pages are served
    has_start_page: bool = False  # on which another event is opened

    @property
    def cookie(self) -> str:
        """The cookie's name: browsers send one to all ports of a machine, and two desks on it must not share one."""
        return f"{COOKIE}-{self.port}" if self.port else COOKIE

    def enter(self, name: str, role: Role) -> tuple[str, Login]:
        """Let somebody in; returns the cookie, which is kept nowhere here."""
        cookie = secrets.token_urlsafe(32)
        login = Login(
            digest=digest_of(cookie),
            csrf=new_token(),
            name=name,
            role=role,
            until=self.clock() + SESSION_S,
        )
        self.let_in(login)
        return cookie, login

    def let_in(self, login: Login) -> None:
        """Remember a session; sessions from before a restart are not valid."""
        self.claims.let_in(login)
        self.inside[login.digest] = login
        self.claims.free_what_was_left(login.name, self.inside)

    def send_away(self, login: Login) -> None:
        """End one browser's session."""
        self.inside.pop(login.digest, None)
        self.claims.send_away(login)

    def send_all_away(self, name: str, role: str, by: Login) -> Guest:
        """End all sessions of a user but the one that asks for it, and give him a new PIN."""
        known = next((guest for guest in self.guests if (guest.name, guest.role) == (name, role)), None)
        if known is None:
            raise stop(to_say("nobody of this name may log in; reload the page"), name)
        fresh = new_guest(known.name, known.role)
        self.guests = tuple(fresh if guest is known else guest for guest in self.guests)
        for login in [*self.inside.values()]:
            if (login.name, login.role) == (name, role) and login.digest != by.digest:
                self.send_away(login)
        return fresh

    def browsers_of(self, guest: Guest) -> int:
        return sum((login.name, login.role) == (guest.name, guest.role) for login in [*self.inside.values()])

    def knows(self, cookie: str | None) -> bool:
        """Whether a cookie belongs to a session; rights are checked by `login_of`."""
        return cookie is not None and digest_of(cookie) in self.inside

    def with_key(self, key: str, address: str) -> str | None:
        """Let the director in by the link from the terminal: once, and at this machine."""
        if not key:
            return None
        if not secrets.compare_digest(key.encode(), self.key.encode()) or self.is_used or not is_here(address):
            now = self.clock()
            self.links = [at for at in self.links if now - ALL_S < at <= now]
            if len(self.links) < ALL_TRIES:  # another web page may try it a thousand times
                self.links.append(now)
                self.on_wrong(f"a wrong log-in link was tried from {address}")
            return None
        self.is_used = True
        director = next(guest for guest in self.guests if guest.role is Role.DIRECTOR)
        return self.enter(director.name, director.role)[0]

    def with_pin(self, name: str, pin: str, address: str) -> str | None:
        """Let somebody in by name and PIN, without brute force.

        After five wrong PINs an address waits; after twenty in all, every address does except this machine's own.
        """
        now = self.clock()
        self.tries = [(at, where) for at, where in self.tries if now - ALL_S < at <= now]
        if len(self.tries) >= ALL_TRIES and not is_here(address):
            raise stop(
                to_say("too many wrong PINs; wait ten minutes, or ask the director to start the desk again"), address
            )
        if sum(where == address and at > now - TRIES_S for at, where in self.tries) >= TRIES:
            raise stop(to_say("too many wrong PINs; wait a minute"), address)
        for guest in self.guests:
            same = name_key(guest.name) == name_key(name)
            if secrets.compare_digest(guest.pin.encode(), pin.strip().encode()) and same:
                return self.enter(guest.name, guest.role)[0]
        self.tries.append((now, address))
        self.on_wrong(f"a wrong PIN for {name[:LONGEST]!r} from {address}, {len(self.tries)} wrong in ten minutes")
        return None

    def login_of(self, request: Request) -> Login | None:
        cookie = request.cookies.get(self.cookie)
        known = self.knows(cookie)
        login = self.claims.login(cookie or "", now=self.clock(), seconds=SESSION_S) if known else None
        return login if login is not None and login.role in [*Role] else None  # a damaged file may have any role

    def sign_device(self, word: str) -> str:
        """A cookie of a browser that checks in, which nobody else can make."""
        return f"{word}.{hmac.new(self.secret, word.encode(), 'sha256').hexdigest()[:32]}"

    def is_device(self, cookie: str) -> bool:
        """Whether a cookie is of `sign_device`."""
        return secrets.compare_digest(cookie.encode(), self.sign_device(cookie.partition(".")[0]).encode())

    def host_is_ours(self, request: Request) -> bool:
        """Whether the Host header is an address of ours, not somebody else's name for it (DNS rebinding).

        Ours are those that are told to telephones, and the one at which this connection came in.
        """
        host = _asked_host(request)
        if host == "localhost":
            return True
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        came_at, _ = request.scope.get("server") or ("", 0)
        return address.is_loopback or (self.is_lan and host in (came_at, *self.pages_at.addresses))

    def is_public(self, request: Request) -> bool:
        """Whether a public page was asked for by the host name that event.toml states; false for the log-in page."""
        path = str(request.scope["path"])  # as routes have it; `request.url` contains the Host header, too
        return bool(self.live_host) and _asked_host(request) == self.live_host and path.lower().startswith(PUBLIC)

    def origin_is_ours(self, request: Request) -> bool:
        """Whether a POST comes from one of our own pages; old browsers do not say, and bring the token anyway."""
        origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site", "same-origin")
        is_same = origin is None or origin.partition("://")[2] == request.headers.get("host")
        return is_same and site in ("same-origin", "none")


HOST = re.compile(r"([\w.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?", re.ASCII)


def _asked_host(request: Request) -> str:
    """The host name or address by which a page was asked for; empty if the header holds neither."""
    host = HOST.fullmatch(request.headers.get("host", ""))
    return host[1].strip("[]").lower() if host else ""


def is_here(address: str) -> bool:
    """Whether somebody sits at this machine."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def may(login: Login, right: Right) -> bool:
    return right in RIGHTS[Role(login.role)]


# Background work, each kind in its own thread: a failure is reported, and the work goes on.

AGAIN_S = 2.0  # pause after a failed round
PATIENCE_S = 900.0  # without a heartbeat the thread counts as hanging: the slowest stick may take ten minutes


class Background:
    """A thread that repeats some work until the office closes; no exception ends it."""

    def __init__(self, name: str, work: Callable[[], None], every_s: float, on_change: Callable[[], None]) -> None:
        self.name = name
        self.work = work
        self.every_s = every_s
        self.on_change = on_change  # called when the trouble changes or is over
        self.trouble = ""  # why the last round failed, or that this one hangs; nothing: neither
        self.sign = time.monotonic()  # when it gave its last sign of life
        self.is_over = threading.Event()
        self.thread = self.new_thread()

    def new_thread(self) -> threading.Thread:
        """Make a thread; it is not begun."""
        return threading.Thread(target=self.run, name=self.name, daemon=True)

    def start(self) -> None:
        self.thread.start()

    def beat(self) -> None:
        """Heartbeat: a round begins, or a long one continues."""
        self.sign = time.monotonic()

    def lives(self) -> bool:
        """Whether the thread is alive and does not hang; a dead one is restarted, a hanging one reported."""
        if self.is_over.is_set():
            return True
        if self.thread.is_alive():
            silent = time.monotonic() - self.sign
            if silent > PATIENCE_S:
                self.tell(f"no sign of life for {int(silent) // 60} minutes; close the desk and open it again")
            return silent <= PATIENCE_S
        self.thread = self.new_thread()
        self.beat()
        self.start()
        return False

    def run(self) -> None:
        """Do one round after the other, until the office closes."""
        while not self.is_over.wait(AGAIN_S if self.trouble else self.every_s):
            self.do_round()

    def do_round(self) -> None:
        """Do one round; whatever it is that fails, the next one is done as well."""
        self.beat()
        try:
            self.work()
            now = ""
        except Stopped as stopped:
            now = "; ".join(f"{each.where}: {each.text}" for each in stopped.problems)
        except BaseException as error:  # unexpected: it must not end the thread
            now = f"{type(error).__name__}: {error}; it is tried again"
            if now != self.trouble:
                log_failure(error, "work in the background was being done")
        self.beat()
        self.tell(now)

    def tell(self, now: str) -> None:
        """Report a new trouble, or that the last one is over; nothing if it is the same as before."""
        if now != self.trouble:
            self.trouble = now
            with suppress(Exception):  # the terminal may be closed
                self.on_change()


MOST_KNOCKS = 19  # failed log-ins that are kept beside the newest
CLAIM_S = 15.0  # a claim lasts so long after the browser's last sign of life; it gives one every 5 s


PLAYING: WhileUntouched[tuple[str, ...]] = WhileUntouched()


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
    standings: tuple[int, str, list[dict[str, Any]], tuple[str, ...]] = (-1, "", [], ())  # as of a fact: see `live`
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
            return str(refusal)
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
        game = self.live.games.get(board or "")
        if game is None:
            return False
        names = PLAYING.of(self.live, game.name, lambda: self._names_on(game))
        return any(self.is_player(login.name, login.role, name) for name in names)

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
        if self.plays_on(login, board):
            raise stop("you play on this board; somebody else must do it", board)
        return self.live.games[board]

    def items(self, login: Login) -> list[tuple[str, queue.QueueItem]]:
        """All that waits for somebody, each with the name under which it is reserved.

        Rows without effect come last on their board, postponed ones last of all.
        """
        waiting = [(name, item) for item, name in queue.agenda_by_name(self.live) if self.is_for(login, item)]
        items = [item for _, item in waiting]
        put_off = self.later.get(login.digest, [])
        first: dict[tuple[str | None, bool], int] = {}
        absent = [isinstance(item, queue.ReviewItem) and self.is_awaited(item) for item in items]
        for number, item in enumerate(items):
            first.setdefault((queue.board_of_item(item), absent[number]), number)
        places = [
            (
                put_off.index(waiting[number][0]) + 1 if waiting[number][0] in put_off else 0,
                first[queue.board_of_item(item), absent[number]],
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
        asked = [item for _, item in items if not isinstance(item, queue.Check | queue.Ready | queue.UnwrittenPhase)]
        return Counter(
            queue.board_of_item(item)
            for item in asked
            if not (isinstance(item, queue.ReviewItem) and self.is_awaited(item))
        )

    def is_awaited(self, doubt: queue.ReviewItem) -> bool:
        """Whether a doubt only says that a sheet is missing: it may still come."""
        return doubt.row is None and self.is_absent(doubt)

    def is_for(self, login: Login, item: queue.QueueItem) -> bool:
        """Whether somebody may deal with an item."""
        if isinstance(item, queue.Ready) and not may(login, Right.PUBLISH):
            return False
        return not self.plays_on(login, queue.board_of_item(item))

    def is_absent(self, doubt: queue.ReviewItem) -> bool:
        """Whether a doubt is about a sheet that is not in."""
        return not self.live.sheets(doubt.turn)

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

"""Who may come in, and what each may see: PINs, roles, sessions, and the token that every POST must bring."""

import ipaddress
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import urlsplit

from starlette.requests import Request

from pipeline.ledger.files.claims import Claims, Login, digest_of
from pipeline.problems import stop
from pipeline.web.office.network import Room

COOKIE = "ordersheets"
SESSION_S = 16 * 3600  # a long day of a tournament
TRIES, TRIES_S = 5, 60  # wrong PINs from one address before it must wait
ALL_TRIES, ALL_S = 20, 600  # from all addresses together: of a million PINs 2,880 are tried in a day
PUBLIC = ("/live", "/static/live.")
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


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who is expected at a browser, and the PIN that lets him in."""

    name: str
    role: Role
    pin: str


def new_seat(name: str, role: Role) -> Guest:
    """Give somebody a PIN of six digits."""
    return Guest(name, role, f"{secrets.randbelow(10**6):06}")


def read_seat(text: str) -> Guest:
    """Read ``Anna:assistant``; a name alone is an assistant.

    >>> read_seat("Anna").role, read_seat("Phone:upload").role
    (<Role.ASSISTANT: 'assistant'>, <Role.UPLOAD: 'upload'>)
    """
    name, _, role = (part.strip() for part in text.partition(":"))
    if not name or role not in ("", *Role):
        raise stop(f"expected NAME:ROLE with one of {', '.join(Role)}, found {text!r}", "--desk")
    return new_seat(name, Role(role or Role.ASSISTANT))


def new_token() -> str:
    """Make what every decision of a session's pages brings with it."""
    return secrets.token_urlsafe(24)


def host_of(address: str) -> str:
    """The name by which telephones ask for the public pages, of their address; nothing where there is none.

    >>> host_of("https://moot.example.org"), host_of("")
    ('moot.example.org', '')
    """
    return urlsplit(address).hostname or ""


@dataclass(slots=True)
class Door:
    """Lets browsers in with a PIN or the key from the terminal, and knows them by their cookie afterwards."""

    claims: Claims
    seats: tuple[Guest, ...]
    key: str  # opens the director's page once, from the link that the terminal shows
    clock: Callable[[], float]
    is_lan: bool = False
    live_host: str = ""  # by which telephones ask for the public pages, where it is a name and no address
    on_wrong: Callable[[str], None] = lambda _: None  # is told in words of a wrong PIN, and of a key that opens no more
    tries: list[tuple[float, str]] = field(default_factory=list)  # wrong ones of the last minutes: when, from where
    is_used: bool = False  # the key
    room: Room = field(default_factory=Room)  # where the pages are, known when somebody listens
    port: int = 0

    def enter(self, name: str, role: Role) -> tuple[str, Login]:
        """Let somebody in; gives back the cookie, which is kept nowhere here."""
        cookie = secrets.token_urlsafe(32)
        login = Login(
            digest=digest_of(cookie),
            csrf=new_token(),
            name=name,
            role=role,
            until=self.clock() + SESSION_S,
        )
        self.claims.let_in(login)
        return cookie, login

    def with_key(self, key: str, address: str) -> str | None:
        """Let the director in by the link from the terminal: once, and at this machine."""
        if not key:
            return None
        if not secrets.compare_digest(key.encode(), self.key.encode()) or self.is_used or not is_here(address):
            self.on_wrong(f"a link that does not open the door was tried from {address}")
            return None
        self.is_used = True
        director = next(seat for seat in self.seats if seat.role is Role.DIRECTOR)
        return self.enter(director.name, director.role)[0]

    def with_pin(self, name: str, pin: str, address: str) -> str | None:
        """Let somebody in by name and PIN; after five wrong ones an address waits, and after twenty everybody does."""
        now = self.clock()
        self.tries = [(at, where) for at, where in self.tries if now - ALL_S < at <= now]
        if len(self.tries) >= ALL_TRIES:
            raise stop("too many wrong PINs; wait ten minutes, or ask the director to open the office anew", address)
        if sum(where == address and at > now - TRIES_S for at, where in self.tries) >= TRIES:
            raise stop("too many wrong PINs; wait a minute", address)
        for seat in self.seats:
            same = seat.name.casefold() == name.strip().casefold()
            if secrets.compare_digest(seat.pin.encode(), pin.strip().encode()) and same:
                return self.enter(seat.name, seat.role)[0]
        self.tries.append((now, address))
        self.on_wrong(f"a wrong PIN for {name[:LONGEST]!r} from {address}, {len(self.tries)} wrong in ten minutes")
        return None

    def login_of(self, request: Request) -> Login | None:
        """Find who is at a browser."""
        cookie = request.cookies.get(COOKIE)
        found = self.claims.login(cookie, now=self.clock(), seconds=SESSION_S) if cookie else None
        return found if found is not None and found.role in [*Role] else None  # of a damaged file it may be anything

    def host_is_ours(self, request: Request) -> bool:
        """Whether the page was asked for by an address and not by somebody else's name for it (DNS rebinding)."""
        host = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
        if host == "localhost":
            return True
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return address.is_loopback or self.is_lan

    def is_public(self, request: Request) -> bool:
        """Whether a public page was asked for by the name that the event's file says; a log-in never is."""
        host = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
        return bool(self.live_host) and host == self.live_host and request.url.path.lower().startswith(PUBLIC)

    def origin_is_ours(self, request: Request) -> bool:
        """Whether a POST comes from one of our own pages; old browsers send no origin, and bring the token anyway."""
        origin = request.headers.get("origin")
        return origin is None or urlsplit(origin).netloc == request.headers.get("host")


def is_here(address: str) -> bool:
    """Whether somebody sits at this machine."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def may(login: Login, right: Right) -> bool:
    """Whether a login has a right."""
    return right in RIGHTS[Role(login.role)]

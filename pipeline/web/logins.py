"""Authentication and authorisation: PINs and their rate limit (lockout), roles, rights and sessions.

Every session has a token (CSRF) that its POSTs must bring.
"""

import hmac
import ipaddress
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import Protocol
from urllib.parse import urlsplit

from msgspec import Struct, field
from starlette.requests import Request

from pipeline.desk.event.event import Event
from pipeline.draw.same_names import name_key
from pipeline.ledger.claims import Claims, Login, digest_of
from pipeline.problems import stop
from pipeline.web.network import PageAddresses
from pipeline.words.speech import to_say

LONGEST = 40  # letters of what somebody tried that the director is shown
COOKIE = "ordersheets"
SESSION_S = 16 * 3600  # a long day of a tournament
TRIES, TRIES_S = 5, 60  # wrong PINs from one address before it must wait
ALL_TRIES, ALL_S = 20, 600  # for all addresses together: at most 2,880 of a million PINs can be tried in a day
PUBLIC = ("/live", "/static/live.")


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

"""Who may come in, and what each may see: PINs, roles, sessions, and the token that every POST must bring."""

import ipaddress
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import urlsplit

from starlette.requests import Request

from pipeline.problems import stop
from pipeline.store.claims import Claims, Login, digest_of

COOKIE = "ordersheets"
SESSION_S = 16 * 3600  # a long day of a tournament
TRIES, TRIES_S = 5, 60  # wrong PINs from one address before it must wait


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
class Seat:
    """Somebody who is expected at a browser, and the PIN that lets him in."""

    name: str
    role: Role
    pin: str


def new_seat(name: str, role: Role) -> Seat:
    """Give somebody a PIN of six digits."""
    return Seat(name, role, f"{secrets.randbelow(10**6):06}")


def read_seat(text: str) -> Seat:
    """Read ``Anna:assistant``; a name alone is an assistant.

    >>> read_seat("Anna").role, read_seat("Phone:upload").role
    (<Role.ASSISTANT: 'assistant'>, <Role.UPLOAD: 'upload'>)
    """
    name, _, role = (part.strip() for part in text.partition(":"))
    if not name or role not in ("", *Role):
        raise stop(f"expected NAME:ROLE with one of {', '.join(Role)}, found {text!r}", "--desk")
    return new_seat(name, Role(role or Role.ASSISTANT))


@dataclass(slots=True)
class Door:
    """Lets browsers in with a PIN or the key from the terminal, and knows them by their cookie afterwards."""

    claims: Claims
    seats: tuple[Seat, ...]
    key: str  # opens the director's page once, from the link that the terminal shows
    clock: Callable[[], float]
    is_lan: bool = False
    tries: dict[str, list[float]] = field(default_factory=dict)

    def enter(self, name: str, role: Role) -> tuple[str, Login]:
        """Let somebody in; gives back the cookie, which is kept nowhere here."""
        cookie = secrets.token_urlsafe(32)
        login = Login(
            digest=digest_of(cookie),
            csrf=secrets.token_urlsafe(24),
            name=name,
            role=role,
            until=self.clock() + SESSION_S,
        )
        self.claims.let_in(login)
        return cookie, login

    def with_key(self, key: str) -> str | None:
        """Let the director in by the link from the terminal."""
        if not secrets.compare_digest(key.encode(), self.key.encode()):
            return None
        director = next(seat for seat in self.seats if seat.role is Role.DIRECTOR)
        return self.enter(director.name, director.role)[0]

    def with_pin(self, name: str, pin: str, address: str) -> str | None:
        """Let somebody in by name and PIN; after five wrong ones an address waits a minute."""
        now = self.clock()
        recent = [at for at in self.tries.get(address, []) if at > now - TRIES_S]
        self.tries[address] = recent
        if len(recent) >= TRIES:
            raise stop("too many wrong PINs; wait a minute", address)
        for seat in self.seats:
            same = seat.name.casefold() == name.strip().casefold()
            if secrets.compare_digest(seat.pin.encode(), pin.strip().encode()) and same:
                return self.enter(seat.name, seat.role)[0]
        recent.append(now)
        return None

    def login_of(self, request: Request) -> Login | None:
        """Find who is at a browser."""
        cookie = request.cookies.get(COOKIE)
        return self.claims.login(cookie, now=self.clock()) if cookie else None

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

    def origin_is_ours(self, request: Request) -> bool:
        """Whether a POST comes from one of our own pages; old browsers send no origin, and bring the token anyway."""
        origin = request.headers.get("origin")
        return origin is None or urlsplit(origin).netloc == request.headers.get("host")


def may(login: Login, right: Right) -> bool:
    """Whether a login has a right."""
    return right in RIGHTS[Role(login.role)]

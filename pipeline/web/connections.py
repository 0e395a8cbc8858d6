"""Limits on connections: they are counted before a byte is read, and a part is kept for people who are logged in.

That part is of the files, the threads and the processor. The server (uvicorn) listens on a socket class of our own. It
relies only on what every asyncio server does: ``accept`` on the socket and ``close`` on connections. So connections are
counted even before TLS begins.
"""

import asyncio
import errno
import os
import socket
import sys
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pipeline.web.logins import Logins, is_here

FIRST_S = 10.0  # from connecting to the first request: TLS handshake and headers
IDLE_S = 30.0  # after an answer; a telephone asks every ten seconds
DESK_S = 120.0  # the same for logged-in users
ANSWER_S = 60.0  # for others: to send a request and to fetch the answer
GRACE_S = 1.0  # no connection is closed to make room before this age
LOOK_S = 0.5  # interval of the check for expired connections
AT_ONCE = 8  # connections accepted in one go, before existing ones are served again
HALL_TURNS = 4  # concurrent requests of users who are not logged in
MOST_CALLS = 2000
FILES = 4096  # file descriptors requested from the system, for connections and the event's files
OWN_FILES = 96  # of these for the event, its readers and its prints
SELECTED = 512  # sockets that a Windows program can wait for (FD_SETSIZE)
FULL = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


def _files_allowed() -> int:
    """How many files this program may have open, once the limit is as high as the system lets anybody set it."""
    if sys.platform == "win32":
        return SELECTED
    import resource  # noqa: PLC0415 - there is none on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return FILES if soft == resource.RLIM_INFINITY else soft
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


class Call(socket.socket):
    """A connection, with the time since its last activity, and whether its user is logged in."""

    def __init__(self, listener: "ListeningSocket", heard: socket.socket, where: tuple[str, int]) -> None:
        super().__init__(heard.family, heard.type, heard.proto, heard.detach())
        self.listener = listener
        self.host = where[0]
        self.ends = (where, self.getsockname())
        self.since = time.monotonic()  # the last activity: accepted, requested or answered
        self.has_asked = self.is_asking = self.is_desk = False

    def close(self) -> None:
        """Close the connection, and count it no more."""
        super().close()
        self.listener.forget(self)

    def hang_up(self) -> None:
        """End the connection; the server notices and closes it."""
        self.listener.forget(self)
        with suppress(OSError):  # the other has hung up
            self.shutdown(socket.SHUT_RDWR)

    def may_go(self, now: float) -> bool:
        """Whether the connection is idle, so that it may be closed to make room."""
        return not self.is_desk and not self.is_asking and now - self.since >= GRACE_S

    def is_too_long(self, now: float) -> bool:
        """Whether the connection has been silent, or busy, for too long."""
        if self.is_desk:
            return not self.is_asking and now - self.since > DESK_S
        return now - self.since > (ANSWER_S if self.is_asking else IDLE_S if self.has_asked else FIRST_S)


class ListeningSocket(socket.socket):
    """The listening socket, which counts its connections, in all and by address.

    A whole hall may have one address (a hotspot), so an address is limited to half of the places only if few are left.

    If all places are taken, idle connections are closed, first of the address that has most; if none is idle, new
    connections wait.
    """

    def __init__(self, most: int | None = None) -> None:
        super().__init__(socket.AF_INET, socket.SOCK_STREAM)
        self.most = min(MOST_CALLS, _files_allowed() - OWN_FILES) if most is None else most
        self.calls: dict[Any, Call] = {}
        self.hosts: Counter[str] = Counter()
        self.in_a_row = 0
        self.is_for_all = True  # if not, connections from other machines are ended
        self.spare = os.open(os.devnull, os.O_RDONLY)  # a spare file descriptor, used when none is left

    @property
    def is_crowded(self) -> bool:
        """Whether connections should be closed after each answer, to make room."""
        return len(self.calls) > self.most * 3 // 4

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept the next connection if there is a place; after some in a row, existing ones are served first."""
        self.in_a_row += 1
        if self.in_a_row > AT_ONCE:
            raise self.later()
        if len(self.calls) >= self.most and not self.make_room(self.calls.values()):
            time.sleep(0.0002)  # the event loop asks again at once, and others need the processor
            raise self.later()
        try:
            heard, where = super().accept()
        except OSError as error:
            if error.errno in FULL:
                self.turn_away()
            raise self.later() from error
        call = Call(self, heard, where)
        if not (self.is_for_all or is_here(call.host)):
            call.close()
            raise self.later()
        if self.is_crowded and not is_here(call.host) and self.hosts[call.host] >= self.most // 2:
            same = [each for each in self.calls.values() if each.host == call.host]
            if not self.make_room(same):
                call.close()
                return self.accept()
        self.calls[call.ends] = call
        self.hosts[call.host] += 1
        return call, where

    def later(self) -> BlockingIOError:
        """The error that means: no connection to accept now."""
        self.in_a_row = 0
        return BlockingIOError(errno.EAGAIN, "nobody is taken now")

    def make_room(self, among: Iterable[Call]) -> bool:
        """Close some idle connections; returns whether there were any."""
        now = time.monotonic()
        idle = sorted(
            (call for call in among if call.may_go(now)), key=lambda call: (-self.hosts[call.host], call.since)
        )
        for call in idle[: 1 + self.most // 32]:
            call.hang_up()
        return bool(idle)

    def hang_up_on_others(self) -> None:
        """End all calls but those of this machine."""
        for call in [each for each in self.calls.values() if not is_here(each.host)]:
            call.hang_up()

    def turn_away(self) -> None:
        """No file descriptor is left: accept a connection with the spare one and close it, to prevent a busy loop."""
        os.close(self.spare)
        with suppress(OSError):
            super().accept()[0].close()
        with suppress(OSError):
            self.spare = os.open(os.devnull, os.O_RDONLY)

    def forget(self, call: Call) -> None:
        """Remove a closed connection from the counts."""
        if self.calls.get(call.ends) is call:
            del self.calls[call.ends]
            self.hosts[call.host] -= 1
            if not self.hosts[call.host]:
                del self.hosts[call.host]

    def close(self) -> None:
        super().close()
        spare, self.spare = self.spare, -1
        with suppress(OSError):
            os.close(spare)

    async def look_after(self) -> None:
        """Close expired connections, until the server stops."""
        while True:
            await asyncio.sleep(min(LOOK_S, FIRST_S / 4))
            now = time.monotonic()
            for call in [*self.calls.values()]:
                with suppress(Exception):  # whatever is wrong with one, the others are looked after
                    if call.is_too_long(now):
                        call.hang_up()


class ConnectionLimits:
    """ASGI middleware: requests of logged-in users pass at once, others a few at a time, in order.

    Users are told apart by session, not address: through a tunnel all come from this machine's own address.
    """

    def __init__(self, app: ASGIApp, logins: Logins, listener: ListeningSocket) -> None:
        self.app = app
        self.logins = logins
        self.listener = listener
        self.turns = asyncio.Semaphore(HALL_TURNS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, in turn."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_desk = self.logins.knows(Request(scope).cookies.get(self.logins.cookie))
        call = self.listener.calls.get((tuple(scope.get("client") or ()), tuple(scope.get("server") or ())))
        if call is not None:
            call.since, call.has_asked, call.is_asking = time.monotonic(), True, True
            call.is_desk = call.is_desk or is_desk
        try:
            await (self.app(scope, receive, send) if is_desk else self.take_turn(scope, receive, send))
        finally:
            if call is not None:
                call.since, call.is_asking = time.monotonic(), False

    async def take_turn(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a user who is not logged in; while he sends or fetches, others have their turn."""
        has_turn: bool = await self.turns.acquire()

        async def receive_aside() -> Message:
            nonlocal has_turn
            if has_turn:
                has_turn = False
                self.turns.release()
            try:
                return await receive()
            finally:
                has_turn = await self.turns.acquire()

        async def send_aside(message: Message) -> None:
            nonlocal has_turn
            if message["type"] == "http.response.start" and self.listener.is_crowded:
                MutableHeaders(scope=message)["Connection"] = "close"
            elif has_turn and message["type"] == "http.response.body":
                has_turn = False
                self.turns.release()
            await send(message)

        try:
            await self.app(scope, receive_aside, send_aside)
        finally:
            if has_turn:
                self.turns.release()

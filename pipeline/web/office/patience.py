"""How long a connection may be open on which nobody asks for anything: whoever only holds it costs nothing."""

from asyncio import TimerHandle, Transport
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE_S = 10.0  # a head of a request has a few hundred bytes
MOST_FROM_ONE = 40  # connections from one address; a browser opens six


class Patient(H11Protocol):
    """Speaks HTTP, and hangs up where a question is begun and never asked, or too many come from one address."""

    look: TimerHandle | None = None
    was_idle: Any = None  # what was answered last when it was looked at before

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Somebody called."""
        super().connection_made(transport)
        same = [each for each in self.connections if host_of(each) == host_of(self)]
        if len(same) > MOST_FROM_ONE:
            transport.close()
            return
        self.look = self.loop.call_later(PATIENCE_S, self.look_at)

    def connection_lost(self, exc: Exception | None) -> None:
        """The call is over."""
        if self.look is not None:
            self.look.cancel()
        super().connection_lost(exc)

    def look_at(self) -> None:
        """Hang up where nothing was asked since it was looked at before."""
        is_idle = self.cycle is None or self.cycle.response_complete
        if is_idle and (self.cycle is None or self.was_idle is self.cycle):
            self.transport.close()
            return
        self.was_idle = self.cycle if is_idle else None
        self.look = self.loop.call_later(PATIENCE_S, self.look_at)


def host_of(protocol: Any) -> str:
    """The address of who called."""
    client = getattr(protocol, "client", None)
    return str(client[0]) if client else ""

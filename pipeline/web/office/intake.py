"""What somebody sends is measured while it comes: too much of it, or too slowly, and nothing of it is read or kept."""

import asyncio
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.types import Message

from pipeline.problems import ExitCode, stop

QUIET_S = 15.0  # between two pieces of a body; a telephone that changes its Wi-Fi is back within ten


def limited(request: Request, most: int, seconds: float) -> Request:
    """The same request, which stops (`Stopped`) when more than so many bytes come, or not within so many seconds."""
    where = request.url.path
    if (
        (length := request.headers.get("content-length", "0")).isascii()
        and length.isdigit()
        and int(length[:18]) > most
    ):
        raise too_much(most, where)
    loop = asyncio.get_running_loop()
    ends, came = loop.time() + seconds, 0

    async def receive() -> Message:
        nonlocal came
        try:
            message = await asyncio.wait_for(request.receive(), min(QUIET_S, max(0.0, ends - loop.time())))
        except TimeoutError:
            raise stop("it came too slowly; send it again, or less at a time", where, ExitCode.TOO_SLOW) from None
        came += len(message.get("body", b""))
        if came > most:
            raise too_much(most, where)
        return message

    return Request(request.scope, receive)


def too_much(most: int, where: str) -> Exception:
    """Say that it is too much."""
    size = f"{most >> 20} MB" if most >> 20 else f"{most >> 10} kB"
    return stop(f"more than {size} at once; send it in parts", where, ExitCode.TOO_MUCH)


async def form_of(request: Request, most: int, seconds: float) -> dict[str, str]:
    """The fields of a small form, as a browser writes them in a line; of anything else nothing is kept."""
    raw = await limited(request, most, seconds).body()
    try:
        return dict(parse_qsl(raw.decode("ascii"), max_num_fields=10, errors="replace"))
    except ValueError:
        return {}

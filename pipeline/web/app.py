"""The pages of the desk: who asks is known before anything is answered, and every POST brings its token."""

import asyncio
import json
import secrets
from asyncio import TimerHandle, Transport
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from pipeline.desk.review.meaning import MeansNothing
from pipeline.ledger.claims import Login
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.table import unprintable_in
from pipeline.web.office import SESSION_S, Door, Office, Right, Role, may

# --------------------
# What somebody sends is measured while it comes: too much of it, or too slowly, and nothing of it is read or kept.

QUIET_S = 15.0  # between two pieces of a body; a telephone that changes its Wi-Fi is back within ten


def limit_request(request: Request, most: int, seconds: float) -> Request:
    """The same request, which stops (`Stopped`) when more than so many bytes come, or not within so many seconds."""
    where = request.url.path
    if (
        (length := request.headers.get("content-length", "0")).isascii()
        and length.isdigit()
        and int(length[:18]) > most
    ):
        raise _too_much(most, where)
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
            raise _too_much(most, where)
        return message

    return Request(request.scope, receive)


def _too_much(most: int, where: str) -> Exception:
    size = f"{most >> 20} MB" if most >> 20 else f"{most >> 10} kB"
    return stop(f"more than {size} at once; send it in parts", where, ExitCode.TOO_MUCH)


async def form_of(request: Request, most: int, seconds: float) -> dict[str, str]:
    """The fields of a small form, as a browser writes them in a line; of anything else nothing is kept."""
    raw = await limit_request(request, most, seconds).body()
    try:
        return dict(parse_qsl(raw.decode("ascii"), max_num_fields=10, errors="replace"))
    except ValueError:
        return {}


HERE = Path(__file__).parent
LARGEST_BODY = 200_000  # bytes of a decision; scans go another way
LARGEST_FORM = 2000  # bytes of a name and a PIN
DECISION_S = 30.0  # for all of it to come
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; style-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
OF_PICTURE = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"  # opened by itself it is dark, too
HOME = {Role.DIRECTOR: "/", Role.ASSISTANT: "/", Role.UPLOAD: "/upload", Role.SCREEN: "/screen"}
STATUS = {  # exit codes as HTTP has them; anything else that stops is a 422
    ExitCode.STALE: 409,
    ExitCode.MACHINE_LACKS: 507,
    ExitCode.TOO_MUCH: 413,
    ExitCode.TOO_SLOW: 408,
}

Place = TypeVar("Place", bound="NamedPlace")


class NamedPlace(Protocol):
    """A place that has pages: an event's office, or the hall before an event is chosen."""

    @property
    def title(self) -> str:
        """Its name, as people see it."""


class PagesOf(Generic[Place]):
    """What all pages of a place share: the place, the door, and the templates."""

    def __init__(self, place: Place, door: Door, home: str = "/") -> None:
        self.office = place
        self.door = door
        self.home = {**HOME, Role.DIRECTOR: home}
        self.templates = Jinja2Templates(directory=HERE / "templates")

    def page(self, path: str, template: str, right: Right) -> Route:
        """A page for people with a right; others are sent to the door."""

        async def show(request: Request) -> Response:
            login = await run_in_threadpool(self.door.login_of, request)
            if login is None:
                return RedirectResponse("/door", 303)
            if not may(login, right):
                return RedirectResponse(self.home[Role(login.role)], 303)
            return self.templates.TemplateResponse(
                request,
                template,
                {
                    "login": login,
                    "event": self.office.title,
                    "may_publish": may(login, Right.PUBLISH),
                    "may_rule": may(login, Right.RULE),
                },
            )

        return Route(path, show)

    def get(self, path: str, answer: Callable[[Place, Login, dict[str, Any]], Any], right: Right) -> Route:
        """Data for people with a right."""

        async def give(request: Request) -> Response:
            given = {**request.path_params, **request.query_params}
            return await run_in_threadpool(
                lambda: _as_response(answer(self.office, self.through(request, right), given))
            )

        return Route(path, give)

    def post(
        self,
        path: str,
        answer: Callable[[Place, Login, dict[str, Any]], Any],
        right: Right,
        largest: tuple[int, float] = (LARGEST_BODY, DECISION_S),
    ) -> Route:
        """A decision: it brings the token of its session, and comes from one of our pages."""

        async def take(request: Request) -> Response:
            login = await self.let_through(request, right)
            check_token(request, login, self.door)
            raw = await limit_request(request, *largest).body()
            try:
                body = json.loads(raw or b"{}", parse_constant=_no_number)
            except (ValueError, RecursionError) as error:
                raise stop("expected JSON", path) from error
            if not isinstance(body, dict):
                raise stop("expected an object", path)
            if faults := [Problem(Weight.STOPS, f"it holds {text}", where) for where, text in unprintable_in(body)]:
                raise Stopped(faults)
            return await run_in_threadpool(lambda: _as_response(answer(self.office, login, body)))

        return Route(path, take, methods=["POST"])

    async def let_through(self, request: Request, right: Right) -> Login:
        """Find who asks, or send him away."""
        return await run_in_threadpool(self.through, request, right)

    def through(self, request: Request, right: Right) -> Login:
        """The same, where one may wait for it."""
        login = self.door.login_of(request)
        if login is None:
            raise Refused("come in by the door first; your session is over", 401)
        if not may(login, right):
            raise Refused("you have no right to this", 403)
        return login

    async def show_door(self, request: Request) -> Response:
        """The door: a name and a PIN, or the key from the terminal's link."""
        said = ""
        address = request.client.host if request.client else ""
        if request.method == "POST":
            form = await form_of(request, LARGEST_FORM, DECISION_S)
            try:
                cookie = self.door.with_pin(form.get("name", ""), form.get("pin", ""), address)
                said = "no such name and PIN; the director's terminal shows them"
            except Stopped as stopped:
                cookie, said = None, stopped.problems[0].text
        else:
            key = request.query_params.get("key", "")
            cookie = self.door.with_key(key, address)
            said = "this link opens the door once, at the director's own machine; come in with a PIN" if key else ""
        if cookie is not None:
            return _welcome(self.door, cookie)
        names = [seat.name for seat in self.door.seats]
        context = {"event": self.office.title, "names": names, "said": said}
        return self.templates.TemplateResponse(request, "door.html", context, status_code=403 if said else 200)

    async def send_away(self, request: Request, refused: Exception) -> Response:
        """Say that there is nothing for somebody: in a page, with the ways on, to who goes from page to page."""
        missing = isinstance(refused, HTTPException)
        said = "there is no such page" if missing else str(refused)
        status = refused.status_code if isinstance(refused, HTTPException) else getattr(refused, "status", 403)
        return self.refuse(request, {"said": said}, status)

    async def tell_stopped(self, request: Request, stopped: Exception) -> Response:
        """Say what is wrong, in the words of the program."""
        assert isinstance(stopped, Stopped)
        said = "; ".join(problem.text for problem in stopped.problems)
        where = next((problem.where for problem in stopped.problems), "")
        told = {"said": said, "anyway": isinstance(stopped, MeansNothing), "where": where}
        return self.refuse(request, told, STATUS.get(stopped.code, 422))

    def refuse(self, request: Request, told: dict[str, Any], status: int) -> Response:
        """Tell a script why not, or show a page that says it."""
        if not _reads_pages(request):
            return JSONResponse(told, status)
        context = {"event": self.office.title, "text": told["said"]}
        return self.templates.TemplateResponse(request, "refused.html", context, status_code=status)

    async def leave(self, request: Request) -> Response:
        """Go: the session ends, and what it held is free."""
        login = await run_in_threadpool(self.door.login_of, request)
        if login is None:
            return Response(status_code=204)
        check_token(request, login, self.door)
        await run_in_threadpool(self.door.claims.send_away, login)
        return Response(status_code=204)


Pages = PagesOf[Office]


class Refused(Exception):
    """Somebody asked for what he has no right to."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


def _welcome(door: Door, cookie: str) -> Response:
    """Give the browser its cookie, and show it its home."""
    response = RedirectResponse("/home", 303)
    response.set_cookie(
        door.cookie, cookie, max_age=SESSION_S, path="/", httponly=True, samesite="strict", secure=door.room.is_tls
    )
    return response


def check_token(request: Request, login: Login, door: Door) -> None:
    """A POST must come from a page of this session (CSRF)."""
    brought = request.headers.get("x-token", "") or request.query_params.get("token", "")
    if not door.origin_is_ours(request) or not secrets.compare_digest(brought.encode(), login.csrf.encode()):
        raise Refused("this did not come from your page; reload it", 403)


def _no_number(name: str) -> float:
    """Refuse ``NaN`` and its like, which are Python's and not JSON's."""
    raise ValueError(name)


def _as_response(answer: Any) -> Response:
    """Send an answer."""
    return answer if isinstance(answer, Response) else JSONResponse(answer, headers={"Cache-Control": "no-store"})


def _reads_pages(request: Request) -> bool:
    """Whether somebody goes from page to page, and no page asks by itself."""
    return "text/html" in request.headers.get("accept", "")


class Guard:
    """Every answer carries the headers that keep other pages out; other names for this machine are refused."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app = app
        self.door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, if the page was asked for by our address."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        if not (self.door.host_is_ours(request) or self.door.is_public(request)):
            await JSONResponse({"said": "ask for this page by its address"}, 421)(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if headers.get("content-type", "").startswith("image/svg"):
                    headers["Content-Security-Policy"] = OF_PICTURE
            await send(message)

        await self.app(scope, receive, send_guarded)


def make_app(
    place: Place, door: Door, routes: Callable[[PagesOf[Place]], list[Route]], home: str = HOME[Role.DIRECTOR]
) -> Starlette:
    """Put the pages together; ``home`` is where a director begins."""
    pages = PagesOf(place, door, home)

    async def go_home(request: Request) -> Response:
        login = await run_in_threadpool(door.login_of, request)
        return RedirectResponse(pages.home[Role(login.role)] if login else "/door", 303)

    return Starlette(
        routes=[
            Route("/door", pages.show_door, methods=["GET", "POST"]),
            Route("/home", go_home),
            Route("/leave", pages.leave, methods=["POST"]),
            *routes(pages),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        middleware=[Middleware(Guard, door=door)],
        exception_handlers={Stopped: pages.tell_stopped, Refused: pages.send_away, HTTPException: pages.send_away},
    )


# --------------------
# How long a connection may be open on which nobody asks for anything: whoever only holds it costs nothing.

PATIENCE_S = 10.0  # a head of a request has a few hundred bytes
MOST_FROM_ONE = 40  # connections from one address; a browser opens six


class Patient(H11Protocol):
    """Speaks HTTP, and hangs up where a question is begun and never asked, or too many come from one address."""

    look: TimerHandle | None = None
    was_idle: Any = None  # what was answered last when it was looked at before

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Somebody called."""
        super().connection_made(transport)
        same = [each for each in self.connections if _host_of(each) == _host_of(self)]
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


def _host_of(protocol: Any) -> str:
    """The address of who called."""
    client = getattr(protocol, "client", None)
    return str(client[0]) if client else ""

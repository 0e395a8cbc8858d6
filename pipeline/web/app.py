"""The web application: each route names the right that it needs, and POSTs of logged-in users bring a CSRF token."""

import asyncio
import hashlib
import json
import re
import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar
from urllib.parse import parse_qsl

from msgspec import Struct, to_builtins
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.templating import Jinja2Templates
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pipeline.desk.review.meaning import MeansNothing
from pipeline.ledger.claims import Login
from pipeline.ledger.files import explain_system_error, local_time
from pipeline.logs import log_failure
from pipeline.printable import unprintable_in
from pipeline.problems import ExitCode, Problem, Stopped, UnknownWords, Weight, stop
from pipeline.web.logins import PUBLIC, SESSION_S, Logins, Right, Role, may
from pipeline.web.office import Office
from pipeline.web.on_pages import texts_on_page
from pipeline.web.shown import ShownVersions, StalePage, Things
from pipeline.words.speech import Speech

# Limits on request bodies: one that is too large or too slow is dropped while it arrives.

QUIET_S = 15.0  # between two pieces of a body; a telephone that changes its Wi-Fi is back within ten


def limit_request(request: Request, most: int, seconds: float) -> Request:
    """A copy of a request that stops (`Stopped`) after too many bytes or too many seconds."""
    where = str(request.scope["path"])
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


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a small URL-encoded form; empty if the body is something else."""
    raw = await limit_request(request, LARGEST_FORM, DECISION_S).body()
    try:
        return dict(parse_qsl(raw.decode("ascii"), max_num_fields=10, errors="replace"))
    except ValueError:
        return {}


def text_of(body: dict[str, Any], name: str) -> str:
    """A text of a request; empty if it is left out."""
    value = body.get(name, "")
    if not isinstance(value, str):
        raise stop("expected a text", name)
    return value.strip()


HERE = Path(__file__).parent
STATIC_KINDS = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
LARGEST_BODY = 200_000  # bytes of a decision; scans go another way
LARGEST_FORM = 2000  # bytes of a name and a PIN
DECISION_S = 30.0  # longest time for all of it to arrive
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; style-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with 'no-referrer' browsers would hide the origin of our own POSTs
    "Cross-Origin-Opener-Policy": "same-origin",
}
OTHER_EVENT = "another event was opened here since, or you logged in anew: this page shows nothing new any more"
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
OF_PICTURE = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"  # its own style, for dark mode
HOME = {Role.DIRECTOR: "/", Role.ASSISTANT: "/", Role.UPLOAD: "/upload", Role.SCREEN: "/screen"}
STATUS = {  # exit codes as HTTP has them; anything else that stops is a 422
    ExitCode.STALE: 409,
    ExitCode.MACHINE_LACKS: 507,
    ExitCode.TOO_MUCH: 413,
    ExitCode.TOO_SLOW: 408,
}

P = TypeVar("P", bound="NamedPlace")
PageAction = Callable[[P, Login, dict[str, Any]], Any]
ThingsOf = Callable[[P, Login, dict[str, Any]], Things]  # of a page's data, or of an act's body


class NamedPlace(Protocol):
    """What pages belong to: an event's office, or the start page, on which an event is chosen."""

    def inside(self) -> AbstractContextManager[Any]:
        """Hold the lock of the place, with everything up to date."""

    def expecting(self, check: Callable[[], None]) -> AbstractContextManager[None]:
        """Let work write only if a check still holds, inside its transaction as well."""

    @property
    def title(self) -> str:
        """Its name, as people see it."""

    @property
    def speech(self) -> Speech:
        """The language of who logs in."""

    @property
    def trouble(self) -> str:
        """The trouble that its director must see on every page; empty if there is none."""


class PagesOf(Generic[P]):
    """What all pages of a place share: the place, its log-in page, and the templates.

    Each route names the right that it needs.
    """

    def __init__(self, place: P, logins: Logins, home: str = "/") -> None:
        self.office = place
        self.logins = logins
        self.home = {**HOME, Role.DIRECTOR: home}
        self.shown = ShownVersions()
        self.templates = Jinja2Templates(directory=HERE / "templates")
        self.templates.env.filters |= {"local_time": local_time, "capital": lambda words: words[:1].upper() + words[1:]}

    def written_page(
        self, path: str, template: str, right: Right, answer: PageAction[P], shows: ThingsOf[P] | None = None
    ) -> tuple[Route, Route]:
        """A page that is written from data, and the same data for scripts; its forms are acts (``act.js``)."""
        return self.page(path, template, right, answer, shows), self.get(f"/api{path}", answer, right, shows)

    def page(
        self,
        path: str,
        template: str,
        right: Right,
        more: PageAction[P] | None = None,
        shows: ThingsOf[P] | None = None,
    ) -> Route:
        """A page for people with a right; others are sent to the log-in page.

        ``more``: further values for its template; ``shows``: the things on which its acts rest.
        """

        async def show(request: Request) -> Response:
            login = await run_in_threadpool(self.logins.login_of, request)
            if login is None:
                return RedirectResponse("/door", 303)
            if not may(login, right):
                return RedirectResponse(self.home[Role(login.role)], 303)
            values = await run_in_threadpool(self._look, more, shows, login, _asked_of(request)) if more else {}
            return self.templates.TemplateResponse(
                request,
                template,
                {
                    **values,
                    "login": login,
                    "event": self.office.title,
                    "trouble": self.office.trouble,
                    "may_publish": may(login, Right.PUBLISH),
                    "has_start_page": self.logins.has_start_page,
                    "may_rule": may(login, Right.RULE),
                },
            )

        return Route(path, show, name=right)

    def get(self, path: str, answer: PageAction[P], right: Right, shows: ThingsOf[P] | None = None) -> Route:
        """Data for people with a right; ``shows``: the things on which acts of the page rest."""

        def look(request: Request) -> Response:
            login = self.through(request, right)
            return _as_response(self._look(answer, shows, login, _asked_of(request)))

        async def give(request: Request) -> Response:
            return await run_in_threadpool(look, request)

        return Route(path, give, name=right)

    def _look(self, answer: PageAction[P], shows: ThingsOf[P] | None, login: Login, given: dict[str, Any]) -> Any:
        """Data, with the marks of what they show."""
        if shows is None:
            return answer(self.office, login, given)
        with self.office.inside():  # both as of one moment
            data = answer(self.office, login, given)
            return data | {"shown": self.shown.marks_of(shows(self.office, login, data | given))}

    def act(
        self,
        path: str,
        answer: PageAction[P],
        right: Right,
        rests_on: ThingsOf[P],
        largest: tuple[int, float] = (LARGEST_BODY, DECISION_S),
        *,
        is_long: bool = False,
        shows: ThingsOf[P] | None = None,
    ) -> Route:
        """A POST that changes something; what it answers may be a page's data (``shows``, as of `get`).

        ``rests_on`` names the things, as they are now, that its page must have shown as they are; `StalePage` if it
        did not. While a long act works, other pages are answered.
        """

        def decide(login: Login, body: dict[str, Any]) -> Response:
            brought = body.pop("shown", {})

            def check() -> None:
                with self.office.inside():
                    self.shown.check(rests_on(self.office, login, body), brought)

            with ExitStack() as stack:
                with ExitStack() as at_once:
                    at_once.enter_context(self.office.inside())
                    check()
                    stack.enter_context(self.office.expecting(check))
                    if not is_long:  # the lock is held to the end
                        stack.push(at_once.pop_all())
                data = answer(self.office, login, body)
                if shows is not None:
                    data |= {"shown": self.shown.marks_of(shows(self.office, login, data))}
                return _as_response(data)

        return self._post(path, decide, right, largest)

    def question(
        self,
        path: str,
        answer: PageAction[P],
        right: Right,
        largest: tuple[int, float] = (LARGEST_BODY, DECISION_S),
    ) -> Route:
        """A POST that changes nothing but what its own session holds: a question too long for an address."""
        return self._post(path, lambda login, body: _as_response(answer(self.office, login, body)), right, largest)

    def _post(
        self,
        path: str,
        answer: Callable[[Login, dict[str, Any]], Response],
        right: Right,
        largest: tuple[int, float],
    ) -> Route:
        """A POST with JSON, which brings the token of its session and comes from one of our pages."""

        async def take(request: Request) -> Response:
            login = await self.let_through(request, right)
            check_token(request, login, self.logins)
            raw = await limit_request(request, *largest).body()
            try:
                body = json.loads(raw or b"{}", parse_constant=_no_number)
            except (ValueError, RecursionError) as error:
                raise stop("expected JSON", path) from error
            if not isinstance(body, dict):
                raise stop("expected an object", path)
            if faults := [Problem(Weight.STOPS, f"it holds {text}", where) for where, text in unprintable_in(body)]:
                raise Stopped(faults)
            return await run_in_threadpool(answer, login, body)

        return Route(path, take, methods=["POST"], name=right)

    async def let_through(self, request: Request, right: Right) -> Login:
        """As `through`, for asynchronous callers."""
        return await run_in_threadpool(self.through, request, right)

    def through(self, request: Request, right: Right) -> Login:
        """Find who asks, or send him away; a page that was opened at another event is told so."""
        login = self.logins.login_of(request)
        if login is None:
            raise Refused("log in first; your session has ended", 401)
        brought = request.headers.get("x-token")
        if brought is not None and not _is_token_of(login, brought):
            raise Refused(f"{OTHER_EVENT}; load this page again to see {self.office.title}", 403)
        if not may(login, right):
            raise Refused("your role may not do this", 403)
        return login

    async def show_door(self, request: Request) -> Response:
        """The log-in page: a name and a PIN, or the key from the terminal's link."""
        said, speech = "", self.office.speech
        address = request.client.host if request.client else ""
        if request.method == "POST":
            if not self.logins.origin_is_ours(request):
                raise Refused("this did not come from the log-in page; open that and type the PIN there", 403)
            form = await form_of(request)
            try:
                cookie = self.logins.with_pin(form.get("name", ""), form.get("pin", ""), address)
                said = speech.says("no such name and PIN; the director sees them on the page Public")
            except Stopped as stopped:
                cookie, said = None, speech.says(stopped.problems[0].text)
        else:
            key = request.query_params.get("key", "")
            cookie = self.logins.with_key(key, address)
            said = speech.says("this link works once, on the director's own machine; log in with a PIN") if key else ""
        if cookie is not None:
            return _welcome(self.logins, cookie, is_tls=request.url.scheme == "https")
        names = [guest.name for guest in self.logins.guests]
        context = {"event": self.office.title, "names": names, "said": said, "language": speech.code, "_": speech.says}
        return self.templates.TemplateResponse(request, "door.html", context, status_code=403 if said else 200)

    async def send_away(self, request: Request, refused: Exception) -> Response:
        """Refuse a request: with a page that links further for a browser, else with JSON."""
        missing = isinstance(refused, HTTPException)
        said = "there is no such page" if missing else str(refused)
        status = refused.status_code if isinstance(refused, HTTPException) else getattr(refused, "status", 403)
        return self.refuse(request, {"said": said}, status)

    async def tell_stopped(self, request: Request, stopped: Exception) -> Response:
        """Say what is wrong, in the words of the program."""
        assert isinstance(stopped, Stopped)
        said = "; ".join(dict.fromkeys(texts_on_page(stopped.problems)))
        where = next((problem.where for problem in stopped.problems), "")
        answer = {"said": said, "anyway": isinstance(stopped, MeansNothing), "where": where}
        if isinstance(stopped, StalePage):
            answer["changed"] = to_builtins(stopped.changed)
        answer["instead"] = [
            [each.typed, list(each.meant)] for each in stopped.problems if isinstance(each, UnknownWords)
        ]
        return self.refuse(request, answer, STATUS.get(stopped.code, 422))

    async def tell_failed(self, request: Request, error: Exception) -> Response:
        """Say what the system refuses: a disk that fails, a folder that is gone, no file left to open."""
        assert isinstance(error, OSError)
        return await self.tell_stopped(request, explain_system_error(error))

    async def tell_fault(self, request: Request, error: Exception) -> Response:
        """Say that the program failed, and write down where."""
        log_failure(error, "a page was being answered")
        text = "a fault of the program; what was decided before is kept. 'ordersheets doctor EVENT --report FILE' makes"
        return self.refuse(request, {"said": f"{text} a file to report it with", "anyway": False}, 500)

    def refuse(self, request: Request, answer: dict[str, Any], status: int) -> Response:
        """Tell a script why not, or show a page that says it."""
        if "text/html" not in request.headers.get("accept", ""):  # a script of a page asks
            return JSONResponse(answer, status)
        context = {"event": self.office.title, "text": answer["said"]}
        return self.templates.TemplateResponse(request, "refused.html", context, status_code=status)

    async def leave(self, request: Request) -> Response:
        """Log out: the session ends, and its claims are released."""
        login = await run_in_threadpool(self.logins.login_of, request)
        if login is None:
            return Response(status_code=204)
        check_token(request, login, self.logins)
        await run_in_threadpool(self.logins.send_away, login)
        return Response(status_code=204)


Pages = PagesOf[Office]


class Refused(Exception):
    """Somebody asked for what he has no right to."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


def _welcome(logins: Logins, cookie: str, *, is_tls: bool) -> Response:
    """Give the browser its cookie, and send it to the first page of its role."""
    response = RedirectResponse("/home", 303)
    response.set_cookie(
        logins.cookie, cookie, max_age=SESSION_S, path="/", httponly=True, samesite="strict", secure=is_tls
    )
    return response


def check_token(request: Request, login: Login, logins: Logins) -> None:
    """A POST must come from a page of this session (CSRF)."""
    brought = request.headers.get("x-token", "") or request.query_params.get("token", "")
    if not logins.origin_is_ours(request) or not _is_token_of(login, brought):
        raise Refused("this did not come from your page; reload it", 403)


def _is_token_of(login: Login, brought: str) -> bool:
    """Whether a page brings the token of its session."""
    return secrets.compare_digest(brought.encode(), login.csrf.encode())


def _no_number(name: str) -> float:
    """Refuse ``NaN`` and its like, which are Python's and not JSON's."""
    raise ValueError(name)


def _asked_of(request: Request) -> dict[str, Any]:
    """What an address asks for; a name that stands there several times has a line for each."""
    several = {name: "\n".join(request.query_params.getlist(name)) for name in request.query_params}
    return {**request.path_params, **several}


def _as_response(answer: Any) -> Response:
    return answer if isinstance(answer, Response) else JSONResponse(answer, headers={"Cache-Control": "no-store"})


class Guard:
    """Every answer carries the headers that keep other pages out; other names for this machine are refused."""

    def __init__(self, app: ASGIApp, logins: Logins) -> None:
        self.app = app
        self.logins = logins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless its host is not ours, or its address or its length headers are invalid."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        is_kept = scope["path"].lower().startswith((*PUBLIC, "/static/"))

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if not is_kept:  # so that a shared browser does not cache it
                    headers["Cache-Control"] = "no-store"
                if headers.get("content-type", "").startswith("image/svg"):
                    headers["Content-Security-Policy"] = OF_PICTURE
            await send(message)

        if not (self.logins.host_is_ours(request) or self.logins.is_public(request)):
            answer: ASGIApp = JSONResponse({"said": "ask for this page by its address"}, 421)
        elif CONTROL.search("".join((scope["path"], *request.query_params.values()))):
            answer = JSONResponse({"said": "the address holds control characters; follow a link, or type it anew"}, 400)
        # contradicting headers (request smuggling)
        elif {"transfer-encoding", "content-length"} <= set(request.headers):
            said = {"said": "the request states two different lengths; send it again"}
            answer = JSONResponse(said, 400, {"Connection": "close"})
        else:
            answer = self.app
        await answer(scope, receive, send_guarded)


def make_app(place: P, logins: Logins, routes: Callable[[PagesOf[P]], list[Route]], home: str) -> Starlette:
    """Put the pages together; ``home`` is where a director begins."""
    pages = PagesOf(place, logins, home)

    async def go_home(request: Request) -> Response:
        login = await run_in_threadpool(logins.login_of, request)
        return RedirectResponse(pages.home[Role(login.role)] if login else "/door", 303)

    return Starlette(
        routes=[
            Route("/door", pages.show_door, methods=["GET", "POST"]),
            Route("/home", go_home),
            Route("/leave", pages.leave, methods=["POST"]),
            *routes(pages),
            _static_route(),
        ],
        middleware=[Middleware(Guard, logins=logins)],
        exception_handlers={
            Stopped: pages.tell_stopped,
            OSError: pages.tell_failed,
            Refused: pages.send_away,
            HTTPException: pages.send_away,
            Exception: pages.tell_fault,
        },
    )


class ReadyAnswer(Struct):
    body: bytes
    kind: str  # media type
    status: int = 200
    mark: str = ""  # the ETag

    def __post_init__(self) -> None:
        self.mark = f'"{hashlib.sha256(self.body).hexdigest()[:20]}"'


def send_ready(request: Request, ready: ReadyAnswer) -> Response:
    """Send an answer, or 304 if the browser has it already."""
    headers = {"Cache-Control": "no-cache", "ETag": ready.mark}
    if request.headers.get("if-none-match") == ready.mark:
        return Response(status_code=304, headers=headers)
    return Response(ready.body, ready.status, headers, ready.kind)


def _static_route() -> Route:
    """The scripts and styles, cached: each telephone in the hall asks for them."""
    cached = {
        path.name: ReadyAnswer(path.read_bytes(), STATIC_KINDS[path.suffix])
        for path in sorted((HERE / "static").iterdir())
        if path.suffix in STATIC_KINDS
    }

    async def send(request: Request) -> Response:
        if (answer := cached.get(request.path_params["name"])) is None:
            raise HTTPException(404)
        return send_ready(request, answer)

    return Route("/static/{name}", send)

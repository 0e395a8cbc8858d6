"""The public pages, without a log-in: published seats, phases and maps, open standings, and the pages as files.

Answers are cached: pages until the public record changes, maps for each phase.
"""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pipeline.desk.publish import public_record
from pipeline.paper.canvas import black_runs, live_squares
from pipeline.problems import Stopped
from pipeline.web import public_pages
from pipeline.web.app import ReadyAnswer, form_of, send_ready
from pipeline.web.logins import Logins, is_here
from pipeline.web.office import Office

SVG = "image/svg+xml"
QUIET = 4  # squares of white round a QR code (ISO 18004)
HTML = "text/html; charset=utf-8"
LONGEST_ASKED = 80  # letters of a name or a code
DEVICE_COOKIE = "ordersheets-here"
GOING = "/live/go"
MOST_PAGES = 3000  # of one record: 40 boards of 70 phases, about 10 kB each
MOST_MAPS = 150  # that are kept, about 100 kB each


class Shelf(Struct):
    """A cache of answers by key; the least recently used are dropped first (LRU)."""

    most: int
    kept: OrderedDict[Any, ReadyAnswer] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: Any, make: Callable[[], ReadyAnswer]) -> ReadyAnswer:
        """Return the cached answer, building it if needed."""
        with self.lock:
            if answer := self.kept.get(key):
                self.kept.move_to_end(key)
                return answer
        made = make()
        with self.lock:
            self.kept[key] = made
            while len(self.kept) > self.most:
                self.kept.popitem(last=False)
        return made


class PublicSite(Struct):
    """The public pages of one event while it goes on."""

    book: public_record.PublicBook
    of: public_record.PublicRecord | None = None  # the record that the cached pages were made from
    pages: Shelf = field(default_factory=lambda: Shelf(MOST_PAGES))
    maps: Shelf = field(default_factory=lambda: Shelf(MOST_MAPS))

    def page(self, key: str, make: Callable[[public_pages.RecordPages], str | None]) -> ReadyAnswer:
        """A page of the current record; the answer "not found" if there is no such page."""
        pages = self.now()
        if pages.record is not self.of:
            self.of, self.pages = pages.record, Shelf(MOST_PAGES)

        def write() -> ReadyAnswer:
            text = make(pages)
            return ReadyAnswer((pages.lost() if text is None else text).encode(), HTML, 404 if text is None else 200)

        return self.pages.get(key, write)

    def now(self) -> public_pages.RecordPages:
        """The page maker for the current record."""
        return public_pages.RecordPages(self.book.record(), public_pages.SERVED, self.book.version)

    def map(self, board: str, phase: str) -> ReadyAnswer:
        """A map of a published phase, or of the position as it stands; a correction is another map."""
        pages = self.now()
        game = pages.record.games.get(board)
        played = public_pages.played_at(game, phase) if game else None
        if game is None or (played is None and (phase != public_pages.NOW or game.entered is not None)):
            return ReadyAnswer(pages.lost().encode(), HTML, 404)
        key = (board, phase, played.fact.number if played else repr(game.position))
        return self.maps.get(
            key, lambda: ReadyAnswer(public_pages.map_of(game, played, pages.record.speech).encode(), SVG)
        )


def routes(site: PublicSite, address: Callable[[Request], str], office: Office, logins: Logins) -> list[Route]:
    """The public pages; ``address`` says where telephones find them, "" where they cannot."""

    def serve_page(path: str, answer: Callable[[dict[str, str]], ReadyAnswer]) -> Route:
        async def give(request: Request) -> Response:
            asked = {**request.path_params, "who": request.query_params.get("who", "")}
            return send_ready(request, await run_in_threadpool(answer, asked))

        return Route(path, give)

    async def serve_newest(request: Request) -> Response:
        clock = (await run_in_threadpool(site.book.record)).clock
        answer = {"newest": site.book.version, "gone": round(office.seconds_gone(clock), 1) if clock else None}
        return JSONResponse(answer, headers={"Cache-Control": "no-store"})

    async def where(request: Request) -> Response:
        shown = await run_in_threadpool(address, request)
        return JSONResponse({"address": f"{shown}/live" if shown else ""}, headers={"Cache-Control": "no-store"})

    async def code(request: Request) -> Response:
        shown = await run_in_threadpool(address, request)
        return send_ready(
            request, ReadyAnswer(_code_of(f"{shown}/live").encode(), SVG) if shown else ReadyAnswer(b"", SVG, 404)
        )

    async def here(request: Request) -> Response:
        who, is_going = "", request.url.path == GOING
        number, say = await run_in_threadpool(office.round_to_come), office.say_goes if is_going else office.check_in
        name: str | None = None
        cookie, is_full = request.cookies.get(DEVICE_COOKIE, ""), False
        is_ours = logins.origin_is_ours(request)
        if request.method == "POST" and is_ours and (device := _device_of(request, logins, cookie)):
            who = (await form_of(request)).get("who", "").strip()[:LONGEST_ASKED]
            meant = await run_in_threadpool(_player_meant, site, who)
            try:
                number, name = await run_in_threadpool(say, meant, device)
            except Stopped:
                is_full = True
        page = await run_in_threadpool(lambda: site.now().here(number, who, name, is_full=is_full, is_going=is_going))
        is_refused = request.method == "POST" and (is_full or not is_ours)
        answer = Response(page, 403 if is_refused else 200, {"Cache-Control": "no-store"}, HTML)
        if not logins.is_device(cookie):
            made = logins.sign_device(secrets.token_urlsafe(12))
            answer.set_cookie(DEVICE_COOKIE, made, httponly=True, samesite="strict", path=request.url.path)
        return answer

    return [
        Route("/live/here", here, methods=["GET", "POST"]),
        Route(GOING, here, methods=["GET", "POST"]),
        serve_page("/LIVE", lambda _: site.page("home", public_pages.RecordPages.home)),
        serve_page("/live", lambda _: site.page("home", public_pages.RecordPages.home)),
        serve_page("/live/standings", lambda _: site.page("standings", public_pages.RecordPages.standings)),
        serve_page("/live/board/{board}", lambda asked: _board_page(site, asked["board"])),
        serve_page("/live/board/{board}/{phase}", lambda asked: _phase_page(site, asked["board"], asked["phase"])),
        serve_page("/live/chart/{board}", lambda asked: _chart(site, asked["board"], of_scores=False)),
        serve_page("/live/scores/{board}", lambda asked: _chart(site, asked["board"], of_scores=True)),
        serve_page("/live/map/{board}/{phase}", lambda asked: site.map(asked["board"], asked["phase"])),
        serve_page("/live/seat", lambda asked: _seat_page(site, asked["who"])),
        serve_page("/LIVE/{code}", lambda asked: _seat_page(site, asked["code"])),  # as the code on a sheet has it
        Route("/live/newest", serve_newest),
        Route("/live/where", where),
        Route("/live/qr.svg", code),
    ]


def _chart(site: PublicSite, board: str, *, of_scores: bool) -> ReadyAnswer:
    """The centres of a board over the years, or its scores while the standings are open; else nothing."""
    record = site.book.record()
    game, drawn = record.games.get(board), ""
    if game and not of_scores:
        drawn = public_pages.chart_of(game, game.counts_by_year, record.speech)
    elif game and record.places:
        drawn = public_pages.chart_of(game, public_record.scores_so_far(record.places, game), record.speech)
    return ReadyAnswer(drawn.encode(), SVG, 200 if drawn else 404)


def _device_of(request: Request, logins: Logins, cookie: str) -> str:
    """From where a player checks in: the address of a telephone in the room, else the browser's cookie.

    Behind a tunnel all addresses are this machine's. Empty for a browser that was not given the page before.
    """
    address = request.client.host if request.client else ""
    if logins.is_public(request) or is_here(address):
        return cookie if logins.is_device(cookie) else ""
    return address


def _player_meant(site: PublicSite, asked: str) -> str:
    """The player whom a name or the code on a sheet means; a text that fits no seat is returned unchanged."""
    return next(
        (seat.player for seat in public_record.find_seats(site.book.record(), asked).seats if seat.player), asked
    )


def _code_of(address: str) -> str:
    """Draw the QR code of an address, with the white margin that it needs."""
    squares = live_squares(address.upper())
    side = len(squares) + 2 * QUIET
    marks = (
        f"M{first + QUIET} {row + QUIET + 0.5}h{length}"
        for row, line in enumerate(squares)
        for first, length in black_runs(line)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{side}v{side}H0z"/><path stroke="#000" d="{"".join(marks)}"/></svg>'
    )


def _board_page(site: PublicSite, board: str) -> ReadyAnswer:
    """A public board; for unknown boards one shared "not found" page is cached."""
    name = f"board {board}" if board in site.book.record().games else "lost"
    return site.page(name, lambda pages: pages.board(game) if (game := pages.record.games.get(board)) else None)


def _phase_page(site: PublicSite, board: str, phase: str) -> ReadyAnswer:
    game = site.book.record().games.get(board)
    key = f"phase {board} {phase}" if game and public_pages.played_at(game, phase) else "lost"

    def write(pages: public_pages.RecordPages) -> str | None:
        game = pages.record.games.get(board)
        played = public_pages.played_at(game, phase) if game else None
        return pages.phase(game, played) if game and played else None

    return site.page(key, write)


def _seat_page(site: PublicSite, asked: str) -> ReadyAnswer:
    """A player's seats; not cached, because the page repeats what was asked for."""
    pages, wanted = site.now(), asked.strip()[:LONGEST_ASKED]
    return ReadyAnswer(pages.seat(wanted, public_record.find_seats(pages.record, wanted)).encode(), HTML)


# The public pages of an event as files: they need no server and no script, and may be put on any web space.

FOLDER = "site"


def site_files(record: public_record.PublicRecord) -> dict[str, bytes]:
    """Every page, by its file's name."""
    links = public_pages.FILED
    pages = public_pages.RecordPages(record, links)
    files = {
        links.home: pages.home(),
        links.style: (Path(public_pages.HERE) / "static" / links.style).read_text("utf-8"),
    }
    if record.places is not None:
        files[links.standings] = pages.standings()
    for name, game in record.games.items():
        files[links.board(name)] = pages.board(game)
        if game.entered is None:
            files[links.map(name, public_pages.NOW)] = public_pages.map_of(game, None, record.speech)
        for played in game.played:
            files[links.phase(name, str(played.phase))] = pages.phase(game, played)
            files[links.map(name, str(played.phase))] = public_pages.map_of(game, played, record.speech)
    return {f"{FOLDER}/{name}": text.encode() for name, text in files.items()}

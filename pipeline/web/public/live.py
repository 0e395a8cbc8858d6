"""What players see, without a log-in: seats that were told, what was published, standings that are open, the clock.

Whoever asks gets what lies ready: pages are made once for each change of the public record, maps once for each phase.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pipeline.desk.event.games import Game
from pipeline.desk.publish.big_clock import BigClock
from pipeline.desk.publish.finding_seats import find_seats
from pipeline.desk.publish.public_book import PublicBook
from pipeline.desk.publish.public_record import PublicRecord
from pipeline.paper.pdf.codes import live_squares, runs
from pipeline.web.public.public_pages import NOW, Pages, Served, map_of, played_at

SVG = "image/svg+xml"
QUIET = 4  # squares of white round a code (ISO 18004)
HTML = "text/html; charset=utf-8"
LONGEST_ASKED = 80  # letters of a name or a code
MOST_PAGES = 3000  # of one record: 40 boards of 70 phases, about 10 kB each
MOST_MAPS = 150  # that are kept, about 100 kB each
SERVED = Served()


@dataclass(frozen=True, slots=True)
class ReadyAnswer:
    """An answer that lies ready."""

    body: bytes
    kind: str  # media type
    status: int = 200

    @property
    def mark(self) -> str:
        """What a browser may ask by whether it is still the same."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:20]}"'


@dataclass(slots=True)
class Shelf:
    """Answers by what they are of; the ones that were asked for longest ago go first."""

    most: int
    kept: OrderedDict[Any, ReadyAnswer] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: Any, make: Callable[[], ReadyAnswer]) -> ReadyAnswer:
        """Give what lies there, or make it and lay it there."""
        with self.lock:
            if found := self.kept.get(key):
                self.kept.move_to_end(key)
                return found
        made = make()
        with self.lock:
            self.kept[key] = made
            while len(self.kept) > self.most:
                self.kept.popitem(last=False)
        return made


@dataclass(slots=True)
class Live:
    """The public pages of one event while it goes on."""

    book: PublicBook
    of: PublicRecord | None = None  # what the pages on the shelf are made of
    pages: Shelf = field(default_factory=lambda: Shelf(MOST_PAGES))
    maps: Shelf = field(default_factory=lambda: Shelf(MOST_MAPS))

    def page(self, key: str, make: Callable[[Pages], str | None]) -> ReadyAnswer:
        """A page of the record as it is now; what there is not is said so."""
        pages = self.now()
        if pages.record is not self.of:
            self.of, self.pages = pages.record, Shelf(MOST_PAGES)
        return self.pages.get(key, lambda: made(pages, make))

    def now(self) -> Pages:
        """What makes pages of the record as it is now."""
        return Pages(self.book.record(), SERVED, self.book.version)

    def map(self, board: str, phase: str) -> ReadyAnswer:
        """A map of what was published; a correction is another map."""
        pages = self.now()
        game = pages.record.games.get(board)
        played = played_at(game, phase) if game else None
        if game is None or (played is None and phase != NOW):
            return ReadyAnswer(pages.lost().encode(), HTML, 404)
        last = played or (game.played[-1] if game.played else None)
        key = (board, phase, last.fact.number if last else repr(game.position))
        return self.maps.get(key, lambda: ReadyAnswer(map_of(game, played, pages.record.speech).encode(), SVG))


def made(pages: Pages, make: Callable[[Pages], str | None]) -> ReadyAnswer:
    """Make a page."""
    text = make(pages)
    return ReadyAnswer(text.encode(), HTML) if text is not None else ReadyAnswer(pages.lost().encode(), HTML, 404)


def routes(live: Live, address: Callable[[Request], str], gone: Callable[[BigClock], float]) -> list[Route]:
    """The public pages.

    ``address`` says where telephones find them, if they do; ``gone`` how many seconds of a clock are over.
    """

    def served(path: str, answer: Callable[[dict[str, str]], ReadyAnswer]) -> Route:
        async def give(request: Request) -> Response:
            asked = {**request.path_params, "who": request.query_params.get("who", "")}
            return sent(request, await run_in_threadpool(answer, asked))

        return Route(path, give)

    async def newest(request: Request) -> Response:
        clock = (await run_in_threadpool(live.book.record)).clock
        told = {"newest": live.book.version, "gone": round(gone(clock), 1) if clock else None}
        return JSONResponse(told, headers={"Cache-Control": "no-store"})

    async def where(request: Request) -> Response:
        found = await run_in_threadpool(address, request)
        return JSONResponse({"address": f"{found}/live" if found else ""}, headers={"Cache-Control": "no-store"})

    async def code(request: Request) -> Response:
        found = await run_in_threadpool(address, request)
        return sent(
            request, ReadyAnswer(code_of(f"{found}/live").encode(), SVG) if found else ReadyAnswer(b"", SVG, 404)
        )

    return [
        served("/LIVE", lambda _: live.page("home", Pages.home)),
        served("/live", lambda _: live.page("home", Pages.home)),
        served("/live/standings", lambda _: live.page("standings", Pages.standings)),
        served("/live/board/{board}", lambda asked: board_page(live, asked["board"])),
        served("/live/board/{board}/{phase}", lambda asked: phase_page(live, asked["board"], asked["phase"])),
        served("/live/map/{board}/{phase}", lambda asked: live.map(asked["board"], asked["phase"])),
        served("/live/seat", lambda asked: seat_page(live, asked["who"])),
        served("/LIVE/{code}", lambda asked: seat_page(live, asked["code"])),  # as the code on a sheet has it
        Route("/live/newest", newest),
        Route("/live/where", where),
        Route("/live/qr.svg", code),
    ]


def code_of(address: str) -> str:
    """Draw the code that a telephone opens, with the white round it that it needs."""
    squares = live_squares(address.upper())
    side = len(squares) + 2 * QUIET
    marks = (
        f"M{first + QUIET} {row + QUIET + 0.5}h{length}"
        for row, line in enumerate(squares)
        for first, length in runs(line)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{side}v{side}H0z"/><path stroke="#000" d="{"".join(marks)}"/></svg>'
    )


def board_page(live: Live, board: str) -> ReadyAnswer:
    """A board."""
    return live.page(f"board {board}" if is_there(live, board) else "lost", lambda pages: shown_board(pages, board))


def is_there(live: Live, board: str) -> bool:
    """Whether a board's seats are told: what is not there is kept once, whatever it is called."""
    return board in live.book.record().games


def shown_board(pages: Pages, board: str) -> str | None:
    """A board, if it is one that was told."""
    game = pages.record.games.get(board)
    return pages.board(game) if game else None


def phase_page(live: Live, board: str, phase: str) -> ReadyAnswer:
    """A phase of a board."""
    game = live.book.record().games.get(board)
    key = f"phase {board} {phase}" if game and played_at(game, phase) else "lost"
    return live.page(key, lambda pages: shown_phase(pages, pages.record.games.get(board), phase))


def shown_phase(pages: Pages, game: Game | None, phase: str) -> str | None:
    """A phase, if it was published."""
    played = played_at(game, phase) if game else None
    return pages.phase(game, played) if game and played else None


def seat_page(live: Live, asked: str) -> ReadyAnswer:
    """Somebody's seats; what is asked for is in the page, so none of these is kept."""
    pages, wanted = live.now(), asked.strip()[:LONGEST_ASKED]
    return ReadyAnswer(pages.seat(wanted, find_seats(pages.record, wanted)).encode(), HTML)


def sent(request: Request, ready: ReadyAnswer) -> Response:
    """Send an answer, or say that it is still the same."""
    headers = {"Cache-Control": "no-cache", "ETag": ready.mark}
    if request.headers.get("if-none-match") == ready.mark:
        return Response(status_code=304, headers=headers)
    return Response(ready.body, ready.status, headers, ready.kind)

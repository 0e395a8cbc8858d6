"""The upload page: scans from a phone or a scanner's computer; each is stored before anything else happens.

On the camera page a telephone held over one sheet after the other is the scanner. The page sends small pictures,
several a second; each is looked at here in a twentieth of a second. Once a sheet of this event lies in the picture
whole, sharp and in light, the page hands in that picture in full, as any other file: it is kept before anything else
happens, looked at once more, and taken again where it was blurred.
"""

import asyncio
import queue
import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Any

import cv2
import numpy as np
from msgspec import Struct, field
from msgspec.structs import asdict, replace
from PIL import Image
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pipeline import ink
from pipeline.board import Power
from pipeline.desk.event.event import Event, open_same
from pipeline.desk.event.games import Game
from pipeline.desk.forms.forms_in import printed_forms
from pipeline.desk.intake.ingest import (
    Follower,
    PageIn,
    Portion,
    keep_file,
    note_received,
    portion_of,
    take_in,
    timing_of,
    too_many_pages,
    waiting_scans,
)
from pipeline.desk.intake.watching import EVERY_S, SUFFIXES, WatchedFolder
from pipeline.desk.sheets.pads import due_phase
from pipeline.ledger.claims import Login
from pipeline.ledger.events import LinesTyped, PageRead, ScanRead
from pipeline.ledger.files import KeptScan, write_refused
from pipeline.ledger.ledger import standing
from pipeline.ledger.parts import Timing, board_name
from pipeline.logs import log_failure
from pipeline.paper.sheet import SheetRequest
from pipeline.problems import Stopped, Weight, stop
from pipeline.reading.identify import FrameSeen, Layouts, SpoiltPicture, glance, look_at_frame
from pipeline.reading.pages import BROKEN, Grey, Opener, page_count
from pipeline.reading.recogniser import Recogniser, Tray
from pipeline.web.app import Pages, check_token, limit_request
from pipeline.web.coming_files import ComingFiles
from pipeline.web.logins import Right
from pipeline.web.office import Office
from pipeline.web.on_pages import say_on_page, texts_on_page
from pipeline.web.slow_work import SlowWork

MOST_LOOKS = 8  # files that wait to be looked at; those that come then are only kept
LOOK_S = 5.0  # longest wait for the look at a file, which goes on
IDLE_S = 10.0  # interval of the heartbeat without a file
TOLD = 8  # latest scanned pages that the web page of the round lists
RETAKE = (Tray.UNREADABLE, Tray.DOUBTFUL)  # trays in which a better picture may help


class KeptUpload(Struct, frozen=True):
    """A file that was handed in, and is kept."""

    name: str
    scan: KeptScan


class UploadReader(Struct):
    """The background reader of uploaded files, oldest first; it opens the facts separately."""

    event: Event
    engine: Callable[[], Recogniser]
    wake: queue.SimpleQueue[bool] = field(default_factory=queue.SimpleQueue)
    ready: Recogniser | None = None
    failed: str = ""
    beat: Callable[[], None] = lambda: None  # a sign of life
    watched: WatchedFolder | None = None  # a folder into which a scanner writes, read beside the uploads
    latest: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=TOLD))  # the latest pages, newest first
    coming: ComingFiles = field(default_factory=ComingFiles)
    keeping: SlowWork = field(default_factory=lambda: SlowWork("keeping", 2))
    looking: SlowWork = field(default_factory=lambda: SlowWork("looking", 1))
    opener: Opener = field(default_factory=Opener)  # of the PDFs that are looked at
    turns: dict[str, tuple[str, int]] = field(default_factory=dict)  # by hash: the session, how many of its files wait

    def tell(self, page: PageIn) -> None:
        """Say what became of a page, in the words of `scan`; it is a sign of life, too."""
        self.beat()
        where = ink.page_of_file(page.name, page.page)
        text = say_on_page(page.text)
        self.latest.appendleft({"state": str(page.state), "page": where, "text": text, "clean": page.is_clean})

    def take_turn(self, sha256: str, session: str) -> None:
        """Let a file wait for the other files of its session, and not for all files of another."""
        waiting = {fact.said.sha256 for fact in waiting_scans(self.event)}
        self.turns = {each: turn for each, turn in self.turns.items() if each in waiting}
        mine = sum(own == session for own, _ in self.turns.values())
        self.turns.setdefault(sha256, (session, mine))

    def turn_of(self, sha256: str) -> int:
        """How many files of the same session are read before a file."""
        return self.turns.get(sha256, ("", 0))[1]

    def watch(self, folder: Path | None, *, only_new: bool = False) -> None:
        """Watch a folder from now on; None: stop watching and leave its files."""
        if folder is not None and not folder.is_dir():
            raise stop("no such folder to watch", str(folder))
        self.watched = None if folder is None else WatchedFolder(folder, only_new=only_new)
        self.wake.put(True)

    def work(self) -> None:
        """Wait until something comes, and read it; what an earlier run left unread is read with it."""
        if (is_woken := self.wait_for_work()) is False:
            return
        watched = self.watched
        files = watched.take_complete_files() if watched else []
        if not is_woken and not files:
            return
        try:
            self.ready = self.ready or self.engine()
            with open_same(self.event) as event:
                follower = Follower(turn=self.turn_of)
                problems = take_in(event, (), self.ready, self.tell, follower=follower)
                for file in files:
                    if self.watched is not watched:  # it was stopped: remaining files are left where they are
                        break
                    problems += take_in(event, (file,), self.ready, self.tell, follower=follower)
            for note in (problem for problem in problems if problem.weight is not Weight.STOPS):
                self.latest.appendleft(
                    {
                        "state": str(Timing.AGAIN),
                        "page": Path(note.where).name,
                        "text": say_on_page(note.text),
                        "clean": False,
                    }
                )
            self.failed = "; ".join(
                f"{problem.where}: {say_on_page(problem.text)}"
                for problem in problems
                if problem.weight is Weight.STOPS
            )
        except Stopped as stopped:
            self.failed = "; ".join(texts_on_page(stopped.problems))
        except Exception as error:  # any failure: go on with the next file
            log_failure(error, "files were being read")
            self.failed = f"reading stopped ({type(error).__name__}: {error}); what came is kept and is tried again"

    def end(self) -> None:
        """Keep and look at nothing more, and read nothing after the page that is read now."""
        for each in (self.keeping, self.looking):
            each.end()
        self.opener.end()
        self.wake.put(False)

    def wait_for_work(self) -> bool | None:
        """Wait for work (True) or the end of the program (False); None after some seconds without either."""
        try:
            return self.wake.get(timeout=EVERY_S if self.watched else IDLE_S)
        except queue.Empty:
            return None


def routes(pages: Pages, reading: UploadReader) -> list[Route]:
    """The upload page, the request that stores files, and the one that reports what became of them."""

    async def hand_in(request: Request) -> Response:
        login = await pages.let_through(request, Right.UPLOAD)
        check_token(request, login, pages.logins)
        kept: list[dict[str, Any]] = []
        try:
            async with reading.coming.receive(request, login.digest) as files:
                for file in files:
                    upload = await reading.keeping.do(_keep_upload, reading, pages.office, file, login)
                    kept.append(_upload_view(upload, await look_soon(upload)))
        finally:
            if kept:
                reading.wake.put(True)
        return JSONResponse({"kept": kept})

    async def look_soon(upload: KeptUpload) -> tuple[SpoiltPicture, ...]:
        """Look at a file, unless many wait for that or it takes long: then it is said when it is read."""
        if reading.looking.length >= MOST_LOOKS:
            return ()
        with suppress(TimeoutError):
            look = reading.looking.do(_look_at_upload, pages.office, upload, reading.opener)
            return await asyncio.wait_for(look, LOOK_S)
        return ()

    def what_became(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
        wanted = set(str(asked.get("of", "")).split(","))
        with office.lock:
            order = [fact.said.sha256 for fact in waiting_scans(office.event, reading.turn_of)]
            files = [_fate(office, sha256, order) for sha256 in sorted(wanted) if sha256]
            return {"files": files, "failed": reading.failed}

    return [
        pages.page("/upload", "upload.html", Right.UPLOAD),
        Route("/api/upload", hand_in, methods=["POST"], name=Right.UPLOAD),
        pages.get("/api/fate", what_became, Right.UPLOAD),
    ]


def _keep_upload(reading: UploadReader, office: Office, file: UploadFile, login: Login) -> KeptUpload:
    """Keep one file under its hash, and write down that it came."""
    name = _upload_name(file)
    suffix = Path(name).suffix.lower()
    if suffix not in SUFFIXES:
        ending = f"it ends in {suffix}" if suffix else "its name has no ending"
        raise stop(f"this is no scan: {ending}; a scan is a PDF or a picture ({', '.join(sorted(SUFFIXES))})", name)
    with office.lock:
        office.event.facts.check_file()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{Path(name).stem[:60] or 'scan'}{suffix}"
        try:
            with path.open("wb") as going:
                shutil.copyfileobj(file.file, going)
        except OSError as error:
            raise write_refused(error, str(path), "the scan cannot be kept", "send it again") from error
        if _has_too_many_pages(reading, path, portion := portion_of(login.role)):
            raise stop(too_many_pages(portion), name)
        kept = keep_file(office.event, path)  # without the lock: a disk may be slow
        with office.lock:
            reading.take_turn(kept.sha256, login.digest)
            note_received(office.event, kept, path.name, login.role)
    return KeptUpload(name, kept)


def _has_too_many_pages(reading: UploadReader, path: Path, portion: Portion) -> bool:
    """Whether a file has more pages than are read; where that takes long, it is found out when the file is read."""
    if max(reading.keeping.length, reading.looking.length) >= MOST_LOOKS:
        return False
    count = reading.looking.begin(page_count, path, reading.opener, portion.pages)
    with suppress(TimeoutError, Stopped):
        return count.result(LOOK_S) > portion.pages
    return False


def _look_at_upload(office: Office, upload: KeptUpload, opener: Opener) -> tuple[SpoiltPicture, ...]:
    """Look at once whether a file must be taken again; if the look itself fails, it is read normally."""
    try:
        with office.inside() as live:
            layouts = {sheet_id: sheet.page for sheet_id, sheet in live.papers.printed.items()}
            layouts |= {form_id: form.page for form_id, form in printed_forms(office.event).items()}
        return glance(upload.scan.path, layouts, office.event.details.code, opener)
    except Exception as error:  # including OpenCV's; the file is stored, and the result is reported when it is read
        log_failure(error, "a file was being looked at")
        return (SpoiltPicture("the picture is stored, but could not be checked now; its result appears below"),)


def _upload_view(upload: KeptUpload, spoilt: tuple[SpoiltPicture, ...]) -> dict[str, Any]:
    return {
        "name": upload.name,
        "sha256": upload.scan.sha256,
        "spoilt": [fault.text for fault in spoilt],
        "retake": any(fault.may_be_ours for fault in spoilt),
        "again": not upload.scan.is_new,
    }


def _upload_name(file: UploadFile) -> str:
    """The name of a file as it was sent, without its folder and without unprintable characters."""
    name = "".join(sign if sign.isprintable() else "_" for sign in file.filename or "")
    return Path(name.replace("\\", "/")).name or "scan"


def _fate(office: Office, sha256: str, order: Sequence[str]) -> dict[str, Any]:
    """The result of one file, page by page, without players' names; ``order`` is that in which files are read."""
    pages = [f.said for f in standing(office.event.facts, PageRead) if f.said.sha256 == sha256]
    is_read = any(f.said.sha256 == sha256 for f in office.event.facts.select(ScanRead))
    return {
        "sha256": sha256,
        "read": is_read,
        "before": order.index(sha256) if sha256 in order else 0,
        "pages": [
            {
                "page": page.page,
                "text": say_on_page(page.text),
                "tray": str(page.tray),
                "retake": _must_retake(page),
                "timing": page.timing,
                "clean": page.is_clean,
            }
            for page in pages
        ],
    }


def _must_retake(page: PageRead) -> bool:
    """Whether the same sheet should be photographed again; never for pages that are no sheet of this event.

    What a poor picture lost, nobody can say: a pale strike through a row that is read leaves no trace.
    """
    may_be_ours = page.tray in RETAKE or (page.tray is Tray.UNIDENTIFIED and bool(page.offers))
    return may_be_ours or any(warning.code in ink.RETAKE for warning in page.warnings or ())


LARGEST_FRAME = 2 << 20  # bytes; a picture of 1600 by 1200 has 0.3 MB
FRAME_S = 10.0  # longest time for all of it to arrive
MOST_PIXELS = 6_000_000  # of a frame when it is unpacked
LEAST_PX_PER_MM = 4.7  # of the full picture: 120 dpi, as 1080 by 1920 have of A4
LEAST_SHARPNESS = (
    1.0  # slope of edges, in shares of the contrast per mm; a steady telephone has 1.5 to 2.5, a moved one below 0.8
)
LEAST_LIGHT, LEAST_CONTRAST = 90, 60  # grey levels
BESIDE = 0.015  # share of the picture by which corners of the paper may lie outside: its outer 8 mm are white


class CameraLook(Struct, frozen=True):
    """The answer to one frame of the camera."""

    word: str = ""
    sheet: str = ""
    name: str = ""
    state: str = "nothing"  # "take", "again", "late", "strange", "better", "busy"
    outline: tuple[tuple[float, float], ...] = ()
    sharpness: float = 0.0  # of two pictures of one sheet the page takes the sharper one


def camera_routes(pages: Pages) -> list[Route]:
    """The page, the look at a frame, and what is missing."""
    at_work = Lock()  # one frame at a time, however many phones: reviewers need the processor, too

    async def look(request: Request) -> Response:
        login = await pages.let_through(request, Right.UPLOAD)
        check_token(request, login, pages.logins)
        scale = request.query_params.get("scale", "1")
        data = await limit_request(request, LARGEST_FRAME, FRAME_S).body()
        seen = await run_in_threadpool(_look_in_turn, at_work, pages.office, data, scale)
        return JSONResponse(asdict(seen))

    return [
        pages.page("/capture", "capture.html", Right.UPLOAD),
        Route("/api/capture/look", look, methods=["POST"]),
        pages.get("/api/capture/missing", _show_missing, Right.UPLOAD),
    ]


def _look_in_turn(at_work: Lock, office: Office, data: bytes, scale: str) -> CameraLook:
    """Look at a frame unless another is being looked at; the next one comes soon anyway."""
    if not at_work.acquire(blocking=False):
        return CameraLook(state="busy")
    try:
        return _look_at(office, _decode_frame(data), _read_scale(scale))
    finally:
        at_work.release()


def _decode_frame(data: bytes) -> Grey:
    """The picture that came, as grey; refused if it is no picture or too large, which is checked before decoding."""
    try:
        with Image.open(BytesIO(data), formats=("JPEG", "PNG")) as packed:
            width, height = packed.size
        is_small = width * height <= MOST_PIXELS
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE) if is_small else None
    except (*BROKEN, cv2.error):
        picture = None
    if picture is None:
        raise stop("expected a small JPEG picture", "capture")
    return np.asarray(picture, np.uint8)


def _read_scale(text: str) -> float:
    """How many times larger the full picture is."""
    try:
        return min(max(1.0, float(text)), 8.0)  # 1.0 also of NaN
    except ValueError:
        return 1.0


def _look_at(office: Office, grey: Grey, scale: float) -> CameraLook:
    """Say what a frame shows, and whether its full picture is to be taken; ``scale`` is how much larger that one is."""
    with office.lock:
        office.live.refresh()
        printed = office.live.papers.printed
        forms = printed_forms(office.event)
    layouts: Layouts = {sheet_id: sheet.page for sheet_id, sheet in printed.items()}
    layouts = {**layouts, **{form_id: form.page for form_id, form in forms.items()}}
    seen = look_at_frame(grey, layouts, office.event.details.code)
    if len(seen.sheets) > 1:
        return CameraLook("one sheet at a time", state="better")
    if not seen.sheets:
        return CameraLook("not ours", state="strange") if seen.strange else CameraLook()
    sheet = seen.sheets[0]
    with office.lock:
        name, timing = _name_and_timing(office, sheet)
    look = CameraLook(sheet=sheet, name=name, outline=seen.outline, sharpness=seen.sharpness)
    if timing is Timing.AGAIN:
        return replace(look, state="again", word="already in")
    if timing in (Timing.PUBLISHED, Timing.EARLIER):
        return replace(look, state="late", word="last season's")
    if timing in (Timing.ENDED, Timing.NOTHING):
        return replace(
            look, state="late", word="the game is over" if timing is Timing.ENDED else "nothing is due on it"
        )
    if fault := _picture_fault(seen, scale):
        return replace(look, state="better", word=fault)
    return replace(look, state="take", word="")


def _picture_fault(seen: FrameSeen, scale: float) -> str:
    """What is wrong with the picture; empty: take it."""
    if seen.markers < 4 or any(not -BESIDE < side < 1 + BESIDE for spot in seen.outline for side in spot):
        return "all four corners"
    if seen.light < LEAST_LIGHT or seen.contrast < LEAST_CONTRAST:
        return "too dark, hold it there"
    if seen.px_per_mm * scale < LEAST_PX_PER_MM:
        return "come nearer"
    if seen.sharpness < LEAST_SHARPNESS:
        return "hold still"
    return ""


def _name_and_timing(office: Office, sheet_id: str) -> tuple[str, Timing | None]:
    """The name of a sheet or form, and why a sheet is not expected now; None if it is, and for forms."""
    live = office.live
    printed = live.papers.printed.get(sheet_id)
    if printed is None:
        return printed_forms(office.event)[sheet_id].request.about, None
    request = printed.request
    name = f"board {board_name(request.round, request.board)} {request.power.title()}"
    if live.papers.readings.get(sheet_id):
        return name, Timing.AGAIN
    game = live.games.get(board_name(request.round, request.board))
    if game is None:
        return name, None
    return name, _timing_of(office, game, request)


def _show_missing(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """The missing sheets of the open phase, by board. Typed lines count; decisions, such as a late sheet, do not."""
    with office.inside() as live:
        is_in: dict[tuple[str, Power], bool] = {}
        for sheet_id, printed in live.papers.printed.items():
            game = live.games.get(board_name(printed.request.round, printed.request.board))
            if game is not None and _timing_of(office, game, printed.request) is None:
                key = (game.name, printed.request.power)
                is_in[key] = is_in.get(key, False) or bool(live.papers.readings.get(sheet_id))
        for fact in standing(office.event.facts, LinesTyped):
            game = live.games.get(fact.said.board)
            if game is not None and fact.said.phase == game.position.phase and (game.name, fact.said.power) in is_in:
                is_in[game.name, fact.said.power] = True
        boards = []
        for name in dict.fromkeys(name for name, _ in is_in):
            powers = {power: came for (board, power), came in is_in.items() if board == name}
            missing = [power.title() for power, came in powers.items() if not came]
            count = {"in": len(powers) - len(missing), "of": len(powers), "missing": missing}
            boards.append({"board": name, "phase": live.games[name].position.phase.in_words, **count})
    return {"boards": boards}


def _timing_of(office: Office, game: Game, request: SheetRequest) -> Timing | None:
    """Why a sheet is not expected now; None if it is."""
    phase = due_phase(game.position.phase, request.phase.step) if request.is_pad else request.phase
    return timing_of(office.event, game, phase, request.power)

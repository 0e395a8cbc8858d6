"""The camera page: a telephone held over one sheet after the other is the scanner.

The page sends small pictures, several a second; each is looked at here in a twentieth of a second. Once a sheet of this
event lies in the picture whole, sharp and in light, the page hands in that picture in full, as any other file
(`upload.py`): it is kept before anything else happens, looked at once more, and taken again where it was blurred.
"""

from io import BytesIO
from threading import Lock
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import asdict, replace
from PIL import Image
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pipeline.board.map import Power
from pipeline.desk.event.games import Game
from pipeline.desk.forms.forms_in import printed_forms
from pipeline.desk.intake.ingest import timing_of
from pipeline.desk.sheets.pads import due_phase
from pipeline.ledger.claims import Login
from pipeline.ledger.events import LinesTyped
from pipeline.ledger.ledger import standing
from pipeline.ledger.parts import Timing, board_name
from pipeline.paper.sheet import SheetRequest
from pipeline.problems import stop
from pipeline.reading.identify import FrameSeen, Layouts, look_at_frame
from pipeline.reading.pages import BROKEN, Grey
from pipeline.web.app import Pages, check_token, limit_request
from pipeline.web.office import Office, Right

LARGEST_FRAME = 2 << 20  # bytes; a picture of 1600 by 1200 has 0.3 MB
FRAME_S = 10.0  # for all of it to come
MOST_PIXELS = 6_000_000  # of a frame when it is unpacked
LEAST_PX_PER_MM = 4.7  # of the full picture: 120 dpi, as 1080 by 1920 have of A4
LEAST_SHARPNESS = 1.0  # parts of the contrast a mm; a steady telephone has 1.5 to 2.5, a moved one below 0.8
LEAST_LIGHT, LEAST_CONTRAST = 90, 60  # grey levels
BESIDE = 0.015  # of the picture: so far the paper's corners may lie beside it; 8 mm of it outside the markers are white


class CameraLook(Struct, frozen=True):
    """The answer to one frame of the camera."""

    word: str = ""
    sheet: str = ""
    name: str = ""
    state: str = "nothing"  # "take", "again", "late", "strange", "better", "busy"
    outline: tuple[tuple[float, float], ...] = ()
    sharpness: float = 0.0  # of two pictures of one sheet the page takes the sharper one


def routes(pages: Pages) -> list[Route]:
    """The page, the look at a frame, and what is missing."""
    at_work = Lock()  # one frame at a time, however many phones: the desks need the processor, too

    async def look(request: Request) -> Response:
        login = await pages.let_through(request, Right.UPLOAD)
        check_token(request, login, pages.logins)
        scale = request.query_params.get("scale", "1")
        data = await limit_request(request, LARGEST_FRAME, FRAME_S).body()
        found = await run_in_threadpool(_look_in_turn, at_work, pages.office, data, scale)
        return JSONResponse(asdict(found))

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
        return look_at(office, _decode_frame(data), _read_scale(scale))
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
        return min(max(float(text), 1.0), 8.0)
    except ValueError:
        return 1.0


def look_at(office: Office, grey: Grey, scale: float) -> CameraLook:
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
        return _say_of(look, "again", "already in")
    if timing in (Timing.PUBLISHED, Timing.EARLIER):
        return _say_of(look, "late", "last season's")
    if timing in (Timing.ENDED, Timing.NOTHING):
        return _say_of(look, "late", "the game is over" if timing is Timing.ENDED else "nothing is due on it")
    if fault := _picture_fault(seen, scale):
        return _say_of(look, "better", fault)
    return _say_of(look, "take", "")


def _say_of(look: CameraLook, state: str, word: str) -> CameraLook:
    return replace(look, word=word, state=state)


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
    """The name of a sheet, and why it is not expected now, if so."""
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
    """Why a sheet is not expected now, if so."""
    phase = due_phase(game.position.phase, request.phase.step) if request.is_pad else request.phase
    return timing_of(office.event, game, phase, request.power)

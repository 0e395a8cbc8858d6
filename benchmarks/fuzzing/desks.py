"""The doors of an event that is open: review spreadsheets, forms, notes, and every decision that a page sends."""

import json
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from benchmarks.fuzzing.doors import Logins, Nonsense, workshop
from benchmarks.fuzzing.mutate import json_bytes
from benchmarks.fuzzing.workbooks import workbook_bytes
from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.results.notes import enter_note, notes_in_force
from pipeline.desk.review.review_sheet import take_sheet_back, write_review_sheet
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import print_round
from pipeline.draw.roster import Player
from pipeline.ink import Box, InkLine, InkReading, Tier, Transcription
from pipeline.ledger.events import PageRead
from pipeline.ledger.files import now
from pipeline.problems import Stopped
from pipeline.reading.recogniser import NoRecogniser, Tray
from pipeline.web.logins import SESSION_S, Guest, Role
from pipeline.web.server import Opened, open_office

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # newer Starlettes ask for a successor of httpx that older ones do not know
    from starlette.testclient import TestClient

NAMES = dict(zip(Power, ["Ana", "Bo", "Cem", "Dag", "Eva", "Fox", "Gil"], strict=True))
PIN = "000000"


@cache
def event() -> Event:
    """One board; every sheet is in, and half of its rows wait."""
    folder = workshop() / "desk"
    details = Details(name="Cup", code="DESK", tournament="weaselmoot")
    make_event_folder(folder, details, [Player(name=name) for name in NAMES.values()], now)
    found = open_event(folder, now)
    seat_round(found, 1, {"1": NAMES}, by="fuzz")
    print_round(found, 1)
    for number, (sheet, printed) in enumerate(printed_sheets(found).items()):
        texts = [f"{unit} - Ga?" for unit in sorted(map(str, found.board.start[printed.request.power]))]
        lines = tuple(
            InkLine(number=row, box=Box(22, 54, 160, 10), readings=(InkReading(text, 0.5),), tier=Tier.ASKED)
            for row, text in enumerate(texts, start=1)
        )
        sha256 = f"{number:064x}"
        read = Transcription(sheet_id=sheet, scan_sha256=sha256, page=1, reader="fuzz", lines=lines, residual_mm=0.05)
        page = PageRead(sha256=sha256, page=1, tray=Tray.FILED, text="", transcription=read)
        found.facts.write(page, "fuzz")
    return found


@cache
def review_books() -> Sequence[bytes]:
    """A review sheet with a few decisions on it."""
    from io import BytesIO  # noqa: PLC0415 - here only

    from openpyxl import load_workbook  # noqa: PLC0415 - likewise

    book = load_workbook(BytesIO(write_review_sheet(event(), None, "")[0]))
    sheet = book["Review"]
    at = {str(sheet.cell(5, column).value): column for column in range(1, 17)}
    sheet.cell(6, at["Decision"]).value = "nothing"
    sheet.cell(7, at["Order"]).value = "A BUD H"
    sheet.cell(8, at["Text"]).value = "F Tri hold"
    out = BytesIO()
    book.save(out)
    return [out.getvalue()]


def review_is_taken(data: bytes) -> bool:
    """Take a review sheet back; the program tells each line that it refuses."""
    try:
        taken = take_sheet_back(event(), data, "review.xlsx", "fuzz")
    except Stopped:
        return False
    return bool(taken.facts or taken.taken_before)


def typed_notes() -> list[bytes]:
    """Notes as they are typed."""
    kinds: dict[str, dict[str, str]] = {
        "penalty": {"player": "Ana", "kind": "late", "points": "1/2", "times": "2", "round": "1"},
        "score": {"board": "1.1", "power": "ITALY", "score": "12.5"},
        "substitute": {"board": "1.1", "power": "F", "player": "nobody", "phase": "F1903"},
        "lot": {"players": "Ana\nBo\nCem"},
        "distance": {"player": "4", "km": "120"},
        "award": {"award": "Best Tactics", "player": "Eva"},
        "preregistered": {"player": "Ana", "rounds": "1, 2"},
    }
    return [json.dumps({"what": what, "values": values, "why": "so"}).encode() for what, values in kinds.items()]


def note_is_taken(data: bytes) -> bool:
    """Enter a note, and list all that stand."""
    value = shaped(data)
    if value is None:
        return False
    try:
        enter_note(event(), value["what"], value["values"], by="fuzz", why=value["why"])
    except Stopped:
        return False
    if not all(note.words.isprintable() for note in notes_in_force(event())):
        raise Nonsense("a note that cannot be printed on a line")
    return True


def shaped(data: bytes) -> dict[str, Any] | None:
    """What the page hands on: texts for fields; it refuses anything else by itself."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not isinstance(value.get("values"), dict):
        return None
    values = {key: text for key, text in value["values"].items() if isinstance(text, str)}
    return {"what": str(value.get("what", "")), "values": values, "why": str(value.get("why", ""))}


@cache
def opened() -> Opened:
    """The office of the event, until the program ends."""
    event()
    seats = (Guest("Tess", Role.DIRECTOR, PIN),)
    office = open_office(workshop() / "desk", seats, engine=NoRecogniser)
    KEPT.append(office)
    return office.__enter__()


KEPT: list[Any] = []


@cache
def browser() -> tuple[TestClient, str]:
    """The director's browser, and the token of its pages."""
    client = TestClient(
        opened().app, base_url="http://127.0.0.1:8040", follow_redirects=False, raise_server_exceptions=True
    )
    client.post("/door", data={"name": "Tess", "pin": PIN})
    logins = opened().logins
    login = logins.claims.login(client.cookies["ordersheets"], now=logins.clock(), seconds=SESSION_S)
    assert login is not None
    return client, login.csrf


BODIES: dict[str, dict[str, Any]] = {
    "/api/act": {"token": "1.1 S1901M AUSTRIA line 1", "do": "order", "value": "A VIE H", "values": [], "number": 3},
    "/api/meaning": {"turn": "1.1 S1901M AUSTRIA", "lines": ["A Vie-Gal", "vie"], "units": ["A VIE", "A BUD"]},
    "/api/notes/enter": {"what": "award", "values": {"award": "Best", "player": "Ana"}, "why": "so"},
    "/api/notes/undo": {"number": 9, "why": "so"},
    "/api/clock/set": {"do": "start", "label": "Spring", "parts": [["writing", 60]], "elapsed": 3},
    "/api/tables/vote": {"board": "1.1", "power": "ITALY", "ballots": {"ITALY": "yes"}, "moment": ""},
    "/api/tables/dice": {"round": 1, "do": "commit", "word": "owl"},
    "/api/tables/seal": {"open": True},
    "/api/forms/rule": {"form": "x", "field": "y", "value": "3", "why": ""},
}


def decisions() -> list[bytes]:
    """What the pages send."""
    return [json.dumps({"path": path, "body": body}).encode() for path, body in BODIES.items()]


def decision_is_taken(data: bytes) -> bool:
    """Send a decision, as spoilt as it is; no answer is a fault of the server."""
    client, token = browser()
    try:
        value = json.loads(data)
        path, body = value["path"], json.dumps(value["body"]).encode()
    except (ValueError, KeyError, TypeError, RecursionError):
        path, body = "/api/act", data
    if path not in BODIES:
        path = "/api/act"
    answer = client.post(path, content=body, headers={"X-Token": token})
    if answer.status_code >= 500:
        raise Nonsense(f"{path} answers {answer.status_code}")
    return bool(answer.status_code == 200)


def tolerant(accepts: Callable[[bytes], bool], known: Callable[[], Sequence[bytes]]) -> Callable[[bytes], bool]:
    """Some good input is refused by the event as it is by now; that is no fault of the door."""
    return lambda data: accepts(data) or data in known()


DESK = (
    Logins("review.xlsx", review_books, workbook_bytes, tolerant(review_is_taken, review_books)),
    Logins("notes", typed_notes, json_bytes, tolerant(note_is_taken, typed_notes)),
    Logins("pages", decisions, json_bytes, tolerant(decision_is_taken, decisions)),
)

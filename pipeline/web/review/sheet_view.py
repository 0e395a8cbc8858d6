"""A doubt about a whole sheet, and a page whose sheet is not known, with the keys that settle them."""

from typing import Any

from pipeline.desk.review.agenda import StrayPage
from pipeline.desk.review.cards import DIGITS
from pipeline.desk.review.queue import ReviewItem
from pipeline.desk.sheets.crops import page_path
from pipeline.desk.sheets.late_sheets import LateArrival
from pipeline.desk.sheets.sheet_states import SheetState
from pipeline.ink import page_in_words
from pipeline.ledger.parts import SheetDecision as S
from pipeline.reading.transcription.outcome import Tray
from pipeline.web.office.office import Office
from pipeline.web.review.acts import Do
from pipeline.web.review.view_parts import brief, picture_of, picture_url, quotes_of, sheet_picture, turn_view
from pipeline.web.review.words import TRAYS

SHEET_KEYS = (  # what a person may say of a whole sheet, by key
    ("A", S.ACCEPTED, "accept it as it is"),
    ("N", S.NO_ORDERS, "there are no orders, and nothing will come"),
    ("R", S.REFUSED, "refuse it: its orders do not count"),
    ("L", S.LATE, "it came late: the tournament's rule applies"),
    ("B", S.LATE_READING, "it came late, and reading had begun"),
    ("D", S.LATE_DEMANDED, "it came late, and had been demanded"),
    ("F", S.FOREIGN, "it is on other paper than the supplied sheet: the tournament's rule applies"),
    ("J", S.JOINT, "it holds joint orders of several powers: the tournament's rule applies"),
    ("V", S.PROXY, "its orders are for later seasons or another's units: the tournament's rule applies"),
    ("W", S.ALL_UNSIGNED, "not signed: accept it, and all others without a signature"),
)
ASIDE = {"key": "X", "do": Do.ASIDE, "value": "", "order": "put aside", "words": "it needs nothing more", "why": ""}


def sheet_doubt(office: Office, doubt: ReviewItem) -> dict[str, Any]:
    """Show a doubt about a whole sheet, with the keys that settle it."""
    sheets = office.live.sheets(doubt.turn)
    power = office.live.power(office.live.games[doubt.turn.board], doubt.turn.power)
    choices = [
        {
            "key": key,
            "do": Do.CHOOSE_SHEET,
            "value": sheet.serial,
            "order": f"sheet {sheet.printed.request.id}",
            "words": " · ".join(line.text or "…" for line in sheet.lines if line.readings) or "empty",
            "why": "this one counts",
        }
        for key, sheet in zip(DIGITS, sheets if power.state is SheetState.TWO else (), strict=False)
    ]
    allowed = (S.NO_ORDERS,) if power.state is SheetState.MISSING else tuple(S)
    choices += [
        {"key": key, "do": Do.SHEET, "value": str(decision), "order": str(decision), "words": words, "why": ""}
        for key, decision, words in SHEET_KEYS
        if decision in allowed and (decision is not S.NO_ORDERS or power.state is SheetState.MISSING)
    ]
    return {
        **turn_view(doubt.turn),
        "kind": "sheet",
        "state": str(power.state),
        "why": doubt.problem.text if doubt.problem else "",
        "quotes": quotes_of(office, doubt.settings),
        "choices": choices,
        "sheet": sheet_picture(office, doubt.turn, None),
        "sheets": [picture_of(s, is_about_signature=any(s.scans[-1].signed is False for s in sheets)) for s in sheets],
        "rows": [brief(office, row) for row in power.rows],
    }


def stray_view(office: Office, page: StrayPage) -> dict[str, Any]:
    """Show a page that is nowhere, and the sheets it may be."""
    read = page.fact.said
    known = office.live.papers.printed if read.tray in (Tray.DOUBTFUL, Tray.UNIDENTIFIED) else {}
    offers = [offer for offer in read.offers or () if offer in known]
    choices = []
    for key, offer in zip(DIGITS, offers, strict=False):
        request = known[offer].request
        words = f"board {request.round}.{request.board} {request.power.title()}, {request.occasion}"
        choices.append({"key": key, "do": Do.IDENTIFY, "value": offer, "order": words, "words": offer, "why": ""})
    return {
        "kind": "page",
        "title": "Whose sheet is this page?" if known else "This page is nobody's order sheet",
        "board": "",
        "phase": page.name,
        "power": page_in_words(read.page),
        "why": f"{TRAYS[read.tray]}: {read.text}",
        "choices": [*choices, ASIDE],
        "sheet": page_picture(office, read.place),
    }


def page_picture(office: Office, place: tuple[str, int]) -> dict[str, Any] | None:
    """The picture of a whole page; None where there is none, as of a damaged file."""
    path = page_path(*place)
    return {"url": picture_url(path), "box": None} if (office.event.folder / path).is_file() else None


def late_view(late: LateArrival) -> dict[str, Any]:
    """Show a sheet that nobody asks for any more."""
    return {
        "kind": "page",
        "title": "A sheet that nobody asks for",
        "board": late.turn.board,
        "phase": late.turn.phase.in_words,
        "power": late.turn.power.title(),
        "why": f"{late.sheet}: {late.problem.text}",
        "choices": [ASIDE],
        "sheet": {"url": picture_url(page_path(*late.pages[0])), "box": None},
    }

"""Bodies that older editions wrote, brought up to today's: here once, when they are read; they stay as they are.

Notes on ink, faults of pictures, what has no order and what was asked were sentences (`old_sentences`).
"""

from collections.abc import Callable, Mapping
from typing import Any

from pipeline.ink import Note
from pipeline.ledger.old_sentences import case_of, fault_of, lacks_of, note_of

Body = Mapping[str, Any]
NOTES = frozenset(map(str, Note))


def _page_of_today(body: Body) -> Body:
    """Notes on the ink of a page, and what is wrong with its picture, were sentences."""
    found = dict(body)
    for key in ("transcription", "form"):
        if key in body and any(_is_old_note(note) for line in body[key]["lines"] for note in line["notes"]):
            lines = [line | {"notes": [_note_of_today(note) for note in line["notes"]]} for line in body[key]["lines"]]
            found[key] = body[key] | {"lines": lines}
    if any(isinstance(each, str) for each in body.get("warnings", ())):
        found["warnings"] = [fault_of(each).as_body() if isinstance(each, str) else each for each in body["warnings"]]
    return found


def _is_old_note(note: Any) -> bool:
    """Whether a note on ink is a sentence."""
    return isinstance(note, str) and note not in NOTES


def _note_of_today(note: Any) -> Any:
    """A note on ink as its code."""
    if not _is_old_note(note):
        return note
    found = note_of(note)
    return str(found) if isinstance(found, Note) else found.as_body()


def _ruling_of_today(body: Body) -> Body:
    """What has no order was a sentence, as was what was asked; so line 0 did not say what had no order then."""
    found = dict(body)
    if any(isinstance(each, str) for each in body["without"]):
        found["without"] = [lacks_of(each).as_body() if isinstance(each, str) else each for each in body["without"]]
    if "asked" in body:
        found["asked"] = _asked_of_today(body["asked"], is_on_no_row=body["line"] == 0)
    return found


def _sheet_ruling_of_today(body: Body) -> Body:
    """What was asked about a pad was a sentence."""
    return {**body, "asked": _asked_of_today(body["asked"], is_on_no_row=False)} if "asked" in body else body


def _asked_of_today(asked: Body, *, is_on_no_row: bool) -> Body:
    """What was asked, in codes."""
    switch, context = case_of(asked["doubt"], asked["switch"], asked["context"])
    found = {**asked, "switch": switch, "context": context}
    if isinstance(asked.get("lacks"), str):
        found["lacks"] = lacks_of(asked["lacks"]).as_body()
    elif is_on_no_row and "words" in asked and "lacks" not in asked:
        found["lacks"] = lacks_of(asked["words"]).as_body()
    return found


def _seats_of_today(body: Body) -> Body:
    """Players have numbers; as a key of JSON a number is text, where facts of before there were any have a name."""
    points = body.get("draw", {}).get("points")
    if not points or "names" not in body:
        return body
    return {**body, "draw": {**body["draw"], "points": {int(number): value for number, value in points.items()}}}


OF_TODAY: Mapping[str, Callable[[Body], Body]] = {
    "page read": _page_of_today,
    "ruling": _ruling_of_today,
    "sheet ruling": _sheet_ruling_of_today,
    "seated": _seats_of_today,
}


def of_today(kind: str, body: Body) -> Body:
    """A body as today's edition would write it."""
    upgrade = OF_TODAY.get(kind)
    return body if upgrade is None else upgrade(body)

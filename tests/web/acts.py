"""Who may do what, and which page shows what an act rests on: for browsers of tests and harnesses."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from pipeline.web.logins import Role

DIRECTOR, ASSISTANT, UPLOAD, SCREEN = Role.DIRECTOR, Role.ASSISTANT, Role.UPLOAD, Role.SCREEN
# by how the address begins, the longest first; what is not named here is for directors alone
MAY: dict[str, set[Role]] = {
    "/": {DIRECTOR, ASSISTANT},
    "/api/next": {DIRECTOR, ASSISTANT},
    "/api/act": {DIRECTOR, ASSISTANT},
    "/api/alive": {DIRECTOR, ASSISTANT},
    "/api/gone": {DIRECTOR, ASSISTANT},
    "/api/boards": {DIRECTOR, ASSISTANT},
    "/api/legal": {DIRECTOR, ASSISTANT},
    "/api/meaning": {DIRECTOR, ASSISTANT},
    "/picture/1": {DIRECTOR, ASSISTANT},
    "/out/1": {DIRECTOR, ASSISTANT},
    "/map/row": {DIRECTOR, ASSISTANT},
    "/upload": {DIRECTOR, ASSISTANT, UPLOAD},
    "/capture": {DIRECTOR, ASSISTANT, UPLOAD},
    "/api/upload": {DIRECTOR, ASSISTANT, UPLOAD},
    "/api/fate": {DIRECTOR, ASSISTANT, UPLOAD},
    "/api/capture/look": {DIRECTOR, ASSISTANT, UPLOAD},
    "/api/capture/missing": {DIRECTOR, ASSISTANT, UPLOAD},
    "/map/board/1": {DIRECTOR, ASSISTANT, SCREEN},
    "/screen": {DIRECTOR, ASSISTANT, SCREEN},
    "/api/clock": {DIRECTOR, ASSISTANT, SCREEN},
}

PAGE_OF = {  # by the path of an act, the data of its page; what stands in braces comes from the act's body
    "/api/act": "/api/next",
    "/api/clock/set": "/api/clock",
    "/api/tables/vote": "/api/tables",
    "/api/tables/veto": "/api/tables",
    "/api/tables/position": "/api/tables/position?board={board}",
    "/api/tables/end": "/api/tables",
    "/api/tables/end-all": "/api/tables",
    "/api/tables/undo": "/api/tables",
    "/api/tables/dice": "/api/tables",
    "/api/tables/seal": "/api/tables",
    "/api/tables/final": "/api/tables",
    "/api/tables/tell": "/api/tables",
    "/api/notes/enter": "/api/notes",
    "/api/notes/undo": "/api/notes",
    "/api/forms/print": "/api/forms",
    "/api/forms/rule": "/api/forms",
    "/api/forms/accept": "/api/forms",
    "/api/forms/aside": "/api/forms",
    "/api/journal/undo": "/api/journal",
    "/api/correct/do": "/api/correct?board={board}&phase={phase}",
    "/api/room/network": "/api/room",
    "/api/room/add": "/api/room",
    "/api/room/away": "/api/room",
    "/api/day/roll": "/api/day?round={round}",
    "/api/day/refuse": "/api/day?round={round}",
    "/api/day/player": "/api/day",
    "/api/day/watch": "/api/day",
    "/api/day/pass-over": "/api/day",
    "/api/day/setting": "/api/day",
    "/api/day/draw": "/api/day?round={round}",
    "/api/day/print": "/api/day?round={round}",
    "/api/events/rules": "/api/events/rules",
    "/api/events/undo": "/api/journal",
    "/api/events/restore": "/api/events/copies?folder={folder}",
    "/api/events/me": "/api/events",
    "/api/events/open": "/api/events",
    "/api/events/new": "/api/events",
    "/api/events/sample": "/api/events",
}
ON_A_SHEET = ("type", "sheet of")  # keys that are about a whole sheet: the page asks for its lines first


def page_of(path: str, body: Mapping[str, Any]) -> str:
    """The address of the data of the page from which an act comes; empty for what is no act."""
    if path == "/api/act" and body.get("do") in ON_A_SHEET:
        return f"/api/legal?turn={quote(str(body.get('token')))}"
    page = PAGE_OF.get(path, "")
    named, _, question = page.partition("?")
    pairs = [each.partition("={")[::2] for each in question.split("&") if question]
    values = {name: body.get(key.strip("}")) for name, key in pairs}
    asked = "&".join(f"{name}={quote(str(value))}" for name, value in values.items() if value is not None)
    return f"{named}?{asked}" if asked else named

"""An act that is taken back leaves every page as it was: tried for every act that the journal takes back."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from web.conftest import Browser
from web.stale import CASES, Case, send, shown_to_two

PAGES = (
    "/api/tables",
    "/api/tables/position?board=1.1",
    "/api/notes",
    "/api/boards",
    "/api/day?round=1",
    "/api/forms",
    "/api/correct?board=1.1",
    "/api/legal?turn=1.1 S1901M AUSTRIA",
    "/live",
    "/live/board/1.1",
    "/live/board/1.1/S1901M",
    "/live/seat?who=Ada",
    "/live/standings",
)
# what tells one moment from another; and which cards hang that are wrong, which a correction leaves behind
MOMENT = frozenset({"at", "backup", "corrected", "gone", "newest", "number", "shown", "since"})
NUMBERS = re.compile(r'\b(number|numbers|data-newest=")(,? ?(and )?\d+)+')
DRAWN_OPENLY = frozenset({"/api/tables/dice"})
ON_PAPER = frozenset({"/api/day/pass-over", "/api/day/print", "/api/forms/print"})
TAKE_BACK = frozenset({"/api/journal/undo", "/api/notes/undo", "/api/tables/undo"})
NOT_IN_JOURNAL = frozenset({"/api/day/refuse", "/api/day/watch"})
UNDONE = tuple(
    case
    for case in CASES
    if case.path not in DRAWN_OPENLY | ON_PAPER | TAKE_BACK | NOT_IN_JOURNAL
    and not case.path.startswith("/api/room/")
    and not case.of_item  # what is on the screen of a desk is held by it
    and case.bodies[0].get("do") not in ("undo", "redo")
)


def as_compared(value: Any) -> Any:
    """What a page says, without what tells one moment from another."""
    match value:
        case dict():
            return {key: as_compared(each) for key, each in value.items() if key not in MOMENT}
        case list():
            return [as_compared(each) for each in value]
        case str():
            return NUMBERS.sub("", value)
    return value


def see_pages(browser: Browser) -> Mapping[str, Any]:
    """All pages, and the files that hang on walls."""
    seen: dict[str, Any] = {}
    for page in PAGES:
        answer = browser.client.get(page)
        is_data = answer.headers["content-type"].startswith("application/json")
        seen[page] = answer.status_code, as_compared(answer.json() if is_data else answer.text)
    event = browser.opened.office.event
    seen["files"] = sorted(path.name for path in event.out.glob("*")), (event.folder / "event.toml").read_text("utf-8")
    return seen


@pytest.mark.parametrize("case", UNDONE, ids=lambda case: f"{case.path} {case.bodies[0].get('what', '')}".strip())
def test_an_act_that_is_taken_back_leaves_every_page_as_it_was(case: Case, tmp_path: Path) -> None:
    with shown_to_two(case, tmp_path / "cup") as (opened, (tess, other), (body, _)):
        facts, before = opened.office.event.facts, see_pages(other)
        first = facts.last_number() + 1
        assert send(tess, case.path, body).status_code == 200
        numbers = list(range(first, facts.last_number() + 1))
        assert numbers
        shown = other.client.get("/api/journal").json()["shown"]
        answer = send(other, "/api/journal/undo", {"numbers": numbers, "why": "no", "shown": shown})
        assert answer.status_code == 200, answer.text
        assert see_pages(other) == before

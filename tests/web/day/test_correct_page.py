"""The page Correct: a published phase is changed in the browser, after all that follows was shown."""

from typing import Any, cast

from desk.cup import hand_in_sheet, inked, sheets_of, spring

from pipeline.board import Power
from pipeline.desk.ruling.rulings import type_lines
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.paper.sheet_rows import Design
from pipeline.web.server import Opened
from web.conftest import Browser
from web.office.test_rights import settle_all

SPRING = "S1901M"
HELD = ["A Ven H", "A Rom H", "F Nap H"]
HOLD = {"type": "row", "power": "ENGLAND", "line": 1, "order": "F LON H"}


def read_out(opened: Opened, tess: Browser) -> None:
    settle_all(tess)
    tess.press("publish")


def post(browser: Browser, path: str, status: int = 200, **body: Any) -> dict[str, Any]:
    return browser.post(f"/api/correct/{path}", status, **{"board": "1.1", "phase": SPRING, **body})


def test_a_phase_is_shown_with_its_sheets_and_corrected_with_its_reason(opened: Opened, tess: Browser) -> None:
    read_out(opened, tess)
    facts = opened.office.event.facts
    page = tess.client.get(f"/api/correct?board=1.1&phase={SPRING}").json()
    assert page["boards"] == [{"board": "1.1", "own": False, "phases": [[SPRING, "Spring 1901"]]}]
    england = next(power for power in page["powers"] if power["power"] == "ENGLAND")
    assert {"F LON - ENG", "F LON H"} <= {each["order"] for each in england["orders"]}
    newest = facts.last_number()

    seen = post(tess, "look", changes=[HOLD])

    assert (seen["changes"], seen["rule"]["rule"]) == (True, "WM VII.2.a")
    rows = {row["line"]: row for row in seen["rows"]["ENGLAND"]}
    assert (rows[1]["order"], rows[1]["waits"]) == ("F LON H", False)
    assert facts.last_number() == newest
    assert post(tess, "do", 422, changes=[HOLD])["where"] == "why"
    with opened.office.inside():
        print_round(opened.office.event, 1)
    newest = facts.last_number()
    done = post(tess, "do", changes=[HOLD], why="misread", deadline_passed=False)
    assert done["numbers"] == [newest + 1, newest + 2]
    assert done["moved"] == to_print_anew(tess) == ["England"]
    with opened.office.inside() as live:
        assert "F LON" in map(str, live.games["1.1"].position.units[Power.ENGLAND])
        print_round(opened.office.event, 1)
    assert to_print_anew(tess) == []


def test_what_the_rules_make_of_a_late_sheet_is_named_before_it_is_corrected(opened: Opened, tess: Browser) -> None:
    read_out(opened, tess)
    late = [{"type": "sheet", "power": "ENGLAND", "decision": "late"}]

    seen = post(tess, "look", changes=late)

    post(tess, "do", changes=late, why="it came late", deadline_passed=False)
    powers = tess.client.get(f"/api/correct?board=1.1&phase={SPRING}").json()["powers"]
    (england,) = (power for power in powers if power["power"] == "ENGLAND")
    assert "late for the first time" in (note := england["notes"][0])
    assert seen["sheets"] == [f"1.1 {SPRING} England: {note}"]


def to_print_anew(tess: Browser) -> list[str]:
    """The powers of the only board whose sheets show other units than they have."""
    (board,) = tess.client.get("/api/day").json()["boards"]
    return list(board["moved"])


def test_the_round_names_a_phase_that_was_ruled_on_since_it_was_published(opened: Opened, tess: Browser) -> None:
    def not_applied() -> list[dict[str, str]]:
        said, in_review = (tess.client.get(page).json()["not_applied"] for page in ("/api/day", "/api/next"))
        assert said == in_review
        return cast("list[dict[str, str]]", said)

    read_out(opened, tess)
    assert not not_applied()
    numbers = post(tess, "do", changes=[HOLD], why="misread", deadline_passed=False)["numbers"]
    assert not not_applied()

    shown = tess.client.get("/api/journal").json()["shown"]
    tess.post("/api/journal/undo", numbers=numbers[1:], why="not so", shown=shown)

    (said,) = not_applied()
    assert said["about"] == "Board 1.1, Spring 1901, England"
    assert said["text"] == "ruled on since it was published, and not applied; the page Correct shows what changes"
    assert said["correct"] == f"/correct?board=1.1&phase={SPRING}&power=ENGLAND"


def test_each_row_is_shown_with_the_unit_of_its_order_on_paper_and_typed(opened: Opened, tess: Browser) -> None:
    with opened.office.inside():
        type_lines(opened.office.event, spring(Power.ITALY), ["A VEN H", "A ROM H", "F NAP H"], by="Tess")
    read_out(opened, tess)
    powers = tess.client.get(f"/api/correct?board=1.1&phase={SPRING}").json()["powers"]
    rows = [row for power in powers for row in power["rows"] if row["order"]]
    assert {row["source"] for row in rows} > {"typed"}
    for row in rows:
        assert row["unit"]
        assert row["order"].startswith(row["unit"])
    for power in powers:
        for each in (*power["orders"], *power["published"]):
            assert each["order"].startswith(each["unit"] or "waive"), each


def test_the_journal_and_the_review_lead_there(opened: Opened, tess: Browser) -> None:
    event = opened.office.event
    print_round(event, 1, wish=PrintWish(design=Design.LINE))
    read_out(opened, tess)
    there = f"/correct?board=1.1&phase={SPRING}"
    assert tess.shown["published"]["correct"] == there
    links = {line["code"]: line["correct"] for line in tess.client.get("/api/journal").json()["lines"]}
    assert links["PUBLISHED"] == there
    assert f"{there}&power=AUSTRIA" in links.values()
    hand_in_sheet(event, sheets_of(event, spring(Power.AUSTRIA))[1], [inked(1, "A Vie H")], "e" * 64)
    late = tess.look()["item"]
    assert (late["title"], late["correct"]) == ("A sheet that is not expected now", f"{there}&power=AUSTRIA")
    assert "see on the page Correct what would change" in late["why"]
    powers = tess.client.get(f"/api{there}").json()["powers"]
    assert [each["name"] for each in powers if each["asks"]] == ["Austria"], "its sheet is to be settled first"


def test_a_correction_is_one_act_in_the_journal_and_on_the_page_also_later(opened: Opened, tess: Browser) -> None:
    read_out(opened, tess)
    acts = [[HOLD], [HOLD | {"order": "F LON - ENG"}, {"type": "lines", "power": "ITALY", "lines": HELD}]]
    told = [post(tess, "do", changes=changes, why="misread", deadline_passed=False)["numbers"] for changes in acts]
    assert [len(numbers) for numbers in told] == [2, 3]
    acts_shown = {line["number"]: line["act"] for line in tess.client.get("/api/journal").json()["lines"]}
    lines = {number: sorted(each["number"] for each in act["lines"]) for number, act in acts_shown.items() if act}
    assert {number: lines[number] for numbers in told for number in numbers} == {n: ns for ns in told for n in ns}
    first = told[0][0] - 1
    assert lines[first] == [first], "what was published first is no correction"
    there = f"/api/correct?board=1.1&phase={SPRING}"
    for numbers in reversed(told):
        assert tess.client.get(there).json()["correction"] == numbers
        tess.post("/api/journal/undo", numbers=numbers, why="the wrong sheet")
    assert tess.client.get(there).json()["correction"] == []
    assert tess.client.get("/api/day").json()["not_applied"] == []


def test_why_an_order_did_what_it_did_stands_beside_it(opened: Opened, tess: Browser) -> None:
    read_out(opened, tess)
    asked = {"board": "1.1", "phase": SPRING, "unit": "F LON"}
    told = tess.client.get("/api/correct/explain", params=asked).json()
    parts = dict(told["parts"])
    assert told["result"].startswith("F LON")
    assert (parts["row"], "to correct" in parts, "picture" in parts) == ("line 1, read", False, False)
    assert "ENGLAND" not in str(told)


def test_what_cannot_be_read_is_refused(opened: Opened, tess: Browser) -> None:
    read_out(opened, tess)
    wrong: tuple[Any, ...] = ("x", [1], [{"type": "row"}], [HOLD | {"power": "SPAIN"}], [HOLD] * 101)
    for changes in wrong:
        post(tess, "look", 422, changes=changes)
    for passed in ("after", 1, 0):
        post(tess, "look", 422, deadline_passed=passed)
    assert tess.client.get("/api/correct?board=1.1&phase=F1905M").status_code == 422
    assert tess.client.get("/api/correct?board=9.9").status_code == 422

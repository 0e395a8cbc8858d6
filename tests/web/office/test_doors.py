"""The same act is the same fact, whichever door it comes through: page, command or spreadsheet."""

import shutil
from collections.abc import Callable, Mapping
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from commands import run
from desk.cup import clock, hand_in, hand_in_all, hand_in_sheet, inked, printed, seated, spring
from facts_as_kept import append_fact, read_facts
from openpyxl import load_workbook

from pipeline.board import Power, Step
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.review.review_sheet import take_sheet_back, write_review_sheet
from pipeline.desk.ruling.rulings import type_lines
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.ink import Tier
from pipeline.orders import write_position
from pipeline.web.server import open_office
from web.conftest import SEATS, Browser, Time

ONLY_SHEETS = ("mark", "answer")  # what a ruling from a spreadsheet keeps beside the rest: the line that it was made on
AUSTRIA = str(spring(Power.AUSTRIA))
ITALY = str(spring(Power.ITALY))


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """Austria has an unread row and a unit without one, Italy's sheet is missing; all else is clear."""
    folder = tmp_path / "cup"
    with open_event(printed(folder), clock) as event:
        hand_in(event, spring(Power.AUSTRIA), [inked(1, "A Vie - Ga?", Tier.ASKED), inked(2, "F TRI - ALB")])
        for power in (Power.ENGLAND, Power.FRANCE, Power.GERMANY, Power.RUSSIA, Power.TURKEY):
            hand_in(event, spring(power), [inked(1, "hello")], sha256=power.lower().ljust(64, "0"))
    return folder


@pytest.fixture
def settled(tmp_path: Path) -> Path:
    """Austria's rows are clear, and order but one of its units."""
    folder = tmp_path / "cup"
    with open_event(printed(folder), clock) as event:
        hand_in_all(event, but=Power.AUSTRIA)
        hand_in(event, spring(Power.AUSTRIA), [inked(1, "A VIE - GAL"), inked(2, "F TRI - ALB")], sha256="f" * 64)
    return folder


def written(folder: Path, before: int) -> list[tuple[str, Mapping[str, Any]]]:
    """The facts since one, without who and when, and without what only a spreadsheet has."""
    with open_event(folder, clock) as event:
        return [(fact.kind, without_mark(fact.body)) for fact in read_facts(event.facts, after=before)]


def without_mark(body: Mapping[str, Any]) -> Mapping[str, Any]:
    asked = {key: value for key, value in body.get("asked", {}).items() if key not in ONLY_SHEETS}
    return {**body, "asked": asked} if asked else body


def by_page(folder: Path, turn: str, act: Mapping[str, Any]) -> None:
    with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        item = tess.look(turn)["item"]
        assert item["turn"] == turn
        tess.press(**act)


def by_command(folder: Path, _: str, arguments: list[str]) -> None:
    power = arguments.pop(0)
    run("rule", str(folder), "--board", "1", "--power", power, *arguments)


def by_sheet(folder: Path, turn: str, cells: Mapping[str, str], *, anyway: bool = False) -> None:
    with open_event(folder, clock) as event:
        book = load_workbook(BytesIO(write_review_sheet(event, None, "")[0]))
        sheet = book["Review"]
        at = {str(sheet.cell(5, column).value): column for column in range(1, 17)}
        row = next(n for n in range(6, sheet.max_row + 1) if turn in str(sheet.cell(n, at["Mark"]).value))
        for head, text in cells.items():
            sheet.cell(row, at[head]).value = text
        saved = BytesIO()
        book.save(saved)
        assert not take_sheet_back(event, saved.getvalue(), "r.xlsx", "Tess", anyway=anyway).refused


DOORS: dict[str, Callable[[Path, str, Any], None]] = {
    "page": by_page,
    "command": by_command,
    "sheet": by_sheet,
    "sheet, anyway": partial(by_sheet, anyway=True),
}


def same_facts(folder: Path, turn: str, acts: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Do the same through several doors, each on a copy of the event; give back the facts that all of them write."""
    found = {}
    with open_event(folder, clock) as event:
        before = event.facts.last_number()
    for logins, act in acts.items():
        copy = folder.with_name(f"by-{logins}") / "cup"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        DOORS[logins](copy, turn, act)
        found[logins] = written(copy, before)
    assert all(facts == found["page"] for facts in found.values()), found
    assert found["page"]
    return found["page"]


# what is done in which event to whose sheet: through the page, by command, in the spreadsheet, and what the fact says
ACTS: dict[str, tuple[str, str, Mapping[str, Any], list[str], Mapping[str, str], Mapping[str, Any]]] = {
    "a unit has no order": (
        "settled", AUSTRIA, {"do": "nothing"}, ["--line", "0", "--order", "nothing"], {"Decision": "nothing"},
        {"line": 0, "order": "nothing", "without": [{"code": "NO_ORDER", "unit": "A BUD"}]},
    ),
    "an order stands on a row": (
        "cup", AUSTRIA, {"do": "order", "value": "vie gal"}, ["--line", "1", "--order", "A VIE - GAL"],
        {"Order": "a vie–gal"}, {"kind": "ruling", "order": "A VIE - GAL", "doubt": "DOUBTFUL_READING"},
    ),
    "an order of a unit without a row": (
        "settled", AUSTRIA, {"do": "order", "value": "ser"}, ["--line", "0", "--order", "A BUD - SER"],
        {"Order": "A BUD - SER"}, {"line": 0, "order": "A BUD - SER"},
    ),
    "a row gives no order": (
        "cup", AUSTRIA, {"do": "nothing"}, ["--line", "1", "--order", "nothing"], {"Decision": "nothing"},
        {"line": 1, "order": "nothing", "without": [{"code": "NO_ORDER", "unit": "A VIE"}]},
    ),
    "an impossible order is meant so": (
        "cup", AUSTRIA, {"do": "order", "value": "A VIE - LON", "values": ["anyway"]},
        ["--line", "1", "--order", "A VIE - LON", "--anyway"], {"Order": "A VIE - LON", "anyway": "yes"},
        {"order": "A VIE - LON", "why": ""},
    ),
    "the ink says": (
        "cup", AUSTRIA, {"do": "text", "value": "A Vie - Gal"}, ["--line", "1", "--text", "A Vie - Gal"],
        {"Text": "A Vie - Gal"}, {"kind": "ruling", "text": "A Vie - Gal", "ink": "A Vie - Ga?"},
    ),
    "nothing will come": (
        "cup", ITALY, {"do": "sheet", "value": "no orders"}, ["--sheet", "no orders"], {"Decision": "no orders"},
        {"kind": "sheet ruling", "decision": "no orders"},
    ),
    "lines are typed": (
        "cup", ITALY, {"do": "type", "token": ITALY, "values": ["A VEN - TYR", "A ROM - VEN"]},
        ["--type", "A VEN - TYR", "--type", "A ROM - VEN"], {},
        {"kind": "lines typed", "lines": ["A VEN - TYR", "A ROM - VEN"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", ACTS)
def test_an_act_is_one_fact_whichever_door_it_comes_through(what: str, request: pytest.FixtureRequest) -> None:
    event, turn, page, words, cells, said = ACTS[what]
    doors: dict[str, Any] = {"page": page, "command": ["ITALY" if turn == ITALY else "AUSTRIA", *words]}
    if cells:
        doors["sheet, anyway" if "anyway" in cells else "sheet"] = {k: v for k, v in cells.items() if k != "anyway"}
    ((kind, body),) = same_facts(request.getfixturevalue(event), turn, doors)
    found = {"kind": kind, **body.get("asked", {}), **body}
    assert {key: found[key] for key in said} == said


def test_what_means_nothing_and_is_meant_so_is_the_same_fact(cup: Path) -> None:
    ((_, body),) = same_facts(
        cup,
        AUSTRIA,
        {
            "page": {"do": "text", "value": "A Vie - Lon", "values": ["anyway"], "why": "so it is written"},
            "command": ["AUSTRIA", "--line", "1", "--text", "A Vie - Lon", "--anyway", "--why", "so it is written"],
            "sheet": {"Text": "A Vie - Lon", "Why": "so it is written"},
        },
    )
    assert body["text"] == "A Vie - Lon"
    assert same_facts(
        cup,
        AUSTRIA,
        {
            "page": {"do": "text", "value": "A Vie - Lon", "values": ["anyway"]},
            "command": ["AUSTRIA", "--line", "1", "--text", "A Vie - Lon", "--anyway"],
            "sheet, anyway": {"Text": "A Vie - Lon"},
        },
    ) == [("ruling", {**body, "why": ""})]


def test_lines_that_are_typed_behind_their_units_are_the_lines_of_the_command(cup: Path) -> None:
    lines = {"A ROM": "A ROM ven", "A VEN": "A VEN ven tyr", "F NAP": "F NAP-ION", "": "  "}
    ((_, body),) = same_facts(
        cup,
        ITALY,
        {
            "page": {"do": "type", "token": ITALY, "values": list(lines.values()), "units": list(lines)},
            "command": ["ITALY", "--type", "A ROM - ven", "--type", "A VEN - tyr", "--type", "F NAP -ION"],
        },
    )
    assert len(body["lines"]) == 3


@pytest.mark.parametrize("decision", ["late", "refused", "no orders"])
def test_a_decision_on_typed_lines_is_the_same_fact(cup: Path, decision: str) -> None:
    with open_event(cup, clock) as event:
        type_lines(event, spring(Power.ITALY), ["A VEN - TYR"], by="Tess")
    ((kind, body),) = same_facts(
        cup,
        ITALY,
        {"page": {"do": "sheet of", "token": ITALY, "value": decision}, "command": ["ITALY", "--sheet", decision]},
    )
    assert (kind, body["decision"]) == ("sheet ruling", decision)


@pytest.fixture
def padded(tmp_path: Path) -> Path:
    """Austria's pad is ticked for another season, which the tournament's rules do not speak of."""
    folder = tmp_path / "cup"
    with open_event(seated(folder), clock) as event:
        print_round(event, 1, wish=PrintWish(pads=1))
        requests = {sheet: printed.request for sheet, printed in printed_sheets(event).items()}
        mine = next(s for s, r in requests.items() if (r.power, r.phase.step) == (Power.AUSTRIA, Step.MOVEMENT))
        hand_in_sheet(event, mine, [inked(1, "A VIE - GAL")], "f" * 64, ticks="1901 fall")
    return folder


def test_a_decision_on_a_doubtful_sheet_keeps_what_was_asked_through_every_door(padded: Path) -> None:
    ((kind, body),) = same_facts(
        padded,
        AUSTRIA,
        {
            "page": {"do": "sheet", "value": "accepted"},
            "command": ["AUSTRIA", "--sheet", "accepted"],
            "sheet": {"Decision": "accepted"},
        },
    )
    assert (kind, body["decision"], body["asked"]["doubt"]) == ("sheet ruling", "accepted", "WRONG_SEASON")
    assert same_facts(
        padded,
        AUSTRIA,
        {
            "page": {"do": "sheet of", "token": AUSTRIA, "value": "refused"},
            "command": ["AUSTRIA", "--sheet", "refused"],
        },
    ) == [("sheet ruling", {**body, "decision": "refused"})]


def test_a_sheet_of_another_position_is_asked_at_every_door_and_the_decision_is_the_same_fact(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    with open_event(printed(folder), clock) as event:
        here = write_position(find_game(event, "1").position)
        moved = here | {"units": here["units"] | {"AUSTRIA": ["A BUD", "A TYR", "F TRI"]}}
        append_fact(event.facts, "position set", {"board": "1.1", "position": moved}, "Tess")
        hand_in_all(event)
    assert "was printed: then A VIE, now A TYR" in run("adjudicate", str(folder), "--board", "1", code=3)
    ((kind, body),) = same_facts(
        folder,
        AUSTRIA,
        {
            "page": {"do": "sheet", "value": "refused"},
            "command": ["AUSTRIA", "--sheet", "refused"],
            "sheet": {"Decision": "refused"},
        },
    )
    assert (kind, body["decision"]) == ("sheet ruling", "refused")

"""The way back on pages: what waits is seen, what was said shows its effect, and nothing is forgotten in silence."""

from pathlib import Path

import pytest
from desk.cup import clock, seated
from desk.forms.table import Table
from desk.forms.test_using_forms import file_one, play_1901, row, truth_of

from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.results.notes import enter_note
from pipeline.desk.sheets.printing import print_round
from pipeline.ledger.files import kept_watched
from pipeline.paper.form import FormKind
from pipeline.web.server import Opened, open_office
from web.conftest import SEATS, Browser, Time
from web.day.test_day import post as decide


@pytest.fixture
def sheet(tmp_path: Path) -> str:
    """A board sheet came in, of a board on which 1901 was played; Austria has one more on it, and nothing was read."""
    folder = seated(tmp_path / "cup")
    with open_event(folder, clock) as event:
        table = Table(event, tmp_path)
        play_1901(table)
        return file_one(table, FormKind.BOARD, row(1901, counts(folder)), board="1.1")


def counts(folder: Path) -> tuple[int, ...]:
    """What the sheet says."""
    with open_event(folder, clock) as event:
        position = find_game(event, "1.1").position
    owned = [len(position.centres.get(power, ())) for power in Power]
    return (owned[0] + 1, owned[1] - 1, *owned[2:], 34 - sum(owned))


def test_forms_that_wait_stand_on_the_overview_and_a_whole_sheet_is_taken_at_once(sheet: str, tmp_path: Path) -> None:
    with open_office(tmp_path / "cup", SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        assert tess.client.get("/api/day").json()["forms"] == 1
        values = truth_of(1901, counts(tmp_path / "cup"))
        newest = opened.office.event.facts.last_number()
        refused = tess.post("/api/forms/rule", 422, form=sheet, values={**values, "1901 ITALY": "many"})
        assert "expected" in refused["said"]
        assert opened.office.event.facts.last_number() == newest, "all or none"

        left = tess.post("/api/forms/rule", form=sheet, values=values)["left"]

        assert len(left) == 2
        assert "centres on the sheet" in left[0]
        (form,) = tess.client.get("/api/forms").json()["forms"]
        assert [doubt["may_stand"] for doubt in form["doubts"]] == [True, True]
        assert tess.client.get("/api/day").json()["forms"] == 1
        tess.post("/api/forms/accept", form=sheet, why="the orders count")
        assert tess.client.get("/api/day").json()["forms"] == 0


def test_sheets_that_were_printed_before_a_swap_are_to_be_printed_anew(tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup")
    with open_event(folder, clock) as event:
        print_round(event, 1)
    with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        (board,) = tess.client.get("/api/day").json()["boards"]
        assert (board["printed"], board["anew"]) == (True, [])
        enter_note(opened.office.event, "swap", {"player": "Ada", "other": "Cem"}, by="Tess", why="a couple")
        (board,) = tess.client.get("/api/day").json()["boards"]
        assert (board["printed"], board["anew"]) == (False, ["Austria", "France"])
        assert tess.post("/api/day/print", needed={"1.1": board["anew"]})["sheets"] == 2
        (board,) = tess.client.get("/api/day").json()["boards"]
        assert (board["printed"], board["anew"]) == (True, [])


def test_a_folder_that_was_watched_is_named_after_a_restart(opened: Opened, tess: Browser, tmp_path: Path) -> None:
    folder = opened.office.event.folder
    (tmp_path / "in").mkdir()
    decide(tess, "/api/day/watch", {"folder": str(tmp_path / "in")})
    assert tess.client.get("/api/day").json()["scan"]["before"] == ""
    with open_office(seated(tmp_path / "other"), SEATS, clock=Time()) as other:
        assert Browser(other, "Tess").client.get("/api/day").json()["scan"]["before"] == "", "another event"
    assert kept_watched(folder.resolve()) == str((tmp_path / "in").resolve())
    decide(tess, "/api/day/watch", {"folder": ""})
    assert kept_watched(folder.resolve()) == ""

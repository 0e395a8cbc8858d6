"""What the page of the day says is next, and what a request may ask of it."""

import base64
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from desk.cup import clock, seated

from pipeline.board import FIRST_PHASE
from pipeline.desk.event.event import open_event
from pipeline.ink import PictureFault
from pipeline.problems import Stopped
from pipeline.reading.recogniser import Tray
from pipeline.web.journal_page import numbers_in
from pipeline.web.round_steps import State, _at_the_boards, steps
from pipeline.web.round_view import _print_view
from pipeline.web.start_page import _roster_of, _rules_of_event
from pipeline.web.upload import RETAKE, _must_retake


@pytest.mark.parametrize(("printed", "came", "settle", "strays", "ready"), [*product(*[(0, 1)] * 5)])
def test_a_step_is_now_while_there_is_something_to_do(
    printed: int, came: int, settle: int, strays: int, ready: int
) -> None:
    board = {"board": "1.1", "of": 1, "in": came, "settle": settle, "missing": 1 - came, "anew": 0, "ready": ready}
    today: Any = SimpleNamespace(drawn=True, printed=["1.1"] * printed, unread=0, strays=strays, forms=0)
    states = {step.name: step.state for step in _at_the_boards(today, [board])}
    doubts = settle or strays
    assert states["print"] is (State.DONE if printed or came else State.NOW)
    assert states["scan"] is (State.DONE if came else State.NOW if printed else State.LATER)
    assert states["doubts"] is (State.NOW if doubts else State.DONE if came else State.LATER)
    assert states["publish"] is (State.NOW if ready else State.LATER)


@pytest.mark.parametrize(("drawn", "lot", "told", "ended", "over", "called"), [*product(*[(0, 1)] * 6)])
def test_each_step_of_a_round_is_now_when_the_one_before_is_done(
    drawn: int, lot: int, told: int, ended: int, over: int, called: int
) -> None:
    board = {
        "board": "1.1",
        "of": 1,
        "in": 1,
        "settle": 0,
        "missing": 0,
        "anew": 0,
        "ready": 0,
        "ended": ended,
        "over": over,
    }
    roll = SimpleNamespace(is_begun=called, those=lambda word: ("Ada",) if word == "here" else ())
    today: Any = SimpleNamespace(
        roll=roll,
        drawn=drawn,
        has_lot=lot,
        is_told=told,
        boards=(board,) * drawn,
        printed=["1.1"],
        unread=0,
        strays=0,
        forms=0,
    )
    found = list(steps(today))
    assert [step.name for step in found] == [
        "roll", "draw", "seats", "print", "scan", "doubts", "publish", "end", "standings",
    ]  # fmt: skip
    states = {step.name: step.state for step in found}
    assert states["roll"] is (State.DONE if called or drawn else State.NOW)
    assert states["draw"] is (State.DONE if drawn and not lot else State.NOW)
    assert states["seats"] is (State.LATER if not drawn else State.DONE if told else State.NOW)
    is_going_on = drawn and not ended and not over
    assert states["publish"] is (State.LATER if is_going_on or not drawn else State.DONE)
    assert states["end"] is (State.DONE if drawn and ended else State.NOW if drawn and over else State.LATER)
    assert states["standings"] is (State.NOW if drawn and ended else State.LATER)
    words = {step.name: step.word for step in found}
    assert words["draw"] == ("a lot waits for a word" if lot else "1 board drawn" if drawn else "not drawn")


@pytest.mark.parametrize(
    ("strays", "forms", "word"),
    [
        (0, 0, "done"),
        (2, 0, "2 to settle"),
        (0, 1, "1 form to look at"),
        (2, 3, "2 to settle, 3 forms to look at"),
    ],
)
def test_where_no_game_goes_on_strays_and_forms_are_to_be_settled_and_before_the_draw_nothing(
    strays: int, forms: int, word: str
) -> None:
    today: Any = SimpleNamespace(drawn=True, strays=strays, forms=forms)
    found = list(_at_the_boards(today, []))
    states = {step.name: step.state for step in found}
    assert [step.word for step in found if step.name == "doubts"] == [word]
    assert states.pop("doubts") is (State.NOW if strays or forms else State.DONE)
    assert states == dict.fromkeys(("print", "scan", "publish"), State.DONE)
    today.drawn = False
    assert {step.state for step in _at_the_boards(today, [])} == {State.LATER}


@pytest.mark.parametrize("numbers", [[], "3", None, {}, [1, "2"], [True], [1.0], [[1]], 3])
def test_what_is_no_list_of_numbers_is_refused(numbers: object) -> None:
    with pytest.raises(Stopped, match="expected the number of a line"):
        numbers_in({"numbers": numbers})
    assert numbers_in({"numbers": [1, 2]}) == [1, 2]
    assert numbers_in({"number": 3}) == [3]


def test_the_rules_in_the_folder_of_an_event_are_offered_and_the_event_itself_is_none(tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup")
    (folder / "own.toml").write_text("", "utf-8")
    with open_event(folder, clock) as event:
        offered = _rules_of_event(event)
    assert offered["own.toml"] == "own.toml, in the event's folder"
    assert offered["nzdc1999"]
    assert "event.toml" not in offered


@pytest.mark.parametrize(("file", "where"), [("deep/list.csv", "list.csv"), ("", "the list")])
def test_what_is_wrong_with_a_list_of_players_is_told_with_the_name_of_its_file(file: str, where: str) -> None:
    data = base64.b64encode(b"Name\nAda\nAda\n").decode()
    assert {each.where for each in _roster_of({"file": data, "file_name": file}).problems} == {f"{where} row 3"}
    assert _roster_of({"text": "Name\nAda\nAda", "file_name": file}).problems[0].where == "the list row 3"
    for wrong in ({"file": 7}, {"text": ["Ada"]}, {"file": data, "file_name": 7}, {"file": "no base 64"}):
        with pytest.raises(Stopped):
            _roster_of(wrong)


@pytest.mark.parametrize("tray", list(Tray))
@pytest.mark.parametrize("code", [None, *PictureFault])
def test_a_picture_is_wanted_anew_of_what_may_be_a_sheet_or_hides_a_part_of_it(
    tray: Tray, code: PictureFault | None
) -> None:
    page: Any = SimpleNamespace(
        tray=tray, offers=(), warnings=(SimpleNamespace(code=code),) if code else None, transcription=None
    )
    hides = code in ("MARKERS_LOST", "ROWS_HIDDEN", "TOO_LIGHT", "TOO_DARK")
    assert _must_retake(page) is (hides or tray in RETAKE)
    page.offers = ("MAPS-0001-A",)
    assert _must_retake(page) is (hides or tray in RETAKE or tray is Tray.UNIDENTIFIED)


def test_a_print_for_two_rounds_shows_in_each_round_its_own_sheets() -> None:
    sheets = [
        SimpleNamespace(round=number, board=board, phase=FIRST_PHASE)
        for number, board in ((1, "1"), (2, "1"), (2, "2"))
    ]
    fact: Any = SimpleNamespace(number=7, at="", said=SimpleNamespace(sheets=sheets, pads=False))
    views = [_print_view(fact, number) for number in (1, 2)]
    assert [(view["sheets"], view["boards"]) for view in views] == [(1, ["1.1"]), (2, ["2.1", "2.2"])]

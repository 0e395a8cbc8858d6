"""A draw after printing says which sheets are void with it, before anything is written down."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desk.cup import NAMES, clock, seated
from pipeline.board import Power
from pipeline.desk.drawn_round import Drawn
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.seating import seat_round
from pipeline.desk.sheets.printed import OldSeats, printed_sheets
from pipeline.desk.sheets.printing import print_round
from pipeline.desk.void_sheets import void_note
from pipeline.draw.field import Turnout

CHANGED = {**NAMES, Power.AUSTRIA: NAMES[Power.ENGLAND], Power.ENGLAND: NAMES[Power.AUSTRIA]}
ALL_CHANGED = dict(zip(NAMES, (*list(NAMES.values())[1:], next(iter(NAMES.values()))), strict=True))


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    with open_event(seated(tmp_path / "cup"), clock) as opened:
        print_round(opened, 1)
        yield opened


def notes(event: Event, players: dict[Power, str]) -> list[str]:
    drawn = Drawn(round=1, seed=1, boards={"1": players}, notes=(), turnout=Turnout(bodies=()))
    return list(void_note(event, drawn))


def test_the_sheets_of_two_who_change_places_are_named(event: Event) -> None:
    (note,) = notes(event, CHANGED)
    sheets = {sheet: each.request.power for sheet, each in printed_sheets(event).items()}
    assert {power for sheet, power in sheets.items() if sheet in note} == {Power.AUSTRIA, Power.ENGLAND}


def test_a_board_of_which_no_sheet_is_good_is_named_once(event: Event) -> None:
    (note,) = notes(event, ALL_CHANGED)
    assert "every sheet of 1.1" in note
    assert not any(sheet in note for sheet in printed_sheets(event))


def test_the_same_seats_make_nothing_void_and_neither_does_a_first_print(event: Event, tmp_path: Path) -> None:
    assert notes(event, NAMES) == []
    with open_event(seated(tmp_path / "other"), clock) as other:
        assert notes(other, ALL_CHANGED) == []


def test_what_is_named_is_void_when_the_draw_is_written_down(event: Event) -> None:
    (note,) = notes(event, CHANGED)
    seat_round(event, 1, {"1": CHANGED}, by="Tess")
    old = OldSeats.of(event)
    assert {sheet for sheet, each in printed_sheets(event).items() if old.is_of_old(each)} == {
        sheet for sheet in printed_sheets(event) if sheet in note
    }

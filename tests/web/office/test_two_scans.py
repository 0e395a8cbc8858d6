"""Two scans of one sheet that differ: a key means one scan on every row, through every door."""

import shutil
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from desk.cup import clock, hand_in, inked, printed, spring
from msgspec.structs import replace
from openpyxl import load_workbook
from PIL import Image

from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.review.queue import AnswerCard, cards_of, queue, take_scan
from pipeline.desk.review.review_sheet import write_review_sheet
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.sheets.sheets_in import crop_path
from pipeline.ink import InkLine, InkReading, Note, Tier
from pipeline.orders import write
from pipeline.problems import Stopped
from pipeline.web.server import open_office
from web.conftest import SEATS, Browser, Time
from web.office.test_doors import DOORS, written

TURKEY = spring(Power.TURKEY)
FIRST = ("A CON - BUL", "A SMY - CON", "F ANK - BLA")
SECOND = ("A CON - BUL", "A SMY - ARM", "")
BY_SCAN = {1: set(FIRST), 2: {"A CON - BUL", "A SMY - ARM"}}


def line(row: int, text: str, confidence: float = 0.99, tier: Tier = Tier.ACCEPTED) -> InkLine:
    """A row of a scan; the surer the reading, the nearer it stands to the top where readings are sorted."""
    if not text:
        return inked(row, "", Tier.BLANK)
    return InkLine(number=row, box=inked(row, text).box, readings=(InkReading(text, confidence),), tier=tier)


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """Turkey's sheet in two scans; on row 2 the second is the surer one, on row 3 nothing is written in it."""
    folder = tmp_path / "cup"
    with open_event(printed(folder), clock) as event:
        hand_in(event, TURKEY, [line(n, text, 0.97) for n, text in enumerate(FIRST, start=1)], sha256="a" * 64)
        hand_in(event, TURKEY, [line(n, text, 0.99) for n, text in enumerate(SECOND, start=1)], sha256="b" * 64)
    return folder


def cards(event: Event, row: int, *more: Note) -> tuple[AnswerCard, ...]:
    """What is offered on a row, with more to be said of its ink."""
    doubt = next(each for each in queue(event) if each.turn == TURKEY and each.row and each.row.line == row)
    assert doubt.row is not None
    row_with_more = replace(doubt.row, flags=(*doubt.row.flags, *more))
    return cards_of(Desk.of(event), find_game(event, "1"), TURKEY, row_with_more)


def press(folder: Path, digit: str, status: int = 200) -> None:
    """Press a digit on the first row of Turkey's that waits."""
    with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        card = next(card for card in tess.look(str(TURKEY))["item"]["choices"] if card["key"] == digit)
        tess.press(card["do"], status=status, value=card["value"])


def turkey(folder: Path) -> tuple[set[str], list[int]]:
    """Turkey's orders, and the rows that wait."""
    with open_event(folder, clock) as event:
        rows = Desk.of(event).power(find_game(event, "1"), Power.TURKEY).rows
    return {write(row.order) for row in rows if row.order}, [row.line for row in rows if row.needs_director]


def rulings(folder: Path) -> list[Any]:
    """What was ruled, without who and when."""
    return [body for kind, body in written(folder, 0) if kind == "ruling"]


@pytest.mark.parametrize("more", [(), (Note.STRUCK_OUT,)])
def test_every_row_offers_the_whole_scans_first_and_then_the_row_by_each_in_the_order_they_came(
    cup: Path, more: tuple[Note, ...]
) -> None:
    with open_event(cup, clock) as event:
        found = {row: [(card.key, card.title) for card in cards(event, row, *more)] for row in (2, 3)}
    whole = [("1", "the whole first scan"), ("2", "the whole second scan")]
    assert found[2] == [*whole, ("3", "A SMY - CON"), ("4", "A SMY - ARM"), ("0", "no order")]
    assert found[3] == [*whole, ("3", "F ANK - BLA"), ("4", "no order"), ("0", "no order")]


@pytest.mark.parametrize("digit", ["1", "2", "3", "4"])
def test_the_same_digit_on_every_row_never_mixes_two_scans(cup: Path, digit: str) -> None:
    for _ in range(2):
        if 2 in turkey(cup)[1] or 3 in turkey(cup)[1]:
            press(cup, digit)
    assert turkey(cup)[0] == BY_SCAN[1 if digit in "13" else 2]


@pytest.mark.parametrize("number", [1, 2])
def test_a_whole_scan_is_the_same_facts_through_every_door(cup: Path, number: int) -> None:
    acts: dict[str, Any] = {
        "page": {"do": "scan", "value": str(number)},
        "sheet": {"Decision": f"the whole {('first', 'second')[number - 1]} scan"},
    }
    found = {}
    for door, act in acts.items():
        copy = cup.with_name(f"by-{door}") / "cup"
        shutil.copytree(cup, copy)
        DOORS[door](copy, str(TURKEY), act)
        found[door] = rulings(copy)
        assert turkey(copy)[0] == BY_SCAN[number]
        assert not {2, 3} & set(turkey(copy)[1])
    assert found["page"] == found["sheet"]


@pytest.mark.parametrize("number", [0, 3])
def test_a_scan_that_there_is_not_settles_nothing(cup: Path, number: int) -> None:
    with open_event(cup, clock) as event:
        desk, game = Desk.of(event), find_game(event, "1")
        [doubt, *_] = [each for each in queue(event) if each.turn == TURKEY and each.row and each.row.scans]
        with pytest.raises(Stopped, match="no such scan of this row; nothing was decided"):
            take_scan(desk, game, doubt, number, by="Tess")
        with pytest.raises(Stopped, match="no such scan of this row; nothing was decided"):
            take_scan(desk, game, replace(doubt, row=None), 1, by="Tess")
    assert rulings(cup) == []


def test_a_row_that_the_chosen_scan_does_not_read_for_certain_still_waits(cup: Path) -> None:
    with open_event(cup, clock) as event:
        rows = [line(1, FIRST[0]), line(2, "A SMY - SYR", 0.4, Tier.ASKED), line(3, FIRST[2])]
        hand_in(event, TURKEY, rows, sha256="c" * 64)
    press(cup, "3")  # the whole third scan
    assert turkey(cup) == ({"A CON - BUL", "F ANK - BLA"}, [2])
    before = rulings(cup)
    press(cup, "3", 422)
    assert rulings(cup) == before, "it is not taken for certain by being asked for twice"


def test_the_spreadsheet_shows_both_scans_the_first_on_top(cup: Path) -> None:
    with open_event(cup, clock) as event:
        for row in (2, 3):
            for letter, grey in (("a", 200), ("b", 90)):
                path = cup / crop_path(letter * 64, 1, row)
                path.parent.mkdir(parents=True, exist_ok=True)
                Image.new("L", (40, 10), grey).save(path)
        sheet: Any = load_workbook(BytesIO(write_review_sheet(event, None, "")[0]))["Review"]
    pictures = [Image.open(BytesIO(image._data())) for image in sheet._images]
    assert [(each.size, each.getpixel((5, 5)), each.getpixel((5, 19))) for each in pictures] == [
        ((40, 24), 200, 90)
    ] * 2
    text = " ".join(str(cell.value) for row in sheet.iter_rows() for cell in row)
    assert text.index("first scan, ") < text.index("A SMY - CON") < text.index("second scan, ")

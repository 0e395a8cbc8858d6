"""Several sheets on one picture: each is found whichever way it lies, and each ends in a tray of its own."""

import cv2
import numpy as np
import pytest
from sampled import slow_after

from pipeline.board import Power
from pipeline.ink import PictureFault
from pipeline.paper.load_sheet import read_template
from pipeline.reading.identify import cut_out, sheets_on
from pipeline.reading.pages import Grey, PageImage
from pipeline.reading.recogniser import (
    Filed,
    Foreign,
    NoRecogniser,
    ReadOutcome,
    SeveralSheets,
    Unidentified,
    Vocabulary,
)
from pipeline.reading.transcribe import SheetReader
from pipeline.small_files import data_folder
from reading.sheetbench import EVENT, ORDERS, Bench

POWERS = (Power.FRANCE, Power.ITALY, Power.TURKEY, Power.RUSSIA)


@pytest.fixture(scope="module", params=["a5", "half_letter"])
def small(request: pytest.FixtureRequest) -> Bench:
    """A printer of half pages."""
    name = f"{request.param}.toml"
    return Bench(read_template((data_folder("templates/sheets") / name).read_text("utf-8"), name))


@pytest.fixture(scope="module")
def sheets(small: Bench) -> list[Grey]:
    """Four powers' sheets, with one to four orders in them."""
    requests = [small.request(n, power) for n, power in enumerate(POWERS, start=1)]
    marks = [dict(enumerate(ORDERS[:n], start=1)) for n in range(1, 5)]
    return [small.written(request, rows, seed=n) for n, (request, rows) in enumerate(zip(requests, marks, strict=True))]


@pytest.fixture(scope="module")
def reader(small: Bench) -> SheetReader:
    """Reads the four sheets, and a retreat sheet of the first power."""
    requests = [small.request(n, power) for n, power in enumerate(POWERS, start=1)]
    layouts = {page.sheet: page for page in map(small.layout, [*requests, small.request(9, phase="S1901R")])}
    return SheetReader(layouts, NoRecogniser(), lambda _: Vocabulary(), EVENT, "0" * 64)


def table(sheets: list[Grey], places: list[tuple[float, float, float]], size: tuple[int, int], desk: int = 90) -> Grey:
    """Lay sheets on a table: the middle of each, in pixels, and how far it is turned, in degrees."""
    whole = np.full(size[::-1], desk, np.uint8)
    for sheet, (x, y, degrees) in zip(sheets, places, strict=True):
        height, width = sheet.shape
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
        turn[:, 2] += (x - width / 2, y - height / 2)
        cv2.warpAffine(sheet, turn, size, whole, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    return whole


def read(reader: SheetReader, grey: Grey) -> tuple[ReadOutcome, ...]:
    found = reader.every_sheet(PageImage("scan.jpg", 3, grey))
    assert isinstance(found, SeveralSheets)
    return tuple(part.outcome for part in found.parts)


def filed(found: tuple[ReadOutcome, ...]) -> dict[str, list[int]]:
    """The sheets that were filed, with the rows that have ink."""
    return {each.text: sorted(each.crops) for each in found if isinstance(each, Filed)}


def test_two_half_pages_that_were_not_cut_apart_or_lie_on_the_glass(sheets: list[Grey], reader: SheetReader) -> None:
    found = read(reader, np.rot90(np.hstack([sheets[0], sheets[1]])).copy())
    assert filed(found) == {"WM26-0001-C": [1], "WM26-0002-A": [1, 2]}
    assert sorted(each.page for each in found) == [1_000_003, 2_000_003]


def test_four_sheets_on_a_table_each_its_own_way(sheets: list[Grey], reader: SheetReader) -> None:
    places = [(800.0, 1000.0, 12.0), (2300.0, 1000.0, -8.0), (900.0, 2900.0, 180.0), (2400.0, 2950.0, 97.0)]
    grey = table(sheets, places, (3300, 4000))
    lens = cv2.getPerspectiveTransform(
        np.array([[0, 0], [3300, 0], [3300, 4000], [0, 4000]], np.float32),
        np.array([[150, 90], [3180, 0], [3300, 3900], [0, 4000]], np.float32),
    )
    found = read(reader, cv2.warpPerspective(grey, lens, (3300, 4000)).astype(np.uint8))
    assert filed(found) == {
        "WM26-0001-C": [1],
        "WM26-0002-A": [1, 2],
        "WM26-0003-8": [1, 2, 3],
        "WM26-0004-6": [1, 2, 3, 4],
    }


def test_a_sheet_that_is_cut_off_is_a_doubt_of_its_own(sheets: list[Grey], reader: SheetReader) -> None:
    grey = table(sheets[:2], [(700, 900, 3.0), (1800, 900, 0.0)], (1900, 1800))
    found = read(reader, grey)
    assert filed(found) == {"WM26-0001-C": [1]}
    (other,) = (each for each in found if not isinstance(each, Filed))
    assert isinstance(other, Unidentified)
    assert other.offers == ("WM26-0002-A",)


def test_a_sheet_without_its_codes_is_not_lost_beside_another(
    small: Bench, sheets: list[Grey], reader: SheetReader
) -> None:
    torn = sheets[1].copy()
    for box in small.layout(small.request(2, Power.ITALY)).form.codes:
        left, top = (round((side - 1) * 200 / 25.4) for side in (box.left, box.top))
        size = round((box.width + 2) * 200 / 25.4)
        torn[top : top + size, left : left + size] = 250
    found = read(reader, np.hstack([sheets[0], torn]))
    assert filed(found) == {"WM26-0001-C": [1]}
    assert {offer for each in found if not isinstance(each, Filed) for offer in getattr(each, "offers", ())} <= {
        "WM26-0002-A"
    }
    assert len(found) == 2


def test_two_sheets_of_one_power_have_the_same_markers_and_are_told_apart(
    small: Bench, sheets: list[Grey], reader: SheetReader
) -> None:
    retreats = small.written(small.request(9, phase="S1901R"), {2: ORDERS[0]})
    found = read(reader, np.vstack([retreats, sheets[0]]))
    assert filed(found) == {str(small.request(9).id): [2], "WM26-0001-C": [1]}


def test_another_events_sheet_beside_ours_is_foreign(small: Bench, sheets: list[Grey], reader: SheetReader) -> None:
    theirs = small.printed(small.request(5, Power.GERMANY, event="PARIS"))
    found = read(reader, np.hstack([theirs, sheets[3]]))
    assert filed(found) == {"WM26-0004-6": [1, 2, 3, 4]}
    assert [type(each) for each in found if not isinstance(each, Filed)] == [Foreign]


def test_the_same_sheet_twice_on_one_picture_is_read_twice(sheets: list[Grey], reader: SheetReader) -> None:
    found = read(reader, np.hstack([sheets[2], sheets[2]]))
    assert [each.text for each in found] == ["WM26-0003-8", "WM26-0003-8"]


def test_one_sheet_on_a_large_table_is_one_sheet(sheets: list[Grey], reader: SheetReader) -> None:
    grey = table(sheets[:1], [(1500, 1500, 20.0)], (3000, 3000))
    assert isinstance(reader.every_sheet(PageImage("scan.jpg", 1, grey)), Filed)


@pytest.mark.parametrize("seed", slow_after(1, [1, 2, 3]))
def test_a_curled_sheet_on_a_table_is_one_sheet(
    small: Bench, sheets: list[Grey], reader: SheetReader, seed: int
) -> None:
    curled = small.scanned(sheets[0], "curl:0.9+perspective:0.5", seed)
    grey = table([curled], [(1000, 1300, 4.0)], (2000, 2600))
    assert len(sheets_on(grey, reader.layouts)) == 1


def test_a_part_is_cut_out_where_its_corners_are(sheets: list[Grey], reader: SheetReader) -> None:
    grey = np.hstack([sheets[0], sheets[1]])
    places = sheets_on(grey, reader.layouts)
    assert len(places) == 2
    for place, sheet in zip(places, sheets, strict=False):
        part = cut_out(grey, place.quad)
        assert abs(part.shape[1] - sheet.shape[1]) < 80
        assert isinstance(reader.transcribe(PageImage("scan.jpg", 1, part)), Filed)


# One sheet over another, as under a camera that is held over a pile: (the lower sheet's middle, its turn)
TOP = (1400.0, 1700.0, 2.0)
CORNERS_SHOW = [(1407.0, 1728.0, 11.4), (1403.0, 1885.0, -3.4), (1540.0, 1489.0, -13.7), (1255.0, 1774.0, 5.9)]


@pytest.mark.parametrize("is_earlier", [False, True], ids=["another power's", "the same power's earlier sheet"])
@pytest.mark.parametrize("below", slow_after(1, CORNERS_SHOW, is_value=True))
def test_a_corner_that_shows_under_a_sheet_is_no_page(
    small: Bench, sheets: list[Grey], reader: SheetReader, below: tuple[float, float, float], is_earlier: bool
) -> None:
    other = small.written(small.request(9, phase="S1901R"), {2: ORDERS[0]}) if is_earlier else sheets[1]
    found = reader.every_sheet(PageImage("scan.jpg", 1, table([other, sheets[0]], [below, TOP], (2800, 3400))))
    parts = [part.outcome for part in found.parts] if isinstance(found, SeveralSheets) else [found]
    assert filed(tuple(parts)) == {"WM26-0001-C": [1]}
    for part in parts:
        assert isinstance(part, Filed | Unidentified)
        assert isinstance(part, Filed) or "WM26-0001-C" not in part.offers, part


def test_the_sheet_on_top_tells_of_a_corner_that_shows(sheets: list[Grey], reader: SheetReader) -> None:
    grey = table([sheets[1], sheets[0]], [CORNERS_SHOW[0], TOP], (2800, 3400))
    (top,) = read(reader, grey)
    assert isinstance(top, Filed)
    assert PictureFault.SHEET_UNDER in {told.code for told in top.warnings}


def test_of_a_sheet_under_another_nothing_is_read_and_a_person_is_told_which_it_is(
    sheets: list[Grey], reader: SheetReader
) -> None:
    grey = table([sheets[1], sheets[0]], [(2068.0, 1935.0, 5.0), TOP], (2800, 3400))
    found = read(reader, grey)
    assert filed(found) == {"WM26-0001-C": [1]}
    (other,) = (each for each in found if isinstance(each, Unidentified))
    assert other.offers == ("WM26-0002-A",)
    assert "another lies on it" in other.text


def test_of_a_pile_each_sheet_is_filed_once_at_most(small: Bench, sheets: list[Grey], reader: SheetReader) -> None:
    pile = [small.written(small.request(9, phase="S1901R"), {2: ORDERS[0]}), sheets[2], sheets[1], sheets[0]]
    grey = table(pile, [*CORNERS_SHOW[:3], TOP], (2800, 3400))
    assert filed(read(reader, grey)) == {"WM26-0001-C": [1]}


def test_two_whole_sheets_whose_margins_overlap_stay_two(sheets: list[Grey], reader: SheetReader) -> None:
    width = sheets[0].shape[1]
    grey = table([sheets[1], sheets[0]], [(700.0 + width - 30, 900.0, 0.0), (700.0, 900.0, 0.0)], (2600, 1800))
    assert filed(read(reader, grey)) == {"WM26-0001-C": [1], "WM26-0002-A": [1, 2]}

"""The test deck: two pages, laid out in millimetres, that test a printer and a scanner.

The first page is measured; the second is a sheet that somebody fills. Both have the markers and codes of real sheets.
"""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import FIRST_PHASE, Power
from pipeline.ink import Box
from pipeline.paper.sheet import PAPER_SIZES, Example, Examples, SheetId, SheetRequest, SheetTemplate
from pipeline.paper.sheet_layout import Form, PageLayout, place_fields
from pipeline.paper.target_layout import ID_MM, code_boxes, marker_boxes
from pipeline.problems import stop

CODE = "TESTDECK"  # events have codes of four letters: a page of the deck is never taken for a sheet
PAPERS = tuple(name.lower() for name in PAPER_SIZES)  # each has a deck, with two serials of its own
SLOT = 0
WRITER = Power.ENGLAND

GREYS = (0.0, 0.45, 0.65, 0.8, 1.0)  # brightness of the patches, 1 is white; the palest are like pencil
PENCIL = 3  # the palest patch that must still be told from paper
TICKED = frozenset({"fall", "1904"})
TO_COPY = (  # orders of England in Spring 1901, with all the letters that are confused most
    "F LON - NTH",
    "F EDI S F LON - NTH",
    "A LVP - YOR",
    "A LVP - WAL",
    "F EDI - NWG",
    "A LVP H",
)
IN_PENCIL = 5  # from this line on

BAND_MM = 6.0
STEP_MM, STEP_LONG_MM, STEP_PITCH_MM = 0.8, 3.0, 4.0  # blocks at the paper's edge: width, length, distance
RULER_MM = 100.0


class MeasurePage(Struct, frozen=True, kw_only=True):
    """Where everything is on the first page."""

    page: PageLayout
    patches: tuple[Box, ...]  # one for each of `GREYS`
    bands: tuple[Box, Box]  # black from edge to edge: a white line through both is dirt on the scanner's glass
    steps: Mapping[str, Mapping[int, Box]]  # edge of the paper -> mm from it -> a black block that begins there
    rulers: tuple[Box, Box]  # lines to lay a ruler on: across, and down


def _deck_id(template: SheetTemplate, page: int) -> SheetId:
    """The id of page 1 or 2 on one kind of paper.

    >>> from pipeline.small_files import data_folder
    >>> from pipeline.paper.load_sheet import read_template
    >>> str(_deck_id(read_template((data_folder("templates/sheets") / "a5.toml").read_text("utf-8"), "a5.toml"), 2))
    'TESTDECK-0004-H'
    """
    return SheetId(CODE, 2 * PAPERS.index(template.name.lower()) + page)


def measure_page(template: SheetTemplate) -> MeasurePage:
    """Lay out the first page on a template's paper."""
    width, height, head = template.width, template.height, template.header
    form = Form(
        width=width,
        height=height,
        markers=marker_boxes(template),
        codes=code_boxes(template),
        printed_id=Box(head.left - 1, head.id_y - 4, ID_MM, 5.5),
        bars=(),
        fields=(),
        guides=(),
    )
    top = head.fields_top + head.fields_height
    room = (width - 2 * head.left) / len(GREYS)
    patches = tuple(Box(head.left + n * room, top + 12.0, room - 3.0, 14.0) for n in range(len(GREYS)))
    ruler = top + 36.0
    return MeasurePage(
        page=PageLayout(page=1, sheet=str(_deck_id(template, 1)), slot=SLOT, board="", power="", phase="", form=form),
        patches=patches,
        bands=(Box(0.0, top, width, BAND_MM), Box(0.0, height - 45.0, width, BAND_MM)),
        steps=_stair_boxes(template),
        rulers=(Box(head.left, ruler, RULER_MM, 0.2), Box(width - head.left - 2.0, ruler - 8.0, 0.2, RULER_MM)),
    )


def _stair_boxes(template: SheetTemplate) -> dict[str, dict[int, Box]]:
    """Blocks like stairs at the middle of each edge, from 2 mm to where the markers begin."""
    width, height = template.width, template.height
    boxes: dict[str, dict[int, Box]] = {"left": {}, "right": {}, "top": {}, "bottom": {}}
    for number, away in enumerate(range(2, int(template.markers.margin))):
        along = number * STEP_PITCH_MM
        across, down = width / 2 - 10 + along, height / 2 + along
        boxes["left"][away] = Box(float(away), down, STEP_MM, STEP_LONG_MM)
        boxes["right"][away] = Box(width - away - STEP_MM, down, STEP_MM, STEP_LONG_MM)
        boxes["top"][away] = Box(across, float(away), STEP_LONG_MM, STEP_MM)
        boxes["bottom"][away] = Box(across, height - away - STEP_MM, STEP_LONG_MM, STEP_MM)
    return boxes


def written_request(template: SheetTemplate) -> SheetRequest:
    """Ask for the second page: a pad for beginners, whose examples are what to copy."""
    return SheetRequest(
        event=CODE,
        serial=_deck_id(template, 2).serial,
        title="Test deck",
        round=0,
        board="-",
        slot=SLOT,
        power=WRITER,
        phase=FIRST_PHASE,
        is_pad=True,
        for_beginners=True,
    )


def written_template(template: SheetTemplate) -> SheetTemplate:
    """The template of the second page: what to copy stands where the examples of orders would."""
    if template.beginners is None:
        raise stop("the test deck needs a table [beginners], as in a4.toml", template.name)
    half = IN_PENCIL - 1
    pen = tuple(Example(order, f"on line {n}") for n, order in enumerate(TO_COPY[:half], start=1))
    pencil = tuple(Example(order, f"on line {n}") for n, order in enumerate(TO_COPY[half:], start=IN_PENCIL))
    groups = (
        Examples("Copy with the pen your players will use", pen),
        Examples("Copy with a pencil", pencil),
        Examples("Tick Fall and 1904, sign, leave the other lines empty, and scan both pages", ()),
    )
    key = "Write as your players will write; the check shows what was read, line by line"
    return replace(template, beginners=replace(template.beginners, key=key, examples=groups))


def written_page(template: SheetTemplate) -> PageLayout:
    """Where everything is on the second page."""
    return place_fields(written_request(template), written_template(template), page=2)

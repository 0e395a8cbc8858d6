"""One sheet in two scans: what came on the paper between them is asked, however sure the other scan was."""

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from msgspec.structs import replace

from desk.cup import OPENINGS, clock, hand_in, inked, seated, spring
from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.intake.ingest import take_in
from pipeline.desk.ruling.desk import Desk, rule_by_number
from pipeline.desk.ruling.rows import PowerRows, Row
from pipeline.desk.ruling.rulings import RowDecision
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.ink import SPOILS, InkLine, InkReading, Note, Tier
from pipeline.paper.sheet_rows import Design
from pipeline.pen.filling import FieldMark, FieldPlace, Tick, fill
from pipeline.pen.hand import Hand
from pipeline.reading.engine import NetRecogniser
from pipeline.words.speech import sentence, sentences

ENGLAND = spring(Power.ENGLAND)
ORDERS = OPENINGS[Power.ENGLAND]
CLEAN = inked(1, ORDERS[0])
UNSURE = inked(1, ORDERS[0], Tier.ASKED)
DPI = 200


def england(event: Event) -> PowerRows:
    return Desk.of(event).power(find_game(event, "1"), Power.ENGLAND)


def first_row(event: Event, *scans: InkLine) -> Row:
    """England's first row, scanned so many times; the others are as clean in every scan."""
    for number, line in enumerate(scans):
        rows = [line, *(inked(row, order) for row, order in enumerate(ORDERS[1:], start=2))]
        hand_in(event, ENGLAND, rows, f"{number:064d}")
    return england(event).rows[0]


def noted(line: InkLine, *notes: Note) -> InkLine:
    return replace(line, notes=notes)


@pytest.mark.parametrize("note", sorted(SPOILS - {Note.HIDDEN}))
def test_a_row_that_is_spoilt_in_the_second_scan_is_asked_though_the_first_was_sure(event: Event, note: Note) -> None:
    row = first_row(event, CLEAN, noted(UNSURE, note))
    assert (row.needs_director, row.order) == (True, None)
    assert row.reason == sentences((note, Note.SCANS_DIFFER))


def test_a_row_that_was_spoilt_is_asked_though_the_second_scan_is_sure(event: Event) -> None:
    row = first_row(event, noted(UNSURE, Note.TORN, Note.FAINT_INK), noted(CLEAN, Note.FAINT_INK))
    assert row.needs_director
    assert row.reason == sentences((Note.TORN, Note.FAINT_INK, Note.SCANS_DIFFER))


def test_a_row_that_is_spoilt_in_every_scan_is_asked_and_its_scans_do_not_differ(event: Event) -> None:
    row = first_row(event, noted(UNSURE, Note.TWO_TICKS), noted(UNSURE, Note.FAINT_INK, Note.TWO_TICKS))
    assert row.needs_director
    assert row.reason == sentences((Note.TWO_TICKS, Note.FAINT_INK))


def test_of_two_scans_that_differ_a_third_is_no_judge(event: Event) -> None:
    other = inked(1, "F LON - ENG")
    assert first_row(event, other, CLEAN, CLEAN, other).needs_director


def test_a_scan_that_is_merely_unsure_gives_way_to_one_that_is_sure(event: Event) -> None:
    row = first_row(event, noted(CLEAN, Note.PARTLY_STRUCK), noted(UNSURE, Note.FAINT_INK))
    assert not row.needs_director
    assert row.flags == ("FAINT_INK",), "what the other scan shows is told"


def two_scans(folder: Path, design: Design, between: dict[FieldPlace, FieldMark], crossed: bool) -> list[Row]:
    """England's opening, scanned, then marked further or crossed out with a large X, and scanned again."""
    with open_event(seated(folder / "cup"), clock) as event:
        printed = print_round(event, 1, wish=PrintWish(design=design))
        number, page = next((n, p) for n, p in enumerate(printed.layout.pages) if p.power == "ENGLAND")
        with pypdfium2.PdfDocument(printed.pdf) as document:
            drawn = document[number].render(scale=DPI / 72, grayscale=True).to_numpy()
        blank = np.ascontiguousarray(drawn.reshape(drawn.shape[:2]), np.uint8)
        in_rows = sorted(ORDERS, key=lambda order: page.form.units.index(order[:5])) if page.form.units else ORDERS
        orders: dict[FieldPlace, FieldMark] = {("order", row): order for row, order in enumerate(in_rows, start=1)}
        files = [folder / "first.png", folder / "second.png"]
        for file, marks in zip(files, (orders, orders | between), strict=True):
            rng = np.random.default_rng(4)
            paper = fill(blank, page.as_json(), marks, Hand.from_seed(3, neatness=0.95), rng)
            if crossed and file is files[1]:
                for left, right in ((110, 175), (175, 110)):  # mm
                    top, bottom = (
                        (round(x * DPI / 25.4), round(y * DPI / 25.4)) for x, y in ((left, 50), (right, 100))
                    )
                    cv2.line(paper, top, bottom, 40, 4, cv2.LINE_AA)
            cv2.imwrite(str(file), paper)
        take_in(event, files[:1], NetRecogniser(), lambda _: None)
        assert not any(row.needs_director for row in england(event).rows), "a plain hand is read alone"
        take_in(event, files[1:], NetRecogniser(), lambda _: None)
        return list(england(event).rows)


def test_a_sheet_crossed_out_after_it_was_scanned_is_asked_row_by_row(tmp_path: Path) -> None:
    rows = two_scans(tmp_path, Design.LINE, {}, crossed=True)
    assert [(row.line, row.needs_director) for row in rows[:3]] == [(1, True), (2, True), (3, True)]


def test_a_box_ticked_after_the_sheet_was_scanned_is_asked(tmp_path: Path) -> None:
    rows = two_scans(tmp_path, Design.TARGETS, {("H", 1): Tick(), ("H", 3): Tick()}, crossed=False)
    assert [(row.line, row.needs_director) for row in rows] == [(1, True), (2, False), (3, True)]


def test_a_row_that_was_cut_off_is_what_the_next_scan_of_the_whole_sheet_shows(event: Event) -> None:
    cut_off = noted(inked(1, "", Tier.ASKED), Note.HIDDEN)
    row = first_row(event, cut_off)
    assert (row.needs_director, row.reason) == (True, sentence(Note.HIDDEN))
    row = first_row(event, cut_off, CLEAN)
    assert (row.needs_director, row.ink) == (False, ORDERS[0])


def test_a_row_that_is_painted_over_since_the_first_scan_is_asked(event: Event) -> None:
    assert first_row(event, CLEAN, noted(inked(1, "", Tier.ASKED), Note.HIDDEN)).needs_director


def part_hidden(*readings: tuple[str, float], notes: tuple[Note, ...] = (Note.HIDDEN,)) -> InkLine:
    """The first row with part of it hidden: what is left of it was read so."""
    line = inked(1, "x", Tier.ASKED)
    return replace(line, readings=tuple(InkReading(*reading) for reading in readings), notes=notes)


@pytest.mark.parametrize(
    ("cut_off", "is_asked"),
    [
        (part_hidden((ORDERS[0], 0.99)), False),
        (part_hidden(("F LON H", 0.01), ("FLON - N", 0.99)), False),  # the best reading makes an order of what is left
        (part_hidden(("F LON - NTH", 0.01), ("F LON - E", 0.99)), True),
        (part_hidden((ORDERS[0], 0.99), notes=(Note.HIDDEN, Note.PARTLY_STRUCK)), True),
    ],
)
def test_a_row_of_which_part_was_cut_off_is_what_the_whole_scan_shows_unless_other_ink_was_seen(
    event: Event, cut_off: InkLine, is_asked: bool
) -> None:
    assert first_row(event, cut_off).needs_director
    row = first_row(event, cut_off, CLEAN)
    assert (row.needs_director, row.order is None) == (is_asked, is_asked)


@pytest.mark.parametrize(
    ("cut_off", "is_asked"),
    [
        (part_hidden((ORDERS[0], 0.99)), False),
        (part_hidden((ORDERS[0], 0.01), ("F LON - N", 0.99)), True),  # the rest may be painted over since
        (part_hidden((ORDERS[0], 0.78), ("F LON - NT", 0.2)), True),  # however sure the reader is of the order
        (part_hidden((ORDERS[0], 0.99), notes=(Note.HIDDEN, Note.PARTLY_STRUCK)), True),
    ],
)
def test_a_row_is_what_the_whole_scan_showed_if_the_one_that_is_cut_off_shows_all_of_its_ink(
    event: Event, cut_off: InkLine, is_asked: bool
) -> None:
    assert first_row(event, CLEAN, cut_off).needs_director == is_asked


def test_a_ruling_on_a_row_that_was_cut_off_does_not_hold_where_the_whole_scan_shows_it_struck_out(
    event: Event,
) -> None:
    first_row(event, part_hidden((ORDERS[0], 0.99)))
    rule_by_number(event, ENGLAND, 1, RowDecision(text=ORDERS[0]), "Tess")
    assert not england(event).rows[0].needs_director
    assert first_row(event, part_hidden((ORDERS[0], 0.99)), noted(UNSURE, Note.STRUCK_OUT)).needs_director


def test_a_ruling_on_a_row_holds_where_a_later_scan_cuts_it_off_and_shows_the_same_ink(event: Event) -> None:
    first_row(event, UNSURE)
    rule_by_number(event, ENGLAND, 1, RowDecision(text=ORDERS[0]), "Tess")
    assert not first_row(event, UNSURE, part_hidden((ORDERS[0], 0.99))).needs_director

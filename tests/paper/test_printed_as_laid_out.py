"""What is printed on a sheet is read back from its PDF: each word is where the layout has room, and on nothing else."""

import ctypes
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pypdfium2
import pytest
from msgspec.structs import replace
from paper import rows_of
from paper.drawn import DPI, PER_MM, picture
from paper.test_target_layout import MANY, winter

from pipeline.board import Step
from pipeline.ink import Box
from pipeline.paper import deck_layout, sheet_rows
from pipeline.paper.load_sheet import read_template, translate_template
from pipeline.paper.printed_deck import print_deck
from pipeline.paper.printed_sheet import LEGENDS, SHORT_LEGENDS, print_sheets
from pipeline.paper.sheet import SheetRequest, SheetTemplate
from pipeline.paper.sheet_layout import PageLayout, layout
from pipeline.paper.sheet_rows import Design
from pipeline.paper.target_layout import GREY, round_box
from pipeline.words.speech import Speech

MM = 25.4 / 72
LIVE = "https://moot.example"
TAIL_MM = 0.5  # letters may hang so far below the lowest line
HAIR_MM = 0.15  # rectangles of letters reach a little beyond what is printed
Words = list[tuple[str, Box]]


def words_on(pdf: bytes, page: int = 0) -> Words:
    """The texts of a page, each with the box of its letters in millimetres from the top left."""
    with pypdfium2.PdfDocument(pdf) as document:
        height, found = document[page].get_height(), document[page].get_textpage()
        boxes = [found.get_rect(n) for n in range(found.count_rects())]
        return [
            (
                found.get_text_bounded(left, low, right, high).strip(),
                Box(left * MM, (height - high) * MM, (right - left) * MM, (high - low) * MM),
            )
            for left, low, right, high in boxes
        ]


def sizes_of(pdf: bytes) -> list[tuple[float, float]]:
    """Width and height of each page in millimetres."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [(page.get_width() * MM, page.get_height() * MM) for page in document]


def greys_on(pdf: bytes, page: int = 0) -> dict[str, set[float]]:
    """How grey the letters of each text of a page are: 0 is black, 1 is white."""
    greys: dict[str, set[float]] = {}
    red, *others = [ctypes.c_uint() for _ in range(4)]
    with pypdfium2.PdfDocument(pdf) as document:
        found = document[page].get_textpage()
        for n in range(found.count_rects()):
            left, low, right, high = found.get_rect(n)
            text = found.get_text_bounded(left, low, right, high).strip()
            first = pypdfium2.raw.FPDFText_GetCharIndexAtPos(found, left + 1, (low + high) / 2, 3, 3)
            assert pypdfium2.raw.FPDFText_GetFillColor(found, first, red, *others), text
            greys.setdefault(text, set()).add(round(red.value / 255, 2))
    return greys


def meet(one: Box, other: Box, by: float = HAIR_MM) -> bool:
    across = min(one.right, other.right) - max(one.left, other.left)
    return across > by and min(one.bottom, other.bottom) - max(one.top, other.top) > by


def check_page(wanted: SheetRequest, sheet: SheetTemplate) -> tuple[Words, PageLayout]:
    """Check that no text lies on another, on a place to write in, on a mark, on dots or off the paper; and its grey."""
    pdf, page = print_sheets([wanted], sheet), layout([wanted], sheet).pages[0]
    words, form, edge = words_on(pdf), page.form, sheet.markers.margin - HAIR_MM
    assert sizes_of(pdf) == [pytest.approx((sheet.width, sheet.height), abs=0.1)]
    kept = [*form.marks, *(bar for pair in form.bars for bar in pair)]
    kept += [field.box for field in form.to_fill if field.name != "player"]
    kept += [box_of(line) for line in form.edges]
    for text, box in words:
        assert min(box.left, box.top) >= edge, text
        assert box.right <= form.width - edge, text
        assert box.bottom <= form.height - edge + TAIL_MM, text
        assert not [other for other in kept if meet(box, other)], text
    for (text, box), (word, other) in combinations(words, 2):
        assert not meet(box, other), (text, word)
    assert [text for text, box in words if meet(box, form.printed_id, 1.0)] == [page.sheet]
    for guide in form.guides:
        assert guide.dots[0] == guide.left
        assert guide.right - guide.pitch < guide.dots[-1] <= guide.right + 1e-6
    helps = [sheet.words.player, sheet.words.signature, sheet.words.capitals, " ".join(sheet.words.alphabet)]
    helps += [*(str(row.row) for row in form.rows), *sheet.words.how(wanted.phase.step)]
    greys = {**dict.fromkeys(helps, GREY), page.sheet: 0.0, **dict.fromkeys(filter(None, [wanted.player]), 0.0)}
    greys |= {type_.text: type_.grey for type_ in form.box_layout.type}
    greys |= {word.text: word.grey for cell in form.cells for word in cell.words}
    seen = greys_on(pdf)
    assert {text: grey for text, grey in greys.items() if seen.get(text, {grey}) != {grey}} == {}
    assert len(greys.keys() & seen.keys()) > len(form.rows) + 2
    return words, page


def box_of(line: sheet_rows.Stippled) -> Box:
    """What the dots of a line reach, with a little around it."""
    (left, top), (right, bottom) = line.ends
    return Box(left - HAIR_MM, top - HAIR_MM, right - left + 2 * HAIR_MM, bottom - top + 2 * HAIR_MM)


def right_of(words: Words, box: Box, most: float = 3.0) -> str:
    """What stands to the right of a box, at its height."""
    near = [(w.left, text) for text, w in words if 0 < w.left - box.right < most and meet_across(w, box)]
    return min(near)[1] if near else ""


def left_of(words: Words, box: Box, most: float = 3.0) -> str:
    near = [(w.right, text) for text, w in words if 0 < box.left - w.right < most and meet_across(w, box)]
    return max(near)[1] if near else ""


def meet_across(one: Box, other: Box) -> bool:
    return min(one.bottom, other.bottom) - max(one.top, other.top) > 0.5 * min(one.height, other.height)


@pytest.mark.parametrize("paper", rows_of.PAPERS)
@pytest.mark.parametrize(("is_pad", "for_beginners"), [(False, False), (True, False), (True, True), (False, True)])
def test_a_sheet_of_lines_has_its_numbers_words_and_years_where_they_belong(
    paper: str, is_pad: bool, for_beginners: bool
) -> None:
    sheet = rows_of.template(paper)
    for phase in ("S1901M", "F1901R", "W1901A"):
        wanted = rows_of.request(phase, is_pad=is_pad, for_beginners=for_beginners, player="" if is_pad else "Ann Łé")
        words, page = check_page(wanted, sheet)
        rows = page.form.rows
        assert [left_of(words, row.box) for row in rows] == [str(n) for n in range(1, len(rows) + 1)]
        seasons = [] if phase == "W1901A" else ["Spring", "Fall"]
        years = [str(year) for year in range(1901, 1901 + sheet.pad.years)]
        assert [right_of(words, tick.box) for tick in page.form.ticks] == (seasons + years if is_pad else [])
        assert [tick.name for tick in page.form.ticks] == ([s.lower() for s in seasons] + years if is_pad else [])
        pitches = {round(after.box.top - before.box.top, 3) for before, after in pairwise(rows)}
        assert len(pitches) == 1
        for row, guide, (left, right) in zip(rows, page.form.guides[2:], page.form.bars, strict=True):
            assert row.box.top < guide.y < row.box.bottom
            assert (guide.left, guide.right) == (row.box.left, row.box.right)
            assert left.top == right.top
            middle = row.box.top + row.box.height / 2
            assert abs(left.top + left.height / 2 - middle) < row.box.height
        player = page.form.field("player")
        assert player is not None
        assert [text for text, box in words if meet(box, player.box)] == ([] if is_pad else ["Ann Łé"])


@pytest.mark.parametrize("language", ["de", "fr"])
@pytest.mark.parametrize("paper", rows_of.PAPERS)
def test_so_are_the_words_of_other_languages(paper: str, language: str) -> None:
    sheet = read_template(translate_template(rows_of.text_of(paper), Speech(language)), f"{paper}.toml")
    lines = [rows_of.request(phase, is_pad=phase == "S1901M") for phase in ("S1901M", "F1901R", "W1901A")]
    for wanted in (*lines, *sheets_of_blocks().values()):
        check_page(wanted, sheet)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("paper", rows_of.PAPERS)
def test_what_to_do_in_the_free_rows_has_room_and_is_black_and_as_large_as_one_can_read(
    paper: str, language: str
) -> None:
    speech = Speech(language)
    sheet = read_template(translate_template(rows_of.text_of(paper), speech), f"{paper}.toml")
    with_coasts = rows_of.targets(units=("A GAS", "F MAO", "A RUM", "F CON"))
    for wanted, live in product((with_coasts, *sheets_of_blocks().values()), ("", LIVE)):
        words, page = check_page(shown := replace(wanted, live=live), sheet)
        free = ", ".join(str(row.row) for row in page.form.rows if not page.form.has_targets(row.row or 0))
        whole, step = " ".join(text for text, _ in words), wanted.phase.step
        long = speech.says(LEGENDS[step], rows=free)
        said = [long, f"{free}: {speech.says(SHORT_LEGENDS[step])}."][long not in whole :]
        assert said[0] in whole
        assert len(said) == 2 or paper in ("a5", "half_letter")
        mine = {text: box.height for text, box in words if text in said[0] and len(text) > 30}  # whole lines
        assert min(mine.values()) >= 6.5 * 0.72 * MM
        greys = greys_on(print_sheets([shown], sheet))
        assert {text: greys[text] for text in mine if greys[text] != {0.0}} == {}


@pytest.mark.parametrize("paper", rows_of.PAPERS)
@pytest.mark.parametrize("design", list(Design))
def test_long_names_a_pool_an_address_and_examples_have_room_for_what_they_say(paper: str, design: Design) -> None:
    sheet = rows_of.template(paper)
    long = {"player": "Max " * 30, "pool": "New", "title": "The World Championship " * 9}
    kinds: list[dict[str, Any]] = [{"live": LIVE}, long | {"live": LIVE}, long | {"is_pad": True}]
    kinds += [{"for_beginners": True, "live": LIVE}] if design is Design.LINE and sheet.beginners else []
    for phase, kind in product(("S1901M", "F1901R", "W1901A"), kinds):
        wanted = rows_of.request(phase, **kind, parts=2, design=design)
        words, page = check_page(wanted, sheet)
        said = {text for text, _ in words}
        groups = sheet.beginners.examples_for(wanted.phase.step) if sheet.beginners and wanted.for_beginners else ()
        assert {example.order for group in groups for example in group.lines} <= said
        whole = " ".join(said)
        for word in (page.sheet, "sheet 1 of 2", "Board 1", "FRANCE", *([f"{LIVE}/live"] if wanted.live else [])):
            assert word in whole, word
        assert page.form.live is None or not any(meet(box, page.form.live, 0.0) for _, box in words)


@pytest.mark.parametrize("paper", [paper for paper in rows_of.PAPERS if rows_of.template(paper).beginners])
def test_the_examples_stand_line_below_line_in_two_columns_and_long_ones_stay_on_the_paper(paper: str) -> None:
    sheet = rows_of.template(paper)
    given = sheet.beginners
    assert given is not None
    long = tuple(
        replace(group, heading="Heads " * 40, lines=tuple(replace(line, meaning="says " * 60) for line in group.lines))
        for group in given.examples
    )
    too_long = replace(sheet, beginners=replace(given, key="letters " * 50, examples=long))
    check_page(rows_of.request("S1901M", for_beginners=True), too_long)
    for phase in ("S1901M", "F1901R", "W1901A"):
        wanted = rows_of.request(phase, for_beginners=True)
        words, page = check_page(wanted, sheet)
        lines = [(given.key, "")]
        for group in given.examples_for(wanted.phase.step):
            lines += [(group.heading, ""), *((one.order, one.meaning) for one in group.lines)]
        first = page.form.rows[-1].box.bottom + given.gap
        for place, line in enumerate(lines):
            base = first + place * given.leading
            for text, left in zip(line, (given.left, given.meaning_left), strict=True):
                same = " ".join(text.split())
                near = [box for word, box in words if word == same and box.top < base < box.bottom + 1]
                assert not text or near[0].left == pytest.approx(left, abs=0.6), text


def sheets_of_blocks() -> dict[str, SheetRequest]:
    return {
        "many": rows_of.targets(units=MANY),
        "few": rows_of.targets(units=MANY[:3]),
        "retreats": rows_of.targets("F1901R", units=MANY[:5]),
        "builds": winter(),
        "removals": winter(is_removal=True),
    }


@pytest.mark.parametrize("paper", rows_of.PAPERS)
@pytest.mark.parametrize("kind", ["many", "few", "retreats", "builds", "removals"])
def test_on_a_sheet_of_blocks_every_word_is_printed_in_its_room(paper: str, kind: str) -> None:
    wanted, sheet = sheets_of_blocks()[kind], rows_of.template(paper)
    words, page = check_page(wanted, sheet)
    form, measures = page.form, sheet.target_measures
    for type_ in (*form.box_layout.type, *(word for cell in form.cells for word in cell.words)):
        room = type_.box
        inside = [
            text
            for text, box in words
            if box.top >= room.top - HAIR_MM and box.bottom <= room.bottom + HAIR_MM and meet(box, room)
        ]
        assert any(type_.text in text for text in inside), (type_, inside)
    for cell in form.cells:
        if cell.words:
            assert right_of(words, cell.box).startswith(cell.words[0].text.split()[0]) or len(cell.words) > 1, cell.name
    assert all(measures.top <= bar.top < bar.bottom < measures.bottom for pair in form.bars for bar in pair)
    rows = form.parting.rows if form.parting else ()
    check_rows(rows, measures, wanted, {g.y for g in form.guides[2:]})
    step = wanted.phase.step
    between = len(sheet_rows.GROUPS[step]) - 1 if step is not Step.ADJUSTMENTS else 0
    parted = Counter(rule.top for rule in form.box_layout.rules)
    assert set(parted.values()) == {between} - {0}, "each group of columns is parted from the next, in every line"


def check_rows(
    rows: Sequence[sheet_rows.LaidRow], measures: sheet_rows.TargetMeasures, wanted: SheetRequest, dotted: set[float]
) -> None:
    """Rows follow one another without a gap but the one that is left; each line of them ends on its dots."""
    step = wanted.phase.step
    high, of_units, _ = sheet_rows.share_of(measures, step, len(wanted.units), 1)
    ends, top = [], measures.top
    for row in rows:
        count = measures.lines_on(step)
        heights = (
            [measures.above + (high - measures.above) / count, *[(high - measures.above) / count] * (count - 1)]
            if row.number in of_units
            else [measures.ticks, measures.writing]
        )
        assert len(row.lines) == len(heights)
        for height, line in zip(heights, row.lines, strict=True):
            top += height
            ends.append(round(top - 0.8, 3))  # so far above the edge are the dots
            assert line.right == measures.right
        assert row.box.top == row.lines[0].top
        assert row.box.bottom == pytest.approx(row.lines[-1].bottom, abs=2e-3)
        assert row.box.bottom == pytest.approx(ends[-1] + 0.3, abs=2e-3)
    for row, below in pairwise(rows):
        assert below.box.top - row.box.bottom == pytest.approx(0.4, abs=2e-3)
    assert sorted(dotted) == pytest.approx(ends, abs=2e-3)
    assert top <= measures.bottom + 0.01


# --- the test deck --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", deck_layout.PAPERS)
def test_the_first_page_of_the_test_deck_says_how_and_can_be_measured(paper: str) -> None:
    sheet = rows_of.template(paper)
    pdf, deck = print_deck(sheet), deck_layout.measure_page(sheet)
    words = words_on(pdf)
    texts = [text for text, _ in words]
    assert texts[:3] == ["TEST DECK", f"Printer and scanner · {sheet.name}", deck.page.sheet]
    assert texts[3:8] == ["0%", "20%", "35%", "55%", "100%"][::-1]
    assert texts[8] == "100 mm, and so is the line down"
    steps = [text.partition("  ")[0].split()[0] for text in texts[9:]]
    assert steps == ["1", "2", "3", "4"]
    for text, ends in zip(texts[9:], ("of the event.", "100 mm long.", "will be scanned.", "mend it."), strict=True):
        assert text.endswith((ends, "…")), text
    for (text, box), (word, other) in combinations(words, 2):
        assert not meet(box, other), (text, word)
    for patch, (text, box) in zip(deck.patches, words[3:8], strict=True):
        assert 0 < box.top - patch.bottom < 4.0, text
        assert box.left == pytest.approx(patch.left, abs=0.5)
    shown = picture(pdf)
    for grey, patch in zip(deck_layout.GREYS, deck.patches, strict=True):
        part = shown[spots(patch.top, patch.bottom), spots(patch.left, patch.right)]
        assert float(np.median(part)) == pytest.approx(255 * grey, abs=3)
    across, down = deck.rulers
    line = shown[round((across.top + 0.1) * PER_MM), spots(across.left - 2, across.right + 2, 0)] < 128
    assert line.sum() / PER_MM == pytest.approx(100, abs=0.4)
    line = shown[spots(down.top - 2, down.bottom + 2, 0), round((down.left + 0.1) * PER_MM)] < 128
    assert line.sum() / PER_MM == pytest.approx(100, abs=0.4)
    for box in (*deck.bands, *(each for blocks in deck.steps.values() for each in blocks.values())):
        rows, columns = spots(box.top, box.bottom, 0.1), spots(box.left, box.right, 0.1)
        assert shown[rows, columns].max() < 60, box


def spots(start: float, end: float, off: float = 0.6) -> slice:
    """The rows or columns of the picture between two places in mm."""
    return slice(round((start + off) * DPI / 25.4), round((end - off) * DPI / 25.4))


def test_places_are_told_to_the_micrometre() -> None:
    assert round_box(*[2 / 3] * 4) == Box(*[0.667] * 4)


def test_there_is_a_sheet_of_blocks_of_each_step() -> None:
    assert {wanted.phase.step for wanted in sheets_of_blocks().values()} == set(Step)

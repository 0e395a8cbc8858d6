"""Whatever is printed to hang up or to stand on a table: no word is cut, lost, crossed by a line or by another word."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from pipeline.paper import printed_card, printed_list
from pipeline.paper.lettering import BOLD, REGULAR, draw_text, paper_points, width_in_points
from pipeline.paper.printed_card import Card, CardLine
from pipeline.paper.printed_list import SeatBlock, SeatPart, SignCard
from pipeline.paper.wall_page import WallChart, WallColumn, WallLine, WallPage, WallRow
from pipeline.words.speech import Speech

Box = tuple[float, float, float, float]  # left, low, right, high, in points of the page as it lies
Page = tuple[list[tuple[str, Box]], list[Box], tuple[float, float]]  # words, lines, width and height
Look = tuple[Any, str]  # how grey a text is, or its colour, and its font
PAPERS = ("A4", "LETTER")
NAMES = st.text("abcdefghijklmnopqrstuvwxyz -", min_size=1, max_size=40).map(lambda text: f"N{text.strip()}e")
FEW_OR_MANY = st.sampled_from([1, 2, 3, 4, 7, 16, 40])
SOME = settings(max_examples=15, deadline=None)


def printed_pages(
    print_it: Callable[[], Any], looks: dict[str, set[Look]] | None = None, grounds: list[list[Box]] | None = None
) -> list[Page]:
    """What ``print_it`` draws: the words and lines of each page, and its size.

    ``looks`` is told the look of each text, and under "" that of all lines: their grey or colour, and their width;
    ``grounds`` what is filled on each page.
    """
    pages: list[Page] = []
    words: list[tuple[str, Box]] = []
    lines: list[Box] = []

    def note_look(text: str, ink: Any, kind: str) -> None:
        if looks is not None:
            looks.setdefault(text, set()).add((ink, kind))

    def note_text(canvas: Canvas, x: float, y: float, text: str, font: str, size: float, align: float = 0.0) -> None:
        wide = width_in_points(text, font, size)
        if text:
            note_look(text, ink_of(canvas._fillColorObj), font)
            words.append((text, placed(canvas, x - align * wide, y, x + (1 - align) * wide, y + 0.5 * size)))
        draw_text(canvas, x, y, text, font, size, align)

    def note_line(canvas: Canvas, *ends: float) -> None:
        lines.append(placed(canvas, *ends))
        note_look("", ink_of(canvas._strokeColorObj), f"{canvas._lineWidth:g}")
        line(canvas, *ends)

    def note_rect(canvas: Canvas, x: float, y: float, wide: float, tall: float, **how: Any) -> None:
        if how.get("fill"):
            filled.append(placed(canvas, x, y, x + wide, y + tall))
        else:
            note_look("", ink_of(canvas._strokeColorObj), f"{canvas._lineWidth:g}")
        rect(canvas, x, y, wide, tall, **how)

    def note_page(canvas: Canvas) -> None:
        if grounds is not None:
            grounds.append(filled.copy())
        filled.clear()
        pages.append((words.copy(), lines.copy(), tuple(canvas._pagesize)))
        words.clear()
        lines.clear()
        show_page(canvas)

    filled: list[Box] = []
    line, rect, show_page = Canvas.line, Canvas.rect, Canvas.showPage
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(printed_list, "draw_text", note_text)
        patch.setattr(printed_card, "draw_text", note_text)
        patch.setattr(Canvas, "line", note_line)
        patch.setattr(Canvas, "rect", note_rect)
        patch.setattr(Canvas, "showPage", note_page)
        print_it()
    assert not words
    return pages


def placed(canvas: Canvas, left: float, low: float, right: float, high: float) -> Box:
    """Where a box lies on the page."""
    one, other = canvas.absolutePosition(left, low), canvas.absolutePosition(right, high)
    return min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1])


def ink_of(colour: Any) -> Any:
    """How grey it is, or its colour."""
    return colour[0] if isinstance(colour, tuple) else colour.hexval()[2:].upper()


def meet(one: Box, other: Box) -> bool:
    """Whether two boxes overlap by more than a hair."""
    return all(min(one[n + 2], other[n + 2]) - max(one[n], other[n]) > -0.01 for n in (0, 1))


def check_pages(pages: Sequence[Page], edge: float, smallest: float = 0.0) -> list[str]:
    """Check that nothing is on anything else or off the page; gives all words in the order in which they stand."""
    assert pages
    for words, lines, (width, height) in pages:
        assert words
        for text, (left, low, right, high) in words:
            assert edge - 0.2 <= left, text
            assert right <= width - edge + 0.2, text
            assert edge - 0.2 <= low, text
            assert high <= height - edge, text
            assert 2 * (high - low) >= smallest, text
        for (text, box), (word, other) in combinations(words, 2):
            assert not meet(box, other), (text, word)
        for text, box in words:
            assert not any(meet(box, each) for each in lines), text
        for line in lines:
            assert min(line) >= 0, line
            assert line[2] <= width + 0.01, line
            assert line[3] <= height, line
    return [text for words, _, _ in pages for text, _ in words]


def check_ground_of_first(pages: Sequence[Page], grounds: Sequence[Sequence[Box]]) -> None:
    """Each row of P0 lies on a ground of its own, from edge to edge, and nothing else does."""
    for (words, _, (width, _)), filled in zip(pages, grounds, strict=True):
        firsts = [box for text, box in words if text == "P0"]
        assert len(firsts) == len(filled)
        for first, ground in zip(firsts, filled, strict=True):
            assert (ground[0], ground[2]) == pytest.approx((printed_list.MARGIN, width - printed_list.MARGIN))
            beside = {text for text, box in words if meet(box, ground)}
            assert beside >= {text for text, box in words if box[1] == first[1]} >= {"P0"}
            assert not any(text.startswith("P") for text in beside - {"P0"})


@given(st.sampled_from(PAPERS), st.lists(NAMES, min_size=8, max_size=8), FEW_OR_MANY, st.booleans())
@SOME
def test_every_seat_is_on_the_list_once(paper: str, names: list[str], boards: int, has_heads: bool) -> None:
    blocks = [
        SeatBlock(f"Board {n}" if has_heads else "", tuple((name, f"{n}.{at}") for at, name in enumerate(names)))
        for n in range(boards)
    ]
    parts = [SeatPart("Round 1", tuple(blocks))] * 2
    looks: dict[str, set[Look]] = {}
    pages = printed_pages(lambda: printed_list.print_seats(parts, paper, "cup", "en"), looks)
    assert looks.pop("") == {(printed_list.HAIR, "1")}
    assert looks == {text: {(0, REGULAR if text in names else BOLD)} for text in looks}
    found = check_pages(pages, 14 * 72 / 25.4, 8.0 if max(map(len, names)) < 25 else 4.0)
    wanted = [text for block in blocks for text in (block.heading, *(part for line in block.lines for part in line))]
    assert [text for text in found if text != "Round 1"] == [*filter(None, wanted)] * 2
    for (_, title), (_, first), *_ in (words for words, _, _ in pages):
        assert (first[0], first[1] < title[1]) == (title[0], True), "each page begins at its left edge"
    assert boards > 4 or len(pages) == 2, "letters become smaller before a second page is begun"


@pytest.mark.parametrize(("players", "letters"), [(20, 1), (45, 1), (60, 1), (8, 40), (12, 30), (30, 40)])
@pytest.mark.parametrize("paper", PAPERS)
def test_the_letters_of_a_list_of_players_are_as_large_as_the_page_holds(
    paper: str, players: int, letters: int
) -> None:
    lines = tuple(SeatBlock("", (("N" * letters + f"{n:02}", f"1.{n:02}"),)) for n in range(players))
    ((words, _, (width, _)),) = printed_pages(
        lambda: printed_list.print_seats([SeatPart("R", lines)], paper, "cup", "en")
    )
    _, *ends = [box for _, box in words]
    size, most = 2 * (ends[0][3] - ends[0][1]), printed_list.LARGEST
    in_column = sum(box[0] == ends[0][0] for box in ends)
    lows = [low for left, low, *_ in ends if left == ends[0][0]]
    assert [above - below for above, below in pairwise(lows)] == pytest.approx(
        [printed_list.LEADING * size] * (in_column - 1)
    )
    # the head may be longer; one line more; all lines half a point larger
    kept = 1.4 * most + printed_list.LEADING * (size + in_column * 0.5)
    assert in_column >= players // 2
    is_wide = max(right for _, _, right, _ in ends) > width - printed_list.MARGIN - 1
    assert size == most or is_wide or min(low for _, low, _, _ in ends) - printed_list.MARGIN < kept


@given(
    st.sampled_from(PAPERS),
    st.lists(st.tuples(NAMES, st.lists(st.floats(-9, 400), min_size=1, max_size=6)), min_size=1, max_size=9),
    st.integers(0, 30),
    st.sampled_from([0, 3, 40]),
)
@SOME
def test_tables_and_charts_are_whole(paper: str, lines: Any, rows: int, columns: int) -> None:
    names = [f"{name} {n}" for n, (name, _) in enumerate(lines)]
    chart = WallChart(
        tuple(f"R{n}" for n in range(1, 7)),
        tuple(WallLine(name, tuple(values)) for name, (_, values) in zip(names, lines, strict=True)),
    )
    further = tuple(WallColumn(head=f"A long head {n}", is_number=True) for n in range(columns))
    cells = [f"{n}.25" for n in range(columns)]
    page = WallPage(
        name="standings",
        title="Standings",
        subtitle="after round 3",
        columns=(WallColumn(head="Player", is_key=True), WallColumn(head="Why", is_long=True), *further),
        rows=tuple(
            WallRow((f"P{n}", "nothing known of it " * (n % 4), *cells), is_first=not n, is_heading=n == 5)
            for n in range(rows)
        ),
        notes=("A note that is long enough to go on in a second line of the page, where there is room. " * 3,),
        chart=chart,
    )
    looks: dict[str, set[Look]] = {}
    grounds: list[list[Box]] = []
    pages = printed_pages(lambda: printed_list.print_wall([page], paper, "cup", Speech("en")), looks, grounds)
    found = check_pages(pages, 7 * 72 / 25.4 - 0.5, 8.0)
    check_ground_of_first(pages, grounds)
    colours = {name: printed_list.LINE_COLOURS[n % 8] for n, name in enumerate(names)}
    grey = {
        text for text in looks if text in page.subtitle or text in page.notes[0] or text.startswith(("cup", "page"))
    }
    bold = {page.title, *names, *(row.cells[0] for row in page.rows), *(column.head for column in page.columns)}
    drawn = {(colours[line.name], "2.5") for line in chart.lines if len(line.values) > 1}
    assert looks.pop("") == {(0, "1"), (printed_list.HAIR, "1")} | drawn
    assert looks == {
        text: {(colours.get(text, printed_list.GREY if text in grey else 0), BOLD if text in bold else REGULAR)}
        for text in looks
    }
    words, _, (width, height) = pages[-1]
    assert width > height
    assert [text for text, _ in words if text in chart.steps] == [*chart.steps]
    assert sorted(text for text, _ in words if text in names) == sorted(names)
    keys = [text for text in found if text in {row.cells[0] for row in page.rows}]
    parts = [keys[at : at + rows] for at in range(0, len(keys), rows or 1)]
    assert parts == [[row.cells[0] for row in page.rows]] * len(parts), "each part has the keys of all rows"
    assert (len(parts) > 1) is (columns > 20 and rows > 0)
    assert all(found.count(cell) == rows - (rows > 5) for cell in cells)
    if columns < 20 and rows < 10:
        assert len(pages) == 2, "a table that fits on a page is on one"


@given(st.sampled_from(PAPERS), st.lists(st.tuples(NAMES, NAMES, NAMES), min_size=1, max_size=11))
@SOME
def test_cards_and_badges_show_every_name(paper: str, texts: list[tuple[str, str, str]]) -> None:
    cards = [SignCard(f"{name}1", f"{above}2", f"{below}3") for name, above, below in texts]
    for print_it, often in ((printed_list.print_place_cards, 2), (printed_list.print_badges, 1)):
        looks: dict[str, set[Look]] = {}
        pages = printed_pages(partial(print_it, cards, paper, "cup", "en"), looks)
        assert looks.pop("") == {(printed_list.GREY if often == 2 else printed_list.HAIR, "1")}
        small = {text for card in cards for text in (card.above, card.below)}
        assert looks == {text: {(printed_list.GREY, REGULAR) if text in small else (0, BOLD)} for text in looks}
        found = "".join(check_pages(pages, 4 * 72 / 25.4))
        assert len(pages) == (len(cards) + 1) // 2 if often == 2 else (len(cards) + 9) // 10
        for _, lines, (width, _) in pages if often == 2 else ():
            assert len(lines) % 4 == 0 < len(lines), "marks at both edges where it is folded and cut"
            assert {left < width / 2 for left, *_ in lines} == {True, False}
        shown = found.replace(" ", "")
        for text in {text for card in cards for text in (card.name, card.above, card.below)}:
            assert shown.count(text.replace(" ", "")) >= often, text


@given(st.sampled_from(PAPERS), st.integers(1, 120))
@SOME
def test_a_notice_is_as_large_as_the_page_holds(paper: str, count: int) -> None:
    text = " ".join(["Round three begins at ten"] * count)
    looks: dict[str, set[Look]] = {}
    pages = printed_pages(lambda: printed_list.print_notice(text, paper, "cup", "en"), looks)
    assert {look for found in looks.values() for look in found} == {(0, BOLD)}
    assert " ".join(check_pages(pages, 14 * 72 / 25.4, 8.0)) == text
    words, _, (width, height) = pages[0]
    assert (width, height) == paper_points(paper, is_landscape=True)
    above, below = height - max(box[3] for _, box in words), min(box[1] for _, box in words)
    assert abs(above - below) < 0.5 * 120, "in the middle"


LINES = st.tuples(NAMES, NAMES, NAMES, st.booleans())
LONGER_AND_LONGER = [[("Nae", "Nbe", "Nce", True)] * count for count in range(1, 17)]


@example("A4", LONGER_AND_LONGER, ["Nde"])
@example("LETTER", LONGER_AND_LONGER[3:], [])
@given(st.sampled_from(PAPERS), st.lists(st.lists(LINES, min_size=1, max_size=17), max_size=7), st.lists(NAMES))
@SOME
def test_a_card_says_every_order_beside_what_became_of_it(paper: str, powers: Any, notes: list[str]) -> None:
    sections = tuple(
        (
            f"Power{p}",
            tuple(
                CardLine(f"o{p}.{n}. {order}", f"r{p}.{n}. {why} {more}", good)
                for n, (order, why, more, good) in enumerate(lines)
            ),
        )
        for p, lines in enumerate(powers)
    )
    notes = [f"note{n}. {note}" for n, note in enumerate(notes)]
    card = Card(title="cup", board="1.1", phase="Fall", sections=sections, notes=tuple(notes), foot="Tess", paper=paper)
    looks: dict[str, set[Look]] = {}
    pages = printed_pages(lambda: printed_card.print_card(card), looks)
    bad = {line.outcome.split()[0] for _, lines in sections for line in lines if not line.good}
    for text, seen in looks.items():
        if re.match(r"[or]\d+\.\d+\.|note\d+\.|Power\d|Board 1|Tess|page \d|cup", text):
            is_bold = text.startswith(("Power", "Board")) or text.split()[0] in bad
            assert seen == {(0, BOLD if is_bold else REGULAR)}, text
    found = [word for text in check_pages(pages, 7.8 * 72 / 25.4) for word in text.split()]
    lines = [line for _, lines in sections for line in lines]
    texts = [*notes, *(text for line in lines for text in (line.order, line.outcome))]
    heads = ["Board", "1.1", "Fall", "cup", "Tess", "page"] * len(pages)
    wanted = [word for text in (*texts, *(name for name, _ in sections)) for word in text.split()]
    assert sorted(found) == sorted([*wanted, *heads, *(str(number + 1) for number in range(len(pages)))])
    for words, marks, _ in pages:
        (rule,) = marks
        assert dict(words)["cup"][1] - rule[1] == pytest.approx(5), "below the tails of the title, and nearer to it"
        assert all(box[1] > printed_card.MARGIN + 8 for text, box in words if text.split()[0] not in ("Tess", "page"))
        tops = {text.split()[0]: box[1] for text, box in words}
        for p, own in enumerate(powers):
            assert (f"Power{p}" in tops) is (f"o{p}.0." in tops), "with its first order"
            assert all(tops.get(f"o{p}.{n}.") == tops.get(f"r{p}.{n}.") for n in range(len(own))), "in one line"


@pytest.mark.parametrize("paper", PAPERS)
def test_a_card_is_half_of_the_paper_of_its_event(paper: str) -> None:
    card = Card(title="cup", board="1.1", phase="Spring 1901", sections=(), notes=(), foot="Tess", paper=paper)
    short, long = paper_points(paper)
    assert (card.width, card.height) == pytest.approx((long / 2, short), abs=1.5)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("columns", [1, 20])
def test_a_table_lies_across_only_where_its_letters_are_larger_so(paper: str, columns: int) -> None:
    heads = tuple(WallColumn(head=f"Head {n}") for n in range(columns))
    page = WallPage(name="x", title="X", columns=heads, rows=(WallRow(tuple("abcdefghijklmnopqrst")[:columns]),))
    ((_, _, size),) = printed_pages(lambda: printed_list.print_wall([page], paper, "cup", Speech("en")))
    assert size == paper_points(paper, is_landscape=columns == 20)


@pytest.mark.parametrize(("rows", "pages", "is_smaller"), [(10, 1, False), (38, 2, False), (45, 2, True)])
def test_letters_of_a_table_become_a_little_smaller_where_that_saves_a_page(
    rows: int, pages: int, is_smaller: bool
) -> None:
    page = WallPage(name="x", title="X", columns=(WallColumn(head="A"),), rows=(WallRow(("b",)),) * rows)
    found = printed_pages(lambda: printed_list.print_wall([page], "A4", "cup", Speech("en")))
    sizes = {round(2 * (box[3] - box[1]), 3) for words, _, _ in found for text, box in words if text == "b"}
    assert (len(found), len(sizes), max(sizes) < printed_list.TABLE_LARGEST - 0.01) == (pages, 1, is_smaller)


def test_a_table_takes_as_many_pages_as_its_letters_were_chosen_for() -> None:
    for rows in range(1, 64, 3):
        page = WallPage(name="x", title="X", columns=(WallColumn(head="A"),), rows=(WallRow(("b",)),) * rows)
        ((_, table),) = printed_list._set_parts(page, "A4")
        found = printed_pages(partial(printed_list.print_wall, [page], "A4", "cup", Speech("en")))
        assert len(found) == printed_list._pages_needed(page, table), rows

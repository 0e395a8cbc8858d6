"""The test deck as PDF: a page to measure, and a page to write on."""

from pipeline.ink import Box
from pipeline.paper import deck_layout
from pipeline.paper.canvas import Paper
from pipeline.paper.lettering import BOLD, FIXED, REGULAR
from pipeline.paper.printed_sheet import print_frame, print_sheet
from pipeline.paper.sheet import SheetTemplate
from pipeline.paper.target_layout import GREY
from pipeline.words.speech import ENGLISH

LABEL_MM = 4.0  # from a patch of grey to what is printed below it, and from the lines of text to the ruler beside them
RULER_END_MM, ACROSS_MM = 0.2, 4.0  # how thick the strokes across the ends of a ruler are, and how long
CAPTION_MM, HOW_MM = 6.0, 10.0  # from the ruler to its caption, and from there to the first step
HOW_LEADING = 1.6  # from one step to the next, as a multiple of a sheet's lines at the foot
HOW = (
    "1  Print both pages on the printer of the event, at 100 %, on the paper of the event.",
    "2  Lay a ruler on the two lines: they must be 100 mm long.",
    "3  Fill in page 2, then scan both pages as the sheets will be scanned.",
    "4  ordersheets testdeck --check SCAN… says what is wrong, and how to mend it.",
)


def print_deck(template: SheetTemplate) -> bytes:
    """Print both pages for one kind of paper; the same bytes every time."""
    paper = Paper(template.width, template.height, title="Test deck", language=ENGLISH)
    _print_measured(paper, template, deck_layout.measure_page(template))
    print_sheet(
        paper,
        deck_layout.written_request(template),
        deck_layout.written_template(template),
        deck_layout.written_page(template),
    )
    return paper.bytes()


def _print_measured(paper: Paper, template: SheetTemplate, deck: deck_layout.MeasurePage) -> None:
    """Print the page to measure: markers and codes, bars, patches of grey, two rulers, and how the deck is used."""
    page, head = deck.page, template.header
    print_frame(paper, page)
    paper.text(head.left, head.power_y, "TEST DECK", font=BOLD, size=head.power_pt)
    paper.text(head.left, head.game_y, f"Printer and scanner  ·  {template.name}", font=BOLD, size=head.game_pt)
    paper.text(head.left, head.id_y, page.sheet, font=FIXED, size=head.id_pt)
    for band in (*deck.bands, *deck.rulers, *(box for blocks in deck.steps.values() for box in blocks.values())):
        paper.bar(band)
    for grey, patch in zip(deck_layout.GREYS, deck.patches, strict=True):
        paper.patch(patch, grey=grey)
        label = f"{1 - grey:.0%}"
        paper.text(patch.left, patch.bottom + LABEL_MM, label, font=REGULAR, size=head.label_pt, grey=GREY)
    across = deck.rulers[0]
    for end in (across.left, across.right):
        paper.bar(Box(end - RULER_END_MM / 2, across.top - ACROSS_MM / 2, RULER_END_MM, ACROSS_MM))
    down = deck.rulers[1]
    for end in (down.top, down.bottom):
        paper.bar(Box(down.left - ACROSS_MM / 2, end - RULER_END_MM / 2, ACROSS_MM, RULER_END_MM))
    y = across.top + CAPTION_MM
    paper.text(
        across.left,
        y,
        f"{deck_layout.RULER_MM:g} mm, and so is the line down",
        font=REGULAR,
        size=head.label_pt,
        grey=GREY,
    )
    for number, sentence in enumerate(HOW):
        room = down.left - LABEL_MM - head.left
        line = y + HOW_MM + number * HOW_LEADING * template.foot.leading
        paper.text(head.left, line, sentence, font=REGULAR, size=template.foot.how_pt + 1, within=room)
    paper.next_page()

"""Print order sheets as PDF, from a template and requests; the same requests give the same bytes."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from reportlab.lib.units import mm

from pipeline.board import Step
from pipeline.ink import Box
from pipeline.paper.canvas import Paper, code_squares, file_title, live_squares, marker_squares
from pipeline.paper.lettering import BOLD, FIXED, REGULAR, width_in_points, wrap_text
from pipeline.paper.load_sheet import TICKED
from pipeline.paper.sheet import Beginners, SheetRequest, SheetTemplate, live_text
from pipeline.paper.sheet_layout import PageLayout, layout, place_fields
from pipeline.paper.sheet_rows import CAPITAL, MM_PER_PT, Design, LaidRow, TargetMeasures, text_width
from pipeline.paper.target_layout import GREY, ID_MM, base_in, dot_frame, round_box
from pipeline.words.speech import speech_of, to_say, wording

# Blocks for units on paper: the instruction, an example that is filled in, and the boxes with their words.

BETWEEN_MM = 2.6  # from one part of an example to the next
CROSS_MM = 0.45
LEGEND_MM = 4.0  # from the code at the foot to what to do in the free rows
LEGENDS = {
    Step.MOVEMENT: to_say(
        "{rows}: for an order that has no box above, or that you write anew. Tick A (army) or F (fleet), then H"
        " (holds), – (goes to), S (supports) or C (convoys), with S and C also A or F of the other unit; via: goes by"
        " sea. Write the places below."
    ),
    Step.RETREATS: to_say(
        "{rows}: for a retreat that has no box above, or that you write anew. Tick A (army) or F (fleet), then"
        " R (retreats) or D (disbands). Write below where the unit is, and where it goes."
    ),
    Step.ADJUSTMENTS: to_say(
        "{rows}: for what has no box above, or what you write anew. Tick A (army) or F (fleet), then B (builds) or"
        " D (disbands), and write the place below. Or tick waive (builds nothing)."
    ),
}
SHORT_LEGENDS = {  # where there is no room for more
    Step.MOVEMENT: to_say("A army, F fleet, H holds, – goes to, S supports, C convoys, via: by sea"),
    Step.RETREATS: to_say("A army, F fleet, R retreats to, D disbands"),
    Step.ADJUSTMENTS: to_say("A army, F fleet, B builds, D disbands, waive: builds nothing"),
}
FLEETS_ONLY = to_say("Where the unit itself cannot go: {coasts} only to support a fleet that goes there.")
LEGEND_PT = (8.0, 7.5, 7.0, 6.5)  # as large as there is room for
LEGEND_LEADING = 1.2  # from one line of it to the next, of the type size
NUMBER_MM = 1.4  # from a row's number to the row


def _print_targets(paper: Paper, request: SheetRequest, template: SheetTemplate, page: PageLayout) -> None:
    """Print what stands above the rows and in them."""
    measures, head = template.target_measures, template.header
    how, example = _instructions_for(measures, request)
    paper.text(head.left, measures.how_y, how, font=BOLD, size=measures.how_pt, within=measures.right - head.left)
    _print_example(paper, measures, head.left, example)
    rows = () if page.form.parting is None else page.form.parting.rows
    _print_legend(paper, request, template, page, [row for row in rows if row.number > len(request.units)])
    for row in rows:
        size = template.rows.number_pt
        base = base_in(measures, row, row.lines[0], size)
        paper.text_before(measures.left - NUMBER_MM, base, str(row.number), font=REGULAR, size=size, grey=GREY)
    for edge in page.form.edges:
        paper.draw_dotted_edge(edge, measures.dot)
    for type_ in page.form.box_layout.type:
        paper.type(type_)
    for cell in page.form.cells:
        for type_ in cell.words:
            paper.type(type_)


def _print_legend(
    paper: Paper, request: SheetRequest, template: SheetTemplate, page: PageLayout, rows: list[LaidRow]
) -> None:
    """Print what to do in the free rows: below them where there is room, else at the foot."""
    say, step = speech_of(template.language).says, request.phase.step
    numbers, coasts = ", ".join(str(row.number) for row in rows), ", ".join(sorted({*_coasts_for_support(request)}))
    more = f" {say(FLEETS_ONLY, coasts=coasts)}" if coasts else ""
    tried = [
        (room, points, _wrap_legend(text + more, room, points))
        for text in (say(LEGENDS[step], rows=numbers), f"{numbers}: {say(SHORT_LEGENDS[step])}.")
        for room in _rooms_for_legend(template, page, rows)
        for points in LEGEND_PT
    ]
    room, points, lines = next(
        (each for each in tried if _legend_height(each[1], each[2]) <= each[0].height), tried[-1]
    )
    for number, line in enumerate(lines, 1):
        base = room.top + _legend_height(points, lines[:number])
        paper.text(room.left, base, line, font=REGULAR, size=points, within=room.width)


def _rooms_for_legend(template: SheetTemplate, page: PageLayout, rows: list[LaidRow]) -> Iterator[Box]:
    """Where what to do in the free rows can stand, the better place first."""
    foot, live, measures = page.form.codes[1], page.form.live, template.target_measures
    if measures.legend_below and rows:
        top = rows[-1].box.bottom + measures.legend_below - LEGEND_PT[0] * MM_PER_PT
        yield Box(measures.left, top, measures.right - measures.left, foot.top - LEGEND_MM - top)
    left, right = foot.right + LEGEND_MM, (live or page.form.markers[2]).left - LEGEND_MM
    words = LEGEND_LEADING * template.header.label_pt * MM_PER_PT if live else 0  # for telephones, beside their code
    yield Box(left, foot.top, right - left, foot.height - words)


def _wrap_legend(text: str, room: Box, points: float) -> list[str]:
    return wrap_text(text, room.width, lambda line: width_in_points(line, REGULAR, points) / mm)


def _legend_height(points: float, lines: Sequence[str]) -> float:
    """How far below the top of some lines the last one stands, in mm."""
    return points * MM_PER_PT * (1 + LEGEND_LEADING * (len(lines) - 1))


def _coasts_for_support(request: SheetRequest) -> Iterator[str]:
    """List the coasts in rows of units that cannot go there; they stand there for supports of fleets."""
    for unit, choices in zip(request.units, request.targets, strict=True):
        first = 0 if unit.startswith("A ") else len(choices.goes) - choices.only_help
        yield from (target.word.replace("/", " ") for target in choices.goes[first:] if "/" in target.word)


def _instructions_for(measures: TargetMeasures, request: SheetRequest) -> tuple[str, tuple[str, ...]]:
    """The sentence that says what to do on the sheet, and the parts of its example."""
    match request.phase.step:
        case Step.MOVEMENT:
            return measures.movement, measures.movement_example
        case Step.RETREATS:
            return measures.retreats, measures.retreats_example
        case Step.ADJUSTMENTS:
            is_removal = not any(choices.goes for choices in request.targets)
            how = measures.removals if is_removal else measures.builds
            return how.replace(
                "{due}", str(request.due)
            ), measures.removals_example if is_removal else measures.builds_example


def _print_example(paper: Paper, measures: TargetMeasures, left: float, parts: tuple[str, ...]) -> None:
    """Print an example that is filled in, its words made smaller where they would go beyond the blocks."""
    side, base = measures.example_tick, measures.example_y
    words = [part.removeprefix(TICKED) for part in parts]
    boxes = (len(parts) - 1) * BETWEEN_MM + sum(side + measures.gap for part in parts if part.startswith(TICKED))
    most = (measures.right - left - boxes) / (sum(map(text_width, words)) * MM_PER_PT)
    points = min(measures.small_pt + 1, most)
    for part, word in zip(parts, words, strict=True):
        is_ticked = part.startswith(TICKED)
        if is_ticked:
            box = round_box(left, base - CAPITAL * points * MM_PER_PT / 2 - side / 2, side, side)
            for edge in dot_frame(measures, box):
                paper.draw_dotted_edge(edge, measures.dot)
            paper.cross(box, line_mm=CROSS_MM)
            left += side + measures.gap
        is_name = is_ticked or word.isupper()
        paper.text(left, base, word, font=BOLD if is_name else REGULAR, size=points, grey=0.0 if is_name else GREY)
        left += text_width(word) * points * MM_PER_PT + BETWEEN_MM


FRAME_MM = 0.25
LIVE_OFF_MM = 2.5  # from the code for telephones to what is printed beside it: its quiet zone
KINDS = {Step.MOVEMENT: to_say("Movement"), Step.RETREATS: to_say("Retreats"), Step.ADJUSTMENTS: to_say("Adjustments")}


class SheetRun(Struct, frozen=True):
    """Sheets of one template, printed one after another."""

    requests: tuple[SheetRequest, ...]
    template: SheetTemplate
    pages: tuple[PageLayout, ...]  # where everything is on each
    beside: int = 1  # so many side by side on one paper, which is cut


def print_sheets(requests: Iterable[SheetRequest], template: SheetTemplate) -> bytes:
    """Print one page for each request, in their order."""
    requests = tuple(requests)
    return print_runs((SheetRun(requests, template, layout(requests, template).pages),))


def print_runs(runs: Sequence[SheetRun]) -> bytes:
    """Print sheets, each run on paper of its own size."""
    first, titles = runs[0].template, [request.title for run in runs for request in run.requests]
    title = file_title(speech_of(first.language).says("Order sheets"), titles[0] if titles else "")
    paper = Paper(first.width, first.height, title=title, language=first.language)
    for run in runs:
        paper.begin_size(run.template.width, run.template.height, beside=run.beside)
        for request, page in zip(run.requests, run.pages, strict=True):
            print_sheet(paper, request, run.template, page)
    return paper.bytes()


def print_heading(request: SheetRequest, template: SheetTemplate) -> bytes:
    """Print what stands above the rows of one sheet, and nothing else: a tenth of the time of the whole."""
    paper = Paper(template.width, template.height, title=request.title, language=template.language)
    page = place_fields(request, template)
    _print_header(paper, request, template, page)
    _print_ticks(paper, template, page)
    paper.next_page()
    return paper.bytes()


def print_sheet(paper: Paper, request: SheetRequest, template: SheetTemplate, page: PageLayout) -> None:
    print_frame(paper, page)
    _print_header(paper, request, template, page)
    if request.design is Design.TARGETS:
        _print_targets(paper, request, template, page)
    else:
        head, words = template.header, template.words
        rows, size = template.rows, head.label_pt + 1.5
        paper.text(head.left, head.alphabet_y, words.capitals, font=REGULAR, size=size, grey=GREY)
        room = rows.right - head.left - BETWEEN_MM - width_in_points(words.capitals, REGULAR, size) / mm
        letters, size = " ".join(words.alphabet), head.alphabet_pt  # typewriter letters: their I has bars
        paper.text_before(rows.right, head.alphabet_y, letters, font=FIXED, size=size, grey=GREY, within=room)
        for field in page.form.rows:
            line = field.box.bottom - rows.guide_above
            paper.text_before(rows.left - 2, line, str(field.row), font=REGULAR, size=rows.number_pt, grey=GREY)
    _print_ticks(paper, template, page)
    _print_live(paper, request, template, page)
    if request.for_beginners and template.beginners is not None:
        _print_examples(paper, template.beginners, request.phase.step, page)
    if request.design is Design.LINE:
        _print_foot(paper, request, template, page)
    paper.next_page()


def _print_live(paper: Paper, request: SheetRequest, template: SheetTemplate, page: PageLayout) -> None:
    """Print the code that a telephone opens, and what it is, where the event has an address."""
    box = page.form.live
    if box is None:
        return
    paper.squares(live_squares(live_text(request.live, request.id)), box)
    room = box.left - 2 * LIVE_OFF_MM - page.form.codes[1].left - page.form.codes[1].width
    words = speech_of(template.language).says("your seat, maps and results: {address}", address=f"{request.live}/live")
    base, size = box.bottom, template.header.label_pt
    paper.text_before(box.left - LIVE_OFF_MM, base, words, font=REGULAR, size=size, grey=GREY, within=room)


def _print_foot(paper: Paper, request: SheetRequest, template: SheetTemplate, page: PageLayout) -> None:
    """Print at the foot how the rows are filled in."""
    foot, marker = template.foot, page.form.markers[2]
    room = (marker.left - 1 if page.form.live is None else page.form.live.left - LIVE_OFF_MM) - foot.left
    for number, sentence in enumerate(template.words.how(request.phase.step)):
        line, size = foot.top + number * foot.leading, foot.how_pt
        paper.text(foot.left, line, sentence, font=REGULAR, size=size, grey=GREY, within=room)


def print_frame(paper: Paper, page: PageLayout) -> None:
    """Print the corner markers, QR codes, bars and dotted lines by which a scan is identified and laid straight."""
    for number, box in zip(page.marker_ids, page.form.markers, strict=True):
        paper.squares(marker_squares(number), box)
    for box in page.form.codes:
        paper.squares(code_squares(page.sheet), box)
    for left, right in page.form.bars:
        paper.bar(left)
        paper.bar(right)
    for guide in page.form.guides:
        paper.guide(guide)


def _print_header(paper: Paper, request: SheetRequest, template: SheetTemplate, page: PageLayout) -> None:
    """Print year, season, game, power, and the lines for player and signature (NZ99 10)."""
    head, words, speech = template.header, template.words, speech_of(template.language)
    game = speech.says("Round {round}  ·  Board {board}", round=request.round, board=request.board)
    game += f", {request.pool}" if request.pool else ""
    paper.text(head.left, head.power_y, speech.power(request.power).upper(), font=BOLD, size=head.power_pt)
    if request.is_pad:
        game = f"{speech.says(KINDS[request.phase.step])}  ·  {game}"
        room = (head.right - head.left) / 2  # the seasons to tick have the other half
        paper.text_before(head.right, head.game_y, game, font=BOLD, size=head.game_pt, within=room)
    else:
        game = f"{speech.says(_occasion(request))}  ·  {game}"
        paper.text(head.left, head.game_y, game, font=BOLD, size=head.game_pt, within=head.right - head.left)
    paper.text(head.left, head.id_y, page.sheet, font=FIXED, size=head.id_pt)
    part = speech.says("sheet {part} of {parts}", part=request.part, parts=request.parts)
    title = request.title if request.parts == 1 else f"{part}  ·  {request.title}"
    room = head.right - head.left - ID_MM
    paper.text_before(head.right, head.id_y, title, font=REGULAR, size=head.label_pt + 1, grey=GREY, within=room)
    for name, label in (("player", words.player), ("signature", words.signature)):
        field = page.form.field(name)
        if field:
            paper.text(field.box.left, field.box.top - 0.4, label, font=REGULAR, size=head.label_pt, grey=GREY)
            if name == "player" and request.player:
                line = field.box.bottom - 2.5
                room = field.box.width - 2
                paper.text(field.box.left + 1, line, request.player, font=BOLD, size=head.game_pt, within=room)


def _print_ticks(paper: Paper, template: SheetTemplate, page: PageLayout) -> None:
    """Print the boxes in which season and year are ticked, each with its word to the right."""
    words = {"spring": template.words.spring, "fall": template.words.fall}
    for tick in page.form.ticks:
        box = tick.box
        paper.frame(box, line_mm=FRAME_MM, grey=GREY)
        label = words.get(tick.name, tick.name)
        paper.text(box.right + 1, box.top + 0.72 * box.height, label, font=BOLD, size=template.pad.label_pt)


def _print_examples(paper: Paper, beginners: Beginners, step: Step, page: PageLayout) -> None:
    """Print the forms of orders below the last row, each with what it says in plain words."""
    last, size = page.form.rows[-1].box, beginners.text_pt
    y = last.bottom + beginners.gap
    room = page.form.width - 2 * beginners.left
    paper.text(beginners.left, y, beginners.key, font=REGULAR, size=size, within=room)
    for group in beginners.examples_for(step):
        y += beginners.leading
        paper.text(beginners.left, y, group.heading, font=BOLD, size=size, within=room)
        for example in group.lines:
            y += beginners.leading
            paper.text(beginners.left, y, example.order, font=FIXED, size=size)
            room_left = page.form.width - beginners.left - beginners.meaning_left
            paper.text(beginners.meaning_left, y, example.meaning, font=REGULAR, size=size, within=room_left)


def _occasion(request: SheetRequest) -> str:
    """Name the season and what is asked for."""
    if request.phase.step is Step.MOVEMENT:
        return wording("{phase} orders", phase=request.phase.in_words)
    return request.phase.in_words

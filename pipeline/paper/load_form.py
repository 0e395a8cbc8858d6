"""Read the template of a form: every fault at once, each with its path and how to mend it."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from pipeline.paper import form
from pipeline.paper.load_sheet import LEAST_MARKER_MM, LEAST_PITCH_MM, read_length, read_lengths, read_sentences
from pipeline.paper.sheet import Codes, Dots, Markers
from pipeline.paper.sheet_layout import Answer, answer_boxes
from pipeline.problems import Stopped, stop
from pipeline.rules.abbreviations import Abbreviations
from pipeline.rules.table import Table, did_you_mean, read_toml_text
from pipeline.words.speech import ENGLISH

# Whether a form can be printed and read: nothing over anything else, nothing in the margins, room for the markers.


def _check_form_fits(template: form.FormTemplate, top: Table) -> None:
    """Refuse a form that cannot be printed or read with full lists."""
    full = {name: tuple(form.Item(f"{name} {n}", "") for n in range(most)) for name, most in template.lists.items()}
    answers = list(form.answers_of(template, full))
    _check_marks(template, top)
    _check_headings(template, top)
    _check_places(template, answers, top)
    for name, often in Counter(answer.name for answer in answers).items():
        if often > 1:
            top.fault("blocks", f"{often} answers are called {name!r}; give the columns different names")
    for first, second in _touching(answers):
        top.fault("blocks", f"{first.name!r} and {second.name!r} lie over one another")


def _lowest_of(template: form.FormTemplate) -> float:
    """Where the markers and codes at the foot begin."""
    return template.height - template.markers.margin - max(template.markers.size, template.codes.bottom)


def _check_marks(template: form.FormTemplate, top: Table) -> None:
    """Refuse markers that are lost in a scan, and bars that run into them."""
    size, bars, lowest = template.markers.size, template.bars, _lowest_of(template)
    if size < LEAST_MARKER_MM:
        top.fault("markers.size", f"expected at least {LEAST_MARKER_MM:g} mm, found {size:g}")
    below = bars.top + bars.count * bars.pitch + bars.height
    if below > lowest:
        top.fault("bars.count", f"the bars, and the empty place below them, end at {below:g} mm, below {lowest:g}")


def _check_headings(template: form.FormTemplate, top: Table) -> None:
    """Refuse words printed where people write: they would be taken for ink."""
    for number, block in enumerate(template.blocks):
        headed = any(isinstance(column, form.WrittenColumn) and column.heading for column in block.columns)
        if headed and block.heading_y > block.top + form.INSET:
            top_mm = block.top + form.INSET
            text = f"expected the heading above {top_mm:g} mm, where people write, found {block.heading_y:g}"
            top.fault(f"blocks[{number}].heading_y", text)


def _check_places(template: form.FormTemplate, answers: list[Answer], top: Table) -> None:
    """Refuse what lies beside the bars or among the markers."""
    left = template.markers.margin + template.bars.width
    right, lowest = template.width - left, _lowest_of(template)
    for answer in answers:
        if any(box.left < left or box.left + box.width > right for box in answer_boxes(answer)):
            top.fault("blocks", f"{answer.name!r} is not between the bars, {left:g} to {right:g} mm")
        if any(box.top + box.height > lowest for box in answer_boxes(answer)):
            top.fault("blocks", f"{answer.name!r} ends below {lowest:g} mm, where the markers begin")


def _touching(answers: list[Answer]) -> Iterator[tuple[Answer, Answer]]:
    """Pairs of answers that lie over one another."""
    placed = [(answer, box) for answer in answers for box in answer_boxes(answer)]
    for number, (first, box) in enumerate(placed):
        for second, other in placed[number + 1 :]:
            across = box.left < other.left + other.width and other.left < box.left + box.width
            if across and box.top < other.top + other.height and other.top < box.top + box.height:
                yield first, second


LEAST_DIGIT_MM = (4.5, 6.0)  # wide, high: people write digits 3.5 to 6 mm high where there is room
LEAST_GAP_MM = 1.2  # between two boxes, so that ink which leaves one is seen before it is in the next
LEAST_TICK_MM, LARGEST_TICK_MM = 4.0, 8.0
MOST_DIGITS = 4
NO_COLUMN = form.WrittenColumn(name="", left=1, width=1, heading="", is_signature=False, is_player=False)


def read_form(text: str, where: str) -> form.FormTemplate:
    """Read a template, or stop with all its faults."""
    try:
        values = read_toml_text(text)
    except ValueError as error:
        raise stop(f"not TOML: {error}", where) from error
    top = Table(values, where, between=" ")
    paper = top.table("form")
    kinds = tuple(str(kind) for kind in form.FormKind)
    lists = _read_lists(top.table("lists"))
    template = form.FormTemplate(
        kind=form.FormKind(paper.choice("kind", kinds)),
        title=paper.need("title", str, ""),
        width=read_length(paper, "width"),
        height=read_length(paper, "height"),
        language=paper.get("language", str, ENGLISH),
        guide_above=read_length(paper, "guide_above"),
        markers=read_lengths(top.table("markers"), Markers),
        codes=read_lengths(top.table("codes"), Codes),
        head=read_lengths(top.table("head"), form.FormHead),
        bars=_read_bars(top.table("bars")),
        guide=read_lengths(top.table("guide"), Dots),
        boxes=_read_boxes(top.table("boxes")),
        remarks=tuple(_read_remark(table) for table in top.tables("remarks")),
        blocks=tuple(_read_block(table, lists) for table in top.tables("blocks")),
        lists=lists,
    )
    if "kind" not in paper.values:
        paper.fault("kind", f"missing; expected one of {', '.join(kinds)}")
    paper.finish()
    if not top.problems:
        _check_form_fits(template, top)
    if problems := top.finish():
        raise Stopped(problems)
    return template


def _read_lists(table: Table) -> dict[str, int]:
    """Read how many items of each list there is room for."""
    found = {name: table.need(name, int, 1) for name in table.values}
    for name, most in found.items():
        if most < 1:
            table.fault(name, f"expected room for at least 1, found {most}")
    table.finish()
    return found


def _read_bars(table: Table) -> form.FormBars:
    found = form.FormBars(
        width=read_length(table, "width"),
        height=read_length(table, "height"),
        top=read_length(table, "top"),
        pitch=read_length(table, "pitch"),
        count=table.need("count", int, 4),
    )
    if found.count < 4:
        table.fault("count", f"expected at least 4 to lay the paper straight by, found {found.count}")
    table.finish()
    return found


def _read_boxes(table: Table) -> form.Boxes:
    found = read_lengths(table, form.Boxes)
    wide, high = LEAST_DIGIT_MM
    if found.digit_width < wide or found.digit_height < high:
        size = f"{found.digit_width:g} by {found.digit_height:g}"
        table.fault("digit_width", f"expected boxes of at least {wide:g} by {high:g} mm to write in, found {size}")
    if found.digit_gap < LEAST_GAP_MM:
        table.fault("digit_gap", f"expected at least {LEAST_GAP_MM:g} mm, found {found.digit_gap:g}")
    if not LEAST_TICK_MM <= found.tick <= LARGEST_TICK_MM:
        table.fault("tick", f"expected {LEAST_TICK_MM:g} to {LARGEST_TICK_MM:g} mm, found {found.tick:g}")
    return found


def _read_remark(table: Table) -> form.Remark:
    """Read words that are printed."""
    found = form.Remark(
        text=table.need("text", str, ""),
        left=read_length(table, "left"),
        y=read_length(table, "y"),
        pt=read_length(table, "pt"),
    )
    table.finish()
    return found


def _read_block(table: Table, lists: dict[str, int]) -> form.Block:
    found = form.Block(
        each=_known_list(table, "each", lists),
        top=read_length(table, "top"),
        pitch=read_length(table, "pitch"),
        heading_y=read_length(table, "heading_y"),
        label_left=read_length(table, "label_left"),
        label_width=read_length(table, "label_width"),
        label_pt=read_length(table, "label_pt"),
        columns=tuple(_read_block_column(column, lists) for column in table.tables("columns")),
    )
    if not found.columns:
        table.fault("columns", "missing; a block needs something to write or to tick")
    if found.pitch < LEAST_PITCH_MM and any(isinstance(column, form.WrittenColumn) for column in found.columns):
        table.fault("pitch", f"expected at least {LEAST_PITCH_MM:g} mm to write in, found {found.pitch:g}")
    table.finish()
    return found


def _known_list(table: Table, key: str, lists: dict[str, int]) -> str:
    """Read the name of a list; nothing where it is left out."""
    name = table.get(key, str, "")
    if name and name not in lists:
        known = ", ".join(lists) or "none"
        table.fault(key, f"unknown list {name!r}{did_you_mean(name, tuple(lists)) or f'; there are {known}'}")
        return ""
    return name


def _read_block_column(table: Table, lists: dict[str, int]) -> form.Column:
    readers: dict[str, Callable[[Table, dict[str, int]], form.Column]] = {
        "number": _read_number,
        "choice": _read_choice_column,
        "words": _read_written,
        "signature": _read_written,
        "copied": _read_written,
    }
    kind = table.choice("kind", tuple(readers))
    if "kind" not in table.values:
        table.fault("kind", f"missing; expected one of {', '.join(readers)}")
        return NO_COLUMN
    found = readers[kind](table, lists)
    table.finish()
    return found


def _read_number(table: Table, lists: dict[str, int]) -> form.NumberColumn:
    per = _known_list(table, "per", lists)
    found = form.NumberColumn(
        name=table.get("name", str, ""),
        left=read_length(table, "left"),
        digits=table.need("digits", int, 1),
        least=table.need("least", int, 0),
        together=table.get("together", int, 0),
        most=table.need("most", int, 9),
        heading=table.get("heading", str, ""),
        per=per,
        step=read_length(table, "step") if "per" in table.values else 0.0,
    )
    if not 1 <= found.digits <= MOST_DIGITS:
        table.fault("digits", f"expected 1 to {MOST_DIGITS}, found {found.digits}")
    if not 0 <= found.least <= found.most < 10 ** max(found.digits, 1):
        text = f"expected a number of {found.digits} digits, {found.least} or more, found {found.most}"
        table.fault("most", text)
    return found


def _read_choice_column(table: Table, lists: dict[str, int]) -> form.ChoiceColumn:
    """Read a column of boxes to tick."""
    choices = read_sentences(table, "choices") if "choices" in table.values else ()
    found = form.ChoiceColumn(
        name=table.get("name", str, ""),
        left=read_length(table, "left"),
        choices=choices,
        labels=read_sentences(table, "labels") if "labels" in table.values else choices,
        heading=table.get("heading", str, ""),
        per=_known_list(table, "per", lists),
        step=read_length(table, "step"),
        across=table.get("across", int, 20),
        line=table.get("line", float, 1000.0),
    )
    if bool(found.choices) == bool(found.per):
        table.fault("choices", "give either the choices, or 'per' with the list that they are taken from")
    if len(found.labels) != len(choices):
        table.fault("labels", f"expected one for each of the {len(choices)} choices, found {len(found.labels)}")
    if found.across < 1:
        table.fault("across", f"expected at least 1, found {found.across}")
    return found


def _read_written(table: Table, lists: dict[str, int]) -> form.WrittenColumn:
    """Read a column of lines to write on; there is one in every row, whatever the lists hold."""
    return form.WrittenColumn(
        name=table.get("name", str, "") if table.values["kind"] == "copied" else table.need("name", str, ""),
        left=read_length(table, "left"),
        width=read_length(table, "width"),
        heading=table.get("heading", str, ""),
        is_signature=table.values["kind"] == "signature",
        is_player=table.get("is_player", bool, False),
        is_copied=table.values["kind"] == "copied",
    )


# What a player writes once, to show his hand: all letters, and ten places in whose names the confused letters stand.
#
# Which letters are taken for which was measured on whole sheets: v and r, i and l, u and v, a and n, e and t, a and d,
# h and n, o and a (docs/explanation/handwriting.md). A place is chosen for what it adds: the confused letters first,
# and letters beside letters that no other chosen place has.

LETTERS = ("A B C D E F G H I", "J K L M N O P Q R", "S T U V W X Y Z")
PLACES = 10
CONFUSED = ("vr", "il", "uv", "an", "et", "ad", "hn", "oa")
# value of showing a confused letter; any other letter has 1
WORTH = {letter: 3.0 for pair in CONFUSED for letter in pair}
OFTEN = 3  # how often a confused letter has its full value
NEIGHBOURS = 0.5  # value of a new pair of neighbouring letters
LONGEST = 9  # letters: so many fit into the room for one place
ONE_WORD = re.compile(r"[A-Za-z]+")


def places_to_write(table: Abbreviations, count: int = PLACES) -> tuple[str, ...]:
    """Choose the names of places, of one tournament's own table, that show the confused letters best.

    >>> from pipeline.rules.load import load_tournament
    >>> " ".join(places_to_write(load_tournament("weaselmoot").abbreviations, 4))
    'Liverpool Edinburgh Yorkshire Finland'
    """
    # one word without accents that fits into its room
    names = sorted(
        {row.name for row in table.rows.values() if ONE_WORD.fullmatch(row.name) and len(row.name) <= LONGEST}
    )
    chosen: list[str] = []
    while names and len(chosen) < count:
        best = max(names, key=lambda name: _worth(name, chosen))
        names.remove(best)
        chosen.append(best)
    return tuple(chosen)


def _worth(name: str, chosen: Iterable[str]) -> float:
    """The value of a name beside those chosen before: a letter counts less the oftener it was shown."""
    before = [word.lower() for word in chosen]
    seen = Counter("".join(before))
    beside = {pair for word in before for pair in pairwise(word)}
    found = 0.0
    for letter in name.lower():
        often = OFTEN if letter in WORTH else 1
        found += WORTH.get(letter, 1.0) / max(1, 2 + seen[letter] - often) ** 2
        seen[letter] += 1
    return found + NEIGHBOURS * len(set(pairwise(name.lower())) - beside)

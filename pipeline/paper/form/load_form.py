"""Read the template of a form: every fault at once, each with its path and how to mend it."""

from collections.abc import Callable

from pipeline.paper.form.form import (
    Block,
    Boxes,
    ChoiceColumn,
    Column,
    FormBars,
    FormHead,
    FormKind,
    FormTemplate,
    NumberColumn,
    Remark,
    WrittenColumn,
)
from pipeline.paper.form.form_checks import check_fits
from pipeline.paper.sheet.load_sheet import lengths, positive, sentences
from pipeline.paper.sheet.sheet import Codes, Dots, Markers
from pipeline.problems import Stopped, stop
from pipeline.rules.toml.table import Table, did_you_mean, read_toml_text
from pipeline.words.speech import ENGLISH

LEAST_DIGIT_MM = (4.5, 6.0)  # wide, high: people write digits 3.5 to 6 mm high where there is room
LEAST_GAP_MM = 1.2  # between two boxes, so that ink which leaves one is seen before it is in the next
LEAST_TICK_MM, LARGEST_TICK_MM = 4.0, 8.0
MOST_DIGITS = 4
NO_COLUMN = WrittenColumn(name="", left=1, width=1, heading="", is_signature=False, is_player=False)


def read_form(text: str, where: str) -> FormTemplate:
    """Read a template, or stop with all its faults."""
    try:
        values = read_toml_text(text)
    except ValueError as error:
        raise stop(f"not TOML: {error}", where) from error
    top = Table(values, where, between=" ")
    paper = top.table("form")
    kinds = tuple(str(kind) for kind in FormKind)
    lists = read_lists(top.table("lists"))
    template = FormTemplate(
        kind=FormKind(paper.choice("kind", kinds)),
        title=paper.need("title", str, ""),
        width=positive(paper, "width"),
        height=positive(paper, "height"),
        language=paper.get("language", str, ENGLISH),
        guide_above=positive(paper, "guide_above"),
        markers=lengths(top.table("markers"), Markers),
        codes=lengths(top.table("codes"), Codes),
        head=lengths(top.table("head"), FormHead),
        bars=read_bars(top.table("bars")),
        guide=lengths(top.table("guide"), Dots),
        boxes=read_boxes(top.table("boxes")),
        remarks=tuple(read_remark(table) for table in top.tables("remarks")),
        blocks=tuple(read_block(table, lists) for table in top.tables("blocks")),
        lists=lists,
    )
    if "kind" not in paper.values:
        paper.fault("kind", f"missing; expected one of {', '.join(kinds)}")
    paper.finish()
    if not top.problems:
        check_fits(template, top)
    if problems := top.finish():
        raise Stopped(problems)
    return template


def read_lists(table: Table) -> dict[str, int]:
    """Read how many items of each list there is room for."""
    found = {name: table.need(name, int, 1) for name in table.values}
    for name, most in found.items():
        if most < 1:
            table.fault(name, f"expected room for at least 1, found {most}")
    table.finish()
    return found


def read_bars(table: Table) -> FormBars:
    """Read the bars."""
    found = FormBars(
        width=positive(table, "width"),
        height=positive(table, "height"),
        top=positive(table, "top"),
        pitch=positive(table, "pitch"),
        count=table.need("count", int, 4),
    )
    if found.count < 4:
        table.fault("count", f"expected at least 4 to lay the paper straight by, found {found.count}")
    table.finish()
    return found


def read_boxes(table: Table) -> Boxes:
    """Read the sizes of boxes."""
    found = lengths(table, Boxes)
    wide, high = LEAST_DIGIT_MM
    if found.digit_width < wide or found.digit_height < high:
        size = f"{found.digit_width:g} by {found.digit_height:g}"
        table.fault("digit_width", f"expected boxes of at least {wide:g} by {high:g} mm to write in, found {size}")
    if found.digit_gap < LEAST_GAP_MM:
        table.fault("digit_gap", f"expected at least {LEAST_GAP_MM:g} mm, found {found.digit_gap:g}")
    if not LEAST_TICK_MM <= found.tick <= LARGEST_TICK_MM:
        table.fault("tick", f"expected {LEAST_TICK_MM:g} to {LARGEST_TICK_MM:g} mm, found {found.tick:g}")
    return found


def read_remark(table: Table) -> Remark:
    """Read words that are printed."""
    found = Remark(
        text=table.need("text", str, ""),
        left=positive(table, "left"),
        y=positive(table, "y"),
        pt=positive(table, "pt"),
    )
    table.finish()
    return found


def read_block(table: Table, lists: dict[str, int]) -> Block:
    """Read a block of rows."""
    found = Block(
        each=known_list(table, "each", lists),
        top=positive(table, "top"),
        pitch=positive(table, "pitch"),
        heading_y=positive(table, "heading_y"),
        label_left=positive(table, "label_left"),
        label_width=positive(table, "label_width"),
        label_pt=positive(table, "label_pt"),
        columns=tuple(read_column(column, lists) for column in table.tables("columns")),
    )
    if not found.columns:
        table.fault("columns", "missing; a block needs something to write or to tick")
    table.finish()
    return found


def known_list(table: Table, key: str, lists: dict[str, int]) -> str:
    """Read the name of a list; nothing where it is left out."""
    name = table.get(key, str, "")
    if name and name not in lists:
        known = ", ".join(lists) or "none"
        table.fault(key, f"unknown list {name!r}{did_you_mean(name, tuple(lists)) or f'; there are {known}'}")
        return ""
    return name


def read_column(table: Table, lists: dict[str, int]) -> Column:
    """Read one column of a block."""
    readers: dict[str, Callable[[Table, dict[str, int]], Column]] = {
        "number": read_number,
        "choice": read_choice,
        "words": read_written,
        "signature": read_written,
        "copied": read_written,
    }
    kind = table.choice("kind", tuple(readers))
    if "kind" not in table.values:
        table.fault("kind", f"missing; expected one of {', '.join(readers)}")
        return NO_COLUMN
    found = readers[kind](table, lists)
    table.finish()
    return found


def read_number(table: Table, lists: dict[str, int]) -> NumberColumn:
    """Read a column of numbers."""
    per = known_list(table, "per", lists)
    found = NumberColumn(
        name=table.get("name", str, ""),
        left=positive(table, "left"),
        digits=table.need("digits", int, 1),
        least=table.need("least", int, 0),
        most=table.need("most", int, 9),
        heading=table.get("heading", str, ""),
        per=per,
        step=positive(table, "step") if "per" in table.values else 0.0,
    )
    if not 1 <= found.digits <= MOST_DIGITS:
        table.fault("digits", f"expected 1 to {MOST_DIGITS}, found {found.digits}")
    if not 0 <= found.least <= found.most < 10 ** max(found.digits, 1):
        text = f"expected a number of {found.digits} digits, {found.least} or more, found {found.most}"
        table.fault("most", text)
    return found


def read_choice(table: Table, lists: dict[str, int]) -> ChoiceColumn:
    """Read a column of boxes to tick."""
    choices = sentences(table, "choices") if "choices" in table.values else ()
    found = ChoiceColumn(
        name=table.get("name", str, ""),
        left=positive(table, "left"),
        choices=choices,
        labels=sentences(table, "labels") if "labels" in table.values else choices,
        heading=table.get("heading", str, ""),
        per=known_list(table, "per", lists),
        step=positive(table, "step"),
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


def read_written(table: Table, lists: dict[str, int]) -> WrittenColumn:
    """Read a column of lines to write on; there is one in every row, whatever the lists hold."""
    return WrittenColumn(
        name=table.get("name", str, "") if table.values["kind"] == "copied" else table.need("name", str, ""),
        left=positive(table, "left"),
        width=positive(table, "width"),
        heading=table.get("heading", str, ""),
        is_signature=table.values["kind"] == "signature",
        is_player=table.get("is_player", bool, False),
        is_copied=table.values["kind"] == "copied",
    )

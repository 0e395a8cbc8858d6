"""Read the template of a sheet: every fault at once, each with its path."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, cast

import tomlkit

from pipeline.board import Step
from pipeline.paper import sheet
from pipeline.paper.sheet_rows import LEAST_LABEL_PT, LEAST_PLACE_MM, LEAST_TICK_MM, TargetMeasures
from pipeline.problems import Stopped, stop
from pipeline.rules.table import Table, read_toml_text
from pipeline.words.speech import ENGLISH, Speech

# Read the table ``[ballot]`` of a template: every fault at once, each with its path.

LEAST_LINE_MM = 7.4  # a box of 5 mm, and room for a long stroke of the tick in the box below
LEAST_ALONE_MM = 9.0  # of a line in retreats and adjustments, and of a line to write on


def _read_targets(table: Table) -> TargetMeasures:
    kinds = TargetMeasures.__annotations__
    make: Callable[..., TargetMeasures] = TargetMeasures
    found = make(
        **{name: read_length(table, name) for name, kind in kinds.items() if kind is float},
        **{name: _read_count(table, name) for name, kind in kinds.items() if kind is int},
        **{name: table.need(name, str, "") for name, kind in kinds.items() if kind is str},
        **{name: read_sentences(table, name) for name in kinds if name.endswith("_example")},
    )
    table.finish()
    return found


def _read_count(table: Table, name: str) -> int:
    """Read how many there are of something."""
    value = table.need(name, int, 1)
    if value < 1:
        table.fault(name, f"expected at least 1, found {value}")
    return max(value, 1)


def _check_targets(template: sheet.SheetTemplate, measures: TargetMeasures, top: Table) -> None:
    """Report what is too small to write in, and rows that do not fit between the margins and above the codes."""
    least = {
        "label_pt": (measures.label_pt, LEAST_LABEL_PT, "points, letters 2.6 mm high"),
        "tick": (measures.tick, LEAST_TICK_MM, "mm"),
        "roomy_tick": (measures.roomy_tick, measures.tick, "mm, as large as the others"),
        "least": (measures.least, LEAST_LINE_MM, "mm"),
        "least_alone": (measures.least_alone, LEAST_ALONE_MM, "mm"),
        "ticks": (measures.ticks, LEAST_LINE_MM, "mm"),
        "writing": (measures.writing, LEAST_ALONE_MM, "mm to write in"),
        "most": (measures.most, measures.least_alone, "mm, as much as the least"),
        "whom_width": (measures.whom_width, LEAST_PLACE_MM, "mm to write a place in"),
        "goes_width": (measures.goes_width, LEAST_PLACE_MM, "mm to write a place in"),
    }
    for name, (value, wanted, of) in least.items():
        if value < wanted:
            top.fault(f"ballot.{name}", f"expected at least {wanted:g} {of}, found {value:g}")
    room = measures.right - measures.left
    columns = measures.unit + measures.does + measures.whom * measures.whom_width + measures.goes * measures.goes_width
    if columns > room + 1e-6:
        top.fault("ballot.goes_width", f"the columns take {columns:g} mm, and a row has {room:g}")
    floor = template.height - template.markers.margin - max(template.markers.size, template.codes.bottom)
    if measures.bottom > floor and measures.left < template.header.left + template.codes.bottom:
        top.fault("ballot.bottom", f"the rows end at {measures.bottom:g} mm, below {floor:g} where the codes begin")
    for step in Step:
        if measures.most_on(step) < 1:
            top.fault("ballot.top", f"there is no room for one unit on a sheet of {step.name.lower()}")


T = TypeVar("T")

LEAST_MARKER_MM = 8.0  # 6 mm is too small, 10 mm is right; A5 takes 8
LEAST_PITCH_MM = 9.0  # lower rows make letters of two lines touch


def read_template(text: str, where: str) -> sheet.SheetTemplate:
    """Read a template; every fault at once."""
    try:
        values = read_toml_text(text)
    except ValueError as error:
        raise stop(f"not TOML: {error}", where) from error
    top = Table(values, where)
    paper = top.table("paper")
    template = sheet.SheetTemplate(
        name=paper.need("name", str, ""),
        width=paper.need("width", float, 210.0),
        height=paper.need("height", float, 297.0),
        language=paper.get("language", str, ENGLISH),
        markers=read_lengths(top.table("markers"), sheet.Markers),
        codes=read_lengths(top.table("codes"), sheet.Codes),
        header=read_lengths(top.table("header"), sheet.Header),
        rows=_read_row_lengths(top.table("rows")),
        bars=read_lengths(top.table("bars"), sheet.Bars),
        guide=read_lengths(top.table("guide"), sheet.Dots),
        foot=read_lengths(top.table("foot"), sheet.Foot),
        pad=_read_pad(top.table("pad")),
        targets=_read_targets(top.table("ballot")) if "ballot" in values else None,
        words=_read_sheet_words(top.table("words")),
        beginners=sheet.read_beginners(top.table("beginners")) if "beginners" in values else None,
    )
    paper.finish()
    _check_template_fits(template, top)
    problems = top.finish()
    if problems:
        raise Stopped(problems)
    return template


def read_lengths(table: Table, kind: Callable[..., T]) -> T:
    """Read a table whose fields are all lengths."""
    found = kind(**{name: read_length(table, name) for name in kind.__annotations__})
    table.finish()
    return found


def read_length(table: Table, name: str) -> float:
    """Read one length, which must be more than nothing."""
    value = table.need(name, float, 1.0)
    if value <= 0:
        table.fault(name, f"expected more than 0, found {value:g}")
    return value


def _read_row_lengths(table: Table) -> sheet.Rows:
    """Read the table of rows, which has counts among its lengths."""
    counts = {name: table.need(name, int, 1) for name in ("movement", "retreats", "adjustments", "spare")}
    lengths_here = {name: read_length(table, name) for name in sheet.Rows.__annotations__ if name not in counts}
    make: Callable[..., sheet.Rows] = sheet.Rows
    found = make(**lengths_here, **counts)
    if found.spare < 0:
        table.fault("spare", f"expected 0 or more, found {found.spare}")
    for name in ("movement", "retreats", "adjustments"):
        if counts[name] <= found.spare:
            table.fault(name, f"expected more rows than the {found.spare} spare ones, found {counts[name]}")
    table.finish()
    return found


def _read_pad(table: Table) -> sheet.Pad:
    """Read the tick boxes for season and year."""
    found = sheet.Pad(
        box=read_length(table, "box"),
        label_pt=read_length(table, "label_pt"),
        first_year=table.need("first_year", int, 1901),
        years=table.need("years", int, 10),
    )
    if not 4 <= found.box <= 8:
        table.fault("box", f"expected 4 to 8 mm, found {found.box:g}")
    if not 1 <= found.years <= 20:
        table.fault("years", f"expected 1 to 20, found {found.years}")
    table.finish()
    return found


def _read_sheet_words(table: Table) -> sheet.SheetWords:
    found = sheet.SheetWords(
        alphabet=table.need("alphabet", str, ""),
        capitals=table.need("capitals", str, ""),
        player=table.need("player", str, ""),
        signature=table.need("signature", str, ""),
        spring=table.need("spring", str, ""),
        fall=table.need("fall", str, ""),
        movement=read_sentences(table, "movement"),
        retreats=read_sentences(table, "retreats"),
        adjustments=read_sentences(table, "adjustments"),
    )
    table.finish()
    return found


def read_sentences(table: Table, name: str) -> tuple[str, ...]:
    """Read an array of sentences, or of the parts of an example."""
    found = table.need(name, list, [])
    if not all(isinstance(sentence, str) for sentence in found):
        table.fault(name, f"expected an array of strings, found {found!r}")
        return ()
    return tuple(found)


def _check_template_fits(template: sheet.SheetTemplate, top: Table) -> None:
    """Refuse a template that could not be printed or read: small markers, low rows, rows that reach the markers."""
    if template.markers.size < LEAST_MARKER_MM:
        top.fault("markers.size", f"expected at least {LEAST_MARKER_MM:g} mm, found {template.markers.size:g}")
    if template.rows.pitch < LEAST_PITCH_MM:
        top.fault("rows.pitch", f"expected at least {LEAST_PITCH_MM:g} mm to write in, found {template.rows.pitch:g}")
    floor = template.height - template.markers.margin - max(template.markers.size, template.codes.bottom)
    for step in Step:
        foot = template.rows.top + template.rows.on(step) * template.rows.pitch
        if foot > floor:
            top.fault(
                f"rows.{step.name.lower()}",
                f"the last row ends at {foot:g} mm, below {floor:g} where the markers begin",
            )
    _check_between_bars(template, "rows", template.rows.left, template.rows.right, top)
    if template.targets is not None:
        _check_between_bars(template, "ballot", template.targets.left, template.targets.right, top)
        _check_targets(template, template.targets, top)
    if template.beginners is not None:
        _check_examples(template, template.beginners, top)


def _check_between_bars(template: sheet.SheetTemplate, where: str, left: float, right: float, top: Table) -> None:
    """Refuse rows that run into the bars beside them, or off the paper."""
    least = template.markers.margin + template.bars.width
    most = template.width - least
    if not least < left < right < most:
        top.fault(
            f"{where}.right", f"expected rows between the bars, {least:g} to {most:g} mm, found {left:g} to {right:g}"
        )


def _check_examples(template: sheet.SheetTemplate, beginners: sheet.Beginners, top: Table) -> None:
    """Refuse examples that run into the instructions at the foot, or rows of which none is left to write on."""
    floor = template.foot.top - template.foot.leading
    for step in Step:
        name = f"beginners.{step.name.lower()}"
        if beginners.on(step) <= template.rows.spare:
            spare = template.rows.spare
            top.fault(f"{name}_rows", f"expected more rows than the {spare} spare ones, found {beginners.on(step)}")
        end = template.rows.top + beginners.on(step) * template.rows.pitch + beginners.height(step)
        if end > floor:
            top.fault(name, f"the examples end at {end:g} mm, below {floor:g} where the foot begins; have fewer rows")


# Translate a template. The ledger stores a print-out with its template, whose table [paper] or [form] has the language.

# keys whose values are not translated
CODES = frozenset({"alphabet", "choices", "each", "kind", "name", "per", "language"})
TICKED = "[x] "  # before a word of an example: its box is ticked
NOTATION = re.compile(r"[^a-z]*")  # orders and places: `Speech.order` writes them in the players' abbreviations


def texts_in(values: Mapping[str, Any]) -> Iterator[str]:
    """Every text of a template that is translated.

    >>> list(texts_in({"words": {"alphabet": "ABC", "player": "Player", "example": ["A VIE", "[x] Hold"]}}))
    ['Player', 'Hold']
    """
    for key, value in values.items():
        if key not in CODES:
            yield from _walk_texts(value)


def _walk_texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from texts_in(value)
    elif isinstance(value, list):
        for each in value:
            yield from _walk_texts(each)
    elif isinstance(value, str) and not NOTATION.fullmatch(bare := value.removeprefix(TICKED)):
        yield bare


def translate_template(text: str, speech: Speech) -> str:
    """Translate a template; English returns it unchanged, and so does a text that is not TOML."""
    if speech.code == ENGLISH:
        return text
    try:
        file = tomlkit.parse(text)
    except ValueError:
        return text  # `read_template` and `read_form` say what is wrong with it
    _translate_texts(file, speech)
    for name in ("paper", "form"):
        if isinstance(table := file.get(name), Mapping):
            cast("dict[str, Any]", table)["language"] = speech.code
    return file.as_string()


def _translate_texts(values: Any, speech: Speech) -> None:
    """Translate the texts of a table or of a list, in place."""
    for key, value in list(values.items() if isinstance(values, Mapping) else enumerate(values)):
        if key in CODES:
            continue
        if isinstance(value, Mapping | list):
            _translate_texts(value, speech)
        elif isinstance(value, str):
            ticked = TICKED if value.startswith(TICKED) else ""
            values[key] = ticked + speech.order(speech.says(str(value).removeprefix(TICKED)))

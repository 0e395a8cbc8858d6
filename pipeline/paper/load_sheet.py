"""Read the template of a sheet: every fault at once, each with its path."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar, cast

import tomlkit
from msgspec import Struct
from msgspec.structs import asdict

from pipeline.board import Step
from pipeline.paper import sheet
from pipeline.paper.sheet_rows import Length
from pipeline.problems import Stopped, stop
from pipeline.rules.convert import convert_value, read_struct
from pipeline.rules.table import Table, read_toml_text
from pipeline.words.speech import ENGLISH, Speech

T = TypeVar("T", bound=sheet.MarkedPaper)


class _PaperTable(Struct, frozen=True):
    """Table ``[paper]``."""

    name: str
    width: Length
    height: Length
    language: str = ENGLISH


@lru_cache(maxsize=64)  # an event's printings, each of which says its template
def read_template(text: str, where: str) -> sheet.SheetTemplate:
    """Read a template; every fault at once."""
    top = open_template(text, where)
    given = asdict(read_struct(_PaperTable, top.table("paper")))
    if "beginners" in top.values:
        given["beginners"] = _read_beginners(top.table("beginners"))
    template = read_struct(sheet.SheetTemplate, top, given)
    for key, fault in _faults_in(template):
        top.fault_if_first(key, fault)
    if top.problems:
        raise Stopped(sorted(top.problems, key=lambda problem: problem.where))
    return template


def open_template(text: str, where: str, between: str = ".") -> Table:
    """Open a template that is TOML."""
    try:
        return Table(read_toml_text(text), where, between=between)
    except ValueError as error:
        raise stop(f"not TOML: {error}", where) from error


def _read_beginners(table: Table) -> sheet.Beginners:
    """Read the table of beginners' sheets; each step has its examples and their heading."""
    examples = []
    for step in (step.name.lower() for step in Step):
        heading, lines = table.need(f"{step}_heading", str, ""), table.need(step, list, [])
        examples.append(sheet.Examples(heading, convert_value(lines, tuple[sheet.Example, ...], table, step)))
    return read_struct(sheet.Beginners, table, {"examples": tuple(examples)})


def _faults_in(template: sheet.SheetTemplate) -> Iterator[tuple[str, str]]:
    """Why a template could not be printed or read: rows that reach the markers, examples that reach the foot."""
    floor = template.height - template.markers.margin - max(template.markers.size, template.codes.bottom)
    for step in Step:
        foot = template.rows.top + template.rows.on(step) * template.rows.pitch
        if foot > floor:
            text = f"the last row ends at {foot:g} mm, below {floor:g} where the markers begin"
            yield f"rows.{step.name.lower()}", text
    yield from _faults_between_bars(template, "rows", template.rows.left, template.rows.right)
    if template.targets is not None:
        targets = template.targets
        yield from _faults_between_bars(template, "ballot", targets.left, targets.right)
        if targets.bottom > floor and targets.left < template.header.left + template.codes.bottom:
            yield "ballot.bottom", f"the rows end at {targets.bottom:g} mm, below {floor:g} where the codes begin"
    if template.beginners is not None:
        yield from _faults_in_examples(template, template.beginners)


def _faults_between_bars(
    template: sheet.SheetTemplate, where: str, left: float, right: float
) -> Iterator[tuple[str, str]]:
    """Rows that run into the bars beside them, or off the paper."""
    least = template.markers.margin + template.bars.width
    most = template.width - least
    if not least < left < right < most:
        text = f"expected rows between the bars, {least:g} to {most:g} mm, found {left:g} to {right:g}"
        yield f"{where}.right", text


def _faults_in_examples(template: sheet.SheetTemplate, beginners: sheet.Beginners) -> Iterator[tuple[str, str]]:
    """Examples that run into the instructions at the foot, or rows of which none is left to write on."""
    floor = template.foot.top - template.foot.leading
    for step in Step:
        name = f"beginners.{step.name.lower()}"
        if beginners.on(step) <= template.rows.spare:
            spare = template.rows.spare
            yield f"{name}_rows", f"expected more rows than the {spare} spare ones, found {beginners.on(step)}"
        end = template.rows.top + beginners.on(step) * template.rows.pitch + beginners.height(step)
        if end > floor:
            yield name, f"the examples end at {end:g} mm, below {floor:g} where the foot begins; have fewer rows"


# Translate a template. The ledger stores a print-out with its template, whose table [paper] or [form] has the language.

# keys whose values are not translated
CODES = frozenset({"alphabet", "choices", "each", "kind", "name", "per", "language"})
TICKED = "[x] "  # before a word of an example: its box is ticked


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

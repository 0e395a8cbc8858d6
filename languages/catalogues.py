"""What players see and the codes that have sentences, collected; and the catalogues in step with them."""

import ast
import re
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from pipeline.paper.load_sheet import CODES, TICKED
from pipeline.words.speech import ENGLISH, SentenceCode

HOUSE = Path(__file__).parents[1]
FOLDER = HOUSE / "pipeline/words/catalogues"
SAID = dict.fromkeys(("says", "wording", "to_say", "_"))  # the functions whose first text is for players
TOOL = "python -m languages"
DAY = datetime(2026, 11, 23, tzinfo=UTC)  # in every file: the same texts give the same bytes
WIDTH = 120
NOTATION = re.compile(r"[^a-z]*")  # orders and places: `Speech.order` writes them in the players' abbreviations
ABOUT_TEXTS = f"# ordersheets: what players see. Kept by {TOOL}; translate here, then say it again."
ABOUT_SENTENCES = f"""\
# ordersheets: the sentence for each code. Change a sentence here, then run {TOOL}.
# Texts in braces are data. Where several values may stand there, up to four texts follow the colon:
# {{name:before|after|instead of none|between}}."""


def collected(language: str) -> Catalog:
    """Every text of a catalogue, as the program and its templates have them now.

    English has the codes; another language has what players see, and those codes that its translator added.
    """
    found = Catalog(project="ordersheets", creation_date=DAY, revision_date=DAY, charset="utf-8")
    if language != ENGLISH:
        for text in texts():
            found.add(text)
    before = catalogue_of(language)
    for kind in kinds():
        path = f"{kind.__module__.replace('.', '/')}.py"
        for code in kind:
            if language == ENGLISH or before.get(code, kind.__name__):
                found.add(str(code), locations=[(path, 0)], context=kind.__name__)
    return found


@cache  # every language has the same, and to look for them takes a second
def texts() -> tuple[str, ...]:
    """The texts: from Python, from pages, from sheets and forms."""
    said = (said_in(path.read_text("utf-8")) for path in sorted((HOUSE / "pipeline").rglob("*.py")))
    pages = sorted((HOUSE / "pipeline/web/templates").glob("*.html"))
    shown = (shown_in(path) for path in pages)
    papers = sorted((HOUSE / "templates/sheets").rglob("*.toml"))
    printed = (texts_on_paper(tomllib.loads(path.read_text("utf-8"))) for path in papers)
    return tuple(sorted(set(chain.from_iterable(chain(said, shown, printed)))))


def texts_on_paper(values: Any) -> Iterator[str]:
    """The texts of a template of a sheet or a form that `translate_template` translates."""
    if isinstance(values, dict):
        for key, value in values.items():
            if key not in CODES:
                yield from texts_on_paper(value)
    elif isinstance(values, list):
        for each in values:
            yield from texts_on_paper(each)
    elif isinstance(values, str) and not NOTATION.fullmatch(bare := values.removeprefix(TICKED)):
        yield bare


def kinds() -> tuple[type[SentenceCode], ...]:
    """The enums of codes that have sentences."""
    for path in (HOUSE / "pipeline").rglob("*.py"):
        if f"({SentenceCode.__name__}):" in path.read_text("utf-8"):
            import_module(".".join(path.relative_to(HOUSE).with_suffix("").parts))
    return tuple(sorted(SentenceCode.__subclasses__(), key=lambda kind: kind.__module__))


def said_in(code: str) -> Iterator[str]:
    """The texts of one file of the program; Babel passes over what stands within f-strings."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Call(
                func=ast.Name(id=name) | ast.Attribute(attr=name), args=[ast.Constant(value=str(text)), *_]
            ) if name in SAID and text:
                yield text


def shown_in(page: Path) -> Iterator[str]:
    """The texts of one page."""
    with page.open("rb") as file:
        for _, message, _, _ in extract("jinja2.ext:babel_extract", file, keywords=SAID):
            text = message if isinstance(message, str) else message[0]
            if text:
                yield text


def languages() -> tuple[str, ...]:
    """The languages that have a catalogue."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.po")))


def catalogue_of(language: str) -> Catalog:
    """A catalogue as it stands; an empty one for a language that has none yet."""
    path = FOLDER / f"{language}.po"
    if not path.is_file():
        return Catalog(language, project="ordersheets", creation_date=DAY, revision_date=DAY)
    with path.open("rb") as file:
        return read_po(file, language)


def in_step(language: str) -> Catalog:
    """A catalogue with the texts of now: what is new has no translation yet, what is gone is left out."""
    found = catalogue_of(language)
    found.update(collected(language), no_fuzzy_matching=True, update_creation_date=False)
    found.obsolete.clear()
    found.header_comment, found.fuzzy = ABOUT_SENTENCES if language == ENGLISH else ABOUT_TEXTS, False
    found.version = found.msgid_bugs_address = found.last_translator = found.language_team = ""
    return found


def as_po(found: Catalog) -> bytes:
    """Write a catalogue for people."""
    file = BytesIO()
    write_po(file, found, width=WIDTH, ignore_obsolete=True)
    return file.getvalue()


def as_mo(found: Catalog) -> bytes:
    """Write a catalogue for the program."""
    file = BytesIO()
    write_mo(file, found)
    return file.getvalue()


def unwritten(found: Catalog) -> tuple[str, ...]:
    """The texts that nobody translated, or that somebody doubts, and the codes without a sentence."""
    lacking = (message for message in found if message.id and (not message.string or message.fuzzy))
    return tuple(f"{message.context} {message.id}" if message.context else str(message.id) for message in lacking)

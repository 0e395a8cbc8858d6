"""The small event of `desk.cup` among players of another language: rules of its own, with a table in that language."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pypdfium2

from desk.beginnings import copied
from desk.cup import NAMES, clock
from languages.catalogues import catalogue_of
from pipeline.desk.event.event import open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.draw.roster import Player
from pipeline.paper.sheet import SHEET_ID
from pipeline.small_files import data_folder

TABLES = {"de": "german", "fr": "french"}


def rules_abroad(folder: Path, language: str) -> Path:
    """Weasel Moot's rules with the table of a language, and with that language."""
    text = (data_folder("templates/rules") / "weaselmoot.toml").read_text("utf-8")
    assert 'abbreviations = "english"' in text
    text = text.replace('abbreviations = "english"', f'abbreviations = "{TABLES[language]}"\nlanguage = "{language}"')
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{language}.toml"
    path.write_text(text, "utf-8")
    return path


def seated_abroad(folder: Path, language: str, paper: str = "A4") -> Path:
    """Lay the event into a new folder, its first round seated; the folder is given back."""
    return copied(seat_abroad, folder, language, paper)


def seat_abroad(folder: Path, language: str, paper: str) -> None:
    """Make the event in a new folder and seat its first round."""
    rules = rules_abroad(folder.parent / "rules of its own", language)
    details = Details(name="Test Cup", code="TEST", tournament=str(rules), paper=paper)
    make_event_folder(folder, details, [Player(name=name) for name in NAMES.values()], clock)
    with open_event(folder, clock) as event:
        seat_round(event, 1, {"1": NAMES}, by="Tess")


WORD = re.compile(r"[^\W\d_]{3,}")
ANYWHERE = {"html", "fact", "sha"}  # no sentence: they stand beside numbers in every language


def words_of(texts: Iterable[str]) -> set[str]:
    """The words of some texts, in small letters, without the names of their data."""
    return {word.casefold() for text in texts for word in WORD.findall(re.sub(r"\{[^}:]*|[|}]", " ", text))}


@cache
def english_alone(language: str) -> frozenset[str]:
    """The words of the English texts that no text of another language has."""
    texts = {str(message.id): str(message.string) for message in catalogue_of(language) if message.id}
    return frozenset(words_of(texts) - words_of(texts.values()))


def english_in(text: str, language: str) -> set[str]:
    """The English words of the catalogue that stand in what players of another language see."""
    return (words_of([text]) & english_alone(language)) - words_of(NAMES.values()) - ANYWHERE


def words_on(pdf: bytes) -> str:
    """All that is printed in a PDF, without the ids of sheets, whose random letters may make a word."""
    document = pypdfium2.PdfDocument(pdf)
    pages = [document[number].get_textpage().get_text_bounded() for number in range(len(document))]
    document.close()
    return SHEET_ID.sub(" ", "\n".join(pages))

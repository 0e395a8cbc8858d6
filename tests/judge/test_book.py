"""The documentation is printed from the pages, and names every choice."""

from pathlib import Path

from msgspec.structs import fields

from judge.book import BOOK, book
from judge.pages import cases
from pipeline.judge.outcome import Word
from pipeline.judge.rulebook import Rulebook

GUIDE = Path(__file__).parents[2] / "docs" / "explanation" / "judge.md"


def test_the_book_is_printed_from_the_pages_as_they_stand() -> None:
    printed = {path.name: path.read_text("utf-8") for path in BOOK.glob("*.md")}

    assert printed == book(), "print it anew: python -m judge.book in tests/"


def test_every_case_is_in_the_book() -> None:
    text = "\n".join(book().values())

    for case in cases():
        assert f"## {case.number} · {case.name}\n" in text


def test_the_guide_names_every_choice_and_every_result() -> None:
    text = GUIDE.read_text("utf-8")

    assert [each.name for each in fields(Rulebook) if f"`{each.name}`" not in text] == ["name"]
    assert [word for word in Word if f"`{word}`" not in text] == []

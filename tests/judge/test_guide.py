"""The documentation names every choice and every result."""

from pathlib import Path

from msgspec.structs import fields

from pipeline.judge.outcome import Word
from pipeline.judge.rulebook import Rulebook

GUIDE = Path(__file__).parents[2] / "docs" / "explanation" / "judge.md"


def test_the_guide_names_every_choice_and_every_result() -> None:
    text = GUIDE.read_text("utf-8")

    assert [each.name for each in fields(Rulebook) if f"`{each.name}`" not in text] == []
    assert [word for word in Word if f"`{word}`" not in text] == []

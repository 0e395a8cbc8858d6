"""The page on safety promises only what a test proves."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/explanation/safety.md"
WITHOUT = ("Other systems", "After the event", "What is not protected")  # these promise nothing


def test_every_promise_names_the_tests_that_prove_it() -> None:
    sections = dict(part.split("\n", 1) for part in PAGE.read_text("utf-8").split("\n## ")[1:])
    assert set(WITHOUT) <= set(sections)
    for title, text in sections.items():
        named = re.findall(r"`(tests/[^`]+)`", text)
        assert named or title in WITHOUT, title
        assert [name for name in named if not (ROOT / name).is_file()] == []

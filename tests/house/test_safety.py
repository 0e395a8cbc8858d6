"""The page on safety promises only what a test proves: each sentence names it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/explanation/safety.md"
WITHOUT = ("Other systems", "After the event", "What is not protected")  # these promise nothing
ADVICE = (  # sentences that promise nothing, either, by their first words
    "A copy of the event's folder is an event",
    "Go on in one place only",
    "Remember three things",
    "Type their lines",
    "**What was scanned or ruled after the copy**",
    "**Only one machine goes on.**",
    "If it is the same, go on",
    "If not, somebody is in between",
    "TLS was tried in",
    "**PINs** are the passwords",
)
NAMED = re.compile(r"\[\^(\w+)\](?!:)")
NOTE = re.compile(r"(?m)^\[\^(\w+)\]: (.+)$")


def _sections() -> dict[str, str]:
    text = NOTE.sub("", PAGE.read_text("utf-8"))
    return dict(part.split("\n", 1) for part in text.split("\n## ")[1:])


def _sentences(text: str) -> list[str]:
    """The sentences of a section, each with its notes."""
    items = re.split(r"\n\n|\n(?=\* )", text)
    lines = (" ".join(item.removeprefix("* ").split()) for item in items if item.strip())
    return [part for line in lines for part in re.split(r"(?<=[.!?\]])(?<!\w\.\w\.) (?=[A-Z*`])", line)]


def test_every_promise_names_the_tests_that_prove_it() -> None:
    sections = _sections()
    assert set(WITHOUT) <= set(sections)
    promises = [each for title, text in sections.items() if title not in WITHOUT for each in _sentences(text)]
    assert len(promises) > 60
    without = [each for each in promises if not NAMED.search(each)]
    assert [each for each in without if not each.startswith(ADVICE)] == []
    assert [advice for advice in ADVICE if not any(each.startswith(advice) for each in without)] == []


@pytest.mark.parametrize(("label", "tests"), NOTE.findall(PAGE.read_text("utf-8")))
def test_the_tests_that_it_names_exist(label: str, tests: str) -> None:
    assert f"[^{label}]" in "".join(_sections().values())
    named = re.findall(r"`(tests/[^`:]+)::(\w+)`", tests)
    assert len(named) == tests.count("`") // 2 > 0
    for file, name in named:
        assert re.search(rf"(?m)^def {name}\(", (ROOT / file).read_text("utf-8")), f"{file}::{name}"


def test_every_note_is_there() -> None:
    noted = {label for label, _ in NOTE.findall(PAGE.read_text("utf-8"))}
    assert {label for text in _sections().values() for label in NAMED.findall(text)} == noted

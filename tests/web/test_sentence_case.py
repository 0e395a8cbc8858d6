"""Buttons, headings and entries begin with a capital on every page, and sentences of the review."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pipeline
from web.conftest import Browser
from web.test_accessibility import OWN, PUBLIC, STATIC, Page

ENTRIES = ("button", "h1", "h2", "h3", "summary", "legend", "label", "option", "th")
STARTS = re.compile(r"[^\w]*(\w)")
CATALOGUES = Path(pipeline.__file__).parent / "words" / "catalogues"
TRANSLATED = sorted(path for path in CATALOGUES.glob("*.po") if path.stem != "en")  # of which English is the key
NAMES = ("ordersheets",)  # the program's own name is written so
NAMES_TYPED = ("phone", "beamer", "ada", "nobody")  # who may log in, and who is looked for
IN_A_SENTENCE = ("here", "telephones", "journal", "the network is switched on")  # links inside a sentence
CALLS = (
    r"\bbutton\(\s*(?:\w+ \? )?[\"`]({words})[\"`]",
    r"\bel\(\"(?:button|h1|h2|h3|summary|legend|label|a|th|option)\", "
    r"\{{[^{{}}]*(?:\{{[^{{}}]*\}}[^{{}}]*)*\}}, [\"`]({words})[\"`]",
    r"\bfield\(\"({words})\"",
    r"placeholder: \"({words})\"",
)


def begins_small(text: str) -> bool:
    """Whether the first letter is a small one."""
    match = STARTS.match(text)
    return match is not None and match[1].islower() and text not in (*NAMES, *NAMES_TYPED, *IN_A_SENTENCE)


def small_entries(page: Page) -> Iterator[str]:
    """Buttons, headings and entries of a page that begin with a small letter."""
    yield from (each["says"] for each in page.of(*ENTRIES) if begins_small(each["says"]))
    yield from (each["says"] for each in page.of("a") if "nav" in each["inside"].split() and begins_small(each["says"]))


@pytest.mark.parametrize("path", [*OWN, "/correct", "/capture", *PUBLIC])
def test_buttons_headings_and_entries_of_a_page_begin_with_a_capital(tess: Browser, path: str) -> None:
    answer = tess.client.get(path, headers={"accept": "text/html"})
    assert list(small_entries(Page(answer.text))) == []


@pytest.mark.parametrize("script", sorted(path.name for path in STATIC.glob("*.js")))
def test_those_that_a_script_makes_do_too(script: str) -> None:
    text = (STATIC / script).read_text("utf-8")
    made = [found[1] for call in CALLS for found in re.finditer(call.format(words=r"[a-z][^\"`]*"), text)]
    assert [each for each in made if begins_small(each)] == []


def test_sentences_beside_the_review_do_too() -> None:
    text = (STATIC / "panels.js").read_text("utf-8")
    assert re.findall(r'el\("p", \{[^{}]*\}, "([a-z]\w* [^"]*)"', text) == []


def test_the_checks_find_what_they_look_for() -> None:
    page = Page("<nav><a>notes</a></nav><button>✓ take it</button><h2>Fine</h2><label>1 board</label>")
    assert list(small_entries(page)) == ["✓ take it", "notes"]


@pytest.mark.parametrize("catalogue", TRANSLATED)
def test_what_begins_with_a_capital_does_so_in_every_language(catalogue: Path) -> None:
    pairs = re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', catalogue.read_text("utf-8"), re.MULTILINE)
    assert len(pairs) > 50
    assert [(said, its) for said, its in pairs if said[0].isupper() and begins_small(its)] == []

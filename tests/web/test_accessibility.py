"""What can be told of the pages without a browser: labels, headings, names, and the contrast of every pair of colours.

`benchmarks/accessibility.py` lets axe-core look at the painted pages; this holds what it found from coming back.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from desk.moot import played

from benchmarks.accessibility import axe_in
from benchmarks.browsed import PAGES
from pipeline.desk.event.event import open_event
from pipeline.ledger.events import StandingsOpened
from pipeline.ledger.files import now
from pipeline.web.server import Opened, open_office
from web.conftest import SEATS, Browser, Time, stranger

STATIC = Path(__file__).resolve().parents[2] / "pipeline" / "web" / "static"
OWN = (
    "/",
    "/desk",
    "/players",
    "/tables",
    "/notes",
    "/journal",
    "/forms",
    "/clock",
    "/systems",
    "/screen",
    "/upload",
    "/room",
)
PUBLIC = (
    "/door",
    "/nowhere",
    "/live",
    "/live/seat?who=ada",
    "/live/seat?who=nobody",
    "/live/board/1.1",
    "/live/board/9.9",
    "/live/standings",
)
VOID = ("input", "img", "meta", "link", "br", "hr", "source", "col", "wbr")
ENOUGH = 4.5  # (WCAG 2.2, 1.4.3)
Colour = tuple[int, int, int]


class Page(HTMLParser):
    """A page's elements, each with its attributes, what it says, and what it stands in."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[dict[str, str]] = []
        self.all: list[dict[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins; a picture says to those around it what it shows."""
        inside = " ".join(each["tag"] for each in self.open)
        made = {key: value or "" for key, value in attrs} | {"tag": tag, "says": "", "inside": inside}
        self.all.append(made)
        self.handle_data(made.get("alt", ""))
        if tag not in VOID:
            self.open.append(made)

    def handle_endtag(self, tag: str) -> None:
        """An element ends, and whatever in it was not ended."""
        while self.open and self.open.pop()["tag"] != tag:
            pass

    def handle_data(self, data: str) -> None:
        """Words stand in everything that is open."""
        for each in self.open:
            each["says"] += data.strip()

    def of(self, *tags: str) -> list[dict[str, str]]:
        """All elements of some kinds."""
        return [each for each in self.all if each["tag"] in tags]


def faults(page: Page) -> Iterator[str]:
    """Everything on a page that somebody who does not see it, or has no mouse, would stumble over."""
    (html,) = page.of("html")
    yield from ["no language"] if not html.get("lang") else []
    yield from ["no title"] if not any(each["says"] for each in page.of("title")) else []
    yield from (f"{each} without alt" for each in page.of("img") if "alt" not in each)
    labelled = {each.get("for") for each in page.of("label")}
    for each in page.of("input", "select", "textarea"):
        is_named = each.get("aria-label") or each.get("id") in labelled or "label" in each["inside"].split()
        if not is_named and each.get("type") not in ("hidden", "submit"):
            yield f"{each} has no label"
    yield from (f"{e} says nothing" for e in page.of("button", "a") if not (e["says"] or e.get("aria-label")))
    yield from (f"{each} leaves the order of the page" for each in page.all if int(each.get("tabindex") or 0) > 0)
    levels = [int(each["tag"][1]) for each in page.of("h1", "h2", "h3", "h4")]
    yield from (f"h{level} after h{before}" for before, level in pairwise(levels) if level > before + 1)
    yield from [f"{levels.count(1)} h1"] if levels.count(1) > 1 else []
    ids = [each["id"] for each in page.all if "id" in each]
    yield from (f"id {each} stands twice" for each in sorted({each for each in ids if ids.count(each) > 1}))
    looks = [each.get("content", "") for each in page.of("meta") if each.get("name") == "viewport"]
    yield from ["it does not fit a telephone, or cannot be enlarged"] if not is_viewed(looks) else []
    yield from ["no main part"] if len(page.of("main")) != 1 else []


def is_viewed(looks: list[str]) -> bool:
    """Whether a page has the width of its screen, and whoever reads it may enlarge it."""
    return len(looks) == 1 and "width=device-width" in looks[0] and "user-scalable" not in looks[0]


@pytest.fixture(scope="module")
def switcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    folder = played(tmp_path_factory.mktemp("pages") / "moot")
    with open_event(folder, now) as event:
        event.facts.write(StandingsOpened(open=True), "Tess")
    with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
        yield opened


@pytest.mark.parametrize("path", OWN)
def test_the_directors_pages_have_names_for_everything(switcher: Opened, path: str) -> None:
    answer = Browser(switcher, "Tess").client.get(path)
    assert answer.status_code == 200
    assert list(faults(Page(answer.text))) == []


@pytest.mark.parametrize("path", PUBLIC)
def test_the_pages_without_a_log_in_have_names_for_everything(switcher: Opened, path: str) -> None:
    answer = stranger(switcher).get(path, headers={"accept": "text/html"})
    assert answer.headers["content-type"].startswith("text/html")
    assert list(faults(Page(answer.text))) == []


def test_the_checks_find_what_they_look_for() -> None:
    bad = "<html><title></title><main><h1>a</h1><h3>b</h3><h1>c</h1><img><input id=x><b id=x></b><button></button>"
    assert len(list(faults(Page(bad)))) == 9


def test_who_is_refused_reads_a_page_with_a_way_on_and_a_script_its_answer(switcher: Opened) -> None:
    anna, seen = Browser(switcher, "Anna").client, {"accept": "text/html,*/*;q=0.8"}
    page = anna.get("/print/seats/1.pdf", headers=seen)
    assert page.status_code == 403
    assert list(faults(Page(page.text))) == []
    assert "✗ your role may not do this" in page.text
    assert 'href="/home"' in page.text
    assert anna.get("/print/seats/1.pdf").json() == {"said": "your role may not do this"}
    assert anna.get("/nowhere", headers=seen).status_code == 404
    assert "there is no such page" in anna.get("/nowhere", headers=seen).text


# ---- contrast -------------------------------------------------------------------------------------------------------


def colour(text: str) -> Colour | None:
    """A colour as the style sheets write it; None for what is none, or lets something else through."""
    named = {"white": "fff", "black": "000"}
    found = re.fullmatch(r"#([0-9a-f]{3}|[0-9a-f]{6})", f"#{named[text]}" if text in named else text.lower())
    if found is None:
        return None
    digits = found[1] if len(found[1]) == 6 else "".join(2 * each for each in found[1])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def light(one: Colour) -> float:
    """Its relative luminance (WCAG 2.2)."""
    parts = [each / 255 for each in one]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    """How much two colours differ, 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted((light(one), light(other)))
    return (lighter + 0.05) / (darker + 0.05)


DARK = "[data-look=dark]"  # chosen by the button of the screen


def rules_of(css: str) -> Iterator[tuple[bool, str, dict[str, str]]]:
    """Every rule: whether it is only for the dark, its selector, and what it says."""
    plain = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    for at, block in blocks(plain):
        if at.startswith("@media"):
            for selector, body in blocks(block):
                yield "dark" in at, selector, said(body)
        elif not at.startswith("@"):
            yield DARK in at, at.replace(DARK, "").strip(), said(block)


def blocks(css: str) -> Iterator[tuple[str, str]]:
    """What stands before each outermost pair of braces, and inside it."""
    start = depth = opened = 0
    for at, letter in enumerate(css):
        if letter == "{":
            depth, opened = depth + 1, at if depth == 0 else opened
        elif letter == "}":
            depth -= 1
            if depth == 0:
                yield css[start:opened].strip(), css[opened + 1 : at]
                start = at + 1


def said(body: str) -> dict[str, str]:
    """The properties of a rule."""
    pairs = (each.split(":", 1) for each in body.split(";") if ":" in each)
    return {name.strip(): value.strip() for name, value in pairs}


def variables(rules: list[tuple[bool, str, dict[str, str]]], *, dark: bool) -> dict[str, str]:
    """The variables as they are in the light, or in the dark."""
    found: dict[str, str] = {}
    for is_dark, selector, properties in rules:
        if ":root" in selector and (dark or not is_dark):
            found |= {name: value for name, value in properties.items() if name.startswith("--")}
    return found


def cascaded(rules: list[tuple[bool, str, dict[str, str]]], *, dark: bool) -> dict[str, dict[str, str]]:
    """What is said of each selector; in the dark what is said for the dark lies over it."""
    found: dict[str, dict[str, str]] = {}
    for wanted in (False, True) if dark else (False,):
        for is_dark, selectors, properties in rules:
            for selector in selectors.split(",") if is_dark is wanted else ():
                name = " ".join(selector.split())
                found[name] = found.get(name, {}) | properties
    return found


def resolved(value: str, names: dict[str, str]) -> Colour | None:
    """A colour with its variable looked up."""
    found = re.fullmatch(r"var\((--[a-z]+)\)", value)
    return colour(names.get(found[1], "") if found else value)


def sheets() -> dict[str, list[tuple[bool, str, dict[str, str]]]]:
    """Each style sheet, with those that are read before it."""
    read = {path.name: list(rules_of(path.read_text("utf-8"))) for path in sorted(STATIC.glob("*.css"))}
    shared = ["tokens.css", "desk.css", "day.css"]
    before = {name: shared[: shared.index(name)] if name in shared else shared for name in read}
    return {
        name: rules if name == "live.css" else [*(rule for each in before[name] for rule in read[each]), *rules]
        for name, rules in read.items()
    }


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("sheet", sorted(path.name for path in STATIC.glob("*.css")))
def test_whatever_is_written_in_a_colour_of_its_own_can_be_read_on_its_ground(sheet: str, *, dark: bool) -> None:
    rules = sheets()[sheet]
    names = variables(rules, dark=dark)
    faint = []
    for selector, properties in cascaded(rules, dark=dark).items():
        ground = properties.get("background", properties.get("background-color", ""))
        ink = resolved(properties.get("color", ""), names)
        paper = resolved(ground.split(" ")[0], names)
        if ink and paper and contrast(ink, paper) < ENOUGH:
            faint.append((selector, round(contrast(ink, paper), 2)))
    assert faint == []


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("sheet", sorted(path.name for path in STATIC.glob("*.css")))
def test_the_colours_of_words_can_be_read_on_paper_and_on_cards(sheet: str, *, dark: bool) -> None:
    names = variables(sheets()[sheet], dark=dark)
    grounds = [names[each] for each in ("--paper", "--card") if each in names]
    inks = [each for each in ("--ink", "--soft", "--bad", "--good", "--link") if each in names]
    assert grounds
    assert len(inks) >= 4
    faint = [
        (ink, ground)
        for ink in inks
        for ground in grounds
        if contrast(colour(names[ink]) or (0, 0, 0), colour(ground) or (0, 0, 0)) < ENOUGH
    ]
    assert faint == []


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


def test_the_walk_with_axe_core_says_how_to_get_it_where_it_is_not(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="npm pack axe-core"):
        axe_in(tmp_path)
    (tmp_path / "axe.min.js").write_text("axe = 1", "utf-8")
    assert axe_in(tmp_path) == "axe = 1"


def test_every_page_of_the_desk_is_walked() -> None:
    walked = {page.path.split("?")[0] for page in PAGES}
    assert walked >= {*OWN, "/door", "/events", "/live"}

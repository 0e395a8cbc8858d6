"""The pages for telephones and the public screen in German and French: no English word of ours is on them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from desk.abroad import english_in, rules_abroad, words_on
from desk.cup import clock
from desk.moot import draw, drawn, play_on
from pseudo import narrow_words, spoken
from sampled import slow_after

from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import games
from pipeline.desk.players import seats_of, tell_seats
from pipeline.desk.publish.public_record import public_record, start_clock
from pipeline.desk.signs import badges_pdf, place_cards_pdf, seats_pdf
from pipeline.export import maps
from pipeline.ledger.events import StandingsOpened
from pipeline.scoring.results import Ending
from pipeline.web.public_pages import FILED
from pipeline.web.public_site import site_files
from pipeline.web.server import Opened, open_office
from web.conftest import SEATS, Browser, Time, stranger
from web.driven import CHROMIUM, desk, served, slide_of

PEOPLE = tuple(f"Nr{number}" for number in range(14))
LANGUAGES = ("de", "fr")
TAG = re.compile("<(?!svg)[^>]*>")
SPOKEN = re.compile(r'(?:alt|aria-label|title|data-over)="([^"]*)"')
SVG = re.compile("<svg[^>]*>")
PLACE = re.compile("[A-Z]{2,3}")  # accents part the letters of some
CODE = re.compile(r"(?s)<(style|script).*?</\1>")


@pytest.fixture(scope="module", params=slow_after(1, LANGUAGES))
def abroad(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """One game over, one going on, seats of a next round told, standings open, the clock running."""
    return request.param, played_abroad(tmp_path_factory.mktemp(request.param), request.param)


def played_abroad(home: Path, language: str) -> Path:
    """Lay the event into a folder of ``home``; the event's folder is given back."""
    folder = drawn(home / "moot", PEOPLE, tournament=str(rules_abroad(home / "rules", language)))
    with open_event(folder, clock) as event:
        end_game(event, play_on(event, "1.1", "S1904M"), Ending.TIME, by="Nr0", why="time")
        play_on(event, "1.2", "F1903M")
        draw(event, 2, PEOPLE)
        tell_seats(event, 2, "Nr0")
        event.facts.write(StandingsOpened(open=True), "Nr0")
        start_clock(event, event.speech.says(games(event)["1.2"].position.phase.in_words), (("A", 900),), 0, "Nr0")
    return folder


@contextmanager
def at(folder: Path) -> Iterator[Opened]:
    with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
        yield opened


def seen(page: str) -> str:
    """What is read of a page, what is said of its pictures included."""
    page = CODE.sub("", page).replace("Moot of Maps", "")
    return f"{TAG.sub(' ', page)} {' '.join(SPOKEN.findall(page))}"


def test_the_pages_for_telephones_say_no_english_word(abroad: tuple[str, Path]) -> None:
    language, folder = abroad
    with at(folder) as opened:
        nobody = stranger(opened, "192.168.1.44")
        ahead, looked = (
            ["/live", "/live/seat?who=Nr3", "/live/seat?who=Nr", "/live/seat?who=Xy", "/live/board/9.9"],
            set(),
        )
        while ahead:
            path = ahead.pop()
            looked.add(path)
            text = nobody.get(path).text
            if not path.startswith("/live/map"):
                assert f'<html lang="{language}">' in text
                ahead += [link for link in re.findall(r'href="(/live[^"]*)"', text) if link not in {*looked, *ahead}]
            assert english_in(seen(text), language) == set(), path
        wrong = nobody.post("/door", data={"name": "Tess", "pin": "000000"}, headers={"origin": str(nobody.base_url)})
        for door in (nobody.get("/door"), wrong):
            assert english_in(seen(door.text), language) - {"phone"} == set()
    assert len(looked) > 40


def test_the_finished_event_as_files_says_no_english_word(abroad: tuple[str, Path]) -> None:
    language, folder = abroad
    with open_event(folder, clock) as event:
        record = public_record(event, games(event), are_open=True)
        found = site_files(record) | maps(record)
    assert len(found) > 40
    pages = {name.removeprefix("site/"): body.decode() for name, body in found.items() if name.startswith("site/")}
    links = {link for text in pages.values() for link in re.findall(r'(?:href|src)="([^"#:]+)"', text)}
    assert links <= pages.keys()
    assert pages.keys() - links <= {FILED.home}, "every page is led to"
    for name, body in found.items():
        if not name.endswith(".css"):
            assert english_in(seen(body.decode()), language) == set(), name


def test_all_that_players_read_is_in_the_catalogues(tmp_path: Path) -> None:
    """In a language whose catalogue has every text in wide letters only names and provinces stay narrow."""
    with spoken(instead_of="de"):
        folder = played_abroad(tmp_path, "de")
        with open_event(folder, clock) as event:
            record, seating = public_record(event, games(event), are_open=True), seats_of(event, 2)
            prints = {"seats": seats_pdf(event, seating), "cards": place_cards_pdf(event, seating)}
            prints["badges"] = badges_pdf(event)
            texts = {name: words_on(pdf).replace("Moot of Maps", "") for name, pdf in prints.items()}
            pages = {name: seen(body.decode()) for name, body in (site_files(record) | maps(record)).items()}
        with at(folder) as opened:
            beamer = Browser(opened, "beamer").client
            texts["screen"] = seen(beamer.get("/screen").text)
            texts["clock"] = re.sub(r"\{[^}:]*|[|}]", " ", " ".join(beamer.get("/api/clock").json()["words"].values()))
    texts |= {name: SVG.sub(" ", text) for name, text in pages.items() if not name.endswith(".css")}
    left = {(name, word) for name, text in texts.items() for word in narrow_words(text) if not PLACE.fullmatch(word)}
    assert {each for each in left if each[1] != "Nr"} == set()


def test_what_the_screen_is_told_has_no_english_word(abroad: tuple[str, Path]) -> None:
    language, folder = abroad
    with at(folder) as opened:
        beamer = Browser(opened, "beamer").client
        told, page = beamer.get("/api/clock").json(), beamer.get("/screen").text
        director = Browser(opened, "Tess").client
        to_start = director.get("/api/clock").json()
        clock_page, to_the_director = director.get("/clock").text, director.get("/api/tables").json()["standings_after"]
    for each in (page, clock_page):
        assert f'<html lang="{language}">' in each
        assert "<nav" not in each
    assert told["language"] == language
    assert english_in(" ".join(shown([told, to_start])), language) == set()
    assert to_start["plans"]
    assert english_in(to_the_director, language), "the director's pages are in English"


def shown(told: Any) -> Iterator[str]:
    """Every text of an answer that is shown; what tells powers apart is not."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict):
        for key, value in told.items():
            if key not in ("map", "ended", "hash", "seed"):
                yield from shown(value)
    elif isinstance(told, list):
        for value in told:
            if not (isinstance(value, str) and value.isupper()):
                yield from shown(value)


SIZES = ((1280, 720), (1920, 1080))
TOO_LARGE = "[...document.querySelectorAll('.fit')].filter((n) => n.scrollWidth > n.clientWidth + 1).length"


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
def test_every_slide_of_the_screen_is_in_the_events_language_and_fits(abroad: tuple[str, Path], chromium: Any) -> None:
    language, folder = abroad
    with served(folder) as server, desk(chromium, server.page) as tess:
        texts = [shown_on(tess.page, size, slide) for size in SIZES for slide in range(4)]
    assert {said for said, _, _, _ in texts} == {language}
    assert [english_in(text, language) for _, text, _, _ in texts] == [set()] * len(texts)
    assert [(wide, over) for _, _, wide, over in texts] == [(size[0], 0) for size in SIZES for _ in range(4)]


def shown_on(page: Any, size: tuple[int, int], slide: int) -> tuple[str, str, int, int]:
    """The language, the text, the width of a slide, and what runs over in it."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    slide_of(page, slide)
    found = page.evaluate("[document.documentElement.lang, document.documentElement.scrollWidth]")
    text, over = page.inner_text("body").replace("Moot of Maps", ""), page.evaluate(TOO_LARGE)
    return found[0], text, found[1], over


PHONE = {"width": 390, "height": 844}
PATHS = ("", "/standings", "/board/1.1", "/board/1.2", "/board/1.1/F1903M", "/seat?who=Nr3", "/seat?who=Xy")


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
def test_no_page_is_wider_than_a_telephone(abroad: tuple[str, Path], chromium: Any) -> None:
    with served(abroad[1]) as server, desk(chromium, f"http://127.0.0.1:{server.port}/live") as phone:
        page = phone.page
        page.set_viewport_size(PHONE)
        for path in PATHS:
            page.goto(f"http://127.0.0.1:{server.port}/live{path}")
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path

"""Every page, for everybody, in every state of an event: it answers, in sentences; what it links to is there."""

import html
import json
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from desk.beginnings import copied
from desk.cup import NAMES, clock, seat_anew, sheets_of, spring
from desk.moot import draw, draw_anew, play_on, publish_next
from desk.sheets.test_strays import SCAN, waits
from starlette.routing import Route

from pipeline.board import Phase, Power, Step
from pipeline.desk.event.ending import end_game, over_words
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import find_game, games
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.players import tell_seats
from pipeline.desk.results.notes import enter_note
from pipeline.desk.review.queue import Check, Ready, agenda_by_name, board_of_item, is_awaited
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import type_lines
from pipeline.desk.sheets.pads import SheetState
from pipeline.desk.sheets.printing import print_round
from pipeline.draw.roster import Player
from pipeline.ledger.events import PageIdentified, PageRead
from pipeline.ledger.ledger import Fact, Ledger
from pipeline.problems import stop
from pipeline.scoring.results import Ending
from pipeline.web.server import Opened, open_office
from web import stale
from web.conftest import Browser, Time, make_event

PEOPLE = ("Bo", "Dag", *(f"Nr{number}" for number in range(12)))  # two of them are at the desk, too
RESULT = {"board": "1.2", "ended": "time", "years": "1907 A5 E4 F5 G5 I4 R6 T5"}


def nothing_yet(folder: Path) -> None:
    details = Details(name="Moot of Maps", code="MAPS", tournament="weaselmoot")
    make_event_folder(folder, details, [Player(name=name) for name in PEOPLE], clock)


def seated(folder: Path) -> None:
    """Of an earlier draw there was a second board, for which sheets were printed and lines typed."""
    seat_anew(folder, "TEST", "weaselmoot")
    with open_event(folder, clock) as event:
        seat_round(event, 1, {"1": NAMES, "2": NAMES}, by="Tess")
        print_round(event, 1, "2")
        type_lines(event, Turn("1.2", Phase.read("S1901M"), Power.AUSTRIA), ["A VIE H"], by="Tess")
        seat_round(event, 1, {"1": NAMES}, by="Tess")


def retreats_and_winter(folder: Path) -> None:
    """One board retreats, the other builds; the sheets are printed."""
    draw_anew(folder, PEOPLE, "weaselmoot", "")
    with open_event(folder, clock) as event:
        tell_seats(event, 1, "Tess")
        while (game := find_game(event, "1.1")).position.phase.step is not Step.RETREATS:
            publish_next(event, game)
        play_on(event, "1.2", "W1901A")
        print_round(event, 1)


def second_round(folder: Path) -> None:
    """Of the first round one board was ended, of the other the result was entered; the second is seated and told."""
    draw_anew(folder, PEOPLE, "weaselmoot", "")
    with open_event(folder, clock) as event:
        tell_seats(event, 1, "Tess")
        end_game(event, play_on(event, "1.1", "S1903M"), Ending.TIME, by="Tess", why="time")
        enter_note(event, "result", RESULT, by="Tess", why="it went on")
        draw(event, 2, PEOPLE[::-1])
        tell_seats(event, 2, "Tess")
        print_round(event, 2)


def prepared(folder: Path, *prepare: Callable[[Opened, Browser], Any]) -> None:
    """The small event, after what these do in its pages."""
    make_event(folder)
    with open_office(folder, stale.SEATS, is_lan=True, clock=Time(), engine=stale._no_engine) as opened:
        for each in prepare:
            each(opened, Browser(opened, "Tess"))


STATES: Mapping[str, tuple[Callable[..., None], tuple[Any, ...]]] = {
    "nothing yet": (nothing_yet, ()),
    "seated": (seated, ()),
    "doubts": (prepared, ()),
    "decided": (prepared, (stale.with_decision, stale.with_note_of_board, stale.with_ruled_slip)),
    "published": (prepared, (stale.with_publication,)),
    "waits": (prepared, (stale.with_slip,)),
    "over": (prepared, (stale.all_over,)),
    "retreats and winter": (retreats_and_winter, ()),
    "second round": (second_round, ()),
}


LINK = re.compile(r"/[\w.-]*(?:[/?][^\s\"'<>]*)?")
IN_HTML = re.compile(r"""(?:href|src|data-src)="(/[^"]*)\"""")
ELSEWHERE = ("/static/", "/home", "/door", "/leave", "/events", "/print/")


def addresses_of(opened: Opened) -> Iterator[str]:
    """What can be asked for, without a link to it: each page, and each of every board, phase and round."""
    games = opened.office.live.games.values()
    of: dict[str, list[Any]] = {
        "board": [game.name for game in games],
        "round": sorted({game.seating.round for game in games}) or [1],
        "ending": ["xlsx"],
        "code": ["MAPS-0001-S"],
    }
    for route in opened.app.routes:
        if isinstance(route, Route) and "GET" in (route.methods or ()):
            found = [route.path]
            for name in re.findall(r"{(\w+)", route.path):
                found = [re.sub(rf"{{{name}[^}}]*}}", str(each), path) for path in found for each in of.get(name, ())]
            yield from found
    for game in games:
        yield f"/api/tables/position?board={game.name}"
        yield f"/api/correct?board={game.name}"
        yield from (f"/live/board/{game.name}/{played.phase}" for played in game.played)
        yield from (f"/api/correct?board={game.name}&phase={played.phase}" for played in game.played[-1:])
        yield from (f"/live/seat?who={player}" for player in game.seating.players.values())
        yield from (f"/api/legal?turn={game.name} {game.position.phase} {power}" for power in game.seating.players)
    yield from (
        f"{path}?{of}" for path in ("/journal", "/api/journal") for of in ("who=Nobody", "board=9.9", "before=1")
    )
    yield from (f"/api/day?round={number}" for number in of["round"])


def texts_in(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text in the data of a page, with where it stands."""
    match value:
        case dict():
            for key, each in value.items():
                yield from texts_in(each, f"{path}.{key}")
        case list():
            for each in value:
                yield from texts_in(each, path)
        case str():
            yield path, value


def is_data(answer: Any) -> bool:
    return str(answer.headers["content-type"]).startswith("application/json")


def links_in(answer: Any) -> Iterator[str]:
    """The addresses in a page, or in its data."""
    kind = answer.headers["content-type"]
    if is_data(answer):
        yield from (text for _, text in texts_in(answer.json()) if LINK.fullmatch(text))
    elif kind.startswith("text/html"):
        yield from map(html.unescape, IN_HTML.findall(answer.text))


def walk(opened: Opened, browser: Browser) -> dict[str, Any]:
    """All that somebody may see, by address; what is linked to is there."""
    seen: dict[str, Any] = {}
    known = tuple({f"/{route.path.split('/')[1]}" for route in opened.app.routes if isinstance(route, Route)} - {"/"})
    pages = {route.path for route in opened.app.routes if isinstance(route, Route)}
    waiting = deque((path, "") for path in addresses_of(opened))
    while waiting:
        path, on = waiting.popleft()
        path = path.partition("#")[0]
        if path in seen or (on and (not path.startswith(known) or path.startswith(ELSEWHERE))):
            continue
        answer = browser.client.get(path)
        assert answer.status_code < 500, (path, on, answer.text)
        if on:
            is_there = answer.status_code in (200, 303) or "no such picture" in answer.text  # invented ink has none
            assert is_there, (path, on, answer.status_code, answer.text[:300])
        if answer.status_code == 200:
            seen[path] = answer
            for link in links_in(answer):
                data = f"/api{link}".partition("?")[0]
                waiting.extend(
                    (each, path) for each in (link, f"/api{link}" if data in pages and "?" in link else link)
                )
    return seen


NO_TEXT = re.compile(r"\bNone\b|\bTrue\b|\bFalse\b|\{\w*\}|object at|<class|\(\w+=|\bPower\.|\bundefined\b|\bnull\b")
TAG = re.compile(r"<(script|style)\b.*?</\1>|<[^>]+>", re.DOTALL)
NAMELESS = re.compile(r"<(a|button|h[2-6]|label|summary|th|legend|dt)\b(?![^>]*aria-label)[^>]*>\s*</\1>")
FORM = re.compile(r"<form[^>]*data-act=\"([^\"]+)\"([^>]*)>(.*?)</form>", re.DOTALL)


def faults_of(path: str, answer: Any) -> Iterator[str]:
    """Texts that are none, and things without a name."""
    if is_data(answer):
        for where, text in texts_in(answer.json()):
            if ".words." not in where and NO_TEXT.search(text):  # the screen fills in what is in braces
                yield f"{path}{where}: {text}"
    elif answer.headers["content-type"].startswith("text/html"):
        said = html.unescape(TAG.sub(" ", answer.text))
        yield from (f"{path}: {said[max(0, bad.start() - 40) : bad.end() + 40]}" for bad in NO_TEXT.finditer(said))
        yield from (f"{path}: {bad[0]}" for bad in NAMELESS.finditer(answer.text))


def would_write(*_: Any, **__: Any) -> None:
    raise stop("it would be written down", "written")


def forms_in(answer: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The acts that a written page offers: where each is sent, and what it says."""
    for path, attributes, _ in FORM.findall(answer.text):
        says = re.search(r"data-says='([^']*)'", attributes)
        yield path, json.loads(html.unescape(says[1])) if says else {}


def offers_in(path: str, answer: Any) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """The acts that a page offers, and whether it says that they are done without more."""
    if not is_data(answer):
        yield from ((act, body, False) for act, body in forms_in(answer))
        return
    page = answer.json()
    match path:
        case "/api/next" if page["item"]:
            item = page["item"]
            about = {
                "token": item["token"],
                "what": item["name"],
                "board": item.get("board", ""),
                "shown": page["shown"],
            }
            for each in item.get("choices", ()):
                yield "/api/act", about | {"do": each["do"], "value": each["value"]}, not each["why"].startswith("✗")
        case "/api/tables":
            for game in page["games"]:
                for way in [] if game["own"] else game["endings"]:
                    yield "/api/tables/end", {"board": game["board"], "how": way["how"]}, not way["refused"]
        case "/api/journal":
            for line in page["lines"]:
                if line["act"] and not line["act"]["held"]:
                    yield "/api/journal/undo", {"numbers": [each["number"] for each in line["act"]["lines"]]}, True


def refused_offers(browser: Browser, seen: Mapping[str, Any]) -> Iterator[str]:
    """What is offered and then refused; nothing is written down meanwhile."""
    with patch.multiple(Ledger, write=would_write, write_all=would_write):
        for page, shown in seen.items():
            for act, body, is_whole in offers_in(page, shown):
                answer = stale.send(browser, act, {"why": "so", **body})
                is_done = answer.status_code == 200 or '"where":"written"' in answer.text
                if answer.status_code in (401, 403) or "you play" in answer.text or (is_whole and not is_done):
                    yield f"{page}: {act} {body}: {answer.status_code} {answer.text[:200]}"


def told_of_boards(opened: Opened, seen: Mapping[str, Any]) -> Iterator[str]:
    """What pages say of boards, where it is not what the event has."""
    event = opened.office.event
    desk, boards = Desk.of(event), games(event)
    agenda = Counter(
        board_of_item(item)
        for item, _ in agenda_by_name(opened.office.live)
        if not isinstance(item, Check | Ready) and not is_awaited(opened.office.live, item)
    )
    for page in ("/api/next", "/api/boards", *(f"/api/day?round={each}" for each in (1, 2))):
        for told in seen[page].json()["boards"] if page in seen else ():
            game = boards[told["board"]]
            powers = desk.board(game)
            missing = [each.power.title() for each in powers if each.state is SheetState.MISSING]
            is_true = {
                "phase": game.position.phase.in_words,
                "over": over_words(event, game),
                "of": len(powers),
                "in": len(powers) - len(missing),
                "missing": missing,
                "open": sum(row.needs_director for each in powers for row in each.rows),
            }
            if not told["own"]:
                is_true |= {"settle": agenda[game.name]} if "settle" in told else {}
            yield from (
                f"{page} {game.name} {key}: {told[key]}, not {true}"
                for key, true in is_true.items()
                if told[key] != true
            )


def as_written(opened: Opened) -> tuple[object, ...]:
    """What would have changed if something had been written down."""
    event = opened.office.event
    files = sorted(event.folder.glob("scans/*"))
    return event.facts.last_number(), files, (event.folder / "event.toml").read_bytes()


@pytest.mark.parametrize("state", STATES)
def test_every_page_answers_in_sentences_and_what_it_offers_is_there(state: str, tmp_path: Path) -> None:
    make, told = STATES[state]
    with open_office(copied(make, tmp_path / "cup", *told), stale.SEATS, is_lan=True, clock=Time()) as opened:
        before = as_written(opened)
        for guest in stale.SEATS:
            browser = Browser(opened, guest.name)
            seen = walk(opened, browser)
            faults = [fault for path, answer in seen.items() for fault in faults_of(path, answer)]
            assert [*faults, *refused_offers(browser, seen), *told_of_boards(opened, seen)] == [], guest.name
        assert as_written(opened) == before, "nothing that is looked at changes anything"


def test_only_a_phase_that_was_published_has_files_on_the_pages(tmp_path: Path) -> None:
    """Of two files of one kind, one of a published phase and one that is left over, the first alone is shown."""
    make, told = STATES["published"]
    with open_office(copied(make, tmp_path / "cup", *told), stale.SEATS, is_lan=True, clock=Time()) as opened:
        for board in ("1.1", "1.2"):
            for phase in ("S1901M", "F1901M"):
                (opened.office.event.out / f"{board}-{phase}-card.pdf").write_bytes(b"%PDF")
                is_shown = (board, phase) == ("1.1", "S1901M")
                answer = Browser(opened, "Tess").client.get(f"/out/{board}-{phase}-card.pdf")
                assert (answer.status_code == 200) == is_shown, (board, phase)


def test_a_line_that_implies_an_order_of_another_unit_stands_on_its_own_line(tmp_path: Path) -> None:
    """EDC23 R11: who is supported goes there."""
    folder = copied(seat_anew, tmp_path / "cup", "TEST", "edc2023")
    with open_office(folder, stale.SEATS, is_lan=True, clock=Time()) as opened:
        tess, line = Browser(opened, "Tess"), "A VIE S A BUD - GAL"
        for unit, is_wrong in (("A VIE", False), ("F TRI", True), ("", False)):
            asked = {"turn": "1.1 S1901M AUSTRIA", "lines": [line], "units": [unit]}
            (told,) = tess.post("/api/meaning", **asked)["lines"]
            assert len(told["means"]) == 2
            assert bool(told["wrong"]) == is_wrong, unit


@pytest.mark.parametrize("key", ["aside", "identify"])
def test_what_is_redone_shows_what_it_showed_before_it_was_undone(
    opened: Opened, tess: Browser, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a page that is put aside or named, a row and a sheet."""
    event, named = opened.office.event, list[tuple[object, str]]()

    def identify(event: Event, page: Fact[PageRead], sheet: str, _: object, by: str) -> None:
        named.append((page.said.place, sheet))
        event.facts.write(PageIdentified(sha256=page.said.sha256, page=page.said.page, sheet=sheet), by)

    monkeypatch.setattr("pipeline.web.acts.identify_page", identify)  # it would be read anew
    monkeypatch.setattr("pipeline.web.acts.best_recogniser", stale._no_engine if key == "aside" else lambda: None)
    (sheet, *_) = sheets = sheets_of(event, spring(Power.AUSTRIA))
    waits(event, sheets)
    for pressed in (key, "nothing", "nothing"):
        before = tess.look()["item"]["token"]
        done = tess.press(pressed, value=sheet if pressed == "identify" else "")["item"]
        assert tess.press("undo")["item"]["token"] == before
        again = tess.press("redo")
        assert (again["item"]["token"] if again["item"] else "") == (done["token"] if done else ""), pressed
    assert named == [((SCAN, 1), sheet)] * 2 * (key == "identify")

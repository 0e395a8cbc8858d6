"""Every act of the pages, twice from one page: by two directors who saw the same, one after the other or at once.

For each act that the routes know there is a case: what must be so before it, and what two directors do about one thing.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from desk.cup import NAMES, hand_in_all, spring
from desk.forms.table import Table, ticked
from facts_as_kept import KeptFact, append_fact, read_facts
from msgspec import Struct
from msgspec.structs import replace
from starlette.routing import Route

from pipeline.board import Phase, Power
from pipeline.desk.event.seating import seat_round
from pipeline.ledger.events import ScanReceived
from pipeline.ledger.ledger import Ledger
from pipeline.orders import write_position
from pipeline.paper.form import FormKind
from pipeline.problems import stop
from pipeline.web.logins import Guest, Role
from pipeline.web.network import PageAddresses
from pipeline.web.office import CheckIn
from pipeline.web.server import Opened, open_office
from pipeline.web.shown import ShownVersions
from web import conftest
from web.acts import DIRECTOR, MAY, page_of
from web.conftest import Browser, Time, make_event, stranger

SEATS = (*conftest.SEATS, Guest("Dag", Role.DIRECTOR, "666666"))  # he plays Germany
QUESTIONS = frozenset({"/api/alive", "/api/correct/look", "/api/gone", "/api/meaning",
                       "/api/events/roster", "/api/events/rules/look"})  # fmt: skip
ADDS_ONLY = frozenset(
    {"/api/upload", "/api/capture/look", "/api/copies/now"}
)  # files by their hash: nothing is replaced, or only looked at
WITHOUT_PAGE = frozenset(
    {"/door", "/leave", "/live/here", "/live/go"}
)  # one logs in or out, or says that one is here or goes
WRITTEN_PAGES = {f"/api/{name}" for name in ("tables", "tables/position", "notes", "forms", "journal", "room")}
Body = Mapping[str, Any]
AUSTRIA = str(spring(Power.AUSTRIA))


class Case(Struct, frozen=True):
    """An act, what is done before, and what two people then do from one page."""

    path: str
    bodies: tuple[Body, ...]  # of the first person, and of the second
    prepare: Callable[[Opened, Browser], Body | None] = lambda *_: None  # what it gives belongs to both bodies
    of_item: bool = False  # it is about what is on the screen of the review
    of_board: bool = False  # it is about a board, although no entry says so

    def is_of_board(self) -> bool:
        """Whether who plays on the board may not do it; forms are printed by anybody."""
        names = _names_in(self.bodies[0]) if self.path != "/api/forms/print" else set()
        return self.of_item or self.of_board or not names.isdisjoint(("board", "boards", "token", "field"))


def _names_in(body: Body) -> set[str]:
    """The names of all entries, also of those within others."""
    return set(body).union(*(_names_in(each) for each in body.values() if isinstance(each, dict)))


def acts_of(routes: list[Any]) -> set[str]:
    """The paths of all POSTs but questions, what only adds, and what has no page: a new one has no case yet."""
    posts = {each.path for each in routes if isinstance(each, Route) and "POST" in (each.methods or ())}
    return posts - QUESTIONS - ADDS_ONLY - WITHOUT_PAGE


def send(browser: Browser, path: str, body: Body) -> Any:
    """Decide something, whatever comes of it."""
    return browser.client.post(path, json=dict(body), headers={"X-Token": browser.token})


def done(browser: Browser, path: str, **body: Any) -> Any:
    """Decide something that succeeds."""
    answer = send(browser, path, body)
    assert answer.status_code == 200, answer.text
    return answer.json() if answer.headers["content-type"].startswith("application/json") else {}


def set_to(phase: str) -> Callable[[Opened, Browser], None]:
    """Go on in the middle of the game, at the start position."""

    def prepare(opened: Opened, tess: Browser) -> None:
        position = replace(opened.office.live.games["1.1"].position, phase=Phase.read(phase))
        said = {"board": "1.1", "position": write_position(position)}
        append_fact(opened.office.event.facts, "position set", said, "Tess")

    return prepare


def ended(opened: Opened, tess: Browser) -> None:
    set_to("S1909M")(opened, tess)
    done(tess, "/api/tables/end", board="1.1", how="time", why="late")


def all_over(opened: Opened, tess: Browser) -> None:
    """Three rounds, all of them ended."""
    event = opened.office.event
    for number in (2, 3):
        seat_round(event, number, {"1": NAMES}, by="Tess")
    for number in (1, 2, 3):
        with opened.office.inside() as live:
            position = replace(live.games[f"{number}.1"].position, phase=Phase.read("S1909M"))
        said = {"board": f"{number}.1", "position": write_position(position)}
        append_fact(event.facts, "position set", said, "Tess")
        done(tess, "/api/tables/end", board=f"{number}.1", how="time", why="late")


def with_note(opened: Opened, tess: Browser) -> Body:
    values = {"player": "Ada", "kind": "late", "points": "1"}
    return {"number": done(tess, "/api/notes/enter", what="penalty", values=values, why="late")["number"]}


def with_note_of_board(opened: Opened, tess: Browser) -> Body:
    """A note of no board, and one of the board."""
    with_note(opened, tess)
    return {"number": done(tess, "/api/notes/enter", what="substitute", **SUBSTITUTE)["number"]}


def with_slip(opened: Opened, tess: Browser) -> Body:
    """A form with two ticks is in."""
    table = Table(opened.office.event, opened.office.event.folder.parent)
    printed = table.printed(FormKind.VOTE, board="1.1")
    with opened.office.lock:
        table.scanned([table.filled(printed, 0, ticked("vote: yes", "vote: no"))])
    return {"form": printed.pages[0].sheet}


def with_ruled_slip(opened: Opened, tess: Browser) -> Body:
    form = with_slip(opened, tess)
    done(tess, "/api/forms/rule", **form, field="vote", value="yes")
    return form


def with_network(opened: Opened, tess: Browser) -> None:
    class Network:
        began = PageAddresses()

        def switch_on(self, event: object, address: str, *, is_tls: bool) -> None:
            opened.logins.pages_at = PageAddresses((address,))

        def switch_off(self) -> None:
            opened.logins.pages_at = PageAddresses()

    opened.logins.network = Network()


def with_check_in(opened: Opened, tess: Browser) -> None:
    opened.office.say_here[1] = {"Ada": CheckIn("telephone")}
    opened.office.say_going["Ada"] = CheckIn("telephone")


def with_waiting_file(opened: Opened, tess: Browser) -> None:
    said = ScanReceived(sha256="a" * 64, name="long.pdf", path=f"{'a' * 64}.pdf")
    opened.office.event.facts.write(said, "scan")


def with_folders(opened: Opened, tess: Browser) -> Body:
    (opened.office.event.folder.parent / "in").mkdir()
    return {"folder": str(opened.office.event.folder.parent / "in")}


def with_all_settled(opened: Opened, tess: Browser) -> None:
    hand_in_all(opened.office.event)
    tess.look()
    while tess.shown["item"] is not None and tess.item["kind"] != "ready":
        tess.press({"sheet": "sheet", "check": "right"}.get(tess.item["kind"], "nothing"), value="no orders")


def with_decision(opened: Opened, tess: Browser) -> None:
    tess.look(AUSTRIA)
    tess.press("nothing")


def with_undone(opened: Opened, tess: Browser) -> None:
    with_decision(opened, tess)
    tess.press("undo")


def with_publication(opened: Opened, tess: Browser) -> None:
    """Spring is published."""
    with_all_settled(opened, tess)
    assert tess.item["kind"] == "ready"
    tess.press("publish")


def typed(*lines: str) -> Body:
    return {"do": "type", "token": AUSTRIA, "values": list(lines), "units": [], "sure": []}


VOTE = {"board": "1.1", "power": "FRANCE", "moment": "negotiation"}
POSITION = {"AUSTRIA": {"units": "A VIE", "centres": "VIE"}} | {
    power: {"units": "", "centres": ""} for power in ("ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
}
SUBSTITUTE = {"why": "ill", "values": {"board": "1.1", "power": "FRANCE", "player": "nobody", "phase": "S1901"}}
CASES = (
    Case("/api/act", (typed("A VIE H"), typed("A VIE - GAL"))),
    Case("/api/act", ({"do": "sheet of", "token": AUSTRIA, "value": "no orders"}, typed("A VIE - GAL"))),
    Case("/api/act", ({"do": "nothing"}, {"do": "order", "value": "A VIE - GAL"}), of_item=True),
    Case("/api/act", ({"do": "publish"}, {"do": "publish"}), with_all_settled, of_item=True),
    Case("/api/act", ({"do": "undo"}, {"do": "undo"}), with_decision),
    Case("/api/act", ({"do": "redo"}, {"do": "redo"}), with_undone),
    Case("/api/clock/set", ({"label": "S1901", "parts": [["time", 60]]}, {"label": "F1901", "parts": [["time", 90]]})),
    Case("/api/clock/set", ({"do": "stop", "elapsed": 5}, {"label": "F1901", "parts": [["time", 90]]}),
         lambda _, tess: done(tess, "/api/clock/set", label="S1901", parts=[["time", 60]]) and None),
    Case("/api/tables/vote", (VOTE | {"counted": {"yes": 6, "no": 1}}, VOTE | {"counted": {"yes": 0, "no": 7}}),
         set_to("S1905M")),
    Case("/api/tables/veto", (VOTE | {"ruled": True, "why": "so"}, VOTE | {"counted": {"yes": 0, "no": 7}}),
         set_to("S1905M")),
    Case("/api/tables/position", tuple(
        {"board": "1.1", "phase": phase, "powers": POSITION, "why": "so"} for phase in ("F1903M", "S1904M"))),
    Case("/api/tables/end", tuple({"board": "1.1", "how": "time", "why": why} for why in ("late", "very late")),
         set_to("S1909M")),
    Case("/api/tables/end-all", tuple({"boards": ["1.1"], "how": "time", "why": why} for why in ("late", "very late")),
         set_to("S1909M")),
    Case("/api/tables/undo", ({"board": "1.1", "what": "end", "why": "no"},) * 2, ended),
    Case("/api/tables/dice", ({"do": "commit", "round": 1},) * 2, set_to("W1908A")),
    Case("/api/tables/seal", ({"open": True}, {"open": True})),
    Case("/api/tables/final", ({"why": "looked at"}, {"why": "looked at, too"}), all_over),
    Case("/api/tables/tell", ({"round": 1}, {"round": 1})),
    Case("/api/notes/enter", tuple({"what": "penalty", "values": {"player": who, "kind": "late", "points": "1"},
                                    "why": "late"} for who in ("Ada", "Cem"))),
    Case("/api/notes/enter", ({"what": "substitute", **SUBSTITUTE},) * 2),
    Case("/api/notes/undo", ({"why": "no"}, {"why": "yes"}), with_note),
    Case("/api/notes/undo", ({"why": "no"}, {"why": "yes"}), with_note_of_board, of_board=True),
    Case("/api/forms/print", tuple({"kind": "vote", "board": "1.1", "copies": copies} for copies in (1, 2))),
    Case("/api/forms/rule", ({"field": "vote", "value": "yes"}, {"field": "vote", "value": "no"}), with_slip),
    Case("/api/forms/accept", ({"why": "a"}, {"why": "b"}), with_ruled_slip, of_board=True),
    Case("/api/forms/aside", ({"why": "a"}, {"why": "b"}), with_slip, of_board=True),
    Case("/api/journal/undo", ({"why": "a"}, {"why": "b"}), with_note),
    Case("/api/correct/do", tuple({"board": "1.1", "phase": "S1901M", "why": "misread",
        "deadline_passed": False, "changes": [{"type": "row", "power": "ENGLAND", "line": 1, "order": order}]}
        for order in ("F LON H", "F LON - ENG")),
         with_publication),
    Case("/api/room/network", tuple({"on": True, "address": f"192.168.1.{number}"} for number in (2, 3)), with_network),
    Case("/api/room/add", tuple({"name": "Cleo", "role": role} for role in ("assistant", "director"))),
    Case("/api/room/away", ({"name": "Anna", "role": "assistant"},) * 2),
    Case("/api/day/roll", ({"round": 1, "here": ["Ada"]}, {"round": 1, "away": ["Ada"]})),
    Case("/api/day/roll", ({"round": 1, "here": ["Cem"]}, {"round": 1, "here": ["Ada"], "others": "away"})),
    Case("/api/day/refuse", ({"round": 1, "names": ["Ada"]},) * 2, with_check_in),
    Case("/api/day/refuse", ({"round": 1, "going": ["Ada"]},) * 2, with_check_in),
    Case("/api/day/player", tuple({"what": "add", "name": "Mo Liu", "club": club, "country": "Wales",
                                    "team": "Reds", "why": "at the door"} for club in ("Owls", "Bears"))),
    Case("/api/day/player", tuple({"what": "rename", "name": "Ada", "new": new, "why": "x"}
                                   for new in ("Ada Ro", "Ada Lo"))),
    Case("/api/day/player", ({"what": "left", "name": "Ada", "why": "x"},
                             {"what": "rename", "name": "Ada", "new": "B"})),
    Case("/api/day/player", tuple({"what": "club", "name": "Ada", "new": club, "why": "x"}
                                   for club in ("Owls", "Bears"))),
    Case("/api/day/watch", ({"old": "leave"}, {"old": "take"}), with_folders),
    Case("/api/day/pass-over", ({"file": "long.pdf"},) * 2, with_waiting_file),
    Case("/api/day/setting", tuple({"setting": "name", "value": value} for value in ("Owl Cup", "Bear Cup"))),
    Case("/api/day/draw", tuple({"round": 1, "again": True, "seed": seed, "in_play": True} for seed in ("1", "2"))),
    Case("/api/day/print", ({"round": 1}, {"round": 1, "board": "1.1"})),
)  # fmt: skip


OF_ANOTHER_KIND: Mapping[type, tuple[Any, ...]] = {
    str: (7, ["zz", 7], {"zz": 7}),
    int: ("zz", True, ["zz", 7], {"zz": 7}),  # True is no number
    list: (7, "zz", ["zz", 7], {"zz": 7}),
    dict: (7, "zz", ["zz", 7]),
}  # a flag is set or it is not, whatever else it says
# where another is asked for in words of their own, and not with "expected"
LOOKED_UP = frozenset({"board", "power", "moment", "phase", "round", "token", "what", "field", "form", "do"})
OWN_WORDS = frozenset(
    {"why", "label", "name", "club", "country", "team", "new", "value", "address", "old", "kind"}
)  # any will do
MAY_LACK = frozenset({"why", "label", "units", "sure", "what", "elapsed", "moment", "copies", "names", "going", "club",
                      "country", "team", "folder", "old", "seed", "round", "address"})  # fmt: skip
IN_MEMORY = frozenset(
    {"/api/room/network", "/api/room/add", "/api/day/refuse", "/api/day/watch"}
)  # no facts are written
MAY_LACK_HERE = frozenset({("/api/forms/print", "board"), ("/api/forms/rule", "value")})
# entries that say what is done, where, or to what, and are kept in another way
NOT_KEPT = frozenset({"shown", "do", "token", "what", "moment", "type", "how"})
CODED = frozenset({"Ada", "nobody", "S1901", "long.pdf"})  # a player is kept by his number, a file by its hash
UNREAD = frozenset({("/api/act", "board"), ("/api/tables/undo", "what")})  # as of another page's act


def wrong_entries(case: Case, browser: Browser, body: Body) -> Iterator[str]:
    """What an act says, and must not, of a body in which one entry is left out, empty, unknown or of another kind.

    An entry that may be left out is one that is either done without, or missed in words.

    Nothing is written down meanwhile: what would be is said instead. No answer speaks of a file that no page shows.
    """

    def would_write(ledger: Ledger, said: Any, *_: Any, **__: Any) -> None:
        raise stop("it would be written down", "written")

    with patch.multiple(Ledger, write=would_write, write_all=would_write):
        for name, spoilt, is_looked_up in _spoilt_bodies(case, body):
            answer = send(browser, case.path, spoilt)
            said = answer.json()
            is_told = is_looked_up or answer.status_code == 409 or said["said"].startswith("expected")
            if (
                answer.status_code not in (409, 422)
                or said["where"] == "written"
                or not is_told
                or ".toml" in answer.text
            ):
                yield f"{case.path}: {name} {spoilt.get(name)!r}: {answer.status_code} {answer.text[:200]}"

        for name in () if case.path in IN_MEMORY else MAY_LACK.intersection(body):
            answer = send(browser, case.path, {key: value for key, value in body.items() if key != name})
            if answer.status_code not in (409, 422):
                yield f"{case.path} without {name}: {answer.status_code} {answer.text[:200]}"


def _spoilt_bodies(case: Case, body: Body) -> Iterator[tuple[str, Body, bool]]:
    """Each entry by its name, spoilt in each way; and whether what is asked for is told in words of its own."""
    for name, value in body.items():
        if name == "shown" or (case.path, name) in UNREAD:
            continue
        must_be_there = name not in MAY_LACK and (case.path, name) not in MAY_LACK_HERE
        tried = [(bad, name in LOOKED_UP) for bad in OF_ANOTHER_KIND.get(type(value), ())]
        tried += [("zz", True)] if type(value) is str and name not in OWN_WORDS else []
        tried += [("", True), (None, True)] if must_be_there and type(value) is not bool else []
        if isinstance(value, dict):
            for key, each in value.items():
                tried += [({**value, key: bad}, False) for bad in OF_ANOTHER_KIND.get(type(each), ())]
                tried += [({**value, key: "zz"}, True)] if key not in OWN_WORDS else []
        for bad, is_looked_up in tried:
            spoilt = {**body, name: bad} if bad is not None else {k: v for k, v in body.items() if k != name}
            yield name, spoilt, is_looked_up


def lost_entries(facts: Sequence[KeptFact], body: Body) -> list[object]:
    """What an act that wrote something down was sent and did not write: entries, the reason, and who it was."""
    kept = json.dumps([fact.body for fact in facts], ensure_ascii=False).casefold()
    sent = {name: value for name, value in body.items() if name not in NOT_KEPT}
    lost = [each for each in _leaves(sent) if facts and str(each).casefold() not in kept and each not in CODED]
    lost += [fact.by for fact in facts if fact.by not in ("Tess", "printing")]
    has_why = not facts or "why" not in body or body["why"] in [fact.body.get("why") for fact in facts]
    return lost if has_why else [*lost, "why"]


def _leaves(value: object) -> Iterator[object]:
    """The texts and numbers of a body, however deep."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _leaves(each) if name not in NOT_KEPT else ()
    elif isinstance(value, list | tuple):
        yield from (leaf for each in value for leaf in _leaves(each))
    elif value and not isinstance(value, bool):
        yield value


@contextmanager
def shown_to_two(case: Case, folder: Path) -> Iterator[tuple[Opened, tuple[Browser, Browser], tuple[Body, Body]]]:
    """An event, two browsers of directors, and what each sends: both saw the same page."""
    make_event(folder)
    with open_office(folder, SEATS, is_lan=True, clock=Time(), engine=_no_engine) as opened:
        browsers = Browser(opened, "Tess"), Browser(opened, "Tess")
        common = case.prepare(opened, browsers[0]) or {}
        first = {**common, **case.bodies[0]}
        if case.of_item:
            seen = browsers[0].look(AUSTRIA)
            common = {"token": seen["item"]["token"], "what": seen["item"]["name"], "board": "1.1", **common}
        else:
            seen = browsers[0].client.get(page_of(case.path, first)).json()
        bodies = [{**common, **body, "shown": seen.get("shown", {})} for body in case.bodies]
        yield opened, browsers, (bodies[0], bodies[1])


def _no_engine() -> Any:
    raise stop("nothing is read here", "test")


def _says_what_became(case: Case, answer: Any) -> bool:
    """Whether an act of a page that the server writes says what became of it; forms that are printed are a PDF."""
    is_written = page_of(case.path, {}).partition("?")[0] in WRITTEN_PAGES and case.path != "/api/forms/print"
    return not is_written or bool(answer.json().get("said"))


def _not_refused(case: Case, opened: Opened, body: Body) -> str:
    """Send what succeeds for a director as everybody who may not do it; says who was not refused, or wrote."""
    before = opened.office.event.facts.last_number()
    guests = [seat.name for seat in SEATS if seat.role not in MAY.get(case.path, {DIRECTOR})]
    told = {name: send(Browser(opened, name), case.path, body).status_code for name in guests}
    told["a stranger"] = stranger(opened).post(case.path, json=dict(body)).status_code
    if {name for name, status in told.items() if status != (401 if name == "a stranger" else 403)}:
        return f"{case.path}: who may not was not refused: {told}"
    answer = send(Browser(opened, "Dag"), case.path, body) if case.is_of_board() else None
    if answer is not None and (answer.status_code, "you play on this board" in answer.text) != (
        (409, False) if case.of_item else (422, True)  # it does not wait for him
    ):
        return f"{case.path}: who plays on the board was not refused: {answer.status_code} {answer.text[:200]}"
    if opened.office.event.facts.last_number() != before:
        return f"{case.path}: who may not wrote something down"
    return ""


def act_in_turn(case: Case, folder: Path) -> str:
    """One after the other: the second must be refused, with both versions; returns what is wrong."""
    with shown_to_two(case, folder) as (opened, (first, second), bodies):
        if wrong := list(wrong_entries(case, first, bodies[0])):
            return "\n".join(wrong)
        before = opened.office.event.facts.last_number()
        if told := _not_refused(case, opened, bodies[0]):
            return told
        answer = send(first, case.path, bodies[0])
        if answer.status_code != 200 or not _says_what_became(case, answer):
            return f"{case.path}: the first was refused, or not told: {answer.status_code} {answer.text[:200]}"
        if lost := lost_entries([*read_facts(opened.office.event.facts, after=before)], bodies[0]):
            return f"{case.path}: of what was sent is not written down, as by Tess: {lost}"
        newest = opened.office.event.facts.last_number()
        answer = send(second, case.path, bodies[1])
        if answer.status_code != 409:
            return f"{case.path} {case.bodies[1]}: {answer.status_code} {answer.text[:200]}"
        if answer.json()["said"].count("has changed since it was shown") != 1:
            return f"{case.path}: not said once: {answer.text[:300]}"
        if opened.office.event.facts.last_number() != newest:
            return f"{case.path}: it was refused, and something was written down"
        changed = answer.json().get("changed") or []
        is_settled = not case.of_item or "nothing waits" in str(changed)
        if not changed or not is_settled or all(each["was"] == each["now"] for each in changed):
            return f"{case.path}: both versions are not told: {answer.text[:300]}"
    return ""


def act_at_once(case: Case, folder: Path) -> tuple[int, int]:
    """Both at once; their statuses. A draw that says that another stands has not succeeded.

    Between seeing that nothing has changed and doing it each gives way to the other.
    """
    check = ShownVersions.check

    def check_and_wait(*what: Any) -> None:
        check(*what)
        time.sleep(0.05)

    with shown_to_two(case, folder) as (_, browsers, bodies), patch.object(ShownVersions, "check", check_and_wait):
        start = threading.Barrier(2)
        found = [0, 0]

        def press(number: int) -> None:
            start.wait()
            answer = send(browsers[number], case.path, bodies[number])
            found[number] = 409 if '"seated":false' in answer.text else answer.status_code

        working = [threading.Thread(target=press, args=(number,)) for number in (0, 1)]
        for each in working:
            each.start()
        for each in working:
            each.join()
        return found[0], found[1]

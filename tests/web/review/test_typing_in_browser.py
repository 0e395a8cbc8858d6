"""Orders typed in a real browser at a typist's pace: each is what was typed, and no slip is taken in silence."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from desk.cup import clock, hand_in, inked, printed, seated, spring
from facts_as_kept import append_fact

from pipeline.board import FIRST_PHASE, Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.ruling.desk import Desk as Rows
from pipeline.desk.ruling.rulings import type_lines
from pipeline.orders import write
from web.conftest import make_event
from web.driven import IN_CHROMIUM, Desk, desk, facts, served, stopped_clock

pytestmark = list(IN_CHROMIUM)

PACE_MS = 35  # between two keys: a fast typist
IN_A_BURST = 0  # faster than anybody
SLOW_MS = 60
GUARD_MS = 350  # a second Enter sooner than that was the first one's echo
MOVES: Mapping[str, Sequence[str]] = {  # in the order of the lines
    "Austria": ("A BUD - SER", "A VIE - GAL", "F TRI - ALB"),
    "England": ("A LVP - EDI", "F EDI - NWG", "F LON - NTH"),
    "France": ("A MAR - SPA", "A PAR - BUR", "F BRE - MAO"),
    "Germany": ("A BER - KIE", "A MUN - RUH", "F KIE - DEN"),
    "Italy": ("A ROM - APU", "A VEN - TYR", "F NAP - ION"),
    "Russia": ("A MOS - UKR", "A WAR - GAL", "F SEV - BLA", "F STP/SC - BOT"),
    "Turkey": ("A CON - BUL", "A SMY - ARM", "F ANK - CON"),
}
WAYS: Mapping[str, Callable[[str, str], str]] = {
    "the place alone": lambda unit, to: to.lower(),
    "unit and place": lambda unit, to: f"{unit[2:]} {to}".lower(),
    "the whole with its signs": lambda unit, to: f"{unit} - {to}",
    "the whole without signs": lambda unit, to: f"{unit} {to}".lower(),
    "glued": lambda unit, to: f"{unit}-{to.lower()}",
}


@contextmanager
def typist(chromium: Any, folder: Path) -> Iterator[Desk]:
    """A director at the boards of an event."""
    with served(folder) as server, desk(chromium, server.page) as tess:
        tess.shown()
        yield tess


def key_in(tess: Desk, power: str) -> None:
    """Open the lines of a power, by the boards."""
    if not tess.page.locator(".boards").is_visible():
        tess.page.wait_for_selector(":focus", state="detached")  # a line that is gone gets no key any more
        tess.page.keyboard.press("b")
    tess.page.get_by_role("button", name=power).click()
    tess.page.wait_for_selector(".keying input:focus")


def values(tess: Desk) -> list[str]:
    """What stands on the lines."""
    found: list[str] = tess.page.eval_on_selector_all(".keying input", "all => all.map((each) => each.value)")
    return found


def wait_for_line(tess: Desk, value: str) -> None:
    """Wait until the cursor is on the line where this stands."""
    for _ in range(100):
        if tess.page.evaluate("document.activeElement.value") == value:
            return
        tess.page.wait_for_timeout(50)
    raise AssertionError(f"the cursor never comes to {value!r}")


class Asking:
    """What a page asks the desk from now on; on a busy machine an answer may come late, and guards anew."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.open: set[Any] = set()
        page.on("request", self.asked)
        page.on("requestfinished", self.answered)
        page.on("requestfailed", self.answered)

    def asked(self, request: Any) -> None:
        """Note what goes out."""
        self.open.add(request)

    def answered(self, request: Any) -> None:
        """Note what came back."""
        self.open.discard(request)

    def wait(self) -> None:
        """Wait until all is answered; what follows from an answer is asked at once."""
        quiet = 0
        while quiet < 3:
            self.page.wait_for_timeout(20)
            quiet = 0 if self.open else quiet + 1


def at_rest(tess: Desk) -> list[str]:
    """What is said beside each line, once all was asked and answered."""
    tess.page.wait_for_load_state("networkidle")
    tess.page.wait_for_timeout(GUARD_MS)
    found: list[str] = tess.page.eval_on_selector_all(".keying .meaning", "all => all.map((each) => each.innerText)")
    return found


def typed_last(folder: Path) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(facts(folder, "lines typed")[-1])
    return body


def orders(folder: Path, power: str) -> list[str]:
    """A power's orders as they would be adjudicated; none of them waits for anybody."""
    with open_event(folder, clock) as event:
        found = Rows.of(event).power(find_game(event, "1"), Power(power.upper()))
    assert not found.is_open
    return [write(order) for order in found.orders]


@pytest.mark.parametrize(("first", "way"), list(enumerate(WAYS)), ids=list(WAYS))
def test_each_way_of_typing_with_and_without_what_is_prefilled_and_each_of_the_22_units_in_some_way(
    chromium: Any, tmp_path: Path, first: int, way: str
) -> None:
    """EDC96 forgives least: a lost sign, a misspelt word and a word with two meanings all fail there.

    What every order means in every way of typing it, under all rules, is tested without a browser in `test_shorthand`.
    """
    folder = seated(tmp_path / "cup", tournament="edc1996")
    assert sum(map(len, MOVES.values())) == 22
    with typist(chromium, folder) as tess:
        mine = [list(MOVES)[(2 * first + place) % len(MOVES)] for place in range(2)]
        for place, power in enumerate([*mine, mine[-1]], start=first):  # the last one is typed both ways
            is_prefilled, pace_ms = ((True, IN_A_BURST), (False, PACE_MS))[place % 2]
            key_in(tess, power)
            before = len(facts(folder, "lines typed"))
            for move in MOVES[power]:
                unit, _, to = move.partition(" - ")
                assert tess.page.evaluate("document.activeElement.ariaLabel") == unit
                tess.page.keyboard.press("Control+A")  # what was typed there before, or stands prefilled
                if is_prefilled:
                    tess.page.keyboard.type(f"{unit} ")
                tess.page.keyboard.type(WAYS[way](unit, to), delay=pace_ms)
                tess.page.keyboard.press("Enter")
            tess.page.keyboard.press("Enter")
            tess.page.wait_for_selector(".keying", state="hidden")
            assert len(facts(folder, "lines typed")) <= before + 1  # said again it is not written again
            assert orders(folder, power) == list(MOVES[power]), is_prefilled


FOUR = [
    ("Turkey", "A SMY", "smy arm", "A SMY - ARM", ""),
    ("Turkey", "A ARM", "gre", None, "A ARM"),
    ("Italy", "A VEN", "vie", None, "A VEN"),
    ("England", "A LVP", "A LVP-edi", "A LVP - EDI", ""),
]
ARMENIA = {
    "phase": "S1901M",
    "units": {
        "TURKEY": ["A SMY", "A ARM", "A BUL"],
        "ITALY": ["A VEN", "A ROM"],
        "ENGLAND": ["A LVP", "F LON"],
        "AUSTRIA": ["A VIE", "F GRE"],
    },
    "centers": {"TURKEY": ["CON"], "ITALY": ["ROM"], "ENGLAND": ["LON"], "AUSTRIA": ["VIE"]},
    "dislodged": [],
}


@pytest.mark.parametrize(("power", "unit", "typed", "order", "doubtful"), FOUR)
def test_what_is_typed_is_never_an_order_of_another_unit_and_never_another_order(
    chromium: Any, tmp_path: Path, power: str, unit: str, typed: str, order: str | None, doubtful: str
) -> None:
    folder = seated(tmp_path / "cup")
    with open_event(folder, clock) as event:
        append_fact(event.facts, "position set", {"board": "1.1", "position": ARMENIA}, "Tess")
    with typist(chromium, folder) as tess:
        key_in(tess, power)
        lines = values(tess)
        line = tess.page.locator(".keying input").nth(lines.index(f"{unit} "))
        line.focus()
        tess.page.keyboard.type(typed, delay=SLOW_MS)
        tess.page.keyboard.press("Enter")
        said = at_rest(tess)[lines.index(f"{unit} ")]
        if order is not None:
            assert said.startswith(f"= {order} "), "at once, and in words"
        else:
            assert said.startswith("✗ ")
            assert f"adjudicated as {unit} H" in said, "what becomes of it under this tournament's rules"
        tess.page.keyboard.press("Control+Enter")
        if order is None:
            tess.page.wait_for_selector("#said.bad")
            assert facts(folder, "lines typed") == []
            tess.page.wait_for_timeout(GUARD_MS)
            tess.page.keyboard.press("Enter")  # the second one: it is meant so
        tess.page.wait_for_selector(".keying", state="hidden")
    with open_event(folder, clock) as event:
        rows = Rows.of(event).power(find_game(event, "1"), Power(power.upper())).rows
    given = [write(row.order) for row in rows if row.order is not None]
    assert given == [order or f"{unit} H"]


def test_a_doubtful_line_is_shown_when_it_is_saved_and_corrected_or_kept_by_a_second_enter(
    chromium: Any, tmp_path: Path
) -> None:
    folder = seated(tmp_path / "cup")
    with typist(chromium, folder) as tess:
        key_in(tess, "Germany")
        for text in ("spa", "ruh", "nor"):
            tess.page.keyboard.type(text, delay=PACE_MS)
            tess.page.keyboard.press("Enter")
        with stopped_clock(tess.page):
            tess.page.keyboard.press("Enter")
            tess.page.wait_for_selector("#said.bad")
            tess.page.keyboard.press("Enter")  # the echo of the first: too soon to be meant
            assert "BER to SPA" in tess.page.inner_text("#said")
            assert facts(folder, "lines typed") == []
        tess.page.wait_for_timeout(GUARD_MS)
        assert tess.page.evaluate("document.activeElement.value") == "A BER spa"
        tess.page.keyboard.press("Control+A")
        tess.page.keyboard.type("kie", delay=PACE_MS)
        tess.page.keyboard.press("Enter")
        wait_for_line(tess, "F KIE nor")
        assert facts(folder, "lines typed") == []
        tess.page.wait_for_timeout(GUARD_MS)
        tess.page.keyboard.press("Enter")
        tess.page.wait_for_selector(".keying", state="hidden")
        assert "Germany: typed" in tess.page.inner_text("#said.good")
    assert typed_last(folder)["lines"] == ["A BER - kie", "A MUN - ruh", "F KIE - nor"]


def test_a_line_of_a_unit_takes_no_order_of_another_not_even_if_it_is_meant(chromium: Any, tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup")
    with typist(chromium, folder) as tess:
        key_in(tess, "Turkey")
        tess.page.keyboard.type('"A SMY - ARM"', delay=PACE_MS)
        for _ in range(3):
            tess.page.keyboard.press("Control+Enter")
            tess.page.wait_for_timeout(GUARD_MS)
            assert "stands on the line of A CON" in tess.page.inner_text("#said.bad")
            tess.page.keyboard.press("Enter")
        assert facts(folder, "lines typed") == []
        assert at_rest(tess)[0].startswith("✗ 'A SMY - ARM' is an order of A SMY")


def test_offers_are_taken_by_arrows_and_tab_and_never_by_enter(chromium: Any, tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup", tournament="edc2023")
    with typist(chromium, folder) as tess:
        key_in(tess, "Austria")
        tess.page.keyboard.type("a", delay=PACE_MS)
        offered = tess.page.eval_on_selector_all(".complete li b", "all => all.map((each) => each.innerText)")
        assert offered
        assert all(text.startswith("A BUD ") for text in offered)
        tess.page.keyboard.press("Enter")
        assert values(tess)[0] == "A BUD a", "Enter takes what is typed"
        assert at_rest(tess)[0].startswith("✗ ")
        tess.page.locator(".keying input").first.focus()
        tess.page.keyboard.press("Control+A")
        tess.page.keyboard.type("ser", delay=PACE_MS)
        tess.page.keyboard.press("Tab")
        assert values(tess)[0] == "A BUD - SER"
        tess.page.keyboard.press("Enter")
        tess.page.keyboard.type("tyr", delay=PACE_MS)
        tess.page.keyboard.press("ArrowDown")
        assert values(tess)[1] == "A VIE - TYROL", "in words that mean nothing else there"
        tess.page.keyboard.press("Enter")
        tess.page.keyboard.type("h", delay=PACE_MS)
        tess.page.keyboard.press("Control+Enter")
        tess.page.wait_for_selector(".keying", state="hidden")
    assert orders(folder, "Austria") == ["A BUD - SER", "A VIE - TYR", "F TRI H"]


def test_a_player_s_own_line_is_typed_as_he_wrote_it_and_many_are_pasted(chromium: Any, tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup", tournament="edc1996")
    with typist(chromium, folder) as tess:
        key_in(tess, "Russia")
        tess.page.keyboard.type('"A Mos - Ukr or Lvn"', delay=PACE_MS)
        tess.page.keyboard.press("Enter")
        assert "✗ 'A Mos - Ukr or Lvn': 'or Lvn' belongs to no order" in at_rest(tess)[0], (
            "EDC96 follows no order that has two meanings"
        )
        tess.page.evaluate(
            """() => {
              const data = new DataTransfer();
              data.setData("text", "F Sev - Bla\\n\\nA War - Gal\\r\\nF StP(sc) - Bot");
              const paste = { clipboardData: data, bubbles: true, cancelable: true };
              document.activeElement.dispatchEvent(new ClipboardEvent("paste", paste));
            }"""
        )
        assert values(tess)[4:] == ["F Sev - Bla", "A War - Gal", "F StP(sc) - Bot", ""]
        tess.page.keyboard.press("Enter")
        tess.page.wait_for_selector("#said.bad")
        tess.page.wait_for_timeout(GUARD_MS)
        tess.page.keyboard.press("Enter")
        tess.page.wait_for_selector(".keying", state="hidden")
    assert typed_last(folder)["lines"] == ["A Mos - Ukr or Lvn", "F Sev - Bla", "A War - Gal", "F StP(sc) - Bot"]
    assert orders(folder, "Russia") == ["A MOS H", "F SEV - BLA", "A WAR - GAL", "F STP/SC - BOT"]


def test_escape_drops_what_is_typed_only_the_second_time_and_nothing_typed_is_not_saved(
    chromium: Any, tmp_path: Path
) -> None:
    folder = seated(tmp_path / "cup")
    with typist(chromium, folder) as tess:
        key_in(tess, "Italy")
        tess.page.keyboard.press("Control+Enter")
        tess.page.wait_for_selector("#said.bad:has-text('no line is typed')")
        tess.page.keyboard.type("apu", delay=PACE_MS)
        tess.page.keyboard.press("Escape")  # the offers
        tess.page.keyboard.press("Escape")
        assert "Escape again drops what is typed" in tess.page.inner_text("#said")
        assert values(tess)[0].endswith(" apu")
        tess.page.keyboard.press("Escape")
        tess.page.wait_for_selector(".keying", state="hidden")
        key_in(tess, "Italy")
        tess.page.keyboard.press("Escape")
        tess.page.wait_for_selector(".keying", state="hidden")
    assert facts(folder, "lines typed") == []


def test_what_is_typed_stays_while_the_desk_gives_no_answer(chromium: Any, tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup")
    with typist(chromium, folder) as tess:
        key_in(tess, "Austria")
        tess.page.keyboard.type("ser", delay=PACE_MS)
        tess.page.route("**/api/legal?*", lambda route: route.abort())
        tess.page.reload()
        tess.page.wait_for_selector("#said:has-text('no answer from the desk')")
        tess.page.unroute("**/api/legal?*")
        tess.page.reload()
        tess.page.wait_for_selector(".keying input:focus")
        assert values(tess)[0] == "A BUD ser"


def test_typed_lines_stand_there_again_and_one_is_changed_without_losing_the_others(
    chromium: Any, tmp_path: Path
) -> None:
    folder = seated(tmp_path / "cup")
    turn = Turn("1.1", FIRST_PHASE, Power.ITALY)
    with open_event(folder, clock) as event:
        type_lines(event, turn, ["A Ven - Tyr", "A Rom H", "F Nap xyz"], by="Tess")
    with typist(chromium, folder) as tess:
        key_in(tess, "Italy")
        here = dict(zip(("A ROM", "A VEN", "F NAP", ""), values(tess), strict=True))
        assert {unit: text.strip('"') for unit, text in here.items()} == {
            "A ROM": "A Rom H",
            "A VEN": "A Ven - Tyr",
            "F NAP": "F Nap xyz",
            "": "",
        }
        tess.page.locator(".keying input").nth(2).focus()
        tess.page.keyboard.press("Control+A")
        tess.page.keyboard.type("ion", delay=PACE_MS)
        tess.page.keyboard.press("Control+Enter")
        tess.page.wait_for_selector(".keying", state="hidden")
    assert sorted(orders(folder, "Italy")) == ["A ROM H", "A VEN - TYR", "F NAP - ION"]


def test_an_order_and_ink_that_mean_nothing_want_a_second_enter_at_their_row(chromium: Any, tmp_path: Path) -> None:
    make_event(tmp_path / "cup")
    folder = tmp_path / "cup"
    with typist(chromium, folder) as tess:
        asking = Asking(tess.page)
        for key, text, said in (("e", "vie lon", "A VIE - LON: no convoy"), ("t", "A Vie - Lon", "A VIE H")):
            tess.page.keyboard.press(key)
            tess.page.wait_for_selector("#typing input")
            tess.page.keyboard.press("Control+A")
            tess.page.keyboard.type(text, delay=PACE_MS)
            tess.page.keyboard.press("Enter")
            tess.page.wait_for_selector(f"#said.bad:has-text('{said}')")
            tess.page.keyboard.press("Enter")  # the echo of the first: too soon to be meant
            assert said in tess.page.inner_text("#said")
            assert facts(folder, "ruling") == []
            if key == "e":
                tess.page.keyboard.press("Escape")
                tess.shown()
                assert not tess.page.inner_text("#said"), "Enter means the rule here, and no longer what was typed"
        asking.wait()
        tess.page.wait_for_timeout(GUARD_MS)
        tess.page.keyboard.press("Enter")
        tess.page.wait_for_selector("#typing", state="hidden")
        (body,) = map(json.loads, facts(folder, "ruling"))
        assert body["text"] == "A Vie - Lon"


def test_what_was_read_stands_in_the_line_as_it_was_read(chromium: Any, tmp_path: Path) -> None:
    folder = printed(tmp_path / "cup")
    with open_event(folder, clock) as event:
        hand_in(event, spring(Power.AUSTRIA), [inked(1, "FTRI - FNI")])
    with typist(chromium, folder) as tess:
        assert "Read: “F TRI - FNI”" in tess.page.inner_text("#choices")
        tess.page.keyboard.press("t")
        assert tess.page.input_value("#typing input:focus") == "FTRI - FNI"

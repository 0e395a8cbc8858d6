"""Nothing depends on the clock on the wall going forward: it is set back or forward an hour, the laptop sleeps."""

import re
import sys
import time as system_time
from pathlib import Path
from typing import Any

import pytest
from desk.cup import clock, seated
from facts_as_kept import append_fact

from pipeline.board import starting_position
from pipeline.desk.backups import back_up, backup_status, is_due
from pipeline.desk.event.event import open_event
from pipeline.desk.publish.public_record import BigClock
from pipeline.ledger.files import seconds_between, steady
from pipeline.orders import write_position
from pipeline.web import app
from pipeline.web.logins import ALL_TRIES, SESSION_S
from pipeline.web.office import CLAIM_S
from pipeline.web.public_pages import clock_view
from pipeline.web.server import Opened, open_office
from pipeline.words.speech import speech_of
from web.conftest import SEATS, Browser, Time, stranger

HOUR = 3600
JUMPS = [-24 * HOUR, -HOUR, HOUR, 24 * HOUR]


def set_wall(monkeypatch: pytest.MonkeyPatch, by: float) -> None:
    """Set the clock on the wall; the one that only goes forward is another."""
    real = system_time.time
    monkeypatch.setattr(system_time, "time", lambda: real() + by)


def wall(opened: Opened, minute: int) -> None:
    """Say what time it is, minutes after nine."""
    opened.office.event.facts.clock = lambda: f"2026-01-02T{9 + minute // 60:02}:{minute % 60:02}:00+00:00"


def start(browser: Browser) -> None:
    """Start the clock of a phase."""
    body = {"do": "start", "label": "Spring 1901", "parts": [["negotiation", 1080]], "elapsed": 0}
    assert browser.client.post("/api/clock/set", json=body, headers={"X-Token": browser.token}).status_code == 200


def gone(browser: Browser) -> float:
    """How much of the clock is over."""
    told: dict[str, Any] = browser.client.get("/api/clock").json()
    return float(told["clock"]["gone"])


@pytest.mark.parametrize(
    ("tournament", "label", "quoted"),
    [
        ("nzdc1999", "Fall 1901", ("yes", "the director rules")),
        ("edc2023", "Spring 1901 retreats", ("yes", "the director rules")),
        ("edc1996", "Spring 1901 retreats", ("the director rules", "yes")),
        ("wdc2008", "Fall 1901", ("yes", "yes")),
    ],
)
def test_retreats_without_a_time_of_their_own_are_part_of_the_next_season_where_the_clock_runs_on(
    tmp_path: Path, tournament: str, label: str, quoted: tuple[str, str]
) -> None:
    """NZ99 6; WDC08 11.1. The page of the clock quotes what the rules say of running on, and of playing faster."""
    folder = seated(tmp_path / "cup", tournament=tournament)
    with open_event(folder, clock) as event:
        value = write_position(starting_position(event.board)) | {"phase": "S1901R"}
        append_fact(event.facts, "position set", {"board": "1.1", "position": value}, "Tess")
    with open_office(folder, SEATS, clock=Time()) as opened:
        told = Browser(opened, "Tess").client.get("/api/clock").json()
    assert [plan["label"] for plan in told["plans"]] == [label]
    assert bool(told["plans"][0]["parts"]) == (tournament != "edc1996")
    assert tuple(quote["text"].rsplit("? ", 1)[1] for quote in told["quotes"]) == quoted


def test_two_minutes_before_the_end_are_warned_of(tess: Browser) -> None:
    """NZ99 8: 2 minutes, 1 minute, 30 seconds and 10 seconds before the end."""
    start(tess)
    assert set(tess.client.get("/api/clock").json()["clock"]["warnings"]) >= {120, 60, 30, 10}


@pytest.mark.parametrize("minutes", [-480, -60, 60, 480])
def test_the_clock_of_a_phase_runs_on_when_the_clock_on_the_wall_is_set(
    opened: Opened, tess: Browser, time: Time, minutes: int
) -> None:
    wall(opened, 480)
    start(tess)
    time.now += 61.5
    wall(opened, 480 + minutes)
    assert gone(tess) == 61.5
    assert tess.look()["clock"]["gone"] == 61.5
    alive = tess.post("/api/alive")
    assert alive["clock"]["gone"] == 61.5


def test_the_clock_of_a_phase_counts_on_while_the_laptop_sleeps(opened: Opened, tess: Browser, time: Time) -> None:
    start(tess)
    time.now += 600  # the steady clock goes on in a sleep
    assert gone(tess) == 600


@pytest.mark.parametrize(("minutes", "seconds"), [(2, 120.0), (-60, 0.0)])
def test_a_clock_that_ran_before_the_office_was_opened_is_asked_of_the_wall_once(
    tmp_path: Path, minutes: int, seconds: float
) -> None:
    folder = seated(tmp_path / "cup")
    with open_office(folder, SEATS, clock=Time()) as opened:
        wall(opened, 100)
        start(Browser(opened, "Tess"))
    with open_office(folder, SEATS, clock=(time := Time(5.0))) as again:  # the machine was started anew
        wall(again, 100 + minutes)
        tess = Browser(again, "Tess")
        assert gone(tess) == seconds
        wall(again, 0)
        time.now += 30
        assert gone(tess) == seconds + 30


@pytest.mark.parametrize("by", JUMPS)
def test_sessions_and_claims_hold_when_the_clock_on_the_wall_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: int
) -> None:
    with open_office(seated(tmp_path / "cup"), SEATS) as opened:  # with the clock of the machine
        anna, bo = (opened.logins.enter(name, SEATS[1].role)[1] for name in ("Anna", "Bo"))
        office, claims = opened.office, opened.office.claims
        assert claims.claim("row", anna, now=office.clock(), seconds=CLAIM_S)
        set_wall(monkeypatch, by)
        assert claims.held_by_others(bo, now=office.clock(), seconds=CLAIM_S) == {"row": "Anna"}
        assert not claims.claim("row", bo, now=office.clock(), seconds=CLAIM_S)
        cookie, login = opened.logins.enter("Bo", SEATS[2].role)
        assert claims.login(cookie, now=opened.logins.clock(), seconds=SESSION_S) == login


@pytest.mark.parametrize("by", JUMPS)
def test_wrong_pins_are_not_forgotten_when_the_clock_on_the_wall_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: int
) -> None:
    with open_office(seated(tmp_path / "cup"), SEATS, is_lan=True) as opened:
        for number in range(ALL_TRIES):
            stranger(opened, f"192.168.1.{number}").post("/door", data={"name": "Tess", "pin": "000000"})
        set_wall(monkeypatch, by)
        answer = stranger(opened, "192.168.1.99").post("/door", data={"name": "Tess", "pin": "111111"})
        assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)


def test_no_page_asks_the_clock_on_the_wall() -> None:
    scripts = list(Path(app.__file__).parent.glob("static/*.js"))
    assert scripts
    asks = re.compile(r"\bDate\b(?!\(\w)")  # a date that is written down may be shown
    assert asks.search("new Date()")
    assert asks.search("Date.now()")
    assert [path.name for path in scripts if asks.search(path.read_text("utf-8"))] == []


def test_the_steady_clock_is_not_the_one_on_the_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    before = steady()
    set_wall(monkeypatch, -24 * HOUR)
    assert 0 <= steady() - before < HOUR


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the steady clock is another")
def test_the_steady_clock_counts_the_sleep_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform != "linux":
        return
    real = system_time.clock_gettime
    slept = {system_time.CLOCK_BOOTTIME: 1000.0}
    monkeypatch.setattr(system_time, "clock_gettime", lambda which: real(which) + slept.get(which, 0.0))
    before = steady()
    slept[system_time.CLOCK_BOOTTIME] += HOUR
    assert steady() - before >= HOUR


@pytest.mark.parametrize(("then", "is_made"), [("08:00", True), ("09:00", False), ("09:06", True), ("10:00", True)])
def test_a_copy_is_due_when_the_clock_was_set_back_or_minutes_have_gone_by(
    tmp_path: Path, then: str, is_made: bool
) -> None:
    folder = seated(tmp_path / "cup")
    with open_event(folder, clock) as event:
        back_up(event)
        append_fact(event.facts, "clock stopped", {"elapsed": 0}, "Tess")
        event.facts.clock = lambda: f"2026-01-02T{then}:00+00:00"
        assert is_due(event) is is_made
        found = backup_status(event)["minutes"]
        back = seconds_between(clock(), event.facts.clock())
        assert found == (None if back is None else back // 60)


@pytest.mark.parametrize(
    ("since", "end"), [("2026-10-25T00:50:00+00:00", "until 02:20"), ("2026-03-29T00:30:00+00:00", "until 03:00")]
)
def test_the_end_of_a_part_is_said_as_the_clock_on_the_wall_shows_it_then(
    monkeypatch: pytest.MonkeyPatch, since: str, end: str
) -> None:
    """Summer time ends or begins meanwhile: half an hour after 2:50 it is 2:20, half an hour after 1:30 it is 3:00."""
    if sys.platform == "win32":
        pytest.skip("the time zone is the machine's")
    clock = BigClock(label="Fall 1907", parts=(("negotiation", 1800),), elapsed_s=0, since=since, number=1)
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        system_time.tzset()
        view = clock_view(clock, speech_of("en"))
    system_time.tzset()
    assert view is not None
    assert [words for _, words in view["parts"]] == [end]

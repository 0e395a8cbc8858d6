"""Limits of the pages: the limit itself is allowed, and one beyond it is not; of what is kept the newest stays."""

import re
from datetime import timedelta
from itertools import count
from math import inf, nextafter
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from pipeline.desk.forms.form_printing import Wanted
from pipeline.desk.publish.public_record import BigClock
from pipeline.ledger.claims import Claims
from pipeline.problems import Stopped, stop
from pipeline.reading.identify import FrameSeen
from pipeline.web import app, certificate, coming_files, connections, logins, office, server, start_page, upload
from pipeline.web.app import LARGEST_BODY, ReadyAnswer, Refused
from pipeline.web.background import PATIENCE_S, Background
from pipeline.web.coming_files import ComingFiles, _BytesTaken
from pipeline.web.correct import _read_wanted
from pipeline.web.logins import Logins, Role
from pipeline.web.prints import _small_number_in
from pipeline.web.public_pages import clock_view
from pipeline.web.public_site import Shelf
from pipeline.web.server import Opened
from pipeline.web.shown import ShownVersions, Version
from pipeline.web.upload import LEAST_SHARPNESS, _decode_frame, _picture_fault
from pipeline.words.speech import IN_ENGLISH
from web.conftest import SEATS, Browser, Time
from web.stale import send

MB = 1 << 20
SECONDS = 24 * 3600
LINES: dict[str, object] = {"turn": "1.1 S1901M AUSTRIA", "units": []}
PARTS: tuple[object, ...] = ([], [["b"]], [["b", True]], [["b", 1, 2]])  # that are none
CHANGE = {"type": "row", "power": "ENGLAND", "line": 1, "order": "F LON H"}
AT_LIMITS: tuple[tuple[str, dict[str, object], dict[str, object], str], ...] = (
    # what is asked for, with an entry at its limit, and beyond; and what is said then
    ("/api/meaning", LINES | {"lines": ["A" * 200] * 60}, LINES | {"lines": ["A" * 201]}, "200 characters"),
    ("/api/meaning", LINES | {"lines": ["A" * 200]}, LINES | {"lines": [""] * 61}, "60 lines"),
    ("/api/clock/set", {"label": "a", "parts": [["b", SECONDS]]}, {"parts": [["b", SECONDS + 1]]}, "its seconds"),
    ("/api/clock/set", {"label": "a", "parts": [["b", 1]]}, {"parts": [["b", 0]]}, "its seconds"),
    ("/api/clock/set", {"do": "stop", "elapsed": SECONDS}, {"do": "stop", "elapsed": SECONDS + 1}, "expected seconds"),
    ("/api/clock/set", {"do": "stop", "elapsed": 0}, {"do": "stop", "elapsed": -1}, "expected seconds"),
    ("/api/forms/print", {"kind": "vote", "board": "1.1", "copies": 50}, {"kind": "vote", "copies": 51}, "1 to 50"),
    ("/api/forms/print", {"kind": "vote", "board": "1.1", "copies": 1}, {"kind": "vote", "copies": 0}, "1 to 50"),
)
SAFETY = Path(__file__).parents[2] / "docs/explanation/safety.md"
SAID_OF_SAFETY = (  # what the page on safety says of limits, and what they are
    (f"takes {connections.MOST_CALLS:,} connections", connections.MOST_CALLS),
    (f"(Windows: {connections.SELECTED - connections.OWN_FILES})", 416),
    ("four at a time", connections.HALL_TURNS == 4),
    (f"end after {logins.SESSION_S // 3600} hours", logins.SESSION_S % 3600 == 0),
    ("After five wrong PINs in a minute", (logins.TRIES, logins.TRIES_S) == (5, 60)),
    ("After twenty in ten minutes", (logins.ALL_TRIES, logins.ALL_S) == (20, 600)),
    ("checks in four players at most", office.MOST_OF_DEVICE == 4),
    (f"valid for {certificate.LASTS.days} days", certificate.LASTS.days),
    (f"hangs for {PATIENCE_S / 60:g} minutes", PATIENCE_S),
)
SHORTER_FIRST: tuple[tuple[float | timedelta, ...], ...] = (  # of two limits of time one lies within the other
    (connections.FIRST_S, connections.IDLE_S, connections.ANSWER_S, connections.DESK_S),
    (connections.LOOK_S, connections.GRACE_S, connections.FIRST_S),
    (app.QUIET_S, app.DECISION_S, start_page.ROSTER_S, coming_files.STACK_S),
    (upload.FRAME_S, app.QUIET_S),
    (upload.LOOK_S, upload.IDLE_S, PATIENCE_S),
    (server.EVERY_S, server.OFTEN_S, server.LONGEST_S, PATIENCE_S),  # who copies for so long is alive
    (server.PAUSE_S, server.EFFECTS_QUIET_S, server.EFFECTS_EVERY_S),
    (server.ANSWERING_S, server.ENDS_WITHIN_S, server.CLOSING_S),
    (5.0, office.CLAIM_S, connections.IDLE_S),  # a page renews its claims every five seconds
    (certificate.BEFORE, certificate.LEAST_LEFT, certificate.LASTS),
)
GOOD = FrameSeen(markers=4, px_per_mm=4.7, sharpness=LEAST_SHARPNESS, light=90, contrast=60)


@pytest.mark.parametrize(("said", "holds"), SAID_OF_SAFETY)
def test_the_page_on_safety_says_how_many_and_how_long(said: str, holds: object) -> None:
    assert holds
    assert said in re.sub(r"\[\^\w+\]", "", " ".join(SAFETY.read_text("utf-8").split()))


def test_a_limit_within_another_is_the_shorter_one() -> None:
    for limits in SHORTER_FIRST:
        assert list(limits) == sorted(set(limits)), limits


def test_a_picture_that_is_just_good_enough_is_taken() -> None:
    assert _picture_fault(GOOD, 1.0) == ""
    assert _picture_fault(replace(GOOD, px_per_mm=2.35), 2.0) == ""
    beyond = {"light": "too dark", "contrast": "too dark", "px_per_mm": "come nearer", "sharpness": "hold still"}
    for what, said in beyond.items():
        less = nextafter(getattr(GOOD, what), -inf)
        assert _picture_fault(replace(GOOD, **{what: less}), 1.0).startswith(said)
    assert _picture_fault(replace(GOOD, markers=3), 1.0) == "all four corners"


def test_so_many_answers_are_kept_and_those_that_nobody_asks_for_go_first() -> None:
    shelf, made = Shelf(2), count(1)
    asked = "abaacba"  # b is asked for last before a third comes: it goes, as a is asked for again
    answers = [shelf.get(key, lambda: ReadyAnswer(b"%d" % next(made), "")).body for key in asked]
    assert answers == [b"1", b"2", b"1", b"1", b"3", b"4", b"5"]
    assert list(shelf.kept) == ["b", "a"]


def test_so_many_versions_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.web.shown.MOST_KEPT", 2)
    shown = ShownVersions()
    for names in ("a", "b", "a", "c"):
        shown.marks_of({names: Version((names,))})
    assert list(shown.kept.values()) == [("a",), ("c",)]


def test_pages_of_the_journal_show_each_line_once(
    opened: Opened, tess: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = [line["number"] for line in tess.client.get("/api/journal").json()["lines"]]
    assert len(whole) > 6
    for most in (2, 3, len(whole), len(whole) + 1):
        monkeypatch.setattr("pipeline.web.journal_page.MOST", most)
        shown, before = list[int](), ""
        while before != "0":
            page = tess.client.get("/api/journal", params={"before": before}).json()
            assert len(page["lines"]) <= most
            shown += [line["number"] for line in page["lines"]]
            before = str(page["oldest"])
        assert shown == whole, most


def test_a_number_is_whole_and_not_larger_than_it_may_be() -> None:
    found = [_small_number_in({"copies": value}, "copies", 5) for value in ("0", 5, "5", "", None)]
    assert found == [0, 5, 5, 0, 0]
    for value in (6, "6", -1, "x", "1.0"):
        with pytest.raises(Stopped, match="expected a whole number from 0 to 5"):
            _small_number_in({"copies": value}, "copies", 5)


def test_so_many_bytes_may_come_from_one_person_and_in_all() -> None:
    coming = ComingFiles()
    taken = [_BytesTaken(coming, name) for name in ("a", "b", "c")]
    for each in taken[:2]:
        each(256 * MB, is_here=False)
        each(256 * MB)
        with pytest.raises(Refused):
            each(1)
    with pytest.raises(Refused):
        taken[2](1)
    assert [each.came for each in taken] == [256 * MB, 256 * MB, 0]


def test_what_is_sent_may_be_as_large_as_its_limit_and_no_larger(
    opened: Opened, tess: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, by_tess = opened.logins.enter("Tess", Role.DIRECTOR)
    copies: list[int] = []

    def print_wanted(_: object, wanted: Wanted) -> SimpleNamespace:
        copies.append(wanted.copies)
        return SimpleNamespace(pdf=b"%PDF")

    monkeypatch.setattr("pipeline.web.forms_page.print_wanted", print_wanted)
    assert send(tess, "/api/forms/print", {"kind": "vote", "board": "1.1"}).status_code == 200
    assert copies == [1], "of what is not said how often"
    for path, at_limit, beyond, said in AT_LIMITS:
        assert send(tess, path, at_limit).status_code == 200, (path, at_limit)
        answer = send(tess, path, beyond)
        assert (answer.status_code, said in answer.json()["said"]) == (422, True), answer.text
    for parts in PARTS:
        assert "its seconds" in send(tess, "/api/clock/set", {"label": "a", "parts": parts}).json()["said"]
    at_phase = SimpleNamespace(position=SimpleNamespace(phase="S1901M"))
    monkeypatch.setattr("pipeline.web.correct._phase_named", lambda *_: (SimpleNamespace(name="1.1"), at_phase))
    assert len(_read_wanted(opened.office, by_tess, {"changes": [CHANGE] * 100}).changes) == 100
    with pytest.raises(Stopped, match="at most 100 changes"):
        _read_wanted(opened.office, by_tess, {"changes": [CHANGE] * 101})


def test_a_decision_has_so_many_bytes_whether_or_not_it_says_beforehand_how_many(tess: Browser) -> None:
    for more, status in ((0, 200), (1, 413)):
        body = b"{}".ljust(LARGEST_BODY + more)
        for content in (body, iter([body[:9], body[9:]])):  # the second does not say how many will come
            answer = tess.client.post("/api/alive", content=content, headers={"X-Token": tess.token})
            assert answer.status_code == status, answer.text
    said = {most: str(app._too_much(most, "a page")).split(" at once")[0] for most in (2000, 5 << 20)}
    assert said == {2000: "a page: more than 1 kB", 5 << 20: "a page: more than 5 MB"}


def test_a_file_and_a_picture_of_the_camera_have_a_largest_size(tess: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.web.coming_files.LARGEST", 4)
    for size, is_taken in ((4, True), (5, False)):
        answer = tess.client.post(
            "/api/upload", files={"files": ("a.png", b"a" * size)}, headers={"X-Token": tess.token}
        )
        assert (answer.status_code != 413) == is_taken, answer.text
    packed = cv2.imencode(".png", np.zeros((4, 5), np.uint8))[1].tobytes()
    monkeypatch.setattr("pipeline.web.upload.MOST_PIXELS", 20)
    assert _decode_frame(packed).shape == (4, 5)
    monkeypatch.setattr("pipeline.web.upload.MOST_PIXELS", 19)
    with pytest.raises(Stopped, match="small JPEG"):
        _decode_frame(packed)


def test_work_in_the_background_may_be_silent_for_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[str]()
    work = Background("work", lambda: None, 1000.0, lambda: told.append(work.trouble))
    work.start()
    now = work.sign + PATIENCE_S
    for at, lives in ((now, True), (nextafter(now, inf), False)):
        monkeypatch.setattr("pipeline.web.background.time.monotonic", lambda at=at: at)
        assert (work.lives(), bool(told)) == (lives, not lives)
    work.is_over.set()
    assert work.lives(), "it is over, and need not be begun again"


def test_the_round_to_come_is_the_one_behind_the_last_that_is_told_if_the_rules_have_it(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = opened.office.event.tournament.rounds
    for told in range(last + 1):
        monkeypatch.setattr("pipeline.web.office.rounds_with_public_seats", lambda *_, told=told: {0, told})
        assert opened.office.round_to_come() == (told + 1 if told < last else 0)


def test_a_name_of_sixty_letters_may_log_in_and_a_longer_one_may_not(opened: Opened, tess: Browser) -> None:
    tess.post("/api/room/add", name="Z" * 60, role="assistant")
    for name in ("Z" * 61, "", "Z\u200boe"):
        assert tess.post("/api/room/add", 422, name=name, role="assistant")["where"] == "name"
    again = tess.post("/api/room/add", 422, name="z" * 60, role="assistant")
    assert "may log in already" in again["said"]


def test_of_a_log_in_all_browsers_are_sent_away_but_the_one_that_asks(opened: Opened) -> None:
    logins = opened.logins
    for guest in SEATS:
        for asks in {guest, SEATS[0]}:
            inside = [logins.enter(each.name, each.role) for each in SEATS * 2]
            by = next(login for _, login in inside if login.name == asks.name)
            logins.send_all_away(guest.name, guest.role, by)
            for cookie, login in inside:
                assert logins.knows(cookie) == (login.name != guest.name or login is by), (guest, asks, login)


def test_wrong_links_are_told_so_often_and_wrong_pins_wait_so_long(opened: Opened) -> None:
    time, told = Time(), list[str]()
    logins = Logins(Claims(opened.office.event.folder / "other.db"), SEATS, "key", time, on_wrong=told.append)
    for _ in range(25):
        assert logins.with_key("wrong", "127.0.0.1") is None
    assert len(told) == 20
    for later, more in ((599, 0), (1, 1)):  # after ten minutes
        time.now += later
        logins.with_key("wrong", "127.0.0.1")
        assert len(told) == 20 + more
    for _ in range(5):
        assert logins.with_pin("Tess", "000000", "10.0.0.7") is None
    for later in (0, 59):
        time.now += later
        with pytest.raises(Stopped, match="wait a minute"):
            logins.with_pin("Tess", "111111", "10.0.0.7")
    time.now += 1
    assert logins.with_pin("Tess", "111111", "10.0.0.7")
    logins.claims.close()


def test_a_part_of_the_clock_that_is_over_is_not_said() -> None:
    clock = BigClock(label="Spring 1901", parts=(("time", 60), ("writing", 90)), elapsed_s=0, since=None, number=1)
    said = {0: ["1:00 left", "1:30 left"], 59: ["0:01 left", "1:30 left"], 60: ["1:30 left"], 150: []}
    for gone, parts in said.items():
        view = clock_view(replace(clock, elapsed_s=gone), IN_ENGLISH)
        assert view is not None
        assert [words for _, words in view["parts"]] == parts


@pytest.mark.parametrize(
    ("path", "work", "body"),
    [
        ("/api/day/draw", "round_draw._read_draw_request", {"round": 1}),
        ("/api/copies/now", "copying.open_same", {}),
        ("/api/room/network", "phones_page._switch", {"on": True}),
    ],
)
def test_while_a_long_act_works_other_pages_are_answered(
    opened: Opened, tess: Browser, monkeypatch: pytest.MonkeyPatch, path: str, work: str, body: dict[str, object]
) -> None:
    free: list[bool] = []

    def try_lock() -> None:
        free.append(opened.office.lock.acquire(timeout=0.5))
        if free[-1]:
            opened.office.lock.release()

    def look(*_: object) -> None:
        (other := Thread(target=try_lock)).start()
        other.join()
        raise stop("seen", "here")

    monkeypatch.setattr(f"pipeline.web.{work}", look)
    tess.client.post(path, json=body, headers={"X-Token": tess.token})
    assert free == [True]

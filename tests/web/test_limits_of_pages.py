"""Limits of the pages: the limit itself is allowed, and one beyond it is not; of what is kept the newest stays."""

from itertools import count
from math import inf, nextafter

import pytest
from msgspec.structs import replace

from pipeline.desk.publish.public_record import BigClock
from pipeline.ledger.claims import Claims
from pipeline.problems import Stopped
from pipeline.reading.identify import FrameSeen
from pipeline.web.app import ReadyAnswer, Refused
from pipeline.web.coming_files import ComingFiles, _BytesTaken
from pipeline.web.live import Shelf
from pipeline.web.logins import Logins
from pipeline.web.prints import _small_number_in
from pipeline.web.public_pages import clock_view
from pipeline.web.server import Opened
from pipeline.web.shown import ShownVersions, Version
from pipeline.web.upload import LEAST_SHARPNESS, _picture_fault
from pipeline.words.speech import IN_ENGLISH
from web.conftest import SEATS, Browser, Time

MB = 1 << 20
GOOD = FrameSeen(markers=4, px_per_mm=4.7, sharpness=LEAST_SHARPNESS, light=90, contrast=60)


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


def test_a_name_of_sixty_letters_may_log_in_and_a_longer_one_may_not(opened: Opened, tess: Browser) -> None:
    tess.post("/api/room/add", name="Z" * 60, role="assistant")
    for name in ("Z" * 61, "", "Z\u200boe"):
        assert tess.post("/api/room/add", 422, name=name, role="assistant")["where"] == "name"
    again = tess.post("/api/room/add", 422, name="z" * 60, role="assistant")
    assert "may log in already" in again["said"]


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

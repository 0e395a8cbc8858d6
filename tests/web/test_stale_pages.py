"""No act from a stale page succeeds without a word: tried for every act that the routes know."""

from pathlib import Path
from typing import Any

import pytest
from facts_as_kept import append_fact
from starlette.routing import Route

from pipeline.problems import ExitCode
from pipeline.web.logins import Role
from pipeline.web.server import Opened
from pipeline.web.shown import ABSENT, ShownVersions, StalePage, Version
from pipeline.web.start_page import open_switcher
from web.acts import PAGE_OF
from web.conftest import Browser
from web.stale import CASES, QUESTIONS, SEATS, Case, act_at_once, act_in_turn, acts_of, send, set_to, shown_to_two

OF_BOARD = [
    case for case in CASES if case.path.startswith("/api/tables/") and {"board", "boards"} & case.bodies[0].keys()
]
OF_BOARD += [case for case in CASES if case.path == "/api/notes/enter" and case.is_of_board()]


def test_every_act_has_a_case_and_a_page_that_shows_what_it_rests_on(opened: Opened) -> None:
    acts = acts_of(opened.app.routes)
    assert len(acts) > 25
    assert acts == {case.path for case in CASES}
    with open_switcher(SEATS, "key", lambda: 0.0) as pages:
        acts |= acts_of(pages.app.routes)
    assert acts == set(PAGE_OF)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.path} {case.bodies[0].get('do', '')}")
def test_what_somebody_else_has_done_meanwhile_refuses_the_second_with_both_versions(
    case: Case, tmp_path: Path
) -> None:
    assert act_in_turn(case, tmp_path / "cup") == ""


@pytest.mark.parametrize("case", OF_BOARD, ids=lambda case: case.path)
def test_an_act_about_a_board_that_has_gone_on_since_is_refused(case: Case, tmp_path: Path) -> None:
    with shown_to_two(case, tmp_path / "cup") as (opened, (tess, _), (body, _)):
        set_to("F1911M")(opened, tess)
        newest = opened.office.event.facts.last_number()
        answer = send(tess, case.path, body)
        assert (answer.status_code, "board 1.1" in str(answer.json().get("changed"))) == (409, True), answer.text
        assert opened.office.event.facts.last_number() == newest


@pytest.mark.parametrize("number", [0, 6, 16, 28, 37])
def test_of_two_at_once_one_is_refused(number: int, tmp_path: Path) -> None:
    assert sorted(act_at_once(CASES[number], tmp_path / "cup")) == [200, 409]


def test_an_act_without_what_its_page_showed_is_refused(opened: Opened, tess: Browser) -> None:
    wrong: tuple[Any, ...] = ({}, [], None, "x")
    for shown in wrong:
        body = {"label": "S1901", "parts": [["time", 60]], "shown": shown}
        assert send(tess, "/api/clock/set", body).status_code == 200, "nobody has started it yet"
        answer = send(tess, "/api/clock/set", body)
        assert (answer.status_code, answer.json()["changed"][0]["what"]) == (409, "the clock")
        append_fact(
            opened.office.event.facts, "taken back", {"fact": opened.office.event.facts.last_number(), "why": ""}, "T"
        )


def test_a_question_changes_nothing(opened: Opened, tess: Browser) -> None:
    newest = opened.office.event.facts.last_number()
    paths = {each.path for each in opened.app.routes if isinstance(each, Route)} & QUESTIONS
    for path in paths:
        for body in (
            {},
            {"board": "1.1", "power": "FRANCE", "how": "time", "turn": "1.1 S1901M AUSTRIA", "lines": ["A"]},
        ):
            assert send(tess, path, body).status_code in (200, 422)
    assert opened.office.event.facts.last_number() == newest


def test_who_has_seen_both_versions_may_decide() -> None:
    shown = ShownVersions()
    brought = shown.marks_of({"board 1.1": Version(("Spring",)), "board 1.2": Version(("Fall",))})
    shown.check({"board 1.1": Version(("Spring",)), "the clock": ABSENT}, brought)
    with pytest.raises(StalePage) as refused:
        shown.check({"board 1.1": Version(("Winter",)), "board 1.2": Version(("Fall",))}, brought)
    (changed,) = refused.value.changed
    assert (changed.what, changed.was, changed.now) == ("board 1.1", ("Spring",), ("Winter",))
    assert refused.value.code is ExitCode.STALE
    shown.check({"board 1.1": Version(("Winter",))}, brought | {changed.what: changed.mark})


def test_the_roles_of_these_tests_are_all_there_are() -> None:
    assert {seat.role for seat in SEATS} == set(Role)

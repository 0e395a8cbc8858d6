"""The page of forms: what waits, its picture, and the director's word; nobody sees one of a board he plays on."""

from pathlib import Path

import pytest
from desk.cup import seated
from desk.forms.table import Table, ticked

from pipeline.board import Power
from pipeline.desk.forms.forms_in import forms_in
from pipeline.paper.form import FormKind
from pipeline.pen.scanner import write_scans
from pipeline.web.logins import Guest, Role
from pipeline.web.server import Opened, open_office
from web.conftest import SEATS, Browser, Time


@pytest.fixture
def slip(opened: Opened, tmp_path: Path) -> str:
    """A slip with two ticks."""
    table = Table(opened.office.event, tmp_path)
    printed = table.printed(FormKind.VOTE, board="1.1")
    with opened.office.lock:
        table.scanned([table.filled(printed, 0, ticked("vote: yes", "vote: no"))])
    return printed.pages[0].sheet


def test_a_doubt_is_shown_with_its_picture_and_the_words_that_may_stand(tess: Browser, slip: str) -> None:
    (form,) = tess.client.get("/api/forms").json()["forms"]
    assert (form["form"], form["kind"], form["may_accept"]) == (slip, "vote", False)
    (doubt,) = form["doubts"]
    assert (doubt["field"], doubt["words"]) == ("vote", ["yes", "no", "nothing"])
    assert tess.client.get(doubt["picture"]).headers["content-type"] == "image/png"
    assert tess.client.get(form["picture"]).status_code == 200


def test_the_directors_word_settles_it(opened: Opened, tess: Browser, slip: str) -> None:
    assert "expected one of yes, no" in tess.post("/api/forms/rule", 422, form=slip, field="vote", value="both")["said"]
    for long in ({"value": "y" * 201}, {"value": "yes", "why": "w" * 1001}):
        assert "at most" in tess.post("/api/forms/rule", 422, form=slip, field="vote", **long)["said"]
    why = "he said so, " * 80
    tess.post("/api/forms/rule", form=slip, field="vote", value="yes", why=why)
    assert tess.client.get("/api/forms").json()["forms"][0]["doubts"] == []
    ruling = forms_in(opened.office.event)[slip].by_name["vote"].ruling
    assert ruling is not None
    assert (ruling.by, ruling.said.why) == ("Tess", why.strip())
    tess.post("/api/forms/aside", form=slip)
    assert tess.client.get("/api/forms").json()["forms"][0]["state"] == "set aside"


def test_assistants_and_players_of_the_board_have_no_part_in_it(opened: Opened, slip: str) -> None:
    anna, bo = Browser(opened, "Anna"), Browser(opened, "Bo")
    assert anna.client.get("/api/forms").status_code == 403
    anna.post("/api/forms/rule", 403, form=slip, field="vote", value="yes")
    picture = Browser(opened, "Tess").client.get("/api/forms").json()["forms"][0]["picture"]
    assert bo.client.get(picture).status_code == 403  # he plays England on this board


def test_a_director_who_plays_reads_no_ruling_on_a_slip_of_his_board_and_takes_none_back(
    opened: Opened, tess: Browser, slip: str
) -> None:
    tess.post("/api/forms/rule", form=slip, field="vote", value="yes")
    number = opened.office.event.facts.last_number()
    opened.logins.guests = tuple(
        Guest(each.name, Role.DIRECTOR, each.pin) if each.name == "Bo" else each for each in opened.logins.guests
    )
    bo = Browser(opened, "Bo")  # he plays England on this board
    assert "you play on this board" in bo.post("/api/journal/undo", 422, number=number)["said"]
    assert f"form {slip}: vote is" in tess.client.get("/api/journal").text
    assert f"form {slip}: vote is" not in bo.client.get("/api/journal").text
    tess.post("/api/journal/undo", number=number)
    assert f"form {slip}: vote is" not in bo.client.get("/api/journal").text


def test_a_telephone_is_told_that_a_form_is_fine(opened: Opened, tess: Browser, tmp_path: Path) -> None:
    table = Table(opened.office.event, tmp_path)
    with opened.office.lock:
        printed = table.printed(FormKind.VOTE, board="1.1")
    file = tmp_path / "photo.png"
    write_scans([table.one_scan(table.filled(printed, 0, ticked("vote: yes")))], file)
    answer = tess.client.post(
        "/api/upload", files={"files": ("photo.png", file.read_bytes(), "image/png")}, headers={"X-Token": tess.token}
    )
    assert answer.json()["kept"][0]["spoilt"] == []


def test_only_forms_that_this_tournament_knows_are_offered(tess: Browser) -> None:
    kinds = [each["kind"] for each in tess.client.get("/api/forms").json()["kinds"]]
    assert kinds == ["board", "vote", "sample"]
    chosen = [tess.client.get("/api/forms", params={"kind": each}).json()["kind"] for each in ("", *kinds, "team")]
    assert chosen == ["board", *kinds, "board"]
    for kind in set(map(str, FormKind)) - set(kinds):
        tess.post("/api/forms/print", 422, kind=kind)


@pytest.mark.parametrize(("tournament", "is_offered"), [("weaselmoot", False), ("edc1996", True)])
def test_powers_on_slips_are_offered_only_where_the_rules_leave_it_to_the_director(
    tmp_path: Path, tournament: str, is_offered: bool
) -> None:
    with open_office(seated(tmp_path / "cup", tournament=tournament), SEATS, clock=Time()) as opened:
        page = Browser(opened, "Tess").client.get("/forms?kind=vote").text
    assert ("With the powers on them" in page) is is_offered


def test_a_form_that_was_ruled_on_since_it_was_accepted_can_be_accepted_again(
    opened: Opened, tess: Browser, tmp_path: Path
) -> None:
    table = Table(opened.office.event, tmp_path)
    with opened.office.lock:
        printed = table.printed(FormKind.BOARD, board="1.1")
        table.scanned([table.filled(printed, 0, {})])
    form = printed.pages[0].sheet
    counts = {**dict.fromkeys(map(str, Power), "4"), "NOBODY": "6"}
    for field, value in {"ended": "time", **{f"1901 {owner}": count for owner, count in counts.items()}}.items():
        tess.post("/api/forms/rule", form=form, field=field, value=value)

    def may_accept() -> bool:
        return bool(tess.client.get("/api/forms").json()["forms"][0]["may_accept"])

    assert may_accept()
    (shown,) = tess.client.get("/api/forms").json()["forms"]
    page = tess.client.get("/forms").text
    assert len(shown["doubts"]) == 7, "nobody signed"
    assert page.count(f'<img class="ink" src="{shown["picture"]}"') == 1, "the whole form is shown once, above all"
    tess.post("/api/forms/accept", form=form, why="nobody signed")
    assert not may_accept()
    tess.post("/api/forms/rule", form=form, field="1901 ITALY", value="5")
    assert may_accept()

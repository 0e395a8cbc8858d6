"""What stopped a newcomer in the browser, step by step: each is done without a terminal, and nothing misleads."""

from pathlib import Path
from typing import Any

import numpy as np
from desk.cup import clock, hand_in_all, printed, seated
from desk.forms.table import Table, signed, ticked
from desk.forms.test_using_forms import play_1901, row

from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.event_file import read_event_file
from pipeline.desk.event.games import find_game
from pipeline.desk.forms.forms_in import forms_in
from pipeline.desk.players import Called, add_player, enter_roll_call, tell_seats
from pipeline.desk.publish.explain import check_event
from pipeline.desk.publish.publish import publish
from pipeline.desk.sheets.printing import print_round
from pipeline.paper.form import FormKind
from pipeline.pen.filling import fill
from pipeline.pen.hand import Hand
from pipeline.pen.scanner import write_scans
from web.driven import IN_CHROMIUM, correct_vienna, desk, go_to, section, started

pytestmark = list(IN_CHROMIUM)


def published(folder: Path) -> Path:
    """Spring is published and the sheets of Fall are printed; somebody is here and has no seat."""
    with open_event(printed(folder, "edc2023"), clock) as event:
        add_player(event, "Uma Oddone", {}, by="Tess")
        seated = tuple(name for name in find_game(event, "1.1").seating.players.values() if name)
        enter_roll_call(event, 1, {Called.HERE: (*seated, "Uma Oddone")}, by="Tess")
        tell_seats(event, 1, "Tess")
        hand_in_all(event)
        publish(event, "1", "Tess")
        print_round(event, 1)
    return folder


def correct_last_season(page: Any, base: str) -> None:
    """1.1: an order of last season is corrected, with its consequences and its reason."""
    correct_vienna(page, base)


def set_own_times(page: Any, base: str) -> None:
    """1.2: the public pages have no timetable but the event's own."""
    assert "Friday" not in page.context.request.get(f"{base}/live").text()
    page.goto(f"{base}/desk")
    settings = section(page, "settings")
    settings.get_by_label("times of the rounds, on the public pages").fill("Round 1: today, at ten")
    settings.locator(".row", has_text="times of the rounds").get_by_role("button", name="change").click()
    page.get_by_text("✓ times of the rounds, on the public pages is changed").wait_for()
    page.wait_for_timeout(300)
    assert "Round 1: today, at ten" in page.context.request.get(f"{base}/live").text()


def see_who_sits_out(page: Any, base: str) -> None:
    """1.3: who sits out stands on the lists of seats."""
    assert "Uma Oddone" in section(page, "seats").locator("div", has_text="Sit this round out").first.inner_text()
    assert "Sit this round out: Uma Oddone" in page.context.request.get(f"{base}/live").text()


def copy_and_restore(page: Any, base: str, folder: Path) -> None:
    """1.4: a copy is made and listed, and restored on the page of events; what was there is kept."""
    settings = section(page, "settings")
    settings.locator("#copies > summary").click()
    settings.get_by_role("button", name="copy now").click()
    settings.locator("#copies td", has_text="✓ whole").first.wait_for()
    settings.get_by_role("link", name="restore one…").click()
    page.get_by_role("button", name="restore this…").first.click()
    page.get_by_role("button", name="replace it by this copy").click()
    page.get_by_text("what was in the folder is kept here").wait_for()
    assert (folder.with_name("cup-replaced-1") / "event.db").is_file()
    page.get_by_role("link", name="to the event").click()


def go_by_other_rules(page: Any, base: str) -> None:
    """1.5: whose rules are played; others are taken after it was shown what they change, which the round then says."""
    settings = section(page, "settings")
    settings.get_by_text("Rules: European Diplomacy Championship 2023").wait_for()
    settings.get_by_text("by which printed ones are known: TEST").wait_for()
    settings.get_by_role("button", name="other rules, another language or code…").click()
    settings.get_by_label("language of what players see").select_option("de")
    settings.get_by_role("button", name="see what changes").click()
    settings.get_by_role("button", name="take this").click()
    page.locator("#news").get_by_text("From now on players see the other language").wait_for()
    settings = section(page, "settings")
    settings.get_by_text("Language of what players see: German").wait_for()
    settings.get_by_role("button", name="other rules, another language or code…").click()
    settings.get_by_label("language of what players see").select_option("")
    settings.get_by_label("tournament").select_option("weaselmoot")
    settings.get_by_role("button", name="see what changes").click()
    settings.get_by_role("button", name="go by these rules").click()
    news = page.locator("#news")
    news.get_by_text("From now on this event goes by the rules of Weasel Moot").wait_for()
    assert "No place and no score changes" in news.inner_text() or "with another place or score" in news.inner_text()
    section(page, "settings").get_by_text("Rules: Weasel Moot").wait_for()
    page.reload()
    news.get_by_role("button", name="Seen").wait_for()
    go_to(page, "Journal")
    page.locator("summary", has_text="Take back…").first.click()
    page.get_by_role("button", name="Take it back").click()
    page.get_by_text("Taken back, written down").wait_for()
    page.goto(f"{base}/desk")
    section(page, "settings").get_by_text("Rules: European").wait_for()
    assert news.is_hidden(), "it is no news any more"


def go_to_all_events_and_back(page: Any, base: str) -> None:
    """1.6: the way back to all events, and to this one."""
    go_to(page, "All events")
    page.locator("[data-folder]").first.click()


def write_a_season_in_words(page: Any, base: str) -> None:
    """1.7: a season is written as people write it."""
    page.wait_for_selector("#steps li")
    page.goto(f"{base}/notes?what=substitute&board=1.1")
    for field, value in (("power", "FRANCE"), ("player", "Uma Oddone")):
        page.select_option(f"#field-{field}", value)
    page.fill("#field-phase", "Fall 1901")
    page.fill("#field-why", "Cem is ill")
    page.get_by_role("button", name="enter it").click()
    page.get_by_text("in the journal").first.wait_for()


def test_a_newcomers_day(chromium: Any, tmp_path: Path) -> None:
    folder = published(tmp_path / "cup")
    with started(tmp_path, "desk", str(folder)) as link, desk(chromium, link) as seat:
        page, base = seat.page, "/".join(link.split("/")[:3])
        correct_last_season(page, base)
        set_own_times(page, base)
        see_who_sits_out(page, base)
        copy_and_restore(page, base, folder)
        go_by_other_rules(page, base)
        go_to_all_events_and_back(page, base)
        write_a_season_in_words(page, base)
    with open_event(folder, clock) as event:
        assert "A VIE H" in [row.order for row in find_game(event, "1").played[0].fact.said.rows[Power.AUSTRIA]]
        assert list(check_event(event)) == []
        assert find_game(event, "1").seating.players[Power.FRANCE] == "Uma Oddone"
    assert read_event_file(folder / "event.toml")[0].tournament == "edc2023"


UNSURE = Hand.from_seed(11, neatness=0.3)  # of its figures the reader asks about six


def board_sheet(folder: Path) -> Path:
    """A year was keyed in; its board sheet is filled in by a hand that is hard to read, and scanned."""
    with open_event(seated(folder), clock) as event:
        table = Table(event, folder.parent)
        play_1901(table)
        centres = find_game(event, "1.1").position.centres
        owned = tuple(len(centres.get(power, ())) for power in Power)
        blank = table.printed(FormKind.BOARD, board="1.1")
        marks = row(1901, (*owned, 34 - sum(owned))) | ticked("ended: time")
        marks |= signed(*(f"{power} signature" for power in Power))
        sheet = fill(table.blank(blank, 0), blank.pages[0].as_json(), marks, UNSURE, np.random.default_rng(11))
        write_scans([table.one_scan(sheet)], folder.parent / "board.pdf")
    return folder.parent / "board.pdf"


def test_a_board_sheet_that_is_hard_to_read_is_taken_with_one_press(chromium: Any, tmp_path: Path) -> None:
    """1.6: what was read is looked over beside its ink, mended, and taken together; then nothing waits any more."""
    scan = board_sheet(tmp_path / "cup")
    with started(tmp_path, "desk", str(tmp_path / "cup")) as link, desk(chromium, link) as seat:
        page = seat.page
        section(page, "scan").locator("#files").set_input_files(scan)
        waits = page.locator("#forms", has_text="1 form waits for you")
        waits.get_by_role("link", name="Look at it").click(timeout=120_000)
        fields = page.locator("fieldset.all")
        fields.wait_for()
        assert page.locator(".form legend:visible").count() == 1, "the same is not asked field by field below"
        shown = {field.get_attribute("aria-label"): field.input_value() for field in fields.locator("input").all()}
        assert len(shown) == fields.locator("img.ink").count() == 6
        with open_event(tmp_path / "cup", clock) as event:
            counts = {f"1901 {power}": number for power, number in find_game(event, "1.1").played_counts[1901].items()}
        counts["1901 NOBODY"] = 34 - sum(counts.values())
        for name in shown:
            fields.get_by_label(name).fill(str(counts[name]))
        fields.get_by_role("button", name="Take all 6 as they stand here").click()
        fields.wait_for(state="detached")
        assert not page.locator(".form legend").count(), "nothing is asked any more"
        page.get_by_role("button", name="Accept it").click()
        page.get_by_text("✓ Done").wait_for()
        page.get_by_role("link", name="Round", exact=True).click()
        page.locator("#steps li").first.wait_for()
        waits.wait_for(state="hidden")
    with open_event(tmp_path / "cup", clock) as event:
        (form,) = forms_in(event).values()
        assert {name: int(form.by_name[name].value or 0) for name in counts} == counts
        assert form.rulings.accepted
        assert list(check_event(event)) == []

"""What stopped a newcomer in the browser, step by step: each is done without a terminal, and nothing misleads."""

from pathlib import Path
from typing import Any

from desk.cup import clock, hand_in_all, printed

from pipeline.board import Power
from pipeline.desk.event.event import open_event, read_event_file
from pipeline.desk.event.games import find_game
from pipeline.desk.players import Called, add_player, enter_roll_call, tell_seats
from pipeline.desk.publish.explain import check_event
from pipeline.desk.publish.publish import publish
from pipeline.desk.sheets.printing import print_round
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
        print_round(event, 1, None, None, 0)
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
    page.get_by_role("button", name="restore this").first.click()
    page.get_by_text("what was in the folder is kept here").wait_for()
    assert (folder.with_name("cup-replaced-1") / "event.db").is_file()
    page.get_by_role("link", name="to the event").click()


def go_by_other_rules(page: Any, base: str) -> None:
    """1.5: whose rules are played; others are taken after it was shown what they change."""
    settings = section(page, "settings")
    settings.get_by_text("Rules: European Diplomacy Championship 2023").wait_for()
    settings.get_by_text("by which printed ones are known: TEST").wait_for()
    settings.get_by_role("button", name="other rules, another language…").click()
    settings.get_by_label("language of what players see").select_option("de")
    settings.get_by_role("button", name="see what changes").click()
    settings.get_by_role("button", name="take this language").click()
    settings.get_by_text("Language of what players see: German").wait_for()
    settings.get_by_role("button", name="other rules, another language…").click()
    settings.get_by_label("language of what players see").select_option("")
    settings.get_by_label("tournament").select_option("weaselmoot")
    settings.get_by_role("button", name="see what changes").click()
    settings.get_by_role("button", name="go by these rules").click()
    settings.get_by_text("Rules: Weasel Moot").wait_for()


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
    assert read_event_file(folder / "event.toml")[0].tournament == "weaselmoot"

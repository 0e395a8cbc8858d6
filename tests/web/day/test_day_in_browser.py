"""A whole event of 17 players in a real browser, from an empty folder to the standings, without one command.

At each step a mistake is made and taken back on the page, and all is as it was before.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from desk.cup import printed, seated
from facts_as_kept import read_facts

from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import games
from pipeline.desk.players import Called, read_roll_call
from pipeline.desk.publish.explain import check_event
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import printed_again
from pipeline.ledger.events import SheetsPrinted
from pipeline.ledger.files import now
from web.driven import IN_CHROMIUM, desk, facts, go_to, section, served, started, until

pytestmark = list(IN_CHROMIUM)

FIRST = "Ada Bo Cem Dag Eva Fay Gil Hal Ivy Jon Kai Lea Mia Ned Oda Pat Quinn"
DPI = 150
NAMES = [f"{first} {'ABCDEFGHJKLMNOPQR'[at]}ey" for at, first in enumerate(FIRST.split())]


def step(page: Any, name: str) -> str:
    """A step's state in a word, as it stands on the page."""
    return str(page.inner_text(f"#steps [data-step={name}] small"))


def to_desk(page: Any) -> None:
    page.goto(f"{page.url.split('/', 3)[0]}//{page.url.split('/', 3)[2]}/desk")
    page.wait_for_selector("#steps li")


def state(page: Any, folder: Path) -> object:
    """Everything that a director sees of an event, and all orders as they stand; none of it is when it was written."""
    base = "/".join(page.url.split("/", 3)[:3])
    day, tables = (page.context.request.get(f"{base}{path}").json() for path in ("/api/day?round=1", "/api/tables"))
    with open_event(folder, now) as event:
        live = LiveDesk(event)
        orders = {
            f"{name} {each.power}": (str(each.state), [(str(order)) for order in each.orders])
            for name, game in live.games.items()
            for each in live.board(game)
        }
        names = [(player.number, player.name) for player in event.players]
    del day["number"]
    for board in day["boards"]:
        del board["gone"]  # the card that hangs of what was published a moment ago is to come down
    return day, tables, orders, names


def take_back(page: Any, what: str, why: str = "") -> None:
    """Take the newest line of the journal that says something back, as a director does."""
    go_to(page, "Journal")
    line = page.locator("#lines > li:not(.back) >> visible=true", has_text=what).first
    line.get_by_label("take back…").click()
    line.locator("details input").fill(why)
    line.get_by_role("button", name="take it back").click()
    page.wait_for_selector("#said >> text=is taken back")
    to_desk(page)


@contextmanager
def mistaken(page: Any, folder: Path) -> Iterator[None]:
    """Whatever is done and taken back inside leaves all as it was."""
    before = state(page, folder)
    yield
    assert state(page, folder) == before


def make(page: Any) -> None:
    """A new event by pasting a roster that has a column of its own."""
    page.get_by_label("your name").fill("Tess Day")
    page.get_by_role("button", name="that is me").click()
    page.wait_for_selector("text=signed Tess Day")
    page.get_by_label("name of the event").fill("The Owl Cup")
    page.locator("[data-tournament=weaselmoot]").click()
    wrong = "\n".join(f"{name}\tx@owl.org" for name in [*NAMES, "ada aey"])
    page.get_by_label("the players").fill(f"Name\tE-mail\n{wrong}")
    page.get_by_role("button", name="make the event").click()
    page.wait_for_selector(".faults li")
    assert "row 19: 'ada aey' stands twice" in page.inner_text(".faults")
    page.get_by_label("the players").fill("Name\tE-mail\n" + "\n".join(f"{name}\tx@owl.org" for name in NAMES))
    page.get_by_role("button", name="look at the list").click()
    page.wait_for_selector(".kept li")
    assert "'E-mail' is kept" in page.inner_text(".kept")
    page.get_by_role("button", name="make the event").click()
    page.wait_for_url("**/desk")
    page.wait_for_selector("#steps li")


def wrong_names(page: Any, folder: Path) -> None:
    """Somebody is added who is in another hall, and somebody is given another's name."""
    with mistaken(page, folder):
        page.locator("#settings > details > summary").click()
        page.get_by_label("the event’s name").fill("The Eel Cup")
        page.locator("#settings .row", has=page.get_by_label("the event’s name")).get_by_role("button").click()
        page.wait_for_selector("header.nav .event:has-text('The Eel Cup')")
        take_back(page, "the event's name is")
    with mistaken(page, folder):
        page.get_by_label("name of who came").fill("Rex Wrong UK")
        page.get_by_role("button", name="Add", exact=True).click()
        page.get_by_role("button", name="add it as it stands").click()
        page.wait_for_selector("[data-name='Rex Wrong UK']")
        take_back(page, "Rex Wrong UK was added")
    with mistaken(page, folder):
        page.get_by_label("Ada Aey: more").click()
        page.get_by_label("the right name of Ada Aey").fill("Adam Wrong")
        page.get_by_role("button", name="is the right name").click()
        page.wait_for_selector("[data-name='Adam Wrong']")
        take_back(page, "Ada Aey is now called Adam Wrong")
    with mistaken(page, folder):
        page.get_by_label("Ada Aey: more").click()
        page.get_by_label("the right club of Ada Aey").fill("Eels")
        page.get_by_role("button", name="is the right club").click()
        page.wait_for_selector("[data-name='Ada Aey'] small:has-text('Eels')")
        take_back(page, "Ada Aey · club Eels")


def call(page: Any, folder: Path) -> None:
    """Quinn comes later, Pat has gone home, all others are here; Ada was thought to be away."""
    with mistaken(page, folder):
        page.get_by_label("Ada Aey: away").click()
        page.wait_for_selector("[aria-label='Ada Aey: away'][aria-pressed=true]")
        take_back(page, "away: Ada Aey")
    page.get_by_label("Quinn Rey: comes later").click()
    page.wait_for_selector("[aria-label='Quinn Rey: comes later'][aria-pressed=true]")
    page.get_by_label("Pat Qey: more").click()
    page.get_by_role("button", name="has gone home").click()
    page.wait_for_selector("[data-name='Pat Qey'] small:has-text('has gone home')")
    page.wait_for_timeout(600)  # where both buttons lie at one place, it would be the second click of a double click
    page.locator("#roll .row").get_by_role("button", name="✓ here").click()
    page.wait_for_selector("#steps [data-step=roll] >> text=15 here, 1 later")
    assert page.locator("#steps .due").evaluate_all("all => all.map((each) => each.dataset.step)") == ["draw"]


def draw(page: Any, folder: Path) -> None:
    """One too many: the rules offer that somebody stands down, and Oda does; at first it was Ned."""
    with mistaken(page, folder):
        stand_down(page, "Ned Oey", page.get_by_role("button", name="draw round 1"))
        take_back(page, "round 1 was drawn")
    stand_down(page, "Oda Pey", page.get_by_role("button", name="draw round 1"))
    seats, out = seats_shown(page)
    assert all(name in seats for name in NAMES[:14])
    assert not [name for name in NAMES[14:] if name in seats]
    assert "Oda Pey" in out


def seats_shown(page: Any) -> tuple[str, str]:
    """The lists of who sits where, and that of who sits out."""
    lists = page.locator("#seats .lists > div").all_inner_texts()
    out = [text for text in lists if text.startswith("Sit this round out")]
    return "\n".join(text for text in lists if text not in out), "\n".join(out)


def stand_down(page: Any, who: str, button: Any) -> None:
    """Draw, and tick who stands down."""
    from playwright.sync_api import expect  # noqa: PLC0415 - where there is no browser this is only passed over

    before = page.inner_text("#seats")
    button.click()
    page.locator("[data-way=volunteers] summary").click()
    page.locator("[data-way=volunteers]").get_by_label(who).check()
    assert "1 too many, or 6 too few" in page.inner_text("#asked")
    page.locator("[data-way=volunteers]").get_by_role("button", name="take who is ticked").click()
    page.wait_for_selector("#steps [data-step=draw] >> text=2 boards drawn")
    expect(page.locator("#seats")).not_to_have_text(before, use_inner_text=True)


TOLD = "#steps [data-step=seats] small >> text=/^public$/"


def tell(page: Any, folder: Path) -> None:
    """The seats are told too early."""
    with mistaken(page, folder):
        page.get_by_role("button", name="tell everybody").click()
        page.wait_for_selector(TOLD)
        take_back(page, "the seats of round 1 were made public", "the draw is looked at first")
    page.get_by_role("button", name="tell everybody").click()
    page.wait_for_selector(TOLD)


def draw_again(page: Any, folder: Path) -> None:
    """Drawn again after the sheets were printed: they are void, until that is taken back. Paper stays printed."""
    with mistaken(page, folder):
        page.locator("#draw > details > summary").click()
        page.get_by_role("button", name="draw again…").click()
        stand_down(page, "Ned Oey", page.get_by_role("button", name="draw it again"))
        go_to(page, "Journal")
        printed = page.locator("#lines > li", has_text="sheets were printed").first
        printed.locator("text=void, as others sit there now").wait_for()
        assert not printed.get_by_role("button").count(), "what is printed is not taken back"
        to_desk(page)
        take_back(page, "round 1 was drawn")


def scan_wrongly(page: Any, folder: Path, sheet: Path) -> None:
    """A page without its codes is said to be of a wrong board, and then put aside; both are taken back."""
    page.locator("#files").set_input_files(sheet)
    page.wait_for_selector("#watching >> text=1 file came and is read")
    page.wait_for_selector(f"#fates :text('{sheet.name}'):not(:text('being read'))")
    assert page.inner_text("#scan").count(sheet.name) == 1
    with mistaken(page, folder):
        page.goto(page.url.replace("/desk", "/").split("?")[0])
        page.wait_for_selector("body[data-kind=page]")
        for key, undone in (("1", "u"), ("x", "u")):
            page.wait_for_timeout(400)
            page.keyboard.press(key)
            page.wait_for_selector("body:not([data-kind=page])")
            page.wait_for_timeout(400)
            page.keyboard.press(undone)
            page.wait_for_selector("body[data-kind=page]")
        to_desk(page)
    page.goto(page.url.replace("/desk", "/").split("?")[0])
    page.wait_for_selector("body[data-kind=page]")
    page.wait_for_timeout(400)
    page.keyboard.press("1")
    page.wait_for_selector("body:not([data-kind=page])")
    to_desk(page)
    take_back(page, "identified")
    page.goto(page.url.replace("/desk", "/").split("?")[0])
    page.wait_for_selector("body[data-kind=page]")
    page.wait_for_timeout(400)
    page.keyboard.press("x")
    page.wait_for_selector("body:not([data-kind=page])")


def without_codes(folder: Path) -> Path:
    """The picture of a sheet of board 1.2 that was printed, its codes and its id covered."""
    with open_event(folder, now) as event:
        (printing,) = event.facts.select(SheetsPrinted)
        sheets = list(printed_sheets(event).values())
        at = next(at for at, sheet in enumerate(sheets) if sheet.request.board == "2")
        with pypdfium2.PdfDocument(printed_again(event, printing.number)) as document:
            picture = document[at].render(scale=DPI / 72).to_pil().convert("L")
    form = sheets[at].page.form
    for box in (*form.codes, form.printed_id):
        sides = (box.left - 1, box.top - 1, box.width + 2, box.height + 2)
        left, top, width, height = (round(mm * DPI / 25.4) for mm in sides)
        picture.paste(250, (left, top, left + width, top + height))
    path = folder.parent / "torn.png"
    picture.save(path, dpi=(DPI, DPI))
    return path


def print_sheets(page: Any) -> None:
    """The sheets are a PDF in another tab, the seats too."""
    asked = page.context.expect_event("request", lambda request: "/print/sheets" in request.url)
    with page.context.expect_page() as opened, asked as sheets:
        page.get_by_role("button", name="print what 2 boards need now").click()
    page.wait_for_selector("#steps [data-step=print] >> text=printed")
    for address in (sheets.value.url, page.get_attribute("#seats a[href*=seats]", "href")):
        url = address if address.startswith("http") else f"{page.url.rsplit('/', 1)[0]}{address}"
        answer = page.context.request.get(url)
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.body().startswith(b"%PDF")
    opened.value.close()


def type_wrongly(page: Any, folder: Path) -> None:
    """The lines of a power are typed for another one."""
    with mistaken(page, folder):
        page.get_by_role("link", name="type orders").first.click()
        page.wait_for_selector(".keying input")
        for line in page.locator(".keying input").all()[:-1]:
            line.fill(f"{line.input_value()} H")
        page.locator(".keying input").first.press("Control+Enter")
        page.wait_for_selector("#said.good")
        to_desk(page)
        assert step(page, "scan") == "1 of 14 in"
        take_back(page, "lines were typed")


def publish(page: Any, board: str) -> None:
    """Look at a board and publish it."""
    to_desk(page)
    page.locator(f"[data-board='{board}']").get_by_role("link", name="Look at Spring 1901 and publish").click()
    page.wait_for_selector(".gate")
    page.wait_for_timeout(800)  # it takes no G so soon after it was painted
    page.keyboard.press("g")
    page.wait_for_selector("#published:not([hidden])")
    to_desk(page)


def type_all(page: Any, folder: Path) -> None:
    """Every unit of every power holds, typed; then each board is looked at and published, one of them too early."""
    type_wrongly(page, folder)
    for left in range(14, 0, -1):
        to_desk(page)
        assert step(page, "scan") == f"{14 - left} of 14 in"
        page.get_by_role("link", name="type orders").first.click()
        page.wait_for_selector(".keying input")
        for line in page.locator(".keying input").all()[:-1]:
            line.fill(f"{line.input_value()} H")
        page.locator(".keying input").first.press("Control+Enter")
        page.wait_for_selector("#said.good")
    to_desk(page)
    with mistaken(page, folder):
        publish(page, "1.1")
        take_back(page, "Spring 1901 of board 1.1 was published", "somebody still writes")
    publish(page, "1.1")
    publish(page, "1.2")


def end(page: Any, over: int) -> None:
    """Time is called at the first board that goes on; then so many are over."""
    to_desk(page)
    page.locator("#games").get_by_role("link", name="vote, end").first.click()
    game = page.locator("#games section", has=page.locator("fieldset")).first
    game.get_by_label("how it ended").select_option("time")
    game.get_by_role("button", name="end it…").click()
    page.locator("#asked input").fill("the hall closes")
    page.locator("#asked button.main").click()
    page.locator("#games h2", has_text="over: time was called").nth(over - 1).wait_for()


def end_all(page: Any, folder: Path) -> None:
    """Time is called at both boards, at the first of them too early."""
    with mistaken(page, folder):
        end(page, 1)
        page.get_by_text("it goes on after all…").click()
        page.locator("details[open] input[name=why]").fill("the hall stays open")
        page.get_by_role("button", name="take it back").click()
        page.wait_for_selector("#games h2:has-text('over: time') >> nth=0", state="detached")
    end(page, 1)
    end(page, 2)


def open_standings(page: Any, folder: Path) -> None:
    """The places are shown to everybody before the awards."""
    with mistaken(page, folder):
        page.locator("#standings > details > summary").click()
        page.get_by_role("button", name="show them to the players").click()
        page.get_by_role("button", name="hide them from the players").wait_for()
        take_back(page, "the standings were opened", "the awards come first")


def test_seventeen_players_from_an_empty_folder_to_the_standings_without_a_command(
    chromium: Any, tmp_path: Path
) -> None:
    with started(tmp_path) as link, desk(chromium, link) as tess:
        page = tess.page
        page.wait_for_selector("#new button.main")
        folder = tmp_path / "the-owl-cup"
        make(page)
        wrong_names(page, folder)
        call(page, folder)
        draw(page, folder)
        tell(page, folder)
        print_sheets(page)
        draw_again(page, folder)
        scan_wrongly(page, folder, without_codes(folder))
        to_desk(page)
        type_all(page, folder)
        end_all(page, folder)
        to_desk(page)
        open_standings(page, folder)
        assert page.get_attribute("body", "data-round") == "2", "the next round is offered"
        page.get_by_role("button", name="round 1").first.click()
        page.wait_for_selector("body[data-round='1']")
        assert step(page, "end") == "all games are over"
        page.get_by_role("link", name="See them", exact=True).click()
        page.locator("#standings table").wait_for()
        places = page.inner_text("#standings table")
        assert sum(name in places for name in NAMES) >= 14
        book = page.context.request.get(f"{link.split('/door')[0]}/print/standings.xlsx")
        assert book.body().startswith(b"PK")
    with open_event(folder, now) as event:
        assert [game.ending for game in games(event).values()] == ["time", "time"]
        assert read_roll_call(event, 1).those(Called.LATER, Called.GONE) == ("Pat Qey", "Quinn Rey")
        assert event.players[0].more == (("E-mail", "x@owl.org"),)
        assert not list(check_event(event))
        signed = {fact.by for fact in read_facts(event.facts) if fact.kind in ("roll called", "seated", "published")}
        assert signed == {"Tess Day"}
    assert len(facts(folder, "lines typed")) == 15, "one of them was taken back"


def test_a_lot_is_drawn_openly_after_a_reload_and_a_seat_is_taken_over(chromium: Any, tmp_path: Path) -> None:
    with started(tmp_path) as link, desk(chromium, link) as tess:
        page = tess.page
        page.wait_for_selector("#new button.main")
        page.get_by_label("name of the event").fill("Lot Cup")
        page.locator("[data-tournament=edc2023]").click()
        page.get_by_label("the players").fill("name,distance_km\n" + "\n".join(f"{name},10" for name in NAMES[:9]))
        page.get_by_text("✓ 9 players").wait_for()
        page.get_by_role("button", name="make the event").click()
        page.wait_for_url("**/desk")
        page.get_by_role("button", name="draw round 1").click()
        page.locator("[data-way=leave-out]").get_by_role("button", name="take this").click()
        page.wait_for_selector("#drawing .hash")
        sealed = page.inner_text("#drawing .hash")
        page.reload()
        page.wait_for_selector(f"#drawing .hash >> text={sealed}")
        page.get_by_label("the word that was called").fill("apple")
        page.get_by_role("button", name="draw the lot").click()
        page.wait_for_selector("#steps [data-step=draw] >> text=1 board drawn")
        seats, _ = seats_shown(page)
        gone, comes = (next(name for name in NAMES[:9] if (name in seats) is sits) for sits in (True, False))
        page.locator("#roll summary").click()
        page.get_by_label(f"{gone}: more").click()
        row = page.locator(f"[data-name='{gone}']")
        row.locator("select").select_option(comes)
        row.get_by_label("why").fill("ill")
        row.get_by_role("button", name="take the seat").click()
        page.wait_for_selector(f"#seats td b >> text={comes}")
        assert gone not in seats_shown(page)[0]
    assert len(facts(tmp_path / "lot-cup", "lot drawn")) == 1
    assert len(facts(tmp_path / "lot-cup", "seats changed")) == 1


def made(page: Any, count: int, tournament: str = "weaselmoot") -> None:
    """An event of so many players, its desk open."""
    page.wait_for_selector("#new button.main")
    page.get_by_label("name of the event").fill("Slip Cup")
    page.locator(f"[data-tournament={tournament}]").click()
    page.get_by_label("the players").fill("name\n" + "\n".join(NAMES[:count]))
    page.get_by_text(f"✓ {count} players").wait_for()
    page.get_by_role("button", name="make the event").click()
    page.wait_for_url("**/desk")
    page.wait_for_selector("#steps li")


def test_rows_that_may_be_no_players_are_ticked_and_the_spelling_is_chosen(chromium: Any, tmp_path: Path) -> None:
    with started(tmp_path) as link, desk(chromium, link) as tess:
        page = tess.page
        page.wait_for_selector("#new button.main")
        page.get_by_label("the players").fill("name;club\nAda Lund;X\nFay Moss (Sat);X\nTBA;X\nEli & Ben Cole;X\n")
        page.wait_for_selector("#doubtful tr")
        assert (
            page.locator("#doubtful").bounding_box()["y"]
            < page.get_by_role("button", name="make the event").bounding_box()["y"]
        )
        assert "So far 1 player: Ada Lund (X)" in page.inner_text("#new")
        assert page.get_by_label("row 3 is a player").is_checked()
        assert not page.get_by_label("row 4 is a player").is_checked()
        assert page.get_by_label("name in row 3").input_value() == "Fay Moss"
        page.get_by_role("button", name="make 2 players of it").click()
        assert page.get_by_label("row 5 is a player").is_checked()
        page.get_by_label("name in row 5").first.fill("Elias Cole")
        page.get_by_role("button", name="this is right").click()
        page.get_by_text("✓ 4 players: Ada Lund (X), Fay Moss (X), Elias Cole (X), Ben Cole (X)").wait_for()
        assert "row 4: left out: TBA" in page.inner_text("#new")

        page.get_by_label("the players").fill("Jonas Weber, Otters\nBo Ek\nSam Tate\tBadgers\n")
        page.get_by_text("a name, and the club 'Otters', it seems").wait_for()
        page.get_by_role("button", name="this is right").click()
        page.get_by_text("✓ 3 players: Jonas Weber (Otters), Bo Ek, Sam Tate (Badgers)").wait_for()

        file = {"name": "list.csv", "mimeType": "text/csv", "buffer": "name\nMuñoz\nBo Ek\n".encode("cp1252")}
        page.get_by_label("roster file").set_input_files(files=[file])
        choice = page.get_by_label("how the list was saved")
        choice.wait_for()
        words = choice.inner_text()
        assert "Muñoz (Windows, Western Europe)" in words
        assert "Muńoz (Windows, Central Europe)" in words
        choice.select_option("cp1252")
        page.get_by_text("✓ 2 players: Muñoz, Bo Ek").wait_for()


def test_what_a_draw_refuses_is_forgotten_and_its_panel_fits_a_small_screen(chromium: Any, tmp_path: Path) -> None:
    with started(tmp_path) as link, desk(chromium, link) as tess:
        page = tess.page
        made(page, 14)
        page.locator("#drawing summary").click()
        boxes = page.evaluate(
            "[...document.querySelectorAll('.draw-options > *')].map((each) => each.getBoundingClientRect().toJSON())"
        )
        for at, one in enumerate(boxes):
            for other in boxes[at + 1 :]:
                is_beside = one["right"] <= other["left"] + 1 or other["right"] <= one["left"] + 1
                is_below = one["bottom"] <= other["top"] + 1 or other["bottom"] <= one["top"] + 1
                assert is_beside or is_below, (one, other)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_label("seed (the same seed gives the same draw)").fill("seven")
        page.get_by_role("button", name="draw round 1").click()
        page.wait_for_selector(".told-here >> text=expected a whole number")
        page.get_by_label("seed (the same seed gives the same draw)").fill("7")
        page.reload()
        page.get_by_role("button", name="draw round 1").click()
        page.wait_for_selector("#steps [data-step=draw] >> text=2 boards drawn")


def test_a_round_is_not_drawn_by_one_press_while_boards_run(chromium: Any, tmp_path: Path) -> None:
    with served(seated(tmp_path / "cup")) as server, desk(chromium, server.page) as tess:
        page = tess.page
        page.goto(f"http://127.0.0.1:{server.port}/desk?round=2")
        page.wait_for_selector(
            "#drawing >> text=Board 1.1 still runs. The standings that the draw goes by leave it out."
        )
        page.get_by_role("button", name="draw round 2").click()
        page.wait_for_selector("#asked >> text=nobody was called for round 2")
        page.get_by_role("button", name="draw it all the same").click()
        page.wait_for_selector("#steps [data-step=draw] >> text=1 board drawn")


def test_what_was_decided_of_a_draw_stands_above_what_is_still_offered(chromium: Any, tmp_path: Path) -> None:
    with started(tmp_path) as link, desk(chromium, link) as tess:
        page = tess.page
        made(page, 16)
        stand_down = page.locator("[data-way=volunteers]")
        page.get_by_role("button", name="draw round 1").click()
        assert not stand_down.get_by_label("Oda Pey").is_visible(), "first a way is chosen, then names"
        stand_down.locator("summary").click()
        for name, said in (("Oda Pey", "sit out: Oda Pey"), ("Ned Oey", "2 boards drawn")):
            stand_down.get_by_role("button", name="take who is ticked").click()
            page.wait_for_selector("[data-way=volunteers] .told-here >> text=nobody is ticked")
            stand_down.get_by_label(name).check()
            stand_down.get_by_role("button", name="take who is ticked").click()
            page.wait_for_selector(f"#asked >> text={said}" if said.startswith("sit") else f"#steps >> text={said}")


def test_offers_of_before_somebody_came_are_offered_no_more(chromium: Any, tmp_path: Path) -> None:
    with started(tmp_path) as link, desk(chromium, link) as tess:
        page = tess.page
        made(page, 15)
        page.locator("#roll .row").get_by_role("button", name="✓ here").click()
        page.wait_for_selector("#steps [data-step=roll] >> text=15 here")
        assert "either 6 play on two boards or 1 sits out" in page.inner_text("#drawing")
        page.get_by_role("button", name="draw round 1").click()
        page.wait_for_selector("[data-way=volunteers]")
        page.locator("#roll > details > summary").click()
        page.get_by_label("Oda Pey: away").click()
        page.wait_for_selector("#asked >> text=these offers are from before that")
        assert not page.locator("[data-way]").count()
        page.get_by_role("button", name="begin the draw again").click()
        page.wait_for_selector("#steps [data-step=draw] >> text=2 boards drawn")


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_a_press_counts_though_something_comes_in_while_it_is_held(chromium: Any, tmp_path: Path, by: str) -> None:
    with served(seated(tmp_path / "cup")) as server, desk(chromium, server.page) as tess:
        page = tess.page
        page.goto(f"http://127.0.0.1:{server.port}/desk")
        row = page.locator("#roll .people li").first
        name = row.get_attribute("data-name")
        page.locator("#roll summary").first.click()
        later = row.get_by_title("comes later")
        if by == "mouse":
            later.hover()
            page.mouse.down()
        else:
            later.focus()
            page.keyboard.down(" ")
        page.get_by_label("name of who came").evaluate(
            "() => ask('/api/day/player', { what: 'add', name: 'Zoe Ny' }).then(tell)"
        )
        page.mouse.up() if by == "mouse" else page.keyboard.up(" ")
        page.wait_for_selector(f"[aria-label='{name}: comes later'][aria-pressed=true]")
        page.wait_for_selector("[data-name='Zoe Ny']")


def test_what_is_half_typed_is_there_again_and_stands_under_its_own_heading(chromium: Any, tmp_path: Path) -> None:
    with started(tmp_path) as link, desk(chromium, link) as tess:
        page = tess.page
        made(page, 14)
        page.get_by_role("button", name="draw round 1").click()
        page.wait_for_selector("#steps [data-step=draw] >> text=2 boards drawn")
        page.get_by_role("button", name="tell everybody").click()
        page.wait_for_selector(TOLD)
        page.locator("[data-board='1.2']").get_by_role("link", name="type orders").click()
        page.wait_for_selector(".keying input")
        assert page.inner_text("#title") == "Board 1.2 · Spring 1901 · Austria"
        page.locator(".keying input").first.fill("A BUD SER")
        page.get_by_role("link", name="Round", exact=True).click()
        page.wait_for_selector("#steps li")
        page.go_back()
        page.wait_for_selector(".keying input")
        assert page.locator(".keying input").first.input_value() == "A BUD SER"
        assert page.inner_text("#title") == "Board 1.2 · Spring 1901 · Austria"
        page.locator("[aria-label='Pages'] a", has_text="Round").click()
        page.locator("[data-board='1.1']").get_by_role("link", name="type orders").click()
        page.wait_for_selector(".keying input")
        page.locator(".keying input").first.fill("A BUD GAL")
        page.go_back()
        page.wait_for_selector("#steps li")
        page.locator("[data-board='1.2']").get_by_role("link", name="type orders").click()
        page.wait_for_selector(".keying input")
        assert page.locator(".keying input").first.input_value() == "A BUD SER", "another sheet has its own"


HELD = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"


def test_who_calls_the_roll_by_keyboard_stays_at_the_name(chromium: Any, tmp_path: Path) -> None:
    with started(tmp_path) as link, desk(chromium, link) as tess:
        page = tess.page
        made(page, 14)
        name = NAMES[3]
        here = page.get_by_label(f"{name}: here", exact=True)
        here.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(f"[aria-label='{name}: here'][aria-pressed=true]")
        until(page, f"({HELD}) === '{name}: here'")
        page.keyboard.press("Tab")
        assert page.evaluate(HELD) == f"{name}: comes later", "and goes on from there"


def test_a_new_event_says_at_its_field_what_is_wrong(chromium: Any, tmp_path: Path) -> None:
    with started(tmp_path) as link, desk(chromium, link) as tess:
        page = tess.page
        page.wait_for_selector("#new button.main")
        page.get_by_label("the players").fill("\n".join(NAMES))
        page.get_by_text(f"✓ {len(NAMES)} players").wait_for()
        page.get_by_role("button", name="make the event").click()
        page.wait_for_selector("fieldset:has([data-tournament]) + .told-here >> text=choose whose rules")
        page.locator("[data-tournament=weaselmoot]").click()
        page.get_by_role("button", name="make the event").click()
        page.wait_for_selector(".wide:has([aria-label='name of the event']) + .told-here >> text=give the event a name")
        page.get_by_label("name of the event").fill("Slip Cup")
        page.get_by_label("code", exact=True).evaluate("(input) => { input.value = '?!'; }")
        page.get_by_role("button", name="make the event").click()
        page.wait_for_selector(".row:has([aria-label='code']) + .told-here >> text=?!")
        page.get_by_label("code", exact=True).fill("SLPA")
        page.get_by_label("the players").fill("\n".join(NAMES[:9]))
        page.get_by_role("button", name="make the event").click()
        page.get_by_text("was not shown before; it stands above").wait_for()
        page.get_by_role("button", name="make the event").click()
        page.wait_for_url("**/desk")


def test_what_is_due_is_in_sight_when_all_that_was_handed_in_is_read(chromium: Any, tmp_path: Path) -> None:
    folder = printed(tmp_path / "cup")
    with served(folder) as server, desk(chromium, server.page) as tess:
        page = tess.page
        page.set_viewport_size({"width": 1280, "height": 400})

        def with_a_file(route: Any) -> None:
            told = route.fetch().json()
            told["scan"]["came"] += 1
            route.fulfill(json=told)

        page.goto(f"http://127.0.0.1:{server.port}/desk")
        assert "Board 1.1 is on paper “Round 1 · Board 1”" in section(page, "print").inner_text()
        page.route("**/api/fate*", lambda route: route.fulfill(json={"files": [], "failed": ""}))
        page.evaluate("""() => {
            sent.set("a".repeat(64), {name: "a.pdf", spoilt: [], again: false, retake: false});
            scrollTo(0, document.body.scrollHeight);
        }""")
        assert page.evaluate("document.querySelector('#games').getBoundingClientRect().bottom") < 0
        page.route("**/api/day*", with_a_file)
        until(page, "Math.abs(document.querySelector('#games').getBoundingClientRect().top) < 5")


def test_the_menu_opens_the_settings_on_the_page_that_they_are_on(chromium: Any, tmp_path: Path) -> None:
    with served(seated(tmp_path / "cup")) as server, desk(chromium, server.page) as seat:
        page = seat.page
        page.goto(f"http://127.0.0.1:{server.port}/desk")
        page.wait_for_selector("#steps li")
        for _ in range(2):  # and again after it was closed by hand
            assert not page.get_by_text("Copies of the event").is_visible()
            page.locator("header summary", has_text="More").click()
            page.locator("header a[href='/desk#settings']").click()
            page.get_by_text("Copies of the event").wait_for()
            page.locator("#settings > details > summary").click()

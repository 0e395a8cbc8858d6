"""The queue of the review page: what is shown, what a key does, and what it must not do."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from commands import run
from desk.cup import NAMES, clock, hand_in, hand_in_all, inked, printed, seated, sheets_of, spring
from desk.sheets.test_strays import waits
from facts_as_kept import append_fact, read_facts
from msgspec.structs import replace
from openpyxl import load_workbook

from pipeline.board import Kind, Phase, Power, Unit
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game, games
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.review.queue import DIGITS, cards_of
from pipeline.desk.review.review_sheet import take_sheet_back, write_review_sheet
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import RowStatus
from pipeline.desk.ruling.rulings import RowDecision, rule_row, type_lines
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.ink import Tier
from pipeline.orders import write, write_position
from pipeline.paper.sheet_rows import Design
from pipeline.picture.draw import draw_candidates
from pipeline.picture.formats import as_svg
from pipeline.picture.shapes import in_either_look
from pipeline.web.office import CLAIM_S
from pipeline.web.server import Opened, open_office
from pipeline.web.views import published_view
from web.conftest import SEATS, Browser, Time, make_event, stranger
from web.office.test_rights import settle_all


def kinds(opened: Opened) -> list[str]:
    return [fact.kind for fact in read_facts(opened.office.event.facts)]


def test_a_row_is_shown_with_its_picture_its_sheet_and_its_place_on_it(tess: Browser) -> None:
    item = tess.look("1.1 S1901M AUSTRIA")["item"]
    assert (item["kind"], item["power"], item["line"], item["ink"]) == ("row", "Austria", 1, "A Vie - Ga?")
    assert item["picture"] == "/picture/ffffffffffffffff-p1-r1.png"
    assert item["sheet"]["url"] == "/picture/ffffffffffffffff-p1.jpg"
    assert [round(part) for part in item["sheet"]["box"]] == [10, 18, 76, 3]
    assert len(item["sheet"]["covers"]) == 2  # player and signature


def test_the_lines_of_a_row_of_boxes_are_told_from_the_top_down_so_that_its_picture_shows_all_ink(
    tmp_path: Path, time: Time
) -> None:
    folder = printed(tmp_path / "cup", design=Design.TARGETS)
    with open_event(folder, clock) as event:
        hand_in(event, spring(Power.AUSTRIA), [inked(2, "A VIE", Tier.ASKED)])
    with open_office(folder, SEATS, clock=time) as opened:
        tops = [line["place"][1] for line in Browser(opened, "Tess").look("1.1 S1901M AUSTRIA")["item"]["lines"]]
    assert len(tops) == 3
    assert tops == sorted(tops)


def test_the_map_of_a_row_is_of_its_own_unit_and_not_of_another_on_the_same_line(tmp_path: Path, time: Time) -> None:
    folder = printed(tmp_path / "cup", "edc1996")
    with open_event(folder, clock) as event:
        hand_in(event, spring(Power.AUSTRIA), [inked(1, "A Vie - Tri, A Bud - G")])
        game = find_game(event, "1")
        clear, asked = (row for row in Desk.of(event).power(game, Power.AUSTRIA).rows if row.line == 1)
        assert clear.candidates
        cards = cards_of(Desk.of(event), game, spring(Power.AUSTRIA), asked)
        orders = [None if card.is_impossible else card.order for card in cards if card.key in DIGITS]
        drawn = as_svg(draw_candidates(game.map, game.position, Unit(Kind.ARMY, "BUD"), orders))
    with open_office(folder, SEATS, clock=time) as opened:
        tess = Browser(opened, "Tess")
        item = tess.look("1.1 S1901M AUSTRIA")["item"]
        assert (item["line"], item["ink"]) == (1, "A Bud - G")
        assert tess.client.get(item["map"]).text == in_either_look(drawn)


@pytest.mark.parametrize(
    ("ink", "shown"),
    [("FTRI - FNI", "F TRI - FNI"), ("FROM VIE TO GLA", "FROM VIE TO GLA"), ("F TRI - FNI", "F TRI - FNI")],
)
def test_what_was_read_is_shown_with_blanks_and_typed_on_as_it_was_read(tmp_path: Path, ink: str, shown: str) -> None:
    with open_event(printed(tmp_path / "cup"), clock) as event:
        hand_in_all(event, but=Power.AUSTRIA)
        hand_in(event, spring(Power.AUSTRIA), [inked(1, ink)])
    with open_office(tmp_path / "cup", SEATS, is_lan=True, clock=Time()) as opened:
        item = Browser(opened, "Tess").look("1.1 S1901M AUSTRIA")["item"]
    assert (item["ink"], item["read"]) == (shown, ink)
    assert {choice["value"] for choice in item["choices"] if choice["do"] == "text"} <= {ink}


def test_a_sheet_is_chosen_only_by_its_number(tess: Browser) -> None:
    number = tess.look("1.1 S1901M AUSTRIA")["number"]
    said = tess.press("sheet of", token="1.1 S1901M ITALY", value="chosen", number=number, status=422)["said"]
    assert said == "'chosen' is no decision on a sheet"


def test_an_order_behind_the_200th_letter_is_not_cut_off_unseen(tess: Browser) -> None:
    tess.look("1.1 S1901M AUSTRIA")
    typed = f"{'A VIE - GAL':<200}; F TRI - ALB"
    assert "200 characters at most" in tess.press("order", value=typed, values=["anyway"], status=422)["said"]
    assert "200 characters at most" in tess.press("text", value=typed, values=["anyway"], status=422)["said"]


def test_the_rule_is_taken_and_quoted_only_where_there_is_one(tess: Browser) -> None:
    item = tess.look("1.1 S1901M AUSTRIA")["item"]
    assert item["enter"] is None
    assert "does not settle" in tess.press("rule", status=422)["said"]
    tess.press("text", value="A Vie - Gal")
    item = tess.item
    assert item["ink"] == "F Tri - Fin"
    assert item["enter"]["order"] == "F TRI H" or item["enter"]["order"] == "no order"
    assert item["rule"].startswith("WM VI.2")
    assert item["quotes"]
    tess.press("rule")
    assert {"ruling"} <= set(kinds(tess.opened))


def test_a_row_that_another_program_changed_meanwhile_is_not_decided(tess: Browser) -> None:
    tess.look("1.1 S1901M AUSTRIA")
    rule_row(tess.opened.office.event, spring(Power.AUSTRIA), 1, RowDecision(order="A VIE - TRI"), "somebody")
    tess.press("nothing", status=409)


def test_of_two_doubtful_orders_on_a_row_the_second_is_shown_when_the_first_is_settled(tmp_path: Path) -> None:
    with open_event(printed(tmp_path / "cup"), clock) as event:
        hand_in_all(event, but=Power.AUSTRIA)
        hand_in(event, spring(Power.AUSTRIA), [inked(1, "A Vie - Lon; A Bud - Lon"), inked(2, "F Tri - Ven")])
    with open_office(tmp_path / "cup", SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        assert tess.look("1.1 S1901M AUSTRIA")["item"]["ink"] == "A Vie - Lon"
        tess.press("rule")
        assert (tess.item["ink"], tess.item["line"]) == ("A Bud - Lon", 1)
        tess.press("order", value="A BUD - SER")
        orders = Desk.of(opened.office.event).power(find_game(opened.office.event, "1"), Power.AUSTRIA).orders
        assert [write(order) for order in orders] == ["A VIE H", "A BUD - SER", "F TRI - VEN"]


def test_undo_shows_the_row_again_and_redo_decides_it_again(tess: Browser) -> None:
    shown = tess.look("1.1 S1901M AUSTRIA")["item"]["token"]
    tess.press("order", value="A VIE - GAL")
    assert tess.press("undo")["item"]["token"] == shown
    assert tess.shown["redo"] == 1
    again = tess.press("redo")
    assert again["item"]["token"] != shown
    assert (again["undo"], again["redo"]) == (1, 0)
    tess.press("undo")
    assert "nothing to undo" in tess.press("undo", status=422)["said"]


def test_an_undo_takes_back_only_what_was_next_when_it_was_pressed(tess: Browser) -> None:
    tess.look("1.1 S1901M AUSTRIA")
    assert tess.shown["to_undo"] == []
    tess.press("nothing")
    tess.press("nothing")
    newest, older = tess.shown["to_undo"]
    assert newest > older
    assert "in another window" in tess.press("undo", value=str(older), status=409)["said"]
    assert tess.look()["to_undo"] == [newest, older]
    assert tess.press("undo", value=str(newest))["to_undo"] == [older]
    assert tess.press("undo", value=str(older))["to_undo"] == []


def test_undo_takes_back_what_was_said_of_a_page_before_it_takes_back_an_older_decision(tess: Browser) -> None:
    event = tess.opened.office.event
    tess.look("1.1 S1901M AUSTRIA")
    tess.press("order", value="A VIE - GAL")
    waits(event, sheets_of(event, spring(Power.AUSTRIA)))
    assert tess.look()["item"]["kind"] == "page"
    number, before = event.facts.last_number(), tess.item["token"]
    assert tess.press("aside")["undo"] == 2
    assert tess.press("undo")["item"]["token"] == before
    assert tess.shown["told"] == "page 1 waits again"
    assert [fact.kind for fact in read_facts(event.facts, after=number)] == ["page set aside", "taken back"]
    assert tess.press("undo")["item"]["kind"] == "row", "and then the row that was ruled before"
    assert kinds(tess.opened)[-1] == "ruling undone"
    assert "nothing to undo" in tess.press("undo", status=422)["said"]


def test_undo_takes_back_only_what_the_same_desk_decided(tess: Browser, anna: Browser) -> None:
    tess.look("1.1 S1901M AUSTRIA")
    tess.press("nothing")
    anna.look()
    assert "nothing to undo" in anna.press("undo", status=422)["said"]


def test_two_desks_never_see_the_same_row(tess: Browser, anna: Browser) -> None:
    first = tess.look()["item"]
    second = anna.look()["item"]
    assert first["token"] != second["token"]
    assert "Tess is at work" in anna.press("later", token=first["token"], status=409)["said"]


def test_a_browser_that_went_away_frees_its_row_after_fifteen_seconds(tess: Browser, anna: Browser, time: Time) -> None:
    first = tess.look()["item"]["token"]
    time.now += CLAIM_S - 1
    tess.post("/api/alive")
    time.now += CLAIM_S - 1
    assert anna.look()["item"]["token"] != first
    time.now += 2
    assert first in (anna.look(first="1.1 S1901M AUSTRIA")["item"]["token"], tess.look()["item"]["token"])
    assert anna.look()["item"]["token"] != tess.look()["item"]["token"]


def test_a_browser_that_says_goodbye_frees_its_row_at_once(tess: Browser, anna: Browser) -> None:
    first = tess.look()["item"]["token"]
    assert tess.client.post(f"/api/gone?token={tess.token}").status_code == 200
    assert anna.look()["item"]["token"] == first


def test_later_comes_back_when_everything_else_is_done(tess: Browser) -> None:
    first = tess.look()["item"]["token"]
    tess.press("later")
    assert tess.item["token"] != first
    assert tess.shown["put_off"] == 1


def test_for_later_counts_down_when_what_was_put_off_is_settled(tess: Browser) -> None:
    first = tess.look("1.1 S1901M AUSTRIA")["item"]
    tess.press("later")
    left = tess.shown["left"]
    rule_row(tess.opened.office.event, spring(Power.AUSTRIA), first["line"], RowDecision(order="A VIE - TRI"), "Anna")
    assert tess.look()["left"] < left
    assert tess.shown["put_off"] == 0


def test_where_no_order_fits_the_ink_itself_is_offered_and_the_rules_decide(tmp_path: Path) -> None:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        print_round(event, 1, wish=PrintWish(design=Design.LINE))
        hand_in_all(event, but=Power.AUSTRIA)
        rows = [inked(1, "A War - Gal", Tier.ASKED), inked(2, "F Tri - Alb"), inked(3, "A Bud - Ser")]
        hand_in(event, spring(Power.AUSTRIA), rows, sha256="f" * 64)
    with open_office(tmp_path / "cup", SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        item = tess.look("1.1 S1901M AUSTRIA")["item"]
        assert [(choice["key"], choice["do"], choice["value"]) for choice in item["choices"]] == [
            ("1", "text", "A War - Gal"),
            ("0", "nothing", ""),
        ]
        assert "Warsaw" in item["choices"][0]["why"]
        tess.press("text", value=item["choices"][0]["value"], values=["anyway"])
        row = Desk.of(opened.office.event).power(find_game(opened.office.event, "1"), Power.AUSTRIA).rows[0]
        assert (row.order, row.status) == (None, RowStatus.ILLEGAL), "another's unit is not ordered, nor is one's own"


def test_the_boards_show_state_and_actions_and_players_to_directors_alone(tess: Browser, anna: Browser) -> None:
    austria, england, *_ = tess.client.get("/api/boards").json()["boards"][0]["powers"]
    assert (austria["player"], austria["in"], austria["open"]) == ("Ada", True, 2)
    assert (england["player"], england["in"], england["open"]) == ("Bo", True, 0)
    told = anna.client.get("/api/boards").text
    assert all(f'"{name}"' not in told for name in NAMES.values())


def test_who_plays_on_a_board_sees_nothing_of_it_among_the_boards(opened: Opened) -> None:
    assert Browser(opened, "Bo").client.get("/api/boards").json()["boards"][0]["powers"] == []


def test_an_impossible_order_stands_only_if_it_is_meant(tess: Browser) -> None:
    tess.look("1.1 S1901M AUSTRIA")
    answer = tess.press("order", value="A VIE - LON", status=422)
    assert answer["anyway"]
    tess.press("order", value="A VIE - LON", values=["anyway"])


def test_words_that_are_no_order_are_refused_with_advice(tess: Browser) -> None:
    tess.look("1.1 S1901M AUSTRIA")
    assert "press T" in tess.press("order", value="supports the Cubs", status=422)["said"]


def test_a_missing_sheet_is_no_orders_only_by_a_key(opened: Opened, tess: Browser) -> None:
    facts = opened.office.event.facts
    assert not list(read_facts(facts, "sheet ruling"))
    turn = "1.1 S1901M ITALY"
    tess.look()
    assert tess.press("type", token=turn, values=["A Ven - Tyr", "A Rom H", "F Nap - Ion"])["item"]
    assert not list(read_facts(facts, "sheet ruling"))
    assert next(iter(read_facts(facts, "lines typed"))).body["lines"] == ["A Ven - Tyr", "A Rom H", "F Nap - Ion"]


def test_the_gate_shows_every_row_with_its_source_and_one_key_publishes(tess: Browser) -> None:
    settle_all(tess)
    gate = tess.item
    assert gate["kind"] == "ready"
    rows = [row for power in gate["powers"] for row in power["rows"]]
    assert {row["source"] for row in rows} >= {"read", "ruled", "default"}
    assert gate["powers"][0]["power"] == "Austria"
    done = tess.press("publish")
    assert done["published"]["card"] == "/out/1.1-S1901M-card.pdf"
    assert tess.client.get("/out/1.1-S1901M-card.pdf").content.startswith(b"%PDF")
    assert "nothing to undo" in tess.press("undo", status=422)["said"]


def test_what_a_board_needs_next_is_told_when_it_is_published(opened: Opened, tess: Browser) -> None:
    settle_all(tess)
    tess.press("publish")
    with opened.office.inside():
        game = opened.office.live.games["1.1"]
        units = {**game.position.units, Power.AUSTRIA: game.position.units[Power.AUSTRIA][:1]}
        winter = replace(game, position=replace(game.position, phase=Phase.read("W1901A"), units=units))
        assert published_view(opened.office, winter)["next"] == ["Austria builds 2"]


def test_a_board_that_changed_after_it_was_shown_is_not_published(tess: Browser) -> None:
    settle_all(tess)
    rule_row(tess.opened.office.event, spring(Power.FRANCE), 1, RowDecision(order="A PAR - GAS"), "somebody")
    tess.press("publish", status=409)
    assert "published" not in kinds(tess.opened)


def test_an_earlier_ruling_like_this_one_is_shown(tess: Browser) -> None:
    tess.look("1.1 S1901M AUSTRIA")
    tess.press("text", value="A Vie - Gal")
    assert tess.item["earlier"] == []
    tess.press("order", value="F TRI - ALB", why="asked at the board")
    tess.press("undo")
    assert tess.item["earlier"] == []  # what was taken back is no ruling


def test_what_the_reader_was_not_sure_of_is_no_earlier_ruling_on_another_line(tmp_path: Path) -> None:
    with open_event(printed(tmp_path / "cup"), clock) as event:
        hand_in_all(event, but=Power.AUSTRIA)
        asked = [inked(1, "A Vie - Gal", Tier.ASKED), inked(2, "A Bud - Ser", Tier.ASKED), inked(3, "F Tri - Alb")]
        hand_in(event, spring(Power.AUSTRIA), asked, sha256="f" * 64)
    with open_office(tmp_path / "cup", SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        first = tess.look("1.1 S1901M AUSTRIA")["item"]["line"]
        tess.press("order", value="A VIE - GAL", why="asked at the board")
        assert (first, tess.item["power"], tess.item["line"]) == (1, "Austria", 2)
        assert tess.item["earlier"] == []


def test_review_and_round_count_the_same_of_a_board(tess: Browser) -> None:
    board = tess.look()["boards"][0]
    assert board["settle"] == tess.client.get("/api/day").json()["boards"][0]["settle"] > 0


def test_what_the_director_alone_can_settle_comes_before_what_waits_for_orders(tmp_path: Path, time: Time) -> None:
    """A board in its winter, for which nobody has written yet, and one with a doubtful row that is ready after it."""
    folder = seated(tmp_path / "cup")
    centres = {"AUSTRIA": ["BUD", "TRI"]}
    with open_event(folder, clock) as event:
        seat_round(event, 1, {"1": NAMES, "2": NAMES}, by="Tess")
        for board, phase in (("1.1", "W1901A"), ("1.2", "S1902M")):
            said = {"phase": phase, "units": {"AUSTRIA": ["A VIE"]}, "centers": centres, "dislodged": []}
            append_fact(event.facts, "position set", {"board": board, "position": said}, "Tess")
        print_round(event, 1, "2")
        hand_in(event, Turn("1.2", Phase.read("S1902M"), Power.AUSTRIA), [inked(1, "A Vie ?", Tier.ASKED)])
    with open_office(folder, SEATS, is_lan=True, clock=time) as opened:
        tess = Browser(opened, "Tess")
        tess.look()
        assert (tess.item["kind"], tess.item["board"]) == ("row", "1.2")
        tess.press("order", value="A VIE H")
        assert (tess.item["kind"], tess.item["board"]) == ("ready", "1.2")
        tess.press("publish", board="1.2")
        assert (tess.item["kind"], tess.item["board"]) == ("entry", "1.1")


def test_a_question_on_typed_lines_is_counted_and_comes_before_the_sheets_that_are_missing(
    tmp_path: Path, time: Time
) -> None:
    folder = seated(tmp_path / "cup")
    with open_event(folder, clock) as event:
        here = write_position(find_game(event, "1").position)
        type_lines(event, spring(Power.RUSSIA), ["A WAR H", "A MOS H", "F SEV H", "F STP/SC H"], by="Tess")
        moved = here | {"units": here["units"] | {"RUSSIA": ["A GAL", "A MOS", "F SEV", "F STP/SC"]}}
        append_fact(event.facts, "position set", {"board": "1.1", "position": moved}, "Tess")
    with open_office(folder, SEATS, is_lan=True, clock=time) as opened:
        tess = Browser(opened, "Tess")
        waiting = opened.office.live.power(opened.office.live.games["1.1"], Power.RUSSIA)
        assert (tess.look()["item"]["kind"], tess.item["power"]) == ("sheet", "Russia")
        assert tess.shown["settle"] == 1 + sum(row.needs_director for row in waiting.rows)


def test_the_live_desk_says_what_a_desk_read_anew_says(tess: Browser) -> None:
    office = tess.opened.office
    settle_all(tess)
    tess.press("undo")
    tess.press("type", token="1.1 S1901M ITALY", values=["A Ven - Tyr", "Rom holds", "F Nap - Ion"])
    with office.inside() as live:
        fresh = Desk.of(office.event)
        for name, game in games(office.event).items():
            assert live.games[name] == game
            assert live.board(game) == fresh.board(game)
    settle_all(tess)
    tess.press("publish")
    with office.inside() as live:
        assert live.games == games(office.event)
        assert live.board(live.games["1.1"]) == Desk.of(office.event).board(live.games["1.1"])


def test_a_restart_keeps_decisions_and_undo_and_ends_sessions(tmp_path: Path, time: Time) -> None:
    make_event(tmp_path / "cup")
    with open_office(tmp_path / "cup", SEATS, is_lan=True, clock=time) as before:
        tess = Browser(before, "Tess")
        tess.look("1.1 S1901M AUSTRIA")
        tess.press("nothing")
        shown = tess.item["token"]
    with open_office(tmp_path / "cup", SEATS, is_lan=True, clock=time) as again:
        old = stranger(again)
        old.cookies = tess.client.cookies
        assert old.get("/api/next").status_code == 401
        browser = Browser(again, "Tess")
        assert browser.look("1.1 S1901M AUSTRIA")["item"]["token"] == shown
        assert browser.press("undo")["item"]["line"] == 1


DOORS = ("command", "page", "spreadsheet")


def rule_text(cup: Path, logins: str, line: int, text: str) -> dict[str, Any]:
    """Say at a door what the ink of one of Austria's rows says; what is written down, without what was shown there."""
    if logins == "command":
        words = [
            "--board",
            "1.1",
            "--power",
            "AUSTRIA",
            "--line",
            str(line),
            "--text",
            text,
            "--by",
            "Tess",
            "--anyway",
        ]
        run("rule", str(cup), *words)
    elif logins == "page":
        with open_office(cup, SEATS, is_lan=True, clock=Time()) as opened:
            tess = Browser(opened, "Tess")
            assert tess.look("1.1 S1901M AUSTRIA")["item"]["line"] == line
            tess.press("text", value=text, values=["anyway"])
    else:
        with open_event(cup, clock) as event:
            data = write_review_sheet(event, None, "take it back")[0]
            book = load_workbook(BytesIO(data))
            sheet = book["Review"]
            at = {str(cell.value): int(cell.column) for cell in sheet[5] if cell.value}
            row = next(
                n
                for n in range(6, sheet.max_row + 1)
                if (sheet.cell(n, at["Power"]).value, sheet.cell(n, at["Line"]).value) == ("Austria", str(line))
            )
            sheet.cell(row, at["Text"]).value = text
            saved = BytesIO()
            book.save(saved)
            found = take_sheet_back(event, saved.getvalue(), "review.xlsx", "Tess", anyway=True)
            assert found.refused == ()
    with open_event(cup, clock) as event:
        body = dict([fact for fact in read_facts(event.facts) if fact.kind == "ruling"][-1].body)
    return {key: body.get(key) for key in ("board", "phase", "power", "line", "order", "text", "left")}


@pytest.mark.parametrize("text", ["A Vie - Gal", "A Vie S - Tyr", "Gal <- A Vie", "A Vie (Gal)"])
def test_the_same_text_at_every_door_is_the_same_fact(tmp_path: Path, text: str) -> None:
    said = {}
    for logins in DOORS:
        make_event(tmp_path / logins)
        said[logins] = rule_text(tmp_path / logins, logins, 1, text)
    assert said["page"] == said["command"]
    assert said["spreadsheet"] == said["command"]

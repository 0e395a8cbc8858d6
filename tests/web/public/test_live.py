"""What players see without a log-in: their seat, their board, the standings that are open, the clock."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from html import unescape
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import zxingcpp
from click.testing import CliRunner
from desk.cup import clock
from desk.moot import PEOPLE, draw, drawn, play_on, played, publish_next
from msgspec.structs import replace

from pipeline.board import Phase, Power
from pipeline.cli import group
from pipeline.cli.common import _print_live_address
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game, games
from pipeline.desk.event.people import Turn
from pipeline.desk.players import add_player, rename, tell_seats
from pipeline.desk.publish.dutchmen import set_position, take_units_off
from pipeline.desk.publish.public_record import PublicBook, find_seats, public_record, start_clock, stop_clock
from pipeline.desk.results.notes import enter_note
from pipeline.desk.results.results import scored_event
from pipeline.desk.ruling.rulings import rule_sheet, undo_ruling
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import print_round
from pipeline.ledger.events import ScanReceived, SeatsTold, StandingsOpened
from pipeline.ledger.parts import SheetDecision
from pipeline.picture.draw import Caption, draw_position, draw_resolution
from pipeline.picture.formats import as_svg
from pipeline.picture.shapes import in_either_look
from pipeline.problems import Stopped
from pipeline.scoring.results import format_decimal
from pipeline.web.network import PageAddresses
from pipeline.web.public_pages import Scale, _grid, _year_chart, game_state
from pipeline.web.server import Opened, open_office
from pipeline.words.speech import IN_ENGLISH, Speech
from web.conftest import SEATS, Browser, Time, stranger

LINK = re.compile(r'(?:href|src|action)="(/[^"]+)"')


@contextmanager
def at(folder: Path) -> Iterator[Opened]:
    with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
        yield opened


def test_a_stranger_reads_every_page_and_every_link_of_it_leads_somewhere(tmp_path: Path) -> None:
    folder = played(tmp_path / "moot")
    with open_event(folder, clock) as event:
        event.facts.write(StandingsOpened(open=True), "Tess")
        typed = {"board": "1.1", "power": "ITALY", "player": "Gil Adler", "phase": "F1901M"}
        enter_note(event, "substitute", typed, by="Tess", why="called home")
        boards = games(event)
    with at(folder) as opened:
        nobody, seen, ahead, texts = stranger(opened, "192.168.1.44"), set[str](), ["/live"], dict[str, str]()
        steps = dict[str, tuple[str, ...]]()
        while ahead:
            path = ahead.pop()
            answer = nobody.get(path)
            assert answer.status_code in (200, 304), path
            seen.add(path)
            steps[path] = tuple(
                "".join(re.findall(f'rel="{way}" href="([^"]+)"', answer.text)) for way in ("prev", "next")
            )
            texts[path] = unescape(re.sub(r"<[^>]+>|\s+", " ", answer.text))
            ahead += [link for link in LINK.findall(answer.text) if link not in (*seen, *ahead)]
        assert "set-cookie" not in nobody.get("/live").headers
    assert {"/live", "/live/standings", "/live/board/1.1", "/live/board/1.2/F1902M", "/live/map/1.1/now"} <= seen
    for name, game in boards.items():
        shown, now, before = texts[f"/live/board/{name}"], game.seating.players, game.seating.earlier
        assert all(player in shown for player in now.values())
        assert all(f"{now[each.power]} (before: {each.player})" in shown for each in before)
        pages = ["", *(f"/live/board/{name}/{played.phase}" for played in game.played), ""]
        assert [steps[page] for page in pages[1:-1]] == list(zip(pages, pages[2:], strict=False))
    assert any(game.seating.earlier for game in boards.values())


def test_a_seat_is_found_by_name_by_a_part_of_it_and_by_the_code_on_a_sheet(tmp_path: Path) -> None:
    folder = drawn(tmp_path / "moot")
    with open_event(folder, clock) as event:
        print_round(event, 1, "1")
        tell_seats(event, 1, "Tess")
        record = public_record(event, games(event))
        sheet = next(s for s, printed in printed_sheets(event).items() if printed.request.power is Power.FRANCE)
    for asked in ("Ada Lovelace", "ada", "LOVE", " ada  lovelace ", sheet, sheet.lower(), sheet.replace("-", " ")):
        (seat,) = find_seats(record, asked).seats
        assert (seat.player, seat.board, seat.power) == ("Ada Lovelace", "1.1", Power.FRANCE)
    assert [seat.player for seat in find_seats(record, "zoe akerstrom").seats] == ["Zoë Åkerström"]
    assert find_seats(record, "ad").names == ("Ada Lovelace", "Gil Adler")
    assert [seat.player for seat in find_seats(record, "zo").seats] == ["Zoë Åkerström"]  # two letters are enough
    for asked in ("", "a", "nobody of this name", "MAPS-9999-A"):
        assert not find_seats(record, asked).seats
        assert not find_seats(record, asked).names


@pytest.mark.parametrize(
    ("name", "asked"), [("Łukasz Nowak", "lukasz nowak"), ("Eoin O’Neill", "eoin oneill"), ("Eoin O’Neill", "oneill")]
)
def test_a_seat_is_found_by_letters_that_a_telephone_has(tmp_path: Path, name: str, asked: str) -> None:
    with open_event(drawn(tmp_path / "moot"), clock) as event:
        tell_seats(event, 1, "Tess")
        rename(event, "Ada Lovelace", name, by="Tess")
        record = public_record(event, games(event))
    assert {seat.player for seat in find_seats(record, asked).seats} == {name}


def test_the_map_as_it_stands_follows_a_position_that_is_set_by_hand(tmp_path: Path) -> None:
    folder = played(tmp_path / "moot")
    with at(folder) as opened, open_event(folder, clock) as event:
        nobody, game = stranger(opened), find_game(event, "1.2")
        before = nobody.get("/live/map/1.2/now").text
        unit = next(str(unit) for _, unit in game.position.all_units())
        set_position(event, game, take_units_off(game.position, [unit]), "Tess")
        assert nobody.get("/live/map/1.2/now").text != before


def test_the_desk_sees_the_last_published_phase_of_a_board_or_how_it_stands(tmp_path: Path) -> None:
    with at(played(tmp_path / "moot")) as opened:
        tess, game = Browser(opened, "Tess"), opened.office.live.games["1.2"]
        last, said = game.played[-1], Caption(title="Board 1.2", subtitle="Moot of Maps", what="orders and results")
        shown = draw_resolution(game.map, last.before, last.resolution, said)
        assert tess.client.get("/map/board/1.2").text == in_either_look(as_svg(shown))
        now = draw_position(game.map, game.position, replace(said, what="position"))
        assert tess.client.get("/map/board/1.2?now=1").text == in_either_look(as_svg(now))


def test_what_is_asked_for_is_shown_as_text_and_not_as_a_page(tmp_path: Path) -> None:
    with at(played(tmp_path / "moot")) as opened:
        answer = stranger(opened).get("/live/seat", params={"who": '"><script>alert(1)</script>'})
        assert "<script>alert" not in answer.text
        assert "&lt;script&gt;alert(1)" in answer.text


def test_a_drawn_round_is_seen_when_it_is_told_and_a_new_draw_when_that_is_told(tmp_path: Path) -> None:
    folder = played(tmp_path / "moot")
    with at(folder) as opened, open_event(folder, clock) as event:
        nobody = stranger(opened)
        before = nobody.get("/live").text
        draw(event, 2, PEOPLE[::-1])
        print_round(event, 2)
        assert nobody.get("/live/board/2.1").status_code == 404
        assert nobody.get("/live").text == before
        tell_seats(event, 2, "Tess")
        assert "Mio Gruber" in nobody.get("/live/board/2.1").text
        draw(event, 2, (*PEOPLE[7:], *PEOPLE[:7]))
        assert nobody.get("/live/board/2.1").status_code == 404
        tell_seats(event, 2, "Tess")
        assert nobody.get("/live/board/2.1").status_code == 200


def test_a_sheet_of_an_earlier_draw_finds_nothing(tmp_path: Path) -> None:
    with open_event(drawn(tmp_path / "moot"), clock) as event:
        print_round(event, 1, "1")
        old = next(iter(printed_sheets(event)))
        draw(event, 1, PEOPLE[::-1])
        tell_seats(event, 1, "Tess")
        assert find_seats(public_record(event, games(event)), old).seats == ()


def test_a_sheet_finds_its_player_when_a_board_was_added_and_not_when_seats_were_swapped(tmp_path: Path) -> None:
    with open_event(drawn(tmp_path / "moot"), clock) as event:
        print_round(event, 1)
        sheets = {sheet.turn.power: name for name, sheet in printed_sheets(event).items() if sheet.turn.board == "1.1"}
        tell_seats(event, 1, "Tess")
        before = {power: find_seats(public_record(event, games(event)), sheets[power]).seats for power in Power}
        latecomers = tuple(f"Late {power.title()}" for power in Power)
        for name in latecomers:
            add_player(event, name, {}, by="Tess")
        seats = [f"{power} {name}" for power, name in zip(Power, latecomers, strict=True)]
        enter_note(event, "board", {"board": "1.3", "players": seats}, by="Tess", why="they came together")
        tell_seats(event, 1, "Tess")
        record = public_record(event, games(event))
        assert {power: find_seats(record, sheets[power]).seats for power in Power} == before
        austria, england = (before[power][0].player for power in (Power.AUSTRIA, Power.ENGLAND))
        enter_note(event, "swap", {"player": austria, "other": england}, by="Tess", why="x")
        record = public_record(event, games(event))
        found = {power: find_seats(record, sheets[power]).seats for power in Power}
        assert found == {**before, Power.AUSTRIA: (), Power.ENGLAND: ()}


def test_a_board_says_its_counts_by_year_and_its_score_if_it_ended_now(tmp_path: Path) -> None:
    folder = played(tmp_path / "moot")
    with open_event(folder, clock) as event:
        game = find_game(event, "1.2")
        event.facts.write(StandingsOpened(open=True), "Tess")
        now = {g.power: g.score for g in scored_event(event, running=True).games if g.board.name == "2"}
    with at(folder) as opened:
        text = stranger(opened).get("/live/board/1.2").text
    rows = dict(re.findall(r"</b> (\w+)</th><td>[^<]*</td><td class=\"n\">\d+</td><td class=\"n\">([\d.]+)</td>", text))
    assert rows == {power.title(): format_decimal(score, 3) for power, score in now.items()}
    lines = re.findall(r"</b> (\w+)</th>((?:<td class=\"n\">\d+</td>)+)</tr>", text)
    counts = {title: re.findall(r">(\d+)</td>", line) for title, line in lines}
    after_1902 = next(p for p in game.played if str(p.phase).startswith("F1902") and p.ends_a_fall).resolution.after
    assert {title: int(row[1]) for title, row in counts.items()} == {
        power.title(): len(after_1902.centres.get(power, ())) for power in Power
    }
    assert "If it ended now" in text
    assert "<svg" in text


def test_the_clock_is_told_in_words_that_need_no_script(tmp_path: Path) -> None:
    folder = played(tmp_path / "moot")
    with at(folder) as opened, open_event(folder, clock) as event:
        start_clock(event, "Fall 1903", (("negotiation", 900), ("writing", 300)), 0, "Tess")
        text = stranger(opened).get("/live").text
        assert re.search(r"negotiation until \d\d:\d\d,\s*writing until \d\d:\d\d", text)
        assert stranger(opened).get("/live/newest").json()["gone"] == 0
        opened.office.clock.now += 60  # type: ignore[attr-defined]
        assert stranger(opened).get("/live/newest").json()["gone"] == pytest.approx(60)
        stop_clock(event, 840, "Tess")
        text = stranger(opened).get("/live").text
        assert re.search(r"stopped</b> <span id=\"left\">negotiation 1:00 left,\s*writing 5:00 left", text)


def test_nothing_is_played_again_for_who_asks_and_an_answer_that_is_the_same_is_not_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = played(tmp_path / "moot")
    with at(folder) as opened, open_event(folder, clock) as event:
        nobody = stranger(opened)
        first = nobody.get("/live/board/1.2")
        monkeypatch.setattr("pipeline.desk.publish.public_record.public_record", None)  # a call of it would fail
        monkeypatch.setattr("pipeline.desk.publish.public_record.apply_fact", None)
        monkeypatch.setattr("pipeline.web.public_pages.TEMPLATES", None)
        event.facts.write(ScanReceived(sha256="ab", name="x", path="y"), "test")
        assert nobody.get("/live/board/1.2").content == first.content
        again = nobody.get("/live/board/1.2", headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        monkeypatch.undo()
        publish_next(event, find_game(event, "1.2"))
        assert nobody.get("/live/board/1.2").content != first.content


def test_the_book_says_what_the_facts_say_whatever_is_written_down(tmp_path: Path) -> None:
    folder = drawn(tmp_path / "moot")
    with open_event(folder, clock) as event, open_event(folder, clock) as watched:
        book = PublicBook(watched)

        def same() -> None:
            assert book.record() == public_record(event, games(event))

        same()
        tell_seats(event, 1, "Tess")
        same()
        play_on(event, "1.1", "W1901A")
        same()
        typed = {"board": "1.1", "power": "ITALY", "player": "Gil Adler", "phase": "W1901A"}
        enter_note(event, "substitute", typed, by="Tess", why="called home")
        same()
        event.facts.write(StandingsOpened(open=True), "Tess")
        same()
        assert book.record() is book.record()


def test_what_a_late_sheet_costs_is_public_with_its_phase_and_no_earlier(tmp_path: Path) -> None:
    """EDC23 D4: a point; while its phase goes on nobody but the director knows who was late."""
    with (
        open_event(drawn(tmp_path / "cup", tournament="edc2023"), clock) as event,
        open_event(tmp_path / "cup", clock) as watched,
    ):
        event.facts.write(StandingsOpened(open=True), "Tess")
        play_on(event, "1.1", "S1902M")
        book, late = PublicBook(watched), Turn("1.1", Phase.read("S1902M"), Power.ITALY)

        def points() -> list[Fraction | None]:
            assert book.record() == public_record(event, games(event))
            places = book.record().places
            assert places is not None
            return [penalty.points for penalty in places.final.event.penalties]

        before = book.record()
        ruled = rule_sheet(event, late, SheetDecision.LATE, by="Tess")
        assert (points(), book.record()) == ([], before)
        publish_next(event, find_game(event, "1.1"))
        assert points() == [1]
        undo_ruling(event, ruled, "Tess")
        assert points() == []


def test_sealed_standings_are_on_no_page_and_change_none(tmp_path: Path) -> None:
    folder = played(tmp_path / "moot")
    with at(folder) as opened:
        nobody = stranger(opened)
        assert "sealed" in nobody.get("/live/standings").text
        assert "Score" not in nobody.get("/live/board/1.1").text
        assert "If it ended now" not in nobody.get("/live/board/1.2").text
        beamer = Browser(opened, "beamer").client
        assert beamer.get("/api/clock").json()["projected"] == []
        opened.office.event.facts.write(StandingsOpened(open=True), "Tess")
        assert beamer.get("/api/clock").json()["projected"]


def test_a_game_that_has_no_count_yet_is_in_no_standings(tmp_path: Path) -> None:
    folder = played(tmp_path / "moot")
    with open_event(folder, clock) as event:
        event.facts.write(StandingsOpened(open=True), "Tess")
        before = public_record(event, games(event)).places
        draw(event, 2, PEOPLE[::-1])
        assert public_record(event, games(event)).places == before
        tell_seats(event, 2, "Tess")
        after = public_record(event, games(event)).places
        assert before is not None
        assert after is not None
        assert (after.now, after.scores) == (before.now, before.scores)


def test_seats_are_told_by_command_and_from_the_tables_as_the_same_fact(tmp_path: Path) -> None:
    folder = drawn(tmp_path / "moot")
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    done = CliRunner().invoke(group, ["seats", str(folder), "--round", "1", "--tell", "--by", "Tess"])
    assert (done.exit_code, "Ada Lovelace" in done.output) == (0, True)
    with at(other) as opened:
        tess = Browser(opened, "Tess")
        assert tess.client.get("/api/tables").json()["told"] == []
        answer = tess.client.post("/api/tables/tell", json={"round": 1}, headers={"X-Token": tess.token})
        assert answer.status_code == 200
        assert tess.client.get("/api/tables").json()["told"] == [1]
    for each in (folder, other):
        with open_event(each, clock) as event:
            assert [(fact.said, fact.by) for fact in event.facts.select(SeatsTold)] == [(SeatsTold(round=1), "Tess")]
            assert tell_seats(event, 1, "Tess").number == event.facts.last_number()
            with pytest.raises(Stopped, match="not drawn"):
                tell_seats(event, 3, "Tess")


def test_lines_that_end_together_have_their_letters_beside_one_another() -> None:
    chart = _year_chart(
        {1901: dict.fromkeys(Power, 4), 1902: dict.fromkeys(Power, 4)}, tuple(Power), "Centres", IN_ENGLISH
    )
    places = sorted(float(y) for y in re.findall(r'class="letter" x="\d+" y="([\d.]+)"', chart))
    assert len(places) == 7
    assert min(b - a for a, b in pairwise(places)) >= 12.9
    assert _year_chart({1901: dict.fromkeys(Power, 4)}, tuple(Power), "Centres", IN_ENGLISH) == ""


def test_the_code_on_the_screen_is_where_telephones_find_the_pages(tmp_path: Path) -> None:
    folder = drawn(tmp_path / "moot")
    with at(folder) as opened:
        phone = stranger(opened)
        phone.base_url = "http://192.168.1.20:8040"
        assert phone.get("/live/where").json() == {"address": "http://192.168.1.20:8040/live"}
        assert read_code(phone.get("/live/qr.svg").text) == "HTTP://192.168.1.20:8040/LIVE"
        assert phone.get("/LIVE").text == phone.get("/live").text
        opened.logins.pages_at, opened.logins.port = PageAddresses(("192.168.1.20",), "AB:CD"), 8040
        assert phone.get("/live/where").json() == {"address": "https://192.168.1.20:8040/live"}
        phone.headers["host"] = "localhost:8040"
        assert phone.get("/live/where").json() == {"address": "https://192.168.1.20:8040/live"}
    with open_office(folder, SEATS, clock=Time()) as opened:
        assert stranger(opened).get("/live/where").json() == {"address": ""}
        assert stranger(opened).get("/live/qr.svg").status_code == 404


def read_code(svg: str) -> str:
    """Read a code from its squares, as a camera does from its picture."""
    side = int(re.findall(r"viewBox=\"0 0 (\d+)", svg)[0])
    squares = np.full((side, side), 255, np.uint8)
    for left, row, length in re.findall(r"M(\d+) (\d+)\.5h(\d+)", svg):
        squares[int(row), int(left) : int(left) + int(length)] = 0
    (found,) = zxingcpp.read_barcodes(np.kron(squares, np.ones((8, 8), np.uint8)))
    return str(found.text)


def test_scripts_and_styles_are_sent_once_and_asked_about_afterwards(tmp_path: Path) -> None:
    with at(drawn(tmp_path / "moot")) as opened:
        nobody = stranger(opened)
        first = nobody.get("/static/live.css")
        assert first.headers["content-type"] == "text/css; charset=utf-8"
        again = nobody.get("/static/live.css", headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        for one in (first, again):  # a browser keeps the headers of the last answer
            assert (one.headers["etag"], one.headers["cache-control"]) == (first.headers["etag"], "no-cache")
        for path in ("/static/none.js", "/static/", "/static/../app.py", "/static/%2e%2e%2fapp.py"):
            assert nobody.get(path).status_code == 404, path


def test_public_pages_and_no_others_answer_to_the_name_in_the_events_file(tmp_path: Path) -> None:
    with at(drawn(tmp_path / "moot", more='live_address = "https://moot.example.org"')) as opened:
        nobody = stranger(opened)
        nobody.headers["host"] = "moot.example.org"
        assert nobody.get("/live").status_code == nobody.get("/static/live.css").status_code == 200
        assert nobody.get("/live/where").json() == {"address": "https://moot.example.org/live"}
        for path in ("/", "/door", "/screen", "/api/next", "/static/review.js", "/live/../door"):
            assert nobody.get(path).status_code == 421
        nobody.headers["host"] = "evil.example.org"
        assert nobody.get("/live").status_code == 421


def test_the_terminal_says_where_players_look_and_what_to_write_for_a_code_on_every_sheet(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _print_live_address(PageAddresses(("192.168.1.20", "10.0.0.7")), 8040, "")
    assert capsys.readouterr().out == (
        "for players, without a PIN:  http://192.168.1.20:8040/live\n"
        '  for a code on every sheet write live_address = "http://192.168.1.20:8040" into event.toml\n'
    )
    _print_live_address(PageAddresses(("192.168.1.20",), "AB:CD"), 8040, "https://192.168.1.20:8040")
    assert capsys.readouterr().out == "for players, without a PIN:  https://192.168.1.20:8040/live\n"
    _print_live_address(PageAddresses(("192.168.1.20",)), 8040, None)
    assert capsys.readouterr().out == "for players, without a PIN:  http://192.168.1.20:8040/live\n"
    _print_live_address(PageAddresses(), 8040, "")
    assert capsys.readouterr().out == ""


def test_a_player_named_as_a_power_or_a_place_keeps_his_name() -> None:
    seating = SimpleNamespace(last_players={Power.ITALY: "France PAR"})
    game: Any = SimpleNamespace(ending="solo", centres={Power.ITALY: 18}, seating=seating)
    assert game_state(game, Speech("de", {"PAR": "Paris"})) == "vorbei: Solo von France PAR (Italien)"


def test_a_chart_has_a_line_for_each_step_of_the_counts_up_to_the_highest() -> None:
    for most in (1, 5, 17, 34, 100):
        scale = Scale((1901, 1902), most)
        texts = re.findall(r">(\d+)<", "".join(_grid(scale)))
        assert texts == [*map(str, range(0, scale.most + 1, scale.step)), "1901", "1902"]
        assert most <= scale.most < most + scale.step

"""From any outcome one comes back to the ink; what no longer follows from the facts is named."""

import shlex
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest
from commands import run
from facts_as_kept import append_fact
from msgspec.structs import replace
from sampled import slow_after

from desk.abroad import seated_abroad
from desk.beginnings import copied
from desk.cup import OPENINGS, clock, hand_in, hand_in_all, hand_in_sheet, inked, printed, sheets_of, spring
from desk.moot import PEOPLE, drawn
from pipeline.board import FIRST_PHASE, Power
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import gate_name
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.publish.explain import as_published, as_row, check_event, explain_question
from pipeline.desk.publish.publish import publish
from pipeline.desk.results.notes import enter_note
from pipeline.desk.results.standings_workbook import write_standings
from pipeline.desk.review.queue import queue, settle_doubt, take_the_rule
from pipeline.desk.ruling.desk import Desk, rule_by_number, rule_without_order
from pipeline.desk.ruling.rulings import RowDecision, rule_row, type_lines
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.judge.adjudicate import adjudicate
from pipeline.ledger.events import PositionSet
from pipeline.ledger.files import local_time
from pipeline.orders import write_position
from pipeline.problems import Stopped
from pipeline.scoring.results import Ending

AUSTRIA, ENGLAND = spring(Power.AUSTRIA), spring(Power.ENGLAND)


@pytest.fixture
def published(tmp_path: Path) -> Iterator[Event]:
    """The first Spring, with one order ruled by the rule."""
    with open_event(copied(make_published, tmp_path / "cup"), clock) as event:
        yield event


def make_published(folder: Path) -> None:
    with open_event(printed(folder), clock) as event:
        publish_spring(event)


@pytest.fixture
def with_blank(tmp_path: Path) -> Iterator[Event]:
    """As `published`, in a folder with a blank in its name."""
    with open_event(printed(tmp_path / "my cup"), clock) as event:
        publish_spring(event)
        yield event


def publish_spring(event: Event) -> None:
    hand_in_all(event, but=Power.ENGLAND)
    hand_in(
        event, ENGLAND, [inked(1, "F LON - ENG"), inked(2, "F EDI - NOR"), inked(3, "A LVP - YOR")], sha256="e" * 64
    )
    append_fact(event.facts, "scan received", {"sha256": "e" * 64, "name": "scan7.pdf", "path": "gone.pdf"}, "scan")
    doubt = next(d for d in queue(event) if d.turn == ENGLAND)
    decision = take_the_rule(doubt)
    assert decision is not None
    settle_doubt(event, doubt, decision, "Tess")
    publish(event, "1", "Tess")


def test_an_outcome_is_told_with_its_culprit_ruling_sheet_and_picture(published: Event) -> None:
    story = "\n".join(explain_question(published, "1 S1901M F EDI"))

    for part in (
        "F EDI H: stands\n",
        "row         line 2, ruled",
        "'F EDI - NOR' 99%",
        "ruling      Tess",
        "by the rule WM VI.2.f",
        "TEST-0002-",
        "scan7.pdf page 1",
        f"picture     {published.folder}",
    ):
        assert part in story
    assert "decided by  A WAR - GAL" in "\n".join(explain_question(published, "1.1 S1901M A VIE"))


def story_of(event: Event, unit: str) -> str:
    return "\n".join(explain_question(event, f"1 S1901M {unit}"))


def test_an_order_is_told_as_it_was_published_where_a_later_sheet_changed_its_row(published: Event) -> None:
    before = story_of(published, "A LVP")
    print_round(published, 1, wish=PrintWish(phase=FIRST_PHASE))
    spare = sheets_of(published, ENGLAND)[1]
    append_fact(published.facts, "scan received", {"sha256": "f" * 64, "name": "late.pdf", "path": "gone2.pdf"}, "scan")
    hand_in_sheet(published, spare, [inked(1, "F LON H"), inked(2, "F EDI H"), inked(3, "A LVP H")], "f" * 64)

    story = story_of(published, "A LVP")

    assert "the rules did" not in story
    assert "row         line 3, read\n  ink         'A LVP - YOR'\n  since then  it has changed" in story
    picture = next(line for line in before.splitlines() if "picture" in line)
    assert picture in story
    at = local_time("2026-01-02T09:00:00+00:00")
    assert f"in late.pdf page 1, {at}, after it was published" in story
    (scan7,) = (line for line in story.splitlines() if "scan7.pdf" in line)
    assert "after it was published" not in scan7


def test_an_order_that_was_ruled_on_since_is_told_with_what_stands_now(event: Event) -> None:
    hand_in_all(event)
    publish(event, "1", "Tess")
    rule_row(event, AUSTRIA, 1, RowDecision(order="A VIE - TYR"), "Tess")

    story = story_of(event, "A VIE")

    assert "ink         'A VIE - GAL'\n" in story
    assert "since then  it has changed, and is now: 'A VIE - GAL', A VIE - TYR, ruled; see 'check'" in story


def test_a_sheet_that_is_scanned_again_and_says_the_same_has_not_changed(event: Event) -> None:
    hand_in_all(event)
    publish(event, "1", "Tess")
    rows = [inked(row, line) for row, line in enumerate(OPENINGS[Power.AUSTRIA], start=1)]
    hand_in(event, AUSTRIA, rows, sha256="f" * 64)

    assert "since then" not in story_of(event, "A VIE")


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("nonsense", "give a board, a phase and a unit"),
        ("1 F1901M A VIE", "phase 'F1901M' is not published on board 1.1; did you mean 'S1901M'"),
        ("1 S1901M A MOON", "'A MOON' is not a unit"),
        ("1 S1901M A BEL", "no order of A BEL was published in S1901M"),
        ("9 S1901M A VIE", "no board '9'"),
    ],
)
def test_a_question_that_has_no_answer_says_what_was_wanted(published: Event, question: str, message: str) -> None:
    with pytest.raises(Stopped, match=message):
        list(explain_question(published, question))


def test_a_second_sheet_that_came_after_the_read_out_is_not_called_a_row(event: Event) -> None:
    print_round(event, 1)
    hand_in_all(event)
    publish(event, "1", "Tess")
    lines = [inked(row, line) for row, line in enumerate(OPENINGS[Power.AUSTRIA], start=1)]
    hand_in_sheet(event, sheets_of(event, AUSTRIA)[1], lines, "f" * 64)

    (problem,) = check_event(event)

    assert str(problem) == "asks   1.1 S1901M AUSTRIA: its sheets are asked about again since it was published"


def test_a_result_that_was_not_published_is_named_in_words(event: Event) -> None:
    hand_in_all(event)
    game = find_game(event, "1")
    powers = Desk.of(event).board(game)
    orders = {each.power: each.orders for each in powers}
    resolution = adjudicate(game.map, game.position, orders, event.tournament.rulebook)
    judged = as_published("1.1", orders, resolution, {each.power: tuple(map(as_row, each.rows)) for each in powers})
    event.facts.write(replace(judged, results=judged.results[1:]), "Tess")

    (problem,) = check_event(event)

    assert problem.text == "A VIE - GAL: was nothing, is 'bounces 1:1 with A WAR - GAL'"


def test_a_lost_or_changed_scan_is_named(event: Event) -> None:
    for name, content in (("kept.pdf", b"ink"), ("changed.pdf", b"other ink")):
        (event.scans / name).write_bytes(content)
    right = "4e8d4d1bde1d4b1f2ee5a0d6ebc6a2f7"  # not the hash of anything here
    for name in ("kept.pdf", "changed.pdf", "gone.pdf"):
        append_fact(event.facts, "scan received", {"sha256": right * 2, "name": name, "path": name}, "scan")

    found = {p.where.split()[0]: p.text for p in check_event(event)}

    assert "no longer what came in" in found["changed.pdf"]
    assert "is gone from" in found["gone.pdf"]


def test_thresholds_that_cannot_be_read_or_were_edited_are_named(event: Event) -> None:
    """A folder of that name stands for a bad spot on a disk; the third file is as it was written."""
    (event.folder / "gate-00000000.toml").mkdir()
    (event.folder / "gate-11111111.toml").write_text("accepted = 1", "utf-8")
    (event.folder / gate_name(b"marked = 2")).write_bytes(b"marked = 2")

    found = [
        Path(p.where).name for p in check_event(event) if "these are not the thresholds that were written" in p.text
    ]

    assert found == ["gate-00000000.toml", "gate-11111111.toml"]


def test_a_place_is_told_down_to_the_centres_and_the_units_that_took_them(event: Event) -> None:
    hand_in_all(event)
    publish(event, "1", "Tess")
    game = find_game(event, "1")
    for power, units in game.position.units.items():
        lines = [f"{unit} H" for unit in units]
        type_lines(event, Turn("1.1", game.position.phase, power), lines, by="Tess")
    publish(event, "1", "Tess")
    end_game(event, find_game(event, "1"), Ending.TIME, by="Tess")

    story = "\n".join(explain_question(event, "gil"))

    assert "Gil: place 1 (shared)" in story
    rows = openpyxl.load_workbook(BytesIO(write_standings(event, sealed=False).data))
    order = next(cell for row in rows["Orders"].iter_rows() for cell in row if cell.value == "A CON - BUL")
    assert "published" in "\n".join(explain_question(event, f"Orders!{order.coordinate}"))
    name = next(cell for row in rows["Results"].iter_rows() for cell in row if cell.value == "Gil")
    assert story in "\n".join(explain_question(event, f"Results!{name.coordinate}"))
    with pytest.raises(Stopped, match="about no order and no player"):
        list(explain_question(event, "Orders!A1"))
    for nowhere in ("A0", "A1048577", "A9999999", "ZZ1", "ZZZ1", "XFD1", "B60000"):
        with pytest.raises(Stopped, match="no such cell; the last one of this sheet is "):
            list(explain_question(event, f"Orders!{nowhere}"))
    with pytest.raises(Stopped, match="expected a sheet and a cell, such as Orders!E12"):
        list(explain_question(event, "Orders!twelve"))
    with pytest.raises(Stopped, match="no sheet 'Order'; did you mean 'Orders'"):
        list(explain_question(event, "Order!A1"))
    assert "board 1.1   TURKEY:" in story
    assert "BUL  taken in Fall 1901 by A BUL" in story
    assert "ANK  held from the start" in story


@pytest.mark.parametrize("tab", slow_after(2, ["Orders", "Befehle", "'Befehle'"]))
def test_a_cell_is_asked_for_by_the_english_tab_and_by_the_one_in_the_events_language(tmp_path: Path, tab: str) -> None:
    with open_event(seated_abroad(tmp_path / "cup", "de"), clock) as event:
        for power, units in find_game(event, "1").position.units.items():
            type_lines(event, Turn("1.1", FIRST_PHASE, power), [f"{unit} H" for unit in units], by="Tess")
        publish(event, "1", "Tess")
        rows = openpyxl.load_workbook(BytesIO(write_standings(event, sealed=False).data))["Befehle"]
        order = next(cell for row in rows.iter_rows() for cell in row if cell.value == "A VIE H")

        assert f"{tab}!{order.coordinate}: A VIE H" in list(explain_question(event, f"{tab}!{order.coordinate}"))
        with pytest.raises(Stopped, match="try one of Befehle, Stand, Ergebnisse"):
            list(explain_question(event, f"{tab}!A1"))
        with pytest.raises(Stopped, match="no sheet 'Befehl'; did you mean 'Befehle'"):
            list(explain_question(event, "Befehl!A1"))
        with pytest.raises(Stopped, match="such as Befehle!E12"):
            list(explain_question(event, f"{tab}!twelve"))


def test_a_total_that_is_truncated_is_told_before_and_after(tmp_path: Path) -> None:
    """EDC23 truncates: 48 at 110 % are 52.8, and count as 52."""
    counts = {"board": "1.1", "ended": "last year", "years": ["1907 A12 E9 F6 G4 I3 R0 T0"]}
    with open_event(drawn(tmp_path / "cup", PEOPLE[:7], tournament="edc2023"), clock) as event:
        enter_note(event, "result", counts, by="Tess", why="played at the other venue")
        first, *_, last = explain_question(event, PEOPLE[0].partition(" ")[0])  # a first name is enough
    assert first == f"{PEOPLE[0]}: place 1, 52 points"
    assert last == "  total       52.8, counts as 52"


def test_who_is_not_ranked_is_told_so_with_his_games(event: Event) -> None:
    counts = {"board": "1.1", "ended": "time", "years": ["1907 A5 E4 F5 G5 I4 R6 T5"]}
    enter_note(event, "result", counts, by="Tess", why="played at the other venue")
    enter_note(event, "excluded", {"player": "gil"}, by="Tess", why="left the game")
    told, *games = explain_question(event, "gil")
    assert told.startswith("Gil: not ranked (excluded), ")
    assert games[0].startswith("  board 1.1   TURKEY: ")


def test_the_centres_of_a_position_that_was_set_are_not_said_to_be_held_from_the_start(event: Event) -> None:
    position = write_position(find_game(event, "1").position)
    event.facts.write(PositionSet(board="1.1", position={**position, "phase": "S1903M"}), "Tess")
    end_game(event, find_game(event, "1"), Ending.TIME, by="Tess", why="the hall closes")
    story = "\n".join(explain_question(event, "gil"))
    assert "ANK  held in Spring 1903, when the position was set" in story


def test_of_a_unit_whose_row_was_ruled_to_order_nothing_it_is_not_said_that_nobody_wrote_it(event: Event) -> None:
    hand_in_all(event)
    rule_by_number(event, AUSTRIA, 1, RowDecision(order="nothing", why="struck out"), "Tess")
    rule_without_order(event, AUSTRIA, "", "Tess")
    publish(event, "1", "Tess")

    assert "no row      no order for it counted; the rules did\n  no order    line 1 'A VIE - GAL'\n" in story_of(
        event, "A VIE"
    )


@pytest.mark.parametrize("unit", ["A LVP", "F LON"])  # as read, and as ruled
def test_the_commands_that_it_gives_correct_this_very_order(with_blank: Event, unit: str) -> None:
    *_, last = explain_question(with_blank, f"1 S1901M {unit}")
    name, commands = last.strip().split("  ", 1)
    assert name == "to correct"
    commands, address = commands.split("; in the browser ")
    assert address == "/correct?board=1.1&phase=S1901M&power=ENGLAND"
    for command in commands.removesuffix(" (without --apply it shows what changes)").split(", then "):
        words = [{"ORDER": f"{unit} H", "REASON": "misread"}.get(word, word) for word in shlex.split(command)]
        assert words.pop(0) == "ordersheets"
        run(*words, "--by", "Tess")
    assert f"\n{unit} H: " in story_of(with_blank, unit)


def test_the_journal_says_of_what_was_published_how_it_is_corrected(with_blank: Event) -> None:
    told = run("journal", str(with_blank.folder))
    said = next(line.strip() for line in told.splitlines() if "to correct it" in line)
    how, command = said.split(", then ")
    assert how == "published; to correct it, rule with --phase S1901M"
    rule_by_number(with_blank, ENGLAND, 3, RowDecision(order="A LVP H"), "Tess")
    run(*shlex.split(command)[1:], "--by", "Tess")
    assert "\nA LVP H: " in story_of(with_blank, "A LVP")


def test_what_was_published_before_a_position_that_was_set_is_not_said_to_be_correctable(published: Event) -> None:
    position = write_position(find_game(published, "1").position)
    published.facts.write(PositionSet(board="1.1", position={**position, "phase": "S1903M"}), "Tess")
    assert find_game(published, "1").played
    assert "to correct it" not in run("journal", str(published.folder))


@pytest.mark.parametrize(("language", "tab"), [("de", "Stand"), ("fr", "Classement")])
def test_a_sheet_of_a_workbook_in_another_language_has_its_english_name_too(
    language: str, tab: str, tmp_path: Path
) -> None:
    with open_event(seated_abroad(tmp_path / "cup", language), clock) as event:
        values = {"board": "1.1", "ended": "time", "years": "1907 A10 E7 F6 G4 I4 R2 T1"}
        enter_note(event, "result", values, by="Tess", why="upstairs")
        told, by_tab = (list(explain_question(event, f"{name}!C6"))[1:] for name in ("Standings", tab))
        assert told == by_tab
        assert any(line.startswith("Ada: place 1") for line in told)
        with pytest.raises(Stopped, match="no sheet 'Nowhere'"):
            list(explain_question(event, "Nowhere!C6"))

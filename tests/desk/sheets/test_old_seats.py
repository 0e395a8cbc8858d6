"""A round that is drawn again: what was printed, written and decided before counts for nobody unasked."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from facts_as_kept import append_fact, read_facts

from desk.cup import NAMES, clock, hand_in_all, seated, sheets_of, spring
from pipeline.board import Power
from pipeline.desk.draw_request import Request
from pipeline.desk.drawing import draw_round
from pipeline.desk.drawn_again import seat_drawn
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import find_game, seatings
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.intake.ingest import find_page, identify_page
from pipeline.desk.publish.publish import publish
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import type_lines
from pipeline.desk.sheets.printing import print_round
from pipeline.desk.sheets.unfiled_pages import stray_pages
from pipeline.draw.roster import Player
from pipeline.problems import Stopped
from pipeline.reading.recogniser import NoRecogniser

CHANGED = {**NAMES, Power.AUSTRIA: NAMES[Power.ENGLAND], Power.ENGLAND: NAMES[Power.AUSTRIA]}
AUSTRIAS, ENGLANDS = f"{0:064d}", f"{1:064d}"


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    """Everybody's sheet is in; then two players change places."""
    with open_event(seated(tmp_path / "cup"), clock) as opened:
        print_round(opened, 1)
        hand_in_all(opened)
        type_lines(opened, spring(Power.RUSSIA), ["A WAR H"], by="Tess")
        yield opened


def states(event: Event) -> dict[Power, str]:
    """Where everybody's sheet is; the desk that is kept in memory says the same."""
    game = find_game(event, "1")
    found = {power.power: str(power.state) for power in Desk.of(event).board(game)}
    assert found == {power.power: str(power.state) for power in LiveDesk(event).board(game)}
    return found


def test_a_sheet_of_the_old_seats_counts_for_nobody_until_a_person_says_so(event: Event) -> None:
    live = LiveDesk(event)
    assert set(states(event).values()) == {"in", "typed"}
    seat_round(event, 1, {"1": CHANGED}, by="Tess")
    live.refresh()
    game = find_game(event, "1")

    assert [power for power, state in states(event).items() if state == "missing"] == [Power.AUSTRIA, Power.ENGLAND]
    assert {p.power: p.state for p in live.board(game)} == {p.power: p.state for p in Desk.of(event).board(game)}
    assert [problem.text.split(";")[1].strip() for problem in stray_pages(event)] == [
        "printed for the seats of an earlier draw"
    ] * 2
    with pytest.raises(Stopped, match="say which sheet it is") as stopped:
        publish(event, "1", "Tess")
    assert stopped.value.code == 3

    sheet = sheets_of(event, spring(Power.AUSTRIA))[0]
    identify_page(event, find_page(event, AUSTRIAS, 1), sheet, NoRecogniser(), "Tess")
    assert [power for power, state in states(event).items() if state == "missing"] == [Power.ENGLAND]
    assert len(list(stray_pages(event))) == 1


def test_what_a_person_said_of_a_page_before_the_draw_is_asked_again_after_it(event: Event) -> None:
    sheet = sheets_of(event, spring(Power.ENGLAND))[0]
    body = next(f.body for f in read_facts(event.facts, "page read") if f.body["sha256"] == ENGLANDS)
    append_fact(event.facts, "page read", {**body, "sha256": "e" * 64, "tray": "doubtful", "offers": [sheet]}, "test")
    identify_page(event, find_page(event, "e" * 64, 1), sheet, NoRecogniser(), "Tess")
    seat_round(event, 1, {"1": CHANGED}, by="Tess")

    assert states(event)[Power.ENGLAND] == "missing"
    assert sum("eeeeeeee" in problem.where for problem in stray_pages(event)) == 1


def test_lines_that_were_typed_for_an_old_seat_count_no_more(event: Event) -> None:
    swapped = {**NAMES, Power.RUSSIA: NAMES[Power.TURKEY], Power.TURKEY: NAMES[Power.RUSSIA]}
    seat_round(event, 1, {"1": swapped}, by="Tess")
    assert states(event)[Power.RUSSIA] == "missing"
    seat_round(event, 1, {"1": NAMES}, by="Tess")
    assert states(event)[Power.RUSSIA] == "typed"


def test_sheets_of_players_who_keep_their_seats_count_as_before(event: Event) -> None:
    seat_round(event, 1, {"1": CHANGED}, by="Tess")
    assert states(event)[Power.FRANCE] == "in"


def test_once_a_draw_is_taken_back_the_sheets_before_it_count_again(event: Event) -> None:
    before = states(event)
    seat_round(event, 1, {"1": CHANGED}, by="Tess")
    assert len(list(stray_pages(event))) == 2
    append_fact(event.facts, "taken back", {"fact": event.facts.last_number(), "why": "by mistake"}, "Tess")
    assert (states(event), list(stray_pages(event))) == (before, [])


def test_the_same_seats_again_are_the_same_fact(event: Event) -> None:
    number = event.facts.last_number()
    seat_round(event, 1, {"1": NAMES}, by="Tess")
    assert event.facts.last_number() == number


def test_of_three_draws_at_once_one_stands_and_the_others_are_told(tmp_path: Path) -> None:
    details = Details(name="Test Cup", code="TEST", tournament="weaselmoot")
    make_event_folder(tmp_path / "cup", details, [Player(name=f"P{number:02}") for number in range(14)], clock)
    with ExitStack() as stack:
        desks = [stack.enter_context(open_event(tmp_path / "cup", clock)) for _ in range(3)]
        drawn = [draw_round(desk, Request(round=1, seed=seed)) for seed, desk in enumerate(desks)]
        seat_drawn(desks[1], drawn[1], by="Tess")
        for number in (0, 2):
            with pytest.raises(Stopped, match="round 1: was drawn by Tess meanwhile; that draw stands") as stopped:
                seat_drawn(desks[number], drawn[number], by="Gus")
            assert stopped.value.code == 3
        for desk in desks:
            assert {name: dict(each.players) for name, each in seatings(desk).items()} == {
                f"1.{name}": dict(players) for name, players in drawn[1].boards.items()
            }
        assert len(list(read_facts(desks[0].facts, "seated"))) == 1
        print_round(desks[2], 1)
        with pytest.raises(Stopped, match="its sheets were printed"):
            draw_round(desks[0], Request(round=1, seed=5))

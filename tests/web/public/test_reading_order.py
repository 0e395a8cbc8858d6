"""Beginners are read first where the rules say so (EDC23 R1, R12): on the card, at the gate, on the screen."""

from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest
from desk.cup import NAMES, clock, hand_in_all

from pipeline.board import Phase, Power
from pipeline.desk.event.event import Details, Event, new_event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.seating import seat_round
from pipeline.desk.publish.publish import _beginners_words, _order_to_read, publish, reading_order
from pipeline.desk.roster_file import read_roster_text
from pipeline.desk.sheets.printing import print_round
from pipeline.draw.roster import Player
from pipeline.rules.load import load_tournament
from pipeline.web.server import open_office
from web.conftest import SEATS, Browser

BEGINNERS = (Power.GERMANY, Power.TURKEY)
FIRST = ["Germany", "Turkey", "Austria", "England", "France", "Italy", "Russia"]


def folder_of(folder: Path, tournament: str) -> Path:
    """An event in which Dag and Gil are beginners; everybody's orders are in."""
    people = [Player(name=name, beginner=power in BEGINNERS) for power, name in NAMES.items()]
    new_event(folder / "cup", Details(name="Test Cup", code="TEST", tournament=tournament), people, clock)
    with open_event(folder / "cup", clock) as event:
        seat_round(event, 1, {"1": NAMES}, by="Tess")
        print_round(event, 1, None, None, 0)
        hand_in_all(event)
    return folder / "cup"


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    with open_event(folder_of(tmp_path, "edc2023"), clock) as opened:
        yield opened


def text_of(card: Path) -> str:
    document = pypdfium2.PdfDocument(card)
    return str(document[0].get_textpage().get_text_range())


def test_the_card_reads_beginners_first_and_says_why(event: Event) -> None:
    text = text_of(publish(event, "1.1", "Tess").card)
    found = [text.index(power.upper()) for power in FIRST]
    assert found == sorted(found)
    assert "beginners are read first to the end of 1903 (EDC23 R1, R12, R15)" in text


def test_the_gate_and_the_screen_have_the_same_order(tmp_path: Path) -> None:
    with open_office(folder_of(tmp_path, "edc2023"), SEATS, is_lan=True) as office:
        tess = Browser(office, "Tess")
        tess.look()
        while tess.item["kind"] != "ready":
            tess.press("right" if tess.item["kind"] == "check" else "later")
        assert [power["power"] for power in tess.item["powers"]] == FIRST
        tess.press("publish")
        (board,) = Browser(office, "beamer").client.get("/api/clock").json()["boards"]
        assert [power for power, _ in board["orders"]] == FIRST


def test_they_are_first_to_the_end_of_1903(event: Event) -> None:
    game = find_game(event, "1.1")
    for phase, is_first in (("F1903M", True), ("W1903A", True), ("S1904M", False)):
        order = reading_order(event, game, Phase.read(phase), tuple(Power))
        assert (order[:2] == BEGINNERS) == is_first
        assert bool(_beginners_words(event, game, Phase.read(phase))) == is_first


@pytest.mark.parametrize("tournament", ["nzdc1999", "weaselmoot", "edc1996", "wdc2008"])
def test_other_rules_read_nobody_first_because_he_is_a_beginner(tournament: str) -> None:
    rules, phase = load_tournament(tournament), Phase.read("F1901M")
    assert _order_to_read(rules, phase, tuple(Power), BEGINNERS) == _order_to_read(rules, phase, tuple(Power))


@pytest.mark.parametrize("tournament", ["nzdc1999", "weaselmoot"])
def test_who_is_eliminated_is_passed_over_and_changes_no_later_turn(tournament: str) -> None:
    """NZ99 12; WM VI.4: the turn goes round the board, not round those who are left."""
    rules = load_tournament(tournament)
    left = tuple(power for power in Power if power not in (Power.AUSTRIA, Power.TURKEY))
    first = [
        _order_to_read(rules, Phase.read(phase), left)[0].title() for phase in ("S1904M", "F1904M", "S1905M", "F1905M")
    ]
    assert first == ["England", "England", "England", "France"], "of Turkey, of Austria, her own, and his"
    six = tuple(Power)[:6]
    assert _order_to_read(rules, Phase.read("S1904M"), six, seats=six)[0] is Power.AUSTRIA


def test_a_column_of_the_roster_says_who_is_a_beginner() -> None:
    read = read_roster_text("name,beginner\nAna,yes\nBo,\n", "players.csv")
    assert read.problems == ()
    assert [player.beginner for player in read.players] == [True, False]

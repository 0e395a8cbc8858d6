"""In which order the powers' orders are read out: beginners first where the rules say so (EDC23 R1, R12)."""

from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest

from desk.cup import NAMES, clock, hand_in_all
from pipeline.board import Phase, Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import find_game
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.publish.publish import _beginners_words, _order_to_read, publish, reading_order
from pipeline.desk.roster_file import read_roster_text
from pipeline.desk.sheets.printing import print_round
from pipeline.draw.roster import Player
from pipeline.rules.load import load_tournament

BEGINNERS = (Power.GERMANY, Power.TURKEY)
FIRST = ["Germany", "Turkey", "Austria", "England", "France", "Italy", "Russia"]


def folder_of(folder: Path, tournament: str) -> Path:
    """An event in which Dag and Gil are beginners; everybody's orders are in."""
    people = [Player(name=name, beginner=power in BEGINNERS) for power, name in NAMES.items()]
    make_event_folder(folder / "cup", Details(name="Test Cup", code="TEST", tournament=tournament), people, clock)
    with open_event(folder / "cup", clock) as event:
        seat_round(event, 1, {"1": NAMES}, by="Tess")
        print_round(event, 1)
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
@pytest.mark.parametrize("seats", [tuple(Power), tuple(Power)[:6], tuple(Power)[1:]])
def test_the_turn_goes_round_the_seats_and_passes_over_who_is_eliminated(
    tournament: str, seats: tuple[Power, ...]
) -> None:
    """NZ99 12; WM VI.4: the turn goes round the board, not round those who are left."""
    rules = load_tournament(tournament)
    seasons = [Phase.read(f"{season}19{year:02}M") for year in range(1, 8) for season in "SF"]
    for number, phase in enumerate(seasons):
        turn, left = seats[number % len(seats)], seats[1:3] + seats[4:]
        order = _order_to_read(rules, phase, seats, seats=seats)
        assert (order[0], sorted(order)) == (turn, sorted(seats))
        assert order[order.index(seats[-1]) + 1 :] + order[: order.index(seats[-1]) + 1] == seats
        assert _order_to_read(rules, phase, left, seats=seats) == tuple(power for power in order if power in left)


def test_a_column_of_the_roster_says_who_is_a_beginner() -> None:
    read = read_roster_text("name,beginner\nAna,yes\nBo,\n", "players.csv")
    assert read.problems == ()
    assert [player.beginner for player in read.players] == [True, False]

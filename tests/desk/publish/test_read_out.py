"""What is read out and shown tells what is gone, and who wrote nothing."""

from pathlib import Path

import pypdfium2
import pytest
from commands import run
from facts_as_kept import append_fact
from web.conftest import SEATS, Browser, Time, stranger

from desk.cup import clock, seated
from desk.publish.test_correct import weasel_winter
from pipeline.board import Phase, Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.players import tell_seats
from pipeline.desk.publish.publish import publish
from pipeline.desk.ruling.rulings import rule_sheet, type_lines
from pipeline.ledger.parts import SheetDecision
from pipeline.web.server import open_office

ROUND_TRIESTE = ["A VEN", "A TYR", "A VIE", "A BUD", "A SER", "F ALB", "F ADR"]  # nowhere to go from there
GONE = "AUSTRIA A TRI, dislodged by an attack from VEN: no retreat, it is gone"


def surround(event: Event, phase: str) -> None:
    """Trieste is taken from all sides, and the phase is ready to publish."""
    units = {"AUSTRIA": ["A TRI"], "ITALY": ROUND_TRIESTE, "TURKEY": ["F CON", "A SMY"]}
    owned = {"AUSTRIA": ["TRI"], "ITALY": ["VEN", "ROM", "NAP", "VIE", "BUD", "SER", "GRE"], "TURKEY": ["CON", "SMY"]}
    value = {"phase": phase, "units": units, "centers": owned, "dislodged": []}
    append_fact(event.facts, "position set", {"board": "1.1", "position": value}, "Tess")
    attack = ["A VEN - TRI", "A TYR S A VEN - TRI", *(f"{unit} H" for unit in ROUND_TRIESTE[2:])]
    for power, lines in ((Power.AUSTRIA, ["A TRI H"]), (Power.ITALY, attack)):
        type_lines(event, Turn("1.1", Phase.read(phase), power), lines, by="Tess")
    rule_sheet(event, Turn("1.1", Phase.read(phase), Power.TURKEY), SheetDecision.NO_ORDERS, by="Tess")


def words_of(card: Path) -> str:
    return " ".join(str(pypdfium2.PdfDocument(card)[0].get_textpage().get_text_range()).split())


@pytest.mark.parametrize("phase", ["S1902M", "F1902M"])
def test_a_unit_without_a_retreat_is_said_to_be_gone_and_who_wrote_nothing_to_have_written_nothing(
    tmp_path: Path, phase: str
) -> None:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        tell_seats(event, 1, "Tess")
        surround(event, phase)
        card = words_of(publish(event, "1.1", "Tess").card)
        assert str(find_game(event, "1.1").position.phase) in ("F1902M", "W1902A"), "nobody has a retreat to write"
    with open_office(tmp_path / "cup", SEATS, is_lan=True, clock=Time()) as opened:
        (board,) = Browser(opened, "beamer").client.get("/api/clock").json()["boards"]
        pages = [stranger(opened).get(f"/live/board/1.1{page}").text for page in ("", f"/{phase}")]
    assert GONE in card
    assert GONE.replace("AUSTRIA", "Austria") in board["next"]
    assert all(GONE.replace("AUSTRIA", "Austria") in page for page in pages)
    assert "held, dislodged by A VEN - TRI" in card
    assert card.count("no order: stands") == 2
    orders = dict(board["orders"])
    assert [each["reason"] for each in orders["Turkey"]] == ["no order: stands"] * 2
    assert [each["reason"] for each in orders["Italy"]][2:] == ["stands"] * 5, "a hold that was written is one"
    assert pages[1].count("no order: stands") == 2


def test_the_newest_results_of_a_round_are_printed_together_with_the_movement_before_them(tmp_path: Path) -> None:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        weasel_winter(event)
    with open_office(tmp_path / "cup", SEATS, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        lost = next(opened.office.event.out.glob("1.1-F1902M-map.pdf"))
        lost.unlink()
        printed = tess.client.get("/print/results/1.pdf")
        assert tess.client.get("/print/results/2.pdf").status_code == 422
    pages = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(printed.content)]
    assert len(pages) == 4, "a card and a map of Fall, and of the winter; what is missing is made again"
    assert "Fall 1902" in pages[0]
    assert "Winter 1902" in pages[2]


def test_the_command_says_of_a_unit_that_held_and_is_driven_out_what_its_card_says(tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup")
    with open_event(folder, clock) as event:
        surround(event, "S1902M")
    told = run("adjudicate", str(folder), "--board", "1.1")
    assert "held, dislodged by A VEN - TRI" in told
    assert "stands, dislodged" not in told
    assert GONE in told

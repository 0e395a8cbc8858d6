"""New Zealand 1999, from the line to the wall: illegal orders stay what was written, and civil disorder loses units."""

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import openpyxl
import pypdfium2
import pytest
from click.testing import CliRunner
from facts_as_kept import append_fact

from desk.cup import clock, seated
from pipeline.board import Phase, Power
from pipeline.cli.rulings import orders_command as orders
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.publish.explain import check_event, explain_question
from pipeline.desk.publish.publish import publish
from pipeline.desk.results.standings_workbook import write_standings
from pipeline.desk.review.queue import queue, settle_doubt, take_the_rule
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import NOTHING, rule_sheet, type_lines
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import write, write_position

UNITS = {
    "GERMANY": ["A MUN", "A BER"],
    "FRANCE": ["A BUR", "A RUH"],
    "ITALY": ["F NAP"],
    "AUSTRIA": ["A SER", "F ALB"],
    "TURKEY": ["A GRE", "F SMY"],
}
LINES = {
    "GERMANY": ["A Mun - Switz", "A Ber S A Mun"],
    "FRANCE": ["A Bur - Mun", "A Ruh S A Bur - Mun"],
    "ITALY": ["F Nap - Tyr"],
    "AUSTRIA": ["A Ser - Gre", "F Alb S A Ser - Gre"],
}


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Event]:
    with open_event(seated(tmp_path / "cup", tournament="nzdc1999"), clock) as event:
        now = write_position(find_game(event, "1").position)
        position = now | {"phase": "F1902M", "units": UNITS}
        append_fact(event.facts, "position set", {"board": "1.1", "position": position}, "Tess")
        for power, lines in LINES.items():
            type_lines(event, turn(power), lines, by="Tess")
        yield event


def turn(power: str) -> Turn:
    return Turn("1.1", Phase.read("F1902M"), Power(power))


def published(event: Event) -> Path:
    """Publish with no orders of Turkey; give back the read-out card."""
    rule_sheet(event, turn("TURKEY"), SheetDecision.NO_ORDERS, by="Tess")
    return publish(event, "1", "Tess").card


def card_text(path: Path) -> str:
    document = pypdfium2.PdfDocument(path)
    text = " ".join(page.get_textpage().get_text_bounded() for page in document)
    return " ".join(text.replace("-\r\n", "- ").split())


def test_an_illegal_order_is_adjudicated_as_it_was_written(cup: Event) -> None:
    rows = {row.ink: row for row in Desk.of(cup).power(find_game(cup, "1"), Power.GERMANY).rows}

    illegal = rows["A Mun - Switz"]
    assert illegal.order is not None
    assert (illegal.status, write(illegal.order), illegal.rule) == ("illegal", "A MUN - SWI", "NZ99 16")
    assert not illegal.needs_director

    published(cup)
    played = find_game(cup, "1").played[-1]
    assert [write(order) for order in played.orders[Power.GERMANY]] == ["A MUN - SWI", "A BER S A MUN"]
    assert [write(order) for order in played.orders[Power.ITALY]] == ["F NAP - TYR"]


def test_its_unit_may_not_be_supported_to_hold(cup: Event) -> None:
    published(cup)

    position = find_game(cup, "1").position
    assert [(d.power, str(d.unit)) for d in position.dislodged if d.power is Power.GERMANY] == [
        (Power.GERMANY, "A MUN")
    ]
    assert "A MUN" in [str(unit) for unit in position.units[Power.FRANCE]]


def test_the_card_the_workbook_and_the_story_say_what_was_written(cup: Event) -> None:
    card = card_text(published(cup))
    book = openpyxl.load_workbook(BytesIO(write_standings(cup, sealed=False).data))
    told = {row[4]: row for row in book["Orders"].iter_rows(values_only=True)}
    story = "\n".join(explain_question(cup, "1 F1902M A MUN"))

    for order in ("A MUN - SWI", "F NAP - TYR"):
        assert order in card
        assert order in told
    assert story.startswith("board 1.1  Fall 1902")
    assert "A MUN - SWI: illegal" in story
    assert "'A Mun - Switz': illegal, NZ99 16" in story
    assert "F NAP - TYR: illegal" in "\n".join(explain_question(cup, "1 F1902M F NAP"))
    assert list(check_event(cup)) == []


def test_scripts_get_it_as_it_was_written(cup: Event) -> None:
    result = CliRunner().invoke(orders, [str(cup.folder), "--board", "1", "--json"])

    rows = json.loads(result.output)["powers"]["GERMANY"]["rows"]
    assert [(row["order"], row["status"], row["needs_director"]) for row in rows] == [
        ("A MUN - SWI", "illegal", False),
        ("A BER S A MUN", "clear", False),
    ]


def test_what_is_dislodged_of_a_power_without_orders_is_disbanded(cup: Event) -> None:
    """NZ99 9 and the rulebook's XIV: units in civil disorder hold, and are disbanded if they are dislodged."""
    card = card_text(published(cup))

    gone = next(each for each in find_game(cup, "1").position.dislodged if each.power is Power.TURKEY)
    assert (str(gone.unit), gone.retreats) == ("A GRE", ())
    assert "dislodged by A SER - GRE, and disbanded in civil disorder" in card
    assert all(power.power is not Power.TURKEY for power in Desk.of(cup).board(find_game(cup, "1")) if power.is_open)


def test_who_handed_in_orders_may_retreat(cup: Event) -> None:
    type_lines(cup, turn("TURKEY"), ["F Smy H", "A Gre dances"], by="Tess")
    publish(cup, "1", "Tess")

    gone = next(each for each in find_game(cup, "1").position.dislodged if each.power is Power.TURKEY)
    assert gone.retreats == ("BUL",)


@pytest.mark.parametrize("lines", [["A Con - Bul"], ["A Par - Bur"]])
def test_who_wrote_what_orders_nothing_is_not_in_civil_disorder(cup: Event, lines: list[str]) -> None:
    """NZ99 9 is about orders that were never received: a unit that none of them names holds, and may retreat."""
    type_lines(cup, turn("TURKEY"), lines, by="Tess")
    while waiting := next(queue(cup), None):
        decision = take_the_rule(waiting)
        assert decision is not None
        settle_doubt(cup, waiting, decision, by="Tess")

    publish(cup, "1", "Tess")
    gone = next(each for each in find_game(cup, "1").position.dislodged if each.power is Power.TURKEY)
    assert gone.retreats == ("BUL",)


def test_a_blank_sheet_is_no_orders(cup: Event) -> None:
    type_lines(cup, turn("TURKEY"), [], by="Tess")
    for waiting in list(queue(cup)):
        decision = take_the_rule(waiting)
        assert decision is not None
        assert waiting.by_rule == NOTHING
        settle_doubt(cup, waiting, decision, by="Tess")

    publish(cup, "1", "Tess")
    gone = next(each for each in find_game(cup, "1").position.dislodged if each.power is Power.TURKEY)
    assert gone.retreats == ()

"""What is written is the first card at every door, whatever the rules make of it; a neighbour is another order."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from msgspec.structs import replace
from openpyxl import load_workbook

from desk.cup import clock, hand_in, hand_in_all, inked, printed, seated, spring
from pipeline.board import Kind, Power, Unit
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.publish.dutchmen import set_position
from pipeline.desk.review.orders_shown import board_orders
from pipeline.desk.review.queue import AnswerCard, cards_of, queue, settle_doubt
from pipeline.desk.review.review_sheet import _waiting_lines, write_review_sheet
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import NOTHING, RowDecision
from pipeline.desk.sheets.printing import print_round
from pipeline.ink import InkLine, InkReading, Note, Tier
from pipeline.orders import write

AUSTRIA = spring(Power.AUSTRIA)


def doubtful(number: int, *texts: str, notes: tuple[Note, ...] = ()) -> InkLine:
    """A row that nobody dared to read, with what it was read as, surest first."""
    readings = tuple(InkReading(text, 0.9 / place) for place, text in enumerate(texts, start=1))
    return replace(inked(number, texts[0], Tier.ASKED), readings=readings, notes=notes)


ROWS = [
    doubtful(1, "ABUD S AVIE - ROM", "A BUD S A VIE - GAL", "A BUD S A VIE - TRI"),
    doubtful(2, "F TRI - ALB", "F TRI - ADR", notes=(Note.STRUCK_OUT,)),
    doubtful(3, "A VIE - GAL", "AVIE - GAL", "A VIE - TYR"),
]


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """An event in which Austria's rows wait, and nothing else."""
    folder = printed(tmp_path / "cup")
    with open_event(folder, clock) as event:
        hand_in_all(event, but=Power.AUSTRIA)
        hand_in(event, AUSTRIA, ROWS, sha256="f" * 64)
    return folder


@pytest.fixture
def event(cup: Path) -> Iterator[Event]:
    """The event, open."""
    with open_event(cup, clock) as opened:
        yield opened


def cards(event: Event, line: int) -> list[AnswerCard]:
    row = next(doubt.row for doubt in queue(event) if doubt.row and doubt.row.line == line)
    return list(cards_of(Desk.of(event), find_game(event, "1"), AUSTRIA, row))


def shown(cards: list[AnswerCard]) -> list[tuple[str, str]]:
    return [(card.key, card.title) for card in cards]


def test_an_illegal_order_that_is_written_comes_before_its_legal_neighbours(event: Event) -> None:
    found = cards(event, 1)
    assert shown(found) == [
        ("1", "“ABUD S AVIE - ROM”"),
        ("2", "A BUD S A VIE - GAL"),
        ("3", "A BUD S A VIE - TRI"),
        ("0", "no order"),
    ]
    first, *others, nothing = found
    assert first.decision.text == "ABUD S AVIE - ROM"
    assert first.words == "if that is what is written, A BUD H (illegal § WM VI.2.b)", (
        "what the rules make of it is said"
    )
    assert first.reason == "A BUD cannot go to ROM itself (DATC 6.A.10); it holds and may be supported"
    assert not first.condition
    assert all(card.condition.startswith("another order") for card in others)
    assert nothing.decision.order == NOTHING


def test_a_row_that_is_struck_out_offers_no_order_first(event: Event) -> None:
    found = cards(event, 2)
    assert shown(found) == [("1", "no order"), ("2", "F TRI - ALB"), ("3", "F TRI - ADR")]
    assert found[0].words == "the row is struck out; F TRI has no order; it holds and may be supported"
    assert all(card.condition == "only if it is not struck out" for card in found[1:])


def test_the_same_order_is_one_card(event: Event) -> None:
    assert shown(cards(event, 3)) == [("1", "A VIE - GAL"), ("2", "A VIE - TYR"), ("0", "no order")]


def test_the_spreadsheet_lists_them_in_the_same_order(event: Event) -> None:
    lines = {line.rows[0].line: line for line in _waiting_lines(event) if line.rows}
    assert list(lines[1].answers) == ["“ABUD S AVIE - ROM”", "A BUD S A VIE - GAL", "A BUD S A VIE - TRI", NOTHING]
    assert list(lines[2].answers) == [NOTHING, "F TRI - ALB", "F TRI - ADR"]
    data, *_ = write_review_sheet(event, None, "")
    sheet = load_workbook(BytesIO(data)).active
    assert sheet is not None
    texts = [str(cell.value) for row in sheet.iter_rows() for cell in row]
    assert any("A BUD S A VIE - GAL: another order, if the row was misread" in text for text in texts)


def test_the_first_reading_is_what_the_ink_says(event: Event) -> None:
    rows = board_orders(event, find_game(event, "1"))["powers"]["AUSTRIA"]["rows"]
    for row in rows:
        assert row["readings"][0]["text"] == row["ink"]
        confidences = [reading["confidence"] for reading in row["readings"]]
        assert confidences == sorted(confidences, reverse=True)
    assert [reading["text"] for reading in rows[2]["readings"]] == ["A VIE - GAL", "A VIE - TYR"]


def test_what_a_card_of_ink_makes_of_a_unit_names_the_unit(tmp_path: Path) -> None:
    with open_event(printed(tmp_path / "cup"), clock) as event:
        hand_in(event, AUSTRIA, [doubtful(3, "F TRI - ALB ADR")], sha256="f" * 64)
        first = cards(event, 3)[0]
    assert "F TRI H" in first.words
    assert first.reason == "F TRI: 'ADR' belongs to no order; it holds and may be supported"


@pytest.mark.parametrize("order", ["F NTH - DEN", "F LON - ENG"])
def test_a_card_promises_a_convoy_only_by_a_fleet_that_no_other_row_orders(tmp_path: Path, order: str) -> None:
    """EDC23 R11 takes a missing order from another line: it is missing only where no row gives it."""
    with open_event(seated(tmp_path / "cup", tournament="edc2023"), clock) as event:
        start = find_game(event, "1").position
        units = (Unit(Kind.ARMY, "YOR"), Unit(Kind.FLEET, "NTH"), Unit(Kind.FLEET, "LON"))
        there = replace(start, units={**start.units, Power.ENGLAND: units})
        set_position(event, find_game(event, "1"), there, "Tess", "taken over")
        print_round(event, 1)
        turn = spring(Power.ENGLAND)
        hand_in(event, turn, [doubtful(1, "A YOR - NWY"), inked(2, order)], sha256="f" * 64)
        row = next(doubt.row for doubt in queue(event) if doubt.row and doubt.row.line == 1)
        first, *_ = cards_of(Desk.of(event), find_game(event, "1"), turn, row)
    said = "F NTH C A YOR - NWY" in f"{first.title} {first.words}"
    assert said is not order.startswith("F NTH")


@pytest.mark.parametrize("tournament", ["edc1996", "edc2023", "nzdc1999", "wdc2008", "weaselmoot"])
def test_no_tournament_offers_a_neighbour_first(tmp_path: Path, tournament: str) -> None:
    with open_event(printed(tmp_path / "cup", tournament), clock) as event:
        hand_in_all(event, but=Power.AUSTRIA)
        hand_in(event, AUSTRIA, ROWS, sha256="f" * 64)
        assert cards(event, 1)[0].title == "“ABUD S AVIE - ROM”"
        assert cards(event, 2)[0].title == "no order"
        assert cards(event, 3)[0].title == "A VIE - GAL"


def test_what_may_be_meant_is_in_the_order_of_the_rules_legal_or_not(tmp_path: Path) -> None:
    """`Rum` and `Ruh` are as near: a hold that is possible here does not come before what may be written."""
    with open_event(printed(tmp_path / "cup"), clock) as event:
        hand_in_all(event, but=Power.AUSTRIA)
        hand_in(event, AUSTRIA, [inked(1, "A Bud S A Vie - Spb")], sha256="f" * 64)
        row = next(doubt.row for doubt in queue(event) if doubt.row and doubt.row.line == 1)
        found = cards(event, 1)
        assert [(card.order, card.because) for card in found if card.order] == list(
            zip(row.candidates, row.whys, strict=True)
        )
        assert all(row.whys), "what speaks for each is said"
        assert found[0].is_impossible
        assert found[-1].is_nothing


def test_what_the_rules_ask_about_is_said_in_a_sentence(tmp_path: Path) -> None:
    with open_event(printed(tmp_path / "cup"), clock) as event:
        hand_in_all(event, but=Power.AUSTRIA)
        hand_in(event, AUSTRIA, [doubtful(1, "A VIE - B", "A VIE - BUD")], sha256="f" * 64)
        assert cards(event, 1)[0].words == "if that is what is written, you are asked § WM VI.2.e, VI.2.f"


@pytest.mark.parametrize("text", [None, "A BUD", "A BUD struck out"])
def test_a_row_that_gives_no_order_is_one_question(tmp_path: Path, text: str | None) -> None:
    struck = doubtful(2, "A BUD - SER", notes=(Note.STRUCK_OUT,))
    with open_event(printed(tmp_path / "cup"), clock) as event:
        hand_in_all(event, but=Power.AUSTRIA)
        hand_in(event, AUSTRIA, [inked(1, "A VIE - GAL"), struck, inked(3, "F TRI - ALB")], sha256="f" * 64)
        (asked,) = queue(event)
        nothing = cards(event, 2)[0]
        assert nothing.words == "the row is struck out; A BUD has no order; it holds and may be supported"

        settle_doubt(event, asked, nothing.decision if text is None else RowDecision(text=text), "Tess")
        for again in queue(event):  # the rules are silent of the words
            assert again.row is not None
            assert (again.row.line, again.row.ink) == (2, "A BUD struck out")
            settle_doubt(event, again, RowDecision(order=NOTHING), "Tess")

        assert not list(queue(event)), "what the unit does was said with the answer"
        orders = [write(order) for order in Desk.of(event).power(find_game(event, "1"), Power.AUSTRIA).orders]
        assert [order for order in orders if order != "A BUD H"] == ["A VIE - GAL", "F TRI - ALB"]


def test_a_unit_that_another_row_may_order_is_not_settled_with_a_struck_row(tmp_path: Path) -> None:
    rows = [inked(1, "A VIE - GAL"), inked(3, "F TRI - ALB"), doubtful(4, "A BUD H")]
    struck = doubtful(2, "A BUD - SER", notes=(Note.STRUCK_OUT,))
    with open_event(printed(tmp_path / "cup"), clock) as event:
        hand_in_all(event, but=Power.AUSTRIA)
        hand_in(event, AUSTRIA, [rows[0], struck, *rows[1:]], sha256="f" * 64)
        nothing = cards(event, 2)[0]
        assert (nothing.words, nothing.decision.without) == ("the row is struck out", ())
        settle_doubt(event, next(iter(queue(event))), nothing.decision, "Tess")
        assert [doubt.row.line for doubt in queue(event) if doubt.row] == [4]
        assert "A BUD has no order" in cards(event, 4)[-1].words

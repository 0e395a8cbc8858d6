"""Rows are measured alone; those that would be asked once more, as if others of the same hand stood on their sheet."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from reading.last_word import last_word

from pipeline.board import Power, standard_map, starting_position
from pipeline.pen.hand import Hand
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.gate import Gates
from pipeline.reading.recogniser import CROP_DPI
from training import measured as measuring
from training.cases import Case
from training.lines import line_image
from training.measured import Measured, measure, measured_on_sheets
from training.rows import Row

ORDERS = ("A Vie - Gal", "A Vie - Tyr", "A Bud - Ser", "A Bud - Rum", "F Tri - Alb", "F Tri - Ven")
START = starting_position(standard_map())
TIDY, UNTIDY = 5, 12


def written(text: str, hand: int, neatness: float, kind: str = "legal") -> Row:
    """A row as somebody writes it."""
    noise = np.random.default_rng([hand, *text.encode()])
    grey = line_image(text, Hand.from_seed(hand, neatness=neatness), noise, CROP_DPI)
    return Row(Case(START, Power.AUSTRIA, text, kind, None), f"hand {hand}", "gel", grey)


@pytest.fixture(scope="module")
def rows() -> Sequence[Row]:
    """Of a tidy hand, of an untidy one, a near miss, and bare paper."""
    paper = np.full((90, 600), 250, np.uint8)
    return (
        *(written(text, TIDY, 0.9) for text in ORDERS),
        *(written(text, UNTIDY, 0.0) for text in ORDERS),
        written("A Vie - Lon", TIDY, 0.9, "near miss"),
        Row(Case(START, Power.AUSTRIA, "", "free text", None), f"hand {TIDY}", "gel", paper),
    )


@pytest.fixture(scope="module")
def reader() -> NetRecogniser:
    """One of which all look at every row."""
    found = NetRecogniser()
    return found.with_gates(last_word(found.gates, math.inf), "all look")


@pytest.fixture(scope="module")
def alone(rows: Sequence[Row], reader: NetRecogniser) -> list[Measured | None]:
    """The rows, each read alone."""
    return measure(rows, reader)


def between(found: list[Measured | None], gates: Gates) -> Gates:
    """Gates that ask about half of the rows that all looked at."""
    by_all = [one.view(gates.most_readers) for one in found if one]
    odds = sorted(gates.last.odds(view.evidence) for view in by_all if view)
    return last_word(gates, odds[len(odds) // 2])


@pytest.mark.slow
def test_bare_paper_is_no_row_and_the_others_keep_their_places(
    rows: Sequence[Row], alone: list[Measured | None]
) -> None:
    assert [one and one.text for one in alone] == [*(row.case.text for row in rows[:-1]), None]
    assert all(one.own is None for one in alone if one)


def test_only_what_would_be_asked_is_read_once_more_and_never_as_another_line(
    rows: Sequence[Row], reader: NetRecogniser, alone: list[Measured | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    gates = between(alone, reader.gates)
    monkeypatch.setattr(measuring, "load_gates", lambda: gates)
    monkeypatch.setattr(measuring, "may_lift", lambda known, evidence: True)  # few rows show too few letters
    found = measured_on_sheets(rows, alone, reader)
    assert [one and replace(one, own=None) for one in found] == alone
    taught = [one for one in found if one and one.own]
    assert len(taught) >= 3
    assert all(one.is_asked(gates) and one.own and one.own.best == one.best for one in taught)
    assert any(one.own and one.own.views[-1] != one.views[-1] for one in taught)


def test_where_nobody_of_a_hand_is_sure_nothing_is_taught(
    rows: Sequence[Row], reader: NetRecogniser, alone: list[Measured | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "load_gates", lambda: last_word(reader.gates, math.inf))
    assert measured_on_sheets(rows, alone, reader) == alone


def test_a_row_that_is_far_from_being_any_line_is_not_read_once_more(
    rows: Sequence[Row], reader: NetRecogniser, alone: list[Measured | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    gates = between(alone, reader.gates)
    monkeypatch.setattr(measuring, "load_gates", lambda: gates)
    monkeypatch.setattr(measuring, "is_in_reach", lambda evidence: False)
    assert measured_on_sheets(rows, alone, reader) == alone


def test_a_file_of_rows_is_measured_once_for_nets_and_weighing_and_once_more_for_another_gate(
    rows: Sequence[Row], reader: NetRecogniser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, made = tmp_path / "rows.pkl", list[str]()

    def alone(rows: Sequence[Row], _: NetRecogniser) -> list[Measured | None]:
        made.append("alone")
        return [None for _ in rows]

    def on_sheets(_: Sequence[Row], found: list[Measured | None], __: NetRecogniser) -> list[Measured | None]:
        made.append("on sheets")
        return found

    monkeypatch.setattr(measuring, "load", lambda path: rows[:1])
    monkeypatch.setattr(measuring, "measure", alone)
    monkeypatch.setattr(measuring, "measured_on_sheets", on_sheets)
    assert measuring.cached(file, reader) == measuring.cached(file, reader) == []
    assert made == ["alone", "on sheets"]
    monkeypatch.setattr(measuring, "load_gates", lambda: replace(reader.gates, enough=1.0))
    measuring.cached(file, reader)
    assert made == ["alone", "on sheets", "on sheets"]
    assert measuring.cached_alone(file, reader) == [None]
    assert made == ["alone", "on sheets", "on sheets"]

"""Three doors, one rule: what is quoted on a doubt is the setting that decides it; a doubt of the reader has none."""

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec.structs
import openpyxl
import pytest
from click.testing import CliRunner
from desk.beginnings import copied
from desk.cup import clock, hand_in, hand_in_sheet, inked, seated, sheets_of, spring
from facts_as_kept import append_fact
from sampled import slow_after

from pipeline.board import FIRST_PHASE, Power
from pipeline.cli.rulings import orders_command as orders
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.review.queue import ReviewItem, queue
from pipeline.desk.review.review_sheet import write_review_sheet
from pipeline.desk.ruling.rulings import rule_sheet, type_lines
from pipeline.desk.sheets.pads import SheetState
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.ink import SPOILS, Box, Note, Tier
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import write_position
from pipeline.web.acts import Do
from pipeline.web.server import open_office
from pipeline.web.views import _row_view, _sheet_doubt
from web.conftest import SEATS, Time

TOURNAMENTS = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")
NOTES = (None, *sorted({*SPOILS, Note.SCANS_DIFFER}))  # None: the reader is merely not sure
POWERS = tuple(Power)
OUTSIDE = (Box(60, 150, 40, 8),)


def shown(folder: Path, event: Event) -> dict[str, dict[str, list[str]]]:
    """What each door quotes on each doubt, by the doubt's turn and line."""
    doubts = list(queue(event))
    names = [name_of(doubt) for doubt in doubts]
    found = {
        "page": on_the_page(folder, doubts),
        "spreadsheet": in_the_spreadsheet(event, names),
        "scripts": for_scripts(folder, doubts),
    }
    return {logins: dict(zip(names, quotes, strict=True)) for logins, quotes in found.items()}


def name_of(doubt: ReviewItem) -> str:
    row = doubt.row
    about = doubt.problem.text if doubt.problem else ""
    return f"{doubt.turn.power} {(row.line or row.reason) if row else about}"


def on_the_page(folder: Path, doubts: list[ReviewItem]) -> list[list[str]]:
    with open_office(folder, SEATS, clock=Time()) as opened, opened.office.inside():
        office = opened.office
        views = [_row_view(office, d.turn, d.row, d) if d.row else _sheet_doubt(office, d) for d in doubts]
    for view in (view for view in views if view["kind"] == "sheet"):  # of what is there nobody says that it is not
        offered = {each["value"] for each in view["choices"] if each["do"] == Do.SHEET}
        assert offered == (
            {"no orders"}
            if view["state"] == SheetState.MISSING
            else {*map(str, SheetDecision)} - {"no orders", SheetDecision.CHOSEN}  # offered by the number of the sheet
        )
    for doubt, view in zip(doubts, views, strict=True):  # a mark stands beside a written row only
        assert doubt.row is None or bool(view["flags"]) == bool(doubt.row.line and doubt.row.flags), doubt.row
    return [[f"§ {quote['rule']}: {quote['text']}" for quote in view["quotes"]] for view in views]


def in_the_spreadsheet(event: Event, names: list[str]) -> list[list[str]]:
    data, _, _ = write_review_sheet(event, None, "")
    sheet = openpyxl.load_workbook(BytesIO(data))["Review"]
    head, *rows = [[cell or "" for cell in row] for row in sheet.iter_rows(min_row=5, values_only=True)]
    lines = [dict(zip(head, row, strict=True)) for row in rows]
    assert len(lines) == len(names)
    quotes = [[part for part in str(line["Reason"]).split("\n") if part.startswith("§")] for line in lines]
    for line, quoted in zip(lines, quotes, strict=True):
        assert bool(line["Rule"]) is bool(quoted), line
    return quotes


def for_scripts(folder: Path, doubts: list[ReviewItem]) -> list[list[str]]:
    found = json.loads(CliRunner().invoke(orders, [str(folder), "--board", "1", "--json"]).output)
    return [quoted_of(found["powers"][str(doubt.turn.power)], doubt) for doubt in doubts]


def quoted_of(power: dict[str, Any], doubt: ReviewItem) -> list[str]:
    if doubt.row is None:
        (told,) = [each for each in power["told"] if doubt.problem and each["text"] == doubt.problem.text]
        assert told["asks"]
        assert told["settings"] == list(doubt.settings)
        return list(told["quotes"])
    (row,) = [each for each in power["rows"] if (each["line"], each["reason"]) == (doubt.row.line, doubt.row.reason)]
    assert row["settings"] == list(doubt.settings)
    if not row["quotes"]:
        assert row["rule"] == ""
    return list(row["quotes"])


def seat_and_print(folder: Path, tournament: str, wish: PrintWish) -> None:
    """Make the event in a new folder, its first round seated and printed."""
    with open_event(seated(folder, tournament=tournament), clock) as event:
        print_round(event, 1, wish=wish)


@pytest.mark.parametrize("tournament", slow_after(1, ["nzdc1999", "edc2023"]))
def test_a_doubt_of_the_reader_quotes_no_rule_at_any_door(tmp_path: Path, tournament: str) -> None:
    """An unsure reading, ink that leaves the row, blurred, cut off: none of that is a matter of the tournament's."""
    folder = copied(seat_and_print, tmp_path / "cup", tournament, PrintWish())
    with open_event(folder, clock) as event:
        at = iter(((note,) if note else ()) for note in NOTES)
        for power in POWERS:
            lines = []
            for row in range(1, 5):
                if (notes := next(at, None)) is not None:
                    lines.append(msgspec.structs.replace(inked(row, "A Par - Nor", Tier.ASKED), notes=notes))
            hand_in(event, spring(power), lines, sha256=str(power) * 16, signed=True)
        read = [doubt for doubt in queue(event) if doubt.row is not None and doubt.row.status == "unread"]
        quoted = shown(folder, event)

    assert len(read) == len(NOTES)
    assert all(doubt.settings == () for doubt in read)
    for logins, quotes in quoted.items():
        assert all(quotes[name_of(doubt)] == [] for doubt in read), logins


def sheets(event: Event) -> None:
    """Every doubt about a whole sheet that can come up at once."""
    print_round(event, 1)  # a second set
    empty = [inked(1, "", Tier.BLANK)]
    first, second = sheets_of(event, spring(Power.ENGLAND))
    hand_in_sheet(event, first, [inked(1, "F LON - NTH")], "a" * 64, signed=True)
    hand_in_sheet(event, second, [inked(1, "F LON - ENG")], "b" * 64, signed=True)
    hand_in(event, spring(Power.FRANCE), [inked(1, "A PAR - BUR")], "c" * 64, signed=False)
    hand_in(event, spring(Power.GERMANY), [inked(1, "A MUN - RUH")], "d" * 64, signed=True, outside=OUTSIDE)
    type_lines(event, spring(Power.ITALY), ["A VEN H", "A ROM H", "F NAP H"], by="Tess")
    hand_in(event, spring(Power.ITALY), [inked(1, "A VEN - TYR")], "e" * 64, signed=True)
    hand_in(event, spring(Power.TURKEY), [inked(1, "F ANK - BLA"), *empty[1:]], "f" * 64, signed=True)
    rule_sheet(event, spring(Power.TURKEY), SheetDecision.LATE_READING, by="Tess")


SHEETS = {  # what each of these doubts must name; a word of its sentence is enough to find it
    Power.AUSTRIA: "conduct.missing_sheet",
    Power.ENGLAND: "conduct.two_sheets",
    Power.FRANCE: "conduct.unsigned",
    Power.GERMANY: "",  # writing outside the rows: somebody must look, and no rule is about it
    Power.ITALY: "",  # typed lines and a sheet that came after them: two facts, and no rule
    Power.TURKEY: "conduct.late_after_reading_began",  # where the rules do not say; elsewhere it is a note
}


@pytest.mark.parametrize("tournament", TOURNAMENTS)
def test_a_doubt_about_a_sheet_quotes_its_own_rule_at_every_door(tmp_path: Path, tournament: str) -> None:
    folder = copied(seat_and_print, tmp_path / "cup", tournament, PrintWish())
    with open_event(folder, clock) as event:
        sheets(event)
        doubts = {doubt.turn.power: doubt for doubt in queue(event) if doubt.row is None}
        quoted = shown(folder, event)
        rules = event.tournament

    asked = set(SHEETS) if rules.conduct.late_after_reading_began.asks else set(SHEETS) - {Power.TURKEY}
    assert asked <= doubts.keys()
    for power in asked:
        settings = (SHEETS[power],) if SHEETS[power] else ()
        assert doubts[power].settings == settings, power
        for logins, quotes in quoted.items():
            assert quotes[name_of(doubts[power])] == [str(each) for each in rules.quotes(settings)], (logins, power)


@pytest.mark.parametrize("tournament", slow_after(1, TOURNAMENTS))
@pytest.mark.parametrize(
    ("ticks", "setting"), [("fall 1901", "conduct.wrong_season"), ("1901", "conduct.header_incomplete")]
)
def test_a_pad_with_a_wrong_season_quotes_its_own_rule(
    tmp_path: Path, tournament: str, ticks: str, setting: str
) -> None:
    folder = copied(seat_and_print, tmp_path / "cup", tournament, PrintWish(pads=3))
    with open_event(folder, clock) as event:
        pad = next(s for s, printed in printed_sheets(event).items() if printed.request.power is Power.ENGLAND)
        hand_in_sheet(event, pad, [inked(1, "F LON - NTH")], "a" * 64, ticks=ticks, signed=True)
        (doubt,) = (each for each in queue(event) if each.turn.power is Power.ENGLAND and each.row is None)
        quoted = shown(folder, event)
        rules = event.tournament

    assert doubt.settings == (setting,)
    for logins, quotes in quoted.items():
        assert quotes[name_of(doubt)] == [str(each) for each in rules.quotes([setting])], logins


def late(decision: SheetDecision, *, again: bool) -> Callable[[Event], None]:
    """A late sheet of England, the second one of the same game where that counts."""

    def hand(event: Event) -> None:
        if again:
            rule_sheet(event, spring(Power.ENGLAND), SheetDecision.LATE, by="Tess")
            now = write_position(find_game(event, "1").position)
            append_fact(event.facts, "position set", {"board": "1.1", "position": now | {"phase": "F1901M"}}, "Tess")
        turn = msgspec.structs.replace(spring(Power.ENGLAND), phase=find_game(event, "1").position.phase)
        type_lines(event, turn, ["F LON H"], by="Tess")
        rule_sheet(event, turn, decision, by="Tess")

    return hand


@pytest.mark.parametrize("tournament", TOURNAMENTS)
@pytest.mark.parametrize(
    ("decision", "again", "setting"),
    [
        (SheetDecision.LATE, False, "conduct.late_first"),
        (SheetDecision.LATE, True, "conduct.late_again"),
        (SheetDecision.LATE_READING, False, "conduct.late_after_reading_began"),
    ],
)
def test_what_is_told_of_a_late_sheet_names_the_rule_on_that_occasion(
    tmp_path: Path, tournament: str, decision: SheetDecision, again: bool, setting: str
) -> None:
    folder = copied(seat_and_print, tmp_path / "cup", tournament, PrintWish())
    with open_event(folder, clock) as event:
        late(decision, again=again)(event)
        found = json.loads(CliRunner().invoke(orders, [str(folder), "--board", "1", "--json"]).output)
        rules = event.tournament

    told: list[dict[str, Any]] = found["powers"]["ENGLAND"]["told"]
    assert [each["settings"] for each in told if each["settings"]] == [[setting]]
    assert told[0]["quotes"] == [str(each) for each in rules.quotes([setting])]


@pytest.mark.parametrize("tournament", TOURNAMENTS)
def test_a_row_that_the_rules_doubt_quotes_the_same_at_every_door(tmp_path: Path, tournament: str) -> None:
    folder = copied(seat_and_print, tmp_path / "cup", tournament, PrintWish())
    with open_event(folder, clock) as event:
        lines = [inked(1, "F EDI - NOR"), inked(2, "F LON - MUN"), inked(3, "F LVP - YOR")]
        hand_in(event, spring(Power.ENGLAND), lines, "a" * 64, signed=True)
        hand_in(event, spring(Power.FRANCE), [inked(1, "A PAR - BUR")], "b" * 64, signed=True)
        rows = {name_of(doubt): doubt for doubt in queue(event) if doubt.row is not None}
        quoted = shown(folder, event)
        rules = event.tournament

    assert rows["ENGLAND 1"].settings == ("reading.word_unsettled",)
    assert rows["ENGLAND 2"].settings == ("reading.impossible",)
    if tournament != "weaselmoot":  # there a wrong letter is followed (WM VI.2.c)
        assert rows["ENGLAND 3"].settings == ("reading.letter_wrong",)
    assert rows["FRANCE A MAR has no order; it holds and may be supported"].settings == ("reading.not_ordered",)
    for logins, quotes in quoted.items():
        for name, doubt in rows.items():
            assert quotes[name] == [str(each) for each in rules.quotes(doubt.settings)], (logins, name)


def test_the_first_phase_is_the_one_these_tests_name() -> None:
    assert str(FIRST_PHASE) == "S1901M"

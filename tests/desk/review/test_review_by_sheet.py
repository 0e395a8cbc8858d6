"""The queue goes out as a spreadsheet and comes back: good decisions are taken, stale and broken ones listed."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from facts_as_kept import KeptFact, read_facts
from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from desk.cup import OPENINGS, clock, hand_in, hand_in_all, hand_in_sheet, inked, sheets_of, spring
from pipeline.board import Power
from pipeline.cli import group
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.review.queue import AnswerCard, queue
from pipeline.desk.review.review_sheet import (
    SHORT,
    SheetWeighing,
    TakenBack,
    _cards_in_words,
    _stack_pictures,
    _weigh,
    take_sheet_back,
    write_review_sheet,
)
from pipeline.desk.ruling.desk import Desk, rule_by_number
from pipeline.desk.ruling.rulings import RowDecision, rule_row, rule_sheet, undo_ruling
from pipeline.desk.sheets.printing import print_round
from pipeline.desk.sheets.sheets_in import crop_path
from pipeline.ink import Note, NoteMessage, Tier
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import read_order, write
from pipeline.problems import Stopped
from pipeline.words.speech import sentence

ENGLAND, FRANCE = spring(Power.ENGLAND), spring(Power.FRANCE)
LINES = [inked(1, "F LON - NTH", Tier.ASKED), inked(2, "F EDI - NOR"), inked(3, "=A LVP\x07 - YOR", Tier.ASKED)]


@pytest.fixture
def waiting(event: Event) -> Event:
    """Three rows of England wait, one of them by rule; the sheet of France is missing."""
    for number, (power, lines) in enumerate(OPENINGS.items()):
        if power not in (Power.ENGLAND, Power.FRANCE):
            hand_in(event, spring(power), [inked(n, t) for n, t in enumerate(lines, start=1)], sha256=f"{number:064d}")
    hand_in(event, ENGLAND, LINES)
    picture = event.folder / crop_path("ab" * 32, 1, 1)
    picture.parent.mkdir(parents=True, exist_ok=True)
    picture.write_bytes(cv2.imencode(".png", np.full((177, 1402), 230, np.uint8))[1].tobytes())
    return event


class Sheet:
    """A Review sheet in somebody's hands."""

    def __init__(self, event: Event) -> None:
        self.data, self.lines, self.losses = write_review_sheet(event, None, "take it back")
        self.open()
        self.at = {str(cell.value): int(cell.column) for cell in self.sheet[5] if cell.value}

    def open(self) -> None:
        """Open it as it was saved last; openpyxl cannot save the pictures of one workbook twice."""
        self.book = load_workbook(BytesIO(self.data))
        self.sheet: Worksheet = self.book["Review"]

    def row(self, power: str, line: str) -> int:
        """The row of a line."""
        return next(n for n in range(6, self.sheet.max_row + 1) if self.told(n, "Power", "Line") == (power, line))

    def told(self, row: int, *heads: str) -> tuple[Any, ...]:
        """What stands in some cells of a line."""
        return tuple(self.sheet.cell(row, self.at[head]).value for head in heads)

    def fill(self, power: str, line: str, **cells: str) -> None:
        """Fill cells of a line."""
        for head, text in cells.items():
            self.sheet.cell(self.row(power, line), self.at[head]).value = text

    def back(self, event: Event, *, anyway: bool = False) -> TakenBack:
        """Give it back."""
        saved = BytesIO()
        self.book.save(saved)
        self.data = saved.getvalue()
        self.open()
        return take_sheet_back(event, self.data, "review.xlsx", "Tess", anyway=anyway)


def rulings(event: Event) -> list[KeptFact]:
    return [fact for fact in read_facts(event.facts) if fact.kind in ("ruling", "sheet ruling")]


def orders(event: Event, power: Power = Power.ENGLAND) -> list[tuple[int, str, str]]:
    rows = Desk.of(event).power(find_game(event, "1"), power).rows
    return [(row.line, write(row.order) if row.order else "", str(row.source)) for row in rows]


def problems(found: TakenBack) -> list[str]:
    return [f"{problem.where}: {problem.text}" for problem in found.refused]


def test_every_doubt_is_a_line_in_the_order_of_the_queue(waiting: Event) -> None:
    sheet = Sheet(waiting)

    lines = [sheet.told(row, "Board", "Phase", "Power", "Line") for row in range(6, 6 + sheet.lines)]

    assert lines == [
        (d.turn.board, str(d.turn.phase), d.turn.power.title(), str(d.row.line) if d.row else "sheet")
        for d in queue(waiting)
    ]
    assert len(lines) == 4
    assert sheet.told(sheet.row("England", "2"), "Read", "Doubt", "Rule", "By the rule") == (
        "F EDI - NOR",
        "two places",
        "WM VI.2.f",
        "F EDI H",
    )


def test_text_stays_text_and_no_player_is_named(waiting: Event) -> None:
    sheet = Sheet(waiting)

    read = sheet.sheet.cell(sheet.row("England", "3"), sheet.at["Read"])

    assert (read.value, read.data_type) == ("=A LVP - YOR", "s")
    assert read.quotePrefix
    assert any("U+0007" in loss.text for loss in sheet.losses)
    every = " ".join(str(cell.value) for row in sheet.sheet.iter_rows() for cell in row)
    assert "Fox" not in every
    assert "Bo " not in every


@pytest.mark.parametrize("decision", ["accepted", "refused", "late"])
def test_a_sheet_that_is_in_is_accepted_refused_or_late(waiting: Event, decision: str) -> None:
    hand_in(waiting, FRANCE, [], signed=False)
    sheet = Sheet(waiting)
    sheet.fill("France", "sheet", Decision=decision, Why="said so")
    assert sheet.back(waiting).refused == ()


def test_inputs_are_open_and_everything_else_is_locked(waiting: Event) -> None:
    sheet = Sheet(waiting)
    row, whole = sheet.row("England", "1"), sheet.row("France", "sheet")

    def is_open(row: int) -> list[str]:
        return [head for head, column in sheet.at.items() if not sheet.sheet.cell(row, column).protection.locked]

    assert sheet.sheet.protection.sheet
    assert is_open(row) == ["Decision", "Text", "Order", "Why"]
    assert is_open(whole) == ["Decision", "Why"]
    assert sheet.sheet.column_dimensions["P"].hidden
    assert sheet.sheet.cell(5, 16).value == "Mark"


def test_the_list_of_a_line_has_its_own_answers(waiting: Event) -> None:
    sheet = Sheet(waiting)

    def choices(row: int) -> list[Any]:
        ref = f"L{row}"
        rule = next(rule for rule in sheet.sheet.data_validations.dataValidation if ref in rule.sqref)
        return [cell.value for cell in sheet.sheet[str(rule.formula1).replace("$", "")][0]]

    assert choices(sheet.row("England", "1")) == ["F LON - NTH", "nothing"]
    two = choices(sheet.row("England", "2"))
    assert (two[0], two[-1]) == ("take the rule", "nothing")
    assert choices(sheet.row("France", "sheet")) == ["no orders"]


def test_a_row_has_its_picture_and_is_high_enough_for_it(waiting: Event) -> None:
    sheet = Sheet(waiting)
    row = sheet.row("England", "1")

    (picture,) = sheet.sheet._images  # type: ignore[attr-defined] # openpyxl has no other way to them

    place, size = picture.anchor._from, picture.anchor.ext
    assert (place.row + 1, place.col + 1) == (row, sheet.at["Picture"])
    assert size.cx / size.cy == pytest.approx(1402 / 177, rel=0.02)
    height = sheet.sheet.row_dimensions[row].height
    assert height is not None
    assert height * 12700 > size.cy > 40 * 12700, "EMU a point"
    assert sheet.told(sheet.row("England", "2"), "Picture") == ("no picture",)


def test_the_pictures_of_a_rows_scans_stand_one_below_the_other_with_a_line_between() -> None:
    seen = [np.full(shape, 90 + shape[0], np.uint8) for shape in ((30, 70), (20, 90), (40, 80))]
    found = cv2.imdecode(
        np.frombuffer(_stack_pictures([cv2.imencode(".png", each)[1].tobytes() for each in seen]), np.uint8),
        cv2.IMREAD_UNCHANGED,
    )
    assert found is not None
    assert found.shape == (90 + 2 * 4, 90)
    for top, each in zip((0, 34, 58), seen, strict=True):
        assert (found[top : top + each.shape[0], : each.shape[1]] == each).all()
    assert int(found.sum()) == sum(int(each.sum()) for each in seen), "the rest is black"


def test_every_kind_of_decision_becomes_a_ruling(waiting: Event) -> None:
    sheet = Sheet(waiting)
    sheet.fill("England", "1", Decision="f lon - nth ")
    sheet.fill("England", "2", Decision="take the rule", Why="he said Norway")
    sheet.fill("England", "3", Text="A Lvp - Yor")
    sheet.fill("France", "sheet", Decision="no orders", Why="went home")

    found = sheet.back(waiting)

    assert (len(found.facts), found.refused, found.taken_before, found.left) == (4, (), 0, 0)
    assert orders(waiting) == [(1, "F LON - NTH", "ruled"), (2, "F EDI H", "ruled"), (3, "A LVP - YOR", "ruled")]
    assert orders(waiting, Power.FRANCE) == [(0, "", "default")] * 3
    assert [(f.by, f.body["why"]) for f in rulings(waiting)][1::2] == [
        ("Tess", "he said Norway"),
        ("Tess", "went home"),
    ]
    assert rulings(waiting)[0].body["asked"]["doubt"] == "DOUBTFUL_READING", "found again as an earlier ruling"


def test_the_rule_is_named_where_no_other_reason_is_given(waiting: Event) -> None:
    sheet = Sheet(waiting)
    sheet.fill("England", "2", Decision="take the rule")

    sheet.back(waiting)

    assert rulings(waiting)[0].body["why"] == "by the rule WM VI.2.f"


def test_orders_are_read_whatever_the_spreadsheet_made_of_them(waiting: Event) -> None:
    sheet = Sheet(waiting)
    sheet.fill("England", "1", Order="f lon–nth")
    sheet.fill("England", "2", Order="F EDI - NWG; A LVP — YOR")
    sheet.fill("England", "3", Order="Nothing")

    assert not sheet.back(waiting).refused

    assert [order for _, order, _ in orders(waiting)] == ["F LON - NTH", "F EDI - NWG", "A LVP - YOR", ""]


def test_all_faults_are_listed_with_their_cells_and_the_good_lines_are_taken(waiting: Event) -> None:
    sheet = Sheet(waiting)
    one, two, three = (sheet.row("England", str(line)) for line in (1, 2, 3))
    whole = sheet.row("France", "sheet")
    sheet.fill("England", "1", Decision="F LON - NTH", Text="F Lon - Nth")
    sheet.fill("England", "2", Decision="take the rule")
    sheet.fill("England", "3", Order='="A LVP - YOR"')
    sheet.fill("France", "sheet", Text="A Par - Bur")

    found = sheet.back(waiting)

    assert problems(found) == sorted(
        [
            f"Review!L{one}: Decision 'F LON - NTH' and Text 'F Lon - Nth' in one line; leave one of them",
            f"Review!N{three}: the formula '=\"A LVP - YOR\"' in an input cell; type the value itself",
            f"Review!M{whole}: this is about the whole sheet; "
            "choose 'no orders' in Decision, or type its lines with 'rule --type'",
        ],
        key=lambda text: int(text.partition(":")[0][8:]),
    )
    assert [fact.body["line"] for fact in rulings(waiting)] == [2]
    assert sheet.told(two, "Decision") == ("take the rule",)


@pytest.mark.parametrize(
    ("line", "cells", "said"),
    [
        ("1", {"Decision": "F LON - NHT"}, "is not in the list of this line; did you mean 'f lon - nth'?"),
        ("1", {"Decision": "take the rule"}, "the rules leave this line to the director"),
        ("1", {"Order": "Lon goes north"}, "is not an order in canonical notation"),
        ("1", {"Order": "F LON - MUN"}, "if it is meant so, give a reason in Why"),
        ("1", {"Why": "because"}, "a why without a decision"),
        ("1", {"Decision": "nothing", "Mark": ""}, "the hidden mark of this line is lost"),
        ("1", {"Decision": "nothing", "Mark": "TEST|x"}, "the hidden mark 'TEST|x' is damaged"),
        ("1", {"Decision": "nothing", "Mark": "WDC8|1.1 S1901M ENGLAND|1|ab"}, "this line is of the event WDC8"),
        ("1", {"Decision": "nothing", "Mark": "TEST|1.1 S1901M ENGLAND|1|ab"}, "line 1 has changed since"),
    ],
)
def test_what_cannot_be_taken_says_why(waiting: Event, line: str, cells: dict[str, str], said: str) -> None:
    sheet = Sheet(waiting)
    sheet.fill("England", line, **cells)

    (problem,) = problems(sheet.back(waiting))

    assert said in problem
    assert not rulings(waiting)


@pytest.mark.parametrize("anyway", ["", "why", "all"])
def test_a_text_that_means_nothing_is_taken_only_where_it_is_meant(waiting: Event, anyway: str) -> None:
    sheet = Sheet(waiting)
    sheet.fill("England", "1", Text="F Lon - Mun")
    if anyway == "why":
        sheet.fill("England", "1", Why="so it is written")

    found = sheet.back(waiting, anyway=anyway == "all")

    told = rulings(waiting)
    if anyway:
        assert [fact.body["text"] for fact in told] == ["F Lon - Mun"]
    else:
        (problem,) = problems(found)
        assert (
            "F LON a fleet (DATC 6.A.3); it holds and may be supported (WM VI.2.b); adjudicated as F LON H" in problem
        )
        assert "if it is meant so, give a reason in Why" in problem
        assert told == []


def test_two_texts_that_give_one_unit_two_orders_are_told_beside_one_another(event: Event) -> None:
    hand_in_all(event, but=Power.ENGLAND)
    unread = [inked(1, "F LON - ?", Tier.ASKED), inked(2, "F EDI - ?", Tier.ASKED), inked(3, "A LVP - YOR")]
    hand_in(event, ENGLAND, unread)
    sheet = Sheet(event)
    sheet.fill("England", "1", Text="F Lon - Nth")
    sheet.fill("England", "2", Text="F Lon - Eng")

    first, second = problems(sheet.back(event))

    assert "F LON is ordered twice, differently" in first
    assert "F LON is ordered twice, differently" in second
    assert rulings(event) == []


def test_a_text_that_doubles_the_order_of_a_row_that_was_read_is_told(event: Event) -> None:
    hand_in_all(event, but=Power.ENGLAND)
    hand_in(event, ENGLAND, [inked(1, "F LON - NTH"), inked(2, "F EDI - ?", Tier.ASKED), inked(3, "A LVP - YOR")])
    sheet = Sheet(event)
    sheet.fill("England", "2", Text="F Lon - Eng")

    assert "F LON is ordered twice, differently" in " ".join(problems(sheet.back(event)))
    assert orders(event)[0] == (1, "F LON - NTH", "read")


def test_an_impossible_order_stands_where_the_director_says_why(waiting: Event) -> None:
    sheet = Sheet(waiting)
    sheet.fill("England", "1", Order="F LON - MUN", Why="so it is written")

    assert not sheet.back(waiting).refused

    assert orders(waiting)[0] == (1, "F LON - MUN", "ruled")


def test_the_same_line_twice_is_taken_not_once(waiting: Event) -> None:
    sheet = Sheet(waiting)
    sheet.fill("England", "1", Decision="nothing")
    sheet.fill("England", "2", Decision="nothing", Mark=sheet.told(sheet.row("England", "1"), "Mark")[0])

    found = sheet.back(waiting)

    assert ["this line stands 2 times" in text for text in problems(found)] == [True, True]
    assert not found.facts


def test_a_line_that_was_ruled_on_meanwhile_is_stale(waiting: Event) -> None:
    sheet = Sheet(waiting)
    sheet.fill("England", "1", Decision="nothing")
    sheet.fill("England", "3", Text="A Lvp - Yor")
    rule_row(waiting, ENGLAND, 1, RowDecision(order="F LON - ENG"), "Gus")

    found = sheet.back(waiting)

    assert problems(found) == [
        f"Review!L{sheet.row('England', '1')}: 1.1 S1901M ENGLAND line 1 was ruled on by Gus since this was written;"
        " write a new sheet with --xlsx and decide there"
    ]
    assert [(line, order) for line, order, _ in orders(waiting)][::2] == [(1, "F LON - ENG"), (3, "A LVP - YOR")]


def test_a_ruling_that_was_undone_makes_a_line_stale_too(waiting: Event) -> None:
    sheet = Sheet(waiting)
    sheet.fill("England", "1", Decision="nothing")
    fact = rule_row(waiting, ENGLAND, 1, RowDecision(order="F LON - ENG"), "Gus")
    undo_ruling(waiting, fact, "Gus")

    assert "line 1 has changed since this was written" in problems(sheet.back(waiting))[0]


def test_a_sheet_that_is_in_now_makes_its_line_stale(waiting: Event) -> None:
    sheet = Sheet(waiting)
    sheet.fill("France", "sheet", Decision="no orders")
    hand_in(waiting, FRANCE, [inked(n, t) for n, t in enumerate(OPENINGS[Power.FRANCE], start=1)], sha256="f" * 64)

    found = sheet.back(waiting)

    assert "FRANCE sheet has changed since this was written" in problems(found)[0]
    assert [source for _, _, source in orders(waiting, Power.FRANCE)] == ["read"] * 3


@pytest.mark.parametrize("no_orders", ["no orders", "No orders"])
def test_reading_the_same_file_twice_changes_nothing(waiting: Event, no_orders: str) -> None:
    sheet = Sheet(waiting)
    sheet.fill("England", "1", Decision="F LON - NTH")
    sheet.fill("France", "sheet", Decision=no_orders)
    first = sheet.back(waiting)

    again = sheet.back(waiting)

    assert (len(first.facts), len(again.facts)) == (2, 0)
    assert (again.taken_before, again.refused, again.left) == (2, (), first.left)
    assert len(rulings(waiting)) == 2


def test_more_lines_of_the_same_file_are_taken_later(waiting: Event) -> None:
    sheet = Sheet(waiting)
    sheet.fill("England", "1", Decision="F LON - NTH")
    sheet.back(waiting)
    sheet.fill("England", "3", Text="A Lvp - Yor")

    found = sheet.back(waiting)

    assert (len(found.facts), found.taken_before, found.refused) == (1, 1, ())


def test_a_line_that_was_taken_and_says_something_else_now_is_refused(waiting: Event) -> None:
    sheet = Sheet(waiting)
    sheet.fill("England", "1", Decision="F LON - NTH")
    sheet.back(waiting)
    sheet.fill("England", "1", Decision="nothing")

    assert (
        "was read in by Tess as 'Decision F LON - NTH', and says 'Decision nothing' now"
        in problems(sheet.back(waiting))[0]
    )


def test_what_was_taken_and_undone_is_not_taken_again(waiting: Event) -> None:
    sheet = Sheet(waiting)
    sheet.fill("England", "1", Decision="F LON - NTH")
    undo_ruling(waiting, sheet.back(waiting).facts[0], "Gus")

    assert "and undone since" in problems(sheet.back(waiting))[0]
    assert orders(waiting)[0] == (1, "", "open")


def test_of_a_sheets_scans_one_at_most_is_taken_as_a_whole(event: Event) -> None:
    hand_in_all(event, but=Power.ENGLAND)
    for number, goals in enumerate((("NTH", "NWG"), ("ENG", "NTH"))):
        lines = [inked(1, f"F LON - {goals[0]}"), inked(2, f"F EDI - {goals[1]}"), inked(3, "A LVP - YOR")]
        hand_in(event, ENGLAND, lines, sha256=f"{number:064d}")
    sheet = Sheet(event)
    sheet.fill("England", "1", Decision="the whole first scan")
    sheet.fill("England", "2", Decision="the whole second scan")
    refused = problems(sheet.back(event))
    assert [text.partition(": ")[2] for text in refused] == [
        "two scans of one sheet are taken as a whole; choose one"
    ] * 2
    assert not rulings(event)
    sheet.fill("England", "1", Decision="the whole second scan")
    assert not problems(sheet.back(event))
    assert [order for _, order, _ in orders(event)] == ["F LON - ENG", "F EDI - NTH", "A LVP - YOR"]


def test_units_without_a_row_are_decided_one_by_one(event: Event) -> None:
    hand_in_all(event, but=Power.ENGLAND)
    hand_in(event, ENGLAND, [inked(1, "F LON - NTH")])
    sheet = Sheet(event)
    first, second = 6, 7
    assert "A LVP has no order" in sheet.told(first, "Reason")[0]
    sheet.sheet.cell(first, sheet.at["Order"]).value = "A LVP - YOR"
    sheet.sheet.cell(second, sheet.at["Decision"]).value = "take the rule"

    found = sheet.back(event)

    assert (found.refused, found.left) == ((), 0)
    assert orders(event) == [(1, "F LON - NTH", "read"), (0, "A LVP - YOR", "ruled"), (0, "", "default")]
    assert sheet.back(event).taken_before == 2


@pytest.mark.parametrize("is_undone", [False, True])
def test_a_ruling_on_one_unit_without_a_row_makes_its_own_line_stale_alone(event: Event, is_undone: bool) -> None:
    hand_in_all(event, but=Power.ENGLAND)
    hand_in(event, ENGLAND, [inked(1, "F LON - NTH")])
    sheet = Sheet(event)
    for row in (6, 7):
        sheet.sheet.cell(row, sheet.at["Decision"]).value = "take the rule"
    ruled = rule_by_number(event, ENGLAND, 0, RowDecision(order="A LVP - YOR"), "Gus")
    if is_undone:
        undo_ruling(event, ruled, "Gus")

    refused = problems(sheet.back(event))

    assert ["Review!L6" in text for text in refused] == [True]
    assert ("" if is_undone else "A LVP - YOR", "") == tuple(order for line, order, _ in orders(event) if not line)


def test_a_decision_on_one_order_of_a_row_leaves_the_others_on_it_as_they_were_written(event: Event) -> None:
    hand_in_all(event, but=Power.ENGLAND)
    hand_in(event, ENGLAND, [inked(1, "F LON - NTH, F EDI - NOR"), inked(2, "A LVP - YOR")])
    sheet = Sheet(event)
    assert sheet.lines == 1
    assert sheet.told(6, "By the rule") == ("F LON - NTH; F EDI H",)
    assert "the row also gives F LON - NTH" in sheet.told(6, "Reason")[0]
    sheet.fill("England", "1", Decision="F EDI - NWG")

    found = sheet.back(event)

    assert (found.refused, found.left) == ((), 0)
    assert [order for _, order, _ in orders(event)] == ["F LON - NTH", "F EDI - NWG", "A LVP - YOR"]


def test_a_row_with_two_doubts_is_one_line(event: Event) -> None:
    hand_in_all(event, but=Power.ENGLAND)
    hand_in(event, ENGLAND, [inked(1, "F EDI - NOR, A LVP - MUN"), inked(2, "F LON - NTH")])
    sheet = Sheet(event)
    assert (len(list(queue(event))), sheet.lines) == (2, 1)
    assert sheet.told(6, "By the rule") == ("F EDI H; A LVP H",)
    sheet.fill("England", "1", Decision="take the rule")

    assert sheet.back(event).left == 0

    assert [order for _, order, _ in orders(event)] == ["F EDI H", "A LVP H", "F LON - NTH"]


def test_one_of_two_sheets_is_chosen_by_its_printed_id(event: Event) -> None:
    hand_in_all(event, but=Power.ENGLAND)
    print_round(event, 1)
    for sheet_id, order in zip(sheets_of(event, ENGLAND), ("F LON - NTH", "F LON - ENG"), strict=True):
        lines = [inked(1, order), inked(2, "F EDI - NWG"), inked(3, "A LVP - YOR")]
        hand_in_sheet(event, sheet_id, lines, sha256=sheet_id[-6] * 64)
    sheet = Sheet(event)
    assert "F LON - ENG · F EDI - NWG · A LVP - YOR" in sheet.told(6, "Read")[0]
    sheet.fill("England", "sheet", Decision=f"{sheets_of(event, ENGLAND)[1]} counts")

    found = sheet.back(event)

    assert (len(found.facts), found.left) == (1, 0)
    assert orders(event)[0] == (1, "F LON - ENG", "read")
    assert sheet.back(event).taken_before == 1


def test_a_decision_of_another_desk_in_the_middle_stops_before_harm(
    waiting: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = Sheet(waiting)
    sheet.fill("England", "1", Decision="F LON - NTH")
    sheet.fill("England", "3", Text="A Lvp - Yor")
    with open_event(waiting.folder, clock) as other:

        def ruled_elsewhere(*arguments: Any, **named: Any) -> SheetWeighing:
            weighing = _weigh(*arguments, **named)
            rule_sheet(other, FRANCE, SheetDecision.NO_ORDERS, by="Gus")
            return weighing

        monkeypatch.setattr("pipeline.desk.review.review_sheet._weigh", ruled_elsewhere)
        with pytest.raises(Stopped, match="nothing was read in, try again"):
            sheet.back(waiting)
        monkeypatch.undo()

    again = sheet.back(waiting)
    assert (len(again.facts), again.taken_before, again.refused) == (2, 0, ())


def test_another_workbook_is_refused_whole(waiting: Event) -> None:
    with pytest.raises(Stopped, match="not a workbook"):
        take_sheet_back(waiting, b"no", "review.xlsx", "Tess")


@pytest.fixture
def folder(waiting: Event) -> Iterator[str]:
    """The folder of the event, for commands."""
    yield str(waiting.folder)


def test_the_commands_write_and_take_back_and_say_what_became_of_it(folder: str, tmp_path: Path) -> None:
    def run(*arguments: str) -> tuple[int, str, str]:
        result = CliRunner().invoke(group, ["review", folder, *arguments])
        stopped = result.exception if isinstance(result.exception, Stopped) else None
        return result.exit_code, result.stdout, str(stopped or result.stderr)

    path = tmp_path / "review.xlsx"
    assert run("--xlsx", str(path))[:2] == (0, f"{path}: 4 wait\n")
    assert run("--xlsx", str(path))[0] == 0, "nothing is lost by writing over an empty one"
    book = load_workbook(path)
    rows = {(row[2].value, row[3].value): row[11] for row in book["Review"].iter_rows(min_row=6)}
    rows["England", "1"].value = "F LON - NTH"
    rows["England", "3"].value = "North"
    book.save(path)
    assert "2 decisions in it not read in yet" in run("--xlsx", str(path))[2]

    code, told, faults = run("--from-xlsx", str(path), "--by", "Tess")

    assert (code, told) == (1, "1 taken, 1 refused; 3 wait now\n")
    assert faults.startswith("Review!L")
    assert run("--from-xlsx", str(path))[1] == "nothing changed, 1 taken before, 1 refused; 3 wait now\n"
    assert "not both at once" in run("--from-xlsx", str(path), "--xlsx", str(path))[2]
    assert "cannot read it" in run("--from-xlsx", str(tmp_path / "none.xlsx"))[2]


def test_beside_a_choice_stands_its_reason_if_it_is_short_else_what_speaks_against_it() -> None:
    struck = NoteMessage.of(Note.STRUCK_OUT)
    long = NoteMessage.of(Note.HIDDEN)
    assert len(sentence(long)) > SHORT > len(sentence(struck))
    reasons = {(): "", (struck,): sentence(struck), (long,): "", (struck, long): sentence(long)}
    for because, shown in reasons.items():
        card = AnswerCard(decision=RowDecision(order="A VIE H"), words="", order=read_order("A VIE H"), because=because)
        assert _cards_in_words([card]) == [f"A VIE H: {shown}" if shown else "A VIE H"]

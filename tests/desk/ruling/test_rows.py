"""A row that nobody asked about is adjudicated as it was written; everything else waits for the director."""

from pathlib import Path

import pytest
from facts_as_kept import append_fact, read_facts
from msgspec.structs import replace

from desk.cup import OPENINGS, clock, hand_in, hand_in_all, hand_in_sheet, inked, seated, sheets_of, spring
from pipeline.board import Phase, Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import find_game
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.publish.publish import publish
from pipeline.desk.review.queue import queue, settle_doubt, take_the_rule
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import PowerRows
from pipeline.desk.ruling.rulings import NOTHING, RowDecision, rule_row, rule_sheet, type_lines, undo_ruling
from pipeline.desk.sheets.pads import SheetState
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.desk.sheets.sheets_in import crop_path
from pipeline.draw.roster import Player
from pipeline.ink import Box, InkReading, Note, NoteMessage, Tier
from pipeline.interpret.doubts import Doubt, LineDoubt
from pipeline.ledger.parts import SheetDecision, Source
from pipeline.orders import write
from pipeline.paper.sheet_rows import Design
from pipeline.problems import Stopped

ENGLAND = spring(Power.ENGLAND)


def england(event: Event) -> PowerRows:
    return Desk.of(event).power(find_game(event, "1"), Power.ENGLAND)


def told(rows: PowerRows) -> list[tuple[int, str, str]]:
    return [(r.line, write(r.order) if r.order else "", str(r.source)) for r in rows.rows]


def test_rows_that_are_accepted_and_clear_need_nobody(event: Event) -> None:
    hand_in(
        event,
        ENGLAND,
        [inked(1, "F LON - NTH"), inked(2, "F Edi - Nwg"), inked(3, "Lvp to York"), inked(4, "", Tier.BLANK)],
    )

    rows = england(event)

    assert told(rows) == [(1, "F LON - NTH", "read"), (2, "F EDI - NWG", "read"), (3, "A LVP - YOR", "read")]
    assert not rows.is_open


def test_a_row_that_was_read_from_its_ticks_says_so(event: Event) -> None:
    hand_in(event, ENGLAND, [inked(1, "F LON - NTH", Tier.MARKED), inked(2, "F EDI - NWG"), inked(3, "A LVP - YOR")])
    assert [source for _, _, source in told(england(event))] == ["marked", "read", "read"]


def test_a_row_the_reader_did_not_dare_to_accept_waits_whatever_it_seems_to_say(event: Event) -> None:
    hand_in(event, ENGLAND, [inked(1, "F LON - NTH", Tier.ASKED), inked(2, "F EDI - NWG"), inked(3, "A LVP - YOR")])

    row = england(event).rows[0]

    assert (row.status, row.order, row.source) == ("unread", None, Source.OPEN)
    assert [write(o) for o in row.candidates] == ["F LON - NTH"]
    assert row.flags == ("DOUBTFUL_READING",)


def test_of_a_row_that_was_not_read_the_four_likeliest_readings_are_offered(event: Event) -> None:
    goals = ("NTH", "ENG", "WAL", "YOR", "H")
    readings = tuple(InkReading(f"F LON - {goal}".replace("- H", "H"), 0.2) for goal in goals)
    hand_in(event, ENGLAND, [replace(inked(1, "F LON", Tier.ASKED), readings=readings), inked(2, "F EDI - NWG")])

    offered = england(event).rows[0].candidates

    assert [write(order) for order in offered] == ["F LON - NTH", "F LON - ENG", "F LON - WAL", "F LON - YOR"]


def test_only_a_reading_that_is_followed_as_it_stands_is_offered_of_a_row_that_was_not_read(event: Event) -> None:
    readings = tuple(InkReading(text, 0.3) for text in ("F LON - MUN", "hello", "F LON - NTH"))
    hand_in(event, ENGLAND, [replace(inked(1, "F LON", Tier.ASKED), readings=readings)])

    (row,) = england(event).rows

    assert [write(order) for order in row.candidates] == ["F LON - NTH"]


def test_a_row_that_was_not_read_says_what_was_seen_on_the_paper(event: Event) -> None:
    blank = inked(1, "", Tier.ASKED)
    hand_in(
        event,
        ENGLAND,
        [
            blank,
            replace(
                blank,
                number=2,
                notes=(Note.STRUCK_OUT, NoteMessage.of(Note.ENGINE_FAILED, engine="X", why="it crashed")),
            ),
        ],
    )

    one, two = england(event).rows

    assert (one.flags, one.reason) == (("UNREADABLE",), "the reader is not sure what is written here")
    assert (two.flags, two.reason) == (("UNREADABLE", "STRUCK_OUT"), "struck out; the reader X failed: it crashed")


def test_what_an_unread_row_seems_to_say_counts_for_no_other_row(event: Event) -> None:
    hand_in(event, ENGLAND, [inked(1, "F LON - NTH"), inked(2, "F LON - ENG", Tier.ASKED), inked(3, "A LVP - YOR")])

    assert told(england(event)) == [(1, "F LON - NTH", "read"), (2, "", "open"), (3, "A LVP - YOR", "read")]


def test_a_row_that_is_ruled_to_order_nothing_is_a_row_still(event: Event) -> None:
    hand_in_all(event)
    rule_row(event, ENGLAND, 1, RowDecision(order="F LON - ENG"), "Tess")
    rule_row(event, ENGLAND, 2, RowDecision(order=NOTHING, why="a stain"), "Tess")

    one, two, _, _ = england(event).rows
    assert (one.reason, two.reason) == ("ruled by Tess", "ruled by Tess: a stain")

    assert (one.line, one.order and write(one.order), one.status, one.source) == (1, "F LON - ENG", "clear", "ruled")
    assert (two.line, two.order, two.status, two.source) == (2, None, "void", "ruled")


def test_an_ambiguous_row_waits_and_enter_takes_what_the_tournament_says(event: Event) -> None:
    hand_in(event, ENGLAND, [inked(1, "F LON - ENG"), inked(2, "F EDI - NOR"), inked(3, "A LVP - YOR")])

    doubt = next(d for d in queue(event) if d.turn == ENGLAND)

    assert doubt.row is not None
    assert (doubt.row.status, doubt.by_rule) == ("ambiguous", "F EDI H")
    assert "VI.2.f" in doubt.row.rule
    decision = take_the_rule(doubt)
    assert decision is not None
    settle_doubt(event, doubt, decision, "Tess")
    assert told(england(event))[1] == (2, "F EDI H", "ruled")
    assert not england(event).is_open


def test_units_that_no_row_orders_are_asked_once_every_row_is_settled(event: Event) -> None:
    hand_in(event, ENGLAND, [inked(1, "F LON - NTH", Tier.ASKED), inked(2, "A LVP - YOR")])
    assert [r.line for r in england(event).rows] == [1, 2], "the unread row may still name F EDI"

    rule_row(event, ENGLAND, 1, RowDecision(text="F Lon - Nth"), "Tess")
    rows = england(event)
    assert [(r.line, r.reason, r.needs_director) for r in rows.rows if r.line == 0] == [
        (0, "F EDI has no order; it holds and may be supported", True)
    ]

    doubt = next(d for d in queue(event) if d.turn == ENGLAND)
    decision = take_the_rule(doubt)
    assert decision is not None
    settle_doubt(event, doubt, decision, "Tess")
    assert told(england(event)) == [(1, "F LON - NTH", "ruled"), (2, "A LVP - YOR", "read"), (0, "", "default")]


def test_units_without_an_order_are_given_none_where_another_has_one(tmp_path: Path) -> None:
    """NZ99 9: only where nothing that was written is an order does every unit hold, lest all be in civil disorder."""
    with open_event(seated(tmp_path / "cup", tournament="nzdc1999"), clock) as event:
        type_lines(event, ENGLAND, ["F LON - NTH"], by="Tess")
        assert [write(order) for order in england(event).orders] == ["F LON - NTH"]
        type_lines(event, ENGLAND, ["hello"], by="Tess")
        assert {row.line: row.order for row in england(event).rows}.get(1) is None


def test_a_unit_without_order_that_appears_later_is_asked_anew(event: Event) -> None:
    hand_in(event, ENGLAND, [inked(1, "F LON - NTH"), inked(2, "A LVP - YOR")])
    decision = take_the_rule(next(d for d in queue(event) if d.turn == ENGLAND))
    assert decision is not None
    rule_row(event, ENGLAND, 0, decision, "Tess")
    assert not england(event).is_open

    rule_row(event, ENGLAND, 2, RowDecision(order="nothing"), "Tess")

    assert [r.reason for r in england(event).rows if r.needs_director] == [
        "A LVP has no order; it holds and may be supported"
    ]


def test_a_ruling_can_be_taken_back_and_stays_written_down(event: Event) -> None:
    hand_in_all(event)
    fact = rule_row(event, ENGLAND, 2, RowDecision(order="F EDI H", why="slip of the tongue"), "Tess")
    assert told(england(event))[1] == (2, "F EDI H", "ruled")

    undo_ruling(event, fact, "Tess")

    assert told(england(event))[1] == (2, "F EDI - NWG", "read")
    assert len(list(read_facts(event.facts, "ruling"))) == 1


def test_a_line_ruled_by_its_text_is_judged_by_the_rules(event: Event) -> None:
    hand_in(event, ENGLAND, [inked(1, "F LON - MTH", Tier.ASKED), inked(2, "F EDI - NWG"), inked(3, "A LVP - YOR")])

    rule_row(event, ENGLAND, 1, RowDecision(text="F Lon - Mun"), "Tess")

    row = england(event).rows[0]
    assert (row.status, row.needs_director) == ("illegal", False), "a person read it, and WM VI.2.b says what stands"
    assert row.order is not None
    assert write(row.order) == "F LON H"


@pytest.mark.parametrize(
    ("typed", "status"),
    [(True, "ask"), (False, "ambiguous")],  # it asked nothing before, or it asks what it asked
)
def test_a_row_that_the_rules_decide_and_a_ruling_that_says_otherwise_are_not_both_followed(
    event: Event, *, typed: bool, status: str
) -> None:
    texts = ["F EDI - ROM", "F LON - NTH", "A LVP - YOR"]
    if typed:
        type_lines(event, ENGLAND, texts, by="Tess")
    else:
        hand_in(event, ENGLAND, [inked(row, text) for row, text in enumerate(texts, start=1)])
    assert england(event).is_open is not typed

    rule_row(event, ENGLAND, 0, RowDecision(order="F EDI - NWG"), "Tess")

    row = england(event).rows[0]
    assert (row.order and write(row.order), row.needs_director, row.status) == ("F EDI H", True, status)


def test_a_bad_ruling_is_refused_with_all_its_faults(event: Event) -> None:
    with pytest.raises(Stopped) as stopped:
        rule_row(event, ENGLAND, 1, RowDecision(order="Lon - Nth", text="x"), "Tess")

    assert len(stopped.value.problems) == 2
    assert not list(read_facts(event.facts, "ruling"))


def test_a_missing_sheet_is_never_no_orders_without_a_person(event: Event) -> None:
    hand_in_all(event, but=Power.ENGLAND)
    rows = england(event)
    assert (rows.state, rows.is_open, rows.rows) == (SheetState.MISSING, True, ())
    with pytest.raises(Stopped, match="no sheet is in") as stopped:
        publish(event, "1", "Tess")
    assert stopped.value.code == 3

    rule_sheet(event, ENGLAND, SheetDecision.NO_ORDERS, by="Tess", why="she went home")

    assert told(england(event)) == [(0, "", "default")] * 3
    assert publish(event, "1", "Tess").played.resolution.after.phase.season == "F"


def test_the_same_sheet_scanned_twice_counts_once_and_a_difference_is_asked(event: Event) -> None:
    lines = [inked(1, "F LON - NTH"), inked(2, "F EDI - NWG"), inked(3, "A LVP - YOR")]
    hand_in(event, ENGLAND, lines, sha256="a" * 64)
    hand_in(event, ENGLAND, lines, sha256="b" * 64)
    assert not england(event).is_open

    hand_in(event, ENGLAND, [inked(1, "F LON - ENG"), *lines[1:]], sha256="c" * 64)

    row = england(event).rows[0]
    assert row.needs_director
    assert {r.text for r in row.readings} == {"F LON - NTH", "F LON - ENG"}


def test_a_board_is_published_only_when_nothing_is_open(event: Event) -> None:
    hand_in_all(event)
    type_lines(event, ENGLAND, ["F Lon - Nth", "F Edi - Nor", "A Lvp - Yor"], by="Tess")

    published = publish(event, "1", "Tess")

    results = {write(r.order): r.reason for r in published.played.resolution.results}
    assert results["A VIE - GAL"] == "bounces 1:1 with A WAR - GAL"
    assert results["F EDI H"] == "stands"
    assert published.card.read_bytes().startswith(b"%PDF")
    rows = published.played.fact.said.rows
    assert rows[Power.ENGLAND][1].ink == "F Edi - Nor", "from the outcome back to the ink"
    assert str(find_game(event, "1").position.phase) == "F1901M"


def test_a_late_sheet_is_what_the_tournament_makes_of_it(event: Event) -> None:
    """WM V: a warning; again in the same game, all units hold."""
    lines = [inked(1, "F LON - NTH"), inked(2, "F EDI - NWG"), inked(3, "A LVP - YOR")]
    hand_in(event, ENGLAND, lines)
    hand_in(event, spring(Power.FRANCE), [inked(1, "A PAR - BUR", Tier.ASKED)], sha256="b" * 64)
    rule_row(event, spring(Power.FRANCE), 1, RowDecision(order="A PAR - BUR"), "Tess")  # on time, and ruled on

    rule_sheet(event, ENGLAND, SheetDecision.LATE, by="Tess")

    rows = england(event)
    assert (rows.state, rows.is_open) == (SheetState.LATE, False)
    assert [source for _, _, source in told(rows)] == ["read"] * 3
    assert "warning (WM V)" in rows.problems[0].text


def test_a_second_late_sheet_in_the_same_game_is_refused(event: Event) -> None:
    hand_in_all(event)
    rule_sheet(event, ENGLAND, SheetDecision.LATE, by="Tess")
    publish(event, "1", "Tess")
    fall = Turn("1.1", find_game(event, "1").position.phase, Power.ENGLAND)
    print_round(event, 1)
    hand_in(event, fall, [inked(1, "F NTH - NWY")], sha256="f" * 64)

    rule_sheet(event, fall, SheetDecision.LATE, by="Tess")

    rows = england(event)
    assert [row.source for row in rows.rows if row.line == 0] == [Source.DEFAULT] * 3, "all units hold (WM V)"
    assert not rows.orders


def test_two_sheets_wait_with_the_rule_and_the_chosen_one_counts(event: Event) -> None:
    print_round(event, 1)  # a second set of sheets
    for sheet, order in zip(sheets_of(event, ENGLAND), ("F LON - NTH", "F LON - ENG"), strict=True):
        lines = [inked(1, order), inked(2, "F EDI - NWG"), inked(3, "A LVP - YOR")]
        hand_in_sheet(event, sheet, lines, sha256=sheet[-6] * 64)
    rows = england(event)
    assert rows.state is SheetState.TWO
    assert "two sheets are in, TEST-0002-" in rows.problems[0].text
    assert "WM VI.2.g" in rows.problems[0].text

    rule_sheet(event, ENGLAND, SheetDecision.CHOSEN, by="Tess", serial=9)

    assert told(england(event))[0] == (1, "F LON - ENG", "read")


def test_an_unsigned_sheet_is_asked_once_and_then_the_ruling_stands(event: Event) -> None:
    france = spring(Power.FRANCE)
    for turn, sha in ((ENGLAND, "a"), (france, "b")):
        lines = [inked(row, line) for row, line in enumerate(OPENINGS[turn.power], start=1)]
        hand_in(event, turn, lines, sha256=sha * 64, signed=False)
    assert england(event).is_open

    rule_sheet(event, ENGLAND, SheetDecision.ALL_UNSIGNED, by="Tess")

    assert not england(event).is_open
    other = Desk.of(event).power(find_game(event, "1"), Power.FRANCE)
    assert not other.is_open
    assert "accepted as Tess ruled before" in other.problems[0].text


FOOT = Box(30.0, 260.0, 60.0, 6.0)
OPENING = [inked(row, line) for row, line in enumerate(OPENINGS[Power.ENGLAND], start=1)]


def test_writing_outside_the_rows_waits_for_the_director(event: Event) -> None:
    number, margin, alphabet = Box(14.0, 69.0, 6.0, 6.0), Box(203.0, 57.0, 4.0, 5.0), Box(90.0, 46.0, 40.0, 5.0)
    hand_in(event, ENGLAND, OPENING, outside=(alphabet, margin, number, FOOT))

    rows = england(event)

    assert rows.is_open
    text = "something is written outside the rows: above the rows, right of row 1, left of row 2, below the rows"
    assert rows.problems[0].text == f"{text}; look at the sheet: accept it if its rows are right as they are"
    doubt = next(found for found in queue(event) if found.turn == ENGLAND)
    settle_doubt(event, doubt, SheetDecision.ACCEPTED, "Tess")
    assert not england(event).is_open


def test_where_something_is_written_is_told_by_its_middle(event: Event) -> None:
    rows = next(iter(printed_sheets(event).values())).page.form.rows
    first, last = rows[0].box, rows[-1].box
    middle, end = first.left + first.width / 2, last.top + last.height
    beside = {
        "above the rows": Box(20.0, first.top - 11, 9.0, 20.0),  # its middle is a millimetre above them
        "left of row 1": Box(20.0, first.top - 9, 9.0, 20.0),
        f"left of row {rows[-1].row}": Box(20.0, end - 11, 9.0, 20.0),
        "below the rows": Box(20.0, end - 9, 9.0, 20.0),
        "right of row 2": Box(middle - 29, rows[1].box.top - 7, 60.0, rows[1].box.height + 16),  # nearest to row 2
        "left of row 2": Box(middle - 31, rows[1].box.top - 9, 60.0, rows[1].box.height + 16),
    }
    for number, (place, box) in enumerate(beside.items()):
        hand_in(event, ENGLAND, OPENING, sha256=f"{number:064}", outside=(box,))
        rule_sheet(event, ENGLAND, SheetDecision.LATE, by="Tess")
        told = [problem.text for problem in england(event).problems][-1]
        assert told == f"something is written outside the rows: {place}"


def test_a_ruling_does_not_cover_writing_that_was_seen_only_after_it(event: Event) -> None:
    hand_in(event, ENGLAND, OPENING, sha256="a" * 64, signed=False)
    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    assert not england(event).is_open

    hand_in(event, ENGLAND, OPENING, sha256="b" * 64, outside=(FOOT,))
    assert england(event).is_open
    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    hand_in(event, ENGLAND, OPENING, sha256="c" * 64, outside=(FOOT,))

    assert not england(event).is_open  # the same paper again is nothing new


def test_of_two_sheets_it_is_said_on_which_something_is_written_outside(event: Event) -> None:
    printed = print_round(event, 1, wish=PrintWish(spare=1))
    spare = next(page.sheet for page in printed.layout.pages if page.power == "ENGLAND")
    hand_in(event, ENGLAND, OPENING, sha256="a" * 64)
    hand_in_sheet(event, spare, OPENING, "b" * 64, outside=(FOOT,))
    assert f"below the rows on {spare}" in england(event).problems[0].text


def test_a_late_sheet_that_counts_says_what_is_written_outside_its_rows(event: Event) -> None:
    hand_in(event, ENGLAND, OPENING, outside=(FOOT,))
    rule_sheet(event, ENGLAND, SheetDecision.LATE, by="Tess")
    assert [problem.text for problem in england(event).problems][-1].endswith("outside the rows: below the rows")


def test_an_order_that_goes_on_in_the_next_row_is_one_order_with_two_rows(event: Event) -> None:
    hand_in(event, ENGLAND, [inked(1, "F LON"), inked(2, "- NTH"), inked(3, "F EDI - NWG"), inked(4, "A LVP - YOR")])

    rows = england(event)

    assert [row.line for row in rows.rows if row.order and write(row.order) == "F LON - NTH"] == [1, 2]
    assert [write(order) for order in rows.orders].count("F LON - NTH") == 1


def test_ruling_on_one_of_two_orders_of_a_line_keeps_the_other(event: Event) -> None:
    hand_in(event, ENGLAND, [inked(1, "F LON - NTH, F EDI - NOR"), inked(2, "A LVP - YOR")])
    doubt = next(d for d in queue(event) if d.turn == ENGLAND)
    decision = take_the_rule(doubt)
    assert decision is not None

    settle_doubt(event, doubt, decision, "Tess")

    assert [write(order) for order in england(event).orders] == ["F LON - NTH", "F EDI H", "A LVP - YOR"]
    assert not england(event).is_open


def test_a_ruling_is_offered_the_next_time_the_rules_ask_and_never_applied_unasked(tmp_path: Path) -> None:
    """NZ99 16 leaves 'A Fin - Nor' to the director: the second time he sees what he ruled the first time."""
    names = {power: f"P{power[0]}" for power in Power}
    details = Details(name="X", code="ABCD", tournament="nzdc1999")
    make_event_folder(tmp_path / "cup", details, [Player(name=name) for name in names.values()], clock)
    with open_event(tmp_path / "cup", clock) as event:
        seat_round(event, 1, {"1": names, "2": names}, by="Tess")
        value = {"phase": "S1903M", "units": {"RUSSIA": ["A FIN"]}, "centers": {"RUSSIA": ["STP"]}, "dislodged": []}
        for board in ("1.1", "1.2"):
            append_fact(event.facts, "position set", {"board": board, "position": value}, "Tess")
            turn = Turn(board, Phase.read("S1903M"), Power.RUSSIA)
            type_lines(event, turn, ["A Fin - Nor"], by="Tess")
        first, _ = queue(event)
        settle_doubt(event, first, RowDecision(order="A FIN H", why="ambiguous, says NZ99 16"), "Tess")

        (second,) = queue(event)

    assert second.row is not None
    assert second.row.needs_director
    assert "ambiguous, says NZ99 16" in second.row.reason
    assert "RULED_BEFORE" in second.row.flags


@pytest.mark.parametrize(
    ("written", "supplied"), [("A Par - Bur", []), ("A Par - Pic", []), ("", [(2, "A PAR - BUR", "open")])]
)
def test_an_order_is_taken_from_another_line_only_when_no_line_that_is_unread_may_give_it(
    tmp_path: Path, written: str, supplied: list[tuple[int, str, str]]
) -> None:
    france = spring(Power.FRANCE)
    with open_event(seated(tmp_path / "cup", tournament="edc2023"), clock) as event:
        print_round(event, 1)
        lines = [inked(1, "F BRE - MAO"), inked(2, "A MARS S A PAR - BUR"), inked(3, "A PAR - BUR", Tier.ASKED)]
        hand_in(event, france, lines)
        desk = Desk.of(event).power(find_game(event, "1"), Power.FRANCE)
        assert [(row.line, row.needs_director) for row in desk.rows] == [(1, False), (2, False), (3, True)]

        decision = RowDecision(text=written) if written else RowDecision(order=NOTHING, why="a stain")
        rule_row(event, france, 3, decision, "Tess")

        found = told(Desk.of(event).power(find_game(event, "1"), Power.FRANCE))
    assert [row for row in found if row[0] == 2] == [(2, "A MAR S A PAR - BUR", "read"), *supplied]


def test_an_order_that_the_rules_take_from_another_line_waits_for_a_person(tmp_path: Path) -> None:
    """EDC23 R11 completes A PAR from the own support; nobody wrote it as an order, so somebody must say yes."""
    france = spring(Power.FRANCE)
    with open_event(seated(tmp_path / "cup", tournament="edc2023"), clock) as event:
        print_round(event, 1)
        hand_in(event, france, [inked(1, "F BRE - MAO"), inked(2, "A MARS S A PAR - BUR")])
        rows = Desk.of(event).power(find_game(event, "1"), Power.FRANCE).rows
        implied = next(row for row in rows if row.order and write(row.order) == "A PAR - BUR")
        assert (implied.needs_director, implied.rule, implied.line) == (True, "EDC23 R11", 2)
        doubt = next(d for d in queue(event) if d.turn == france)
        decision = take_the_rule(doubt)
        assert decision is not None
        settle_doubt(event, doubt, decision, "Tess")

        orders = Desk.of(event).power(find_game(event, "1"), Power.FRANCE).orders

    assert sorted(map(write, orders)) == ["A MAR S A PAR - BUR", "A PAR - BUR", "F BRE - MAO"]


def test_a_rule_that_can_be_read_in_two_ways_waits_even_on_a_typed_line(tmp_path: Path) -> None:
    """EDC23 G lets a disputed word fail; R15 applies what can only mean one thing: from Ankara BS is the Black Sea."""
    england_ = spring(Power.ENGLAND)
    with open_event(seated(tmp_path / "cup", tournament="edc2023"), clock) as event:
        type_lines(event, england_, ["F LON - NTH", "F EDI - NTH", "A LVP - NOR"], by="Tess")
        assert not Desk.of(event).power(find_game(event, "1"), Power.ENGLAND).is_open  # no Nor can be reached
        type_lines(event, england_, ["F LON - BS", "F EDI - NWG", "A LVP - YOR"], by="Tess")
        assert not Desk.of(event).power(find_game(event, "1"), Power.ENGLAND).is_open
        type_lines(event, spring(Power.TURKEY), ["F ANK - BS", "A CON - BUL", "A SMY - CON"], by="Tess")

        row = Desk.of(event).power(find_game(event, "1"), Power.TURKEY).rows[0]

    assert (row.status, row.order and write(row.order), row.needs_director) == ("ambiguous", "F ANK H", True)
    assert "READ_OTHERWISE" in row.flags
    assert write(row.candidates[0]) == "F ANK - BLA"


def test_what_a_ruled_text_leaves_open_is_not_settled_by_an_order_for_the_other_unit_of_the_line(
    tmp_path: Path,
) -> None:
    turkey = spring(Power.TURKEY)
    with open_event(seated(tmp_path / "cup", tournament="edc2023"), clock) as event:
        print_round(event, 1)
        hand_in(event, turkey, [inked(1, "?", Tier.ASKED), inked(2, "A SMY H")])
        rule_row(event, turkey, 1, RowDecision(text="F ANK - BS, A CON - BUL or SER"), "Tess")
        rows = Desk.of(event).power(find_game(event, "1"), Power.TURKEY).rows
        waits = next(row for row in rows if row.needs_director and row.unit == "CON")
        doubt = next(each for each in queue(event) if each.turn == turkey and each.row == waits)
        settle_doubt(event, doubt, RowDecision(order="A CON - BUL"), "Tess")

        rows = Desk.of(event).power(find_game(event, "1"), Power.TURKEY).rows

    assert [row.unit for row in rows if row.needs_director] == ["ANK"]


def test_a_ruling_on_one_of_two_accepted_sheets_leaves_the_other_as_it_is_written(event: Event) -> None:
    print_round(event, 1)  # a second set of sheets
    first, second = sheets_of(event, ENGLAND)
    hand_in_sheet(event, first, [inked(1, "F LON - NTH", Tier.ASKED)], sha256="a" * 64)
    hand_in_sheet(event, second, [inked(1, "F EDI - NWG"), inked(2, "A LVP - YOR")], sha256="b" * 64)
    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")

    rule_row(event, ENGLAND, 1, RowDecision(text="F LON - NTH"), "Tess")

    assert told(england(event)) == [
        (1, "F LON - NTH", "ruled"),
        (101, "F EDI - NWG", "read"),
        (102, "A LVP - YOR", "read"),
    ]


@pytest.mark.parametrize(("emptied", "waits"), [((3,), True), ((), False), ((0,), False)])
def test_what_a_line_supplies_is_asked_where_a_row_was_ruled_empty(
    tmp_path: Path, emptied: tuple[int, ...], *, waits: bool
) -> None:
    """A person read the support, and of another row said that nothing stands there: it may have been that order's."""
    france = spring(Power.FRANCE)
    with open_event(seated(tmp_path / "cup", tournament="edc2023"), clock) as event:
        print_round(event, 1)
        lines = [inked(1, "F BRE - MAO"), inked(2, "A MARS S A PAR - BUR", Tier.ASKED)]
        hand_in(event, france, [*lines, inked(3, "A PAR - PIC")] if 3 in emptied else lines)
        without = (LineDoubt.of(Doubt.NO_ORDER, unit="F BRE"),)  # no row of it was emptied
        for row in emptied:
            rule_row(event, france, row, RowDecision(order=NOTHING, without=() if row else without), "Tess")
        rule_row(event, france, 2, RowDecision(text="A Mars S A Par - Bur"), "Tess")
        rows = Desk.of(event).power(find_game(event, "1"), Power.FRANCE).rows
        (supplied,) = (row for row in rows if row.order and write(row.order) == "A PAR - BUR")
        assert supplied.needs_director is waits


@pytest.mark.parametrize("design", [Design.TARGETS, Design.LINE])
def test_a_unit_without_an_order_shows_the_row_in_which_it_would_stand(tmp_path: Path, design: Design) -> None:
    """Its own row where units are printed, Marseilles as `Mars` in EDC23; else the first row that is free."""
    france = spring(Power.FRANCE)
    with open_event(seated(tmp_path / "cup", tournament="edc2023"), clock) as event:
        print_round(event, 1, wish=PrintWish(design=design))
        (sheet,) = sheets_of(event, france)
        printed = printed_sheets(event)[sheet].page.form.units
        assert [unit[2:] for unit in printed] == (["MARS", "PAR", "BRE"] if printed else [])
        texts = ["", "A PAR - BUR", "", ""] if printed else ["F BRE - MAO", "A PAR - BUR", "", ""]
        tiers = [Tier.ACCEPTED if text else Tier.BLANK for text in texts]
        hand_in(event, france, [inked(n, *row) for n, row in enumerate(zip(texts, tiers, strict=True), start=1)])
        rows = [row for row in Desk.of(event).power(find_game(event, "1"), Power.FRANCE).rows if row.line == 0]
    places = {"MAR": 1, "BRE": 3} if printed else {"MAR": 3}
    assert {row.unit: row.crop for row in rows} == {unit: crop_path("ab" * 32, 1, n) for unit, n in places.items()}

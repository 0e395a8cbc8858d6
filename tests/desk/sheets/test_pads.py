"""Pads: one print-out serves a round, and what is ticked must be the phase that is open."""

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec.structs
import pytest
from click.testing import CliRunner
from facts_as_kept import append_fact, read_facts

from desk.beginnings import copied
from desk.came import england
from desk.cup import OPENINGS, clock, hand_in_sheet, inked, seated
from pipeline.board import FIRST_PHASE, Phase, Power, Step
from pipeline.cli.prints import sheets_command
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.publish.explain import check_event, explain_question
from pipeline.desk.publish.publish import publish
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.review.orders_shown import board_orders, status
from pipeline.desk.review.queue import ReviewItem, queue, settle_doubt
from pipeline.desk.ruling.desk import number_rows, rulings_book
from pipeline.desk.ruling.rows import PowerRows
from pipeline.desk.ruling.rulings import rule_sheet, type_lines, undo_ruling
from pipeline.desk.sheets.pads import SheetState
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import PrintWish, _writers, print_round, record_sheets
from pipeline.desk.sheets.sheets_in import sheets_in
from pipeline.ledger.files import local_time
from pipeline.ledger.parts import SheetDecision, TickFault
from pipeline.orders import write, write_position
from pipeline.paper.sheet_rows import Design
from pipeline.problems import Stopped, Weight
from pipeline.rules.conduct import ConductRules, ErrorFault
from pipeline.rules.switches import Setting

LINES = [inked(row, order) for row, order in enumerate(OPENINGS[Power.ENGLAND], start=1)]
ENGLAND = Turn("1.1", FIRST_PHASE, Power.ENGLAND)


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Event]:
    """An event whose first round is seated and printed on pads, for three seasons."""
    with open_event(copied(on_pads, tmp_path / "cup"), clock) as opened:
        yield opened


def on_pads(folder: Path) -> None:
    with open_event(seated(folder), clock) as event:
        print_round(event, 1, wish=PrintWish(pads=3))


def pads(event: Event, power: Power = Power.ENGLAND, step: Step = Step.MOVEMENT) -> list[str]:
    """A power's stack of one kind."""
    requests = {sheet: printed.request for sheet, printed in printed_sheets(event).items()}
    return [sheet for sheet, r in requests.items() if r.is_pad and (r.power, r.phase.step) == (power, step)]


def open_problems(rows: PowerRows) -> list[str]:
    return [problem.text for problem in rows.problems if problem.weight is Weight.ASKS]


def all_but_england(event: Event, ticks: str) -> None:
    for power, lines in OPENINGS.items():
        if power is not Power.ENGLAND:
            rows = [inked(row, line) for row, line in enumerate(lines, start=1)]
            hand_in_sheet(event, pads(event, power)[0], rows, sha256=str(power) * 16, ticks=ticks)


def with_rules(event: Event, rules: ConductRules) -> None:
    event.tournament = msgspec.structs.replace(event.tournament, conduct=rules)


def test_one_printing_serves_a_round_and_the_fact_says_so(cup: Event) -> None:
    (fact,) = read_facts(cup.facts, "sheets printed")

    assert fact.body["pads"] == 3
    assert [len(pads(cup, Power.TURKEY, step)) for step in Step] == [3, 2, 2]
    assert len(fact.body["sheets"]) == 7 * 7
    assert all(sheet["pad"] for sheet in fact.body["sheets"])
    assert {printed.page.phase for printed in printed_sheets(cup).values()} == {""}


def test_the_command_prints_pads_and_says_where_their_boxes_are(cup: Event, tmp_path: Path) -> None:
    pdf, where = tmp_path / "pads.pdf", tmp_path / "pads.json"
    wanted = ["--round", "1", "--pads", "1", "--only", "movement", "--only", "adjustments", "--beginners"]
    told = CliRunner().invoke(sheets_command, [str(cup.folder), *wanted, "-o", str(pdf), "--layout", str(where)])

    assert told.output == f"{pdf}: 14 pads\n"
    page = json.loads(where.read_text("utf-8"))["pages"][0]
    names = [field["name"] for field in page["fields"]]
    assert (page["phase"], names.count("order")) == ("", 10)
    assert {"spring", "fall", "1901", "1910"} < set(names)
    request = list(printed_sheets(cup).values())[-1].request
    assert (request.is_pad, request.for_beginners, request.phase.step) == (True, True, Step.ADJUSTMENTS)


def test_pads_of_one_kind_are_printed_when_a_stack_runs_out(cup: Event) -> None:
    printed = print_round(cup, 1, "1", PrintWish(pads=4, kinds=(Step.RETREATS,)))

    assert len(printed.layout.pages) == 7 * 4
    assert len(pads(cup, Power.ITALY, Step.RETREATS)) == 2 + 4
    assert len(set(printed_sheets(cup))) == 7 * 7 + 7 * 4, "no serial is printed twice"


def test_what_does_not_go_together_is_refused_all_at_once(cup: Event) -> None:
    with pytest.raises(Stopped) as stopped:
        print_round(cup, 1, wish=PrintWish(pads=2, phase=Phase.read("F1901M"), spare=1))
    assert [problem.text for problem in stopped.value.problems] == [
        "a pad has no phase, the player ticks it; leave F1901M out, or print no pads",
        "pads need no spare sheets; print more than 2 of them instead",
    ]
    with pytest.raises(Stopped, match="examples for beginners are of free lines"):
        print_round(cup, 1, wish=PrintWish(for_beginners=True, design=Design.TARGETS))
    with pytest.raises(Stopped, match="only pads are printed by kind"):
        print_round(cup, 1, wish=PrintWish(kinds=(Step.RETREATS,)))


def test_who_has_neither_a_unit_nor_a_centre_is_printed_nothing_and_who_has_either_may_write(cup: Event) -> None:
    given = {"units": {"FRANCE": ["A PAR"], "ITALY": []}, "centers": {"FRANCE": [], "ITALY": ["ROM"]}}
    value = write_position(find_game(cup, "1").position)
    gone: dict[str, dict[str, list[str]]] = {name: {"AUSTRIA": []} | own for name, own in given.items()}
    value |= {name: value[name] | own for name, own in gone.items()}
    append_fact(cup.facts, "position set", {"board": "1.1", "position": value}, "Tess")
    for wish in (PrintWish(pads=1), *(PrintWish(phase=Phase.read(phase)) for phase in ("F1901M", "F1901R", "W1901A"))):
        requests = [each for run in record_sheets(cup, 1, None, wish).runs for each in run.requests]
        assert {each.power for each in requests} == {*Power} - {Power.AUSTRIA}, wish
    assert {power for power, _ in _writers(find_game(cup, "1"), FIRST_PHASE)} == {*Power} - {Power.AUSTRIA, Power.ITALY}


def test_pads_end_with_the_last_year_that_can_be_ticked(cup: Event) -> None:
    value = write_position(find_game(cup, "1").position) | {"phase": "S1911M"}
    append_fact(cup.facts, "position set", {"board": "1.1", "position": value}, "Tess")
    with pytest.raises(Stopped, match="the years on the pads end with 1910"):
        print_round(cup, 1, wish=PrintWish(pads=2))


def test_a_pad_ticked_for_the_open_phase_is_read_as_a_sheet_is(cup: Event) -> None:
    hand_in_sheet(cup, pads(cup)[1], LINES, "a" * 64, ticks="spring 1901")

    rows = england(cup)

    assert (rows.state, rows.is_open) == (SheetState.IN, False)
    assert [write(order) for order in rows.orders] == OPENINGS[Power.ENGLAND]
    assert board_orders(cup, find_game(cup, "1"))["powers"]["ENGLAND"]["sheet"] == "in"
    assert status(cup)["problems"] == []


@pytest.mark.parametrize(
    ("ticks", "doubt"),
    [
        ("fall 1901", "Fall 1901 is ticked on {}, but is still to come; Spring 1901 is open; rule whether"),
        ("spring 1904", "Spring 1904 is ticked on {}, but is still to come; Spring 1901 is open; rule whether"),
        ("", "no season and no year is ticked on {}; Spring 1901 is open; rule whether"),
        ("spring", "no year is ticked on {}; Spring 1901 is open; rule whether"),
        ("1901", "no season is ticked on {}; Spring 1901 is open; rule whether"),
        (
            "spring fall 1901",
            "Spring and Fall, 1901 are ticked on {}, one of each is wanted; Spring 1901 is open; rule",
        ),
        (
            "spring 1901 1902",
            "Spring, 1901 and 1902 are ticked on {}, one of each is wanted; Spring 1901 is open; rule",
        ),
    ],
)
def test_wrong_ticks_wait_for_a_person_with_what_is_ticked_and_what_is_open(cup: Event, ticks: str, doubt: str) -> None:
    sheet = pads(cup)[0]
    hand_in_sheet(cup, sheet, LINES, "a" * 64, ticks=ticks)

    (asked,) = open_problems(england(cup))

    assert asked.startswith(doubt.format(sheet))
    assert asked.endswith("the director rules (the rules are silent)")
    with pytest.raises(Stopped):
        publish(cup, "1", "Tess")

    rule_sheet(cup, ENGLAND, SheetDecision.ACCEPTED, by="Tess")

    assert [write(order) for order in england(cup).orders] == OPENINGS[Power.ENGLAND]
    assert not england(cup).is_open


def test_a_season_that_is_over_is_told_as_such(cup: Event) -> None:
    all_but_england(cup, "spring 1901")
    hand_in_sheet(cup, pads(cup)[0], LINES, "a" * 64, ticks="spring 1901")
    publish(cup, "1", "Tess")
    hand_in_sheet(cup, pads(cup)[1], [inked(1, "F NTH - NWY")], "b" * 64, ticks="spring 1901")

    (asked,) = open_problems(england(cup))

    assert asked.startswith(f"Spring 1901 is ticked on {pads(cup)[1]}, but is over; Fall 1901 is open")


def test_the_rule_of_the_tournament_is_quoted(cup: Event) -> None:
    """NZ99 10 wants year and season, and leaves the rest to the director."""
    hand_in_sheet(cup, pads(cup)[0], LINES, "a" * 64, ticks="fall 1901")
    with_rules(cup, msgspec.structs.replace(cup.tournament.conduct, wrong_season=Setting(ErrorFault.ASK, "NZ99 10")))
    assert "the sheet says Fall 1901: the director rules (NZ99 10)" in open_problems(england(cup))[0]


def test_where_the_rules_accept_a_wrong_season_nobody_is_asked_and_it_is_noted(cup: Event) -> None:
    with_rules(cup, msgspec.structs.replace(cup.tournament.conduct, wrong_season=Setting(ErrorFault.ACCEPTED, "X 1")))
    hand_in_sheet(cup, pads(cup)[0], LINES, "a" * 64, ticks="fall 1901")

    rows = england(cup)

    assert not rows.is_open
    assert "the sheet says Fall 1901: they are accepted (X 1)" in rows.problems[0].text
    assert [write(order) for order in rows.orders] == OPENINGS[Power.ENGLAND]


def test_where_the_rules_refuse_a_wrong_season_a_person_says_that_it_is_one(cup: Event) -> None:
    with_rules(cup, msgspec.structs.replace(cup.tournament.conduct, wrong_season=Setting(ErrorFault.REFUSED, "X 1")))
    hand_in_sheet(cup, pads(cup)[0], LINES, "a" * 64, ticks="fall 1901")
    (asked,) = open_problems(england(cup))
    assert "refuse it, or accept it if other boxes are ticked on the paper" in asked
    assert "the sheet says Fall 1901: they are refused" in asked

    rule_sheet(cup, ENGLAND, SheetDecision.REFUSED, by="Tess")

    assert (england(cup).state, england(cup).orders, england(cup).is_open) == (SheetState.REFUSED, (), False)


def test_a_late_pad_that_counts_says_what_is_wrong_with_its_ticks(cup: Event) -> None:
    sheet = pads(cup)[0]
    hand_in_sheet(cup, sheet, LINES, "a" * 64, ticks="fall 1901")
    rule_sheet(cup, ENGLAND, SheetDecision.LATE, by="Tess")

    late, ticks = england(cup).problems

    assert "a warning" in late.text
    assert ticks.text == f"Fall 1901 is ticked on {sheet}, but is still to come; Spring 1901 is open"
    assert not england(cup).is_open


def test_a_missing_tick_is_a_header_that_is_incomplete(cup: Event) -> None:
    with_rules(
        cup, msgspec.structs.replace(cup.tournament.conduct, header_incomplete=Setting(ErrorFault.ACCEPTED, "X 1"))
    )
    hand_in_sheet(cup, pads(cup)[0], LINES, "a" * 64, ticks="1901")
    assert not england(cup).is_open
    assert "not on the sheet: season: they are accepted (X 1)" in england(cup).problems[0].text


def doubt_on(event: Event, power: Power) -> ReviewItem:
    """What a person must say of a power's sheet."""
    (doubt,) = (doubt for doubt in queue(event) if doubt.turn.power is power and doubt.row is None)
    return doubt


def told(doubt: ReviewItem) -> str:
    return doubt.problem.text if doubt.problem else ""


def test_a_ruling_on_a_wrong_season_is_offered_when_the_same_doubt_comes_again_and_never_applied(cup: Event) -> None:
    live = LiveDesk(cup)
    hand_in_sheet(cup, pads(cup, Power.FRANCE)[0], [inked(1, "F BRE - MAO")], "a" * 64, ticks="fall 1901")
    hand_in_sheet(cup, pads(cup)[0], LINES, "b" * 64, ticks="spring 1902")
    hand_in_sheet(cup, pads(cup, Power.ITALY)[0], [inked(1, "F NAP - ION")], "c" * 64, ticks="spring")
    live.refresh()
    assert "offered" not in open_problems(england(cup))[0]

    fact = settle_doubt(
        cup, doubt_on(cup, Power.FRANCE), SheetDecision.ACCEPTED, "Tess", "he holds the pen in his left hand"
    )

    offered = f"offered: Tess ruled 'accepted' on {local_time(clock())}, because he holds the pen in his left hand"
    assert told(doubt_on(cup, Power.ENGLAND)).endswith(f"the director rules (the rules are silent); {offered}")
    assert "offered" not in told(doubt_on(cup, Power.ITALY)), "a year that is missing is another question"
    live.refresh()
    assert live.power(live.games["1.1"], Power.ENGLAND) == england(cup), "the desk in memory followed"
    (page,) = rulings_book(cup.facts.everything(), with_readings=False).rulings
    assert (page.situation.doubt, page.situation.context) == ("WRONG_SEASON", TickFault.TO_COME)
    assert (page.decision, page.case) == ("accepted", "board 1.1, S1901M, sheet")

    later = settle_doubt(cup, doubt_on(cup, Power.ENGLAND), SheetDecision.REFUSED, "Una", "it was said")
    hand_in_sheet(cup, pads(cup, Power.GERMANY)[0], [inked(1, "F KIE - DEN")], "d" * 64, ticks="fall 1901")
    assert "; offered: Una ruled 'refused'" in told(doubt_on(cup, Power.GERMANY)), "the newest ruling"

    for ruled in (later, fact):
        undo_ruling(cup, ruled, "Tess")

    assert "offered" not in open_problems(england(cup))[0]


def test_two_pads_for_one_turn_are_two_sheets_and_the_wrong_season_is_named(cup: Event) -> None:
    right, early = pads(cup)[:2]
    hand_in_sheet(cup, right, LINES, "a" * 64, ticks="spring 1901")
    hand_in_sheet(cup, early, [inked(1, "F NTH - NWY")], "b" * 64, ticks="fall 1901")

    rows = england(cup)

    assert rows.state is SheetState.TWO
    assert f"Fall 1901 is ticked on {early}, but is still to come" in rows.problems[0].text
    serial = printed_sheets(cup)[right].request.id.serial
    rule_sheet(cup, ENGLAND, SheetDecision.CHOSEN, by="Tess", serial=serial)
    assert [write(order) for order in england(cup).orders] == OPENINGS[Power.ENGLAND]


def test_a_doubtful_pad_that_comes_after_a_ruling_is_asked_anew(cup: Event) -> None:
    right, other = pads(cup)[:2]
    hand_in_sheet(cup, right, LINES, "a" * 64, ticks="spring 1901", signed=False)
    rule_sheet(cup, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    assert not england(cup).is_open

    hand_in_sheet(cup, other, [inked(1, "F LON - ENG")], "b" * 64, ticks="fall 1901")

    (asked,) = open_problems(england(cup))
    assert asked.startswith("two sheets are in")
    rule_sheet(cup, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    assert open_problems(england(cup)) == [], "now a person has seen both"


def test_a_pad_is_for_one_turn_and_a_second_is_always_asked(cup: Event) -> None:
    """The paper was ticked wrongly, accepted for Spring, and is fed again in Fall, where its ticks fit."""
    live = LiveDesk(cup)
    all_but_england(cup, "spring 1901")
    hand_in_sheet(cup, pads(cup)[0], LINES, "a" * 64, ticks="fall 1901")
    rule_sheet(cup, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    publish(cup, "1", "Tess")

    hand_in_sheet(cup, pads(cup)[0], LINES, "b" * 64, ticks="fall 1901")

    (asked,) = open_problems(england(cup))
    assert "came in for Spring 1901 already, and now for Fall 1901; a pad is for one turn only" in asked
    assert list(check_event(cup)) == [], "what was published stays as it was"
    live.refresh()
    assert live.power(live.games["1.1"], Power.ENGLAND) == england(cup), "the desk in memory followed fact by fact"


def test_a_pad_fed_again_with_the_ticks_of_its_own_turn_changes_nothing(cup: Event) -> None:
    all_but_england(cup, "spring 1901")
    hand_in_sheet(cup, pads(cup)[0], LINES, "a" * 64, ticks="spring 1901")
    publish(cup, "1", "Tess")

    hand_in_sheet(cup, pads(cup)[0], LINES, "b" * 64, ticks="spring 1901")

    assert england(cup).state is SheetState.MISSING
    assert list(check_event(cup)) == []


def test_a_pad_that_is_ticked_now_and_scanned_again_is_as_its_last_scan_says(cup: Event) -> None:
    hand_in_sheet(cup, pads(cup)[0], LINES, "a" * 64, ticks="spring")
    assert england(cup).is_open

    hand_in_sheet(cup, pads(cup)[0], LINES, "b" * 64, ticks="spring 1901")

    assert not england(cup).is_open


def test_a_pad_that_was_accepted_and_is_ticked_for_another_season_since_is_asked(cup: Event) -> None:
    sheet = pads(cup)[0]
    hand_in_sheet(cup, sheet, LINES, "a" * 64, ticks="spring", signed=True)
    rule_sheet(cup, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    hand_in_sheet(cup, sheet, LINES, "b" * 64, ticks="spring", signed=True)
    assert not england(cup).is_open
    hand_in_sheet(cup, sheet, LINES, "c" * 64, ticks="fall 1901", signed=True)
    assert open_problems(england(cup))


def test_a_pad_of_another_kind_waits_for_its_own_phase_and_is_told(cup: Event) -> None:
    sheet = pads(cup, step=Step.ADJUSTMENTS)[0]
    hand_in_sheet(cup, sheet, [inked(1, "F LON B")], "a" * 64, ticks="1901")

    assert england(cup).state is SheetState.MISSING
    (problem,) = status(cup)["problems"]
    assert problem["text"] == "adjustments pad: it waits for Winter 1901 adjustments; Spring 1901 is open"
    assert problem["where"].startswith(sheet)


def test_retreats_and_adjustments_are_read_from_their_own_pads(cup: Event) -> None:
    position = write_position(find_game(cup, "1").position) | {"phase": "S1902R"}
    position["units"]["ENGLAND"] = ["F NTH"]
    position["dislodged"] = [{"power": "ENGLAND", "unit": "A YOR", "from": "LVP", "retreats": ["EDI", "WAL"]}]
    append_fact(cup.facts, "position set", {"board": "1.1", "position": position}, "Tess")
    hand_in_sheet(cup, pads(cup, step=Step.RETREATS)[0], [inked(1, "A YOR R EDI")], "a" * 64, ticks="spring 1902")
    assert [write(order) for order in england(cup).orders] == ["A YOR R EDI"]
    assert not england(cup).is_open
    hand_in_sheet(cup, pads(cup, step=Step.RETREATS)[1], [inked(1, "A YOR R WAL")], "b" * 64, ticks="fall 1902")
    assert england(cup).state is SheetState.TWO

    adjusting = write_position(find_game(cup, "1").position) | {"phase": "W1902A", "dislodged": []}
    adjusting["units"]["ENGLAND"] = ["F NTH", "A YOR"]
    append_fact(cup.facts, "position set", {"board": "1.1", "position": adjusting}, "Tess")
    hand_in_sheet(cup, pads(cup, step=Step.ADJUSTMENTS)[0], [inked(1, "F LON B")], "c" * 64, ticks="1902")
    assert [write(order) for order in england(cup).orders] == ["F LON B"]
    assert not england(cup).is_open


def test_pads_read_before_a_position_is_set_by_hand_are_for_the_phase_that_was_set(cup: Event) -> None:
    hand_in_sheet(cup, pads(cup)[0], LINES, "a" * 64, ticks="spring 1903")
    assert england(cup).is_open
    live = LiveDesk(cup)

    value = write_position(find_game(cup, "1").position) | {"phase": "S1903M"}
    append_fact(cup.facts, "position set", {"board": "1.1", "position": value}, "Tess")

    assert not england(cup).is_open
    live.refresh()
    assert not live.power(live.games["1.1"], Power.ENGLAND).is_open


def test_explain_leads_back_to_the_pad_and_its_ticks(cup: Event) -> None:
    all_but_england(cup, "spring 1901")
    hand_in_sheet(cup, pads(cup)[0], LINES, "a" * 64, ticks="spring 1901")
    publish(cup, "1", "Tess")
    assert f"  pad         {pads(cup)[0]} is ticked Spring 1901" in list(explain_question(cup, "1 S1901M F LON"))


def test_typed_lines_replace_a_pad_as_they_replace_a_sheet(cup: Event) -> None:
    hand_in_sheet(cup, pads(cup)[0], LINES, "a" * 64, ticks="")
    type_lines(cup, ENGLAND, OPENINGS[Power.ENGLAND], by="Tess")
    assert (england(cup).state, england(cup).is_open) == (SheetState.TYPED, False)


def test_a_pad_and_a_second_part_never_share_the_number_of_a_row(cup: Event) -> None:
    position = write_position(find_game(cup, "1").position)
    position["units"]["ENGLAND"] = [
        "F LON",
        "A LVP",
        "F EDI",
        "F NTH",
        "A WAL",
        "A YOR",
        "F ENG",
        "F IRI",
        "A CLY",
        "F NWG",
    ]
    append_fact(cup.facts, "position set", {"board": "1.1", "position": position}, "Tess")
    print_round(cup, 1, wish=PrintWish(for_beginners=True))
    (part,) = [s for s, p in printed_sheets(cup).items() if (p.request.power, p.request.part) == (Power.ENGLAND, 2)]
    row = printed_sheets(cup)[part].page.form.rows[0].row or 0
    hand_in_sheet(cup, pads(cup)[0], [inked(row, "F LON - ENG")], "a" * 64, ticks="spring 1901")
    hand_in_sheet(cup, part, [inked(row, "F NTH - NWY")], "b" * 64)

    numbers = [number for number, _, _ in number_rows(sheets_in(cup)[ENGLAND])]

    assert (numbers[0], len(set(numbers))) == (row, 2)

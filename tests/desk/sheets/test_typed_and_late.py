"""Lines that were typed never vanish in silence: what a later ruling makes of them is done, and told."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from commands import run

from desk.came import ENGLAND, HOLDS, ORDERS, asked, england, orders, published, scanned, written
from desk.cup import NAMES, clock, hand_in_all, printed, seated, sheets_of
from pipeline.board import Phase, Power
from pipeline.cli import group
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import games
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.results.results import event_results
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import rule_sheet, type_lines, undo_ruling
from pipeline.desk.sheets.pads import SheetState
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.ledger.events import SheetRuled
from pipeline.ledger.files import local_time
from pipeline.ledger.parts import SheetDecision
from pipeline.paper.sheet_rows import Design
from pipeline.problems import Weight
from pipeline.rules.conduct import FOREIGN_SHEET, JOINT_ORDERS, PROXY_ORDERS, Effect, FaultOfForm, decide_conduct
from pipeline.rules.load import tournament_ids

LATE = [decision for decision in SheetDecision if decision.is_late]


def notes(event: Event) -> list[str]:
    return [problem.text for problem in england(event).problems if problem.weight is Weight.NOTES]


def effect_of_late(event: Event) -> Effect:
    return next(iter(Desk.of(event).conduct.late_points().values())).effect


@pytest.mark.parametrize("decision", LATE)
@pytest.mark.parametrize("tournament", tournament_ids())
def test_typed_lines_that_came_late_are_what_the_tournament_makes_of_late_orders(
    tmp_path: Path, tournament: str, decision: SheetDecision
) -> None:
    with open_event(seated(tmp_path / "cup", tournament=tournament), clock) as event:
        print_round(event, 1)
        type_lines(event, ENGLAND, HOLDS, by="Tess")
        rule_sheet(event, ENGLAND, decision, by="Tess")
        live = LiveDesk(event)
        assert live.power(live.games["1.1"], Power.ENGLAND) == england(event)
        assert england(event).state is SheetState.LATE
        match effect_of_late(event):
            case Effect.ACCEPTED:
                assert (orders(event), asked(event)) == (HOLDS, [])
                assert not any("do not count" in note for note in notes(event))
            case Effect.NO_ORDERS:
                assert (orders(event), asked(event)) == ([], [])
                assert notes(event)[-1].startswith("the lines that Tess typed on")
            case _:
                assert (orders(event), len(asked(event))) == (HOLDS, 1)
                rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
                assert (orders(event), asked(event)) == (HOLDS, [])


@pytest.mark.parametrize("decision", LATE)
@pytest.mark.parametrize("tournament", tournament_ids())
def test_lines_typed_for_late_orders_are_late_and_are_asked_about_where_late_orders_do_not_count(
    tmp_path: Path, tournament: str, decision: SheetDecision
) -> None:
    with open_event(seated(tmp_path / "cup", tournament=tournament), clock) as event:
        type_lines(event, ENGLAND, ORDERS, by="Tess")
        rule_sheet(event, ENGLAND, decision, by="Tess")
        costs = Desk.of(event).conduct.late_points()
        type_lines(event, ENGLAND, HOLDS, by="Tess")
        assert Desk.of(event).conduct.late_points() == costs
        assert (england(event).state, orders(event)) == (SheetState.LATE, HOLDS)
        if effect_of_late(event) is Effect.ACCEPTED:
            assert asked(event) == []
            return
        (question,) = asked(event)
        assert question.startswith("Tess typed lines on 2026-01-02 09:00 after Tess ruled 'late")
        rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
        assert (orders(event), asked(event), Desk.of(event).conduct.late_points()) == (HOLDS, [], {})


def test_what_late_makes_of_typed_lines_is_told_by_the_command(tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup", tournament="nzdc1999")
    rule = ["rule", str(folder), "--board", "1", "--power", "ENGLAND", "--by", "Tess"]
    CliRunner().invoke(group, [*rule, *(part for line in HOLDS for part in ("--type", line))])
    told = run(*rule, "--sheet", "late")
    assert "they are accepted, with a warning (NZ99 9)" in told
    assert all(order in told for order in HOLDS)
    with open_event(folder, clock) as event:
        assert orders(event) == HOLDS


@pytest.mark.parametrize("decision", [SheetDecision.NO_ORDERS, SheetDecision.REFUSED])
def test_typed_lines_that_are_ruled_out_are_told_not_to_count(event: Event, decision: SheetDecision) -> None:
    type_lines(event, ENGLAND, HOLDS, by="Tess")
    rule_sheet(event, ENGLAND, decision, by="Tess")
    assert (orders(event), asked(event)) == ([], [])
    assert notes(event) == [f"the lines that Tess typed on {local_time(clock())} do not count"]
    undo_ruling(event, next(event.facts.select(SheetRuled)), "Tess")
    assert (england(event).state, orders(event)) == (SheetState.TYPED, HOLDS)


@pytest.mark.parametrize("decision", [SheetDecision.ACCEPTED, SheetDecision.ALL_UNSIGNED])
def test_to_accept_typed_lines_leaves_them(event: Event, decision: SheetDecision) -> None:
    type_lines(event, ENGLAND, HOLDS, by="Tess")
    rule_sheet(event, ENGLAND, decision, by="Tess")
    assert (england(event).state, orders(event), notes(event)) == (SheetState.TYPED, HOLDS, [])


def test_a_late_ruling_on_the_sheet_beside_typed_lines_tells_which_of_them_counts(
    event: Event, sheets: list[str]
) -> None:
    scanned(event, sheets[0], written(*ORDERS), "a")
    type_lines(event, ENGLAND, HOLDS, by="Tess")
    assert notes(event) == [f"{sheets[0]} does not count: Tess typed lines on {local_time(clock())} instead"]
    rule_sheet(event, ENGLAND, SheetDecision.LATE, by="Tess")
    assert orders(event) == ORDERS
    assert notes(event)[-1] == f"the lines that Tess typed on {local_time(clock())} do not count"
    rule_sheet(event, ENGLAND, SheetDecision.REFUSED, by="Tess")
    assert orders(event) == HOLDS
    assert notes(event) == [f"{sheets[0]} does not count, and the lines that Tess typed do"]


@pytest.mark.parametrize("decision", [SheetDecision.LATE, SheetDecision.REFUSED, SheetDecision.ACCEPTED])
def test_a_ruling_on_lines_that_were_taken_back_is_asked_again_though_earlier_lines_stand(
    event: Event, decision: SheetDecision
) -> None:
    type_lines(event, ENGLAND, ORDERS, by="Tess")
    later = type_lines(event, ENGLAND, HOLDS, by="Ann")
    rule_sheet(event, ENGLAND, decision, by="Tess")
    assert asked(event) == []

    undo_ruling(event, later, "Tess")

    (question,) = asked(event)
    assert question.startswith("the lines that Ann typed were taken back after Tess ruled")
    rule_sheet(event, ENGLAND, decision, by="Tess")
    assert (asked(event), orders(event)) == ([], [] if decision is SheetDecision.REFUSED else ORDERS)


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_sheet_that_is_too_late_by_the_rules_leaves_the_lines_that_were_typed(
    tmp_path: Path, tournament: str
) -> None:
    with open_event(seated(tmp_path / "cup", tournament=tournament), clock) as event:
        print_round(event, 1)
        scanned(event, sheets_of(event, ENGLAND)[0], written(*ORDERS), "a")
        type_lines(event, ENGLAND, HOLDS, by="Tess")
        rule_sheet(event, ENGLAND, SheetDecision.LATE, by="Tess")
        assert orders(event) == (HOLDS if effect_of_late(event) is Effect.NO_ORDERS else ORDERS)


def test_a_blank_sheet_that_comes_after_them_does_not_lay_late_lines_aside(event: Event, sheets: list[str]) -> None:
    type_lines(event, ENGLAND, HOLDS, by="Tess")
    rule_sheet(event, ENGLAND, SheetDecision.LATE, by="Tess")
    scanned(event, sheets[0], written(), "a")
    assert (orders(event), asked(event)) == (HOLDS, [])
    scanned(event, sheets[1], written(*ORDERS), "b")
    assert "came in after Tess typed lines" in asked(event)[0]


def test_late_lines_are_published_as_they_were_typed(event: Event) -> None:
    hand_in_all(event, but=Power.ENGLAND)
    type_lines(event, ENGLAND, HOLDS, by="Tess")
    rule_sheet(event, ENGLAND, SheetDecision.LATE, by="Tess")
    assert published(event) == HOLDS


@pytest.mark.parametrize(("board", "phase"), [("1.1", "F1901M"), ("2.1", "S1901M")])
def test_which_sheet_was_late_first_goes_by_play_and_not_by_when_that_was_ruled(
    tmp_path: Path, board: str, phase: str
) -> None:
    """NZ99 9: one warning for the whole tournament; that Spring 1901's sheet had been late is found out last."""
    second = Turn(board, Phase.read(phase), Power.ENGLAND)
    with open_event(seated(tmp_path / "cup", tournament="nzdc1999"), clock) as event:
        seat_round(event, 2, {"1": NAMES}, by="Tess")
        type_lines(event, ENGLAND, ORDERS, by="Tess")
        for turn in (second, ENGLAND):
            rule_sheet(event, turn, SheetDecision.LATE, by="Tess")

        late = Desk.of(event).conduct.late_points()

    assert (late[ENGLAND].effect, late[second].effect) == (Effect.ACCEPTED, Effect.NO_ORDERS)


def test_what_a_late_sheet_costs_is_public_once_its_phase_is(tmp_path: Path) -> None:
    """EDC23 D4."""
    with open_event(printed(tmp_path / "cup", "edc2023"), clock) as event:
        hand_in_all(event)
        rule_sheet(event, ENGLAND, SheetDecision.LATE, by="Tess")
        (cost,) = event_results(event).penalties
        assert event_results(event, public=games(event)).penalties == ()
        published(event)
        assert event_results(event, public=games(event)).penalties == event_results(event).penalties == (cost,)


FAULT_OF: dict[SheetDecision, FaultOfForm] = {
    SheetDecision.FOREIGN: FOREIGN_SHEET,
    SheetDecision.JOINT: JOINT_ORDERS,
    SheetDecision.PROXY: PROXY_ORDERS,
}


@pytest.mark.parametrize("typed", [False, True], ids=["sheet", "typed"])
@pytest.mark.parametrize("decision", FAULT_OF)
@pytest.mark.parametrize("tournament", ["nzdc1999", "wdc2008"])
def test_of_joint_and_proxy_orders_and_other_paper_the_rules_say_what_counts(
    tmp_path: Path, tournament: str, decision: SheetDecision, *, typed: bool
) -> None:
    """NZ99 10: joint orders are acceptable, perpetual and proxy orders are not; the others ask (WDC08 11.2)."""
    with open_event(seated(tmp_path / "cup", tournament=tournament), clock) as event:
        print_round(event, 1, wish=PrintWish(design=Design.LINE))
        if typed:
            type_lines(event, ENGLAND, HOLDS, by="Tess")
        else:
            scanned(event, sheets_of(event, ENGLAND)[0], written(*HOLDS), "a")
        rule_sheet(event, ENGLAND, decision, by="Tess")
        conduct = decide_conduct(FAULT_OF[decision], event.tournament.conduct)
        told = [problem.text for problem in england(event).problems]
        assert any(conduct.reason in text for text in told), told
        match conduct.effect:
            case Effect.ACCEPTED:
                assert (orders(event), asked(event)) == (HOLDS, [])
            case Effect.NO_ORDERS:
                assert (orders(event), asked(event)) == ([], [])
            case _:
                assert (orders(event), len(asked(event))) == (HOLDS, 1)
                rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
                assert (orders(event), asked(event)) == (HOLDS, [])

"""What was published is corrected in one step: what would follow is shown, then all is written down together."""

import pytest
from facts_as_kept import read_facts

from desk.cup import hand_in_all, spring
from desk.publish.test_correct import BOARD, play, weasel_winter
from pipeline.board import FIRST_PHASE, Phase, Power, standard_map
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.publish.dutchmen import set_position
from pipeline.desk.publish.explain import check_event
from pipeline.desk.publish.publish import publish
from pipeline.desk.review.correcting import Consequences, WantedCorrection, foresee_correction, make_correction
from pipeline.desk.review.meaning import MeansNothing
from pipeline.desk.review.sheet_changes import LinesChange, RowChange, SheetChange
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import RowDecision, rule_row, type_lines
from pipeline.desk.sheets.printing import print_round
from pipeline.journal.acts import undo_all
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import read_position, write
from pipeline.problems import ExitCode, Stopped
from pipeline.rules.conduct import Correction
from pipeline.scoring.results import Ending

SPRING = str(FIRST_PHASE)
KEEP = "tick 'it is meant so'"
HOLDS = RowChange(power=Power.AUSTRIA, line=1, order="A VIE H")


@pytest.fixture
def published(event: Event) -> Event:
    """Spring is published, and the sheets of Fall are printed."""
    hand_in_all(event)
    publish(event, "1", "Tess")
    print_round(event, 1)
    return event


def foresee(event: Event, *changes: RowChange | SheetChange | LinesChange, passed: bool = False) -> Consequences:
    wanted = WantedCorrection(board="1.1", phase=SPRING, changes=changes, deadline_passed=passed)
    return foresee_correction(event, wanted, by="Tess", keep=KEEP)


def correct(event: Event, *changes: RowChange | SheetChange | LinesChange, why: str = "misread") -> tuple[int, ...]:
    wanted = WantedCorrection(board="1.1", phase=SPRING, changes=changes, deadline_passed=False)
    return make_correction(event, wanted, by="Tess", why=why, keep=KEEP)[0]


def order_of(event: Event, power: Power, line: int) -> str:
    played = find_game(event, "1.1").played[0]
    return next(row.order or "" for row in played.fact.said.rows[power] if row.line == line)


def test_everything_that_follows_is_shown_and_nothing_is_written(published: Event) -> None:
    newest, before = published.facts.last_number(), find_game(published, "1.1")

    found = foresee(published, HOLDS)

    assert any(change.startswith("AUSTRIA orders: published A VIE") for change in found.proposal.phases[0][1])
    assert (found.proposal.verdict, found.proposal.rule) == (Correction.CORRECTED, "WM VII.2.a")
    assert found.opened == Phase.read("F1901M")
    assert "sheets of Fall 1901 of Russia: collect them; what they must order is something else then" in found.collect
    assert "card and map of Spring 1901: new ones are made; collect the old ones" in found.collect
    austria = next(power for power in found.rows if power.power is Power.AUSTRIA)
    assert next(write(row.order) for row in austria.rows if row.order) == "A VIE H"
    assert published.facts.last_number() == newest
    assert find_game(published, "1.1") == before


def test_a_correction_is_written_with_its_changes_and_taken_back_with_them(published: Event) -> None:
    first = order_of(published, Power.AUSTRIA, 1)

    numbers = correct(published, HOLDS)

    assert order_of(published, Power.AUSTRIA, 1) == "A VIE H"
    assert list(check_event(published)) == []
    undo_all(published, numbers, by="Tess", why="it was right")
    assert order_of(published, Power.AUSTRIA, 1) == first
    assert list(check_event(published)) == []


def test_what_the_rules_do_not_follow_must_be_meant(published: Event) -> None:
    change = RowChange(power=Power.AUSTRIA, line=1, order="A VIE - MOS")
    with pytest.raises(MeansNothing, match="it is meant so"):
        foresee(published, change)
    newest = published.facts.last_number()
    with pytest.raises(MeansNothing):
        correct(published, HOLDS, change)
    assert published.facts.last_number() == newest, "neither the first change nor the second"

    found = foresee(published, RowChange(power=Power.AUSTRIA, line=1, order="A VIE - MOS", anyway=True))
    assert found.proposal.changes_anything


def test_lines_are_typed_and_sheets_are_refused(published: Event) -> None:
    typed = LinesChange(power=Power.FRANCE, lines=("A PAR H", "A MAR H", "F BRE H"))
    refused = SheetChange(power=Power.ENGLAND, decision=SheetDecision.REFUSED)

    correct(published, typed, refused)

    game = find_game(published, "1.1")
    assert sorted(map(str, game.position.units[Power.FRANCE])) == ["A MAR", "A PAR", "F BRE"]
    assert sorted(map(str, game.position.units[Power.ENGLAND])) == ["A LVP", "F EDI", "F LON"]


def test_changes_without_an_effect_are_written_down_alone(published: Event) -> None:
    played = len(list(read_facts(published.facts, "published")))
    wrong = SheetChange(power=Power.FRANCE, decision=SheetDecision.ACCEPTED)
    assert not foresee(published, wrong).proposal.changes_anything

    (number,) = correct(published, wrong)

    ruling = Desk.of(published).rulings[spring(Power.FRANCE)].sheet
    assert ruling is not None and ruling.fact.number == number
    assert len(list(read_facts(published.facts, "published"))) == played


def test_without_any_change_nothing_is_corrected(published: Event) -> None:
    with pytest.raises(Stopped, match="nothing changes"):
        correct(published)


def test_what_is_open_in_the_phase_is_settled_first(published: Event) -> None:
    unreadable = RowChange(power=Power.AUSTRIA, line=1, text="??", anyway=True)
    with pytest.raises(Stopped) as stopped:
        foresee(published, unreadable)
    assert stopped.value.code is ExitCode.RULE_FIRST
    assert "AUSTRIA" in stopped.value.problems[0].where


def test_whose_place_changes_is_told_with_both(event: Event) -> None:
    """Of a game that goes on, as if it ended as it stands."""
    units = {"AUSTRIA": ["A SER"], "ITALY": ["A VEN"]}
    centers = {"AUSTRIA": ["VIE", "BUD"], "ITALY": ["VEN", "ROM"]}
    said = {"phase": "F1903M", "units": units, "centers": centers, "dislodged": []}
    set_position(event, find_game(event, "1.1"), read_position(said, standard_map()), "Tess", "taken over")
    for power, line in ((Power.AUSTRIA, "A SER H"), (Power.ITALY, "A VEN H")):
        type_lines(event, Turn("1.1", Phase.read("F1903M"), power), (line,), by="Tess")
    publish(event, "1", "Tess")
    change = RowChange(power=Power.AUSTRIA, line=1, order="A SER - BUD")
    wanted = WantedCorrection(board="1.1", phase="F1903M", changes=(change,))

    found = foresee_correction(event, wanted, by="Tess", keep=KEEP)

    places = {each.player: each for each in found.places}
    assert "Ada" in places
    assert places["Ada"].was != places["Ada"].now
    assert found.as_they_stand


def test_what_is_lost_gained_and_kept_is_said_and_nothing_of_a_phase_after_the_end(event: Event) -> None:
    units = {"AUSTRIA": ["A SER"], "ITALY": ["A VEN"]}
    centers = {"AUSTRIA": ["VIE", "BUD"], "ITALY": ["VEN", "ROM"]}
    said = {"phase": "F1903M", "units": units, "centers": centers, "dislodged": []}
    set_position(event, find_game(event, "1.1"), read_position(said, standard_map()), "Tess", "taken over")
    for power, line in ((Power.AUSTRIA, "A SER H"), (Power.ITALY, "A VEN H")):
        type_lines(event, Turn("1.1", Phase.read("F1903M"), power), (line,), by="Tess")
    publish(event, "1", "Tess")
    end_game(event, find_game(event, "1"), Ending.TIME, by="Tess", why="late")
    change = RowChange(power=Power.AUSTRIA, line=1, order="A SER - BUD")
    wanted = WantedCorrection(board="1.1", phase="F1903M", changes=(change,))
    found = foresee_correction(event, wanted, by="Tess", keep=KEEP)
    assert "AUSTRIA centres after it: loses SER; keeps BUD, VIE" in found.proposal.phases[0][1]
    assert found.opened is None
    assert not found.as_they_stand


def test_where_a_later_phase_is_published_it_must_be_said_whether_the_deadline_had_passed(event: Event) -> None:
    """WM VII.2.a: an error is corrected until the next deadline; a winter that is published tells nothing of it."""
    weasel_winter(event)
    change = RowChange(power=Power.AUSTRIA, line=2, order="A VIE - BOH")
    newest = event.facts.last_number()
    for passed, verdict in ((None, Correction.CORRECTED), (False, Correction.CORRECTED), (True, Correction.ASK)):
        wanted = WantedCorrection(board=BOARD, phase="F1902M", changes=(change,), deadline_passed=passed)
        proposal = foresee_correction(event, wanted, by="Tess", keep=KEEP).proposal
        assert (proposal.deadline_assumed, proposal.verdict) == (passed is None, verdict)
    unsaid = WantedCorrection(board=BOARD, phase="F1902M", changes=(change,))
    with pytest.raises(Stopped, match="before or after the next deadline"):
        make_correction(event, unsaid, by="Tess", why="misheard", keep=KEEP)
    assert event.facts.last_number() == newest
    assert make_correction(event, wanted, by="Tess", why="misheard", keep=KEEP)[0]


def test_a_row_of_a_later_phase_that_gives_another_order_unasked_is_named(event: Event) -> None:
    hand_in_all(event)
    rule_row(event, spring(Power.AUSTRIA), 1, RowDecision(order="A VIE H"), "Tess")
    publish(event, "1", "Tess")
    play(event, AUSTRIA=("A VIE - TYR",))
    fall = Turn("1.1", Phase.read("F1901M"), Power.AUSTRIA)
    rule_row(event, fall, 1, RowDecision(text="Boh - Gal"), "Tess")

    found = foresee(event, RowChange(power=Power.AUSTRIA, line=1, order="A VIE - BOH"))

    assert not found.proposal.waits
    (row,) = found.reread
    assert (row.turn, row.line, row.was) == (fall, 1, "A VIE - TYR")
    assert row.now.startswith("A BOH")
    assert not foresee(event, RowChange(power=Power.AUSTRIA, line=1, order="A VIE H")).reread

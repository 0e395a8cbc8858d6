"""A unit to which nobody is entitled is told with the rule on it, and leaves the board by the director's word alone."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec.structs
import pytest
from click.testing import CliRunner
from facts_as_kept import append_fact

from desk.cup import clock, seated
from pipeline.board import FIRST_PHASE, Dislodged, Phase, Power, Step
from pipeline.cli.tables import position_command
from pipeline.desk.event.ending import _still_years
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.publish.dutchmen import dutchmen, set_position, take_units_off
from pipeline.desk.publish.explain import check_event, explain_question
from pipeline.desk.publish.publish import apply_correction, propose_correction, publish
from pipeline.desk.results.notes import enter_note
from pipeline.desk.review.orders_shown import status
from pipeline.desk.ruling.rulings import rule_sheet, type_lines
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import read_unit, write_position
from pipeline.problems import ExitCode, Stopped
from pipeline.rules.reading_rules import LostSheet
from pipeline.rules.switches import Setting

AUSTRIA, RUSSIA = Power.AUSTRIA, Power.RUSSIA
HOMES = ("BUD", "TRI", "VIE")


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Event]:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        yield event


def set_austria(event: Event, phase: str, units: list[str], centres: tuple[str, ...] = HOMES, **more: Any) -> None:
    """Set the board by hand: everybody else stands at home."""
    now = write_position(find_game(event, "1").position)
    position = now | {"phase": phase} | more
    position["units"] = now["units"] | {"AUSTRIA": units}
    position["centers"] = now["centers"] | {"AUSTRIA": list(centres)}
    append_fact(event.facts, "position set", {"board": "1.1", "position": position}, "Tess")


def told(event: Event) -> str:
    """What is said of the board."""
    return "\n".join(problem.text for problem in dutchmen(event, find_game(event, "1")))


def lines_of(event: Event, power: Power, lines: list[str]) -> list[str]:
    """These lines, and that the power's other units hold."""
    position = find_game(event, "1").position
    idle = [str(unit) for unit in position.units[power] if not any(line.startswith(str(unit)) for line in lines)]
    return [*lines, *(f"{unit} H" for unit in idle if position.phase.step is Step.MOVEMENT)]


def play(event: Event, *lines: str, italy: tuple[str, ...] = (), germany: tuple[str, ...] = ()) -> None:
    """Publish what these three wrote; nobody else writes anything."""
    phase = find_game(event, "1").position.phase
    written = {Power.AUSTRIA: lines, Power.ITALY: italy, Power.GERMANY: germany}
    for power in Power:
        turn = Turn("1.1", phase, power)
        if wrote := written.get(power):
            type_lines(event, turn, lines_of(event, power, list(wrote)), by="Tess")
        else:
            rule_sheet(event, turn, SheetDecision.NO_ORDERS, by="Tess")
    publish(event, "1", "Tess")


def goes(text: str) -> list[str]:
    """The units that come off, first to last."""
    return [part.split(" comes off")[0] for part in text.split("; ") if " comes off: " in part]


def test_a_game_has_none_from_its_start_and_in_winter_too_many_are_disbanded_as_a_rule(cup: Event) -> None:
    assert told(cup) == ""
    set_austria(cup, "W1901A", ["A VIE", "A BUD", "F TRI", "A GAL"])
    assert told(cup) == ""


def test_a_unit_that_was_put_there_is_the_one_that_goes_until_the_next_fall_deadline(cup: Event) -> None:
    set_austria(cup, "S1901M", ["A VIE", "A BUD", "F TRI", "A TYR"])

    assert told(cup) == (
        "1 unit more than centres; AUSTRIA is not entitled to so many; surplus builds are taken back from bottom to "
        "top and right to left; any other goes by the removal order (WM VII.3); limit: until the next Fall deadline "
        "(WM VII.3.b); A TYR comes off: it was put there without an order; take it off with "
        "'ordersheets position EVENT 1.1 --off \"A TYR\"'"
    )
    assert status(cup)["problems"] == [{"where": "1.1 AUSTRIA", "text": told(cup)}]
    play(cup, "A TYR - PIE")
    assert goes(told(cup)) == ["A PIE"]
    play(cup, "A PIE H")
    assert find_game(cup, "1").position.phase == Phase.read("W1901A")
    assert told(cup) == "", "now it is counted"


def test_of_builds_that_were_written_here_the_lowest_go_wherever_they_have_gone_since(cup: Event) -> None:
    set_austria(cup, "W1901A", ["A GAL", "A SER", "F GRE"], (*HOMES, "SER", "GRE"))
    play(cup, "F TRI B", "A BUD B")
    played = write_position(find_game(cup, "1").position)

    set_austria(cup, "S1902M", played["units"]["AUSTRIA"], (*HOMES, "SER"))

    assert goes(told(cup)) == ["A BUD"]
    play(cup, "A BUD - RUM", "F TRI - ADR")
    assert goes(told(cup)) == ["A RUM"]
    set_austria(cup, "F1902M", ["A GAL", "A SER", "F GRE", "A RUM", "F ADR"], HOMES)
    assert goes(told(cup)) == ["A RUM", "F ADR"], "from the bottom of the sheet to its top"


def test_it_is_known_again_after_a_retreat_and_after_a_correction(cup: Event) -> None:
    set_austria(cup, "S1901M", ["A VIE", "A BUD", "F TRI", "A TYR"])
    play(cup, "A TYR H", italy=("A VEN - TYR",), germany=("A MUN S A VEN - TYR",))
    assert goes(told(cup)) == ["A TYR"]
    play(cup, "A TYR R BOH")
    assert goes(told(cup)) == ["A BOH"]

    type_lines(
        cup, Turn("1.1", FIRST_PHASE, Power.AUSTRIA), ["A TYR - PIE", "A VIE H", "A BUD H", "F TRI H"], by="Tess"
    )
    proposal = propose_correction(cup, find_game(cup, "1"), str(FIRST_PHASE), deadline_passed=False)
    apply_correction(cup, proposal, by="Tess", why="misheard")

    assert goes(told(cup)) == ["A PIE"]


@pytest.mark.parametrize(
    ("built", "gone"), [(["A VIE", "F TRI"], "F TRI"), (["A VIE", "A BUD"], "A BUD")], ids=["fleet", "by name"]
)
def test_of_builds_without_a_sheet_fleets_go_first_and_then_by_name(cup: Event, built: list[str], gone: str) -> None:
    set_austria(cup, "W1901A", ["A GAL", "A SER", "F ALB"], (*HOMES, "SER"))
    set_austria(cup, "S1902M", ["A GAL", "A SER", "F ALB", *built], (*HOMES, "SER"))
    assert goes(told(cup)) == [gone]

    lost = Setting(LostSheet.ASK)
    rules = msgspec.structs.replace(cup.tournament.adjustments, too_many_builds_sheet_lost=lost)
    cup.tournament = msgspec.structs.replace(cup.tournament, adjustments=rules)

    assert goes(told(cup)) == []
    assert "no sheet says which build it was: the director rules (the rules are silent)" in told(cup)


def test_a_disband_that_was_forgotten_goes_by_the_removal_order(cup: Event) -> None:
    set_austria(cup, "W1901A", ["A VIE", "A BUD", "F TRI", "A UKR"])
    set_austria(cup, "S1902M", ["A VIE", "A BUD", "F TRI", "A UKR"])
    assert goes(told(cup)) == ["A UKR"]
    assert "A UKR comes off: removed: 2 from the nearest owned centre" in told(cup)


def test_a_unit_of_which_nobody_knows_how_it_came_goes_by_the_removal_order(cup: Event) -> None:
    set_austria(cup, "S1904M", ["A VIE", "A BUD", "F TRI", "A UKR"])
    assert goes(told(cup)) == ["A UKR"]


def test_once_the_fall_orders_are_read_nothing_is_taken_off_and_dislodged_units_count(cup: Event) -> None:
    out = [{"power": "AUSTRIA", "unit": "A SER", "from": "GRE", "retreats": ["ALB"]}]
    set_austria(cup, "F1902R", ["A VIE", "A BUD", "F TRI"], dislodged=out)
    assert told(cup).endswith("the Fall orders are read; the adjustments of this Fall now remove the surplus")
    set_austria(cup, "S1902R", ["A VIE", "A BUD", "F TRI"], dislodged=out)
    assert "take it off with" in told(cup)


@pytest.mark.parametrize(
    ("tournament", "off", "said"),
    [
        ("nzdc1999", [], "the director rules (NZ99 15, 18); take it off with"),
        ("edc1996", [], "the director rules (the rules are silent); take it off"),
        ("wdc2008", ["F BLA"], "(WDC08 12.3); limit: the director rules (the rules are silent); F BLA comes off"),
    ],
)
def test_every_tournament_says_its_own(tmp_path: Path, tournament: str, off: list[str], said: str) -> None:
    with open_event(seated(tmp_path / "cup", tournament=tournament), clock) as event:
        set_austria(event, "S1902M", ["A VIE", "A BUD", "F BLA", "A UKR"])
        assert goes(told(event)) == off
        assert said in told(event)


def test_the_command_takes_off_what_is_named_and_nothing_that_is_not_there(cup: Event) -> None:
    set_austria(cup, "S1901M", ["A VIE", "A BUD", "F TRI", "A TYR"])

    shown = CliRunner().invoke(position_command, [str(cup.folder), "1"]).output
    assert "notes  1.1 AUSTRIA: 1 unit more than centres" in shown
    with pytest.raises(Stopped) as stopped:
        CliRunner().invoke(
            position_command, [str(cup.folder), "1", "--off", "A TYRO", "--off", "F BUD"], catch_exceptions=False
        )
    assert [str(problem) for problem in stopped.value.problems] == [
        "stops  A TYRO: no such unit is on the board; did you mean 'A TYR'?",
        "stops  F BUD: no such unit is on the board; did you mean 'A BUD'?",
    ]
    done = CliRunner().invoke(position_command, [str(cup.folder), "1", "--off", "A TYR", "--json"])
    assert (json.loads(done.output)["units"]["AUSTRIA"], json.loads(done.output)["problems"]) == (
        ["A BUD", "A VIE", "F TRI"],
        [],
    )


def test_what_was_published_before_a_unit_was_taken_off_stays(cup: Event) -> None:
    play(cup, "A BUD - SER")
    play(cup, "A SER H")
    assert find_game(cup, "1").position.phase == Phase.read("W1901A")
    play(cup, "A BUD B")
    before = find_game(cup, "1")
    set_position(cup, before, take_units_off(before.position, ["F TRI"]), "Tess")
    play(cup, "A BUD - RUM")
    game = find_game(cup, "1")
    assert [str(played.phase) for played in game.played] == ["S1901M", "F1901M", "W1901A", "S1902M"]
    counts = {1901: {power: 4 if power in (AUSTRIA, RUSSIA) else 3 for power in Power}}
    assert game.played_counts == before.played_counts == counts
    assert "A SER H: stands" in list(explain_question(cup, "1 F1901M A SER"))
    assert list(check_event(cup)) == []
    assert _still_years(game) == 0
    with pytest.raises(Stopped, match="set by hand since; no correction goes back before that"):
        propose_correction(cup, game, "F1901M", deadline_passed=False)
    assert not propose_correction(cup, game, "S1902M", deadline_passed=False).changes_anything
    with pytest.raises(Stopped, match="the game is played here; its orders say the result"):
        enter_note(cup, "result", {"board": "1.1", "ended": "time", "years": ["1901 A4 E5 F5 G5 I5 R5 T5"]}, by="Tess")


def test_no_position_is_set_back_to_where_its_old_orders_would_count_again(cup: Event) -> None:
    start = find_game(cup, "1").position
    play(cup, "A BUD - SER")
    play(cup, "A SER H")
    set_position(cup, find_game(cup, "1"), find_game(cup, "1").position, "Tess")
    with pytest.raises(
        Stopped, match=r"Fall 1901 is published \(number \d+ of the journal\); correct it, or take it back"
    ):
        set_position(cup, find_game(cup, "1"), start, "Tess")


@pytest.mark.parametrize(
    ("phase", "retreats", "told"),
    [
        ("F1901M", ["RUM"], "units are dislodged in a retreat phase only; this is Fall 1901"),
        ("F1901R", ["SER"], "A BUL: SER is occupied"),
        ("F1901R", ["LON"], "A BUL does not border LON"),
    ],
)
def test_no_position_is_set_in_which_a_dislodged_unit_would_be_lost_or_share_a_province(
    cup: Event, phase: str, retreats: list[str], told: str
) -> None:
    start = find_game(cup, "1").position
    driven = (Dislodged(Power.TURKEY, read_unit("A BUL"), "GRE", tuple(retreats)),)
    units = {Power.AUSTRIA: (read_unit("A SER"), read_unit("A VIE"))}
    wanted = msgspec.structs.replace(start, phase=Phase.read(phase), units=units, dislodged=driven)
    with pytest.raises(Stopped, match=told):
        set_position(cup, find_game(cup, "1"), wanted, "Tess")
    set_position(
        cup, find_game(cup, "1"), msgspec.structs.replace(wanted, phase=Phase.read("F1901R"), dislodged=()), "Tess"
    )


def test_phases_of_a_game_that_is_played_here_are_left_out_for_a_reason_only(cup: Event) -> None:
    play(cup, "A BUD - SER")
    now = find_game(cup, "1").position
    later = msgspec.structs.replace(now, phase=Phase.read("S1903M"))
    with pytest.raises(
        Stopped, match=r"Fall 1901 is open, and would not be played: .* Spring 1903; .* say why"
    ) as told:
        set_position(cup, find_game(cup, "1"), later, "Tess")
    assert told.value.code is ExitCode.RULE_FIRST
    set_position(cup, find_game(cup, "1"), now, "Tess")  # another position in the phase that is open
    fact = set_position(cup, find_game(cup, "1"), later, "Tess", "they played on at the bar")
    assert fact.said.why == "they played on at the bar"
    assert find_game(cup, "1").position.phase == Phase.read("S1903M")


def test_a_game_that_begins_here_in_the_middle_needs_no_reason_unless_orders_came(cup: Event) -> None:
    start = find_game(cup, "1").position
    set_position(cup, find_game(cup, "1"), msgspec.structs.replace(start, phase=Phase.read("F1902M")), "Tess")
    type_lines(cup, Turn("1.1", Phase.read("F1902M"), AUSTRIA), ["A VIE H"], by="Tess")
    later = msgspec.structs.replace(start, phase=Phase.read("F1903M"))
    with pytest.raises(Stopped, match="with the orders that are in"):
        set_position(cup, find_game(cup, "1"), later, "Tess")


@pytest.mark.parametrize("before", ["set", "ruled"])
def test_a_game_begins_in_the_middle_once_and_before_anything_is_ruled_on(cup: Event, before: str) -> None:
    """Fall 1903 after Spring 1902 by hand is a jump of a year and a half."""
    start = find_game(cup, "1").position
    if before == "set":
        set_position(cup, find_game(cup, "1"), msgspec.structs.replace(start, phase=Phase.read("S1902M")), "Tess")
    else:
        rule_sheet(cup, Turn("1.1", start.phase, AUSTRIA), SheetDecision.LATE, by="Tess")
    later = msgspec.structs.replace(start, phase=Phase.read("F1903M"))
    with pytest.raises(Stopped, match=r"is open, and would not be played: .* Fall 1903; .* say why"):
        set_position(cup, find_game(cup, "1"), later, "Tess")
    assert set_position(cup, find_game(cup, "1"), later, "Tess", "taken over").said.why == "taken over"


def test_no_board_is_set_before_its_first_season(cup: Event) -> None:
    early = msgspec.structs.replace(find_game(cup, "1").position, phase=Phase.read("F1900M"))
    with pytest.raises(Stopped, match="games begin with Spring 1901; this is Fall 1900"):
        set_position(cup, find_game(cup, "1"), early, "Tess")

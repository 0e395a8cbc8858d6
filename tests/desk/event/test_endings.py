"""A power that owns enough centres after a Fall has won, and the counts of every year are the result's."""

from pathlib import Path
from typing import Any

import pytest
from commands import run
from facts_as_kept import append_fact

from desk.cup import CENTRES, clock, seated
from pipeline.board import Power
from pipeline.desk.drawn_round import records_of
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import find_game
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.publish.publish import publish
from pipeline.desk.results.notes import enter_note
from pipeline.desk.results.results import event_results, scored_event
from pipeline.desk.ruling.rulings import type_lines
from pipeline.draw.field import NotSeated
from pipeline.draw.roster import Player
from pipeline.ledger.parts import DrawRecord
from pipeline.problems import Stopped
from pipeline.scoring.doubts import WithdrewAgain, YearMissing
from pipeline.scoring.results import Ending


def set_up(event: Event, centres: list[str], italian: str) -> None:
    """One Italian unit a centre, and Austria with one unit far away; Fall 1905."""
    units = [f"A {centre}" for centre in centres]
    value: dict[str, Any] = {
        "phase": "F1905M",
        "units": {"ITALY": [*units, italian], "AUSTRIA": ["A MOS"]},
        "centers": {"ITALY": centres, "AUSTRIA": ["MOS"]},
    }
    append_fact(event.facts, "position set", {"board": "1.1", "position": value | {"dislodged": []}}, "Tess")


def play(event: Event, italian: str) -> None:
    phase = find_game(event, "1").position.phase
    units = find_game(event, "1").position.units
    lines = [f"{unit} H" for unit in units[Power.ITALY] if not italian.startswith(str(unit))]
    type_lines(event, Turn("1.1", phase, Power.ITALY), [italian, *lines], by="Tess")
    type_lines(event, Turn("1.1", phase, Power.AUSTRIA), ["A MOS H"], by="Tess")
    publish(event, "1", "Tess")


def test_the_eighteenth_centre_ends_the_game_even_when_nobody_builds(event: Event) -> None:
    set_up(event, CENTRES, "A APU")

    play(event, "A APU - ROM")

    assert find_game(event, "1").ending == Ending.SOLO
    board = event_results(event).boards[0]
    assert (board.centres[Power.ITALY], board.years[1905][Power.ITALY]) == (18, 18)


def test_seventeen_centres_go_on(event: Event) -> None:
    set_up(event, CENTRES, "A APU")

    play(event, "A APU H")

    assert find_game(event, "1").ending is None
    assert event_results(event).boards == ()
    counts = {p: {Power.ITALY: 17, Power.AUSTRIA: 1}.get(p, 0) for p in Power}
    assert event_results(event, running=True).boards[0].years == {1904: counts, 1905: counts}


def test_the_counts_with_which_a_game_was_taken_over_are_those_of_the_year_before(tmp_path: Path) -> None:
    """NZ99 B 1.2: who lived after Fall 1905 has a point, although play began here in 1906."""
    with open_event(seated(tmp_path / "cup", tournament="nzdc1999"), clock) as event:
        position = {
            "phase": "F1906M",
            "units": {"AUSTRIA": ["A MOS"], "ITALY": ["A SER"]},
            "centers": {"AUSTRIA": ["MOS", "VIE"], "ITALY": ["ROM"], "TURKEY": ["SER"]},
            "dislodged": [],
        }
        append_fact(event.facts, "position set", {"board": "1.1", "position": position}, "Tess")
        for power, line in ((Power.AUSTRIA, "A MOS H"), (Power.ITALY, "A SER H")):
            type_lines(event, Turn("1.1", find_game(event, "1").position.phase, power), [line], by="Tess")
        publish(event, "1", "Tess")
        end_game(event, find_game(event, "1"), Ending.TIME, by="Tess")

        scored = scored_event(event)

    scores = {game.power: game.score for game in scored.games}
    assert scores[Power.TURKEY] > 0 == scores[Power.FRANCE]
    assert not [doubt for doubt in scored.doubts if isinstance(doubt, YearMissing)]


def test_why_somebody_stood_aside_is_said_in_the_language_of_the_event(tmp_path: Path) -> None:
    names = [f"P{n}" for n in range(9)]
    details = Details(name="X", code="ABCD", tournament="edc2023", language="fr")
    make_event_folder(tmp_path / "cup", details, [Player(name=name) for name in names], clock)
    run("draw", tmp_path / "cup", "--round", "1", "--aside", "P7", "--aside", "P8")
    with open_event(tmp_path / "cup", clock) as event:
        reasons = {bonus.reason for bonus in scored_event(event).event.bonuses}
    assert reasons == {"sur décision de la direction"}


def test_so_is_that_a_lot_chose_among_those_who_volunteered(tmp_path: Path) -> None:
    players = [Player(name=f"P{n}", stands_aside=n > 5) for n in range(9)]
    details = Details(name="X", code="ABCD", tournament="edc2023", language="fr")
    make_event_folder(tmp_path / "cup", details, players, clock)
    draw = ("draw", tmp_path / "cup", "--round", "1", "--take", "volunteers")
    run(*draw, code=3)  # it seals a lot
    run(*draw, "--word", "pear")
    with open_event(tmp_path / "cup", clock) as event:
        reasons = {bonus.reason for bonus in scored_event(event).event.bonuses}
    assert reasons == {"se retire volontairement (EDC23 B, D, F), par tirage au sort"}


def test_who_stood_aside_gets_what_the_rules_give_for_it(tmp_path: Path) -> None:
    """EDC23 D: the first tercile of that round's scores."""
    names = [f"P{n}" for n in range(8)]
    details = Details(name="X", code="ABCD", tournament="edc2023")
    make_event_folder(tmp_path / "cup", details, [Player(name=name) for name in names], clock)
    with open_event(tmp_path / "cup", clock) as event:
        drawn = DrawRecord(aside=(NotSeated("P7", "volunteered", "volunteers"),))
        seat_round(event, 1, {"1": dict(zip(Power, names, strict=False))}, by="Tess", draw=drawn)
        end_game(event, find_game(event, "1"), Ending.TIME, by="Tess", why="the fire alarm")

        scored = scored_event(event)
        same = {"player": "P7", "kind": "withdrawal", "round": "1"}  # the one that the draw says
        enter_note(event, "bonus", same, by="Tess", why="he asked")
        with pytest.raises(Stopped, match="P7 has it already"):
            enter_note(event, "bonus", same, by="Tess", why="he asked twice")
        told = scored_event(event)

    for each in (scored, told):
        row = next(row for row in each.standings.rows if row.player == "P7")
        assert [extra.kind for extra in row.tally.extras] == ["withdrawal"]
        assert row.total > 0
        assert not [doubt for doubt in each.doubts if isinstance(doubt, WithdrewAgain)]


def test_who_stood_aside_and_took_the_seat_of_a_no_show_did_not_withdraw(tmp_path: Path) -> None:
    """EDC23 D2: a withdrawal is for a round not played."""
    names = [f"P{n}" for n in range(8)]
    details = Details(name="X", code="ABCD", tournament="edc2023")
    make_event_folder(tmp_path / "cup", details, [Player(name=name) for name in names], clock)
    with open_event(tmp_path / "cup", clock) as event:
        drawn = DrawRecord(aside=(NotSeated("P7", "volunteered", "volunteers"),))
        seat_round(event, 1, {"1": dict(zip(Power, names, strict=False))}, by="Tess", draw=drawn)
        seat = {"board": "1", "power": "AUSTRIA", "player": "P7", "phase": "S1901"}
        enter_note(event, "substitute", seat, by="Tess", why="P0 did not come")
        end_game(event, find_game(event, "1"), Ending.TIME, by="Tess", why="the fire alarm")

        scored = scored_event(event)
        record = records_of(event, 2, scored)["P7"]

    row = next(row for row in scored.standings.rows if row.player == "P7")
    assert row.tally.games
    assert not row.tally.extras
    assert (record.rounds, record.aside) == (1, 0)

"""Seats before play are seats: who sits down before the first order replaced nobody, at every door."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import run
from facts_as_kept import append_fact, read_facts
from msgspec.structs import replace
from web.conftest import SEATS, Browser

from desk.beginnings import copied
from desk.cup import NAMES, clock, hand_in_all, hand_in_sheet, inked, sheets_of, spring
from pipeline.board import FIRST_PHASE, Phase, Power, Unit, starting_position
from pipeline.desk.draw_request import Request
from pipeline.desk.drawing import draw_round
from pipeline.desk.drawn_again import seat_drawn
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import find_game, games, seatings
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.players import leaving_in_words, leaving_warning, mark_left
from pipeline.desk.publish.explain import check_event
from pipeline.desk.publish.publish import publish
from pipeline.desk.results.notes import enter_note, notes_in_force, take_note_back
from pipeline.desk.results.results import event_results, read_notes, scored_event
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.review.orders_shown import _status_anew
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import rule_sheet, type_lines
from pipeline.desk.sheets.printing import print_round
from pipeline.desk.sheets.unfiled_pages import stray_pages
from pipeline.desk.void_sheets import sheets_after_seat_change
from pipeline.draw.field import RoundDecisions
from pipeline.draw.roster import Player
from pipeline.journal.acts import undo_fact
from pipeline.journal.lines import journal
from pipeline.ledger.events import Seated
from pipeline.ledger.ledger import standing
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import read_order, write_position
from pipeline.problems import ExitCode, Stopped
from pipeline.scoring.results import Ending
from pipeline.scoring.score import Scored
from pipeline.web.server import open_office

ALL = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")
OTHERS = [f"P{number}" for number in range(8, 15)]
SPARE = [f"S{number}" for number in range(1, 9)]
COUNTS = "1907 A5 E4 F5 G5 I4 R6 T5"
ITALY = {"board": "1.1", "power": "ITALY", "player": "S1", "phase": "S1901"}


def cup_of(folder: Path, tournament: str) -> Path:
    """Two boards in one round, and eight people who stand by."""
    return copied(seat_two_boards, folder / "cup", tournament)


def seat_two_boards(folder: Path, tournament: str) -> None:
    details = Details(name="Test Cup", code="TEST", tournament=tournament)
    people = [Player(name=name) for name in (*NAMES.values(), *OTHERS, *SPARE)]
    make_event_folder(folder, details, people, clock)
    with open_event(folder, clock) as event:
        seat_round(event, 1, {"1": NAMES, "2": dict(zip(Power, OTHERS, strict=True))}, by="Tess")


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    return cup_of(tmp_path, "wdc2008")


@pytest.fixture
def event(cup: Path) -> Iterator[Event]:
    with open_event(cup, clock) as opened:
        yield opened


def note(event: Event, what: str, why: str = "because", **values: Any) -> int:
    return enter_note(event, what, values, by="Tess", why=why).number


def result(event: Event, board: str, **more: Any) -> None:
    note(event, "result", board=board, ended="time", years=COUNTS, **more)


def scores(scored: Scored) -> dict[str, str]:
    return {str(game.player): str(game.score) for game in scored.games if game.player}


def asked(event: Event, what: str, **values: Any) -> str:
    """What the director must decide first; nothing is written."""
    before = event.facts.last_number()
    with pytest.raises(Stopped) as stopped:
        note(event, what, **values)
    assert stopped.value.code is ExitCode.RULE_FIRST
    assert event.facts.last_number() == before
    return str(stopped.value)


# ---- a seat before play ---------------------------------------------------------------------------------------------


def test_the_season_of_a_script_says_the_same(tmp_path: Path) -> None:
    def replaced(season: str) -> str:
        board = {
            "board": "1",
            "players": {str(power): name for power, name in NAMES.items()},
            "result": {"centers": dict(zip(map(str, Power), (5, 4, 5, 5, 4, 6, 5), strict=True))},
            "replacements": [{"power": "ITALY", "player": "S1", "season": season}],
        }
        asked_ = {"tournament": "wdc2008", "rounds": [{"number": 1, "boards": [board]}]}
        path = tmp_path / "score.json"
        path.write_text(json.dumps(asked_))
        return str(json.loads(run("score", path))["boards"][0]["scores"]["ITALY"])

    assert float(replaced("S1901")) > 11
    assert float(replaced("F1901")) == 0


def test_once_spring_1901_is_published_the_first_season_is_refused_with_what_to_do(event: Event) -> None:
    played(event)
    with pytest.raises(Stopped, match="take the publication back"):
        note(event, "substitute", **ITALY)
    with pytest.raises(Stopped, match=r"Spring 1901 is published on board 1\.1"):
        note(event, "swap", player="Ada", other="P8")
    note(event, "substitute", **{**ITALY, "phase": "F1901"})
    assert seatings(event)["1.1"].player_at(Power.ITALY, FIRST_PHASE) == NAMES[Power.ITALY]


def test_a_swap_without_a_round_is_of_the_round_that_was_drawn_last(event: Event) -> None:
    first = note(event, "swap", player="Ada", other="P8")
    seat_round(event, 2, {"1": NAMES, "2": dict(zip(Power, OTHERS, strict=True))}, by="Tess")
    second, again = (note(event, "swap", player="Ada", other="P8") for _ in range(2))
    assert first != second == again
    assert seatings(event)["2.1"].players[Power.AUSTRIA] == "P8"


def played(event: Event) -> None:
    """Spring 1901 of the first board is published."""
    print_round(event, 1, "1")
    hand_in_all(event)
    publish(event, "1.1", "Tess")


def test_who_comes_late_to_a_seat_that_nobody_had_replaced_nobody_and_is_asked_about(event: Event) -> None:
    note(event, "substitute", **{**ITALY, "player": "nobody"})
    result(event, "1.1")
    note(event, "substitute", **{**ITALY, "phase": "F1902"})
    scored = scored_event(event)
    assert [doubt.code for doubt in scored.doubts if doubt.code == "seat replaced"]
    assert scores(scored)["S1"] != "0"


# ---- two change places ----------------------------------------------------------------------------------------------


def test_of_two_changes_of_a_seat_the_newer_goes_first(event: Event) -> None:
    first = note(event, "substitute", **ITALY)
    second = note(event, "substitute", **{**ITALY, "player": "S2"})
    with pytest.raises(Stopped, match=f"undo number {second} of the journal first"):
        take_note_back(event, first, by="Tess", why="x")
    with pytest.raises(Stopped):
        undo_fact(event, first, by="Tess", why="x")
    take_note_back(event, second, by="Tess", why="x")
    take_note_back(event, first, by="Tess", why="x")
    assert seatings(event)["1.1"].players == NAMES


def test_who_had_a_seat_in_between_leaves_it_again_to_whom_it_was_given_first(event: Event) -> None:
    """What is entered again, word for word, is the same act only while nobody changed the seat since."""
    for player in ("S1", "S1", "S2", "S1"):
        note(event, "substitute", **{**ITALY, "player": player})
        assert seatings(event)["1.1"].players[Power.ITALY] == player


def test_a_seat_that_was_played_with_stays(event: Event) -> None:
    number = note(event, "substitute", **ITALY)
    played(event)
    for take in (undo_fact, take_note_back):
        with pytest.raises(Stopped, match="Spring 1901"):
            take(event, number, by="Tess", why="x")


# ---- a board by hand ------------------------------------------------------------------------------------------------

LATE = [f"{power} {name}" for power, name in zip(Power, SPARE, strict=False)]


def test_a_board_of_six_is_one_only_where_the_director_says_so(event: Event) -> None:
    with pytest.raises(Stopped, match="no line for TURKEY") as stopped:
        note(event, "board", board="1.3", players=LATE[:6])
    assert "a board of six, without Turkey" in stopped.value.problems[0].text
    assert "1.3" not in seatings(event)
    note(event, "board", board="1.3", players=LATE)
    with pytest.raises(Stopped, match="played without TURKEY"):
        note(event, "board", board="1.4", players=[*LATE[:6], "TURKEY nobody"], six="yes")


def test_the_journal_and_the_list_of_notes_say_why_a_board_was_set_by_hand(event: Event) -> None:
    first = note(event, "board", board="1.3", players=LATE)
    assert journal(event)[-1].as_json()["what"].endswith("board 1.3 is set by hand: because")
    (listed,) = notes_in_force(event)
    assert (listed.fact.number, listed.as_json()["words"]) == (first, "board 1.3 is set by hand: because")
    with pytest.raises(Stopped, match="in the journal"):
        take_note_back(event, first, by="Tess")
    undo_fact(event, first, by="Tess", why="nobody came")
    assert notes_in_force(event) == ()
    again = note(event, "board", board="1.3", players=LATE)
    assert "board 1.3 is set by hand" in journal(event)[-1].as_json()["what"]
    assert [each.fact.number for each in notes_in_force(event)] == [again]


def test_a_board_with_a_seat_too_few_or_a_stranger_is_refused(event: Event) -> None:
    for players, said in ((LATE[:5], "no line for RUSSIA, TURKEY"), ([*LATE[:6], "TURKEY Zoe"], "Zoe")):
        with pytest.raises(Stopped, match=said):
            note(event, "board", board="1.3", players=players)
    with pytest.raises(Stopped, match="seated already"):
        note(event, "board", board="1.2", players=LATE)


@pytest.mark.parametrize("is_before", [True, False], ids=["set before the draw", "added after it"])
def test_a_draw_leaves_a_board_that_was_set_by_hand_as_it_is(is_before: bool, tmp_path: Path) -> None:
    folder = cup_of(tmp_path, "wdc2008")
    with open_event(folder, clock) as event:
        take_back_all_seats(event)
        if not is_before:
            draw(event)
        fixed = [
            f"{power} {name}" for power, name in zip(Power, ("Ada", "S1", "S2", "S3", "S4", "S5", "S6"), strict=True)
        ]
        note(event, "board", board="1.1" if is_before else "1.9", players=fixed, ruled="yes")
        note(event, "swap", player="S1", other="S2")
        before = seatings(event)
        draw(event, again=not is_before)
        after = seatings(event)
        name = "1.1" if is_before else "1.9"
        assert (after[name].players, after[name].index) == (before[name].players, before[name].index)
        assert len(after) == 3
        drawn = [who for each in after.values() if each.name != name for who in each.players.values()]
        assert len(set(drawn)) == 14
        assert set(drawn).isdisjoint(before[name].players.values())


def take_back_all_seats(event: Event) -> None:
    for fact in standing(event.facts, Seated):
        undo_fact(event, fact.number, by="Tess", why="start again")


def draw(event: Event, *, again: bool = False) -> None:
    """Draw fourteen of those who are there."""
    seated = {name for each in seatings(event).values() if each.is_by_hand for name in each.players.values()}
    here = [name for name in (*NAMES.values(), *OTHERS, *SPARE) if name not in seated][:14]
    absent = tuple(p.name for p in event.players if p.name not in here and p.name not in seated)
    request = Request(round=1, seed=3, decisions=RoundDecisions(absent=absent), like="weaselmoot", again=again)
    seat_drawn(event, draw_round(event, request), by="Tess")


# ---- two boards in one round, and who comes back --------------------------------------------------------------------


@pytest.mark.parametrize("tournament", ["nzdc1999", "edc1996", "wdc2008"])
def test_a_second_board_in_a_round_is_asked_about_at_every_door_where_the_rules_are_silent(
    tournament: str, tmp_path: Path
) -> None:
    with open_event(cup_of(tmp_path, tournament), clock) as event:
        note(event, "substitute", **ITALY)
        twice = {"board": "1.2", "power": "ITALY", "player": "S1", "phase": "S1901"}
        assert "S1 plays on 1.1 in this round, too" in asked(event, "substitute", **twice)
        assert "S1 plays on 1.1" in asked(event, "board", board="1.3", players=LATE)
        years = {"board": "1.3", "ended": "time", "years": COUNTS, "players": LATE}
        assert "S1 plays on 1.1" in asked(event, "result", **years)
        note(event, "substitute", **twice, ruled="yes")
        assert "allowed two boards" in notes_in_force(event)[-1].words
        note(event, "substitute", **{**twice, "power": "TURKEY", "player": "S2"})


@pytest.mark.parametrize("tournament", ["weaselmoot", "edc2023"])
def test_a_second_board_is_not_asked_about_where_the_rules_know_it(tournament: str, tmp_path: Path) -> None:
    with open_event(cup_of(tmp_path, tournament), clock) as event:
        note(event, "substitute", **ITALY)
        note(event, "substitute", board="1.2", power="ITALY", player="S1", phase="S1901")


def test_a_second_time_is_asked_about_where_once_is_the_rule(tmp_path: Path) -> None:
    with open_event(cup_of(tmp_path, "edc2023"), clock) as event:
        note(event, "substitute", **ITALY)
        note(event, "substitute", board="1.2", power="ITALY", player="S1", phase="S1901")
        seat_round(event, 2, {"1": NAMES, "2": dict(zip(Power, OTHERS, strict=True))}, by="Tess")
        note(event, "substitute", **{**ITALY, "board": "2.1"})
        assert "EDC23 D" in asked(event, "substitute", **{**ITALY, "board": "2.2"})


@pytest.mark.parametrize("tournament", ["nzdc1999", "edc1996", "wdc2008"])
def test_which_of_two_boards_counts_is_said_where_the_rules_leave_it_open(tournament: str, tmp_path: Path) -> None:
    with open_event(cup_of(tmp_path, tournament), clock) as event:
        for board in ("1.1", "1.2"):
            note(event, "substitute", **{**ITALY, "board": board}, ruled="yes")
            result(event, board)

        def counted() -> tuple[list[str], bool]:
            scored = scored_event(event)
            row = next(row for row in scored.standings.rows if row.player == "S1")
            kept = [game.game.board.name for game in row.tally.games if not game.is_dropped]
            return kept, any(doubt.code == "two boards" for doubt in scored.doubts)

        assert counted() == (["1", "2"], True)
        note(event, "counts", player="S1", board="1.2")
        assert counted() == (["2"], False)
        number = note(event, "counts", player="S1", board="1.2", both="yes")
        assert counted() == (["1", "2"], False)
        take_note_back(event, number, by="Tess")
        assert counted() == (["2"], False)


@pytest.mark.parametrize("tournament", ALL)
def test_an_eliminated_player_who_comes_back_is_asked_about(tournament: str, tmp_path: Path) -> None:
    with open_event(cup_of(tmp_path, tournament), clock) as event:
        set_without_austria(event)
        back = {"board": "1.1", "power": "ITALY", "player": "Ada", "phase": "F1903"}
        if tournament == "weaselmoot":
            with pytest.raises(Stopped, match=r"WM III\.8"):
                note(event, "substitute", **back, ruled="yes")
            return
        assert "was eliminated" in asked(event, "substitute", **back)
        note(event, "substitute", **back, ruled="yes")
        assert seatings(event)["1.1"].players[Power.ITALY] == "Ada"


def set_without_austria(event: Event) -> None:
    """Fall 1903 on the first board; Austria has nothing any more."""
    start = starting_position(event.board)
    units: dict[Power, tuple[Unit, ...]] = {
        power: held for power, held in start.units.items() if power is not Power.AUSTRIA
    }
    centres: dict[Power, tuple[str, ...]] = {
        power: held for power, held in start.centres.items() if power is not Power.AUSTRIA
    }
    position = replace(start, phase=Phase.read("F1903M"), units=units, centres=centres)
    append_fact(event.facts, "position set", {"board": "1.1", "position": write_position(position)}, "Tess")


# ---- the late share of EDC23 D --------------------------------------------------------------------------------------


def shares(event: Event) -> tuple[str, bool]:
    scored = scored_event(event)
    return scores(scored)["S1"], any(doubt.code == "late share" for doubt in scored.doubts)


def test_the_late_share_of_any_substitute_is_asked_about_and_settled(tmp_path: Path) -> None:
    with open_event(cup_of(tmp_path, "edc2023"), clock) as event:
        result(event, "1.1")
        whole = scores(scored_event(event))[NAMES[Power.ENGLAND]]
        note(event, "substitute", **{**ITALY, "phase": "F1903"})
        share, is_asked = shares(event)
        assert is_asked
        assert int(share) < int(whole)
        number = note(event, "late-start", board="1.1", power="ITALY", phase="start")
        assert shares(event) == (whole, False)
        take_note_back(event, number, by="Tess")
        note(event, "late-start", board="1.1", power="ITALY", phase="F1903")
        assert shares(event) == (share, False)


def test_an_empty_seat_has_no_late_share_and_what_its_player_scores_is_asked(tmp_path: Path) -> None:
    with open_event(cup_of(tmp_path, "edc2023"), clock) as event:
        years = COUNTS.replace("1907", "1906") + "\n" + COUNTS
        note(event, "result", board="1.1", ended="time", years=years)
        seat = {"board": "1.1", "power": "ITALY", "player": "nobody"}
        with pytest.raises(Stopped, match="the game was played to 1907; Spring 1909 never came"):
            note(event, "substitute", **seat, phase="S1909")
        with event.facts.trial():
            note(event, "substitute", **seat, phase="S1908")
        note(event, "substitute", **seat, phase="F1903")
        assert {doubt.code for doubt in scored_event(event).doubts} == {"seat replaced"}
        note(event, "score", board="1.1", power="ITALY", score="0")
        assert not scored_event(event).doubts


def test_relief_before_the_first_order_is_asked_about(tmp_path: Path) -> None:
    with open_event(cup_of(tmp_path, "edc2023"), clock) as event:
        note(event, "substitute", board="1.2", power="ITALY", player=NAMES[Power.ITALY], phase="S1901")
        note(event, "substitute", **ITALY)
        result(event, "1.1")
        result(event, "1.2")
        whole, is_asked = shares(event)
        assert is_asked
        note(event, "late-start", board="1.1", power="ITALY", phase="S1901")
        assert shares(event)[1] is False
        assert int(shares(event)[0]) < int(whole)


@pytest.mark.parametrize(("what", "more"), [("score", {"score": "30"}), ("late-start", {"phase": "S1902"})])
def test_what_was_noted_on_the_score_of_who_left_a_seat_does_not_count_for_the_newcomer(
    tmp_path: Path, what: str, more: dict[str, str]
) -> None:
    with open_event(cup_of(tmp_path, "edc2023"), clock) as event:
        at = {"board": "1.1", "position": write_position(games(event)["1.1"].position) | {"phase": "F1903M"}}
        append_fact(event.facts, "position set", at, "Tess")
        number = note(event, what, board="1.1", power="ITALY", **more)
        changed = note(event, "substitute", board="1.1", power="ITALY", player="S1", phase="F1903")
        fact = next(fact for fact in event.facts.everything() if fact.number == changed)
        (line,) = sheets_after_seat_change(event, fact)
        assert f"for {NAMES[Power.ITALY]} (number {number}); it does not count for the newcomer" in line
        (seat,) = [each.seats[Power.ITALY] for each in event_results(event, running=True).boards if each.name == "1"]
        assert (seat.player, seat.ruling, seat.is_arrival_noted) == ("S1", None, False)
        note(event, what, board="1.1", power="ITALY", **more)
        (seat,) = [each.seats[Power.ITALY] for each in event_results(event, running=True).boards if each.name == "1"]
        assert (seat.ruling is not None, seat.is_arrival_noted) == (what == "score", what != "score")


# ---- a seat that is left --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tournament", ALL)
def test_an_abandoned_seat_holds_its_board_up_until_the_director_says_who_has_it(
    tournament: str, tmp_path: Path
) -> None:
    with open_event(cup_of(tmp_path, tournament), clock) as event:
        print_round(event, 1, "1")
        hand_in_all(event, but=Power.ITALY)
        rule_sheet(event, spring(Power.ITALY), SheetDecision.NO_ORDERS, by="Tess", why="nothing came")
        assert _status_anew(event)["boards"][0]["ready"]
        mark_left(event, [NAMES[Power.ITALY]], left=True, by="Tess", why="ill")
        assert not _status_anew(event)["boards"][0]["ready"]
        assert "has gone; who has the seat" in leaving_warning(event, NAMES[Power.ITALY])
        assert [each for each in _status_anew(event)["problems"] if "has gone" in each["text"]]
        with pytest.raises(Stopped, match="has gone; who has the seat") as stopped:
            publish(event, "1.1", "Tess")
        assert stopped.value.code is ExitCode.RULE_FIRST
        note(event, "substitute", board="1.1", power="ITALY", player="nobody", phase="S1901")
        assert not [each for each in _status_anew(event)["problems"] if "has gone" in each["text"]]


# ---- paper ----------------------------------------------------------------------------------------------------------


def states(event: Event) -> dict[Power, str]:
    live = LiveDesk(event)
    return {power.power: str(power.state) for power in live.board(live.games["1.1"])}


def test_what_came_in_before_a_seat_changed_hands_counts_for_nobody_unasked(event: Event) -> None:
    print_round(event, 1)
    hand_in_all(event)
    live = LiveDesk(event)
    note(event, "substitute", **ITALY)
    live.refresh()
    assert {power for power, state in states(event).items() if state != "in"} == {Power.ITALY}
    assert {p.power: str(p.state) for p in live.board(live.games["1.1"])} == states(event)
    assert "it came in before the seat changed hands; S1 sits there now" in next(stray_pages(event)).text


@pytest.mark.parametrize("newcomer", ["S1", "nobody"])
@pytest.mark.parametrize("kind", ["typed", "paper"])
def test_what_came_in_before_the_seat_was_left_in_mid_game_is_asked_until_it_is_ruled(
    event: Event, kind: str, newcomer: str
) -> None:
    at = {"board": "1.1", "position": write_position(games(event)["1.1"].position) | {"phase": "F1903M"}}
    append_fact(event.facts, "position set", at, "Tess")
    fall = Turn("1.1", Phase.read("F1903M"), Power.ITALY)
    if kind == "typed":
        type_lines(event, fall, ["A VEN H", "A ROM H", "F NAP H"], by="Tess")
    else:
        print_round(event, 1, "1")
        rows = [inked(number, line) for number, line in enumerate(("A VEN H", "A ROM H", "F NAP H"), start=1)]
        hand_in_sheet(event, sheets_of(event, fall)[0], rows, sha256=f"{77:064d}")
    note(event, "substitute", board="1.1", power="ITALY", player=newcomer, phase="F1903")
    asked = Desk.of(event).power(games(event)["1.1"], Power.ITALY)
    assert f"{newcomer} has the seat from this phase on" in asked.problems[0].text
    rule_sheet(event, fall, SheetDecision.REFUSED, by="Tess", why="he has gone")
    assert not Desk.of(event).power(games(event)["1.1"], Power.ITALY).is_open
    type_lines(event, fall, ["A VEN - TYR", "A ROM H", "F NAP H"], by="Tess")
    typed = Desk.of(event).power(games(event)["1.1"], Power.ITALY)
    assert (typed.is_open, str(typed.orders[0])) == (False, str(read_order("A VEN - TYR")))


@pytest.mark.parametrize("newcomer", ["S1", "nobody"])
def test_that_nothing_will_come_is_not_said_of_a_newcomer(event: Event, newcomer: str) -> None:
    at = {"board": "1.1", "position": write_position(games(event)["1.1"].position) | {"phase": "F1903M"}}
    append_fact(event.facts, "position set", at, "Tess")
    fall = Turn("1.1", Phase.read("F1903M"), Power.ITALY)
    rule_sheet(event, fall, SheetDecision.NO_ORDERS, by="Tess", why="he has gone")
    note(event, "substitute", board="1.1", power="ITALY", player=newcomer, phase="F1903")
    asked = Desk.of(event).power(games(event)["1.1"], Power.ITALY)
    assert asked.is_open == (newcomer != "nobody")
    rule_sheet(event, fall, SheetDecision.NO_ORDERS, by="Tess", why="he has written nothing")
    assert not Desk.of(event).power(games(event)["1.1"], Power.ITALY).is_open


def test_what_was_read_out_before_the_change_of_its_player_was_entered_is_not_asked_about(event: Event) -> None:
    position = write_position(games(event)["1.1"].position) | {"phase": "F1903M"}
    position["units"] = {"ITALY": ["A VEN"]}
    append_fact(event.facts, "position set", {"board": "1.1", "position": position}, "Tess")
    type_lines(event, Turn("1.1", Phase.read("F1903M"), Power.ITALY), ["A VEN H"], by="Tess")
    publish(event, "1.1", "Tess")
    note(event, "substitute", board="1.1", power="ITALY", player="S1", phase="F1903")
    assert list(check_event(event)) == []


def test_the_paper_of_two_who_change_places_is_asked_about_and_all_other_paper_is_good(event: Event) -> None:
    print_round(event, 1)
    number = note(event, "swap", player="Ada", other="P9")
    fact = next(fact for fact in event.facts.everything() if fact.number == number)
    (line,) = sheets_after_seat_change(event, fact)
    assert "AUSTRIA on 1.1" in line
    assert "ENGLAND on 1.2" in line
    hand_in_all(event)
    assert {power for power, state in states(event).items() if state != "in"} == {Power.AUSTRIA}
    assert "printed for Ada, who had this seat before; P9 sits there now" in next(stray_pages(event)).text
    print_round(event, 1, "1")
    newest = sheets_of(event, spring(Power.AUSTRIA))[-1]
    hand_in_sheet(event, newest, [inked(1, "A VIE - GAL")], sha256=f"{77:064d}")
    assert set(states(event).values()) == {"in"}


def test_paper_that_was_printed_for_seats_that_were_taken_back_is_asked_about(event: Event) -> None:
    number = note(event, "swap", player="Ada", other="Bo")
    print_round(event, 1, "1")
    undo_fact(event, number, by="Tess", why="they were right")
    hand_in_all(event)
    asked_of = {power for power, state in states(event).items() if state != "in"}
    assert asked_of == {Power.AUSTRIA, Power.ENGLAND}


# ---- both doors -----------------------------------------------------------------------------------------------------

ACTS: list[tuple[str, dict[str, str], list[str]]] = [
    ("substitute", {**ITALY, "ruled": ""}, ["1.1", "ITALY", "S1", "S1901"]),
    ("swap", {"player": "Ada", "other": "P9", "round": "1"}, ["Ada", "P9", "--round", "1"]),
    (
        "board",
        {"board": "1.3", "players": "\n".join(LATE), "ruled": "yes"},
        ["1.3", *(word for line in LATE for word in ("--player", line)), "--ruled"],
    ),
    ("counts", {"player": "S1", "board": "1.3", "both": "yes"}, ["S1", "1.3", "--both"]),
]


def test_every_act_writes_the_same_fact_at_both_doors_and_is_taken_back(tmp_path: Path) -> None:
    ours, theirs = cup_of(tmp_path / "a", "wdc2008"), cup_of(tmp_path / "b", "wdc2008")
    with open_office(theirs, SEATS) as office:
        tess = Browser(office, "Tess")
        for what, values, words in ACTS:
            said = json.loads(run("enter", ours, what, *words, "--by", "Tess", "--why", "because", "--json"))
            body = {"what": what, "values": values, "why": "because"}
            answer = tess.client.post("/api/notes/enter", json=body, headers={"X-Token": tess.token})
            assert answer.status_code == 200, answer.text
            assert answer.json()["number"] == said["number"]
            assert answer.json()["paper"] == said["paper"]
        facts = [(fact.kind, json.dumps(fact.body, sort_keys=True)) for fact in read_facts(office.office.event.facts)]
    with open_event(ours, clock) as event:
        assert [(fact.kind, json.dumps(fact.body, sort_keys=True)) for fact in read_facts(event.facts)] == facts
        drawn = max(fact.number for fact in event.facts.select(Seated) if not fact.said.boards[-1].by_hand)
        for number in range(event.facts.last_number(), drawn, -1):
            undo_fact(event, number, by="Tess", why="back")
        assert seatings(event)["1.1"].players == NAMES
        assert "1.3" not in seatings(event)


@pytest.mark.parametrize("tournament", ALL)
def test_who_leaves_a_game_is_excluded_where_the_rules_say_so_until_he_is_back(tournament: str, tmp_path: Path) -> None:
    """EDC96 12: a player may not abandon a game before he is eliminated or it is finished."""
    is_excluded = tournament == "edc1996"
    with open_event(cup_of(tmp_path, tournament), clock) as event:
        name = NAMES[Power.ITALY]
        said = [leaving_in_words(fact) for fact in mark_left(event, [name], left=True, by="Tess", why="tired")]
        assert ("and is excluded: left board 1.1 before its end (EDC96 12)" in "; ".join(said)) == is_excluded
        assert (name in read_notes(event).excluded) == is_excluded
        enter_note(event, "result", {"board": "1.1", "ended": "time", "years": COUNTS}, by="Tess", why="it went on")
        assert (name in {row.player for row in scored_event(event).standings.rows}) != is_excluded
        said = [leaving_in_words(fact) for fact in mark_left(event, [name], left=False, by="Tess")]
        assert any("exclusion for leaving is taken back" in words for words in said) == is_excluded
        assert name in {row.player for row in scored_event(event).standings.rows}


def test_the_exclusion_goes_and_comes_with_the_leaving_also_where_that_is_taken_back(tmp_path: Path) -> None:
    with open_event(cup_of(tmp_path, "edc1996"), clock) as event:
        name = NAMES[Power.ITALY]

        def stands() -> tuple[bool, bool]:
            has_left = next(player.left for player in event.players if player.name == name)
            return has_left, name in read_notes(event).excluded

        gone = mark_left(event, [name], left=True, by="Tess", why="tired")[0].number
        undo_fact(event, gone, by="Tess")
        assert stands() == (False, False)
        mark_left(event, [name], left=True, by="Tess")
        for _ in range(2):
            back = mark_left(event, [name], left=False, by="Tess")[0].number
            assert stands() == (False, False)
            undo_fact(event, back, by="Tess")
            assert stands() == (True, True)
        enter_note(event, "excluded", {"player": NAMES[Power.FRANCE]}, by="Tess", why="violence")
        left = mark_left(event, [NAMES[Power.FRANCE]], left=True, by="Tess")[0].number
        undo_fact(event, left, by="Tess")
        assert NAMES[Power.FRANCE] in read_notes(event).excluded, "it was not for his leaving"


def test_who_was_excluded_by_the_director_right_after_he_had_left_stays_so_when_he_is_back(tmp_path: Path) -> None:
    with open_event(cup_of(tmp_path, "wdc2008"), clock) as event:
        name = NAMES[Power.ITALY]
        mark_left(event, [name], left=True, by="Tess")
        enter_note(event, "excluded", {"player": name}, by="Tess", why="he hit somebody")
        back = mark_left(event, [name], left=False, by="Tess")
        assert len(back) == 1
        undo_fact(event, back[0].number, by="Tess")
        assert name in read_notes(event).excluded


@pytest.mark.parametrize("tournament", ["edc1996", "wdc2008"])
def test_an_exclusion_that_was_taken_back_by_itself_does_not_come_back_with_another_note(
    tournament: str, tmp_path: Path
) -> None:
    with open_event(cup_of(tmp_path, tournament), clock) as event:
        name = NAMES[Power.FRANCE]
        excluded = enter_note(event, "excluded", {"player": name}, by="Tess", why="violence").number
        country = enter_note(event, "country", {"player": name, "country": "Chile"}, by="Tess", why="he said so").number
        undo_fact(event, excluded, by="Tess")
        undo_fact(event, country, by="Tess")
        assert name not in read_notes(event).excluded


def test_who_is_excluded_by_hand_after_his_leaving_was_taken_back_stays_excluded(tmp_path: Path) -> None:
    with open_event(cup_of(tmp_path, "edc1996"), clock) as event:
        name = NAMES[Power.ITALY]
        end_game(event, find_game(event, "1.1"), Ending.ABANDONED, by="Tess", why="a storm")
        gone = mark_left(event, [name], left=True, by="Tess")[0].number
        undo_fact(event, gone, by="Tess")
        enter_note(event, "excluded", {"player": name}, by="Tess", why="violence")
        mark_left(event, [name], left=True, by="Tess")
        mark_left(event, [name], left=False, by="Tess")
        assert name in read_notes(event).excluded

"""What is written on forms is used as each tournament says, and only when nobody doubts it."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from facts_as_kept import read_facts
from msgspec.structs import replace
from reading.stand_ins import Recorded
from sampled import slow_after

from desk.cup import OPENINGS
from desk.forms.table import NAMES, Places, Table, digits, event_of, signed, ticked
from pipeline.board import Phase, Power
from pipeline.desk.event.ending import undo_end
from pipeline.desk.event.games import find_game, games
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.forms.form_printing import Wanted, print_wanted
from pipeline.desk.forms.forms_in import NOTHING, SIGNED, find_form, forms_in, rule_field
from pipeline.desk.forms.player_forms import _name_beside
from pipeline.desk.forms.votes import Asking, Count, Says, _named_ballots, hold_counted, undo_vote, vote_by_slips
from pipeline.desk.players import rename
from pipeline.desk.publish.dutchmen import set_position
from pipeline.desk.publish.explain import check_event
from pipeline.desk.publish.publish import publish
from pipeline.desk.results.notes import enter_note, take_note_back
from pipeline.desk.results.results import event_results, scored_event
from pipeline.desk.review.orders_shown import _status_anew, accept, form_shown, is_waiting, set_aside
from pipeline.desk.ruling.rulings import type_lines
from pipeline.ink import InkLine, InkReading, Tier
from pipeline.ledger.events import DrawEntered
from pipeline.ledger.parts import Ballot
from pipeline.orders import write_position
from pipeline.paper.form import FormKind
from pipeline.pen.filling import FieldMark
from pipeline.problems import Stopped
from pipeline.reading.engine import NetRecogniser
from pipeline.rules.game_end import Moment

FINAL = (0, 9, 10, 5, 1, 8, 1, 0)  # of the seven powers and of nobody: 34
DRAWN = (6, 5, 5, 5, 5, 4, 4, 0)  # the same
OWNERS = (*map(str, Power), "NOBODY")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with event_of(tmp_path, "nzdc1999") as event:
        yield Table(event, tmp_path)


def row(year: int, counts: tuple[int, ...]) -> dict[tuple[str, int | None], FieldMark]:
    """A row of a board sheet."""
    marks: dict[tuple[str, int | None], FieldMark] = {}
    for owner, count in zip(OWNERS, counts, strict=True):
        marks |= digits(f"{year} {owner}", count, 2)
    return marks


def file_one(table: Table, kind: FormKind, marks: Places, *, board: str = "", names: Sequence[str] = ()) -> str:
    """Print, fill and scan one form, the names on it being read as these; give back its id."""
    printed = table.printed(kind, board=board)
    says = Recorded([InkLine.without_place((InkReading(name.upper(), 0.9),), Tier.ASKED) for name in names])
    table.scanned([table.filled(printed, 0, marks)], engine=says)
    return printed.pages[0].sheet


def read_by_a_person(table: Table, form: str, truth: Mapping[str, str]) -> None:
    """Rule on what was asked, and check what was not: nothing is read as something else."""
    printed = find_form(table.event, form)
    for name, value in truth.items():
        read = forms_in(table.event)[form].by_name[name].value
        assert read in (None, value), name
        if read is None:
            rule_field(table.event, printed, name, value or NOTHING, by="Tess")


def truth_of(year: int, counts: tuple[int, ...]) -> dict[str, str]:
    return {f"{year} {owner}": str(count) for owner, count in zip(OWNERS, counts, strict=True)}


def state(table: Table, form: str) -> tuple[str, list[str]]:
    """What the status says of a form, and what it asks."""
    found = next(each for each in _status_anew(table.event)["forms"] if each["form"] == form)
    there = forms_in(table.event)
    waits = is_waiting(table.event, there[form], there, games(table.event))
    counts_no_more = found["state"] == "set aside" or found["state"].startswith("does not count")
    assert waits or not found["doubts"]
    assert not (waits and counts_no_more)
    return found["state"], [f"{doubt['field']}: {doubt['text']}" for doubt in found["doubts"]]


# ---- board sheets ----------------------------------------------------------------------------------------------------


def test_a_board_sheet_is_the_result_of_a_game_that_was_played_without_the_program(table: Table) -> None:
    marks = row(1901, (4, 5, 5, 5, 5, 6, 4, 0)) | row(1902, FINAL) | ticked("ended: time")
    everybody = signed(*(f"{power} signature" for power in Power if power is not Power.AUSTRIA))
    form = file_one(table, FormKind.BOARD, marks | everybody, board="1.1")
    read_by_a_person(table, form, truth_of(1901, (4, 5, 5, 5, 5, 6, 4, 0)) | truth_of(1902, FINAL))
    assert state(table, form) == ("to 1902: the game is not played here; accept it as the result", [])
    accept(table.event, form, by="Tess")
    assert state(table, form)[0] == "to 1902: entered as the result"
    game = find_game(table.event, "1.1")
    assert (game.ending, game.entered is not None) == ("time", True)
    with pytest.raises(Stopped, match=f"its result was entered, it was not played here; set its sheet {form} aside"):
        undo_end(table.event, game, by="Tess")
    (board,) = event_results(table.event).boards
    assert tuple(board.centres.values()) == FINAL[:-1]
    assert board.years[1901][Power.RUSSIA] == 6
    assert scored_event(table.event).standings.rows[0].tally.player.name == NAMES[2]
    assert not list(check_event(table.event))
    printed = find_form(table.event, form)
    rule_field(table.event, printed, "1902 FRANCE", "9", by="Tess")
    rule_field(table.event, printed, "1902 ENGLAND", "10", by="Tess", why="they were mixed up")
    assert state(table, form) == ("to 1902: a field was ruled on since it was entered; accept it again", [])
    assert [problem.text for problem in check_event(table.event)] == [
        f"ENGLAND was entered with 9 centres in 1902, and its sheet says 10 now; accept {form} again",
        f"FRANCE was entered with 10 centres in 1902, and its sheet says 9 now; accept {form} again",
    ]
    accept(table.event, form, by="Tess")
    assert event_results(table.event).boards[0].centres[Power.ENGLAND] == 10
    rule_field(table.event, printed, "1902 ENGLAND", "17", by="Tess")
    rule_field(table.event, printed, "1902 FRANCE", "2", by="Tess")
    with pytest.raises(Stopped, match=r"ENGLAND has 17 centres in 1902, and had 5 .* no more than 10 .* say why"):
        accept(table.event, form, by="Tess")
    accept(table.event, form, by="Tess", why="as they all remember it")
    other = table.printed(FormKind.BOARD, board="1.1").pages[0].sheet
    set_aside(table.event, find_form(table.event, other), by="Tess")
    assert find_game(table.event, "1.1").ending == "time", "it is another sheet's result"
    set_aside(table.event, printed, by="Tess")
    assert (find_game(table.event, "1.1").ending, event_results(table.event).boards) == (None, ())


def test_what_was_entered_before_a_board_sheet_counts_again_once_that_is_set_aside(table: Table) -> None:
    event, everybody = table.event, signed(*(f"{power} signature" for power in Power))
    form = file_one(table, FormKind.BOARD, row(1902, FINAL) | ticked("ended: time") | everybody, board="1.1")
    read_by_a_person(table, form, truth_of(1902, FINAL))
    typed = {"board": "1.1", "ended": "time", "years": ["1901 A5 E4 F5 G5 I5 R6 T4"]}
    first = enter_note(event, "result", typed, by="Tess", why="told by telephone")
    accept(event, form, by="Tess", why="signed")
    set_aside(event, find_form(event, form), by="Tess", why="of another board")
    assert (end := find_game(event, "1.1").end) and end.fact == first
    accept(event, form, by="Tess", why="it is of this board")
    second = enter_note(event, "result", typed, by="Tess", why="counted again")
    set_aside(event, find_form(event, form), by="Tess", why="of another board")
    take_note_back(event, second.number, by="Tess", why="misread")
    assert (end := find_game(event, "1.1").end) and end.fact == first, "a form that is set aside never counts"


def test_a_board_sheet_of_a_voted_draw_is_asked_for_the_stalemate_as_a_vote_is(tmp_path: Path) -> None:
    """EDC96 10: a draw is voted in a stalemate only."""
    with event_of(tmp_path, "edc1996") as event:
        table = Table(event, tmp_path)
        everybody = signed(*(f"{power} signature" for power in Power))
        form = file_one(table, FormKind.BOARD, row(1907, DRAWN) | ticked("ended: vote") | everybody, board="1.1")
        read_by_a_person(table, form, truth_of(1907, DRAWN))
        assert "ended: a draw is voted in a stalemate only (EDC96 10): is the position one?" in state(table, form)[1]
        assert form_shown(event, form)["asks_stalemate"]
        with pytest.raises(Stopped, match=r"voted in a stalemate only; .* \(EDC96 10\)"):
            accept(event, form, by="Tess", why="upstairs")
        accept(event, form, by="Tess", is_stalemate=True)
        assert find_game(event, "1.1").ending == "vote"
        assert state(table, form) == ("to 1907: entered as the result", [])


def test_a_board_sheet_is_set_aside_after_who_is_in_its_draw_is_taken_back(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc1996") as event:
        table = Table(event, tmp_path)
        everybody = signed(*(f"{power} signature" for power in Power))
        form = file_one(table, FormKind.BOARD, row(1907, DRAWN) | ticked("ended: vote") | everybody, board="1.1")
        read_by_a_person(table, form, truth_of(1907, DRAWN))
        accept(event, form, by="Tess", is_stalemate=True)
        end = find_game(event, "1.1").end
        drawn = DrawEntered(board="1.1", phase=end.phase, powers=(Power.AUSTRIA,))  # type: ignore[union-attr]
        number = event.facts.write(drawn, "Tess").number
        with pytest.raises(Stopped, match=f"who is in its draw is noted; undo number {number} of the journal first"):
            set_aside(event, find_form(event, form), by="Tess", why="the wrong board")
        take_note_back(event, number, by="Tess", why="the wrong board")
        set_aside(event, find_form(event, form), by="Tess", why="the wrong board")
        assert find_game(event, "1.1").ending is None


def test_a_row_that_does_not_add_up_is_asked_and_never_entered(table: Table) -> None:
    wrong = (0, 9, 10, 5, 1, 8, 2, 0)
    form = file_one(table, FormKind.BOARD, row(1902, wrong) | ticked("ended: vote"), board="1.1")
    read_by_a_person(table, form, truth_of(1902, wrong))
    _, asked = state(table, form)
    assert "1902 AUSTRIA: 1902 adds up to 35, unowned centres included; the board has 34" in asked
    assert "TURKEY signature: TURKEY has not signed" in asked
    assert not any(text.startswith("AUSTRIA signature") for text in asked)  # it has no centre left
    with pytest.raises(Stopped, match="adds up to 35"):
        accept(table.event, form, by="Tess")
    rule_field(
        table.event, find_form(table.event, form), "1902 TURKEY", "1", by="Tess", why="they counted Ankara twice"
    )
    accept(table.event, form, by="Tess", why="they signed on the back")
    assert find_game(table.event, "1.1").ending == "vote"


def test_a_sheet_that_differs_from_the_judge_is_shown_with_its_picture(table: Table) -> None:
    play_1901(table)
    position = find_game(table.event, "1.1").position
    owned = tuple(len(position.centres.get(power, ())) for power in Power)
    right = (*owned, 34 - sum(owned))
    wrong = (owned[0] + 1, owned[1] - 1, *right[2:])
    first = file_one(table, FormKind.BOARD, row(1901, right), board="1.1")
    second = file_one(table, FormKind.BOARD, row(1901, wrong), board="1.1")
    read_by_a_person(table, first, truth_of(1901, right))
    read_by_a_person(table, second, truth_of(1901, wrong))
    assert state(table, first) == ("agrees with the position, to 1901", [])
    assert state(table, second)[1] == [
        f"1901 AUSTRIA: AUSTRIA has {wrong[0]} centres on the sheet and {right[0]} in the position of 1901",
        f"1901 ENGLAND: ENGLAND has {wrong[1]} centres on the sheet and {right[1]} in the position of 1901",
    ]
    doubts = next(form for form in _status_anew(table.event)["forms"] if form["form"] == second)["doubts"]
    assert all((table.event.folder / doubt["picture"]).is_file() for doubt in doubts)
    accept(table.event, second, by="Tess", why="the orders count")
    assert state(table, second) == ("differs from the position, to 1901", [])
    assert not find_game(table.event, "1.1").ending  # a game that is played here ends by its orders, not by a sheet


def play_1901(table: Table) -> None:
    """Play a year by word of mouth: the openings, then nothing moves any more."""
    for phase in ("S1901M", "F1901M"):
        units = write_position(find_game(table.event, "1.1").position)["units"]
        for power in Power:
            lines = OPENINGS[power] if phase == "S1901M" else [f"{unit} H" for unit in units[str(power)]]
            type_lines(table.event, Turn("1.1", Phase.read(phase), power), lines, by="Tess")
        publish(table.event, "1.1", "Tess")


# ---- draw votes ------------------------------------------------------------------------------------------------------


EARLY = Says(ruled=True, why="no Fall is over, and the director holds it all the same")


def asking(power: Power = Power.FRANCE) -> Asking:
    return Asking(power=power, moment=Moment.NEGOTIATION, all_agree=True)


def cast(table: Table, *votes: str) -> list[str]:
    """Print a vote's slips and scan so many of them with these votes; their ids."""
    printed = table.printed(FormKind.VOTE, board="1.1")
    table.scanned([table.filled(printed, n, ticked(f"vote: {vote}")) for n, vote in enumerate(votes)])
    return [page.sheet for page in printed.pages]


def test_a_sheet_that_differs_from_a_position_that_was_set_by_hand_is_asked(table: Table) -> None:
    start = find_game(table.event, "1.1")
    centres = {power: tuple(owned) for power, owned in start.position.centres.items()} | {Power.AUSTRIA: ("VIE", "BUD")}
    set_position(
        table.event, start, replace(start.position, phase=Phase.read("S1903M"), centres=centres), "Tess", "late"
    )
    assert find_game(table.event, "1.1").is_set_by_hand
    written = (3, 3, 3, 3, 3, 4, 3, 12)
    everybody = signed(*(f"{power} signature" for power in Power))
    form = file_one(table, FormKind.BOARD, row(1902, written) | ticked("ended: time") | everybody, board="1.1")
    read_by_a_person(table, form, truth_of(1902, written))
    differs = "AUSTRIA has 3 centres in 1902, and 2 in the position that was set by hand"
    assert state(table, form)[1] == [f"1902 AUSTRIA: {differs}"]
    with pytest.raises(Stopped, match=f"{differs}; to enter it all the same, say why"):
        accept(table.event, form, by="Tess")
    accept(table.event, form, by="Tess", why="they counted again")
    game = find_game(table.event, "1.1")
    assert (game.centres[Power.AUSTRIA], game.is_set_by_hand) == (3, False)  # its map is public no more
    assert event_results(table.event).boards[0].unowned == 12  # as the sheet says; a sheet adds up to all centres


def test_a_secret_vote_is_counted_once_for_a_print_out_and_nobody_learns_who_voted_how(table: Table) -> None:
    cast(table, *["yes"] * 6, "no")
    fact = vote_by_slips(table.event, find_game(table.event, "1.1"), asking(), EARLY, by="Tess")
    assert (fact.said.yes, fact.said.no, fact.said.carried) == (6, 1, False)
    assert fact.said.ballots is None
    names = {str(power) for power in Power} | set(NAMES)
    for kind in ("forms printed", "page read"):
        for each in read_facts(table.event.facts, kind):
            assert not names & set(str(each.body).replace("'", " ").split())
    assert not find_game(table.event, "1.1").ending
    with pytest.raises(Stopped, match="a vote was held since these slips were printed"):
        vote_by_slips(table.event, find_game(table.event, "1.1"), asking(Power.ITALY), EARLY, by="Tess")
    undo_vote(table.event, find_game(table.event, "1.1"), by="Tess", why="Italy had asked")
    fact = vote_by_slips(table.event, find_game(table.event, "1.1"), asking(Power.ITALY), EARLY, by="Tess")
    assert (fact.said.asked_by, fact.said.yes) == (Power.ITALY, 6)


def test_a_slip_that_is_missing_or_spoilt_holds_the_vote_up(table: Table) -> None:
    ids = cast(table, *["yes"] * 5)
    game = find_game(table.event, "1.1")
    with pytest.raises(Stopped, match="5 slips, 0 absent and 0 gone for 7 powers with a centre"):
        vote_by_slips(table.event, game, asking(), EARLY, by="Tess")
    with pytest.raises(Stopped, match="a player is not there: the rules do not say how such a vote counts"):
        vote_by_slips(table.event, game, asking(), EARLY, by="Tess", absent=2)
    rule_field(table.event, find_form(table.event, ids[0]), "vote", NOTHING, by="Tess")
    with pytest.raises(Stopped, match="no box is ticked; rule on it, or set the slip aside"):
        vote_by_slips(table.event, game, asking(), EARLY, by="Tess", absent=2)
    assert not list(read_facts(table.event.facts, "vote held"))


def test_slips_of_an_earlier_vote_do_not_count(table: Table) -> None:
    cast(table, "yes")
    cast(table, *["no"] * 2)
    with pytest.raises(Stopped, match="2 slips"):
        vote_by_slips(table.event, find_game(table.event, "1.1"), asking(), EARLY, by="Tess")


def test_slips_with_names_are_refused_where_votes_are_secret(table: Table) -> None:
    with pytest.raises(Stopped, match=r"votes are secret \(NZ99 13\); print the slips without --named"):
        print_wanted(table.event, Wanted(kind=FormKind.VOTE, board="1.1", named=True))


def test_where_the_rules_are_silent_the_director_may_print_names(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc1996") as event:
        named = print_wanted(event, Wanted(kind=FormKind.VOTE, board="1.1", named=True))
        assert [page.power for page in named.pages] == [str(power) for power in Power]
        assert {page.power for page in print_wanted(event, Wanted(kind=FormKind.VOTE, board="1.1")).pages} == {""}


def test_of_slips_with_names_each_is_a_powers_own_and_who_sent_none_is_away(table: Table) -> None:
    votes = {"FRANCE": True, "ITALY": False}
    filed: Any = [SimpleNamespace(id=who, printed=SimpleNamespace(request=SimpleNamespace(power=who))) for who in votes]
    game = find_game(table.event, "1.1")
    for absent, gone, others in ((5, 0, Ballot.ABSENT), (0, 5, Ballot.GONE)):
        cast = _named_ballots(game, filed, votes, absent, gone)
        assert cast == dict.fromkeys(Power, others) | {Power.FRANCE: Ballot.YES, Power.ITALY: Ballot.NO}
    with pytest.raises(Stopped, match="hold this vote in the browser"):
        _named_ballots(game, filed, votes, 1, 4)


def test_the_count_of_a_vote_must_be_all_powers_with_a_centre(table: Table) -> None:
    with pytest.raises(Stopped, match="expected 7 votes, one of each power with a centre, found 6"):
        hold_counted(table.event, find_game(table.event, "1.1"), asking(), Count(6, 0, 0), EARLY, by="Tess")


# ---- ratings ---------------------------------------------------------------------------------------------------------


def test_ratings_are_counted_by_player_and_an_empty_group_is_no_vote(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc1996") as event:
        table = Table(event, tmp_path)
        printed = table.printed(FormKind.RATINGS, board="1.1")
        ada = ticked("ENGLAND negotiation: A", "ENGLAND tactics: B", "TURKEY tactics: C")
        bo = ticked("AUSTRIA negotiation: B", "TURKEY tactics: C")
        cem = ticked("ENGLAND negotiation: B", "ENGLAND tactics: A", "ENGLAND tactics: C")
        table.scanned([table.filled(printed, n, marks) for n, marks in enumerate((ada, bo, cem))])
        counted = {(b.player, b.skill): dict(b.grades) for b in event_results(event).ballots}
        assert counted == {
            (NAMES[1], "negotiation"): {"A": 1},  # the third ballot waits: two boxes are ticked in one group
            (NAMES[1], "tactics"): {"B": 1},
            (NAMES[6], "tactics"): {"C": 2},
            (NAMES[0], "negotiation"): {"B": 1},
        }
        third = printed.pages[2].sheet
        assert state(table, third)[1] == ["ENGLAND tactics: more than one box is ticked (A or C); say which counts"]
        rule_field(event, find_form(event, third), "ENGLAND tactics", "A", by="Tess")
        counted = {(b.player, b.skill): dict(b.grades) for b in event_results(event).ballots}
        assert counted[NAMES[1], "tactics"] == {"A": 1, "B": 1}
        assert counted[NAMES[1], "negotiation"] == {"A": 1, "B": 1}


def test_a_second_ballot_of_the_same_player_is_asked(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc1996") as event:
        table = Table(event, tmp_path)
        printed = table.printed(FormKind.RATINGS, board="1.1", copies=2)
        pages = [table.filled(printed, n, ticked("ENGLAND tactics: A")) for n in (0, 7)]
        table.scanned(pages)
        first, second = printed.pages[0].sheet, printed.pages[7].sheet
        assert event_results(event).ballots == ()
        assert state(table, first)[1] == [f": the same player's ballot is {second} too; set all but one aside"]
        set_aside(event, find_form(event, second), by="Tess")
        assert [dict(ballot.grades) for ballot in event_results(event).ballots] == [{"A": 1}]


def test_a_grade_beside_a_former_players_name_waits_for_a_person(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc1996", (*NAMES, "Hal Ives")) as event:
        table = Table(event, tmp_path)
        printed = table.printed(FormKind.RATINGS, board="1.1")
        rename(event, "Gil Blas", "Gilbert Blas", by="Tess")
        replaced = {"board": "1.1", "power": "ENGLAND", "player": "Hal Ives", "phase": "S1901"}
        enter_note(event, "substitute", replaced, by="Tess", why="did not come")
        grades = ticked("ENGLAND negotiation: A", "ENGLAND tactics: C", "TURKEY tactics: B")
        table.scanned([table.filled(printed, 0, grades)])
        ballot = printed.pages[0].sheet
        says = "beside ENGLAND the ballot has the name of Bo Ek, and Hal Ives has that seat"
        assert [doubt.split(";")[0] for doubt in state(table, ballot)[1]] == [
            f"ENGLAND {skill}: {says}" for skill in ("negotiation", "tactics")
        ]
        assert event_results(event).ballots == ()
        rule_field(event, find_form(event, ballot), "ENGLAND negotiation", "A", by="Tess")
        rule_field(event, find_form(event, ballot), "ENGLAND tactics", NOTHING, by="Tess")
        counted = {(b.player, b.skill): dict(b.grades) for b in event_results(event).ballots}
        assert counted == {("Hal Ives", "negotiation"): {"A": 1}, ("Gilbert Blas", "tactics"): {"B": 1}}


@pytest.mark.parametrize("kind", slow_after(1, [FormKind.BOARD, FormKind.RATINGS, FormKind.VOTE]))
def test_a_form_of_a_board_that_is_not_seated_any_more_does_not_count(tmp_path: Path, kind: FormKind) -> None:
    names = [*NAMES, *(f"Player {number}" for number in range(7))]
    with event_of(tmp_path, "edc1996", names) as event:
        table, boards = Table(event, tmp_path), [dict(zip(Power, half, strict=True)) for half in (names[:7], names[7:])]
        seat_round(event, 1, {"1": boards[0], "2": boards[1]}, by="Tess")
        form = file_one(table, kind, {}, board="1.2")
        seat_round(event, 1, {"1": boards[0]}, by="Tess")
        assert state(table, form) == ("does not count: board 1.2 is not seated any more", [])
        assert event_results(event).ballots == ()
        with pytest.raises(Stopped, match=r"board 1\.2 is not seated any more; set the form aside"):
            accept(event, form, by="Tess")
        set_aside(event, find_form(event, form), by="Tess")
        assert state(table, form) == ("set aside", [])


def test_there_are_no_ballots_where_players_do_not_rate_each_other(table: Table) -> None:
    with pytest.raises(Stopped, match="in this tournament players do not rate each other"):
        table.printed(FormKind.RATINGS, board="1.1")


# ---- teams -----------------------------------------------------------------------------------------------------------


def member(section: int, number: int, name: str = "") -> dict[tuple[str, int | None], FieldMark]:
    marks = digits(f"{section} number", number, 3) | signed(f"{section} signature")
    return marks | {(f"{section} name", None): (name or NAMES[number - 1]).upper()}


def test_a_team_enters_when_its_name_is_said_and_every_member_is_known(table: Table) -> None:
    marks = member(1, 2) | member(2, 7) | {("team", None): "OWLS"}
    form = file_one(table, FormKind.TEAM, marks, names=(NAMES[1], NAMES[6]))
    read_by_a_person(table, form, {"1 number": "2", "2 number": "7"})
    assert state(table, form)[1] == ["team: written by hand; say what it is"]
    with pytest.raises(Stopped, match="written by hand; say what it is"):
        accept(table.event, form, by="Tess")
    rule_field(table.event, find_form(table.event, form), "team", "Owls", by="Tess")
    assert state(table, form) == ("complete; accept it to enter the team", [])
    accept(table.event, form, by="Tess")
    assert [(team.name, team.members) for team in event_results(table.event).teams] == [("Owls", (NAMES[1], NAMES[6]))]
    assert {player.name for player in table.event.players if player.team == "Owls"} == {NAMES[1], NAMES[6]}
    set_aside(table.event, find_form(table.event, form), by="Tess")
    assert event_results(table.event).teams == ()


def test_the_net_reads_the_names_beside_the_numbers(table: Table) -> None:
    printed = table.printed(FormKind.TEAM)
    table.scanned([table.filled(printed, 0, member(1, 2) | member(2, 7))], engine=NetRecogniser())
    form = forms_in(table.event)[printed.pages[0].sheet]
    assert [_name_beside(form, row) for row in ("1", "2")] == [NAMES[1], NAMES[6]]


def test_a_team_whose_form_was_set_aside_enters_only_when_it_is_accepted_anew(table: Table) -> None:
    form = file_one(table, FormKind.TEAM, member(1, 2) | {("team", None): "OWLS"}, names=(NAMES[1],))
    printed = find_form(table.event, form)
    rule_field(table.event, printed, "team", "Owls", by="Tess")
    accept(table.event, form, by="Tess")
    assert state(table, form) == ("entered", [])
    set_aside(table.event, printed, by="Tess")
    rule_field(table.event, printed, "team", "Owls", by="Tess", why="it counts after all")
    assert (state(table, form), event_results(table.event).teams) == (("complete; accept it to enter the team", []), ())
    accept(table.event, form, by="Tess")
    assert [team.name for team in event_results(table.event).teams] == ["Owls"]


def test_a_team_whose_form_was_changed_since_is_accepted_again(table: Table) -> None:
    form = file_one(table, FormKind.TEAM, member(1, 2) | {("team", None): "OWLS"}, names=(NAMES[1],))
    for name in ("Owls", "Owlets"):
        rule_field(table.event, find_form(table.event, form), "team", name, by="Tess")
        accept(table.event, form, by="Tess")
        assert state(table, form) == ("entered", [])
        assert [team.name for team in event_results(table.event).teams] == [name]
        rule_field(table.event, find_form(table.event, form), "team", "Owlets", by="Tess")
        assert state(table, form) == ("a field was ruled on since it was entered; accept it again", [])


def test_a_team_that_is_accepted_again_takes_no_player_from_another_team(table: Table) -> None:
    forms = []
    for name, number in (("Owls", 2), ("Bats", 3)):
        form = file_one(
            table, FormKind.TEAM, member(1, number) | {("team", None): name.upper()}, names=(NAMES[number - 1],)
        )
        rule_field(table.event, find_form(table.event, form), "team", name, by="Tess")
        accept(table.event, form, by="Tess")
        forms.append(form)
    assert [state(table, form) for form in forms] == [("entered", []), ("entered", [])]
    rule_field(table.event, find_form(table.event, forms[0]), "1 number", "3", by="Tess")
    assert state(table, forms[0])[1] == [f"1 number: {NAMES[2]} is in the team Bats already"]
    with pytest.raises(Stopped, match="in the team Bats already"):
        accept(table.event, forms[0], by="Tess")


# ---- board games -----------------------------------------------------------------------------------------------------


def seat(line: int, number: int, place: int, *, signs: bool = True) -> dict[tuple[str, int | None], FieldMark]:
    marks = digits(f"{line} number", number, 3) | digits(f"{line} place", place, 1)
    marks |= {(f"{line} name", None): NAMES[number - 1].upper()}
    return marks | (signed(f"{line} signature") if signs else {})


def test_a_score_sheet_that_everybody_signed_counts_in_the_competition(table: Table) -> None:
    marks = ticked("game: Shark") | seat(1, 3, 2) | seat(2, 1, 1) | seat(3, 5, 2)
    form = file_one(table, FormKind.GAME, marks, names=(NAMES[2], NAMES[0], NAMES[4]))
    read_by_a_person(table, form, {"1 number": "3", "1 place": "2", "2 number": "1", "2 place": "1"})
    read_by_a_person(table, form, {"3 number": "5", "3 place": "2"})
    assert state(table, form) == ("counts", [])
    (game,) = event_results(table.event).board_games
    assert (game.game, game.places, game.is_signed) == ("Shark", ((NAMES[0],), (NAMES[2], NAMES[4])), True)
    first = scored_event(table.event).board_games[0]
    assert (first.player, first.points) == (NAMES[0], Fraction(63, 2))  # 7 points of three players, times 4.5


def test_a_score_sheet_that_somebody_did_not_sign_does_not_count(table: Table) -> None:
    marks = ticked("game: Shark") | seat(1, 3, 2) | seat(2, 1, 1, signs=False)
    form = file_one(table, FormKind.GAME, marks, names=(NAMES[2], NAMES[0]))
    read_by_a_person(table, form, {"1 number": "3", "1 place": "2", "2 number": "1", "2 place": "1"})
    assert state(table, form)[0] == "does not count: not everybody has signed"
    assert scored_event(table.event).board_games == ()
    rule_field(table.event, find_form(table.event, form), "2 signature", SIGNED, by="Tess", why="he signed later")
    assert [row.player for row in scored_event(table.event).board_games] == [NAMES[0], NAMES[2]]


# ---- rulings ---------------------------------------------------------------------------------------------------------


def test_a_ruling_says_what_can_stand_in_a_field(table: Table) -> None:
    printed = table.printed(FormKind.VOTE, board="1.1")
    form = find_form(table.event, printed.pages[0].sheet)
    with pytest.raises(Stopped, match="expected one of yes, no, or 'nothing'; found 'perhaps'"):
        rule_field(table.event, form, "vote", "perhaps", by="Tess")
    with pytest.raises(Stopped, match="no such field; did you mean 'vote'"):
        rule_field(table.event, form, "votes", "yes", by="Tess")
    with pytest.raises(Stopped, match="no such form was printed"):
        find_form(table.event, "TEST-9999-9")

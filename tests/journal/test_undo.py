"""Whatever changes the event is taken back while nothing rests on it; else it is told what does, by number."""

import re
from pathlib import Path

import pytest
from commands import run
from desk.cup import NAMES, clock, hand_in_all, seated, spring

from pipeline.board import Phase, Power
from pipeline.desk.backups import back_up
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game, games
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.forms.form_printing import Wanted, print_wanted
from pipeline.desk.forms.forms_in import printed_forms
from pipeline.desk.players import add_player
from pipeline.desk.publish.explain import check_event
from pipeline.desk.publish.public_record import PublicBook, public_record
from pipeline.desk.publish.publish import apply_correction, propose_correction, publish
from pipeline.desk.results.notes import enter_note
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.ruling.rulings import RowDecision, rule_row, type_lines
from pipeline.desk.sheets.printed import OldSeats, printed_sheets
from pipeline.desk.sheets.printing import print_round
from pipeline.journal.acts import undo_all, undo_fact
from pipeline.journal.lines import JournalLine, journal
from pipeline.journal.undo_codes import Dependency, UndoState
from pipeline.ledger.events import ActTakenBack, PhasePublished, ResultEntered, Seated
from pipeline.paper.form import FormKind
from pipeline.problems import ExitCode, Stopped
from pipeline.rehearsal.simulation import _play_solo
from pipeline.scoring.results import Ending
from pipeline.words.speech import Message

OTHERS = dict(zip(NAMES, (*list(NAMES.values())[1:], next(iter(NAMES.values()))), strict=True))  # each one seat on
FALL = Phase.read("F1901M")


@pytest.fixture
def played(cup: Event) -> Event:
    """Spring 1901 is published, and nothing came after it."""
    print_round(cup, 1)
    hand_in_all(cup)
    publish(cup, "1", "Tess")
    return cup


def newest(event: Event) -> int:
    return event.facts.last_number()


def line(event: Event, number: int) -> JournalLine:
    return next(each for each in journal(event) if each.fact.number == number)


def codes(told: tuple[Message, ...]) -> list[str]:
    return [str(each.code) for each in told]


def refused(event: Event, number: int, why: str = "") -> Stopped:
    """Nothing is written down, and it is told why."""
    before = newest(event)
    with pytest.raises(Stopped) as stopped:
        undo_fact(event, number, by="Tess", why=why)
    assert newest(event) == before
    return stopped.value


# ---- the seats of a round -------------------------------------------------------------------------------------------


def test_a_second_draw_taken_back_leaves_the_first_with_its_sheets(cup: Event) -> None:
    print_round(cup, 1)
    again = seat_round(cup, 1, {"1": OTHERS}, by="Tess").number
    sheets = printed_sheets(cup).values()
    assert all(OldSeats.of(cup).is_of_old(sheet) for sheet in sheets)
    printing = next(each for each in journal(cup) if "VOID" in codes(each.followed))
    assert len(printing.followed[0].data[0][1]) == len(sheets)  # type: ignore[arg-type]
    undo_fact(cup, again, by="Tess")
    assert find_game(cup, "1").seating.players == NAMES
    assert not any(OldSeats.of(cup).is_of_old(sheet) for sheet in sheets)


def test_a_board_that_was_added_goes_while_another_is_played(played: Event) -> None:
    for name in ("Hal", "Ida", "Jon", "Kim", "Lev", "Mia", "Nat"):
        add_player(played, name, {}, by="Tess")
    more = dict(zip(NAMES, ("Hal", "Ida", "Jon", "Kim", "Lev", "Mia", "Nat"), strict=True))
    first = next(played.facts.select(Seated)).number
    added = seat_round(played, 1, {"1": NAMES, "2": more}, by="Tess").number
    assert codes(line(played, first).rests)[0] == Dependency.LATER
    undo_fact(played, added, by="Tess")
    assert list(games(played)) == ["1.1"]
    assert find_game(played, "1").position.phase == FALL


# ---- a phase that was published -------------------------------------------------------------------------------------


def test_a_publication_on_which_nothing_rests_is_taken_back_with_its_cards(played: Event) -> None:
    fact = next(played.facts.select(PhasePublished)).number
    assert sorted(path.name for path in played.out.glob("1.1-*.pdf"))
    noted = enter_note(played, "award", {"award": "best", "player": "Bo"}, by="Tess", why="x").number
    done = undo_all(played, (fact, noted), by="Bob", why="Ada's sheet was read wrongly")
    assert [each.said for each in done] == [
        ActTakenBack(fact=number, why="Ada's sheet was read wrongly") for number in (noted, fact)
    ]
    assert {each.by for each in done} == {"Bob"}
    game = find_game(played, "1")
    assert (game.played, str(game.position.phase)) == ((), "S1901M")
    assert not list(played.out.glob("1.1-*.pdf"))
    assert list(check_event(played)) == []
    publish(played, "1", "Tess")
    assert find_game(played, "1").position.phase == FALL
    assert len(list(played.out.glob("1.1-S1901M-*.pdf"))) == 2


def test_a_correction_taken_back_leaves_what_was_published_before(played: Event) -> None:
    first = newest(played)
    before = find_game(played, "1").position
    cards = {path.name: path.read_bytes() for path in played.out.glob("1.1-S1901M*")}
    rule_row(played, spring(Power.ITALY), 1, RowDecision(order="A VEN H"), "Tess")
    proposal = propose_correction(played, find_game(played, "1"), "S1901M", deadline_passed=False)
    apply_correction(played, proposal, by="Tess", why="misread")
    corrected = newest(played)
    assert find_game(played, "1").position != before
    assert "AGAIN" in codes(line(played, first).followed)
    refused(played, first, "it must go")
    assert {path.name: path.read_bytes() for path in played.out.glob("1.1-S1901M*")} != cards
    undo_fact(played, corrected, by="Tess", why="it was right")
    assert {path.name: path.read_bytes() for path in played.out.glob("1.1-S1901M*")} == cards
    assert find_game(played, "1").position == before
    assert find_game(played, "1").played[0].fact.number == first


def correct_italy(event: Event, line: str) -> int:
    """Type another order for Italy's army in the published phase, and correct it; returns the newest publication.

    What ends the game as a solo is told before.
    """
    game = find_game(event, "1")
    phase = game.played[-1].phase
    type_lines(event, Turn("1.1", phase, Power.ITALY), [line], by="Tess")
    proposal = propose_correction(event, game, str(phase), deadline_passed=False)
    apply_correction(event, proposal, by="Tess", why="misread")
    is_solo = find_game(event, "1").ending == "solo"
    assert proposal.solo == ("ITALY owns 18 centres: the game is a solo" if is_solo else "")
    return event.facts.newest(PhasePublished)


def test_a_correction_undone_brings_back_the_solo_it_took_away_whatever_ended_in_between(cup: Event) -> None:
    _play_solo(cup, "1.1")
    solo = find_game(cup, "1").end
    corrected = correct_italy(cup, "A APU H")
    assert find_game(cup, "1").ending is None
    ended = end_game(cup, find_game(cup, "1"), Ending.ABANDONED, by="Tess", why="all went home").number
    refused(cup, corrected, "it was right")
    book, desk = PublicBook(cup), LiveDesk(cup)
    undo_fact(cup, ended, by="Tess")
    undo_fact(cup, corrected, by="Tess", why="it was right")
    desk.refresh()
    assert solo and find_game(cup, "1").end == solo == desk.games["1.1"].end
    assert book.record() == public_record(cup, games(cup))


def test_a_correction_that_makes_a_solo_of_a_game_ended_by_hand_says_so_until_it_is_undone(cup: Event) -> None:
    _play_solo(cup, "1.1")
    correct_italy(cup, "A APU H")
    end_game(cup, find_game(cup, "1"), Ending.ABANDONED, by="Tess", why="all went home")
    by_hand = find_game(cup, "1").end
    corrected = correct_italy(cup, "A APU - ROM")
    assert find_game(cup, "1").ending == "solo"
    assert not [each for each in check_event(cup) if "ended as" in each.text or "end the game" in each.text]
    undo_fact(cup, corrected, by="Tess", why="it was wrong")
    assert find_game(cup, "1").end == by_hand


def test_the_live_desk_and_the_public_see_a_publication_go(played: Event) -> None:
    desk, book = LiveDesk(played), PublicBook(played)
    assert len(book.record().games["1.1"].played) == 1
    undo_fact(played, newest(played), by="Tess", why="misread")
    desk.refresh()
    assert str(desk.games["1.1"].position.phase) == "S1901M"
    assert "1.1" not in book.record().games or not book.record().games["1.1"].played


# ---- what was ruled, typed, noted -----------------------------------------------------------------------------------


def test_what_was_taken_back_is_not_taken_back_twice(cup: Event) -> None:
    typed = type_lines(cup, spring(Power.ITALY), ["A VEN H"], by="Tess").number
    back = undo_fact(cup, typed, by="Tess").number
    stopped = refused(cup, typed)
    assert stopped.code is ExitCode.WRONG_INPUT
    assert f"number {back}" in stopped.problems[0].text


def test_numbers_that_nothing_has_are_told_together_with_what_holds_another(played: Event) -> None:
    held = next(played.facts.select(Seated)).number
    holding = refused(played, held).problems
    for numbers, more, code in (((999, 998), (), ExitCode.WRONG_INPUT), ((999, held), holding, ExitCode.RULE_FIRST)):
        with pytest.raises(Stopped) as stopped:
            undo_all(played, numbers, by="Tess", why="misread")
        assert stopped.value.code is code
        others = [number for number in numbers if number != held]
        assert [each.where for each in stopped.value.problems] == [
            *(f"number {number}" for number in others), *(each.where for each in more),
        ]  # fmt: skip


def test_a_publication_on_a_board_that_nobody_sits_at_is_taken_back(cup: Event) -> None:
    """Only in a file that was edited by hand."""
    after = {"phase": "F1901M"}
    said = PhasePublished(board="9.1", phase=Phase.read("S1901M"), orders={}, results=(), rows={}, after=after)
    written = cup.facts.write(said, "Tess")
    undo_fact(cup, written.number, by="Tess", why="misread")
    assert line(cup, written.number).standing is UndoState.TAKEN_BACK


# ---- the room -------------------------------------------------------------------------------------------------------


def test_an_event_that_goes_on_from_a_copy_is_undone_as_before(tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup")
    with open_event(folder, clock) as event:
        print_round(event, 1)
        hand_in_all(event)
        publish(event, "1", "Tess")
        fact = newest(event)
        back_up(event)
        type_lines(event, Turn("1.1", FALL, Power.ITALY), ["A VEN H"], by="Tess")  # is not in the copy
    run("restore", str(folder), "--copy", "newest", "--replace", "--by", "Tess")
    with open_event(folder, clock) as event:
        restored = line(event, newest(event))
        assert (str(restored.what.code), restored.standing) == ("RESTORED", UndoState.STAYS)
        assert re.search(r" of \d{4}-\d\d-\d\d \d\d:\d\d$", str(restored.what)), "a time as everywhere"
        undo_fact(event, fact, by="Tess", why="misread")
        assert find_game(event, "1").played == ()


@pytest.mark.parametrize("is_printed", [False, True])
def test_a_result_that_names_another_form_than_a_board_sheet_of_its_own_is_taken_back(
    cup: Event, is_printed: bool
) -> None:
    """Only in a file that was edited by hand: no form is set aside with it."""
    print_wanted(cup, Wanted(kind=FormKind.SAMPLE))
    form = next(iter(printed_forms(cup))) if is_printed else "TEST-F-0099"
    years = {1901: dict.fromkeys(Power, 3)}
    fact = cup.facts.write(ResultEntered(board="1.1", form=form, ended="abandoned", years=years), "Tess")
    assert find_game(cup, "1").ending == "abandoned"
    undo_fact(cup, fact.number, by="Tess", why="misread")
    assert find_game(cup, "1").ending is None
    assert line(cup, fact.number).standing is UndoState.TAKEN_BACK

"""What no sheet says is entered by page or command, as the same facts, and counts wherever points are counted."""

import json
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from commands import run
from facts_as_kept import append_fact, read_facts
from msgspec.structs import replace
from web.conftest import SEATS, Browser

from desk.beginnings import copied
from desk.cup import NAMES, clock
from pipeline.board import Phase, Power, starting_position
from pipeline.cli import group
from pipeline.cli.score import score_document
from pipeline.desk.drawn_round import standings_before
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import find_game, seatings
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.results.notes import enter_note, notes_in_force, take_note_back
from pipeline.desk.results.results import event_results, scored_event
from pipeline.desk.ruling.rulings import rule_sheet
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import print_round
from pipeline.draw.roster import Player
from pipeline.ledger.events import ResultEntered
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import write_position
from pipeline.problems import Stopped
from pipeline.scoring.results import Ending, decimal, exact
from pipeline.scoring.score import Scored
from pipeline.web.server import open_office

EVERYBODY = [*NAMES.values(), *(f"P{number}" for number in range(8, 15))]
SEVEN = dict(zip(Power, EVERYBODY[:7], strict=True))
OTHERS = dict(zip(Power, EVERYBODY[7:], strict=True))
NEWCOMER = {"board": "1.1", "power": "ITALY", "player": "P8"}
FIRST, LAST = "1901 A5 E4 F5 G5 I4 R6 T4 N1", "1907 A5 E5 F5 G5 I4 R6 T4"  # years of a board


def cup_of(folder: Path, tournament: str) -> Path:
    """Fourteen players; two boards in each of two rounds, Ada on both of the second."""
    return copied(seat_two_rounds, folder / "cup", tournament)


def seat_two_rounds(folder: Path, tournament: str) -> None:
    details = Details(name="Test Cup", code="TEST", tournament=tournament)
    make_event_folder(folder, details, [Player(name=name) for name in EVERYBODY], clock)
    with open_event(folder, clock) as event:
        seat_round(event, 1, {"1": SEVEN, "2": OTHERS}, by="Tess")
        second = {power: name for power, name in OTHERS.items() if power is not Power.ITALY} | {Power.ITALY: "Ada"}
        seat_round(event, 2, {"1": SEVEN, "2": second}, by="Tess")


@pytest.fixture
def edc(tmp_path: Path) -> Path:
    return cup_of(tmp_path, "edc2023")


def at(event: Event, board: str, phase: str) -> None:
    position = replace(starting_position(event.board), phase=Phase.read(phase))
    append_fact(event.facts, "position set", {"board": board, "position": write_position(position)}, "Tess")


def all_over(cup: Path) -> Scored:
    """End every game, and score."""
    with open_event(cup, clock) as event:
        for name in seatings(event):
            if not find_game(event, name).ending:
                at(event, name, "S1908M")
                end_game(event, find_game(event, name), Ending.TIME, by="Tess", why="over")
        return scored_event(event)


def account(scored: Scored, name: str) -> dict[str, str]:
    """Points beside the boards, by kind."""
    rows = [row.tally for row in scored.standings.rows]
    tally = next(tally for tally in (*rows, *scored.standings.unranked) if tally.player.name == name)
    kinds = dict.fromkeys(extra.kind for extra in tally.extras)
    return {kind: decimal(sum((e.points for e in tally.extras if e.kind == kind), Fraction())) for kind in kinds}


# ---- penalties and bonuses -------------------------------------------------------------------------------------------


def test_penalties_cost_what_edc23_d4_says(edc: Path) -> None:
    run("enter", edc, "penalty", "Ada", "absent", "--round", "2", "--why", "did not come")
    run("enter", edc, "penalty", "Bo", "contesting", "--why", "argued")
    run("enter", edc, "penalty", "Cem", "late", "--times", "3", "--why", "three sheets")
    run("enter", edc, "penalty", "Dag", "cheating", "--why", "looked")
    scored = all_over(edc)
    assert account(scored, "Ada") == {"absence": "-15", "participation": "0"}
    assert (account(scored, "Bo")["contesting"], account(scored, "Cem")["late"]) == ("-5", "-3")
    dag = next(row for row in scored.standings.rows if row.player == "Dag")
    assert (decimal(dag.total), account(scored, "Dag")["conduct"][0]) == ("0", "-")


@pytest.mark.parametrize(("said", "told"), [("1", "1 point"), ("2", "2 points"), ("1/2", "0.5 points")])
def test_points_are_counted_as_one_says_them(edc: Path, said: str, told: str) -> None:
    run("enter", edc, "penalty", "Ada", "late", "--points", said, "--why", "late")
    with open_event(edc, clock) as event:
        (note,) = notes_in_force(event)
    assert note.words.endswith(f" · {told}")


def test_a_word_may_begin_with_a_dash_and_a_mistyped_option_is_none(edc: Path) -> None:
    assert "cannot be negative" in run("enter", edc, "score", "1.1", "FRANCE", "-4", "--why", "stalled", code=2)
    assert "'-Xeno'" in run("enter", edc, "excluded", "-Xeno", "--why", "left", code=2)
    for words in (("club", "Ada", "--whyy"), ("lot", "Ada", "--whyy", "Bo")):
        assert "--whyy" in run("enter", edc, *words, code=2)


def test_every_fault_of_a_note_is_told_at_once(edc: Path) -> None:
    said = run("enter", edc, "penalty", "Adda", "absence", "--points", "many", "--round", "9", code=2)
    assert said.splitlines() == [
        "penalty player: nobody on the roster is called 'Adda'; did you mean 'Ada'?",
        "penalty points: 'many' is not a number; write 15, 0.1, '1/2' or '110 %'",
        "penalty round: expected a whole number from 1 to 4, found '9'",
        "penalty why: missing; give a reason, because people will ask",
    ]
    with open_event(edc, clock) as event:
        assert notes_in_force(event) == ()


def test_a_withdrawal_outside_a_draw_is_a_bonus_that_the_rules_compute(edc: Path) -> None:
    assert "Ada plays on 2.1 in that round" in run(
        "enter", edc, "bonus", "Ada", "withdrawal", "--round", "2", "--why", "asked", code=2
    )
    assert "missing; a withdrawal is worth" in run("enter", edc, "bonus", "P10", "withdrawal", "--why", "x", code=2)
    run("enter", edc, "bonus", "P10", "withdrawal", "--round", "3", "--why", "asked")
    assert account(all_over(edc), "P10")["withdrawal"] == "0"  # no score of round 3 yet
    run("enter", edc, "bonus", "P10", "kindness", "--points", "1/3", "--why", "lent a pen")
    assert account(all_over(edc), "P10")["kindness"] == "0.333333"


# ---- scores, seats ---------------------------------------------------------------------------------------------------


def test_who_played_when_is_kept_with_the_seat(edc: Path) -> None:
    with open_event(edc, clock) as event:
        at(event, "1.1", "F1903M")
        enter_note(event, "substitute", NEWCOMER | {"phase": "S1903"}, by="Tess", why="ill")
        seating = find_game(event, "1.1").seating
        assert [seating.player_at(Power.ITALY, Phase.read(phase)) for phase in ("W1902A", "S1903M", "F1903M")] == [
            "Eva",
            "P8",
            "P8",
        ]
        print_round(event, 1, "1")
        assert {sheet.request.player for sheet in printed_sheets(event).values()} >= {"P8"}
        assert "Eva" not in {sheet.request.player for sheet in printed_sheets(event).values()}


def test_a_late_sheet_costs_whom_it_was_late_of(edc: Path) -> None:
    """EDC23 D4: one point; the newcomer does not pay for the sheets of the one before him."""
    with open_event(edc, clock) as event:
        late = Turn("1.1", Phase.read("S1901M"), Power.ITALY)
        rule_sheet(event, late, SheetDecision.LATE, by="Tess")
        at(event, "1.1", "S1902M")
        enter_note(event, "substitute", NEWCOMER | {"phase": "S1902"}, by="Tess", why="ill")
        assert [(each.player, str(each.points)) for each in event_results(event).penalties] == [("Eva", "1")]


def test_who_arrived_late_gets_his_share_where_the_rules_have_one(edc: Path, tmp_path: Path) -> None:
    run("enter", edc, "late-start", "1.1", "ITALY", "S1902", "--why", "the train")
    (game,) = [g for g in all_over(edc).games if (g.board.name, g.power, g.round) == ("1", Power.ITALY, 1)]
    assert game.remarks[0].startswith("arrived in season 3: ")
    assert game.score == int(game.unrounded * Fraction(11, 14))
    other = cup_of(tmp_path / "x", "nzdc1999")
    assert "take nothing off for arriving late" in run(
        "enter", other, "late-start", "1.1", "ITALY", "S1902", "--why", "x", code=2
    )


def test_of_two_boards_the_one_that_the_player_chooses_counts(edc: Path, tmp_path: Path) -> None:
    assert "Ada does not play on 1.2" in run("enter", edc, "counts", "Ada", "1.2", code=2)
    assert "Bo plays on one board only in round 2" in run("enter", edc, "counts", "Bo", "2.1", code=2)
    run("enter", edc, "counts", "Ada", "2.2")
    with open_event(edc, clock) as event:
        assert event_results(event).players["Ada"].chosen == {2: "2"}
    moot = cup_of(tmp_path / "x", "weaselmoot")
    said = run("enter", moot, "counts", "Ada", "2.2", code=2)
    assert "nobody chooses which of two boards counts: 'higher' (WM III.7)" in said


# ---- people ----------------------------------------------------------------------------------------------------------


def test_what_is_noted_of_somebody_holds_until_the_file_is_changed(edc: Path) -> None:
    run("enter", edc, "distance", "Ada", "900")
    run("enter", edc, "country", "Ada", "Norway")
    run("enter", edc, "club", "Ada", "Owls")

    def ada(event: Event) -> Player:
        return next(player for player in event.players if player.name == "Ada")

    with open_event(edc, clock) as event:
        assert (ada(event).distance_km, ada(event).country, ada(event).club) == (900, "Norway", "Owls")
        none = enter_note(event, "club", {"player": "Ada", "club": "none"}, by="Tess", why="").number
        assert ada(event).club == ""
        take_note_back(event, none, by="Tess")
        assert ada(event).club == "Owls"
    path = edc / "event.toml"
    path.write_text(path.read_text("utf-8").replace('name = "Ada"', 'name = "Ada"\ndistance_km = 850'), "utf-8")
    with open_event(edc, clock) as event:
        assert (ada(event).distance_km, ada(event).country) == (850, "Norway")


def test_an_excluded_player_is_scored_and_never_ranked(tmp_path: Path) -> None:
    cup = cup_of(tmp_path, "edc1996")
    run("enter", cup, "excluded", "Ada", "--why", "left the game (EDC96 12)")
    scored = all_over(cup)
    assert "Ada" not in {row.player for row in scored.standings.rows}
    assert [tally.player.name for tally in scored.standings.unranked] == ["Ada"]


def test_a_special_award_is_read_out(tmp_path: Path) -> None:
    cup = cup_of(tmp_path, "weaselmoot")
    run("enter", cup, "award", "best stab", "Bo", "--why", "in 1904")
    assert [(award.title, award.winners, award.why) for award in all_over(cup).awards][-1] == (
        "best stab",
        ("Bo",),
        "in 1904",
    )


def test_who_announced_himself_for_the_first_and_the_last_round_gets_the_point_of_edc23_d3(edc: Path) -> None:
    with open_event(edc, clock) as event:
        seat_round(event, 4, {"1": SEVEN}, by="Tess")
    run("enter", edc, "preregistered", "Ada", "1", "4")
    run("enter", edc, "preregistered", "Bo", "1")
    scored = all_over(edc)
    assert account(scored, "Ada")["preregistration"] == "1"
    assert "preregistration" not in account(scored, "Bo")


# ---- a game played elsewhere -----------------------------------------------------------------------------------------


def typed_result(cup: Path, *more: str, code: int = 0, board: str = "1.1", ended: str = "time") -> str:
    years = [
        word for line in ("1901 A5 E4 F5 G5 I4 R6 T4 N1", "1907 A5 E5 F5 G5 I4 R6 T4") for word in ("--year", line)
    ]
    return run("enter", cup, "result", board, ended, *years, *more, code=code)


def test_how_it_ended_may_be_written_as_the_command_end_has_it(edc: Path) -> None:
    typed_result(edc, ended="last-year")
    assert "last year, to 1907" in run("journal", edc)


def test_a_game_played_elsewhere_is_typed_in(edc: Path) -> None:
    typed_result(edc, "--by", "Tess")
    with open_event(edc, clock) as event:
        (board,) = event_results(event).boards
        assert (board.centres[Power.RUSSIA], board.years[1901][Power.TURKEY], board.ended) == (6, 4, Ending.TIME)
        (note,) = notes_in_force(event)
        assert isinstance(note.fact.said, ResultEntered) and note.fact.said.form == ""
        assert "to 1907" in note.words
    assert "everything is in order" in run("check", edc)
    run("enter", edc, "undo", str(note.fact.number))
    with open_event(edc, clock) as event:
        assert (event_results(event).boards, notes_in_force(event), find_game(event, "1.1").ending) == ((), (), None)


def test_counts_that_cannot_be_are_refused_all_at_once(edc: Path) -> None:
    years: list[str] = ["1901 A5 E4 F5 G5 I4 R6 T4", "1902 A5 X4", "1902 A34", "190 A34", "1903 A30 A4"]
    said = run("enter", edc, "result", "1.1", "time", *(w for y in years for w in ("--year", y)), code=2)
    assert said.splitlines() == [
        "result years: 1901 adds up to 33, unowned centres (N) included; the board has 34",
        "result years: 'X4' in '1902 A5 X4': no such power",
        "result years: 1902 adds up to 5, unowned centres (N) included; the board has 34",
        "result years: expected a year from 1901 on, each once, found '1902' in '1902 A34'",
        "result years: expected a year from 1901 on, each once, found '190' in '190 A34'",
        "result years: 'A4' in '1903 A30 A4': stands twice",
        "result years: 1903 adds up to 30, unowned centres (N) included; the board has 34",
    ]
    back = ["--year", "1906 A0 E14 F20", "--year", "1907 A1 E14 F17 N2"]
    assert "AUSTRIA had no centre in 1906 and has 1 in 1907" in run(
        "enter", edc, "result", "1.1", "time", *back, code=2
    )


def test_a_solo_before_the_last_year_is_refused(edc: Path) -> None:
    for last in ("1907 A15 E19", "1907 A18 E16"):
        said = run("enter", edc, "result", "1.1", "time", "--year", "1906 A18 E16", "--year", last, code=2)
        assert "AUSTRIA had 18 centres in 1906, which is a solo and ends the game" in said
    said = run("enter", edc, "result", "1.1", "time", "--year", "1907 A18 E16", code=2)
    assert "solo" in said


def test_the_end_of_a_game_played_elsewhere_is_checked_like_any_other(edc: Path) -> None:
    said = typed_result(edc, code=2, ended="solo")
    assert "a solo takes 18 centres, and nobody owns more than 6 (EDC23 C)" in said
    early: list[str | Path] = ["enter", edc, "result", "1.1", "time", "--year", LAST.replace("1907", "1904")]
    assert "the game is played to the end of 1907; 1904 is the last that is over (EDC23 B)" in run(*early, code=3)
    run(*early, "--why", "the hall closed")
    with open_event(edc, clock) as event:
        (board,) = event_results(event).boards
        assert [(each.rule, each.why) for each in board.overruled] == [("EDC23 B", "the hall closed")]
    assert "no draw is voted in the last year (EDC23 E)" in typed_result(edc, code=3, ended="vote", board="1.2")


def test_a_round_with_a_result_keeps_its_seats(edc: Path) -> None:
    typed_result(edc)
    with (
        open_event(edc, clock) as event,
        pytest.raises(Stopped, match="is being played; its seats cannot change any more"),
    ):
        seat_round(event, 1, {"1": OTHERS, "2": SEVEN}, by="Tess")


def test_standings_score_and_the_draw_count_what_was_entered(edc: Path) -> None:
    typed_result(edc)
    run("enter", edc, "penalty", "Ada", "contesting", "--why", "argued")
    run("enter", edc, "score", "1.1", "ITALY", "99", "--why", "by ruling")
    told = json.loads(run("score", edc))
    assert {row["player"]: row["total"] for row in told["standings"]}["Eva"] == "108"  # 110 % of it, truncated
    assert next(row for row in told["standings"] if row["player"] == "Ada")["extras"][0]["points"] == "-5"
    with open_event(edc, clock) as event:
        totals = {row.player: decimal(row.total) for row in scored_event(event).standings.rows}
        before = {row.player: decimal(row.total) for row in standings_before(event, 2).standings.rows}
    assert totals == before == {row["player"]: row["total"] for row in told["standings"]}


def test_the_finalists_are_found_from_standings_with_what_was_entered(tmp_path: Path) -> None:
    cup = cup_of(tmp_path, "wdc2008")
    with open_event(cup, clock) as event:
        seat_round(event, 3, {"1": SEVEN, "2": OTHERS}, by="Tess")
    for board in ("1.1", "1.2", "2.1", "2.2", "3.1", "3.2"):
        typed_result(cup, board=board)
    with open_event(cup, clock) as event:
        before = standings_before(event, 4).qualification
    run("enter", cup, "excluded", "=Fox()", "--why", "WDC08 18")
    run("enter", cup, "penalty", "P13", "conduct", "--points", "100", "--why", "WDC08 18")
    with open_event(cup, clock) as event:
        after = standings_before(event, 4).qualification
    assert before is not None
    assert after is not None
    assert {"=Fox()", "P13"} <= set(before.finalists)
    assert not {"=Fox()", "P13"} & set(after.finalists)


# ---- both doors ------------------------------------------------------------------------------------------------------

SAME: list[tuple[str, dict[str, str], str]] = [  # a note, its fields on the page, and the words of the command
    ("penalty", {"player": "Ada", "kind": "absence", "round": "2", "times": ""}, "Ada absence --round 2"),
    ("bonus", {"player": "Bo", "kind": "kindness", "points": "1/3", "round": ""}, "Bo kindness --points 1/3"),
    ("score", {"board": "1.1", "power": "ITALY", "score": "12.5"}, "1.1 ITALY 12.5"),
    ("substitute", NEWCOMER | {"phase": "S1901"}, "1.1 ITALY P8 S1901"),
    ("late-start", {"board": "1.1", "power": "TURKEY", "phase": "F1901"}, "1.1 TURKEY F1901"),
    ("counts", {"player": "Ada", "board": "2.2"}, "Ada 2.2"),
    ("lot", {"players": "Bo\nAda\n"}, "Bo Ada"),
    ("excluded", {"player": "Cem"}, "Cem"),
    ("award", {"award": "best stab", "player": "Bo"}, "'best stab' Bo"),
    ("distance", {"player": "Ada", "km": "900"}, "Ada 900"),
    ("country", {"player": "Ada", "country": "Norway"}, "Ada Norway"),
    ("club", {"player": "Ada", "club": "Owls"}, "Ada Owls"),
    ("preregistered", {"player": "Ada", "rounds": "1, 4"}, "Ada 1 4"),
    (
        "result",
        {"board": "1.2", "ended": "time", "years": f"{FIRST}\n{LAST}", "players": ""},
        f"1.2 time --year '{FIRST}' --year '{LAST}'",
    ),
]


@pytest.fixture
def doors(tmp_path: Path) -> Iterator[tuple[Path, Browser]]:
    """An event for the command, and the same event before a browser."""
    with open_office(cup_of(tmp_path / "page", "edc2023"), SEATS, is_lan=True) as office:
        yield cup_of(tmp_path / "command", "edc2023"), Browser(office, "Tess")


def test_the_page_and_the_command_write_the_same_facts(doors: tuple[Path, Browser]) -> None:
    cup, tess = doors
    for what, values, arguments in SAME:
        run("enter", cup, what, *shlex.split(arguments), "--by", "Tess", "--why", "because")
        answer = tess.client.post(
            "/api/notes/enter", json={"what": what, "values": values, "why": "because"}, headers={"X-Token": tess.token}
        )
        assert answer.status_code == 200, answer.text
    with open_event(cup, clock) as event:
        ours = [(fact.kind, fact.by, json.dumps(fact.body, sort_keys=True)) for fact in read_facts(event.facts)]
    theirs = [(f.kind, f.by, json.dumps(f.body, sort_keys=True)) for f in read_facts(tess.opened.office.event.facts)]
    assert ours == theirs
    listed = json.loads(run("enter", cup, "list", "--json"))
    shown = tess.client.get("/api/notes").json()["notes"]
    assert [each["words"] for each in listed] == [each["words"] for each in shown]
    assert len(listed) == len(SAME)


def test_a_player_is_named_by_a_number_too_and_a_number_that_nobody_has_is_refused(edc: Path, tmp_path: Path) -> None:
    numbers = {name: str(number) for number, name in enumerate(EVERYBODY, 1)}
    by_name, by_number = edc, cup_of(tmp_path / "numbers", "edc2023")
    with open_event(by_name, clock) as one, open_event(by_number, clock) as other:
        for what, values, _ in SAME:
            people = {key: text for key, text in values.items() if text and key in ("player", "players")}
            numbered = {key: "\n".join(numbers[name] for name in text.split()) for key, text in people.items()}
            facts = [
                enter_note(event, what, values | given, by="Tess", why="because")
                for event, given in ((one, people), (other, numbered))
            ]
            assert facts[0].said == facts[1].said, what
            for key in people:
                with pytest.raises(Stopped, match="nobody on the roster is called '99'"):
                    enter_note(other, what, values | {key: "99"}, by="Tess", why="because")


def test_what_the_page_refuses_the_command_refuses_in_the_same_words(doors: tuple[Path, Browser]) -> None:
    cup, tess = doors
    values = {"player": "Adda", "kind": "absence", "points": "", "round": "9", "times": ""}
    answer = tess.client.post(
        "/api/notes/enter", json={"what": "penalty", "values": values, "why": ""}, headers={"X-Token": tess.token}
    )
    said = run("enter", cup, "penalty", "Adda", "absence", "--round", "9", code=2)
    assert answer.status_code == 422
    assert answer.json()["said"] == "; ".join(line.split(": ", 1)[1] for line in said.splitlines())


def invented_years(dice: Random) -> dict[int, dict[Power, int]]:
    """Years that a game can have: centres change hands one at a time, and who has none stays without."""
    counts = {power: 4 if power is Power.RUSSIA else 3 for power in Power}
    found = {}
    for year in range(1901, 1906):
        taken: Counter[Power] = Counter()
        before = dict(counts)
        for _ in range(12):
            taker, loser = dice.choice([p for p in Power if before[p]]), dice.choice(list(Power))
            if taken[taker] < before[taker] and counts[taker] < 17 and sum(counts.values()) < 34:
                counts[taker] += 1
                taken[taker] += 1
            elif taken[taker] < before[taker] and counts[taker] < 17 and counts[loser]:
                counts[loser] -= 1
                counts[taker] += 1
                taken[taker] += 1
        found[year] = dict(counts)
    return found


def spoil_years(years: dict[int, dict[Power, int]], how: str, dice: Random) -> None:
    """Make them untrue, or leave one out."""
    first, second = dice.sample(list(Power), 2)
    here = years[dice.choice([1903, 1904])]
    match how:
        case "a solo":
            here.update(dict.fromkeys(Power, 0) | {first: 20, second: 14})
        case "back":
            here[second] += here[first]
            here[first], years[1905][first] = 0, max(1, years[1905][first])
            years[1905][second] = 0 if sum(years[1905].values()) > 34 else years[1905][second]
        case "a leap":
            del years[1901]
            years[1902] = dict.fromkeys(Power, 2) | {first: 17, second: 3}
            years.update(dict.fromkeys(range(1903, 1906), years[1902]))
        case "over":
            here[first] += 35 - sum(here.values())
        case "a gap":
            del years[dice.choice([1901, 1902])]


@pytest.mark.parametrize("how", ["nothing", "a solo", "back", "a leap", "over", "twice", "a gap"])
def test_contradictory_years_fare_alike_at_every_door(doors: tuple[Path, Browser], how: str) -> None:
    cup, tess = doors
    for seed in range(4):
        dice = Random(f"{how} {seed}")
        years = invented_years(dice)
        spoil_years(years, how, dice)
        lines = [
            " ".join([str(year), *(f"{p[0]}{n}" for p, n in owned.items()), f"N{max(0, 34 - sum(owned.values()))}"])
            for year, owned in years.items()
        ]
        counts: dict[str, dict[str, int]] = {
            str(year): {str(power): many for power, many in owned.items()} for year, owned in years.items()
        }
        if how == "twice":
            lines[1] += " A3"
            counts["1902"]["Austria"] = 3
        result = {"centers": years[1905], "years": counts, "unowned": max(0, 34 - sum(years[1905].values()))}
        board = {"board": "1", "players": dict(SEVEN), "result": result}
        document = {"tournament": "edc2023", "rounds": [{"number": 1, "boards": [board]}]}
        told: list[str] | None = None
        with suppress(Stopped):
            told = [each["text"] for each in score_document(document)["doubts"] if each["code"] == "years contradict"]

        def enter_twice(why: str, lines: Sequence[str] = lines) -> tuple[str, int]:
            """By command and on the page; what both say, and how the command ends."""
            words = [word for line in lines for word in ("--year", line)]
            ran = CliRunner().invoke(group, ["enter", str(cup), "result", "1.1", "time", *words, "--why", why])
            values = {"board": "1.1", "ended": "time", "years": "\n".join(lines), "players": ""}
            body = {"what": "result", "values": values, "why": why}
            by_page = tess.client.post("/api/notes/enter", json=body, headers={"X-Token": tess.token})
            stopped = ran.exception if isinstance(ran.exception, Stopped) else None
            said = "; ".join(problem.text for problem in stopped.problems) if stopped else ""
            assert (by_page.status_code, by_page.json()["said"] if stopped else "") == (422 if stopped else 200, said)
            return said, stopped.code if stopped else ran.exit_code

        said, code = enter_twice("it stands there")
        if told is None:
            assert how in {"over", "twice"} and code == 2
        elif code == 2:
            assert how in {"a solo", "back"} and set(said.split("; ")) <= {p for text in told for p in text.split("; ")}
        else:
            assert (code, bool(told)) == (0, how == "a leap")
            with open_event(cup, clock) as event:
                ours = [doubt.text for doubt in scored_event(event).doubts if doubt.code == "years contradict"]
            assert ours == told
            if how == "a leap":
                assert "can be reached" in enter_twice("")[0]


def test_a_director_who_plays_on_a_board_leaves_its_notes_to_another_desk(tmp_path: Path) -> None:
    with open_office(cup_of(tmp_path, "edc2023"), SEATS, is_lan=True) as office:
        tess = Browser(office, "Tess")
        run("players", tmp_path / "cup", "--rename", "Eva", "Tess")
        body: dict[str, Any] = {
            "what": "score",
            "values": {"board": "1.1", "power": "ITALY", "score": "40"},
            "why": "x",
        }
        answer = tess.client.post("/api/notes/enter", json=body, headers={"X-Token": tess.token})
        assert "you play on this board" in answer.json()["said"]


def test_an_assistant_enters_nothing(tmp_path: Path) -> None:
    with open_office(cup_of(tmp_path, "edc2023"), SEATS, is_lan=True) as office:
        anna = Browser(office, "Anna")
        for path in ("/api/notes/enter", "/api/notes/undo"):
            assert anna.client.post(path, json={}, headers={"X-Token": anna.token}).status_code == 403
        assert anna.client.get("/api/notes").status_code == 403


def test_old_notes_follow_a_rename(edc: Path) -> None:
    run("enter", edc, "penalty", "Ada", "contesting", "--why", "argued")
    run("enter", edc, "distance", "Ada", "900")
    run("players", edc, "--rename", "Ada", "Ada Lovelace")
    assert "penalty entered: Ada Lovelace · contesting" in run("enter", edc, "list")
    assert account(all_over(edc), "Ada Lovelace")["contesting"] == "-5"
    assert "player noted: Ada Lovelace · distance in km 900" in run("enter", edc, "list")
    with open_event(edc, clock) as event:
        assert event_results(event).players["Ada Lovelace"].distance_km == 900


def test_a_player_is_known_by_a_name_of_before_wherever_one_is_named(edc: Path) -> None:
    run("players", edc, "--rename", "Ada", "Zed X")
    run("enter", edc, "penalty", "ada", "contesting", "--why", "argued")
    assert "penalty entered: Zed X · contesting" in run("enter", edc, "list")
    assert "Zed X" in run("explain", edc, "Ada")
    assert "Zed X" in run("players", edc, "--left", "Ada")
    assert "Zed X" in run("players", edc, "--back", "Ada")
    run("roll", edc, "--round", "1", "--here", "Ada")
    run("players", edc, "--rename", "Ada", "Zoe")
    assert "nobody on the roster is called 'Adda'" in run("enter", edc, "distance", "Adda", "9", code=2)


def test_counts_that_no_power_can_reach_are_asked(tmp_path: Path) -> None:
    """A unit takes one centre a year: five centres are ten at most a year later."""
    cup = cup_of(tmp_path, "weaselmoot")
    years = ["--year", "1904 A5 E4 F5 G5 I4 R6 T5", "--year", "1905 A17 E4 F4 G3 I2 R2 T2"]
    entered: list[str | Path] = ["enter", cup, "result", "1.1", "time", *years]
    said = run(*entered, code=3)
    assert said == (
        "1.1: AUSTRIA has 17 centres in 1905, and had 5 at the end of 1904: no more than 10 can be reached; look at "
        "both; to enter it all the same, say why"
    )
    run(*entered, "--why", "counted twice")
    first = ["--year", "1901 A8 E4 F4 G4 I4 R6 T4"]
    assert "AUSTRIA has 8 centres in 1901, and had 3 at the start" in run(
        "enter", cup, "result", "1.2", "time", *first, code=3
    )


def test_points_with_a_comma_are_refused_with_what_to_write() -> None:
    with pytest.raises(ValueError, match=re.escape("'1,5' has a comma; write 1.5")):
        exact("1,5")

"""Who plays when seven do not divide: each tournament's own list, and nothing invented where it is silent."""

from collections.abc import Mapping, Sequence
from random import Random

import pytest

from pipeline.problems import Stopped
from pipeline.tournament.draw_field import Gathering, Record, Told, Turnout, gather, turnout
from pipeline.tournament.load import load_tournament
from pipeline.tournament.roster import Player


def turned_out(
    tournament: str,
    players: Sequence[Player],
    told: Told | None = None,
    records: Mapping[str, Record] | None = None,
    *,
    most: tuple[int, str] | None = None,
    once: bool = False,
) -> Turnout:
    empty = Gathering(
        players={},
        directors=[],
        records=records or {},
        uneven=load_tournament(tournament).draw.uneven,
        size=7,
        rng=Random(1),
        once=once,
    )
    return turnout(gather(players, told or Told(), most, empty))


def crowd(count: int, **more: object) -> list[Player]:
    return [Player(name=f"P{n:02}", **more) for n in range(1, count + 1)]  # type: ignore[arg-type]  # by name


def asked(tournament: str, players: Sequence[Player], told: Told | None = None, **more: object) -> str:
    with pytest.raises(Stopped) as caught:
        turned_out(tournament, players, told, **more)  # type: ignore[arg-type]  # by name
    assert caught.value.code == 3
    return caught.value.problems[0].text


def test_a_multiple_of_seven_plays_as_it_is() -> None:
    found = turned_out("weaselmoot", crowd(14))
    assert len(found.bodies) == 14
    assert not found.aside
    assert not found.twice


def test_weasel_doubles_up_before_anybody_stands_aside() -> None:
    players = [*crowd(11), *(Player(name=f"V{n}", two_boards=True, stands_aside=True) for n in range(2))]
    found = turned_out("weaselmoot", players)
    assert len(found.bodies) == 14
    assert [each.why for each in found.twice] == ["volunteers for two boards (WM III.5, III.6)"]


def test_weasels_director_plays_one_or_two_boards() -> None:
    found = turned_out("weaselmoot", [*crowd(12), Player(name="Tess", director=True)])
    assert found.bodies.count("Tess") == 2
    found = turned_out("weaselmoot", [*crowd(13), Player(name="Tess", director=True)])
    assert found.bodies.count("Tess") == 1


def test_weasel_leaves_out_local_board_members_first_and_travellers_last() -> None:
    words = ["traveller"] * 5 + ["local"] * 5 + ["club member"] * 4 + ["board member"] * 2
    players = [Player(name=f"{word} {n}", standing=word) for n, word in enumerate(words)]
    found = turned_out("weaselmoot", players)
    assert sorted(each.name for each in found.aside) == ["board member 14", "board member 15"]
    found = turned_out("weaselmoot", [p for p in players if p.name != "board member 15"])
    assert [each.name for each in found.aside] == ["board member 14"]
    players = [p for p in players if p.standing != "board member"] + [Player(name="club late", standing="Club Member")]
    (left,) = turned_out("weaselmoot", players).aside
    assert left.name.startswith("club")
    assert left.why == "local members of the club are left out (WM III.5, III.6), by lot among them"


def test_nobody_is_left_out_by_a_standing_that_is_unknown() -> None:
    players = [Player(name="Bo", standing="board member"), *crowd(14)]
    text = asked("weaselmoot", players)
    assert "column 'standing'" in text
    assert "P01, P02, P03, P04, P05 and others" in text


def test_edc23_asks_volunteers_then_doubles_then_goes_by_rank() -> None:
    volunteers = [Player(name="Ann", stands_aside=True), Player(name="Bob", stands_aside=True)]
    records = {"Ann": Record(rounds=1, place=3), "Bob": Record(rounds=2, place=1)}
    found = turned_out("edc2023", [*crowd(13), *volunteers], records=records, once=True)
    assert [each.name for each in found.aside] == ["Bob"]  # who has played most rounds comes first (EDC23 D)
    records["Bob"] = Record(rounds=2, place=1, aside=1)
    found = turned_out("edc2023", [*crowd(13), *volunteers], records=records, once=True)
    assert [each.name for each in found.aside] == ["Ann"]  # once only (EDC23 D)
    places = {f"P{n:02}": Record(rounds=1, place=n) for n in range(1, 16)}
    found = turned_out("edc2023", crowd(15), records=places)
    assert [(each.name, each.why) for each in found.aside] == [("P15", "the lowest ranked (EDC23 B)")]


def test_edc23_keeps_who_travelled_most_in_round_one_and_among_equals() -> None:
    players = [Player(name=f"P{n:02}", distance_km=100 * n) for n in range(1, 16)]
    found = turned_out("edc2023", players)
    assert [each.name for each in found.aside] == ["P01"]
    level = {f"P{n:02}": Record(rounds=1, place=min(n, 12)) for n in range(1, 16)}
    found = turned_out("edc2023", players, records=level)
    assert [each.name for each in found.aside] == ["P12"]  # of the four who share place 12 the nearest


def test_edc23_asks_when_journeys_are_unknown_or_equal() -> None:
    assert "column 'distance_km'" in asked("edc2023", crowd(15))
    text = asked("edc2023", crowd(15, distance_km=5))
    assert "1 too many or 6 too few" in text
    assert "--aside for 1" in text


def test_edc23_speaks_of_its_six_player_variant() -> None:
    assert "seat 6 of them at 1 boards of six" in asked("edc2023", crowd(13, distance_km=5))


def test_new_zealands_director_fills_up_else_volunteers_stand_down_else_he_is_asked() -> None:
    director = Player(name="Tess", director=True)
    assert turned_out("nzdc1999", [*crowd(13), director]).bodies.count("Tess") == 1
    players = [*crowd(14), Player(name="Ann", stands_aside=True)]
    assert [each.name for each in turned_out("nzdc1999", players).aside] == ["Ann"]
    assert "what NZ99 5 offers does not suffice" in asked("nzdc1999", crowd(15))


@pytest.mark.parametrize("tournament", ["edc1996", "wdc2008"])
def test_where_the_rules_are_silent_nothing_is_invented(tournament: str) -> None:
    volunteers = crowd(15, two_boards=True, stands_aside=True)
    text = asked(tournament, volunteers)
    assert text == (
        "15 seats taken, 7 make a board: 1 too many or 6 too few, and the rules are silent; "
        "name them with --aside for 1 who stand down, or --twice for 6 who play on two boards"
    )
    found = turned_out(tournament, volunteers, Told(aside=("P03",)))
    assert "P03" not in found.bodies
    found = turned_out(tournament, volunteers, Told(twice=("P01", "P02", "P03", "P04", "P05", "P06")))
    assert len(found.bodies) == 21


def test_who_has_played_his_rounds_is_out() -> None:
    records = {"P08": Record(rounds=3)}
    found = turned_out("edc1996", crowd(8), records=records, most=(3, "EDC96"))
    assert [(each.name, each.why) for each in found.out] == [("P08", "has played 3 rounds already (EDC96)")]


def test_a_director_plays_only_when_he_is_named_or_needed() -> None:
    players = [*crowd(14), Player(name="Tess", director=True)]
    assert "Tess" not in turned_out("weaselmoot", players).bodies
    assert "Tess" in turned_out("weaselmoot", players, Told(plays=("Tess",), absent=("P01",))).bodies


def test_all_wrong_names_are_told_at_once() -> None:
    with pytest.raises(Stopped) as caught:
        turned_out("weaselmoot", crowd(14), Told(absent=("P1",), aside=("Zoe",), twice=("P02",), plays=("P1",)))
    assert [problem.where for problem in caught.value.problems] == ["--absent", "--aside", "--plays"]
    assert "did you mean" in caught.value.problems[0].text


def test_nobody_at_all_is_told_plainly() -> None:
    assert asked("weaselmoot", []) == "nobody to seat; 7 make a board"

"""Teams, best powers, votes, board games, special awards."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.scoring.awards import Award, Held
from pipeline.scoring.results import BoardGame, Entrant, Honour, RatingBallot, Team, _half_up
from pipeline.scoring.score import Scored
from scoring.played import board, doubts, rounds, ruled, rules, scored

OWLS = Team(name="Owls", members=("ann", "bob", "cat"))
ELKS = Team(name="Elks", members=("dan", "eve", "fay"))


def team_rows(one: Scored) -> list[tuple[int, str, object]]:
    return [(row.place, row.team.name, row.total) for row in one.teams]


def given(one: Scored, title: str) -> Award:
    return next(award for award in one.awards if award.title == title)


def award(one: Scored, title: str) -> tuple[str, ...]:
    return given(one, title).winners


def test_a_new_zealand_team_has_the_round_three_scores_of_its_members() -> None:
    boards = [ruled(1, {"ann": 99}), ruled(3, {"ann": 10, "dan": 40}), ruled(3, {"bob": 20, "eve": 5}, name="B")]
    one = scored("nzdc1999", *boards, teams=(OWLS, ELKS))
    assert team_rows(one) == [(1, "Elks", 45), (2, "Owls", 30)]
    assert award(one, "team champions") == ("Elks",)


def test_new_zealand_teams_are_split_like_players() -> None:
    boards = [ruled(3, {"ann": 10, "dan": 15}), ruled(3, {"bob": 20, "eve": 15}, name="B")]
    one = scored("nzdc1999", *boards, teams=(OWLS, ELKS))
    assert [row.total for row in one.teams] == [30, 30]
    assert str(one.teams[0].decision) == "best game: points: 20 against 15 (Elks)"


def test_a_wdc_2008_team_has_all_results_of_rounds_two_and_three() -> None:
    boards = [*rounds("ann", 50, 10, 20, 50), *rounds("bob", 1, 2, 3, 4), *rounds("dan", 0, 30, 6, 0)]
    one = scored("wdc2008", *boards, teams=(OWLS, ELKS))
    assert team_rows(one) == [(1, "Elks", 36), (2, "Owls", 35)]


def test_wdc_2008_teams_are_split_by_the_best_game_of_any_member_then_by_all_games() -> None:
    best = scored("wdc2008", *rounds("ann", 0, 30), *rounds("bob", 0, 5), *rounds("dan", 0, 20, 15), teams=(OWLS, ELKS))
    assert str(best.teams[0].decision) == "highest game: 30 against 20 (Elks)"
    all_games = scored("wdc2008", *rounds("ann", 1, 30), *rounds("dan", 9, 30), teams=(OWLS, ELKS))
    assert str(all_games.teams[0].decision) == "all games: 39 against 31 (Owls)"


def test_the_example_of_1996_brings_his_best_score_into_the_team() -> None:
    boards = [*rounds("ann", 25, None, 1, 55, 73), *rounds("dan", 54)]
    one = scored("edc1996", *boards, teams=(OWLS, ELKS))
    assert team_rows(one) == [(1, "Owls", 55), (2, "Elks", 54)]
    assert one.teams[0].shares[0].points == 55


def test_team_ties_of_1996_are_shared() -> None:
    one = scored("edc1996", ruled(1, {"ann": 20}), ruled(1, {"dan": 20}, name="B"), teams=(OWLS, ELKS))
    assert [(row.place, row.is_tied) for row in one.teams] == [(1, True), (1, True)]


def test_teams_that_break_their_rules_are_asked_about() -> None:
    large = Team(name="Owls", members=("ann", "bob", "cat", "dan"))
    small = Team(name="Elks", members=("fay", "gil", "hal"))
    boards = ruled(3, {"ann": 1, "bob": 2}), ruled(3, {"fay": 1, "gil": 2}, name="B")
    for teams in ((large, small), (small, large)):
        assert sorted(doubts(scored("nzdc1999", *boards, teams=teams))) == [
            "team Elks: fay and gil met in round 3 on B",
            "team Owls: 4 members; the rules allow 3",
            "team Owls: ann and bob met in round 3 on A",
        ]
    abroad = Team(name="Owls", members=("ann", "bob", "cat"), country="Sweden")
    assert doubts(scored("nzdc1999", ruled(1, {"ann": 1}), teams=(abroad,))) == []  # no rule on countries
    many = tuple(Team(name=f"SWEDEN {n}", members=tuple(f"s{n}{m}" for m in "abcd"), country="S") for n in range(4))
    assert doubts(scored("edc1996", ruled(1, {"s1a": 1}), teams=many)) == ["country S: 4 teams; the rules allow 3"]


def test_a_tournament_without_teams_ranks_none() -> None:
    one = scored("edc2023", ruled(1, {"ann": 1}), teams=(OWLS,))
    assert one.teams == ()
    assert doubts(one) == ["teams: the rules have no team competition; the teams are not ranked"]


def test_the_best_score_with_a_power_wins_its_award() -> None:
    other = board((5, 10, 6, 4, 3, 3, 3), name="B", players="hijklmn")
    one = scored("edc2023", board((12, 9, 6, 4, 3, 0, 0), players="abcdefg"), other)
    assert award(one, "best Austria") == ("a",)
    assert award(one, "best Turkey") == ("n",)


def test_equal_best_scores_of_1996_are_split_by_the_margin_over_the_next_power() -> None:
    wide = board((10, 5, 5, 5, 5, 2, 2), players="a")
    narrow = board((10, 9, 5, 5, 2, 2, 1), players="b", name="B")
    one = scored("edc1996", wide, narrow)
    assert award(one, "best Austria") == ("a",)
    assert str(one.powers[0].decision) == "centre margin: 5 against 1 (b)"
    level = scored("edc1996", wide, replace(wide, name="B", seats=narrow.seats))
    assert award(level, "best Austria") == ("a", "b")


def test_more_centres_do_not_win_an_award_of_1996_over_a_better_score() -> None:
    second = board((11, 12, 5, 3, 1, 1, 1), players="a")
    first = board((8, 7, 5, 4, 4, 3, 3), players="b", name="B")
    assert award(scored("edc1996", second, first), "best Austria") == ("b",)


def test_the_opponents_split_equal_best_powers_at_wdc_2008() -> None:
    counts = (10, 5, 5, 5, 5, 2, 2)
    boards = [board(counts, players="abcdefg"), board(counts, players="hijklmn", name="B"), ruled(2, {"q": 0, "i": 50})]
    one = scored("wdc2008", *boards)
    assert award(one, "best Austria") == ("h",)
    assert "opponents: " in str(one.powers[0].decision)


def test_new_zealand_compares_the_games_when_best_powers_are_level() -> None:
    one = scored("nzdc1999", ruled(1, {"ann": 20, "x": 30}), ruled(1, {"bob": 20, "y": 40}, name="B"))
    assert award(one, "best Austria") == ("ann",)
    assert str(one.powers[0].decision) == "game: margin over the others: -10 against -20 (bob)"


def test_a_power_with_which_nobody_scored_has_no_best_player() -> None:
    one = scored("weaselmoot", board((18, 16, 0, 0, 0, 0, 0), players="abcdefg"))
    assert [best.power for best in one.powers] == [Power.AUSTRIA]


def test_the_vote_example_of_1996_is_2_05() -> None:
    ballots = (RatingBallot(player="bjorn", skill="negotiation", grades={"A": 12, "B": 7, "C": 2}),)
    one = scored("edc1996", *rounds("bjorn", 1, 1, 1), ballots=ballots)
    assert one.grades[0].mean == Fraction(43, 21)
    assert _half_up(one.grades[0].mean, 2) == Fraction("2.05")
    assert one.grades[0].ballots == 21
    assert award(one, "Best Negotiator") == ("bjorn",)


def test_titles_need_three_games_and_are_split_by_a_votes_then_by_the_total() -> None:
    boards = [*rounds("ann", 9, 9, 9), *rounds("bob", 9, 9, 9), *rounds("cat", 9, 9), *rounds("dan", 20, 9, 9)]
    ballots = (
        RatingBallot(player="ann", skill="tactics", grades={"A": 2, "B": 0, "C": 1}),  # 2.0
        RatingBallot(player="bob", skill="tactics", grades={"A": 1, "B": 1}),  # 2.0
        RatingBallot(player="cat", skill="tactics", grades={"A": 5}),  # two games only
        RatingBallot(player="dan", skill="tactics", grades={"A": 2, "C": 1}),  # 2.0
        RatingBallot(player="eve", skill="tactics", grades={"A": 9}),  # never played
    )
    one = scored("edc1996", *boards, ballots=ballots)
    assert [(grade.place, grade.player) for grade in one.grades] == [(1, "dan"), (2, "ann"), (3, "bob")]
    assert str(one.grades[0].decision) == "best total: 33.5 against 22.5 (ann)"
    assert str(one.grades[2].decision) == "most top grades: 1 against 2 (ann)"


WEIGHTS = {
    "Lost Cities": 20,
    "Family Business": 30,
    "Take it Easy": 30,
    "Drunter & Druber": 45,
    "Freemarket": 60,
    "Shark": 90,
    "Settlers of Catan": 90,
    "Seafarers of Catan": 90,
    "Modern Art": 90,
    "Empire Builder": 120,
    "Tigris and Euphrates": 120,
}


def test_board_games_weigh_their_minutes_over_twenty() -> None:
    table = rules("nzdc1999").board_games
    assert table is not None
    assert table.weights == {game: Fraction(minutes, 20) for game, minutes in WEIGHTS.items()}
    assert {size: len(row) for size, row in table.points.items()} == {n: n for n in range(2, 9)}
    assert all(row == tuple(sorted(row, reverse=True)) for row in table.points.values())


@pytest.mark.parametrize(("players", "points"), [(2, (6, 2)), (4, (8, 5, 3, 1)), (7, (8, 6, 5, 4, 3, 2, 1))])
def test_board_game_points_follow_the_place_and_the_number_of_players(players: int, points: tuple[int, ...]) -> None:
    places = tuple((f"p{n}",) for n in range(players))
    one = scored("nzdc1999", ruled(1, {"p0": 1}), board_games=(BoardGame(game="Shark", places=places),))
    assert [row.points for row in one.board_games] == [Fraction(9, 2) * p for p in points]


def test_board_games_add_up_unsigned_sheets_do_not_count_and_ties_are_shared() -> None:
    sheets = (
        BoardGame(game="Lost Cities", places=(("ann",), ("bob",))),
        BoardGame(game="Lost Cities", places=(("bob",), ("ann",))),
        BoardGame(game="Empire Builder", places=(("bob",), ("ann",)), is_signed=False),
        BoardGame(game="Freemarket", places=(("cat", "dan"), ("eve",))),
    )
    one = scored("nzdc1999", ruled(1, {"ann": 1}), board_games=sheets)
    assert {row.player: row.points for row in one.board_games} == {"ann": 8, "bob": 8, "cat": 12, "dan": 12, "eve": 3}
    assert award(one, "board-games champion") == ("cat", "dan")
    assert doubts(one) == ["board game 3, Empire Builder: the score sheet is not signed; it does not count"]


def test_board_games_and_votes_have_a_champion_when_all_is_over_and_level_ones_share_it() -> None:
    sheet = BoardGame(game="Freemarket", places=(("cat", "dan"), ("eve",)))
    played = [ruled(number, {"ann": 1}) for number in (1, 2, 3)]
    assert given(scored("nzdc1999", *played[:2], board_games=(sheet,)), "board-games champion").held is Held.LEADS
    assert given(scored("nzdc1999", *played, board_games=(sheet,)), "board-games champion").held is Held.GIVEN
    ballots = tuple(RatingBallot(player=name, skill="tactics", grades={"A": 1}) for name in ("ann", "bob"))
    boards = [ruled(number, {"ann": 9, "bob": 9}, is_final=number == 5) for number in range(1, 6)]
    best = given(scored("edc1996", *boards, ballots=ballots), "Best Tactician")
    assert (best.winners, best.held) == (("ann", "bob"), Held.GIVEN)


def test_a_tournament_without_board_games_ranks_none() -> None:
    sheet = BoardGame(game="Freemarket", places=(("cat", "dan"), ("eve",)))
    assert scored("edc2023", ruled(1, {"ann": 1}), board_games=(sheet,)).board_games == ()


def test_places_are_honoured_and_named_as_the_moot_does() -> None:
    one = scored("weaselmoot", ruled(1, {name: 90 - 10 * k for k, name in enumerate("abcdefg")}))
    assert award(one, "Weasel Moot Champion") == ("a",)
    assert award(one, "third place") == ("c",)
    assert award(one, "named for place 7") == ("g",)


def test_special_awards_are_the_directors() -> None:
    one = scored("weaselmoot", ruled(1, {"ann": 1}), honours=(Honour(award="best stab", player="ann"),))
    assert award(one, "best stab") == ("ann",)


def test_the_director_wins_no_award() -> None:
    one = scored("weaselmoot", ruled(1, {"td": 90, "ann": 10}), players=[Entrant(name="td", is_director=True)])
    assert all("td" not in one_given.winners for one_given in one.awards)


def test_level_best_powers_wait_for_the_director_where_the_rules_leave_it_to_him() -> None:
    boards = [board((12, 9, 6, 4, 3, 0, 0), players="a"), board((12, 9, 6, 4, 3, 0, 0), players="b", name="B")]
    one = scored("weaselmoot", *boards)
    assert award(one, "outstanding play of Austria") == ("a", "b")
    assert "best AUSTRIA: a and b are level; enter their order as lots" in doubts(one)
    more = [board((12, 9, 6, 4, 3, 0, 0), players=pair, name=pair) for pair in ("ac", "bd")]
    assert [told[:12] for told in doubts(scored("weaselmoot", *more)) if told[:4] == "best"] == [
        "best AUSTRIA",
        "best ENGLAND",
    ]
    twice = [*boards, board((12, 9, 6, 4, 3, 0, 0), players="a", name="C")]
    assert "best AUSTRIA: a and b are level; enter their order as lots" in doubts(scored("weaselmoot", *twice))
    alone = scored("weaselmoot", boards[0], replace(boards[0], name="B"))
    assert not any(told.startswith("best AUSTRIA") for told in doubts(alone))  # whichever game it is, it is his
    near = [Entrant(name=name, distance_km=10) for name in "ab"]
    decided = scored("weaselmoot", *boards, players=near, lots=(("b", "a"),))
    assert award(decided, "outstanding play of Austria") == ("b",)
    assert doubts(decided) == []


def test_a_player_is_not_level_with_himself() -> None:
    twice = [board((12, 9, 6, 4, 3, 0, 0), number=number, players="a") for number in (1, 2)]
    alone = scored("weaselmoot", *twice)
    assert award(alone, "outstanding play of Austria") == ("a",)
    assert not [doubt for doubt in doubts(alone) if "AUSTRIA" in doubt]
    other = board((12, 9, 6, 4, 3, 0, 0), players="b", name="B")
    assert "best AUSTRIA: a and b are level; enter their order as lots" in doubts(scored("weaselmoot", *twice, other))

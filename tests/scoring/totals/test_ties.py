"""Tie-breaks: each in its turn, with the numbers that decided; what stays level shares a place."""

from fractions import Fraction

from msgspec.structs import replace

from pipeline.cli.score import _scoring_rules_of
from pipeline.rules.scoring import HIGHEST, NEEDS, SIMPLE
from pipeline.scoring import tiebreaks
from pipeline.scoring.doubts import NotedFact
from pipeline.scoring.results import Entrant
from pipeline.scoring.score import score
from scoring.played import board, doubts, event, order, ruled, scored, why


def test_a_year_on_the_final_table_separates_those_who_were_on_it_and_of_whom_it_is_recorded() -> None:
    counts = (10, 9, 5, 4, 3, 2, 1)
    final = board(counts, players="abcdefg", years={1904: counts, 1906: counts}, is_final=True)
    games = {game.player: game for game in scored("wdc2008", final).games}
    a, b, away = (tiebreaks.Contender(name=name, total=Fraction(), games=(), final=games.get(name)) for name in "abz")
    nobody = tiebreaks.FieldOfPlayers()
    elsewhere = replace(games["b"], board=replace(games["b"].board, years={1906: games["b"].board.years[1906]}))
    assert tiebreaks.CentresInYear(1904).keys([a, replace(b, final=elsewhere)], nobody) == [(), ()]
    assert tiebreaks.CentresInYear(1904).keys([a, b], nobody) == [(Fraction(10),), (Fraction(9),)]
    assert tiebreaks.CentresInYear(1904).keys([a, away], nobody) == [(), ()]
    assert tiebreaks.CentresInYear(1905).keys([a, b], nobody) == [(), ()]
    assert tiebreaks.CentresInYear(1904).missing([a, b], nobody) is None
    assert tiebreaks.CentresInYear(1905).missing([a, b], nobody) == (NotedFact.COUNTS, ("a", "b"))
    assert tiebreaks.CentresInYear(1905).missing([a, away], nobody) is None
    assert tiebreaks.CentresInYear(1907).missing([a, b], nobody) is None  # not played


def test_nobody_is_asked_who_chose_his_power_last_who_was_not_on_the_final_table() -> None:
    away = tiebreaks.Contender(name="ann", total=Fraction(), games=())
    assert tiebreaks.ChoseLast().missing([away], tiebreaks.FieldOfPlayers()) is None


def test_a_dropped_game_breaks_no_tie_at_the_weasel_moot() -> None:
    boards = [ruled(1, {"ann": 20, "bob": 20}), ruled(2, {"ann": 20, "bob": 20}), ruled(3, {"ann": 20, "bob": 20})]
    low = scored("weaselmoot", *boards, ruled(4, {"ann": 10}))
    assert [row.is_tied for row in low.standings.rows] == [True, True]


def test_a_dropped_game_breaks_a_tie_where_the_rules_say_so() -> None:
    boards = [ruled(1, {"ann": 20, "bob": 20}), ruled(2, {"ann": 20, "bob": 20}), ruled(3, {"ann": 20, "bob": 20})]
    settings = {"base": "weaselmoot", "ties": {"players": ["fourth-highest game"], "dropped_games_break_ties": True}}
    low = score(event(*boards, ruled(4, {"ann": 10})), _scoring_rules_of(settings))
    assert [(row.player, row.is_tied) for row in low.standings.rows] == [("ann", False), ("bob", False)]


def test_then_the_longest_way_home_and_then_the_lot() -> None:
    level = [ruled(1, {"ann": 20}), ruled(1, {"bob": 20}, name="B")]
    homes = [Entrant(name="ann", distance_km=10), Entrant(name="bob", distance_km=900)]
    far = scored("weaselmoot", *level, players=homes)
    assert why(far, "bob") == "distance: 900 against 10 (ann)"
    unknown = scored("weaselmoot", *level, players=homes[:1])
    assert [row.is_tied for row in unknown.standings.rows] == [True, True]
    assert doubts(unknown)[0] == "place 1: ann and bob are level; enter the distance from home of bob"
    skipped = scored("weaselmoot", *level, players=homes[:1], lots=(("bob", "ann"),))
    assert order(skipped) == [(1, "bob"), (2, "ann")]
    assert doubts(skipped) == doubts(unknown)[:1]  # the lot comes after the distance, and decides nothing before it
    near = [Entrant(name=name, distance_km=10) for name in ("ann", "bob")]
    undrawn = scored("weaselmoot", *level, players=near)
    assert (
        doubts(undrawn)[0]
        == "place 1: ann and bob are level; draw the names of ann and bob and enter the order as lots"
    )
    drawn = scored("weaselmoot", *level, players=near, lots=(("bob", "ann"),))
    assert order(drawn) == [(1, "bob"), (2, "ann")]
    assert doubts(drawn) == []


def test_the_table_at_the_top_names_every_tie_break_there_is() -> None:
    rows = {line[:26].strip() for line in str(tiebreaks.__doc__).splitlines() if line[26:].strip()}
    assert {*SIMPLE, *HIGHEST, *NEEDS} <= rows


def test_only_ties_for_places_that_are_honoured_wait_for_the_lot() -> None:
    boards = [ruled(1, {f"p{n}": 50 - n for n in range(7)}), ruled(1, {"y": 1}, name="B"), ruled(1, {"z": 1}, name="C")]
    one = scored("weaselmoot", *boards)
    assert order(one)[-2:] == [(8, "y"), (8, "z")]
    assert doubts(one) == []

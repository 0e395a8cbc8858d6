"""Doubts: each is a value with words of its own, and with what hangs on it; what decides a title comes first."""

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.cli.score import _scoring_rules_of
from pipeline.scoring import doubts as kinds
from pipeline.scoring.doubts import CentresMissing, PlaceLevel, ScoringDoubt, TeamLeaver, Want, YearsContradict
from pipeline.scoring.results import Board, BoardGame, Bonus, Ending, Entrant, EventResults, ScoreRuling, Seat, Team
from pipeline.scoring.score import Scored, score, score_again
from pipeline.scoring.stakes import Stake, WeighedDoubt, weigh_doubts
from scoring.played import TOURNAMENTS, board, doubts, event, ruled, rules, scored

DOCS = Path(__file__).parents[3] / "docs/scoring.md"
SEVEN = "abcdefg"
FULL = (12, 9, 6, 4, 3, 0, 0)


KINDS = [
    kind
    for kind in vars(kinds).values()
    if isinstance(kind, type) and issubclass(kind, ScoringDoubt) and hasattr(kind, "code")
]


def top(number: int, counts: tuple[int, ...] = FULL, players: str = SEVEN, **more: object) -> Board:
    return replace(
        board(counts, number=number, players=players, name="top"), is_final=True, **more
    )  # fields of a board


def moot(*boards: Board, **notes: object) -> Scored:
    return scored("weaselmoot", *boards, **notes)


def carnage(*boards: Board) -> Scored:
    """A system that ranks the eliminated by the year in which they were."""
    settings = {"base": "weaselmoot", "scoring": {"system": "carnage"}}
    return score(event(*boards), _scoring_rules_of(settings))


def guessed(system: str, counts: tuple[int, ...]) -> Scored:
    """A board under one of the program's systems."""
    return score(event(board(counts)), _scoring_rules_of({"base": "weaselmoot", "scoring": {"system": system}}))


def whole(tournament: str, one: Board) -> Scored:
    """A board under all of a tournament's rules, those on the end of a game among them."""
    return score(event(one), _scoring_rules_of(tournament))


def few_win(counts: tuple[int, ...]) -> Scored:
    """Rules by which sixteen centres win."""
    return score(event(board(counts)), _scoring_rules_of({"base": "weaselmoot", "scoring": {"solo": {"centres": 16}}}))


def found(one: Scored) -> dict[str, WeighedDoubt]:
    return {each.doubt.code: each for each in weigh_doubts(one)}


def team_of(size: int, name: str = "Owls") -> Team:
    return Team(name=name, members=tuple(f"{name}{n}" for n in range(size)), country="Sweden")


def seats(names: str, **first: object) -> dict[Power, Seat]:
    found = {power: Seat(player=name) for power, name in zip(Power, names, strict=True)}
    return found | {Power.AUSTRIA: replace(found[Power.AUSTRIA], **first)}  # fields of a seat


THREE = [ruled(n, {name: 50 - k for k, name in enumerate(SEVEN)}) for n in (1, 2, 3)]
CAUSES: dict[str, Callable[[], Scored]] = {
    "game abandoned": lambda: scored("wdc2008", board(FULL, players=SEVEN, ended=Ending.ABANDONED)),
    "solo unfounded": lambda: moot(board(FULL, players=SEVEN, ended=Ending.SOLO)),
    "ending unknown": lambda: whole("nzdc1999", board(FULL, players=SEVEN, ended=Ending.DICE)),
    "draw of some": lambda: whole("nzdc1999", replace(board(FULL, players=SEVEN), left_out=frozenset({Power.ITALY}))),
    "score guessed": lambda: guessed("southern-sun", (8, 8, 8, 8, 1, 1, 0)),
    "comparison guessed": lambda: score(
        event(board(FULL, players=SEVEN)),
        _scoring_rules_of({"base": "weaselmoot", "scoring": {"compared": {"by": "difference"}}}),
    ),
    "solo shared": lambda: few_win((16, 16, 2, 0, 0, 0, 0)),
    "solo denied": lambda: moot(board((18, 9, 4, 3, 0, 0, 0), players=SEVEN, ended=Ending.VOTE)),
    "years unrecorded": lambda: carnage(board(FULL, players=SEVEN)),
    "years contradict": lambda: moot(board(FULL, players=SEVEN, years={1906: (18, 9, 4, 3, 0, 0, 0), 1907: FULL})),
    "round too late": lambda: moot(board(FULL, players=SEVEN, number=4)),
    "centres missing": lambda: moot(board((9, 8, 5, 3, 2, 1, 0), players=SEVEN)),
    "year missing": lambda: scored("nzdc1999", board(FULL, players=SEVEN, years={1904: (5,) * 7, 1906: FULL})),
    "seat replaced": lambda: moot(replace(board(FULL), seats=seats(SEVEN, instead_of="z"))),
    "late share": lambda: scored("edc2023", replace(board(FULL), seats=seats(SEVEN, instead_of="z", arrived=6))),
    "final unknown": lambda: moot(top(3)),
    "final in other round": lambda: scored("wdc2008", top(3)),
    "not qualified": lambda: scored("wdc2008", *THREE, top(4, players="abcdefz")),
    "final not held": lambda: scored("edc2023", *THREE, top(4)),
    "several finals": lambda: scored("wdc2008", top(4), replace(top(4, players="hijklmn"), name="other")),
    "final not marked": lambda: scored("wdc2008", *THREE, board(FULL, players=SEVEN, number=4)),
    "last seats open": lambda: scored(
        "wdc2008", *(ruled(n, dict.fromkeys("abcdefgh"[k:7], 9)) for n in (1, 2, 3) for k in (0,)),
        *(ruled(n, {"h": 9}, name="B") for n in (1, 2, 3)),
    ),
    "two boards": lambda: scored("wdc2008", board(FULL, players=SEVEN), board(FULL, players="a------", name="B")),
    "board not chosen": lambda: scored(
        "edc2023", *(ruled(n, {"a": 9}) for n in (1, 2, 3, 4)), ruled(1, {"a": 8}, name="B")
    ),
    "too many games": lambda: scored("edc1996", *(ruled(n, {"a": 9}) for n in (1, 2, 3, 4))),
    "two boards again": lambda: scored(
        "edc2023", *(ruled(n, {"a": 9}, name=name) for n in (1, 2) for name in "AB")
    ),
    "withdrew again": lambda: scored(
        "edc2023", ruled(3, {"a": 9}), bonuses=tuple(Bonus(player="a", kind="withdrawal", round=n) for n in (1, 2))
    ),
    "two boards and withdrew": lambda: scored(
        "edc2023", ruled(1, {"a": 9}), ruled(1, {"a": 8}, name="B"),
        bonuses=(Bonus(player="a", kind="withdrawal", round=2),),
    ),
    "place level": lambda: moot(ruled(1, {"a": 9}), ruled(1, {"b": 9}, name="B")),
    "best level": lambda: score(
        event(ruled(1, {"a": 9, "b": 9}), ruled(2, {"a": 9}, name="B")),
        _scoring_rules_of(
            {
                "base": "weaselmoot",
                "totals": {"for_the_best": [{"players": 1, "after": [1], "round": 2, "times": 2}]},
            }
        ),
    ),
    "final level": lambda: scored("edc2023", top(4, (12, 12, 4, 3, 2, 1, 0))),
    "title level": lambda: score(
        event(board(FULL, players=SEVEN), board(FULL, players="hijklmn", name="B")),
        _scoring_rules_of(
            {
                "base": "weaselmoot",
                "awards": {"titles": [{"title": "alpha", "ties": ["distance"]}]},
                "totals": {"rounds": 1, "weights": "all"},
            }
        ),
    ),
    "power level": lambda: moot(board(FULL, players=SEVEN), board(FULL, players="hijklmn", name="B")),
    "team too large": lambda: scored("nzdc1999", ruled(3, {"a": 9}), teams=(team_of(4),)),
    "team too small": lambda: scored("edc1996", ruled(3, {"a": 9}), teams=(team_of(3),)),
    "team met": lambda: scored("nzdc1999", ruled(3, {"Owls0": 9, "Owls1": 8}), teams=(team_of(3),)),
    "team leaver": lambda: scored(
        "nzdc1999", ruled(3, {"Owls0": 9}), teams=(team_of(3),), players=[Entrant(name="Owls0", has_left=True)]
    ),
    "too many teams": lambda: scored("edc1996", ruled(3, {"a": 9}), teams=tuple(team_of(4, f"S{n}") for n in range(4))),
    "teams unknown": lambda: moot(ruled(3, {"a": 9}), teams=(team_of(4),)),
    "sheet not signed": lambda: scored(
        "nzdc1999", ruled(3, {"a": 9}), board_games=(BoardGame(game="Shark", places=(("a",), ("b",)), is_signed=False),)
    ),
}  # fmt: skip


def test_every_kind_of_doubt_has_a_code_of_its_own_and_a_line_in_the_docs() -> None:
    codes = [kind.code for kind in KINDS]
    assert len(codes) == len(set(codes)) == len(CAUSES)
    assert set(codes) == CAUSES.keys()
    listed = DOCS.read_text("utf-8").partition("## Doubts")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([^`]+)`", listed, re.MULTILINE)) == set(codes)


@pytest.mark.parametrize("code", CAUSES)
def test_every_doubt_is_found_and_said(code: str) -> None:
    one = CAUSES[code]()
    doubt = next(each.doubt for each in weigh_doubts(one) if each.doubt.code == code)
    assert doubt.where
    assert len(doubt.text) > 10
    assert not doubt.text.endswith(".")


@pytest.mark.parametrize("code", [kind.code for kind in KINDS if "want" in kind.__struct_fields__])
def test_a_tie_says_which_fact_would_break_it(code: str) -> None:
    doubt: Any = next(each for each in CAUSES[code]().doubts if each.code == code)
    told = {fact: replace(doubt, want=Want("x", fact, ("a", "b"), ("zed",))).text for fact in kinds.NotedFact}
    assert len(set(told.values())) == len(told), "another sentence for each fact"
    assert all("zed" in told[fact] for fact in (kinds.NotedFact.DISTANCE, kinds.NotedFact.COUNTS))


ASKED_BY = {  # what only some rules speak of; nobody else is asked about it
    "game abandoned": "edc1996 edc2023 wdc2008", "draw of some": "nzdc1999 weaselmoot", "year missing": "nzdc1999",
    "late share": "edc2023", "final unknown": "nzdc1999 weaselmoot", "final not held": "edc2023",
    "final in other round": "edc1996 edc2023 wdc2008", "several finals": "edc1996 edc2023 wdc2008",
    "final not marked": "edc2023 wdc2008", "final level": "edc2023 wdc2008", "last seats open": "edc1996 wdc2008",
    "not qualified": "edc1996 wdc2008", "two boards": "edc1996 nzdc1999 wdc2008", "board not chosen": "edc2023",
    "too many games": "edc1996", "two boards again": "edc2023", "withdrew again": "edc2023",
    "two boards and withdrew": "edc2023", "team too large": "nzdc1999 wdc2008", "team too small": "edc1996",
    "team met": "edc1996 nzdc1999", "team leaver": "edc1996 nzdc1999 wdc2008", "too many teams": "edc1996",
    "teams unknown": "edc2023 weaselmoot", "sheet not signed": "nzdc1999", "score guessed": "",
    "comparison guessed": "", "solo shared": "", "years unrecorded": "",
}  # fmt: skip


@pytest.mark.parametrize("tournament", TOURNAMENTS)
def test_nobody_is_asked_about_what_the_rules_do_not_speak_of(tournament: str) -> None:
    asked = {doubt.code for cause in CAUSES.values() for doubt in score(cause().event, rules(tournament)).doubts}
    for code in asked & ASKED_BY.keys():
        assert tournament in ASKED_BY[code], code


SETTLED_BY = {  # what the rules may say instead, so that nobody is asked
    "game abandoned": ("wdc2008", "scoring", {"abandoned": "zero"}),
    "seat replaced": ("weaselmoot", "scoring", {"replaced": "newcomer"}),
    "late share": ("edc2023", "scoring", {"late_of": "anybody"}),
    "two boards": ("wdc2008", "totals", {"two_boards": "both"}),
    "board not chosen": ("edc2023", "totals", {"two_boards": "higher"}),
    "final not held": ("edc2023", "totals", {"final": {"at_least_positive": 0}}),
    "team too large": ("nzdc1999", "teams", {"size": 4}),
    "team too small": ("edc1996", "teams", {"least": 3}),
    "too many teams": ("edc1996", "teams", {"per_country": 4}),
}


@pytest.mark.parametrize("code", SETTLED_BY)
def test_nobody_is_asked_about_what_the_rules_settle(code: str) -> None:
    base, table, settings = SETTLED_BY[code]
    results = CAUSES[code]().event
    for said, is_asked in (({}, True), (settings, False)):
        doubts = score(results, _scoring_rules_of({"base": base, table: said})).doubts
        assert (code in [doubt.code for doubt in doubts]) == is_asked


@pytest.mark.parametrize(
    ("tournament", "missing"),
    [
        ("nzdc1999", {Ending.DICE, Ending.STAGNATION, Ending.LAST_YEAR}),
        ("weaselmoot", {Ending.LAST_YEAR}),
        ("edc2023", {Ending.DICE, Ending.STAGNATION}),
        ("edc1996", {Ending.DICE, Ending.STAGNATION}),
        ("wdc2008", {Ending.DICE, Ending.STAGNATION}),
    ],
)
def test_an_ending_that_the_rules_do_not_have_is_a_doubt_and_scores_as_before(
    tournament: str, missing: set[Ending]
) -> None:
    plain = whole(tournament, board(FULL, players=SEVEN, ended=Ending.TIME))
    for ended in set(Ending) - {Ending.ABANDONED, Ending.CONCEDED, Ending.SOLO}:
        one = whole(tournament, board(FULL, players=SEVEN, ended=ended))
        assert ("ending unknown" in found(one)) == (ended in missing)
        assert [game.score for game in one.games] == [game.score for game in plain.games]


def test_nothing_is_in_doubt_where_everything_was_said() -> None:
    whole = [ruled(n, {name: 90 - 10 * k - n for k, name in enumerate(SEVEN)}) for n in (1, 2, 3)]
    assert doubts(moot(*whole)) == []


@pytest.mark.parametrize(
    ("seat", "is_open"),
    [
        ({"arrived": 6}, True),  # nobody says whether he relieved somebody on two boards
        ({"arrived": 6, "is_arrival_noted": True}, False),
        ({"relieved": "z"}, True),  # he may have come after the game had begun
        ({"relieved": "z", "is_arrival_noted": True}, False),
        ({"arrived": 6, "instead_of": "h"}, False),  # h sits on two boards: the rule is about him
        ({"relieved": "z", "instead_of": "h"}, True),
        ({}, False),
    ],
)
def test_a_late_share_is_open_until_the_director_has_said_when_somebody_arrived(
    seat: dict[str, object], is_open: bool
) -> None:
    beside = board(FULL, name="B", players="hijklmn")
    one = scored("edc2023", replace(board(FULL), seats=seats(SEVEN, **seat)), beside)
    assert any("late share" in doubt.code for doubt in one.doubts) == is_open


@pytest.mark.parametrize(("arrived", "is_open"), [(1, False), (2, True)])
def test_who_came_in_the_first_season_replaced_nobody(arrived: int, is_open: bool) -> None:
    one = moot(replace(board(FULL), seats=seats(SEVEN, arrived=arrived)))
    assert any(doubt.code == "seat replaced" for doubt in one.doubts) == is_open


def test_a_tie_for_the_title_decides_nothing_while_the_final_table_goes_on() -> None:
    level = top(4, (12, 12, 4, 3, 2, 1, 0))
    assert found(scored("edc2023", level))["final level"].stake is Stake.TITLE
    going_on = scored("edc2023", level, going_on=frozenset({level.spot}))
    assert found(going_on)["final level"].stake is Stake.NOTHING


def test_nothing_is_guessed_where_the_director_has_ruled_on_every_score() -> None:
    one = board(FULL, players=SEVEN)
    rules = _scoring_rules_of({"base": "weaselmoot", "scoring": {"system": "weasel-2007"}})
    seats = {power: replace(seat, ruling=ScoreRuling(Fraction(9), "looked at")) for power, seat in one.seats.items()}
    assert "score guessed" in [doubt.code for doubt in score(event(one), rules).doubts]
    assert "score guessed" not in [doubt.code for doubt in score(event(replace(one, seats=seats)), rules).doubts]


def test_28_of_34_centres_are_a_doubt_and_six_unowned_ones_are_none() -> None:
    few = board((9, 8, 5, 3, 2, 1, 0), players=SEVEN)
    [doubt] = [each for each in moot(few).doubts if isinstance(each, CentresMissing)]
    assert (doubt.spot, doubt.found, doubt.total) == ((1, "A"), 28, 34)
    assert "the rest, 6, is unowned" in doubt.text
    assert not any(isinstance(each, CentresMissing) for each in moot(replace(few, unowned=6)).doubts)
    [doubt] = [each for each in moot(replace(few, unowned=5)).doubts if isinstance(each, CentresMissing)]
    assert doubt.found == 33


@pytest.mark.parametrize("how", ["left", "excluded", "replaced"])
def test_a_leaver_who_still_gives_his_team_points_is_a_doubt(how: str) -> None:
    leaver = Entrant(name="Owls0", has_left=how == "left", is_excluded=how == "excluded")
    boards = [ruled(3, {"Owls0": 30})]
    if how == "replaced":
        boards.append(
            replace(board(FULL, number=2), seats=seats(SEVEN, instead_of="Owls0", ruling=ScoreRuling(Fraction(), "")))
        )
    one = scored("nzdc1999", *boards, teams=(team_of(3),), players=[leaver])
    [doubt] = [each for each in one.doubts if isinstance(each, TeamLeaver)]
    assert (doubt.team, doubt.player, doubt.points) == ("Owls", "Owls0", Fraction(30))
    assert doubt.text == "Owls0 went home, was replaced or was excluded, and still gives the team 30 points"
    gives_nothing = scored("nzdc1999", ruled(2, {"Owls0": 30}), teams=(team_of(3),), players=[leaver])
    assert not any(isinstance(each, TeamLeaver) for each in gives_nothing.doubts)


def test_the_doubts_of_a_large_event_are_weighed_in_bounded_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.scoring.stakes.MOST_SEATS", 20)
    gone = [
        board(FULL, name=name, players=names, ended=Ending.ABANDONED)
        for name, names in (("A", SEVEN), ("B", "hijklmn"))
    ]
    assert [each.stake for each in weigh_doubts(scored("edc1996", *gone))] == [Stake.TITLE, Stake.TITLE]


@pytest.mark.parametrize("most", [27, 28, 55, 56])
def test_no_more_seats_are_scored_again_than_the_work_allows(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    seats_scored: list[int] = []

    def count(way: EventResults, one: Scored) -> Scored:
        seats_scored.append(len(one.games))
        return score_again(way, one)

    monkeypatch.setattr("pipeline.scoring.stakes.MOST_SEATS", most)
    monkeypatch.setattr("pipeline.scoring.stakes.score_again", count)
    gone = [
        board(FULL, name=name, players=names, ended=Ending.ABANDONED)
        for name, names in (("A", SEVEN), ("B", "hijklmn"))
    ]
    weigh_doubts(scored("edc1996", *gone))
    assert sum(seats_scored) == most // 28 * 28  # each of two boards has two other ways to settle it, of 14 seats


def test_every_kind_says_what_was_found_and_where() -> None:
    base = kinds.ScoringDoubt
    classes = [kind for kind in vars(kinds).values() if isinstance(kind, type) and issubclass(kind, base)]
    all_kinds = [kind for kind in classes if hasattr(kind, "code")]
    assert len(all_kinds) > 30
    assert all(
        hasattr(kind, "at") and (hasattr(kind, "says") or kind.in_words is not base.in_words) for kind in all_kinds
    )


def clashes(end: tuple[int, ...], years: dict[int, tuple[int, ...]]) -> list[str]:
    one = moot(board(end, players=SEVEN, years=years))
    return [each.text for each in one.doubts if isinstance(each, YearsContradict)]


def test_a_solo_before_the_last_year_is_in_doubt_and_never_lost_in_silence() -> None:
    [said] = clashes((15, 10, 9, 0, 0, 0, 0), {1906: (18, 10, 6, 0, 0, 0, 0), 1907: (15, 10, 9, 0, 0, 0, 0)})
    assert said.startswith("AUSTRIA had 18 centres in 1906, which is a solo and ends the game, and has 15 in 1907")
    [said] = clashes((15, 10, 9, 0, 0, 0, 0), {1906: (18, 10, 6, 0, 0, 0, 0)})
    assert "and has 15 at the end" in said
    assert clashes((18, 16, 0, 0, 0, 0, 0), {1906: (17, 17, 0, 0, 0, 0, 0), 1907: (18, 16, 0, 0, 0, 0, 0)}) == []


def test_counts_that_no_game_can_have_are_in_doubt() -> None:
    assert clashes(FULL, {1901: (5, 5, 5, 5, 5, 5, 4), 1903: (8, 7, 8, 5, 1, 5, 0), 1905: FULL}) == []
    back = clashes((12, 9, 6, 4, 2, 1, 0), {1904: (12, 9, 6, 4, 3, 0, 0), 1905: (12, 9, 6, 4, 2, 1, 0)})
    assert back == ["RUSSIA had no centre in 1904 and has 1 in 1905; check both"]
    [won] = clashes((9, 3, 3, 3, 3, 4, 3), {1901: (9, 3, 3, 3, 3, 4, 3)})[:1]
    assert won == "AUSTRIA begins with 3 and has 9 in 1901, more than it can take in that time; check it"
    [lost] = clashes((9, 9, 6, 4, 3, 2, 0), {1904: (*FULL[:3], 4, 2, 1, 0), 1905: (9, 9, 6, 4, 3, 2, 0)})
    assert lost.startswith("all powers together had 34 centres in 1904 and have 33 in 1905")
    few = (5, 5, 4, 3, 0, 0, 0)
    assert clashes(few, {1905: few})[0].startswith("all powers together begin with 22 centres and have 17 in 1905")


@pytest.mark.parametrize(
    ("kind", "in_doubt", "clear"),
    [
        ("a solo", (18, 16, 0, 0, 0, 0, 0), (17, 17, 0, 0, 0, 0, 0)),
        ("somebody eliminated", (17, 16, 1, 0, 0, 0, 0), (18, 16, 0, 0, 0, 0, 0)),
        ("two survive", (17, 17, 0, 0, 0, 0, 0), (18, 16, 0, 0, 0, 0, 0)),
        ("two survive", (17, 17, 0, 0, 0, 0, 0), (17, 16, 1, 0, 0, 0, 0)),
        ("three at the top", (9, 9, 9, 7, 0, 0, 0), (10, 10, 9, 5, 0, 0, 0)),
    ],
)
def test_a_system_may_say_of_which_boards_it_is_not_sure(
    kind: str, in_doubt: tuple[int, ...], clear: tuple[int, ...]
) -> None:
    settings = {"base": "weaselmoot", "scoring": {"guesses": [{"when": kind, "taken": "all as it stands"}]}}

    def is_guessed(counts: tuple[int, ...]) -> bool:
        scored = score(event(board(counts)), _scoring_rules_of(settings))
        return any(isinstance(each, kinds.ScoreGuessed) for each in scored.doubts)

    assert is_guessed(in_doubt)
    assert not is_guessed(clear)


@pytest.mark.parametrize("recorded", [(), (1902, 1903, 1904), (1901, 1903, 1904), (1901, 1902, 1903), (1904,)])
def test_a_year_that_pays_who_is_alive_at_the_end_is_asked_for(recorded: tuple[int, ...]) -> None:
    """Bangkok 2022: 35 points for each year, up to six; nobody has won and nobody is out."""
    counts = {1901: (5, 5, 5, 5, 4, 5, 3), 1902: (6,) + (5,) * 4 + (4, 4), 1903: (7, 6, 5, 5, 4, 4, 3)}
    counts[1904] = (8, 6, 5, 5, 4, 4, 2)

    def codes(years: tuple[int, ...], name: str = "bangkok-2022", last: int = 1904) -> list[str]:
        one = board(counts[last], years={year: counts[year] for year in years})
        rules = _scoring_rules_of({"base": "weaselmoot", "scoring": {"system": name}})
        return [doubt.code for doubt in score(event(one), rules).doubts]

    assert codes(recorded) == ["years unrecorded"]
    assert codes((1901, 1902, 1903, 1904)) == []
    assert codes(recorded, "tribute") == codes(recorded, "bangkok-pike") == []  # there the centres pay more


def test_a_tie_decides_a_title_where_its_place_has_one_and_a_place_where_it_is_only_named() -> None:
    awards = {"places": ["first", "second", "third"], "named": 5}
    rules = _scoring_rules_of({"base": "weaselmoot", "awards": awards, "totals": {"rounds": 1, "weights": "all"}})
    one = score(event(board(FULL, players=SEVEN), board(FULL, players="hijklmn", name="B")), rules)
    ties = [
        (tie.place, each.stake, each.titles) for each in weigh_doubts(one) if isinstance(tie := each.doubt, PlaceLevel)
    ]
    assert ties == [
        (1, Stake.TITLE, ("first",)),
        (3, Stake.TITLE, ("third",)),
        (5, Stake.PLACE, ()),
    ]

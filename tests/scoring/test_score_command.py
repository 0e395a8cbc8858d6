"""``ordersheets score``: results in, standings out, faults all at once."""

import io
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from click.testing import CliRunner

from pipeline.cli.score import score_command, score_document
from pipeline.cli.streams import answer_each
from pipeline.problems import Stopped
from pipeline.rules.load import load_tournament
from pipeline.rules.noted_results import read_results

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
Json = dict[str, Any]


def counts(*owned: int) -> Json:
    return dict(zip(POWERS, owned, strict=False))


def one_board(*owned: int, players: str = "abcdefg", **more: Any) -> Json:
    return {
        "board": "A",
        "result": {"centers": counts(*owned)},
        "players": dict(zip(POWERS, players, strict=False)),
    } | more


def one_round(board: Mapping[str, Any], tournament: Any = "weaselmoot", **more: Any) -> Json:
    return {"tournament": tournament, "rounds": [{"number": 1, "boards": [board]}]} | more


def faults(document: Mapping[str, Any]) -> list[str]:
    with pytest.raises(Stopped) as stopped:
        score_document(document)
    return [f"{problem.where}: {problem.text}" for problem in stopped.value.problems]


def standings(document: Mapping[str, Any]) -> Json:
    return {row["player"]: row["total"] for row in score_document(document)["standings"]}


def test_the_answer_has_what_the_contract_promises() -> None:
    found = score_document(one_round(one_board(12, 0, 3, 6, 9, 0, 4), id="moot"))
    assert found["id"] == "moot"
    assert found["boards"][0]["scores"]["AUSTRIA"] == "50.34965"
    assert found["boards"][0]["shown"]["AUSTRIA"] == "50.350"
    assert found["boards"][0]["exact"]["AUSTRIA"] == "7200/143"
    assert {"place", "tied", "player", "total", "decided_by"} <= found["standings"][0].keys()
    assert found["standings"][0]["place"] == 1
    assert {"teams", "best_powers", "awards"} <= found.keys()
    json.dumps(found)


def test_lines_are_answered_in_order_and_a_wrong_one_does_not_stop_the_others() -> None:
    lines = [one_round(one_board(12, 9, 6, 4, 3, 0, 0), id=1), {"id": 2}, one_round(one_board(18, 16), id=3)]
    ran = CliRunner().invoke(score_command, ["-"], input="\n".join(json.dumps(line) for line in lines))
    assert ran.exit_code == 1
    replies = [json.loads(line) for line in ran.output.splitlines()]
    assert [reply["id"] for reply in replies] == [1, 2, 3]
    assert replies[1]["error"].startswith("missing; give the id of a tournament")
    assert replies[2]["boards"][0]["scores"]["AUSTRIA"] == "100"


def test_a_setting_of_a_base_is_replaced_and_the_others_stay() -> None:
    dead = one_board(12, 9, 6, 4, 3, 0, 0)
    literal = score_document(one_round(dead, {"base": "wdc2008"}))["boards"][0]["scores"]
    nothing = score_document(one_round(dead, {"base": "wdc2008", "scoring": {"eliminated": 0}}))["boards"][0]["scores"]
    assert literal["TURKEY"] == "2.996255"
    assert nothing == literal | {"RUSSIA": "0", "TURKEY": "0"}


def test_unknown_settings_are_refused_with_their_path() -> None:
    board = one_board(12, 9, 6, 4, 3, 0, 0)
    assert faults(one_round(board, "wdc2009")) == [
        "tournament: no such tournament; did you mean 'wdc2008'?; known are edc1996, edc2023, nzdc1999, wdc2008, "
        "weaselmoot, or give the path of a .toml file"
    ]
    assert faults(one_round(board, {"base": "wdc2008", "scoring": {"pol": 1}})) == [
        "tournament scoring.pol: unknown field; did you mean 'pool'?"
    ]
    assert faults(one_round(board, {"base": ["wdc2008"], "scoring": {}, "totals": {"rounds": 1}})) == [
        "tournament base: expected the id of a tournament, or the path of a rules file, found ['wdc2008']"
    ]
    assert faults(one_round(board, {"base": "wdc2008", "scorign": {}})) == [
        "tournament: unknown tables scorign; expected scoring, totals, ties, teams, awards, interim"
    ]


def test_a_field_with_two_names_may_not_say_two_things() -> None:
    board = one_board(12, 9, 6, 4, 3, 0, 0)
    out = {"name": "a", "excluded": True, "disqualified": True}
    assert score_document(one_round(board, players=[out]))["standings"][0]["player"] == "b"
    assert faults(one_round(board, players=[out | {"disqualified": False}])) == [
        "players[0].disqualified: 'excluded' says otherwise; leave one of them out"
    ]
    assert faults(one_round(board, "edc2023", players=[{"name": "a", "chosen": {"1": "A", "01": "B"}}]))[0] == (
        "players[0].chosen.01: 1 stands twice; leave one of them out"
    )


def test_all_faults_of_a_board_are_found_at_once() -> None:
    board = {
        "board": "A",
        "result": {
            "centers": {"AUSTRA": 3, "ENGLAND": -1, "FRANCE": 20, "GERMANY": "5", "ITALY": 15},
            "years": {"1899": {}, "1901": {"RUSSIA": 36}},
        },
        "players": {"ENGLAND": "ann", "FRANCE": "ann", "ITLAY": "bob"},
        "final": 1.0,
    }
    assert sorted(faults(one_round(board))) == sorted(
        [
            "rounds[0].boards[0].players.ITLAY: 'ITLAY' is not one of AUSTRIA, ENGLAND, FRANCE, "
            "GERMANY, ITALY, RUSSIA, TURKEY; did you mean 'ITALY'?",
            "rounds[0].boards[0].result.centers.AUSTRA: 'AUSTRA' is not one of AUSTRIA, ENGLAND, "
            "FRANCE, GERMANY, ITALY, RUSSIA, TURKEY; did you mean 'AUSTRIA'?",
            "rounds[0].boards[0].result.centers.ENGLAND: expected at least 0, found -1",
            "rounds[0].boards[0].result.centers.GERMANY: expected a whole number, found '5'",
            "rounds[0].boards[0].result.centers: 35 centers, but the board has 34",
            "rounds[0].boards[0].result.years.1899: expected 1901 to 1999, found '1899'",
            "rounds[0].boards[0].result.years.1901: 36 centers, but the board has 34",
            "rounds[0].boards[0].players: ann plays ENGLAND and FRANCE; a player has one seat on a board",
            "rounds[0].boards[0].final: expected true or false, found 1.0",
        ]
    )


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"rounds": None}, ""),
        ({"penalties": [{"player": "z", "points": 3}]}, "penalties[0].player: 'z' is on no board"),
        ({"penalties": [{"player": "a"}]}, "penalties[0]: no points, and 'penalty' has no price in the rules"),
        ({"penalties": [{"points": 3}]}, "penalties[0].player: missing; expected a text"),
        ({"penalties": [{"player": "a", "points": 1, "times": 0}]}, "penalties[0].times: expected at least 1, found 0"),
        ({"penalties": [{"player": "a", "points": "many"}]}, "penalties[0].points: 'many' is not a number"),
        ({"bonuses": [{"player": "a", "kind": "withdrawal"}]}, "bonuses[0]: no points, and 'withdrawal' has no worth"),
        ({"teams": [{"team": "X", "members": ["a", "y"]}]}, "teams[0].members[1]: 'y' is on no board"),
        ({"teams": [{"team": "X", "members": ["a"]}, {"team": "Y", "members": ["a"]}]}, "teams: 'a' is named 2 times"),
        ({"players": ["a", "a"]}, "players[1]: 'a' is in the list twice"),
        ({"penaltys": []}, "penaltys: unknown field; did you mean 'penalties'?"),
        ({"lots": ["q"]}, "lots[0]: 'q' is on no board"),
        ({"board_games": [{"game": "Shark"}]}, "board_games[0]: these rules have no board-games competition"),
        ({"votes": [{"player": "a", "tactics": "A"}]}, "votes: these rules have no votes; leave them out"),
        ({"withdrawals": [{"player": "a", "round": 2}]}, "withdrawals[0].player: these rules give nothing"),
    ],
)
def test_what_is_wrong_beside_the_boards_is_refused(change: Json, fault: str) -> None:
    document = one_round(one_board(12, 9, 6, 4, 3, 0, 0)) | change
    if not fault:
        assert score_document(document)["standings"] == []
        return
    assert any(found.startswith(fault) for found in faults(document)), faults(document)


BOARD = "rounds[0].boards[0]"
PLAYED = counts(12, 9, 6, 4, 2, 0, 0)  # one centre is nobody's
REFUSED: list[tuple[str, Json, Json, str]] = [  # the rules, what is said of the board and beside it, and the one fault
    ("edc2023", {"variant": "standard", "result": {"centers": PLAYED, "variant": "sandard"}}, {},
     f"{BOARD}.variant: the result says otherwise; leave one of them out"),
    ("wdc2008", {"result": {"centers": PLAYED, "draw": []}}, {},
     f"{BOARD}.result.draw: nobody is named; leave it out where every survivor is in the draw"),
    ("wdc2008", {"result": {"centers": PLAYED, "draw": ["AUSTRIA", "TURKEY"]}}, {},
     f"{BOARD}.result.draw: TURKEY has no centre at the end; only survivors are in a draw"),
    ("wdc2008", {"result": {"centers": PLAYED, "unowned": 2}}, {},
     f"{BOARD}.result.unowned: 2 centers, but only 1 left"),
    ("wdc2008", {"result": {}}, {}, f"{BOARD}.result.centers: missing; give every power's centers at the end"),
    ("wdc2008", {"chose": ["a", "b", "a"]}, {}, f"{BOARD}.chose: 'a' is named 2 times; a player chooses one power"),
    ("wdc2008", {"chose": ["z"]}, {}, f"{BOARD}.chose: 'z' is not on this board"),
    ("wdc2008", {"rulings": [{"power": "ITALY", "score": 1, "why": "x"}] * 2}, {},
     f"{BOARD}.rulings[1].power: ITALY stands twice; leave one of them out"),
    ("wdc2008", {}, {"bonuses": [{"player": "a"}]}, "bonuses[0]: no points, and 'bonus' has no worth in the rules"),
    ("wdc2008", {}, {"teams": [{"team": "X", "members": [name]} for name in "ab"]},
     "teams: 2 teams are called 'X'; give each its own name"),
    ("wdc2008", {}, {"teams": [{"team": "Cats", "members": ["a"]}, {"team": "cats", "members": ["b"]}]},
     "teams: 'Cats' and 'cats' differ in spelling alone; write one of them, or two names"),
    ("wdc2008", {}, {"players": [{"name": "A"}]},
     "players: 'A' and 'a' differ in spelling alone; write one of them, or two names"),
    ("wdc2008", {}, {"lots": [["a"], ["b", "a"]]},
     "lots[1]: 'a' is drawn twice; name who is drawn together in one lot"),
    ("edc2023", {}, {"bonuses": [{"player": "a", "kind": "withdrawal"}]},
     "bonuses[0].round: missing; a withdrawal is worth a part of its round's scores"),
    ("edc2023", {}, {"withdrawals": [{"player": "a"}]},
     "withdrawals[0].player: missing round; a withdrawal is worth a part of its round's scores"),
    ("nzdc1999", {}, {"board_games": [{"game": "Shark", "places": ["a", "b", "c", "a"]}]},
     "board_games[0].places: somebody is in two places"),
    ("edc1996", {}, {"votes": [{"player": "a", "from": "a", "tactics": "A"}]},
     "votes[0]: a votes for a; only other players are graded"),
    ("edc1996", {}, {"votes": [{"player": "a", "from": "b", "tactics": "A", "round": 1}] * 2},
     "votes[1]: b grades a in tactics twice in round 1"),
    ("edc1996", {}, {"votes": [{"player": "a", "from": "b"}]}, "votes[0]: no grade for "),
    ("edc1996", {}, {"votes": [{"player": "a", "from": "b", "tactics": "Z"}]}, "votes[0].tactics: unknown grade 'Z'"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "board", "beside", "said"), REFUSED)
def test_each_contradiction_is_refused_where_it_stands(rules: str, board: Json, beside: Json, said: str) -> None:
    [fault] = faults(one_round(one_board(*PLAYED.values()) | board, rules, **beside))
    assert fault.startswith(said)


def test_two_boards_of_a_name_and_a_missing_result_are_refused() -> None:
    board = one_board(12, 9, 6, 4, 3, 0, 0)
    twice = {"tournament": "weaselmoot", "rounds": [{"number": 1, "boards": [board, board | {"players": {}}, {}]}]}
    assert faults(twice) == [
        "rounds[0].boards[1].board: a second board 'A' in round 1; give each its own name",
        "rounds[0].boards[2].result: missing; a board needs its result with the centers at the end",
    ]


def test_a_solo_that_nobody_won_is_refused_and_other_endings_are_read() -> None:
    def ended(word: str, tournament: str = "nzdc1999") -> Json:
        board = one_board(12, 9, 6, 4, 3, 0, 0)
        board["result"]["ended"] = word
        return one_round(board, tournament)

    assert faults(ended("solo")) == ["rounds[0].boards[0].result.ended: a solo, but no power has 18 centers"]
    assert faults(ended("abadoned")) == [
        "rounds[0].boards[0].result.ended: unknown ending 'abadoned'; did you mean 'abandoned'?"
    ]
    assert set(score_document(ended("Abandoned"))["boards"][0]["scores"].values()) == {"0"}
    assert set(score_document(ended("concession"))["boards"][0]["scores"].values()) == {"0"}
    for word in ("time", "voted draw", "F1907M", "1907", "the bar closed"):
        assert score_document(ended(word))["boards"][0]["scores"]["AUSTRIA"] != "0"


def test_sandard_is_known_by_turkey_being_nowhere() -> None:
    six = {
        "board": "A",
        "result": {"centers": counts(10, 6, 5, 4, 4, 2)},
        "players": dict(zip(POWERS, "abcdef", strict=False)),
    }
    assert score_document(one_round(six, "edc2023"))["boards"][0]["scores"]["AUSTRIA"] == "46"
    eliminated = one_board(10, 6, 5, 4, 4, 2, 0)
    assert (
        score_document(one_round(eliminated, "edc2023"))["boards"][0]["scores"]["AUSTRIA"] == "49"
    )  # three neutral centres
    asked = score_document(one_round(six | {"variant": "standard"}, "edc2023"))["boards"][0]["scores"]
    assert "TURKEY" in asked
    assert faults(one_round(eliminated | {"variant": "sandard"}, "edc2023")) == [
        "rounds[0].boards[0].variant: there is no Turkey in the Sandard variant"
    ]


@pytest.mark.parametrize(
    ("centres", "seats", "is_sandard"),
    [
        ((10, 6, 5, 4, 4, 1), 6, True),  # some of the 31 are nobody's
        ((10, 6, 5, 4, 4, 2), 6, True),
        ((10, 6, 5, 4, 4, 3), 6, False),  # more than that game has
        ((10, 7, 5, 5, 4, 0), 5, True),
        ((10, 6, 5, 5, 4, 0), 5, False),  # somebody may be missing
        ((10, 7, 5, 5, 5, 0), 5, False),
    ],
)
def test_who_sits_down_without_turkey_plays_sandard_if_the_centres_are_its_own(
    centres: tuple[int, ...], seats: int, is_sandard: bool
) -> None:
    board = {
        "board": "A",
        "result": {"centers": counts(*centres)},
        "players": dict(zip(POWERS, "abcdef"[:seats], strict=False)),
    }
    found = score_document(one_round(board, "edc2023"))["boards"][0]["scores"]
    assert ("TURKEY" not in found) is is_sandard


def test_penalties_and_bonuses_are_read_as_people_write_them() -> None:
    board = one_board(12, 9, 6, 4, 3, 0, 0)
    notes: Json = {
        "penalties": [
            {"player": "a", "kind": "late", "times": 2},
            {"player": "a", "points": -1, "reason": "late"},
            {"player": "b", "reason": "absent"},
            {"player": "c", "kind": "contested"},
            {"player": "d", "kind": "cheating"},
        ],
        "bonuses": [{"player": "e", "points": "2.5", "reason": "helped at the door"}],
    }
    bare, noted = standings(one_round(board, "edc2023")), standings(one_round(board, "edc2023", **notes))
    assert {name: int(noted[name]) - int(bare[name]) for name in "abc"} == {"a": -3, "b": -15, "c": -5}
    assert noted["d"] == "0"
    assert int(noted["e"]) - int(bare["e"]) in (2, 3)  # two and a half, truncated with the whole


@pytest.mark.parametrize("what", ["penalties", "bonuses"])
@pytest.mark.parametrize(
    ("said", "kind", "reason"),
    [
        ({"kind": "late"}, "late", ""),
        ({"reason": "late"}, "late", ""),  # it says what it is, and no more
        ({"kind": "late", "reason": "late"}, "late", ""),
        ({"kind": "late", "reason": "round 2"}, "late", "round 2"),
        ({"reason": "own words"}, "own words", ""),
    ],
)
def test_a_reason_that_is_the_kind_is_not_said_twice(what: str, said: Json, kind: str, reason: str) -> None:
    document = one_round(one_board(12, 9, 6, 4, 3, 0, 0), **{what: [{"player": "a", "points": 1} | said]})
    [found] = getattr(read_results(document, load_tournament("weaselmoot").scoring)[0], what)
    assert (found.kind, found.reason) == (kind, reason)


def test_who_comes_back_to_a_seat_that_he_gave_up_has_one_game_of_it() -> None:
    """WDC08 12.6, 16.2: nobody has a point of it, and who was there twice is not ahead of who was there once."""
    came = [
        {"power": "AUSTRIA", "player": name, "season": season} for name, season in (("brief", "F1902"), ("a", "F1903"))
    ]
    listed = score_document(one_round(one_board(7, 6, 5, 5, 5, 5, 1) | {"replacements": came}, "wdc2008"))
    rows = [row for row in listed["standings"] if row["player"] in ("a", "brief")]
    assert [(row["total"], row["place"], row["tied"]) for row in rows] == [("0", 7, True)] * 2


@pytest.mark.parametrize(
    ("season", "number"), [("P01", 1), ("A01", 2), ("P02", 3), ("F1902M", 4), ("S1903", 5), (7, 7)]
)
def test_seasons_are_counted_as_the_french_do(season: str | int, number: int) -> None:
    board = one_board(7, 6, 5, 5, 5, 5, 1) | {
        "replacements": [{"power": "AUSTRIA", "player": "late", "season": season}]
    }
    remark = score_document(one_round(board, "edc2023"))["boards"][0]["remarks"]["AUSTRIA"][0]
    assert remark.startswith(f"arrived in season {number}: ")


@pytest.mark.parametrize("season", ["S1900", "P00", "F1800"])
def test_nobody_arrives_before_the_first_season(season: str) -> None:
    board = one_board(7, 6, 5, 5, 5, 5, 1) | {
        "replacements": [{"power": "AUSTRIA", "player": "late", "season": season}]
    }
    assert faults(one_round(board, "edc2023")) == [
        "rounds[0].boards[0].replacements[0].season: "
        f"expected a season from Spring 1901 on, such as 5, S1903 or A02; found {season!r}"
    ]


def test_votes_are_counted_one_by_one_or_taken_as_counted() -> None:
    rounds = [{"number": n, "boards": [one_board(12, 9, 6, 4, 3, 0, 0)]} for n in (1, 2, 3)]
    singly = [{"from": "b", "to": "a", "round": 1, "negotiation": "A", "tactics": "C"}]
    singly += [{"player": "a", "skill": "best negotiator", "grade": "b"}]
    counted = [{"player": "a", "negotiation": {"A": 12, "B": 7, "C": 2}}]
    found = score_document({"tournament": "edc1996", "rounds": rounds, "votes": singly})["votes"]
    assert [(row["skill"], row["mean"], row["votes"]) for row in found] == [
        ("negotiation", "2", 2),
        ("tactics", "0", 1),
    ]
    assert (
        score_document({"tournament": "edc1996", "rounds": rounds, "votes": counted})["votes"][0]["mean"] == "2.047619"
    )
    wrong = [
        {"from": "a", "to": "a", "negotiation": "A"},
        {"to": "b", "negotiation": "D"},
        {"to": "b"},
        *[{"from": "c", "to": "b", "round": 1, "tactics": "A"}] * 2,
    ]
    assert faults({"tournament": "edc1996", "rounds": rounds, "votes": wrong}) == [
        "votes[0]: a votes for a; only other players are graded",
        "votes[1].negotiation: unknown grade 'D'; expected A, B, C",
        "votes[2]: no grade for negotiation or tactics",
        "votes[4]: c grades b in tactics twice in round 1",
    ]


@pytest.mark.parametrize(
    ("skill", "words"),
    [
        ("negotiation", ("negotiation", "Negotiator", "best negotiator", "diplomacy")),
        ("tactics", ("tactics", "Tactician", "best tactician", "tactic")),
    ],
)
def test_a_skill_is_known_by_the_words_that_people_use(skill: str, words: tuple[str, ...]) -> None:
    rounds = [{"number": n, "boards": [one_board(12, 9, 6, 4, 3, 0, 0)]} for n in (1, 2, 3)]
    votes = [{"player": "a", "skill": word, "grade": "A"} for word in words]
    (row,) = score_document({"tournament": "edc1996", "rounds": rounds, "votes": votes})["votes"]
    assert (row["skill"], row["votes"]) == (skill, len(words))


def test_teams_may_be_listed_or_named_in_the_roster() -> None:
    rounds = [{"number": 3, "boards": [one_board(12, 9, 6, 4, 3, 0, 0)]}]
    listed = {"teams": [{"name": "Owls", "players": ["a", "c"]}]}
    by_name = {"teams": {"Owls": ["a", "c"]}}
    roster = {"players": [{"name": "a", "team": "Owls"}, {"player": " c ", "team": "Owls"}]}
    totals = [
        score_document({"tournament": "nzdc1999", "rounds": rounds} | form)["teams"]
        for form in (listed, by_name, roster)
    ]
    assert totals[0] == totals[1] == totals[2]
    assert totals[0][0]["team"] == "Owls"


def test_board_games_are_read() -> None:
    rounds = [{"number": 1, "boards": [one_board(12, 9, 6, 4, 3, 0, 0)]}]
    games = [{"game": "Modern Art", "places": ["a", ["b", "c"], "d"]}]
    found = score_document({"tournament": "nzdc1999", "rounds": rounds, "board_games": games})["board_games"]
    assert [(row["player"], row["points"]) for row in found] == [
        ("a", "36"),
        ("b", "13.5"),
        ("c", "13.5"),
        ("d", "4.5"),
    ]
    wrong = [{"game": "Sharks", "places": ["a", "b"]}, {"game": "Shark", "places": ["a"]}]
    assert faults({"tournament": "nzdc1999", "rounds": rounds, "board_games": wrong}) == [
        "board_games[0].game: 'Sharks' is not in the competition; did you mean 'Shark'?",
        "board_games[1].places: 1 player; there are points for 2, 3, 4, 5, 6, 7, 8",
    ]


def test_the_final_table_its_champion_and_the_choosing_are_told() -> None:
    tied = one_board(12, 12, 4, 3, 2, 1, 0, final=True, chose=list("gfedcba"))
    rounds = [{"number": 4, "boards": [tied]}]
    found = score_document({"tournament": "edc2023", "rounds": rounds})
    assert [row["champion"] for row in found["standings"][:2]] == [True, False]
    assert found["standings"][0]["decided_by"] == "chose last"
    assert found["qualification"] is None
    assert found["awards"][0]["award"] == "European Diplomacy Champion"


def test_a_withdrawal_is_noted_with_its_round() -> None:
    board = one_board(12, 9, 6, 4, 3, 0, 0)
    rounds = [{"number": 1, "boards": [board], "withdrawn": ["z"]}]
    noted = standings({"tournament": "edc2023", "rounds": rounds})
    scores = sorted(int(score) for score in score_document(one_round(board, "edc2023"))["boards"][0]["scores"].values())
    assert noted["z"] == str(scores[2])  # the third of seven
    rounds[0]["withdrawn"] = ["a"]
    assert faults({"tournament": "edc2023", "rounds": rounds}) == ["bonuses: a withdrew from round 1 but plays on A"]


def test_every_object_gets_a_line_even_one_that_is_no_object() -> None:
    out = io.StringIO()
    code = answer_each(io.StringIO('[]\nnot json\n{"tournament":"weaselmoot","rounds":[]}\n'), score_document, out)
    replies = [json.loads(line) for line in out.getvalue().splitlines()]
    assert code == 1
    assert ["error" in reply for reply in replies] == [True, True, False]


@pytest.mark.parametrize("value", [None, 5, "x", [], {}, [None], [5], [[]], [{}], True])
@pytest.mark.parametrize(
    "key",
    ["players", "rounds", "penalties", "bonuses", "teams", "votes", "board_games", "awards", "lots", "withdrawals"],
)
def test_no_value_of_any_kind_crashes_the_reading(key: str, value: object) -> None:
    for tournament in ("nzdc1999", "edc1996", "edc2023"):
        document = one_round(one_board(12, 9, 6, 4, 3, 0, 0), tournament) | {key: value}
        try:
            score_document(document)
        except Stopped as stopped:
            assert all(problem.where for problem in stopped.problems)


@pytest.mark.parametrize("value", [None, 5, "x", [], {}, [None], [5], {"AUSTRIA": None}, {"AUSTRIA": []}, True])
@pytest.mark.parametrize("key", ["board", "result", "players", "final", "variant", "chose", "replacements", "rulings"])
def test_no_board_of_any_kind_crashes_the_reading(key: str, value: object) -> None:
    try:
        score_document(one_round(one_board(12, 9, 6, 4, 3, 0, 0) | {key: value}))
    except Stopped as stopped:
        assert all(problem.where for problem in stopped.problems)


def test_somebody_of_the_roster_may_be_called_like_a_position() -> None:
    board = one_board(12, 9, 6, 4, 3, 0, 0)
    board["players"]["AUSTRIA"] = "GM"
    assert "GM" in standings(one_round(board, players=["GM"]))
    assert "GM" not in standings(one_round(board, players=[{"name": "GM", "gm": True}]))


def test_a_champion_behind_on_points_is_ahead_by_the_final_table() -> None:
    rounds = [{"number": number, "boards": [one_board(17, 17, players="xyabcde")]} for number in (1, 2, 3)]
    rounds.append({"number": 4, "boards": [one_board(12, 9, 6, 4, 3, 0, 0, final=True)]})
    rows = score_document({"tournament": "wdc2008", "rounds": rounds})["standings"]
    assert [(row["player"], row["decided_by"]) for row in rows[:1]] == [("a", "final table")]
    assert rows[1]["champion"] is False


@pytest.mark.parametrize("said", [{}, {"ended": "solo"}, {"ended": "voted draw"}])
def test_a_draw_that_is_named_beside_a_solo_is_a_doubt(said: Json) -> None:
    board = one_board(18, 16)
    board["result"] |= said | {"draw": ["AUSTRIA", "ENGLAND"]}
    [doubt] = [each for each in score_document(one_round(board))["doubts"] if each["code"] == "solo denied"]
    assert doubt["text"].startswith('its result says "a draw", and AUSTRIA has 18 centres')


def two_boards_in_the_last_of(rounds: int) -> list[Json]:
    counts = (12, 9, 6, 4, 3, 0, 0)
    played: list[Json] = [{"number": n, "boards": [one_board(*counts)]} for n in range(1, rounds + 1)]
    played[-1]["boards"].append(one_board(*counts, players="hijklma", board="B"))
    return played


def with_choice(rounds: int, tournament: str, **chosen: str) -> Json:
    return {
        "tournament": tournament,
        "rounds": two_boards_in_the_last_of(rounds),
        "players": [{"name": "a", "chosen": chosen}],
    }


def test_a_choice_of_two_boards_is_obeyed() -> None:
    counted = {
        board: next(
            row
            for row in score_document(with_choice(4, "edc2023", **{"4": board}))["standings"]
            if row["player"] == "a"
        )
        for board in "AB"
    }
    dropped = {board: [game["board"] for game in row["games"] if game["dropped"]] for board, row in counted.items()}
    assert dropped == {"A": ["B"], "B": ["A"]}


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (with_choice(2, "edc2023", **{"2": "B"}),
         "a has played 2 of the 3 rounds after which one of two boards is chosen"),
        (with_choice(4, "edc2023", **{"3": "A"}), "a played one board in round 3; there is nothing to choose"),
        (with_choice(4, "edc2023", **{"3": "B"}), "a chose board 'B' of round 3 but did not play on it"),
        (with_choice(3, "weaselmoot", **{"3": "B"}),
         "nobody chooses which of two boards counts by these rules ('higher')"),
    ],
)  # fmt: skip
def test_a_choice_that_cannot_count_is_refused(document: Json, said: str) -> None:
    [fault] = faults(document)
    assert said in fault


WRONG_TWICE: dict[str, list[Any]] = {  # of every list two entries, each of somebody or something unknown
    "penalties": [{"player": "xx1", "points": 1}, {"player": "xx2", "points": 1}],
    "bonuses": [{"player": "xx1", "points": 1}, {"player": "xx2", "points": 1}],
    "teams": [{"team": "t", "members": ["xx1", "xx2", "a"]}, {"team": "u", "members": ["xx3", "b"]}],
    "votes": [{"player": "xx1", "tactics": "A"}, {"player": "a", "tactics": ["xx2", "xx3"]}],
    "board_games": [{"game": "xx1", "places": ["a"]}, {"game": "xx2", "places": ["a", "b"]}],
    "awards": [{"award": "t", "player": "xx1"}, {"award": "u", "player": "xx2"}],
    "lots": [["xx1", "xx2"], ["a", "xx3"]],
    "players": [{"name": "a", "chosen": {"1": "xx1", "2": "xx2"}}, {"name": "b", "chosen": {"1": "xx3"}}],
}


@pytest.mark.parametrize("key", WRONG_TWICE)
def test_each_wrong_entry_is_told_and_not_only_the_first(key: str) -> None:
    rules = {"votes": "edc1996", "board_games": "nzdc1999"}.get(key, "edc2023")
    told = faults(one_round(one_board(12, 9, 6, 4, 3, 0, 0), rules, **{key: WRONG_TWICE[key]}))
    wrong = set(re.findall(r"xx\d", json.dumps(WRONG_TWICE[key])))
    assert {name for fault in told for name in re.findall(r"xx\d", fault)} == wrong
    assert len(told) >= 2


def test_a_fault_of_the_program_does_not_end_the_stream() -> None:
    def fails(document: Mapping[str, Any]) -> Json:
        return {"right": 1 / document["number"]}

    out = io.StringIO()
    code = answer_each(io.StringIO('{"number": 0, "id": "x"}\n{"number": 1}\n'), fails, out)
    first, second = map(json.loads, out.getvalue().splitlines())
    assert (code, first["id"], first["where"], second) == (1, "x", "object 1", {"right": 1.0})
    assert "ZeroDivisionError" in first["error"]


def test_what_nobody_reads_is_told_and_the_answer_stays() -> None:
    plain = one_round(one_board(12, 9, 6, 4, 3, 0, 0), "wdc2008", players=["a", {"name": "b"}])
    before = score_document(plain)
    assert "unread" not in before
    odd = json.loads(json.dumps(plain)) | {"penalty": [{"player": "a", "points": 5}], "zzz": 1}
    odd["players"] = ["a", {"name": "b", "club": "x"}, {"name": "c", "club": "y"}]
    odd["rounds"][0]["foo"] = 1
    odd["rounds"][0]["boards"][0] |= {"foo": 1}
    odd["rounds"][0]["boards"][0]["result"] |= {"end": "solo"}
    odd["penalties"] = [{"player": "a", "points": 0, "foo": 1}]
    odd["bonuses"] = [{"player": "a", "points": 0, "foo": 1, "type": "x"}]
    odd["teams"] = [{"team": "T", "members": ["a"], "foo": 1}]
    found = score_document(odd)
    assert found["unread"] == [
        "bonuses[0].foo: unknown field, not read",
        "penalties[0].foo: unknown field, not read",
        "penalty: unknown field, not read; did you mean 'penalties'?",
        "players[1].club and 1 more like it: unknown field, not read",
        "rounds[0].boards[0].foo: unknown field, not read",
        "rounds[0].boards[0].result.end: unknown field, not read; did you mean 'ended'?",
        "rounds[0].foo: unknown field, not read",
        "teams[0].foo: unknown field, not read",
        "zzz: unknown field, not read",
    ]
    assert found["boards"] == before["boards"]
    near = one_round(one_board(12, 9, 6, 4, 3, 0, 0), penaltes=[])
    assert faults(near) == ["penaltes: unknown field; did you mean 'penalties'?"]


def test_the_command_says_what_it_did_not_read() -> None:
    document = one_round(one_board(12, 9, 6, 4, 3, 0, 0), penalty=[])
    ran = CliRunner().invoke(score_command, input=json.dumps(document))
    assert ran.exit_code == 0
    assert json.loads(ran.output)["unread"] == ["penalty: unknown field, not read; did you mean 'penalties'?"]


ZED = {"power": "AUSTRIA", "player": "Zed", "season": 5}
YED = {"power": "AUSTRIA", "player": "Yed", "season": 3}
SEAT = "rounds[0].boards[0].players.AUSTRIA: "
LIST = "rounds[0].boards[0].replacements"
ONE_SEAT = "a player has one seat on a board"


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ({"players": {"AUSTRIA": {"player": "a", "instead_of": "b"}, "ENGLAND": "b"}},
         f"{SEAT}b cannot have left AUSTRIA and play ENGLAND; {ONE_SEAT}"),
        ({"players": {"AUSTRIA": {"player": "a", "instead_of": "a"}}},
         f"{SEAT}a played AUSTRIA already, and cannot take it over"),
        ({"replacements": [YED | {"player": "a"}]}, f"{LIST}[0]: a played AUSTRIA already, and cannot take it over"),
        ({"replacements": [ZED, YED]},
         f"{LIST}[1].season: Zed came to AUSTRIA in season 5; whoever follows comes later"),
        ({"replacements": [YED, ZED, {"power": "ITALY", "player": "Yed"}]},
         f"{LIST}[1]: Yed cannot have left AUSTRIA and play ITALY; {ONE_SEAT}"),
        ({"final": True, "chose": ["a"] * 7},
         "rounds[0].boards[0].chose: 'a' is named 7 times; a player chooses one power"),
    ],
)  # fmt: skip
def test_what_contradicts_itself_on_a_board_is_refused(board: Json, said: str) -> None:
    assert faults(one_round(one_board(12, 9, 6, 4, 3, 0, 0) | board, "edc2023")) == [said]

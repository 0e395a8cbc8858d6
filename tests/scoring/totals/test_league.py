"""Leagues: what places at events bring, by sources that say it with numbers, and standings over events."""

import json
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from rules.test_mangled_files import changed, paths_in

from pipeline.cli.league import league_command
from pipeline.problems import Stopped
from pipeline.rules import league_file
from pipeline.rules.league_file import load_league
from pipeline.scoring.league import EventWorth, FallingPoints, ListedPoints, SharedPlace, score_league
from pipeline.small_files import data_folder

SAMPLES = data_folder("samples") / "leagues"
FIVE = tuple(map(Fraction, (10, 6, 4, 2, 1)))


def test_half_of_the_players_score() -> None:
    """Grand Prix 2002: "50% of participants will score points" (diplom.org/Zine/W2002A); rounded up, our reading."""
    rule = FallingPoints(worth=EventWorth(points=Fraction(100)), each=Fraction(9, 10), scoring=Fraction(1, 2))
    assert [rule.points(n, 1, 7, Fraction(100)) > 0 for n in range(1, 8)] == [True] * 4 + [False] * 3


def test_who_share_a_place_get_its_points_or_the_mean_of_those_that_they_span() -> None:
    assert ListedPoints(listed=FIVE).points(2, 3, 9, Fraction()) == 6
    assert ListedPoints(listed=FIVE, shared=SharedPlace.AVERAGE).points(2, 3, 9, Fraction()) == 4
    assert ListedPoints(listed=FIVE, shared=SharedPlace.AVERAGE).points(5, 2, 9, Fraction()) == Fraction(1, 2)


def test_the_best_results_count_and_two_names_are_one_person() -> None:
    league = load_league(SAMPLES / "nagp2010.toml")
    rows = {row.player: row for row in score_league(league).standings.rows}
    assert rows["Anna Ek"].total == Fraction("50") + 18 + Fraction("40") * Fraction(9, 10) ** 6
    assert "A. Ek" not in rows
    assert "Max Yde" not in rows, "he played in one event, and a place needs two"
    assert rows["Anna Ek"].place == 2


@pytest.mark.parametrize(
    ("tie", "results"),
    [  # of Ann and Bo, in three events, with the same total: only by this one is Ann ahead
        ("most wins", ("5 4", "5 2", "2 6 7")),
        ("best result", ("9 8", "4 6", "3 2")),
        ("second-best result", ("8 8", "5 4", "2 3")),
        ("third-best result", ("8 9", "4 4", "3 2")),
        ("all results", ("9 9", "6 6", "2 1")),  # the third does not count towards the total
        ("lot", ("5 5", "4 4", "4 4")),
    ],
)
def test_a_tie_break_looks_at_what_its_name_says(tmp_path: Path, tie: str, results: tuple[str, ...]) -> None:
    text = TOTALS.replace('"L"\n', '"L"\nlots = [["Ann", "Bo"]]\n') + f"[ties]\nplayers = [{tie!r}]\n"
    text += "[totals]\nweights = [1, 1, 0]\n" if tie == "all results" else ""
    for number, totals in enumerate(results):
        text += f'[[events]]\nname = "{number}"\nresults = "{number}.csv"\n'
        scored = sorted(zip(map(int, totals.split()), ("Ann", "Bo", "Cy"), strict=False), reverse=True)
        lines = [f"{place},{name},{total}" for place, (total, name) in enumerate(scored, start=1)]
        (tmp_path / f"{number}.csv").write_text("\n".join(["place,player,total", *lines]), "utf-8")
    (tmp_path / "l.toml").write_text(text, "utf-8")
    rows = {row.player: row for row in score_league(load_league(tmp_path / "l.toml")).standings.rows}
    assert rows["Ann"].total == rows["Bo"].total
    assert rows["Ann"].place == rows["Bo"].place - 1


HEAD = '[league]\nname = "L"\n[points.A]\nby = "linear"\nworth = 100\n'
EVENT = '[[events]]\nname = "One"\nresults = "one.csv"\n'
LINES = '"place","tied","player","total","decided_by"\n"1","no","Ann Ek","9",""\n"2","no","Bo Li","8",""\n'
TOTALS = '[league]\nname = "L"\n[points.A]\nby = "total"\n'
BOARDS = HEAD.replace("worth = 100", "worth = { each_board = 10 }")


@pytest.mark.parametrize(
    ("text", "lines", "key", "said"),
    [
        (HEAD + EVENT.replace("one", "two"), LINES, "events[0].results", "there is no file 'two.csv'"),
        (HEAD + EVENT, "a,b\n1,2\n", "events[0].results", "expected the results.json or standings.csv"),
        (HEAD + EVENT, LINES.replace('"2"', '"7"'), "events[0].results", "'Bo Li' has place 7 of 2 players"),
        (HEAD + EVENT, "place,player\n1,A\n1,B\n2,Cy\n", "events[0].results", "'Cy' has place 2, behind 2 players"),
        (HEAD + EVENT, LINES.replace("Bo Li", "Ann Ek"), "events[0].results", "'Ann Ek' stands twice"),
        (HEAD + EVENT, LINES.replace("9", "nine"), "events[0].results", "line 2, Ann Ek: 'nine' is not a number"),
        (HEAD + EVENT + 'points = "B"\n', LINES, "events[0].points", "'B' is none of 'A'"),
        (HEAD + EVENT + EVENT, LINES, "events[1].name", "there is an event 'One' already"),
        (BOARDS + EVENT, LINES, "events[0].boards", "missing; its points count boards"),
        (HEAD.replace("100", '{ most = 9 }') + EVENT, LINES, "points.A.worth.points", "expected either 'points'"),
        (HEAD + '[totals]\nweights = [0]\n' + EVENT, LINES, "totals.weights", "no game counts with the weights [0]"),
        (HEAD + "[totals]\nrounds = 3\n" + EVENT, LINES, "totals.rounds", "unknown field"),
        (HEAD + '[ties]\nplayers = ["best resul"]\n' + EVENT, LINES, "ties.players[0]", "did you mean 'best result'?"),
        (HEAD + '[players]\n"Ann Ek" = ["Bo Li"]\n' + EVENT, LINES, "players.Ann Ek", "both played in 'One'"),
        (HEAD + '[players]\n"Ann Ek" = ["B. Li"]\n' + EVENT, LINES, "players.Ann Ek[0]", "did you mean 'Bo Li'?"),
        (TOTALS + EVENT, LINES.replace('"8"', '""'), "events[0].results", "line 3, Bo Li: the total is missing"),
        (TOTALS + EVENT, "place,player\n\n1,Ann Ek\n", "events[0].results", "line 3, Ann Ek: the total is missing"),
        (HEAD, LINES, "events", "missing; write a table [[events]]"),
        ('[league]\nname = "L"\n' + EVENT, LINES, "points", "missing; write what an event brings"),
        (HEAD.replace("linear", "linea") + EVENT, LINES, "points.A.by", "is not one of total, linear, falling, places"),
        (HEAD.replace("linear", "PointsByPlace") + EVENT, LINES, "points.A.by", "'PointsByPlace' is not one of total,"),
    ],
)  # fmt: skip
def test_a_refusal_names_the_key_of_the_rule(tmp_path: Path, text: str, lines: str, key: str, said: str) -> None:
    (tmp_path / "one.csv").write_text(lines, "utf-8")
    (tmp_path / "l.toml").write_text(text, "utf-8")
    with pytest.raises(Stopped) as stopped:
        load_league(tmp_path / "l.toml")
    found = {problem.where: problem.text for problem in stopped.value.problems}
    assert said in found.get(f"l.toml {key}", ""), found


def test_exports_are_read_with_semicolons_and_as_json(tmp_path: Path) -> None:
    standings = [{"place": 1, "tied": "no", "player": "Ann Ek", "total": "9.5", "decided_by": ""}]
    body = {"event": "One", "sealed": False, "rounds": [{"round": 1, "boards": 3}], "standings": standings}
    (tmp_path / "one.json").write_text(json.dumps(body), "utf-8")
    (tmp_path / "two.csv").write_text("place;tied;player;total;decided_by\n1;no;Ann Ek;7,25;\n", "utf-8")
    events = (
        '[[events]]\nname = "One"\nresults = "one.json"\n[[events]]\nname = "Two"\nresults = "two.csv"\nboards = [2]\n'
    )
    (tmp_path / "l.toml").write_text(BOARDS + events, "utf-8")
    league = load_league(tmp_path / "l.toml")
    assert [event.results[0].total for event in league.events] == [Fraction("9.5"), Fraction("7.25")]
    assert [league.worth(event) for event in league.events] == [30, 20]


def test_no_key_of_a_league_can_be_left_out_unnoticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused, or another league: with each key that may be left out, set to what it is not without it."""
    file = SAMPLES / "nagp2010.toml"
    document = tomllib.loads(file.read_text("utf-8"))
    document["league"] |= {"shown_decimals": 2, "language": "fr", "lots": [["Ann", "Bo"]]}
    document["totals"] |= {"rounding": {"how": "truncate", "decimals": 2}}
    for event in document["events"]:
        event["points"] = "event"
    document["points"]["other"] = {"by": "places", "points": [10, 5, 1], "shared": "average"}
    leagues = []
    for path in paths_in(document)[1:]:
        left = changed(document, path, None, gone=True)
        monkeypatch.setattr(league_file, "read_toml", lambda _, left=left: left)
        try:
            leagues.append((path, load_league(file)))
        except Stopped as stopped:
            assert stopped.problems
    monkeypatch.setattr(league_file, "read_toml", lambda _: document)
    whole = load_league(file)
    assert len(leagues) > len(document["league"])
    assert [path for path, league in leagues if league == whole] == []


def test_sealed_standings_are_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "one.csv").with_suffix(".json").write_text(json.dumps({"sealed": True, "rounds": []}), "utf-8")
    (tmp_path / "l.toml").write_text(HEAD + EVENT.replace("csv", "json"), "utf-8")
    with pytest.raises(Stopped, match="export them with --open"):
        load_league(tmp_path / "l.toml")


def test_the_command_asks_about_names_that_look_alike_and_prints_json(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text(LINES, "utf-8")
    (tmp_path / "two.csv").write_text(LINES.replace("Ann Ek", "A. Ek").replace("Bo Li", "Li \u0412ó"), "utf-8")
    second = EVENT.replace("One", "Two").replace("one", "two")
    (tmp_path / "l.toml").write_text(HEAD + EVENT + second, "utf-8")
    found = CliRunner().invoke(league_command, [str(tmp_path / "l.toml"), "--json"])
    assert found.exit_code == 0, found.output
    assert "'A. Ek' (Two) and 'Ann Ek' (One) look alike" in found.stderr
    assert "'Bo Li' (One) and 'Li \u0412ó' (Two) look alike" in found.stderr
    first = json.loads(found.stdout)["standings"][0]
    assert (first["player"], first["total"], first["events"]) == ("A. Ek", "100", {"Two": "100"})

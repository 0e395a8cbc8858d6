"""Clock, screen, votes, dice and the seal on the standings."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from desk.cup import NAMES, OPENINGS
from facts_as_kept import append_fact, read_facts
from msgspec.structs import replace

from pipeline.board import Phase
from pipeline.desk.event.ending import die_of, reveal_roll
from pipeline.desk.players import tell_seats
from pipeline.ledger.claims import Claims
from pipeline.ledger.events import VoteHeld
from pipeline.orders import write_position
from pipeline.problems import Stopped
from pipeline.scoring.doubts import (
    NotedFact,
    NotQualified,
    PlaceLevel,
    ScoringDoubt,
    SeveralFinals,
    TeamTooLarge,
    Want,
    WithdrewAgain,
)
from pipeline.scoring.stakes import Stake, WeighedDoubt
from pipeline.web.server import Opened, open_office
from pipeline.web.tables import _doubt_view, _doubt_views
from web.conftest import SEATS, Browser, Time, make_event
from web.office.test_rights import settle_all

POWERS = [str(power) for power in OPENINGS]


def ballots(**others: str) -> dict[str, str]:
    return dict.fromkeys(POWERS, "yes") | others


def set_to(opened: Opened, phase: str) -> None:
    """Go on in the middle of the game, at the start position."""
    office = opened.office
    position = replace(office.live.games["1.1"].position, phase=Phase.read(phase))
    append_fact(office.event.facts, "position set", {"board": "1.1", "position": write_position(position)}, "Tess")


def test_the_plan_of_the_clock_is_the_tournaments(tess: Browser) -> None:
    told = tess.client.get("/api/clock").json()
    assert told["clock"] is None
    assert told["plans"] == [{"label": "Spring 1901", "parts": [["negotiation", 1080]], "rule": "WM V"}]


def test_the_clock_survives_a_restart(tmp_path: Path, time: Time) -> None:
    make_event(tmp_path / "cup")
    with open_office(tmp_path / "cup", SEATS, clock=time) as before:
        tess = Browser(before, "Tess")
        tess.post("/api/clock/set", do="start", label="Spring 1901", parts=[["negotiation", 1080]], elapsed=0)
        tess.post("/api/clock/set", do="stop", elapsed=61.5)
    with open_office(tmp_path / "cup", SEATS, clock=time) as again:
        tess = Browser(again, "Tess")
        clock = tess.client.get("/api/clock").json()["clock"]
        assert (clock["elapsed"], clock["since"]) == (61.5, None)
        tess.post("/api/clock/set", do="start", label="Spring 1901", parts=[["negotiation", 1080]], elapsed=61.5)
        assert tess.client.get("/api/clock").json()["clock"]["since"] is not None


def test_the_screen_shows_only_what_is_published(opened: Opened, tess: Browser) -> None:
    beamer = Browser(opened, "beamer")
    assert beamer.client.get("/api/clock").json()["boards"] == []  # the seats are not told
    tell_seats(opened.office.event, 1, "Tess")
    before = beamer.client.get("/api/clock").json()["boards"][0]
    assert (before["published"], before["orders"]) == ("", [])
    assert ["AUSTRIA", "Austria", "Ada"] in before["seats"]
    assert b"PAR" in beamer.client.get("/map/board/1.1").content.upper()
    settle_all(tess)
    tess.press("publish")
    told = beamer.client.get("/api/clock").json()
    assert told["boards"][0]["published"] == "Spring 1901"
    assert told["boards"][0]["orders"][1] != ["England", "Cem"]
    assert "A PAR - BUR" in str(told)
    assert "Ada" not in str(told["boards"][0]["orders"])


def test_a_vote_that_the_rules_forbid_is_not_held(tess: Browser) -> None:
    asked: dict[str, Any] = {"board": "1.1", "power": "FRANCE", "moment": "negotiation"}
    against = tess.client.get("/api/tables/ask", params=asked).json()["against"]
    assert [(each["text"], each["asks"]) for each in against] == [
        ("no votes before 1904", False),
        ("no Fall has been played to its end, so there is no count", True),
    ]
    refused = tess.post("/api/tables/vote", 422, **asked, ballots=ballots(), ruled=True)
    assert "no votes before 1904 (WM VIII.3.a)" in refused["said"]
    assert not list(read_facts(tess.opened.office.event.facts, "vote held"))


@pytest.mark.parametrize(("votes", "carried"), [(ballots(), True), (ballots(ITALY="no"), False)])
def test_a_secret_vote_keeps_only_its_count(
    opened: Opened, tess: Browser, votes: dict[str, str], carried: bool
) -> None:
    office = opened.office
    set_to(opened, "S1905M")
    asked: dict[str, Any] = {"board": "1.1", "power": "FRANCE", "moment": "negotiation"}
    assert tess.client.get("/api/tables/ask", params=asked).json()["against"] == []
    assert tess.post("/api/tables/vote", **asked, ballots=votes, ruled=False)["carried"] is carried
    fact = next(iter(read_facts(office.event.facts, "vote held")))
    assert "ballots" not in fact.body
    assert (fact.body["yes"], fact.body["no"]) == ((7, 0) if carried else (6, 1))
    assert (tess.client.get("/api/tables").json()["games"][0]["ended"] == "vote") is carried


def test_every_power_with_a_centre_votes(tess: Browser) -> None:
    asked: dict[str, Any] = {"board": "1.1", "power": "FRANCE", "moment": "negotiation"}
    tess.post("/api/tables/vote", 422, **asked, ballots={"FRANCE": "yes"}, ruled=True)
    tess.post("/api/tables/vote", 422, **asked, ballots={"FRANCE": "perhaps"}, ruled=True)


def test_the_dice_can_be_checked_by_anybody_and_known_by_nobody(opened: Opened, tess: Browser) -> None:
    tess.post("/api/tables/dice", 422, do="commit", round=1)  # no Fall is over
    set_to(opened, "W1908A")
    tess.post("/api/tables/dice", do="commit", round=1)
    tess.post("/api/tables/dice", 422, do="commit", round=1)  # one at a time
    shown = Browser(opened, "beamer").client.get("/api/clock").json()["dice"][0]
    assert shown["seed"] is None
    assert opened.office.event.facts.path.read_bytes().find(b"seed") == -1
    tess.post("/api/tables/dice", 422, do="roll", round=1, word=" ")
    tess.post("/api/tables/dice", do="roll", round=1, word="Pineapple")
    roll = tess.client.get("/api/tables").json()["rolls"][0]
    assert hashlib.sha256(roll["seed"].encode()).hexdigest() == shown["hash"]
    assert roll["die"] == die_of(roll["seed"], "pineapple")
    assert roll["ends"] is (roll["die"] + 1 >= 7)
    tess.post("/api/tables/dice", 422, do="commit", round=1)  # one roll a Fall


def test_the_standings_are_sealed_until_they_are_opened(opened: Opened, tess: Browser) -> None:
    set_to(opened, "S1909M")
    tess.post("/api/tables/end", board="1.1", how="time", phase="S1909M", why="the round is over")
    beamer = Browser(opened, "beamer")
    assert beamer.client.get("/api/clock").json()["standings"] is None
    assert len(tess.client.get("/api/tables").json()["standings"]) == 7
    tess.post("/api/tables/seal", open=True)
    shown = beamer.client.get("/api/clock").json()
    assert (len(shown["standings"]), shown["standings_after"]) == (7, "after round 1 of 3, interim")
    for name, points in (("Ada", "1"), *((name, "99999") for name in NAMES.values())):
        values = {"player": name, "kind": "late", "points": points}
        tess.post("/api/notes/enter", what="penalty", values=values, why="late")
        rows = beamer.client.get("/api/clock").json()["standings"]
        totals = {row["player"]: float(row["total"]) for row in rows}
        best = max(totals.values())
        for row in rows:
            of_best = max(0, totals[row["player"]]) / best if best > 0 else 0
            assert row["share"] == pytest.approx(of_best, abs=1e-3)
    assert {row["share"] for row in rows} == {0}
    tess.post("/api/tables/seal", open=False)
    assert beamer.client.get("/api/clock").json()["standings"] is None


def test_several_boards_end_together_or_not_at_all(tess: Browser) -> None:
    for boards in ([], "1.1", [1], ["9.9"]):
        tess.post("/api/tables/end-all", 422, boards=boards, how="time")
    newest = tess.opened.office.event.facts.last_number()
    tess.post("/api/tables/end-all", 422, boards=["1.1"], how="time")
    assert tess.opened.office.event.facts.last_number() == newest


def test_a_lost_seed_is_said_plainly(opened: Opened, tess: Browser, tmp_path: Any) -> None:
    set_to(opened, "W1908A")
    tess.post("/api/tables/dice", do="commit", round=1)
    empty = Claims(tmp_path / "claims.db")
    with pytest.raises(Stopped, match="roll a real die"):
        reveal_roll(opened.office.event, empty, 1, "word", "Tess")
    empty.close()


def test_votes_counted_by_hand_are_taken_where_all_are_counted(opened: Opened, tess: Browser) -> None:
    set_to(opened, "S1905M")
    asked: dict[str, Any] = {"board": "1.1", "power": "FRANCE", "moment": "negotiation"}
    before = tess.client.get("/api/tables").json()["shown"]
    said = tess.post("/api/tables/vote", 422, **asked, counted={"yes": 6, "no": 0})["said"]
    assert "expected 7 votes" in said
    found = tess.post("/api/tables/vote", **asked, counted={"yes": 6, "no": 1})
    assert (found["yes"], found["no"]) == (6, 1)
    asked["moment"] = "between phases"
    for path, more in (("vote", {"counted": {"yes": 6, "no": 1}}), ("undo", {"what": "vote"}), ("veto", {})):
        (changed,) = tess.post(f"/api/tables/{path}", 409, **asked, **more, shown=before)["changed"]
        assert [line for line in changed["now"] if line not in changed["was"]] == [
            f"vote, number {opened.office.event.facts.newest(VoteHeld)} of the journal"
        ]
    tess.post("/api/tables/undo", board="1.1", what="vote")


def test_a_position_is_set_by_hand_and_faults_are_told(opened: Opened, tess: Browser) -> None:
    found = tess.client.get("/api/tables/position", params={"board": "1.1"}).json()
    powers = {each["power"]: {"units": each["units"], "centres": each["centres"]} for each in found["powers"]}
    body: dict[str, Any] = {"board": "1.1", "phase": "F1903M", "powers": powers}
    tess.post("/api/tables/position", 422, **body | {"powers": powers | {"AUSTRIA": {"units": "A NTH"}}})
    without = {power: powers[power] for power in powers if power != "TURKEY"}
    assert "of TURKEY are missing" in tess.post("/api/tables/position", 422, **body | {"powers": without})["said"]
    refused = tess.post("/api/tables/position", 422, **body)
    assert refused["said"].endswith("the board would stand at Fall 1903; to set the board so all the same, say why")
    tess.post("/api/tables/position", **body, why="the boards of the morning are typed in")
    assert tess.client.get("/api/tables/position", params={"board": "1.1"}).json()["phase"] == "F1903M"
    assert [game["phase"] for game in tess.client.get("/api/tables").json()["games"]] == ["Fall 1903"]


def test_a_power_without_a_centre_is_shown_with_its_units_and_keeps_them(opened: Opened, tess: Browser) -> None:
    position = {"phase": "F1903M", "units": {"ITALY": ["A VEN"], "FRANCE": ["A PAR"]}, "centers": {"ITALY": ["VEN"]}}
    append_fact(
        opened.office.event.facts, "position set", {"board": "1.1", "position": position | {"dislodged": []}}, "Tess"
    )
    found = tess.client.get("/api/tables/position", params={"board": "1.1"}).json()
    assert {"power": "FRANCE", "units": "A PAR", "centres": ""} in found["powers"]
    powers = {each["power"]: {"units": each["units"], "centres": each["centres"]} for each in found["powers"]}
    tess.post("/api/tables/position", board="1.1", phase="F1903M", powers=powers)
    with opened.office.inside() as live:
        assert [str(unit) for _, unit in live.games["1.1"].position.all_units()] == ["A PAR", "A VEN"]


def test_what_the_standings_rest_on_is_told_with_the_note_that_settles_it(opened: Opened, tess: Browser) -> None:
    set_to(opened, "F1903M")
    gone = {"board": "1.1", "power": "FRANCE", "player": "nobody", "phase": "F1903", "ruled": "yes"}
    tess.post("/api/notes/enter", what="substitute", values=gone, why="ill")
    set_to(opened, "S1909M")
    tess.post("/api/tables/end", board="1.1", how="time", phase="S1909M")
    doubts = tess.client.get("/api/tables/doubts").json()["doubts"]
    (replaced,) = [each for each in doubts if "power" in each["settle"]]
    assert replaced["settle"] == "/notes?what=score&board=1.1&power=FRANCE"
    filled = tess.client.get("/api" + replaced["settle"]).json()["asked"]
    assert filled == {"what": "score", "board": "1.1", "power": "FRANCE"}, "the form has it"
    assert tess.client.get("/api/notes?what=no-such-note&board=1.1").json()["asked"] == {}
    assert all(each["button"] for each in doubts)
    assert replaced["button"] == "enter: a score by ruling"
    assert replaced["where"] == "board 1.1, FRANCE"


def test_all_distances_for_which_any_doubt_waits_are_entered_in_one_form() -> None:
    wants = [Want("distance", NotedFact.DISTANCE, tied, tied) for tied in (("Ann", "Bo"), ("Bo", "Cy"))]
    levels = [PlaceLevel(place=number, players=want.tied, want=want) for number, want in enumerate(wants, 1)]
    weighed = [WeighedDoubt(doubt=level, stake=Stake.NOTHING, titles=()) for level in levels]
    assert {each["settle"] for each in _doubt_views(weighed)} == {"/notes?what=distance&each=Ann&each=Bo&each=Cy"}


@pytest.mark.parametrize(
    ("doubt", "page"),
    [
        (SeveralFinals(spots=((3, "1"), (3, "2"))), "/desk?round=3"),
        (NotQualified(spot=(3, "1"), player="Ada"), "/desk?round=3"),
        (TeamTooLarge(team="Owls", found=5, allowed=4), "/forms"),
        (WithdrewAgain(player="Ada", found=2), "/journal"),
    ],
)
def test_a_doubt_that_no_note_settles_has_a_button_to_where_it_is_settled(doubt: ScoringDoubt, page: str) -> None:
    found = _doubt_view(WeighedDoubt(doubt=doubt, stake=Stake.NOTHING, titles=()))
    assert found["settle"] == page
    assert found["button"]

"""Seats before play are seats: who sits down before the first order replaced nobody, at every door."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from web.conftest import SEATS, Browser

from desk.cup import NAMES, clock
from desk.results.test_notes import run
from pipeline.board.map import Power
from pipeline.desk.draw.told import tell_seats, told_rounds
from pipeline.desk.event.event import Details, Event, new_event, open_event
from pipeline.desk.event.games import games, seatings
from pipeline.desk.event.seating import seat
from pipeline.desk.results.notes import enter, notes, take_back
from pipeline.desk.results.results import event_results
from pipeline.desk.results.scored import scored_event
from pipeline.desk.sheets.old_seats import OldSeats
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import print_round
from pipeline.draw.players.roster import Player
from pipeline.journal.acts import undo
from pipeline.problems import ExitCode, Stopped
from pipeline.scoring.places.score import Scored
from pipeline.web.server.server import open_office

ALL = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")
OTHERS = [f"P{number}" for number in range(8, 15)]
SPARE = [f"S{number}" for number in range(1, 9)]
COUNTS = "1907 A5 E4 F5 G5 I4 R6 T5"
ITALY = {"board": "1.1", "power": "ITALY", "player": "S1", "phase": "S1901"}


def cup_of(folder: Path, tournament: str) -> Path:
    """Two boards in one round, and eight people who stand by."""
    details = Details(name="Test Cup", code="TEST", tournament=tournament)
    people = [Player(name=name) for name in (*NAMES.values(), *OTHERS, *SPARE)]
    new_event(folder / "cup", details, people, clock)
    with open_event(folder / "cup", clock) as event:
        seat(event, 1, {"1": NAMES, "2": dict(zip(Power, OTHERS, strict=True))}, by="Tess")
    return folder / "cup"


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    return cup_of(tmp_path, "wdc2008")


@pytest.fixture
def event(cup: Path) -> Iterator[Event]:
    with open_event(cup, clock) as opened:
        yield opened


def note(event: Event, what: str, why: str = "because", **values: object) -> int:
    return enter(event, what, values, by="Tess", why=why).number


def result(event: Event, board: str, **more: object) -> None:
    note(event, "result", board=board, ended="time", years=COUNTS, **more)


def scores(scored: Scored) -> dict[str, str]:
    return {str(game.player): str(game.score) for game in scored.games if game.player}


def asked(event: Event, what: str, **values: object) -> str:
    """What the director must decide first; nothing is written."""
    before = event.facts.last_number()
    with pytest.raises(Stopped) as stopped:
        note(event, what, **values)
    assert stopped.value.code is ExitCode.RULE_FIRST
    assert event.facts.last_number() == before
    return str(stopped.value)


# ---- a seat before play ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tournament", ALL)
@pytest.mark.parametrize("is_late", [False, True], ids=["noted before the result", "noted after it"])
def test_a_stand_by_for_a_no_show_scores_as_who_sat_from_the_start(
    tournament: str, is_late: bool, tmp_path: Path
) -> None:
    with open_event(cup_of(tmp_path, tournament), clock) as event:
        if is_late:
            result(event, "1.1")
        note(event, "substitute", **ITALY)
        if not is_late:
            result(event, "1.1")
        scored, seat_ = scored_event(event), event_results(event).boards[0].seats[Power.ITALY]
        assert (seat_.player, seat_.instead_of, seat_.arrived) == ("S1", None, None)
        per_game = scores(scored)
        assert per_game["S1"] == per_game[NAMES[Power.ENGLAND]]  # four centres both
        assert per_game["S1"] != "0"
        assert NAMES[Power.ITALY] not in {row.player for row in scored.standings.rows}
        assert not [doubt for doubt in scored.doubts if doubt.code in ("seat replaced", "late share")]


def test_a_later_season_is_a_replacement_and_pays_neither(event: Event) -> None:
    result(event, "1.1")
    note(event, "substitute", **{**ITALY, "phase": "F1901"})
    scored = scored_event(event)
    assert scores(scored)["S1"] == "0"
    assert NAMES[Power.ITALY] in {row.player for row in scored.standings.rows}


def test_the_season_of_a_script_says_the_same(tmp_path: Path) -> None:
    def replaced(season: str) -> str:
        board = {
            "board": "1",
            "players": {str(power): name for power, name in NAMES.items()},
            "result": {"centers": dict(zip(map(str, Power), (5, 4, 5, 5, 4, 6, 5), strict=True))},
            "replacements": [{"power": "ITALY", "player": "S1", "season": season}],
        }
        asked_ = {"tournament": "wdc2008", "rounds": [{"number": 1, "boards": [board]}]}
        path = tmp_path / "score.json"
        path.write_text(json.dumps(asked_))
        return str(json.loads(run(["score", path]))["boards"][0]["scores"]["ITALY"])

    assert float(replaced("S1901")) > 11
    assert float(replaced("F1901")) == 0


def test_once_spring_1901_is_published_the_first_season_is_refused_with_what_to_do(event: Event) -> None:
    publish(event)
    with pytest.raises(Stopped, match="take the publication back"):
        note(event, "substitute", **ITALY)


def publish(event: Event) -> None:
    """Publish Spring 1901 of the first board, in which everybody held."""
    from pipeline.desk.publish.publish import publish_phase  # noqa: PLC0415 - one test more than the rest

    publish_phase  # noqa: B018

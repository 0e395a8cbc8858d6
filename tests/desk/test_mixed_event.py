"""A round of thirteen, seven at one board and six at the other, from the draw over paper to the standings."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner

from pipeline.board import Power, _sandard_map, standard_map, starting_position
from pipeline.cli import group
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import find_game, games
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.publish.explain import check_event
from pipeline.desk.results.results import scored_event
from pipeline.desk.results.standings_workbook import write_standings
from pipeline.desk.review.orders_shown import status
from pipeline.draw.roster import Player
from pipeline.ledger.files import now
from pipeline.picture.draw import Caption, draw_position
from pipeline.picture.formats import as_svg
from pipeline.problems import Stopped
from pipeline.rehearsal.rehearse import InventedScript
from pipeline.rehearsal.simulation import Listener, Simulation
from pipeline.scoring.results import Ending

NAMES = tuple(
    f"{name} Ek"
    for name in ["Ada", "Bo", "Cem", "Dag", "Eva", "Finn", "Gil", "Hana", "Ivo", "Jun", "Kai", "Lea", "Mio"]
)
PARIS = Details(name="Paris", code="MXED", tournament="edc2023")
PLAYERS = [Player(name=name, distance_km=9) for name in NAMES]
BOARDS = (standard_map(), _sandard_map())


def run(event: Event, *words: str) -> str:
    result = CliRunner().invoke(group, [words[0], str(event.folder), *words[1:]])
    assert result.exit_code == 0, result.output or result.exception
    return result.output


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Event]:
    """The event after a year of play, both games called."""
    folder = tmp_path_factory.mktemp("mixed")
    make_event_folder(folder / "event", PARIS, PLAYERS, now)
    with open_event(folder / "event", now) as event:
        run(event, "draw", "--round", "1", "--seed", "4", "--take", "sandard", "--by", "Tess")
        simulation = Simulation(event, InventedScript(event, 3, 2), folder, best_recogniser(), Listener())
        while simulation.play_next_phase():
            pass
        assert (simulation.tally.wrong, simulation.tally.ruled_wrong) == ([], [])
        assert simulation.tally.rows > 80
        for game in games(event).values():
            end_game(event, game, Ending.TIME, by="Tess", why="the last year")
        yield event


@pytest.mark.slow
def test_both_boards_are_printed_read_judged_and_follow_from_their_facts(mixed: Event) -> None:
    assert [len(game.seating.players) for game in games(mixed).values()] == [7, 6]
    assert {game.position.phase.year for game in games(mixed).values()} == {1902}
    assert list(check_event(mixed)) == []
    for name in ("1.1", "1.2"):
        assert (mixed.out / f"{name}-S1901M-card.pdf").is_file()
        assert (mixed.out / f"{name}-F1901M-map.pdf").is_file()


@pytest.mark.slow
def test_nobody_on_the_board_of_six_owns_what_is_no_centre_there(mixed: Event) -> None:
    owned = find_game(mixed, "1.2").position.centres
    assert not {"RUM", "ANK", "SMY"} & {centre for centres in owned.values() for centre in centres}
    assert Power.TURKEY not in owned


@pytest.mark.slow
def test_the_workbook_knows_how_many_centres_each_board_has(mixed: Event) -> None:
    book = openpyxl.load_workbook(io.BytesIO(write_standings(mixed).data), data_only=True)
    in_play = {(row[0], row[1]): row for row in book["Results"].iter_rows(min_row=1, values_only=True)}
    assert in_play
    checks = {row[0]: row[2] for row in book["Checks"].iter_rows(values_only=True) if row[0]}
    assert checks["Boards whose centres do not add up to 34 (31 in Sandard)"] == "OK"
    assert checks["Boards without seven powers (six in Sandard)"] == "OK"
    assert "LOOK" not in checks.values()


@pytest.mark.slow
def test_every_score_is_of_its_own_board(mixed: Event) -> None:
    scored = scored_event(mixed)
    for board in scored.event.boards:
        games_here = [game for game in scored.games if game.board is board]
        neutral = board.total - sum(board.centres.values())
        leader = max(games_here, key=lambda game: game.centres)
        if leader.equal == 1:
            assert leader.unrounded == board.total - neutral + neutral + len(board.powers) + 9
    assert sorted(row.player for row in scored.standings.rows) == sorted(NAMES)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("status",),
        ("position", "1.2"),
        ("orders", "--board", "1.2", "--json"),
        ("explain", "1.2 S1901M A VIE"),
        ("check",),
    ],
)
def test_every_command_speaks_of_the_board_of_six(mixed: Event, words: tuple[str, ...]) -> None:
    assert "TURKEY" not in run(mixed, *words).partition("1.2")[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("rule", "--board", "1.2", "--power", "turkey", "--type", "A CON H"),
        ("vote", "--board", "1.2", "--asked-by", "turkey"),
    ],
)
def test_turkey_is_not_on_the_board_of_six(mixed: Event, words: tuple[str, ...]) -> None:
    before = mixed.facts.last_number()
    result = CliRunner().invoke(group, [words[0], str(mixed.folder), *words[1:]])
    assert isinstance(result.exception, Stopped)
    assert result.exception.problems[0].text.startswith("TURKEY is not in this game; playing are AUSTRIA, ENGLAND")
    assert mixed.facts.last_number() == before


@pytest.mark.parametrize(("board", "told"), [("1.1", None), ("1.2", "'RUM' is not a supply centre")])
def test_a_position_is_set_on_the_boards_own_map(tmp_path: Path, board: str, told: str | None) -> None:
    make_event_folder(tmp_path / "event", PARIS, PLAYERS, now)
    with open_event(tmp_path / "event", now) as event:
        run(event, "draw", "--round", "1", "--six", "1")
        position = {"phase": "W1901A", "units": {"RUSSIA": ["F SEV"]}, "centers": {"RUSSIA": ["SEV", "RUM"]}}
        (tmp_path / "position.json").write_text(json.dumps(position))
        words = ["position", str(event.folder), board, "--set", str(tmp_path / "position.json")]
        result = CliRunner().invoke(group, words)
        assert (result.exit_code == 0) == (told is None)
        assert told is None or told in str(result.exception)


def test_the_map_of_six_lists_six_powers() -> None:
    drawn = {board: as_svg(draw_position(board, starting_position(board), Caption(title="Board"))) for board in BOARDS}
    assert ["Turkey" in drawn[board] for board in BOARDS] == [True, False]
    assert all("Russia" in text for text in drawn.values())


def test_status_says_which_board_is_of_six(tmp_path: Path) -> None:
    make_event_folder(tmp_path / "event", PARIS, PLAYERS, now)
    with open_event(tmp_path / "event", now) as event:
        run(event, "draw", "--round", "1", "--six", "1")
        assert [board["map"] for board in status(event)["boards"]] == ["standard", "sandard"]
        assert "board 1.2  S1901M  0 of 6 in  sandard" in run(event, "status")

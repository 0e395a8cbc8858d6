"""Who is here is called by name, first names are enough where they are unique, and a draw seats who is here."""

import json
from pathlib import Path

import pypdfium2
import pytest
from commands import run

from desk.cup import clock
from pipeline.board import Power
from pipeline.cli.common import DIRECTOR, _director_name
from pipeline.desk.event.event import open_event
from pipeline.desk.event.seating import seat_round
from pipeline.desk.players import Called, enter_roll_call, read_roll_call
from pipeline.ledger.events import RollCalled
from pipeline.ledger.files import keep_name, kept_name
from pipeline.problems import ExitCode, Stopped

RULES = Path(__file__).parents[3] / "templates/rules"
NAMES = "Ada Lov,Bo Ek,Cem Oz,Dag Ny,Eva Li,Fay Wu,Gil Bo,Hal Ra,Ada Sun"


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """Nine players under the Weasel Moot's rules."""
    roster = tmp_path / "players.csv"
    roster.write_text("name,email\n" + "".join(f"{name},x@y\n" for name in NAMES.split(",")))
    run("new", tmp_path / "cup", "--tournament", "weaselmoot", "--roster", roster)
    return tmp_path / "cup"


def test_an_unknown_column_of_the_roster_is_named_and_kept(tmp_path: Path) -> None:
    roster = tmp_path / "players.csv"
    roster.write_text("name,email\nAna,a@b\n")
    assert "'email' is kept" in run("new", tmp_path / "cup", "--tournament", "wdc2008", "--roster", roster)
    assert json.loads(run("players", tmp_path / "cup", "--json"))[0]["more"] == {"email": "a@b"}


def test_a_draw_seats_who_is_here_and_nobody_who_comes_later_is_away_or_has_gone(cup: Path) -> None:
    run("players", cup, "--left", "hal")
    run("roll", cup, "--round", 1, "--here", "bo", "--here", "cem", "--later", "Ada Sun")
    run("roll", cup, "--round", 1, "--others", "here")
    run("draw", cup, "--round", 1, "--seed", 1)
    (board,) = json.loads(run("seats", cup, "--round", 1, "--json"))
    assert set(board["seats"].values()) == set(NAMES.split(",")) - {"Hal Ra", "Ada Sun"}


def test_a_roll_call_that_says_nothing_new_writes_nothing(cup: Path) -> None:
    for _ in range(2):
        run("roll", cup, "--round", 1, "--away", "bo", "--others", "here")
    run("roll", cup, "--round", 1, "--others", "here")
    with open_event(cup, clock) as event:
        assert [fact.number for fact in event.facts.select(RollCalled)] == [2]


def test_a_roll_call_that_is_not_finished_stops_the_draw_and_says_who_was_not_called(cup: Path) -> None:
    run("roll", cup, "--round", 1, "--here", "bo")
    said = run("draw", cup, "--round", 1, code=ExitCode.RULE_FIRST)
    assert "not called yet are" in said
    assert "Ada Lov" in said
    assert "Bo Ek" not in said.split("called yet")[1]


def test_a_first_name_that_two_people_have_is_asked_about_and_all_faults_are_told_at_once(cup: Path) -> None:
    run("players", cup, "--left", "Hal Ra")
    said = run("roll", cup, "--round", 1, "--here", "ada", "--here", "Zed", "--here", "bo", "--away", "Bo Ek",
               "--here", "Hal", code=ExitCode.WRONG_INPUT)  # fmt: skip
    assert "'ada' may be Ada Lov or Ada Sun" in said
    assert "nobody on the roster is called 'Zed'" in said
    assert "'Bo Ek' is named under two of" in said
    assert "'Hal Ra' has left" in said
    with open_event(cup, clock) as event:
        assert not read_roll_call(event, 1).is_begun


def test_first_names_are_enough_for_the_draw_the_notes_and_the_list(cup: Path) -> None:
    run("players", cup, "--rename", "eva", "Eva Lind")
    said = run("draw", cup, "--round", 1, "--seed", 3, "--aside", "eva", "--absent", "hal", "--why", "as agreed")
    assert "Eva Lind sits out" in said
    run("enter", cup, "penalty", "fay", "late", "--points", "1", "--why", "x")
    assert "may be Ada Lov or Ada Sun" in run("draw", cup, "--round", 1, "--absent", "Ada", code=2)


def test_nothing_is_written_of_a_round_that_there_is_not_or_of_nobody(cup: Path) -> None:
    with open_event(cup, clock) as event:
        for number, said in ((9, {Called.HERE: ["Bo"]}), (1, {})):
            with pytest.raises(Stopped):
                enter_roll_call(event, number, said, by="Tess")
        assert not read_roll_call(event, 1).is_begun


def test_the_seats_are_printed_by_board_and_by_player(cup: Path, tmp_path: Path) -> None:
    assert "not drawn yet" in run("seats", cup, "--round", 1, code=2)
    assert "no round is drawn yet" in run("seats", cup)
    run("draw", cup, "--round", 1, "--seed", 1, "--absent", "Hal", "--absent", "Ada Sun")
    run("seats", cup, "--round", 1, "-o", tmp_path / "seats.pdf")
    with pypdfium2.PdfDocument(tmp_path / "seats.pdf") as pdf:
        pages = [page.get_textpage().get_text_range() for page in pdf]
    assert len(pages) == 2
    assert all(name in page for name in NAMES.split(",")[:7] for page in pages)
    assert pages[1].index("Gil Bo") < pages[1].index("Bo Ek") < pages[1].index("Ada Lov"), "by family name"


def test_the_directors_name_is_asked_for_once_and_nobody_is_called_after_a_shared_account(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("getpass.getuser", lambda: "root")
    assert _director_name() == DIRECTOR
    monkeypatch.setattr("getpass.getuser", lambda: "tess")
    assert _director_name() == "tess"
    keep_name("Tess Day")
    assert (_director_name(), kept_name()) == ("Tess Day", "Tess Day")


def test_that_somebody_went_home_is_told_in_words_among_the_notes(cup: Path) -> None:
    run("players", cup, "--left", "hal")
    assert "Hal Ra has gone home" in run("enter", cup, "list")


# --- rounds that one may not play -------------------------------------------------------------------------------------

OUT = {1: ("Ada Sun", "Hal Ra"), 2: ("Ada Sun", "Bo Ek"), 3: ("Hal Ra", "Bo Ek")}  # of nine players, in rounds 1 to 3


@pytest.fixture
def third(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Nine players, three rounds played, under rules that allow three of the first four (EDC96)."""
    text = (RULES / "edc1996.toml").read_text("utf-8")
    assert "rounds_most = { value = 3" in text
    (tmp_path / "mine.toml").write_text(text.replace("rounds_most = { value = 3", request.param), "utf-8")
    (tmp_path / "players.csv").write_text("name\n" + "\n".join(NAMES.split(",")))
    run("new", tmp_path / "cup", "--tournament", tmp_path / "mine.toml", "--roster", tmp_path / "players.csv")
    with open_event(tmp_path / "cup", clock) as event:
        for number, out in OUT.items():
            here = [name for name in NAMES.split(",") if name not in out]
            seat_round(event, number, {"1": dict(zip(Power, here, strict=True))}, by="Tess")
    return tmp_path / "cup"


@pytest.mark.parametrize(
    ("third", "said"),
    [
        ("rounds_most = { value = 3", "has played 3 rounds already (EDC96 tournament rounds), and is not drawn again"),
        ('rounds_most = { value = "none"', "has played 3 of at most 3 games in rounds 1, 2, 3, 4 (EDC96 rounds)"),
    ],
    indirect=["third"],
)
def test_who_has_played_all_the_rounds_that_he_may_is_named_at_the_roll_call(third: Path, said: str) -> None:
    """Whether a draw seats him is for the rules to say; the roll call counts, and the last round is free."""
    played_out = [name for name in NAMES.split(",") if not any(name in out for out in OUT.values())]
    found = json.loads(run("roll", third, "--round", 4, "--json"))
    assert found["warnings"] == dict.fromkeys(played_out, said)
    run("players", third, "--left", "gil")
    shown = run("roll", third, "--round", 4, "--others", "here").splitlines()
    assert [line for line in shown if "has played" in line] == [f"{name} {said}" for name in played_out[:-1]]
    assert "has played" not in run("roll", third, "--round", 5)
    assert "warnings" not in json.loads(run("roll", third, "--round", 5, "--json"))

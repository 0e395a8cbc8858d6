"""What leaves the house says what was published, and nothing else."""

import csv
import json
import re
from fractions import Fraction
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from desk.cup import clock
from desk.moot import PEOPLE, draw, drawn, play_on, played

from pipeline.board import Power
from pipeline.cli import group
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import Game, find_game, games
from pipeline.desk.players import tell_seats
from pipeline.desk.publish.public_record import PublicBook, public_record
from pipeline.desk.results.notes import enter_note
from pipeline.desk.results.results import scored_event
from pipeline.export import _saved_game
from pipeline.ledger.events import StandingsOpened
from pipeline.ledger.files import make_again
from pipeline.orders import read_order, write
from pipeline.problems import stop
from pipeline.scoring.results import decimal
from pipeline.web.public_site import PublicSite

LINK = re.compile(r'(?:href|src)="([^"]+)"')


def export(folder: Path, out: Path, *options: str, code: int = 0) -> str:
    done = CliRunner().invoke(group, ["export", str(folder), "-o", str(out), *options])
    assert done.exit_code == code or (code and done.exception), done.output
    return done.output


def lines(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(path.read_text("utf-8-sig"))))


@pytest.fixture(scope="module")
def moot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("export") / "moot")


@pytest.fixture(scope="module")
def opened(moot: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("export") / "opened"
    export(moot, out, "--open")
    return out


def test_the_tables_say_what_the_facts_say(moot: Path, opened: Path) -> None:
    with open_event(moot, clock) as event:
        found, scored = games(event), scored_event(event)
    seats = {(line["board"], line["power"]): line for line in lines(opened / "results/seats.csv")}
    assert {key: int(line["centres"]) for key, line in seats.items()} == {
        (game.seating.board, str(power)): game.centres[power] for game in found.values() for power in Power
    }
    assert {key: line["score"] for key, line in seats.items() if line["score"]} == {
        (game.board.name, str(game.power)): decimal(game.score) for game in scored.games
    }
    counts = {
        (line["board"], int(line["year"]), line["power"]): int(line["centres"])
        for line in lines(opened / "results/centres.csv")
    }
    assert counts == {
        (game.seating.board, year, str(power)): count
        for game in found.values()
        for year, row in game.played_counts.items()
        for power, count in row.items()
    }
    places = [
        (int(line["place"]), line["player"].removeprefix("'"), line["total"])
        for line in lines(opened / "results/standings.csv")
    ]
    assert places == [(row.place, row.player, decimal(row.total)) for row in scored.standings.rows]
    ended = {line["board"]: (line["over"], line["how_it_ended"]) for line in lines(opened / "results/boards.csv")}
    assert ended == {"1": ("yes", "time"), "2": ("no", "")}


def test_json_has_the_same_lines_as_the_csv_files_and_names_as_they_are(opened: Path) -> None:
    body = json.loads((opened / "results/results.json").read_text("utf-8"))
    for name in ("rounds", "boards", "seats", "centres", "orders", "standings"):
        as_csv = [
            {key: value.removeprefix("'") for key, value in line.items()}
            for line in lines(opened / f"results/{name}.csv")
        ]
        as_text = [{key: "" if value is None else str(value) for key, value in line.items()} for line in body[name]]
        assert as_text == as_csv
    assert "=Eva()" in {line["player"] for line in body["seats"]}
    assert "'=Eva()" in (opened / "results/seats.csv").read_text("utf-8-sig")


def test_every_column_is_documented(opened: Path) -> None:
    told = (Path(__file__).parents[2] / "docs/reference/export.md").read_text("utf-8")
    for name in ("rounds", "boards", "seats", "centres", "orders", "standings"):
        row = next(line for line in told.splitlines() if line.startswith(f"| `{name}` |"))
        missing = [column for column in lines(opened / f"results/{name}.csv")[0] if f"`{column}`" not in row]
        assert missing == []


def test_the_databases_tables_have_a_line_for_each_player_and_each_seat_that_scored(opened: Path) -> None:
    classification, boards = (lines(opened / f"results/wdd-{name}.csv") for name in ("classification", "boards"))
    assert len(classification) == len(boards) == 7
    first = classification[0]
    assert (first["FIRST NAME"], first["NAME"], first["HOMONYME"]) == ("Ada", "Lovelace", "1")
    assert (first["RANK"], first["EXAEQUO"]) == ("1", "3")
    assert first["SCORE"] == first["R1"] == first["PT_0FR"]
    eva = next(line for line in boards if line["COUNTRY"] == "0TU")
    assert (eva["ROUND"], eva["BOARD"], eva["CT_01"], eva["DRAW"]) == ("1", "1", "3", "")
    assert sum(Fraction(line["NB_CENTRE"]) for line in boards) <= 34


def test_the_references_tables_have_its_names_and_no_spelling_of_anothers(opened: Path) -> None:
    ranks, boards, awards = (
        lines(opened / f"results/wdr-{name}.csv") for name in ("classification", "boards", "awards")
    )
    assert len(ranks) == len(boards) == 7
    assert ranks[0] == {
        "player_full_name": "Ada Lovelace",
        "player_rank": "1",
        "player_score": ranks[0]["player_score"],
    }
    eva = next(line for line in boards if line["board_power"] == "Turkey")
    kept = (
        "board_round",
        "board_number",
        "board_centers",
        "board_is_top",
        "board_variant",
        "board_year_of_elimination",
    )
    assert [eva[key] for key in kept] == ["1", "1", "4", "0", "Standard", ""]
    assert {line["award_country"] for line in awards} <= {power.title() for power in Power}
    documented = (Path(__file__).parents[2] / "docs/reference/export.md").read_text("utf-8")
    for name, table in (("classification", ranks), ("boards", boards), ("awards", awards)):
        row = next(line for line in documented.splitlines() if line.startswith(f"| `wdr-{name}` |"))
        assert all(f"`{column}`" in row for column in table[0])


@pytest.mark.parametrize(
    ("years", "year"),
    [
        ("1901 A7 E4 F4 G6 I4 R5 T0 N4", "1901"),
        ("1904 A6 E5 F5 G6 I5 R5 T2\n1905 A8 E5 F5 G6 I5 R5 T0\n1906 A8 E5 F5 G6 I5 R5 T0", "1905"),
        ("1904 A6 E5 F5 G6 I5 R5 T2\n1906 A8 E5 F5 G6 I5 R5 T0", ""),
        ("1907 A8 E5 F5 G6 I5 R5 T0", ""),
    ],
)
def test_no_year_of_elimination_is_written_where_the_counts_of_the_year_before_are_not_known(
    years: str, year: str, tmp_path: Path
) -> None:
    with open_event(drawn(tmp_path / "moot"), clock) as event:
        tell_seats(event, 1, "Tess")
        enter_note(event, "result", {"board": "1.1", "ended": "time", "years": years}, by="Tess", why="x")
    export(tmp_path / "moot", tmp_path / "out", "--open")
    (turkey,) = (line for line in lines(tmp_path / "out/results/wdr-boards.csv") if line["board_power"] == "Turkey")
    assert turkey["board_year_of_elimination"] == year
    (turkey,) = (line for line in lines(tmp_path / "out/results/wdd-boards.csv") if line["COUNTRY"] == "0TU")
    assert turkey["YEAR_ELIMINATION"] == (str(int(year) - 1900) if year else "")


def test_namesakes_are_told_apart_by_the_roster(tmp_path: Path) -> None:
    folder = played(tmp_path / "moot")
    file = folder / "event.toml"
    text = file.read_text("utf-8")
    more = 'name = "Ada Lovelace"\nfamily_name = "Lovelace"\nmore = { homonyme = "2" }\n'
    file.write_text(text.replace('name = "Ada Lovelace"\n', more), "utf-8")
    export(folder, tmp_path / "named", "--what", "results", "--open")
    [ada] = [line for line in lines(tmp_path / "named/results/wdd-classification.csv") if line["HOMONYME"] == "2"]
    assert (ada["FIRST NAME"], ada["NAME"]) == ("Ada", "Lovelace")


def test_while_the_standings_are_sealed_no_score_and_no_place_leaves_the_house(tmp_path: Path) -> None:
    folder = played(tmp_path / "moot")
    said = export(folder, tmp_path / "sealed", "--sealed")
    assert "sealed" in said
    out = tmp_path / "sealed"
    assert (
        not list(out.glob("results/wd[dr]-*"))
        + list(out.glob("results/standings.csv"))
        + list(out.glob("site/standings*"))
    )
    assert {line["score"] + line["place_on_board"] for line in lines(out / "results/seats.csv")} == {""}
    assert "22.12" not in "".join(path.read_text("utf-8-sig") for path in out.rglob("*") if path.is_file())
    with open_event(folder, clock) as event:
        event.facts.write(StandingsOpened(open=False), "Tess")
    export(folder, out, "--what", "results")
    assert not (out / "results/standings.csv").exists()
    export(folder, out, "--what", "results", "--open")
    assert (out / "results/standings.csv").exists()


def test_a_draw_that_was_not_told_is_in_no_file(tmp_path: Path) -> None:
    folder, out = played(tmp_path / "moot"), tmp_path / "out"
    with open_event(folder, clock) as event:
        draw(event, 2, PEOPLE[::-1])
    export(folder, out)
    assert {path.name for path in out.glob("orders/*")} == {"1.1.txt", "1.2.txt"}
    with open_event(folder, clock) as event:
        tell_seats(event, 2, "Tess")
    export(folder, out)
    assert (out / "site/board-2.1.html").exists()


def test_the_pages_need_no_server_no_script_and_no_other_folder(opened: Path) -> None:
    pages = sorted((opened / "site").glob("*.html"))
    assert len(pages) == 2 + 2 + len(list((opened / "site").glob("map-*-[SFW]*.svg")))
    for page in pages:
        text = page.read_text("utf-8")
        assert "<script" not in text
        assert "<form" not in text
        for link in LINK.findall(text):
            assert link.startswith("data:") or (page.parent / link).is_file(), (page.name, link)


def test_every_order_is_in_the_text_as_it_was_published(moot: Path, opened: Path) -> None:
    with open_event(moot, clock) as event:
        game = find_game(event, "1.1")
    told = (opened / "orders/1.1.txt").read_text("utf-8").splitlines()
    found = [line for line in told if line and not line.startswith("#") and line not in (*Power, *phases(game))]
    assert found == [write(read_order(line)) for line in found]
    assert sorted(found) == sorted(write(r.order) for played_ in game.played for r in played_.resolution.results)
    assert [line for line in told if line in phases(game)] == phases(game)


def phases(game: Game) -> list[str]:
    return [str(each.phase) for each in game.played]


def test_a_saved_game_has_every_position_and_order_and_a_hold_for_what_was_none(tmp_path: Path) -> None:
    with open_event(drawn(tmp_path / "moot"), clock) as event:
        game = play_on(event, "1.1", "S1906M")
        body = json.loads(_saved_game(game, "Moot") or b"")
        assert public_record(event, games(event)).games[game.name] == game
    assert [phase["name"] for phase in body["phases"]] == [*phases(game), "S1906M"]
    for phase, each in zip(body["phases"], game.played, strict=False):
        state, before = phase["state"], each.before
        stars = {unit for own in state["units"].values() for unit in own if unit.startswith("*")}
        assert stars == {f"*{one.unit}" for one in before.dislodged}
        assert {power: sorted(own) for power, own in state["centers"].items()} == {
            str(power): sorted(before.centres.get(power, ())) for power in Power
        }
        ordered = [order for own in phase["orders"].values() for order in own]
        assert len(ordered) == len(each.resolution.results)
        for power, own in phase["orders"].items():
            units = {unit.lstrip("*") for unit in state["units"][power]}
            in_winter = phase["name"].startswith("W")
            assert in_winter or all(" ".join(order.split()[:2]) in units for order in own)
    assert any(
        unit.startswith("*") for phase in body["phases"] for own in phase["state"]["units"].values() for unit in own
    )


def test_a_game_that_was_played_elsewhere_has_counts_and_no_position(tmp_path: Path) -> None:
    with open_event(drawn(tmp_path / "moot"), clock) as event:
        tell_seats(event, 1, "Tess")
        result = {"board": "1.1", "ended": "time", "years": "1904 A5 E5 F5 G5 I5 R5 T4"}
        enter_note(event, "result", result, by="Tess", why="x")
        live = PublicSite(PublicBook(event))
        page = live.now().board(find_game(event, "1.1"))
        answer = live.map("1.1", "now")
    assert "<img" not in page
    assert answer.status == 404
    export(tmp_path / "moot", tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").rglob("*1.1*")} == {"1.1.txt", "board-1.1.html"}


def test_a_folder_with_something_else_is_refused_and_what_is_no_more_is_taken_away(tmp_path: Path) -> None:
    folder, out = drawn(tmp_path / "moot"), tmp_path / "out"
    out.mkdir()
    (out / "thesis.txt").write_text("mine", "utf-8")
    export(folder, out, code=2)
    assert [path.name for path in out.iterdir()] == ["thesis.txt"]
    fresh = tmp_path / "fresh"
    with open_event(folder, clock) as event:
        tell_seats(event, 1, "Tess")
    export(folder, fresh, "--what", "maps")
    assert (fresh / "maps/1.1-now.svg").exists()
    with open_event(folder, clock) as event:
        draw(event, 1, PEOPLE[::-1])
    export(folder, fresh, "--what", "maps", "--what", "orders")
    assert list(fresh.glob("maps/*")) == []
    (fresh / "contents.json").write_text('{"files": {"maps": ["../thesis.txt"]}}', "utf-8")
    export(folder, fresh, code=2)


def test_an_export_that_failed_is_made_again_in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, out = drawn(tmp_path / "moot"), tmp_path / "out"

    def fill_up(path: Path, data: bytes) -> None:
        if path.name == "seats.csv":
            raise stop("the disk is full", str(path))
        make_again(path, data)

    with monkeypatch.context() as patch:
        patch.setattr("pipeline.export.make_again", fill_up)
        export(folder, out, code=2)
    export(folder, out)
    assert (out / "results/seats.csv").exists()

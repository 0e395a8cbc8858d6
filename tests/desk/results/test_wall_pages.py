"""What is pinned up has whole names, on the event's paper, in the players' language, and what a reader can add up."""

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from commands import run
from msgspec.structs import replace
from workbook.events import invent
from workbook.played import played
from workbook.tournaments import TOURNAMENTS, rules_of, wishes_for

from desk.abroad import english_in
from desk.cup import clock, seated
from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import games
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.players import Seats
from pipeline.desk.results.notes import enter_note
from pipeline.desk.results.results import explain_standing, public_standings, scored_event, without_result
from pipeline.desk.results.standings_workbook import write_wall
from pipeline.desk.results.wall import results_pages, sealed_pages
from pipeline.desk.signs import _blocks_by_family_name
from pipeline.draw.roster import Player
from pipeline.paper.printed_list import print_wall
from pipeline.paper.wall_page import WallColumn, WallPage, WallRow
from pipeline.scoring.results import Overruled, RoundingWay
from pipeline.scoring.score import score
from pipeline.scoring.standings_in_words import decided_by
from pipeline.words.speech import Speech, languages

LONG = tuple(f"Maximilian-Alexander Bartholomew {family}" for family in ("Ek", "Voss", "Hart", "Moss", "Lund", "Ray"))
YEARS = ("--year", "1904 A4 E5 F6 G5 I4 R5 T5", "--year", "1907 A5 E4 F5 G5 I4 R6 T5")


def pages_of(pdf: bytes) -> list[str]:
    return [page.get_textpage().get_text_range().replace("\r\n", "\n") for page in pypdfium2.PdfDocument(pdf)]


@pytest.fixture(scope="module", params=["A4", "LETTER"])
def event(request: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A German event with names that begin alike: its paper and its folder; a game is over."""
    folder = tmp_path_factory.mktemp("wall") / "cup"
    roster = folder.parent / "players.csv"
    roster.write_text("name\n" + "\n".join([*LONG, "Bo Ek"]), "utf-8")
    run("new", folder, "--tournament", "wdc2008", "--roster", roster, "--paper", request.param, "--language", "de")
    run("draw", folder, "--round", 1, "--seed", 1)
    run("enter", folder, "result", "1.1", "time", *YEARS)
    return request.param, folder


SIZES = {"A4": (595, 842), "LETTER": (612, 792)}


def sizes_of(pdf: bytes) -> set[tuple[int, ...]]:
    return {tuple(sorted(round(side) for side in page.get_size())) for page in pypdfium2.PdfDocument(pdf)}


def test_every_page_has_whole_names_the_event_s_paper_and_its_language(event: tuple[str, Path], tmp_path: Path) -> None:
    paper, folder = event
    wall, seats, cards, badges = (tmp_path / f"{name}.pdf" for name in ("wall", "seats", "cards", "badges"))
    run("standings", folder, "-o", wall, "--open")
    run("seats", folder, "--round", 1, "-o", seats)
    run("signs", folder, "cards", "--round", 1, "-o", cards)
    run("signs", folder, "badges", "-o", badges)
    for file in (wall, seats, cards, badges):
        pdf = file.read_bytes()
        assert sizes_of(pdf) == {SIZES[paper]}
        text = " ".join(" ".join(pages_of(pdf)).split())
        for name in LONG:
            assert name in text, (file.name, name)
        assert b"/PrintScaling /None" in pdf
        assert b"/Duplex /Simplex" in pdf
        assert b"/Lang (de)" in pdf
    words = " ".join(pages_of(wall.read_bytes()))
    for german in ("Platz", "Name", "Summe", "Runden", "Preise", "Nach Runde 1", "Österreich"):
        assert german in words
    for english in ("Place", "Player", "Total", "Awards", "Rounds", "After round", "5 Austria"):
        assert english not in words


def test_what_would_be_if_time_were_called_now_says_so_on_every_page(tmp_path: Path) -> None:
    with open_event(seated(tmp_path / "cup"), clock) as cup:
        pages = pages_of(write_wall(cup, as_pdf=True, running=True, sealed=False))
        assert pages
        assert all("If time were called now: not the final result" in page for page in pages)
        assert not any("If time were" in page for page in pages_of(write_wall(cup, as_pdf=True, sealed=False)))


def test_sealed_pages_have_seats_and_no_places(event: tuple[str, Path], tmp_path: Path) -> None:
    _, folder = event
    run("standings", folder, "-o", tmp_path / "wall.pdf", "--sealed")
    [page] = pages_of((tmp_path / "wall.pdf").read_bytes())
    assert "unter Verschluss" in page
    assert "1.1 " in page
    assert "Platz" not in page


def test_sealed_pages_say_in_each_round_where_each_player_sat_and_who_is_in_which_team(tmp_path: Path) -> None:
    names = [f"{'ABCDEFGHIJKLMN'[n]}nn {'nmlkjihgfedcba'[n]}. Kin" for n in range(14)]
    roster = [
        Player(name=name, team=f"{'TEAM' if n % 5 == 3 else 'Team'} {3 - n // 5}") for n, name in enumerate(names)
    ]
    make_event_folder(tmp_path / "cup", Details(name="Cup", code="CUPS", tournament="nzdc1999"), roster, clock)
    where: dict[str, list[list[str]]] = {name: [[], []] for name in names}
    with open_event(tmp_path / "cup", clock) as cup:
        for number in (1, 2):
            seats = dict(zip(Power, names[4 * number - 4 :][:7], strict=True))
            seat_round(cup, number, {"1": seats}, by="Tess")
            for power, name in seats.items():
                where[name][number - 1].append(f"{number}.1 {cup.speech.power(power)}")
        seats_page, teams_page = sealed_pages(cup, scored_event(cup))
    assert [(each.head, each.is_key) for each in seats_page.columns] == [
        ("Player", True), ("Round 1", False), ("Round 2", False)
    ]  # fmt: skip
    assert {row.cells[0]: [*row.cells[1:]] for row in seats_page.rows} == {
        name: [", ".join(each) for each in rounds] for name, rounds in where.items()
    }
    teams = ("Team 1", "Team 2", "Team 3")
    assert [(row.cells[0], row.cells[1].splitlines()) for row in teams_page.rows] == [
        (team, sorted(player.name for player in roster if player.team.title() == team)) for team in teams
    ]
    assert [(each.head, each.is_key, each.is_long) for each in teams_page.columns] == [
        ("Team", True, False), ("Members", False, True)
    ]  # fmt: skip
    assert (seats_page.title, teams_page.title) == ("Cup", "Cup · Teams")


@pytest.mark.parametrize("count", [59, 60])
def test_a_list_of_many_players_has_letters_above_them(tmp_path: Path, count: int) -> None:
    people = tuple(f"Kim {'ABC'[n % 3]}{n:02}" for n in range(count))
    with open_event(seated(tmp_path / "cup"), clock) as cup:
        blocks = _blocks_by_family_name(cup, Seats(round=1, boards=(), out=people))
    in_order = sorted(people, key=lambda name: name.split()[1])
    assert [name for block in blocks for name, _ in block.lines] == in_order
    assert [block.heading for block in blocks] == (["A", "B", "C"] if count == 60 else [""])


def shown(cell: str) -> Fraction:
    """What a cell of a round brings, as a reader adds it up: brackets bring nothing, × says how much."""
    total = Fraction()
    words = [each for each in cell.split() if not each.startswith("(")]
    for place, word in enumerate(words):
        if not word.startswith("×"):
            following = words[place + 1] if place + 1 < len(words) else ""
            total += Fraction(word) * (Fraction(following[1:]) if following.startswith("×") else 1)
    return total


@pytest.mark.parametrize(("name", "seed"), [(name, place % 4) for place, name in enumerate(TOURNAMENTS)])
def test_a_reader_of_the_wall_can_add_up_every_total(name: str, seed: int) -> None:
    one = score(invent(seed, wishes_for(name, seed)), rules_of(name))
    page = results_pages(one, "Cup", Speech())[0]
    heads = [column.head for column in page.columns]
    step = Fraction(1, 10**one.rules.decimals)
    for row in page.rows:
        cells = dict(zip(heads, row.cells, strict=True))
        rounds = [cell for head, cell in cells.items() if head.startswith("R") and head[1:].isdecimal()]
        total = sum((shown(cell) for cell in rounds), Fraction()) + Fraction(cells.get("±") or 0)
        if one.rules.totals.rounding.how is RoundingWay.TRUNCATE:
            assert Fraction(cells["Total"]) - 1 < total + step and total - 1 < Fraction(cells["Total"]) + step
        else:
            assert abs(total - Fraction(cells["Total"])) <= step * (len(rounds) + 2) / 2, row
    assert len(page.rows) == len(one.standings.rows) + len(one.standings.unranked)


def test_the_wall_says_what_decided_a_place_as_everything_else_does() -> None:
    rules = rules_of("wdc2008")
    one = score(played(rules, 28, 4, 1), rules)
    standings = results_pages(one, "Cup", Speech())[0]
    decided = [decided_by(row, one) for row in one.standings.rows]
    assert "won the final table with" in decided[0]
    assert [row.cells[-1] for row in standings.rows[: len(decided)]] == decided


def test_an_end_against_two_rules_is_told_once() -> None:
    event = invent(0, wishes_for("edc2023", 0))
    twice = tuple(Overruled(text=text, rule="EDC23 B", why="storm", by="Tess") for text in ("early", "uncounted"))
    boards = (replace(event.boards[0], overruled=twice), *event.boards[1:])
    page = results_pages(score(replace(event, boards=boards), rules_of("edc2023")), "Cup", Speech("fr"))[0]
    assert [note for note in page.notes if "storm" in note] == [
        "Table 1.A : terminée sur décision de la direction : storm"
    ]


NUMERAL = re.compile(r"[()+-]*\d[\d .,()×+]*")


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_numbers_stand_in_columns_of_numbers_and_words_in_none(name: str) -> None:
    rules = rules_of(name)
    for page in results_pages(score(played(rules, 28, rules.totals.rounds or 3), rules), "Cup", Speech()):
        for place, column in enumerate(page.columns):
            cells = [row.cells[place] for row in page.rows if not row.is_heading and row.cells[place]]
            if cells and not column.is_key:
                assert column.is_number == all(map(NUMERAL.fullmatch, cells)), (page.name, column.head, cells[:5])


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_who_is_first_stands_out_among_players_and_teams(name: str) -> None:
    rules = rules_of(name)
    pages = results_pages(score(played(rules, 28, rules.totals.rounds or 3), rules), "Cup", Speech())
    ranked = [page for page in pages if page.columns[0].head == "Place"]
    assert len(ranked) >= 1 + (rules.teams is not None)
    for page in ranked[:1] + [each for each in ranked if "Teams" in each.title]:
        for row in page.rows:
            assert row.is_first == (row.cells[0].strip("=") == "1"), (page.title, row.cells)


@pytest.mark.parametrize("language", [code for code in languages() if code != "en"])
@pytest.mark.parametrize("name", TOURNAMENTS)
def test_no_word_of_the_program_on_the_wall_is_english(name: str, language: str) -> None:
    rules = rules_of(name)
    one = score(played(rules, 28, rules.totals.rounds or 3), rules)
    own, other = (results_pages(one, "Cup", Speech(code)) for code in ("en", language))
    names = {*one.event.players, *(team.name for team in one.event.teams), rules.name, *OWN_WORDS}
    names |= {award.title for award in one.awards if "Champion" in award.title}  # names of championships
    for before, after in zip(own, other, strict=True):
        for english, said in zip(texts_of(before), texts_of(after), strict=True):
            words = [w for w in english.replace(",", " ").split() if w.isalpha() and len(w) > 4]
            if words and not any(name in english for name in names):
                assert said != english
    doubtful = score(invent(0, wishes_for(name, 0)), rules)
    pages = results_pages(doubtful, "Cup", Speech(language))
    text = " ".join(text for page in pages for text in texts_of(page) if "Champion" not in text)
    invented = {"somebody", "else", "team"}
    assert english_in(text, language) <= invented, "what is in doubt or was not played is said, too"


OWN_WORDS = ("Total", "Place", "Points", "points", "Team", "Teams", "England", "France")  # spelt alike elsewhere


def texts_of(page: WallPage) -> list[str]:
    cells = [cell for row in page.rows for cell in row.cells]
    return [page.name, *(column.head for column in page.columns), *cells, *page.notes]


def table(names: Sequence[str], columns: int) -> WallPage:
    heads = tuple(WallColumn(head=f"R{n}", is_number=True) for n in range(columns))
    rows = tuple(WallRow((str(n), name, *("12.34" for _ in heads))) for n, name in enumerate(names, start=1))
    keys = WallColumn(head="Place", is_key=True), WallColumn(head="Player", is_key=True)
    return WallPage(name="x", title="Cup", columns=(*keys, *heads), rows=rows)


@pytest.mark.parametrize("paper", ["A4", "LETTER", "A5"])
@pytest.mark.parametrize(("players", "columns"), [(7, 1), (28, 4), (70, 6), (101, 40)])
def test_every_name_and_every_column_is_printed_whole_and_inside_the_page(
    players: int, columns: int, paper: str
) -> None:
    names = [f"Maximilian-Alexander Bartholomew {n} Hohenstaufen-Lindqvist" for n in range(players)]
    document = pypdfium2.PdfDocument(print_wall([table(names, columns)], paper, "Cup", Speech()))
    text = " ".join(page.get_textpage().get_text_range() for page in document)
    for name in names:
        assert name in text
    assert {f"R{n}" for n in range(columns)} <= set(text.split())
    for page in document:
        width, height = page.get_size()
        for found in page.get_objects():
            left, low, right, top = found.get_pos() if hasattr(found, "get_pos") else found.get_bounds()
            assert left >= -1 and right <= width + 1 and low >= -1 and top <= height + 1


def test_a_badge_says_the_club_else_the_team_and_none_is_made_for_who_has_left(tmp_path: Path) -> None:
    players = [
        Player(name="Ada", club="Owls", team="Reds", country="SE"),
        Player(name="Bo", team="Blues"),
        Player(name="Cem", left=True),
    ]
    make_event_folder(tmp_path / "cup", Details(name="Cup", code="TEST", tournament="weaselmoot"), players, clock)
    run("signs", tmp_path / "cup", "badges", "-o", tmp_path / "badges.pdf")
    words = " ".join(" ".join(pages_of((tmp_path / "badges.pdf").read_bytes())).split())
    assert "Owls" in words
    assert "Blues" in words
    assert "Reds" not in words
    assert "Cem" not in words


@pytest.mark.parametrize("tournament", TOURNAMENTS)
def test_before_a_game_is_over_a_bonus_puts_nobody_in_a_place(tournament: str, tmp_path: Path) -> None:
    with open_event(seated(tmp_path / "cup", tournament=tournament), clock) as event:
        enter_note(event, "bonus", {"player": "Ada", "kind": "kindness", "points": "7"}, by="Tess", why="made place")
        shown = public_standings(event, games(event))
        waiting = without_result(event.players, shown)
        page = results_pages(scored_event(event), "Moot", event.speech, event.players)[0]
        assert (shown.standings.rows, {row.cells[0] for row in page.rows}) == ((), {"–"})
        assert "Ada" in waiting and sorted(row.cells[1] for row in page.rows) == sorted(waiting)
        values = {"board": "1.1", "ended": "time", "years": "1907 A10 E7 F6 G4 I4 R2 T1"}
        enter_note(event, "result", values, by="Tess", why="upstairs")
        assert public_standings(event, games(event)).standings.rows


def test_what_is_added_or_taken_away_is_shown_as_it_counts(tmp_path: Path) -> None:
    """EDC 2023 drops what follows the point, and shows whole numbers: 20.9 less 0.5 counts as 20, and 0.5 is no 1."""
    roster, folder = tmp_path / "players.csv", tmp_path / "cup"
    roster.write_text("name\n" + "\n".join([*LONG, "Bo Ek"]), "utf-8")
    run("new", folder, "--tournament", "edc2023", "--roster", roster)
    run("draw", folder, "--round", 1, "--seed", 1)
    run("enter", folder, "result", "1.1", "time", "--year", "1907 A5 E5 F5 G5 I5 R5 T4")
    run("enter", folder, "penalty", "Bo Ek", "late", "--points", "0.5", "--why", "came late")
    with open_event(folder, clock) as event:
        rows = results_pages(scored_event(event), "", Speech())[0].rows
        assert [row.cells[2:] for row in rows if row.cells[1] == "Bo Ek"] == [("19 ×1.1", "-0.5", "20")]
        assert "  late        -0.5  came late" in explain_standing(event, "Bo Ek")

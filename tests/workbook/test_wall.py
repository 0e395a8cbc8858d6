"""What hangs on the wall is true, says what is in doubt, and can be followed by who stands before it."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from io import BytesIO
from zipfile import ZipFile

import pypdfium2
import pytest
from msgspec.structs import replace
from openpyxl import load_workbook
from openpyxl.workbook.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet
from scoring.played import ruled, scored

from pipeline.board import Power
from pipeline.scoring.results import Ending, Entrant, EventResults, Overruled, RoundingWay
from pipeline.scoring.score import Scored, score, scores_by_year
from pipeline.scoring.stakes import Stake, weigh_doubts
from pipeline.workbook import page as xl
from pipeline.workbook.package import pack
from pipeline.workbook.write import write_workbook
from workbook.events import invent
from workbook.office import convert
from workbook.played import played
from workbook.tournaments import TOURNAMENTS, rules_of, wishes_for

HEAD_ROW = 5


def opened(one: Scored, **more: object) -> Workbook:
    """The workbook of an event; a sheet is read when it is asked for."""
    data = write_workbook(one, title="Our Cup", sealed=False, **more).data  # type: ignore[arg-type] # its own arguments
    return load_workbook(BytesIO(data), data_only=True, read_only=True)


@cache
def event_after(name: str, rounds: int, players: int = 28) -> EventResults:
    return played(rules_of(name), players, rounds)


@cache
def after(name: str, rounds: int, players: int = 28) -> Scored:
    return score(event_after(name, rounds, players), rules_of(name))


@cache
def book_after(name: str, rounds: int) -> Workbook:
    """The workbook after some rounds; nobody changes it."""
    return opened(after(name, rounds))


def texts(book: Workbook, *sheets: str) -> Iterator[str]:
    for title in sheets or book.sheetnames:
        for row in book[title].iter_rows():
            yield from (str(cell.value) for cell in row if cell.value is not None)


def verdict(book: Workbook) -> str:
    return next(str(cell.value) for cell in book["Standings"][3] if re.search("check|doubt|Checks", str(cell.value)))


# --- doubts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_an_event_in_which_nothing_is_in_doubt_passes_all_checks(name: str) -> None:
    book = opened(after(name, rules_of(name).totals.rounds), meetings=9)
    assert verdict(book) == "All checks pass"
    assert "Nothing is in doubt" in str(book["Doubts"]["A2"].value)


def test_the_front_does_not_say_that_all_is_well_while_a_doubt_is_open() -> None:
    level = [ruled(n, {name: 20}, name=name) for n in (1, 2, 3) for name in ("ann", "bob")]
    one = scored("weaselmoot", *level, players=[Entrant(name="ann", distance_km=5)])
    book = opened(one)
    assert verdict(book).endswith("see Doubts")
    assert "2 decide a title" in verdict(book)  # the best player of Austria, too
    told = "place 1: ann and bob are level; enter the distance from home of bob"
    assert f"In doubt, decides Weasel Moot Champion: {told}" in set(texts(book, "Standings"))
    assert "Level, see Doubts: ann, bob" in set(texts(book, "Standings"))


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_all_doubts_have_a_page_what_decides_a_title_first(name: str) -> None:
    one = score(invent(0, wishes_for(name, 0)), rules_of(name))
    sheet = opened(one)["Doubts"]
    rows = [[cell.value for cell in row[:4]] for row in sheet.iter_rows(min_row=5) if row[0].value]
    found = weigh_doubts(one)
    assert len(found) > 0
    assert rows == [[str(w.stake), ", ".join(w.titles), w.doubt.where, w.doubt.text] for w in found]
    stakes = [str(row[0]) for row in rows]
    assert stakes == sorted(stakes, key=[str(stake) for stake in Stake].index)


def test_a_title_that_hangs_on_a_doubt_says_so() -> None:
    event = event_after("edc1996", 5)
    gone = [replace(b, ended=Ending.ABANDONED) if b.is_final else b for b in event.boards]
    book = opened(score(replace(event, boards=tuple(gone)), rules_of("edc1996")))
    lines = [[cell.value for cell in row[:3]] for row in book["Awards"].iter_rows(min_row=5)]
    [champion] = [line for line in lines if line[0] == "1996 European Diplomacy Champion"]
    assert str(champion[2]).startswith("in doubt, see Doubts: ")
    assert any("Champion: " in line and "(in doubt, see Doubts)" in line for line in texts(book, "Standings"))


def test_a_game_that_the_director_ended_against_the_rules_says_why() -> None:
    event = played(rules_of("weaselmoot"), 14, 1)
    ruling = Overruled("a solo takes 18 centres", "WM VIII.1", "the hall closes", "Tess")
    first = replace(event.boards[0], overruled=(ruling,))
    book = opened(score(replace(event, boards=(first, *event.boards[1:])), rules_of("weaselmoot")))
    for sheet in ("Boards", "Standings"):
        [line] = [line for line in texts(book, sheet) if "the hall closes" in line]
        assert ("board A" in line) is (sheet == "Standings"), "on Boards it stands below its board, once"
        assert "by the director's word, though a solo takes 18 centres (WM VIII.1)" in line


def test_two_meetings_are_no_remark_where_the_rules_allow_two() -> None:
    one = after("nzdc1999", 2)
    lines = {str(row[0].value): row[2].value for row in opened(one, meetings=2)["Checks"].iter_rows()}
    assert lines["Pairs of players that meet more than 2 times, as often as the rules allow"] == "OK"
    once = {str(row[0].value): row[2].value for row in book_after("nzdc1999", 2)["Checks"].iter_rows()}
    assert once["Pairs of players that meet again"] == "NOTE"


# --- titles -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_after_round_1_the_wall_names_leaders_and_no_title(name: str) -> None:
    one = after(name, 1)
    rules = rules_of(name)
    so_far = f"after round 1 of {rules.totals.rounds}" + (", interim" if rules.interim else "")
    book = book_after(name, 1)
    shown = list(texts(book, "Standings"))
    assert f"Standings {so_far}" in shown
    leader = one.standings.rows[0].player
    assert any(line.startswith(f"Leads {so_far}: ") and leader in line for line in shown)
    awards = [[cell.value for cell in row[:3]] for row in book["Awards"].iter_rows(min_row=6) if row[0].value]
    assert {line[1] for line in awards} == {None}
    whys = [str(line[2]) for line in awards if line[2]]
    assert len(whys) >= 8
    assert all(why.startswith(f"{so_far}: ") for why in whys)
    titles = rules_of(name).awards.places
    others = [sheet for sheet in book.sheetnames if sheet != "Awards"]
    assert not [line for line in texts(book, *others) if line.startswith(titles) and sheet_is_shown(line)]


def sheet_is_shown(line: str) -> bool:
    return ":" in line  # "TITLE: NAME" is how the front names who has one


@pytest.mark.parametrize("name", ["edc2023", "edc1996", "wdc2008"])
def test_without_a_final_table_that_is_marked_there_is_no_champion(name: str) -> None:
    rules = rules_of(name)
    event = event_after(name, rules.totals.rounds)
    unmarked = replace(event, boards=tuple(replace(board, is_final=False) for board in event.boards))
    book = opened(score(unmarked, rules))
    rounds = rules.totals.rounds
    assert f"Standings after round {rounds} of {rounds}, the final table not marked" in set(texts(book, "Standings"))
    title = rules.awards.places[0]
    [champion] = [row for row in book["Awards"].iter_rows(min_row=6) if row[0].value == title]
    assert champion[1].value is None
    assert "1 decides a title" in verdict(book)


def test_a_title_is_named_when_it_is_given() -> None:
    one = after("wdc2008", 4)
    shown = list(texts(book_after("wdc2008", 4), "Standings"))
    title = rules_of("wdc2008").awards.places[0]
    assert f"{title}: {one.standings.champions[0]}" in shown


def test_the_champion_of_1996_has_the_best_total_and_has_not_won_the_final_table() -> None:
    event = event_after("edc1996", 5)
    for seed in range(2, 40):
        one = score(event, rules_of("edc1996"))
        champion = one.standings.rows[0]
        best_there = max(g.score for g in one.games if g.board.is_final)
        if champion.tally.final and champion.tally.final.score < best_there:
            break
        event = played(rules_of("edc1996"), 28, 5, seed)
    book = opened(one)
    everything = list(texts(book))
    assert not [line for line in everything if "won the final table" in line or "winner of the final" in line]
    assert "best total of the final table" in everything


# --- each number can be followed ------------------------------------------------------------------------------------


def heads_of(sheet: Worksheet) -> list[str]:
    return [str(cell.value or "") for cell in sheet[HEAD_ROW]]


def number(value: object) -> Fraction:
    return Fraction(str(value)) if value not in (None, "") else Fraction()


def added_up(row: list[object], heads: list[str]) -> Fraction:
    """What a reader adds up: every score times the sign beside it, and what stands under ±."""
    total = number(row[heads.index("±")])
    for index, head in enumerate(heads):
        if head != "×" or row[index - 1] in (None, ""):
            continue
        sign = row[index]
        weight = Fraction() if sign == "out" else Fraction(1) if sign in (None, "") else Fraction(str(sign))
        total += number(row[index - 1]) * weight
    return total


def shown_rows(sheet: Worksheet) -> Iterator[list[object]]:
    for row in sheet.iter_rows(min_row=HEAD_ROW + 1):
        values: list[object] = [cell.value for cell in row]
        if values[2] in (None, ""):
            return
        yield values


def as_total(value: Fraction, one: Scored) -> Fraction:
    truncates = one.rules.totals.rounding.how is RoundingWay.TRUNCATE
    return Fraction(int(round(value, 6))) if truncates else value


@pytest.mark.parametrize(("name", "seed"), [(name, place % 4) for place, name in enumerate(TOURNAMENTS)])
def test_a_reader_can_add_up_every_total(name: str, seed: int) -> None:
    one = score(invent(seed, wishes_for(name, seed)), rules_of(name))
    sheet = opened(one)["Standings"]
    heads, count = heads_of(sheet), 0
    for row in shown_rows(sheet):
        total = number(row[heads.index("Total")])
        assert abs(as_total(added_up(row, heads), one) - total) < Fraction(1, 10**6), row
        count += 1
    assert count == len(one.standings.rows) + len(one.standings.unranked)


@pytest.mark.parametrize("name", ["edc2023", "edc1996", "wdc2008"])
def test_the_page_of_the_final_table_shows_who_qualified_and_which_scores_made_it(name: str) -> None:
    rules = rules_of(name)
    one = after(name, rules.totals.rounds)
    assert one.qualification is not None
    sheet = book_after(name, rules.totals.rounds)["Final table"]
    heads, rows = heads_of(sheet), []
    for row in shown_rows(sheet):
        assert abs(as_total(added_up(row, heads), one) - number(row[heads.index("Qualifying")])) < Fraction(1, 10**6)
        rows.append((row[0], row[2], row[heads.index("Seat")]))
    sits = [who for _, who, seat in rows if seat == "plays the final"]
    assert sits == list(one.qualification.finalists)
    assert [who for _, who, _ in rows] == [placed.contender.name for placed in one.qualification.ranking]
    block = list(sheet.iter_rows(min_row=HEAD_ROW + len(rows) + 3, values_only=True))[1:8]
    final = {game.player: game for game in one.games if game.board.is_final}
    assert {line[2] for line in block} == final.keys()
    assert block[0][2] == one.standings.champions[0]
    assert [line[4] for line in block] == [final[str(line[2])].centres for line in block]


def test_the_scores_of_1996_that_count_half_say_so() -> None:
    sheet = book_after("edc1996", 5)["Final table"]
    heads = heads_of(sheet)
    signs = {row[index] for row in shown_rows(sheet) for index, head in enumerate(heads) if head == "×"}
    assert signs <= {None, "", 0.5}
    assert 0.5 in signs
    assert any("×1, ×1, ×0.5" in line for line in texts(book_after("edc1996", 5), "Final table"))


def test_a_tie_for_the_seventh_place_is_shown() -> None:
    boards = [ruled(n, dict.fromkeys("abcdef", 20) | {"g": 10}) for n in (1, 2, 3)]
    boards += [ruled(n, {"h": 10}, name="B") for n in (1, 2, 3)]
    one = scored("wdc2008", *boards)
    sheet = opened(one)["Final table"]
    heads = heads_of(sheet)
    seats = {row[2]: row[heads.index("Seat")] for row in shown_rows(sheet)}
    assert seats == dict.fromkeys("abcdef", "plays the final") | dict.fromkeys("gh", "level for a seat")


# --- the race -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_the_race_has_no_points_in_rounds_that_were_not_played(name: str) -> None:
    sheet = book_after(name, 2)["Charts"]
    heads = [cell.value for cell in sheet[4]]
    for row in sheet.iter_rows(min_row=5, max_row=12, values_only=True):
        points = dict(zip(heads, row, strict=False))
        assert isinstance(points["R1"], int | float)
        assert isinstance(points["R2"], int | float)
        assert {points[f"R{n}"] for n in range(3, rules_of(name).totals.rounds + 1)} <= {None, ""}


def test_before_a_game_is_over_the_race_has_no_points_and_no_signs_of_an_error() -> None:
    sheet = book_after("edc2023", 0)["Charts"]
    race = [cell for row in sheet.iter_rows(min_row=5, max_row=12, min_col=3, values_only=True) for cell in row]
    assert set(race) <= {None, ""}


def test_the_race_shows_the_half_points_that_totals_drop() -> None:
    sheet = book_after("edc2023", 1)["Charts"]
    assert {cell.number_format for row in sheet.iter_rows(5, 12, 3, 3) for cell in row} == {"0.0"}


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_the_race_is_drawn_as_far_as_it_was_run(rounds: int) -> None:
    data = write_workbook(after("wdc2008", rounds), title="Our Cup", sealed=False).data
    chart = ZipFile(BytesIO(data)).read("xl/charts/chart1.xml").decode()
    drawn = re.findall(r"<val><numRef><f>'Charts'!([^<]*)</f>", chart)
    assert len(drawn) == 8
    assert {re.findall("[A-Z]", cells)[-1] for cells in drawn} == {"ABCDEFG"[1 + rounds]}


def test_the_scores_of_a_board_by_year_are_those_that_it_would_have_paid() -> None:
    played_on = after("weaselmoot", 1)
    sheet = book_after("weaselmoot", 1)["Charts"]
    board = next(each for each in played_on.event.boards if sheet["F38"].value == f"R{each.round} {each.name}")
    heads = next(row for row in range(40, 120) if sheet.cell(row, 1).value == "Year")
    paid = scores_by_year(board, played_on.rules)
    assert len(paid) > 1
    for row, year in enumerate(paid, start=heads + 1):
        shown = {power: sheet.cell(row, nth).value for nth, power in enumerate(Power, start=2)}
        assert sheet.cell(row, 1).value == year
        assert shown == {power: pytest.approx(float(paid[year][power])) for power in Power}


# --- print ----------------------------------------------------------------------------------------------------------


def pages_of(pdf: bytes) -> list[str]:
    return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf)]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A whole workbook as it is printed."""
    book = write_workbook(after("edc1996", 2), title="Our Cup", sealed=False).data
    return convert({"whole": book}, tmp_path_factory.mktemp("printed"), "pdf")["whole"]


@pytest.mark.slow
def test_no_page_of_the_whole_workbook_is_empty(printed: bytes) -> None:
    assert all(len(text.split()) > 20 for text in pages_of(printed))


@pytest.mark.parametrize(("paper", "number"), [("A4", 9), ("LETTER", 1), ("A5", 11)])
def test_the_workbook_is_printed_on_the_event_s_paper_and_its_names_are_whole(paper: str, number: int) -> None:
    one = after("edc1996", 2)
    named = replace(write_workbook(one, title="Our Cup", sealed=False), paper=paper)
    for sheet in load_workbook(BytesIO(named.data)).worksheets:
        assert sheet.page_setup.paperSize == number
    long = "Maximilian-Alexander Bartholomew Ek"
    page = xl.Page("List", xl.Losses(), widths={1: 25, 2: 10})
    page.put(2, 1, long, xl.TEXT.but(bold=True, size=12))
    page.put(2, 2, "x", xl.TEXT)
    sheet = load_workbook(BytesIO(pack([page], {}, "Cup", paper)))["List"]
    assert sheet.column_dimensions["A"].width >= len(long)


def test_a_name_of_sixty_letters_is_whole_on_every_sheet() -> None:
    long = "Maximilian-Alexander Bartholomew Konstantinopolitanski-Hohen"
    one = scored("weaselmoot", ruled(1, {long: 20, "ann": 10}))
    book = load_workbook(BytesIO(write_workbook(one, title="Our Cup", sealed=False).data), data_only=True)
    for title in ("Standings", "Rounds", "Boards", "Results", "Players"):
        cells = [cell for row in book[title].iter_rows() for cell in row if cell.value == long]
        assert cells, title
        assert max(book[title].column_dimensions[cell.column_letter].width for cell in cells) > len(long), title

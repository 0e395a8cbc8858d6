"""A league's workbook: computed by the spreadsheet as by the engine, and live where a result changes."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from pipeline.cli.league import league_command
from pipeline.rules.league_file import load_league
from pipeline.scoring.league import League, score_league
from pipeline.small_files import data_folder
from pipeline.workbook.checks_sheet import COUNT
from pipeline.workbook.league_book import HEAD_ROW, write_league
from workbook.calculator import Calculator
from workbook.leagues import invent_league
from workbook.office import differences, in_gnumeric, recalculate
from workbook.test_changes import column_of

SAMPLES = sorted((data_folder("samples") / "leagues").glob("*.toml"))


def league_of_one() -> League:
    """One event and one player."""
    league = load_league(SAMPLES[0])
    event = replace(league.events[0], results=(replace(league.events[0].results[0], total=Fraction(3)),))
    totals = replace(league.rules.totals, rounds=1)
    return replace(league, events=(event,), rules=replace(league.rules, totals=totals))


def test_every_cell_is_what_the_engine_says(tmp_path: Path) -> None:
    assert score_league(league_of_one()).standings.rows[0].total == 100
    leagues = {"one": league_of_one()} | {path.stem: load_league(path) for path in SAMPLES}
    leagues |= {f"random-{seed}": invent_league(seed) for seed in range(1, 9)}
    books = {name: write_league(league).data for name, league in leagues.items()}
    computed = recalculate(books, tmp_path)
    assert {name: found for name in books if (found := list(differences(books[name], computed[name])))} == {}


UNREAD: tuple[tuple[str, str, str | float | None], ...] = (  # what is typed in the first row of a column
    ("Results", "Place", "first"),
    ("Results", "Place", 1.5),
    ("Results", "Place", None),
    ("Results", "Place", 999),
    ("Results", "Total", "50,5"),
    ("Results", "Event", 99),
    ("Results", "Name there", "Nobody Knows"),
    ("Events", "Boards", "four"),
    ("Players", "Excluded", "x"),
    ("Penalties", "Points", 5),
)


@pytest.mark.parametrize(("sheet", "head", "typed"), UNREAD)
def test_an_entry_of_which_nothing_can_be_made_turns_the_front_red(
    sheet: str, head: str, typed: str | float | None
) -> None:
    book = write_league(load_league(SAMPLES[0]))
    calculator = Calculator(book.pages, book.names)
    assert [told for told in front(calculator) if "heck" in told] == ["All checks pass"]
    calculator.contents[sheet, HEAD_ROW + 1, column_of(calculator, sheet, head)] = typed
    calculator.forget()
    assert [told for told in front(calculator) if re.fullmatch(r"\d+ to look at: see Checks", told)]
    counts = [calculator.value(("Checks", row, COUNT)) for row in range(HEAD_ROW + 2, HEAD_ROW + 5)]
    assert any(isinstance(count, int | float) and count > 0 for count in counts), "said where it was typed"


def front(calculator: Calculator) -> list[str]:
    return [str(calculator.value(place)) for place in calculator.contents if place[0] == "Standings"]


def test_gnumeric_computes_the_same(tmp_path: Path) -> None:
    data = write_league(load_league(SAMPLES[0])).data
    assert list(differences(data, in_gnumeric(data, tmp_path))) == []


def test_the_files_that_the_command_writes(tmp_path: Path) -> None:
    for ending in ("xlsx", "csv"):
        output = tmp_path / f"standings.{ending}"
        found = CliRunner().invoke(league_command, [str(SAMPLES[1]), "-o", str(output)])
        assert found.exit_code == 0, found.output
    assert (tmp_path / "standings.csv").read_text("utf-8-sig").splitlines()[1].startswith('"1","","Bo Lind"')
    found = CliRunner().invoke(league_command, [str(SAMPLES[1]), "-o", str(tmp_path / "standings.pdf")])
    assert found.exit_code != 0

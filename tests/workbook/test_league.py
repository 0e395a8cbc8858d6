"""A league's workbook: computed by the spreadsheet as by the engine, and live where a result changes."""

from fractions import Fraction
from pathlib import Path

from click.testing import CliRunner
from msgspec.structs import replace

from pipeline.cli.league import league_command
from pipeline.rules.league_file import load_league
from pipeline.scoring.league import League, score_league
from pipeline.small_files import data_folder
from pipeline.workbook.league_book import write_league
from workbook.leagues import invent_league
from workbook.office import differences, in_gnumeric, recalculate

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

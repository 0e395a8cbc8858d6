"""Files are written whatever the clock of the computer says: a flat battery sets it to 1970, or far into the future."""

import time
from pathlib import Path
from zipfile import ZipFile

import pytest
from cli.results.test_standings_command import event
from commands import run
from openpyxl import load_workbook

YEARS = {1970: 0.0, 1904: -2082844800.0, 2108: 4354819200.0}  # before, and after what a ZIP file can name


@pytest.mark.parametrize("year", YEARS)
@pytest.mark.parametrize("ending", ["xlsx", "csv"])
def test_standings_are_written_in_every_year(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, year: int, ending: str
) -> None:
    cup, out = event(tmp_path), tmp_path / f"x.{ending}"
    localtime = time.localtime
    monkeypatch.setattr(time, "localtime", lambda *_: localtime(YEARS[year]))
    run("standings", cup, "-o", str(out))
    if ending == "xlsx":
        assert load_workbook(out).sheetnames
        with ZipFile(out) as archive:
            assert {entry.date_time[0] for entry in archive.infolist()} == {1980}

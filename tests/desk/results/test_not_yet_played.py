"""Who has not played yet stands below the standings of the workbook, and last in the list of places."""

import csv
from io import BytesIO, StringIO
from pathlib import Path

from openpyxl import load_workbook

from desk.cup import clock
from desk.moot import played
from pipeline.desk.event.event import open_event
from pipeline.desk.players import add_player
from pipeline.desk.results.standings_workbook import write_standings


def test_the_workbook_and_the_list_name_who_has_not_played_yet(tmp_path: Path) -> None:
    with open_event(played(tmp_path / "moot"), clock) as event:
        add_player(event, "Uma Oddone", {}, by="Tess")
        written = write_standings(event, sealed=False)
        assert "Uma Oddone" in written.waiting
        sheet = load_workbook(BytesIO(written.data))["Standings"]
        foot = [str(cell) for row in sheet.iter_rows(values_only=True) for cell in row if "Not in these" in str(cell)]
        assert len(foot) == 1
        assert "Uma Oddone" in foot[0]
        heads, *lines = csv.reader(StringIO(written.as_csv().decode("utf-8-sig")))
        last = [dict(zip(heads, line, strict=True)) for line in lines[-len(written.waiting) :]]
        assert [(line["Place"], line["Player"]) for line in last] == [("–", name) for name in written.waiting]
        assert not write_standings(event, sealed=True).waiting

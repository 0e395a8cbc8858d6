"""German and French sheets, written and scanned, are read through to the orders."""

from pathlib import Path

import pytest

from desk.abroad import seated_abroad
from desk.cup import NAMES, OPENINGS, clock
from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.intake.ingest import take_in
from pipeline.desk.review.orders_shown import board_orders
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.paper.sheet_rows import Design
from pipeline.reading.engine import NetRecogniser
from pipeline.rehearsal.simulated_scans import Writer, rows_for, write_and_scan

WORDS = {  # as they are written by people who do not write the codes of the map
    ("de", Power.GERMANY): ["F KIE - DÄN", "A BER - KIE", "A MÜN - RUH"],
    ("de", Power.AUSTRIA): ["A WIE - GAL", "A BUD - SER", "F TRI - ALB"],
    ("fr", Power.ENGLAND): ["F LON - NRD", "F ÉDI - MNG", "A LVP - YOR"],
    ("fr", Power.FRANCE): ["A PAR - BOU", "A MAR S A PAR - BOU", "F BRE - ATL"],
}


@pytest.mark.slow
@pytest.mark.parametrize(("language", "design"), [("de", Design.LINE), ("fr", Design.LINE), ("fr", Design.TARGETS)])
def test_a_sheet_in_another_language_is_filed_and_read(tmp_path: Path, language: str, design: Design) -> None:
    powers = [power for of, power in WORDS if of == language]
    with open_event(seated_abroad(tmp_path / "cup", language), clock) as event:
        printed = print_round(event, 1, wish=PrintWish(design=design))
        forms = {page.sheet: (Power(page.power), page.form) for page in printed.layout.pages}

        def writer(sheet: str) -> Writer | None:
            power, form = forms[sheet]
            if power not in powers:
                return None
            lines = OPENINGS[power] if design is Design.TARGETS else WORDS[language, power]
            rows = rows_for(OPENINGS[power], [form], event.tournament.abbreviations)
            written = {row: lines[number - 1] for row, number in rows.items()}
            return Writer(hand=3, player=NAMES[power], lines=written, slips={})

        write_and_scan(printed, writer, tmp_path / "scans", seed=5)
        assert take_in(event, sorted((tmp_path / "scans").iterdir()), NetRecogniser(), lambda _: None) == ()
        told = board_orders(event, find_game(event, "1"))["powers"]
    for power in powers:
        assert told[power]["sheet"] == "in"
        rows = [row for row in told[power]["rows"] if row["ink"]]
        assert sorted(row["order"] or "" for row in rows) == sorted(OPENINGS[power])
        assert [row["ink"] for row in rows if row["needs_director"]] == []

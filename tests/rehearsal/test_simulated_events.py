"""Whole events from printed sheets to standings: what nobody was asked about is what the players wrote."""

import json
import zipfile
from pathlib import Path

import pytest
from facts_as_kept import read_facts
from sampled import slow_after

from pipeline.desk.event.event import open_event
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.intake.ingest import PageIn
from pipeline.desk.publish.explain import check_event
from pipeline.desk.results.results import event_results, scored_event
from pipeline.ledger.files import now
from pipeline.problems import Stopped
from pipeline.rehearsal.rehearse import Plan, _stage_of, rehearse, run_demo
from pipeline.rehearsal.simulation import Listener
from pipeline.rules.load import tournament_ids


class Heard(Listener):
    """Remembers what was said, and counts pages."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.awaited = self.read = 0

    def say(self, text: str) -> None:
        """Remember."""
        self.said.append(text)

    def page(self, page: PageIn) -> None:
        """Count a page that was read."""
        self.read += 1

    def pages_to_come(self, count: int) -> None:
        """Count pages that were written."""
        self.awaited += count


@pytest.mark.slow
def test_the_sample_event_is_read_ruled_and_scored_with_nothing_wrong_unasked(tmp_path: Path) -> None:
    heard = Heard()

    summary = run_demo(tmp_path, best_recogniser(), heard)

    assert (summary["wrong_unasked"], summary["differs_after_ruling"]) == (0, [])
    assert heard.read == heard.awaited == sum(summary["pages"].values()), "the bar of the pages comes to its end"
    assert summary["rows_compared"] == summary["rows_written"] == 105
    assert summary["read_alone"] > 50, "the reader reads"
    assert (summary["typed"], summary["ends_wrong"]) == (3, [])
    assert summary["asked"]["sheet"] >= 1, "the missing sheet is asked"
    asked = "\n".join(line for line in heard.said if line.startswith("asked"))
    for turn in ("1.1 S1901M ENGLAND line 2", "1.1 S1901M TURKEY line 3", "1.2 S1901M TURKEY line 2", "GERMANY"):
        assert turn in asked
    assert json.loads((tmp_path / "summary.json").read_text()) == summary
    assert (tmp_path / "flagged-row.png").read_bytes().startswith(b"\x89PNG")
    assert "xl/workbook.xml" in zipfile.ZipFile(tmp_path / "standings.xlsx").namelist()
    assert len(list((tmp_path / "event" / "out").glob("*-card.pdf"))) == 7
    with open_event(tmp_path / "event", now) as event:
        assert list(check_event(event)) == []
        assert scored_event(event).doubts == (), "who scores with a seat that changed hands is ruled"
        (seat,) = (seat for board in event_results(event).boards for seat in board.seats.values() if seat.instead_of)
        assert (seat.player, seat.instead_of) == ("Otto Reimann", "Niamh O'Brien")


@pytest.mark.parametrize("tournament", slow_after(2, tournament_ids()))
def test_a_rehearsal_invents_plays_compares_and_ends_a_game_in_every_way_that_the_tournament_knows(
    tmp_path: Path, tournament: str
) -> None:
    plan = Plan(boards=1, seasons=1, seed=5, tournament=tournament)

    heard = Heard()

    found = rehearse(plan, tmp_path, best_recogniser(), heard)

    assert heard.read == heard.awaited
    assert found["rows"] > 20
    assert found["typed"] >= 3, "a share is typed"
    wrong = found["wrong_unasked"], found["differs_after_ruling"], found["ends_wrong"]
    assert wrong == (0, 0, 0), found["differences"]
    with open_event(tmp_path / "event", now) as event:
        assert len(list(read_facts(event.facts, "player replaced"))) == 1
    assert (tmp_path / "standings.xlsx").is_file()
    with open_event(tmp_path / "ends", now) as event:
        ways = {fact.body["how"] for fact in read_facts(event.facts, "game ended")}
        assert {"solo", "vote", "time", "conceded", "abandoned"} <= ways
        ending = event.tournament.ending
        assert ("last year" in ways) is (ending.last_year.value is not None)
        assert ("stagnation" in ways) is (ending.stagnation_years.value is not None)
        assert ("dice" in ways) is bool(ending.dice.added.value)
    with pytest.raises(Stopped, match="an event is here already"):
        rehearse(Plan(), tmp_path, best_recogniser(), Listener())


@pytest.mark.parametrize(
    ("read", "written", "born"),
    [("", "A VIE H", "rows"), ("A VIE - BOH", "A VIE H", "reading"), ("a vie h", "A VIE H", "interpretation")],
)
def test_a_difference_is_born_in_a_stage(read: str, written: str, born: str) -> None:
    assert _stage_of({"read": read, "written": written}) == born


def test_somebody_elses_folder_is_not_cleared_for_a_demo(tmp_path: Path) -> None:
    (tmp_path / "event").mkdir()
    (tmp_path / "event" / "thesis.txt").write_text("ten years of work")

    with pytest.raises(Stopped, match="something else is here"):
        run_demo(tmp_path, best_recogniser(), Listener())

    assert (tmp_path / "event" / "thesis.txt").is_file()

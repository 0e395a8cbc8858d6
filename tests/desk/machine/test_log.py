"""No failure of the program is without its trace, and no name and no order is in the log."""

from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from click.testing import CliRunner
from commands import run
from web.conftest import SEATS, Browser

from desk.cup import NAMES, seated
from pipeline.cli import group
from pipeline.desk.intake.reading_pool import read_here
from pipeline.logs import LARGEST, LOG_FILE, OLDER, log_failure, logging_into
from pipeline.reading.pages import PageImage
from pipeline.web.server import open_office


def fail(*_: object, **__: object) -> None:
    """Fail as a fault of the program does, which names a player and an order."""
    try:
        {}["Anna Berg"]  # type: ignore[index]
    except KeyError as error:
        raise ValueError("A MUN - BER of Anna Berg") from error


def read_log(folder: Path) -> str:
    """What the log says; it must name nobody and no order."""
    text = (folder / LOG_FILE).read_text("utf-8")
    traces = "\n".join(line for line in text.splitlines() if "Anna Berg" not in line or '"Anna Berg"' in line)
    assert "of Anna Berg\n" not in traces
    return text


def test_a_page_that_cannot_be_read_leaves_its_trace(tmp_path: Path) -> None:
    class Reader:
        every_sheet = staticmethod(fail)

    with logging_into(tmp_path):
        read_here(PageImage("a.png", 1, np.zeros((1, 1), np.uint8)), Reader())  # type: ignore[arg-type]
    log = read_log(tmp_path)
    assert "ValueError" in log
    assert "KeyError" in log
    assert "in fail" in log


def test_a_fault_under_a_page_is_told_and_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_office(seated(tmp_path / "cup"), SEATS) as opened:
        tess = Browser(opened, "Tess")
        assert not (tmp_path / "cup" / LOG_FILE).exists(), "it is made with the first failure"
        monkeypatch.setattr("pipeline.desk.review.live.LiveDesk.refresh", fail)
        monkeypatch.setattr(tess.client._transport, "raise_server_exceptions", False)
        answer = tess.client.get("/api/next")
        monkeypatch.undo()
    assert (answer.status_code, "doctor" in answer.json()["said"], "Anna" in answer.text) == (500, True, False)
    assert "in fail" in read_log(tmp_path / "cup")


@pytest.mark.parametrize(
    "where",
    ["pipeline.cli.common.open_event", "pipeline.cli.status.status", "pipeline.cli.status.print_json"],
    ids=["before the event is open", "while it is open", "behind it"],
)
def test_a_command_that_fails_leaves_its_trace_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    cup = seated(tmp_path / "cup")
    monkeypatch.setattr(where, fail)
    assert isinstance(CliRunner().invoke(group, ["status", str(cup), "--json"]).exception, ValueError)
    assert read_log(cup).count("in fail\n") == 2, "the KeyError and the ValueError"


def test_what_is_told_in_words_is_no_failure(tmp_path: Path) -> None:
    cup = seated(tmp_path / "cup")
    for words in (["status", cup, "--nonsense"], ["orders", cup, "--board", "9.9"]):
        assert CliRunner().invoke(group, [*map(str, words)]).exit_code
    assert CliRunner().invoke(group, ["status", str(tmp_path / "nothing")]).exit_code
    assert not (cup / LOG_FILE).exists()


def test_the_log_stays_small(tmp_path: Path) -> None:
    with logging_into(tmp_path):
        for _ in range(3 * LARGEST // 1000):
            log_failure(ValueError(), "x" * 1000)
    assert {each.name for each in tmp_path.iterdir()} == {LOG_FILE, OLDER}
    assert sum(each.stat().st_size for each in tmp_path.iterdir()) <= 2 * LARGEST


def test_a_report_has_log_versions_and_check_and_says_so(tmp_path: Path) -> None:
    cup = seated(tmp_path / "cup")
    with logging_into(cup):
        log_failure(ValueError("Anna Berg"), "a page was being read")
    (cup / "event.toml").write_text((cup / "event.toml").read_text().replace('name = "Ada"', 'name = "Ida"'))
    said = run("doctor", str(cup), "--report", str(tmp_path / "report.zip"))
    with ZipFile(tmp_path / "report.zip") as report:
        texts = {name: report.read(name).decode() for name in report.namelist()}
    assert texts.keys() == {"machine.txt", "versions.txt", "check.txt", LOG_FILE}
    assert all(name in said for name in texts)
    assert "msgspec" in texts["versions.txt"]
    assert not any(f" {name} " in text for name in NAMES.values() for text in texts.values())
    assert "Anna Berg" not in texts[LOG_FILE]

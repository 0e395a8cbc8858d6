"""A file that harms whatever opens it is kept and told, and all that came with it is read."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from reading.pdfs import tiled

from pipeline.desk.event.event import Event
from pipeline.desk.intake.ingest import PageIn, take_in
from pipeline.desk.review.status import status
from pipeline.reading import pages
from pipeline.reading.recogniser import NoRecogniser


def test_a_page_that_is_never_drawn_is_a_problem_and_everything_else_is_read(
    event: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "ANSWERS_WITHIN_S", 2.0)
    (tmp_path / "harm.pdf").write_bytes(tiled())
    for name in ("a.pdf", "z.pdf"):
        Image.fromarray(np.full((1200, 900), 250, np.uint8)).save(tmp_path / name, title=name)
    told: list[PageIn] = []

    problems = take_in(event, sorted(tmp_path.glob("*.pdf")), NoRecogniser(), told.append)

    assert problems == ()
    trays = [(page.name, page.page, page.tray) for page in told]
    assert [trays[0], trays[2], trays[4]] == [
        ("a.pdf", 1, "blank"),
        ("harm.pdf", 2, "unreadable"),
        ("z.pdf", 1, "blank"),
    ]
    assert any(
        problem["where"].startswith("harm.pdf page 2") and "print the file again to PDF" in problem["text"]
        for problem in status(event)["problems"]
    )
    assert (tmp_path / "harm.pdf").read_bytes() in [path.read_bytes() for path in event.scans.iterdir()]
    assert len(list(event.facts.read("scan read"))) == 3

    assert take_in(event, (), NoRecogniser(), told.append) == ()
    assert len(told) == 5, "nothing is read twice"

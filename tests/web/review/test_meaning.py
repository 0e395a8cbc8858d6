"""What is typed for a row is shown as it is meant, while it is typed."""

from pathlib import Path

import pytest

from pipeline.web.server import open_office
from web.conftest import SEATS, Browser, make_event


@pytest.mark.parametrize("how", ["ink", "order"])
def test_what_is_typed_for_a_row_is_shown_as_it_is_meant(tmp_path: Path, how: str) -> None:
    make_event(tmp_path / "cup")
    with open_office(tmp_path / "cup", SEATS) as opened:
        tess = Browser(opened, "Tess")
        token = tess.look("1.1 S1901M AUSTRIA")["item"]["token"]
        asked = {"token": token, "turn": "1.1 S1901M AUSTRIA", "typed": "A Vie - Gal", "as": how}
        answer = tess.client.post("/api/meaning", json=asked, headers={"X-Token": tess.token})
    (line,) = answer.json()["lines"]
    assert (line["text"], [each["order"] for each in line["means"]]) == ("A Vie - Gal", ["A VIE - GAL"])

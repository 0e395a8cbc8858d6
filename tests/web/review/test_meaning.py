"""What is typed for a row is shown as it is meant, while it is typed."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.board import Power
from pipeline.desk.ruling.desk import Desk
from pipeline.orders import write
from pipeline.web.server import Opened, open_office
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


TURN = "1.1 S1901M AUSTRIA"
SHEETS: tuple[
    tuple[tuple[str, ...], tuple[str, ...], bool], ...
] = (  # lines, the units before them, whether they stand
    (("A VIE - GAL", "A BUD - SER", "F TRI - ALB"), (), True),
    (("- gal", "- ser", "- alb"), ("A VIE", "A BUD", "F TRI"), True),
    (("A VIE - GAL",), ("A BUD",), False),  # of another unit than the one before it
    (("A BUD S A VIE - GAL", "- gal"), ("A BUD", "A VIE"), True),
    (("- ser", '"A VIE H"'), ("A BUD", "F TRI"), False),
    (("A VIE - GAL",), ("A PAR",), False),  # a unit that needs no order
    (("xyzzy",), (), False),
    (("H" * 201,), (), False),
    (("A VIE H", *("",) * 59), (), True),
    (("A VIE H", *("",) * 60), (), False),
)
ROWS: tuple[tuple[str, str, bool], ...] = (
    ("order", "A VIE - GAL", True), ("order", "a vie - gal", True), ("order", "A VIE - PAR", False),
    ("order", "xyzzy", False), ("order", "", False), ("order", "A VIE - GAL" + "L" * 190, False),
    ("ink", "A VIE - GAL", True), ("ink", "xyzzy", False), ("ink", "A VIE - GAL" + "L" * 190, False),
)  # fmt: skip


def meant_by(said: dict[str, Any]) -> list[str]:
    """The orders that lines are said to mean; good are those that are clear."""
    assert all(each["good"] is (each["status"] == "clear") for line in said["lines"] for each in line["means"])
    return sorted(each["order"] for line in said["lines"] for each in line["means"])


def test_what_is_said_while_one_types_is_what_comes_of_it(opened: Opened, tess: Browser) -> None:
    """What does not stand is refused for what was said of it, and nothing is written down."""
    facts = opened.office.event.facts
    token = tess.look(TURN)["item"]["token"]
    told: dict[tuple[str, str], str] = {}
    for how, typed, stands in ROWS:
        asked = {"token": token, "turn": TURN, "typed": typed, "as": how}
        (line,) = tess.post("/api/meaning", **asked)["lines"]
        said = told[how, typed] = line["wrong"] or line["doubt"]
        assert [each["good"] for each in line["means"]] == [not said] * len(line["means"])
        assert (not said) == stands, (how, typed, line)
        if not stands:
            before = facts.last_number()
            answer = tess.press("text" if how == "ink" else how, status=422, value=typed)
            assert not typed or said.partition(";")[0] in answer["said"], (how, typed, said, answer)
            assert facts.last_number() == before
    assert told["order", "xyzzy"].split(";")[0] == told["ink", "xyzzy"].split(";")[0] != ""
    assert "nothing is typed" in told["order", ""]
    for lines, units, stands in SHEETS:
        sent = {"lines": [*lines], "units": [*units]}
        known = all(unit in ("", "A VIE", "A BUD", "F TRI") for unit in units)
        is_readable = known and len(lines) <= 60 and max(map(len, lines)) <= 200
        said_of = tess.post("/api/meaning", 200 if is_readable else 422, turn=TURN, **sent)
        before = facts.last_number()
        act = {"do": "type", "token": TURN, "values": [*lines], "units": [*units], "sure": []}
        answer = tess.post("/api/act", 200 if stands else 422, **act)
        assert (facts.last_number() > before) == stands, (lines, units)
        if is_readable:
            wrong = [each["wrong"] or each["doubt"] for each in said_of["lines"] if each["wrong"] or each["doubt"]]
            assert (not wrong) == stands, (lines, said_of)
            if stands:
                game = opened.office.live.games["1.1"]
                rows = Desk.of(opened.office.event).power(game, Power.AUSTRIA).rows
                assert meant_by(said_of) == sorted(write(row.order) for row in rows if row.order and row.line > 0)
                again = tess.client.get("/api/legal", params={"turn": TURN}).json()["lines"]  # each behind its unit
                shown = {"units": [unit for unit, _ in again], "lines": [line for _, line in again]}
                said_again = tess.post("/api/meaning", turn=TURN, **shown)
                assert meant_by(said_again) == meant_by(said_of), (lines, again)
                assert not any(each["wrong"] for each in said_again["lines"]), again
        else:
            assert said_of["said"] == answer["said"]

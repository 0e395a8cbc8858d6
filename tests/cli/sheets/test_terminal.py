"""``review --tty``: what is typed and means nothing wants a second Enter, and anything else drops it."""

from pathlib import Path

import pytest
from desk.cup import clock, hand_in, hand_in_all, inked, seated, spring

from cli.test_day import run
from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.sheets.printing import print_round
from pipeline.ink import Tier
from pipeline.paper.sheet_rows import Design


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """One row of Austria's is unread, all else is clear."""
    folder = seated(tmp_path / "cup")
    with open_event(folder, clock) as event:
        print_round(event, 1, None, None, 0, Design.LINE)
        hand_in_all(event, but=Power.AUSTRIA)
        lines = [inked(1, "A Vie - Ga?", Tier.ASKED), inked(2, "F TRI - ALB"), inked(3, "A BUD - SER")]
        hand_in(event, spring(Power.AUSTRIA), lines, sha256="f" * 64)
    return folder


def ruled(folder: Path) -> list[str]:
    with open_event(folder, clock) as event:
        return [fact.body.get("order", fact.body.get("text")) for fact in event.facts.read("ruling")]


@pytest.mark.parametrize(
    ("keys", "said", "facts"),
    [
        (["t A Vie - Gal"], "", ["A Vie - Gal"]),
        (["e a vie - gal"], "", ["A VIE - GAL"]),
        (["t A Vie - Lon", "no", "q"], "adjudicated as A VIE H", []),
        (["t A Vie - Lon", ""], "adjudicated as A VIE H", ["A Vie - Lon"]),
        (["e A VIE - LON", "", "q"], "no convoy goes from VIE to LON", ["A VIE - LON"]),
        (["e A VIE - LON", "x", "e A VIE - GAL"], "no convoy goes from VIE to LON", ["A VIE - GAL"]),
        (["t F Tri - Ven", "x", "q"], "F TRI is ordered twice, differently", []),
        (["e Vienna holds", "q"], "or 'nothing' for no order", []),
        (["e nothing", "q"], "A VIE has no order", ["nothing"]),
    ],
)
def test_a_second_enter_keeps_what_means_nothing(cup: Path, keys: list[str], said: str, facts: list[str]) -> None:
    told = run(["review", str(cup), "--tty"], typed="\n".join([*keys, ""]))
    assert said in told
    assert ruled(cup) == facts


def test_one_row_waits_and_several_wait(cup: Path) -> None:
    assert ", 1 row waits\n" in run(["status", str(cup)])
    with open_event(cup, clock) as event:
        hand_in(event, spring(Power.ITALY), [inked(1, "A Ven", Tier.ASKED), inked(2, "A Rom", Tier.ASKED)], "ab" * 32)
    assert ", 3 rows wait\n" in run(["status", str(cup)])


def test_an_empty_enter_takes_the_rule_and_no_typed_order(cup: Path) -> None:
    run(["review", str(cup), "--tty"], typed="\nq\n")
    assert ruled(cup) == [], "no rule says what an unread row gives"

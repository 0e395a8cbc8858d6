"""Killed at any moment of scanning, ruling and publishing, an event loses no fact and doubles none.

Set ORDERSHEETS_KILLS for more kills than the few that every test run makes (200 take about six minutes).
"""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from facts_as_kept import read_facts

from desk.cup import clock, seated
from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.publish.explain import check_event
from pipeline.desk.sheets.printing import print_round
from pipeline.rehearsal.simulated_scans import Writer, write_and_scan

KILLS = int(os.environ.get("ORDERSHEETS_KILLS", "4"))
WORK = """
import sys
from pathlib import Path
from pipeline.ledger.files import now
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.intake.ingest import take_in
from pipeline.desk.publish.publish import publish
from pipeline.desk.ruling.rulings import RowDecision, rule_row, type_lines
from pipeline.desk.event.people import Turn
from pipeline.reading.recogniser import NoRecogniser

with open_event(Path(sys.argv[1]), now) as event:
    print("ready", flush=True)
    while True:
        take_in(event, [Path(p) for p in sys.argv[2:]], NoRecogniser(), lambda page: None)
        game = find_game(event, "1")
        for power, units in game.position.units.items():
            fact = type_lines(event, Turn(game.name, game.position.phase, power), [f"{u} H" for u in units], by="k")
            print(fact.number, flush=True)
        power, units = next(iter(game.position.units.items()))
        decision = RowDecision(text=f"{units[0]} H")
        print(rule_row(event, Turn(game.name, game.position.phase, power), 1, decision, "k").number, flush=True)
        print(publish(event, "1", "k").played.fact.number, flush=True)
"""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    """An event with printed sheets, and scans of two of them."""
    folder = tmp_path_factory.mktemp("kills")
    with open_event(seated(folder / "cup"), clock) as event:
        printed = print_round(event, 1)
    whose = {page.sheet: page.power for page in printed.layout.pages}

    def writer(sheet: str) -> Writer | None:
        if whose[sheet] not in ("AUSTRIA", "TURKEY"):
            return None
        return Writer(hand=2, player="x", lines={1: "A VIE H"}, slips={})

    return folder / "cup", list(write_and_scan(printed, writer, folder / "scans", seed=3))


def confirmed(process: "subprocess.Popen[str]", until: float) -> list[int]:
    """Kill the work after so many seconds from its start, and list the facts it had confirmed."""
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(until)
    process.kill()
    told, _ = process.communicate()
    return [int(line) for line in told.split() if line.isdigit()]


@pytest.mark.slow
def test_killed_at_random_moments_every_confirmed_fact_is_there_once(begun: tuple[Path, list[Path]]) -> None:
    folder, files = begun
    rng = random.Random(KILLS)
    seen: dict[int, str] = {}
    for _ in range(KILLS):
        command = [sys.executable, "-c", WORK, str(folder), *map(str, files)]
        numbers = confirmed(subprocess.Popen(command, stdout=subprocess.PIPE, text=True), rng.uniform(0, 0.8))
        with open_event(folder, clock) as event:
            facts = {fact.number: f"{fact.kind} {fact.body}" for fact in read_facts(event.facts)}
            assert list(facts) == list(range(1, len(facts) + 1)), "a fact is lost"
            assert set(numbers) <= set(facts), "a confirmed fact is lost"
            assert seen.items() <= facts.items(), "a fact was rewritten"
            seen = facts
            whole(event)


def whole(event: Event) -> None:
    """Nothing is doubled, and the game follows from its facts."""
    pages = [(fact.body["sha256"], fact.body["page"]) for fact in read_facts(event.facts, "page read")]
    assert len(pages) == len(set(pages)), "a page counts twice"
    phases = [fact.body["phase"] for fact in read_facts(event.facts, "published")]
    assert len(phases) == len(set(phases)), "a phase was published twice"
    assert [str(played.phase) for played in find_game(event, "1").played] == phases
    assert [p for p in check_event(event) if "not read to its end" not in p.text] == []
    assert Power.AUSTRIA in find_game(event, "1").position.units

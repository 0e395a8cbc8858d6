"""Games that people played end as they were recorded, phase by phase."""

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pipeline.board import Phase, Position, Power, Step, standard_map
from pipeline.cli.judge import judge
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.outcome import Resolution
from pipeline.judge.rulebook import rulebook
from pipeline.orders import read_order, read_unit

RULES = {"base": "datc", "4.A.3": "c+fallback", "4.D.8": "a"}


def replay(shared: Path) -> Iterator[tuple[Resolution, dict[str, Any]]]:
    """Judge every phase; retreats start from what the movement phase before left."""
    rules, board = rulebook(RULES), standard_map()
    before: dict[str, Resolution] = {}
    with gzip.open(shared / "data" / "real_games.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            phase = Phase.read(record["phase"])
            position = Position(
                phase=phase,
                units={Power(p): tuple(read_unit(u) for u in units) for p, units in record["units_before"].items()},
                centres={Power(p): tuple(owned) for p, owned in record["centers"].items()},
                dislodged=before[record["game"]].after.dislodged if phase.step is Step.RETREATS else (),
            )
            orders = {Power(p): [read_order(text) for text in texts] for p, texts in record["orders"].items()}
            before[record["game"]] = adjudicate(board, position, orders, rules)
            yield before[record["game"]], record


def texts(things: Mapping[Power, Any]) -> dict[str, list[str]]:
    return {str(power): sorted(str(each) for each in owned) for power, owned in things.items() if owned}


def test_every_phase_of_the_real_games_ends_as_recorded(shared: Path) -> None:
    phases = 0
    for resolution, record in replay(shared):
        where = f"{record['game']} {record['phase']}"
        after, fleeing = resolution.after, dict[str, list[str]]()
        for each in after.dislodged:
            if each.retreats:  # the records leave out units that had nowhere to go
                fleeing.setdefault(each.power, []).append(str(each.unit))
        assert texts(after.units) == {p: sorted(units) for p, units in record["units_after"].items() if units}, where
        assert {p: sorted(units) for p, units in fleeing.items()} == record["dislodged"], where
        assert texts(after.centres) == {p: sorted(c) for p, c in record["centers_after"].items() if c}, where
        assert str(after.phase) == record["next_phase"], where
        phases += 1
    assert phases == 2950


def test_the_command_replays_a_game_from_its_own_answers(shared: Path) -> None:
    """The first game, phase by phase: each answer, given the orders that were written, is the next question."""
    with gzip.open(shared / "data" / "real_games.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    game = [record for record in records if record["game"] == records[0]["game"]]
    first = game[0]
    question: dict[str, Any] = {
        "id": first["game"],
        "rules": RULES,
        "phase": first["phase"],
        "units": first["units_before"],
        "centers": first["centers"],
    }
    for record in game:
        answer = json.loads(json.dumps(judge({**question, "orders": record["orders"]})))
        assert answer["phase"] == record["phase"]
        assert {p: units for p, units in answer["units"].items() if units} == record["units_after"]
        assert {p: owned for p, owned in answer["centers"].items() if owned} == record["centers_after"]
        assert answer["next_phase"] == record["next_phase"]
        question = answer
    assert len(game) > 30

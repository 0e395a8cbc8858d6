"""The sample event: a whole small tournament round with the truth beside it, read from its folder."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.board.map import Power
from pipeline.board.position import Phase
from pipeline.desk.event.turn import Turn
from pipeline.desk.ruling.rulings import RowDecision
from pipeline.pen.slips import Slip
from pipeline.rehearsal.simulation import ScriptedSheet
from pipeline.rehearsal.typist import TypingWay, unit_of_line
from pipeline.rules.toml.folders import data_folder

ROUND = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The whole event."""

    name: str
    code: str
    tournament: str
    seed: int
    roster: Path
    boards: Mapping[str, Mapping[Power, str]]
    sheets: Mapping[Turn, ScriptedSheet]
    replaced: Mapping[Turn, str]  # from which turn on who has the seat of somebody who left


def read_sample(folder: Path | None = None) -> Sample:
    """Read the sample event; it comes with the program, so that its faults are ours."""
    folder = folder or data_folder("samples") / "moot"
    values = tomllib.loads((folder / "event.toml").read_text("utf-8"))
    sheets = [read_sheet(value) for value in values["sheets"]]
    return Sample(
        name=values["name"],
        code=values["code"],
        tournament=values["tournament"],
        seed=values["seed"],
        roster=folder / "players.csv",
        boards={
            board: {Power(power): name for power, name in seats.items()} for board, seats in values["boards"].items()
        },
        sheets={sheet.turn: sheet for sheet in sheets},
        replaced={read_turn(value): value["player"] for value in values["replaced"]},
    )


def read_sheet(value: Mapping[str, Any]) -> ScriptedSheet:
    """Read one player's sheet."""
    turn, lines = read_turn(value), tuple(value["lines"])
    return ScriptedSheet(
        turn=turn,
        hand=value["hand"],
        lines=lines,
        truth={int(row): order for row, order in value.get("truth", {}).items()},
        rulings={
            int(row): RowDecision(order=ruling["order"], why=ruling["why"])
            for row, ruling in value.get("rulings", {}).items()
        },
        slips={int(row): Slip(slip) for row, slip in value.get("slips", {}).items()},
        is_missing=value.get("missing", False),
        comes_twice=value.get("twice", False),
        typed=tuple(
            TypingWay(text, unit_of_line(line)) for text, line in zip(value.get("typed", ()), lines, strict=False)
        ),
    )


def read_turn(value: Mapping[str, Any]) -> Turn:
    """Read whose turn it is."""
    return Turn(f"{ROUND}.{value['board']}", Phase.read(value["phase"]), Power(value["power"]))

"""The main job on the sample event, start to finish: print, write, scan, read, rule, adjudicate, and the standings.

The players and the scanner are simulated (`pipeline.pen`); everything else is what an event runs. At the end every
order that nobody asked the director about is compared with what the player wrote.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from pipeline.board.map import Power
from pipeline.desk.draw.roster_file import read_roster_file
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Details, Event, new_event, open_event
from pipeline.desk.event.games import Game, games
from pipeline.desk.event.seating import seat
from pipeline.desk.event.turn import Turn
from pipeline.desk.results.notes import enter
from pipeline.desk.results.scored import scored_event
from pipeline.desk.results.standings_workbook import write_standings
from pipeline.ledger.clock import now
from pipeline.ledger.files.disk import keep_file
from pipeline.problems import stop
from pipeline.reading.rows.recogniser import Recogniser
from pipeline.rehearsal.rehearsed_ends import rehearse_ends
from pipeline.rehearsal.sample import ROUND, Sample, read_sample
from pipeline.rehearsal.simulation import Listener, ReadingTally, ScriptedSheet, Simulation
from pipeline.scoring.results.results import Ending

DIRECTOR = "the sample's director"


@dataclass(frozen=True, slots=True)
class SampleScript:
    """The sample event's sheets as a script."""

    sample: Sample
    director: str = DIRECTOR

    @property
    def seed(self) -> int:
        """The sample's own seed."""
        return self.sample.seed

    def sheet(self, game: Game, power: Power) -> ScriptedSheet | None:
        """The sheet that the sample has."""
        return self.sample.sheets.get(Turn(game.name, game.position.phase, power))


def run_demo(out: Path, engine: Recogniser, listener: Listener) -> dict[str, Any]:
    """Run the sample event in a folder and give back the summary, which is also written there."""
    sample = read_sample()
    folder = fresh_folder(out, sample)
    players, _ = read_roster_file(sample.roster)
    listener.step("a new event, its roster, and the seats of round 1")
    new_event(folder, Details(name=sample.name, code=sample.code, tournament=sample.tournament), players, now)
    with open_event(folder, now, Random(sample.seed)) as event:
        seat(event, ROUND, sample.boards, by=DIRECTOR, notes=["seated by hand, as the sample says"])
        simulation = Simulation(event, SampleScript(sample), out, engine, listener)
        simulation.play_next_phase()
        replace_players(event, sample)
        while simulation.play_next_phase():
            pass
        for game in games(event).values():
            end_game(event, game, Ending.TIME, by=DIRECTOR, why="the sample ends after its first year")
        rule_scores(event, sample)
        listener.step("the standings")
        keep_file(out / "standings.xlsx", write_standings(event).data)
    listener.step("beside it, a game ended in every way that the rules know")
    summary = summarise(sample, simulation.tally, engine, rehearse_ends(sample.tournament, out / "ends"))
    keep_file(out / "summary.json", json.dumps(summary, indent=1).encode())
    return summary


def replace_players(event: Event, sample: Sample) -> None:
    """Somebody is called home, and another has his seat."""
    for turn, player in sample.replaced.items():
        typed = {"board": turn.board, "power": str(turn.power), "player": player, "phase": str(turn.phase)}
        enter(event, "substitute", typed, by=DIRECTOR, why="called home")


def rule_scores(event: Event, sample: Sample) -> None:
    """What a seat is worth that changed hands is the director's ruling (WM III.8): to the newcomer, as it stands."""
    scores = {(game.board.name, game.power): game.score for game in scored_event(event).games}
    for turn in sample.replaced:
        score = scores[turn.board.partition(".")[2], turn.power]
        typed = {"board": turn.board, "power": str(turn.power), "score": str(score)}
        enter(event, "score", typed, by=DIRECTOR, why="the newcomer plays for himself (WM III.8)")


def fresh_folder(out: Path, sample: Sample) -> Path:
    """Make room for the event; only an earlier demo's event is cleared away."""
    folder = out / "event"
    if folder.exists():
        toml = folder / "event.toml"
        if not toml.is_file() or f'code = "{sample.code}"' not in toml.read_text("utf-8"):
            raise stop("something else is here; choose another --out", str(folder))
        shutil.rmtree(folder)
        shutil.rmtree(out / "scans", ignore_errors=True)
        shutil.rmtree(out / "ends", ignore_errors=True)
        (out / "flagged-row.png").unlink(missing_ok=True)
    out.mkdir(parents=True, exist_ok=True)
    return folder


def summarise(
    sample: Sample, tally: ReadingTally, engine: Recogniser, ends: Sequence[Mapping[str, str]]
) -> dict[str, Any]:
    """Put the tally into the words of ``summary.json``."""
    return {
        "event": sample.name,
        "reader": engine.name,
        "pages": dict(tally.trays),
        "rows_written": sum(len(sheet.lines) for sheet in sample.sheets.values()),
        "rows_compared": tally.rows,
        "read_alone": tally.alone,
        "typed": tally.typed,
        "asked": {str(status): count for status, count in tally.asked.items()},
        "wrong_unasked": len(tally.wrong),
        "wrong_unasked_rows": tally.wrong,
        "differs_after_ruling": tally.ruled_wrong,
        "ends_wrong": list(ends),
    }

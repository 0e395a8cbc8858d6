"""A whole event alone: invented players and games, printed, written, scanned, read, ruled, judged, scored, compared.

What differs from what was written is named with the stage where it was born.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from pipeline.board.map import Power
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Details, Event, new_event, open_event
from pipeline.desk.event.games import games
from pipeline.desk.event.seating import Seats, seat
from pipeline.desk.results.notes import enter
from pipeline.desk.results.results import event_results
from pipeline.desk.results.standings_workbook import write_standings
from pipeline.draw.players.roster import Player
from pipeline.ledger.clock import now
from pipeline.ledger.files.disk import keep_file
from pipeline.paper.sheet.field_rows import Design
from pipeline.problems import stop
from pipeline.reading.rows.recogniser import Recogniser
from pipeline.rehearsal.invented import InventedScript, invented_names
from pipeline.rehearsal.pad_stacks import PadStacks
from pipeline.rehearsal.rehearsed_ends import rehearse_ends
from pipeline.rehearsal.simulation import Listener, ReadingTally, Simulation, fold
from pipeline.scoring.results.results import Ending

SEAT = Power.ITALY  # of the first board: its player goes, and a reserve comes


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to rehearse."""

    tournament: str = "weaselmoot"
    boards: int = 2
    seasons: int = 4
    seed: int = 1
    on_pads: bool = False  # one print-out for the round; now and then the wrong season is ticked
    design: Design | None = None  # None: as `sheets` prints when nothing is said


def rehearse(plan: Plan, out: Path, engine: Recogniser, listener: Listener) -> dict[str, Any]:
    """Run an invented event in a new folder and give back how it went."""
    folder = out / "event"
    if folder.exists():
        raise stop("an event is here already; choose another --out", str(folder))
    out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(plan.seed)
    *names, reserve = invented_names(7 * plan.boards + 1, rng)
    details = Details(name=f"Rehearsal {plan.seed}", code="REHE", tournament=plan.tournament)
    new_event(folder, details, [Player(name=name) for name in (*names, reserve)], now)
    with open_event(folder, now, Random(plan.seed)) as event:
        seats = {str(n + 1): dict(zip(Power, names[7 * n : 7 * n + 7], strict=True)) for n in range(plan.boards)}
        seat(event, 1, seats, by="the oracle", notes=["invented"])
        script = InventedScript(event, plan.seed, plan.seasons)
        simulation = Simulation(event, script, out, engine, listener, plan.design)
        if plan.on_pads:
            simulation = replace(simulation, stacks=PadStacks(event, plan.seasons, plan.seed))
        if simulation.play_next_phase():
            replace_one(event, reserve)
        while simulation.play_next_phase():
            pass
        wrong = [*finish(event, out, seats, reserve), *rehearse_ends(plan.tournament, out / "ends")]
    return report(plan, simulation.tally, engine, wrong)


def replace_one(event: Event, reserve: str) -> None:
    """Somebody takes a seat over in the middle of the first game: from now on its sheets are in another hand."""
    game = next(iter(games(event).values()))
    typed = {"board": game.name, "power": str(SEAT), "player": reserve, "phase": str(game.position.phase)}
    enter(event, "substitute", typed, by="the oracle", why="the rehearsal tries it")


def finish(event: Event, out: Path, seats: Seats, reserve: str) -> Iterator[dict[str, str]]:
    """Call time, score, and say who is said to have played a seat that another one was given."""
    for game in games(event).values():
        if not game.ended:
            end_game(event, game, Ending.TIME, by="the oracle", why="the rehearsal is over")
    first = next(iter(seats))
    for board in event_results(event).boards:
        for power, given in seats[board.name].items():
            is_taken_over = (board.name, power) == (first, SEAT)
            sits, wanted = board.seats[power], (reserve, given) if is_taken_over else (given, None)
            if (sits.player, sits.instead_of) != wanted:
                yield {"end": f"{board.name} {power}", "found": f"{sits.player} for {sits.instead_of}, not {wanted}"}
    keep_file(out / "standings.xlsx", write_standings(event).data)


def report(plan: Plan, tally: ReadingTally, engine: Recogniser, ends: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """How the rehearsal went; every difference with its stage."""
    born = Counter(stage(found) for found in (*tally.wrong, *tally.ruled_wrong))
    return {
        "tournament": plan.tournament,
        "boards": plan.boards,
        "seasons": plan.seasons,
        "seed": plan.seed,
        "design": str(plan.design or "default"),
        "on_pads": plan.on_pads,
        "reader": engine.name,
        "pages": dict(tally.trays),
        "rows": tally.rows,
        "read_alone": tally.alone,
        "typed": tally.typed,
        "told_when_typed": tally.told,
        "asked": {str(status): count for status, count in tally.asked.items()},
        "season_slips": tally.season_slips,
        "season_slips_unasked": tally.season_unseen,
        "wrong_unasked": len(tally.wrong),
        "differs_after_ruling": len(tally.ruled_wrong),
        "ends_wrong": len(ends),
        "born_in": dict(born),
        "differences": [*tally.wrong, *tally.ruled_wrong, *ends],
    }


def stage(found: dict[str, str]) -> str:
    """Name the stage where a difference was born: the row was lost, misread, or misunderstood."""
    if not found["read"]:
        return "rows"
    return "interpretation" if fold(found["read"]) == fold(found["written"]) else "reading"
